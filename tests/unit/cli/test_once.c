/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of several ranks that are said once. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "cli/cmd/once.h"

static int take(void *arg, struct str s, struct err *e)
{
    (void)e;
    buf_add(arg, s);
    return OK;
}

static void once_merges_ranks_whose_rows_are_the_same(void **state)
{
    static const struct view_col fact = { .id = "fact", .title = "Fact", .expr = "", .type = VT_TEXT };
    static const struct view_col value = { .id = "value", .title = "Value", .expr = "", .type = VT_TEXT };
    const struct view_col *cols[] = { &once_ranks_col, &fact, &value };
    struct once o = { .n_cols = 2 };
    struct err e = ERR_INIT;
    struct writer *w = NULL;
    struct buf b;
    char text[8];

    (void)state;
    for (int rank = 0; rank < 5; rank++) {
        snprintf(text, sizeof text, "%d", rank / 4);
        const struct val same[] = { val_cstr("state"), val_cstr("ok") };
        const struct val own[] = { val_cstr("steps"), rank == 2 ? val_null() : val_cstr(text) };
        assert_int_equal(once_add(&o, rank, same, &e), OK);
        assert_int_equal(once_add(&o, rank, own, &e), OK);
        assert_int_equal(once_add(&o, rank, same, &e), OK); /* twice by one rank */
    }
    buf_init(&b, 10000);
    const struct write_to to = { .add = take, .arg = &b, .width = 80 };
    assert_int_equal(writer_new(&w, &to, &(struct write_opts){ .format = FMT_CSV, .header = true }, &e), OK);
    assert_int_equal(writer_begin(w, "t", "T", cols, 3, &e), OK);
    assert_int_equal(once_rows(&o, w, true, &e), OK);
    assert_int_equal(writer_end(w, &e), OK);
    assert_int_equal(writer_finish(w, &e), OK);
    assert_non_null(strstr(b.p, "0-4,state,ok"));
    assert_non_null(strstr(b.p, "\"0-1,3\",steps,0"));
    assert_non_null(strstr(b.p, "2,steps,\n") ? b.p : strstr(b.p, "2,steps,\r\n"));
    assert_non_null(strstr(b.p, "4,steps,1"));
    writer_free(w);
    buf_done(&b);
    once_done(&o);
}

static void once_cuts_ranges_that_do_not_fit(void **state)
{
    int ranks[300];
    char buf[40];

    (void)state;
    for (int i = 0; i < 300; i++)
        ranks[i] = 2 * i;
    assert_string_equal(once_ranges(ranks, 3, buf, sizeof buf), "0,2,4");
    once_ranges(ranks, 300, buf, sizeof buf);
    assert_true(strlen(buf) < sizeof buf && strcmp(buf + strlen(buf) - 4, ",...") == 0);
    for (int i = 0; i < 300; i++)
        ranks[i] = i;
    assert_string_equal(once_ranges(ranks, 300, buf, sizeof buf), "0-299");
    assert_string_equal(once_ranges(ranks, 0, buf, sizeof buf), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_merges_ranks_whose_rows_are_the_same),
        cmocka_unit_test(once_cuts_ranges_that_do_not_fit),
    };

    return cmocka_run_group_tests_name("once", tests, NULL, NULL);
}
