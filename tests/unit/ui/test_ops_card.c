/* SPDX-License-Identifier: Apache-2.0 */
/* The card of an op has the figures that `op NAME` prints: those of executions, whatever the table says. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/unit.h"
#include "tests/unit/ui/panes_case.h"

#define OP "Conv2D-op3"

/* "title      text", as the card has it: values begin at column 18 of its lines. */
static void card_shows(struct fixture *x, const char *title, const char *text)
{
    char line[160];

    snprintf(line, sizeof line, "%-18s%s", title, text);
    shows(x, line);
}

static double figure(struct fixture *x, const char *what, const char *where)
{
    char sql[400];

    snprintf(sql, sizeof sql,
             "SELECT CAST(round(1000.0 * %s) AS INTEGER) FROM op_exec e JOIN op o ON o.id = e.op_id "
             "JOIN string n ON n.id = o.name_id WHERE e.rank = 0 AND e.dur_ns IS NOT NULL AND %s",
             what, where);
    return (double)store_int(session_store(x->s, 0), -1, sql, NULL) / 1000;
}

static void check_figures(struct fixture *x, const char *where)
{
    static const struct {
        const char *title, *sql;
    } times[] = { { "Total", "sum(e.dur_ns)" },
                  { "Avg", "avg(e.dur_ns)" },
                  { "Min", "min(e.dur_ns)" },
                  { "Max", "max(e.dur_ns)" } };
    char text[64];

    snprintf(text, sizeof text, "%.0f", figure(x, "count(*)", where));
    assert_string_not_equal(text, "0");
    card_shows(x, "Calls", text);
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        card_shows(x, times[i].title,
                   unit_time(text, sizeof text, figure(x, times[i].sql, where), TIME_AUTO));
    double whole = figure(x, "sum(e.dur_ns)", "ifnull(o.core, '') NOT IN ('HCCL', 'AICPU')");
    snprintf(text, sizeof text, "%.1f", 100 * figure(x, "sum(e.dur_ns)", where) / whole);
    card_shows(x, "%", text);
}

static void open_card(struct fixture *x)
{
    start(x, 60, 140, true);
    press(x, "3 v");
    type(x, "/" OP "$");
    press(x, "Enter Enter");
    shows(x, "executions   mean");
}

/* Analysed files of MindSpore 1.x say the mean of an op alone: the card has more, and of the executions. */
static void card_has_the_figures_of_executions(void **state)
{
    struct fixture *x = *state;

    open_card(x);
    check_figures(x, "n.text LIKE '%/" OP "'");
    stop(x);
}

static void card_has_the_figures_of_the_steps(void **state)
{
    struct fixture *x = *state;
    char more[80];
    int64_t first = store_int(session_store(x->s, 0), -1, "SELECT min(step) FROM op_exec", NULL);

    session_scope(x->s)->step0 = first + 1;
    session_scope(x->s)->step1 = first + 3;
    open_card(x);
    snprintf(more, sizeof more, "%lld AND %lld", (long long)first + 1, (long long)first + 3);
    char where[160];
    snprintf(where, sizeof where, "n.text LIKE '%%/" OP "' AND e.step BETWEEN %s", more);
    char text[64];
    snprintf(text, sizeof text, "%.0f", figure(x, "count(*)", where));
    card_shows(x, "Calls", text);
    card_shows(x, "Total", unit_time(text, sizeof text, figure(x, "sum(e.dur_ns)", where), TIME_AUTO));
    stop(x);
}

/* From card to card the figures are those of the op in front. */
static void card_follows_the_op(void **state)
{
    struct fixture *x = *state;

    start(x, 60, 140, true);
    press(x, "3 v");
    press(x, "\\");
    type(x, "(" OP "|Conv2D-op9)$");
    press(x, "Enter Enter");
    shows(x, "executions   mean");
    static const char *const where[] = { "n.text LIKE '%/" OP "'", "n.text LIKE '%/Conv2D-op9'" };
    const bool op9 = figure(x, "avg(e.dur_ns)", where[1]) > figure(x, "avg(e.dur_ns)", where[0]);
    check_figures(x, where[op9]); /* the longest is first */
    press(x, ".");
    check_figures(x, where[!op9]);
    press(x, ",");
    check_figures(x, where[op9]);
    stop(x);
}

