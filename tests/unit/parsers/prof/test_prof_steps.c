/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterations and steps from marks: the order of overlapping iterations, the machine, rows; windows of partial
 * exports.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "msprof/window.h"
#include "parsers/prof/device/marks.h"
#include "parsers/prof/device/steps.h"

#define MAX_MARKS 64

struct marks {
    struct prof_mark v[MAX_MARKS];
    size_t n;
};

/* "tag" at 10, 20 ...; "tag@time"; "mN" and "iN" and "sN": model, index id, stream of those behind it. */
static struct marks marks_of(const char *text)
{
    struct marks m = { .n = 0 };
    uint64_t time = 0, model = 1, index = 1;
    uint32_t stream = 5;

    for (char *p = (char *)(uintptr_t)text; *p;) {
        uint64_t *to = *p == 'm' ? &model : *p == 'i' ? &index : NULL;
        if (to) {
            *to = strtoull(p + 1, &p, 10);
        } else if (*p == 's') {
            stream = (uint32_t)strtoull(p + 1, &p, 10);
        } else {
            uint16_t tag = (uint16_t)strtoull(p, &p, 10);
            time = *p == '@' ? strtoull(p + 1, &p, 10) : time + 10;
            m.v[m.n++] = (struct prof_mark){
                .counter = time, .index = index, .model = model, .stream = stream, .tag = tag
            };
        }
        while (*p == ' ')
            p++;
    }
    return m;
}

static void put_spans(char *text, size_t room, const char *word, const struct prof_span *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(text);
        if (v[i].has_end)
            snprintf(text + at, room - at, " %s %d-%d", word, (int)v[i].start, (int)v[i].end);
        else
            snprintf(text + at, room - at, " %s %d-", word, (int)v[i].start);
    }
}

/* "model.index start-end fp-bp +aug reduce .. next .." of each row. */
static void check_rows(const char *marks, bool one_row, const char *want)
{
    struct marks m = marks_of(marks);
    struct err e = ERR_INIT;
    struct prof_steps s;
    char text[1000] = "";

    print_message("%s\n", marks);
    assert_int_equal(prof_steps_of(&s, m.v, m.n, one_row, &e), OK);
    for (size_t i = 0; i < s.n_steps; i++) {
        const struct prof_step *x = &s.step[i];
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u.%d %d-%d", n ? "; " : "", (unsigned)x->model,
                              (int)x->index, (int)x->start, (int)x->end);
        if (x->fp)
            n += (size_t)snprintf(text + n, sizeof text - n, " fp %d-%d", (int)x->fp, (int)x->bp);
        if (x->has_aug)
            n += (size_t)snprintf(text + n, sizeof text - n, " +%d", (int)x->aug);
        if (x->again)
            snprintf(text + n, sizeof text - n, " again");
        if (x->n_reduces)
            put_spans(text, sizeof text, "reduce", &s.reduce[x->reduce], x->n_reduces);
        if (x->n_get_nexts)
            put_spans(text, sizeof text, "next", &s.get_next[x->get_next], x->n_get_nexts);
    }
    assert_string_equal(text, want);
    prof_steps_done(&s);
}

static void check(const char *marks, const char *want)
{
    check_rows(marks, false, want);
    check_rows(marks, true, want);
}

static void steps_of_nothing_are_none(void **state)
{
    (void)state;
    check("", "");
    check("2 3 4 1", "");
}

static void iterations_have_all_their_parts(void **state)
{
    (void)state;
    check("0 20000 20001 2 10000 10001 3 10002 10003 4 1 0 2 3 4 1",
          "1.1 10-100 fp 40-70 reduce 50-60 reduce 80-90 next 20-30; 1.2 120-150 fp 130-140 +30");
}

static void iterations_without_model_end_or_marks_inside(void **state)
{
    (void)state;
    check("0 1 0 1", "1.1 10-20; 1.2 30-40");
    check("0 4 0 4", "1.1 10-20; 1.2 30-40");
    /* iterations inside of one model run: the next begins where one ended */
    check("0 2 3 4", "1.1 10-40 fp 20-30");
}

static void iteration_without_an_end_has_no_row(void **state)
{
    (void)state;
    check("0 2 3 4 1 0 2", "1.1 10-40 fp 20-30");
    check("0", "");
}

/* The second iteration began before the first ended: each mark goes to the first that lacks it. */
static void iterations_that_overlap_are_distinguished(void **state)
{
    (void)state;
    check("0 2 0 2 3 4 3 1 4 1", "1.1 10-60 fp 20-50; 1.2 30-90 fp 40-70");
}

static void spans_pair_by_stream(void **state)
{
    (void)state;
    check("0 s1 10000 s2 10002 s1 10001 s2 10003 s5 4 1", "1.1 10-60 reduce 20-40 reduce 30-50");
    /* an end alone, a start alone, an end of the iteration before */
    check("0 10001 10000 4 1 0 10001 4 1", "1.1 10-40 reduce 30-; 1.2 60-80");
}

