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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(here_what_is_read_is_shown) };
    return cmocka_run_group_tests(tests, setup_gen2, teardown);
}
