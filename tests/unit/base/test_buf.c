/* SPDX-License-Identifier: Apache-2.0 */
/* Growing buffer: maximum, sticky failure, termination. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void buf_appends_are_terminated(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    assert_int_equal(buf_str(&b).n, 0);
    buf_puts(&b, "one");
    buf_addc(&b, ',');
    buf_add(&b, STR("two"));
    buf_printf(&b, "%s%d", ",", 3);
    buf_add(&b, STR_NULL);
    assert_false(buf_failed(&b));
    assert_string_equal(b.p, "one,two,3");
    assert_int_equal(b.n, 9);
    buf_done(&b);
    assert_null(b.p);
}

static void buf_at_the_maximum_and_one_above(void **state)
{
    (void)state;
    for (size_t max = 0; max < 200; max++) {
        struct buf b;
        buf_init(&b, max);
        for (size_t i = 0; i < max; i++)
            buf_addc(&b, 'x');
        assert_false(buf_failed(&b));
        assert_int_equal(b.n, max);
        buf_addc(&b, 'y');
        assert_true(buf_failed(&b));
        assert_int_equal(b.n, max);
        buf_add(&b, STR_NULL);
        assert_null(buf_take(&b));
        buf_clear(&b);
        assert_false(buf_failed(&b));
        buf_done(&b);
    }
}

static void buf_room_is_counted_by_the_caller(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 10);
    char *p = buf_room(&b, 10);
    assert_non_null(p);
    memcpy(p, "0123456789", 10);
    b.n += 10;
    char *text = buf_take(&b);
    assert_string_equal(text, "0123456789");
    assert_int_equal(b.n, 0);
    free(text);
    assert_null(buf_room(&b, 11));
    assert_true(buf_failed(&b));
    buf_clear(&b);
    assert_null(buf_room(&b, SIZE_MAX));
    buf_done(&b);
}

static void buf_json_escapes_what_json_does_not_hold(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100);
    buf_json(&b, (struct str){ "a\"\\\n\0\x1f\xff", 7 });
    assert_string_equal(b.p, "\"a\\\"\\\\\\u000a\\u0000\\u001f\xff\"");
    buf_done(&b);
}

static void buf_take_of_an_empty_buffer_is_an_empty_string(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, SIZE_MAX);
    char *text = buf_take(&b);
    assert_string_equal(text, "");
    free(text);
    buf_done(&b);
}

static void size_arithmetic_reports_overflow(void **state)
{
    (void)state;
    size_t v = 0;
    assert_true(size_mul(SIZE_MAX / 2, 2, &v));
    assert_false(size_mul(SIZE_MAX / 2 + 1, 2, &v));
    assert_true(size_add(SIZE_MAX, 0, &v));
    assert_false(size_add(SIZE_MAX, 1, &v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buf_appends_are_terminated),
        cmocka_unit_test(buf_at_the_maximum_and_one_above),
        cmocka_unit_test(buf_room_is_counted_by_the_caller),
        cmocka_unit_test(buf_json_escapes_what_json_does_not_hold),
        cmocka_unit_test(buf_take_of_an_empty_buffer_is_an_empty_string),
        cmocka_unit_test(size_arithmetic_reports_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
