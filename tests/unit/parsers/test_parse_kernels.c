/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_details, op_summary, task_time: columns under all their names, counters, identity, damage.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define KERNEL_DETAILS                                                                                       \
    "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start "                          \
    "Time(us),Duration(us),Wait Time(us),Block Dim,Mix Block Dim,"                                           \
    "HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data "                   \
    "Types,Output Formats,Context ID,aicore_time(us),"                                                       \
    "aic_total_cycles,aic_mac_ratio,cube_utilization(%)\r\n"                                                 \
    "50,4294967295,11051,2,TransData0,TransData,dynamic,AI_VECTOR_CORE,1736408883704643.212\t,53."           \
    "741,0,32,0,NO,\"\"\"32,3;64\"\"\",FLOAT;FLOAT,NCHW;ND,\"\"\"32\"\"\",FLOAT,ND,N/"                       \
    "A,1.5,2000,0.25,50.5\r\n"                                                                               \
    "50,7,N/A,N/A,hcom_allReduce__1,hcom_allReduce_,N/"                                                      \
    "A,COMMUNICATION,\"1736408883704700.000\t\",10.000,2.5,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/"             \
    "A,N/A,N/A,N/A,N/A\r\n"                                                                                  \
    "50,4294967295,11052,2,TransData0,TransData,dynamic,AI_VECTOR_CORE,1736408883704800.001\t,0."            \
    "001,0,32,0,NO,\"\"\"32,3;64\"\"\",FLOAT;FLOAT,NCHW;ND,\"\"\"32\"\"\",FLOAT,ND,N/"                       \
    "A,0.0,0,0.0,0\r\n"

static void kernels_details_give_ops_executions_and_counters(void **state)
{
    (void)state;
    case_expect("kernel_details", parse_kernels, KERNEL_DETAILS,
                "op|id=1|name_id=TransData0|type_id=TransData|in_shapes_id=32,3;64|in_types_id="
                "FLOAT;FLOAT|in_formats_id=NCHW;ND|out_shapes_id=32|"
                "out_types_id=FLOAT|out_formats_id=ND|core=AIV|state=dynamic|hf32=NO|block_num=32|"
                "mix_block_num=0\n"
                "op_exec|op_id=1|rank=0|step=50|stream=2|task=11051|ts_ns=1736408883704643212|dur_"
                "ns=53741|wait_ns=0|line=2\n"
                "op_counter|exec_id=1|aic_time_ns=1500|aic_total_cycles=2000|aic_mac_ratio=0.25|"
                "cube_utilization=0.505\n"
                "op|id=2|name_id=hcom_allReduce__1|type_id=hcom_allReduce_|model_id=7|core=HCCL|"
                "block_num=0\n"
                "op_exec|op_id=2|rank=0|step=50|ts_ns=1736408883704700000|dur_ns=10000|wait_ns="
                "2500|line=3\n"
                "op_exec|op_id=1|rank=0|step=50|stream=2|task=11052|ts_ns=1736408883704800001|dur_"
                "ns=1|wait_ns=0|line=4\n"
                "op_counter|exec_id=3|aic_time_ns=0|aic_total_cycles=0|aic_mac_ratio=0|cube_"
                "utilization=0\n");
}

static void kernels_summary_names_are_understood(void **state)
{
    (void)state;
    case_expect("op_summary", parse_kernels,
                "\xEF\xBB\xBF"
                "device_ID ,Model ID,Task ID,Stream ID,Op Name,OP Type,Task Type,Task Start Time(us),Task "
                "Duration(us),Task Wait Time(us),Block Num,Mix Block Num,Context "
                "ID,total_cycles,mac_ratio,main_mem_read_bw(GB/s),GM_to_L1_datas(KB),0x1a\n"
                "3,1,4,5,a/"
                "b,MatMul,MIX_AIC,1718110866133505.960\t,271.240,0.000000,1,24,4294967295,77,0.5,1.25,2,"
                "9\n",
                "op|id=1|name_id=a/b|type_id=MatMul|model_id=1|core=MIX|block_num=1|mix_block_num=24\n"
                "op_exec|op_id=1|rank=0|device=3|stream=5|task=4|ts_ns=1718110866133505960|dur_ns=271240|"
                "wait_ns=0|line=2\n"
                "op_counter|exec_id=1|aic_total_cycles=77|mac_ratio=0.5|main_mem_read_bw_gb_s=1.25|gm_to_"
                "l1_datas_b=2048|0x1a=9\n");
}

