/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of a table as a card: over the whole body after Enter, and beside the table where there is room
 * (doc/screens.md#master-and-detail).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"
#include "ui/widget/names.h"

/* ---- the whole body ---- */

/* "title TAB value": the title dim in `left` cells, the value wrapped to the right of it. */
static int draw_line(struct canvas *c, struct rect a, int y, int left, struct str line)
{
    size_t tab = str_chr(line, '\t');
    struct str title = str_sub(line, 0, tab),
               value = tab == SIZE_MAX ? STR("") : str_sub(line, tab + 1, line.n);
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    text_wrap(&b, value, (size_t)(a.w > left + 8 ? a.w - left : 8), canvas_flags(c));
    struct str rest = buf_str(&b), part;
    int first = y;
    for (; str_next(&rest, '\n', &part); y++) {
        if (y < 0 || y >= a.h)
            continue;
        if (y == first)
            draw_text(c, a.y + y, a.x, left - 2, ROLE_DIM, title, CUT_END);
        draw_text(c, a.y + y, a.x + left, a.w - left, ROLE_TEXT, part, CUT_END);
    }
    buf_done(&b);
    return y > first ? y : first + 1;
}

#define CARD_TITLE_W 18

/* From line y of a on, which may lie above or below it; returns where they end. */
static int draw_from(struct canvas *c, struct rect a, int y, struct str text)
{
    struct str line;
    while (str_next(&text, '\n', &line))
        if (line.n)
            y = draw_line(c, a, y, CARD_TITLE_W, line);
    return y;
}

void pane_draw_lines(struct level *l, struct canvas *c, struct rect a, struct str text)
{
    struct rect in = { a.y, a.x + 2, a.h, a.w - 4 };
    l->lines = draw_from(c, in, in.h, text) - in.h; /* below the area nothing is drawn */
    l->room = in.h;
    const int most = l->lines > l->room ? l->lines - l->room : 0;
    l->scroll = l->scroll < most ? l->scroll : most;
    draw_from(c, in, -l->scroll, text);
}

void pane_draw_card(struct level *l, struct canvas *c, struct rect a)
{
    struct buf text;
    buf_init(&text, (size_t)4 << 20);
    table_row_text(l->t, table_cursor(l->t), true, &text);
    pane_draw_lines(l, c, a, buf_str(&text));
    buf_done(&text);
}

/* ---- beside the table ---- */

#define BESIDE_LEAST_W 43
#define BAR_W          24 /* of a narrow table */
#define BESIDE_MOST_W  84
#define BESIDE_EDGE_W  3
#define BESIDE_TITLE_W 14 /* of a title at least; one that is longer has up to a third of the card */
#define LONG_LINES     6  /* of a text that is longer the rest is in the card of Enter */
#define SHARE_AT       9  /* a bar follows a share */

int pane_beside_width(const struct pane *p, struct table *t, const struct canvas *c, struct rect a)
{
    int w = a.w * 2 / 5, most = BESIDE_MOST_W, narrow = a.w * 3 / 10;

    if (a.w < PANE_WIDE || (p->def->ops && p->def->ops->whole_width && !p->depth) || a.h < 8 ||
        table_detail_hidden(t) || !table_view(t) || !table_rows(t))
        return 0;
    table_fit(t, c, a);
    int wanted = table_width_wanted(t) + (table_has_bar(t) ? BAR_W : 0);
    if (wanted <= w) /* a narrow table leaves more */
        w = most = a.w - (wanted <= narrow ? narrow : w);
    else if (a.w - w < table_width_needed(t)) /* before the card, which names it in full */
        w = a.w - table_width_needed(t);
    return w < BESIDE_LEAST_W ? BESIDE_LEAST_W : w > most ? most : w;
}

/* The last of its lines shows the end of a name that is longer; prose goes on there. */
static int draw_name(struct canvas *c, struct rect a, struct str name, bool prose)
{
    struct buf b;
    buf_init(&b, 65536);
    text_wrap(&b, name, (size_t)a.w, canvas_flags(c));
    struct str rest = buf_str(&b), line;
    int y = 0;
    for (; y < LONG_LINES && str_next(&rest, '\n', &line); y++) {
        bool more = y + 1 == LONG_LINES && rest.n, tail = more && !prose;
        if (more && prose)
            line = text_unwrap(&b, line);
        if (y < a.h)
            draw_text(c, a.y + y, a.x, a.w, ROLE_BOLD, tail ? name : line, tail ? CUT_TAIL : CUT_END);
    }
    buf_done(&b);
    return y;
}

/* 0 to 1; negative: the value is no share. */
static double share_of(const struct view_col *col, const struct val *v)
{
    if (v->t != VAL_INT && v->t != VAL_REAL)
        return -1;
    return col->unit == VU_PCT ? val_num(v) / 100 : col->unit == VU_RATIO ? val_num(v) : -1;
}

/* One column of the page's row, its title in `left` cells; returns the lines. */
static int draw_column(struct table *t, struct canvas *c, struct rect a, const struct page *p, size_t i,
                       int left)
{
    const struct view_col *col = view_col(table_view(t), i);
    const struct val *v = page_val(p, 0, i);
    size_t marks = view_damage_col(table_view(t));
    const struct val *damage = marks == SIZE_MAX ? NULL : page_val(p, 0, marks);
    bool unsure = damage && damage->t == VAL_TEXT && cell_is_unsure(col, damage->s);
    char text[8192], line[sizeof text + 64];
    struct cell_units u = table_units(t);
    double share = share_of(col, v);

    u.sep = canvas_is_ascii(c) ? NULL : UNIT_THIN_SPACE;
    u.giga = table_is_giga(t, i, v);
    snprintf(line, sizeof line, "%s\t%s%s", cell_title(col, &u), unsure ? "~" : "",
             cell_string(text, sizeof text, col, v, &u));
    int n = draw_line(c, (struct rect){ a.y, a.x, a.h < LONG_LINES ? a.h : LONG_LINES, a.w }, 0, left,
                      str_of(line));
    int x = left + SHARE_AT;
    if (share >= 0 && a.h > 0 && a.w > x + 4)
        draw_thin_bar(c, a.y, a.x + x, a.w - x, share, 1, ROLE_INFO);
    return n < LONG_LINES ? n : LONG_LINES;
}

static bool is_name(const struct view_col *c, const struct val *v)
{
    return v->t == VAL_TEXT && c->flags & VC_MAIN;
}

/* The name of the cursor row; *key tells this row from others. Returns the lines. */
static int draw_names(struct table *t, struct canvas *c, struct rect a, const struct page *p, uint64_t *key)
{
    int y = 0;

    *key = (uint64_t)(uintptr_t)t;
    for (size_t i = 0; i < view_n_cols(table_view(t)); i++) {
        const struct val *v = page_val(p, 0, i);
        uint64_t number = v->t == VAL_INT ? (uint64_t)v->i : 0;
        *key = prof_hash(*key ^ (v->t == VAL_TEXT ? str_hash(v->s, str_seed()) : number));
        const struct view_col *col = view_col(table_view(t), i);
        struct cell_text text;
        if (!is_name(col, v))
            continue;
        cell_format(&text, col, v, &(struct cell_units){ 0 });
        y += draw_name(c, (struct rect){ a.y + y, a.x, a.h - y, a.w }, text.text, col->flags & VC_PROSE);
    }
    return y;
}

/* Whether the card says the column at this place in the table; *i: which one it is. */
static bool has_line(struct table *t, size_t pos, bool adds_only, const struct page *p, size_t *i)
{
    bool shown;

    *i = table_column_at(t, pos, &shown);
    const struct view_col *col = view_col(table_view(t), *i);
    const struct val *v = page_val(p, 0, *i);
    if (col->flags & VC_BASE && table_column_is_blank(t, *i))
        return false; /* all say the same: it stands above */
    return v->t != VAL_NULL && !is_name(col, v) && !(adds_only && table_row_shows(t, *i, v));
}

static int draw_columns(struct table *t, bool adds_only, struct canvas *c, struct rect a,
                        const struct page *p)
{
    int y = 0, left = BESIDE_TITLE_W;
    size_t i;

    for (size_t pos = 0; pos < table_n_columns(t); pos++)
        if (has_line(t, pos, adds_only, p, &i)) {
            const int w = text_cells_of(view_col_title(view_col(table_view(t), i)));
            const int most = (a.w + BESIDE_EDGE_W) / 3, room = 2 + (w < most ? w : most);
            left = room > left ? room : left;
        }
    for (size_t pos = 0; pos < table_n_columns(t); pos++)
        if (has_line(t, pos, adds_only, p, &i))
            y += draw_column(t, c, (struct rect){ a.y + y, a.x, a.h - y, a.w }, p, i, left);
    return y;
}

/* ---- what is inside of the row ---- */

#define INSIDE_ROWS 64

struct inside {
    const struct view_def *of;
    char *head;  /* "12 ops by Total" */
    bool ranked; /* they are of several ranks */
    size_t n;
    struct {
        char *label, *value;
        int rank;
        double share; /* of the largest one */
    } row[INSIDE_ROWS];
};

static void inside_free(struct inside *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++) {
        free(x->row[i].label);
        free(x->row[i].value);
    }
    free(x->head);
    free(x);
}

