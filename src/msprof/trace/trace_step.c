/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterations and steps: a thread for each model, in the process of the streams; in step_trace.json of a
 * partial export in a process of its own. Where C++ and Python differ in order or units, one function
 * contains both.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "msprof/trace/trace.h"
#include "msprof/window.h"

#define FIRST_THREAD 70000

struct steps {
    struct msprof_trace *t;
    const struct prof_steps *s;
    struct trace_ids models;
};

static int64_t stamp(const struct steps *c, uint64_t counter)
{
    const struct msprof_clock *k = &c->t->r->clock[c->t->device];

    return c->t->dialect == DIALECT_PYTHON ? msprof_local_us(k, msprof_dev(k, counter, 1e6))
                                           : prof_device_ns(trace_folder(c->t), counter);
}

/* ---- what is shown ---- */

/*
 * Iterations, all-reduces and get-nexts are kept each by its own begin, also in C++; Python keeps what ends
 * later as well, and in step_trace.json and partial exports everything (doc/formats/msprof.md#iterations).
 */
static bool keeps(const struct steps *c, uint64_t from, uint64_t to)
{
    const struct msprof_trace *t = c->t;
    int64_t begin = prof_begin_ns(trace_folder(t));

    if (stamp(c, from) >= begin)
        return true;
    return t->dialect == DIALECT_PYTHON && (t->steps_only || t->r->o->partial || stamp(c, to) > begin);
}

static bool is_wanted(const struct steps *c, const struct prof_step *x)
{
    const struct msprof_trace *t = c->t;

    return x->end >= x->start && (t->steps_only || msprof_window_has_step(t->r->o, x));
}

/* Its thread is named: in Python, of all iterations. */
static bool is_shown(const struct steps *c, const struct prof_step *x)
{
    return is_wanted(c, x) && (c->t->dialect == DIALECT_PYTHON || keeps(c, x->start, x->end));
}

static bool is_whole(const struct prof_span *x)
{
    return x->has_end && x->start <= x->end;
}

static bool is_span(const struct steps *c, const struct prof_span *x)
{
    return is_whole(x) && keeps(c, x->start, x->end);
}

static bool has_both(const struct prof_step *x)
{
    return x->fp && x->bp >= x->fp;
}

static uint64_t refresh_end(const struct prof_step *x)
{
    return x->end > x->bp ? x->end : x->bp;
}

static uint32_t thread_of(const struct steps *c, uint64_t model)
{
    size_t k = 0;

    if (c->t->dialect == DIALECT_CPP)
        return (uint32_t)(model + FIRST_THREAD);
    while (k < c->models.n && c->models.v[k] < model)
        k++;
    return (uint32_t)(trace_profiled_pid(c->t) + FIRST_THREAD + k);
}

/* ---- times ---- */

static void put_stamp(const struct steps *c, const char *key, uint64_t counter)
{
    if (counter)
        trace_stamp(c->t, key, stamp(c, counter));
    else
        trace_word(c->t, key, "N/A");
}

/* us from one counter to a later one. */
static void put_span(const struct steps *c, const char *key, uint64_t from, uint64_t to)
{
    const struct prof_folder *f = trace_folder(c->t);

    if (c->t->dialect == DIALECT_PYTHON)
        trace_real(c->t, key, emit_round(msprof_duration_us(&c->t->r->clock[c->t->device], to - from), 3));
    else
        trace_e3(c->t, key, prof_device_ns(f, to) - prof_device_ns(f, from));
}

/* Begins an event named "word n", or "word n_k". */
static void begin(const struct steps *c, const char *name, const char *cat, uint32_t tid, uint64_t from,
                  uint64_t to)
{
    struct trace_event v = { .word = name, .tid = tid, .ts = stamp(c, from), .cat = cat };

    if (c->t->dialect == DIALECT_PYTHON) {
        v.dur = TRACE_US;
        v.us = emit_round(msprof_duration_us(&c->t->r->clock[c->t->device], to - from), 3);
    } else {
        v.dur = stamp(c, to) - v.ts;
    }
    trace_slice(c->t, &v);
}

