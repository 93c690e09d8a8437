/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command lines of msprof.py (doc/formats/msprof.md#command-line): a script written for it runs after its
 * name was replaced by npuscope.
 *
 *   export timeline|summary|db -dir DIR [...], analyze, query, import -dir DIR [...]; exit codes as msprof's.
 */
#ifndef NPUSCOPE_CLI_MSPROF_MSPROF_H
#define NPUSCOPE_CLI_MSPROF_MSPROF_H

#include "cli/cli.h"
#include "cli/msprof/msprof_args.h"

/* argv is for msprof_main(): a command of msprof.py, switches of msprof, or npuscope called by its name. */
bool msprof_wants(int argc, char **argv);
/* Run it to its exit status. run: a command line of npuscope. */
int msprof_main(int argc, char **argv, const struct cli_hooks *hooks,
                int (*run)(int, char **, const struct cli_hooks *));

#endif
