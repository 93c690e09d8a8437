/* SPDX-License-Identifier: Apache-2.0 */
/* parsers/prof/comm/comm.c: executions of communication ops, their names, times and bandwidths. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/words.h"
#include "tests/unit/parsers/prof/comm_case.h"

static void expect_name(const struct comm_case *x, size_t run, const char *name)
{
    char got[100];

    assert_true(run < x->c.n_runs);
    assert_string_equal(str_copy(prof_str(&x->p, x->c.run[run].name), got, sizeof got), name);
}

static void comm_ops_are_counted_in_their_group(void **state)
{
    struct comm_case *x = comm_case_new();
    const struct prof_comm_info a = { .group_hash = 987452, .master = true },
                                b = { .group_hash = 12, .master = true };

    (void)state;
    uint32_t one = comm_op(x, "hcom_allReduce_", 100), two = comm_op(x, "hcom_send_", 300),
             three = comm_op(x, "hcom_allReduce_", 500), kernel = comm_op(x, "allGatherAicpuKernel", 600);
    /* the device runs the last call first: the calls count */
    comm_ran(x, comm_host(x, three, 510, a), 3010, 3020);
    comm_ran(x, comm_host(x, one, 110, a), 3030, 3040);
    comm_ran(x, comm_host(x, two, 310, b), 3050, 3060);
    comm_ran(x, comm_host(x, kernel, 610, a), 3070, 3080);
    comm_make(x);
    assert_int_equal(x->c.n_runs, 4);
    expect_name(x, 0, "hcom_allReduce__452_1_1");
    expect_name(x, 1, "hcom_allReduce__452_0_1");
    expect_name(x, 2, "hcom_send__12_0_1");
    expect_name(x, 3, "allGatherAicpuKernel_452_0_1");
    comm_case_free(x);
}

#define OPS 6

/* Two groups in turn, two tasks an op, of which the first ones ran. */
static struct comm_case *six_ops(uint32_t ran)
{
    static const uint64_t begin[OPS] = { 1000, 2000, 3000, 4000, 5000, 6000 };
    struct comm_case *x = comm_case_new();

    for (uint32_t i = 0; i < OPS; i++) {
        uint32_t op = comm_op(x, i % 2 ? "hcom_allReduce_" : "hcom_broadcast_", begin[i]);
        for (uint32_t k = 0; k < 2; k++)
            comm_host(x, op, begin[i] + 10 + k,
                      (struct prof_comm_info){ .group_hash = i % 2 ? 123456 : 987654, .master = 1 });
    }
    for (uint32_t k = 0; k < ran; k++)
        comm_ran(x, k, 60000 + 1000 * k, 60900 + 1000 * k);
    comm_make(x);
    return x;
}

/* Of an op that only began the name is the one that it has in the end. */
static void comm_open_ops_are_counted_too(void **state)
{
    struct comm_case *whole = six_ops(2 * OPS);

    (void)state;
    assert_int_equal(whole->c.n_runs, OPS);
    expect_name(whole, OPS - 1, "hcom_allReduce__456_2_1");
    for (uint32_t i = 0; i < OPS; i++) {
        struct comm_case *x = six_ops(2 * i);
        uint32_t id = prof_comm_open_name(&x->c, &x->p, &x->d, &x->h, 2 * i, 1);
        assert_int_not_equal(id, PROF_NONE);
        struct str name = prof_str(&x->p, id);
        char text[64];
        str_copy(name, text, sizeof text);
        expect_name(whole, i, text);
        comm_case_free(x);
    }
    comm_case_free(whole);
}

