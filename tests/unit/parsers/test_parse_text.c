/* SPDX-License-Identifier: Apache-2.0 */
/* The plain-text kinds of generation 1: rows, layouts of all versions, damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define TIMELINE_DATA                                                                                        \
    "op_name, stream_id, start_time(ms), duration(ms)\n"                                                     \
    "Default/AssignAdd-op414,519,438068.41592,0.00266\n"                                                     \
    "Default/a, b,519,438068.41869,0.0012020000000000002\n"                                                  \
    "Default/c,7,438068.5,5e-05\n"

/* doc/formats/mindspore1.md#output_format_data_hwts */
#define HWTS_TEXT                                                                                            \
    "title:45 HWTS data\n"                                                                                   \
    "Type           cnt  Core_ID  Block_ID  Task_ID  Cycle_counter   Stream_ID\n"                            \
    "Start of task  1    3        7         30001    1000            9\n"                                    \
    "Start of task  2    3        7         4_7      1100            4\n"                                    \
    "End of task    3    3        7         30001    1250            9\n"                                    \
    "End of task    4    3        7         4_7      1301            4\n"                                    \
    "End of task    5    3        7         5        1400            4\n"                                    \
    "Start of task  6    3        7         30001    1500            9\n"

static void text_tasks_are_bars_with_their_numbers(void **state)
{
    struct rows r;

    (void)state;
    case_expect("g1_hwts_text", parse_hwts_text, HWTS_TEXT,
                "track|id=1|kind=stream|pid=device|tid=9|process=Ascend Hardware|sort=9|stream=9\n"
                "event|track=1|ts=10000|dur=2500|name=task 30001|off=5\n"
                "track|id=2|kind=stream|pid=device|tid=4|process=Ascend Hardware|sort=4|stream=4\n"
                "event|track=2|ts=11000|dur=2010|name=task 4_7|off=6\n");
    const char *t = "Block PMU      9    3        7         4_7      None            4\n"
                    "Start of task  1    3        7         1        x               4\n"
                    "Start of block 3    3        7         4_7      1300            4\n";
    case_parse(&r, "g1_hwts_text", parse_hwts_text, t, strlen(t), GEN_1);
    assert_int_equal(r.rows, 0);
    assert_int_equal(r.lost, 1);
    rows_done(&r);
}

static void text_executions_give_ops_and_bars(void **state)
{
    (void)state;
    case_expect("g1_timeline_data", parse_timeline_data, TIMELINE_DATA,
                "op|id=1|name_id=Default/AssignAdd-op414\n"
                "op_exec|op_id=1|rank=0|stream=519|ts_ns=438068415920|dur_ns=2660|line=2\n"
                "track|id=1|kind=stream|pid=device|tid=519|process=Ascend Hardware|sort=519|stream=519\n"
                "event|track=1|ts=438068415920|dur=2660|name=Default/AssignAdd-op414|off=2\n"
                "op|id=2|name_id=Default/a, b\n"
                "op_exec|op_id=2|rank=0|stream=519|ts_ns=438068418690|dur_ns=1202|line=3\n"
                "event|track=1|ts=438068418690|dur=1202|name=Default/a, b|off=3\n"
                "op|id=3|name_id=Default/c\n"
                "op_exec|op_id=3|rank=0|stream=7|ts_ns=438068500000|dur_ns=50|line=4\n"
                "track|id=2|kind=stream|pid=device|tid=7|process=Ascend Hardware|sort=7|stream=7\n"
                "event|track=2|ts=438068500000|dur=50|name=Default/c|off=4\n");
}

static void text_starts_in_us_are_recognised_by_their_size(void **state)
{
    struct rows r;

    (void)state;
    const char *t = "op_name, stream_id, start_time(us), duration(ms)\r\n"
                    "a,1,1695115378723902.512,0.5\r\n"
                    "a,1,1695115378723.902512,0.5\r\n";
    case_parse(&r, "g1_timeline_data", parse_timeline_data, t, strlen(t), GEN_1B);
    case_need(&r, "op_exec|op_id=1|rank=0|stream=1|ts_ns=1695115378723902512|dur_ns=500000");
    case_need(&r, "op_exec|op_id=2|rank=0|stream=1|ts_ns=1695115378723902512|dur_ns=500000");
    rows_done(&r);
}

