/* SPDX-License-Identifier: Apache-2.0 */
/* Who launches an op, and its counters. */
#include "config.h"

#include "ui/pane/ops_origin.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define TITLE_W   14 /* as the columns of the card */
#define COUNTER_W 22
#define SHARE_W   6
#define FRAMES    4 /* of a call stack */

static const char *const titles[N_ORIGINS] = {
    [ORIGIN_HOST_OP] = N_("Launched by"),
    [ORIGIN_MODULE] = N_("Module"),
    [ORIGIN_CODE] = "Code",
};

/* What there are different ones of. */
static const char *const places[N_ORIGINS] = {
    [ORIGIN_HOST_OP] = N_("framework ops"),
    [ORIGIN_MODULE] = N_("modules"),
    [ORIGIN_CODE] = N_("call stacks"),
};

/* The word of the view's column; in logs Code is a number. */
static const char *title_of(size_t i)
{
    return i == ORIGIN_CODE ? tr_column(titles[i]) : tr(titles[i]);
}

/* Where each execution has another place none of them says anything. */
static bool is_each(const struct op_place *p)
{
    return p->n == 1 && p->others;
}

/* " (30 of 53)" where there are others. */
static const char *how_many(const struct op_place *p, char *buf, size_t n)
{
    buf[0] = '\0';
    if (p->others)
        snprintf(buf, n, tr(" (%" PRIu64 " of %" PRIu64 ")"), p->n, p->of);
    return buf;
}

/* "53 different modules", shorter where it has no room. */
static const char *how_different(const struct op_place *p, size_t i, int room, char *buf, size_t n)
{
    snprintf(buf, n, tr("%" PRIu64 " different %s"), p->others + 1, tr(places[i]));
    if (text_cells_of(buf) > room)
        snprintf(buf, n, "%" PRIu64 " %s", p->others + 1, tr(places[i]));
    return buf;
}

/* One place: its first frames, or the text in one row, and how many have it. */
static int draw_place(const struct op_place *p, size_t i, struct canvas *c, struct rect a)
{
    struct str rest = str_of(p->text), frame;
    const int w = a.w - TITLE_W;
    char many[64];
    int y = 0;

    if (!p->text[0])
        return 0;
    if (a.h > 0)
        draw_puts(c, a.y, a.x, TITLE_W - 2, ROLE_DIM, title_of(i));
    if (is_each(p)) {
        if (a.h > 0)
            draw_puts(c, a.y, a.x + TITLE_W, w, ROLE_TEXT, how_different(p, i, w, many, sizeof many));
        return 1;
    }
    int tail = text_cells_of(how_many(p, many, sizeof many));
    for (; y < FRAMES && str_next(&rest, ';', &frame); y++) {
        if (y >= a.h)
            continue;
        int used = draw_text(c, a.y + y, a.x + TITLE_W, w - (y ? 0 : tail), ROLE_TEXT, frame, CUT_MIDDLE);
        if (!y)
            draw_puts(c, a.y, a.x + TITLE_W + used, tail, ROLE_DIM, many);
    }
    return y;
}

/* "aic_mac_ratio" -> "aic_mac". */
static struct str counter_name(const char *column)
{
    struct str s = str_of(column);

    s.n -= str_ends(s, STR("_ratio")) ? 6 : 0;
    return s;
}

static int draw_counters(const struct op_origin *o, bool of_type, struct canvas *c, struct rect a)
{
    const int bar = COUNTER_W + 1 + SHARE_W + 1;
    char pct[24];

    if (!o->n_counters)
        return 0;
    if (a.h > 0 && of_type)
        draw_printf(c, a.y, a.x, a.w, ROLE_HEAD, tr("Counters, mean of %" PRIu64 " op%s"), o->looked_at,
                    o->looked_at == 1 ? "" : "s");
    else if (a.h > 0)
        draw_printf(c, a.y, a.x, a.w, ROLE_HEAD, tr("Counters, mean of %" PRIu64 " execution%s"),
                    o->looked_at, o->looked_at == 1 ? "" : "s");
    for (size_t i = 0; i < o->n_counters && (int)i + 1 < a.h; i++) {
        int y = a.y + 1 + (int)i;
        draw_text(c, y, a.x, COUNTER_W, ROLE_DIM, counter_name(o->counter[i].name), CUT_MIDDLE);
        draw_right(c, y, a.x + COUNTER_W + 1, SHARE_W, ROLE_TEXT,
                   str_of(unit_percent(pct, sizeof pct, o->counter[i].share)));
        draw_thin_bar(c, y, a.x + bar + 1, a.w - bar - 1, o->counter[i].share, 1, ROLE_INFO);
    }
    return 1 + (int)o->n_counters;
}

static struct rect below(struct rect a, int rows)
{
    rows = rows < a.h ? rows : a.h;
    return (struct rect){ a.y + rows, a.x, a.h - rows, a.w };
}

int ops_draw_origin(const struct op_origin *o, bool of_type, struct canvas *c, struct rect a)
{
    int y = 1; /* an empty row before each block */

    for (size_t i = 0; i < N_ORIGINS; i++)
        y += draw_place(&o->place[i], i, c, below(a, y));
    y = y > 1 ? y : 0;
    int n = draw_counters(o, of_type, c, below(a, y + 1));
    return y + (n ? n + 1 : 0);
}

void ops_origin_lines(const struct op_origin *o, struct buf *out)
{
    char text[64];

    for (size_t i = 0; i < N_ORIGINS; i++) {
        const struct op_place *p = &o->place[i];
        if (p->text[0] && is_each(p))
            buf_printf(out, "%s\t%s\n", title_of(i), how_different(p, i, INT_MAX, text, sizeof text));
        else if (p->text[0])
            buf_printf(out, "%s\t%s%s\n", title_of(i), p->text, how_many(p, text, sizeof text));
    }
    for (size_t i = 0; i < o->n_counters; i++) {
        struct str name = counter_name(o->counter[i].name);
        buf_printf(out, "%.*s\t%s\n", (int)name.n, name.p,
                   unit_percent(text, sizeof text, o->counter[i].share));
    }
}
