/* SPDX-License-Identifier: Apache-2.0 */
/* What the AI CPUs ran, and what GetNext found in the queue. */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/rows/rows.h"

/* ---- ops ---- */

static struct val us_val(int64_t us)
{
    int64_t ns;

    return __builtin_mul_overflow(us, (int64_t)1000, &ns) ? val_null() : val_int(ns);
}

/* task: of the device, PROF_NONE: it is not known. */
static int put_node(struct prof_rows *r, const struct prof_device *d, const struct prof_aicpu_node *n,
                    uint32_t task, uint32_t source, struct err *e)
{
    uint32_t name = prof_aicpu_op_name(r->m.p, d, &r->m.host, task);
    struct val v[N_COLS(aicpu_exec)] = { 0 };
    uint32_t host = task == PROF_NONE ? PROF_NONE : d->task[task].host;
    unsigned doubt = host != PROF_NONE && r->m.host.task[host].is & PROF_IS_ORPHAN ? PROF_DOUBT_OP : 0;
    int64_t from = prof_device_ns(d->f, n->start), to = prof_device_ns(d->f, n->end);
    int64_t out = prof_device_ns(d->f, n->left) - prof_device_ns(d->f, n->submitted);

    v[COL(aicpu_exec, rank)] = val_int(prof_rows_rank(r, d->f));
    if (name != PROF_NONE)
        v[COL(aicpu_exec, name_id)] = val_id(prof_rows_name(r, name, &doubt));
    v[COL(aicpu_exec, ts_ns)] = val_int(from);
    v[COL(aicpu_exec, task_ns)] = to >= from ? val_int(to - from) : val_null();
    v[COL(aicpu_exec, total_ns)] = out >= 0 ? val_int(out) : val_null();
    v[COL(aicpu_exec, compute_ns)] = us_val(n->compute_us);
    v[COL(aicpu_exec, memcpy_ns)] = us_val(n->copy_us);
    v[COL(aicpu_exec, dispatch_ns)] = val_int((int64_t)n->dispatch_us * 1000);
    v[COL(aicpu_exec, stream)] = val_int(n->stream);
    v[COL(aicpu_exec, task)] = val_int(n->task);
    v[COL(aicpu_exec, source_id)] = val_id(source);
    v[COL(aicpu_exec, line)] = val_int((int64_t)n->place + 1);
    prof_rows_mark(r, d->f, doubt, &v[COL(aicpu_exec, ts_err_ns)]);
    return sink_row(r->g->out, T_aicpu_exec, v, N_COLS(aicpu_exec), NULL, e);
}

/* ---- the queue ---- */

static int put_item(struct prof_rows *r, const struct prof_folder *f, const struct prof_aicpu_item *x,
                    int64_t seq, uint32_t source, struct err *e)
{
    struct str name = prof_aicpu_item_name(r->m.p, x);
    struct val q[N_COLS(queue_sample)] = { 0 }, b[N_COLS(batch_time)] = { 0 };

    q[COL(queue_sample, rank)] = b[COL(batch_time, rank)] = val_int(prof_rows_rank(r, f));
    q[COL(queue_sample, queue)] = val_text(name.p ? name : STR("queue"));
    q[COL(queue_sample, seq)] = b[COL(batch_time, batch)] = val_int(seq);
    q[COL(queue_sample, size)] = x->size <= INT64_MAX ? val_int((int64_t)x->size) : val_null();
    q[COL(queue_sample, source_id)] = b[COL(batch_time, source_id)] = val_id(source);
    if (sink_row(r->g->out, T_queue_sample, q, N_COLS(queue_sample), NULL, e))
        return e->code;
    if (x->end_us < x->start_us)
        return OK;
    b[COL(batch_time, kind)] = val_cstr("getnext");
    b[COL(batch_time, dur_ns)] = val_real((double)(x->end_us - x->start_us) * 1e3);
    b[COL(batch_time, start_us)] = val_real((double)x->start_us);
    return sink_row(r->g->out, T_batch_time, b, N_COLS(batch_time), NULL, e);
}

static int put_dp(struct prof_rows *r, const struct prof_folder *f, const struct prof_aicpu_dp *x,
                  int64_t seq, uint32_t source, struct err *e)
{
    struct val q[N_COLS(queue_sample)] = { 0 };

    q[COL(queue_sample, rank)] = val_int(prof_rows_rank(r, f));
    q[COL(queue_sample, queue)] = (struct val){ .t = VAL_TEXT, .s = prof_str(r->m.p, x->source) };
    q[COL(queue_sample, action)] = (struct val){ .t = VAL_TEXT, .s = prof_str(r->m.p, x->action) };
    q[COL(queue_sample, seq)] = val_int(seq);
    q[COL(queue_sample, ts_ns)] =
        x->stamp <= INT64_MAX ? val_int(prof_mono_ns(f, (int64_t)x->stamp)) : val_null();
    q[COL(queue_sample, size)] = x->size <= INT64_MAX ? val_int((int64_t)x->size) : val_null();
    q[COL(queue_sample, source_id)] = val_id(source);
    return sink_row(r->g->out, T_queue_sample, q, N_COLS(queue_sample), NULL, e);
}

/* ---- the whole ---- */

static int put_nodes(struct prof_rows *r, const struct prof_device *d, const struct prof_aicpu *a,
                     uint32_t source, struct err *e)
{
    uint32_t *task = NULL;
    int rc = prof_aicpu_tasks(a, r->m.p, d, &r->m.host, &task, e);

    for (size_t i = 0; i < a->n_nodes && rc == OK; i++)
        if (prof_device_ns(d->f, a->node[i].start) >= prof_begin_ns(d->f))
            rc = put_node(r, d, &a->node[i], task[i], source, e);
    free(task);
    return rc;
}

static int put_queues(struct prof_rows *r, const struct prof_device *d, const struct prof_aicpu *a,
                      uint32_t source, struct err *e)
{
    for (size_t i = 0; i < a->n_items; i++)
        if (put_item(r, d->f, &a->item[i], (int64_t)i, source, e))
            return e->code;
    for (size_t i = 0; i < a->n_dp; i++)
        if (put_dp(r, d->f, &a->dp[i], (int64_t)i, source, e))
            return e->code;
    return OK;
}

static int put_device(struct prof_rows *r, const struct prof_device *d, struct err *e)
{
    struct prof_aicpu a = { .n_nodes = 0 };
    uint32_t source = prof_rows_source(d->f, PROF_AICPU);
    int rc = prof_aicpu_read(&a, r->m.p, d->f, r->m.host.expanded, e);

    if (!source)
        source = prof_rows_source(d->f, PROF_PRE_AICPU);
    if (rc == OK)
        rc = prof_aicpu_streams(&a, r->m.p, d, e);
    if (rc == OK && group_wants(r->g, "aicpu_exec"))
        rc = put_nodes(r, d, &a, source, e);
    if (rc == OK && group_wants(r->g, "queue_sample"))
        rc = put_queues(r, d, &a, source, e);
    prof_aicpu_done(&a);
    return rc;
}

int prof_rows_aicpu(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (put_device(r, &r->m.dev[i], e))
            return e->code;
    return OK;
}
