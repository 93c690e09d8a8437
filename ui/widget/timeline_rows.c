/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks as rows: which are shown, in which order, under which heads, and what the reader chose for them. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/timeline.h"

char *tlv_offset(int64_t ns, char *buf, size_t n)
{
    char t[32];
    snprintf(buf, n, "%s%s", ns > 0 ? "+" : "", unit_time(t, sizeof t, (double)ns, TIME_AUTO));
    return buf;
}

#define AUTO_LANES 3  /* a track with at most so many lanes begins with its lanes shown below each other */
#define TALL_ROWS  16 /* with so many lines layers have heads even if not everything fits */

/* ---- what the reader chose, from one lineup to the next ---- */

static size_t key_of(const struct tlv *v, size_t track)
{
    return lineup_part(v->l, lineup_part_of(v->l, track))->key;
}

static bool few_lanes(const struct tl_track *t)
{
    return !t->is_host && !t->is_counter && t->lanes > 1 && t->lanes <= AUTO_LANES;
}

static bool is_same(const struct tl_track *a, const struct tl_track *b)
{
    return str_eq(a->kind, b->kind) && str_eq(a->process, b->process) && str_eq(a->name, b->name);
}

/* A track begins with its lanes shown when they are few in every part, so that parts can be compared. */
static bool lanes_at_first(const struct tlv *v, size_t track)
{
    const struct tl_track *t = lineup_track(v->l, track), *other;
    bool few = few_lanes(t);

    for (size_t i = 0; few && lineup_n_parts(v->l) > 1 && i < lineup_n_tracks(v->l); i++) {
        other = lineup_track(v->l, i);
        few = other->lanes <= AUTO_LANES || !is_same(t, other);
    }
    return few;
}

static struct tlv_kept *kept_of(const struct tlv *v, size_t key, int64_t id)
{
    for (size_t i = 0; i < v->n_kept; i++)
        if (v->kept[i].key == key && v->kept[i].id == id)
            return &v->kept[i];
    return NULL;
}

static void keep_track(struct tlv *v, size_t track)
{
    const struct tl_track *t = lineup_track(v->l, track);
    size_t key = key_of(v, track);
    struct tlv_kept *k = kept_of(v, key, t->id);
    bool plain = !v->hidden[track] && !v->pinned[track] && v->lanes[track] == lanes_at_first(v, track);
    if (!k && plain)
        return;
    if (!k) {
        struct tlv_kept *more = realloc(v->kept, (v->n_kept + 1) * sizeof *more);
        if (!more) /* the choice for this track is lost */
            return;
        v->kept = more;
        k = &v->kept[v->n_kept++];
    }
    *k = (struct tlv_kept){ key, t->id, v->hidden[track], v->pinned[track], v->lanes[track] };
}

void tlv_keep_tracks(struct tlv *v)
{
    if (!v->l || !v->hidden || !v->pinned || !v->lanes)
        return;
    for (size_t i = 0; i < lineup_n_tracks(v->l); i++)
        keep_track(v, i);
    v->on.known = v->row < v->n_rows;
    if (v->on.known) {
        size_t track = v->rows[v->row].track;
        v->on.key = key_of(v, track);
        v->on.id = lineup_track(v->l, track)->id;
    }
    if (v->has_sel) {
        v->sel_key = key_of(v, v->sel.track);
        v->sel_id = lineup_track(v->l, v->sel.track)->id;
    }
}

static size_t find_track(const struct tlv *v, size_t key, int64_t id)
{
    for (size_t i = 0; i < lineup_n_tracks(v->l); i++)
        if (lineup_track(v->l, i)->id == id && key_of(v, i) == key)
            return i;
    return SIZE_MAX;
}

int tlv_open_tracks(struct tlv *v, struct err *e)
{
    size_t n = lineup_n_tracks(v->l);
    v->hidden = calloc(n + 1, sizeof *v->hidden);
    v->pinned = calloc(n + 1, sizeof *v->pinned);
    v->lanes = calloc(n + 1, sizeof *v->lanes);
    if (!v->hidden || !v->pinned || !v->lanes)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const struct tl_track *t = lineup_track(v->l, i);
        const struct tlv_kept *k = v->n_kept ? kept_of(v, key_of(v, i), t->id) : NULL;
        v->hidden[i] = k && k->hidden;
        v->pinned[i] = k && k->pinned;
        v->lanes[i] = k ? k->lanes : lanes_at_first(v, i);
    }
    size_t sel = v->has_sel ? find_track(v, v->sel_key, v->sel_id) : SIZE_MAX;
    v->has_sel = sel != SIZE_MAX;
    v->sel.track = sel;
    if (v->has_sel)
        v->sel.ts_ns = lineup_axis(v->l, lineup_part_of(v->l, sel), v->sel_stored);
    return OK;
}

/* ---- the same track of every part ---- */

