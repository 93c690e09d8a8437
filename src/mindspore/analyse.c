/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of one rank: its job, its mode, the steps in order. */
#include "config.h"

#include "mindspore/analyse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/report.h"
#include "mindspore/run.h"
#include "parsers/parsers.h"

#define MEMORY_MAX ((size_t)8 << 30)
#define ALL_MODES                                                                                            \
    (1u << MINDSPORE_GRAPH | 1u << MINDSPORE_PYNATIVE | 1u << MINDSPORE_GPU | 1u << MINDSPORE_CPU)

/*
 * doc/formats/mindspore1.md#profiler_info: normally the job writes this file itself; a job that died may have
 * begun it.
 */
static int profiler_info(struct mindspore_run *r, struct err *e)
{
    (void)e;
    if (r->rules->profiler_info && !mindspore_file(r, "profiler_info", NULL))
        mindspore_no_data(r, "profiler_info_", ".json",
                          "only the job knows its times, ranks and graphs: raw data does not hold them");
    return OK;
}

/*
 * Order of doc/formats/mindspore1.md#graph-mode: each step uses the results that earlier ones left in the
 * run.
 */
static const struct {
    unsigned modes; /* 1u << mode */
    int (*run)(struct mindspore_run *r, struct err *e);
} steps[] = {
    { 1u << MINDSPORE_GRAPH, mindspore_framework },
    { 1u << MINDSPORE_GRAPH, mindspore_tasks },
    { 1u << MINDSPORE_GRAPH, mindspore_aicpu },
    { ALL_MODES, mindspore_minddata },
    { 1u << MINDSPORE_GRAPH | 1u << MINDSPORE_PYNATIVE, mindspore_queue },
    { 1u << MINDSPORE_GRAPH, mindspore_aicore },
    { 1u << MINDSPORE_GRAPH, mindspore_step_trace },
    { 1u << MINDSPORE_GRAPH, mindspore_timeline },
    { 1u << MINDSPORE_GRAPH, mindspore_flops },
    { 1u << MINDSPORE_GRAPH, mindspore_memory },
    { 1u << MINDSPORE_GRAPH, mindspore_hccl },
    { 1u << MINDSPORE_GRAPH, mindspore_dynamic },
    { ALL_MODES, mindspore_parallel },
    { 1u << MINDSPORE_PYNATIVE, mindspore_pynative },
    { 1u << MINDSPORE_GPU | 1u << MINDSPORE_CPU, mindspore_gpu_timeline },
    { 1u << MINDSPORE_GPU, mindspore_gpu_steps },
    { ALL_MODES, profiler_info },
};

/* ---- modes ---- */

/* File kinds that show the mode, first match wins; graph mode has a job folder. */
static const struct {
    enum mindspore_mode mode;
    const char *kind, *unless; /* unless: a kind that must not be there, NULL: none */
} signs[] = {
    { MINDSPORE_GPU, "gpu_op_timestamp", NULL },
    { MINDSPORE_GPU, "gpu_step_trace", NULL },
    { MINDSPORE_PYNATIVE, "g1_start_time", NULL },
    /* raw in PyNative mode; graph mode makes it, and framework_raw before it */
    { MINDSPORE_PYNATIVE, "g1_timeline_data", "g1_framework_raw" },
    { MINDSPORE_CPU, "cpu_op_timestamp", NULL },
    { MINDSPORE_CPU, "md_pipeline_profiling", NULL },
};

static enum mindspore_mode mode_of(const struct mindspore_run *r)
{
    if (r->options->mode != MINDSPORE_AUTO)
        return r->options->mode;
    if (r->job.n)
        return MINDSPORE_GRAPH;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (mindspore_file(r, signs[i].kind, NULL) &&
            (!signs[i].unless || !mindspore_file(r, signs[i].unless, NULL)))
            return signs[i].mode;
    return MINDSPORE_AUTO;
}

/* ---- the job ---- */

