/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Analysis of graph mode: what damage, missing files and odd records cost (the figures themselves:
 * tests/golden/analyse.py).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "emit/report.h"
#include "tests/unit/mindspore/analyse_case.h"
#include "tests/unit/parsers/mindspore/pb_case.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

#define HWTS_FILE "JOB1/hwts.log.data.45.dev.profiler_default_tag.0.slice_0"
#define TASK_FILE "JOB1/Framework.host.vm.task_desc_info.0.slice_0"
#define DEVICE    "PROF_000001_20230418100000123_ABCDEFGHIJKLMNOP/device_0/data/"
#define HWTS_HEAD                                                                                            \
    "====================45 HWTS data====================\n"                                                 \
    "Type           cnt  Core_ID  Block_ID  Task_ID  Cycle_counter   Stream_ID\n"
#define TIMES_HEAD                                                                                           \
    "====================op compute time====================\n"                                              \
    "op_name       compute_time(ms) stream_id\n"                                                             \
    "------------  ---------------  ---------\n"

static void put(const struct mindspore_case *k, const char *name, const void *p, size_t n)
{
    char rel[256];

    snprintf(rel, sizeof rel, "profiler/%s", name);
    tree_file_n(&k->tree, rel, p, n);
}

static void run(struct mindspore_case *k, const char *version)
{
    assert_int_equal(mindspore_case_run(k, version, MINDSPORE_GRAPH), OK);
}

static void is_text(struct mindspore_case *k, const char *name, const char *want)
{
    const char *got = mindspore_case_text(k, name);

    assert_non_null(got);
    assert_string_equal(got, want);
}

/* ---- what the device ran ---- */

