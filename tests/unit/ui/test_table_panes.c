/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of Ops, FLOPs, Files and Host show of runs of both generations, whole and crashed. */
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

static int setup_crashed(void **state)
{
    return setup_demo(
        state,
        &(struct demo_opts){
            .gen = 2, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5, .metrics = DEMO_ARITHMETIC });
}

static int setup_counted(void **state)
{
    return setup_demo(state,
                      &(struct demo_opts){ .gen = 2, .ranks = 2, .steps = 6, .metrics = DEMO_ARITHMETIC });
}

/* A new start at this size; the keys are typed, and all is read. */
static struct fixture *at(void **state, int rows, int cols, const char *keys)
{
    struct fixture *x = *state;
    start(x, rows, cols, true);
    press(x, keys);
    settle(x);
    return x;
}

/* To the view with this title, "[core]". */
static void comes_before(struct fixture *x, const char *first, const char *then)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(x->a->c, &b);
    const char *at = strstr(b.p, first), *next = strstr(b.p, then);
    if (!at || !next || at > next)
        fail_msg("'%s' does not come before '%s'", first, then);
    buf_done(&b);
}

/* Ops whose names are no paths have neither a tree of scopes nor a row "-" for all of them. */
static void table_panes_without_scopes_begin_with_types(void **state)
{
    struct fixture *x = at(state, 24, 100, "6");
    shows(x, "[type]  op  roofline");
    shows_not(x, "tree of scopes");
    shows_not(x, "open, close");
    press(x, "v v v");
    shows(x, "[type]");
    stop(x);
}

static void table_panes_with_scopes_begin_with_their_tree(void **state)
{
    struct fixture *x = at(state, 24, 100, "6");
    shows(x, "[tree of scopes]");
    shows(x, "open, close");
    press(x, "V");
    settle(x);
    shows(x, "scope  type  op  ");
    stop(x);
}

/* Where no op says its core there is no table of cores. */
static void table_panes_without_cores_have_none(void **state)
{
    struct fixture *x = at(state, 24, 160, "3");
    shows(x, "[type]  single op  scope  type and shape  stream");
    stop(x);
}

/* Of a list that was opened, what all rows have in common goes: shapes are what it is opened for. */
static void table_panes_ops_of_a_type_show_shapes(void **state)
{
    struct fixture *x = at(state, 24, 80, "3 Enter");
    shows(x, "Util  In shape");
    shows_not(x, "  Type ");
    shows_not(x, "  Calls ");
    stop(x);
}

/* Of all ops, types are whole before counts that are the same everywhere. */
static void table_panes_types_of_ops_are_whole(void **state)
{
    struct fixture *x = at(state, 24, 80, "3 v");
    shows(x, "[single op]");
    shows(x, "  hcom_allReduce_  ");
    stop(x);
}

/* What all names of a list have in common is left out, so that their layers are seen. */
/* Nor where the card takes its part: what the row is needs its cells first. */
static void table_panes_types_are_whole_beside_a_card(void **state)
{
    struct fixture *x = at(state, 40, 120, "3");
    shows(x, " MaxPoolGradWithArgmaxV1 ");
    shows(x, " SparseSoftmaxCross"); /* as long as a word may be */
    shows(x, "  Core      Time v      %  Calls        Avg  0 27.1%|");
    stop(x);
}

static void table_panes_ops_begin_with_the_costliest(void **state)
{
    struct fixture *x = at(state, 24, 100, "3");
    go_to_view(x, "[single op]");
    shows(x, " Total v");
    stop(x);
}

/* Files of MindSpore 1.x have no totals of single ops. */
static void table_panes_ops_without_totals_begin_with_the_longest(void **state)
{
    struct fixture *x = at(state, 24, 100, "3");
    go_to_view(x, "[single op]");
    shows(x, " Avg v");
    stop(x);
}

static void table_panes_names_keep_where_they_differ(void **state)
{
    struct fixture *x = at(state, 24, 80, "3 Enter");
    shows(x, "~/conv2~/~-op");
    shows_not(x, "~/gradConv2D/~-op");
    press(x, "6");
    settle(x);
    shows(x, "Gradients/~/_backbone-ResNet/");
    shows(x, " Default/");
    stop(x);
}

/* Rows of different scopes differ, and those of ops say their layers: a number tells nobody which it is. */
static void table_panes_rows_of_scopes_differ(void **state)
{
    struct fixture *x = at(state, 40, 120, "6");
    go_to_view(x, "[scope]");
    shows(x, ">~/layer4~/2~/conv2~/");
    shows(x, " ~/layer3~/2~/conv2~/");
    press(x, "3 v");
    settle(x);
    shows(x, "~/conv1~/C~-op");
    stop(x);
}

