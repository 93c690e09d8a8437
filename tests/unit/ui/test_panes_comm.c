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
    press(x, "v v v v v");
    shows(x, "[profiler's own sums]");
    assert_string_equal(bar_of(x), "total_ns");
    stop(x);
}

/* Steps of ranks that wait for each other are equal: their bars would say nothing. */
static void panes_comm_ranks_have_bars_that_differ(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "9 v v v v");
    shows(x, "[ranks]");
    assert_string_equal(bar_of(x), "wait_ns");
    stop(x);
}

/*
 * A link has one row with all that went over it, the slowest first, and leads to its transfers, which are
 * those of its card, without the totals.
 */
static void panes_comm_links_have_a_row_each(void **state)
{
    struct fixture *x = *state;
    start(x, 30, 120, true);
    press(x, "9 v v");
    shows(x, "[links]");
    shows(x, "2 links   sorted by Rate");
    struct table *t = pane_table(x->a->panes[PANE_COMM]);
    assert_int_equal(table_rows(t), 2);
    const struct val slow = table_value_at(t, 0, 3), fast = table_value_at(t, 1, 3);
    assert_string_equal(view_col(table_view(t), 3)->id, "bandwidth_b_per_s");
    assert_true(val_num(&slow) <= val_num(&fast));
    settle(x);
    shows(x, " rows by Time");
    shows_not(x, " total of reduce");
    type(x, "\\from_rank=1");
    press(x, "Enter");
    shows(x, "1 of 2 rows ");
    shows_not(x, "sums of 2 ranks");
    shows(x, "1 -> 0");
    press(x, "Enter");
    shows(x, "Comm > 1 -> 0");
    shows(x, " total of reduce ");
    struct val from = table_value(pane_table(x->a->panes[PANE_COMM]), "from_rank");
    assert_true(from.t == VAL_INT && from.i == 1);
    stop(x);
}

/*
 * A transfer without what it moved says nothing: size and rate are in the row at 80 columns, too, after Stat,
 * without which rows of one op would look alike; a total says of what.
 */
static void panes_comm_transfers_say_what_moved(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "9 v v v");
    shows(x, "[transfers]");
    shows(x, " From     To  Stat            Size        Rate");
    type(x, "\\stat=total");
    press(x, "Enter");
    shows(x, " total of reduce ");
    shows(x, " total of allgather ");
    stop(x);
}

/* Rates of messages of different size are not drawn as one distribution: the size is said. */
static void panes_comm_compares_transfers_of_a_size(void **state)
{
    struct fixture *x = *state;
    start(x, 50, 160, true);
    press(x, "9 v v v");
    shows(x, "[transfers]");
    settle(x);
    char size[40], said[64];
    const struct val v = table_value(pane_table(x->a->panes[PANE_COMM]), "size_b");
    const struct view_col bytes = { .unit = VU_BYTES };
    snprintf(said, sizeof said, "Rate  %s  p50 ",
             cell_string(size, sizeof size, &bytes, &v, &(struct cell_units){ 0 }));
    shows(x, said);
    stop(x);
}

/* Rows of ops, steps and statistics are no links: two ranks have two. */
static void panes_comm_counts_a_link_once(void **state)
{
    struct fixture *x = *state;
    char said[64];
    start(x, 24, 100, true);
    press(x, "9 v v v");
    const size_t rows = view_total(table_view(pane_table(x->a->panes[PANE_COMM])));
    assert_true(rows > 20);
    snprintf(said, sizeof said, "%zu rows, 2 links", rows);
    shows(x, said);
    type(x, "\\stat=total");
    press(x, "Enter");
    snprintf(said, sizeof said, " of %zu rows", rows);
    shows(x, said);
    shows_not(x, " rows, ");
    stop(x);
}

static double number_of(struct fixture *x, const char *col)
{
    struct val v = table_value(pane_table(x->a->panes[PANE_COMM]), col);

    assert_true(v.t == VAL_INT || v.t == VAL_REAL);
    return v.t == VAL_INT ? (double)v.i : v.r;
}

