/* SPDX-License-Identifier: Apache-2.0 */
/* The walk through the steps of one rank: what the other ranks are costs it next to nothing. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "demo/demo_run.h"
#include "demo/demo_speed.h"

#define TRIES 5

static struct demo_run *run_of(int ranks)
{
    struct demo_run *r = NULL;
    struct err e = ERR_INIT;

    assert_int_equal(
        demo_run_new(&r, &(struct demo_opts){ .gen = 2, .ranks = ranks, .steps = 4, .size = 400 }, &e), OK);
    return r;
}

/* CPU time of the steps of rank 0, s: the least of some tries, which other programs disturb least. */
static double walk_s(const struct demo_run *r)
{
    double least = 1e9;

    for (int i = 0; i < TRIES; i++) {
        struct demo_walk w;
        struct err e = ERR_INIT;
        clock_t began = clock();
        assert_int_equal(demo_walk_init(&w, r, 0, &e), OK);
        while (demo_walk_next(&w))
            ;
        demo_walk_done(&w);
        double s = (double)(clock() - began) / CLOCKS_PER_SEC;
        least = s < least ? s : least;
    }
    return least;
}

/*
 * All ranks of a job are written: were a rank's time in proportion to their number, the job's were to its
 * square.
 */
static void walk_of_a_rank_hardly_depends_on_the_others(void **state)
{
    (void)state;
    struct demo_run *few = run_of(16), *many = run_of(1600);
    double a = walk_s(few), b = walk_s(many);

    print_message("4 steps of a rank: %.2f ms of 16, %.2f ms of 1600\n", a * 1e3, b * 1e3);
    assert_true(b < 10 * a + 1e-3);
    demo_run_free(few);
    demo_run_free(many);
}

/* What is kept of each op is what its links give. */
static void walk_knows_the_transfer_of_each_op(void **state)
{
    (void)state;
    struct demo_run *r = run_of(24);

    assert_true(r->net->ncomm > 0);
    for (uint32_t i = 0; i < r->net->ncomm; i++) {
        assert_true(r->net->comm[i].transfer_ns > 0);
        assert_int_equal(r->net->comm[i].transfer_ns, demo_group_transfer(r, &r->net->comm[i]));
    }
    demo_run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_of_a_rank_hardly_depends_on_the_others),
        cmocka_unit_test(walk_knows_the_transfer_of_each_op),
    };

    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
