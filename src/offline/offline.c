/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of one rank folder: what it was recorded with, and the files that are made of it. */
#include "config.h"

#include "offline/offline.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "emit/beside.h"
#include "offline/run.h"
#include "offline/tables/cpu_ops.h"
#include "offline/torch/torch_joins.h"
#include "offline/trace/timeline.h"

#define MEMORY_MAX ((size_t)8 << 30)
#define POOL_B     ((uint64_t)200 << 20)

/* ---- outputs ---- */

#define COPY(file, of, need, begin, step)                                                                    \
    {                                                                                                        \
        .name = (file), .flavours = (of), .needs = NEEDS_NPU | (need), .write = offline_copy,                \
        .from = (begin), .export = {                                                                         \
            (step)                                                                                           \
        }                                                                                                    \
    }

/* clang-format off */
/* One row a file, in the order in which they are made (doc/formats/framework.md#order-of-analysis). */
static const struct offline_output outputs[] = {
    { .name = "trace_view.json",      .flavours = OFFLINE_MS, .write = offline_trace_view,
      .export = { "timeline" } },
    { .name = "kernel_details.csv",   .flavours = OFFLINE_MS, .needs = NEEDS_NPU | NEEDS_LEVEL,
      .write = offline_kernel_details, .export = { "timeline", "op_summary" }, .meanwhile = true },
    { .name = "step_trace_time.csv",  .flavours = OFFLINE_MS, .needs = NEEDS_NPU | NEEDS_LEVEL,
      .write = offline_step_trace,    .export = { "timeline" } },
    { .name = "trace_view.json",      .flavours = OFFLINE_TORCH, .write = offline_torch_trace,
      .export = { "timeline" } },
    { .name = "kernel_details.csv",   .flavours = OFFLINE_TORCH, .needs = NEEDS_NPU,
      .write = offline_torch_kernels, .export = { "timeline", "op_summary" } },
    { .name = "step_trace_time.csv",  .flavours = OFFLINE_TORCH, .needs = NEEDS_NPU,
      .write = offline_torch_steps,   .export = { "timeline" } },
    { .name = "ascend_mindspore_profiler_%d.db", .flavours = OFFLINE_SINCE26,
      .needs = NEEDS_NPU, .write = offline_db, .is_db = true },
    { .name = "op_statistic.csv",   .flavours = OFFLINE_ALL, .needs = NEEDS_NPU, .write = offline_copy,
      .from = "op_statistic_",      .export = { "op_statistic" } },
    { .name = "api_statistic.csv",  .flavours = OFFLINE_SINCE25 | OFFLINE_TORCH, .needs = NEEDS_NPU,
      .write = offline_copy, .from = "api_statistic_",     .export = { "api_statistic" } },
    { .name = "operator_memory.csv", .flavours = OFFLINE_24, .write = offline_copy_source,
      .from = "operator_memory" },
    { .name = "operator_memory.csv", .flavours = OFFLINE_SINCE25, .needs = NEEDS_CPU | NEEDS_MEMORY,
      .write = offline_op_memory },
    { .name = "operator_memory.csv", .flavours = OFFLINE_TORCH, .needs = NEEDS_MEMORY,
      .write = offline_op_memory, .export = { "memory" } },
    { .name = "memory_record.csv", .flavours = OFFLINE_ALL, .needs = NEEDS_MEMORY,
      .write = offline_memory_record, .export = { "memory" } },
    { .name = "npu_module_mem.csv", .flavours = OFFLINE_ALL, .needs = NEEDS_NPU | NEEDS_MEMORY,
      .write = offline_module_mem, .export = { "memory" } },
    { .name = "communication.json", .flavours = OFFLINE_ALL, .needs = NEEDS_NPU | NEEDS_LEVEL,
      .write = offline_comm_json, .export = { "communication.json" } },
    { .name = "communication_matrix.json", .flavours = OFFLINE_ALL, .needs = NEEDS_NPU | NEEDS_LEVEL,
      .write = offline_comm_matrix, .export = { "communication.json", "communication_matrix.json" } },
    { .name = "dataset.csv", .flavours = OFFLINE_SINCE25, .needs = NEEDS_CPU, .write = offline_dataset },
    { .name = "dataset_%d.csv", .flavours = OFFLINE_24, .needs = NEEDS_CPU, .write = offline_dataset,
      .beside = true },
    { .name = "operator_details.csv", .flavours = OFFLINE_SINCE27, .needs = NEEDS_CPU | NEEDS_SHAPES,
      .write = offline_op_details },
    { .name = "operator_details.csv", .flavours = OFFLINE_TORCH, .needs = NEEDS_CPU,
      .write = offline_torch_details, .export = { "timeline" } },
    COPY("l2_cache.csv", OFFLINE_SINCE25 | OFFLINE_TORCH, 0, "l2_cache_", "l2_cache"),
    COPY("soc_pmu.csv", OFFLINE_TORCH, 0, "soc_pmu_", "l2_cache"),
    COPY("static_op_mem.csv", OFFLINE_MS, 0, "static_op_mem_", "memory"),
    COPY("task_time.csv", OFFLINE_TORCH, 0, "task_time_", "task_time"),
    COPY("data_preprocess.csv", OFFLINE_SINCE25, 0, "aicpu_", "aicpu"),
    COPY("data_preprocess.csv", OFFLINE_TORCH, NEEDS_LEVEL2, "aicpu_", "aicpu"),
    COPY("hbm.csv", OFFLINE_SINCE27, 0, "hbm_", "samples"),
    COPY("nic.csv", OFFLINE_SINCE27 | OFFLINE_TORCH, 0, "nic_", "samples"),
    COPY("roce.csv", OFFLINE_SINCE27 | OFFLINE_TORCH, 0, "roce_", "samples"),
    COPY("pcie.csv", OFFLINE_SINCE27 | OFFLINE_TORCH, 0, "pcie_", "samples"),
    COPY("hccs.csv", OFFLINE_SINCE27 | OFFLINE_TORCH, 0, "hccs_", "samples"),
    { .name = "minddata_pipeline_raw_%d.csv", .flavours = OFFLINE_SINCE25, .needs = NEEDS_DATA,
      .write = offline_minddata },
    { .name = "minddata_pipeline_summary_%d.csv", .flavours = OFFLINE_SINCE25, .needs = NEEDS_DATA,
      .write = offline_minddata },
    { .name = "minddata_pipeline_summary_%d.json", .flavours = OFFLINE_SINCE25, .needs = NEEDS_DATA,
      .write = offline_minddata },
    /* after the text files, which they hold rows of */
    { .name = "communication_analyzer.db", .flavours = OFFLINE_SINCE26,
      .needs = NEEDS_NPU | NEEDS_LEVEL, .write = offline_analysis_db, .is_db = true,
      .export = { "communication.json", "communication_matrix.json" } },
    { .name = "ascend_pytorch_profiler_%d.db", .flavours = OFFLINE_TORCH, .write = offline_torch_db,
      .is_db = true, .export = { "timeline", "memory" } },
    { .name = "analysis.db", .flavours = OFFLINE_TORCH, .needs = NEEDS_NPU | NEEDS_LEVEL,
      .write = offline_analysis_db, .is_db = true,
      .export = { "timeline", "communication.json", "communication_matrix.json" } },
};
/* clang-format on */