void tlv_set_all(struct tlv *v, bool *flags, size_t track, bool on)
{
    const struct tl_track *t = lineup_track(v->l, track);
    flags[track] = on;
    for (size_t i = 0; lineup_n_parts(v->l) > 1 && i < lineup_n_tracks(v->l); i++)
        if (is_same(t, lineup_track(v->l, i)))
            flags[i] = on;
}

void tlv_go_to_busiest(struct tlv *v)
{
    int64_t most = -1;

    for (size_t i = 0; i < v->n_rows; i++) {
        const struct tl_track *t = lineup_track(v->l, v->rows[i].track);
        if (t->is_counter || !str_eq(t->kind, STR("stream")) || t->busy_ns <= most)
            continue;
        most = t->busy_ns;
        v->row = i;
    }
}

void tlv_go_to_part(struct tlv *v, size_t part)
{
    size_t on = tlv_track(v), found = SIZE_MAX;
    for (size_t i = 0; i < v->n_rows; i++) {
        size_t track = v->rows[i].track;
        if (lineup_part_of(v->l, track) != part)
            continue;
        if (found == SIZE_MAX)
            found = i;
        if (on != SIZE_MAX && is_same(lineup_track(v->l, on), lineup_track(v->l, track))) {
            found = i;
            break;
        }
    }
    if (found != SIZE_MAX)
        v->row = found;
}

/* ---- rows ---- */

size_t tlv_track(const struct tlv *v)
{
    return v->row < v->n_rows ? v->rows[v->row].track : SIZE_MAX;
}

static void add_rows(struct tlv *v, size_t track)
{
    int lanes = v->lanes[track] ? lineup_track(v->l, track)->lanes : 1;
    if (lanes <= 1) {
        v->rows[v->n_rows++] = (struct tlv_row){ track, -1 };
        return;
    }
    for (int i = 0; i < lanes; i++)
        v->rows[v->n_rows++] = (struct tlv_row){ track, i };
}

/* Add the track, if it is one of these, and the same one of the other parts. */
static void add_same(struct tlv *v, bool *done, size_t track, bool pinned)
{
    const struct tl_track *t = lineup_track(v->l, track);

    for (size_t i = track; i < lineup_n_tracks(v->l); i++) {
        if (done[i] || (i != track && !is_same(t, lineup_track(v->l, i))))
            continue;
        done[i] = true;
        if (!v->hidden[i] && v->pinned[i] == pinned)
            add_rows(v, i);
        if (lineup_n_parts(v->l) == 1)
            break;
    }
}

/* Tracks in the order of the first part, the same one of each part below it, layer by layer. */
static void add_ordered(struct tlv *v, bool *done, bool pinned)
{
    size_t n = lineup_n_tracks(v->l);

    for (size_t i = 0; i < n; i++) {
        struct str layer = lineup_track(v->l, i)->process;
        if (done[i])
            continue;
        add_same(v, done, i, pinned);
        if (lineup_n_parts(v->l) == 1 || (i + 1 < n && str_eq(layer, lineup_track(v->l, i + 1)->process)))
            continue;
        for (size_t k = i + 1; k < n; k++) /* what only other parts have of this layer */
            if (!done[k] && str_eq(layer, lineup_track(v->l, k)->process))
                add_same(v, done, k, pinned);
    }
}

int tlv_make_rows(struct tlv *v, struct err *e)
{
    size_t n = lineup_n_tracks(v->l), most = 1, on = tlv_track(v);
    if (on == SIZE_MAX && v->on.known)
        on = find_track(v, v->on.key, v->on.id);
    for (size_t i = 0; i < n; i++)
        most += v->lanes[i] ? (size_t)lineup_track(v->l, i)->lanes : 1;
    struct tlv_row *rows = calloc(most, sizeof *rows);
    bool *done = calloc(n + 1, sizeof *done);
    if (!rows || !done) {
        free(rows);
        free(done);
        return err_nomem(e);
    }
    free(v->rows);
    v->rows = rows;
    v->n_rows = 0;
    add_ordered(v, done, true);
    v->n_pinned = v->n_rows;
    memset(done, 0, n * sizeof *done);
    add_ordered(v, done, false);
    free(done);
    for (size_t i = 0; i < v->n_rows; i++)
        if (v->rows[i].track == on) {
            v->row = i;
            return OK;
        }
    if (v->row >= v->n_rows)
        v->row = v->n_rows ? v->n_rows - 1 : 0;
    return OK;
}

/* ---- heads ---- */

static struct str process_of(const struct tlv *v, size_t row)
{
    return lineup_track(v->l, v->rows[row].track)->process;
}

static bool own_clock(const struct tlv *v, size_t row)
{
    return lineup_track(v->l, v->rows[row].track)->own_clock;
}

/* Tracks of another clock are a layer of their own. */
static bool new_process(const struct tlv *v, size_t row, bool first)
{
    const bool clock = own_clock(v, row);

    return (process_of(v, row).n || clock) &&
           (first || !str_eq(process_of(v, row), process_of(v, row - 1)) || clock != own_clock(v, row - 1));
}

