/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamic_shape_info_N.json of a network of dynamic shapes (doc/formats/mindspore1.md#dynamic_shape_info):
 * the time and the shapes of each op in each step, and the mean time of its type.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "mindspore/run.h"

#define BEFORE "dynamic_shape_info_"

/* An op by its short name, in order of its first execution. */
struct dyn_op {
    struct str name;
    uint32_t type;
    size_t n_times, times;   /* count, index of the first in dynamic.time */
    size_t n_shapes, shapes; /* count, index of the first in dynamic.row */
    bool kept;
};
struct dynamic {
    struct mindspore_run *r;
    struct intern *names, *types;
    struct dyn_op *op;
    size_t n_ops, steps;
    double *time;
    size_t *row;
    struct buf text;
    struct emit *o;
};

/* ---- gathering ---- */

/* The i-th execution: first those of the timeline, then AI CPU tasks (with their dispatch time). */
static void exec_at(const struct mindspore_run *r, size_t i, struct str *name, double *ms)
{
    bool cpu = i >= r->n_execs;

    *name = cpu ? r->aicpu[i - r->n_execs].name : mindspore_short(r->execs[i].full);
    *ms = cpu ? r->aicpu[i - r->n_execs].dispatch_ms : r->execs[i].dur_ms;
}

static int list_ops(struct dynamic *d, size_t n, struct err *e)
{
    const struct mindspore_run *r = d->r;
    struct str name;
    double ms;

    d->op = arena_array(r->a, n + 1, sizeof *d->op);
    if (!d->op)
        return err_nomem(e);
    if (intern_new(&d->names, e) || intern_new(&d->types, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        exec_at(r, i, &name, &ms);
        uint32_t id = intern_put(d->names, name);
        if (id == INTERN_NONE)
            return err_nomem(e);
        d->op[id].n_times++;
    }
    for (size_t i = 0; i < r->n_framework; i++) {
        uint32_t id = intern_find(d->names, mindspore_short(r->framework[i].full));
        if (id != INTERN_NONE)
            d->op[id].n_shapes++;
    }
    d->n_ops = intern_count(d->names);
    return OK;
}

/* Copies the times and the rows of each op to adjacent elements. */
static int fill_lists(struct dynamic *d, size_t n, struct err *e)
{
    const struct mindspore_run *r = d->r;
    size_t times = 0, shapes = 0;
    struct str name;
    double ms;

    d->time = arena_array(r->a, n + 1, sizeof *d->time);
    d->row = arena_array(r->a, r->n_framework + 1, sizeof *d->row);
    if (!d->time || !d->row)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_ops; i++) {
        struct dyn_op *op = &d->op[i];
        op->name = intern_get(d->names, (uint32_t)i);
        op->times = times;
        op->shapes = shapes;
        times += op->n_times;
        shapes += op->n_shapes;
        op->n_times = op->n_shapes = 0;
    }
    for (size_t i = 0; i < n; i++) {
        exec_at(r, i, &name, &ms);
        struct dyn_op *op = &d->op[intern_find(d->names, name)];
        d->time[op->times + op->n_times++] = ms;
    }
    for (size_t i = 0; i < r->n_framework; i++) {
        uint32_t id = intern_find(d->names, mindspore_short(r->framework[i].full));
        if (id != INTERN_NONE)
            d->row[d->op[id].shapes + d->op[id].n_shapes++] = i;
    }
    return OK;
}

/* ---- steps ---- */

struct tally {
    size_t count, first; /* count: times of an op; first: its index */
};

static int by_count(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/*
 * The number of steps is the most frequent number of times, among ops with equally many times and shapes; of
 * equally frequent numbers the one whose op comes first. 0: there is no such op.
 */
static int count_steps(struct dynamic *d, struct err *e)
{
    struct tally *t = arena_array(d->r->a, d->n_ops + 1, sizeof *t);
    size_t n = 0, most = 0, first = 0;

    if (!t)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_ops; i++)
        if (d->op[i].n_times == d->op[i].n_shapes)
            t[n++] = (struct tally){ d->op[i].n_times, i };
    qsort(t, n, sizeof *t, by_count);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && t[to].count == t[from].count; to++)
            ;
        if (to - from > most || (to - from == most && t[from].first < first)) {
            most = to - from;
            first = t[from].first;
            d->steps = t[from].count;
        }
    }
    return OK;
}

static int keep_ops(struct dynamic *d, struct err *e)
{
    for (size_t i = 0; i < d->n_ops; i++) {
        struct dyn_op *op = &d->op[i];
        op->kept = op->n_times == d->steps && op->n_shapes == d->steps;
        if (!op->kept)
            continue;
        op->type = intern_put(d->types, str_sub(op->name, 0, str_chr(op->name, '-')));
        if (op->type == INTERN_NONE)
            return err_nomem(e);
    }
    return OK;
}

