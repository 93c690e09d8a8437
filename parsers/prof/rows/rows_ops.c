/* SPDX-License-Identifier: Apache-2.0 */
/* Executions of ops, from the tasks of the devices. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/rows/rows_counters.h"
#include "parsers/prof/rows/rows_framework.h"
#include "parsers/read/opwords.h"

struct ops {
    struct prof_rows *r;
    struct intern *keys; /* what makes an op; the id is the index in op */
    int64_t *op;
    size_t cap;
    struct prof_counters *counters; /* of the device being read */
    int64_t missing;                /* as prof_rows_missing() */
    uint32_t hccl;                  /* text */
};

static size_t dev_of(const struct ops *o, const struct prof_device *d)
{
    return (size_t)(d - o->r->m.dev);
}

/* What makes an op (doc/store.md#op-identity), and what else is known of it. */
struct op_bytes {
    uint32_t name, type, core, tensors, attr, block, mix_block, model;
    int8_t is_static, hf32;
    char zero[2];
};

static struct str word3(int8_t v, const char *no, const char *yes)
{
    return v < 0 ? STR_NULL : str_of(v ? yes : no);
}

static void take_tensors(struct prof_rows *r, uint32_t at, struct op_key *k, struct op_attr *a)
{
    if (at == PROF_NONE)
        return;
    const struct prof_tensors *t = &r->m.host.tensors[at];
    struct sink *s = r->g->out;
    k->in_shapes_id = sink_intern(s, op_shapes(prof_str(r->m.p, t->in_shapes)));
    k->in_types_id = prof_rows_id(r, t->in_types);
    k->in_formats_id = prof_rows_id(r, t->in_formats);
    k->out_shapes_id = sink_intern(s, op_shapes(prof_str(r->m.p, t->out_shapes)));
    a->out_types_id = prof_rows_id(r, t->out_types);
    a->out_formats_id = prof_rows_id(r, t->out_formats);
}

static int64_t new_op(struct prof_rows *r, const struct op_bytes *b, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    k.name_id = prof_rows_name(r, b->name, NULL);
    k.type_id = b->type == PROF_NONE ? 0 : prof_rows_name(r, b->type, NULL);
    k.model_id = b->model == PROF_NO_MODEL ? -1 : (int64_t)b->model;
    take_tensors(r, b->tensors, &k, &a);
    if (b->core != PROF_NONE)
        a.core = op_core(prof_str(r->m.p, b->core));
    a.state = word3(b->is_static, "dynamic", "static");
    a.hf32 = word3(b->hf32, "NO", "YES");
    a.attrs_id = b->attr == PROF_NONE ? 0 : prof_rows_name(r, b->attr, NULL);
    a.block_num = b->block;
    a.mix_block_num = b->mix_block;
    a.source_id = prof_rows_source(r->m.p->host, PROF_NODE_BASIC);
    return sink_op(r->g->out, &k, &a, e);
}

/* 0: e is set. */
static int64_t op_of(struct ops *o, const struct prof_host_task *h, struct err *e)
{
    const struct prof_op *x = &o->r->m.host.op[h->op];
    bool serves = o->r->m.host.n_mc2 && prof_host_is_server(&o->r->m.host, h->stream);
    const struct op_bytes b = { .name = x->name,
                                .type = x->type,
                                .core = serves ? o->hccl : x->core, /* it does not compute */
                                .tensors = x->tensors,
                                .attr = x->attr,
                                .block = x->block,
                                .mix_block = x->mix_block,
                                .model = h->model,
                                .is_static = x->is_static,
                                .hf32 = x->hf32 };
    uint32_t before = intern_count(o->keys);
    uint32_t id = intern_put(o->keys, (struct str){ (const char *)&b, sizeof b });

    if (id == INTERN_NONE) {
        err_nomem(e);
        return 0;
    }
    if (id < before)
        return o->op[id];
    int64_t *v = grow_array(o->op, id, &o->cap, sizeof *v, 1024);
    if (!v) {
        err_nomem(e);
        return 0;
    }
    o->op = v;
    return v[id] = new_op(o->r, &b, e);
}

