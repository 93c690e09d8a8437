/* Private to the export of PROF folders: what msprof says of a DPU's task in the timeline and in the database, in its order. */
#ifndef NPUSCOPE_MSPROF_DPU_H
#define NPUSCOPE_MSPROF_DPU_H

#include "msprof/args.h"
#include "parsers/prof/host/dpu.h"

enum ms_dpu_form { MS_DPU_TRACE, MS_DPU_PYTHON, MS_DPU_DB };

/* us: how long it took. */
void ms_dpu_args(const struct prof *p, const struct prof_dpu_task *x, double us,
                 enum ms_dpu_form form, const struct ms_args *g);

#endif
