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
 * After run_open(): put copies with aliases in place of all stores of the session and of c->parts, and write
 * the key file. Run it before anything is written. anonymise_done() forgets the aliases.
 */
NODISCARD int anonymise_run(struct cli *c, const char *key, struct err *e);
/*
 * Replace names in a sentence, or in a path, that is in no store; text: n bytes with its end, what does not
 * fit is cut. Without --anonymise nothing is done. anonymise_end() then writes names that were new. Errors:
 * those of aliases_scrub() and aliases_write().
 */
NODISCARD int anonymise_text(struct cli *c, char *text, size_t n, struct err *e);
NODISCARD int anonymise_path(struct cli *c, char *path, size_t n, struct err *e);
NODISCARD int anonymise_end(struct cli *c, struct err *e);
void anonymise_done(struct cli *c);

#endif