static void hwts_text_has_every_whole_record(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct mindspore_case k;

    (void)state;
    hwts_make(p);
    p[9 * HWTS_B] = 6 | 10 << 4; /* of no type; its number follows */
    mindspore_case_new(&k);
    put(&k, HWTS_FILE, p, sizeof p);
    run(&k, "r1.3");
    is_text(&k, "output_format_data_hwts_0.txt",
            HWTS_HEAD "Start of task  1    3        7         30001    1000            9\n"
                      "End of task    2    3        7         30001    1250            9\n"
                      "Start of block 3    3        7         4_7      1300            4\n"
                      "Start of task  4    3        7         4_7      1300            4\n"
                      "End of task    5    3        7         4_7      1301            4\n"
                      "Block PMU      6    3        7         4_7      1302            4\n"
                      "Start of task  7    3        7         60000    1400            5\n"
                      "End of task    8    3        7         60000    1500            5\n"
                      "Block PMU      9    3        7         4_7      None            4\n"
                      "\n");
    assert_int_equal(mindspore_case_outcome(&k, "output_op_compute_time_0.txt"), EMIT_NO_DATA);
    assert_int_equal(mindspore_case_outcome(&k, "framework_raw_0.csv"), EMIT_NO_DATA);
    assert_int_equal(mindspore_case_notes(&k), 1);
    put(&k, HWTS_FILE, p, HWTS_B + 20);
    run(&k, "r1.3");
    is_text(&k, "output_format_data_hwts_0.txt",
            HWTS_HEAD "Start of task  1    3        7         30001    1000            9\n\n");
    assert_int_equal(mindspore_case_notes(&k), 1);
    put(&k, HWTS_FILE, p, 0);
    put(&k, TASK_FILE, TASKS, strlen(TASKS));
    run(&k, "r1.3");
    is_text(&k, "output_format_data_hwts_0.txt", HWTS_HEAD "\n");
    is_text(&k, "output_op_compute_time_0.txt", TIMES_HEAD "total op  0 0\n");
    assert_int_equal(mindspore_case_outcome(&k, "aicore_intermediate_0_type.csv"), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

static void op_times_come_from_neighbours_of_one_name(void **state)
{
    static const struct {
        unsigned head, task, stream;
        uint64_t ticks;
    } rows[] = {
        { 0, 7, 4, 1000 },    { 2, 7, 4, 1001 },    { 0, 99, 4, 1002 }, { 1, 7, 4, 1100 }, /* one */
        { 0, 7, 4, 2000 },    { 0, 8, 4, 2001 },    { 1, 7, 4, 2100 },  { 1, 8, 4, 2200 }, /* none */
        { 0, 30001, 3, 500 }, { 1, 30001, 3, 530 },                                        /* earlier */
        { 0, 7, 4, 3000 },    { 1, 7, 4, 3050 },    { 0, 8, 4, 4000 },                     /* cut */
    };
    unsigned char p[ARRAY_LEN(rows) * HWTS_B];
    struct mindspore_case k;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        hwts_put(p + i * HWTS_B, rows[i].head, rows[i].task, rows[i].stream, rows[i].ticks);
    mindspore_case_new(&k);
    put(&k, HWTS_FILE, p, sizeof p);
    mindspore_case_file(&k, TASK_FILE, TASKS);
    run(&k, "r1.3");
    is_text(&k, "output_op_compute_time_0.txt",
            TIMES_HEAD "Default/Mul-op2 0.00075  4\nDefault/Add-op1 0.0003  3\n"
                       "total op  0.00105 0\n");
    is_text(&k, "output_timeline_data_0.txt",
            "op_name, stream_id, start_time(ms), duration(ms)\n"
            "Default/Add-op1,3,0.005,0.0003\nDefault/Mul-op2,4,0.01,0.001\n"
            "Default/Mul-op2,4,0.03,0.0005\n");
    is_text(&k, "aicore_intermediate_0_type.csv",
            "op_type,execution_time,execution_frequency,percent\r\n,0.00105,2,100.00\r\n");
    mindspore_case_done(&k);
}

/* What cannot be written has its row, and the others are made. */
static void a_file_that_cannot_be_created_fails_alone(void **state)
{
    unsigned char p[2 * HWTS_B];
    struct mindspore_case k;

    (void)state;
    hwts_put(p, 0, 7, 4, 1000);
    hwts_put(p + HWTS_B, 1, 7, 4, 1100);
    mindspore_case_new(&k);
    put(&k, HWTS_FILE, p, sizeof p);
    mindspore_case_file(&k, TASK_FILE, TASKS);
    tree_dir(&k.tree, "out/output_format_data_hwts_0.txt");
    run(&k, "r1.3");
    assert_int_equal(mindspore_case_outcome(&k, "output_format_data_hwts_0.txt"), EMIT_FAILED);
    is_text(&k, "output_op_compute_time_0.txt", TIMES_HEAD "Default/Mul-op2 0.001  4\ntotal op  0.001 0\n");
    mindspore_case_done(&k);
}

/* Task numbers of r2.0 begin anew, for all streams at once; a jump from 65 000 or below is none. */
static void op_times_follow_numbers_that_begin_anew(void **state)
{
    unsigned char p[6 * HWTS_B], tasks[2 * FW_B];
    struct mindspore_case k;

    (void)state;
    hwts_put(p, 0, 65000, 4, 10);
    hwts_put(p + HWTS_B, 0, 7, 4, 20);
    hwts_put(p + 2 * HWTS_B, 0, 65001, 4, 30);
    hwts_put(p + 3 * HWTS_B, 0, 3, 4, 40);
    hwts_put(p + 4 * HWTS_B, 1, 3, 4, 50);
    hwts_put(p + 5 * HWTS_B, 0, 9, 5, 60);
    fw_task_put(tasks, false, "Default/Mul-op1", 0, "Mul", 0, 4, 3);
    fw_task_put(tasks + FW_B, false, "Default/Add-op2", 0, "Add", 0, 4, 65539);
    mindspore_case_new(&k);
    put(&k, DEVICE "hwts.data.0.slice_0", p, sizeof p);
    put(&k, DEVICE "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks);
    run(&k, "r2.0");
    is_text(&k, "output_format_data_hwts_0.txt",
            HWTS_HEAD "Start of task  0    3        7         4_65000  10              4\n"
                      "Start of task  0    3        7         4_7      20              4\n"
                      "Start of task  0    3        7         4_65001  30              4\n"
                      "Start of task  0    3        7         4_65539  40              4\n"
                      "End of task    0    3        7         4_65539  50              4\n"
                      "Start of task  0    3        7         5_65545  60              5\n\n");
    is_text(&k, "output_op_compute_time_0.txt", TIMES_HEAD "Default/Add-op2 0.0001  4\ntotal op  0.0001 0\n");
    mindspore_case_done(&k);
}

/* ---- Framework ---- */

#define GE "JOB1/Framework.host.graph_desc_info.0.slice_0"

static void framework_takes_ops_tasks_and_what_is_left(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, TASK_FILE, TASKS "Default/Left-op9 1 12 5\nDefault/Add-op1 4 13 6\n");
    mindspore_case_file(&k, "JOB1/Framework.host.vm.graph_desc_info.0.slice_0",
                        "op_name:Default/a/Add-op1 op_type:\"Add\" output_id:0 output_shape:\"\" "
                        "output_format:F\"1 output_data_type:28 input_id:1 input_format:ND "
                        "input_data_type:99 input_shape:\"1,2\"\n"
                        "op_name:Default/Add-op1 op_type:Add\nop_name:Mul op_type:Mul\ncut");
    run(&k, "r1.0");
    is_text(&k, "framework_raw_0.csv",
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\r\n"
            ",,,Default/a/Add-op1,Add-op1,\"\"\"Add\"\"\",Default,\"{\"\"output_0\"\": "
            "{\"\"format\"\": \"\"F\\\"\"1\"\", \"\"data_type\"\": \"\"NUMBER_TYPE_INT\"\", "
            "\"\"shape\"\": \"\"\"\"}, \"\"input_1\"\": {\"\"format\"\": \"\"ND\"\", "
            "\"\"data_type\"\": \"\"UNKNOWN\"\", \"\"shape\"\": \"\"1,2\"\"}}\"\r\n"
            "13,6,4,Default/Add-op1,Add-op1,Add,Default,{}\r\n,,,Mul,Mul,Mul,,{}\r\n"
            "7,4,1,Default/Mul-op2,,,,\r\n8,4,2,Default/Sub-op3,,,,\r\n"
            "12,5,1,Default/Left-op9,,,,\r\n");
    assert_int_equal(mindspore_case_notes(&k), 1);
    mindspore_case_done(&k);
}

/* Bytes that are no text stand in a shape as in every other text of a document: it stays one. */
static void framework_shape_of_any_bytes_is_json(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, TASK_FILE, TASKS);
    mindspore_case_file(&k, "JOB1/Framework.host.vm.graph_desc_info.0.slice_0",
                        "op_name:Default/Add-op1 op_type:Add output_id:0 output_format:ND "
                        "output_data_type:28 output_shape:\"1,\xff\xc2\x9b\xe2\x80\xae\"\n");
    run(&k, "r1.0");
    is_text(&k, "framework_raw_0.csv",
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\r\n"
            "30001,3,8,Default/Add-op1,Add-op1,Add,Default,\"{\"\"output_0\"\": "
            "{\"\"format\"\": \"\"ND\"\", \"\"data_type\"\": \"\"NUMBER_TYPE_INT\"\", "
            "\"\"shape\"\": \"\"1,\\udcff\\u009b\\u202e\"\"}}\"\r\n"
            "7,4,1,Default/Mul-op2,,,,\r\n8,4,2,Default/Sub-op3,,,,\r\n");
    mindspore_case_done(&k);
}

static void framework_of_the_ge_back_end_has_words_for_numbers(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, GE,
                        "op_name:Default/a/Add-op1Default/b/Mul-op2 op_type:Fused input_id:0 "
                        "input_format:29 input_data_type:1 input_shape:\"2\" input_id:1 input_format:77 "
                        "input_data_type:5 input_shape:\"\"\n");
    run(&k, "r1.3");
    is_text(&k, "framework_raw_0.csv",
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\r\n"
            ",,,Default/a/Add-op1Default/b/Mul-op2,Add-op1+Mul-op2,Fused,Default,"
            "\"{\"\"input_0\"\": {\"\"format\"\": \"\"FORMAT_FRACTAL_NZ\"\", \"\"data_type\"\": "
            "\"\"DT_FLOAT16\"\", \"\"shape\"\": \"\"2\"\"}, \"\"input_1\"\": {\"\"format\"\": "
            "\"\"UNKNOWN\"\", \"\"data_type\"\": \"\"UNKNOWN\"\", \"\"shape\"\": \"\"\"\"}}\"\r\n");
    mindspore_case_done(&k);
}

