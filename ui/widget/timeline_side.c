/* SPDX-License-Identifier: Apache-2.0 */
/* Below the tracks: figures of an area; names, gaps and the selected event on wide screens. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/timeline.h"

#define SUM_CHUNKS 16 /* chunks summed between two looks at the keyboard; fewer are summed before the frame */

static char *ns(char *buf, size_t n, int64_t v)
{
    return unit_time(buf, n, (double)v, TIME_AUTO);
}

static void right(struct canvas *c, int y, int x, int w, const char *t)
{
    draw_right(c, y, x, w, ROLE_TEXT, str_of(t));
}

/* ---- area ---- */

static void area_row(struct tlv *v, struct canvas *c, struct rect a, int y, size_t track,
                     const struct tl_area *f)
{
    char t[48], name[TLV_NAME_B];
    int name_w = a.w > 100 ? 28 : 16;
    double len = (double)(v->area1 - v->area0);
    draw_puts(c, y, a.x + 1, name_w, ROLE_TEXT, tlv_track_title(v, track, name, sizeof name));
    int x = a.x + 1 + name_w;
    snprintf(t, sizeof t, "%llu", (unsigned long long)f->events);
    right(c, y, x, 8, t);
    right(c, y, x + 9, 10, ns(t, sizeof t, f->busy_ns));
    right(c, y, x + 20, 7, unit_percent(t, sizeof t, (double)f->busy_ns / len));
    right(c, y, x + 28, 10, ns(t, sizeof t, f->dur_sum_ns));
    right(c, y, x + 39, 10, ns(t, sizeof t, f->longest_ns));
    if (a.x + a.w - x > 56)
        draw_text(c, y, x + 51, a.x + a.w - x - 52, ROLE_DIM, lineup_name(v->l, track, f->longest_name),
                  CUT_PATH);
}

/*
 * A line for a track that has events in the area, or an error; always: without events, too. Returns the
 * number of lines.
 */
static int area_track(struct tlv *v, struct canvas *c, struct rect a, int y, size_t track, bool always)
{
    struct err e = ERR_INIT;
    struct tl_area f;
    char name[TLV_NAME_B];
    if (lineup_area(v->l, track, v->area0, v->area1, &f, &e))
        draw_printf(c, y, a.x + 1, a.w - 2, ROLE_WARN, "%s: %s", tlv_track_name(v, track, name, sizeof name),
                    e.text);
    else if (f.events || always)
        area_row(v, c, a, y, track, &f);
    else
        return 0;
    return 1;
}

static void area_head(struct tlv *v, struct canvas *c, struct rect a)
{
    char t0[48], t1[48], len[32];
    int name_w = a.w > 100 ? 28 : 16, x = a.x + 1 + name_w;
    draw_printf(c, a.y, a.x + 1, a.w - 2, ROLE_BOLD, tr("area %s to %s   length %s"),
                tlv_time(v, v->area0, t0, sizeof t0), tlv_time(v, v->area1, t1, sizeof t1),
                ns(len, sizeof len, v->area1 - v->area0));
    draw_fill(c, (struct rect){ a.y + 1, a.x, 1, a.w }, ROLE_HEAD, ' ');
    draw_puts(c, a.y + 1, a.x + 1, name_w, ROLE_HEAD, tr_column("Track"));
    draw_right(c, a.y + 1, x, 8, ROLE_HEAD, str_of(tr_column("Events")));
    draw_right(c, a.y + 1, x + 9, 10, ROLE_HEAD, str_of(tr_column("Busy")));
    draw_right(c, a.y + 1, x + 20, 7, ROLE_HEAD, str_of(tr_column("Busy%")));
    draw_right(c, a.y + 1, x + 28, 10, ROLE_HEAD, str_of(tr_column("Sum")));
    draw_right(c, a.y + 1, x + 39, 10, ROLE_HEAD, str_of(tr_column("Longest")));
}

