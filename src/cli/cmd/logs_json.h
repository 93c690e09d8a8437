/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of the logs as members of a JSON object (doc/formats/logs.md#verdict-rule). */
#ifndef NPUSCOPE_CLI_CMD_LOGS_JSON_H
#define NPUSCOPE_CLI_CMD_LOGS_JSON_H

#include "base/buf.h"
#include "logs/log_verdict.h"

/* `"logs": {...}` without what follows it. */
void logs_add_verdict(const struct logs *l, const struct log_verdict *v, struct buf *b);
/* Members files and events of the object, each a list. */
void logs_add_files(const struct logs *l, struct buf *b);
void logs_add_events(const struct logs *l, struct buf *b);

#endif
