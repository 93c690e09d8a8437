/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework's analysis adds to msprof's timeline (doc/formats/framework.md#trace_view,
 * #framework-flows, #kernel-links, #scope-layer): threads of the framework and of the host's ops, arrows,
 * scopes.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/ascend_ms/ascend_scope.h"
#include "demo/ascend_ms/ascend_trace.h"

/* ---- threads; the Python writer puts "ph" first ---- */

static void fw_process(struct trace *t, int pid, const char *name, const char *label, int sort)
{
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"tid\": 0, \"args\": {\"name\": "
                "\"%s\"}}",
                pid, name);
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": %d, \"tid\": 0, \"args\": "
                "{\"sort_index\": %d}}",
                pid, sort);
    if (label)
        trace_event(t,
                    "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": %d, \"tid\": 0, \"args\": "
                    "{\"labels\": \"%s\"}}",
                    pid, label);
}

static void fw_thread(struct trace *t, int pid, uint32_t tid)
{
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %u, \"args\": {\"name\": "
                "\"Thread %u\"}}",
                pid, tid, tid);
    trace_event(t,
                "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %u, \"args\": "
                "{\"sort_index\": %u}}",
                pid, tid, tid);
}

static void fw_slice(struct trace *t, const struct fw_range *r)
{
    char name[FW_NAME_B];
    trace_event(t,
                "{\"ph\": \"X\", \"name\": \"%s\", \"pid\": %d, \"tid\": %u, \"ts\": \"%t\", \"dur\": "
                "\"%t\", \"cat\": \"%s\", \"args\": {}}",
                fw_range_name(r, name), PID_FRAMEWORK, r->thread, ascend_abs(t->g, r->start_ns),
                r->end_ns - r->start_ns, r->kind == FW_FRAME ? "python_function" : "");
}

/* The ranges of a step, passed to fn. A failure stays in t->e. */
typedef void fw_range_fn(struct trace *t, const struct fw_range *r);
static void fw_each(struct trace *t, fw_range_fn *fn)
{
    struct demo_walk *w = &t->g->walk;
    demo_walk_rewind(w);
    while (!t->e->code && demo_walk_next(w)) {
        if (fw_step(&t->fw, t->e))
            return;
        for (uint32_t i = 0; i < t->fw.n; i++)
            if (t->fw.v[i].file == FW_RANGES)
                fn(t, &t->fw.v[i].range);
    }
}

/* Threads in the order in which they appear. */
static void fw_see_thread(struct trace *t, const struct fw_range *r)
{
    uint32_t i = 0;
    while (i < t->n_threads && t->thread[i] != r->thread)
        i++;
    if (i == t->n_threads && r->kind != FW_FLOW && i < ARRAY_LEN(t->thread))
        t->thread[t->n_threads++] = r->thread;
}

static void fw_of_thread(struct trace *t, const struct fw_range *r)
{
    if (r->thread == t->thread[t->at_thread] && r->kind != FW_FLOW)
        fw_slice(t, r);
}

static void threads(struct trace *t)
{
    const uint32_t tid[] = { t->g->tid_main, t->g->tid_data, t->g->tid_run };
    fw_process(t, PID_FRAMEWORK, "MindSpore", "CPU", 1);
    for (size_t i = 0; i < ARRAY_LEN(tid); i++)
        fw_thread(t, PID_FRAMEWORK, tid[i]);
    fw_each(t, fw_see_thread);
    for (t->at_thread = 0; t->at_thread < t->n_threads; t->at_thread++)
        fw_each(t, fw_of_thread);
}

/*
 * The start of a host's op in ns: upstream multiplies by the double 0.001, read as an exact decimal
 * (doc/formats/framework.md#other-clocks).
 */
static struct demo_span cpu_op_at(const struct ascend *g)
{
    struct demo_span x = fw_cpu_op(g);
    int64_t at = ascend_abs(g, x.start_ns), more = (int64_t)((double)at * 2.0816681711721685e-17 + 0.5);
    return (struct demo_span){ x.start_ns + more, x.dur_ns };
}

static void cpu_ops(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    fw_process(t, PID_CPU, "CPU OP", "CPU", PID_CPU);
    fw_thread(t, PID_CPU, 0);
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        struct demo_span x = cpu_op_at(t->g);
        trace_event(t,
                    "{\"ph\": \"X\", \"name\": \"" FW_CPU_OP
                    "\", \"pid\": %d, \"tid\": 0, \"ts\": \"%t\", \"dur\": \"%t\", "
                    "\"cat\": \"\", \"args\": {\"type\": \"HostCpuOps\"}}",
                    PID_CPU, ascend_abs(t->g, x.start_ns), x.dur_ns);
    }
}

/* ---- flows from the framework to the device, and the scope layer ---- */

static void pair(struct trace *t, const char *name, const char *cat, uint32_t tid, int64_t from,
                 uint64_t to_pid, uint32_t to_tid, int64_t to, const char *id)
{
    for (int end = 0; end < 2; end++)
        trace_event(
            t,
            "{\"name\": \"%s\", \"bp\": \"e\", \"ph\": \"%s\", \"ts\": \"%t\", \"pid\": %U, \"tid\": %u, "
            "\"id\": \"%s\", \"cat\": \"%s\"}",
            name, end ? "f" : "s", ascend_abs(t->g, end ? to : from), end ? to_pid : (uint64_t)PID_FRAMEWORK,
            end ? to_tid : tid, id, cat);
}

