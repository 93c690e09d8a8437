/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: going to steps, events and times. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/timeline/timeline_int.h"

#define LABEL_W 12 /* cells */

/* ---- the step under the cursor ---- */

/* The part that a time at the cursor belongs to: that of the cursor's track. */
static size_t part_at_cursor(const struct tlv *v)
{
    size_t track = tlv_track(v);
    return track == SIZE_MAX ? lineup_base(v->l) : lineup_part_of(v->l, track);
}

void time_find_step(struct pane *p)
{
    struct time_pane *o = time_of(p);
    struct err ignored = ERR_INIT;
    struct step_span s;
    char t[32];
    size_t part = part_at_cursor(&o->v);
    if (o->step_at == o->v.cur && o->step_part == part)
        return;
    o->step_at = o->v.cur;
    o->step_part = part;
    o->v.step[0] = '\0';
    if (lineup_step_at(o->l, part, o->v.cur, &s, &ignored) == 1)
        snprintf(o->v.step, sizeof o->v.step, tr("step %" PRId64 " +%s"), s.step,
                 unit_time(t, sizeof t, (double)(o->v.cur - s.from_ns), TIME_AUTO));
}

/* ---- events ---- */

bool time_select_at(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    size_t track = tlv_track(v);
    if (track == SIZE_MAX || lineup_track(v->l, track)->is_counter)
        return false;
    int64_t cell = tlv_cell_ns(v), ts = tlv_time_at(v, tlv_col_at(v, v->cur)) + cell / 2;
    int rc = lineup_at(v->l, track, ts, cell, &ev, &e);
    if (rc < 0)
        app_say_err(p->app, &e);
    else if (!rc)
        app_say(p->app, ROLE_TEXT, "no event here; . goes to the next one");
    else
        tlv_set_selection(v, &ev);
    return rc > 0;
}

/* Folder that the track's store was made from. */
static const char *unit_root(struct pane *p, size_t track)
{
    struct session *s = app_session(p->app);
    const struct lineup *l = time_of(p)->l;
    size_t rank = lineup_part(l, lineup_part_of(l, track))->key;
    return session_job(s)->units[session_rank(s, rank)->unit]->root;
}

static void add_line(struct buf *b, const char *label, const char *value)
{
    fill_label(b, label, LABEL_W);
    buf_printf(b, "%s\n", value);
}

/* Rank and Unix time, which the timeline itself does not show. */
static void add_origin(struct pane *p, struct buf *b)
{
    struct tlv *v = time_tlv(p);
    size_t part = lineup_part_of(v->l, v->sel.track);
    const struct lineup_part *x = lineup_part(v->l, part);
    int64_t origin, first, last;
    bool is_unix;
    if (lineup_n_parts(v->l) > 1)
        add_line(b, N_("Rank"), x->label);
    if (store_rank_clock(x->store, x->rank, &origin, &first, &last, &is_unix) && is_unix) {
        fill_label(b, "Raw", LABEL_W);
        buf_printf(b, tr("%" PRId64 " ns since 1970\n"), origin + lineup_stored(v->l, part, v->sel.ts_ns));
    }
}

static void show_details(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct buf b;
    struct err e = ERR_INIT;
    char t[48], d[32], name[TLV_NAME_B];
    buf_init(&b, (size_t)1 << 20);
    buf_add(&b, lineup_name(v->l, v->sel.track, v->sel.name_id));
    buf_puts(&b, "\n\n");
    add_line(&b, N_("Start"), tlv_time(v, v->sel.ts_ns, t, sizeof t));
    fill_label(&b, "Duration", LABEL_W);
    buf_printf(&b, "%s = %" PRId64 " ns%s\n", unit_time(d, sizeof d, (double)v->sel.dur_ns, TIME_AUTO),
               v->sel.dur_ns,
               v->sel.seq == TL_RUNNING ? tr(" up to the end of the data: RUNNING, no end record") : "");
    add_line(&b, N_("Track"), tlv_track_name(v, v->sel.track, name, sizeof name));
    const struct tl_track *k = lineup_track(v->l, v->sel.track);
    if (k->process.n) {
        fill_label(&b, "Layer", LABEL_W);
        buf_add(&b, k->process);
        buf_addc(&b, '\n');
    }
    add_origin(p, &b);
    buf_puts(&b, tr("\n# What its file says\n"));
    if (lineup_detail(v->l, &v->sel, unit_root(p, v->sel.track), &b, &e))
        buf_printf(&b, "%s\n", e.text);
    err_clear(&e);
    app_show_text(p->app, "Event", &b);
    buf_done(&b);
}

