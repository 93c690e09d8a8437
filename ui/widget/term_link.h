/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes to the terminal past curses: bytes, and links (OSC 8) for a row that curses has just shown. Used
 * by term.c alone.
 */
#ifndef NPUSCOPE_UI_WIDGET_TERM_LINK_H
#define NPUSCOPE_UI_WIDGET_TERM_LINK_H

#include "ui/widget/draw.h"

/* Write all of it, waiting for the terminal; what it does not take is lost. */
void term_put(int fd, const char *p, size_t n);

struct term_link_out {
    struct buf *b;
    /* Append what turns the attributes of a role on; N_ROLES: all off. */
    void (*attr)(enum role r, struct buf *b);
};
/*
 * Append what writes the cells of row y again that are links in c, and those that were in shown (which has
 * the row as it was before; without links where the terminal was cleared). The cursor and its attributes are
 * as before.
 */
void term_link_row(const struct canvas *c, const struct canvas *shown, int y, const struct term_link_out *o);

#endif
