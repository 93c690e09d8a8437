/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of host_op: what the framework did on the host, with its time there and on the device. Ops; modules
 * and optimizers, which hold them; garbage collections; shapes that were recorded without a time.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bounded.h"
#include "base/buf.h"
#include "parsers/prof/rows/rows_framework.h"

#define EXTRA_B ((size_t)64 << 10)

struct cost {      /* of a range: ns */
    int64_t inner; /* of the ranges that it holds */
    int64_t device, device_self, aicore, aicore_self;
    uint32_t op, frame; /* the nearest op around it, and the module or optimizer inside of that */
};
struct writing {
    struct prof_rows *r;
    struct prof_rows_framework *w;
    const struct framework *f;
    struct cost *cost;
    bool *told; /* of each parameters: they have a row */
};

static struct val text_of(const struct writing *x, uint32_t text)
{
    return text == FRAMEWORK_NONE ? val_null() : sink_text(x->r->g->out, framework_str(x->f, text));
}

/* ---- what has a row ---- */

static bool is_op(const struct framework_range *a)
{
    return !(a->is & (RANGE_FRAME | RANGE_FLOW)) && a->to > a->from;
}

static const char *frame_type(const struct writing *x, const struct framework_range *a)
{
    const struct framework_params *p = framework_python_params(&x->w->python, a);

    if (!(a->is & RANGE_FRAME) || a->to <= a->from)
        return NULL;
    return a->is & RANGE_MODULE ? "module" : p && p->optimizer != FRAMEWORK_NONE ? "optimizer" : NULL;
}

/* Step marks are steps, not ops; calls of Python are many, and on their tracks. */
static bool has_row(const struct writing *x, const struct framework_range *a)
{
    return (is_op(a) && !(a->is & RANGE_STEP)) || frame_type(x, a);
}

/* ---- times ---- */

static int add_cost(void *arg, const struct prof_launched *l, struct err *e)
{
    struct writing *x = arg;
    const struct prof_model *m = &x->r->m;
    struct cost *c = &x->cost[l->range];

    (void)e;
    c->device_self = bounded_add(c->device_self, bounded_sub(l->to, l->from));
    if (l->op != PROF_NONE && str_eq(prof_str(m->p, m->host.op[l->op].core), STR("AI_CORE")))
        c->aicore_self = bounded_add(c->aicore_self, bounded_sub(l->to, l->from));
    return OK;
}

static void find_around(struct writing *x, uint32_t at)
{
    uint32_t above = x->w->joins.above[at];
    struct cost *c = &x->cost[at];

    c->op = c->frame = FRAMEWORK_NONE;
    if (above == FRAMEWORK_NONE)
        return;
    const struct framework_range *a = &x->f->range[above];
    c->op = is_op(a) ? above : x->cost[above].op;
    c->frame = is_op(a) ? FRAMEWORK_NONE : frame_type(x, a) ? above : x->cost[above].frame;
}

/*
 * The time of a range is no own time of the op around it, whatever frames of Python lie between; a module's
 * own time is what no op or module in it took.
 */
static void take_from_above(struct writing *x, uint32_t at)
{
    const struct framework_range *a = &x->f->range[at];
    const struct cost *c = &x->cost[at];

    if (!is_op(a) && !has_row(x, a))
        return;
    if (is_op(a) && c->op != FRAMEWORK_NONE)
        x->cost[c->op].inner = bounded_add(x->cost[c->op].inner, a->to - a->from);
    if (c->frame != FRAMEWORK_NONE)
        x->cost[c->frame].inner = bounded_add(x->cost[c->frame].inner, a->to - a->from);
}

static void add_to_above(struct writing *x, uint32_t at)
{
    struct cost *c = &x->cost[at];

    c->device = bounded_add(c->device, c->device_self);
    c->aicore = bounded_add(c->aicore, c->aicore_self);
    if (x->w->joins.above[at] == FRAMEWORK_NONE)
        return;
    struct cost *above = &x->cost[x->w->joins.above[at]];
    above->device = bounded_add(above->device, c->device);
    above->aicore = bounded_add(above->aicore, c->aicore);
}

