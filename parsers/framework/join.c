/* SPDX-License-Identifier: Apache-2.0 */
/* Nesting, the task queue, and launches of the framework's ranges. */
#include "config.h"

#include "parsers/framework/join.h"

#include "base/large/sort_index.h"
#include "base/limits.h"

/* ---- nesting ---- */

static bool takes_part(const struct framework_range *x)
{
    return !(x->is & RANGE_FLOW) && x->to > x->from;
}

static bool by_thread(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_range *v = arg, *x = &v[a], *y = &v[b];

    if (x->thread != y->thread)
        return x->thread < y->thread;
    if (x->from != y->from)
        return x->from < y->from;
    return x->to > y->to;
}

/* Put a range below the innermost open one, and open it: those around it are looked through one by one. */
struct nesting {
    uint32_t *above, top, depth;
    size_t n_deep;
};

static void leave(struct nesting *n)
{
    n->top = n->above[n->top];
    n->depth--;
}

static void enter(struct nesting *n, uint32_t range)
{
    if (n->depth == LIM_FRAMEWORK_DEPTH) {
        leave(n);
        n->n_deep++;
    }
    n->above[range] = n->top;
    n->top = range;
    n->depth++;
}

static int nest(struct framework_joins *j, struct err *e)
{
    const struct framework *f = j->f;
    struct nesting open = { .top = FRAMEWORK_NONE };

    j->above = spool_array(f->pool, f->n_ranges + 1, sizeof *j->above);
    if (!j->above)
        return err_nomem(e);
    open.above = j->above;
    for (size_t i = 0; i < f->n_ranges; i++) {
        uint32_t at = j->order[i];
        const struct framework_range *x = &f->range[at];
        j->above[at] = FRAMEWORK_NONE;
        if (!takes_part(x))
            continue;
        while (open.top != FRAMEWORK_NONE &&
               (f->range[open.top].thread != x->thread || f->range[open.top].to < x->to))
            leave(&open);
        enter(&open, at);
    }
    j->n_deep = open.n_deep;
    return OK;
}

/* Those that launch, in the order of all. */
static int pick_launches(struct framework_joins *j, struct err *e)
{
    const struct framework *f = j->f;

    j->launch = spool_array(f->pool, f->n_ranges + 1, sizeof *j->launch);
    if (!j->launch)
        return err_nomem(e);
    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[j->order[i]];
        if (takes_part(x) && (f->torch ? !(x->is & RANGE_FRAME) : x->is & RANGE_LAUNCH))
            j->launch[j->n_launch++] = j->order[i];
    }
    return OK;
}

/* ---- the queue ---- */

static bool mark_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_mark *v = arg;

    return v[a].at < v[b].at;
}

/*
 * A start that waits for its end: the last one of a thread and name
 * (doc/formats/framework.md#torch_npu-joins).
 */
struct open_key {
    uint64_t thread;
    uint32_t name, kind;
};
struct pairing {
    struct intern *keys;
    uint32_t *open; /* by key: the mark, FRAMEWORK_NONE: none */
    size_t cap;
};

static uint32_t *slot_of(struct pairing *p, const struct framework *f, const struct framework_mark *m,
                         enum framework_mark_kind begin, struct err *e)
{
    struct open_key key = { m->thread, m->name, begin };
    uint32_t n = intern_count(p->keys);
    uint32_t id = intern_put(p->keys, (struct str){ (const char *)&key, sizeof key });
    uint32_t *v = id == INTERN_NONE ? NULL : spool_grow(f->pool, p->open, id, &p->cap, sizeof *v, 64);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    p->open = v;
    if (id == n)
        v[id] = FRAMEWORK_NONE;
    return &v[id];
}

static int add_queued(struct framework_joins *j, const struct framework_mark *from,
                      const struct framework_mark *to, struct err *e)
{
    struct framework_queued *v =
        spool_grow(j->f->pool, j->queued, j->n_queued, &j->cap_queued, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    j->queued = v;
    v[j->n_queued++] = (struct framework_queued){ .from = from->at,
                                                  .to = to->at,
                                                  .correlation = from->correlation,
                                                  .thread = from->thread,
                                                  .name = from->name,
                                                  .line = from->line,
                                                  .range = FRAMEWORK_NONE,
                                                  .put = from->kind == MARK_ENQUEUE };
    return OK;
}

static int pair(struct framework_joins *j, struct pairing *p, const uint32_t *order,
                enum framework_mark_kind begin, struct err *e)
{
    const struct framework *f = j->f;

    for (size_t i = 0; i < f->n_marks; i++) {
        const struct framework_mark *m = &f->mark[order[i]];
        if (m->kind != begin && m->kind != begin + 1)
            continue;
        uint32_t *open = slot_of(p, f, m, begin, e);
        if (!open)
            return e->code;
        if (m->kind != begin && *open != FRAMEWORK_NONE && add_queued(j, &f->mark[*open], m, e))
            return e->code;
        *open = m->kind == begin ? order[i] : FRAMEWORK_NONE;
    }
    return OK;
}

static bool queued_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_queued *v = arg;

    return v[a].from < v[b].from;
}

