/* SPDX-License-Identifier: Apache-2.0 */
/* Bump allocator: alignment, ceiling, reset. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

static struct arena *arena_of(size_t max)
{
    struct err e = ERR_INIT;
    struct arena *a = NULL;
    assert_int_equal(arena_new(&a, max, &e), OK);
    return a;
}

static void arena_alloc_is_aligned_after_strings(void **state)
{
    (void)state;
    struct arena *a = arena_of(1 << 20);
    for (size_t n = 0; n < 3000; n++) {
        struct str s = arena_str(a, str_sub(STR("abcdefghijklmnopq"), 0, n % 17));
        assert_int_equal(s.n, n % 17);
        assert_int_equal(s.p[s.n], 0);
        void *p = arena_alloc(a, n % 40);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
    }
    arena_free(a);
}

static void arena_alloc_above_the_maximum_is_null(void **state)
{
    (void)state;
    struct arena *a = arena_of(10000);
    assert_null(arena_alloc(a, 10001));
    assert_null(arena_alloc(a, SIZE_MAX));
    assert_non_null(arena_alloc(a, 10000));
    assert_null(arena_alloc(a, 1));
    assert_null(arena_str(a, STR("x")).p);
    assert_null(arena_printf(a, "%d", 1));
    arena_reset(a);
    assert_non_null(arena_alloc(a, 9000));
    arena_free(a);
}

static void arena_total_never_passes_the_maximum(void **state)
{
    (void)state;
    struct arena *a = arena_of(100000);
    size_t got = 0;
    while (arena_alloc(a, 16))
        got += 16;
    assert_true(got <= 100000);
    assert_true(got > 90000);
    arena_free(a);
}

static void arena_array_overflow_is_null(void **state)
{
    (void)state;
    struct arena *a = arena_of(SIZE_MAX);
    assert_null(arena_array(a, SIZE_MAX / 2, 3));
    assert_null(arena_alloc(a, SIZE_MAX - 8));
    int *v = arena_array(a, 100, sizeof *v);
    assert_non_null(v);
    for (int i = 0; i < 100; i++)
        assert_int_equal(v[i], 0);
    arena_free(a);
}

static void arena_printf_formats(void **state)
{
    (void)state;
    struct arena *a = arena_of(1 << 16);
    assert_string_equal(arena_printf(a, "%s-%d", "rank", 7), "rank-7");
    arena_reset(a);
    unsigned char *p = arena_zalloc(a, 64);
    for (int i = 0; i < 64; i++)
        assert_int_equal(p[i], 0);
    arena_free(a);
    arena_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_alloc_is_aligned_after_strings),
        cmocka_unit_test(arena_alloc_above_the_maximum_is_null),
        cmocka_unit_test(arena_total_never_passes_the_maximum),
        cmocka_unit_test(arena_array_overflow_is_null),
        cmocka_unit_test(arena_printf_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
