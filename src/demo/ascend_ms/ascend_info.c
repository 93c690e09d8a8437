/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: the info files, the folders of PROF_* and their side files
 * (doc/formats/analysed.md#info-files; doc/formats/prof.md#names).
 */
#include "config.h"

#include <stdio.h>
#include <time.h>

#include "base/path.h"
#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_data.h"
#include "demo/demo_stat.h"
#include "demo/framework/fw.h"

static const char *metrics_of(const struct ascend *g)
{
    return g->run->o.metrics == DEMO_ARITHMETIC ? "ArithmeticUtilization" : "PipeUtilization";
}

/* Parameters by version (doc/formats/framework.md#ms_profiler_options); since: of which they exist. */
static void put_parameters(const struct ascend *g, struct emit *o)
{
    static const struct {
        int since;
        const char *key, *value;
    } more[] = {
        { 25, "with_stack", "true" },
        { 25, "profile_memory", "true" },
        { 25, "data_process", "true" },
        { 25, "parallel_strategy", "false" },
        { 25, "start_profile", "true" },
        { 25, "l2_cache", "true" },
        { 25, "hbm_ddr", "false" },
        { 25, "pcie", "false" },
        { 27, "sys_io", "false" },
        { 27, "sys_interconnection", "false" },
        { 27, "host_sys", "[]" },
        { 25, "sync_enable", "true" },
        { 25, "data_simplification", "false" },
        { 27, "record_shapes", "true" },
        { 26, "export_type", "[\n            \"text\"\n        ]" },
        { 25, "mstx", "false" },
        { 27, "mstx_domain_include", "[]" },
        { 27, "mstx_domain_exclude", "[]" },
    };
    int version = ascend_version(g->run);
    emit_s(o, "    \"profiler_parameters\": {\n        \"is_set_schedule\": true,\n"
              "        \"output_path\": \"./data\",\n        \"profiler_level\": \"Level2\",\n"
              "        \"activities\": [\n            \"CPU\",\n            \"NPU\"\n        ],\n");
    emit_fmt(o, "        \"%s\": \"%s\",\n", version == 25 ? "aicore_metrics" : "aic_metrics", metrics_of(g));
    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        if (version >= more[i].since)
            emit_fmt(o, "        \"%s\": %s,\n", more[i].key, more[i].value);
    emit_fmt(o,
             "        \"schedule\": {\n            \"wait\": 0,\n            \"active\": %d,\n     "
             "       \"warmup\": 0,\n            \"repeat\": 1,\n            \"skip_first\": %u\n        }\n"
             "    },\n",
             g->run->o.steps, g->run->first_step);
}

static int mindspore_info(struct ascend *g, struct err *e)
{
    const bool has_mode = ascend_version(g->run) == 25;
    struct emit *o;
    char name[64];
    snprintf(name, sizeof name, "profiler_info_%d.json", g->rank);
    if (emit_open(&o, g->top, name, e))
        return e->code;
    emit_s(o, "{\n");
    put_parameters(g, o);
    emit_fmt(o,
             "    \"ms_profiler_info\": {\n        \"rank_id\": \"%d\",\n        \"device_id\": \"%d\"%s\n"
             "    },\n    \"cann_profiler_info\": {},\n    \"analysis_cost_time\": {},\n",
             g->rank, g->device, has_mode ? ",\n        \"context_mode\": 0" : "");
    emit_fmt(o, "    \"ms_version\": \"2.%d.0\",\n    \"cann_version\": \"8.2.RC1\",\n",
             ascend_version(g->run) - 20);
    emit_fmt(o, "    \"jit_level\": \"O0\"%s\n}", has_mode ? ",\n    \"context_mode\": 0" : "");
    return emit_close(o, &g->count, e);
}

/* Its clocks are ns (doc/formats/framework.md#torch_npu). */
static int torch_info(struct ascend *g, struct err *e)
{
    struct emit *o;
    char name[64];
    if (g->run->o.ranks > 1)
        snprintf(name, sizeof name, "profiler_info_%d.json", g->rank);
    else
        snprintf(name, sizeof name, "profiler_info.json");
    if (emit_open(&o, g->top, name, e))
        return e->code;
    emit_fmt(
        o,
        "{\n    \"config\": {\n        \"common_config\": {\n            \"activities\": [\n"
        "                \"ProfilerActivity.CPU\",\n                \"ProfilerActivity.NPU\"\n"
        "            ],\n            \"schedule\": {\n                \"wait\": 0,\n"
        "                \"warmup\": 0,\n                \"active\": %d,\n                \"repeat\": 1,\n"
        "                \"skip_first\": %u\n            },\n",
        g->run->o.steps, g->run->first_step);
    emit_fmt(
        o,
        "            \"record_shapes\": true,\n            \"profile_memory\": true,\n"
        "            \"with_stack\": true,\n            \"with_flops\": false,\n"
        "            \"with_modules\": false\n        },\n        \"experimental_config\": {\n"
        "            \"_profiler_level\": \"Level2\",\n            \"_aic_metrics\": \"ACL_AICORE_%s\",\n",
        g->run->o.metrics == DEMO_ARITHMETIC ? "ARITHMETIC_UTILIZATION" : "PIPE_UTILIZATION");
    emit_fmt(o,
             "            \"_l2_cache\": false,\n            \"_msprof_tx\": false,\n"
             "            \"_data_simplification\": false,\n            \"_export_type\": [\n"
             "                \"text\"\n            ]\n        }\n    },\n    \"start_info\": {\n"
             "        \"syscnt_enable\": true,\n        \"freq\": %d.0,\n        \"start_cnt\": %U,\n"
             "        \"start_monotonic\": %i\n    },\n",
             ASCEND_MHZ, ascend_host_count(0), ASCEND_MONOTONIC_NS);
    emit_fmt(o,
             "    \"end_info\": {\n        \"collectionTimeEnd\": %i,\n        \"MonotonicTimeEnd\": %i\n"
             "    },\n    \"rank_id\": %d,\n    \"torch_npu_version\": \"2.7.1\",\n"
             "    \"cann_version\": \"8.2.RC1\"\n}",
             ascend_abs(g, g->end_ns), ASCEND_MONOTONIC_NS + g->end_ns, g->rank);
    return emit_close(o, &g->count, e);
}

int ascend_profiler_info(struct ascend *g, struct err *e)
{
    return demo_is_torch(g->run) ? torch_info(g, e) : mindspore_info(g, e);
}

static void put_group(struct ascend *g, struct emit *o, enum demo_group_kind k, bool more)
{
    struct demo_group grp = demo_group_of(g->run, g->rank, k);
    emit_fmt(o,
             "        \"%s\": {\n            "
             "\"group_name\": \"%s\",\n            "
             "\"group_rank\": %d,\n            \"global_ranks\": [",
             grp.id, grp.label, grp.me);
    for (int i = 0; i < grp.n; i++)
        emit_fmt(o, "%s%d", i ? ", " : "", grp.base + i * grp.stride);
    emit_fmt(o, "]\n        }%s\n", more ? "," : "");
}

int ascend_metadata(struct ascend *g, struct err *e)
{
    struct emit *o;
    const struct demo_net *n = g->run->net;
    bool dp = n->group_ops[DEMO_GROUP_DATA], tp = n->group_ops[DEMO_GROUP_TENSOR];
    if (emit_open(&o, g->top, "profiler_metadata.json", e))
        return e->code;
    emit_fmt(o,
             "{\n    \"made_by\": \"npuscope demo\",\n    \"distributed_args\": {\n        "
             "\"tensor_model_parallel_size\": %d,\n"
             "        \"pipeline_model_parallel_size\": 1,\n        \"data_parallel_size\": %d,\n  "
             "      \"rank\": %d,\n"
             "        \"world_size\": %d\n    },\n",
             g->run->tp, g->run->o.ranks / g->run->tp, g->rank, g->run->o.ranks);
    emit_s(o, "    \"ENV_VARIABLES\": {\n        \"ASCEND_GLOBAL_LOG_LEVEL\": \"\",\n        "
              "\"HCCL_RDMA_TC\": \"\",\n"
              "        \"ASCEND_LAUNCH_BLOCKING\": \"\",\n        \"HCCL_ALGO\": \"\"\n    },\n "
              "   \"parallel_group_info\": {\n");
    if (dp)
        put_group(g, o, DEMO_GROUP_DATA, tp);
    if (tp)
        put_group(g, o, DEMO_GROUP_TENSOR, false);
    emit_s(o, "    }\n}");
    return emit_close(o, &g->count, e);
}

static int clock_file(struct ascend *g, const char *dir, const char *name, bool begin, struct err *e)
{
    struct emit *o;
    int64_t at = ascend_abs(g, begin ? 0 : g->end_ns) / 1000, since = at - g->run->origin_ns / 1000;
    const char *word = begin ? "Begin" : "End";
    time_t local = (time_t)(at / 1000000 + (int64_t)g->run->o.zone_min * 60);
    char date[32], fraction[16];
    struct tm tm = { 0 };
    gmtime_r(&local, &tm);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
    snprintf(fraction, sizeof fraction, "%06d", (int)(at % 1000000));
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o,
             "{\"collectionDate%s\": \"%s.%s\", \"collectionTime%s\": \"%i\", \"clockMonotonicRaw\": "
             "\"%i\"}",
             word, date, fraction, word, at, since * 1000 + ASCEND_MONOTONIC_NS);
    return emit_close(o, &g->count, e);
}

