/* SPDX-License-Identifier: Apache-2.0 */
/* Exact figures of a window: occupied time, sums, names, gaps; details of an event from its source
 * file. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "base/read/json_stream.h"
#include "model/timeline/timeline_int.h"

#define DETAIL_B ((size_t)64 << 10)
#define GAPS_MAX 64 /* longest list that is found without decoding every chunk */

/* Figures of a window while its events and whole chunks come in order. */
struct summing {
    struct tl_area *out;
    int64_t from, to;
    int64_t covered; /* end of the union so far */
};

static void found_gap(struct summing *s, int64_t at, int64_t len)
{
    if (len > s->out->longest_gap_ns) {
        s->out->longest_gap_ns = len;
        s->out->longest_gap_at = at;
    }
}

static void sum_event(struct summing *s, const struct chunk_event *ev)
{
    int64_t a, b;

    if (!event_clip(ev, s->from, s->to, &a, &b))
        return;
    s->out->events++;
    s->out->dur_sum_ns += b - a;
    if (b - a > s->out->longest_ns) {
        s->out->longest_ns = b - a;
        s->out->longest_name = ev->name;
    }
    found_gap(s, s->covered, a - s->covered);
    if (b > s->covered)
        s->out->busy_ns += b - (a > s->covered ? a : s->covered);
    if (b > s->covered)
        s->covered = b;
}

/* Add a chunk all of whose events lie in the window: its summary has the sums that sum_event() would make. */
static void sum_chunk(struct summing *s, const struct tl_chunk *c)
{
    s->out->events += c->n;
    s->out->dur_sum_ns += c->dur_sum;
    s->out->busy_ns += c->busy;
    if (c->longest > s->out->longest_ns) {
        s->out->longest_ns = c->longest;
        s->out->longest_name = c->longest_name;
    }
    found_gap(s, s->covered, c->t0 - s->covered);
    found_gap(s, c->gap_at, c->gap);
    if (c->t1 > s->covered)
        s->covered = c->t1;
}

int timeline_area(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_area *out,
                  struct err *e)
{
    struct summing s = { .out = out, .from = from, .to = to, .covered = from };
    struct chunk_walk w;
    int rc;

    *out = (struct tl_area){ .longest_gap_at = from };
    walk_open(&w, t, track, from, to, false);
    w.sums = true;
    while ((rc = walk_next(&w, e)) == 1) {
        if (!w.ev)
            sum_chunk(&s, w.chunk);
        for (size_t i = 0; w.ev && i < w.n; i++)
            sum_event(&s, &w.ev[i]);
    }
    walk_close(&w);
    found_gap(&s, s.covered, to - s.covered);
    return rc < 0 ? e->code : OK;
}

/* ---- one cell ---- */

static int lane_figures(struct timeline *t, size_t track, int lane, int64_t from, int64_t to,
                        struct tl_figures *out, struct err *e)
{
    struct tl_area area = { .events = 0 };
    struct summing s = { .out = &area, .from = from, .to = to, .covered = from };
    struct chunk_walk w;
    int rc;

    walk_open(&w, t, track, from, to, false);
    w.lane = lane;
    while ((rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n; i++)
            if (w.ev[i].lane == lane)
                sum_event(&s, &w.ev[i]);
    walk_close(&w);
    out->events = area.events;
    out->busy_ns = area.busy_ns;
    return rc < 0 ? e->code : OK;
}

int timeline_value_before(struct timeline *t, size_t track, int64_t to, double *value, struct err *e)
{
    struct chunk_walk w;

    *value = NAN;
    walk_open(&w, t, track, INT64_MIN, to, true);
    while (isnan(*value) && walk_next(&w, e) == 1)
        for (size_t i = w.n; i-- > 0 && isnan(*value);)
            if (w.ev[i].ts < to)
                *value = chunk_to_double(w.ev[i].dur);
    walk_close(&w);
    return e->code;
}

int timeline_cell(struct timeline *t, size_t track, int lane, int64_t from, int64_t to,
                  struct tl_figures *out, struct err *e)
{
    struct tl_area area;

