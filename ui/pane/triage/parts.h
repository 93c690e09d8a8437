/* SPDX-License-Identifier: Apache-2.0 */
/* Triage: where a step, or the time of the device, goes. */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_PARTS_H
#define NPUSCOPE_UI_PANE_TRIAGE_PARTS_H

#include "analysis/triage.h"
#include "ui/pane/panes.h"

#define TRIAGE_LABEL_W 11 /* columns of the labels of the pane */

/*
 * A title with what the figures are, and a line with a bar for each of the n parts, where all of them fit
 * below row y of a. Returns the next row.
 */
int triage_draw_parts(const struct triage_part *q, size_t n, const char *title, const char *what,
                      struct canvas *c, struct rect a, int y);

#endif
