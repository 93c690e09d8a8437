/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a range comes from whose own thread says nothing of it
 * (doc/formats/framework.md#framework-ops-as-shown).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/prof/rows/rows_framework.h"

static struct prof_rows_framework w;

static void begin(bool torch)
{
    struct err e = ERR_INIT;

    w = (struct prof_rows_framework){ .f.torch = torch };
    assert_int_equal(framework_init(&w.f, NULL, &e), OK);
}

/* number: sequence number of torch_npu, flow id of MindSpore; its place among the ranges. */
static uint32_t add(uint64_t thread, int64_t from, int64_t to, int64_t number, uint64_t forward, unsigned is)
{
    struct err e = ERR_INIT;
    const struct framework_range x = { .thread = thread,
                                       .from = from,
                                       .to = to,
                                       .sequence = w.f.torch ? number : 0,
                                       .flow = w.f.torch ? FRAMEWORK_NO_FLOW : (uint64_t)number,
                                       .forward = forward,
                                       .is = is };

    assert_int_equal(framework_add_range(&w.f, &x, &e), OK);
    return (uint32_t)w.f.n_ranges - 1;
}

static void join(void)
{
    struct err e = ERR_INIT;

    w.n_recorded = w.f.n_ranges;
    assert_int_equal(framework_join(&w.joins, &w.f, &e), OK);
    assert_int_equal(prof_rows_origins(&w, &e), OK);
}

static void end(void)
{
    spool_free(w.f.pool, w.origin);
    framework_joins_done(&w.joins);
    framework_done(&w.f);
}

/* Numbers are used again in the next step: the forward op is the last one before. */
static void backward_ops_come_from_their_forward_op(void **state)
{
    (void)state;
    begin(true);
    uint32_t first = add(1, 100, 200, 5, 0, 0), inner = add(1, 110, 190, -1, 0, 0);
    uint32_t back = add(2, 300, 400, 5, 1, 0), back_inner = add(2, 310, 390, -1, 0, 0);
    uint32_t second = add(1, 500, 600, 5, 0, 0), again = add(2, 700, 800, 5, 1, 0);
    uint32_t other = add(2, 900, 950, 6, 1, 0), early = add(2, 10, 20, 5, 1, 0);
    join();
    assert_int_equal(prof_rows_origin(&w, back), first);
    assert_int_equal(prof_rows_origin(&w, back_inner), first);
    assert_int_equal(prof_rows_origin(&w, again), second);
    assert_int_equal(prof_rows_origin(&w, other), FRAMEWORK_NONE);
    assert_int_equal(prof_rows_origin(&w, early), FRAMEWORK_NONE);
    assert_int_equal(prof_rows_origin(&w, first), FRAMEWORK_NONE);
    assert_int_equal(prof_rows_origin(&w, inner), FRAMEWORK_NONE);
    end();
}

/* The task of another thread comes from the range around the start of its flow; frames have no flow. */
static void tasks_come_from_where_they_were_handed_over(void **state)
{
    (void)state;
    begin(false);
    uint32_t outer = add(1, 100, 200, -1, 0, 0), call = add(1, 120, 180, -1, 0, 0);
    add(1, 130, 130, 9, 0, RANGE_FLOW);
    add(1, 140, 140, -1, 0, 0); /* an instant */
    add(1, 190, 191, 8, 0, RANGE_FLOW);
    add(3, 130, 131, 7, 0, RANGE_FLOW);
    uint32_t task = add(2, 150, 160, 9, 0, 0), inner = add(2, 152, 158, -1, 0, 0);
    uint32_t later = add(2, 210, 220, 8, 0, 0), alone = add(2, 230, 240, 7, 0, 0);
    uint32_t frame = add(2, 250, 260, 9, 0, RANGE_FRAME);
    join();
    assert_int_equal(prof_rows_origin(&w, task), call);
    assert_int_equal(prof_rows_origin(&w, inner), call);
    assert_int_equal(prof_rows_origin(&w, later), outer);
    assert_int_equal(prof_rows_origin(&w, alone), FRAMEWORK_NONE);
    assert_int_equal(prof_rows_origin(&w, frame), FRAMEWORK_NONE);
    assert_int_equal(prof_rows_origin(&w, outer), FRAMEWORK_NONE);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_ops_come_from_their_forward_op),
        cmocka_unit_test(tasks_come_from_where_they_were_handed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
