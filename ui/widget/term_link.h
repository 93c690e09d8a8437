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
 * Append what makes the links of c after a frame; shown has the rows as they were before, all: the terminal
 * was cleared. Links cost more bytes than a move of the cursor, which takes them off the two rows that it
 * writes: those rows wait until the reader rests. Written at once is what was cleared, and a row with cells
 * that are no links any more and that nothing else writes again. The cursor and its attributes are as before.
 */
void term_link_frame(const struct canvas *c, const struct canvas *shown, bool all,
                     const struct term_link_out *o);
bool term_link_waits(void);
/* Append the rows that wait; c is what the last frame had. */
void term_link_rest(const struct canvas *c, const struct term_link_out *o);

#endif
