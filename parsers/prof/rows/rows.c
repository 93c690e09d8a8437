/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PROF folder as CANN's collector leaves it, all of its devices at once: host calls issue tasks, the
 * devices ran them (doc/formats/msprof.md#algorithms).
 *
 * Tables: as the list of its group in parsers/registry.c, each when nothing else feeds it. In memory: calls,
 * tasks of host and devices.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/parsers.h"
#include "parsers/prof/rows/rows.h"
#include "parsers/prof/rows/rows_framework.h"

static struct parse_ctx *use_member(void *arg, const struct source_file *f)
{
    struct group_ctx *g = arg;

    for (size_t i = 0; i < g->n; i++)
        if (g->m[i].c.f == f) {
            g->m[i].read = true;
            return &g->m[i].c;
        }
    return NULL;
}

static const struct {
    const char *table; /* of the group's list: written when it is wanted, or */
    const char *also;  /* this one, which is made of the same files; NULL: none */
    prof_rows_fn *write;
} writers[] = {
    { "op_exec", NULL, prof_rows_ops },
    { "op_exec", NULL, prof_rows_activity },
    { "track", NULL, prof_rows_tracks },
    { "track", NULL, prof_rows_v6 },
    { "track", NULL, prof_rows_kfc },
    { "track", NULL, prof_rows_ccu },
    { "track", NULL, prof_rows_dpu },
    { "track", NULL, prof_rows_samples },
    { "host_stage", "track", prof_rows_tx },
    { "api_stat", NULL, prof_rows_api },
    { "fusion", NULL, prof_rows_fusion },
    { "step", NULL, prof_rows_steps },
    { "comm_exec", NULL, prof_rows_comm },
    { "host_sample", NULL, prof_rows_usage },
    { "mem_sample", "mem_alloc", prof_rows_op_memory },
    { "mem_device", NULL, prof_rows_device_memory },
    { "mem_module", NULL, prof_rows_modules },
    { "aicpu_exec", "queue_sample", prof_rows_aicpu },
};

/* ---- reading ---- */

static int on_device(void *arg, size_t i, struct err *e)
{
    return prof_rows_steps_make(arg, i, e);
}

static struct prof_how how(void *arg, size_t i)
{
    (void)arg;
    (void)i;
    return prof_rows_all;
}

static int read_all(struct prof_rows *r, struct err *e)
{
    static const struct prof_model_user user = { .device = on_device, .how = how };
    struct prof_input in = {
        .notes = r->g->out, .use = use_member, .arg = r->g, .threads = r->g->n ? r->g->m[0].c.threads : 1
    };

    if (prof_rows_open(r, &in, e))
        return e->code;
    r->step = calloc(r->m.p->n_devices + 1, sizeof *r->step);
    if (!r->step)
        return err_nomem(e);
    if (prof_model_read(&r->m, &user, r, e))
        return e->code;
    r->running = calloc(r->m.n_dev + 1, sizeof *r->running);
    if (!r->running)
        return err_nomem(e);
    r->n_ids = prof_n_texts(r->m.p);
    r->id = calloc(r->n_ids + 1, sizeof *r->id);
    return r->id ? OK : err_nomem(e);
}

/* Files of the framework alone: the folder died before CANN wrote, or only the host was recorded. */
static bool has_folder(const struct group_ctx *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (!prof_rows_is_framework(g->m[i].role))
            return true;
    return false;
}

static int write_all(struct prof_rows *r, struct err *e)
{
    struct group_ctx *g = r->g;
    struct prof_rows_framework w;

    if (prof_rows_framework_read(&w, r, e) == OK) {
        r->w = w.f.texts ? &w : NULL;
        for (size_t i = 0; i < ARRAY_LEN(writers) && r->m.p && !e->code; i++)
            if (group_wants(g, writers[i].table) || (writers[i].also && group_wants(g, writers[i].also)))
                (void)!writers[i].write(r, e);
        if (!e->code && prof_rows_framework_write(&w, r, e) == OK)
            (void)!prof_rows_framework_memory(&w, r, e);
    }
    r->w = NULL;
    prof_rows_framework_done(&w);
    return e->code;
}

int group_prof(struct group_ctx *g, struct err *e)
{
    struct prof_rows r = { .g = g };
    bool folder = has_folder(g);
    int rc = !folder ? OK : g->preview ? prof_rows_preview(&r, e) : read_all(&r, e);

    if (rc == OK && !g->preview)
        rc = write_all(&r, e);
    for (size_t i = 0; r.step && i < r.m.n_dev; i++)
        free(r.step[i].v);
    free(r.step);
    free(r.running);
    free(r.id);
    prof_model_done(&r.m);
    prof_close(r.m.p);
    return rc;
}
