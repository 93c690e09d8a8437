/* SPDX-License-Identifier: Apache-2.0 */
/* Sanitising, cell widths, clipping and wrapping of base/text. The checks decode and measure the
 * output with code of their own. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/text_table.h"

static uint64_t rng = 88172645463325252u;

static uint32_t next_random(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (uint32_t)(rng >> 16);
}

/* One function for all text operations that append to a buffer; the result is valid until the next
 * call. */
static struct buf result;

static const char *safe(struct str s, unsigned flags)
{
    buf_clear(&result);
    text_safe(&result, s, flags);
    assert_false(buf_failed(&result));
    return result.p;
}

static const char *clip(const char *s, size_t width, enum text_cut cut, unsigned flags)
{
    buf_clear(&result);
    size_t cells = text_clip(&result, str_of(s), width, cut, flags);
    assert_true(cells <= width);
    assert_int_equal(cells, text_width(buf_str(&result), flags));
    return buf_str(&result).p;
}

static const char *wrap(const char *s, size_t width, unsigned flags)
{
    buf_clear(&result);
    text_wrap(&result, str_of(s), width, flags);
    return buf_str(&result).p;
}

static void text_safe_replaces_controls(void **state)
{
    (void)state;
    assert_string_equal(safe(STR("a\tb\nc\x1b[31m\x7f"), TEXT_ASCII), "a^Ib^Jc^[[31m^?");
    assert_string_equal(safe(STR("\0"), TEXT_ASCII), "^@");
    assert_string_equal(safe(STR("a\tb\x1b\x7f"), 0), "a\u2409b\u241b\u2421");
    assert_string_equal(safe(STR("x\xc2\x9b\x33m"), 0), "x<U+009B>3m");
    assert_string_equal(safe(STR("x\x9b"), 0), "x<0x9B>");
    assert_string_equal(safe(STR("plain 123 ~"), 0), "plain 123 ~");
}

static void text_safe_replaces_format_characters(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "a\u202eb", "a<U+202E>b" },   { "\u2066", "<U+2066>" },   { "a\u200bb", "a<U+200B>b" },
        { "\u200d", "<U+200D>" },       { "\ufeffx", "<U+FEFF>x" }, { "\u00ad", "<U+00AD>" },
        { "\u061c", "<U+061C>" },       { "a\ufe0f", "a<U+FE0F>" }, { "\u2028", "<U+2028>" },
        { "\uffff", "<U+FFFF>" },       { "\u3164", "<U+3164>" },   { "\U000e0041", "<U+E0041>" },
        { "\U0010ffff", "<U+10FFFF>" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(safe(str_of(cases[i].in), 0), cases[i].out);
}

static void text_safe_names_invalid_bytes(void **state)
{
    (void)state;
    static const struct {
        struct str in;
        const char *out;
    } cases[] = {
        { { "\xff", 1 }, "<0xFF>" },
        { { "\xe4\xb8", 2 }, "<0xE4><0xB8>" },
        { { "\xc0\xaf", 2 }, "<0xC0><0xAF>" },
        { { "\xe0\x80\xaf", 3 }, "<0xE0><0x80><0xAF>" },
        { { "\xed\xa0\x80", 3 }, "<0xED><0xA0><0x80>" },
        { { "\xf4\x90\x80\x80", 4 }, "<0xF4><0x90><0x80><0x80>" },
        { { "\xf0\x82\x82\xac", 4 }, "<0xF0><0x82><0x82><0xAC>" },
        { { "\xd6\xd0/a", 4 }, "<0xD6><0xD0>/a" }, /* GBK */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_string_equal(safe(cases[i].in, 0), cases[i].out);
        assert_string_equal(safe(cases[i].in, TEXT_ASCII), cases[i].out);
        assert_false(text_valid_utf8(cases[i].in));
    }
    assert_true(text_valid_utf8(STR("a\u4e2d\U0001f600")));
}

static void text_safe_ascii_spells_other_characters(void **state)
{
    (void)state;
    assert_string_equal(safe(STR("op_\u4e2d\u00e9"), TEXT_ASCII), "op_<U+4E2D><U+00E9>");
    assert_string_equal(safe(STR("op_\u4e2d\u00e9"), 0), "op_\u4e2d\u00e9");
}

