/* SPDX-License-Identifier: Apache-2.0 */
/* The sanitising writer: every text for people passes scan_next(), which turns one code point into
 * safe bytes and cells. */
#include "config.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

#include "base/swar.h"
#include "base/text_table.h"
#include "base/unit.h"

#define MARKS_PER_CELL 4
#define SUBST_B        12 /* longest substitute: <U+10FFFF> */
#define RAW_BYTE       0xDC00u

/* Walks over raw bytes. marks: combining marks on the current cell; "full" before the first cell.
 */
struct scan {
    struct str s;
    size_t at;
    unsigned flags;
    int marks;
    char subst[SUBST_B];
};

/* One code point made safe: bytes in the input or in scan.subst. */
struct glyph {
    struct str out;
    size_t cells;
};

/* First lead byte of each length: payload bits of the lead byte and the smallest code point that
 * needs the length. */
static const struct {
    unsigned char mask, lead, bits;
    uint32_t min;
} utf8_forms[] = {
    { 0x80, 0x00, 0x7F, 0 },
    { 0xE0, 0xC0, 0x1F, 0x80 },
    { 0xF0, 0xE0, 0x0F, 0x800 },
    { 0xF8, 0xF0, 0x07, 0x10000 },
};

size_t text_decode(const char *p, size_t n, uint32_t *cp)
{
    const unsigned char *b = (const unsigned char *)p;
    size_t form = 0;

    while (form < ARRAY_LEN(utf8_forms) && (b[0] & utf8_forms[form].mask) != utf8_forms[form].lead)
        form++;
    if (form < ARRAY_LEN(utf8_forms) && form < n) {
        uint32_t c = b[0] & utf8_forms[form].bits;
        size_t i = 1;
        for (; i <= form && (b[i] & 0xC0) == 0x80; i++)
            c = c << 6 | (b[i] & 0x3Fu);
        if (i > form && c >= utf8_forms[form].min && c <= 0x10FFFF && (c & ~0x7FFu) != 0xD800) {
            *cp = c;
            return form + 1;
        }
    }
    *cp = RAW_BYTE + b[0];
    return 1;
}

size_t text_encode(uint32_t cp, char out[4])
{
    if (cp > 0x10FFFF || (cp & ~0x7FFu) == 0xD800)
        cp = 0xFFFD;
    size_t form = cp < 0x80 ? 0 : cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3;
    for (size_t i = form; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3F));
        cp >>= 6;
    }
    out[0] = (char)(utf8_forms[form].lead | cp);
    return form + 1;
}

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7F;
}

/* Bytes from `at` on that are printable ASCII. */
static size_t plain_run(struct str s, size_t at)
{
    size_t i = at;

    while (i < s.n && is_plain(s.p[i]))
        i++;
    return i - at;
}

bool text_valid_utf8(struct str s)
{
    uint32_t cp;

    for (size_t i = 0; i < s.n;) {
        while (s.n - i >= 8 && !(swar_load(s.p + i) & SWAR_HIGH))
            i += 8;
        if (i == s.n)
            break;
        i += text_decode(s.p + i, s.n - i, &cp);
        if (cp >= RAW_BYTE && cp < RAW_BYTE + 0x100)
            return false;
    }
    return true;
}

int text_cp_width(uint32_t cp, unsigned flags)
{
    if (cp < 0xA0 || text_table_hidden(cp))
        return 1;
    if (text_table_mark(cp))
        return 0;
    if (text_table_wide(cp))
        return 2;
    return (flags & TEXT_WIDE_AMBIGUOUS) && text_table_ambiguous(cp) ? 2 : 1;
}

/* The substitute for a code point that cannot be shown; ASCII but for the control pictures. */
static struct glyph substitute(struct scan *c, uint32_t cp)
{
    int n;

