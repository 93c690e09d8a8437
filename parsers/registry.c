/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The families of file kinds in the order they are looked up, and the groups of files.
 */
#include "config.h"

#include "parsers/kinds/kinds.h"
#include "parsers/parsers.h"
#include "parsers/registry.h"
#include "run/expect.h"
#include "run/inventory.h"

/* clang-format off */
static const struct kind_table *const families[] = {
    &kinds_state,     &kinds_ops, &kinds_system, &kinds_trace,
    &kinds_mindspore, &kinds_raw, &kinds_listed,
};

const struct file_kind registry_unknown = {
    .id = "unknown",
    .panes = FIL,
    .feeds = "files",
    .content = "not a file we know",
    .option = "-",
    .order = LIST,
};

/* Files that give rows only together. What a group does not use stays UNREAD. */
#define TASK_DESC_INFO "raw_framework", "Framework.{*}task_desc_info.{*}"
#define MINDSPORE_MEMBERS \
    { ROLE_HWTS, NEED_ANY, "raw_hwts", NULL }, \
    { ROLE_FRAMEWORK_GRAPH, NEED_ANY, "raw_framework", "Framework.{*}graph_desc_info.{*}" }, \
    { ROLE_FRAMEWORK_POINT, NEED_OPTIONAL, "raw_framework", "Framework.{*}point.{*}" }, \
    { ROLE_FRAMEWORK_TENSOR, NEED_OPTIONAL, "raw_framework", "Framework.tensor_data_info.{*}" }, \
    { ROLE_FRAMEWORK_HASH, NEED_OPTIONAL, "raw_framework", "Framework.hash_dic.{*}" }, \
    { ROLE_TRAINING_TRACE, NEED_ANY, "raw_training_trace", NULL }, \
    { ROLE_TS_TRACK, NEED_ANY, "raw_ts_track", NULL }, \
    { ROLE_AICPU, NEED_ANY, "raw_aicpu", NULL }, \
    { ROLE_AICORE, NEED_OPTIONAL, "raw_aicore", NULL }
#define MINDSPORE_TABLES \
    { "op_exec", 1u << ROLE_HWTS }, \
    { "step", 1u << ROLE_TS_TRACK | 1u << ROLE_TRAINING_TRACE }, \
    { "aicpu_exec", 1u << ROLE_AICPU }, \
    { "op_flops", 1u << ROLE_AICORE }

#define DATABASE_TABLES \
    { "op_exec", 0 }, { "track", 0 }, { "step", 0 }, { "comm_exec", 0 }, { "comm_link", 0 }, \
    { "api_stat", 0 }, { "host_op", 0 }, { "mem_sample", 0 }, { "mem_alloc", 0 }, { "mem_device", 0 }, \
    { "mem_module", 0 }

