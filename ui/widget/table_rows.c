/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table as text: the detail of the cursor row, a card, copies. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

/* ---- detail strip ---- */

#define SENTENCE_W 50 /* a name that wants so many cells is a sentence, which a narrow screen cuts */

bool table_detail_on(const struct table *t)
{
    if (t->detail >= 0)
        return t->detail > 0;
    for (size_t i = 0; t->v && i < view_n_cols(t->v); i++) {
        const struct view_col *c = view_col(t->v, i);
        if (c->flags & VC_HIDDEN || (c->flags & VC_MAIN && c->width >= SENTENCE_W))
            return true;
    }
    return false;
}

bool table_detail_hidden(const struct table *t)
{
    return t->detail == 0;
}

static const struct slot *slot_of(const struct table *t, size_t col)
{
    for (size_t i = 0; i < t->n_slots; i++)
        if (t->slots[i].col == col)
            return &t->slots[i];
    return NULL;
}

#define GIGA_LEAST 5 /* MFLOPs: less is "<0.01" of the other unit */

bool table_is_giga(const struct table *t, size_t col, const struct val *v)
{
    if (v->t != VAL_REAL || v->r < GIGA_LEAST)
        return false;
    return t->m.known ? t->m.u[col].giga : cell_is_giga(view_col(t->v, col), v->r);
}

/* "0.05" has one figure, "<0.01" none. */
static int figures_of(const char *number)
{
    int n = 0;
    for (const char *c = number; *c && *c != ' '; c++) {
        if (*c == '<')
            return 0;
        n += *c >= '0' && *c <= '9' && (n || *c != '0');
    }
    return n;
}

/*
 * What the row on the screen does not show already: values without a column, cut texts, numbers of which it
 * has less than two figures, in the unit that suits the value; "" when it shows all. The exact value is in
 * the card (doc/screens.md#numbers).
 */
static void detail_value(const struct table *t, size_t col, const struct val *v, char *buf, size_t n)
{
    const struct slot *s = slot_of(t, col);
    const struct view_col *c = view_col(t->v, col);
    char row[256], whole[64];
    buf[0] = '\0';
    if (v->t == VAL_NULL ||
        (v->t == VAL_TEXT && s && !(c->flags & VC_MAIN) && (int)text_width(v->s, 0) <= s->w))
        return;
    struct cell_units u = t->units;
    u.sep = t->m.u[col].sep; /* else a number of the row would look like another one */
    u.giga = table_is_giga(t, col, v);
    cell_string(buf, n, c, v, &u);
    if (!s || v->t == VAL_TEXT || c->flags & VC_MAIN)
        return;
    cell_string(row, sizeof row, c, v, &t->m.u[col]);
    if (!strcmp(buf, row) || figures_of(row) > 1 || !strcmp(cell_exact(whole, sizeof whole, c, v), "0 ns"))
        buf[0] = '\0';
}

bool table_row_shows(const struct table *t, size_t col, const struct val *v)
{
    char text[8192];
    detail_value(t, col, v, text, sizeof text);
    return !text[0];
}

struct flow {
    struct canvas *c; /* NULL: only count */
    struct rect a;
    int y, x; /* next free cell, relative to a */
};

static void flow_line(struct flow *f)
{
    f->y++;
    f->x = 0;
}

#define FLOW_STOP 8 /* titles begin at multiples of it, so that they stay in place from row to row */

/* "Title value" on the current line, or on the next one when it does not fit. */
static void flow_pair(struct flow *f, const char *title, struct str value)
{
    unsigned flags = f->c ? canvas_flags(f->c) : 0;
    int tw = (int)text_width(str_of(title), flags), vw = (int)text_width(value, flags);
    int need = tw + 1 + vw;
    if (f->x)
        f->x = (f->x + 2 + FLOW_STOP - 1) / FLOW_STOP * FLOW_STOP;
    if (f->x && f->x + need > f->a.w)
        flow_line(f);
    if (f->c && f->y < f->a.h) {
        int used = draw_puts(f->c, f->a.y + f->y, f->a.x + f->x, f->a.w - f->x, ROLE_DIM, title);
        draw_text(f->c, f->a.y + f->y, f->a.x + f->x + used + 1, f->a.w - f->x - used - 1, ROLE_TEXT, value,
                  CUT_END);
    }
    f->x += need;
    if (f->x > f->a.w)
        f->x = f->a.w;
}

