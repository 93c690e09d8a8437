/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: the timelines, trace_view.json and msprof_*.json (doc/formats/analysed.md#timelines;
 * doc/formats/framework.md#order-of-analysis, #trace_view).
 *
 * Both have the same msprof events; trace_view.json adds the framework's layers and the flows from its
 * launches to the device. There is one walk over the steps per layer, so that only the current step is in
 * memory.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/ascend_ms/ascend_scope.h"

enum { SORT_CANN = 7, SORT_HW = 14, SORT_FREQ = 15, SORT_COMM = 16, SORT_MEM = 17, SORT_OVERLAP = 31 };
enum { PID_FRAMEWORK = 1, PID_SCOPE = 3, HOST_DEVICE = 31, TID_STEP = 70001 };

struct trace {
    struct ascend *g;
    struct emit *o;
    bool view; /* trace_view.json: in Python's JSON form, with the framework's layers */
    uint64_t events;
};

/* "pid" of a layer: process id, sort index and device packed as msprof does. */
static uint64_t layer(const struct trace *t, int sort)
{
    int device = sort == SORT_CANN ? HOST_DEVICE : t->g->device;
    return (uint64_t)t->g->pid << 10 | (uint64_t)sort << 5 | (uint64_t)device;
}

static void ev(struct trace *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (t->events++)
        emit_s(t->o, t->view ? ", " : ",");
    emit_vfmt(t->o, fmt, &ap);
    va_end(ap);
}

static void process(struct trace *t, uint64_t pid, const char *name, const char *label, int sort)
{
    ev(t,
       "{\"name\": \"process_name\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": {\"name\": "
       "\"%s\"}}",
       pid, name);
    ev(t,
       "{\"name\": \"process_labels\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": "
       "{\"labels\": \"%s\"}}",
       pid, label);
    ev(t,
       "{\"name\": \"process_sort_index\", \"pid\": %U, \"tid\": 0, \"ph\": \"M\", \"args\": "
       "{\"sort_index\": %d}}",
       pid, sort);
}

static void device_process(struct trace *t, const char *name, int sort)
{
    char label[8] = "NPU 0";
    label[4] = (char)('0' + t->g->device % 10);
    process(t, layer(t, sort), name, label, sort);
}

static void thread(struct trace *t, uint64_t pid, uint32_t tid, const char *name, const char *number)
{
    ev(t,
       "{\"name\": \"thread_name\", \"pid\": %U, \"tid\": %u, \"ph\": \"M\", \"args\": {\"name\": "
       "\"%s%s\"}}",
       pid, tid, name, number);
    ev(t,
       "{\"name\": \"thread_sort_index\", \"pid\": %U, \"tid\": %u, \"ph\": \"M\", \"args\": "
       "{\"sort_index\": %u}}",
       pid, tid, tid);
}

/* ---- framework (trace_view only); the Python writer puts "ph" first ---- */

static void fw_process(struct trace *t, int pid, const char *name, const char *label, int sort)
{
    ev(t,
       "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"tid\": 0, \"args\": {\"name\": "
       "\"%s\"}}",
       pid, name);
    ev(t,
       "{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": %d, \"tid\": 0, \"args\": "
       "{\"sort_index\": %d}}",
       pid, sort);
    if (label)
        ev(t,
           "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": %d, \"tid\": 0, \"args\": "
           "{\"labels\": \"%s\"}}",
           pid, label);
}

static void fw_thread(struct trace *t, int pid, uint32_t tid)
{
    ev(t,
       "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %u, \"args\": {\"name\": "
       "\"Thread %u\"}}",
       pid, tid, tid);
    ev(t,
       "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %u, \"args\": "
       "{\"sort_index\": %u}}",
       pid, tid, tid);
}

static void fw_slice(struct trace *t, uint32_t tid, const char *prefix, const char *name, int64_t at,
                     int64_t dur, const char *cat)
{
    ev(t,
       "{\"ph\": \"X\", \"name\": \"%s%s\", \"pid\": 1, \"tid\": %u, \"ts\": \"%t\", \"dur\": "
       "\"%t\", \"cat\": \"%s\", \"args\": {}}",
       prefix, name, tid, ascend_abs(t->g, at), dur, cat);
}

static void fw_step(struct trace *t, const struct demo_walk *w)
{
    const struct demo_step *s = &w->step;
    const struct demo_net *n = w->run->net;
    uint32_t tid = t->g->tid;
    char num[24];
    int64_t all = s->host_end_ns - s->host_ns;
    fw_slice(t, tid, "Python::PythonObserved::ProfilerStep#", emit_number(s->number, num), s->host_ns, all,
             "");
    fw_slice(t, tid, "", "train.py(58):train_net", s->host_ns + 1000, all - 2000, "python_function");
    fw_slice(t, tid, "", "model.py(1088):Model._train_dataset_sink_process", s->host_ns + 3000, all - 6000,
             "python_function");
    fw_slice(t, tid, "", "RunGraph", s->host_ns + 30000, all - 60000, "");
    for (uint32_t i = 0; i < s->nkernel; i++)
        fw_slice(t, tid, "Kernel::KernelLaunch::", n->op[s->kernel[i].op].name, s->kernel[i].launch_ns,
                 s->kernel[i].launch_dur_ns, "");
    for (uint32_t i = 0; i < s->ncomm; i++)
        fw_slice(t, tid, "Kernel::KernelLaunch::", n->comm[s->comm[i].op].name, s->comm[i].launch_ns,
                 s->comm[i].launch_dur_ns, "");
}

/* Batches are prepared all the time, about four in the time of a step. */
static void fw_data(struct trace *t, const struct demo_walk *w)
{
    static const char *const stage[] = { "Dataset::Pipeline::Batch", "Dataset::Pipeline::Map",
                                         "Dataset::PushToAscend::DeviceQueue" };
    const struct demo_step *s = &w->step;
    int64_t at = s->host_ns + 5000, each = (s->host_end_ns - s->host_ns - 10000) / 8;
    for (int i = 0; i < 4; i++)
        for (size_t j = 0; j < ARRAY_LEN(stage); j++)
            fw_slice(t, t->g->tid_data, "", stage[j], at + each * 2 * i + (int64_t)j * each / 2,
                     each / 2 - 1000, "");
}

static void framework(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    fw_process(t, PID_FRAMEWORK, "MindSpore", "CPU", 1);
    fw_thread(t, PID_FRAMEWORK, t->g->tid);
    fw_thread(t, PID_FRAMEWORK, t->g->tid_data);
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        fw_step(t, w);
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        fw_data(t, w);
}

/* ---- device: hardware ---- */

/* Writes the linked launch, and closes the args and the event. */
static void close_args(struct trace *t, const char *op_name)
{
    if (t->view)
        emit_fmt(t->o, ", \"mindspore_op\": \"Kernel::KernelLaunch::%s\"", op_name);
    emit_s(t->o, "}}");
}

static void flow_end(struct trace *t, uint64_t pid, uint32_t tid, uint64_t conn, int64_t at)
{
    uint64_t id = conn << 32;
    ev(t,
       "{\"name\": \"HostToDevice%U\", \"pid\": %U, \"tid\": %u, \"ph\": \"f\", \"cat\": "
       "\"HostToDevice\", \"id\": \"%U\", "
       "\"ts\": \"%t\", \"bp\": \"e\"}",
       id, pid, tid, id, ascend_abs(t->g, at));
}

static void hw_step(struct trace *t, uint64_t pid, const struct demo_walk *w)
{
    const struct demo_step *s = &w->step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        const struct demo_op *op = &w->run->net->op[k->op];
        ev(t,
           "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
           "\"X\", \"args\": {\"Model Id\": %d, "
           "\"Task Type\": \"%s\", \"Physic Stream Id\": %u, \"Task Id\": %u, \"Batch Id\": %u, "
           "\"Subtask Id\": 4294967295, "
           "\"connection_id\": %U",
           op->leaf, pid, (uint32_t)op->stream, ascend_abs(t->g, k->start_ns), k->dur_ns, ASCEND_MODEL_ID,
           ascend_core(demo_op_type(op)->core), (uint32_t)op->stream, k->task % 65536, k->task / 65536,
           k->conn);
        close_args(t, op->name);
        flow_end(t, pid, op->stream, k->conn, k->start_ns);
    }
}

static void hw_mark(struct trace *t, uint64_t pid, const char *cat, const char *name, uint32_t step,
                    int64_t at, int64_t dur)
{
    ev(t,
       "{\"name\": \"%s %u\", \"pid\": %U, \"tid\": %d, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
       "\"X\", \"cat\": \"%s\", \"args\": {",
       name, step, pid, TID_STEP, ascend_abs(t->g, at), dur, cat);
}

/* The iteration, its parts, and its reduce ranges. */
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
    for (uint32_t i = 0; i < s->ncomm; i++) {
        int64_t at = ascend_abs(t->g, s->comm[i].start_ns);
        uint32_t k = s->index * s->ncomm + i; /* continues over the iterations */
        ev(t,
           "{\"name\": \"Reduce_%u_%u\", \"pid\": %U, \"tid\": %d, \"ts\": \"%t\", \"dur\": %f, "
           "\"ph\": \"X\", \"cat\": \"Reduce\", "
           "\"args\": {\"Iteration ID\": %u, \"Reduce End %u\": \"%i\", \"Reduce Start %u\": "
           "\"%i\"}}",
           n, k, pid, TID_STEP, at, s->comm[i].dur_ns, n, k, at + s->comm[i].dur_ns, k, at);
    }
}

