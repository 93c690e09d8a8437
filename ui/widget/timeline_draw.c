/* SPDX-License-Identifier: Apache-2.0 */
/* Ruler, tracks, minimap. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/timeline.h"

#define NAME_CELLS  5      /* a slice of so many cells shows its name */
#define LONE_SHARE  0.0625 /* busy share below which one event is drawn as a tick */
#define MAX_SLICES  400
#define SUMS_FROM_W 120 /* cells of a screen that is wide enough for sums at the right */

/* ---- cells ---- */

static uint32_t busy_cp(const struct tl_cell *k, const struct canvas *c)
{
    static const char work[] = ".:+#", comm[] = ".-=%";
    static const uint32_t shade[] = { 0x2591, 0x2592, 0x2593, 0x2588 };
    if (!canvas_is_ascii(c) && canvas_is_mono(c) && k->cls == OC_COMM)
        return shade[(int)(k->busy * 4) > 3 ? 3 : (int)(k->busy * 4)];
    if (!canvas_is_ascii(c))
        return glyph_height((int)ceil((double)k->busy * 8));
    int step = (int)(k->busy * 4);
    return (uint32_t)(k->cls == OC_COMM ? comm : work)[step > 3 ? 3 : step];
}

/*
 * The role of an event of a class. With filters, what they keep must not look like what they dim; host work
 * would.
 */
static enum role role_of(const struct tlv *v, enum op_class cls, bool kept)
{
    enum role r = role_of_class(cls);
    if (!v->match)
        return r;
    return !kept ? ROLE_DIM : r == ROLE_HOST || r == ROLE_IDLE ? ROLE_TEXT : r;
}

static void draw_busy(const struct tlv *v, struct canvas *c, int y, int x, const struct tl_cell *k, bool kept)
{
    enum role r = role_of(v, k->cls, kept);
    if (k->busy <= 0 && !k->count)
        return;
    if (k->count == 1 && (double)k->busy < LONE_SHARE)
        draw_glyph(c, y, x, r, G_LONE);
    else
        draw_cp(c, y, x, r, busy_cp(k, c));
}

/* A counter that does not change is drawn as a line that begins with its value. */
static void draw_constant(struct canvas *c, int y, int x, const struct tl_cell *k, int n, struct str unit,
                          enum role r)
{
    char text[64], level[48];
    int first = 0, used;
    while (first < n && isnan(k[first].level))
        first++;
    if (first == n)
        return;
    for (int i = first; i < n; i++)
        if (!isnan(k[i].level))
            draw_glyph(c, y, x + i, ROLE_DIM, G_HLINE);
    snprintf(text, sizeof text, "%s ", unit_level(level, sizeof level, k[first].level, unit));
    used = text_cells_of(text);
    if (n - first > used + 8)
        draw_puts(c, y, x + first, used, r, text);
}

/* Levels from zero to the largest value in the window. */
static void draw_levels(struct canvas *c, int y, int x, const struct tl_cell *k, int n, struct str unit,
                        enum role r)
{
    double max = 0, min = INFINITY;
    for (int i = 0; i < n; i++)
        if (!isnan(k[i].level)) {
            max = fmax(max, fmax(k[i].level, k[i].count ? k[i].hi : 0));
            min = fmin(min, fmin(k[i].level, k[i].count ? k[i].lo : INFINITY));
        }
    if (!(max > min)) {
        draw_constant(c, y, x, k, n, unit, r);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (isnan(k[i].level))
            continue;
        double share = max > 0 ? fmax(k[i].level / max, 0) : 0;
        uint32_t cp =
            canvas_is_ascii(c) ? '0' + (uint32_t)(share * 9 + 0.5) : glyph_height(1 + (int)(share * 7 + 0.5));
        draw_cp(c, y, x + i, r, cp);
    }
}

/* ---- slices: events drawn one by one, when they are few ---- */

static struct rect slice_rect(const struct tlv *v, const struct tl_event *ev, int y, int x0)
{
    int64_t end = ev->ts_ns + (ev->dur_ns > 0 ? ev->dur_ns : 1);
    int from = ev->ts_ns < v->t0 ? 0 : tlv_col_at(v, ev->ts_ns);
    int to = end > v->t1 ? v->cols : tlv_col_at(v, end - 1) + 1;
    if (from < 0)
        from = 0;
    return (struct rect){ y, x0 + from, 1, to > from ? to - from : 1 };
}