void time_open_event(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    if (tlv_at_selection(v) && v->sel.track == tlv_track(v))
        show_details(p); /* one of several in the cell may be selected */
    else
        (void)time_select_at(p);
}

void time_step_event(struct pane *p, int dir)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    size_t track = tlv_track(v);
    if (track == SIZE_MAX)
        return;
    bool on = tlv_at_selection(v) && v->sel.track == track;
    int64_t ts = on ? v->sel.ts_ns : v->cur, seq = on ? v->sel.seq : dir > 0 ? -1 : INT64_MAX;
    int rc = lineup_step(v->l, track, ts, seq, dir, 0, &ev, &e);
    if (rc > 0)
        tlv_select(v, &ev);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT,
                dir > 0 ? "this is the last event of the track" : "this is the first event of the track");
}

void time_flow(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event other;
    if (!time_in_front(p) || !time_of(p)->has || !v->has_sel) {
        app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        return;
    }
    int rc = lineup_flow(v->l, &v->sel, &other, &e);
    if (rc > 0)
        tlv_select(v, &other);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT, "no flow begins or ends at this event");
}

/* ---- the step range ---- */

bool time_chosen_steps(struct pane *p, int64_t *from, int64_t *to)
{
    const struct view_scope *s = session_scope(app_session(p->app));
    const struct tlv *v = time_tlv(p);
    const size_t part = part_at_cursor(v);
    struct err ignored = ERR_INIT;
    const struct step_list *l = !view_scope_all(s) ? lineup_steps(v->l, part, &ignored) : NULL;

    *from = INT64_MAX;
    *to = INT64_MIN;
    for (size_t i = 0; l && i < l->n; i++) {
        const struct step_span *x = &l->p[i];
        if (x->step < s->step0 || x->step > s->step1)
            continue;
        int64_t a = lineup_axis(v->l, part, x->from_ns), b = lineup_axis(v->l, part, x->to_ns);
        *from = a < *from ? a : *from;
        *to = b > *to ? b : *to;
    }
    if (*to > v->span1)
        *to = v->span1; /* of a step without an end */
    return *from < *to;
}

const char *time_chosen_text(struct pane *p, char *buf, size_t n)
{
    const struct view_scope *s = session_scope(app_session(p->app));
    char steps[48];

    snprintf(buf, n, tr("step%s %s"), s->step0 == s->step1 ? "" : "s",
             view_scope_steps(s, steps, sizeof steps));
    return buf;
}

void time_show_chosen(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    int64_t from, to;

    if (time_chosen_steps(p, &from, &to)) {
        int64_t beside = (to - from) / 20;
        tlv_window(v, from - beside, to + beside, true);
        tlv_show(v, from);
    } else if (view_scope_all(session_scope(app_session(p->app)))) {
        tlv_window(v, v->span0, v->span1, true);
    }
}

/* ---- going somewhere ---- */

/* "1.5 ms" in ns. */
static bool parse_time(struct str s, double *ns)
{
    char kind;
    return unit_parse(s, ns, &kind) && kind == 't' && isfinite(*ns) && fabs(*ns) <= 9e18;
}

