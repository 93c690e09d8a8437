/* SPDX-License-Identifier: Apache-2.0 */
/* What tables keep in memory: lists of texts, columns, their order, sorting rows. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/view/column.h"
#include "model/view/radix.h"
#include "model/view/ranking.h"
#include "model/view/slice.h"

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* Paths with folders that repeat, that are all different, and none. */
static int make_name(char *buf, size_t n, uint64_t *r, size_t i)
{
    switch (next(r) % 4) {
    case 0:
        return snprintf(buf, n, "Default/network/layer%d/conv%d/Conv2D-op%zu", (int)(next(r) % 9),
                        (int)(next(r) % 3), i);
    case 1:
        return snprintf(buf, n, "run%zu/step/x", i);
    case 2:
        return snprintf(buf, n, "%s%zu", next(r) % 2 ? "/" : "aclnn", i);
    default:
        return snprintf(buf, n, "Default/Gradients/%0*d/%zu", (int)(next(r) % 400) + 1, 7, i);
    }
}

static struct texts *make_texts(size_t n, uint64_t seed, struct str *copies)
{
    struct err e = ERR_INIT;
    struct texts *t = NULL;

    assert_int_equal(texts_new(&t, &e), OK);
    for (size_t i = 0; i < n; i++) {
        char name[600];
        int len = i == 3 ? 0 : make_name(name, sizeof name, &seed, i);
        struct str s = { name, (size_t)len };
        char *p = malloc(s.n + 1);
        assert_non_null(p);
        memcpy(p, s.p, s.n);
        copies[i] = (struct str){ p, s.n };
        assert_int_equal(texts_add(t, s, &e), OK);
    }
    texts_end(t);
    assert_int_equal(texts_count(t), n);
    return t;
}

static void free_copies(struct str *copies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free((char *)copies[i].p);
}

static void texts_read_in_any_order_are_what_was_added(void **state)
{
    (void)state;
    enum { N = 5000 };
    static struct str copies[N];
    struct err e = ERR_INIT;
    struct texts *t = make_texts(N, 11, copies);
    struct texts_cursor c;
    uint64_t r = 5;
    size_t folder;

    assert_int_equal(texts_open(&c, t, &e), OK);
    for (size_t i = 0; i < N; i++)
        assert_true(str_eq(texts_at(&c, (uint32_t)i), copies[i]));
    for (size_t k = 0; k < 4 * N; k++) {
        size_t i = next(&r) % 3 ? next(&r) % N : k % N;
        struct str rest = texts_rest(&c, (uint32_t)i, &folder), f = texts_folder(t, folder);
        assert_true(rest.n + f.n == copies[i].n && str_starts(copies[i], f) && str_ends(copies[i], rest));
        assert_true(str_eq(texts_at(&c, (uint32_t)i), copies[i]));
        assert_true(str_eq(texts_at(&c, (uint32_t)i), copies[i]));
    }
    assert_null(texts_at(&c, N).p);
    texts_close(&c);
    texts_free(t);
    free_copies(copies, N);
}

static void texts_of_long_paths_take_a_fraction_of_their_bytes(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct texts *t = NULL;
    size_t bytes = 0;

    assert_int_equal(texts_new(&t, &e), OK);
    for (int i = 0; i < 20000; i++) {
        char name[300];
        int n = snprintf(name, sizeof name,
                         "%s/network-TrainOneStepCell/network-WithLossCell/model-LlamaModel/"
                         "layers-CellList/%d-LlamaDecodeLayer/attention/MatMul-op%d",
                         i % 3 ? "Default" : "Gradients/Default", i % 40, i);
        bytes += (size_t)n;
        assert_int_equal(texts_add(t, (struct str){ name, (size_t)n }, &e), OK);
    }
    texts_end(t);
    assert_true(texts_bytes(t) < bytes / 5);
    texts_free(t);
}

/* ---- columns ---- */

