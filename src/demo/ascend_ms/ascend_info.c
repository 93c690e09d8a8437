/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: the info files, the folders of PROF_* and their side files
 * (doc/formats/analysed.md#info-files; doc/formats/prof.md#names).
 */
#include "config.h"

#include <stdio.h>

#include "base/path.h"
#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_data.h"

int ascend_profiler_info(struct ascend *g, struct err *e)
{
    struct emit *o;
    char name[64];
    snprintf(name, sizeof name, "profiler_info_%d.json", g->rank);
    if (emit_open(&o, g->top, name, e))
        return e->code;
    emit_s(o, "{\n    \"profiler_parameters\": {\n        \"is_set_schedule\": true,\n        "
              "\"output_path\": \"./data\",\n"
              "        \"profiler_level\": \"Level2\",\n        \"activities\": [\n            "
              "\"CPU\",\n            \"NPU\"\n"
              "        ],\n        \"aic_metrics\": \"");
    emit_s(o, g->run->o.metrics == DEMO_ARITHMETIC ? "ArithmeticUtilization" : "PipeUtilization");
    emit_s(o, "\",\n        \"with_stack\": true,\n"
              "        \"profile_memory\": true,\n        \"data_process\": true,\n        "
              "\"parallel_strategy\": false,\n"
              "        \"start_profile\": true,\n        \"l2_cache\": true,\n        \"hbm_ddr\": "
              "false,\n"
              "        \"pcie\": false,\n        \"sys_io\": false,\n        \"sys_interconnection\": "
              "false,\n"
              "        \"host_sys\": [],\n        \"sync_enable\": true,\n        "
              "\"data_simplification\": false,\n"
              "        \"record_shapes\": true,\n        \"export_type\": [\n            \"text\"\n      "
              "  ],\n"
              "        \"mstx\": false,\n        \"mstx_domain_include\": [],\n        "
              "\"mstx_domain_exclude\": [],\n");
    emit_fmt(o,
             "        \"schedule\": {\n            \"wait\": 0,\n            \"active\": %d,\n     "
             "       \"warmup\": 0,\n"
             "            \"repeat\": 1,\n            \"skip_first\": %u\n        }\n    },\n",
             g->run->o.steps, g->run->first_step - 1);
    emit_fmt(o,
             "    \"ms_profiler_info\": {\n        \"rank_id\": \"%d\",\n        \"device_id\": "
             "\"%d\",\n"
             "        \"context_mode\": \"graph\"\n    },\n    \"cann_profiler_info\": {},\n    "
             "\"analysis_cost_time\": {},\n"
             "    \"ms_version\": \"2.7.0\",\n    \"cann_version\": \"8.2.RC1\",\n    "
             "\"jit_level\": \"O0\"\n}",
             g->rank, g->device);
    return emit_close(o, &g->count, e);
}

static void put_group(struct ascend *g, struct emit *o, enum demo_group_kind k, bool more)
{
    struct demo_group grp = demo_group_of(g->run, g->rank, k);
    emit_fmt(o,
             "        \"192.168.0.%d%%eth0_60000_0_17734507270000%d0\": {\n            "
             "\"group_name\": \"%U\",\n            "
             "\"group_rank\": %d,\n            \"global_ranks\": [",
             10 + g->rank / DEMO_NODE_RANKS, (int)k, grp.hash, grp.me);
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
    char text[40];
    /* the run began at 2026-03-14 01:12:07 UTC; longer runs stay within the day or show the hour
     * modulo 24 */
    int64_t s = since / 1000000 + 1 * 3600 + 12 * 60 + 7;
    snprintf(text, sizeof text, "2026-03-14 %02d:%02d:%02d.%06d", (int)(s / 3600 % 24), (int)(s / 60 % 60),
             (int)(s % 60), (int)(since % 1000000));
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o,
             "{\"collectionDate%s\": \"%s\", \"collectionTime%s\": \"%i\", \"clockMonotonicRaw\": "
             "\"%i\"}",
             word, text, word, at, since * 1000 + ASCEND_MONOTONIC_NS);
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
             g->rank / DEMO_NODE_RANKS + 1, host ? 64 : g->device);
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
             platforms[g->run->o.chip], g->pid, g->rank, 1000083 + g->rank / DEMO_NODE_RANKS);
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

static int dataset(struct ascend *g, struct err *e)
{
    struct emit *o;
    uint64_t n = (uint64_t)g->run->o.steps * 4;
    if (emit_open(&o, g->out, "dataset.csv", e))
        return e->code;
    emit_fmt(o,
             "Operation,Stage,Occurrences,Avg. time (us),Custom "
             "Info\r\nPipeline,Batch,%U,1954.3,{}\r\nPipeline,Map,%U,1961.8,\r\n"
             "PushToAscend,DeviceQueue,%U,1958.02,\r\n",
             n, n, n);
    return emit_close(o, &g->count, e);
}

int ascend_info(struct ascend *g, struct err *e)
{
    struct demo_pipe p = demo_pipe_of(g->run, g->rank, g->end_ns);
    if (ascend_profiler_info(g, e) || ascend_metadata(g, e) || ascend_info_files(g, true, true, e) ||
        ascend_info_files(g, false, true, e) || dataset(g, e))
        return e->code;
    return demo_pipe_write(&p, g->out, &g->count, e);
}
