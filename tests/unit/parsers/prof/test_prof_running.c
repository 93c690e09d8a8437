/* SPDX-License-Identifier: Apache-2.0 */
/* Communication that had not ended when the data did: found once, without a duration and no event. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/rows/rows.h"
#include "run/chip.h"
#include "tests/unit/parsers/prof/comm_case.h"
#include "tests/unit/parsers/rows.h"

/* An op of two tasks that ended, and one of which the first did. */
static struct comm_case *begun(void)
{
    const struct prof_comm_info info = { .group_hash = 987452, .master = true };
    struct comm_case *x = comm_case_new();
    uint32_t one = comm_op(x, "hcom_allReduce_", 100), two = comm_op(x, "hcom_allReduce_", 500);

    comm_ran(x, comm_host(x, one, 110, info), 3010, 3020);
    comm_ran(x, comm_host(x, one, 120, info), 3030, 3110);
    comm_ran(x, comm_host(x, two, 510, info), 3200, 3210);
    comm_host(x, two, 520, info);
    comm_make(x);
    assert_int_equal(x->c.n_runs, 2);
    return x;
}

struct running_case {
    struct rows rows;
    struct runinfo run;
    struct group_ctx g;
    struct prof_rows_running running;
    struct prof_rows_steps step;
    struct prof_rows r;
};

static void open_rows(struct running_case *c, struct comm_case *x)
{
    struct err e = ERR_INIT;

    *c = (struct running_case){ .run = { .n_ranks = 0 } };
    rows_init(&c->rows, "raw_stars", "x");
    c->g = (struct group_ctx){ .out = sink_count_sink(c->rows.count), .run = &c->run };
    x->p.chip = chip_of(5);
    x->p.host = &x->folder;
    x->p.in.notes = c->g.out;
    c->r = (struct prof_rows){ .g = &c->g,
                               .m = { .p = &x->p, .host = x->h, .dev = &x->d, .comm = &x->c, .n_dev = 1 },
                               .running = &c->running,
                               .step = &c->step };
    assert_int_equal(prof_rows_running_make(&c->r, 0, &e), OK);
}

/* Lines of the rows that a writer gives; the caller frees. */
static char *given(struct running_case *c, prof_rows_fn *write)
{
    struct err e = ERR_INIT;

    assert_int_equal(write(&c->r, &e), OK);
    return strndup(c->rows.text.p ? c->rows.text.p : "", c->rows.text.n);
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

static void op_between_two_tasks_runs(void **state)
{
    struct comm_case *x = begun();
    struct running_case c;

    (void)state;
    open_rows(&c, x);
    assert_int_equal(c.running.n, 1);
    assert_false(prof_rows_is_running(&c.r, 0, &x->c.run[0]));
    assert_true(prof_rows_is_running(&c.r, 0, &x->c.run[1]));
    rows_done(&c.rows);
    comm_case_free(x);
}

static void op_of_an_open_task_runs(void **state)
{
    struct comm_case *x = begun();
    struct running_case c;
    struct prof_task open = { .start = 3220, .host = 3 };

    (void)state;
    x->d.open = &open;
    x->d.n_open = 1;
    open_rows(&c, x);
    assert_int_equal(c.running.n, 1);
    assert_int_equal(c.running.v[0].start, 3200);
    assert_int_equal(c.running.v[0].open, 0);
    assert_true(prof_rows_is_running(&c.r, 0, &x->c.run[1]));
    rows_done(&c.rows);
    comm_case_free(x);
}

/* Where records behind it were lost, its end may be among them. */
static void op_whose_end_may_be_lost_is_not_said_to_run(void **state)
{
    struct comm_case *x = begun();
    struct running_case c;

    (void)state;
    x->d.last_pmu = 4000;
    open_rows(&c, x);
    assert_int_equal(c.running.n, 1);
    assert_false(prof_rows_is_running(&c.r, 0, &x->c.run[1]));
    rows_done(&c.rows);
    comm_case_free(x);
}

static void running_op_has_no_duration(void **state)
{
    struct comm_case *x = begun();
    struct running_case c;

    (void)state;
    open_rows(&c, x);
    char *text = given(&c, prof_rows_ops);
    assert_int_equal(count_of(text, "op_exec|"), 2);
    assert_int_equal(count_of(text, "|dur_ns="), 1);
    assert_int_equal(count_of(text, "|dur_ns=2000"), 1);
    free(text);
    rows_done(&c.rows);
    comm_case_free(x);
}

static void running_op_is_no_event_and_its_tasks_are(void **state)
{
    struct comm_case *x = begun();
    struct running_case c;

    (void)state;
    open_rows(&c, x);
    char *text = given(&c, prof_rows_tracks);
    assert_int_equal(count_of(text, "|name=hcom_allReduce__452_0_1"), 1);
    assert_int_equal(count_of(text, "|name=hcom_allReduce__452_1_1"), 0);
    free(text);
    rows_done(&c.rows);
    comm_case_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(op_between_two_tasks_runs),
        cmocka_unit_test(op_of_an_open_task_runs),
        cmocka_unit_test(op_whose_end_may_be_lost_is_not_said_to_run),
        cmocka_unit_test(running_op_has_no_duration),
        cmocka_unit_test(running_op_is_no_event_and_its_tasks_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
