/* SPDX-License-Identifier: Apache-2.0 */
/* Communication that AI CPUs run: its kernels, when they ran, and their names. */
#include "config.h"

#include "parsers/prof/comm/kfc_comm.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"

#define KERNEL_WORD "AicpuKernel"
#define INIT_KERNEL "hcomAicpuInit"
#define NAME_B      1024 /* of a printed name; longer ones are cut */

struct making {
    struct prof_kfc_comm *c;
    const struct prof_kfc_from *from;
    struct prof *p;
    const struct prof_device *d;
    const struct prof_host *h;
    uint32_t *carried; /* for each call: the communication op that it carries out */
    uint32_t *of_edge; /* device task of each edge */
    uint8_t *mark;     /* of each device task */
    uint32_t none;     /* text */
    size_t cap;
};

/* ---- kernels ---- */

static const struct prof_op *op_of(const struct making *m, const struct prof_kfc_run *r)
{
    return &m->h->op[m->h->task[r->host].op];
}

/* As in msprof's query: the name's end in upper or lower case. */
static bool ends_as_kernel(struct str name)
{
    size_t n = sizeof KERNEL_WORD - 1;

    return name.n >= n && str_eq_nocase(str_sub(name, name.n - n, n), STR(KERNEL_WORD));
}

static bool is_kernel(const struct making *m, const struct prof_task *t)
{
    const struct prof_how *how = m->from->how;
    const struct prof_host_task *x = t->host == PROF_NONE ? NULL : &m->h->task[t->host];

    if (!x || x->op == PROF_NONE || (how->from && (t->end <= how->from || t->end > how->to)))
        return false;
    struct str name = prof_str(m->p, m->h->op[x->op].name), type = prof_str(m->p, x->type);
    if (!prof_host_is_server(m->h, t->stream) && !ends_as_kernel(name))
        return false;
    return !str_eq(type, STR("NOTIFY_WAIT")) && !str_eq(type, STR("MEMCPY_ASYNC")) &&
           !str_eq(name, STR(INIT_KERNEL));
}

/* Kernels that are part of an op of the host are no ops of their own. */
static bool is_nameless(const struct making *m, const struct prof_op *op)
{
    struct str core = op->core == PROF_NONE ? STR("") : prof_str(m->p, op->core);

    return str_eq(core, STR("COMMUNICATION")) || str_eq(core, STR("HCCL_AI_CPU"));
}

static int add_kernel(struct making *m, uint32_t at, struct err *e)
{
    struct prof_kfc_comm *c = m->c;
    const struct prof_task *t = &m->d->task[at];
    struct prof_kfc_run *v = grow_array(c->run, c->n_runs, &m->cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    c->run = v;
    v += c->n_runs++;
    *v = (struct prof_kfc_run){ .start = t->start,
                                .end = t->end,
                                .task = at,
                                .host = t->host,
                                .said = PROF_NONE,
                                .comm_op = PROF_NONE,
                                .same = PROF_NONE,
                                .group = m->none,
                                .group_name = m->none,
                                .iter = 1 };
    v->nameless = is_nameless(m, op_of(m, v));
    return OK;
}

static bool stream_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct making *m = arg;

    return m->d->task[m->c->run[a].task].stream < m->d->task[m->c->run[b].task].stream;
}

/* By stream, then by start. */
static int find_kernels(struct making *m, struct err *e)
{
    uint32_t *times = calloc(m->h->n_tasks + 1, sizeof *times);

    if (!times)
        return err_nomem(e);
    for (size_t i = 0; i < m->d->n_tasks && !e->code; i++)
        if (is_kernel(m, &m->d->task[i]) && add_kernel(m, (uint32_t)i, e) == OK) {
            struct prof_kfc_run *r = &m->c->run[m->c->n_runs - 1];
            uint32_t n = ++times[r->host];
            r->iter = r->nameless ? 1 : n;
        }
    free(times);
    return e->code ? e->code
                   : prof_sort(NULL, m->c->run, m->c->n_runs, sizeof *m->c->run, stream_before, m, e);
}

/* ---- ops of the host that kernels carry out ---- */

#define DEPTH 20 /* calls in one another (doc/formats/msprof.md#host-call-tree) */

static bool call_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_api *v = arg, *x = &v[a], *y = &v[b];

    if (x->thread != y->thread)
        return x->thread < y->thread;
    return x->begin != y->begin ? x->begin < y->begin : x->end > y->end;
}