static void text_bad_lines_are_left_out_with_a_note(void **state)
{
    struct rows r;

    (void)state;
    const char *t = "op_name, stream_id, start_time(ms), duration(ms)\n"
                    "no numbers here\n"
                    "a,1,2,-3\n"
                    "a,1,1e999,3\n"
                    "a,1,2,3";
    case_parse(&r, "g1_timeline_data", parse_timeline_data, t, strlen(t), GEN_1);
    assert_int_equal(r.rows, 1);
    assert_int_equal(r.lost, 3);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_BAD_ROW], 3);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
    rows_done(&r);
}

#define COMPUTE_TIME                                                                                         \
    "====================op compute time====================\n"                                              \
    "op_name       compute_time(ms) stream_id\n"                                                             \
    "------------  ---------------  ---------\n"                                                             \
    "Default/AssignAdd-op414 0.001688  519\n"                                                                \
    "total op  126.43631757142849 0\n"

static void text_mean_times_have_two_layouts(void **state)
{
    (void)state;
    case_expect("g1_op_compute_time", parse_op_compute_time, COMPUTE_TIME,
                "op|id=1|name_id=Default/AssignAdd-op414|stream=519\n"
                "op_stat|by=op|name_id=Default/AssignAdd-op414|rank=0|avg_ns=1688|per=run|line=4\n");
    case_expect("g1_op_compute_time", parse_op_compute_time,
                "====================op compute time====================\n"
                "op_name compute_time(ms) stream_id execution_times\n"
                "------------  ---------------  ---------\n"
                "a 0.5 3 4\n"
                "total op  0.5 0\n"
                "====================op compute time====================\n"
                "a 0.5 3 4\n",
                "op|id=1|name_id=a|stream=3\n"
                "op_stat|by=op|name_id=a|rank=0|calls=4|total_ns=2000000|avg_ns=500000|per=run|line=4\n"
                "note|DUPLICATE|line=6|count=1|the table stands there again; the first was kept\n");
}

static void text_report_has_types_and_ops(void **state)
{
    (void)state;
    case_expect("g1_op_time_report", parse_op_time_report,
                "====================op compute time====================\n"
                "optype_name                          compute_time(ms, per-step)    "
                "called_times(per-step)    percent\n"
                "---------------------------------  ----------------------------  "
                "------------------------  ---------\n"
                "UnsortedSegmentSum                                    44.6078                     "
                "      2      35.28\n"
                "\n"
                "Detail:\n"
                "op_name                                  op_type                              "
                "avg_execution_time  subgraph\n"
                "---------------------------------------  ---------------------------------  "
                "--------------------  ----------\n"
                "UnsortedSegmentSum-op199                 UnsortedSegmentSum                       "
                "   37.2522      Gradients\n",
                "op_stat|by=type|name_id=UnsortedSegmentSum|type_id=UnsortedSegmentSum|rank=0|"
                "calls=2|total_ns=44607800|share=0.3528|per=step|line=4\n"
                "op_stat|by=op|name_id=UnsortedSegmentSum-op199|type_id=UnsortedSegmentSum|rank=0|"
                "avg_ns=37252200|per=run|line=9\n");
    case_expect("g1_op_time_report", parse_op_time_report,
                "====================op compute time====================\n"
                "optype_name compute_time(ms, per-step) called_times(per-step) percent\n"
                "GetNext 0.009172 1 5.5\n"
                "\n"
                "Detail:\n"
                "op_name op_type avg_execution_time subgraph full_op_name\n"
                "GetNext-op1 GetNext 0.009172 Default Default/GetNext-op1\n",
                "op_stat|by=type|name_id=GetNext|type_id=GetNext|rank=0|calls=1|total_ns=9172|"
                "share=0.055|per=step|line=3\n"
                "op_stat|by=op|name_id=Default/"
                "GetNext-op1|type_id=GetNext|rank=0|avg_ns=9172|per=run|line=7\n");
}