static void draw_slice(const struct tlv *v, struct canvas *c, const struct tl_event *ev, struct rect r,
                       enum role role)
{
    bool ascii = canvas_is_ascii(c), cut_left = ev->ts_ns<v->t0, cut_right = ev->ts_ns + ev->dur_ns> v->t1;
    struct str name = lineup_name(v->l, ev->track, ev->name_id);
    if (r.w == 1) {
        draw_cp(c, r.y, r.x, role, ascii ? '[' : ev->dur_ns * 2 < tlv_cell_ns(v) ? 0x2577 : 0x258C);
        return;
    }
    for (int i = 0; i < r.w; i++)
        draw_cp(c, r.y, r.x + i, role, ascii ? ' ' : 0x2581);
    int x = r.x, w = r.w;
    if (!cut_left) {
        draw_glyph(c, r.y, x++, role, G_SLICE);
        w--;
    }
    if (ascii && !cut_right)
        draw_glyph(c, r.y, r.x + --w + (x - r.x), role, G_SLICE_R);
    if (r.w >= NAME_CELLS)
        draw_text(c, r.y, x, w - !ascii, role, name, CUT_PATH);
    else if (w > 0)
        draw_text(c, r.y, x, w, role, str_sub(name, 0, 1), CUT_END);
}

static double expected_events(const struct tlv *v, const struct tl_track *t)
{
    double len = (double)(t->t1 - t->t0 > 0 ? t->t1 - t->t0 : 1), share = (double)(v->t1 - v->t0) / len;
    return share >= 1 ? (double)t->n : (double)t->n * share;
}

/* false: too many events; cells are drawn instead. */
static bool draw_slices(const struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x)
{
    static struct tl_event ev[MAX_SLICES];
    struct err ignored = ERR_INIT;
    size_t n;
    bool more;
    if (expected_events(v, lineup_track(v->l, row->track)) > v->cols * 2)
        return false;
    if (lineup_events(v->l, row->track, v->t0, v->t1, ev, MAX_SLICES, &n, &more, &ignored) || more ||
        n > (size_t)v->cols / 3)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (row->lane >= 0 ? ev[i].lane != row->lane : ev[i].lane != 0)
            continue;
        struct rect r = slice_rect(v, &ev[i], y, x);
        draw_slice(v, c, &ev[i], r, role_of(v, ev[i].cls, v->match && lineup_match_event(v->match, &ev[i])));
    }
    return true;
}

/* What was running when the data ended, "▌AllReduce-op444▸▸▸▸": on top of what ended in the same cells. */
static void draw_running(const struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x)
{
    struct tl_event ev;
    if (row->lane > 0 || !lineup_running(v->l, row->track, &ev) || ev.ts_ns >= v->t1 ||
        ev.ts_ns + ev.dur_ns < v->t0)
        return;
    struct rect r = slice_rect(v, &ev, y, x);
    enum role role = role_of(v, ev.cls, !v->match || lineup_match_event(v->match, &ev));
    for (int i = 0; i < r.w; i++)
        draw_glyph(c, y, r.x + i, role, G_ENDLESS);
    if (r.w < 2 || ev.ts_ns < v->t0)
        return;
    draw_glyph(c, y, r.x, role, G_SLICE);
    if (r.w >= NAME_CELLS)
        draw_text(c, y, r.x + 1, r.w - 2, role, lineup_name(v->l, row->track, ev.name_id), CUT_PATH);
}

/* ---- a row ---- */

/* true: the filters keep an event of the track. */
static bool kept(const struct tlv *v, size_t track)
{
    return !v->match || lineup_match_track(v->match, track);
}

/* Find the cells in which the filters keep an event. */
static int keep_cells(struct tlv *v, const struct tlv_row *row, struct err *e)
{
    if (v->match)
        return lineup_match_cells(v->match, row->track, row->lane, v->t0, v->t1, (size_t)v->cols,
                                  v->kept_cells, e);
    for (int i = 0; i < v->cols; i++)
        v->kept_cells[i] = true;
    return OK;
}

