/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of Triage as lines that are gone through and opened: Enter shows the proof of the one in front,
 * `t` its place on the timeline. Borrows the pane; the dashboard is the pane's, too.
 */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_VERDICT_H
#define NPUSCOPE_UI_PANE_TRIAGE_VERDICT_H

#include "analysis/triage.h"
#include "ui/pane/panes.h"
#include "ui/pane/triage/dash.h"

struct triage_verdict {
    struct dash *d;       /* NULL: not made yet */
    size_t line;          /* the one in front */
    bool on;              /* the reader is there, not in the list below it */
    bool moved;           /* the reader has chosen between the two */
    int row[VERDICT_MAX]; /* of the last drawing, for clicks; -1 not drawn */
};

/* A dashboard was made: the reader begins at the verdict where it names something. */
void triage_verdict_made(struct triage_verdict *v);

/* Returns the rows used. here: the reader is at the verdict. */
int triage_verdict_draw(struct triage_verdict *v, struct pane *p, bool here, struct canvas *c, struct rect a);

/* Where a key finds the reader: at the verdict, or in the first row of the list; t: for evidence, or NULL. */
struct triage_verdict_at {
    bool here, top;
    const struct triage *t;
};
/* false: the key is for the list. */
bool triage_verdict_key(struct triage_verdict *v, struct pane *p, const struct triage_verdict_at *at,
                        enum action act);
bool triage_verdict_mouse(struct triage_verdict *v, struct pane *p, const struct triage *t,
                          const struct key_event *k);

/* While the reader is there. */
extern const struct pane_need triage_verdict_needs[];
extern const struct key_bar triage_verdict_bar[];
extern const size_t triage_verdict_n_bar;

#endif
