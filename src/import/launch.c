/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays between launch and run. An arrow begins in a host call and ends at the start of a bar of the device;
 * the bar is an execution's when both start at the same instant of the same stream, or have the same name.
 * Of several arrows to an execution the one that begins last is the launch: the framework's begin before the
 * one of the driver's call, which they lead to.
 */
#include "config.h"

#include "import/launch.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/sort_index.h"
#include "base/spool.h"
#include "store/fill/chunk.h"

#define MEMORY_B  ((uint64_t)96 << 20)
#define NO_START  UINT32_MAX
#define NO_CALL   INT64_MIN
#define NO_STREAM INT64_MIN

#define TRACKS_SQL "SELECT id, rank, stream FROM track"
#define ARROWS_SQL                                                                                           \
    "SELECT t.source_id, t.name_id, t.tid = 's', c.n, c.d FROM track t JOIN chunk c ON c.track = t.id "      \
    "WHERE t.kind = 'flow' ORDER BY t.id, c.t0, c.id"
#define BARS_SQL "SELECT n, d FROM chunk WHERE track = :track AND t1 >= :from AND t0 <= :to ORDER BY t0, id"
#define EXECS_SQL                                                                                            \
    "SELECT e.id, e.op_id, e.rank, e.stream, e.ts_ns, o.name_id FROM op_exec e LEFT JOIN op o "              \
    "ON o.id = e.op_id WHERE e.ts_ns IS NOT NULL ORDER BY e.id"

/* One end of an arrow. What it is bound to is the innermost bar of its track that covers it. */
struct arrow_end {
    uint64_t id;
    int64_t ts;
    int64_t bar_end;       /* NO_CALL: no bar covers it */
    uint32_t source, kind; /* arrows of different files or categories may have equal ids */
    uint32_t track, bar_name;
    uint32_t start; /* of an end: number of the start; NO_START: none */
};

struct ends {
    struct arrow_end *v;
    size_t n, cap;
};

struct bar {
    int64_t end;
    uint32_t name;
};

struct launches {
    struct fill *f;
    struct spool *pool;
    struct ends starts, stops;
    int64_t *stream; /* by id of a track */
    int *rank;
    size_t n_tracks, cap_streams, cap_ranks;
    struct chunk_event *ev; /* of one chunk */
    struct bar *open;       /* bars that have begun, those inside others last */
    size_t n_open, cap_open;
    size_t at; /* where the search for the last execution ended */
};

/* ---- reading ---- */

static int add_track(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    int64_t id = query_int(q, 0);

    if (id < 0 || id >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "more tracks than can be numbered");
    int64_t *stream = grow_array(l->stream, (size_t)id, &l->cap_streams, sizeof *stream, 256);
    if (stream)
        l->stream = stream;
    int *rank = grow_array(l->rank, (size_t)id, &l->cap_ranks, sizeof *rank, 256);
    if (rank)
        l->rank = rank;
    if (!stream || !rank)
        return err_nomem(e);
    for (; l->n_tracks <= (size_t)id; l->n_tracks++)
        stream[l->n_tracks] = NO_STREAM;
    stream[id] = query_null(q, 2) ? NO_STREAM : query_int(q, 2);
    rank[id] = (int)query_int(q, 1);
    return OK;
}

static int decode(struct launches *l, size_t n, struct str blob, struct err *e)
{
    if (n <= CHUNK_EVENTS && chunk_decode(blob, 0, l->ev, n))
        return OK;
    return err_set(e, ERR_BUG, "a chunk of the timeline cannot be read back");
}

/* A chunk of starts or of other ends. */
static int add_ends(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    struct ends *to = query_int(q, 2) ? &l->starts : &l->stops;
    size_t n = (size_t)query_int(q, 3);

    if (!n || decode(l, n, query_str(q, 4), e))
        return e->code;
    struct arrow_end *v = spool_grow(l->pool, to->v, to->n + n - 1, &to->cap, sizeof *v, CHUNK_EVENTS);
    if (!v)
        return err_nomem(e);
    to->v = v;
    for (size_t i = 0; i < n; i++)
        v[to->n++] = (struct arrow_end){ .id = (uint64_t)l->ev[i].dur,
                                         .ts = l->ev[i].ts,
                                         .bar_end = NO_CALL,
                                         .source = (uint32_t)query_int(q, 0),
                                         .kind = (uint32_t)query_int(q, 1),
                                         .track = l->ev[i].name,
                                         .start = NO_START };
    return OK;
}

