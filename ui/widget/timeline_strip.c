/* SPDX-License-Identifier: Apache-2.0 */
/* What is under the cursor, in words; the selected event; the legend (doc/screens.md#timeline). */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/timeline.h"

/* "AllReduce-op444 has not ended  " where the data ends in it; returns the cells. */
static int draw_running(struct tlv *v, struct canvas *c, struct rect a, size_t track)
{
    const int col = tlv_col_at(v, v->cur);
    const int64_t from = tlv_time_at(v, col), to = tlv_time_at(v, col + 1);
    struct tl_event ev;
    if (!lineup_running(v->l, track, &ev) || ev.ts_ns >= to || ev.ts_ns + ev.dur_ns < from)
        return 0;
    int x = draw_text(c, a.y, a.x, a.w / 2, role_of_class(ev.cls), lineup_name(v->l, track, ev.name_id),
                      CUT_PATH);
    x += draw_puts(c, a.y, a.x + x, a.w - x, ROLE_WARN, tr(" has not ended"));
    return x + 2;
}

static void draw_at(struct tlv *v, struct canvas *c, struct rect a)
{
    char t[48], pct[24], name[TLV_NAME_B];
    size_t track = tlv_track(v);
    if (track == SIZE_MAX)
        return;
    const struct tl_track *k = lineup_track(v->l, track);
    int x = a.x + 1;
    x += draw_puts(c, a.y, x, a.w / 3, ROLE_BOLD, tlv_track_title(v, track, name, sizeof name));
    if (k->process.n && a.w >= 100) {
        x += draw_puts(c, a.y, x, 3, ROLE_DIM, ", ");
        x += draw_text(c, a.y, x, a.w / 4, ROLE_DIM, k->process, CUT_END);
    }
    x += draw_printf(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr(" at %s: "), tlv_time(v, v->cur, t, sizeof t));
    if (!v->at_known)
        return;
    if (k->is_counter) {
        char level[48];
        if (isnan(v->at_figures.level))
            draw_puts(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr("no value yet"));
        else
            draw_puts(c, a.y, x, a.x + a.w - x, ROLE_TEXT,
                      unit_level(level, sizeof level, v->at_figures.level, k->unit));
        return;
    }
    const struct tl_figures *f = &v->at_figures;
    const int at = x;
    x += draw_running(v, c, (struct rect){ a.y, x, 1, a.x + a.w - x }, track);
    if (!f->events && x > at)
        return;
    if (!f->events) {
        draw_puts(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr("idle"));
        return;
    }
    int col = tlv_col_at(v, v->cur);
    double width = (double)(tlv_time_at(v, col + 1) - tlv_time_at(v, col));
    bool one = f->events == 1, brief = a.w < 100; /* the name needs the room */
    x += draw_printf(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr("%llu event%s%s, %s busy"),
                     (unsigned long long)f->events, one ? "" : "s", brief ? "" : tr(" in this cell"),
                     unit_percent(pct, sizeof pct, (double)f->busy_ns / fmax(width, 1)));
    if (!v->at_cursor.name_id)
        return;
    x += draw_puts(c, a.y, x, a.x + a.w - x, ROLE_TEXT,
                   one     ? ": "
                   : brief ? tr(", mostly ")
                           : tr(", most of it "));
    draw_text(c, a.y, x, a.x + a.w - x - 1, role_of_class(v->at_cursor.cls),
              lineup_name(v->l, track, v->at_cursor.name_id), CUT_PATH);
}

static void draw_selected(struct tlv *v, struct canvas *c, struct rect a)
{
    const char *on = tr("on"); /* a track */
    char t[48], d[32], name[TLV_NAME_B];
    if (!v->has_sel || a.y < 0)
        return;
    int x = a.x + 3;
    x += draw_text(c, a.y, x, a.w / 2, ROLE_TEXT, lineup_name(v->l, v->sel.track, v->sel.name_id), CUT_PATH);
    const char *length =
        v->sel.seq == TL_RUNNING ? tr("not ended") : unit_time(d, sizeof d, (double)v->sel.dur_ns, TIME_AUTO);
    draw_printf(c, a.y, x + 2, a.x + a.w - x - 3, ROLE_TEXT, "%s  %s  %s ",
                tlv_time(v, v->sel.ts_ns, t, sizeof t), length, on);
    x += 2 + text_cells_of(t) + text_cells_of(length) + text_cells_of(on) + 5;
    draw_puts(c, a.y, x, a.x + a.w - x - 1, ROLE_DIM, tlv_track_title(v, v->sel.track, name, sizeof name));
}

static bool any_running(const struct tlv *v)
{
    for (size_t i = 0; i < v->n_rows; i++)
        if (lineup_track(v->l, v->rows[i].track)->runs)
            return true;
    return false;
}

static void draw_legend(struct tlv *v, struct canvas *c, struct rect a)
{
    const char *ascii = a.w >= 110 ? ". <25%   : <50%   + <75%   # 75% and more busy   ' one short event  "
                                     " . - = % communication"
                                   : ". : + # busy share   ' one short event   . - = % communication";
    const char *utf8 = tr("height: busy share   ");
    size_t track = tlv_track(v);
    bool no_step = track != SIZE_MAX && lineup_track(v->l, track)->own_clock; /* steps are on another one */
    int x = a.x + 1 + draw_puts(c, a.y, a.x + 1, 30, ROLE_TEXT, no_step ? "" : v->step);
    x += x > a.x + 1 ? 3 : 0;
    if (any_running(v)) {
        draw_glyph(c, a.y, x, ROLE_WARN, G_ENDLESS);
        x += 4 + draw_puts(c, a.y, x + 1, a.x + a.w - x - 1, ROLE_DIM, tr(" not ended"));
    }
    if (canvas_is_ascii(c)) {
        draw_puts(c, a.y, x, a.x + a.w - x, ROLE_DIM, ascii);
        return;
    }
    x += draw_puts(c, a.y, x, a.x + a.w - x, ROLE_DIM, utf8);
    if (canvas_is_mono(c)) {
        draw_puts(c, a.y, x, a.x + a.w - x, ROLE_DIM, tr("░▒▓█ communication   ╷ one short event"));
        return;
    }
    for (int k = OC_CUBE; k <= OC_HOST && x + 10 < a.x + a.w; k++) {
        draw_cp(c, a.y, x, role_of_class((enum op_class)k), 0x2588);
        x += 2 + draw_puts(c, a.y, x + 1, 10, ROLE_DIM, op_class_word((enum op_class)k));
    }
}

void tlv_draw_strip(struct tlv *v, struct canvas *c, struct rect a)
{
    draw_at(v, c, a);
    if (a.h < 3)
        return;
    draw_selected(v, c, (struct rect){ a.y + 1, a.x, 1, a.w });
    draw_legend(v, c, (struct rect){ a.y + 2, a.x, 1, a.w });
}