static void text_min_cycle_is_a_setting(void **state)
{
    (void)state;
    case_expect("g1_min_cycle", parse_min_cycle, "43806841592.0",
                "setting|key=min_cycle_counter|value=43806841592.0|rank=0\n");
    case_expect("g1_min_cycle", parse_min_cycle, "43806841592",
                "note|TORN_RECORD|line=1|count=1|not a whole number\n");
    case_expect("g1_min_cycle", parse_min_cycle, "43806841592.",
                "note|TORN_RECORD|line=1|count=1|not a whole number\n");
}

/*
 * Writers of flops_N.txt end with and without a line end (registry: open_end), those of other kinds always
 * with one.
 */
static void text_launches_are_counted_by_shape(void **state)
{
    static const char text[] = "Conv2D;Conv2D-op1;1;input_0:32,1;input_1:2;\n"
                               "GetNext;GetNext-op0;\n"
                               "Conv2D;Conv2D-op1;2;input_0:32,1;input_1:2;\n"
                               "Conv2D;Conv2D-op1;input_0:8;\n";

    (void)state;
    case_expect(
        "gpu_framework", parse_gpu_shapes, text,
        "op_stat|by=shape|name_id=Conv2D-op1|type_id=Conv2D|core=GPU|rank=0|calls=2|per=run|line=1|"
        "in_shapes_id=input_0:32,1;input_1:2\n"
        "op_stat|by=shape|name_id=GetNext-op0|type_id=GetNext|core=GPU|rank=0|calls=1|per=run|line=2\n"
        "op_stat|by=shape|name_id=Conv2D-op1|type_id=Conv2D|core=GPU|rank=0|calls=1|per=run|line=4|"
        "in_shapes_id=input_0:8\n");
    case_expect("cpu_framework", parse_cpu_shapes, "A;A-op1;0;input_0:;\nA\n;x;\nA;b;c;\nB;",
                "note|BAD_ROW|line=2|count=1|not type;name;input_<i>:<shape>;...\n"
                "note|BAD_ROW|line=3|count=1|not type;name;input_<i>:<shape>;...\n"
                "note|BAD_ROW|line=4|count=1|not type;name;input_<i>:<shape>;...\n"
                "note|TORN_RECORD|line=5|count=1|not type;name;input_<i>:<shape>;...\n"
                "op_stat|by=shape|name_id=A-op1|type_id=A|core=CPU|rank=0|calls=1|per=run|line=1|"
                "in_shapes_id=input_0:\n");
}

