/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export of PROF folders: task_time.csv of chip 0, with the time that each task waited, ran
 * and was pending.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_TASK_REPORT_H
#define NPUSCOPE_MSPROF_TABLES_TASK_REPORT_H

#include "msprof/run.h"

/* Errors: like those of the steps in msprof/run.h. */
NODISCARD int msprof_task_report(struct msprof_run *r, struct err *e);

#endif