/* The last node call inside that of an op carries it out (tree_analyzer.cpp). child: for each call. */
static void find_children(const struct prof_host *h, const uint32_t *order, uint32_t *child)
{
    uint32_t open[DEPTH];
    size_t n = 0;

    for (size_t i = 0; i < h->n_apis; i++) {
        const struct prof_api *x = &h->api[order[i]];
        child[order[i]] = PROF_NONE;
        if (x->level != PROF_L_NODE)
            continue;
        while (n && (h->api[open[n - 1]].thread != x->thread || h->api[open[n - 1]].end < x->end))
            n--;
        if (n)
            child[open[n - 1]] = order[i];
        if (n < DEPTH)
            open[n++] = order[i];
    }
}

static int find_carried(struct making *m, struct err *e)
{
    const struct prof_host *h = m->h;
    uint32_t *order, *child;

    if (prof_order(NULL, &order, h->n_apis, call_before, h->api, e))
        return e->code;
    child = calloc(h->n_apis + 1, sizeof *child);
    m->carried = calloc(h->n_apis + 1, sizeof *m->carried);
    if (child && m->carried) {
        find_children(h, order, child);
        for (size_t i = 0; i < h->n_apis; i++)
            m->carried[i] = PROF_NONE;
        for (size_t i = 0; i < h->n_comm_ops; i++)
            if (child[h->comm_op[i].api] != PROF_NONE)
                m->carried[child[h->comm_op[i].api]] = (uint32_t)i;
    } else {
        err_nomem(e);
    }
    free(order);
    free(child);
    return e->code;
}

/* ---- what the AI CPU records of a kernel ---- */

static bool was_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_kfc_op *v = arg, *x = &v[a], *y = &v[b];

    return x->stream != y->stream ? x->stream < y->stream : x->time < y->time;
}

static bool edge_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_kfc_edge *v = arg, *x = &v[a], *y = &v[b];

    return x->kernel_stream != y->kernel_stream ? x->kernel_stream < y->kernel_stream : x->time < y->time;
}

/* The walk over the kernels of all streams, and over the records of them in parallel. */
struct saying {
    uint32_t *said, *edge, *mc2; /* in order */
    size_t at_stated, at_edge, at_mc2;
};

static int set_group(const struct making *m, struct prof_kfc_run *r, uint64_t hash, struct err *e)
{
    r->group = prof_group_digits(m->p, hash);
    r->group_name = prof_hash_text(m->p, hash);
    return r->group == PROF_NONE || r->group_name == PROF_NONE ? err_nomem(e) : OK;
}

static bool server_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_mc2 *v = arg;

    return v[a].server < v[b].server;
}

/* The group of its stream; the last record counts. */
static int set_server_group(const struct making *m, struct saying *s, struct prof_kfc_run *r, struct err *e)
{
    const struct prof_mc2 *v = m->h->mc2;
    uint32_t stream = m->d->task[r->task].stream;

    while (s->at_mc2 < m->h->n_mc2 && v[s->mc2[s->at_mc2]].server <= stream)
        s->at_mc2++;
    const struct prof_mc2 *x = s->at_mc2 ? &v[s->mc2[s->at_mc2 - 1]] : NULL;
    return x && x->server == stream ? set_group(m, r, x->group_hash, e) : OK;
}

/* Its op and its edges are those that were recorded while it ran. */
static int take_records(const struct making *m, struct saying *s, struct prof_kfc_run *r, struct err *e)
{
    const struct prof_kfc *k = &m->c->k;
    uint32_t stream = m->d->task[r->task].stream;
    size_t *at = &s->at_stated;

    while (*at < k->n_ops && k->op[s->said[*at]].stream < stream)
        ++*at;
    r->expanded = !r->nameless && ((*at < k->n_ops && k->op[s->said[*at]].stream == stream) ||
                                   (*at && k->op[s->said[*at - 1]].stream == stream));
    while (*at < k->n_ops && k->op[s->said[*at]].stream == stream && k->op[s->said[*at]].time < r->start)
        ++*at;
    const struct prof_kfc_op *x = *at < k->n_ops ? &k->op[s->said[*at]] : NULL;
    if (!x || x->stream != stream || x->time > r->end)
        return OK;
    uint32_t said = s->said[(*at)++];
    if (r->nameless)
        return OK;
    r->said = said;
    return set_group(m, r, x->group_hash, e);
}

