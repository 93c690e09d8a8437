/* SPDX-License-Identifier: Apache-2.0 */
/* What Steps, Timeline and Data say: rows that are marked, tabs, names, sentences. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"

/* The row that means are without stands in brackets, and the sums say so wherever they are drawn. */
static void views_steps_mark_what_means_leave_out(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "4");
    shows(x, "\n>   (11)  ");
    shows(x, "\n     12   ");
    shows(x, " ms\n without the first step (11)\n");
    press(x, "G");
    shows(x, "\n    (11)  ");
    press(x, "v");
    shows(x, "[chart]");
    shows(x, " ms\n without the first step (11)\n");
    press(x, "v");
    shows(x, "[histogram]");
    shows(x, " ms\n without the first step (11)\n");
    type(x, ":steps 12-14"); /* those are all counted */
    press(x, "Enter 4");
    shows_not(x, "without the first step");
    press(x, "V V");
    shows_not(x, "without the first step");
    shows_not(x, "(12)");
    stop(x);
    start(x, 24, 120, true);
    press(x, "4 v");
    shows(x, "   without the first step (11)\n"); /* beside them, where there is room */
    stop(x);
}

/* The sums below the steps are of the rows shown, also where a filter leaves as many as the one before. */
static void views_steps_sums_are_of_the_rows_shown(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    char said[2][80], filter[32], ms[32];

    start(x, 24, 100, true);
    press(x, "4");
    struct table *t = pane_table(x->a->panes[PANE_STEPS]);
    for (int i = 0; i < 2; i++) {
        snprintf(filter, sizeof filter, "step=%d", 12 + i);
        assert_int_equal(
            i ? table_filter_set(t, 0, str_of(filter), &e) : table_filter_add(t, str_of(filter), &e), OK);
        x->a->dirty = true;
        settle(x);
        assert_int_equal(table_rows(t), 1);
        const struct val total = table_value(t, "total_ns");
        snprintf(said[i], sizeof said[i], " Total  mean %s ",
                 unit_time(ms, sizeof ms, val_num(&total), TIME_AUTO));
        shows(x, said[i]);
    }
    assert_string_not_equal(said[0], said[1]);
    table_filter_delete(t, 0);
    stop(x);
}

/* Steps of MindSpore 2.x have no times in their file: t goes to where the timeline has them. */
static void views_steps_go_to_the_timeline(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 120, true);
    press(x, "4 j j");
    shows(x, "\n>  13  ");
    shows(x, "t timeline");
    press(x, "t");
    shows(x, "[5 Time]");
    shows(x, " step 13 +0 ns ");
    press(x, "} 4 j");
    shows(x, "\n>  14  ");
    press(x, "t");
    shows(x, "rank 1 of 2");
    shows(x, " step 14 +0 ns ");
    stop(x);
}

/* The help is the same in all runs: it names no step of one of them. */
static void views_help_of_steps_names_no_step(void **state)
{
    struct fixture *x = *state;

    start(x, 60, 160, true);
    press(x, "4 ?");
    shows(x, "The first recorded step, its number in brackets, ");
    shows_not(x, "(11) in brackets");
    stop(x);
}

/* As the loop does: a frame only where something says that there is another one to draw. */
static void rest(struct fixture *x)
{
    bool more = true;

    while (more || x->a->dirty) {
        if (x->a->dirty)
            frame(x);
        more = pane_work(app_pane(x->a));
    }
}

/* Every view that has data has its tab without a key. */
static void views_all_are_tabs_from_the_start(void **state)
{
    static const char *const keys[] = { "2", "3", "4", "6", "7", "8", "9", "0" };
    struct fixture *x = *state;
    size_t order[MAX_PANE_TABS];

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        start(x, 24, 400, true);
        press(x, keys[i]);
        struct pane *p = app_pane(x->a);
        rest(x);
        const size_t seen = p->n_tabs, n = pane_order(p, true, order);
        if (seen != n && n > 1)
            fail_msg("pane %s: %zu tabs of %zu views", keys[i], seen, n);
        stop(x);
    }
}

