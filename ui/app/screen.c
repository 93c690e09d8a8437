/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The anatomy of the screen (doc/screens.md#anatomy): title, pane bar, context, body, message row, key bar;
 * which of them go when the screen is small.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "model/run_list.h"
#include "model/windows.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

#define NOTE_ROWS   4  /* of a message that one row has no room for */
#define MIN_FILE    24 /* cells kept for the name of a file in a message, where the row has so many */
#define TYPING_ROOM 16 /* cells for the label of a prompt and for some more characters */

/*
 * Below 80x24 rows are given up in this order: key bar, pane bar, context row (doc/screens.md#anatomy).
 * Defined for every size.
 */
void screen_layout(int rows, int cols, struct screen_layout *l)
{
    bool keys = rows >= 20 && cols >= 60, panes = rows >= 16, context = rows >= 13;
    int y = 0;
    l->title = y++;
    l->panes = panes ? y++ : -1;
    l->context = context ? y++ : -1;
    int bottom = rows;
    l->keys = keys ? --bottom : -1;
    l->message = bottom > y ? --bottom : -1;
    l->body = (struct rect){ y, 0, bottom > y ? bottom - y : 0, cols };
}

static void add_click(struct app *a, int y, int x0, int x1, enum action act)
{
    if (a->n_clicks < ARRAY_LEN(a->clicks))
        a->clicks[a->n_clicks++] = (struct click_area){ y, x0, x1, act };
}

/* ---- title ---- */

#define RUN_FOLDER_MAX 60 /* bytes of a run's folder */
#define FOLDER_LEAST   6  /* cells of the folder that was opened: it gives way to the facts */

static void rank_text(const struct app *a, char *buf, size_t n)
{
    size_t now = session_current(a->s), runs = session_job(a->s)->n_runs, used;
    char folder[RUN_FOLDER_MAX];
    struct window w;
    buf[0] = '\0';
    if (!session_n_ranks(a->s))
        return;
    const struct session_rank *r = session_rank(a->s, now);
    if (runs > 1)
        snprintf(buf, n, tr("  run %zu of %zu %s"), session_run(a->s, now) + 1, runs,
                 run_list_folder(a->s, session_run(a->s, now), folder, sizeof folder));
    used = strlen(buf);
    if (session_n_beside(a->s) > 1)
        snprintf(buf + used, n - used, tr("  rank %d of %zu"), r->rank, session_n_beside(a->s));
    else if (r->known)
        snprintf(buf + used, n - used, "  rank %d", r->rank);
    else if (r->device >= 0)
        snprintf(buf + used, n - used, tr("  device %d"), r->device);
    used = strlen(buf);
    if (windows_unit(session_job(a->s)->units[r->unit], &w))
        snprintf(buf + used, n - used, tr("  window %" PRId64 "-%" PRId64), w.start, w.stop);
}

static void draw_title(struct app *a, int y)
{
    char rank[160], right[48] = "";
    int cols = canvas_cols(a->c), percent;
    draw_fill(a->c, (struct rect){ y, 0, 1, cols }, ROLE_TITLE, ' ');
    if (app_loading(a, &percent))
        snprintf(right, sizeof right, "LOAD %d%%", percent);
    else
        snprintf(right, sizeof right, "%s", a->title_state);
    int rw = text_cells_of(right), x = draw_puts(a->c, y, 0, cols, ROLE_TITLE, "npuscope  ");
    rank_text(a, rank, sizeof rank);
    int rest = text_cells_of(rank) + (a->title_facts[0] ? text_cells_of(a->title_facts) + 2 : 0);
    int room = cols - x - rw - 2;
    int w = room >= rest + FOLDER_LEAST ? room - rest : room > 24 ? 24 : room;
    x += draw_text(a->c, y, x, w, ROLE_TITLE, str_of(session_title(a->s)), CUT_START);
    x += draw_text(a->c, y, x, cols - x - rw - 1, ROLE_TITLE, str_of(rank), CUT_END);
    if (a->title_facts[0] && x + 2 + text_cells_of(a->title_facts) < cols - rw - 1)
        draw_puts(a->c, y, x + 2, cols - x - rw - 3, ROLE_TITLE, a->title_facts);
    if (rw && rw < cols)
        draw_puts(a->c, y, cols - rw - 1, rw, ROLE_TITLE, right);
}

/* ---- pane bar ---- */

/* Draw "3 Ops" or "[3 Ops]"; brief: the digit alone. Returns the width of the entry. */
static int draw_pane_name(struct app *a, int y, int x, const struct pane_def *d, bool brief)
{
    char key[16], text[48];
    bool on = d->id == a->current;
    keymap_key(a->keys, d->key, &(struct key_where){ .scopes = SC_GLOBAL }, key, sizeof key);
    if (on)
        snprintf(text, sizeof text, "[%s %s]", key, tr_pane(d->title));
    else if (brief)
        snprintf(text, sizeof text, "%s", key);
    else
        snprintf(text, sizeof text, "%s %s", key, tr_pane(d->title));
    int used = draw_puts(a->c, y, x, canvas_cols(a->c) - x, on ? ROLE_PANE_ON : ROLE_PANE, text);
    add_click(a, y, x, x + used, d->key);
    return used;
}

bool app_lists_pane(const struct app *a, enum pane_id id)
{
    return id != PANE_LOG || id == a->current || app_logs_exist(a);
}

static int pane_name_width(const struct pane_def *d)
{
    return (int)text_width(str_of(tr_pane(d->title)), 0);
}

static void draw_panes(struct app *a, int y)
{
    int cols = canvas_cols(a->c), need = 1, x = 0, n = N_PANES;
    for (int i = 0; i < N_PANES; i++)
        need += app_lists_pane(a, (enum pane_id)i) ? pane_name_width(&pane_defs[i]) + 3 : 0;
    /* The console, which is last, gives way before the names do. */
    int last = pane_name_width(&pane_defs[PANE_SQL]) + 3;
    if (need > cols && need - last <= cols && a->current != PANE_SQL) {
        need -= last;
        n--;
    }
    for (int i = 0; i < n && x < cols; i++)
        if (app_lists_pane(a, (enum pane_id)i))
            x += draw_pane_name(a, y, x, &pane_defs[i], need > cols) + 1;
}

/* ---- context row ---- */

/* The filters that are on, and what they keep: "1:^BN|Relu  6 of 24 types  75.5 ms  26.3% of AI Core". */
static int draw_filters(struct app *a, struct pane *p, struct table *t, int y)
{
    int cols = canvas_cols(a->c), x = table_draw_chips(t, a->c, y, 0, cols);
    struct buf b;

    if (p->depth || x >= cols)
        return x;
    buf_init(&b, 1024);
    pane_shown(p, &b);
    if (buf_str(&b).n)
        x += draw_text(a->c, y, x, cols - x, ROLE_TEXT, buf_str(&b), CUT_END) + 3;
    buf_done(&b);
    return x;
}

/* As many of its parts, which blanks keep apart, as have room in w cells; the first one in any case. */
static struct str whole_parts(struct str s, int w, unsigned flags)
{
    while ((int)text_width(s, flags) > w) {
        size_t at = s.n;
        while (at >= 2 && !(s.p[at - 1] == ' ' && s.p[at - 2] == ' '))
            at--;
        if (at < 2)
            break;
        s = str_trim((struct str){ s.p, at });
    }
    return s;
}

static void draw_context(struct app *a, int y)
{
    struct pane *p = app_pane(a);
    struct table *t = pane_table(p);
    struct buf b;
    int cols = canvas_cols(a->c), x = 0;
    p->n_tabs = 0;
    if (p->def->ops && p->def->ops->draw_context &&
        p->def->ops->draw_context(p, a->c, (struct rect){ y, 0, 1, cols }))
        return;
    /* On a level above the first the crumbs name its filter already. */
    if (t && table_n_filters(t) > (p->depth ? 1u : 0u))
        x = draw_filters(a, p, t, y);
    if (x >= cols)
        return;
    if (p->depth) {
        pane_draw_crumbs(p, a->c, (struct rect){ y, x, 1, cols - x });
        return;
    }
    buf_init(&b, 8192);
    pane_context(p, &b);
    const struct str rest = str_trim(buf_str(&b)); /* tabs get what it leaves */
    int left = rest.n ? (int)text_width(rest, a->flags) + 3 : 0;
    int used = pane_is_empty(p)
                   ? 0
                   : pane_draw_tabs(p, a->c, (struct rect){ y, x, 1, cols - x - left }, (cols - x) * 2 / 5);
    x += used ? used + 3 : 0;
    draw_text(a->c, y, x, cols - x, ROLE_DIM, whole_parts(rest, cols - x, a->flags), CUT_END);
    buf_done(&b);
}

/* ---- message row ---- */

/* What qualifies the figures on the screen; LOAD stands in the title bar. */
static void marker_text(struct app *a, char *buf, size_t n)
{
    struct session *s = a->s;
    int percent;
    buf[0] = '\0';
    if (!session_n_ranks(s) || app_loading(a, &percent))
        return;
    size_t unit = session_rank(s, session_current(s))->unit;
    if (session_store(s, unit) && session_is_partial(s, unit))
        snprintf(buf, n, "PARTIAL");
    else if (a->o.follow_ms > 0)
        snprintf(buf, n, "FOLLOW");
    else if (a->worker && a->worker_unit < session_job(s)->n_units)
        snprintf(buf, n, tr("reading %s"), session_job(s)->units[a->worker_unit]->name);
}

/* Position and marker at the right end; returns the cells used. */
static int draw_markers(struct app *a, int y, struct str position)
{
    char marker[200];
    int cols = canvas_cols(a->c);
    marker_text(a, marker, sizeof marker);
    int mw = (int)text_width(str_of(marker), a->flags), pw = (int)text_width(position, a->flags);
    if (mw > cols / 3)
        mw = cols / 3;
    int w = pw + mw + (pw && mw ? 2 : 0);
    if (!w || w >= cols)
        return 0;
    draw_text(a->c, y, cols - w, pw, ROLE_TEXT, position, CUT_END);
    draw_text(a->c, y, cols - mw, mw, *marker == 'P' ? ROLE_WARN : ROLE_DIM, str_of(marker), CUT_START);
    return w;
}

static void draw_prompt(struct app *a, int y, int *cy, int *cx)
{
    struct str candidates = prompt_candidates(a->prompt);
    char right[300] = "";
    int cols = canvas_cols(a->c), rw;
    if (a->ask == ASK_FILTER && a->filter_error[0])
        snprintf(right, sizeof right, "%s", a->filter_error);
    else if (a->ask == ASK_FILTER && !candidates.n)
        pane_filter_count(app_pane(a), right, sizeof right);
    else if (candidates.n)
        str_copy(candidates, right, sizeof right);
    rw = (int)text_width(str_of(right), a->flags);
    /* beside a short line there is room for more than half */
    int most = cols - (int)text_width(prompt_text(a->prompt), a->flags) - TYPING_ROOM;
    most = most > cols / 2 ? most : cols / 2;
    rw = rw < most ? rw : most;
    prompt_draw(a->prompt, a->c, (struct rect){ y, 0, 1, cols - (rw ? rw + 2 : 0) }, cy, cx);
    if (rw)
        draw_puts(a->c, y, cols - rw, rw, a->ask == ASK_FILTER && a->filter_error[0] ? ROLE_WARN : ROLE_DIM,
                  right);
}

/* In up to NOTE_ROWS lines, of which the last one is the message row: they lie over the body until a key. */
static void draw_long_note(struct app *a, int y, int room)
{
    struct str line[NOTE_ROWS];
    struct buf b;
    int n = 0;

    buf_init(&b, 4096);
    text_wrap(&b, str_of(a->message), room > 0 ? (size_t)room : 1, a->flags);
    struct str rest = buf_str(&b);
    while (n < NOTE_ROWS && str_next(&rest, '\n', &line[n]))
        n++;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n)
            draw_fill(a->c, (struct rect){ y - n + 1 + i, 0, 1, canvas_cols(a->c) }, ROLE_TEXT, ' ');
        draw_text(a->c, y - n + 1 + i, 0, room, a->message_role, line[i], CUT_END);
    }
    if (rest.n) /* not even so */
        draw_glyph(a->c, y, room - 1, a->message_role, G_CUT);
    buf_done(&b);
}

