/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of blocks as msprof hands them to the counters of a chip with the hwts scheduler, with its faults
 * (doc/formats/prof-quirks.md#counter-times): for exports that follow msprof. Pure.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_PMU_BLOCKS_H
#define NPUSCOPE_MSPROF_TABLES_PMU_BLOCKS_H

#include "msprof/run.h"

/*
 * The blocks of each task of a device (its index), by the task's index; 0 for a task without counters. NULL:
 * e is set, ERR_NOMEM; else free() it.
 */
uint32_t *msprof_pmu_blocks(const struct msprof_run *r, size_t dev, struct err *e);

#endif
