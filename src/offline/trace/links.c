/* SPDX-License-Identifier: Apache-2.0 */
/* Launches joined with kernels (doc/formats/framework.md#kernel-links). */
#include "config.h"

#include "offline/trace/links.h"

#include "base/hash.h"
#include "base/large/sort_index.h"
#include "base/read/json_stream.h"

/* ---- slots ---- */

typedef size_t hash_fn(const void *arg, uint32_t i);

static void slots_put_free(struct slots *s, size_t hash, uint32_t i)
{
    size_t at = hash & (s->cap - 1);

    while (s->v[at])
        at = (at + 1) & (s->cap - 1);
    s->v[at] = i + 1;
    s->n++;
}

/* Room for n elements of which none is in it yet. */
static bool slots_room(struct spool *pool, struct slots *s, size_t n, hash_fn *hash, const void *arg)
{
    struct slots new = { .cap = 1024 };

    if (n * 2 <= s->cap)
        return true;
    while (new.cap < n * 2)
        new.cap *= 2;
    new.v = spool_array(pool, new.cap, sizeof *new.v);
    if (!new.v)
        return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->v[i])
            slots_put_free(&new, hash(arg, s->v[i] - 1), s->v[i] - 1);
    spool_free(pool, s->v);
    *s = new;
    return true;
}

/* msprof's ids count in their upper half. */
static size_t id_hash(uint64_t id)
{
    return prof_hash_near((uint32_t)id ? id : id >> 32);
}

static size_t hash_of_id(const void *arg, uint32_t i)
{
    const struct offline_link *v = arg;

    return id_hash(v[i].id);
}

static size_t place_hash(uint32_t process, uint64_t tid, int64_t ts)
{
    return prof_hash_time((uint64_t)process << 32 ^ tid, ts);
}

static size_t hash_of_kernel(const void *arg, uint32_t i)
{
    const struct offline_link *v = &((const struct offline_link *)arg)[i];

    return place_hash(v->f_process, v->f_tid, v->f_ts);
}

void links_done(struct links *l)
{
    spool_free(l->r->pool, l->by_id.v);
    spool_free(l->r->pool, l->by_kernel.v);
}

/* ---- flows ---- */

/* Flow ids are numbers; other texts get numbers of their own. */
static uint64_t flow_id(struct links *l, struct str s)
{
    uint64_t v;

    if (str_u64(s, &v))
        return v;
    return UINT64_C(1) << 63 | intern_put(l->t->texts, s);
}

static struct offline_link *flow_with(struct links *l, uint64_t id, struct err *e)
{
    struct offline_timeline *t = l->t;

    if (t->n_links == OFFLINE_NONE - 1) {
        err_set(e, ERR_LIMIT, "more than %u flows", OFFLINE_NONE - 1);
        return NULL;
    }
    if (!slots_room(l->r->pool, &l->by_id, t->n_links + 1, hash_of_id, t->link)) {
        err_nomem(e);
        return NULL;
    }
    size_t mask = l->by_id.cap - 1, hash = id_hash(id);
    for (size_t at = hash & mask; l->by_id.v[at]; at = (at + 1) & mask)
        if (t->link[l->by_id.v[at] - 1].id == id)
            return &t->link[l->by_id.v[at] - 1];
    struct offline_link *v = spool_grow(l->r->pool, t->link, t->n_links, &t->cap_links, sizeof *v, 1024);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    t->link = v;
    v[t->n_links] =
        (struct offline_link){ .id = id, .event = OFFLINE_NONE, .range = OFFLINE_NONE, .name = OFFLINE_NONE };
    slots_put_free(&l->by_id, hash, (uint32_t)t->n_links);
    return &v[t->n_links++];
}

int links_add(struct links *l, const struct offline_event *ev, struct err *e)
{
    struct offline_link *x = flow_with(l, flow_id(l, ev->id), e);

    if (!x)
        return e->code;
    if (ev->ph == 's' && !x->s) {
        x->s = true;
        x->s_tid = ev->tid_n;
        x->s_ts = ev->ts_ns;
        x->s_order = l->n_starts++;
    } else if (ev->ph == 'f' && !x->f) {
        struct offline_process *p = (struct offline_process *)offline_process_of(l->t, ev->pid_n);
        x->f = true;
        if (p)
            p->has_kernels = true;
        x->f_process = p ? (uint32_t)(p - l->t->process) : OFFLINE_NONE;
        x->f_tid = ev->tid_n;
        x->f_ts = ev->ts_ns;
        x->f_order = l->n_ends++;
    }
    return OK;
}

/* ---- ranges that launch ---- */

struct launches {
    const struct framework *f;
    uint32_t *v; /* ranges by thread and start */
    size_t n;
};

