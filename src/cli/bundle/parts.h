/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into a bundle: results of commands, parts of logs and files of the profile, facts of the host. */
#ifndef NPUSCOPE_CLI_BUNDLE_PARTS_H
#define NPUSCOPE_CLI_BUNDLE_PARTS_H

#include "cli/bundle/bundle.h"
#include "cli/cli.h"
#include "logs/log_verdict.h"

/*
 * What the commands say of the run. c: with an open session, or without one (then only what logs say: path).
 * A command that has nothing to say is named among what is left out. Names are aliases where c has some; what
 * cannot be given so is left out. Errors: ERR_NOMEM, ERR_CANCELLED, ERR_STORE.
 */
NODISCARD int bundle_results(struct bundle *b, struct cli *c, const char *path, struct err *e);
/*
 * First and last parts of the logs, those with errors first, and the lines around the first error of v (NULL:
 * none), within half of the room. Logs below the folder home are all of the job. Errors: ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int bundle_logs(struct bundle *b, const struct logs *l, const struct log_verdict *v,
                          const char *home, struct err *e);
/* The first bytes of the profile's files, small ones as they are. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int bundle_heads(struct bundle *b, const struct job *j, struct err *e);
/*
 * System, processors, memory, versions, limits, variables of the environment that tools of Ascend read.
 * hidden: without names (hosts, paths, users). Errors: ERR_NOMEM.
 */
NODISCARD int bundle_host(struct bundle *b, const char *profile, bool hidden, struct err *e);
/* What is in it and what is not, and what made it; to be added last. */
NODISCARD int bundle_readme(struct bundle *b, bool hidden, struct err *e);

#endif
