/* SPDX-License-Identifier: Apache-2.0 */
/* Lines around one of a log: both ends of a file, numbers, colours, CRLF, long lines, a file that shrank. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "logs/log_around.h"
#include "tests/unit/tree.h"

#define LINES 3000

static struct {
    struct tree t;
    struct buf text, out;
    size_t at[LINES];
} f;

static int setup(void **state)
{
    (void)state;
    tree_new(&f.t);
    buf_init(&f.text, (size_t)4 << 20);
    buf_init(&f.out, (size_t)4 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tree_done(&f.t);
    buf_done(&f.text);
    buf_done(&f.out);
    return 0;
}

static const char *around(size_t i)
{
    struct err e = ERR_INIT;

    buf_clear(&f.out);
    assert_int_equal(log_around(tree_path(&f.t, "a.log"), f.at[i], i + 1, &f.out, &e), OK);
    return f.out.p;
}

/* Every line of the file is asked for: its number, what stands before and after, and nothing twice. */
static void each_line_is_found_with_its_neighbours(void **state)
{
    (void)state;
    char want[64];

    for (size_t i = 0; i < LINES; i++) {
        f.at[i] = f.text.n;
        buf_printf(&f.text, "line %zu%s\n", i + 1, i % 3 ? "" : "\r");
    }
    tree_file_n(&f.t, "a.log", f.text.p, f.text.n);
    for (size_t i = 0; i < LINES; i += i < 130 || i > LINES - 130 ? 1 : 97) {
        const char *s = around(i);
        size_t first = i > LOG_AROUND ? i - LOG_AROUND : 0,
               last = i + LOG_AROUND < LINES ? i + LOG_AROUND : LINES - 1, n = 0;
        for (const char *p = s; *p; p++)
            n += *p == '\n';
        assert_int_equal(n, last - first + 1);
        snprintf(want, sizeof want, ">%6zu  line %zu\n", i + 1, i + 1);
        assert_non_null(strstr(s, want));
        snprintf(want, sizeof want, " %6zu  line %zu\n", first + 1, first + 1);
        assert_true(i == first || !strncmp(s, want, strlen(want)));
    }
}

static void long_lines_and_colours_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < 20; i++) {
        f.at[i] = f.text.n;
        buf_puts(&f.text, "\033[31m");
        for (size_t k = 0; k < 20000; k++)
            buf_addc(&f.text, (char)('a' + i));
        buf_puts(&f.text, "\033[0m\n");
    }
    tree_file_n(&f.t, "a.log", f.text.p, f.text.n);
    const char *s = around(10);
    assert_null(strchr(s, '\033'));
    assert_non_null(strstr(s, ">    11  kkk"));
    assert_non_null(strstr(s, "     10  jjj"));
    assert_null(strstr(s, "ggg")); /* more than what is read back begins before it */
    assert_true(f.out.n < 10 * (LOG_AROUND_B + 16));
}

static void a_file_that_shrank_is_said(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    tree_file_n(&f.t, "a.log", "one\ntwo\n", 8);
    assert_int_equal(log_around(tree_path(&f.t, "a.log"), 400000, 9, &f.out, &e), ERR_FORMAT);
    assert_non_null(strstr(e.text, "shorter than it was"));
    err_clear(&e);
    assert_int_equal(log_around(tree_path(&f.t, "a.log"), 8, 3, &f.out, &e), ERR_FORMAT);
    err_clear(&e);
    assert_int_equal(log_around(tree_path(&f.t, "none.log"), 0, 1, &f.out, &e), ERR_IO);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = { T(each_line_is_found_with_its_neighbours),
                                        T(long_lines_and_colours_are_cut), T(a_file_that_shrank_is_said) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
