/* SPDX-License-Identifier: Apache-2.0 */
/* Which device tasks are ops. */
#include "config.h"

#include "msprof/tables/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool msprof_is_uncut(const struct msprof_run *r)
{
    return r->o->compat && r->o->partial && r->o->model == PROF_NO_MODEL &&
           r->m.p->chip->scheduler == CHIP_HWTS;
}

/* The part that tables hold. */
static struct prof_how part_of(const struct msprof_run *r, size_t dev, const struct prof_task *t)
{
    struct prof_how how = r->how[dev];

    if (msprof_is_uncut(r) && t->source != PROF_BY_AICPU) { /* those of ts_track are cut all the same */
        how.from = 0;
        how.to = UINT64_MAX;
    }
    return how;
}

bool msprof_keeps_row(const struct msprof_run *r, size_t dev, const struct prof_task *t)
{
    struct prof_how how = part_of(r, dev, t);

    if (t->source == PROF_BY_HWTS && t->start < how.log_from)
        return false;
    return prof_keeps_task(&how, r->m.dev[dev].f, t->start, t->end);
}

struct msprof_ops msprof_ops_of(struct msprof_run *r)
{
    static const char *const words[MSPROF_NOT_OPS] = { "WRITE_BACK", "INVALID", "HCCL_AI_CPU",
                                                       "COMMUNICATION" };
    struct msprof_ops o = { .r = r, .cpu = prof_text(r->m.p, STR("AI_CPU")) };

    for (size_t i = 0; i < MSPROF_NOT_OPS; i++)
        o.left_out[i] = prof_text(r->m.p, str_of(words[i]));
    return o;
}

/* Communication ops that run on vector cores are rows all the same. */
static bool is_left_out(const struct msprof_ops *o, const struct prof_op *op)
{
    for (size_t i = 0; i < MSPROF_NOT_OPS; i++)
        if (op->core == o->left_out[i])
            return !str_ends(prof_str(o->r->m.p, op->name), STR("AivKernel"));
    return false;
}

static bool op_of(const struct msprof_ops *o, size_t dev, size_t task, struct msprof_op *out)
{
    const struct prof_device *d = &o->r->m.dev[dev];
    const struct prof_host *h = &o->r->m.host;
    const struct prof_task *t = &d->task[task];

    if (t->host >= h->n_tasks || h->task[t->host].op >= h->n_ops)
        return false;
    *out = (struct msprof_op){ t, &h->task[t->host], &h->op[h->task[t->host].op] };
    return !is_left_out(o, out->op);
}

bool msprof_op_at(const struct msprof_ops *o, size_t dev, size_t task, struct msprof_op *out)
{
    return op_of(o, dev, task, out) && msprof_keeps_row(o->r, dev, out->task);
}

bool msprof_op_before(const struct msprof_ops *o, size_t dev, size_t task, struct msprof_op *out)
{
    if (!op_of(o, dev, task, out) || msprof_keeps_row(o->r, dev, out->task))
        return false;
    struct prof_how how = part_of(o->r, dev, out->task);
    return (out->task->source != PROF_BY_HWTS || out->task->start >= how.log_from) &&
           (!how.from || out->task->end > how.from) && out->task->end <= how.to;
}

const char *msprof_why_no_ops(const struct msprof_run *r)
{
    size_t tasks = 0, known = 0, kept = 0;

    for (size_t i = 0; i < r->m.n_dev; i++)
        for (size_t k = 0; k < r->m.dev[i].n_tasks; k++) {
            const struct prof_task *t = &r->m.dev[i].task[k];
            tasks++;
            known += t->host < r->m.host.n_tasks && r->m.host.task[t->host].op < r->m.host.n_ops;
            kept += msprof_keeps_row(r, i, t);
        }
    if (!r->m.n_dev)
        return "there is no device_N folder";
    if (!tasks)
        return "no task of a device has a start and an end";
    if (!r->m.p->host)
        return "there is no host folder: it is not known which op a task belongs to";
    if (!known)
        return "no task of a device belongs to an op that the host recorded";
    if (!kept)
        return r->o->partial ? "no task ended in these iterations"
                             : "by the clocks every task ended before the collection began";
    return "no op ran";
}

bool msprof_op_is_cpu(const struct msprof_ops *o, const struct prof_op *op)
{
    return op->core == o->cpu;
}

/* drvVersion of the first driver whose devices msprof's C++ half reads. */
#define FIRST_DRIVER 467473

bool msprof_is_level0(const struct msprof_run *r)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (r->m.dev[i].f->meta.level0)
            return true;
    return false;
}

bool msprof_has_old_driver(const struct msprof_run *r)
{
    if (!r->o->compat || r->dialect == DIALECT_PYTHON || r->m.host.n_loads)
        return false;
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (r->m.dev[i].f->meta.driver < FIRST_DRIVER)
            return true;
    return false;
}

bool msprof_is_graph(const struct msprof_run *r)
{
    return r->o->partial && r->o->model != PROF_NO_MODEL;
}

static int by_text(size_t a, size_t b)
{
    char x[24], y[24];

    snprintf(x, sizeof x, "%zu", a);
    snprintf(y, sizeof y, "%zu", b);
    return strcmp(x, y);
}

bool msprof_has_freq(const struct msprof_run *r, enum dialect dialect)
{
    return dialect == DIALECT_PYTHON ? r->m.p->chip->freq_text : r->m.p->chip->freq;
}

bool msprof_has_copy(const struct msprof_run *r, size_t dev, size_t i)
{
    const struct prof_copy *x = &r->m.dev[dev].copy[i];

    return x->end > r->how[dev].from && x->end <= r->how[dev].to;
}

size_t *msprof_device_order(const struct msprof_run *r, struct err *e)
{
    size_t *order = calloc(r->m.n_dev + 1, sizeof *order);

    if (!order) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < r->m.n_dev; i++) { /* at most some hundreds of devices */
        size_t k = i;
        for (; k && by_text((size_t)r->m.dev[order[k - 1]].f->device, (size_t)r->m.dev[i].f->device) > 0; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return order;
}

struct msprof_times msprof_times_of(const struct msprof_run *r, size_t dev, const struct prof_task *t)
{
    const struct msprof_clock *c = &r->clock[dev];
    const struct prof_folder *f = r->m.dev[dev].f;

    if (r->dialect == DIALECT_CPP) {
        int64_t start = prof_device_ns(f, t->start);
        return (struct msprof_times){ (double)start, (double)(prof_device_ns(f, t->end) - start) };
    }
    double start = msprof_dev(c, t->start, 1e9), end = msprof_dev(c, t->end, 1e9);
    if (t->source != PROF_BY_AICPU)
        return (struct msprof_times){ start, end - start };
    start /= 1e6; /* times of AI CPU tasks went through ms */
    end /= 1e6;
    return (struct msprof_times){ start * 1e6, (end - start) * 1e6 };
}

void msprof_put_text(struct emit *o, const struct msprof_run *r, uint32_t text)
{
    msprof_cell(o, text == PROF_NONE ? STR("N/A") : prof_str(r->m.p, text));
}
