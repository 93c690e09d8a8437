/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON kinds besides timelines: rows, forms of all generations, damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

/* clang-format off */
#define TIMES(ts, ms) \
    "{\"Communication Time Info\": {\"Start Timestamp(us)\": " ts ", \"Elapse Time(ms)\": " ms ", " \
    "\"Transit Time(ms)\": 0.5, \"Wait Time(ms)\": 0.25, " \
    "\"Synchronization Time(ms)\": 2e-05, \"Idle Time(ms)\": 1, \"Wait Time Ratio\": 0.9594}, " \
    "\"Communication Bandwidth Info\": " \
    "{\"RDMA\": {\"Transit Size(MB)\": 0, \"Transit Time(ms)\": 0, \"Bandwidth(GB/s)\": 0, \"Large Packet " \
    "Ratio\": 0, \"Size Distribution\": {}}, " \
    "\"HCCS\": {\"Transit Size(MB)\": 28.647232000000002, \"Transit Time(ms)\": 1.5, \"Bandwidth(GB/s)\": " \
    "15.5, \"Large Packet Ratio\": 0.5, " \
    "\"Size Distribution\": {\"2.064384\": [12, 1.25], \"1.9\": [2, 0.25]}}, \"SDMA\": {\"Transit " \
    "Size(MB)\": 28.647232000000002, \"Transit Time(ms)\": 1.5, \"Bandwidth(GB/s)\": 15.5}}}"
#define COMMUNICATION \
    "{\"step50\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__586_0_1@175\": " \
    TIMES("1736408883732241.5", "79.08952021875") ", \"Total Op Info\": " TIMES("0", "79") "}}}"

static void json_communication_of_a_rank(void **state)
{
    (void)state;
    case_expect("communication", parse_communication, COMMUNICATION,
                "comm_exec|rank=0|name_id=hcom_allReduce__586_0_1|type_id=hcom_allReduce_|group_id=175|"
                "kind=collective|step=50|ts_ns=1736408883732241500|dur_ns=79089520|transit_ns=500000|"
                "wait_ns=250000|sync_ns=20|idle_ns=1000000|size_b=28647232\n"
                "comm_link|rank=0|step=50|comm_id=1|name_id=hcom_allReduce__586_0_1|group_id=175|"
                "transport=HCCS|size_b=28647232|time_ns=1500000|bandwidth=15500000000|packets=14|"
                "large_share=0.5|sizes={\"2.064384\": [12, 1.25], \"1.9\": [2, 0.25]}|stat=op\n"
                "comm_link|rank=0|step=50|comm_id=1|name_id=hcom_allReduce__586_0_1|group_id=175|"
                "transport=SDMA|size_b=28647232|time_ns=1500000|bandwidth=15500000000|stat=op\n"
                "comm_link|rank=0|step=50|name_id=Total Op Info|transport=HCCS|size_b=28647232|"
                "time_ns=1500000|bandwidth=15500000000|packets=14|large_share=0.5|sizes={\"2.064384\": [12, "
                "1.25], \"1.9\": [2, 0.25]}|stat=total\n"
                "comm_link|rank=0|step=50|name_id=Total Op Info|transport=SDMA|size_b=28647232|"
                "time_ns=1500000|bandwidth=15500000000|stat=total\n");
}

static void json_communication_in_other_forms(void **state)
{
    struct rows r;

    (void)state;
    const char *m = "{\"hcom_send__1_0@9\": " TIMES("5.0", "1") "}";
    case_parse(&r, "communication", parse_communication, m, strlen(m), GEN_M);
    case_need(&r,
    "comm_exec|rank=0|name_id=hcom_send__1_0|type_id=hcom_send_|group_id=9|ts_ns=5000|dur_ns=1000000");
    rows_done(&r);
    const char *c = "{\"(0, 1)\": {\"step\": {\"hcom_broadcast__501_0@62\": {\"0\": " TIMES("7.0", "2")
        ",\"1\": " TIMES("8.0", "3") "}}}, \"p2p\": {\"step7\": {\"hcom_send__1@5\": {\"3\": " TIMES("9", "4")
        "}}}}";
    case_parse(&r, "cluster_communication", parse_cluster_communication, c, strlen(c), GEN_C);
    case_need(&r,
    "comm_exec|rank=0|name_id=hcom_broadcast__501_0|type_id=hcom_broadcast_|group_id=62|ts_ns=7000|"
    "dur_ns=2000000");
    case_need(&r,
    "comm_exec|rank=1|name_id=hcom_broadcast__501_0|type_id=hcom_broadcast_|group_id=62|ts_ns=8000|"
    "dur_ns=3000000");
    case_need(&r, "comm_exec|rank=3|name_id=hcom_send__1|type_id=hcom_send_|group_id=5|kind=p2p|step=7|"
    "ts_ns=9000|dur_ns=4000000");
    rows_done(&r);
}

