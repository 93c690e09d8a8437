/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the verdict that ranks hang shows of each rank when it entered and left the op. */
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

static int setup_crashed1(void **state)
{
    return setup_demo(state, &(struct demo_opts){
                                 .gen = 1, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5, .seed = 7 });
}

static int setup_crashed2(void **state)
{
    return setup_demo(state, &(struct demo_opts){
                                 .gen = 2, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5, .seed = 7 });
}

/* The words of the first line of the screen that begins with so many; "" none. */
static void words_of(struct fixture *x, const char *begin, char *buf, size_t n)
{
    struct buf b;
    struct str rest, line, word;

    buf_init(&b, (size_t)1 << 20);
    canvas_text(x->a->c, &b);
    rest = buf_str(&b);
    buf[0] = '\0';
    while (str_next(&rest, '\n', &line)) {
        char text[400] = "";
        while (str_next(&line, ' ', &word))
            if (word.n && strlen(text) + word.n + 2 < sizeof text)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", text[0] ? " " : "",
                         (int)word.n, word.p);
        if (!strncmp(text, begin, strlen(begin))) {
            snprintf(buf, n, "%s", text);
            break;
        }
    }
    buf_done(&b);
}

/* The time here, in ms; *at is moved after its unit. */
static double ms_at(const char **at)
{
    char *end;
    const double ms = strtod(*at, &end);

    assert_true(end > *at && str_starts(str_of(end), STR(" ms ")));
    *at = end + strlen(" ms ");
    return ms;
}

static void check_lines(struct fixture *x)
{
    char in[400], left[400];

    words_of(x, "| 0 ", in, sizeof in);
    words_of(x, "| 1 ", left, sizeof left);
    const char *at = in + strlen("| 0 ");
    const double from = ms_at(&at);
    assert_true(str_starts(str_of(at), STR("not left ")));
    assert_non_null(strstr(at, " not ended"));
    at = left + strlen("| 1 ");
    const double entered = ms_at(&at), gone = ms_at(&at);
    assert_true(entered > 0 && entered < gone && gone - entered < 5);
    assert_true(from > 0 && from < gone + 5);
}

static void proof_of_a_hang_says_who_entered_and_left(void **state)
{
    struct fixture *x = *state;

    start(x, 40, 80, true);
    frame(x);
    press(x, "1");
    shows(x, "rank 0 is still in ");
    press(x, "Enter");
    shows(x, " on the clock of each rank from its begin of step");
    shows(x, "rank     entered        left  last op ");
    shows_not(x, "GetNext_dequeue_wait held 0   done");
    check_lines(x);
    stop(x);
}

/* What a queue held is no column of the other lines, and it has no end. */
static void proof_keeps_lines_whole_beside_a_queue(void **state)
{
    struct fixture *x = *state;
    char line[400];

    start(x, 40, 80, true);
    frame(x);
    press(x, "1 Enter");
    words_of(x, "| -22.01 ms queue", line, sizeof line);
    assert_string_equal(line, "| -22.01 ms queue GetNext_dequeue_wait held 0 |");
    words_of(x, "| 0 ms Stream 3", line, sizeof line);
    assert_string_equal(line, "| 0 ms Stream 3 Conv2DBackpropFilterD-op449 RUNNING, no end record |");
    stop(x);
}

int main(void)
{
    const struct CMUnitTest first[] = {
        cmocka_unit_test(proof_of_a_hang_says_who_entered_and_left),
        cmocka_unit_test(proof_keeps_lines_whole_beside_a_queue),
    };
    const struct CMUnitTest second[] = { cmocka_unit_test(proof_of_a_hang_says_who_entered_and_left) };
    int failed = cmocka_run_group_tests_name("MindSpore 1.x", first, setup_crashed1, teardown);
    return failed + cmocka_run_group_tests_name("MindSpore 2.x", second, setup_crashed2, teardown);
}
