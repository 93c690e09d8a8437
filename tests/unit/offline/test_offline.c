/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Python does with numbers, sets and JSON, as the analysis of rank folders needs it. Expected values are
 * those of CPython 3.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/large/spool.h"
#include "base/read/infile.h"
#include "offline/run.h"
#include "offline/tables/cpu_ops.h"
#include "offline/trace/decimal28.h"
#include "offline/trace/events.h"
#include "offline/trace/pyset.h"
#include "tests/unit/scratch.h"

/* ---- decimals ---- */

static const char *text(const struct decimal28 *d)
{
    static char t[DECIMAL28_TEXT + 1];
    struct str s = decimal28_text(d, t);

    t[s.n] = '\0';
    return t;
}

static void doubles_enter_with_all_digits(void **state)
{
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { 132, "132" },
        { 0.5, "0.5" },
        { -0.5, "-0.5" },
        { 257.56, "257.56000000000000227373675443232059478759765625" },
        { 1e-7, "9.99999999999999954748111825886258685613938723690807819366455078125E-8" },
    };
    struct decimal28 d;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        decimal28_set_real(&d, cases[i].v);
        assert_string_equal(text(&d), cases[i].text);
    }
    decimal28_set_real(&d, 5e-324);
    assert_true(str_starts(str_of(text(&d)), STR("4.9406564584124654")));
}

static void sums_have_28_digits(void **state)
{
    struct decimal28 a, b, zero;

    (void)state;
    decimal28_set(&zero, 0, 0);
    decimal28_set_real(&a, 57.66);
    decimal28_add(&b, &a, &zero, false);
    assert_string_equal(text(&b), "57.65999999999999658939486835");
    decimal28_set(&b, 15, 1);
    decimal28_add(&b, &b, &a, true);
    assert_string_equal(text(&b), "-56.15999999999999658939486835");
    /* an end, and what it is after a start */
    decimal28_set(&b, 1718087109133569200, 3);
    decimal28_set_real(&a, 257.56);
    decimal28_add(&a, &b, &a, false);
    decimal28_add(&a, &a, &b, true);
    assert_string_equal(text(&a), "257.560000000000");
    decimal28_add(&a, &a, &a, true);
    assert_string_equal(text(&a), "0E-12");
}

static void half_goes_to_even_and_carries(void **state)
{
    struct decimal28 a, b;

    (void)state;
    decimal28_set_real(&b, 0.5);
    decimal28_set(&a, 99999999999999, 0);
    for (int i = 0; i < 14; i++) { /* 28 digits */
        struct decimal28 nine;
        decimal28_set(&nine, 9, i + 1);
        decimal28_add(&a, &a, &nine, false);
    }
    assert_string_equal(text(&a), "99999999999999.99999999999999");
    decimal28_set(&b, 5, 15);
    decimal28_add(&b, &a, &b, false);
    assert_string_equal(text(&b), "100000000000000.0000000000000");
    decimal28_set(&b, 1, 14);
    decimal28_add(&a, &a, &b, true);
    decimal28_set(&b, 5, 15);
    decimal28_add(&a, &a, &b, false);
    assert_string_equal(text(&a), "99999999999999.99999999999998");
}

static void decimals_compare_by_value(void **state)
{
    struct decimal28 a, b;

    (void)state;
    decimal28_set(&a, 1500, 3);
    decimal28_set(&b, 15, 1);
    assert_int_equal(decimal28_compare(&a, &b), 0);
    decimal28_set(&b, -15, 1);
    assert_int_equal(decimal28_compare(&b, &a), -1);
    decimal28_set(&a, -16, 1);
    assert_int_equal(decimal28_compare(&a, &b), -1);
}

static void stamps_of_the_host_grow_by_a_double(void **state)
{
    (void)state;
    assert_int_equal(offline_cpu_op_ns(1718087109133461415), 1718087109133461451);
    assert_int_equal(offline_cpu_op_ns(0), 0);
}

/* The C library reads the decimal number exactly. */
static void us_are_the_nearest_doubles(void **state)
{
    uint64_t seed = 16;
    char text[40];

    (void)state;
    for (int i = 0; i < 300000; i++) {
        int64_t ns = (int64_t)(scratch_random(&seed) >> (2 + i % 60)) * (i % 2 ? 1 : -1);
        snprintf(text, sizeof text, "%llde-3", (long long)ns);
        double us = offline_us(ns), wanted = strtod(text, NULL);
        if (us != wanted)
            fail_msg("%s: %.17g, not %.17g", text, us, wanted);
    }
    assert_true(offline_us(1773450727177518380) == 1773450727177518.5);
}

