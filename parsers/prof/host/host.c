/* SPDX-License-Identifier: Apache-2.0 */
/* What the host records: its calls, the tasks they issued, and what those tasks are. */
#include "config.h"

#include "parsers/prof/host/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/flips.h"
#include "parsers/prof/host/call_records.h"
#include "parsers/prof/host/call_tree.h"
#include "parsers/prof/host/host_at.h"
#include "parsers/prof/host/joined.h"
#include "parsers/prof/host/rt_ops.h"

#define TYPE_MAINTENANCE 6
#define TYPE_FLIP        98
#define FLIP_DESTROYED   0xffff
#define LONG_DATA_B      40 /* task_track with what a kernel was launched with */
#define FUSED_MAX        8
#define CONTEXT_RANGE    2 /* ids of a communication call: first and last */
/* Rows that contexts may add for each record of them: a limit for damaged counts. */
#define ROWS_FOR_EACH 64

/* ---- what a task is, by the name of its type (doc/formats/msprof.md#task-classes) ---- */

/* clang-format off */
static const struct kernel_type {
    const char *type, *core;
    bool is_mix; /* its context is 0 when no record has another */
} kernel_types[] = {
    { "KERNEL_AICORE",  "AI_CORE",        false },
    { "KERNEL_AIVEC",   "AI_VECTOR_CORE", false },
    { "KERNEL_AICPU",   "AI_CPU",         false },
    { "KERNEL_SIMT",    "AI_VECTOR_CORE", false },
    { "KERNEL_MIX_AIC", "MIX_AIC",        true },
    { "KERNEL_MIX_AIV", "MIX_AIV",        true },
};
/* clang-format on */

struct type_facts {
    const struct kernel_type *kernel; /* NULL: none of those */
    bool computes, is_ffts, is_simt, is_copy;
};

static struct type_facts facts_of(struct str type)
{
    struct type_facts f = { .is_ffts = str_eq(type, STR("FFTS_PLUS")),
                            .is_copy = str_eq(type, STR("MEMCPY_ASYNC")),
                            .is_simt = str_eq(type, STR("KERNEL_SIMT")) };

    f.computes = f.is_ffts || str_starts(type, STR("KERNEL")) || str_eq(type, STR("STARS_COMMON"));
    for (size_t i = 0; i < ARRAY_LEN(kernel_types); i++)
        if (str_eq(type, str_of(kernel_types[i].type)))
            f.kernel = &kernel_types[i];
    return f;
}

/* ---- one task ---- */

struct building {
    struct prof *p;
    struct prof_host *h;
    struct prof_tree tree;
    struct prof_call_records said;
    struct prof_joined joined;
    struct prof_rt_ops captured;
    struct prof_flip *flip;
    size_t n_flips, flips_cap, tasks_cap;
    size_t extra; /* rows that contexts may still add */
    bool full;    /* they needed more */
    bool track2;  /* task_track_v2 */
    uint32_t type_seen;
    struct type_facts facts; /* of it */
};

struct calls { /* around a task; PROF_NONE: none */
    uint32_t inner, comm, node, model;
};