void tlv_draw_area(struct tlv *v, struct canvas *c, struct rect a)
{
    if (a.h < 3 || v->area1 <= v->area0)
        return;
    area_head(v, c, a);
    size_t on = tlv_track(v), last = SIZE_MAX;
    int y = a.y + 2;
    /* The cursor's track first, then the others on the screen that have events in the area. */
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = pass ? v->top : v->row; i < v->n_rows && y < a.y + a.h; i++) {
            size_t track = v->rows[i].track;
            bool again = (pass && track == on) || track == last;
            if (!again && !lineup_track(v->l, track)->is_counter)
                y += area_track(v, c, a, y, last = track, !pass);
            if (!pass)
                break;
        }
}

/* ---- side tables ---- */

/*
 * What they are about: the window, as far as the clock of the track has something, within the chosen steps;
 * true: these cut it off. Where a track
 * has its own clock it is not known where they are on it.
 */
static bool side_span(const struct tlv *v, size_t track, int64_t *t0, int64_t *t1)
{
    *t0 = v->t0;
    *t1 = v->t1;
    lineup_cut_to_clock(v->l, track, t0, t1);
    const int64_t all0 = *t0, all1 = *t1;
    if (lineup_track(v->l, track)->own_clock || !v->only[0] || v->only0 >= all1 || v->only1 <= all0)
        return false;
    *t0 = v->only0 > all0 ? v->only0 : all0;
    *t1 = v->only1 < all1 ? v->only1 : all1;
    return *t0 > all0 || *t1 < all1;
}

/* Sum one slice of work; true: more is left. An error ends it. */
static bool go_on(struct tlv_names *k)
{
    int rc = timeline_sums_run(k->sums, SUM_CHUNKS, &k->err);
    if (!rc)
        return true;
    k->n = 0;
    if (rc > 0)
        timeline_sums_get(k->sums, k->top, TLV_NAMES, &k->n);
    k->known = true;
    timeline_sums_free(k->sums);
    k->sums = NULL;
    return false;
}

bool tlv_work(struct tlv *v, bool *redraw)
{
    *redraw = false;
    if (!v->names.sums)
        return false;
    bool more = go_on(&v->names);
    *redraw = !more;
    return more;
}

/* Begin the figures of a new window, and finish them at once when they are few; true: all are summed. */
static bool sum_names(struct tlv *v, size_t track, int64_t t0, int64_t t1)
{
    struct tlv_names *k = &v->names;
    if (k->track != track || k->t0 != t0 || k->t1 != t1 || (!k->known && !k->sums)) {
        timeline_sums_free(k->sums);
        *k = (struct tlv_names){ .track = track, .t0 = t0, .t1 = t1 };
        if (lineup_sums_new(&k->sums, v->l, track, t0, t1, &k->err))
            k->known = true;
        else if (timeline_sums_left(k->sums) < SUM_CHUNKS) /* one call sums them all and finds the end */
            go_on(k);
    }
    return k->known;
}

#define FACTS_B    ((size_t)64 << 10)
#define SELECTED_H 10 /* lines of the box with an event in it */

