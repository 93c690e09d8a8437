/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a store while something is in the way: the disk. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/fill/fill.h"
#include "tests/unit/tree_case.h"

/* Every descriptor of a file below the tree can only be read from now on. */
static void make_disk_fail(void)
{
    int only_read = open("/dev/zero", O_RDONLY | O_CLOEXEC), n = 0;
    DIR *d = opendir("/proc/self/fd");

    assert_true(only_read >= 0 && d);
    for (const struct dirent *x; (x = readdir(d)) != NULL;) {
        char at[300], path[PATH_MAX];
        snprintf(at, sizeof at, "/proc/self/fd/%s", x->d_name);
        ssize_t len = readlink(at, path, sizeof path - 1);
        path[len > 0 ? len : 0] = 0;
        if (strstr(path, ".npus.tmp.")) {
            assert_true(dup2(only_read, (int)strtol(x->d_name, NULL, 10)) >= 0);
            n++;
        }
    }
    closedir(d);
    close(only_read);
    assert_true(n > 0);
}

/* Rows of a table of its own until an error; long ones, so that they do not wait in memory. */
static int put_rows(struct fill *f, int most, struct err *e)
{
    static char text[100000];
    const struct str name = STR("text");
    int rc = sink_generic_open(fill_sink(f), 1, STR_NULL, &name, 1, e);

    memset(text, 'x', sizeof text);
    for (int i = 0; i < most && rc == OK; i++) {
        const struct val v = val_text((struct str){ text, sizeof text });
        rc = sink_generic_row(fill_sink(f), &v, 1, e);
    }
    return rc;
}

static void fill_error_of_the_disk_is_no_fault_of_the_file(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = tree_path(&tree, "d.npus") }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    make_disk_fail();
    assert_int_equal(put_rows(f, 1000, &e), ERR_IO);
    err_where(&e, "kernel_details.csv", 700, 3); /* as parsers do */
    assert_true(fill_failed(f, &e));
    assert_string_equal(e.file, "");
    assert_true(e.offset == ERR_NO_OFFSET);
    assert_int_equal(e.line, 0);
    fill_abort(f);
}

static void fill_error_of_a_file_stays_its_own(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = tree_path(&tree, "f.npus") }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    assert_int_equal(put_rows(f, 3, &e), OK);
    err_set(&e, ERR_IO, "cannot be read");
    err_where(&e, "kernel_details.csv", 700, 3);
    assert_false(fill_failed(f, &e));
    assert_string_equal(e.file, "kernel_details.csv");
    fill_abort(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fill_error_of_the_disk_is_no_fault_of_the_file, setup, teardown),
        cmocka_unit_test_setup_teardown(fill_error_of_a_file_stays_its_own, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
