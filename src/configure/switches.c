/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of switches. Keys, types, defaults and codes: doc/formats/framework.md#ms_profiler_options,
 * #profiler_config, #integer-codes, #torch_npu-config and #msprof-switches. What costs how much is judged
 * by the widths of the records in doc/formats/prof.md and framework.md (presets.c counts them).
 */
#include "config.h"

#include "configure/switches.h"

#include "base/lang/tr.h"

#define P(pane)  PANE_BIT(PANE_##pane)
#define PROFILE  "profile"
#define EXPERT   "_ExperimentalConfig"
#define SCHEDULE "schedule"
#define HANDLER  "tensorboard_trace_handler"
#define EXP      "experimental_config"

#define BOOL_MSPROF "!true=on|false=off"
#define LEVELS      "LevelNone=-1|Level0=0|Level1=1|Level2=2"
#define METRICS                                                                                              \
    "None=-1|PipeUtilization=0|ArithmeticUtilization=1|Memory=2|MemoryL0=3|MemoryUB=4|"                      \
    "ResourceConflictRatio=5|L2Cache=6|MemoryAccess=7"
#define OLD_METRICS                                                                                          \
    "None=-1|ArithmeticUtilization=0|PipeUtilization=1|Memory=2|MemoryL0=3|ResourceConflictRatio=4|"         \
    "MemoryUB=5|L2Cache=6"

/* The same key in every place that has it. */
#define ENV(k, ...)    [AT_ENV] = { .key = k, __VA_ARGS__ }
#define JSON(k, ...)   [AT_JSON] = { .key = k, __VA_ARGS__ }
#define PYTHON(k, ...) [AT_PYTHON] = { .key = k, __VA_ARGS__ }
#define TJSON(k, ...)  [AT_TORCH_JSON] = { .key = k, __VA_ARGS__ }
#define TPY(k, ...)    [AT_TORCH_PYTHON] = { .key = k, __VA_ARGS__ }
#define MSPROF(k, ...) [AT_MSPROF] = { .key = k, __VA_ARGS__ }

