/* Timeline: the widget with its keys, questions, strip, area, side tables. Its tables are the other views of the pane. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "ui/app_int.h"
#include "ui/timeline.h"

#define STRIP_ROWS 3
#define SIDE_COLS  120
#define SIDE_ROWS  34

struct own {
    struct tlv v;
    bool has;
    struct re *re; /* of the last search */
    char re_text[256];
    int64_t step_at; /* time v.step was made for */
    int drag_col;    /* where a button went down; -1: nowhere */
    bool on_ruler;
};

static struct own *own(const struct pane *p)
{
    return p->own;
}

static struct tlv *tlv_of(struct pane *p)
{
    return &own(p)->v;
}

/* The drawing is in front, not one of the tables. */
static bool in_front(const struct pane *p)
{
    return p->own && !p->depth && p->view >= p->n_views;
}

/* ---- life ---- */

static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct own));
    if (!p->own)
        return err_nomem(e);
    own(p)->drag_col = -1;
    own(p)->step_at = INT64_MIN;
    p->view = p->n_views;
    return OK;
}

static void detach(struct pane *p)
{
    tlv_close(tlv_of(p));
    own(p)->has = false;
    own(p)->step_at = INT64_MIN;
}

static void close_pane(struct pane *p)
{
    if (!p->own)
        return;
    tlv_close(tlv_of(p));
    re_free(own(p)->re);
    free(p->own);
}

static int attach(struct pane *p, struct err *e)
{
    struct session *s = app_session(p->app);
    size_t n;
    int64_t origin, first;
    session_parts(s, false, &n);
    if (!n)
        return OK;
    struct timeline *tl = session_timeline(s, e);
    if (!tl)
        return (int)e->code;
    if (!timeline_n_tracks(tl))
        return OK;
    struct tlv *v = tlv_of(p);
    int64_t t0, t1;
    if (!timeline_span(tl, &t0, &t1))
        t0 = 0;
    bool known = session_clock(s, &origin, &first, &v->has_origin);
    v->origin = v->has_origin ? origin : 0;
    if (tlv_open(v, tl, known ? first : t0, e))
        return (int)e->code;
    own(p)->has = true;
    return OK;
}

static bool has_data(struct pane *p)
{
    return p->own && own(p)->has;
}

/* ---- the step under the cursor ---- */

