/* SPDX-License-Identifier: Apache-2.0 */
/* msprof's clock and its number texts: digits that Python's doubles and SQLite's ROUND give. */
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

#include "msprof/clock.h"

static struct prof_folder folder_of(uint64_t host_hz)
{
    return (struct prof_folder){ .meta = { .host_hz = host_hz,
                                           .counter_hz = 48000000,
                                           .begin_us = 1716900055243333 + 1234567890123,
                                           .start_mono_ns = 1234567890123000,
                                           .host_mono_ns = 1234567890123457,
                                           .device_mono_ns = 1234567890000400,
                                           .host_counter = 98765432109,
                                           .device_counter = 70500000123 } };
}

static void msprof_clock_gives_the_digits_of_python(void **state)
{
    struct prof_folder f = folder_of(100000000);
    struct msprof_clock c = msprof_clock_of(&f);

    (void)state;
    assert_true(c.off == 1716900055243333.0);
    assert_true(msprof_dev(&c, 70500012345, 1e9) == 1234567890378082.0);
    assert_true(msprof_dev(&c, 70500012345, 1e3) == 1234567890.378082);
    assert_true(msprof_host_us(&c, 98765443211) == 1234567890234.477);
    assert_true(msprof_dev_between(&c, 70500012345.5, 1e9) == 1234567890378092.5);
    assert_true(msprof_duration_us(&c, 12345) == 257.1875);
    assert_true(msprof_product_us(&(struct msprof_clock){ .hw = 5e7 }, 8554) == 171.08);
    assert_true(msprof_duration_us(&(struct msprof_clock){ .hw = 5e7 }, 8554) == 171.07999999999998);
    assert_true(msprof_host_duration_us(&c, 777) == 7.7700000000000005);
    assert_int_equal(msprof_local_us(&c, 1234567890378.082), 1718134623133711082);
    assert_int_equal(msprof_local_ns(&c, 1234567890378082.0), 1718134623133711082);
    assert_int_equal(msprof_sample_ns(&c, 2121), 1718134623135577600);
}

/* 4000 counts at 24 MHz are 166666.67 ns, one at 400 MHz is 2.5. */
static void msprof_clock_rounds_the_drift(void **state)
{
    struct prof_folder f = folder_of(24000000);

    (void)state;
    f.meta.host_mono_ns = 1000000000;
    f.meta.host_counter_diff = 4000;
    assert_true(msprof_clock_of(&f).mon == 1.000166667);
    f.meta.host_hz = 400000000;
    f.meta.host_counter_diff = 1;
    assert_true(msprof_clock_of(&f).mon == 1.000000002);
    f.meta.host_counter_diff = 3;
    assert_true(msprof_clock_of(&f).mon == 1.000000008);
}

/* A counter of 1000 MHz that is taken for ns, and where msprof converts it all the same. */
static void msprof_clock_converts_fast_counters(void **state)
{
    struct prof_folder f = folder_of(0);
    uint64_t stamp = f.meta.host_counter + 2000;

    (void)state;
    assert_int_equal(msprof_counted_ns(&f, stamp, false), prof_host_ns(&f, stamp));
    assert_int_equal(msprof_counted_ns(&f, stamp, true), prof_mono_ns(&f, 1234567890123457 + 2000));
    assert_true(msprof_counted_ns(&f, stamp, false) < prof_begin_ns(&f));
    assert_true(msprof_counted_ns(&f, stamp, true) > prof_begin_ns(&f));
}

/* Samples: a whole number of ns goes into local_us(); ns since 1970 are printed as their double. */
static void msprof_clock_stamps_of_samples(void **state)
{
    struct prof_folder f = folder_of(100000000);
    struct msprof_clock c = msprof_clock_of(&f);

    (void)state;
    assert_int_equal(msprof_sample_mono_local_ns(&c, 1234567890000400 + 2121000),
                     msprof_sample_local_ns(&c, 2121));
    assert_int_equal(msprof_absolute_ns(&c, 1719647152133456128), 1719647152133456100);
    c.exact = true;
    assert_int_equal(msprof_absolute_ns(&c, 1719647152133456128), 1719647152133456128);
}

/* The same instants with what 64 bits of a double could not hold of the wall clock. */
static void msprof_clock_can_be_exact(void **state)
{
    struct prof_folder f = folder_of(100000000);

    (void)state;
    f.meta.start_mono_ns += 111; /* the zero is no multiple of 0.25 us */
    struct msprof_clock c = msprof_clock_of(&f);
    assert_int_equal(msprof_local_ns(&c, 1234567890378082.0), 1718134623133711082);
    c.exact = true;
    assert_int_equal(msprof_local_us(&c, 1234567890378.082), 1718134623133710971);
    assert_int_equal(msprof_local_ns(&c, 1234567890378082.0), 1718134623133710971);
}

static void msprof_clock_of_a_host_that_counts_ns(void **state)
{
    struct prof_folder f = folder_of(0);
    struct msprof_clock c = msprof_clock_of(&f);

    (void)state;
    assert_true(msprof_host_us(&c, 1234567890234477) == 1234567890234.477);
    assert_true(msprof_host_duration_us(&c, 1500) == 1.5);
}

