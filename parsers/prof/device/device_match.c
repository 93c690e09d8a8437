/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the host's tasks a device's tasks are (doc/formats/msprof.md#device-tasks). */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/device_log.h"

/* ---- host tasks by key ---- */

/* A key within a stream: -1, 0, 1. Tasks of the host lie in this order (struct prof_host). */
static int key_cmp(const struct prof_host_task *h, uint32_t batch, uint32_t task, uint32_t context)
{
    if (h->batch != batch)
        return h->batch < batch ? -1 : 1;
    if (h->task != task)
        return h->task < task ? -1 : 1;
    return h->context < context ? -1 : h->context > context;
}

static bool same_host(const struct prof_host_task *a, const struct prof_host_task *b)
{
    return a->stream == b->stream && key_cmp(a, b->batch, b->task, b->context) == 0;
}

/* The host's tasks of a stream: h->task[from] and so on. */
struct stream {
    size_t from, n, hint;
    uint32_t stream;
};
/* Device tasks whose key does not say which host task they are. */
struct group {
    uint32_t first, task; /* of the host, of the device */
};
/*
 * Host tasks of one device: [from, to) of h->task. Several of one key are a group; find() gives the first of
 * each.
 */
struct match {
    const struct prof *p;
    struct prof_device *d;
    const struct prof_host *h;
    size_t from, to;
    struct stream *stream; /* ascending */
    size_t n_streams, cap_streams, last;
    struct group *group;
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

static int find_streams(struct match *m, struct err *e)
{
    for (size_t i = m->from; i < m->to; i++) {
        uint32_t id = m->h->task[i].stream;
        if (m->n_streams && m->stream[m->n_streams - 1].stream == id) {
            m->stream[m->n_streams - 1].n++;
            continue;
        }
        struct stream *v = grow_array(m->stream, m->n_streams, &m->cap_streams, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        m->stream = v;
        v[m->n_streams++] = (struct stream){ .from = i, .n = 1, .stream = id };
    }
    return OK;
}

struct asked_stream {
    const struct stream *v;
    uint32_t id;
};

static bool stream_before(const void *arg, size_t i)
{
    const struct asked_stream *q = arg;

    return q->v[i].stream < q->id;
}

static struct stream *stream_of(struct match *m, uint32_t id)
{
    const struct asked_stream q = { m->stream, id };

    m->last = prof_gallop(m->n_streams, m->last, stream_before, &q);
    return m->last < m->n_streams && m->stream[m->last].stream == id ? &m->stream[m->last] : NULL;
}

struct asked {
    const struct prof_host_task *v;
    const struct prof_task *t;
};

static bool lies_before(const void *arg, size_t i)
{
    const struct asked *q = arg;

    return key_cmp(&q->v[i], q->t->batch, q->t->task, q->t->context) < 0;
}

/*
 * The first of the host's tasks with the key; PROF_NONE: there is none. Tasks are asked for by time, which is
 * nearly the order of the host's.
 */
static uint32_t find(struct match *m, const struct prof_task *t)
{
    struct stream *s = stream_of(m, t->stream);

    if (!s)
        return PROF_NONE;
    const struct asked q = { m->h->task + s->from, t };
    s->hint = prof_gallop(s->n, s->hint, lies_before, &q);
    if (s->hint == s->n || key_cmp(&q.v[s->hint], t->batch, t->task, t->context))
        return PROF_NONE;
    return (uint32_t)(s->from + s->hint);
}

/* How many host tasks have the key of the i-th. */
static size_t group_size(const struct match *m, size_t i)
{
    size_t n = 1;

    while (i + n < m->to && same_host(&m->h->task[i], &m->h->task[i + n]))
        n++;
    return n;
}

/*
 * Whether all device tasks with the key of a host task are that one: it is the only one of its key and, where
 * ids are used again without a batch, of a static graph; others are matched in pairs.
 */
static bool takes_all(const struct match *m, uint32_t host)
{
    const struct prof_host_task *t = &m->h->task[host];
    bool is_only = host + 1 >= m->to || !same_host(t, t + 1);

    return is_only && (m->p->chip->batches || m->p->chip->v6 || !t->request);
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

/* Whether it is a mark of the profiler, which only the host records (doc/formats/msprof.md#device-tasks). */
static bool is_mark(const struct match *m, size_t host)
{
    return str_eq(prof_str(m->p, m->h->task[host].type), STR("PROFILER_TRACE_EX"));
}

/*
 * n tasks of the device and n_hosts of the host have one key: match them by time, as many as there are of
 * both (on chips with batches n equals n_hosts).
 */
static int match_in_order(struct match *m, const struct group *g, size_t n, size_t n_hosts, struct err *e)
{
    struct stamped *s = calloc(n_hosts, sizeof *s);
    size_t k = 0;

    if (!s)
        return err_nomem(e);
    for (size_t i = 0; i < n_hosts; i++)
        if (n == n_hosts || !is_mark(m, g->first + i))
            s[k++] =
                (struct stamped){ .stamp = m->h->task[g->first + i].stamp, .i = (uint32_t)(g->first + i) };
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
        if (n != n_hosts && m->p->chip->batches)
            m->lost += n;
        else if (match_in_order(m, &m->group[i], n, n_hosts, e))
            return e->code;
    }
    return OK;
}

static int match_host(struct match *m, struct err *e)
{
    if (find_streams(m, e))
        return e->code;
    for (size_t i = 0; i < m->d->n_tasks; i++)
        if (match_one(m, i, e))
            return e->code;
    return match_groups(m, e);
}

int prof_device_match(struct prof_device *d, struct prof *p, const struct prof_host *h, struct err *e)
{
    struct match m = { .p = p, .d = d, .h = h };

    m.from = prof_device_hosts(h, d->f->device);
    m.to = prof_device_hosts(h, d->f->device + 1);
    if (prof_device_outer(d, e) == OK)
        (void)!match_host(&m, e);
    free(m.stream);
    free(m.group);
    if (!e->code && m.lost)
        prof_note(p, d->f, N_PROF_TAGS, NOTE_INCONSISTENT,
                  "%llu tasks have ids that several have: which one of the host's they are is not known",
                  (unsigned long long)m.lost);
    return e->code;
}
