/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks by group and number: a sorted array. */
#include "config.h"

#include "model/members.h"

#include <stdlib.h>

#include "base/grow.h"

int members_add(struct members *m, uint32_t group, int64_t number, int64_t rank, struct err *e)
{
    struct member *v = grow_array(m->v, m->n, &m->cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    m->v = v;
    v[m->n] = (struct member){ group, number, rank, m->n };
    m->n++;
    return OK;
}

static int by_number(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void members_sort(struct members *m)
{
    if (m->n)
        qsort(m->v, m->n, sizeof *m->v, by_number);
}

bool members_rank(const struct members *m, uint32_t group, int64_t number, int64_t *rank)
{
    const struct member key = { .group = group, .number = number };
    size_t lo = 0, hi = m->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (by_number(&m->v[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == m->n || m->v[lo].group != group || m->v[lo].number != number)
        return false;
    *rank = m->v[lo].rank;
    return true;
}