static void msprof_local_of_anything_is_a_number(void **state)
{
    struct prof_folder f = folder_of(100000000);
    struct msprof_clock c = msprof_clock_of(&f);

    (void)state;
    assert_int_equal(msprof_local_us(&c, 1e300), 0);
    (void)msprof_local_us(&c, (double)NAN);
    (void)msprof_local_ns(&c, -1e18);
    (void)msprof_local_us(&c, 5e-324);
    (void)msprof_sample_ns(&c, UINT64_MAX);
}

static void msprof_thousandths_are_half_to_even(void **state)
{
    (void)state;
    assert_int_equal(msprof_thousandths((struct decimal){ 25, -4 }), 2);
    assert_int_equal(msprof_thousandths((struct decimal){ 35, -4 }), 4);
    assert_int_equal(msprof_thousandths((struct decimal){ -25, -4 }), -2);
    assert_int_equal(msprof_thousandths((struct decimal){ 250001, -8 }), 3);
    assert_int_equal(msprof_thousandths((struct decimal){ 7, 1 }), 70000);
    assert_int_equal(msprof_thousandths((struct decimal){ 7, -60 }), 0);
}

static void msprof_sql_round_goes_away_from_zero(void **state)
{
    static const struct {
        double x;
        int n;
        double want;
    } rows[] = {
        { 0.0005, 3, 0.001 },  { 0.0015, 3, 0.002 },   { 2.5, 0, 3 },
        { -2.5, 0, -3 },       { 1.0005, 3, 1.001 },   { 2.6745, 3, 2.675 },
        { 2.675, 2, 2.68 },    { 1e-20, 3, 0 },        { 123456789.0125, 3, 123456789.013 },
        { 0.1 + 0.2, 3, 0.3 }, { 28.7845, 3, 28.785 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (msprof_sql_round(rows[i].x, rows[i].n) != rows[i].want)
            fail_msg("ROUND(%.17g, %d) is %.17g", rows[i].x, rows[i].n,
                     msprof_sql_round(rows[i].x, rows[i].n));
}

/* What a writer put so far. */
static const char *put(struct emit *o, char *text, size_t n)
{
    snprintf(text, n, "%.*s", (int)o->n, o->buf);
    o->n = 0;
    return text;
}

static void msprof_texts_of_numbers(void **state)
{
    static const struct {
        double x;
        const char *want;
    } rows[] = { { 97.13, "97.13" }, { 0, "0" },          { 60, "60" },
                 { 0.0004, "0" },    { 1.2346, "1.235" }, { 1000.5, "1000.5" } };
    struct err e = ERR_INIT;
    struct emit *o;
    char text[64];

    (void)state;
    assert_int_equal(emit_nowhere(&o, &e), OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        msprof_put_trim3(o, rows[i].x);
        assert_string_equal(put(o, text, sizeof text), rows[i].want);
    }
    msprof_put_ns(o, 132400, false);
    assert_string_equal(put(o, text, sizeof text), "132.400");
    msprof_put_ns(o, 600, true);
    assert_string_equal(put(o, text, sizeof text), "0.600\t");
    emit_drop(o);
}

static void msprof_texts_of_three_decimals(void **state)
{
    static const struct {
        double x;
        const char *sql, *python; /* half away from zero, half to even */
    } rows[] = {
        { 0, "0.0", "0.0" },
        { 12.5, "12.5", "12.5" },
        { 0.0625, "0.063", "0.062" },
        { -0.0625, "-0.063", "-0.062" },
        { 41130778624, "41130778624.0", "41130778624.0" },
        { 2.0004, "2.0", "2.0" },
        { 1e17, "1e+17", "1e+17" },
        { 0.30000000000000004, "0.3", "0.3" },
    };
    struct err e = ERR_INIT;
    struct emit *o;
    char text[64];

    (void)state;
    assert_int_equal(emit_nowhere(&o, &e), OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        msprof_put_sql3(o, rows[i].x);
        assert_string_equal(put(o, text, sizeof text), rows[i].sql);
        msprof_put_round3(o, rows[i].x);
        assert_string_equal(put(o, text, sizeof text), rows[i].python);
    }
    emit_drop(o);
}

static void msprof_texts_of_columns(void **state)
{
    static const struct {
        double x;
        const char *text;
    } rows[] = { { 17, "17" }, { 0, "0" }, { -3, "-3" }, { 12.37, "12.37" }, { 1e300, "1e+300" } };
    struct err e = ERR_INIT;
    struct emit *o;
    char text[64];

    (void)state;
    assert_int_equal(emit_nowhere(&o, &e), OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        msprof_put_column(o, rows[i].x);
        assert_string_equal(put(o, text, sizeof text), rows[i].text);
    }
    emit_drop(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(msprof_clock_gives_the_digits_of_python),
        cmocka_unit_test(msprof_clock_rounds_the_drift),
        cmocka_unit_test(msprof_clock_converts_fast_counters),
        cmocka_unit_test(msprof_clock_can_be_exact),
        cmocka_unit_test(msprof_clock_of_a_host_that_counts_ns),
        cmocka_unit_test(msprof_local_of_anything_is_a_number),
        cmocka_unit_test(msprof_thousandths_are_half_to_even),
        cmocka_unit_test(msprof_sql_round_goes_away_from_zero),
        cmocka_unit_test(msprof_texts_of_numbers),
        cmocka_unit_test(msprof_texts_of_three_decimals),
        cmocka_unit_test(msprof_texts_of_columns),
        cmocka_unit_test(msprof_clock_stamps_of_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
