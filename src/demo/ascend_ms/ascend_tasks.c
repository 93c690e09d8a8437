/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: task_time, all tasks of the device by start: kernels, and communication tasks
 * (doc/formats/msprof.md#output-files).
 */
#include "config.h"

#include <stdlib.h>

#include "demo/ascend_ms/ascend_ms.h"

struct row {
    struct demo_span at;
    uint32_t task;
    uint16_t stream;
    uint16_t plane; /* tasks with equal starts are sorted by it */
    int kernel;     /* its index in the step, -1: a communication task */
    enum demo_transfer is;
};

struct rows {
    struct row *v;
    uint32_t n, cap;
};

static int row_cmp(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->at.start_ns != y->at.start_ns)
        return x->at.start_ns < y->at.start_ns ? -1 : 1;
    return (int)x->plane - (int)y->plane;
}

static int room(struct rows *r, uint32_t more, struct err *e)
{
    if (r->cap - r->n >= more)
        return OK;
    uint32_t cap = (r->n + more) * 2;
    struct row *v = realloc(r->v, cap * sizeof *v);
    if (!v)
        return err_nomem(e);
    r->v = v;
    r->cap = cap;
    return OK;
}

static int collect(struct rows *r, const struct demo_walk *w, struct err *e)
{
    const struct demo_step *s = &w->step;
    struct demo_comm_task v[DEMO_COMM_TASKS];
    r->n = 0;
    if (room(r, s->nkernel, e))
        return e->code;
    for (uint32_t i = 0; i < s->nkernel; i++)
        r->v[r->n++] = (struct row){ .at = { s->kernel[i].start_ns, s->kernel[i].dur_ns },
                                     .task = s->kernel[i].task,
                                     .stream = w->run->net->op[s->kernel[i].op].stream,
                                     .kernel = (int)i };
    for (uint32_t i = 0; i < s->ncomm; i++)
        for (uint32_t p = 0; p < s->comm[i].nlink; p++) {
            uint32_t n = demo_comm_tasks(&s->comm[i], p, v);
            if (room(r, n, e))
                return e->code;
            for (uint32_t k = 0; k < n; k++)
                r->v[r->n++] = (struct row){ .at = { v[k].start_ns, v[k].dur_ns },
                                             .task = v[k].task,
                                             .stream = (uint16_t)(DEMO_STREAM_PLANE + p),
                                             .plane = (uint16_t)p,
                                             .kernel = -1,
                                             .is = v[k].is };
        }
    qsort(r->v, r->n, sizeof *r->v, row_cmp);
    return OK;
}

const char *ascend_transfer_type(enum demo_transfer t)
{
    static const char *const name[DEMO_TRANSFERS] = { "NOTIFY_RECORD", "NOTIFY_WAIT",     "RDMA_DB_SEND",
                                                      "MEMCPY_ASYNC",  "REDUCE_ASYNC_V2", "RDMA_DB_SEND" };
    return name[t];
}

static void put_row(const struct ascend *g, struct emit *o, const struct row *x, const char *end)
{
    const struct demo_op *op = x->kernel < 0 ? NULL : &g->run->net->op[g->walk.step.kernel[x->kernel].op];
    char name[96];
    emit_fmt(o, "%d,%s,%s,%u,%u,%t,%t\t,%t\t%s", g->device, op ? ascend_kernel_name(g, op, name) : "N/A",
             op ? ascend_core(demo_op_type(op)->core) : ascend_transfer_type(x->is), (uint32_t)x->stream,
             x->task % 65536, x->at.dur_ns, ascend_abs(g, x->at.start_ns),
             ascend_abs(g, x->at.start_ns + x->at.dur_ns), end);
}

static int task_time(struct ascend *g, const char *dir, const char *name, const char *end, struct err *e)
{
    struct rows r = { NULL, 0, 0 };
    struct emit *o;
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o,
             "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),"
             "task_stop(us)%s",
             end);
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        if (collect(&r, &g->walk, e))
            break;
        for (uint32_t i = 0; i < r.n; i++)
            put_row(g, o, &r.v[i], end);
    }
    free(r.v);
    if (e->code) {
        emit_drop(o);
        return e->code;
    }
    return emit_close(o, &g->count, e);
}

int ascend_tasks(struct ascend *g, struct err *e)
{
    char name[64];
    if (task_time(g, g->mso, ascend_name(g, "task_time", "csv", name, sizeof name), "\n", e) ||
        !demo_is_torch(g->run))
        return e->code;
    return task_time(g, g->out, "task_time.csv", ascend_line_end(g), e);
}