/*
 * When the row is too short for the message, the folders of the file are cut: the error itself has to be
 * readable.
 */
static void draw_note(struct app *a, int y, int room)
{
    struct str file = str_sub(str_of(a->message), 0, a->message_path);
    struct str rest = str_sub(str_of(a->message), file.n, SIZE_MAX);
    int left = room - (int)text_width(rest, a->flags), x = 0;

    left = left < MIN_FILE ? MIN_FILE : left;
    if ((file.n ? left : 0) + (int)text_width(rest, a->flags) > room && y >= NOTE_ROWS) {
        draw_long_note(a, y, room);
        return;
    }
    if (file.n)
        x = draw_text(a->c, y, 0, left < room ? left : room, a->message_role, file, CUT_TAIL);
    draw_text(a->c, y, x, room - x, a->message_role, rest, CUT_END);
}

static void draw_message(struct app *a, int y, int *cy, int *cx)
{
    struct buf left, right;
    if (a->prompt) {
        draw_prompt(a, y, cy, cx);
        return;
    }
    buf_init(&left, 1024);
    buf_init(&right, 256);
    if (a->overlay) {
        char pos[48];
        overlay_position(a->overlay, pos, sizeof pos);
        buf_puts(&right, pos);
    } else {
        pane_status(app_pane(a), &left, &right);
    }
    int w = draw_markers(a, y, buf_str(&right)), room = canvas_cols(a->c) - (w ? w + 2 : 0);
    if (a->message[0])
        draw_note(a, y, room);
    else
        draw_text(a->c, y, 0, room, ROLE_DIM, buf_str(&left), CUT_END);
    buf_done(&left);
    buf_done(&right);
}

