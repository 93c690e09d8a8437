/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: life and drawing of the pane. Its tables are the other views of it. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lang/tr.h"
#include "ui/pane/timeline/timeline_int.h"

#define STRIP_ROWS 3
#define TIME_MOST  (INT64_MAX / 4) /* no difference of two of them overflows */
#define SIDE_COLS  120
#define SIDE_ROWS  34

/* ---- life ---- */

static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct time_pane));
    if (!p->own)
        return err_nomem(e);
    time_of(p)->drag_col = -1;
    time_of(p)->step_at = INT64_MIN;
    p->view = p->n_views;
    return OK;
}

static void detach(struct pane *p)
{
    struct time_pane *o = time_of(p);
    time_forget_match(p);
    tlv_close(&o->v);
    lineup_free(o->l);
    o->l = NULL;
    o->has = false;
    o->step_at = INT64_MIN;
}

static void close_pane(struct pane *p)
{
    if (!p->own)
        return;
    detach(p);
    tlv_free(time_tlv(p));
    re_free(time_of(p)->re);
    free(p->own);
}

/* A new step range moves the window; one that was kept from an earlier start stays. */
static void follow_steps(struct pane *p, bool had_window)
{
    struct time_pane *o = time_of(p);
    const struct view_scope *s = session_scope(app_session(p->app));

    if (!o->seen_steps ? !had_window && !view_scope_all(s)
                       : s->step0 != o->seen.step0 || s->step1 != o->seen.step1)
        time_show_chosen(p);
    o->seen = *s;
    o->seen_steps = true;
}

static int attach(struct pane *p, struct err *e)
{
    struct time_pane *o = time_of(p);
    struct tlv *v = &o->v;
    const bool had_window = v->t1 > v->t0;
    int64_t t0, t1, origin, first, last;
    if (time_line_up(p, e) || !o->l)
        return e->code;
    const struct lineup_part *base = lineup_part(o->l, lineup_base(o->l));
    bool known = store_rank_clock(base->store, base->rank, &origin, &first, &last, &v->has_origin);
    v->has_origin = known && v->has_origin;
    v->origin = v->has_origin ? origin : 0;
    if (!timeline_span(base->tl, &t0, &t1))
        t0 = 0;
    if (tlv_open(v, o->l, known ? first : t0, e))
        return e->code;
    o->has = true;
    if (!had_window)
        tlv_go_to_busiest(v);
    size_t rank = session_current(app_session(p->app)), part = time_part_of_rank(p, rank);
    if (o->n_ranks && rank != o->seen_rank && part != SIZE_MAX)
        tlv_go_to_part(v, part);
    o->seen_rank = rank;
    follow_steps(p, had_window);
    time_show_wanted(p);
    time_show_distance(p);
    return OK;
}

static bool has_data(struct pane *p)
{
    return p->own && time_of(p)->has;
}

void time_remake(struct pane *p)
{
    struct err e = ERR_INIT;
    if (tlv_make_rows(time_tlv(p), &e))
        app_say_err(p->app, &e);
}

/* ---- drawing ---- */

static bool draw(struct pane *p, struct canvas *c, struct rect a)
{
    if (!time_in_front(p) || !time_of(p)->has)
        return false;
    struct tlv *v = time_tlv(p);
    time_sync_filters(p);
    v->only[0] = '\0';
    if (time_chosen_steps(p, &v->only0, &v->only1))
        time_chosen_text(p, v->only, sizeof v->only);
    int strip = a.h >= 12 ? STRIP_ROWS : a.h >= 8 ? 1 : 0, low = 0;
    bool side = a.w >= SIDE_COLS && a.h >= SIDE_ROWS;
    if (v->has_area)
        low = side ? a.h / 3 : a.h >= 16 ? 6 : a.h >= 12 ? 4 : 0;
    else if (side)
        low = a.h / 3 > 16 ? 16 : a.h / 3;
    int rows = (int)v->n_rows + 2;
    int tracks = a.h - strip - (low ? low + 1 : 0);
    if (low && rows < tracks && !side)
        tracks = rows; /* with few tracks the figures come right below them */
    tlv_draw(v, c, (struct rect){ a.y, a.x, tracks, a.w });
    if (low && side && !v->has_area && tlv_lines(v) < tracks) { /* what few tracks leave is theirs */
        low += tracks - tlv_lines(v);
        tracks = tlv_lines(v);
    }
    struct rect lower = { a.y + tracks + 1, a.x, low, a.w };
    if (v->has_area && low)
        tlv_draw_area(v, c, lower);
    else if (low)
        tlv_draw_side(v, c, lower);
    time_find_step(p);
    if (strip)
        tlv_draw_strip(v, c, (struct rect){ a.y + a.h - strip, a.x, strip, a.w });
    return true;
}

static bool draw_context(struct pane *p, struct canvas *c, struct rect a)
{
    if (!time_in_front(p) || !time_of(p)->has)
        return false;
    struct table *t = time_filters(p);
    int x = t ? table_draw_chips(t, c, a.y, a.x + 1, a.w / 2) : 0;
    tlv_draw_map(time_tlv(p), c, (struct rect){ a.y, a.x + x, 1, a.w - x });
    return true;
}

static bool work(struct pane *p)
{
    bool sums = false, match = false;
    if (!time_in_front(p) || !time_of(p)->has)
        return false;
    bool more = tlv_work(time_tlv(p), &sums);
    more |= time_work_filters(p, &match);
    p->app->dirty |= sums || match;
    return more;
}

