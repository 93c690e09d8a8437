/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splitting the events of a track so that those of each part nest: an event goes to the first part into which
 * it fits.
 */
#include "config.h"

#include "base/grow.h"
#include "model/timeline/nesting.h"

#include <stdlib.h>

/*
 * An event that was placed. reach is the last end of all events up to it, so that ns lies in one of them when
 * ts <= ns <= reach.
 */
struct span {
    int64_t ts, reach;
};

struct lane {
    int64_t *end; /* of the events that are open, innermost last */
    size_t n, cap;
    struct span *past;
    size_t n_past, cap_past;
};

struct nesting {
    struct lane *lane;
    size_t n;
    bool remember;
};

int nesting_new(struct nesting **out, bool remember, struct err *e)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    (*out)->remember = remember;
    return OK;
}

void nesting_free(struct nesting *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->n; i++) {
        free(n->lane[i].end);
        free(n->lane[i].past);
    }
    free(n->lane);
    free(n);
}

static bool put(struct lane *l, int64_t ts, int64_t end, bool remember)
{
    int64_t *ends = grow_array(l->end, l->n, &l->cap, sizeof *ends, 16);
    if (!ends)
        return false;
    l->end = ends;
    l->end[l->n++] = end;
    if (!remember)
        return true;
    struct span *past = grow_array(l->past, l->n_past, &l->cap_past, sizeof *past, 16);
    if (!past)
        return false;
    l->past = past;
    int64_t reach = l->n_past ? l->past[l->n_past - 1].reach : end;
    l->past[l->n_past++] = (struct span){ ts, reach > end ? reach : end };
    return true;
}

int nesting_place(struct nesting *n, int64_t ts, int64_t dur)
{
    int64_t end;

    if (__builtin_add_overflow(ts, dur > 0 ? dur : 0, &end))
        end = INT64_MAX;
    for (size_t i = 0;; i++) {
        if (i == n->n) {
            struct lane *p = realloc(n->lane, (n->n + 1) * sizeof *p);
            if (!p)
                return -1;
            n->lane = p;
            n->lane[n->n++] = (struct lane){ 0 };
        }
        struct lane *l = &n->lane[i];
        while (l->n && l->end[l->n - 1] <= ts)
            l->n--;
        if (!l->n || end <= l->end[l->n - 1])
            return put(l, ts, end, n->remember) ? (int)i : -1;
    }
}

int nesting_lanes(const struct nesting *n)
{
    return (int)n->n;
}

/* The last event of the lane that starts at ns or before; NULL: none. */
static const struct span *last_before(const struct lane *l, int64_t ns)
{
    size_t lo = 0, hi = l->n_past;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->past[mid].ts <= ns)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &l->past[lo - 1] : NULL;
}

int nesting_start(const struct nesting *n, int64_t ns)
{
    for (size_t i = 0; i < n->n; i++) {
        const struct span *s = last_before(&n->lane[i], ns);
        if (s && s->ts == ns)
            return (int)i;
    }
    return -1;
}

int nesting_find(const struct nesting *n, int64_t ns)
{
    int found = nesting_start(n, ns);
    int64_t latest = 0;

    if (found >= 0)
        return found;
    for (size_t i = 0; i < n->n; i++) {
        const struct span *s = last_before(&n->lane[i], ns);
        if (s && s->reach >= ns && (found < 0 || s->ts > latest)) {
            found = (int)i;
            latest = s->ts;
        }
    }
    return found;
}