/* An execution: of a task, or of a communication op (task NULL). */
struct row {
    int64_t op;
    uint64_t start, end;
    const struct prof_task *task;
    uint32_t launcher; /* range of the framework */
    unsigned doubt;    /* bits of enum prof_doubt */
    bool runs;         /* it has not ended: how long it takes is not known */
};

/* The row before one of a device. */
struct before {
    int64_t end;
    bool unsure; /* none, or what ran since then may be an op, or it ended at another time */
};

/* What rows of both kinds share. */
static int put_row(struct ops *o, const struct prof_device *d, const struct row *x, struct before *last,
                   int64_t *exec, struct err *e)
{
    int64_t from = prof_device_ns(d->f, x->start), to = prof_device_ns(d->f, x->end);
    const struct prof_task *t = x->task;
    struct val v[N_COLS(op_exec)] = { 0 };

    v[COL(op_exec, op_id)] = val_int(x->op);
    v[COL(op_exec, rank)] = val_int(prof_rows_rank(o->r, d->f));
    v[COL(op_exec, device)] = val_int(d->f->device);
    v[COL(op_exec, step)] = prof_rows_step(o->r, dev_of(o, d), x->start, x->end, x->launcher);
    if (t) {
        v[COL(op_exec, stream)] = val_int(t->stream);
        v[COL(op_exec, task)] = val_int(t->task);
        v[COL(op_exec, context)] = t->context == PROF_NONE ? val_null() : val_int(t->context);
        v[COL(op_exec, batch)] = val_int(t->batch);
    }
    v[COL(op_exec, ts_ns)] = val_int(from);
    v[COL(op_exec, dur_ns)] = x->runs ? val_null() : val_int(to - from);
    if (!last->unsure && from < o->missing && !(x->doubt & (PROF_DOUBT_TIME | PROF_DOUBT_OP)))
        v[COL(op_exec, wait_ns)] = val_int(from > last->end ? from - last->end : 0);
    v[COL(op_exec, source_id)] =
        val_id(prof_rows_source(d->f, prof_has(d->f, PROF_STARS) ? PROF_STARS : PROF_HWTS));
    prof_rows_mark(o->r, d->f, x->doubt, &v[COL(op_exec, ts_err_ns)]);
    *last =
        (struct before){ .end = to, .unsure = x->runs || x->doubt & (PROF_DOUBT_DURATION | PROF_DOUBT_OP) };
    return sink_row(o->r->g->out, T_op_exec, v, N_COLS(op_exec), exec, e);
}

static unsigned doubt_of(const struct ops *o, const struct prof_task *t, const struct prof_host_task *h)
{
    const struct prof_op *op = &o->r->m.host.op[h->op];
    unsigned doubt = prof_counters_doubt(o->counters, t, op);

    if (prof_is_number(o->r->m.p, op->name) || (op->type != PROF_NONE && prof_is_number(o->r->m.p, op->type)))
        doubt |= PROF_DOUBT_NAME;
    if (op->torn)
        doubt |= PROF_DOUBT_OP;
    if (h->is & PROF_IS_ORPHAN)
        doubt |= PROF_DOUBT_OP | PROF_DOUBT_FIGURES;
    return doubt;
}

static int put_task(struct ops *o, const struct prof_device *d, const struct prof_task *t,
                    struct before *last, struct err *e)
{
    const struct prof_host_task *h = &o->r->m.host.task[t->host];
    uint32_t launcher = prof_rows_launcher(o->r, dev_of(o, d), (size_t)(t - d->task));
    const struct row x = { op_of(o, h, e), t->start, t->end, t, launcher, doubt_of(o, t, h), false };
    int64_t exec = 0;

    if (!x.op || put_row(o, d, &x, last, &exec, e) ||
        prof_rows_put_host(o->r, exec, prof_rows_rank(o->r, d->f), launcher, e))
        return e->code;
    return prof_counters_put(o->counters, t, &o->r->m.host.op[h->op], exec, e);
}

/* A communication op in one execution is an op of its own name. */
static int put_run(struct ops *o, const struct prof_device *d, const struct prof_comm_run *run,
                   struct before *last, struct err *e)
{
    size_t dev = dev_of(o, d);
    const struct prof_comm_op *x = &o->r->m.host.comm_op[run->op];
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    unsigned doubt = run->doubt;