/* long: table */
/* clang-format off */
const struct switch_def switch_defs[N_SWITCHES] = {
{ SW_START, "start", ST_BOOL, NULL, 0, 0, "false",
    { ENV("start"), PYTHON("start_profile", .scope = PROFILE, .absent = "true") },
    "whether the profiler is started; MS_PROFILER_OPTIONS does nothing without it",
    "nothing of its own", NULL, 0, NULL },
{ SW_OUTPUT_PATH, "output_path", ST_TEXT, NULL, 0, 0, "./data",
    { ENV("output_path"), JSON("prof_path", .since = 27, .absent = "./"),
      PYTHON("dir_name", .scope = HANDLER, .old_key = "output_path", .old_key_until = 25),
      TJSON("prof_dir", .absent = "./"),
      TPY("dir_name", .scope = HANDLER), MSPROF("--output", .absent = ".") },
    "the folder below which a profile makes its own folder",
    "nothing of its own; a local disk is faster than a shared one", NULL, 0, NULL },
{ SW_START_STEP, "start_step", ST_INT, NULL, -1, INT32_MAX, "-1",
    { JSON("start_step"), TJSON("start_step", .absent = "0") },
    "the first step of the window; the same number cannot be used twice in a run of the job. -1: none "
    "(torch_npu: at once)",
    "nothing outside of the window", NULL, 0, NULL },
{ SW_STOP_STEP, "stop_step", ST_INT, NULL, -1, INT32_MAX, "-1",
    { JSON("stop_step") },
    "the last step of the window, not before start_step",
    "size grows with the number of steps", NULL, 0, NULL },
{ SW_ACTIVE, "active", ST_INT, NULL, 1, INT32_MAX, "1",
    { PYTHON("active", .scope = SCHEDULE, .since = 25), TJSON("active"), TPY("active", .scope = SCHEDULE) },
    "steps that are recorded", "size grows with the number of steps", NULL, 0, NULL },
{ SW_WARMUP, "warmup", ST_INT, NULL, 0, INT32_MAX, "0",
    { PYTHON("warmup", .scope = SCHEDULE, .since = 25), TJSON("warmup"), TPY("warmup", .scope = SCHEDULE) },
    "steps before them that run with the profiler on and are not kept",
    "those steps are as slow as recorded ones", NULL, 0, NULL },
{ SW_WAIT, "wait", ST_INT, NULL, 0, INT32_MAX, "0",
    { PYTHON("wait", .scope = SCHEDULE, .since = 25), TPY("wait", .scope = SCHEDULE) },
    "steps before the warm-up of each window", "nothing", NULL, 0, NULL },
{ SW_REPEAT, "repeat", ST_INT, NULL, 0, INT32_MAX, "0",
    { PYTHON("repeat", .scope = SCHEDULE, .since = 25), TPY("repeat", .scope = SCHEDULE) },
    "number of windows; 0: until the job ends", "each window makes a folder of its own", NULL, 0, NULL },
{ SW_SKIP_FIRST, "skip_first", ST_INT, NULL, 0, INT32_MAX, "0",
    { PYTHON("skip_first", .scope = SCHEDULE, .since = 25), TPY("skip_first", .scope = SCHEDULE) },
    "steps before the first window", "nothing", NULL, 0, NULL },
{ SW_ACTIVITIES, "activities", ST_WORDS, "CPU|NPU|GPU", 0, 0, "CPU,NPU",
    { ENV("activities", .since = 25),
      JSON("activities", .since = 25, .codes = "CPU,NPU=0|CPU=1|NPU=2", .codes_until = 26),
      PYTHON("activities", .scope = PROFILE, .since = 25, .prefix = "ProfilerActivity."),
      TJSON("activities"), TPY("activities", .scope = PROFILE, .prefix = "ProfilerActivity.") },
    "what is recorded: the host's framework (CPU), the device (NPU)",
    "CPU records each op of the framework on the host: some percent of a step that the host limits",
    "kernel_details.csv (NPU), operator events of trace_view.json (CPU)", P(OPS) | P(TIME) | P(HOST), NULL },
{ SW_PROFILER_LEVEL, "profiler_level", ST_WORD, "LevelNone|Level0|Level1|Level2", 0, 0, "Level0",
    { ENV("profiler_level", .since = 25),
      JSON("profiler_level", .codes = LEVELS, .codes_until = 26),
      PYTHON("profiler_level", .scope = EXPERT, .prefix = "ProfilerLevel."),
      TJSON("profiler_level", .scope = EXP, .words = "LevelNone=Level_none"),
      TPY("profiler_level", .scope = EXPERT, .words = "LevelNone=Level_none", .prefix = "ProfilerLevel."),
      MSPROF("", .words =
        "!LevelNone=--task-time=off --ascendcl=off --runtime-api=off --aicpu=off|"
        "Level0=--task-time=l0 --ascendcl=on --runtime-api=off --aicpu=off|"
        "Level1=--task-time=l1 --ascendcl=on --runtime-api=off --aicpu=off|"
        "Level2=--task-time=l1 --ascendcl=on --runtime-api=on --aicpu=on") },
    "how much CANN records. Level0: times of tasks and the main communication ops. Level1: shapes, counters, "
    "communication tasks. Level2: runtime calls and AI CPU ops too. LevelNone: marks alone (needs mstx)",
    "Level2 delays the host: communication ops may start late, so that waiting looks longer than it is",
    "kernel_details.csv, step_trace_time.csv (Level0), op_statistic.csv, communication.json, "
    "communication_matrix.json (Level1), data_preprocess.csv (Level2)",
    P(OPS) | P(STEPS) | P(TIME) | P(COMM) | P(HOST), NULL },
{ SW_AIC_METRICS, "aic_metrics", ST_WORD,
    "None|PipeUtilization|ArithmeticUtilization|Memory|MemoryL0|MemoryUB|ResourceConflictRatio|L2Cache|"
    "MemoryAccess", 0, 0, "None",
    { ENV("aic_metrics", .old_key = "aicore_metrics", .old_key_until = 25, .old_codes = OLD_METRICS,
        .old_codes_until = 24),
      JSON("aic_metrics", .old_key = "aicore_metrics", .old_key_until = 25, .words = "None=AiCoreNone",
        .codes = METRICS, .codes_until = 26, .old_codes = OLD_METRICS, .old_codes_until = 24),
      PYTHON("aic_metrics", .scope = EXPERT, .old_key = "aicore_metrics", .old_key_until = 25,
        .words = "None=AiCoreNone", .prefix = "AicoreMetrics.", .old_codes = OLD_METRICS,
        .old_codes_until = 24),
      TJSON("aic_metrics", .scope = EXP, .words = "None=AiCoreNone"),
      TPY("aic_metrics", .scope = EXPERT, .words = "None=AiCoreNone", .prefix = "AiCMetrics."),
      MSPROF("--aic-metrics", .words = "None=--ai-core=off", .absent = "PipeUtilization") },
    "which counters of the AI Cores are read for each task; Level0 has none, Level1 and 2 take "
    "PipeUtilization for None",
    "128 bytes for each task; kernels run a little longer",
    "metric columns of kernel_details.csv and op_summary", P(OPS) | P(FLOPS), NULL },
{ SW_L2_CACHE, "l2_cache", ST_BOOL, NULL, 0, 0, "false",
    { ENV("l2_cache"), JSON("l2_cache", .since = 27), PYTHON("l2_cache", .scope = EXPERT),
      TJSON("l2_cache", .scope = EXP), TPY("l2_cache", .scope = EXPERT),
      MSPROF("--l2", .words = BOOL_MSPROF) },
    "hits and misses of the L2 cache for each task", "72 bytes for each task", "l2_cache.csv", P(OPS), NULL },
{ SW_RECORD_SHAPES, "record_shapes", ST_BOOL, NULL, 0, 0, "false",
    { ENV("record_shapes", .since = 27), JSON("record_shapes", .since = 27),
      PYTHON("record_shapes", .scope = PROFILE, .since = 27), TJSON("record_shapes"),
      TPY("record_shapes", .scope = PROFILE) },
    "shapes and types of the inputs of the framework's ops; needs CPU in activities",
    "a record for each op of the framework", "operator_details.csv", P(HOST), NULL },
{ SW_WITH_STACK, "with_stack", ST_BOOL, NULL, 0, 0, "false",
    { ENV("with_stack", .since = 24), JSON("with_stack"), PYTHON("with_stack", .scope = PROFILE, .since = 24),
      TJSON("with_stack"), TPY("with_stack", .scope = PROFILE) },
    "the Python frames that called each op; needs CPU in activities",
    "high: every Python call is recorded; steps that the host limits take much longer",
    "call stacks in trace_view.json", P(TIME) | P(HOST), NULL },
{ SW_WITH_MODULES, "with_modules", ST_BOOL, NULL, 0, 0, "false",
    { TJSON("with_modules"), TPY("with_modules", .scope = PROFILE) },
    "the Python modules that called each op",
    "high: every Python call is recorded, as with_stack does", "call stacks in trace_view.json",
    P(TIME) | P(HOST), NULL },
{ SW_WITH_FLOPS, "with_flops", ST_BOOL, NULL, 0, 0, "false",
    { TJSON("with_flops"), TPY("with_flops", .scope = PROFILE) },
    "FLOPs of ops as the framework reckons them; torch_npu's analysis writes them nowhere but into "
    "trace_view.json", "low", NULL, P(TIME), NULL },
{ SW_OP_ATTR, "op_attr", ST_BOOL, NULL, 0, 0, "false",
    { TJSON("op_attr", .scope = EXP), TPY("op_attr", .scope = EXPERT) },
    "attributes of ops; needs db in export_type", "low: a record for each op", NULL, P(OPS), NULL },
{ SW_PROFILE_MEMORY, "profile_memory", ST_BOOL, NULL, 0, 0, "false",
    { ENV("profile_memory"), JSON("profile_memory", .since = 26), PYTHON("profile_memory", .scope = PROFILE),
      TJSON("profile_memory"), TPY("profile_memory", .scope = PROFILE),
      MSPROF("--task-memory", .words = BOOL_MSPROF) },
    "each allocation and release of device memory, and what the components hold",
    "a record for each allocation, on the host",
    "operator_memory.csv, memory_record.csv, static_op_mem.csv, npu_module_mem.csv", P(MEM), NULL },
{ SW_DATA_PROCESS, "data_process", ST_BOOL, NULL, 0, 0, "false",
    { ENV("data_process"), PYTHON("data_process", .scope = PROFILE) },
    "the pipeline of mindspore.dataset and its queues; a schedule turns it off",
    "low: samples and a line for each batch",
    "minddata_pipeline_raw_*.csv, minddata_pipeline_summary_*, dataset.csv", P(DATA), NULL },
{ SW_PARALLEL_STRATEGY, "parallel_strategy", ST_BOOL, NULL, 0, 0, "false",
    { ENV("parallel_strategy"), JSON("parallel_strategy"), PYTHON("parallel_strategy", .scope = PROFILE) },
    "how the network is cut for several devices", "one file at the end", "parallel_strategy_*.json",
    P(FILES), NULL },
{ SW_MSTX, "mstx", ST_BOOL, NULL, 0, 0, "false",
    { ENV("mstx", .since = 26), JSON("mstx", .since = 26), PYTHON("mstx", .scope = EXPERT, .since = 26),
      TJSON("mstx", .scope = EXP), TPY("mstx", .scope = EXPERT), MSPROF("--msproftx", .words = BOOL_MSPROF) },
    "ranges and marks that the program sets with mstx, communication and data loading among them",
    "256 bytes for each mark", "marks of trace_view.json", P(TIME), NULL },
{ SW_MSTX_DOMAIN_INCLUDE, "mstx_domain_include", ST_TEXTS, NULL, 0, 0, "",
    { ENV("mstx_domain_include", .since = 27), JSON("mstx_domain_include", .since = 27),
      PYTHON("mstx_domain_include", .scope = EXPERT, .since = 27), TJSON("mstx_domain_include", .scope = EXP),
      TPY("mstx_domain_include", .scope = EXPERT), MSPROF("--mstx-domain-include") },
    "the only domains whose marks are kept; needs mstx", "less than all", NULL, P(TIME), NULL },
{ SW_MSTX_DOMAIN_EXCLUDE, "mstx_domain_exclude", ST_TEXTS, NULL, 0, 0, "",
    { ENV("mstx_domain_exclude", .since = 27), JSON("mstx_domain_exclude", .since = 27),
      PYTHON("mstx_domain_exclude", .scope = EXPERT, .since = 27), TJSON("mstx_domain_exclude", .scope = EXP),
      TPY("mstx_domain_exclude", .scope = EXPERT), MSPROF("--mstx-domain-exclude") },
    "domains whose marks are not kept; needs mstx, has no effect beside mstx_domain_include",
    "less than all", NULL, P(TIME), NULL },
{ SW_SYS_IO, "sys_io", ST_BOOL, NULL, 0, 0, "false",
    { ENV("sys_io", .since = 27), JSON("sys_io", .since = 27),
      PYTHON("sys_io", .scope = EXPERT, .since = 27), TJSON("sys_io", .scope = EXP),
      TPY("sys_io", .scope = EXPERT), MSPROF("--sys-io-profiling", .words = BOOL_MSPROF) },
    "traffic of the network cards and of RoCE", "samples, 100 in a second", "nic.csv, roce.csv",
    P(TIME) | P(COMM), NULL },
{ SW_SYS_INTERCONNECTION, "sys_interconnection", ST_BOOL, NULL, 0, 0, "false",
    { ENV("sys_interconnection", .since = 27), JSON("sys_interconnection", .since = 27),
      PYTHON("sys_interconnection", .scope = EXPERT, .since = 27), TJSON("sys_interconnection", .scope = EXP),
      TPY("sys_interconnection", .scope = EXPERT),
      MSPROF("--sys-interconnection-profiling", .words = BOOL_MSPROF) },
    "traffic of HCCS, PCIe and between dies", "samples, 50 in a second", "hccs.csv, pcie.csv",
    P(TIME) | P(COMM), NULL },
{ SW_HOST_SYS, "host_sys", ST_WORDS, "cpu|mem|disk|network|osrt", 0, 0, "",
    { ENV("host_sys", .since = 27), JSON("host_sys", .since = 27),
      PYTHON("host_sys", .scope = EXPERT, .since = 27, .prefix = "HostSystem.",
        .words = "cpu=CPU|mem=MEM|disk=DISK|network=NETWORK|osrt=OSRT"),
      TJSON("host_sys", .scope = EXP),
      TPY("host_sys", .scope = EXPERT, .prefix = "HostSystem.",
        .words = "cpu=CPU|mem=MEM|disk=DISK|network=NETWORK|osrt=OSRT"), MSPROF("--host-sys") },
    "use of the host; disk and osrt need programs that trace, and rights for them",
    "samples, 50 in a second; osrt is high: it traces every system call",
    "host_cpu_usage and so on of msprof", P(TIME) | P(HOST), NULL },
{ SW_GC_DETECT_THRESHOLD, "gc_detect_threshold", ST_FLOAT, NULL, 0, 0, "null",
    { TJSON("gc_detect_threshold", .scope = EXP), TPY("gc_detect_threshold", .scope = EXPERT) },
    "garbage collections of Python longer than so many ms; 0: all, null: none", "nothing that is felt",
    "GC events of trace_view.json", P(TIME), NULL },
{ SW_EXPORT_TYPE, "export_type", ST_WORDS, "text|db", 0, 0, "text",
    { ENV("export_type", .since = 26),
      JSON("export_type", .since = 26, .codes = "text=0|db=1|text,db=2", .codes_until = 26),
      PYTHON("export_type", .scope = EXPERT, .since = 26, .words = "text=Text|db=Db",
        .prefix = "ExportType."),
      TJSON("export_type", .scope = EXP),
      TPY("export_type", .scope = EXPERT, .words = "text=Text|db=Db", .prefix = "ExportType."),
      MSPROF("--type", .words = "!text=text|db=db") },
    "what the analysis writes: files (text), a database (db), or both", "db takes less disk than text",
    "*.json and *.csv (text), ascend_*_profiler.db (db)", P(FILES), NULL },
{ SW_DATA_SIMPLIFICATION, "data_simplification", ST_BOOL, NULL, 0, 0, "true",
    { ENV("data_simplification", .since = 25), JSON("data_simplification"),
      PYTHON("data_simplification", .scope = EXPERT, .since = 24), TJSON("data_simplification", .scope = EXP),
      TPY("data_simplification", .scope = EXPERT) },
    "the analysis removes raw data that it has read; false keeps it, so that it can be analysed again",
    "false keeps the raw data: about twice the disk", NULL, 0, NULL },
{ SW_ANALYSE, "analyse", ST_BOOL, NULL, 0, 0, "false",
    { JSON("analyse", .since = 27), PYTHON("analyse_flag", .scope = HANDLER, .since = 26, .absent = "true"),
      TJSON("analyse"), TPY("analyse_flag", .scope = HANDLER, .absent = "true") },
    "whether the job analyses each window itself; false leaves it to npuscope analyse or to another machine",
    "the job waits for the analysis, which takes longer than the window, unless it is asynchronous",
    "ASCEND_PROFILER_OUTPUT", P(FILES), NULL },
{ SW_ANALYSE_MODE, "analyse_mode", ST_WORD, "none|sync|async", 0, 0, "none",
    { JSON("analyse_mode", .codes = "none=-1|sync=0|async=1", .codes_until = 99),
      PYTHON("async_mode", .scope = HANDLER, .since = 26, .words = "!sync=False|async=True"),
      TJSON("async_mode", .words = "!sync=false|async=true", .absent = "sync"),
      TPY("async_mode", .scope = HANDLER, .words = "!sync=False|async=True") },
    "how a window is analysed: the job waits (sync), or another process does it (async)",
    "async takes a core of the host beside the job", NULL, 0, NULL },
{ SW_IS_RANK, "is_rank", ST_BOOL, NULL, 0, 0, "false", { TJSON("is_rank") },
    "whether only the ranks of rank_list are recorded", "less than all", NULL, 0, NULL },
{ SW_RANK_LIST, "rank_list", ST_INTS, NULL, 0, INT32_MAX, "", { TJSON("rank_list") },
    "the ranks that are recorded, with is_rank; unless async_mode is true they are not analysed",
    "less than all", NULL, 0, NULL },
{ SW_METADATA, "metadata", ST_JSON, NULL, 0, 0, "{}", { TJSON("metadata") },
    "pairs that are kept beside the profile", "nothing", "profiler_metadata.json", P(FILES), NULL },
{ SW_HBM_DDR, "hbm_ddr", ST_BOOL, NULL, 0, 0, "false",
    { ENV("hbm_ddr", .since = 25), PYTHON("hbm_ddr", .scope = PROFILE, .since = 25),
      MSPROF("--sys-hardware-mem", .words = BOOL_MSPROF) },
    "traffic of the device's memory", "samples, 50 in a second", "hbm.csv, npu_mem.csv", P(MEM) | P(TIME),
    "MindSpore says so; nothing replaces it" },
{ SW_PCIE, "pcie", ST_BOOL, NULL, 0, 0, "false",
    { ENV("pcie", .since = 25), PYTHON("pcie", .scope = PROFILE, .since = 25) },
    "traffic of PCIe", "samples, 50 in a second", "pcie.csv", P(TIME) | P(COMM), "sys_interconnection" },
{ SW_SYNC_ENABLE, "sync_enable", ST_BOOL, NULL, 0, 0, "true",
    { ENV("sync_enable"), PYTHON("sync_enable", .scope = PROFILE) },
    "whether ops of a GPU are waited for, so that their times are exact", "of a GPU alone", NULL, P(OPS),
    NULL },
{ SW_RECORD_OP_ARGS, "record_op_args", ST_BOOL, NULL, 0, 0, "false",
    { TJSON("record_op_args", .scope = EXP), TPY("record_op_args", .scope = EXPERT) },
    "the operators' statistics for tuning them; nothing else is recorded with it", "replaces the profile",
    NULL, 0, NULL },
{ SW_MSPROF_TX, "msprof_tx", ST_BOOL, NULL, 0, 0, "false",
    { TJSON("msprof_tx", .scope = EXP), TPY("msprof_tx", .scope = EXPERT) },
    "the older name of mstx", "256 bytes for each mark", "marks of trace_view.json", P(TIME), "mstx" },
{ SW_OP_TIME, "op_time", ST_BOOL, NULL, 0, 0, "true",
    { ENV("op_time", .until = 24), PYTHON("op_time", .scope = PROFILE, .until = 24) },
    "times of ops", "low", "op_statistic.csv, kernel_details.csv", P(OPS),
    "activities with NPU, from 2.5 on" },
{ SW_PROFILE_COMMUNICATION, "profile_communication", ST_BOOL, NULL, 0, 0, "false",
    { ENV("profile_communication", .until = 24), JSON("profile_communication", .until = 24),
      PYTHON("profile_communication", .scope = PROFILE, .until = 24) },
    "communication ops and their tasks", "a record for each communication task",
    "hccl_raw_*.csv, communication.json", P(COMM) | P(TIME),
    "profiler_level Level1 or Level2, from 2.5 on" },
{ SW_PROFILE_FRAMEWORK, "profile_framework", ST_WORD, "none|time|all", 0, 0, "none",
    { ENV("profile_framework", .until = 24, .words = "none=null"),
      JSON("profile_framework", .until = 24, .codes = "none=-1|time=0|all=1", .codes_until = 24),
      PYTHON("profile_framework", .scope = PROFILE, .until = 24, .words = "none=None") },
    "times of the framework on the host", "some percent of a step that the host limits", "host_info/*",
    P(TIME) | P(HOST), "activities with CPU, from 2.5 on" },
{ SW_TIMELINE_LIMIT, "timeline_limit", ST_INT, NULL, 1, INT32_MAX, "500",
    { ENV("timeline_limit", .until = 24), PYTHON("timeline_limit", .scope = PROFILE, .until = 24) },
    "MiB that the timeline's file may have; it is cut there", "none", NULL, P(TIME), NULL },
};
/* clang-format on */

