/* SPDX-License-Identifier: Apache-2.0 */
/* Every key that the key bar or the help shows does something, in every view of every pane. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/sample.h"
#include "tests/unit/ui/panes_case.h"

#define MAX_SHOWN 256

/* Keys that leave the program, or stop it. */
static bool leaves(enum action act)
{
    return act == ACT_QUIT || act == ACT_SUSPEND || act == ACT_REREAD;
}

/* The keys that are shown here: what the key bar and the help list. */
static size_t shown_keys(struct fixture *x, uint32_t *codes)
{
    size_t n = 0;
    const struct key_where w = app_where(x->a);
    for (size_t i = 0; i < n_key_rows; i++) {
        char name[24];
        if (leaves(key_rows[i].action))
            continue;
        keymap_key(x->a->keys, key_rows[i].action, &w, name, sizeof name);
        if (name[0] && n < MAX_SHOWN)
            codes[n++] = key_parse(str_of(name));
    }
    return n;
}

static void go_to(struct fixture *x, const char *way)
{
    start(x, 40, 120, false);
    frame(x);
    press(x, way);
}

static bool refused(const struct app *a)
{
    static const char *const words[] = {
        "nothing to do", "no binding", "later version",      "has no time of its own", "there is no table",
        "no rows here",  "no column",  "nothing was search", "nothing is running",     "has no time here"
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strstr(a->message, words[i]))
            return true;
    return false;
}

/* Press each key that is shown at the end of this way, from a new start each time. */
static void press_shown(struct fixture *x, const char *way)
{
    uint32_t codes[MAX_SHOWN];
    go_to(x, way);
    size_t n = shown_keys(x, codes);
    stop(x);
    assert_true(n > 2); /* a statement leaves the function keys */
    for (size_t i = 0; i < n; i++) {
        char name[24];
        go_to(x, way);
        const struct key_event k = { .code = codes[i] };
        app_key(x->a, &k);
        if (refused(x->a))
            fail_msg("%s, then %s: %s", way, key_text(name, sizeof name, codes[i]), x->a->message);
        frame(x);
        stop(x);
    }
}

static const char *const ways[] = {
    "1",
    "1 Up",
    "1 Enter",
    "1 v",
    "1 v v",
    "2",
    "2 Enter",
    "2 v",
    "2 v v",
    "3",
    "3 Enter",
    "3 Enter Enter",
    "3 Enter Enter Enter",
    "3 v",
    "3 v v",
    "3 v v v",
    "4",
    "4 v",
    "4 v v",
    "4 v v v",
    "4 Enter",
    "5",
    "5 Enter",
    "5 m l l M",
    "5 v",
    "5 v v",
    "6",
    "6 v",
    "6 v v",
    "6 Enter",
    "7",
    "7 v",
    "7 v v",
    "7 Enter",
    "8",
    "8 v",
    "8 Enter",
    "9",
    "9 v",
    "9 Enter",
    "0",
    "0 v",
    "0 Enter",
    ";",
    "; s",
    "; s F1",
};

/* A sample is another one for each of the runs: four of them have every way together. */
static void advertised_keys_work(void **state)
{
    static size_t run;
    size_t step = sample_step_short(6, 4);
    for (size_t i = run++ % step; i < ARRAY_LEN(ways); i += step)
        press_shown(*state, ways[i]);
}

static void crashed_keys_work(void **state)
{
    go_to(*state, "1");
    shows(*state, "CRASHED");
    stop(*state);
    advertised_keys_work(state);
}

/* What an action needs is said, and the help leaves the key out. */
static void keys_that_do_nothing_are_not_shown(void **state)
{
    struct fixture *x = *state;
    go_to(x, "3"); /* op types have no time */
    shows_not(x, "t timeline");
    press(x, "t");
    shows(x, "this row has no time of its own");
    press(x, "D");
    shows(x, "no binding for D");
    press(x, "?");
    shows_not(x, "later");
    shows_not(x, ":compare");
    stop(x);
    go_to(x, "; s"); /* a statement takes letters */
    shows(x, "F1 help");
    shows(x, "Esc back");
    shows_not(x, "q back");
    press(x, "^C");
    shows(x, "q back");
    press(x, "s Esc");
    shows(x, "[1 Triage]");
    stop(x);
}

/* Raw, without the end: a job that died in its fourth step. */
static int setup_crashed(void **state, int gen)
{
    return setup_demo(
        state, &(struct demo_opts){ .gen = gen, .ranks = 2, .steps = 6, .raw = true, .crash_step = 4 });
}

static int setup_crashed_gen1(void **state)
{
    return setup_crashed(state, 1);
}

static int setup_crashed_gen2(void **state)
{
    return setup_crashed(state, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(advertised_keys_work, setup_gen1, teardown),
        cmocka_unit_test_setup_teardown(advertised_keys_work, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(crashed_keys_work, setup_crashed_gen1, teardown),
        cmocka_unit_test_setup_teardown(crashed_keys_work, setup_crashed_gen2, teardown),
        cmocka_unit_test_setup_teardown(keys_that_do_nothing_are_not_shown, setup_gen1, teardown),
    };
    return cmocka_run_group_tests_name("advertised", tests, NULL, NULL);
}
