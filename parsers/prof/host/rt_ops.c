/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that the runtime describes. */
#include "config.h"

#include "parsers/prof/host/rt_ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/host/host_at.h"
#include "parsers/prof/host/tensors.h"

struct reading {
    struct prof_rt_ops *x;
    struct prof *p;
    struct prof_call_records *said;
    bool dynamic; /* the state of what is not kept */
    uint64_t n_cut;
    uint64_t n_many; /* with more than PROF_TENSORS_MAX tensors */
};

/* Takes the tensors that are in the record; n_cut counts records that should have more. */
static int set_tensors(struct reading *g, struct rec *r, struct prof_op *op, struct err *e)
{
    uint32_t n = rec_u32(r, CO_TENSORS);
    size_t most = r->n < CO_TENSOR ? 0 : (r->n - CO_TENSOR) / PROF_TENSOR_B;

    if (n > most) {
        n = (uint32_t)most;
        g->n_cut++;
    }
    if (n > PROF_TENSORS_MAX) {
        n = PROF_TENSORS_MAX;
        g->n_many++;
    }
    if (!n)
        return OK;
    return prof_call_records_tensors(
        g->said, (struct str){ (const char *)r->p + CO_TENSOR, n * (size_t)PROF_TENSOR_B }, &op->tensors, e);
}

static int on_record(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;
    struct prof_rt_op *v = grow_array(g->x->v, g->x->n, &g->x->cap, sizeof *v, 64);
    uint32_t blocks = rec_u16(r, CO_BLOCKS), ratio = rec_u16(r, CO_RATIO);
    uint64_t attr = rec_u64(r, CO_ATTR);

    if (!v)
        return err_nomem(e);
    g->x->v = v;
    v += g->x->n;
    memset(v, 0, sizeof *v);
    v->device = rec_u32(r, CO_DEVICE);
    v->stream = rec_u32(r, CO_STREAM);
    v->task = rec_u32(r, CO_TASK);
    v->model = rec_u32(r, CO_MODEL);
    v->op.name = prof_hash_text(g->p, rec_u64(r, CO_NAME));
    v->op.type = prof_hash_text(g->p, rec_u64(r, CO_TYPE));
    v->op.core = prof_call_records_core(g->p, rec_u32(r, CO_CORE));
    v->op.block = blocks;
    v->op.mix_block = blocks * ratio;
    v->op.tensors = PROF_NONE;
    v->op.attr = attr ? prof_hash_text(g->p, attr) : PROF_NONE;
    v->op.is_static = !g->dynamic || rec->kept;
    v->op.hf32 = rec_u32(r, CO_FLAG) != 0;
    if (v->op.name == PROF_NONE || v->op.type == PROF_NONE || v->op.core == PROF_NONE ||
        (attr && v->op.attr == PROF_NONE))
        return err_nomem(e);
    g->x->n++;
    return set_tensors(g, r, &v->op, e);
}

static bool task_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_rt_op *x = (const struct prof_rt_op *)arg + a, *y = (const struct prof_rt_op *)arg + b;

    if (x->device != y->device)
        return x->device < y->device;
    return x->stream != y->stream ? x->stream < y->stream : x->task < y->task;
}

int prof_rt_ops_read(struct prof_rt_ops *x, struct prof *p, struct prof_call_records *s, struct err *e)
{
    struct reading g = { .x = x, .p = p, .said = s, .dynamic = true };

    *x = (struct prof_rt_ops){ .n = 0 };
    if (prof_read(p, p->host, PROF_CAPTURE_OP, on_record, &g, e))
        return e->code;
    g.dynamic = false;
    if (prof_read_lengths(p, p->host, PROF_CAPTURE_OP_LONG, CO_TENSOR, on_record, &g, e))
        return e->code;
    if (g.n_cut)
        prof_note(p, p->host, PROF_CAPTURE_OP, NOTE_COUNT_MISMATCH,
                  "%llu captured ops have more tensors than their records hold", (unsigned long long)g.n_cut);
    if (g.n_many)
        prof_note(p, p->host, PROF_CAPTURE_OP_LONG, NOTE_LIMIT,
                  "%llu captured ops have more than %d tensors: further ones were left out",
                  (unsigned long long)g.n_many, PROF_TENSORS_MAX);
    return prof_sort(NULL, x->v, x->n, sizeof *x->v, task_before, x->v, e);
}

void prof_rt_ops_free(struct prof_rt_ops *x)
{
    free(x->v);
    *x = (struct prof_rt_ops){ .n = 0 };
}

struct asked {
    const struct prof_rt_ops *x;
    const struct prof_host_task *t;
};

/* True up to the last op of the task. */
static bool is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;
    const struct prof_rt_op *x = &q->x->v[i];

    if (x->device != q->t->device)
        return x->device < q->t->device;
    return x->stream != q->t->stream ? x->stream < q->t->stream : x->task <= q->t->task;
}

const struct prof_op *prof_rt_ops_find(const struct prof_rt_ops *x, const struct prof_host_task *t,
                                       uint32_t *model)
{
    const struct asked q = { x, t };
    size_t i = x->n ? prof_gallop(x->n, 0, is_before, &q) : 0;
    const struct prof_rt_op *v = i ? &x->v[i - 1] : NULL;

    if (!v || v->device != t->device || v->stream != t->stream || v->task != t->task)
        return NULL;
    *model = v->model;
    return &v->op;
}
