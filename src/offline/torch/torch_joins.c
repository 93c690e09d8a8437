/* SPDX-License-Identifier: Apache-2.0 */
/* See torch_joins.h. */
#include "config.h"

#include "offline/torch/torch_joins.h"

#include <stdlib.h>

#include "base/large/sort_index.h"

struct joining {
    struct offline_run *r;
    const struct offline_timeline *t;
    struct torch_joins *j;
    uint32_t *call; /* links with a kernel, by time of the call */
    size_t n_calls;
    uint32_t *top; /* of each op the outermost one around it */
};

static const struct framework_range *range_of(const struct joining *x, uint32_t i)
{
    return &x->r->f.range[i];
}

/* ---- kernels ---- */

static bool call_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct offline_link *v = arg;
    bool has_a = v[a].event != OFFLINE_NONE && v[a].s, has_b = v[b].event != OFFLINE_NONE && v[b].s;

    if (has_a != has_b)
        return has_a;
    return v[a].s_ts != v[b].s_ts ? v[a].s_ts < v[b].s_ts : v[a].f_order < v[b].f_order;
}

static int find_calls(struct joining *x, struct err *e)
{
    const struct offline_link *v = x->t->link;

    if (prof_order(x->r->pool, &x->call, x->t->n_links, call_before, v, e))
        return e->code;
    while (x->n_calls < x->t->n_links && v[x->call[x->n_calls]].s &&
           v[x->call[x->n_calls]].event != OFFLINE_NONE)
        x->n_calls++;
    return OK;
}

static bool kernel_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct torch_kernel *v = arg;

    return v[a].id < v[b].id;
}

/*
 * With a queue a call belongs to the task that was being taken out then: one list over all threads, walked
 * once. A call outside of all is lost.
 */
static int find_kernels(struct joining *x, struct err *e)
{
    struct torch_joins *j = x->j;
    const struct framework_queued *queued = j->queue.queued;
    size_t at = j->queue.n_put; /* tasks taken out follow those put in */

    j->kernel = spool_array(x->r->pool, x->n_calls + 1, sizeof *j->kernel);
    if (!j->kernel)
        return err_nomem(e);
    for (size_t i = 0; i < x->n_calls; i++) {
        int64_t ts = x->t->link[x->call[i]].s_ts;
        while (j->has_queue && at < j->queue.n_queued && queued[at].to < ts)
            at++;
        if (j->has_queue && (at == j->queue.n_queued || queued[at].from > ts))
            continue;
        j->kernel[j->n_kernels++] =
            (struct torch_kernel){ j->has_queue ? queued[at].correlation : (uint64_t)ts, x->call[i] };
    }
    return prof_sort(x->r->pool, j->kernel, j->n_kernels, sizeof *j->kernel, kernel_before, j->kernel, e);
}

