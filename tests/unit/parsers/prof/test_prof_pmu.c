/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter records to tasks: kinds, blocks of the other core, large numbers, records of nobody, FIFO order
 * without times.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/device/pmu.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define RECORD_B 128
#define FFTS     PROF_NAME "/device_0/data/ffts_profile.data.0.slice_0"
#define AICORE   PROF_NAME "/device_0/data/aicore.data.0.slice_0"
#define SAMPLED                                                                                              \
    "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_mode\": \"sample-based\", "                         \
    "\"ai_core_metrics\": \"PipeUtilization\"}"
#define TASK_BASED                                                                                           \
    "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_mode\": \"task-based\", "                           \
    "\"ai_core_metrics\": \"PipeUtilization\"}"

enum { FFTS_RECORD(FIELD_AT) AICORE_RECORD2(FIELD_AT) };

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

struct counter { /* a record of ffts_profile */
    unsigned function, stream, task, sub_kind, sub_id, ffts, core;
    uint64_t cycles, first, end; /* events: first, first + 1 ... */
};

static void ffts_file(const struct counter *c, size_t n)
{
    unsigned char *all = calloc(n, RECORD_B);

    assert_non_null(all);
    for (size_t i = 0; i < n; i++) {
        unsigned char *p = all + i * RECORD_B;
        put_le(p + FF_FUNCTION, c[i].function, 2);
        put_le(p + FF_MARK, PROF_STARS_MARK, 2);
        put_le(p + FF_STREAM, c[i].stream, 2);
        put_le(p + FF_TASK, c[i].task, 2);
        put_le(p + FF_SUB_KIND, c[i].sub_kind, 2);
        put_le(p + FF_SUB_ID, c[i].sub_id, 2);
        put_le(p + FF_FFTS, c[i].ffts << 13 | c[i].core, 2);
        put_le(p + FF_CYCLES, c[i].cycles, 8);
        for (size_t k = 0; k < PROF_COUNTERS; k++)
            put_le(p + FF_COUNTER + 8 * k, c[i].first + k, 8);
        put_le(p + FF_END, c[i].end, 8);
    }
    tree_file_n(&tree, FFTS, (const char *)all, n * RECORD_B);
    free(all);
}

static struct prof_task task(uint64_t start, uint64_t end, uint32_t id, uint32_t context)
{
    return (struct prof_task){ .start = start,
                               .end = end,
                               .stream = 3,
                               .task = id,
                               .context = context,
                               .host = PROF_NONE,
                               .counter = 77 };
}

struct got {
    struct prof_case c;
    struct prof_device d;
    struct prof_pmu *m;
};

static struct got read_tasks(struct prof_task *t, size_t n, const struct prof_host *h)
{
    static const struct prof_host nobody;
    struct err e = ERR_INIT;
    struct got g = { .d = { .task = t, .n_tasks = n } };

    assert_int_equal(prof_case_open(&g.c, &tree, &e), OK);
    g.d.f = g.c.p->device[0];
    assert_int_equal(prof_pmu_read(&g.m, g.c.p, &g.d, h ? h : &nobody, &e), OK);
    return g;
}

static void done(struct got *g)
{
    prof_pmu_free(g->m);
    prof_case_close(&g->c);
}

static void assert_own(const struct got *g, size_t i, enum prof_pmu_kind kind, uint64_t cycles,
                       uint64_t first, uint64_t end)
{
    struct prof_counts x;

    assert_true(prof_pmu_get(g->m, &g->d.task[i], false, &x));
    assert_int_equal(x.kind, kind);
    assert_int_equal(x.end, end);
    assert_true(x.has[x.main]);
    assert_int_equal(x.cycles[x.main], cycles);
    for (size_t k = 0; k < PROF_COUNTERS; k++)
        assert_int_equal(x.v[x.main][k], first + k);
}

static bool has(const struct got *g, size_t i)
{
    struct prof_counts x;

    return prof_pmu_get(g->m, &g->d.task[i], false, &x);
}

/* ---- stars ---- */

static void pmu_the_task_that_ran_then_has_it(void **state)
{
    (void)state;
    /* the same ids twice: a batch later; a third task never had counters */
    struct prof_task t[] = { task(100, 200, 7, PROF_NONE), task(150, 160, 8, PROF_NONE),
                             task(300, 400, 7, PROF_NONE) };
    const struct counter c[] = {
        { PROF_FFTS_TASK, 3, 7, 0, 0, 0, 0, 5000, 10, 400 }, /* at its very end */
        { PROF_FFTS_TASK, 3, 7, 0, 0, 1, 0, 6000, 20, 100 }, /* at its very start */
        { PROF_FFTS_TASK, 3, 7, 0, 0, 0, 0, 7000, 30, 250 }, /* between both */
        { PROF_FFTS_TASK, 3, 9, 0, 0, 0, 0, 7000, 30, 150 }, /* no such task */
        { PROF_FFTS_TASK, 3, 7, 0, 0, 0, 0, 8000, 40, 350 }, /* has one already */
    };

    prof_info_files(&tree, 5);
    ffts_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_int_equal(prof_pmu_n(g.m), 2);
    assert_own(&g, 0, PROF_PMU_AIV, 6000, 20, 100);
    assert_own(&g, 2, PROF_PMU_AIC, 5000, 10, 400);
    assert_false(has(&g, 1));
    assert_int_equal(t[1].counter, PROF_NONE);
    assert_int_equal(sink_count_get(g.c.notes)->notes[NOTE_INCONSISTENT], 1);
    assert_int_equal(sink_count_get(g.c.notes)->notes[NOTE_DUPLICATE], 1);
    done(&g);
}

