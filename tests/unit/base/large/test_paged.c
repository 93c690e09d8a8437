/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in pages: what they hold when most of it lies in a file, their order when sorted, their bound. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/large/paged.h"

#define MIB ((uint64_t)1 << 20)

static char dir[] = "/tmp/paged-XXXXXX";

static struct paged_pool *pool_of(uint64_t memory_b)
{
    struct err e = ERR_INIT;
    struct paged_pool *p;

    assert_int_equal(paged_pool_new(&p, memory_b, &e), OK);
    return p;
}

static void free_of(struct paged_pool *p)
{
    struct err e = ERR_INIT;

    assert_int_equal(paged_failed(p, &e), OK);
    paged_pool_free(p);
}

static uint64_t mixed(uint64_t i)
{
    i = (i ^ i >> 31) * 0x9e3779b97f4a7c15u;
    return i ^ i >> 29;
}

struct odd { /* a size that does not divide a page */
    uint64_t value;
    uint32_t number[3];
    uint32_t spare;
};

static void fill(struct paged *a, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        struct odd *x = paged_add(a);
        assert_int_equal(x->value, 0);
        *x = (struct odd){ .value = mixed(i + seed), .number = { (uint32_t)i } };
    }
}

static void check(struct paged *a, size_t n, uint64_t seed)
{
    assert_int_equal(a->n, n);
    for (size_t i = 0; i < n; i++) {
        const struct odd *x = paged_at(a, i);
        if (x->value != mixed(i + seed) || x->number[0] != (uint32_t)i)
            fail_msg("element %zu", i);
    }
}

static void test_all_in_memory(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(4 * MIB);
    struct paged a;

    paged_init(&a, p, sizeof(struct odd));
    fill(&a, 100000, 1);
    check(&a, 100000, 1);
    assert_int_equal(paged_filed_b(p), 0);
    paged_done(&a);
    free_of(p);
}

static void test_most_in_the_file(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(MIB);
    struct paged a, b;

    paged_init(&a, p, sizeof(struct odd));
    paged_init(&b, p, sizeof(struct odd));
    fill(&a, 200000, 1);
    fill(&b, 100000, 7);
    assert_true(paged_filed_b(p) > 5 * MIB);
    check(&a, 200000, 1);
    check(&b, 100000, 7);
    for (size_t i = 0; i < 200000; i++) { /* here and there */
        size_t at = mixed(i) % a.n;
        struct odd *x = paged_edit(&a, at);
        const struct odd *y = paged_at(&b, at % b.n);
        x->number[1] += y->number[0] + 1;
        assert_int_equal(x->number[0], (uint32_t)at);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < 200000; i++)
        sum += mixed(i) % a.n % b.n + 1;
    for (size_t i = 0; i < a.n; i++)
        sum -= ((const struct odd *)paged_at(&a, i))->number[1];
    assert_int_equal(sum, 0);
    paged_done(&a);
    check(&b, 100000, 7);
    paged_done(&b);
    assert_int_equal(paged_filed_b(p), 0);
    free_of(p);
}

static void test_a_row_stays_for_four_more(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(MIB);
    struct paged a;

    paged_init(&a, p, sizeof(struct odd));
    fill(&a, 400000, 3);
    for (size_t i = 0; i < 20000; i++) {
        size_t at = mixed(i) % a.n;
        const struct odd *x = paged_at(&a, at);
        for (size_t k = 1; k <= 4; k++)
            (void)paged_at(&a, mixed(i + k * 1000003) % a.n);
        assert_int_equal(x->number[0], (uint32_t)at);
    }
    paged_done(&a);
    free_of(p);
}

static void test_elements_that_no_one_set(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(MIB);
    struct err e = ERR_INIT;
    struct paged a, none;

    assert_int_equal(paged_make(&a, p, sizeof(double), 1000000, 0xff, &e), OK);
    assert_int_equal(paged_make(&none, p, sizeof(double), 0, 0, &e), OK);
    for (size_t i = 0; i < a.n; i += 1000)
        *(double *)paged_edit(&a, i) = (double)i;
    for (size_t i = 0; i < a.n; i++) {
        double x = *(const double *)paged_at(&a, i);
        assert_true(i % 1000 ? isnan(x) : x == (double)i);
    }
    paged_done(&a);
    paged_done(&none);
    free_of(p);
}

/* ---- sorting ---- */

static bool before(const void *x, const void *y)
{
    const struct odd *a = x, *b = y;

    return a->value < b->value;
}

/* Sorted by value, and equal ones in the order of their numbers. */
static void sorts(size_t n, uint64_t (*value)(uint64_t i, size_t n))
{
    struct paged_pool *p = pool_of(MIB);
    struct err e = ERR_INIT;
    struct paged a;
    uint64_t sum = 0;

    paged_init(&a, p, sizeof(struct odd));
    for (size_t i = 0; i < n; i++) {
        struct odd *x = paged_add(&a);
        x->value = value(i, n);
        x->number[0] = (uint32_t)i;
        sum += mixed(i);
    }
    assert_int_equal(paged_sort(&a, before, &e), OK);
    assert_int_equal(a.n, n);
    struct odd last = { 0 };
    for (size_t i = 0; i < n; i++) {
        struct odd x = *(const struct odd *)paged_at(&a, i);
        assert_int_equal(x.value, value(x.number[0], n));
        if (i && (x.value < last.value || (x.value == last.value && x.number[0] < last.number[0])))
            fail_msg("element %zu of %zu", i, n);
        sum -= mixed(x.number[0]);
        last = x;
    }
    assert_int_equal(sum, 0);
    paged_done(&a);
    free_of(p);
}

