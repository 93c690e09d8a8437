/* SPDX-License-Identifier: Apache-2.0 */
/* What `triage` prints as json: one object of fixed members (doc/screens.md#triage-as-json). */
#ifndef NPUSCOPE_CLI_CMD_TRIAGE_JSON_H
#define NPUSCOPE_CLI_CMD_TRIAGE_JSON_H

#include "analysis/ending.h"
#include "cli/cli.h"

struct triage_json {
    struct cli *c;
    const struct ending *x; /* of all ranks of c->session */
    int64_t now_ns;
};

/* The rank with this index is one of the job that nothing was read of: no other is compared with it. */
bool triage_lacks(const struct session *s, const struct ending *x, size_t index);
/* Append it to b. Selects ranks of the session. Errors: those of the stores, ERR_NOMEM. */
NODISCARD int triage_json_add(const struct triage_json *t, struct buf *b, struct err *e);

#endif
