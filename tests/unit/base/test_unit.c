/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as the screens of the interaction design show them, plain numbers that read back equal,
 * numbers as typed. */
#include "config.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/percentile.h"
#include "base/unit.h"

static char buf[64];

static void unit_time_matches_the_screens(void **state)
{
    (void)state;
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        { 7.41e6, "7.41 ms" },
        { 140e3, "140 us" },
        { 40.8e3, "40.8 us" },
        { 31.6e3, "31.6 us" },
        { 812e3, "812 us" },
        { 1.03e3, "1.03 us" },
        { 9.6e3, "9.60 us" },
        { 71e3, "71.0 us" },
        { 58.91e6, "58.91 ms" },
        { 33.4e6, "33.40 ms" },
        { 1.26e6, "1.26 ms" },
        { 142.6e6, "142.60 ms" },
        { 214.31e6, "214.31 ms" },
        { 41.2e9, "41.20 s" },
        { 18.63e9, "18.63 s" },
        { 3.81e9, "3.81 s" },
        { 231e3, "231 us" },
        { 28.9e6, "28.90 ms" },
        { 231449, "231 us" },
        { 20, "20 ns" },
        { 0, "0 ns" },
        { 123.44e9, "123.4 s" },
        { 4567e9, "4567 s" },
        { -412e3, "-412 us" },
        { -1.06e6, "-1.06 ms" },
        { 0.2, "<1 ns" },
        { -0.2, "-<1 ns" },
        { NAN, "?" },
        { INFINITY, "?" },
        { -0.0, "0 ns" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(unit_time(buf, sizeof buf, cases[i].ns, TIME_AUTO), cases[i].text);
}

static void unit_time_never_shows_a_thousand_of_a_unit(void **state)
{
    (void)state;
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        { 999.4, "999 ns" },        { 999.5, "1.00 us" },    { 999499, "999 us" },    { 999500, "1.00 ms" },
        { 999.994e6, "999.99 ms" }, { 999.996e6, "1.00 s" }, { 9.994e3, "9.99 us" },  { 9.996e3, "10.0 us" },
        { 99.94e3, "99.9 us" },     { 99.96e3, "100 us" },   { 99.994e9, "99.99 s" }, { 99.996e9, "100.0 s" },
        { 999.96e9, "1000 s" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(unit_time(buf, sizeof buf, cases[i].ns, TIME_AUTO), cases[i].text);
}

static void unit_time_forced_unit(void **state)
{
    (void)state;
    assert_string_equal(unit_time(buf, sizeof buf, 4.2e6, TIME_US), "4200 us");
    assert_string_equal(unit_time(buf, sizeof buf, 231000, TIME_NS), "231000 ns");
    assert_string_equal(unit_time_number(buf, sizeof buf, 166e3, TIME_MS), "0.17");
    assert_string_equal(unit_time_number(buf, sizeof buf, 1e3, TIME_MS), "<0.01");
    assert_string_equal(unit_time_number(buf, sizeof buf, -1e3, TIME_MS), "-<0.01");
    assert_string_equal(unit_time_number(buf, sizeof buf, 0, TIME_MS), "0.00");
    assert_string_equal(unit_time(buf, sizeof buf, 0, TIME_MS), "0 ms");
    assert_string_equal(unit_time_number(buf, sizeof buf, 7.41e6, TIME_AUTO), "7.41");
    assert_string_equal(unit_time_number(buf, 3, 7.41e6, TIME_AUTO), "7.");
    assert_string_equal(unit_time_name(TIME_US), "us");
    assert_string_equal(unit_time_name(TIME_AUTO), "");
}

static void unit_time_column_has_one_unit(void **state)
{
    (void)state;
    assert_int_equal(unit_time_column(1.19e6, 58.91e6), TIME_MS);
    assert_int_equal(unit_time_column(190e3, 7.41e6), TIME_MS);
    assert_int_equal(unit_time_column(9.6e3, 7.41e6), TIME_US);
    assert_int_equal(unit_time_column(1e3, 999e3), TIME_US);
    assert_int_equal(unit_time_column(1e3, 1e6), TIME_US);
    assert_int_equal(unit_time_column(4300, 276.83e6), TIME_MS);
    assert_int_equal(unit_time_column(50, 3e9), TIME_MS); /* as us the largest would have seven digits */
    assert_int_equal(unit_time_column(52e3, 318.84e6), TIME_MS);
    assert_int_equal(unit_time_column(1, 1e15), TIME_S);
    assert_int_equal(unit_time_column(1, 9e6), TIME_US);
    assert_int_equal(unit_time_column(0, 7e6), TIME_MS);
    assert_int_equal(unit_time_column(7e3, 7e3), TIME_US);
    assert_int_equal(unit_time_column(0, 0), TIME_AUTO);
    assert_int_equal(unit_time_column(NAN, NAN), TIME_AUTO);
    assert_int_equal(unit_time_column(1, INFINITY), TIME_AUTO);
}

/* One unit as long as the smallest value can be read in it, or is of the order of the largest. */
static void unit_time_cells_have_their_own_where_small_ones_would_vanish(void **state)
{
    (void)state;
    assert_int_equal(unit_time_cells(1.19e6, 58.91e6), TIME_MS);
    assert_int_equal(unit_time_cells(0.40e6, 326.79e6), TIME_MS); /* two figures, but no thousandth */
    assert_int_equal(unit_time_cells(0.32e6, 326.79e6), TIME_AUTO);
    assert_int_equal(unit_time_cells(70e3, 326.79e6), TIME_AUTO);
    assert_int_equal(unit_time_cells(5390, 9.2e6), TIME_US);    /* 5.39 us, 9200 us */
    assert_int_equal(unit_time_cells(5390, 27.2e6), TIME_AUTO); /* 5.39 us, 27.20 ms, not 27200 us */
    assert_int_equal(unit_time_cells(1e6, 28e6), TIME_MS);
    assert_int_equal(unit_time_cells(680, 27.2e6), TIME_AUTO);
    assert_int_equal(unit_time_cells(1, 9e6), TIME_AUTO);
    assert_int_equal(unit_time_cells(1, 900), TIME_NS);
    assert_int_equal(unit_time_cells(5, 50e3), TIME_AUTO);
    assert_int_equal(unit_time_cells(150, 99e3), TIME_US); /* 0.15 us */
    assert_int_equal(unit_time_cells(0, 7e6), TIME_MS);
    assert_int_equal(unit_time_cells(0, 0), TIME_AUTO);
    assert_int_equal(unit_time_cells(NAN, NAN), TIME_AUTO);
}

static void unit_rough_time_has_one_figure_worth_reading(void **state)
{
    (void)state;
    assert_string_equal(unit_rough_time(buf, sizeof buf, 0), "1 s");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 0.2e9), "1 s");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 1e9), "1 s");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 44.1e9), "45 s");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 61e9), "2 min");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 120e9), "2 min");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 3600e9), "1 h");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 4780e9), "1 h 20 min");
    assert_string_equal(unit_rough_time(buf, sizeof buf, 100000e9), "2 d");
    assert_string_equal(unit_rough_time(buf, sizeof buf, INFINITY), "?");
}

