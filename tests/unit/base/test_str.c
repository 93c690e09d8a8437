/* SPDX-License-Identifier: Apache-2.0 */
/* Views, exact decimals at their boundaries, interning. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"

static void str_views_compare_and_cut(void **state)
{
    (void)state;
    assert_true(str_eq(STR("abc"), str_of("abc")));
    assert_true(str_eq(STR_NULL, STR("")));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_true(str_eq_nocase(STR("Step ID"), STR("sTEP id")));
    assert_false(str_eq_nocase(STR("[x"), STR("{x")));
    assert_true(str_starts(STR("abc"), STR("ab")) && str_starts(STR("abc"), STR("")));
    assert_false(str_starts(STR("a"), STR("ab")));
    assert_true(str_ends(STR("x.csv"), STR(".csv")));
    assert_false(str_ends(STR("csv"), STR(".csv")));
    assert_true(str_cmp(STR("ab"), STR("abc")) < 0);
    assert_true(str_cmp(STR("\xff"), STR("a")) > 0);
    assert_int_equal(str_cmp(STR("a"), STR("a")), 0);
    assert_true(str_eq(str_trim(STR(" \t1.5\r\n")), STR("1.5")));
    assert_int_equal(str_trim(STR(" \t")).n, 0);
    assert_true(str_eq(str_sub(STR("abcdef"), 2, 3), STR("cde")));
    assert_int_equal(str_sub(STR("abc"), 9, 9).n, 0);
    assert_null(str_sub(STR_NULL, 0, 1).p);
    assert_false(str_starts(STR_NULL, STR("a")) || str_ends(STR_NULL, STR("a")));
}

static void str_natural_order_compares_numbers_by_value(void **state)
{
    (void)state;
    assert_true(str_cmp_natural(STR("slice_2"), STR("slice_10")) < 0);
    assert_true(str_cmp_natural(STR("slice_10"), STR("slice_9.x")) > 0);
    assert_true(str_cmp_natural(STR("a2b"), STR("a2c")) < 0);
    assert_true(str_cmp_natural(STR("a"), STR("a0")) < 0);
    assert_int_equal(str_cmp_natural(STR("a7"), STR("a7")), 0);
    /* equal values: still different strings, in one fixed order */
    int d = str_cmp_natural(STR("a07"), STR("a7"));
    assert_true(d != 0 && (d < 0) == (str_cmp_natural(STR("a7"), STR("a07")) > 0));
    assert_true(str_cmp_natural(STR("99999999999999999999999"), STR("100000000000000000000000")) < 0);
}

static void str_find_and_pieces(void **state)
{
    (void)state;
    assert_int_equal(str_find(STR("abcabc"), STR("bc"), 0), 1);
    assert_int_equal(str_find(STR("abcabc"), STR("bc"), 2), 4);
    assert_true(str_find(STR("abc"), STR("x"), 0) == SIZE_MAX);
    assert_true(str_find(STR("abc"), STR("c"), 4) == SIZE_MAX);
    assert_int_equal(str_find(STR("abc"), STR(""), 3), 3);
    assert_int_equal(str_find_nocase(STR("xxMatMul"), STR("MATMUL")), 2);
    assert_true(str_find_nocase(STR("a"), STR("ab")) == SIZE_MAX);
    assert_int_equal(str_chr(STR("a,b"), ','), 1);
    assert_int_equal(str_rchr(STR("a,b,c"), ','), 3);
    assert_true(str_eq(str_after_last(STR("a/b/c"), '/'), STR("c")));
    assert_true(str_eq(str_after_last(STR("a/"), '/'), STR("")));
    assert_true(str_eq(str_after_last(STR("abc"), '/'), STR("abc")));
    assert_true(str_eq(str_once_at_end(STR("a/b/b"), '/'), STR("a/b")));
    assert_true(str_eq(str_once_at_end(STR("b/b"), '/'), STR("b")));
    assert_true(str_eq(str_once_at_end(STR("a/cb/b"), '/'), STR("a/cb/b")));
    assert_true(str_eq(str_once_at_end(STR("b"), '/'), STR("b")));
    assert_true(str_eq(str_once_at_end(STR("a//"), '/'), STR("a//")));
    assert_true(str_rchr(STR(""), ',') == SIZE_MAX && str_chr(STR_NULL, ',') == SIZE_MAX);

    struct str rest = STR("a,,b,"), piece;
    const char *want[] = { "a", "", "b", "" };
    size_t n = 0;
    for (; str_next(&rest, ',', &piece); n++)
        assert_true(n < 4 && str_eq(piece, str_of(want[n])));
    assert_int_equal(n, 4);
    char buf[4];
    assert_string_equal(str_copy(STR("abcdef"), buf, sizeof buf), "abc");
    assert_string_equal(str_copy(STR(""), buf, 1), "");
    char marked[8];
    assert_string_equal(str_copy_cut(STR("1234567"), marked, sizeof marked), "1234567");
    assert_string_equal(str_copy_cut(STR("12345678"), marked, sizeof marked), "1234...");
    assert_string_equal(str_copy_cut(STR("123\xe5\x90\x8d"
                                         "9876"),
                                     marked, sizeof marked),
                        "123...");
    assert_string_equal(str_copy_cut(STR("12345678"), marked, 3), "12"); /* no room for the mark */
}

