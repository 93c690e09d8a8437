/* SPDX-License-Identifier: Apache-2.0 */
/* The group that joins the raw data of a device of generation 1. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

struct group_case {
    struct sliced f;
    struct reading r;
    struct group_kind kind;
    struct group_member m[8];
    struct group_ctx c;
};
/* A member that is one file. */
struct given {
    enum role role;
    const char *name;
    const void *p;
    size_t n;
};

/* Members in order; tables: the first n_tables of those that the group writes. */
static void group_case_init(struct group_case *g, const struct given *v, size_t n, size_t n_tables)
{
    static const struct group_kind kind = {
        .id = "test", .tables = { { "op_exec", 0 }, { "step", 0 }, { "aicpu_exec", 0 }, { "op_flops", 0 } }
    };

    *g = (struct group_case){ .kind = kind };
    for (size_t i = 0; i < n; i++)
        sliced_add(&g->f, v[i].name, v[i].p, v[i].n);
    reading_init(&g->r, g->f.f);
    for (size_t i = 0; i < n; i++) {
        g->f.f[i].next_slice = NULL; /* files of their own, not slices */
        g->f.f[i].slice = 0;
        g->m[i] = (struct group_member){ .role = v[i].role, .c = g->r.c };
        g->m[i].c.f = &g->f.f[i];
    }
    g->c = (struct group_ctx){ .kind = &g->kind,
                               .m = g->m,
                               .n = n,
                               .wanted = (1u << n_tables) - 1,
                               .run = &g->r.rows.run,
                               .tmp = g->r.rows.tmp,
                               .out = g->r.c.out,
                               .rank = 0 };
}

static int run_group(struct group_case *g, const void *tasks, size_t n_tasks, const unsigned char *hwts,
                     size_t n_hwts)
{
    const struct given v[] = {
        { ROLE_FRAMEWORK_GRAPH, "Framework.host.vm.graph_desc_info.0.slice_0", GRAPH, strlen(GRAPH) },
        { ROLE_FRAMEWORK_TASK, "Framework.host.vm.task_desc_info.0.slice_0", tasks, n_tasks },
        { ROLE_HWTS, "hwts.data.0.slice_0", hwts, n_hwts }
    };
    struct err e = ERR_INIT;

    group_case_init(g, v, ARRAY_LEN(v), 1);
    return group_mindspore_job(&g->c, &e);
}

static void group_case_done(struct group_case *g)
{
    sliced_done(&g->f);
    reading_done(&g->r);
}

static void group_joins_names_and_times(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    hwts_make(p);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    assert_string_equal(
        buf_str(&g.r.rows.text).p,
        "op|id=1|name_id=Default/"
        "Add-op1|type_id=Add|in_shapes_id=1,2;|in_types_id=NUMBER_TYPE_FLOAT32;NUMBER_TYPE_INT32|"
        "in_formats_id=NCHW;ND"
        "|out_shapes_id=1,2|out_types_id=NUMBER_TYPE_FLOAT16|out_formats_id=NCHW\n"
        "op|id=2|name_id=Default/"
        "Mul-op2|type_id=Mul|out_shapes_id=3|out_types_id=UNKNOWN|out_formats_id=ND\n"
        "op|id=3|name_id=Default/Sub-op3|type_id=Sub\n"
        "op|id=4|name_id=Default/Add-op1|block_num=8|task=30001|stream=3\n"
        "op|id=5|name_id=Default/Mul-op2|block_num=1|task=7|stream=4\n"
        "op|id=6|name_id=Default/Sub-op3|block_num=2|task=8|stream=4\n"
        "op_exec|op_id=4|rank=0|stream=9|task=30001|ts_ns=10000|dur_ns=2500|line=1\n"
        "op_exec|op_id=5|rank=0|stream=4|task=7|ts_ns=13000|dur_ns=10|line=4\n"
        "last_activity|rank=0|kind=stream|track=Stream 9|stream=9|task=30001|name_id=Default/"
        "Add-op1|ts_ns=42949672950|state=running|line=10\n"
        "last_activity|rank=0|kind=stream|track=Stream 4|stream=4|task=7|name_id=Default/"
        "Mul-op2|ts_ns=13010|state=done|line=5\n"
        "last_activity|rank=0|kind=stream|track=Stream 5|stream=5|task=60000|name_id=task "
        "60000|ts_ns=15000|state=done|line=8\n");
    assert_true(g.m[0].read && g.m[1].read && g.m[2].read);
    assert_int_equal(g.m[2].c.rows, HWTS_RECORDS);
    group_case_done(&g);
}

