/* SPDX-License-Identifier: Apache-2.0 */
/* Computing, communication, and time that is free of both. */
#include "config.h"

#include "parsers/prof/device/overlap.h"

#include "parsers/prof/comm/kfc_comm.h"

const char *const prof_overlap_words[N_OVERLAP_KINDS] = {
    [OVERLAP_COMPUTING] = "Computing",
    [OVERLAP_COMM] = "Communication",
    [OVERLAP_COMM_ALONE] = "Communication(Not Overlapped)",
    [OVERLAP_FREE] = "Free",
};

/*
 * Tasks of these types say nothing about when the device was in use: the ops among them are computing anyway.
 */
static const char *const silent_types[] = {
    "KERNEL_AICORE",  "KERNEL_AIVEC",     "FFTS_PLUS",         "KERNEL_MIX_AIC",
    "KERNEL_MIX_AIV", "PROFILING_ENABLE", "PROFILING_DISABLE",
};
/* Kernels of communication that run as ops. */
static const char *const comm_kernels[] = { "AicpuKernel", "AivKernel" };

static bool is_silent(struct str type)
{
    for (size_t i = 0; i < ARRAY_LEN(silent_types); i++)
        if (str_eq(type, str_of(silent_types[i])))
            return true;
    return false;
}

static bool is_comm_kernel(struct str op)
{
    for (size_t i = 0; i < ARRAY_LEN(comm_kernels); i++)
        if (str_ends(op, str_of(comm_kernels[i])))
            return true;
    return false;
}

static int64_t counter_at(const void *arg, uint64_t counter)
{
    (void)arg;
    return counter > INT64_MAX ? INT64_MAX : (int64_t)counter;
}

static int64_t counter_end(const void *arg, const struct prof_task *t)
{
    return counter_at(arg, t->end);
}

/* x may be NULL: nothing is known of the task. */
static bool computes(const struct prof *p, const struct prof_host *h, const struct prof_host_task *x)
{
    return x && x->op != PROF_NONE && !(h->n_mc2 && prof_host_is_server(h, x->stream)) &&
           !is_comm_kernel(prof_str(p, h->op[x->op].name));
}

static int add_tasks(struct prof_overlap *o, const struct prof *p, const struct prof_device *d,
                     const struct prof_host *h, const struct prof_how *how,
                     const struct prof_overlap_clock *k, struct span *all, struct err *e)
{
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        const struct prof_host_task *x = t->host == PROF_NONE ? NULL : &h->task[t->host];

        bool whole = o->whole && !(o->cut_aicpu && t->source == PROF_BY_AICPU);

        if (!whole && (!prof_keeps_task(how, d->f, t->start, t->end) ||
                       (t->source == PROF_BY_HWTS && t->start < how->log_from)))
            continue;
        int64_t from = k->at(k->arg, t->start), to = k->end(k->arg, t);
        if (!x || !is_silent(prof_str(p, x->type))) {
            all->from = from < all->from ? from : all->from;
            all->to = to > all->to ? to : all->to;
        }
        if (computes(p, h, x) && spans_add(&o->of[OVERLAP_COMPUTING], from, to, e))
            return e->code;
    }
    return OK;
}

/*
 * Ops that AI CPUs run; Python counts those that they expand a second time (get_hccl_op_time_section in
 * hccl_model.py).
 */
static int add_kfc(struct prof_overlap *o, const struct prof_device *d, const struct prof_comm *c,
                   const struct prof_how *how, const struct prof_overlap_clock *k, struct err *e)
{
    for (size_t i = 0; c->kfc && i < c->kfc->n_runs; i++) {
        const struct prof_kfc_run *x = &c->kfc->run[i];
        if (x->n_master && (how->dialect == DIALECT_PYTHON || prof_kfc_is_shown(x)) &&
            prof_keeps_comm(how, d->f, x->from, x->to) &&
            spans_add(&o->of[OVERLAP_COMM], k->at(k->arg, x->from), k->at(k->arg, x->to), e))
            return e->code;
    }
    return OK;
}

int prof_overlap_make_by(struct prof_overlap *o, const struct prof *p, const struct prof_device *d,
                         const struct prof_host *h, const struct prof_comm *c, const struct prof_how *how,
                         const struct prof_overlap_clock *clock, struct err *e)
{
    struct span all = { INT64_MAX, INT64_MIN };

    for (int i = 0; i < N_OVERLAP_KINDS; i++)
        o->of[i].spool = p->spool;
    if (add_tasks(o, p, d, h, how, clock, &all, e))
        return e->code;
    for (size_t i = 0; i < c->n_runs; i++)
        if (spans_add(&o->of[OVERLAP_COMM], clock->at(clock->arg, c->run[i].start),
                      clock->at(clock->arg, c->run[i].end), e))
            return e->code;
    if (add_kfc(o, d, c, how, clock, e))
        return e->code;
    return prof_overlap_split(o, all.from, all.to, e);
}

