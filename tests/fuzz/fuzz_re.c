/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions: flags in the first byte, then the pattern up to a line end, then the text it is
 * matched against.
 */
#include "config.h"

#include "base/limits.h"
#include "base/re.h"
#include "tests/fuzz/fuzz.h"

/* All matches from left to right, as a screen marks them. */
static void match_all(struct re *r, struct str s)
{
    size_t from = 0, to = 0, start = 0, again_from, again_to;

    for (int i = 0; i < 20 && start <= s.n; i++) {
        int rc = re_match(r, s, start, &from, &to);
        FUZZ_CHECK(rc >= -1 && rc <= 1);
        FUZZ_CHECK(re_match(r, s, start, &again_from, &again_to) == rc);
        if (rc != 1)
            return;
        FUZZ_CHECK(from <= to && to <= s.n);
        FUZZ_CHECK(from == again_from && to == again_to);
        start = to > start ? to : start + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = ERR_INIT;
    struct str rest, pattern;
    struct re *r;

    if (size < 1)
        return 0;
    rest = (struct str){ (const char *)data + 1, size - 1 };
    if (!str_next(&rest, '\n', &pattern))
        return 0;
    int rc = re_new(&r, pattern, data[0] & RE_NOCASE, &e);
    if (rc != OK) {
        FUZZ_CHECK(!r && e.code == rc && e.text[0]);
        FUZZ_CHECK(rc == ERR_USAGE || rc == ERR_NOMEM);
        FUZZ_CHECK(rc == ERR_NOMEM || e.offset <= pattern.n);
        return 0;
    }
    FUZZ_CHECK(pattern.n <= LIM_REGEX_B);
    match_all(r, rest);
    re_free(r);
    return 0;
}