static int put_row(struct building *b, const struct prof_host_task *t, struct err *e)
{
    struct prof_host *h = b->h;
    struct prof_host_task *v = spool_grow(h->spool, h->task, h->n_tasks, &b->tasks_cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    h->task = v;
    v[h->n_tasks++] = *t;
    return OK;
}

/* A further row for a context. */
static int put_context(struct building *b, const struct prof_host_task *t, struct err *e)
{
    if (!b->extra) {
        b->full = true;
        return OK;
    }
    b->extra--;
    return put_row(b, t, e);
}

/* What the task_track record itself says of blocks wins over node_basic_info. */
static void put_blocks(struct rec *r, const struct type_facts *f, struct prof_op *op)
{
    if (rec_u32(r, PH_LENGTH) != LONG_DATA_B)
        return;
    if (f->is_simt) {
        op->simt = true;
        for (size_t i = 0; i < ARRAY_LEN(op->grid); i++) {
            op->grid[i] = rec_u16(r, HT_BLOCKS + 2 * i);
            op->dim[i] = rec_u16(r, HT_BLOCKS + 6 + 2 * i);
        }
        return;
    }
    op->block = rec_u16(r, HT_BLOCKS);
    op->mix_block = op->block * (rec_u8(r, HT_RATIO) & 7u);
}

static void empty_op(struct prof_op *op)
{
    memset(op, 0, sizeof *op); /* its bytes are its key */
    op->name = op->type = op->core = op->tensors = op->attr = PROF_NONE;
    op->is_static = op->hf32 = -1;
}

static int keep_op(struct building *b, const struct prof_op *op, uint32_t *out, struct err *e)
{
    *out = prof_call_records_put_op(&b->said, op);
    return *out == PROF_NONE ? err_nomem(e) : OK;
}

static uint32_t text(struct building *b, const char *s)
{
    return prof_text(b->p, str_of(s));
}

/*
 * A task under a communication call takes the op of that call, and is communication when it runs on the AI
 * CPU or a core (doc/formats/msprof.md#context-ids).
 */
static void adapt_to_comm(struct building *b, const struct calls *c, const struct type_facts *f,
                          struct prof_op *op)
{
    const struct kernel_type *k = f->kernel;

    if (c->comm != PROF_NONE) {
        op->name = prof_hash_text(b->p, b->h->api[c->comm].item);
        if (k && str_eq(str_of(k->type), STR("KERNEL_AICPU")))
            op->core = text(b, "HCCL_AI_CPU");
        else if (k && str_eq(str_of(k->type), STR("KERNEL_AICORE")))
            op->core = text(b, "COMMUNICATION");
    } else if (k && str_eq(str_of(k->type), STR("KERNEL_AICPU")) &&
               str_eq(prof_str(b->p, op->core), STR("COMMUNICATION"))) {
        op->core = text(b, "AI_CPU");
    }
}

/* The op that a node_basic remark makes of a task. */
static int op_of(struct building *b, const struct prof_remark *basic, const struct calls *c, struct rec *r,
                 uint32_t *out, struct err *e)
{
    struct prof_op op;

    if (prof_call_records_op(&b->said, basic, &op, e))
        return e->code;
    adapt_to_comm(b, c, &b->facts, &op);
    put_blocks(r, &b->facts, &op);
    return keep_op(b, &op, out, e);
}

/* At level 0 only the name is recorded. */
static int level0_op(struct building *b, uint32_t name, struct rec *r, uint32_t *out, struct err *e)
{
    struct prof_op op;

    empty_op(&op);
    op.name = name;
    put_blocks(r, &b->facts, &op);
    return keep_op(b, &op, out, e);
}

/*
 * A kernel outside of all ops is the op that the runtime records for it, else an op of its own name
 * (doc/formats/msprof.md#task-classes); without a name it is none.
 */
static int kernel_op(struct building *b, struct rec *r, struct prof_host_task *t, struct err *e)
{
    uint32_t model = PROF_NO_MODEL;
    const struct prof_op *said = prof_rt_ops_find(&b->captured, t, &model);
    struct prof_op op;

    if (!said && t->kernel == PROF_NONE)
        return OK;
    empty_op(&op);
    if (said && b->p->host->meta.level0) {
        op.name = said->name;
        op.attr = said->attr;
    } else if (said) {
        op = *said;
    } else {
        op.name = op.type = t->kernel;
        op.core = text(b, b->facts.kernel->core);
    }
    put_blocks(r, &b->facts, &op);
    t->is |= PROF_IS_COMPUTE;
    t->model = model;
    return keep_op(b, &op, &t->op, e);
}

/* ---- contexts ---- */

static uint32_t id_at(struct str ids, size_t i)
{
    struct rec r = { .p = (const unsigned char *)ids.p, .n = ids.n };

    return rec_u32(&r, i * sizeof(uint32_t));
}

/* Rows for the contexts of one op of a node call; they have no op when no other record describes it. */
static int context_rows(struct building *b, const struct prof_remark *m, const struct calls *c,
                        struct prof_host_task t, struct rec *r, struct err *e)
{
    const struct prof_remark *basic = prof_call_records_key(&b->said.basic, m->api, m->key, false);
    struct str ids = prof_call_records_bytes(&b->said, m);
    bool level0 = b->p->host->meta.level0;

    if (level0 ? level0_op(b, m->key, r, &t.op, e) : basic && op_of(b, basic, c, r, &t.op, e))
        return e->code;
    if (level0 || basic)
        t.is |= PROF_IS_COMPUTE;
    for (size_t i = 0; i < ids.n / sizeof(uint32_t); i++) {
        t.context = id_at(ids, i);
        if (put_context(b, &t, e))
            return e->code;
    }
    return OK;
}

/* An op of the node call without contexts: the one the call is named after, else any. NULL: none. */
static const struct prof_remark *plain_basic(struct building *b, uint32_t node)
{
    uint32_t name = prof_hash_text(b->p, b->h->api[node].item);
    const struct prof_remark *m = prof_call_records_key(&b->said.basic, node, name, true);

    return m && !prof_call_records_key(&b->said.contexts, node, m->key, false) ? m : NULL;
}

static int compute_rows(struct building *b, const struct calls *c, struct prof_host_task *t, struct rec *r,
                        struct err *e)
{
    size_t n;
    const struct prof_remark *m = prof_call_records_of(&b->said.contexts, c->node, &n);

    for (size_t i = 0; i < n; i++)
        if (context_rows(b, &m[i], c, *t, r, e))
            return e->code;
    if (b->p->host->meta.level0) {
        if (n)
            return OK;
        t->is |= PROF_IS_COMPUTE;
        return level0_op(b, prof_hash_text(b->p, b->h->api[c->node].item), r, &t->op, e);
    }
    const struct prof_remark *basic = plain_basic(b, c->node);
    if (!basic)
        return OK;
    t->is |= PROF_IS_COMPUTE;
    return op_of(b, basic, c, r, &t->op, e);
}

/* The info of a communication call: the one of this context when there are several. */
static void set_info(struct building *b, const struct calls *c, struct prof_host_task *t)
{
    const struct prof_remark *m = prof_call_records_key(&b->said.infos, c->comm, t->context, true);

    t->comm = m ? m->value : PROF_NONE;
}

/* Rows for those contexts of a range that have an info. */
static int comm_rows(struct building *b, const struct calls *c, struct prof_host_task *t, struct err *e)
{
    size_t n, n_infos;
    const struct prof_remark *m = prof_call_records_of(&b->said.contexts, c->comm, &n),
                             *info = prof_call_records_of(&b->said.infos, c->comm, &n_infos);

    t->is |= PROF_IS_COMM;
    if (prof_call_records_is_master(&b->said, c->comm))
        t->is |= PROF_IS_MASTER;
    if (!prof_type_known(b->p, PROF_L_COMMUNICATION, b->h->api[c->comm].type))
        t->is |= PROF_IS_UNTYPED;
    t->comm_op = c->node; /* its number is set when all are known */
    for (size_t i = 0; b->facts.is_ffts && i < n; i++) {
        struct str ids = prof_call_records_bytes(&b->said, &m[i]);
        if (ids.n / sizeof(uint32_t) != CONTEXT_RANGE)
            continue;
        for (size_t k = 0; k < n_infos; k++) {
            struct prof_host_task row = *t;
            if (info[k].key < id_at(ids, 0) || info[k].key > id_at(ids, 1))
                continue;
            row.context = info[k].key;
            row.comm = info[k].value;
            if (put_context(b, &row, e))
                return e->code;
        }
    }
    set_info(b, c, t);
    return OK;
}

/* ---- task_track ---- */

static struct calls calls_around(struct building *b, const struct prof_host_task *t)
{
    struct calls c = { .inner = prof_tree_find(&b->tree, t->thread, t->stamp) };

    c.comm = prof_tree_up(&b->tree, c.inner, PROF_L_COMMUNICATION);
    c.node = prof_tree_up(&b->tree, c.inner, PROF_L_NODE);
    c.model = prof_tree_up(&b->tree, c.inner, PROF_L_MODEL);
    return c;
}

static bool node_computes(struct building *b, const struct calls *c)
{
    const struct prof_api *node = &b->h->api[c->node];

    return (!b->facts.is_ffts || c->comm == PROF_NONE) &&
           !str_eq(prof_str(b->p, prof_type_text(b->p, PROF_L_NODE, node->type)), STR("step_info")) &&
           !str_starts(prof_str(b->p, prof_hash_text(b->p, node->item)), STR("Lccl"));
}

/* Model, connection and copy of a task. */
static void set_links(struct building *b, const struct calls *c, struct prof_host_task *t)
{
    t->api = c->node != PROF_NONE    ? c->node
             : c->inner != PROF_NONE ? c->inner
                                     : prof_tree_loose(&b->tree, t->thread, t->stamp);
    if (c->model != PROF_NONE) {
        t->model = (uint32_t)b->h->api[c->model].item;
        t->request = b->h->api[c->model].request;
    } else {
        t->model = prof_joined_model(&b->joined, t);
    }
    if (b->facts.is_copy) {
        t->is |= PROF_IS_MEMCPY;
        prof_joined_copy(&b->joined, t);
    }
}

/* Whether its calls may be lost: it has none of an op, and its thread's begin later or ended before. */
static bool is_orphan(struct building *b, const struct calls *c, const struct prof_host_task *t)
{
    return c->node == PROF_NONE && c->comm == PROF_NONE &&
           (b->p->host->lost[PROF_API_EVENT] ||
            prof_tree_lacks_node(&b->tree, t->thread, t->stamp, c->inner));
}

static int put_task(struct building *b, struct prof_host_task *t, struct rec *r, struct err *e)
{
    const struct calls c = calls_around(b, t);
    bool computes = c.node != PROF_NONE && b->facts.computes && node_computes(b, &c);

    set_links(b, &c, t);
    if (is_orphan(b, &c, t))
        t->is |= PROF_IS_ORPHAN;
    if (c.comm != PROF_NONE && comm_rows(b, &c, t, e))
        return e->code;
    if (computes && compute_rows(b, &c, t, r, e))
        return e->code;
    if (!computes && c.comm == PROF_NONE && b->facts.kernel) {
        t->context = b->facts.kernel->is_mix && !b->p->chip->v6 ? 0 : PROF_NONE;
        if (kernel_op(b, r, t, e))
            return e->code;
    }
    return put_row(b, t, e);
}

static int put_flip(struct building *b, const struct prof_host_task *t, struct rec *r, struct err *e)
{
    struct prof_flip *v = grow_array(b->flip, b->n_flips, &b->flips_cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    b->flip = v;
    const size_t number_at = b->track2 ? HT2_TASK + 2 : HT_FLIP;
    v[b->n_flips++] = (struct prof_flip){ .time = t->stamp,
                                          .stream = t->stream,
                                          .task = t->task,
                                          .device = t->device,
                                          .is_destroyed = rec_u16(r, number_at) == FLIP_DESTROYED };
    return OK;
}

static uint64_t type_of(const struct building *b, struct rec *x)
{
    return b->track2 ? rec_u32(x, HT2_TYPE) : rec_u64(x, HT_TYPE);
}

/* The id of a task is wide in newer records and on newer chips; that of a flip never is. */
static uint32_t task_id_of(const struct building *b, struct rec *x, bool flip)
{
    size_t at = b->track2 ? HT2_TASK : HT_TASK;

    return !flip && (b->track2 || b->p->chip->v6) ? rec_u32(x, at) : rec_u16(x, at);
}

static int on_task(void *arg, struct prof_record *r, struct err *e)
{
    struct building *b = arg;
    struct rec *x = &r->rec;
    uint64_t type = type_of(b, x), kernel = rec_u64(x, HT_KERNEL);
    uint16_t device = rec_u16(x, HT_DEVICE);
    struct prof_host_task t = {
        .stamp = rec_u64(x, PH_TIME),
        .stream = b->track2 ? rec_u32(x, HT2_STREAM) : rec_u16(x, HT_STREAM),
        .task = task_id_of(b, x, type == TYPE_FLIP),
        .context = PROF_NONE,
        .type = prof_type_text(b->p, PROF_L_RUNTIME, type),
        .kernel = kernel ? prof_hash_text(b->p, kernel) : PROF_NONE,
        .thread = rec_u32(x, PH_THREAD),
        .model = PROF_NO_MODEL,
        .op = PROF_NONE,
        .comm = PROF_NONE,
        .comm_op = PROF_NONE,
        .device = device & 0xfff,
        .copy_kind = PROF_COPY_NONE,
    };

    if (type == TYPE_MAINTENANCE || device >> 12) /* not of an NPU */
        return OK;
    if (t.type == PROF_NONE || (kernel && t.kernel == PROF_NONE))
        return err_nomem(e);
    if (type == TYPE_FLIP)
        return put_flip(b, &t, x, e);
    if (b->type_seen != t.type) {
        b->type_seen = t.type;
        b->facts = facts_of(prof_str(b->p, t.type));
    }
    return put_task(b, &t, x, e);
}

/* ---- batches and order ---- */

static const struct prof_host_task *row(const void *tasks, uint32_t i)
{
    return (const struct prof_host_task *)tasks + i;
}
static uint16_t device_at(const void *t, uint32_t i)
{
    return row(t, i)->device;
}
static uint32_t stream_at(const void *t, uint32_t i)
{
    return row(t, i)->stream;
}
static uint32_t task_at(const void *t, uint32_t i)
{
    return row(t, i)->task;
}
static uint64_t time_at(const void *t, uint32_t i)
{
    return row(t, i)->stamp;
}
static uint32_t *batch_at(void *t, uint32_t i)
{
    return &((struct prof_host_task *)t)[i].batch;
}

static bool task_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_host_task *x = row(arg, a), *y = row(arg, b);

#define BY(field)                                                                                            \
    if (x->field != y->field)                                                                                \
    return x->field < y->field
    BY(device);
    BY(stream);
    BY(batch); /* near each other in the array as in time */
    BY(task);
    BY(context);
#undef BY
    return false;
}

static int order_tasks(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;
    const struct prof_flip_tasks all = { .arg = h->task,
                                         .n = h->n_tasks,
                                         .device = device_at,
                                         .stream = stream_at,
                                         .task = task_at,
                                         .time = time_at,
                                         .batch = batch_at };

    spool_fit(h->spool, h->task, h->n_tasks, sizeof *h->task);
    if (b->full)
        prof_note(b->p, b->p->host, PROF_CONTEXT, NOTE_LIMIT,
                  "more contexts of tasks than their records can be about; the rest has no rows");
    if (b->p->chip->batches && prof_flips_number(h->spool, &all, b->flip, b->n_flips, e))
        return e->code;
    return prof_sort(h->spool, h->task, h->n_tasks, sizeof *h->task, task_before, h->task, e);
}

/* ---- communication ops ---- */

/* A task that lies in the node call of a communication op, and in none of communication: that may be lost. */
static bool lacks_comm(struct building *b, const struct prof_host_task *t)
{
    return t->comm_op == PROF_NONE && prof_tree_find(&b->tree, t->thread, t->stamp) == t->api &&
           (b->p->host->lost[PROF_API_EVENT] || prof_tree_lacks_call(&b->tree, t->thread, t->stamp));
}

/* One number for each node call that tasks point to, in order of the calls. */
static int number_comm_ops(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;
    uint32_t *number = h->n_apis ? spool_array(h->spool, h->n_apis, sizeof *number) : NULL;

    if (!h->n_apis)
        return OK;
    if (!number)
        return err_nomem(e);
    for (size_t i = 0; i < h->n_tasks; i++)
        if (h->task[i].comm_op != PROF_NONE)
            number[h->task[i].comm_op] = 1;
    for (size_t i = 0; i < h->n_apis; i++)
        if (number[i])
            number[i] = (uint32_t)++h->n_comm_ops;
    h->comm_op = spool_array(h->spool, h->n_comm_ops + 1, sizeof *h->comm_op);
    for (size_t i = 0; h->comm_op && i < h->n_tasks; i++) {
        struct prof_host_task *t = &h->task[i];
        if (t->api != PROF_NONE && number[t->api] && lacks_comm(b, t))
            h->comm_op[number[t->api] - 1].lacks = true;
        if (t->comm_op == PROF_NONE)
            continue;
        uint32_t api = t->comm_op;
        t->comm_op = number[api] - 1;
        struct prof_comm_op *op = &h->comm_op[t->comm_op];
        op->api = api;
        op->model = t->model;
        op->device = t->device;
    }
    spool_free(h->spool, number);
    return h->comm_op ? OK : err_nomem(e);
}

static int make_comm_ops(struct building *b, struct err *e)
{
    if (number_comm_ops(b, e))
        return e->code;
    for (size_t i = 0; i < b->h->n_comm_ops; i++) {
        struct prof_comm_op *op = &b->h->comm_op[i];
        uint32_t name = prof_hash_text(b->p, b->h->api[op->api].item);
        const struct prof_remark *basic = prof_call_records_key(&b->said.basic, op->api, name, true);
        struct prof_op said = { .type = PROF_NONE };
        if (basic && prof_call_records_op(&b->said, basic, &said, e))
            return e->code;
        op->name = name;
        op->type = said.type;
        prof_call_records_comm_op(&b->said, op->api, op);
    }
    return OK;
}

/* ---- fusion ---- */

static int fusion_of(struct building *b, const struct prof_remark *m, struct prof_fusion *f, struct err *e)
{
    struct str bytes = prof_call_records_bytes(&b->said, m);
    struct rec r = { .p = (const unsigned char *)bytes.p, .n = bytes.n };
    uint32_t n = rec_u32(&r, FU_COUNT);
    struct buf ops;

    f->model = (uint32_t)b->h->api[m->api].item;
    f->model_name = prof_model_name(b->p, b->h, f->model);
    f->name = prof_hash_text(b->p, rec_u64(&r, FU_NAME));
    for (size_t i = 0; i < ARRAY_LEN(f->memory_b); i++)
        f->memory_b[i] = rec_u64(&r, FU_MEMORY + i * (FU_OUTPUT - FU_MEMORY));
    buf_init(&ops, SIZE_MAX);
    for (uint32_t i = 0; i < n && i < FUSED_MAX; i++) {
        if (i)
            buf_addc(&ops, ';');
        buf_add(&ops, prof_str(b->p, prof_hash_text(b->p, rec_u64(&r, FU_OP + 8 * i))));
    }
    f->originals = buf_failed(&ops) ? PROF_NONE : prof_text(b->p, buf_str(&ops));
    buf_done(&ops);
    return f->originals == PROF_NONE || f->name == PROF_NONE ? err_nomem(e) : OK;
}

/* By thread, then by call, then as they were read. */
static bool fusion_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct building *b = arg;
    const struct prof_remark *v = b->said.fusions.v;
    uint32_t x = b->h->api[v[i].api].thread, y = b->h->api[v[k].api].thread;

    return x != y ? x < y : i < k;
}

