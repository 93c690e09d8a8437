/* SPDX-License-Identifier: Apache-2.0 */
/* Column maps of the CSV kinds that need no logic of their own: one row per kind. Layouts:
 * doc/formats/analysed.md#kernels-and-ops to #sampled-hardware. */
#include "config.h"

#include "parsers/read/csvmap.h"
#include "parsers/tables/step_cols.h"
#include "store/schema.h"

/* clang-format off */
#define MAP(id, t, c, k) { .kind = id, .table = T_##t, .cols = c, .n_cols = ARRAY_LEN(c), .consts = k }

/* doc/formats/analysed.md#op_statistic */
static const struct csv_col op_statistic[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "Model Name",             CV_EXTRA,   0 },
    { "OP Type",                CV_STR,     COL(op_stat, type_id) },
    { "Core Type",              CV_CORE,    COL(op_stat, core) },
    { "Count",                  CV_INT,     COL(op_stat, calls) },
    { "Total Time(us)",         CV_US_REAL, COL(op_stat, total_ns) },
    { "Min Time(us)",           CV_US_REAL, COL(op_stat, min_ns) },
    { "Avg Time(us)",           CV_US_REAL, COL(op_stat, avg_ns) },
    { "Max Time(us)",           CV_US_REAL, COL(op_stat, max_ns) },
    { "Ratio(%)",               CV_PERCENT, COL(op_stat, share) },
};
/* doc/formats/analysed.md#api_statistic */
static const struct csv_col api_statistic[] = {
    { "Device_id|Device Id",    CV_SKIP,    0 },            /* always the host */
    { "Level",                  CV_CELL,    COL(api_stat, level) },
    { "API Name",               CV_STR,     COL(api_stat, name_id) },
    { "Time(us)",               CV_US_REAL, COL(api_stat, total_ns) },
    { "Count",                  CV_INT,     COL(api_stat, calls) },
    { "Avg(us)",                CV_US_REAL, COL(api_stat, avg_ns) },
    { "Min(us)",                CV_US_REAL, COL(api_stat, min_ns) },
    { "Max(us)",                CV_US_REAL, COL(api_stat, max_ns) },
    { "Variance",               CV_REAL,    COL(api_stat, variance) },
};
/* doc/formats/analysed.md#operator_details */
static const struct csv_col operator_details[] = {
    { "Name",                                       CV_STR, COL(host_op, name_id) },
    { "Input Shapes",                               CV_STR, COL(host_op, in_shapes_id) },
    { "Call Stack",                                 CV_STR, COL(host_op, stack_id) },
    { "Host Self Duration(us)",                     CV_US,  COL(host_op, self_ns) },
    { "Host Total Duration(us)",                    CV_US,  COL(host_op, dur_ns) },
    { "Device Self Duration(us)",                   CV_US,  COL(host_op, device_self_ns) },
    { "Device Total Duration(us)",                  CV_US,  COL(host_op, device_ns) },
    { "Device Self Duration With AICore(us)",       CV_US,  COL(host_op, aicore_self_ns) },
    { "Device Total Duration With AICore(us)",      CV_US,  COL(host_op, aicore_ns) },
};
/* doc/formats/analysed.md#fusion_op */
static const struct csv_col fusion_op[] = {
    { "Device_id|Device Id",        CV_SKIP,  0 },          /* host */
    { "Model Name",                 CV_EXTRA, 0 },
    { "Model ID",                   CV_ID,    COL(fusion, model_id) },
    { "Fusion Op",                  CV_STR,   COL(fusion, op_name_id) },
    { "Original Ops",               CV_STR,   COL(fusion, original_id) },
    { "Memory Input(KB)",           CV_KB,    COL(fusion, input_b) },
    { "Memory Output(KB)",          CV_KB,    COL(fusion, output_b) },
    { "Memory Weight(KB)",          CV_KB,    COL(fusion, weight_b) },
    { "Memory Workspace(KB)",       CV_KB,    COL(fusion, workspace_b) },
    { "Memory Total(KB)",           CV_KB,    COL(fusion, total_b) },
};
/* doc/formats/analysed.md#l2_cache, #soc_pmu, #page_fault */
#define TASK_KEY \
    { "Device_id|Device Id",        CV_DEVICE, CSV_DEVICE }, \
    { "Stream Id",                  CV_INT,    COL(task_cache, stream) }, \
    { "Task Id",                    CV_INT,    COL(task_cache, task) }, \
    { "Op Name",                    CV_STR,    COL(task_cache, name_id) }