static void unit_long_time_words(void **state)
{
    (void)state;
    assert_string_equal(unit_long_time(buf, sizeof buf, 221e9), "3 min 41 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 94e9), "94 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 119.4e9), "119 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 119.6e9), "2 min 0 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 3.81e9), "3.81 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 0.95502e9), "0.96 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 0.4e9), "400.00 ms");
    assert_string_equal(unit_long_time(buf, sizeof buf, 9.997e9), "10 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, 7384e9), "2 h 3 min");
    assert_string_equal(unit_long_time(buf, sizeof buf, 180000e9), "2 d 2 h");
    assert_string_equal(unit_long_time(buf, sizeof buf, -221e9), "-3 min 41 s");
    assert_string_equal(unit_long_time(buf, sizeof buf, NAN), "?");
}

static void unit_size_is_iec_with_one_decimal(void **state)
{
    (void)state;
    assert_string_equal(unit_size(buf, sizeof buf, 412, SIZE_AUTO), "412 B");
    assert_string_equal(unit_level(buf, sizeof buf, 11216096, STR("KB")), "10.7 GiB");
    assert_string_equal(unit_level(buf, sizeof buf, 0.5, STR("MB")), "512.0 KiB");
    assert_string_equal(unit_level(buf, sizeof buf, 1850, STR("MHz")), "1850 MHz");
    assert_string_equal(unit_level(buf, sizeof buf, 12.5, STR("MB/s")), "12.5 MB/s");
    assert_string_equal(unit_level(buf, sizeof buf, 3, STR("")), "3");
    assert_string_equal(unit_size(buf, sizeof buf, 1023, SIZE_AUTO), "1023 B");
    assert_string_equal(unit_size(buf, sizeof buf, 1024, SIZE_AUTO), "1.0 KiB");
    assert_string_equal(unit_size(buf, sizeof buf, 6250, SIZE_AUTO), "6.1 KiB");
    assert_string_equal(unit_size(buf, sizeof buf, 392 * 0x1p20, SIZE_AUTO), "392.0 MiB");
    assert_string_equal(unit_size(buf, sizeof buf, 1023.96 * 0x1p20, SIZE_AUTO), "1.0 GiB");
    assert_string_equal(unit_size(buf, sizeof buf, 18.4 * 0x1p30, SIZE_AUTO), "18.4 GiB");
    assert_string_equal(unit_size(buf, sizeof buf, 1024 * 0x1p30, SIZE_AUTO), "1024.0 GiB");
    assert_string_equal(unit_size(buf, sizeof buf, 1, SIZE_MIB), "<0.1 MiB");
    assert_string_equal(unit_size(buf, sizeof buf, -2048, SIZE_AUTO), "-2.0 KiB");
    assert_int_equal(unit_size_for(0), SIZE_B);
    assert_string_equal(unit_size_name(SIZE_GIB), "GiB");
}

