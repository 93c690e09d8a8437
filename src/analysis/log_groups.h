/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each rank stands in each group of a job that hangs (doc/store.md#logs, table collective): by flight
 * recorders, else by the status file of the rank, else by the timeout in its log.
 */
#ifndef NPUSCOPE_ANALYSIS_LOG_GROUPS_H
#define NPUSCOPE_ANALYSIS_LOG_GROUPS_H

#include "logs/logs.h"
#include "store/sink.h"

/* Add the rows. Errors: those of the sink, ERR_NOMEM. */
NODISCARD int log_groups_put(struct sink *out, const struct logs *l, struct err *e);

#endif
