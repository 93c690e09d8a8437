/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x and torch_npu: the timelines, trace_view.json and msprof_*.json
 * (doc/formats/analysed.md#timelines; doc/formats/framework.md#order-of-analysis, #trace_view).
 *
 * Both have the same msprof events; trace_view.json adds the framework's layers and the flows from its
 * launches to the device. There is one walk over the steps per layer, so that only the current step is in
 * memory.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "demo/ascend_pt/pt.h"

static void process(struct trace *t, uint64_t pid, const char *name, const char *label, int sort)
{
    trace_event(t,
                "{\"name\": \"process_name\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": {\"name\": "
                "\"%s\"}}",
                pid, name);
    trace_event(t,
                "{\"name\": \"process_labels\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": "
                "{\"labels\": \"%s\"}}",
                pid, label);
    trace_event(t,
                "{\"name\": \"process_sort_index\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": "
                "{\"sort_index\": %d}}",
                pid, sort);
}

static void device_process(struct trace *t, const char *name, int sort)
{
    char label[8] = "NPU 0";
    label[4] = (char)('0' + t->g->device % 10);
    process(t, trace_layer(t, sort), name, label, sort);
}

static void thread(struct trace *t, uint64_t pid, uint32_t tid, const char *name, const char *number)
{
    trace_event(t,
                "{\"name\": \"thread_name\", \"pid\": %U, \"tid\": %u, \"ph\": \"M\", \"args\": {\"name\": "
                "\"%s%s\"}}",
                pid, tid, name, number);
    trace_event(t,
                "{\"name\": \"thread_sort_index\", \"pid\": %U, \"tid\": %u, \"ph\": \"M\", \"args\": "
                "{\"sort_index\": %u}}",
                pid, tid, tid);
}

/* ---- device: hardware ---- */

/* Writes the linked launch, and closes the args and the event. */
static void close_args(struct trace *t, const char *op_name)
{
    if (t->view && !demo_is_torch(t->g->run))
        emit_fmt(t->o, ", \"mindspore_op\": \"Kernel::KernelLaunch::%s\"", op_name);
    emit_s(t->o, "}}");
}

static void flow_end(struct trace *t, uint64_t pid, uint32_t tid, uint64_t conn, int64_t at)
{
    uint64_t id = conn << 32;
    trace_event(t,
                "{\"name\": \"HostToDevice%U\", \"pid\": %U, \"tid\": %u, \"ph\": \"f\", \"cat\": "
                "\"HostToDevice\", \"id\": \"%U\", "
                "\"ts\": \"%t\", \"bp\": \"e\"}",
                id, pid, tid, id, ascend_abs(t->g, at));
}

/* A task of the device. */
struct hw_task {
    const char *name, *type;
    uint32_t stream, task, context;
    struct demo_span at;
    uint64_t conn;
};
#define NO_CONTEXT UINT32_MAX

/* Its args stay open. */
static void hw_task(struct trace *t, uint64_t pid, const struct hw_task *x)
{
    trace_event(t,
                "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
                "\"X\", \"args\": {\"Model Id\": %d, "
                "\"Task Type\": \"%s\", \"Physic Stream Id\": %u, \"Task Id\": %u, \"Batch Id\": %u, "
                "\"Subtask Id\": %u, \"connection_id\": %U",
                x->name, pid, x->stream, ascend_abs(t->g, x->at.start_ns), x->at.dur_ns, ASCEND_MODEL_ID,
                x->type, x->stream, x->task % 65536, x->task / 65536, x->context, x->conn);
}

static void hw_step(struct trace *t, uint64_t pid, const struct demo_walk *w)
{
    const struct demo_step *s = &w->step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        const struct demo_op *op = &w->run->net->op[k->op];
        enum demo_core core = demo_op_type(op)->core;
        hw_task(t, pid,
                &(struct hw_task){ .name = op->leaf,
                                   .type = ascend_core(core),
                                   .stream = op->stream,
                                   .task = k->task,
                                   .context = core == DEMO_MIX ? 0 : NO_CONTEXT,
                                   .at = { k->start_ns, k->dur_ns },
                                   .conn = k->conn });
        close_args(t, op->name);
        flow_end(t, pid, op->stream, k->conn, k->start_ns);
    }
}

/* Tasks of communication ops: copies follow after all others, with arrows. */
static void hw_comm(struct trace *t, uint64_t pid, const struct demo_walk *w, const struct demo_comm *c,
                    bool copies)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    struct demo_copy first;
    bool copied = demo_first_copy(c, &first);
    for (uint32_t plane = 0; plane < c->nlink; plane++)
        for (uint32_t i = 0, n = demo_comm_tasks(c, plane, v); i < n; i++) {
            uint32_t stream = DEMO_STREAM_PLANE + plane;
            struct hw_task x = { .name = ascend_transfer_type(v[i].is),
                                 .type = ascend_transfer_type(v[i].is),
                                 .stream = stream,
                                 .task = v[i].task,
                                 .context = NO_CONTEXT,
                                 .at = { v[i].start_ns, v[i].dur_ns },
                                 .conn = c->conn };
            if ((v[i].is == DEMO_COPY) != copies)
                continue;
            if (copies) /* by the device's name */
                x.type = "SDMA_SQE";
            hw_task(t, pid, &x);
            if (copied && stream == first.stream && v[i].start_ns == first.at.start_ns)
                close_args(t, w->run->net->comm[c->op].name);
            else
                emit_s(t->o, "}}");
            if (copies)
                flow_end(t, pid, stream, c->conn, v[i].start_ns);
        }
}

