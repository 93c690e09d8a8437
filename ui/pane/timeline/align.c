/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: aligning ranks at an event or a step, and moving them by hand. */
#include "config.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/timeline/timeline_int.h"

/* ---- aligning ---- */

static void move_part(struct pane *p, size_t part, int64_t by)
{
    struct time_pane *o = time_of(p);
    struct time_rank *r = time_rank_entry(p, lineup_part(o->l, part)->key);
    int64_t to;
    if (!r || __builtin_add_overflow(r->offset_ns, by, &to))
        return;
    r->offset_ns = to;
    lineup_set_offset(o->l, part, to);
}

static void parts_moved(struct pane *p)
{
    time_forget_match(p); /* starts are filtered as they are shown */
    tlv_moved(time_tlv(p));
    time_of(p)->step_at = INT64_MIN;
}

/* The time of a part at which the parts are aligned. Returns 1 found, 0 none, -1 error. */
typedef int place_fn(struct pane *p, size_t part, int64_t *ts, struct err *e);

static int place_of_event(struct pane *p, size_t part, int64_t *ts, struct err *e)
{
    struct tlv *v = time_tlv(p);
    struct tl_event ev;
    int rc = lineup_counterpart(v->l, &v->sel, part, &ev, e);
    *ts = rc == 1 ? ev.ts_ns : 0;
    return rc;
}

static int place_of_end(struct pane *p, size_t part, int64_t *ts, struct err *e)
{
    struct tlv *v = time_tlv(p);
    struct tl_event ev;
    int rc = lineup_counterpart(v->l, &v->sel, part, &ev, e);
    *ts = rc == 1 ? ev.ts_ns + ev.dur_ns : 0;
    return rc;
}

static int place_of_step(struct pane *p, size_t part, int64_t *ts, struct err *e)
{
    struct tlv *v = time_tlv(p);
    struct step_span here, there;
    size_t track = tlv_track(v), from = track == SIZE_MAX ? lineup_base(v->l) : lineup_part_of(v->l, track);
    int rc = lineup_step_at(v->l, from, v->cur, &here, e);
    if (rc == 1)
        rc = lineup_step_numbered(v->l, part, here.step, &there, e);
    *ts = rc == 1 ? there.from_ns : 0;
    return rc;
}

/* Move all parts but the anchor so that the times that fn finds are the same. */
static void align_parts(struct pane *p, size_t anchor, place_fn *fn, const char *what)
{
    struct time_pane *o = time_of(p);
    struct err e = ERR_INIT;
    size_t done = 0, missing = 0, first_missing = 0;
    int64_t to, ts;
    int rc = fn(p, anchor, &to, &e);
    for (size_t i = 0; rc == 1 && i < lineup_n_parts(o->l); i++) {
        if (i == anchor)
            continue;
        int found = fn(p, i, &ts, &e);
        if (found < 0) {
            rc = found;
        } else if (found) {
            move_part(p, i, to - ts);
            done++;
        } else if (!missing++) {
            first_missing = i;
        }
    }
    parts_moved(p);
    if (rc < 0)
        app_say_err(p->app, &e);
    else if (!rc)
        app_say(p->app, ROLE_TEXT, "there is no %s here to align at", what);
    else if (missing)
        app_say(p->app, ROLE_WARN, "aligned %zu of %zu at the %s; %s has none", done, done + missing, what,
                lineup_part(o->l, first_missing)->label);
    else
        app_say(p->app, ROLE_TEXT, "aligned %zu rank%s at the %s; =0 undoes", done, done == 1 ? "" : "s",
                what);
}

static void reset_offsets(struct pane *p)
{
    struct time_pane *o = time_of(p);
    for (size_t i = 0; i < o->n_ranks; i++)
        o->ranks[i].offset_ns = 0;
    for (size_t i = 0; i < lineup_n_parts(o->l); i++)
        lineup_set_offset(o->l, i, 0);
    parts_moved(p);
    app_say(p->app, ROLE_TEXT, "no rank is moved any more");
}

static bool second_of_align(struct app *a, uint32_t code)
{
    struct pane *p = time_second_key(a);
    if (!p)
        return true;
    struct tlv *v = time_tlv(p);
    size_t track = tlv_track(v);
    if (code == 'r') {
        time_ranks_menu(p);
    } else if (lineup_n_parts(v->l) < 2) {
        app_say(a, ROLE_TEXT, "this needs a second rank: =r chooses, or :stack 0,1");
    } else if (code == '0') {
        reset_offsets(p);
    } else if (code == 'b' && track != SIZE_MAX) {
        align_parts(p, lineup_part_of(v->l, track), place_of_step, tr("begin of the step"));
    } else if ((code == 's' || code == 'e') && !v->has_sel) {
        app_say(a, ROLE_TEXT, "select an event first (Enter)");
    } else if (code == 's' || code == 'e') {
        align_parts(p, lineup_part_of(v->l, v->sel.track), code == 's' ? place_of_event : place_of_end,
                    code == 's' ? tr("start of the event") : tr("end of the event"));
    } else {
        app_say(a, ROLE_TEXT, "=s =e start, end of the selected event, =b step, =0 back, =r ranks");
    }
    return true;
}

void time_align(struct pane *p)
{
    p->app->pending = second_of_align;
    app_say(p->app, ROLE_TEXT,
            "align ranks at: s start, e end of the selected event, b begin of the step; 0 back, r "
            "which ranks");
}

/* ---- :offset rank=3 -412us ---- */

void time_offset(struct pane *p, struct str args)
{
    struct session *s = app_session(p->app);
    struct str word, rest = str_trim(args);
    int64_t rank;
    double ns;
    char kind, t[48];
    bool whole = str_next(&rest, ' ', &word) && rest.p;
    if (whole && str_starts(word, STR("rank=")))
        word = str_sub(word, 5, word.n);
    struct str time = whole ? str_trim(rest) : STR("");
    struct str number = str_sub(time, time.n && time.p[0] == '+', time.n);
    if (!whole || !str_i64(word, &rank) || !unit_parse(number, &ns, &kind) ||
        (kind != 't' && !str_eq(number, STR("0"))) || ns > 9e17 || ns < -9e17) {
        app_say(p->app, ROLE_WARN, "which rank by how much? :offset rank=3 -412us");
        return;
    }
    pane_show(p);
    size_t index = rank < INT32_MIN || rank > INT32_MAX ? SIZE_MAX : session_find_rank(s, (int)rank);
    struct time_rank *r = p->own && index != SIZE_MAX ? time_rank_entry(p, index) : NULL;
    if (!r) {
        app_say(p->app, ROLE_WARN,
                "rank %lld is not in the timeline; :stack shows ranks under each "
                "other",
                (long long)rank);
        return;
    }
    r->offset_ns = (int64_t)ns;
    size_t part = time_part_of_rank(p, index);
    if (part != SIZE_MAX) {
        lineup_set_offset(time_of(p)->l, part, r->offset_ns);
        parts_moved(p);
    }
    app_say(p->app, ROLE_TEXT, "rank %lld is moved by %s", (long long)rank,
            tlv_offset(r->offset_ns, t, sizeof t));
}