static void take_edges(const struct making *m, struct saying *s, struct prof_kfc_run *r)
{
    const struct prof_kfc *k = &m->c->k;
    uint32_t stream = m->d->task[r->task].stream;
    uint64_t from = r->start, to = r->end;

    for (; s->at_edge < k->n_edges; s->at_edge++) {
        const struct prof_kfc_edge *x = &k->edge[s->edge[s->at_edge]];
        uint32_t task = m->of_edge[s->edge[s->at_edge]];
        if (x->kernel_stream > stream || (x->kernel_stream == stream && x->time > to))
            return;
        if (x->kernel_stream < stream || x->time < from || task == PROF_NONE || r->nameless ||
            (k->n_infos && !(m->mark[task] & PROF_KFC_TOLD)))
            continue;
        if (!x->last)
            r->start = m->d->task[task].start;
        r->end = m->d->task[task].end;
    }
}

static int say(struct making *m, struct err *e)
{
    const struct prof_kfc *k = &m->c->k;
    struct saying s = { .at_stated = 0 };

    if (prof_order(NULL, &s.said, k->n_ops, was_before, k->op, e) == OK &&
        prof_order(NULL, &s.edge, k->n_edges, edge_before, k->edge, e) == OK)
        (void)!prof_order(NULL, &s.mc2, m->h->n_mc2, server_before, m->h->mc2, e);
    for (size_t i = 0; i < m->c->n_runs && !e->code; i++) {
        struct prof_kfc_run *r = &m->c->run[i];
        uint64_t start = r->start, end = r->end;
        if (set_server_group(m, &s, r, e) || take_records(m, &s, r, e))
            break;
        take_edges(m, &s, r);
        if (r->end < r->start) { /* edges that contradict each other */
            r->start = start;
            r->end = end;
        }
        uint32_t api = m->h->task[r->host].api;
        if (r->expanded && api != PROF_NONE)
            r->comm_op = m->carried[api];
    }
    free(s.said);
    free(s.edge);
    free(s.mc2);
    return e->code;
}

/* ---- names ---- */

static struct str plain_name(const struct making *m, const struct prof_kfc_run *r)
{
    if (r->nameless)
        return STR("N/A");
    return prof_str(m->p, r->comm_op == PROF_NONE ? op_of(m, r)->name : m->h->comm_op[r->comm_op].name);
}

static bool is_kernel_name(const struct making *m, const struct prof_kfc_run *r)
{
    return str_find(plain_name(m, r), STR(KERNEL_WORD), 0) != SIZE_MAX;
}

/* Ops are counted on their stream, in each group; those that are named as kernels are counted apart. */
static int count_cmp(const struct making *m, const struct prof_kfc_run *x, const struct prof_kfc_run *y)
{
    uint32_t a = m->d->task[x->task].stream, b = m->d->task[y->task].stream;
    bool i = is_kernel_name(m, x), k = is_kernel_name(m, y);

    if (a != b)
        return a < b ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return i - k;
}

static bool count_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct making *m = arg;

    return count_cmp(m, &m->c->run[a], &m->c->run[b]) < 0;
}

static int set_name(const struct making *m, struct prof_kfc_run *r, struct err *e)
{
    struct str op = plain_name(m, r), group = prof_str(m->p, r->group);
    struct str end = str_sub(group, group.n > 3 ? group.n - 3 : 0, SIZE_MAX);
    char t[NAME_B];
    int room = (int)sizeof t - 64;
    int n = snprintf(t, sizeof t, "%.*s_%.*s_%d_%u", op.n < (size_t)room ? (int)op.n : room, op.n ? op.p : "",
                     (int)end.n, end.n ? end.p : "", r->index, r->iter);

    r->name = prof_text(m->p, (struct str){ t, (size_t)n });
    return r->name == PROF_NONE ? err_nomem(e) : OK;
}

static int number(struct making *m, struct err *e)
{
    struct prof_kfc_comm *c = m->c;
    uint32_t *order = NULL;
    uint64_t last = 0;
    int32_t index = -1;

    if (prof_order(NULL, &order, c->n_runs, count_before, m, e))
        return e->code;
    for (size_t i = 0; i < c->n_runs && !e->code; i++) {
        struct prof_kfc_run *r = &c->run[order[i]];
        uint64_t stamp = r->nameless ? 0 : m->h->task[r->host].stamp;
        if (!i || count_cmp(m, &c->run[order[i - 1]], r)) {
            last = 0;
            index = -1;
        }
        if (prof_device_ns(m->d->f, r->start) > prof_begin_ns(m->d->f) && stamp > last) {
            last = stamp;
            index++;
        }
        r->index = index;
        (void)!set_name(m, r, e);
    }
    free(order);
    return e->code;
}

/* ---- executions of the host's ops ---- */

