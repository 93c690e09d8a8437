/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: the timeline (doc/formats/mindspore1.md#timeline). The rows of one step are collected,
 * sorted by start (stable), written; then the next step. No row of a step starts before the last row of the
 * step before it, so the file is sorted as a whole.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/mindspore/overlap.h"

enum {
    TID_STEPS = 100000,
    TID_SCOPES = 100001,
    PID_AICPU = 9000,
    PID_COMM = 10000,
    PID_OVERLAP = 12000,
    SCOPES = 24
};
enum overlap { O_COMPUTING = 7999, O_ALONE = 8000, O_COMM = 8001, O_FREE = 8002 };

enum row_kind { ROW_OP, ROW_AICPU, ROW_COMM, ROW_OVERLAP, ROW_STEP, ROW_SCOPE };

struct row {
    double start, dur; /* ms of the device's counter, as MindSpore computes them */
    struct str name;
    uint32_t seq;    /* order before sorting */
    uint32_t number; /* stream, overlap track, step number or scope level */
    uint8_t kind;
};

/* Start and duration in ms of the device's counter. */
struct core {
    double start, dur;
};

static struct core core_of(const struct analysed *g, const struct demo_kernel *k)
{
    return (struct core){ analysed_ms(g, k->start_ns), (double)(k->dur_ns / 10) / 1e5 };
}

#define THREADS_MAX 8 /* steps, scopes, streams */

struct timeline {
    struct analysed *g;
    struct analysed_overlap overlap;
    struct emit *o;
    struct row *row;
    uint32_t n, cap;
    bool failed;
    uint64_t events, ops, aicpu; /* objects in the file, AI Core and AI CPU rows */
    double total_ms, base_ms;
    int max_scope;
    char step_name[24];
    struct thread {
        bool stream;
        int tid, sort;
    } thread[THREADS_MAX]; /* in order of their first rows */
    int nthread, nstream;
};

static void add(struct timeline *t, enum row_kind kind, uint32_t number, struct str name, double start,
                double dur)
{
    if (t->n == t->cap) {
        uint32_t cap = t->cap ? t->cap * 2 : 4096;
        struct row *r = realloc(t->row, cap * sizeof *r);
        if (!r) {
            t->failed = true;
            return;
        }
        t->row = r;
        t->cap = cap;
    }
    t->row[t->n] = (struct row){ start, dur, name, t->n, number, (uint8_t)kind };
    t->n++;
}

/* ---- scopes: ranges of neighbouring rows with the same name, separate for each level ---- */

struct open_scope {
    struct str name;
    struct core first, last;
};

static void emit(struct timeline *t, uint32_t level, struct open_scope *s)
{
    if (s->name.p)
        add(t, ROW_SCOPE, level, s->name, s->first.start, s->last.start - s->first.start + s->last.dur);
    s->name = STR_NULL;
}

static void close_from(struct timeline *t, struct open_scope *open, int *n, int level)
{
    for (int i = level; i < *n; i++)
        emit(t, (uint32_t)i, &open[i]);
    *n = level < *n ? level : *n;
}

static void scope_row(struct timeline *t, struct open_scope *open, int *n, struct str path, struct core k)
{
    struct str part;
    int level = 0;
    for (; level < SCOPES && str_next(&path, '/', &part); level++) {
        struct open_scope *s = &open[level];
        if (level < *n && s->name.p && str_eq(s->name, part)) {
            s->last = k;
            continue;
        }
        if (level < *n)
            emit(t, (uint32_t)level, s);
        *s = (struct open_scope){ part, k, k };
        if (level >= *n)
            *n = level + 1;
    }
    close_from(t, open, n, level);
    t->max_scope = level > t->max_scope ? level : t->max_scope;
}

static void scopes(struct timeline *t, struct str wanted)
{
    const struct demo_step *s = &t->g->walk.step;
    struct open_scope open[SCOPES] = { { .name = STR_NULL } };
    int n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_op *op = &t->g->run->net->op[s->kernel[i].op];
        struct str path = { op->name, op->scope_n };
        if (!analysed_on_core(t->g, s->kernel[i].op))
            continue;
        scope_row(t, open, &n, str_starts(path, wanted) ? path : STR_NULL, core_of(t->g, &s->kernel[i]));
    }
    close_from(t, open, &n, 0);
}