    if (cp >= RAW_BYTE && cp < RAW_BYTE + 0x100) {
        n = snprintf(c->subst, sizeof c->subst, "<0x%02X>", (unsigned)(cp - RAW_BYTE));
    } else if (cp < 0x20 || cp == 0x7F) {
        if (!(c->flags & TEXT_ASCII)) {
            size_t used = text_encode(cp == 0x7F ? 0x2421 : 0x2400 + cp, c->subst);
            return (struct glyph){ { c->subst, used }, 1 };
        }
        n = snprintf(c->subst, sizeof c->subst, "^%c", (int)(cp ^ 0x40));
    } else {
        n = snprintf(c->subst, sizeof c->subst, "<U+%04X>", (unsigned)cp);
    }
    return (struct glyph){ { c->subst, (size_t)n }, (size_t)n };
}

static struct scan scan_start(struct str s, unsigned flags)
{
    return (struct scan){ .s = s, .flags = flags, .marks = MARKS_PER_CELL };
}

static bool scan_next(struct scan *c, struct glyph *g)
{
    uint32_t cp;

    if (c->at >= c->s.n)
        return false;
    const char *p = c->s.p + c->at;
    size_t used = text_decode(p, c->s.n - c->at, &cp);
    c->at += used;
    int cells = text_cp_width(cp, c->flags);
    bool shown = cp < 0x7F ? cp >= 0x20 : !(c->flags & TEXT_ASCII) && !text_table_hidden(cp);
    if (shown && cells == 0 && c->marks < MARKS_PER_CELL) {
        c->marks++;
        *g = (struct glyph){ { p, used }, 0 };
        return true;
    }
    c->marks = 0;
    *g = shown && cells ? (struct glyph){ { p, used }, (size_t)cells } : substitute(c, cp);
    return true;
}

/* Take the printable ASCII at the scan's position in one piece. */
static struct str scan_plain(struct scan *c)
{
    struct str run = str_sub(c->s, c->at, plain_run(c->s, c->at));

    c->at += run.n;
    if (run.n)
        c->marks = 0;
    return run;
}

void text_safe(struct buf *out, struct str s, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;

    for (;;) {
        buf_add(out, scan_plain(&c));
        if (!scan_next(&c, &g))
            return;
        buf_add(out, g.out);
    }
}

char *text_safe_into(char *buf, size_t n, struct str s, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;
    size_t used = 0;

    while (scan_next(&c, &g) && g.out.n < n - used) {
        memcpy(buf + used, g.out.p, g.out.n);
        used += g.out.n;
    }
    buf[used] = '\0';
    return buf;
}

size_t text_width(struct str s, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;
    size_t cells = 0;

    for (;;) {
        cells += scan_plain(&c).n;
        if (!scan_next(&c, &g))
            return cells;
        cells += g.cells;
    }
}

int text_cells_of(const char *s)
{
    return (int)text_width(str_of(s), 0);
}

int text_pad(const char *s, size_t cells)
{
    const size_t used = text_width(str_of(s), 0);

    return used < cells ? (int)(cells - used) : 0;
}

static void add_blanks(struct buf *out, size_t n)
{
    while (n--)
        buf_addc(out, ' ');
}

/*
 * Append exactly the cells [from, to) of s. A substitute is cut like the ASCII it is; a wide character only
 * half of which is inside becomes a blank. Marks go with their cell.
 */
static void add_cells(struct buf *out, struct str s, size_t from, size_t to, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;
    size_t at = 0;
    bool whole = false;

    while (scan_next(&c, &g) && (at < to || g.cells == 0)) {
        if (g.cells == 0) {
            if (whole)
                buf_add(out, g.out);
            continue;
        }
        size_t lo = from > at ? from - at : 0;
        size_t hi = to - at < g.cells ? to - at : g.cells;
        whole = lo == 0 && hi == g.cells;
        if (whole)
            buf_add(out, g.out);
        else if (lo < hi && g.out.p == c.subst)
            buf_add(out, str_sub(g.out, lo, hi - lo));
        else if (lo < hi)
            add_blanks(out, hi - lo);
        at += g.cells;
    }
}

