/* Tracks, cells, events of the timeline. */
#include "config.h"

#include "model/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "model/timeline_int.h"

#define TRACK_ARENA_B ((size_t)64 << 20)

/* Order of kinds on the screen: device first (ux.md 3.8). */
static const char *const kind_order[] = { "step",    "stream",  "plane",       "aicpu",
                                          "engine",  "overlap", "host_thread", "scope",
                                          "counter", "memory",  "queue" };

static size_t kind_rank(struct str kind)
{
    for (size_t i = 0; i < ARRAY_LEN(kind_order); i++)
        if (str_eq(kind, str_of(kind_order[i])))
            return i;
    return ARRAY_LEN(kind_order);
}

/* ---- open ---- */

static struct str keep(struct timeline *t, struct str s)
{
    return s.p ? arena_str(t->arena, s) : s;
}

static int add_track(struct timeline *t, size_t part, struct query *q, struct err *e)
{
    struct tl_track *p = realloc(t->tracks, (t->n_tracks + 1) * sizeof *p);

    if (!p)
        return err_nomem(e);
    t->tracks = p;
    p += t->n_tracks++;
    *p = (struct tl_track){
        .id = query_int(q, 0),
        .part = part,
        .rank = t->parts[part].rank,
        .kind = keep(t, query_str(q, 1)),
        .process = keep(t, query_str(q, 2)),
        .name = keep(t, query_str(q, 3)),
        .unit = keep(t, query_str(q, 4)),
        .stream = query_null(q, 5) ? -1 : query_int(q, 5),
        .n = query_int(q, 6),
        .t0 = query_int(q, 7),
        .t1 = query_int(q, 8),
        .busy_ns = query_int(q, 9),
        .lanes = (int)query_int(q, 10),
    };
    if (!p->name.p)
        p->name = keep(t, query_str(q, 11));
    p->is_counter = str_eq(p->kind, STR("counter"));
    p->is_host = str_eq(p->kind, STR("host_thread")) || str_eq(p->kind, STR("scope"));
    return OK;
}

static int load_tracks(struct timeline *t, size_t part, struct err *e)
{
    static const char sql[] =
        "SELECT t.id, t.kind, p.text, n.text, t.unit, t.stream, t.n, t.t0, t.t1, t.busy_ns, "
        "t.lanes, t.tid "
        "FROM track t LEFT JOIN string p ON p.id = t.process_id LEFT JOIN string n ON n.id = "
        "t.name_id "
        "WHERE t.rank = :rank AND t.kind <> 'flow' AND t.n > 0 ORDER BY t.sort, t.id";
    struct query *q = NULL;
    int rc;

    if (store_query(t->parts[part].store, &q, sql, e))
        return (int)e->code;
    query_bind_int(q, ":rank", t->parts[part].rank);
    while ((rc = query_step(q, e)) == 1)
        if (add_track(t, part, q, e))
            break;
    query_free(q);
    return (int)e->code;
}

static int track_cmp(const void *a, const void *b)
{
    const struct tl_track *x = a, *y = b;
    size_t kx = kind_rank(x->kind), ky = kind_rank(y->kind);

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (kx != ky)
        return kx < ky ? -1 : 1;
    int c =
        str_cmp_natural(x->process.p ? x->process : STR(""), y->process.p ? y->process : STR(""));
    if (c)
        return c;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    c = str_cmp_natural(x->name.p ? x->name : STR(""), y->name.p ? y->name : STR(""));
    return c ? c : x->id < y->id ? -1 : x->id > y->id;
}

int timeline_open(struct timeline **out, struct store *const *stores, const int *ranks, size_t n,
                  struct err *e)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (!t)
        return err_nomem(e);
    t->parts = calloc(n ? n : 1, sizeof *t->parts);
    if (!t->parts || arena_new(&t->arena, TRACK_ARENA_B, e)) {
        err_nomem(e);
        goto fail;
    }
    for (size_t i = 0; i < n; i++) {
        t->parts[t->n_parts++] = (struct tl_part){ .store = stores[i], .rank = ranks[i] };
        if (load_tracks(t, i, e))
            goto fail;
    }
    if (t->n_tracks)
        qsort(t->tracks, t->n_tracks, sizeof *t->tracks, track_cmp);
    t->track_class = calloc(t->n_tracks ? t->n_tracks : 1, sizeof *t->track_class);
    if (!t->track_class) {
        err_nomem(e);
        goto fail;
    }
    for (size_t i = 0; i < t->n_tracks; i++)
        t->track_class[i] = op_class_of_track(t->tracks[i].kind, t->tracks[i].process);
    *out = t;
    return OK;
