/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterations of a device's models and its steps, from the marks of its step trace
 * (doc/formats/msprof.md#step-trace). Times are counters of the device.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_STEPS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_STEPS_H

#include "parsers/prof/device/device.h"

struct prof_span { /* an all-reduce, or a get-next */
    uint64_t start, end;
    uint32_t stream;
    bool has_end;
};

struct prof_step {
    uint64_t model, index; /* model 4294967295: the steps; number of the iteration or index id of the step */
    uint64_t start, end;
    uint64_t fp, bp;            /* start of forward, end of backward; 0: no mark */
    uint64_t aug;               /* from the end of the iteration before fp to fp, see has_aug */
    uint32_t reduce, n_reduces; /* of struct prof_steps' reduce, by start */
    uint32_t get_next, n_get_nexts;
    bool has_aug;
    bool again; /* the iteration has an earlier row, with other fp and bp */
};

struct prof_steps {
    struct prof_step *step; /* by end */
    size_t n_steps;
    struct prof_span *reduce, *get_next;
    size_t n_reduces, n_get_nexts;
};

/*
 * Iterations from marks in any order. one_row: an iteration has one row with its last fp and bp (Python),
 * else one for each pair (C++). prof_steps_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int prof_steps_of(struct prof_steps *s, const struct prof_mark *mark, size_t n, bool one_row,
                            struct err *e);
void prof_steps_done(struct prof_steps *s);

#endif