static int find_costs(struct writing *x, struct err *e)
{
    const struct framework *f = x->f;
    const struct framework_joins *j = &x->w->joins;

    x->cost = spool_array(f->pool, f->n_ranges + 1, sizeof *x->cost);
    x->told = spool_array(f->pool, x->w->python.n_params + 1, sizeof *x->told);
    if (!x->cost || !x->told)
        return err_nomem(e);
    if (prof_rows_each_launched(x->r, add_cost, x, e))
        return e->code;
    for (size_t i = 0; i < f->n_ranges; i++) { /* those around before inner ones */
        find_around(x, j->order[i]);
        take_from_above(x, j->order[i]);
    }
    for (size_t i = f->n_ranges; i-- > 0;)
        add_to_above(x, j->order[i]);
    return OK;
}

/* ---- parameters ---- */

/* As JSON: {"parameters":"weight float [128,64]; bias float [128]","parameters_b":33280}. */
static void add_params(struct buf *out, struct str text, bool optimizer)
{
    struct framework_param p;
    struct buf list;
    uint64_t total = 0;
    size_t n = 0;

    buf_init(&list, EXTRA_B);
    while (framework_param_next(&text, optimizer, &p) &&
           list.n + p.name.n + p.type.n + p.sizes.n + 8 < EXTRA_B) {
        buf_puts(&list, n++ ? "; " : "");
        buf_add(&list, p.name);
        buf_puts(&list, p.name.n ? " " : "");
        buf_add(&list, p.type);
        buf_puts(&list, " [");
        buf_add(&list, p.sizes);
        buf_puts(&list, "]");
        if (__builtin_add_overflow(total, p.size_b, &total))
            total = UINT64_MAX;
    }
    if (n) {
        buf_puts(out, "{\"parameters\":");
        buf_json(out, buf_str(&list));
        buf_printf(out, ",\"parameters_b\":%" PRIu64 "}", total <= INT64_MAX ? total : INT64_MAX);
    }
    buf_done(&list);
}

/* Parameters stand with the first call of their module or optimizer. */
static void take_params(struct writing *x, const struct framework_range *a, struct buf *extra)
{
    const struct framework_params *p = framework_python_params(&x->w->python, a);
    bool *told = p ? &x->told[p - x->w->python.params] : NULL;

    if (!told || *told)
        return;
    *told = true;
    if (p->module != FRAMEWORK_NONE)
        add_params(extra, framework_str(x->f, p->module), false);
    else if (p->optimizer != FRAMEWORK_NONE)
        add_params(extra, framework_str(x->f, p->optimizer), true);
}

/* ---- rows ---- */

static int put_row(struct writing *x, const struct val *v, struct err *e)
{
    return sink_row(x->r->g->out, T_host_op, v, N_COLS(host_op), NULL, e);
}

static void take_costs(const struct writing *x, const struct framework_range *a, const struct cost *c,
                       struct val *v)
{
    v[COL(host_op, ts_ns)] = val_int(a->from);
    v[COL(host_op, dur_ns)] = val_int(a->to - a->from);
    v[COL(host_op, self_ns)] = val_int(bounded_sub(a->to - a->from, c->inner));
    if (!x->r->m.p)
        return;
    v[COL(host_op, device_ns)] = val_int(c->device);
    v[COL(host_op, device_self_ns)] = val_int(c->device_self);
    v[COL(host_op, aicore_ns)] = val_int(c->aicore);
    v[COL(host_op, aicore_self_ns)] = val_int(c->aicore_self);
}