fail:
    timeline_close(t);
    return (int)e->code;
}

void timeline_close(struct timeline *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n_parts; i++)
        free(t->parts[i].classes);
    free(t->parts);
    free(t->tracks);
    free(t->track_class);
    arena_free(t->arena);
    free(t);
}

size_t timeline_n_tracks(const struct timeline *t)
{
    return t->n_tracks;
}

const struct tl_track *timeline_track(const struct timeline *t, size_t i)
{
    return &t->tracks[i];
}

bool timeline_span(const struct timeline *t, int64_t *t0, int64_t *t1)
{
    bool any = false;

    for (size_t i = 0; i < t->n_tracks; i++) {
        if (!any || t->tracks[i].t0 < *t0)
            *t0 = t->tracks[i].t0;
        if (!any || t->tracks[i].t1 > *t1)
            *t1 = t->tracks[i].t1;
        any = true;
    }
    return any;
}

struct str timeline_name(struct timeline *t, size_t track, int64_t name_id)
{
    return store_string(t->parts[t->tracks[track].part].store, name_id);
}

/* ---- classes ---- */

/* By the op of that name, where there is one; else by the name itself. */
static enum op_class class_by_name(struct tl_part *p, const struct tl_track *tr, int64_t name_id)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    enum op_class c = OC_NONE;

    if (store_query(p->store, &q,
                    "SELECT o.core, s.text FROM op o LEFT JOIN string s ON s.id = o.type_id WHERE "
                    "o.name_id = :name LIMIT 1",
                    &e) == OK) {
        query_bind_int(q, ":name", name_id);
        if (query_step(q, &e) == 1 && (!query_null(q, 0) || !query_null(q, 1)))
            c = op_class_of(query_str(q, 0),
                            query_null(q, 1) ? store_string(p->store, name_id) : query_str(q, 1));
    }
    query_free(q);
    return c != OC_NONE ? c
                        : op_class_of_event(tr->kind, tr->process, store_string(p->store, name_id));
}

enum op_class timeline_class(struct timeline *t, size_t track, int64_t name_id)
{
    const struct tl_track *tr = &t->tracks[track];
    struct tl_part *p = &t->parts[tr->part];

    if (t->track_class[track] != OC_NONE)
        return t->track_class[track];
    if (str_eq(tr->kind, STR("overlap")))
        return op_class_of_event(tr->kind, tr->process, store_string(p->store, name_id));
    if (name_id < 0)
        return OC_NONE;
    if ((size_t)name_id >= p->n_classes) {
        size_t n = p->n_classes ? p->n_classes : 1024;
        while (n <= (size_t)name_id)
            n *= 2;
        uint8_t *c = realloc(p->classes, n);
        if (!c)
            return OC_NONE;
        memset(c + p->n_classes, 0, n - p->n_classes);
        p->classes = c;
        p->n_classes = n;
    }
    if (!p->classes[name_id])
        p->classes[name_id] = (uint8_t)(class_by_name(p, tr, name_id) + 1);
    return (enum op_class)(p->classes[name_id] - 1);
}

/* ---- walking over chunks ---- */

int walk_open(struct chunk_walk *w, struct timeline *t, size_t track, int64_t from, int64_t to,
              bool backward, struct err *e)
{
    static const char forward_sql[] = "SELECT id, n, d, t0, t1 FROM chunk WHERE track = :track AND "
                                      "t0 <= :to AND t1 >= :from ORDER BY t0, id";
    static const char backward_sql[] = "SELECT id, n, d, t0, t1 FROM chunk WHERE track = :track "
                                       "AND t0 <= :to AND t1 >= :from ORDER BY t0 DESC, id DESC";
    const struct tl_track *tr = &t->tracks[track];

    memset(w, 0, sizeof *w);
    w->ev = malloc(CHUNK_EVENTS * sizeof *w->ev);
    if (!w->ev)
        return err_nomem(e);
    if (store_query(t->parts[tr->part].store, &w->q, backward ? backward_sql : forward_sql, e))
        return (int)e->code;
    query_bind_int(w->q, ":track", tr->id);
    query_bind_int(w->q, ":from", from);
    query_bind_int(w->q, ":to", to);
    return OK;
}

