/* SPDX-License-Identifier: Apache-2.0 */
/* Communication that AI CPUs run: which tasks are of which op, on which plane, and how fast they were. */
#include "config.h"

#include <stdlib.h>

#include "base/large/sort_index.h"
#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/words.h"

#define SQE_C_CORE    20 /* what runs on the stream that leads a group */
#define STREAM_GROUPS 64 /* that a stream belongs to */
#define NO_STREAM     UINT64_MAX

/* A stream in a group. */
struct member {
    uint32_t stream, group;
    int32_t plane; /* 0: not numbered yet */
};
/* A task in one of the groups of its stream. */
struct candidate {
    uint32_t member, info, task;
};
struct placing {
    struct prof_kfc_comm *c;
    const struct prof_kfc_from *from;
    const struct prof_task *task; /* of the device */
    const uint8_t *mark;
    const uint32_t *of_info;
    struct member *member; /* by stream, then group */
    struct candidate *v;   /* by group, then end */
    double *rate;          /* of infos */
    size_t n_members, n;
};

/* ---- streams of groups ---- */

static bool member_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct member *v = arg, *x = &v[a], *y = &v[b];

    return x->stream != y->stream ? x->stream < y->stream : x->group < y->group;
}

static int find_members(struct placing *g, struct err *e)
{
    const struct prof_host *h = g->from->h;
    size_t n = 0, in_stream = 0;

    g->member = calloc(h->n_mc2 * PROF_MC2_STREAMS + 1, sizeof *g->member);
    if (!g->member)
        return err_nomem(e);
    for (size_t i = 0; i < h->n_mc2; i++) {
        uint32_t group = prof_group_digits(g->from->p, h->mc2[i].group_hash);
        if (group == PROF_NONE)
            return err_nomem(e);
        for (uint32_t k = 0; k < h->mc2[i].n_streams; k++)
            g->member[n++] = (struct member){ .stream = h->mc2[i].stream[k], .group = group };
    }
    if (prof_sort(NULL, g->member, n, sizeof *g->member, member_before, g->member, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        const struct member *x = &g->member[i], *last = g->n_members ? &g->member[g->n_members - 1] : NULL;
        in_stream = last && last->stream == x->stream ? in_stream : 0;
        if (in_stream && last->group == x->group)
            continue;
        if (in_stream++ < STREAM_GROUPS)
            g->member[g->n_members++] = *x;
        else if (in_stream == STREAM_GROUPS + 1)
            prof_note(g->from->p, g->from->p->host, PROF_MC2_COMM, NOTE_LIMIT,
                      "stream %u is of more than %d groups", (unsigned)x->stream, STREAM_GROUPS);
    }
    return OK;
}

struct sought {
    const struct placing *g;
    uint32_t stream;
};

static bool is_lower(const void *arg, size_t i)
{
    const struct sought *q = arg;

    return q->g->member[i].stream < q->stream;
}

/* ---- candidates ---- */

/* count: without room for them yet. */
static void add(struct placing *g, uint32_t info, uint32_t task, size_t *hint, bool count)
{
    const struct sought q = { g, g->task[task].stream };

    *hint = prof_gallop(g->n_members, *hint, is_lower, &q);
    for (size_t i = *hint; i < g->n_members && g->member[i].stream == q.stream; i++) {
        if (!count)
            g->v[g->n] = (struct candidate){ (uint32_t)i, info, task };
        g->n++;
    }
}

/* Tasks that have an info; at level 0 none has, and all tasks of the streams are taken. */
static void add_all(struct placing *g, bool count)
{
    const struct prof_kfc *k = &g->c->k;
    size_t hint = 0;

    g->n = 0;
    for (size_t i = 0; i < k->n_infos; i++)
        if (g->of_info[i] != PROF_NONE)
            add(g, (uint32_t)i, g->of_info[i], &hint, count);
    for (size_t i = 0; i < g->from->d->n_tasks && !k->n_infos; i++)
        if (!g->task[i].outer)
            add(g, PROF_NONE, (uint32_t)i, &hint, count);
}

static uint32_t group_of(const struct placing *g, const struct candidate *x)
{
    return g->member[x->member].group;
}

static bool candidate_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct placing *g = arg;
    const struct candidate *x = &g->v[a], *y = &g->v[b];
    uint32_t i = group_of(g, x), k = group_of(g, y);

    return i != k ? i < k : g->task[x->task].end < g->task[y->task].end;
}

