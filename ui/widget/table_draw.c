/* SPDX-License-Identifier: Apache-2.0 */
/* A table on the canvas: head, rows, bars, chips. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "run/opclass.h"
#include "ui/widget/chart.h"
#include "ui/widget/table_int.h"

/* Words of state columns and their roles. */
static const struct {
    const char *word;
    enum role role;
} state_words[] = {
    { "ERROR", ROLE_ERROR },  { "BAD", ROLE_ERROR },  { "WARN", ROLE_WARN },     { "TORN", ROLE_WARN },
    { "ABSENT", ROLE_WARN },  { "EMPTY", ROLE_WARN }, { "NEWER", ROLE_WARN },    { "INFO", ROLE_INFO },
    { "OFF", ROLE_DIM },      { "UNREAD", ROLE_DIM }, { "ok", ROLE_DIM },        { "BOTTLENECK", ROLE_WARN },
    { "LIMIT", ROLE_WARN },   { "listed", ROLE_DIM }, { "MISSING", ROLE_ERROR }, { "MISMATCH", ROLE_ERROR },
    { "WAITS", ROLE_WARN },   { "ended", ROLE_DIM },  { "apart", ROLE_DIM },     { "damaged", ROLE_WARN },
    { "refused", ROLE_WARN },
};

static bool is_state_column(const struct view_col *c)
{
    return !strcmp(c->id, "state") || !strcmp(c->id, "severity") || !strcmp(c->id, "verdict");
}

static enum role state_role(struct str s)
{
    for (size_t i = 0; i < ARRAY_LEN(state_words); i++)
        if (str_eq(s, str_of(state_words[i].word)))
            return state_words[i].role;
    return ROLE_TEXT;
}

/* ---- bars ---- */

static size_t column_by_id(const struct table *t, const char *id)
{
    for (size_t i = 0; i < view_n_cols(t->v); i++)
        if (!strcmp(view_col(t->v, i)->id, id))
            return i;
    return SIZE_MAX;
}

#define ALIKE       1000  /* values that differ by less than this part are alike */
#define WIDE_FROM   120   /* cells of the screen: bars also in tables that name no column for them */
#define LENGTHS_MAX 20000 /* rows that the range of another column is looked for in */

/*
 * When times have a share, the bars show that share: a row without one runs in parallel with the rest, and
 * its time would dwarf the others. Of several columns that the view names for bars the first counts whose
 * values differ by a hundredth: bars that look alike say nothing, and means and levels of several
 * rows that differ by less than a thousandth have none.
 */
static size_t own_bar_column(struct table *t)
{
    struct err ignored = ERR_INIT;
    double min, max, sum;
    size_t alike = SIZE_MAX;
    for (size_t i = 0; i < view_n_cols(t->v); i++) {
        const struct view_col *c = view_col(t->v, i);
        if (!(c->flags & VC_BAR))
            continue;
        size_t share = c->unit == VU_NS && !(c->flags & VC_AMOUNT) ? column_by_id(t, "share_pct") : SIZE_MAX;
        size_t col = share != SIZE_MAX ? share : i;
        if (!view_range(t->v, (int)col, &min, &max, &sum, &ignored))
            continue;
        if (max - min > max / 100)
            return col;
        if (c->flags & VC_LEVEL && max - min <= max / ALIKE && view_rows(t->v) > 1)
            continue;
        alike = alike == SIZE_MAX ? col : alike;
    }
    return alike;
}

/* A larger value is more of something, so that a bar can stand for it. */
static bool is_amount(const struct view_col *c)
{
    return c->type != VT_TEXT && c->unit != VU_NONE && c->unit != VU_TS && c->unit != VU_MHZ &&
           !(c->flags & (VC_LEFT | (c->flags & VC_BAR ? 0 : VC_APART)));
}

static bool has_lengths(struct table *t, size_t col)
{
    struct err ignored = ERR_INIT;
    double min, max, sum;
    return is_amount(view_col(t->v, col)) && view_range(t->v, (int)col, &min, &max, &sum, &ignored) &&
           min >= 0 && max - min > (view_col(t->v, col)->flags & VC_LEVEL ? max / ALIKE : 0);
}

