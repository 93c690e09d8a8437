/* SPDX-License-Identifier: Apache-2.0 */
/* Where the ranks of a run with a fault stop: one does not come, and every other waits for somebody. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "demo/demo_fault.h"

static struct demo_run *plan(const struct demo_opts *o)
{
    struct err e = ERR_INIT;
    struct demo_run *r;
    assert_int_equal(demo_run_new(&r, o, &e), OK);
    assert_int_equal(demo_fault_plan(r, &e), OK);
    return r;
}

static struct demo_cut cut_of(const struct demo_run *r, int rank)
{
    struct err e = ERR_INIT;
    struct demo_walk w;
    struct demo_cut c;
    assert_int_equal(demo_walk_init(&w, r, rank, &e), OK);
    demo_cut_find(&c, &w);
    assert_int_equal(w.step.index, c.on ? c.step : 0);
    demo_walk_done(&w);
    return c;
}

/* The rank waits in c->comm; a member of its group does not come there: the blamed one, or one that waits. */
static void check_waiting(const struct demo_run *r, int rank, const struct demo_cut *c,
                          const struct demo_cut *all)
{
    enum demo_group_kind k = (enum demo_group_kind)r->net->comm[c->comm].group;
    bool comes = true;
    assert_true(c->comm < r->net->ncomm);
    assert_int_equal(c->comm_end, c->comm + 1);
    for (int i = 0; i < r->o.ranks; i++)
        if (demo_fault_together(r, rank, i, k))
            comes = comes && all[i].comm_end > c->comm;
    assert_true(!comes || r->blame.calls_other || demo_fault_stop(r) == DEMO_STOP_TRANSFER);
}

static void check_kind(enum demo_fault fault, int ranks, enum demo_model model, uint64_t seed)
{
    const struct demo_opts o = { .gen = 2,
                                 .raw = true,
                                 .ranks = ranks,
                                 .steps = 3,
                                 .model = model,
                                 .seed = seed,
                                 .fault = fault,
                                 .era = seed % 2 ? DEMO_ERA_TORCH : DEMO_ERA_USUAL };
    struct demo_run *r = plan(&o);
    struct demo_cut all[16] = { 0 };
    enum demo_stop stop = demo_fault_stop(r);
    assert_in_range(r->blame.rank, 0, ranks - 1);
    for (int i = 0; i < ranks; i++) {
        all[i] = cut_of(r, i);
        assert_int_equal(all[i].on, stop != DEMO_STOP_NEVER && stop != DEMO_STOP_SETUP);
        assert_true(all[i].host_ns <= all[i].at_ns);
    }
    const struct demo_cut *bad = &all[r->blame.rank];
    bool comes = stop == DEMO_STOP_TRANSFER || stop == DEMO_STOP_OTHER;
    for (int i = 0; bad->on && stop != DEMO_STOP_MOMENT && i < ranks; i++)
        if (i != r->blame.rank && !(stop == DEMO_STOP_LINKS && demo_fault_is_near(r, i)))
            check_waiting(r, i, &all[i], all);
    if (bad->on && stop != DEMO_STOP_MOMENT)
        assert_int_equal(bad->comm_end, r->blame.comm + comes);
    assert_int_equal(bad->stuck != UINT32_MAX,
                     stop == DEMO_STOP_KERNEL || stop == DEMO_STOP_AICPU || stop == DEMO_STOP_FETCH);
    demo_run_free(r);
}

static void fault_of_every_kind_leaves_the_others_waiting(void **state)
{
    (void)state;
    static const int ranks[] = { 2, 4, 12 };
    for (enum demo_fault k = DEMO_FAULT_CLEAN; k < DEMO_FAULTS; k++)
        for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                check_kind(k, ranks[i], DEMO_TRANSFORMER, seed);
                if (k != DEMO_FAULT_AICPU)
                    check_kind(k, ranks[i], DEMO_RESNET, seed);
            }
}

static void fault_that_has_no_place_is_refused(void **state)
{
    (void)state;
    static const struct demo_opts bad[] = {
        { .fault = DEMO_FAULT_AICPU }, /* ResNet has no kernel of the AI CPU but the fetch */
        { .fault = DEMO_FAULT_HANG, .ranks = 1 },
        { .fault = DEMO_FAULT_AICORE, .ranks = 2, .fault_rank = 3 },
        { .fault = DEMO_FAULT_SOCKET_INIT, .ranks = 2, .fault_rank = 1 },
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct demo_opts o = bad[i];
        struct err e = ERR_INIT;
        struct demo_run *r;
        o.gen = 2;
        o.raw = true;
        assert_int_equal(demo_run_new(&r, &o, &e), OK);
        assert_int_equal(demo_fault_plan(r, &e), ERR_USAGE);
        demo_run_free(r);
    }
}

/* Of two ranks that disagree none is the odd one; in a larger group one is, and such a group is taken. */
static void fault_of_an_odd_rank_takes_a_group_with_others(void **state)
{
    (void)state;
    static const struct {
        int ranks;
        enum demo_model model;
        bool decidable;
    } cases[] = { { 2, DEMO_RESNET, false },
                  { 3, DEMO_RESNET, true },
                  { 4, DEMO_TRANSFORMER, false }, /* groups of two */
                  { 6, DEMO_TRANSFORMER, true } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (int k = 0; k < 3; k++) {
            const enum demo_fault of[] = { DEMO_FAULT_MISMATCH, DEMO_FAULT_MISMATCH_ARG, DEMO_FAULT_HANG };
            const struct demo_opts o = {
                .gen = 2, .raw = true, .ranks = cases[i].ranks, .model = cases[i].model, .fault = of[k]
            };
            struct demo_run *r = plan(&o);
            assert_int_equal(demo_fault_decidable(r), cases[i].decidable || of[k] == DEMO_FAULT_HANG);
            demo_run_free(r);
        }
}

/* Alone a rank can still die. */
static void fault_of_one_rank_needs_no_other(void **state)
{
    (void)state;
    static const enum demo_fault kinds[] = { DEMO_FAULT_AICORE, DEMO_FAULT_KILLED, DEMO_FAULT_EXCEPTION,
                                             DEMO_FAULT_DATA_STALL, DEMO_FAULT_SIGTERM };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        check_kind(kinds[i], 1, DEMO_RESNET, i);
}

static void fault_rank_is_the_one_asked_for(void **state)
{
    (void)state;
    const struct demo_opts o = {
        .gen = 2, .raw = true, .ranks = 4, .fault = DEMO_FAULT_SEGV, .fault_rank = 3
    };
    struct demo_run *r = plan(&o);
    assert_int_equal(r->blame.rank, 2);
    assert_int_equal(r->blame.step, 6); /* 60 % of ten */
    demo_run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fault_of_every_kind_leaves_the_others_waiting),
        cmocka_unit_test(fault_that_has_no_place_is_refused),
        cmocka_unit_test(fault_of_an_odd_rank_takes_a_group_with_others),
        cmocka_unit_test(fault_of_one_rank_needs_no_other),
        cmocka_unit_test(fault_rank_is_the_one_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
