/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a communication op, and the calls of the host's runtime. */
#include "config.h"

#include "demo/demo_run.h"

/* From the beginning of a launch to that of its node call; and the difference of their durations. */
#define NODE_AFTER_NS   600
#define NODE_SHORTER_NS 900
#define TICK_NS         10

/* ---- communication tasks ---- */

struct plane {
    struct demo_comm_task *v;
    uint32_t n, next; /* next: number of the next task, which one that takes no time has, too */
};

static void add_task(struct plane *p, enum demo_transfer is, int64_t start_ns, int64_t dur_ns)
{
    uint32_t task = p->next++;
    if (dur_ns > 0)
        p->v[p->n++] = (struct demo_comm_task){ is, task, start_ns, dur_ns, dur_ns };
}

static void transfer(struct plane *p, const struct demo_link *l, enum demo_transfer near, int64_t start_ns,
                     int64_t dur_ns)
{
    static const enum demo_transfer flags[DEMO_FLAGS] = { DEMO_FLAG, DEMO_AWAIT, DEMO_FLAG, DEMO_AWAIT };
    int64_t at = start_ns + dur_ns - DEMO_FLAGS * DEMO_FLAG_NS;
    if (!l->rdma) {
        add_task(p, near, start_ns, dur_ns);
        return;
    }
    add_task(p, DEMO_SEND, start_ns, at - start_ns);
    if (dur_ns > 0)
        p->v[p->n - 1].moved_ns = dur_ns;
    for (int i = 0; i < DEMO_FLAGS; i++)
        add_task(p, flags[i], at + i * DEMO_FLAG_NS, dur_ns > 0 ? DEMO_FLAG_NS : 0);
}

uint32_t demo_comm_tasks(const struct demo_comm *c, uint32_t plane, struct demo_comm_task v[DEMO_COMM_TASKS])
{
    const struct demo_link *l = &c->link[plane];
    bool gathers = c->kind == DEMO_ALLGATHER;
    int64_t data = c->start_ns + 1500 + c->wait_ns, mid = data + l->t_ns[0], second = mid + l->mid_ns;
    struct plane p = { v, 0, c->task };
    add_task(&p, DEMO_NOTIFY, c->start_ns, 500);
    add_task(&p, DEMO_AWAIT, c->start_ns + 1000, c->wait_ns);
    transfer(&p, l, gathers ? DEMO_COPY : DEMO_REDUCE, data, l->t_ns[0]);
    add_task(&p, DEMO_AWAIT, mid, l->mid_ns);
    transfer(&p, l, DEMO_COPY, second, l->t_ns[1]);
    add_task(&p, DEMO_AWAIT, second + l->t_ns[1], l->tail_ns);
    add_task(&p, DEMO_NOTIFY, c->start_ns + c->dur_ns - 500, 500);
    return p.n;
}

bool demo_first_copy(const struct demo_comm *c, struct demo_copy *first)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    bool any = false;
    *first = (struct demo_copy){ 0 };
    for (uint32_t p = 0; p < c->nlink; p++)
        for (uint32_t i = 0, n = demo_comm_tasks(c, p, v); i < n; i++)
            if (v[i].is == DEMO_COPY && (!any || v[i].start_ns < first->at.start_ns)) {
                *first = (struct demo_copy){ DEMO_STREAM_PLANE + p, { v[i].start_ns, v[i].dur_ns } };
                any = true;
            }
    return any;
}

const char *demo_transfer_name(enum demo_transfer t)
{
    static const char *const name[DEMO_TRANSFERS] = { "Notify_Record", "Notify_Wait",   "RDMASend",
                                                      "Memcpy",        "Reduce_Inline", "RDMASend" };
    return name[t];
}

uint32_t demo_comm_task_count(const struct demo_comm *c)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nlink; i++)
        n += demo_comm_tasks(c, i, v);
    return n;
}

/* ---- the host's runtime calls ---- */

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct demo_span demo_comm_call(const struct demo_comm *c, uint32_t k, uint32_t n)
{
    int64_t each = (c->launch_dur_ns - NODE_SHORTER_NS - 400) / n / TICK_NS * TICK_NS;
    return (struct demo_span){ c->launch_ns + NODE_AFTER_NS + 200 + (int64_t)k * each, each - TICK_NS };
}

struct demo_span demo_runtime_call(struct demo_span hccl)
{
    return (struct demo_span){ hccl.start_ns + TICK_NS, hccl.dur_ns - 2 * TICK_NS };
}

static void call(demo_call_fn *fn, void *ctx, enum demo_level level, const char *api, const char *item,
                 struct demo_span at, uint64_t conn)
{
    struct demo_call c = { .level = level,
                           .api = api,
                           .item = item,
                           .start_ns = at.start_ns,
                           .dur_ns = at.dur_ns,
                           .conn = conn,
                           .flow = level == DEMO_LEVEL_NODE };
    fn(ctx, &c);
}

