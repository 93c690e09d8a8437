/* When a rank computed, communicated, and did nothing. */
#include "config.h"

#include "import/overlap.h"

#include <stdlib.h>

#include "base/grow.h"

/* ---- unions of intervals ---- */

void spans_done(struct spans *s)
{
    free(s->v);
    *s = (struct spans){ .n = 0 };
}

/*
 * Executions come in order of their ends: what a new one touches is at the end of the list, which so is merged at any time. What comes
 * otherwise is put behind it, to be sorted by spans_merge().
 */
int spans_add(struct spans *s, int64_t from_ns, int64_t to_ns, struct err *e)
{
    if (from_ns >= to_ns)
        return OK;
    if (s->n && to_ns < s->v[s->n - 1].from_ns)
        s->mixed = true;
    while (!s->mixed && s->n && s->v[s->n - 1].to_ns >= from_ns) {
        const struct span *last = &s->v[--s->n];
        from_ns = last->from_ns < from_ns ? last->from_ns : from_ns;
        to_ns = last->to_ns > to_ns ? last->to_ns : to_ns;
    }
    struct span *v = grow_array(s->v, s->n, &s->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = (struct span){ from_ns, to_ns };
    return OK;
}

static int span_cmp(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return x->to_ns < y->to_ns ? -1 : x->to_ns > y->to_ns;
}

void spans_merge(struct spans *s)
{
    size_t n = 0;

    if (s->mixed)
        qsort(s->v, s->n, sizeof *s->v, span_cmp);
    for (size_t i = 0; i < s->n && s->mixed; i++)
        if (n && s->v[i].from_ns <= s->v[n - 1].to_ns)
            s->v[n - 1].to_ns =
                s->v[i].to_ns > s->v[n - 1].to_ns ? s->v[i].to_ns : s->v[n - 1].to_ns;
        else
            s->v[n++] = s->v[i];
    s->n = s->mixed ? n : s->n;
    s->mixed = false;
}

int spans_less(const struct spans *a, const struct spans *b, struct spans *out, struct err *e)
{
    size_t k = 0;

    for (size_t i = 0; i < a->n; i++) {
        int64_t from = a->v[i].from_ns, to = a->v[i].to_ns;
        while (k < b->n && b->v[k].to_ns <= from)
            k++;
        for (size_t j = k; j < b->n && b->v[j].from_ns < to; j++) {
            if (spans_add(out, from, b->v[j].from_ns, e))
                return (int)e->code;
            from = b->v[j].to_ns > from ? b->v[j].to_ns : from;
        }
        if (spans_add(out, from, to, e))
            return (int)e->code;
    }
    return OK;
}

int spans_gaps(const struct spans *a, struct spans *out, struct err *e)
{
    for (size_t i = 1; i < a->n; i++)
        if (spans_add(out, a->v[i - 1].to_ns, a->v[i].from_ns, e))
            return (int)e->code;
    return OK;
}

/* ---- a rank ---- */

#define RANKS_SQL                                                                                  \
    "SELECT DISTINCT rank FROM source WHERE kind = 'raw_hwts' AND rows > 0 AND rank IS NOT NULL "  \
    "AND rank NOT IN (SELECT rank FROM track WHERE kind = 'overlap')"
#define COMM_SQL                                                                                   \
    "SELECT start_ns, end_ns FROM step_part WHERE rank = :rank AND kind = 'reduce' AND end_ns > "  \
    "start_ns ORDER BY end_ns"

enum overlap { COMPUTING, COMM, COMM_ALONE, FREE, N_OVERLAPS };
static const char *const names[N_OVERLAPS] = {
    [COMPUTING] = "Computing",
    [COMM] = "Communication",
    [COMM_ALONE] = "Communication(Not Overlapped)",
    [FREE] = "Free",
};

struct overlap_rank {
    int rank;
    struct spans of[N_OVERLAPS], busy;
};
struct overlaps {
    struct overlap_rank *v;
    size_t n, cap, at; /* at: the one of the last execution */
};

static struct overlap_rank *of_rank(struct overlaps *o, int rank)
{
    for (size_t i = 0; i < o->n; i++, o->at = (o->at + 1) % o->n)
        if (o->v[o->at].rank == rank)
            return &o->v[o->at];
    return NULL;
}

/* Communication has its own times: those of its tasks are those of the whole op on each of its streams. */
static int on_exec(void *arg, const struct fill_exec *x, struct err *e)
{
    struct overlap_rank *r = of_rank(arg, x->rank);
    int64_t end;

    if (!r || str_eq(x->core, STR("HCCL")) || str_eq(x->core, STR("RTS")) ||
        __builtin_add_overflow(x->ts_ns, x->dur_ns, &end))
        return OK;
    return spans_add(&r->of[COMPUTING], x->ts_ns, end, e);
}

static int read_comm(struct overlap_rank *r, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, COMM_SQL, e))
        return (int)e->code;
    query_bind_int(q, ":rank", r->rank);
    while (query_step(q, e) == 1 &&
           spans_add(&r->of[COMM], query_int(q, 0), query_int(q, 1), e) == OK)
        ;
    query_free(q);
    return (int)e->code;
}