static void group_goes_on_without_a_bad_member(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    hwts_make(p);
    assert_int_equal(run_group(&g, "\x5a\x5a", 2, p, sizeof p), OK);
    const struct sink_counts *k = reading_counts(&g.r);
    assert_int_equal(k->notes[NOTE_TORN_RECORD], 1);  /* a binary file, cut in its first record */
    assert_int_equal(k->notes[NOTE_INCONSISTENT], 1); /* nothing names the tasks */
    assert_int_equal(k->rows[T_op_exec], 0);
    assert_int_equal(k->ops, 3);
    group_case_done(&g);
}

static void group_reports_impossible_times(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    hwts_make(p);
    put_le(p + 8, UINT64_MAX - 5, 8);
    put_le(p + HWTS_B + 8, UINT64_MAX, 8);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    assert_int_equal(reading_counts(&g.r)->notes[NOTE_INCONSISTENT], 1);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 1);
    assert_int_equal(g.m[2].c.lost, 1);
    group_case_done(&g);
}

static void group_writes_only_what_is_wanted(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct err e = ERR_INIT;
    struct group_case g;

    (void)state;
    hwts_make(p);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    g.c.wanted = 0;
    g.m[2].read = false;
    assert_int_equal(group_mindspore_job(&g.c, &e), OK);
    assert_false(g.m[2].read);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 2);
    group_case_done(&g);
}

/*
 * Where the sequence numbers jump, what was running then has no time: the end may be that of a later
 * execution.
 */
static void group_gives_up_what_records_were_lost_of(void **state)
{
    unsigned char p[40 * HWTS_B];
    struct group_case g;

    (void)state;
    for (size_t lost = 0; lost < 2; lost++) {
        for (size_t i = 0; i < 40; i++)
            hwts_put(p + i * HWTS_B, i & 1, 7, 4, 100 + i);
        hwts_number(p, 40);
        for (size_t i = 31; lost && i < 40; i++) /* two are lost before the end of the 16th */
            p[i * HWTS_B] = (unsigned char)((p[i * HWTS_B] & 15) | (i + 3) % 16 << 4);
        assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
        assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 20 - lost);
        assert_int_equal(reading_counts(&g.r)->notes[NOTE_LOST_RECORDS], 2 * lost);
        assert_int_equal(reading_counts(&g.r)->note_calls, lost);
        group_case_done(&g);
    }
}

/* What was begun before records were lost may have ended there: unknown, until its stream goes on. */
static void group_does_not_know_what_a_gap_hides(void **state)
{
    static const struct {
        unsigned type, task, stream;
        uint64_t ticks;
    } rows[] = {
        { 0, 7, 4, 100 }, { 0, 1, 5, 110 }, { 0, 2, 6, 120 }, { 0, 3, 7, 130 }, /* the gap */
        { 1, 9, 5, 200 }, { 0, 4, 6, 210 }, { 1, 3, 7, 220 },
    };
    enum { BEFORE = 10 };
    unsigned char p[(BEFORE + ARRAY_LEN(rows)) * HWTS_B];
    struct group_case g;

    (void)state;
    for (size_t i = 0; i < BEFORE; i++)
        hwts_put(p + i * HWTS_B, i & 1, 8, 8, 50 + i);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        hwts_put(p + (BEFORE + i) * HWTS_B, rows[i].type, rows[i].task, rows[i].stream, rows[i].ticks);
    for (size_t i = 0; i < BEFORE + ARRAY_LEN(rows); i++)
        p[i * HWTS_B] |= (unsigned char)((i + (i > BEFORE + 3 ? 3 : 0)) % 16 << 4);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    const char *text = buf_str(&g.r.rows.text).p;
    assert_non_null(
        strstr(text, "stream=4|task=7|name_id=Default/Mul-op2|ts_ns=1000|state=unknown|line=11\n"));
    assert_non_null(strstr(text, "stream=5|task=9|name_id=task 9|ts_ns=2000|state=done|line=15\n"));
    assert_non_null(strstr(text, "stream=6|task=4|name_id=task 4|ts_ns=2100|state=running|line=16\n"));
    assert_non_null(strstr(text, "stream=7|task=3|name_id=task 3|ts_ns=2200|state=done|line=17\n"));
    group_case_done(&g);
}

