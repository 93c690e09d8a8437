/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a pipeline and arrows between them. */
#include "config.h"

#include "ui/pane/data_flow.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define STAGES_MAX 64
#define ARROW_MIN  6 /* "10.4%" below it */
#define ARROW_MAX  24
#define PLAIN      3 /* of a part that has no queue */
#define FULL_W     11
#define ROWS_EACH  2 /* of a line: the parts, their figures */

/* One way from a source of the data: parts in the order in which data goes through them. */
struct way {
    size_t at[STAGES_MAX];
    size_t n;
};

static bool is_source(const struct pipeline_stage *v, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++)
        if (v[k].into == i)
            return false;
    return true;
}

/* Up to the root, or to a part that another way has already gone through, which is named once more. */
static void follow(const struct pipeline_stage *v, size_t from, bool *seen, struct way *w)
{
    w->n = 0;
    for (size_t i = from; i != SIZE_MAX && w->n < STAGES_MAX; i = v[i].into) {
        w->at[w->n++] = i;
        if (seen[i])
            return;
        seen[i] = true;
    }
}

/* The type, with its number where two parts are of one. */
static void stage_name(const struct pipeline_stage *v, size_t n, size_t i, char *buf, size_t size)
{
    bool alone = true;

    for (size_t k = 0; k < n; k++)
        alone &= k == i || strcmp(v[k].type, v[i].type) != 0;
    if (alone)
        snprintf(buf, size, "%s", v[i].type);
    else
        snprintf(buf, size, "%s(%" PRId64 ")", v[i].type, v[i].id);
}

/* "8 x 96.2%": workers and the CPU of each. */
static void stage_figures(const struct pipeline_stage *s, char *buf, size_t size)
{
    char pct[24];

    buf[0] = '\0';
    if (isnan(s->cpu))
        return;
    unit_percent(pct, sizeof pct, s->cpu);
    if (s->workers > 1)
        snprintf(buf, size, "%" PRId64 " x %s", s->workers, pct);
    else
        snprintf(buf, size, "%s", pct);
}

static int stage_width(const struct pipeline_stage *v, size_t n, size_t i, const struct canvas *c)
{
    char name[80], figures[48];

    stage_name(v, n, i, name, sizeof name);
    stage_figures(&v[i], figures, sizeof figures);
    int w = (int)text_width(str_of(name), canvas_flags(c)), f = (int)strlen(figures);
    return w > f ? w : f;
}

/* Cells of the arrow of a part with a queue: what the way leaves in one line, within limits. */
static int arrow_width(const struct pipeline_stage *v, size_t n, const struct way *w, const struct canvas *c,
                       int room)
{
    int queues = 0;

    for (size_t i = 0; i < w->n; i++) {
        room -= stage_width(v, n, w->at[i], c) + (i + 1 < w->n ? 2 : 0);
        if (i + 1 < w->n && isnan(v[w->at[i]].use))
            room -= PLAIN;
        queues += i + 1 < w->n && !isnan(v[w->at[i]].use);
    }
    int each = queues ? room / queues : 0;
    return each < ARROW_MIN ? ARROW_MIN : each > ARROW_MAX ? ARROW_MAX : each;
}

/* The heavy part is as long as the queue is full; below it how full that is. */
static void draw_arrow(const struct pipeline_stage *s, struct canvas *c, int y, int x, int w)
{
    const bool ascii = canvas_is_ascii(c);
    char text[40], pct[24];

    for (int i = 0; i + 1 < w; i++)
        draw_cp(c, y, x + i, ROLE_DIM, ascii ? '-' : 0x2500);
    draw_cp(c, y, x + w - 1, ROLE_DIM, ascii ? '>' : 0x25b8);
    if (isnan(s->use))
        return;
    int fill = (int)(s->use * (w - 1) + 0.5);
    for (int i = 0; i < fill && i < w - 1; i++)
        draw_cp(c, y, x + i, ROLE_VECTOR, ascii ? '#' : 0x2501);
    snprintf(text, sizeof text, "%s%s", unit_percent(pct, sizeof pct, s->use),
             w >= FULL_W ? tr(" full") : "");
    draw_puts(c, y + 1, x + (w - text_cells_of(text)) / 2, w, ROLE_DIM, text);
}

static void draw_stage(const struct pipeline_stage *v, size_t n, size_t i, struct canvas *c, int y, int x)
{
    char name[80], figures[48];

    stage_name(v, n, i, name, sizeof name);
    stage_figures(&v[i], figures, sizeof figures);
    int w = stage_width(v, n, i, c);
    draw_text(c, y, x, w, v[i].limits ? ROLE_WARN : ROLE_BOLD, str_of(name), CUT_END);
    draw_puts(c, y + 1, x, w, v[i].limits ? ROLE_WARN : ROLE_DIM, figures);
}

/* Returns the rows used. */
static int draw_way(const struct pipeline_stage *v, size_t n, const struct way *w, struct canvas *c,
                    struct rect a)
{
    const int arrow = arrow_width(v, n, w, c, a.w);
    int x = 0, y = 0;

    for (size_t i = 0; i < w->n; i++) {
        const struct pipeline_stage *before = i ? &v[w->at[i - 1]] : NULL;
        int gap = before ? (isnan(before->use) ? PLAIN : arrow) + 2 : 0, sw = stage_width(v, n, w->at[i], c);
        if (x && x + gap + sw > a.w) {
            x = 0; /* the arrow leads on in the next line */
            y += ROWS_EACH;
        }
        if (y + ROWS_EACH > a.h || x + gap + sw > a.w)
            break;
        if (before) {
            draw_arrow(before, c, a.y + y, a.x + x + (x ? 1 : 0), gap - 2);
            x += gap - (x ? 0 : 1);
        }
        draw_stage(v, n, w->at[i], c, a.y + y, a.x + x);
        x += sw;
    }
    return x ? y + ROWS_EACH : y;
}

int data_draw_flow(const struct pipeline_stage *v, size_t n, struct canvas *c, struct rect a)
{
    bool seen[STAGES_MAX] = { false };
    struct way w;
    int y = 0;

    if (n < 2 || n > STAGES_MAX)
        return 0;
    for (size_t i = n; i-- > 0 && y + ROWS_EACH <= a.h;) {
        if (!is_source(v, n, i))
            continue;
        follow(v, i, seen, &w);
        if (w.n > 1)
            y += draw_way(v, n, &w, c, (struct rect){ a.y + y, a.x, a.h - y, a.w });
    }
    return y;
}