static void text_safe_limits_marks_per_cell(void **state)
{
    (void)state;
    assert_string_equal(safe(STR("a\u0301\u0302\u0303\u0304"), 0), "a\u0301\u0302\u0303\u0304");
    assert_string_equal(safe(STR("a\u0301\u0301\u0301\u0301\u0301\u0302"), 0),
                        "a\u0301\u0301\u0301\u0301<U+0301>\u0302");
    assert_string_equal(safe(STR("\u0301a"), 0), "<U+0301>a");
}

static void text_safe_into_cuts_on_a_code_point(void **state)
{
    (void)state;
    char buf[8];
    assert_string_equal(text_safe_into(buf, sizeof buf, STR("abcdef\u4e2d"), 0), "abcdef");
    assert_string_equal(text_safe_into(buf, sizeof buf, STR("abcd\u4e2d"), 0), "abcd\u4e2d");
    assert_string_equal(text_safe_into(buf, sizeof buf, STR("ab\u202e"), 0), "ab");
    assert_string_equal(text_safe_into(buf, 1, STR("ab"), 0), "");
}

static void text_decode_inverts_encode(void **state)
{
    (void)state;
    char out[4];
    uint32_t cp;
    for (uint32_t c = 0; c < 0x110000; c++) {
        size_t n = text_encode(c, out);
        bool surrogate = c >= 0xD800 && c < 0xE000;
        if (text_decode(out, n, &cp) != n || cp != (surrogate ? 0xFFFD : c))
            fail_msg("U+%04X decodes to U+%04X", (unsigned)c, (unsigned)cp);
        if (n > 1 && (text_decode(out, n - 1, &cp) != 1 || cp != 0xDC00u + (unsigned char)out[0]))
            fail_msg("cut U+%04X is taken", (unsigned)c);
    }
    assert_int_equal(text_encode(0x110000, out), 3);
}

/* Cells as the C library knows them, where it has a UTF-8 locale. It differs from us (and Unicode
 * 14) in one range. */
static int libc_width(uint32_t cp)
{
    if (cp >= 0x3248 && cp <= 0x324F)
        return 1;
    return wcwidth((wchar_t)cp);
}

static void text_cp_width_agrees_with_the_c_library(void **state)
{
    (void)state;
    if (!setlocale(LC_CTYPE, "C.UTF-8") || wcwidth(0x4E2D) != 2)
        skip();
    for (uint32_t c = 0x20; c < 0x110000; c++) {
        int w = libc_width(c);
        if (w >= 0 && !text_table_hidden(c) && w != text_cp_width(c, 0))
            fail_msg("U+%04X: %d cells, the C library says %d", (unsigned)c, text_cp_width(c, 0), w);
        /* What the C library calls invisible must not get through, except marks. */
        if (w == 0 && !text_table_hidden(c) && !text_table_mark(c))
            fail_msg("U+%04X is invisible and gets through", (unsigned)c);
    }
}

