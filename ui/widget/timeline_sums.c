/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the window, track by track, at the right of wide screens. */
#include "config.h"

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/widget/timeline.h"

#define BUSY_X   1
#define BUSY_W   6
#define EVENTS_X (BUSY_X + BUSY_W + 1)
#define EVENTS_W (TLV_SUMS_W - EVENTS_X)

void tlv_draw_sums_head(const struct tlv *v, struct canvas *c, int y, int x)
{
    (void)v;
    draw_right(c, y, x + BUSY_X, BUSY_W, ROLE_DIM, str_of(tr_column("busy")));
    draw_right(c, y, x + EVENTS_X, EVENTS_W, ROLE_DIM, str_of(tr_column("events")));
}

void tlv_draw_sums(const struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x)
{
    struct err e = ERR_INIT;
    struct tl_area f;
    int64_t from = v->t0, to = v->t1;
    char t[48];

    /* Once per track, on the row of its first lane; a counter has neither busy time nor events. */
    if (row->lane > 0 || lineup_track(v->l, row->track)->is_counter)
        return;
    if (lineup_area(v->l, row->track, v->t0, v->t1, &f, &e)) {
        draw_right(c, y, x + BUSY_X, BUSY_W, ROLE_WARN, STR("?"));
        return;
    }
    enum role r = f.events ? ROLE_TEXT : ROLE_DIM;
    lineup_cut_to_clock(v->l, row->track, &from, &to);
    unit_percent(t, sizeof t, (double)f.busy_ns / (double)(to - from));
    draw_right(c, y, x + BUSY_X, BUSY_W, r, str_of(t));
    unit_count(t, sizeof t, (double)f.events, canvas_is_ascii(c) ? "" : UNIT_THIN_SPACE);
    draw_right(c, y, x + EVENTS_X, EVENTS_W, r, str_of(t));
}