/* What stands in the key bar is true of the view in front. */
static void views_have_their_own_keys(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 100, true);
    press(x, "4");
    shows(x, "  v view  ");
    press(x, "v");
    shows(x, "[chart]");
    shows(x, "\nv view  h l column  s set range  ");
    press(x, "5");
    shows(x, "  e export  v view  ");
    for (int i = 0; i < 3; i++) { /* events, tracks, counters */
        press(x, "v");
        shows(x, "\nEnter open  v view  \\ filter  < > sort  t timeline  e export  ");
    }
    stop(x);
}

static void count_windows(void *arg, struct str line)
{
    *(int *)arg += str_starts(line, STR("window "));
}

/* Windows that the timeline would keep for the next start. */
static int kept_windows(struct fixture *x)
{
    struct pane *p = app_pane(x->a);
    int n = 0;

    p->def->ops->save(p, count_windows, &n);
    return n;
}

/*
 * Counters run from the start of the process: the drawing begins with the events; o shows all. Neither is
 * kept for the next start, as a window that somebody chose is.
 */
static void views_of_time_open_on_events(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "5");
    shows(x, "\n 120.00 ms   ");
    assert_int_equal(kept_windows(x), 0);
    press(x, "o");
    shows(x, "\n 0.00 ms   ");
    assert_int_equal(kept_windows(x), 0);
    press(x, "w");
    assert_int_equal(kept_windows(x), 1);
    stop(x);
}

/* Lanes are no tracks: the drawing counts what the table has. Names that are cut do not look like others. */
static void views_of_time_count_and_name_tracks(void **state)
{
    struct fixture *x = *state;
    char want[40];

    start(x, 50, 80, true);
    press(x, "5 v v");
    shows(x, "[tracks]");
    snprintf(want, sizeof want, "/%zu ", table_rows(pane_table(app_pane(x->a))));
    press(x, "v v k k k O");
    if (!canvas_has(x->a->c, "lane 2"))
        press(x, "O");
    shows(x, "lane 2");
    shows(x, want);
    shows(x, "\ntrack 1/");
    press(x, "j");
    shows(x, "\ntrack 1/"); /* in its lanes */
    shows(x, "\n Comm only ");
    shows_not(x, "Communicatio~");
    stop(x);
}

/* The key that lists all others is in every bar. */
static void views_always_have_the_key_of_help(void **state)
{
    static const char *const keys[] = { "1", "2", "3", "4", "5", "7", "8", "9", "0" };
    struct fixture *x = *state;

    for (int cols = 60; cols <= 100; cols += 5) {
        start(x, 24, cols, true);
        for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
            press(x, keys[i]);
            shows(x, "  ? help");
        }
        stop(x);
    }
}

/* Where nothing communicates the bar has the room of the columns that say so in every row. */
static void views_steps_leave_zeros_to_the_strip(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "4");
    shows(x, "Total  Computing  Preparing       Idle  0 ");
    shows(x, " Comm only 0 ns");
    press(x, "l l l l"); /* to the column that was left out */
    shows(x, "Comm only ");
    stop(x);
}

/* The first step is twice as long as the others; their bars have the room, its own goes on beyond it. */
static void views_steps_scale_bars_by_the_others(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "4");
    shows(x, "\n>   (11)  ");
    shows(x, "#########>\n     12  ");
    shows_not(x, "  0       58.");
    type(x, ":set first-step=on");
    press(x, "Enter");
    shows_not(x, "#>\n");
    shows(x, "::::\n     12  ");
    stop(x);
}

static double figure(struct fixture *x, const char *col)
{
    const struct val v = table_value(pane_table(app_pane(x->a)), col);

    return val_num(&v);
}

/* Each row by its own: the first step has a preparing that no task lies before. */
static void views_steps_parts_add_up(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "4 g");
    assert_true(figure(x, "preparing_ns") > 10 * figure(x, "idle_ns"));
    for (int i = 0; i < 3; i++) {
        const double device = figure(x, "computing_ns") + figure(x, "comm_not_overlapped_ns");
        const double free_ns = figure(x, "free_ns");
        assert_true(figure(x, "total_ns") > 0);
        assert_true(figure(x, "total_ns") == device + free_ns);
        assert_true(free_ns == figure(x, "preparing_ns") + figure(x, "idle_ns"));
        press(x, "j");
    }
    stop(x);
}

