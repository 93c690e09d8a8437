/* SPDX-License-Identifier: Apache-2.0 */
/* A window of a lineup as rows, and as a trace. */
#include "config.h"

#include "model/timeline/lineup_export.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/timeline/chrome.h"
#include "model/timeline/timeline_int.h"
#include "model/view/view.h"

#define COLS_MOST 16

static bool is_left_out(const struct lineup_cut *c, size_t track)
{
    return c->leave_out && c->leave_out[track];
}

/* First instant and clock of a part; 0 where they are not known. */
static void clock_of(const struct lineup *l, size_t part, int64_t *origin, int64_t *first)
{
    const struct lineup_part *p = lineup_part(l, part);
    int64_t last;
    bool is_unix;

    if (!store_rank_clock(p->store, p->rank, origin, first, &last, &is_unix))
        *origin = *first = 0;
}

/* ---- rows ---- */

/* Columns by their ids, so that this table has the columns of the view. */
enum field { F_RANK, F_TS, F_DUR, F_TRACK, F_NAME, F_CATEGORY };
static const struct {
    const char *id;
    enum field field;
} fields[] = { { "ts_ns", F_TS },
               { "dur_ns", F_DUR },
               { "track", F_TRACK },
               { "name", F_NAME },
               { "category", F_CATEGORY } };

struct rows {
    struct lineup *l;
    const struct lineup_cut *c;
    struct writer *w;
    int64_t add_ns; /* added to times of the axis */
    enum field field[COLS_MOST];
    size_t n_cols;
    uint64_t n;
};

static int begin(struct rows *r, struct err *e)
{
    const struct view_def *d = lineup_match_columns();
    const struct view_col *cols[COLS_MOST];

    if (lineup_n_parts(r->l) > 1) {
        cols[0] = view_rank_column();
        r->field[r->n_cols++] = F_RANK;
    }
    for (size_t i = 0; i < d->n_cols && r->n_cols < COLS_MOST; i++)
        for (size_t k = 0; k < ARRAY_LEN(fields); k++)
            if (!strcmp(fields[k].id, d->cols[i].id)) {
                cols[r->n_cols] = &d->cols[i];
                r->field[r->n_cols++] = fields[k].field;
            }
    return writer_begin(r->w, d->id, d->title, cols, r->n_cols, e);
}

static int add_row(struct rows *r, const struct tl_event *ev, struct err *e)
{
    const struct tl_track *k = lineup_track(r->l, ev->track);
    struct val v[COLS_MOST];
    int64_t ts;

    if (__builtin_add_overflow(ev->ts_ns, r->add_ns, &ts))
        ts = r->add_ns > 0 ? INT64_MAX : INT64_MIN;
    const struct val by_field[] = {
        [F_RANK] = val_int(lineup_part(r->l, lineup_part_of(r->l, ev->track))->rank),
        [F_TS] = val_int(ts),
        [F_DUR] = val_int(ev->dur_ns),
        [F_TRACK] = val_text(k->name),
        [F_NAME] = val_text(lineup_name(r->l, ev->track, ev->name_id)),
        [F_CATEGORY] = val_text(k->process),
    };
    for (size_t i = 0; i < r->n_cols; i++)
        v[i] = by_field[r->field[i]];
    r->n++;
    return writer_row(r->w, v, e);
}

static int add_track(struct rows *r, size_t track, struct err *e)
{
    size_t part = lineup_part_of(r->l, track);
    int64_t from = lineup_stored(r->l, part, r->c->from_ns), to = lineup_stored(r->l, part, r->c->to_ns), a,
            b;
    struct chunk_walk w;

    walk_open(&w, lineup_part(r->l, part)->tl, lineup_local(r->l, track), from, to, false);
    w.once = true;
    while (!e->code && walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n && !e->code; i++) {
            struct tl_event ev;
            if (!event_clip(&w.ev[i], from, to, &a, &b))
                continue;
            walk_event(&w, i, &ev);
            ev.track = track;
            ev.ts_ns = lineup_axis(r->l, part, ev.ts_ns);
            if (!r->c->match || lineup_match_event(r->c->match, &ev))
                (void)!add_row(r, &ev, e);
        }
    walk_close(&w);
    return e->code;
}