static int info_json(struct ascend *g, const char *dir, const char *name, bool host, struct err *e)
{
    static const int platforms[] = {
        [DEMO_910B] = 5, [DEMO_910A] = 1, [DEMO_310P] = 4, [DEMO_310B] = 7, [DEMO_950] = 15
    };
    bool b = !demo_has_one_core(g->run->o.chip);
    int mhz = b ? DEMO_AIC_MHZ : DEMO_910A_MHZ;
    struct emit *o;
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o,
             "{\"version\": \"1.0\", \"jobInfo\": \"NA\", \"mac\": \"\", \"OS\": "
             "\"Linux-5.10.0-60.18.0.50.oe2203.aarch64\", "
             "\"cpuCores\": 192, \"hostname\": \"node-%d\", \"hwtype\": \"Atlas\", \"devices\": "
             "\"%d\", \"platform\": \"\", \"CPU\": "
             "[{\"Id\": 0, \"Name\": \"ARM\", \"Frequency\": \"100.000000\", "
             "\"Logical_CPU_Count\": 192, \"Type\": \"Kunpeng-920\"}], "
             "\"DeviceInfo\": [",
             g->rank / g->run->node_ranks + 1, host ? 64 : g->device);
    if (!host)
        emit_fmt(o,
                 "{\"id\": %d, \"env_type\": 3, \"ctrl_cpu_id\": \"ARMv8_Cortex_A55\", "
                 "\"ctrl_cpu_core_num\": 1, "
                 "\"ctrl_cpu_endian_little\": 1, \"ts_cpu_core_num\": 0, \"ai_cpu_core_num\": 6, "
                 "\"ai_core_num\": %d, "
                 "\"ai_cpu_core_id\": 2, \"ai_core_id\": 0, \"aicpu_occupy_bitmap\": 252, "
                 "\"ctrl_cpu\": \"0\", \"ai_cpu\": "
                 "\"2,3,4,5,6,7\", \"aiv_num\": %d, \"hwts_frequency\": \"%d.000000\", "
                 "\"aic_frequency\": \"%d\", \"aiv_frequency\": "
                 "\"%d\"}",
                 g->device, b ? DEMO_AIC_CORES : DEMO_910A_CORES, b ? DEMO_AIV_CORES : 0, ASCEND_MHZ, mhz,
                 mhz);
    emit_fmt(o,
             "], \"platform_version\": \"%d\", \"pid\": \"%u\", \"pid_name\": \"python3.9\", "
             "\"memoryTotal\": 1583382400, \"cpuNums\": 192, "
             "\"sysClockFreq\": 100, \"upTime\": \"3612.11\", \"netCardNums\": 1, \"netCard\": "
             "[{\"netCardName\": \"enp189s0f0\", "
             "\"speed\": 10000}], \"rank_id\": %d, \"hostUid\": \"%d\", \"drvVersion\": 467732}",
             platforms[g->run->o.chip], g->pid, g->rank, 1000083 + g->rank / g->run->node_ranks);
    return emit_close(o, &g->count, e);
}