void pane_beside_forget(struct pane *p)
{
    inside_free(p->beside.inside);
    p->beside.inside = NULL;
    p->beside.wanted = p->beside.read = 0;
    p->beside.of = NULL;
}

/* The column that the rows are listed by: the one asked for, the view's own, the first of times. */
static const char *listed_by(const struct view_def *of, const char *sort)
{
    sort = sort ? sort : of->sort;
    for (size_t i = 0; !sort && i < of->n_cols; i++)
        if (of->cols[i].unit == VU_NS && of->cols[i].desc)
            sort = of->cols[i].id;
    return sort;
}

static int main_column(const struct view *v)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_MAIN)
            return (int)i;
    return 0;
}

static bool have_one_name(struct table *t, size_t n, size_t name)
{
    struct val v = table_value_at(t, 0, name);
    uint64_t first = v.t == VAL_TEXT ? str_hash(v.s, str_seed()) : 0;
    bool same = n > 1 && v.t == VAL_TEXT;

    for (size_t i = 1; i < n && same; i++) {
        v = table_value_at(t, i, name);
        same = v.t == VAL_TEXT && str_hash(v.s, str_seed()) == first;
    }
    return same;
}

/* What rows of the same name are told apart by. */
static const struct {
    const char *col, *word;
} apart[] = { { "step", N_("step ") }, { "ts_ns", N_("at ") } };

