/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Terminals that a static program knows where the host has no terminfo: what ncurses asks when it finds no
 * entry in files (ncurses, MKfallback.sh). The entries are compiled ones of Debian's ncurses-base and
 * ncurses-term.
 *
 * ncurses shows its types to those who ask, and declares one of the functions in a header that it does not
 * install.
 */
#include "config.h"

#define NCURSES_INTERNALS 1

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <ncurses.h>
/* after ncurses.h, whose macros it needs */
#include <term.h>

struct builtin {
    const char *name;
    const unsigned char *entry;
    size_t n;
};

#include "terminfo.h"

const TERMTYPE2 *_nc_fallback2(const char *name);

static const struct builtin *find(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

/* ncurses copies what it gets: there is one at a time. */
const TERMTYPE2 *_nc_fallback2(const char *name)
{
    static TERMTYPE2 type;
    const struct builtin *b = find(name);
    char entry[8192]; /* ncurses takes no const */

    if (!b || b->n > sizeof entry)
        return NULL;
    memcpy(entry, b->entry, b->n);
    return _nc_read_termtype(&type, entry, (int)b->n) == 1 ? &type : NULL;
}

/* For programs that know 16-bit numbers only: this one does not ask. */
const TERMTYPE *_nc_fallback(const char *name)
{
    (void)name;
    return NULL;
}
