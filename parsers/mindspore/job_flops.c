/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs of a raw job. */
#include "config.h"

#include "parsers/mindspore/job_flops.h"

#include <stdlib.h>

#include "parsers/mindspore/aicore_flops.h"
#include "parsers/read/lines.h"

#define METRICS STR("ArithmeticUtilization")

struct reader {
    struct group_ctx *g;
    const struct job_tasks *tasks;
    const struct job_mean *means;
    bool *seen;              /* by name */
    double peak_flops_per_s; /* 0: not known */
};

static int on_record(void *arg, const struct aicore_record *a, struct err *e)
{
    struct reader *r = arg;
    uint32_t i = job_tasks_find(r->tasks, a->stream, a->task);
    struct val v[N_COLS(op_flops)] = { 0 };

    if (i == JOB_NO_TASK)
        return OK;
    uint32_t no = job_tasks_name_no(r->tasks, i);
    if (r->seen[no] || !r->means[no].n)
        return OK;
    r->seen[no] = true;
    struct aicore_flops flops = aicore_flops_of(a);
    double mean_s = (double)r->means[no].total_ns / (double)r->means[no].n / 1e9;
    double rate = mean_s > 0 ? (double)(flops.cube + flops.vector) / mean_s : 0;
    v[COL(op_flops, op_id)] = val_int(job_tasks_op(r->tasks, i));
    v[COL(op_flops, rank)] = val_int(r->g->rank);
    v[COL(op_flops, cube_flops)] = val_real((double)flops.cube);
    v[COL(op_flops, vector_flops)] = val_real((double)flops.vector);
    if (mean_s > 0)
        v[COL(op_flops, flops_per_s)] = val_real(rate);
    if (mean_s > 0 && r->peak_flops_per_s > 0)
        v[COL(op_flops, utilisation)] = val_real(rate / r->peak_flops_per_s);
    v[COL(op_flops, source_id)] = val_int(a->where.source_id);
    v[COL(op_flops, line)] = val_int(a->where.line);
    return sink_row(r->g->out, T_op_flops, v, N_COLS(op_flops), NULL, e);
}

int job_flops_read(struct group_ctx *g, const struct job_tasks *t, const struct job_mean *means,
                   struct err *e)
{
    struct reader r = { .g = g, .tasks = t, .means = means };
    struct parse_ctx *c = group_use(g, ROLE_AICORE, 0);

    if (!c)
        return OK;
    struct where w = { .source_id = c->f->id, .offset = ERR_NO_OFFSET };
    struct str metrics = parse_run_setting(c, "ai_core_metrics");
    if (metrics.n && !str_eq(metrics, METRICS)) {
        sink_note(g->out, NOTE_UNKNOWN_TYPE, &w, "counters of other metrics than %s: no FLOPs", METRICS.p);
        return OK;
    }
    r.peak_flops_per_s = aicore_peak_flops_per_s(g->run);
    r.seen = calloc((size_t)job_tasks_names(t) + 1, sizeof *r.seen);
    if (!r.seen)
        return err_nomem(e);
    bool failed = group_failed(g, c, aicore_records_read(c, on_record, &r, e), e);
    free(r.seen);
    return failed ? e->code : OK;
}
