/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs: the roofline (doc/screens.md#flops). */
#include "config.h"

#include "ui/pane/flops_roof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define LABEL_W   13
#define LIST_MIN  4
#define LIST_W    78
#define BESIDE_W  160
#define X_DECADES 3.5 /* left of where the limits meet */
#define Y_DECADES 5

/* Both axes are logarithmic. */
struct plot {
    struct rect in;
    double x0, x1, y0, y1; /* log10 of operations a byte, of operations a second */
};

static struct plot plot_of(const struct roofline *r, struct rect a)
{
    struct plot p = { { a.y, a.x + LABEL_W, a.h - 2, a.w - LABEL_W - 1 }, 0, 0, 0, 0 };
    double ridge = log10(r->peak / r->bytes_per_s);

    p.x0 = p.x1 = ridge;
    p.y1 = log10(r->peak);
    p.y0 = p.y1 - 1;
    for (size_t i = 0; i < r->n; i++) {
        p.x0 = fmin(p.x0, r->op[i].log_intensity);
        p.x1 = fmax(p.x1, r->op[i].log_intensity);
        p.y0 = fmin(p.y0, r->op[i].log_flops);
        p.y1 = fmax(p.y1, r->op[i].log_flops);
    }
    p.x0 = fmax(p.x0 - 0.1, ridge - X_DECADES); /* what lies beyond is drawn at the edge */
    p.y0 = fmax(p.y0, p.y1 - Y_DECADES);
    p.x1 += 0.3;
    p.y0 -= 0.1;
    p.y1 += 0.1;
    return p;
}

/* ---- dots ---- */

/* Dots of a cell, and the role of what was drawn there last. */
struct dots {
    uint8_t bits;
    enum role role;
};

static const uint8_t dot_bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };

static int x_dot(const struct plot *p, double v)
{
    return (int)(fmax(v - p->x0, 0) / (p->x1 - p->x0) * (p->in.w * 2 - 1) + 0.5);
}

static int y_dot(const struct plot *p, double v)
{
    return (int)((p->y1 - fmax(v, p->y0)) / (p->y1 - p->y0) * (p->in.h * 4 - 1) + 0.5);
}

static void put_dot(struct dots *k, const struct plot *p, int x, int y, enum role role)
{
    if (x < 0 || x >= p->in.w * 2 || y < 0 || y >= p->in.h * 4)
        return;
    k += (size_t)(y / 4) * (size_t)p->in.w + (size_t)(x / 2);
    k->bits |= dot_bits[y % 4][x & 1];
    k->role = role;
}

static double roof_at(const struct roofline *r, double x)
{
    return fmin(log10(r->peak), x + log10(r->bytes_per_s));
}

/* No op gets above the roof. */
static void draw_beyond(const struct roofline *r, const struct plot *p, struct canvas *c)
{
    for (int x = 0; x < p->in.w; x++) {
        int end = y_dot(p, roof_at(r, p->x0 + (p->x1 - p->x0) * x / p->in.w)) / 4;
        for (int y = 0; y < end; y++)
            if ((x + y) % 2)
                draw_ground(c, p->in.y + y, p->in.x + x);
    }
}

static void draw_dots(const struct roofline *r, const struct plot *p, struct canvas *c)
{
    draw_beyond(r, p, c);
    struct dots *k = calloc((size_t)p->in.h * (size_t)p->in.w, sizeof *k);
    if (!k)
        return;
    for (int x = 0; x < p->in.w * 2; x++)
        put_dot(k, p, x, y_dot(p, roof_at(r, p->x0 + (p->x1 - p->x0) * x / (p->in.w * 2 - 1))), ROLE_DIM);
    for (size_t i = r->n; i-- > 0;) /* what loses most is on top */
        put_dot(k, p, x_dot(p, r->op[i].log_intensity), y_dot(p, r->op[i].log_flops),
                role_of_class(r->op[i].cls));
    for (int y = 0; y < p->in.h; y++)
        for (int x = 0; x < p->in.w; x++) {
            const struct dots *d = &k[y * p->in.w + x];
            if (d->bits)
                draw_cp(c, p->in.y + y, p->in.x + x, d->role,
                        !canvas_is_ascii(c)   ? 0x2800u + d->bits
                        : d->role == ROLE_DIM ? '-'
                                              : '*');
        }
    free(k);
}

/* ---- axes ---- */

/* "10 TFLOPS" of 13. */
static char *decade(char *t, size_t n, int d)
{
    static const char *const prefix[] = { "", "k", "M", "G", "T", "P" };
    int k = d < 0 ? 0 : d / 3 < (int)ARRAY_LEN(prefix) ? d / 3 : (int)ARRAY_LEN(prefix) - 1;
    snprintf(t, n, "%.0f %sFLOPS", pow(10, d - 3 * k), prefix[k]);
    return t;
}

static void draw_axes(const struct plot *p, struct canvas *c, int left)
{
    char t[40];
    int bottom = p->in.y + p->in.h;
    for (int y = p->in.y; y < bottom; y++)
        draw_glyph(c, y, p->in.x - 1, ROLE_DIM, G_VLINE);
    draw_glyph(c, bottom, p->in.x - 1, ROLE_DIM, G_BL);
    draw_hline(c, bottom, p->in.x, p->in.w, ROLE_DIM);
    for (double d = ceil(p->y0); d <= p->y1; d++)
        draw_right(c, p->in.y + y_dot(p, d) / 4, left, LABEL_W - 2, ROLE_DIM,
                   str_of(decade(t, sizeof t, (int)d)));
    int next = p->in.x;
    for (double d = ceil(p->x0); d <= p->x1; d++) {
        int x = p->in.x + x_dot(p, d) / 2;
        snprintf(t, sizeof t, "%.*f", d < 0 ? (int)-d : 0, pow(10, d));
        if (x < next || x + (int)strlen(t) > p->in.x + p->in.w)
            continue;
        draw_cp(c, bottom, x, ROLE_DIM, canvas_is_ascii(c) ? '+' : 0x253C);
        next = x + draw_puts(c, bottom + 1, x, (int)strlen(t), ROLE_DIM, t) + 2;
    }
    draw_right(c, bottom + 1, left, LABEL_W - 2, ROLE_DIM, STR("FLOP/B"));
}