static void str_integers_at_the_boundaries(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        bool u_ok;
        uint64_t u;
        bool i_ok;
        int64_t i;
    } t[] = {
        { "0", true, 0, true, 0 },
        { "-0", false, 0, true, 0 },
        { "007", true, 7, true, 7 },
        { "9007199254740991", true, 9007199254740991u, true, 9007199254740991 },
        { "9007199254740993", true, 9007199254740993u, true, 9007199254740993 },
        { "1736413971558972912", true, 1736413971558972912u, true, 1736413971558972912 },
        { "9223372036854775807", true, INT64_MAX, true, INT64_MAX },
        { "9223372036854775808", true, (uint64_t)1 << 63, false, 0 },
        { "-9223372036854775808", false, 0, true, INT64_MIN },
        { "-9223372036854775809", false, 0, false, 0 },
        { "18446744073709551615", true, UINT64_MAX, false, 0 },
        { "18446744073709551616", false, 0, false, 0 },
        { "28446744073709551615", false, 0, false, 0 },
        { "", false, 0, false, 0 },
        { "-", false, 0, false, 0 },
        { "+1", false, 0, false, 0 },
        { " 1", false, 0, false, 0 },
        { "1 ", false, 0, false, 0 },
        { "1.0", false, 0, false, 0 },
        { "0x10", false, 0, false, 0 },
        { "--1", false, 0, false, 0 },
    };
    for (size_t k = 0; k < ARRAY_LEN(t); k++) {
        uint64_t u = 0;
        int64_t i = 0;
        assert_true(str_u64(str_of(t[k].s), &u) == t[k].u_ok && u == t[k].u);
        assert_true(str_i64(str_of(t[k].s), &i) == t[k].i_ok && i == t[k].i);
    }
}

struct scaled_case {
    const char *s;
    uint64_t mul;
    bool ok, rounded;
    int64_t v;
};

static const struct scaled_case scaled_cases[] = {
    { "1736413971558972.912", 1000, true, false, 1736413971558972912 },
    { "1736413971558972.9125", 1000, true, true, 1736413971558972913 },
    { "1736413971558972.91249", 1000, true, true, 1736413971558972912 },
    { "1695115378723902.5", 1000, true, false, 1695115378723902500 },
    { "1695115378710248", 1000, true, false, 1695115378710248000 },
    { "1.69512E+15", 1000, true, false, 1695120000000000000 },
    { "1.69512e15", 1, true, false, 1695120000000000 },
    { "72994.4384375", 1000, true, true, 72994438 },
    { "0.0005", 1000, true, true, 1 },
    { "-0.0005", 1000, true, true, -1 },
    { "0.00049999999999999999999999999999", 1000, true, true, 0 },
    { "0.000500000000000000000000000000000000000000001", 1000, true, true, 1 },
    { "-0.0015", 1000, true, true, -2 },
    { "0.0010000000000000000000000000000", 1000, true, false, 1 },
    { "-0", 1000, true, false, 0 },
    { "-0.0", 1000, true, false, 0 },
    { "0e999999999999999999999", 1000, true, false, 0 },
    { "1e999", 1, false, false, 0 },
    { "1e-999", 1000, true, true, 0 },
    { "5e-1", 1, true, true, 1 },
    { "49e-2", 1, true, true, 0 },
    { "0.05e1", 1, true, true, 1 },
    { "00000000000000000000000000000000001.5", 2, true, false, 3 },
    { "123456789012345678901234567890e-20", 1000, true, true, 1234567890123 },
    { "9223372036854775807", 1, true, false, INT64_MAX },
    { "9223372036854775808", 1, false, false, 0 },
    { "-9223372036854775808", 1, true, false, INT64_MIN },
    { "-9223372036854775809", 1, false, false, 0 },
    { "9223372036854775807.4999", 1, true, true, INT64_MAX },
    { "9223372036854775807.5", 1, false, false, 0 },
    { "-9223372036854775808.4", 1, true, true, INT64_MIN },
    { "9223372036854775.807", 1000, true, false, INT64_MAX },
    { "9223372036854775.808", 1000, false, false, 0 },
    { "9007199254740993", 1, true, false, 9007199254740993 },
    { "18446744073709551615", 1, false, false, 0 },
    { "0.5", UINT64_MAX, false, false, 0 },
    { "0.1", UINT64_MAX, true, true, 1844674407370955162 },
    { "0.0625", 1024, true, false, 64 },
    { "0.3", 1024, true, true, 307 },
    { "1.5", 1024, true, false, 1536 },
    { "3.14", 1000000, true, false, 3140000 },
    { "+7", 1, true, false, 7 },
    { ".5", 2, true, false, 1 },
    { "5.", 2, true, false, 10 },
    { "", 1, false, false, 0 },
    { ".", 1, false, false, 0 },
    { "-", 1, false, false, 0 },
    { "1..2", 1, false, false, 0 },
    { "1.2.3", 1000, false, false, 0 },
    { "1e", 1, false, false, 0 },
    { "1e+", 1, false, false, 0 },
    { "e5", 1, false, false, 0 },
    { "0x1p4", 1, false, false, 0 },
    { "nan", 1, false, false, 0 },
    { "inf", 1, false, false, 0 },
    { "N/A", 1, false, false, 0 },
    { "1 ", 1, false, false, 0 },
    { "1,5", 1, false, false, 0 },
};

