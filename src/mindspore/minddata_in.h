/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the analysis of the data pipeline (doc/formats/mindspore1.md#data-pipeline): its three inputs as
 * they are in the files. Everything lives in the run's arena.
 */
#ifndef NPUSCOPE_MINDSPORE_MINDDATA_IN_H
#define NPUSCOPE_MINDSPORE_MINDDATA_IN_H

#include "base/val.h"
#include "mindspore/run.h"

/* An op of pipeline_profiling (doc/formats/mindspore1.md#pipeline_profiling). */
struct minddata_op {
    int64_t id;
    struct str type;
    struct val workers, length; /* numbers or NULL */
    bool has_queue;
    const double *size; /* samples of the queue's length */
    size_t n_sizes;
    const int64_t *child; /* ids, as written */
    size_t n_children;
};
/*
 * Times of a batch in ms over the batches from the second on
 * (doc/formats/mindspore1.md#device_queue_profiling).
 */
enum minddata_time { MD_PIPELINE, MD_PUSH, MD_BATCH, N_MD_TIMES };
struct minddata_times {
    double sum[N_MD_TIMES];
    uint64_t n[N_MD_TIMES];
};
struct minddata_place {
    int64_t id;
    size_t at; /* index in op */
};
struct minddata_input {
    const struct minddata_op *op; /* in order of the file */
    size_t n_ops;
    struct val interval;
    const struct minddata_place *by_id; /* sorted */
    /* mean share of each op id from 0 on, -1: none (doc/formats/mindspore1.md#minddata_cpu_utilization) */
    const double *cpu;
    size_t n_cpu; /* op ids of the CPU file that are >= 0 */
    bool has_cpu, has_times;
    struct minddata_times times;
};

/*
 * Reads the files that exist. in->n_ops is 0 without a pipeline. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED,
 * ERR_IO.
 */
NODISCARD int minddata_read(struct mindspore_run *r, struct minddata_input *in, struct err *e);
/* Index of an op, SIZE_MAX: no op has that id. */
size_t minddata_find(const struct minddata_input *in, int64_t id);

#endif
