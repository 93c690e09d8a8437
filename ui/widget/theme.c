/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of doc/screens.md#roles, #glyphs. Nothing here knows a terminal. */
#include "config.h"

#include "ui/widget/theme.h"

#include <string.h>

#include "base/err.h"

#define RA_BU (RA_BOLD | RA_UNDERLINE)
#define RA_DU (RA_DIM | RA_UNDERLINE)

/*
 * Columns: word, colour of 256, of 8, attributes with 256 colours, with 8, without; w8, i8, c8, v8, p8:
 * of 8 colours that for warnings, information, cubes, vectors and copies. Contrasts: doc/screens.md#roles.
 */
/* clang-format off */
#define ROLE_TABLE(orange, blue, grey, red, green, teal, mix, purple, w8, i8, c8, v8, p8)             \
    [ROLE_TEXT]    = { "text",    -1,     -1, 0,          0,          0,          -1 },               \
    [ROLE_DIM]     = { "dim",     grey,   -1, 0,          RA_DIM,     RA_DIM,     -1 },               \
    [ROLE_TITLE]   = { "title",   -1,     -1, RA_REVERSE, RA_REVERSE, RA_REVERSE, -1 },               \
    [ROLE_PANE]    = { "pane",    grey,   -1, 0,          0,          0,          -1 },               \
    [ROLE_PANE_ON] = { "pane-on", -1,     -1, RA_BOLD,    RA_BOLD,    RA_BU,      -1 },               \
    [ROLE_HEAD]    = { "head",    grey,   -1, RA_UNDERLINE, RA_UNDERLINE, RA_UNDERLINE, -1 },         \
    [ROLE_SORTED]  = { "sorted",  -1,     -1, RA_BU,      RA_BU,      RA_BU,      -1 },               \
    [ROLE_MARK]    = { "mark",    blue,   -1, RA_BOLD,    RA_BOLD,    RA_BOLD,    -1 },               \
    [ROLE_MATCH]   = { "match",   orange, -1, RA_BU,      RA_BU,      RA_BU,      -1 },               \
    [ROLE_ERROR]   = { "error",   red,     1, RA_BOLD,    RA_BOLD,    RA_BOLD,    -1 },               \
    [ROLE_WARN]    = { "warn",    orange, w8, RA_BOLD,    RA_BOLD,    RA_BOLD,    -1 },               \
    [ROLE_INFO]    = { "info",    blue,   i8, 0,          0,          0,          -1 },               \
    [ROLE_GOOD]    = { "good",    green,  -1, 0,          0,          0,          -1 },               \
    [ROLE_BOLD]    = { "bold",    -1,     -1, RA_BOLD,    RA_BOLD,    RA_BOLD,    -1 },               \
    [ROLE_CUBE]    = { "cube",    blue,   c8, 0,          0,          0,          -1 },               \
    [ROLE_VECTOR]  = { "vector",  teal,   v8, 0,          0,          0,          -1 },               \
    [ROLE_MIX]     = { "mix",     mix,    c8, 0,          RA_BOLD,    0,          -1 },               \
    [ROLE_COMM]    = { "comm",    orange, w8, 0,          0,          0,          -1 },               \
    [ROLE_COPY]    = { "copy",    purple, p8, 0,          0,          0,          -1 },               \
    [ROLE_AICPU]   = { "aicpu",   red,     1, 0,          0,          0,          -1 },               \
    [ROLE_HOST]    = { "host",    grey,   -1, 0,          0,          0,          -1 },               \
    [ROLE_IDLE]    = { "idle",    -1,     -1, RA_DIM,     RA_DIM,     0,          -1 },               \
    [ROLE_GAIN]    = { "gain",    green,  -1, 0,          0,          0,          -1 },               \
    [ROLE_LOSS]    = { "loss",    orange, w8, 0,          0,          0,          -1 },               \
    [ROLE_SELECT]  = { "select",  -1,     -1, RA_REVERSE, RA_REVERSE, RA_REVERSE, -1 },               \
    [ROLE_PROMPT]  = { "prompt",  -1,     -1, RA_BOLD,    RA_BOLD,    RA_BOLD,    -1 }
/* The cursor row has a background of its own, and then a foreground too, whatever the terminal's are. */
#define TINT(fg, bg) [ROLE_CURSOR] = { "cursor", fg, -1, 0, RA_REVERSE, RA_REVERSE, bg }

