/* SPDX-License-Identifier: Apache-2.0 */
/* Small drawings as text. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/screen_text.h"
#include "ui/widget/spark.h"

static void line_has_a_cell_for_each_value(void **state)
{
    (void)state;
    const double v[6] = { 10, 12, NAN, 20, 5, 99 };
    const struct spark s = { .v = v, .n = 6, .lo = 10, .hi = 20, .role = ROLE_TEXT };
    struct canvas *c = canvas_make(1, 10, true);
    assert_int_equal(spark_line(c, 0, 1, 9, &s), 6);
    canvas_shows(c, " 02 909");
    canvas_free(c);
    c = canvas_make(1, 10, false);
    spark_line(c, 0, 1, 9, &s);
    canvas_shows(c, " ▁▂ █▁█");
    canvas_free(c);
}

/* A peak is never lost where there are fewer cells than values. */
static void line_keeps_peaks(void **state)
{
    (void)state;
    double v[1000] = { 0 };
    const struct spark s = { .v = v, .n = 1000, .lo = 0, .hi = 1, .role = ROLE_TEXT };
    for (size_t at = 0; at < 1000; at += 37) {
        struct canvas *c = canvas_make(1, 7, true);
        v[at] = 1;
        assert_int_equal(spark_line(c, 0, 0, 7, &s), 7);
        int nines = 0;
        for (int x = 0; x < 7; x++)
            nines += canvas_cell(c, 0, x, NULL)[0] == '9';
        assert_int_equal(nines, 1);
        v[at] = 0;
        canvas_free(c);
    }
    struct canvas *c = canvas_make(1, 7, true);
    assert_int_equal(spark_line(c, 0, 0, 0, &s), 0);
    assert_int_equal(spark_line(c, 0, 0, -3, &s), 0);
    canvas_free(c);
}

static void range_skips_what_is_no_number(void **state)
{
    (void)state;
    const double v[5] = { NAN, 3, INFINITY, -2, NAN };
    double lo = 0, hi = 0;
    assert_true(spark_range(v, 5, &lo, &hi));
    assert_true(lo == -2 && hi == 3);
    assert_false(spark_range(v, 1, &lo, &hi));
}

static const struct spark_part parts[] = {
    { "compute", 0.52, ROLE_CUBE }, { "comm", 0.31, ROLE_COMM }, { "prep", 0.09, ROLE_HOST },
    { "idle", 0.004, ROLE_IDLE },   { "none", NAN, ROLE_TEXT },
};

static void split_has_words_bars_and_shares(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(1, 80, true);
    assert_true(spark_split(c, 0, 0, 70, parts, 5) <= 70);
    canvas_shows(c, "compute ========= 52.0%  comm %%%%%% 31.0%  prep :: 9.0%  idle . 0.4%");
    canvas_free(c);
    c = canvas_make(1, 80, false);
    spark_split(c, 0, 0, 60, parts, 5);
    canvas_shows(c, "compute ━━━ 52.0%  comm ▓▓ 31.0%  prep ░ 9.0%  idle · 0.4%");
    canvas_free(c);
}

/* Whatever the width, nothing is drawn beyond it. */
static void split_fits(void **state)
{
    (void)state;
    for (int w = 0; w < 100; w++) {
        struct canvas *c = canvas_make(1, 120, true);
        assert_true(spark_split(c, 0, 3, w, parts, 5) <= w);
        for (int x = 0; x < 120; x++)
            if (x < 3 || x >= 3 + w)
                assert_true(strcmp(canvas_cell(c, 0, x, NULL), " ") == 0);
        canvas_free(c);
    }
    struct canvas *c = canvas_make(1, 60, true);
    spark_split(c, 0, 0, 34, parts, 5);
    canvas_shows(c, "== 52.0%  % 31.0%  : 9.0%  . 0.4%");
    canvas_free(c);
}

static void heat_shows_where_rows_part(void **state)
{
    (void)state;
    double v[4 * 6];
    for (size_t i = 0; i < 24; i++)
        v[i] = 10;
    v[2 * 6 + 3] = 20; /* row 2 parts */
    v[2 * 6 + 4] = 15;
    v[3 * 6 + 5] = NAN;
    const struct spark_heat s = { .v = v, .rows = 4, .cols = 6, .lo = 10, .hi = 20 };
    struct canvas *c = canvas_make(5, 10, true);
    assert_int_equal(spark_heat(c, (struct rect){ 0, 1, 5, 9 }, &s), 4);
    canvas_shows(c, " 111111\n 111111\n 111951\n 11111");
    canvas_free(c);
    /* two rows and three columns of cells: the largest of each */
    c = canvas_make(3, 10, true);
    assert_int_equal(spark_heat(c, (struct rect){ 0, 0, 2, 3 }, &s), 2);
    canvas_shows(c, "111\n195");
    canvas_free(c);
    c = canvas_make(3, 10, false);
    spark_heat(c, (struct rect){ 0, 0, 2, 3 }, &s);
    canvas_shows(c, "▁▁▁\n▁▇▄");
    assert_int_equal(spark_heat(c, (struct rect){ 0, 0, 0, 0 }, &s), 0);
    assert_int_equal(spark_heat(c, (struct rect){ 0, 0, -1, -1 }, &s), 0);
    canvas_free(c);
}

/* 1 000 ranks in few lines: every rank is in one of them. */
static void first_covers_everything_once(void **state)
{
    (void)state;
    for (size_t n = 1; n < 1000; n += 13)
        for (int h = 1; h < 40; h++) {
            if ((size_t)h > n)
                continue;
            assert_int_equal(spark_first(n, h, 0), 0);
            assert_int_equal(spark_first(n, h, h), n);
            for (int i = 0; i < h; i++)
                assert_true(spark_first(n, h, i) < spark_first(n, h, i + 1));
        }
}

/* Few columns have several cells each, as long as all of them fit. */
static void heat_of_few_columns_is_wide(void **state)
{
    (void)state;
    static const double v[] = { 10, 20 };
    struct spark_heat s = { .v = v, .rows = 1, .cols = 2, .lo = 10, .hi = 20, .each = 3 };
    struct canvas *c = canvas_make(1, 12, true);
    assert_int_equal(spark_heat(c, (struct rect){ 0, 0, 1, 12 }, &s), 1);
    canvas_shows(c, "111999");
    canvas_free(c);
    c = canvas_make(1, 12, true);
    assert_int_equal(spark_heat(c, (struct rect){ 0, 0, 1, 5 }, &s), 1);
    canvas_shows(c, "19");
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_has_a_cell_for_each_value),
        cmocka_unit_test(line_keeps_peaks),
        cmocka_unit_test(range_skips_what_is_no_number),
        cmocka_unit_test(split_has_words_bars_and_shares),
        cmocka_unit_test(split_fits),
        cmocka_unit_test(heat_shows_where_rows_part),
        cmocka_unit_test(heat_of_few_columns_is_wide),
        cmocka_unit_test(first_covers_everything_once),
    };

    return cmocka_run_group_tests_name("spark", tests, NULL, NULL);
}
