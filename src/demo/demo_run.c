/* SPDX-License-Identifier: Apache-2.0 */
/* The run as a whole: options with their defaults, groups, speeds, and the schedule of an
 * undisturbed step. */
#include "config.h"

#include "demo/demo_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "demo/demo_speed.h"

/* 2026-03-14 01:12:07 UTC: every synthetic run began then */
#define ORIGIN_NS INT64_C(1773450727000000000)
#define BEGIN_NS  INT64_C(120000000)

#define CREATED_S 20 /* groups were made before time 0 where the run has logs that say so */

enum { SALT_GROUP = 100, SALT_LATE, SALT_LINK, SALT_SPEED, SALT_SKEW };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t demo_hash(const struct demo_run *r, uint32_t what, uint64_t a, uint64_t b, uint64_t c)
{
    return mix(mix(mix(r->o.seed + what * 0x632be59bd9b4e019u) ^ a) ^ (b * 0x2545f4914f6cdd1du) ^
               (c << 40 | c >> 24));
}

int64_t demo_pick(uint64_t hash, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(hash >> 16) % (hi - lo + 1);
}

struct demo_group demo_group_members(const struct demo_run *r, int rank, enum demo_group_kind k)
{
    struct demo_group g;
    if (k == DEMO_GROUP_TENSOR)
        g = (struct demo_group){
            .base = rank - rank % r->tp, .stride = 1, .n = r->tp, .me = rank % r->tp, .label = "tp"
        };
    else
        g = (struct demo_group){
            .base = rank % r->tp, .stride = r->tp, .n = r->o.ranks / r->tp, .me = rank / r->tp, .label = "dp"
        };
    g.node_ranks = r->node_ranks;
    return g;
}

struct demo_group demo_group_of(const struct demo_run *r, int rank, enum demo_group_kind k)
{
    struct demo_group g = demo_group_members(r, rank, k);
    /*
     * names of real ops end in three digits of the hash, the first not 0: made at the next such microsecond
     */
    for (uint64_t us = demo_hash(r, SALT_GROUP, k, (uint64_t)g.base, 0) % 1000000; g.hash % 1000 < 100;
         us++) {
        snprintf(g.id, sizeof g.id, "192.168.0.%d%%eth0_6000%d_%d_1773450%03d%06u",
                 10 + g.base / r->node_ranks, g.base % r->node_ranks, g.base % r->node_ranks,
                 r->o.fault ? 727 - CREATED_S : 727, (unsigned)us);
        g.hash = comm_group_hash(str_of(g.id));
    }
    return g;
}

int64_t demo_skew_ns(const struct demo_run *r, int host)
{
    int64_t ms = r->o.skew_ms;
    return host && ms ? demo_pick(demo_hash(r, SALT_SKEW, (uint64_t)host, 0, 0), -ms, ms) * 1000000 : 0;
}

void demo_stamp(const struct demo_run *r, char buf[16])
{
    time_t s = (time_t)(r->origin_ns / 1000000000 + (int64_t)r->o.zone_min * 60);
    struct tm tm = { 0 };
    gmtime_r(&s, &tm);
    buf[strftime(buf, 16, "%Y%m%d%H%M%S", &tm)] = '\0';
}

char *demo_comm_name(const struct demo_run *r, int rank, const struct demo_comm *c, char *buf, size_t n)
{
    const struct demo_comm_op *op = &r->net->comm[c->op];
    struct demo_group g = demo_group_of(r, rank, op->group);
    snprintf(buf, n, "%s_%u_%llu_1", demo_comm_hcom(c->kind), (unsigned)(g.hash % 1000),
             (unsigned long long)c->seq);
    return buf;
}

/* Permille of a rank's compute time in a step: the late rank, slow steps, the first step. */
int64_t demo_scale(const struct demo_run *r, int rank, uint32_t step)
{
    int64_t s = demo_pick(demo_hash(r, SALT_SPEED, (uint64_t)rank, step, 0), 992, 1008);
    if (rank == r->late_rank)
        s += 28;
    if (step == 0)
        s += 45;
    else if (demo_hash(r, SALT_SPEED, 1u << 20, step, 0) % 29 == 0)
        s += 60;
    return s;
}

