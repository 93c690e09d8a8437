/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: folders, side files, and one writer after the other
 * (doc/formats/mindspore1.md#folders, #side-files).
 */
#include "config.h"

#include "demo/mindspore/raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/path.h"
#include "demo/demo_write.h"

#define TASKS_MAX 65000 /* task numbers have 16 bits; above this they may have begun anew */

enum { SALT_LETTERS = 150 };

/* clang-format off */
static const struct raw_era ERAS[] = {
    /*                 text   trace  info  hash add */
    [DEMO_ERA_R20] = { false, false, true,  0, 200, "hwts.data" },
    [DEMO_ERA_R16] = { false, false, false, 1,   0, "hwts.data" },
    [DEMO_ERA_R15] = { true,  false, false, 0,   0, "hwts.log.data.45.dev.profiler_default_tag" },
    [DEMO_ERA_R13] = { true,  true,  false, 0,   0, "hwts.log.data.45.dev.profiler_default_tag" },
};
/* clang-format on */

/* Letters that distinguish the folders of ranks. */
static void letters(const struct raw *r, char *buf, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t h = demo_hash(r->g->run, SALT_LETTERS, (uint64_t)r->g->rank, (uint64_t)i, 0);
        buf[i] = (char)('A' + (h >> 16) % 26);
    }
    buf[n] = '\0';
}

static int make_dirs(struct raw *r, struct err *e)
{
    char name[128], text[40], stamp[16];
    const struct analysed *g = r->g;
    demo_stamp(g->run, stamp);
    letters(r, text, r->era->text ? 32 : 16);
    if (r->era->text)
        snprintf(name, sizeof name, "JOB%s", text);
    else
        snprintf(name, sizeof name, "PROF_%06d_%s%03d_%s/device_%d", g->rank + 1, stamp, g->rank % 1000, text,
                 g->device);
    if (!path_join(r->dir, sizeof r->dir, g->dir, name) ||
        !path_join(r->data, sizeof r->data, r->dir, "data"))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    return emit_mkdirs(r->data, e);
}

/* ---- side files ---- */

static int open_side(struct raw *r, struct emit **o, const char *name, const char *end, struct err *e)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%d%s", name, r->g->device, end);
    return emit_open(o, r->dir, full, e);
}

/* Closes the file and writes its marker. */
static int close_side(struct raw *r, struct emit *o, const char *name, struct err *e)
{
    struct emit_count *c = &r->g->count;
    uint64_t before = c->bytes;
    if (emit_close(o, c, e))
        return e->code;
    uint64_t size_b = c->bytes - before;
    if (open_side(r, &o, name, ".done", e))
        return e->code;
    emit_fmt(o, "filesize:%U", size_b);
    return emit_close(o, c, e);
}

/* Both clocks at the beginning of the collection, time 0 of the run. */
static int clocks(struct raw *r, struct err *e)
{
    const struct analysed *g = r->g;
    struct emit *o;
    if (open_side(r, &o, "host_start.log", "", e))
        return e->code;
    emit_fmt(o, "[Device%d]\nclock_realtime: %i\nclock_monotonic_raw: %i\n", g->device, g->run->origin_ns,
             RAW_MONOTONIC_NS);
    if (emit_close(o, &r->g->count, e) || open_side(r, &o, "dev_start.log", "", e))
        return e->code;
    emit_fmt(o, "[Device%d]\nclock_realtime: %i\ncntvct: %i\n", g->device, g->run->origin_ns,
             analysed_ticks(g, 0));
    return emit_close(o, &r->g->count, e);
}

static int info(struct raw *r, struct err *e)
{
    struct emit *o;
    if (open_side(r, &o, "info.json", "", e))
        return e->code;
    emit_fmt(o,
             "{\"jobInfo\": \"NA\", \"version\": \"1.0\", \"devices\": \"%d\", "
             "\"platform_version\": \"1\", \"rank_id\": \"%d\", \"pid\": \"%d\", \"DeviceInfo\": "
             "[{\"id\": %d, \"env_type\": 3, \"ai_core_num\": 32, \"aiv_num\": 0, "
             "\"hwts_frequency\": \"100\", \"aic_frequency\": \"1000\", \"aiv_frequency\": "
             "\"1000\"}]}",
             r->g->device, r->g->rank, RAW_PID + r->g->device, r->g->device);
    return close_side(r, o, "info.json", e);
}

