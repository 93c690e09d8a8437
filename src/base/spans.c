/* SPDX-License-Identifier: Apache-2.0 */
/* Unions, differences and gaps of intervals. */
#include "config.h"

#include "base/spans.h"

#include <stdlib.h>

void spans_done(struct spans *s)
{
    spool_free(s->spool, s->v);
    *s = (struct spans){ .spool = s->spool };
}

int spans_put(struct spans *s, int64_t from, int64_t to, struct err *e)
{
    struct span *v = spool_grow(s->spool, s->v, s->n, &s->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = (struct span){ from, to };
    return OK;
}

/*
 * Executions come in order of their ends: what a new one touches is at the end of the list, so the list is
 * merged at any time. What comes out of order is put after it, to be sorted by spans_merge().
 */
int spans_add(struct spans *s, int64_t from, int64_t to, struct err *e)
{
    if (from >= to)
        return OK;
    if (s->n && to < s->v[s->n - 1].from)
        s->mixed = true;
    while (!s->mixed && s->n && s->v[s->n - 1].to >= from) {
        const struct span *last = &s->v[--s->n];
        from = last->from < from ? last->from : from;
        to = last->to > to ? last->to : to;
    }
    return spans_put(s, from, to, e);
}

static int span_cmp(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

void spans_merge(struct spans *s)
{
    size_t n = 0;

    if (s->mixed)
        qsort(s->v, s->n, sizeof *s->v, span_cmp);
    for (size_t i = 0; i < s->n && s->mixed; i++)
        if (n && s->v[i].from <= s->v[n - 1].to)
            s->v[n - 1].to = s->v[i].to > s->v[n - 1].to ? s->v[i].to : s->v[n - 1].to;
        else
            s->v[n++] = s->v[i];
    s->n = s->mixed ? n : s->n;
    s->mixed = false;
}

int spans_less(const struct spans *a, const struct spans *b, struct spans *out, struct err *e)
{
    size_t k = 0;

    for (size_t i = 0; i < a->n; i++) {
        int64_t from = a->v[i].from, to = a->v[i].to;
        while (k < b->n && b->v[k].to <= from)
            k++;
        for (size_t j = k; j < b->n && b->v[j].from < to; j++) {
            if (spans_add(out, from, b->v[j].from, e))
                return e->code;
            from = b->v[j].to > from ? b->v[j].to : from;
        }
        if (spans_add(out, from, to, e))
            return e->code;
    }
    return OK;
}

int spans_gaps(const struct spans *a, struct spans *out, struct err *e)
{
    for (size_t i = 1; i < a->n; i++)
        if (spans_add(out, a->v[i - 1].to, a->v[i].from, e))
            return e->code;
    return OK;
}
