/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: aligned columns, values as on the screens, everything made safe. The first rows are kept until the
 * widths are known; later rows that are wider push the rest of their line. markdown: the same values in a
 * table of pipes.
 */
#include "config.h"

#include <stdlib.h>

#include "base/lang/tr.h"
#include "base/text.h"
#include "model/writer/writer_int.h"

#define GAP 2

struct text_layout {
    struct cell_units units;
    size_t number, unit, text; /* cells of the widest number, unit, text (or head) */
    size_t width;
};

/* What the row's marks say (doc/store.md#marks). */
static struct str damage_of(const struct writer *w, const struct val *row)
{
    for (size_t i = 0; i < w->n_cols; i++)
        if (w->cols[i]->flags & VC_MARK && row[i].t == VAL_TEXT)
            return row[i].s;
    return STR_NULL;
}

static const char *title_of(const struct writer *w, const struct view_col *c)
{
    return w->o.translated ? tr_column(c->title) : c->title;
}

static void measure(const struct writer *w, size_t col, struct text_layout *l)
{
    const struct view_col *c = w->cols[col];

    l->units = write_units(w, col);
    for (size_t i = 0; i < w->n_kept; i++) {
        struct cell_text t;
        cell_format(&t, c, &w->kept[i * w->n_cols + col], &l->units);
        cell_mark(&t, c, damage_of(w, &w->kept[i * w->n_cols]));
        size_t n = t.unit[0] ? strlen(t.number) : 0, u = t.unit[0] ? strlen(t.unit) + 1 : 0;
        size_t all = t.unit[0] ? 0 : text_width(t.text, w->o.text_flags);
        l->number = n > l->number ? n : l->number;
        l->unit = u > l->unit ? u : l->unit;
        l->text = all > l->text ? all : l->text;
    }
    size_t head = w->o.header ? text_width(str_of(title_of(w, c)), w->o.text_flags) : 0;
    l->width = l->number + l->unit;
    l->width = l->text > l->width ? l->text : l->width;
    l->width = head > l->width ? head : l->width;
}

static bool is_right(const struct writer *w, size_t col)
{
    return cell_is_right(w->cols[col]);
}

/* On a terminal that is too narrow shorten texts, the widest first; never below a readable width. */
static void fit(const struct writer *w, struct text_layout *l)
{
    size_t room = (size_t)w->to.width, sum = w->n_cols ? (w->n_cols - 1) * GAP : 0;

    for (size_t i = 0; i < w->n_cols; i++)
        sum += l[i].width;
    while (room && sum > room) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < w->n_cols; i++)
            if (!is_right(w, i) && l[i].width > 12u && l[i].width > w->cols[i]->min_width &&
                (best == SIZE_MAX || l[i].width > l[best].width))
                best = i;
        if (best == SIZE_MAX)
            return;
        l[best].width--;
        sum--;
    }
}

static void add_blanks(struct buf *b, size_t n)
{
    while (n--)
        buf_addc(b, ' ');
}

static void add_cell(struct writer *w, size_t col, struct str text, size_t cells)
{
    const struct text_layout *l = &w->layout[col];
    bool last = col + 1 == w->n_cols, right = is_right(w, col);

    if (right && cells < l->width)
        add_blanks(&w->line, l->width - cells);
    if (cells > l->width && w->to.width && !right)
        cells = text_clip(&w->line, text, l->width, w->cols[col]->flags & VC_PATH ? CUT_PATH : CUT_END,
                          w->o.text_flags);
    else
        text_safe(&w->line, text, w->o.text_flags);
    if (!right && cells < l->width && !last)
        add_blanks(&w->line, l->width - cells);
    if (!last)
        add_blanks(&w->line, GAP);
}

static void trim(struct buf *b)
{
    while (b->n && b->p[b->n - 1] == ' ')
        b->p[--b->n] = '\0';
}