static void column_of_numbers_is_as_narrow_as_its_range(void **state)
{
    (void)state;
    static const struct {
        int64_t from, to;
        enum column_width width;
    } cases[] = {
        { 0, 254, CW_U8 },
        { 0, 255, CW_U16 },
        { -7, 200, CW_U8 },
        { 1000000000000, 1000000065000, CW_U16 },
        { 5, 65540, CW_U32 },
        { -2000000000, 2000000000, CW_U32 },
        { 0, 4294967295, CW_I64 },
        { INT64_MIN + 1, INT64_MAX, CW_I64 },
        { INT64_MAX - 200, INT64_MAX, CW_U8 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_INIT;
        struct column_build *b = NULL;
        struct column c;
        struct val lo = val_int(cases[i].from), hi = val_int(cases[i].to), no = val_null();
        assert_int_equal(column_build_new(&b, CS_NUMBER, 4, &e), OK);
        assert_true(column_build_put(b, 0, &lo) && column_build_put(b, 1, &no) &&
                    column_build_put(b, 2, &hi));
        assert_int_equal(column_build_end(b, &c, &e), OK);
        assert_int_equal(c.width, cases[i].width);
        assert_true(column_int(&c, 0) == cases[i].from && column_int(&c, 2) == cases[i].to);
        assert_true(!column_null(&c, 0) && column_null(&c, 1) && column_null(&c, 3));
        column_build_free(b);
        column_done(&c);
    }
}

static void column_with_a_fraction_keeps_doubles(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct column_build *b = NULL;
    struct column c;
    const struct val v[] = { val_int(3), val_real(4.0), val_null(), val_real(0.25),
                             val_int(-9007199254740993) };

    assert_int_equal(column_build_new(&b, CS_NUMBER, 6, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(v); i++)
        assert_true(column_build_put(b, i, &v[i]));
    assert_int_equal(column_build_end(b, &c, &e), OK);
    assert_int_equal(c.width, CW_F64);
    assert_true(c.f64[0] == 3 && c.f64[1] == 4 && c.f64[3] == 0.25);
    assert_true(column_null(&c, 2) && column_null(&c, 5));
    column_build_free(b);
    column_done(&c);
}

static void column_of_string_ids_asks_for_the_texts_in_use(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct column_build *b = NULL;
    struct column c;
    const int64_t in[] = { 70000, 3, 0, 3, 12, -4 };
    const uint32_t *ids;
    size_t n;

    assert_int_equal(column_build_new(&b, CS_STRING, ARRAY_LEN(in), &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(in); i++) {
        struct val v = val_int(in[i]);
        assert_true(column_build_put(b, i, &v));
    }
    assert_int_equal(column_build_ids(b, &ids, &n, &e), OK);
    assert_int_equal(n, 3);
    assert_true(ids[0] == 3 && ids[1] == 12 && ids[2] == 70000);
    for (size_t i = 0; i < n; i++) {
        char text[20];
        snprintf(text, sizeof text, "t%u", ids[i]);
        assert_int_equal(column_build_text(b, str_of(text), &e), OK);
    }
    assert_int_equal(column_build_end(b, &c, &e), OK);
    assert_int_equal(c.width, CW_U8);
    assert_int_equal(c.n_codes, 4);
    const uint32_t want[] = { 3, 1, 0, 1, 2, 0 };
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(column_raw(&c, i), want[i]);
    column_build_free(b);
    column_done(&c);
}

/* ---- order of texts ---- */

static int by_text(const void *a, const void *b)
{
    return str_cmp_natural(*(const struct str *)a, *(const struct str *)b);
}

/* Lists that share texts; in slices so short that each does the least. */
static void ranking_of_several_lists_is_one_order(void **state)
{
    (void)state;
    enum { N = 9000 };
    static struct str copies[2 * N], sorted[2 * N];
    struct err e = ERR_INIT;
    const struct texts *lists[] = { make_texts(N, 7, copies), make_texts(N, 7, copies + N) };
    struct ranking *r = NULL;
    bool done = false;
    int slices = 0;

    assert_int_equal(ranking_new(&r, lists, 2, &e), OK);
    for (; !done; slices++)
        assert_int_equal(ranking_step(r, slice_until(1), &done, &e), OK);
    assert_true(slices > 5);
    uint32_t *rank[] = { ranking_take(r, 0), ranking_take(r, 1) };
    memcpy(sorted, copies, sizeof sorted);
    qsort(sorted, 2 * N, sizeof *sorted, by_text);
    for (size_t i = 0; i < 2 * N; i++) {
        size_t at = i % N;
        assert_int_equal(rank[0][at + 1], rank[1][at + 1]);
        assert_true(str_eq(sorted[2 * (size_t)rank[i / N][at + 1]], copies[i]));
    }
    ranking_free(r);
    for (size_t i = 0; i < 2; i++) {
        texts_free((struct texts *)lists[i]);
        free(rank[i]);
    }
    free_copies(copies, 2 * N);
}

static void ranking_top_is_the_beginning_of_the_order(void **state)
{
    (void)state;
    enum { N = 4000, TOP = 50 };
    static struct str copies[N], sorted[N];
    static uint8_t used[N + 1];
    struct err e = ERR_INIT;
    struct texts *t = make_texts(N, 23, copies);
    uint32_t codes[TOP];
    size_t n, n_used = 0;

    for (size_t i = 0; i < N; i++)
        if (i % 3) {
            used[i + 1] = 1;
            sorted[n_used++] = copies[i];
        }
    qsort(sorted, n_used, sizeof *sorted, by_text);
    for (int desc = 0; desc < 2; desc++) {
        assert_int_equal(ranking_top(t, used, desc, codes, TOP, &n, &e), OK);
        assert_int_equal(n, TOP);
        for (size_t i = 0; i < n; i++)
            assert_true(str_eq(copies[codes[i] - 1], sorted[desc ? n_used - 1 - i : i]));
    }
    texts_free(t);
    free_copies(copies, N);
}

/* ---- sorting rows ---- */

static uint64_t key_at(const void *arg, uint32_t row)
{
    return ((const uint64_t *)arg)[row];
}

static const uint64_t *keys_for_cmp;

static int by_key(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t k = keys_for_cmp[x], l = keys_for_cmp[y];
    return k != l ? (k < l ? -1 : 1) : x < y ? -1 : 1;
}

/*
 * Keys of many kinds: few values, dense, spread over 64 bits, alike but for the lowest bits, alike but for
 * the highest.
 */
static uint64_t make_key(uint64_t *r, int kind)
{
    switch (kind) {
    case 0:
        return next(r) % 5;
    case 1:
        return next(r) % 100000;
    case 2:
        return next(r);
    case 3:
        return UINT64_C(0x8000000000000000) + next(r) % 1000;
    case 4:
        return (next(r) % 3) << 62 | next(r) % 4;
    default:
        return next(r) % 2 ? next(r) : 77;
    }
}

static void radix_sorts_as_comparing_does_and_keeps_ties(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 2, 23, 24, 25, 300, 20000 };
    static uint64_t keys[20000];
    static uint32_t rows[20000], want[20000];
    uint64_t r = 99;

    for (int kind = 0; kind < 6; kind++)
        for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
            struct err e = ERR_INIT;
            size_t n = sizes[s];
            for (size_t i = 0; i < n; i++) {
                keys[i] = make_key(&r, kind);
                rows[i] = want[i] = (uint32_t)i;
            }
            keys_for_cmp = keys;
            qsort(want, n, sizeof *want, by_key);
            assert_int_equal(radix_rows(rows, n, key_at, keys, &e), OK);
            assert_memory_equal(rows, want, n * sizeof *rows);
            struct radix_top top;
            assert_int_equal(radix_top_init(&top, 40, &e), OK);
            for (size_t i = 0; i < n; i++)
                radix_top_offer(&top, keys[i], (uint32_t)i);
            radix_top_end(&top);
            assert_int_equal(top.n, n < 40 ? n : 40);
            assert_memory_equal(top.row, want, top.n * sizeof *want);
            radix_top_done(&top);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_read_in_any_order_are_what_was_added),
        cmocka_unit_test(texts_of_long_paths_take_a_fraction_of_their_bytes),
        cmocka_unit_test(column_of_numbers_is_as_narrow_as_its_range),
        cmocka_unit_test(column_with_a_fraction_keeps_doubles),
        cmocka_unit_test(column_of_string_ids_asks_for_the_texts_in_use),
        cmocka_unit_test(ranking_of_several_lists_is_one_order),
        cmocka_unit_test(ranking_top_is_the_beginning_of_the_order),
        cmocka_unit_test(radix_sorts_as_comparing_does_and_keeps_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