static void pmu_blocks_of_the_other_core_are_added(void **state)
{
    (void)state;
    struct prof_op op = { .mix_block = 2 };
    struct prof_host_task ht = { .op = 0 };
    const struct prof_host h = { .task = &ht, .n_tasks = 1, .op = &op, .n_ops = 1 };
    struct prof_task t[] = { task(100, 900, 7, PROF_NONE), task(110, 900, 7, 0), task(1000, 1900, 8, 0) };
    const struct counter c[] = {
        /*
         * before the task's own record; the third is one too many; the fourth is of the same core; the fifth
         * came later
         */
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, 10, 100, 300 },
        { PROF_FFTS_TASK, 3, 7, 6, 0, 4, 0, 5000, 10, 800 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 3, 11, 200, 310 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 5, 12, 300, 320 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 0, 13, 400, 330 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, 14, 500, 1330 },
        /*
         * a mix kernel of vector cores without a host op: cube blocks, all of them; and no own record of task
         * 9
         */
        { PROF_FFTS_BLOCK, 3, 8, 7, 0, 4, 0, 10, 1, 1100 },
        { PROF_FFTS_BLOCK, 3, 8, 7, 0, 4, 1, 10, 1, 1100 },
        { PROF_FFTS_BLOCK, 3, 8, 7, 0, 4, 2, 10, 1, 1100 },
        { PROF_FFTS_TASK, 3, 8, 7, 0, 4, 0, 70, 10, 1800 },
    };
    struct prof_counts x;

    t[1].host = 0;
    prof_info_files(&tree, 5);
    ffts_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), &h);
    assert_false(has(&g, 0));
    assert_own(&g, 1, PROF_PMU_MIX_AIC, 5000, 10, 800);
    assert_true(prof_pmu_get(g.m, &t[1], false, &x));
    assert_int_equal(x.main, PROF_CUBE);
    assert_true(x.has[PROF_VECTOR]);
    assert_int_equal(x.cycles[PROF_VECTOR], 21);
    assert_int_equal(x.v[PROF_VECTOR][7], 107 + 207);
    assert_own(&g, 2, PROF_PMU_MIX_AIV, 70, 10, 1800);
    assert_true(prof_pmu_get(g.m, &t[2], false, &x));
    assert_int_equal(x.cycles[PROF_CUBE], 20);
    assert_int_equal(x.v[PROF_CUBE][0], 2);
    done(&g);
}

static void pmu_blocks_alone_are_nothing(void **state)
{
    (void)state;
    struct prof_task t[] = { task(100, 900, 7, 0) };
    const struct counter c[] = { { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, 10, 100, 300 } };

    prof_info_files(&tree, 5);
    ffts_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_false(has(&g, 0));
    assert_int_equal(t[0].counter, PROF_NONE);
    assert_int_equal(prof_pmu_n(g.m), 0);
    done(&g);
}

static void pmu_numbers_beyond_32_bits_are_kept(void **state)
{
    (void)state;
    const uint64_t big = (uint64_t)5 << 32;
    struct prof_task t[] = { task(100, 900, 7, 0), task(1000, 1000 + 2 * big, 8, PROF_NONE),
                             task(2000, 3000, 9, PROF_NONE) };
    const struct counter c[] = {
        { PROF_FFTS_TASK, 3, 7, 6, 0, 4, 0, big, 10, 800 },
        /* the sum of small blocks grows out of 32 bits, then further */
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, UINT32_MAX, 100, 300 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, UINT32_MAX, 100, 300 },
        { PROF_FFTS_BLOCK, 3, 7, 6, 0, 4, 1, UINT64_MAX - 7, 100, 300 },
        { PROF_FFTS_TASK, 3, 8, 0, 0, 0, 0, 44, 1, 1000 + big },
        { PROF_FFTS_TASK, 3, 9, 0, 0, 0, 0, 44, UINT64_MAX - 7, 2500 },
    };
    struct prof_counts x;

    prof_info_files(&tree, 5);
    ffts_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_own(&g, 0, PROF_PMU_MIX_AIC, big, 10, 800);
    assert_true(prof_pmu_get(g.m, &t[0], false, &x));
    assert_int_equal(x.cycles[PROF_VECTOR], UINT64_MAX); /* the sum stays at the end of the range */
    assert_int_equal(x.v[PROF_VECTOR][1], 303);
    assert_own(&g, 1, PROF_PMU_AIC, 44, 1, 1000 + big);
    assert_own(&g, 2, PROF_PMU_AIC, 44, UINT64_MAX - 7, 2500);
    done(&g);
}