/* Another track is called the same in another layer, and no head says which is which. */
static bool is_ambiguous(const struct tlv *v, size_t track)
{
    const struct tl_track *t = lineup_track(v->l, track);
    for (size_t i = 0; !v->heads && t->process.n && i < v->n_rows; i++) {
        const struct tl_track *x = lineup_track(v->l, v->rows[i].track);
        if (v->rows[i].track != track && str_eq(x->name, t->name) && !str_eq(x->process, t->process))
            return true;
    }
    return false;
}

/* Cut, it would be the name of another track (doc/glossary.md#steps). */
static const char *short_name(const char *name)
{
    return strcmp(name, "Communication(Not Overlapped)") ? name : "Comm only";
}

static void draw_label(struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x, bool on)
{
    char lane[24], name[TLV_NAME_B];
    const struct tl_track *t = lineup_track(v->l, row->track);
    if (on)
        draw_glyph(c, y, x, ROLE_BOLD, G_CURSOR);
    else if (v->pinned[row->track])
        draw_glyph(c, y, x, ROLE_MARK, G_MARK);
    if (row->lane > 0) {
        snprintf(lane, sizeof lane, tr("  lane %d"), row->lane + 1);
        draw_puts(c, y, x + 1, v->label_w - 2, ROLE_DIM, lane);
        return;
    }
    int w = v->label_w - 2, at = x + 1;
    if (lineup_n_parts(v->l) > 1) { /* "rank 3  Stream 3" */
        int used = draw_text(c, y, at, w / 2, on ? ROLE_BOLD : ROLE_DIM,
                             tlv_part_name(v, lineup_part_of(v->l, row->track)), CUT_MIDDLE);
        at += used + 2;
        w -= used + 2;
    }
    enum role r = on ? ROLE_BOLD : t->is_counter || !kept(v, row->track) ? ROLE_DIM : ROLE_TEXT;
    if (t->is_unsure) {
        draw_puts(c, y, at++, 1, r, "~");
        w--;
    }
    if (is_ambiguous(v, row->track)) { /* "20012 CANN" of "Thread 20012" */
        size_t blank = str_rchr(t->name, ' ');
        at += draw_text(c, y, at, w, r, str_sub(t->name, blank == SIZE_MAX ? 0 : blank + 1, t->name.n),
                        CUT_END) +
              1;
        draw_text(c, y, at, x + 1 + w - at, ROLE_DIM, t->process, CUT_END);
        return;
    }
    tlv_track_name(v, row->track, name, sizeof name);
    draw_puts(c, y, at, w, r, text_cells_of(name) > w ? short_name(name) : name);
}

static void draw_selection(const struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x)
{
    if (!v->has_sel || v->sel.track != row->track || (row->lane >= 0 && v->sel.lane != row->lane))
        return;
    if (v->sel.ts_ns >= v->t1 || v->sel.ts_ns + v->sel.dur_ns < v->t0)
        return;
    draw_role(c, slice_rect(v, &v->sel, y, x), ROLE_SELECT);
}

static void draw_cursor(struct tlv *v, struct canvas *c, int y, int x)
{
    int col = tlv_col_at(v, v->cur);
    if (col < 0)
        return;
    enum role r = ROLE_BOLD;
    canvas_cell(c, y, x + col, &r);
    /* On a reversed selection the cursor must still be seen. */
    draw_role(c, (struct rect){ y, x + col, 1, 1 }, r == ROLE_SELECT ? ROLE_BOLD : ROLE_SELECT);
}

/* Levels of a counter, or busy shares, cell by cell. */
static int draw_cells(struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x, struct err *e)
{
    const struct tl_track *t = lineup_track(v->l, row->track);
    if (lineup_cells(v->l, row->track, row->lane, v->t0, v->t1, (size_t)v->cols, v->cells, e) ||
        (!t->is_counter && keep_cells(v, row, e)))
        return e->code;
    if (t->is_counter)
        draw_levels(c, y, x, v->cells, v->cols, t->unit, role_of(v, OC_HOST, kept(v, row->track)));
    else
        for (int k = 0; k < v->cols; k++)
            draw_busy(v, c, y, x + k, &v->cells[k], v->kept_cells[k]);
    return OK;
}

