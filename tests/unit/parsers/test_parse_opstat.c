/* SPDX-License-Identifier: Apache-2.0 */
/* Per-op and per-type files of generation 1 and 1b, framework_raw. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

static void op_detail_knows_every_spelling_of_its_columns(void **state)
{
    static const char *const names[] = { "full_op_name", "full_kernel_name", "op_full_name",
                                         "full_kernel_time", "full_op_time" };
    static const char *const times[] = { "execution_time", "task_duration" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        for (size_t k = 0; k < ARRAY_LEN(times); k++) {
            char text[300];
            snprintf(text, sizeof text,
                     "%s,%s,execution_frequency,task_type\r\nDefault/"
                     "Cast-op1,0.00133,4,AI_CORE\r\nDefault/GetNext-op6,5e-05,,\r\n",
                     names[i], times[k]);
            case_expect("g1_op_detail", parse_op_detail, text,
                        "op_stat|by=op|name_id=Default/"
                        "Cast-op1|core=AIC|rank=0|calls=4|total_ns=5320|avg_ns=1330|per=run|line=2\n"
                        "op_stat|by=op|name_id=Default/GetNext-op6|rank=0|avg_ns=50|per=run|line=3\n");
        }
    }
}

static void op_type_percent_and_share_are_recognised_by_their_sum(void **state)
{
    (void)state;
    case_expect("g1_op_type", parse_op_type,
                "kernel_type,total_time,execution_frequency,percent\nCast,0.3,2,30.00\nConv2D,0.7,4,70."
                "00\n",
                "op_stat|by=type|type_id=Cast|rank=0|calls=2|total_ns=300000|share=0.3|per=run|line=2\n"
                "op_stat|by=type|type_id=Conv2D|rank=0|calls=4|total_ns=700000|share=0.7|per=run|line=3\n");
    case_expect("g1_op_type", parse_op_type,
                "op_type,task_time,execution_frequency,percent\nCast,0.3,2,0.3\nConv2D,0.7,4,0.7\n",
                "op_stat|by=type|type_id=Cast|rank=0|calls=2|total_ns=300000|share=0.3|per=run|line=2\n"
                "op_stat|by=type|type_id=Conv2D|rank=0|calls=4|total_ns=700000|share=0.7|per=run|line=3\n");
    /* cut files: two decimals are generation 1's percent, more are a share */
    case_expect("g1_op_type", parse_op_type,
                "op_type,execution_time,execution_frequency,percent\nCast,0.3,2,0.49\n",
                "op_stat|by=type|type_id=Cast|rank=0|calls=2|total_ns=300000|share=0.0049|per=step|"
                "line=2\n");
    case_expect("g1_op_type", parse_op_type,
                "op_type,total_time,execution_frequency,percent\nCast,0.3,2,0.3333333\n",
                "op_stat|by=type|type_id=Cast|rank=0|calls=2|total_ns=300000|share=0.3333333|per="
                "run|line=2\n");
}

static void op_type_rows_beyond_those_held_are_kept(void **state)
{
    struct buf b;
    struct rows r;
    (void)state;
    buf_init(&b, 1 << 20);
    buf_puts(&b, "op_type,total_time,execution_frequency,percent\n");
    for (int i = 0; i < 5000; i++)
        buf_printf(&b, "T%d,1,1,0.02\n", i);
    assert_int_equal(case_parse(&r, "g1_op_type", parse_op_type, buf_str(&b).p, b.n, GEN_1), OK);
    assert_int_equal(sink_count_get(r.count)->rows[T_op_stat], 5000);
    case_need(&r, "op_stat|by=type|type_id=T4999|rank=0|calls=1|total_ns=1000000|share=0.0002|per="
                  "run|line=5001");
    rows_done(&r);
    buf_done(&b);
}

static void pynative_times_are_means(void **state)
{
    (void)state;
    case_expect("g1_pynative", parse_pynative,
                "op_type,execution_time,execution_frequency,percent\r\nGetNext,0.5388794,5,14.09\r\n",
                "op_stat|by=type|type_id=GetNext|rank=0|calls=5|total_ns=2694397|avg_ns=538879.4|share=0."
                "1409|per=run|line=2\n");
    case_expect("g1_pynative", parse_pynative, "full_op_name,execution_time\r\nGetNext-op0,0.538879\r\n",
                "op_stat|by=op|name_id=GetNext-op0|rank=0|avg_ns=538879|per=run|line=2\n");
}

#define AICPU                                                                                                \
    "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\r\n1,"                  \
    "GetNext-op1,0.9,0.087,0.009,450010000.25,450010009.64\r\n2,Cast,1,2,3,1687083600123.5,"                 \
    "1687083600124\r\n"

static void aicpu_start_is_recognised_by_its_magnitude(void **state)
{
    (void)state;
    case_expect("g1_aicpu", parse_aicpu, AICPU,
                "aicpu_exec|rank=0|name_id=GetNext-op1|ts_ns=450010000250|total_ns=900000|dispatch_ns="
                "87000|compute_ns=9000|run_start=450010000.25|run_end=450010009.64|line=2\n"
                "aicpu_exec|rank=0|name_id=Cast|ts_ns=1687083600123500000|total_ns=1000000|dispatch_ns="
                "2000000|compute_ns=3000000|run_start=1687083600123.5|run_end=1687083600124|line=3\n");
    case_expect("g1_aicpu", parse_aicpu,
                "serial_num,kernel_type,total_time,dispatch_time,run_start,run_end\n1,a,1,1,"
                "1718110866133506.281,1718110866133506.281\n",
                "aicpu_exec|rank=0|name_id=a|ts_ns=1718110866133506281|total_ns=1000000|dispatch_"
                "ns=1000000|run_start=1718110866133506.2|run_end=1718110866133506.2|line=2\n");
}