/* The name of a part before its tracks: "rank 3", of several runs with that rank the run's. */
struct str tlv_part_name(const struct tlv *v, size_t part)
{
    struct str label = str_of(lineup_part(v->l, part)->label);
    size_t of = str_find(label, STR(" of "), 0);
    return of == SIZE_MAX ? label : str_sub(label, of + 4, label.n);
}

/* What the labels leave open: where the part was moved, that its clock is not known, its rank. */
static bool has_note(const struct tlv *v, size_t part)
{
    const struct lineup_part *p = lineup_part(v->l, part);
    return p->offset_ns || !p->by_clock || tlv_part_name(v, part).n < strlen(p->label);
}

static bool has_notes(const struct tlv *v)
{
    for (size_t i = 0; lineup_n_parts(v->l) > 1 && i < lineup_n_parts(v->l); i++)
        if (has_note(v, i))
            return true;
    return false;
}

/* The notes stand once, above all rows. */
static bool notes_above(const struct tlv *v, size_t row, bool first)
{
    return first && row == (v->sticky ? 0 : v->top) && has_notes(v);
}

/*
 * Lines that a row takes with its heads; first: it is the first on the screen, where the heads are repeated.
 */
static int lines_of(const struct tlv *v, size_t row, bool first)
{
    return 1 + notes_above(v, row, first) + (v->heads && new_process(v, row, first));
}

static int lines_between(const struct tlv *v, size_t from, size_t to, int enough)
{
    int n = 0;
    for (size_t i = from; i <= to && i < v->n_rows && n <= enough; i++)
        n += lines_of(v, i, i == from);
    return n;
}

/* How many pinned rows stay at the top of so many lines: all, or none when they would take more than half. */
static size_t sticky_rows(const struct tlv *v, int lines, int *used)
{
    *used = v->n_pinned ? lines_between(v, 0, v->n_pinned - 1, lines) : 0;
    if (*used <= lines / 2)
        return v->n_pinned;
    *used = 0;
    return 0;
}

void tlv_scroll(struct tlv *v, int lines)
{
    int used;
    v->heads = true;
    v->heads = lines >= TALL_ROWS || lines_between(v, 0, v->n_rows, lines) <= lines;
    v->sticky = sticky_rows(v, lines, &used);
    lines -= used;
    if (v->top < v->sticky)
        v->top = v->sticky;
    if (v->top >= v->n_rows)
        v->top = v->n_rows > v->sticky ? v->n_rows - 1 : v->sticky;
    if (v->row >= v->sticky && v->row < v->n_rows) {
        if (v->row < v->top)
            v->top = v->row;
        while (v->top < v->row && lines_between(v, v->top, v->row, lines) > lines)
            v->top++;
    }
    while (v->top > v->sticky && lines_between(v, v->top - 1, v->n_rows - 1, lines) <= lines)
        v->top--;
}

static int draw_note(const struct tlv *v, struct canvas *c, int y, int x, int w, size_t part)
{
    const struct lineup_part *p = lineup_part(v->l, part);
    char t[48];
    int used = draw_puts(c, y, x, w, ROLE_BOLD, p->label);
    if (p->offset_ns)
        used += draw_printf(c, y, x + used, w - used, ROLE_TEXT, tr("   moved by %s"),
                            tlv_offset(p->offset_ns, t, sizeof t));
    if (!p->by_clock)
        used += draw_puts(c, y, x + used, w - used, ROLE_WARN,
                          tr("   its clock is not known: begins with the first rank"));
    return used;
}

static void draw_notes(const struct tlv *v, struct canvas *c, int y, int x, int w)
{
    int used = 0;
    for (size_t i = 0; i < lineup_n_parts(v->l) && used < w; i++)
        if (has_note(v, i))
            used += draw_note(v, c, y, x + used, w - used, i) + 4;
}

static void draw_layer(const struct tlv *v, struct canvas *c, struct rect a, size_t row)
{
    int x = draw_text(c, a.y, a.x, a.w, ROLE_DIM, process_of(v, row), CUT_END);

    if (!own_clock(v, row))
        return;
    x += x > 0;
    draw_puts(c, a.y, a.x + x, a.w - x, ROLE_WARN,
              a.w >= 100 ? tr("(own clock: not related to the others, begins with them)")
                         : tr("(own clock)"));
}

int tlv_draw_heads(const struct tlv *v, struct canvas *c, struct rect a, size_t row)
{
    bool first = row == v->top || !row, notes = notes_above(v, row, first),
         process = v->heads && new_process(v, row, first);
    int n = 0;
    if (a.h < 1 + process && !first)
        return -1; /* a row without its layer would be taken for one of the layer above */
    if (notes && a.h > n + 1)
        draw_notes(v, c, a.y + n++, a.x + 1, a.w - 2);
    if (process && a.h > n + 1)
        draw_layer(v, c, (struct rect){ a.y + n++, a.x + 1, 1, a.w - 2 }, row);
    return n;
}
