/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which tasks and counters msprof takes for a part by graph, of a chip with the hwts scheduler, with its
 * faults (doc/formats/prof-quirks.md#partial-exports): for exports that follow msprof. Pure.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_PMU_WINDOW_H
#define NPUSCOPE_MSPROF_TABLES_PMU_WINDOW_H

#include "msprof/run.h"

/*
 * By the index of a device's task (dev: index of the device) the task whose counters it gets, PROF_NONE:
 * none. *any: there are any. NULL: e is set, ERR_NOMEM; else free() it.
 */
uint32_t *msprof_pmu_window(struct msprof_run *r, size_t dev, bool *any, struct err *e);

/* Counter that tasks of the log begin at, or after, to be in the part. ERR_NOMEM in e. */
uint64_t msprof_log_from(const struct msprof_run *r, size_t dev, struct err *e);

#endif
