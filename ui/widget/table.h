/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table widget: shows a view (model/view/view.h) with cursor, sort, filters, search, marks,
 * units and column choice (doc/screens.md#anatomy to #numbers).
 *
 * A table outlives its view: table_detach() closes it (the store goes away), table_attach() opens
 * it again where the reader was. Nothing here knows curses or SQL.
 */
#ifndef NPUSCOPE_UI_WIDGET_TABLE_H
#define NPUSCOPE_UI_WIDGET_TABLE_H

#include "model/session.h"
#include "model/view/cell.h"
#include "ui/widget/draw.h"
#include "ui/widget/key.h"

struct table;

/*
 * Draws the extra cells at the right of a row for the pane (steps: stacked parts); without it the widget
 * draws value bars there.
 */
typedef void table_bar_fn(void *arg, struct table *t, struct canvas *c, struct rect at, const struct page *p,
                          size_t row);
/* Head of those cells. */
typedef void table_bar_head_fn(void *arg, struct table *t, struct canvas *c, struct rect at);

/* The URI of the name in a row, which becomes a link; nothing: it has none. row: of the view. */
typedef void table_link_fn(void *arg, size_t row, struct buf *uri);

/*
 * The number, in the main column, of the row that figures of the pane leave out: it stands in brackets.
 * false: there is none. Called before rows are drawn; it may page.
 */
typedef bool table_aside_fn(void *arg, int64_t *number);

struct table_opts {
    table_bar_fn *bar;
    table_bar_head_fn *bar_head;
    table_aside_fn *aside;
    table_link_fn *link; /* NULL: names are no links */
    void *arg;
    bool slow; /* no reverse video on whole rows */
};

NODISCARD int table_new(struct table **out, const struct view_def *def, const struct table_opts *o,
                        struct err *e);
/*
 * A table over the result of a statement (SQL console, generic tables), which runs on parts[0] of
 * table_attach().
 */
NODISCARD int table_new_sql(struct table **out, struct str sql, const struct table_opts *o, struct err *e);
void table_free(struct table *t);
/*
 * Open the view over these parts; sort, filters and cursor are as before. A filter that does not compile any
 * more is switched off.
 */
NODISCARD int table_attach(struct table *t, const struct view_part *parts, size_t n,
                           const struct view_scope *scope, struct err *e);
void table_detach(struct table *t);
struct view *table_view(const struct table *t); /* NULL: detached */
const struct view_def *table_def(const struct table *t);

/* ---- cursor ---- */
size_t table_rows(const struct table *t);
size_t table_cursor(const struct table *t);
void table_goto(struct table *t, size_t row);
/* Whether the cursor row is marked as such: not while the reader is elsewhere in the pane. */
void table_show_cursor(struct table *t, bool on);
/* The current column: the one that is copied, charted, sorted by. */
size_t table_column(const struct table *t);
bool table_set_column(struct table *t, size_t col);
/*
 * Value of the cursor row by column id; VAL_NULL when there is none. Text is valid until the next call that
 * pages.
 */
struct val table_value(struct table *t, const char *id);
struct val table_value_at(struct table *t, size_t row, size_t col);

/* Make what is drawn in a a link of the cursor row's name, where that has one. */
void table_draw_link(struct table *t, struct canvas *c, struct rect a);

/* ---- keys: movement, sort, unit, wrap, marks, detail. false: not a key of tables ---- */
bool table_key(struct table *t, enum action a);
/*
 * Click at a cell of the canvas; returns ACT_OPEN for a double click on a row, ACT_DOWN when the cursor
 * moved, ACT_SORT_MENU when sorted.
 */
enum action table_click(struct table *t, const struct key_event *k);

/* ---- sort, columns, units ---- */
NODISCARD int table_sort(struct table *t, int col, bool desc, struct err *e);
/* Columns in screen order: index in the view, and whether it is shown. */
size_t table_n_columns(const struct table *t);
size_t table_column_at(const struct table *t, size_t pos, bool *shown);
/* It had room when the table was drawn last. */
bool table_column_had_room(const struct table *t, size_t col);
/*
 * Whether the column at this position is copied and exported, for people or for programs: those that are
 * shown, without a value, too; of VC_BASE ones what a command writes, and those that the reader chose.
 */
bool table_writes(const struct table *t, size_t pos, bool people);
/* Whether the row on the screen, as it was drawn last, shows this value of the column in full. */
bool table_row_shows(const struct table *t, size_t col, const struct val *v);
/* Column of the view that is left out because no row has a value of it. */
bool table_column_is_blank(const struct table *t, size_t col);
void table_show_column(struct table *t, size_t pos, bool shown);
void table_move_column(struct table *t, size_t pos, int dir);
struct cell_units table_units(const struct table *t);
/* Whether a value of MFLOPs is said in GFLOPs beside the table, as its column is; not if it were "<0.01". */
bool table_is_giga(const struct table *t, size_t col, const struct val *v);
/* What the head of a column of the view says. */
const char *table_title(const struct table *t, size_t col);
/* The column of amounts that bars and pictures of the table are about; SIZE_MAX: it has none. */
size_t table_amount_column(struct table *t);
/* Another number after each change of rows, order or filters. */
unsigned table_version(const struct table *t);
void table_set_units(struct table *t, struct cell_units u);

/* ---- filters ---- */
struct table_filter {
    char *text, *name; /* name NULL: none */
    bool on;
};
size_t table_n_filters(const struct table *t);
const struct table_filter *table_filter(const struct table *t, size_t i);
/* Add a line; on an error nothing changes (e->offset: position in the line). */
NODISCARD int table_filter_add(struct table *t, struct str line, struct err *e);
NODISCARD int table_filter_set(struct table *t, size_t i, struct str line, struct err *e);
void table_filter_delete(struct table *t, size_t i);
void table_filter_switch(struct table *t, size_t i, bool on);
void table_filter_name(struct table *t, size_t i, struct str name);
/*
 * A line that is being typed: applied together with the others until it is added or given up (text empty).
 * After an error the last good line stays.
 */
NODISCARD int table_filter_live(struct table *t, struct str line, struct err *e);
#define WORK_NS 5000000 /* of work between two keys */
/* Filters are at work: there may be more rows than table_rows(). */
bool table_is_counting(const struct table *t);
/*
 * Go on for about budget_ns with work that was begun (live filter, rows after the first ones of an order).
 * *changed: other rows are shown now. *more: there is work left.
 */
NODISCARD int table_work(struct table *t, int64_t budget_ns, bool *more, bool *changed, struct err *e);
/* Which filter took the last row away: its index, SIZE_MAX none (or the live one). */
size_t table_filter_culprit(struct table *t);
/* Rows a pattern was too costly for, since the filters changed. */
size_t table_undecided(const struct table *t);

/* ---- search ---- */
/* Set the pattern (compiled anew when it differs; empty: forget it). */
NODISCARD int table_search_set(struct table *t, struct str pattern, struct err *e);
/*
 * Go to the next match in direction dir, from the cursor; false: not found, or no pattern. *wrapped: the
 * search went past the end of the table.
 */
bool table_search(struct table *t, int dir, bool from_cursor, bool *wrapped, struct err *e);
bool table_has_search(const struct table *t);

/* ---- marks ---- */
size_t table_n_marks(const struct table *t);
/* Row of the mark with this letter, or for '\'' of the next mark after the cursor; SIZE_MAX: none. */
size_t table_mark_row(struct table *t, uint32_t letter);
/* Smallest and largest value of a column over the marked rows; false: no marked row has a value. */
bool table_mark_range(struct table *t, const char *id, double *min, double *max);

/* ---- what the reader chose, kept from one start to the next (ui/widget/table_state.c) ---- */
typedef void table_line_fn(void *arg, struct str line);
/*
 * One line for each thing that differs from the view's own: "sort avg_ns desc", "columns op_name,-type",
 * "filter + type=Conv2D", "mark a 12 0 Default/Conv2D-op1". Texts are raw bytes and may hold line breaks.
 */
void table_save(const struct table *t, table_line_fn *fn, void *arg);
/*
 * Read such a line, for a table that was never attached; false: it is none. What no longer fits is left out
 * when the table is attached.
 */
bool table_restore(struct table *t, struct str line);
/*
 * The same for sort and columns of the settings: table_save() leaves them out until the reader changes them.
 */
bool table_preset(struct table *t, struct str line);

/* ---- drawing ---- */
/*
 * Choose the columns that fit into a, and their widths; table_draw() does it, too. What the detail shows
 * depends on it.
 */
void table_fit(struct table *t, const struct canvas *c, struct rect a);
/* After that: the cells that its columns want, without a bar, and whether there is one. */
int table_width_wanted(const struct table *t);
/* The same that columns which are needed most, a name of words and a short bar take; 0: of other names. */
int table_width_needed(const struct table *t);
bool table_has_bar(const struct table *t);
/* Draw head and rows into a, which is at least two rows high. */
void table_draw(struct table *t, struct canvas *c, struct rect a);
/*
 * The rows from `first` on, without a cursor; what table_draw() showed last stays as it was for keys. Columns
 * have the units that suit the first `units_of` rows, so that all parts of a table have the same.
 */
void table_draw_from(struct table *t, struct canvas *c, struct rect a, size_t first, size_t units_of);
/* Draw the filter chips into one row; returns the cells used. */
int table_draw_chips(struct table *t, struct canvas *c, int y, int x, int w);
/* The filter whose chip was drawn at this column last; SIZE_MAX: none. */
size_t table_chip_at(const struct table *t, int x);
bool table_detail_on(const struct table *t);
bool table_detail_hidden(const struct table *t); /* by the reader */
/* Lines the detail of the cursor row wants at this width. */
int table_detail_lines(struct table *t, int w);
void table_draw_detail(struct table *t, struct canvas *c, struct rect a);
/* The whole row as text: "title  value" per line, for the card and for copying. */
void table_row_text(struct table *t, size_t row, bool exact, struct buf *out);
/* Columns shown, tab separated, one row or (row SIZE_MAX) every row shown; raw bytes of texts. */
NODISCARD int table_copy_rows(struct table *t, size_t row, struct buf *out, struct err *e);
/* One column of every row shown, or one cell. */
NODISCARD int table_copy_column(struct table *t, size_t row, size_t col, struct buf *out, struct err *e);

#endif
