/* SPDX-License-Identifier: Apache-2.0 */
/* Window, rows, cursor, selection. */
#include "config.h"

#include "ui/widget/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"

#define LEAST_SPAN_NS 40
#define BLANK_FROM    0.9 /* of the run: what has all events in less begins with them */

/* ---- life ---- */

/*
 * All events, and what had not ended; counters may run long before the first and after the last of them,
 * which would be a drawing that is blank but for theirs.
 */
static void find_first(struct tlv *v)
{
    int64_t from = INT64_MAX, to = INT64_MIN;

    for (size_t i = 0; i < lineup_n_tracks(v->l); i++) {
        const struct tl_track *t = lineup_track(v->l, i);
        if (t->is_counter)
            continue;
        const int64_t a = lineup_axis(v->l, lineup_part_of(v->l, i), t->t0),
                      b = lineup_axis(v->l, lineup_part_of(v->l, i), timeline_track_end(t));
        from = a < from ? a : from;
        to = b > to ? b : to;
    }
    const double share = from < to ? (double)(to - from) / (double)(v->span1 - v->span0) : 1;
    const bool part = share < BLANK_FROM;
    v->first0 = part ? from : v->span0;
    v->first1 = part ? to : v->span1;
}

int tlv_open(struct tlv *v, struct lineup *l, int64_t zero, struct err *e)
{
    bool again = v->t1 > v->t0;
    tlv_close(v);
    v->l = l;
    v->zero = zero;
    if (!lineup_span(l, &v->span0, &v->span1))
        v->span0 = v->span1 = zero;
    if (v->span1 <= v->span0)
        v->span1 = v->span0 + 1000;
    if (tlv_open_tracks(v, e)) {
        tlv_close(v);
        return e->code;
    }
    find_first(v);
    if (!again || v->t0 >= v->span1 || v->t1 <= v->span0) {
        tlv_window(v, v->first0, v->first1, false);
        v->cur = v->t0 + (v->t1 - v->t0) / 2;
    } else {
        tlv_window(v, v->t0, v->t1, false);
    }
    return tlv_make_rows(v, e);
}

void tlv_close(struct tlv *v)
{
    tlv_keep_tracks(v);
    free(v->rows);
    free(v->hidden);
    free(v->pinned);
    free(v->lanes);
    free(v->cells);
    free(v->kept_cells);
    free(v->map);
    free(v->facts);
    v->facts = NULL;
    timeline_sums_free(v->names.sums);
    v->names = (struct tlv_names){ .sums = NULL };
    v->rows = NULL;
    v->hidden = v->pinned = v->lanes = NULL;
    v->cells = NULL;
    v->kept_cells = NULL;
    v->match = NULL;
    v->map = NULL;
    v->map_w = 0;
    v->n_cells = v->n_rows = 0;
    v->l = NULL;
}

void tlv_free(struct tlv *v)
{
    tlv_close(v);
    free(v->kept);
    v->kept = NULL;
    v->n_kept = 0;
}

void tlv_moved(struct tlv *v)
{
    if (v->has_sel)
        v->sel.ts_ns = lineup_axis(v->l, lineup_part_of(v->l, v->sel.track), v->sel_stored);
    if (!lineup_span(v->l, &v->span0, &v->span1))
        return;
    if (v->span1 <= v->span0)
        v->span1 = v->span0 + 1000;
    free(v->map);
    v->map = NULL;
    timeline_sums_free(v->names.sums);
    v->names = (struct tlv_names){ .sums = NULL };
    tlv_window(v, v->t0, v->t1, false);
}

/* ---- window ---- */

int64_t tlv_cell_ns(const struct tlv *v)
{
    int64_t w = (v->t1 - v->t0) / (v->cols > 0 ? v->cols : 60);
    return w > 0 ? w : 1;
}

int64_t tlv_time_at(const struct tlv *v, int col)
{
    if (v->cols <= 0)
        return v->t0;
    return v->t0 + (int64_t)((double)(v->t1 - v->t0) * col / v->cols);
}

int tlv_col_at(const struct tlv *v, int64_t ts)
{
    if (ts < v->t0 || ts >= v->t1 || v->cols <= 0)
        return -1;
    int col = (int)((double)(ts - v->t0) * v->cols / (double)(v->t1 - v->t0));
    /* The cell whose time range holds ts, whatever the rounding. */
    while (col + 1 < v->cols && tlv_time_at(v, col + 1) <= ts)
        col++;
    while (col > 0 && tlv_time_at(v, col) > ts)
        col--;
    return col;
}

void tlv_window(struct tlv *v, int64_t t0, int64_t t1, bool remember)
{
    int64_t whole = v->span1 - v->span0, span = t1 - t0;
    if (span < LEAST_SPAN_NS)
        span = LEAST_SPAN_NS;
    if (span > whole + whole / 20 + 1)
        span = whole + whole / 20 + 1;
    /* At most half a window beyond the run. */
    if (t0 < v->span0 - span / 2)
        t0 = v->span0 - span / 2;
    if (t0 > v->span1 - span / 2)
        t0 = v->span1 - span / 2;
    if (span >= whole)
        t0 = v->span0;
    if (remember && v->t1 > v->t0) {
        if (v->n_undo == TLV_UNDO) {
            memmove(&v->undo[0], &v->undo[1], (TLV_UNDO - 1) * sizeof v->undo[0]);
            v->n_undo--;
        }
        v->undo[v->n_undo].t0 = v->t0;
        v->undo[v->n_undo++].t1 = v->t1;
    }
    v->t0 = t0;
    v->t1 = t0 + span;
    v->centred = false;
    if (v->cur < v->t0)
        v->cur = v->t0;
    if (v->cur >= v->t1)
        v->cur = v->t1 - 1;
}

