/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and the first-error-wins rule of base/err. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void err_second_set_keeps_first(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    assert_int_equal(err_set(&e, ERR_FORMAT, "first %d", 1), ERR_FORMAT);
    assert_int_equal(err_set(&e, ERR_IO, "second"), ERR_FORMAT);
    assert_string_equal(e.text, "first 1");
}

static void err_message_names_file_offset_and_line(void **state)
{
    (void)state;
    char buf[600];
    struct err e = ERR_INIT;
    err_set(&e, ERR_FORMAT, "row is cut");
    err_where(&e, "a/b.csv", 120, 4);
    err_where(&e, "other", 7, 9);
    assert_string_equal(err_message(&e, buf, sizeof buf), "a/b.csv: at byte 120 (line 4): row is cut");
}

static void err_sys_no_space_is_full(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    assert_int_equal(err_sys(&e, ENOSPC, "cannot write"), ERR_FULL);
    assert_non_null(strstr(e.text, "No space left"));
}

static void err_where_keeps_the_end_of_a_long_path(void **state)
{
    (void)state;
    char path[1000];
    memset(path, 'x', sizeof path);
    strcpy(path + sizeof path - 6, "/tail");
    struct err e = ERR_INIT;
    err_set(&e, ERR_IO, "t");
    err_where(&e, path, ERR_NO_OFFSET, 0);
    assert_int_equal(strlen(e.file), sizeof e.file - 1);
    assert_string_equal(e.file + strlen(e.file) - 5, "/tail");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(err_second_set_keeps_first),
        cmocka_unit_test(err_message_names_file_offset_and_line),
        cmocka_unit_test(err_sys_no_space_is_full),
        cmocka_unit_test(err_where_keeps_the_end_of_a_long_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