static int make(struct overlap_rank *r, struct err *e)
{
    spans_merge(&r->of[COMPUTING]);
    spans_merge(&r->of[COMM]);
    for (enum overlap k = COMPUTING; k <= COMM; k++)
        for (size_t i = 0; i < r->of[k].n; i++)
            if (spans_add(&r->busy, r->of[k].v[i].from_ns, r->of[k].v[i].to_ns, e))
                return (int)e->code;
    spans_merge(&r->busy);
    if (spans_less(&r->of[COMM], &r->of[COMPUTING], &r->of[COMM_ALONE], e))
        return (int)e->code;
    return spans_gaps(&r->busy, &r->of[FREE], e);
}

static int put_track(const struct overlap_rank *r, enum overlap k, struct fill *f, struct err *e)
{
    struct sink *s = fill_sink(f);
    int64_t origin = fill_rank_origin(f, r->rank);
    const struct track_def def = { .rank = r->rank,
                                   .kind = TK_OVERLAP,
                                   .process = STR("Overlap Analysis"),
                                   .name = str_of(names[k]),
                                   .sort = k,
                                   .stream = -1 };
    uint32_t name = sink_intern(s, str_of(names[k])), track;

    if (!r->of[k].n)
        return OK;
    track = sink_track(s, &def);
    if (track == SINK_NO_TRACK)
        return err_nomem(e);
    for (size_t i = 0; i < r->of[k].n; i++) {
        const struct span *v = &r->of[k].v[i];
        if (sink_event(s, track, v->from_ns + origin, v->to_ns - v->from_ns, name, 0, e))
            return (int)e->code;
    }
    return OK;
}

static int write_rank(struct overlap_rank *r, struct fill *f, struct store *s, struct err *e)
{
    if (read_comm(r, s, e) || make(r, e) || fill_begin(f, 0, e))
        return (int)e->code;
    int rc = OK;
    for (int k = 0; k < N_OVERLAPS && rc == OK; k++)
        rc = put_track(r, (enum overlap)k, f, e);
    return fill_close(f, rc, e);
}

static int find_ranks(struct overlaps *o, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, RANKS_SQL, e))
        return (int)e->code;
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
    return (int)e->code;
}

int overlap_write(struct fill *f, struct err *e)
{
    struct store *s = fill_reader(f, e);
    struct overlaps o = { .n = 0 };

    if (s && find_ranks(&o, s, e) == OK && o.n && fill_execs(f, on_exec, &o, e) == OK)
        for (size_t i = 0; i < o.n; i++)
            if (write_rank(&o.v[i], f, s, e))
                break;
    for (size_t i = 0; i < o.n; i++) {
        for (int k = 0; k < N_OVERLAPS; k++)
            spans_done(&o.v[i].of[k]);
        spans_done(&o.v[i].busy);
    }
    free(o.v);
    return (int)e->code;
}
