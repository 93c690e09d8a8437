/* SPDX-License-Identifier: Apache-2.0 */
/* The engine, and every kind that is a column map alone. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#include "parsers/read/csvmap.h"

/* A kind of csvmaps[]: a file with all its columns, the rows it must give. */
static const struct {
    const char *kind;
    const char *text, *rows;
} plain[] = {
    { "op_statistic",
      "Device_id,Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
      "Time(us),Ratio(%)\n"
      "0,net,MatMul,AI_CORE,3,1959.079,624.152,653.0263333,706.614,22.077\n",
      "op_stat|by=type|type_id=MatMul|core=AIC|rank=0|device=0|calls=3|total_ns=1959079|avg_ns="
      "653026.3333|min_ns=624152|max_ns=706614|share=0.22077|per=run|line=2|extra={\"Model "
      "Name\":\"net\"}\n" },
    { "api_statistic",
      "Device_id,Level,API "
      "Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\nhost,runtime,EventRecord,57.2,22,2.6,"
      "2.5,2.7,0.25\n",
      "api_stat|rank=0|level=runtime|name_id=EventRecord|calls=22|total_ns=57200|avg_ns=2600|min_"
      "ns=2500|max_ns=2700|variance=0.25|line=2\n" },
    { "operator_details",
      "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self "
      "Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total "
      "Duration With AICore(us)\n"
      "aten::to,\"32,3;\r\n64\",\"a.py(1): f;\nb.py(2): g\",1.5,2.5,3.5,4.5,5.5,6.5\n",
      "host_op|name_id=aten::to|rank=0|dur_ns=2500|self_ns=1500|device_ns=4500|device_self_ns=3500|"
      "aicore_ns=6500|aicore_self_ns=5500|in_shapes_id=32,3;\\x0d\\x0a64|stack_id=a.py(1): "
      "f;\\x0ab.py(2): g|line=2\n" },
    { "fusion_op",
      "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Input(KB),Memory "
      "Output(KB),Memory Weight(KB),Memory Workspace(KB),Memory Total(KB)\n"
      "host,graph_1,1,fused,a;b,4.0,2.0,0.0,0.5,6.5\n",
      "fusion|rank=0|op_name_id=fused|original_id=a;b|model_id=1|input_b=4096|output_b=2048|weight_"
      "b=0|workspace_b=512|total_b=6656|line=2|extra={\"Model Name\":\"graph_1\"}\n" },
    { "step_trace_time",
      "Device_id,Step,Computing,Communication(Not "
      "Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and "
      "Exclude Receive),Preparing\n"
      "2,,8873.756000000001,101963.203,4028.6750000000175,105991.87800000001,25744.050000000003,"
      "136581.0,0,101963.203,17902.5\n",
      "step|rank=0|computing_ns=8873756|communication_ns=105991878|comm_not_overlapped_ns="
      "101963203|overlapped_ns=4028675|free_ns=25744050|stage_ns=136581000|bubble_ns=0|comm_no_"
      "receive_ns=101963203|preparing_ns=17902500|line=2\n" },
    { "communication_statistic",
      "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
      "Time(us),Ratio(%)\n4,hcom_allReduce_,12,1454.1,24.68,121.175,184.18,42.266\n",
      "comm_stat|rank=0|device=4|type_id=hcom_allReduce_|calls=12|total_ns=1454100|min_ns=24680|"
      "avg_ns=121175|max_ns=184180|share=0.42266|line=2\n" },
    { "l2_cache", "Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n2,11052,N/A,1.23264,trans_1\n",
      "task_cache|rank=0|stream=2|task=11052|name_id=trans_1|l2_victim=1.23264|line=2\n" },
    { "l2_cache", /* msprof */
      "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n5,2,7,0.5,0,N/A\n",
      "task_cache|rank=0|device=5|stream=2|task=7|l2_hit=0.5|l2_victim=0|line=2\n" },
    { "soc_pmu", "Device_id,Stream Id,Task Id,TLB Hit Rate,TLB Miss Rate\n0,47,3,0.75,0.25\n",
      "task_cache|rank=0|device=0|stream=47|task=3|tlb_hit=0.75|tlb_miss=0.25|line=2\n" },
    { "page_fault", "Device Id,Stream Id,Task Id,Page Fault Num,Op Name\n0,47,3,12,MatMul\n",
      "task_cache|rank=0|device=0|stream=47|task=3|name_id=MatMul|page_faults=12|line=2\n" },
    { "operator_memory",
      "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release "
      "Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total "
      "Reserved(MB),Allocation Total Active(MB),"
      "Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream "
      "Ptr,Device Type\n"
      "aten::empty,18816.5,1736408883694624.810\t,1736408883694625.000\t,1736408883694624.910\t,0."
      "190\t,0.1\t,1.5,2,0.5,N/A,2.0,,18446744073709551615,NPU:1\n",
      "mem_alloc|rank=0|name_id=aten::empty|size_b=19268096|alloc_ns=1736408883694624810|release_"
      "ns=1736408883694625000|active_release_ns=1736408883694624910|dur_ns=190|active_dur_ns=100|"
      "alloc_total_allocated_b=1572864|alloc_total_reserved_b=2097152|alloc_total_active_b=524288|"
      "release_total_reserved_b=2097152|stream=18446744073709551615|device_type=NPU:1|line=2\n" },
    { "operator_memory", /* msprof */
      "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total "
      "Allocated(KB),Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total "
      "Reserved(KB),Device\n"
      "0,Conv,-4.0,1718118785133552.721\t,163.43,524292.0,1048576.0,532488.0,1048576.0,NPU:0\n",
      "mem_alloc|rank=0|name_id=Conv|size_b=-4096|alloc_ns=1718118785133552721|dur_ns=163430|alloc_"
      "total_allocated_b=536875008|alloc_total_reserved_b=1073741824|release_total_allocated_b="
      "545267712|release_total_reserved_b=1073741824|device_type=NPU:0|line=2\n" },
    { "operator_memory", /* 1b: a comma ends every line */
      "Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(MB),Allocation "
      "Total Reserved(MB),Release Total Allocated(MB),Release Total Reserved(MB),Device,\n"
      "op,1,1687083600123456,,1,2,,,pool,\n",
      "mem_alloc|rank=0|name_id=op|size_b=1024|alloc_ns=1687083600123456000|alloc_total_allocated_"
      "b=1048576|alloc_total_reserved_b=2097152|device_type=pool|line=2\n"
      "note|ROUNDED|line=2|count=1|time stamps with fewer than three digits after the point\n" },
    { "memory_record",
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream "
      "Ptr,Device Type\nPTA+GE,1736408883573957.920\t,1.5,2,1.25,897357296,NPU:0\n",
      "mem_sample|rank=0|component_id=PTA+GE|ts_ns=1736408883573957920|allocated_b=1572864|"
      "reserved_b=2097152|active_b=1310720|stream=897357296|device_type=NPU:0|line=2\n" },
    { "memory_record",
      "Device_id,Component,Timestamp(us),Total Allocated(KB),Total "
      "Reserved(KB),Device\n0,GE,1718118785133552.721\t,524292.0,1048576.0,NPU:0\n",
      "mem_sample|rank=0|component_id=GE|ts_ns=1718118785133552721|allocated_b=536875008|reserved_"
      "b=1073741824|device_type=NPU:0|line=2\n" },
    { "npu_mem",
      "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)\n0,APP,0,2,2,1718118785133456."
      "128\t\n",
      "mem_device|rank=0|process=APP|ts_ns=1718118785133456128|ddr_b=0|hbm_b=2048|total_b=2048|"
      "line=2\n" },
    { "npu_module_mem",
      "Device_id,Component,Timestamp(us),Total "
      "Reserved(KB),Device\n0,SLOG,1718118785133456.000\t,1024,NPU:0\n",
      "mem_module|rank=0|module_id=SLOG|ts_ns=1718118785133456000|reserved_b=1048576|device_type="
      "NPU:0|line=2\n" },
    { "npu_module_mem",
      "Component,Timestamp(us),Total Reserved(MB),Device\n76,1718118785133456.125\t,0.5,NPU:0\n",
      "mem_module|rank=0|module_id=76|ts_ns=1718118785133456125|reserved_b=524288|device_type=NPU:"
      "0|line=2\n" },
    { "ms_memory_record",
      "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total "
      "Active(Byte)\n1718118785133456128,1,2,3\n",
      "mem_sample|rank=0|component_id=MindSpore|ts_ns=1718118785133456128|allocated_b=1|reserved_b="
      "2|active_b=3|line=2\n" },
    { "aicpu",
      "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_time("
      "us),Total_time(us),Stream ID,Task "
      "ID\n0,1718110866133506.281\t,N/A,135.0,68.0,270.84,34.0,271.74,2,1\n",
      "aicpu_exec|rank=0|ts_ns=1718110866133506281|total_ns=271740|dispatch_ns=34000|compute_ns="
      "135000|memcpy_ns=68000|task_ns=270840|stream=2|task=1|line=2\n" },
    { "dataset", "Operation,Stage,Occurrences,Avg. time (us),Custom Info\nPipeline,Batch,5,8.25,{'k': 'v'}\n",
      "dataset_stage|rank=0|op=Pipeline|stage=Batch|avg_ns=8250|count=5|info={'k': 'v'}|line=2\n" },
    { "dataset", "Operation,Stage,Occurrences,Avg. time(us),Custom Info\nPipeline,Batch,5,8.25,\n",
      "dataset_stage|rank=0|op=Pipeline|stage=Batch|avg_ns=8250|count=5|line=2\n" },
    { "osrt_statistic",
      "Device_id,Process ID,Thread "
      "ID,Name,Time(%),Time(us),Count,Avg(us),Max(us),Min(us)\nhost,1,2,futex,12.5,100,4,25,40,"
      "10\n",
      "api_stat|rank=0|level=os|name_id=futex|calls=4|total_ns=100000|avg_ns=25000|min_ns=10000|"
      "max_ns=40000|line=2|extra={\"Process ID\":\"1\",\"Thread "
      "ID\":\"2\",\"Time(%)\":\"12.5\"}\n" },
    { "msproftx",
      "Device_id,pid,tid,category,event_type,payload_type,payload_value,Start_time(us),End_time(us)"
      ",message_type,message,domain,mark_id,Device Start_time(us),Device End_time(us)\n"
      "host,1,2,N/A,push/pop,0,N/"
      "A,1718118785133456.128\t,1718118785133458.128\t,0,forward,default,7,N/A,N/A\n",
      "host_stage|rank=0|name_id=forward|level=push/"
      "pop|start_ns=1718118785133456128|end_ns=1718118785133458128|thread=2|info=default|line=2|"
      "extra={\"pid\":\"1\",\"payload_type\":\"0\",\"message_type\":\"0\",\"mark_id\":\"7\"}\n" },
    { "gpu_op_detail",
      "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),op_avg_time(us),total_"
      "proportion,cuda_activity_cost_time(us),cuda_activity_call_count\nDevice,Mul,Mul-op9,Default/"
      "Mul-op9,4,681.536,170.384,0.153441,592.227,5\n",
      "op_stat|by=op|name_id=Default/"
      "Mul-op9|type_id=Mul|core=GPU|rank=0|calls=4|total_ns=681536|avg_ns=170384|share=0.153441|"
      "per=run|line=2|extra={\"cuda_activity_cost_time(us)\":\"592.227\",\"cuda_activity_call_"
      "count\":\"5\"}\n" },
    { "gpu_op_type",
      "op_type,type_occurrences,total_time(us),total_proportion,avg_time(us)\nMul,4,681.536,0."
      "153441,170.384\n",
      "op_stat|by=type|type_id=Mul|core=GPU|rank=0|calls=4|total_ns=681536|avg_ns=170384|share=0."
      "153441|per=run|line=2\n" },
    { "gpu_activity",
      "name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,total_duration(us),avg_"
      "duration(us),max_duration(us),min_duration(us)\n"
      "\"void k<float, "
      "4>(int)\",cuLaunchKernel,Default/"
      "GetNext-op0,7,\"256,1,1\",\"12,1,1\",5,228.679,45.7358,104.833,17.2206\n",
      "op_stat|by=kernel|name_id=void k<float, "
      "4>(int)|type_id=cuLaunchKernel|core=GPU|rank=0|calls=5|total_ns=228679|avg_ns=45735.8|min_"
      "ns=17220.6|max_ns=104833|per=run|line=2|"
      "extra={\"op_full_name\":\"Default/"
      "GetNext-op0\",\"stream_id\":\"7\",\"block_dim\":\"256,1,1\",\"grid_dim\":\"12,1,1\"}\n" },
    { "cpu_op_detail",
      "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_time(ms),total_"
      "proportion,subgraph,pid\nHost,HostCast,HostCast-op900,Default/"
      "HostCast-op900,5,0.1,0.02,0.5,Default,4711\n",
      "op_stat|by=op|name_id=Default/"
      "HostCast-op900|type_id=HostCast|core=CPU|rank=0|calls=5|total_ns=100000|avg_ns=20000|share="
      "0.5|per=run|line=2|extra={\"pid\":\"4711\"}\n" },
    { "cpu_op_type",
      "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,avg_time(ms),"
      "percent\nHostCast,5,1,0.1,0.02,0.5\n",
      "op_stat|by=type|type_id=HostCast|core=CPU|rank=0|calls=5|total_ns=100000|avg_ns=20000|share="
      "0.5|per=run|line=2|extra={\"execution_frequency(per-step)\":\"1\"}\n" },
};