const struct theme theme_default = {
    "default", { ROLE_TABLE(208, 33, 245, 203, 35, 37, 75, 170, 5, -1, 4, 6, 2), TINT(231, 24) }
};
/* The same a shade darker, for white backgrounds; of 8 colours those that can be read there. */
const struct theme theme_light = {
    "light", { ROLE_TABLE(130, 25, 242, 161, 28, 23, 27, 127, 5, 4, 4, 4, 5), TINT(16, 153) }
};
/* 7:1 on black (WCAG 2, level AAA). */
const struct theme theme_contrast = {
    "high-contrast", { ROLE_TABLE(214, 81, 252, 217, 120, 87, 147, 219, 5, -1, 4, 6, 2), TINT(16, 229) }
};
/* Classes of ops differ without red and green cones, too (tests/unit/ui/test_theme.c). */
const struct theme theme_colour_blind = {
    "colour-blind", { ROLE_TABLE(215, 33, 245, 226, 45, 45, 230, 198, 5, -1, 4, 6, 2), TINT(231, 24) }
};
const struct theme theme_mono = {
    "mono",
    { ROLE_TABLE(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1),
      [ROLE_CURSOR] = { "cursor", -1, -1, RA_REVERSE, RA_REVERSE, RA_REVERSE, -1 } }
};

static const struct {
    const char *ascii, *utf8;
} glyphs[N_GLYPHS] = {
    [G_CUT]         = { "~", "…" },
    [G_SORT_DOWN]   = { "v", "▾" },
    [G_SORT_UP]     = { "^", "▴" },
    [G_CURSOR]      = { ">", "▶" },
    [G_TREE_OPEN]   = { "-", "▾" },
    [G_TREE_CLOSED] = { "+", "▸" },
    [G_HLINE]       = { "-", "─" },
    [G_VLINE]       = { "|", "│" },
    [G_TL]          = { "+", "┌" },
    [G_TR]          = { "+", "┐" },
    [G_BL]          = { "+", "└" },
    [G_BR]          = { "+", "┘" },
    [G_LONE]        = { "'", "╷" },
    [G_WIN_L]       = { "[", "┃" },
    [G_WIN_R]       = { "]", "┃" },
    [G_MISSING]     = { "-", "–" },
    [G_SLICE]       = { "[", "▌" },
    [G_SLICE_R]     = { "]", " " },
    [G_ENDLESS]     = { ">", "▸" },
    [G_TICK]        = { "|", "╷" },
    [G_MARK]        = { "*", "•" },
    [G_DOT]         = { "-", "·" },
};
/* clang-format on */

static const struct theme *const themes[] = { &theme_default, &theme_light, &theme_contrast,
                                              &theme_colour_blind, &theme_mono };

const struct theme *theme_nth(size_t i)
{
    return i < ARRAY_LEN(themes) ? themes[i] : NULL;
}

const struct theme *theme_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(themes); i++)
        if (!strcmp(themes[i]->name, name))
            return themes[i];
    return NULL;
}

const char *glyph_text(enum glyph g, bool ascii)
{
    return ascii ? glyphs[g].ascii : glyphs[g].utf8;
}

enum role role_of_class(enum op_class c)
{
    static const enum role of[N_OP_CLASSES] = {
        [OC_NONE] = ROLE_TEXT,   [OC_CUBE] = ROLE_CUBE, [OC_VECTOR] = ROLE_VECTOR,
        [OC_MIX] = ROLE_MIX,     [OC_COMM] = ROLE_COMM, [OC_COPY] = ROLE_COPY,
        [OC_AICPU] = ROLE_AICPU, [OC_HOST] = ROLE_HOST, [OC_IDLE] = ROLE_IDLE,
    };
    return of[c];
}

uint32_t glyph_bar(int eighths)
{
    static const uint32_t cp[9] = { ' ', 0x258F, 0x258E, 0x258D, 0x258C, 0x258B, 0x258A, 0x2589, 0x2588 };
    return cp[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

uint32_t glyph_height(int eighths)
{
    return eighths <= 0 ? ' ' : 0x2580 + (uint32_t)(eighths > 8 ? 8 : eighths);
}

uint32_t glyph_class(enum op_class k, bool ascii)
{
    static const struct {
        char ascii;
        uint32_t utf8;
    } of[N_OP_CLASSES] = {
        [OC_NONE] = { '#', 0x2588 },  [OC_CUBE] = { '#', 0x2588 }, [OC_VECTOR] = { '+', 0x2593 },
        [OC_MIX] = { '*', 0x2592 },   [OC_COMM] = { '%', 0x2591 }, [OC_COPY] = { 'o', 0x2501 },
        [OC_AICPU] = { '@', 0x2550 }, [OC_HOST] = { ':', 0x2500 }, [OC_IDLE] = { '.', 0x00b7 },
    };
    return ascii ? (uint32_t)of[k].ascii : of[k].utf8;
}

uint32_t glyph_series(int series, bool ascii)
{
    static const uint32_t a[4] = { '#', '=', '.', ':' };
    static const uint32_t u[4] = { 0x2588, 0x2593, 0x2592, 0x2591 };
    return ascii ? a[series & 3] : u[series & 3];
}