#define LINK(t, extra) "{\"Transport Type\": \"" t "\", \"Transit Size(MB)\": 4.128775999999999, \"Transit " \
    "Time(ms)\": 0.00822015625, \"Bandwidth(GB/s)\": 502.25" extra "}"
#define MATRIX "{\"step50\": {\"p2p\": {}, \"collective\": {\"allreduce-top1@175\": {\"0-0\": " \
    LINK("LOCAL", ", \"Op Name\": \"hcom_allReduce__586_0_1\"") ", \"0-7\": " LINK("HCCS", "") \
    "}, \"allreduce-total@175\": {\"0-7\": " LINK("HCCS", "") "}}}}"

static void json_matrix_has_three_forms(void **state)
{
    struct rows r;

    (void)state;
    case_expect("communication_matrix", parse_communication_matrix, MATRIX,
                "comm_link|rank=0|step=50|name_id=hcom_allReduce__586_0_1|type_id=allreduce|group_id=175|"
                "src_rank=0|dst_rank=0|transport=LOCAL|size_b=4128776|time_ns=8220|bandwidth=502250000000|"
                "stat=top1\n"
                "comm_link|rank=0|step=50|type_id=allreduce|group_id=175|src_rank=0|dst_rank=7|"
                "transport=HCCS|size_b=4128776|time_ns=8220|bandwidth=502250000000|stat=top1\n"
                "comm_link|rank=0|step=50|type_id=allreduce|group_id=175|src_rank=0|dst_rank=7|"
                "transport=HCCS|size_b=4128776|time_ns=8220|bandwidth=502250000000|stat=total\n");
    const char *m = "{\"hcom_send__822_0@13\": {\"0-8\": " LINK("RDMA", "") "}}";
    case_parse(&r, "communication_matrix", parse_communication_matrix, m, strlen(m), GEN_M);
    case_need(&r, "comm_link|rank=0|name_id=hcom_send__822_0|type_id=hcom_send_|group_id=13|src_rank=0|"
    "dst_rank=8|transport=RDMA|size_b=4128776|time_ns=8220|bandwidth=502250000000|stat=op");
    rows_done(&r);
    const char *c = "{\"(8, 9)\": {\"step2\": {\"allgather-middle@13\": {\"9-8\": " LINK("RDMA", "") "}}}}";
    case_parse(&r, "cluster_communication_matrix", parse_cluster_matrix, c, strlen(c), GEN_C);
    case_need(&r,
    "comm_link|rank=9|step=2|type_id=allgather|group_id=13|src_rank=9|dst_rank=8|transport=RDMA|"
    "size_b=4128776|time_ns=8220|bandwidth=502250000000|stat=middle");
    rows_done(&r);
}

#define PIPELINE \
    "{\"op_info\":[{\"metrics\":{\"output_queue\":{\"length\":8,\"size\":[0,4]}},\"num_workers\":8," \
    "\"op_id\":3,\"op_type\":\"MapOp\",\"children\":null}," \
    "{\"children\":[3],\"metrics\":null,\"num_workers\":1,\"op_id\":0,\"op_type\":\"BatchOp\"}]," \
    "\"sampling_interval\":10}"

static void json_pipeline_is_a_tree_with_queues(void **state)
{
    (void)state;
    case_expect("md_pipeline_profiling", parse_md_pipeline, PIPELINE,
                "queue_sample|rank=0|queue=connector 3|seq=0|size=0|capacity=8\n"
                "queue_sample|rank=0|queue=connector 3|seq=1|size=4|capacity=8\n"
                "pipeline_op|rank=0|op=3|type_id=MapOp|parent=0|workers=8|queue_size=8|queue_avg=2|"
                "queue_use=0.25|queue_empty_share=0.5|sample_ms=10\n"
                "pipeline_op|rank=0|op=0|type_id=BatchOp|children=[3]|workers=1|sample_ms=10\n");
}

