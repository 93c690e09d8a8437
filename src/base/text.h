/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text on its way to people: the one sanitising writer (doc/reliability.md#safe-bytes), width in cells,
 * clipping, wrapping.
 *
 * Input is raw bytes of unknown encoding; output is UTF-8 (or ASCII, TEXT_ASCII) without control bytes, C1,
 * bidi and zero-width format characters, invalid UTF-8, or more than four combining marks per cell. Decoding
 * is our own, whatever the locale.
 */
#ifndef NPUSCOPE_TEXT_H
#define NPUSCOPE_TEXT_H

#include "base/buf.h"

enum text_flags {
    TEXT_ASCII = 1, /* other code points as <U+4E2D>, control bytes as ^[ */
    TEXT_WIDE_AMBIGUOUS = 2
};

/*
 * Append s made safe. Newlines and tabs become visible substitutes too: control pictures (ASCII: ^J),
 * <U+202E> for what must not be seen, <0xFF> for a byte that is no UTF-8, <U+0301> for a mark without a cell
 * to sit on or beyond four.
 */
void text_safe(struct buf *out, struct str s, unsigned flags);
/* The same into a fixed buffer (terminated, cut on a code point). Returns buf. */
char *text_safe_into(char *buf, size_t n, struct str s, unsigned flags);

/*
 * Decode one code point at p (n > 0 bytes left): *cp, returns bytes used (1 for an invalid byte, then *cp =
 * 0xDC00 + byte).
 */
size_t text_decode(const char *p, size_t n, uint32_t *cp);
/* U+FFFD for what is no code point (surrogates, above U+10FFFF). Returns bytes written. */
size_t text_encode(uint32_t cp, char out[4]);
bool text_valid_utf8(struct str s);
/*
 * Cells of a code point: 0 combining, 1 (also those that text_safe replaces), 2 wide. Own table (Unicode 14
 * East Asian Width), not the locale's.
 */
int text_cp_width(uint32_t cp, unsigned flags);
/* Cells of s once made safe. */
size_t text_width(struct str s, unsigned flags);
/* The same of a C string that is safe. */
int text_cells_of(const char *s);
/* Blanks that s needs after it to fill so many cells, for "%*s"; 0 when it is wider. */
int text_pad(const char *s, size_t cells);

/* Where the cut goes when s is wider than the cells it gets. */
enum text_cut {
    CUT_END,
    CUT_MIDDLE,
    CUT_START,
    CUT_PATH,  /* middle of a scope path: first and last parts kept */
    CUT_TAIL,  /* start of a path: as many whole last parts as fit, "~/conv2/Conv2D-op118" */
    CUT_PARTS, /* every part of a path: as many last parts as fit when each is cut, "~/laye~/0/conv~/Conv~" */
    CUT_LONGER, /* the same, fewer parts of which more is left: "~/layer1-~/conv1-~/Conv2D" */
    CUT_NAMES /* of each part what is before its '-', the number of an op: "~/layer1~/0~/conv1~/Con~-op12" */
};
/*
 * Append s made safe, clipped to at most width cells, with the cut mark ("~" or "…") where something was cut.
 * A wide character that would be cut is replaced by a space. Returns the cells appended (not padded).
 * CUT_PATH keeps the last part, then the first, then more from both ends: "Default/network/~/Conv2D-op1"; a
 * last part wider than that is cut in its middle.
 */
size_t text_clip(struct buf *out, struct str s, size_t width, enum text_cut cut, unsigned flags);
/*
 * Break s (made safe) into lines of at most width cells (0 is taken as 1) at blanks, '/' or ',' where
 * possible, and beside wide characters, but not so that a closing mark begins a line or an opening one ends
 * it; lines separated by '\n' in out. Blanks at a break are left out.
 */
void text_wrap(struct buf *out, struct str s, size_t width, unsigned flags);
/* Of what text_wrap() put into b: the text from `line`, one of its lines, to the end, as one line again. */
struct str text_unwrap(struct buf *b, struct str line);

/*
 * Append a file: URI of an absolute path on this host (RFC 8089): bytes other than letters, digits and -._~/
 * as %XX, so that no byte of a name is a control to a terminal.
 */
void text_file_uri(struct str host, struct str path, struct buf *out);
/* Append s in base64 (RFC 4648). */
void text_base64(struct str s, struct buf *out);

#endif
