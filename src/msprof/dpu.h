/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export of PROF folders: arguments of a DPU's task, in the order of msprof's timeline and
 * database.
 */
#ifndef NPUSCOPE_MSPROF_DPU_H
#define NPUSCOPE_MSPROF_DPU_H

#include "msprof/args.h"
#include "parsers/prof/host/dpu.h"

enum msprof_dpu_form { MSPROF_DPU_TRACE, MSPROF_DPU_PYTHON, MSPROF_DPU_DB };

/* us: its duration. */
void msprof_dpu_args(const struct prof *p, const struct prof_dpu_task *x, double us,
                     enum msprof_dpu_form form, const struct msprof_args *g);

#endif
