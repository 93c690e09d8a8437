/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as text. */
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
#include "ui/widget/chart.h"

static void chart_line_with_axes_in_ascii(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(7, 21, true);
    const double v[10] = { 0, 1, 2, 3, 4, 4, 3, 2, 1, 0 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = {
        .series = &s, .n_series = 1, .n = 10, .x_first = 1, .x_last = 10, .x_title = " step", .cursor = 9
    };
    int x0 = 0;
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 7, 21 }, &k, &x0), 10);
    assert_int_equal(x0, 11);
    canvas_shows(c, "        4 |    **   |\n"
                    "          |   *  *  |\n"
                    "        2 |  *    * |\n"
                    "          | *      *|\n"
                    "        0 |*        *\n"
                    "          ++--------^\n"
                    " step      1       10");
    canvas_free(c);
}

static void chart_area_and_gaps(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(4, 19, true);
    const double v[8] = { 1, 1, NAN, 2, 2, NAN, NAN, 1 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = 1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 8, .y_max = 2, .cursor = SIZE_MAX };
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 4, 19 }, &k, NULL), 8);
    canvas_shows(c, "        2 |== ==  =\n"
                    "        0 |== ==  =\n"
                    "          ++-------\n"
                    "           0");
    k.y_min = 1.5, k.y_start = true; /* where the axes meet: from where on */
    canvas_clear(c);
    (void)chart_draw(c, (struct rect){ 0, 0, 4, 19 }, &k, NULL);
    assert_string_equal(canvas_cell(c, 2, 6, NULL), "1");
    assert_string_equal(canvas_cell(c, 2, 8, NULL), "5");
    canvas_free(c);
}

/* Wide areas of few values are bars that can be told apart; of more they stay one area. */
static void chart_area_of_few_values_has_gaps(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(4, 23, true);
    const double v[4] = { 1, 2, 1, 2 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = 1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 3, .y_max = 2, .cursor = SIZE_MAX };
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 4, 23 }, &k, NULL), 12);
    canvas_shows(c, "        2 |=== === ====\n"
                    "        0 |=== === ====\n"
                    "          ++-----------\n"
                    "           0");
    k.y_max = 1.5; /* a mark is as wide as the bar that goes on beyond the scale */
    k.y_min = 0.5;
    canvas_clear(c);
    chart_draw(c, (struct rect){ 0, 0, 4, 23 }, &k, NULL);
    canvas_shows(c, "      1.5 |=== ^^^ ====\n"
                    "      0.5 |=== === ====\n"
                    "          ++-----------\n"
                    "           0");
    k.y_min = 0, k.y_max = 2;
    k.n = 4; /* three columns each */
    canvas_clear(c);
    chart_draw(c, (struct rect){ 0, 0, 4, 23 }, &k, NULL);
    canvas_shows(c, "        2 |============\n"
                    "        0 |============\n"
                    "          ++-----------\n"
                    "           0");
    canvas_free(c);
}

static char *whole_ms(char *buf, size_t n, double v)
{
    snprintf(buf, n, "%.0f ms", v);
    return buf;
}

/* One number stands at one height: others like it would read as a flat scale. */
static void chart_y_labels_differ(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(7, 19, true);
    const double v[8] = { 100.1, 100.1, 100.1, 100.6, 100.6, 100.6, 100.4, 100.4 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 8, .cursor = SIZE_MAX, .y_format = whole_ms };
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 7, 19 }, &k, NULL), 8);
    canvas_shows(c, "   101 ms |   ***\n"
                    "          |\n"
                    "          |      **\n"
                    "   100 ms |\n"
                    "          |***\n"
                    "          ++-------\n"
                    "           0");
    canvas_free(c);
}

static char *mib(char *buf, size_t n, double v)
{
    snprintf(buf, n, "%.1f MiB", v / 1048576);
    return buf;
}