/* The head of bars names their column, unless they stand beside it or no other column has its unit. */
static void table_panes_heads_of_bars_name_their_column(void **state)
{
    struct fixture *x = at(state, 24, 80, "8");
    shows(x, "  CPU/wkr  Queue use ");
    press(x, "3");
    settle(x);
    shows(x, "  Avg  0    ");
    stop(x);
}

/* A column has the unit of its largest value; the lines below leave out what the row shows. */
static void table_panes_calls_are_in_the_unit_of_the_largest(void **state)
{
    struct fixture *x = at(state, 24, 80, "0");
    go_to_view(x, "[API calls]");
    shows(x, " ms");
    shows_not(x, "000 us");
    shows(x, " Std dev ");
    shows_not(x, "us2");
    shows_not(x, " Total 1");
    press(x, "3");
    go_to_view(x, "[core]");
    shows_not(x, "Core AIC");
    shows_not(x, "\n AIC\n");
    stop(x);
}

/* A column that tells rows of the same name apart is among the last to go. */
static void table_panes_keep_what_tells_rows_apart(void **state)
{
    struct fixture *x = at(state, 40, 120, "3");
    go_to_view(x, "[code]");
    shows(x, " Core      Time v ");
    stop(x);
}

/* A kernel's name is that of the op twice, behind the words of the launch: both go from all rows. */
static void table_panes_names_of_kernels_are_there_once(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "3 v");
    type(x, "\\type=AddN");
    press(x, "Enter");
    settle(x);
    shows(x, "~/conv1~/gradAdd/AddN-op427  ");
    press(x, "6");
    settle(x);
    shows(x, " ~Gradients/");
    shows(x, " ~Default/");
    stop(x);
}

/* The card of an op has its shapes after its times, and says where it goes on. */
static void table_panes_card_of_an_op_has_shapes_first(void **state)
{
    struct fixture *x = at(state, 24, 80, "3 v Enter");
    shows(x, "lines 1-9 of ");
    press(x, "j j");
    shows(x, "lines 3-11 of ");
    press(x, "G");
    shows_not(x, "lines 3-");
    shows(x, "Id  ");
    stop(x);
    at(state, 50, 80, "3 v Enter");
    comes_before(x, "\n  Max  ", "\n  In shape  ");
    comes_before(x, "\n  In shape  ", "\n  Block  ");
    stop(x);
}

/* An AI CPU op has a total time and one without dispatch, and heads say which; raw instants have a unit. */
static void table_panes_aicpu_says_which_times(void **state)
{
    struct fixture *x = at(state, 24, 80, "0");
    go_to_view(x, "[AI CPU]");
    shows(x, "  Avg total  ");
    go_to_view(x, "[AI CPU executions]");
    shows(x, " Run start us ");
    stop(x);
}

/* Host opens on what says where the host's time goes, before the one kernel of the AI CPU. */
static void table_panes_host_begins_with_stages(void **state)
{
    struct fixture *x = at(state, 24, 80, "0");
    shows(x, "[host stages]  AI CPU  ");
    shows(x, "sorted by Time");
    stop(x);
}

static void table_panes_host_begins_with_calls(void **state)
{
    struct fixture *x = at(state, 24, 160, "0");
    shows(x, "[API calls]  AI CPU  ");
    shows(x, "sorted by Total");
    shows_not(x, "framework ops"); /* this run has no times of them, only names */
    stop(x);
}

/* A measurement has a time, though it is that of the source's own clock. */
static void table_panes_measurements_have_times(void **state)
{
    struct fixture *x = at(state, 24, 160, "0");
    go_to_view(x, "[measurements]");
    shows(x, "  Since start");
    shows(x, "  10.00 ms");
    stop(x);
}

/* A scope is a module with its ops, as in generation 1, and not an op whose name is there twice. */
static void table_panes_scopes_are_modules(void **state)
{
    static const char *const panes[] = { "3", "6" };

    for (size_t i = 0; i < ARRAY_LEN(panes); i++) {
        struct fixture *x = at(state, 24, 160, panes[i]);
        type(x, ":view scope");
        press(x, "Enter");
        shows(x, "[scope]");
        const size_t scopes = table_rows(pane_table(app_pane(x->a)));
        if (scopes < 10 || scopes > 350)
            fail_msg("%zu scopes of 693 ops", scopes);
        shows_not(x, "-op539 ");
        stop(x);
    }
    struct fixture *x = at(state, 24, 80, "6"); /* the tree has no branch of one op */
    shows(x, "[tree of scopes]");
    press(x, "j j j j j l j l j");
    shows(x, "\n>        Conv2DBackpropFilterD-op539  ");
    press(x, "Enter");
    shows(x, "/Conv2DBackpropFilterD-op539 ");
    shows(x, "\n1 of 692 ops ");
    stop(x);
}

