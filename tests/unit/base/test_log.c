/* SPDX-License-Identifier: Apache-2.0 */
/* What reaches standard error and the log file: caught through a pipe in place of standard error.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/text.h"

static int saved_stderr = -1, catcher[2];
static char caught[8192], file[300];

static int setup(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    log_level(0);
    log_screen(0);
    log_text_flags(TEXT_ASCII);
    return log_to_file(NULL, &e);
}

static void catch_begin(void)
{
    assert_int_equal(pipe(catcher), 0);
    saved_stderr = dup(STDERR_FILENO);
    assert_int_equal(dup2(catcher[1], STDERR_FILENO), STDERR_FILENO);
}

/* What was written to standard error since catch_begin. */
static const char *catch_end(void)
{
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    close(catcher[1]);
    size_t used = 0;
    ssize_t n;
    while ((n = read(catcher[0], caught + used, sizeof caught - 1 - used)) > 0)
        used += (size_t)n;
    caught[used] = '\0';
    close(catcher[0]);
    return caught;
}

static const char *file_text(void)
{
    int fd = open(file, O_RDONLY);
    assert_true(fd >= 0);
    ssize_t n = read(fd, caught, sizeof caught - 1);
    assert_true(n >= 0);
    caught[n] = '\0';
    close(fd);
    return caught;
}

static void log_error_names_file_offset_and_line(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    err_set(&e, ERR_FORMAT, "last record is cut (40 of 64 bytes)");
    err_where(&e, "device_0/data/hwts.data.0.slice_10", 9856704, 7);
    catch_begin();
    log_error(&e);
    assert_string_equal(catch_end(), "npuscope: device_0/data/hwts.data.0.slice_10: at byte 9856704 "
                                     "(line 7): last record is cut (40 of 64 bytes)\n");
}

static void log_error_is_sanitised(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    err_set(&e, ERR_FORMAT, "%s", "bad \x1b]0;title\x07 \u202e\xff");
    err_where(&e, "a\nb\x1b[2J", ERR_NO_OFFSET, 0);
    catch_begin();
    log_error(&e);
    assert_string_equal(catch_end(), "npuscope: a^Jb^[[2J: bad ^[]0;title^G <U+202E><0xFF>\n");
    log_text_flags(0);
    catch_begin();
    log_message("%s", "\u4e2d\t\u202e");
    assert_string_equal(catch_end(), "npuscope: \u4e2d\u2409<U+202E>\n");
}

static void log_line_depends_on_the_level(void **state)
{
    (void)state;
    catch_begin();
    log_line(1, "not shown");
    log_line(0, "shown %d", 0);
    log_level(1);
    log_line(1, "shown %d", 1);
    log_line(2, "not shown");
    assert_string_equal(catch_end(), "npuscope: shown 0\nnpuscope: shown 1\n");
    assert_int_equal(log_get_level(), 1);
    log_level(2);
    catch_begin();
    log_line(1, "timed");
    const char *line = catch_end();
    assert_non_null(strstr(line, " s  timed\n"));
    assert_non_null(strchr(line, '.'));
}

static void log_screen_keeps_standard_error_quiet(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    err_set(&e, ERR_IO, "x");
    catch_begin();
    log_screen(1);
    log_line(0, "a");
    log_message("b");
    log_error(&e);
    log_screen(0);
    log_message("c");
    assert_string_equal(catch_end(), "npuscope: c\n");
}

static void log_to_file_appends(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    const char *dir = getenv("TMPDIR");
    snprintf(file, sizeof file, "%s/npuscope-test-XXXXXX", dir ? dir : "/tmp");
    int fd = mkstemp(file);
    assert_int_equal(write(fd, "before\n", 7), 7);
    close(fd);
    assert_int_equal(log_to_file(file, &e), OK);
    catch_begin();
    log_line(0, "line \x1b");
    log_screen(1);
    log_message("message"); /* hidden by the screen, but in the file */
    log_screen(0);
    err_set(&e, ERR_IO, "error");
    log_error(&e);
    assert_string_equal(catch_end(), "npuscope: error\n");
    assert_string_equal(file_text(), "before\nnpuscope: line ^[\nnpuscope: message\nnpuscope: error\n");
    unlink(file);
    err_clear(&e);
    assert_int_equal(log_to_file("/no/such/dir/log", &e), ERR_IO);
    assert_int_equal(e.sys, ENOENT);
    assert_string_equal(e.file, "/no/such/dir/log");
}

static void log_to_file_full_falls_back(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(log_to_file("/dev/full", &e), OK);
    catch_begin();
    log_line(0, "first");
    log_line(0, "second");
    const char *text = catch_end();
    assert_non_null(strstr(text, "cannot write the log"));
    assert_non_null(strstr(text, "No space left"));
    assert_non_null(strstr(text, "\nnpuscope: first\nnpuscope: second\n"));
}

static void log_long_lines_are_cut_and_end(void **state)
{
    (void)state;
    static char longer[20000];
    memset(longer, 0xFF, sizeof longer - 1);
    catch_begin();
    log_message("%s", longer);
    const char *text = catch_end();
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_null(strstr(text, "\xff"));
    assert_true(strlen(text) > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(log_error_names_file_offset_and_line, setup),
        cmocka_unit_test_setup(log_error_is_sanitised, setup),
        cmocka_unit_test_setup(log_line_depends_on_the_level, setup),
        cmocka_unit_test_setup(log_screen_keeps_standard_error_quiet, setup),
        cmocka_unit_test_setup(log_to_file_appends, setup),
        cmocka_unit_test_setup(log_to_file_full_falls_back, setup),
        cmocka_unit_test_setup(log_long_lines_are_cut_and_end, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
