/* Which of the host's tasks a device's tasks are (formats/msprof-raw.md 5.2). */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "prof_device_log.h"
#include "prof_hash.h"

/* Indexes by key, open addressing; what an index stands for is the owner's. */
struct index {
    uint32_t *slot; /* PROF_NONE: free */
    size_t mask;
};

static int index_new(struct index *x, size_t n, struct err *e)
{
    size_t room = 64;

    while (room / 2 < n)
        room *= 2;
    *x = (struct index){ .slot = calloc(room, sizeof *x->slot), .mask = room - 1 };
    if (!x->slot)
        return err_nomem(e);
    for (size_t i = 0; i < room; i++)
        x->slot[i] = PROF_NONE;
    return OK;
}

/* ---- host tasks by key ---- */

static size_t hash_of(uint32_t stream, uint32_t task, uint32_t context, uint32_t batch)
{
    return prof_hash(((uint64_t)stream << 32 | task) ^ ((uint64_t)context << 40) ^
                     ((uint64_t)context >> 24) ^ ((uint64_t)batch << 17));
}

static bool same_host(const struct prof_host_task *a, const struct prof_host_task *b)
{
    return a->stream == b->stream && a->task == b->task && a->context == b->context &&
           a->batch == b->batch;
}

static bool is_it(const struct prof_host_task *h, const struct prof_task *t)
{
    return h->stream == t->stream && h->task == t->task && h->context == t->context &&
           h->batch == t->batch;
}

/* Host tasks of one device: [from, to) of h->task. Several of one key are a group; the index holds the first of each. */
struct group {
    uint32_t first, task; /* of the host, of the device */
};
struct match {
    const struct prof *p;
    struct prof_device *d;
    const struct prof_host *h;
    size_t from, to;
    struct index x;
    struct group *group; /* device tasks whose key does not say which host task they are */
    size_t n_groups, cap_groups;
    uint64_t lost;
};