static int make_fusions(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;
    size_t n = b->said.fusions.n;
    uint32_t *order;

    h->fusion = calloc(n + 1, sizeof *h->fusion);
    if (!h->fusion)
        return err_nomem(e);
    if (prof_order(NULL, &order, n, fusion_before, b, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!fusion_of(b, &b->said.fusions.v[order[i]], &h->fusion[h->n_fusion++], e);
    free(order);
    return e->code;
}

/* ---- the whole ---- */

/* Copies of distinct structs out of their table. */
static int copy_all(void **out, size_t *n, const struct intern *t, size_t each, struct err *e)
{
    *n = intern_count(t);
    unsigned char *v = calloc(*n + 1, each);
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < *n; i++)
        memcpy(v + i * each, intern_get(t, (uint32_t)i).p, each);
    *out = v;
    return OK;
}

/* Ops and infos that no task has are kept, too: their numbers are in use. */
static int take_records(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;
    void *ops = NULL, *comm = NULL;

    if (copy_all(&ops, &h->n_ops, b->said.ops, sizeof *h->op, e))
        return e->code;
    h->op = ops;
    if (copy_all(&comm, &h->n_comm, b->said.comm, sizeof *h->comm, e))
        return e->code;
    h->comm = comm;
    h->tensors = b->said.sets;
    h->n_tensors = b->said.n_sets;
    b->said.sets = NULL;
    return OK;
}

static bool load_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_host *h = arg;
    const struct prof_api *a = &h->api[h->load[i].api], *b = &h->api[h->load[k].api];

    return a->thread != b->thread ? a->thread < b->thread : i < k;
}

