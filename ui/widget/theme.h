/* SPDX-License-Identifier: Apache-2.0 */
/* Roles and glyphs (doc/screens.md#roles, #glyphs): the names that widgets use, and their tables. */
#ifndef NPUSCOPE_UI_WIDGET_THEME_H
#define NPUSCOPE_UI_WIDGET_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "run/opclass.h"

/* clang-format off */
#define ROLES(X) \
    X(TEXT) X(DIM) X(TITLE) X(PANE) X(PANE_ON) X(HEAD) X(SORTED) X(CURSOR) X(MARK) X(MATCH) X(ERROR) X(WARN) \
        X(INFO) X(GOOD) X(BOLD) \
    X(CUBE) X(VECTOR) X(MIX) X(COMM) X(COPY) X(AICPU) X(HOST) X(IDLE) X(GAIN) X(LOSS) X(SELECT) X(PROMPT)
/* clang-format on */
#define ROLE_ENUM(r) ROLE_##r,
enum role { ROLES(ROLE_ENUM) N_ROLES };
#undef ROLE_ENUM

enum glyph {
    G_CUT,
    G_SORT_DOWN,
    G_SORT_UP,
    G_CURSOR,
    G_TREE_OPEN,
    G_TREE_CLOSED,
    G_HLINE,
    G_VLINE,
    G_TL,
    G_TR,
    G_BL,
    G_BR,
    G_LONE,  /* a single short event in an idle bucket */
    G_WIN_L, /* edges of the minimap's window */
    G_WIN_R,
    G_MISSING, /* not applicable */
    G_SLICE,   /* left edge of a slice at op zoom */
    G_SLICE_R, /* its right edge; a blank in UTF-8 */
    G_ENDLESS, /* in place of the right edge: it was running when the data ended */
    G_TICK,    /* on an axis */
    G_MARK,    /* a marked row */
    G_DOT,     /* separator in running text */
    N_GLYPHS
};

struct role_attr {
    const char *name;
    short fg256, fg8;                      /* -1: default */
    unsigned attrs256, attrs8, attrs_mono; /* RA_* */
    short bg256;                           /* -1: default */
};
#define RA_BOLD      1u
#define RA_DIM       2u
#define RA_UNDERLINE 4u
#define RA_REVERSE   8u

struct theme {
    const char *name;
    struct role_attr roles[N_ROLES];
};
extern const struct theme theme_default, theme_light, theme_contrast, theme_colour_blind, theme_mono;
/* By name; NULL: unknown. */
const struct theme *theme_find(const char *name);
/* The i-th theme, NULL after the last. */
const struct theme *theme_nth(size_t i);
/* Text of a glyph for ASCII or UTF-8. */
const char *glyph_text(enum glyph g, bool ascii);
enum role role_of_class(enum op_class c);

/*
 * Code point for a bar of eighths 0..8 of a cell: from the left (bars) or from the bottom (curves, busy
 * shares).
 */
uint32_t glyph_bar(int eighths);
uint32_t glyph_height(int eighths);
/* Full cell of the n-th series of a stacked bar, 0..3 (further ones repeat). */
uint32_t glyph_class(enum op_class k, bool ascii); /* fill of a bar where no colour tells the class */
uint32_t glyph_series(int series, bool ascii);

#endif
