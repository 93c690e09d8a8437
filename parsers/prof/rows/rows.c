/*
 * A PROF folder as CANN's collector leaves it, all of its devices at once: host calls issue tasks, the
 * devices ran them (doc/formats/msprof.md#algorithms).
 *
 * Tables: as the list of its group in registry.c, each when nothing else feeds it. In memory: calls, tasks of
 * host and devices.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/parsers.h"
#include "parsers/prof/device/devices.h"
#include "parsers/prof/rows/rows.h"

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

static int read_folders(struct prof_rows *r, struct prof_devices *devices, struct err *e)
{
    if (prof_host_read(&r->host, r->p, e) || prof_devices_join(devices, e))
        return e->code;
    r->dev = calloc(r->p->n_devices + 1, sizeof *r->dev);
    r->comm = calloc(r->p->n_devices + 1, sizeof *r->comm);
    r->step = calloc(r->p->n_devices + 1, sizeof *r->step);
    if (!r->dev || !r->comm || !r->step)
        return err_nomem(e);
    for (size_t i = 0; i < r->p->n_devices; i++) {
        r->n_dev++;
        if (prof_device_take(&r->dev[i], devices, i, &r->host, e) ||
            prof_device_blocks(&r->dev[i], &r->host, r->p->chip->v6, e) ||
            prof_comm_make(&r->comm[i], r->p, &r->dev[i], &r->host, &prof_rows_all, e) ||
            prof_rows_steps_make(r, i, e))
            return e->code;
    }
    r->n_ids = prof_n_texts(r->p);
    r->id = calloc(r->n_ids + 1, sizeof *r->id);
    return r->id ? OK : err_nomem(e);
}

static int read_all(struct prof_rows *r, struct err *e)
{
    struct prof_input in = {
        .notes = r->g->out, .use = use_member, .arg = r->g, .threads = r->g->n ? r->g->m[0].c.threads : 1
    };
    struct prof_devices *devices = NULL;

    if (prof_rows_open(r, &in, e) == OK && prof_devices_start(&devices, r->p, e) == OK)
        (void)!read_folders(r, devices, e);
    prof_devices_free(devices);
    return e->code;
}

int group_prof(struct group_ctx *g, struct err *e)
{
    struct prof_rows r = { .g = g };
    int rc = g->glance ? prof_rows_glance(&r, e) : read_all(&r, e);

    for (size_t i = 0; i < ARRAY_LEN(writers) && rc == OK && !g->glance; i++)
        if (group_wants(g, writers[i].table) || (writers[i].also && group_wants(g, writers[i].also)))
            rc = writers[i].write(&r, e);
    for (size_t i = 0; i < r.n_dev; i++) {
        prof_comm_done(&r.comm[i]);
        if (r.step) /* not at a glance */
            free(r.step[i].v);
        prof_device_done(&r.dev[i]);
    }
    free(r.comm);
    free(r.step);
    free(r.dev);
    free(r.id);
    prof_host_done(&r.host);
    prof_close(r.p);
    return rc;
}
