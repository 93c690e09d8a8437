/* SPDX-License-Identifier: Apache-2.0 */
/* msprof/tables/pmu_blocks.c: which numbers of blocks counters get in turn. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "msprof/tables/pmu_blocks.h"
#include "tests/unit/parsers/prof/comm_case.h"

/* The collection begins at 1000000000 of the host's counter, which counts ns. */
#define BEFORE 999999999
#define IN     1000000000

static void add_op(struct comm_case *x, uint64_t stamp, uint32_t task, uint32_t model, uint32_t blocks)
{
    size_t i = x->h.n_tasks++;

    x->ops[i] = (struct prof_op){ .core = prof_text(&x->p, STR("AI_CORE")), .block = blocks };
    x->host[i] = (struct prof_host_task){
        .stamp = stamp, .stream = 2, .task = task, .model = model, .op = (uint32_t)i
    };
    x->h.n_ops++;
}

static void add_run(struct comm_case *x, uint32_t task, uint32_t counter)
{
    x->task[x->d.n_tasks++] = (struct prof_task){ .stream = 2, .task = task, .counter = counter };
}

static void check(struct comm_case *x, const uint32_t *want)
{
    const struct msprof_run r = { .m = { .p = &x->p, .host = x->h, .dev = &x->d, .n_dev = 1 } };
    struct err e = ERR_INIT;
    uint32_t *got = msprof_pmu_blocks(&r, 0, &e);

    assert_non_null(got);
    for (size_t i = 0; i < x->d.n_tasks; i++)
        assert_int_equal(got[i], want[i]);
    free(got);
}

/* Ops issued before the collection have none, and the next one takes their turn; those of graphs stay. */
static void blocks_of_ops_before_the_collection_are_missing(void **state)
{
    struct comm_case *x = comm_case_new();

    (void)state;
    x->p.host = &x->folder;
    add_op(x, BEFORE, 1, PROF_NO_MODEL, 8);
    add_op(x, IN, 1, PROF_NO_MODEL, 16);
    add_op(x, IN + 5, 1, PROF_NO_MODEL, 24);
    add_op(x, BEFORE, 2, PROF_NO_MODEL, 8);
    add_op(x, BEFORE, 3, 1, 32); /* of a graph: one op runs in all iterations */
    add_run(x, 1, 0);
    add_run(x, 2, 1);
    add_run(x, 1, 2);
    add_run(x, 3, 3);
    add_run(x, 3, 4);
    add_run(x, 1, PROF_NONE);
    add_run(x, 1, 5);
    check(x, (const uint32_t[]){ 16, 0, 24, 32, 32, 0, 24 });
    comm_case_free(x);
}

/* A counter of 1000 MHz is converted here, also with --compat, which takes it for ns elsewhere. */
static void blocks_of_fast_hosts_are_there(void **state)
{
    struct comm_case *x = comm_case_new();
    struct msprof_run r = { .fast_host = true };
    struct err e = ERR_INIT;

    (void)state;
    x->p.host = &x->folder;
    x->folder.meta.host_counter = 5000;
    x->folder.meta.host_mono_ns = IN; /* so that 5000 is the begin */
    add_op(x, 4999, 1, PROF_NO_MODEL, 8);
    add_op(x, 5000, 1, PROF_NO_MODEL, 16);
    add_run(x, 1, 0);
    r.m = (struct prof_model){ .p = &x->p, .host = x->h, .dev = &x->d, .n_dev = 1 };
    uint32_t *got = msprof_pmu_blocks(&r, 0, &e);
    assert_non_null(got);
    assert_int_equal(got[0], 16);
    free(got);
    comm_case_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_ops_before_the_collection_are_missing),
        cmocka_unit_test(blocks_of_fast_hosts_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