static void text_last_line_without_an_end(void **state)
{
    const char *head = "op_full_name, MFLOPs(10^6), GFLOPS(10^9), FLOPS utilization(%) \na, 1, ";
    static const struct {
        const char *end, *note;
    } cases[] = {
        { "2, 50\n", NULL },
        { "2, 50", "note|NO_LINE_END|line=2|count=1|the last line has no line end; kept" },
        { "2, 5x", "note|TORN_FILE|line=2|count=1|the last line has no line end; kept, but its "
                   "last value may be cut" },
        { "2", "note|TORN_RECORD|line=2|count=1|fewer cells than the header" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rows r;
        char text[200];
        snprintf(text, sizeof text, "%s%s", head, cases[i].end);
        case_parse(&r, "g1_flops", parse_flops, text, strlen(text), GEN_1);
        assert_int_equal(r.rows, i < 3);
        if (cases[i].note)
            case_need(&r, cases[i].note);
        else
            assert_int_equal(sink_count_get(r.count)->note_calls, 0);
        rows_done(&r);
    }
    const char *t = "op_name, stream_id, start_time(ms), duration(ms)\na,1,2,3";
    struct rows r;
    case_parse(&r, "g1_timeline_data", parse_timeline_data, t, strlen(t), GEN_1);
    case_need(&r, "note|TORN_FILE|line=2|count=1|the last line has no line end; kept, but its "
                  "last value may be cut");
    rows_done(&r);
}

#define FLOPS_ONE                                                                                            \
    "op_full_name, MFLOPs(10^6), GFLOPS(10^9), FLOPS utilization(%) \n"                                      \
    "Default/TransData-op7, 72.5, 18234.5, 6.5\n"                                                            \
    "b, 1, 2, N/A\n"

static void text_flops_have_three_headers(void **state)
{
    (void)state;
    case_expect("g1_flops", parse_flops, FLOPS_ONE,
                "op|id=1|name_id=Default/TransData-op7\n"
                "op_flops|op_id=1|rank=0|cube_flops=72500000|flops_per_s=18234500000000|"
                "utilisation=0.065|line=2\n"
                "op|id=2|name_id=b\n"
                "op_flops|op_id=2|rank=0|cube_flops=1000000|flops_per_s=2000000000|line=3\n");
    case_expect("g1_flops", parse_flops,
                "full_kernel_name, MFLOPs(10^6 cube), GFLOPS(10^9 cube), FLOPS utilization(cube), "
                "MFLOPs(10^6 vector), GFLOPS(10^9 vector), FLOPS utilization(vec)\n"
                "a, 1, 2, 50, 4, 5, 25\n",
                "op|id=1|name_id=a\n"
                "op_flops|op_id=1|rank=0|cube_flops=1000000|vector_flops=4000000|flops_per_s=2000000000|"
                "utilisation=0.5|vector_flops_per_s=5000000000|vector_utilisation=0.25|line=2\n");
    case_expect("g1_flops", parse_flops,
                "op_full_name, MFLOPs(10^6 cube), GFLOPS(10^9 cube), MFLOPs(10^6 vector), "
                "GFLOPS(10^9 vector)\n"
                "a, 1, 2, 4, x\n",
                "note|BAD_VALUE|line=2|count=1|a value that cannot be read is missing\n"
                "op|id=1|name_id=a\n"
                "op_flops|op_id=1|rank=0|cube_flops=1000000|vector_flops=4000000|flops_per_s="
                "2000000000|line=2\n");
    struct rows r;
    assert_int_equal(case_parse(&r, "g1_flops", parse_flops, "nothing\n", 8, GEN_1), ERR_FORMAT);
    rows_done(&r);
}

static void text_step_utilisation_may_be_parted(void **state)
{
    (void)state;
    case_expect("g1_flops_step", parse_flops_step, "steps, FLOPS_Utilization %\n1,1.5\n2,2.5\n",
                "flops_total|rank=0|step=1|utilisation=0.015|kind=all\n"
                "flops_total|rank=0|step=2|utilisation=0.025|kind=all\n");
    case_expect("g1_flops_step", parse_flops_step,
                "steps, cube_FLOPS_Utilization, vec_FLOPS_Utilization%\n1,1.5,2.5\n",
                "flops_total|rank=0|step=1|utilisation=0.015|kind=cube\n"
                "flops_total|rank=0|step=1|utilisation=0.025|kind=vector\n");
}

#define BATCHES "0 0 1 3 5007\n0 1 1 4 5007\n0 2 1 7 5007\n1 16 1 2 5007\n"

static void text_batches_and_queues(void **state)
{
    (void)state;
    case_expect("md_device_queue", parse_md_batches, BATCHES "1 64 2 0\n",
                "batch_time|rank=0|batch=1|kind=pipeline|dur_ns=3000000|at_ns=5007000000|line=1\n"
                "batch_time|rank=0|batch=1|kind=push|dur_ns=4000000|at_ns=5007000000|line=2\n"
                "batch_time|rank=0|batch=1|kind=total|dur_ns=7000000|at_ns=5007000000|line=3\n"
                "queue_sample|rank=0|queue=host|seq=1|at_ns=5007000000|size=2|capacity=16|line=4\n"
                "queue_sample|rank=0|queue=host|seq=2|size=0|capacity=64|line=5\n");
    struct rows r;
    const char *t = "2 0 1 3 5\n0 3 1 3 5\n0 0 1\n0 0 1 x 5\n0 0 1 2 5\n";
    case_parse(&r, "md_device_queue", parse_md_batches, t, strlen(t), GEN_1);
    assert_int_equal(r.rows, 1);
    assert_int_equal(r.lost, 4);
    rows_done(&r);
}

static void text_getnext_is_ns_on_gpu_and_us_on_ascend(void **state)
{
    (void)state;
    case_expect("md_getnext", parse_md_getnext, "GetNext 1650000000000000000 1650000000000005000 3\n",
                "queue_sample|rank=0|queue=GetNext|seq=1|ts_ns=1650000000000000000|size=3|line=1\n"
                "batch_time|rank=0|batch=1|kind=getnext|dur_ns=5000|ts_ns=1650000000000000000|line=1\n");
    case_expect("md_aicpu", parse_md_aicpu,
                "node_name             start_time    end_time    queue_size\n"
                "--------------------  ------------  ----------  ------------\n"
                "GetNext_dequeue_wait  450010000     450010009.5  3\n",
                "queue_sample|rank=0|queue=GetNext_dequeue_wait|seq=1|ts_ns=450010000000|size=3|line=3\n"
                "batch_time|rank=0|batch=1|kind=getnext|dur_ns=9500|ts_ns=450010000000|line=3\n");
}

#define HOST_OPS                                                                                             \
    "Default/a;HostCpuOps;1718150460000150504,0.0040283,0 1718150460000550681,0.0123118,0 \n"                \
    "Default/b;HostCpuOps;1718150460000200018,0.00555199 \n"

static void text_host_ops_stand_many_to_a_line(void **state)
{
    (void)state;
    case_expect("cpu_op_timestamp", parse_cpu_timestamps, HOST_OPS,
                "host_op|name_id=Default/a|rank=0|thread=0|ts_ns=1718150460000150504|dur_ns=4028|line=1\n"
                "track|id=1|kind=host_thread|pid=host|tid=HostCpuOps0|process=CPU OP|sort=0\n"
                "event|track=1|ts=1718150460000150504|dur=4028|name=Default/a|off=1\n"
                "host_op|name_id=Default/a|rank=0|thread=0|ts_ns=1718150460000550681|dur_ns=12312|line=1\n"
                "event|track=1|ts=1718150460000550681|dur=12312|name=Default/a|off=1\n"
                "host_op|name_id=Default/b|rank=0|ts_ns=1718150460000200018|dur_ns=5552|line=2\n"
                "event|track=1|ts=1718150460000200018|dur=5552|name=Default/b|off=2\n");
    case_expect("gpu_op_timestamp", parse_gpu_timestamps,
                "Default/a;GpuOps;1650000000000667401,270.921 1650000000002255643,224.401 \n",
                "op|id=1|name_id=Default/a|core=GPU\n"
                "op_exec|op_id=1|rank=0|ts_ns=1650000000000667401|dur_ns=270921|line=1\n"
                "track|id=1|kind=stream|pid=gpu|tid=GpuOps0|process=GPU Op|sort=0|stream=0\n"
                "event|track=1|ts=1650000000000667401|dur=270921|name=Default/a|off=1\n"
                "op|id=2|name_id=Default/a|core=GPU\n"
                "op_exec|op_id=2|rank=0|ts_ns=1650000000002255643|dur_ns=224401|line=1\n"
                "event|track=1|ts=1650000000002255643|dur=224401|name=Default/a|off=1\n");
}

static void text_host_clock_is_noted_once(void **state)
{
    struct rows r;

    (void)state;
    const char *t = "a;HostCpuOps;55000000150504,0.5,0 55000000550681,0.5,0 \n";
    case_parse(&r, "cpu_op_timestamp", parse_cpu_timestamps, t, strlen(t), GEN_1);
    assert_int_equal(r.rows, 2);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_NO_CLOCK], 1);
    rows_done(&r);
}

