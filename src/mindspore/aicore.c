/* Mean times of ops and of their types (formats/gen1-raw.md 7.6). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "emit/decimal.h"
#include "mindspore/run.h"

/* The ops of one type, in order of the first. */
struct type {
    struct str name;
    struct g1_decimal sum;
    uint64_t n;
};
/* An op in the order of the detailed list: by type, inside a type the longest first. */
struct place {
    uint32_t type, op;
    double avg_ms;
};

struct types {
    struct type *types;
    size_t n;
    struct place *places; /* one per op */
    struct g1_decimal total;
};

static struct str type_of(const struct g1_op *op)
{
    return op->info ? op->info->type : STR("");
}

/* ---- types ---- */

static int count_types(struct g1_run *r, struct types *x, struct err *e)
{
    uint32_t *no = arena_array(r->a, (size_t)intern_count(r->texts) + 2, sizeof *no);
    double sum = 0;

    x->types = arena_array(r->a, r->n_ops + 1, sizeof *x->types);
    x->places = arena_array(r->a, r->n_ops + 1, sizeof *x->places);
    if (!no || !x->types || !x->places)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_ops; i++) {
        const struct g1_op *op = &r->ops[i];
        uint32_t id = intern_find(r->texts, type_of(op)); /* "" may be no text of the run */
        uint32_t *at = &no[id == INTERN_NONE ? intern_count(r->texts) : id];
        if (!*at) {
            x->types[x->n] = (struct type){ .name = type_of(op) };
            *at = (uint32_t)++x->n;
        }
        struct type *t = &x->types[*at - 1];
        struct g1_decimal avg = g1_decimal_of(op->avg_ms);
        t->sum = t->n++ ? g1_decimal_add(t->sum, avg) : avg;
        x->places[i] = (struct place){ *at - 1, (uint32_t)i, op->avg_ms };
        sum += op->avg_ms;
    }
    x->total = g1_decimal_of(sum);
    return OK;
}

static struct str percent_of(const struct types *x, const struct type *t,
                             char text[G1_DECIMAL_TEXT])
{
    struct str s;

    return g1_decimal_percent(t->sum, x->total, text, &s) ? s : STR("0.00");
}

/* ---- files ---- */

static int write_ops(struct g1_run *r, struct err *e)
{
    struct vout *o;

    if (g1_open(r, &o, "aicore_intermediate_", "_detail.csv", e))
        return (int)e->code;
    vout_s(o, "full_op_name,execution_time");
    g1_end_row(o);
    for (size_t i = 0; i < r->n_ops; i++) {
        g1_cell(o, r->ops[i].full, true);
        vout_fmt(o, ",%r", r->ops[i].avg_ms);
        g1_end_row(o);
    }
    return g1_close(r, o, e);
}

static int write_types(struct g1_run *r, const struct types *x, struct err *e)
{
    char text[G1_DECIMAL_TEXT];
    struct vout *o;

    if (g1_open(r, &o, "aicore_intermediate_", "_type.csv", e))
        return (int)e->code;
    vout_s(o, "op_type,execution_time,execution_frequency,percent");
    g1_end_row(o);
    for (size_t i = 0; i < x->n; i++) {
        const struct type *t = &x->types[i];
        g1_cell(o, t->name, true);
        g1_cell(o, g1_decimal_text(t->sum, text), false);
        vout_fmt(o, ",%U", t->n);
        g1_cell(o, percent_of(x, t, text), false);
        g1_end_row(o);
    }
    return g1_close(r, o, e);
}

/* The double that a decimal text reads as. */
static double value_of(struct str s)
{
    double v;

    return str_f64(s, &v) ? v : 0;
}

static void put_type(struct vout *o, const struct types *x, const struct type *t)
{
    char text[G1_DECIMAL_TEXT];

    vout_str(o, t->name);
    vout_fmt(o, " %r %U", value_of(g1_decimal_text(t->sum, text)), t->n);
    vout_fmt(o, " %r\n", value_of(percent_of(x, t, text)));
}

static void put_op(struct vout *o, const struct g1_op *op)
{
    const struct g1_framework *f = op->info;

    vout_str(o, f ? f->name : STR(""));
    vout_c(o, ' ');
    vout_str(o, type_of(op));
    vout_fmt(o, " %r ", op->avg_ms);
    vout_str(o, f ? f->subgraph : STR(""));
    vout_c(o, ' ');
    vout_str(o, op->full);
    vout_c(o, '\n');
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

static int write_detail(struct g1_run *r, const struct types *x, struct err *e)
{
    struct vout *o;

    if (g1_open(r, &o, "output_op_compute_time_detail_", ".txt", e))
        return (int)e->code;
    g1_title(o, "op compute time");
    vout_s(o, "optype_name compute_time(ms, per-step) called_times(per-step) percent\n");
    for (size_t i = 0; i < x->n; i++)
        put_type(o, x, &x->types[i]);
    vout_s(o, "\nDetail:\nop_name op_type avg_execution_time subgraph full_op_name\n");
    qsort(x->places, r->n_ops, sizeof *x->places, place_cmp);
    for (size_t i = 0; i < r->n_ops; i++)
        put_op(o, &r->ops[x->places[i].op]);
    return g1_close(r, o, e);
}

static void no_types(struct g1_run *r, const char *why)
{
    g1_no_data(r, "aicore_intermediate_", "_type.csv", why);
    g1_no_data(r, "output_op_compute_time_detail_", ".txt", why);
}

int g1_aicore(struct g1_run *r, struct err *e)
{
    struct types x = { .n = 0 };

    if (!r->n_ops) {
        g1_no_data(r, "aicore_intermediate_", "_detail.csv", "no op was executed");
        no_types(r, "no op was executed");
        return OK;
    }
    if (write_ops(r, e) || count_types(r, &x, e))
        return (int)e->code;
    if (!x.total.c) {
        no_types(r, "the ops took no time");
        return OK;
    }
    return write_types(r, &x, e) ? (int)e->code : write_detail(r, &x, e);
}
