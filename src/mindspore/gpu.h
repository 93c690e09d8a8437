/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the analysis of MindSpore 1.x: the step marks of a GPU (step_trace_profiling_N.txt,
 * doc/formats/mindspore1.md#gpu), as words.
 */
#ifndef NPUSCOPE_MINDSPORE_GPU_H
#define NPUSCOPE_MINDSPORE_GPU_H

#include "mindspore/run.h"

struct mindspore_gpu_trace {
    struct str *word; /* bytes in the run's arena */
    size_t n, cap;
    size_t *end; /* by line: index after its last word */
    size_t n_lines, line_cap;
    bool async; /* each line is a step, else a point */
};
/* n_lines is 0 when there is no file. */
NODISCARD int mindspore_gpu_trace_read(struct mindspore_run *r, struct mindspore_gpu_trace *t, struct err *e);
void mindspore_gpu_trace_done(struct mindspore_gpu_trace *t);
/* Words of a line. */
const struct str *mindspore_gpu_line(const struct mindspore_gpu_trace *t, size_t line, size_t *n);

#endif