const struct switch_def *switch_find(struct str name, enum switch_at at)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (at == N_AT && str_eq(str_of(switch_defs[i].name), name))
            return &switch_defs[i];
    for (size_t i = 0; i < N_SWITCHES; i++)
        for (size_t k = at == N_AT ? 0 : at; k < (at == N_AT ? N_AT : at + 1u); k++) {
            const struct switch_place *p = &switch_defs[i].at[k];
            if ((p->key && *p->key && str_eq(str_of(p->key), name)) ||
                (p->old_key && str_eq(str_of(p->old_key), name)))
                return &switch_defs[i];
        }
    return NULL;
}

bool switch_has(const struct switch_def *d, enum switch_at at)
{
    return d->at[at].key != NULL;
}

const char *switch_key(const struct switch_def *d, enum switch_at at, unsigned version)
{
    const struct switch_place *p;

    if (at >= N_AT)
        return NULL;
    p = &d->at[at];
    if (!p->key || (p->since && version < p->since) || (p->until && version > p->until))
        return NULL;
    return p->old_key && version <= p->old_key_until ? p->old_key : p->key;
}

const char *switch_codes(const struct switch_place *p, unsigned version)
{
    if (p->old_codes && version <= p->old_codes_until)
        return p->old_codes;
    return p->codes && version <= p->codes_until ? p->codes : NULL;
}

