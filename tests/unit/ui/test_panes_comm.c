/* SPDX-License-Identifier: Apache-2.0 */
/* What Comm shows of several ranks, and what Comm and Mem show where little is known. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"

static int setup_transformer(void **state)
{
    return setup_demo(state,
                      &(struct demo_opts){ .gen = 2, .ranks = 2, .steps = 3, .model = DEMO_TRANSFORMER });
}

/* The column that the bars of the table in front are of. */
static const char *bar_of(struct fixture *x)
{
    struct table *t = pane_table(x->a->panes[PANE_COMM]);

    return view_col(table_view(t), table_amount_column(t))->id;
}

/* The largest total has the longest bar, whatever share of its own rank's communication it is. */
static void panes_comm_bars_are_of_what_is_sorted_by(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "9");
    shows(x, "[types]");
    assert_string_equal(bar_of(x), "total_ns");
    press(x, "v v v v");
    shows(x, "[profiler's own sums]");
    assert_string_equal(bar_of(x), "total_ns");
    stop(x);
}

/* Steps of ranks that wait for each other are equal: their bars would say nothing. */
static void panes_comm_ranks_have_bars_that_differ(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "9 v v v");
    shows(x, "[ranks]");
    assert_string_equal(bar_of(x), "wait_ns");
    stop(x);
}

/* What tells links apart stands in the row at 80 columns, too; a total says of what. */
static void panes_comm_links_can_be_told_apart(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "9 v v");
    shows(x, "[links]");
    shows(x, " From    To  Stat     Transport  Step  ");
    type(x, "\\stat=total");
    press(x, "Enter");
    shows(x, " total of reduce ");
    shows(x, " total of allgather ");
    stop(x);
}

/* A group or type has a row for each of its ranks: that many rows, not that many groups; its tail is seen. */
static void panes_comm_counts_rows_of_ranks(void **state)
{
    struct fixture *x = *state;
    char tail[8];
    start(x, 24, 80, true);
    press(x, "9");
    shows(x, "4 rows   sorted by Total");
    press(x, "v v v v v");
    shows(x, "[groups]");
    shows(x, "2 rows   sorted by Total");
    struct val group = table_value(pane_table(x->a->panes[PANE_COMM]), "group_name");
    assert_true(group.t == VAL_TEXT && group.s.n > 4);
    snprintf(tail, sizeof tail, "%.*s ", 4, group.s.p + group.s.n - 4);
    shows(x, tail);
    stop(x);
}

/* Where steps alone know of communication the pane says why, and where else it stands. */
static void panes_comm_says_what_lacks(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "9");
    shows(x, "[ranks]");
    shows(x, "No file here lists communication ops: communication was not collected;");
    shows(x, "Steps (4, pieces of a step) and the timeline (5) have ");
    stop(x);
}

static int setup_crashed(void **state)
{
    return setup_demo(state,
                      &(struct demo_opts){ .gen = 1, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5 });
}

static int setup_crashed2(void **state)
{
    return setup_demo(state,
                      &(struct demo_opts){ .gen = 2, .raw = true, .ranks = 1, .steps = 4, .crash_step = 3 });
}

/* A view of layers is there where some layer is known. */
static void panes_memory_by_layer_needs_layers(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "7 v");
    shows(x, "[by type]");
    press(x, "v");
    shows(x, "[peaks]");
    shows_not(x, "by layer");
    stop(x);
}

static void panes_memory_has_layers(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "7 v v");
    shows(x, "[by layer]");
    stop(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(panes_comm_bars_are_of_what_is_sorted_by, setup_transformer,
                                        teardown),
        cmocka_unit_test_setup_teardown(panes_comm_ranks_have_bars_that_differ, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_links_can_be_told_apart, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_counts_rows_of_ranks, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_says_what_lacks, setup_crashed, teardown),
        cmocka_unit_test_setup_teardown(panes_memory_by_layer_needs_layers, setup_crashed2, teardown),
        cmocka_unit_test_setup_teardown(panes_memory_has_layers, setup_transformer, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