/* ---- arrows: to each end its start ---- */

static int compare_arrows(const struct arrow_end *a, const struct arrow_end *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool before_by_arrow(const void *arg, uint32_t a, uint32_t b)
{
    const struct arrow_end *v = arg;
    int c = compare_arrows(&v[a], &v[b]);

    return c ? c < 0 : v[a].ts < v[b].ts;
}

/*
 * The last start of the arrow that is not after its end; starts are in order. Clocks of host and device
 * differ by some ns: a device may seem to run what no one launched yet, and then the first start is the one.
 */
static uint32_t find_start(const struct ends *starts, const struct arrow_end *end)
{
    size_t lo = 0, hi = starts->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = compare_arrows(&starts->v[mid], end);
        if (c < 0 || (!c && starts->v[mid].ts <= end->ts))
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo && !compare_arrows(&starts->v[lo - 1], end))
        return (uint32_t)lo - 1;
    return lo < starts->n && !compare_arrows(&starts->v[lo], end) ? (uint32_t)lo : NO_START;
}

static int join_ends(struct launches *l, struct err *e)
{
    if (prof_sort(l->pool, l->starts.v, l->starts.n, sizeof *l->starts.v, before_by_arrow, l->starts.v, e))
        return e->code;
    for (size_t i = 0; i < l->stops.n; i++)
        l->stops.v[i].start = find_start(&l->starts, &l->stops.v[i]);
    return OK;
}

/* ---- bars: what the ends are bound to ---- */

static bool before_by_track(const void *arg, uint32_t a, uint32_t b)
{
    const struct arrow_end *v = arg;

    return v[a].track != v[b].track ? v[a].track < v[b].track : v[a].ts < v[b].ts;
}

