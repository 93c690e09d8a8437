/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of cores that were sampled over time (doc/formats/prof.md#aicore): whose they are, when, and that
 * they are of no task.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "parsers/prof/sampled/core_samples.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA PROF_NAME "/device_0/data/"
#define FFTS DATA "ffts_profile.data.0.slice_0"

enum { CORE_SAMPLE_RECORD(FIELD_AT) };

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

static unsigned char *put(struct buf *b, size_t n)
{
    static const unsigned char zero[128];

    buf_add(b, (struct str){ (const char *)zero, n });
    assert_false(buf_failed(b));
    return (unsigned char *)b->p + b->n - n;
}

static void write_file(const char *name, struct buf *b)
{
    tree_file_n(&tree, name, b->p, b->n);
    buf_done(b);
}

#define SAMPLED                                                                                              \
    "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_mode\": \"sample-based\", "                         \
    "\"ai_core_metrics\": \"PipeUtilization\", \"aiv_profiling\": \"on\", "                                  \
    "\"aiv_profiling_mode\": \"%s\"}"

struct seen {
    char text[400];
};

static void core_sample(struct buf *b, bool v6, unsigned mode, unsigned core, unsigned n, uint64_t time,
                        uint64_t cycles, uint64_t first)
{
    size_t more = v6 ? CORE_SAMPLE6_MORE : 0;
    unsigned char *r = put(b, CORE_SAMPLE_B + more);

    r[CO_MODE] = (unsigned char)mode;
    for (size_t i = 0; i < n && i < PROF_EVENTS; i++)
        put_le(r + CO_COUNTER + 8 * i, first + i, 8);
    put_le(r + CO_CYCLES + more, cycles, 8);
    put_le(r + CO_TIME + more, time, 8);
    r[CO_COUNT + more] = (unsigned char)n;
    r[CO_CORE + more] = (unsigned char)core;
}

static int on_core(void *arg, const struct prof_core_sample *s, struct err *e)
{
    struct seen *x = arg;
    size_t n = strlen(x->text);

    (void)e;
    snprintf(x->text + n, sizeof x->text - n, "%s%d:%u at %d: %d %d..%d", n ? "\n" : "", (int)s->kind,
             s->core, (int)s->time, (int)s->cycles, (int)s->event[0], (int)s->event[s->n - 1]);
    return OK;
}

static void check_cores(int chip, const char *aiv_mode, enum prof_core kind, const char *want)
{
    struct err e = ERR_INIT;
    struct seen s = { .text = "" };
    struct prof_case c;
    char text[400];

    prof_info_files(&tree, chip);
    snprintf(text, sizeof text, SAMPLED, aiv_mode);
    tree_file(&tree, PROF_NAME "/device_0/sample.json", text);
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_core_samples_read(c.p, c.p->device[0], kind, on_core, &s, &e), OK);
    assert_string_equal(s.text, want);
    prof_case_close(&c);
}

static void samples_are_of_the_kinds_that_were_sampled(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };

    core_sample(&b, false, 1, 3, 8, 1000, 50, 10);
    core_sample(&b, false, 0, 3, 8, 1001, 51, 20); /* no sample */
    core_sample(&b, false, 1, 3, 9, 1002, 52, 30); /* more than there is room for */
    core_sample(&b, false, 2, 4, 2, 1003, 53, 40);
    tree_file_n(&tree, DATA "aicore.data.0.slice_0", b.p, b.n);
    tree_file_n(&tree, DATA "aiVectorCore.data.0.slice_0", b.p, b.n);
    tree_file_n(&tree, DATA "ffts_profile.data.0.slice_0", b.p, b.n);
    buf_done(&b);
    for (int chip = 1; chip <= 4; chip++) {
        check_cores(chip, "sample-based", PROF_CUBE, "0:3 at 1000: 50 10..17\n0:4 at 1003: 53 40..41");
        check_cores(chip, "sample-based", PROF_VECTOR, "1:3 at 1000: 50 10..17\n1:4 at 1003: 53 40..41");
        check_cores(chip, "task-based", PROF_VECTOR, "");
    }
    /* on 310B all cores but the first are vector cores; on 910B those behind the 24th */
    check_cores(7, "task-based", PROF_VECTOR, "1:3 at 1000: 50 10..17\n1:4 at 1003: 53 40..41");
    check_cores(5, "task-based", PROF_VECTOR, "");
    check_cores(5, "task-based", PROF_CUBE, "0:3 at 1000: 50 10..17\n0:4 at 1003: 53 40..41");
}

static void v6_samples_have_ten_events_and_count_ticks(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct prof_core_sum sum[PROF_CORES];
    struct prof_case c;

    core_sample(&b, true, 1, 35, 10, 4000, 50, 10);
    core_sample(&b, true, 1, 36, 10, 4000, 60, 20);
    core_sample(&b, true, 1, 36, 10, 4050, UINT64_MAX - 10, 30);
    write_file(FFTS, &b);
    check_cores(15, "sample-based", PROF_CUBE, "0:35 at 4000: 50 10..19");
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    const struct prof_folder *f = c.p->device[0];
    assert_int_equal(prof_core_sums(c.p, f, PROF_VECTOR, sum, &e), OK);
    assert_false(sum[35].any);
    assert_true(sum[36].any);
    assert_int_equal(sum[36].cycles, UINT64_MAX);
    assert_int_equal(sum[36].event[9], 29 + 39);
    assert_int_equal(prof_core_ns(c.p, f, 4050), prof_device_ns(f, 4050));
    /* 92500 cycles of 1850 MHz are 50 us */
    assert_true(prof_core_usage(&f->meta, 92500, 1000, 101000) == 50);
    assert_true(prof_core_usage(&f->meta, 92500, 1000, 1000) < 0);
    prof_case_close(&c);
}

/* Samples are no counters of tasks. */
static void samples_belong_to_no_task(void **state)
{
    (void)state;
    static const struct prof_host nobody;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct prof_device d;
    struct prof_case c;
    struct prof_pmu *m;
    char text[400];

    for (unsigned i = 0; i < 4; i++)
        core_sample(&b, false, 1, 3, 8, 1000, 50, 10);
    tree_file_n(&tree, DATA "aicore.data.0.slice_0", b.p, b.n);
    write_file(FFTS, &b);
    for (int chip = 4; chip <= 5; chip++) {
        prof_info_files(&tree, chip);
        snprintf(text, sizeof text, SAMPLED, "sample-based");
        tree_file(&tree, PROF_NAME "/device_0/sample.json", text);
        assert_int_equal(prof_case_open(&c, &tree, &e), OK);
        d = (struct prof_device){ .f = c.p->device[0] };
        assert_int_equal(prof_pmu_read(&m, c.p, &d, &nobody, &e), OK);
        assert_int_equal(prof_pmu_n(m), 0);
        assert_int_equal(sink_count_get(c.notes)->notes[NOTE_INCONSISTENT], 0);
        prof_pmu_free(m);
        prof_case_close(&c);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(samples_are_of_the_kinds_that_were_sampled),
        CASE(v6_samples_have_ten_events_and_count_ticks),
        CASE(samples_belong_to_no_task),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