static bool launch_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct launches *l = arg;
    const struct framework_range *x = &l->f->range[l->v[a]], *y = &l->f->range[l->v[b]];

    return x->thread != y->thread ? x->thread < y->thread : x->from < y->from;
}

static int find_launches(struct launches *l, struct spool *pool, struct err *e)
{
    size_t cap = 0;

    for (size_t i = 0; i < l->f->n_ranges; i++) {
        const struct framework_range *x = &l->f->range[i];
        if (!(x->is & RANGE_LAUNCH) || x->is & RANGE_FLOW || x->from == x->to)
            continue;
        uint32_t *v = spool_grow(pool, l->v, l->n, &cap, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        l->v = v;
        v[l->n++] = (uint32_t)i;
    }
    return prof_sort(pool, l->v, l->n, sizeof *l->v, launch_before, l, e);
}

/* By thread and time of the call; flows without both ends last. */
static bool call_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct offline_link *v = arg, *x = &v[a], *y = &v[b];
    bool whole_x = x->s && x->f, whole_y = y->s && y->f;

    if (whole_x != whole_y)
        return whole_x;
    return x->s_tid != y->s_tid ? x->s_tid < y->s_tid : x->s_ts < y->s_ts;
}

static size_t first_of_thread(const struct launches *l, size_t from, uint64_t thread)
{
    size_t high = l->n;

    while (from < high) {
        size_t mid = from + (high - from) / 2;
        if (l->f->range[l->v[mid]].thread < thread)
            from = mid + 1;
        else
            high = mid;
    }
    return from;
}

/* Of nested launches the outer one, which begins first; both ends count. */
static void match(struct links *l, const struct launches *in, const uint32_t *order)
{
    struct offline_timeline *t = l->t;
    size_t i = 0;

    for (size_t k = 0; k < t->n_links; k++) {
        struct offline_link *x = &t->link[order[k]];
        if (!x->s || !x->f)
            break;
        if (!k || x->s_tid != t->link[order[k - 1]].s_tid)
            i = first_of_thread(in, i, x->s_tid);
        for (; i < in->n; i++) {
            const struct framework_range *range = &in->f->range[in->v[i]];
            if (range->thread != x->s_tid || range->from > x->s_ts)
                break;
            if (x->s_ts <= range->to) {
                x->range = in->v[i];
                break;
            }
        }
    }
}

static int index_kernels(struct links *l, struct err *e)
{
    struct offline_timeline *t = l->t;

    if (!slots_room(l->r->pool, &l->by_kernel, t->n_links + 1, hash_of_kernel, t->link))
        return err_nomem(e);
    for (size_t i = 0; i < t->n_links; i++)
        if (t->link[i].s && t->link[i].f && t->link[i].f_process != OFFLINE_NONE)
            slots_put_free(&l->by_kernel, hash_of_kernel(t->link, (uint32_t)i), (uint32_t)i);
    return OK;
}

int links_match(struct links *l, struct err *e)
{
    struct launches in = { .f = &l->r->f };
    uint32_t *order = NULL;

    if (l->r->f.torch) { /* its own joins find the ops (offline/torch/torch_joins.h) */
        l->t->is_linked = true;
        return index_kernels(l, e);
    }
    if (find_launches(&in, l->r->pool, e) == OK &&
        prof_order(l->r->pool, &order, l->t->n_links, call_before, l->t->link, e) == OK) {
        l->t->is_linked = in.n > 0;
        match(l, &in, order);
        (void)!index_kernels(l, e);
    }
    spool_free(l->r->pool, order);
    spool_free(l->r->pool, in.v);
    return e->code;
}

/* ---- kernels ---- */

static bool ends_there(const struct offline_link *x, uint32_t process, const struct offline_event *ev)
{
    return x->f_process == process && x->f_tid == ev->tid_n && x->f_ts == ev->ts_ns;
}

uint32_t links_at(const struct links *l, const struct offline_event *ev)
{
    const struct offline_process *p = offline_process_of(l->t, ev->pid_n);
    size_t mask = l->by_kernel.cap - 1;

    if (!p || !p->has_kernels)
        return OFFLINE_NONE;
    uint32_t process = (uint32_t)(p - l->t->process);
    for (size_t at = place_hash(process, ev->tid_n, ev->ts_ns) & mask; l->by_kernel.v[at];
         at = (at + 1) & mask)
        if (ends_there(&l->t->link[l->by_kernel.v[at] - 1], process, ev))
            return l->by_kernel.v[at] - 1;
    return OFFLINE_NONE;
}

static double duration(const struct offline_event *ev)
{
    double v;

    return offline_event_us(ev, "dur", &v) && v > -1e15 && v < 1e15 ? v : 0;
}