const struct group_kind registry_groups[] = {
    {
        /* the framework's comes before msprof's own, which is the same without the framework */
        .id = "database",
        .anchor = "{*}",
        .results = GROUP_RESULTS,
        .members = {
            { ROLE_DATABASE, NEED_ANY, "pt_db", NULL },
            { ROLE_DATABASE, NEED_ANY, "ms_db", NULL },
            { ROLE_DATABASE, NEED_ANY, "monitor_db", NULL },
            { ROLE_DATABASE_ANALYSIS, NEED_ANY, "analysis_db", NULL },
            { ROLE_DATABASE_ANALYSIS, NEED_ANY, "comm_db", NULL },
            { ROLE_DATABASE_ANALYSIS, NEED_ANY, "cluster_db", NULL },
        },
        .parse = group_database,
        .tables = { DATABASE_TABLES },
    },
    {
        /* raw data beside it has steps and AI CPU tasks, which it lacks */
        .id = "msprof_database",
        .anchor = "{*}",
        .results = GROUP_RESULTS_AFTER,
        .members = { { ROLE_DATABASE, NEED_ANY, "msprof_db", NULL } },
        .parse = group_database,
        .tables = { DATABASE_TABLES },
    },
    {
        .id = "gen1_job",
        .anchor = "JOB{*}",
        .members = { { ROLE_FRAMEWORK_TASK, NEED_ANY, TASK_DESC_INFO }, MINDSPORE_MEMBERS },
        .parse = group_mindspore_job,
        .tables = { MINDSPORE_TABLES },
    },
    {
        .id = "prof",
        .anchor = "PROF_{*}",
        .beside = "FRAMEWORK",
        .whole = true,
        /* records of a device are of MindSpore 1.x where its own lie with them */
        .yields_without = ROLE_PROF_CALLS,
        .yields_to = ROLE_FRAMEWORK_TASK,
        .members = {
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_info", NULL },
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_start_end", NULL },
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_clock", NULL },
            { ROLE_PROF_CALLS, NEED_ANY, "raw_host_api", NULL },
            { ROLE_PROF_HOST, NEED_ANY, "raw_host_compact", NULL },
            { ROLE_PROF_HOST, NEED_ANY, "raw_host_additional", NULL },
            { ROLE_PROF_TASKS, NEED_ANY, "raw_stars", NULL },
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_hwts", NULL },
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_ts_track", NULL },
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_aicore", NULL },
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_freq", NULL },
            { ROLE_PROF_DEVICE, NEED_ANY, "raw_aicpu", "aicpu.data.{*}" }, /* 1.x names it otherwise */
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_aicpu", NULL },
            { ROLE_PROF_DEVICE, NEED_OPTIONAL, "raw_preprocess", NULL },
            { ROLE_PROF_DEVICE, NEED_ANY, "raw_npu_mem", NULL },
            { ROLE_PROF_DEVICE, NEED_ANY, "raw_task_cache", NULL },
            { ROLE_PROF_DEVICE, NEED_ANY, "raw_sampled", NULL },
            { ROLE_PROF_HOST, NEED_ANY, "raw_host_usage", NULL },
            { ROLE_PROF_HOST, NEED_ANY, "raw_system_text", NULL },
            { ROLE_HOST_MARKS, NEED_OPTIONAL, "raw_op_range", "torch.op_mark" },
            { ROLE_HOST_RANGES, NEED_ANY, "raw_op_range", NULL },
            { ROLE_HOST_MEMORY, NEED_ANY, "raw_fw_memory", NULL },
            { ROLE_HOST_PYTHON, NEED_ANY, "raw_fw_other", NULL },
        },
        .parse = group_prof,
        .tables = {
            { "op_exec", 0 }, { "track", 0 }, { "api_stat", 0 }, { "fusion", 0 }, { "step", 0 },
            { "comm_exec", 0 }, { "mem_sample", 0 }, { "mem_alloc", 0 }, { "mem_device", 0 },
                { "mem_module", 0 },
            { "aicpu_exec", 0 }, { "queue_sample", 0 }, { "host_stage", 0 }, { "host_sample", 0 },
            { "host_op", 1u << ROLE_HOST_RANGES | 1u << ROLE_HOST_PYTHON },
        },
    },
    {
        /* what msprof's export kept between its steps, for a folder whose other data is gone */
        .id = "working_database",
        .anchor = "PROF_{*}",
        .whole = true,
        .results = GROUP_RESULTS_LAST,
        .members = {
            { ROLE_DATABASE_WORKING, NEED_ANY, "raw_sqlite", "{*}.db" },
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_info", NULL },
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_start_end", NULL },
            { ROLE_PROF_INFO, NEED_OPTIONAL, "raw_clock", NULL },
        },
        .parse = group_working,
        .tables = {
            { "op_exec", 0 }, { "track", 0 }, { "step", 0 }, { "comm_exec", 0 }, { "api_stat", 0 },
            { "mem_sample", 0 }, { "mem_alloc", 0 }, { "mem_device", 0 }, { "mem_module", 0 },
            { "aicpu_exec", 0 }, { "queue_sample", 0 }, { "fusion", 0 },
        },
    },
    {
        /* a device folder of later CANN has HWTS without Framework: that of its PROF folder comes first */
        .id = "gen1_device",
        .anchor = "device_{D}",
        .yields_without = ROLE_FRAMEWORK_TASK,
        .members = { { ROLE_FRAMEWORK_TASK, NEED_ANY, TASK_DESC_INFO }, MINDSPORE_MEMBERS },
        .parse = group_mindspore_job,
        .tables = { MINDSPORE_TABLES },
    },
};
const size_t registry_n_groups = ARRAY_LEN(registry_groups);
/* clang-format on */

struct inventory_tables registry_tables(void)
{
    return (struct inventory_tables){ .families = families,
                                      .n_families = ARRAY_LEN(families),
                                      .unknown = &registry_unknown,
                                      .expects = expect_rules,
                                      .n_expects = expect_n_rules };
}

const struct file_kind *registry_kind(size_t i)
{
    for (size_t f = 0; f < ARRAY_LEN(families); f++) {
        if (i < families[f]->n)
            return &families[f]->rows[i];
        i -= families[f]->n;
    }
    return NULL;
}

const struct file_kind *registry_find(struct str id)
{
    const struct file_kind *k;

    for (size_t i = 0; (k = registry_kind(i)); i++)
        if (str_eq(id, str_of(k->id)))
            return k;
    return str_eq(id, str_of(registry_unknown.id)) ? &registry_unknown : NULL;
}