static void comm_repeated_tasks_are_executions(void **state)
{
    struct comm_case *x = comm_case_new();
    const struct prof_comm_info master = { .group_hash = 7000, .master = true, .size_b = 4000 },
                                other = { .group_hash = 7000 };

    (void)state;
    uint32_t op = comm_op(x, "op", 100), m = comm_host(x, op, 110, master),
             m2 = comm_host(x, op, 120, master), o = comm_host(x, op, 115, other);
    comm_ran(x, o, 3001, 3099);
    comm_ran(x, m, 3010, 3020);
    comm_ran(x, m2, 3015, 3035);
    comm_ran(x, o, 3100, 3500);
    comm_ran(x, PROF_NONE, 3150, 3160);
    comm_ran(x, m2, 3200, 3210);
    comm_ran(x, m, 3201, 3240);
    comm_make(x);
    assert_int_equal(x->c.n_runs, 2);
    assert_int_equal(x->c.n_tasks, 6);
    expect_name(x, 0, "op_000_0_1");
    expect_name(x, 1, "op_000_0_2");
    /* times are those of the master calls */
    assert_int_equal(x->c.run[0].start, 3010);
    assert_int_equal(x->c.run[0].end, 3035);
    assert_int_equal(x->c.run[1].start, 3200);
    assert_int_equal(x->c.run[1].end, 3240);
    assert_int_equal(x->c.run[1].n_master, 2);
    assert_int_equal(x->c.run[1].at, 3);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(x->c.task[i].run, i / 3);
    assert_true(x->c.task[1].bandwidth == 4000.0 / 200);
    assert_true(x->c.task[0].bandwidth == 0);
    comm_case_free(x);
}

static void comm_before_the_collection_does_not_count(void **state)
{
    struct comm_case *x = comm_case_new();
    const struct prof_comm_info a = { .group_hash = 452, .master = true };

    (void)state;
    uint32_t early = comm_op(x, "early", 100), late = comm_op(x, "late", 300);
    comm_ran(x, comm_host(x, early, 110, a), 2999, 3040);
    comm_ran(x, comm_host(x, late, 310, a), 3000, 3040);
    comm_make(x);
    assert_int_equal(x->c.n_runs, 1);
    expect_name(x, 0, "late_452_0_1");
    comm_case_free(x);
}

static void comm_window_keeps_what_ends_in_it(void **state)
{
    struct comm_case *x = comm_case_new();
    const struct prof_comm_info a = { .group_hash = 452, .master = true };

    (void)state;
    for (uint64_t i = 0; i < 3; i++)
        comm_ran(x, comm_host(x, comm_op(x, "op", 100 + 200 * i), 110 + 200 * i, a), 3100 + 100 * i,
                 3150 + 100 * i);
    x->how.from = 3150;
    x->how.to = 3250;
    comm_make(x);
    assert_int_equal(x->c.n_runs, 1);
    assert_int_equal(x->c.run[0].start, 3200);
    expect_name(x, 0, "op_452_0_1");
    assert_true(prof_keeps_task(&x->how, &x->folder, 3000, 3250));
    assert_false(prof_keeps_task(&x->how, &x->folder, 3000, 3150));
    assert_false(prof_keeps_task(&x->how, &x->folder, 3200, 3251));
    comm_case_free(x);
}

static void comm_filters_differ_by_half(void **state)
{
    struct comm_case *x = comm_case_new();

    (void)state;
    assert_true(prof_keeps_task(&x->how, &x->folder, 2000, 3000));
    assert_false(prof_keeps_task(&x->how, &x->folder, 2000, 2999));
    x->how.dialect = DIALECT_PYTHON;
    assert_false(prof_keeps_task(&x->how, &x->folder, 2000, 3000));
    assert_true(prof_keeps_task(&x->how, &x->folder, 2000, 3001));
    assert_false(prof_keeps_task(&x->how, &x->folder, 3000, 3001));
    assert_true(prof_keeps_task(&x->how, &x->folder, 3001, 3001));
    comm_case_free(x);
}