    *out = (struct tl_figures){ .level = NAN };
    if (t->tracks[track].is_counter)
        return timeline_value_before(t, track, to, &out->level, e);
    if (lane >= 0 && t->tracks[track].lanes > 1)
        return lane_figures(t, track, lane, from, to, out, e);
    if (timeline_area(t, track, from, to, &area, e))
        return e->code;
    out->events = area.events;
    out->busy_ns = area.busy_ns;
    return OK;
}

/* ---- gaps ---- */

/* Keep the longest gaps, longest first. */
static void keep_gap(struct tl_gap *out, size_t max, size_t *n, struct tl_gap g)
{
    size_t at = *n;

    if (g.len_ns <= 0 || (at == max && (!max || out[max - 1].len_ns >= g.len_ns)))
        return;
    if (at == max)
        at--;
    else
        (*n)++;
    for (; at && out[at - 1].len_ns < g.len_ns; at--)
        out[at] = out[at - 1];
    out[at] = g;
}

/* A length that at least max gaps of the window have: the max-th longest of the gaps in the directory. */
static int64_t gap_bound(struct timeline *t, size_t track, int64_t from, int64_t to, size_t max)
{
    const struct tl_dir *d = &t->dirs[track];
    struct tl_gap known[GAPS_MAX];
    size_t n = 0;

    if (!max || max > GAPS_MAX)
        return 0;
    for (size_t i = dir_from(d, from); i < d->n && d->chunk[i].t0 <= to; i++) {
        const struct tl_chunk *c = &d->chunk[i];
        if (c->t0 < from || c->t_last >= to)
            continue; /* not all of its gaps are in the window */
        int64_t before = c->end_before > from ? c->end_before : from;
        keep_gap(known, max, &n, (struct tl_gap){ .len_ns = c->gap });
        keep_gap(known, max, &n, (struct tl_gap){ .len_ns = c->t0 - before });
    }
    return n == max ? known[n - 1].len_ns : 0;
}

/* Gaps while events and whole chunks come in order. */
struct gaps {
    struct tl_gap *out;
    size_t max, *n;
    int64_t covered, after; /* end of the union, and name of the event that ends there; -1: not known */
};

static void gap_event(struct gaps *g, const struct chunk_event *ev, int64_t from, int64_t to)
{
    int64_t a, b;

    if (!event_clip(ev, from, to, &a, &b))
        return;
    keep_gap(g->out, g->max, g->n, (struct tl_gap){ g->covered, a - g->covered, g->after, ev->name });
    if (b >= g->covered) {
        g->covered = b;
        g->after = ev->name;
    }
}

/* Name of the last event that ends at ts, after which a gap begins; 0: none. */
static int name_ending(struct timeline *t, size_t track, int64_t ts, int64_t *name, struct err *e)
{
    struct chunk_walk w;

    *name = 0;
    walk_open(&w, t, track, ts, ts, false);
    while (walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n; i++)
            if (chunk_end(&w.ev[i]) == ts && w.ev[i].ts <= ts)
                *name = w.ev[i].name;
    walk_close(&w);
    return e->code;
}

/* Name of the first event that begins at ts, where a gap ends; 0: none. */
static int name_beginning(struct timeline *t, size_t track, int64_t ts, int64_t *name, struct err *e)
{
    struct chunk_walk w;

    *name = 0;
    walk_open(&w, t, track, ts, ts, false);
    while (!*name && walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n && !*name; i++)
            *name = w.ev[i].ts == ts ? w.ev[i].name : 0;
    walk_close(&w);
    return e->code;
}

int timeline_gaps(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_gap *out, size_t max,
                  size_t *n, struct err *e)
{
    struct gaps g = { .out = out, .max = max, .n = n, .covered = from, .after = -1 };
    int64_t least = gap_bound(t, track, from, to, max);
    struct chunk_walk w;
    int rc;

    *n = 0;
    walk_open(&w, t, track, from, to, false);
    w.sums = true;
    while ((rc = walk_next(&w, e)) == 1) {
        int64_t first = w.ev ? 0 : w.chunk->t0 - g.covered;
        int64_t most = w.ev ? 0 : w.chunk->gap > first ? w.chunk->gap : first;
        if (!w.ev && most > 0 && most >= least) {
            const struct tl_decoded *d = chunk_events(t, track, w.chunk, true, e);
            if (!d) {
                rc = -1;
                break;
            }
            w.ev = d->ev;
        }
        for (size_t i = 0; w.ev && i < w.n; i++)
            gap_event(&g, &w.ev[i], from, to);
        if (!w.ev && w.chunk->t1 >= g.covered) {
            g.covered = w.chunk->t1;
            g.after = -1;
        }
    }
    walk_close(&w);
    keep_gap(out, max, n, (struct tl_gap){ g.covered, to - g.covered, g.after, -1 });
    for (size_t i = 0; rc >= 0 && i < *n; i++)
        if ((out[i].after_name < 0 && name_ending(t, track, out[i].from_ns, &out[i].after_name, e)) ||
            (out[i].before_name < 0 && name_beginning(t, track, to, &out[i].before_name, e)))
            rc = -1;
    return rc < 0 ? e->code : OK;
}

/* ---- details ---- */

/* Text of the event's object at the start of p: up to the brace that closes it; n 0 when it does
 * not end. */
static size_t object_length(const char *p, size_t n)
{
    int depth = 0;
    bool in_string = false;

    for (size_t i = 0; i < n; i++) {
        if (in_string) {
            if (p[i] == '\\')
                i++;
            else if (p[i] == '"')
                in_string = false;
        } else if (p[i] == '"') {
            in_string = true;
        } else if (p[i] == '{' || p[i] == '[') {
            depth++;
        } else if ((p[i] == '}' || p[i] == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void add_member(struct buf *out, struct str key, struct str val, bool is_string)
{
    buf_add(out, key);
    buf_puts(out, ": ");
    char *plain = buf_room(out, val.n + 1);
    if (plain && is_string)
        out->n += js_unescape(val, plain).n;
    else
        buf_add(out, val);
    buf_addc(out, '\n');
}

static void add_object(struct buf *out, struct str object)
{
    struct str key, val;
    bool is_string;
    size_t pos = 0;

    while (js_member(object, &pos, &key, &val, &is_string)) {
        if (str_eq(key, STR("args")))
            continue;
        if (str_eq(key, STR("cat")) || str_eq(key, STR("id")))
            add_member(out, key, val, is_string);
    }
    if (!js_find(object, STR("args"), &val, &is_string) || is_string)
        return;
    struct str args = val;
    pos = 0;
    while (js_member(args, &pos, &key, &val, &is_string))
        add_member(out, key, val, is_string);
}

static void read_object(const char *path, uint64_t off, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *p = malloc(DETAIL_B);
    ssize_t n = fd >= 0 && p ? pread(fd, p, DETAIL_B, (off_t)off) : -1;

    if (n < 0) {
        buf_printf(out, "details are in the source file, which cannot be read: %s\n", strerror(errno));
    } else {
        size_t len = n > 0 && p[0] == '{' ? object_length(p, (size_t)n) : 0;
        if (len)
            add_object(out, (struct str){ p, len });
        else
            buf_puts(out, "the source file changed since it was read\n");
    }
    free(p);
    if (fd >= 0)
        close(fd);
}

/*
 * The number of an event's slice is stored above these bits of its offset: TRACE_SLICE_SHIFT of
 * parsers/parsers.h.
 */
#define SLICE_SHIFT 48

/* Replace the number after "_slice_" in name: slices are read as one file, with the path of the first. */
static void slice_name(const char *name, unsigned slice, char *out, size_t n)
{
    struct str s = str_of(name), mark = STR("_slice_");
    size_t at = str_find(s, mark, 0);

    if (at == SIZE_MAX) {
        str_copy(s, out, n);
        return;
    }
    struct str rest = str_sub(s, at + mark.n, SIZE_MAX);
    size_t digits = 0;
    while (digits < rest.n && rest.p[digits] >= '0' && rest.p[digits] <= '9')
        digits++;
    rest = str_sub(rest, digits, SIZE_MAX);
    snprintf(out, n, "%.*s%u%.*s", (int)(at + mark.n), name, slice, (int)rest.n, rest.p);
}

/* Offset of the event's details in its source: chunks are otherwise decoded without it. */
static int place_of(struct timeline *t, const struct tl_event *ev, uint64_t *off, struct err *e)
{
    struct tl_part *p = &t->parts[t->tracks[ev->track].part];
    size_t i = (size_t)(ev->seq % CHUNK_EVENTS), n;
    struct chunk_event *x = malloc(CHUNK_EVENTS * sizeof *x);
    struct query *q = NULL;

    *off = 0;
    if (!x)
        return err_nomem(e);
    if (store_query(p->store, &q, "SELECT n, d FROM chunk WHERE id = :id", e) == OK) {
        query_bind_int(q, ":id", ev->seq / CHUNK_EVENTS);
        if (query_step(q, e) == 1 && (n = (size_t)query_int(q, 0)) <= CHUNK_EVENTS && i < n &&
            chunk_decode(query_str(q, 1), CHUNK_OFF, x, n))
            *off = x[i].off;
        else
            (void)!chunk_damaged(e);
    }
    query_free(q);
    free(x);
    return e->code;
}

/* Records of binary files have no line. */
static void put_place(struct buf *out, const char *name, uint64_t line)
{
    buf_puts(out, name);
    if (line)
        buf_printf(out, " line %" PRIu64, line);
    buf_addc(out, '\n');
}

int timeline_detail(struct timeline *t, const struct tl_event *ev, const char *unit_root, struct buf *out,
                    struct err *e)
{
    uint64_t place;
    const struct tl_track *tr = &t->tracks[ev->track];
    struct query *q = NULL;
    char path[4096];
    bool is_text = false; /* text files hold all details of their events */

    if (ev->seq == TL_RUNNING) {
        buf_puts(out, "it had begun, and no file has its end\n");
        return buf_failed(out) ? err_nomem(e) : OK;
    }
    if (place_of(t, ev, &place, e))
        return e->code;
    if (store_query(t->parts[tr->part].store, &q,
                    "SELECT f.path FROM track t JOIN source f ON f.id = t.source_id WHERE t.id = :track", e))
        return e->code;
    query_bind_int(q, ":track", tr->id);
    if (query_step(q, e) == 1) {
        struct str rel = query_str(q, 0);
        char first[2048], name[2048];
        uint64_t off = place & (((uint64_t)1 << SLICE_SHIFT) - 1);
        str_copy(rel, first, sizeof first);
        slice_name(first, (unsigned)(place >> SLICE_SHIFT), name, sizeof name);
        if (str_ends(rel, STR(".gz")))
            buf_printf(out, "details are in %s, which is packed\n", name);
        else if (!str_ends(rel, STR(".json")) && !str_ends(rel, STR(".trace")))
            put_place(out, name, off);
        else if (path_join(path, sizeof path, unit_root, name))
            read_object(path, off, out);
        else
            buf_printf(out, "the path of %s is too long\n", name);
        is_text = str_ends(rel, STR(".json")) || str_ends(rel, STR(".trace"));
    }
    query_free(q);
    return e->code || is_text ? e->code : timeline_facts(t->parts[tr->part].store, tr->id, ev, out, e);
}

int timeline_op_facts(struct timeline *t, const struct tl_event *ev, struct buf *out, struct err *e)
{
    const struct tl_track *tr = &t->tracks[ev->track];

    if (ev->seq == TL_RUNNING)
        return OK; /* tables have what ended */
    return timeline_facts(t->parts[tr->part].store, tr->id, ev, out, e);
}