static void maps_give_the_rows_of_their_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        case_expect(plain[i].kind, parse_csv, plain[i].text, plain[i].rows);
}

static void maps_are_all_in_the_registry_and_tested(void **state)
{
    const struct file_kind *kind;

    (void)state;
    for (size_t i = 0; i < csvmaps_n; i++) {
        size_t k = 0;

        kind = registry_find(str_of(csvmaps[i].kind));
        assert_non_null(kind);
        assert_ptr_equal(kind->parse, parse_csv);
        while (k < ARRAY_LEN(plain) && strcmp(plain[k].kind, csvmaps[i].kind) != 0)
            k++;
        assert_true(k < ARRAY_LEN(plain));
    }
    for (size_t i = 0; (kind = registry_kind(i)); i++) {
        size_t k = 0;

        if (kind->parse != parse_csv)
            continue;
        while (k < csvmaps_n && strcmp(csvmaps[k].kind, kind->id) != 0)
            k++;
        assert_true(k < csvmaps_n);
    }
}

static void maps_damage_costs_the_damaged_line(void **state)
{
    /* of FRAMEWORK all, of the others one */
    static const char *const often[] = { "operator_memory", "ms_memory_record", "cpu_op_type",
                                         "cpu_op_detail" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        case_cut_everywhere(plain[i].kind, parse_csv, plain[i].text);
        case_flip_bits(plain[i].kind, parse_csv, plain[i].text, 200);
        for (size_t k = 0; k < ARRAY_LEN(often); k++)
            if (strcmp(plain[i].kind, often[k]) == 0)
                case_flip_bits(plain[i].kind, parse_csv, plain[i].text, 2000);
    }
}

