/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which options make which file (doc/formats/analysed.md#expected-files), and what a missing one means
 * (doc/screens.md#empty-states). Conditions: run/expect.h. The options to set are those of the kinds in the
 * tables beside this one.
 */
#include "config.h"

#include "parsers/kinds/kinds.h"
#include "run/expect.h"

#define OUT  "ASCEND_PROFILER_OUTPUT/"
#define MOUT "mindstudio_profiler_output/"

/* clang-format off */
#define NPU     { EX_NPU, NULL, "device data was not collected" }
#define CPU     { EX_CPU, NULL, "host data was not collected" }
#define LEVEL0  { EX_LEVEL0, NULL, "the profiler level was none" }
#define LEVEL1  { EX_LEVEL1, NULL, "the profiler level was below 1" }
#define LEVEL2  { EX_LEVEL2, NULL, "the profiler level was below 2" }
#define TEXT    { EX_TEXT, NULL, NULL }
#define DB      { EX_DB, NULL, NULL }
#define MEMORY  { EX_MEMORY, NULL, "memory was not collected" }
#define COMM    { EX_COMM, NULL, "one rank only, or no communication op ran" }
#define ASCEND  { EX_ASCEND, NULL, NULL }
#define GRAPH   { EX_GRAPH, NULL, "PyNative mode" }
#define MAYBE(why) { EX_MAYBE, NULL, why }
#define HAVE(kinds, why) { EX_HAVE, kinds, why }
#define WITH(kinds) { EX_WITH, kinds, NULL }

/* Any sign that op times of MindSpore 1.x were collected. */
#define OP_TIME HAVE("raw_hwts,raw_stars,raw_framework,raw,op_summary,g1_framework_raw,g1_op_type," \
    "g1_op_detail,g1_timeline_data,g1_timeline_display,g1_op_compute_time", \
    "op times were not collected")

const struct expect_rule expect_rules[] = {
/* ---- rank folders of MindSpore and torch_npu ---- */
{ "profiler_info", G2, "profiler_info_{R}.json", true, { { EX_END, NULL, NULL } },
    "stop() writes it: the run was killed before, or the file was not copied" },
{ "profiler_info", GP, "profiler_info.json", true, { { EX_END, NULL, NULL } },
    "it is written at the end: the run was killed before, or the file was not copied" },
{ "trace_view", G2 | GP, OUT "trace_view.json", false, { TEXT }, NULL },
{ "kernel_details", G2 | GP, OUT "kernel_details.csv", false, { TEXT, NPU, LEVEL0 }, NULL },
{ "step_trace_time", G2 | GP, OUT "step_trace_time.csv", false, { TEXT, NPU, LEVEL0 }, NULL },
{ "op_statistic", G2 | GP, OUT "op_statistic.csv", false, { TEXT, NPU, LEVEL1 }, NULL },
{ "api_statistic", GP, OUT "api_statistic.csv", false, { TEXT, NPU, LEVEL1 }, NULL },
{ "api_statistic", G2, OUT "api_statistic.csv", false, { TEXT, NPU, LEVEL0 }, NULL },
{ "communication", G2 | GP, OUT "communication.json", false, { TEXT, NPU, LEVEL1, COMM }, NULL },
{ "communication_matrix", G2 | GP, OUT "communication_matrix.json", false, { TEXT, NPU, LEVEL1, COMM },
    NULL },
{ "operator_details", GP, OUT "operator_details.csv", false, { TEXT, CPU }, NULL },
{ "operator_details", G2, OUT "operator_details.csv", false, { TEXT, { EX_VERSION, "2.7", NULL }, CPU,
    { EX_SHAPES, NULL, "shapes were not recorded" } }, NULL },
{ "dataset", G2, OUT "dataset.csv", false,
    { TEXT, CPU, MAYBE("no MindSpore dataset was used, or profiling started after the first step") }, NULL },
{ "operator_memory", G2, OUT "operator_memory.csv", false, { TEXT, CPU, MEMORY }, NULL },
{ "operator_memory", GP, OUT "operator_memory.csv", false, { TEXT, MEMORY }, NULL },
{ "memory_record", G2 | GP, OUT "memory_record.csv", false, { TEXT, NPU, MEMORY }, NULL },
{ "npu_module_mem", G2 | GP, OUT "npu_module_mem.csv", false, { TEXT, NPU, MEMORY }, NULL },
{ "static_op_mem", G2, OUT "static_op_mem.csv", false,
    { TEXT, NPU, MEMORY, MAYBE("no graph ran as a whole, which jit level O2 makes") }, NULL },
{ "l2_cache", G2 | GP, OUT "l2_cache.csv", false,
    { TEXT, NPU, { EX_L2, NULL, "L2 cache rates were not collected" } }, NULL },
{ "aicpu", G2 | GP, OUT "data_preprocess.csv", false, { TEXT, NPU, LEVEL2, MAYBE("no AI CPU op ran") },
    NULL },
{ "hbm", G2, OUT "hbm.csv", false, { TEXT, NPU, { EX_VERSION, "2.7", NULL },
    { EX_HBM, NULL, "memory bandwidth was not sampled" } }, NULL },
{ "hccs", G2 | GP, OUT "hccs.csv", false, { TEXT, NPU, { EX_LINKS, NULL, "links were not sampled" } }, NULL },
{ "pcie", G2 | GP, OUT "pcie.csv", false, { TEXT, NPU, { EX_LINKS, NULL, "links were not sampled" } }, NULL },
{ "nic", G2 | GP, OUT "nic.csv", false, { TEXT, NPU, { EX_IO, NULL, "network cards were not sampled" } },
    NULL },
{ "roce", G2 | GP, OUT "roce.csv", false, { TEXT, NPU, { EX_IO, NULL, "network cards were not sampled" } },
    NULL },
{ "md_pipeline_raw", G2, OUT "minddata_pipeline_raw_{R}.csv", false,
    { { EX_DATA, NULL, "data preparation was not collected" }, MAYBE("no MindSpore dataset was used") },
    NULL },
{ "md_pipeline_summary", G2, OUT "minddata_pipeline_summary_{R}.csv", false,
    { { EX_DATA, NULL, "data preparation was not collected" }, MAYBE("no MindSpore dataset was used") },
    NULL },
{ "pt_db", GP, OUT "ascend_pytorch_profiler.db", false, { DB }, NULL },
{ "analysis_db", GP, OUT "analysis.db", false, { DB, NPU, MAYBE("no steps and no communication were seen") },
    NULL },
{ "ms_db", G2, OUT "ascend_mindspore_profiler_{R}.db", false, { DB }, NULL },

/* ---- msprof ---- */
{ "msprof_json", GM, MOUT "msprof_*.json", false,
    { { EX_LACK, "msprof_part_json,msprof_db", "exported in another form" } },
    "the timeline was not exported: msprof --export=on" },
{ "op_summary", GM, MOUT "op_summary_*.csv", false, { { EX_LACK, "msprof_db", "exported as a database" },
    MAYBE("task times were not collected, or nothing ran on the device") }, NULL },
{ "op_statistic", GM, MOUT "op_statistic_*.csv", false, { { EX_LACK, "msprof_db", "exported as a database" },
    MAYBE("task times were not collected at level 1, or nothing ran on the device") }, NULL },
{ "communication", GM, "analyze/communication.json", false,
    { MAYBE("no communication op ran, or msprof --analyze was not called") }, NULL },
{ "communication_matrix", GM, "analyze/communication_matrix.json", false,
    { MAYBE("no communication op ran, or msprof --analyze was not called") }, NULL },

/* ---- flat files of MindSpore 1.x: judged by the files that lie there ---- */
{ "profiler_info", GF, "profiler_info_{R}.json", true,
    { MAYBE("older than 2.0, or the run never started collecting, or it was killed") }, NULL },
{ "g1_op_type", GF, "aicore_intermediate_{R}_type.csv", false, { ASCEND, GRAPH, OP_TIME }, NULL },
{ "g1_op_detail", GF, "aicore_intermediate_{R}_detail.csv", false, { ASCEND, GRAPH, OP_TIME }, NULL },
{ "g1_framework_raw", GF, "framework_raw_{R}.csv", false, { ASCEND, GRAPH, OP_TIME }, NULL },
{ "g1_timeline_data", GF, "output_timeline_data_{R}.txt", false, { ASCEND, OP_TIME }, NULL },
{ "g1_timeline_display", GF, "ascend_timeline_display_{R}.json", false, { ASCEND, OP_TIME },
    "the analysis did not run to its end, or the size limit cut it (timeline_limit)" },
{ "g1_step_trace", GF, "step_trace_raw_{R}_detail_time.csv", false, { ASCEND, GRAPH,
    HAVE("raw_ts_track,raw_training_trace,g1_point_info,step_trace",
    "step points were not collected (or PyNative mode, or heterogeneous)") }, NULL },
{ "g1_aicpu", GF, "aicpu_intermediate_{R}.csv", false,
    { ASCEND, HAVE("raw_aicpu,g1_aicpu_text,aicpu", "no AI CPU op ran, or they were not collected") }, NULL },
{ "g1_flops", GF, "flops_{R}.txt", false,
    { ASCEND, GRAPH, HAVE("raw_aicore,g1_flops_summary", "AI Core counters were not collected") }, NULL },
{ "g1_memory_pb", G1, "memory_usage_{R}.pb", true,
    { ASCEND, MEMORY,
    HAVE("g1_memory", "tensor memory was not collected (graph mode without dynamic shapes only)") }, NULL },
{ "g1_hccl_raw", GF, "hccl_raw_{R}.csv", false,
    { ASCEND, COMM, HAVE("g1_hccl_trace", "communication was not collected") }, NULL },
{ "md_pipeline_profiling", GF, "pipeline_profiling_{R}.json", true,
    { { EX_DATA, NULL, "data preparation was not collected" },
    HAVE("md_pipeline_raw,md_pipeline_summary,md_device_queue,md_dataset_iterator,md_cpu_utilization",
    "data preparation was not collected") }, NULL },
{ "md_device_queue", GF, "device_queue_profiling_{R}.txt", true, { WITH("md_pipeline_profiling"),
    { EX_LACK, "md_dataset_iterator", "dataset sink mode is off: feed mode has no device queue" } },
    "this or dataset_iterator_profiling should be there" },
{ "md_pipeline_raw", GF, "minddata_pipeline_raw_{R}.csv", false, { WITH("md_pipeline_profiling") }, NULL },
{ "md_aicpu", GF, "minddata_aicpu_{R}.txt", false, { ASCEND, WITH("md_device_queue"),
    HAVE("raw_aicpu_mi", "sink mode without AI CPU data") }, NULL },
{ "host_info", G1B, "host_info/host_info_{R}.csv", false, { { EX_VERSION, "2.1", NULL },
    { EX_BEFORE, "2.4", NULL }, MAYBE("host times were not collected") }, NULL },
};
/* clang-format on */
const size_t expect_n_rules = ARRAY_LEN(expect_rules);