static void hardware(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    uint64_t pid = layer(t, SORT_HW);
    static const uint32_t stream[] = { DEMO_STREAM_MAIN, DEMO_STREAM_AICPU, DEMO_STREAM_SIDE };
    char num[24];
    device_process(t, "Ascend Hardware", SORT_HW);
    for (size_t i = 0; i < ARRAY_LEN(stream); i++)
        thread(t, pid, stream[i], "Stream ", emit_number(stream[i], num));
    thread(t, pid, TID_STEP, "Step Trace(Model ID:1)", "");
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        hw_step(t, pid, w);
        hw_marks(t, pid, &w->step);
    }
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
    uint64_t pid = layer(t, SORT_CANN), id = c->conn << 32;
    bool acl = c->level == DEMO_LEVEL_ACL;
    ev(t,
       "{\"name\": \"%s@%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
       "\"X\", \"args\": {\"Thread Id\": %u, "
       "\"Mode\": \"%s\", \"level\": \"%s\", \"id\": \"%s\", \"item_id\": \"%s\", "
       "\"connection_id\": %U}}",
       LEVEL_PREFIX[c->level], c->api, pid, t->g->tid, ascend_abs(t->g, c->start_ns), c->dur_ns, t->g->tid,
       mode_of(c), LEVEL_NAME[c->level], acl ? c->api : "0", c->item, c->conn);
    if (c->flow)
        ev(t,
           "{\"name\": \"HostToDevice%U\", \"pid\": %U, \"tid\": %u, \"ph\": \"s\", \"cat\": "
           "\"HostToDevice\", \"id\": \"%U\", "
           "\"ts\": \"%t\"}",
           id, pid, t->g->tid, id, ascend_abs(t->g, c->start_ns));
}