static int emit_row(struct writer *w, const struct val *v, struct err *e)
{
    struct str damage = damage_of(w, v);

    for (size_t i = 0; i < w->n_cols; i++) {
        struct text_layout *l = &w->layout[i];
        struct cell_text t;

        cell_format(&t, w->cols[i], &v[i], &l->units);
        cell_mark(&t, w->cols[i], damage);
        if (t.unit[0]) { /* units stand below each other */
            size_t pad = strlen(t.unit) + 1 < l->unit ? l->unit - strlen(t.unit) - 1 : 0;
            buf_clear(&w->cell);
            buf_printf(&w->cell, "%s %s", t.number, t.unit);
            add_blanks(&w->cell, pad);
            add_cell(w, i, buf_str(&w->cell), w->cell.n);
        } else {
            add_cell(w, i, t.text, text_width(t.text, w->o.text_flags));
        }
    }
    trim(&w->line);
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

static int emit_head(struct writer *w, struct err *e)
{
    if (!w->o.header)
        return OK;
    write_bold(w, true);
    for (size_t i = 0; i < w->n_cols; i++) {
        struct str title = str_of(title_of(w, w->cols[i]));
        add_cell(w, i, title, text_width(title, w->o.text_flags));
    }
    trim(&w->line);
    write_bold(w, false);
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

/* The widths are known now: everything kept goes out. */
static int start_streaming(struct writer *w, struct err *e)
{
    w->layout = calloc(w->n_cols ? w->n_cols : 1, sizeof *w->layout);
    if (!w->layout)
        return err_nomem(e);
    for (size_t i = 0; i < w->n_cols; i++)
        measure(w, i, &w->layout[i]);
    fit(w, w->layout);
    w->streaming = true;
    if (emit_head(w, e))
        return e->code;
    for (size_t i = 0; i < w->n_kept; i++)
        if (emit_row(w, &w->kept[i * w->n_cols], e))
            return e->code;
    return OK;
}

static int text_begin(struct writer *w, struct err *e)
{
    if (w->tables)
        buf_addc(&w->line, '\n');
    if (w->o.named && w->title) {
        write_bold(w, true);
        text_safe(&w->line, str_of(w->title), w->o.text_flags);
        write_bold(w, false);
        buf_addc(&w->line, '\n');
    }
    return write_line(w, e);
}

static int text_row(struct writer *w, const struct val *v, struct err *e)
{
    if (write_may_keep(w))
        return write_keep(w, v, e);
    if (!w->streaming && start_streaming(w, e))
        return e->code;
    return emit_row(w, v, e);
}

static int text_end(struct writer *w, struct err *e)
{
    return w->streaming ? OK : start_streaming(w, e);
}

const struct format_ops text_ops = { text_begin, text_row, text_end };

/* ---- markdown ---- */

static bool is_word_char(struct str s, size_t i)
{
    unsigned char c = i < s.n ? (unsigned char)s.p[i] : ' ';
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Whether the character would be taken for Markdown. A '_' inside a word would not. */
static bool is_mark(struct str s, size_t i)
{
    static const char special[] = "\\`*_{}[]<>|~&#";

    if (!memchr(special, s.p[i], sizeof special - 1))
        return false;
    return s.p[i] != '_' || !i || !is_word_char(s, i - 1) || !is_word_char(s, i + 1);
}

/* Marks get a backslash, so that the table shows the text itself. */
static void add_marked(struct writer *w, struct str s)
{
    buf_clear(&w->cell);
    text_safe(&w->cell, s, w->o.text_flags);
    struct str safe = buf_str(&w->cell);
    for (size_t i = 0; i < safe.n; i++) {
        if (is_mark(safe, i))
            buf_addc(&w->line, '\\');
        buf_addc(&w->line, safe.p[i]);
    }
    if (buf_failed(&w->cell))
        w->line.failed = true;
}

static int markdown_begin(struct writer *w, struct err *e)
{
    if (w->tables)
        buf_addc(&w->line, '\n');
    if (w->o.named && w->title) {
        buf_puts(&w->line, "## ");
        add_marked(w, str_of(w->title));
        buf_puts(&w->line, "\n\n");
    }
    buf_addc(&w->line, '|');
    for (size_t i = 0; i < w->n_cols; i++) {
        buf_addc(&w->line, ' ');
        add_marked(w, str_of(w->o.named ? title_of(w, w->cols[i]) : w->cols[i]->id));
        buf_puts(&w->line, " |");
    }
    buf_puts(&w->line, "\n|");
    for (size_t i = 0; i < w->n_cols; i++)
        buf_puts(&w->line, is_right(w, i) ? "---:|" : "---|");
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

/* A value with its unit in a report, a plain number else. */
static void add_markdown(struct writer *w, size_t col, const struct val *row)
{
    const struct val *v = &row[col];
    char num[64];
    struct cell_text t;

    if (v->t == VAL_TEXT) {
        add_marked(w, v->s);
    } else if (!w->o.named) {
        buf_puts(&w->line, write_number(num, sizeof num, v));
    } else {
        cell_format(&t, w->cols[col], v, &w->layout[col].units);
        cell_mark(&t, w->cols[col], damage_of(w, row));
        buf_puts(&w->line, t.number);
        if (t.unit[0])
            buf_printf(&w->line, " %s", t.unit);
    }
}

static int markdown_emit(struct writer *w, const struct val *v, struct err *e)
{
    buf_addc(&w->line, '|');
    for (size_t i = 0; i < w->n_cols; i++) {
        buf_addc(&w->line, ' ');
        add_markdown(w, i, v);
        buf_puts(&w->line, " |");
    }
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

static int markdown_flush(struct writer *w, struct err *e)
{
    if (w->streaming)
        return OK;
    w->layout = calloc(w->n_cols ? w->n_cols : 1, sizeof *w->layout);
    if (!w->layout)
        return err_nomem(e);
    for (size_t i = 0; i < w->n_cols; i++)
        w->layout[i].units = write_units(w, i);
    w->streaming = true;
    for (size_t i = 0; i < w->n_kept; i++)
        if (markdown_emit(w, &w->kept[i * w->n_cols], e))
            return e->code;
    return OK;
}

/* Only a report needs the units of its columns before the first row. */
static int markdown_row(struct writer *w, const struct val *v, struct err *e)
{
    if (w->o.named && write_may_keep(w))
        return write_keep(w, v, e);
    return markdown_flush(w, e) ? e->code : markdown_emit(w, v, e);
}

const struct format_ops markdown_ops = { markdown_begin, markdown_row, markdown_flush };
