/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays between launch and run. An arrow begins in a host call and ends at the start of a bar of the device;
 * the bar is an execution's when both start at the same instant of the same stream, or have the same name.
 * Of several arrows to an execution the one that begins last is the launch: the framework's begin before the
 * one of the driver's call, which they lead to. The framework's (async_npu) say from which op it came, and
 * the bars around their begin of which module and by which call stack, where these were not recorded with the
 * op (event_place); a backward op has those of its forward op (fwdbwd).
 */
#include "config.h"

#include "import/derived/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/paged.h"
#include "base/large/sort_index.h"
#include "import/derived/launch_place.h"
#include "store/fill/chunk.h"

#define MEMORY_B  ((uint64_t)32 << 20)
#define NO_START  UINT32_MAX
#define NO_BACK   UINT32_MAX
#define NO_CALL   INT64_MIN
#define NO_STREAM INT64_MIN
#define SPREAD    512 /* tracks: with more of them what is sorted by track is not spread first */

#define TRACKS_SQL "SELECT id, rank, stream FROM track"
#define OPS_SQL    "SELECT id, name_id FROM op"
#define ARROWS_SQL                                                                                           \
    "SELECT t.source_id, t.name_id, t.tid = 's', c.n, c.d FROM track t JOIN chunk c ON c.track = t.id "      \
    "WHERE t.kind = 'flow' ORDER BY t.id, c.t0, c.id"
#define BARS_SQL "SELECT n, d FROM chunk WHERE track = :track AND t1 >= :from AND t0 <= :to ORDER BY t0, id"
#define SAID_SQL "SELECT ts_ns, name_id, module_id, stack_id FROM event_place WHERE ts_ns IS NOT NULL"
/* the last: where its start or its call is in doubt, so is the delay */
#define EXECS_SQL                                                                                            \
    "SELECT id, op_id, rank, stream, ts_ns, ifnull(damage LIKE '%time%' OR damage LIKE '%op%', 0) FROM "     \
    "op_exec WHERE ts_ns IS NOT NULL ORDER BY id"

#define HOST_ARROWS                                                                                          \
    "async_npu"              /* categories of arrows: from the framework's op to what runs on the device, */
#define BACK_ARROWS "fwdbwd" /* and to its backward op */

#define ANY_HOST_SQL "SELECT exec_id FROM exec_host WHERE line IS NOT NULL LIMIT 1" /* raw data said it */
#define ANY_EXEC_SQL "SELECT id FROM op_exec WHERE ts_ns IS NOT NULL LIMIT 1"

/*
 * Ends of arrows. Each is bound to the innermost bar of its track that covers it. Arrows of different files
 * or categories may have equal ids: their groups differ.
 */
struct start {
    uint64_t id;
    int64_t ts;
    int64_t bar_end; /* NO_CALL: no bar covers it */
    uint32_t group, track;
    uint32_t place; /* number in places; 0: none */
    uint32_t back;  /* of a launch in a backward op: its index in backs; NO_BACK: it is in none */
};
struct stop {
    uint64_t id;
    int64_t ts;
    uint32_t group, track;
    uint32_t bar_name; /* 0: no bar covers it, or it has no name */
    uint32_t start;    /* number of the start; NO_START: none */
};
/* Where an end lies, to be sorted by track and time. */
struct place {
    int64_t ts;
    uint32_t track, at;
};

struct bar {
    int64_t end;
    uint32_t name, back;
    uint32_t said; /* 1 + its index in said, 0: none */
};
/* What was recorded with a bar of this name that begins then. */
struct said {
    int64_t ts;
    uint32_t name, module, stack;
};
struct track {
    int64_t stream; /* NO_STREAM: none */
    int rank;
    size_t n_starts, n_stops; /* that lie there */
};
struct group {
    int64_t source, kind;
    bool host, back; /* HOST_ARROWS, BACK_ARROWS */
};