/* From one thread of the framework to another: the record called flow, and what has its id. */
static void fw_flow(struct trace *t, const struct fw_range *r)
{
    char num[24];
    if (r->kind == FW_FLOW)
        t->flow = *r;
    else if (r->flow != FW_NO_FLOW && r->flow == t->flow.flow)
        pair(t, "mindspore_to_self", "async_mindspore", t->flow.thread, t->flow.start_ns, PID_FRAMEWORK,
             r->thread, r->start_ns, emit_number(r->flow, num));
}

static void link_pair(struct trace *t, int64_t launch, uint64_t pid, uint32_t tid, int64_t at)
{
    char id[40], num[24];
    int64_t ns = ascend_abs(t->g, at);
    snprintf(id, sizeof id, "%s.%03d", emit_number((uint64_t)(ns / 1000), num), (int)(ns % 1000));
    pair(t, "mindspore_to_npu", "async_npu", t->g->tid, launch, pid, tid, at, id);
}

static void links(struct trace *t)
{
    struct demo_walk *w = &t->g->walk;
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        for (uint32_t i = 0, all = fw_launches(&w->step, t->fw.launch); i < all; i++) {
            const struct trace_target to = trace_target_of(t, &t->fw.launch[i]);
            link_pair(t, t->fw.launch[i].start_ns, to.pid, to.tid, to.at_ns);
        }
}

/* The double of us with all its digits, as Python's Decimal has it. */
static void put_exact(struct emit *o, int64_t ns)
{
    int exponent;
    double us = (double)ns / 1000, part = frexp(us - (double)(ns / 1000), &exponent);
    emit_i(o, ns / 1000);
    if (part <= 0)
        return;
    /* the fraction is digits / 2^bits, an integer of at most 53 bits each time */
    int bits = 53 - exponent;
    uint64_t digits = (uint64_t)ldexp(part, 53);
    while (!(digits & 1)) {
        digits >>= 1;
        bits--;
    }
    emit_c(o, '.');
    while (digits) {
        digits *= 10;
        emit_c(o, (char)('0' + (bits < 64 ? digits >> bits : 0)));
        if (bits < 64)
            digits &= ((uint64_t)1 << bits) - 1;
    }
}

/*
 * The end of the last kernel is exact to 12 decimals, so that the difference of its double from its duration
 * shows (doc/formats/framework.md#long-decimals).
 */
static void put_digits(struct emit *o, int64_t ns, int64_t last_ns)
{
    int64_t more = (int64_t)nearbyint(fma((double)last_ns / 1000, 1000, -(double)last_ns) * 1e9);
    emit_fixed(o, more < 0 ? ns - 1 : ns, 3);
    for (int64_t unit = 100000000, left = more < 0 ? more + 1000000000 : more; unit; unit /= 10)
        emit_c(o, (char)('0' + left / unit % 10));
}

static void scope_event(void *ctx, const struct ascend_range *r)
{
    struct trace *t = ctx;
    if (r->depth >= t->depths)
        t->depths = r->depth + 1;
    if (t->counting)
        return;
    trace_event(t, "{\"ph\": \"X\", \"name\": \"");
    emit_str(t->o, r->name);
    emit_fmt(t->o, "\", \"pid\": 3, \"tid\": %d, \"ts\": \"%t\", \"dur\": \"", r->depth,
             ascend_abs(t->g, r->at.start_ns));
    if (r->form == SCOPE_EXACT)
        put_exact(t->o, r->at.dur_ns);
    else if (r->form == SCOPE_DIGITS)
        put_digits(t->o, r->at.dur_ns, r->last_ns);
    else
        emit_fixed(t->o, r->at.dur_ns, 3);
    emit_s(t->o, "\", \"cat\": \"\", \"args\": {}}");
}

/* Kernels, and the copies that are linked instead of their communication ops, by start. */
static void scope_step(struct trace *t, struct ascend_scope *layers, const struct demo_walk *w)
{
    const struct demo_step *s = &w->step;
    const struct demo_net *n = w->run->net;
    const struct str cpu = STR(FW_CPU_OP);
    struct demo_copy copy = { .stream = 0 };
    uint32_t c = 0;
    ascend_scope_add(layers, str_sub(cpu, 0, str_rchr(cpu, '/')), cpu_op_at(t->g), true);
    for (uint32_t i = 0; i <= s->nkernel; i++) {
        const struct demo_kernel *k = i < s->nkernel ? &s->kernel[i] : NULL;
        for (; c < s->ncomm; c++) {
            const struct demo_comm_op *op = &n->comm[s->comm[c].op];
            if (!demo_first_copy(&s->comm[c], &copy))
                continue;
            if (k && copy.at.start_ns > k->start_ns)
                break;
            ascend_scope_add(layers, (struct str){ op->name, op->scope_n }, copy.at, false);
        }
        if (k)
            ascend_scope_add(layers, (struct str){ n->op[k->op].name, n->op[k->op].scope_n },
                             (struct demo_span){ k->start_ns, k->dur_ns }, false);
    }
}

static void scope_pass(struct trace *t, bool counting)
{
    struct demo_walk *w = &t->g->walk;
    struct ascend_scope layers;
    t->counting = counting;
    ascend_scope_init(&layers, scope_event, t);
    demo_walk_rewind(w);
    while (demo_walk_next(w))
        scope_step(t, &layers, w);
    ascend_scope_done(&layers);
}

static void scopes(struct trace *t)
{
    scope_pass(t, true);
    fw_process(t, PID_SCOPE, "Scope Layer", NULL, 12);
    for (int i = 0; i < t->depths; i++)
        fw_thread(t, PID_SCOPE, (uint32_t)i);
    scope_pass(t, false);
}

void trace_framework(struct trace *t)
{
    threads(t);
    cpu_ops(t);
}

void trace_links(struct trace *t)
{
    fw_each(t, fw_flow);
    links(t);
    scopes(t);
}
