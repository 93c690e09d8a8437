/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Panes: a table of them (ui/pane/panes.c), and what all panes share: views to choose from, tables that open
 * other tables, filter, detail, empty states (ui/pane/pane.c). A pane is a row of the table; it has code of
 * its own (struct pane_ops) only where it differs.
 */
#ifndef NPUSCOPE_UI_PANE_PANES_H
#define NPUSCOPE_UI_PANE_PANES_H

#include "model/view/facts.h"
#include "ui/app/app.h"
#include "ui/widget/table.h"

#define MAX_PANE_VIEWS 16
#define MAX_PANE_TABS  (MAX_PANE_VIEWS + 4) /* with the modes */
#define MAX_DEPTH      8
#define PANE_WIDE      120               /* cells of a body with room beside and below its table */
#define PANE_KEPT_B    ((size_t)1 << 18) /* bytes kept of one pane */

struct pane;

/* A command of the prompt (ui/app/commands.c) that a pane carries out. */
struct pane_command {
    const char *name;
    void (*run)(struct pane *p, struct str args);
    const char *elsewhere; /* what is said when another pane is in front; NULL: this one comes to the front */
};

/* What a pane adds to the card beside its table (ui/pane/pane_card.c). */
struct pane_card {
    void (*read)(struct pane *p, struct table *t); /* of the cursor row, when the cursor rests */
    /* What was read last; returns the rows used. */
    int (*draw)(struct pane *p, struct table *t, struct canvas *c, struct rect a);
    bool low;       /* below the columns, else above them */
    bool adds_only; /* of the columns those alone that the row does not show in full */
    /* What comes below the columns beside that; NULL: nothing. */
    int (*draw_low)(struct pane *p, struct table *t, struct canvas *c, struct rect a);
};

/* What an action needs: can NULL, nothing. why: as app_can(). */
struct pane_need {
    enum action act;
    bool (*can)(struct pane *p);
    const char *why;
};

/* Every slot may be NULL: the generic behaviour. */
struct pane_ops {
    int (*open)(struct pane *p, struct err *e); /* once, before the first attach */
    void (*close)(struct pane *p);
    int (*attach)(struct pane *p,
                  struct err *e);   /* after the generic one: stores have come, or rank or steps changed */
    void (*detach)(struct pane *p); /* before the generic one: stores go away */
    bool (*draw)(struct pane *p, struct canvas *c,
                 struct rect a); /* the whole body; false: the generic one draws */
    int (*above)(struct pane *p, struct canvas *c,
                 struct rect a); /* draws above the table in a; returns the rows used */
    int (*below)(struct pane *p, struct canvas *c,
                 struct rect a); /* returns the rows wanted below the table; draws them unless c is NULL */
    bool (*key)(struct pane *p, enum action act); /* before the generic one */
    bool (*mouse)(struct pane *p, const struct key_event *k);
    bool (*text_key)(struct pane *p,
                     const struct key_event *k);        /* a pane that takes text: before every binding */
    bool (*takes)(const struct pane *p, uint32_t code); /* whether such a key is text now */
    /* What its own actions need of what is in front, ended by ACT_NONE; NULL: as everywhere. */
    const struct pane_need *(*needs)(const struct pane *p);
    bool (*open_row)(struct pane *p);         /* Enter on a row of the table in front */
    unsigned (*scopes)(const struct pane *p); /* 0: the generic ones */
    bool modes_inside;                        /* its modes come right after its first view, else after all */
    void (*context)(struct pane *p,
                    struct buf *out); /* text of the context row after the tabs of the views */
    bool (*draw_context)(struct pane *p, struct canvas *c,
                         struct rect a); /* the whole row; false: the text */
    void (*status)(struct pane *p, struct buf *left, struct buf *right);
    /* Append what the rows of the table are, as "6 of 24 types"; false: they are what the view says. */
    bool (*count)(struct pane *p, struct table *t, struct buf *out);
    /* Append what the sums of the table are of, "per step"; nothing: that goes without saying. */
    void (*base)(struct pane *p, struct table *t, struct buf *out);
    bool (*has_data)(struct pane *p); /* replaces "one of the views has data" */
    bool (*back)(struct pane *p);     /* q: one level back; false: there is none */
    bool (*bar)(const struct pane *p, const struct key_bar **bar, size_t *n);
    void (*bar_cells)(struct pane *p, const struct view_def *d,
                      struct table_opts *o);                 /* bars drawn by the pane, links of its names */
    struct table *(*table)(const struct pane *p);            /* the table in front */
    bool (*time)(struct pane *p, int64_t *ts, int64_t *dur); /* what `t` goes to */
    /*
     * Filters when no table is in front: the table that keeps them (NULL: none now), a line that is being
     * typed, and how many rows are left.
     */
    struct table *(*filters)(struct pane *p);
    int (*filter_live)(struct pane *p, struct str line, struct err *e);
    void (*filter_count)(struct pane *p, char *buf, size_t n);
    /* Write what is no table to a file; an empty path is asked for. false: there is nothing to write. */
    bool (*export)(struct pane *p, struct str path, bool replace);
    void (*save)(struct pane *p, table_line_fn *fn, void *arg); /* lines in addition to those of its tables */
    bool (*restore)(struct pane *p, struct str line);           /* read such a line, right after open */
    bool (*work)(struct pane *p);   /* a slice of what the last drawing left; true: more is left */
    void (*rested)(struct pane *p); /* what waited until the reader rests: app_wait_rest() */
    void (*renumber)(struct pane *p, const size_t *moved); /* as session_renew() fills it */
    bool (*wants)(struct pane *p, size_t unit);            /* the pane wants the store of this unit, too */
    const struct pane_card *card;
    bool whole_width; /* no card beside its own tables */
    int room_from;    /* cells of a body from which its modes leave two fifths to other views; 0: never */
    const struct pane_command *commands; /* of the prompt that are its own, ended by one without a name */
    bool finds;                          /* a search begins with its own ACT_FIND_NEXT, where it has that */
};

