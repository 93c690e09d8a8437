/* SPDX-License-Identifier: Apache-2.0 */
/* The file of what a reader chose: written whole, read only whole, never longer than it is read. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"

static char *whole_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 65536);
    assert_non_null(f);
    *n = fread(text, 1, 65535, f);
    fclose(f);
    return text;
}

static void write_part(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

/* An odd byte: maybe told, never a crash. */
static void odd_bytes(struct fixture *x, const char *path, char *text, size_t n)
{
    for (size_t at = 0; at < n; at += 3) {
        char was = text[at];
        text[at] = (char)(at % 2 ? 0xff : was ^ 0x15);
        write_part(path, text, n);
        text[at] = was;
        start(x, 24, 80, true);
        x->a->o.no_state = false;
        state_read(x->a);
        frame(x);
        press(x, "3 4 5");
        stop(x);
    }
}

/*
 * The file of what was chosen: written whole, read only whole; any cut and any odd byte is told and nothing
 * of it is taken.
 */
static void state_is_taken_whole_or_not_at_all(void **state)
{
    struct fixture *x = *state;
    char path[400];
    size_t n;
    setenv("XDG_CACHE_HOME", x->dir, 1);
    start(x, 24, 80, true);
    x->a->o.no_state = false;
    frame(x);
    press(x, "3 v I m j j m \\");
    type(x, "op_name~a\\.b");
    press(x, "Enter F");
    press(x, "q 4 v 5 w w m");
    state_write(x->a);
    stop(x);
    snprintf(path, sizeof path, "%s/npuscope/state", x->dir);
    char *text = whole_file(path, &n);
    assert_true(strstr(text, "\nin ops table ops.op filter + op_name~a\\\\.b\n") != NULL);
    assert_true(strstr(text, "\nin timeline own mark A ") != NULL);
    assert_true(n > 4 && !strcmp(text + n - 4, "end\n"));
    for (size_t cut = 0; cut <= n; cut++) {
        write_part(path, text, cut);
        start(x, 24, 80, true);
        x->a->o.no_state = false;
        state_read(x->a);
        assert_int_equal(strstr(x->a->message, "damaged") != NULL, cut < n);
        assert_int_equal(x->a->current, cut < n ? PANE_TRIAGE : PANE_TIME);
        stop(x);
    }
    odd_bytes(x, path, text, n);
    write_part(path, text, n);
    start(x, 24, 80, true);
    x->a->o.no_state = false;
    state_read(x->a);
    frame(x);
    press(x, "3");
    shows(x, "op_name~a\\.b");
    shows(x, "Total ^");
    press(x, "5");
    shows(x, "1 mark");
    /* Written again without having changed anything it is the same. */
    state_write(x->a);
    stop(x);
    size_t n2;
    char *again = whole_file(path, &n2);
    assert_string_equal(again, text);
    free(again);
    free(text);
    unsetenv("XDG_CACHE_HOME");
}

/*
 * What other runs had is kept as far as there is room; the file never grows so long that it would not be
 * read.
 */
static void state_of_other_runs_leaves_room(void **state)
{
    struct fixture *x = *state;
    char path[400];
    size_t n;
    struct buf b;
    setenv("XDG_CACHE_HOME", x->dir, 1);
    start(x, 24, 80, true);
    x->a->o.no_state = false;
    frame(x);
    press(x, "3 \\");
    type(x, "type=Conv2D name~layer1-SequentialCell/0-ResidualBlock/conv1-Conv2d/Conv2D-op[0-9]+");
    press(x, "Enter 4");
    state_write(x->a); /* makes the folder */
    snprintf(path, sizeof path, "%s/npuscope/state", x->dir);
    buf_init(&b, (size_t)1 << 20);
    buf_puts(&b, "npuscope-state 1\nrun /data/large\n");
    for (int i = 0; b.n < ((size_t)1 << 20) - 160; i++) /* just below 1 MiB */
        buf_printf(&b, "in ops table ops.op filter + op_name~%0*d\n", 62, i);
    buf_puts(&b, "run /data/small\npane ops\nend\n");
    assert_false(buf_failed(&b));
    write_part(path, b.p, b.n);
    buf_done(&b);
    state_write(x->a);
    stop(x);
    char *text = whole_file(path, &n);
    assert_true(n < 65535);
    assert_non_null(strstr(text, session_job(x->s)->path));
    assert_non_null(strstr(text, "\nrun /data/small\npane ops\nend\n"));
    assert_null(strstr(text, "/data/large"));
    free(text);
    start(x, 24, 80, true);
    x->a->o.no_state = false;
    state_read(x->a);
    assert_int_equal(x->a->current, PANE_STEPS);
    stop(x);
    unsetenv("XDG_CACHE_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_is_taken_whole_or_not_at_all),
        cmocka_unit_test(state_of_other_runs_leaves_room),
    };
    return cmocka_run_group_tests(tests, setup_gen2, teardown);
}