/* From r1.6 on slices are taken by their names as text. */
static void framework_slices_are_in_the_order_of_their_names(void **state)
{
    char name[120];
    unsigned char p[FW_B];
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put(&k, DEVICE "hwts.data.0.slice_0", p, 0);
    for (uint32_t i = 0; i < 11; i++) {
        fw_task_put(p, false, "A", 0, "T", 0, 4, i);
        snprintf(name, sizeof name, DEVICE "Framework.task_desc_info.0.slice_%u", i);
        put(&k, name, p, sizeof p);
    }
    run(&k, "r2.0");
    is_text(&k, "framework_raw_0.csv",
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,graph_id\r\n"
            "0,4,8,A,A,T,,{},1\r\n1,4,8,A,A,T,,{},1\r\n10,4,8,A,A,T,,{},1\r\n"
            "2,4,8,A,A,T,,{},1\r\n3,4,8,A,A,T,,{},1\r\n4,4,8,A,A,T,,{},1\r\n"
            "5,4,8,A,A,T,,{},1\r\n6,4,8,A,A,T,,{},1\r\n7,4,8,A,A,T,,{},1\r\n"
            "8,4,8,A,A,T,,{},1\r\n9,4,8,A,A,T,,{},1\r\n");
    mindspore_case_done(&k);
}

