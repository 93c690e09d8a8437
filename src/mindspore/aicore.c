/* SPDX-License-Identifier: Apache-2.0 */
/* Mean times of ops and of their types (doc/formats/mindspore1.md#aicore_intermediate). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "emit/decimal.h"
#include "mindspore/run.h"

/* The ops of one type, in order of the first. */
struct type {
    struct str name;
    struct decimal sum;
    uint64_t n;
};
/* An op in the order of the detailed list: by type, within a type the longest first. */
struct place {
    uint32_t type, op;
    double avg_ms;
};

struct types {
    struct type *types;
    size_t n;
    struct place *places; /* one per op */
    struct decimal total;
};

static struct str type_of(const struct mindspore_op *op)
{
    return op->info ? op->info->type : STR("");
}

/* ---- types ---- */

static int count_types(struct mindspore_run *r, struct types *x, struct err *e)
{
    uint32_t *no = arena_array(r->a, (size_t)intern_count(r->texts) + 2, sizeof *no);
    double sum = 0;

    x->types = arena_array(r->a, r->n_ops + 1, sizeof *x->types);
    x->places = arena_array(r->a, r->n_ops + 1, sizeof *x->places);
    if (!no || !x->types || !x->places)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_ops; i++) {
        const struct mindspore_op *op = &r->ops[i];
        uint32_t id = intern_find(r->texts, type_of(op)); /* "" may not be a text of the run */
        uint32_t *at = &no[id == INTERN_NONE ? intern_count(r->texts) : id];
        if (!*at) {
            x->types[x->n] = (struct type){ .name = type_of(op) };
            *at = (uint32_t)++x->n;
        }
        struct type *t = &x->types[*at - 1];
        struct decimal avg = decimal_of(op->avg_ms);
        t->sum = t->n++ ? decimal_add(t->sum, avg) : avg;
        x->places[i] = (struct place){ *at - 1, (uint32_t)i, op->avg_ms };
        sum += op->avg_ms;
    }
    x->total = decimal_of(sum);
    return OK;
}

static struct str percent_of(const struct types *x, const struct type *t, char text[DECIMAL_TEXT])
{
    struct str s;

    return decimal_percent(t->sum, x->total, text, &s) ? s : STR("0.00");
}

/* ---- files ---- */

static int write_ops(struct mindspore_run *r, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "aicore_intermediate_", "_detail.csv", e))
        return e->code;
    emit_s(o, "full_op_name,execution_time");
    mindspore_end_row(o);
    for (size_t i = 0; i < r->n_ops; i++) {
        mindspore_cell(o, r->ops[i].full, true);
        emit_fmt(o, ",%r", r->ops[i].avg_ms);
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

static int write_types(struct mindspore_run *r, const struct types *x, struct err *e)
{
    char text[DECIMAL_TEXT];
    struct emit *o;

    if (mindspore_open(r, &o, "aicore_intermediate_", "_type.csv", e))
        return e->code;
    emit_s(o, "op_type,execution_time,execution_frequency,percent");
    mindspore_end_row(o);
    for (size_t i = 0; i < x->n; i++) {
        const struct type *t = &x->types[i];
        mindspore_cell(o, t->name, true);
        mindspore_cell(o, decimal_text(t->sum, text), false);
        emit_fmt(o, ",%U", t->n);
        mindspore_cell(o, percent_of(x, t, text), false);
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

/* The double nearest to a decimal text. */
static double value_of(struct str s)
{
    double v;

    return str_f64(s, &v) ? v : 0;
}

static void put_type(struct emit *o, const struct types *x, const struct type *t)
{
    char text[DECIMAL_TEXT];

    emit_str(o, t->name);
    emit_fmt(o, " %r %U", value_of(decimal_text(t->sum, text)), t->n);
    emit_fmt(o, " %r\n", value_of(percent_of(x, t, text)));
}

static void put_op(struct emit *o, const struct mindspore_op *op)
{
    const struct mindspore_framework *f = op->info;

    emit_str(o, f ? f->name : STR(""));
    emit_c(o, ' ');
    emit_str(o, type_of(op));
    emit_fmt(o, " %r ", op->avg_ms);
    emit_str(o, f ? f->subgraph : STR(""));
    emit_c(o, ' ');
    emit_str(o, op->full);
    emit_c(o, '\n');
}

static int place_cmp(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    if (x->avg_ms != y->avg_ms)
        return x->avg_ms > y->avg_ms ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int write_detail(struct mindspore_run *r, const struct types *x, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "output_op_compute_time_detail_", ".txt", e))
        return e->code;
    mindspore_title(o, "op compute time");
    emit_s(o, "optype_name compute_time(ms, per-step) called_times(per-step) percent\n");
    for (size_t i = 0; i < x->n; i++)
        put_type(o, x, &x->types[i]);
    emit_s(o, "\nDetail:\nop_name op_type avg_execution_time subgraph full_op_name\n");
    qsort(x->places, r->n_ops, sizeof *x->places, place_cmp);
    for (size_t i = 0; i < r->n_ops; i++)
        put_op(o, &r->ops[x->places[i].op]);
    return mindspore_close(r, o, e);
}

static void no_types(struct mindspore_run *r, const char *why)
{
    mindspore_no_data(r, "aicore_intermediate_", "_type.csv", why);
    mindspore_no_data(r, "output_op_compute_time_detail_", ".txt", why);
}

int mindspore_aicore(struct mindspore_run *r, struct err *e)
{
    struct types x = { .n = 0 };

    if (!r->n_ops) {
        mindspore_no_data(r, "aicore_intermediate_", "_detail.csv", "no op was executed");
        no_types(r, "no op was executed");
        return OK;
    }
    if (write_ops(r, e) || count_types(r, &x, e))
        return e->code;
    if (!x.total.c) {
        no_types(r, "the ops took no time");
        return OK;
    }
    return write_types(r, &x, e) ? e->code : write_detail(r, &x, e);
}