static void str_scaled_is_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(scaled_cases); k++) {
        const struct scaled_case *c = &scaled_cases[k];
        int64_t v = 0;
        bool rounded = false;
        bool ok = str_scaled(str_of(c->s), c->mul, &v, &rounded);
        if (ok != c->ok || v != c->v || rounded != c->rounded)
            fail_msg("%s * %" PRIu64 ": %d %" PRId64 " rounded %d", c->s, c->mul, ok, v, rounded);
        assert_int_equal(str_scaled(str_of(c->s), c->mul, &v, NULL), c->ok);
    }
    bool kept = true;
    int64_t v;
    assert_false(str_scaled(STR_NULL, 1, &v, &kept));
    assert_true(str_scaled(STR("1"), 1, &v, &kept));
    assert_true(kept);
}

/* The quick and the general path agree: the same value with an exponent takes the general one. */
static void str_scaled_paths_agree(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int k = 0; k < 20000; k++) {
        char a[64], b[64];
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint64_t whole = x >> (10 + x % 50);
        unsigned frac = (unsigned)(x % 1000);
        snprintf(a, sizeof a, "%" PRIu64 ".%03u", whole, frac);
        snprintf(b, sizeof b, "%" PRIu64 "%03ue-3", whole, frac);
        int64_t va = -1, vb = -1;
        bool oka = str_scaled(str_of(a), 1000, &va, NULL), okb = str_scaled(str_of(b), 1000, &vb, NULL);
        assert_true(oka == okb && va == vb);
        bool fits = whole < INT64_MAX / 1000;
        if (fits)
            assert_true(oka && va == (int64_t)(whole * 1000 + frac));
    }
}

static void str_f64_reads_back_what_printf_wrote(void **state)
{
    (void)state;
    uint64_t x = 362436069362436069u;
    for (int k = 0; k < 50000; k++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        double want, got = 0;
        char text[64];
        memcpy(&want, &x, sizeof want);
        if (!(want - want == 0))
            continue;
        snprintf(text, sizeof text, "%.17g", want);
        assert_true(str_f64(str_of(text), &got));
        assert_memory_equal(&got, &want, sizeof got);
        /* short decimals: the quick path */
        want = (double)(int64_t)(x >> 12) / 1000.0;
        snprintf(text, sizeof text, "%" PRIu64 ".%03u", (x >> 12) / 1000, (unsigned)((x >> 12) % 1000));
        assert_true(str_f64(str_of(text), &got));
        assert_memory_equal(&got, &want, sizeof got);
    }
}

static void str_f64_at_the_boundaries(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        double v;
    } good[] = {
        { "0", 0.0 },
        { "9007199254740992", 9007199254740992.0 },
        { "9007199254740993", 9007199254740992.0 },
        { "9007199254740993.0000000000000000000000000000000000000001", 9007199254740994.0 },
        { "9007199254740995", 9007199254740996.0 },
        { "1.7976931348623157e308", 1.7976931348623157e308 },
        { "4.9e-324", 4.9e-324 },
        { "1e-999", 0.0 },
        { "0e99999999999999999999", 0.0 },
        { "123456.789E-3", 123.456789 },
        { "-.5", -0.5 },
        { "+2.", 2.0 },
    };
    static const char *const bad[] = { "",   "nan", "inf", "-inf", "Infinity", "1e999", "0x10", "1e",
                                       " 1", "1 ",  "1,5", "-",    ".",        "N/A",   "1_0" };
    double v = 0;
    assert_false(str_f64(STR_NULL, &v));
    for (size_t k = 0; k < ARRAY_LEN(good); k++) {
        assert_true(str_f64(str_of(good[k].s), &v));
        assert_memory_equal(&v, &good[k].v, sizeof v);
    }
    for (size_t k = 0; k < ARRAY_LEN(bad); k++)
        assert_false(str_f64(str_of(bad[k]), &v));
    assert_true(str_f64(STR("-0"), &v) && v == 0 && signbit(v));
}