static void cann(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    char num[24];
    process(t, layer(t, SORT_CANN), "CANN", "CPU", SORT_CANN);
    thread(t, layer(t, SORT_CANN), t->g->tid, "Thread ", emit_number(t->g->tid, num));
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        demo_calls(w, cann_call, t);
}

/* ---- device: communication ---- */

/* First thread of a group: that of its ops, followed by its planes. */
static uint32_t group_tid(const struct trace *t, enum demo_group_kind k)
{
    return k == DEMO_GROUP_DATA || !t->g->run->net->group_ops[DEMO_GROUP_DATA] ? 0 : DEMO_LINKS_MAX + 1;
}

static void comm_task(struct trace *t, uint64_t pid, const struct demo_comm *c, uint32_t plane,
                      const struct demo_comm_task *k)
{
    const struct demo_comm_op *op = &t->g->run->net->comm[c->op];
    const struct demo_link *l = &c->link[plane];
    const char *name = demo_transfer_name(k->is);
    const char *transport = !demo_is_data(k) ? "LOCAL" : l->rdma ? "RDMA" : "SDMA";
    uint64_t bytes = demo_is_data(k) ? l->chunk_b : 0;
    ev(t,
       "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": \"X\", "
       "\"args\": {\"notify_id\": \"%u\", ",
       name, pid, group_tid(t, op->group) + 1 + plane, ascend_abs(t->g, k->start_ns), k->dur_ns,
       ascend_notify(c, plane, k));
    emit_fmt(t->o,
             "\"duration estimated(us)\": %r, \"stream id\": %u, \"task id\": %u, \"context id\": "
             "4294967295, \"task type\": \"%s\", "
             "\"src rank\": %d, \"dst rank\": %u, \"transport type\": \"%s\", \"size(Byte)\": %U, "
             "\"data type\": \"%s\", ",
             (double)bytes / 20000, DEMO_STREAM_PLANE + plane, k->task % 65536, name, t->g->rank,
             (uint32_t)l->peer_rank, transport, bytes, ascend_comm_is_float(op) ? "FP32" : "FP16");
    emit_fmt(t->o, "\"link type\": \"%s\", \"bandwidth(GB/s)\": %r, \"model id\": %d}}",
             l->rdma ? "ROCE" : "HCCS", (double)bytes / (double)k->dur_ns, ASCEND_MODEL_ID);
}

