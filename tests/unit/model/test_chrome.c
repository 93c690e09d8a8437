/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a trace: times that do not fit into their type stay at its ends. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "model/timeline/chrome.h"
#include "tests/unit/model/timeline_case.h"

static int add(void *arg, struct str s, struct err *e)
{
    (void)e;
    buf_add(arg, s);
    return OK;
}

static void expect_text(const struct buf *b, const char *text)
{
    if (str_find(buf_str(b), str_of(text), 0) == SIZE_MAX)
        fail_msg("no %s in %.*s", text, (int)b->n, b->p);
}

static void chrome_times_stay_within_the_type(void **state)
{
    static const struct case_track track = { TK_STREAM, "NPU", "Stream 1" };
    static const struct case_event ev[] = { { 0, INT64_MIN + 10, 5, "first" },
                                            { 0, 0, 1500, "middle" },
                                            { 0, INT64_MAX - 2000, 1000, "last" } };
    static const int64_t shifts[] = { 0, 5000, -5000 };
    struct err e = ERR_INIT;
    (void)state;
    struct store *st = case_store(0, &track, 1, ev, ARRAY_LEN(ev));
    struct timeline *tl = case_timeline(st, 0);
    for (size_t i = 0; i < ARRAY_LEN(shifts); i++) {
        const struct chrome_part part = {
            .tl = tl, .store = st, .shift_ns = shifts[i], .from_ns = INT64_MIN, .to_ns = INT64_MAX
        };
        struct buf b;
        uint64_t n;
        buf_init(&b, 1 << 20);
        const struct write_to to = { .add = add, .arg = &b };
        assert_int_equal(chrome_write(&part, 1, &to, &n, &e), OK);
        assert_int_equal(n, 3);
        expect_text(&b, "\"name\":\"first\",\"ph\":\"X\",\"ts\":0.000,\"dur\":0.005");
        /* The middle is exact where the times fit, the end is not beyond what they can say. */
        expect_text(&b, "\"name\":\"last\",\"ph\":\"X\",\"ts\":9223372036854775.807,\"dur\":1.000");
        expect_text(&b, shifts[i] < 0 ? "\"ts\":9223372036854770.808,\"dur\":1.500"
                                      : "\"ts\":9223372036854775.798,\"dur\":1.500");
        buf_done(&b);
    }
    timeline_close(tl);
    store_close(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chrome_times_stay_within_the_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