static void hw_comms(struct trace *t, uint64_t pid, bool copies)
{
    struct demo_walk *w = &t->g->walk;
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        for (uint32_t i = 0; i < w->step.ncomm; i++)
            hw_comm(t, pid, w, &w->step.comm[i], copies);
}

static void hw_mark(struct trace *t, uint64_t pid, const char *cat, const char *name, uint32_t step,
                    int64_t at, int64_t dur)
{
    trace_event(t,
                "{\"name\": \"%s %u\", \"pid\": %U, \"tid\": %d, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
                "\"X\", \"cat\": \"%s\", \"args\": {",
                name, step, pid, TID_STEP, ascend_abs(t->g, at), dur, cat);
}

static void data_aug(struct trace *t, uint64_t pid, char phase, uint32_t n, int64_t at)
{
    trace_event(
        t,
        "{\"name\": \"Data_aug Bound %u\", \"pid\": %U, \"tid\": %d, \"ph\": \"%s\", \"cat\": \"Data_aug "
        "Bound\", "
        "\"id\": \"Data_aug Bound %U_%d\", \"ts\": \"%t\", \"args\": {",
        n, pid, TID_STEP, phase == 't' ? "t" : "s", pid, TID_STEP, ascend_abs(t->g, at));
}

/* The iteration and its parts. */
static void hw_marks(struct trace *t, uint64_t pid, const struct demo_step *s)
{
    uint32_t n = s->index + 1;
    int64_t fp = ascend_abs(t->g, s->fp_ns), bp = ascend_abs(t->g, s->bp_ns),
            end = ascend_abs(t->g, s->end_ns);
    hw_mark(t, pid, "Iteration Time", "Iteration", n, s->start_ns, s->end_ns - s->start_ns);
    emit_fmt(t->o,
             "\"Iteration ID\": %u, \"FP Start\": \"%t\", \"BP End\": \"%t\", \"Iteration End\": "
             "\"%t\", \"Iteration Time(us)\": %f}}",
             n, fp, bp, end, s->end_ns - s->start_ns);
    hw_mark(t, pid, "FP_BP Time", "FP_BP Time", n, s->fp_ns, s->bp_ns - s->fp_ns);
    emit_fmt(t->o, "\"Iteration ID\": %u, \"FP Start\": \"%t\", \"BP End\": \"%t\", \"FP_BP Time(us)\": %f}}",
             n, fp, bp, s->bp_ns - s->fp_ns);
    hw_mark(t, pid, "Iteration Refresh", "Iteration Refresh", n, s->bp_ns, s->end_ns - s->bp_ns);
    emit_fmt(t->o,
             "\"Iteration ID\": %u, \"BP End\": \"%t\", \"Iteration End\": \"%t\", \"Iteration "
             "Refresh(us)\": %f}}",
             n, bp, end, s->end_ns - s->bp_ns);
    data_aug(t, pid, 't', n - 1, s->fp_ns);
    emit_fmt(t->o, "\"Iteration ID\": %u}}", n);
    int64_t aug = s->index ? s->fp_ns - s->start_ns : 0;
    data_aug(t, pid, 's', n, s->bp_ns + aug / 2);
    emit_fmt(t->o, "\"Data_aug Bound(us)\": %f}}", aug);
}

