/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs, from the innermost folders outwards: units of a folder go together where nothing speaks against it,
 * then what its sibling folders hold. So rank_0/ and rank_1/ of a job are one run, and two folders that both
 * hold rank 0 are two.
 */
#include "config.h"

#include "run/find/runs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NO_TIME INT64_MIN
#define NONE    SIZE_MAX

struct member {
    struct unit *u;
    struct str window; /* "_start2_stop5", p NULL: of no dynamic profile */
    int64_t start;     /* seconds, of the clock that its files have; NO_TIME */
    size_t next;       /* of the same run, NONE */
};
struct group {
    size_t first, last; /* members */
    int64_t start;      /* of the first */
};
struct runs {
    struct member *v;    /* by path */
    struct group *group; /* of one folder and those below it; v's size */
};

/* ---- members ---- */

/* "2026-03-14 01:12:07..." in seconds, as if it were UTC: times of one run are of one zone. */
static int64_t seconds_of(struct str s)
{
    struct tm tm = { 0 };
    char text[20];

    str_copy(s, text, sizeof text);
    return s.p && strptime(text, "%Y-%m-%d %H:%M:%S", &tm) ? (int64_t)timegm(&tm) : NO_TIME;
}

/* Order of a byte of a path: its end, then what lies below it, then longer names. */
static int place_of(char c)
{
    return c == '\0' ? 0 : c == '/' ? 1 : (unsigned char)c + 1;
}

/* A folder comes right before what lies below it. */
static int by_path(const void *pa, const void *pb)
{
    const char *a = ((const struct member *)pa)->u->root, *b = ((const struct member *)pb)->u->root;

    while (*a && *a == *b) {
        a++;
        b++;
    }
    return place_of(*a) - place_of(*b);
}

/* ---- what speaks against one run ---- */

static bool is_same_text(struct str a, struct str b)
{
    return !a.n || !b.n || str_eq(a, b);
}

static enum gen family(enum gen g)
{
    return g == GEN_1B ? GEN_1 : g;
}

static bool is_far(const struct member *a, const struct member *b)
{
    if (a->window.p || a->start == NO_TIME || b->start == NO_TIME)
        return false;
    return a->start > b->start ? a->start - b->start > RUNS_APART_S : b->start - a->start > RUNS_APART_S;
}

static bool has_rank_of(const struct unit *a, const struct unit *b)
{
    for (size_t i = 0; i < a->info.n_ranks; i++)
        for (size_t k = 0; k < b->info.n_ranks; k++)
            if (a->info.ranks[i].rank == b->info.ranks[k].rank)
                return true;
    return false;
}

/* The facts of the first members speak for the groups. */
static bool may_join(const struct runs *r, const struct group *x, const struct group *y)
{
    const struct member *a = &r->v[x->first], *b = &r->v[y->first];

    if (!a->window.p != !b->window.p || is_far(a, b) || !is_same_text(a->u->info.version, b->u->info.version))
        return false;
    if (a->u->gen != GEN_UNKNOWN && b->u->gen != GEN_UNKNOWN && family(a->u->gen) != family(b->u->gen))
        return false;
    for (size_t i = x->first; i != NONE; i = r->v[i].next)
        for (size_t k = y->first; k != NONE; k = r->v[k].next)
            if (str_eq(r->v[i].window, r->v[k].window) && has_rank_of(r->v[i].u, r->v[k].u))
                return false;
    return true;
}

/* ---- folders ---- */

static int64_t distance(const struct group *x, const struct group *y)
{
    int64_t a = x->start, b = y->start;

    if (a == NO_TIME || b == NO_TIME)
        return INT64_MAX;
    return a > b ? a - b : b - a;
}

static int by_start(const void *pa, const void *pb)
{
    const struct group *x = pa, *y = pb;

    if (x->start != y->start) /* those without a time come last */
        return y->start == NO_TIME || (x->start != NO_TIME && x->start < y->start) ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Join groups of several children of a folder, each to the nearest in time. Returns how many are left. */
static size_t join(struct runs *r, struct group *g, size_t n)
{
    size_t kept = 0;

    qsort(g, n, sizeof *g, by_start);
    for (size_t i = 0; i < n; i++) {
        size_t best = NONE;
        for (size_t k = 0; k < kept; k++)
            if (may_join(r, &g[k], &g[i]) &&
                (best == NONE || distance(&g[k], &g[i]) < distance(&g[best], &g[i])))
                best = k;
        if (best == NONE) {
            g[kept++] = g[i];
            continue;
        }
        r->v[g[best].last].next = g[i].first;
        g[best].last = g[i].last;
    }
    return kept;
}

/* Bytes of the path up to the end of the part that begins after `at`; those of a folder itself: `at`. */
static size_t part_end(const struct runs *r, size_t i, size_t at)
{
    const char *p = r->v[i].u->root + at;

    return *p ? at + 1 + strcspn(p + 1, "/") : at;
}

/* Groups of the members from lo to before hi, which have the first `at` bytes in common, at group[lo]. */
static size_t fold(struct runs *r, size_t lo, size_t hi, size_t at)
{
    size_t n = 0, end, children = 0;

    if (hi - lo == 1) {
        r->group[lo] = (struct group){ lo, lo, r->v[lo].start };
        return 1;
    }
    for (size_t from = lo; from < hi; from = end, children++) {
        size_t part = part_end(r, from, at), len = part - at;
        const char *name = r->v[from].u->root + at;
        for (end = from + 1; end < hi && part_end(r, end, at) == part; end++)
            if (memcmp(r->v[end].u->root + at, name, len) != 0)
                break;
        size_t found = len ? fold(r, from, end, part) : 1;
        if (!len)
            r->group[from] = (struct group){ from, from, r->v[from].start };
        memmove(&r->group[lo + n], &r->group[from], found * sizeof *r->group);
        n += found;
    }
    return children > 1 ? join(r, &r->group[lo], n) : n;
}

int runs_find(struct job *j, struct err *e)
{
    const size_t n = j->n_units;
    struct runs r = { calloc(n + 1, sizeof *r.v), calloc(n + 1, sizeof *r.group) };

    j->n_runs = 0;
    if (!r.v || !r.group)
        err_nomem(e);
    for (size_t i = 0; i < n && !e->code; i++)
        r.v[i] = (struct member){ j->units[i], unit_window_steps(j->units[i]),
                                  seconds_of(j->units[i]->info.start_time), NONE };
    if (n && !e->code) {
        qsort(r.v, n, sizeof *r.v, by_path);
        j->n_runs = fold(&r, 0, n, 0);
        qsort(r.group, j->n_runs, sizeof *r.group, by_start);
    }
    for (size_t i = 0; i < j->n_runs; i++)
        for (size_t k = r.group[i].first; k != NONE; k = r.v[k].next)
            r.v[k].u->run = i;
    free(r.v);
    free(r.group);
    return e->code;
}
