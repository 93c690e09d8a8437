/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parse functions, for the registry. One block per family; each says which kinds of
 * doc/formats/analysed.md#registry it reads.
 */
#ifndef NPUSCOPE_PARSERS_H
#define NPUSCOPE_PARSERS_H

#include "parsers/registry.h"

/* parsers/read/csvmap.c: the kinds listed in parsers/tables/mapped_csv.c */
parse_fn parse_csv;

/* parsers/tables/kernels_csv.c: kernel_details and op_summary; task_time */
parse_fn parse_kernels, parse_task_time;

/*
 * parsers/tables/steps_csv.c: mindspore_step_trace; step_trace; cluster_step_trace_time;
 * mindspore_cluster_analyse
 */
parse_fn parse_step_trace_raw, parse_step_trace, parse_cluster_steps, parse_cluster_analyse;

/*
 * parsers/tables/opstat_csv.c: mindspore_op_detail, mindspore_op_type, mindspore_pynative; mindspore_aicpu
 * and its text
 */
parse_fn parse_op_detail, parse_op_type, parse_pynative, parse_aicpu, parse_aicpu_text;

/* parsers/tables/framework_csv.c: mindspore_framework_raw */
parse_fn parse_framework_raw;

/* parsers/tables/memory_csv.c: static_op_mem */
parse_fn parse_static_op_mem;

/* parsers/tables/data_csv.c: md_pipeline_raw, md_pipeline_summary, aicpu_mi, dp */
parse_fn parse_pipeline_raw, parse_pipeline_summary, parse_aicpu_mi, parse_dp;

/* parsers/tables/hccl_csv.c: mindspore_hccl_raw */
parse_fn parse_hccl_raw;

/* parsers/tables/host_csv.c: host_info; hbm, nic, usage files and all other tables of measurements */
parse_fn parse_host_info, parse_samples;

/* parsers/tables/any_database.c: any SQLite database; c->part: one of its tables, else the list of them */
parse_fn parse_database;
/* parsers/tables/any_table.c: parse_generic (registry.h); mem_tracker_block, mem_tracker_task */
parse_fn parse_mem_tracker;

/* parsers/tables/comm_json.c: communication, communication_matrix; the cluster's */
parse_fn parse_communication, parse_communication_matrix, parse_cluster_communication, parse_cluster_matrix;

/* parsers/tables/shapes_text.c: gpu_framework, cpu_framework */
parse_fn parse_gpu_shapes, parse_cpu_shapes;

/* parsers/tables/groups_json.c: communication_group */
parse_fn parse_groups;

/* parsers/tables/data_json.c: md_pipeline_profiling, md_cpu_utilization */
parse_fn parse_md_pipeline, parse_md_cpu;

/* parsers/tables/data_summary_json.c: md_pipeline_summary_json */
parse_fn parse_md_summary_json;

/*
 * parsers/tables/settings_json.c: any small document; profiler_info, profiler_metadata; point info, FLOPs
 * sums and scopes of MindSpore 1.x
 */
parse_fn parse_doc_rows, parse_profiler_info, parse_profiler_metadata, parse_point_info, parse_flops_summary,
    parse_flops_scope;

/* parsers/mindspore/hccl_rows.c: iterK.trace with its cost by link */
parse_fn parse_hccl_trace;

/* parsers/tables/snapshot_rows.c: memory snapshots of torch.npu.memory and torch.cuda.memory */
parse_fn parse_mem_snapshot;

/* parsers/tables/memscope.c: what msMemScope recorded, memscope_dump_*.csv and .db */
parse_fn parse_memscope_csv, parse_memscope_db;

/* parsers/tables/opprof_csv.c: the op that msOpProf measured */
parse_fn parse_opprof_basic;

/* parsers/tables/monitor_jsonl.c: what msMonitor writes line by line */
parse_fn parse_monitor_jsonl;

/* parsers/tables/memory_json.c: memory_usage_summary, memory_usage_details */
parse_fn parse_memory;

/* parsers/mindspore/strategy_pb.c: parallel_strategy_pb_N.bin */
parse_fn parse_parallel_strategy_pb;
/* parsers/mindspore/memory_pb.c: memory_usage_N.pb */
parse_fn parse_memory_pb;

/* parsers/tables/ops_json.c: parallel_strategy, dynamic_shape_info */
parse_fn parse_parallel_strategy, parse_dynamic_shape;

/* parsers/tables/data_text.c: device_queue, dataset_iterator; getnext; aicpu of minddata */
parse_fn parse_md_batches, parse_batches, parse_md_getnext, parse_md_aicpu, parse_aicpumi;

/* parsers/tables/exec_text.c: executions and step points of MindSpore 1.x */
parse_fn parse_timeline_data, parse_hwts_text, parse_cpu_timestamps, parse_gpu_timestamps,
    parse_gpu_activities, parse_gpu_steps, parse_start_time;

/* parsers/tables/ops_text.c: mean times, the report, FLOPs of MindSpore 1.x */
parse_fn parse_op_compute_time, parse_op_time_report, parse_min_cycle, parse_flops, parse_flops_step;

/*
 * parsers/trace/trace.c: trace_view, msprof_*.json and one-layer files of old exports, host_info timeline,
 * msprof_tx; *_timeline_display; iterK.trace. The offsets given with events hold the number of the slice from
 * bit TRACE_SLICE_SHIFT on.
 */
#define TRACE_SLICE_SHIFT 48
parse_fn parse_trace, parse_trace_timeline_display, parse_trace_hccl;

/* parsers/trace/trace_steps.c: step_trace_json */
parse_fn parse_trace_steps;

/* parsers/mindspore/job.c: the raw folder of one device, MindSpore 1.x */
group_fn group_mindspore_job;
/* parsers/prof/rows/rows.c: a PROF folder of today's CANN, all its devices */
group_fn group_prof;
/* parsers/database/database_group.c: databases of msprof, torch_npu, MindSpore and their analysis */
group_fn group_database;
/* parsers/working/working.c: working databases of msprof's export */
group_fn group_working;

#endif