/* Files of this run that are not there yet. */
struct plan {
    struct offline_run *r;
    bool todo[ARRAY_LEN(outputs)];
    bool reads; /* some of them are made of msprof's files */
    size_t n;
};

static bool is_there(struct offline_run *r, const struct offline_output *x)
{
    const char *below = offline_below(r, x);
    char path[1400];

    int n =
        snprintf(path, sizeof path, "%s/%s%s%s", r->o->dir, below, below[0] ? "/" : "", offline_name(r, x));
    return n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0;
}

/* As asked for, else as the job was told; 2.5 knows text alone. */
static unsigned exports_of(const struct offline_run *r)
{
    const struct runinfo *i = &r->unit->info;
    unsigned told = (i->export_text == TRI_YES ? (unsigned)OFFLINE_TEXT : 0) |
                    (i->export_db == TRI_YES ? (unsigned)OFFLINE_DB : 0);

    return r->o->exports ? r->o->exports : told ? told : (unsigned)OFFLINE_TEXT;
}

static void make_plan(struct plan *p)
{
    struct offline_run *r = p->r;
    unsigned exports = exports_of(r);

    for (size_t i = 0; i < ARRAY_LEN(outputs); i++) {
        const struct offline_output *x = &outputs[i];
        if (!(x->flavours & (unsigned)r->flavour) || (x->needs & ~r->has) ||
            !(exports & (x->is_db ? (unsigned)OFFLINE_DB : OFFLINE_TEXT)))
            continue;
        p->todo[i] = r->o->force || !is_there(r, x);
        p->n += p->todo[i];
        p->reads |= p->todo[i] && x->export[0];
        if (!p->todo[i])
            emit_report_add(r->report, &(struct emit_result){ .rank = r->rank,
                                                              .name = offline_name(r, x),
                                                              .outcome = EMIT_KEPT,
                                                              .why = "it exists" });
    }
}

