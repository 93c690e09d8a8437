/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parsers/prof/device/overlap.c: what of a device's time is computing, communication, either alone, or free.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/device/overlap.h"
#include "tests/unit/parsers/prof/comm_case.h"

static void expect(const struct prof_overlap *o, enum prof_overlap_kind k, size_t n, const struct span *want)
{
    assert_int_equal(o->of[k].n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(o->of[k].v[i].from, want[i].from);
        assert_int_equal(o->of[k].v[i].to, want[i].to);
    }
}

static void overlap_is_split(void **state)
{
    struct prof_overlap o = { .of[0] = { .n = 0 } };
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 50, 60, &e), OK);
    assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 10, 20, &e), OK);
    assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 15, 30, &e), OK);
    assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 30, 40, &e), OK);
    assert_int_equal(prof_overlap_split(&o, 5, 55, &e), OK);
    expect(&o, OVERLAP_COMPUTING, 2, (struct span[]){ { 10, 20 }, { 50, 60 } });
    expect(&o, OVERLAP_COMM, 1, (struct span[]){ { 15, 40 } });
    expect(&o, OVERLAP_COMM_ALONE, 1, (struct span[]){ { 20, 40 } });
    expect(&o, OVERLAP_FREE, 2, (struct span[]){ { 5, 10 }, { 40, 50 } });
    prof_overlap_done(&o);
}

/* Communication within the last piece of computing is whole where the piece before reached into it. */
static void overlap_like_cpp_keeps_the_end(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    for (int like_cpp = 0; like_cpp < 2; like_cpp++) {
        struct prof_overlap o = { .like_cpp = like_cpp };
        assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 10, 20, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 40, 80, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 15, 50, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 60, 70, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 75, 90, &e), OK);
        assert_int_equal(prof_overlap_split(&o, 10, 90, &e), OK);
        if (like_cpp)
            expect(&o, OVERLAP_COMM_ALONE, 3, (struct span[]){ { 20, 40 }, { 60, 70 }, { 75, 90 } });
        else
            expect(&o, OVERLAP_COMM_ALONE, 2, (struct span[]){ { 20, 40 }, { 80, 90 } });
        expect(&o, OVERLAP_FREE, 0, NULL);
        prof_overlap_done(&o);
    }
}

/* Communication that begins or ends with computing leaves an empty piece, before and behind it. */
static void overlap_like_python_has_empty_pieces(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    for (int like_python = 0; like_python < 2; like_python++) {
        struct prof_overlap o = { .like_python = like_python };
        assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 10, 20, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 40, 50, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMPUTING], 70, 90, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 10, 25, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 35, 50, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 60, 75, &e), OK);
        assert_int_equal(spans_add(&o.of[OVERLAP_COMM], 80, 85, &e), OK);
        assert_int_equal(prof_overlap_split(&o, 10, 90, &e), OK);
        if (like_python)
            expect(&o, OVERLAP_COMM_ALONE, 5,
                   (struct span[]){ { 10, 10 }, { 20, 25 }, { 35, 40 }, { 50, 50 }, { 60, 70 } });
        else
            expect(&o, OVERLAP_COMM_ALONE, 3, (struct span[]){ { 20, 25 }, { 35, 40 }, { 60, 70 } });
        expect(&o, OVERLAP_FREE, 2, (struct span[]){ { 25, 35 }, { 50, 60 } });
        prof_overlap_done(&o);
    }
}

static void overlap_of_nothing_is_nothing(void **state)
{
    struct prof_overlap o = { .of[0] = { .n = 0 } };
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(prof_overlap_split(&o, INT64_MAX, INT64_MIN, &e), OK);
    for (enum prof_overlap_kind k = 0; k < N_OVERLAP_KINDS; k++)
        assert_int_equal(o.of[k].n, 0);
    prof_overlap_done(&o);
}