/*
 * A start waits for the end of its own task: that of an earlier one says nothing, and a later start takes its
 * place.
 */
static void group_reports_what_never_ended(void **state)
{
    static const struct {
        unsigned type, task, stream;
        uint64_t ticks;
    } rows[] = {
        { 0, 7, 4, 100 }, { 0, 8, 4, 110 }, { 1, 7, 4, 120 }, /* 8 runs */
        { 0, 1, 5, 130 }, { 0, 2, 5, 140 }, { 1, 2, 5, 150 }, /* 2 is done */
        { 1, 9, 6, 160 },                                     /* an end is all there is */
    };
    unsigned char p[ARRAY_LEN(rows) * HWTS_B];
    struct group_case g;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        hwts_put(p + i * HWTS_B, rows[i].type, rows[i].task, rows[i].stream, rows[i].ticks);
    hwts_number(p, ARRAY_LEN(rows));
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    assert_non_null(
        strstr(buf_str(&g.r.rows.text).p,
               "last_activity|rank=0|kind=stream|track=Stream 4|stream=4|task=8|name_id=Default/"
               "Sub-op3|ts_ns=1100|state=running|line=2\n"
               "last_activity|rank=0|kind=stream|track=Stream 5|stream=5|task=2|name_id=task 2|ts_ns=1500|"
               "state=done|line=6\n"
               "last_activity|rank=0|kind=stream|track=Stream 6|stream=6|task=9|name_id=task 9|ts_ns=1600|"
               "state=done|line=7\n"));
    group_case_done(&g);
}

/* A network that makes new tasks every step: 16 bits begin anew, on one stream earlier than on the other. */
static void group_follows_task_numbers_beyond_16_bits(void **state)
{
    static const uint32_t numbers[] = { 65500, 65535, 65536, 65537 };
    unsigned char tasks[5 * FW_B], p[10 * HWTS_B];
    struct group_case g;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char name[] = "Default/A-op0";
        name[strlen(name) - 1] = (char)('0' + i);
        fw_task_put(tasks + i * FW_B, false, name, 0, "A", 0, 4, numbers[i]);
        hwts_put(p + 2 * i * HWTS_B, 0, numbers[i] & 0xffff, 4, 10 * i);
        hwts_put(p + (2 * i + 1) * HWTS_B, 1, numbers[i] & 0xffff, 4, 10 * i + 5);
    }
    fw_task_put(tasks + 4 * FW_B, false, "Default/B-op4", 0, "B", 0, 5, 3);
    hwts_put(p + 8 * HWTS_B, 0, 3, 5, 100);
    hwts_put(p + 9 * HWTS_B, 1, 3, 5, 101);
    hwts_number(p, 10);
    assert_int_equal(run_group(&g, tasks, sizeof tasks, p, sizeof p), OK);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 5);
    assert_non_null(strstr(buf_str(&g.r.rows.text).p,
                           "op_exec|op_id=7|rank=0|stream=4|task=1|ts_ns=300|dur_ns=50|line=7\n"
                           "op_exec|op_id=8|rank=0|stream=5|task=3|ts_ns=1000|dur_ns=10|line=9\n"));
    group_case_done(&g);
}