/* Some file of the plan is made of this one of msprof's. */
static bool wants_export(void *arg, const char *what)
{
    const struct plan *p = arg;

    for (size_t i = 0; i < ARRAY_LEN(outputs); i++)
        for (size_t k = 0; p->todo[i] && k < ARRAY_LEN(outputs[i].export) && outputs[i].export[k]; k++)
            if (strcmp(outputs[i].export[k], what) == 0)
                return true;
    return false;
}

/* What was met in the input is known already where the file itself was made. */
static int as_text(struct offline_run *r, const char *name, struct offline_file *f, struct err *e)
{
    struct sink *notes = r->notes;
    struct sink_quiet quiet;

    *f = (struct offline_file){ .name = name, .fd = -1 };
    sink_quiet_init(&quiet, notes);
    for (size_t i = 0; i < ARRAY_LEN(outputs); i++) {
        const struct offline_output *x = &outputs[i];
        if (strcmp(x->name, name) || !(x->flavours & (unsigned)r->flavour) || (x->needs & ~r->has))
            continue;
        r->into = f;
        r->notes = r->made[i] ? &quiet.sink : notes;
        (void)!x->write(r, x, e);
        r->into = NULL;
        r->notes = notes;
        break;
    }
    return e->code;
}

static bool is_due(const struct plan *p, size_t i)
{
    return p->todo[i] && outputs[i].flavours & (unsigned)p->r->flavour;
}

/* The output after i that is made meanwhile; NULL: none. */
static const struct offline_output *companion(const struct plan *p, size_t i)
{
    for (i++; i < ARRAY_LEN(outputs); i++)
        if (is_due(p, i))
            return outputs[i].meanwhile ? &outputs[i] : NULL;
    return NULL;
}

/*
 * An output that is made while the one before it is written. What both read is ready and does not change any
 * more; its texts, notes and results are its own until they are joined.
 */
struct meanwhile {
    const struct offline_output *x;
    struct offline_run r;
    struct emit_beside work;
};

static int write_meanwhile(void *arg, struct err *e)
{
    struct meanwhile *m = arg;

    return m->x->write(&m->r, m->x, e);
}

static void end(struct meanwhile *m)
{
    emit_beside_end(&m->work);
    arena_free(m->r.a);
    *m = (struct meanwhile){ .x = NULL };
}

/* Failing to start is no error: the output is then made in its turn. */
static void start(struct meanwhile *m, const struct offline_run *r, const struct offline_output *x)
{
    struct err ignored = ERR_INIT;

    end(m);
    m->x = x;
    m->r = *r;
    m->r.a = NULL;
    if (emit_beside_init(&m->work, r->unit, r->o->cancelled, &ignored) == OK &&
        arena_new(&m->r.a, MEMORY_MAX, &ignored) == OK) {
        m->r.report = m->work.report;
        m->r.notes = &m->work.notes.sink;
        (void)emit_beside_start(&m->work, write_meanwhile, m);
    }
}

