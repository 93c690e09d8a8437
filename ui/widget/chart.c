/* SPDX-License-Identifier: Apache-2.0 */
/* Curves, histograms, stacked bars. Scales are linear. */
#include "config.h"

#include "ui/widget/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"

#define LABEL_W   11 /* cells of the y labels, separator included */
#define MIN_PLOT  8
#define HALF_CELL 3 /* eighths: what is above is a whole cell in ASCII */
#define BIN_ROWS  2 /* of one bin, at most */

struct scale {
    double lo, hi;
};

static char *plain_format(char *buf, size_t n, double value)
{
    if (fabs(value) >= 1e6 || (value != 0 && fabs(value) < 1e-3))
        snprintf(buf, n, "%.3g", value);
    else
        snprintf(buf, n, "%.4g", value);
    return buf;
}

static void widen(struct scale *s, double v)
{
    if (isnan(v))
        return;
    if (isnan(s->lo) || v < s->lo)
        s->lo = v;
    if (isnan(s->hi) || v > s->hi)
        s->hi = v;
}

static struct scale scale_of(const struct chart *k)
{
    struct scale s = { NAN, NAN };
    if (k->y_min < k->y_max)
        return (struct scale){ k->y_min, k->y_max };
    for (size_t i = 0; i < k->n_series; i++) {
        const struct chart_series *r = &k->series[i];
        if (r->fill >= 0)
            widen(&s, 0);
        for (size_t j = 0; j < k->n; j++) {
            widen(&s, r->v[j]);
            if (r->lo)
                widen(&s, r->lo[j]);
            if (r->hi)
                widen(&s, r->hi[j]);
        }
    }
    if (isnan(s.lo))
        return (struct scale){ 0, 1 };
    if (s.hi <= s.lo) { /* a flat line lies in the middle */
        double d = s.lo != 0 ? fabs(s.lo) * 0.1 : 1;
        s.lo -= d;
        s.hi += d;
    }
    return s;
}

/* Height of v in steps of the plot, 0 at the bottom, steps-1 at the top. */
static int step_of(const struct scale *s, double v, int steps)
{
    double f = (v - s->lo) / (s->hi - s->lo);
    int i = (int)(f * (steps - 1) + 0.5);
    return i < 0 ? 0 : i >= steps ? steps - 1 : i;
}

/* Bucket drawn in plot position x of w; the plot may have more or fewer columns than there are buckets. */
static size_t bucket_at(size_t n, int x, int w)
{
    if ((size_t)w >= n)
        return n ? (size_t)((double)x * (double)n / w) : 0;
    return (size_t)((double)x / (w > 1 ? w - 1 : 1) * (double)(n - 1) + 0.5);
}

/* Columns between areas of few values, each of which is wide: without them they are one block. */
#define GAP_FROM 4 /* columns a value */
static bool is_gap(const struct chart *k, const struct chart_series *r, int x, int w)
{
    return r->fill >= 0 && k->n > 1 && (size_t)w >= GAP_FROM * k->n && x + 1 < w &&
           bucket_at(k->n, x, w) != bucket_at(k->n, x + 1, w);
}

/* ---- ASCII: one value per cell ---- */

static void ascii_column(struct canvas *c, struct rect p, const struct scale *s, const struct chart_series *r,
                         size_t b, int x)
{
    if (isnan(r->v[b]))
        return;
    int at = step_of(s, r->v[b], p.h);
    int y = p.y + p.h - 1 - at;
    if (r->fill >= 0) {
        for (int i = y; i < p.y + p.h; i++)
            draw_cp(c, i, x, r->role, glyph_series(r->fill, true));
        return;
    }
    if (r->lo && r->hi && !isnan(r->lo[b]) && !isnan(r->hi[b])) {
        int y0 = p.y + p.h - 1 - step_of(s, r->hi[b], p.h), y1 = p.y + p.h - 1 - step_of(s, r->lo[b], p.h);
        for (int i = y0; i <= y1; i++)
            draw_cp(c, i, x, r->role, '|');
    }
    draw_cp(c, y, x, r->role, '*');
}

/* ---- braille: 2x4 dots per cell ---- */

static const uint8_t dot_bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };

struct dots {
    struct canvas *c;
    struct rect p;
    uint8_t col[128]; /* bits of the cells of one column, from the top */
};