static void pmu_halves_of_msprof_disagree(void **state)
{
    (void)state;
    struct prof_task t[] = { task(100, 200, 7, PROF_NONE), task(300, 400, 8, PROF_NONE) };
    const struct counter c[] = {
        { PROF_FFTS_TASK, 3, 7, 1 << 10, 0, 0, 0, 5000, 10, 150 }, /* overflow */
        { PROF_FFTS_TASK, 3, 8, 0, 0, 5, 0, 6000, 20, 350 },
    };
    struct prof_counts x;

    prof_info_files(&tree, 5);
    ffts_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_true(prof_pmu_get(g.m, &t[0], false, &x) && x.overflow);
    assert_false(prof_pmu_get(g.m, &t[0], true, &x));
    assert_true(prof_pmu_get(g.m, &t[1], false, &x) && x.kind == PROF_PMU_AIV);
    assert_true(prof_pmu_get(g.m, &t[1], true, &x) && x.kind == PROF_PMU_MIX_AIC);
    done(&g);
}

/* ---- hwts ---- */

static void aicore_file(const unsigned (*c)[3], size_t n) /* stream, task, cycles */
{
    unsigned char *all = calloc(n, RECORD_B);

    assert_non_null(all);
    for (size_t i = 0; i < n; i++) {
        unsigned char *p = all + i * RECORD_B;
        put_le(p + AC_TASK, c[i][1], 2);
        put_le(p + AC_CYCLES, c[i][2], 8);
        put_le(p + AC_COUNTER, 1, 8);
        put_le(p + AC_STREAM, c[i][0], 4);
    }
    tree_file_n(&tree, AICORE, (const char *)all, n * RECORD_B);
    free(all);
}

static void pmu_records_without_time_come_in_order(void **state)
{
    (void)state;
    struct prof_task t[] = { task(100, 200, 7, PROF_NONE), task(150, 160, 8, PROF_NONE),
                             task(300, 400, 7, PROF_NONE), task(500, 600, 7, PROF_NONE) };
    const unsigned c[][3] = { { 2048 + 3, 7, 1000 }, { 3, 7, 2000 }, { 3, 7, 3000 }, { 3, 8, 4 } };

    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        t[i].source = PROF_BY_HWTS;
    t[1].kind = 1;               /* AI_CPU has none */
    t[2].source = PROF_BY_AICPU; /* nor has this */
    prof_info_files(&tree, 1);
    tree_file(&tree, PROF_NAME "/device_0/sample.json", TASK_BASED);
    aicore_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_int_equal(prof_pmu_n(g.m), 2);
    struct prof_counts x;
    assert_true(prof_pmu_get(g.m, &t[0], true, &x) && x.cycles[PROF_CUBE] == 1000);
    assert_true(prof_pmu_get(g.m, &t[3], true, &x) && x.cycles[PROF_CUBE] == 2000);
    assert_int_equal(x.kind, PROF_PMU_AIC);
    assert_int_equal(x.end, 500);
    assert_false(has(&g, 1) || has(&g, 2));
    assert_int_equal(sink_count_get(g.c.notes)->notes[NOTE_INCONSISTENT], 1);
    done(&g);
}

static void pmu_samples_are_not_tasks(void **state)
{
    (void)state;
    struct prof_task t[] = { task(100, 200, 7, PROF_NONE) };
    const unsigned c[][3] = { { 3, 7, 1000 } };

    t[0].source = PROF_BY_HWTS;
    prof_info_files(&tree, 1);
    tree_file(&tree, PROF_NAME "/device_0/sample.json", SAMPLED);
    aicore_file(c, ARRAY_LEN(c));
    struct got g = read_tasks(t, ARRAY_LEN(t), NULL);
    assert_false(has(&g, 0));
    done(&g);
}

/* As many records as a long run has, in reverse: the lists grow, the tasks are found. */
static void pmu_many_tasks_are_found(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct prof_task *t = calloc(N, sizeof *t);
    struct counter *c = calloc(N, sizeof *c);

    assert_true(t && c);
    for (uint32_t i = 0; i < N; i++) {
        t[i] = task(100 * i, 100 * i + 50, i % 999, PROF_NONE);
        c[N - 1 - i] = (struct counter){ PROF_FFTS_TASK, 3, i % 999, 0, 0, 0, 0, i, 2 * i, 100 * i + 25 };
    }
    prof_info_files(&tree, 5);
    ffts_file(c, N);
    struct got g = read_tasks(t, N, NULL);
    assert_int_equal(prof_pmu_n(g.m), N);
    for (uint32_t i = 0; i < N; i++)
        assert_own(&g, i, PROF_PMU_AIC, i, 2 * i, 100 * i + 25);
    done(&g);
    free(t);
    free(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pmu_the_task_that_ran_then_has_it), TEST(pmu_blocks_of_the_other_core_are_added),
        TEST(pmu_blocks_alone_are_nothing),      TEST(pmu_numbers_beyond_32_bits_are_kept),
        TEST(pmu_halves_of_msprof_disagree),     TEST(pmu_records_without_time_come_in_order),
        TEST(pmu_samples_are_not_tasks),         TEST(pmu_many_tasks_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
