/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds that follow from one another: those of the clocks give bounds of the moments, these those of other
 * clocks, until nothing changes: shortest paths between servers, with the moments in between.
 */
#include "config.h"

#include "logs/clock_skew.h"

#include <stdlib.h>

#define FAR_NS   (INT64_C(1) << 61)
#define YEARS_NS (INT64_C(1) << 59) /* 18 of them */

struct range {
    int64_t low, high; /* -FAR_NS, FAR_NS: unbounded */
};

static int by_moment(const void *x, const void *y)
{
    const struct skew_sight *a = x, *b = y;

    if (a->moment != b->moment)
        return a->moment < b->moment ? -1 : 1;
    return a->server < b->server ? -1 : a->server > b->server;
}

static bool at_least(int64_t *low, int64_t v)
{
    v = v < FAR_NS ? v : FAR_NS;
    if (v <= *low)
        return false;
    *low = v;
    return true;
}

static bool at_most(int64_t *high, int64_t v)
{
    v = v > -FAR_NS ? v : -FAR_NS;
    if (v >= *high)
        return false;
    *high = v;
    return true;
}

/* From the first instant that is said; those years away from it are none. */
static int64_t from_base(int64_t ns, int64_t base)
{
    int64_t d;
    return ns == SKEW_NONE || __builtin_sub_overflow(ns, base, &d) || d > YEARS_NS || d < -YEARS_NS
               ? SKEW_NONE
               : d;
}

static void rebase(struct skew_sight *v, size_t n)
{
    int64_t base = SKEW_NONE;

    for (size_t i = 0; i < n && base == SKEW_NONE; i++)
        base = v[i].from_ns != SKEW_NONE ? v[i].from_ns : v[i].to_ns;
    for (size_t i = 0; i < n; i++) {
        v[i].from_ns = from_base(v[i].from_ns, base);
        v[i].to_ns = from_base(v[i].to_ns, base);
    }
}

/* When a moment was, by the clock of the server that all are compared with. */
static struct range when(const struct skew_sight *v, size_t n, const struct range *of)
{
    struct range t = { -FAR_NS, FAR_NS };

    for (size_t i = 0; i < n; i++) {
        const struct range *s = &of[v[i].server];
        if (v[i].from_ns != SKEW_NONE && s->high < FAR_NS)
            (void)at_least(&t.low, v[i].from_ns - s->high);
        if (v[i].to_ns != SKEW_NONE && s->low > -FAR_NS)
            (void)at_most(&t.high, v[i].to_ns - s->low);
    }
    return t;
}

/* What a moment says of the clocks of those that saw it; true: something new. */
static bool narrow(const struct skew_sight *v, size_t n, struct range *of)
{
    const struct range t = when(v, n, of);
    bool changed = false;

    for (size_t i = 0; i < n; i++) {
        struct range *s = &of[v[i].server];
        if (v[i].from_ns != SKEW_NONE && t.high < FAR_NS)
            changed |= at_least(&s->low, v[i].from_ns - t.high);
        if (v[i].to_ns != SKEW_NONE && t.low > -FAR_NS)
            changed |= at_most(&s->high, v[i].to_ns - t.low);
    }
    return changed;
}

/* All moments once; true: something changed. */
static bool pass(const struct skew_sight *v, size_t n, struct range *of)
{
    bool changed = false;

    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && v[to].moment == v[i].moment; to++)
            continue;
        changed |= narrow(v + i, to - i, of);
    }
    return changed;
}

/* Servers that are bounded against the one with index `with` become compared with it. */
static void take(struct skew *out, size_t servers, uint32_t with, const struct range *of, bool contradicts)
{
    for (size_t i = 0; i < servers; i++) {
        const struct range *r = &of[i];
        if (r->low == -FAR_NS || r->high == FAR_NS || out[i].known || out[i].contradicts)
            continue;
        if (contradicts || r->low > r->high) {
            out[i].contradicts = i != with;
            continue;
        }
        bool agree = r->low <= 0 && r->high >= 0;
        int64_t ahead = agree ? 0 : r->low + (r->high - r->low) / 2;
        int64_t within = r->high - ahead > ahead - r->low ? r->high - ahead : ahead - r->low;
        out[i] = (struct skew){ .with = with, .known = true, .ahead_ns = ahead, .within_ns = within };
    }
    out[with].known = true;
}

int skew_estimate(struct skew *out, size_t servers, struct skew_sight *v, size_t n, struct err *e)
{
    struct range *of = calloc(servers + 1, sizeof *of); /* + 1: of none is no error */

    if (!of)
        return err_nomem(e);
    for (size_t i = 0; i < servers; i++)
        out[i] = (struct skew){ .with = (uint32_t)i };
    rebase(v, n);
    if (n)
        qsort(v, n, sizeof *v, by_moment);
    for (uint32_t with = 0; with < servers; with++) {
        if (out[with].known || out[with].contradicts)
            continue;
        for (size_t i = 0; i < servers; i++)
            of[i] = (struct range){ -FAR_NS, FAR_NS };
        of[with] = (struct range){ 0, 0 };
        /* a bound passes each server once at most, unless it goes round and round: then they contradict */
        size_t passes = 0;
        bool changed = n > 0;
        while (changed && passes++ <= servers)
            changed = pass(v, n, of);
        take(out, servers, with, of, changed || of[with].low > 0 || of[with].high < 0);
    }
    free(of);
    return OK;
}
