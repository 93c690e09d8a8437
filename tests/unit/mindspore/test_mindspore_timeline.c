/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines of generation 1: order of rows, scopes, damage, missing inputs, line breaks (the figures
 * themselves: tests/golden/analyse.py).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emit/pretty.h"
#include "mindspore/timeline.h"
#include "tests/unit/mindspore/analyse_case.h"

/* ---- rows ---- */

static void rows_sort_keeps_the_order_of_equals(void **state)
{
    enum { N = 5000 };
    struct mindspore_rows r = { .n = 0 };
    struct err e = ERR_INIT;
    uint32_t seed = 7;

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        struct mindspore_row row = { .start = (seed >> 16) % 97, .extra = i };
        assert_int_equal(mindspore_rows_add(&r, &row, &e), OK);
    }
    assert_int_equal(mindspore_rows_by_start(&r, &e), OK);
    assert_int_equal(r.n, N);
    for (size_t i = 1; i < N; i++) {
        assert_true(r.v[i - 1].start <= r.v[i].start);
        if (r.v[i - 1].start == r.v[i].start)
            assert_true(r.v[i - 1].extra < r.v[i].extra);
    }
    mindspore_rows_done(&r);
    assert_int_equal(mindspore_rows_by_start(&r, &e), OK); /* of nothing */
}

/* ---- CPU ---- */

#define CPU_OPS "cpu_op_execute_timestamp_0.txt"

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part) != NULL;
}

static void cpu_timeline_with_a_cut_last_record_has_the_others(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, CPU_OPS,
                        "Default/a;HostCpuOps;3000,0.25,0 1000,0.5\nDefault/b/c-op1;HostCpuOps;2000,");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    assert_true(mindspore_case_notes(&k) > 0);
    assert_string_equal(mindspore_case_text(&k, "cpu_timeline_summary_0.json"),
                        "{\"total_time\": 0.75, \"num_of_streams\": 2, \"num_of_ops\": 2, "
                        "\"op_exe_times\": 2, \"max_scope_name_num\": 1}");
    const char *t = mindspore_case_text(&k, "cpu_timeline_display_0.json");
    assert_true(has(t, "{\"name\": \"a\", \"ph\": \"X\", \"tid\": 100003, \"ts\": 1.0, \"dur\": "
                       "500.0, \"pid\": 0}"));
    assert_true(has(t, "\"tid\": \"HostCpuOps0\", \"ts\": 3.0, \"dur\": 250.0"));
    assert_true(has(t, "{\"name\": \"thread_sort_index\", \"ph\": \"M\", \"pid\": \"0\", \"tid\": "
                       "100000, \"args\": {\"sort_index\": -4}}]"));
    mindspore_case_done(&k);
}