/* Labels stand at round values, each at the height that is nearest to it: of bytes at powers of two. */
static void chart_y_labels_are_round(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(9, 19, true);
    const double v[2] = { 0, 430 }, bytes[2] = { 0, 5.5 * 1048576 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = 0 };
    struct chart k = { .series = &s, .n_series = 1, .n = 2, .cursor = SIZE_MAX };
    chart_draw(c, (struct rect){ 0, 0, 9, 19 }, &k, NULL);
    assert_true(canvas_has(c, "      400 |"));
    assert_true(canvas_has(c, "      200 |"));
    assert_true(canvas_has(c, "        0 |"));
    assert_false(canvas_has(c, "430"));
    canvas_clear(c);
    s.v = bytes;
    k.y_format = mib;
    k.y_bytes = true;
    chart_draw(c, (struct rect){ 0, 0, 9, 19 }, &k, NULL);
    assert_true(canvas_has(c, "  4.0 MiB |"));
    assert_true(canvas_has(c, "  0.0 MiB |"));
    assert_false(canvas_has(c, "5.5 MiB"));
    canvas_free(c);
}

static void chart_x_labels_are_round_and_apart(void **state)
{
    (void)state;
    const double v[2] = { 1, 2 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = {
        .series = &s, .n_series = 1, .n = 2, .x_last = 509.16e6, .x_time = true, .cursor = SIZE_MAX
    };
    struct canvas *c = canvas_make(6, 80, true);
    chart_draw(c, (struct rect){ 0, 0, 6, 80 }, &k, NULL);
    assert_true(
        canvas_has(c, "\n          ++--------------------------+-------------------------+--------------+"
                      "\n           0 ms                       200 ms                    400 ms  509.2 ms"));
    canvas_clear(c);
    k.x_time = false;
    k.x_first = 11;
    k.x_last = 22;
    chart_draw(c, (struct rect){ 0, 0, 6, 80 }, &k, NULL);
    assert_true(
        canvas_has(c, "\n           11                       15                             20         22"));
    /* At every width labels keep two blanks between them. */
    for (int w = 20; w < 80; w++) {
        canvas_clear(c);
        k.x_last = 11 + w * 1111;
        chart_draw(c, (struct rect){ 0, 0, 6, w }, &k, NULL);
        assert_false(canvas_has(c, "000 1"));
    }
    canvas_free(c);
}

/* Values so large that a step between labels does not change them. */
static void chart_x_of_huge_values_ends(void **state)
{
    (void)state;
    const double v[2] = { 1, 2 }, first = 1152921504606846976.0; /* 2^60: the next one is 256 more */
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = {
        .series = &s, .n_series = 1, .n = 2, .x_first = first, .x_last = first + 256, .cursor = SIZE_MAX
    };
    for (int time = 0; time < 2; time++)
        for (int w = 20; w < 200; w += 3) {
            struct canvas *c = canvas_make(6, w, true);
            k.x_time = time;
            chart_draw(c, (struct rect){ 0, 0, 6, w }, &k, NULL);
            if (w > 35)
                assert_true(canvas_has(c, time ? " 1.153e+09 s" : " 1152921504606846976"));
            canvas_free(c);
        }
}

static void chart_range_shows_min_and_max(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(7, 19, true);
    const double v[8] = { 2, 2, 2, 2, 2, 2, 2, 2 }, lo[8] = { 2, 0, 2, 2, 2, 2, 2, 2 },
                 hi[8] = { 2, 4, 2, 2, 2, 2, 2, 2 };
    struct chart_series s = { .v = v, .lo = lo, .hi = hi, .role = ROLE_INFO, .fill = -1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 8, .cursor = SIZE_MAX };
    chart_draw(c, (struct rect){ 0, 0, 7, 19 }, &k, NULL);
    assert_true(canvas_has(c, "      4 | |\n"));
    assert_true(canvas_has(c, "      2 |********\n"));
    assert_true(canvas_has(c, "      0 | |\n"));
    canvas_free(c);
}

static void chart_in_utf8_is_braille(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(4, 19, false);
    const double v[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0 };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 16, .cursor = SIZE_MAX };
    assert_int_equal(chart_buckets(c, (struct rect){ 0, 0, 4, 19 }), 16);
    chart_draw(c, (struct rect){ 0, 0, 4, 19 }, &k, NULL);
    assert_true(canvas_has(c, "│  ⡠⠊⠑⢄\n"));
    assert_true(canvas_has(c, "│⡠⠊    ⠑⢄\n"));
    canvas_free(c);
}

