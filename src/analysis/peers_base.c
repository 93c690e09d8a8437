/* SPDX-License-Identifier: Apache-2.0 */
/* What reading and comparing ranks share. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/peers_int.h"

size_t peers_find(const struct peers *p, int64_t rank)
{
    size_t lo = 0, hi = p->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (p->v[mid].rank < rank)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < p->n && p->v[lo].rank == rank ? lo : SIZE_MAX;
}

struct store *peers_store(struct session *s, size_t i)
{
    return i ? session_store(s, i - 1) : session_overview(s);
}

size_t peers_n_stores(struct session *s)
{
    return session_job(s)->n_units + 1;
}

double *peers_nans(size_t n)
{
    double *v = malloc((n ? n : 1) * sizeof *v);

    for (size_t i = 0; v && i < n; i++)
        v[i] = NAN;
    return v;
}

int peers_real_cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
