/* SPDX-License-Identifier: Apache-2.0 */
/* Matching, positions of errors, invalid UTF-8, and patterns that would run for ages without
 * limits. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/re.h"
#include "tests/unit/guest.h"

static struct re *compiled(const char *pattern, unsigned flags)
{
    struct re *r;
    struct err e = ERR_INIT;

    if (re_new(&r, str_of(pattern), flags, &e) != OK)
        fail_msg("%s: %s", pattern, e.text);
    return r;
}

static void re_match_finds_the_first_place(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        unsigned flags;
        struct str s;
        size_t start;
        int result;
        size_t from, to;
    } cases[] = {
        { "layer[34]", 0, { "net/layer2/layer3", 17 }, 0, 1, 11, 17 },
        { "conv", 0, { "Conv2D", 6 }, 0, 0, 0, 0 },
        { "conv", RE_NOCASE, { "Conv2D", 6 }, 0, 1, 0, 4 },
        { "(?-i)conv", RE_NOCASE, { "Conv2D", 6 }, 0, 0, 0, 0 },
        { "(*NO_JIT)v(.)D", 0, { "Conv2D", 6 }, 0, 1, 3, 6 },
        { "a\xc3\x89|k", RE_NOCASE, { "a\xc3\xa9", 3 }, 0, 1, 0, 3 },
        { "a\xc3\x89|k", RE_NOCASE | RE_BYTES, { "a\xc3\xa9\xff", 4 }, 0, 0, 0, 0 },
        { "k", RE_NOCASE, { "\xe2\x84\xaa", 3 }, 0, 1, 0, 3 }, /* the Kelvin sign */
        { "k", RE_NOCASE | RE_BYTES, { "\xe2\x84\xaaK", 4 }, 0, 1, 3, 4 },
        { "a", 0, { "aXa", 3 }, 1, 1, 2, 3 },
        { "a", 0, { "aXa", 3 }, 3, 0, 0, 0 },
        { "a", 0, { "aXa", 3 }, 4, 0, 0, 0 },
        { "^$", 0, { NULL, 0 }, 0, 1, 0, 0 },
        { "", 0, { "x", 1 }, 0, 1, 0, 0 },
        { "a.c", 0, { "a\0c", 3 }, 0, 0 + 1, 0, 3 },
        { "\u4e2d.", 0, { "x\u4e2d\u6587", 7 }, 0, 1, 1, 7 },
        { "b",
          0,
          { "\xff\x80"
            "b",
            3 },
          0,
          1,
          2,
          3 },
        { "b",
          0,
          { "\xe4\xb8\xad"
            "b",
            4 },
          1,
          1,
          3,
          4 }, /* start inside a character */
        { ".", 0, { "\xff\xfe", 2 }, 0, 0, 0, 0 },
        { "a\\Kb", 0, { "ab", 2 }, 0, 1, 1, 2 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t from = 0, to = 0;
        struct re *r = compiled(cases[i].pattern, cases[i].flags);
        int rc = re_match(r, cases[i].s, cases[i].start, &from, &to);
        if (rc != cases[i].result || from != cases[i].from || to != cases[i].to)
            fail_msg("%s: %d from %zu to %zu", cases[i].pattern, rc, from, to);
        assert_int_equal(re_match(r, cases[i].s, cases[i].start, NULL, NULL), rc);
        re_free(r);
    }
    re_free(NULL);
}

/* Where versions of PCRE2 differ: any place inside the pattern. */
#define ANYWHERE 1000