static void hw_reduces(struct trace *t, uint64_t pid, const struct demo_step *s)
{
    uint32_t n = s->index + 1;
    for (uint32_t i = 0; i < s->ncomm; i++) {
        int64_t at = ascend_abs(t->g, s->comm[i].start_ns);
        uint32_t k = s->index * s->ncomm + i; /* continues over the iterations */
        trace_event(t,
                    "{\"name\": \"Reduce_%u_%u\", \"pid\": %U, \"tid\": %d, \"ts\": \"%t\", \"dur\": %f, "
                    "\"ph\": \"X\", \"cat\": \"Reduce\", "
                    "\"args\": {\"Iteration ID\": %u, \"Reduce End %u\": \"%i\", \"Reduce Start %u\": "
                    "\"%i\"}}",
                    n, k, pid, TID_STEP, at, s->comm[i].dur_ns, n, k, at + s->comm[i].dur_ns, k, at);
    }
}

/* Planes of the groups that communicate. */
static uint32_t planes_of(const struct trace *t)
{
    const struct demo_run *run = t->g->run;
    int peer[DEMO_LINKS_MAX], most = 0;
    for (enum demo_group_kind k = DEMO_GROUP_DATA; k <= DEMO_GROUP_TENSOR; k++) {
        struct demo_group g = demo_group_of(run, t->g->rank, k);
        int n = run->net->group_ops[k] ? demo_group_peers(&g, peer) : 0;
        most = n > most ? n : most;
    }
    return (uint32_t)most;
}

static bool has_stream(const struct trace *t, uint32_t stream)
{
    const struct demo_net *n = t->g->run->net;
    for (uint32_t i = 0; i < n->nop; i++)
        if (n->op[i].stream == stream)
            return true;
    return false;
}

static void hardware(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    uint64_t pid = trace_layer(t, SORT_HW);
    static const uint32_t stream[] = { DEMO_STREAM_MAIN, DEMO_STREAM_AICPU, DEMO_STREAM_SIDE };
    char num[24];
    device_process(t, "Ascend Hardware", SORT_HW);
    for (size_t i = 0; i < ARRAY_LEN(stream); i++)
        if (has_stream(t, stream[i]))
            thread(t, pid, stream[i], "Stream ", emit_number(stream[i], num));
    for (uint32_t i = 0; i < planes_of(t); i++)
        thread(t, pid, DEMO_STREAM_PLANE + i, "Stream ", emit_number(DEMO_STREAM_PLANE + i, num));
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        hw_step(t, pid, w);
    hw_comms(t, pid, false);
    hw_comms(t, pid, true);
}

/* The same layer again. */
static void iterations(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    uint64_t pid = trace_layer(t, SORT_HW);
    device_process(t, "Ascend Hardware", SORT_HW);
    thread(t, pid, TID_STEP, "Step Trace(Model ID:1)", "");
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        hw_marks(t, pid, &w->step);
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        hw_reduces(t, pid, &w->step);
}