int ascend_info_files(struct ascend *g, bool host, bool end, struct err *e)
{
    char sub[32], dir[1100], name[3][32];
    static const char *const base[] = { "info.json", "start_info", "end_info" };
    str_copy(STR("host"), sub, sizeof sub);
    if (!host)
        snprintf(sub, sizeof sub, "device_%d", g->device);
    for (size_t i = 0; i < ARRAY_LEN(base); i++)
        if (host)
            str_copy(str_of(base[i]), name[i], sizeof name[i]);
        else
            snprintf(name[i], sizeof name[i], "%s.%d", base[i], g->device);
    if (!path_join(dir, sizeof dir, g->prof, sub))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (emit_mkdirs(dir, e) || info_json(g, dir, name[0], host, e) || clock_file(g, dir, name[1], true, e) ||
        (end && clock_file(g, dir, name[2], false, e)))
        return e->code;
    return OK;
}

/* Stages of the data pipeline, each with its mean. */
#define STAGES 8
struct stages {
    struct fw_range first[STAGES]; /* the first of each */
    struct demo_stat stat[STAGES];
    uint32_t n;
};

static void add_stage(struct stages *x, const struct fw_range *r)
{
    uint32_t i = 0;
    while (i < x->n && (strcmp(x->first[i].event, r->event) || strcmp(x->first[i].name, r->name)))
        i++;
    if (i == STAGES)
        return; /* the model has fewer; the tests' check of the file would fail */
    if (i == x->n)
        x->first[x->n++] = *r;
    demo_stat_add(&x->stat[i], r->end_ns - r->start_ns);
}

