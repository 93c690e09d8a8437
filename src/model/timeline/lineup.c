/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines on one axis: numbers of tracks and times are converted in calls and results. */
#include "config.h"

#include "model/timeline/lineup.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounded.h"

#define FARTHEST_NS (INT64_C(1) << 61) /* clocks further apart than 73 years are not comparable */

struct lineup {
    struct lineup_part *parts;
    struct step_list *steps; /* of each part */
    bool *has_steps;         /* they were read */
    size_t *first;           /* first track of each part; the entry after the last is the number of tracks */
    size_t n, base;
    bool two_clocks; /* a track has another clock than its rank */
};

/* INT64_MIN and INT64_MAX, the open ends, stay as they are. */
static int64_t moved(int64_t ts, int64_t by)
{
    return ts == INT64_MIN || ts == INT64_MAX ? ts : bounded_add(ts, by);
}

/* ---- parts ---- */

/* Set the distance of a part's clock from that of the base. */
static void place_clock(struct lineup_part *p, const struct lineup_part *base)
{
    int64_t origin, first_ns, last, base_origin, base_first, far;
    bool is_unix, base_unix;
    bool known = store_rank_clock(p->store, p->rank, &origin, &first_ns, &last, &is_unix) &&
                 store_rank_clock(base->store, base->rank, &base_origin, &base_first, &last, &base_unix);

    p->by_clock = known && is_unix && base_unix && !__builtin_sub_overflow(origin, base_origin, &far) &&
                  far < FARTHEST_NS && far > -FARTHEST_NS;
    p->clock_ns = 0;
    if (p->by_clock)
        p->clock_ns = far;
    else if (known && !__builtin_sub_overflow(base_first, first_ns, &far))
        p->clock_ns = far;
    if (p == base) {
        p->by_clock = true;
        p->clock_ns = 0;
    }
}

int lineup_new(struct lineup **out, const struct lineup_part *parts, size_t n, size_t base, struct err *e)
{
    struct lineup *l;

    if (n > LINEUP_MOST)
        return err_set(e, ERR_LIMIT, "at most %d ranks are shown under each other", LINEUP_MOST);
    l = calloc(1, sizeof *l);
    if (!l)
        return err_nomem(e);
    l->parts = calloc(n + 1, sizeof *l->parts);
    l->first = calloc(n + 1, sizeof *l->first);
    l->steps = calloc(n + 1, sizeof *l->steps);
    l->has_steps = calloc(n + 1, sizeof *l->has_steps);
    if (!l->parts || !l->first || !l->steps || !l->has_steps) {
        lineup_free(l);
        return err_nomem(e);
    }
    memcpy(l->parts, parts, n * sizeof *parts);
    l->n = n;
    l->base = base;
    for (size_t i = 0; i < n; i++) {
        place_clock(&l->parts[i], &l->parts[base]);
        l->first[i + 1] = l->first[i] + timeline_n_tracks(parts[i].tl);
        for (size_t k = 0; k < timeline_n_tracks(parts[i].tl); k++)
            l->two_clocks |= timeline_track(parts[i].tl, k)->own_clock;
    }
    *out = l;
    return OK;
}

void lineup_free(struct lineup *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        steps_free(&l->steps[i]);
    free(l->parts);
    free(l->steps);
    free(l->has_steps);
    free(l->first);
    free(l);
}

size_t lineup_n_parts(const struct lineup *l)
{
    return l->n;
}

const struct lineup_part *lineup_part(const struct lineup *l, size_t part)
{
    return &l->parts[part];
}

void lineup_set_offset(struct lineup *l, size_t part, int64_t ns)
{
    l->parts[part].offset_ns = ns;
}

size_t lineup_base(const struct lineup *l)
{
    return l->base;
}

int64_t lineup_shift(const struct lineup *l, size_t part)
{
    return moved(l->parts[part].clock_ns, l->parts[part].offset_ns);
}

int64_t lineup_axis(const struct lineup *l, size_t part, int64_t ts)
{
    return moved(ts, lineup_shift(l, part));
}