static void text_cp_width_known_characters(void **state)
{
    (void)state;
    static const struct {
        uint32_t cp;
        int narrow, ambiguous;
    } cases[] = {
        { 'a', 1, 1 },     { 0x4E2D, 2, 2 },  { 0xAC00, 2, 2 }, { 0xFF21, 2, 2 },
        { 0x1F600, 2, 2 }, { 0x0301, 0, 0 },  { 0x00E9, 1, 2 }, { 0x2588, 1, 2 },
        { 0x2026, 1, 2 },  { 0x20000, 2, 2 }, { 0x2581, 1, 2 }, { 0x28FF, 1, 1 },
        { 0x1160, 1, 1 },  { 0x1161, 0, 0 },  { 0x05D0, 1, 1 }, { 0xE000, 1, 2 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(text_cp_width(cases[i].cp, 0), cases[i].narrow);
        assert_int_equal(text_cp_width(cases[i].cp, TEXT_WIDE_AMBIGUOUS), cases[i].ambiguous);
    }
}

static void text_width_counts_cells(void **state)
{
    (void)state;
    assert_int_equal(text_width(STR(""), 0), 0);
    assert_int_equal(text_width(STR("a\u4e2db"), 0), 4);
    assert_int_equal(text_width(STR("e\u0301"), 0), 1);
    assert_int_equal(text_width(STR("\t"), 0), 1);
    assert_int_equal(text_width(STR("\t"), TEXT_ASCII), 2);
    assert_int_equal(text_width(STR("\u202e\xff"), 0), 14);
    assert_int_equal(text_width(STR("\u4e2d"), TEXT_ASCII), 8);
    assert_int_equal(text_width(STR("\U0001f680"), 0), 2);
}

static void text_clip_cuts_where_asked(void **state)
{
    (void)state;
    assert_string_equal(clip("abcdef", 6, CUT_END, TEXT_ASCII), "abcdef");
    assert_string_equal(clip("abcdef", 4, CUT_END, TEXT_ASCII), "abc~");
    assert_string_equal(clip("abcdef", 4, CUT_START, TEXT_ASCII), "~def");
    assert_string_equal(clip("abcdef", 5, CUT_MIDDLE, TEXT_ASCII), "ab~ef");
    assert_string_equal(clip("abcdef", 4, CUT_MIDDLE, TEXT_ASCII), "ab~f");
    assert_string_equal(clip("abcdef", 1, CUT_MIDDLE, 0), "\u2026");
    assert_string_equal(clip("abcdef", 4, CUT_END, 0), "abc\u2026");
    assert_string_equal(clip("abcdef", 4, CUT_END, TEXT_WIDE_AMBIGUOUS), "abc~");
    assert_string_equal(clip("abcdef", 0, CUT_END, 0), "");
}

static void text_clip_never_halves_a_character(void **state)
{
    (void)state;
    assert_string_equal(clip("a\u4e2d\u4e2d", 3, CUT_END, 0), "a \u2026");
    assert_string_equal(clip("\u4e2d\u4e2d\u4e2d", 4, CUT_END, 0), "\u4e2d \u2026");
    assert_string_equal(clip("\u4e2d\u4e2d\u4e2d", 4, CUT_START, 0), "\u2026 \u4e2d");
    assert_string_equal(clip("e\u0301abc", 2, CUT_END, 0), "e\u0301\u2026");
    assert_string_equal(clip("abcde\u0301", 2, CUT_START, 0), "\u2026e\u0301");
    assert_string_equal(clip("abde\u0301f", 2, CUT_START, 0), "\u2026f");
    assert_string_equal(clip("\u202exyz", 5, CUT_END, 0), "<U+2\u2026");
    assert_string_equal(clip("xyz\u202e", 5, CUT_START, 0), "\u202602E>");
    assert_string_equal(clip("a\u00e9\u00e9", 4, CUT_END, TEXT_WIDE_AMBIGUOUS), "a\u00e9~");
    assert_string_equal(clip("\u00e9\u00e9\u00e9", 4, CUT_END, TEXT_WIDE_AMBIGUOUS), "\u00e9 ~");
}

static void text_clip_path_keeps_first_and_last_parts(void **state)
{
    (void)state;
    const char *op = "Default/network/resnet/layer3/5/conv2/Conv2D-op118";
    assert_string_equal(clip(op, 50, CUT_PATH, TEXT_ASCII), op);
    assert_string_equal(clip(op, 49, CUT_PATH, TEXT_ASCII), "Default/network/resnet/~/5/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 30, CUT_PATH, TEXT_ASCII), "Default/~/5/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 29, CUT_PATH, TEXT_ASCII), "Default/~/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 22, CUT_PATH, TEXT_ASCII), "Default/~/Conv2D-op118");
    assert_string_equal(clip(op, 21, CUT_PATH, TEXT_ASCII), "~/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 14, CUT_PATH, TEXT_ASCII), "~/Conv2D-op118");
    assert_string_equal(clip(op, 13, CUT_PATH, TEXT_ASCII), "~Conv2D-op118");
    assert_string_equal(clip(op, 12, CUT_PATH, TEXT_ASCII), "Conv2D~op118");
    assert_string_equal(clip(op, 5, CUT_PATH, TEXT_ASCII), "Co~18");
    assert_string_equal(clip("no_scope_at_all", 7, CUT_PATH, TEXT_ASCII), "no_~all");
    assert_string_equal(clip("aaaa/bbbb/cccc/", 12, CUT_PATH, TEXT_ASCII), "aaaa/~/cccc/");
}

static void text_clip_tail_keeps_whole_last_parts(void **state)
{
    (void)state;
    const char *op = "Default/network/resnet/layer3/5/conv2/Conv2D-op118";
    assert_string_equal(clip(op, 50, CUT_TAIL, TEXT_ASCII), op);
    assert_string_equal(clip(op, 30, CUT_TAIL, TEXT_ASCII), "~/layer3/5/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 29, CUT_TAIL, TEXT_ASCII), "~/layer3/5/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 28, CUT_TAIL, TEXT_ASCII), "~/5/conv2/Conv2D-op118");
    assert_string_equal(clip(op, 12, CUT_TAIL, TEXT_ASCII), "Conv2D~op118");
}

static void text_clip_parts_cuts_every_part(void **state)
{
    (void)state;
    const char *scope = "Default/resnet/layer1-SequentialCell/0-ResidualBlock/conv2-Conv2d/gradConv2D";
    assert_string_equal(clip(scope, 80, CUT_PARTS, TEXT_ASCII), scope);
    assert_string_equal(clip(scope, 60, CUT_PARTS, TEXT_ASCII),
                        "Default/resnet/layer1-Seq~/0-Residual~/conv2-Con~/gradConv2D");
    assert_string_equal(clip(scope, 35, CUT_PARTS, TEXT_ASCII), "~/layer1-~/0-Resi~/conv2-~/gradCon~");
    assert_string_equal(clip(scope, 31, CUT_PARTS, TEXT_ASCII), "~/layer1~/0-Res~/conv2~/gradCo~");
    assert_string_equal(clip(scope, 30, CUT_PARTS, TEXT_ASCII), "~/layer1~/0-Res~/conv2~/gradC~");
    assert_string_equal(clip(scope, 31, CUT_LONGER, TEXT_ASCII), "~/0-Residu~/conv2-Co~/gradConv~");
    assert_string_equal(clip(scope, 20, CUT_PARTS, TEXT_ASCII), "~/conv2-Co~/gradCon~");
    assert_string_equal(clip(scope, 7, CUT_PARTS, TEXT_ASCII), "Def~v2D");
    assert_string_equal(clip("no_path_at_all", 9, CUT_PARTS, TEXT_ASCII), "no_path_~");
    assert_string_equal(clip("aaaaaaaaaa/bbbbbbbbbb/", 16, CUT_PARTS, TEXT_ASCII), "aaaaaaa~/bbbbb~/");
}

static void text_clip_names_keeps_what_is_before_a_dash(void **state)
{
    (void)state;
    const char *scope = "Default/resnet/layer1-SequentialCell/0-ResidualBlock/conv2-Conv2d/gradConv2D";
    assert_string_equal(clip(scope, 80, CUT_NAMES, TEXT_ASCII), scope);
    assert_string_equal(clip(scope, 43, CUT_NAMES, TEXT_ASCII),
                        "Default/resnet/layer1~/0~/conv2~/gradConv2D");
    assert_string_equal(clip(scope, 25, CUT_NAMES, TEXT_ASCII), "~/layer1~/0~/conv2~/gr~2D");
    assert_string_equal(clip(scope, 24, CUT_NAMES, TEXT_ASCII), "~/layer1~/0~/conv2~/gr~D");
    assert_string_equal(clip(scope, 23, CUT_NAMES, TEXT_ASCII), "~/0~/conv2~/gradConv2D");
    const char *op = "Default/layer3-Sequential/5-Block/conv2-Conv2d/gradConv2D/Conv2DBackpropFilterD-op118";
    assert_string_equal(clip(op, 28, CUT_NAMES, TEXT_ASCII), "~/layer3~/5~/conv2~/g~-op118");
    assert_string_equal(clip(op, 10, CUT_NAMES, TEXT_ASCII), "~/g~-op118");
    assert_string_equal(clip("no_path_at_all", 9, CUT_NAMES, TEXT_ASCII), "no_p~_all");
}

static void text_clip_path_is_linear_in_hostile_names(void **state)
{
    (void)state;
    size_t n = 65536;
    char *name = malloc(n + 1);
    assert_non_null(name);
    memset(name, '/', n);
    name[n] = '\0';
    for (int i = 0; i < 100; i++) {
        clip(name, 40, CUT_PATH, 0);
        clip(name, 40, CUT_PARTS, 0);
        clip(name, 40, CUT_LONGER, 0);
        clip(name, 40, CUT_NAMES, 0);
    }
    free(name);
}

static void text_wrap_breaks_at_blanks_and_separators(void **state)
{
    (void)state;
    assert_string_equal(wrap("one two three", 8, 0), "one two\nthree");
    assert_string_equal(wrap("one two three", 7, 0), "one two\nthree");
    assert_string_equal(wrap("aa/bb/cc", 6, 0), "aa/bb/\ncc");
    assert_string_equal(wrap("32,256,14,14", 5, 0), "32,\n256,\n14,14");
    assert_string_equal(wrap("abcdefgh", 3, 0), "abc\ndef\ngh");
    assert_string_equal(wrap("a   b", 2, 0), "a\nb");
    assert_string_equal(wrap("abc", 0, 0), "a\nb\nc");
    assert_string_equal(wrap("\u4e2d\u4e2d\u4e2d", 5, 0), "\u4e2d\u4e2d\n\u4e2d");
    assert_string_equal(wrap("a\u4e2db", 1, 0), "a\n \nb");
    assert_string_equal(wrap("\u202e", 5, 0), "<U+20\n2E>");
    assert_string_equal(wrap("a\nb", 10, TEXT_ASCII), "a^Jb");
    assert_string_equal(wrap("", 10, 0), "");

    /* not between a number and its unit, where there is another place */
    assert_string_equal(wrap("at most 1.05 ms of it", 13, 0), "at most\n1.05 ms of it");
    assert_string_equal(wrap("at most 1.05 men of it", 13, 0), "at most 1.05\nmen of it");
    assert_string_equal(wrap("runs at 7.1 GB/s, 16.3", 12, 0), "runs at\n7.1 GB/s,\n16.3");
    assert_string_equal(wrap("1234567 GFLOPS", 9, 0), "1234567\nGFLOPS");

    /* What a last line has no room for is the rest as one line. */
    /* beside wide characters, but not before a closing mark or after an opening one */
    assert_string_equal(wrap("\u9ed8\u8ba4\uff1astream id", 8, 0), "\u9ed8\u8ba4\uff1a\nstream\nid");
    assert_string_equal(wrap("\u9ed8\u8ba4stream id", 8, 0), "\u9ed8\u8ba4\nstream\nid");
    assert_string_equal(wrap("stream\u9ed8\u8ba4", 8, 0), "stream\u9ed8\n\u8ba4");
    assert_string_equal(wrap("\u9ed8\u8ba4\uff0c\u9ed8", 4, 0), "\u9ed8\n\u8ba4\uff0c\n\u9ed8");
    assert_string_equal(wrap("\u9ed8\uff08\u8ba4\uff09", 6, 0), "\u9ed8\n\uff08\u8ba4\uff09");
    struct str rest = str_of(wrap("one two three four", 8, 0)), line;
    assert_true(str_next(&rest, '\n', &line) && str_next(&rest, '\n', &line));
    assert_true(str_eq(text_unwrap(&result, line), STR("three four")));
    rest = str_of(wrap("\u9ed8\u8ba4\u9ed8\u8ba4 id", 4, 0));
    assert_true(str_next(&rest, '\n', &line));
    assert_true(str_eq(text_unwrap(&result, line), STR("\u9ed8\u8ba4\u9ed8\u8ba4 id")));
    rest = str_of(wrap("\u9ed8\u8ba4\uff1aid", 4, 0)); /* no blank after a mark */
    assert_true(str_next(&rest, '\n', &line));
    assert_true(str_eq(text_unwrap(&result, line), STR("\u9ed8\u8ba4\uff1aid")));
    rest = str_of(wrap("a caf\u00e9 \u2013 \u00e0 b", 6, 0));
    assert_true(str_next(&rest, '\n', &line));
    assert_true(str_eq(text_unwrap(&result, line), STR("a caf\u00e9 \u2013 \u00e0 b")));
}

/* The forbidden code points written down once more, by hand. */
static bool is_forbidden(uint32_t cp)
{
    static const uint32_t ranges[][2] = {
        { 0, 0x1F },          { 0x7F, 0x9F },     { 0xAD, 0xAD },     { 0x61C, 0x61C },
        { 0x200B, 0x200F },   { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xD800, 0xDFFF },
        { 0xFE00, 0xFE0F },   { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0x1BCA0, 0x1BCA3 },
        { 0xE0000, 0xE0FFF }, { 0xFFFE, 0xFFFF }, { 0x180E, 0x180E }, { 0x3164, 0x3164 },
    };
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        if (cp >= ranges[i][0] && cp <= ranges[i][1])
            return true;
    }
    return false;
}