/* ---- key bar ---- */

/* Within room, whole or not at all. Returns the cells used. */
static int draw_bar_item(struct app *a, struct rect room, const struct key_bar *b, const struct key_where *w)
{
    char k1[24], k2[24] = "";
    const int y = room.y, from = room.x, cols = room.x + room.w;
    int x = from;
    keymap_key(a->keys, b->a, w, k1, sizeof k1);
    if (b->b)
        keymap_key(a->keys, b->b, w, k2, sizeof k2);
    if (!k1[0] && !k2[0])
        return 0;
    enum action act = k1[0] ? b->a : b->b;
    if (!k1[0]) { /* of a pair only the second one works */
        str_copy(str_of(k2), k1, sizeof k1);
        k2[0] = '\0';
    }
    const struct key_row *row = key_row_of(act, w->scopes);
    const char *label = tr_key(b->label ? b->label : row ? row->label : "");
    int need = (int)(strlen(k1) + (k2[0] ? strlen(k2) + 1 : 0) + 1 + (size_t)text_cells_of(label));
    if (x + need > cols)
        return 0;
    x += draw_puts(a->c, y, x, cols - x, ROLE_BOLD, k1);
    if (k2[0]) {
        x++;
        x += draw_puts(a->c, y, x, cols - x, ROLE_BOLD, k2);
    }
    x++;
    x += draw_puts(a->c, y, x, cols - x, ROLE_DIM, label);
    add_click(a, y, from, x, act);
    return x - from;
}