/* The column that is sorted by, else the first one on the screen, whose values differ. */
static size_t any_bar_column(struct table *t)
{
    int sorted = view_sorted_by(t->v, NULL);
    if (view_total(t->v) > LENGTHS_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i < t->n_cols; i++)
        if ((int)t->order[i].col == sorted && table_on_screen(t, i) && has_lengths(t, t->order[i].col))
            return t->order[i].col;
    for (size_t i = 0; i < t->n_cols; i++)
        if (table_on_screen(t, i) && has_lengths(t, t->order[i].col))
            return t->order[i].col;
    return SIZE_MAX;
}

static void update_range(struct table *t, bool wide)
{
    if (t->range_known && t->range_wide == wide)
        return;
    struct err ignored = ERR_INIT;
    double min, max, sum;
    t->range_known = true;
    t->range_wide = wide;
    t->bar_max = 0;
    t->bar_col = own_bar_column(t);
    t->bar_own = t->o.bar || t->bar_col != SIZE_MAX;
    if (!t->bar_own && wide)
        t->bar_col = any_bar_column(t);
    if (!t->o.bar && t->bar_col != SIZE_MAX && view_range(t->v, (int)t->bar_col, &min, &max, &sum, &ignored))
        t->bar_max = view_col(t->v, t->bar_col)->unit == VU_PCT && max <= 100 && max > 60 ? 100 : max;
}

size_t table_amount_column(struct table *t)
{
    if (t->v && !t->amount_known) {
        t->amount_known = true;
        t->amount_col = own_bar_column(t);
        if (t->amount_col == SIZE_MAX)
            t->amount_col = any_bar_column(t);
    }
    return t->v ? t->amount_col : SIZE_MAX;
}

unsigned table_version(const struct table *t)
{
    return t->version;
}

static struct str text_of(const struct table *t, const struct page *p, size_t row, const char *id)
{
    size_t i = column_by_id(t, id);
    const struct val *v = i == SIZE_MAX ? NULL : page_val(p, row, i);
    return v && v->t == VAL_TEXT ? v->s : STR_NULL;
}

/* Class of the row's bar (doc/screens.md#composition); OC_NONE: the table knows none. */
static enum op_class bar_class(const struct table *t, const struct page *p, size_t row)
{
    struct str type = text_of(t, p, row, "type"), core = text_of(t, p, row, "core");
    return type.p || core.p ? op_class_of(core, type.p ? type : STR("")) : OC_NONE;
}

static void draw_row_bar(struct table *t, struct canvas *c, int y, const struct page *p, size_t row)
{
    if (!t->bar_w)
        return;
    if (t->o.bar) {
        t->o.bar(t->o.arg, t, c, (struct rect){ y, t->bar_x, 1, t->bar_w }, p, row);
        return;
    }
    const struct val *v = page_val(p, row, t->bar_col);
    enum op_class k = bar_class(t, p, row);
    if (v->t != VAL_NULL && draw_class_bar(c, y, t->bar_x, t->bar_w, val_num(v), t->bar_max, k))
        t->bar_classes |= 1u << k;
}

/* The bars stand beside their column, or no other column on the screen has its unit. */
static bool bar_is_clear(const struct table *t)
{
    bool shown = false, other = false;
    for (size_t i = 0; i < t->n_slots; i++) {
        shown |= t->slots[i].col == t->bar_col;
        other |= t->slots[i].col != t->bar_col &&
                 view_col(t->v, t->slots[i].col)->unit == view_col(t->v, t->bar_col)->unit;
    }
    return t->n_slots && (t->slots[t->n_slots - 1].col == t->bar_col || (shown && !other));
}

/* What the scale of the bars begins with: the name of their column where it is not clear which one it is. */
static const char *bar_left(const struct table *t)
{
    const bool room = t->bar_right_w + 2 <= t->bar_w;
    return t->bar_own && room && bar_is_clear(t) ? "0" : table_title(t, t->bar_col);
}

/* In the head, between the ends of the scale: what the bars below are of. */
static void draw_bar_classes(const struct table *t, struct canvas *c, int y)
{
    int x = t->bar_x + text_cells_of(bar_left(t)) + 1, to = t->bar_x + t->bar_w - t->bar_right_w;
    for (int k = OC_CUBE; k < N_OP_CLASSES; k++)
        if (t->bar_classes & 1u << k) {
            int used = draw_class_key(c, y, x, to - 1 - x, (enum op_class)k);
            x += used ? used + 1 : 0;
        }
}

