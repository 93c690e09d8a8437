/*
 * Generation 1: the timeline (gen1-raw.md 8). The rows of one step are collected, sorted by start
 * (stable), written; then the next step. No row of a step starts before the last row of the step
 * before it, so the file is sorted as a whole.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/gen1.h"

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
    int64_t start_ns, dur_ns;
    struct str name;
    uint32_t seq;    /* place before sorting */
    uint32_t number; /* stream, overlap track, step number or scope level */
    uint8_t kind;
};

struct timeline {
    struct gen1 *g;
    struct vout *o;
    struct row *row;
    uint32_t n, cap;
    bool failed;
    uint64_t events, ops, aicpu; /* objects in the file, AI Core and AI CPU rows */
    double total_ms, base_ms;
    int max_scope;
    char step_name[24];
};

static void add(struct timeline *t, enum row_kind kind, uint32_t number, struct str name,
                int64_t start_ns, int64_t dur_ns)
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
    t->row[t->n] = (struct row){ start_ns, dur_ns, name, t->n, number, (uint8_t)kind };
    t->n++;
}

/* ---- scopes: ranges of neighbouring rows below one name, kept apart by level ---- */

struct open_scope {
    struct str name;
    int64_t start_ns, last_start_ns, last_dur_ns;
};

static void close_from(struct timeline *t, struct open_scope *open, int *n, int level)
{
    for (int i = level; i < *n; i++)
        if (open[i].name.p)
            add(t, ROW_SCOPE, (uint32_t)i, open[i].name, open[i].start_ns,
                open[i].last_start_ns - open[i].start_ns + open[i].last_dur_ns);
    *n = level < *n ? level : *n;
}

static void scope_row(struct timeline *t, struct open_scope *open, int *n, struct str path,
                      const struct demo_kernel *k)
{
    struct str part;
    int level = 0;
    for (; level < SCOPES && str_next(&path, '/', &part); level++) {
        struct open_scope *s = &open[level];
        if (level < *n && s->name.p && str_eq(s->name, part)) {
            s->last_start_ns = k->start_ns;
            s->last_dur_ns = k->dur_ns;
            continue;
        }
        if (level < *n && s->name.p)
            add(t, ROW_SCOPE, (uint32_t)level, s->name, s->start_ns,
                s->last_start_ns - s->start_ns + s->last_dur_ns);
        *s = (struct open_scope){ part, k->start_ns, k->start_ns, k->dur_ns };
        if (level >= *n)
            *n = level + 1;
    }
    close_from(t, open, n, level);
    t->max_scope = level > t->max_scope ? level : t->max_scope;
}

static void scopes(struct timeline *t, struct str wanted)
{
    const struct demo_step *s = &t->g->walk.step;
    struct open_scope open[SCOPES] = { { STR_NULL, 0, 0, 0 } };
    int n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_op *op = &t->g->run->net->op[s->kernel[i].op];
        struct str path = { op->name, op->scope_n };
        if (!gen1_on_core(t->g, s->kernel[i].op))
            continue;
        scope_row(t, open, &n, str_starts(path, wanted) ? path : STR_NULL, &s->kernel[i]);
    }
    close_from(t, open, &n, 0);
}

/* ---- rows of a step ---- */

static void spans(struct timeline *t, enum overlap track, struct str name,
                  const struct demo_span *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add(t, ROW_OVERLAP, track, name, s[i].start_ns, s[i].dur_ns);
}

/* Communication alone is looked for between ops: what follows the run's last op is no gap. */
static uint32_t inner_alone(const struct timeline *t, const struct demo_step *s)
{
    const struct demo_span *last = &s->computing[s->ncomputing - 1];
    uint32_t n = s->nalone;
    if (s->index + 1 == (uint32_t)t->g->run->o.steps)
        while (n && s->alone[n - 1].start_ns >= last->start_ns + last->dur_ns)
            n--;
    return n;
}

static void collect(struct timeline *t)
{
    const struct demo_step *s = &t->g->walk.step;
    const struct demo_net *net = t->g->run->net;
    int64_t first = 0, last = 0;
    t->n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        bool core = gen1_on_core(t->g, k->op);
        add(t, core ? ROW_OP : ROW_AICPU, net->op[k->op].stream, str_of(net->op[k->op].leaf),
            k->start_ns, k->dur_ns);
        if (!core)
            continue;
        first = first ? first : k->start_ns;
        last = k->start_ns + k->dur_ns;
    }
    spans(t, O_ALONE, STR("communication_not_overlapped"), s->alone, inner_alone(t, s));
    spans(t, O_COMPUTING, STR("computation_op"), s->computing, s->ncomputing);
    spans(t, O_COMM, STR("communication"), s->communication, s->ncommunication);
    spans(t, O_FREE, STR("free_time"), s->free, s->nfree);
    for (uint32_t i = 0; i < s->ncomm; i++)
        add(t, ROW_COMM, DEMO_STREAM_HCCL, str_of(net->comm[s->comm[i].op].leaf),
            s->comm[i].start_ns, s->comm[i].dur_ns);
    add(t, ROW_STEP, s->number, str_of(vendor_number(s->number, t->step_name)), first,
        last - first);
    scopes(t, STR("Default"));
    scopes(t, STR("Gradients"));
}

static int row_cmp(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->seq < y->seq ? -1 : 1;
}

