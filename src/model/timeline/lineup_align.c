/* SPDX-License-Identifier: Apache-2.0 */
/* Corresponding events and steps; the first difference between two steps. */
#include "config.h"

#include "model/timeline/lineup_align.h"

#include <math.h>

#include "model/timeline/timeline_int.h"

/* ---- steps ---- */

/* Give a step that was found, with its times on the axis. */
static int on_axis(const struct lineup *l, size_t part, const struct step_span *found, struct step_span *out)
{
    if (found)
        *out = (struct step_span){ found->step, lineup_axis(l, part, found->from_ns),
                                   lineup_axis(l, part, found->to_ns) };
    return found != NULL;
}

int lineup_step_at(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e)
{
    const struct step_list *s = lineup_steps(l, part, e);

    return s ? on_axis(l, part, steps_at(s, lineup_stored(l, part, ts)), out) : -1;
}

int lineup_step_numbered(struct lineup *l, size_t part, int64_t step, struct step_span *out, struct err *e)
{
    const struct step_list *s = lineup_steps(l, part, e);

    return s ? on_axis(l, part, steps_numbered(s, step), out) : -1;
}

int lineup_step_before(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e)
{
    const struct step_list *s = lineup_steps(l, part, e);

    return s ? on_axis(l, part, steps_before(s, lineup_stored(l, part, ts)), out) : -1;
}

/* ns on the axis from an instant of the base to one of a part, both given as stored. */
static int64_t apart(const struct lineup *l, size_t part, int64_t mine, int64_t theirs)
{
    int64_t ns, a = lineup_axis(l, part, mine), b = lineup_axis(l, lineup_base(l), theirs);

    return __builtin_sub_overflow(a, b, &ns) ? INT64_MAX : ns;
}

bool lineup_distance(struct lineup *l, size_t part, struct lineup_gap *out)
{
    struct err ignored = ERR_INIT;
    const struct step_list *mine = lineup_steps(l, part, &ignored),
                           *base = lineup_steps(l, lineup_base(l), &ignored);
    int64_t a0, a1, b0, b1;

    *out = (struct lineup_gap){ .by_step = false };
    bool any = timeline_span(lineup_part(l, lineup_base(l))->tl, &b0, &b1);
    out->most_ns = any ? b1 - 1 - b0 : 0; /* b1 is the instant after the last */
    for (size_t i = 0; mine && base && i < mine->n; i++) {
        const struct step_span *same = steps_numbered(base, mine->p[i].step);
        if (!same)
            continue;
        out->by_step = true;
        out->ns = apart(l, part, mine->p[i].from_ns, same->from_ns);
        if (same->to_ns != INT64_MAX)
            out->most_ns = out->step_ns = same->to_ns - same->from_ns;
        return true;
    }
    if (!any || !timeline_span(lineup_part(l, part)->tl, &a0, &a1))
        return false;
    out->ns = apart(l, part, a0, b0);
    return true;
}

/* ---- the same event elsewhere ---- */

/* Id of a text in a store; 0: the store does not have it, -1: error. */
static int64_t string_id(struct store *s, struct str text, struct err *e)
{
    struct query *q = NULL;
    int64_t id = -1;

    if (store_query(s, &q, "SELECT id FROM string WHERE CAST(text AS BLOB) = CAST(:t AS BLOB) LIMIT 1", e))
        return -1;
    query_bind_text(q, ":t", text);
    switch (query_step(q, e)) {
    case 1:
        id = query_int(q, 0);
        break;
    case 0:
        id = 0;
        break;
    default:
        break;
    }
    query_free(q);
    return id;
}

/* How well a track corresponds to another of its kind; 0: it is of another kind. */
static int fit(const struct tl_track *a, const struct tl_track *b)
{
    if (!str_eq(a->kind, b->kind) || a->is_counter != b->is_counter)
        return 0;
    return 1 + 4 * str_eq(a->name, b->name) + 2 * str_eq(a->process, b->process) +
           (a->stream >= 0 && a->stream == b->stream);
}

/* Number of events on the track of ev that have its name and begin in [from, ...) before it. */
static int count_before(struct timeline *t, const struct tl_event *ev, int64_t from, uint64_t *n,
                        struct err *e)
{
    struct chunk_walk w;
    int rc;

    *n = 0;
    walk_open(&w, t, ev->track, from, ev->ts_ns, false);
    w.name = (uint32_t)ev->name_id;
    while ((rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n; i++) {
            struct tl_event x;
            if (w.ev[i].name != ev->name_id || w.ev[i].ts < from || w.ev[i].ts > ev->ts_ns)
                continue;
            walk_event(&w, i, &x);
            *n += x.ts_ns < ev->ts_ns || x.seq < ev->seq;
        }
    walk_close(&w);
    return rc < 0 ? e->code : OK;
}

/* Event number n (from 0) of those with this name that begin in [from, to); 1: found. */
static int find_nth(struct timeline *t, size_t track, int64_t name_id, int64_t from, int64_t to, uint64_t n,
                    struct tl_event *out, struct err *e)
{
    struct chunk_walk w;
    int rc = 0, found = 0;