size_t prof_device_hosts(const struct prof_host *h, int device)
{
    size_t lo = 0, hi = h->n_tasks;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (h->task[mid].device < device)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void put(struct match *m, size_t i)
{
    const struct prof_host_task *t = &m->h->task[i];
    size_t k = hash_of(t->stream, t->task, t->context, t->batch) & m->x.mask;

    while (m->x.slot[k] != PROF_NONE)
        k = (k + 1) & m->x.mask;
    m->x.slot[k] = (uint32_t)i;
}

static uint32_t find(const struct match *m, const struct prof_task *t)
{
    size_t k = hash_of(t->stream, t->task, t->context, t->batch) & m->x.mask;

    while (m->x.slot[k] != PROF_NONE && !is_it(&m->h->task[m->x.slot[k]], t))
        k = (k + 1) & m->x.mask;
    return m->x.slot[k];
}

/* Host tasks of the key of the i-th. */
static size_t group_size(const struct match *m, size_t i)
{
    size_t n = 1;

    while (i + n < m->to && same_host(&m->h->task[i], &m->h->task[i + n]))
        n++;
    return n;
}

/*
 * All device tasks of the key of a host task are that one: the only one of its key, and, where ids come again without a batch,
 * one of a static graph; others go in pairs.
 */
static bool takes_all(const struct match *m, uint32_t host)
{
    const struct prof_host_task *t = &m->h->task[host];
    bool is_only = host + 1 >= m->to || !same_host(t, t + 1);

    return is_only && (prof_has_batches(m->p) || prof_is_v6(m->p) || !t->request);
}

static int match_one(struct match *m, size_t i, struct err *e)
{
    struct prof_task *t = &m->d->task[i];
    uint32_t host = find(m, t);

    t->host = host;
    if (host == PROF_NONE || takes_all(m, host))
        return OK;
    t->host = PROF_NONE;
    struct group *v = grow_array(m->group, m->n_groups, &m->cap_groups, sizeof *v, 16);
    if (!v)
        return err_nomem(e);
    m->group = v;
    v[m->n_groups++] = (struct group){ .first = host, .task = (uint32_t)i };
    return OK;
}

static int by_first(const void *va, const void *vb)
{
    const struct group *a = va, *b = vb;

    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

struct stamped {
    uint64_t stamp;
    uint32_t i;
};

static int by_stamp(const void *va, const void *vb)
{
    const struct stamped *a = va, *b = vb;

    if (a->stamp != b->stamp)
        return a->stamp < b->stamp ? -1 : 1;
    return a->i < b->i ? -1 : a->i > b->i;
}

/* Marks of the profiler that only the host tells of (5.2). */
static bool is_mark(const struct match *m, size_t host)
{
    return str_eq(prof_str(m->p, m->h->task[host].type), STR("PROFILER_TRACE_EX"));
}

/*
 * n tasks of the device and n_hosts of the host have one key: by time. As far as they go: where there are batches
 * there are as many of either.
 */
static int match_in_order(struct match *m, const struct group *g, size_t n, size_t n_hosts,
                          struct err *e)
{
    struct stamped *s = calloc(n_hosts, sizeof *s);
    size_t k = 0;

    if (!s)
        return err_nomem(e);
    for (size_t i = 0; i < n_hosts; i++)
        if (n == n_hosts || !is_mark(m, g->first + i))
            s[k++] = (struct stamped){ .stamp = m->h->task[g->first + i].stamp,
                                       .i = (uint32_t)(g->first + i) };
    qsort(s, k, sizeof *s, by_stamp);
    for (size_t i = 0; i < n && i < k; i++)
        m->d->task[g[i].task].host = s[i].i;
    m->lost += n > k ? n - k : 0;
    free(s);
    return OK;
}

static int match_groups(struct match *m, struct err *e)
{
    if (m->n_groups)
        qsort(m->group, m->n_groups, sizeof *m->group, by_first);
    for (size_t i = 0, n = 0; i < m->n_groups; i += n) {
        for (n = 1; i + n < m->n_groups && m->group[i + n].first == m->group[i].first;)
            n++;
        size_t n_hosts = group_size(m, m->group[i].first);
        if (n != n_hosts && prof_has_batches(m->p))
            m->lost += n;
        else if (match_in_order(m, &m->group[i], n, n_hosts, e))
            return (int)e->code;
    }
    return OK;
}

static int match_host(struct match *m, struct err *e)
{
    if (index_new(&m->x, m->to - m->from, e))
        return (int)e->code;
    for (size_t i = m->from; i < m->to; i += group_size(m, i))
        put(m, i);
    for (size_t i = 0; i < m->d->n_tasks; i++)
        if (match_one(m, i, e))
            return (int)e->code;
    return match_groups(m, e);
}

/* ---- tasks with rows of their sub-tasks ---- */

static bool same_task(const struct prof_task *a, const struct prof_task *b)
{
    return a->stream == b->stream && a->task == b->task && a->batch == b->batch;
}

/* The slot of a sub-task of the task, or the free one where it belongs. */
static uint32_t *sub_slot(const struct index *x, const struct prof_device *d,
                          const struct prof_task *t)
{
    size_t k = hash_of(t->stream, t->task, 0, t->batch) & x->mask;

    while (x->slot[k] != PROF_NONE && !same_task(&d->task[x->slot[k]], t))
        k = (k + 1) & x->mask;
    return &x->slot[k];
}

static int find_outer(struct prof_device *d, struct err *e)
{
    struct index x;
    size_t n = 0;

    for (size_t i = 0; i < d->n_tasks; i++)
        n += d->task[i].source == PROF_BY_FFTS;
    if (!n)
        return OK;
    if (index_new(&x, n, e))
        return (int)e->code;
    for (size_t i = 0; i < d->n_tasks; i++)
        if (d->task[i].source == PROF_BY_FFTS)
            *sub_slot(&x, d, &d->task[i]) = (uint32_t)i;
    for (size_t i = 0; i < d->n_tasks; i++)
        d->task[i].outer =
            d->task[i].source != PROF_BY_FFTS && *sub_slot(&x, d, &d->task[i]) != PROF_NONE;
    free(x.slot);
    return OK;
}

int prof_device_match(struct prof_device *d, struct prof *p, const struct prof_host *h,
                      struct err *e)
{
    struct match m = { .p = p, .d = d, .h = h };

    m.from = prof_device_hosts(h, d->f->device);
    m.to = prof_device_hosts(h, d->f->device + 1);
    if (find_outer(d, e) == OK)
        (void)!match_host(&m, e);
    free(m.x.slot);
    free(m.group);
    if (!e->code && m.lost)
        prof_note(
            p, d->f, N_PROF_TAGS, NOTE_INCONSISTENT,
            "%llu tasks have ids that several have: which one of the host's they are is not known",
            (unsigned long long)m.lost);
    return (int)e->code;
}
