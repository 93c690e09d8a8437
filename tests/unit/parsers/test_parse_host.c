/* SPDX-License-Identifier: Apache-2.0 */
/* Host stages, measurements, static memory, communication of generation 1. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#include "parsers/read/jsoncell.h"
#include "parsers/read/opwords.h"

#define STAGES                                                                                               \
    "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage(kB),"               \
    "time_stamp(us)\n"                                                                                       \
    "7,1,0,Dataset,Pipe,Init,1,0,\"{{a:b}{c:d,e}}\",0,1000\n"                                                \
    "7,1,0,Dataset,Pipe,Op,1,0,,2,1100\n"                                                                    \
    "8,1,0,Graph,,Build,1,0,,0,1150\n"                                                                       \
    "7,1,0,Dataset,Pipe,Op,1,1,,4,1200\n"                                                                    \
    "7,1,0,Dataset,Pipe,Init,1,1,,8,1500\n"                                                                  \
    "9,1,0,X,Y,Z,1,1,,0,1600\n"                                                                              \
    "9,1,0,X,Y,P,1,2,,0,1700\n"                                                                              \
    "9,1,0,X,Y,Z,1,5,,0,1600\n"

static void stages_are_paired_and_nested(void **state)
{
    (void)state;
    case_expect("host_info", parse_host_info, STAGES,
                "note|BAD_ROW|line=9|count=1|neither start nor end\n"
                "note|ROUNDED|line=2|count=1|time stamps with fewer than three digits after the point\n"
                "host_stage|rank=0|name_id=Dataset.Pipe.Init|level=1|start_ns=1000000|end_ns=1500000|dur_"
                "ns=500000|thread=7|memory_b=8192|info={{a:b}{c:d,e}}|line=2|extra={\"pid\":\"1\",\"parent_"
                "pid\":\"0\"}\n"
                "host_stage|rank=0|name_id=Dataset.Pipe.Op|parent=1|level=1|start_ns=1100000|end_ns="
                "1200000|dur_ns=100000|thread=7|memory_b=4096|line=3|extra={\"pid\":\"1\",\"parent_pid\":"
                "\"0\"}\n"
                "host_stage|rank=0|name_id=Graph.Build|level=1|start_ns=1150000|thread=8|line=4|extra={"
                "\"pid\":\"1\",\"parent_pid\":\"0\"}\n"
                "host_stage|rank=0|name_id=X.Y.Z|level=1|end_ns=1600000|thread=9|line=7|extra={\"pid\":"
                "\"1\",\"parent_pid\":\"0\"}\n"
                "host_stage|rank=0|name_id=X.Y.P|level=1|start_ns=1700000|end_ns=1700000|dur_ns=0|thread=9|"
                "line=8|extra={\"pid\":\"1\",\"parent_pid\":\"0\"}\n");
}

static void samples_expect(const char *kind, const char *name, const char *text, const char *expected)
{
    struct err e = ERR_INIT;
    struct rows r;

    rows_init(&r, kind, scratch_write(text, strlen(text)));
    r.file.rel = name;
    assert_int_equal(rows_parse(&r, parse_samples, &e), OK);
    assert_string_equal(buf_str(&r.text).p, expected);
    rows_done(&r);
}

static void samples_say_what_they_measure(void **state)
{
    (void)state;
    samples_expect("sampled_misc", "dvpp_20240611120000.csv",
                   "Device_id,Dvpp Id,Engine Type,Engine ID,All Time(us),All Frame,All Utilization(%)\n"
                   "0,1,VDEC,2,100,7,12.5\n",
                   "host_sample|rank=0|what=dvpp 1 VDEC 2 All Time(us)|value=100|line=2\n"
                   "host_sample|rank=0|what=dvpp 1 VDEC 2 All Frame|value=7|line=2\n"
                   "host_sample|rank=0|what=dvpp 1 VDEC 2 All Utilization(%)|value=12.5|line=2\n");
    samples_expect("sys_usage", "process_mem_20240611120000.csv",
                   "Device_id,PID,Name,Size(pages),Resident(pages)\nhost,77,python,200,100\n",
                   "host_sample|rank=0|what=process_mem 77 python Size(pages)|value=200|line=2\n"
                   "host_sample|rank=0|what=process_mem 77 python Resident(pages)|value=100|line=2\n");
    samples_expect("aicore_util", "ai_core_utilization_20240611120000.csv",
                   "Device_id,Core ID,mac_ratio,vec_ratio\n0,Core0,0.5,N/A\n0,Average,0.25,0.125\n",
                   "host_sample|rank=0|what=ai_core_utilization Core0 mac_ratio|value=0.5|line=2\n"
                   "host_sample|rank=0|what=ai_core_utilization Average mac_ratio|value=0.25|line=3\n"
                   "host_sample|rank=0|what=ai_core_utilization Average vec_ratio|value=0.125|line=3\n");
    samples_expect("llc", "out/llc_read_write_slice_0_20240611120000.csv",
                   "Device_id,Mode,Task,Hit "
                   "Rate(%),Throughput(MB/s)\n0,read,Average,28.575,72056.279\n0,read,0,N/A,1\n",
                   "host_sample|rank=0|what=llc_read_write read Average Hit "
                   "Rate(%)|value=28.575|line=2\nhost_sample|rank=0|what=llc_read_write read Average "
                   "Throughput(MB/s)|value=72056.279|line=2\n"
                   "host_sample|rank=0|what=llc_read_write read 0 Throughput(MB/s)|value=1|line=3\n");
    samples_expect("nic", "nic_20240611120000.csv",
                   "Device_id,Timestamp(us),Bandwidth(MB/s),rxPacket/"
                   "s,funcId\n0,1718138923145801.072\t,100000.0,0.001,3\n",
                   "host_sample|rank=0|what=nic 3 "
                   "Bandwidth(MB/"
                   "s)|ts_ns=1718138923145801072|value=100000|line=2\nhost_sample|rank=0|what=nic "
                   "3 rxPacket/s|ts_ns=1718138923145801072|value=0.001|line=2\n");
    samples_expect("host_usage", "host_cpu_usage.csv",
                   "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers\nhost,192,4,x\n",
                   "note|BAD_VALUE|line=2|count=1|column Recommend Cpu Numbers: 'x'\n"
                   "host_sample|rank=0|what=host_cpu_usage Total Cpu "
                   "Numbers|value=192|line=2\nhost_sample|rank=0|what=host_cpu_usage Occupied Cpu "
                   "Numbers|value=4|line=2\n");
    samples_expect("cpu_pmu", "ctrl_cpu_top_function_1.csv",
                   "Device_id,Function,Module,Cycles,Cycles(%)\n0,f,m.so,10,0.5\n",
                   "host_sample|rank=0|what=ctrl_cpu_top_function f m.so "
                   "Cycles|value=10|line=2\nhost_sample|rank=0|what=ctrl_cpu_top_function f m.so "
                   "Cycles(%)|value=0.5|line=2\n");
}

#define STATIC                                                                                               \
    "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index "                                     \
    "End,Size(KB)\nhost,sqrt,0,0,31,32,2343.78125\nhost,keep,0,0,1,4294967295,1\nhost,TOTAL,0,0,"            \
    "0,4294967295,76690.423828126\n"

static void static_memory_total_is_marked(void **state)
{
    (void)state;
    case_expect("static_op_mem", parse_static_op_mem, STATIC,
                "mem_tensor|rank=0|graph_id=0|name_id=sqrt|size_b=2400032|born_node=31|dies_node="
                "32|kind=output|extra={\"Model Name\":\"0\"}\n"
                "mem_tensor|rank=0|graph_id=0|name_id=keep|size_b=1024|born_node=1|kind=output|"
                "extra={\"Model Name\":\"0\"}\n"
                "mem_tensor|rank=0|graph_id=0|name_id=TOTAL|size_b=78530994|born_node=0|kind=total|"
                "extra={\"Model Name\":\"0\"}\n");
}

#define HCCL                                                                                                 \
    "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\r\n"                        \
    "1,4.5,0.25,\"{\"\"1-0\"\": {\"\"SDMA\"\": [4.5, 94356.992, 21613454.5], \"\"RDMA\"\": "                 \
    "[0.009, 16.392, 3642666.5, 0.005]}}\",\"{\"\"stream_24_0_Default/AllReduce-op3143\"\": "                \
    "[\"\"1\"\", 4.0, 0.5, {\"\"0-0\"\": {\"\"SDMA\"\": [0.15, 47178.496, 313041576.5]}}]}\"\r\n"            \
    "-,4.5,0.25,{},{}\r\n"

static void hccl_raw_has_steps_ops_and_links(void **state)
{
    (void)state;
    case_expect("g1_hccl_raw", parse_hccl_raw, HCCL,
                "comm_stat|rank=0|step=1|total_ns=4500000|wait_ns=250000|line=2\n"
                "comm_link|rank=0|step=1|src_rank=1|dst_rank=0|transport=SDMA|size_b=94356992|time_"
                "ns=4500000|bandwidth=21613454500|stat=total|line=2\n"
                "comm_link|rank=0|step=1|src_rank=1|dst_rank=0|transport=RDMA|size_b=16392|time_ns="
                "9000|bandwidth=3642666500|stat=total|line=2\n"
                "comm_exec|rank=0|name_id=Default/"
                "AllReduce-op3143|step=1|dur_ns=4500000|transit_ns=4000000|wait_ns=500000|line=2\n"
                "comm_link|rank=0|step=1|comm_id=1|name_id=Default/"
                "AllReduce-op3143|src_rank=0|dst_rank=0|transport=SDMA|size_b=47178496|time_ns="
                "150000|bandwidth=313041576500|stat=op|line=2\n"
                "doc|key=hccl_raw.average|value={\"communication_cost\":\"4.5\",\"wait_cost\":\"0."
                "25\",\"link_info\":\"{}\",\"communication_operator_cost\":\"{}\"}\n");
}

static void json_cells_end_at_damage(void **state)
{
    struct str key, val;
    bool is_string;
    size_t pos = 0;
    (void)state;
    assert_true(
        jc_member(STR(" { \"a\\\"b\" : [1, {\"x\": \"]\"}] , \"c\":2}"), &pos, &key, &val, &is_string));
    assert_true(str_eq(key, STR("a\\\"b")) && str_eq(val, STR("[1, {\"x\": \"]\"}]")) && !is_string);
    static const char *const bad[] = { "",           "{",   "{\"a",  "{\"a\"",    "{\"a\":",  "{\"a\":[",
                                       "{\"a\":\"x", "[1]", "{1:2}", "{\"a\" 1}", "{\"a\":}", "{}" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        pos = 0;
        assert_false(jc_member(str_of(bad[i]), &pos, &key, &val, &is_string));
    }
    pos = 0;
    assert_true(jc_item(STR("[1,2"), &pos, &val, &is_string) && jc_item(STR("[1,2"), &pos, &val, &is_string));
    assert_false(jc_item(STR("[1,2"), &pos, &val, &is_string));
    assert_true(jc_find(STR("{\"a\":1,\"b\":\"x\"}"), STR("b"), &val) && str_eq(val, STR("x")));
    assert_false(jc_find(STR("{\"a\":1}"), STR("b"), &val));
}

static void words_of_ops(void **state)
{
    struct str name;
    int64_t stream;
    (void)state;
    assert_true(str_eq(op_core(STR("ai_core")), STR("AIC")) &&
                str_eq(op_core(STR("COMMUNICATION")), STR("HCCL")) &&
                str_eq(op_core(STR("DSA_SQE")), STR("DSA_SQE")));
    assert_null(op_core(STR("")).p);
    assert_true(str_eq(op_shapes(STR("\"1,2\"")), STR("1,2")) && str_eq(op_shapes(STR("\"")), STR("\"")) &&
                op_shapes(STR("\"\"")).n == 0);
    op_comm_column(STR("stream_8_0_a_b"), &stream, &name);
    assert_true(stream == 8 && str_eq(name, STR("a_b")));
    op_comm_column(STR("stream_x"), &stream, &name);
    assert_true(stream == -1 && str_eq(name, STR("stream_x")));
    op_comm_column(STR("stream_8"), &stream, &name);
    assert_true(str_eq(name, STR("stream_8")));
    op_comm_column(STR(""), &stream, &name);
    assert_true(stream == -1 && name.n == 0);
}

static void host_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("host_info", parse_host_info, STAGES);
    case_damage("static_op_mem", parse_static_op_mem, STATIC);
    case_damage("g1_hccl_raw", parse_hccl_raw, HCCL);
    case_damage("nic", parse_samples,
                "Device_id,Timestamp(us),Bandwidth(MB/"
                "s),funcId\n0,1718138923145801.072\t,100000.0,3\n0,1718138923145901.072\t,100000.0,3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_are_paired_and_nested),
        cmocka_unit_test(samples_say_what_they_measure),
        cmocka_unit_test(static_memory_total_is_marked),
        cmocka_unit_test(hccl_raw_has_steps_ops_and_links),
        cmocka_unit_test(json_cells_end_at_damage),
        cmocka_unit_test(words_of_ops),
        cmocka_unit_test(host_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