unsigned switch_version(struct str text)
{
    uint64_t minor;
    struct str s = str_sub(text, text.n && (text.p[0] == 'r' || text.p[0] == 'v'), SIZE_MAX);

    if (!str_starts(s, STR("2.")) || !str_u64(str_sub(s, 2, 1), &minor) ||
        (s.n > 3 && s.p[3] != '.' && s.p[3] != '-'))
        return 0;
    return minor + 20 >= VERSION_OLDEST && minor + 20 <= VERSION_NEWEST ? (unsigned)minor + 20 : 0;
}

const char *switch_at_title(enum switch_at at)
{
    static const char *const titles[N_AT] = {
        [AT_ENV] = "MS_PROFILER_OPTIONS",         [AT_JSON] = N_("profiler_config.json of MindSpore"),
        [AT_PYTHON] = "mindspore.profiler",       [AT_TORCH_JSON] = N_("profiler_config.json of torch_npu"),
        [AT_TORCH_PYTHON] = "torch_npu.profiler", [AT_MSPROF] = "msprof",
    };

    return at < N_AT ? titles[at] : N_("this form");
}

bool pairs_are_all(const char *pairs)
{
    return pairs && *pairs == '!';
}

struct str pairs_get(const char *pairs, struct str canonical)
{
    struct str rest = str_of(pairs_are_all(pairs) ? pairs + 1 : pairs), pair;