#define CPU \
    "{\"time_stamp\": [10,20], \"device_info\": {\"user_utilization\": [10,20], \"sys_utilization\": " \
    "[1,2], \"io_utilization\": [3,4], \"idle_utilization\": [5,6], \"context_switch_count\": [7,8]}," \
    " \"process_info\": {\"user_utilization\": [30,40], \"sys_utilization\": [50,60]}, \"op_info\": " \
    "[{\"metrics\":{\"user_utilization\": [1,\"x\"],\"sys_utilization\": [3,4]},\"op_id\": -1}]}"

static void json_cpu_series_stand_next_to_each_other(void **state)
{
    (void)state;
    case_expect("md_cpu_utilization", parse_md_cpu, CPU,
                "cpu_sample|rank=0|who=machine|seq=0|at_ns=10000000|user=10|sys=1|io=3|idle=5\n"
                "cpu_sample|rank=0|who=machine|seq=1|at_ns=20000000|user=20|sys=2|io=4|idle=6\n"
                "cpu_sample|rank=0|who=process|seq=0|at_ns=10000000|user=30|sys=50\n"
                "cpu_sample|rank=0|who=process|seq=1|at_ns=20000000|user=40|sys=60\n"
                "cpu_sample|rank=0|who=op -1|seq=0|at_ns=10000000|user=1|sys=3\n"
                "cpu_sample|rank=0|who=op -1|seq=1|at_ns=20000000|sys=4\n"
                "host_sample|rank=0|what=context_switch_count|at_ns=10000000|value=7\n"
                "host_sample|rank=0|what=context_switch_count|at_ns=20000000|value=8\n"
                "note|BAD_VALUE|line=0|count=1|values that are no numbers are missing\n");
}

static void json_summary_of_the_pipeline(void **state)
{
    (void)state;
    case_expect("md_pipeline_summary_json", parse_md_summary_json,
                "{\"op_names\": [\"Batch\", \"Map\"], \"op_ids\": [0, 1], \"num_workers\": [2, 1], "
                "\"queue_average_size\": [4.33, -1], \"queue_utilization_pct\": [50, -1], \"children_ids\": "
                "[[1], []], \"parent_id\": [-1, 0], \"avg_cpu_pct\": [25, 99.5], "
                "\"cpu_analysis_details\": [\"Map(id=1) is slow\", \"Map(id=1) again\"], "
                "\"bottleneck_warning\": [\"Map(id=1)\"]}",
                "doc|key=minddata_pipeline_summary.cpu_analysis_details.0|value=Map(id=1) is slow\n"
                "doc|key=minddata_pipeline_summary.cpu_analysis_details.1|value=Map(id=1) again\n"
                "doc|key=minddata_pipeline_summary.bottleneck_warning.0|value=Map(id=1)\n"
                "pipeline_op|rank=0|op=0|type_id=Batch|children=[1]|workers=2|queue_avg=4.33|queue_use=0.5|"
                "cpu_share=0.25\n"
                "pipeline_op|rank=0|op=1|type_id=Map|parent=0|children=[]|workers=1|cpu_share=0.995|"
                "text=Map(id=1) is slow\\x0aMap(id=1) again\n");
}

#define NODE(n, i) "{\"name\": \"" n "\", \"fullname\": \"Default/" n "\", \"node_id\": " i ", " \
    "\"allocations\": 2, \"size\": 0.0009765625, \"allocated\": -0.0009765625, \"inputs\": [], " \
    "\"outputs\": [{\"format\": \"ND\", \"shape\": [1]}]}"
#define TENSOR(n, i) "{\"tensor_name\": \"" n "\", \"tensor_id\": " i ", \"size\": 0.001953125, \"type\": " \
    "\"output\", \"shape\": [32, 1], \"format\": \"NCHW\", \"data_type\": \"FLOAT32\", \"life_long\": " \
    "\"LifeLongNone\", \"life_start\": 0, \"life_end\": 2}"
#define MEMORY "{\"1\": {\"graph_id\": 1, \"static_mem\": 0.5, \"nodes\": [" NODE("a", "0") ", " NODE("b", \
    "1") "], \"fp_start\": 1, \"bp_end\": null, \"lines\": [1.0, 2.0], \"breakdowns\": [[" TENSOR("a:0", \
    "7") "], [" TENSOR("a:0", "7") ", " TENSOR("b:0", "8") "]]}}"

