/*
 * Private to the analysis of generation 1: the step marks of a GPU (step_trace_profiling_N.txt,
 * doc/formats/mindspore1.md#gpu), as words.
 */
#ifndef NPUSCOPE_MINDSPORE_GPU_H
#define NPUSCOPE_MINDSPORE_GPU_H

#include "mindspore/run.h"

struct mindspore_gpu_trace {
    struct str *word; /* bytes in the run's arena */
    size_t n, cap;
    size_t *end; /* by line: where its words end */
    size_t n_lines, line_cap;
    bool async; /* a line for each step, else one for each point */
};
/* n_lines 0: no file. */
NODISCARD int mindspore_gpu_trace_read(struct mindspore_run *r, struct mindspore_gpu_trace *t, struct err *e);
void mindspore_gpu_trace_done(struct mindspore_gpu_trace *t);
/* Words of a line. */
const struct str *mindspore_gpu_line(const struct mindspore_gpu_trace *t, size_t line, size_t *n);

#endif
