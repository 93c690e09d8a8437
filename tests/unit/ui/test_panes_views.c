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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_steps_mark_what_means_leave_out),
    };
    return cmocka_run_group_tests_name("generation 2", tests, setup_gen2, teardown);
}