/* Strict decoder, written differently from the one under test. Fails the test on anything that is
 * no well-formed UTF-8. */
static uint32_t strict_next(const unsigned char *p, size_t n, size_t *used)
{
    uint32_t cp = 0;

    if (p[0] < 0x80) {
        *used = 1;
        return p[0];
    }
    *used = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || *used > n)
        fail_msg("bad lead byte %02x", p[0]);
    cp = p[0] & (0xFFu >> (*used + 1));
    for (size_t i = 1; i < *used; i++) {
        if (p[i] < 0x80 || p[i] > 0xBF)
            fail_msg("bad byte %02x", p[i]);
        cp = cp * 64 + p[i] - 0x80;
    }
    if ((*used == 3 && cp < 0x800) || (*used == 4 && (cp < 0x10000 || cp > 0x10FFFF)))
        fail_msg("not shortest or too large: %x", (unsigned)cp);
    return cp;
}

/* Checks a sanitised text and gives its cells as the C library counts them. */
static size_t check_output(struct str out, unsigned flags, bool newline)
{
    size_t used = 0, cells = 0;
    int marks = 99;

    for (size_t i = 0; i < out.n; i += used) {
        uint32_t cp = strict_next((const unsigned char *)out.p + i, out.n - i, &used);
        if (newline && cp == '\n') {
            marks = 99;
            continue;
        }
        if (is_forbidden(cp) || ((flags & TEXT_ASCII) && cp > 0x7E))
            fail_msg("U+%04X in the output", (unsigned)cp);
        int w = libc_width(cp);
        if (w < 0) /* unassigned for the C library: nothing to compare with */
            w = text_cp_width(cp, flags);
        marks = w == 0 ? marks + 1 : 0;
        if (marks > 4)
            fail_msg("%d marks on a cell", marks);
        cells += (size_t)w;
    }
    return cells;
}

