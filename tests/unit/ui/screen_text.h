/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the screen: a canvas as text, compared line by line. Include after cmocka.h. */
#ifndef NPUSCOPE_TESTS_UNIT_UI_SCREEN_TEXT_H
#define NPUSCOPE_TESTS_UNIT_UI_SCREEN_TEXT_H

#include "ui/widget/draw.h"

static inline struct canvas *canvas_make(int rows, int cols, bool ascii)
{
    struct err e = ERR_INIT;
    struct canvas *c;
    assert_int_equal(canvas_new(&c, rows, cols, ascii ? TEXT_ASCII : 0, &e), OK);
    return c;
}

/* The canvas shows exactly this text (trailing blanks and rows that are empty at the end left out).
 */
static inline void canvas_shows(const struct canvas *c, const char *want)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(c, &b);
    while (b.n && b.p[b.n - 1] == '\n')
        b.p[--b.n] = '\0';
    assert_string_equal(b.p ? b.p : "", want);
    buf_done(&b);
}

/* The canvas holds this text somewhere. */
static inline bool canvas_has(const struct canvas *c, const char *want)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(c, &b);
    bool found = b.p && strstr(b.p, want);
    buf_done(&b);
    return found;
}

static inline enum role canvas_role(const struct canvas *c, int y, int x)
{
    enum role r = N_ROLES;
    canvas_cell(c, y, x, &r);
    return r;
}

#endif