int64_t lineup_stored(const struct lineup *l, size_t part, int64_t ts)
{
    int64_t shift = lineup_shift(l, part);

    return moved(ts, shift == INT64_MIN ? INT64_MAX : -shift);
}

const struct step_list *lineup_steps(struct lineup *l, size_t part, struct err *e)
{
    const struct lineup_part *p = &l->parts[part];

    if (!l->has_steps[part] && steps_load(&l->steps[part], p->store, p->rank, p->tl, e))
        return NULL;
    l->has_steps[part] = true;
    return &l->steps[part];
}

/* ---- tracks ---- */

size_t lineup_n_tracks(const struct lineup *l)
{
    return l->first[l->n];
}

size_t lineup_part_of(const struct lineup *l, size_t track)
{
    size_t part = 0;

    while (part + 1 < l->n && l->first[part + 1] <= track)
        part++;
    return part;
}

size_t lineup_local(const struct lineup *l, size_t track)
{
    return track - l->first[lineup_part_of(l, track)];
}

size_t lineup_global(const struct lineup *l, size_t part, size_t local)
{
    return l->first[part] + local;
}

const struct tl_track *lineup_track(const struct lineup *l, size_t track)
{
    return timeline_track(l->parts[lineup_part_of(l, track)].tl, lineup_local(l, track));
}

void lineup_track_span(const struct lineup *l, size_t track, int64_t *t0, int64_t *t1)
{
    const struct tl_track *t = lineup_track(l, track);
    size_t part = lineup_part_of(l, track);

    *t0 = lineup_axis(l, part, t->t0);
    *t1 = lineup_axis(l, part, t->t1);
}

bool lineup_span(const struct lineup *l, int64_t *t0, int64_t *t1)
{
    bool any = false;

    for (size_t i = 0; i < l->n; i++) {
        int64_t a, b;
        if (!timeline_span(l->parts[i].tl, &a, &b))
            continue;
        a = lineup_axis(l, i, a);
        b = lineup_axis(l, i, b);
        *t0 = !any || a < *t0 ? a : *t0;
        *t1 = !any || b > *t1 ? b : *t1;
        any = true;
    }
    return any;
}

void lineup_cut_to_clock(const struct lineup *l, size_t track, int64_t *from, int64_t *to)
{
    const bool own = lineup_track(l, track)->own_clock;
    int64_t first = INT64_MAX, last = INT64_MIN;

    if (!l->two_clocks)
        return;
    for (size_t part = 0; part < l->n; part++)
        for (size_t i = 0; i < l->first[part + 1] - l->first[part]; i++) {
            const struct tl_track *t = timeline_track(l->parts[part].tl, i);
            if (t->own_clock != own)
                continue;
            const int64_t a = lineup_axis(l, part, t->t0), b = lineup_axis(l, part, timeline_track_end(t));
            first = a < first ? a : first;
            last = b > last ? b : last;
        }
    if (first >= *to || last <= *from)
        return;
    *from = first > *from ? first : *from;
    *to = last < *to ? last : *to;
}

/* ---- questions ---- */

/* Timeline that a call is passed to, and the number of the track there. */
struct place {
    const struct lineup *l;
    struct timeline *tl;
    size_t part, track;
};

static struct place place_of(const struct lineup *l, size_t track)
{
    size_t part = lineup_part_of(l, track);

    return (struct place){ l, l->parts[part].tl, part, track - l->first[part] };
}

/* Time of the part, as stored, for a time of the axis. */
static int64_t there(const struct place *p, int64_t ts)
{
    return lineup_stored(p->l, p->part, ts);
}

static void here(const struct place *p, struct tl_event *ev)
{
    ev->track += p->l->first[p->part];
    ev->ts_ns = lineup_axis(p->l, p->part, ev->ts_ns);
}

int lineup_cells(struct lineup *l, size_t track, int lane, int64_t from, int64_t to, size_t n,
                 struct tl_cell *out, struct err *e)
{
    struct place p = place_of(l, track);

    return timeline_cells(p.tl, p.track, lane, there(&p, from), there(&p, to), n, out, e);
}

