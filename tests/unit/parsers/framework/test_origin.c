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

#include "base/limits.h"
#include "parsers/prof/meta.h"
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
    spool_free(w.f.pool, w.around);
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

/* ---- any nesting ---- */

static uint32_t seed = 1;

static unsigned below(unsigned n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Ranges within [from, to] of a thread, none across the edge of another. */
static void nested(uint64_t thread, int64_t from, int64_t to, int depth, unsigned is)
{
    while (depth < 6 && to - from > 4) {
        int64_t a = from + below(4), b = a + 1 + below((unsigned)(to - a));
        if (b > to || b <= a)
            break;
        add(thread, a, b, -1, 0, below(3) ? 0 : is);
        nested(thread, a, b, depth + 1, is);
        from = b + 1 + below(3);
    }
}

/* One by one: of those of the thread (NULL: of any) around the instant, the one that began last. */
static uint32_t innermost_of(const uint64_t *thread, int64_t at, bool at_end)
{
    uint32_t best = FRAMEWORK_NONE;

    for (size_t i = 0; i < w.f.n_ranges; i++) {
        const struct framework_range *x = &w.f.range[i];
        if (x->is & (RANGE_FLOW | RANGE_FRAME) || x->to <= x->from || (thread && x->thread != *thread) ||
            x->from > at || x->to < at || (!at_end && x->to == at))
            continue;
        const struct framework_range *b = best == FRAMEWORK_NONE ? NULL : &w.f.range[best];
        if (!b || x->from > b->from || (x->from == b->from && (!thread || x->to <= b->to)))
            best = (uint32_t)i;
    }
    return best;
}

static void handed_over_in_any_nesting(void **state)
{
    uint32_t task[40];

    (void)state;
    for (int round = 0; round < 300; round++) {
        begin(false);
        nested(1, 0, 120, 0, 0);
        nested(2, 0, 120, 0, 0);
        for (unsigned i = 0; i < 40; i++) {
            int64_t at = below(130);
            add(1 + i % 2, at, at + below(3), i, 0, RANGE_FLOW);
            add(1 + i % 2, at, at, -1, 0, 0); /* an instant */
            task[i] = add(3, 200 + i, 201 + i, i, 0, 0);
        }
        join();
        for (unsigned i = 0; i < 40; i++) {
            const struct framework_range *flow = &w.f.range[task[i] - 2];
            assert_int_equal(prof_rows_origin(&w, task[i]), innermost_of(&flow->thread, flow->from, true));
        }
        end();
    }
}

/* torch_npu: on its own thread, and of all threads where the framework does not know the thread. */
static void called_in_any_nesting(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        begin(true);
        for (uint64_t thread = 1; thread < 4; thread++)
            nested(thread, below(20), 120, 0, RANGE_FRAME);
        join();
        for (int64_t at = 0; at < 125; at++) {
            const uint64_t thread = 1 + (uint64_t)at % 3;
            assert_int_equal(framework_op_around(&w.joins, thread, at), innermost_of(&thread, at, true));
            assert_int_equal(framework_launcher(&w.joins, 9, at), innermost_of(NULL, at, false));
        }
        end();
    }
}

/*
 * As a hostile file may have them: flows in one range, after ranges within each other that have all ended.
 * The depth of what is looked through is bounded, and flows are not looked through at all.
 */
static void many_records_around_one_instant(void **state)
{
    enum { MANY = 100000 };
    int64_t sum = 0;

    (void)state;
    begin(false);
    uint32_t outer = add(1, 0, 4 * MANY, -1, 0, 0);
    for (int64_t i = 0; i < MANY - 1; i++)
        add(1, 1 + i, 2 * MANY - 1 - i, -1, 0, 0);
    uint32_t first = (uint32_t)w.f.n_ranges;
    for (int64_t i = 0; i < MANY; i++) {
        add(1, 2 * MANY + i, 2 * MANY + i, i, 0, RANGE_FLOW);
        add(2, 2 * MANY + i, 2 * MANY + i + 1, i, 0, 0);
    }
    join();
    for (uint32_t i = 0; i < MANY; i++)
        sum += prof_rows_origin(&w, first + 2 * i + 1) == outer;
    assert_int_equal(sum, MANY);
    uint32_t depth = 0;
    for (uint32_t x = 1; x != FRAMEWORK_NONE; x = w.joins.above[x])
        depth++;
    assert_int_equal(depth, 2);
    depth = 0;
    for (uint32_t x = MANY - 1; x != FRAMEWORK_NONE; x = w.joins.above[x])
        depth++;
    assert_int_equal(depth, LIM_FRAMEWORK_DEPTH);
    assert_int_equal(w.joins.n_deep, MANY - LIM_FRAMEWORK_DEPTH);
    end();
}

/* ---- the clock of 2.3 ---- */

#define TEXT(t)                                                                                              \
    {                                                                                                        \
        t, sizeof(t) - 1                                                                                     \
    }

static int64_t ns_at(const struct prof_meta *m, const struct runinfo *run, int rank, bool torch, bool known)
{
    struct framework f = { .torch = torch };

    assert_int_equal(prof_rows_framework_clock(&f, m, run, rank), known);
    return framework_ns(&f.clock, 1100);
}

static void test_recorded_clock(void **state)
{
    static struct run_setting settings[] = {
        { .key = TEXT("system_cnt"), .value = TEXT("1000"), .rank = 0 },
        { .key = TEXT("system_time"), .value = TEXT("1718000000000000000"), .rank = 0 },
        { .key = TEXT("system_cnt"), .value = TEXT("900"), .rank = 1 },
        { .key = TEXT("system_time"), .value = TEXT("1718000000000000000"), .rank = 1 },
        { .key = TEXT("system_cnt"), .value = TEXT("900"), .rank = 2 },
    };
    const struct runinfo run = { .settings = settings, .n_settings = 5 }, none = { .n_settings = 0 };
    struct prof_meta m = { .host_hz = 50000000,
                           .host_counter = 1000,
                           .host_mono_ns = 400,
                           .begin_us = 1718000001000000,
                           .start_mono_ns = 400 };

    (void)state;
    assert_int_equal(ns_at(NULL, &run, 0, false, true), 1718000000000001000); /* 100 MHz */
    assert_int_equal(ns_at(NULL, &run, 1, false, true), 1718000000000002000);
    assert_int_equal(ns_at(NULL, &run, 2, false, false), 11000); /* half of it */
    assert_int_equal(ns_at(NULL, &run, 0, true, false), 11000);  /* not of torch_npu */
    assert_int_equal(ns_at(NULL, &none, 0, false, false), 11000);
    assert_int_equal(ns_at(&m, &run, 0, false, true), 1718000001000002000); /* that of the PROF folder */
    m.lacks = 1u << INFO_FILE_HOST_CLOCK;
    assert_int_equal(ns_at(&m, &run, 0, false, true), 1718000000000002000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_ops_come_from_their_forward_op),
        cmocka_unit_test(tasks_come_from_where_they_were_handed_over),
        cmocka_unit_test(handed_over_in_any_nesting),
        cmocka_unit_test(called_in_any_nesting),
        cmocka_unit_test(test_recorded_clock),
        cmocka_unit_test(many_records_around_one_instant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