int walk_next(struct chunk_walk *w, struct err *e)
{
    int rc = query_step(w->q, e);

    if (rc != 1)
        return rc;
    w->id = query_int(w->q, 0);
    w->n = (size_t)query_int(w->q, 1);
    w->t0 = query_int(w->q, 3);
    w->t1 = query_int(w->q, 4);
    if (!w->n || w->n > CHUNK_EVENTS || !chunk_decode(query_str(w->q, 2), w->ev, w->n)) {
        err_set(e, ERR_FORMAT,
                "a chunk of the timeline in the store is damaged: remove it with 'npuscope cache "
                "remove'");
        return -1;
    }
    return 1;
}

void walk_close(struct chunk_walk *w)
{
    query_free(w->q);
    free(w->ev);
    memset(w, 0, sizeof *w);
}

void walk_event(const struct chunk_walk *w, size_t track, size_t i, struct tl_event *ev)
{
    const struct chunk_event *x = &w->ev[i];

    *ev = (struct tl_event){ .track = track,
                             .ts_ns = x->ts,
                             .dur_ns = x->dur,
                             .lane = x->lane,
                             .name_id = x->name,
                             .off = x->off,
                             .seq = w->id * CHUNK_EVENTS + (int64_t)i };
}

/* ---- cells ---- */

/* Occupied time per name in the current cell. */
struct cell_names {
    struct {
        uint32_t name;
        int64_t ns;
    } slot[64];
    size_t n;
    size_t cell;
};

static void names_add(struct cell_names *c, uint32_t name, int64_t ns)
{
    size_t least = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (c->slot[i].name == name) {
            c->slot[i].ns += ns;
            return;
        }
        if (c->slot[i].ns < c->slot[least].ns)
            least = i;
    }
    if (c->n < ARRAY_LEN(c->slot))
        least = c->n++;
    else if (c->slot[least].ns > ns)
        return;
    c->slot[least].name = name;
    c->slot[least].ns = ns;
}

static void names_settle(struct cell_names *c, struct tl_cell *out)
{
    int64_t best = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (c->slot[i].ns <= best)
            continue;
        best = c->slot[i].ns;
        out[c->cell].name_id = c->slot[i].name;
    }
    c->n = 0;
}

/* The window and its cells. */
struct grid {
    int64_t from, to;
    size_t n;
    struct tl_cell *out;
    int32_t *touch; /* differences of the counts */
    struct cell_names names;
    int64_t covered; /* end of the union so far */
};

static int64_t cell_edge(const struct grid *g, size_t i)
{
    return g->from + (int64_t)((__int128)(g->to - g->from) * (int64_t)i / (int64_t)g->n);
}

static size_t cell_of(const struct grid *g, int64_t ts)
{
    if (ts <= g->from)
        return 0;
    if (ts >= g->to)
        return g->n - 1;
    size_t i = (size_t)((__int128)(ts - g->from) * (int64_t)g->n / (g->to - g->from));
    if (i + 1 < g->n && cell_edge(g, i + 1) <= ts)
        i++;
    return i;
}

/* Spread the part of an event that adds to the union over its cells. */
static void cover(struct grid *g, int64_t a, int64_t b, uint32_t name)
{
    for (size_t i = cell_of(g, a); i < g->n && a < b; i++) {
        int64_t edge = i + 1 < g->n ? cell_edge(g, i + 1) : g->to, end = b < edge ? b : edge;
        if (end <= a)
            continue;
        if (i != g->names.cell) {
            names_settle(&g->names, g->out);
            g->names.cell = i;
        }
        names_add(&g->names, name, end - a);
        g->out[i].busy += (float)((double)(end - a) / (double)(edge - cell_edge(g, i)));
        a = end;
    }
}