static struct demo_span span(int64_t at, int64_t dur)
{
    return (struct demo_span){ at, dur };
}

static void call_kernel(const struct demo_walk *w, const struct demo_kernel *k, demo_call_fn *fn, void *ctx)
{
    static const char *const api[] = { [DEMO_AIC] = "KernelLaunchWithHandleV2",
                                       [DEMO_AIV] = "KernelLaunchWithHandleV2",
                                       [DEMO_MIX] = "FftsPlusTaskLaunch",
                                       [DEMO_AICPU] = "AicpuKernelLaunchEx" };
    const struct demo_op *o = &w->run->net->op[k->op];
    call(fn, ctx, DEMO_LEVEL_NODE, "launch", o->leaf,
         span(k->launch_ns + NODE_AFTER_NS, k->launch_dur_ns - NODE_SHORTER_NS), k->conn);
    call(fn, ctx, DEMO_LEVEL_RUNTIME, api[demo_op_type(o)->core], o->leaf,
         span(k->launch_ns + 1400, k->launch_dur_ns - 2100), k->conn + 1);
}

static void call_comm(const struct demo_comm *c, demo_call_fn *fn, void *ctx)
{
    static const char *const api[DEMO_TRANSFERS] = { "NotifyRecord", "NotifyWait",    "RDMADBSend",
                                                     "MemcpyAsync",  "ReduceAsyncV2", "RDMADBSend" };
    struct demo_comm_task v[DEMO_COMM_TASKS];
    uint32_t n = demo_comm_task_count(c), k = 0;
    call(fn, ctx, DEMO_LEVEL_NODE, "launch", demo_comm_hcom(c->kind),
         span(c->launch_ns + NODE_AFTER_NS, c->launch_dur_ns - NODE_SHORTER_NS), c->conn);
    for (uint32_t p = 0; p < c->nlink; p++)
        for (uint32_t i = 0, m = demo_comm_tasks(c, p, v); i < m; i++, k++) {
            struct demo_span at = demo_comm_call(c, k, n);
            struct demo_call x = { .level = DEMO_LEVEL_HCCL,
                                   .api = demo_transfer_name(v[i].is),
                                   .item = demo_transfer_name(v[i].is),
                                   .plane = p,
                                   .start_ns = at.start_ns,
                                   .dur_ns = at.dur_ns,
                                   .conn = c->conn + 1 + 2 * k };
            fn(ctx, &x);
            call(fn, ctx, DEMO_LEVEL_RUNTIME, api[v[i].is], "0", demo_runtime_call(at), c->conn + 2 + 2 * k);
        }
}

/* When the last launch of a step has ended. */
static int64_t launched_ns(const struct demo_step *s)
{
    int64_t last = s->host_ns;
    for (uint32_t i = 0; i < s->nkernel; i++)
        last = max64(last, s->kernel[i].launch_ns + s->kernel[i].launch_dur_ns);
    for (uint32_t i = 0; i < s->ncomm; i++)
        last = max64(last, s->comm[i].launch_ns + s->comm[i].launch_dur_ns);
    return last;
}

struct demo_span demo_model_call(const struct demo_step *s)
{
    return span(s->host_ns + 200000, launched_ns(s) + 2000 - s->host_ns - 200000);
}

void demo_calls(const struct demo_walk *w, demo_call_fn *fn, void *ctx)
{
    const struct demo_step *s = &w->step;
    int64_t sync = launched_ns(s) + 4000, dur = s->host_end_ns - 12000 - sync;
    uint64_t after = s->conn_end - DEMO_CALLS_AFTER;
    call(fn, ctx, DEMO_LEVEL_ACL, "aclrtMemcpyAsync", "0", span(s->host_ns + 40000, 9300), s->conn);
    call(fn, ctx, DEMO_LEVEL_RUNTIME, "MemcpyAsync", "0", span(s->host_ns + 41000, 6900), s->conn + 1);
    call(fn, ctx, DEMO_LEVEL_MODEL, "ModelExecute", "1", demo_model_call(s), s->conn + 2);
    for (uint32_t i = 0; i < s->nkernel; i++)
        call_kernel(w, &s->kernel[i], fn, ctx);
    for (uint32_t i = 0; i < s->ncomm; i++)
        call_comm(&s->comm[i], fn, ctx);
    call(fn, ctx, DEMO_LEVEL_ACL, "aclrtSynchronizeStream", "0", span(sync, dur), after);
    call(fn, ctx, DEMO_LEVEL_RUNTIME, "StreamSynchronize", "0", span(sync + 300, dur - 600), after + 1);
}