/* A view of a pane that is no table: chart, histogram ... `v` reaches it after the views. */
struct pane_mode {
    const char *title;
    int (*draw)(struct pane *p, struct canvas *c, struct rect a); /* returns the lines used */
    size_t below; /* also below a table that is in front and has so many rows at least; 0: never */
    bool (*has)(const struct pane *p); /* it has something to show, where the pane has; NULL: always */
};

struct pane_def {
    enum pane_id id;
    const char *title; /* in the pane bar */
    enum action key;
    const char *prefix;         /* its views are those whose ids begin so */
    const struct pane_ops *ops; /* NULL: all generic */
    const struct pane_mode *modes;
    size_t n_modes;
    unsigned scopes;          /* in addition to those of a table */
    bool all_ranks;           /* tables over every loaded rank */
    const enum pane_id *also; /* panes whose first views are shown in the room that this one leaves */
    size_t n_also;
    const struct key_bar *bar;
    size_t n_bar;
    const char *empty; /* empty state when no view names one */
    const char *help;  /* what it shows: lines; "# " heads */
};
extern const struct pane_def pane_defs[N_PANES];
const struct pane_def *pane_def_by_word(struct str word);
const struct pane_def *pane_def_by_action(enum action a);

struct level {
    bool is_card;
    struct table *t; /* for a card: the table below it */
    int scroll;
    int lines, room; /* of the card, as drawn last */
    char *crumb;     /* name of what it shows, in full; "" when it has none. Owned. */
};

struct pane {
    const struct pane_def *def;
    struct app *app;
    void *own;
    bool opened, attached;
    struct buf kept; /* lines of pane_save() of an earlier start, until the pane is opened */
    struct err err;  /* why the pane could not be attached */
    struct {
        const struct view_def *def;
        struct table *t; /* NULL: not opened yet */
        int has;         /* 1 data, 0 none, -1 unknown */
        bool asked;      /* for its tab; it may still be unknown */
    } views[MAX_PANE_VIEWS];
    struct {
        size_t view;
        int x0, x1;
    } tabs[MAX_PANE_TABS]; /* as drawn last */
    size_t n_tabs;
    bool found_view;      /* that has data, since then */
    size_t n_views, view; /* view >= n_views: a mode */
    struct level stack[MAX_DEPTH];
    size_t depth;
    struct {
        uint64_t wanted, read; /* rows of the card: the one drawn, the one that more was read of */
        struct inside *inside; /* NULL: nothing is */
        const void *of;        /* definition of the table whose row was read last */
        const void *drawn;     /* definition of the table whose row was drawn last */
        int calm_y[2];         /* where the columns of such a row began last, and what comes below them */
        int added[2];          /* rows used last by what the pane added: above the columns, below them */
        int64_t took_ms;       /* the last reading */
    } beside;
    struct shape *shape; /* picture of a table's amounts as read last, NULL: none */
    bool shape_wanted;   /* the last drawing has room for it */
    struct {
        struct pane
            *wanted;     /* the last drawing has room for a view of this pane that is not open; NULL: none */
        size_t view;     /* that one */
        int64_t took_ms; /* to open the last one */
        size_t hidden;   /* rows of what the last drawing had in front or tried to have below it, not shown */
    } room;
    struct facts summary; /* facts of the view in front */
    const struct view_def *summary_of;
};

