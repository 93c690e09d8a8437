/* SPDX-License-Identifier: Apache-2.0 */
/* The export of one PROF folder: what is read, and which files are made in which order. */
#include "config.h"

#include "msprof/msprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "emit/beside.h"
#include "msprof/run.h"
#include "msprof/tables/ops.h"
#include "msprof/tables/pmu_window.h"
#include "run/prof_folder.h"

#define MEMORY_MAX ((size_t)8 << 30)
#define MAX_ROOTS  4096

/* Makes one file, or several from the same data. */
struct step {
    unsigned what; /* of enum msprof_what */
    int (*run)(struct msprof_run *r, struct err *e);
    const char *name; /* for progress messages */
    bool early;       /* needs no counters: made while they are read */
    bool beside;      /* takes long: the last of these that is wanted runs in a thread of its own */
};
static const struct step steps[] = {
    { .what = MSPROF_SUMMARY, .run = msprof_op_statistic, .name = "op_statistic", .early = true },
    { .what = MSPROF_SUMMARY, .run = msprof_task_time, .name = "task_time", .early = true },
    { .what = MSPROF_SUMMARY, .run = msprof_step_trace, .name = "step_trace", .early = true },
    { .what = MSPROF_SUMMARY, .run = msprof_api_statistic, .name = "api_statistic", .early = true },
    { .what = MSPROF_SUMMARY, .run = msprof_fusion_op, .name = "fusion_op", .early = true },
    { .what = MSPROF_SUMMARY,
      .run = msprof_comm_statistic,
      .name = "communication_statistic",
      .early = true },
    { .what = MSPROF_SUMMARY, .run = msprof_op_summary, .name = "op_summary" },
    { .what = MSPROF_SUMMARY, .run = msprof_memory, .name = "memory" },
    { .what = MSPROF_SUMMARY, .run = msprof_aicpu, .name = "aicpu" },
    { .what = MSPROF_SUMMARY, .run = msprof_sampled, .name = "samples" },
    { .what = MSPROF_SUMMARY, .run = msprof_ccu, .name = "CCUs" },
    { .what = MSPROF_SUMMARY, .run = msprof_tscpu, .name = "task schedulers" },
    { .what = MSPROF_SUMMARY, .run = msprof_l2_cache, .name = "l2_cache" },
    { .what = MSPROF_SUMMARY, .run = msprof_core_utilization, .name = "core utilization" },
    { .what = MSPROF_SUMMARY, .run = msprof_tx, .name = "msproftx" },
    { .what = MSPROF_SUMMARY, .run = msprof_host_usage, .name = "usage of the host" },
    { .what = MSPROF_SUMMARY, .run = msprof_system, .name = "usage of the system" },
    { .what = MSPROF_COMM, .run = msprof_comm_json, .name = "communication.json" },
    { .what = MSPROF_COMM_MATRIX, .run = msprof_comm_matrix, .name = "communication_matrix.json" },
    { .what = MSPROF_TIMELINE, .run = msprof_trace, .name = "timeline", .beside = true },
    { .what = MSPROF_DB | MSPROF_SUMMARY | MSPROF_TIMELINE,
      .run = msprof_db,
      .name = "database",
      .beside = true },
    { .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .run = msprof_readme, .name = "README.txt" },
};

/* ---- PROF folders of a unit ---- */

int msprof_each_root(const struct unit *u, msprof_root_fn *fn, void *arg, struct err *e)
{
    struct str *seen = calloc(MAX_ROOTS, sizeof *seen), root;
    size_t n = 0;

    if (!seen)
        return err_nomem(e);
    for (size_t i = 0; i < u->n_files && n < MAX_ROOTS; i++) {
        size_t k = 0;
        if (!u->files[i]->regular || !prof_folder_of_info(str_of(u->files[i]->rel), &root))
            continue;
        while (k < n && !str_eq(seen[k], root))
            k++;
        if (k < n)
            continue;
        seen[n++] = root;
        if (fn(arg, root, e))
            break;
    }
    free(seen);
    return e->code;
}

/* ---- the whole ---- */

static double device_ns(const void *clock, uint64_t counter)
{
    return msprof_dev(clock, counter, 1e9);
}

/*
 * A graph's export has the communication of the first iteration only (doc/formats/msprof.md#partial-exports);
 * tables that hold all steps have that of all.
 */
static struct prof_how comm_how(void *arg, size_t dev)
{
    const struct msprof_run *r = arg;
    struct prof_how how = r->how[dev];
    struct msprof_options first = *r->o;

    first.count = 1;
    if (r->o->partial && r->o->model != PROF_NO_MODEL)
        how.to = msprof_window_of(&first, &r->steps[dev]).to;
    if (msprof_is_uncut(r)) {
        how.from = 0;
        how.to = UINT64_MAX;
    }
    return how;
}