    while (pairs && str_next(&rest, '|', &pair)) {
        size_t eq = str_chr(pair, '=');
        if (str_eq(str_sub(pair, 0, eq), canonical))
            return str_sub(pair, eq + 1, SIZE_MAX);
    }
    return STR_NULL;
}

struct str pairs_back(const char *pairs, struct str here)
{
    struct str rest = str_of(pairs_are_all(pairs) ? pairs + 1 : pairs), pair;

    while (pairs && str_next(&rest, '|', &pair)) {
        size_t eq = str_chr(pair, '=');
        if (str_eq(str_sub(pair, eq + 1, SIZE_MAX), here))
            return str_sub(pair, 0, eq);
    }
    return STR_NULL;
}

static void add_words(const char *words, struct buf *out)
{
    struct str rest = str_of(words), word;

    for (const char *sep = ""; str_next(&rest, '|', &word); sep = tr(", ")) {
        buf_puts(out, sep);
        buf_add(out, word);
    }
}

void switch_values(const struct switch_def *d, struct buf *out)
{
    switch (d->type) {
    case ST_BOOL:
        buf_puts(out, tr("true or false"));
        break;
    case ST_INT:
        buf_printf(out, tr("a whole number from %d up"), (int)d->min);
        break;
    case ST_FLOAT:
        buf_puts(out, tr("a number from 0 up, or null"));
        break;
    case ST_WORD:
        buf_puts(out, tr("one of "));
        add_words(d->words, out);
        break;
    case ST_WORDS:
        buf_puts(out, tr("a list of "));
        add_words(d->words, out);
        break;
    case ST_TEXT:
        buf_puts(out, tr("a text"));
        break;
    case ST_TEXTS:
        buf_puts(out, tr("a list of texts"));
        break;
    case ST_INTS:
        buf_puts(out, tr("a list of whole numbers"));
        break;
    case ST_JSON:
        buf_puts(out, tr("an object"));
        break;
    }
}