static void json_memory_details_and_summary(void **state)
{
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    case_expect("g1_memory", parse_memory, MEMORY,
                "mem_tensor|rank=0|graph_id=1|name_id=a:0|size_b=2097152|born_node=0|dies_node=2|shape_id=32,"
                "1|format_id=NCHW|type_id=FLOAT32|kind=output|lifelong=LifeLongNone\n"
                "mem_tensor|rank=0|graph_id=1|name_id=b:0|size_b=2097152|born_node=0|dies_node=2|shape_id=32,"
                "1|format_id=NCHW|type_id=FLOAT32|kind=output|lifelong=LifeLongNone\n"
                "mem_node|rank=0|graph_id=1|node=0|name_id=a|full_name_id=Default/a|used_b=1073741824|"
                "size_b=1048576|allocated_b=-1048576|allocations=2\n"
                "mem_node|rank=0|graph_id=1|node=1|name_id=b|full_name_id=Default/b|used_b=2147483648|"
                "size_b=1048576|allocated_b=-1048576|allocations=2|mark=fp\n");
    const char *s = "{\"capacity\": 31.0, \"allocations\": 15, \"deallocations\": 14, \"peak_mem\": 0.5, "
        "\"static_mem\": 0.25}";
    char path[300];
    snprintf(path, sizeof path, "%s-summary", scratch_write(s, strlen(s)));
    assert_int_equal(rename(scratch_path, path), 0);
    rows_init(&r, "g1_memory", path);
    assert_int_equal(rows_parse(&r, parse_memory, &e), OK);
    assert_string_equal(buf_str(&r.text).p,
    "mem_total|rank=0|capacity_b=33285996544|peak_b=536870912|static_b=268435456|allocations=15|"
    "deallocations=14\n");
    rows_done(&r);
    assert_int_equal(rename(path, scratch_path), 0);
}

static void json_flops_sums_and_scopes(void **state)
{
    (void)state;
    case_expect("g1_flops_summary", parse_flops_summary,
    "{\"FLOPs\": 8.5, \"FLOPS\": 9.5, \"FLOPS_Utilization\": 50}",
                "flops_total|rank=0|flops=8500000|flops_per_s=9500000000|utilisation=0.5|kind=all\n");
    case_expect("g1_flops_summary", parse_flops_summary,
    "{\"cube_FLOPs\": 1, \"vec_FLOPs\": 2, \"cube_FLOPS\": 3, \"vec_FLOPS\": 4}",
                "flops_total|rank=0|flops=1000000|flops_per_s=3000000000|kind=cube\n"
                "flops_total|rank=0|flops=2000000|flops_per_s=4000000000|kind=vector\n");
    case_expect("g1_flops_scope", parse_flops_scope,
                "{\"data\": {\"nodes\": [{\"name\": \"a\"}], \"links\": [{\"source\": \"Total\", \"target\": "
                "\"Default\", \"value\": 2.5}, {\"source\": \"a\", \"target\": \"b\", \"value\": 1}]}, "
                "\"max_scope_num\": 5}",
                "flops_total|rank=0|flops=2500000|kind=scope:Total>Default\n"
                "flops_total|rank=0|flops=1000000|kind=scope:a>b\n");
}

static const char GROUPS[] =
    "{\"collective\": [[0, 4], [1], [0, 4]], \"p2p\": [[0, 1, 4]], "
    "\"comm_group_parallel_info\": [{\"type\": \"collective\", \"rank_set\": [0, 4], "
    "\"group_name\": \"96\", \"group_id\": \"\", \"pg_name\": \"pp\"}]}";
static const char METADATA[] =
    "{\"distributed_args\": {\"rank\": 4}, \"parallel_group_info\": {\"10.0%e_5\": "
    "{\"group_name\": \"tp\", \"group_rank\": 1, \"global_ranks\": [0, 4]}}}";