/* ---- words ---- */

static void draw_left_out(const struct roofline *r, struct canvas *c, struct rect a)
{
    char beyond[60];
    snprintf(beyond, sizeof beyond, tr("%zu beyond the first %d"), r->beyond, ROOF_OPS_MAX);
    if (r->unknown)
        draw_printf(c, a.y, a.x, a.w, ROLE_DIM, tr("%zu ops without shapes or times%s%s are left out"),
                    r->unknown, r->beyond ? tr(" and ") : "", r->beyond ? beyond : "");
    else if (r->beyond)
        draw_printf(c, a.y, a.x, a.w, ROLE_DIM, tr("%zu ops beyond the first %d are left out"), r->beyond,
                    ROOF_OPS_MAX);
}

static void draw_title(const struct roofline *r, struct canvas *c, struct rect a)
{
    char peak[40], mem[40], text[240];
    int n = snprintf(text, sizeof text, tr(" %s %s   most moved by an op %s"),
                     r->peak_is_reached ? tr("fastest op") : tr("peak"),
                     unit_flops_rate(peak, sizeof peak, r->peak), unit_rate(mem, sizeof mem, r->bytes_per_s));
    char meet[60];
    snprintf(meet, sizeof meet, tr("   meet at %.3g FLOP/B"), r->peak / r->bytes_per_s);
    if (text_cells_of(text) + text_cells_of(meet) <= a.w)
        snprintf(text + n, sizeof text - (size_t)n, "%s", meet);
    int x = draw_puts(c, a.y, a.x, a.w, ROLE_DIM, text) + 3;
    draw_left_out(r, c, (struct rect){ a.y, a.x + x, 1, a.w - x });
}

/* The ops that lose most, as many as have room. */
static void draw_list(const struct roofline *r, struct canvas *c, struct rect a)
{
    int name_w = a.w - 52;
    char t[40];
    draw_fill(c, (struct rect){ a.y, a.x, 1, a.w }, ROLE_HEAD, ' ');
    draw_puts(c, a.y, a.x + 1, name_w, ROLE_HEAD, tr("Farthest below the roof"));
    draw_right(c, a.y, a.x + 1 + name_w, 10, ROLE_SORTED, str_of(tr_column("Lost")));
    draw_right(c, a.y, a.x + 11 + name_w, 9, ROLE_HEAD, str_of(tr_column("of roof")));
    draw_right(c, a.y, a.x + 20 + name_w, 8, ROLE_HEAD, STR("FLOP/B"));
    draw_right(c, a.y, a.x + 28 + name_w, 14, ROLE_HEAD, str_of(tr_column("rate")));
    draw_puts(c, a.y, a.x + 43 + name_w, 8, ROLE_HEAD, tr("limit"));
    for (size_t i = 0; i < r->n && (int)i + 1 < a.h; i++) {
        const struct roof_op *o = &r->op[i];
        int y = a.y + 1 + (int)i, x = a.x + 1 + name_w;
        draw_text(c, y, a.x + 1, name_w, ROLE_TEXT, str_of(o->name), CUT_MIDDLE);
        draw_right(c, y, x, 10, ROLE_TEXT, str_of(unit_time(t, sizeof t, o->lost_ns, TIME_AUTO)));
        draw_right(c, y, x + 10, 9, ROLE_TEXT, str_of(unit_percent(t, sizeof t, o->share)));
        if (o->intensity > 0 && o->intensity < 0.001)
            snprintf(t, sizeof t, "<0.001");
        else
            snprintf(t, sizeof t, "%.*f", o->intensity < 1 ? 3 : o->intensity < 100 ? 1 : 0, o->intensity);
        draw_right(c, y, x + 19, 8, ROLE_TEXT, str_of(t));
        draw_right(c, y, x + 27, 14, role_of_class(o->cls),
                   str_of(unit_flops_rate(t, sizeof t, o->flops_per_s)));
        draw_puts(c, y, x + 42, 8, ROLE_DIM, o->by_memory ? tr("memory") : tr("compute"));
    }
}

/* The list beside the plot where there is room, else below it, else not. */
void flops_roof_draw(const struct roofline *r, struct canvas *c, struct rect a)
{
    const bool lists = a.h >= 10 && a.w >= 60;
    if (a.h < 6 || a.w < 2 * LABEL_W)
        return;
    draw_title(r, c, (struct rect){ a.y, a.x, 1, a.w });
    struct rect list = { a.y + 1, a.x, a.h - 1, a.w }, plot = list;
    if (!lists) {
        list.h = 0;
    } else if (a.w >= BESIDE_W) {
        list.w = a.w * 2 / 5 > LIST_W ? a.w * 2 / 5 : LIST_W;
        list.x += plot.w -= list.w;
    } else {
        list.h = a.h * 2 / 5 < LIST_MIN ? LIST_MIN : a.h * 2 / 5;
        list.h = list.h > (int)r->n + 1 ? (int)r->n + 1 : list.h;
        list.y = a.y + a.h - list.h;
        plot.h -= list.h + 1;
    }
    const struct plot p = plot_of(r, plot);
    draw_axes(&p, c, a.x);
    draw_dots(r, &p, c);
    if (lists)
        draw_list(r, c, list);
}