/* The name in full on at most two lines; when it is longer, the second line shows its end; prose goes on. */
static void flow_name(struct flow *f, struct str name, bool prose)
{
    struct buf b;
    unsigned flags = f->c ? canvas_flags(f->c) : 0;
    size_t w = (size_t)(f->a.w > 1 ? f->a.w : 1);
    buf_init(&b, 65536);
    text_wrap(&b, name, w, flags);
    struct str rest = buf_str(&b), line;
    for (int i = 0; i < 2 && str_next(&rest, '\n', &line); i++) {
        bool more = i == 1 && rest.n > 0, tail = more && !prose;
        if (more && prose)
            line = text_unwrap(&b, line);
        if (f->c && f->y < f->a.h)
            draw_text(f->c, f->a.y + f->y, f->a.x, f->a.w, ROLE_BOLD, tail ? name : line,
                      tail ? CUT_TAIL : CUT_END);
        flow_line(f);
    }
    buf_done(&b);
}

#define NAMES_MAX 20000 /* rows of a table of which all names are measured */

/* The rows on the screen have all names of the column in full. */
static bool names_are_whole(const struct table *t, size_t col)
{
    const struct slot *s = slot_of(t, col);
    return s && t->text_w[col] && t->text_w[col] <= s->w && view_total(t->v) <= NAMES_MAX;
}

/* What a column that is not on the screen says in other words: the core of a row that stands for one. */
static bool is_name(const struct table *t, const struct page *p, const struct val *v)
{
    for (size_t i = 0; v->t == VAL_TEXT && i < view_n_cols(t->v); i++) {
        const struct val *name = page_val(p, 0, i);
        if (view_col(t->v, i)->flags & VC_MAIN && name->t == VAL_TEXT && str_eq(name->s, v->s))
            return true;
    }
    return false;
}

static void detail_flow(struct table *t, struct flow *f, const struct page *p)
{
    const struct str damage = table_damage(p, 0, view_damage_col(t->v));
    char text[4096], marked[sizeof text + 2];
    for (size_t i = 0; i < view_n_cols(t->v); i++) {
        const struct val *v = page_val(p, 0, i);
        const unsigned flags = view_col(t->v, i)->flags;
        struct cell_text name;
        if (!(flags & VC_MAIN) || v->t != VAL_TEXT || (flags & VC_WHOLE && slot_of(t, i)) ||
            names_are_whole(t, i))
            continue;
        cell_format(&name, view_col(t->v, i), v, &t->units);
        flow_name(f, name.text, flags & VC_PROSE);
    }
    for (size_t pos = 0; pos < t->n_cols; pos++) {
        size_t i = t->order[pos].col;
        const struct view_col *c = view_col(t->v, i);
        const struct val *v = page_val(p, 0, i);
        if (((c->flags & VC_MAIN) && v->t == VAL_TEXT) || is_name(t, p, v) ||
            (c->flags & VC_BASE && t->order[pos].blank)) /* the row above the table says it */
            continue;
        detail_value(t, i, v, text, sizeof text);
        if (!text[0])
            continue;
        snprintf(marked, sizeof marked, "%s%s", damage.n && cell_is_unsure(c, damage) ? "~" : "", text);
        flow_pair(f, cell_title(c, &(struct cell_units){ .giga = table_is_giga(t, i, v) }), str_of(marked));
    }
    if (f->x)
        flow_line(f);
}

static int detail(struct table *t, struct canvas *c, struct rect a)
{
    struct page p;
    struct err ignored = ERR_INIT;
    struct flow f = { c, a, 0, 0 };
    if (!t->v || t->cursor >= table_rows(t) || view_page(t->v, t->cursor, 1, VIEW_RELATIVE, &p, &ignored) ||
        !p.n)
        return 0;
    detail_flow(t, &f, &p);
    return f.y;
}

int table_detail_lines(struct table *t, int w)
{
    return detail(t, NULL, (struct rect){ 0, 0, 0, w });
}