/* Lists are named by the entries that have the same ranks; where there are none they stand alone. */
static void json_groups_become_rows(void **state)
{
    (void)state;
    case_expect("communication_group", parse_groups, GROUPS,
                "comm_group|rank=0|kind=collective|ranks=1|size=1\n"
                "comm_group|rank=0|kind=p2p|ranks=0,1,4|size=3\n"
                "comm_group|rank=0|kind=collective|group_id=96|name=pp|ranks=0,4|size=2\n");
    case_expect("communication_group", parse_groups, "{\"p2p\": [], \"collective\": [[2, 3]]}",
                "comm_group|rank=0|kind=collective|ranks=2,3|size=2\n");
    case_expect("profiler_metadata", parse_profiler_metadata, METADATA,
                "doc|key=distributed_args.rank|value=4\n"
                "doc|key=parallel_group_info.10.0%e_5.group_name|value=tp\n"
                "doc|key=parallel_group_info.10.0%e_5.group_rank|value=1\n"
                "doc|key=parallel_group_info.10.0%e_5.global_ranks|value=[0, 4]\n"
                "comm_group|rank=0|group_id=12436292318739207019|id=10.0%e_5|name=tp|ranks=0,4|size=2\n");
}

static void json_documents_become_keys_and_values(void **state)
{
    (void)state;
    case_expect("dyn_config", parse_doc_rows,
    "{\"collective\": [[0, 1], [2]], \"p2p\": [], \"x\": {\"a.b\": null, \"c\": true, \"d\": [{\"e\": "
    "1e999}, \"f\\n\"]}}",
                "doc|key=collective.0|value=[0, 1]\n"
                "doc|key=collective.1|value=[2]\n"
                "doc|key=x.a.b\n"
                "doc|key=x.c|value=true\n"
                "doc|key=x.d.0.e|value=1e999\n"
                "doc|key=x.d|value=[\"f\\x5cu000a\"]\n");
    case_expect("g1_point_info", parse_point_info, "{\"fp_start\": \"Default/a\", \"bp_end\": \"Default/b\"}",
                "setting|key=fp_start|value=Default/a|rank=0\n"
                "setting|key=bp_end|value=Default/b|rank=0\n");
    case_expect("g1_point_info", parse_point_info,
    "[{\"fp_start\": \"a\", \"bp_end\": \"b\"}, {\"fp_start\": \"c\", \"bp_end\": \"d\"}]",
                "setting|key=fp_start|value=a|rank=0\n"
                "setting|key=bp_end|value=b|rank=0\n"
                "doc|key=1.fp_start|value=c\n"
                "doc|key=1.bp_end|value=d\n");
}

/* The inventory writes its settings itself: once in the store. */
static void json_info_counts_what_the_inventory_read(void **state)
{
    struct run_setting s[2] = { { STR("common.level"), STR("1"), -1, 1 }, { STR("other"), STR("2"), -1, 2 } };
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    rows_init(&r, "profiler_info", scratch_write("{\"a\": 1}", 8));
    r.run.settings = s;
    r.run.n_settings = 2;
    assert_int_equal(rows_parse(&r, parse_profiler_info, &e), OK);
    assert_int_equal(buf_str(&r.text).n, 0);
    assert_int_equal(r.rows, 1);
    rows_done(&r);
    case_expect("profiler_info", parse_profiler_info, "{\"a\": 1}", "doc|key=a|value=1\n");
}

#define STRATEGY \
    "{\"config\": {\"rankId\": 0, \"parallelType\": \"auto_parallel\", \"stageDevices\": [{\"dim\": " \
    "[{\"size\": \"0\"}]}]}, \"graph\": {\"node\": [" \
    "{\"name\": \"1\", \"opType\": \"GetNext\", \"fullName\": \"Default/GetNext\", \"attribute\": " \
    "[{\"name\": \"num\", \"value\": {\"dtype\": \"DT_INT64\", \"intVal\": \"2\"}}]}," \
    "{\"name\": \"2\", \"opType\": \"Conv2D\", \"attribute\": [{\"name\": \"gen_strategy\", \"value\": " \
    "{\"dtype\": \"DT_TUPLE\", \"values\": [{\"dtype\": \"DT_TUPLE\", \"values\": [{\"intVal\": \"2\"}, " \
    "{\"intVal\": \"1\"}]}, {\"values\": [{\"intVal\": \"4\"}]}]}}], \"fullName\": \"Default/Conv2D\"}]}}"

