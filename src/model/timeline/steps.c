/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in time. */
#include "config.h"

#include "model/timeline/steps.h"

#include <stdlib.h>

#include "base/grow.h"
#include "model/timeline/timeline_int.h"

#define MARK "ProfilerStep#"
#define MOST (1u << 20) /* steps of a rank */

static int add(struct step_list *l, size_t *cap, int64_t step, int64_t from, int64_t to, struct err *e)
{
    if (l->n == MOST)
        return err_set(e, ERR_LIMIT, "more than %u steps", MOST);
    struct step_span *p = grow_array(l->p, l->n, cap, sizeof *p, 64);
    if (!p)
        return err_nomem(e);
    l->p = p;
    l->p[l->n++] = (struct step_span){ step, from, to };
    return OK;
}

/* ---- from the table ---- */

static int from_table(struct step_list *l, size_t *cap, struct store *s, int rank, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q,
                    "SELECT step, start_ns, max(start_ns, coalesce(end_ns, start_ns + total_ns)) "
                    "FROM step WHERE "
                    "rank = :rank AND step IS NOT NULL AND start_ns IS NOT NULL ORDER BY start_ns",
                    e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (!e->code && query_step(q, e) == 1)
        (void)!add(l, cap, query_int(q, 0), query_int(q, 1), query_null(q, 2) ? INT64_MAX : query_int(q, 2),
                   e);
    query_free(q);
    /* a step without an end goes on to the next one */
    for (size_t i = 0; i + 1 < l->n; i++)
        if (l->p[i].to_ns == INT64_MAX)
            l->p[i].to_ns = l->p[i + 1].from_ns;
    return e->code;
}

/* ---- from events ---- */

/* The number after the mark at the end of a name; false: it is no step. */
static bool step_of_name(struct str name, int64_t *step)
{
    struct str rest = name;
    size_t at, last = SIZE_MAX;

    while ((at = str_find(rest, STR(MARK), 0)) != SIZE_MAX) {
        last = name.n - rest.n + at + strlen(MARK);
        rest = str_sub(name, last, name.n);
    }
    return last != SIZE_MAX && str_i64(str_sub(name, last, name.n), step) && *step >= 0;
}

/*
 * For the walk, a byte for each name, set if it is that of a step. NULL with *n 0: there are none, or an
 * error.
 */
static uint8_t *step_names(struct store *s, size_t *n, struct err *e)
{
    struct query *q = NULL;
    uint8_t *bits = NULL;
    int64_t step;

    *n = 0;
    if (store_query(s, &q, "SELECT id, text FROM string WHERE instr(text, '" MARK "') ORDER BY id DESC", e))
        return NULL;
    while (!e->code && query_step(q, e) == 1) {
        int64_t id = query_int(q, 0);
        if (id <= 0 || !step_of_name(query_str(q, 1), &step))
            continue;
        if (!bits) {
            *n = (size_t)id + 1;
            bits = calloc(*n, 1);
            if (!bits)
                err_nomem(e);
        }
        if (bits)
            bits[id] = 1;
    }
    query_free(q);
    return bits;
}

static int from_track(struct step_list *l, size_t *cap, struct timeline *t, size_t track, const uint8_t *bits,
                      size_t n, struct err *e)
{
    struct chunk_walk w;
    int64_t step;

    walk_open(&w, t, track, INT64_MIN, INT64_MAX, false);
    w.names = bits;
    w.n_names = n;
    while (!e->code && walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n && !e->code; i++)
            if (w.ev[i].name < n && bits[w.ev[i].name] &&
                step_of_name(timeline_name(t, track, w.ev[i].name), &step))
                (void)!add(l, cap, step, w.ev[i].ts, chunk_end(&w.ev[i]), e);
    walk_close(&w);
    return e->code;
}

static int by_start(const void *a, const void *b)
{
    const struct step_span *x = a, *y = b;

    return x->from_ns != y->from_ns ? (x->from_ns < y->from_ns ? -1 : 1)
           : x->to_ns < y->to_ns    ? -1
                                    : x->to_ns > y->to_ns;
}

/* Keep the first event of each number: Python frames and ranges of the same name repeat it. */
static void drop_doubles(struct step_list *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++) {
        bool again = false;
        for (size_t k = n; k-- > 0 && !again && n - k < 8;)
            again = l->p[k].step == l->p[i].step;
        if (!again)
            l->p[n++] = l->p[i];
    }
    l->n = n;
}

static int from_events(struct step_list *l, size_t *cap, struct store *s, struct timeline *t, struct err *e)
{
    size_t n;
    uint8_t *bits = step_names(s, &n, e);

    for (size_t i = 0; bits && i < timeline_n_tracks(t) && !e->code; i++)
        if (timeline_track(t, i)->is_host)
            (void)!from_track(l, cap, t, i, bits, n, e);
    free(bits);
    if (l->n)
        qsort(l->p, l->n, sizeof *l->p, by_start);
    drop_doubles(l);
    return e->code;
}

int steps_load(struct step_list *out, struct store *s, int rank, struct timeline *t, struct err *e)
{
    size_t cap = 0;

    *out = (struct step_list){ .p = NULL };
    if (from_table(out, &cap, s, rank, e) == OK && !out->n)
        (void)!from_events(out, &cap, s, t, e);
    if (e->code)
        steps_free(out);
    return e->code;
}

void steps_free(struct step_list *l)
{
    free(l->p);
    *l = (struct step_list){ .p = NULL };
}

/* ---- looking up ---- */

/* Number of steps that begin before ts. */
static size_t begun(const struct step_list *l, int64_t ts)
{
    size_t lo = 0, hi = l->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->p[mid].from_ns < ts)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct step_span *steps_at(const struct step_list *l, int64_t ts)
{
    size_t n = ts == INT64_MAX ? l->n : begun(l, ts + 1);

    return n && l->p[n - 1].to_ns > ts ? &l->p[n - 1] : NULL;
}

const struct step_span *steps_numbered(const struct step_list *l, int64_t step)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->p[i].step == step)
            return &l->p[i];
    return NULL;
}

const struct step_span *steps_before(const struct step_list *l, int64_t ts)
{
    size_t n = begun(l, ts);

    return n ? &l->p[n - 1] : NULL;
}