static int find_candidates(struct placing *g, struct err *e)
{
    add_all(g, true);
    g->v = calloc(g->n + 1, sizeof *g->v);
    g->c->task = calloc(g->n + 1, sizeof *g->c->task);
    if (!g->v || !g->c->task)
        return err_nomem(e);
    add_all(g, false);
    return prof_sort(NULL, g->v, g->n, sizeof *g->v, candidate_before, g, e);
}

/* ---- tasks of ops ---- */

/* While tasks of a group are walked: the stream that leads it, how many of its streams have a plane. */
struct group {
    uint64_t lead; /* NO_STREAM: not known yet */
    int32_t planes;
};

/* The first task of an op may have waited long before: it does not count for when the op ran. */
static bool is_master(const struct placing *g, struct group *now, const struct candidate *x, bool expanded)
{
    const struct prof_task *t = &g->task[x->task];
    bool core = t->source == PROF_BY_ACSQ && t->kind == SQE_C_CORE;

    if (core || g->mark[x->task] & PROF_KFC_FIRST) {
        now->lead = t->stream;
        return !expanded;
    }
    return now->lead == t->stream;
}

/* Plane 0 is the host's where AI CPUs expand its ops. */
static int32_t plane_of(const struct placing *g, struct group *now, const struct candidate *x,
                        const struct prof_kfc_task *t, bool expanded)
{
    struct member *m = &g->member[x->member];

    if (x->info == PROF_NONE)
        return -1;
    if (t->master || g->mark[x->task] & PROF_KFC_FIRST)
        return expanded;
    if (!m->plane)
        m->plane = ++now->planes;
    return m->plane + expanded;
}

static void put_task(struct placing *g, struct group *now, const struct candidate *x, uint32_t run)
{
    struct prof_kfc_comm *c = g->c;
    struct prof_kfc_run *r = &c->run[run];
    struct prof_kfc_task *t = &c->task[c->n_tasks];
    const struct prof_task *d = &g->task[x->task];

    *t = (struct prof_kfc_task){ .info = x->info, .task = x->task, .run = run };
    t->master = is_master(g, now, x, r->expanded);
    t->plane = plane_of(g, now, x, t, r->expanded);
    t->bandwidth = x->info == PROF_NONE ? 0 : g->rate[x->info];
    if (!r->n++)
        r->at = (uint32_t)c->n_tasks;
    c->n_tasks++;
    if (!t->master)
        return;
    r->from = !r->n_master || d->start < r->from ? d->start : r->from;
    r->to = !r->n_master || d->end > r->to ? d->end : r->to;
    r->n_master++;
}

/* Both are in order of groups; a task belongs to the first op that it ended in. */
static void place(struct placing *g)
{
    struct group now = { .lead = NO_STREAM };
    struct prof_kfc_comm *c = g->c;
    size_t i = 0;

    for (uint32_t k = 0; k < c->n_runs; k++) {
        const struct prof_kfc_run *r = &c->run[k];
        if (!k || c->run[k - 1].group != r->group)
            now = (struct group){ .lead = NO_STREAM };
        for (; i < g->n && (group_of(g, &g->v[i]) < r->group ||
                            (group_of(g, &g->v[i]) == r->group && g->task[g->v[i].task].end < r->start));)
            i++;
        while (i < g->n && group_of(g, &g->v[i]) == r->group && g->task[g->v[i].task].end <= r->end)
            put_task(g, &now, &g->v[i++], k);
    }
}

/* ---- bandwidth: of each name on each plane, in order of streams and time ---- */

struct rating {
    const struct placing *g;
    const struct prof_kfc_info *info;
    uint32_t *first; /* for each info: the first one of its stream */
};

static bool stream_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_kfc_info *v = arg;

    return v[a].stream < v[b].stream;
}