static void dot(struct dots *d, int dx, int step)
{
    int row = d->p.h * 4 - 1 - step; /* dot rows from the top */
    if (row < 0 || row / 4 >= 128)
        return;
    d->col[row / 4] |= dot_bits[row % 4][dx & 1];
}

/* One half column (dx 0 or 1) of a series. prev: step of the dot before, -1 none. */
static int braille_dots(struct dots *d, const struct scale *s, const struct chart_series *r, size_t b, int dx,
                        int prev)
{
    int steps = d->p.h * 4;
    if (isnan(r->v[b]))
        return -1;
    int at = step_of(s, r->v[b], steps), from = at, to = at;
    if (r->fill >= 0) {
        from = 0;
    } else if (r->lo && r->hi && !isnan(r->lo[b]) && !isnan(r->hi[b])) {
        from = step_of(s, r->lo[b], steps);
        to = step_of(s, r->hi[b], steps);
    } else if (prev >= 0 && prev < at) {
        from = prev + 1;
    } else if (prev > at) {
        to = prev - 1;
    }
    for (int i = from; i <= to; i++)
        dot(d, dx, i);
    return at;
}

static void braille_series(struct canvas *c, struct rect p, const struct scale *s, const struct chart *k,
                           const struct chart_series *r)
{
    struct dots d = { .c = c, .p = p };
    int prev = -1;
    for (int x = 0; x < p.w; x++) {
        if (is_gap(k, r, x, p.w))
            continue;
        memset(d.col, 0, sizeof(d.col));
        for (int dx = 0; dx < 2; dx++)
            prev = braille_dots(&d, s, r, bucket_at(k->n, x * 2 + dx, p.w * 2), dx, prev);
        for (int y = 0; y < p.h && y < 128; y++)
            if (d.col[y])
                draw_cp(c, p.y + y, p.x + x, r->role, 0x2800u + d.col[y]);
    }
}

/* A value beyond the scale is drawn at its edge, and that is marked. */
static void mark_beyond(struct canvas *c, struct rect p, const struct scale *s, const struct chart *k,
                        const struct chart_series *r)
{
    bool ascii = canvas_is_ascii(c);
    for (int x = 0; x < p.w && k->n; x++) {
        double v = r->v[bucket_at(k->n, x, p.w)];
        if (is_gap(k, r, x, p.w))
            continue;
        if (v > s->hi)
            draw_cp(c, p.y, p.x + x, ROLE_WARN, ascii ? '^' : 0x25B4);
        else if (v < s->lo)
            draw_cp(c, p.y + p.h - 1, p.x + x, ROLE_WARN, ascii ? 'v' : 0x25BE);
    }
}

/* Dots where the line has nothing below it. */
static void draw_below(struct canvas *c, struct rect p, const struct scale *s, const struct chart *k,
                       const struct chart_series *r)
{
    for (int x = 0; x < p.w; x++) {
        double v = r->v[bucket_at(k->n, x, p.w)];
        for (int y = isnan(v) ? p.h : p.h - step_of(s, v, p.h); y < p.h; y++)
            if ((x + y) % 2 && *canvas_cell(c, p.y + y, p.x + x, NULL) == ' ') /* not over the cursor */
                draw_ground(c, p.y + y, p.x + x);
    }
}

static void draw_series(struct canvas *c, struct rect p, const struct scale *s, const struct chart *k,
                        const struct chart_series *r)
{
    if (r->ground)
        draw_below(c, p, s, k, r);
    if (!canvas_is_ascii(c)) {
        braille_series(c, p, s, k, r);
        return;
    }
    for (int x = 0; x < p.w; x++)
        if (!is_gap(k, r, x, p.w))
            ascii_column(c, p, s, r, bucket_at(k->n, x, p.w), p.x + x);
}

/* ---- axes ---- */

/* 1, 2 or 5 times a power of ten, or of bytes a power of two, at least v. */
static double round_up(double v, bool bytes)
{
    double base = bytes ? exp2(floor(log2(v))) : pow(10, floor(log10(v)));
    if (base >= v)
        return base;
    return bytes || 2 * base >= v ? 2 * base : 5 * base >= v ? 5 * base : 10 * base;
}