NODISCARD int pane_new(struct pane **out, const struct pane_def *d, struct app *a, struct err *e);
void pane_free(struct pane *p);
/*
 * Called before drawing: open the pane, and attach it when stores came or the scope changed. Errors are kept
 * in p->err and shown.
 */
void pane_show(struct pane *p);
void pane_detach(struct pane *p);

/*
 * Write what the reader chose in the pane, as lines of text without line breaks: "view ops.op", "table ops.op
 * sort avg_ns desc", "own ...".
 */
void pane_save(struct pane *p, table_line_fn *fn, void *arg);
/* Keep such a line for a pane that was not opened yet; it is read when the pane is opened. */
void pane_restore(struct pane *p, struct str line);
void pane_take_kept(struct pane *p);
/* Texts on one line: a line break is "\\n", a backslash "\\\\". false: not such a line. */
void pane_escape(struct str s, struct buf *out);
bool pane_unescape(struct str s, struct buf *out);

/* The table in front; NULL: a chart, a card, no data. */
struct table *pane_table(const struct pane *p);
/* The same; with a card in front, the table it was opened from. */
struct table *pane_row_table(const struct pane *p);
/*
 * The table whose filters act on what is in front: that one, or one that only keeps them (not attached).
 * NULL: nothing is filtered here.
 */
struct table *pane_filters(struct pane *p);
/*
 * Write what is in front and is no table to a file; an empty path is asked for. false: there is no such
 * thing.
 */
bool pane_export(struct pane *p, struct str path, bool replace);
/* As table_filter_live(); and the count, "21 of 171", "" when it is not known. */
NODISCARD int pane_filter_live(struct pane *p, struct str line, struct err *e);
void pane_filter_count(struct pane *p, char *buf, size_t n);
/*
 * Append what the shown rows of a filtered table are together, "   Time 6.01 ms   20.9% of AI Core", or not
 * named and closer "  6.01 ms  20.9% of AI Core"; nothing where all rows are shown, or they are too many to
 * add up while keys wait. Shares are of one rank each.
 */
void pane_filtered_sum(const struct pane *p, struct table *t, bool named, struct buf *out);
/* Append what the table in front shows: "6 of 24 types  75.5 ms  26.3% of AI Core". */
void pane_shown(struct pane *p, struct buf *out);
/* The dashboard that Triage made of the session as it is; NULL: none yet. */
struct dash;
const struct dash *pane_triage_dash(const struct pane *triage);
/* Whether the mode with this number has something to show. */
bool pane_mode_has(const struct pane *p, size_t m);
/* Title of what is in front: "type", "chart". */
const char *pane_view_title(const struct pane *p);
/* What n rows of a view are called: "types", "step". */
struct str pane_unit(const struct view *v, size_t n);
bool pane_has_data(const struct pane *p);
bool pane_view_has(struct pane *p, size_t i);
/* The pane shows only why it has no data. */
bool pane_is_empty(const struct pane *p);
/* A key with this code is text for the pane now, not a binding. */
bool pane_takes(const struct pane *p, uint32_t code);
/* For struct pane_need: what the pane never does. */
bool pane_cannot(struct pane *p);
/* `v` has another view to show. */
bool pane_has_other_view(struct pane *p);
/* Go to a view by number; false: there is none. */
bool pane_set_view(struct pane *p, size_t i);
/* The moment of the scope is another one: read the views of a moment again, each when it is in front. */
NODISCARD int pane_renew_moment(struct pane *p, struct err *e);
/* The same, attached. Errors: as table_attach(). */
NODISCARD int pane_need_table(struct pane *p, size_t i, struct err *e);
/* The table of view i, made if need be (not attached); NULL: out of memory. */
struct table *pane_base_table(struct pane *p, size_t i);
/*
 * Open a level above the others: a view with a filter (may be empty), the result of a statement, the cursor
 * row as a card.
 */
bool pane_open_view(struct pane *p, const struct view_def *d, struct str filter, const char *crumb);
bool pane_open_sql(struct pane *p, struct str sql, const char *crumb);
void pane_open_card(struct pane *p);

void pane_draw(struct pane *p, struct canvas *c, struct rect a);
/*
 * The views that have data, modes too, in the order of `v`. Returns their number. ask false: those that are
 * known to have some, as drawing cannot wait: pane_ask_view() asks for one more, false: for none is left.
 */