static void comm_plane(struct trace *t, uint64_t pid, const struct demo_comm *c, uint32_t plane)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    for (uint32_t i = 0, n = demo_comm_tasks(&t->g->walk, c, plane, v); i < n; i++)
        comm_task(t, pid, c, plane, &v[i]);
}

static void comm_step(struct trace *t, uint64_t pid, const struct demo_walk *w)
{
    for (uint32_t i = 0; i < w->step.ncomm; i++) {
        const struct demo_comm *c = &w->step.comm[i];
        const struct demo_comm_op *op = &w->run->net->comm[c->op];
        struct demo_group g = demo_group_of(w->run, w->rank, op->group);
        uint32_t tid = group_tid(t, op->group);
        char name[64];
        ev(t,
           "{\"name\": \"%s\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, \"ph\": "
           "\"X\", \"args\": {\"rank_size\": %d, "
           "\"connection_id\": %U, \"model id\": %d, \"data_type\": \"%s\", \"alg_type\": "
           "\"MESH\", \"count\": %U, \"relay\": \"no\", "
           "\"retry\": \"no\"",
           demo_comm_name(w->run, w->rank, c, name, sizeof name), pid, tid, ascend_abs(t->g, c->start_ns),
           c->dur_ns, g.n, c->conn, ASCEND_MODEL_ID, ascend_comm_is_float(op) ? "FP32" : "FP16",
           ascend_comm_elements(op));
        close_args(t, op->name);
        flow_end(t, pid, tid, c->conn, c->start_ns);
        for (uint32_t p = 0; p < c->nlink; p++)
            comm_plane(t, pid, c, p);
    }
}