/* A tick in the list of columns is one that is on the screen. */
static void table_panes_columns_without_room_say_so(void **state)
{
    struct fixture *x = at(state, 24, 80, "3 C");
    shows(x, "  [x] Core ");
    shows(x, "  [-] cum% ");
    shows(x, "  no room  cum_pct |\n");
    shows(x, "  [ ] Min ");
    stop(x);
    at(state, 24, 119, "3 C");
    shows(x, "  [x] cum% ");
    shows_not(x, "no room");
    stop(x);
}

/* The files with a problem are offered where there are some; the filter that shows them can always go. */
static void table_panes_offer_problems_that_are_there(void **state)
{
    struct fixture *x = at(state, 24, 80, "2");
    shows(x, " problems 0\n");
    shows_not(x, "p problems only");
    press(x, "p");
    shows(x, "no file has a problem");
    press(x, "?");
    shows(x, " Here    x hex ");
    shows_not(x, "problems only");
    stop(x);
}

static void table_panes_offer_problems_of_a_crash(void **state)
{
    struct fixture *x = at(state, 24, 80, "2");
    shows(x, "p problems only");
    press(x, "p");
    shows(x, "p problems only");
    shows(x, "\n>");
    stop(x);
}

/* The tables of the console are a list in columns, what is asked for first on top. */
static void table_panes_console_lists_tables(void **state)
{
    struct fixture *x = at(state, 24, 80, ";");
    shows(x, "\n Table               Rows  What it is\n ops                 ");
    shows(x, "  executions of ops with their texts\n op_types                  executions grouped ");
    shows(x, " more: F3\n");
    shows_not(x, "log_file");
    stop(x);
    at(state, 50, 160, ";");
    comes_before(x, "\n ops   ", "\n files ");
    comes_before(x, "\n files ", "\n op_exec ");
    comes_before(x, " What it is ", " What it is\n"); /* two columns */
    shows_not(x, " more: F3");
    stop(x);
}

/* Many MFLOPs are GFLOPs in the column, and a filter takes the word that the head says. */
static void table_panes_flops_are_in_the_unit_of_the_largest(void **state)
{
    struct fixture *x = at(state, 24, 100, "6");
    go_to_view(x, "[type]");
    shows(x, " GFLOPs v");
    shows(x, "   261.6 ");
    shows(x, "sorted by GFLOPs");
    type(x, "\\GFLOPs>254.5");
    press(x, "Enter");
    shows(x, "2 of 22 types");
    stop(x);
    at(state, 40, 120, "6");
    go_to_view(x, "[type]");
    shows(x, "| GFLOPs        261.6");
    settle(x);
    shows(x, "| 53 ops by GFLOPs"); /* so are the lines below it, and the picture of the table */
    shows(x, "|       7.55 ");
    go_to_view(x, "[op]"); /* none has six digits, and the card says Cube in GFLOPs: one unit on the screen */
    shows(x, " GFLOPs v");
    shows(x, "| GFLOPs        7.55");
    shows(x, "| Cube          7.55 GFLOPs");
    shows_not(x, "MFLOPs");
    stop(x);
}

/* So is the picture of the table, here of a source that gives no use of the peak. */
static void table_panes_picture_of_flops_is_in_that_unit(void **state)
{
    struct fixture *x = at(state, 40, 120, "6");
    go_to_view(x, "[op]");
    settle(x);
    shows(x, "| GFLOPs  54 of 692 have 50% of it");
    shows_not(x, "MFLOPs");
    stop(x);
}

/* A rate that is a mean over ops beside a use over steps: both say what they are over, at every width. */
static void table_panes_sums_say_what_they_are_over(void **state)
{
    for (int cols = 80; cols <= 160; cols += 40) {
        struct fixture *x = at(state, 40, cols, "6");
        go_to_view(x, "[sums");
        shows(x, " TFLOPS  Rate over  ");
        shows(x, " Util%  Util over");
        stop(x);
    }
}

