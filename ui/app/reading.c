/* SPDX-License-Identifier: Apache-2.0 */
/* What the body shows of a rank that is being read: how far it is, and of a job how far the others are. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/app/app_int.h"
#include "ui/widget/draw.h"

#define HINT_H  4 /* lines for what can be done meanwhile */
#define LABEL_W 11
#define BAR_W   30

/* ---- the other units of a job ---- */

enum unit_state { UNIT_WAITS, UNIT_READING, UNIT_READ, N_UNIT_STATES };

static const struct unit_look {
    const char *word;
    char plain;
    uint32_t cell;
    enum role role;
} looks[N_UNIT_STATES] = {
    [UNIT_WAITS] = { N_("waits"), '.', 0x00b7, ROLE_DIM },      /* · */
    [UNIT_READING] = { N_("reading"), '+', 0x2592, ROLE_INFO }, /* ▒ */
    [UNIT_READ] = { N_("read"), '#', 0x2588, ROLE_TEXT },       /* █ */
};

static enum unit_state state_of(struct app *a, size_t unit)
{
    if (a->here_unit == unit || (a->worker && a->worker_unit == unit))
        return UNIT_READING;
    return session_store(a->s, unit) || (a->job && jobread_has(a->job, unit)) ? UNIT_READ : UNIT_WAITS;
}

static int rank_of(const struct session *s, size_t unit)
{
    for (size_t i = 0; i < session_n_ranks(s); i++)
        if (session_rank(s, i)->unit == unit)
            return session_rank(s, i)->rank;
    return -1;
}

/* "rank 3   ━━━━━━────  43%", "rank 4   waits": a line for each. */
static void draw_lines(struct app *a, const struct worker_status *w, struct rect r, size_t n)
{
    char text[40];

    for (size_t u = 0; u < n; u++) {
        const enum unit_state state = state_of(a, u);
        const int y = r.y + (int)u;
        snprintf(text, sizeof text, tr("rank %d"), rank_of(a->s, u));
        draw_puts(a->c, y, r.x, LABEL_W - 1, ROLE_DIM, text);
        if (state != UNIT_READING || !w->total_b || r.w < LABEL_W + BAR_W + 6) {
            draw_puts(a->c, y, r.x + LABEL_W, r.w - LABEL_W, looks[state].role, tr(looks[state].word));
            continue;
        }
        draw_thin_bar(a->c, y, r.x + LABEL_W, BAR_W, (double)w->done_b, (double)w->total_b, ROLE_INFO);
        snprintf(text, sizeof text, "%.0f%%", 100.0 * (double)w->done_b / (double)w->total_b);
        draw_puts(a->c, y, r.x + LABEL_W + BAR_W + 1, 5, ROLE_TEXT, text);
    }
}

/* A cell for each, or for so many that all have room: it shows the one that is least far. */
static void draw_cells(struct app *a, struct rect r, size_t n)
{
    const size_t cells = (size_t)r.w * (size_t)r.h, each = (n + cells - 1) / cells;

    for (size_t at = 0, cell = 0; at < n; at += each, cell++) {
        enum unit_state least = UNIT_READ;
        for (size_t u = at; u < n && u < at + each; u++)
            least = state_of(a, u) < least ? state_of(a, u) : least;
        const struct unit_look *k = &looks[least];
        draw_cp(a->c, r.y + (int)(cell / (size_t)r.w), r.x + (int)(cell % (size_t)r.w), k->role,
                canvas_is_ascii(a->c) ? (uint32_t)k->plain : k->cell);
    }
}

/* Returns the rows used: none where there is one unit, or no room. */
static int draw_units(struct app *a, const struct worker_status *w, struct rect r)
{
    const size_t n = session_job(a->s)->n_units;
    size_t done = 0;

    if (n < 2 || r.h < 2 || r.w < 20)
        return 0;
    for (size_t u = 0; u < n; u++)
        done += state_of(a, u) == UNIT_READ;
    draw_printf(a->c, r.y, r.x, r.w, ROLE_TEXT, tr("ranks    %zu of %zu are read"), done, n);
    r = (struct rect){ r.y + 1, r.x, r.h - 1, r.w };
    if (n <= (size_t)r.h) {
        draw_lines(a, w, r, n);
        return (int)n + 2;
    }
    draw_cells(a, r, n);
    const size_t rows = (n + (size_t)r.w - 1) / (size_t)r.w;
    return (rows < (size_t)r.h ? (int)rows : r.h) + 2;
}

/* ---- the one in front ---- */

static void size_pair(uint64_t done, uint64_t total, char *buf, size_t n)
{
    char x[32], y[32];
    enum size_unit u = unit_size_for((double)total);
    snprintf(buf, n, tr("%s of %s"), unit_size(x, sizeof x, (double)done, u),
             unit_size(y, sizeof y, (double)total, u));
}

static void progress_line(const struct worker_status *w, char *buf, size_t n)
{
    char sizes[80], rate[32], left[48] = "";
    size_pair(w->done_b, w->total_b, sizes, sizeof sizes);
    double per_s = w->seconds > 0.2 ? (double)w->done_b / w->seconds : 0;
    unit_size(rate, sizeof rate, per_s, SIZE_AUTO);
    if (per_s > 0 && w->total_b > w->done_b) {
        char t[24];
        unit_rough_time(t, sizeof t, (double)(w->total_b - w->done_b) / per_s * 1e9);
        snprintf(left, sizeof left, tr("   about %s left"), t);
    }
    snprintf(buf, n, tr("Reading the profile   %s   %s/s%s"), sizes, rate, left);
}

void app_draw_reading(struct app *a, struct rect r)
{
    const struct worker_status *w = app_reads(a);
    char text[300];
    if (r.h < 3 || !w)
        return;
    int y = r.y + (r.h > 8 ? 1 : 0), x = r.x + 1, width = r.w - 2;
    progress_line(w, text, sizeof text);
    draw_puts(a->c, y, x, width, ROLE_TEXT, text);
    bool ascii = canvas_is_ascii(a->c);
    if (ascii) {
        draw_puts(a->c, y + 1, x, 1, ROLE_DIM, "[");
        draw_puts(a->c, y + 1, x + width - 1, 1, ROLE_DIM, "]");
    }
    draw_bar(a->c, y + 1, x + ascii, width - 2 * ascii, (double)w->done_b, (double)w->total_b, ROLE_INFO, 0);
    if (r.h < 8)
        return;
    int row = y + 3;
    if (w->files_total)
        draw_printf(a->c, row++, x + 1, width, ROLE_TEXT, tr("done     %u of %u files"), w->files_done,
                    w->files_total);
    if (w->last[0])
        draw_printf(a->c, row++, x + 1, width, ROLE_TEXT, tr("last     %s   %" PRIu64 " rows"), w->last,
                    w->last_rows);
    if (w->now[0])
        draw_printf(a->c, row++, x + 1, width, ROLE_TEXT, tr("now      %s"), w->now);
    row += draw_units(a, w, (struct rect){ row + 1, x + 1, r.y + r.h - row - 1 - HINT_H, width - 1 });
    (void)draw_wrap(a->c, (struct rect){ row + 1, x + 1, r.y + r.h - row - 1, width - 1 }, ROLE_DIM,
                    str_of(a->worker
                               ? tr("What is read already can be looked at: press a pane key. ^C stops "
                                    "and keeps what is read.")
                               : tr("There is no cache: the profile is read into memory, keys wait. Esc "
                                    "stops and keeps what is read.")));
}