/* Finds the steps of a device and the part of its data that is wanted. */
static int on_device(void *arg, size_t i, struct err *e)
{
    struct msprof_run *r = arg;

    r->clock[i] = msprof_clock_of(r->m.p->device[i]);
    r->clock[i].exact = !r->o->compat;
    if (prof_steps_of(&r->steps[i], r->m.dev[i].mark, r->m.dev[i].n_marks, r->dialect, e))
        return e->code;
    struct msprof_window w = msprof_window_of(r->o, &r->steps[i]);
    r->how[i] = (struct prof_how){ .from = w.from,
                                   .to = w.to,
                                   .dialect = r->dialect,
                                   .python_rates = msprof_has_old_driver(r),
                                   .ns = device_ns,
                                   .clock = &r->clock[i] };
    return OK;
}

/* Reads the counters of a device, in a thread. */
static int read_counters(struct prof *view, void *arg, struct err *e)
{
    const struct msprof_counters *c = arg;

    return prof_pmu_read(&c->r->pmu[c->dev], view, &c->r->m.dev[c->dev], &c->r->m.host, e);
}

static int start_counters(struct msprof_run *r, struct err *e)
{
    struct prof_job *job = calloc(r->m.n_dev + 1, sizeof *job);

    r->counters = calloc(r->m.n_dev + 1, sizeof *r->counters);
    if (!job || !r->counters)
        err_nomem(e);
    for (size_t i = 0; !e->code && i < r->m.n_dev; i++) {
        r->counters[i] = (struct msprof_counters){ r, i };
        job[i] = (struct prof_job){ read_counters, &r->counters[i] };
    }
    if (!e->code)
        (void)!prof_jobs_start(&r->beside, r->m.p, job, r->m.n_dev, e);
    free(job);
    return e->code;
}

/* The counters are read while the marks of the program are. */
static int on_devices(void *arg, struct err *e)
{
    struct msprof_run *r = arg;

    if (r->o->what & ~(unsigned)(MSPROF_COMM | MSPROF_COMM_MATRIX) && start_counters(r, e))
        return e->code;
    if (prof_txs_read(&r->tx, r->m.p, e))
        return e->code;
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        if (r->o->compat && msprof_is_graph(r) && r->m.p->chip->scheduler == CHIP_HWTS)
            r->how[i].log_from = msprof_log_from(r, i, e);
    if (e->code)
        return e->code;
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (prof_tx_met(&r->m.dev[i], &r->met[i].v, &r->met[i].n, e))
            return e->code;
    return OK;
}

static int read_all(struct msprof_run *r, struct err *e)
{
    static const struct prof_model_user user = { .device = on_device,
                                                 .devices = on_devices,
                                                 .how = comm_how };
    size_t n = r->m.p->n_devices + 1;

    r->clock = calloc(n, sizeof *r->clock);
    r->how = calloc(n, sizeof *r->how);
    r->steps = calloc(n, sizeof *r->steps);
    r->pmu = calloc(n, sizeof *r->pmu);
    r->met = calloc(n, sizeof *r->met);
    if (!r->clock || !r->how || !r->steps || !r->pmu || !r->met)
        return err_nomem(e);
    if (r->o->progress)
        r->o->progress(r->o->progress_arg, "reading");
    r->dialect = r->o->partial || !r->m.p->chip->cpp ? DIALECT_PYTHON : DIALECT_CPP;
    if (r->m.p->host)
        r->host_clock = msprof_clock_of(r->m.p->host);
    r->host_clock.exact = !r->o->compat;
    return prof_model_read(&r->m, &user, r, e);
}

static void forget_all(struct msprof_run *r)
{
    prof_jobs_free(r->beside);
    free(r->counters);
    for (size_t i = 0; i < r->m.n_dev; i++) {
        prof_steps_done(&r->steps[i]);
        prof_pmu_free(r->pmu[i]);
        free(r->met[i].v);
    }
    msprof_soc_done(&r->soc, r->m.n_dev);
    prof_model_done(&r->m);
    free(r->clock);
    free(r->how);
    free(r->steps);
    free(r->pmu);
    free(r->met);
    free(r->shown.v);
    prof_txs_done(&r->tx);
}

/* ---- steps ---- */

/*
 * A step in a thread of its own. The data that was read does not change any more; its texts, notes and
 * results are its own until they are joined.
 */
struct beside {
    const struct step *step;
    struct msprof_run r;
    struct emit_beside work;
};

static int run_parallel(void *arg, struct err *e)
{
    struct beside *b = arg;

    return b->step->run(&b->r, e);
}

static void parallel_end(struct beside *b)
{
    emit_beside_end(&b->work);
    prof_close(b->r.m.p);
    free(b->r.shown.v);
    b->r.shown = (struct msprof_shown){ .v = NULL };
    msprof_soc_done(&b->r.soc, b->r.m.n_dev);
    b->r.m.p = NULL;
}

