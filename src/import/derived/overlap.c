/* SPDX-License-Identifier: Apache-2.0 */
/* When a rank computed, communicated, and did nothing. */
#include "config.h"

#include "import/derived/overlap.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/device/overlap.h"

/* ---- a rank ---- */

#define RANKS_SQL                                                                                            \
    "SELECT DISTINCT rank FROM source WHERE kind IN ('raw_hwts', 'raw_stars', 'raw_sqlite') AND rows > 0 "   \
    "AND "                                                                                                   \
    "rank IS NOT NULL "                                                                                      \
    "AND rank NOT IN (SELECT rank FROM track WHERE kind = 'overlap')"
/*
 * Times of communication: in a PROF folder those of its communication ops (their host records are there),
 * else those that the step marks give.
 */
#define IS_PROF "(SELECT count(*) FROM source WHERE kind IN ('raw_host_compact', 'raw_sqlite') AND rows > 0)"
#define COMM_SQL                                                                                             \
    "SELECT start_ns, end_ns FROM step_part WHERE rank = :rank AND kind = 'reduce' AND end_ns > "            \
    "start_ns AND NOT " IS_PROF " UNION ALL SELECT ts_ns, ts_ns + dur_ns FROM comm_exec WHERE "              \
    "rank = :rank AND dur_ns > 0 AND ts_ns IS NOT NULL AND " IS_PROF " ORDER BY 2"

struct overlap_rank {
    int rank;
    struct prof_overlap of;
};
struct overlap {
    struct overlap_rank *v;
    size_t n, cap, at; /* at: the rank of the last execution */
};

static struct overlap_rank *of_rank(struct overlap *o, int rank)
{
    for (size_t i = 0; i < o->n; i++, o->at = (o->at + 1) % o->n)
        if (o->v[o->at].rank == rank)
            return &o->v[o->at];
    return NULL;
}

/* Communication tasks are left out: read_comm() has the times of communication ops. */
int overlap_exec(struct overlap *o, const struct fill_exec *x, struct err *e)
{
    struct overlap_rank *r = of_rank(o, x->rank);
    int64_t end;

    if (!r || str_eq(x->core, STR("HCCL")) || str_eq(x->core, STR("RTS")) ||
        __builtin_add_overflow(x->ts_ns, x->dur_ns, &end))
        return OK;
    return spans_add(&r->of.of[OVERLAP_COMPUTING], x->ts_ns, end, e);
}

static int read_comm(struct overlap_rank *r, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, COMM_SQL, e))
        return e->code;
    query_bind_int(q, ":rank", r->rank);
    while (query_step(q, e) == 1 &&
           spans_add(&r->of.of[OVERLAP_COMM], query_int(q, 0), query_int(q, 1), e) == OK)
        ;
    query_free(q);
    return e->code;
}

static int put_track(const struct overlap_rank *r, enum prof_overlap_kind k, struct fill *f, struct err *e)
{
    struct sink *s = fill_sink(f);
    int64_t origin = fill_rank_origin(f, r->rank);
    const struct track_def def = { .rank = r->rank,
                                   .kind = TK_OVERLAP,
                                   .process = STR("Overlap Analysis"),
                                   .name = str_of(prof_overlap_words[k]),
                                   .sort = k,
                                   .stream = -1 };
    uint32_t name = sink_intern(s, str_of(prof_overlap_words[k])), track;

    if (!r->of.of[k].n)
        return OK;
    track = sink_track(s, &def);
    if (track == SINK_NO_TRACK)
        return err_nomem(e);
    for (size_t i = 0; i < r->of.of[k].n; i++) {
        const struct span *v = &r->of.of[k].v[i];
        if (sink_event(s, track, v->from + origin, v->to - v->from, name, 0, e))
            return e->code;
    }
    return OK;
}

static int write_rank(struct overlap_rank *r, struct fill *f, struct store *s, struct err *e)
{
    if (read_comm(r, s, e) || prof_overlap_split(&r->of, INT64_MAX, INT64_MIN, e) || fill_begin(f, 0, e))
        return e->code;
    int rc = OK;
    for (int k = 0; k < N_OVERLAP_KINDS && rc == OK; k++)
        rc = put_track(r, (enum prof_overlap_kind)k, f, e);
    return fill_close(f, rc, e);
}

/* ---- all ---- */

static int find_ranks(struct overlap *o, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, RANKS_SQL, e))
        return e->code;
    while (query_step(q, e) == 1) {
        struct overlap_rank *v = grow_array(o->v, o->n, &o->cap, sizeof *v, 8);
        if (!v) {
            err_nomem(e);
            break;
        }
        o->v = v;
        v[o->n++] = (struct overlap_rank){ .rank = (int)query_int(q, 0) };
    }
    query_free(q);
    return e->code;
}

void overlap_free(struct overlap *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n; i++)
        prof_overlap_done(&o->v[i].of);
    free(o->v);
    free(o);
}

int overlap_new(struct overlap **out, struct fill *f, struct err *e)
{
    struct store *s = fill_reader(f, e);
    struct overlap *o = calloc(1, sizeof *o);

    *out = NULL;
    if (s && !o)
        err_nomem(e);
    if (s && o && find_ranks(o, s, e) == OK && o->n) {
        *out = o;
        return OK;
    }
    overlap_free(o);
    return e->code;
}

int overlap_write(struct overlap *o, struct fill *f, struct err *e)
{
    struct store *s = fill_reader(f, e);

    for (size_t i = 0; s && i < o->n; i++) {
        if (write_rank(&o->v[i], f, s, e))
            break;
        prof_overlap_done(&o->v[i].of);
    }
    return e->code;
}