/* What a job in a container left lies beside the job's folder, with its name. */
static void framework_of_a_container_belongs_to_its_job(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, "JOB1/Framework.host.vm.point.0.slice_0", "1 Default/Add-op1\n");
    mindspore_case_file(&k, "container/0/data/Framework.host.vm.task_desc_info.0.JOB1.slice_0",
                        "Default/Add-op1 8 3 4\n");
    mindspore_case_file(&k, "container/0/data/Framework.host.vm.task_desc_info.0.JOB2.slice_0",
                        "Default/Mul-op2 8 3 4\n");
    mindspore_case_file(&k, "JOB1/Framework.host.vm.graph_desc_info.0.slice_0",
                        "op_name:Default/Add-op1 op_type:Add\n");
    run(&k, "r1.0");
    is_text(&k, "framework_raw_0.csv",
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info\r\n"
            "3,4,8,Default/Add-op1,Add-op1,Add,Default,{}\r\n");
    mindspore_case_done(&k);
}

/* ---- AI CPU ---- */

#define NODE(name, start, end) "[1] Node:" name ", Run start:" start ", Run end:" end "\n\0"
#define THREAD                 "Thread[ 1] a, b=1,c=2, d=3,e=4, dispatchTime=100 us, totalTime=1567 us.\n\0"

static void aicpu_columns_follow_the_version(void **state)
{
    static const char text[] = NODE("Init Data", "10 1000", "2500 250055") THREAD NODE("Lost", "1", "2")
        NODE("GetNext", "3000 300001", "3001 300101") THREAD;
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put(&k, "JOB1/DATA_PREPROCESS.dev.AICPU.0.slice_0", text, sizeof text - 1);
    run(&k, "r0.6");
    is_text(&k, "output_data_preprocess_aicpu_0.txt",
            "serial_number node_type_name total_time(ms) dispatch_time(ms) run_start run_end\n"
            "1 Init Data 1.567 0.1 10 2500\n2 GetNext 1.567 0.1 3000 3001\n"
            "AI CPU Total Time(ms): 3.134000\n");
    is_text(&k, "aicpu_intermediate_0.csv",
            "serial_number,op_type,total_time,dispatch_time,run_start,run_end\r\n"
            "2,GetNext,1.567,0.1,3000,3001\r\n");
    assert_int_equal(mindspore_case_notes(&k), 1);
    run(&k, "r1.3");
    is_text(&k, "aicpu_intermediate_0.csv",
            "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\r\n"
            "1,Init,Data,1.567,0.1,2.49,10.0,2500.55\r\n"
            "2,GetNext,1.567,0.1,0.001,3000.01,3001.01\r\n");
    mindspore_case_done(&k);
}