/* Random input: bytes, ASCII, whole code points, and the ones that hurt. */
static size_t random_text(char *p, size_t max)
{
    static const uint32_t nasty[] = { 0x1B,   0x9B,   0x202E, 0x200B, 0x200D,  0xFE0F, 0x301,
                                      0x20DD, 0x4E2D, 0xFF21, 0x1100, 0x1161,  0xFEFF, '/',
                                      '\n',   ' ',    ',',    0xAD,   0x1F600, 0xE9,   0x7F };
    size_t n = 0, want = next_random() % (max - 4);

    while (n < want) {
        switch (next_random() % 8) {
        case 0:
        case 1:
            p[n++] = (char)next_random();
            break;
        case 2:
            n += text_encode(next_random() % 0x110000, p + n);
            break;
        case 3:
        case 4:
            n += text_encode(nasty[next_random() % ARRAY_LEN(nasty)], p + n);
            break;
        default:
            p[n++] = (char)(0x20 + next_random() % 0x5F);
        }
    }
    return n;
}

static void check_clip_and_wrap(struct str s, unsigned flags)
{
    size_t width = next_random() % 40;
    size_t total = text_width(s, flags);

    for (int cut = CUT_END; cut <= CUT_PATH; cut++) {
        buf_clear(&result);
        size_t cells = text_clip(&result, s, width, (enum text_cut)cut, flags);
        assert_int_equal(check_output(buf_str(&result), flags, false), cells);
        assert_true(cells <= width);
        if (total > width && width > 0 && cut != CUT_PATH)
            assert_int_equal(cells, width);
    }
    buf_clear(&result);
    text_wrap(&result, s, width, flags);
    struct str rest = buf_str(&result), line;
    while (str_next(&rest, '\n', &line))
        assert_true(check_output(line, flags, false) <= (width ? width : 1));
}

