/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presets, and what switches cost. Bytes are the widths of the records that a kernel has
 * (doc/formats/prof.md, doc/formats/framework.md#records-of-torch_npu); that Level2 and call stacks
 * disturb is MindStudio's own statement (doc/formats/framework.md#costs).
 */
#include "config.h"

#include "configure/presets.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define WITH_ALL "start=true activities=CPU,NPU "

const struct preset presets[] = {
    { "overview", "where the time of a step goes: computing, communication, waiting for the host",
      "overview|slow|time|timeline|gap|idle|free|host|bound",
      WITH_ALL "profiler_level=Level0 profile_framework=all" },
    { "ops", "which ops and kernels take the time, their shapes and how busy the cores are",
      "ops|op|operator|kernel|core|cube|vector|flop|matmul|shape|compute|computing",
      WITH_ALL "profiler_level=Level1 aic_metrics=PipeUtilization record_shapes=true" },
    { "memory", "who holds device memory and when it peaks", "mem|memory|oom|alloc|leak|peak|fragment",
      WITH_ALL "profiler_level=Level0 profile_memory=true" },
    { "communication", "which communication ops wait, for whom, and how fast the links are",
      "comm|hccl|hcom|allreduce|all-reduce|allgather|all-to-all|link|bandwidth|rank|straggler|network",
      WITH_ALL "profiler_level=Level1 sys_interconnection=true profile_communication=true" },
    { "data", "whether steps wait for input: the pipeline of mindspore.dataset and its queues",
      "data|dataset|input|pipeline|queue|load|batch|starv|preprocess|minddata",
      WITH_ALL "profiler_level=Level0 data_process=true" },
    { "everything", "all of it, for a few steps", "everything|all|complete",
      WITH_ALL "profiler_level=Level2 aic_metrics=PipeUtilization record_shapes=true with_stack=true "
               "profile_memory=true data_process=true l2_cache=true mstx=true parallel_strategy=true "
               "sys_io=true sys_interconnection=true host_sys=cpu,mem profile_communication=true "
               "profile_framework=all" },
};
const size_t n_presets = ARRAY_LEN(presets);

const struct preset *preset_find(struct str name)
{
    for (size_t i = 0; i < n_presets; i++)
        if (str_eq_nocase(str_of(presets[i].name), name))
            return &presets[i];
    return NULL;
}

/* A level or a list is never made less by another preset. */
static bool is_less(const struct choice *c, const char *switches, size_t n)
{
    static const char level[] = "profiler_level=";
    const char *now = c->value[SW_PROFILER_LEVEL];

    return now && n > sizeof level && !strncmp(switches, level, sizeof level - 1) &&
           strncmp(switches + sizeof level - 1, now, n - sizeof level + 1) < 0;
}

int preset_choose(const struct preset *p, struct choice *c, struct err *e)
{
    struct str rest = str_of(p->switches), word;

    while (str_next(&rest, ' ', &word))
        if (!is_less(c, word.p, word.n) && choice_set_text(c, word, e))
            return e->code;
    return OK;
}

/* ---- questions ---- */

static bool is_letter(char ch)
{
    return str_is_word(ch) || ch == '-';
}

static struct str next_word(struct str s, size_t *at)
{
    while (*at < s.n && !is_letter(s.p[*at]))
        ++*at;
    size_t from = *at;
    while (*at < s.n && is_letter(s.p[*at]))
        ++*at;
    return str_sub(s, from, *at - from);
}

static bool asks(struct str word, const char *words)
{
    struct str rest = str_of(words), begin;

    while (str_next(&rest, '|', &begin))
        if (begin.n < 4 ? str_eq_nocase(word, begin) || (word.n == begin.n + 1 && word.p[begin.n] == 's' &&
                                                         str_eq_nocase(str_sub(word, 0, begin.n), begin))
                        : word.n >= begin.n && str_eq_nocase(str_sub(word, 0, begin.n), begin))
            return true;
    return false;
}

/* "step 20", "step20", "steps 20-22": that window. */
static int choose_step(struct str question, struct choice *c, struct err *e)
{
    size_t at = str_find_nocase(question, STR("step"));
    char text[24];
    int64_t n;

    if (at == SIZE_MAX)
        return OK;
    for (at += 4; at < question.n && strchr("s #:=_", question.p[at]); at++)
        ;
    for (int k = 0; k < 2 && at < question.n; k++) {
        size_t digits = 0;
        while (at + digits < question.n && question.p[at + digits] >= '0' && question.p[at + digits] <= '9')
            digits++;
        if (!digits || !str_i64(str_sub(question, at, digits), &n) || n > INT32_MAX)
            return OK;
        str_copy(str_sub(question, at, digits), text, sizeof text);
        if ((!k && choice_set(c, SW_START_STEP, str_of(text), e)) ||
            choice_set(c, SW_STOP_STEP, str_of(text), e))
            return e->code;
        at += digits;
        while (at < question.n && strchr(" -.t", question.p[at]))
            at += question.p[at] == 't' ? 2 : 1; /* "20-22", "20..22", "20 to 22" */
    }
    return OK;
}

int presets_ask(struct str question, struct choice *c, struct buf *names, bool *found, struct err *e)
{
    *found = false;
    for (size_t i = 0; i < n_presets; i++) {
        struct str word;
        bool asked = false;
        for (size_t at = 0; (word = next_word(question, &at)).n;)
            asked |= asks(word, presets[i].words);
        if (!asked)
            continue;
        buf_printf(names, "%s%s", *found ? ", " : "", presets[i].name);
        *found = true;
        if (preset_choose(&presets[i], c, e))
            return e->code;
    }
    if (!*found) {
        buf_puts(names, presets[0].name);
        if (preset_choose(&presets[0], c, e))
            return e->code;
    }
    return choose_step(question, c, e);
}

void choice_fit(struct choice *c, const struct config_target *t, struct buf *left_out)
{
    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (!c->value[i] || config_can(t, (enum switch_id)i, str_of(c->value[i])))
            continue;
        if (!switch_defs[i].obsolete && i != SW_START && i != SW_START_STEP && i != SW_STOP_STEP)
            buf_printf(left_out, "%s%s", left_out->n ? ", " : "", switch_defs[i].name);
        if (i != SW_START_STEP && i != SW_STOP_STEP) /* the notes say them */
            choice_unset(c, (enum switch_id)i);
    }
}