static int setup_alone(void **state)
{
    return setup_demo(state, &(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 3 });
}

/* An op of the pipeline has one name, and a queue one mean, in every view. */
static void views_of_data_agree(void **state)
{
    struct fixture *x = *state;
    struct val mean;
    double of_op;

    start(x, 30, 100, true);
    press(x, "8 g j j j");
    shows(x, "\n>Map(id=3) ");
    mean = table_value(pane_table(app_pane(x->a)), "queue_avg");
    of_op = val_num(&mean);
    shows(x, "\n  Map(id=3) > Batch     ");
    shows_not(x, "connector");
    press(x, "v");
    shows(x, " Between ");
    shows(x, " Map(id=3) > Batch ");
    type(x, "\\queue=\"connector 3\"");
    press(x, "Enter g");
    mean = table_value(pane_table(app_pane(x->a)), "mean");
    assert_true(of_op > 0 && of_op >= val_num(&mean) && of_op <= val_num(&mean));
    press(x, "v v");
    shows(x, "[CPU]");
    shows(x, "\n Map(id=3) ");
    shows_not(x, "\n op 3 ");
    stop(x);
}

/* The drawing of the pipeline and the whole verdict are in the first view; the others have what has room. */
static void views_of_data_say_the_verdict_once(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "8");
    shows(x, " VERDICT  the device waits ");
    shows(x, " CPU of each of 8 workers\n");
    shows(x, "> Batch  ");
    shows(x, "\n  Queues over the run ");
    press(x, "v"); /* a short table leaves lines for all of it, and for the last queue */
    shows(x, "[queues]");
    shows(x, " CPU of each of 8 workers\n\n Queue ");
    shows(x, "\n  ImageFolder(id=4) > Map ");
    press(x, "v");
    shows(x, "[times per batch]");
    shows(x, " of a step: data is no limit\n\n   Batch  Kind ");
    shows_not(x, "> Batch  ");
    shows_not(x, "\n  Queues over the run "); /* a long table has the room */
    shows(x, "\n       3  total ");
    stop(x);
    start(x, 24, 160, true);
    press(x, "8 v v");
    shows(x, " the slowest part: its queue is "); /* whole parts of it, as many as have room */
    shows_not(x, " CPU of each of 8 workers");
    stop(x);
}

/* A track is called in the tables what it is called in the drawing. */
static void views_of_time_call_tracks_the_same(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 100, true);
    press(x, "5");
    shows(x, "\n Thread 4012 ");
    shows(x, "\n AI CPU 0 ");
    press(x, "v v");
    shows(x, "[tracks]");
    shows(x, "Thread 4012 ");
    shows(x, "\n AI CPU 0 ");
    press(x, "V");
    shows(x, "[events]");
    type(x, "\\track='AI CPU 0'");
    press(x, "Enter");
    shows(x, "  AI CPU 0 ");
    stop(x);
}

/* Whether a line of the screen with the one has the other. */
static bool row_has(struct fixture *x, const char *with, const char *want)
{
    struct buf b;
    bool found = false;

    buf_init(&b, (size_t)1 << 20);
    canvas_text(x->a->c, &b);
    struct str rest = buf_str(&b), line;
    while (!found && str_next(&rest, '\n', &line))
        found = str_find(line, str_of(with), 0) != SIZE_MAX && str_find(line, str_of(want), 0) != SIZE_MAX;
    buf_done(&b);
    return found;
}

static void shows_row(struct fixture *x, const char *with, const char *want)
{
    shows(x, with);
    if (!row_has(x, with, want))
        fail_msg("no line with '%s' has '%s'", with, want);
}

static int setup_long(void **state)
{
    return setup_demo(state, &(struct demo_opts){ .gen = 1, .ranks = 1, .steps = 16 });
}