/* Distance of the labels: round, and at least the rows that one needs apart. */
static double y_step(const struct scale *s, int rows, bool bytes)
{
    double span = s->hi - s->lo;
    int most = rows >= 9 ? (rows - 1) / 3 : rows >= 5 ? 2 : 1;
    if (!(span > 0) || !isfinite(span))
        return 0;
    double step = round_up(span / most, bytes);
    return (floor(s->hi / step) - ceil(s->lo / step)) >= 1 ? step : round_up(span / most / 2, bytes);
}

/* Labels at round values, each in the row nearest to it; where there are not two, at the ends. */
static void y_axis(struct canvas *c, struct rect p, const struct scale *s, const struct chart *k)
{
    chart_format_fn *f = k->y_format ? k->y_format : plain_format;
    double step = y_step(s, p.h, k->y_bytes), first = step > 0 ? ceil(s->lo / step - 1e-9) : 0;
    bool is_round = step > 0 && (first + 1) * step <= s->hi * (1 + 1e-12) && fabs(first) < 1e15;
    char last[32] = "", t[32];
    for (int y = 0; y < p.h; y++)
        draw_glyph(c, p.y + y, p.x - 1, ROLE_DIM, G_VLINE);
    if (k->y_start)
        draw_right(c, p.y + p.h, p.x - LABEL_W, LABEL_W - 2, ROLE_DIM, str_of(f(last, sizeof last, s->lo)));
    for (int i = 0; i <= p.h; i++) {
        double v = is_round ? (first + i) * step : i ? s->hi : s->lo;
        if (v > s->hi + fabs(s->hi) * 1e-12 || (!is_round && i > (p.h > 1)))
            break;
        int y = p.y + p.h - 1 - step_of(s, v, p.h);
        if (strcmp(f(t, sizeof t, v), last) != 0) /* not two heights with one number */
            draw_right(c, y, p.x - LABEL_W, LABEL_W - 2, ROLE_DIM, str_of(t));
        snprintf(last, sizeof last, "%s", t);
    }
}

struct x_axis {
    const struct chart *k;
    struct rect p;
    const char *unit; /* the unit of times, the same for all labels */
    double div;
};

static struct x_axis x_axis_of(const struct chart *k, struct rect p)
{
    static const double div[] = { [TIME_S] = 1e9, [TIME_MS] = 1e6, [TIME_US] = 1e3, [TIME_NS] = 1 };
    struct x_axis x = { k, p, NULL, 1 };
    if (k->x_time) {
        enum time_unit u = unit_time_for(fmax(fabs(k->x_first), fabs(k->x_last)));
        x.unit = unit_time_name(u);
        x.div = div[u];
    }
    return x;
}

static int x_text(const struct x_axis *x, double v, char *t, size_t n)
{
    if (x->unit)
        snprintf(t, n, "%.4g %s", v / x->div, x->unit);
    else
        snprintf(t, n, "%.0f", v);
    return (int)strlen(t);
}

static int x_cell(const struct x_axis *x, double v)
{
    double span = x->k->x_last - x->k->x_first;
    return span > 0 ? (int)((v - x->k->x_first) / span * (x->p.w - 1) + 0.5) : 0;
}

/*
 * 1, 2 or 5 times a power of ten, at least v and at least 1, because steps, nodes and ns are whole numbers.
 */
static double round_step(double v)
{
    double ten = v > 1 ? pow(10, floor(log10(v))) : 1;
    return ten >= v ? ten : 2 * ten >= v ? 2 * ten : 5 * ten >= v ? 5 * ten : 10 * ten;
}

static void x_tick(struct canvas *c, const struct x_axis *x, int at, int label_x, const char *t)
{
    int y = x->p.y + x->p.h;
    draw_cp(c, y, x->p.x + at, ROLE_DIM, canvas_is_ascii(c) ? '+' : 0x253C);
    draw_puts(c, y + 1, x->p.x + label_x, (int)strlen(t), ROLE_DIM, t);
}

/*
 * The first value at the left, the last one ending at the right edge, round ones between them as far as they
 * have room.
 */
static void x_ticks(struct canvas *c, const struct x_axis *x)
{
    char t[32];
    const struct chart *k = x->k;
    int w = x->p.w, next = x_text(x, k->x_first, t, sizeof t) + 2;
    x_tick(c, x, 0, 0, t);
    if (!(k->x_last > k->x_first))
        return;
    int end = w - x_text(x, k->x_last, t, sizeof t);
    if (end < next)
        return;
    x_tick(c, x, w - 1, end, t);
    double step = round_step((k->x_last - k->x_first) / (w / 14 > 1 ? w / 14 : 1));
    double before = floor(k->x_first / step);
    for (int i = 1; i <= w; i++) { /* not by adding: a step may be too small to change a large value */
        double v = (before + i) * step;
        if (v >= k->x_last)
            break;
        int at = x_cell(x, v), n = x_text(x, v, t, sizeof t);
        if (at < next || at + n + 2 > end)
            continue;
        x_tick(c, x, at, at, t);
        next = at + n + 2;
    }
}

