/* SPDX-License-Identifier: Apache-2.0 */
/* The sanitising writer: the first byte chooses flags, the second a width, the rest is the text. */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "base/text_table.h"
#include "tests/fuzz/fuzz.h"

/* Nothing harmful, at most four marks a cell; newlines only where they separate lines. Gives the cells. */
static size_t check_safe(struct str s, unsigned flags)
{
    size_t cells = 0;
    int marks = 4;
    uint32_t cp;

    FUZZ_CHECK(text_valid_utf8(s));
    for (size_t i = 0; i < s.n;) {
        i += text_decode(s.p + i, s.n - i, &cp);
        FUZZ_CHECK(!text_table_hidden(cp));
        FUZZ_CHECK(!(flags & TEXT_ASCII) || cp < 0x7F);
        int w = text_cp_width(cp, flags);
        marks = w ? 0 : marks + 1;
        FUZZ_CHECK(marks <= 4);
        cells += (size_t)w;
    }
    return cells;
}

static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < 0x20 || s.p[i] > 0x7E)
            return false;
    }
    return true;
}

static void check_wrap(struct buf *out, struct str s, size_t width, unsigned flags)
{
    buf_clear(out);
    text_wrap(out, s, width, flags);
    FUZZ_CHECK(!buf_failed(out));
    struct str rest = buf_str(out), line;
    while (str_next(&rest, '\n', &line))
        FUZZ_CHECK(check_safe(line, flags) <= (width ? width : 1));
    if (!is_plain(s))
        return;
    /* Only blanks may be lost. */
    size_t at = 0;
    for (size_t i = 0; i < out->n; i++) {
        if (out->p[i] == '\n' || out->p[i] == ' ')
            continue;
        while (at < s.n && s.p[at] == ' ')
            at++;
        FUZZ_CHECK(at < s.n && s.p[at] == out->p[i]);
        at++;
    }
    while (at < s.n && s.p[at] == ' ')
        at++;
    FUZZ_CHECK(at == s.n);
}

static void check_clip(struct buf *out, struct str s, size_t width, unsigned flags)
{
    size_t total = text_width(s, flags);

    for (int cut = CUT_END; cut <= CUT_PATH; cut++) {
        buf_clear(out);
        size_t cells = text_clip(out, s, width, (enum text_cut)cut, flags);
        FUZZ_CHECK(!buf_failed(out));
        FUZZ_CHECK(cells <= width);
        FUZZ_CHECK(check_safe(buf_str(out), flags) == cells);
        FUZZ_CHECK(total <= width ? cells == total : cells > 0 || width == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out, again;
    char fixed[100];

    if (size < 2)
        return 0;
    unsigned flags = data[0] & (TEXT_ASCII | TEXT_WIDE_AMBIGUOUS);
    size_t width = data[1];
    struct str s = { (const char *)data + 2, size - 2 };
    buf_init(&out, 16 * size + 64);
    buf_init(&again, 16 * size + 64);

    text_safe(&out, s, flags);
    FUZZ_CHECK(!buf_failed(&out));
    FUZZ_CHECK(check_safe(buf_str(&out), flags) == text_width(s, flags));
    text_safe(&again, buf_str(&out), flags);
    FUZZ_CHECK(str_eq(buf_str(&again), buf_str(&out)));
    text_safe_into(fixed, sizeof fixed, s, flags);
    FUZZ_CHECK(str_starts(buf_str(&out), str_of(fixed)));
    check_clip(&out, s, width, flags);
    check_wrap(&out, s, width, flags);
    buf_done(&out);
    buf_done(&again);
    return 0;
}
