/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of one row, bars of parts, strips. */
#include "config.h"

#include "ui/widget/spark.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define HEIGHTS  8 /* glyph_height() */
#define BARS_MIN 8 /* cells of bars for which words are kept */

bool spark_range(const double *v, size_t n, double *lo, double *hi)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i]))
            continue;
        *lo = !any || v[i] < *lo ? v[i] : *lo;
        *hi = !any || v[i] > *hi ? v[i] : *hi;
        any = true;
    }
    return any;
}

size_t spark_first(size_t n, int h, int i)
{
    return (size_t)h >= n ? (size_t)i : n / (size_t)h * (size_t)i + n % (size_t)h * (size_t)i / (size_t)h;
}

/* Largest of the values of a cell; NAN: none. */
static double largest(const double *v, size_t from, size_t to)
{
    double m = NAN;

    for (size_t i = from; i < to; i++)
        if (isfinite(v[i]) && !(m >= v[i]))
            m = v[i];
    return m;
}

/* 0..1 on the scale. */
static double level(double v, double lo, double hi)
{
    double s = hi > lo ? (v - lo) / (hi - lo) : 0;

    return s < 0 ? 0 : s > 1 ? 1 : s;
}

int spark_line(struct canvas *c, int y, int x, int w, const struct spark *s)
{
    int cells = w <= 0 ? 0 : s->n < (size_t)w ? (int)s->n : w;

    for (int i = 0; i < cells; i++) {
        double v = largest(s->v, spark_first(s->n, cells, i), spark_first(s->n, cells, i + 1));
        if (isnan(v))
            continue;
        double at = level(v, s->lo, s->hi);
        draw_cp(c, y, x + i, s->role,
                canvas_is_ascii(c) ? '0' + (uint32_t)(at * 9 + 0.5)
                                   : glyph_height(1 + (int)(at * (HEIGHTS - 1) + 0.5)));
    }
    return cells;
}

/* ---- parts ---- */

static uint32_t fill_of(size_t i, bool ascii)
{
    static const char plain[SPARK_FILLS] = { '=', '%', ':', '.', '#' };
    static const uint32_t thin[SPARK_FILLS] = { 0x2501, 0x2593, 0x2591, 0x00b7, 0x2588 }; /* ━ ▓ ░ · █ */

    return ascii ? (uint32_t)plain[i % SPARK_FILLS] : thin[i % SPARK_FILLS];
}

static bool is_shown(const struct spark_part *p)
{
    return isfinite(p->share) && p->share > 0;
}

/* Cells of all words, numbers and gaps. */
static int words_width(const struct spark_part *p, size_t n, bool words)
{
    char pct[24];
    int w = 0;

    for (size_t i = 0; i < n; i++) {
        if (!is_shown(&p[i]))
            continue;
        unit_percent(pct, sizeof pct, p[i].share);
        w += (w ? 2 : 0) + (words ? text_cells_of(tr(p[i].word)) + 1 : 0) + 1 + (int)strlen(pct);
    }
    return w;
}

int spark_split(struct canvas *c, int y, int x, int w, const struct spark_part *p, size_t n)
{
    bool words = words_width(p, n, true) + BARS_MIN <= w;
    int room = w - words_width(p, n, words), at = 0; /* every part has a cell of it */
    double sum = 0;
    char pct[24];

    for (size_t i = 0; i < n; i++)
        if (is_shown(&p[i])) {
            sum += p[i].share;
            room--;
        }
    for (size_t i = 0; i < n && room >= 0; i++) {
        if (!is_shown(&p[i]))
            continue;
        at += at ? 2 : 0;
        if (words)
            at += draw_puts(c, y, x + at, w - at, ROLE_TEXT, tr(p[i].word)) + 1;
        for (int k = 1 + (int)(p[i].share / sum * room); k > 0; k--)
            draw_cp(c, y, x + at++, p[i].role, fill_of(i, canvas_is_ascii(c)));
        unit_percent(pct, sizeof pct, p[i].share);
        at += 1;
        at += draw_puts(c, y, x + at, w - at, ROLE_DIM, pct);
    }
    return at;
}

/* ---- strips ---- */

/* From which share of the scale on a cell is drawn so; the last one is of all above. No fill of a part. */
static const struct heat_level {
    double from;
    char plain;
    uint32_t height;
    enum role role;
} heat_levels[SPARK_LEVELS] = {
    { 0.00, '1', 0x2581, ROLE_DIM },  /* ▁ */
    { 0.25, '3', 0x2582, ROLE_DIM },  /* ▂ */
    { 0.50, '5', 0x2584, ROLE_TEXT }, /* ▄ */
    { 0.75, '7', 0x2586, ROLE_WARN }, /* ▆ */
    { 1.00, '9', 0x2587, ROLE_ERROR } /* ▇ */
};

double spark_heat_from(size_t i, double lo, double hi)
{
    return lo + heat_levels[i].from * (hi - lo);
}

void spark_heat_cell(struct canvas *c, int y, int x, size_t i)
{
    const struct heat_level *k = &heat_levels[i];

    draw_cp(c, y, x, k->role, canvas_is_ascii(c) ? (uint32_t)k->plain : k->height);
}

static size_t level_of(double v, double lo, double hi)
{
    size_t i = SPARK_LEVELS - 1;

    while (i && (!(hi > lo) || v < spark_heat_from(i, lo, hi)))
        i--;
    return i;
}

int spark_heat(struct canvas *c, struct rect a, const struct spark_heat *s)
{
    int h = s->rows < (size_t)(a.h > 0 ? a.h : 0) ? (int)s->rows : a.h > 0 ? a.h : 0;
    int w = s->cols < (size_t)(a.w > 0 ? a.w : 0) ? (int)s->cols : a.w > 0 ? a.w : 0;
    const int each = s->each > 1 && w * s->each <= a.w ? s->each : 1;

    for (int i = 0; i < h; i++)
        for (int k = 0; k < w; k++) {
            size_t c0 = spark_first(s->cols, w, k), c1 = spark_first(s->cols, w, k + 1);
            double most = NAN;
            for (size_t r = spark_first(s->rows, h, i); r < spark_first(s->rows, h, i + 1); r++) {
                double v = largest(s->v + r * s->cols, c0, c1);
                most = isnan(v) || most >= v ? most : v;
            }
            for (int x = 0; !isnan(most) && x < each; x++)
                spark_heat_cell(c, a.y + i, a.x + k * each + x, level_of(most, s->lo, s->hi));
        }
    return h;
}