/* A task that is no communication: an op if named. */
static uint32_t host_task(struct comm_case *x, const char *type, const char *op)
{
    uint32_t i = (uint32_t)x->h.n_tasks++;

    x->host[i] = (struct prof_host_task){
        .type = prof_text(&x->p, str_of(type)), .op = PROF_NONE, .comm = PROF_NONE, .comm_op = PROF_NONE
    };
    if (op) {
        x->host[i].op = (uint32_t)x->h.n_ops;
        x->ops[x->h.n_ops++].name = prof_text(&x->p, str_of(op));
    }
    return i;
}

static void overlap_of_a_device(void **state)
{
    struct comm_case *x = comm_case_new();
    struct prof_overlap o = { .of[0] = { .n = 0 } };
    const struct prof_comm_info master = { .group_hash = 1, .master = true };
    struct err e = ERR_INIT;

    (void)state;
    /* ended before the collection; a kernel without an op says nothing of the time */
    comm_ran(x, host_task(x, "EVENT_RECORD", NULL), 2000, 2900);
    comm_ran(x, host_task(x, "KERNEL_AICORE", NULL), 3001, 3002);
    comm_ran(x, host_task(x, "EVENT_RECORD", NULL), 3010, 3012);
    comm_ran(x, host_task(x, "KERNEL_AICORE", "Add"), 3020, 3040);
    comm_ran(x, comm_host(x, comm_op(x, "hcom", 10), 20, master), 3030, 3060);
    comm_ran(x, host_task(x, "KERNEL_AICPU", "allReduceAicpuKernel"), 3062, 3064);
    comm_ran(x, PROF_NONE, 3090, 3099);
    comm_make(x);
    assert_int_equal(prof_overlap_make(&o, &x->p, &x->d, &x->h, &x->c, &x->how, &e), OK);
    expect(&o, OVERLAP_COMPUTING, 1, (struct span[]){ { 3020, 3040 } });
    expect(&o, OVERLAP_COMM, 1, (struct span[]){ { 3030, 3060 } });
    expect(&o, OVERLAP_COMM_ALONE, 1, (struct span[]){ { 3040, 3060 } });
    expect(&o, OVERLAP_FREE, 2, (struct span[]){ { 3010, 3020 }, { 3060, 3099 } });
    prof_overlap_done(&o);
    comm_case_free(x);
}

static int64_t ten_times(const void *arg, uint64_t counter)
{
    (void)arg;
    return 10 * (int64_t)counter;
}

static int64_t a_bit_early(const void *arg, const struct prof_task *t)
{
    return ten_times(arg, t->end) - 1;
}

/* Ends of tasks are told apart from other instants: what touches by counters does not here. */
static void overlap_by_another_clock(void **state)
{
    static const struct prof_overlap_clock clock = { ten_times, a_bit_early, NULL };
    struct comm_case *x = comm_case_new();
    struct prof_overlap o = { .of[0] = { .n = 0 } };
    struct err e = ERR_INIT;

    (void)state;
    comm_ran(x, host_task(x, "KERNEL_AICORE", "Add"), 3020, 3040);
    comm_ran(x, host_task(x, "KERNEL_AICORE", "Mul"), 3040, 3050);
    comm_make(x);
    assert_int_equal(prof_overlap_make_by(&o, &x->p, &x->d, &x->h, &x->c, &x->how, &clock, &e), OK);
    expect(&o, OVERLAP_COMPUTING, 2, (struct span[]){ { 30200, 30399 }, { 30400, 30499 } });
    expect(&o, OVERLAP_FREE, 1, (struct span[]){ { 30399, 30400 } });
    prof_overlap_done(&o);
    comm_case_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_split),
        cmocka_unit_test(overlap_like_cpp_keeps_the_end),
        cmocka_unit_test(overlap_like_python_has_empty_pieces),
        cmocka_unit_test(overlap_of_nothing_is_nothing),
        cmocka_unit_test(overlap_of_a_device),
        cmocka_unit_test(overlap_by_another_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
