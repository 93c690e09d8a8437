/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export: counters of the cores that were sampled, all samples of a core together
 * (doc/formats/msprof.md#ai-core-metrics). Metrics, their order and constants are those of `formula` in
 * msprof's analysis/msconfig/ai_core_config.py, without blocks.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_CORES_H
#define NPUSCOPE_MSPROF_TABLES_CORES_H

#include "msprof/run.h"
#include "parsers/prof/device/metrics.h"
#include "parsers/prof/sampled/core_samples.h"

struct msprof_core_metric {
    const struct prof_metric *m;
    size_t at; /* index in the group */
};
struct msprof_cores {
    struct prof_core_sum *sum; /* PROF_CORES of them */
    size_t n;                  /* cores with samples */
    struct prof_metric_plan plan;
    struct msprof_core_metric metric[PROF_METRICS];
    size_t n_metrics;
    bool lacks_vector; /* 310B: some metrics are N/A */
};
/*
 * Sums of one kind of core of a device; all: also metrics that the tables leave out. msprof_cores_done() is
 * allowed after a failure. n is 0 where nothing was sampled.
 */
NODISCARD int msprof_cores_make(struct msprof_cores *c, struct msprof_run *r, size_t dev, enum prof_core kind,
                                bool all, struct err *e);
void msprof_cores_done(struct msprof_cores *c);
/* The i-th metric of a core. */
double msprof_core_value(const struct msprof_cores *c, const struct prof_core_sum *s, size_t i);
/* Name with its unit: "ub_read_bw(GB/s)". */
void msprof_core_name(const struct prof_metric *m, char *buf, size_t n);
/*
 * A metric that 310B and similar chips do not have (msprof's
 * analysis/viewer/chip_model_function/chip_model_decorators.py).
 */
bool msprof_is_vector_metric(const struct prof_metric *m);

#endif
