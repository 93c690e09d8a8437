/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Combinations of values (doc/formats/framework.md#ms_profiler_options, #dynamic-profiling, #schedule,
 * #torch_npu-config): a table of what does not do what it says.
 */
#include "config.h"

#include "base/lang/tr.h"
#include "base/words.h"
#include "configure/config_int.h"

static bool is(const struct reading *r, enum switch_id id, const char *value)
{
    return str_eq(choice_get(r->c, id), str_of(value));
}

static bool has_word(const struct reading *r, enum switch_id id, const char *word)
{
    struct str list = choice_get(r->c, id);

    return list.n && word_index(list.p, ',', str_of(word)) >= 0;
}

static int64_t number(const struct reading *r, enum switch_id id)
{
    int64_t n = -1;

    str_i64(choice_get(r->c, id), &n);
    return n;
}

static bool on_without_cpu(const struct reading *r, enum switch_id id)
{
    return is(r, id, "true") && r->seen[SW_ACTIVITIES] && !has_word(r, SW_ACTIVITIES, "CPU");
}

static bool not_started(const struct reading *r)
{
    return r->at == AT_ENV && !is(r, SW_START, "true");
}

static bool metrics_at_level0(const struct reading *r)
{
    bool low = is(r, SW_PROFILER_LEVEL, "Level0") || is(r, SW_PROFILER_LEVEL, "LevelNone");
    return r->t->version >= 25 && r->at != AT_MSPROF && r->seen[SW_AIC_METRICS] && low &&
           !is(r, SW_AIC_METRICS, "None");
}

static bool no_level_no_marks(const struct reading *r)
{
    return is(r, SW_PROFILER_LEVEL, "LevelNone") && !is(r, SW_MSTX, "true") && r->at != AT_MSPROF;
}

static bool include_without_marks(const struct reading *r)
{
    return choice_get(r->c, SW_MSTX_DOMAIN_INCLUDE).n && !is(r, SW_MSTX, "true");
}

static bool exclude_without_marks(const struct reading *r)
{
    return choice_get(r->c, SW_MSTX_DOMAIN_EXCLUDE).n && !is(r, SW_MSTX, "true");
}

static bool both_domains(const struct reading *r)
{
    return choice_get(r->c, SW_MSTX_DOMAIN_EXCLUDE).n && choice_get(r->c, SW_MSTX_DOMAIN_INCLUDE).n;
}

static bool shapes_without_cpu(const struct reading *r)
{
    return on_without_cpu(r, SW_RECORD_SHAPES);
}

static bool stack_without_cpu(const struct reading *r)
{
    return on_without_cpu(r, SW_WITH_STACK);
}

static bool stop_before_start(const struct reading *r)
{
    return r->at == AT_JSON && number(r, SW_START_STEP) >= 0 &&
           number(r, SW_STOP_STEP) < number(r, SW_START_STEP);
}

/* A value that is none is told by its type; what becomes of it is not -1 in the file. */
static bool window_is_unread(const struct reading *r)
{
    return r->at == AT_JSON && r->named[SW_START_STEP] && !r->seen[SW_START_STEP];
}

static bool no_window(const struct reading *r)
{
    return r->at == AT_JSON && number(r, SW_START_STEP) < 0 && !r->broken && !window_is_unread(r);
}

static bool starts_at_0(const struct reading *r)
{
    return r->at == AT_JSON && number(r, SW_START_STEP) == 0;
}

static bool attributes_without_db(const struct reading *r)
{
    return is(r, SW_OP_ATTR, "true") && !has_word(r, SW_EXPORT_TYPE, "db");
}

static bool ranks_without_list(const struct reading *r)
{
    return is(r, SW_IS_RANK, "true") && !choice_get(r->c, SW_RANK_LIST).n;
}

static bool list_without_ranks(const struct reading *r)
{
    return choice_get(r->c, SW_RANK_LIST).n && !is(r, SW_IS_RANK, "true");
}

static bool async_without_analysis(const struct reading *r)
{
    return is(r, SW_ANALYSE_MODE, "async") && is(r, SW_ANALYSE, "false") &&
           (r->at == AT_TORCH_JSON || (r->at == AT_JSON && r->t->version >= 27));
}

static bool data_with_schedule(const struct reading *r)
{
    return r->scheduled && is(r, SW_DATA_PROCESS, "true");
}

static const struct {
    bool (*breaks)(const struct reading *r);
    enum switch_id at;
    enum remark_kind kind;
    const char *text;
} rules[] = {
    { not_started, SW_START, REMARK_WRONG, SAID_("nothing is profiled without it: write \"start\": true") },
    { metrics_at_level0, SW_AIC_METRICS, REMARK_WRONG,
      SAID_("Level0 reads no counters, so that None is taken: set profiler_level to Level1 or Level2") },
    { no_level_no_marks, SW_PROFILER_LEVEL, REMARK_WRONG,
      SAID_("LevelNone needs mstx, else it counts as Level0: set mstx to true") },
    { include_without_marks, SW_MSTX_DOMAIN_INCLUDE, REMARK_WRONG,
      SAID_("domains need mstx, else they do nothing: set mstx to true") },
    { exclude_without_marks, SW_MSTX_DOMAIN_EXCLUDE, REMARK_WRONG,
      SAID_("domains need mstx, else they do nothing: set mstx to true") },
    { both_domains, SW_MSTX_DOMAIN_EXCLUDE, REMARK_WRONG,
      SAID_("beside mstx_domain_include it is dropped: leave one of them out") },
    { shapes_without_cpu, SW_RECORD_SHAPES, REMARK_WRONG, SAID_("shapes need CPU in activities: add it") },
    { stack_without_cpu, SW_WITH_STACK, REMARK_WRONG, SAID_("call stacks need CPU in activities: add it") },
    { stop_before_start, SW_STOP_STEP, REMARK_WRONG,
      SAID_("the window ends before it begins, so that nothing is collected: write a stop_step that is not "
            "below "
            "start_step") },
    { no_window, SW_START_STEP, REMARK_NOTE, SAID_("nothing is collected while start_step is -1") },
    { window_is_unread, SW_START_STEP, REMARK_NOTE,
      SAID_("with this value start_step counts as -1, so that nothing is collected") },
    { starts_at_0, SW_START_STEP, REMARK_NOTE,
      SAID_(
          "a job with callbacks counts steps from 1 and collects nothing at 0; one that calls step() does") },
    { attributes_without_db, SW_OP_ATTR, REMARK_WRONG, SAID_("op_attr needs db in export_type: add it") },
    { ranks_without_list, SW_IS_RANK, REMARK_WRONG, SAID_("no rank is recorded: name some in rank_list") },
    { list_without_ranks, SW_RANK_LIST, REMARK_WRONG, SAID_("all ranks are recorded: set is_rank to true") },
    { async_without_analysis, SW_ANALYSE_MODE, REMARK_NOTE, SAID_("it does nothing while analyse is false") },
    { data_with_schedule, SW_DATA_PROCESS, REMARK_WRONG,
      SAID_("a schedule turns it off: leave out one of the two") },
};

void config_rules(struct reading *r)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (rules[i].breaks(r))
            config_say(r, rules[i].kind, r->named[rules[i].at] ? r->key_at[rules[i].at] : 0,
                       &switch_defs[rules[i].at], "%s", rules[i].text);
}