/* ---- sets ---- */

static void sets_have_the_order_of_cpython(void **state)
{
    uint64_t few[] = { 20011, 20012, 20013, 77, 78 }, many[40];
    const uint64_t few_in_order[] = { 20011, 20012, 77, 20013, 78 };
    const uint64_t many_in_order[] = { 0,     2944,  5888,  8832,  55433, 58377, 61321, 913,   47514, 50458,
                                       53402, 39595, 42539, 45483, 95028, 97972, 34620, 31676, 37564, 87109,
                                       90053, 92997, 69240, 23757, 26701, 29645, 79190, 82134, 85078, 18782,
                                       15838, 21726, 71271, 74215, 77159, 7919,  10863, 66296, 13807, 63352 };
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(pyset_order(few, ARRAY_LEN(few), &e), OK);
    assert_memory_equal(few, few_in_order, sizeof few);
    for (uint64_t i = 0; i < ARRAY_LEN(many); i++)
        many[i] = i * 7919 % 100003;
    assert_int_equal(pyset_order(many, ARRAY_LEN(many), &e), OK);
    assert_memory_equal(many, many_in_order, sizeof many);
}

/* ---- JSON ---- */

static const char *rewritten(const char *from, const char *inside, const char *more)
{
    static char got[4096];
    struct err e = ERR_INIT;
    struct str raw = str_of(from), in = STR_NULL;
    struct infile *f;
    struct emit *o;
    size_t n, k;
    int fd = spool_file(&e);

    if (inside)
        in = str_sub(raw, str_find(raw, str_of(inside), 0), strlen(inside));
    assert_int_equal(emit_into(&o, dup(fd), "json", &e), OK);
    offline_rewrite(o, raw, in, more ? str_of(more) : STR_NULL);
    assert_int_equal(emit_close(o, NULL, &e), OK);
    assert_int_equal(infile_open_fd(&f, fd, "json", 0, &e), OK);
    assert_int_equal(infile_more(f, &k, &e), OK);
    const char *p = infile_data(f, &n);
    str_copy((struct str){ p, n }, got, sizeof got);
    infile_close(f);
    close(fd);
    return got;
}

static void json_is_written_as_python_does(void **state)
{
    (void)state;
    assert_string_equal(rewritten("{\"a\":1.50,\"b\":[1,2.0,-0,1e5,0.00001,123456789012345678], "
                                  "\"c\" : \"x\\/\\u00e9\\ud83d\\ude00\\t\",\"d\":{}}",
                                  NULL, NULL),
                        "{\"a\": 1.5, \"b\": [1, 2.0, 0, 100000.0, 1e-05, 123456789012345678], "
                        "\"c\": \"x/\xc3\xa9\xf0\x9f\x98\x80\\t\", \"d\": {}}");
    assert_string_equal(
        rewritten("{\"k\":139.30,\"z\":0.0001,\"y\":0.000050,\"n\":1718087109133569.25,\"m\":null}", NULL,
                  NULL),
        "{\"k\": 139.3, \"z\": 0.0001, \"y\": 5e-05, \"n\": 1718087109133569.2, \"m\": null}");
    assert_string_equal(rewritten("{\"ts\":\"1.000\",\"x\":\"a,b:{}\"}", NULL, NULL),
                        "{\"ts\": \"1.000\", \"x\": \"a,b:{}\"}");
}

static void a_member_is_added_at_the_end_of_args(void **state)
{
    (void)state;
    assert_string_equal(rewritten("{\"args\":{\"a\":{}},\"b\":1}", "{\"a\":{}}", "\"op\": \"x\""),
                        "{\"args\": {\"a\": {}, \"op\": \"x\"}, \"b\": 1}");
    assert_string_equal(rewritten("{\"args\":{},\"b\":1}", "{}", "\"op\": \"x\""),
                        "{\"args\": {\"op\": \"x\"}, \"b\": 1}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_enter_with_all_digits),
        cmocka_unit_test(sums_have_28_digits),
        cmocka_unit_test(half_goes_to_even_and_carries),
        cmocka_unit_test(decimals_compare_by_value),
        cmocka_unit_test(stamps_of_the_host_grow_by_a_double),
        cmocka_unit_test(us_are_the_nearest_doubles),
        cmocka_unit_test(sets_have_the_order_of_cpython),
        cmocka_unit_test(json_is_written_as_python_does),
        cmocka_unit_test(a_member_is_added_at_the_end_of_args),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
