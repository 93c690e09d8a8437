/* Table of the CCUs (formats/msprof-raw.md 6.4). */
#include "config.h"

#include "msprof/ccu.h"
#include "msprof/db/db.h"
#include "parsers/prof/device/blocks.h"

/* Numbers of tasks that no device's log has: above all others, by device and task. */
#define ALONE ((int64_t)1 << 44)

struct ccu_rows {
    struct ms_db *d;
    size_t device;
    struct prof_task_index *tasks; /* NULL: there was no run yet */
};

static int64_t task_id(const struct ccu_rows *x, const struct prof_ccu_run *run)
{
    const struct prof_task *t = prof_task_index_at(x->tasks, run->task, run->start);

    return t ? ms_db_device_task(x->d, x->device, t)
             : ALONE + ((int64_t)x->d->r->dev[x->device].f->device << 32) + run->task;
}

static struct val args_text(struct ms_db *d, const struct prof_ccu_run *run, double us)
{
    struct ms_db_args a;

    ms_db_args_begin(&a, d);
    ms_ccu_args(run, us, MS_CCU_DB, &(struct ms_args){ ms_db_put_arg, &a });
    return ms_db_args_end(&a);
}

static int ccu_row(void *arg, const struct prof_ccu_run *run, struct err *e)
{
    struct ccu_rows *x = arg;
    const struct prof_device *dev = &x->d->r->dev[x->device];
    int64_t from = prof_device_ns(dev->f, run->start);
    double ns = ms_ccu_ns(dev->f, run);
    int64_t to;

    if (from < prof_begin_ns(dev->f))
        return OK;
    if (__builtin_add_overflow(from, vendor_whole(ns), &to))
        to = from;
    if (!x->tasks && prof_task_index_new(&x->tasks, dev, e))
        return (int)e->code;
    struct val v[] = {
        val_int(dev->f->device),
        val_int(task_id(x, run)),
        ms_db_word(x->d, ms_ccu_word(run)),
        val_int(from),
        val_int(to),
        args_text(x->d, run, ns / 1000),
    };
    return ms_db_row(x->d, v, e);
}

static int ccu_rows(struct ms_db *d, struct err *e)
{
    for (size_t i = 0; i < d->r->n_dev && !e->code; i++) {
        struct ccu_rows x = { .d = d, .device = i };
        (void)!ms_ccu_runs(d->r, i, false, ccu_row, &x, e);
        prof_task_index_free(x.tasks);
    }
    return (int)e->code;
}

const struct ms_db_table ms_db_ccu[] = {
    { "CCU", "deviceId n,globalTaskId n,name n,startNs n,endNs n,args n", .rows = ccu_rows },
    { .name = NULL },
};
