/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of communication: ops and their tasks, also those that AI CPUs run, and the kernels of these
 * (doc/formats/msprof.md#database).
 */
#include "config.h"

#include <stdio.h>

#include "msprof/db/db.h"
#include "parsers/prof/comm/kfc_comm.h"

#define NOT_SAID 65534 /* number of a word that is not known */

static struct val number(uint32_t v)
{
    return val_int(v);
}

static struct val device_id(const struct msprof_db *d, size_t dev)
{
    return val_int(d->r->m.dev[dev].f->device);
}

/* Numbers of words have 16 bits here. */
static struct val word_number(uint32_t v)
{
    return val_int(v == UINT32_MAX ? 65535 : v);
}

static const struct prof_kfc_comm *kfc_of(const struct msprof_db *d, size_t dev)
{
    static const struct prof_kfc_comm nothing = { .n_runs = 0 };

    return d->r->m.comm[dev].kfc ? d->r->m.comm[dev].kfc : &nothing;
}

/* Ops are numbered over all devices; those that AI CPUs run follow the others of their device. */
static int64_t first_op(const struct msprof_db *d, size_t dev)
{
    int64_t n = 0;

    for (size_t i = 0; i < dev; i++)
        n += (int64_t)(d->r->m.comm[i].n_runs + kfc_of(d, i)->n_runs);
    return n;
}

/* An op of the host that AI CPUs expand keeps the host's number. */
static int64_t kfc_op(const struct msprof_db *d, size_t dev, size_t run)
{
    uint32_t same = kfc_of(d, dev)->run[run].same;

    return first_op(d, dev) + (int64_t)(same == PROF_NONE ? d->r->m.comm[dev].n_runs + run : same);
}

static int comm_task_row(struct msprof_db *d, size_t dev, const struct prof_comm_task *t, struct err *e)
{
    const struct prof_host *h = &d->r->m.host;
    const struct prof_comm_run *run = &d->r->m.comm[dev].run[t->run];
    const struct prof_host_task *ht = &h->task[t->host];

    if (ht->comm >= h->n_comm)
        return OK;
    const struct prof_comm_info *c = &h->comm[ht->comm];
    struct val v[] = {
        msprof_db_text(d, run->name),
        val_int(msprof_db_device_task(d, dev, &d->r->m.dev[dev].task[t->task])),
        msprof_db_text(d, c->item),
        number(c->plane),
        msprof_db_text(d, c->group),
        val_int((int64_t)c->notify),
        word_number(c->rdma),
        number(c->local_rank),
        number(c->remote_rank),
        word_number(c->transport),
        val_uint(c->size_b),
        word_number(c->data_type),
        word_number(c->link),
        val_int(first_op(d, dev) + t->run),
        val_int(c->master),
        val_real(t->bandwidth * 1000 * 1000 * 1000), /* in three steps, as msprof rounds */
    };
    return msprof_db_row(d, v, e);
}

/* Ops that AI CPUs run are in groups of their own, unless they expand an op of the host. */
static struct val kfc_group(struct msprof_db *d, const struct prof_kfc_run *run)
{
    struct str name = prof_str(d->r->m.p, run->group_name);
    char text[256];

    if (run->expanded)
        return msprof_db_text(d, run->group_name);
    snprintf(text, sizeof text, "%.*s Aicpu", name.n < 200 ? (int)name.n : 200, name.p);
    return msprof_db_word(d, text);
}

static struct val signed_or_none(bool known, uint64_t v)
{
    return known ? val_uint(v) : val_int(-1);
}

/* At level 0 only the times of the task are known. */
static int kfc_task_row(struct msprof_db *d, size_t dev, const struct prof_kfc_task *t, struct err *e)
{
    static const struct prof_kfc_info unknown = { .item = PROF_NONE,
                                                  .local_rank = PROF_NONE,
                                                  .remote_rank = PROF_NONE };
    const struct prof_kfc_comm *kfc = kfc_of(d, dev);
    const struct prof_kfc_run *run = &kfc->run[t->run];
    const struct prof_task *task = &d->r->m.dev[dev].task[t->task];
    bool known = t->info != PROF_NONE;
    const struct prof_kfc_info *c = known ? &kfc->k.info[t->info] : &unknown;

    if (!prof_keeps_comm(&d->r->how[dev], d->r->m.dev[dev].f, task->start, task->end))
        return OK;
    struct val v[] = {
        msprof_db_text(d, run->name),
        val_int(msprof_db_device_task(d, dev, task)),
        msprof_db_text(d, c->item),
        val_int(t->plane),
        kfc_group(d, run),
        known ? val_int((int64_t)c->notify) : val_int(-1),
        val_int(known ? c->rdma : NOT_SAID),
        number(c->local_rank),
        number(c->remote_rank),
        val_int(known ? c->transport : NOT_SAID),
        signed_or_none(known, c->size_b),
        val_int(known ? c->data_type : NOT_SAID),
        val_int(known ? c->link : NOT_SAID),
        val_int(kfc_op(d, dev, t->run)),
        val_int(t->master),
        val_real(t->bandwidth * 1000 * 1000 * 1000),
    };
    return msprof_db_row(d, v, e);
}

static int comm_task_rows(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++) {
        const struct prof_kfc_comm *kfc = kfc_of(d, dev);
        for (size_t i = 0; i < d->r->m.comm[dev].n_tasks; i++)
            if (comm_task_row(d, dev, &d->r->m.comm[dev].task[i], e))
                return e->code;
        for (size_t i = 0; i < kfc->n_tasks; i++)
            if (kfc_task_row(d, dev, &kfc->task[i], e))
                return e->code;
    }
    return OK;
}

