/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof/rows/rows_ops.c: what the cores counted while an op ran, as columns of op_counter
 * (doc/formats/msprof.md#ai-core-metrics, #csv-columns), and the operations among them. Names are those that
 * parsers/tables/kernels_csv.c gives the columns of op_summary.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_ROWS_COUNTERS_H
#define NPUSCOPE_PARSERS_PROF_ROWS_ROWS_COUNTERS_H

#include "parsers/prof/device/pmu.h"
#include "parsers/prof/rows/rows.h"

struct prof_counters;
/*
 * Read the counters of one device. ERR_NOMEM, ERR_CANCELLED, those of the sink. prof_counters_free(NULL) is
 * allowed.
 */
NODISCARD int prof_counters_read(struct prof_counters **out, struct prof_rows *r, struct prof_device *d,
                                 struct err *e);
void prof_counters_free(struct prof_counters *c);
/*
 * What damage may have made untrue of them, bits of enum prof_doubt: the frequency of the cores is not known,
 * or blocks of a mix kernel are missing in their sum.
 */
unsigned prof_counters_doubt(const struct prof_counters *c, const struct prof_task *t,
                             const struct prof_op *op);
/* Rows for one execution of an op; nothing when the task has no counters. */
NODISCARD int prof_counters_put(struct prof_counters *c, const struct prof_task *t, const struct prof_op *op,
                                int64_t exec, struct err *e);

#endif
