/* SPDX-License-Identifier: Apache-2.0 */
/* Instants of all dialects (doc/formats/logs.md#other-dialects), leap days, years not said, zones. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "parsers/logs/log_time.h"

#define S LOG_S_NS
/* 9 October 2025 and of LOG_NO_YEAR, midnight; date -u -d ... +%s */
#define OCT9      (1759968000 * S)
#define OCT9_BARE (87436800 * S)
#define T1654     ((16 * 3600 + 54 * 60 + 15) * S)

static void forms_of_all_dialects(void **state)
{
    static const struct {
        const char *text;
        size_t takes;
        int64_t ns;
        enum log_clock clock;
        bool no_year;
    } t[] = {
        { "2025-10-09-16:54:15.497.363 [a.cc:1]", 27, OCT9 + T1654 + 497363000, LOG_LOCAL, false },
        { "2025-10-09 16:54:15.497.363]", 27, OCT9 + T1654 + 497363000, LOG_LOCAL, false },
        { "2025-10-09-16:54:15.041.231 Getting", 27, OCT9 + T1654 + 41231000, LOG_LOCAL, false },
        { "2025-10-09 16:54:15,497 - INFO", 23, OCT9 + T1654 + 497000000, LOG_LOCAL, false },
        { "2025-10-09 16:54:15:497] torch", 23, OCT9 + T1654 + 497000000, LOG_LOCAL, false },
        { "2025-10-09-16:54:15 (PID:1", 19, OCT9 + T1654, LOG_LOCAL, false },
        { "2025/10/09 16:54:15.034681 60", 26, OCT9 + T1654 + 34681000, LOG_LOCAL, false },
        { "2025-10-09-16:54:15.034681]", 26, OCT9 + T1654 + 34681000, LOG_LOCAL, false },
        { "2025-10-09T16:54:15.857705+08:00 host", 32, OCT9 + T1654 + 857705000 - 8 * 3600 * S, LOG_UTC,
          false },
        { "2025-10-09 16:54:15.023+0800]", 28, OCT9 + T1654 + 23000000 - 8 * 3600 * S, LOG_UTC, false },
        { "2025-10-09T16:54:15Z", 20, OCT9 + T1654, LOG_UTC, false },
        { "2025-10-09T16:54:15-04:30 x", 25, OCT9 + T1654 + (4 * 60 + 30) * 60 * S, LOG_UTC, false },
        { "Oct  9 16:54:15 host kernel:", 15, OCT9_BARE + T1654, LOG_LOCAL, true },
        { "Oct 09 16:54:15 host kernel:", 15, OCT9_BARE + T1654, LOG_LOCAL, true },
        { "Thu Oct  9 16:54:15 2025] text", 24, OCT9 + T1654, LOG_LOCAL, false },
        { "Thu Oct  9 16:54:15 20251 x", 19, OCT9_BARE + T1654, LOG_LOCAL, true },
        { "[259205.000001] text", 15, 259205 * S + 1000, LOG_UPTIME, false },
        { "[    5.123456] text", 14, 5 * S + 123456000, LOG_UPTIME, false },
        { "2024-02-29-00:00:00.000.001", 27, 1709164800 * S + 1000, LOG_LOCAL, false },
        { "2025-10-09 16:54:60", 19, OCT9 + T1654 + 45 * S, LOG_LOCAL, false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        struct log_time out = { 0 };
        size_t n = log_time_read(str_of(t[i].text), &out);
        if (n != t[i].takes || out.ns != t[i].ns || out.clock != t[i].clock || out.no_year != t[i].no_year)
            fail_msg("%s: takes %zu, %lld ns, clock %d, no year %d", t[i].text, n, (long long)out.ns,
                     out.clock, out.no_year);
    }
}

static void what_is_no_time(void **state)
{
    static const char *const t[] = {
        "",
        "2",
        "2025-10-09",
        "2025-10-09-",
        "2025-10-09-1",
        "2025-10-09-16:54",
        "2025-13-09-16:54:15",
        "2025-02-29-16:54:15",
        "2100-02-29 16:54:15",
        "2025-04-31 16:54:15",
        "2025-10-00-16:54:15",
        "1969-12-31-16:54:15",
        "2200-01-01-16:54:15",
        "2025-10-09-24:54:15",
        "2025-10-09-16:60:15",
        "2025-10-09x16:54:15",
        "Okt  9 16:54:15",
        "Oct 32 16:54:15",
        "Feb 30 16:54:15",
        "Oct  9 16:54",
        "[259205.00000]",
        "[259205]",
        "[12345678901.000000]",
        "[rank0]: text",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        struct log_time out = { 7, LOG_UPTIME, true };
        if (log_time_read(str_of(t[i]), &out) || out.ns != 7 || out.clock != LOG_UPTIME)
            fail_msg("'%s' is a time", t[i]);
    }
}

/* Every cut of a form reads inside of its bytes (the sanitizers look) and gives no later instant. */
static void cut_texts(void **state)
{
    static const char *const t[] = { "2025-10-09T16:54:15.857705+08:00", "Thu Oct  9 16:54:15 2025",
                                     "[259205.000001]" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        for (size_t n = 0; n <= strlen(t[i]); n++) {
            char *copy = test_malloc(n ? n : 1);
            struct log_time out = { 0 };
            memcpy(copy, t[i], n);
            assert_true(log_time_read((struct str){ copy, n }, &out) <= n);
            assert_true(log_time_read_klog((struct str){ copy, n }, &out) <= n);
            test_free(copy);
        }
}

static void klog_has_month_and_day_alone(void **state)
{
    struct log_time t = { 0 };

    (void)state;
    assert_int_equal(log_time_read_klog(STR("1009 16:54:15.123456 4711 a.go:1]"), &t), 20);
    assert_true(t.ns == OCT9_BARE + T1654 + 123456000 && t.no_year && t.clock == LOG_LOCAL);
    /* torch writes the month without a 0 before it, and nanoseconds */
    assert_int_equal(log_time_read_klog(STR("324 13:00:25.428029551 file.ts:574]"), &t), 22);
    assert_true(t.ns == (log_time_days(LOG_NO_YEAR, 3, 24) * 86400 + 13 * 3600 + 25) * S + 428029551);
    assert_int_equal(log_time_read_klog(STR("0229 13:00:25 x"), &t), 13);
    assert_int_equal(log_time_read_klog(STR("0230 13:00:25 x"), &t), 0);
    assert_int_equal(log_time_read_klog(STR("1309 13:00:25 x"), &t), 0);
    assert_int_equal(log_time_read_klog(STR("10091 13:00:25 x"), &t), 0);
    assert_int_equal(log_time_read_klog(STR("09 13:00:25 x"), &t), 0);
}

static void days_and_years(void **state)
{
    static const struct {
        int64_t year;
        unsigned month, day;
        int64_t days;
    } t[] = { { 1970, 1, 1, 0 },     { 1970, 3, 1, 59 },      { 1972, 3, 1, 790 },   { 2000, 2, 29, 11016 },
              { 2000, 3, 1, 11017 }, { 2024, 12, 31, 20088 }, { 2025, 1, 1, 20089 }, { 2100, 3, 1, 47541 },
              { 1969, 12, 31, -1 },  { 1900, 3, 1, -25508 } };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        assert_int_equal(log_time_days(t[i].year, t[i].month, t[i].day), t[i].days);
        assert_int_equal(log_time_year(t[i].days * LOG_DAY_NS), t[i].year);
        assert_int_equal(log_time_year(t[i].days * LOG_DAY_NS + LOG_DAY_NS - 1), t[i].year);
    }
}

static int64_t at(int64_t year, unsigned month, unsigned day)
{
    return log_time_days(year, month, day) * LOG_DAY_NS;
}

static void a_year_that_is_not_said_is_the_nearest(void **state)
{
    (void)state;
    /* a year turns between the line and what it is near to */
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 12, 31), at(2026, 1, 2)) == at(2025, 12, 31));
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 1, 1), at(2025, 12, 30)) == at(2026, 1, 1));
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 6, 1), at(2025, 6, 2)) == at(2025, 6, 1));
    /* days before and after a leap day, in leap years and others */
    for (int64_t y = 2023; y <= 2026; y++) {
        assert_true(log_time_in_year(at(LOG_NO_YEAR, 2, 28), at(y, 3, 2)) == at(y, 2, 28));
        assert_true(log_time_in_year(at(LOG_NO_YEAR, 3, 1), at(y, 3, 2)) == at(y, 3, 1));
        assert_true(log_time_in_year(at(LOG_NO_YEAR, 12, 31), at(y, 12, 1)) == at(y, 12, 31));
    }
    /* 29 February is only there in leap years */
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 2, 29) + T1654, at(2024, 3, 2)) == at(2024, 2, 29) + T1654);
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 2, 29), at(2025, 1, 2)) == at(2024, 2, 29));
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 2, 29), at(2098, 1, 2)) == at(2096, 2, 29));
    /* whatever it is near to, there is no overflow */
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 6, 1), INT64_MAX) < INT64_MAX);
    assert_true(log_time_in_year(at(LOG_NO_YEAR, 6, 1), 0) == at(1970, 6, 1));
}

static void stamp_of_a_files_name(void **state)
{
    int64_t ns = 7;

    (void)state;
    assert_true(log_time_stamp(STR("20251009165415497"), &ns));
    assert_true(ns == OCT9 + T1654 + 497000000);
    assert_false(log_time_stamp(STR("2025100916541549"), &ns));
    assert_false(log_time_stamp(STR("202510091654154970"), &ns));
    assert_false(log_time_stamp(STR("20251309165415497"), &ns));
    assert_false(log_time_stamp(STR("20251009245415497"), &ns));
    assert_false(log_time_stamp(STR("2025100916541549x"), &ns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_all_dialects),
        cmocka_unit_test(what_is_no_time),
        cmocka_unit_test(cut_texts),
        cmocka_unit_test(klog_has_month_and_day_alone),
        cmocka_unit_test(days_and_years),
        cmocka_unit_test(a_year_that_is_not_said_is_the_nearest),
        cmocka_unit_test(stamp_of_a_files_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