static void text_safe_random_bytes_come_out_clean(void **state)
{
    (void)state;
    if (!setlocale(LC_CTYPE, "C.UTF-8") || wcwidth(0x4E2D) != 2)
        skip();
    char in[36], fixed[40];
    for (int i = 0; i < 1000000; i++) {
        struct str s = { in, random_text(in, sizeof in) };
        unsigned flags = i % 4 == 0 ? TEXT_ASCII : 0;
        buf_clear(&result);
        text_safe(&result, s, flags);
        size_t cells = check_output(buf_str(&result), flags, false);
        if (cells != text_width(s, flags))
            fail_msg("round %d: %zu cells, text_width says %zu", i, cells, text_width(s, flags));
        text_safe_into(fixed, sizeof fixed, s, flags);
        assert_memory_equal(fixed, buf_str(&result).p, strlen(fixed));
        if (i % 16 == 0)
            check_clip_and_wrap(s, flags);
    }
}

static void text_safe_twice_is_the_same(void **state)
{
    (void)state;
    char in[64];
    struct buf again;
    buf_init(&again, 4096);
    for (int i = 0; i < 10000; i++) {
        safe((struct str){ in, random_text(in, sizeof in) }, 0);
        buf_clear(&again);
        text_safe(&again, buf_str(&result), 0);
        assert_int_equal(again.n, result.n);
        assert_memory_equal(buf_str(&again).p, buf_str(&result).p, again.n);
    }
    buf_done(&again);
}