/* {"collectionTimeBegin": us since 1970, the date, ns of the host's clock}; what: "Begin" or "End" */
static int moment(struct raw *r, const char *name, const char *what, int64_t ns, struct err *e)
{
    struct emit *o;
    struct tm tm;
    char date[96] = "";
    int64_t us = (r->g->run->origin_ns + ns) / 1000;
    time_t s = (time_t)(us / 1000000 + (int64_t)r->g->run->o.zone_min * 60);
    if (gmtime_r(&s, &tm))
        snprintf(date, sizeof date, "%04d-%02d-%02d %02d:%02d:%02d.%06d", tm.tm_year + 1900, tm.tm_mon + 1,
                 tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(us % 1000000));
    if (open_side(r, &o, name, "", e))
        return e->code;
    emit_fmt(o,
             "{\"collectionTime%s\": \"%i\", \"collectionDate%s\": \"%s\", "
             "\"clockMonotonicRaw\": \"%i\"}",
             what, us, what, date, RAW_MONOTONIC_NS + ns);
    return close_side(r, o, name, e);
}

/* ---- the whole ---- */

static int graph(struct raw *r, struct err *e)
{
    struct analysed *g = r->g;
    if (raw_framework(r, e) || raw_tasks(r, e))
        return e->code;
    if (r->cut.on) /* the rest is written when the run ends */
        return OK;
    return analysed_data_raw(g, e) || raw_memory(r, e) || raw_hccl(r, e) ? e->code : OK;
}

/* Per mode: its writer, and whether there is a device's folder. */
static const struct mode {
    int (*write)(struct raw *r, struct err *e);
    bool device, fetches_only;
} modes[] = {
    [DEMO_GRAPH] = { graph, true, false },
    [DEMO_PYNATIVE] = { raw_pynative, true, true },
    [DEMO_GPU] = { raw_gpu, false, false },
    [DEMO_CPU] = { raw_cpu, false, false },
};

static int write_rank(struct raw *r, struct err *e)
{
    const struct mode *m = &modes[r->g->run->o.mode];
    bool has_info = m->device && r->era->start_info;
    r->fetches_only = m->fetches_only;
    if (m->device ? make_dirs(r, e) || clocks(r, e) || info(r, e) : emit_mkdirs(r->g->dir, e))
        return e->code;
    if (has_info && moment(r, "start_info", "Begin", 0, e))
        return e->code;
    if (m->write(r, e))
        return e->code;
    return has_info && !r->cut.on ? moment(r, "end_info", "End", r->g->end_ns, e) : OK;
}

int raw_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
              struct emit_count *count, struct err *e)
{
    struct analysed g = { .run = run, .rank = rank, .device = rank, .sum = sum };
    struct raw r = { .g = &g, .era = &ERAS[run->o.era ? run->o.era : DEMO_ERA_R20] };
    if (!path_join(g.dir, sizeof g.dir, dir, "profiler"))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (analysed_graph_new(&g.graph, run->net, e) || demo_walk_init(&g.walk, run, rank, e))
        goto out;
    if (g.graph.n > TASKS_MAX) {
        err_set(e, ERR_USAGE, "--raw: a network of %u tasks; the format has room for %d", (unsigned)g.graph.n,
                TASKS_MAX);
        goto out;
    }
    demo_cut_find(&r.cut, &g.walk);
    g.count.date_ns = demo_cut_date(&r.cut, run);
    if (write_rank(&r, e))
        goto out;
    count->files += g.count.files;
    count->bytes += g.count.bytes;
out:
    demo_walk_done(&g.walk);
    analysed_graph_done(&g.graph);
    return e->code;
}