/* ---- rows of a step ---- */

/* The AI CPU's times are us of its own clock. */
static struct core aicpu_of(const struct analysed *g, const struct demo_kernel *k)
{
    struct analysed_aicpu a = analysed_aicpu_of(g, k);
    return (struct core){ (double)a.start / 100 / 1000, (double)(a.end_us - a.start_us) / 1000 };
}

static struct core comm_of(const struct analysed *g, const struct demo_comm *c)
{
    return (struct core){ analysed_ms(g, c->start_ns), (double)(c->dur_ns / 10) / 1e5 };
}

static void spans(struct timeline *t, enum overlap track, struct str name, const struct analysed_spans *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        add(t, ROW_OVERLAP, track, name, s->v[i].start, s->v[i].end - s->v[i].start);
}

/* Both sorts of tasks, and communication: when the device is busy. */
static void collect_busy(struct timeline *t)
{
    const struct demo_step *s = &t->g->walk.step;
    struct analysed_overlap *o = &t->overlap;
    for (uint32_t i = 0; i < s->nrow; i++) {
        const struct demo_row *r = &s->row[i];
        struct core x;
        if (r->comm)
            x = comm_of(t->g, &s->comm[r->i]);
        else if (analysed_on_core(t->g, s->kernel[r->i].op))
            x = core_of(t->g, &s->kernel[r->i]);
        else
            x = aicpu_of(t->g, &s->kernel[r->i]);
        analysed_overlap_add(o, &o->all, x.start, x.dur);
        analysed_overlap_add(o, r->comm ? &o->communication : &o->computing, x.start, x.dur);
    }
}

/* Without communication there is no overlap to show. */
static void collect_overlap(struct timeline *t, struct core step)
{
    const struct demo_step *s = &t->g->walk.step;
    const struct demo_net *net = t->g->run->net;
    struct analysed_overlap *o = &t->overlap;
    if (!net->ncomm)
        return;
    analysed_overlap_begin(o);
    collect_busy(t);
    analysed_overlap_step(o, s->index + 1 == (uint32_t)t->g->run->o.steps, step.start, step.dur);
    spans(t, O_ALONE, STR("communication_not_overlapped"), &o->alone);
    spans(t, O_COMPUTING, STR("computation_op"), &o->computing);
    spans(t, O_COMM, STR("communication"), &o->communication);
    spans(t, O_FREE, STR("free_time"), &o->free);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        struct core x = comm_of(t->g, &s->comm[i]);
        add(t, ROW_COMM, DEMO_STREAM_HCCL, str_of(net->comm[s->comm[i].op].leaf), x.start, x.dur);
    }
}

static void collect(struct timeline *t)
{
    const struct demo_step *s = &t->g->walk.step;
    const struct demo_net *net = t->g->run->net;
    struct core first = { 0, 0 }, last = { 0, 0 };
    t->n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        bool core = analysed_on_core(t->g, k->op);
        struct core x = core ? core_of(t->g, k) : aicpu_of(t->g, k);
        add(t, core ? ROW_OP : ROW_AICPU, net->op[k->op].stream, str_of(net->op[k->op].leaf), x.start, x.dur);
        if (!core)
            continue;
        first = first.start > 0 ? first : x;
        last = x;
    }
    struct core step = { first.start, last.start - first.start + last.dur };
    collect_overlap(t, step);
    add(t, ROW_STEP, s->number, str_of(emit_number(s->number, t->step_name)), step.start, step.dur);
    scopes(t, STR("Default"));
    scopes(t, STR("Gradients"));
}

static int row_cmp(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->kind == ROW_SCOPE && y->kind == ROW_SCOPE && x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->seq < y->seq ? -1 : 1;
}

static void put_tid(struct timeline *t, const struct row *r)
{
    static const char *const fmt[] = { "%u", "\"0\"", "\"%u\"", "\"%u\"", NULL, NULL };
    switch ((enum row_kind)r->kind) {
    case ROW_STEP:
        emit_u(t->o, TID_STEPS);
        break;
    case ROW_SCOPE:
        emit_u(t->o, TID_SCOPES);
        break;
    default:
        emit_fmt(t->o, fmt[r->kind], r->number);
    }
}