/* Failing to start is no error: the step then runs in its turn. */
static void parallel_start(struct beside *b, const struct msprof_run *r, const struct prof *read,
                           const struct step *step)
{
    struct err ignored = ERR_INIT;

    b->step = step;
    b->r = *r;
    b->r.shown = (struct msprof_shown){ .v = NULL };
    b->r.soc = (struct msprof_soc_kept){ .dev = NULL };
    b->r.m.p = NULL;
    if (emit_beside_init(&b->work, r->unit, r->o->cancelled, &ignored) == OK) {
        b->r.report = b->work.report;
        b->r.notes = &b->work.notes.sink;
        if (prof_view(&b->r.m.p, read, b->r.notes, &ignored) == OK)
            (void)emit_beside_start(&b->work, run_parallel, b);
    }
    if (!b->work.runs)
        parallel_end(b);
}

static void show(const struct msprof_run *r, const char *what)
{
    if (r->o->progress)
        r->o->progress(r->o->progress_arg, what);
}

static bool is_wanted(const struct msprof_run *r, const struct step *s)
{
    return s->what & r->o->what && (!r->o->wanted || r->o->wanted(r->o->files_arg, s->name));
}

static int run_step(struct msprof_run *r, const struct step *s, struct beside *b, struct err *e)
{
    if (!is_wanted(r, s))
        return OK;
    show(r, s->name);
    if (sink_cancelled(r->notes))
        return err_set(e, ERR_CANCELLED, "interrupted");
    int rc = b->work.runs && b->step == s ? emit_beside_join(&b->work, r->report, e) : s->run(r, e);
    return rc && !emit_goes_on(e) ? e->code : OK;
}

/* Makes the files that need no counters while those are read; then waits for the counters. */
static int run_early(struct msprof_run *r, struct err *e)
{
    struct beside none = { .step = NULL };

    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (steps[i].early && run_step(r, &steps[i], &none, e))
            return e->code;
    return r->beside ? prof_jobs_join(r->beside, e) : OK;
}

static int run_steps(struct msprof_run *r, struct err *e)
{
    struct prof *read = r->m.p;
    struct beside b = { .step = NULL };
    struct err late = ERR_INIT;

    if (prof_view(&r->m.p, read, r->notes, e)) {
        r->m.p = read;
        return e->code;
    }
    for (size_t i = ARRAY_LEN(steps); i-- > 0 && !b.work.runs;)
        if (steps[i].beside && is_wanted(r, &steps[i]))
            parallel_start(&b, r, read, &steps[i]);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (!steps[i].early && run_step(r, &steps[i], &b, e))
            break;
    emit_beside_stop(&b.work); /* after an error: the report also says what became of its files */
    if (b.work.runs)
        (void)!emit_beside_join(&b.work, r->report, &late);
    parallel_end(&b);
    prof_close(r->m.p);
    r->m.p = read;
    return e->code;
}

static int prepare_output(struct msprof_run *r, struct err *e)
{
    if (r->o->create)
        return OK;
    if (emit_mkdirs(r->o->dir, e))
        return e->code;
    if (!path_join(r->out_dir, sizeof r->out_dir, r->o->dir, MSPROF_RESULTS))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    return OK;
}

/* A counter at 1000 MHz is ns of the monotonic clock for msprof (doc/formats/prof-quirks.md#time). */
static void take_fast_counters_as_ns(struct msprof_run *r)
{
    for (size_t i = 0; i <= r->m.p->n_devices; i++) {
        struct prof_folder *f = i < r->m.p->n_devices ? r->m.p->device[i] : r->m.p->host;
        if (f && f->meta.host_hz == 1000000000) {
            f->meta.host_hz = 0;
            r->fast_host = true;
        }
    }
}

int msprof_export(const struct unit *u, struct str root, const struct msprof_options *o,
                  struct emit_report *report, struct err *e)
{
    struct msprof_run r = { .unit = u, .o = o, .report = report };
    struct emit_sink notes;
    const struct prof_input in = { .files = (const struct source_file *const *)u->files,
                                   .n = u->n_files,
                                   .root = root,
                                   .device = -1,
                                   .run = &u->info,
                                   .notes = &notes.sink };

    emit_sink_init(&notes, report, u, o->cancelled);
    r.notes = &notes.sink;
    if (unit_paths(u, e) == OK && arena_new(&r.a, MEMORY_MAX, e) == OK && prof_open(&r.m.p, &in, e) == OK &&
        o->compat)
        take_fast_counters_as_ns(&r);
    if (!e->code && prepare_output(&r, e) == OK && read_all(&r, e) == OK &&
        msprof_check_iterations(&r, e) == OK && run_early(&r, e) == OK)
        (void)!run_steps(&r, e);
    forget_all(&r);
    prof_close(r.m.p);
    arena_free(r.a);
    return e->code;
}
