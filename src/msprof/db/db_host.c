/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from the host's data: calls, ops, copies, memory of ops (doc/formats/msprof.md#database). */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "msprof/db/db.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/words.h"

#define COPY_OTHER 65535 /* memcpyOperation of a direction without a word, or of none */
#define COPY_KINDS 8

static int api_rows(struct msprof_db *d, struct err *e)
{
    struct prof *p = d->r->m.p;
    const struct prof_host *h = &d->r->m.host;

    for (size_t i = 0; i < h->n_apis && !e->code; i++) {
        const struct prof_api *a = &h->api[i];
        if (!prof_api_is_kept(p, h, a))
            continue;
        struct val v[] = {
            val_int(prof_host_ns(p->host, a->begin)),
            val_int(prof_host_ns(p->host, a->end)),
            val_int(a->level),
            msprof_db_thread(d, a->thread),
            msprof_db_connection((uint32_t)i),
            msprof_db_text(d, prof_api_name(p, a)),
        };
        (void)!msprof_db_row(d, v, e);
    }
    return e->code;
}

/* ---- ops ---- */

/* The ops being written, with texts that many rows have. */
struct ops {
    struct msprof_db *d;
    uint32_t state[2], hf32[2]; /* by value */
    uint32_t before;            /* attributes shown in the row before, PROF_NONE at first */
};

static struct val answer(struct msprof_db *d, int value, const uint32_t texts[2])
{
    return msprof_db_text(d, value == 0 || value == 1 ? texts[value] : PROF_NONE);
}

static struct val size_text(struct msprof_db *d, const struct prof_op *op, const uint16_t dim[3])
{
    char text[32];

    if (!op->simt)
        return msprof_db_text(d, PROF_NONE);
    snprintf(text, sizeof text, "%u,%u,%u", (unsigned)dim[0], (unsigned)dim[1], (unsigned)dim[2]);
    return msprof_db_word(d, text);
}

static struct val attributes(struct msprof_db *d, const struct prof_op *op, uint32_t *before)
{
    if (!d->r->o->compat)
        return msprof_db_text(d, op->attr);
    /* doc/formats/prof-quirks.md#output-quirks: msprof repeats the attributes of an earlier op */
    if (op->attr != PROF_NONE)
        *before = op->attr;
    return *before == PROF_NONE ? msprof_db_word(d, "") : msprof_db_text(d, *before);
}

static int op_row(struct ops *o, size_t i, struct err *e)
{
    static const struct prof_tensors none = {
        PROF_NONE, PROF_NONE, PROF_NONE, PROF_NONE, PROF_NONE, PROF_NONE
    };
    struct msprof_db *d = o->d;
    const struct prof_host *h = &d->r->m.host;
    const struct prof_op *op = &h->op[h->task[i].op];
    const struct prof_tensors *t = op->tensors < h->n_tensors ? &h->tensors[op->tensors] : &none;
    struct val v[] = {
        msprof_db_text(d, op->name),
        val_int(msprof_db_host_task(d, i)),
        val_int(op->block),
        val_int(op->mix_block),
        msprof_db_text(d, op->core),
        msprof_db_text(d, op->type),
        msprof_db_text(d, t->in_formats),
        msprof_db_text(d, t->in_types),
        msprof_db_text(d, t->in_shapes),
        msprof_db_text(d, t->out_formats),
        msprof_db_text(d, t->out_types),
        msprof_db_text(d, t->out_shapes),
        attributes(d, op, &o->before),
        answer(d, op->is_static, o->state),
        answer(d, op->hf32, o->hf32),
        size_text(d, op, op->grid),
        size_text(d, op, op->dim),
    };

    return msprof_db_row(d, v, e);
}

static bool is_op(const struct prof_host *h, size_t i)
{
    return h->task[i].op < h->n_ops;
}

/* One row for all tasks that have the same global number. */
static int op_rows(struct msprof_db *d, struct err *e)
{
    static const char *const states[] = { "dynamic", "static" }, *const hf32[] = { "NO", "YES" };
    const struct prof_host *h = &d->r->m.host;
    struct ops o = { .d = d, .before = PROF_NONE };
    int64_t last = -1;

    msprof_db_words(d, states, 2, o.state);
    msprof_db_words(d, hf32, 2, o.hf32);
    for (size_t i = 0; i < h->n_tasks && !e->code; i++) {
        if (!is_op(h, i) || msprof_db_host_task(d, i) == last)
            continue;
        last = msprof_db_host_task(d, i);
        if (!msprof_db_is_schedule(d, &h->task[i]))
            (void)!op_row(&o, i, e);
        else if (h->op[h->task[i].op].attr != PROF_NONE)
            o.before = h->op[h->task[i].op].attr;
    }
    return e->code;
}

