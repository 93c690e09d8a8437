/*
 * The inside of the timeline pane, for ui/pane_timeline*.c: the widget (ui/widget/timeline.h) with what only
 * the pane knows. ui/pane/pane_timeline.c is its life and drawing, ui/pane/pane_timeline_keys.c keys and
 * mouse, ui/pane/pane_timeline_go.c going to steps, events and times, ui/pane/pane_timeline_ranks.c ranks
 * under each other, ui/pane/pane_timeline_align.c aligning them, ui/pane/pane_timeline_jump.c jumps on a
 * track, ui/pane/pane_timeline_filter.c filters and finding, ui/pane/pane_timeline_export.c files.
 */
#ifndef NPUSCOPE_UI_PANE_PANE_TIMELINE_INT_H
#define NPUSCOPE_UI_PANE_PANE_TIMELINE_INT_H

#include "model/timeline/lineup_align.h"
#include "model/timeline/lineup_match.h"
#include "ui/app/app_int.h"
#include "ui/widget/timeline.h"

/* A rank that is shown: index in the session, and where it was moved to. */
struct time_rank {
    size_t rank;
    int64_t offset_ns;
    bool told; /* that it lies far away */
};

struct time_pane {
    struct tlv v;
    bool has;
    struct lineup *l; /* that v shows */
    struct time_rank ranks[LINEUP_MOST];
    size_t n_ranks;   /* 0: the selected rank alone */
    size_t base;      /* rank that the times belong to */
    size_t seen_rank; /* selected when the lineup was made */
    struct re *re;    /* of the last search */
    char re_text[256];
    struct filter *filters[32]; /* in force, compiled */
    size_t n_filters;
    char match_of[16384];       /* their lines */
    char live[4096];            /* the line that is being typed */
    struct lineup_match *match; /* what they keep; NULL: there are none */
    bool match_works;           /* it is not all counted */
    int64_t match_drawn_ms;
    struct lineup_match *find; /* that, and the search */
    int64_t step_at;           /* time and part v.step was made for */
    size_t step_part;
    bool trace_next; /* what was written last was a table: a trace is offered next */
    int drag_col;    /* where a button went down; -1: nowhere */
    bool on_ruler;
};

static inline struct time_pane *time_of(const struct pane *p)
{
    return p->own;
}

static inline struct tlv *time_tlv(const struct pane *p)
{
    return &time_of(p)->v;
}

/* The drawing is in front, not one of the tables. */
static inline bool time_in_front(const struct pane *p)
{
    return p->own && !p->depth && p->view >= p->n_views;
}

/*
 * For the second key of a sequence, which may come when all has changed: the pane when its drawing is still
 * in front and has events. NULL: it is not, which is said.
 */
struct pane *time_second_key(struct app *a);

/* Rows anew after tracks were pinned, hidden, parted; an error is said. */
void time_remake(struct pane *p);

/* ---- ui/pane/pane_timeline_keys.c ---- */
bool time_key(struct pane *p, enum action act);
bool time_mouse(struct pane *p, const struct key_event *k);

/* ---- ui/pane/pane_timeline_go.c ---- */
/* "step 17 +10.31 ms" for the cursor, kept in the widget. */
void time_find_step(struct pane *p);
/* The event under the cursor; false: there is none, which is said. */
bool time_select_at(struct pane *p);
/* Enter: select what is under the cursor; on the selected event all that is known of it. */
void time_open_event(struct pane *p);
/*
 * dir 1 the next, -1 the previous one: on this track; of the last search. From the selected event while the
 * cursor is where it was put by selecting, else from the cursor.
 */
void time_step_event(struct pane *p, int dir);
void time_find_event(struct pane *p, int dir);
void time_ask_go(struct pane *p);

/* ---- ui/pane/pane_timeline_filter.c ---- */
/* The table that keeps the filters; NULL: out of memory. */
struct table *time_filters(struct pane *p);
/* Make the match for the filters as they stand now, when they are others than before; before each drawing. */
void time_sync_filters(struct pane *p);
/* Before the lineup goes, and when parts were moved. */
void time_forget_match(struct pane *p);
/* A slice of counting; true: more is left. */
bool time_work_filters(struct pane *p, bool *redraw);
NODISCARD int time_filter_live(struct pane *p, struct str line, struct err *e);
void time_filter_count(struct pane *p, char *buf, size_t n);

/* ---- ui/pane/pane_timeline_export.c ---- */
/*
 * The area, else the window, to a file; path empty: it is asked for. false: the drawing is not in front, or
 * empty.
 */
bool time_export(struct pane *p, struct str path, bool replace);

/* ---- ui/pane/pane_timeline_ranks.c ---- */
/* The lineup of the ranks that are loaded, in p->own; none has events: time_of(p)->l stays NULL. */
NODISCARD int time_line_up(struct pane *p, struct err *e);
/* Say which of them lie far from the base. */
void time_tell_distance(struct pane *p);
/* Part of a rank, SIZE_MAX: it is not shown. */
size_t time_part_of_rank(const struct pane *p, size_t rank);
/* A rank that is not shown is shown, too. */
void time_show_rank(struct pane *p, size_t rank);
bool time_wants(struct pane *p, size_t unit);
/* Ranks have other indices now; one that is gone is not shown. */
void time_renumber(struct pane *p, const size_t *moved);
/* The ranks that are shown, a line each, and such a line (without its first word) back. */
void time_save_ranks(const struct pane *p, table_line_fn *fn, void *arg);
bool time_restore_rank(struct pane *p, struct str line);
/* What is kept of a rank; NULL: it is not shown, or it is the only one. */
struct time_rank *time_rank_entry(const struct pane *p, size_t rank);
void time_ranks_menu(struct pane *p);

/* ---- ui/pane/pane_timeline_align.c ---- */
/* `=`: asks what to align at. */
void time_align(struct pane *p);

#endif