/* A folder of r1.8 or later with all that it may hold; metrics: setting of the collection. */
static void run_device(struct group_case *g, const char *metrics)
{
    static struct run_setting setting = { .key = STR("ai_core_metrics"), .rank = -1 };
    static const char dic[] = "7:Gradients/A-op2\n";
    unsigned char tasks[5 * FW_B], hwts[2 * HWTS_B], ts[6 * TS_B], cpu[AICPU_B], core[AICORE_B];
    unsigned char tensors[3 * FW_B];
    const struct given v[] = {
        { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks },
        { ROLE_FRAMEWORK_TENSOR, "Framework.tensor_data_info.0.slice_0", tensors, sizeof tensors },
        { ROLE_FRAMEWORK_HASH, "Framework.hash_dic.0.slice_0", dic, strlen(dic) },
        { ROLE_HWTS, "hwts.data.0.slice_0", hwts, sizeof hwts },
        { ROLE_TS_TRACK, "ts_track.data.0.slice_0", ts, sizeof ts },
        { ROLE_AICPU, "DATA_PREPROCESS.AICPU.0.slice_0", cpu, sizeof cpu },
        { ROLE_AICORE, "aicore.data.0.slice_0", core, sizeof core }
    };
    struct err e = ERR_INIT;

    fw_task_put(tasks, false, "Default/Get-op1", 0, "GetNext", 1, 5, 3);
    fw_task_put(tasks + FW_B, false, NULL, 7, "A", 0, 4, 3);
    fw_task_put(tasks + 2 * FW_B, false, "Default/Profiling-op3", 0, "Profiling", 11, 9, 3);
    fw_task_put(tasks + 3 * FW_B, false, "Default/AllReduce-op4", 0, "AllReduce", 10, 9, 4);
    fw_task_put(tasks + 4 * FW_B, false, "Default/Profiling-op5", 0, "Profiling", 11, 9, 5);
    fw_tensor_put(tensors, 4, 3, 0, 2, 200); /* two records of one task */
    fw_tensor_put(tensors + FW_B, 4, 3, 1, 1, 200);
    fw_tensor_put(tensors + 2 * FW_B, 5, 3, 1, 1, 200);
    hwts_put(hwts, 0, 3, 4, 1000);
    hwts_put(hwts + HWTS_B, 1, 3, 4, 1100);
    hwts_number(hwts, 2);
    ts_put(ts, 2, 4, 3, 900);
    ts_put(ts + TS_B, 10000, 9, 3, 1200);
    ts_put(ts + 2 * TS_B, 10001, 9, 5, 1300);
    ts_put(ts + 3 * TS_B, 3, 4, 3, 1400);
    ts_put(ts + 4 * TS_B, 4, 4, 3, 1500);
    ts_put(ts + 5 * TS_B, 2, 4, 3, 1600); /* the run ended in the second step */
    aicpu_put(cpu, 5, 3, 100);
    aicore_put(core, 4, 3, 10);
    group_case_init(g, v, ARRAY_LEN(v), 4);
    g->r.rows.run.aic_freq_mhz = 1000;
    g->r.rows.run.aic_cores = 32;
    setting.value = metrics ? str_of(metrics) : STR_NULL;
    g->r.rows.run.settings = &setting;
    g->r.rows.run.n_settings = metrics != NULL;
    assert_int_equal(group_mindspore_job(&g->c, &e), OK);
}

static void group_joins_all_that_a_folder_holds(void **state)
{
    struct group_case g;

    (void)state;
    run_device(&g, NULL);
    assert_string_equal(
        buf_str(&g.r.rows.text).p,
        "op|id=1|name_id=Default/Get-op1|type_id=GetNext|graph_id=1|out_shapes_id=2,1|"
        "out_types_id=FLOAT32|out_formats_id=NCHW|core=AICPU|block_num=8|task=3|stream=5\n"
        "op|id=2|name_id=Gradients/A-op2|type_id=A|graph_id=1|in_shapes_id=2,1;2,2|"
        "in_types_id=FLOAT32;FLOAT32|in_formats_id=NCHW;NCHW|out_shapes_id=2,1|"
        "out_types_id=FLOAT32|out_formats_id=NCHW|core=AIC|block_num=8|task=3|stream=4\n"
        "op|id=3|name_id=Default/Profiling-op3|type_id=Profiling|graph_id=1|core=RTS|block_num=8|"
        "task=3|stream=9\n"
        "op|id=4|name_id=Default/AllReduce-op4|type_id=AllReduce|graph_id=1|core=HCCL|"
        "block_num=8|task=4|stream=9\n"
        "op|id=5|name_id=Default/Profiling-op5|type_id=Profiling|graph_id=1|core=RTS|block_num=8|"
        "task=5|stream=9\n"
        "op_exec|op_id=2|rank=0|stream=4|task=3|ts_ns=10000|dur_ns=1000|line=1\n"
        "last_activity|rank=0|kind=stream|track=Stream 4|stream=4|task=3|name_id=Gradients/"
        "A-op2|ts_ns=11000|state=done|line=2\n"
        "step|rank=0|step=1|start_ns=9000|end_ns=15000|fp_ns=9000|bp_ns=14000|total_ns=6000|"
        "interval_ns=0|fp_bp_ns=5000|tail_ns=1000|complete=1|line=5\n"
        "step_part|rank=0|step=1|kind=reduce|stream=9|name_id=Default/AllReduce-op4|"
        "start_ns=12000|end_ns=13000|dur_ns=1000|line=2\n"
        "step|rank=0|step=2|start_ns=15000|fp_ns=16000|interval_ns=1000|complete=0|line=6\n"
        "aicpu_exec|rank=0|name_id=Get-op1|ts_ns=1000|total_ns=900000|dispatch_ns=87000|"
        "compute_ns=9000|stream=5|task=3|run_start=1|run_end=10|line=1\n"
        "op_flops|op_id=2|rank=0|cube_flops=409600|vector_flops=15360|flops_per_s=424960000000|"
        "utilisation=0.00162109375|line=1\n");
    group_case_done(&g);
}