/* Read the figures of the cell under the cursor, for the strip. */
static void look_at_cursor(struct tlv *v, const struct tlv_row *row, struct err *e)
{
    int col = tlv_col_at(v, v->cur);
    int64_t from = tlv_time_at(v, col), to = tlv_time_at(v, col + 1);
    v->at_known = col >= 0 && lineup_cell(v->l, row->track, row->lane, from, to, &v->at_figures, e) == OK &&
                  lineup_cells(v->l, row->track, row->lane, from, to, 1, &v->at_cursor, e) == OK;
}

static void draw_track(struct tlv *v, struct canvas *c, size_t i, int y, int x)
{
    const struct tlv_row *row = &v->rows[i];
    struct err e = ERR_INIT;
    bool on = i == v->row;
    draw_label(v, c, row, y, x, on);
    x += v->label_w;
    bool slices = !lineup_track(v->l, row->track)->is_counter && draw_slices(v, c, row, y, x);
    if (!slices && draw_cells(v, c, row, y, x, &e)) {
        draw_puts(c, y, x, v->cols, ROLE_WARN, e.text);
        return;
    }
    draw_running(v, c, row, y, x);
    if (on)
        look_at_cursor(v, row, &e);
    draw_selection(v, c, row, y, x);
    if (on)
        draw_cursor(v, c, y, x);
    if (v->sums_w)
        tlv_draw_sums(v, c, row, y, x + v->cols);
}

/* ---- ruler ---- */

/* A round step (1, 2, 5 times a power of ten) of at least least ns. */
static int64_t nice_step(int64_t least)
{
    int64_t p = 1;
    while (p < least && p < INT64_MAX / 10)
        p *= 10;
    if (p / 5 >= least && p >= 10)
        return p / 5;
    if (p / 2 >= least && p >= 10)
        return p / 2;
    return p;
}

static const char *tick_unit(int64_t step)
{
    return step >= 1000000000 ? "s" : step >= 1000000 ? "ms" : step >= 1000 ? "us" : "ns";
}

static int64_t tick_unit_ns(int64_t step)
{
    return step >= 1000000000 ? 1000000000 : step >= 1000000 ? 1000000 : step >= 1000 ? 1000 : 1;
}

#define TICK_CELLS 9 /* least distance of ticks */

int64_t tlv_ruler_unit(const struct tlv *v)
{
    return tick_unit_ns(nice_step(tlv_cell_ns(v) * TICK_CELLS));
}

/* "+5", the first one with the unit of the step: "+5 ms". */
static void tick_label(int64_t ns, int64_t step, char *buf, size_t n)
{
    snprintf(buf, n, "+%.10g%s%s", (double)ns / (double)tick_unit_ns(step), ns == step ? " " : "",
             ns == step ? tick_unit(step) : "");
}

/* A mark or the cursor is in this column of the tracks or right of it. */
static bool marked_from(const struct tlv *v, int col)
{
    bool any = tlv_col_at(v, v->cur) >= col;
    for (size_t i = 0; i < v->n_marks; i++)
        any |= tlv_col_at(v, v->marks[i].t) >= col;
    return any;
}

/* Right end of the two ruler rows; returns where it begins. */
static int draw_scale(struct tlv *v, struct canvas *c, struct rect a)
{
    char span[48], col[48], t[32];
    snprintf(span, sizeof span, tr("span %s"), unit_time(t, sizeof t, (double)(v->t1 - v->t0), TIME_AUTO));
    snprintf(col, sizeof col, tr("col %s"), unit_time(t, sizeof t, (double)tlv_cell_ns(v), TIME_AUTO));
    if (v->sums_w) { /* the heads of the sums take the lower row */
        char both[100];
        snprintf(both, sizeof both, "%s   %s", span, col);
        draw_puts(c, a.y, a.x + a.w - (int)strlen(both), a.w, ROLE_DIM, both);
        tlv_draw_sums_head(v, c, a.y + 1, a.x + v->label_w + v->cols);
        return a.x + a.w - (int)strlen(both) - 1;
    }
    int w = text_cells_of(span) > text_cells_of(col) ? text_cells_of(span) : text_cells_of(col);
    draw_puts(c, a.y, a.x + a.w - text_cells_of(span), w, ROLE_DIM, span);
    if (!marked_from(v, v->cols + 1 - text_cells_of(col))) /* the cursor has its mark there */
        draw_puts(c, a.y + 1, a.x + a.w - text_cells_of(col), w, ROLE_DIM, col);
    return a.x + a.w - w - 1;
}

