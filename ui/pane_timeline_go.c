/* Timeline: going to steps, events and times. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "ui/pane_timeline_int.h"

/* ---- the step under the cursor ---- */

void time_find_step(struct pane *p)
{
    struct time_pane *o = time_of(p);
    struct session *s = app_session(p->app);
    struct facts f;
    struct err ignored = ERR_INIT;
    char sql[300], t[32];
    size_t n;
    if (o->step_at == o->v.cur)
        return;
    o->step_at = o->v.cur;
    o->v.step[0] = '\0';
    const struct view_part *parts = session_parts(s, false, &n);
    snprintf(sql, sizeof sql,
             "SELECT step, start_ns FROM step WHERE rank = :rank AND start_ns <= %" PRId64
             " AND (end_ns IS NULL OR end_ns > %" PRId64 ") ORDER BY start_ns DESC LIMIT 1",
             o->v.cur, o->v.cur);
    if (!n || facts_query(sql, parts, session_scope(s), &f, &ignored))
        return;
    struct val step = facts_get(&f, "step"), start = facts_get(&f, "start_ns");
    if (step.t == VAL_INT && start.t == VAL_INT)
        snprintf(o->v.step, sizeof o->v.step, "step %" PRId64 " +%s", step.i,
                 unit_time(t, sizeof t, (double)(o->v.cur - start.i), TIME_AUTO));
    facts_done(&f);
}

/* ---- events ---- */

bool time_select_at(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    size_t track = tlv_track(v);
    if (track == SIZE_MAX || timeline_track(v->tl, track)->is_counter)
        return false;
    int64_t cell = tlv_cell_ns(v), ts = tlv_time_at(v, tlv_col_at(v, v->cur)) + cell / 2;
    int rc = timeline_at(v->tl, track, ts, cell, &ev, &e);
    if (rc < 0)
        app_say_err(p->app, &e);
    else if (!rc)
        app_say(p->app, ROLE_TEXT, "no event here; . goes to the next one");
    else {
        v->sel = ev;
        v->has_sel = true;
        v->sel_cur = v->cur;
    }
    return rc > 0;
}

static const char *unit_root(struct pane *p)
{
    struct session *s = app_session(p->app);
    return session_job(s)->units[session_rank(s, session_current(s))->unit]->root;
}

static void show_details(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct buf b;
    struct err e = ERR_INIT;
    struct overlay *o;
    char t[48], d[32], name[TLV_NAME_B];
    buf_init(&b, (size_t)1 << 20);
    buf_add(&b, timeline_name(v->tl, v->sel.track, v->sel.name_id));
    buf_printf(&b, "\n\n%-12s%s\n%-12s%s = %" PRId64 " ns\n", "Start",
               tlv_time(v, v->sel.ts_ns, t, sizeof t), "Duration",
               unit_time(d, sizeof d, (double)v->sel.dur_ns, TIME_AUTO), v->sel.dur_ns);
    buf_printf(&b, "%-12s%s\n", "Track", tlv_track_name(v, v->sel.track, name, sizeof name));
    const struct tl_track *k = timeline_track(v->tl, v->sel.track);
    if (k->process.n) {
        buf_printf(&b, "%-12s", "Layer");
        buf_add(&b, k->process);
        buf_addc(&b, '\n');
    }
    if (v->has_origin)
        buf_printf(&b, "%-12s%" PRId64 " ns since 1970\n", "Raw", v->origin + v->sel.ts_ns);
    buf_puts(&b, "\n# What its file says\n");
    if (timeline_detail(v->tl, &v->sel, unit_root(p), &b, &e))
        buf_printf(&b, "%s\n", e.text);
    err_clear(&e);
    if (overlay_text(&o, "Event", buf_str(&b), &e))
        app_say_err(p->app, &e);
    else
        app_overlay(p->app, o);
    buf_done(&b);
}

void time_open_event(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    bool had = v->has_sel;
    struct tl_event old = v->sel;
    if (time_select_at(p) && had && old.track == v->sel.track && old.seq == v->sel.seq)
        show_details(p);
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
    int rc = timeline_step(v->tl, track, ts, seq, dir, 0, &ev, &e);
    if (rc > 0)
        tlv_select(v, &ev);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT,
                dir > 0 ? "this is the last event of the track"
                        : "this is the first event of the track");
}