static void draw_bar_head(struct table *t, struct canvas *c, int y)
{
    if (!t->bar_w)
        return;
    if (t->o.bar_head) {
        t->o.bar_head(t->o.arg, t, c, (struct rect){ y, t->bar_x, 1, t->bar_w });
        return;
    }
    char right[48];
    struct cell_units u = { .time = TIME_AUTO };
    struct val v = val_real(t->bar_max);
    struct view_col col = *view_col(t->v, t->bar_col);
    col.title = ""; /* so that the unit is shown here, even if the head has it */
    cell_string(right, sizeof right, &col, &v, &u);
    t->bar_right_w = text_cells_of(right);
    chart_scale(c, y, t->bar_x, t->bar_w, ROLE_HEAD, bar_left(t), right);
}

/* ---- head ---- */

static void draw_title(struct table *t, struct canvas *c, int y, const struct slot *s, int sorted, bool desc)
{
    const struct view_col *col = view_col(t->v, s->col);
    bool on = (int)s->col == sorted, right = cell_is_right(col);
    enum role r = t->column_used && s->col == t->column ? ROLE_SELECT : on ? ROLE_SORTED : ROLE_HEAD;
    const char *arrow = on ? glyph_text(desc ? G_SORT_DOWN : G_SORT_UP, canvas_is_ascii(c)) : NULL;
    const char *title = table_title(t, s->col);
    int tw = (int)text_width(str_of(title), 0), w = s->w, x = s->x;
    if (arrow && tw + 2 > w) { /* one cell of the gap may be used; the arrow is never cut */
        w++;
        x -= right;
    }
    int room = w - (arrow ? tw + 2 > w ? 1 : 2 : 0), used = tw < room ? tw : room;
    if (right)
        x += room - used;
    draw_puts(c, y, x, room, r, title);
    if (arrow)
        draw_puts(c, y, x + used + (tw + 2 <= w), 1, r, arrow);
}

static void draw_head(struct table *t, struct canvas *c, struct rect a)
{
    bool desc = false;
    int sorted = view_sorted_by(t->v, &desc);
    draw_fill(c, (struct rect){ a.y, a.x, 1, a.w }, ROLE_HEAD, ' ');
    for (size_t i = 0; i < t->n_slots; i++)
        draw_title(t, c, a.y, &t->slots[i], sorted, desc);
    draw_bar_head(t, c, a.y);
}

/* ---- cells ---- */

static void highlight(const struct table *t, struct canvas *c, int y, int x, int w, struct str s)
{
    size_t from, to;
    unsigned flags = canvas_flags(c);
    if ((int)text_width(s, flags) > w || re_match(t->search, s, 0, &from, &to) != 1 || to <= from)
        return;
    int x0 = (int)text_width(str_sub(s, 0, from), flags);
    int x1 = (int)text_width(str_sub(s, 0, to), flags);
    draw_role(c, (struct rect){ y, x + x0, 1, x1 - x0 }, ROLE_MATCH);
}

/* For a name that was cut, the match is searched in what is shown. */
static void highlight_cut(const struct table *t, struct canvas *c, int y, int x, int w)
{
    char shown[1024];
    size_t n = 0, from, to;
    int at[1024];
    for (int i = 0; i < w; i++) {
        const char *k = canvas_cell(c, y, x + i, NULL);
        for (; *k && n < sizeof shown; k++) {
            at[n] = i;
            shown[n++] = *k;
        }
    }
    if (re_match(t->search, (struct str){ shown, n }, 0, &from, &to) == 1 && to > from)
        draw_role(c, (struct rect){ y, x + at[from], 1, at[to - 1] - at[from] + 1 }, ROLE_MATCH);
}

/* In a path the name of the file matters; its folders are dim. */
static void dim_folder(struct canvas *c, int y, const struct slot *s)
{
    for (int i = s->w - 1; i > 0; i--)
        if (!strcmp(canvas_cell(c, y, s->x + i, NULL), "/")) {
            draw_role(c, (struct rect){ y, s->x, 1, i + 1 }, ROLE_DIM);
            return;
        }
}

/* Neighbours differ, and the same number has the same colour everywhere. */
static enum role hue_of(int64_t number)
{
    static const enum role hues[] = { ROLE_CUBE, ROLE_COMM, ROLE_MIX, ROLE_COPY, ROLE_VECTOR, ROLE_AICPU };
    return hues[(uint64_t)number % ARRAY_LEN(hues)];
}