static void communication(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    uint64_t pid = layer(t, SORT_COMM);
    char num[24], name[64];
    if (!w->run->net->ncomm)
        return;
    device_process(t, "Communication", SORT_COMM);
    for (enum demo_group_kind k = 0; k < 2; k++) {
        int peer[DEMO_LINKS_MAX];
        struct demo_group g = demo_group_of(w->run, w->rank, k);
        uint32_t tid = group_tid(t, k), n = (uint32_t)demo_group_peers(&g, peer);
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
    uint64_t pid = layer(t, SORT_MEM);
    device_process(t, "NPU MEM", SORT_MEM);
    for (uint64_t k = 0; k < ascend_mem_samples(t->g); k++)
        for (size_t i = 0; i < ARRAY_LEN(who); i++)
            for (size_t j = 0; j < ARRAY_LEN(what); j++) {
                uint64_t kb = !j ? 0 : i ? ascend_device_kb(t->g, k) : ascend_app_kb(t->g, k);
                ev(t,
                   "{\"name\": \"%s/%s\", \"pid\": %U, \"tid\": 0, \"ts\": \"%t\", \"ph\": \"C\", "
                   "\"args\": {\"KB\": %U.0}}",
                   who[i], what[j], pid, ascend_abs(t->g, (int64_t)k * ASCEND_MEM_PERIOD_NS), kb);
            }
}

static void overlap_spans(struct trace *t, uint64_t pid, uint32_t tid, const char *name,
                          const struct demo_span *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ev(t,
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
    uint64_t pid = layer(t, SORT_OVERLAP);
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

static void mhz(struct trace *t, int64_t at, int value)
{
    ev(t,
       "{\"name\": \"AI Core Freq\", \"pid\": %U, \"tid\": 0, \"ts\": \"%t\", \"ph\": \"C\", "
       "\"args\": {\"MHz\": %d}}",
       layer(t, SORT_FREQ), ascend_abs(t->g, at), value);
}

/* Full speed except for short dips. */
static void frequency(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    device_process(t, "AI Core Freq", SORT_FREQ);
    /* msprof shows the frequency that was set before, then the first of its table, which is the same */
    mhz(t, 0, DEMO_AIC_MHZ);
    mhz(t, 0, DEMO_AIC_MHZ);
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        struct demo_span dip = demo_pmu_dip(w);
        mhz(t, w->step.host_ns, DEMO_AIC_MHZ);
        if (dip.start_ns) {
            mhz(t, dip.start_ns, DEMO_SLOW_MHZ);
            mhz(t, dip.start_ns + dip.dur_ns, DEMO_AIC_MHZ);
        }
    }
    mhz(t, t->g->end_ns / 1000 * 1000, DEMO_AIC_MHZ);
}

/* ---- flows from the framework to the device, and the scope layer (trace_view only) ---- */

static void link_pair(struct trace *t, int64_t launch, uint64_t pid, uint32_t tid, int64_t at)
{
    int64_t dev = ascend_abs(t->g, at);
    ev(t,
       "{\"name\": \"mindspore_to_npu\", \"bp\": \"e\", \"ph\": \"s\", \"ts\": \"%t\", \"pid\": 1, "
       "\"tid\": %u, \"id\": \"%t\", "
       "\"cat\": \"async_npu\"}",
       ascend_abs(t->g, launch), t->g->tid, dev);
    ev(t,
       "{\"name\": \"mindspore_to_npu\", \"bp\": \"e\", \"ph\": \"f\", \"ts\": \"%t\", \"pid\": "
       "%U, \"tid\": %u, \"id\": \"%t\", "
       "\"cat\": \"async_npu\"}",
       dev, pid, tid, dev);
}

static void links(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    const struct demo_step *s = &w->step;
    const struct demo_net *n = w->run->net;
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        for (uint32_t i = 0; i < s->nkernel; i++)
            link_pair(t, s->kernel[i].launch_ns, layer(t, SORT_HW), n->op[s->kernel[i].op].stream,
                      s->kernel[i].start_ns);
        for (uint32_t i = 0; i < s->ncomm; i++)
            link_pair(t, s->comm[i].launch_ns, layer(t, SORT_COMM),
                      group_tid(t, n->comm[s->comm[i].op].group), s->comm[i].start_ns);
    }
}

static void scope_event(void *ctx, struct str name, int depth, int64_t at, int64_t dur, bool merged)
{
    struct trace *t = ctx;
    ev(t, "{\"ph\": \"X\", \"name\": \"");
    emit_n(t->o, name.p, name.n);
    emit_fmt(t->o,
             "\", \"pid\": 3, \"tid\": %d, \"ts\": \"%t\", \"dur\": \"%t%s\", \"cat\": \"\", "
             "\"args\": {}}",
             depth, ascend_abs(t->g, at), dur, merged ? "000000000" : "");
}

static void scopes(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    struct ascend_scope layers;
    fw_process(t, PID_SCOPE, "Scope Layer", NULL, 12);
    for (uint32_t i = 0; i < ASCEND_SCOPES; i++)
        fw_thread(t, PID_SCOPE, i);
    ascend_scope_init(&layers, scope_event, t);
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        for (uint32_t i = 0; i < w->step.nkernel; i++) {
            const struct demo_kernel *k = &w->step.kernel[i];
            const struct demo_op *op = &w->run->net->op[k->op];
            ascend_scope_add(&layers, (struct str){ op->name, op->scope_n }, k->start_ns, k->dur_ns);
        }
    ascend_scope_done(&layers);
}

static void msprof_layers(struct trace *t)
{
    hardware(t);
    cann(t);
    communication(t);
    memory_counters(t);
    overlap(t);
    frequency(t);
}

int ascend_trace(struct ascend *g, struct err *e)
{
    struct trace t = { .g = g, .view = true };
    char name[64];
    if (emit_open(&t.o, g->out, "trace_view.json", e))
        return e->code;
    emit_c(t.o, '[');
    framework(&t);
    msprof_layers(&t);
    links(&t);
    scopes(&t);
    emit_c(t.o, ']');
    g->sum->events = t.events;
    if (emit_close(t.o, &g->count, e))
        return e->code;
    t = (struct trace){ .g = g };
    if (emit_open(&t.o, g->mso, ascend_name(g, "msprof", "json", name, sizeof name), e))
        return e->code;
    t.o->squeeze = true;
    emit_c(t.o, '[');
    msprof_layers(&t);
    emit_c(t.o, ']');
    return emit_close(t.o, &g->count, e);
}
