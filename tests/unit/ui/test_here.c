/* SPDX-License-Identifier: Apache-2.0 */
/* Reading in this process, where there is no cache: the screen shows how far it is. */
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

struct reading {
    struct fixture *x;
    int seen;
};

/* Reads without a cache: it asks whether to go on, and the screen has what it said so far. */
static int read_here(void *arg, size_t unit, bool again, const struct read_watch *watch, struct worker **out,
                     struct err *e)
{
    struct reading *r = arg;
    const struct worker_status p = {
        .done_b = 300 << 20, .total_b = 400 << 20, .files_done = 3, .files_total = 8, .now = "trace_view.json"
    };

    (void)unit;
    (void)again;
    (void)e;
    *out = NULL;
    watch->progress(watch->arg, &p);
    assert_false(watch->cancelled(watch->arg));
    frame(r->x);
    shows(r->x, "LOAD 75%");
    shows(r->x, "Nothing was found so far: the profile is being read.");
    app_key(r->x->a, &(struct key_event){ .code = '3' });
    frame(r->x);
    shows(r->x, "300.0 MiB of 400.0 MiB");
    shows(r->x, "done     3 of 8 files");
    shows(r->x, "now      trace_view.json");
    shows(r->x, "There is no cache: the profile is read into memory");
    r->seen++;
    return OK;
}

static void here_what_is_read_is_shown(void **state)
{
    struct fixture *x = *state;
    struct reading r = { x, 0 };
    int percent;
    start(x, 24, 80, true);
    frame(x);
    app_detach(x->a);
    session_detach(x->s, 0);
    x->a->o.load = read_here;
    x->a->o.arg = &r;
    app_load(x->a, false);
    assert_int_equal(r.seen, 1);
    assert_false(app_loading(x->a, &percent));
    stop(x);
}

/* Of a job each rank says how far it is; where there is no line for each, a cell. */
static int read_of_job(void *arg, size_t unit, bool again, const struct read_watch *watch,
                       struct worker **out, struct err *e)
{
    struct reading *r = arg;
    const struct worker_status p = { .done_b = 300 << 20, .total_b = 400 << 20 };

    (void)unit;
    (void)again;
    (void)e;
    *out = NULL;
    watch->progress(watch->arg, &p);
    assert_false(watch->cancelled(watch->arg));
    app_key(r->x->a, &(struct key_event){ .code = '3' });
    frame(r->x);
    shows(r->x, "ranks    1 of 3 are read");
    shows(r->x, r->x->a->rows > 20 ? "rank 0     " : "\u2592\u00b7\u2588"); /* 0 reading, 1 waits, 2 read */
    if (r->x->a->rows > 20) {
        shows(r->x, " 75%");
        shows(r->x, "rank 1     waits");
        shows(r->x, "rank 2     read");
    }
    r->seen++;
    return OK;
}

static void here_each_rank_of_a_job_is_shown(void **state)
{
    static const int rows[] = { 30, 16 };
    struct fixture *x = *state;
    struct reading r = { x, 0 };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        start(x, rows[i], 80, false);
        frame(x);
        app_detach(x->a);
        session_detach(x->s, 0);
        session_detach(x->s, 1);
        x->a->o.load = read_of_job;
        x->a->o.arg = &r;
        app_load(x->a, false);
        stop(x);
    }
    assert_int_equal(r.seen, 2);
}

static int setup_job(void **state)
{
    return setup_demo(state, &(struct demo_opts){ .gen = 2, .ranks = 3, .steps = 4 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(here_what_is_read_is_shown, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(here_each_rank_of_a_job_is_shown, setup_job, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