static void draw_text_cell(const struct table *t, struct canvas *c, int y, const struct slot *s,
                           struct str text, const struct shorten *how)
{
    const struct view_col *col = view_col(t->v, s->col);
    enum role r = is_state_column(col) ? state_role(text) : ROLE_TEXT;
    const struct str apart = names_text(how->names, text);
    bool folded = shorten_folds(how) || apart.p;
    if (apart.p) {
        draw_text(c, y, s->x, s->w, r, apart, CUT_END);
    } else if (folded) {
        struct buf b;
        buf_init(&b, 65536);
        table_fold(&b, text, how, canvas_flags(c));
        draw_text(c, y, s->x, s->w, r, buf_str(&b), how->cut);
        buf_done(&b);
    } else {
        draw_text(c, y, s->x, s->w, r, text, how->cut);
    }
    if (!strcmp(col->id, "path"))
        dim_folder(c, y, s);
    if (!t->search || !(col->flags & VC_MAIN))
        return;
    if (folded || (int)text_width(text, canvas_flags(c)) > s->w)
        highlight_cut(t, c, y, s->x, s->w);
    else
        highlight(t, c, y, s->x, s->w, text);
}

/*
 * A number is shown whole or not at all: when the column cannot be wider, it has a unit of its own, and when
 * that is too wide as well, only the mark of a cut.
 */
static void draw_number(struct canvas *c, int y, const struct slot *s, const struct view_col *col,
                        const struct cell_text *k)
{
    int uw = k->unit[0] ? cell_unit_width(col) : 0, own = k->unit[0] ? (int)strlen(k->unit) + 1 : 0;
    int w = s->w - (own > uw ? own : uw), need = (int)text_width(k->text, canvas_flags(c));
    if (need > w)
        w = s->w - own; /* rather out of line than not at all */
    if (need > w) {
        draw_puts(c, y, s->x + s->w - 1, 1, ROLE_DIM, glyph_text(G_CUT, canvas_is_ascii(c)));
        return;
    }
    draw_right(c, y, s->x, w, ROLE_TEXT, k->text);
    if (own)
        draw_puts(c, y, s->x + w + 1, own - 1, ROLE_DIM, k->unit);
}

/* The number is right-aligned and has the gap after it. */
static void draw_brackets(struct canvas *c, int y, const struct slot *s, const struct cell_text *k)
{
    const int w = (int)text_width(k->text, canvas_flags(c));

    draw_cp(c, y, s->x + s->w - w - 1, ROLE_TEXT, '(');
    draw_cp(c, y, s->x + s->w, ROLE_TEXT, ')');
}

struct cell_at {
    int y;
    const struct val *v;
    struct str damage; /* marks of the row */
};

static void draw_cell(const struct table *t, struct canvas *c, const struct slot *s, const struct cell_at *at,
                      const struct shorten *how)
{
    const struct val *v = at->v;
    const struct view_col *col = view_col(t->v, s->col);
    const struct cell_units *u = &t->m.u[s->col];
    struct cell_text k;
    cell_format(&k, col, v, u);
    cell_mark(&k, col, at->damage);
    if (v->t == VAL_TEXT || !cell_is_right(col)) {
        draw_text_cell(t, c, at->y, s, k.text, how);
        return;
    }
    if (t->m.number_w[s->col] > s->w) {
        cell_format(&k, col, v, &(struct cell_units){ .sep = NULL });
        cell_mark(&k, col, at->damage);
    }
    draw_number(c, at->y, s, col, &k);
    if (t->has_aside && col->flags & VC_MAIN && v->t == VAL_INT && v->i == t->aside)
        draw_brackets(c, at->y, s, &k);
    if (col->flags & VC_HUE && v->t == VAL_INT)
        draw_role(c, (struct rect){ at->y, s->x, 1, s->w }, hue_of(v->i));
}

/* ---- rows ---- */

static char mark_of(struct table *t, size_t row)
{
    int rank;
    if (!t->n_marks)
        return 0;
    int64_t key = view_row_key(t->v, row, &rank);
    for (size_t i = 0; i < t->n_marks; i++)
        if (t->marks[i].key == key && t->marks[i].rank == rank)
            return t->marks[i].letter;
    return 0;
}

static size_t main_slot(const struct table *t)
{
    for (size_t i = 0; i < t->n_slots; i++)
        if (view_col(t->v, t->slots[i].col)->flags & VC_MAIN)
            return i;
    return SIZE_MAX;
}