/* ---- an iteration ---- */

/* Half way from the end of BP to the end of the iteration, as Python computes it. */
static int64_t python_bound(const struct steps *c, const struct prof_step *x)
{
    const struct msprof_clock *k = &c->t->r->clock[c->t->device];
    double half = x->end > x->bp ? (double)(x->end - x->bp) * 0.5 : 0;

    return msprof_local_us(k, msprof_dev_between(k, (double)x->bp + half, 1e6));
}

/* A flow of a kind of its own joins an iteration with the next one (bounds of data augmentation). */
static void put_bounds(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    struct msprof_trace *t = c->t;
    int64_t aug = 0;
    double us = 0;
    struct trace_bound b = { .n = x->index ? x->index - 1 : 0, .ph = 't', .tid = tid, .ts = stamp(c, x->fp) };

    if (t->dialect == DIALECT_CPP || keeps(c, x->fp, x->fp)) {
        trace_bound(t, &b);
        trace_u(t, "Iteration ID", x->index);
        trace_bound_end(t);
    }
    if (t->dialect == DIALECT_PYTHON) {
        us = x->has_aug ? msprof_product_us(&t->r->clock[t->device], x->aug) : 0;
        b.ts = python_bound(c, x);
    } else {
        aug = x->has_aug ? stamp(c, x->fp) - stamp(c, x->fp - x->aug) : 0;
        b.ts = stamp(c, x->bp) + aug / 2;
    }
    b.n = x->index;
    b.ph = 's';
    trace_bound(t, &b);
    if (t->dialect == DIALECT_PYTHON)
        trace_real(t, "Data_aug Bound(us)", us);
    else
        trace_e3(t, "Data_aug Bound(us)", aug);
    trace_bound_end(t);
}

static void put_iteration(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    struct msprof_trace *t = c->t;
    char name[48];

    snprintf(name, sizeof name, "Iteration %llu", (unsigned long long)x->index);
    begin(c, name, "Iteration Time", tid, x->start, x->end);
    trace_u(t, "Iteration ID", x->index);
    put_stamp(c, "FP Start", x->fp);
    put_stamp(c, "BP End", x->bp);
    put_stamp(c, "Iteration End", x->end);
    put_span(c, "Iteration Time(us)", x->start, x->end);
    trace_end(t);
}

static void put_fp_bp(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    struct msprof_trace *t = c->t;
    char name[48];

    snprintf(name, sizeof name, "FP_BP Time %llu", (unsigned long long)x->index);
    begin(c, name, "FP_BP Time", tid, x->fp, x->bp);
    trace_u(t, "Iteration ID", x->index);
    put_stamp(c, "FP Start", x->fp);
    put_stamp(c, "BP End", x->bp);
    put_span(c, "FP_BP Time(us)", x->fp, x->bp);
    trace_end(t);
}

static void put_refresh(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    uint64_t end = refresh_end(x);
    struct msprof_trace *t = c->t;
    char name[48];

    snprintf(name, sizeof name, "Iteration Refresh %llu", (unsigned long long)x->index);
    begin(c, name, "Iteration Refresh", tid, x->bp, end);
    trace_u(t, "Iteration ID", x->index);
    put_stamp(c, "BP End", x->bp);
    put_stamp(c, "Iteration End", x->end);
    put_span(c, "Iteration Refresh(us)", x->bp, end);
    trace_end(t);
}

/* In C++ the parts of an iteration are kept with it. */
static void put_step(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    bool all = c->t->dialect == DIALECT_CPP;

    if (!is_shown(c, x))
        return;
    if (all || keeps(c, x->start, x->end))
        put_iteration(c, x, tid);
    if (!has_both(x))
        return;
    if (all || keeps(c, x->fp, x->bp))
        put_fp_bp(c, x, tid);
    if (all || keeps(c, x->bp, refresh_end(x)))
        put_refresh(c, x, tid);
    put_bounds(c, x, tid);
}

