/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a run as a table of a writer and as a member of a JSON object (doc/rules.md#verdict). */
#ifndef NPUSCOPE_CLI_CMD_VERDICT_OUT_H
#define NPUSCOPE_CLI_CMD_VERDICT_OUT_H

#include "analysis/verdict.h"
#include "base/buf.h"
#include "model/writer/writer.h"

/*
 * That of the ranks beside the selected one. x: of the same session. Errors: those of the stores,
 * ERR_NOMEM.
 */
NODISCARD int verdict_of(struct verdict *out, struct session *s, const struct ending *x,
                         const struct job_logs *logs, struct err *e);
/* people: severity and sentence; else all that is known. Errors: those of the writer. */
NODISCARD int verdict_print(const struct verdict *v, struct writer *w, bool people, struct err *e);
/* Append the member "verdict" with its comma. */
void verdict_add_json(const struct verdict *v, struct buf *b);

#endif