static void aicpu_task_without_an_op_ends_the_table_of_r16_alone(void **state)
{
    unsigned char p[AICPU_B];
    struct mindspore_case k;

    (void)state;
    aicpu_put(p, 5, 3, 1000);
    mindspore_case_new(&k);
    put(&k, "JOB1/DATA_PREPROCESS.AICPU.0.slice_0", p, sizeof p);
    run(&k, "r1.6");
    assert_int_equal(mindspore_case_outcome(&k, "aicpu_intermediate_0.csv"), EMIT_NO_DATA);
    run(&k, "r2.0");
    is_text(&k, "aicpu_intermediate_0.csv",
            "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\r\n"
            "1,5_3,0.9,0.087,0.009,10.0,19.0\r\n");
    mindspore_case_done(&k);
}

static void queue_fields_stand_in_two_orders(void **state)
{
    static const char text[] =
        "Node:A, queue size:3, Run start:012, Run end:20\0Node:B, Run start:1, Run end:x, queue "
        "size:0\0Node:C, Run start:1\0\0Node:cut, queue size:3, Run start:1, Run end:2";
    unsigned char p[HWTS_B];
    struct mindspore_case k;

    (void)state;
    hwts_put(p, 0, 1, 1, 1);
    mindspore_case_new(&k);
    put(&k, HWTS_FILE, p, sizeof p);
    put(&k, "JOB1/DATA_PREPROCESS.AICPUMI.0.slice_0", text, sizeof text - 1);
    run(&k, "r2.0");
    is_text(&k, "minddata_aicpu_0.txt", "A 12 20 3\nB 1 x 0\nC 0 0 0\n");
    assert_int_equal(mindspore_case_notes(&k), 1);
    mindspore_case_done(&k);
}

/* ---- steps ---- */

#define TRACE_FILE "JOB1/training_trace.46.dev.profiler_default_tag.0.slice_0"
#define STEPS      "step_trace_raw_0_detail_time.csv"
#define HEAD       "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail"

struct mark {
    unsigned tag, stream;
    uint64_t ticks;
};

static void put_trace(const struct mindspore_case *k, const char *name, const struct mark *m, size_t n)
{
    unsigned char p[64 * TRACE_B];

    for (size_t i = 0; i < n; i++)
        trace_put(p + i * TRACE_B, m[i].tag, m[i].stream, 1, m[i].ticks);
    put(k, name, p, n * TRACE_B);
}

/*
 * Numbers count incomplete steps too; marks at communication ops come in pairs; columns are those of the
 * first row.
 */