/* Lines a row takes: more than one only when its name is wrapped. */
static int row_lines(const struct table *t, const struct canvas *c, const struct page *p, size_t r,
                     size_t slot)
{
    if (!t->wrap || slot == SIZE_MAX)
        return 1;
    const struct val *v = page_val(p, r, t->slots[slot].col);
    if (v->t != VAL_TEXT)
        return 1;
    struct buf b;
    buf_init(&b, 65536);
    text_wrap(&b, v->s, (size_t)t->slots[slot].w, canvas_flags(c));
    int n = 1;
    for (size_t i = 0; i + 1 < b.n; i++)
        n += b.p[i] == '\n';
    buf_done(&b);
    return n;
}

static void draw_wrapped(const struct table *t, struct canvas *c, struct rect a, int y, const struct slot *s,
                         struct str text)
{
    struct buf b;
    buf_init(&b, 65536);
    text_wrap(&b, text, (size_t)s->w, canvas_flags(c));
    struct str rest = buf_str(&b), line;
    for (; y < a.y + a.h && str_next(&rest, '\n', &line); y++) {
        draw_text(c, y, s->x, s->w, ROLE_TEXT, line, CUT_END);
        if (t->search)
            highlight(t, c, y, s->x, s->w, line);
    }
    buf_done(&b);
}

/* All but the bar, which says more in its colour, and whose cells need not be sent again. */
static void draw_cursor_row(const struct table *t, struct canvas *c, struct rect a)
{
    int to = t->bar_w ? t->bar_x : a.x + a.w, on = t->bar_x + t->bar_w;

    draw_role(c, (struct rect){ a.y, a.x, a.h, to - a.x }, ROLE_CURSOR);
    if (t->bar_w && on < a.x + a.w)
        draw_role(c, (struct rect){ a.y, on, a.h, a.x + a.w - on }, ROLE_CURSOR);
}

static void draw_row_link(struct table *t, struct canvas *c, struct rect a, size_t row)
{
    struct buf uri;
    if (!t->o.link || !canvas_takes_links(c))
        return;
    buf_init(&uri, 65536);
    t->o.link(t->o.arg, row, &uri);
    if (!buf_failed(&uri))
        draw_link(c, a, buf_str(&uri));
    buf_done(&uri);
}

void table_draw_link(struct table *t, struct canvas *c, struct rect a)
{
    if (t->v && table_rows(t))
        draw_row_link(t, c, a, t->cursor);
}

static void draw_row(struct table *t, struct canvas *c, struct rect a, int y, const struct page *p, size_t r,
                     const struct shorten *how, int lines)
{
    size_t row = p->first + r;
    char letter = mark_of(t, row);
    struct str damage = table_damage(p, r, view_damage_col(t->v));
    for (size_t i = 0; i < t->n_slots; i++) {
        const struct val *v = page_val(p, r, t->slots[i].col);
        if (lines > 1 && i == main_slot(t) && v->t == VAL_TEXT)
            draw_wrapped(t, c, a, y, &t->slots[i], v->s);
        else
            draw_cell(t, c, &t->slots[i], &(struct cell_at){ y, v, damage }, &how[i]);
    }
    size_t name = main_slot(t);
    if (name != SIZE_MAX)
        draw_row_link(t, c, (struct rect){ y, t->slots[name].x, lines, t->slots[name].w }, row);
    draw_row_bar(t, c, y, p, r);
    if (row == t->cursor && !t->no_cursor) {
        draw_glyph(c, y, a.x, ROLE_BOLD, G_CURSOR);
        if (!t->o.slow)
            draw_cursor_row(t, c, (struct rect){ y, a.x, lines, a.w });
    } else if (letter) {
        draw_cp(c, y, a.x, ROLE_MARK, (uint32_t)letter);
    }
}

/* With wrapped names fewer rows fit: move on until the cursor row does. */
static size_t skip_for_cursor(const struct table *t, const struct canvas *c, const struct page *p, int h)
{
    size_t slot = main_slot(t), skip = 0;
    int used = 0;
    if (!t->wrap)
        return 0;
    for (size_t r = 0; r < p->n && p->first + r <= t->cursor; r++) {
        used += row_lines(t, c, p, r, slot);
        while (used > h && skip < r)
            used -= row_lines(t, c, p, skip++, slot);
    }
    return skip;
}

static void draw_message_row(struct canvas *c, struct rect a, const char *text)
{
    draw_puts(c, a.y + 2, a.x + 3, a.w - 4, ROLE_TEXT, text);
}