static int comm_op_row(struct msprof_db *d, size_t dev, size_t i, struct err *e)
{
    const struct prof_host *h = &d->r->m.host;
    const struct prof_comm_run *run = &d->r->m.comm[dev].run[i];
    const struct prof_comm_op *op = &h->comm_op[run->op];
    const struct prof_comm_info *c = run->info < h->n_comm ? &h->comm[run->info] : NULL;
    const struct prof_comm_flags is = prof_comm_flags(&d->r->m.comm[dev], h, run);
    struct val v[] = {
        msprof_db_text(d, run->name),
        val_int(msprof_db_device_ns(d, dev, run->start)),
        val_int(msprof_db_device_ns(d, dev, run->end)),
        msprof_db_connection(op->api),
        msprof_db_text(d, op->has_info            ? op->group
                          : c && !d->r->o->compat ? c->group
                                                  : PROF_NONE),
        val_int(first_op(d, dev) + (int64_t)i),
        val_int(is.relay),
        val_int(is.retry),
        val_int(op->has_info ? op->data_type : NOT_SAID),
        msprof_db_text(d, op->has_info ? op->alg : PROF_NONE),
        op->has_info ? val_uint(op->count) : val_int(-1),
        msprof_db_text(d, op->type),
        device_id(d, dev),
        val_int(c ? c->rank_size : 0),
    };

    return msprof_db_row(d, v, e);
}

/* Only the kernel of such an op is known. */
static int kfc_op_row(struct msprof_db *d, size_t dev, size_t i, struct err *e)
{
    const struct prof_folder *f = d->r->m.dev[dev].f;
    const struct prof_kfc_run *run = &kfc_of(d, dev)->run[i];
    const struct prof_host_task *h = &d->r->m.host.task[run->host];

    if (!prof_kfc_is_shown(run) || !prof_keeps_comm(&d->r->how[dev], f, run->from, run->to))
        return OK;
    struct val v[] = {
        msprof_db_text(d, run->name),
        val_int(msprof_db_device_ns(d, dev, run->from)),
        val_int(msprof_db_device_ns(d, dev, run->to)),
        msprof_db_connection(h->api),
        kfc_group(d, run),
        val_int(kfc_op(d, dev, i)),
        val_int(-1),
        val_int(-1),
        val_int(NOT_SAID),
        msprof_db_text(d, PROF_NONE),
        val_int(-1),
        msprof_db_text(d, run->nameless ? PROF_NONE : d->r->m.host.op[h->op].type),
        device_id(d, dev),
        number(PROF_NONE),
    };
    return msprof_db_row(d, v, e);
}

static int comm_op_rows(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++) {
        for (size_t i = 0; i < d->r->m.comm[dev].n_runs; i++)
            if (comm_op_row(d, dev, i, e))
                return e->code;
        for (size_t i = 0; i < kfc_of(d, dev)->n_runs; i++)
            if (kfc_op_row(d, dev, i, e))
                return e->code;
    }
    return OK;
}

/* ---- kernels of communication on AI CPUs ---- */

bool msprof_db_is_schedule(const struct msprof_db *d, const struct prof_host_task *t)
{
    return (d->r->m.host.n_mc2 && prof_host_is_server(&d->r->m.host, t->stream)) ||
           str_ends(prof_str(d->r->m.p, d->r->m.host.op[t->op].name), STR("AicpuKernel"));
}

/* These kernels are not in COMPUTE_TASK_INFO (db_assembler.cpp). */
static int schedule_rows(struct msprof_db *d, struct err *e)
{
    const struct prof_host *h = &d->r->m.host;
    int64_t last = -1;

    for (size_t i = 0; i < h->n_tasks && !e->code; i++) {
        const struct prof_host_task *t = &h->task[i];
        if (t->op >= h->n_ops || msprof_db_host_task(d, i) == last)
            continue;
        last = msprof_db_host_task(d, i);
        if (!msprof_db_is_schedule(d, t))
            continue;
        const struct prof_op *op = &h->op[t->op];
        struct val v[] = { msprof_db_text(d, op->name), val_int(last), msprof_db_text(d, op->core),
                           msprof_db_text(d, op->type) };
        (void)!msprof_db_row(d, v, e);
    }
    return e->code;
}

const struct msprof_db_table msprof_db_comm[] = {
    { "COMMUNICATION_TASK_INFO",
      "name,globalTaskId,taskType,planeId,groupName,notifyId,rdmaType,srcRank,dstRank,"
      "transportType,size,dataType,linkType,opId,isMaster,bandwidth n",
      .rows = comm_task_rows, .index = "CommunicationTaskIndex", .index_columns = "globalTaskId" },
    { "COMMUNICATION_OP",
      "opName,startNs,endNs,connectionId,groupName,opId pk,relay,retry,dataType,algType,count n,"
      "opType,deviceId,rankSize",
      .rows = comm_op_rows },
    { "COMMUNICATION_SCHEDULE_TASK_INFO", "name,globalTaskId pk,taskType,opType", .rows = schedule_rows },
    { .name = NULL },
};