static int open_bar(struct launches *l, const struct chunk_event *ev, struct err *e)
{
    while (l->n_open && l->open[l->n_open - 1].end < ev->ts)
        l->n_open--;
    struct bar *v = grow_array(l->open, l->n_open, &l->cap_open, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    l->open = v;
    v[l->n_open++] = (struct bar){ chunk_end(ev), ev->name };
    return OK;
}

static void bind_end(struct launches *l, struct arrow_end *end)
{
    while (l->n_open && l->open[l->n_open - 1].end < end->ts)
        l->n_open--;
    if (l->n_open) {
        end->bar_end = l->open[l->n_open - 1].end;
        end->bar_name = l->open[l->n_open - 1].name;
    }
}

/* The n ends of one track, in order of time. */
static int bind_track(struct launches *l, struct query *q, const struct ends *all, const uint32_t *order,
                      size_t n, struct err *e)
{
    struct arrow_end *v = all->v;
    size_t at = 0;

    l->n_open = 0;
    query_reset(q);
    query_bind_int(q, ":track", v[order[0]].track);
    query_bind_int(q, ":from", v[order[0]].ts);
    query_bind_int(q, ":to", v[order[n - 1]].ts);
    while (at < n && query_step(q, e) == 1) {
        size_t n_ev = (size_t)query_int(q, 0);
        if (decode(l, n_ev, query_str(q, 1), e))
            break;
        for (size_t i = 0; i < n_ev && at < n; i++) {
            while (at < n && v[order[at]].ts < l->ev[i].ts)
                bind_end(l, &v[order[at++]]);
            if (open_bar(l, &l->ev[i], e))
                return e->code;
        }
    }
    while (at < n)
        bind_end(l, &v[order[at++]]);
    return e->code;
}

static int bind_ends(struct launches *l, const struct ends *all, struct err *e)
{
    struct store *s = fill_reader(l->f, e);
    struct query *q = NULL;
    uint32_t *order = NULL;
    size_t n;

    if (!s || store_query(s, &q, BARS_SQL, e) ||
        prof_order(l->pool, &order, all->n, before_by_track, all->v, e))
        goto out;
    for (size_t i = 0; i < all->n && !e->code; i += n) {
        for (n = 1; i + n < all->n && all->v[order[i + n]].track == all->v[order[i]].track; n++)
            ;
        (void)!bind_track(l, q, all, order + i, n, e);
    }
out:
    spool_free(l->pool, order);
    query_free(q);
    return e->code;
}

/* ---- executions ---- */

static bool before_by_time(const void *arg, uint32_t a, uint32_t b)
{
    const struct arrow_end *v = arg;

    return v[a].ts < v[b].ts;
}

struct wanted {
    const struct arrow_end *v;
    int64_t ts;
};

static bool ends_before(const void *arg, size_t i)
{
    const struct wanted *w = arg;

    return w->v[i].ts < w->ts;
}

/* How well a bar fits an execution that starts at the same instant; 0: it is another's. */
static int fit(const struct launches *l, const struct arrow_end *end, const struct query *q)
{
    int64_t stream = query_null(q, 3) ? NO_STREAM : query_int(q, 3);

    if (end->start == NO_START || end->track >= l->n_tracks || l->rank[end->track] != query_int(q, 2))
        return 0;
    bool same_stream = stream != NO_STREAM && stream == l->stream[end->track];
    bool same_name = end->bar_end != NO_CALL && end->bar_name && end->bar_name == query_int(q, 5);
    return same_stream * 2 + same_name;
}

/* The start of the arrow that launched an execution; NULL: none leads to it. */
static const struct arrow_end *launch_of(struct launches *l, const struct query *q)
{
    const struct wanted w = { l->stops.v, query_int(q, 4) };
    const struct arrow_end *best = NULL;
    int best_fit = 1;

    l->at = prof_gallop(l->stops.n, l->at, ends_before, &w);
    for (size_t i = l->at; i < l->stops.n && l->stops.v[i].ts == w.ts; i++) {
        int n = fit(l, &l->stops.v[i], q);
        const struct arrow_end *start = n ? &l->starts.v[l->stops.v[i].start] : NULL;
        if (n > best_fit || (n == best_fit && (!best || start->ts > best->ts))) {
            best = start;
            best_fit = n;
        }
    }
    return best;
}

static int put_exec(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    const struct arrow_end *start = launch_of(l, q);
    int rank = (int)query_int(q, 2);
    int64_t delay, launch;

    if (!start || start->bar_end == NO_CALL ||
        __builtin_sub_overflow(query_int(q, 4), start->bar_end, &delay) ||
        __builtin_add_overflow(start->bar_end, fill_rank_origin(l->f, rank), &launch))
        return OK;
    const struct val v[N_COLS(op_launch)] = {
        [COL(op_launch, exec_id)] = val_int(query_int(q, 0)),
        [COL(op_launch, op_id)] = query_val(q, 1),
        [COL(op_launch, rank)] = val_int(rank),
        [COL(op_launch, launch_ns)] = val_int(launch),
        [COL(op_launch, delay_ns)] = val_int(delay),
    };
    return sink_row(fill_sink(l->f), T_op_launch, v, N_COLS(op_launch), NULL, e);
}

/* ---- all ---- */

static int find_launches(struct launches *l, struct err *e)
{
    if (fill_each(l->f, ARROWS_SQL, add_ends, l, e) || !l->starts.n || !l->stops.n)
        return e->code;
    if (fill_each(l->f, TRACKS_SQL, add_track, l, e) || join_ends(l, e) || bind_ends(l, &l->starts, e) ||
        bind_ends(l, &l->stops, e) ||
        prof_sort(l->pool, l->stops.v, l->stops.n, sizeof *l->stops.v, before_by_time, l->stops.v, e))
        return e->code;
    return fill_each(l->f, EXECS_SQL, put_exec, l, e);
}

static void launches_done(struct launches *l)
{
    spool_free(l->pool, l->starts.v);
    spool_free(l->pool, l->stops.v);
    spool_close(l->pool);
    free(l->stream);
    free(l->rank);
    free(l->open);
    free(l->ev);
}

int launch_write(struct fill *f, unsigned unread, struct err *e)
{
    struct launches l = { .f = f, .ev = malloc(CHUNK_EVENTS * sizeof *l.ev) };
    int rc = l.ev ? spool_most(&l.pool, MEMORY_B, e) : err_nomem(e);

    if (rc == OK)
        rc = fill_begin(f, 0, e);
    if (rc == OK) {
        rc = fill_index_time(f, e);
        if (rc == OK)
            rc = fill_update(f, "DELETE FROM op_launch", NULL, 0, e);
        if (rc == OK && !(unread & (PANE_BIT(PANE_TIME) | PANE_BIT(PANE_OPS))))
            rc = find_launches(&l, e);
        rc = fill_close(f, rc, e);
    }
    launches_done(&l);
    return rc;
}
