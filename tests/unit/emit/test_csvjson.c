/* SPDX-License-Identifier: Apache-2.0 */
/* CSV tables written as JSON: quoting, numbers, stamps, damage, borders of what is put at any byte. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/csvjson.h"

static void take(void *arg, const char *p, size_t n)
{
    buf_add(arg, (struct str){ p, n });
}

/* In pieces of n bytes. */
static void check_in(const char *csv, size_t piece, const char *want)
{
    struct err e = ERR_INIT;
    struct csvjson *x;
    struct buf b;

    buf_init(&b, 1 << 20);
    assert_int_equal(csvjson_new(&x, &e), OK);
    for (size_t at = 0, n = strlen(csv); at < n; at += piece)
        assert_true(csvjson_put(x, csv + at, at + piece < n ? piece : n - at, take, &b));
    assert_true(csvjson_put(x, NULL, 0, take, &b));
    buf_addc(&b, '\0');
    assert_string_equal(b.p, want);
    buf_done(&b);
    csvjson_free(x);
}

static void check(const char *csv, const char *want)
{
    for (size_t piece = 1; piece <= strlen(csv) + 1; piece++)
        check_in(csv, piece, want);
}

static void csvjson_numbers_are_numbers_and_stamps_are_texts(void **state)
{
    (void)state;
    check("a,b,c\n1,-2.50,1718087109133569.200\t\n007,1.,N/A\n",
          "[{\"a\": 1, \"b\": -2.50, \"c\": \"1718087109133569.200\"},\n"
          "{\"a\": \"007\", \"b\": \"1.\", \"c\": \"N/A\"}]\n");
}

static void csvjson_quotes_go_through(void **state)
{
    (void)state;
    check("a,b\n\"\"\"1,2;3\"\"\",\"x\ny\"\n", "[{\"a\": \"\\\"1,2;3\\\"\", \"b\": \"x\\u000ay\"}]\n");
}

static void csvjson_columns_of_one_name_are_distinguished(void **state)
{
    (void)state;
    check("r,s,r,s\n1,2,3,4\n", "[{\"r\": 1, \"s\": 2, \"r 2\": 3, \"s 2\": 4}]\n");
}

static void csvjson_long_and_short_rows_and_no_rows(void **state)
{
    (void)state;
    check("a,b\n", "[]\n");
    check("a,b\n1\n1,2,3\n", "[{\"a\": 1},\n{\"a\": 1, \"b\": 2}]\n");
}

static void csvjson_bytes_that_are_no_text(void **state)
{
    (void)state;
    check_in("a\n\xff\x01\xc3\xa4\n", 100, "[{\"a\": \"\\udcff\\u0001\xc3\xa4\"}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csvjson_numbers_are_numbers_and_stamps_are_texts),
        cmocka_unit_test(csvjson_quotes_go_through),
        cmocka_unit_test(csvjson_columns_of_one_name_are_distinguished),
        cmocka_unit_test(csvjson_long_and_short_rows_and_no_rows),
        cmocka_unit_test(csvjson_bytes_that_are_no_text),
    };

    return cmocka_run_group_tests_name("csvjson", tests, NULL, NULL);
}