/* ---- costs ---- */

static const struct {
    enum switch_id id;
    const char *value;
    enum cost_level level;
    unsigned kernel_b, second_b;
} costs[] = {
    /* Device: two records of the task log, 64 bytes each. Host: two calls of 40 bytes, task_track and
     * node_basic_info of 64 bytes. */
    { SW_PROFILER_LEVEL, "Level0", COST_LOW, 336, 0 },
    /* A tensor_info of 256 bytes, for communication tasks an hccl_info of 256. */
    { SW_PROFILER_LEVEL, "Level1", COST_MEDIUM, 336 + 320, 0 },
    /* Three calls of the runtime of 40 bytes, AI CPU ops. */
    { SW_PROFILER_LEVEL, "Level2", COST_HIGH, 336 + 320 + 160, 0 },
    /* ffts_profile or aicore, 128 bytes a task. */
    { SW_AIC_METRICS, NULL, COST_MEDIUM, 128, 0 },
    { SW_ACTIVITIES, "CPU,NPU", COST_LOW, 300, 0 },
    { SW_ACTIVITIES, "CPU", COST_LOW, 300, 0 },
    { SW_L2_CACHE, "true", COST_LOW, 72, 0 },
    { SW_RECORD_SHAPES, "true", COST_LOW, 200, 0 },
    { SW_WITH_STACK, "true", COST_HIGH, 3000, 0 },
    { SW_WITH_MODULES, "true", COST_HIGH, 3000, 0 },
    { SW_PROFILE_MEMORY, "true", COST_MEDIUM, 600, 0 },
    { SW_DATA_PROCESS, "true", COST_LOW, 0, 2000 },
    { SW_MSTX, "true", COST_LOW, 30, 0 },
    { SW_SYS_IO, "true", COST_LOW, 0, 15000 },
    { SW_SYS_INTERCONNECTION, "true", COST_LOW, 0, 10000 },
    { SW_HOST_SYS, NULL, COST_LOW, 0, 20000 },
    { SW_HBM_DDR, "true", COST_LOW, 0, 15000 },
};

struct cost choice_cost(const struct choice *c)
{
    struct cost sum = { .because = N_SWITCHES };

    for (size_t i = 0; i < ARRAY_LEN(costs); i++) {
        struct str now = choice_get(c, costs[i].id);
        const char *none = switch_defs[costs[i].id].default_value;
        bool on = costs[i].value ? str_eq(now, str_of(costs[i].value)) : !str_eq(now, str_of(none));
        if (!on)
            continue;
        sum.per_kernel_b += costs[i].kernel_b;
        sum.per_second_b += costs[i].second_b;
        if (costs[i].level > sum.level) {
            sum.level = costs[i].level;
            sum.because = costs[i].id;
        }
    }
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (c->value[i] && strcmp(c->value[i], "false") != 0 && c->value[i][0])
            sum.panes |= switch_defs[i].panes;
    return sum;
}

void choice_cost_text(const struct choice *c, struct buf *out)
{
    static const char *const levels[] = { N_("low"), N_("medium"), N_("high") };
    struct cost cost = choice_cost(c);

    buf_printf(out, tr("Expected overhead: %s"), tr(levels[cost.level]));
    if (cost.because != N_SWITCHES)
        buf_printf(out, tr(", for %s=%s"), switch_defs[cost.because].name, choice_get(c, cost.because).p);
    buf_printf(out, tr(". Raw data: about %.2g MB for each 1000 kernels"), cost.per_kernel_b / 1000);
    if (cost.per_second_b > 0)
        buf_printf(out, tr(" and %.2g MB for each minute"), cost.per_second_b * 60 / 1e6);
    buf_printf(out, tr(" of a device; analysed about twice that.\nFills:%s"),
               cost.panes ? "" : tr(" nothing"));
    for (int p = 0; p < N_PANES; p++)
        if (cost.panes & PANE_BIT(p))
            buf_printf(out, " %s", pane_word((enum pane_id)p));
    buf_addc(out, '\n');
}