/* ---- host: CANN ---- */

static const char *const LEVEL_PREFIX[] = { "AscendCL", "Model", "Node", "Communication", "Runtime" };
static const char *const LEVEL_NAME[] = { "acl", "model", "node", "communication", "runtime" };

/* The kind of call: for a communication task it says whether its plane is the first. */
static const char *mode_of(const struct demo_call *c)
{
    if (c->level == DEMO_LEVEL_HCCL)
        return c->plane ? "slave" : "master";
    return c->level == DEMO_LEVEL_ACL ? "ACL_RTS" : c->api;
}

static void cann_call(void *ctx, const struct demo_call *c)
{
    struct trace *t = ctx;
    uint64_t pid = trace_layer(t, SORT_CANN), id = c->conn << 32;
    bool acl = c->level == DEMO_LEVEL_ACL;
    trace_event(t,
                "{\"name\": \"%s@%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
                "\"X\", \"args\": {\"Thread Id\": %u, "
                "\"Mode\": \"%s\", \"level\": \"%s\", \"id\": \"%s\", \"item_id\": \"%s\", "
                "\"connection_id\": %U}}",
                LEVEL_PREFIX[c->level], c->api, pid, t->g->tid, ascend_abs(t->g, c->start_ns), c->dur_ns,
                t->g->tid, mode_of(c), LEVEL_NAME[c->level], acl ? c->api : "0", c->item, c->conn);
    if (c->flow)
        trace_event(t,
                    "{\"name\": \"HostToDevice%U\", \"pid\": %U, \"tid\": %u, \"ph\": \"s\", \"cat\": "
                    "\"HostToDevice\", \"id\": \"%U\", "
                    "\"ts\": \"%t\"}",
                    id, pid, t->g->tid, id, ascend_abs(t->g, c->start_ns));
}

static void cann(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    char num[24];
    process(t, trace_layer(t, SORT_CANN), "CANN", "CPU", SORT_CANN);
    thread(t, trace_layer(t, SORT_CANN), t->g->tid, "Thread ", emit_number(t->g->tid, num));
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        demo_calls(w, cann_call, t);
}

/* ---- device: communication ---- */

static void comm_task(struct trace *t, uint64_t pid, const struct demo_comm *c, uint32_t plane,
                      const struct demo_comm_task *k)
{
    const struct demo_comm_op *op = &t->g->run->net->comm[c->op];
    const struct demo_link *l = &c->link[plane];
    const struct demo_group group = demo_group_of(t->g->run, t->g->rank, op->group); /* ranks are its own */
    const char *name = demo_transfer_name(k->is);
    const char *transport = k->is < DEMO_FLAG ? "LOCAL" : l->rdma ? "RDMA" : "SDMA";
    uint64_t bytes = demo_is_data(k) ? l->chunk_b : 0;
    trace_event(t,
                "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": \"X\", "
                "\"args\": {\"notify_id\": \"%u\", ",
                name, pid, trace_group_tid(t, op->group) + 1 + plane, ascend_abs(t->g, k->start_ns),
                k->dur_ns, ascend_notify(c, plane, k));
    emit_fmt(t->o,
             "\"duration estimated(us)\": %r, \"stream id\": %u, \"task id\": %u, \"context id\": "
             "4294967295, \"task type\": \"%s\", "
             "\"src rank\": %d, \"dst rank\": %u, \"transport type\": \"%s\", \"size(Byte)\": %U, "
             "\"data type\": \"%s\", ",
             (double)bytes / 20000, DEMO_STREAM_PLANE + plane, k->task % 65536, name, group.me,
             (uint32_t)l->peer, transport, bytes, ascend_comm_is_float(op) ? "FP32" : "FP16");
    emit_fmt(t->o, "\"link type\": \"%s\", \"bandwidth(GB/s)\": %r, \"model id\": %d}}",
             l->rdma ? "ROCE" : "HCCS", (double)bytes / (double)k->moved_ns, ASCEND_MODEL_ID);
}