static bool name_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_comm *c = arg;

    return c->run[a].name < c->run[b].name;
}

struct named {
    const struct prof_comm *c;
    const uint32_t *order;
    uint32_t name;
};

static bool is_lower(const void *arg, size_t i)
{
    const struct named *q = arg;

    return q->c->run[q->order[i]].name < q->name;
}

static int find_same(struct making *m, struct err *e)
{
    struct prof_comm *comm = m->from->comm;
    uint32_t *order;

    if (prof_order(NULL, &order, comm->n_runs, name_before, comm, e))
        return e->code;
    for (size_t i = 0; i < m->c->n_runs; i++) {
        struct prof_kfc_run *r = &m->c->run[i];
        const struct named q = { comm, order, r->name };
        size_t at = prof_gallop(comm->n_runs, 0, is_lower, &q);
        struct prof_comm_run *x = at < comm->n_runs ? &comm->run[order[at]] : NULL;
        if (!r->expanded || !x || x->name != r->name || x->group != r->group)
            continue;
        r->same = order[at];
        if (x->kfc == PROF_NONE)
            x->kfc = (uint32_t)i;
    }
    free(order);
    return OK;
}

/* ---- the whole ---- */

static bool group_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_kfc_comm *c = arg;
    const struct prof_kfc_run *x = &c->run[a], *y = &c->run[b];

    return x->group != y->group ? x->group < y->group : x->start < y->start;
}

static int make_marks(struct making *m, const uint32_t *of_info, struct err *e)
{
    const struct prof_kfc *k = &m->c->k;

    m->mark = calloc(m->d->n_tasks + 1, sizeof *m->mark);
    if (!m->mark)
        return err_nomem(e);
    for (size_t i = 0; i < k->n_infos; i++)
        if (of_info[i] != PROF_NONE)
            m->mark[of_info[i]] |= PROF_KFC_TOLD;
    for (size_t i = 0; i < k->n_edges; i++)
        if (m->of_edge[i] != PROF_NONE && !k->edge[i].last)
            m->mark[m->of_edge[i]] |= PROF_KFC_FIRST;
    return OK;
}

static int make(struct making *m, struct err *e)
{
    struct prof_kfc_comm *c = m->c;
    uint32_t *of_info = NULL;

    if (find_kernels(m, e) == OK && find_carried(m, e) == OK &&
        prof_kfc_tasks(&c->k, m->d, &of_info, e) == OK &&
        prof_kfc_edge_tasks(&c->k, m->d, &m->of_edge, e) == OK && make_marks(m, of_info, e) == OK &&
        say(m, e) == OK && number(m, e) == OK &&
        prof_sort(NULL, c->run, c->n_runs, sizeof *c->run, group_before, c, e) == OK && find_same(m, e) == OK)
        (void)!prof_kfc_place(c, m->from, of_info, m->mark, e);
    free(of_info);
    free(m->of_edge);
    free(m->mark);
    free(m->carried);
    return e->code;
}

int prof_kfc_comm_make(struct prof_kfc_comm **out, const struct prof_kfc_from *from, struct err *e)
{
    struct making m = { .from = from, .p = from->p, .d = from->d, .h = from->h };

    *out = NULL;
    if (!from->h->n_mc2)
        return OK;
    m.c = *out = calloc(1, sizeof **out);
    m.none = prof_text(from->p, STR("N/A"));
    if (!m.c || m.none == PROF_NONE)
        return err_nomem(e);
    if (prof_kfc_read(&m.c->k, from->p, from->d->f, from->h->expanded, e))
        return e->code;
    return make(&m, e);
}

void prof_kfc_comm_free(struct prof_kfc_comm *c)
{
    if (!c)
        return;
    prof_kfc_done(&c->k);
    free(c->run);
    free(c->task);
    free(c);
}

struct prof_comm_flags prof_comm_flags(const struct prof_comm *c, const struct prof_host *h,
                                       const struct prof_comm_run *r)
{
    const struct prof_comm_op *op = &h->comm_op[r->op];

    if (r->kfc == PROF_NONE)
        return op->has_info ? (struct prof_comm_flags){ op->relay, op->retry }
                            : (struct prof_comm_flags){ -1, -1 };
    const struct prof_kfc_run *x = &c->kfc->run[r->kfc];
    if (x->said == PROF_NONE)
        return (struct prof_comm_flags){ -1, -1 };
    return (struct prof_comm_flags){ c->kfc->k.op[x->said].relay, c->kfc->k.op[x->said].retry };
}