static int label_column(struct table *t, size_t n, const char **word)
{
    int name = main_column(table_view(t));

    *word = "";
    if (!have_one_name(t, n, (size_t)name))
        return name;
    for (size_t i = 0; i < ARRAY_LEN(apart); i++) {
        int col = view_find_col(table_view(t), apart[i].col);
        if (col >= 0 && table_value_at(t, 0, (size_t)col).t != VAL_NULL) {
            *word = tr(apart[i].word);
            return col;
        }
    }
    return name;
}

static char *cell_copy(const struct view_col *c, const struct val *v, const char *prefix,
                       const struct cell_units *u)
{
    char text[2048], out[2200];

    snprintf(out, sizeof out, "%s%s", prefix, cell_string(text, sizeof text, c, v, u));
    return strdup(out);
}

/* The unit that the head names: that of the largest, or of the row's own column. */
static struct cell_units units_of_rows(struct table *t, int by, const struct table *outer)
{
    const struct view_col *c = view_col(table_view(t), (size_t)by);
    struct cell_units u = { 0 };

    if (c->unit == VU_MFLOPS && table_rows(t)) {
        const struct val v = table_value_at(t, 0, (size_t)by);
        const int same = view_find_col(table_view(outer), c->id);
        u.giga =
            v.t == VAL_REAL && (same >= 0 ? table_is_giga(outer, (size_t)same, &v) : cell_is_giga(c, v.r));
    }
    return u;
}

