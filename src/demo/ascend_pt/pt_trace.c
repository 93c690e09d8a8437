/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What torch_npu's analysis adds to msprof's timeline (doc/formats/framework.md#torch_npu-trace_view): ops,
 * the queue, calls of Python, collections, and arrows between them and to the device.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "demo/ascend_pt/pt.h"

#define CALLS_MAX 8 /* of Python, one in another */

/* The records of each step, passed to fn. A failure stays in t->e. */
typedef void step_fn(struct trace *t);
static void each_step(struct trace *t, step_fn *fn)
{
    demo_walk_rewind(&t->g->walk);
    t->fw.queued = 0;
    while (!t->e->code && demo_walk_next(&t->g->walk))
        if (!fw_step(&t->fw, t->e))
            fn(t);
}

static void begin_slice(struct trace *t, const char *name, uint32_t tid, const struct demo_span *at,
                        const char *cat)
{
    trace_event(t,
                "{\"ph\": \"X\", \"name\": \"%s\", \"pid\": %u, \"tid\": %u, \"ts\": \"%t\", \"dur\": %f, "
                "\"cat\": \"%s\", \"args\": ",
                name, t->g->pid, tid, ascend_abs(t->g, at->start_ns), at->dur_ns, cat);
}

static void flow(struct trace *t, const char *name, const char *cat, bool end, uint64_t id, uint64_t pid,
                 uint32_t tid, int64_t at)
{
    trace_event(t,
                "{\"ph\": \"%s\", \"bp\": \"e\", \"name\": \"%s\", \"id\": %U, \"pid\": %U, \"tid\": %u, "
                "\"ts\": \"%t\", \"cat\": \"%s\"}",
                end ? "f" : "s", name, id, pid, tid, ascend_abs(t->g, at), cat);
}

/* ---- ops ---- */

/* A line for each entry of a list. */
static void put_list(struct emit *o, const char *key, const struct buf *b)
{
    struct str list = buf_str(b);
    if (!list.n)
        return;
    emit_fmt(o, ", \"%s\": \"", key);
    for (size_t i = 0; i < list.n; i++)
        if (list.p[i] == ';')
            emit_s(o, ";\\r\\n");
        else
            emit_c(o, list.p[i]);
    emit_c(o, '"');
}

static void put_inputs(struct trace *t, const struct demo_op *op)
{
    struct buf b;
    buf_init(&b, FW_NAME_B);
    fw_shapes(&b, op);
    put_list(t->o, "Input Dims", &b);
    buf_clear(&b);
    fw_types(&b, op, true);
    put_list(t->o, "Input type", &b);
    if (buf_failed(&b))
        err_nomem(t->e);
    buf_done(&b);
}

static void ops_of_step(struct trace *t)
{
    char name[FW_NAME_B];
    for (uint32_t i = 0; i < t->fw.n; i++) {
        const struct fw_range *r = &t->fw.v[i].range;
        if (t->fw.v[i].file != FW_RANGES)
            continue;
        begin_slice(t, fw_range_name(r, name), r->thread,
                    &(struct demo_span){ r->start_ns, r->end_ns - r->start_ns }, "cpu_op");
        emit_fmt(t->o, "{\"Sequence number\": %i, \"Fwd thread id\": %u", r->sequence, r->forward);
        if (r->op && r->op->nin)
            put_inputs(t, r->op);
        emit_s(t->o, "}}");
    }
}

/* ---- the queue ---- */

static void put_task(struct trace *t, const struct fw_task *x, bool taken)
{
    const struct demo_span *at = taken ? &x->taken : &x->put;
    const uint32_t tid = taken ? t->g->tid : x->thread;
    char name[FW_NAME_B];
    snprintf(name, sizeof name, "%s@%s", taken ? "Dequeue" : "Enqueue", x->name);
    begin_slice(t, name, tid, at, taken ? "dequeue" : "enqueue");
    emit_fmt(t->o, "{\"correlation_id\": %U}}", x->correlation);
    flow(t, "enqueue_to_dequeue", "async_task_queue", taken, x->correlation, t->g->pid, tid, at->start_ns);
}

static void taken_of_step(struct trace *t)
{
    for (uint32_t i = 0; i < t->fw.n_tasks; i++)
        put_task(t, &t->fw.task[i], true);
}

static void put_of_step(struct trace *t)
{
    for (uint32_t i = 0; i < t->fw.n_tasks; i++)
        put_task(t, &t->fw.task[i], false);
}

/* ---- threads ---- */

static void process(struct trace *t, uint64_t pid, const char *name, int sort)
{
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %U, \"tid\": 0, \"args\": {\"name\": "
                "\"%s\"}}",
                pid, name);
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": %U, \"tid\": 0, \"args\": "
                "{\"labels\": \"CPU\"}}",
                pid);
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": %U, \"tid\": 0, \"args\": "
                "{\"sort_index\": %d}}",
                pid, sort);
}

static void thread(struct trace *t, uint64_t pid, uint32_t tid, const char *name, const char *number,
                   uint32_t sort)
{
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %U, \"tid\": %u, \"args\": {\"name\": "
                "\"%s%s\"}}",
                pid, tid, name, number);
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %U, \"tid\": %u, \"args\": "
                "{\"sort_index\": %u}}",
                pid, tid, sort);
}

