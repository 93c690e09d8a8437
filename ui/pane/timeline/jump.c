/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timeline: jumps on the cursor's track: next of the same name, longest gap, busiest stretch, first
 * difference between two steps.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/timeline/timeline_int.h"

#define SHARE      0.2
#define LEAST_NS   1000 /* two durations that differ by less are the same, however short they are */
#define LEAST_TEXT "1 us"

/* ---- look-ups on the cursor's track ---- */

/* Where jumps look: the track, within the chosen steps. where: " in steps 15-16", "" all of it. */
static void jump_span(struct pane *p, size_t track, int64_t *t0, int64_t *t1, char where[64])
{
    int64_t from, to;
    char steps[56];

    lineup_track_span(time_tlv(p)->l, track, t0, t1);
    where[0] = '\0';
    if (!time_chosen_steps(p, &from, &to))
        return;
    if (lineup_track(time_tlv(p)->l, track)->own_clock) {
        snprintf(where, 64, "%s", tr(" in all steps (own clock)"));
        return;
    }
    *t0 = from;
    *t1 = to;
    snprintf(where, 64, tr(" in %s"), time_chosen_text(p, steps, sizeof steps));
}

static void jump_same(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_event ev;
    if (!v->has_sel || v->sel.track != track || !v->sel.name_id) {
        app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        return;
    }
    int64_t t0, t1;
    char where[64];
    jump_span(p, track, &t0, &t1, where);
    int rc = lineup_step(v->l, track, v->sel.ts_ns, v->sel.seq, dir, v->sel.name_id, &ev, &e);
    if (rc > 0 && (!where[0] || (ev.ts_ns >= t0 && ev.ts_ns < t1)))
        tlv_select(v, &ev);
    else if (rc < 0)
        app_say_err(p->app, &e);
    else
        app_say(p->app, ROLE_TEXT,
                dir > 0 ? "this is the last event of that name on the track%s"
                        : "this is the first event of that name on the track%s",
                where);
}

static void jump_gap(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    struct err e = ERR_INIT;
    struct tl_gap g;
    int64_t t0, t1;
    size_t n;
    char len[32], at[48], where[64];
    (void)dir;
    jump_span(p, track, &t0, &t1, where);
    if (lineup_gaps(v->l, track, t0, t1, &g, 1, &n, &e)) {
        app_say_err(p->app, &e);
        return;
    }
    if (!n) {
        app_say(p->app, ROLE_TEXT, "there is no gap between the events of this track%s", where);
        return;
    }
    int64_t beside = g.len_ns / 4 + 1;
    tlv_window(v, g.from_ns - beside, g.from_ns + g.len_ns + beside, true);
    tlv_show(v, g.from_ns);
    app_say(p->app, ROLE_TEXT, "longest gap of the track%s: %s from %s on", where,
            unit_time(len, sizeof len, (double)g.len_ns, TIME_AUTO), tlv_time(v, g.from_ns, at, sizeof at));
}

static void jump_busiest(struct pane *p, size_t track, int dir)
{
    struct tlv *v = time_tlv(p);
    int64_t len = v->t1 - v->t0, t0, t1, at = 0, busy = 0;
    struct err e = ERR_INIT;
    char text[32], share[24], where[64];
    (void)dir;
    jump_span(p, track, &t0, &t1, where);
    int64_t whole = t1 - t0;
    if (whole < 1)
        whole = 1;
    if (len > whole)
        len = whole;
    if (lineup_busiest(v->l, track, t0, t0 + whole, len, &at, &busy, &e)) {
        app_say_err(p->app, &e);
        return;
    }
    tlv_window(v, at, at + (v->t1 - v->t0), true);
    tlv_show(v, at);
    app_say(p->app, ROLE_TEXT, "busiest %s of the track%s: %s busy",
            unit_time(text, sizeof text, (double)len, TIME_AUTO), where,
            unit_percent(share, sizeof share, (double)busy / (double)len));
}

void time_jump(struct pane *p, enum time_jump jump)
{
    static const struct {
        void (*run)(struct pane *p, size_t track, int dir);
        int dir;
    } jumps[] = { [JUMP_SAME_NEXT] = { jump_same, 1 },
                  [JUMP_SAME_PREV] = { jump_same, -1 },
                  [JUMP_GAP] = { jump_gap, 0 },
                  [JUMP_BUSIEST] = { jump_busiest, 0 } };
    size_t track = time_in_front(p) && time_of(p)->has ? tlv_track(time_tlv(p)) : SIZE_MAX;
    if (track == SIZE_MAX || lineup_track(time_tlv(p)->l, track)->is_counter)
        app_say(p->app, ROLE_TEXT, "this works on a track of the timeline that has events");
    else
        jumps[jump].run(p, track, jumps[jump].dir);
}

/* ---- the first difference between steps ---- */

/* "20%", "0.2"; empty: the usual one. */
static bool parse_share(struct str s, double *share)
{
    char kind;
    *share = SHARE;
    s = str_trim(s);
    if (!s.n)
        return true;
    return unit_parse(s, share, &kind) && (kind == '%' || kind == 'n') && *share >= 0 &&
           (kind == 'n' || (*share /= 100, true));
}