struct launches {
    struct fill *f;
    struct paged_pool *pool;
    struct paged starts, stops;
    struct paged said;   /* by time and name */
    struct track *track; /* by id */
    size_t n_tracks, cap_tracks;
    bool strays;       /* an end lies on a track that is missing */
    uint32_t *op_name; /* by id of an op */
    size_t n_ops, cap_ops;
    struct group *group;
    size_t n_groups, cap_groups;
    struct chunk_event *ev; /* of one chunk */
    struct bar *open;       /* bars that have begun, those inside others last */
    size_t n_open, cap_open;
    struct launch_places *places; /* NULL: not wanted */
    struct place *backs;          /* stops of BACK_ARROWS, by track and time; then `at` is a place */
    size_t n_backs, back_at;
    size_t at; /* where the search for the last execution, or start, ended */
};

/* ---- reading ---- */

static int add_track(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    int64_t id = query_int(q, 0);

    if (id < 0 || id >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "more tracks than can be numbered");
    struct track *v = grow_array(l->track, (size_t)id, &l->cap_tracks, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    l->track = v;
    for (; l->n_tracks <= (size_t)id; l->n_tracks++)
        v[l->n_tracks] = (struct track){ .stream = NO_STREAM };
    v[id] = (struct track){ .stream = query_null(q, 2) ? NO_STREAM : query_int(q, 2),
                            .rank = (int)query_int(q, 1) };
    return OK;
}

static int add_op(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    int64_t id = query_int(q, 0);

    if (id < 0 || id >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "more ops than can be numbered");
    uint32_t *v = grow_array(l->op_name, (size_t)id, &l->cap_ops, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    l->op_name = v;
    for (; l->n_ops <= (size_t)id; l->n_ops++)
        v[l->n_ops] = 0;
    v[id] = (uint32_t)query_int(q, 1);
    return OK;
}

static int decode(struct launches *l, size_t n, struct str blob, struct err *e)
{
    if (n <= CHUNK_EVENTS && chunk_decode(blob, 0, l->ev, n))
        return OK;
    return err_set(e, ERR_BUG, "a chunk of the timeline cannot be read back");
}

/* The number of a file's category; those of one come together. false: e is set. */
static bool group_of(struct launches *l, int64_t source, int64_t kind, uint32_t *out, struct err *e)
{
    size_t i = l->n_groups;

    while (i && (l->group[i - 1].source != source || l->group[i - 1].kind != kind))
        i--;
    if (!i) {
        struct group *v = grow_array(l->group, l->n_groups, &l->cap_groups, sizeof *v, 16);
        if (!v)
            return !err_nomem(e);
        l->group = v;
        const struct str word = fill_string(l->f, (uint32_t)kind);
        v[l->n_groups] =
            (struct group){ source, kind, str_eq(word, STR(HOST_ARROWS)), str_eq(word, STR(BACK_ARROWS)) };
        i = ++l->n_groups;
    }
    *out = (uint32_t)i - 1;
    return true;
}

/* A chunk of starts or of other ends. */
static int add_ends(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    bool is_start = query_int(q, 2);
    size_t n = (size_t)query_int(q, 3);
    uint32_t group = 0;

    if (!n || decode(l, n, query_str(q, 4), e) || !group_of(l, query_int(q, 0), query_int(q, 1), &group, e))
        return e->code;
    if ((is_start ? l->starts.n : l->stops.n) + n >= NO_START)
        return err_set(e, ERR_LIMIT, "too many arrows");
    for (const struct chunk_event *ev = l->ev; ev < l->ev + n; ev++) {
        struct track *on = ev->name < l->n_tracks ? &l->track[ev->name] : NULL;
        l->strays |= !on;
        if (on)
            ++*(is_start ? &on->n_starts : &on->n_stops);
        if (is_start)
            *(struct start *)paged_add(&l->starts) =
                (struct start){ (uint64_t)ev->dur, ev->ts, NO_CALL, group, ev->name, 0, NO_BACK };
        else
            *(struct stop *)paged_add(&l->stops) =
                (struct stop){ (uint64_t)ev->dur, ev->ts, group, ev->name, 0, NO_START };
    }
    return paged_failed(l->pool, e);
}

/* ---- bars: what the ends are bound to ---- */

static bool before_by_track(const void *x, const void *y)
{
    const struct place *a = x, *b = y;

    return a->track != b->track ? a->track < b->track : a->ts < b->ts;
}

static struct place place_of(struct paged *ends, bool starts, size_t i)
{
    const struct start *a = starts ? paged_at(ends, i) : NULL;
    const struct stop *b = starts ? NULL : paged_at(ends, i);

    return starts ? (struct place){ a->ts, a->track, (uint32_t)i }
                  : (struct place){ b->ts, b->track, (uint32_t)i };
}

/*
 * Ends come in order of time: where they are spread over their tracks, each track's are in order, or a few
 * parts that are.
 */
static int spread(struct launches *l, struct paged *ends, bool starts, struct paged *out, struct err *e)
{
    size_t *next = malloc((l->n_tracks + 1) * sizeof *next), sum = 0;

    if (!next || paged_make(out, l->pool, sizeof(struct place), ends->n, 0, e)) {
        free(next);
        return err_nomem(e);
    }
    for (size_t i = 0; i < l->n_tracks; i++) {
        next[i] = sum;
        sum += starts ? l->track[i].n_starts : l->track[i].n_stops;
    }
    for (size_t i = 0; i < ends->n; i++) {
        const struct place p = place_of(ends, starts, i);
        *(struct place *)paged_edit(out, next[p.track]++) = p;
    }
    free(next);
    return paged_failed(l->pool, e);
}

static int sort_places(struct launches *l, struct paged *ends, bool starts, struct paged *out, struct err *e)
{
    const bool few = l->n_tracks <= SPREAD && !l->strays;

    if (few && spread(l, ends, starts, out, e))
        return e->code;
    for (size_t i = 0; i < ends->n && !few; i++) {
        const struct place p = place_of(ends, starts, i);
        *(struct place *)paged_add(out) = p;
    }
    return paged_sort(out, before_by_track, e);
}

static bool before_by_bar(const void *x, const void *y)
{
    const struct said *a = x, *b = y;

    return a->ts != b->ts ? a->ts < b->ts : a->name < b->name;
}

static int add_said(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;

    if (l->said.n >= UINT32_MAX - 1)
        return err_set(e, ERR_LIMIT, "more ops with call stacks than can be numbered");
    *(struct said *)paged_add(&l->said) =
        (struct said){ query_int(q, 0), (uint32_t)query_int(q, 1), (uint32_t)query_int(q, 2),
                       (uint32_t)query_int(q, 3) };
    return paged_failed(l->pool, e);
}

/* 1 + the place of what was recorded with a bar, 0: nothing. */
static uint32_t said_of(struct launches *l, const struct chunk_event *ev)
{
    const struct said wanted = { .ts = ev->ts, .name = ev->name };
    size_t low = 0, high = l->said.n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (before_by_bar(paged_at(&l->said, mid), &wanted))
            low = mid + 1;
        else
            high = mid;
    }
    const struct said *x = low < l->said.n ? paged_at(&l->said, low) : NULL;
    return x && x->ts == ev->ts && x->name == ev->name ? (uint32_t)low + 1 : 0;
}

/* The backward op that begins with a bar: bars of a track come by their starts. */
static uint32_t back_of(struct launches *l, uint32_t track, int64_t ts)
{
    while (l->back_at < l->n_backs && l->backs[l->back_at].track == track && l->backs[l->back_at].ts < ts)
        l->back_at++;
    const struct place *p = l->back_at < l->n_backs ? &l->backs[l->back_at] : NULL;
    return p && p->track == track && p->ts == ts ? (uint32_t)l->back_at : NO_BACK;
}

static int open_bar(struct launches *l, uint32_t track, const struct chunk_event *ev, struct err *e)
{
    while (l->n_open && l->open[l->n_open - 1].end < ev->ts)
        l->n_open--;
    struct bar *v = grow_array(l->open, l->n_open, &l->cap_open, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    l->open = v;
    v[l->n_open++] = (struct bar){ chunk_end(ev), ev->name, back_of(l, track, ev->ts), said_of(l, ev) };
    return OK;
}

/* Inner ops have none of their own: it is that of the nearest op around them, within a call of Python. */
static void find_said(struct launches *l, int64_t ts, struct launch_path *path)
{
    for (size_t i = l->said.n ? l->n_open : 0; i-- > 0 && (!path->module || !path->stack);) {
        const struct bar *b = &l->open[i];
        if (b->end < ts)
            continue;
        if (launch_places_is_frame(l->places, b->name))
            break;
        if (!b->said)
            continue;
        const struct said *x = paged_at(&l->said, b->said - 1);
        path->module = path->module ? path->module : x->module;
        path->stack = path->stack ? path->stack : x->stack;
    }
}

/* Where an arrow of the framework begins: in which of the open bars. */
static int find_place(struct launches *l, struct start *a, struct err *e)
{
    const struct group *g = &l->group[a->group];
    struct launch_path path;

    if (!l->places || (!g->host && !g->back))
        return OK;
    path.n = path.module = path.stack = 0;
    for (size_t i = l->n_open > LAUNCH_PATH_N ? l->n_open - LAUNCH_PATH_N : 0; i < l->n_open; i++)
        if (l->open[i].end >= a->ts) {
            path.name[path.n++] = l->open[i].name;
            a->back = l->open[i].back != NO_BACK ? l->open[i].back : a->back;
        }
    find_said(l, a->ts, &path);
    a->place = launch_places_put(l->places, &path, e);
    return e->code;
}

static int bind_end(struct launches *l, struct paged *ends, bool starts, const struct place *p, struct err *e)
{
    while (l->n_open && l->open[l->n_open - 1].end < p->ts)
        l->n_open--;
    if (!l->n_open)
        return OK;
    const struct bar *bar = &l->open[l->n_open - 1];
    if (!starts) {
        ((struct stop *)paged_edit(ends, p->at))->bar_name = bar->name;
        return OK;
    }
    struct start *a = paged_edit(ends, p->at);
    a->bar_end = bar->end;
    return find_place(l, a, e);
}

struct binding {
    struct launches *l;
    struct paged *ends, *order;
    bool starts;
    size_t at, end; /* of a track, in order */
};

static int64_t next_ts(struct binding *b)
{
    return ((const struct place *)paged_at(b->order, b->at))->ts;
}

static int bind_next(struct binding *b, struct err *e)
{
    const struct place p = *(const struct place *)paged_at(b->order, b->at++);

    return bind_end(b->l, b->ends, b->starts, &p, e);
}

/* The first stop of a track in backs. */
static size_t first_back(const struct launches *l, uint32_t track)
{
    size_t low = 0, high = l->n_backs;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->backs[mid].track < track)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The ends of one track, in order of time. */
static int bind_track(struct binding *b, struct query *q, struct err *e)
{
    struct launches *l = b->l;
    const struct place first = *(const struct place *)paged_at(b->order, b->at);
    const struct place last = *(const struct place *)paged_at(b->order, b->end - 1);

    l->n_open = 0;
    l->back_at = b->starts ? first_back(l, first.track) : l->n_backs;
    query_reset(q);
    query_bind_int(q, ":track", first.track);
    query_bind_int(q, ":from", first.ts);
    query_bind_int(q, ":to", last.ts);
    while (b->at < b->end && query_step(q, e) == 1) {
        size_t n = (size_t)query_int(q, 0);
        if (decode(l, n, query_str(q, 1), e))
            break;
        for (size_t i = 0; i < n && b->at < b->end; i++) {
            while (b->at < b->end && next_ts(b) < l->ev[i].ts)
                if (bind_next(b, e))
                    return e->code;
            if (open_bar(l, first.track, &l->ev[i], e))
                return e->code;
        }
    }
    while (b->at < b->end && !e->code)
        (void)!bind_next(b, e);
    return e->code;
}

static int bind_ends(struct launches *l, struct paged *ends, bool starts, struct err *e)
{
    struct store *s = fill_reader(l->f, e);
    struct query *q = NULL;
    struct paged order;
    struct binding b = { l, ends, &order, starts, 0, 0 };

    paged_init(&order, l->pool, sizeof(struct place));
    if (s && store_query(s, &q, BARS_SQL, e) == OK)
        (void)!sort_places(l, ends, starts, &order, e);
    while (!e->code && b.end < order.n) {
        const uint32_t track = ((const struct place *)paged_at(&order, b.end))->track;
        while (b.end < order.n && ((const struct place *)paged_at(&order, b.end))->track == track)
            b.end++;
        (void)!bind_track(&b, q, e);
    }
    paged_done(&order);
    query_free(q);
    return e->code ? e->code : paged_failed(l->pool, e);
}

/* ---- arrows: to each end its start ---- */

static bool before_by_arrow(const void *x, const void *y)
{
    const struct start *a = x, *b = y;

    if (a->group != b->group)
        return a->group < b->group;
    return a->id != b->id ? a->id < b->id : a->ts < b->ts;
}

struct wanted {
    struct paged *v;
    uint64_t id;
    int64_t ts;
    uint32_t group;
};

static bool starts_until(const void *arg, size_t i)
{
    const struct wanted *w = arg;
    const struct start *a = paged_at(w->v, i);

    if (a->group != w->group)
        return a->group < w->group;
    return a->id != w->id ? a->id < w->id : a->ts <= w->ts;
}

static bool is_start(struct launches *l, size_t i, const struct stop *end)
{
    const struct start *a = paged_at(&l->starts, i);

    return a->group == end->group && a->id == end->id;
}

/*
 * The last start of the arrow that is not after its end; starts are in order. Clocks of host and device
 * differ by some ns: a device may seem to run what no one launched yet, and then the first start is the one.
 */
static uint32_t find_start(struct launches *l, const struct stop *end)
{
    const struct wanted w = { &l->starts, end->id, end->ts, end->group };
    const size_t at = prof_gallop(l->starts.n, l->at, starts_until, &w);

    l->at = at;
    if (at && is_start(l, at - 1, end))
        return (uint32_t)at - 1;
    return at < l->starts.n && is_start(l, at, end) ? (uint32_t)at : NO_START;
}

static int join_ends(struct launches *l, struct err *e)
{
    if (paged_sort(&l->starts, before_by_arrow, e))
        return e->code;
    l->at = 0;
    for (size_t i = 0; i < l->stops.n; i++) {
        const struct stop end = *(const struct stop *)paged_at(&l->stops, i);
        const uint32_t start = find_start(l, &end);
        ((struct stop *)paged_edit(&l->stops, i))->start = start;
    }
    return paged_failed(l->pool, e);
}

/* ---- places ---- */

static int place_cmp(const void *x, const void *y)
{
    return before_by_track(x, y) ? -1 : before_by_track(y, x);
}

/* Which stops are of backward ops, before bars are bound to starts. */
static int find_backs(struct launches *l, struct err *e)
{
    size_t cap = 0;

    for (size_t i = 0; i < l->stops.n && l->places; i++) {
        const struct stop end = *(const struct stop *)paged_at(&l->stops, i);
        if (!l->group[end.group].back)
            continue;
        struct place *v = grow_array(l->backs, l->n_backs, &cap, sizeof *v, 256);
        if (!v)
            return err_nomem(e);
        l->backs = v;
        v[l->n_backs++] = (struct place){ end.ts, end.track, (uint32_t)i };
    }
    if (l->n_backs)
        qsort(l->backs, l->n_backs, sizeof *l->backs, place_cmp);
    return paged_failed(l->pool, e);
}

/* From stops to the places of the starts that they were joined with. */
static int join_backs(struct launches *l, struct err *e)
{
    for (size_t i = 0; i < l->n_backs; i++) {
        const struct stop end = *(const struct stop *)paged_at(&l->stops, l->backs[i].at);
        l->backs[i].at =
            end.start == NO_START ? 0 : ((const struct start *)paged_at(&l->starts, end.start))->place;
    }
    return paged_failed(l->pool, e);
}

/* Of a backward op's launch module and code are those of the forward op, after the ends are joined. */
static struct launch_place place_of_start(struct launches *l, const struct start *a)
{
    struct launch_place x = launch_places_get(l->places, a->place);

    if ((x.module && x.stack) || a->back == NO_BACK)
        return x;
    const struct launch_place y = launch_places_get(l->places, l->backs[a->back].at);
    x.module = x.module ? x.module : y.module;
    x.stack = x.stack ? x.stack : y.stack;
    return x;
}

/* ---- executions ---- */

static bool before_by_time(const void *x, const void *y)
{
    const struct stop *a = x, *b = y;

    return a->ts < b->ts;
}

static bool ends_before(const void *arg, size_t i)
{
    const struct wanted *w = arg;

    return ((const struct stop *)paged_at(w->v, i))->ts < w->ts;
}

/* How well a bar fits an execution that starts at the same instant; 0: it is another's. */
static int fit(const struct launches *l, const struct stop *end, const struct query *q)
{
    int64_t stream = query_null(q, 3) ? NO_STREAM : query_int(q, 3), op = query_int(q, 1);

    if (end->start == NO_START || end->track >= l->n_tracks || l->track[end->track].rank != query_int(q, 2))
        return 0;
    bool same_stream = stream != NO_STREAM && stream == l->track[end->track].stream;
    bool same_name = end->bar_name && op >= 0 && (size_t)op < l->n_ops && end->bar_name == l->op_name[op];
    return same_stream * 2 + same_name;
}

/*
 * The start of the arrow that launched an execution, and of the framework's (place 0: none). false: none
 * leads to it.
 */
static bool launch_of(struct launches *l, const struct query *q, struct start *best, struct start *host)
{
    const struct wanted w = { .v = &l->stops, .ts = query_int(q, 4) };
    int best_fit = 0, host_fit = 0;

    l->at = prof_gallop(l->stops.n, l->at, ends_before, &w);
    for (size_t i = l->at; i < l->stops.n; i++) {
        const struct stop *end = paged_at(&l->stops, i);
        if (end->ts != w.ts)
            break;
        int n = fit(l, end, q);
        const struct start *start = n ? paged_at(&l->starts, end->start) : NULL;
        if (n > best_fit || (n && n == best_fit && start->ts > best->ts)) {
            *best = *start;
            best_fit = n;
        }
        bool is_host = n && start->place && l->group[start->group].host;
        if (is_host && (n > host_fit || (n == host_fit && start->ts > host->ts))) {
            *host = *start;
            host_fit = n;
        }
    }
    return best_fit > 0;
}

static int put_host(struct launches *l, const struct query *q, const struct start *host, struct err *e)
{
    const struct launch_place x = place_of_start(l, host);

    if (!x.name)
        return OK;
    const struct val v[N_COLS(exec_host)] = {
        [COL(exec_host, exec_id)] = val_int(query_int(q, 0)),
        [COL(exec_host, rank)] = query_val(q, 2),
        [COL(exec_host, name_id)] = val_id(x.name),
        [COL(exec_host, module_id)] = val_id(x.module),
        [COL(exec_host, stack_id)] = val_id(x.stack),
        [COL(exec_host, source_id)] = val_int(l->group[host->group].source),
    };
    return sink_row(fill_sink(l->f), T_exec_host, v, N_COLS(exec_host), NULL, e);
}

static int put_exec(void *arg, const struct query *q, struct err *e)
{
    struct launches *l = arg;
    int rank = (int)query_int(q, 2);
    int64_t delay, launch;
    struct start start = { .ts = 0 }, host = { .place = 0 };
    bool launched = launch_of(l, q, &start, &host);

    if (host.place && put_host(l, q, &host, e))
        return e->code;
    if (!launched || start.bar_end == NO_CALL ||
        __builtin_sub_overflow(query_int(q, 4), start.bar_end, &delay) ||
        __builtin_add_overflow(start.bar_end, fill_rank_origin(l->f, rank), &launch))
        return paged_failed(l->pool, e);
    const struct val v[N_COLS(op_launch)] = {
        [COL(op_launch, exec_id)] = val_int(query_int(q, 0)),
        [COL(op_launch, op_id)] = query_val(q, 1),
        [COL(op_launch, rank)] = val_int(rank),
        [COL(op_launch, launch_ns)] = val_int(launch),
        [COL(op_launch, delay_ns)] = query_int(q, 5) ? val_null() : val_int(delay),
    };
    return sink_row(fill_sink(l->f), T_op_launch, v, N_COLS(op_launch), NULL, e);
}

/* ---- all ---- */

static int note_one(void *arg, const struct query *q, struct err *e)
{
    (void)q;
    (void)e;
    *(bool *)arg = true;
    return OK;
}

/* A timeline alone has arrows, and no execution that one could lead to. */
static int find_launches(struct launches *l, struct err *e)
{
    bool any = false, said = false;

    if (fill_each(l->f, ANY_EXEC_SQL, note_one, &any, e) || !any)
        return e->code;
    if (fill_each(l->f, ANY_HOST_SQL, note_one, &said, e) ||
        (!said && launch_places_new(&l->places, l->f, e)))
        return e->code;
    if (fill_each(l->f, TRACKS_SQL, add_track, l, e) || fill_each(l->f, ARROWS_SQL, add_ends, l, e) ||
        !l->starts.n || !l->stops.n)
        return e->code;
    if (l->places && (fill_each(l->f, SAID_SQL, add_said, l, e) || paged_sort(&l->said, before_by_bar, e)))
        return e->code;
    if (fill_each(l->f, OPS_SQL, add_op, l, e) || find_backs(l, e) || bind_ends(l, &l->starts, true, e) ||
        bind_ends(l, &l->stops, false, e) || join_ends(l, e) || join_backs(l, e) ||
        paged_sort(&l->stops, before_by_time, e))
        return e->code;
    l->at = 0;
    return fill_each(l->f, EXECS_SQL, put_exec, l, e);
}

static void launches_done(struct launches *l)
{
    paged_done(&l->starts);
    paged_done(&l->stops);
    paged_done(&l->said);
    paged_pool_free(l->pool);
    free(l->track);
    free(l->op_name);
    free(l->group);
    free(l->open);
    free(l->backs);
    launch_places_free(l->places);
    free(l->ev);
}

int launch_write(struct fill *f, unsigned unread, struct err *e)
{
    struct launches l = { .f = f, .ev = malloc(CHUNK_EVENTS * sizeof *l.ev) };
    int rc = l.ev ? paged_pool_new(&l.pool, MEMORY_B, e) : err_nomem(e);

    if (rc == OK) {
        paged_init(&l.starts, l.pool, sizeof(struct start));
        paged_init(&l.stops, l.pool, sizeof(struct stop));
        paged_init(&l.said, l.pool, sizeof(struct said));
        rc = fill_begin(f, 0, e);
    }
    if (rc == OK) {
        rc = fill_index_time(f, e);
        if (rc == OK)
            rc = fill_update(f, "DELETE FROM op_launch", NULL, 0, e);
        if (rc == OK)
            rc = fill_update(f, "DELETE FROM exec_host WHERE line IS NULL", NULL, 0, e);
        if (rc == OK && !(unread & (PANE_BIT(PANE_TIME) | PANE_BIT(PANE_OPS))))
            rc = find_launches(&l, e);
        rc = fill_close(f, rc, e);
    }
    launches_done(&l);
    return rc;
}