static void kernels_counted_operations_become_flops(void **state)
{
    struct rows r;
    (void)state;
    const char *text = "Name,Type,Accelerator Core,Start "
                       "Time(us),Duration(us),aic_cube_fops,aic_vector_fops,aiv_cube_fops,aiv_vector_fops\n"
                       "m,MatMul,MIX_AIV,1718110866133505.960,2.000,1000,10,0,137176320\n"
                       "h,hcom,HCCL,1718110866133507.960,2.000,N/A,N/A,N/A,N/A\n";
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, text, strlen(text), GEN_P), OK);
    case_need(&r, "op_flops|exec_id=1|rank=0|cube_flops=1000|vector_flops=137176330|line=2");
    assert_int_equal(sink_count_get(r.count)->rows[T_op_flops], 1);
    assert_int_equal(sink_count_get(r.count)->rows[T_op_counter], 1);
    rows_done(&r);
}

static void kernels_unknown_columns_are_kept(void **state)
{
    struct rows r;
    (void)state;
    const char *text = "Name,Type,Fancy \"new\",Model Name,Accelerator Core,Start "
                       "Time(us),Duration(us),Context ID,x_ratio\n"
                       "m,MatMul,a\\b,net,AI_CORE,1718110866133505.960,2.000,1,0.5\n";
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, text, strlen(text), GEN_P), OK);
    case_need(&r, "note|UNKNOWN_COLUMN|line=1|count=1|Fancy \"new\"");
    case_need(&r, "op_exec|op_id=1|rank=0|context=1|ts_ns=1718110866133505960|dur_ns=2000|line=2|"
                  "extra={\"Fancy \\x5c\"new\\x5c\"\":\"a\\x5c\\x5cb\",\"Model Name\":\"net\"}");
    case_need(&r, "op_counter|exec_id=1|x_ratio=0.5");
    rows_done(&r);
}

static void kernels_rounded_stamps_and_bad_values_are_noted(void **state)
{
    struct rows r;
    (void)state;
    const char *text = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"
                       "a,A,AI_CORE,1695115378710248,1,0\n"
                       "b,B,AI_CORE,1.69512E+15,2,x\n"
                       "c,C,AI_CORE,1695115378710248.5,3\n"
                       "d,D,AI_CORE,1695115378710248.5,3,0,surplus\n"
                       "e,E,AI_CORE,1695115378710248.5,3,0,,\n";
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, text, strlen(text), GEN_P), OK);
    assert_int_equal(r.rows, 5);
    case_need(&r, "op_exec|op_id=1|rank=0|ts_ns=1695115378710248000|dur_ns=1000|wait_ns=0|line=2");
    case_need(&r, "op_exec|op_id=2|rank=0|ts_ns=1695120000000000000|dur_ns=2000|line=3");
    case_need(&r, "op_exec|op_id=3|rank=0|ts_ns=1695115378710248500|dur_ns=3000|line=4");
    case_need(&r, "note|BAD_VALUE|line=3|count=1|column Wait Time(us): 'x'");
    case_need(&r, "note|ROW_LENGTH|line=4|count=2");
    case_need(&r, "note|ROUNDED|line=3|count=1");
    rows_done(&r);
}

static void kernels_level0_has_neither_types_nor_cores(void **state)
{
    struct rows r;
    (void)state;
    const char *text =
        "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\r\n"
        "50,trans_TransData_0,N/A,N/A,1736408883704643.212\t,53.741,0,0\r\n"
        "50,hcom_allReduce__445_0,N/A,N/A,1736408883704700.212\t,3.741,0,0\r\n";
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, text, strlen(text), GEN_P), OK);
    case_need(&r, "op|id=1|name_id=trans_TransData_0|block_num=0");
    case_need(&r, "op|id=2|name_id=hcom_allReduce__445_0|core=HCCL|block_num=0");
    rows_done(&r);
}

static void kernels_unended_last_line_loses_its_last_cell_only(void **state)
{
    struct rows r;
    (void)state;
    const char *text = "Name,Type,Accelerator Core,Start "
                       "Time(us),Duration(us)\na,A,AI_CORE,1718110866133505.960,2.0";
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, text, strlen(text), GEN_P), OK);
    case_need(&r, "note|TORN_FILE|line=2|count=1|the last line has no line end; kept without its last cell");
    case_need(&r, "op_exec|op_id=1|rank=0|ts_ns=1718110866133505960|line=2");
    rows_done(&r);
}