static void draw_names(struct tlv *v, struct canvas *c, struct rect a, size_t track)
{
    const struct tlv_names *k = &v->names;
    char t[48], title[TLV_NAME_B + 120], name[TLV_NAME_B];
    int64_t t0, t1;
    tlv_track_name(v, track, name, sizeof name);
    if (side_span(v, track, &t0, &t1))
        snprintf(title, sizeof title, tr("%s in the window within %s, by time"), name, v->only);
    else
        snprintf(title, sizeof title, tr("%s in the window, by time"), name);
    draw_box(c, a, title);
    if (!sum_names(v, track, t0, t1)) {
        draw_puts(c, a.y + 1, a.x + 2, a.w - 4, ROLE_DIM, tr("summing many events"));
        return;
    }
    if (k->err.code) {
        draw_puts(c, a.y + 1, a.x + 2, a.w - 4, ROLE_WARN, k->err.text);
        return;
    }
    int x = a.x + a.w - 36;
    draw_puts(c, a.y + 1, a.x + 2, 20, ROLE_HEAD, tr_column("Name"));
    draw_right(c, a.y + 1, x, 9, ROLE_HEAD, str_of(tr_column("Time")));
    draw_right(c, a.y + 1, x + 9, 7, ROLE_HEAD, str_of(tr_column("Share")));
    draw_right(c, a.y + 1, x + 16, 8, ROLE_HEAD, str_of(tr_column("Events")));
    draw_right(c, a.y + 1, x + 24, 10, ROLE_HEAD, str_of(tr_column("Longest")));
    for (size_t i = 0; i < k->n && (int)i < a.h - 3; i++) {
        const struct tl_name *m = &k->top[i];
        int y = a.y + 2 + (int)i;
        draw_text(c, y, a.x + 2, x - a.x - 3, ROLE_TEXT, lineup_name(v->l, track, m->name_id), CUT_PATH);
        right(c, y, x, 9, ns(t, sizeof t, m->busy_ns));
        right(c, y, x + 9, 7, unit_percent(t, sizeof t, (double)m->busy_ns / (double)(t1 - t0)));
        snprintf(t, sizeof t, "%llu", (unsigned long long)m->events);
        right(c, y, x + 16, 8, t);
        right(c, y, x + 24, 10, ns(t, sizeof t, m->longest_ns));
    }
}

/*
 * Time before the first and after the last event of the track is no gap between two: it comes last. Returns
 * the number of gaps between two.
 */
static size_t put_ends_last(const struct lineup *l, size_t track, struct tl_gap *g, size_t *n)
{
    int64_t first, last;
    size_t to = 0, kept = 0;

    lineup_track_span(l, track, &first, &last);
    for (size_t i = 0; i < *n; i++) {
        const struct tl_gap x = g[i];
        const bool is_end = x.from_ns + x.len_ns <= first || x.from_ns >= last;
        if (is_end && x.len_ns <= 1) /* the window ends an instant after its last event */
            continue;
        g[kept++] = x;
        if (is_end)
            continue;
        memmove(&g[to + 1], &g[to], (kept - 1 - to) * sizeof *g);
        g[to++] = x;
    }
    *n = kept;
    return to;
}

/* What an end of the track says in place of the names that a gap has. */
static void draw_end(const struct tlv *v, struct canvas *c, struct rect a, const struct tl_gap *g,
                     size_t track)
{
    int64_t first, last;

    lineup_track_span(v->l, track, &first, &last);
    draw_puts(c, a.y, a.x, a.w, ROLE_DIM,
              g->from_ns < last                 ? tr("no gap: before the first event")
              : lineup_track(v->l, track)->runs ? tr("no gap: before and in what has not ended")
                                                : tr("no gap: after the last event"));
}

/* What a table of gaps is about. */
struct gap_list {
    size_t track;
    int64_t span[2]; /* from and to. What chosen steps have of a gap is all that is asked for */
    int after_w, before_w;
};

static bool is_cut_before(const struct tlv *v, const struct gap_list *k, const struct tl_gap *g)
{
    return !g->after_name && g->from_ns == v->t0 && k->span[0] == v->t0;
}

static bool is_cut_after(const struct tlv *v, const struct gap_list *k, const struct tl_gap *g)
{
    return !g->before_name && g->from_ns + g->len_ns == v->t1 && k->span[1] == v->t1;
}

#define GAP_NAMES 28 /* where the names begin */

