/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_trace.csv: iterations with their forward and backward passes and all-reduces
 * (doc/formats/msprof.md#step-trace, #output-files, #csv-columns).
 */
#include "config.h"

#include "msprof/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

#define HEADER                                                                                               \
    "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),"                   \
    "FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID"
#define REDUCE_HEADER ",Reduce Start(us),Reduce Duration(us)"
#define HEADER_MAX    ((size_t)64 << 20)

struct table {
    struct msprof_run *r;
    struct emit *o;
    size_t device;
    size_t n_reduces; /* columns */
};

/* ---- cells ---- */

static void put_stamp(const struct table *t, uint64_t counter)
{
    emit_c(t->o, ',');
    if (t->r->dialect == DIALECT_PYTHON && !counter) {
        emit_s(t->o, "N/A");
        return;
    }
    const struct msprof_clock *c = &t->r->clock[t->device];
    const struct prof_folder *f = t->r->m.dev[t->device].f;
    int64_t ns = !counter                          ? 0
                 : t->r->dialect == DIALECT_PYTHON ? msprof_local_us(c, msprof_dev(c, counter, 1e6))
                                                   : prof_device_ns(f, counter);
    msprof_put_ns(t->o, ns, true);
}

/* A duration, or the text for an unknown one. */
static void put_time(const struct table *t, bool known, uint64_t from, uint64_t to)
{
    const struct prof_folder *f = t->r->m.dev[t->device].f;

    emit_c(t->o, ',');
    if (!known)
        emit_s(t->o, t->r->dialect ? "N/A" : "0.000");
    else if (t->r->dialect == DIALECT_PYTHON)
        emit_repr(t->o, emit_round(msprof_duration_us(&t->r->clock[t->device], to - from), 3));
    else
        msprof_put_ns(t->o, prof_device_ns(f, to) - prof_device_ns(f, from), false);
}

/*
 * C++'s first all-reduce of each iteration: begin - end, unsigned (doc/formats/prof-quirks.md#output-quirks).
 */
static void put_first_reduce(const struct table *t, const struct prof_span *s)
{
    const struct prof_folder *f = t->r->m.dev[t->device].f;
    uint64_t ns = (uint64_t)(prof_device_ns(f, s->start) - prof_device_ns(f, s->end));
    char text[32];

    snprintf(text, sizeof text, ",%llu.%03u", (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
    emit_s(t->o, text);
}

/* ---- rows ---- */

/*
 * C++ looks at the beginning of the iteration, Python at its end (doc/formats/prof.md#clocks,
 * doc/formats/msprof.md#step-trace).
 */
static bool is_row(const struct msprof_run *r, size_t device, const struct prof_step *s)
{
    const struct prof_folder *f = r->m.dev[device].f;

    return prof_device_ns(f, r->dialect ? s->end : s->start) >= prof_begin_ns(f);
}

/* C++ looks at the beginning of the all-reduce, not at its iteration's; Python has all of a row. */
static bool is_reduce(const struct msprof_run *r, size_t device, const struct prof_span *s)
{
    const struct prof_folder *f = r->m.dev[device].f;

    return s->has_end && s->start <= s->end &&
           (r->dialect == DIALECT_PYTHON || prof_device_ns(f, s->start) >= prof_begin_ns(f));
}

static size_t count_reduces(const struct msprof_run *r, size_t device, const struct prof_step *s)
{
    const struct prof_span *v = r->steps[device].reduce;
    size_t n = 0;

    for (size_t i = 0; i < s->n_reduces; i++)
        n += is_reduce(r, device, &v[s->reduce + i]);
    return n;
}

static void put_reduces(const struct table *t, const struct prof_step *s)
{
    const struct prof_span *v = t->r->steps[t->device].reduce;
    size_t n = 0;

    for (size_t i = 0; i < s->n_reduces; i++) {
        const struct prof_span *x = &v[s->reduce + i];
        if (!is_reduce(t->r, t->device, x))
            continue;
        put_stamp(t, x->start);
        if (!n++ && t->r->o->compat && t->r->dialect == DIALECT_CPP)
            put_first_reduce(t, x);
        else
            put_time(t, true, x->start, x->end);
    }
    for (; n < t->n_reduces; n++)
        emit_s(t->o, ",N/A,N/A");
}

static void put_row(const struct table *t, const struct prof_step *s)
{
    bool both = s->fp && s->bp >= s->fp;

    emit_i(t->o, t->r->m.dev[t->device].f->device);
    emit_c(t->o, ',');
    emit_u(t->o, s->index);
    put_stamp(t, s->fp);
    put_stamp(t, s->bp);
    put_stamp(t, s->end);
    put_time(t, true, s->start, s->end);
    put_time(t, both, s->fp, s->bp);
    put_time(t, s->bp && s->end >= s->bp, s->bp, s->end);
    put_time(t, s->has_aug, s->fp - s->aug, s->fp);
    emit_c(t->o, ',');
    emit_u(t->o, s->model);
    put_reduces(t, s);
    emit_c(t->o, '\n');
}

static int write_rows(struct msprof_run *r, size_t n, size_t n_reduces, const char *header, struct err *e)
{
    struct table t = { .r = r, .n_reduces = n_reduces };
    struct msprof_csv c;

    if (msprof_csv_begin(&c, r, "step_trace", n, header, e))
        return e->code;
    for (t.device = 0; t.device < r->m.n_dev; t.device++)
        for (size_t i = 0; i < r->steps[t.device].n_steps && !e->code; i++) {
            const struct prof_step *s = &r->steps[t.device].step[i];
            if (is_row(r, t.device, s) && (t.o = msprof_csv_row(&c, e)) != NULL)
                put_row(&t, s);
        }
    return msprof_csv_end(&c, e);
}

int msprof_step_trace(struct msprof_run *r, struct err *e)
{
    size_t n = 0, n_reduces = 0;
    struct buf header;

    for (size_t d = 0; d < r->m.n_dev; d++)
        for (size_t i = 0; i < r->steps[d].n_steps; i++) {
            const struct prof_step *s = &r->steps[d].step[i];
            size_t k = count_reduces(r, d, s); /* also of iterations without a row */
            n_reduces = k > n_reduces ? k : n_reduces;
            n += is_row(r, d, s);
        }
    if (!n)
        return OK;
    buf_init(&header, HEADER_MAX);
    buf_puts(&header, HEADER);
    for (size_t i = 0; i < n_reduces; i++)
        buf_puts(&header, REDUCE_HEADER);
    if (buf_failed(&header))
        (void)!err_set(e, ERR_LIMIT, "step_trace: an iteration has %zu all-reduces", n_reduces);
    else
        (void)!write_rows(r, n, n_reduces, header.p, e);
    buf_done(&header);
    return e->code;
}