static void put_row(struct timeline *t, const struct row *r)
{
    const int pid[] = { t->g->device, PID_AICPU, PID_COMM, PID_OVERLAP, t->g->device, t->g->device };
    emit_s(t->o, "{\"name\": \"");
    emit_n(t->o, r->name.p, r->name.n);
    emit_s(t->o, "\", \"ph\": \"X\", \"tid\": ");
    put_tid(t, r);
    emit_fmt(t->o, ", \"ts\": %r, \"dur\": %r, \"pid\": %d", (r->start - t->base_ms) * 1000, r->dur * 1000,
             pid[r->kind]);
    if (r->kind == ROW_SCOPE)
        emit_fmt(t->o, ", \"scope_level\": %u", r->number);
    emit_s(t->o, "},");
    t->events++;
    if (r->kind == ROW_OP) {
        t->ops++;
        t->total_ms += r->dur;
    } else if (r->kind == ROW_AICPU) {
        t->aicpu++;
    }
}

/* Registers the threads of a row; all threads occur in the first step. */
static void meet(struct timeline *t, const struct row *r)
{
    struct thread x = { r->kind == ROW_OP, (int)r->number, (int)r->number };
    if (r->kind == ROW_STEP)
        x = (struct thread){ false, TID_STEPS, -4 };
    else if (r->kind == ROW_SCOPE)
        x = (struct thread){ false, TID_SCOPES, -3 };
    else if (r->kind != ROW_OP)
        return;
    for (int i = 0; i < t->nthread; i++)
        if (t->thread[i].tid == x.tid)
            return;
    if (t->nthread < THREADS_MAX)
        t->thread[t->nthread++] = x;
    t->nstream += x.stream;
}

/* Two metadata events per named thread, before everything else. */
static void put_threads(struct timeline *t)
{
    for (int i = 0; i < t->nthread; i++) {
        const struct thread *x = &t->thread[i];
        emit_fmt(t->o,
                 "{\"name\": \"thread_name\", \"pid\": %d, \"tid\": %d, \"ts\": 0, \"ph\": \"M\", "
                 "\"cat\": \"__metadata\", \"args\": {\"name\": \"",
                 t->g->device, x->tid);
        if (x->stream)
            emit_fmt(t->o, "Stream #%d", x->tid);
        else
            emit_s(t->o, x->tid == TID_STEPS ? "Steps" : "Scope Name");
        emit_fmt(t->o,
                 "\"}},{\"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %d, "
                 "\"ts\": 0, \"ph\": \"M\", \"cat\": "
                 "\"__metadata\", \"args\": {\"sort_index\": %d}},",
                 t->g->device, x->tid, x->sort);
    }
    t->events += (uint64_t)t->nthread * 2;
}