/*
 * Where the clocks of the start are known the stamps are moved: to the device's zero in generation 1, to 1970
 * later; stamps since 1970 stay.
 */
static void text_host_ops_are_moved_to_the_clock_of_the_device(void **state)
{
    static const struct {
        enum gen gen;
        const char *stamp, *expected;
    } cases[] = {
        { GEN_1, "9000000262345", "450010250000" }, /* 45001000000 ticks and 250 us after it */
        { GEN_1B, "9000000262345", "1681812000000250000" },
        { GEN_2, "9000000262345", "1681812000000250000" },
        { GEN_1, "1718150460000150504", "1718150460000150504" },
        { GEN_2, "1718150460000150504", "1718150460000150504" },
    };
    struct run_setting s[] = {
        { STR("prof.host_start.clock_realtime"), STR("1681812000000000000"), 0, 1 },
        { STR("prof.host_start.clock_monotonic_raw"), STR("9000000012345"), 0, 1 },
        { STR("prof.host_start.cntvct"), STR("77"), 0, 1 }, /* of the host: not this one */
        { STR("prof.dev_start.clock_monotonic_raw"), STR("5"), 0, 2 },
        { STR("prof.dev_start.cntvct"), STR("45001000000"), 0, 2 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_INIT;
        struct rows r;
        char text[200], want[200];
        snprintf(text, sizeof text, "a;HostCpuOps;%s,0.5,0 \n", cases[i].stamp);
        snprintf(want, sizeof want, "host_op|name_id=a|rank=0|thread=0|ts_ns=%s|dur_ns=500000|line=1",
                 cases[i].expected);
        rows_init(&r, "cpu_op_timestamp", scratch_write(text, strlen(text)));
        r.run.gen = cases[i].gen;
        r.run.settings = s;
        r.run.n_settings = ARRAY_LEN(s);
        assert_int_equal(rows_parse(&r, parse_cpu_timestamps, &e), OK);
        case_need(&r, want);
        assert_int_equal(sink_count_get(r.count)->note_calls, 0);
        rows_done(&r);
    }
}

/* One op with more executions than a line may be long. */
static void text_lines_of_host_ops_have_no_limit(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    buf_init(&b, (size_t)8 << 20);
    buf_puts(&b, "Default/a;HostCpuOps;");
    for (int i = 0; i < 100000; i++)
        buf_printf(&b, "%lld,0.5,0 ", 1718150461133461186 + (long long)i);
    buf_puts(&b, "\nb;HostCpuOps;1718150461133461186,1 \n");
    assert_true(b.n > (size_t)1500000);
    case_parse(&r, "cpu_op_timestamp", parse_cpu_timestamps, b.p, b.n, GEN_1);
    assert_int_equal(r.rows, 100001);
    assert_int_equal(r.lost, 0);
    assert_int_equal(sink_count_get(r.count)->note_calls, 0);
    rows_done(&r);
    buf_done(&b);
}

static void text_activities_are_bars(void **state)
{
    (void)state;
    case_expect("gpu_activity_timestamp", parse_gpu_activities,
                "void k<float, 4>(int; x);7;1650000000000002000;12.1306\n",
                "track|id=1|kind=stream|pid=activity|tid=7|process=Activity Op|sort=7|stream=7\n"
                "event|track=1|ts=1650000000000002000|dur=12131|name=void k<float, 4>(int; x)|off=1\n");
}

#define STEPS_ASYNC                                                                                          \
    "s,1000 f,1010 b,1090 e,1100 r,1020,1030\n"                                                              \
    "s,1100 f,1110 b,1190 e,1200 r,1120,1130\n"

static void text_gpu_steps_have_two_layouts(void **state)
{
    (void)state;
    case_expect("gpu_step_trace", parse_gpu_steps, STEPS_ASYNC,
                "step|rank=0|step=1|start_ns=1000|end_ns=1100|fp_ns=1010|bp_ns=1090|total_ns=100|interval_"
                "ns=10|fp_bp_ns=80|tail_ns=10|complete=1|line=1\n"
                "step_part|rank=0|step=1|kind=reduce|name_id=r|start_ns=1020|end_ns=1030|dur_ns=10|line=1\n"
                "step|rank=0|step=2|start_ns=1100|end_ns=1200|fp_ns=1110|bp_ns=1190|total_ns=100|interval_"
                "ns=10|fp_bp_ns=80|tail_ns=10|complete=1|line=2\n"
                "step_part|rank=0|step=2|kind=reduce|name_id=r|start_ns=1120|end_ns=1130|dur_ns=10|line="
                "2\n");
    case_expect("gpu_step_trace", parse_gpu_steps,
                "fp 10,11 20,21\nbp 15,16 25,26\nend 18,19 28,29\nred 12,13 22,23\n",
                "step_part|rank=0|step=1|kind=reduce|name_id=red|start_ns=120|end_ns=130|dur_ns=10|line=4\n"
                "step_part|rank=0|step=2|kind=reduce|name_id=red|start_ns=220|end_ns=230|dur_ns=10|line=4\n"
                "step|rank=0|step=1|start_ns=100|end_ns=190|fp_ns=100|bp_ns=160|total_ns=90|interval_ns=0|"
                "fp_bp_ns=60|tail_ns=30|complete=1\n"
                "step|rank=0|step=2|start_ns=180|end_ns=290|fp_ns=200|bp_ns=260|total_ns=110|interval_ns="
                "20|fp_bp_ns=60|tail_ns=30|complete=1\n");
}

static void text_start_times_are_settings(void **state)
{
    (void)state;
    case_expect("g1_start_time", parse_start_time,
                "host_monotonic_raw_time(ns): 77000000000000\ndevice_start_time(ns): 811999000\n",
                "setting|key=host_monotonic_raw_time(ns)|value=77000000000000|rank=0\n"
                "setting|key=device_start_time(ns)|value=811999000|rank=0\n");
}

static void text_line_ends_and_long_lines(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    case_expect("md_device_queue", parse_md_batches,
                "\xEF\xBB\xBF"
                "1 1 1 1 1\r\n1 1 2 1 1\r1 1 3 1 1\n\n\r\n1 1 4 1 1\n",
                "queue_sample|rank=0|queue=host|seq=1|at_ns=1000000|size=1|capacity=1|line=1\n"
                "queue_sample|rank=0|queue=host|seq=2|at_ns=1000000|size=1|capacity=1|line=2\n"
                "queue_sample|rank=0|queue=host|seq=3|at_ns=1000000|size=1|capacity=1|line=3\n"
                "queue_sample|rank=0|queue=host|seq=4|at_ns=1000000|size=1|capacity=1|line=6\n");
    buf_init(&b, (size_t)1 << 27);
    buf_puts(&b, "1 1 1 1 1\n");
    memset(buf_room(&b, LIM_LINE_B + 1), 'x', LIM_LINE_B + 1);
    b.n += LIM_LINE_B + 1;
    buf_puts(&b, "\n1 1 2 1 1\n");
    case_parse(&r, "md_device_queue", parse_md_batches, b.p, b.n, GEN_1);
    assert_int_equal(r.rows, 2);
    assert_int_equal(r.lost, 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LINE_TOO_LONG], 1);
    case_need(&r, "queue_sample|rank=0|queue=host|seq=2|at_ns=1000000|size=1|capacity=1|line=3");
    rows_done(&r);
    buf_done(&b);
}