static const struct csv_col l2_cache[] = {
    TASK_KEY,
    { "Hit Rate",                   CV_REAL,   COL(task_cache, l2_hit) },
    { "Victim Rate",                CV_REAL,   COL(task_cache, l2_victim) },
};
static const struct csv_col soc_pmu[] = {
    TASK_KEY,
    { "TLB Hit Rate",               CV_REAL,   COL(task_cache, tlb_hit) },
    { "TLB Miss Rate",              CV_REAL,   COL(task_cache, tlb_miss) },
};
static const struct csv_col page_fault[] = {
    TASK_KEY,
    { "Page Fault Num",             CV_INT,    COL(task_cache, page_faults) },
};
/* doc/formats/analysed.md#step_trace_time */
static const struct csv_col step_trace_time[] = {
    { "Device_id|Device Id",            CV_DEVICE, CSV_DEVICE },
    STEP_SPLIT_COLS,
};
/* doc/formats/analysed.md#communication_statistic */
static const struct csv_col communication_statistic[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "OP Type",                CV_STR,     COL(comm_stat, type_id) },
    { "Count",                  CV_INT,     COL(comm_stat, calls) },
    { "Total Time(us)",         CV_US_REAL, COL(comm_stat, total_ns) },
    { "Min Time(us)",           CV_US_REAL, COL(comm_stat, min_ns) },
    { "Avg Time(us)",           CV_US_REAL, COL(comm_stat, avg_ns) },
    { "Max Time(us)",           CV_US_REAL, COL(comm_stat, max_ns) },
    { "Ratio(%)",               CV_PERCENT, COL(comm_stat, share) },
};
/* doc/formats/analysed.md#operator_memory: MB of torch_npu and MindSpore, KB of msprof */
static const struct csv_col operator_memory[] = {
    { "Device_id|Device Id",                CV_DEVICE, CSV_DEVICE },
    { "Name",                               CV_STR,   COL(mem_alloc, name_id) },
    { "Size(KB)",                           CV_KB,    COL(mem_alloc, size_b) },
    { "Allocation Time(us)",                CV_TS_US, COL(mem_alloc, alloc_ns) },
    { "Release Time(us)",                   CV_TS_US, COL(mem_alloc, release_ns) },
    { "Active Release Time(us)",            CV_TS_US, COL(mem_alloc, active_release_ns) },
    { "Duration(us)",                       CV_US,    COL(mem_alloc, dur_ns) },
    { "Active Duration(us)",                CV_US,    COL(mem_alloc, active_dur_ns) },
    { "Allocation Total Allocated(MB)",     CV_MB,    COL(mem_alloc, alloc_total_allocated_b) },
    { "Allocation Total Reserved(MB)",      CV_MB,    COL(mem_alloc, alloc_total_reserved_b) },
    { "Allocation Total Active(MB)",        CV_MB,    COL(mem_alloc, alloc_total_active_b) },
    { "Release Total Allocated(MB)",        CV_MB,    COL(mem_alloc, release_total_allocated_b) },
    { "Release Total Reserved(MB)",         CV_MB,    COL(mem_alloc, release_total_reserved_b) },
    { "Release Total Active(MB)",           CV_MB,    COL(mem_alloc, release_total_active_b) },
    { "Allocation Total Allocated(KB)",     CV_KB,    COL(mem_alloc, alloc_total_allocated_b) },
    { "Allocation Total Reserved(KB)",      CV_KB,    COL(mem_alloc, alloc_total_reserved_b) },
    { "Allocation Total Active(KB)",        CV_KB,    COL(mem_alloc, alloc_total_active_b) },
    { "Release Total Allocated(KB)",        CV_KB,    COL(mem_alloc, release_total_allocated_b) },
    { "Release Total Reserved(KB)",         CV_KB,    COL(mem_alloc, release_total_reserved_b) },
    { "Release Total Active(KB)",           CV_KB,    COL(mem_alloc, release_total_active_b) },
    { "Stream Ptr",                         CV_U64,   COL(mem_alloc, stream) },
    { "Device Type|Device",                 CV_CELL,  COL(mem_alloc, device_type) },
};
/* doc/formats/analysed.md#memory_record */
static const struct csv_col memory_record[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "Component",              CV_STR,     COL(mem_sample, component_id) },
    { "Timestamp(us)",          CV_TS_US,   COL(mem_sample, ts_ns) },
    { "Total Allocated(MB)",    CV_MB_1000, COL(mem_sample, allocated_b) },
    { "Total Reserved(MB)",     CV_MB_1000, COL(mem_sample, reserved_b) },
    { "Total Active(MB)",       CV_MB_1000, COL(mem_sample, active_b) },
    { "Total Allocated(KB)",    CV_KB,      COL(mem_sample, allocated_b) },
    { "Total Reserved(KB)",     CV_KB,      COL(mem_sample, reserved_b) },
    { "Total Active(KB)",       CV_KB,      COL(mem_sample, active_b) },
    { "Stream Ptr",             CV_U64,     COL(mem_sample, stream) },
    { "Device Type|Device",     CV_CELL,    COL(mem_sample, device_type) },
};
/* doc/formats/analysed.md#npu_mem */
static const struct csv_col npu_mem[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "event",                  CV_CELL,  COL(mem_device, process) },
    { "ddr(KB)",                CV_KB,    COL(mem_device, ddr_b) },
    { "hbm(KB)",                CV_KB,    COL(mem_device, hbm_b) },
    { "memory(KB)",             CV_KB,    COL(mem_device, total_b) },
    { "timestamp(us)",          CV_TS_US, COL(mem_device, ts_ns) },
};
/* doc/formats/analysed.md#npu_module_mem */
static const struct csv_col npu_module_mem[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "Component",              CV_STR,   COL(mem_module, module_id) },
    { "Timestamp(us)",          CV_TS_US, COL(mem_module, ts_ns) },
    { "Total Reserved(MB)",     CV_MB,    COL(mem_module, reserved_b) },
    { "Total Reserved(KB)",     CV_KB,    COL(mem_module, reserved_b) },
    { "Device|Device Type",     CV_CELL,  COL(mem_module, device_type) },
};
/* doc/formats/analysed.md#cpu_ms_memory_record */
static const struct csv_col ms_memory_record[] = {
    { "Timestamp(ns)",          CV_TS_NS, COL(mem_sample, ts_ns) },
    { "Total Allocated(Byte)",  CV_B,     COL(mem_sample, allocated_b) },
    { "Total Reserved(Byte)",   CV_B,     COL(mem_sample, reserved_b) },
    { "Total Active(Byte)",     CV_B,     COL(mem_sample, active_b) },
};
/* doc/formats/analysed.md#aicpu */
static const struct csv_col aicpu[] = {
    { "Device_id|Device Id",    CV_DEVICE, CSV_DEVICE },
    { "Timestamp(us)",          CV_TS_US, COL(aicpu_exec, ts_ns) },
    { "Node",                   CV_STR,   COL(aicpu_exec, name_id) },
    { "Compute_time(us)",       CV_US,    COL(aicpu_exec, compute_ns) },
    { "Memcpy_time(us)",        CV_US,    COL(aicpu_exec, memcpy_ns) },
    { "Task_time(us)",          CV_US,    COL(aicpu_exec, task_ns) },
    { "Dispatch_time(us)",      CV_US,    COL(aicpu_exec, dispatch_ns) },
    { "Total_time(us)",         CV_US,    COL(aicpu_exec, total_ns) },
    { "Stream ID",              CV_INT,   COL(aicpu_exec, stream) },
    { "Task ID",                CV_INT,   COL(aicpu_exec, task) },
};
/* doc/formats/analysed.md#dataset */
static const struct csv_col dataset[] = {
    { "Operation",                      CV_CELL,    COL(dataset_stage, op) },
    { "Stage",                          CV_CELL,    COL(dataset_stage, stage) },
    { "Occurrences",                    CV_INT,     COL(dataset_stage, count) },
    { "Avg. time (us)|Avg. time(us)",   CV_US_REAL, COL(dataset_stage, avg_ns) },
    { "Custom Info",                    CV_CELL,    COL(dataset_stage, info) },
};
/* doc/formats/analysed.md#host_usage */
static const struct csv_col osrt_statistic[] = {
    { "Device_id|Device Id",            CV_SKIP,    0 },
    { "Name",                           CV_STR,     COL(api_stat, name_id) },
    { "Time(us)",                       CV_US_REAL, COL(api_stat, total_ns) },
    { "Count",                          CV_INT,     COL(api_stat, calls) },
    { "Avg(us)",                        CV_US_REAL, COL(api_stat, avg_ns) },
    { "Min(us)",                        CV_US_REAL, COL(api_stat, min_ns) },
    { "Max(us)",                        CV_US_REAL, COL(api_stat, max_ns) },
    { "Process ID|Thread ID|Time(%)",   CV_EXTRA,   0 },
};
/* doc/formats/analysed.md#msprof_tx */
static const struct csv_col msproftx[] = {
    { "Device_id|Device Id",    CV_SKIP,  0 },
    { "message",                CV_STR,   COL(host_stage, name_id) },
    { "tid",                    CV_CELL,  COL(host_stage, thread) },
    { "event_type",             CV_CELL,  COL(host_stage, level) },
    { "domain",                 CV_CELL,  COL(host_stage, info) },
    { "Start_time(us)",         CV_TS_US, COL(host_stage, start_ns) },
    { "End_time(us)",           CV_TS_US, COL(host_stage, end_ns) },
    { "pid|category|payload_type|payload_value|message_type|mark_id|Device Start_time(us)|Device "
        "End_time(us)", CV_EXTRA, 0 },
};
/* doc/formats/mindspore1.md#gpu */
static const struct csv_col gpu_op_detail[] = {
    { "op_side",                    CV_CORE,    COL(op_stat, core) },
    { "op_type",                    CV_STR,     COL(op_stat, type_id) },
    { "op_name",                    CV_SKIP,    0 },        /* end of the full name */
    { "op_full_name|full_op_name",  CV_STR,     COL(op_stat, name_id) },
    { "op_occurrences",             CV_INT,     COL(op_stat, calls) },
    { "op_total_time(us)",          CV_US_REAL, COL(op_stat, total_ns) },
    { "op_avg_time(us)",            CV_US_REAL, COL(op_stat, avg_ns) },
    { "total_proportion",           CV_REAL,    COL(op_stat, share) },
    { "cuda_activity_cost_time(us)|cuda_activity_call_count", CV_EXTRA, 0 },
};
static const struct csv_col gpu_op_type[] = {
    { "op_type",                    CV_STR,     COL(op_stat, type_id) },
    { "type_occurrences",           CV_INT,     COL(op_stat, calls) },
    { "total_time(us)",             CV_US_REAL, COL(op_stat, total_ns) },
    { "avg_time(us)",               CV_US_REAL, COL(op_stat, avg_ns) },
    { "total_proportion",           CV_REAL,    COL(op_stat, share) },
};
static const struct csv_col gpu_activity[] = {
    { "name",                       CV_STR,     COL(op_stat, name_id) },
    { "type",                       CV_STR,     COL(op_stat, type_id) },
    { "occurrences",                CV_INT,     COL(op_stat, calls) },
    { "total_duration(us)",         CV_US_REAL, COL(op_stat, total_ns) },
    { "avg_duration(us)",           CV_US_REAL, COL(op_stat, avg_ns) },
    { "min_duration(us)",           CV_US_REAL, COL(op_stat, min_ns) },
    { "max_duration(us)",           CV_US_REAL, COL(op_stat, max_ns) },
    { "op_full_name|stream_id|block_dim|grid_dim", CV_EXTRA, 0 },
};
/* doc/formats/mindspore1.md#cpu */
static const struct csv_col cpu_op_detail[] = {
    { "op_side",                    CV_CORE,    COL(op_stat, core) },
    { "op_type",                    CV_STR,     COL(op_stat, type_id) },
    { "op_name|subgraph",           CV_SKIP,    0 },
    { "full_op_name|op_full_name",  CV_STR,     COL(op_stat, name_id) },
    { "op_occurrences",             CV_INT,     COL(op_stat, calls) },
    { "op_total_time(ms)",          CV_MS_REAL, COL(op_stat, total_ns) },
    { "op_avg_time(ms)",            CV_MS_REAL, COL(op_stat, avg_ns) },
    { "total_proportion",           CV_REAL,    COL(op_stat, share) },
    { "pid",                        CV_EXTRA,   0 },
};
static const struct csv_col cpu_op_type[] = {
    { "op_type",                        CV_STR,     COL(op_stat, type_id) },
    { "type_occurrences",               CV_INT,     COL(op_stat, calls) },
    { "total_compute_time",             CV_MS_REAL, COL(op_stat, total_ns) },
    { "avg_time(ms)",                   CV_MS_REAL, COL(op_stat, avg_ns) },
    { "percent",                        CV_REAL,    COL(op_stat, share) },
    { "execution_frequency(per-step)",  CV_EXTRA,   0 },
};

