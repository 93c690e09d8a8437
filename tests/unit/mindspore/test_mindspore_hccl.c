/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication of generation 1 from its traces: links, merging, steps, damage, and a capture
 * (doc/formats/mindspore1.md#hccl_info, #hccl_raw).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/read/infile.h"
#include "emit/report.h"
#include "mindspore/run.h"
#include "parsers/mindspore/records/hccl_trace.h"
#include "tests/unit/mindspore/analyse_case.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

#define EVENT(tid, ts, dur, task, src, dst, transport, size)                                                 \
    "{\"tid\": " tid ", \"pid\": \"0\", \"ts\": " ts ", \"dur\": " dur                                       \
    ", \"ph\": \"X\", \"name\": \"x\", \"args\": {\"task type\": \"" task "\", \"src rank\": " src           \
    ", \"dst rank\": " dst ", \"transport type\": \"" transport "\", \"size\": " size "}}"
#define TRACE(events) "{\"device id\": \"0\", \"iteration\": 1, \"traceEvents\": [" events "]}"
#define OTHER         "4294967295"

/* SDMA and its record, a copy within the card, and RDMA with a wait of the same thread. */
/* clang-format off */
static const char mixed[] = TRACE(
    EVENT("1", "10.5", "2", "Notify Record", "0", "1", "SDMA", "null") ", "
    EVENT("2", "20", "3", "Memcpy", "0", "1", "SDMA", "\"0x7d0\"") ", "
    EVENT("2", "30", "4", "Reduce Inline", "0", "1", "SDMA", "1000") ", "
    EVENT("2", "40", "5", "Memcpy", "0", OTHER, "SDMA", "500") ", "
    EVENT("2", "50", "10", "RDMASend", "1", "0", "RDMA", "3000") ", "
    EVENT("2", "60", "20", "RDMASend", "1", "0", "RDMA", "1000") ", "
    EVENT("2", "70", "30", "Notify Wait", "0", "1", "LOCAL", "null") ", "
    EVENT("1", "80", "7", "Not" "ify" " Wa" "it", "nul" "l", "nul" "l", "LOC" "AL", "nul" "l"));
/* clang-format on */

static int read_trace(struct reading *r, const char *text, size_t n, struct hccl_trace *t)
{
    struct err e = ERR_INIT;

    reading_init(r, NULL);
    r->rows.file.path = scratch_write(text, n);
    return hccl_trace_read(&r->c, t, &e);
}

static void assert_link(const struct hccl_link *l, int64_t src, int64_t dst, double time_ms, double size_kb,
                        double wait_ms)
{
    assert_int_equal(l->src, src);
    assert_int_equal(l->dst, dst);
    assert_true(l->time_ms == time_ms && l->size_kb == size_kb && l->wait_ms == wait_ms);
    assert_true(l->bandwidth == (size_kb > 0 ? size_kb / (time_ms / 1e3) : 0));
}

static void hccl_links_are_distinguished(void **state)
{
    struct err e = ERR_INIT;
    struct hccl_trace t;
    struct hccl_cost cost;
    struct reading r;

    (void)state;
    for (int upstream = 0; upstream < 2; upstream++) {
        assert_int_equal(read_trace(&r, mixed, strlen(mixed), &t), OK);
        assert_int_equal(t.n, 8);
        assert_true(t.has_ts && t.event[0].ts_ns == 10500 && t.event[0].ts_us == 10.5);
        assert_int_equal(hccl_cost_of(r.c.tmp, &t, upstream, &cost, &e), OK);
        assert_int_equal(cost.n_links, 3);
        assert_link(&cost.link[0], 0, 1, 0.007, 3, 0);
        assert_link(&cost.link[1], 0, 0, 0.005, 0.5, 0);
        assert_link(&cost.link[2], 1, 0, 0.06, 4, 0.03);
        /* where it turns the wait back, upstream loses it from its link */
        assert_true(cost.cost_ms == (upstream ? 0.007 + 0.005 + 0.0 : 0.007 + 0.005 + 0.06));
        assert_true(cost.wait_ms == (upstream ? 0.03 : 0.0));
        hccl_trace_done(&t);
        reading_done(&r);
    }
}

static void hccl_links_are_added_up_in_order_of_ranks(void **state)
{
    struct hccl_link v[] = {
        { .src = 2, .dst = 1, .transport = HCCL_RDMA, .time_ms = 1, .wait_ms = 4 },
        { .src = 0, .dst = 1, .transport = HCCL_SDMA, .time_ms = 2 },
        { .src = 2, .dst = 1, .transport = HCCL_SDMA, .time_ms = 3 },
        { .src = 2, .dst = 1, .transport = HCCL_RDMA, .time_ms = 5, .wait_ms = 1 },
    };
    size_t n = ARRAY_LEN(v);

    (void)state;
    hccl_links_join(v, &n);
    assert_int_equal(n, 3);
    assert_true(v[0].transport == HCCL_RDMA && v[0].time_ms == 6 && v[0].wait_ms == 5);
    assert_int_equal(v[0].n, 2);
    assert_true(v[1].src == 2 && v[1].transport == HCCL_SDMA && v[1].time_ms == 3);
    assert_true(v[2].src == 0 && v[2].n == 1);
    n = 0;
    hccl_links_join(v, &n);
    assert_int_equal(n, 0);
}

static void hccl_cut_anywhere_keeps_whole_events(void **state)
{
    struct err e = ERR_INIT;
    struct hccl_trace t;
    struct hccl_cost cost;
    struct reading r;

    (void)state;
    for (size_t cut = 0; cut < strlen(mixed); cut++) {
        (void)!read_trace(&r, mixed, cut, &t);
        assert_true(t.n <= 8 && t.n <= cut / 100);
        assert_true(reading_counts(&r)->note_calls > 0 || !t.n);
        assert_int_equal(hccl_cost_of(r.c.tmp, &t, true, &cost, &e), OK);
        hccl_trace_done(&t);
        reading_done(&r);
    }
}

static void hccl_flipped_bits_do_no_harm(void **state)
{
    uint64_t seed = 88172645463325252u;
    struct err e = ERR_INIT;
    struct hccl_trace t;
    struct hccl_cost cost;
    struct reading r;
    char q[sizeof mixed];

    (void)state;
    for (int k = 0; k < 2000; k++) {
        memcpy(q, mixed, sizeof q);
        q[scratch_random(&seed) % strlen(mixed)] ^= (char)(1 << scratch_random(&seed) % 7);
        (void)!read_trace(&r, q, strlen(mixed), &t);
        assert_int_equal(hccl_cost_of(r.c.tmp, &t, k & 1, &cost, &e), OK);
        assert_true(cost.n_links <= 2 * t.n);
        hccl_trace_done(&t);
        reading_done(&r);
    }
}

/* ---- the file ---- */

/*
 * Two steps of a capture and the column of its only operator; ticks of 10 ns (step_trace_raw_6_detail_time).
 */
static const struct str columns[] = {
    STR("step_num"),
    STR("start_point"),
    STR("end_point"),
    STR("total"),
    STR("fp_point"),
    STR("bp_point"),
    STR("iteration_interval"),
    STR("fp_and_bp"),
    STR("tail"),
    STR("stream_24_0_AllReduce-op3143"),
};
static const int64_t cells[3][3] = { { 1, 61688106196804, 61688109551051 },
                                     { 2, 61688109551051, 61688112916194 },
                                     { 0, 61688109551051, 61688112916194 } };
static const struct mindspore_step steps[] = { { .n = 3, .cell = cells[0] },
                                               { .n = 3, .cell = cells[1] },
                                               { .is_average = true, .n = 3, .cell = cells[2] } };

static void no_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    (void)s;
    (void)w;
    fail_msg("note %d: %s", (int)code, text);
}