static void comm_plane(struct trace *t, uint64_t pid, const struct demo_comm *c, uint32_t plane)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    for (uint32_t i = 0, n = demo_comm_tasks(c, plane, v); i < n; i++)
        comm_task(t, pid, c, plane, &v[i]);
}

static void comm_step(struct trace *t, uint64_t pid, const struct demo_walk *w)
{
    for (uint32_t i = 0; i < w->step.ncomm; i++) {
        const struct demo_comm *c = &w->step.comm[i];
        const struct demo_comm_op *op = &w->run->net->comm[c->op];
        struct demo_group g = demo_group_of(w->run, w->rank, op->group);
        uint32_t tid = trace_group_tid(t, op->group);
        struct demo_copy copy;
        char name[64];
        trace_event(t,
                    "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
                    "\"X\", \"args\": {\"rank_size\": %d, "
                    "\"connection_id\": %U, \"model id\": %d, \"data_type\": \"%s\", \"alg_type\": "
                    "\"MESH\", \"count\": %U, \"relay\": \"no\", "
                    "\"retry\": \"no\"",
                    demo_comm_name(w->run, w->rank, c, name, sizeof name), pid, tid,
                    ascend_abs(t->g, c->start_ns), c->dur_ns, g.n, c->conn, ASCEND_MODEL_ID,
                    ascend_comm_is_float(op) ? "FP32" : "FP16", ascend_comm_elements(op));
        if (demo_first_copy(c, &copy))
            emit_s(t->o, "}}");
        else
            close_args(t, op->name);
        flow_end(t, pid, tid, c->conn, c->start_ns);
        for (uint32_t p = 0; p < c->nlink; p++)
            comm_plane(t, pid, c, p);
    }
}

static void communication(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    uint64_t pid = trace_layer(t, SORT_COMM);
    char num[24], name[64];
    if (!w->run->net->ncomm)
        return;
    device_process(t, "Communication", SORT_COMM);
    for (enum demo_group_kind k = 0; k < 2; k++) {
        int peer[DEMO_LINKS_MAX];
        struct demo_group g = demo_group_of(w->run, w->rank, k);
        uint32_t tid = trace_group_tid(t, k), n = (uint32_t)demo_group_peers(&g, peer);
        if (!w->run->net->group_ops[k])
            continue;
        snprintf(name, sizeof name, "Group %s", ascend_group_name(k));
        thread(t, pid, tid, name, " Communication");
        for (uint32_t p = 0; p < n; p++)
            thread(t, pid, tid + 1 + p, "Plane ", emit_number(p, num));
    }
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        comm_step(t, pid, w);
}

/* ---- counters, overlap ---- */

static void memory_counters(struct trace *t)
{
    static const char *const who[] = { "APP", "Device" }, *const what[] = { "DDR", "HBM", "Memory" };
    uint64_t pid = trace_layer(t, SORT_MEM);
    device_process(t, "NPU MEM", SORT_MEM);
    for (uint64_t k = 0; k < ascend_mem_samples(t->g); k++)
        for (size_t i = 0; i < ARRAY_LEN(who); i++)
            for (size_t j = 0; j < ARRAY_LEN(what); j++) {
                uint64_t kb = !j ? 0 : i ? ascend_device_kb(t->g, k) : ascend_app_kb(t->g, k);
                trace_event(t,
                            "{\"name\": \"%s/%s\", \"pid\": %U, \"tid\": 0, \"ts\": \"%t\", \"ph\": \"C\", "
                            "\"args\": {\"KB\": %U.0}}",
                            who[i], what[j], pid, ascend_abs(t->g, (int64_t)k * ASCEND_MEM_PERIOD_NS), kb);
            }
}