/*
 * Cut at every length: all whole lines, at most one note; 2 000 flips: at most two lines (one joined) are
 * lost.
 */
static void check_damage(const char *kind, parse_fn *parse, const char *text, uint64_t per_line,
                         uint64_t header)
{
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    uint64_t seed = 88172645463325252u, all = 0;
    struct rows r;

    assert_non_null(copy);
    for (size_t cut = 0; cut <= n; cut++) {
        uint64_t lines = 0;
        for (size_t i = 0; i < cut; i++)
            lines += text[i] == '\n';
        int rc = case_parse(&r, kind, parse, text, cut, GEN_1);
        assert_true(rc == OK || (rc == ERR_FORMAT && lines == 0));
        uint64_t whole = lines > header ? (lines - header) * per_line : 0;
        if (r.rows < whole || r.rows > whole + per_line)
            fail_msg("%s cut at %zu: %" PRIu64 " rows, %" PRIu64 " in whole lines", kind, cut, r.rows, whole);
        assert_true(sink_count_get(r.count)->note_calls <= 1);
        bool at_line = cut == 0 || text[cut - 1] == '\n';
        if (!at_line && rc == OK && sink_count_get(r.count)->note_calls != 1)
            fail_msg("%s cut at %zu: no note", kind, cut);
        all = r.rows;
        rows_done(&r);
    }
    for (int k = 0; k < 2000; k++) {
        memcpy(copy, text, n + 1);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_parse(&r, kind, parse, copy, n, GEN_1);
        assert_true(rc == OK || rc == ERR_FORMAT);
        if (rc == OK && r.rows + 2 * per_line < all && sink_count_get(r.count)->note_calls == 0)
            fail_msg("%s: a flip at %zu left %" PRIu64 " of %" PRIu64 " rows without a note", kind, at,
                     r.rows, all);
        if (rc == OK && r.rows + 2 * per_line < all && r.rows > 0)
            assert_true(r.lost > 0);
        rows_done(&r);
    }
    free(copy);
}

