/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks by steps. */
#include "config.h"

#include "ui/pane/steps_heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/spark.h"

#define LABEL_W   7 /* "rank 12" */
#define CELLS_MAX 6 /* of one step */
#define AROUND    2 /* lines above and below the ranks */

static size_t n_read(const struct peers *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        n += p->v[i].read;
    return n;
}

/*
 * "Ranks by steps   1 30.78  3 31.17  5 31.56  7 31.95  9 32.34 ms and more": from where each level begins;
 * where that has no room the first and the last, or none.
 */
static void draw_head(const struct steps_heat *s, struct canvas *c, struct rect a)
{
    const enum time_unit u = unit_time_column(s->lo, s->hi);
    const size_t last = SPARK_LEVELS - 1;
    char text[SPARK_LEVELS][48], t[32];
    int x = a.x + draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, tr("Ranks by steps")) + 3, all = 0;

    for (size_t i = 0; i <= last; i++) {
        unit_time(t, sizeof t, spark_heat_from(i, s->lo, s->hi), u);
        if (i < last)
            str_copy(str_sub(str_of(t), 0, strcspn(t, " ")), text[i], sizeof text[i]);
        else
            snprintf(text[i], sizeof text[i], tr("%s and more"), t);
        all += 2 + text_cells_of(text[i]) + (i < last ? 2 : 0);
    }
    const int ends = 2 + text_cells_of(text[0]) + 2 + 2 + text_cells_of(text[last]), room = a.x + a.w - x;
    const size_t by = all <= room ? 1 : ends <= room ? last : SIZE_MAX;
    for (size_t i = 0; by <= last && i <= last; i += by) {
        spark_heat_cell(c, a.y, x, i);
        x += 2 + draw_puts(c, a.y, x + 2, a.x + a.w - x - 2, ROLE_DIM, text[i]) + 2;
    }
}

/* Cells of w in which step number i of n is drawn. */
static int cell_of(size_t n, int w, size_t i)
{
    if ((size_t)w >= n)
        return (int)i * (w / (int)n);
    for (int k = w - 1; k > 0; k--)
        if (spark_first(n, w, k) <= i)
            return k;
    return 0;
}

/*
 * The numbers of the first and last step, and the place of the cursor, which hides a number that it meets but
 * for the first when it is on that.
 */
static void draw_axis(const struct steps_heat *s, struct canvas *c, struct rect a)
{
    const struct peers *p = s->p;
    char first[24], last[24];
    int at = -1;

    snprintf(first, sizeof first, "%" PRId64, p->step[0]);
    snprintf(last, sizeof last, "%" PRId64, p->step[p->n_steps - 1]);
    for (size_t i = 0; s->has_step && i < p->n_steps; i++)
        at = p->step[i] == s->step ? cell_of(p->n_steps, a.w, i) : at;
    const int left = text_cells_of(first), right = a.w - text_cells_of(last);
    if (at <= 0 || at > left)
        draw_puts(c, a.y, a.x + (at == 0), a.w - (at == 0), ROLE_DIM, first);
    if (right > left + 1 + (at == 0) && at < right - 1)
        draw_right(c, a.y, a.x + right, a.w - right, ROLE_DIM, str_of(last));
    if (at >= 0)
        draw_cp(c, a.y, a.x + at, ROLE_BOLD, canvas_is_ascii(c) ? '^' : 0x25b4);
}

/* "rank 2", "rank 2-3" where a line stands for several. Returns buf. */
static const char *label_of(const struct peers *p, int h, int line, char *buf, size_t n)
{
    const size_t from = spark_first(p->n, h, line), to = spark_first(p->n, h, line + 1);

    if (to - from > 1)
        snprintf(buf, n, "rank %d-%d", p->v[from].rank, p->v[to - 1].rank);
    else
        snprintf(buf, n, "rank %d", p->v[from].rank);
    return buf;
}

static int labels_width(const struct peers *p, int h)
{
    char label[40];
    int most = LABEL_W;

    for (int i = 0; i < h; i++) {
        int w = text_cells_of(label_of(p, h, i, label, sizeof label));
        most = w > most ? w : most;
    }
    return most;
}

int steps_heat_draw(const struct steps_heat *s, struct canvas *c, struct rect a)
{
    const struct peers *p = s->p;
    int h = a.h - AROUND < (int)p->n ? a.h - AROUND : (int)p->n;
    const int label_w = labels_width(p, h), room = a.w - label_w - 2;
    char label[40];

    if (n_read(p) < 2 || p->n_steps < 2 || !(s->hi > 0) || h < 2 || room < 8)
        return 0;
    int each = room / (int)(p->n_steps < (size_t)room ? p->n_steps : (size_t)room);
    each = each > CELLS_MAX ? CELLS_MAX : each;
    int w = p->n_steps < (size_t)room ? (int)p->n_steps * each : room;
    draw_head(s, c, (struct rect){ a.y, a.x, 1, a.w });
    const struct spark_heat heat = {
        .v = p->lengths, .rows = p->n, .cols = p->n_steps, .lo = s->lo, .hi = s->hi, .each = each
    };
    h = spark_heat(c, (struct rect){ a.y + 1, a.x + label_w + 1, h, w }, &heat);
    for (int i = 0; i < h; i++) {
        size_t from = spark_first(p->n, h, i), to = spark_first(p->n, h, i + 1);
        bool own = false;
        for (size_t k = from; k < to; k++)
            own |= p->v[k].rank == s->rank;
        draw_puts(c, a.y + 1 + i, a.x, label_w, own ? ROLE_BOLD : ROLE_DIM,
                  label_of(p, h, i, label, sizeof label));
    }
    draw_axis(s, c, (struct rect){ a.y + 1 + h, a.x + label_w + 1, 1, w });
    return h + AROUND;
}
