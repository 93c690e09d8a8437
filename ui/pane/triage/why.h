/* SPDX-License-Identifier: Apache-2.0 */
/* The overlay of a finding of Triage. */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_WHY_H
#define NPUSCOPE_UI_PANE_TRIAGE_WHY_H

#include "analysis/triage.h"
#include "ui/pane/panes.h"

/* Open it over the pane, or say why not. number: of the finding, for the title. */
void triage_show_why(struct pane *p, const struct triage_finding *f, int rank, size_t number);

#endif