size_t pane_order(struct pane *p, bool ask, size_t order[MAX_PANE_TABS]);
bool pane_ask_view(struct pane *p);
/*
 * Draw their names in one row of a, as many as have room around the one in front; nothing when not even that
 * one has. They get more than a.w where all of them need no more than `least` cells. Returns the cells used.
 * A click at x of that row chooses one; false: there is none.
 */
int pane_draw_tabs(struct pane *p, struct canvas *c, struct rect a, int least);
bool pane_click_tab(struct pane *p, int x);
bool pane_key(struct pane *p, enum action act);
bool pane_mouse(struct pane *p, const struct key_event *k);
bool pane_back(struct pane *p);
/* Between two keys: go on with what the last drawing left for later. True: more is left. */
bool pane_work(struct pane *p);
unsigned pane_scopes(const struct pane *p);
const struct key_bar *pane_bar(const struct pane *p, size_t *n);
/* The one of tables, for a pane that has tables beside what it draws itself. */
const struct key_bar *pane_list_bar(size_t *n);
void pane_context(struct pane *p, struct buf *out);
/*
 * Draw "Ops > Conv2D > Default/~/Conv2D-op118" and the step range: the context row of a level above the
 * first.
 */
void pane_draw_crumbs(struct pane *p, struct canvas *c, struct rect a);
void pane_status(struct pane *p, struct buf *left, struct buf *right);
bool pane_time(struct pane *p, int64_t *ts, int64_t *dur);
/* "type={type}" with the columns of row put in, quoted where needed. */
void pane_expand_filter(struct table *t, const char *template, struct buf *out);

/* Draw named times in a row, in this order, as many as have room; c NULL: only counts. Returns the cells. */
struct pane_time {
    const char *name;
    double ns;
};
int pane_draw_times(const struct pane_time *t, size_t n, struct canvas *c, struct rect a);
/* For qsort. */
int pane_cmp_double(const void *a, const void *b);
void pane_draw_card(struct level *l, struct canvas *c, struct rect a);
/*
 * Cells at the right of a that show the cursor row as a card; 0: a is too narrow, or the reader hid it. And
 * draw them there; returns the lines used.
 */
int pane_beside_width(const struct pane *p, struct table *t, const struct canvas *c, struct rect a);
int pane_draw_beside(struct pane *p, struct table *t, struct canvas *c, struct rect a);
void pane_beside_forget(struct pane *p);
/* Cells at the right of a that a mode leaves to other views. */
int pane_beside_drawing(const struct pane *p, struct rect a);
/*
 * Draw other views of the pane into these areas, which a short table and its card leave. A view that is not
 * open yet is opened when the reader rests: pane_room_read() tells whether one was.
 */
void pane_draw_room(struct pane *p, struct canvas *c, const struct rect areas[2]);
bool pane_room_read(struct pane *p);
/*
 * Draw the amounts of the table as a picture; returns the lines used and the empty one above, 0 where it has
 * no room or nothing to show. pane_shape_read() reads them when the reader rests, and tells whether it did.
 */
int pane_draw_shape(struct pane *p, struct table *t, struct canvas *c, struct rect a);
bool pane_shape_read(struct pane *p, struct table *t);
void pane_shape_forget(struct pane *p);
/*
 * The reader rests (app_wait_rest()): what the pane left until then, and what the card that was drawn shows
 * besides the columns.
 */
void pane_rested(struct pane *p);
/* The same for lines of their own: "title TAB value". */
void pane_draw_lines(struct level *l, struct canvas *c, struct rect a, struct str text);
/* As the body: that it was stopped, or why it could not be read. */
void pane_draw_error(struct canvas *c, struct rect a, const struct err *e);
/* The empty state with this id as the body. */
void pane_draw_empty(struct pane *p, struct canvas *c, struct rect a, const char *id);

/* Timeline: show a time. */
void pane_time_show(struct pane *p, int64_t ts_ns, int64_t dur_ns);
/*
 * SQL console: an empty line, and the statement that another `;` puts there (none when empty). And replace
 * the statement.
 */
void pane_sql_offer(struct pane *p, struct str sql);
void pane_sql_set(struct pane *p, struct str sql);

extern const struct pane_ops pane_triage_ops, pane_host_ops, pane_files_ops, pane_ops_ops, pane_steps_ops,
    pane_time_ops, pane_flops_ops, pane_mem_ops, pane_data_ops, pane_comm_ops, pane_log_ops, pane_sql_ops;
extern const struct pane_mode pane_triage_modes[], pane_steps_modes[], pane_time_modes[], pane_flops_modes[];
extern const size_t pane_steps_n_modes;

#endif