/* What an op did so far, or a damaged file says: a share of it would mean nothing. */
static bool is_unsure(struct table *t, size_t row, int col)
{
    const size_t marks = view_damage_col(table_view(t));
    const struct val v = marks == SIZE_MAX ? val_null() : table_value_at(t, row, marks);

    return v.t == VAL_TEXT && cell_is_unsure(view_col(table_view(t), (size_t)col), v.s);
}

/* The first row need not be the largest: those of ops that run come before all others. */
static void take_rows(struct inside *x, struct table *t, int by, const struct cell_units *u)
{
    size_t most = table_rows(t) < INSIDE_ROWS ? table_rows(t) : INSIDE_ROWS;
    const char *word;
    int label = label_column(t, most, &word);
    const struct view_col *lc = view_col(table_view(t), (size_t)label),
                          *bc = view_col(table_view(t), (size_t)by);
    double largest = 0;

    for (; x->n < most; x->n++) {
        const bool unsure = is_unsure(t, x->n, by);
        struct val v = table_value_at(t, x->n, (size_t)by);
        const double amount = v.t == VAL_NULL || unsure || bc->unit == VU_TS ? 0 : val_num(&v);
        largest = amount > largest ? amount : largest;
        x->row[x->n].share = amount;
        x->row[x->n].value = cell_copy(bc, &v, unsure ? "~" : "", u);
        v = table_value_at(t, x->n, 0);
        x->row[x->n].rank = x->ranked && v.t == VAL_INT ? (int)v.i : 0;
        v = table_value_at(t, x->n, (size_t)label);
        x->row[x->n].label = cell_copy(lc, &v, word, &(struct cell_units){ 0 });
    }
    for (size_t i = 0; i < x->n; i++)
        x->row[i].share = largest > 0 ? x->row[i].share / largest : 0;
    const struct str unit = pane_unit(table_view(t), table_rows(t));
    char head[200];
    snprintf(head, sizeof head, tr("%s%zu %.*s by %s"), table_is_counting(t) ? ">= " : "", table_rows(t),
             (int)unit.n, unit.p, cell_title(bc, u));
    x->head = strdup(head);
}

static bool has_rank(const struct table *t)
{
    return view_col(table_view(t), 0) == view_rank_column();
}

/* The filter of what the row stands for; tables over several ranks have a column of them. */
static void add_filter(struct table *t, const char *template, struct buf *out)
{
    struct val rank = table_value(t, "rank");

    pane_expand_filter(t, template, out);
    if (has_rank(t) && rank.t == VAL_INT)
        buf_printf(out, " rank=%d", (int)rank.i);
}

/* One of the rows that are listed has a value in the column. */
static bool has_value(struct table *t, int col)
{
    for (size_t i = 0; i < table_rows(t) && i < INSIDE_ROWS; i++)
        if (table_value_at(t, i, (size_t)col).t != VAL_NULL)
            return true;
    return false;
}

/*
 * Sort by the column, its natural way; where it has no value by one that has, else by the name, unless all
 * have the same. false: there is nothing to say of the rows.
 */
static bool sort_by(struct table *t, int *by)
{
    struct err ignored = ERR_INIT;
    const int name = main_column(table_view(t));
    const size_t amount = table_amount_column(t);

    if (!table_rows(t) || table_sort(t, *by, view_col(table_view(t), (size_t)*by)->desc, &ignored))
        return false;
    if (has_value(t, *by))
        return true;
    if (amount == SIZE_MAX &&
        have_one_name(t, table_rows(t) < INSIDE_ROWS ? table_rows(t) : INSIDE_ROWS, (size_t)name))
        return false;
    *by = amount == SIZE_MAX ? name : (int)amount;
    return table_sort(t, *by, view_col(table_view(t), (size_t)*by)->desc, &ignored) == OK;
}

/* The first rows of what the row stands for. */
static struct inside *inside_read(struct pane *p, struct table *t)
{
    const struct view_def *d = table_def(t);
    const char *id = d->inside ? d->inside : d->open, *filter = d->inside ? d->inside_filter : d->open_filter;
    const struct view_def *of = id ? view_def_find(id) : NULL;
    struct session *s = app_session(p->app);
    struct err ignored = ERR_INIT;
    struct table *rows = NULL;
    struct buf line;
    size_t n;
    const char *sort = of ? listed_by(of, d->inside_sort) : NULL;
    struct inside *x = sort && filter ? calloc(1, sizeof *x) : NULL;