/* ---- going back ---- */

static bool back(struct pane *p)
{
    struct tlv *v = p->own ? time_tlv(p) : NULL;
    if (!time_in_front(p) || !time_of(p)->has)
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

/* ---- what is kept from one start to the next: marks, a window that the reader chose ---- */

static void save(struct pane *p, table_line_fn *fn, void *arg)
{
    const struct tlv *v = time_tlv(p);
    char line[100];
    for (size_t i = 0; i < v->n_marks; i++) {
        snprintf(line, sizeof line, "mark %c %" PRId64, v->marks[i].letter, v->marks[i].t);
        fn(arg, str_of(line));
    }
    time_save_ranks(p, fn, arg);
    if (v->t1 <= v->t0 || (v->t0 <= v->span0 && v->t1 >= v->span1) ||
        (v->t0 == v->first0 && v->t1 == v->first1))
        return;
    snprintf(line, sizeof line, "window %" PRId64 " %" PRId64 " %" PRId64, v->t0, v->t1, v->cur);
    fn(arg, str_of(line));
}

static bool restore(struct pane *p, struct str line)
{
    struct tlv *v = time_tlv(p);
    struct str word, part[3];
    int64_t t[3] = { 0 };
    size_t n = 0;
    if (!str_next(&line, ' ', &word))
        return false;
    if (str_eq(word, STR("rank")))
        return time_restore_rank(p, line);
    while (n < 3 && str_next(&line, ' ', &part[n]))
        n++;
    bool mark = str_eq(word, STR("mark"));
    for (size_t i = mark; i < n; i++)
        if (!str_i64(part[i], &t[i]) || t[i] <= -TIME_MOST || t[i] >= TIME_MOST)
            return false;
    if (mark && n == 2 && part[0].n == 1 && v->n_marks < TLV_MARKS &&
        part[0].p[0] == (char)('A' + (int)v->n_marks)) {
        v->marks[v->n_marks].letter = part[0].p[0];
        v->marks[v->n_marks++].t = t[1];
        return true;
    }
    if (!str_eq(word, STR("window")) || n != 3 || t[0] >= t[1])
        return false;
    v->t0 = t[0];
    v->t1 = t[1];
    v->cur = t[2];
    return true;
}

/* ---- the rest ---- */

static unsigned scopes(const struct pane *p)
{
    return time_in_front(p) ? SC_TIME : 0;
}

/* Tracks of rows [0, n): one with lanes of its own has several rows. */
static size_t count_tracks(const struct tlv *v, size_t n)
{
    size_t tracks = 0;

    for (size_t i = 0; i < n; i++)
        tracks += i == 0 || v->rows[i].track != v->rows[i - 1].track;
    return tracks;
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    if (!time_in_front(p) || !time_of(p)->has)
        return;
    struct tlv *v = time_tlv(p);
    char t[48];
    if (v->n_marks)
        buf_printf(left, tr("%zu mark%s   "), v->n_marks, v->n_marks == 1 ? "" : "s");
    buf_printf(left, tr("track %zu/%zu"), v->n_rows ? count_tracks(v, v->row + 1) : 0,
               count_tracks(v, v->n_rows));
    char count[120], steps[56];
    int64_t from, to;
    if (time_chosen_steps(p, &from, &to))
        buf_printf(left, "   %s", time_chosen_text(p, steps, sizeof steps));
    time_filter_count(p, count, sizeof count);
    if (count[0])
        buf_printf(left, tr("   match %s"), count);
    buf_printf(right, tr("cursor %s"), tlv_time(v, v->cur, t, sizeof t));
}

static struct table *filters(struct pane *p)
{
    return time_in_front(p) && time_of(p)->has ? time_filters(p) : NULL;
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar area[] = {
        { ACT_EXPORT, ACT_NONE, "export area" }, { ACT_BACK, ACT_NONE, "clear" },
        { ACT_MARK_GO, ACT_NONE, NULL },         { ACT_ZOOM_IN, ACT_ZOOM_OUT, "zoom" },
        { ACT_PAN_LEFT, ACT_PAN_RIGHT, "pan" },
    };
    if (pane_table(p)) {
        *out = pane_list_bar(n);
        return true;
    }
    if (!time_in_front(p) || !time_of(p)->has || !time_of(p)->v.has_area)
        return false;
    *out = area;
    *n = ARRAY_LEN(area);
    return true;
}

/* `t` in a table of the pane goes back to the drawing by the generic way. */
static int draw_mode(struct pane *p, struct canvas *c, struct rect a)
{
    pane_draw_empty(p, c, a, "time");
    return a.h;
}

const struct pane_mode pane_time_modes[] = { { "timeline", draw_mode, 0, NULL } };

const struct pane_ops pane_time_ops = {
    .open = open_pane,
    .close = close_pane,
    .attach = attach,
    .detach = detach,
    .draw = draw,
    .draw_context = draw_context,
    .key = time_key,
    .needs = time_needs,
    .mouse = time_mouse,
    .scopes = scopes,
    .status = status,
    .has_data = has_data,
    .back = back,
    .save = save,
    .restore = restore,
    .bar = bar,
    .filters = filters,
    .filter_live = time_filter_live,
    .filter_count = time_filter_count,
    .export = time_export,
    .work = work,
    .renumber = time_renumber,
    .wants = time_wants,
    .commands = time_commands,
    .finds = true,
};