static void pairs_of_one_iteration_are_rows_of_their_own(void **state)
{
    (void)state;
    check_rows("0 2 3 2 3 1", false, "1.1 10-60 fp 20-30; 1.1 10-60 fp 40-50 again");
    check_rows("0 2 3 2 3 1", true, "1.1 10-60 fp 40-50");
    /* with an end of the iteration the second pair waits for the next one */
    check("0 2 3 2 3 4 1", "1.1 10-60 fp 20-30");
    check("0 2 4 1", "1.1 10-30 fp 20-0");
    check("0 3 4 1", "1.1 10-30");
}

static void models_are_apart(void **state)
{
    (void)state;
    check("m2 0 m1 0 m2 2 m1 2 m2 3 m1 3 m2 4 m1 4 m2 1 m1 1", "2.1 10-70 fp 30-50; 1.1 20-80 fp 40-60");
}

static void steps_need_both_marks_once(void **state)
{
    (void)state;
    check("m4294967295 i1 60000 60001 i2 60000 60001 i3 60000", "4294967295.1 10-20; 4294967295.2 30-40");
    check("m7 i1 60000 60001 60000 i2 60000 60001", "7.2 40-50");
    /* beside iterations, in order of their ends */
    check("i9 60000 i1 0 2 3 4 i9 60001", "1.1 20-50 fp 30-40; 1.9 10-60");
}

static void aug_is_from_the_last_end_before_fp(void **state)
{
    (void)state;
    check("0@10 4@20 1@21 0@22 4@30 1@31 0@32 2@40 3@41 4@50 1@51",
          "1.1 10-20; 1.2 22-30; 1.3 32-50 fp 40-41 +10");
}

static void marks_in_any_order_are_the_same(void **state)
{
    (void)state;
    check("4@40 0@10 3@30 2@20 1@50", "1.1 10-40 fp 20-30");
}

/* Any marks: no row without its end behind its start, spans inside of the arrays. */
static void any_marks_give_whole_rows(void **state)
{
    (void)state;
    static const uint16_t tags[] = {
        0, 1, 2, 3, 4, 11, 10000, 10001, 20000, 20001, 60000, 60001, 65535, 999
    };
    uint32_t seed = 7;

    for (unsigned round = 0; round < 3000; round++) {
        struct prof_mark v[40];
        struct err e = ERR_INIT;
        struct prof_steps s;
        for (size_t i = 0; i < 40; i++) {
            seed = seed * 1664525 + 1013904223;
            v[i] = (struct prof_mark){ .counter = seed >> 27,
                                       .index = seed >> 20 & 3,
                                       .model = seed >> 18 & 1,
                                       .stream = seed >> 16 & 3,
                                       .tag = tags[(seed >> 8 & 255) % 14] };
        }
        assert_int_equal(prof_steps_of(&s, v, 40, round & 1, &e), OK);
        for (size_t i = 0; i < s.n_steps; i++) {
            assert_true(!i || s.step[i - 1].end <= s.step[i].end);
            assert_true(s.step[i].reduce + s.step[i].n_reduces <= s.n_reduces);
            assert_true(s.step[i].get_next + s.step[i].n_get_nexts <= s.n_get_nexts);
        }
        prof_steps_done(&s);
    }
}

/* ---- windows ---- */

static void windows_reach_over_the_iterations_asked_for(void **state)
{
    (void)state;
    struct marks m = marks_of("0 4 1 0 4 1 0 4 1 0 4 1");
    struct msprof_options o = { .partial = true, .model = 1, .iteration = 2, .count = 2 };
    struct err e = ERR_INIT;
    struct prof_steps s;

    assert_int_equal(prof_steps_of(&s, m.v, m.n, true, &e), OK);
    struct msprof_window w = msprof_window_of(&o, &s);
    assert_int_equal(w.from, 40);
    assert_int_equal(w.to, 80);
    o.count = UINT64_MAX;
    assert_int_equal(msprof_window_of(&o, &s).to, 110);
    o.model = 2;
    w = msprof_window_of(&o, &s);
    assert_true(w.from > w.to);
    o.partial = false;
    w = msprof_window_of(&o, &s);
    assert_true(w.from == 0 && w.to == UINT64_MAX);
    prof_steps_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_nothing_are_none),
        cmocka_unit_test(iterations_have_all_their_parts),
        cmocka_unit_test(iterations_without_model_end_or_marks_inside),
        cmocka_unit_test(iteration_without_an_end_has_no_row),
        cmocka_unit_test(iterations_that_overlap_are_distinguished),
        cmocka_unit_test(spans_pair_by_stream),
        cmocka_unit_test(pairs_of_one_iteration_are_rows_of_their_own),
        cmocka_unit_test(models_are_apart),
        cmocka_unit_test(steps_need_both_marks_once),
        cmocka_unit_test(aug_is_from_the_last_end_before_fp),
        cmocka_unit_test(marks_in_any_order_are_the_same),
        cmocka_unit_test(any_marks_give_whole_rows),
        cmocka_unit_test(windows_reach_over_the_iterations_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
