/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a timeline: events, metadata of their threads, the labels at the end, the summary
 * (doc/formats/mindspore1.md#event to #label-block).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "emit/report.h"
#include "mindspore/timeline.h"

#define MIB ((uint64_t)1 << 20)

int mindspore_timeline_begin(struct mindspore_timeline *t, struct mindspore_run *r,
                             const struct mindspore_target *target, struct err *e)
{
    *t = (struct mindspore_timeline){ .r = r, .target = target, .start_op = STR(""), .end_op = STR("") };
    if (intern_new(&t->labels, e) == OK) {
        t->l_steps = mindspore_label(t, STR("Steps"), e);
        t->l_scopes = mindspore_label(t, STR("Scope Name"), e);
    }
    return e->code;
}

void mindspore_timeline_done(struct mindspore_timeline *t)
{
    mindspore_rows_done(&t->rows);
    intern_free(t->labels);
    t->labels = NULL;
}

uint32_t mindspore_label(struct mindspore_timeline *t, struct str text, struct err *e)
{
    uint32_t id = intern_put(t->labels, text);

    if (id == INTERN_NONE) {
        err_nomem(e);
        return 0;
    }
    return id;
}

/* ---- threads ---- */

/* Labels that have a thread id of their own. */
static const struct {
    const char *label;
    int tid, sort;
} named_threads[] = {
    { "Steps", MINDSPORE_TID_STEPS, -4 },
    { "Scope Name", 100001, -3 },
    { "GpuOps", 100002, -2 },
    { "HostCpuOps", 100003, -1 },
};

struct thread {
    bool mapped, met, counted, host;
    int64_t tid, sort;
};
struct events {
    struct mindspore_timeline *t;
    struct emit *o;
    struct thread *threads; /* by label */
    uint32_t *order;        /* labels with thread ids, in order of appearance */
    size_t n_order;
    struct intern *names; /* of ops that have facts */
    const struct mindspore_op **ops;
    bool timed;
};

static struct thread thread_of(const struct mindspore_timeline *t, struct str label)
{
    struct thread x = { .mapped = false };

    if (!t->r->rules->timeline->maps_threads)
        return x;
    for (size_t i = 0; i < ARRAY_LEN(named_threads); i++)
        if (str_eq(label, str_of(named_threads[i].label)))
            return (struct thread){ .mapped = true,
                                    .tid = named_threads[i].tid,
                                    .sort = named_threads[i].sort,
                                    .host =
                                        t->r->rules->timeline->host_apart && named_threads[i].tid == 100003 };
    if (!t->plain_rows && str_starts(label, STR("Stream")))
        x.mapped = str_i64(str_after_last(label, '#'), &x.tid);
    x.sort = t->r->rules->timeline->streams_sorted ? x.tid : 0;
    return x;
}

/* Kinds of rows with more cells than the four of an op. */
static bool is_wide(const struct mindspore_row *x)
{
    return x->kind == MINDSPORE_ROW_KERNEL || x->pid != MINDSPORE_NO_PID;
}

static bool is_mark(const struct mindspore_row *x)
{
    return x->kind == MINDSPORE_ROW_STEP || x->kind == MINDSPORE_ROW_SCOPE;
}

/* Adds a row to the summary, and its thread when it is the first row there. */
static void count(struct events *v, const struct mindspore_row *x)
{
    struct mindspore_timeline *t = v->t;
    struct thread *th = &v->threads[x->label];

    if (th->mapped && !th->met)
        v->order[v->n_order++] = x->label;
    th->met = true;
    if (is_mark(x) || is_wide(x))
        return;
    t->n_streams += !th->counted;
    th->counted = true;
    if (t->target->ns) {
        t->total_time += x->dur / 1000;
        t->n_executions++;
    } else {
        t->total_time += t->r->rules->timeline->total_in_us ? x->dur * 1000 : x->dur;
    }
}

static void put_pid(struct emit *o, const struct mindspore_timeline *t, bool text)
{
    if (text)
        emit_fmt(o, "\"%d\"", t->r->device);
    else
        emit_i(o, t->r->device);
}

static int device_pid(const struct events *v, const struct thread *th)
{
    return th->host ? MINDSPORE_PID_HOST : v->t->r->device;
}

static void put_thread(const struct events *v, uint32_t label)
{
    const struct thread *th = &v->threads[label];
    struct emit *o = v->o;

    emit_fmt(o,
             "{\"name\": \"thread_name\", \"pid\": %d, \"tid\": %i, \"ts\": 0, \"ph\": \"M\", "
             "\"cat\": \"__metadata\", \"args\": {\"name\": ",
             device_pid(v, th), th->tid);
    mindspore_json_text(o, intern_get(v->t->labels, label));
    emit_fmt(o,
             "}},{\"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %i, \"ts\": 0, \"ph\": "
             "\"M\", \"cat\": \"__metadata\", \"args\": {\"sort_index\": %i}}",
             device_pid(v, th), th->tid, th->sort);
}

/* ---- events ---- */

static void put_tid(const struct events *v, const struct mindspore_row *x)
{
    const struct thread *th = &v->threads[x->label];
    struct str label = intern_get(v->t->labels, x->label);
    int64_t n;

    if (th->mapped)
        emit_i(v->o, th->tid);
    else if (!v->t->r->rules->timeline->tid_text && str_i64(label, &n))
        emit_i(v->o, n);
    else
        mindspore_json_text(v->o, label);
}

static void put_kernel(const struct events *v, const struct mindspore_row *x)
{
    const struct mindspore_kernel *k = x->kind == MINDSPORE_ROW_KERNEL ? &v->t->kernels[x->extra] : NULL;

    if (!k) {
        emit_fmt(v->o, ", \"args\": {\"type\": %d}", (int)x->pid);
        return;
    }
    emit_s(v->o, ", \"args\": {\"type\": ");
    mindspore_json_text(v->o, k->type);
    emit_s(v->o, ", \"op_full_name\": ");
    mindspore_json_text(v->o, k->op);
    emit_s(v->o, ", \"block_dim\": ");
    mindspore_json_text(v->o, k->block);
    emit_s(v->o, ", \"grid_dim\": ");
    mindspore_json_text(v->o, k->grid);
    emit_c(v->o, '}');
}

static void put_facts(struct emit *o, const struct mindspore_framework *f)
{
    emit_s(o, ", \"args\": {\"type\": ");
    mindspore_json_text(o, f->type);
    emit_s(o, ", \"fullname\": ");
    mindspore_json_text(o, f->full);
    for (size_t i = 0; i < f->n_tensors; i++) {
        const struct mindspore_tensor *x = &f->tensors[i];
        emit_s(o, ", ");
        mindspore_json_text(o, x->key);
        emit_s(o, ": {\"format\": ");
        mindspore_json_text(o, x->format);
        emit_s(o, ", \"data_type\": ");
        mindspore_json_text(o, x->type);
        emit_s(o, ", \"shape\": ");
        emit_str(o, x->shape);
        emit_c(o, '}');
    }
    emit_c(o, '}');
}

/* Facts of the op of that name, NULL: none. */
static const struct mindspore_framework *facts_of(const struct events *v, struct str name)
{
    uint32_t id = v->names ? intern_find(v->names, name) : INTERN_NONE;

    return id == INTERN_NONE ? NULL : v->ops[id]->info;
}

static void put_event(const struct events *v, const struct mindspore_row *x)
{
    const struct mindspore_timeline *t = v->t;
    const struct mindspore_rules *rules = t->r->rules;
    struct emit *o = v->o;
    bool scope = x->kind == MINDSPORE_ROW_SCOPE;
    struct str name = scope || !rules->timeline->short_names ? x->name : mindspore_short(x->name);
    const struct mindspore_framework *facts = facts_of(v, name);

    emit_s(o, "{\"name\": ");
    mindspore_json_text(o, facts ? facts->name : name);
    emit_s(o, ", \"ph\": \"X\", \"tid\": ");
    put_tid(v, x);
    emit_s(o, ", \"ts\": ");
    emit_repr(o, t->target->ns ? x->start / 1000 : (x->start - t->base) * 1000);
    emit_s(o, ", \"dur\": ");
    emit_repr(o, t->target->ns ? x->dur : x->dur * 1000);
    if (scope && rules->timeline->level_first)
        emit_fmt(o, ", \"scope_level\": %u", x->extra);
    emit_s(o, ", \"pid\": ");
    emit_i(o, x->pid != MINDSPORE_NO_PID ? x->pid : device_pid(v, &v->threads[x->label]));
    if (scope && !rules->timeline->level_first)
        emit_fmt(o, ", \"scope_level\": %u", x->extra);
    if (facts)
        put_facts(o, facts);
    else if (t->target->streams_only && is_wide(x))
        put_kernel(v, x);
    emit_c(o, '}');
}

/* ---- the labels at the end (doc/formats/mindspore1.md#label-block) ---- */

/* Versions of the block; a line is in it from one of them on. */
enum block { BLOCK_15, BLOCK_17, BLOCK_18, N_BLOCKS };

/* clang-format off */
static const struct {
    int pid; /* -1: the device */
    const char *label[N_BLOCKS]; /* NULL: that of the run's mode */
    enum block since;
} process_labels[] = {
    { -1, { "AI Core Op", NULL, NULL }, BLOCK_15 },
    { MINDSPORE_PID_AICPU, { "AI CPU Op", "AICPU Op", "AICPU OP" }, BLOCK_15 },
    { MINDSPORE_PID_COMM, { "Communication Op", "Communication Op", "Communication Op" }, BLOCK_15 },
    { MINDSPORE_PID_HOST, { "Host CPU Op", "HOSTCPU Op", "Host CPU OP" }, BLOCK_15 },
    { MINDSPORE_PID_OVERLAP, { "Op Overlap Analyse", "Op Overlap Analyse", "Op Overlap Analyse" }, BLOCK_15 },
    { MINDSPORE_PID_KERNEL, { "", "Activity Op", "Activity Op" }, BLOCK_17 },
};
/* Labels of modes that r1.7 spelled otherwise. */
static const struct {
    const char *label, *r17;
} mode_labels[] = { { "AICORE OP", "AICORE Op" }, { "Host CPU OP", "HOSTCPU Op" } };
static const struct {
    int pid, sort;
} process_sorts[] = { { -1, 0 }, { MINDSPORE_PID_AICPU, 10 }, { MINDSPORE_PID_COMM, 20 },
{ MINDSPORE_PID_HOST, 30 }, { MINDSPORE_PID_OVERLAP, 40 } };
static const struct {
    int pid, tid;
    const char *name; /* NULL: none */
    bool sorted;      /* has a sort index: its thread id, for the steps -4 */
    enum block since;
} block_threads[] = {
    { MINDSPORE_PID_HOST, 100003, "Host CPU Op", false, BLOCK_15 }, { MINDSPORE_PID_OVERLAP, 7999,
    "Merged Computation Op", true, BLOCK_15 },
    { MINDSPORE_PID_OVERLAP, 8000, "Pure Communication Op", true, BLOCK_15 }, { MINDSPORE_PID_OVERLAP, 8001,
    "Merged Communication Op", true, BLOCK_15 },
    { MINDSPORE_PID_OVERLAP, 8002, "Free Time", true, BLOCK_15 }, { -1, MINDSPORE_TID_STEPS, "Steps", true,
    BLOCK_17 }, { -1, 0, "Ops", false, BLOCK_17 },
};
/* clang-format on */

static void block_line(const struct events *v, const char *name, int pid, bool first)
{
    emit_fmt(v->o, "%s{\"name\": \"%s\", \"ph\": \"M\", \"pid\": ", first ? "" : ", ", name);
    if (pid < 0)
        put_pid(v->o, v->t, v->t->pid_text);
    else
        emit_i(v->o, pid);
}

static enum block block_of(const struct mindspore_timeline_rules *rules)
{
    return rules->labels_17 ? BLOCK_17 : rules->labels_new ? BLOCK_18 : BLOCK_15;
}

static const char *mode_label(const char *label, enum block b)
{
    for (size_t i = 0; i < ARRAY_LEN(mode_labels) && b == BLOCK_17; i++)
        if (strcmp(mode_labels[i].label, label) == 0)
            return mode_labels[i].r17;
    return label;
}

static void put_process_labels(const struct events *v, enum block have)
{
    for (size_t i = 0; i < ARRAY_LEN(process_labels); i++) {
        const char *label = process_labels[i].label[have];
        if (process_labels[i].since > have)
            continue;
        block_line(v, "process_labels", process_labels[i].pid, i == 0);
        emit_fmt(v->o, ", \"args\": {\"labels\": \"%s\"}}",
                 label ? label : mode_label(v->t->device_label, have));
    }
}

static void put_labels(const struct events *v)
{
    enum block have = block_of(v->t->r->rules->timeline);

    put_process_labels(v, have);
    for (size_t i = 0; i < ARRAY_LEN(process_sorts); i++) {
        block_line(v, "process_sort_index", process_sorts[i].pid, false);
        emit_fmt(v->o, ", \"args\": {\"sort_index\": %d}}", process_sorts[i].sort);
    }
    for (size_t i = 0; i < ARRAY_LEN(block_threads); i++) {
        bool step = have == BLOCK_17 && block_threads[i].tid == MINDSPORE_TID_STEPS;
        if (block_threads[i].since > have)
            continue;
        block_line(v, "thread_name", block_threads[i].pid, false);
        emit_fmt(v->o, ", \"tid\": %d, \"args\": {\"name\": \"%s\"}}", block_threads[i].tid,
                 step ? "Step" : block_threads[i].name);
    }
    for (size_t i = 0; i < ARRAY_LEN(block_threads); i++) {
        int tid = block_threads[i].tid;
        if (block_threads[i].since > have || !block_threads[i].sorted)
            continue;
        block_line(v, "thread_sort_index", block_threads[i].pid, false);
        emit_fmt(v->o, ", \"tid\": %d, \"args\": {\"sort_index\": %d}}", tid,
                 tid == MINDSPORE_TID_STEPS ? -4 : tid);
    }
}

/* ---- the files ---- */

/* The version leaves out all events after so many bytes. */
static bool is_full(const struct events *v)
{
    return v->o->total + v->o->n > v->t->r->rules->timeline->limit_mib * MIB;
}

static void report_cut(const struct events *v, size_t left)
{
    char text[200];

    snprintf(text, sizeof text, "%s%d.json ends after %u MiB, the limit of %s: %zu events are not in it",
             v->t->target->display, v->t->r->number, (unsigned)v->t->r->rules->timeline->limit_mib,
             v->t->r->rules->word, left);
    emit_report_note(v->t->r->report, &(struct emit_note){ .offset = ERR_NO_OFFSET, .text = text });
}

static int put_events(const struct events *v, struct err *e)
{
    const struct mindspore_rows *rows = &v->t->rows;
    bool block = v->t->r->rules->timeline->labels, full = false;
    size_t i = 0;

    emit_c(v->o, '[');
    for (size_t k = 0; k < v->n_order && !v->t->plain_rows; k++) {
        put_thread(v, v->order[k]);
        if (block || k + 1 < v->n_order || rows->n)
            emit_c(v->o, ',');
    }
    for (; i < rows->n && !full; i++) {
        if (i % 65536 == 0 && sink_cancelled(v->t->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        put_event(v, &rows->v[i]);
        full = is_full(v);
        if (block || (!full && i + 1 < rows->n))
            emit_c(v->o, ',');
    }
    if (i < rows->n)
        report_cut(v, rows->n - i);
    if (block)
        put_labels(v);
    emit_c(v->o, ']');
    return OK;
}

static int write_summary(const struct mindspore_timeline *t, bool timed, struct err *e)
{
    struct emit *o;

    if (mindspore_open(t->r, &o, t->target->summary, ".json", e))
        return e->code;
    emit_s(o, "{\"total_time\": ");
    if (timed)
        emit_repr(o, t->total_time);
    else
        emit_c(o, '0');
    emit_fmt(o, ", \"num_of_streams\": %U, \"num_of_ops\": %U, \"op_exe_times\": %U", t->n_streams, t->n_ops,
             t->n_executions);
    if (t->r->rules->timeline->scopes)
        emit_fmt(o, ", \"max_scope_name_num\": %U", t->max_scope);
    emit_c(o, '}');
    return mindspore_close(t->r, o, e);
}

/* Ops by name, for their facts. */
static int find_ops(struct events *v, struct err *e)
{
    const struct mindspore_run *r = v->t->r;

    v->ops = calloc(r->n_ops ? r->n_ops : 1, sizeof *v->ops);
    if (!v->ops)
        return err_nomem(e);
    if (intern_new(&v->names, e))
        return e->code;
    for (size_t i = 0; i < r->n_ops; i++) {
        uint32_t id = r->ops[i].info ? intern_put(v->names, r->ops[i].full) : 0;
        if (id == INTERN_NONE)
            return err_nomem(e);
        if (r->ops[i].info)
            v->ops[id] = &r->ops[i];
    }
    return OK;
}

static int prepare(struct events *v, struct err *e)
{
    struct mindspore_timeline *t = v->t;
    size_t n = intern_count(t->labels);

    v->threads = calloc(n, sizeof *v->threads);
    v->order = calloc(n, sizeof *v->order);
    if (!v->threads || !v->order)
        return err_nomem(e);
    for (uint32_t i = 0; i < n; i++)
        v->threads[i] = thread_of(t, intern_get(t->labels, i));
    v->timed = t->total_time != 0;
    for (size_t i = 0; i < t->rows.n; i++) {
        count(v, &t->rows.v[i]);
        v->timed |= !is_mark(&t->rows.v[i]) && !is_wide(&t->rows.v[i]);
    }
    return t->with_args ? find_ops(v, e) : OK;
}

int mindspore_timeline_write(struct mindspore_timeline *t, struct err *e)
{
    struct events v = { .t = t };

    if (prepare(&v, e) || mindspore_open(t->r, &v.o, t->target->display, ".json", e))
        goto out;
    (void)put_events(&v, e);
    if (mindspore_close(t->r, v.o, e) == OK)
        (void)write_summary(t, v.timed, e);
out:
    intern_free(v.names);
    free(v.ops);
    free(v.order);
    free(v.threads);
    return e->code;
}
