/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a job by steps, as a strip of levels: where they part (doc/screens.md#steps). */
#ifndef NPUSCOPE_UI_PANE_STEPS_HEAT_H
#define NPUSCOPE_UI_PANE_STEPS_HEAT_H

#include "analysis/peers.h"
#include "ui/widget/draw.h"

struct steps_heat {
    const struct peers *p;
    double lo, hi; /* ns: the scale of the levels */
    int rank;      /* the one whose steps the table lists */
    bool has_step; /* the cursor is at a step: */
    int64_t step;
};
/*
 * A line with the scale, one for each rank or for several, which its label names, and one with the numbers of
 * the steps and the place of the cursor. Returns the rows used; 0: fewer than two ranks or steps were read,
 * or there is no room.
 */
int steps_heat_draw(const struct steps_heat *s, struct canvas *c, struct rect a);

#endif
