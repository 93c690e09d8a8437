/*
 * The inside of the timeline pane, for ui/pane_timeline*.c: the widget (timeline.h) with what only the pane knows. pane_timeline.c is its
 * life and drawing, pane_timeline_keys.c keys and mouse, pane_timeline_go.c going to steps, events and times.
 */
#ifndef NPUSCOPE_PANE_TIMELINE_INT_H
#define NPUSCOPE_PANE_TIMELINE_INT_H

#include "ui/app_int.h"
#include "ui/timeline.h"

struct time_pane {
    struct tlv v;
    bool has;
    struct re *re; /* of the last search */
    char re_text[256];
    int64_t step_at; /* time v.step was made for */
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

/* Rows anew after tracks were pinned, hidden, parted; an error is said. */
void time_remake(struct pane *p);

/* ---- pane_timeline_keys.c ---- */
bool time_key(struct pane *p, enum action act);
bool time_mouse(struct pane *p, const struct key_event *k);

/* ---- pane_timeline_go.c ---- */
/* "step 17 +10.31 ms" for the cursor, kept in the widget. */
void time_find_step(struct pane *p);
/* The event under the cursor; false: there is none, which is said. */
bool time_select_at(struct pane *p);
/* Enter: select what is under the cursor; on the selected event all that is known of it. */
void time_open_event(struct pane *p);
/* dir 1 the next, -1 the previous one: on this track; of the last search. From the selected event while the cursor is where it was put by
 * selecting, else from the cursor. */
void time_step_event(struct pane *p, int dir);
void time_find_event(struct pane *p, int dir);
void time_ask_go(struct pane *p);

#endif
