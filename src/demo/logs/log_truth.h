/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the logs of demo: what happened, as JSON for tests. */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_TRUTH_H
#define NPUSCOPE_DEMO_LOGS_LOG_TRUTH_H

#include "demo/logs/log_say.h"

/*
 * Writes run->o.truth, if asked for, when all files are written. Times in it are true ones (Unix ns): a
 * line's stamp is that time plus skew_ns of its host, in local time. Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
NODISCARD int log_truth_write(const struct logs *l, struct err *e);

#endif
