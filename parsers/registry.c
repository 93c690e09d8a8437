/*
 * The table of file kinds (formats/outputs.md section 2, gen1-raw.md section 3) and of groups.
 *
 * Rows stand in families; a name is looked up from the top, the first row whose pattern fits wins, so the rows that take whole folders
 * come last. Topic and priority follow schema.md section 8: 1 the rank's own output, 2 a vendor database, 3 msprof's text, 4 and up
 * raw or rebuilt data. Order of reading: performance.md 3.4.
 */
#include "config.h"

#include "parsers/layouts.h"
#include "parsers/parsers.h"
#include "parsers/registry.h"

/* clang-format off */
enum gen_bits {
    G1 = 1u << GEN_1, G1B = 1u << GEN_1B, G2 = 1u << GEN_2, GP = 1u << GEN_P, GM = 1u << GEN_M, GC = 1u << GEN_C, GF = G1 | G1B
};
enum pane_bits {
    TRI = PANE_BIT(PANE_TRIAGE), FIL = PANE_BIT(PANE_FILES), OPS = PANE_BIT(PANE_OPS), STE = PANE_BIT(PANE_STEPS), TIM = PANE_BIT(PANE_TIME),
    FLO = PANE_BIT(PANE_FLOPS), MEM = PANE_BIT(PANE_MEM), DAT = PANE_BIT(PANE_DATA), COM = PANE_BIT(PANE_COMM), HOS = PANE_BIT(PANE_HOST)
};
enum read_order { INFO = 5, SMALL = 10, NAMES = 20, EXEC = 30, AICPU = 35, DATA = 40, TRACE = 50, MEMORY = 60, SAMPLED = 65, RAW = 80, LIST = 90 };

/* What a database tells: it feeds those topics that no better source feeds. */
#define DB_TOPICS "op_exec,trace,step,comm_exec,comm_link,api_stat,host_op,mem_alloc,mem_sample,mem_module,mem_device,mem_static,aicpu_exec"