    if (!x)
        return NULL;
    x->of = of;
    buf_init(&line, 65536);
    add_filter(t, filter, &line);
    const struct view_part *parts = session_parts(s, p->def->all_ranks, &n);
    if (n && table_new(&rows, of, NULL, &ignored) == OK &&
        table_filter_add(rows, buf_str(&line), &ignored) == OK &&
        table_attach(rows, parts, n, session_scope(s), &ignored) == OK) {
        bool desc;
        int by = sort == of->sort ? view_sorted_by(table_view(rows), &desc)
                                  : view_find_col(table_view(rows), sort);
        x->ranked = has_rank(rows) && !has_rank(t);
        if (by >= 0 && sort_by(rows, &by)) {
            const struct cell_units u = units_of_rows(rows, by, t);
            take_rows(x, rows, by, &u);
        }
    }
    table_free(rows);
    buf_done(&line);
    return x;
}

/* How many cells a label has, for its form as a rule. */
struct label_room {
    size_t width;
    unsigned flags;
};

static void label_form(void *arg, struct str label, struct buf *out)
{
    const struct label_room *k = arg;
    text_clip(out, name_once(label), k->width, CUT_TAIL, k->flags);
}

static void draw_labels(const struct inside *x, struct canvas *c, struct rect a)
{
    struct label_room k = { (size_t)a.w, canvas_flags(c) };
    struct str label[INSIDE_ROWS];
    const size_t n = x->n < (size_t)a.h ? x->n : (size_t)a.h;
    struct buf b;

    for (size_t i = 0; i < n; i++)
        label[i] = str_of(x->row[i].label);
    struct names *others = names_apart(&(struct name_list){ .name = label,
                                                            .n = n,
                                                            .width = k.width,
                                                            .flags = k.flags,
                                                            .once = true,
                                                            .usual = label_form,
                                                            .arg = &k });
    buf_init(&b, 4096);
    for (size_t i = 0; i < n; i++) {
        const struct str text = names_text(others, label[i]);
        buf_clear(&b);
        if (!text.p)
            label_form(&k, label[i], &b);
        draw_text(c, a.y + (int)i, a.x, a.w, ROLE_TEXT, text.p ? text : buf_str(&b), CUT_END);
    }
    buf_done(&b);
    names_free(others);
}

/* Returns the lines used, with the empty one above. */
static int draw_inside(const struct inside *x, struct canvas *c, struct rect a)
{
    const int value_w = 10, bar_w = a.w > 60 ? 12 : 6;
    char rank[32];
    int rank_w = 0, left = value_w + bar_w + 2;

    if (!x->n || a.h < 3)
        return 0;
    for (size_t i = 0; i < x->n && x->ranked; i++) {
        snprintf(rank, sizeof rank, tr("rank %d"), x->row[i].rank);
        const int w = text_cells_of(rank) + 1;
        rank_w = w > rank_w ? w : rank_w;
    }
    draw_puts(c, a.y, a.x, a.w, ROLE_HEAD, x->head);
    for (size_t i = 0; i < x->n && (int)i + 1 < a.h; i++) {
        int y = a.y + 1 + (int)i;
        draw_right(c, y, a.x, value_w, ROLE_TEXT, str_of(x->row[i].value));
        draw_thin_bar(c, y, a.x + value_w + 1, bar_w, x->row[i].share, 1, ROLE_INFO);
        if (x->ranked) {
            snprintf(rank, sizeof rank, tr("rank %d"), x->row[i].rank);
            draw_text(c, y, a.x + left, rank_w, ROLE_DIM, str_of(rank), CUT_END);
        }
    }
    left += rank_w;
    if (a.w > left)
        draw_labels(x, c, (struct rect){ a.y + 1, a.x + left, a.h - 1, a.w - left });
    return (int)x->n + 2;
}

/* ---- all of it ---- */