int lineup_cell(struct lineup *l, size_t track, int lane, int64_t from, int64_t to, struct tl_figures *out,
                struct err *e)
{
    struct place p = place_of(l, track);

    return timeline_cell(p.tl, p.track, lane, there(&p, from), there(&p, to), out, e);
}

int lineup_events(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_event *out, size_t max,
                  size_t *n, bool *more, struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_events(p.tl, p.track, there(&p, from), there(&p, to), out, max, n, more, e);

    for (size_t i = 0; i < *n; i++)
        here(&p, &out[i]);
    return rc;
}

int lineup_at(struct lineup *l, size_t track, int64_t ts, int64_t tolerance, struct tl_event *ev,
              struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_at(p.tl, p.track, there(&p, ts), tolerance, ev, e);

    if (rc > 0)
        here(&p, ev);
    return rc;
}

int lineup_step(struct lineup *l, size_t track, int64_t ts, int64_t seq, int dir, int64_t name_id,
                struct tl_event *ev, struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_step(p.tl, p.track, there(&p, ts), seq, dir, name_id, ev, e);

    if (rc > 0)
        here(&p, ev);
    return rc;
}

bool lineup_running(struct lineup *l, size_t track, struct tl_event *ev)
{
    struct place p = place_of(l, track);

    if (!timeline_running(p.tl, p.track, ev))
        return false;
    here(&p, ev);
    return true;
}

int lineup_area(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_area *out, struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_area(p.tl, p.track, there(&p, from), there(&p, to), out, e);

    out->longest_gap_at = lineup_axis(l, p.part, out->longest_gap_at);
    return rc;
}

int lineup_sums_new(struct tl_sums **out, struct lineup *l, size_t track, int64_t from, int64_t to,
                    struct err *e)
{
    struct place p = place_of(l, track);

    return timeline_sums_new(out, p.tl, p.track, there(&p, from), there(&p, to), e);
}

int lineup_gaps(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_gap *out, size_t max,
                size_t *n, struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_gaps(p.tl, p.track, there(&p, from), there(&p, to), out, max, n, e);

    for (size_t i = 0; i < *n; i++)
        out[i].from_ns = lineup_axis(l, p.part, out[i].from_ns);
    return rc;
}

int lineup_busiest(struct lineup *l, size_t track, int64_t from, int64_t to, int64_t len, int64_t *at,
                   int64_t *busy_ns, struct err *e)
{
    struct place p = place_of(l, track);
    int rc = timeline_busiest(p.tl, p.track, there(&p, from), there(&p, to), len, at, busy_ns, e);

    if (rc == OK)
        *at = lineup_axis(l, p.part, *at);
    return rc;
}

/* The event as its own timeline has it. */
static struct tl_event local_event(const struct place *p, const struct tl_event *ev)
{
    struct tl_event x = *ev;

    x.track -= p->l->first[p->part];
    x.ts_ns = there(p, x.ts_ns);
    return x;
}

int lineup_flow(struct lineup *l, const struct tl_event *ev, struct tl_event *other, struct err *e)
{
    struct place p = place_of(l, ev->track);
    struct tl_event x = local_event(&p, ev);
    int rc = timeline_flow(p.tl, &x, other, e);

    if (rc > 0)
        here(&p, other);
    return rc;
}

struct str lineup_name(struct lineup *l, size_t track, int64_t name_id)
{
    struct place p = place_of(l, track);

    return timeline_name(p.tl, p.track, name_id);
}

int lineup_detail(struct lineup *l, const struct tl_event *ev, const char *unit_root, struct buf *out,
                  struct err *e)
{
    struct place p = place_of(l, ev->track);
    struct tl_event x = local_event(&p, ev);

    return timeline_detail(p.tl, &x, unit_root, out, e);
}

int lineup_op_facts(struct lineup *l, const struct tl_event *ev, struct buf *out, struct err *e)
{
    struct place p = place_of(l, ev->track);
    struct tl_event x = local_event(&p, ev);

    return timeline_op_facts(p.tl, &x, out, e);
}
