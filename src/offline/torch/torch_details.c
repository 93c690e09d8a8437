/* SPDX-License-Identifier: Apache-2.0 */
/* operator_details.csv of torch_npu (doc/formats/framework.md#torch_npu-operator_details). */
#include "config.h"

#include <math.h>

#include "base/buf.h"
#include "base/large/sort_index.h"
#include "offline/torch/torch_joins.h"

#define DEPTH_MAX 1000 /* beyond it sums are added up once for all ops, not for each in upstream's order */
#define LIST_MAX  ((size_t)64 << 20)

struct cost { /* of an op: us on the device */
    double self, total, core_self, core_total;
    int64_t inner;   /* ns on the host of the ops in it */
    bool has, below; /* kernels: its own, those of ops below it as well */
    bool has_core, below_core;
};
struct writing {
    struct offline_run *r;
    const struct offline_timeline *t;
    const struct torch_joins *j;
    struct cost *cost; /* by range */
    struct buf list;
    struct emit *o;
    uint64_t rows;
};

/* ---- sums ---- */

static bool place_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct torch_self *v = arg;

    return v[a].at < v[b].at;
}

static void add_total(struct writing *w, uint32_t op, const struct offline_link *k)
{
    struct cost *c = &w->cost[op];

    c->total += k->dur_us;
    c->core_total += k->is_ai_core ? k->dur_us : 0;
    c->below = true;
    c->below_core |= k->is_ai_core;
}

/* In upstream's order of additions, so that sums of doubles are its own; deep: of the op alone. */
static void add_kernels(struct writing *w, const struct torch_self *s, bool deep)
{
    struct cost *own = &w->cost[s->op];
    size_t n;
    const struct torch_kernel *k = torch_kernels_of(w->j, s->id, &n);

    for (size_t i = 0; i < n; i++) {
        const struct offline_link *l = &w->t->link[k[i].link];
        own->self += l->dur_us;
        own->core_self += l->is_ai_core ? l->dur_us : 0;
        own->has = true;
        own->has_core |= l->is_ai_core;
        for (uint32_t op = s->op; op != OFFLINE_NONE; op = deep ? OFFLINE_NONE : w->j->above[op])
            add_total(w, op, l);
    }
}

static bool is_deep(const struct writing *w, uint32_t *depth)
{
    for (size_t i = 0; i < w->j->n_ops; i++) {
        uint32_t op = w->j->op[i], above = w->j->above[op];
        depth[op] = above == OFFLINE_NONE ? 1 : depth[above] + 1;
        if (depth[op] > DEPTH_MAX)
            return true;
    }
    return false;
}

/* Inner ops before those around them. */
static void add_inner(struct writing *w, bool deep)
{
    for (size_t i = w->j->n_ops; i-- > 0;) {
        uint32_t op = w->j->op[i], above = w->j->above[op];
        const struct cost *c = &w->cost[op];
        if (above == OFFLINE_NONE)
            continue;
        struct cost *to = &w->cost[above];
        to->inner += w->r->f.range[op].to - w->r->f.range[op].from;
        to->total += deep ? c->total : 0;
        to->core_total += deep ? c->core_total : 0;
        to->below |= c->below;
        to->below_core |= c->below_core;
    }
}

static int find_costs(struct writing *w, struct err *e)
{
    const struct torch_joins *j = w->j;
    uint32_t *depth = spool_array(w->r->pool, w->r->f.n_ranges + 1, sizeof *depth), *order = NULL;

    w->cost = spool_array(w->r->pool, w->r->f.n_ranges + 1, sizeof *w->cost);
    if (!depth || !w->cost)
        err_nomem(e);
    else if (prof_order(w->r->pool, &order, j->n_self, place_before, j->self, e) == OK) {
        bool deep = is_deep(w, depth);
        for (size_t i = 0; i < j->n_self; i++)
            add_kernels(w, &j->self[order[i]], deep);
        add_inner(w, deep);
    }
    spool_free(w->r->pool, order);
    spool_free(w->r->pool, depth);
    return e->code;
}

/* ---- rows ---- */

/* Entries of a list have a line each. */
static void put_list(struct writing *w, uint32_t text)
{
    struct str list = framework_str(&w->r->f, text), part;

    if (str_chr(list, ';') == SIZE_MAX) {
        offline_cell(w->o, list, false);
        return;
    }
    buf_clear(&w->list);
    for (bool more = false; str_next(&list, ';', &part); more = true) {
        buf_puts(&w->list, more ? ";\r\n" : "");
        buf_add(&w->list, part);
    }
    offline_cell(w->o, buf_str(&w->list), false);
}

/* us; a sum of nothing is an integer there. Without compat it is rounded to ns, which it is made of. */
static void put_sum(const struct writing *w, double us, bool has)
{
    emit_c(w->o, ',');
    if (!has)
        emit_c(w->o, '0');
    else if (w->r->o->compat)
        emit_repr(w->o, us);
    else
        emit_repr(w->o, nearbyint(us * 1000) / 1000);
}

static void put_op(struct writing *w, uint32_t op)
{
    const struct framework_range *x = &w->r->f.range[op];
    const struct cost *c = &w->cost[op];

    if (!w->rows++)
        emit_s(w->o,
               "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self "
               "Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total "
               "Duration With AICore(us)\r\n");
    offline_cell(w->o, framework_str(&w->r->f, x->name), true);
    put_list(w, x->shapes);
    put_list(w, x->stack);
    emit_c(w->o, ',');
    emit_dec(w->o, x->to - x->from - c->inner, 3);
    emit_c(w->o, ',');
    emit_dec(w->o, x->to - x->from, 3);
    put_sum(w, c->self, c->has);
    put_sum(w, c->total, c->below);
    put_sum(w, c->core_self, c->has_core);
    put_sum(w, c->core_total, c->below_core);
    offline_end_row(w->o);
}

static void put_ops(struct writing *w)
{
    for (size_t i = 0; i < w->j->n_ops; i++)
        if (!(w->r->f.range[w->j->op[i]].is & RANGE_STEP))
            put_op(w, w->j->op[i]);
}

int offline_torch_details(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct writing w = { .r = r };

    buf_init(&w.list, LIST_MAX);
    if (offline_timeline(r, &w.t, e) == OK && torch_joins(r, &w.j, e) == OK && find_costs(&w, e) == OK &&
        offline_open(r, &w.o, x, e) == OK)
        put_ops(&w);
    spool_free(r->pool, w.cost);
    buf_done(&w.list);
    return offline_end_rows(r, w.o, x, w.rows, "the framework recorded no ops", e);
}
