/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export of PROF folders: communication that CCUs run, as both the timeline and the database
 * have it (doc/formats/msprof.md#timeline, #database; upstream,
 * analysis/csrc/domain/data_process/ai_task/ccu_mission_processor.cpp,
 * analysis/csrc/application/timeline/ccu_assembler.cpp, analysis/csrc/application/database/db_assembler.cpp,
 * analysis/viewer/ccu/ccu_mission_viewer.py).
 */
#ifndef NPUSCOPE_MSPROF_CCU_H
#define NPUSCOPE_MSPROF_CCU_H

#include "msprof/args.h"
#include "msprof/run.h"
#include "parsers/prof/comm/ccu.h"

typedef int msprof_ccu_fn(void *arg, const struct prof_ccu_run *x, struct err *e);
/*
 * Executions on the CCUs of a device (its number in the model) that are shown; with compat only those that
 * msprof shows. python: by the rules of its Python half.
 */
NODISCARD int msprof_ccu_runs(struct msprof_run *r, size_t device, enum dialect dialect, msprof_ccu_fn *fn,
                              void *arg, struct err *e);
/* Duration of an execution, ns as the C++ half computes it; 0 when the end is before the start. */
double msprof_ccu_ns(const struct prof_folder *f, const struct prof_ccu_run *x);
const char *msprof_ccu_word(const struct prof_ccu_run *x);

enum msprof_ccu_form { MSPROF_CCU_TRACE, MSPROF_CCU_PYTHON, MSPROF_CCU_DB };
/* us: its duration. */
void msprof_ccu_args(const struct prof_ccu_run *x, double us, enum msprof_ccu_form form,
                     const struct msprof_args *g);

#endif