static bool id_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_correlated *v = arg;

    return v[a].id < v[b].id;
}

/* What of [from, to) of the queue has which correlation id, by id. */
static int by_correlation(const struct framework_joins *j, size_t from, size_t to,
                          struct framework_correlated **out, struct err *e)
{
    struct spool *pool = j->f->pool;
    struct framework_correlated *v = *out = spool_array(pool, to - from + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t i = from; i < to; i++)
        v[i - from] = (struct framework_correlated){ j->queued[i].correlation, (uint32_t)i };
    return prof_sort(pool, v, to - from, sizeof *v, id_before, v, e);
}

/* Of n with this id the first, NULL: there is none. */
static const struct framework_queued *with_id(const struct framework_joins *j,
                                              const struct framework_correlated *v, size_t n, uint64_t id)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (v[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && v[low].id == id ? &j->queued[v[low].queued] : NULL;
}

/* ---- which range is around an instant ---- */

/* The last of n launching ranges that does not begin after (thread, at); SIZE_MAX: none. */
static size_t last_before(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    size_t low = 0, high = j->n_launch;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct framework_range *x = &j->f->range[j->launch[mid]];
        if (x->thread < thread || (x->thread == thread && x->from <= at))
            low = mid + 1;
        else
            high = mid;
    }
    return low ? low - 1 : SIZE_MAX;
}

/* The innermost launching range of the thread around an instant. */
static uint32_t innermost(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    const struct framework_range *range = j->f->range;
    size_t i = last_before(j, thread, at);
    uint32_t x = i == SIZE_MAX ? FRAMEWORK_NONE : j->launch[i];

    while (x != FRAMEWORK_NONE && (range[x].thread != thread || range[x].to < at))
        x = j->above[x];
    return x;
}

static uint32_t outermost(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    uint32_t x = innermost(j, thread, at), best = FRAMEWORK_NONE;

    for (; x != FRAMEWORK_NONE; x = j->above[x])
        if (j->f->range[x].is & RANGE_LAUNCH)
            best = x;
    return best;
}

/* Of torch_npu: what is no frame. A step mark is an op there, the outermost one. */
uint32_t framework_op_around(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    uint32_t x = innermost(j, thread, at);

    while (x != FRAMEWORK_NONE && j->f->range[x].is & RANGE_FRAME)
        x = j->above[x];
    return x;
}

/* The order of those taken out, and which range put in each. */
static int index_queue(struct framework_joins *j, struct err *e)
{
    if (!j->n_queued)
        return OK;
    for (size_t i = 0; i < j->n_put; i++)
        j->queued[i].range = framework_op_around(j, j->queued[i].thread, j->queued[i].from);
    if (by_correlation(j, 0, j->n_put, &j->put, e) || by_correlation(j, j->n_put, j->n_queued, &j->taken, e))
        return e->code;
    return prof_order(j->f->pool, &j->by_start, j->n_queued - j->n_put, queued_before, j->queued + j->n_put,
                      e);
}

static int queue(struct framework_joins *j, struct err *e)
{
    const struct framework *f = j->f;
    struct pairing p = { .open = NULL };
    uint32_t *order = NULL;

    if (!f->n_marks)
        return OK;
    if (intern_new(&p.keys, e) == OK &&
        prof_order(f->pool, &order, f->n_marks, mark_before, f->mark, e) == OK &&
        pair(j, &p, order, MARK_ENQUEUE, e) == OK) {
        j->n_put = j->n_queued;
        if (pair(j, &p, order, MARK_DEQUEUE, e) == OK)
            (void)!index_queue(j, e);
    }
    spool_free(f->pool, order);
    spool_free(f->pool, p.open);
    intern_free(p.keys);
    return e->code;
}

/* ---- launches ---- */