#define AICPU_TEXT                                                                                           \
    "serial_number node_type_name total_time(ms) dispatch_time(ms) execution_time(ms) run_start "            \
    "run_end\n1 GetNext-op1 0.9 0.087 0.009 450010000.25 450010009.64\nAI CPU Total Time(ms): "              \
    "0.900000\n"

static void aicpu_text_ends_with_a_total(void **state)
{
    struct rows r;
    (void)state;
    assert_int_equal(case_parse(&r, "g1_aicpu_text", parse_aicpu_text, AICPU_TEXT, strlen(AICPU_TEXT), GEN_1),
                     OK);
    assert_int_equal(r.rows, 1);
    assert_int_equal(r.lost, 0);
    case_need(&r, "aicpu_exec|rank=0|name_id=GetNext-op1|ts_ns=450010000250|total_ns=900000|dispatch_"
                  "ns=87000|compute_ns=9000|run_start=450010000.25|run_end=450010009.64|line=2");
    rows_done(&r);
}

#define FRAMEWORK                                                                                            \
    "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,graph_id,kernel_"             \
    "type\r\n"                                                                                               \
    "3,5,1,Default/GetNext-op1,GetNext-op1,GetNext,Default,\"{\"\"output_0\"\": {\"\"format\"\": "           \
    "\"\"NCHW\"\", \"\"data_type\"\": \"\"FLOAT32\"\", \"\"shape\"\": [32, 1, 32, 32]}, "                    \
    "\"\"output_1\"\": {\"\"format\"\": \"\"ND\"\", \"\"data_type\"\": \"\"INT32\"\", "                      \
    "\"\"shape\"\": [32]}}\",1,AI_CPU\r\n"                                                                   \
    ",,,Default/Cast-op6,Cast-op6,Cast,Default,\"{\"\"Input_0\"\": {\"\"format\"\": "                        \
    "\"\"DefaultFormat\"\", \"\"data_type\"\": \"\"NUMBER_TYPE_FLOAT32\"\", \"\"shape\"\": "                 \
    "\"\"32,3\"\"}}\",1,AI_CORE\r\n"                                                                         \
    "4,5,1,Default/Profiling-op101,Profiling-op101,Profiling,Default,{},1,\r\n"

static void framework_ops_carry_their_tensors(void **state)
{
    (void)state;
    case_expect("g1_framework_raw", parse_framework_raw, FRAMEWORK,
                "op|id=1|name_id=Default/"
                "GetNext-op1|type_id=GetNext|graph_id=1|out_shapes_id=32,1,32,32;32|out_types_id="
                "FLOAT32;INT32|out_formats_id=NCHW;ND|core=AICPU|block_num=1|task=3|stream=5\n"
                "op|id=2|name_id=Default/"
                "Cast-op6|type_id=Cast|graph_id=1|in_shapes_id=32,3|in_types_id=NUMBER_TYPE_"
                "FLOAT32|in_formats_id=DefaultFormat|core=AIC\n"
                "op|id=3|name_id=Default/"
                "Profiling-op101|type_id=Profiling|graph_id=1|block_num=1|task=4|stream=5\n");
}

static void framework_without_op_type_has_it_as_kernel_type(void **state)
{
    (void)state;
    case_expect("g1_framework_raw", parse_framework_raw,
                "task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,kernel_type,subgraph,op_"
                "info,model_id,odd\n2,8,1,Default/Cast-op6,Default/"
                "Cast-op6,Cast-op6,Cast,Default,{\"broken,11,x\n",
                "note|UNKNOWN_COLUMN|line=1|count=1|odd\n"
                "op|id=1|name_id=Default/"
                "Cast-op6|type_id=Cast|graph_id=11|block_num=1|task=2|stream=8|extra={\"odd\":\"x\"}\n");
}

static void opstat_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("g1_op_detail", parse_op_detail,
                "full_op_name,execution_time,execution_frequency\r\na,0.5,2\r\nb,0.25,3\r\n");
    case_damage("g1_op_type", parse_op_type,
                "op_type,execution_time,execution_frequency,percent\r\na,0.5,2,50.00\r\nb,0.25,3,"
                "50.00\r\n");
    case_damage("g1_aicpu", parse_aicpu, AICPU);
    case_damage("g1_framework_raw", parse_framework_raw, FRAMEWORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(op_detail_knows_every_spelling_of_its_columns),
        cmocka_unit_test(op_type_percent_and_share_are_recognised_by_their_sum),
        cmocka_unit_test(op_type_rows_beyond_those_held_are_kept),
        cmocka_unit_test(pynative_times_are_means),
        cmocka_unit_test(aicpu_start_is_recognised_by_its_magnitude),
        cmocka_unit_test(aicpu_text_ends_with_a_total),
        cmocka_unit_test(framework_ops_carry_their_tensors),
        cmocka_unit_test(framework_without_op_type_has_it_as_kernel_type),
        cmocka_unit_test(opstat_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