static void json_strategies_belong_to_ops(void **state)
{
    (void)state;
    case_expect("parallel_strategy", parse_parallel_strategy, STRATEGY,
                "setting|key=rankId|value=0|rank=0\n"
                "setting|key=parallelType|value=auto_parallel|rank=0\n"
                "op|id=1|name_id=Default/Conv2D|type_id=Conv2D|strategy_id=((2, 1), (4))\n");
}

static void json_dynamic_shapes_are_counted(void **state)
{
    (void)state;
    case_expect("g1_dynamic_shape", parse_dynamic_shape,
                "{\"operator\": {\"1\": [{\"step\": 1, \"op_side\": \"gpu\", \"op_type\": \"Add\", "
                "\"op_name\": \"Add-op6\", \"dur\": 2, \"shape_info\": [\"[32, 1]\", \"[2]\", \"\"]}],"
                "\"2\": [{\"op_side\": \"gpu\", \"op_type\": \"Add\", \"op_name\": \"Add-op6\", \"dur\": 4, "
                "\"shape_info\": [\"[32, 1]\", \"[2]\"]}, {\"op_side\": \"cpu\", \"op_type\": \"C\", "
                "\"op_name\": \"c\", \"dur\": 1, \"shape_info\": []}]},"
                "\"operator_type\": {\"1\": {\"Add\": [2, 1, 2]}}}",
                "op_stat|by=shape|name_id=Add-op6|type_id=Add|core=GPU|rank=0|calls=2|total_ns=6000|"
                "avg_ns=3000|min_ns=2000|max_ns=4000|per=run|in_shapes_id=[32, 1];[2]\n"
                "op_stat|by=shape|name_id=c|type_id=C|core=CPU|rank=0|calls=1|total_ns=1000|avg_ns=1000|"
                "min_ns=1000|max_ns=1000|per=run\n");
    case_expect("g1_dynamic_shape", parse_dynamic_shape,
                "{\"Add\": [{\"Add-op1\": {\"op_exe_time\": [1.5, 2.5, 1], \"op_shape\": [\"a\", \"b\", "
                "\"a\"], \"op_exe_occurrences\": 3}}], \"op_type\": {\"Add\": [1.5]}}",
                "op_stat|by=shape|name_id=Add-op1|type_id=Add|rank=0|calls=2|total_ns=2500000|avg_ns=1250000|"
                "min_ns=1000000|max_ns=1500000|per=run|in_shapes_id=a\n"
                "op_stat|by=shape|name_id=Add-op1|type_id=Add|rank=0|calls=1|total_ns=2500000|avg_ns=2500000|"
                "min_ns=2500000|max_ns=2500000|per=run|in_shapes_id=b\n");
}

static void json_step_trace_gives_steps_too(void **state)
{
    struct rows r;

    (void)state;
    const char *t =
        "[{\"name\": \"Iteration 1\", \"pid\": 3, \"tid\": 10036, \"ts\": \"1718134623133559.121\", \"dur\": "
        "4429.29, \"args\": {\"Iteration ID\": 1, \"FP Start\": \"1718134623133684.541\", \"BP End\": "
        "\"1718134623137534.681\"}, \"cat\": \"Iteration Time\", \"ph\": \"X\"},"
        "{\"name\": \"Reduce_1_0\", \"pid\": 3, \"tid\": 10036, \"ts\": \"1718134623133974.201\", \"dur\": "
        "36.44, \"args\": {\"Iteration ID\": 1}, \"cat\": \"Reduce\", \"ph\": \"X\"},"
        "{\"name\": \"thread_name\", \"pid\": 3, \"tid\": 10036, \"args\": {\"name\": \"Step Trace(Model "
        "ID:5)\"}, \"ph\": \"M\"}]";
    case_parse(&r, "step_trace_json", parse_trace_steps, t, strlen(t), GEN_M);
    case_need(&r, "step|rank=0|step=1|model_id=5|start_ns=1718134623133559121|end_ns=1718134623137988411|"
    "fp_ns=1718134623133684541|bp_ns=1718134623137534681|total_ns=4429290|interval_ns=125420|"
    "fp_bp_ns=3850140|tail_ns=453730|refresh_ns=453730|complete=1");
    case_need(&r, "step_part|rank=0|step=1|kind=reduce|name_id=Reduce_1_0|start_ns=1718134623133974201|"
    "end_ns=1718134623134010641|dur_ns=36440");
    assert_int_equal(sink_count_get(r.count)->events, 2);
    assert_int_equal(r.rows, 3);
    rows_done(&r);
}
/* clang-format on */

