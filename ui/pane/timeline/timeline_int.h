/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the timeline pane, for the files of this folder: the widget (ui/widget/timeline.h) with
 * what only the pane knows. timeline.c has life and drawing of the pane; keys.c keys and mouse; go.c going
 * to steps, events and times; ranks.c ranks under each other; align.c their alignment; jump.c jumps on a
 * track; filter.c filters and finding; export.c files.
 */
#ifndef NPUSCOPE_UI_PANE_TIMELINE_TIMELINE_INT_H
#define NPUSCOPE_UI_PANE_TIMELINE_TIMELINE_INT_H

#include "model/timeline/lineup_align.h"
#include "model/timeline/lineup_match.h"
#include "ui/app/app_int.h"
#include "ui/widget/timeline.h"

/* A rank that is shown: index in the session, and by how much it was moved. */
struct time_rank {
    size_t rank;
    int64_t offset_ns;
    bool told;   /* the message that it lies far away was shown */
    bool placed; /* its lost clock was placed by those of the others, or need not be */
};

struct time_pane {
    struct tlv v;
    bool has;
    struct lineup *l; /* the lineup that v shows */
    struct time_rank ranks[LINEUP_MOST];
    size_t n_ranks;   /* 0: the selected rank alone */
    size_t base;      /* rank that the times belong to */
    size_t seen_rank; /* the selected rank when the lineup was made */
    struct {
        bool is;
        size_t rank; /* index of the rank that the time is of */
        int64_t ts_ns, dur_ns;
    } wanted;               /* shown once the rank is read: pane_time_show() */
    bool seen_steps;        /* the pane was attached before: */
    struct view_scope seen; /* the step range then */
    struct re *re;          /* of the last search */
    char re_text[256];
    struct filter *filters[32]; /* those that are on, compiled */
    size_t n_filters;
    char match_of[16384];       /* their lines */
    char live[4096];            /* the line that is being typed */
    struct lineup_match *match; /* what they keep; NULL: there are none */
    bool match_works;           /* counting goes on */
    int64_t match_drawn_ms;
    struct lineup_match *find; /* match and search together */
    int64_t step_at;           /* time and part that v.step was made for */
    size_t step_part;
    bool trace_next; /* the last export was a table: offer a trace next */
    int drag_col;    /* column where a button went down; -1: none is down */
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
 * For the second key of a sequence, before which everything may have changed: the pane, if its drawing is
 * still in front and has events. NULL: it is not, and a message says so.
 */
struct pane *time_second_key(struct app *a);

/* Make the rows anew after tracks were pinned, hidden or split into lanes; an error is shown. */
void time_remake(struct pane *p);

/* ---- ui/pane/timeline/keys.c ---- */
extern const struct pane_command time_commands[];
const struct pane_need *time_needs(const struct pane *p);
bool time_key(struct pane *p, enum action act);
bool time_mouse(struct pane *p, const struct key_event *k);

/* ---- ui/pane/timeline/go.c ---- */
/* Make "step 17 +10.31 ms" for the cursor, kept in the widget. */
void time_find_step(struct pane *p);
/*
 * From the start of the chosen steps to their end on the axis, of the cursor's part; false: all steps are
 * chosen, or they have no place in time here.
 */
bool time_chosen_steps(struct pane *p, int64_t *from, int64_t *to);
/* "steps 15-16", "step 15", "steps 15..". Returns buf. */
const char *time_chosen_text(struct pane *p, char *buf, size_t n);
/* Show what pane_time_show() asked for before the rank was read; not if another rank was chosen since. */
void time_show_wanted(struct pane *p);
/* After the step range changed: make the window show it, or the whole run. */
void time_show_chosen(struct pane *p);
/* Select the event under the cursor; false: there is none, and a message says so. */
bool time_select_at(struct pane *p);
/* Enter: select what is under the cursor; on the selected event, show all that is known of it. */
void time_open_event(struct pane *p);
/*
 * Go to the next (dir 1) or previous (-1) event: on this track; among those of filters and search. From the
 * selected event while the cursor is where selecting put it, else from the cursor.
 */
void time_step_event(struct pane *p, int dir);
void time_find_event(struct pane *p, int dir);
void time_ask_go(struct pane *p);
/* Go to "1.234s", "step 17", "+50us" or a raw time stamp; to the other end of the selected event's flow. */
void time_go(struct pane *p, struct str where);
void time_flow(struct pane *p);

/* ---- ui/pane/timeline/filter.c ---- */
/* The table that keeps the filters; NULL: out of memory. */
struct table *time_filters(struct pane *p);
/* Make the match anew when the filters have changed. Called before each drawing. */
void time_sync_filters(struct pane *p);
/* Drop the match: before the lineup goes, and when parts were moved. */
void time_forget_match(struct pane *p);
/* Count for a moment; true: more is left. */
bool time_work_filters(struct pane *p, bool *redraw);
NODISCARD int time_filter_live(struct pane *p, struct str line, struct err *e);
void time_filter_count(struct pane *p, char *buf, size_t n);

/* ---- ui/pane/timeline/export.c ---- */
/*
 * Write the area, else the window, to a file; an empty path is asked for. false: the drawing is not in front,
 * or empty.
 */
bool time_export(struct pane *p, struct str path, bool replace);

/* ---- ui/pane/timeline/ranks.c ---- */
/* Show ranks under each other: "0,3-5", "all", "none". */
void time_stack(struct pane *p, struct str list);
/* Make the lineup of the ranks that are loaded, in p->own; when none has events, time_of(p)->l stays NULL. */
NODISCARD int time_line_up(struct pane *p, struct err *e);
/* Show a message for each rank that lies far from the base. */
void time_show_distance(struct pane *p);
/* Part of a rank, SIZE_MAX: it is not shown. */
size_t time_part_of_rank(const struct pane *p, size_t rank);
/* Add a rank to those that are shown; does nothing when only one is. */
void time_show_rank(struct pane *p, size_t rank);
bool time_wants(struct pane *p, size_t unit);
/* After ranks got other indices; a rank that is gone is not shown any more. */
void time_renumber(struct pane *p, const size_t *moved);
/* Write the ranks that are shown, one line each; and read such a line, without its first word. */
void time_save_ranks(const struct pane *p, table_line_fn *fn, void *arg);
bool time_restore_rank(struct pane *p, struct str line);
/* The entry of a rank; NULL: it is not shown, or it is the only one. */
struct time_rank *time_rank_entry(const struct pane *p, size_t rank);
void time_ranks_menu(struct pane *p);

/* ---- ui/pane/timeline/align.c ---- */
/* `=`: asks what to align at. */
void time_align(struct pane *p);
/* Move one of the ranks under each other: "3 -412us". */
void time_offset(struct pane *p, struct str args);

/* ---- ui/pane/timeline/jump.c ---- */
/*
 * On the cursor's track: next and previous event named like the selected one, longest gap, busiest stretch as
 * long as the window.
 */
enum time_jump { JUMP_SAME_NEXT, JUMP_SAME_PREV, JUMP_GAP, JUMP_BUSIEST };
void time_jump(struct pane *p, enum time_jump jump);
/*
 * Go to where the step at the cursor first differs from the step before it, on the cursor's track; share:
 * "20%".
 */
void time_diff(struct pane *p, struct str share);

#endif
