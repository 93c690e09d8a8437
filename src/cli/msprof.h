/*
 * The command lines of msprof.py (formats/msprof-raw.md 7): a script written for it runs after its name was replaced by npuscope.
 *
 *   export timeline|summary|db -dir DIR [...], analyze, query, import; options with one dash or two, exit codes as msprof's.
 */
#ifndef NPUSCOPE_CLI_MSPROF_H
#define NPUSCOPE_CLI_MSPROF_H

#include "cli/cli.h"

/* argv is one of these: the command's word, and -dir or --collection-dir somewhere. */
bool msprof_is(int argc, char **argv);
/* Run it to its exit status. */
int msprof_main(int argc, char **argv);

#endif