static void find_step(struct pane *p)
{
    struct own *o = own(p);
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

/* ---- drawing ---- */

static bool draw(struct pane *p, struct canvas *c, struct rect a)
{
    if (!in_front(p) || !own(p)->has)
        return false;
    struct tlv *v = tlv_of(p);
    int strip = a.h >= 12 ? STRIP_ROWS : a.h >= 8 ? 1 : 0, low = 0;
    bool side = a.w >= SIDE_COLS && a.h >= SIDE_ROWS;
    if (v->has_area)
        low = side ? a.h / 3 : a.h >= 16 ? 6 : a.h >= 12 ? 4 : 0;
    else if (side)
        low = a.h / 3 > 16 ? 16 : a.h / 3;
    int rows = (int)v->n_rows + 2;
    int tracks = a.h - strip - (low ? low + 1 : 0);
    if (low && rows < tracks && !side)
        tracks = rows; /* few tracks: the figures come right below them */
    tlv_draw(v, c, (struct rect){ a.y, a.x, tracks, a.w });
    struct rect lower = { a.y + tracks + 1, a.x, low, a.w };
    if (v->has_area && low)
        tlv_draw_area(v, c, lower);
    else if (low)
        tlv_draw_side(v, c, lower);
    find_step(p);
    if (strip)
        tlv_draw_strip(v, c, (struct rect){ a.y + a.h - strip, a.x, strip, a.w });
    return true;
}

static bool draw_context(struct pane *p, struct canvas *c, struct rect a)
{
    if (!in_front(p) || !own(p)->has)
        return false;
    tlv_draw_map(tlv_of(p), c, a);
    return true;
}

/* ---- events ---- */

static bool select_at(struct pane *p)
{
    struct tlv *v = tlv_of(p);
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
        int64_t cur = v->cur;
        v->sel = ev;
        v->has_sel = true;
        v->cur = cur;
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
    struct tlv *v = tlv_of(p);
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

static void open_event(struct pane *p)
{
    struct tlv *v = tlv_of(p);
    bool had = v->has_sel;
    struct tl_event old = v->sel;
    if (select_at(p) && had && old.track == v->sel.track && old.seq == v->sel.seq)
        show_details(p);
}

static void step_event(struct pane *p, int dir)
{
    struct tlv *v = tlv_of(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    size_t track = tlv_track(v);
    if (track == SIZE_MAX)
        return;
    bool on = v->has_sel && v->sel.track == track;
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

static void find_event(struct pane *p, int dir)
{
    struct own *o = own(p);
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
    int rc = timeline_find(v->tl, o->re, v->has_sel ? v->sel.ts_ns : v->cur, dir, &ev, &e);
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
    struct tlv *v = tlv_of(p);
    struct err e = ERR_INIT;
    struct tl_event other;
    if (!in_front(p) || !own(p)->has || !v->has_sel) {
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
    struct tlv *v = tlv_of(p);
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
    if (!p->own || !own(p)->has || !where.n || go_to_step(p, where))
        return;
    v = tlv_of(p);
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
    if (!p->own || !own(p)->has)
        return;
    struct tlv *v = tlv_of(p);
    while (p->depth && pane_back(p))
        ;
    p->view = p->n_views;
    int64_t span = dur_ns > 0 && dur_ns < INT64_MAX / 16 ? dur_ns * 8 : 1000000,
            mid = ts_ns + dur_ns / 2;
    tlv_window(v, mid - span / 2, mid - span / 2 + span, true);
    tlv_show(v, ts_ns);
    select_exact(v, ts_ns, dur_ns);
}

/* ---- marks and area ---- */

static void add_mark(struct pane *p)
{
    struct tlv *v = tlv_of(p);
    if (v->n_marks == TLV_MARKS) {
        app_say(p->app, ROLE_TEXT, "all letters are used");
        return;
    }
    char letter = (char)('A' + (int)v->n_marks);
    v->marks[v->n_marks].t = v->cur;
    v->marks[v->n_marks++].letter = letter;
    app_say(p->app, ROLE_TEXT, "mark %c; M makes an area from it to the cursor, ' jumps", letter);
}

static void make_area(struct pane *p)
{
    struct tlv *v = tlv_of(p);
    if (!v->n_marks) {
        app_say(p->app, ROLE_TEXT, "set a mark first: m");
        return;
    }
    int64_t a = v->marks[v->n_marks - 1].t, b = v->cur;
    v->area0 = a < b ? a : b;
    v->area1 = a < b ? b : a;
    v->has_area = v->area1 > v->area0;
    if (!v->has_area)
        app_say(p->app, ROLE_TEXT, "move the cursor away from the mark first");
}

static bool jump_mark(struct app *a, uint32_t code)
{
    struct tlv *v = tlv_of(app_pane(a));
    if (code >= 'a' && code <= 'z')
        code -= 'a' - 'A';
    for (size_t i = 0; i < v->n_marks; i++)
        if (code == (uint32_t)v->marks[i].letter || (code == '\'' && v->marks[i].t > v->cur)) {
            tlv_show(v, v->marks[i].t);
            return true;
        }
    app_say(a, ROLE_TEXT, "no such mark");
    return true;
}

static bool back(struct pane *p)
{
    struct tlv *v = p->own ? tlv_of(p) : NULL;
    if (!in_front(p) || !own(p)->has)
        return false;
    if (v->has_area) {
        v->has_area = false;
        v->n_marks = 0;
        return true;
    }
    if (v->has_sel) {
        v->has_sel = false;
        return true;
    }
    return false;
}

/* ---- tracks ---- */

static void remake(struct pane *p)
{
    struct err e = ERR_INIT;
    if (tlv_make_rows(tlv_of(p), &e))
        app_say_err(p->app, &e);
}

static void show_all(struct pane *p)
{
    struct tlv *v = tlv_of(p);
    for (size_t i = 0; i < timeline_n_tracks(v->tl); i++)
        v->hidden[i] = false;
    remake(p);
}

static void toggle_lanes(struct pane *p, size_t track)
{
    struct tlv *v = tlv_of(p);
    if (timeline_track(v->tl, track)->lanes < 2) {
        app_say(p->app, ROLE_TEXT, "the events of this track do not overlap");
        return;
    }
    v->lanes[track] = !v->lanes[track];
    remake(p);
}

static bool track_act(struct pane *p, enum action act)
{
    struct tlv *v = tlv_of(p);
    size_t track = tlv_track(v);
    if (track == SIZE_MAX)
        return act == ACT_PIN || act == ACT_HIDE || act == ACT_LANES;
    switch (act) {
    case ACT_PIN:
        v->pinned[track] = !v->pinned[track];
        remake(p);
        return true;
    case ACT_HIDE:
        v->hidden[track] = true;
        remake(p);
        app_say(p->app, ROLE_TEXT, "hidden; X shows it again");
        return true;
    case ACT_LANES:
        toggle_lanes(p, track);
        return true;
    default:
        return false;
    }
}

/* ---- keys ---- */

static void move_row(struct tlv *v, int64_t by)
{
    int64_t to = (int64_t)v->row + by, n = (int64_t)v->n_rows;
    v->row = (size_t)(to < 0 || !n ? 0 : to >= n ? n - 1 : to);
}

static bool move_act(struct tlv *v, enum action act)
{
    int page = v->tracks.h > 1 ? v->tracks.h - 1 : 1;
    switch (act) {
    case ACT_DOWN:
        move_row(v, 1);
        return true;
    case ACT_UP:
        move_row(v, -1);
        return true;
    case ACT_PAGE_DOWN:
        move_row(v, page);
        return true;
    case ACT_PAGE_UP:
        move_row(v, -page);
        return true;
    case ACT_HALF_DOWN:
        move_row(v, page / 2);
        return true;
    case ACT_HALF_UP:
        move_row(v, -page / 2);
        return true;
    case ACT_LEFT:
        tlv_move(v, -1);
        return true;
    case ACT_RIGHT:
        tlv_move(v, 1);
        return true;
    case ACT_FIRST:
        tlv_show(v, v->span0);
        return true;
    case ACT_LAST:
        tlv_show(v, v->span1 - 1);
        return true;
    default:
        return false;
    }
}

static bool window_act(struct tlv *v, enum action act)
{
    switch (act) {
    case ACT_ZOOM_IN:
    case ACT_ZOOM_OUT:
        tlv_zoom(v, act == ACT_ZOOM_IN);
        return true;
    case ACT_PAN_LEFT:
    case ACT_PAN_RIGHT:
        tlv_pan(v, act == ACT_PAN_LEFT ? -1 : 1);
        return true;
    case ACT_ZOOM_UNDO:
        tlv_undo(v);
        return true;
    case ACT_WHOLE:
        tlv_window(v, v->span0, v->span1, true);
        return true;
    default:
        return false;
    }
}

static bool key(struct pane *p, enum action act)
{
    if (!in_front(p) || !own(p)->has)
        return false;
    struct tlv *v = tlv_of(p);
    if (move_act(v, act) || window_act(v, act) || track_act(p, act))
        return true;
    switch (act) {
    case ACT_EVENT_NEXT:
    case ACT_EVENT_PREV:
        step_event(p, act == ACT_EVENT_NEXT ? 1 : -1);
        return true;
    case ACT_FIND_NEXT:
    case ACT_FIND_PREV:
        find_event(p, act == ACT_FIND_NEXT ? 1 : -1);
        return true;
    case ACT_OPEN:
        open_event(p);
        return true;
    case ACT_FIT:
        if (v->has_sel || select_at(p))
            tlv_fit(v);
        return true;
    case ACT_GO_TO:
        app_ask(p->app, "go to (1.234s, step 17, +50us, raw ns): ", STR(""), go_answer, p);
        return true;
    case ACT_AREA_MARK:
        add_mark(p);
        return true;
    case ACT_AREA_END:
        make_area(p);
        return true;
    case ACT_MARK_GO:
        p->app->pending = jump_mark;
        return true;
    case ACT_SHOW_HIDDEN:
        show_all(p);
        return true;
    case ACT_ALIGN:
        app_say(p->app, ROLE_TEXT, "aligning ranks comes with a later version");
        return true;
    case ACT_COPY:
        if (v->has_sel)
            app_copy(p->app, timeline_name(v->tl, v->sel.track, v->sel.name_id), "the name");
        else
            app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        return true;
    default:
        return false;
    }
}

/* ---- mouse ---- */

static void end_drag(struct pane *p, int col)
{
    struct own *o = own(p);
    struct tlv *v = &o->v;
    int64_t a = tlv_time_at(v, o->drag_col < col ? o->drag_col : col),
            b = tlv_time_at(v, (o->drag_col < col ? col : o->drag_col) + 1);
    if (o->on_ruler) {
        tlv_window(v, a, b, true);
        return;
    }
    v->area0 = a;
    v->area1 = b;
    v->has_area = true;
}

static bool mouse(struct pane *p, const struct key_event *k)
{
    struct own *o = own(p);
    if (!in_front(p) || !o->has)
        return false;
    struct tlv *v = &o->v;
    int col = k->x - v->tracks.x - v->label_w;
    if (k->mouse == MOUSE_WHEEL_UP || k->mouse == MOUSE_WHEEL_DOWN) {
        if (k->ctrl) {
            if (col >= 0 && col < v->cols)
                v->cur = tlv_time_at(v, col);
            tlv_zoom(v, k->mouse == MOUSE_WHEEL_UP);
        } else {
            move_row(v, k->mouse == MOUSE_WHEEL_UP ? -1 : 1);
        }
        return true;
    }
    bool ruler = k->y == v->ruler_y || k->y == v->ruler_y - 1,
         inside = k->y >= v->tracks.y && k->y < v->tracks.y + v->tracks.h;
    if (k->mouse == MOUSE_RELEASE) {
        if (o->drag_col >= 0 && col >= 0 && col < v->cols && abs(col - o->drag_col) > 1)
            end_drag(p, col);
        o->drag_col = -1;
        return true;
    }
    if (k->mouse == MOUSE_DRAG || (!ruler && !inside))
        return k->mouse == MOUSE_DRAG;
    o->drag_col = col >= 0 && col < v->cols ? col : -1;
    o->on_ruler = ruler;
    if (inside && v->row_at[k->y - v->tracks.y] < v->n_rows)
        v->row = v->row_at[k->y - v->tracks.y];
    if (col >= 0 && col < v->cols)
        v->cur = tlv_time_at(v, col);
    if (k->mouse == MOUSE_DOUBLE)
        open_event(p);
    return true;
}

/* ---- the rest ---- */

static unsigned scopes(const struct pane *p)
{
    return in_front(p) ? SC_TIME : 0;
}

static void context(struct pane *p, struct buf *out)
{
    if (!in_front(p))
        buf_printf(out, "view %s", pane_view_title(p));
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    if (!in_front(p) || !own(p)->has)
        return;
    struct tlv *v = tlv_of(p);
    char t[48];
    if (v->n_marks)
        buf_printf(left, "%zu mark%s   ", v->n_marks, v->n_marks == 1 ? "" : "s");
    buf_printf(left, "track %zu/%zu", v->n_rows ? v->row + 1 : 0, v->n_rows);
    buf_printf(right, "cursor %s", tlv_time(v, v->cur, t, sizeof t));
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar area[] = {
        { ACT_EXPORT, ACT_NONE, "export area" }, { ACT_BACK, ACT_NONE, "clear" },
        { ACT_MARK_GO, ACT_NONE, NULL },         { ACT_ZOOM_IN, ACT_ZOOM_OUT, "zoom" },
        { ACT_PAN_LEFT, ACT_PAN_RIGHT, "pan" },
    };
    if (!in_front(p) || !own(p)->has || !own(p)->v.has_area)
        return false;
    *out = area + 1; /* exporting an area comes with the export of traces */
    *n = ARRAY_LEN(area) - 1;
    return true;
}

/* `t` in a table of the pane goes back to the drawing by the generic way. */
static void draw_mode(struct pane *p, struct canvas *c, struct rect a)
{
    pane_draw_empty(p, c, a, "time");
}

const struct pane_mode pane_time_modes[] = { { "timeline", draw_mode } };

const struct pane_ops pane_time_ops = {
    .open = open_pane,
    .close = close_pane,
    .attach = attach,
    .detach = detach,
    .draw = draw,
    .draw_context = draw_context,
    .key = key,
    .mouse = mouse,
    .scopes = scopes,
    .context = context,
    .status = status,
    .has_data = has_data,
    .back = back,
    .bar = bar,
};
