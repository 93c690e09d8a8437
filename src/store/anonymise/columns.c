/* SPDX-License-Identifier: Apache-2.0 */
/* The text columns of a store and what they hold. */
#include "config.h"

#include "store/anonymise/columns.h"

#include <string.h>

/* clang-format off */
const struct anonymise_column anonymise_columns[] = {
    { "meta", "key", TX_FIXED }, { "meta", "value", TX_KEYED }, { "source", "path", TX_PATH },
    { "source", "kind", TX_FIXED }, { "source", "state", TX_FIXED }, { "source", "used", TX_PROSE },
    { "source", "feeds", TX_FIXED }, { "source", "produced_by", TX_FIXED }, { "source", "note", TX_PROSE },
    { "source", "table_name", TX_DROP }, { "note", "code", TX_FIXED }, { "note", "severity", TX_FIXED },
    { "note", "text", TX_PROSE }, { "setting", "key", TX_KEY }, { "setting", "value", TX_KEYED },
    { "rank", "host", TX_HOST }, { "rank", "group_id", TX_PROSE }, { "rank", "parallel", TX_FIXED },
    { "rank", "clock", TX_FIXED }, { "rank", "state", TX_FIXED }, { "rank_comm", "group_id", TX_PROSE },
    { "rank_comm", "type_id", TX_PUBLIC }, { "rank_link", "transport", TX_FIXED },
    { "rank_op", "by", TX_FIXED }, { "rank_op", "name_id", TX_OP }, { "rank_op", "type_id", TX_PUBLIC },
    { "rank_op", "core", TX_FIXED },
    { "unit", "path", TX_PATH }, { "unit", "window", TX_PATH }, { "unit", "state", TX_FIXED },
    { "unit", "store_path", TX_DROP }, { "unit", "input_key", TX_DROP }, { "finding", "rule", TX_FIXED },
    { "finding", "severity", TX_FIXED }, { "finding", "text", TX_PROSE },
    { "finding", "args", TX_PROSE },
    { "finding", "evidence_sql", TX_PROSE }, { "finding", "target", TX_FIXED },
    { "finding", "filter", TX_PROSE }, { "last_activity", "kind", TX_FIXED },
    { "last_activity", "track", TX_PROSE }, { "last_activity", "name_id", TX_OP },
    { "last_activity", "state", TX_FIXED }, { "op", "name_id", TX_OP }, { "op", "type_id", TX_PUBLIC },
    { "op", "scope_id", TX_OP }, { "op", "core", TX_FIXED }, { "op", "state", TX_FIXED },
    { "op", "in_shapes_id", TX_FIXED }, { "op", "in_types_id", TX_FIXED },
    { "op", "in_formats_id", TX_FIXED }, { "op", "out_shapes_id", TX_FIXED },
    { "op", "out_types_id", TX_FIXED }, { "op", "out_formats_id", TX_FIXED }, { "op", "hf32", TX_FIXED },
    { "op", "attrs_id", TX_PROSE }, { "op", "strategy_id", TX_PROSE }, { "op", "extra", TX_DROP },
    { "task_cache", "name_id", TX_OP }, { "task_cache", "extra", TX_DROP },
    { "op_exec", "damage", TX_FIXED }, { "comm_exec", "damage", TX_FIXED },
    { "aicpu_exec", "damage", TX_FIXED }, { "step", "damage", TX_FIXED },
    { "step_part", "damage", TX_FIXED }, { "track", "damage", TX_FIXED },
    { "op_exec", "extra", TX_DROP }, { "exec_host", "name_id", TX_OP },
    { "exec_host", "module_id", TX_OP }, { "exec_host", "stack_id", TX_PATH },
    { "event_place", "name_id", TX_OP }, { "event_place", "module_id", TX_OP },
    { "event_place", "stack_id", TX_PATH },
    { "aicpu_exec", "name_id", TX_OP }, { "op_stat", "by", TX_FIXED },
    { "op_stat", "name_id", TX_OP }, { "op_stat", "type_id", TX_PUBLIC },
    { "op_stat", "core", TX_FIXED }, { "op_stat", "per", TX_FIXED },
    { "op_stat", "in_shapes_id", TX_FIXED }, { "op_stat", "extra", TX_DROP },
    { "flops_total", "kind", TX_OP }, { "host_op", "name_id", TX_OP },
    { "host_op", "type_id", TX_PUBLIC }, { "host_op", "thread", TX_FIXED },
    { "host_op", "in_shapes_id", TX_FIXED }, { "host_op", "stack_id", TX_PATH },
    { "host_op", "module_id", TX_OP }, { "host_op", "extra", TX_DROP },
    { "fusion", "op_name_id", TX_OP }, { "fusion", "original_id", TX_OP },
    { "fusion", "extra", TX_DROP }, { "step", "extra", TX_DROP }, { "step_part", "kind", TX_FIXED },
    { "step_part", "name_id", TX_OP }, { "track", "kind", TX_FIXED }, { "track", "pid", TX_KEY },
    { "track", "tid", TX_KEY }, { "track", "process_id", TX_PROSE }, { "track", "name_id", TX_PROSE },
    { "track", "unit", TX_FIXED }, { "mem_sample", "component_id", TX_FIXED },
    { "rank_total", "peak_mem_of", TX_FIXED },
    { "mem_sample", "device_type", TX_FIXED }, { "mem_sample", "event", TX_FIXED },
    { "mem_alloc", "stack_id", TX_PATH }, { "mem_alloc", "name_id", TX_OP },
    { "mem_alloc", "device_type", TX_FIXED }, { "mem_node", "name_id", TX_OP },
    { "mem_node", "full_name_id", TX_OP }, { "mem_node", "mark", TX_FIXED },
    { "mem_tensor", "name_id", TX_OP }, { "mem_tensor", "shape_id", TX_FIXED },
    { "mem_tensor", "format_id", TX_FIXED }, { "mem_tensor", "type_id", TX_FIXED },
    { "mem_tensor", "kind", TX_FIXED }, { "mem_tensor", "lifelong", TX_FIXED },
    { "mem_tensor", "extra", TX_DROP }, { "mem_module", "module_id", TX_FIXED },
    { "mem_module", "device_type", TX_FIXED }, { "mem_device", "process", TX_PROSE },
    { "pipeline_op", "type_id", TX_PUBLIC }, { "pipeline_op", "children", TX_PROSE },
    { "pipeline_op", "text", TX_PROSE }, { "queue_sample", "queue", TX_OP },
    { "queue_sample", "action", TX_FIXED }, { "batch_time", "kind", TX_FIXED },
    { "cpu_sample", "who", TX_PROSE }, { "dataset_stage", "op", TX_PROSE },
    { "dataset_stage", "event", TX_PROSE }, { "dataset_stage", "stage", TX_PROSE },
    { "dataset_stage", "info", TX_DROP }, { "comm_exec", "name_id", TX_OP },
    { "comm_exec", "type_id", TX_PUBLIC }, { "comm_exec", "group_id", TX_PROSE },
    { "comm_exec", "kind", TX_FIXED }, { "comm_link", "name_id", TX_OP },
    { "comm_link", "type_id", TX_PUBLIC }, { "comm_link", "group_id", TX_PROSE },
    { "comm_link", "transport", TX_FIXED }, { "comm_link", "sizes", TX_FIXED },
    { "comm_link", "stat", TX_FIXED }, { "comm_stat", "type_id", TX_PUBLIC },
    { "comm_group", "kind", TX_FIXED }, { "comm_group", "group_id", TX_PROSE },
    { "comm_group", "id", TX_KEY }, { "comm_group", "name", TX_PROSE },
    { "comm_group", "ranks", TX_FIXED },
    { "api_stat", "level", TX_FIXED }, { "api_stat", "name_id", TX_PUBLIC },
    { "api_stat", "extra", TX_DROP }, { "host_stage", "name_id", TX_PROSE },
    { "host_stage", "level", TX_FIXED }, { "host_stage", "thread", TX_FIXED },
    { "host_stage", "info", TX_DROP }, { "host_stage", "extra", TX_DROP },
    { "host_sample", "what", TX_PROSE }, { "doc", "key", TX_KEY }, { "doc", "value", TX_DROP },
    { "log_file", "path", TX_DROP },     { "log_file", "kind", TX_FIXED },
    { "log_file", "state", TX_FIXED },   { "log_file", "server", TX_DROP },
    { "log_file", "note", TX_DROP },     { "log_line", "clock", TX_FIXED },
    { "log_line", "server", TX_DROP },   { "log_line", "source", TX_FIXED },
    { "log_line", "level", TX_FIXED },   { "log_line", "module", TX_DROP },
    { "log_line", "role", TX_FIXED },    { "log_line", "class", TX_FIXED },
    { "log_line", "says", TX_FIXED },    { "log_line", "message", TX_DROP },
    { "log_line", "text", TX_DROP },
    { "log_event", "signature", TX_FIXED }, { "log_event", "next", TX_FIXED },
    { "log_event", "op", TX_DROP },      { "log_event", "kernel", TX_DROP },
    { "log_event", "group_name", TX_DROP }, { "log_event", "code", TX_FIXED },
    { "collective", "group_name", TX_DROP }, { "collective", "op", TX_DROP },
    { "collective", "sizes", TX_DROP },  { "collective", "dtypes", TX_FIXED },
    { "collective", "state", TX_FIXED }, { "collective", "says", TX_DROP },
    { "collective", "place", TX_DROP },  { "collective", "stack", TX_DROP },
    { "collective", "source", TX_FIXED }, { "collective", "path", TX_DROP },
};