    k.name_id = prof_rows_comm_name(o->r, run, &doubt);
    k.type_id = x->type == PROF_NONE ? 0 : prof_rows_name(o->r, x->type, &doubt);
    k.model_id = x->model == PROF_NO_MODEL ? -1 : (int64_t)x->model;
    a.core = STR("HCCL");
    a.block_num = 0;
    a.source_id = prof_rows_source(o->r->m.p->host, PROF_HCCL_INFO);
    int64_t op = sink_op(o->r->g->out, &k, &a, e);
    const struct row row = { op,
                             run->start,
                             run->end,
                             NULL,
                             prof_rows_comm_launcher(o->r, dev, (size_t)(run - o->r->m.comm[dev].run)),
                             doubt,
                             prof_rows_is_running(o->r, dev, run) };
    int64_t exec = 0;
    if (!op || put_row(o, d, &row, last, &exec, e))
        return e->code;
    return prof_rows_put_host(o->r, exec, prof_rows_rank(o->r, d->f), row.launcher, e);
}

/* Whether a task ran in the time of the collection and is an op's. */
static bool is_execution(const struct prof_rows *r, const struct prof_device *d, const struct prof_task *t)
{
    return t->host != PROF_NONE && r->m.host.task[t->host].op != PROF_NONE && t->end >= t->start &&
           !t->outer && prof_keeps_task(&prof_rows_all, d->f, t->start, t->end);
}

/* Whether a task that has no row may be an op: what it is was lost. */
static bool may_be_op(const struct prof_rows *r, const struct prof_task *t)
{
    const struct prof_host_task *h = t->host == PROF_NONE ? NULL : &r->m.host.task[t->host];

    if (h && h->is & PROF_IS_ORPHAN)
        return true;
    if (t->outer || t->end < t->start || (h && (h->comm_op != PROF_NONE || h->op != PROF_NONE)))
        return false;
    struct str type = h ? prof_str(r->m.p, h->type) : STR("");
    return !h || prof_is_number(r->m.p, h->type) || str_eq(type, STR("0")) ||
           str_starts(type, STR("KERNEL")) || str_eq(type, STR("FFTS_PLUS")) ||
           str_eq(type, STR("STARS_COMMON"));
}

/* Tasks and communication ops of a device, by start. */
static int put_device(struct ops *o, const struct prof_device *d, const struct prof_comm *c, struct err *e)
{
    struct before last = { .unsure = true };
    size_t i = 0, k = 0;
    int rc = OK;

    while (rc == OK && (i < d->n_tasks || k < c->n_runs)) {
        if (k < c->n_runs && (i == d->n_tasks || c->run[k].start < d->task[i].start)) {
            if (prof_keeps_comm(&prof_rows_all, d->f, c->run[k].start, c->run[k].end))
                rc = put_run(o, d, &c->run[k], &last, e);
            k++;
        } else if (!is_execution(o->r, d, &d->task[i])) {
            last.unsure |= may_be_op(o->r, &d->task[i++]);
        } else {
            rc = put_task(o, d, &d->task[i++], &last, e);
        }
    }
    return rc;
}

int prof_rows_ops(struct prof_rows *r, struct err *e)
{
    struct ops o = { .r = r };
    int rc = intern_new(&o.keys, e);

    o.hccl = prof_text(r->m.p, STR("HCCL"));
    if (rc == OK && o.hccl == PROF_NONE)
        rc = err_nomem(e);
    for (size_t i = 0; i < r->m.n_dev && rc == OK; i++) {
        rc = prof_rows_missing(r, i, &o.missing, e);
        if (rc == OK)
            rc = prof_counters_read(&o.counters, r, &r->m.dev[i], e);
        if (rc == OK)
            rc = prof_rows_running_make(r, i, e);
        if (rc == OK)
            rc = put_device(&o, &r->m.dev[i], &r->m.comm[i], e);
        prof_counters_free(o.counters);
        o.counters = NULL;
    }
    intern_free(o.keys);
    free(o.op);
    return rc;
}