static const struct key_bar *bar_of(struct app *a, size_t *n)
{
    return a->overlay ? overlay_bar(a->overlay, n) : pane_bar(app_pane(a), n);
}

/* A prompt has its own keys; they are not in the key table because the line editor takes every key. */
static const char *prompt_hint(const struct app *a)
{
    switch (a->ask) {
    case ASK_FILTER:
        return N_("Enter apply  Esc cancel  Tab complete  ^R history  ! negate  F1 syntax");
    case ASK_SEARCH:
        return N_("Enter search  Esc cancel  Up history");
    case ASK_COMMAND:
        return N_("Enter run  Esc cancel  Tab complete  Up history  F1 commands");
    default:
        return N_("Enter accept  Esc cancel");
    }
}

/* Cells of the key that lists all others: what the bar has no room for is there. */
static int help_width(const struct app *a, const struct key_where *w)
{
    const struct key_row *row = key_row_of(ACT_HELP, w->scopes);
    char key[24];

    keymap_key(a->keys, ACT_HELP, w, key, sizeof key);
    return key[0] ? (int)strlen(key) + 1 + text_cells_of(tr_key(row ? row->label : "")) : 0;
}

static void draw_keys(struct app *a, int y)
{
    static const struct key_bar tail[] = { { ACT_HELP, ACT_NONE, NULL }, { ACT_BACK, ACT_NONE, NULL } };
    size_t n;
    if (a->prompt) {
        draw_puts(a->c, y, 0, canvas_cols(a->c), ROLE_DIM, tr(prompt_hint(a)));
        return;
    }
    const struct key_bar *bar = bar_of(a, &n);
    const struct key_where w = app_where(a);
    const int cols = canvas_cols(a->c), keep = a->overlay ? 0 : help_width(a, &w) + 2;
    int x = 0;
    for (size_t i = 0; i < n; i++) {
        int used = draw_bar_item(a, (struct rect){ y, x, 1, cols - keep - x }, &bar[i], &w);
        x += used ? used + 2 : 0;
    }
    if (!a->overlay && runs_are_several(a)) { /* how to the others that lie there */
        int used = draw_bar_item(a, (struct rect){ y, x, 1, cols - keep - x },
                                 &(struct key_bar){ ACT_WINDOWS, ACT_NONE, NULL }, &w);
        x += used ? used + 2 : 0;
    }
    for (size_t i = 0; !a->overlay && i < ARRAY_LEN(tail); i++) {
        struct key_bar b = tail[i];
        if (b.a == ACT_BACK && a->current == PANE_TRIAGE && !app_pane(a)->depth && !a->n_jumps)
            b.label = "quit";
        if (b.a == ACT_BACK && pane_takes(app_pane(a), 'q'))
            b = (struct key_bar){ ACT_ESCAPE, ACT_NONE, "back" };
        int used = draw_bar_item(a, (struct rect){ y, x, 1, cols - x }, &b, &w);
        x += used ? used + 2 : 0;
    }
}