/* A group or type of several ranks is one row: its sums are of all, and it says which rank is slow. */
static void panes_comm_merges_ranks(void **state)
{
    struct fixture *x = *state;
    char tail[8];
    start(x, 24, 80, true);
    press(x, "9");
    shows(x, "2 types, sums of 2 ranks   sorted by Total");
    const double calls = number_of(x, "calls"), total = number_of(x, "total_ns");
    assert_int_equal((int)calls % 2, 0);
    assert_true(number_of(x, "long_rank") + number_of(x, "short_rank") == 1); /* 0 and 1 */
    assert_true(number_of(x, "short_ns") <= number_of(x, "avg_ns"));
    assert_true(number_of(x, "long_ns") >= number_of(x, "avg_ns"));
    assert_true(number_of(x, "long_ns") + number_of(x, "short_ns") > 1.99 * total / calls);
    assert_true(number_of(x, "long_ns") + number_of(x, "short_ns") < 2.01 * total / calls);
    press(x, "v v v v v v");
    shows(x, "[groups]");
    shows(x, "1 group, sums of 2 ranks   sorted by Total");
    struct val group = table_value(pane_table(x->a->panes[PANE_COMM]), "group_name");
    assert_true(group.t == VAL_TEXT && group.s.n > 4);
    snprintf(tail, sizeof tail, "%.*s ", 4, group.s.p + group.s.n - 4);
    shows(x, tail);
    stop(x);
}

/* The card of a type lists ops of all ranks: each says of which. */
static void panes_comm_card_says_the_rank_of_each_op(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "9");
    settle(x);
    shows(x, "[types]");
    shows(x, " rank 0 hcom_");
    shows(x, " rank 1 hcom_");
    stop(x);
}

/* A step's card lists ops of the rank that is open: there is nothing to tell apart. */
static void panes_steps_card_says_no_rank(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "4");
    settle(x);
    shows(x, " executions by Duration");
    shows_not(x, "rank 0 hcom_");
    stop(x);
}

/* Where a row is of all ranks a filter by rank cannot choose among them. */
static void panes_comm_has_no_filter_by_rank_in_merged_rows(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "9");
    type(x, "\\rank=1");
    press(x, "Enter");
    shows(x, "a row is of all ranks that are open");
    press(x, "Esc");
    shows(x, "2 types, sums of 2 ranks   sorted by Total");
    type(x, "\\calls>0"); /* nothing is left of it that would refuse the next one */
    press(x, "Enter");
    shows(x, "1:calls>0  2 types");
    stop(x);
}

/* The ops in which the ranks died are no calls, and are in no sum; each says so. */
static void panes_comm_tells_what_runs_apart(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 160, true);
    press(x, "9");
    shows(x, "[types]");
    shows(x, ", sums of 2 ranks   sorted by Total");
    shows(x, "  Running");
    shows(x, "  Running on");
    const double calls = number_of(x, "calls"), runs = number_of(x, "running"),
                 total = number_of(x, "total_ns");
    double min, max, sum;
    struct err e = ERR_INIT;
    assert_true(runs >= 1);
    press(x, "v");
    shows(x, "[ops]");
    struct view *v = table_view(pane_table(x->a->panes[PANE_COMM]));
    assert_true(view_total(v) == (size_t)(calls + runs));
    assert_true(view_range(v, view_find_col(v, "dur_ns"), &min, &max, &sum, &e));
    assert_true(sum > total);
    type(x, "\\state=RUNNING");
    press(x, "Enter");
    assert_true(view_rows(v) == (size_t)runs);
    assert_true(view_range(v, view_find_col(v, "dur_ns"), &min, &max, &sum, &e));
    assert_true(sum > 0);
    shows(x, " RUNNING ");
    stop(x);
}

/* They are listed first, as in their table; bars are shares of the longest op that ended. */
static void panes_comm_card_has_no_bar_of_what_runs(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "9");
    settle(x);
    shows(x, "ops by Elapsed");
    shows(x, "|   ~3.08 us        rank 1 hcom_");
    shows(x, "|    3.08 ms ====== rank 0 hcom_");
    shows(x, "|    2.70 ms =====- rank 1 hcom_");
    stop(x);
}