static void maps_mb_of_ascend_ms_is_a_thousand_kb(void **state)
{
    struct rows r;
    const char *text = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total "
                       "Active(MB),Device Type\nMindSpore,1736408883573957.920,1.5,2,0.0,NPU:0\n";
    (void)state;
    assert_int_equal(case_parse(&r, "memory_record", parse_csv, text, strlen(text), GEN_2), OK);
    case_need(&r, "mem_sample|rank=0|component_id=MindSpore|ts_ns=1736408883573957920|allocated_b="
                  "1536000|reserved_b=2048000|active_b=0");
    rows_done(&r);
}

static void engine_header_is_matched_trimmed_and_without_case(void **state)
{
    struct rows r;
    const char *text =
        "\xEF\xBB\xBF level ,\"api name\t\", TIME(US),odd,odd,COUNT\r\na,b,1,x,y,2\rc,d,2,,,3\n";
    (void)state;
    assert_int_equal(case_parse(&r, "api_statistic", parse_csv, text, strlen(text), GEN_P), OK);
    case_need(&r, "api_stat|rank=0|level=a|name_id=b|calls=2|total_ns=1000|line=2|extra={\"odd\":"
                  "\"x\",\"odd\":\"y\"}");
    case_need(&r, "api_stat|rank=0|level=c|name_id=d|calls=3|total_ns=2000|line=3");
    case_need(&r, "note|UNKNOWN_COLUMN|line=1|count=1|odd, odd");
    assert_int_equal(sink_count_get(r.count)->note_calls, 1);
    rows_done(&r);
}