static void cell_event(struct grid *g, const struct chunk_event *ev)
{
    int64_t end = event_end(ev);

    if (ev->ts >= g->to || (end <= g->from && ev->ts < g->from))
        return;
    size_t first = cell_of(g, ev->ts), last = end > ev->ts ? cell_of(g, end - 1) : first;
    g->touch[first]++;
    g->touch[last + 1]--;
    if (ev->ts >= g->from) {
        g->out[first].starts++;
        if (!g->out[first].name_id)
            g->out[first].name_id = ev->name; /* something to show for instants */
    }
    int64_t a = ev->ts > g->covered ? ev->ts : g->covered, b = end < g->to ? end : g->to;
    if (a < b)
        cover(g, a, b, ev->name);
    if (end > g->covered)
        g->covered = end;
}

static void finish_cells(struct grid *g, struct timeline *t, size_t track)
{
    int32_t open = 0;

    names_settle(&g->names, g->out);
    for (size_t i = 0; i < g->n; i++) {
        struct tl_cell *c = &g->out[i];
        open += g->touch[i];
        c->count = (uint32_t)open;
        if (c->busy > 1)
            c->busy = 1;
        if (c->name_id)
            c->cls = timeline_class(t, track, c->name_id);
    }
}

static int event_cells(struct timeline *t, size_t track, int lane, struct grid *g, struct err *e)
{
    struct chunk_walk w;
    int rc = -1;

    if (walk_open(&w, t, track, g->from, g->to, false, e) == OK)
        while ((rc = walk_next(&w, e)) == 1)
            for (size_t i = 0; i < w.n; i++)
                if (lane < 0 || w.ev[i].lane == lane)
                    cell_event(g, &w.ev[i]);
    walk_close(&w);
    if (rc < 0)
        return (int)e->code;
    finish_cells(g, t, track);
    return OK;
}

static void cell_sample(struct grid *g, const struct chunk_event *ev)
{
    float v = (float)chunk_to_double(ev->dur);
    struct tl_cell *c = &g->out[cell_of(g, ev->ts)];

    c->lo = !c->count || v < c->lo ? v : c->lo;
    c->hi = !c->count || v > c->hi ? v : c->hi;
    c->level = v;
    c->count++;
}

static int counter_cells(struct timeline *t, size_t track, struct grid *g, struct err *e)
{
    struct chunk_walk w;
    float before = NAN;
    int rc = -1;

    /* The value in force when the window begins. */
    if (walk_open(&w, t, track, INT64_MIN, g->from, true, e) == OK && (rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n && w.ev[i].ts < g->from; i++)
            before = (float)chunk_to_double(w.ev[i].dur);
    walk_close(&w);
    if (rc >= 0 && walk_open(&w, t, track, g->from, g->to, false, e) == OK)
        while ((rc = walk_next(&w, e)) == 1)
            for (size_t i = 0; i < w.n; i++)
                if (w.ev[i].ts >= g->from && w.ev[i].ts < g->to)
                    cell_sample(g, &w.ev[i]);
    walk_close(&w);
    for (size_t i = 0; i < g->n; i++) {
        if (!g->out[i].count)
            g->out[i].level = g->out[i].lo = g->out[i].hi = before;
        before = g->out[i].level;
    }
    return rc < 0 ? (int)e->code : OK;
}

int timeline_cells(struct timeline *t, size_t track, int lane, int64_t from, int64_t to, size_t n,
                   struct tl_cell *out, struct err *e)
{
    struct grid g = {
        .from = from, .to = to > from ? to : from + 1, .n = n, .out = out, .covered = from
    };

    for (size_t i = 0; i < n; i++)
        out[i] = (struct tl_cell){ .level = NAN, .lo = NAN, .hi = NAN };
    if (!n)
        return OK;
    g.touch = calloc(n + 1, sizeof *g.touch);
    if (!g.touch)
        return err_nomem(e);
    int rc = t->tracks[track].is_counter ? counter_cells(t, track, &g, e)
                                         : event_cells(t, track, lane, &g, e);
    free(g.touch);
    return rc;
}