/* "…" unless the terminal shows it in two cells or not at all. */
static void add_cut_mark(struct buf *out, unsigned flags)
{
    buf_puts(out, flags & (TEXT_ASCII | TEXT_WIDE_AMBIGUOUS) ? "~" : "\xE2\x80\xA6");
}

/* s has `cells` >= width >= 1 cells: `tail` of them stay at the end, the rest of the room is for
 * the start. */
static size_t clip_at(struct buf *out, struct str s, size_t cells, size_t width, size_t tail, unsigned flags)
{
    add_cells(out, s, 0, width - 1 - tail, flags);
    add_cut_mark(out, flags);
    add_cells(out, s, cells - tail, cells, flags);
    return width;
}

/* Take the part s[*head .. next '/'] into the head if it fits into *room cells. */
static bool path_grow_head(struct str s, size_t *head, size_t tail, size_t *room, unsigned flags)
{
    size_t len = str_chr(str_sub(s, *head, tail - *head), '/');

    if (len == SIZE_MAX)
        return false;
    size_t cells = text_width(str_sub(s, *head, len + 1), flags);
    if (cells > *room)
        return false;
    *head += len + 1;
    *room -= cells;
    return true;
}

/* The same for the part before s[*tail], with the '/' before it. */
static bool path_grow_tail(struct str s, size_t head, size_t *tail, size_t *room, unsigned flags)
{
    size_t len = str_rchr(str_sub(s, head, *tail - head), '/');

    if (len == SIZE_MAX)
        return false;
    size_t cells = text_width(str_sub(s, head + len, *tail - head - len), flags);
    if (cells > *room)
        return false;
    *tail = head + len;
    *room -= cells;
    return true;
}

static size_t clip_path(struct buf *out, struct str s, size_t cells, size_t width, bool heads, unsigned flags)
{
    size_t head = 0, tail = s.n, room = width - 1;
    size_t last = str_rchr(str_sub(s, 0, s.n - 1), '/');

    if (last == SIZE_MAX)
        return clip_at(out, s, cells, width, (width - 1) / 2, flags);
    struct str name = str_sub(s, last + 1, SIZE_MAX);
    size_t name_cells = text_width(name, flags);
    if (name_cells > room)
        return clip_at(out, name, name_cells, width, (width - 1) / 2, flags);
    if (name_cells == room)
        return clip_at(out, s, cells, width, name_cells, flags);
    tail = last;
    room -= name_cells + 1;
    for (bool more = true; more;) {
        more = heads && path_grow_head(s, &head, tail, &room, flags);
        more = path_grow_tail(s, head, &tail, &room, flags) || more;
    }
    struct str start = str_sub(s, 0, head), end = str_sub(s, tail, SIZE_MAX);
    text_safe(out, start, flags);
    add_cut_mark(out, flags);
    text_safe(out, end, flags);
    return text_width(start, flags) + 1 + text_width(end, flags);
}

#define PART_LEAST  6 /* cells of a part that is cut, its mark included */
#define PART_LONGER 8

/* Start of the last part of s[0..end), which does not count a slash at its end. */
static size_t part_start(struct str s, size_t end)
{
    size_t at = end ? str_rchr(str_sub(s, 0, end - 1), '/') : SIZE_MAX;
    return at == SIZE_MAX ? 0 : at + 1;
}

/* Cells of the parts from `from` on when none gets more than most, slashes included. */
static size_t parts_cells(struct str s, size_t from, size_t most, unsigned flags)
{
    size_t cells = 0;
    for (size_t end = s.n; end > from;) {
        size_t start = part_start(s, end), w = text_width(str_sub(s, start, end - start), flags);
        cells += w < most ? w : most;
        end = start;
    }
    return cells;
}

