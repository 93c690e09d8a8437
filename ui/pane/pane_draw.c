/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a pane: what is above the table, the table, totals, detail; empty states. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "model/views/empty.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"

#define SUM_ROWS 20000 /* added up in a few milliseconds */

/* ---- facts ---- */

/* "total_ns" -> "total". */
static void fact_title(const struct fact *f, char *buf, size_t n)
{
    static const char *const suffixes[] = { "_ts_ns",  "_ns",    "_bytes_per_s", "_b",
                                            "_pct",    "_ratio", "_flops_per_s", "_tflops_per_s",
                                            "_mflops", "_flops", "_mhz",         "_count" };
    struct str s = str_of(f->name);
    if (f->unit != VU_NONE)
        for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
            if (str_ends(s, str_of(suffixes[i]))) {
                s.n -= strlen(suffixes[i]);
                break;
            }
    str_copy(s, buf, n);
    for (char *c = buf; *c; c++)
        if (*c == '_')
            *c = ' ';
}

/*
 * Draw "name value name value" of a row of facts, wrapped to the width of a; returns the lines. c NULL: only
 * count. Names lose their unit, '_' becomes a blank.
 */
static int draw_facts(const struct facts *f, struct canvas *c, struct rect a)
{
    int y = 0, x = 0;
    for (size_t i = 0; i < f->n; i++) {
        char name[64], value[256];
        const struct view_col col = { .unit = f->f[i].unit, .title = "" };
        if (f->f[i].v.t == VAL_NULL)
            continue;
        fact_title(&f->f[i], name, sizeof name);
        const char *title = tr(name);
        cell_string(value, sizeof value, &col, &f->f[i].v, &(struct cell_units){ 0 });
        unsigned flags = c ? canvas_flags(c) : 0;
        int tw = text_cells_of(title), need = tw + 1 + (int)text_width(str_of(value), flags);
        if (x && x + 3 + need > a.w) {
            y++;
            x = 0;
        }
        x += x ? 3 : 0;
        if (c && y < a.h) {
            draw_puts(c, a.y + y, a.x + x, a.w - x, ROLE_DIM, title);
            draw_puts(c, a.y + y, a.x + x + tw + 1, a.w - x - tw - 1, ROLE_TEXT, value);
        }
        x += need;
    }
    return x ? y + 1 : y;
}

int pane_draw_times(const struct pane_time *t, size_t n, struct canvas *c, struct rect a)
{
    int x = 0;
    for (size_t i = 0; i < n; i++) {
        char value[40];
        unit_time(value, sizeof value, t[i].ns, TIME_AUTO);
        int gap = x ? 3 : 0, name_w = text_cells_of(tr(t[i].name)) + 1;
        if (x + gap + name_w + (int)strlen(value) > a.w)
            break;
        x += gap;
        if (c)
            draw_puts(c, a.y, a.x + x, name_w, ROLE_DIM, tr(t[i].name));
        x += name_w;
        x += c ? draw_puts(c, a.y, a.x + x, a.w - x, ROLE_TEXT, value) : text_cells_of(value);
    }
    return x;
}

static void need_summary(struct pane *p)
{
    size_t n;
    struct err ignored = ERR_INIT;
    struct session *s = app_session(p->app);
    const struct view_def *d = p->views[p->view].def;
    if (p->summary_of == d)
        return;
    facts_done(&p->summary);
    const struct view_part *parts = session_parts(s, p->def->all_ranks, &n);
    p->summary_of = d;
    if (view_summary(d, parts, n, session_scope(s), &p->summary, &ignored))
        p->summary.n = 0;
}

static int draw_summary(struct pane *p, struct canvas *c, struct rect a)
{
    if (p->depth || p->view >= p->n_views || !p->views[p->view].def->summary)
        return 0;
    need_summary(p);
    return draw_facts(&p->summary, c, a);
}

static int below(struct pane *p, struct canvas *c, struct rect a)
{
    int rows = draw_summary(p, c, a);
    if (p->def->ops && p->def->ops->below && !p->depth) {
        struct rect rest = { a.y + rows, a.x, a.h - rows, a.w };
        rows += p->def->ops->below(p, c, rest);
    }
    return rows;
}

int pane_cmp_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* ---- empty ---- */

static struct store *store_of(struct session *s)
{
    if (!session_n_ranks(s))
        return NULL;
    return session_store(s, session_rank(s, session_current(s))->unit);
}

