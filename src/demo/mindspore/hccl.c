/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: hccl_raw, cost and links of communication by step (doc/formats/mindspore1.md#hccl_raw).
 *
 * Times ms, sizes KB of 1000 bytes, bandwidth KB/s. Merging adds lists element by element, bandwidths too, as
 * MindSpore does.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/mindspore/analysed.h"

struct link_sum {
    double ms, kb, kb_s, wait_ms; /* wait_ms: only for RDMA */
};

/* One communication op in one step, or a mean over the steps. */
struct op_sum {
    double cost_ms, wait_ms;
    uint32_t nlink;
    struct {
        int peer;
        bool rdma;
        struct link_sum s;
    } link[DEMO_LINKS_MAX];
};

/* ---- tasks ---- */

#define LEAD_NS 500  /* from the start of the op to the first task of a plane */
#define FLAG_NS 1000 /* of a transfer over the network: the second send, which announces the first */
#define FLAG_B  4

struct plane {
    struct analysed_transfer *v;
    uint32_t n;
    struct analysed_transfer next;
};

static void task(struct plane *p, const char *type, int64_t dur_ns, uint64_t size_b)
{
    struct analysed_transfer *t = &p->next;
    t->task = type;
    t->dur_ns = dur_ns;
    t->has_size = size_b > 0;
    t->size_b = size_b;
    p->v[p->n++] = *t;
    t->start_ns += dur_ns;
}

/* One half of an op: a transfer, then the wait for the other end. */
static void half(struct plane *p, const struct demo_link *l, int i, const char *copy)
{
    bool last = i == 1 || !l->t_ns[1];
    if (l->rdma) {
        task(p, "RDMASend", l->t_ns[i] - FLAG_NS, l->chunk_b);
        task(p, "RDMASend", FLAG_NS, FLAG_B);
    } else {
        task(p, copy, l->t_ns[i], l->chunk_b);
    }
    task(p, "Notify Wait", last ? l->tail_ns : l->mid_ns, 0);
}

uint32_t analysed_transfers(const struct demo_comm *c, struct analysed_transfer v[ANALYSED_TRANSFERS_MAX])
{
    struct plane p = { .v = v };
    for (uint32_t j = 0; j < c->nlink; j++) {
        const struct demo_link *l = &c->link[j];
        p.next = (struct analysed_transfer){ .plane = (int)(c->nlink - j),
                                             .peer = l->peer_rank,
                                             .rdma = l->rdma,
                                             .start_ns = c->start_ns + LEAD_NS };
        task(&p, "Notify Wait", c->wait_ns, 0);
        half(&p, l, 0, l->t_ns[1] ? "Reduce Inline" : "Memcpy");
        if (l->t_ns[1])
            half(&p, l, 1, "Memcpy");
        task(&p, "Notify Record", 20, 0);
    }
    return p.n;
}

/* ---- sums ---- */

static double us(const struct analysed_transfer *t)
{
    return (double)(t->dur_ns / 10) / 100;
}

/* The tasks of one link, from v[*i] on: each link has a plane of its own. */
static struct link_sum link_of(const struct analysed_transfer *v, uint32_t n, uint32_t *i, double *notify_us)
{
    struct link_sum s = { .ms = 0 };
    int plane = v[*i].plane;
    double sum_us = 0, wait_us = 0;
    uint64_t size_b = 0;
    bool sent = false; /* the newest task was a send */
    *notify_us = 0;
    for (; *i < n && v[*i].plane == plane; ++*i) {
        const struct analysed_transfer *t = &v[*i];
        bool waits = !strcmp(t->task, "Notify Wait");
        *notify_us += waits ? us(t) : 0;
        if (t->has_size || (t->rdma && waits && sent))
            sum_us += us(t);
        if (t->rdma && waits && sent)
            wait_us += us(t);
        size_b += t->size_b;
        sent = t->has_size;
    }
    s.ms = sum_us / 1e3;
    s.kb = (double)size_b / 1e3;
    s.kb_s = s.kb / (s.ms / 1e3);
    s.wait_ms = wait_us / 1e3;
    return s;
}

/* The first link is on the main plane, whose cost and wait are those of the op. */
static struct op_sum op_of(const struct demo_comm *c)
{
    struct analysed_transfer v[ANALYSED_TRANSFERS_MAX];
    uint32_t n = analysed_transfers(c, v), at = 0;
    struct op_sum x = { .nlink = c->nlink };
    for (uint32_t i = 0; i < c->nlink; i++) {
        double notify_us;
        x.link[i].peer = c->link[i].peer_rank;
        x.link[i].rdma = c->link[i].rdma;
        x.link[i].s = link_of(v, n, &at, &notify_us);
        if (i)
            continue;
        x.cost_ms = x.link[0].s.ms;
        x.wait_ms = notify_us / 1e3 - x.link[0].s.wait_ms;
    }
    return x;
}

static void merge(struct op_sum *to, const struct op_sum *x)
{
    to->cost_ms += x->cost_ms;
    to->wait_ms += x->wait_ms;
    for (uint32_t i = 0; i < x->nlink; i++) {
        uint32_t j = 0;
        while (j < to->nlink && to->link[j].peer != x->link[i].peer)
            j++;
        if (j == to->nlink) {
            if (j == DEMO_LINKS_MAX)
                continue; /* two groups together have no more links than that */
            to->link[to->nlink++] = x->link[i];
            continue;
        }
        to->link[j].s.ms += x->link[i].s.ms;
        to->link[j].s.kb += x->link[i].s.kb;
        to->link[j].s.kb_s += x->link[i].s.kb_s;
        to->link[j].s.wait_ms += x->link[i].s.wait_ms;
    }
}

/* JSON inside a CSV cell: every quote twice. */
static void put_links(const struct analysed *g, struct emit *o, const struct op_sum *x, double divide)
{
    emit_c(o, '{');
    for (uint32_t i = 0; i < x->nlink; i++) {
        const struct link_sum *s = &x->link[i].s;
        emit_fmt(o, "%s\"\"%d-%d\"\": {\"\"%s\"\": [%r, %r, %r", i ? ", " : "", g->rank, x->link[i].peer,
                 x->link[i].rdma ? "RDMA" : "SDMA", s->ms / divide, s->kb / divide, s->kb_s / divide);
        if (x->link[i].rdma)
            emit_fmt(o, ", %r", s->wait_ms / divide);
        emit_s(o, "]}");
    }
    emit_c(o, '}');
}

/* step NULL: the row of means */
static void put_row(const struct analysed *g, struct emit *o, const char *step, const struct op_sum *op,
                    const struct op_sum *all, double divide)
{
    const struct demo_net *n = g->run->net;
    emit_fmt(o, "%s,%r,%r,\"", step, all->cost_ms / divide, all->wait_ms / divide);
    put_links(g, o, all, divide);
    emit_s(o, "\",\"{");
    for (uint32_t i = 0; i < n->ncomm; i++) {
        emit_s(o, i ? ", \"\"" : "\"\"");
        analysed_put_reduce(o, n, i);
        emit_fmt(o, "\"\": [\"\"%s\"\", %r, %r, ", step, op[i].cost_ms / divide, op[i].wait_ms / divide);
        put_links(g, o, &op[i], divide);
        emit_c(o, ']');
    }
    emit_s(o, "}\"\r\n");
}

static void put_steps(struct analysed *g, struct emit *o, struct op_sum *now, struct op_sum *mean)
{
    const struct demo_step *s = &g->walk.step;
    uint32_t n = g->run->net->ncomm;
    struct op_sum all = { .nlink = 0 }, all_mean = { .nlink = 0 };
    char number[24];
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        all = (struct op_sum){ .nlink = 0 };
        for (uint32_t i = 0; i < n; i++) {
            now[i] = op_of(&s->comm[i]);
            merge(&all, &now[i]);
            merge(&mean[i], &now[i]);
        }
        merge(&all_mean, &all);
        put_row(g, o, emit_number(s->number, number), now, &all, 1);
    }
    put_row(g, o, "-", mean, &all_mean, g->run->o.steps);
}

int analysed_hccl(struct analysed *g, struct err *e)
{
    struct emit *o;
    uint32_t n = g->run->net->ncomm;
    if (!n)
        return OK;
    struct op_sum *ops = calloc((size_t)n * 2, sizeof *ops);
    if (!ops)
        return err_nomem(e);
    if (!analysed_open(g, &o, "hccl_raw_", ".csv", e)) {
        emit_s(o, "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\r\n");
        put_steps(g, o, ops, ops + n);
        free(ops);
        return emit_close(o, &g->count, e);
    }
    free(ops);
    return e->code;
}