static size_t clip_parts(struct buf *out, struct str s, size_t width, size_t least, unsigned flags)
{
    size_t from = s.n, most = least + 1, used = 2;
    while (from && parts_cells(s, part_start(s, from), most, flags) + 2 <= width)
        from = part_start(s, from);
    if (from == s.n)
        return clip_at(out, s, text_width(s, flags), width, (width - 1) / 2, flags);
    if (!from)
        used = 0;
    while (most < width && parts_cells(s, from, most + 1, flags) + used <= width)
        most++;
    /*
     * The first parts get a cell more each, one of them that of the last: "layer1~/conv1" tells more than
     * "laye~/conv1-".
     */
    const size_t first_end = str_chr(str_sub(s, from, s.n), '/'), last = part_start(s, s.n);
    size_t rest = width - used - parts_cells(s, from, most, flags);
    const bool give = !rest && first_end != SIZE_MAX &&
                      text_width(str_sub(s, from, first_end), flags) >= most &&
                      text_width(str_sub(s, last, s.n), flags) > most;
    rest += give;
    if (from) {
        add_cut_mark(out, flags);
        buf_addc(out, '/');
    }
    while (from < s.n) {
        size_t len = str_chr(str_sub(s, from, s.n), '/');
        bool slash = len != SIZE_MAX;
        struct str part = str_sub(s, from, slash ? len : s.n);
        bool more = rest && text_width(part, flags) + slash > most;
        used += text_clip(out, part, most + more - slash - (give && from == last), CUT_END, flags) + slash;
        rest -= more;
        if (slash)
            buf_addc(out, '/');
        from += part.n + slash;
    }
    return used;
}

#define LAST_LEAST 4 /* cells of a last part that is cut */

/* Cells of the last part that stay at its end: "-op12". */
static size_t op_number(struct str last)
{
    size_t at = str_rchr(last, '-'), n = 0;
    if (at == SIZE_MAX || last.n - at < 4 || !str_eq(str_sub(last, at, 3), STR("-op")))
        return 0;
    for (size_t i = at + 3; i < last.n; i++)
        n += last.p[i] >= '0' && last.p[i] <= '9';
    return n == last.n - at - 3 ? last.n - at : 0;
}

/* Of a part with the slash at its end: bytes up to its first '-', all of it without one. */
static size_t name_bytes(struct str part)
{
    const size_t dash = str_chr(part, '-');
    return dash == SIZE_MAX || dash == 0 || dash + 2 >= part.n ? part.n : dash;
}

static size_t name_cells(struct str part, unsigned flags)
{
    const size_t n = name_bytes(part);
    return text_width(str_sub(part, 0, n), flags) + (n < part.n ? 2 : 0);
}

/* Where the name of an op begins, with the "gradConv2D/" before it, which says what its layer and type do. */
static size_t op_start(struct str s)
{
    const size_t last = part_start(s, s.n), before = part_start(s, last);
    return last - before > 4 && str_eq(str_sub(s, before, 4), STR("grad")) ? before : last;
}

static size_t clip_names(struct buf *out, struct str s, size_t width, unsigned flags)
{
    const size_t number = op_number(str_sub(s, part_start(s, s.n), s.n));
    const size_t last = number ? op_start(s) : part_start(s, s.n);
    const struct str name = str_sub(s, last, s.n);
    const size_t whole = text_width(name, flags);
    const size_t least = number ? number + 1 : LAST_LEAST;
    size_t from = last, used = whole < least ? whole : least;
    if (!last || used + 2 > width)
        return clip_at(out, s, text_width(s, flags), width, (width - 1) / 2, flags);
    while (from) {
        const size_t start = part_start(s, from);
        const size_t cells = name_cells(str_sub(s, start, from - start), flags);
        if (used + cells + (start ? 2 : 0) > width)
            break;
        used += cells;
        from = start;
    }
    used -= whole < least ? whole : least;
    if (from) {
        add_cut_mark(out, flags);
        buf_addc(out, '/');
        used += 2;
    }
    for (size_t end; from < last; from = end) {
        end = from + str_chr(str_sub(s, from, last - from), '/') + 1;
        const struct str part = str_sub(s, from, end - from);
        const size_t n = name_bytes(part);
        text_safe(out, str_sub(part, 0, n), flags);
        if (n < part.n) {
            add_cut_mark(out, flags);
            buf_addc(out, '/');
        }
    }
    const size_t room = width - used;
    if (whole <= room) {
        text_safe(out, name, flags);
        return used + whole;
    }
    return used + clip_at(out, name, whole, room, number ? number : (room - 1) / 2, flags);
}