const struct file_kind registry_kinds[] = {

/* ---- markers of the collector: first, because their names end on those of data ---- */
{ .id = "marker", .patterns = { "{*}.done", "{*}.complete", "{*}.join", "{*}.zip" }, .panes = TRI, .feeds = "state",
  .content = "marker: a raw file was finished, packed or read", .option = "always", .order = LIST, .parse = NULL },

/* ---- info files, logs ---- */
{ .id = "profiler_info", .patterns = { "profiler_info_{R}.json", "profiler_info.json" }, .gens = GF | G2 | GP, .panes = TRI | FIL, .feeds = "state",
  .content = "options, versions, clocks, rank", .option = "always", .expect = "profiler_info", .order = INFO,
  .parse = parse_profiler_info },
{ .id = "profiler_metadata", .patterns = { "profiler_metadata.json" }, .gens = G2 | GP, .panes = COM | TRI, .feeds = "comm",
  .content = "parallel groups, environment, user data", .option = "add_metadata", .order = INFO,
  .parse = parse_profiler_metadata },
{ .id = "dyn_config", .patterns = { "profiler_config.json" }, .gens = G2 | GP, .panes = TRI, .feeds = "state",
  .content = "settings of the dynamic monitor", .option = "DynamicProfilerMonitor", .order = INFO,
  .parse = parse_doc_rows },
{ .id = "log", .patterns = { "logs/{*}", "mindstudio_profiler_log/{*}" }, .gens = G2 | GP | GM, .panes = TRI, .feeds = "state",
  .content = "log of the profiler or its analysis", .option = "always", .order = LIST,
  .parse = NULL },

/* ---- kernels and ops: tables of gen 2, P, M ---- */
{ .id = "kernel_details", .patterns = { "kernel_details.csv" }, .gens = G2 | GP, .panes = OPS | STE | FLO | TRI, .feeds = "ops",
  .content = "one row per device kernel and communication op", .option = "activities: NPU", .expect = "kernel_details",
  .topic = "op_exec", .priority = 1, .order = EXEC, .columns = "Name,Type,Accelerator Core,Duration(us)",
  .parse = parse_kernels },
{ .id = "op_summary", .patterns = { "op_summary{S}_{T}.csv", "op_summary_{D}_{M}_{I}.csv", "op_summary_{D}_{M}.csv", "op_summary.csv" },
  .gens = GM | G1B | G2 | GP, .panes = OPS | FLO, .feeds = "ops",
  .content = "one row per device kernel and communication op", .option = "summary export, task_time on", .expect = "op_summary",
  .topic = "op_exec", .priority = 3, .order = EXEC, .slices = true, .columns = "Op Name,OP Type|Op Type,Task Type,Task Duration(us)|Task Duration",
  .parse = parse_kernels },
{ .id = "task_time", .patterns = { "task_time.csv", "task_time{S}_{T}.csv", "task_time_{D}_{M}_{I}.csv", "task_time_{D}_{M}.csv" },
  .gens = GM | GP, .panes = TIM | OPS, .feeds = "timeline",
  .content = "every scheduled task", .option = "task_time",
  .topic = "op_exec", .priority = 4, .order = EXEC, .slices = true, .columns = "kernel_name,task_time(us),task_start(us)|task_start(us)",
  .parse = parse_task_time },
{ .id = "op_statistic", .patterns = { "op_statistic.csv", "op_statistic{S}_{T}.csv", "op_statistic_{D}_{M}_{I}.csv", "op_statistic_{D}_{M}.csv" },
  .gens = G2 | GP | GM, .panes = OPS, .feeds = "ops",
  .content = "calls and times by op type", .option = "profiler level 1 or 2; msprof: task_time l1", .expect = "op_statistic",
  .topic = "op_stat_type", .priority = 1, .order = SMALL, .slices = true, .columns = "OP Type,Core Type,Count,Total Time(us)",
  .parse = parse_csv },
{ .id = "operator_details", .patterns = { "operator_details.csv" }, .gens = GP | G2, .panes = OPS | HOS, .feeds = "host",
  .content = "framework ops with host and device times", .option = "activities: CPU (MindSpore: with record_shapes)", .expect = "operator_details",
  .topic = "host_op", .priority = 1, .order = EXEC, .columns = "Name,Input Shapes,!Accelerator Core",
  .parse = parse_csv },
{ .id = "fusion_op", .patterns = { "fusion_op{S}_{T}.csv", "fusion_op.csv", "fusion_op_{D}_{M}_{I}.csv", "fusion_op_{D}_{M}.csv" },
  .gens = GM, .panes = OPS, .feeds = "ops",
  .content = "fused ops and what they were made of", .option = "graph mode", .order = NAMES, .slices = true, .columns = "Fusion Op",
  .parse = parse_csv },
{ .id = "l2_cache", .patterns = { "l2_cache.csv", "l2_cache{S}_{T}.csv", "l2_cache_{D}_{M}_{I}.csv", "l2_cache_{D}_{M}.csv" },
  .gens = G2 | GP | GM, .panes = OPS, .feeds = "ops",
  .content = "L2 cache hit rates per task", .option = "l2_cache", .expect = "l2_cache", .order = AICPU, .slices = true,
  .columns = "Stream Id,Task Id,Hit Rate,Victim Rate",
  .parse = parse_generic },
{ .id = "soc_pmu", .patterns = { "soc_pmu.csv", "soc_pmu{S}_{T}.csv" }, .gens = GP | GM, .panes = OPS, .feeds = "ops",
  .content = "TLB hit rates per task", .option = "l2_cache on chips that count TLB", .order = AICPU, .slices = true,
  .columns = "Stream Id,Task Id,TLB Hit Rate",
  .parse = parse_generic },
{ .id = "page_fault", .patterns = { "page_fault{S}_{T}.csv" }, .gens = GM, .panes = OPS | TRI, .feeds = "ops",
  .content = "page faults per task", .option = "newest msprof", .order = AICPU, .slices = true,
  .columns = "Stream Id,Task Id,Page Fault Num",
  .parse = parse_generic },
{ .id = "aicore_util", .patterns = { "ai_core_utilization{S}_{T}.csv", "ai_vector_core_utilization{S}_{T}.csv", "ai_core_utilization_{D}_{M}_{I}.csv" },
  .gens = GM, .panes = FLO | OPS, .feeds = "flops",
  .content = "counter ratios per core, sampled", .option = "aic-mode sample-based", .order = SAMPLED, .slices = true,
  .parse = parse_samples },
{ .id = "prof_rule", .patterns = { "prof_rule_{D}.json", "prof_rule.json" }, .gens = GM, .panes = TRI, .feeds = "triage",
  .content = "msprof's own advice per op", .option = "summary export, CANN 7 and older", .order = SMALL,
  .parse = parse_doc_rows },
{ .id = "aicpu", .patterns = { "data_preprocess.csv", "aicpu{S}_{T}.csv", "aicpu_{D}_{M}_{I}.csv", "aicpu_{D}_{M}.csv" },
  .gens = G2 | GP | GM, .panes = OPS | DAT, .feeds = "aicpu",
  .content = "AI CPU tasks", .option = "profiler level 2; msprof: aicpu", .expect = "aicpu",
  .topic = "aicpu_exec", .priority = 1, .order = AICPU, .slices = true, .columns = "Node,Compute_time(us),Dispatch_time(us)",
  .parse = parse_csv },

/* ---- steps ---- */
{ .id = "step_trace_time", .patterns = { "step_trace_time.csv" }, .gens = G2 | GP, .panes = STE | TRI | COM, .feeds = "steps",
  .content = "computing, communication and free time per step", .option = "activities: NPU", .expect = "step_trace_time",
  .topic = "step", .priority = 1, .order = SMALL, .columns = "Computing,Free,Overlapped,!Index",
  .parse = parse_csv },
{ .id = "step_trace", .patterns = { "step_trace{S}_{T}.csv", "step_trace_{D}_{M}_{I}.csv", "step_trace_{D}_{M}.csv", "step_trace.csv" },
  .gens = GM | G1B, .panes = STE, .feeds = "steps",
  .content = "iteration marks", .option = "graph mode", 
  .topic = "step", .priority = 3, .order = SMALL, .slices = true, .columns = "Iteration ID,Iteration End(us)|Iteration End(ns)",
  .parse = parse_step_trace },
{ .id = "step_trace_json", .patterns = { "step_trace{S}_{T}.json", "step_trace_{D}_{M}_{I}.json", "step_trace_{D}_{M}.json" },
  .gens = GM | G1B, .panes = STE | TIM, .feeds = "steps",
  .content = "iteration marks as events", .option = "graph mode", .topic = "step", .priority = 4, .order = SMALL, .slices = true,
  .parse = parse_trace_steps },

/* ---- communication ---- */
{ .id = "communication", .patterns = { "communication.json" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "time and bandwidth per communication op", .option = "profiler level 1 or 2, more than one device; msprof: --analyze", .expect = "communication",
  .topic = "comm_exec", .priority = 1, .order = SMALL,
  .parse = parse_communication },
{ .id = "communication_matrix", .patterns = { "communication_matrix.json" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "traffic between ranks", .option = "profiler level 1 or 2, more than one device; msprof: --analyze", .expect = "communication_matrix",
  .topic = "comm_link", .priority = 1, .order = SMALL,
  .parse = parse_communication_matrix },
{ .id = "communication_statistic", .patterns = { "communication_statistic{S}_{T}.csv", "hccl_statistic{S}_{T}.csv", "hccl_statistic_{D}_{M}_{I}.csv", "communication_statistic.csv" },
  .gens = GM, .panes = COM, .feeds = "comm",
  .content = "calls and times by communication op type", .option = "hccl, task_time l1",
  .topic = "comm_stat", .priority = 3, .order = SMALL, .slices = true, .columns = "OP Type,Count,Total Time(us),Ratio(%),!Core Type",
  .parse = parse_csv },
{ .id = "comm_db", .patterns = { "communication_analyzer.db" }, .gens = GM | G2, .panes = COM, .feeds = "comm",
  .content = "communication tables (database)", .option = "analyze --type=db", .topic = "comm_exec,comm_link", .priority = 2, .order = SMALL,
  .parse = NULL },
{ .id = "analysis_db", .patterns = { "analysis.db" }, .gens = GP, .panes = STE | COM, .feeds = "steps",
  .content = "step and communication tables (database)", .option = "export_type: db", .expect = "analysis_db",
  .topic = "step,comm_exec,comm_link", .priority = 2, .order = SMALL,
  .parse = NULL },

/* ---- memory ---- */
{ .id = "operator_memory", .patterns = { "operator_memory.csv", "operator_memory{S}_{T}.csv", "ge_operator_memory{S}_{T}.csv" },
  .gens = G1B | G2 | GP | GM, .panes = MEM, .feeds = "memory",
  .content = "lifetime of each allocation", .option = "profile_memory; msprof: task_memory", .expect = "operator_memory",
  .topic = "mem_alloc", .priority = 1, .order = MEMORY, .slices = true, .columns = "Name,Size(KB),Allocation Time(us)",
  .parse = parse_csv },
{ .id = "memory_record", .patterns = { "memory_record.csv", "memory_record{S}_{T}.csv", "ge_memory_record{S}_{T}.csv" },
  .gens = G2 | GP | GM, .panes = MEM, .feeds = "memory",
  .content = "memory pool totals over time", .option = "profile_memory; msprof: task_memory", .expect = "memory_record",
  .topic = "mem_sample", .priority = 1, .order = MEMORY, .slices = true,
  .columns = "Component,Timestamp(us),Total Allocated(MB)|Total Allocated(KB),Total Reserved(MB)|Total Reserved(KB)",
  .parse = parse_csv },
{ .id = "npu_mem", .patterns = { "npu_mem{S}_{T}.csv", "npu_mem.csv" }, .gens = GM | GP, .panes = MEM, .feeds = "memory",
  .content = "memory of process and device over time", .option = "sys-hardware-mem",
  .topic = "mem_device", .priority = 1, .order = MEMORY, .slices = true, .columns = "event,hbm(KB)",
  .parse = parse_csv },
{ .id = "npu_module_mem", .patterns = { "npu_module_mem.csv", "npu_module_mem{S}_{T}.csv" }, .gens = G2 | GP | GM, .panes = MEM, .feeds = "memory",
  .content = "memory by driver module over time", .option = "profile_memory; msprof: sys-hardware-mem", .expect = "npu_module_mem",
  .topic = "mem_module", .priority = 1, .order = MEMORY, .slices = true,
  .columns = "Component,Timestamp(us),Total Reserved(MB)|Total Reserved(KB),Device,!Total Allocated(MB),!Total Allocated(KB)",
  .parse = parse_csv },
{ .id = "static_op_mem", .patterns = { "static_op_mem.csv", "static_op_mem{S}_{T}.csv" }, .gens = G2 | GM, .panes = MEM, .feeds = "memory",
  .content = "static memory of graphs", .option = "profile_memory with a GE graph; msprof: task_memory", .expect = "static_op_mem",
  .topic = "mem_static", .priority = 1, .order = MEMORY, .slices = true, .columns = "Op Name,Graph ID,Node Index Start",
  .parse = parse_static_op_mem },
{ .id = "ms_memory_record", .patterns = { "cpu_ms_memory_record_{N}.txt" }, .gens = G1B | G2, .panes = MEM, .feeds = "memory",
  .content = "MindSpore memory pool over time", .option = "profile_memory",
  .topic = "mem_sample", .priority = 4, .order = MEMORY, .columns = "Timestamp(ns),Total Allocated(Byte)",
  .parse = parse_csv },
{ .id = "mem_tracker_block", .patterns = { "rank_{N}/memory_block.csv", "rank{N}/memory_block.csv", "memory_block.csv" }, .gens = G1B | G2, .panes = MEM, .feeds = "memory",
  .content = "memory tracker: blocks", .option = "MS_ALLOC_CONF=memory_tracker:True", .order = MEMORY, .columns = "start_time_stamp,device_addr,pool_type",
  .parse = parse_mem_tracker },
{ .id = "mem_tracker_task", .patterns = { "rank_{N}/task.csv", "rank{N}/task.csv" }, .gens = G1B | G2, .panes = MEM, .feeds = "memory",
  .content = "memory tracker: tasks", .option = "MS_ALLOC_CONF=memory_tracker:True", .order = MEMORY, .columns = "time_stamp,task_name,node_name,graph_name",
  .parse = parse_mem_tracker },
{ .id = "mem_tracker_graph", .patterns = { "tracker_graph.ir" }, .gens = G1B | G2, .panes = FIL, .feeds = "files",
  .content = "memory tracker: graph as text", .option = "MS_ALLOC_CONF=memory_tracker:True", .order = LIST, .parse = NULL },

/* ---- data pipeline ---- */
{ .id = "dataset", .patterns = { "dataset.csv", "dataset_{N}.csv" }, .gens = G2 | G1B, .panes = DAT, .feeds = "data",
  .content = "stages of data processing", .option = "activities: CPU; older: profile_framework", .expect = "dataset", .order = DATA,
  .columns = "Operation,Stage,Occurrences",
  .parse = parse_csv },
{ .id = "md_pipeline_raw", .patterns = { "minddata_pipeline_raw_{N}.csv" }, .gens = GF | G2, .panes = DAT, .feeds = "data",
  .content = "ops and queues of the data pipeline", .option = "data_process", .expect = "md_pipeline_raw",
  .topic = "pipeline_op", .priority = 2, .order = DATA, .columns = "op_id,op_type,output_queue_size",
  .parse = parse_pipeline_raw },
{ .id = "md_pipeline_profiling", .patterns = { "pipeline_profiling_{N}.json" }, .gens = GF | G2, .panes = DAT, .feeds = "data",
  .content = "ops of the data pipeline with queue samples", .option = "data_process", .expect = "md_pipeline_profiling",
  .topic = "pipeline_op", .priority = 1, .order = DATA,
  .parse = parse_md_pipeline },
{ .id = "md_pipeline_summary", .patterns = { "minddata_pipeline_summary_{N}.csv" }, .gens = GF | G2, .panes = DAT | TRI, .feeds = "data",
  .content = "data pipeline with the vendor's bottleneck texts", .option = "data_process", .expect = "md_pipeline_summary", .columns = "pipeline_ops",
  .topic = "pipeline_summary", .priority = 1, .order = DATA,
  .parse = parse_pipeline_summary },
{ .id = "md_pipeline_summary_json", .patterns = { "minddata_pipeline_summary_{N}.json" }, .gens = GF | G2, .panes = DAT | TRI, .feeds = "data",
  .content = "data pipeline with the vendor's bottleneck texts", .option = "data_process",
  .topic = "pipeline_summary", .priority = 2, .order = DATA,
  .parse = parse_md_summary_json },
{ .id = "md_cpu_utilization", .patterns = { "minddata_cpu_utilization_{N}.json" }, .gens = GF | G2, .panes = DAT, .feeds = "data",
  .content = "CPU use of machine, process and pipeline ops", .option = "data_process", .order = DATA,
  .parse = parse_md_cpu },
{ .id = "md_device_queue", .patterns = { "device_queue_profiling_{N}.txt" }, .gens = GF | G2, .panes = DAT, .feeds = "data",
  .content = "batches and queue sizes in sink mode", .option = "data_process, dataset sink mode", .expect = "md_device_queue",
  .topic = "batch", .priority = 1, .order = DATA,
  .parse = parse_md_batches },
{ .id = "md_dataset_iterator", .patterns = { "dataset_iterator_profiling_{N}.txt" }, .gens = GF | G2, .panes = DAT, .feeds = "data",
  .content = "batches and queue sizes in feed mode", .option = "data_process, no dataset sink mode", .topic = "batch", .priority = 2, .order = DATA,
  .parse = parse_md_batches },
{ .id = "md_getnext", .patterns = { "minddata_getnext_profiling_{N}.txt" }, .gens = GF, .panes = DAT, .feeds = "data",
  .content = "GetNext waits on GPU", .option = "data_process, GPU target", .order = DATA,
  .parse = parse_md_getnext },
{ .id = "md_aicpu", .patterns = { "minddata_aicpu_{N}.{txt,json}" }, .gens = GF, .panes = DAT, .feeds = "data",
  .content = "GetNext queue sizes on the device", .option = "data_process, dataset sink mode", .expect = "md_aicpu",
  .topic = "aicpu_mi", .priority = 1, .order = DATA,
  .parse = parse_md_aicpu },
{ .id = "aicpu_mi", .patterns = { "aicpu_mi{S}_{T}.csv", "aicpu_mi_{D}_{M}_{I}.csv" }, .gens = GM, .panes = DAT, .feeds = "data",
  .content = "GetNext queue sizes on the device", .option = "aicpu", .topic = "aicpu_mi", .priority = 3, .order = DATA, .slices = true,
  .columns = "Node Name,Queue Size",
  .parse = parse_aicpu_mi },
{ .id = "dp", .patterns = { "dp{S}_{T}.csv", "dp_{D}_{M}_{I}.csv" }, .gens = GM, .panes = DAT, .feeds = "data",
  .content = "actions on the data queue", .option = "aicpu on 910A", .order = DATA, .slices = true,
  .columns = "Action,Source,Cached Buffer Size",
  .parse = parse_dp },

/* ---- host and system ---- */
{ .id = "api_statistic", .patterns = { "api_statistic.csv", "api_statistic{S}_{T}.csv", "api_statistic_{D}_{M}_{I}.csv" }, .gens = G2 | GP | GM, .panes = HOS, .feeds = "host",
  .content = "host API calls by name", .option = "profiler level 1 or 2; msprof: ascendcl", .expect = "api_statistic",
  .topic = "api_stat", .priority = 1, .order = SMALL, .slices = true, .columns = "Level,API Name,Variance",
  .parse = parse_csv },
{ .id = "osrt_statistic", .patterns = { "os_runtime_statistic{S}_{T}.csv" }, .gens = GM, .panes = HOS, .feeds = "host",
  .content = "system calls of the host", .option = "host-sys: osrt", .order = SMALL, .slices = true, .columns = "Thread ID,Time(%)",
  .parse = parse_csv },
{ .id = "host_usage", .patterns = { "host_{cpu,mem,disk,network}_usage{S}_{T}.csv", "host_{cpu,mem,disk,network}_usage.csv" }, .gens = GM, .panes = HOS | TRI, .feeds = "host",
  .content = "peaks of CPU, memory, disk, network", .option = "host-sys", .order = SMALL, .slices = true,
  .parse = parse_samples },
{ .id = "sys_usage", .patterns = { "{cpu_usage,process_cpu_usage,sys_mem,process_mem}{S}_{T}.csv" }, .gens = GM, .panes = HOS, .feeds = "host",
  .content = "means of CPU and memory", .option = "sys-profiling, sys-pid-profiling", .order = SMALL, .slices = true,
  .parse = parse_samples },
{ .id = "cpu_pmu", .patterns = { "{ai,ctrl,ts}_cpu_{top_function,pmu_events}{S}_{T}.csv" }, .gens = GM, .panes = HOS, .feeds = "host",
  .content = "counters of the device's CPUs", .option = "sys-cpu-profiling", .order = SMALL, .slices = true,
  .parse = parse_samples },
{ .id = "msproftx", .patterns = { "msprof_tx{S}_{T}.csv", "msprof_tx_{D}_{M}_{I}.csv" }, .gens = GM, .panes = TIM | HOS, .feeds = "timeline",
  .content = "ranges marked by the user", .option = "msproftx", .topic = "msproftx", .priority = 1, .order = EXEC, .slices = true,
  .columns = "Start_time(us),message",
  .parse = parse_csv },
{ .id = "msproftx_json", .patterns = { "msprof_tx{S}_{T}.json", "msprof_tx_{D}_{M}_{I}.json" }, .gens = GM, .panes = TIM | HOS, .feeds = "timeline",
  .content = "ranges marked by the user, as events", .option = "msproftx", .topic = "msproftx", .priority = 2, .order = EXEC, .slices = true,
  .parse = parse_trace },
{ .id = "host_info", .patterns = { "host_info_{N}.csv" }, .gens = G1B, .panes = HOS, .feeds = "host",
  .content = "stages of the host process", .option = "profile_framework=\"all\" or \"time\"", .expect = "host_info", .order = EXEC,
  .columns = "module_name,event,stage,start_end",
  .parse = parse_host_info },
{ .id = "host_info_timeline", .patterns = { "host_info/timeline_{N}.json" }, .gens = G1B, .panes = HOS | TIM, .feeds = "host",
  .content = "stages of the host process as events", .option = "profile_framework=\"all\" or \"time\"", .order = TRACE,
  .parse = parse_trace },
{ .id = "host_info_memory", .patterns = { "host_info/host_memory_{N}.csv" }, .gens = G1B, .panes = HOS | MEM, .feeds = "host",
  .content = "memory of the host process", .option = "profile_framework=\"all\" or \"memory\"", .order = MEMORY,
  .parse = parse_generic },

/* ---- sampled hardware ---- */
{ .id = "hbm", .patterns = { "hbm.csv", "hbm{S}_{T}.csv" }, .gens = G2 | GM, .panes = MEM, .feeds = "memory",
  .content = "HBM bandwidth", .option = "hbm_ddr; msprof: sys-hardware-mem", .expect = "hbm", .order = SAMPLED, .slices = true, .columns = "Metric,Read(MB/s)",
  .parse = parse_samples },
{ .id = "ddr", .patterns = { "ddr.csv", "ddr{S}_{T}.csv" }, .gens = G2 | GM, .panes = MEM, .feeds = "memory",
  .content = "DDR bandwidth", .option = "hbm_ddr; msprof: sys-hardware-mem", .order = SAMPLED, .slices = true,
  .parse = parse_samples },
{ .id = "llc", .patterns = { "llc_{read_write,bandwidth,aicpu,ctrlcpu}{S}_{T}.csv" }, .gens = GM, .panes = MEM, .feeds = "memory",
  .content = "L3 cache hit rate and throughput", .option = "llc-profiling", .order = SAMPLED, .slices = true, .columns = "Throughput(MB/s)",
  .parse = parse_samples },
{ .id = "hccs", .patterns = { "hccs.csv", "hccs{S}_{T}.csv" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "HCCS link bandwidth", .option = "sys_interconnection; msprof: sys-interconnection-profiling", .expect = "hccs", .order = SAMPLED, .slices = true,
  .columns = "Mode,Average,!Avg",
  .parse = parse_samples },
{ .id = "pcie", .patterns = { "pcie.csv", "pcie{S}_{T}.csv" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "PCIe bandwidth", .option = "sys_interconnection (before 2.6: pcie)", .expect = "pcie", .order = SAMPLED, .slices = true, .columns = "Mode,Avg",
  .parse = parse_samples },
{ .id = "nic", .patterns = { "nic.csv", "nic{S}_{T}.csv" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "network card traffic", .option = "sys_io; msprof: sys-io-profiling", .expect = "nic", .order = SAMPLED, .slices = true, .columns = "rxPacket/s",
  .parse = parse_samples },
{ .id = "roce", .patterns = { "roce.csv", "roce{S}_{T}.csv" }, .gens = G2 | GP | GM, .panes = COM, .feeds = "comm",
  .content = "RoCE traffic", .option = "sys_io; msprof: sys-io-profiling", .expect = "roce", .order = SAMPLED, .slices = true,
  .parse = parse_samples },
{ .id = "sampled_misc", .patterns = { "{dvpp,inter_soc_transmission,acc_pmu,sio,qos,stars_soc,ub,ccu_mission,ccu_channel}{S}_{T}.csv" }, .gens = GM, .panes = COM | MEM, .feeds = "comm",
  .content = "sampled hardware counters", .option = "sys-hardware-mem, sys-interconnection-profiling", .order = SAMPLED, .slices = true,
  .parse = parse_samples },

/* ---- timelines ---- */
{ .id = "trace_view", .patterns = { "trace_view.json" }, .gens = G2 | GP, .panes = TIM | STE | COM, .feeds = "timeline",
  .content = "timeline of host and device", .option = "always", .expect = "trace_view", .topic = "trace", .priority = 1, .order = TRACE,
  .parse = parse_trace },
{ .id = "msprof_json", .patterns = { "msprof{S}_{T}.json", "msprof_{D}_{M}_{I}.json", "msprof_{D}_{M}.json" }, .gens = GM | G1B, .panes = TIM, .feeds = "timeline",
  .content = "timeline of host and device", .option = "timeline export", .expect = "msprof_json", .topic = "trace", .priority = 3, .order = TRACE, .slices = true,
  .parse = parse_trace },
{ .id = "msprof_part_json",
  .patterns = { "{task_time,hccl,ge,acl,runtime_api,thread_group,ai_stack_time,aicpu,ge_op_execute,msproftx,ddr,hbm,hccs,pcie,nic,roce,llc_read_write,llc_bandwidth,npu_mem,acc_pmu,stars_soc,stars_chip_trans,sio,low_power,biu_perf,os_runtime_api,host_cpu_usage,host_mem_usage,host_disk_usage,host_network_usage}_{D}_{M}_{I}.json",
    "{task_time,hccl,ge,acl,runtime_api,thread_group,ai_stack_time,aicpu,ge_op_execute,msproftx,ddr,hbm,hccs,pcie,nic,roce,llc_read_write,llc_bandwidth,npu_mem,acc_pmu,stars_soc,stars_chip_trans,sio,low_power,biu_perf,os_runtime_api,host_cpu_usage,host_mem_usage,host_disk_usage,host_network_usage}_{D}_{M}.json",
    "{task_time,hccl,ge,acl,runtime_api,thread_group,ai_stack_time,aicpu,ge_op_execute,msproftx,ddr,hbm,hccs,pcie,nic,roce,llc_read_write,llc_bandwidth,npu_mem,acc_pmu,stars_soc,stars_chip_trans,sio,low_power,biu_perf,os_runtime_api,host_cpu_usage,host_mem_usage,host_disk_usage,host_network_usage}_{D}.json" },
  .gens = GM, .panes = TIM | COM, .feeds = "timeline",
  .content = "one layer of the timeline", .option = "timeline export, CANN 6 and older", .topic = "trace", .priority = 4, .order = TRACE,
  .parse = parse_trace },
{ .id = "g1_timeline_display", .patterns = { "{ascend,gpu,cpu}_timeline_display_{N}.json", "timeline_display_{N}.json" }, .gens = GF, .panes = TIM, .feeds = "timeline",
  .content = "timeline of one rank", .option = "op_time=True", .expect = "g1_timeline_display", .topic = "trace", .priority = 1, .order = TRACE,
  .parse = parse_trace_timeline_display },
{ .id = "g1_timeline_summary", .patterns = { "{ascend,gpu,cpu}_timeline_summary_{N}.json", "timeline_summary_{N}.json" }, .gens = GF, .panes = TRI | TIM, .feeds = "timeline",
  .content = "totals of the timeline", .option = "op_time=True", .order = SMALL,
  .parse = parse_doc_rows },

/* ---- databases ---- */
{ .id = "pt_db", .patterns = { "ascend_pytorch_profiler_{R}.db", "ascend_pytorch_profiler.db" }, .gens = GP,
  .panes = OPS | STE | TIM | FLO | MEM | COM | HOS, .feeds = "ops",
  .content = "everything (database)", .option = "export_type: db", .expect = "pt_db", .topic = DB_TOPICS, .priority = 2, .order = EXEC,
  .parse = NULL },
{ .id = "ms_db", .patterns = { "ascend_mindspore_profiler_{R}.db", "ascend_mindspore_profiler.db" }, .gens = G2,
  .panes = OPS | STE | TIM | FLO | MEM | COM | HOS, .feeds = "ops",
  .content = "everything (database)", .option = "export_type: db", .expect = "ms_db", .topic = DB_TOPICS, .priority = 2, .order = EXEC,
  .parse = NULL },
{ .id = "msprof_db", .patterns = { "msprof_{T}.db" }, .gens = GM | G2 | GP, .panes = OPS | STE | TIM | FLO | MEM | COM | HOS, .feeds = "ops",
  .content = "everything (database)", .option = "export", .topic = DB_TOPICS, .priority = 2, .order = EXEC,
  .parse = NULL },
{ .id = "monitor_db", .patterns = { "msmonitor_{*}_{T}_{R}.db" }, .panes = TIM, .feeds = "timeline",
  .content = "monitor data (database)", .option = "msMonitor", .topic = DB_TOPICS, .priority = 2, .order = EXEC,
  .parse = NULL },

/* ---- cluster analysis ---- */
{ .id = "cluster_step_trace_time", .patterns = { "cluster_step_trace_time.csv" }, .gens = GC, .panes = COM | STE, .feeds = "comm",
  .content = "step times per rank and stage", .option = "cluster analysis", .order = SMALL, .columns = "Computing,Free,Overlapped,Type,Index",
  .parse = parse_cluster_steps },
{ .id = "cluster_communication", .patterns = { "cluster_communication.json" }, .gens = GC, .panes = COM, .feeds = "comm",
  .content = "communication ops per rank set", .option = "cluster analysis", .order = SMALL,
  .parse = parse_cluster_communication },
{ .id = "cluster_communication_matrix", .patterns = { "cluster_communication_matrix.json" }, .gens = GC, .panes = COM, .feeds = "comm",
  .content = "traffic between ranks", .option = "cluster analysis", .order = SMALL,
  .parse = parse_cluster_matrix },
{ .id = "communication_group", .patterns = { "communication_group.json" }, .gens = GC, .panes = COM, .feeds = "comm",
  .content = "which ranks form groups", .option = "cluster analysis", .order = INFO,
  .parse = parse_doc_rows },
{ .id = "cluster_db", .patterns = { "cluster_analysis.db" }, .gens = GC, .panes = COM | STE, .feeds = "comm",
  .content = "cluster analysis (database)", .option = "cluster analysis, export_type db", .order = SMALL,
  .parse = NULL },

/* ---- flat files of gen 1: ops ---- */
{ .id = "g1_framework_raw", .patterns = { "framework_raw_{N}.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "ops with types, shapes and scopes", .option = "op_time=True", .expect = "g1_framework_raw", .order = NAMES, .columns = "task_id,stream_id,op_info",
  .parse = parse_framework_raw },
{ .id = "g1_op_detail", .patterns = { "aicore_intermediate_{N}_detail.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "mean time per op", .option = "op_time=True", .expect = "g1_op_detail", .topic = "op_stat_op", .priority = 1, .order = SMALL,
  .columns = "full_op_name|full_kernel_name|op_full_name|full_kernel_time|full_op_time,execution_frequency|execution_time|task_duration,!percent,!op_type,!op_info",
  .parse = parse_op_detail },
{ .id = "g1_op_type", .patterns = { "aicore_intermediate_{N}_type.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "calls and times by op type", .option = "op_time=True", .expect = "g1_op_type", .topic = "op_stat_type", .priority = 1, .order = SMALL,
  .columns = "op_type|kernel_type,execution_frequency,percent",
  .parse = parse_op_type },
{ .id = "g1_aicpu", .patterns = { "aicpu_intermediate_{N}.csv" }, .gens = GF, .panes = OPS, .feeds = "aicpu",
  .content = "AI CPU tasks", .option = "op_time=True", .expect = "g1_aicpu", .topic = "aicpu_exec", .priority = 1, .order = AICPU,
  .columns = "serial_number|serial_num,dispatch_time,run_start",
  .parse = parse_aicpu },
{ .id = "g1_aicpu_text", .patterns = { "output_data_preprocess_aicpu_{N}.txt" }, .gens = GF, .panes = OPS, .feeds = "aicpu",
  .content = "AI CPU tasks as text", .option = "op_time=True", .topic = "aicpu_exec", .priority = 2, .order = AICPU,
  .parse = parse_aicpu_text },
{ .id = "g1_pynative", .patterns = { "pynative_op_intermediate_{N}_{type,detail}.csv" }, .gens = G1, .panes = OPS, .feeds = "ops",
  .content = "op times in PyNative mode", .option = "PyNative mode", .order = SMALL,
  .parse = parse_pynative },
{ .id = "g1_timeline_data", .patterns = { "output_timeline_data_{N}.txt" }, .gens = GF, .panes = TIM | OPS, .feeds = "timeline",
  .content = "one row per execution of an op", .option = "op_time=True", .expect = "g1_timeline_data", .topic = "op_exec", .priority = 1, .order = EXEC,
  .columns = "op_name,stream_id,start_time(ms)|start_time(us),duration(ms)",
  .parse = parse_timeline_data },
{ .id = "g1_op_compute_time", .patterns = { "output_op_compute_time_{N}.txt" }, .gens = G1, .panes = OPS, .feeds = "ops",
  .content = "mean time per op as text", .option = "op_time=True", .topic = "op_stat_op", .priority = 2, .order = SMALL,
  .parse = parse_op_compute_time },
{ .id = "g1_op_time_report", .patterns = { "output_op_compute_time_detail_{N}.txt" }, .gens = G1, .panes = OPS, .feeds = "ops",
  .content = "times by op type and op, report", .option = "op_time=True", .topic = "op_stat_op", .priority = 3, .order = SMALL,
  .parse = parse_op_time_report },
{ .id = "g1_hwts_text", .patterns = { "output_format_data_hwts_{N}.txt" }, .gens = G1, .panes = TIM | OPS, .feeds = "timeline",
  .content = "task starts and ends as text", .option = "op_time=True", .topic = "op_exec", .priority = 4, .order = EXEC,
  .parse = NULL },
{ .id = "g1_min_cycle", .patterns = { "min_cycle_counter_{N}.txt" }, .gens = G1, .panes = TIM, .feeds = "clock",
  .content = "first device count of the timeline", .option = "op_time=True", .order = INFO, .open_end = true,
  .parse = parse_min_cycle },
{ .id = "g1_dynamic_shape", .patterns = { "dynamic_shape_info_{N}.json" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "op times per step of dynamic shapes", .option = "dynamic shape network", .order = NAMES,
  .parse = parse_dynamic_shape },

/* ---- flat files of gen 1: steps, FLOPs, memory, communication ---- */
{ .id = "g1_step_trace", .patterns = { "step_trace_raw_{N}_detail_time.csv" }, .gens = GF, .panes = STE | TRI | COM, .feeds = "steps",
  .content = "iteration marks and reduce ops", .option = "graph mode", .expect = "g1_step_trace", .topic = "step", .priority = 1, .order = SMALL,
  .columns = "step_num,start_point,fp_point",
  .parse = parse_step_trace_raw },
{ .id = "g1_point_info", .patterns = { "step_trace_point_info_{N}.json", "step_trace_point_info.json" }, .gens = GF, .panes = STE, .feeds = "steps",
  .content = "names of the fp and bp ops", .option = "graph mode", .order = INFO,
  .parse = parse_point_info },
{ .id = "g1_flops", .patterns = { "flops_{N}.txt" }, .gens = GF, .panes = FLO, .feeds = "flops",
  .content = "FLOPs per op", .option = "aicore_metrics: arithmetic", .expect = "g1_flops", .order = SMALL, .open_end = true,
  .parse = parse_flops },
{ .id = "g1_flops_summary", .patterns = { "flops_summary_{N}.json" }, .gens = GF, .panes = FLO, .feeds = "flops",
  .content = "FLOPs of the run", .option = "aicore_metrics: arithmetic", .order = SMALL,
  .parse = parse_flops_summary },
{ .id = "g1_flops_scope", .patterns = { "flops_scope_{N}.json" }, .gens = GF, .panes = FLO, .feeds = "flops",
  .content = "FLOPs per scope", .option = "aicore_metrics: arithmetic", .order = SMALL,
  .parse = parse_flops_scope },
{ .id = "g1_flops_step", .patterns = { "flops_utilization_step_{N}.json" }, .gens = GF, .panes = FLO, .feeds = "flops",
  .content = "FLOPs utilisation per step", .option = "aicore_metrics: arithmetic", .order = SMALL,
  .parse = parse_flops_step },
{ .id = "g1_memory", .patterns = { "memory_usage_{summary,details}_{N}.json" }, .gens = GF, .panes = MEM, .feeds = "memory",
  .content = "static memory per graph, node and tensor", .option = "profile_memory=True", .topic = "mem_static", .priority = 1, .order = MEMORY,
  .parse = parse_memory },
{ .id = "g1_memory_pb", .patterns = { "memory_usage_{N}.pb" }, .gens = GF, .panes = MEM, .feeds = "memory",
  .content = "static memory per graph, node and tensor, raw", .option = "profile_memory=True", .expect = "g1_memory_pb", .topic = "mem_static", .priority = 4, .order = MEMORY,
  .parse = parse_memory_pb },
{ .id = "g1_hccl_raw", .patterns = { "hccl_raw_{N}.csv" }, .gens = GF, .panes = COM, .feeds = "comm",
  .content = "communication per step and link", .option = "profile_communication=True with op_time=True", .expect = "g1_hccl_raw",
  .topic = "comm_exec", .priority = 1, .order = SMALL, .columns = "step_num,communication_cost",
  .parse = parse_hccl_raw },
{ .id = "g1_hccl_trace", .patterns = { "hccl_info_{N}/{*}/iter{I}.trace", "hccl_info/{*}/iter{I}.trace", "hccl_info{*}/iter{I}.trace" }, .gens = GF, .panes = COM | TIM, .feeds = "comm",
  .content = "tasks of one execution of a communication op", .option = "profile_communication=True", .topic = "comm_exec", .priority = 4, .order = TRACE,
  .parse = parse_hccl_trace },
{ .id = "g1_cluster_analyse", .patterns = { "{ascend,gpu}_cluster_analyse_{*}_{N}.csv" }, .gens = GF, .panes = COM | STE, .feeds = "comm",
  .content = "computing and communication time per step", .option = "profile_communication=True", .topic = "step_split", .priority = 1, .order = SMALL,
  .columns = "computation_time,communication_alone_time",
  .parse = parse_cluster_analyse },
{ .id = "parallel_strategy", .patterns = { "parallel_strategy_{N}.json" }, .gens = GF, .panes = COM, .feeds = "comm",
  .content = "parallel strategy of the network", .option = "parallel_strategy=True", .topic = "strategy", .priority = 1, .order = NAMES,
  .parse = parse_parallel_strategy },
{ .id = "parallel_strategy_pb", .patterns = { "parallel_strategy_pb_{N}.bin" }, .gens = G1, .panes = COM, .feeds = "comm",
  .content = "parallel strategy of the network, raw", .option = "always in r1.7", .topic = "strategy", .priority = 4, .order = NAMES,
  .parse = parse_parallel_strategy_pb },

/* ---- CPU and GPU targets ---- */
{ .id = "cpu_op_detail", .patterns = { "cpu_op_detail_info_{N}.csv" }, .gens = GF, .panes = OPS | HOS, .feeds = "ops",
  .content = "host ops: calls and times", .option = "CPU target or heterogeneous", .order = SMALL, .columns = "op_side,op_occurrences,op_total_time(ms)",
  .parse = parse_csv },
{ .id = "cpu_op_type", .patterns = { "cpu_op_type_info_{N}.csv" }, .gens = GF, .panes = OPS | HOS, .feeds = "ops",
  .content = "host op types: calls and times", .option = "CPU target or heterogeneous", .order = SMALL, .columns = "op_type,type_occurrences,total_compute_time",
  .parse = parse_csv },
{ .id = "cpu_op_timestamp", .patterns = { "cpu_op_execute_timestamp_{N}.txt" }, .gens = GF | G2, .panes = TIM | OPS | HOS, .feeds = "timeline",
  .content = "executions of host ops", .option = "CPU target or heterogeneous", .order = EXEC,
  .parse = parse_cpu_timestamps },
{ .id = "cpu_framework", .patterns = { "cpu_framework_{N}.txt" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "input shapes of host ops", .option = "CPU target or heterogeneous", .order = NAMES,
  .parse = NULL },
{ .id = "gpu_op_detail", .patterns = { "gpu_op_detail_info_{N}.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "GPU ops: calls and times", .option = "GPU target", .order = SMALL, .columns = "op_side,op_occurrences,cuda_activity_cost_time(us)",
  .parse = parse_csv },
{ .id = "gpu_op_type", .patterns = { "gpu_op_type_info_{N}.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "GPU op types: calls and times", .option = "GPU target", .order = SMALL, .columns = "op_type,type_occurrences,total_time(us),total_proportion",
  .parse = parse_csv },
{ .id = "gpu_activity", .patterns = { "gpu_activity_data_{N}.csv" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "CUDA activities: calls and times", .option = "GPU target", .order = SMALL, .columns = "name,type,block_dim,grid_dim,occurrences",
  .parse = parse_csv },
{ .id = "gpu_op_timestamp", .patterns = { "gpu_op_execute_timestamp_{N}.txt", "op_execute_timestamp_{N}.txt" }, .gens = GF, .panes = TIM | OPS, .feeds = "timeline",
  .content = "executions of GPU ops", .option = "GPU target", .order = EXEC,
  .parse = parse_gpu_timestamps },
{ .id = "gpu_activity_timestamp", .patterns = { "activity_execute_timestamp_{N}.txt" }, .gens = GF, .panes = TIM, .feeds = "timeline",
  .content = "executions of CUDA activities", .option = "GPU target", .order = EXEC,
  .parse = parse_gpu_activities },
{ .id = "gpu_step_trace", .patterns = { "step_trace_profiling_{N}.txt" }, .gens = GF, .panes = STE, .feeds = "steps",
  .content = "iteration marks on GPU", .option = "GPU target", .topic = "step", .priority = 4, .order = SMALL,
  .parse = parse_gpu_steps },
{ .id = "gpu_framework", .patterns = { "gpu_framework_{N}.txt" }, .gens = GF, .panes = OPS, .feeds = "ops",
  .content = "input shapes of GPU ops", .option = "GPU target", .order = NAMES,
  .parse = NULL },
{ .id = "g1_start_time", .patterns = { "start_time_{N}.txt" }, .gens = GF, .panes = TIM, .feeds = "clock",
  .content = "start on the host and device clock", .option = "PyNative mode or GPU target", .order = INFO,
  .parse = parse_start_time },

/* ---- raw: info and clocks ---- */
{ .id = "raw_info", .patterns = { "info.json", "info.json.{D}", "sample.json", "sample.json.{D}" }, .panes = TRI | FLO, .feeds = "peak FLOPS",
  .content = "host and device facts, options", .option = "collection", .order = INFO, .parse = NULL },
{ .id = "raw_start_end", .patterns = { "start_info", "start_info.{D}", "end_info", "end_info.{D}" }, .panes = TRI, .feeds = "state",
  .content = "start or end of the collection", .option = "collection", .order = INFO, .parse = NULL },
{ .id = "raw_clock", .patterns = { "host_start.log", "host_start.log.{D}", "dev_start.log", "dev_start.log.{D}" }, .panes = TIM, .feeds = "clock",
  .content = "clocks at the start", .option = "collection", .order = INFO, .parse = NULL },

/* ---- raw: device ---- */
{ .id = "raw_hwts", .patterns = { "hwts.{data,aiv_data}.{D}.slice_{K}", "hwts.log.data.{*}.dev.profiler_default_tag.{D}.slice_{K}" }, .panes = TIM | OPS, .feeds = "timeline",
  .content = "task starts and ends", .option = "task times", .topic = "op_exec", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_hwts },
{ .id = "raw_ts_track", .patterns = { "ts_track.{data,aiv_data}.{D}.slice_{K}" }, .panes = STE | TIM, .feeds = "steps",
  .content = "iteration marks", .option = "training trace", .topic = "step", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_ts_track },
{ .id = "raw_training_trace", .patterns = { "training_trace.{*}.{D}.slice_{K}" }, .gens = G1, .panes = STE, .feeds = "steps",
  .content = "iteration marks", .option = "training trace", .topic = "step", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_training_trace },
{ .id = "raw_framework_queue", .patterns = { "Framework.device_queue.{D}.slice_{K}", "Framework.host.device_queue.{D}.slice_{K}" }, .panes = DAT, .feeds = "data",
  .content = "batches and queue sizes in sink mode", .option = "data_process, dataset sink mode", .topic = "batch", .priority = 5, .order = RAW, .slices = true, .parse = parse_batches },
{ .id = "raw_framework_iterator", .patterns = { "Framework.dataset_iterator.{D}.slice_{K}", "Framework.host.dataset_iterator.{D}.slice_{K}" }, .panes = DAT, .feeds = "data",
  .content = "batches and queue sizes in feed mode", .option = "data_process, no dataset sink mode", .topic = "batch", .priority = 6, .order = RAW, .slices = true, .parse = parse_batches },
{ .id = "raw_framework", .patterns = { "Framework.{*}.{D}.slice_{K}", "Framework.{*}.{D}.{*}.slice_{K}" }, .panes = OPS, .feeds = "ops",
  .content = "ops, tensors, steps as the framework reported them", .option = "collection", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_framework },
{ .id = "raw_aicpu", .patterns = { "DATA_PREPROCESS.AICPU.{D}.slice_{K}", "DATA_PREPROCESS.dev.AICPU.{D}.slice_{K}", "aicpu.data.{D}.slice_{K}" }, .panes = OPS | DAT, .feeds = "aicpu",
  .content = "AI CPU tasks", .option = "aicpu", .topic = "aicpu_exec", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_aicpu },
{ .id = "raw_aicpu_mi", .patterns = { "DATA_PREPROCESS.AICPUMI.{D}.slice_{K}", "DATA_PREPROCESS.dev.AICPUMI.{D}.slice_{K}" }, .panes = DAT, .feeds = "data",
  .content = "GetNext queue sizes", .option = "aicpu", .topic = "aicpu_mi", .priority = 5, .order = RAW, .slices = true, .parse = parse_aicpumi, .layouts = layouts_aicpu_mi },
{ .id = "raw_preprocess", .patterns = { "DATA_PREPROCESS.{*}.{D}.slice_{K}" }, .panes = DAT, .feeds = "data",
  .content = "data queue and AI CPU models", .option = "aicpu", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_preprocess },
{ .id = "raw_aicore", .patterns = { "{aicore,aiVectorCore,ffts_profile}.data.{D}.slice_{K}" }, .panes = FLO | OPS, .feeds = "flops",
  .content = "AI Core counters per task", .option = "aicore_metrics", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_aicore },
{ .id = "raw_stars", .patterns = { "{stars_soc,stars_block,stars_soc_profile,nano_stars_profile}.data.{D}.slice_{K}" }, .panes = TIM | OPS, .feeds = "timeline",
  .content = "task starts and ends, chip counters", .option = "task times", .topic = "op_exec", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_stars },
{ .id = "raw_freq", .patterns = { "{lpmFreqConv,lpmInfoConv}.data.{D}.slice_{K}" }, .panes = FLO | TIM, .feeds = "clock",
  .content = "changes of frequency and voltage", .option = "collection", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_freq },
{ .id = "raw_npu_mem", .patterns = { "npu_mem.{data,app}.{D}.slice_{K}", "npu_module_mem.data.{D}.slice_{K}" }, .panes = MEM, .feeds = "memory",
  .content = "device memory over time", .option = "sys-hardware-mem", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_npu_mem },
{ .id = "raw_sampled", .patterns = { "{ddr,hbm,llc,hccs,pcie,dvpp,nic,roce,l2_cache,qos,socpmu,netdev_stats,ub,tscpu,ai_ctrl_cpu}.data.{D}.slice_{K}", "ccu{*}.slice_{K}", "instr.{*}.slice_{K}" },
  .panes = MEM | COM, .feeds = "comm",
  .content = "sampled hardware counters", .option = "sys-hardware-mem, sys-interconnection-profiling, sys-io-profiling", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_sampled },
{ .id = "raw_host_usage", .patterns = { "host_{cpu,mem,disk,network,syscall,pthreadcall}.data.slice_{K}" }, .panes = HOS | TIM, .feeds = "host",
  .content = "how busy processors, memory, disks and network were, calls of the system, as text", .option = "host-sys", .order = RAW, .slices = true, .parse = NULL,
  .layouts = layouts_usage },
{ .id = "raw_system_text",
  .patterns = { "Memory.data.{D}.slice_{K}", "{*}-Memory.data.{D}.slice_{K}", "SystemCpuUsage.data.{D}.slice_{K}", "{*}-CpuUsage.data.{D}.slice_{K}",
    "host_sys_{mem,cpu}.data.slice_{K}", "{*}-{Memory,CpuUsage}.data.slice_{K}" },
  .panes = HOS, .feeds = "host",
  .content = "memory and processors of host and devices, as text", .option = "sys-profiling, sys-pid-profiling", .order = RAW, .slices = true, .parse = NULL,
  .layouts = layouts_usage },
{ .id = "raw_system", .patterns = { "Memory.data{*}", "{*}-Memory.data{*}", "SystemCpuUsage.data{*}", "{*}-CpuUsage.data{*}", "host_{sys_mem,sys_cpu,cpu,mem,disk,syscall,pthreadcall,network}.data{*}", "host_platform_uncore.bin{*}" },
  .panes = HOS, .feeds = "host",
  .content = "CPU, memory, disk and system calls of the host, as text", .option = "host-sys, sys-profiling", .order = RAW, .parse = NULL },

/* ---- raw: host ---- */
{ .id = "raw_host_api", .patterns = { "{aging,unaging}.api_event.data.slice_{K}" }, .panes = HOS | TIM, .feeds = "host",
  .content = "host API calls", .option = "ascendcl", .topic = "api_stat", .priority = 5, .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_host_api },
{ .id = "raw_host_compact", .patterns = { "{aging,unaging}.compact.{*}.slice_{K}" }, .panes = OPS, .feeds = "ops",
  .content = "host records: tasks, nodes, copies", .option = "collection", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_host_compact },
{ .id = "raw_host_additional", .patterns = { "{aging,unaging}.{additional,variable}.{*}.slice_{K}" }, .panes = OPS, .feeds = "ops",
  .content = "host records: names, tensors, contexts, memory", .option = "collection", .order = RAW, .slices = true, .parse = NULL, .layouts = layouts_host_additional },
{ .id = "raw_host_legacy", .patterns = { "AclModule.{*}", "{r,R}untime.{*}", "HCCL.{*}" }, .panes = HOS | COM, .feeds = "host",
  .content = "host records of older CANN", .option = "collection", .order = RAW, .parse = NULL, .layouts = layouts_host_legacy },
{ .id = "raw_op_range", .patterns = { "op_range_{R}", "mindspore.op_range", "torch.op_range", "torch.op_mark" }, .gens = G1B | G2 | GP, .panes = HOS | TIM, .feeds = "host",
  .content = "framework ops on the host", .option = "activities: CPU", .topic = "host_op", .priority = 5, .order = RAW, .parse = NULL },
{ .id = "raw_fw_memory", .patterns = { "mindspore.memory_usage", "torch.memory_usage" }, .gens = G2 | GP, .panes = MEM, .feeds = "memory",
  .content = "allocations of the framework", .option = "profile_memory", .topic = "mem_alloc", .priority = 5, .order = RAW, .parse = NULL },
{ .id = "raw_fw_other", .patterns = { "mindspore.record_shapes", "torch.{python_func_call,python_module_call,gc_record,python_tracer_func,python_tracer_hash,param_tensor_info}" }, .gens = G2 | GP, .panes = HOS, .feeds = "host",
  .content = "shapes, calls, garbage collections of the framework", .option = "record_shapes, with_stack", .order = RAW, .parse = NULL },

/* ---- listed, not read ---- */
{ .id = "mspa_report", .patterns = { "cluster_time_summary_{T}.csv", "rank_{*}_stage_{*}.csv", "{*}.xlsx", "mstt_advisor_{T}.html", "stats.ipynb" }, .gens = GC, .panes = FIL, .feeds = "files",
  .content = "result of another recipe", .option = "msprof-analyze", .order = LIST, .parse = NULL },
{ .id = "msprof_cluster", .patterns = { "cluster_info{*}.db", "query/{*}.json" }, .gens = GM, .panes = FIL, .feeds = "files",
  .content = "result of a cluster query", .option = "msprof import --cluster", .order = LIST, .parse = NULL },
{ .id = "pt_extra", .patterns = { "memory_timeline{*}", "{*}.stack", "{*}_stacks.log", "operator_memory{*}.json.gz" }, .gens = GP, .panes = FIL, .feeds = "files",
  .content = "export called by the user", .option = "export_memory_timeline, export_stacks", .order = LIST, .parse = NULL },
{ .id = "readme", .patterns = { "README.txt" }, .gens = GM, .panes = FIL, .feeds = "files",
  .content = "list of files", .option = "export", .order = LIST, .parse = NULL },
{ .id = "leftover", .patterns = { "trace_view_temp.json", "ASCEND_PROFILER_OUTPUT/{*}.tmp" }, .gens = GP, .panes = TRI, .feeds = "state",
  .content = "left by an analysis that was interrupted", .option = "-", .order = LIST, .parse = NULL },
{ .id = "mi_data", .patterns = { "ascend_marey_timeline_{N}.json", "scope_map_{N}.json" }, .panes = FIL, .feeds = "files",
  .content = "test data of MindInsight", .option = "-", .order = LIST, .parse = NULL },

/* ---- whole folders: last ---- */
{ .id = "raw_sqlite", .patterns = { "sqlite/{*}" }, .panes = FIL, .feeds = "files",
  .content = "working database of msprof's export", .option = "export without data_simplification", .order = LIST, .parse = NULL },
{ .id = "raw", .patterns = { "FRAMEWORK/{*}", "host/data/{*}", "device_{D}/data/{*}", "container/{D}/data/{*}", "JOB{*}/data/{*}" }, .panes = TIM | TRI, .feeds = "raw",
  .content = "raw data", .option = "collection", .order = RAW, .parse = NULL },
};
const size_t registry_n_kinds = ARRAY_LEN(registry_kinds);

const struct file_kind registry_unknown = {
    .id = "unknown", .panes = FIL, .feeds = "files", .content = "not a file we know", .option = "-", .order = LIST
};

/* Files that give rows only together. What a group does not use stays UNREAD. */
#define ANALYSED_TASK "raw_framework", "Framework.{*}task_desc_info.{*}"
#define ANALYSED_MEMBERS \
      { ROLE_HWTS, NEED_ANY, "raw_hwts", NULL }, { ROLE_FRAMEWORK_GRAPH, NEED_ANY, "raw_framework", "Framework.{*}graph_desc_info.{*}" }, \
      { ROLE_FRAMEWORK_POINT, NEED_OPTIONAL, "raw_framework", "Framework.{*}point.{*}" }, \
      { ROLE_FRAMEWORK_TENSOR, NEED_OPTIONAL, "raw_framework", "Framework.tensor_data_info.{*}" }, \
      { ROLE_FRAMEWORK_HASH, NEED_OPTIONAL, "raw_framework", "Framework.hash_dic.{*}" }, \
      { ROLE_TRAINING_TRACE, NEED_ANY, "raw_training_trace", NULL }, { ROLE_TS_TRACK, NEED_ANY, "raw_ts_track", NULL }, \
      { ROLE_AICPU, NEED_ANY, "raw_aicpu", NULL }, { ROLE_AICORE, NEED_OPTIONAL, "raw_aicore", NULL }
#define ANALYSED_TABLES { { "op_exec", 1u << ROLE_HWTS }, { "step", 1u << ROLE_TS_TRACK | 1u << ROLE_TRAINING_TRACE }, { "aicpu_exec", 1u << ROLE_AICPU }, { "op_flops", 1u << ROLE_AICORE } }
/* A device folder of later CANN has HWTS without Framework. */
const struct group_kind registry_groups[] = {
    { .id = "gen1_job", .anchor = "JOB{*}", .members = { { ROLE_FRAMEWORK_TASK, NEED_ANY, ANALYSED_TASK }, ANALYSED_MEMBERS }, .parse = group_mindspore_job,
      .tables = ANALYSED_TABLES },
    { .id = "prof", .anchor = "PROF_{*}", .whole = true,
      .members = { { ROLE_PROF_PAPER, NEED_OPTIONAL, "raw_info", NULL }, { ROLE_PROF_PAPER, NEED_OPTIONAL, "raw_start_end", NULL },
        { ROLE_PROF_PAPER, NEED_OPTIONAL, "raw_clock", NULL }, { ROLE_PROF_CALLS, NEED_ANY, "raw_host_api", NULL },
        { ROLE_PROF_HOST, NEED_ANY, "raw_host_compact", NULL }, { ROLE_PROF_HOST, NEED_OPTIONAL, "raw_host_additional", NULL },
        { ROLE_PROF_TASKS, NEED_ANY, "raw_stars", NULL }, { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_hwts", NULL },
        { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_ts_track", NULL }, { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_aicore", NULL },
        { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_freq", NULL }, { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_aicpu", NULL },
        { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_preprocess", NULL }, { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_npu_mem", NULL },
        { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_sampled", NULL }, { ROLE_PROF_HOST, NEED_ANY, "raw_host_usage", NULL },
        { ROLE_PROF_HOST, NEED_OPTIONAL, "raw_system_text", NULL } },
      .parse = group_prof,
      .tables = { { "op_exec", 0 }, { "track", 0 }, { "api_stat", 0 }, { "fusion", 0 }, { "step", 0 }, { "comm_exec", 0 }, { "mem_sample", 0 }, { "mem_alloc", 0 },
        { "mem_device", 0 }, { "mem_module", 0 }, { "aicpu_exec", 0 }, { "queue_sample", 0 }, { "host_stage", 0 }, { "host_sample", 0 } } },
    { .id = "gen1_device", .anchor = "device_{D}", .members = { { ROLE_FRAMEWORK_TASK, NEED_ONE, ANALYSED_TASK }, ANALYSED_MEMBERS }, .parse = group_mindspore_job,
      .tables = ANALYSED_TABLES },
};
const size_t registry_n_groups = ARRAY_LEN(registry_groups);
/* clang-format on */

const struct file_kind *registry_find(struct str id)
{
    for (size_t i = 0; i < registry_n_kinds; i++)
        if (str_eq(id, str_of(registry_kinds[i].id)))
            return &registry_kinds[i];
    return str_eq(id, str_of(registry_unknown.id)) ? &registry_unknown : NULL;
}

struct parse_ctx *group_use(struct group_ctx *c, enum role r, size_t i)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->m[k].role == r && i-- == 0) {
            c->m[k].read = true;
            return &c->m[k].c;
        }
    return NULL;
}

bool group_failed(struct group_ctx *c, const struct parse_ctx *member, int rc, struct err *e)
{
    struct where w = { .source_id = member->f->id, .line = e->line, .offset = e->offset };
    bool of_file =
        rc == ERR_FORMAT || rc == ERR_VERSION || rc == ERR_LIMIT || (rc == ERR_IO && e->file[0]);

    if (rc == OK || !of_file)
        return rc != OK;
    sink_note(c->out, rc == ERR_VERSION ? NOTE_NEWER : NOTE_BAD_FILE, &w, "%s", e->text);
    err_clear(e);
    return false;
}

bool group_wants(const struct group_ctx *c, const char *table)
{
    for (size_t i = 0; i < GROUP_TABLES && c->kind->tables[i].name; i++)
        if (strcmp(c->kind->tables[i].name, table) == 0)
            return c->wanted & 1u << i;
    return false;
}