/* The labels close the list. Entries with pid -1 belong to the device, whose pid is text here. */
static void put_labels(struct timeline *t)
{
    static const struct {
        const char *name;
        int pid, tid;           /* tid -1: none */
        const char *key, *text; /* text NULL: the number */
        int number;
    } label[] = {
        { "process_labels", -1, -1, "labels", "AICORE OP", 0 },
        { "process_labels", PID_AICPU, -1, "labels", "AICPU OP", 0 },
        { "process_labels", PID_COMM, -1, "labels", "Communication Op", 0 },
        { "process_labels", 11000, -1, "labels", "Host CPU OP", 0 },
        { "process_labels", PID_OVERLAP, -1, "labels", "Op Overlap Analyse", 0 },
        { "process_labels", 13000, -1, "labels", "Activity Op", 0 },
        { "process_sort_index", -1, -1, "sort_index", NULL, 0 },
        { "process_sort_index", PID_AICPU, -1, "sort_index", NULL, 10 },
        { "process_sort_index", PID_COMM, -1, "sort_index", NULL, 20 },
        { "process_sort_index", 11000, -1, "sort_index", NULL, 30 },
        { "process_sort_index", PID_OVERLAP, -1, "sort_index", NULL, 40 },
        { "thread_name", 11000, 100003, "name", "Host CPU Op", 0 },
        { "thread_name", PID_OVERLAP, O_COMPUTING, "name", "Merged Computation Op", 0 },
        { "thread_name", PID_OVERLAP, O_ALONE, "name", "Pure Communication Op", 0 },
        { "thread_name", PID_OVERLAP, O_COMM, "name", "Merged Communication Op", 0 },
        { "thread_name", PID_OVERLAP, O_FREE, "name", "Free Time", 0 },
        { "thread_name", -1, TID_STEPS, "name", "Steps", 0 },
        { "thread_name", -1, 0, "name", "Ops", 0 },
        { "thread_sort_index", PID_OVERLAP, O_COMPUTING, "sort_index", NULL, O_COMPUTING },
        { "thread_sort_index", PID_OVERLAP, O_ALONE, "sort_index", NULL, O_ALONE },
        { "thread_sort_index", PID_OVERLAP, O_COMM, "sort_index", NULL, O_COMM },
        { "thread_sort_index", PID_OVERLAP, O_FREE, "sort_index", NULL, O_FREE },
        { "thread_sort_index", -1, TID_STEPS, "sort_index", NULL, -4 },
    };
    for (size_t i = 0; i < ARRAY_LEN(label); i++) {
        emit_fmt(t->o, "%s{\"name\": \"%s\", \"ph\": \"M\", \"pid\": ", i ? ", " : "", label[i].name);
        if (label[i].pid < 0)
            emit_fmt(t->o, "\"%d\"", t->g->device);
        else
            emit_i(t->o, label[i].pid);
        if (label[i].tid >= 0)
            emit_fmt(t->o, ", \"tid\": %d", label[i].tid);
        emit_fmt(t->o, ", \"args\": {\"%s\": ", label[i].key);
        if (label[i].text)
            emit_fmt(t->o, "\"%s\"}}", label[i].text);
        else
            emit_fmt(t->o, "%d}}", label[i].number);
    }
    emit_c(t->o, ']');
    t->events += ARRAY_LEN(label);
}

static int summary(struct timeline *t, struct err *e)
{
    struct emit *o;
    const struct demo_net *n = t->g->run->net;
    uint32_t names = 0; /* distinct AI CPU ops */
    for (uint32_t i = 0; i < n->nop; i++)
        names += !analysed_on_core(t->g, i);
    if (analysed_open(t->g, &o, "ascend_timeline_summary_", ".json", e))
        return e->code;
    /*
     * streams of ops, and the AI CPU; ops: the list of AI Core ops counts twice
     * (doc/formats/mindspore1.md#timeline-algorithm)
     */
    emit_fmt(o,
             "{\"total_time\": %r, \"num_of_streams\": %d, \"num_of_ops\": %u, \"op_exe_times\": "
             "%U, \"max_scope_name_num\": %d}",
             t->total_ms, t->nstream + 1, names + t->g->norder * 2, t->ops + t->aicpu, t->max_scope);
    return emit_close(o, &t->g->count, e);
}

static int write_steps(struct timeline *t)
{
    struct analysed *g = t->g;
    demo_walk_rewind(&g->walk);
    while (!t->failed && !t->overlap.failed && demo_walk_next(&g->walk)) {
        collect(t);
        qsort(t->row, t->n, sizeof *t->row, row_cmp);
        for (uint32_t i = 0; !g->walk.step.index && i < t->n; i++)
            meet(t, &t->row[i]);
        if (!g->walk.step.index)
            put_threads(t);
        for (uint32_t i = 0; i < t->n; i++)
            put_row(t, &t->row[i]);
    }
    return t->failed || t->overlap.failed ? ERR_NOMEM : OK;
}

int analysed_timeline(struct analysed *g, struct err *e)
{
    struct timeline t = { .g = g, .total_ms = emit_round(g->aicpu_ms, 6) };
    t.base_ms = (double)analysed_ticks(g, g->first_ns) / 100 / 1000; /* the AI CPU fetches data first */
    if (analysed_open(g, &t.o, "ascend_timeline_display_", ".json", e))
        return e->code;
    emit_c(t.o, '[');
    if (write_steps(&t)) {
        emit_drop(t.o);
        err_nomem(e);
        goto out;
    }
    put_labels(&t);
    g->sum->events = t.events;
    if (emit_close(t.o, &g->count, e) || summary(&t, e))
        goto out;
    if (g->run->net->ncomm && analysed_overlap_write(&t.overlap, g, e))
        goto out;
out:
    free(t.row);
    analysed_overlap_done(&t.overlap);
    return e->code;
}
