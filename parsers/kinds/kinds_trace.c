/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines, databases, and the output of cluster analysis. */
#include "config.h"

#include "parsers/kinds/kinds.h"
#include "parsers/layouts.h"
#include "parsers/parsers.h"

/* clang-format off */
/* Timelines of msprof before 6.0: a file for each kind of data. */
#define MSPROF_JSON \
    "{task_time,hccl,ge,acl,runtime_api,thread_group,ai_stack_time,aicpu,ge_op_execute,msproftx,ddr," \
    "hbm,hccs,pcie,nic,roce,llc_read_write,llc_bandwidth,npu_mem,acc_pmu,stars_soc,stars_chip_trans," \
    "sio,low_power,biu_perf,os_runtime_api,host_cpu_usage,host_mem_usage,host_disk_usage," \
    "host_network_usage}"

static const struct file_kind rows[] = {
    /* ---- timelines ---- */
    {
        .id = "trace_view",
        .patterns = { "trace_view.json" },
        .gens = G2 | GP,
        .panes = TIM | STE | COM,
        .feeds = "timeline",
        .content = "timeline of host and device",
        .option = "always",
        .expect = "trace_view",
        .topic = "trace",
        .priority = 1,
        .order = TRACE,
        .parse = parse_trace,
    },
    {
        .id = "msprof_json",
        .patterns = { "msprof{S}_{T}.json", "msprof_{D}_{M}_{I}.json", "msprof_{D}_{M}.json" },
        .gens = GM | G1B,
        .panes = TIM,
        .feeds = "timeline",
        .content = "timeline of host and device",
        .option = "timeline export",
        .expect = "msprof_json",
        .topic = "trace",
        .priority = 3,
        .order = TRACE,
        .slices = true,
        .parse = parse_trace,
    },
    {
        .id = "msprof_part_json",
        .patterns = {
            
            MSPROF_JSON "_{D}_{M}_{I}.json",
            MSPROF_JSON "_{D}_{M}.json",
            MSPROF_JSON "_{D}.json",
        },
        .gens = GM,
        .panes = TIM | COM,
        .feeds = "timeline",
        .content = "one layer of the timeline",
        .option = "timeline export, CANN 6 and older",
        .topic = "trace",
        .priority = 4,
        .order = TRACE,
        .parse = parse_trace,
    },
    {
        .id = "g1_timeline_display",
        .patterns = { "{ascend,gpu,cpu}_timeline_display_{N}.json", "timeline_display_{N}.json" },
        .gens = GF,
        .panes = TIM,
        .feeds = "timeline",
        .content = "timeline of one rank",
        .option = "op_time=True",
        .expect = "g1_timeline_display",
        .topic = "trace",
        .priority = 1,
        .order = TRACE,
        .parse = parse_trace_timeline_display,
    },
    {
        .id = "g1_timeline_summary",
        .patterns = { "{ascend,gpu,cpu}_timeline_summary_{N}.json", "timeline_summary_{N}.json" },
        .gens = GF,
        .panes = TRI | TIM,
        .feeds = "timeline",
        .content = "totals of the timeline",
        .option = "op_time=True",
        .order = SMALL,
        .parse = parse_doc_rows,
    },

    /* ---- databases ---- */
    {
        .id = "pt_db",
        .patterns = { "ascend_pytorch_profiler_{R}.db", "ascend_pytorch_profiler.db" },
        .gens = GP,
        .panes = OPS | STE | TIM | FLO | MEM | COM | HOS,
        .feeds = "ops",
        .content = "everything (database)",
        .option = "export_type: db",
        .expect = "pt_db",
        .topic = DB_TOPICS,
        .priority = 2,
        .order = EXEC,
        .grouped = true,
    },
    {
        .id = "ms_db",
        .patterns = { "ascend_mindspore_profiler_{R}.db", "ascend_mindspore_profiler.db" },
        .gens = G2,
        .panes = OPS | STE | TIM | FLO | MEM | COM | HOS,
        .feeds = "ops",
        .content = "everything (database)",
        .option = "export_type: db",
        .expect = "ms_db",
        .topic = DB_TOPICS,
        .priority = 2,
        .order = EXEC,
        .grouped = true,
    },
    {
        .id = "msprof_db",
        .patterns = { "msprof_{T}.db" },
        .gens = GM | G2 | GP,
        .panes = OPS | STE | TIM | FLO | MEM | COM | HOS,
        .feeds = "ops",
        .content = "everything (database)",
        .option = "export",
        .topic = DB_TOPICS,
        .priority = 2,
        .order = EXEC,
    },
    {
        .id = "monitor_db",
        .patterns = { "msmonitor_{*}_{T}_{R}.db" },
        .panes = TIM,
        .feeds = "timeline",
        .content = "monitor data (database)",
        .option = "msMonitor",
        .topic = DB_TOPICS,
        .priority = 2,
        .order = EXEC,
        .grouped = true,
    },

    /* ---- cluster analysis ---- */
    {
        .id = "cluster_step_trace_time",
        .patterns = { "cluster_step_trace_time.csv" },
        .gens = GC,
        .panes = COM | STE,
        .feeds = "comm",
        .content = "step times per rank and stage",
        .option = "cluster analysis",
        .order = SMALL,
        .columns = "Computing,Free,Overlapped,Type,Index",
        .parse = parse_cluster_steps,
    },
    {
        .id = "cluster_communication",
        .patterns = { "cluster_communication.json" },
        .gens = GC,
        .panes = COM,
        .feeds = "comm",
        .content = "communication ops per rank set",
        .option = "cluster analysis",
        .order = SMALL,
        .parse = parse_cluster_communication,
    },
    {
        .id = "cluster_communication_matrix",
        .patterns = { "cluster_communication_matrix.json" },
        .gens = GC,
        .panes = COM,
        .feeds = "comm",
        .content = "traffic between ranks",
        .option = "cluster analysis",
        .order = SMALL,
        .parse = parse_cluster_matrix,
    },
    {
        .id = "communication_group",
        .patterns = { "communication_group.json" },
        .gens = GC,
        .panes = COM,
        .feeds = "comm",
        .content = "which ranks form groups",
        .option = "cluster analysis",
        .order = INFO,
        .parse = parse_groups,
    },
    {
        .id = "cluster_db",
        .patterns = { "cluster_analysis.db" },
        .gens = GC,
        .panes = COM | STE,
        .feeds = "comm",
        .content = "cluster analysis (database)",
        .option = "cluster analysis, export_type db",
        .order = SMALL,
        .grouped = true,
    },
};
/* clang-format on */
const struct kind_table kinds_trace = { rows, ARRAY_LEN(rows) };