static void engine_repeated_column_keeps_the_first(void **state)
{
    struct rows r;
    const char *text = "Level,Level,Count\na,b,1\n";
    (void)state;
    assert_int_equal(case_parse(&r, "api_statistic", parse_csv, text, strlen(text), GEN_P), OK);
    case_need(&r, "api_stat|rank=0|level=a|calls=1|line=2|extra={\"Level\":\"b\"}");
    rows_done(&r);
}

static void engine_null_words_are_null(void **state)
{
    struct rows r;
    const char *text = "Level,API Name,Time(us),Count\nN/A,NA,-,None\n\n,,,1\n";
    (void)state;
    assert_int_equal(case_parse(&r, "api_statistic", parse_csv, text, strlen(text), GEN_P), OK);
    case_need(&r, "api_stat|rank=0|line=2");
    case_need(&r, "api_stat|rank=0|calls=1|line=4");
    rows_done(&r);
}

static void engine_numbers_are_exact_or_absent(void **state)
{
    static const struct {
        enum csv_conv conv;
        const char *text;
        bool good;
        enum val_type t;
        int64_t i;
    } cases[] = {
        { CV_US, "9223372036854775.807", true, VAL_INT, INT64_MAX },
        { CV_US, "9223372036854775.808", false, VAL_NULL, 0 },
        { CV_US, "-0.0015", true, VAL_INT, -2 },
        { CV_US, "1e999", false, VAL_NULL, 0 },
        { CV_TICK, "9007199254740993", true, VAL_INT, 90071992547409930 },
        { CV_INT, "1.0", true, VAL_INT, 1 },
        { CV_INT, "1.5", false, VAL_NULL, 0 },
        { CV_INT, "9223372036854775807", true, VAL_INT, INT64_MAX },
        { CV_INT, "9223372036854775808", false, VAL_NULL, 0 },
        { CV_ID, "4294967295", true, VAL_NULL, 0 },
        { CV_ID, "4294967294", true, VAL_INT, 4294967294 },
        { CV_DEVICE, "host", true, VAL_NULL, 0 },
        { CV_DEVICE, "x", false, VAL_NULL, 0 },
        { CV_KB, "0.5", true, VAL_INT, 512 },
        { CV_MB, "954.3701171875", true, VAL_INT, 1000729600 },
        { CV_TS_US, "0.000", true, VAL_NULL, 0 },
        { CV_TS_US, "1736408883688177.930", true, VAL_INT, 1736408883688177930 },
        { CV_TS_US, "0x1f", false, VAL_NULL, 0 },
        { CV_NUMBER, "12", true, VAL_INT, 12 },
        { CV_US, "N/A", true, VAL_NULL, 0 },
    };
    struct val v;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bool good = csv_convert(cases[i].conv, str_of(cases[i].text), &v);
        if (good != cases[i].good || (good && (v.t != cases[i].t || (v.t == VAL_INT && v.i != cases[i].i))))
            fail_msg("%s: %d type %d value %" PRId64, cases[i].text, good, v.t, v.i);
    }
    assert_true(csv_convert(CV_U64, STR("18446744073709551615"), &v) && v.t == VAL_UINT && v.u == UINT64_MAX);
    assert_true(csv_convert(CV_NUMBER, STR("19.25"), &v) && v.t == VAL_REAL && v.r == 19.25);
    assert_true(csv_convert(CV_PERCENT, STR("22.077"), &v) && v.t == VAL_REAL && v.r == 0.22077);
    assert_true(csv_convert(CV_MS_REAL, STR("0.00133"), &v) && v.t == VAL_REAL && v.r == 1330);
    assert_false(csv_convert(CV_REAL, STR("nan"), &v));
}