/* "step 17", or "step 17 +2.4 ms", as the row below the tracks has it. */
static bool go_to_step(struct pane *p, struct str where)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct step_span s;
    int64_t step;
    double after = 0;
    size_t plus = str_chr(where, '+');
    struct str number = str_trim(str_sub(where, 4, plus == SIZE_MAX ? where.n : plus - 4));
    if (!str_starts(where, STR("step")) || !str_i64(number, &step) ||
        (plus != SIZE_MAX && !parse_time(str_trim(str_sub(where, plus + 1, where.n)), &after)))
        return false;
    int rc = lineup_step_numbered(v->l, part_at_cursor(v), step, &s, &e);
    if (rc < 0)
        app_say_err(p->app, &e);
    else if (!rc)
        app_say(p->app, ROLE_TEXT, "step %" PRId64 " has no place in time here", step);
    if (rc <= 0)
        return true;
    if (s.to_ns > s.from_ns && s.to_ns != INT64_MAX) {
        int64_t beside = (s.to_ns - s.from_ns) / 20;
        tlv_window(v, s.from_ns - beside, s.to_ns + beside, true);
    }
    tlv_show(v, s.from_ns + (int64_t)after);
    return true;
}

/*
 * Where a text means: "+10" and "+5 ms" as the ruler counts, from its left end and in its unit; ".+50us" and
 * "-50us" from the cursor; others from the first instant. false: it is no time.
 */
static bool parse_place(const struct tlv *v, struct str s, int64_t *at)
{
    double x, n;
    bool back = s.p[0] == '-', here = s.p[0] == '.' && s.n > 1 && (s.p[1] == '+' || s.p[1] == '-');
    int64_t from = here || back ? v->cur : s.p[0] == '+' ? v->t0 : v->zero;
    int sign = back || (here && s.p[1] == '-') ? -1 : 1;

    if (here || back || s.p[0] == '+')
        s = str_trim(str_sub(s, here ? 2 : 1, s.n));
    if (parse_time(s, &x))
        *at = from + sign * (int64_t)x;
    else if (from == v->t0 && sign > 0 && str_f64(s, &n) && fabs(n) < 1e9)
        *at = from + (int64_t)(n * (double)tlv_ruler_unit(v));
    else
        return false;
    return true;
}

void time_go(struct pane *p, struct str where)
{
    struct tlv *v;
    int64_t raw, at;
    pane_show(p);
    if (p->own)
        p->view = p->n_views;
    where = str_trim(where);
    if (!p->own || !time_of(p)->has || !where.n || go_to_step(p, where))
        return;
    v = time_tlv(p);
    if (where.p[0] != '+' && where.p[0] != '-' && str_i64(where, &raw))
        /* A bare number is a raw time stamp: since 1970, or as stored when it is too small for that. */
        tlv_show(v, v->has_origin && raw > v->origin ? raw - v->origin : raw);
    else if (parse_place(v, where, &at))
        tlv_show(v, at);
    else
        app_say(p->app, ROLE_WARN,
                "where is that? 1.234s, +50us as on the ruler, .+50us from here, step 17, or a raw time "
                "stamp in ns");
}

static void go_answer(struct app *a, void *arg, struct str text)
{
    (void)a;
    time_go(arg, text);
}

/*
 * communication.json gives starts as doubles of us, which are a quarter of a us apart
 * (doc/formats/analysed.md#communication): the same event of the trace begins that near.
 */
#define SAME_NS     500
#define LOOK_EVENTS 32

/* How far it is from what is looked for; INT64_MAX: it is another event. dur 0: not known. */
static int64_t event_distance(const struct tl_event *ev, int64_t ts, int64_t dur)
{
    int64_t a = ev->ts_ns > ts ? ev->ts_ns - ts : ts - ev->ts_ns;
    int64_t b = !dur ? 0 : ev->dur_ns > dur ? ev->dur_ns - dur : dur - ev->dur_ns;

    return a > SAME_NS || b > SAME_NS || (a && !dur) ? INT64_MAX : a + b;
}