static void chart_too_small_or_flat_or_empty(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(6, 30, true);
    const double v[3] = { 5, 5, 5 }, none[3] = { NAN, NAN, NAN };
    struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1 };
    struct chart k = { .series = &s, .n_series = 1, .n = 3, .cursor = SIZE_MAX };
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 3, 30 }, &k, NULL), 0);
    assert_int_equal(chart_draw(c, (struct rect){ 0, 0, 6, 12 }, &k, NULL), 0);
    canvas_shows(c, "");
    assert_true(chart_draw(c, (struct rect){ 0, 0, 6, 30 }, &k, NULL) > 0);
    assert_true(canvas_has(c, "*"));
    canvas_clear(c);
    s.v = none;
    assert_true(chart_draw(c, (struct rect){ 0, 0, 6, 30 }, &k, NULL) > 0);
    assert_false(canvas_has(c, "*"));
    k.n = 0;
    assert_true(chart_draw(c, (struct rect){ 0, 0, 6, 30 }, &k, NULL) > 0);
    canvas_free(c);
}

static void chart_bins_count_every_value_once(void **state)
{
    (void)state;
    const double v[] = { 1, 1.5, 2, 2.5, 3, 99, NAN };
    struct chart_bin b[5];
    size_t n = chart_bins(v, 7, 3, b, 5);
    assert_int_equal(n, 5);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += b[i].count;
    assert_true(sum == 6);
    assert_true(b[4].count == 1 && b[4].from == 3 && b[4].to == 99);
    assert_true(b[3].count == 2); /* 2.5 and 3 */
    assert_int_equal(chart_bins(v, 1, NAN, b, 5), 1);
    assert_true(b[0].count == 1);
    assert_int_equal(chart_bins(v + 6, 1, NAN, b, 5), 0);
    struct canvas *c = canvas_make(3, 40, true);
    chart_bins(v, 6, NAN, b, 2);
    assert_int_equal(chart_histogram(c, (struct rect){ 0, 0, 3, 40 }, b, 2, NULL), 2);
    canvas_shows(c, "         1 |################## 5\n        50 |#### 1");
    canvas_free(c);
    /* with more room a bin has two rows; an empty one says so */
    const struct chart_bin few[] = { { 1, 2, 2, ROLE_INFO }, { 2, 3, 0, ROLE_INFO } };
    c = canvas_make(9, 40, true);
    assert_int_equal(chart_histogram(c, (struct rect){ 0, 0, 9, 40 }, few, 2, NULL), 4);
    canvas_shows(c, "         1 |################## 2\n           |##################\n"
                    "         2 |0\n           |");
    canvas_free(c);
}

static void chart_stacked_parts_meet(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(2, 10, true);
    const struct chart_part p[] = { { 1, ROLE_IDLE, 3 }, { 2, ROLE_CUBE, 0 }, { 1, ROLE_COMM, 1 } };
    assert_int_equal(chart_stacked(c, 0, 0, 8, p, 3, 4), 8);
    assert_int_equal(chart_stacked(c, 1, 0, 8, p, 3, 3), 8);
    canvas_shows(c, "::####==\n:::####>");
    assert_int_equal(canvas_role(c, 0, 2), ROLE_CUBE);
    assert_int_equal(canvas_role(c, 0, 6), ROLE_COMM);
    canvas_free(c);
    /* a cell is of the part that has most of it, not of the one that ends in it */
    c = canvas_make(1, 10, true);
    const struct chart_part step[] = { { 28.25, ROLE_CUBE, 0 },
                                       { 2.42, ROLE_HOST, 2 },
                                       { 0.68, ROLE_IDLE, 3 } };
    assert_int_equal(chart_stacked(c, 0, 0, 10, step, 3, 56.65), 6);
    assert_int_equal(canvas_role(c, 0, 4), ROLE_CUBE);
    assert_int_equal(canvas_role(c, 0, 5), ROLE_HOST);
    canvas_free(c);
}