/* What nobody told: no hccl_info, no hccl_op_info. The calls still say which tasks are the op's. */
static void comm_without_info_remains(void **state)
{
    struct comm_case *x = comm_case_new();

    (void)state;
    uint32_t a = comm_op(x, "a", 100), b = comm_op(x, "b", 300);
    x->op[b].has_info = true;
    x->op[b].group_hash = 71234;
    uint32_t ta = comm_host(x, a, 110, (struct prof_comm_info){ 0 }),
             tb = comm_host(x, b, 310, (struct prof_comm_info){ 0 }),
             master = comm_host(x, b, 315, (struct prof_comm_info){ .master = true });
    x->host[ta].comm = x->host[tb].comm = x->host[master].comm = PROF_NONE;
    comm_ran(x, ta, 3010, 3020);
    comm_ran(x, tb, 3030, 3040);
    comm_ran(x, master, 3035, 3038);
    comm_make(x);
    expect_name(x, 0, "a_N/A_0_1");
    expect_name(x, 1, "b_234_0_1");
    assert_int_equal(x->c.run[0].start, 3010);
    assert_int_equal(x->c.run[0].n_master, 0);
    assert_int_equal(x->c.run[0].info, PROF_NONE);
    assert_int_equal(x->c.run[1].n_master, 1);
    assert_int_equal(x->c.run[1].start, 3035);
    assert_int_equal(x->c.run[1].end, 3038);
    comm_case_free(x);
}

/* A task, two of payload, some after them: each moves 400 bytes in 400 ns. */
static void payload(struct comm_case *x, const char *name, size_t n_after)
{
    struct prof_comm_info info = { .group_hash = 1, .master = true, .size_b = 400 };
    uint32_t op = comm_op(x, name, 100);

    for (size_t i = 0; i < 3 + n_after; i++) {
        info.rdma = i == 1 || i == 2 ? 1 : 255;
        comm_ran(x, comm_host(x, op, 101 + i, info), 3000 + 100 * i, 3020 + 100 * i);
    }
    comm_make(x);
}

static void comm_payload_is_one_transfer(void **state)
{
    static const struct {
        const char *name;
        size_t after, close; /* close 0: the closing task is not there */
    } cases[] = {
        { "hcom_allReduce_", 4, 6 },
        { "hcom_allReduce_", 3, 0 },
        { "hcom_batchSend_", 2, 4 },
        { "hcom_RECEIVE_", 1, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct comm_case *x = comm_case_new();
        payload(x, cases[i].name, cases[i].after);
        double end = 3020 + 100 * (double)cases[i].close;
        double want = cases[i].close ? 800 / ((end - 3100) * 20) : 1;
        assert_true(x->c.task[0].bandwidth == 1);
        assert_true(x->c.task[1].bandwidth == want);
        assert_true(x->c.task[2].bandwidth == want);
        assert_true(x->c.task[3].bandwidth == 1);
        comm_case_free(x);
    }
}

static double counts_as_ns(const void *clock, uint64_t counter)
{
    return (double)counter * *(const double *)clock;
}

static void comm_bandwidth_of_python(void **state)
{
    struct comm_case *x = comm_case_new();
    const struct prof_comm_info a = { .group_hash = 452, .master = true, .size_b = 1398101 };
    const double ns = 19.9;

    (void)state;
    x->how =
        (struct prof_how){ .to = UINT64_MAX, .dialect = DIALECT_PYTHON, .ns = counts_as_ns, .clock = &ns };
    comm_ran(x, comm_host(x, comm_op(x, "op", 100), 110, a), 3001, 3090);
    comm_make(x);
    assert_true(x->c.task[0].bandwidth == 1398101 * 1e-9 / ((3090 * ns - 3001 * ns) * 1e-9));
    comm_case_free(x);
}

static void comm_words(void **state)
{
    (void)state;
    assert_string_equal(prof_word(prof_hccl_types, 11), "BFP16");
    assert_string_equal(prof_word(prof_links, 5), "HCCS_SW");
    assert_string_equal(prof_word(prof_transports, UINT32_MAX), "INVALID_TYPE");
    assert_string_equal(prof_word(prof_rdmas, 255), "RESERVED");
    assert_null(prof_word(prof_hccl_types, 13));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comm_ops_are_counted_in_their_group),
        cmocka_unit_test(comm_open_ops_are_counted_too),
        cmocka_unit_test(comm_repeated_tasks_are_executions),
        cmocka_unit_test(comm_before_the_collection_does_not_count),
        cmocka_unit_test(comm_window_keeps_what_ends_in_it),
        cmocka_unit_test(comm_filters_differ_by_half),
        cmocka_unit_test(comm_without_info_remains),
        cmocka_unit_test(comm_payload_is_one_transfer),
        cmocka_unit_test(comm_bandwidth_of_python),
        cmocka_unit_test(comm_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