/* The pieces of a step and what overlaps repeat events of other tracks. */
static bool is_repeat(const struct tl_track *t)
{
    return str_eq(t->kind, STR("step")) || str_eq(t->kind, STR("overlap"));
}

/* The event of the part that is nearest to this time and length. */
static bool find_same(const struct tlv *v, size_t part, int64_t ts, int64_t dur, struct tl_event *out)
{
    int64_t best = INT64_MAX;

    for (size_t i = 0; i < lineup_n_tracks(v->l) && best > 0; i++) {
        struct err ignored = ERR_INIT;
        struct tl_event ev[LOOK_EVENTS];
        int64_t t0, t1;
        bool more;
        size_t n = 0;
        lineup_track_span(v->l, i, &t0, &t1);
        if (lineup_part_of(v->l, i) != part || lineup_track(v->l, i)->is_counter || ts + SAME_NS < t0 ||
            ts - SAME_NS > t1 ||
            lineup_events(v->l, i, ts - SAME_NS, ts + SAME_NS + 1, ev, LOOK_EVENTS, &n, &more, &ignored))
            continue;
        for (size_t k = 0; k < n; k++) {
            int64_t d = event_distance(&ev[k], ts, dur);
            if (d == INT64_MAX || 2 * d + is_repeat(lineup_track(v->l, i)) >= best)
                continue;
            best = 2 * d + is_repeat(lineup_track(v->l, i));
            *out = ev[k];
        }
    }
    return best < INT64_MAX;
}

/* Select the event that a row of a table is about, where the timeline has it. */
static void select_same(struct tlv *v, size_t part, int64_t ts, int64_t dur)
{
    struct err ignored = ERR_INIT;
    struct tl_event ev;

    if (!find_same(v, part, ts, dur, &ev))
        return;
    v->hidden[ev.track] = false;
    if (tlv_make_rows(v, &ignored) == OK)
        tlv_select(v, &ev);
}

static bool show_at(struct pane *p, size_t rank, int64_t ts_ns, int64_t dur_ns)
{
    struct tlv *v = time_tlv(p);
    size_t part;

    if (!time_of(p)->has || (part = time_part_of_rank(p, rank)) == SIZE_MAX)
        return false;
    ts_ns = lineup_axis(v->l, part, ts_ns);
    int64_t span = dur_ns > 0 && dur_ns < INT64_MAX / 16 ? dur_ns * 8 : 1000000, mid = ts_ns + dur_ns / 2;
    tlv_window(v, mid - span / 2, mid - span / 2 + span, true);
    tlv_show(v, ts_ns);
    select_same(v, part, ts_ns, dur_ns);
    return true;
}

void pane_time_show(struct pane *p, int64_t ts_ns, int64_t dur_ns)
{
    size_t rank = session_current(app_session(p->app));
    pane_show(p);
    if (!p->own)
        return;
    time_show_rank(p, rank);
    while (p->depth && pane_back(p))
        ;
    p->view = p->n_views;
    time_of(p)->wanted.is = !show_at(p, rank, ts_ns, dur_ns);
    time_of(p)->wanted.rank = rank;
    time_of(p)->wanted.ts_ns = ts_ns;
    time_of(p)->wanted.dur_ns = dur_ns;
}

void time_show_wanted(struct pane *p)
{
    struct time_pane *o = time_of(p);

    if (!o->wanted.is)
        return;
    if (o->wanted.rank == session_current(app_session(p->app)))
        (void)show_at(p, o->wanted.rank, o->wanted.ts_ns, o->wanted.dur_ns);
    o->wanted.is = false;
}

void time_ask_go(struct pane *p)
{
    app_ask(p->app, "go to (1.234s, +50us as on the ruler, .+50us from here, step 17): ", STR(""), go_answer,
            p);
}