/*
 * The newest job folder of the rank: groups_find() sorts them so. Databases and PROF folders of CANN are
 * groups as well, and no jobs.
 */
static struct group_set *choose_job(const struct group_list *l, const struct unit *u, int rank)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->sets[i].kind->parse == group_mindspore_job && group_set_rank(&l->sets[i], u) == rank)
            return &l->sets[i];
    return NULL;
}

const struct mindspore_rules *mindspore_rules_of(const struct unit *u, int rank)
{
    struct group_list l;
    struct err e = ERR_INIT;
    const char *word = "r2.0";

    if (groups_find(&l, u, &e) == OK) {
        const struct group_set *s = choose_job(&l, u, rank);
        bool text =
            s && (group_set_has_role(s, ROLE_FRAMEWORK_GRAPH) || group_set_has_role(s, ROLE_FRAMEWORK_POINT));
        if (text) /* r1.3 and r1.4 leave the same raw data: r1.3 is the one whose results are at hand */
            word = group_set_has_role(s, ROLE_TS_TRACK) ? "r1.5" : "r1.3";
    }
    groups_done(&l);
    return mindspore_rules_find(word);
}

static void prepare_job(struct mindspore_run *r, struct group_set *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->m[i].c = mindspore_ctx(r, s->m[i].c.f);
    r->job = (struct group_ctx){ .kind = s->kind,
                                 .m = s->m,
                                 .n = s->n,
                                 .run = &r->unit->info,
                                 .tmp = r->a,
                                 .out = r->notes,
                                 .rank = r->rank };
    struct str dir = arena_str(r->a, s->anchor);
    r->job_dir = dir.p ? dir.p : "";
}

static int device_of(const struct unit *u, int rank, const struct group_set *job)
{
    if (job && job->n && job->m[0].c.f->device >= 0)
        return job->m[0].c.f->device;
    for (size_t i = 0; i < u->info.n_ranks; i++)
        if (u->info.ranks[i].rank == rank && u->info.ranks[i].device >= 0)
            return u->info.ranks[i].device;
    return rank;
}

/* ---- the whole ---- */

static int run_steps(struct mindspore_run *r, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        if (!steps[i].run || !(steps[i].modes & 1u << r->mode))
            continue;
        if (sink_cancelled(r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        if (steps[i].run(r, e) && !emit_goes_on(e))
            return e->code;
    }
    return OK;
}

static int analyse(struct mindspore_run *r, struct group_set *job, struct err *e)
{
    if (job)
        prepare_job(r, job);
    r->device = device_of(r->unit, r->rank, job);
    r->mode = mode_of(r);
    r->number = r->rules->by_rank && r->mode != MINDSPORE_GPU ? r->rank : r->device;
    if (r->mode == MINDSPORE_AUTO)
        return err_set(e, ERR_FORMAT, "rank %d has no raw data of MindSpore up to 2.0 that could be analysed",
                       r->rank);
    return run_steps(r, e);
}

int mindspore_analyse(const struct unit *u, int rank, const struct mindspore_options *o,
                      struct emit_report *report, struct err *e)
{
    struct mindspore_run r = { .unit = u,
                               .rules = o->rules ? o->rules : mindspore_rules_of(u, rank),
                               .options = o,
                               .rank = rank,
                               .report = report,
                               .min_cycle_ms = INFINITY };
    struct emit_sink notes;
    struct group_list l = { .n = 0 };

    emit_sink_init(&notes, report, u, o->cancelled);
    r.notes = &notes.sink;
    if (unit_paths(u, e) == OK && arena_new(&r.a, MEMORY_MAX, e) == OK && intern_new(&r.texts, e) == OK &&
        groups_find(&l, u, e) == OK)
        analyse(&r, choose_job(&l, u, rank), e);
    groups_done(&l);
    task_keys_free(r.keys);
    intern_free(r.texts);
    arena_free(r.a);
    return e->code;
}