static bool is_ai_core(const struct offline_event *ev)
{
    struct str val;
    bool is_string;

    return ev->args.p && js_find(ev->args, STR("Task Type"), &val, &is_string) && str_eq(val, STR("AI_CORE"));
}

int links_take_kernel(struct links *l, const struct offline_event *ev, struct err *e)
{
    const struct offline_process *p = offline_process_of(l->t, ev->pid_n);
    size_t mask = l->by_kernel.cap - 1;
    char text[4096];
    double dur = 0;
    bool ai_core = false;
    uint32_t name = OFFLINE_NONE, process = p ? (uint32_t)(p - l->t->process) : OFFLINE_NONE;

    for (size_t at = place_hash(process, ev->tid_n, ev->ts_ns) & mask; p && l->by_kernel.v[at];
         at = (at + 1) & mask) {
        struct offline_link *x = &l->t->link[l->by_kernel.v[at] - 1];
        if (!ends_there(x, process, ev))
            continue;
        if (name == OFFLINE_NONE) {
            dur = duration(ev);
            ai_core = is_ai_core(ev);
            name = intern_put(l->t->texts, offline_event_name(ev, text, sizeof text));
        }
        if (name == INTERN_NONE)
            return err_nomem(e);
        x->event = ev->number;
        x->dur_ns = (int64_t)(dur * 1000); /* without its fraction, as torch_npu takes it */
        x->dur_us = dur;
        x->is_ai_core = ai_core;
        x->name = name;
    }
    return OK;
}

/* ---- order ---- */

struct ordering {
    const struct offline_link *link;
    const uint32_t *v;      /* links */
    const uint32_t *thread; /* by link: when its call's thread came first */
};

static bool start_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct ordering *o = arg;

    return o->link[o->v[a]].s_order < o->link[o->v[b]].s_order;
}

/* By thread in order of its first flow, then by the time of the call, then by flow. */
static bool linked_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct ordering *o = arg;
    const struct offline_link *x = &o->link[o->v[a]], *y = &o->link[o->v[b]];
    uint32_t tx = o->thread[o->v[a]], ty = o->thread[o->v[b]];

    return tx != ty ? tx < ty : x->s_ts < y->s_ts;
}

static bool event_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct ordering *o = arg;

    return o->link[o->v[a]].event < o->link[o->v[b]].event;
}

static int arrange(struct spool *pool, uint32_t *v, size_t n, prof_before_fn *before, struct ordering *o,
                   struct err *e)
{
    o->v = v;
    return prof_sort(pool, v, n, sizeof *v, before, o, e);
}

/* When the thread of each of n links came first, among links in order of their starts. */
static bool number_threads(const struct offline_link *link, const uint32_t *v, size_t n, uint32_t *thread)
{
    struct intern *seen = NULL;
    struct err ignored = ERR_INIT;
    bool ok = intern_new(&seen, &ignored) == OK;

    for (size_t i = 0; ok && i < n; i++) {
        uint64_t tid = link[v[i]].s_tid;
        thread[v[i]] = intern_put(seen, (struct str){ (const char *)&tid, sizeof tid });
        ok = thread[v[i]] != INTERN_NONE;
    }
    intern_free(seen);
    return ok;
}

int links_order(struct links *l, struct err *e)
{
    struct offline_timeline *t = l->t;
    struct spool *pool = l->r->pool;
    struct ordering o = { .link = t->link };
    uint32_t *thread = spool_array(pool, t->n_links + 1, sizeof *thread);

    t->linked = spool_array(pool, t->n_links + 1, sizeof *t->linked);
    t->by_event = spool_array(pool, t->n_links + 1, sizeof *t->by_event);
    if (!thread || !t->linked || !t->by_event)
        err_nomem(e);
    for (size_t i = 0; !e->code && i < t->n_links; i++)
        if (t->link[i].event != OFFLINE_NONE) /* threads count by kernels, also of those without a range */
            t->linked[t->n_linked++] = (uint32_t)i;
    o.thread = thread;
    if (!e->code && arrange(pool, t->linked, t->n_linked, start_before, &o, e) == OK &&
        !number_threads(t->link, t->linked, t->n_linked, thread))
        err_nomem(e);
    size_t n = 0;
    for (size_t i = 0; !e->code && i < t->n_linked; i++)
        if (t->link[t->linked[i]].range != OFFLINE_NONE)
            t->linked[n++] = t->linked[i];
    t->n_linked = n;
    if (!e->code && arrange(pool, t->linked, n, linked_before, &o, e) == OK && n) {
        memcpy(t->by_event, t->linked, n * sizeof *t->linked);
        (void)!arrange(pool, t->by_event, n, event_before, &o, e);
    }
    spool_free(pool, thread);
    return e->code;
}