/* What the first of two outputs that are made at once leaves ready for both. */
static int prepare(struct offline_run *r, struct err *e)
{
    const struct offline_timeline *t;

    return offline_timeline(r, &t, e);
}

static void tell_failed(struct offline_run *r, const struct offline_output *x, const char *why)
{
    emit_report_add(r->report,
                    &(struct emit_result){
                        .rank = r->rank, .name = offline_name(r, x), .outcome = EMIT_FAILED, .why = why });
}

static int write_one(struct plan *p, size_t i, struct meanwhile *m, struct err *e)
{
    struct offline_run *r = p->r;
    const struct offline_output *x = &outputs[i], *next = companion(p, i);
    const char *lacks = offline_export_lacks(r, x);

    if (r->o->progress)
        r->o->progress(r->o->progress_arg, offline_name(r, x));
    if (sink_cancelled(r->notes))
        return err_set(e, ERR_CANCELLED, "interrupted");
    if (m->work.runs && m->x == x)
        return emit_beside_join(&m->work, r->report, e);
    if (lacks) {
        tell_failed(r, x, lacks);
        return OK;
    }
    if (next && offline_export_lacks(r, next))
        next = NULL;
    if (next && prepare(r, e))
        return e->code;
    if (next)
        start(m, r, next);
    return x->write(r, x, e);
}

/* Also where the writer did not come to its file: then its row says why. true: the others are made. */
static bool write_told(struct plan *p, size_t i, struct meanwhile *m, struct err *e)
{
    struct offline_run *r = p->r;
    size_t before, after;
    char why[300];

    (void)emit_report_results(r->report, &before);
    if (write_one(p, i, m, e) == OK)
        return true;
    (void)emit_report_results(r->report, &after);
    struct err ended = *e;
    if (!emit_goes_on(e))
        return false;
    if (after == before)
        tell_failed(r, &outputs[i], err_message(&ended, why, sizeof why));
    return true;
}

static int write_all(struct plan *p, struct err *e)
{
    struct offline_run *r = p->r;
    struct meanwhile m = { .x = NULL };
    struct err late = ERR_INIT;

    r->made = p->todo;
    r->as_text = as_text;
    for (size_t i = 0; i < ARRAY_LEN(outputs); i++)
        if (is_due(p, i) && !write_told(p, i, &m, e))
            break;
    emit_beside_stop(&m.work); /* after an error: the report also says what became of its file */
    if (m.work.runs)
        (void)!emit_beside_join(&m.work, r->report, &late);
    end(&m);
    return e->code;
}

/* ---- what the run was recorded with ---- */

static bool has_file(const struct offline_run *r, const char *kind)
{
    return offline_source(r, kind, NULL) != NULL;
}

static bool has_prof(const struct unit *u)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->regular && strcmp(u->files[i]->kind->id, "raw_info") == 0)
            return true;
    return false;
}

static bool has_framework(const struct unit *u)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->regular && str_find(str_of(u->files[i]->rel), STR("FRAMEWORK/"), 0) != SIZE_MAX)
            return true;
    return false;
}

bool offline_can(const struct unit *u)
{
    if (u->gen == GEN_1B) /* 2.1 and 2.2 had no such files */
        return has_prof(u) && (has_framework(u) || str_starts(u->info.version, STR("2.3")) ||
                               str_starts(u->info.version, STR("2.4")));
    return (u->gen == GEN_2 || u->gen == GEN_P) && (has_prof(u) || has_framework(u));
}

/*
 * The recorded version; without one op_range_R is of 2.5, and 2.6 is known by the number of its step mark
 * (doc/formats/framework.md#event-indexes), which is seen when the file is read.
 */
static enum offline_flavour flavour_of(const struct offline_run *r)
{
    const struct source_file *f = offline_source(r, "raw_op_range", NULL);
    struct str v = r->unit->info.version;
    uint64_t minor;

