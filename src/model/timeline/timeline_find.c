/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for events: in a window, at a point, next and previous, by name, along flows. */
#include "config.h"

#include <stdlib.h>

#include "model/timeline/timeline_int.h"

int timeline_events(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_event *out,
                    size_t max, size_t *n, bool *more, struct err *e)
{
    struct chunk_walk w;
    int rc = 0;

    *n = 0;
    *more = false;
    walk_open(&w, t, track, from, to, false);
    while (!*more && (rc = walk_next(&w, e)) == 1) {
        for (size_t i = 0; i < w.n && !*more; i++) {
            if (w.ev[i].ts >= to || (chunk_end(&w.ev[i]) <= from && w.ev[i].ts < from))
                continue;
            if (*n == max)
                *more = true;
            else
                walk_event(&w, i, &out[(*n)++]);
        }
    }
    walk_close(&w);
    return rc < 0 ? e->code : OK;
}

static int64_t running_distance(const struct tl_event *ev, int64_t ts)
{
    const int64_t end = ev->ts_ns + ev->dur_ns;

    return ts < ev->ts_ns ? ev->ts_ns - ts : ts > end ? ts - end : 0;
}

/* Distance of an event to a point, 0 inside. */
static int64_t distance(const struct chunk_event *ev, int64_t ts)
{
    int64_t end = chunk_end(ev);
    return ts < ev->ts ? ev->ts - ts : ts >= end && ts > ev->ts ? ts - end + (ev->dur > 0) : 0;
}

int timeline_at(struct timeline *t, size_t track, int64_t ts, int64_t tolerance, struct tl_event *ev,
                struct err *e)
{
    struct chunk_walk w;
    int64_t best = INT64_MAX;
    int lane = -1, rc;

    walk_open(&w, t, track, ts - tolerance, ts + tolerance, false);
    while ((rc = walk_next(&w, e)) == 1) {
        for (size_t i = 0; i < w.n; i++) {
            int64_t d = distance(&w.ev[i], ts);
            if (d > tolerance || d > best || (d == best && w.ev[i].lane < lane))
                continue;
            best = d;
            lane = w.ev[i].lane;
            walk_event(&w, i, ev);
        }
    }
    walk_close(&w);
    struct tl_event run;
    const int64_t d = timeline_running(t, track, &run) ? running_distance(&run, ts) : INT64_MAX;
    if (rc == 0 && d <= tolerance && d <= best) {
        best = d;
        *ev = run;
    }
    return rc < 0 ? -1 : best != INT64_MAX;
}

static bool after(const struct tl_event *x, int64_t ts, int64_t seq)
{
    return x->ts_ns != ts ? x->ts_ns > ts : x->seq > seq;
}

static bool before(const struct tl_event *x, int64_t ts, int64_t seq)
{
    return x->ts_ns != ts ? x->ts_ns < ts : x->seq < seq;
}

int timeline_step(struct timeline *t, size_t track, int64_t ts, int64_t seq, int dir, int64_t name_id,
                  struct tl_event *ev, struct err *e)
{
    struct chunk_walk w;
    int rc = 0, found = 0;

    walk_open(&w, t, track, dir > 0 ? ts : INT64_MIN, dir > 0 ? INT64_MAX : ts, dir < 0);
    w.name = (uint32_t)name_id;
    while (!found && (rc = walk_next(&w, e)) == 1) {
        for (size_t k = 0; k < w.n && !found; k++) {
            size_t i = dir > 0 ? k : w.n - 1 - k;
            struct tl_event x;
            if (name_id && w.ev[i].name != name_id)
                continue;
            walk_event(&w, i, &x);
            if (!(dir > 0 ? after(&x, ts, seq) : before(&x, ts, seq)))
                continue;
            *ev = x;
            found = 1;
        }
    }
    walk_close(&w);
    struct tl_event run;
    if (rc < 0 || !timeline_running(t, track, &run) || (name_id && run.name_id != name_id))
        return rc < 0 ? -1 : found;
    bool on_way = dir > 0 ? after(&run, ts, seq) : before(&run, ts, seq);
    if (on_way && (!found || (dir > 0 ? after(ev, run.ts_ns, run.seq) : before(ev, run.ts_ns, run.seq)))) {
        *ev = run;
        found = 1;
    }
    return found;
}

/* ---- flows ---- */

/* One end of a flow. */
struct flow_end {
    int64_t track_id, ts, id, flow_track;
    bool found;
};

/*
 * A search among the ends of one phase, in the chunks that sql lists (track of flows, chunk), for the first
 * one in order of time, or the last.
 */
struct flow_search {
    const char *sql;
    int64_t a;                      /* parameter of sql */
    int64_t from, to;               /* time of the end */
    int64_t on_track;               /* 0: any */
    const struct flow_end *partner; /* an end with its id is wanted; NULL: any */
    bool backward;
};

static bool is_end(const struct flow_search *f, const struct chunk_event *ev)
{
    return ev->ts >= f->from && ev->ts <= f->to && (!f->on_track || ev->name == f->on_track) &&
           (!f->partner || ev->dur == f->partner->id);
}