void time_find_event(struct pane *p, int dir)
{
    struct time_pane *o = time_of(p);
    struct tlv *v = &o->v;
    struct err e = ERR_INIT;
    struct tl_event ev;
    const char *text = p->app->search;
    if (!text[0]) {
        app_say(p->app, ROLE_TEXT, "nothing was searched for yet; / asks");
        return;
    }
    if (!o->re || strcmp(o->re_text, text) != 0) {
        struct re *re;
        if (re_new(&re, str_of(text), RE_NOCASE, &e)) {
            app_say_err(p->app, &e);
            return;
        }
        re_free(o->re);
        o->re = re;
        snprintf(o->re_text, sizeof o->re_text, "%s", text);
    }
    /* Finding is strict: an event that begins at the cursor counts unless it was selected. */
    int64_t from = tlv_at_selection(v) ? v->sel.ts_ns : v->cur - dir;
    int rc = timeline_find(v->tl, o->re, from, dir, &ev, &e);
    if (rc > 0) {
        if (v->hidden[ev.track]) {
            v->hidden[ev.track] = false;
            if (tlv_make_rows(v, &e))
                app_say_err(p->app, &e);
        }
        tlv_select(v, &ev);
    } else if (rc < 0) {
        app_say_err(p->app, &e);
    } else {
        app_say(p->app, ROLE_TEXT, "not found %s: %s",
                dir > 0 ? "from here to the end" : "from here to the beginning", text);
    }
}

void pane_time_flow(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event other;
    if (!time_in_front(p) || !time_of(p)->has || !v->has_sel) {
        app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        return;
    }
    int rc = timeline_flow(v->tl, &v->sel, &other, &e);
    if (rc > 0)
        tlv_select(v, &other);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT, "no flow begins or ends at this event");
}

/* ---- look-ups on the cursor's track ---- */

static void jump_same(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    if (!v->has_sel || v->sel.track != track || !v->sel.name_id) {
        app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        return;
    }
    int rc = timeline_step(v->tl, track, v->sel.ts_ns, v->sel.seq, dir, v->sel.name_id, &ev, &e);
    if (rc > 0)
        tlv_select(v, &ev);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT, "this is the %s event of that name on the track",
                dir > 0 ? "last" : "first");
}

static void jump_gap(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    const struct tl_track *t = timeline_track(v->tl, track);
    struct err e = ERR_INIT;
    struct tl_gap g;
    size_t n;
    char len[32], at[48];
    (void)dir;
    if (timeline_gaps(v->tl, track, t->t0, t->t1, &g, 1, &n, &e)) {
        app_say_err(p->app, &e);
        return;
    }
    if (!n) {
        app_say(p->app, ROLE_TEXT, "there is no gap between the events of this track");
        return;
    }
    int64_t beside = g.len_ns / 4 + 1;
    tlv_window(v, g.from_ns - beside, g.from_ns + g.len_ns + beside, true);
    tlv_show(v, g.from_ns);
    app_say(p->app, ROLE_TEXT, "longest gap of the track: %s from %s on",
            unit_time(len, sizeof len, (double)g.len_ns, TIME_AUTO),
            tlv_time(v, g.from_ns, at, sizeof at));
}

static void jump_busiest(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    const struct tl_track *t = timeline_track(v->tl, track);
    int64_t len = v->t1 - v->t0, whole = t->t1 - t->t0, at, busy;
    struct err e = ERR_INIT;
    char text[32], share[24];
    (void)dir;
    if (whole < 1)
        whole = 1;
    if (len > whole)
        len = whole;
    if (timeline_busiest(v->tl, track, t->t0, t->t0 + whole, len, &at, &busy, &e)) {
        app_say_err(p->app, &e);
        return;
    }
    tlv_window(v, at, at + (v->t1 - v->t0), true);
    tlv_show(v, at);
    app_say(p->app, ROLE_TEXT, "busiest %s of the track: %s busy",
            unit_time(text, sizeof text, (double)len, TIME_AUTO),
            unit_percent(share, sizeof share, (double)busy / (double)len));
}

void pane_time_jump(struct pane *p, enum time_jump jump)
{
    static const struct {
        void (*run)(struct pane *p, size_t track, int dir);
        int dir;
    } jumps[] = { [JUMP_SAME_NEXT] = { jump_same, 1 },
                  [JUMP_SAME_PREV] = { jump_same, -1 },
                  [JUMP_GAP] = { jump_gap, 0 },
                  [JUMP_BUSIEST] = { jump_busiest, 0 } };
    size_t track = time_in_front(p) && time_of(p)->has ? tlv_track(time_tlv(p)) : SIZE_MAX;
    if (track == SIZE_MAX || timeline_track(time_tlv(p)->tl, track)->is_counter)
        app_say(p->app, ROLE_TEXT, "this works on a track of the timeline that has events");
    else
        jumps[jump].run(p, track, jumps[jump].dir);
}