static void x_axis(struct canvas *c, struct rect p, const struct chart *k)
{
    const struct x_axis x = x_axis_of(k, p);
    int y = p.y + p.h;
    draw_glyph(c, y, p.x - 1, ROLE_DIM, G_BL);
    draw_hline(c, y, p.x, p.w, ROLE_DIM);
    x_ticks(c, &x);
    if (k->x_title)
        draw_puts(c, y + 1, p.x - LABEL_W, LABEL_W - 1, ROLE_DIM, k->x_title);
}

/* A line through the plot, which the series hide, and a mark on the axis. */
static void draw_cursor(struct canvas *c, struct rect p, const struct chart *k)
{
    if (k->cursor >= k->n)
        return;
    int x = p.x + (k->n > 1 ? (int)((double)k->cursor / (double)(k->n - 1) * (p.w - 1) + 0.5) : 0);
    for (int y = p.y; y < p.y + p.h; y++)
        draw_glyph(c, y, x, ROLE_BOLD, G_VLINE);
    draw_cp(c, p.y + p.h, x, ROLE_BOLD, canvas_is_ascii(c) ? '^' : 0x25B4);
}

static struct rect plot_of(struct rect a)
{
    return (struct rect){ a.y, a.x + LABEL_W, a.h - 2, a.w - LABEL_W };
}

size_t chart_buckets(const struct canvas *c, struct rect a)
{
    struct rect p = plot_of(a);
    if (p.w < MIN_PLOT || p.h < 2)
        return 0;
    return (size_t)(canvas_is_ascii(c) ? p.w : p.w * 2);
}

int chart_draw(struct canvas *c, struct rect a, const struct chart *k, int *x0)
{
    struct rect p = plot_of(a);
    if (p.w < MIN_PLOT || p.h < 2)
        return 0;
    struct scale s = scale_of(k);
    y_axis(c, p, &s, k);
    x_axis(c, p, k);
    draw_cursor(c, p, k);
    if (k->n)
        for (size_t i = 0; i < k->n_series; i++) {
            draw_series(c, p, &s, k, &k->series[i]);
            mark_beyond(c, p, &s, k, &k->series[i]);
        }
    if (x0)
        *x0 = p.x;
    return p.w;
}

/* ---- histogram ---- */

size_t chart_bins(const double *v, size_t n, double cap, struct chart_bin *bins, size_t max)
{
    struct scale s = { NAN, NAN };
    for (size_t i = 0; i < n; i++)
        widen(&s, v[i]);
    if (isnan(s.lo) || !max)
        return 0;
    double top = isfinite(cap) && cap < s.hi && cap > s.lo ? cap : s.hi;
    if (top <= s.lo) {
        bins[0] = (struct chart_bin){ s.lo, s.hi, 0, ROLE_INFO };
        for (size_t i = 0; i < n; i++)
            bins[0].count += !isnan(v[i]);
        return 1;
    }
    bool over = top < s.hi && max > 1;
    size_t m = over ? max - 1 : max;
    for (size_t i = 0; i < m; i++)
        bins[i] = (struct chart_bin){ s.lo + (top - s.lo) * (double)i / (double)m,
                                      s.lo + (top - s.lo) * (double)(i + 1) / (double)m, 0, ROLE_INFO };
    if (over)
        bins[m] = (struct chart_bin){ top, s.hi, 0, ROLE_WARN };
    for (size_t i = 0; i < n; i++) {
        if (isnan(v[i]))
            continue;
        size_t b = v[i] >= top ? (over && v[i] > top ? m : m - 1)
                               : (size_t)((v[i] - s.lo) / (top - s.lo) * (double)m);
        bins[b < max ? b : max - 1].count++;
    }
    return over ? m + 1 : m;
}