/* Texts that every row of a kind gets. */
static const struct csv_const by_type[] = { { COL(op_stat, by), "type" }, { COL(op_stat, per), "run" },
    { 0, NULL } };
static const struct csv_const gpu_by_op[] = { { COL(op_stat, by), "op" }, { COL(op_stat, per), "run" },
    { 0, NULL } };
static const struct csv_const gpu_by_type[] = { { COL(op_stat, by), "type" }, { COL(op_stat, per), "run" },
    { COL(op_stat, core), "GPU" }, { 0, NULL } };
static const struct csv_const gpu_by_kernel[] = { { COL(op_stat, by), "kernel" },
    { COL(op_stat, per), "run" }, { COL(op_stat, core), "GPU" }, { 0, NULL } };
static const struct csv_const cpu_by_type[] = { { COL(op_stat, by), "type" }, { COL(op_stat, per), "run" },
    { COL(op_stat, core), "CPU" }, { 0, NULL } };
static const struct csv_const of_framework[] = { { COL(mem_sample, component_id), "MindSpore" },
    { 0, NULL } };
static const struct csv_const os_level[] = { { COL(api_stat, level), "os" }, { 0, NULL } };

const struct csvmap csvmaps[] = {
    MAP("op_statistic", op_stat, op_statistic, by_type),
    MAP("api_statistic", api_stat, api_statistic, NULL),
    MAP("operator_details", host_op, operator_details, NULL),
    MAP("fusion_op", fusion, fusion_op, NULL),
    MAP("l2_cache", task_cache, l2_cache, NULL),
    MAP("soc_pmu", task_cache, soc_pmu, NULL),
    MAP("page_fault", task_cache, page_fault, NULL),
    MAP("step_trace_time", step, step_trace_time, NULL),
    MAP("communication_statistic", comm_stat, communication_statistic, NULL),
    MAP("operator_memory", mem_alloc, operator_memory, NULL),
    MAP("memory_record", mem_sample, memory_record, NULL),
    MAP("npu_mem", mem_device, npu_mem, NULL),
    MAP("npu_module_mem", mem_module, npu_module_mem, NULL),
    MAP("ms_memory_record", mem_sample, ms_memory_record, of_framework),
    MAP("aicpu", aicpu_exec, aicpu, NULL),
    MAP("dataset", dataset_stage, dataset, NULL),
    MAP("osrt_statistic", api_stat, osrt_statistic, os_level),
    MAP("msproftx", host_stage, msproftx, NULL),
    MAP("gpu_op_detail", op_stat, gpu_op_detail, gpu_by_op),
    MAP("gpu_op_type", op_stat, gpu_op_type, gpu_by_type),
    MAP("gpu_activity", op_stat, gpu_activity, gpu_by_kernel),
    MAP("cpu_op_detail", op_stat, cpu_op_detail, gpu_by_op),
    MAP("cpu_op_type", op_stat, cpu_op_type, cpu_by_type),
};
/* clang-format on */
const size_t csvmaps_n = ARRAY_LEN(csvmaps);