static void unit_percent_has_one_decimal(void **state)
{
    (void)state;
    assert_string_equal(unit_percent(buf, sizeof buf, 0.276), "27.6%");
    assert_string_equal(unit_percent(buf, sizeof buf, 0.0145), "1.5%");
    assert_string_equal(unit_percent(buf, sizeof buf, 100.0 * 0.0145 / 100), "1.5%");
    assert_string_equal(unit_percent(buf, sizeof buf, 1), "100%");
    assert_string_equal(unit_percent(buf, sizeof buf, -1), "-100%");
    assert_string_equal(unit_percent(buf, sizeof buf, 0.993), "99.3%");
    assert_string_equal(unit_percent(buf, sizeof buf, 0), "0.0%");
    assert_string_equal(unit_percent(buf, sizeof buf, 0.0001), "<0.1%");
    assert_string_equal(unit_percent(buf, sizeof buf, -0.635), "-63.5%");
    assert_string_equal(unit_percent(buf, sizeof buf, 11), "1100.0%");
    assert_string_equal(unit_percent(buf, sizeof buf, NAN), "?");
}

static void unit_count_separates_thousands(void **state)
{
    (void)state;
    assert_string_equal(unit_count(buf, sizeof buf, 53, "\u2009"), "53");
    assert_string_equal(unit_count(buf, sizeof buf, 1572864, "\u2009"), "1\u2009572\u2009864");
    assert_string_equal(unit_count(buf, sizeof buf, 1572864, ""), "1572864");
    assert_string_equal(unit_count(buf, sizeof buf, -123456, ","), "-123,456");
    assert_string_equal(unit_count(buf, sizeof buf, 100, ","), "100");
    assert_string_equal(unit_count(buf, sizeof buf, 52.5, ","), "52.5");
    assert_string_equal(unit_count(buf, sizeof buf, 1234.6, ","), "1,235");
    assert_string_equal(unit_count(buf, sizeof buf, 0.01, ","), "<0.1");
    assert_string_equal(unit_count(buf, 6, 1234567, ","), "1,234");
    assert_string_equal(unit_count(buf, 5, 1234567, "\u2009"), "1");
    unit_count(buf, sizeof buf, DBL_MAX, "\u2009");
    assert_true(strlen(buf) < sizeof buf);
}

