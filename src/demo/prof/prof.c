/* SPDX-License-Identifier: Apache-2.0 */
/* Raw data of MindSpore 2.x: folders, clocks, and one writer after the other. */
#include "config.h"

#include "demo/prof/prof.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "demo/demo_write.h"
#include "demo/framework/fw.h"

/* clang-format off */
const struct demo_prof_chip demo_prof_chips[] = {
    [DEMO_910B] = { .aic_events = DEMO_AIC_EVENTS, .aic_metrics = "PipeUtilizationExct",
        .aiv_events = DEMO_AIV_EVENTS, .l2_events = "0xfb,0xfc,0x90,0x91,0x9c" },
    [DEMO_910A] = { .hwts = true, .one_core = true, .ts_aicpu = true, .aic_events = DEMO_AIV_EVENTS,
        .aic_metrics = "PipeUtilization", .aiv_events = DEMO_AIV_EVENTS },
    [DEMO_310P] = { .hwts = true, .one_core = true, .aic_events = DEMO_AIV_EVENTS,
        .aic_metrics = "PipeUtilization", .aiv_events = DEMO_AIV_EVENTS },
    [DEMO_310B] = { .one_core = true, .aic_events = DEMO_AIV_EVENTS, .aic_metrics = "PipeUtilization",
        .aiv_events = DEMO_AIV_EVENTS },
    [DEMO_950] = { .ids32 = true, .aic_events = DEMO_950_AIC_EVENTS, .aic_metrics = "PipeUtilization",
        .aiv_events = DEMO_950_AIV_EVENTS },
};
/* clang-format on */

#define ARITHMETIC "ArithmeticUtilization"

/* ---- info files ---- */

static int open_info_file(struct demo_prof *r, struct emit **o, bool host, const char *name, struct err *e)
{
    char sub[1100], file[64];
    const struct ascend *g = r->g;
    snprintf(sub, sizeof sub, "%s", host ? r->host : r->device);
    sub[strlen(sub) - strlen("/data")] = '\0';
    snprintf(file, sizeof file, "%s", name);
    if (!host && strcmp(name, "sample.json") != 0)
        snprintf(file, sizeof file, "%s.%d", name, g->device);
    return emit_open(o, sub, file, e);
}

/* Clocks of host and device at the beginning of the collection, time 0 of the run. */
static int clocks(struct demo_prof *r, bool host, struct err *e)
{
    const struct ascend *g = r->g;
    struct emit *o;
    if (open_info_file(r, &o, host, "host_start.log", e))
        return e->code;
    if (host)
        emit_s(o, "[Host]\n");
    else
        emit_fmt(o, "[Device%d]\n", g->device);
    emit_fmt(o, "clock_realtime:%i\nclock_monotonic_raw:%i\ncntvct:%U\ncntvct_diff:0\n", g->run->origin_ns,
             ASCEND_MONOTONIC_NS, ascend_host_count(0));
    if (emit_close(o, &r->g->count, e) || host)
        return e->code;
    if (open_info_file(r, &o, host, "dev_start.log", e))
        return e->code;
    emit_fmt(o, "clock_realtime:%i\nclock_monotonic_raw:%i\ncntvct:%U\n", g->run->origin_ns, ASCEND_DEVICE_NS,
             ascend_device_count(g, 0));
    return emit_close(o, &r->g->count, e);
}

/* sample.json: the options of the collection. */
static int sample(struct demo_prof *r, bool host, struct err *e)
{
    const bool ops = r->g->run->o.metrics == DEMO_ARITHMETIC;
    struct emit *o;
    if (open_info_file(r, &o, host, "sample.json", e))
        return e->code;
    emit_fmt(o,
             "{\"result_dir\": \"\", \"app\": \"python3.9\", \"devices\": \"%d\", \"job_id\": "
             "\"%d\", \"ai_core_profiling\": \"on\", \"ai_core_profiling_events\": "
             "\"%s\", \"ai_core_metrics\": \"%s\", "
             "\"ai_core_profiling_mode\": \"task-based\", \"aicore_sampling_interval\": 10, "
             "\"aiv_profiling\": \"on\", \"aiv_profiling_events\": \"%s\", "
             "\"aiv_metrics\": \"%s\", \"aiv_profiling_mode\": \"task-based\", "
             "\"aiv_sampling_interval\": 10, ",
             host ? 64 : r->g->device, host ? 64 : r->g->device,
             ops ? DEMO_ARITHMETIC_EVENTS : r->chip->aic_events, ops ? ARITHMETIC : r->chip->aic_metrics,
             ops ? DEMO_ARITHMETIC_EVENTS : r->chip->aiv_events, ops ? ARITHMETIC : "PipeUtilization");
    emit_s(o, "\"llc_profiling\": \"\", \"hwts_log\": \"on\", \"ts_keypoint\": \"on\", \"ts_memcpy\": "
              "\"on\", \"acl\": \"on\", \"modelExecution\": \"on\", \"aicpuTrace\": \"on\", "
              "\"hcclTrace\": \"on\", \"stars_acsq_task\": \"on\", \"taskTsfw\": \"on\", "
              "\"taskTime\": \"on\", \"msproftx\": \"off\", \"profLevel\": \"level2\", "
              "\"prof_level\": \"level2\", \"msprofBinPid\": -1, \"hbmProfiling\": \"\", "
              "\"hardware_mem\": \"off\", ");
    emit_fmt(o, "\"l2CacheTaskProfilingEvents\": \"%s\", \"dynamic\": \"off\"}",
             demo_prof_has_l2(r) ? r->chip->l2_events : "");
    return emit_close(o, &r->g->count, e);
}

int demo_prof_info_files(struct demo_prof *r, struct err *e)
{
    for (int host = 0; host < 2; host++)
        if (ascend_info_files(r->g, host, !r->cut.on, e) || clocks(r, host, e) || sample(r, host, e))
            return e->code;
    return OK;
}

/* ---- the whole ---- */

static int folders(struct demo_prof *r, struct err *e)
{
    char sub[32];
    snprintf(sub, sizeof sub, "device_%d/data", r->g->device);
    if (!path_join(r->host, sizeof r->host, r->g->prof, "host/data") ||
        !path_join(r->device, sizeof r->device, r->g->prof, sub))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    return emit_mkdirs(r->host, e) ? e->code : emit_mkdirs(r->device, e);
}

int demo_prof_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                    struct emit_count *count, struct err *e)
{
    struct ascend *g = calloc(1, sizeof *g);
    struct demo_prof r = { .g = g, .chip = &demo_prof_chips[run->o.chip] };
    if (!g)
        return err_nomem(e);
    g->sum = sum;
    if (ascend_init(g, run, rank, dir, e) || folders(&r, e) || demo_walk_init(&g->walk, run, rank, e))
        goto out;
    demo_cut_find(&r.cut, &g->walk);
    g->count.date_ns = demo_cut_date(&r.cut, run);
    if (demo_prof_host(&r, e) || demo_prof_device(&r, e) || demo_prof_info_files(&r, e) ||
        fw_write(g, &r.cut, e))
        goto out;
    if (!r.cut.on && (ascend_metadata(g, e) || ascend_profiler_info(g, e)))
        goto out;
    count->files += g->count.files;
    count->bytes += g->count.bytes;
out:
    demo_walk_done(&g->walk);
    free(g);
    return e->code;
}