static void steps_of_training_trace_wait_for_the_job(void **state)
{
    static const struct mark marks[] = {
        { 0, 1, 5 },  { 1, 1, 10 }, { 3, 9, 20 },   { 4, 9, 25 }, { 2, 1, 30 },    { 255, 1, 40 },
        { 1, 1, 41 },                               /* behind the end */
        { 0, 1, 45 }, { 1, 1, 50 }, { 255, 1, 60 }, /* no backward end */
        { 0, 1, 65 }, { 1, 1, 70 }, { 5, 8, 71 },   { 6, 8, 72 }, { 2, 1, 75 },    { 255, 1, 81 },
        { 0, 1, 85 }, { 1, 1, 90 }, { 3, 9, 91 },   { 2, 1, 92 }, { 255, 1, 100 },
    };
    static const char header[] =
        HEAD ",stream_9_0_parallel,stream_9_0_parallel_start_point,stream_9_0_parallel_end_point\r\n"
             "1,10,40,30,10,30,0,20,10,5,20,25\r\n3,60,81,21,70,75,10,5,6,0,0,0\r\n";
    char want[600];
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put_trace(&k, TRACE_FILE, marks, ARRAY_LEN(marks));
    run(&k, "r0.6");
    snprintf(want, sizeof want, "%s%s", header,
             "4,81,100,19,90,92,9,2,8,0,0,0\r\n-,70,90,20,80,84,10,4,7,0,0,0\r\n");
    is_text(&k, STEPS, want);
    is_text(&k, "step_trace_point_info.json", "{\"fp_start\": \"\", \"bp_end\": \"\"}");
    put_trace(&k, TRACE_FILE, marks, 6);
    run(&k, "r0.6");
    snprintf(want, sizeof want, "%.*s%s", (int)(strstr(header, "3,60") - header), header,
             "0,0,0,0,0,0,0,0,0,0,0,0\r\n");
    is_text(&k, STEPS, want);
    put_trace(&k, TRACE_FILE, marks, 5);
    run(&k, "r0.6");
    assert_int_equal(mindspore_case_outcome(&k, STEPS), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

static void steps_are_given_up_when_marks_of_the_job_differ(void **state)
{
    static const struct mark marks[] = {
        { 0, 1, 5 }, { 1, 1, 10 }, { 2, 1, 30 }, { 255, 1, 40 }, { 300, 1, 45 }
    };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put_trace(&k, TRACE_FILE, marks, ARRAY_LEN(marks));
    run(&k, "r1.0");
    assert_int_equal(mindspore_case_outcome(&k, STEPS), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* Up to r1.0 every run is taken for training. */
static void steps_of_inference_are_known_from_r11_on(void **state)
{
    static const struct mark marks[] = { { 0, 1, 5 }, { 1, 1, 10 }, { 2, 1, 30 }, { 255, 1, 40 } };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put_trace(&k, TRACE_FILE, marks, ARRAY_LEN(marks));
    run(&k, "r1.0");
    is_text(&k, STEPS, HEAD "\r\n1,10,40,30,10,30,0,20,10\r\n0,0,0,0,0,0,0,0,0\r\n");
    run(&k, "r1.1");
    is_text(&k, STEPS,
            "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\r\n"
            "1,10,40,30,10,0,30\r\n0,0,0,0,0,0,0\r\n");
    mindspore_case_done(&k);
}

/* Without a backward pass: r1.3, a slice begins in the middle of the third step. */
static void steps_of_inference_have_no_backward_columns(void **state)
{
    static const struct mark marks[] = { { 1, 1, 10 }, { 2, 1, 30 },   { 255, 1, 40 }, { 1, 1, 50 },
                                         { 2, 1, 55 }, { 255, 1, 61 }, { 1, 1, 70 },   { 2, 1, 80 } };
    static const struct mark more[] = { { 255, 1, 90 } };
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    put_trace(&k, TRACE_FILE, marks, ARRAY_LEN(marks));
    put_trace(&k, "JOB1/training_trace.46.dev.profiler_default_tag.0.slice_1", more, 1);
    run(&k, "r1.3");
    is_text(&k, STEPS,
            "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\r\n"
            "1,10,40,30,10,0,30\r\n2,40,61,21,50,10,11\r\n3,70,90,20,70,0,20\r\n"
            "-,55,76,20,60,5,16\r\n");
    is_text(&k, "step_trace_point_info_0.json", "{\"fp_start\": \"\"}");
    mindspore_case_done(&k);
}

/*
 * Columns that a later step brings are added (r1.8 on); the mean has those of all rows. A mark of an unknown
 * task ends it all.
 */
static void steps_of_ts_track_name_ops_by_their_tasks(void **state)
{
    static const char *const ops[] = { "Default/P-op1", "Gradients/A-op2", "Default/P-op3", "Default/R-op4",
                                       "Default/P-op5" };
    unsigned char tasks[ARRAY_LEN(ops) * FW_B], p[9 * TS_B];
    struct mindspore_case k;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(ops); i++)
        fw_task_put(tasks + i * FW_B, false, ops[i], 0, "T", 0, 4, i);
    ts_put(p, 2, 4, 0, 10);
    ts_put(p + TS_B, 3, 4, 2, 20);
    ts_put(p + 2 * TS_B, 4, 4, 4, 30);
    ts_put(p + 3 * TS_B, 2, 4, 0, 40);
    ts_put(p + 4 * TS_B, 10000, 4, 2, 45);
    ts_put(p + 5 * TS_B, 10001, 4, 4, 48);
    ts_put(p + 6 * TS_B, 3, 4, 2, 50);
    ts_put(p + 7 * TS_B, 4, 4, 4, 61);
    ts_put(p + 8 * TS_B, 4, 4, 77, 70);
    mindspore_case_new(&k);
    put(&k, DEVICE "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks);
    put(&k, DEVICE "ts_track.data.0.slice_0", p, 8 * TS_B);
    run(&k, "r2.0");
    is_text(&k, STEPS,
            HEAD ",stream_4_0_Default/R-op4,stream_4_0_Default/R-op4_start_point,"
                 "stream_4_0_Default/R-op4_end_point\r\n"
                 "1,10,30,20,10,20,0,10,10\r\n2,30,61,31,40,50,10,10,11,3,45,48\r\n"
                 "-,20,46,26,25,35,5,10,10\r\n");
    is_text(&k, "step_trace_point_info_0.json",
            "{\"fp_start\": \"Gradients/A-op2\", \"bp_end\": \"Gradients/A-op2\"}");
    put(&k, DEVICE "ts_track.data.0.slice_0", p, sizeof p);
    mindspore_case_run(&k, "r2.0", MINDSPORE_GRAPH);
    assert_int_equal(mindspore_case_outcome(&k, STEPS), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* A graph with the nodes A-op2 and B-op3, and a tensor. */
static void put_memory(const struct mindspore_case *k)
{
    struct pb_text file = { .n = 0 }, g = { .n = 0 }, t = { .n = 0 };

    pb_put_number(&g, 1, 1);
    for (unsigned i = 0; i < 2; i++) {
        struct pb_text node = { .n = 0 };
        pb_put_text(&node, 1, i ? "B-op3" : "A-op2");
        pb_put_number(&node, 2, 7 + i);
        pb_put_message(&g, 3, &node);
    }
    pb_put_number(&t, 1, 1);
    pb_put_number(&t, 2, 1024);
    pb_put_text(&t, 6, "LifeLongGraphAll");
    pb_put_message(&g, 4, &t);
    pb_put_message(&file, 1, &g);
    put(k, "memory_usage_0.pb", file.p, file.n);
}

/* The mark after the last op is one of the backward end only where there are ops of gradients. */
static void memory_of_inference_has_no_backward_end(void **state)
{
    for (unsigned training = 0; training < 2; training++) {
        const char *const ops[] = { "Default/P-op1", training ? "Gradients/A-op2" : "Default/A-op2",
                                    "Default/P-op3", training ? "Gradients/B-op3" : "Default/B-op3",
                                    "Default/P-op5" };
        unsigned char tasks[ARRAY_LEN(ops) * FW_B], p[3 * TS_B];
        struct mindspore_case k;

        (void)state;
        for (uint32_t i = 0; i < ARRAY_LEN(ops); i++)
            fw_task_put(tasks + i * FW_B, false, ops[i], 0, "T", 0, 4, i);
        ts_put(p, 2, 4, 0, 10);
        ts_put(p + TS_B, 3, 4, 4, 20);
        ts_put(p + 2 * TS_B, 4, 4, 4, 30);
        mindspore_case_new(&k);
        put_memory(&k);
        put(&k, DEVICE "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks);
        put(&k, DEVICE "ts_track.data.0.slice_0", p, sizeof p);
        run(&k, "r2.0");
        is_text(&k, "step_trace_point_info_0.json",
                training ? "{\"fp_start\": \"Gradients/A-op2\", \"bp_end\": \"Gradients/B-op3\"}"
                         : "{\"fp_start\": \"Default/A-op2\"}");
        const char *text = mindspore_case_text(&k, "memory_usage_details_0.json");
        assert_non_null(text);
        assert_non_null(
            strstr(text, training ? "\"fp_start\": 7, \"bp_end\": 8" : "\"fp_start\": 7, \"bp_end\": null"));
        mindspore_case_done(&k);
    }
}

/* ---- FLOPs ---- */

static void flops_need_a_frequency_counters_and_a_time(void **state)
{
    unsigned char tasks[FW_B], hwts[2 * HWTS_B], p[2 * AICORE_B];
    struct mindspore_case k;

    (void)state;
    fw_task_put(tasks, false, "Default/a/Mul-op1", 0, "Mul", 0, 4, 3);
    hwts_put(hwts, 0, 3, 4, 1000);
    hwts_put(hwts + HWTS_B, 1, 3, 4, 1100);
    aicore_put(p, 4, 3, 1000);
    aicore_put(p + AICORE_B, 4, 8, 1);
    mindspore_case_new(&k);
    put(&k, DEVICE "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks);
    put(&k, DEVICE "hwts.data.0.slice_0", hwts, sizeof hwts);
    put(&k, DEVICE "aicore.data.0.slice_0", p, sizeof p);
    run(&k, "r2.0");
    assert_int_equal(mindspore_case_outcome(&k, "flops_0.txt"), EMIT_NO_DATA);
    mindspore_case_file(&k, DEVICE "../info.json.0",
                        "{\"DeviceInfo\": [{\"ai_core_num\": 32, \"aic_frequency\": \"1000\"}]}");
    run(&k, "r2.0");
    is_text(&k, "flops_0.txt",
            "op_full_name, MFLOPs(10^6), GFLOPS(10^9), FLOPS utilization(%) \n"
            "Default/a/Mul-op1, 42.495999999999995, 42495.99999999999, 16.210937499999996\n");
    is_text(&k, "flops_summary_0.json",
            "{\"FLOPs\": 42.496, \"FLOPS\": 42496.0, \"FLOPS_Utilization\": 0.0}");
    is_text(&k, "flops_scope_0.json",
            "{\"data\": {\"nodes\": [{\"name\": \"Total\"}, {\"name\": \"Default\"}, {\"name\": "
            "\"a(1_Default)\"}], \"links\": [{\"source\": \"Total\", \"target\": \"Default\", "
            "\"value\": 42.496}, {\"source\": \"Default\", \"target\": \"a(1_Default)\", "
            "\"value\": 42.496}]}, \"max_scope_num\": 2}");
    is_text(&k, "flops_utilization_step_0.json", "steps, FLOPS_Utilization %\n");
    run(&k, "r1.0");
    assert_int_equal(mindspore_case_outcome(&k, "flops_0.txt"), N_OUTCOMES);
    mindspore_case_done(&k);
}

/* A file that is damaged all over does not fill the report: its first notes, and how many more there were. */
static void report_keeps_the_first_notes_of_a_file(void **state)
{
    static const struct source_file a, b;
    struct err e = ERR_INIT;
    struct emit_report *r;
    size_t n;

    (void)state;
    assert_int_equal(emit_report_new(&r, &e), OK);
    for (size_t i = 0; i < LIM_NOTES_PER_FILE + 7; i++)
        emit_report_note(r, &(struct emit_note){ .file = &a, .offset = i, .text = "cut" });
    emit_report_note(r, &(struct emit_note){ .file = &b, .text = "cut" });
    const struct emit_note *x = emit_report_notes(r, &n);
    assert_int_equal(n, LIM_NOTES_PER_FILE + 1);
    assert_int_equal(x[n - 2].offset, LIM_NOTES_PER_FILE - 1);
    assert_int_equal(x[n - 2].more, 7);
    assert_true(x[n - 1].file == &b && x[n - 1].more == 0);
    emit_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_keeps_the_first_notes_of_a_file),
        cmocka_unit_test(hwts_text_has_every_whole_record),
        cmocka_unit_test(op_times_come_from_neighbours_of_one_name),
        cmocka_unit_test(a_file_that_cannot_be_created_fails_alone),
        cmocka_unit_test(op_times_follow_numbers_that_begin_anew),
        cmocka_unit_test(framework_takes_ops_tasks_and_what_is_left),
        cmocka_unit_test(framework_shape_of_any_bytes_is_json),
        cmocka_unit_test(framework_of_the_ge_back_end_has_words_for_numbers),
        cmocka_unit_test(framework_slices_are_in_the_order_of_their_names),
        cmocka_unit_test(framework_of_a_container_belongs_to_its_job),
        cmocka_unit_test(aicpu_columns_follow_the_version),
        cmocka_unit_test(aicpu_task_without_an_op_ends_the_table_of_r16_alone),
        cmocka_unit_test(queue_fields_stand_in_two_orders),
        cmocka_unit_test(steps_of_training_trace_wait_for_the_job),
        cmocka_unit_test(steps_are_given_up_when_marks_of_the_job_differ),
        cmocka_unit_test(steps_of_inference_are_known_from_r11_on),
        cmocka_unit_test(steps_of_inference_have_no_backward_columns),
        cmocka_unit_test(steps_of_ts_track_name_ops_by_their_tasks),
        cmocka_unit_test(memory_of_inference_has_no_backward_end),
        cmocka_unit_test(flops_need_a_frequency_counters_and_a_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