static void unit_flops_use_decimal_prefixes(void **state)
{
    (void)state;
    assert_string_equal(unit_flops(buf, sizeof buf, 7.4e9), "7.40 GFLOPs");
    assert_string_equal(unit_flops(buf, sizeof buf, 787e9), "787.0 GFLOPs");
    assert_string_equal(unit_flops(buf, sizeof buf, 512), "512 FLOPs");
    assert_string_equal(unit_flops(buf, sizeof buf, 999.96e9), "1.00 TFLOPs");
    assert_string_equal(unit_flops_rate(buf, sizeof buf, 32e12), "32.0 TFLOPS");
    assert_string_equal(unit_flops_rate(buf, sizeof buf, 262.1e12), "262.1 TFLOPS");
    assert_string_equal(unit_rate(buf, sizeof buf, 14.2e9), "14.2 GB/s");
    assert_string_equal(unit_rate(buf, sizeof buf, 1.5e9), "1.50 GB/s");
    assert_string_equal(unit_rate(buf, sizeof buf, 1e3), "<0.01 GB/s");
}

static void unit_plain_known_numbers(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { -0.0, "-0" },
        { 5, "5" },
        { 0.1, "0.1" },
        { 0.3, "0.3" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1.5, "1.5" },
        { -123.456, "-123.456" },
        { 1e21, "1000000000000000000000" },
        { 1e-7, "0.0000001" },
        { 12345678.9, "12345678.9" },
        { 1.0 / 3, "0.3333333333333333" },
        { 9007199254740993.0, "9007199254740992" },
        { 1e300, "1e300" },
        { -1.25e300, "-1.25e300" },
        { 2.5e-300, "2.5e-300" },
        { 5e-324, "5e-324" },
        { DBL_MAX, "1.7976931348623157e308" },
        { 31.73e6, "31730000" },
        { 0.001, "0.001" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(unit_plain(buf, sizeof buf, cases[i].v), cases[i].text);
}

/* Every finite double reads back, and no text with fewer digits would. */
static void unit_plain_reads_back_equal(void **state)
{
    (void)state;
    uint64_t rng = 42;
    for (int i = 0; i < 200000; i++) {
        double v, back;
        rng = rng * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = rng ^ rng >> 29;
        memcpy(&v, &bits, sizeof v);
        if (i % 2)
            v = (double)(int64_t)(bits % 2000000000) / 1000.0;
        if (!isfinite(v))
            continue;
        unit_plain(buf, sizeof buf, v);
        back = strtod(buf, NULL);
        if (memcmp(&back, &v, sizeof v) != 0)
            fail_msg("%.17g became %s", v, buf);
        if (i % 2 && strlen(buf) > 11)
            fail_msg("%.17g is not shortest: %s", v, buf);
    }
}

static void unit_utc_formats_and_cuts(void **state)
{
    (void)state;
    int64_t t = INT64_C(1773479527123456789);
    assert_string_equal(unit_utc(buf, sizeof buf, t, 6), "2026-03-14 09:12:07.123456");
    assert_string_equal(unit_utc(buf, sizeof buf, t, 9), "2026-03-14 09:12:07.123456789");
    assert_string_equal(unit_utc(buf, sizeof buf, t, 0), "2026-03-14 09:12:07");
    assert_string_equal(unit_utc(buf, sizeof buf, -1, 9), "1969-12-31 23:59:59.999999999");
    assert_string_equal(unit_utc(buf, sizeof buf, 0, 3), "1970-01-01 00:00:00.000");
    assert_string_equal(unit_utc(buf, sizeof buf, INT64_MAX, 0), "2262-04-11 23:47:16");
    assert_string_equal(unit_utc(buf, sizeof buf, INT64_MIN, 9), "1677-09-21 00:12:43.145224192");
}

static void unit_parse_takes_what_people_type(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        char kind;
    } cases[] = {
        { "100us", 100e3, 't' },  { "1.5 ms", 1.5e6, 't' },  { "2s", 2e9, 't' },
        { "20ns", 20, 't' },      { "3min", 180e9, 't' },    { "2 h", 7200e9, 't' },
        { "5\u00b5s", 5e3, 't' }, { "5\u03bcs", 5e3, 't' },  { "1MiB", 1048576, 's' },
        { "1mib", 1048576, 's' }, { "4 KiB", 4096, 's' },    { "2GB", 2e9, 's' },
        { "7B", 7, 's' },         { "10%", 10, '%' },        { "0.5 %", 0.5, '%' },
        { "3k", 3000, 'n' },      { "3K", 3000, 'n' },       { "2M", 2e6, 'n' },
        { "42", 42, 'n' },        { "-1.5", -1.5, 'n' },     { "1e3", 1000, 'n' },
        { "1e3us", 1e6, 't' },    { "-412us", -412e3, 't' }, { " 8 ", 8, 'n' },
        { ".5s", 0.5e9, 't' },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double v = 0;
        char kind = 0;
        if (!unit_parse(str_of(cases[i].text), &v, &kind))
            fail_msg("\"%s\" is refused", cases[i].text);
        assert_true(v == cases[i].value);
        assert_int_equal(kind, cases[i].kind);
    }
}

