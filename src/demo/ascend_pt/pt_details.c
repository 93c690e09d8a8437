/* SPDX-License-Identifier: Apache-2.0 */
/* operator_details.csv of torch_npu (doc/formats/framework.md#torch_npu-operator_details). */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "demo/ascend_pt/pt.h"

#define NO_OP UINT32_MAX

/* us of kernels; without any it is printed as an integer. */
struct sum {
    double us;
    bool any;
};
struct op {
    const struct fw_range *r;
    uint32_t above; /* the op around it, NO_OP: none */
    int64_t inner_ns;
    struct sum self, total, core_self, core_total;
};
struct writing {
    struct ascend *g;
    struct fw fw;
    struct op *op; /* of the step, by start */
    uint32_t n, cap;
    uint32_t *by_launch; /* the op that made a launch */
    struct buf shapes;
    struct emit *o;
};

static int start_cmp(const void *a, const void *b)
{
    const struct fw_range *x = ((const struct op *)a)->r, *y = ((const struct op *)b)->r;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static int collect(struct writing *w, struct err *e)
{
    w->n = 0;
    for (uint32_t i = 0; i < w->fw.n; i++)
        w->n += w->fw.v[i].file == FW_RANGES;
    if (w->n > w->cap) {
        struct op *v = realloc(w->op, w->n * sizeof *v);
        if (!v)
            return err_nomem(e);
        w->op = v;
        w->cap = w->n;
    }
    w->n = 0;
    for (uint32_t i = 0; i < w->fw.n; i++)
        if (w->fw.v[i].file == FW_RANGES)
            w->op[w->n++] = (struct op){ .r = &w->fw.v[i].range, .above = NO_OP };
    qsort(w->op, w->n, sizeof *w->op, start_cmp);
    return OK;
}

/* Ops lie in one another, of whatever thread. */
static void nest(struct writing *w)
{
    uint32_t above = NO_OP;
    for (uint32_t i = 0; i < w->n; i++) {
        struct op *x = &w->op[i];
        while (above != NO_OP && w->op[above].r->end_ns < x->r->start_ns)
            above = w->op[above].above;
        x->above = above;
        if (above != NO_OP)
            w->op[above].inner_ns += x->r->end_ns - x->r->start_ns;
        if (x->r->launched)
            w->by_launch[x->r->launched - 1] = i;
        above = i;
    }
}

static void add(struct sum *s, double us)
{
    s->us += us;
    s->any = true;
}

/* In the order of the launches, so that sums of doubles are upstream's. */
static void add_kernels(struct writing *w)
{
    for (uint32_t i = 0; i < w->fw.n_tasks; i++) {
        const struct fw_linked k = fw_linked_of(w->g->run, &w->fw.launch[i]);
        const double us = (double)k.at.dur_ns / 1000;
        struct op *own = &w->op[w->by_launch[i]];
        add(&own->self, us);
        if (k.is_ai_core)
            add(&own->core_self, us);
        for (uint32_t at = w->by_launch[i]; at != NO_OP; at = w->op[at].above) {
            add(&w->op[at].total, us);
            if (k.is_ai_core)
                add(&w->op[at].core_total, us);
        }
    }
}

static void put_shapes(struct writing *w, const struct demo_op *op)
{
    struct str list;
    buf_clear(&w->shapes);
    if (op)
        fw_shapes(&w->shapes, op);
    list = buf_str(&w->shapes);
    if (str_chr(list, ';') == SIZE_MAX) {
        emit_cell_str(w->o, list);
        return;
    }
    emit_c(w->o, '"');
    for (size_t i = 0; i < list.n; i++)
        if (list.p[i] == ';')
            emit_s(w->o, ";\r\n");
        else
            emit_c(w->o, list.p[i]);
    emit_c(w->o, '"');
}

static void put_sum(struct emit *o, const struct sum *s)
{
    if (s->any)
        emit_fmt(o, ",%r", s->us);
    else
        emit_s(o, ",0");
}

static void put_op(struct writing *w, const struct op *x)
{
    const int64_t dur = x->r->end_ns - x->r->start_ns;
    emit_fmt(w->o, "%s,", x->r->name);
    put_shapes(w, x->r->op);
    emit_fmt(w->o, ",,%f,%f", dur - x->inner_ns, dur);
    put_sum(w->o, &x->self);
    put_sum(w->o, &x->total);
    put_sum(w->o, &x->core_self);
    put_sum(w->o, &x->core_total);
    emit_s(w->o, "\r\n");
}

static int put_steps(struct writing *w, struct err *e)
{
    emit_s(w->o, "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self "
                 "Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total "
                 "Duration With AICore(us)\r\n");
    demo_walk_rewind(&w->g->walk);
    while (demo_walk_next(&w->g->walk)) {
        if (fw_step(&w->fw, e) || collect(w, e))
            return e->code;
        nest(w);
        add_kernels(w);
        for (uint32_t i = 0; i < w->n; i++)
            if (w->op[i].r->kind == FW_OP)
                put_op(w, &w->op[i]);
    }
    return buf_failed(&w->shapes) ? err_nomem(e) : OK;
}

int pt_details(struct ascend *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct writing w = { .g = g };
    buf_init(&w.shapes, FW_NAME_B);
    w.by_launch = calloc((size_t)n->nop + n->ncomm, sizeof *w.by_launch);
    if (!w.by_launch)
        err_nomem(e);
    else if (!fw_init(&w.fw, g, false, e) && !emit_open(&w.o, g->out, "operator_details.csv", e) &&
             !put_steps(&w, e)) {
        (void)!emit_close(w.o, &g->count, e);
        w.o = NULL;
    }
    emit_drop(w.o);
    buf_done(&w.shapes);
    fw_done(&w.fw);
    free(w.by_launch);
    free(w.op);
    return e->code;
}