    if (r->unit->gen == GEN_P)
        return OFFLINE_TORCH;
    if (r->unit->gen == GEN_1B)
        return OFFLINE_24;
    v = str_starts(v, STR("2.")) ? str_sub(v, 2, SIZE_MAX) : STR("");
    if (str_u64(str_sub(v, 0, str_chr(v, '.')), &minor))
        return minor <= 5 ? OFFLINE_25 : minor == 6 ? OFFLINE_26 : minor == 7 ? OFFLINE_27 : OFFLINE_28;
    return f && str_starts(str_of(path_base(f->rel)), STR("op_range_")) ? OFFLINE_25 : OFFLINE_27;
}

/* A setting that was recorded counts, else what lies there shows. */
static unsigned part(enum tristate said, bool shown, unsigned bit)
{
    return said == TRI_YES || (said == TRI_UNKNOWN && shown) ? bit : 0;
}

static bool setting_is(const struct offline_run *r, const char *key, const char *value)
{
    return str_eq(runinfo_get(&r->unit->info, key, r->rank), str_of(value));
}

static void find_settings(struct offline_run *r)
{
    const struct runinfo *i = &r->unit->info;

    r->killed = !i->has_info;
    r->flavour = flavour_of(r);
    r->level = i->level;
    r->is_schedule = r->killed || setting_is(r, "is_set_schedule", "true");
    r->is_o2 = setting_is(r, "jit_level", "O2");
    r->no_rank = r->flavour == OFFLINE_TORCH && setting_is(r, "rank_id", "-1");
    r->has = part(i->npu, has_prof(r->unit), NEEDS_NPU) | part(i->cpu, has_framework(r->unit), NEEDS_CPU) |
             part(r->flavour == OFFLINE_24 ? TRI_YES : i->profile_memory, has_file(r, "raw_fw_memory"),
                  NEEDS_MEMORY) |
             part(i->data_process, has_file(r, "md_pipeline_profiling"), NEEDS_DATA) |
             part(i->record_shapes, has_file(r, "raw_fw_other"), NEEDS_SHAPES) |
             (r->level == RUN_LEVEL_NONE ? 0 : NEEDS_LEVEL) |
             (r->level == -1 || r->level >= 1 ? NEEDS_LEVEL1 : 0) |
             (r->level == -1 || r->level >= 2 ? NEEDS_LEVEL2 : 0);
}

/* ---- the whole ---- */

static int analyse(struct offline_run *r, struct err *e)
{
    struct plan p = { .r = r };

    find_settings(r);
    if (r->killed)
        offline_note(
            r, "no profiler_info, as of a run that was killed: what was recorded is taken from the files "
               "that are there, steps from their marks; columns are those of Level1");
    make_plan(&p);
    if (!p.n)
        return OK;
    if (r->has & NEEDS_NPU && (p.reads || r->o->keep_exports) && offline_export(r, wants_export, &p, e) &&
        (r->o->n_steps || !emit_goes_on(e)))
        return e->code;
    if (offline_framework(r, e))
        return e->code;
    if (!r->unit->info.version.n && r->f.names_of_26 && r->flavour == OFFLINE_27)
        r->flavour = OFFLINE_26;
    if (write_all(&p, e))
        return e->code;
    return r->o->keep_exports ? offline_keep_exports(r, e) : OK;
}

int offline_analyse(const struct unit *u, int rank, const struct offline_options *o,
                    struct emit_report *report, struct err *e)
{
    struct offline_run r = { .unit = u, .o = o, .rank = rank, .report = report };
    struct emit_sink notes;

    if (!offline_can(u))
        return err_set(e, ERR_FORMAT, "there is no raw data of MindSpore 2.3 or later, or of torch_npu");
    r.last_file = &r.file;
    emit_sink_init(&notes, report, u, o->cancelled);
    r.notes = &notes.sink;
    if (unit_paths(u, e) == OK && arena_new(&r.a, MEMORY_MAX, e) == OK &&
        spool_most(&r.pool, POOL_B, e) == OK)
        (void)!analyse(&r, e);
    torch_joins_done(&r);
    offline_timeline_done(&r);
    offline_cpu_ops_done(&r);
    offline_framework_done(&r);
    offline_export_done(&r);
    spool_close(r.pool);
    arena_free(r.a);
    return e->code;
}