static const struct runinfo *info_of(struct session *s)
{
    const struct job *j = session_job(s);
    if (!session_n_ranks(s) || !j->n_units)
        return NULL;
    return &j->units[session_rank(s, session_current(s))->unit]->info;
}

/* "Why             the option ...": the word dim, the text wrapped to the right of it. */
static int draw_paragraph(struct canvas *c, struct rect a, int y, struct str line)
{
    const int left = EMPTY_WORD_W;
    size_t at = 0; /* bytes of the word and its blanks */
    while (at < line.n &&
           (((unsigned char)line.p[at] & 0xc0) == 0x80 || text_width(str_sub(line, 0, at), 0) < EMPTY_WORD_W))
        at++;
    if (line.n <= at)
        return y + 1;
    struct buf b;
    buf_init(&b, 65536);
    text_wrap(&b, str_sub(line, at, line.n), (size_t)(a.w > 30 ? a.w - 18 : 12), canvas_flags(c));
    struct str rest = buf_str(&b), part;
    draw_text(c, a.y + y, a.x, left, ROLE_DIM, str_trim(str_sub(line, 0, at)), CUT_END);
    for (; y < a.h && str_next(&rest, '\n', &part); y++)
        draw_text(c, a.y + y, a.x + left, a.w - left, ROLE_TEXT, part, CUT_END);
    buf_done(&b);
    return y;
}

void pane_draw_empty(struct pane *p, struct canvas *c, struct rect a, const char *id)
{
    const struct empty_state *s = empty_find(id ? id : p->def->empty);
    struct rect in = { a.y + (a.h > 12 ? 2 : 0), a.x + 3, a.h - (a.h > 12 ? 2 : 0), a.w - 5 };
    if (p->def->id == PANE_FILES && !session_job(app_session(p->app))->n_units) {
        draw_puts(c, in.y, in.x, in.w, ROLE_TEXT,
                  tr("There is no profile here, only logs: view files of the Log pane lists them."));
        return;
    }
    if (!s) {
        draw_puts(c, in.y, in.x, in.w, ROLE_TEXT, tr("There is nothing to show here."));
        return;
    }
    struct buf b;
    buf_init(&b, 65536);
    if (!session_job(app_session(p->app))->n_units)
        empty_text_of_logs(s, &b);
    else if (!empty_known_text(store_of(app_session(p->app)), s, &b))
        empty_text(s, info_of(app_session(p->app)), &b);
    struct str rest = buf_str(&b), line;
    int y = 0;
    if (str_next(&rest, '\n', &line))
        draw_text(c, in.y + y++, in.x, in.w, ROLE_BOLD, line, CUT_END);
    while (y < in.h && str_next(&rest, '\n', &line))
        y = draw_paragraph(c, in, y, line);
    buf_done(&b);
}

/* ---- body ---- */

void pane_draw_error(struct canvas *c, struct rect a, const struct err *e)
{
    char text[600];
    struct buf b;
    buf_init(&b, 65536);
    text_wrap(&b, str_of(tr_said_error(e, text, sizeof text)), (size_t)(a.w > 20 ? a.w - 6 : 14),
              canvas_flags(c));
    bool stopped = e->code == ERR_CANCELLED;
    draw_puts(c, a.y + 1, a.x + 3, a.w - 6, stopped ? ROLE_BOLD : ROLE_ERROR,
              stopped ? tr("This was stopped before it was done; the key of the pane begins again.")
                      : tr("This could not be read."));
    if (stopped) {
        buf_done(&b);
        return;
    }
    struct str rest = buf_str(&b), line;
    for (int y = 3; y < a.h && str_next(&rest, '\n', &line); y++)
        draw_text(c, a.y + y, a.x + 3, a.w - 6, ROLE_TEXT, line, CUT_END);
    buf_done(&b);
}

/* low: rows for what stands below the table; all lines where a short table leaves them. */
static int detail_lines(struct table *t, struct rect a, int low, bool beside)
{
    if (!table_detail_on(t) || beside)
        return 0;
    int n = table_detail_lines(t, a.w - 2), most = a.h - low < 12 ? 0 : (a.h - low) / 3;
    size_t used = table_rows(t) + 1 + (size_t)low + (low > 0);
    return n <= most || (low && used + 1 + (size_t)n <= (size_t)a.h) ? n : most;
}