static void overlap_spans(struct trace *t, uint64_t pid, uint32_t tid, const char *name,
                          const struct demo_span *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        trace_event(t,
                    "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
                    "\"X\", \"args\": {}}",
                    name, pid, tid, ascend_abs(t->g, s[i].start_ns), s[i].dur_ns);
}

static void overlap(struct trace *t)
{
    static const char *const name[] = { "Computing", "Communication", "Communication(Not Overlapped)",
                                        "Free" };
    struct demo_walk *w = &t->g->walk;
    const struct demo_step *s = &w->step;
    uint64_t pid = trace_layer(t, SORT_OVERLAP);
    device_process(t, "Overlap Analysis", SORT_OVERLAP);
    for (uint32_t i = 0; i < ARRAY_LEN(name); i++)
        thread(t, pid, i, name[i], "");
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        overlap_spans(t, pid, 0, name[0], s->computing, s->ncomputing);
        overlap_spans(t, pid, 1, name[1], s->communication, s->ncommunication);
        overlap_spans(t, pid, 2, name[2], s->alone, s->nalone);
        overlap_spans(t, pid, 3, name[3], s->free, s->nfree);
    }
}

static void mhz(struct trace *t, int64_t at, int value, int times)
{
    for (int i = 0; i < times; i++)
        trace_event(t,
                    "{\"name\": \"AI Core Freq\", \"pid\": %U, \"tid\": 0, \"ts\": \"%t\", \"ph\": \"C\", "
                    "\"args\": {\"MHz\": %d}}",
                    trace_layer(t, SORT_FREQ), ascend_abs(t->g, at), value);
}

/*
 * Full speed except for short dips; msprof shows each change twice
 * (doc/formats/msprof.md#ai-core-freq-layer).
 */
static void frequency(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    device_process(t, "AI Core Freq", SORT_FREQ);
    mhz(t, 0, DEMO_AIC_MHZ, 1); /* what was set before */
    mhz(t, 0, DEMO_AIC_MHZ, 2);
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        struct demo_span dip = demo_pmu_dip(w);
        mhz(t, w->step.host_ns, DEMO_AIC_MHZ, 2);
        if (dip.start_ns) {
            mhz(t, dip.start_ns, DEMO_SLOW_MHZ, 2);
            mhz(t, dip.start_ns + dip.dur_ns, DEMO_AIC_MHZ, 2);
        }
    }
    mhz(t, t->g->end_ns / 1000 * 1000, DEMO_AIC_MHZ, 1);
}

static void msprof_layers(struct trace *t)
{
    hardware(t);
    cann(t);
    communication(t);
    memory_counters(t);
    overlap(t);
    iterations(t);
    frequency(t);
    frequency(t); /* msprof writes this layer twice */
}

static int view(struct ascend *g, struct err *e)
{
    struct trace t = { .g = g, .view = true, .e = e };
    const bool torch = demo_is_torch(g->run);
    if (fw_init(&t.fw, g, false, e) || emit_open(&t.o, g->out, "trace_view.json", e))
        goto out;
    emit_c(t.o, '[');
    (torch ? pt_trace_framework : trace_framework)(&t);
    msprof_layers(&t);
    (torch ? pt_trace_links : trace_links)(&t);
    emit_c(t.o, ']');
    g->sum->events = t.events;
    if (e->code)
        emit_drop(t.o);
    else
        (void)!emit_close(t.o, &g->count, e);
out:
    fw_done(&t.fw);
    return e->code;
}

int ascend_trace(struct ascend *g, struct err *e)
{
    struct trace t = { .g = g, .e = e };
    char name[64];
    if (view(g, e) || emit_open(&t.o, g->mso, ascend_name(g, "msprof", "json", name, sizeof name), e))
        return e->code;
    t.o->squeeze = true;
    emit_c(t.o, '[');
    msprof_layers(&t);
    emit_c(t.o, ']');
    return emit_close(t.o, &g->count, e);
}