/* The thread that takes out of the queue comes last. */
static void threads(struct trace *t)
{
    const uint32_t tid[] = { t->g->tid_main, t->g->tid_back, t->g->tid };
    uint32_t most = 0;
    char number[24];
    process(t, t->g->pid, "Python", 0);
    for (size_t i = 0; i < ARRAY_LEN(tid); i++)
        most = tid[i] > most ? tid[i] : most;
    for (size_t i = 0; i < ARRAY_LEN(tid); i++)
        thread(t, t->g->pid, tid[i], "Thread ", emit_number(tid[i], number),
               tid[i] == t->g->tid ? most + 1 : tid[i]);
}

/* ---- forward to backward ---- */

/* Each forward op of the step, at its place in the pass, with the backward op of its number. */
static void passes_of_step(struct trace *t)
{
    const int64_t base = (int64_t)t->g->walk.step.index * t->fw.n_forward;
    const struct fw_range **ahead = calloc(t->fw.n_forward, sizeof *ahead);
    if (!ahead) {
        err_nomem(t->e);
        return;
    }
    for (uint32_t i = 0; i < t->fw.n; i++) {
        const struct fw_range *r = &t->fw.v[i].range;
        if (t->fw.v[i].file == FW_RANGES && r->sequence >= 0 && !r->forward)
            ahead[r->sequence - base] = r;
    }
    for (uint32_t i = 0; i < t->fw.n; i++) {
        const struct fw_range *r = &t->fw.v[i].range;
        if (t->fw.v[i].file != FW_RANGES || r->sequence < 0 || !r->forward)
            continue;
        const struct fw_range *from = ahead[r->sequence - base];
        flow(t, "fwdbwd", "fwdbwd", false, (uint64_t)r->sequence, t->g->pid, from->thread, from->start_ns);
        flow(t, "fwdbwd", "fwdbwd", true, (uint64_t)r->sequence, t->g->pid, r->thread, r->start_ns);
    }
    free(ahead);
}

/* ---- Python ---- */

/* A step's calls are whole; they are numbered over all records of their thread. */
static void calls_of_step(struct trace *t)
{
    struct {
        uint32_t id;
        int64_t at_ns;
        const char *text;
    } open[CALLS_MAX] = { { 0, 0, NULL } };
    size_t n = 0;
    for (uint32_t i = 0; i < t->fw.n; i++) {
        const struct fw_record *x = &t->fw.v[i];
        if (x->file != FW_CALLS)
            continue;
        const uint32_t id = t->calls++;
        if (!x->call.returns && n < CALLS_MAX) { /* the model has fewer; else the tests would fail */
            open[n].id = id;
            open[n].at_ns = x->at_ns;
            open[n++].text = x->call.text;
        } else if (x->call.returns && n) {
            const struct str text = str_of(open[--n].text);
            const size_t mark = str_find(text, STR(FW_MODULE_MARK), 0);
            const bool is_module = mark != SIZE_MAX;
            char name[FW_NAME_B]; /* there is one module of each name */
            snprintf(name, sizeof name, "%s%.*s%s", is_module ? "nn.Module: " : "",
                     (int)(is_module ? mark : text.n), text.p, is_module ? "_0" : "");
            begin_slice(t, name, x->call.thread,
                        &(struct demo_span){ open[n].at_ns, x->at_ns - open[n].at_ns }, "python_function");
            emit_fmt(t->o, "{\"Python id\": %u, \"Python parent id\": %u%s}}", open[n].id,
                     n ? open[n - 1].id : 0, is_module ? ", \"Python module id\": 0" : "");
        }
    }
}

static uint64_t gc_process(const struct trace *t)
{
    return (uint64_t)t->g->pid << 10 | 1U << 5 | (unsigned)t->g->device;
}

static void collections_of_step(struct trace *t)
{
    for (uint32_t i = 0; i < t->fw.n; i++)
        if (t->fw.v[i].file == FW_GC)
            trace_event(t,
                        "{\"ph\": \"X\", \"name\": \"GC\", \"pid\": %U, \"tid\": %u, \"ts\": \"%t\", "
                        "\"dur\": %f, \"cat\": \"GC\", \"args\": {}}",
                        gc_process(t), t->g->pid, ascend_abs(t->g, t->fw.v[i].gc.start_ns),
                        t->fw.v[i].gc.dur_ns);
}

/* ---- arrows to the device ---- */

/* From the op that put the task into the queue, not from those around it. */
static void links_of_step(struct trace *t)
{
    for (uint32_t i = 0; i < t->fw.n; i++) {
        const struct fw_range *r = &t->fw.v[i].range;
        if (t->fw.v[i].file != FW_RANGES || !r->launched)
            continue;
        const struct trace_target to = trace_target_of(t, &t->fw.launch[r->launched - 1]);
        const uint64_t id = (uint64_t)ascend_abs(t->g, to.at_ns);
        flow(t, "torch_to_npu", "async_npu", false, id, t->g->pid, r->thread, r->start_ns);
        flow(t, "torch_to_npu", "async_npu", true, id, to.pid, to.tid, to.at_ns);
    }
}

void pt_trace_framework(struct trace *t)
{
    each_step(t, ops_of_step);
    each_step(t, taken_of_step);
    each_step(t, put_of_step);
    threads(t);
    each_step(t, passes_of_step);
    each_step(t, calls_of_step);
    each_step(t, collections_of_step);
    process(t, gc_process(t), "Python GC", 1);
    thread(t, gc_process(t), t->g->pid, "Python GC", "", t->g->pid);
}

void pt_trace_links(struct trace *t)
{
    each_step(t, links_of_step);
}
