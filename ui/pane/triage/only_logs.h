/* SPDX-License-Identifier: Apache-2.0 */
/* Triage of a folder of logs without a profile: what they say of why the job died. */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_ONLY_LOGS_H
#define NPUSCOPE_UI_PANE_TRIAGE_ONLY_LOGS_H

#include "ui/pane/panes.h"

/* There is no profile. */
bool triage_only_logs(const struct pane *p);
/* As much of the verdict and its proof as there is room for. */
void triage_only_logs_draw(struct pane *p, struct canvas *c, struct rect a);
/* All of it, over the pane. */
void triage_only_logs_show(struct pane *p);
/* They are read, and there are some. */
bool triage_only_logs_can(struct pane *p);

#endif
