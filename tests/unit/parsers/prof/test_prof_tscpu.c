/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of the processor of the task scheduler: their records, rows of the store, and the exported tables.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/sampled/tscpu.h"
#include "run/layout.h"
#include "tests/unit/parsers/prof/sampled_case.h"

#define DEVICE PROF_NAME "/device_0/data/"
#define MARK   0xabababab
#define MAX    16

static struct tree tree;
static unsigned char bytes[MAX * 304];
static size_t n_bytes;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    n_bytes = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* A sample with a counter of cycles and one of instructions; the others are not used. */
static unsigned char *sample(size_t size, uint64_t stamp, uint64_t pc, uint64_t cycles, uint64_t instructions)
{
    bool mdc = size == 184;
    unsigned char *p = bytes + n_bytes;
    size_t at = mdc ? 104 : 192;

    assert_true(n_bytes + size <= sizeof bytes);
    n_bytes += size;
    memset(p, 0, size);
    put_le(p, MARK, 4);
    put_le(p + (mdc ? 92 : 176), pc, mdc ? 4 : 8);
    put_le(p + (mdc ? 96 : 184), stamp, 8);
    put_le(p + at, 0x11, 8);
    put_le(p + at + 8, cycles, 8);
    put_le(p + at + 16, 0x8, 8);
    put_le(p + at + 24, instructions, 8);
    return p;
}

static void write_samples(void)
{
    tree_file_n(&tree, DEVICE "tscpu.data.0.slice_0", (const char *)bytes, n_bytes);
}

/* Seven functions; those at 0x30 and 0x40 take the same. */
static void make_samples(size_t size)
{
    static const unsigned v[][2] = { { 0x10, 50 }, { 0x20, 300 }, { 0x40, 60 }, { 0x30, 70 },
                                     { 0x40, 40 }, { 0x30, 30 },  { 0x50, 9 },  { 0x60, 8 } };

    for (size_t i = 0; i < ARRAY_LEN(v); i++)
        (void)sample(size, 100 + i, v[i][0], v[i][1], 1000);
    write_samples();
}

static void ask_for(const char *events)
{
    char text[200];

    snprintf(text, sizeof text, "{\"ts_cpu_profiling_events\": \"%s\"}", events);
    tree_file(&tree, PROF_NAME "/device_0/sample.json", text);
}

/* ---- records ---- */

struct seen {
    struct prof_tscpu v[MAX];
    size_t n;
};
static int see(void *arg, const struct prof_tscpu *s, struct err *e)
{
    struct seen *x = arg;

    (void)e;
    assert_true(x->n < MAX);
    x->v[x->n++] = *s;
    return OK;
}

static struct seen read_all(uint64_t notes)
{
    struct seen x = { .n = 0 };
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_tscpu_read(c.p, c.p->device[0], see, &x, &e), OK);
    assert_int_equal(sink_count_get(c.notes)->note_calls, notes);
    prof_case_close(&c);
    return x;
}

static void samples_are_read(void **state)
{
    (void)state;
    (void)sample(304, 77, 0x123456789a, 5, 6);
    put_le(sample(304, 78, 1, 2, 3) + 192 + 6 * 16, 0xed, 8); /* no event */
    write_samples();
    struct seen x = read_all(1);
    assert_int_equal(x.n, 1);
    assert_true(x.v[0].stamp == 77 && x.v[0].pc == 0x123456789a && x.v[0].n == 7);
    assert_true(x.v[0].v[0].event == 0x11 && x.v[0].v[0].count == 5);
    assert_true(x.v[0].v[1].event == 8 && x.v[0].v[1].count == 6);
    assert_string_equal(prof_tscpu_word(0xec), "STALL_BACKEND_ST_TLB");
    assert_null(prof_tscpu_word(0x20));
}

/* Also a single one, and after a cut. */
static void short_samples_are_recognised_by_the_second_mark(void **state)
{
    (void)state;
    (void)sample(184, 77, 0x9abc, 5, 6);
    write_samples();
    struct seen x = read_all(0);
    assert_true(x.n == 1 && x.v[0].pc == 0x9abc && x.v[0].stamp == 77 && x.v[0].n == 5);
    (void)sample(184, 78, 0x9abd, 7, 8);
    n_bytes += 20;
    write_samples();
    x = read_all(1);
    assert_true(x.n == 2 && x.v[1].v[0].count == 7 && x.v[1].v[1].count == 8);
}

/* ---- the store ---- */

static void samples_become_measurements(void **state)
{
    (void)state;
    (void)sample(304, 77, 1, 5, 6);
    write_samples();
    char *text = sampled_measurements(&tree);
    assert_non_null(strstr(text, "|what=NPU TS CPU CPU_CYCLES|at_ns=77|value=5"));
    assert_non_null(strstr(text, "|what=NPU TS CPU INST_RETIRED|at_ns=77|value=6"));
    assert_null(strstr(text, "SW_INCR")); /* counters that are not used */
    free(text);
}

/* ---- the export ---- */

static void sums_become_tables(void **state)
{
    (void)state;
    for (size_t size = 304; size >= 184; size -= 120, n_bytes = 0) {
        make_samples(size);
        ask_for("0x11,0x8,0x13,0x8");
        sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
        assert_string_equal(sampled_file(&tree, "ts_cpu_pmu_events_" SAMPLED_STAMP ".csv"),
                            "Device_id,Event,Name,Count\n0,0x8,Inst_retired,8000\n"
                            "0,0x11,Cpu_cycles,567\n");
        /* 0x30 was met with the smaller count */
        assert_string_equal(sampled_file(&tree, "ts_cpu_top_function_" SAMPLED_STAMP ".csv"),
                            "Device_id,Function,Cycles,Cycles(%)\n0,0x20,300,52.91\n"
                            "0,0x30,100,17.637\n0,0x40,100,17.637\n0,0x10,50,8.818\n"
                            "0,0x50,9,1.587\n");
    }
}

/* As texts 967 comes before 8000; without a list there are no tables at all. */
static void msprof_orders_counts_as_texts(void **state)
{
    (void)state;
    make_samples(304);
    (void)sample(304, 200, 0x10, 400, 0);
    write_samples();
    ask_for("0x8,0x11");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY, .compat = true });
    assert_string_equal(sampled_file(&tree, "ts_cpu_pmu_events_" SAMPLED_STAMP ".csv"),
                        "Device_id,Event,Name,Count\n0,0x11,Cpu_cycles,967\n"
                        "0,0x8,Inst_retired,8000\n");
}

static void without_a_list_all_that_counted_is_shown(void **state)
{
    (void)state;
    make_samples(304);
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    assert_string_equal(sampled_file(&tree, "ts_cpu_pmu_events_" SAMPLED_STAMP ".csv"),
                        "Device_id,Event,Name,Count\n0,0x8,Inst_retired,8000\n"
                        "0,0x11,Cpu_cycles,567\n");
}

static void without_a_list_msprof_has_nothing(void **state)
{
    (void)state;
    make_samples(304);
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY, .compat = true });
    assert_string_equal(sampled_file(&tree, "ts_cpu_pmu_events_" SAMPLED_STAMP ".csv"), "");
    assert_string_equal(sampled_file(&tree, "ts_cpu_top_function_" SAMPLED_STAMP ".csv"), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_are_read),
        TEST(short_samples_are_recognised_by_the_second_mark),
        TEST(samples_become_measurements),
        TEST(sums_become_tables),
        TEST(msprof_orders_counts_as_texts),
        TEST(without_a_list_all_that_counted_is_shown),
        TEST(without_a_list_msprof_has_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
