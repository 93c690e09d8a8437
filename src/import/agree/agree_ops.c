/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by op of the rows that a raw group gives. */
#include "config.h"

#include "import/agree/agree_ops.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/registry.h"

static const enum known_diff_id readings[] = { KNOWN_DIFF_NONE, KNOWN_DIFF_NEIGHBOURS,
                                               KNOWN_DIFF_FIRST_TASK };
#define N_READINGS ARRAY_LEN(readings)

struct op {
    uint32_t type;
    struct agree_sum all, near; /* near: only executions whose start and end marks are neighbours */
    uint64_t first_task;        /* of near */
    bool counted;
    double flops;
};

/* The start that was the last mark. */
struct start {
    bool is;
    uint32_t name;
    int64_t ts_ns;
    uint64_t task;
};

struct agree_ops {
    struct op *v; /* by name */
    size_t n, cap;
    uint32_t *name_of; /* by number of the op, as rows have it */
    size_t n_ids, cap_ids;
    struct start start;
    struct agree_type *types[N_READINGS]; /* by type */
    size_t n_types;
};

int agree_ops_new(struct agree_ops **out, struct err *e)
{
    struct agree_ops *o = calloc(1, sizeof *o);

    if (!o)
        return err_nomem(e);
    *out = o;
    return OK;
}

void agree_ops_free(struct agree_ops *o)
{
    if (!o)
        return;
    free(o->v);
    free(o->name_of);
    for (size_t i = 0; i < N_READINGS; i++)
        free(o->types[i]);
    free(o);
}

int agree_ops_op(struct agree_ops *o, int64_t id, const struct op_key *k, struct err *e)
{
    if (id <= 0 || !k->name_id)
        return OK;
    struct op *v = grow_array(o->v, k->name_id, &o->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    o->v = v;
    for (; o->n <= k->name_id; o->n++)
        v[o->n] = (struct op){ .type = 0 };
    if (k->type_id) /* tasks of text files have names only */
        v[k->name_id].type = k->type_id;
    uint32_t *ids = grow_array(o->name_of, (size_t)id, &o->cap_ids, sizeof *ids, 256);
    if (!ids)
        return err_nomem(e);
    o->name_of = ids;
    for (; o->n_ids <= (size_t)id; o->n_ids++)
        ids[o->n_ids] = 0;
    ids[id] = k->name_id;
    return OK;
}

/* 0: not an op that agree_ops_op() was given. */
static uint32_t name_of(const struct agree_ops *o, const struct val *op_id)
{
    return op_id->t == VAL_INT && op_id->i > 0 && (size_t)op_id->i < o->n_ids ? o->name_of[op_id->i] : 0;
}

/* ---- executions ---- */

static void add(struct agree_sum *s, int64_t ts_ns, int64_t dur_ns)
{
    s->n++;
    s->total_ns = (int64_t)((uint64_t)s->total_ns + (uint64_t)dur_ns);
    s->at_sum += (uint64_t)ts_ns;
}

/*
 * MindSpore up to 2.0.0a0 takes a start and an end as an execution only if they are of one op and the end
 * follows at once. Its mean divides by the number of those that have the task of the first.
 */
static void add_near(struct agree_ops *o, const struct start *s, int64_t end_ns)
{
    struct op *p = &o->v[s->name];

    if (!p->near.n)
        p->first_task = s->task;
    add(&p->near, s->ts_ns, end_ns - s->ts_ns);
    p->near.divisor += p->first_task == s->task;
}

void agree_ops_mark(struct agree_ops *o, const struct val *v)
{
    struct start now = { .is = !v[MARK_IS_END].i,
                         .name = name_of(o, &v[MARK_OP]),
                         .ts_ns = v[MARK_TS].i,
                         .task = (uint64_t)v[MARK_STREAM].i << 32 | (uint32_t)v[MARK_TASK].i };

    if (!now.name)
        return;
    if (!now.is && o->start.is && o->start.name == now.name && o->start.ts_ns <= now.ts_ns)
        add_near(o, &o->start, now.ts_ns);
    o->start = now;
}

void agree_ops_exec(struct agree_ops *o, const struct val *v)
{
    const struct val *ts = &v[COL(op_exec, ts_ns)], *dur = &v[COL(op_exec, dur_ns)];
    uint32_t name = name_of(o, &v[COL(op_exec, op_id)]);

    if (name && ts->t == VAL_INT && dur->t == VAL_INT)
        add(&o->v[name].all, ts->i, dur->i);
}

struct agree_sum agree_ops_sum(const struct agree_ops *o, uint32_t name, enum known_diff_id as)
{
    if (name >= o->n)
        return (struct agree_sum){ .n = 0 };
    struct agree_sum s = as == KNOWN_DIFF_NONE ? o->v[name].all : o->v[name].near;
    if (as != KNOWN_DIFF_FIRST_TASK)
        s.divisor = s.n;
    return s;
}

uint32_t agree_ops_names(const struct agree_ops *o)
{
    return (uint32_t)o->n;
}

static void add_to_type(struct agree_type *t, const struct agree_sum *s)
{
    if (!s->n)
        return;
    t->ops++;
    t->n += s->n;
    t->total_ns += (double)s->total_ns;
    t->means_ns += agree_mean_ns(s);
}

int agree_ops_types(struct agree_ops *o, struct err *e)
{
    o->n_types = 0;
    for (size_t i = 0; i < o->n; i++)
        if (o->v[i].type >= o->n_types)
            o->n_types = (size_t)o->v[i].type + 1;
    for (size_t r = 0; r < N_READINGS; r++) {
        free(o->types[r]);
        o->types[r] = calloc(o->n_types + 1, sizeof *o->types[r]);
        if (!o->types[r])
            return err_nomem(e);
        for (uint32_t i = 0; i < o->n; i++) {
            struct agree_sum s = agree_ops_sum(o, i, readings[r]);
            add_to_type(&o->types[r][o->v[i].type], &s);
        }
    }
    return OK;
}

struct agree_type agree_ops_type(const struct agree_ops *o, uint32_t type, enum known_diff_id as)
{
    for (size_t r = 0; r < N_READINGS; r++)
        if (readings[r] == as && type < o->n_types)
            return o->types[r][type];
    return (struct agree_type){ .n = 0 };
}

uint32_t agree_ops_n_types(const struct agree_ops *o)
{
    return (uint32_t)o->n_types;
}

/* ---- FLOPs ---- */

void agree_ops_flops(struct agree_ops *o, const struct val *v)
{
    uint32_t name = name_of(o, &v[COL(op_flops, op_id)]);

    if (!name)
        return;
    o->v[name].counted = true;
    o->v[name].flops += val_num(&v[COL(op_flops, cube_flops)]) + val_num(&v[COL(op_flops, vector_flops)]);
}

bool agree_ops_flops_of(const struct agree_ops *o, uint32_t name, double *flops)
{
    if (name >= o->n || !o->v[name].counted)
        return false;
    *flops = o->v[name].flops;
    return true;
}
