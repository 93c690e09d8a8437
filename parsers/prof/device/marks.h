/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof/device/steps.c: marks of a model in the order in which they make iterations
 * (doc/formats/msprof.md#step-trace, "Preprocess"): iterations overlap on the device, and a mark belongs to
 * the first one that still lacks it.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_MARKS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_MARKS_H

#include "parsers/prof/device/device.h"

/* doc/formats/prof.md#ts_track */
enum prof_mark_tag {
    MARK_MODEL_START = 0,
    MARK_MODEL_END = 1,
    MARK_FP = 2,
    MARK_BP = 3,
    MARK_ITERATION_END = 4,
    MARK_MSTX = 11,       /* of the program; up to CANN 9.0 the two ends of a range, too */
    MARK_MSTX_RANGE = 12, /* an end of a range */
    MARK_REDUCE = 10000,  /* even: start, odd: end; up to the next */
    MARK_GET_NEXT = 20000,
    MARK_STEP_START = 60000,
    MARK_STEP_END = 60001,
};

typedef int prof_mark_fn(void *arg, const struct prof_mark *m, struct err *e);
/* Give n marks of one model, which are sorted by time, to fn. Errors: ERR_NOMEM, those of fn. */
NODISCARD int prof_marks_in_order(const struct prof_mark *const *mark, size_t n, prof_mark_fn *fn, void *arg,
                                  struct err *e);

#endif