void table_draw_detail(struct table *t, struct canvas *c, struct rect a)
{
    detail(t, c, a);
}

/* ---- texts ---- */

void table_row_text(struct table *t, size_t row, bool exact, struct buf *out)
{
    struct page p;
    struct err ignored = ERR_INIT;
    char text[8192];
    if (!t->v || view_page(t->v, row, 1, VIEW_RELATIVE, &p, &ignored) || !p.n)
        return;
    for (size_t pos = 0; pos < t->n_cols; pos++) {
        size_t i = t->order[pos].col;
        const struct view_col *c = view_col(t->v, i);
        const struct val *v = page_val(&p, 0, i);
        if (v->t == VAL_NULL)
            continue;
        struct cell_units u = t->units;
        u.giga = table_is_giga(t, i, v);
        buf_printf(out, "%s\t", cell_title(c, &u));
        char whole[64];
        buf_puts(out, cell_string(text, sizeof text, c, v, &u));
        if (exact && cell_is_exact(c, v) && strcmp(cell_exact(whole, sizeof whole, c, v), text) != 0)
            buf_printf(out, " = %s", whole);
        buf_addc(out, '\n');
    }
}

static void add_copy(struct buf *out, const struct view_col *c, const struct val *v)
{
    char text[64];
    if (v->t == VAL_TEXT)
        buf_add(out, v->s);
    else if (v->t == VAL_REAL)
        buf_puts(out, unit_plain(text, sizeof text, v->r));
    else if (v->t != VAL_NULL)
        buf_puts(out,
                 cell_exact(text, sizeof text, &(struct view_col){ .unit = VU_NONE, .title = c->title }, v));
}

#define COPY_PAGE 256

static void copy_row(struct table *t, const struct page *p, size_t r, struct buf *out)
{
    bool first = true;
    for (size_t pos = 0; pos < t->n_cols; pos++) {
        if (!table_writes(t, pos, false))
            continue;
        if (!first)
            buf_addc(out, '\t');
        first = false;
        add_copy(out, view_col(t->v, t->order[pos].col), page_val(p, r, t->order[pos].col));
    }
    buf_addc(out, '\n');
}

static void copy_head(struct table *t, struct buf *out)
{
    bool first = true;
    for (size_t pos = 0; pos < t->n_cols; pos++) {
        if (!table_writes(t, pos, false))
            continue;
        buf_printf(out, "%s%s", first ? "" : "\t", view_col(t->v, t->order[pos].col)->id);
        first = false;
    }
    buf_addc(out, '\n');
}

/* col SIZE_MAX: whole rows. */
static int copy_range(struct table *t, size_t from, size_t to, size_t col, struct buf *out, struct err *e)
{
    for (size_t at = from; at < to && !buf_failed(out); at += COPY_PAGE) {
        struct page p;
        size_t n = to - at < COPY_PAGE ? to - at : COPY_PAGE;
        if (view_page(t->v, at, n, VIEW_RELATIVE, &p, e))
            return e->code;
        for (size_t r = 0; r < p.n; r++) {
            if (col == SIZE_MAX) {
                copy_row(t, &p, r, out);
                continue;
            }
            add_copy(out, view_col(t->v, col), page_val(&p, r, col));
            if (to - from > 1)
                buf_addc(out, '\n');
        }
    }
    return buf_failed(out) ? err_set(e, ERR_LIMIT, "that is too much to copy; use e to write a file") : OK;
}

int table_copy_rows(struct table *t, size_t row, struct buf *out, struct err *e)
{
    if (!t->v)
        return OK;
    if (row != SIZE_MAX)
        return copy_range(t, row, row + 1, SIZE_MAX, out, e);
    copy_head(t, out);
    return copy_range(t, 0, table_rows(t), SIZE_MAX, out, e);
}

int table_copy_column(struct table *t, size_t row, size_t col, struct buf *out, struct err *e)
{
    if (!t->v)
        return OK;
    if (row != SIZE_MAX)
        return copy_range(t, row, row + 1, col, out, e);
    return copy_range(t, 0, table_rows(t), col, out, e);
}