/* 2^53 + 1 followed by 2000 zeros and a one: above halfway only because of the last digit. */
static void str_f64_counts_digits_far_after(void **state)
{
    (void)state;
    char text[2100];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    double v = 0;
    assert_true(str_f64((struct str){ text, 2050 }, &v));
    assert_true(v == 9007199254740992.0);
    text[2049] = '1';
    assert_true(str_f64((struct str){ text, 2050 }, &v));
    assert_true(v == 9007199254740994.0);
    /* the same in front of the point */
    memset(text, '0', sizeof text);
    text[0] = '1';
    assert_false(str_f64((struct str){ text, 1000 }, &v));
    memcpy(text + 1000, "e-999", 5);
    assert_true(str_f64((struct str){ text, 1005 }, &v));
    assert_true(v == 1.0);
}

static void str_hash_depends_on_every_byte_and_the_seed(void **state)
{
    (void)state;
    char text[40] = { 0 };
    assert_true(str_seed() == str_seed() && str_seed() != 0);
    for (size_t n = 1; n < sizeof text; n++) {
        uint64_t h = str_hash((struct str){ text, n }, 1);
        assert_true(h != str_hash((struct str){ text, n - 1 }, 1));
        assert_true(h != str_hash((struct str){ text, n }, 2));
        for (size_t i = 0; i < n; i++) {
            text[i] = 1;
            assert_true(h != str_hash((struct str){ text, n }, 1));
            text[i] = 0;
        }
    }
}

static void intern_gives_ids_in_order_of_first_use(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct intern *t = NULL;
    assert_int_equal(intern_new(&t, &e), OK);
    assert_true(intern_find(t, STR("x")) == INTERN_NONE);
    assert_int_equal(intern_put(t, STR("")), 0);
    struct str first = intern_get(t, 0);
    for (uint32_t i = 1; i < 100000; i++) {
        char text[32];
        snprintf(text, sizeof text, "op_%u", i);
        assert_int_equal(intern_put(t, str_of(text)), i);
        if (i % 7 == 0)
            assert_int_equal(intern_put(t, STR("op_1")), 1);
    }
    assert_int_equal(intern_count(t), 100000);
    assert_int_equal(intern_find(t, STR("op_77777")), 77777);
    assert_true(intern_find(t, STR("op_100000")) == INTERN_NONE);
    assert_true(str_eq(intern_get(t, 99999), STR("op_99999")));
    assert_true(intern_get(t, 0).p == first.p && first.n == 0);
    assert_null(intern_get(t, 100000).p);
    assert_true(intern_put(t, (struct str){ "a\0b", 3 }) != intern_put(t, (struct str){ "a\0c", 3 }));
    intern_free(t);
    intern_free(NULL);
}

static void intern_keeps_bytes_of_any_length(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct intern *t = NULL;
    assert_int_equal(intern_new(&t, &e), OK);
    size_t big = (size_t)3 << 20;
    char *text = malloc(big);
    assert_non_null(text);
    memset(text, 'n', big);
    uint32_t id = intern_put(t, (struct str){ text, big });
    uint32_t next = intern_put(t, STR("after"));
    text[big - 1] = 'm';
    assert_true(intern_find(t, (struct str){ text, big }) == INTERN_NONE);
    text[big - 1] = 'n';
    assert_true(str_eq(intern_get(t, id), (struct str){ text, big }));
    assert_true(str_eq(intern_get(t, next), STR("after")));
    free(text);
    intern_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(str_views_compare_and_cut),
        cmocka_unit_test(str_natural_order_compares_numbers_by_value),
        cmocka_unit_test(str_find_and_pieces),
        cmocka_unit_test(str_integers_at_the_boundaries),
        cmocka_unit_test(str_scaled_is_exact),
        cmocka_unit_test(str_scaled_paths_agree),
        cmocka_unit_test(str_f64_reads_back_what_printf_wrote),
        cmocka_unit_test(str_f64_at_the_boundaries),
        cmocka_unit_test(str_f64_counts_digits_far_after),
        cmocka_unit_test(str_hash_depends_on_every_byte_and_the_seed),
        cmocka_unit_test(intern_gives_ids_in_order_of_first_use),
        cmocka_unit_test(intern_keeps_bytes_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