static bool is_dashboard(const struct pane *p)
{
    return p->def->ops && p->def->ops->whole_width && !p->depth;
}

/* Other views in two columns. */
static void draw_in_columns(struct pane *p, struct canvas *c, struct rect a)
{
    const int left = a.w / 2;

    pane_draw_room(
        p, c, (struct rect[]){ { a.y, a.x, a.h, left - 1 }, { a.y, a.x + left + 1, a.h, a.w - left - 1 } });
}

static void draw_with_table(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    int top = p->def->ops && p->def->ops->above && !p->depth ? p->def->ops->above(p, c, a) : 0;
    a.y += top;
    a.h -= top;
    const int beside = pane_beside_width(p, t, c, a);
    const int card =
        beside ? pane_draw_beside(p, t, c, (struct rect){ a.y, a.x + a.w - beside, a.h, beside }) : 0;
    a.w -= beside;
    table_fit(t, c, a); /* the detail shows the columns that have no room */
    const size_t rows = table_rows(t) + 1;
    int low = a.h >= 10 || rows + 1 < (size_t)a.h ? below(p, NULL, (struct rect){ 0, 0, 0, a.w - 2 }) : 0;
    const int half = a.h < 10 ? 0 : low > a.h / 2 ? a.h / 2 : low;
    const int det = detail_lines(t, a, half, beside);
    const int left_over = rows < (size_t)a.h ? a.h - (int)rows - 1 - (det ? det + 1 : 0) : 0;
    if (low > half) /* a half, or what a short table leaves */
        low = left_over < half ? half : left_over < low ? left_over : low;
    int h = a.h - (low ? low + 1 : 0) - (det ? det + 1 : 0);
    table_draw(t, c, (struct rect){ a.y, a.x, h, a.w });
    /* What belongs to a short table is drawn right below it, not at the bottom of the screen. */
    int used = (size_t)h > rows && low ? (int)rows : h;
    if (low)
        below(p, c, (struct rect){ a.y + used + 1, a.x + 1, low, a.w - 2 });
    int end = (used < h || !low ? (int)rows : used) + (low ? low + 1 : 0);
    p->room.hidden = rows > (size_t)h ? rows - (size_t)h : 0;
    const struct rect left = { a.y + end, a.x, a.h - end - (det ? det + 1 : 0), a.w };
    if (beside)
        pane_draw_room(p, c, (struct rect[]){ left, { a.y + card, a.x + a.w + 1, a.h - card, beside - 1 } });
    else if (is_dashboard(p) && a.w >= PANE_WIDE)
        draw_in_columns(p, c, left);
    if (det)
        table_draw_detail(t, c, (struct rect){ a.y + a.h - det, a.x + 1, det, a.w - 2 });
}

int pane_beside_drawing(const struct pane *p, struct rect a)
{
    const int from = p->def->ops ? p->def->ops->room_from : 0;
    return from && a.w >= from ? a.w * 2 / 5 : 0;
}

/* Beside and below a drawing of the pane; on a wide screen below it in two columns. */
static void draw_with_rest(struct pane *p, struct canvas *c, struct rect a, int used)
{
    const int beside = pane_beside_drawing(p, a), left = a.w - beside;

    p->room.hidden = 0;
    for (int y = 0; beside && y < a.h; y++)
        draw_glyph(c, a.y + y, a.x + left, ROLE_DIM, G_VLINE);
    if (beside) /* the empty line above a view is for what is drawn above it */
        pane_draw_room(p, c,
                       (struct rect[]){ { a.y + used, a.x, a.h - used, left - 1 },
                                        { a.y - 1, a.x + left + 1, a.h + 1, beside - 1 } });
    else if (a.w >= PANE_WIDE && used < a.h)
        draw_in_columns(p, c, (struct rect){ a.y + used, a.x, a.h - used, a.w });
}

