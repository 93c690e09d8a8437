/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal: the only module that knows curses. Shows a canvas (changed rows only), reads keys
 * and mouse, suspends, restores.
 *
 * There is one terminal per process; its state is the one global of ui/. term_open() after
 * sig_init(true).
 */
#ifndef NPUSCOPE_UI_WIDGET_TERM_H
#define NPUSCOPE_UI_WIDGET_TERM_H

#include "ui/widget/draw.h"
#include "ui/widget/key.h"

struct term_opts {
    const struct theme *theme; /* NULL: default */
    bool mono;                 /* no colours, whatever the terminal can (also with NO_COLOR) */
    int mouse;                 /* 1 on, 0 off, -1: as doc/screens.md#mouse says */
    int links;                 /* the same for OSC 8: doc/screens.md#terminals */
};

/*
 * Set LC_CTYPE (only that; numbers keep their point) and return text_flags, with TEXT_ASCII when the locale
 * is not UTF-8 or ascii asks for it. utf8: take a UTF-8 locale although LANG does not say so (also
 * NPUSCOPE_UTF8=1).
 */
unsigned term_locale(bool ascii, bool utf8);

/* Errors: ERR_USAGE with a sentence when this is no terminal or one that cannot place its cursor. */
NODISCARD int term_open(const struct term_opts *o, struct err *e);
/* Give the terminal back as it was. Does nothing when it is not open. */
void term_close(void);
void term_size(int *rows, int *cols);
/* Take over the present size (after SIGWINCH, SIGCONT); the next flush draws everything anew. */
void term_resize(void);
void term_redraw(void);
/* Nothing has a colour: what colours tell apart must have a pattern. */
bool term_is_mono(void);
/* Links are shown; the canvas has to take them. */
bool term_has_links(void);
void term_set_theme(const struct theme *t);

/* Show c; the cursor stands at (cy, cx), hidden when cy < 0. Errors of the terminal (gone) are ERR_IO. */
NODISCARD int term_flush(const struct canvas *c, int cy, int cx, struct err *e);
/* The reader rests: write the links that waited (term_link_waits()); c is what was shown last. */
void term_rested(const struct canvas *c);
int term_fd(void); /* readable when there may be a key */
/* Next key; false: none is waiting. */
bool term_read(struct key_event *k);
/*
 * While something takes long: keep the keys that came meanwhile for term_read(). true: one of them was Esc or
 * ^C, and none is kept.
 */
bool term_stop_asked(void);
bool term_keys_wait(void);
/*
 * Show row 0 of a canvas over row y of the screen, until the next flush. Does nothing when the terminal is
 * not open.
 */
void term_show_line(const struct canvas *line, int y);
bool term_is_open(void);
/* What a keyboard sends for this key: at most n bytes into buf; returns their number, 0 for none. */
size_t term_key_bytes(uint32_t code, char *buf, size_t n);
/* Text of the last K_PASTE, valid until the next term_read. */
struct str term_pasted(void);
/* The keyboard is gone (end of file, hang-up). */
bool term_lost(void);
void term_mouse(bool on);
bool term_mouse_on(void);
/* Back to the shell until SIGCONT; afterwards the size is taken anew. */
void term_suspend(void);
/*
 * Put text into the clipboard by OSC 52; false: this terminal is not known to take it, or the text is too
 * long.
 */
bool term_clipboard(struct str text);

/* Version of curses. */
const char *term_library(void);

#endif