static void re_new_reports_where_the_pattern_is_wrong(void **state)
{
    (void)state;
    static const struct {
        struct str pattern;
        uint64_t offset;
        const char *word;
    } cases[] = {
        { { "ab(cd", 5 }, 5, "parenthesis" },
        { { "a)b", 3 }, 1, "parenthesis" },
        { { "x[a-", 4 }, 4, "]" },
        { { "*a", 2 }, 0, "quantifier" },
        { { "a{2,1}", 6 }, ANYWHERE, "quantifier" },
        { { "ab\\", 3 }, 3, "\\" },
        { { "(?<n>a)(?<n>b)", 14 }, ANYWHERE, "named" },
        { { "\\C", 2 }, 2, "\\C" },
        { { "ab\xff", 3 }, 2, "UTF-8" },
        { { "(?z)", 4 }, ANYWHERE, "(?" },
        { { "(*LIMIT_MATCH=400", 17 }, ANYWHERE, "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_INIT;
        struct re *r = (struct re *)&e;
        assert_int_equal(re_new(&r, cases[i].pattern, 0, &e), ERR_USAGE);
        assert_null(r);
        bool right =
            cases[i].offset == ANYWHERE ? e.offset <= cases[i].pattern.n : e.offset == cases[i].offset;
        if (!right || !strstr(e.text, cases[i].word))
            fail_msg("%s: \"%s\" at %d", cases[i].pattern.p, e.text, (int)e.offset);
    }
}

/* The pattern ends within a longer text: what stands after it is not read. */
static void re_new_reads_the_pattern_only(void **state)
{
    (void)state;
    static const char text[] = "(*LIMIT_MATCH=123)[a";

    for (size_t n = 13; n < 18; n++) {
        struct re *r;
        struct err e = ERR_INIT;

        assert_int_equal(re_new(&r, (struct str){ text, n }, 0, &e), ERR_USAGE);
        assert_true(e.offset <= n);
    }
}

static void re_new_limits_the_length(void **state)
{
    (void)state;
    char pattern[LIM_REGEX_B + 1];
    struct re *r;

    memset(pattern, 'a', sizeof pattern);
    for (size_t n = LIM_REGEX_B - 1; n <= LIM_REGEX_B + 1; n++) {
        struct err e = ERR_INIT;
        int rc = re_new(&r, (struct str){ pattern, n }, 0, &e);
        assert_int_equal(rc, n <= LIM_REGEX_B ? OK : ERR_USAGE);
        re_free(r);
    }
}

static void re_new_refuses_patterns_that_explode_when_compiled(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "((((a{1,1000}){1,1000}){1,1000}){1,1000})",
        "(((((((((((((((((((((((((((((((a?){30}){30}){30}){30})))))))))))))))))))))))))))",
        "(?:(?:(?:(?:[a-z]{500}){500}){500}){500})",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_INIT;
        struct re *r;
        clock_t t = clock();
        assert_int_equal(re_new(&r, str_of(bad[i]), 0, &e), ERR_USAGE);
        assert_true(clock() - t < CLOCKS_PER_SEC);
        assert_true(e.text[0] != '\0');
    }
}

/* Known ways to make a backtracking matcher run for ages: nested and overlapping repeats,
 * recursion, backreferences. */
static const char *const costly[] = {
    "(a+)+$",
    "([a-zA-Z]+)*$",
    "(a|aa)+$",
    "(a|a?)+$",
    "(.*a){20}$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "([^/]+/?)+$[x!]",
    "((a?){30}){30}a{30}[!]",
    "(\\w+\\s*)+:[!]?$",
    "(?R)?a(?R)?!",
    "^(.+)+\\1\\1[0-9]$",
    ".*.*.*.*=?;[!]?$",
};

#define ROWS 100000

static double seconds_since(clock_t t)
{
    return (double)(clock() - t) / CLOCKS_PER_SEC;
}

/*
 * An answer, or "too costly", for 100 000 names within 3 s, and what is too costly is known within 100 ms
 * (doc/reliability.md#patterns): twice that here for slow machines. Without limits some of these take years.
 */
static void re_match_gives_up_on_costly_patterns(void **state)
{
    (void)state;
    char names[4][100];
    int costly_ones = 0;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        memset(names[i], 'a', sizeof names[i]);
        memcpy(names[i], "Default/network/", 16);
        names[i][60 + 10 * i] = '!';
        names[i][61 + 10 * i] = '\0';
    }
    for (size_t i = 0; i < ARRAY_LEN(costly); i++) {
        struct re *r = compiled(costly[i], i % 2 ? RE_NOCASE : 0);
        clock_t t = clock();
        int k = 0;
        while (k < ROWS && !re_is_spent(r))
            re_match(r, str_of(names[k++ % 4]), 0, NULL, NULL);
        if (seconds_since(t) > (k < ROWS ? 0.2 : 3))
            fail_msg("%s: %.3f s for %d rows", costly[i], seconds_since(t), k);
        costly_ones += k < ROWS;
        t = clock();
        for (int j = 0; j < ROWS && re_is_spent(r); j++) /* the others cost nothing any more */
            assert_int_equal(re_match(r, str_of(names[j % 4]), 0, NULL, NULL), -1);
        assert_true(seconds_since(t) < 0.1);
        re_free(r);
    }
    assert_true(costly_ones >= 6); /* else this test shows nothing */
}