static void put_tid(struct timeline *t, const struct row *r)
{
    static const char *const fmt[] = { "%u", "\"0\"", "\"%u\"", "\"%u\"", NULL, NULL };
    switch ((enum row_kind)r->kind) {
    case ROW_STEP:
        vout_u(t->o, TID_STEPS);
        break;
    case ROW_SCOPE:
        vout_u(t->o, TID_SCOPES);
        break;
    default:
        vout_fmt(t->o, fmt[r->kind], r->number);
    }
}

static void put_row(struct timeline *t, const struct row *r)
{
    const int pid[] = {
        t->g->device, PID_AICPU, PID_COMM, PID_OVERLAP, t->g->device, t->g->device
    };
    double start = gen1_ms(t->g, r->start_ns), dur = (double)(r->dur_ns / 10) / 1e5;
    vout_s(t->o, "{\"name\": \"");
    vout_n(t->o, r->name.p, r->name.n);
    vout_s(t->o, "\", \"ph\": \"X\", \"tid\": ");
    put_tid(t, r);
    vout_fmt(t->o, ", \"ts\": %r, \"dur\": %r, \"pid\": %d", (start - t->base_ms) * 1000,
             dur * 1000, pid[r->kind]);
    if (r->kind == ROW_SCOPE)
        vout_fmt(t->o, ", \"scope_level\": %u", r->number);
    vout_s(t->o, "},");
    t->events++;
    if (r->kind == ROW_OP) {
        t->ops++;
        t->total_ms += dur;
    } else if (r->kind == ROW_AICPU) {
        t->aicpu++;
    }
}

/* Two metadata events per named thread, before everything else. */
static void put_threads(struct timeline *t)
{
    static const struct {
        int tid, sort;
        const char *name;
    } thread[] = { { TID_STEPS, -4, "Steps" },
                   { DEMO_STREAM_MAIN, DEMO_STREAM_MAIN, "Stream #3" },
                   { TID_SCOPES, -3, "Scope Name" },
                   { DEMO_STREAM_SIDE, DEMO_STREAM_SIDE, "Stream #7" } };
    for (size_t i = 0; i < ARRAY_LEN(thread); i++)
        vout_fmt(t->o,
                 "{\"name\": \"thread_name\", \"pid\": %d, \"tid\": %d, \"ts\": 0, \"ph\": \"M\", "
                 "\"cat\": \"__metadata\", \"args\": "
                 "{\"name\": \"%s\"}},{\"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %d, "
                 "\"ts\": 0, \"ph\": \"M\", \"cat\": "
                 "\"__metadata\", \"args\": {\"sort_index\": %d}},",
                 t->g->device, thread[i].tid, thread[i].name, t->g->device, thread[i].tid,
                 thread[i].sort);
    t->events += ARRAY_LEN(thread) * 2;
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
        vout_fmt(t->o, "%s{\"name\": \"%s\", \"ph\": \"M\", \"pid\": ", i ? ", " : "",
                 label[i].name);
        if (label[i].pid < 0)
            vout_fmt(t->o, "\"%d\"", t->g->device);
        else
            vout_i(t->o, label[i].pid);
        if (label[i].tid >= 0)
            vout_fmt(t->o, ", \"tid\": %d", label[i].tid);
        vout_fmt(t->o, ", \"args\": {\"%s\": ", label[i].key);
        if (label[i].text)
            vout_fmt(t->o, "\"%s\"}}", label[i].text);
        else
            vout_fmt(t->o, "%d}}", label[i].number);
    }
    vout_c(t->o, ']');
    t->events += ARRAY_LEN(label);
}

static int summary(struct timeline *t, struct err *e)
{
    struct vout *o;
    const struct demo_net *n = t->g->run->net;
    uint32_t names = 0; /* distinct AI CPU ops */
    for (uint32_t i = 0; i < n->nop; i++)
        names += !gen1_on_core(t->g, i);
    if (gen1_open(t->g, &o, "ascend_timeline_summary_", ".json", e))
        return (int)e->code;
    /* streams: main, side, AI CPU; ops: the list of AI Core ops counts twice (gen1-raw.md 8.4) */
    vout_fmt(o,
             "{\"total_time\": %r, \"num_of_streams\": 3, \"num_of_ops\": %u, \"op_exe_times\": "
             "%U, \"max_scope_name_num\": %d}",
             t->total_ms + t->g->aicpu_ms, names + t->g->norder * 2, t->ops + t->aicpu,
             t->max_scope);
    return vout_close(o, &t->g->count, e);
}

int gen1_timeline(struct gen1 *g, struct err *e)
{
    struct timeline t = { .g = g, .base_ms = gen1_ms(g, g->first_ns) };
    if (gen1_open(g, &t.o, "ascend_timeline_display_", ".json", e))
        return (int)e->code;
    vout_c(t.o, '[');
    put_threads(&t);
    demo_walk_rewind(&g->walk);
    while (!t.failed && demo_walk_next(&g->walk)) {
        collect(&t);
        qsort(t.row, t.n, sizeof *t.row, row_cmp);
        for (uint32_t i = 0; i < t.n; i++)
            put_row(&t, &t.row[i]);
    }
    put_labels(&t);
    g->sum->events = t.events;
    free(t.row);
    if (t.failed) {
        vout_drop(t.o);
        return err_nomem(e);
    }
    return vout_close(t.o, &g->count, e) ? (int)e->code : summary(&t, e);
}
