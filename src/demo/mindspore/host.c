/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: profiler_info and host_info/ (doc/formats/mindspore1.md#profiler_info,
 * doc/formats/analysed.md#host_info).
 */
#include "config.h"

#include "base/path.h"
#include "demo/mindspore/analysed.h"

#define PID    4012
#define PARENT 3998

static int profiler_info(struct analysed *g, struct err *e)
{
    struct emit *o;
    if (analysed_open(g, &o, "profiler_info_", ".json", e))
        return e->code;
    emit_fmt(o,
             "{\"context_mode\": \"graph\", \"rank_id\": \"%d\", \"ms_version\": \"2.0.0\", "
             "\"profiling_start_time\": "
             "\"2026-03-14 09:12:07\", \"profiling_stop_time\": \"2026-03-14 09:12:31\", "
             "\"analyse_start_time\": \"2026-03-14 09:12:31\", "
             "\"analyse_end_time\": \"2026-03-14 09:14:05\", \"rank_size\": %d, \"graph_ids\": "
             "[%d], \"is_heterogeneous\": false, "
             "\"parallel_mode\": \"%s\", \"stage_num\": 1}",
             g->rank, g->run->o.ranks, ANALYSED_GRAPH_ID,
             g->run->tp > 1 ? "semi_auto_parallel" : "data_parallel");
    return emit_close(o, &g->count, e);
}

/* The host's work in a step: ranges of its framework, nested or one after the other. */
struct stage {
    const char *module, *event, *stage;
    int64_t at_ns, dur_ns;
    uint32_t tid;
};

#define STAGES 5

static void stages(const struct demo_step *s, struct stage out[STAGES])
{
    int64_t at = s->host_ns, all = s->host_end_ns - s->host_ns;
    const struct stage v[STAGES] = {
        { "RuntimeFramework", "GraphLaunch", "Run", at, all, PID },
        { "RuntimeFramework", "GraphLaunch", "PrepareData", at + 10000, 180000, PID },
        { "RuntimeFramework", "GraphLaunch", "KernelLaunch", at + 200000, all - 400000, PID },
        { "RuntimeFramework", "GraphLaunch", "SyncStream", at + all - 190000, 180000, PID },
        { "Dataset", "Pipeline", "Batch", at + 50000, all * 3 / 4, PID + 5 },
    };
    for (int i = 0; i < STAGES; i++)
        out[i] = v[i];
}

static int64_t unix_us(const struct analysed *g, int64_t ns)
{
    return (g->run->origin_ns + ns) / 1000;
}

#define HOST_COLUMNS                                                                                         \
    "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage(kB),"               \
    "time_stamp(us)\n"

/* memory: only rows for the end of a range, with the process's memory; else every start and end. */
static int host_rows(struct analysed *g, const char *before, bool memory, struct err *e)
{
    struct emit *o;
    struct stage v[STAGES];
    if (analysed_open(g, &o, before, ".csv", e))
        return e->code;
    emit_s(o, HOST_COLUMNS);
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        stages(&g->walk.step, v);
        for (int i = 0; i < STAGES; i++)
            for (int end = memory ? 1 : 0; end < 2; end++)
                emit_fmt(o, "%u,%d,%d,%s,%s,%s,%d,%d,,%U,%i\n", v[i].tid, PID, PARENT, v[i].module,
                         v[i].event, v[i].stage, i ? 1 : 0, end,
                         (uint64_t)4194304 + (uint64_t)g->walk.step.index * 128 + (uint64_t)i * 16,
                         unix_us(g, v[i].at_ns + (end ? v[i].dur_ns : 0)));
    }
    return emit_close(o, &g->count, e);
}

static int host_timeline(struct analysed *g, struct err *e)
{
    struct emit *o;
    struct stage v[STAGES];
    if (analysed_open(g, &o, "host_info/timeline_", ".json", e))
        return e->code;
    emit_c(o, '[');
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        stages(&g->walk.step, v);
        for (int i = 0; i < STAGES; i++)
            emit_fmt(o,
                     "%s{\"name\": \"%s\", \"cat\": \"%s\", \"ph\": \"X\", \"ts\": %i, \"dur\": "
                     "%i, \"pid\": %d, \"tid\": %u, \"args\": {\"event\": \"%s\"}}",
                     g->walk.step.index || i ? ", " : "", v[i].stage, v[i].module, unix_us(g, v[i].at_ns),
                     v[i].dur_ns / 1000, PID, v[i].tid, v[i].event);
    }
    emit_c(o, ']');
    return emit_close(o, &g->count, e);
}

static int dataset(struct analysed *g, struct err *e)
{
    struct emit *o;
    uint64_t n = (uint64_t)g->run->o.steps;
    if (analysed_open(g, &o, "host_info/dataset_", ".csv", e))
        return e->code;
    emit_fmt(o,
             "Operation,Stage,Occurrences,Avg. time (us),Custom "
             "Info\r\nPipeline,Batch,%U,23412.5,{}\r\n",
             n);
    return emit_close(o, &g->count, e);
}

int analysed_host(struct analysed *g, struct err *e)
{
    char dir[1100];
    if (!path_join(dir, sizeof dir, g->dir, "host_info"))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (profiler_info(g, e) || emit_mkdirs(dir, e) || host_rows(g, "host_info/host_info_", false, e) ||
        host_rows(g, "host_info/host_memory_", true, e) || host_timeline(g, e))
        return e->code;
    return dataset(g, e);
}
