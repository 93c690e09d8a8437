/* Private to the export of PROF folders: what msprof says of a DPU's task in the timeline and in the database, in its order. */
#ifndef NPUSCOPE_VENDOR_MS_DPU_H
#define NPUSCOPE_VENDOR_MS_DPU_H

#include "parsers/prof_dpu.h"

enum ms_dpu_form { MS_DPU_TRACE, MS_DPU_PYTHON, MS_DPU_DB };

struct ms_dpu_arg {
    const char *key;
    enum { MS_DPU_UINT, MS_DPU_REAL, MS_DPU_TEXT } type;
    uint64_t u;
    double real;
    struct str text; /* valid during the call */
};
typedef void ms_dpu_fn(void *arg, const struct ms_dpu_arg *a);
/* us: how long it took. */
void ms_dpu_args(const struct prof *p, const struct prof_dpu_task *x, double us,
                 enum ms_dpu_form form, ms_dpu_fn *fn, void *arg);

#endif