/* Both columns have half of the room, but what one does not need the other has. */
static void share_names(const struct tlv *v, const struct canvas *c, struct gap_list *k, int room,
                        const struct tl_gap *g, size_t n)
{
    const unsigned flags = canvas_flags(c);
    int after = text_cells_of(tr("After")), before = text_cells_of(tr("Before")), w = room / 2;

    for (size_t i = 0; i < n; i++) {
        const int a = is_cut_before(v, k, &g[i])
                          ? text_cells_of(tr("began earlier"))
                          : (int)text_width(lineup_name(v->l, k->track, g[i].after_name), flags);
        const int b = is_cut_after(v, k, &g[i])
                          ? text_cells_of(tr("ends later"))
                          : (int)text_width(lineup_name(v->l, k->track, g[i].before_name), flags);
        after = a > after ? a : after;
        before = b > before ? b : before;
    }
    if (after > w && before < room - w)
        w = after < room - before ? after : room - before;
    else if (before > room - w && after < w)
        w = room - before > after ? room - before : after;
    k->after_w = w;
    k->before_w = room - w;
}

static void draw_neighbour(const struct tlv *v, struct canvas *c, struct rect a, size_t track, int64_t name)
{
    draw_text(c, a.y, a.x, a.w, ROLE_TEXT, lineup_name(v->l, track, name), CUT_PATH);
}

/* Where the window ends within the gap no event is known, and the gap is longer. */
static void draw_beyond(struct canvas *c, struct rect a, const char *full, const char *brief)
{
    const bool fits = (int)text_width(str_of(tr(full)), canvas_flags(c)) <= a.w;

    draw_puts(c, a.y, a.x, a.w, ROLE_DIM, tr(fits ? full : brief));
}

static void draw_gap(const struct tlv *v, struct canvas *c, struct rect a, const struct gap_list *k,
                     const struct tl_gap *g)
{
    const bool before = is_cut_before(v, k, g), after = is_cut_after(v, k, g);
    const struct rect left = { a.y, a.x + GAP_NAMES, 1, k->after_w },
                      next = { a.y, left.x + left.w + 1, 1, k->before_w };
    char t[48], len[48];

    right(c, a.y, a.x + 1, 14, tlv_time(v, g->from_ns, t, sizeof t));
    snprintf(len, sizeof len, "%s%s", before || after ? ">" : "", ns(t, sizeof t, g->len_ns));
    right(c, a.y, a.x + 16, 10, len);
    if (before)
        draw_beyond(c, left, N_("from before the window"), N_("began earlier"));
    else
        draw_neighbour(v, c, left, k->track, g->after_name);
    if (after)
        draw_beyond(c, next, N_("beyond the window"), N_("ends later"));
    else
        draw_neighbour(v, c, next, k->track, g->before_name);
}

#define GAPS_MOST 32
#define ENDS      2 /* of a track: they take no line from a gap */

static void draw_gaps(struct tlv *v, struct canvas *c, struct rect a, size_t track)
{
    struct tl_gap g[GAPS_MOST + ENDS];
    struct err e = ERR_INIT;
    size_t n = 0, lines = a.h - 3 < GAPS_MOST ? (size_t)(a.h - 3) : GAPS_MOST;
    char title[TLV_NAME_B + 120], t[48], name[TLV_NAME_B];
    struct gap_list k = { .track = track };
    tlv_track_name(v, track, name, sizeof name);
    if (side_span(v, track, &k.span[0], &k.span[1]))
        snprintf(title, sizeof title, tr("Gaps on %s within %s, longest first"), name, v->only);
    else
        snprintf(title, sizeof title, tr("Gaps on %s, longest first"), name);
    draw_box(c, a, title);
    if (lineup_gaps(v->l, track, k.span[0], k.span[1], g, lines + ENDS, &n, &e)) {
        draw_puts(c, a.y + 1, a.x + 2, a.w - 4, ROLE_WARN, e.text);
        return;
    }
    const size_t between = put_ends_last(v->l, track, g, &n);
    n = n < lines ? n : lines;
    share_names(v, c, &k, a.w - GAP_NAMES - 4, g, n < between ? n : between);
    draw_right(c, a.y + 1, a.x + 1, 14, ROLE_HEAD, str_of(tr_column("Start")));
    draw_right(c, a.y + 1, a.x + 16, 10, ROLE_HEAD, str_of(tr_column("Length")));
    draw_puts(c, a.y + 1, a.x + GAP_NAMES, k.after_w, ROLE_HEAD, tr("After"));
    draw_puts(c, a.y + 1, a.x + GAP_NAMES + 1 + k.after_w, k.before_w, ROLE_HEAD, tr("Before"));
    for (size_t i = 0; i < n; i++) {
        int y = a.y + 2 + (int)i;
        if (i < between) {
            draw_gap(v, c, (struct rect){ y, a.x, 1, a.w }, &k, &g[i]);
            continue;
        }
        right(c, y, a.x + 1, 14, tlv_time(v, g[i].from_ns, t, sizeof t));
        right(c, y, a.x + 16, 10, ns(t, sizeof t, g[i].len_ns));
        draw_end(v, c, (struct rect){ y, a.x + GAP_NAMES, 1, a.w - GAP_NAMES - 2 }, &g[i], track);
    }
}