static int find_stages(struct ascend *g, struct stages *x, struct err *e)
{
    struct fw fw;
    if (fw_init(&fw, g, false, e) == OK) {
        demo_walk_rewind(&g->walk);
        while (demo_walk_next(&g->walk) && !fw_step(&fw, e))
            for (uint32_t i = 0; i < fw.n; i++)
                if (fw.v[i].file == FW_RANGES && fw.v[i].range.kind == FW_DATASET)
                    add_stage(x, &fw.v[i].range);
    }
    fw_done(&fw);
    return e->code;
}

/* "a:1;b:2" as a dict of Python; a single pair is left out (doc/formats/framework.md#dataset). */
static void put_custom(struct emit *o, const char *text)
{
    struct str s = str_of(text ? text : ""), pair, key;
    if (!s.n)
        return;
    if (str_chr(s, ';') == SIZE_MAX) {
        emit_s(o, "{}");
        return;
    }
    emit_s(o, "\"{");
    for (int i = 0; i < 2 && str_next(&s, ';', &pair); i++) {
        str_next(&pair, ':', &key);
        emit_fmt(o, "%s'", i ? ", " : "");
        emit_str(o, key);
        emit_s(o, "': '");
        emit_str(o, pair);
        emit_c(o, '\'');
    }
    emit_s(o, "}\"");
}

static int dataset(struct ascend *g, struct err *e)
{
    struct stages x = { .n = 0 };
    struct emit *o;
    if (find_stages(g, &x, e) || emit_open(&o, g->out, "dataset.csv", e))
        return e->code;
    emit_s(o, "Operation,Stage,Occurrences,Avg. time (us),Custom Info\r\n");
    for (uint32_t i = 0; i < x.n; i++) {
        const struct demo_stat *s = &x.stat[i];
        emit_fmt(o, "%s,%s,%U,%r,", x.first[i].event, x.first[i].name, s->count,
                 emit_round((double)s->sum_ns / 1000 / (double)s->count, 2));
        put_custom(o, x.first[i].custom);
        emit_s(o, "\r\n");
    }
    return emit_close(o, &g->count, e);
}

int ascend_info(struct ascend *g, struct err *e)
{
    if (ascend_profiler_info(g, e) || ascend_metadata(g, e) || ascend_info_files(g, true, true, e) ||
        ascend_info_files(g, false, true, e))
        return e->code;
    return OK;
}

int ascend_data(struct ascend *g, struct err *e)
{
    struct demo_pipe p = demo_pipe_of(g->run, g->rank, g->end_ns);
    char dir[1100];

    if (!path_join(dir, sizeof dir, g->top, "FRAMEWORK"))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (dataset(g, e) || demo_pipe_write(&p, g->out, &g->count, e) || emit_mkdirs(dir, e))
        return e->code;
    return demo_pipe_write_raw(&p, dir, g->rank, &g->count, e);
}