/*
 * Cut at every length: never an error, rows only grow, exactly one note of damage when anything is missing. 2
 * 000 flips: a lost row is never without a note or a value that became missing.
 */
static void check_damage(const char *kind, parse_fn *parse, const char *text)
{
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    uint64_t seed = 88172645463325252u, before = 0;
    struct rows r;

    assert_non_null(copy);
    for (size_t cut = 1; cut <= n; cut++) {
        assert_int_equal(case_parse(&r, kind, parse, text, cut, GEN_UNKNOWN), OK);
        const struct sink_counts *k = sink_count_get(r.count);
        if (k->notes[NOTE_TORN_FILE] != (cut < n ? 1u : 0u))
            fail_msg("%s cut at %zu: %" PRIu64 " notes", kind, cut, k->notes[NOTE_TORN_FILE]);
        if (r.rows + 4 < before)
            fail_msg("%s cut at %zu: %" PRIu64 " rows, %" PRIu64 " before", kind, cut, r.rows, before);
        before = r.rows;
        rows_done(&r);
    }
    for (int i = 0; i < 2000; i++) {
        memcpy(copy, text, n + 1);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        assert_int_equal(case_parse(&r, kind, parse, copy, n, GEN_UNKNOWN), OK);
        if (r.rows + 2 < before && r.rows > 0 && sink_count_get(r.count)->note_calls == 0)
            fail_msg("%s: a flip at %zu left %" PRIu64 " of %" PRIu64 " rows without a note", kind, at,
                     r.rows, before);
        rows_done(&r);
    }
    free(copy);
}

static void json_damage_keeps_what_came_before(void **state)
{
    (void)state;
    check_damage("communication", parse_communication, COMMUNICATION);
    check_damage("communication_matrix", parse_communication_matrix, MATRIX);
    check_damage("md_pipeline_profiling", parse_md_pipeline, PIPELINE);
    check_damage("md_cpu_utilization", parse_md_cpu, CPU);
    check_damage("g1_memory", parse_memory, MEMORY);
    check_damage("parallel_strategy", parse_parallel_strategy, STRATEGY);
    check_damage("communication_group", parse_groups, GROUPS);
    check_damage("profiler_metadata", parse_profiler_metadata, METADATA);
    check_damage("dyn_config", parse_doc_rows, "{\"a\": [[0, 1], [2]], \"b\": 1}");
}

static void json_nesting_has_a_limit(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    buf_init(&b, 4096);
    for (int i = 0; i < 200; i++)
        buf_puts(&b, "[");
    case_parse(&r, "dyn_config", parse_doc_rows, b.p, b.n, GEN_C);
    assert_int_equal(r.lost, 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
    rows_done(&r);
    buf_done(&b);
}

static void json_documents_have_a_limit(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    buf_init(&b, (size_t)1 << 20);
    buf_puts(&b, "{\"a\":[");
    for (int i = 0; i < 20005; i++)
        buf_puts(&b, i ? ",{\"b\":1}" : "{\"b\":1}");
    buf_puts(&b, "]}");
    case_parse(&r, "dyn_config", parse_doc_rows, b.p, b.n, GEN_C);
    assert_int_equal(r.rows, 20000);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 5);
    rows_done(&r);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_communication_of_a_rank),
        cmocka_unit_test(json_communication_in_other_forms),
        cmocka_unit_test(json_matrix_has_three_forms),
        cmocka_unit_test(json_pipeline_is_a_tree_with_queues),
        cmocka_unit_test(json_cpu_series_stand_next_to_each_other),
        cmocka_unit_test(json_summary_of_the_pipeline),
        cmocka_unit_test(json_memory_details_and_summary),
        cmocka_unit_test(json_flops_sums_and_scopes),
        cmocka_unit_test(json_groups_become_rows),
        cmocka_unit_test(json_documents_become_keys_and_values),
        cmocka_unit_test(json_info_counts_what_the_inventory_read),
        cmocka_unit_test(json_strategies_belong_to_ops),
        cmocka_unit_test(json_dynamic_shapes_are_counted),
        cmocka_unit_test(json_step_trace_gives_steps_too),
        cmocka_unit_test(json_damage_keeps_what_came_before),
        cmocka_unit_test(json_nesting_has_a_limit),
        cmocka_unit_test(json_documents_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
