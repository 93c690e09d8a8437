/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline of a synthetic run: its ops with their queues and CPU use, batch by batch, and the
 * analysis files over it (doc/formats/mindspore1.md#pipeline_profiling to #device_queue_profiling,
 * #data-pipeline). Data preparation is sometimes too slow: Map's workers are busy, the batch queue is often
 * empty.
 */
#ifndef NPUSCOPE_DEMO_DATA_H
#define NPUSCOPE_DEMO_DATA_H

#include "demo/demo_run.h"
#include "emit/emit.h"

#define DEMO_PIPE_OPS       5
#define DEMO_PIPE_PERIOD_MS 10
#define DEMO_QUEUE_CAPACITY 16 /* of the host's queue to the device */

struct demo_pipe_op {
    const char *name; /* without "Op" */
    int workers;
    int queue;             /* length of the output queue, 0: none */
    int cpu_low, cpu_high; /* percent, all workers together */
};
extern const struct demo_pipe_op demo_pipe_ops[DEMO_PIPE_OPS]; /* op i's only child is op i + 1 */

struct demo_pipe {
    const struct demo_run *run;
    int rank;
    uint64_t samples; /* of each queue and of the CPU */
    uint64_t batches;
};

/* end_ns: end of the run. */
struct demo_pipe demo_pipe_of(const struct demo_run *run, int rank, int64_t end_ns);
/* Fill of op's queue in sample k. */
int demo_pipe_fill(const struct demo_pipe *p, int op, uint64_t k);
/* Percent of one CPU in sample k; op -1: the machine. */
int demo_pipe_user(const struct demo_pipe *p, int op, uint64_t k);
int demo_pipe_sys(const struct demo_pipe *p, int op, uint64_t k);

struct demo_batch {
    int pipeline_ms, push_ms; /* waiting for the pipeline, pushing to the device */
    int fill;                 /* of the host queue */
};
/* b counts from 1. */
struct demo_batch demo_batch_at(const struct demo_pipe *p, uint64_t b);

/* minddata_pipeline_raw_R.csv and minddata_pipeline_summary_R.{csv,json} in dir. */
NODISCARD int demo_pipe_write(const struct demo_pipe *p, const char *dir, struct emit_count *c,
                              struct err *e);
/*
 * pipeline_profiling_N.json, minddata_cpu_utilization_N.json and device_queue_profiling_N.txt in dir, with
 * this number N.
 */
NODISCARD int demo_pipe_write_raw(const struct demo_pipe *p, const char *dir, int number,
                                  struct emit_count *c, struct err *e);

#endif