/* The lines below the table mark what damage made unsure, as cells do. */
static void panes_comm_strip_marks_what_runs(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "9 v");
    shows(x, "[ops]");
    shows(x, " Sync ~0 ns ");
    shows(x, " Idle ~500 ns ");
    stop(x);
}

/* Steps of both ranks are alike within a thousandth, and no wait is known: no bar is drawn of them. */
static void panes_comm_draws_no_bars_of_what_is_alike(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    double min, max, sum;
    start(x, 24, 100, true);
    press(x, "9");
    shows(x, "[ranks]");
    struct view *v = table_view(pane_table(x->a->panes[PANE_COMM]));
    assert_true(view_range(v, view_find_col(v, "step_ns"), &min, &max, &sum, &e));
    assert_true(max > min && max - min <= max / 1000);
    assert_string_equal(bar_of(x), "interval_ns");
    shows_not(x, "####");
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

/* Steps shows pieces of one rank: the number is that of the same rank, and says which. */
static void panes_comm_says_whose_reductions_it_counts(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    long long seen[2];
    start(x, 24, 100, true);
    press(x, "9");
    for (int rank = 0; rank < 2; rank++) {
        struct query *q = NULL;
        size_t n;
        const struct view_part *parts = session_parts(x->s, false, &n);
        char said[64];
        assert_true(n == 1 && parts->rank == rank);
        assert_int_equal(store_query(parts->store, &q,
                                     "SELECT count(*) FROM step_part WHERE rank = :rank AND kind = 'reduce'",
                                     &e),
                         OK);
        query_bind_int(q, ":rank", rank);
        assert_int_equal(query_step(q, &e), 1);
        seen[rank] = (long long)query_int(q, 0);
        query_free(q);
        snprintf(said, sizeof said, "have %lld reductions of rank %d.", seen[rank], rank);
        shows(x, said);
        shows(x, " has not ended: Triage (1) says where the ranks stand.");
        press(x, "}");
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    stop(x);
}

/* Data was taken from a queue that no file here has sizes of. */
static void panes_data_says_what_took_batches(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 100, true);
    press(x, "8");
    shows(x, "No data pipeline in this run.");
    shows(x, " the AI CPU took ");
    shows(x, " batches from the queue (GetNext in Host, ");
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

static int setup_crashed_ranks(void **state)
{
    return setup_demo(state,
                      &(struct demo_opts){ .gen = 2, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5 });
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
        cmocka_unit_test_setup_teardown(panes_comm_links_have_a_row_each, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_transfers_say_what_moved, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_compares_transfers_of_a_size, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_draws_no_bars_of_what_is_alike, setup_crashed, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_tells_what_runs_apart, setup_crashed_ranks, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_card_has_no_bar_of_what_runs, setup_crashed_ranks,
                                        teardown),
        cmocka_unit_test_setup_teardown(panes_comm_strip_marks_what_runs, setup_crashed_ranks, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_counts_a_link_once, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_merges_ranks, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_card_says_the_rank_of_each_op, setup_transformer,
                                        teardown),
        cmocka_unit_test_setup_teardown(panes_steps_card_says_no_rank, setup_transformer, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_has_no_filter_by_rank_in_merged_rows, setup_transformer,
                                        teardown),
        cmocka_unit_test_setup_teardown(panes_comm_says_what_lacks, setup_crashed, teardown),
        cmocka_unit_test_setup_teardown(panes_comm_says_whose_reductions_it_counts, setup_crashed, teardown),
        cmocka_unit_test_setup_teardown(panes_data_says_what_took_batches, setup_crashed2, teardown),
        cmocka_unit_test_setup_teardown(panes_memory_by_layer_needs_layers, setup_crashed2, teardown),
        cmocka_unit_test_setup_teardown(panes_memory_has_layers, setup_transformer, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
