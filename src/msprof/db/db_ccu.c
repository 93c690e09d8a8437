/* SPDX-License-Identifier: Apache-2.0 */
/* Table of the CCUs (doc/formats/msprof.md#database). */
#include "config.h"

#include "msprof/ccu.h"
#include "msprof/db/db.h"
#include "parsers/prof/device/blocks.h"

/* Numbers of tasks that no log of a device has: above all others, by device and task. */
#define ALONE ((int64_t)1 << 44)

struct ccu_rows {
    struct msprof_db *d;
    size_t device;
    struct prof_task_index *tasks; /* NULL: no execution yet */
};

static int64_t task_id(const struct ccu_rows *x, const struct prof_ccu_run *run)
{
    const struct prof_task *t = prof_task_index_at(x->tasks, run->task, run->start);

    return t ? msprof_db_device_task(x->d, x->device, t)
             : ALONE + ((int64_t)x->d->r->m.dev[x->device].f->device << 32) + run->task;
}

static struct val args_text(struct msprof_db *d, const struct prof_ccu_run *run, double us)
{
    struct msprof_db_args a;

    msprof_db_args_begin(&a, d);
    msprof_ccu_args(run, us, MSPROF_CCU_DB, &(struct msprof_args){ msprof_db_put_arg, &a });
    return msprof_db_args_end(&a);
}

static int ccu_row(void *arg, const struct prof_ccu_run *run, struct err *e)
{
    struct ccu_rows *x = arg;
    const struct prof_device *dev = &x->d->r->m.dev[x->device];
    int64_t from = prof_device_ns(dev->f, run->start);
    double ns = msprof_ccu_ns(dev->f, run);
    int64_t to;

    if (from < prof_begin_ns(dev->f))
        return OK;
    if (__builtin_add_overflow(from, repr_whole(ns), &to))
        to = from;
    if (!x->tasks && prof_task_index_new(&x->tasks, dev, e))
        return e->code;
    struct val v[] = {
        val_int(dev->f->device),
        val_int(task_id(x, run)),
        msprof_db_word(x->d, msprof_ccu_word(run)),
        val_int(from),
        val_int(to),
        args_text(x->d, run, ns / 1000),
    };
    return msprof_db_row(x->d, v, e);
}

static int ccu_rows(struct msprof_db *d, struct err *e)
{
    for (size_t i = 0; i < d->r->m.n_dev && !e->code; i++) {
        struct ccu_rows x = { .d = d, .device = i };
        (void)!msprof_ccu_runs(d->r, i, false, ccu_row, &x, e);
        prof_task_index_free(x.tasks);
    }
    return e->code;
}

const struct msprof_db_table msprof_db_ccu[] = {
    { "CCU", "deviceId n,globalTaskId n,name n,startNs n,endNs n,args n", .rows = ccu_rows },
    { .name = NULL },
};
