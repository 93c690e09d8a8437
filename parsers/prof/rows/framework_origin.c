/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a range comes from whose own thread says nothing of it: the forward op of a backward op, and what
 * handed a task of MindSpore to another thread (doc/formats/framework.md#framework-ops-as-shown).
 */
#include "config.h"

#include "base/large/sort_index.h"
#include "parsers/prof/rows/rows_framework.h"

/* By number, then by start: forward ops by sequence number (torch_npu), starts of flows by id. */
static uint64_t number_of(const struct framework *f, const struct framework_range *x)
{
    return f->torch ? (uint64_t)x->sequence : x->flow;
}

static bool begins(const struct framework *f, const struct framework_range *x)
{
    if (f->torch)
        return x->sequence >= 0 && !x->forward && !(x->is & RANGE_FRAME);
    return x->is & RANGE_FLOW && x->flow != FRAMEWORK_NO_FLOW;
}

static bool is_handed(const struct framework *f, const struct framework_range *x)
{
    if (x->is & (RANGE_FRAME | RANGE_FLOW))
        return false;
    return f->torch ? x->sequence >= 0 && x->forward : x->flow != FRAMEWORK_NO_FLOW;
}

static bool origin_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_rows_framework *w = arg;
    const struct framework_range *x = &w->f.range[w->origin[a]], *y = &w->f.range[w->origin[b]];
    uint64_t i = number_of(&w->f, x), k = number_of(&w->f, y);

    return i != k ? i < k : x->from < y->from;
}

/* Records without a length are around nothing. */
static bool is_around(const struct framework_range *x)
{
    return !(x->is & RANGE_FLOW) && x->to > x->from;
}

/* Those that something of a thread can be handed over in, by thread and start. */
static int pick_around(struct prof_rows_framework *w, struct err *e)
{
    size_t n = 0;

    if (w->f.torch || !w->n_origins)
        return OK;
    for (size_t i = 0; i < w->f.n_ranges; i++)
        n += is_around(&w->f.range[i]);
    w->around = spool_array(w->f.pool, n + 1, sizeof *w->around);
    if (!w->around)
        return err_nomem(e);
    for (size_t i = 0; i < w->f.n_ranges; i++)
        if (is_around(&w->f.range[w->joins.order[i]]))
            w->around[w->n_around++] = w->joins.order[i];
    return OK;
}

int prof_rows_origins(struct prof_rows_framework *w, struct err *e)
{
    size_t n = 0;

    for (size_t i = 0; i < w->n_recorded; i++)
        n += begins(&w->f, &w->f.range[i]);
    w->origin = spool_array(w->f.pool, n + 1, sizeof *w->origin);
    if (!w->origin)
        return err_nomem(e);
    for (size_t i = 0; i < w->n_recorded; i++)
        if (begins(&w->f, &w->f.range[i]))
            w->origin[w->n_origins++] = (uint32_t)i;
    if (prof_sort(w->f.pool, w->origin, w->n_origins, sizeof *w->origin, origin_before, w, e))
        return e->code;
    return pick_around(w, e);
}

/* The last one with this number that began at or before an instant; FRAMEWORK_NONE: none. */
static uint32_t last_origin(const struct prof_rows_framework *w, uint64_t number, int64_t at)
{
    size_t low = 0, high = w->n_origins;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct framework_range *x = &w->f.range[w->origin[mid]];
        uint64_t k = number_of(&w->f, x);
        if (k < number || (k == number && x->from <= at))
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || number_of(&w->f, &w->f.range[w->origin[low - 1]]) != number)
        return FRAMEWORK_NONE;
    return w->origin[low - 1];
}

/* The innermost range of a thread around an instant. */
static uint32_t around(const struct prof_rows_framework *w, uint64_t thread, int64_t at)
{
    const struct framework_range *v = w->f.range;
    size_t low = 0, high = w->n_around;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct framework_range *x = &v[w->around[mid]];
        if (x->thread < thread || (x->thread == thread && x->from <= at))
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t x = low && v[w->around[low - 1]].thread == thread ? w->around[low - 1] : FRAMEWORK_NONE;
    while (x != FRAMEWORK_NONE && v[x].to < at)
        x = w->joins.above[x];
    return x;
}

uint32_t prof_rows_origin(const struct prof_rows_framework *w, uint32_t range)
{
    while (range != FRAMEWORK_NONE && !is_handed(&w->f, &w->f.range[range]))
        range = w->joins.above[range];
    if (range == FRAMEWORK_NONE)
        return FRAMEWORK_NONE;
    const struct framework_range *x = &w->f.range[range];
    uint32_t from = last_origin(w, number_of(&w->f, x), x->from);
    if (from == FRAMEWORK_NONE || w->f.torch)
        return from;
    return around(w, w->f.range[from].thread, w->f.range[from].from);
}