/* ---- copies ---- */

static int copy_rows(struct msprof_db *d, struct err *e)
{
    const struct prof_host *h = &d->r->m.host;
    uint32_t copy = prof_text(d->r->m.p, STR("MEMCPY_ASYNC"));

    /* without records of copies there is no such table */
    for (size_t i = 0; h->has_memcpy && i < h->n_tasks && !e->code; i++) {
        const struct prof_host_task *t = &h->task[i];
        if (t->type != copy)
            continue;
        struct val v[] = {
            val_int(msprof_db_host_task(d, i)),
            val_uint(t->copy_b),
            val_int(t->copy_kind < COPY_KINDS ? t->copy_kind : COPY_OTHER),
        };
        (void)!msprof_db_row(d, v, e);
    }
    return e->code;
}

/* ---- memory of ops ---- */

static int memory_row(void *arg, const struct prof_op_memory *m, struct err *e)
{
    struct msprof_db *d = arg;
    const struct prof_folder *f = d->r->m.p->host;
    int64_t ns = msprof_counted_ns(f, m->stamp, d->r->fast_host);

    if (ns < prof_begin_ns(f))
        return OK;
    uint64_t size = m->size_b < 0 ? -(uint64_t)m->size_b : (uint64_t)m->size_b;
    struct val v[] = {
        msprof_db_text(d, prof_hash_text(d->r->m.p, m->node)),
        val_int((int64_t)m->address),
        msprof_db_word(d, m->size_b < 0 ? "release" : "allocate"),
        val_uint(size),
        val_int(ns),
        msprof_db_thread(d, m->thread),
        val_uint(m->allocated_b),
        val_uint(m->reserved_b),
        msprof_db_word(d, "GE"),
        val_int(m->device),
    };
    return msprof_db_row(d, v, e);
}

static int memory_rows(struct msprof_db *d, struct err *e)
{
    return prof_op_memory_read(d->r->m.p, memory_row, d, e);
}

/* ---- marks and ranges of the program ---- */

#define NO_CATEGORY   4294967295
#define NO_RANGE      4294967295
#define TX_UNKNOWN    65535                      /* a kind without a word */
#define TX_CONNECTION (MSPROF_TX_CONNECTION - 1) /* added to the number of a mark of the host alone */

static int tx_row(struct msprof_db *d, const struct prof_tx *x, struct err *e)
{
    const struct prof_folder *f = d->r->m.p->host;
    int64_t from = prof_host_ns(f, x->start);
    struct val v[] = {
        val_int(from),
        val_int(x->end > x->start ? prof_host_ns(f, x->end) : from),
        val_int(prof_word(prof_tx_events, x->event) ? x->event : TX_UNKNOWN),
        val_int(NO_RANGE),
        val_int(x->on_device ? NO_CATEGORY : x->category),
        msprof_db_text(d, x->message),
        msprof_db_thread(d, x->thread),
        msprof_db_thread(d, x->thread),
        !x->on_device            ? msprof_db_word(d, "")
        : x->domain == PROF_NONE ? msprof_db_word(d, "invalid")
                                 : msprof_db_text(d, x->domain),
        val_uint(x->on_device ? x->mark + MSPROF_TX_CONNECTION : TX_CONNECTION),
    };

    return from < prof_begin_ns(f) ? OK : msprof_db_row(d, v, e);
}

static int tx_rows(struct msprof_db *d, struct err *e)
{
    for (size_t i = 0; i < d->r->tx.n; i++)
        if (tx_row(d, &d->r->tx.v[i], e))
            return e->code;
    return OK;
}

const struct msprof_db_table msprof_db_host[] = {
    { "CANN_API", "startNs,endNs,type,globalTid,connectionId pk,name", .rows = api_rows },
    { "COMPUTE_TASK_INFO",
      "name,globalTaskId pk,blockNum,mixBlockNum,taskType,opType,inputFormats,inputDataTypes,"
      "inputShapes,outputFormats,outputDataTypes,outputShapes,attrInfo,opState,hf32Eligible,"
      "gridDim,blockDim",
      .rows = op_rows },
    { "MEMCPY_INFO", "globalTaskId n,size n,memcpyOperation n", .rows = copy_rows },
    { "NPU_OP_MEM",
      "operatorName,addr,type,size,timestampNs,globalTid,totalAllocate n,totalReserve n,component,"
      "deviceId",
      .rows = memory_rows },
    { "MSTX_EVENTS",
      "startNs,endNs,eventType,rangeId,category,message,globalTid,endGlobalTid,domainId,"
      "connectionId",
      .rows = tx_rows },
    { .name = NULL },
};
