/* SPDX-License-Identifier: Apache-2.0 */
/* What rows, the lines below them and the card beside them tell: nothing twice, and names apart. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"

/* Rows of one type differ by their shapes: these are not cut to the same few cells. */
static void cards_shapes_are_told_apart(void **state)
{
    struct fixture *x = *state;
    start(x, 30, 100, true);
    press(x, "3 v v v");
    shows(x, "[type and shape]");
    shows(x, "32,256,14,14;32,256,14");
    shows(x, "32,256,14,14;32,1024,1");
    stop(x);
}

/* A count that its row shows, with thousands apart, is not said again below. */
static void cards_detail_repeats_no_count(void **state)
{
    struct fixture *x = *state;
    start(x, 30, 100, false);
    press(x, "3 v v v v j j");
    shows(x, "[core]");
    shows(x, "Max ");
    shows_not(x, "Calls 3"); /* "3 2xx" in the row */
    stop(x);
}

/* Beside the files the card has what their rows do not show, and the beginning of the file. */
static void cards_files_card_adds_to_its_row(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "2");
    shows(x, "[files]");
    shows(x, "| Kind          ");
    shows(x, "| Option        ");
    shows_not(x, "| Size          ");
    shows_not(x, "| State         ");
    shows_not(x, "| Feeds         ");
    stop(x);
}

/* Names of settings differ at their end: values that are short leave them the room. */
static void cards_settings_are_named_in_full(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "2 v v");
    shows(x, "[settings]");
    shows(x, " profiler_parameters.sys_interconnection   false");
    stop(x);
}

/* The row of the screen with this text; -1: none. */
static int row_of(const struct canvas *c, const char *text)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(c, &b);
    const char *at = b.p ? strstr(b.p, text) : NULL;
    int row = at ? 0 : -1;
    for (const char *p = b.p; at && p < at; p++)
        row += *p == '\n';
    buf_done(&b);
    return row;
}

/* A name of fewer lines leaves the columns below it where they were: nothing of them is sent again. */
static void cards_columns_stay_below_shorter_names(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "7");
    int first = row_of(x->a->c, "| Holds  "), most = first;
    assert_in_range(first, 4, 39);
    for (int i = 0; i < 8; i++) {
        press(x, "j");
        int now = row_of(x->a->c, "| Holds  ");
        assert_true(now >= most);
        most = now;
    }
    assert_in_range(most, first, first + 3);
    stop(x);
}

/* A run whose AI CPU executions end long before they begin, but the first. */
static int setup_hostile(void **state)
{
    struct err e = ERR_INIT;
    struct fixture *x = calloc(1, sizeof *x);
    const char *tmp = getenv("TMPDIR");
    char run[300], path[400];

    snprintf(x->dir, sizeof x->dir, "%s/npuscope-panes-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    snprintf(run, sizeof run, "%s/run", x->dir);
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 1, .ranks = 1, .steps = 6 }, run, NULL, &e), OK);
    snprintf(path, sizeof path, "%s/profiler/aicpu_intermediate_0.csv", run);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\n", f);
    for (int i = 0; i < 9; i++)
        fprintf(f, "%d,GetNext-op1,%s,0.019,0.0%d,%d.5,%d.5\n", i + 1, i ? "-900000" : "0.031", i + 10,
                450156774 + 31000 * i, 450156784 + 31000 * i);
    fclose(f);
    open_session(x, run);
    *state = x;
    return 0;
}

/* Their picture over time is drawn inside its cells: the card ends as that of other rows does. */
static void cards_negative_lengths_stay_in_the_picture(void **state)
{
    struct fixture *x = *state;
    static const int sizes[][2] = { { 50, 160 }, { 60, 200 }, { 40, 120 } };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        start(x, sizes[i][0], sizes[i][1], true);
        press(x, "0");
        type(x, ":view aicpu_exec");
        press(x, "Enter");
        shows(x, "-900.0 s");
        pane_rested(app_pane(x->a));
        while (pane_work(app_pane(x->a)))
            frame(x);
        frame(x);
        shows(x, "p50 ");
        stop(x);
    }
}

/* What is read while the reader rests is there. */
static void rest(struct fixture *x)
{
    for (int i = 0; i < 4; i++) {
        while (pane_work(app_pane(x->a)))
            ;
        pane_rested(app_pane(x->a));
        frame(x);
    }
}