/*
 * Search one chunk of flows. These are in no directory: they are read here, and only those that have ends on
 * the track.
 */
static int flow_chunk(struct tl_part *p, const struct flow_search *f, int64_t flow_track, int64_t chunk,
                      struct chunk_event *ev, struct flow_end *out, struct err *e)
{
    size_t n = 0;

    if (part_query(p, &p->get_flows, "SELECT n, names, d FROM chunk WHERE id = :id", e))
        return e->code;
    query_bind_int(p->get_flows, ":id", chunk);
    if (query_step(p->get_flows, e) == 1 &&
        (!f->on_track || chunk_names_has(query_str(p->get_flows, 1), (uint32_t)f->on_track))) {
        n = (size_t)query_int(p->get_flows, 0);
        if (n > CHUNK_EVENTS || !chunk_decode(query_str(p->get_flows, 2), 0, ev, n))
            (void)!chunk_damaged(e);
    }
    query_reset(p->get_flows);
    for (size_t i = 0; !e->code && i < n && (f->backward || !out->found); i++)
        if (is_end(f, &ev[i]))
            *out = (struct flow_end){ ev[i].name, ev[i].ts, ev[i].dur, flow_track, true };
    return e->code;
}

static int find_flow_end(struct tl_part *p, const struct flow_search *f, struct flow_end *out, struct err *e)
{
    struct chunk_event *ev = malloc(CHUNK_EVENTS * sizeof *ev);
    struct query *q = NULL;

    out->found = false;
    if (!ev)
        return err_nomem(e);
    if (store_query(p->store, &q, f->sql, e) == OK) {
        query_bind_int(q, ":a", f->a);
        query_bind_int(q, ":from", f->from);
        query_bind_int(q, ":to", f->to);
        while (!out->found && query_step(q, e) == 1)
            if (flow_chunk(p, f, query_int(q, 0), query_int(q, 1), ev, out, e))
                break;
    }
    query_free(q);
    free(ev);
    return e->code;
}

/*
 * END_SQL: flow tracks of the rank of track :a; PARTNER_SQL: those of the same category and source as flow
 * track :a.
 */
#define FLOW_WINDOW " AND c.t0 <= :to AND c.t1 >= :from ORDER BY c.t0"
#define END_SQL(phase)                                                                                       \
    "SELECT c.track, c.id FROM track f JOIN chunk c ON c.track = f.id WHERE f.kind = 'flow' "                \
    "AND f.tid = '" phase "' AND f.rank = (SELECT rank FROM track WHERE id = :a)" FLOW_WINDOW
#define PARTNER_SQL(phase)                                                                                   \
    "SELECT c.track, c.id FROM track s JOIN track f ON f.kind = 'flow' AND f.tid = '" phase                  \
    "' AND f.pid = s.pid AND f.rank = s.rank AND f.source_id = s.source_id "                                 \
    "JOIN chunk c ON c.track = f.id WHERE s.id = :a" FLOW_WINDOW

/* The other end: ids occur again in long runs, so take the nearest one in the direction of time; else any. */
static int find_partner(struct tl_part *p, const struct flow_end *here, bool is_start, struct flow_end *there,
                        struct err *e)
{
    struct flow_search f = { .sql = is_start ? PARTNER_SQL("f") : PARTNER_SQL("s") " DESC",
                             .a = here->flow_track,
                             .from = is_start ? here->ts : INT64_MIN,
                             .to = is_start ? INT64_MAX : here->ts,
                             .partner = here,
                             .backward = !is_start };

    if (find_flow_end(p, &f, there, e) || there->found)
        return e->code;
    f.sql = is_start ? PARTNER_SQL("f") " DESC" : PARTNER_SQL("s");
    f.from = is_start ? INT64_MIN : here->ts;
    f.to = is_start ? here->ts : INT64_MAX;
    f.backward = is_start;
    return find_flow_end(p, &f, there, e);
}

int timeline_flow(struct timeline *t, const struct tl_event *ev, struct tl_event *other, struct err *e)
{
    const struct tl_track *tr = &t->tracks[ev->track];
    struct tl_part *p = &t->parts[tr->part];
    struct flow_search f = { .sql = END_SQL("s"),
                             .a = tr->id,
                             .from = ev->ts_ns,
                             .to = ev->ts_ns + (ev->dur_ns > 0 ? ev->dur_ns : 0),
                             .on_track = tr->id };
    struct flow_end here, there;

    if (find_flow_end(p, &f, &here, e))
        return -1;
    bool is_start = here.found;
    f.sql = END_SQL("f");
    if (!is_start && find_flow_end(p, &f, &here, e))
        return -1;
    if (!here.found)
        return 0;
    if (find_partner(p, &here, is_start, &there, e))
        return -1;
    for (size_t i = 0; there.found && i < t->n_tracks; i++)
        if (t->tracks[i].part == tr->part && t->tracks[i].id == there.track_id)
            return timeline_at(t, i, there.ts, 0, other, e);
    return 0;
}
