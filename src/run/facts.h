/* SPDX-License-Identifier: Apache-2.0 */
/* Facts from the settings and the files of a unit: options as typed facts, generation, versions, times. */
#ifndef NPUSCOPE_FACTS_H
#define NPUSCOPE_FACTS_H

#include "run/build.h"

/* Fill u->info (but settings and ranks) and u->gen from the settings and the files. */
void facts_read(struct build *b);

#endif