/* ---- parts of an iteration ---- */

static void put_reduce_end(const struct steps *c, const char *key, uint64_t counter)
{
    struct msprof_trace *t = c->t;

    if (t->dialect == DIALECT_PYTHON) {
        trace_stamp(t, key, stamp(c, counter));
        return;
    }
    trace_key(t, key);
    emit_c(t->o, '"');
    emit_i(t->o, stamp(c, counter));
    emit_c(t->o, '"');
}

/* C++ counts kept all-reduces over all devices and iterations, Python all within each iteration. */
static void put_reduces(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    struct msprof_trace *t = c->t;
    char name[64], from[32], to[32];
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->n_reduces; i++) {
        const struct prof_span *v = &c->s->reduce[x->reduce + i];
        n += i && is_whole(&c->s->reduce[x->reduce + i - 1]);
        if (!is_span(c, v))
            continue;
        unsigned k = t->dialect == DIALECT_PYTHON ? n : t->next_reduce++;
        snprintf(name, sizeof name, "Reduce_%llu_%u", (unsigned long long)x->index, k);
        snprintf(from, sizeof from, "Reduce Start %u", k);
        snprintf(to, sizeof to, "Reduce End %u", k);
        begin(c, name, "Reduce", tid, v->start, v->end);
        trace_u(t, "Iteration ID", x->index);
        put_reduce_end(c, t->dialect ? from : to, t->dialect ? v->start : v->end);
        put_reduce_end(c, t->dialect ? to : from, t->dialect ? v->end : v->start);
        trace_end(t);
    }
}

static void put_get_nexts(const struct steps *c, const struct prof_step *x, uint32_t tid)
{
    for (uint32_t i = 0; i < x->n_get_nexts; i++) {
        const struct prof_span *v = &c->s->get_next[x->get_next + i];
        if (!is_span(c, v))
            continue;
        begin(c, "GetNext", "GetNext Time", tid, v->start, v->end);
        put_stamp(c, "GetNext Start", v->start);
        put_stamp(c, "GetNext End", v->end);
        put_span(c, "GetNext Time(us)", v->start, v->end);
        trace_end(c->t);
    }
}

/* ---- the layer ---- */

static int put_threads(const struct steps *c, struct err *e)
{
    struct trace_thread *v = calloc(c->models.n + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < c->models.n; i++) {
        uint64_t model = c->models.v[i];
        v[i] = (struct trace_thread){
            .tid = thread_of(c, model),
            .before = c->t->layer->short_names ? "Model ID:" : "Step Trace(Model ID:",
            .has_n = true,
            .n = model,
            .after = c->t->layer->short_names ? "" : ")",
            .sort = c->t->dialect == DIALECT_PYTHON ? model + FIRST_THREAD : (uint32_t)(model + FIRST_THREAD)
        };
    }
    trace_metadata(c->t, v, c->models.n);
    free(v);
    return OK;
}

typedef void step_fn(const struct steps *c, const struct prof_step *x, uint32_t tid);

static void put_all(const struct steps *c, step_fn *fn, bool rows)
{
    for (size_t i = 0; i < c->s->n_steps; i++) {
        const struct prof_step *x = &c->s->step[i];
        if (is_wanted(c, x) && (rows || !x->again))
            fn(c, x, thread_of(c, x->model));
    }
}

int trace_steps(struct msprof_trace *t, struct err *e)
{
    struct steps c = { .t = t, .s = &t->r->steps[t->device] };

    for (size_t i = 0; i < c.s->n_steps && !e->code; i++)
        if (is_shown(&c, &c.s->step[i]))
            (void)!trace_ids_add(&c.models, c.s->step[i].model, e);
    trace_ids_sort(&c.models);
    if (!e->code && (c.models.n || !t->steps_only)) {
        put_all(&c, put_step, true);
        if (c.models.n)
            (void)!put_threads(&c, e);
        put_all(&c, put_reduces, false);
        put_all(&c, put_get_nexts, false);
    }
    free(c.models.v);
    return e->code;
}
