/* SPDX-License-Identifier: Apache-2.0 */
/* Triage: where a step, or the time of the device, goes. */
#include "config.h"

#include "ui/pane/triage/parts.h"

#include <math.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/chart.h"

static void right_time(struct canvas *c, int y, int x, int w, double ns, enum time_unit unit)
{
    char t[32];
    if (!isnan(ns))
        draw_right(c, y, x, w, ROLE_TEXT, str_of(unit_time(t, sizeof t, ns, unit)));
}

/* One unit for the figures of all parts. */
static enum time_unit parts_unit(const struct triage_part *q, size_t n)
{
    double least = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        const double ns[] = { q[i].mean_ns, q[i].p50_ns, q[i].p95_ns };
        for (size_t k = 0; k < ARRAY_LEN(ns); k++) {
            least = ns[k] > 0 && (least == 0 || ns[k] < least) ? ns[k] : least;
            most = ns[k] > most ? ns[k] : most;
        }
    }
    return unit_time_column(least, most);
}

/* "interval   1.26 ms   4.0%  ::::          1.18 ms   2.91 ms" */
static void draw_part(const struct triage_part *q, enum time_unit unit, struct canvas *c, struct rect a,
                      int y, int fill)
{
    char pct[16];
    int tail = isnan(q->p50_ns) ? 0 : 22, x = a.x + 3;
    draw_puts(c, y, x, TRIAGE_LABEL_W, ROLE_TEXT, tr(q->label));
    right_time(c, y, x + TRIAGE_LABEL_W - 1, 10, q->mean_ns, unit);
    if (!isnan(q->share))
        draw_right(c, y, x + TRIAGE_LABEL_W + 10, 6, ROLE_DIM,
                   str_of(unit_percent(pct, sizeof pct, q->share)));
    int bar = x + TRIAGE_LABEL_W + 18, w = a.x + a.w - bar - tail - 2;
    if (w > 40 && a.w < 120)
        w = 40;
    if (w > 120)
        w = 120;
    if (w >= 6 && !isnan(q->share)) {
        struct chart_part part = { q->share, role_of_class(q->cls), fill };
        chart_stacked(c, y, bar, w, &part, 1, 1);
    }
    if (tail && w >= 0) {
        right_time(c, y, bar + w, 10, q->p50_ns, unit);
        right_time(c, y, bar + w + 11, 10, q->p95_ns, unit);
    }
}

/* As in Steps: prep and idle have fills of their own; interval, which is both together, has that of prep. */
static int fill_of(const struct triage_part *q)
{
    return q->cls == OC_COMM               ? 1
           : q->cls == OC_HOST             ? 3
           : q->cls != OC_IDLE             ? 0
           : !strcmp(q->label, "interval") ? 3
                                           : 2;
}

int triage_draw_parts(const struct triage_part *q, size_t n, const char *title, const char *what,
                      struct canvas *c, struct rect a, int y)
{
    if (!n || y + (int)n + 2 > a.h)
        return y;
    y++;
    enum time_unit unit = parts_unit(q, n);
    int x = a.x + 1 + draw_puts(c, a.y + y, a.x + 1, a.w - 2, ROLE_BOLD, tr(title));
    draw_puts(c, a.y + y, x + 3, a.w - x - 4, ROLE_DIM, tr(what));
    y++;
    for (size_t i = 0; i < n; i++)
        draw_part(&q[i], unit, c, a, a.y + y++, fill_of(&q[i]));
    return y;
}