size_t text_clip(struct buf *out, struct str s, size_t width, enum text_cut cut, unsigned flags)
{
    size_t cells = text_width(s, flags);

    if (cells <= width) {
        text_safe(out, s, flags);
        return cells;
    }
    if (width == 0)
        return 0;
    switch (cut) {
    case CUT_START:
        return clip_at(out, s, cells, width, width - 1, flags);
    case CUT_MIDDLE:
        return clip_at(out, s, cells, width, (width - 1) / 2, flags);
    case CUT_PATH:
        return clip_path(out, s, cells, width, true, flags);
    case CUT_TAIL:
        return clip_path(out, s, cells, width, false, flags);
    case CUT_PARTS:
        return clip_parts(out, s, width, PART_LEAST, flags);
    case CUT_LONGER:
        return clip_parts(out, s, width, PART_LONGER, flags);
    case CUT_NAMES:
        return clip_names(out, s, width, flags);
    case CUT_END:
    default:
        return clip_at(out, s, cells, width, 0, flags);
    }
}

/* Marks that begin no line, and those that end none. */
static bool is_closing(uint32_t cp)
{
    static const uint32_t marks[] = { 0x3001, 0x3002, 0x300B, 0x300D, 0x300F, 0x3011, 0x2019, 0x201D,
                                      0xFF01, 0xFF05, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F };
    bool is = cp < 0x80 && cp && strchr("!%),.:;?]}'\"/", (int)cp);

    for (size_t i = 0; i < ARRAY_LEN(marks) && !is; i++)
        is = marks[i] == cp;
    return is;
}

static bool is_opening(uint32_t cp)
{
    return cp == 0x300A || cp == 0x300C || cp == 0x300E || cp == 0x3010 || cp == 0xFF08;
}

/* "1.05 ms" stays on one line where it can. */
static bool is_before_unit(struct str s, size_t blank)
{
    size_t end = blank + 1;

    while (end < s.n && s.p[end] != ' ')
        end++;
    return blank && isdigit((unsigned char)s.p[blank - 1]) &&
           unit_is_name(str_sub(s, blank + 1, end - blank - 1));
}

/* Bytes of s that fit into one line; up to the last good place to break when not all do. */
static size_t line_bytes(struct str s, size_t width, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;
    size_t cells = 0, brk = 0, number = 0;
    uint32_t cp, before = 0;

    for (size_t start = 0; scan_next(&c, &g); start = c.at) {
        char ch = s.p[start];
        bool beside = text_table_wide(before);
        (void)text_decode(s.p + start, s.n - start, &cp);
        if (ch == ' ' && cells && is_before_unit(s, start))
            number = start;
        else if (ch == ' ' && cells)
            brk = start;
        if (cells && g.cells && (beside || text_table_wide(cp)) && !is_closing(cp) && !is_opening(before))
            brk = start;
        if (cells + g.cells > width)
            return brk ? brk : number ? number : start;
        cells += g.cells;
        before = g.cells ? cp : before;
        if (ch == '/' || ch == ',' || (g.cells == 0 && brk == start && brk))
            brk = c.at;
    }
    return s.n;
}

