/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the table widget, for ui/widget/table*.c. */
#ifndef NPUSCOPE_UI_WIDGET_TABLE_INT_H
#define NPUSCOPE_UI_WIDGET_TABLE_INT_H

#include "ui/widget/names.h"
#include "ui/widget/table.h"

#define MAX_FILTERS 32
#define MAX_MARKS   26
#define MAX_COLS    512
#define COL_GAP     2

struct mark {
    int64_t key;
    int rank;
    char letter;
    char *text; /* of the row's main column, to check that the key still means the same row; owned */
};

struct slot { /* a column on the screen */
    size_t col;
    int x, w;
};

/* How the texts of a column are shortened: without what all on the screen share. */
struct shorten {
    enum text_cut cut;
    size_t head, tail;         /* bytes of the ends; 0: nothing */
    size_t last;               /* bytes that the last parts of all paths begin with; 0: nothing */
    size_t parts;              /* so many of them */
    bool once;                 /* a last part that is there twice is there once */
    const struct names *names; /* what is drawn otherwise; NULL: nothing */
};
static inline bool shorten_folds(const struct shorten *k)
{
    return k->head || k->tail || k->last || k->once;
}

/* What the rows on the screen need of the layout, by column of the view (ui/widget/table_measure.c). */
struct measure {
    bool known;
    size_t top, rows;              /* the rows that were measured */
    size_t units_of;               /* as that of the table */
    struct cell_units u[MAX_COLS]; /* units of the columns for these rows */
    int number_w
        [MAX_COLS]; /* cells of the widest number seen, unit included; only grows until something changes */
    size_t apart;   /* column that tells rows of the same name apart; SIZE_MAX: none */
    bool same_known;
    bool same[MAX_COLS];   /* all rows shown have the same value here */
    uint8_t cut[MAX_COLS]; /* which cut was needed to tell texts apart ... */
    int cut_w[MAX_COLS];   /* ... at this width */
};

struct table {
    const struct view_def *def;
    struct view *v;
    struct table_opts o;
    char *sql; /* of table_new_sql, else NULL */

    size_t cursor, top;
    /*
     * Row of the cursor before rows moved: while detached, while a line is typed, while filters are at work.
     */
    size_t cursor_was;
    int64_t cursor_key; /* identity of that row */
    int cursor_rank;
    bool has_key;
    bool moved;   /* the reader has gone to another row since */
    bool placed;  /* the reader has chosen a row at any time; until then the cursor is on the first one */
    bool gave_up; /* table_work() failed; it does nothing until attached, sorted or filtered anew */

    /* columns */
    size_t n_cols;
    struct column {
        size_t col;
        bool shown;
        bool blank;  /* no row has a value here: not drawn unless ... */
        bool chosen; /* ... the reader switched it on */
        bool zero;   /* of a table with a bar of parts: 0 in every row */
    } order[MAX_COLS];
    size_t column;    /* current, index in the view */
    bool column_used; /* the reader moved to it */
    bool no_cursor;   /* the reader is elsewhere */
    bool has_aside;   /* a row stands in brackets: */
    int64_t aside;    /* its number */
    bool from_top;    /* the first row is drawn where it is, wherever the cursor stands */
    size_t units_of;  /* rows of the table that its units are for; 0: those on the screen */
    size_t first;     /* position in order of the first scrolled column; 0: not scrolled */
    struct cell_units units;
    bool wrap;
    int detail;       /* -1 as the view suggests, 0 off, 1 on */
    char sort_id[64]; /* "" natural order */
    bool sort_desc, sort_known;

    struct table_filter filters[MAX_FILTERS];
    struct filter *compiled[MAX_FILTERS];
    size_t n_filters;
    struct filter *applied[MAX_FILTERS + 1]; /* borrowed by the view */
    struct filter *live;

    struct re *search;
    char *search_text;

    struct mark marks[MAX_MARKS];
    size_t n_marks;
    struct mark kept[MAX_MARKS]; /* of an earlier start; those whose rows are still there become marks */
    size_t n_kept;
    char *columns; /* list of an earlier start, until the columns are known; owned */
    /* What the settings of the program say, which is not what the reader chose here. */
    struct {
        char sort_id[64];
        bool sort_desc;
        bool columns_wait; /* the list above is theirs */
        char *columns;     /* as table_save() writes them, once they are known; owned */
    } preset;

    struct measure m;
    int text_w[MAX_COLS]; /* cells of the widest text, by column of the view; 0 unknown */

    /* of the last drawing, for clicks */
    struct rect area;
    struct slot slots[MAX_COLS];
    size_t n_slots;
    struct {
        size_t filter;
        int x0, x1;
    } chips[MAX_FILTERS];
    size_t n_chips;
    int bar_x, bar_w;
    int bar_right_w;      /* cells of the number at the right of its head */
    unsigned bar_classes; /* bits 1 << op_class of the bars drawn last */
    size_t page_rows, rows_drawn;
    bool range_known, range_wide;
    double bar_max;
    size_t bar_col; /* SIZE_MAX none */
    bool bar_own;   /* the view names that column */
    bool amount_known;
    size_t amount_col; /* as table_amount_column() */
    unsigned version;
};

/* Choose the columns that fit into w cells, and the cells left for the bar (ui/widget/table_layout.c). */
void table_layout(struct table *t, int x, int w, bool want_bar);
/* Rows, order or filters changed: forget what was computed from them. */
void table_changed(struct table *t);
/* Before rows move: remember the row of the cursor. */
void table_keep_key(struct table *t);
/* After rows moved: put the cursor on the same row when it is shown, else on the same row number. */
void table_find_key(struct table *t);
/* ui/widget/table_filter.c: compile the filters for the view that is attached; give them to the view. */
void table_compile_filters(struct table *t);
NODISCARD int table_apply_filters(struct table *t, struct err *e);
/* The text with a terminating zero; NULL: out of memory. The caller frees it. */
char *table_copy_text(struct str s);
/* The column at this position in order[] takes room on the screen. */
bool table_on_screen(const struct table *t, size_t pos);

/* First row on the screen when `rows` of them fit. */
size_t table_top(const struct table *t, size_t rows);
/* What the marks of a row of a page say; col: view_damage_col(). Borrowed from the page. */
struct str table_damage(const struct page *p, size_t row, size_t col);
/* Measure those rows: units, widths of numbers and names, as text with these flags. */
void table_measure(struct table *t, size_t rows, unsigned flags);
/* What keeps the most different texts of this column apart on the screen. */
struct shorten table_shorten(struct table *t, const struct slot *s, const struct page *p, unsigned flags);
/* Those that would look the same all the same, told apart; NULL: none. It borrows texts of the page. */
struct names *table_names(const struct table *t, const struct slot *s, const struct page *p,
                          const struct shorten *how, unsigned flags);
/* Append a text without what all share, a mark in its place. */
void table_fold(struct buf *out, struct str s, const struct shorten *k, unsigned flags);
/*
 * Apply what was kept from an earlier start, when the table is attached for the first time
 * (ui/widget/table_state.c, ui/widget/table_marks.c).
 */
void table_take_columns(struct table *t);
void table_take_marks(struct table *t);
/* Mark the cursor row, or take its mark away (ui/widget/table_marks.c). */
void table_toggle_mark(struct table *t);
void table_free_state(struct table *t);
/* Find the columns that have no value in any row. */
void table_find_blank(struct table *t);
/* Find the columns that are 0 in every row, where the pane draws a bar of parts. */
void table_find_zero(struct table *t);

#endif