    walk_open(&w, t, track, from, to, false);
    w.name = (uint32_t)name_id;
    while (!found && (rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n && !found; i++) {
            if (w.ev[i].name != name_id || w.ev[i].ts < from || w.ev[i].ts >= to || n--)
                continue;
            walk_event(&w, i, out);
            found = 1;
        }
    walk_close(&w);
    return rc < 0 ? -1 : found;
}

/*
 * Set the windows to compare: the step of ts and the step with the same number; else everything. false:
 * error.
 */
static bool same_step(struct lineup *l, size_t a, size_t b, int64_t ts, struct step_span *in_a,
                      struct step_span *in_b, struct err *e)
{
    const struct step_list *of_a = lineup_steps(l, a, e), *of_b = of_a ? lineup_steps(l, b, e) : NULL;
    const struct step_span *x = of_b ? steps_at(of_a, ts) : NULL,
                           *y = x ? steps_numbered(of_b, x->step) : NULL;

    *in_a = *in_b = (struct step_span){ 0, INT64_MIN, INT64_MAX };
    if (y) {
        *in_a = *x;
        *in_b = *y;
    }
    return of_b != NULL;
}

int lineup_counterpart(struct lineup *l, const struct tl_event *ev, size_t part, struct tl_event *out,
                       struct err *e)
{
    size_t from_part = lineup_part_of(l, ev->track);
    const struct lineup_part *a = lineup_part(l, from_part), *b = lineup_part(l, part);
    const struct tl_track *track = lineup_track(l, ev->track);
    struct tl_event here = *ev;
    struct step_span in_a, in_b;
    uint64_t nth;
    int rc = 0;

    if (part == from_part) {
        *out = *ev;
        return 1;
    }
    here.track = lineup_local(l, ev->track);
    here.ts_ns = lineup_stored(l, from_part, here.ts_ns);
    int64_t name = string_id(b->store, timeline_name(a->tl, here.track, here.name_id), e);
    if (name <= 0)
        return (int)name;
    if (!same_step(l, from_part, part, here.ts_ns, &in_a, &in_b, e) ||
        count_before(a->tl, &here, in_a.from_ns, &nth, e))
        return -1;
    /* The tracks that fit best come first. */
    for (int want = 8; want > 0 && rc == 0; want--)
        for (size_t i = 0; i < timeline_n_tracks(b->tl) && rc == 0; i++)
            if (fit(track, timeline_track(b->tl, i)) == want)
                rc = find_nth(b->tl, i, name, in_b.from_ns, in_b.to_ns, nth, out, e);
    if (rc == 1) {
        out->track = lineup_global(l, part, out->track);
        out->ts_ns = lineup_axis(l, part, out->ts_ns);
    }
    return rc;
}

/* ---- differences ---- */

/* Reads the events of a track that begin in a window, one after the other. */
struct reader {
    struct chunk_walk w;
    int64_t from, to;
    size_t i;
};

static void reader_open(struct reader *r, struct timeline *t, size_t track, int64_t from, int64_t to)
{
    *r = (struct reader){ .from = from, .to = to };
    walk_open(&r->w, t, track, from, to, false);
}

/* 1: *ev is the next one, 0: no more, -1: error. */
static int reader_next(struct reader *r, struct tl_event *ev, struct err *e)
{
    for (;;) {
        for (; r->i < r->w.n; r->i++)
            if (r->w.ev[r->i].ts >= r->from && r->w.ev[r->i].ts < r->to) {
                walk_event(&r->w, r->i++, ev);
                return 1;
            }
        int rc = walk_next(&r->w, e);
        if (rc != 1)
            return rc;
        r->i = 0;
    }
}

static enum diff_kind compare(const struct tl_event *a, const struct tl_event *b, double share,
                              int64_t least_ns)
{
    double x = (double)a->dur_ns, y = (double)b->dur_ns, more = fabs(y - x);

    if (a->name_id != b->name_id)
        return DIFF_NAME;
    return more > (double)least_ns && more > share * x ? DIFF_TIME : DIFF_NONE;
}

int lineup_diff(struct lineup *l, size_t track, const struct step_span *a, const struct step_span *b,
                double share, int64_t least_ns, struct diff *out, struct err *e)
{
    size_t part = lineup_part_of(l, track), local = lineup_local(l, track);
    struct timeline *t = lineup_part(l, part)->tl;
    struct reader ra, rb;
    int more_a, more_b;

    *out = (struct diff){ .kind = DIFF_NONE };
    reader_open(&ra, t, local, lineup_stored(l, part, a->from_ns), lineup_stored(l, part, a->to_ns));
    reader_open(&rb, t, local, lineup_stored(l, part, b->from_ns), lineup_stored(l, part, b->to_ns));
    for (;; out->at++) {
        more_a = reader_next(&ra, &out->a, e);
        more_b = more_a < 0 ? -1 : reader_next(&rb, &out->b, e);
        if (more_a != 1 || more_b != 1)
            break;
        out->kind = compare(&out->a, &out->b, share, least_ns);
        if (out->kind != DIFF_NONE)
            break;
    }
    if (more_a >= 0 && more_b >= 0 && more_a != more_b)
        out->kind = more_a ? DIFF_MISSING : DIFF_MORE;
    out->a.track = out->b.track = track;
    out->a.ts_ns = lineup_axis(l, part, out->a.ts_ns);
    out->b.ts_ns = lineup_axis(l, part, out->b.ts_ns);
    walk_close(&ra.w);
    walk_close(&rb.w);
    return e->code;
}