/* One transfer of chunk bytes between two ranks. */
int64_t demo_transfer(const struct demo_run *r, int a, int b, uint64_t chunk_b)
{
    bool rdma = a / r->node_ranks != b / r->node_ranks;
    bool slow = (a == r->slow_a && b == r->slow_b) || (a == r->slow_b && b == r->slow_a);
    int lo = a < b ? a : b, hi = a < b ? b : a;
    int64_t speed =
        demo_pick(demo_hash(r, SALT_LINK, (uint64_t)lo, (uint64_t)hi, 0), 970, 1030) * (rdma ? 10 : 18);
    if (slow)
        speed = speed * 2 / 5;
    return (12000 + (int64_t)(chunk_b * 1000 / (uint64_t)speed)) / 20 * 20;
}

uint64_t demo_chunk(const struct demo_comm_op *c, const struct demo_group *g)
{
    return (c->bytes + (uint64_t)g->n - 1) / (uint64_t)g->n / 512 * 512 + 512;
}

int demo_phases(const struct demo_comm_op *c)
{
    return c->kind == DEMO_ALLREDUCE ? 2 : 1;
}

/*
 * Members that a rank exchanges data with: all of its host, and its counterparts on the next and the previous
 * host.
 */
int demo_group_peers(const struct demo_group *g, int *peer)
{
    int me = g->me, n = 0, node = (g->base + me * g->stride) / g->node_ranks, per = g->node_ranks / g->stride;
    for (int i = 0; i < g->n && n < DEMO_NODE_RANKS; i++)
        if (i != me && (g->base + i * g->stride) / g->node_ranks == node)
            peer[n++] = i;
    if (per < 1)
        per = 1;
    if (g->n > per) {
        int next = (me + per) % g->n, prev = (me + g->n - per) % g->n;
        if (next != me && (g->base + next * g->stride) / g->node_ranks != node)
            peer[n++] = next;
        if (prev != me && prev != next && (g->base + prev * g->stride) / g->node_ranks != node)
            peer[n++] = prev;
    }
    if (!n && g->n > 1) /* a small group, cut by the border of two hosts */
        peer[n++] = (me + 1) % g->n;
    return n;
}

int64_t demo_group_transfer(const struct demo_run *r, const struct demo_comm_op *c)
{
    int64_t worst = 0;
    int peer[DEMO_LINKS_MAX];
    for (int rank = 0; rank < r->o.ranks; rank++) {
        struct demo_group g = demo_group_members(r, rank, c->group);
        int n = demo_group_peers(&g, peer);
        for (int j = 0; j < n; j++) {
            int64_t t = demo_transfer(r, rank, g.base + peer[j] * g.stride, demo_chunk(c, &g));
            worst = t > worst ? t : worst;
        }
    }
    return worst * demo_phases(c) + (demo_phases(c) > 1 ? DEMO_MID_NS : 0);
}

int64_t demo_pace(const struct demo_run *r, int rank, uint32_t step)
{
    struct demo_group g = demo_group_members(r, rank, DEMO_GROUP_TENSOR);
    int64_t worst = 0;
    for (int i = 0; i < g.n; i++) {
        int64_t s = demo_scale(r, g.base + i * g.stride, step);
        worst = s > worst ? s : worst;
    }
    return worst;
}

/* When each communication op becomes ready, and the duration of an undisturbed step. */
static int nominal(struct demo_run *r, struct err *e)
{
    struct demo_net *n = r->net;
    int64_t t = 0, line = 0, work = 0;
    uint32_t next = 0;
    int64_t *hold =
        calloc((size_t)n->nop + 1, sizeof *hold); /* earliest start of an op: end of the ops it waits for */
    if (!hold)
        return err_nomem(e);
    for (uint32_t i = n->fp_first; i < n->nop; i++) {
        t = hold[i] > t ? hold[i] : t;
        if (n->op[i].stream == DEMO_STREAM_MAIN) {
            t += n->op[i].dur_ns + DEMO_GAP_NS;
            work += n->op[i].dur_ns + DEMO_GAP_NS;
        }
        for (; next < n->ncomm && n->comm[next].after == i; next++) {
            n->comm[next].ready_ns = t;
            n->comm[next].work_ns = work;
            n->comm[next].transfer_ns = demo_group_transfer(r, &n->comm[next]);
            line = (t > line ? t : line) + n->comm[next].transfer_ns + DEMO_COMM_NS;
            int64_t *h = &hold[n->comm[next].before];
            *h = line > *h ? line : *h;
        }
    }
    n->body_ns = t > line ? t : line;
    n->work_ns = work;
    free(hold);
    return OK;
}