int chart_histogram(struct canvas *c, struct rect a, const struct chart_bin *bins, size_t n,
                    chart_format_fn *format)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (bins[i].count > most)
            most = bins[i].count;
    int rows = (int)n < a.h ? (int)n : a.h, thick = rows ? a.h / rows : 1;
    int bar_x = a.x + 12, bar_w = a.w - 12 - 10;
    if (bar_w < 4)
        return 0;
    thick = thick > BIN_ROWS ? BIN_ROWS : thick;
    chart_format_fn *f = format ? format : plain_format;
    for (int i = 0; i < rows; i++) {
        char t[32];
        int y = a.y + i * thick, used = 0;
        draw_right(c, y, a.x, 10, ROLE_TEXT, str_of(f(t, sizeof(t), bins[i].from)));
        for (int k = 0; k < thick; k++) {
            draw_glyph(c, y + k, a.x + 11, ROLE_DIM, G_VLINE);
            used = draw_bar(c, y + k, bar_x, bar_w, bins[i].count, most, bins[i].role, 0);
        }
        draw_printf(c, y, bar_x + used + (used > 0), 9, ROLE_DIM, "%.0f", bins[i].count);
    }
    return rows * thick;
}

/* ---- bars ---- */

#define PARTS_MOST 8

/*
 * Give the cells to the parts of [0, max) by largest remainder: a part has no fewer than a smaller one. Sets
 * cells[] of n parts.
 */
static void share_cells(const struct chart_part *p, size_t n, double max, int cells, int *out)
{
    double shown[PARTS_MOST], begin = 0;
    int left = cells;

    for (size_t i = 0; i < n; i++) {
        double value = p[i].value > 0 ? p[i].value : 0;
        shown[i] = fmin(begin + value, max) - fmin(begin, max);
        begin += value;
    }
    for (size_t i = 0; i < n; i++) {
        shown[i] = shown[i] / fmin(begin, max) * cells;
        out[i] = (int)shown[i];
        left -= out[i];
    }
    while (left-- > 0) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (shown[i] - out[i] > shown[best] - out[best])
                best = i;
        out[best]++;
    }
}

int chart_stacked(struct canvas *c, int y, int x, int w, const struct chart_part *p, size_t n, double max)
{
    int out[PARTS_MOST], at = x;
    double sum = 0;

    n = n < PARTS_MOST ? n : PARTS_MOST;
    for (size_t i = 0; i < n; i++)
        sum += p[i].value > 0 ? p[i].value : 0;
    if (!(max > 0) || !(sum > 0) || w <= 0)
        return 0;
    const int cells = sum > max ? w : (int)(sum / max * w + 0.5);
    share_cells(p, n, max, cells, out);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < out[i]; k++)
            draw_cp(c, y, at++, p[i].role, glyph_series(p[i].fill, canvas_is_ascii(c)));
    if (sum > max * 1.0001)
        draw_cp(c, y, x + w - 1, ROLE_BOLD, '>');
    return cells;
}

/* Height 0 (empty) to 8 of a value in line k, from the bottom, of h lines. */
static int height_in(double share, int k, int h)
{
    int steps = (int)(share * (h * 8 - 1) + 0.5) + 1 - k * 8;
    return steps < 0 ? 0 : steps > 8 ? 8 : steps;
}

void chart_heights(struct canvas *c, struct rect a, const double *v, size_t n, double max, enum role r)
{
    bool ascii = canvas_is_ascii(c);
    for (size_t i = 0; i < n && (int)i < a.w; i++) {
        double share = isnan(v[i]) || !(max > 0) ? 0 : v[i] / max;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        for (int k = 0; k < a.h && !isnan(v[i]); k++) {
            int at = height_in(share, k, a.h);
            if (a.h == 1 && ascii)
                draw_cp(c, a.y, a.x + (int)i, r, '0' + (uint32_t)(share * 9 + 0.5));
            else if (at > (ascii ? HALF_CELL : 0))
                draw_cp(c, a.y + a.h - 1 - k, a.x + (int)i, r, ascii ? '#' : glyph_height(at));
            else if ((i + (size_t)k) % 2)
                draw_ground(c, a.y + a.h - 1 - k, a.x + (int)i);
        }
    }
}

void chart_scale(struct canvas *c, int y, int x, int w, enum role r, const char *left, const char *right)
{
    int lw = text_cells_of(left), rw = text_cells_of(right);
    draw_puts(c, y, x, w, r, left);
    if (lw + rw + 1 <= w)
        draw_puts(c, y, x + w - rw, rw, r, right);
}