/* The task that was being taken out at an instant, NULL: none. Threads that take out do so in turn. */
static const struct framework_queued *taken_at(const struct framework_joins *j, int64_t at)
{
    const struct framework_queued *taken = j->queued + j->n_put;
    size_t low = 0, high = j->n_queued - j->n_put;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (taken[j->by_start[mid]].from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low && taken[j->by_start[low - 1]].to >= at ? &taken[j->by_start[low - 1]] : NULL;
}

const struct framework_queued *framework_put_at(const struct framework_joins *j, int64_t at)
{
    const struct framework_queued *t = j->n_queued > j->n_put ? taken_at(j, at) : NULL;

    return t ? with_id(j, j->put, j->n_put, t->correlation) : NULL;
}

static uint32_t taken_out(const struct framework_joins *j, int64_t at)
{
    const struct framework_queued *put = framework_put_at(j, at);

    return put ? put->range : FRAMEWORK_NONE;
}

const struct framework_queued *framework_put_for(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    const struct framework_queued *t = j->n_queued > j->n_put ? taken_at(j, at) : NULL;

    return t && t->thread == thread ? with_id(j, j->put, j->n_put, t->correlation) : NULL;
}

const struct framework_queued *framework_put_of(const struct framework_joins *j, uint64_t correlation)
{
    const struct framework_correlated *v = j->put;
    size_t low = 0, high = j->n_put;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (v[mid].id <= correlation)
            low = mid + 1;
        else
            high = mid;
    }
    return low && v[low - 1].id == correlation ? &j->queued[v[low - 1].queued] : NULL;
}

uint32_t framework_taken_name(const struct framework_joins *j, const struct framework_queued *put)
{
    const struct framework_queued *t = with_id(j, j->taken, j->n_queued - j->n_put, put->correlation);

    return t ? t->name : FRAMEWORK_NONE;
}

/* The innermost op of any thread around an instant. */
static uint32_t around_any(const struct framework_joins *j, int64_t at)
{
    size_t low = 0, high = j->n_all;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (j->f->range[j->all[mid]].from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t x = low ? j->all[low - 1] : FRAMEWORK_NONE;
    while (x != FRAMEWORK_NONE && j->f->range[x].to <= at)
        x = j->around[x];
    return x;
}

/* The framework recorded something on the thread. */
static bool knows(const struct framework_joins *j, uint64_t thread)
{
    size_t i = last_before(j, thread, INT64_MAX);

    return i != SIZE_MAX && j->f->range[j->launch[i]].thread == thread;
}

uint32_t framework_launcher(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    if (!j->f->torch)
        return outermost(j, thread, at);
    if (j->n_queued > j->n_put)
        return taken_out(j, at);
    return knows(j, thread) ? framework_op_around(j, thread, at) : around_any(j, at);
}

/* ---- ops of all threads ---- */

static bool by_start(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_range *v = arg;

    return v[a].from < v[b].from;
}

/*
 * One tree, as upstream makes it (doc/formats/framework.md#torch_npu-joins), without those that are never the
 * innermost one: they end before one that began later does.
 */
static int nest_all(struct framework_joins *j, struct err *e)
{
    const struct framework *f = j->f;
    struct nesting open = { .top = FRAMEWORK_NONE };

    if (!f->torch)
        return OK;
    j->around = spool_array(f->pool, f->n_ranges + 1, sizeof *j->around);
    if (!j->around)
        return err_nomem(e);
    if (prof_order(f->pool, &j->all, f->n_ranges, by_start, f->range, e))
        return e->code;
    open.above = j->around;
    for (size_t i = 0; i < f->n_ranges; i++) {
        uint32_t at = j->all[i];
        const struct framework_range *x = &f->range[at];
        if (!takes_part(x) || x->is & RANGE_FRAME)
            continue;
        while (open.top != FRAMEWORK_NONE && f->range[open.top].to <= x->to)
            leave(&open);
        enter(&open, at);
        j->all[j->n_all++] = at;
    }
    return OK;
}

int framework_join(struct framework_joins *j, const struct framework *f, struct err *e)
{
    *j = (struct framework_joins){ .f = f };
    if (prof_order(f->pool, &j->order, f->n_ranges, by_thread, f->range, e) || nest(j, e) ||
        pick_launches(j, e) || nest_all(j, e) || queue(j, e))
        return e->code;
    return OK;
}

void framework_joins_done(struct framework_joins *j)
{
    if (!j->f)
        return;
    spool_free(j->f->pool, j->order);
    spool_free(j->f->pool, j->above);
    spool_free(j->f->pool, j->queued);
    spool_free(j->f->pool, j->by_start);
    spool_free(j->f->pool, j->put);
    spool_free(j->f->pool, j->launch);
    spool_free(j->f->pool, j->taken);
    spool_free(j->f->pool, j->all);
    spool_free(j->f->pool, j->around);
    *j = (struct framework_joins){ .f = NULL };
}
