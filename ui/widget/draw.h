/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A canvas of character cells: the only thing widgets draw on (doc/style.md#screen). Text put here
 * is made safe and clipped in cells; attributes are given by role, never by colour. ui/widget/term.c shows
 * a canvas on the terminal; tests read it as text. Not thread-safe.
 */
#ifndef NPUSCOPE_UI_WIDGET_DRAW_H
#define NPUSCOPE_UI_WIDGET_DRAW_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/text.h"
#include "ui/widget/theme.h"

struct rect {
    int y, x, h, w;
};

struct canvas;
/* flags: text_flags; TEXT_ASCII chooses the ASCII glyphs. */
NODISCARD int canvas_new(struct canvas **out, int rows, int cols, unsigned flags, struct err *e);
void canvas_free(struct canvas *c);
NODISCARD int canvas_resize(struct canvas *c, int rows, int cols, struct err *e);
void canvas_clear(struct canvas *c);
int canvas_rows(const struct canvas *c);
int canvas_cols(const struct canvas *c);
bool canvas_is_ascii(const struct canvas *c);
/* Without colours patterns tell apart what colours would. */
void canvas_set_mono(struct canvas *c, bool mono);
bool canvas_is_mono(const struct canvas *c);
unsigned canvas_flags(const struct canvas *c);

/*
 * Put text at (y, x), at most w cells, cut as `cut` says; returns the cells used. Positions outside of the
 * canvas draw nothing.
 */
int draw_text(struct canvas *c, int y, int x, int w, enum role r, struct str s, enum text_cut cut);
int draw_puts(struct canvas *c, int y, int x, int w, enum role r, const char *s);
int draw_printf(struct canvas *c, int y, int x, int w, enum role r, const char *fmt, ...) PRINTF_LIKE(6, 7);
/*
 * Text in as many lines of a as it needs, the last one with a mark where more follows; returns the lines. c
 * NULL: only counts.
 */
int draw_wrap(struct canvas *c, struct rect a, enum role r, struct str s);
/* Right-aligned in w cells. */
int draw_right(struct canvas *c, int y, int x, int w, enum role r, struct str s);
void draw_glyph(struct canvas *c, int y, int x, enum role r, enum glyph g);
/* One cell of the ground of a drawing that no value can reach, or that a level has not reached. */
void draw_ground(struct canvas *c, int y, int x);
/* One cell with a code point of our own design (width 1). */
void draw_cp(struct canvas *c, int y, int x, enum role r, uint32_t cp);
void draw_fill(struct canvas *c, struct rect a, enum role r, char ch);
/* Change the role of cells already drawn (cursor row, marks). */
void draw_role(struct canvas *c, struct rect a, enum role r);
/*
 * Make what is drawn in a, but for blanks at its line ends, a link; drawing over it ends that. Does nothing
 * unless the canvas takes links. The URI is copied; it has printable ASCII only.
 */
void canvas_set_links(struct canvas *c, bool on);
bool canvas_takes_links(const struct canvas *c);
void draw_link(struct canvas *c, struct rect a, struct str uri);
/* URI of a cell until the next canvas_clear(); NULL: none. */
const char *canvas_link(const struct canvas *c, int y, int x);
void draw_hline(struct canvas *c, int y, int x, int w, enum role r);
/* Box with a title, lines in the dim role. */
void draw_box(struct canvas *c, struct rect a, const char *title);
/*
 * Horizontal bar of value/max of w cells, 1/8 cell steps in UTF-8; series 0..3 chooses the fill. Returns
 * cells used.
 */
int draw_bar(struct canvas *c, int y, int x, int w, double value, double max, enum role r, int series);

/*
 * A thin bar in the colour of a class of ops; in ASCII and without colours in the fill of the class, in whole
 * cells. Returns the cells used.
 */
int draw_class_bar(struct canvas *c, int y, int x, int w, double value, double max, enum op_class k);
/* "#cube": what such a bar is filled with; nothing when w is too small. Returns the cells used. */
int draw_class_key(struct canvas *c, int y, int x, int w, enum op_class k);
/* The same as a line, in half cells: beside numbers, where a full bar is too loud. */
int draw_thin_bar(struct canvas *c, int y, int x, int w, double value, double max, enum role r);

/* true: row y looks the same on both canvases (of the same width). And copy a row from one to the other. */
bool canvas_row_same(const struct canvas *a, const struct canvas *b, int y);
bool canvas_cell_same(const struct canvas *a, const struct canvas *b, int y, int x);
void canvas_copy_row(struct canvas *to, const struct canvas *from, int y);
/* The same of their links; a row that was copied still tells which cells were links, but not of what. */
bool canvas_links_same(const struct canvas *a, const struct canvas *b, int y);
bool canvas_was_link(const struct canvas *c, int y, int x);

/*
 * The canvas as text: rows separated by newlines, trailing blanks cut (for tests, --linear, `make screens`).
 */
void canvas_text(const struct canvas *c, struct buf *out);
/* For ui/widget/term.c and tests: the cell's UTF-8 text ("" = right half of a wide one) and role. */
const char *canvas_cell(const struct canvas *c, int y, int x, enum role *r);

#endif
