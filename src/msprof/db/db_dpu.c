/* SPDX-License-Identifier: Apache-2.0 */
/* Table of the tasks of DPUs (doc/formats/msprof.md#database). */
#include "config.h"

#include "msprof/db/db.h"
#include "msprof/dpu.h"
#include "parsers/prof/host/dpu.h"

static struct val args_text(struct msprof_db *d, const struct prof_dpu_task *x, double us)
{
    struct msprof_db_args a;

    msprof_db_args_begin(&a, d);
    msprof_dpu_args(d->r->m.p, x, us, MSPROF_DPU_DB, &(struct msprof_args){ msprof_db_put_arg, &a });
    return msprof_db_args_end(&a);
}

static int dpu_row(struct msprof_db *d, const struct prof_dpu_task *x, int64_t id, struct err *e)
{
    const struct prof_folder *f = d->r->m.p->host;
    int64_t from = prof_host_ns(f, x->start);
    int64_t to = x->end > x->start ? prof_host_ns(f, x->end) : from;

    if (from < prof_begin_ns(f))
        return OK;
    struct val v[] = {
        val_int(x->device),
        val_int(x->thread),
        val_int(from),
        val_int(to),
        val_int(id),
        val_int(x->stream),
        val_int(x->task),
        msprof_db_text(d, x->name),
        args_text(d, x, (double)(to - from) / 1000.0),
    };
    return msprof_db_row(d, v, e);
}

/* The tasks have numbers of their own, after those of all others. */
static int dpu_rows(struct msprof_db *d, struct err *e)
{
    size_t id = d->r->m.host.n_tasks + d->n_alone;
    struct prof_dpu dpu;

    for (size_t dev = 0; dev < d->r->m.n_dev; dev++)
        id += d->r->met[dev].n;
    (void)!prof_dpu_read(&dpu, d->r->m.p, e);
    for (size_t i = 0; i < dpu.n && !e->code; i++)
        (void)!dpu_row(d, &dpu.v[i], (int64_t)(id + i), e);
    prof_dpu_done(&dpu);
    return e->code;
}

const struct msprof_db_table msprof_db_dpu[] = {
    { "DPU_TASK", "dpuDeviceId,globalTid,startNs,endNs,globalTaskId,streamId,taskId,opName,args",
      .rows = dpu_rows },
    { .name = NULL },
};
