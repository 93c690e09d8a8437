/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations as the analyses of MindSpore and torch_npu pair and name them. */
#include "config.h"

#include "offline/tables/allocations.h"

#include "base/large/sort_index.h"

/* ---- pairs of MindSpore ---- */

struct place {
    uint32_t event, group; /* group: number of its address, by first appearance */
};

static bool event_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_memory_event *v = arg;

    return v[a].at < v[b].at;
}

static bool group_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct place *v = arg;

    return v[a].group < v[b].group;
}

/* Events by address, each address by time. */
static int order_events(const struct framework_memory *m, struct place *v, struct err *e)
{
    struct u64map groups = { .n = 0 };
    uint32_t *order = NULL, n = 0;

    if (prof_order(m->f->pool, &order, m->n_events, event_before, m->event, e))
        return e->code;
    for (size_t i = 0; i < m->n_events && !e->code; i++) {
        uint64_t address = m->event[order[i]].address;
        uint32_t group = u64map_get(&groups, address);
        if (!group && !u64map_set(&groups, address, group = ++n))
            err_nomem(e);
        v[i] = (struct place){ order[i], group };
    }
    spool_free(m->f->pool, order);
    u64map_done(&groups);
    return e->code ? e->code : prof_sort(m->f->pool, v, m->n_events, sizeof *v, group_before, v, e);
}

static int add_pair(struct framework_memory *m, uint32_t alloc, uint32_t release, struct err *e)
{
    struct framework_allocation *v =
        spool_grow(m->f->pool, m->allocation, m->n_allocations, &m->cap_allocations, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    m->allocation = v;
    v[m->n_allocations++] = (struct framework_allocation){ alloc, release, FRAMEWORK_NONE };
    return OK;
}

/* The events of an address. A release that came first is passed over. */
static int pair_group(struct framework_memory *m, const struct place *v, size_t n, struct err *e)
{
    uint32_t alloc = FRAMEWORK_NONE, release = FRAMEWORK_NONE;

    for (size_t i = 0; i < n && !e->code; i++) {
        bool frees = m->event[v[i].event].kind != MEMORY_ALLOC;
        if (frees && !i)
            continue;
        *(frees ? &release : &alloc) = v[i].event;
        if (alloc == FRAMEWORK_NONE || release == FRAMEWORK_NONE)
            continue;
        (void)!add_pair(m, alloc, release, e);
        alloc = release = FRAMEWORK_NONE;
    }
    return e->code || alloc == FRAMEWORK_NONE ? e->code : add_pair(m, alloc, FRAMEWORK_NONE, e);
}

static bool allocated_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_memory *m = arg;

    return m->event[m->allocation[a].alloc].at < m->event[m->allocation[b].alloc].at;
}

int offline_pair_mindspore(struct framework_memory *m, struct err *e)
{
    struct place *v = spool_array(m->f->pool, m->n_events + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    (void)!order_events(m, v, e);
    for (size_t from = 0, to; from < m->n_events && !e->code; from = to) {
        for (to = from + 1; to < m->n_events && v[to].group == v[from].group;)
            to++;
        (void)!pair_group(m, v + from, to - from, e);
    }
    spool_free(m->f->pool, v);
    if (e->code)
        return e->code;
    return prof_sort(m->f->pool, m->allocation, m->n_allocations, sizeof *m->allocation, allocated_before, m,
                     e);
}

/* ---- owners of torch_npu ---- */

static bool is_helper(struct str name)
{
    return str_eq(name, STR("empty_tensor")) || str_eq(name, STR("malloc_workspace"));
}

static bool is_public(struct str name)
{
    return str_starts(name, STR("aten")) || str_starts(name, STR("npu"));
}

static struct str name_of(const struct offline_owners *w, uint32_t range)
{
    return framework_str(w->f, w->f->range[range].name);
}

static bool op_thread_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct offline_owners *w = arg;

    return w->f->range[w->op[a]].thread < w->f->range[w->op[b]].thread;
}

static bool taken_thread_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct offline_owners *w = arg;

    return w->j->queue.queued[w->queue[a]].thread < w->j->queue.queued[w->queue[b]].thread;
}

/* The thread's row, NULL: none. */
static struct offline_owner_thread *thread_of(const struct offline_owners *w, uint64_t thread)
{
    uint32_t i = u64map_get(&w->rows, thread);

    return i ? &w->thread[i - 1] : NULL;
}

/* The same; a new one without ops. NULL: no memory. */
static struct offline_owner_thread *make_thread(struct offline_owners *w, uint64_t thread)
{
    struct offline_owner_thread *v = thread_of(w, thread);