static void draw_ruler(struct tlv *v, struct canvas *c, struct rect a)
{
    char t[48];
    int64_t step = nice_step(tlv_cell_ns(v) * TICK_CELLS);
    int x0 = a.x + v->label_w, end = draw_scale(v, c, a);
    draw_puts(c, a.y, a.x + 1, v->label_w - 2, ROLE_DIM, tlv_time(v, v->t0, t, sizeof t));
    for (int64_t off = step; off < v->t1 - v->t0; off += step) {
        int col = tlv_col_at(v, v->t0 + off);
        tick_label(off, step, t, sizeof t);
        if (col < 0 || x0 + col >= end)
            continue;
        draw_glyph(c, a.y + 1, x0 + col, ROLE_DIM, G_TICK);
        if (x0 + col + (int)strlen(t) < end)
            draw_puts(c, a.y, x0 + col, 12, ROLE_DIM, t);
    }
}

static void draw_marks(struct tlv *v, struct canvas *c, int y, int x0)
{
    if (v->has_area) {
        int from = v->area0 <= v->t0 ? 0 : tlv_col_at(v, v->area0),
            to = v->area1 >= v->t1 ? v->cols - 1 : tlv_col_at(v, v->area1);
        if (v->area0 < v->t1 && v->area1 > v->t0 && from >= 0 && to >= from)
            draw_fill(c, (struct rect){ y, x0 + from, 1, to - from + 1 }, ROLE_HEAD,
                      canvas_is_ascii(c) ? '-' : ' ');
    }
    for (size_t i = 0; i < v->n_marks; i++) {
        int col = tlv_col_at(v, v->marks[i].t);
        if (col >= 0)
            draw_cp(c, y, x0 + col, ROLE_MARK, (uint32_t)v->marks[i].letter);
    }
    int cur = tlv_col_at(v, v->cur);
    if (cur >= 0)
        draw_cp(c, y, x0 + cur, ROLE_BOLD, canvas_is_ascii(c) ? 'v' : 0x25BE);
}

/* ---- the whole ---- */

static bool need_cells(struct tlv *v)
{
    if (v->n_cells >= (size_t)v->cols)
        return true;
    struct tl_cell *k = realloc(v->cells, (size_t)v->cols * sizeof *k);
    if (!k)
        return false;
    v->cells = k;
    bool *keep = realloc(v->kept_cells, (size_t)v->cols * sizeof *keep);
    if (!keep)
        return false;
    v->kept_cells = keep;
    v->n_cells = (size_t)v->cols;
    return true;
}

static void draw_tracks(struct tlv *v, struct canvas *c)
{
    struct rect a = v->tracks;
    int y = 0;
    tlv_scroll(v, a.h);
    for (size_t i = v->sticky ? 0 : v->top; i < v->n_rows && y < a.h; i++) {
        if (i == v->sticky)
            i = v->top;
        int heads = tlv_draw_heads(v, c, (struct rect){ a.y + y, a.x, a.h - y, a.w }, i);
        if (heads < 0)
            break;
        for (; heads; heads--)
            v->row_at[y++] = SIZE_MAX;
        v->row_at[y] = i;
        draw_track(v, c, i, a.y + y++, a.x);
    }
    for (; y < a.h; y++)
        v->row_at[y] = SIZE_MAX;
}