/* Decimals of every shape: the quick ways agree with str_scaled() and str_f64(). */
static void engine_quick_decimals_agree_with_the_exact_ones(void **state)
{
    static const struct {
        enum csv_conv conv;
        uint64_t mul;
    } scaled[] = { { CV_NS, 1 },    { CV_US, 1000 },    { CV_MS, 1000000 }, { CV_TICK, 10 },
                   { CV_KB, 1024 }, { CV_MB, 1048576 }, { CV_B, 1 } };
    uint64_t x = 5;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[32];
        size_t n = 0, digits = scratch_random(&x) % 22, point = scratch_random(&x) % 26;
        if (scratch_random(&x) % 7 == 0)
            text[n++] = '-';
        for (size_t k = 0; k <= digits; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + scratch_random(&x) % 10);
        }
        if (digits + 1 == point)
            text[n++] = '.';
        if (scratch_random(&x) % 50 == 0)
            text[scratch_random(&x) % n] = "x.-e"[scratch_random(&x) % 4];
        struct str s = { text, n };
        struct val v;
        int64_t want;
        double real;
        for (size_t k = 0; k < ARRAY_LEN(scaled); k++) {
            bool good = str_scaled(s, scaled[k].mul, &want, NULL);
            bool got = csv_convert(scaled[k].conv, s, &v);
            if (csv_is_null(s) ? v.t != VAL_NULL : got != good || (good && v.i != want))
                fail_msg("%.*s times %d: %d %" PRId64 ", not %d %" PRId64, (int)n, text, (int)scaled[k].mul,
                         got, v.i, good, want);
        }
        bool good = str_f64(s, &real), got = csv_convert(CV_REAL, s, &v);
        if (csv_is_null(s) ? v.t != VAL_NULL : got != good || (good && v.r != real))
            fail_msg("%.*s: %d %.17g, not %d %.17g", (int)n, text, got, v.r, good, real);
    }
}