/* The end of a key decides; "=" before it: the whole key. The first that fits counts. */
static const struct key_kind {
    const char *end;
    enum text_kind kind;
} key_kinds[] = {
    { "=root",      TX_PATH }, { "=input_key",  TX_DROP },      { "hostname",   TX_HOST },
    { "host_name",  TX_HOST }, { "server_id",   TX_HOST }, { ".mac",       TX_HOST },
    { "hostUid",    TX_HOST }, { "host_uid",    TX_HOST }, { "user",       TX_USER },
    { "user_name",  TX_USER }, { "username",    TX_USER }, { "uid",        TX_USER },
    { "jobInfo",    TX_USER }, { "job_info",    TX_USER }, { "pid_name",   TX_PATH },
    { "path",       TX_PATH }, { "dir",         TX_PATH }, { "cmd",        TX_PATH },
    { "app",        TX_PATH }, { "params",      TX_PATH }, { "parameters", TX_PATH },
    { "command",    TX_PATH }, { "fp_start",    TX_OP },   { "bp_end",     TX_OP },
    { "fp_point",   TX_OP },   { "bp_point",    TX_OP },   { "op_name",    TX_OP },
};
/* clang-format on */
const size_t n_anonymise_columns = ARRAY_LEN(anonymise_columns);

enum text_kind anonymise_kind(const char *table, const char *column)
{
    for (size_t i = 0; i < ARRAY_LEN(anonymise_columns); i++)
        if (!strcmp(anonymise_columns[i].table, table) && !strcmp(anonymise_columns[i].column, column))
            return anonymise_columns[i].kind;
    return TX_DROP;
}

enum text_kind anonymise_kind_of_key(struct str key)
{
    for (size_t i = 0; i < ARRAY_LEN(key_kinds); i++) {
        struct str end = str_of(key_kinds[i].end);
        bool whole = end.p[0] == '=';
        if (whole)
            end = str_sub(end, 1, end.n);
        if (key.n >= end.n && (!whole || key.n == end.n) &&
            str_eq_nocase(str_sub(key, key.n - end.n, end.n), end))
            return key_kinds[i].kind;
    }
    return TX_PROSE;
}

enum text_kind anonymise_kind_of_events(struct str track_kind, struct str process)
{
    static const char *const of_ops[] = { "stream", "plane", "engine", "aicpu", "scope", "memory", "queue" };

    for (size_t i = 0; i < ARRAY_LEN(of_ops); i++)
        if (str_eq(track_kind, str_of(of_ops[i])))
            return TX_OP;
    /* calls of CANN's libraries; above them frameworks and the user's program */
    if (str_eq(track_kind, STR("host_thread")))
        return str_starts(process, STR("CANN")) ? TX_PUBLIC : TX_OP;
    return TX_PROSE;
}