static uint64_t in_order(uint64_t i, size_t n)
{
    (void)n;
    return i / 3;
}
static uint64_t two_parts(uint64_t i, size_t n)
{
    return i < n / 3 ? i * 3 : i;
}
static uint64_t nearly(uint64_t i, size_t n)
{
    (void)n;
    return i + mixed(i) % 50;
}
static uint64_t backwards(uint64_t i, size_t n)
{
    return (n - i) / 2;
}
static uint64_t anyhow(uint64_t i, size_t n)
{
    return mixed(i) % (n + 1);
}
static uint64_t few(uint64_t i, size_t n)
{
    (void)n;
    return mixed(i) % 5;
}

static void test_sorting(void **state)
{
    (void)state;
    static uint64_t (*const orders[])(uint64_t i, size_t n) = { in_order,  two_parts, nearly,
                                                                backwards, anyhow,    few };
    static const size_t sizes[] = { 0, 1, 2, 9, 100, 5000, 50000, 300000 };

    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            sorts(sizes[i], orders[k]);
    sorts(1500000, anyhow); /* more parts than are merged at once */
}

/* Parts that are in order are walked in the order of all of them, and changed behind. */
static void test_a_walk(void **state)
{
    (void)state;
    enum { PARTS = PAGED_WAYS, EACH = 20000 };
    struct paged_pool *p = pool_of(MIB);
    struct err e = ERR_INIT;
    size_t from[PARTS], at, n = 0;
    struct paged_walk *w;
    struct odd last = { 0 };
    struct paged a;

    paged_init(&a, p, sizeof(struct odd));
    for (size_t k = 0; k < PARTS; k++) {
        from[k] = a.n;
        for (size_t i = 0; i < EACH + k; i++) {
            struct odd *x = paged_add(&a);
            x->value = i / (k % 3 + 1);
        }
    }
    assert_int_equal(paged_walk_new(&w, &a, before, from, PARTS, &e), OK);
    while (paged_walk_next(w, &at)) {
        struct odd *x = paged_edit(&a, at);
        x->number[0] = (uint32_t)at;
        if (n && (x->value < last.value || (x->value == last.value && at < last.number[0])))
            fail_msg("element %zu", at);
        x->number[1]++;
        last = *x;
        n++;
    }
    paged_walk_free(w);
    assert_int_equal(n, a.n);
    for (size_t i = 0; i < a.n; i++)
        assert_int_equal(((const struct odd *)paged_at(&a, i))->number[1], 1);
    paged_done(&a);
    free_of(p);
}

/* ---- no room ---- */

static void test_without_a_file(void **state)
{
    (void)state;
    struct paged_pool *p;
    struct paged a;

    setenv("TMPDIR", "/nonexistent", 1);
    p = pool_of(MIB);
    paged_init(&a, p, sizeof(struct odd));
    fill(&a, 200000, 1);
    check(&a, 200000, 1);
    assert_int_equal(paged_filed_b(p), 0);
    paged_done(&a);
    free_of(p);
    setenv("TMPDIR", dir, 1);
}

/* What is in the file already is read from there, the rest stays in memory. */
static void test_the_file_may_not_grow(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(MIB);
    struct rlimit was, less;
    struct paged a;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    less = (struct rlimit){ 2 * MIB, was.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    paged_init(&a, p, sizeof(struct odd));
    fill(&a, 400000, 5);
    check(&a, 400000, 5);
    assert_int_equal(paged_filed_b(p), 2 * MIB);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_DFL);
    paged_done(&a);
    free_of(p);
}

/* After an error what is not in memory is zero, and the error is told. */
static void test_an_error_stays(void **state)
{
    (void)state;
    struct paged_pool *p = pool_of(MIB);
    struct err e = ERR_INIT, first = ERR_INIT;
    struct paged a;

    paged_init(&a, p, sizeof(struct odd));
    fill(&a, 400000, 5);
    assert_false(paged_is_lost(p));
    assert_int_equal(err_set(&first, ERR_IO, "of the test"), ERR_IO);
    paged_fail(p, &first);
    assert_true(paged_is_lost(p));
    assert_int_equal(((const struct odd *)paged_at(&a, 0))->value, 0);
    assert_int_equal(((const struct odd *)paged_add(&a))->value, 0);
    assert_int_equal(paged_failed(p, &e), ERR_IO);
    assert_string_equal(e.text, "of the test");
    paged_done(&a);
    paged_pool_free(p);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(dir) ? setenv("TMPDIR", dir, 1) : -1;
}
static int clear_up(void **state)
{
    (void)state;
    return rmdir(dir); /* no file is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_in_memory),
        cmocka_unit_test(test_most_in_the_file),
        cmocka_unit_test(test_a_row_stays_for_four_more),
        cmocka_unit_test(test_elements_that_no_one_set),
        cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_a_walk),
        cmocka_unit_test(test_without_a_file),
        cmocka_unit_test(test_the_file_may_not_grow),
        cmocka_unit_test(test_an_error_stays),
    };
    return cmocka_run_group_tests(tests, set_up, clear_up);
}