static void cpu_timeline_of_nothing_is_no_data(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, CPU_OPS, "\n;;\nx\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, "cpu_timeline_display_0.json"), EMIT_NO_DATA);
    assert_null(mindspore_case_text(&k, "cpu_timeline_display_0.json"));
    mindspore_case_file(&k, CPU_OPS, "Default/a;HostCpuOps;3000,0.25,0 \n");
    assert_int_equal(mindspore_case_run(&k, "r1.6", MINDSPORE_CPU), OK); /* CPU targets had none yet */
    assert_int_equal(mindspore_case_outcome(&k, "cpu_timeline_display_0.json"), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* Scopes end where an op lies outside of them, and begin anew behind it; a step ends all. */
static void scopes_end_with_the_ops_outside(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, CPU_OPS,
                        "Default/a/x-op1;HostCpuOps;1000,0.001,0 3000,0.001,0 7000,0.001,0\n"
                        "Default/y-op2;HostCpuOps;5000,0.001,0\nDefault/a/z-op3;HostCpuOps;9000,0.001,0\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    const char *t = mindspore_case_text(&k, "cpu_timeline_display_0.json");
    assert_true(has(t, "{\"name\": \"a\", \"ph\": \"X\", \"tid\": 100001, \"ts\": 1.0"));
    assert_true(has(t, "{\"name\": \"a\", \"ph\": \"X\", \"tid\": 100001, \"ts\": 7.0"));
    assert_false(has(t, "{\"name\": \"a\", \"ph\": \"X\", \"tid\": 100001, \"ts\": 5.0"));
    mindspore_case_done(&k);
}

/* ---- GPU ---- */

#define GPU_OPS  "gpu_op_execute_timestamp_0.txt"
#define GPU_STEP "step_trace_profiling_0.txt"
#define STEPS    "step_trace_raw_0_detail_time.csv"

static void gpu_steps_without_training_lose_the_backward_point(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 \n");
    mindspore_case_file(&k, GPU_STEP, "a,1000 b,1010 c,1020 d,1100\na,2000 b,2010 c,2020 d,2120\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_string_equal(mindspore_case_text(&k, STEPS),
                        "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\r\n"
                        "1,100,110,10,101,1,9\r\n2,200,212,12,201,1,11\r\n-,150,161,11,151,1,10\r\n");
    assert_string_equal(mindspore_case_text(&k, "step_trace_point_info_0.json"),
                        "[{\"fp_start\": \"b\"}, {\"fp_start\": \"b\"}]");
    assert_int_equal(mindspore_case_run(&k, "r1.3", MINDSPORE_GPU),
                     OK); /* the first step is not in the mean */
    assert_true(has(mindspore_case_text(&k, STEPS), "\r\n-,200,212,12,201,1,11\r\n"));
    mindspore_case_done(&k);
}

/* With communication the last two columns are not what was meant, and are text. */
static void gpu_steps_without_training_join_what_is_last(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 \n");
    mindspore_case_file(&k, GPU_STEP, "a,1000 b,1010 c,1020 d,1100 x/R-op2,1030,1050\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_string_equal(mindspore_case_text(&k, STEPS),
                        "step_num,start_point,end_point,total,fp_point,iteration_interval,"
                        "fp_and_bp,tail,stream_ops_0_R-op2,fp\r\n"
                        "1,100,110,10,101,1,1,8,2,103105\r\n-,100,110,10,101,1,1,8,2,208\r\n");
    mindspore_case_done(&k);
}

/* The sums per step; the file's name says what the run noted of its parallel mode. */
static void gpu_cluster_file_is_named_by_the_runs_notes(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1 5000,1 \nDefault/R-op2;GpuOps;3000,1.5 \n");
    mindspore_case_file(&k, GPU_STEP, "a,1000 b,1010 c,1020 d,6000 x/R-op2,3000,4500\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_string_equal(mindspore_case_text(&k, "gpu_cluster_analyse_data-parallel_1_1_0.csv"),
                        "computation_time,communication_alone_time\r\n0.0035,0.0015\r\n");
    mindspore_case_file(&k, "profiler_info_0.json",
                        "{\"rank_id\": \"0\", \"rank_size\": 8, \"parallel_mode\": "
                        "\"semi_auto_parallel\", \"stage_num\": 1}");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_non_null(mindspore_case_text(&k, "gpu_cluster_analyse_model-parallel_1_8_0.csv"));
    mindspore_case_done(&k);
}

static void gpu_steps_that_cannot_be_read_are_no_file(void **state)
{
    static const char *const bad[] = {
        "a,1000 b,1010\n",
        "a 1,2 3,4\nb 1,2\n",
        "a,1000 b,1010 c,x d,1100\n",
        "a,1000 b,1010 c,1020 d,1100 r,1030,1050\na,1000 b,1010 c,1020 d,1100\n",
        "a 1,2 3,4\nb 1,2 3,4\nc 1,2\n",
        "",
    };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 \n");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        mindspore_case_file(&k, GPU_STEP, bad[i]);
        assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
        assert_int_equal(mindspore_case_outcome(&k, STEPS), EMIT_NO_DATA);
        assert_int_equal(mindspore_case_outcome(&k, "gpu_timeline_display_0.json"), EMIT_WRITTEN);
    }
    mindspore_case_done(&k);
}

/* Before r1.3 there are no steps and scopes, streams are text, and names are whole; r0.6 knew no GPU. */
static void gpu_timeline_of_old_versions_is_plain(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 \n");
    mindspore_case_file(&k, GPU_STEP, "a,1000 b,1010 c,1020 d,1100\n");
    mindspore_case_file(&k, "activity_execute_timestamp_0.txt", "f;7;2000;0.5\n");
    assert_int_equal(mindspore_case_run(&k, "r1.0", MINDSPORE_GPU), OK);
    assert_string_equal(mindspore_case_text(&k, "gpu_timeline_display_0.json"),
                        "[{\"name\": \"Default/a-op1\", \"ph\": \"X\", \"tid\": \"GpuOps\", \"ts\": "
                        "1.0, \"dur\": 1.5, \"pid\": 0},{\"name\": \"f\", \"ph\": \"X\", \"tid\": "
                        "\"7\", \"ts\": 2.0, \"dur\": 0.5, \"pid\": 0, \"args\": {\"type\": \"\", "
                        "\"op_full_name\": \"\", \"block_dim\": \"\", \"grid_dim\": \"\"}}]");
    assert_string_equal(mindspore_case_text(&k, "gpu_timeline_summary_0.json"),
                        "{\"total_time\": 0.0015, \"num_of_streams\": 1, \"num_of_ops\": 1, "
                        "\"op_exe_times\": 1}");
    assert_int_equal(mindspore_case_run(&k, "r0.6", MINDSPORE_GPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, "gpu_timeline_display_0.json"), EMIT_NO_DATA);
    assert_int_equal(mindspore_case_outcome(&k, STEPS), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* A kernel that gpu_activity_data does not have is in the timeline with empty facts. */
static void gpu_kernel_without_facts_is_kept(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 \n");
    mindspore_case_file(&k, "activity_execute_timestamp_0.txt", "void f<a;b>(int);7;2000;0.5\nbad\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_int_equal(mindspore_case_notes(&k), 1);
    assert_true(has(mindspore_case_text(&k, "gpu_timeline_display_0.json"),
                    "{\"name\": \"void f<a;b>(int)\", \"ph\": \"X\", \"tid\": 7, \"ts\": 2.0, "
                    "\"dur\": 0.5, \"pid\": 0, \"args\": {\"type\": \"\", \"op_full_name\": \"\", "
                    "\"block_dim\": \"\", \"grid_dim\": \"\"}}"));
    mindspore_case_done(&k);
}

/* Shapes that do not change are no dynamic network; an op whose shapes are missing gives no file. */
static void gpu_shapes_are_written_when_they_change(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GPU_OPS, "Default/a-op1;GpuOps;1000,1.5 2000,2.5 \n");
    mindspore_case_file(&k, GPU_STEP, "a,1000 b,1010 c,1020 d,1100\na,1900 b,2010 c,2020 d,2120\n");
    mindspore_case_file(&k, "gpu_framework_0.txt", "a;a-op1;1;input_0:1;\na;a-op1;1;input_0:1;\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, "dynamic_shape_info_0.json"), N_OUTCOMES);
    mindspore_case_file(&k, "gpu_framework_0.txt", "a;a-op1;1;input_0:1;\na;a-op1;1;input_0:2;\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_string_equal(
        mindspore_case_text(&k, "dynamic_shape_info_0.json"),
        "{\"operator\": {\"1\": [{\"step\": 1, \"op_side\": \"gpu\", \"op_type\": \"a\", "
        "\"op_name\": \"a-op1\", \"dur\": 1.5, \"shape_info\": [\"input_0:1\", \"\"]}], \"2\": "
        "[{\"step\": 2, \"op_side\": \"gpu\", \"op_type\": \"a\", \"op_name\": \"a-op1\", \"dur\": "
        "2.5, \"shape_info\": [\"input_0:2\", \"\"]}]}, \"kernel\": {}, \"operator_type\": {\"1\": "
        "{\"a\": [1.5, 1, 1.5]}, \"2\": {\"a\": [2.5, 1, 2.5]}}, \"kernel_type\": {\"1\": {}, "
        "\"2\": {}}}");
    mindspore_case_file(&k, "gpu_framework_0.txt", "b;b-op1;1;input_0:1;\nb;b-op1;1;input_0:2;\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_GPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, "dynamic_shape_info_0.json"), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* ---- sums per step ---- */

static const struct mindspore_target ascend = { .cluster = "ascend", .factor = 1, .inverse = 1 };

/* Rows of n spans: start and length in turn. */
static void add_spans(struct mindspore_rows *rows, const double *v, size_t n, enum mindspore_row_kind kind)
{
    struct err e = ERR_INIT;

    for (size_t i = 0; i < n; i++) {
        struct mindspore_row row = {
            .name = STR("x"), .start = v[2 * i], .dur = v[2 * i + 1], .pid = MINDSPORE_NO_PID, .kind = kind
        };
        assert_int_equal(mindspore_rows_add(rows, &row, &e), OK);
    }
}

/*
 * The file of steps of 10 ms each from 0 on; every communication row lies in a gap between two ops of 1 ms.
 */
static const char *sums(struct mindspore_case *k, const char *version, size_t n_steps, const double *comm,
                        size_t n_comm)
{
    struct err e = ERR_INIT;
    struct job *j = tree_scan(&k->tree, "profiler", &e);
    struct mindspore_options o = { .dir = tree_path(&k->tree, "out"), .force = true };
    struct mindspore_rows compute = { .n = 0 }, with = { .n = 0 }, steps = { .n = 0 }, out = { .n = 0 };
    const struct mindspore_overlap in = { &compute, &compute, &with, &steps };
    struct mindspore_timeline t;

    emit_report_free(k->report);
    assert_int_equal(emit_report_new(&k->report, &e), OK);
    struct mindspore_run r = {
        .unit = j->units[0], .rules = mindspore_rules_find(version), .options = &o, .report = k->report
    };
    assert_int_equal(mindspore_timeline_begin(&t, &r, &ascend, &e), OK);
    for (size_t i = 0; i < n_comm; i++) {
        const double around[] = { comm[2 * i] - 1, 1, comm[2 * i] + comm[2 * i + 1], 1 };
        add_spans(&compute, around, 2, MINDSPORE_ROW_OP);
    }
    add_spans(&with, comm, n_comm, MINDSPORE_ROW_COMM);
    for (size_t i = 0; i < n_steps; i++)
        add_spans(&steps, (const double[]){ 10 * (double)i, 10 }, 1, MINDSPORE_ROW_STEP);
    assert_int_equal(mindspore_cluster(&t, &in, &out, &e), OK);
    struct mindspore_rows *const rows[] = { &compute, &with, &steps, &out };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        mindspore_rows_done(rows[i]);
    mindspore_timeline_done(&t);
    job_free(j);
    return mindspore_case_text(k, "ascend_cluster_analyse_data-parallel_1_1_0.csv");
}

#define SUMS      "computation_time,communication_alone_time\r\n"
#define SUMS_FILE "ascend_cluster_analyse_data-parallel_1_1_0.csv"

/*
 * Communication behind the last step: the list of r1.6 and r1.7 has the last step's sum twice, in the place
 * of the mean; r1.5 makes no file.
 */
static void cluster_sums_past_the_last_step(void **state)
{
    static const double comm[] = { 2, 1, 12, 0.5, 22, 0.25, 36, 1 };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, CPU_OPS, "a;HostCpuOps;1,1,0\n");
    assert_null(sums(&k, "r1.5", 3, comm, 4));
    assert_int_equal(mindspore_case_outcome(&k, SUMS_FILE), EMIT_NO_DATA);
    assert_string_equal(sums(&k, "r1.8", 3, comm, 4),
                        SUMS "9.0,1.0\r\n9.5,0.5\r\n9.75,0.25\r\n9.625,0.375\r\n");
    assert_string_equal(sums(&k, "r1.6", 3, comm, 4),
                        SUMS "9.0,1.0\r\n9.5,0.5\r\n9.75,0.25\r\n9.625,0.25\r\n");
    assert_string_equal(sums(&k, "r1.5", 3, comm, 3),
                        SUMS "9.0,1.0\r\n9.5,0.5\r\n9.75,0.25\r\n9.4167,0.5833\r\n");
    mindspore_case_done(&k);
}

/* Communication that ends before the last step: no file from r1.5 to r1.7, zeros later. */
static void cluster_sums_short_of_the_last_step(void **state)
{
    static const double comm[] = { 2, 1 };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, CPU_OPS, "a;HostCpuOps;1,1,0\n");
    assert_null(sums(&k, "r1.6", 2, comm, 1));
    assert_int_equal(mindspore_case_outcome(&k, SUMS_FILE), EMIT_NO_DATA);
    assert_string_equal(sums(&k, "r1.8", 2, comm, 1), SUMS "9.0,1.0\r\n10.0,0.0\r\n10.0,0.0\r\n");
    assert_string_equal(sums(&k, "r1.8", 1, comm, 1), SUMS "9.0,1.0\r\n"); /* no mean of one */
    assert_string_equal(sums(&k, "r1.5", 1, comm, 1), SUMS "9.0,1.0\r\n9.0,1.0\r\n");
    sums(&k, "r1.8", 0, comm, 1);
    assert_int_equal(mindspore_case_outcome(&k, SUMS_FILE), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* ---- PyNative ---- */

#define PY_OPS "output_timeline_data_0.txt"

static void pynative_steps_begin_with_get_next(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, PY_OPS,
                        "op_name, stream_id, start_time(ms), duration(ms)\nDefault/GetNext-op0,0,1.5,0.5\n"
                        "Default/A-op1,0,2.5,0.25\nDefault/GetNext-op0,0,3.5,0.5\nA-op2,1,4.5\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_PYNATIVE), OK);
    assert_int_equal(mindspore_case_notes(&k), 1);
    assert_true(has(mindspore_case_text(&k, "ascend_timeline_display_0.json"),
                    "{\"name\": \"1\", \"ph\": \"X\", \"tid\": 100000, \"ts\": 0.0, \"dur\": "
                    "2000.0, \"pid\": 0},{\"name\": \"2\", \"ph\": \"X\", \"tid\": 100000, \"ts\": "
                    "2000.0, \"dur\": 0.0, \"pid\": 0},"));
    assert_string_equal(mindspore_case_text(&k, "pynative_op_intermediate_0_type.csv"),
                        "op_type,execution_time,execution_frequency,percent\r\n"
                        "GetNext,0.5,2,66.67\r\nA,0.25,1,33.33\r\n");
    mindspore_case_file(&k, PY_OPS, "Default/A-op1,0,2.5,0.25\nDefault/B-op1,0,3.5,0.25\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_PYNATIVE), OK);
    assert_false(has(mindspore_case_text(&k, "ascend_timeline_display_0.json"), "\"ph\": \"X\", \"tid\": 1"));
    mindspore_case_done(&k);
}

/* Raw executions beside host ops; in graph mode they are results, and framework_raw is there, too. */
static void pynative_is_known_without_start_time(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, "cpu_op_execute_timestamp_0.txt", "Default/A-op1;HostCpuOps;1,2,3\n");
    mindspore_case_file(&k, PY_OPS, "Default/A-op1,0,2.5,0.25\nDefault/B-op1,0,3.5,0.25\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_AUTO), OK);
    assert_int_equal(mindspore_case_outcome(&k, "pynative_op_intermediate_0_type.csv"), EMIT_WRITTEN);
    assert_int_equal(mindspore_case_outcome(&k, "cpu_timeline_display_0.json"), N_OUTCOMES);
    mindspore_case_file(&k, "framework_raw_0.csv", "task_id,stream_id\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_AUTO), OK);
    assert_int_equal(mindspore_case_outcome(&k, "pynative_op_intermediate_0_type.csv"), N_OUTCOMES);
    assert_int_equal(mindspore_case_outcome(&k, "cpu_timeline_display_0.json"), EMIT_WRITTEN);
    mindspore_case_done(&k);
}

/* They are no jobs of MindSpore, whose folder would mean graph mode. */
static void databases_and_folders_of_cann_are_no_jobs(void **state)
{
    static const char *const strangers[] = {
        "PROF_000001_20230418100000123_ABCDEFGH/host/data/aging.api_event.data.slice_0",
        "ascend_pytorch_profiler_0.db",
    };

    (void)state;
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        struct mindspore_case k;
        mindspore_case_new(&k);
        mindspore_case_file(&k, "cpu_op_execute_timestamp_0.txt", "Default/A-op1;HostCpuOps;1,2,3\n");
        mindspore_case_file(&k, strangers[i], "SQLite format 3");
        assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_AUTO), OK);
        assert_int_equal(mindspore_case_outcome(&k, "cpu_timeline_display_0.json"), EMIT_WRITTEN);
        assert_int_equal(mindspore_case_outcome(&k, "framework_raw_0.csv"), N_OUTCOMES);
        mindspore_case_done(&k);
    }
}

/* ---- numbers ---- */

/* Digits of the shortest "%.*e" that reads back as v. */
static int shortest(double v, char *text, size_t n)
{
    for (int p = 0;; p++) {
        snprintf(text, n, "%.*e", p, v);
        if (strtod(text, NULL) == v)
            return p + 1;
    }
}

static int digits(const char *text)
{
    int n = 0, zeros = 0;

    for (const char *p = text; *p && *p != 'e'; p++) {
        if (*p < '0' || *p > '9' || (*p == '0' && !n))
            continue;
        n++;
        zeros = *p == '0' ? zeros + 1 : 0;
    }
    return n - zeros;
}

/*
 * Doubles of all sizes that the formats have, with the ends of the gaps between them: powers of two and their
 * neighbours.
 */
static void repr_is_the_shortest_text(void **state)
{
    uint64_t seed = 88172645463325252u, bits;
    char text[40], want[40];
    double v;

    (void)state;
    for (int i = 0; i < 40000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        bits = (uint64_t)(1023 - 80 + i % 150) << 52;
        bits |= i % 3 == 0 ? seed >> 12 : i % 3 == 1 ? seed >> 62 : ~seed >> 12 | 0xffffffffffff0;
        memcpy(&v, &bits, sizeof v);
        text[repr_text(v, text)] = '\0';
        assert_true(strtod(text, NULL) == v);
        assert_int_equal(digits(text), shortest(v, want, sizeof want));
    }
}

/* ---- line breaks ---- */

struct out {
    char text[1 << 12];
    size_t n;
};

static void on_text(void *arg, const char *p, size_t n)
{
    struct out *o = arg;

    assert_true(o->n + n < sizeof o->text);
    memcpy(o->text + o->n, p, n);
    o->text[o->n += n] = '\0';
}

static const char *pretty(struct out *o, const char *text, size_t piece)
{
    static struct pretty x;
    size_t n = strlen(text);

    memset(&x, 0, sizeof x);
    *o = (struct out){ .n = 0 };
    for (size_t i = 0; i < n; i += piece)
        pretty_put(&x, text + i, n - i < piece ? n - i : piece, on_text, o);
    pretty_put(&x, NULL, 0, on_text, o);
    return o->text;
}

static void pretty_puts_each_value_on_a_line(void **state)
{
    static const char json[] = "[{\"a\": [],\"b\": {\"c\": \"[x, \\\"y\\\": {\\\\\"}},1.5, null]";
    static const char lines[] = "[\n    {\n        \"a\": [],\n        \"b\": {\n            \"c\": "
                                "\"[x, \\\"y\\\": {\\\\\"\n        }\n    },\n    1.5,\n    null\n]";
    struct out o;

    (void)state;
    for (size_t piece = 1; piece < sizeof json; piece++)
        assert_string_equal(pretty(&o, json, piece), lines);
    assert_string_equal(pretty(&o, "{}", 1), "{}");
    assert_string_equal(pretty(&o, "", 1), "");
}

static void pretty_leaves_what_is_no_json(void **state)
{
    struct out o;

    (void)state;
    assert_string_equal(pretty(&o, "steps, FLOPS %\n1,0.5\n", 3), "steps, FLOPS %\n1,0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_sort_keeps_the_order_of_equals),
        cmocka_unit_test(cpu_timeline_with_a_cut_last_record_has_the_others),
        cmocka_unit_test(cpu_timeline_of_nothing_is_no_data),
        cmocka_unit_test(scopes_end_with_the_ops_outside),
        cmocka_unit_test(gpu_steps_without_training_lose_the_backward_point),
        cmocka_unit_test(gpu_steps_without_training_join_what_is_last),
        cmocka_unit_test(gpu_cluster_file_is_named_by_the_runs_notes),
        cmocka_unit_test(gpu_steps_that_cannot_be_read_are_no_file),
        cmocka_unit_test(gpu_timeline_of_old_versions_is_plain),
        cmocka_unit_test(gpu_kernel_without_facts_is_kept),
        cmocka_unit_test(gpu_shapes_are_written_when_they_change),
        cmocka_unit_test(cluster_sums_past_the_last_step),
        cmocka_unit_test(cluster_sums_short_of_the_last_step),
        cmocka_unit_test(pynative_steps_begin_with_get_next),
        cmocka_unit_test(pynative_is_known_without_start_time),
        cmocka_unit_test(databases_and_folders_of_cann_are_no_jobs),
        cmocka_unit_test(repr_is_the_shortest_text),
        cmocka_unit_test(pretty_puts_each_value_on_a_line),
        cmocka_unit_test(pretty_leaves_what_is_no_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