static bool go_on(const struct sink *s)
{
    (void)s;
    return false;
}

/* hccl_raw of a folder with traces, against a stored file. */
static void run_capture(const char *dir, const char *version, const char *expected)
{
    static const struct sink_ops ops = { .note = no_note, .cancelled = go_on };
    const struct inventory_tables tables = tree_all_tables();
    struct err e = ERR_INIT;
    struct sink notes = { .ops = &ops };
    struct mindspore_case k;
    struct job *j;
    char *want;
    size_t n;

    mindspore_case_new(&k);
    assert_int_equal(job_scan(&j, dir, &tables, &e), OK);
    assert_int_equal(emit_report_new(&k.report, &e), OK);
    struct mindspore_options o = { .dir = tree_path(&k.tree, "out") };
    struct mindspore_run r = {
        .unit = j->units[0],
        .rules = mindspore_rules_find(version),
        .options = &o,
        .mode = MINDSPORE_GRAPH,
        .rank = j->units[0]->info.ranks[0].rank,
        .number = 6,
        .report = k.report,
        .notes = &notes,
        .steps = { .column = columns, .n_columns = ARRAY_LEN(columns), .row = steps, .n = ARRAY_LEN(steps) }
    };
    assert_int_equal(unit_paths(j->units[0], &e), OK);
    for (size_t i = 0; i < j->units[0]->n_files; i++)
        if (strstr(j->units[0]->files[i]->rel, "hccl_info"))
            r.rank = j->units[0]->files[i]->rank;
    assert_int_equal(arena_new(&r.a, (size_t)64 << 20, &e), OK);
    assert_int_equal(mindspore_hccl(&r, &e), OK);
    assert_int_equal(infile_read_all(expected, 1 << 16, &want, &n, &e), OK);
    assert_string_equal(mindspore_case_text(&k, "hccl_raw_6.csv"), want);
    free(want);
    arena_free(r.a);
    job_free(j);
    mindspore_case_done(&k);
}

static void hccl_raw_of_a_capture_is_equal(void **state)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES");
    char dir[512], expected[600];

    (void)state;
    if (!samples)
        skip();
    snprintf(dir, sizeof dir, "%s/data/outputs/mindspore-ut/profiler", samples);
    snprintf(expected, sizeof expected, "%s/hccl_raw_6.csv", dir);
    if (access(expected, R_OK) != 0)
        skip();
    run_capture(dir, "r1.5", expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hccl_links_are_distinguished),
        cmocka_unit_test(hccl_links_are_added_up_in_order_of_ranks),
        cmocka_unit_test(hccl_cut_anywhere_keeps_whole_events),
        cmocka_unit_test(hccl_flipped_bits_do_no_harm),
        cmocka_unit_test(hccl_raw_of_a_capture_is_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