void pane_draw(struct pane *p, struct canvas *c, struct rect a)
{
    if (p->err.code) {
        pane_draw_error(c, a, &p->err);
        return;
    }
    if (p->def->ops && p->def->ops->draw && p->def->ops->draw(p, c, a))
        return;
    if (p->depth && p->stack[p->depth - 1].is_card) {
        pane_draw_card(&p->stack[p->depth - 1], c, a);
        return;
    }
    if (!p->depth && !pane_has_data(p)) {
        pane_draw_empty(p, c, a, p->n_views ? p->views[0].def->empty : NULL);
        return;
    }
    if (!p->depth && p->view >= p->n_views) {
        size_t m = p->view - p->n_views;
        if (m < p->def->n_modes)
            draw_with_rest(p, c, a, p->def->modes[m].draw(p, c, a));
        return;
    }
    struct table *t = pane_table(p);
    /* A view may have no rows for this rank although its tables have rows. */
    if (t && !p->depth && table_view(t) && !view_total(table_view(t)) && table_def(t)->empty)
        pane_draw_empty(p, c, a, table_def(t)->empty);
    else if (t)
        draw_with_table(p, t, c, a);
}

/* ---- context and status ---- */

static void add_steps(struct pane *p, struct buf *out)
{
    const struct view_scope *s = session_scope(app_session(p->app));
    char steps[48];
    if (!view_scope_all(s))
        buf_printf(out, tr("   steps %s"), view_scope_steps(s, steps, sizeof steps));
}

/* Name of level i; level 0 is the pane itself. */
static const char *crumb(const struct pane *p, size_t i)
{
    if (!i)
        return tr_pane(p->def->title);
    const struct level *l = &p->stack[i - 1];
    const char *unit = table_def(l->t)->unit_of;
    return l->crumb[0] ? l->crumb : unit ? unit : "row";
}

/*
 * The last crumb is what the reader looks at: half of the row is its own if it needs it. Those before it
 * share the rest, or go when the rest is too little. All are cut in their middle.
 */
void pane_draw_crumbs(struct pane *p, struct canvas *c, struct rect a)
{
    struct buf steps;
    unsigned flags = canvas_flags(c);
    buf_init(&steps, 256);
    add_steps(p, &steps);
    int sw = (int)text_width(buf_str(&steps), flags), w = a.w - sw, x = 0;
    int last = (int)text_width(str_of(crumb(p, p->depth)), flags), before = 0;
    for (size_t i = 0; i < p->depth; i++)
        before += (int)text_width(str_of(crumb(p, i)), flags) + 3;
    int half = last < w / 2 ? last : w / 2, room = w - half; /* cells for the crumbs before */
    room = w - last > room ? w - last : room;
    for (size_t i = 0; i < p->depth && room >= 8 * (int)p->depth; i++) {
        int each = before <= room ? w : room / (int)p->depth - 3;
        x += draw_text(c, a.y, a.x + x, each, ROLE_DIM, str_of(crumb(p, i)), CUT_PATH);
        x += draw_puts(c, a.y, a.x + x, 3, ROLE_DIM, " > ");
    }
    x += draw_text(c, a.y, a.x + x, w - x, ROLE_TEXT, str_of(crumb(p, p->depth)), CUT_PATH);
    draw_text(c, a.y, a.x + x, sw, ROLE_DIM, buf_str(&steps), CUT_END);
    buf_done(&steps);
}

void pane_context(struct pane *p, struct buf *out)
{
    static const char *const sizes[] = { "", "GiB", "MiB", "KiB", "B" };
    if (pane_is_empty(p))
        return;
    struct buf own;
    buf_init(&own, 4096);
    add_steps(p, out); /* first: what has no room goes from the end */
    if (p->def->ops && p->def->ops->context)
        p->def->ops->context(p, &own);
    if (own.n)
        buf_printf(out, "%s%.*s", out->n ? "   " : "", (int)own.n, own.p);
    buf_done(&own);
    struct table *t = pane_table(p);
    if (t && table_units(t).time != TIME_AUTO)
        buf_printf(out, tr("   unit %s, %s"), unit_time_name(table_units(t).time),
                   sizes[table_units(t).size]);
}

/* What shares of a view are of; views that are not here have none. */
static const struct {
    const char *prefix, *of;
} share_of[] = { { "ops.", "AI Core" },
                 { "op.", "AI Core" },
                 { "comm.", N_("communication") },
                 { "host.aicpu", "AI CPU" },
                 { "flops.", N_("all FLOPs") } };

