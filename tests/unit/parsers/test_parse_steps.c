/* SPDX-License-Identifier: Apache-2.0 */
/* Step files of all generations. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define G1                                                                                                   \
    "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,"              \
    "stream_10_parallel_0_start_point,stream_10_parallel_0_end_point,"                                       \
    "stream_10_parallel_0,stream_11_2_Default/AllReduce-op7,stream_11_2_Default/"                            \
    "AllReduce-op7_start_point,stream_11_2_Default/AllReduce-op7_end_point\r\n"                              \
    "1,45000030081,45004033128,4003047,45000030081,45001733025,0,1702944,2300103,45000042679,"               \
    "45000060275,17596,0,0,0\r\n"                                                                            \
    "3,45004033128,45017085658,13052530,45013070937,45014785314,9037809,1714377,2300344,0,0,0,10,"           \
    "45013085379,45013085389\r\n"                                                                            \
    "-,1,2,3,4,5,6,7,8,9,10,11,12,13,14\r\n"

static void mindspore_steps_are_ticks_and_the_average_is_no_step(void **state)
{
    (void)state;
    case_expect("g1_step_trace", parse_step_trace_raw, G1,
                "step|rank=0|step=1|start_ns=450000300810|end_ns=450040331280|fp_ns=450000300810|bp_ns="
                "450017330250|total_ns=40030470|interval_ns=0|fp_bp_ns=17029440|tail_ns=23001030|complete="
                "1|line=2\n"
                "step_part|rank=0|step=1|kind=reduce|stream=10|name_id=parallel_0|start_ns=450000426790|"
                "end_ns=450000602750|dur_ns=175960|line=2\n"
                "step|rank=0|step=3|start_ns=450040331280|end_ns=450170856580|fp_ns=450130709370|bp_ns="
                "450147853140|total_ns=130525300|interval_ns=90378090|fp_bp_ns=17143770|tail_ns=23003440|"
                "complete=1|line=3\n"
                "step_part|rank=0|step=3|kind=reduce|stream=11|name_id=Default/"
                "AllReduce-op7|start_ns=450130853790|end_ns=450130853890|dur_ns=100|line=3\n"
                "doc|key=step_trace.average|value={\"start_point\":\"1\",\"end_point\":\"2\",\"total\":"
                "\"3\",\"fp_point\":\"4\",\"bp_point\":\"5\",\"iteration_interval\":\"6\",\"fp_and_bp\":"
                "\"7\",\"tail\":\"8\","
                "\"stream_10_parallel_0_start_point\":\"9\",\"stream_10_parallel_0_end_point\":\"10\","
                "\"stream_10_parallel_0\":\"11\",\"stream_11_2_Default/AllReduce-op7\":\"12\","
                "\"stream_11_2_Default/AllReduce-op7_start_point\":\"13\",\"stream_11_2_Default/"
                "AllReduce-op7_end_point\":\"14\"}\n");
}

static void mindspore_steps_of_inference_have_no_backward_point(void **state)
{
    (void)state;
    case_expect("g1_step_trace", parse_step_trace_raw,
                "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\n1,100,400,300,150,50,"
                "250\n0,0,0,0,0,0,0\n",
                "step|rank=0|step=1|start_ns=1000|end_ns=4000|fp_ns=1500|total_ns=3000|interval_ns=500|fp_"
                "bp_ns=2500|complete=1|line=2\n"
                "doc|key=step_trace.average|value={\"step_num\":\"0\",\"start_point\":\"0\",\"end_point\":"
                "\"0\",\"total\":\"0\",\"fp_point\":\"0\",\"iteration_interval\":\"0\",\"fp\":\"0\"}\n");
}

static void mindspore_steps_take_columns_named_by_the_reduce_op_alone(void **state)
{
    struct rows r;
    (void)state;
    const char *text = "step_num,start_point,end_point,hcom_allReduce__1_start_point,hcom_"
                       "allReduce__1,hcom_allReduce__1_end_point,odd\n1,100,400,150,20,170,x\n";
    assert_int_equal(case_parse(&r, "g1_step_trace", parse_step_trace_raw, text, strlen(text), GEN_1B), OK);
    case_need(&r, "step_part|rank=0|step=1|kind=reduce|name_id=hcom_allReduce__1|start_ns=1500|end_"
                  "ns=1700|dur_ns=200|line=2");
    case_need(&r, "note|UNKNOWN_COLUMN|line=1|count=1|odd");
    rows_done(&r);
}

static void mindspore_steps_of_gpu_have_ops_for_a_stream(void **state)
{
    struct rows r;
    (void)state;
    const char *text =
        "step_num,start_point,end_point,stream_ops_0_AllReduce-op5,stream_ops_0_AllReduce-op5_"
        "start_point,stream_ops_0_AllReduce-op5_end_point\n"
        "1,165000000000000000,165000000000143480,16065,165000000000123142,165000000000139207\n";
    assert_int_equal(case_parse(&r, "g1_step_trace", parse_step_trace_raw, text, strlen(text), GEN_1), OK);
    case_need(&r, "step_part|rank=0|step=1|kind=reduce|name_id=AllReduce-op5|start_ns="
                  "1650000000001231420|end_ns=1650000000001392070|dur_ns=160650|line=2");
    rows_done(&r);
}

#define MSPROF                                                                                               \
    "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to "             \
    "BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID,Reduce Start(us),Reduce "                 \
    "Duration(us),Reduce Start(us),Reduce Duration(us)\n"                                                    \
    "5,1,1718095028133500.000\t,1718095028137000.000\t,1718095028137959.640\t,4469.640,3500.000,"            \
    "959.640,N/A,1,1718095028136000.000\t,18446744073709551.615,1718095028136500.000\t,100.5\n"              \
    "5,2,0.000\t,0.000\t,1718095028142529.540\t,4539.900,0.000,0.000,0.000,4294967295,N/A,N/A\n"

static void step_trace_pairs_are_by_position(void **state)
{
    (void)state;
    case_expect("step_trace", parse_step_trace, MSPROF,
                "note|BAD_VALUE|line=2|count=1|column Reduce Duration(us): '18446744073709551.615'\n"
                "step|rank=0|step=1|model_id=1|start_ns=1718095028133490000|end_ns=1718095028137959640|fp_"
                "ns=1718095028133500000|bp_ns=1718095028137000000|total_ns=4469640|interval_ns=10000|fp_bp_"
                "ns=3500000|tail_ns=959640|refresh_ns=959640|complete=1|line=2\n"
                "step_part|rank=0|step=1|kind=reduce|start_ns=1718095028136000000|line=2\n"
                "step_part|rank=0|step=1|kind=reduce|start_ns=1718095028136500000|end_ns="
                "1718095028136600500|dur_ns=100500|line=2\n"
                "step|rank=0|step=2|start_ns=1718095028137989640|end_ns=1718095028142529540|total_ns="
                "4539900|refresh_ns=0|data_aug_ns=0|complete=1|line=3\n"
                "note|ROW_LENGTH|line=3|count=1|rows of another width than the header\n");
}

static void step_trace_of_old_exports_is_in_ns(void **state)
{
    (void)state;
    case_expect("step_trace", parse_step_trace,
                "Iteration ID,FP Start(ns),BP End(ns),Iteration End(ns),Iteration Time(ns),FP to BP "
                "Time(ns),Iteration Refresh(ns),Data Aug Bound(ns),Model ID,Reduce Start(ns),Reduce "
                "Duration(ns)\n"
                "1,1000,2000,3000,2500,1000,1000,5,7,1500,100\n",
                "step|rank=0|step=1|model_id=7|start_ns=500|end_ns=3000|fp_ns=1000|bp_ns=2000|total_ns="
                "2500|interval_ns=500|fp_bp_ns=1000|tail_ns=1000|refresh_ns=1000|data_aug_ns=5|complete=1|"
                "line=2\n"
                "step_part|rank=0|step=1|kind=reduce|start_ns=1500|end_ns=1600|dur_ns=100|line=2\n");
}

static void step_trace_device_decides_the_rank(void **state)
{
    struct run_rank ranks[] = { { .rank = 0, .device = 4 }, { .rank = 9, .device = 5 } };
    struct err e = ERR_INIT;
    struct rows r;
    (void)state;
    const char *text = MSPROF;
    rows_init(&r, "step_trace", scratch_write(text, strlen(text)));
    r.run.ranks = ranks;
    r.run.n_ranks = 2;
    assert_int_equal(rows_parse(&r, parse_step_trace, &e), OK);
    case_need(&r, "step|rank=9|step=2");
    case_need(&r, "step_part|rank=9|step=1|kind=reduce|start_ns=1718095028136000000|line=2");
    rows_done(&r);
}

#define CLUSTER                                                                                              \
    "Step,Type,Index,Computing,Communication(Not "                                                           \
    "Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and "               \
    "Exclude Receive),Preparing,DP Index\n"                                                                  \
    ",rank,3,80309.68717187493,683731.2897031249,5524.5,689255.8,990605.1,1754645.75,0.0,683731."            \
    "2,1,0\n"                                                                                                \
    "2,stage,\"(0, 1)\",2,3,4,5,6,7,8,9,10,NA\n"

static void cluster_steps_have_ranks_and_stages(void **state)
{
    (void)state;
    case_expect("cluster_step_trace_time", parse_cluster_steps, CLUSTER,
                "step|rank=3|computing_ns=80309687|communication_ns=689255800|comm_not_overlapped_ns="
                "683731290|overlapped_ns=5524500|free_ns=990605100|stage_ns=1754645750|bubble_ns=0|comm_no_"
                "receive_ns=683731200|preparing_ns=1000|line=2|extra={\"DP Index\":\"0\"}\n"
                "doc|key=cluster_step_trace_time.step 2.stage (0, "
                "1)|value={\"Step\":\"2\",\"Type\":\"stage\",\"Index\":\"(0, "
                "1)\",\"Computing\":\"2\",\"Communication(Not "
                "Overlapped)\":\"3\",\"Overlapped\":\"4\",\"Communication\":\"5\",\"Free\":\"6\",\"Stage\":"
                "\"7\",\"Bubble\":\"8\",\"Communication(Not Overlapped and Exclude "
                "Receive)\":\"9\",\"Preparing\":\"10\"}\n");
}

#define SPLIT "computation_time,communication_alone_time\n10.0,1.5\n2.0,0.5\n4.0,1.0\n3.0,0.75\n"

static void cluster_analyse_of_data_parallel_is_what_the_step_trace_has(void **state)
{
    struct rows r;
    static const char text[] = "iteration_interval,fp_and_bp,tail\n1.5,20.25,3\n";

    (void)state;
    assert_int_equal(case_parse(&r, "g1_cluster_analyse", parse_cluster_analyse, text, strlen(text), GEN_1),
                     OK);
    case_need(&r, "step_part|rank=0|step=1|kind=interval|dur_ns=1500000");
    case_need(&r, "step_part|rank=0|step=1|kind=fwd_bwd|dur_ns=20250000");
    case_need(&r, "step_part|rank=0|step=1|kind=tail|dur_ns=3000000");
    rows_done(&r);
}

static void cluster_analyse_mean_row_is_recognised_by_its_value(void **state)
{
    (void)state;
    case_expect("g1_cluster_analyse", parse_cluster_analyse, SPLIT,
                "step_part|rank=0|step=1|kind=computing|dur_ns=10000000|line=2\nstep_part|rank=0|"
                "step=1|kind=comm_not_overlapped|dur_ns=1500000|line=2\n"
                "step_part|rank=0|step=2|kind=computing|dur_ns=2000000|line=3\nstep_part|rank=0|"
                "step=2|kind=comm_not_overlapped|dur_ns=500000|line=3\n"
                "step_part|rank=0|step=3|kind=computing|dur_ns=4000000|line=4\nstep_part|rank=0|"
                "step=3|kind=comm_not_overlapped|dur_ns=1000000|line=4\n"
                "doc|key=cluster_analyse.average|value={\"computing_ns\":3000000,\"comm_not_"
                "overlapped_ns\":750000}\n");
    /* cut inside the third step: what is whole is steps */
    struct rows r;
    const char *cut = "computation_time,communication_alone_time\n10.0,1.5\n2.0,0.5\n4.0,1.0\n3.";
    assert_int_equal(case_parse(&r, "g1_cluster_analyse", parse_cluster_analyse, cut, strlen(cut), GEN_1),
                     OK);
    case_need(&r, "step_part|rank=0|step=3|kind=computing|dur_ns=4000000|line=4");
    assert_false(case_has(&r, "doc"));
    rows_done(&r);
    /* cut behind the mean but for the line end: its values tell */
    cut = "computation_time,communication_alone_time\n10.0,1.5\n2.0,0.5\n4.0,1.0\n3.0,0.75";
    assert_int_equal(case_parse(&r, "g1_cluster_analyse", parse_cluster_analyse, cut, strlen(cut), GEN_1),
                     OK);
    case_need(&r, "doc|key=cluster_analyse.average");
    rows_done(&r);
}

static void steps_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("g1_step_trace", parse_step_trace_raw, G1);
    case_damage("step_trace", parse_step_trace, MSPROF);
    case_damage("cluster_step_trace_time", parse_cluster_steps, CLUSTER);
    case_damage("g1_cluster_analyse", parse_cluster_analyse, SPLIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mindspore_steps_are_ticks_and_the_average_is_no_step),
        cmocka_unit_test(mindspore_steps_of_inference_have_no_backward_point),
        cmocka_unit_test(mindspore_steps_take_columns_named_by_the_reduce_op_alone),
        cmocka_unit_test(mindspore_steps_of_gpu_have_ops_for_a_stream),
        cmocka_unit_test(step_trace_pairs_are_by_position),
        cmocka_unit_test(step_trace_of_old_exports_is_in_ns),
        cmocka_unit_test(step_trace_device_decides_the_rank),
        cmocka_unit_test(cluster_steps_have_ranks_and_stages),
        cmocka_unit_test(cluster_analyse_of_data_parallel_is_what_the_step_trace_has),
        cmocka_unit_test(cluster_analyse_mean_row_is_recognised_by_its_value),
        cmocka_unit_test(steps_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