/* Ask for the facts of the selected event, once. */
static const char *need_facts(struct tlv *v)
{
    struct err ignored = ERR_INIT;
    struct tl_event other;
    struct buf b;
    char t[32];

    if (v->facts && v->facts_of.track == v->sel.track && v->facts_of.ts_ns == v->sel.ts_ns &&
        v->facts_of.seq == v->sel.seq)
        return v->facts;
    free(v->facts);
    buf_init(&b, FACTS_B);
    if (lineup_op_facts(v->l, &v->sel, &b, &ignored))
        buf_clear(&b);
    if (lineup_flow(v->l, &v->sel, &other, &ignored) > 0) {
        const char *word = lineup_track(v->l, other.track)->is_host ? tr("called by") : tr("runs as");
        buf_printf(&b, "%s: ", word);
        buf_add(&b, lineup_name(v->l, other.track, other.name_id));
        buf_printf(&b, other.ts_ns < v->sel.ts_ns ? tr(", %s before\n") : tr(", %s later\n"),
                   ns(t, sizeof t,
                      other.ts_ns < v->sel.ts_ns ? v->sel.ts_ns - other.ts_ns : other.ts_ns - v->sel.ts_ns));
    }
    v->facts = strdup(b.n && !buf_failed(&b) ? (buf_addc(&b, 0), b.p) : "");
    v->facts_of = v->sel;
    buf_done(&b);
    return v->facts ? v->facts : "";
}

/*
 * Facts are named as columns of the store are, with blanks; counters keep those names in any language
 * (doc/glossary.md#chinese).
 */
static const char *const fact_names[] = {
    N_("step"),      N_("type"),        N_("core"),      N_("stream"),   N_("task"),       N_("wait"),
    N_("delay"),     N_("block num"),   N_("in shapes"), N_("in types"), N_("in formats"), N_("out shapes"),
    N_("out types"), N_("out formats"), N_("context"),   N_("batch"),    N_("group name"), N_("kind"),
    N_("transit"),   N_("sync"),        N_("idle"),      N_("size b"),   N_("device"),
};

static const char *fact_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(fact_names); i++)
        if (strcmp(name, fact_names[i]) == 0)
            return tr(fact_names[i]);
    return name;
}

/* Counters of what the op does not use say nothing. */
static bool says_nothing(struct str value)
{
    return str_eq(value, STR("0")) || str_eq(value, STR("0 ns")) || str_eq(value, STR("0 us"));
}