/* ---- all of it ---- */

static void draw_body(struct app *a, struct rect body)
{
    struct pane *p = app_pane(a);
    int percent;
    pane_show(p);
    bool loading = app_loading(a, &percent);
    if (loading && !pane_has_data(p) && p->err.code == OK) {
        app_draw_reading(a, body);
        return;
    }
    pane_draw(p, a->c, body);
}

static void draw_too_small(struct app *a)
{
    char text[80];
    struct buf b;
    buf_init(&b, 4096);
    snprintf(text, sizeof text, tr("npuscope needs at least %dx%d (now %dx%d)"), MIN_COLS, MIN_ROWS, a->cols,
             a->rows);
    text_wrap(&b, str_of(text), (size_t)(a->cols > 0 ? a->cols : 1), a->flags);
    struct str rest = buf_str(&b), line;
    for (int y = 0; y < a->rows && str_next(&rest, '\n', &line); y++)
        draw_text(a->c, y, 0, a->cols, ROLE_TEXT, line, CUT_END);
    buf_done(&b);
}

void screen_draw(struct app *a, int *cy, int *cx)
{
    struct screen_layout l;
    *cy = *cx = -1;
    canvas_clear(a->c);
    a->n_clicks = 0;
    a->cursor_y = a->cursor_x = -1;
    if (a->rows < MIN_ROWS || a->cols < MIN_COLS) {
        draw_too_small(a);
        return;
    }
    screen_layout(a->rows, a->cols, &l);
    draw_body(a, l.body); /* first, because it may attach and so change the other rows */
    draw_title(a, l.title);
    if (l.panes >= 0)
        draw_panes(a, l.panes);
    if (l.context >= 0)
        draw_context(a, l.context);
    if (a->overlay)
        overlay_draw(a->overlay, a->c, l.body);
    if (l.message >= 0)
        draw_message(a, l.message, cy, cx);
    if (l.keys >= 0)
        draw_keys(a, l.keys);
    if (*cy < 0) {
        *cy = a->cursor_y;
        *cx = a->cursor_x;
    }
}