static void engine_bad_values_are_counted_after_twenty(void **state)
{
    struct rows r;
    struct buf b;
    (void)state;
    buf_init(&b, 1 << 20);
    buf_puts(&b, "Level,Count\n");
    for (int i = 0; i < 50; i++)
        buf_puts(&b, "a,x\n");
    assert_int_equal(case_parse(&r, "api_statistic", parse_csv, buf_str(&b).p, b.n, GEN_P), OK);
    assert_int_equal(r.rows, 50);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_BAD_VALUE], 50);
    assert_int_equal(sink_count_get(r.count)->note_calls, 21);
    case_need(&r, "note|BAD_VALUE|line=22|count=30");
    rows_done(&r);
    buf_done(&b);
}

static void engine_negative_durations_are_left_out(void **state)
{
    struct rows r;
    const char *text = "Name,Size(KB),Duration(us)\na,-1,-0.5\nb,1,0.5\nc,1,-7\n";
    (void)state;
    assert_int_equal(case_parse(&r, "operator_memory", parse_csv, text, strlen(text), GEN_2), OK);
    case_need(&r, "mem_alloc|rank=0|name_id=a|size_b=-1024|line=2");
    case_need(&r, "mem_alloc|rank=0|name_id=b|size_b=1024|dur_ns=500|line=3");
    case_need(&r, "note|INCONSISTENT|line=2|count=2|durations below zero, left out");
    rows_done(&r);
}

static void engine_packed_files_are_read(void **state)
{
    /* gzip of "Level,Count\na,7\n" */
    static const unsigned char gz[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                        0xff, 0xf3, 0x49, 0x2d, 0x4b, 0xcd, 0xd1, 0x71, 0xce,
                                        0x2f, 0xcd, 0x2b, 0xe1, 0x4a, 0xd4, 0x31, 0xe7, 0x02,
                                        0x00, 0x0c, 0x53, 0x83, 0x65, 0x10, 0x00, 0x00, 0x00 };
    struct rows r;
    (void)state;
    (void)case_parse(&r, "api_statistic", parse_csv, (const char *)gz, sizeof gz, GEN_P);
    case_need(&r, "api_stat|rank=0|level=a|calls=7|line=2");
    rows_done(&r);
}

static void engine_missing_files_and_slices(void **state)
{
    struct err e = ERR_INIT;
    struct rows r;
    const char *text = "Level,Count\na,7\n";
    (void)state;
    rows_init(&r, "api_statistic", "/nonexistent/api_statistic.csv");
    assert_int_equal(rows_parse(&r, parse_csv, &e), ERR_IO);
    rows_done(&r);
    /* one unreadable slice does not cost the other */
    err_clear(&e);
    rows_init(&r, "api_statistic", scratch_write(text, strlen(text)));
    struct source_file next = r.file;
    next.path = "/nonexistent/api_statistic_slice_1.csv";
    next.id = 2;
    r.file.next_slice = &next;
    assert_int_equal(rows_parse(&r, parse_csv, &e), OK);
    assert_int_equal(r.rows, 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_BAD_FILE], 1);
    rows_done(&r);
}

static void engine_unknown_kind_is_our_fault(void **state)
{
    struct rows r;
    (void)state;
    assert_int_equal(case_parse(&r, "no_such_kind", parse_csv, "a\n", 2, GEN_P), ERR_BUG);
    rows_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_give_the_rows_of_their_kinds),
        cmocka_unit_test(maps_are_all_in_the_registry_and_tested),
        cmocka_unit_test(maps_damage_costs_the_damaged_line),
        cmocka_unit_test(maps_mb_of_ascend_ms_is_a_thousand_kb),
        cmocka_unit_test(engine_header_is_matched_trimmed_and_without_case),
        cmocka_unit_test(engine_repeated_column_keeps_the_first),
        cmocka_unit_test(engine_null_words_are_null),
        cmocka_unit_test(engine_numbers_are_exact_or_absent),
        cmocka_unit_test(engine_quick_decimals_agree_with_the_exact_ones),
        cmocka_unit_test(engine_bad_values_are_counted_after_twenty),
        cmocka_unit_test(engine_negative_durations_are_left_out),
        cmocka_unit_test(engine_packed_files_are_read),
        cmocka_unit_test(engine_missing_files_and_slices),
        cmocka_unit_test(engine_unknown_kind_is_our_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
