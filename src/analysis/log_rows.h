/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of a job as rows (doc/store.md#logs): a store in memory with the tables log_file, log_line, log_event
 * and collective, which views of the logs read. What the profiles say of the end (analysis/ending.h) stands
 * between the lines, by time.
 */
#ifndef NPUSCOPE_ANALYSIS_LOG_ROWS_H
#define NPUSCOPE_ANALYSIS_LOG_ROWS_H

#include "analysis/ending.h"
#include "logs/log_verdict.h"

/*
 * Make the store, the caller's. v: NULL: not judged. x: NULL: there are no profiles. Nothing of l,
 * v and x is needed afterwards. Errors: ERR_NOMEM, those of the store.
 */
NODISCARD int log_rows_make(struct store **out, const struct logs *l, const struct log_verdict *v,
                            const struct ending *x, struct err *e);

#endif