static int put_op(struct writing *x, size_t i, struct buf *extra, struct err *e)
{
    const struct framework_range *a = &x->f->range[i];
    const struct framework_step *step = prof_rows_marked_step(x->w, a->from);
    const char *type = frame_type(x, a);
    struct val v[N_COLS(host_op)] = { 0 };
    struct framework_place place;
    char thread[24];

    if (prof_rows_place(x->w, x->r->g->out, (uint32_t)i, &place, e))
        return e->code;
    snprintf(thread, sizeof thread, "%" PRIu64, a->thread);
    v[COL(host_op, name_id)] = text_of(x, a->name);
    v[COL(host_op, type_id)] = type ? sink_text(x->r->g->out, str_of(type)) : val_null();
    v[COL(host_op, rank)] = val_int(prof_rows_own_rank(x->r));
    v[COL(host_op, thread)] = val_cstr(thread);
    take_costs(x, a, &x->cost[i], v);
    v[COL(host_op, in_shapes_id)] = text_of(x, a->shapes);
    v[COL(host_op, stack_id)] = val_id(place.stack);
    v[COL(host_op, module_id)] = val_id(place.module);
    v[COL(host_op, step)] = step ? val_int(step->number) : val_null();
    v[COL(host_op, source_id)] = val_id(i < x->w->n_recorded ? x->w->source : x->w->call_source);
    v[COL(host_op, line)] = val_int(a->line);
    buf_clear(extra);
    take_params(x, a, extra);
    if (extra->n)
        v[COL(host_op, extra)] = val_text(buf_str(extra));
    return put_row(x, v, e);
}

static int put_ops(struct writing *x, struct err *e)
{
    struct buf extra;

    buf_init(&extra, 4 * EXTRA_B);
    for (size_t i = 0; i < x->f->n_ranges && !e->code; i++)
        if (has_row(x, &x->f->range[i]))
            (void)!put_op(x, i, &extra, e);
    if (!e->code && buf_failed(&extra))
        err_nomem(e);
    buf_done(&extra);
    return e->code;
}

static int put_collections(struct writing *x, struct err *e)
{
    const struct framework_python *p = &x->w->python;
    struct val v[N_COLS(host_op)] = { 0 };

    v[COL(host_op, name_id)] = v[COL(host_op, type_id)] = sink_text(x->r->g->out, STR(FRAMEWORK_GC));
    v[COL(host_op, rank)] = val_int(prof_rows_own_rank(x->r));
    v[COL(host_op, source_id)] = val_id(x->w->gc_source);
    for (size_t i = 0; i < p->n_gc; i++) {
        const struct framework_collection *a = &p->gc[i];
        const struct framework_step *step = prof_rows_marked_step(x->w, a->from);
        v[COL(host_op, ts_ns)] = val_int(a->from);
        v[COL(host_op, dur_ns)] = v[COL(host_op, self_ns)] = val_int(a->to - a->from);
        v[COL(host_op, step)] = step ? val_int(step->number) : val_null();
        v[COL(host_op, line)] = val_int(a->line);
        if (a->to >= a->from && put_row(x, v, e))
            return e->code;
    }
    return OK;
}

/* As operator_details.csv of MindSpore has them: no times, in the order of the file. */
static int put_shapes(struct writing *x, struct err *e)
{
    const struct framework_python *p = &x->w->python;
    struct val v[N_COLS(host_op)] = { 0 };

    v[COL(host_op, type_id)] = sink_text(x->r->g->out, STR("shapes"));
    v[COL(host_op, rank)] = val_int(prof_rows_own_rank(x->r));
    v[COL(host_op, source_id)] = val_id(x->w->shapes_source);
    for (size_t i = 0; i < p->n_shapes; i++) {
        v[COL(host_op, name_id)] = text_of(x, p->shapes[i].name);
        v[COL(host_op, in_shapes_id)] = text_of(x, p->shapes[i].shapes);
        v[COL(host_op, line)] = val_int(p->shapes[i].line);
        if (put_row(x, v, e))
            return e->code;
    }
    return OK;
}

int prof_rows_framework_ops(struct prof_rows_framework *w, struct prof_rows *r, struct err *e)
{
    struct writing x = { .r = r, .w = w, .f = &w->f };

    (void)!(find_costs(&x, e) || put_ops(&x, e) || put_collections(&x, e) || put_shapes(&x, e));
    spool_free(w->f.pool, x.cost);
    spool_free(w->f.pool, x.told);
    return e->code;
}