/* Lines with this text; those in which it is followed by a cut number are *cut. */
static size_t lines_with(struct fixture *x, const char *text, size_t *cut)
{
    struct buf b;
    struct str rest, line;
    size_t n = 0;

    buf_init(&b, (size_t)1 << 20);
    canvas_text(x->a->c, &b);
    rest = buf_str(&b);
    while (str_next(&rest, '\n', &line)) {
        size_t at = str_find(line, str_of(text), 0);
        if (at == SIZE_MAX)
            continue;
        n++;
        *cut += str_find(line, STR("~"), at) != SIZE_MAX;
    }
    buf_done(&b);
    return n;
}

/* A figure that has no room is left out, and columns that have no distribution have no figures at all. */
static void cards_figures_are_whole_and_mean_something(void **state)
{
    struct fixture *x = *state;
    static const char *const none[] = { "| User  p50", "| HBM  p50",  "| Byte  ",   "| Samples  p50",
                                        "| Size  p50", "| Peak  p50", "| Time  p50" };
    size_t cut = 0, n = 0, ignored = 0;

    start(x, 40, 120, true);
    for (const char *pane = "2345678900"; *pane; pane++) {
        char key[2] = { *pane, '\0' };
        press(x, key);
        for (int i = 0; i < 9; i++) {
            rest(x);
            n += lines_with(x, "| ", &ignored) ? lines_with(x, " p50 ", &cut) : 0;
            (void)lines_with(x, " have 50% of it", &cut);
            for (size_t k = 0; k < ARRAY_LEN(none); k++)
                if (lines_with(x, none[k], &ignored))
                    fail_msg("pane %s, view %d: a picture of '%s'", key, i, none[k]);
            press(x, "v");
        }
    }
    assert_true(n > 0);
    assert_int_equal(cut, 0);
    stop(x);
}

/* A title of the card is whole where that takes no more than a third of it. */
static void cards_titles_are_whole(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 120, true);
    press(x, "7");
    go_to_view(x, "[peaks]");
    rest(x);
    shows(x, "| Peak reserved   ");
    shows(x, "| Peak allocated  ");
    shows(x, "| Samples         ");
    stop(x);
}

/* Bars that the view does not ask for take no room from texts that are cut. */
static void cards_texts_come_before_bars(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 120, true);
    press(x, "3");
    go_to_view(x, "[what launched them]");
    shows(x, "  Duration  Module ");
    shows(x, "  Code      |");
    stop(x);
}

/* Where that takes nothing from a text they are there. */
static void cards_have_bars_beside_whole_texts(void **state)
{
    struct fixture *x = *state;

    start(x, 50, 200, true);
    press(x, "3");
    go_to_view(x, "[single op]");
    shows(x, "  Block  Total ");
    shows(x, "  Conv2DBackpropFilterD  ");
    stop(x);
}

/* Tracks run beside each other, calls within each other: no share of a sum; one queue has a picture. */
static void cards_sums_are_of_one_whole(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 120, true);
    press(x, "5");
    go_to_view(x, "[tracks]");
    rest(x);
    shows(x, "| Busy  p50 ");
    press(x, "0");
    go_to_view(x, "[API calls]");
    rest(x);
    shows(x, "| Total  p50 ");
    press(x, "8");
    go_to_view(x, "[times per batch]");
    rest(x);
    shows(x, "| Time  pipeline  "); /* of one kind, as the total is both others */
    press(x, "j j");                /* the rows of all kinds are read: no rest is needed */
    shows(x, "| Time  total  ");
    go_to_view(x, "[queue sizes]");
    rest(x);
    shows(x, "| Size  host  p50 ");
    stop(x);
}

int main(void)
{
    const struct CMUnitTest hostile[] = { cmocka_unit_test(cards_negative_lengths_stay_in_the_picture) };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_shapes_are_told_apart),
        cmocka_unit_test(cards_detail_repeats_no_count),
        cmocka_unit_test(cards_files_card_adds_to_its_row),
        cmocka_unit_test(cards_settings_are_named_in_full),
        cmocka_unit_test(cards_columns_stay_below_shorter_names),
        cmocka_unit_test(cards_figures_are_whole_and_mean_something),
        cmocka_unit_test(cards_titles_are_whole),
        cmocka_unit_test(cards_texts_come_before_bars),
        cmocka_unit_test(cards_have_bars_beside_whole_texts),
        cmocka_unit_test(cards_sums_are_of_one_whole),
    };
    return cmocka_run_group_tests_name("generation 2", tests, setup_gen2, teardown) +
           cmocka_run_group_tests_name("negative lengths", hostile, setup_hostile, teardown);
}