int lineup_export_table(struct lineup *l, const struct lineup_cut *c, struct writer *w, bool absolute,
                        uint64_t *events, struct err *e)
{
    struct rows r = { .l = l, .c = c, .w = w };
    int64_t origin, first;

    clock_of(l, lineup_base(l), &origin, &first);
    r.add_ns = absolute ? origin : -first;
    if (begin(&r, e))
        return e->code;
    for (size_t i = 0; i < lineup_n_tracks(l) && !e->code; i++)
        if (!is_left_out(c, i) && !lineup_track(l, i)->is_counter &&
            (!c->match || lineup_match_track(c->match, i)))
            (void)!add_track(&r, i, e);
    *events = r.n;
    if (!e->code && !r.n)
        err_set(e, ERR_FORMAT, "no event of the timeline fits");
    return e->code ? e->code : writer_end(w, e);
}

/* ---- a trace ---- */

struct trace_part {
    struct lineup *l;
    const struct lineup_cut *c;
    size_t part;
    size_t *tracks;
    char label[80];
};

/* For struct chrome_part: track and times are those of the part. */
static bool keep(void *arg, size_t local, const struct tl_event *ev)
{
    const struct trace_part *p = arg;
    size_t track = lineup_global(p->l, p->part, local);

    if (!ev)
        return lineup_match_track(p->c->match, track);
    struct tl_event x = *ev;
    x.track = track;
    x.ts_ns = lineup_axis(p->l, p->part, x.ts_ns);
    return lineup_match_event(p->c->match, &x);
}

static int make_part(struct trace_part *p, struct chrome_part *out, struct err *e)
{
    const struct lineup_part *x = lineup_part(p->l, p->part);
    size_t n = timeline_n_tracks(x->tl);
    int64_t origin, base, first, apart;

    *out = (struct chrome_part){ .tl = x->tl, .store = x->store, .rank = x->rank };
    p->tracks = calloc(n + 1, sizeof *p->tracks);
    if (!p->tracks)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        if (!is_left_out(p->c, lineup_global(p->l, p->part, i)))
            p->tracks[out->n_tracks++] = i;
    out->tracks = p->tracks;
    if (lineup_n_parts(p->l) > 1) {
        snprintf(p->label, sizeof p->label, "%s ", x->label);
        out->label = p->label;
    }
    /* Absolute times of the trace are those of the axis with the base's clock. */
    clock_of(p->l, p->part, &origin, &first);
    clock_of(p->l, lineup_base(p->l), &base, &first);
    if (!__builtin_sub_overflow(base, origin, &apart) &&
        __builtin_add_overflow(apart, lineup_shift(p->l, p->part), &out->shift_ns))
        out->shift_ns = 0;
    out->from_ns = lineup_stored(p->l, p->part, p->c->from_ns);
    out->to_ns = lineup_stored(p->l, p->part, p->c->to_ns);
    if (p->c->match) {
        out->keep = keep;
        out->arg = p;
    }
    return OK;
}

int lineup_export_trace(struct lineup *l, const struct lineup_cut *c, const struct write_to *to,
                        uint64_t *events, struct err *e)
{
    size_t n = lineup_n_parts(l);
    struct trace_part *p = calloc(n + 1, sizeof *p);
    struct chrome_part *parts = calloc(n + 1, sizeof *parts);

    if (!p || !parts)
        err_nomem(e);
    for (size_t i = 0; i < n && !e->code; i++) {
        p[i] = (struct trace_part){ .l = l, .c = c, .part = i };
        (void)!make_part(&p[i], &parts[i], e);
    }
    if (!e->code)
        (void)!chrome_write(parts, n, to, events, e);
    for (size_t i = 0; p && i < n; i++)
        free(p[i].tracks);
    free(p);
    free(parts);
    return e->code;
}
