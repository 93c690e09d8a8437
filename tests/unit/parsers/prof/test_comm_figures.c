/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of a communication op from its tasks: copies, and payload of RDMA with the tasks that close it
 * (doc/formats/msprof.md#bandwidth).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/prof/rows/comm_figures.h"
#include "parsers/prof/words.h"

enum { RDMA = 1, LOCAL = 2, NOTIFY = 0, CLOSES = 5 };

static struct comm_figures o;

static void payload(uint32_t plane, int64_t from, int64_t ns, uint64_t size_b)
{
    comm_figures_add(&o, &(struct comm_moved){ .from = from,
                                               .ns = ns,
                                               .size_b = size_b,
                                               .plane = plane,
                                               .dst = 8 + plane,
                                               .transport = RDMA,
                                               .rdma = PROF_RDMA_PAYLOAD,
                                               .is_main = plane == 0 });
}

static void flag(uint32_t plane, int64_t from, int64_t ns)
{
    comm_figures_add(&o, &(struct comm_moved){ .from = from,
                                               .ns = ns,
                                               .plane = plane,
                                               .transport = RDMA,
                                               .rdma = NOTIFY,
                                               .is_main = plane == 0 });
}

static void await(uint32_t plane, int64_t from, int64_t ns)
{
    comm_figures_add(&o, &(struct comm_moved){ .from = from,
                                               .ns = ns,
                                               .plane = plane,
                                               .transport = LOCAL,
                                               .rdma = UINT32_MAX,
                                               .is_wait = true,
                                               .is_main = plane == 0 });
}

static void copy(uint32_t plane, int64_t from, int64_t ns, uint64_t size_b)
{
    comm_figures_add(&o, &(struct comm_moved){ .from = from,
                                               .ns = ns,
                                               .size_b = size_b,
                                               .plane = plane,
                                               .dst = plane,
                                               .transport = PROF_SDMA,
                                               .link = PROF_LINK_HCCS,
                                               .rdma = UINT32_MAX,
                                               .is_copy = true,
                                               .is_main = plane == 0 });
}

/* Two planes in turn: each run ends with its fourth task after the payload, whose waits do not count. */
static void runs_end_with_what_closes_them(void **state)
{
    (void)state;
    o = (struct comm_figures){ .closes = CLOSES };
    await(0, 0, 7);
    payload(0, 10, 20, 1000);
    payload(1, 11, 20, 500);
    payload(0, 30, 20, 3000); /* of the same run */
    flag(0, 50, 1);
    flag(1, 31, 1);
    await(0, 51, 5);
    await(1, 32, 5);
    flag(0, 56, 1);
    flag(1, 37, 1);
    await(0, 57, 5); /* closes */
    await(1, 38, 5);
    await(0, 62, 3); /* after it */
    comm_figures_end(&o);
    assert_int_equal(o.transit, 52);
    assert_int_equal(o.wait, 10);
    assert_int_equal(o.sync, 7);
    assert_int_equal(o.size_b, 4500);
    assert_int_equal(o.n_links, 2);
    assert_int_equal(o.link[0].ns, 52);
    assert_int_equal(o.link[0].size_b, 4000);
    assert_int_equal(o.link[1].ns, 32);
    assert_int_equal(o.link[1].size_b, 500);
}

/* A plane has several runs, and copies between them. */
static void runs_follow_each_other(void **state)
{
    (void)state;
    o = (struct comm_figures){ .closes = 3 };
    for (int64_t at = 0; at < 300; at += 100) {
        payload(0, at, 10, 100);
        flag(0, at + 10, 1);
        await(0, at + 11, 4); /* closes a run of send and receive */
        copy(0, at + 20, 30, 10);
    }
    comm_figures_end(&o);
    assert_int_equal(o.transit, 3 * (15 + 30));
    assert_int_equal(o.wait, 0);
    assert_int_equal(o.size_b, 330);
}

/* The op, or the record of it, ends before the run is closed: the payload counts, and so do the waits. */
static void run_that_nothing_closes(void **state)
{
    (void)state;
    o = (struct comm_figures){ .closes = CLOSES };
    payload(0, 10, 20, 1000);
    flag(0, 30, 1);
    await(0, 31, 5);
    comm_figures_end(&o);
    assert_int_equal(o.transit, 20);
    assert_int_equal(o.wait, 5);
    assert_int_equal(o.sync, 0);
    assert_int_equal(o.size_b, 1000);
}

/* On planes beyond the limit each payload is by itself. */
static void more_planes_than_are_kept(void **state)
{
    (void)state;
    o = (struct comm_figures){ .closes = CLOSES };
    for (uint32_t plane = 0; plane < COMM_RUNS + 2; plane++)
        payload(plane, 10, 20, 100);
    for (uint32_t i = 0; i + 1 < CLOSES; i++)
        for (uint32_t plane = 0; plane < COMM_RUNS + 2; plane++)
            flag(plane, 30 + i, 1);
    comm_figures_end(&o);
    assert_int_equal(o.n_links, COMM_RUNS + 2);
    assert_int_equal(o.size_b, 100 * (COMM_RUNS + 2));
    for (size_t i = 0; i < o.n_links; i++)
        assert_int_equal(o.link[i].ns, o.link[i].dst < 8 + COMM_RUNS ? 24 : 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_end_with_what_closes_them),
        cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(run_that_nothing_closes),
        cmocka_unit_test(more_planes_than_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
