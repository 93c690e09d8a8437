/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which units one job wrote at one time: a run (doc/formats/analysed.md#runs). Units of one run have other
 * ranks, or are of other windows of a dynamic profile.
 */
#ifndef NPUSCOPE_RUNS_H
#define NPUSCOPE_RUNS_H

#include "run/inventory.h"

/* Units of one run begin within this time; ranks of large jobs need minutes to start. */
#define RUNS_APART_S 600

/* Set unit.run of all units and job.n_runs: numbers from 0 by start, then by path. ERR_NOMEM. */
NODISCARD int runs_find(struct job *j, struct err *e);

#endif