static struct rect below_of(struct rect a, int lines)
{
    lines = lines < a.h ? lines : a.h;
    return (struct rect){ a.y + lines, a.x, a.h - lines, a.w };
}

/*
 * What was read last may be drawn: it is of this row, or that of this row takes its place with no key between
 * and the terminal gets the difference, not blanks first.
 */
static bool drawable(const struct pane *p, const struct table *t)
{
    return p->beside.read == p->beside.wanted ||
           (p->beside.of == table_def(t) && app_rests_soon(p->beside.took_ms));
}

/* What the pane adds keeps its place while the next row's is not read yet. */
static int draw_added(struct pane *p, struct table *t, struct canvas *c, struct rect a, bool low)
{
    const struct pane_card *card = p->def->ops ? p->def->ops->card : NULL;

    if (!card || (card->low != low && !(low && card->draw_low)))
        return 0;
    if (drawable(p, t))
        p->beside.added[low] = (card->low == low ? card->draw : card->draw_low)(p, t, c, a);
    return p->beside.added[low];
}

/* Lines that may be free above the columns, and above what comes below them. */
static const int calm_lines[] = { 2, 4 };

/*
 * The columns, and what comes below them, stay where they were while some lines are free above: the terminal
 * gets few bytes, and the eye finds them.
 */
static struct rect calm(struct pane *p, const struct table *t, struct rect in, size_t what)
{
    const int free = p->beside.drawn == table_def(t) ? p->beside.calm_y[what] - in.y : 0;

    if (free > 0 && free <= calm_lines[what] && free < in.h)
        return below_of(in, free);
    p->beside.calm_y[what] = in.y;
    return in;
}

int pane_draw_beside(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    struct rect in = { a.y, a.x + 2, a.h, a.w - BESIDE_EDGE_W };
    struct err ignored = ERR_INIT;
    struct page row;

    for (int y = 0; y < a.h; y++)
        draw_glyph(c, a.y + y, a.x, ROLE_DIM, G_VLINE);
    if (view_page(table_view(t), table_cursor(t), 1, VIEW_RELATIVE, &row, &ignored) || !row.n)
        return 0;
    p->shape_wanted = false;
    int names = draw_names(t, c, in, &row, &p->beside.wanted);
    table_draw_link(t, c, (struct rect){ in.y, in.x, names < in.h ? names : in.h, in.w });
    if (p->beside.read != p->beside.wanted)
        app_wait_rest(p->app, p->beside.took_ms);
    in = calm(p, t, below_of(in, names), 0);
    in = below_of(in, draw_added(p, t, c, in, false));
    if (view_page(table_view(t), table_cursor(t), 1, VIEW_RELATIVE, &row, &ignored) || !row.n)
        return a.h - in.h; /* what was added may have paged */
    const bool adds_only = p->def->ops && p->def->ops->card && p->def->ops->card->adds_only;
    in = calm(p, t, below_of(in, draw_columns(t, adds_only, c, in, &row)), 1);
    p->beside.drawn = table_def(t);
    in = below_of(in, draw_added(p, t, c, in, true));
    if (p->beside.inside && drawable(p, t))
        in = below_of(in, draw_inside(p->beside.inside, c, below_of(in, 1)));
    in = below_of(in, pane_draw_shape(p, t, c, below_of(in, 1)));
    return a.h - in.h;
}

void pane_rested(struct pane *p)
{
    p->app->rest_due_ms = 0;
    if (p->def->ops && p->def->ops->rested)
        p->def->ops->rested(p);
    p->app->dirty |= pane_room_read(p);
    struct table *t = pane_table(p);
    if (!t || !table_view(t) || !table_rows(t))
        return;
    p->app->dirty |= pane_shape_read(p, t);
    int64_t began = app_now_ms();
    if (p->beside.read == p->beside.wanted)
        return;
    p->beside.read = p->beside.wanted;
    if (p->def->ops && p->def->ops->card)
        p->def->ops->card->read(p, t);
    inside_free(p->beside.inside);
    p->beside.inside = inside_read(p, t);
    p->beside.of = table_def(t);
    p->beside.took_ms = app_now_ms() - began;
    p->app->dirty = true;
}