static void say_time(struct pane *p, const struct diff *d, int64_t step, int64_t before, const char *rest)
{
    char t[32], u[32], pct[24];
    double a = (double)d->a.dur_ns, b = (double)d->b.dur_ns;
    unit_percent(pct, sizeof pct, a > b ? (a - b) / a : a > 0 ? (b - a) / a : 1);
    app_say(p->app, ROLE_TEXT, "step %" PRId64 ", event %" PRIu64 ": %s, in step %" PRId64 " %s (%s%s%s",
            step, d->at + 1, unit_time(t, sizeof t, b, TIME_AUTO), before,
            unit_time(u, sizeof u, a, TIME_AUTO), a > b ? "-" : "+", pct, rest);
}

/* "; all 690 events 28.92 ms, before 692 28.70 ms": the whole of both steps on the track, b's first. */
static char *both_text(struct pane *p, size_t track, const struct step_span *a, const struct step_span *b,
                       char *buf, size_t n)
{
    struct tlv *v = time_tlv(p);
    struct err ignored = ERR_INIT;
    struct tl_area x[2];
    const struct step_span *s[2] = { b, a };
    char t[2][32];

    buf[0] = '\0';
    for (int i = 0; i < 2; i++) {
        int64_t to = s[i]->to_ns == INT64_MAX ? v->span1 : s[i]->to_ns;
        if (lineup_area(v->l, track, s[i]->from_ns, to, &x[i], &ignored))
            return buf;
        unit_time(t[i], sizeof t[i], (double)x[i].busy_ns, TIME_AUTO);
    }
    snprintf(buf, n, tr("; all %" PRIu64 " events %s, before %" PRIu64 " %s"), x[0].events, t[0], x[1].events,
             t[1]);
    return buf;
}

static void say_name(struct pane *p, const char *what, struct str name, const char *both)
{
    char text[100];
    app_say(p->app, ROLE_TEXT, "%s %s%s", what, str_copy(name, text, sizeof text), both);
}

static void show_diff(struct pane *p, size_t track, const struct diff *d, const struct step_span *a,
                      const struct step_span *b, double share)
{
    struct tlv *v = time_tlv(p);
    char what[240], limit[24], both[160];
    both_text(p, track, a, b, both, sizeof both);
    unit_percent(limit, sizeof limit, share);
    if (d->kind == DIFF_NONE) {
        app_say(p->app, ROLE_TEXT,
                "steps %" PRId64 " and %" PRId64 ": the same %" PRIu64
                " events, none over %s (and %s) apart%s",
                a->step, b->step, d->at, limit, LEAST_TEXT, both);
        return;
    }
    if (d->kind == DIFF_MISSING)
        tlv_show(v, b->to_ns == INT64_MAX ? b->from_ns : b->to_ns - 1);
    else
        tlv_select(v, &d->b);
    snprintf(what, sizeof what, tr("step %" PRId64 ", event %" PRIu64 ": "), b->step, d->at + 1);
    size_t n = strlen(what);
    switch (d->kind) {
    case DIFF_NAME:
        snprintf(what + n, sizeof what - n, tr("in step %" PRId64 " it is"), a->step);
        say_name(p, what, lineup_name(v->l, track, d->a.name_id), both);
        break;
    case DIFF_MISSING:
        snprintf(what + n, sizeof what - n, tr("none, step %" PRId64 " goes on with"), a->step);
        say_name(p, what, lineup_name(v->l, track, d->a.name_id), both);
        break;
    case DIFF_MORE:
        app_say(p->app, ROLE_TEXT, "%sstep %" PRId64 " has ended here%s", what, a->step, both);
        break;
    default:
        snprintf(what, sizeof what, tr(", limit %s)%s"), limit, both);
        say_time(p, d, b->step, a->step, what);
        break;
    }
}

void time_diff(struct pane *p, struct str args)
{
    struct tlv *v = p->own ? time_tlv(p) : NULL;
    size_t track = v && time_in_front(p) && time_of(p)->has ? tlv_track(v) : SIZE_MAX;
    struct step_span a, b;
    struct err e = ERR_INIT;
    struct diff d;
    double share;
    if (track == SIZE_MAX || lineup_track(v->l, track)->is_counter) {
        app_say(p->app, ROLE_TEXT, "this works on a track of the timeline that has events");
        return;
    }
    if (lineup_track(v->l, track)->own_clock) {
        app_say(p->app, ROLE_TEXT, "the track has its own clock: where steps are on it is not known");
        return;
    }
    if (!parse_share(args, &share)) {
        app_say(p->app, ROLE_WARN, "how much is a difference? :diff 20%%");
        return;
    }
    size_t part = lineup_part_of(v->l, track);
    int rc = lineup_step_at(v->l, part, v->cur, &b, &e);
    if (!rc)
        app_say(p->app, ROLE_TEXT, "no step with a place in time goes on at the cursor");
    else if (rc > 0 && !(rc = lineup_step_before(v->l, part, b.from_ns, &a, &e)))
        app_say(p->app, ROLE_TEXT, "step %" PRId64 " is the first one", b.step);
    if (rc > 0 && lineup_diff(v->l, track, &a, &b, share, LEAST_NS, &d, &e) == OK)
        show_diff(p, track, &d, &a, &b, share);
    if (e.code)
        app_say_err(p->app, &e);
}
