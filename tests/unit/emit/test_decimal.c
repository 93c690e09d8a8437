/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as Python's files have them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emit/decimal.h"

static const char *text(struct decimal d)
{
    static char t[DECIMAL_TEXT + 1];
    struct str s = decimal_text(d, t);

    t[s.n] = '\0';
    return t;
}

static const char *sum(double a, double b)
{
    return text(decimal_add(decimal_of(a), decimal_of(b)));
}

static void decimal_keeps_the_digits_that_were_printed(void **state)
{
    (void)state;
    assert_string_equal(text(decimal_of(1e-05)), "0.00001");
    assert_string_equal(text(decimal_of(1e-07)), "1E-7");
    assert_string_equal(text(decimal_of(1.25e-09)), "1.25E-9");
    assert_string_equal(text(decimal_of(12)), "12.0");
    assert_string_equal(text(decimal_of(0)), "0.0");
    assert_string_equal(text(decimal_of(-2.5)), "-2.5");
    assert_string_equal(text(decimal_of(1e16)), "1E+16");
    assert_string_equal(text(decimal_of(0.0 / 1e300)), "0.0");
}

static void decimal_sums_are_exact_and_keep_zeros(void **state)
{
    (void)state;
    assert_string_equal(sum(0.0029620000000000002, 0.003016), "0.0059780000000000002");
    assert_string_equal(sum(5e-07, 5e-07), "0.0000010");
    assert_string_equal(sum(0.1, 0.9), "1.0");
    assert_string_equal(sum(1, -1), "0.0");
    assert_string_equal(sum(-0.5, 0.25), "-0.25");
    assert_string_equal(sum(0, 1e-05), "0.00001");
    struct decimal d = decimal_add(decimal_of(0.023712), decimal_of(1e-05));
    d = decimal_add(d, decimal_of(0.0029620000000000002));
    assert_string_equal(text(d), "0.0266840000000000002");
    assert_string_equal(text(decimal_add(d, decimal_of(99.9999999))), "100.0266839000000000002");
}

/* 28 digits, the last one half to even; a number that is too small leaves what is there. */
static void decimal_sums_have_28_digits(void **state)
{
    (void)state;
    assert_string_equal(sum(123456789012.5, 1.2345678901234567e-05), "123456789012.5000123456789012");
    assert_string_equal(sum(1e15, 1e-15), "1000000000000000.000000000000");
    assert_string_equal(sum(1e15, 9.876e-30), "1000000000000000.000000000000");
}

static void percent_is(double part, double whole, const char *want)
{
    char t[DECIMAL_TEXT];
    struct str s;

    assert_true(decimal_percent(decimal_of(part), decimal_of(whole), t, &s));
    assert_int_equal(s.n, strlen(want));
    assert_memory_equal(s.p, want, s.n);
}

static void decimal_percent_is_half_to_even(void **state)
{
    char t[DECIMAL_TEXT];
    struct str s;

    (void)state;
    percent_is(1, 800, "0.12");
    percent_is(3, 800, "0.38");
    percent_is(0.29, 200, "0.14"); /* 0.145 in decimals, a little less as a double */
    percent_is(1, 3, "33.33");
    percent_is(2, 3, "66.67");
    percent_is(5, 5, "100.00");
    percent_is(1e-05, 126.43631757142849, "0.00");
    percent_is(-1, 800, "-0.12");
    percent_is(-2, 3, "-66.67");
    assert_false(decimal_percent(decimal_of(1), decimal_of(0), t, &s));
    assert_false(decimal_percent(decimal_of(1e300), decimal_of(1e-300), t, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_keeps_the_digits_that_were_printed),
        cmocka_unit_test(decimal_sums_are_exact_and_keep_zeros),
        cmocka_unit_test(decimal_sums_have_28_digits),
        cmocka_unit_test(decimal_percent_is_half_to_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