/* Text of one value of a statement over the executions of the op. */
static const char *origin(struct fixture *x, const char *what, char *buf, size_t n)
{
    char sql[500];
    struct query *q = NULL;
    struct err e = ERR_INIT;

    snprintf(sql, sizeof sql,
             "SELECT %s FROM op_exec e JOIN op o ON o.id = e.op_id JOIN string s ON s.id = o.name_id "
             "LEFT JOIN exec_host h ON h.exec_id = e.id LEFT JOIN op_counter c ON c.exec_id = e.id "
             "WHERE e.rank = 0 AND s.text LIKE '%%/" OP "'",
             what);
    if (store_query(session_store(x->s, 0), &q, sql, &e))
        fail_msg("%s: %s", sql, e.text);
    assert_int_equal(query_step(q, &e), 1);
    str_copy(query_str(q, 0), buf, n);
    query_free(q);
    assert_true(buf[0]);
    return buf;
}

/* Who launches an op, by table exec_host, and the mean of its counters: beside the table and in the card. */
static void card_says_who_launches_an_op(void **state)
{
    struct fixture *x = *state;
    char text[400], line[460];

    start(x, 60, 200, true);
    press(x, "3 v \\");
    type(x, OP "$");
    press(x, "Enter");
    pane_rested(app_pane(x->a));
    frame(x);
    shows(x, "Launched by");
    snprintf(line, sizeof line, "Counters, mean of %s executions", origin(x, "count(*)", text, sizeof text));
    shows(x, line);
    snprintf(line, sizeof line, "%-22s %5s%%  =", "aic_mac",
             origin(x, "printf('%.1f', 100 * avg(c.aic_mac_ratio))", text, sizeof text));
    shows(x, line);
    press(x, "Enter");
    card_shows(x, "aic_mac", text);
    card_shows(x, "Module", origin(x, "(SELECT text FROM string WHERE id = h.module_id)", text, sizeof text));
    origin(x, "(SELECT text FROM string WHERE id = h.stack_id)", text, sizeof text);
    card_shows(x, "Code", text);
    stop(x);
}

/* Of a type whose executions have a place each it says how many of what. */
static void card_counts_who_launches_a_type(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 120, true);
    press(x, "3 j");
    pane_rested(app_pane(x->a));
    frame(x);
    shows(x, "| Launched by   53 different framework ops");
    shows(x, "| Module        53 different modules");
    stop(x);
}

/* Two shapes of one name: the card of one has its figures, and a line for the other. */
static void card_has_other_shapes(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct store *s = session_store(x->s, 0);

    assert_int_equal(store_exec(s,
                                "CREATE TEMP TABLE op AS SELECT * FROM main.op; UPDATE temp.op SET name_id = "
                                "(SELECT id FROM string WHERE text LIKE '%/" OP "') WHERE name_id = "
                                "(SELECT id FROM string WHERE text LIKE '%/Conv2D-op9')",
                                &e),
                     OK);
    open_card(x);
    shows(x, "Other shape");
    shows(x, "Calls 6, Total");
    stop(x);
    assert_int_equal(store_exec(s, "DROP TABLE temp.op", &e), OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(card_has_the_figures_of_executions, setup_gen1, teardown),
        cmocka_unit_test_setup_teardown(card_has_the_figures_of_executions, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(card_has_the_figures_of_the_steps, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(card_follows_the_op, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(card_says_who_launches_an_op, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(card_counts_who_launches_a_type, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(card_has_other_shapes, setup_gen2, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