const struct torch_kernel *torch_kernels_of(const struct torch_joins *j, uint64_t id, size_t *n)
{
    size_t low = 0, high = j->n_kernels;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (j->kernel[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    for (*n = 0; low + *n < j->n_kernels && j->kernel[low + *n].id == id;)
        ++*n;
    return j->kernel + low;
}

/* ---- the tree ---- */

static int add_self(struct joining *x, uint32_t op, uint64_t id, struct err *e)
{
    struct torch_joins *j = x->j;
    struct torch_self *v = spool_grow(x->r->pool, j->self, j->n_self, &j->cap_self, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    j->self = v;
    v[j->n_self] = (struct torch_self){ op, (uint32_t)j->n_self, id };
    j->n_self++;
    return OK;
}

/* The first of an op and those around it that has not ended. */
static uint32_t climb(const struct joining *x, uint32_t op, int64_t at)
{
    while (op != OFFLINE_NONE && range_of(x, op)->to < at)
        op = x->j->above[op];
    return op;
}

static bool op_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_range *v = arg;

    return v[a].from < v[b].from;
}

static bool put_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_queued *v = arg;

    return v[a].from < v[b].from;
}

/* Ops and tasks put into the queue, by start, ops first. A task is of the open op, if on its thread. */
static int make_tree(struct joining *x, struct err *e)
{
    struct torch_joins *j = x->j;
    const struct framework *f = &x->r->f;
    uint32_t *put = NULL, last = OFFLINE_NONE;
    size_t k = 0;

    j->above = spool_array(x->r->pool, f->n_ranges + 1, sizeof *j->above);
    if (!j->above)
        return err_nomem(e);
    if (prof_order(x->r->pool, &j->op, f->n_ranges, op_before, f->range, e) ||
        prof_order(x->r->pool, &put, j->queue.n_put, put_before, j->queue.queued, e))
        goto out;
    j->n_ops = f->n_ranges;
    for (size_t i = 0; i <= j->n_ops && !e->code; i++) {
        int64_t next = i < j->n_ops ? range_of(x, j->op[i])->from : INT64_MAX;
        for (; k < j->queue.n_put && !e->code; k++) {
            const struct framework_queued *q = &j->queue.queued[put[k]];
            if (i < j->n_ops && q->from >= next)
                break;
            last = climb(x, last, q->from);
            if (last != OFFLINE_NONE && range_of(x, last)->thread == q->thread)
                (void)!add_self(x, last, q->correlation, e);
        }
        if (i == j->n_ops)
            break;
        j->above[j->op[i]] = climb(x, last, next);
        last = j->op[i];
    }
out:
    spool_free(x->r->pool, put);
    return e->code;
}

/* ---- launches without a queue ---- */

/* Children of each op in order of start: child[first[op]] on; those of none at the end. */
struct children {
    uint32_t *child, *first;
};

static int find_children(const struct joining *x, struct children *c, struct err *e)
{
    const struct torch_joins *j = x->j;
    size_t n = j->n_ops;
    uint32_t at = 0;

    c->child = spool_array(x->r->pool, n + 1, sizeof *c->child);
    c->first = spool_array(x->r->pool, n + 2, sizeof *c->first);
    if (!c->child || !c->first)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        c->first[j->above[i] == OFFLINE_NONE ? n : j->above[i]]++;
    for (size_t i = 0; i <= n; i++) {
        uint32_t count = c->first[i];
        c->first[i] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t above = j->above[j->op[i]];
        c->child[c->first[above == OFFLINE_NONE ? n : above]++] = j->op[i];
    }
    for (size_t i = n + 1; i > 0; i--) /* each was moved on to the next one's place */
        c->first[i] = c->first[i - 1];
    c->first[0] = 0;
    return OK;
}

/*
 * The child around an instant: the last one that has begun. Upstream takes the first one where none has,
 * which is no part of it (compat).
 */
static uint32_t child_at(const struct joining *x, const struct children *c, size_t parent, int64_t at)
{
    size_t low = c->first[parent], high = c->first[parent + 1], from = low;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (range_of(x, c->child[mid])->from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    if (from == c->first[parent + 1] || (low == from && !x->r->o->compat))
        return OFFLINE_NONE;
    uint32_t op = c->child[low == from ? from : low - 1];
    return range_of(x, op)->to > at ? op : OFFLINE_NONE;
}

static bool end_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct joining *x = arg;

    return x->t->link[x->call[a]].f_order < x->t->link[x->call[b]].f_order;
}

/* In the order in which kernels are met; of several calls of an instant the first one stands for all. */
static int add_calls(struct joining *x, struct err *e)
{
    struct children c = { .child = NULL };
    uint32_t *order = NULL;

    if (find_children(x, &c, e) == OK)
        (void)!prof_order(x->r->pool, &order, x->n_calls, end_before, x, e);
    for (size_t i = 0; i < x->n_calls && !e->code; i++) {
        uint32_t call = x->call[order[i]], op = OFFLINE_NONE, next;
        int64_t at = x->t->link[call].s_ts;
        size_t n;
        if (torch_kernels_of(x->j, (uint64_t)at, &n)->link != call)
            continue;
        for (size_t parent = x->j->n_ops; (next = child_at(x, &c, parent, at)) != OFFLINE_NONE;)
            parent = op = next;
        if (op != OFFLINE_NONE)
            (void)!add_self(x, op, (uint64_t)at, e);
    }
    spool_free(x->r->pool, order);
    spool_free(x->r->pool, c.child);
    spool_free(x->r->pool, c.first);
    return e->code;
}

/* ---- steps ---- */

/* Widens a step by the kernels of an id: the first id with some is its begin, the last one its end. */
static void take_id(const struct joining *x, struct torch_step *s, uint64_t id, int64_t *end)
{
    size_t n;
    const struct torch_kernel *k = torch_kernels_of(x->j, id, &n);
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (size_t i = 0; i < n; i++) {
        const struct offline_link *l = &x->t->link[k[i].link];
        first = l->f_ts < first ? l->f_ts : first;
        last = l->f_ts + l->dur_ns > last ? l->f_ts + l->dur_ns : last;
    }
    if (!n)
        return;
    if (s->from == INT64_MAX)
        s->from = first;
    *end = last;
}

struct step_ids {
    uint64_t *v;
    size_t n, cap;
};

static int id_cmp(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static int add_id(struct joining *x, struct step_ids *s, uint64_t id, struct err *e)
{
    uint64_t *v = spool_grow(x->r->pool, s->v, s->n, &s->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = id;
    return OK;
}

static int find_tops(struct joining *x, struct err *e)
{
    const struct torch_joins *j = x->j;

    x->top = spool_array(x->r->pool, j->n_ops + 1, sizeof *x->top);
    if (!x->top)
        return err_nomem(e);
    for (size_t i = 0; i < j->n_ops; i++) {
        uint32_t op = j->op[i], above = j->above[op];
        x->top[op] = above == OFFLINE_NONE ? op : x->top[above];
    }
    return OK;
}

static int close_step(struct joining *x, uint32_t op, struct step_ids *ids, struct err *e)
{
    struct torch_joins *j = x->j;
    struct torch_step s = { .id = str_after_last(framework_str(&x->r->f, range_of(x, op)->name), '#'),
                            .op = op,
                            .from = INT64_MAX };
    int64_t end = INT64_MIN;

    if (!ids->n)
        return OK;
    qsort(ids->v, ids->n, sizeof *ids->v, id_cmp);
    for (size_t i = 0; i < ids->n; i++)
        take_id(x, &s, ids->v[i], &end);
    if (s.from == INT64_MAX)
        s.from = range_of(x, op)->from;
    s.to = end > range_of(x, op)->to ? end : range_of(x, op)->to;
    struct torch_step *v = spool_grow(x->r->pool, j->step, j->n_steps, &j->cap_steps, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    j->step = v;
    v[j->n_steps++] = s;
    return OK;
}

/* Of a queue: ids of the tasks put in below the mark; else the calls within it that no step before has. */
static int ids_of(struct joining *x, uint32_t op, size_t *call, struct step_ids *ids, struct err *e)
{
    const struct torch_joins *j = x->j;
    const struct framework_range *mark = range_of(x, op);

    ids->n = 0;
    for (size_t i = *call; j->has_queue && i < j->n_self; i++) {
        if (range_of(x, j->self[i].op)->from > mark->to)
            break;
        *call = i + 1;
        if (x->top[j->self[i].op] == op && add_id(x, ids, j->self[i].id, e))
            return e->code;
    }
    for (; !j->has_queue && *call < x->n_calls; ++*call) {
        int64_t at = x->t->link[x->call[*call]].s_ts;
        if (at > mark->to)
            break;
        if (at >= mark->from && add_id(x, ids, (uint64_t)at, e))
            return e->code;
    }
    return OK;
}

static int find_steps(struct joining *x, struct err *e)
{
    struct torch_joins *j = x->j;
    struct step_ids ids = { .n = 0 };
    size_t call = 0;

    if (find_tops(x, e))
        return e->code;
    for (size_t i = 0; i < j->n_ops && !e->code; i++) {
        uint32_t op = j->op[i];
        if (range_of(x, op)->is & RANGE_STEP && j->above[op] == OFFLINE_NONE &&
            ids_of(x, op, &call, &ids, e) == OK)
            (void)!close_step(x, op, &ids, e);
    }
    spool_free(x->r->pool, ids.v);
    spool_free(x->r->pool, x->top);
    j->ascend = true;
    for (size_t i = 1; i < j->n_steps; i++)
        j->ascend &= j->step[i - 1].from <= j->step[i].from && j->step[i - 1].to <= j->step[i].to;
    return e->code;
}

void torch_steps_around(const struct torch_joins *j, int64_t ns, size_t *from, size_t *to)
{
    size_t low = 0, high = j->n_steps;

    while (j->ascend && low < high) {
        size_t mid = low + (high - low) / 2;
        if (j->step[mid].to < ns - 1000)
            low = mid + 1;
        else
            high = mid;
    }
    *from = low;
    for (*to = low; *to < j->n_steps && (!j->ascend || j->step[*to].from <= ns + 1000);)
        ++*to;
}

/* ---- the whole ---- */

struct self_order {
    const struct torch_self *v;
    const uint32_t *turn; /* by range: its place among all by start */
};

static bool self_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct self_order *o = arg;

    return o->turn[o->v[a].op] < o->turn[o->v[b].op];
}

static int order_self(struct joining *x, struct err *e)
{
    struct torch_joins *j = x->j;
    struct self_order o = { .v = j->self };
    uint32_t *turn = spool_array(x->r->pool, j->n_ops + 1, sizeof *turn);

    if (!turn)
        return err_nomem(e);
    for (size_t i = 0; i < j->n_ops; i++)
        turn[j->op[i]] = (uint32_t)i;
    o.turn = turn;
    (void)!prof_sort(x->r->pool, j->self, j->n_self, sizeof *j->self, self_before, &o, e);
    spool_free(x->r->pool, turn);
    return e->code;
}

static int join(struct joining *x, struct err *e)
{
    struct torch_joins *j = x->j;

    if (framework_join(&j->queue, &x->r->f, e))
        return e->code;
    j->has_queue = j->queue.n_queued > j->queue.n_put;
    if (find_calls(x, e) || find_kernels(x, e) || make_tree(x, e) || (!j->has_queue && add_calls(x, e)))
        return e->code;
    return find_steps(x, e) || !j->has_queue ? e->code : order_self(x, e);
}

int torch_joins(struct offline_run *r, const struct torch_joins **out, struct err *e)
{
    if (!r->torch) {
        struct joining x = { .r = r };
        if (offline_timeline(r, &x.t, e))
            return e->code;
        r->torch = x.j = calloc(1, sizeof *x.j);
        if (!x.j)
            return err_nomem(e);
        (void)!join(&x, e);
        spool_free(r->pool, x.call);
    }
    *out = r->torch;
    return e->code;
}

void torch_joins_done(struct offline_run *r)
{
    struct torch_joins *j = r->torch;

    if (!j)
        return;
    framework_joins_done(&j->queue);
    spool_free(r->pool, j->op);
    spool_free(r->pool, j->above);
    spool_free(r->pool, j->self);
    spool_free(r->pool, j->kernel);
    spool_free(r->pool, j->step);
    free(j);
    r->torch = NULL;
}
