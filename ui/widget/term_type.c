/* SPDX-License-Identifier: Apache-2.0 */
/* Types of terminals. */
#include "config.h"

#include "ui/widget/term_type.h"

#include <unistd.h>

#include <ncurses.h>
/* after ncurses.h, whose macros it needs */
#include <term.h>

int term_type_colours(const char *name)
{
    int status, colours;
    char place[] = "cup", count[] = "colors";

    if (setupterm(name, STDOUT_FILENO, &status) != OK)
        return -1;
    const char *cup = tigetstr(place);
    colours = cup && cup != (const char *)-1 ? tigetnum(count) : -1;
    if (cup && cup != (const char *)-1 && colours < 0)
        colours = 0;
    del_curterm(cur_term);
    return colours;
}