/* What two binary task files refer to is read once. */
static void group_reads_tensors_once_for_two_task_files(void **state)
{
    static const char dic[] = "7:Default/A-op1\n";
    unsigned char one[FW_B], two[FW_B], tensor[FW_B];
    const struct given v[] = { { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.0.slice_0", one, sizeof one },
                               { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.1.slice_0", two, sizeof two },
                               { ROLE_FRAMEWORK_TENSOR, "Framework.tensor_data_info.0.slice_0", tensor,
                                 sizeof tensor },
                               { ROLE_FRAMEWORK_HASH, "Framework.hash_dic.0.slice_0", dic, strlen(dic) } };
    struct group_case g;
    struct err e = ERR_INIT;

    (void)state;
    fw_task_put(one, false, NULL, 7, "A", 0, 4, 3);
    fw_task_put(two, false, NULL, 7, "A", 0, 4, 4);
    fw_tensor_put(tensor, 4, 4, 0, 1, 200);
    group_case_init(&g, v, ARRAY_LEN(v), 1);
    assert_int_equal(group_mindspore_job(&g.c, &e), OK);
    assert_string_equal(buf_str(&g.r.rows.text).p,
                        "op|id=1|name_id=Default/A-op1|type_id=A|graph_id=1|core=AIC|block_num=8|"
                        "task=3|stream=4\n"
                        "op|id=2|name_id=Default/A-op1|type_id=A|graph_id=1|in_shapes_id=2,1|"
                        "in_types_id=FLOAT32|in_formats_id=NCHW|core=AIC|block_num=8|task=4|"
                        "stream=4\n");
    assert_int_equal(g.m[2].c.rows, 1);
    assert_int_equal(g.m[3].c.rows, 1);
    group_case_done(&g);
}

/*
 * Up to r1.7 a task number of 25000 or more stands without its stream, later it does not: one damaged flag
 * must not decide that.
 */
static void group_takes_the_era_that_most_records_have(void **state)
{
    for (size_t odd = 0; odd < 3; odd++)
        for (int old = 0; old < 2; old++) {
            unsigned char tasks[3 * FW_B], hwts[2 * HWTS_B];
            struct group_case g;

            for (size_t i = 0; i < 3; i++)
                fw_task_put(tasks + i * FW_B, old != (i == odd), "Default/A-op1", 0, "A", 0, 4,
                            (uint32_t)(30000 + i));
            hwts_put(hwts, 0, 30001, 9, 1000); /* another stream */
            hwts_put(hwts + HWTS_B, 1, 30001, 9, 1250);
            hwts_number(hwts, 2);
            assert_int_equal(run_group(&g, tasks, sizeof tasks, hwts, sizeof hwts), OK);
            assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], old);
            assert_int_equal(reading_counts(&g.r)->note_calls, 1);
            assert_int_equal(reading_counts(&g.r)->notes[NOTE_INCONSISTENT], 1);
            group_case_done(&g);
        }
    (void)state;
}

/*
 * The first step is 1000 to 3000 ns, the second one begins with its end; lengths below zero are none, and
 * told.
 */