/* What stands between two sentences. */
static const char *between(void)
{
    return tr_is_english() ? " " : "";
}

static void add_places(const struct switch_def *d, struct buf *out)
{
    const char *sep = tr("In: ");

    buf_puts(out, between());

    for (size_t k = 0; k < N_AT; k++) {
        const struct switch_place *p = &d->at[k];
        if (!p->key)
            continue;
        buf_printf(out, "%s%s", sep, tr(switch_at_title((enum switch_at)k)));
        if (strcmp(p->key, d->name) != 0)
            buf_printf(out, " (%s)", *p->key ? p->key : tr("--task-time and others"));
        if (p->since)
            buf_printf(out, tr(" from %u.%u on"), p->since / 10, p->since % 10);
        if (p->until)
            buf_printf(out, tr(" up to %u.%u"), p->until / 10, p->until % 10);
        if (p->old_key)
            buf_printf(out, tr(" (up to %u.%u %s)"), p->old_key_until / 10, p->old_key_until % 10,
                       p->old_key);
        sep = tr(", ");
    }
    buf_puts(out, tr_is_english() ? "." : "。");
}

void switch_text(const struct switch_def *d, struct buf *out)
{
    switch_values(d, out);
    if (d->default_value[0])
        buf_printf(out, tr(" (default %s)"), d->default_value);
    buf_printf(out, tr_is_english() ? ": %s." : "：%s。", tr(d->help));
    add_places(d, out);
    buf_puts(out, between());
    buf_printf(out, tr("Costs: %s."), tr(d->cost));
    if (d->files) {
        buf_puts(out, between());
        buf_printf(out, tr("Makes: %s."), tr(d->files));
    }
    buf_puts(out, d->panes ? between() : "");
    for (int p = 0, n = 0; p < N_PANES; p++)
        if (d->panes & PANE_BIT(p))
            buf_printf(out, "%s%s", n++ ? tr(", ") : tr("Fills: "), pane_word((enum pane_id)p));
    if (d->panes)
        buf_puts(out, tr_is_english() ? "." : "。");
    if (d->obsolete) {
        buf_puts(out, between());
        buf_printf(out, tr("Obsolete: %s."), tr(d->obsolete));
    }
}

