/* SPDX-License-Identifier: Apache-2.0 */
/* The strip of ranks by steps. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/screen_text.h"
#include "ui/pane/steps_heat.h"

#define RANKS 3
#define STEPS 4

static double lengths[RANKS * STEPS] = {
    40e6, 10e6, 10e6, 10e6, /* */
    40e6, 10e6, 20e6, 10e6, /* */
    40e6, 10e6, 10e6, 15e6, /* */
};
static int64_t numbers[STEPS] = { 11, 12, 13, 14 };

static void draws(struct steps_heat *s, int h, int w, const char *want)
{
    struct canvas *c = canvas_make(10, 60, true);
    int rows = steps_heat_draw(s, c, (struct rect){ 0, 0, h, w });

    assert_true(rows <= h);
    canvas_shows(c, want);
    canvas_free(c);
}

static void heat_shows_where_ranks_part(void **state)
{
    (void)state;
    struct peer v[RANKS] = { { .rank = 0, .read = true },
                             { .rank = 1, .read = true },
                             { .rank = 2, .read = true } };
    struct peers p = { .v = v, .n = RANKS, .step = numbers, .n_steps = STEPS, .lengths = lengths };
    struct steps_heat s = { .p = &p, .lo = 10e6, .hi = 20e6, .rank = 1, .has_step = true, .step = 13 };

    draws(&s, 6, 26,
          "Ranks by steps\n"
          "rank 0  9999111111111111\n"
          "rank 1  9999111199991111\n"
          "rank 2  9999111111115555\n"
          "        11      ^     14");
    s.step = 14;
    draws(&s, 5, 60,
          "Ranks by steps   1 10.00  9 20.00 ms and more\n"
          "rank 0  999999111111111111111111\n"
          "rank 1  999999111111999999111111\n"
          "rank 2  999999111111111111555555\n"
          "        11                ^   14");
    s.step = 11; /* its mark stands where the first number would, which goes after it */
    draws(&s, 5, 17,
          "Ranks by steps\n"
          "rank 0  99111111\n"
          "rank 1  99119911\n"
          "rank 2  99111155\n"
          "        ^11   14");
    draws(&s, 3, 60, "");
    v[0].read = v[1].read = false; /* one rank alone is no comparison */
    draws(&s, 6, 60, "");
}

/* The legend has the level of each value, and where there is no room for all the first and the last. */
static void heat_legend_says_where_levels_begin(void **state)
{
    (void)state;
    double of[2 * 5] = { 10e6, 12.49e6, 12.5e6, 14.99e6, 15e6, 17.49e6, 17.5e6, 19.99e6, 20e6, 40e6 };
    int64_t five[5] = { 1, 2, 3, 4, 5 };
    struct peer v[2] = { { .rank = 0, .read = true }, { .rank = 1, .read = true } };
    struct peers p = { .v = v, .n = 2, .step = five, .n_steps = 5, .lengths = of };
    struct steps_heat s = { .p = &p, .lo = 10e6, .hi = 20e6, .rank = 0 };
    struct canvas *c = canvas_make(5, 80, true);

    assert_int_equal(steps_heat_draw(&s, c, (struct rect){ 0, 0, 5, 80 }), 4);
    canvas_shows(c, "Ranks by steps   1 10.00  3 12.50  5 15.00  7 17.50  9 20.00 ms and more\n"
                    "rank 0  111111111111333333333333555555\n"
                    "rank 1  555555777777777777999999999999\n"
                    "        1                            5");
    canvas_free(c);
}

/* A line that stands for several ranks names all of them. */
static void heat_names_all_ranks(void **state)
{
    (void)state;
    struct peer v[RANKS] = { { .rank = 9, .read = true },
                             { .rank = 10, .read = true },
                             { .rank = 11, .read = true } };
    struct peers p = { .v = v, .n = RANKS, .step = numbers, .n_steps = STEPS, .lengths = lengths };
    struct steps_heat s = { .p = &p, .lo = 10e6, .hi = 20e6, .rank = 9 };

    draws(&s, 4, 30,
          "Ranks by steps\n"
          "rank 9     9999111111111111\n"
          "rank 10-11 9999111199995555\n"
          "           11            14");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(heat_shows_where_ranks_part),
                                        cmocka_unit_test(heat_legend_says_where_levels_begin),
                                        cmocka_unit_test(heat_names_all_ranks) };

    return cmocka_run_group_tests_name("steps_heat", tests, NULL, NULL);
}