static void group_steps_have_no_length_below_zero(void **state)
{
    static const struct {
        uint64_t fp, bp, end;
        const char *want;
    } cases[] = {
        { 250, 350, 400, /* forward before the start */
          "start_ns=3000|end_ns=4000|fp_ns=2500|bp_ns=3500|total_ns=1000|fp_bp_ns=1000|tail_ns="
          "500" },
        { 350, 340, 400, /* backward before forward */
          "start_ns=3000|end_ns=4000|fp_ns=3500|bp_ns=3400|total_ns=1000|interval_ns=500|"
          "tail_ns=600" },
        { 310, 420, 400, /* the end before backward */
          "start_ns=3000|end_ns=4000|fp_ns=3100|bp_ns=4200|total_ns=1000|interval_ns=100|"
          "fp_bp_ns=1100" },
        { 310, 320, 290, /* the end before all */
          "start_ns=3000|end_ns=2900|fp_ns=3100|bp_ns=3200|interval_ns=100|fp_bp_ns=100" },
    };
    struct err e = ERR_INIT;
    char want[400];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const uint64_t ticks[] = { 100, 200, 300, cases[i].fp, cases[i].bp, cases[i].end };
        unsigned char ts[ARRAY_LEN(ticks) * TS_B];
        const struct given v = { ROLE_TS_TRACK, "ts_track.data.0.slice_0", ts, sizeof ts };
        struct group_case g;

        for (size_t k = 0; k < ARRAY_LEN(ticks); k++)
            ts_put(ts + k * TS_B, (unsigned)(2 + k % 3), 4, 3, ticks[k]);
        group_case_init(&g, &v, 1, 2);
        assert_int_equal(group_mindspore_job(&g.c, &e), OK);
        snprintf(want, sizeof want,
                 "step|rank=0|step=1|start_ns=1000|end_ns=3000|fp_ns=1000|bp_ns=2000|total_ns=2000|"
                 "interval_ns=0|fp_bp_ns=1000|tail_ns=1000|complete=1|line=3\n"
                 "step|rank=0|step=2|%s|complete=1|line=6\n"
                 "note|INCONSISTENT|line=6|count=1|the marks of a step do not follow each other: "
                 "no length between two such\n",
                 cases[i].want);
        assert_string_equal(buf_str(&g.r.rows.text).p, want);
        assert_int_equal(reading_counts(&g.r)->note_calls, 1);
        assert_int_equal(reading_counts(&g.r)->notes[NOTE_INCONSISTENT], 1);
        assert_int_equal(g.m[0].c.lost, 0);
        group_case_done(&g);
    }
}

static void group_takes_no_flops_from_other_metrics(void **state)
{
    struct group_case g;

    (void)state;
    run_device(&g, "PipeUtilization");
    assert_int_equal(reading_counts(&g.r)->rows[T_op_flops], 0);
    assert_int_equal(reading_counts(&g.r)->notes[NOTE_UNKNOWN_TYPE], 1);
    group_case_done(&g);
    run_device(&g, "ArithmeticUtilization");
    assert_int_equal(reading_counts(&g.r)->rows[T_op_flops], 1);
    group_case_done(&g);
}

/*
 * Both orders of the fields, labels of a later writer, a record of a name alone, a bad number, and one that
 * is cut.
 */
