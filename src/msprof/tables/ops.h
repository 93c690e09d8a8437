/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops of an export: which device tasks are rows of op_summary and op_statistic (doc/formats/prof.md#clocks,
 * doc/formats/msprof.md#op_statistic, #csv-columns), and their times as either half of msprof prints them.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_OPS_H
#define NPUSCOPE_MSPROF_TABLES_OPS_H

#include "msprof/run.h"

enum { MSPROF_NOT_OPS = 4 };

struct msprof_ops {
    const struct msprof_run *r;
    /* texts of task types that are no rows (doc/formats/msprof.md#csv-columns) */
    uint32_t left_out[MSPROF_NOT_OPS];
    uint32_t cpu; /* text of AI_CPU */
};
struct msprof_ops msprof_ops_of(struct msprof_run *r);

/* An op that ran. */
struct msprof_op {
    const struct prof_task *task;
    const struct prof_host_task *host;
    const struct prof_op *op;
};
/*
 * The tables of a partial export by step hold all steps, op_summary without counters: that of 910A with
 * --compat (doc/formats/prof-quirks.md#partial-exports).
 */
bool msprof_is_uncut(const struct msprof_run *r);
/* A task of a device is in the part that tables hold. */
bool msprof_keeps_row(const struct msprof_run *r, size_t dev, const struct prof_task *t);
/* Whether a task of a device (number dev of r->m.dev) is a row. */
bool msprof_op_at(const struct msprof_ops *o, size_t dev, size_t task, struct msprof_op *out);
/* Whether it would be, had it not ended before the collection. */
bool msprof_op_before(const struct msprof_ops *o, size_t dev, size_t task, struct msprof_op *out);
/* Why no task is a row. */
const char *msprof_why_no_ops(const struct msprof_run *r);
bool msprof_op_is_cpu(const struct msprof_ops *o, const struct prof_op *op);

/* The export is about iterations of one model (doc/formats/msprof.md#partial-exports). */
bool msprof_is_graph(const struct msprof_run *r);
/* The ops of a device were collected at level 0: without types (doc/formats/prof.md#info-files). */
bool msprof_is_level0(const struct msprof_run *r);
/*
 * An export with --compat of a run without graphs whose driver is too old for msprof's C++ half to read its
 * devices: no counters are found, bandwidths are those of Python (doc/formats/prof-quirks.md#old-drivers).
 */
bool msprof_has_old_driver(const struct msprof_run *r);
/*
 * The results that either half makes for the chip contain its frequency (aicore_freq_processor.cpp,
 * ai_core_freq_viewer.py).
 */
bool msprof_has_freq(const struct msprof_run *r, enum dialect dialect);
/* A copy of 910A (number i of a device) is in the export: it ended within the exported part. */
bool msprof_has_copy(const struct msprof_run *r, size_t dev, size_t i);
/* Order of devices in tables: by their numbers as text. NULL: e is set; else free() it. */
size_t *msprof_device_order(const struct msprof_run *r, struct err *e);
/*
 * When a task started, and its duration, ns. Python: doubles of its clock, which are not whole
 * (doc/formats/prof.md#clocks); else whole ns since 1970, of which the start keeps 16 digits.
 */
struct msprof_times {
    double start_ns, span_ns;
};
struct msprof_times msprof_times_of(const struct msprof_run *r, size_t dev, const struct prof_task *t);

/* A comma and the text, "N/A" for PROF_NONE. */
void msprof_put_text(struct emit *o, const struct msprof_run *r, uint32_t text);

#endif