/* No part gives its cell to a smaller one, however they lie in the cells. */
static void chart_stacked_cells_go_to_the_largest(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(4, 12, true);
    /* prep reaches over an edge of cells, idle lies whole in the last one */
    const struct chart_part step[] = {
        { 8.55, ROLE_CUBE, 0 }, { 0.0, ROLE_COMM, 1 }, { 0.8, ROLE_HOST, 3 }, { 0.65, ROLE_IDLE, 2 }
    };
    assert_int_equal(chart_stacked(c, 0, 0, 10, step, 4, 10), 10);
    assert_int_equal(chart_stacked(c, 1, 0, 2, step, 4, 10), 2);
    const struct chart_part even[] = { { 3, ROLE_CUBE, 0 }, { 3, ROLE_COMM, 1 }, { 4, ROLE_HOST, 3 } };
    assert_int_equal(chart_stacked(c, 2, 0, 5, even, 3, 10), 5);
    canvas_shows(c, "########:.\n##\n##=::");
    assert_int_equal(chart_stacked(c, 3, 0, 5, even, 0, 10), 0);
    canvas_free(c);
    for (int w = 1; w <= 40; w++) {
        c = canvas_make(1, 40, false);
        const struct chart_part p[] = {
            { 28.3, ROLE_CUBE, 0 }, { 0.78, ROLE_COMM, 1 }, { 1.27, ROLE_HOST, 3 }, { 0.59, ROLE_IDLE, 2 }
        };
        int n[4] = { 0 };
        assert_int_equal(chart_stacked(c, 0, 0, w, p, 4, 30.94), w);
        for (int x = 0; x < w; x++)
            for (int k = 0; k < 4; k++)
                n[k] += canvas_role(c, 0, x) == p[k].role;
        assert_int_equal(n[0] + n[1] + n[2] + n[3], w);
        assert_true(n[0] >= n[2] && n[2] >= n[1] && n[1] >= n[3]);
        canvas_free(c);
    }
}

static void chart_heights_digits_and_scale(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(2, 20, true), *u = canvas_make(1, 20, false);
    const double v[5] = { 0, 1, NAN, 2, 4 };
    chart_heights(c, (struct rect){ 0, 0, 1, 5 }, v, 5, 4, ROLE_TEXT);
    chart_scale(c, 1, 0, 10, ROLE_DIM, "0%", "28%");
    canvas_shows(c, "02 59\n0%     28%");
    chart_heights(u, (struct rect){ 0, 0, 1, 5 }, v, 5, 4, ROLE_TEXT);
    canvas_shows(u, "▁▃ ▅█");
    canvas_free(c);
    canvas_free(u);
}

/* Over several rows what is not reached is dotted, but where there is no value. */
static void chart_heights_of_several_rows(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(2, 8, true), *u = canvas_make(2, 8, false);
    const double v[6] = { 0, 2, NAN, 2, 3, 4 };
    chart_heights(c, (struct rect){ 0, 0, 2, 6 }, v, 6, 4, ROLE_TEXT);
    canvas_shows(c, ".   ##\n # ###");
    canvas_clear(c);
    chart_heights(u, (struct rect){ 0, 0, 2, 6 }, v, 6, 4, ROLE_TEXT);
    canvas_shows(u, "·▁ ▁▄█\n▁█ ███");
    canvas_free(c);
    canvas_free(u);
}

/* Dots below a line that others do not reach. */
static void chart_line_with_ground(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(5, 20, true);
    const double v[4] = { 2, 2, 2, 2 };
    const struct chart_series s = { .v = v, .role = ROLE_INFO, .fill = -1, .ground = true };
    const struct chart k = { .series = &s,
                             .n_series = 1,
                             .n = 4,
                             .y_min = 0,
                             .y_max = 2,
                             .x_first = 1,
                             .x_last = 4,
                             .cursor = SIZE_MAX };
    chart_draw(c, (struct rect){ 0, 0, 5, 20 }, &k, NULL);
    assert_true(canvas_has(c, "|*********\n"));
    assert_true(canvas_has(c, "| . . . .\n"));
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chart_line_with_axes_in_ascii),
        cmocka_unit_test(chart_area_and_gaps),
        cmocka_unit_test(chart_area_of_few_values_has_gaps),
        cmocka_unit_test(chart_y_labels_differ),
        cmocka_unit_test(chart_y_labels_are_round),
        cmocka_unit_test(chart_x_labels_are_round_and_apart),
        cmocka_unit_test(chart_x_of_huge_values_ends),
        cmocka_unit_test(chart_range_shows_min_and_max),
        cmocka_unit_test(chart_in_utf8_is_braille),
        cmocka_unit_test(chart_too_small_or_flat_or_empty),
        cmocka_unit_test(chart_bins_count_every_value_once),
        cmocka_unit_test(chart_stacked_parts_meet),
        cmocka_unit_test(chart_stacked_cells_go_to_the_largest),
        cmocka_unit_test(chart_heights_digits_and_scale),
        cmocka_unit_test(chart_heights_of_several_rows),
        cmocka_unit_test(chart_line_with_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