/* Two columns that may grow share what is left. */
static void table_panes_settings_are_not_cut(void **state)
{
    struct fixture *x = at(state, 24, 100, "2 A-3");
    shows(x, "[settings]");
    shows(x, "Default/network-TrainOneStepCell/network-WithLossCell/Cast-op2\n");
    stop(x);
}

/* Rows of what is absent or off are no files. What feeds Ops once it is analysed feeds it before, too. */
static void table_panes_count_files_that_are_there(void **state)
{
    struct fixture *x = *state;
    const struct unit *u = session_job(x->s)->units[0];
    size_t absent = 0;
    char text[80];
    at(state, 24, 100, "2");
    assert_true(unit_count_files(u) < u->n_files);
    for (size_t i = 0; i < u->n_files; i++)
        absent += u->files[i]->state == FS_ABSENT;
    assert_int_equal(absent, u->n_files - unit_count_files(u)); /* none is off */
    snprintf(text, sizeof text, "%zu files, %zu absent  ", unit_count_files(u), absent);
    shows(x, text);
    press(x, "p");
    snprintf(text, sizeof text, " of %zu rows", u->n_files);
    shows(x, text);
    for (size_t i = 0; i < u->n_files; i++)
        if (strstr(u->files[i]->rel, "l2_cache.data"))
            assert_string_equal(u->files[i]->kind->feeds, "ops");
    stop(x);
}

/* Names of raw files differ before their long common end. */
static void table_panes_notes_name_the_file(void **state)
{
    struct fixture *x = at(state, 24, 80, "2 v");
    shows(x, "[notes]");
    shows(x, "ts_track.data.0.slice_0");
    shows(x, "aging.api_event.data.slice_0");
    stop(x);
}

int main(void)
{
    const struct CMUnitTest gen1[] = {
        cmocka_unit_test(table_panes_with_scopes_begin_with_their_tree),
        cmocka_unit_test(table_panes_ops_without_totals_begin_with_the_longest),
        cmocka_unit_test(table_panes_without_cores_have_none),
        cmocka_unit_test(table_panes_ops_of_a_type_show_shapes),
        cmocka_unit_test(table_panes_names_keep_where_they_differ),
        cmocka_unit_test(table_panes_rows_of_scopes_differ),
        cmocka_unit_test(table_panes_heads_of_bars_name_their_column),
        cmocka_unit_test(table_panes_settings_are_not_cut),
        cmocka_unit_test(table_panes_flops_are_in_the_unit_of_the_largest),
        cmocka_unit_test(table_panes_sums_say_what_they_are_over),
        cmocka_unit_test(table_panes_aicpu_says_which_times),
        cmocka_unit_test(table_panes_card_of_an_op_has_shapes_first),
        cmocka_unit_test(table_panes_host_begins_with_stages),
        cmocka_unit_test(table_panes_measurements_have_times),
    };
    const struct CMUnitTest gen2[] = {
        cmocka_unit_test(table_panes_types_of_ops_are_whole),
        cmocka_unit_test(table_panes_types_are_whole_beside_a_card),
        cmocka_unit_test(table_panes_ops_begin_with_the_costliest),
        cmocka_unit_test(table_panes_calls_are_in_the_unit_of_the_largest),
        cmocka_unit_test(table_panes_names_of_kernels_are_there_once),
        cmocka_unit_test(table_panes_keep_what_tells_rows_apart),
        cmocka_unit_test(table_panes_host_begins_with_calls),
        cmocka_unit_test(table_panes_console_lists_tables),
        cmocka_unit_test(table_panes_offer_problems_that_are_there),
        cmocka_unit_test(table_panes_columns_without_room_say_so),
        cmocka_unit_test(table_panes_scopes_are_modules),
        cmocka_unit_test(table_panes_measurements_have_times),
    };
    const struct CMUnitTest crashed[] = {
        cmocka_unit_test(table_panes_picture_of_flops_is_in_that_unit),
        cmocka_unit_test(table_panes_without_scopes_begin_with_types),
        cmocka_unit_test(table_panes_notes_name_the_file),
        cmocka_unit_test(table_panes_offer_problems_of_a_crash),
        cmocka_unit_test(table_panes_count_files_that_are_there),
    };
    int failed = cmocka_run_group_tests_name("generation 1", gen1, setup_gen1, teardown);
    failed += cmocka_run_group_tests_name("generation 2", gen2, setup_counted, teardown);
    failed += cmocka_run_group_tests_name("crashed, generation 2", crashed, setup_crashed, teardown);
    return failed;
}