static void getnext_queue_is_read_in_every_order(void **state)
{
    static const char text[] = "Node:GetNext, queue size:3, Run start:450, Run end:459\0"
                               "Node:GetNext, Run start:500, Run end:510, queue size:0\0"
                               "Node:Other, queue size:7, start:600, end:601\0"
                               "Node:Alone\0"
                               "Node:GetNext, queue size:x, Run start:700, Run end:701\0"
                               "Node:GetNext, queue size:4, Run start:801, Run end:800\0"
                               "Node:GetNext, queue size:5, Run st";
    struct sliced f = { .n = 0 };
    struct err e = ERR_INIT;
    struct reading r;

    (void)state;
    sliced_add(&f, "DATA_PREPROCESS.AICPUMI.0.slice_0", text, 70);
    sliced_add(&f, "DATA_PREPROCESS.AICPUMI.0.slice_1", text + 70, sizeof text - 1 - 70);
    reading_init(&r, f.f);
    assert_int_equal(parse_aicpumi(&r.c, &e), OK);
    assert_string_equal(buf_str(&r.rows.text).p,
                        "queue_sample|rank=0|queue=GetNext|seq=1|ts_ns=450000|size=3|line=1\n"
                        "batch_time|rank=0|batch=1|kind=getnext|dur_ns=9000|ts_ns=450000|line=1\n"
                        "queue_sample|rank=0|queue=GetNext|seq=2|ts_ns=500000|size=0|line=2\n"
                        "batch_time|rank=0|batch=2|kind=getnext|dur_ns=10000|ts_ns=500000|line=2\n"
                        "queue_sample|rank=0|queue=Other|seq=3|ts_ns=600000|size=7|line=2\n"
                        "batch_time|rank=0|batch=3|kind=getnext|dur_ns=1000|ts_ns=600000|line=2\n"
                        "queue_sample|rank=0|queue=Alone|seq=4|line=3\n"
                        "batch_time|rank=0|batch=4|kind=getnext|line=3\n"
                        "note|BAD_ROW|line=4|count=1|not node, queue size, start, end\n"
                        "queue_sample|rank=0|queue=GetNext|seq=5|ts_ns=801000|size=4|line=5\n"
                        "note|INCONSISTENT|line=5|count=1|the end lies before the start\n"
                        "batch_time|rank=0|batch=5|kind=getnext|ts_ns=801000|line=5\n"
                        "note|TORN_RECORD|line=6|count=1|a record is cut: it has no end\n");
    assert_int_equal(r.c.lost, 2);
    sliced_done(&f);
    reading_done(&r);
}

/* A line lies in two slices; one is none; the last has no end. */
static void expect_batches(const char *first, const char *second)
{
    static const char text[] = "0 0 1 3 5007\n1 16 1 2 5007\n2 0 1 3 5\n0 2 2 7 5008";
    struct sliced f = { .n = 0 };
    struct err e = ERR_INIT;
    struct reading r;

    sliced_add(&f, first, text, 20);
    sliced_add(&f, second, text + 20, sizeof text - 1 - 20);
    reading_init(&r, f.f);
    assert_int_equal(parse_batches(&r.c, &e), OK);
    assert_string_equal(
        buf_str(&r.rows.text).p,
        "batch_time|rank=0|batch=1|kind=pipeline|dur_ns=3000000|at_ns=5007000000|line=1\n"
        "queue_sample|rank=0|queue=host|seq=1|at_ns=5007000000|size=2|capacity=16|line=2\n"
        "note|BAD_ROW|line=2|count=1|not type, extra, batch, value\n"
        "batch_time|rank=0|batch=2|kind=total|dur_ns=7000000|at_ns=5008000000|line=3\n"
        "note|TORN_FILE|line=3|count=1|the last line has no line end; kept, but its last value may "
        "be cut\n");
    assert_int_equal(r.c.lost, 1);
    assert_int_equal(r.c.rows, 3);
    sliced_done(&f);
    reading_done(&r);
}

static void batches_of_the_host_are_read_across_slices(void **state)
{
    (void)state;
    expect_batches("Framework.device_queue.0.slice_0", "Framework.device_queue.0.slice_1");
    expect_batches("Framework.dataset_iterator.0.slice_0", "Framework.dataset_iterator.0.slice_1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getnext_queue_is_read_in_every_order),
        cmocka_unit_test(batches_of_the_host_are_read_across_slices),
        cmocka_unit_test(group_joins_names_and_times),
        cmocka_unit_test(group_goes_on_without_a_bad_member),
        cmocka_unit_test(group_reports_impossible_times),
        cmocka_unit_test(group_writes_only_what_is_wanted),
        cmocka_unit_test(group_gives_up_what_records_were_lost_of),
        cmocka_unit_test(group_reports_what_never_ended),
        cmocka_unit_test(group_does_not_know_what_a_gap_hides),
        cmocka_unit_test(group_follows_task_numbers_beyond_16_bits),
        cmocka_unit_test(group_joins_all_that_a_folder_holds),
        cmocka_unit_test(group_reads_tensors_once_for_two_task_files),
        cmocka_unit_test(group_takes_the_era_that_most_records_have),
        cmocka_unit_test(group_steps_have_no_length_below_zero),
        cmocka_unit_test(group_takes_no_flops_from_other_metrics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