/* Calls that load a model: by thread and begin, with the latest end up to each. */
static int find_loads(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;
    size_t cap = 0;

    for (size_t i = 0; i < h->n_apis; i++) {
        const struct prof_api *a = &h->api[i];
        if (a->level != PROF_L_MODEL ||
            !str_eq(prof_str(b->p, prof_type_text(b->p, a->level, a->type)), STR("ModelLoad")))
            continue;
        struct prof_load *v = grow_array(h->load, h->n_loads, &cap, sizeof *v, 16);
        if (!v)
            return err_nomem(e);
        h->load = v;
        v[h->n_loads++] = (struct prof_load){ .api = (uint32_t)i, .end = a->end };
    }
    if (prof_sort(NULL, h->load, h->n_loads, sizeof *h->load, load_before, h, e))
        return e->code;
    for (size_t i = 1; i < h->n_loads; i++)
        if (h->api[h->load[i - 1].api].thread == h->api[h->load[i].api].thread &&
            h->load[i - 1].end > h->load[i].end)
            h->load[i].end = h->load[i - 1].end;
    return OK;
}

static int read_host(struct building *b, struct err *e)
{
    struct prof_host *h = b->h;

    h->cpu_text = prof_text(b->p, STR("AI_CPU"));
    h->aiv_text = prof_text(b->p, STR("AI_VECTOR_CORE"));
    h->mix_aiv_text = prof_text(b->p, STR("MIX_AIV"));
    if (prof_apis_read(&h->api, &h->n_apis, b->p, e) || find_loads(b, e) ||
        prof_tree_make(&b->tree, h->spool, h->api, h->n_apis, e) ||
        prof_call_records_read(&b->said, b->p, &b->tree, e) || prof_joined_read(&b->joined, b->p, e) ||
        prof_rt_ops_read(&b->captured, b->p, &b->said, e))
        return e->code;
    h->has_memcpy = b->joined.n_copies > 0;
    h->expanded = b->joined.expanded;
    if (prof_joined_graphs(&b->joined, h, e))
        return e->code;
    b->extra = (b->said.contexts.n + b->said.infos.n) * ROWS_FOR_EACH;
    b->type_seen = PROF_NONE;
    b->track2 = !prof_has(b->p->host, PROF_TASK_TRACK); /* msprof prefers the old ones, too */
    if (prof_read(b->p, b->p->host, b->track2 ? PROF_TASK_TRACK2 : PROF_TASK_TRACK, on_task, b, e) ||
        order_tasks(b, e) || make_comm_ops(b, e) || make_fusions(b, e))
        return e->code;
    return take_records(b, e);
}

int prof_host_read(struct prof_host *h, struct prof *p, struct err *e)
{
    struct building b = { .p = p, .h = h };

    *h = (struct prof_host){ .spool = p->spool };
    if (p->host)
        (void)!read_host(&b, e);
    prof_tree_free(&b.tree);
    prof_call_records_free(&b.said);
    prof_joined_free(&b.joined);
    prof_rt_ops_free(&b.captured);
    free(b.flip);
    return e->code;
}

void prof_host_done(struct prof_host *h)
{
    spool_free(h->spool, h->api);
    spool_free(h->spool, h->task);
    free(h->op);
    free(h->tensors);
    free(h->comm);
    spool_free(h->spool, h->comm_op);
    free(h->fusion);
    free(h->graph);
    free(h->load);
    free(h->mc2);
    free(h->server);
    *h = (struct prof_host){ 0 };
}