/* ---- the file ---- */

/* The cells of framework_raw from op_info on, without quotes. */
static void shape_text(struct dynamic *d, const struct mindspore_framework *f)
{
    struct buf *b = &d->text;

    buf_clear(b);
    buf_puts(b, f->has_info ? "{" : "");
    for (size_t i = 0; i < f->n_tensors && f->has_info; i++) {
        const struct mindspore_tensor *t = &f->tensors[i];
        buf_puts(b, i ? ", " : "");
        buf_add(b, t->key);
        buf_puts(b, ": {format: ");
        buf_add(b, t->format);
        buf_puts(b, ", data_type: ");
        buf_add(b, t->type);
        buf_puts(b, ", shape: ");
        buf_add(b, t->shape);
        buf_addc(b, '}');
    }
    buf_puts(b, f->has_info ? "}" : "");
    if (d->r->rules->graph_id)
        buf_printf(b, ",%lld", (long long)f->graph_id);
}

static int put_op(struct dynamic *d, const struct dyn_op *op, struct err *e)
{
    struct emit *o = d->o;

    emit_c(o, '{');
    mindspore_json_text(o, op->name);
    emit_s(o, ": {\"op_exe_time\": [");
    for (size_t i = 0; i < d->steps; i++) {
        emit_s(o, i ? ", " : "");
        emit_repr(o, d->time[op->times + i]);
    }
    emit_s(o, "], \"op_shape\": [");
    for (size_t i = 0; i < d->steps; i++) {
        emit_s(o, i ? ", " : "");
        shape_text(d, &d->r->framework[d->row[op->shapes + i]]);
        if (buf_failed(&d->text))
            return err_nomem(e);
        mindspore_json_text(o, buf_str(&d->text));
    }
    emit_fmt(o, "], \"op_exe_occurrences\": %U}}", (uint64_t)d->steps);
    return OK;
}

/* Ops by type, within a type in order of their indexes. */
struct of_type {
    uint32_t type;
    size_t op;
};

static int by_type(const void *a, const void *b)
{
    const struct of_type *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static void put_means(struct dynamic *d, const struct of_type *v, size_t n)
{
    mindspore_json_text(d->o, intern_get(d->types, v->type));
    emit_s(d->o, ": [");
    for (size_t step = 0; step < d->steps; step++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += d->time[d->op[v[i].op].times + step];
        emit_s(d->o, step ? ", " : "");
        emit_repr(d->o, rint(sum / (double)n * 10000) / 10000);
    }
    emit_c(d->o, ']');
}

static int put_types(struct dynamic *d, const struct of_type *v, size_t n, struct err *e)
{
    for (size_t from = 0, to; from < n; from = to) {
        mindspore_json_text(d->o, intern_get(d->types, v[from].type));
        emit_s(d->o, ": [");
        for (to = from; to < n && v[to].type == v[from].type; to++) {
            emit_s(d->o, to > from ? ", " : "");
            if (put_op(d, &d->op[v[to].op], e))
                return e->code;
        }
        emit_s(d->o, "], ");
    }
    emit_s(d->o, "\"op_type\": {");
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && v[to].type == v[from].type; to++)
            ;
        emit_s(d->o, from ? ", " : "");
        put_means(d, v + from, to - from);
    }
    emit_c(d->o, '}');
    return OK;
}

static int write_file(struct dynamic *d, struct err *e)
{
    struct of_type *v = arena_array(d->r->a, d->n_ops + 1, sizeof *v);
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_ops; i++)
        if (d->op[i].kept)
            v[n++] = (struct of_type){ d->op[i].type, i };
    qsort(v, n, sizeof *v, by_type);
    if (mindspore_open(d->r, &d->o, BEFORE, ".json", e))
        return e->code;
    emit_c(d->o, '{');
    put_types(d, v, n, e);
    emit_c(d->o, '}');
    return mindspore_close(d->r, d->o, e);
}

int mindspore_dynamic(struct mindspore_run *r, struct err *e)
{
    struct dynamic d = { .r = r };
    size_t n = r->n_execs + r->n_aicpu;

    if (!r->rules->dynamic_shapes || !r->dynamic)
        return OK;
    buf_init(&d.text, LIM_ROW_B);
    if (list_ops(&d, n, e) == OK && fill_lists(&d, n, e) == OK && count_steps(&d, e) == OK) {
        if (!d.steps)
            mindspore_no_data(r, BEFORE, ".json", "no op has as many shapes as executions");
        else if (keep_ops(&d, e) == OK)
            write_file(&d, e);
    }
    buf_done(&d.text);
    intern_free(d.names);
    intern_free(d.types);
    return e->code;
}
