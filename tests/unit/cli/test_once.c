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
        assert_int_equal(once_add(&o, (struct alike_of){ rank, -1 }, same, &e), OK);
        assert_int_equal(once_add(&o, (struct alike_of){ rank, -1 }, own, &e), OK);
        assert_int_equal(once_add(&o, (struct alike_of){ rank, -1 }, same, &e), OK); /* twice by one rank */
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

/* One text of rank 0 on device 4, that of rank 1 on device 5: what both are together, NULL: two texts. */
static const char *together(const char *first, const char *second)
{
    static char text[200];
    const struct alike_of a = { 0, 4 }, b = { 1, 5 };
    struct alike *k = alike_new(str_of(first), a);
    struct buf out;

    assert_non_null(k);
    assert_true(alike_equals(k, str_of(first)));
    bool fits = alike_fits(k, str_of(second), b);
    buf_init(&out, sizeof text);
    if (fits) {
        alike_take(k, str_of(second), b);
        alike_put(k, &out);
        str_copy(buf_str(&out), text, sizeof text);
    }
    buf_done(&out);
    alike_free(k);
    return fits ? text : NULL;
}

static void alike_says_own_numbers_and_measures_once(void **state)
{
    (void)state;
    assert_string_equal(
        together("hwts.data.4.slice_0: TORN, at byte 384", "hwts.data.5.slice_0: TORN, at byte 90"),
        "hwts.data.*.slice_0: TORN, at byte 90-384");
    assert_string_equal(together("info_0.json and hccl_0.csv", "info_1.json and hccl_1.csv"),
                        "info_*.json and hccl_*.csv");
    assert_string_equal(
        together("cut after 25.61 ms (24 of 128 bytes)", "cut after 25.7 ms (8 of 128 bytes)"),
        "cut after 25.61-25.7 ms (8-24 of 128 bytes)");
    assert_string_equal(together("2 steps", "2 steps"), "2 steps");
    assert_string_equal(together("", ""), "");
}

static void alike_keeps_apart_what_else_differs(void **state)
{
    static const char *const pair[][2] = {
        { "AllReduce-op444 of step 3", "AllReduce-op445 of step 3" },
        { "step 3 is cut", "step 4 is cut" },
        { "PROF_000001", "PROF_000002" },
        { "4 files are cut", "5 files are cut" },
        { "after 25.61 ms", "after 25.61 us" },
        { "slice_0", "slice_0.done" },
        { "slice_0.done", "slice_1" },
        { "at byte 1", "at byte " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pair); i++)
        assert_null(together(pair[i][0], pair[i][1]));
}

/* The number that some rank shares by chance is not that of the ranks. */
static void alike_takes_a_number_for_own_where_all_have_their_own(void **state)
{
    struct alike *k = alike_new(STR("a_0 b_0"), (struct alike_of){ 0, -1 });

    (void)state;
    assert_true(alike_fits(k, STR("a_0 b_5"), (struct alike_of){ 5, -1 }));
    alike_take(k, STR("a_0 b_5"), (struct alike_of){ 5, -1 });
    assert_false(alike_fits(k, STR("a_6 b_6"), (struct alike_of){ 6, -1 }));
    assert_true(alike_fits(k, STR("a_0 b_6"), (struct alike_of){ 6, -1 }));
    alike_free(k);
}

/* Two places of one rank are two rows, however alike. */
static void once_keeps_the_rows_of_one_rank_apart(void **state)
{
    struct once o = { .n_cols = 1 };
    struct err e = ERR_INIT;

    (void)state;
    for (int rank = 0; rank < 3; rank++)
        for (int i = 1; i < 3; i++) {
            char text[40];
            snprintf(text, sizeof text, "at byte %d", 100 * i + rank);
            const struct val v[] = { val_cstr(text) };
            assert_int_equal(once_add(&o, (struct alike_of){ rank, -1 }, v, &e), OK);
        }
    assert_int_equal(o.n, 2);
    once_done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_merges_ranks_whose_rows_are_the_same),
        cmocka_unit_test(once_cuts_ranges_that_do_not_fit),
        cmocka_unit_test(alike_says_own_numbers_and_measures_once),
        cmocka_unit_test(alike_keeps_apart_what_else_differs),
        cmocka_unit_test(alike_takes_a_number_for_own_where_all_have_their_own),
        cmocka_unit_test(once_keeps_the_rows_of_one_rank_apart),
    };

    return cmocka_run_group_tests_name("once", tests, NULL, NULL);
}