static void draw_rows(struct table *t, struct canvas *c, struct rect a)
{
    struct page p;
    struct err e = ERR_INIT;
    struct shorten how[MAX_COLS];
    struct names *names[MAX_COLS];
    t->top = table_top(t, (size_t)a.h);
    t->has_aside = t->o.aside && t->o.aside(t->o.arg, &t->aside);
    if (t->search)
        re_renew(t->search);
    if (view_page(t->v, t->top, (size_t)a.h, VIEW_RELATIVE, &p, &e)) {
        char text[512];
        draw_message_row(c, a, tr_said_error(&e, text, sizeof text));
        return;
    }
    for (size_t i = 0; i < t->n_slots; i++)
        how[i] = table_shorten(t, &t->slots[i], &p, canvas_flags(c));
    for (size_t i = 0; i < t->n_slots; i++)
        how[i].names = names[i] = table_names(t, &t->slots[i], &p, &how[i], canvas_flags(c));
    size_t skip = skip_for_cursor(t, c, &p, a.h), slot = main_slot(t);
    int y = a.y;
    size_t r = skip;
    for (; r < p.n && y < a.y + a.h; r++) {
        int lines = row_lines(t, c, &p, r, slot);
        if (lines > a.y + a.h - y)
            lines = a.y + a.h - y;
        draw_row(t, c, a, y, &p, r, how, lines);
        y += lines;
    }
    for (size_t i = 0; i < t->n_slots; i++)
        names_free(names[i]);
    t->top += skip;
    t->rows_drawn = r - skip;
    if (!p.n && !table_rows(t) && view_total(t->v) && !table_is_counting(t))
        draw_message_row(c, a, tr("No row is left by the filters (F lists them)."));
}

void table_fit(struct table *t, const struct canvas *c, struct rect a)
{
    t->area = a;
    if (!t->v || a.h < 2 || a.w < 4)
        return;
    update_range(t, canvas_cols(c) >= WIDE_FROM);
    table_measure(t, (size_t)(a.h - 1), canvas_flags(c));
    bool bar = a.w >= (canvas_cols(c) >= WIDE_FROM ? 45 : 60) &&
               (t->o.bar ? true : t->bar_col != SIZE_MAX && t->bar_max > 0);
    table_layout(t, a.x + 1, a.w - 1, bar);
}

void table_draw(struct table *t, struct canvas *c, struct rect a)
{
    table_fit(t, c, a);
    if (!t->v || a.h < 2 || a.w < 4)
        return;
    t->page_rows = (size_t)(a.h - 1);
    t->bar_classes = 0;
    draw_head(t, c, a);
    draw_rows(t, c, (struct rect){ a.y + 1, a.x, a.h - 1, a.w });
    if (t->bar_classes)
        draw_bar_classes(t, c, a.y);
}

void table_draw_from(struct table *t, struct canvas *c, struct rect a, size_t first, size_t units_of)
{
    const size_t top = t->top, page_rows = t->page_rows;
    const bool no_cursor = t->no_cursor;

    t->top = first;
    t->units_of = units_of;
    t->from_top = t->no_cursor = true;
    table_draw(t, c, a);
    t->from_top = false;
    t->units_of = 0;
    t->no_cursor = no_cursor;
    t->top = top;
    t->page_rows = page_rows;
}

int table_draw_chips(struct table *t, struct canvas *c, int y, int x, int w)
{
    int used = 0;
    t->n_chips = 0;
    for (size_t i = 0; i < t->n_filters; i++) {
        const struct table_filter *f = &t->filters[i];
        int from = x + used;
        if (!f->on)
            continue;
        used += draw_printf(c, y, x + used, w - used, ROLE_DIM, "%zu:", i + 1);
        if (used >= w)
            return w;
        used += draw_puts(c, y, x + used, w - used, ROLE_MARK, f->name ? f->name : f->text);
        t->chips[t->n_chips].filter = i;
        t->chips[t->n_chips].x0 = from;
        t->chips[t->n_chips++].x1 = x + used;
        used += 2;
        if (used >= w)
            return w;
    }
    return used;
}

size_t table_chip_at(const struct table *t, int x)
{
    for (size_t i = 0; i < t->n_chips; i++)
        if (t->chips[i].filter < t->n_filters && x >= t->chips[i].x0 && x < t->chips[i].x1)
            return t->chips[i].filter;
    return SIZE_MAX;
}