static int tp_of(const struct demo_opts *o)
{
    return o->model == DEMO_TRANSFORMER && o->ranks >= 4 && o->ranks % 2 == 0 ? 2 : 1;
}

/* Timeline events of one step, about: objects per op and per communication were counted in written files. */
static uint64_t step_events(const struct demo_run *r, const struct demo_net *n)
{
    uint64_t ev = (uint64_t)n->nop * (r->o.gen == 2 ? 107 : 37) / 10;
    int peer[DEMO_LINKS_MAX];
    for (uint32_t i = 0; i < n->ncomm; i++) {
        struct demo_group g = demo_group_of(r, 0, n->comm[i].group);
        ev += r->o.gen == 2 ? 12 + 6 * (uint64_t)demo_group_peers(&g, peer) : 3;
    }
    return ev;
}

/* Depth and steps that give about o->size events. */
static int fit_size(struct demo_run *r, uint32_t *depth, struct err *e)
{
    struct demo_opts *o = &r->o;
    struct demo_net *small, *big;
    uint32_t def = demo_net_depth(o->model);
    uint64_t ev_small, ev_big;
    *depth = def;
    if (!o->size)
        return OK;
    if (demo_net_new(&small, o->model, def, o->ranks, r->tp, e))
        return e->code;
    ev_small = step_events(r, small);
    demo_net_free(small);
    if (!o->steps) {
        uint64_t steps = o->size / ev_small + (o->size % ev_small > ev_small / 2);
        if (steps > DEMO_STEPS_MAX)
            return err_set(e, ERR_USAGE, "--size is out of range");
        o->steps = steps < 2 ? 2 : (int)steps;
        if (steps >= 2)
            return OK;
    }
    uint32_t twice = def * 2;
    if (demo_net_new(&big, o->model, twice, o->ranks, r->tp, e))
        return e->code;
    ev_big = step_events(r, big);
    demo_net_free(big);
    uint64_t want = o->size / (uint64_t)o->steps, slope = (ev_big - ev_small) / def,
             base = ev_small - slope * def;
    uint64_t d = want > base + slope ? (want - base) / slope : 1;
    if (d > 4096)
        return err_set(e, ERR_USAGE, "--size=%llu needs more than --steps=%d steps",
                       (unsigned long long)o->size, o->steps);
    *depth = (uint32_t)d;
    return OK;
}

int demo_run_new(struct demo_run **out, const struct demo_opts *o, struct err *e)
{
    uint32_t depth;
    *out = NULL;
    struct demo_run *r = calloc(1, sizeof *r);
    if (!r)
        return err_nomem(e);
    r->o = *o;
    r->o.gen = o->gen ? o->gen : o->raw ? 1 : 2;
    r->o.ranks = o->ranks ? o->ranks : 2;
    r->tp = tp_of(&r->o);
    if (r->o.gen == 1 && !o->fault)
        r->o.zone_min = 480;
    r->node_ranks = o->servers ? r->o.ranks / o->servers : DEMO_NODE_RANKS;
    if (fit_size(r, &depth, e))
        goto fail;
    if (!r->o.steps)
        r->o.steps = 10;
    if (r->o.crash_step > r->o.steps) {
        err_set(e, ERR_USAGE, "--crashed: the run has only %d steps", r->o.steps);
        goto fail;
    }
    if (demo_net_new(&r->net, r->o.model, depth, r->o.ranks, r->tp, e))
        goto fail;
    r->origin_ns = ORIGIN_NS;
    r->begin_ns = BEGIN_NS;
    r->first_step = r->o.gen == 2 ? 11 : 1;
    r->late_rank = r->o.ranks > 1 ? (int)(demo_hash(r, SALT_LATE, 0, 0, 0) % (uint64_t)r->o.ranks) : -1;
    r->slow_a = r->slow_b = -1;
    if (r->o.ranks > 2) {
        /* between a rank and the next of its data parallel group, on the same host where that has both */
        int near = r->o.ranks < r->node_ranks || r->node_ranks <= r->tp ? r->o.ranks : r->node_ranks;
        r->slow_a = (int)(demo_hash(r, SALT_LATE, 1, 0, 0) % (uint64_t)(near - r->tp));
        r->slow_b = r->slow_a + r->tp;
    }
    if (nominal(r, e))
        goto fail;
    *out = r;
    return OK;
fail:
    demo_run_free(r);
    return e->code;
}

void demo_run_free(struct demo_run *r)
{
    if (!r)
        return;
    demo_net_free(r->net);
    free(r);
}