/* ---- going somewhere ---- */

static bool step_start(struct pane *p, int64_t step, int64_t *ts, int64_t *end)
{
    struct session *s = app_session(p->app);
    struct facts f;
    struct err ignored = ERR_INIT;
    char sql[200];
    size_t n;
    const struct view_part *parts = session_parts(s, false, &n);
    snprintf(sql, sizeof sql,
             "SELECT start_ns, ifnull(end_ns, start_ns + total_ns) AS end_ns FROM step WHERE rank "
             "= :rank AND step = %" PRId64 " AND start_ns IS NOT NULL LIMIT 1",
             step);
    if (!n || facts_query(sql, parts, session_scope(s), &f, &ignored))
        return false;
    struct val a = facts_get(&f, "start_ns"), b = facts_get(&f, "end_ns");
    facts_done(&f);
    if (a.t != VAL_INT)
        return false;
    *ts = a.i;
    *end = b.t == VAL_INT && b.i > a.i ? b.i : a.i;
    return true;
}

static bool go_to_step(struct pane *p, struct str where)
{
    struct tlv *v = time_tlv(p);
    int64_t step, ts, end;
    if (!str_starts(where, STR("step")) || !str_i64(str_trim(str_sub(where, 4, where.n)), &step))
        return false;
    if (!step_start(p, step, &ts, &end)) {
        app_say(p->app, ROLE_TEXT, "step %" PRId64 " has no place in time here", step);
        return true;
    }
    if (end > ts)
        tlv_window(v, ts - (end - ts) / 20, end + (end - ts) / 20, true);
    tlv_show(v, ts);
    return true;
}

void pane_time_go(struct pane *p, struct str where)
{
    struct tlv *v;
    double x;
    char kind;
    int64_t raw;
    pane_show(p);
    if (p->own)
        p->view = p->n_views;
    where = str_trim(where);
    if (!p->own || !time_of(p)->has || !where.n || go_to_step(p, where))
        return;
    v = time_tlv(p);
    bool relative = where.p[0] == '+' || where.p[0] == '-';
    struct str number = str_sub(where, where.p[0] == '+', where.n);
    if (str_i64(number, &raw) && !relative) {
        /* A bare number is a raw stamp: of 1970, else as stored. */
        tlv_show(v, v->has_origin && raw > v->origin ? raw - v->origin : raw);
        return;
    }
    if (!unit_parse(number, &x, &kind) || kind != 't' || !isfinite(x) || fabs(x) > 9e18) {
        app_say(p->app, ROLE_WARN,
                "where is that? 1.234s, step 17, +50us, or a raw time stamp in ns");
        return;
    }
    tlv_show(v, (relative ? v->cur : v->zero) + (int64_t)x);
}

static void go_answer(struct app *a, void *arg, struct str text)
{
    (void)a;
    pane_time_go(arg, text);
}

/* The event that begins right there, if there is one. */
static void select_exact(struct tlv *v, int64_t ts, int64_t dur)
{
    for (size_t i = 0; i < timeline_n_tracks(v->tl); i++) {
        struct err ignored = ERR_INIT;
        struct tl_event ev;
        const struct tl_track *t = timeline_track(v->tl, i);
        if (t->is_counter || ts < t->t0 || ts > t->t1)
            continue;
        if (timeline_at(v->tl, i, ts, 1, &ev, &ignored) > 0 && ev.ts_ns == ts &&
            (ev.dur_ns == dur || !dur)) {
            v->hidden[i] = false;
            if (tlv_make_rows(v, &ignored) == OK)
                tlv_select(v, &ev);
            return;
        }
    }
}

void pane_time_show(struct pane *p, int64_t ts_ns, int64_t dur_ns)
{
    pane_show(p);
    if (!p->own || !time_of(p)->has)
        return;
    struct tlv *v = time_tlv(p);
    while (p->depth && pane_back(p))
        ;
    p->view = p->n_views;
    int64_t span = dur_ns > 0 && dur_ns < INT64_MAX / 16 ? dur_ns * 8 : 1000000,
            mid = ts_ns + dur_ns / 2;
    tlv_window(v, mid - span / 2, mid - span / 2 + span, true);
    tlv_show(v, ts_ns);
    select_exact(v, ts_ns, dur_ns);
}

void time_ask_go(struct pane *p)
{
    app_ask(p->app, "go to (1.234s, step 17, +50us, raw ns): ", STR(""), go_answer, p);
}