void pane_filtered_sum(const struct pane *p, struct table *t, bool named, struct buf *out)
{
    struct view *v = table_view(t);
    struct err ignored = ERR_INIT;
    char text[40];
    double min, max, sum;
    size_t n = table_rows(t), ranks = 0;

    (void)session_parts(app_session(p->app), p->def->all_ranks, &ranks);
    if (!v || n == view_total(v) || !n || n > SUM_ROWS || table_is_counting(t))
        return;
    int share = view_find_col(v, "share_pct"), time = view_find_col(v, "total_ns");
    const char *gap = named ? "   " : "  ";
    if (share >= 0 && time >= 0 && view_range(v, time, &min, &max, &sum, &ignored))
        buf_printf(out, "%s%s%s%s", gap, named ? view_col_title(view_col(v, (size_t)time)) : "",
                   named ? " " : "", unit_time(text, sizeof text, sum, table_units(t).time));
    for (size_t i = 0; share >= 0 && ranks == 1 && i < ARRAY_LEN(share_of); i++)
        if (str_starts(str_of(table_def(t)->id), str_of(share_of[i].prefix)) &&
            view_range(v, share, &min, &max, &sum, &ignored)) {
            buf_printf(out, tr("%s%s of %s"), gap, unit_percent(text, sizeof text, sum / 100),
                       tr(share_of[i].of));
            return;
        }
}

struct str pane_unit(const struct view *v, size_t n)
{
    const struct view_def *d = view_definition(v);
    const char *plural = d->unit_of ? d->unit_of : "rows";
    struct str unit = str_of(tr_unit(plural));

    unit.n -= n == 1 && tr_is_english() && str_ends(unit, STR("s")); /* "1 step" */
    return unit;
}

/* Rows of several ranks that are one: the title says of which rank the screen is. */
static void add_merged(struct pane *p, const struct table *t, struct buf *out)
{
    size_t ranks = 0;

    (void)session_parts(app_session(p->app), p->def->all_ranks, &ranks);
    if (table_def(t)->merge && !table_def(t)->merge->no_sums && ranks > 1)
        buf_printf(out, tr(", sums of %zu ranks"), ranks);
}

/* "6 of 24 types", of one "1 of 24 types", of all "24 types". */
static void add_count(struct pane *p, struct table *t, struct buf *out)
{
    size_t n = table_rows(t), total = view_total(table_view(t));

    if (p->def->ops && p->def->ops->count && p->def->ops->count(p, t, out))
        return;
    if (table_is_counting(t))
        buf_printf(out, tr(">= %zu of %zu "), n, total);
    else if (n != total)
        buf_printf(out, tr("%zu of %zu "), n, total);
    else
        buf_printf(out, "%zu ", total);
    buf_add(out, pane_unit(table_view(t), total));
    add_merged(p, t, out);
}

void pane_shown(struct pane *p, struct buf *out)
{
    struct table *t = pane_table(p);

    if (!t || !table_view(t) || !view_total(table_view(t)))
        return;
    add_count(p, t, out);
    pane_filtered_sum(p, t, false, out);
}

void pane_status(struct pane *p, struct buf *left, struct buf *right)
{
    if (pane_is_empty(p)) {
        buf_puts(left, tr("no data"));
        return;
    }
    if (p->def->ops && p->def->ops->status && !p->depth) {
        p->def->ops->status(p, left, right);
        if (left->n || right->n)
            return;
    }
    const struct level *l = p->depth ? &p->stack[p->depth - 1] : NULL;
    if (l && l->is_card && l->lines > l->room)
        buf_printf(right, tr("lines %d-%d of %d"), l->scroll + 1, l->scroll + l->room, l->lines);
    struct table *t = pane_table(p);
    if (!t || !table_view(t))
        return;
    bool desc;
    size_t n = table_rows(t);
    int col = view_sorted_by(table_view(t), &desc);
    if (!view_total(table_view(t)))
        return;
    add_count(p, t, left);
    struct screen_layout at;
    screen_layout(p->app->rows, p->app->cols, &at);
    if (p->depth || at.context < 0) /* else it stands above the table */
        pane_filtered_sum(p, t, true, left);
    if (col >= 0 && !table_column_is_blank(t, (size_t)col))
        buf_printf(left, tr("   sorted by %s"), table_title(t, (size_t)col));
    if (table_undecided(t))
        buf_printf(left, tr("   %zu too costly to test"), table_undecided(t));
    if (n)
        buf_printf(right, "%zu/%zu %zu%%", table_cursor(t) + 1, n, (table_cursor(t) + 1) * 100 / n);
}