/* A single glyph wider than the line: a substitute is broken anywhere, a wide character becomes a
 * blank. Returns bytes of s used. */
static size_t wrap_wide(struct buf *out, struct str s, size_t width, unsigned flags)
{
    struct scan c = scan_start(s, flags);
    struct glyph g;

    if (!scan_next(&c, &g))
        return 0;
    size_t used = c.at, cells = g.out.p == c.subst ? g.cells : width;
    while (scan_next(&c, &g) && g.cells == 0)
        used = c.at;
    struct str one = str_sub(s, 0, used);
    for (size_t from = 0; from < cells; from += width) {
        if (from)
            buf_addc(out, '\n');
        add_cells(out, one, from, from + width < cells ? from + width : cells, flags);
    }
    return used;
}

void text_wrap(struct buf *out, struct str s, size_t width, unsigned flags)
{
    if (width == 0)
        width = 1;
    for (bool first = true; s.n; first = false) {
        if (!first)
            buf_addc(out, '\n');
        size_t n = line_bytes(s, width, flags), shown = n;
        while (n < s.n && shown && s.p[shown - 1] == ' ')
            shown--;
        if (n)
            text_safe(out, str_sub(s, 0, shown), flags);
        else
            n = wrap_wide(out, s, width, flags);
        s = str_sub(s, n, SIZE_MAX);
        while (s.n && s.p[0] == ' ')
            s = str_sub(s, 1, SIZE_MAX);
    }
}

static bool is_ideograph(uint32_t cp)
{
    return cp >= 0x4E00 && cp <= 0x9FFF;
}

static bool is_ascii_word(uint32_t cp)
{
    return cp < 0x80 && isalnum((int)cp);
}

/*
 * Whether a blank stood at the line end at s[at], which is neither first nor last: between words, and as
 * Chinese texts have one between their characters and Latin words or numbers.
 */
static bool had_blank(struct str s, size_t at)
{
    size_t start = at - 1;
    uint32_t left, right;

    while (start && ((unsigned char)s.p[start] & 0xC0) == 0x80)
        start--;
    (void)text_decode(s.p + start, at - start, &left);
    (void)text_decode(s.p + at + 1, s.n - at - 1, &right);
    if (!text_table_wide(left) && !text_table_wide(right))
        return true;
    return (is_ideograph(left) && is_ascii_word(right)) || (is_ascii_word(left) && is_ideograph(right));
}

struct str text_unwrap(struct buf *b, struct str line)
{
    const size_t from = (size_t)(line.p - b->p);
    size_t to = from;

    for (size_t i = from; i < b->n; i++)
        if (b->p[i] != '\n')
            b->p[to++] = b->p[i];
        else if (i > from && i + 1 < b->n && had_blank((struct str){ b->p + from, b->n - from }, i - from))
            b->p[to++] = ' ';
    return (struct str){ b->p + from, to - from };
}

static void add_encoded(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c && strchr("-._~/", c));
        if (plain)
            buf_addc(out, (char)c);
        else
            buf_printf(out, "%%%02X", c);
    }
}

void text_file_uri(struct str host, struct str path, struct buf *out)
{
    buf_puts(out, "file://");
    add_encoded(host, out);
    add_encoded(path, out);
}

void text_base64(struct str s, struct buf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < s.n; i += 3) {
        size_t left = s.n - i;
        uint32_t v = (uint32_t)(unsigned char)s.p[i] << 16;
        v |= left > 1 ? (uint32_t)(unsigned char)s.p[i + 1] << 8 : 0;
        v |= left > 2 ? (uint32_t)(unsigned char)s.p[i + 2] : 0;
        buf_addc(out, digits[v >> 18]);
        buf_addc(out, digits[v >> 12 & 63]);
        buf_addc(out, left > 1 ? digits[v >> 6 & 63] : '=');
        buf_addc(out, left > 2 ? digits[v & 63] : '=');
    }
}
