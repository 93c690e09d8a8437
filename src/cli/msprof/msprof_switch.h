/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of CANN's program msprof, which begins with a switch where msprof.py has a word:
 * msprof --export=on --output=DIR (doc/formats/msprof.md#switches). It is taken as that of msprof.py.
 */
#ifndef NPUSCOPE_CLI_MSPROF_MSPROF_SWITCH_H
#define NPUSCOPE_CLI_MSPROF_MSPROF_SWITCH_H

#include <stdbool.h>

#include "base/err.h"

/* The program was called by a name of msprof (msprof, msprof.py), as through a link. */
bool msprof_is_called(int argc, char **argv);
/* argv begins with one of the switches. */
bool msprof_is_switched(int argc, char **argv);

struct msprof_switched {
    int argc;
    char **argv; /* of msprof.py: "export text -dir DIR ...", words borrowed from argv or static */
};
/*
 * Translate. ERR_USAGE, with what to type, when msprof would collect a profile, or the switches do not fit;
 * ERR_NOMEM. msprof_switched_done() in any case.
 */
NODISCARD int msprof_switch(struct msprof_switched *s, int argc, char **argv, struct err *e);
void msprof_switched_done(struct msprof_switched *s);

#endif