static bool rate_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct rating *q = arg;
    const struct prof_kfc_info *x = &q->info[a], *y = &q->info[b];

    if (x->item != y->item)
        return x->item < y->item;
    if (x->plane != y->plane)
        return x->plane < y->plane;
    return q->first[a] != q->first[b] ? q->first[a] < q->first[b] : x->time < y->time;
}

static double own_ns(const struct placing *g, uint32_t info)
{
    const struct prof_task *t = g->of_info[info] == PROF_NONE ? NULL : &g->task[g->of_info[info]];

    return t ? prof_span_ns(g->from->how, g->from->d->f, t->start, t->end) : 0;
}

/* Python's order of operations (hccl_calculator.py). */
static double own_rate(const struct placing *g, uint32_t info)
{
    double ns = own_ns(g, info);

    return ns > 0 ? (double)g->c->k.info[info].size_b * 1e-9 / (ns * 1e-9) : 0;
}

static bool is_payload(const struct rating *q, uint32_t info)
{
    return q->info[info].rdma == PROF_RDMA_PAYLOAD;
}

/* Runs of payload up to the task that closes them; their times are those of issue. */
static void rate_list(const struct rating *q, const uint32_t *v, size_t n)
{
    const struct placing *g = q->g;
    struct str op = n ? prof_str(g->from->p, q->info[v[0]].item) : STR("");
    size_t jump = prof_rdma_closes(op);

    for (size_t i = 0, k; i < n; i = k) {
        double size_b = 0;
        for (k = i; k < n && is_payload(q, v[k]); k++)
            size_b += (double)q->info[v[k]].size_b;
        if (k == i) {
            k++;
            continue;
        }
        if (k + jump - 2 >= n)
            continue;
        uint32_t close = v[k + jump - 2];
        double ms = (own_ns(g, close) +
                     prof_span_ns(g->from->how, g->from->d->f, q->info[v[i]].time, q->info[close].time)) /
                    1e6;
        for (size_t at = i; at < k; at++)
            g->rate[v[at]] = ms > 0 || ms < 0 ? size_b / 1e6 / ms : 0;
        k += jump - 1;
    }
}

static int find_rates(struct placing *g, struct err *e)
{
    const struct prof_kfc *k = &g->c->k;
    struct rating q = { .g = g, .info = k->info };
    uint32_t *order = NULL;

    g->rate = calloc(k->n_infos + 1, sizeof *g->rate);
    q.first = calloc(k->n_infos + 1, sizeof *q.first);
    if (!g->rate || !q.first)
        err_nomem(e);
    else
        (void)!prof_order(NULL, &order, k->n_infos, stream_before, k->info, e);
    for (size_t i = 0; i < k->n_infos && !e->code; i++) {
        bool same = i && k->info[order[i]].stream == k->info[order[i - 1]].stream;
        q.first[order[i]] = same ? q.first[order[i - 1]] : order[i];
        g->rate[i] = own_rate(g, (uint32_t)i);
    }
    free(order);
    order = NULL;
    if (!e->code)
        (void)!prof_order(NULL, &order, k->n_infos, rate_before, &q, e);
    for (size_t i = 0, n; i < k->n_infos && !e->code; i += n) {
        const struct prof_kfc_info *x = &k->info[order[i]];
        for (n = 1; i + n < k->n_infos && k->info[order[i + n]].item == x->item &&
                    k->info[order[i + n]].plane == x->plane;)
            n++;
        rate_list(&q, order + i, n);
    }
    free(order);
    free(q.first);
    return e->code;
}

int prof_kfc_place(struct prof_kfc_comm *c, const struct prof_kfc_from *from, const uint32_t *of_info,
                   const uint8_t *mark, struct err *e)
{
    struct placing g = { .c = c, .from = from, .task = from->d->task, .mark = mark, .of_info = of_info };

    if (find_rates(&g, e) == OK && find_members(&g, e) == OK && find_candidates(&g, e) == OK)
        place(&g);
    free(g.rate);
    free(g.member);
    free(g.v);
    return e->code;
}
