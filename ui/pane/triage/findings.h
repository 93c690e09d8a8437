/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings of one rank, in the lower part of Triage (doc/screens.md#triage). */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_FINDINGS_H
#define NPUSCOPE_UI_PANE_TRIAGE_FINDINGS_H

#include "analysis/triage.h"
#include "ui/pane/panes.h"

/* Zeroed: nothing was drawn yet. */
struct triage_list {
    size_t cursor, top; /* numbers of findings */
    size_t rows;        /* lines of the last drawing */
    size_t *at;         /* the finding of each of these lines, SIZE_MAX: none; owned */
    int y;              /* where the first of them was */
};

/*
 * Draw the head and the findings from list->top on, so that the cursor's is there; where all have a line, the
 * lines that are left go to those that are cut. cursor: mark the finding of the cursor. Returns the lines
 * that were used.
 */
int triage_list_draw(struct triage_list *list, struct pane *p, const struct triage *t, bool cursor,
                     struct canvas *c, struct rect a);
/* The finding that was drawn in this row of the screen; SIZE_MAX: none. */
size_t triage_list_at(const struct triage_list *list, int y);
void triage_list_done(struct triage_list *list);

#endif