static void text_uri_has_no_bytes_of_its_own(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 400);
    text_file_uri(STR("h-1.x"), (struct str){ "/a b\033]8;;\xff%\0z/~_", 16 }, &b);
    buf_addc(&b, '\0');
    assert_string_equal(b.p, "file://h-1.x/a%20b%1B%5D8%3B%3B%FF%25%00z/~_");
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_safe_replaces_controls),
        cmocka_unit_test(text_safe_replaces_format_characters),
        cmocka_unit_test(text_safe_names_invalid_bytes),
        cmocka_unit_test(text_safe_ascii_spells_other_characters),
        cmocka_unit_test(text_safe_limits_marks_per_cell),
        cmocka_unit_test(text_safe_into_cuts_on_a_code_point),
        cmocka_unit_test(text_decode_inverts_encode),
        cmocka_unit_test(text_cp_width_agrees_with_the_c_library),
        cmocka_unit_test(text_cp_width_known_characters),
        cmocka_unit_test(text_width_counts_cells),
        cmocka_unit_test(text_clip_cuts_where_asked),
        cmocka_unit_test(text_clip_never_halves_a_character),
        cmocka_unit_test(text_clip_path_keeps_first_and_last_parts),
        cmocka_unit_test(text_clip_tail_keeps_whole_last_parts),
        cmocka_unit_test(text_clip_parts_cuts_every_part),
        cmocka_unit_test(text_clip_names_keeps_what_is_before_a_dash),
        cmocka_unit_test(text_clip_path_is_linear_in_hostile_names),
        cmocka_unit_test(text_wrap_breaks_at_blanks_and_separators),
        cmocka_unit_test(text_safe_random_bytes_come_out_clean),
        cmocka_unit_test(text_safe_twice_is_the_same),
        cmocka_unit_test(text_uri_has_no_bytes_of_its_own),
    };
    buf_init(&result, 1 << 20);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    buf_done(&result);
    return rc;
}
