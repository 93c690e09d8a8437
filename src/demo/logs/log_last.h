/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the logs of demo: what a rank did last, by the model of the run. */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_LAST_H
#define NPUSCOPE_DEMO_LOGS_LOG_LAST_H

#include "demo/logs/log_say.h"

/*
 * Members of the rank's object in the truth: steps (last_complete_step, cut_step: null or its number), and
 * `last`, of each stream of kernels and of communication what ended last and what began and did not end:
 * track ("Stream 3", "Communication"), op, cpu (it is one of the AI CPU), state (done, running) and ts_ns,
 * its end or its start. Times are true Unix ns. Nothing for a rank that was not cut.
 * Errors: ERR_NOMEM.
 */
NODISCARD int log_last_put(struct emit *o, const struct logs *l, int rank, struct err *e);

#endif