/* No single subject is given up on, but together they take too long. */
static void re_match_many_slow_subjects_are_too_costly(void **state)
{
    if (is_guest()) /* patterns are interpreted there, and other ones are too costly then */
        skip();
    struct re *r = compiled("(.*a){4}$", 0);
    char name[400];
    int k = 0;

    (void)state;
    memset(name, 'b', sizeof name);
    memset(name, 'a', 30);
    clock_t t = clock();
    while (k < ROWS && !re_is_spent(r)) {
        int m = re_match(r, (struct str){ name, sizeof name }, 0, NULL, NULL);
        assert_int_equal(m, 0);
        k++;
    }
    assert_true(k < ROWS);
    if (seconds_since(t) > 0.3)
        fail_msg("%.3f s for %d rows", seconds_since(t), k);
    re_free(r);
}

static void re_match_a_new_run_begins_anew(void **state)
{
    if (is_guest()) /* patterns are interpreted there, and other ones are too costly then */
        skip();
    struct re *r = compiled("(a+)+$", 0);
    char name[60];

    (void)state;
    memset(name, 'a', sizeof name);
    name[59] = '!';
    for (int k = 0; k < LIM_REGEX_GIVE_UPS; k++) {
        assert_false(re_is_spent(r));
        assert_int_equal(re_match(r, (struct str){ name, sizeof name }, 0, NULL, NULL), -1);
    }
    assert_true(re_is_spent(r));
    assert_int_equal(re_match(r, STR("aa"), 0, NULL, NULL), -1);
    re_renew(r);
    assert_false(re_is_spent(r));
    assert_int_equal(re_match(r, STR("aa"), 0, NULL, NULL), 1);
    re_free(r);
}

/* What is cheap never becomes too costly, however often it is asked. */
static void re_match_cheap_patterns_go_on(void **state)
{
    struct re *r = compiled("conv.*op[0-9]+$", RE_NOCASE);

    (void)state;
    for (int k = 0; k < 300000; k++)
        assert_int_equal(re_match(r, STR("Default/network/Conv2D-op17"), 0, NULL, NULL), 1);
    assert_false(re_is_spent(r));
    re_free(r);
}

/* A few long subjects among many short ones cost what they cost: the short ones are not taken for as slow. */
static void re_match_few_long_subjects_are_no_measure(void **state)
{
    struct re *r = compiled("(.*a){4}$", 0);
    char name[4000];

    (void)state;
    memset(name, 'b', sizeof name);
    memset(name, 'a', 10);
    for (int k = 0; k < 60000; k++) {
        bool is_long = k % 1000 == 999;
        (void)re_match(r, is_long ? (struct str){ name, sizeof name } : STR("op"), 0, NULL, NULL);
        if (re_is_spent(r))
            fail_msg("spent at subject %d", k);
    }
    re_free(r);
}

static void re_match_long_names_end_soon(void **state)
{
    (void)state;
    char *name = malloc(LIM_NAME_B);
    assert_non_null(name);
    memset(name, 'a', LIM_NAME_B);
    for (size_t i = 0; i < ARRAY_LEN(costly); i++) {
        struct re *r = compiled(costly[i], 0);
        clock_t t = clock();
        re_match(r, (struct str){ name, LIM_NAME_B }, 0, NULL, NULL);
        if (clock() - t > CLOCKS_PER_SEC / 2)
            fail_msg("%s: more than half a second on one name", costly[i]);
        re_free(r);
    }
    free(name);
}

/* A pattern may only lower the limits, and it can switch the JIT off: the limits hold for the
 * interpreter as well. */
static void re_match_limits_hold_against_the_pattern(void **state)
{
    (void)state;
    static const char *const cases[] = { "(*LIMIT_MATCH=4000000000)(a+)+$", "(*NO_JIT)(a+)+$",
                                         "(*NO_JIT)(*LIMIT_HEAP=4000000000)(?:a|a)+$" };
    char name[60];
    memset(name, 'a', sizeof name);
    name[59] = '!';
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct re *r = compiled(cases[i], 0);
        assert_int_equal(re_match(r, (struct str){ name, sizeof name }, 0, NULL, NULL), -1);
        re_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(re_match_finds_the_first_place),
        cmocka_unit_test(re_new_reports_where_the_pattern_is_wrong),
        cmocka_unit_test(re_new_reads_the_pattern_only),
        cmocka_unit_test(re_new_limits_the_length),
        cmocka_unit_test(re_new_refuses_patterns_that_explode_when_compiled),
        cmocka_unit_test(re_match_gives_up_on_costly_patterns),
        cmocka_unit_test(re_match_many_slow_subjects_are_too_costly),
        cmocka_unit_test(re_match_a_new_run_begins_anew),
        cmocka_unit_test(re_match_cheap_patterns_go_on),
        cmocka_unit_test(re_match_few_long_subjects_are_no_measure),
        cmocka_unit_test(re_match_long_names_end_soon),
        cmocka_unit_test(re_match_limits_hold_against_the_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