static void add_python(const struct switch_def *d, const char *value, struct buf *out)
{
    const struct switch_place *p = &d->at[AT_PYTHON];
    struct str word = pairs_get(p->words, str_of(value));
    bool list = d->type == ST_WORDS;

    if (!word.p)
        word = str_of(value);
    if (d->type == ST_BOOL)
        word = strcmp(value, "true") ? STR("False") : STR("True");
    bool quotes = d->type == ST_WORD && !p->prefix;
    buf_printf(out, "Profiler(%s=%s%s%s%.*s%s%s)", p->key, list ? "[" : "", quotes ? "\"" : "",
               p->prefix ? p->prefix : "", (int)word.n, word.p, quotes ? "\"" : "", list ? "]" : "");
}

static void add_env(const struct switch_def *d, const char *value, struct buf *out)
{
    bool plain = d->type == ST_BOOL || d->type == ST_INT;

    buf_printf(out, "MS_PROFILER_OPTIONS '{%s\"%s\": ", d->id == SW_START ? "" : "\"start\": true, ",
               d->at[AT_ENV].key);
    buf_printf(out, plain ? "%s" : d->type == ST_WORDS ? "[\"%s\"]" : "\"%s\"", value);
    buf_puts(out, "}'");
}

bool switch_advice(enum switch_id id, const char *value, enum switch_at at, struct buf *out)
{
    const struct switch_def *d = &switch_defs[id];
    const struct switch_place *p = &d->at[at];

    if (!p->key || (at == AT_ENV && p->until))
        return false;
    (at == AT_ENV ? add_env : add_python)(d, value, out);
    return true;
}