int prof_overlap_make(struct prof_overlap *o, const struct prof *p, const struct prof_device *d,
                      const struct prof_host *h, const struct prof_comm *c, const struct prof_how *how,
                      struct err *e)
{
    static const struct prof_overlap_clock counters = { counter_at, counter_end, NULL };

    return prof_overlap_make_by(o, p, d, h, c, how, &counters, e);
}

/*
 * What is in a and not in b, as msprof's C++ half walks through both: behind the last piece of b, pieces of a
 * are whole, also those that lie within it.
 */
static int less_like_cpp(const struct spans *a, const struct spans *b, struct spans *out, struct err *e)
{
    int64_t last = a->n ? a->v[0].from : 0;
    size_t i = 0, k = 0;

    while (i < a->n && k < b->n) {
        const struct span *x = &a->v[i], *y = &b->v[k];
        if (y->to <= x->from) {
            k++;
        } else if (x->to <= y->from) {
            if (x->to >= last && spans_add(out, x->from > last ? x->from : last, x->to, e))
                return e->code;
            last = x->to > last ? x->to : last;
            i++;
        } else if (x->from >= y->from && x->to <= y->to) {
            i++;
        } else {
            if (x->from <= y->from && y->from >= last &&
                spans_add(out, x->from > last ? x->from : last, y->from, e))
                return e->code;
            if (x->from > y->from || y->from >= last)
                last = y->to;
            k++;
        }
    }
    for (; i < a->n; i++) {
        if (spans_add(out, a->v[i].from > last ? a->v[i].from : last, a->v[i].to, e))
            return e->code;
        last = a->v[i].to;
    }
    return OK;
}

/*
 * What is in a and not in b, as msprof's Python half walks through both by their starts
 * (analysis/common_func/section_calculator.py, compute_pipeline_overlap): where a piece of b begins or ends
 * with one of a, an empty piece is left over.
 */
static int less_like_python(const struct spans *a, const struct spans *b, struct spans *out, struct err *e)
{
    struct span now = { 0, 0 };
    bool in_a = false, any = false;

    for (size_t i = 0, k = 0; i < a->n || k < b->n; any = true) {
        bool of_a = k == b->n || (i < a->n && a->v[i].from <= b->v[k].from);
        const struct span x = of_a ? a->v[i++] : b->v[k++];
        bool apart = any && now.to < x.from;
        if (any && in_a && spans_put(out, now.from, apart ? now.to : x.from, e))
            return e->code;
        if (!any || apart) {
            now = x;
            in_a = of_a;
        } else {
            bool inside = now.to >= x.to;
            now = inside ? (struct span){ x.to, now.to } : (struct span){ now.to, x.to };
            in_a = inside ? in_a && !of_a : of_a;
        }
    }
    return in_a ? spans_put(out, now.from, now.to, e) : OK;
}

int prof_overlap_split(struct prof_overlap *o, int64_t from, int64_t to, struct err *e)
{
    struct spans busy = { .spool = o->of[0].spool }, all = { .n = 0 };

    for (int k = OVERLAP_COMPUTING; k <= OVERLAP_COMM; k++) {
        spans_merge(&o->of[k]);
        for (size_t i = 0; i < o->of[k].n && !e->code; i++)
            (void)!spans_add(&busy, o->of[k].v[i].from, o->of[k].v[i].to, e);
    }
    spans_merge(&busy);
    if (busy.n) {
        from = busy.v[0].from < from ? busy.v[0].from : from;
        to = busy.v[busy.n - 1].to > to ? busy.v[busy.n - 1].to : to;
    }
    if (!e->code && spans_add(&all, from, to, e) == OK &&
        (o->like_cpp      ? less_like_cpp
         : o->like_python ? less_like_python
                          : spans_less)(&o->of[OVERLAP_COMM], &o->of[OVERLAP_COMPUTING],
                                        &o->of[OVERLAP_COMM_ALONE], e) == OK)
        (void)!spans_less(&all, &busy, &o->of[OVERLAP_FREE], e);
    spans_done(&all);
    spans_done(&busy);
    return e->code;
}

void prof_overlap_done(struct prof_overlap *o)
{
    for (int k = 0; k < N_OVERLAP_KINDS; k++)
        spans_done(&o->of[k]);
}