/* A table that goes on in other room has the units of all rows that are drawn: these begin with 9 us. */
static void views_that_go_on_have_units_of_all(void **state)
{
    struct fixture *x = *state;

    start(x, 50, 160, true);
    press(x, "8");
    go_to_view(x, "[stages]");
    shows(x, "times per batch   9-18 of 67 times");
    shows_row(x, " getnext ", " 9.00 us ");
    shows_row(x, " getnext ", " 22.00 ms ");
    stop(x);
}

/* Shares of machine and process are of all cores, those of an op of one: bars are of the ops alone. */
static void views_of_cpu_draw_one_base(void **state)
{
    struct fixture *x = *state;

    start(x, 30, 80, true);
    press(x, "8 v v v");
    shows(x, "[CPU]");
    shows_row(x, " Who ", " Cores  0 ");
    shows_row(x, " Map(id=3) ", "#");
    shows_row(x, "machine ", "%");
    assert_false(row_has(x, "machine ", "#") || row_has(x, "machine ", "+"));
    assert_false(row_has(x, "process ", "#") || row_has(x, "process ", "+"));
    press(x, "?");
    type(x, "/of all cores");
    press(x, "Enter");
    shows(x, "of all cores; of an op of one core");
    stop(x);
}

/* Where one table of the screen is of a mean step and another one of the run, each says what it is of. */
static void views_of_ops_say_what_sums_are_of(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 80, true);
    press(x, "3 v v");
    shows(x, "[scope]");
    shows(x, "whole run");
    shows_not(x, "Per run"); /* below the table: it is said above */
    stop(x);
    start(x, 30, 100, true); /* each row says it where there is room */
    press(x, "3");
    shows_row(x, " AICPU ", "  step");
    shows_row(x, " AddN ", "  step");
    stop(x);
    start(x, 50, 160, true);
    press(x, "3");
    settle(x);
    shows_row(x, " scope ", " by Time   whole run");
    press(x, "v v v v");
    shows(x, "[stream]");
    settle(x);
    shows_row(x, " type ", " by Time   per step, AI CPU run / steps");
    stop(x);
}

static void views_of_flops_are_all_called_views(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 100, true);
    press(x, "6");
    shows(x, "  v view  ");
    stop(x);
}

int main(void)
{
    const struct CMUnitTest first[] = {
        cmocka_unit_test(views_help_of_steps_names_no_step),
        cmocka_unit_test(views_all_are_tabs_from_the_start),
        cmocka_unit_test(views_of_flops_are_all_called_views),
        cmocka_unit_test(views_of_data_agree),
        cmocka_unit_test(views_of_data_say_the_verdict_once),
        cmocka_unit_test(views_of_ops_say_what_sums_are_of),
        cmocka_unit_test(views_of_cpu_draw_one_base),
        cmocka_unit_test(views_of_time_call_tracks_the_same),
    };
    const struct CMUnitTest ascend[] = {
        cmocka_unit_test(views_steps_go_to_the_timeline),
        cmocka_unit_test(views_steps_sums_are_of_the_rows_shown),
        cmocka_unit_test(views_all_are_tabs_from_the_start),
        cmocka_unit_test(views_steps_mark_what_means_leave_out),
        cmocka_unit_test(views_steps_scale_bars_by_the_others),
        cmocka_unit_test(views_steps_parts_add_up),
        cmocka_unit_test(views_have_their_own_keys),
        cmocka_unit_test(views_of_time_open_on_events),
        cmocka_unit_test(views_of_time_count_and_name_tracks),
        cmocka_unit_test(views_always_have_the_key_of_help),
    };
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(views_steps_leave_zeros_to_the_strip),
    };
    const struct CMUnitTest lasting[] = { cmocka_unit_test(views_that_go_on_have_units_of_all) };
    return cmocka_run_group_tests_name("generation 1", first, setup_gen1, teardown) +
           cmocka_run_group_tests_name("generation 2", ascend, setup_gen2, teardown) +
           cmocka_run_group_tests_name("one rank", alone, setup_alone, teardown) +
           cmocka_run_group_tests_name("many steps", lasting, setup_long, teardown);
}