static void kernels_other_files_are_refused(void **state)
{
    struct rows r;
    (void)state;
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, "a,b\n1,2\n", 8, GEN_P), ERR_FORMAT);
    case_need(&r, "note|NO_HEADER|line=1|count=1|no known column");
    rows_done(&r);
    assert_int_equal(case_parse(&r, "kernel_details", parse_kernels, "", 0, GEN_P), OK);
    assert_int_equal(r.text.n, 0);
    rows_done(&r);
}

static void kernels_slices_have_their_own_header(void **state)
{
    struct rows r;
    struct err e = ERR_INIT;
    char second[] = "/tmp/npuscope-slice-XXXXXX";
    const char *one = "Op Name,OP Type,Task Type,Task Start Time(us),Task "
                      "Duration(us),mac_ratio\na,A,AI_CORE,1718110866133505.960,2.000,0.5\n";
    const char *two = "Op Name,Task Duration(us),OP Type,Task Type,vec_ratio,Task Start "
                      "Time(us)\na,3.000,A,AI_CORE,0.25,1718110866133508.960\n";
    (void)state;
    int fd = mkstemp(second);
    assert_true(fd >= 0 && write(fd, two, strlen(two)) == (ssize_t)strlen(two) && close(fd) == 0);
    rows_init(&r, "op_summary", scratch_write(one, strlen(one)));
    struct source_file next = r.file;
    next.path = second;
    next.id = 2;
    r.file.next_slice = &next;
    assert_int_equal(rows_parse(&r, parse_kernels, &e), OK);
    assert_string_equal(buf_str(&r.text).p,
                        "op|id=1|name_id=a|type_id=A|core=AIC\n"
                        "op_exec|op_id=1|rank=0|ts_ns=1718110866133505960|dur_ns=2000|line=2\nop_"
                        "counter|exec_id=1|mac_ratio=0.5\n"
                        "op_exec|op_id=1|rank=0|ts_ns=1718110866133508960|dur_ns=3000|line=2\nop_"
                        "counter|exec_id=2|vec_ratio=0.25\n");
    rows_done(&r);
    unlink(second);
}

static void task_time_names_tasks_without_a_kernel_by_type(void **state)
{
    (void)state;
    case_expect("task_time", parse_task_time,
                "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),"
                "task_stop(us)\n"
                "0,N/A,AI_CPU,2,1,271.240,1718110866133505.960\t,1718110866133777.200\t\n",
                "op|id=1|name_id=AI_CPU|core=AICPU\n"
                "op_exec|op_id=1|rank=0|device=0|stream=2|task=1|ts_ns=1718110866133505960|dur_ns="
                "271240|line=2\n");
}

static void task_time_statistic_form_is_recognised_by_its_header(void **state)
{
    (void)state;
    case_expect("task_time", parse_task_time,
                "Time(%),Time(us),Count,Avg(us),Min(us),Max(us),Waiting(us),Running(us),Pending(us)"
                ",Type,API,Task ID,Op Name,Stream ID\n"
                "12.5,100.5,2,50.25,50,50.5,1,2,3,KERNEL,api,4,conv,5\n",
                "op_stat|by=task|name_id=conv|type_id=KERNEL|rank=0|calls=2|total_ns=100500|avg_ns="
                "50250|min_ns=50000|max_ns=50500|share=0.125|per=run|line=2|"
                "extra={\"Waiting(us)\":\"1\",\"Running(us)\":\"2\",\"Pending(us)\":\"3\",\"API\":"
                "\"api\",\"Task ID\":\"4\",\"Stream ID\":\"5\"}\n");
}

static void kernels_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("kernel_details", parse_kernels, KERNEL_DETAILS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_details_give_ops_executions_and_counters),
        cmocka_unit_test(kernels_summary_names_are_understood),
        cmocka_unit_test(kernels_counted_operations_become_flops),
        cmocka_unit_test(kernels_unknown_columns_are_kept),
        cmocka_unit_test(kernels_rounded_stamps_and_bad_values_are_noted),
        cmocka_unit_test(kernels_level0_has_neither_types_nor_cores),
        cmocka_unit_test(kernels_unended_last_line_loses_its_last_cell_only),
        cmocka_unit_test(kernels_other_files_are_refused),
        cmocka_unit_test(kernels_slices_have_their_own_header),
        cmocka_unit_test(task_time_names_tasks_without_a_kernel_by_type),
        cmocka_unit_test(task_time_statistic_form_is_recognised_by_its_header),
        cmocka_unit_test(kernels_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