static void unit_parse_refuses_the_rest(void **state)
{
    (void)state;
    static const char *const bad[] = { "",   "us",    "1 2", "1xs", "1e999", "nan", "0x10", "1..2", "--1",
                                       "3m", "1 m s", "%",   "-",   ".",     "1,5", "1e",   "inf",  "5us5" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        double v;
        char kind;
        if (unit_parse(str_of(bad[i]), &v, &kind))
            fail_msg("\"%s\" is taken as %g", bad[i], v);
    }
}

/* As the nearest rank is defined: the first value that has so much of them up to it. */
static void percentile_is_the_nearest_rank(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 450; n++)
        for (unsigned pct = 1; pct <= 100; pct++) {
            size_t at = 0;
            while ((at + 1) * 100 < pct * n)
                at++;
            assert_int_equal(percentile_at(n, pct), at);
        }
    assert_int_equal(percentile_at(2, 50), 0); /* the lower of two */
    assert_int_equal(percentile_at(11, 95), 10);
    assert_true(percentile_at(SIZE_MAX, 100) == SIZE_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_time_matches_the_screens),
        cmocka_unit_test(unit_time_never_shows_a_thousand_of_a_unit),
        cmocka_unit_test(unit_time_forced_unit),
        cmocka_unit_test(unit_time_column_has_one_unit),
        cmocka_unit_test(unit_time_cells_have_their_own_where_small_ones_would_vanish),
        cmocka_unit_test(unit_rough_time_has_one_figure_worth_reading),
        cmocka_unit_test(unit_long_time_words),
        cmocka_unit_test(unit_size_is_iec_with_one_decimal),
        cmocka_unit_test(unit_percent_has_one_decimal),
        cmocka_unit_test(unit_count_separates_thousands),
        cmocka_unit_test(unit_flops_use_decimal_prefixes),
        cmocka_unit_test(unit_plain_known_numbers),
        cmocka_unit_test(unit_plain_reads_back_equal),
        cmocka_unit_test(unit_utc_formats_and_cuts),
        cmocka_unit_test(unit_parse_takes_what_people_type),
        cmocka_unit_test(unit_parse_refuses_the_rest),
        cmocka_unit_test(percentile_is_the_nearest_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