/* "type Conv2D   in shapes 32,64,..." flowing over the lines of a; returns those used. */
static int draw_facts(struct tlv *v, struct canvas *c, struct rect a)
{
    struct str rest = str_of(need_facts(v)), line;
    int x = 0, y = 0;
    while (y < a.h && str_next(&rest, '\n', &line)) {
        size_t colon = str_chr(line, ':');
        struct str value = colon == SIZE_MAX ? STR("") : str_trim(str_sub(line, colon + 1, line.n));
        char key[64];
        if (!value.n || says_nothing(value))
            continue;
        str_copy(str_sub(line, 0, colon), key, sizeof key);
        for (char *k = key; *k; k++)
            *k = *k == '_' ? ' ' : *k;
        const char *shown = fact_name(key);
        int kw = text_cells_of(shown), need = kw + 1 + (int)text_width(value, canvas_flags(c));
        if (x && x + need > a.w) {
            x = 0;
            y++;
        }
        if (y >= a.h)
            break;
        draw_puts(c, a.y + y, a.x + x, a.w - x, ROLE_DIM, shown);
        draw_text(c, a.y + y, a.x + x + kw + 1, a.w - x - kw - 1, ROLE_TEXT, value, CUT_MIDDLE);
        x += need + 3;
    }
    return x ? y + 1 : y;
}

/* What the strip does not say: name, start, length and track of the event stand there. */
static void draw_selected(struct tlv *v, struct canvas *c, struct rect a)
{
    char end[48];
    draw_box(c, a, tr("Selected"));
    if (!v->has_sel) {
        draw_wrap(c, (struct rect){ a.y + 1, a.x + 2, a.h - 2, a.w - 4 }, ROLE_DIM,
                  str_of(tr("Enter selects the event under the cursor, . and , the next and previous one")));
        return;
    }
    const struct tl_track *t = lineup_track(v->l, v->sel.track);
    int y = 1 + draw_facts(v, c, (struct rect){ a.y + 1, a.x + 2, a.h - 3 - t->own_clock, a.w - 4 });
    const bool runs = v->sel.seq == TL_RUNNING;
    int x = a.x + 2 +
            draw_puts(c, a.y + y, a.x + 2, a.w - 4, runs ? ROLE_WARN : ROLE_DIM,
                      runs ? tr("RUNNING, no end record: the data ends at ") : tr("ends at "));
    x += draw_puts(c, a.y + y, x, a.x + a.w - x - 2, ROLE_TEXT,
                   tlv_time(v, v->sel.ts_ns + v->sel.dur_ns, end, sizeof end));
    if (t->process.n && x + 6 < a.x + a.w)
        draw_text(c, a.y + y, x + 3, a.x + a.w - x - 5, ROLE_DIM, t->process, CUT_END);
    if (t->own_clock && ++y < a.h - 1)
        draw_puts(c, a.y + y, a.x + 2, a.w - 4, ROLE_WARN,
                  tr("own clock: not related to the others, begins with them"));
    if (++y < a.h - 1)
        draw_wrap(c, (struct rect){ a.y + y, a.x + 2, a.h - 1 - y, a.w - 4 }, ROLE_DIM,
                  str_of(tr("Enter: everything its file says   f: centre, fit   %: other end")));
}

void tlv_draw_side(struct tlv *v, struct canvas *c, struct rect a)
{
    size_t track = tlv_track(v);
    if (track == SIZE_MAX || a.h < 6 || a.w < 100)
        return;
    int w = (a.w - 2) / 2, h1 = a.h / 2, h2 = a.h - 5 > h1 ? a.h - 5 : h1;
    int sel = v->has_sel ? (h2 < SELECTED_H ? h2 : SELECTED_H) : h1 < 7 ? h1 : 7;
    struct rect left = { a.y, a.x, a.h, w }, rest = { a.y, a.x + w + 2, a.h, a.w - w - 2 };
    draw_selected(v, c, (struct rect){ left.y, left.x, sel, left.w });
    if (lineup_track(v->l, track)->is_counter)
        return;
    draw_names(v, c, rest, track);
    if (left.h - sel >= 5)
        draw_gaps(v, c, (struct rect){ left.y + sel, left.x, left.h - sel, left.w }, track);
}
