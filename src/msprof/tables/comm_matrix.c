/* SPDX-License-Identifier: Apache-2.0 */
/* communication_matrix.json (doc/formats/msprof.md#communicationjson): what each op moved between ranks. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "msprof/comm_walk.h"
#include "parsers/prof/words.h"

#define NO_RANK UINT32_MAX

static int two_cmp(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

struct link {
    uint32_t op, plane;       /* number of the op's key, by first appearance */
    uint32_t local, remote;   /* ranks */
    uint32_t transport, rdma; /* transport: code, of transports if rdma is 1, else of links */
    uint64_t rank, seq;       /* rank: of its plane in the op */
    double mb, ms;
};
/* A plane of an op and the position of its first task. */
struct plane {
    uint32_t op, plane;
    uint64_t seq;
};
struct links {
    struct link *v;
    size_t n, cap;
    uint32_t op;
    uint32_t *key; /* by op: text */
    size_t n_ops, key_cap;
    struct plane *plane;
    size_t n_planes, plane_cap;
    uint64_t met; /* number of tasks so far */
};

static int add_link(void *arg, const struct prof_comm_info *x, double mb, double ms, bool rdma, struct err *e)
{
    struct links *l = arg;

    if (x->local_rank == NO_RANK)
        return OK;
    struct link *v = grow_array(l->v, l->n, &l->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    l->v = v;
    v[l->n] = (struct link){ .op = l->op,
                             .plane = x->plane,
                             .local = x->local_rank,
                             .remote = x->remote_rank == NO_RANK ? x->local_rank : x->remote_rank,
                             .transport = rdma ? x->transport : x->link,
                             .rdma = rdma,
                             .seq = l->n,
                             .mb = mb,
                             .ms = ms };
    l->n++;
    return OK;
}

/* Adds the planes of one execution of an op, each with its first task. */
static int add_planes(struct links *l, const struct msprof_comm_walk *g, struct err *e)
{
    for (size_t i = 0; i < g->n; i++) {
        if (i && g->seen[i].plane == g->seen[i - 1].plane)
            continue;
        struct plane *v = grow_array(l->plane, l->n_planes, &l->plane_cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        l->plane = v;
        v[l->n_planes++] = (struct plane){ l->op, g->seen[i].plane, l->met + g->seen[i].order };
    }
    return OK;
}

static int op_plane_cmp(const void *a, const void *b)
{
    const struct plane *x = a, *y = b;
    int c = two_cmp(x->op, y->op);

    c = c ? c : two_cmp(x->plane, y->plane);
    return c ? c : two_cmp(x->seq, y->seq);
}
static int find_plane_cmp(const void *a, const void *b)
{
    const struct plane *x = a, *y = b;
    int c = two_cmp(x->op, y->op);

    return c ? c : two_cmp(x->plane, y->plane);
}
static int same_cmp(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    int c = two_cmp(x->op, y->op);

    c = c ? c : two_cmp(x->local, y->local);
    c = c ? c : two_cmp(x->remote, y->remote);
    c = c ? c : two_cmp(x->rank, y->rank);
    return c ? c : two_cmp(x->seq, y->seq);
}
static int first_cmp(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    int c = two_cmp(x->op, y->op);

    c = c ? c : two_cmp(x->rank, y->rank);
    return c ? c : two_cmp(x->seq, y->seq);
}

/* Planes of an op are in order of their first tasks, on any device. */
static void rank_planes(struct links *l)
{
    size_t n = 0;

    if (!l->n_planes)
        return;
    qsort(l->plane, l->n_planes, sizeof *l->plane, op_plane_cmp);
    for (size_t i = 0; i < l->n_planes; i++)
        if (!n || find_plane_cmp(&l->plane[n - 1], &l->plane[i]))
            l->plane[n++] = l->plane[i];
    l->n_planes = n;
    for (size_t i = 0; i < l->n; i++) {
        const struct plane key = { .op = l->v[i].op, .plane = l->v[i].plane };
        const struct plane *p = bsearch(&key, l->plane, l->n_planes, sizeof *l->plane, find_plane_cmp);
        l->v[i].rank = p ? p->seq : 0;
    }
}

/* One element for each link of an op, by first appearance; the transport is that of its last task. */
static void combine(struct links *l)
{
    size_t n = 0;

    if (!l->n)
        return;
    qsort(l->v, l->n, sizeof *l->v, same_cmp);
    for (size_t i = 0; i < l->n; i++) {
        struct link *last = n ? &l->v[n - 1] : NULL, x = l->v[i];
        if (last && last->op == x.op && last->local == x.local && last->remote == x.remote) {
            last->mb += x.mb;
            last->ms += x.ms;
            last->transport = x.transport;
            last->rdma = x.rdma;
        } else {
            l->v[n++] = x;
        }
    }
    l->n = n;
    qsort(l->v, l->n, sizeof *l->v, first_cmp);
}

static const char *way_of(const struct link *x)
{
    const char *word = prof_word(x->rdma ? prof_transports : prof_links, x->transport);

    if (!x->rdma && x->transport == PROF_LINK_ON_CHIP)
        return "LOCAL";
    if (!x->rdma && x->transport == PROF_LINK_HCCS_SW)
        return "HCCS";
    return word ? word : "INVALID_TYPE";
}

static void put_links(struct emit *o, struct str name, const struct link *v, size_t n, bool first)
{
    emit_s(o, first ? "" : ", ");
    msprof_put_member(o, name);
    emit_c(o, '{');
    for (size_t i = 0; i < n; i++) {
        struct msprof_num mb = { v[i].mb, true }, ms = { v[i].ms, true }, rate = { 0, false };
        msprof_num_ratio(&rate, v[i].mb, v[i].ms);
        emit_fmt(o, "%s\"%u-%u\": {\"Transport Type\": \"%s\"", i ? ", " : "", v[i].local, v[i].remote,
                 way_of(&v[i]));
        msprof_put_num(o, "Transit Size(MB)", mb, false);
        msprof_put_num(o, "Transit Time(ms)", ms, false);
        msprof_put_num(o, "Bandwidth(GB/s)", rate, false);
        emit_c(o, '}');
    }
    emit_c(o, '}');
}

/* Number of an op's key: the same op has it on every device. ops: by text, + 1. */
static int number_op(struct links *l, uint32_t key, uint32_t **ops, size_t *room, struct err *e)
{
    if (key == PROF_NONE)
        return err_nomem(e);
    while (key >= *room) {
        size_t had = *room;
        uint32_t *v = grow_array(*ops, key, room, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        *ops = v;
        for (size_t i = had; i < *room; i++)
            v[i] = 0;
    }
    if (!(*ops)[key]) {
        uint32_t *v = grow_array(l->key, l->n_ops, &l->key_cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        l->key = v;
        v[l->n_ops++] = key;
        (*ops)[key] = (uint32_t)l->n_ops;
    }
    l->op = (*ops)[key] - 1;
    return OK;
}

/* Starts with the highest device. */
static int read_links(struct msprof_run *r, struct links *l, struct err *e)
{
    uint32_t *ops = NULL;
    size_t room = 0;

    for (size_t i = r->m.n_dev; i-- > 0 && !e->code;) {
        struct msprof_comm_walk g;
        (void)!msprof_comm_walk_new(&g, r, i, e);
        for (size_t k = 0; k < g.c->n_runs && !e->code; k++)
            if (g.c->run[k].info != PROF_NONE &&
                number_op(l, msprof_comm_key(r, &g.c->run[k]), &ops, &room, e) == OK &&
                msprof_comm_walk_run(&g, &g.c->run[k], e) == OK && add_planes(l, &g, e) == OK)
                if (msprof_comm_each_plane(&g, add_link, l, e) == OK)
                    l->met += g.n;
        msprof_comm_walk_done(&g);
    }
    free(ops);
    return e->code;
}

static void put_matrix(struct emit *o, struct msprof_run *r, struct links *l)
{
    size_t at = 0;

    rank_planes(l);
    combine(l);
    emit_c(o, '{');
    for (size_t i = 0; i < l->n_ops; i++) {
        size_t n = 0;
        while (at + n < l->n && l->v[at + n].op == i)
            n++;
        /* an op may have no links; there may be none at all */
        put_links(o, prof_str(r->m.p, l->key[i]), n ? l->v + at : NULL, n, !i);
        at += n;
    }
    for (size_t i = 0; i < l->n; i++) {
        l->v[i].op = 0;
        l->v[i].rank = 0;
        l->v[i].seq = i;
    }
    combine(l);
    put_links(o, STR(MSPROF_COMM_TOTAL), l->v, l->n, false);
    emit_c(o, '}');
}

int msprof_comm_matrix(struct msprof_run *r, struct err *e)
{
    struct links l = { .v = NULL };
    struct emit *o = NULL;

    if (!msprof_comm_is_left(r) && read_links(r, &l, e) == OK && l.n_ops &&
        msprof_comm_file(r, &o, -1, "communication_matrix.json", e) == OK)
        put_matrix(o, r, &l);
    else if (!e->code)
        msprof_comm_none(r, "communication_matrix.json");
    (void)!msprof_close(r, o, e);
    free(l.v);
    free(l.key);
    free(l.plane);
    return e->code;
}