void tlv_undo(struct tlv *v)
{
    if (!v->n_undo)
        return;
    v->n_undo--;
    tlv_window(v, v->undo[v->n_undo].t0, v->undo[v->n_undo].t1, false);
}

void tlv_zoom(struct tlv *v, bool in)
{
    int64_t span = v->t1 - v->t0, to = in ? span / 2 : span * 2;
    if (to < LEAST_SPAN_NS)
        to = LEAST_SPAN_NS;
    double share = (double)(v->cur - v->t0) / (double)span;
    int64_t t0 = v->cur - (int64_t)(share * (double)to);
    tlv_window(v, t0, t0 + to, true);
}

void tlv_pan(struct tlv *v, int quarters)
{
    int64_t by = (v->t1 - v->t0) / 4 * quarters;
    tlv_window(v, v->t0 + by, v->t1 + by, true);
}

void tlv_show(struct tlv *v, int64_t ts)
{
    int64_t span = v->t1 - v->t0;
    if (ts < v->t0 || ts >= v->t1)
        tlv_window(v, ts - span / 3, ts - span / 3 + span, true);
    v->cur = ts < v->t0 ? v->t0 : ts >= v->t1 ? v->t1 - 1 : ts;
}

void tlv_move(struct tlv *v, int cells)
{
    int col = tlv_col_at(v, v->cur), to = col + cells;
    if (to >= 0 && to < v->cols) {
        v->cur = tlv_time_at(v, to);
        return;
    }
    int64_t by = tlv_cell_ns(v) * (v->cols / 4 ? v->cols / 4 : 1), ts = v->cur + tlv_cell_ns(v) * cells;
    tlv_window(v, to < 0 ? v->t0 - by : v->t0 + by, to < 0 ? v->t1 - by : v->t1 + by, false);
    v->cur = ts < v->t0 ? v->t0 : ts >= v->t1 ? v->t1 - 1 : ts;
}

void tlv_fit(struct tlv *v)
{
    if (!v->has_sel)
        return;
    int64_t span = v->t1 - v->t0, dur = v->sel.dur_ns > 0 ? v->sel.dur_ns : LEAST_SPAN_NS;
    int64_t mid = v->sel.ts_ns + v->sel.dur_ns / 2;
    bool fit = v->centred;
    if (fit)
        span = dur + dur / 4;
    tlv_window(v, mid - span / 2, mid - span / 2 + span, true);
    v->cur = mid < v->t0 ? v->t0 : mid >= v->t1 ? v->t1 - 1 : mid;
    v->sel_cur = v->cur;
    v->centred = !fit;
}

bool tlv_at_selection(const struct tlv *v)
{
    return v->has_sel && v->cur == v->sel_cur;
}

void tlv_set_selection(struct tlv *v, const struct tl_event *ev)
{
    v->sel = *ev;
    v->has_sel = true;
    v->sel_cur = v->cur;
    v->sel_stored = lineup_stored(v->l, lineup_part_of(v->l, ev->track), ev->ts_ns);
}

void tlv_select(struct tlv *v, const struct tl_event *ev)
{
    tlv_set_selection(v, ev);
    tlv_show(v, ev->ts_ns);
    v->sel_cur = v->cur;
    for (size_t i = 0; i < v->n_rows; i++)
        if (v->rows[i].track == ev->track && (v->rows[i].lane < 0 || v->rows[i].lane == ev->lane)) {
            v->row = i;
            return;
        }
}

/* ---- texts ---- */

char *tlv_time(const struct tlv *v, int64_t ts, char *buf, size_t n)
{
    int64_t cell = tlv_cell_ns(v), x = ts - v->zero;
    if (v->t1 - v->t0 >= 20000000000)
        snprintf(buf, n, "%.3f s", (double)x / 1e9);
    else if (cell >= 10000)
        snprintf(buf, n, "%.2f ms", (double)x / 1e6);
    else if (cell >= 100)
        snprintf(buf, n, "%.3f ms", (double)x / 1e6);
    else
        snprintf(buf, n, "%.6f ms", (double)x / 1e6);
    return buf;
}

char *tlv_track_name(const struct tlv *v, size_t track, char *buf, size_t n)
{
    const struct tl_track *t = lineup_track(v->l, track);

    return str_copy(t->name.n ? t->name : t->kind, buf, n);
}

char *tlv_track_title(const struct tlv *v, size_t track, char *buf, size_t n)
{
    tlv_track_name(v, track, buf, n);
    size_t used = strlen(buf);
    if (lineup_track(v->l, track)->own_clock)
        snprintf(buf + used, n - used, " %s", tr("(own clock)"));
    return buf;
}