    if (v)
        return v;
    v = spool_grow(w->f->pool, w->thread, w->n_threads, &w->cap_threads, sizeof *v, 64);
    w->thread = v ? v : w->thread;
    if (!v || !u64map_set(&w->rows, thread, (uint32_t)w->n_threads + 1))
        return NULL;
    v[w->n_threads] = (struct offline_owner_thread){ .thread = thread, .last = INT64_MIN };
    return &v[w->n_threads++];
}

/* Where the ops, and the tasks taken out, of each thread lie. */
static int find_threads(struct offline_owners *w, struct err *e)
{
    const struct torch_joins *j = w->j;
    size_t n_taken = j->queue.n_queued - j->queue.n_put;

    for (size_t i = 0; i < w->n_ops; i++) {
        struct offline_owner_thread *t = make_thread(w, w->f->range[w->op[i]].thread);
        if (!t)
            return err_nomem(e);
        t->from = t->to ? t->from : i;
        t->to = i + 1;
    }
    for (size_t i = 0; i < n_taken; i++) {
        struct offline_owner_thread *t = make_thread(w, j->queue.queued[w->queue[i]].thread);
        if (!t)
            return err_nomem(e);
        t->taken = t->after ? t->taken : i;
        t->after = i + 1;
    }
    return OK;
}

int offline_owners_new(struct offline_owners *w, const struct framework *f, const struct torch_joins *j,
                       struct err *e)
{
    size_t n_taken = j->queue.n_queued - j->queue.n_put;

    *w = (struct offline_owners){ .f = f, .j = j };
    w->op = spool_array(w->f->pool, j->n_ops + 1, sizeof *w->op);
    w->queue = spool_array(w->f->pool, n_taken + 1, sizeof *w->queue);
    if (!w->op || !w->queue)
        return err_nomem(e);
    for (size_t i = 0; i < j->n_ops; i++)
        if (!is_helper(name_of(w, j->op[i])))
            w->op[w->n_ops++] = j->op[i];
    for (size_t i = 0; i < n_taken; i++)
        w->queue[i] = (uint32_t)(j->queue.n_put + i);
    if (prof_sort(w->f->pool, w->op, w->n_ops, sizeof *w->op, op_thread_before, w, e) ||
        prof_sort(w->f->pool, w->queue, n_taken, sizeof *w->queue, taken_thread_before, w, e))
        return e->code;
    return find_threads(w, e);
}

void offline_owners_done(struct offline_owners *w)
{
    if (!w->f)
        return;
    spool_free(w->f->pool, w->thread);
    spool_free(w->f->pool, w->op);
    spool_free(w->f->pool, w->queue);
    u64map_done(&w->rows);
    *w = (struct offline_owners){ .f = NULL };
}

/* The last op of the thread that begins at this time or before. */
static uint32_t last_op(const struct offline_owners *w, const struct offline_owner_thread *t, int64_t at)
{
    size_t low = t->from, high = t->to;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->f->range[w->op[mid]].from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low > t->from ? w->op[low - 1] : FRAMEWORK_NONE;
}

/* What the thread was taking out of the queue, NULL: nothing. */
static const struct framework_queued *taken_at(const struct offline_owners *w,
                                               const struct offline_owner_thread *t, int64_t at)
{
    size_t low = t->taken, high = t->after;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->j->queue.queued[w->queue[mid]].from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    const struct framework_queued *q = low > t->taken ? &w->j->queue.queued[w->queue[low - 1]] : NULL;
    return q && at < q->to ? q : NULL;
}

/* Its public op around the end of the enqueue; a thread is never asked for an earlier time again. */
static uint32_t put_by(struct offline_owners *w, const struct framework_queued *put)
{
    struct offline_owner_thread *t = thread_of(w, put->thread);
    uint32_t x;

    if (!t)
        return FRAMEWORK_NONE;
    t->last = put->to > t->last ? put->to : t->last;
    x = last_op(w, t, t->last);
    while (x != FRAMEWORK_NONE && !is_public(name_of(w, x)))
        x = w->j->above[x];
    return x;
}

uint32_t offline_owner(struct offline_owners *w, const struct framework_memory_event *x)
{
    const struct torch_joins *j = w->j;
    struct offline_owner_thread *t = thread_of(w, x->thread);
    const struct framework_queued *taken = t ? taken_at(w, t, x->at) : NULL;
    uint32_t at;

    if (taken) {
        const struct framework_queued *put = framework_put_of(&w->j->queue, taken->correlation);
        return put ? put_by(w, put) : FRAMEWORK_NONE;
    }
    at = t ? last_op(w, t, x->at) : FRAMEWORK_NONE;
    while (at != FRAMEWORK_NONE && w->f->range[at].to < x->at)
        at = j->above[at];
    return at;
}