static void text_damage_costs_a_line(void **state)
{
    (void)state;
    check_damage("g1_timeline_data", parse_timeline_data, TIMELINE_DATA, 1, 1);
    check_damage("g1_hwts_text", parse_hwts_text, HWTS_TEXT, 1, 2);
    check_damage("g1_flops", parse_flops, FLOPS_ONE, 1, 1);
    check_damage("g1_flops_step", parse_flops_step, "steps, FLOPS_Utilization %\n1,1.5\n2,2.5\n", 1, 1);
    check_damage("md_device_queue", parse_md_batches, BATCHES, 1, 0);
    check_damage("md_dataset_iterator", parse_md_batches, BATCHES, 1, 0);
    check_damage("md_getnext", parse_md_getnext, "GetNext 16500000 16500050 3\nGetNext 26500000 26500050 4\n",
                 2, 0);
    check_damage("gpu_step_trace", parse_gpu_steps, STEPS_ASYNC, 2, 0);
    check_damage("cpu_op_timestamp", parse_cpu_timestamps,
                 "a;HostCpuOps;1718150461133461186,0.5,0 \nb;HostCpuOps;1718150461133461187,0.5,0 \n", 1, 0);
    check_damage("gpu_activity_timestamp", parse_gpu_activities, "k;7;16500;12.1306\nk;7;16600;12.1306\n", 1,
                 0);
    check_damage("g1_start_time", parse_start_time,
                 "host_monotonic_raw_time(ns): 77\ngpu_start_time(ns): 811\n", 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_launches_are_counted_by_shape),
        cmocka_unit_test(text_executions_give_ops_and_bars),
        cmocka_unit_test(text_tasks_are_bars_with_their_numbers),
        cmocka_unit_test(text_starts_in_us_are_recognised_by_their_size),
        cmocka_unit_test(text_bad_lines_are_left_out_with_a_note),
        cmocka_unit_test(text_mean_times_have_two_layouts),
        cmocka_unit_test(text_report_has_types_and_ops),
        cmocka_unit_test(text_min_cycle_is_a_setting),
        cmocka_unit_test(text_last_line_without_an_end),
        cmocka_unit_test(text_flops_have_three_headers),
        cmocka_unit_test(text_step_utilisation_may_be_parted),
        cmocka_unit_test(text_batches_and_queues),
        cmocka_unit_test(text_getnext_is_ns_on_gpu_and_us_on_ascend),
        cmocka_unit_test(text_host_ops_stand_many_to_a_line),
        cmocka_unit_test(text_host_clock_is_noted_once),
        cmocka_unit_test(text_host_ops_are_moved_to_the_clock_of_the_device),
        cmocka_unit_test(text_lines_of_host_ops_have_no_limit),
        cmocka_unit_test(text_activities_are_bars),
        cmocka_unit_test(text_gpu_steps_have_two_layouts),
        cmocka_unit_test(text_start_times_are_settings),
        cmocka_unit_test(text_line_ends_and_long_lines),
        cmocka_unit_test(text_damage_costs_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