void tlv_draw(struct tlv *v, struct canvas *c, struct rect a)
{
    v->label_w = a.w >= 140 ? 24 : a.w >= 100 ? 20 : a.w >= 60 ? 15 : 10;
    if (v->l && lineup_n_parts(v->l) > 1)
        v->label_w += a.w >= 60 ? 8 : 4;
    v->sums_w = a.w >= SUMS_FROM_W ? TLV_SUMS_W : 0;
    v->cols = a.w - v->label_w - 1 - v->sums_w;
    v->at_known = false;
    if (!v->l || v->cols < 10 || a.h < 3 || !need_cells(v))
        return;
    v->ruler_y = a.y + 1;
    draw_ruler(v, c, a);
    draw_marks(v, c, a.y + 1, a.x + v->label_w);
    v->tracks = (struct rect){ a.y + 2, a.x, a.h - 2 < TLV_LINES ? a.h - 2 : TLV_LINES, a.w };
    draw_tracks(v, c);
    if (!v->n_rows)
        draw_puts(c, v->tracks.y + 1, a.x + 3, a.w - 4, ROLE_TEXT,
                  tr("Every track is hidden; X shows them."));
}

int tlv_lines(const struct tlv *v)
{
    int n = v->tracks.h;
    while (n > 0 && v->row_at[n - 1] == SIZE_MAX)
        n--;
    return n + 2;
}

/* ---- minimap ---- */

/* Busy share of all device tracks over the whole run, once per width. */
static void make_map(struct tlv *v, int w)
{
    struct tl_cell *k = calloc((size_t)w, sizeof *k);
    double *sum = calloc((size_t)w, sizeof *sum), max = 0;
    struct err ignored = ERR_INIT;
    free(v->map);
    v->map = calloc((size_t)w, 1);
    v->map_w = w;
    for (size_t i = 0; k && sum && v->map && i < lineup_n_tracks(v->l); i++) {
        const struct tl_track *t = lineup_track(v->l, i);
        if (t->is_counter || t->is_host ||
            lineup_cells(v->l, i, -1, v->span0, v->span1, (size_t)w, k, &ignored))
            continue;
        for (int x = 0; x < w; x++) {
            sum[x] += (double)k[x].busy;
            max = fmax(max, sum[x]);
        }
    }
    for (int x = 0; sum && v->map && x < w; x++)
        v->map[x] = (uint8_t)(max > 0 ? ceil(sum[x] / max * 8) : 0);
    free(k);
    free(sum);
}

void tlv_draw_map(struct tlv *v, struct canvas *c, struct rect a)
{
    bool ascii = canvas_is_ascii(c);
    int w = a.w - 7;
    if (!v->l || w < 10)
        return;
    if (v->map_w != w || !v->map)
        make_map(v, w);
    if (!v->map)
        return;
    draw_puts(c, a.y, a.x + 1, 4, ROLE_DIM, tr("all"));
    int x0 = a.x + 5;
    v->map_y = a.y;
    v->map_x = x0;
    for (int x = 0; x < w; x++)
        draw_cp(c, a.y, x0 + x, ROLE_DIM,
                ascii       ? (v->map[x] ? '.' : ' ')
                : v->map[x] ? glyph_height(v->map[x])
                            : ' ');
    double span = (double)(v->span1 - v->span0);
    int from = (int)((double)(v->t0 - v->span0) / span * w),
        to = (int)((double)(v->t1 - v->span0) / span * w);
    from = from < 0 ? 0 : from >= w ? w - 1 : from;
    to = to < from ? from : to >= w ? w - 1 : to;
    if (to <= from + 1) {
        draw_cp(c, a.y, x0 + from, ROLE_BOLD, ascii ? '*' : 0x2503);
        return;
    }
    draw_role(c, (struct rect){ a.y, x0 + from, 1, to - from + 1 }, ROLE_TEXT);
    draw_glyph(c, a.y, x0 + from, ROLE_BOLD, G_WIN_L);
    draw_glyph(c, a.y, x0 + to, ROLE_BOLD, G_WIN_R);
}

bool tlv_click_map(struct tlv *v, int y, int x)
{
    int64_t span = v->t1 - v->t0, half = span / 2;

    if (!v->map || y != v->map_y || x < v->map_x || x >= v->map_x + v->map_w)
        return false;
    int64_t at = v->span0 + (int64_t)((double)(v->span1 - v->span0) * ((x - v->map_x) + 0.5) / v->map_w);
    tlv_window(v, at - half, at - half + span, true);
    v->cur = at;
    return true;
}
