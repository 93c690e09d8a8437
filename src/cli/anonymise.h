/* SPDX-License-Identifier: Apache-2.0 */
/* --anonymise: commands read copies of the stores in which names are replaced. */
#ifndef NPUSCOPE_CLI_ANONYMISE_H
#define NPUSCOPE_CLI_ANONYMISE_H

#include "cli/cli.h"

/*
 * Before a run is read: the key file may not lie where the output goes (target: a folder or a file), nor be
 * it. ERR_USAGE, ERR_IO.
 */
NODISCARD int anonymise_check(const char *key, const char *target, struct err *e);
/*
 * After run_open(): put copies with aliases in place of the stores of c->parts, and write the key file. Run
 * it before anything is written. anonymise_done() closes the copies.
 */
NODISCARD int anonymise_parts(struct cli *c, const char *key, struct err *e);
void anonymise_done(struct cli *c);

#endif
