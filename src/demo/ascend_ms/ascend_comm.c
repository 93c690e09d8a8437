/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x and torch_npu: communication.json and communication_matrix.json
 * (doc/formats/analysed.md#communication, #communication_matrix; doc/formats/framework.md#communication,
 * #torch_npu-communication).
 *
 * Times are ms, sizes MB of 10^6 bytes, both doubles as upstream computes them: sums in file order, so that
 * the last digits are alike.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_num.h"

#define LARGE_MB      32 /* a packet that counts as large */
#define LARGE_RDMA_MB 0.5

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}
static double mb(uint64_t bytes)
{
    return (double)bytes / 1e6;
}

static void put_ratio(struct emit *o, const char *key, double part, double all)
{
    emit_fmt(o, ", \"%s\": ", key);
    if (all < 1e-15)
        emit_s(o, "0");
    else
        emit_dec(o, demo_round(part / all, 4), 4);
}

/* What one transport of one op, or of all ops, moved. */
struct moved {
    double mb, ms;
    uint64_t count;
};
enum { RDMA, HCCS, PCIE, SDMA, SIO, TRANSPORTS };
static const char *const TRANSPORT[] = { "RDMA", "HCCS", "PCIE", "SDMA", "SIO" };

#define SIZES_MAX 64 /* distinct packet sizes of a step */

struct times {
    double elapse, transit, wait, sync, idle;
};

struct op_total {
    struct times t;
    struct moved m[TRANSPORTS];
    struct {
        double mb;
        struct moved m;
        int transport;
    } size[SIZES_MAX];
    int nsize;
};

static struct times times_of(const struct demo_comm *c)
{
    const struct demo_link *l = &c->link[0];
    struct times t = { .elapse = ms(c->dur_ns),
                       .transit = ms(l->t_ns[0]) + ms(l->t_ns[1]),
                       .wait = ms(c->wait_ns) + ms(l->mid_ns) + ms(l->tail_ns), /* none within a transfer */
                       .sync = ms(c->wait_ns) };
    t.idle = t.elapse - t.transit - t.wait;
    return t;
}

static void moved_of(const struct demo_comm *c, struct moved m[TRANSPORTS])
{
    for (int i = 0; i < TRANSPORTS; i++)
        m[i] = (struct moved){ 0 };
    for (uint32_t i = 0; i < c->nlink; i++) {
        const struct demo_link *l = &c->link[i];
        for (int p = 0; p < 2 && l->t_ns[p]; p++) {
            struct moved *x = &m[l->rdma ? RDMA : HCCS];
            x->mb += mb(l->chunk_b);
            x->ms += ms(l->t_ns[p]);
            x->count++;
        }
    }
    m[SDMA] = m[HCCS];
}

static void put_times(struct emit *o, const struct times *t)
{
    emit_fmt(o,
             "\"Elapse Time(ms)\": %r, \"Transit Time(ms)\": %r, \"Wait Time(ms)\": %r, "
             "\"Synchronization Time(ms)\": %r, ",
             t->elapse, t->transit, t->wait, t->sync);
    emit_fmt(o, "\"Idle Time(ms)\": %r", t->idle);
    put_ratio(o, "Wait Time Ratio", t->wait, t->wait + t->transit);
    put_ratio(o, "Synchronization Time Ratio", t->sync, t->sync + t->transit);
}

static void put_bandwidth(struct emit *o, const struct moved m[TRANSPORTS], double packet_mb)
{
    for (int i = 0; i < TRANSPORTS; i++) {
        emit_fmt(o, "%s\"%s\": {", i ? ", " : "", TRANSPORT[i]);
        if (m[i].count) {
            emit_fmt(o, "\"Transit Size(MB)\": %r, \"Transit Time(ms)\": %r, \"Bandwidth(GB/s)\": ", m[i].mb,
                     m[i].ms);
            emit_dec(o, demo_round(m[i].mb / m[i].ms, 4), 4);
            emit_fmt(o, ", \"Large Packet Ratio\": %s, \"Size Distribution\": {",
                     i == SDMA                                            ? "0"
                     : packet_mb > (i == RDMA ? LARGE_RDMA_MB : LARGE_MB) ? "1.0"
                                                                          : "0.0");
            if (i != SDMA)
                emit_fmt(o, "\"%r\": [%U, %r]", packet_mb, m[i].count, m[i].ms);
            emit_s(o, "}}");
        } else {
            emit_s(o, "\"Transit Size(MB)\": 0, \"Transit Time(ms)\": 0, \"Bandwidth(GB/s)\": "
                      "0, \"Large Packet Ratio\": 0, "
                      "\"Size Distribution\": {}}");
        }
    }
}

static void add_total(struct op_total *s, const struct times *t, const struct moved m[TRANSPORTS],
                      double packet_mb)
{
    s->t.elapse += t->elapse;
    s->t.transit += t->transit;
    s->t.wait += t->wait;
    s->t.sync += t->sync;
    s->t.idle += t->idle;
    for (int i = 0; i < TRANSPORTS; i++) {
        s->m[i].mb += m[i].mb;
        s->m[i].ms += m[i].ms;
        s->m[i].count += m[i].count;
        if (!m[i].count || i == SDMA)
            continue;
        int j = 0;
        while (j < s->nsize && (s->size[j].transport != i || s->size[j].mb != packet_mb))
            j++;
        if (j == SIZES_MAX)
            continue;
        if (j == s->nsize) {
            s->size[j].mb = packet_mb;
            s->size[j].transport = i;
            s->size[j].m = (struct moved){ 0 };
            s->nsize++;
        }
        s->size[j].m.count += m[i].count;
        s->size[j].m.ms += m[i].ms;
    }
}

static void put_total(struct emit *o, const struct op_total *s)
{
    emit_s(o, "\"Total Op Info\": {\"Communication Time Info\": {");
    put_times(o, &s->t);
    emit_s(o, "}, \"Communication Bandwidth Info\": {");
    for (int i = 0; i < TRANSPORTS; i++) {
        emit_fmt(o, "%s\"%s\": {\"Transit Time(ms)\": ", i ? ", " : "", TRANSPORT[i]);
        if (s->m[i].count)
            emit_fmt(o, "%r, \"Transit Size(MB)\": %r, \"Size Distribution\": {", s->m[i].ms, s->m[i].mb);
        else
            emit_s(o, "0, \"Transit Size(MB)\": 0, \"Size Distribution\": {");
        bool any = false;
        for (int j = 0; j < s->nsize; j++)
            if (s->size[j].transport == i) {
                emit_fmt(o, "%s\"%r\": [%U, %r]", any ? ", " : "", s->size[j].mb, s->size[j].m.count,
                         s->size[j].m.ms);
                any = true;
            }
        emit_s(o, "}}");
    }
    emit_s(o, "}}");
}

static void comm_step(struct ascend *g, struct emit *o, struct op_total *sum)
{
    const struct demo_step *s = &g->walk.step;
    *sum = (struct op_total){ .nsize = 0 };
    emit_fmt(o, "%s\"step%u\": {\"p2p\": {}, \"collective\": {", s->index ? ", " : "", s->number);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        struct demo_group grp = demo_group_of(g->run, g->rank, g->run->net->comm[c->op].group);
        struct times t = times_of(c);
        struct moved m[TRANSPORTS];
        char name[64];
        moved_of(c, m);
        emit_fmt(o, "\"%s@%U\": {\"Communication Time Info\": {\"Start Timestamp(us)\": %r, ",
                 demo_comm_name(g->run, g->rank, c, name, sizeof name), grp.hash,
                 demo_us(ascend_abs(g, c->start_ns)));
        put_times(o, &t);
        emit_s(o, "}, \"Communication Bandwidth Info\": {");
        put_bandwidth(o, m, mb(c->link[0].chunk_b));
        emit_s(o, "}}, ");
        add_total(sum, &t, m, mb(c->link[0].chunk_b));
    }
    put_total(o, sum);
    emit_s(o, "}}");
}

static int communication(struct ascend *g, struct err *e)
{
    struct emit *o;
    struct op_total *sum = malloc(sizeof *sum);
    if (!sum)
        return err_nomem(e);
    if (emit_open(&o, g->out, "communication.json", e)) {
        free(sum);
        return e->code;
    }
    emit_c(o, '{');
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        comm_step(g, o, sum);
    emit_c(o, '}');
    free(sum);
    return emit_close(o, &g->count, e);
}

/* ---- matrix ---- */

struct entry {
    uint32_t comm; /* index in the step */
    double mb, ms, speed;
};

static double speed_of(double mb, double ms)
{
    return (double)demo_round(mb / ms, 4) / 10000;
}

/* The op's traffic with its link number `link`. */
static struct entry entry_of(const struct demo_step *s, uint32_t comm, uint32_t link)
{
    const struct demo_link *l = &s->comm[comm].link[link];
    struct entry x = { comm, mb(l->chunk_b), ms(l->t_ns[0]), 0 };
    if (l->t_ns[1]) {
        x.mb += mb(l->chunk_b);
        x.ms += ms(l->t_ns[1]);
    }
    x.speed = speed_of(x.mb, x.ms);
    return x;
}

struct matrix {
    struct ascend *g;
    struct emit *o;
    uint32_t *pick; /* ops of one type and group */
    uint32_t npick;
    struct entry *by_bandwidth;
    struct demo_group group;
    const char *type;
    bool any;
};

static void sort_link(struct matrix *m, uint32_t link)
{
    for (uint32_t i = 0; i < m->npick; i++) {
        struct entry x = entry_of(&m->g->walk.step, m->pick[i], link);
        uint32_t j = i;
        for (; j; j--) {
            const struct entry *y = &m->by_bandwidth[j - 1];
            if (y->speed >= x.speed)
                break;
            m->by_bandwidth[j] = *y;
        }
        m->by_bandwidth[j] = x;
    }
}

static void put_link(struct matrix *m, uint32_t link, int rank_pos, bool total)
{
    const struct demo_step *s = &m->g->walk.step;
    const struct demo_link *l = &s->comm[m->pick[0]].link[link];
    double size = 0, time = 0;
    char name[64];
    sort_link(m, link);
    if (total)
        for (uint32_t i = 0; i < m->npick; i++) {
            size += m->by_bandwidth[i].mb;
            time += m->by_bandwidth[i].ms;
        }
    else {
        size = m->by_bandwidth[rank_pos].mb;
        time = m->by_bandwidth[rank_pos].ms;
    }
    emit_fmt(m->o,
             "%s\"%d-%d\": {\"Transport Type\": \"%s\", \"Transit Size(MB)\": %r, \"Transit "
             "Time(ms)\": %r, \"Bandwidth(GB/s)\": ",
             link ? ", " : "", m->group.me, (int)l->peer, l->rdma ? "RDMA" : "HCCS", size, time);
    emit_dec(m->o, demo_round(size / time, 4), 4);
    if (!total)
        emit_fmt(m->o, ", \"%s\": \"%s\"", demo_is_torch(m->g->run) ? "Op Name" : "op_name",
                 demo_comm_name(m->g->run, m->g->rank, &s->comm[m->by_bandwidth[rank_pos].comm], name,
                                sizeof name));
    emit_c(m->o, '}');
}

/*
 * The statistics of one type of op in one group: all six, in torch_npu those that so few ops have
 * (doc/formats/framework.md#torch_npu-communication).
 */
static void put_type(struct matrix *m)
{
    const bool torch = demo_is_torch(m->g->run);
    int n = (int)m->npick;
    const struct {
        const char *name;
        int pos;
        int least; /* ops, of torch_npu */
        bool torch, mindspore;
    } stat[] = { { "top1", 0, 1, true, true },
                 { "middle", n / 2, 1, true, true },
                 { "bottom1", n - 1, 1, true, true },
                 { "total", -1, 1, true, false },
                 { "bottom2", n > 1 ? n - 2 : 0, 2, true, true },
                 { "bottom3", n > 2 ? n - 3 : 0, 3, true, true },
                 { "total", -1, 1, false, true } };
    for (size_t i = 0; i < ARRAY_LEN(stat); i++) {
        if (torch ? !stat[i].torch || n < stat[i].least : !stat[i].mindspore)
            continue;
        emit_fmt(m->o, "%s\"%s-%s@%U\": {", m->any ? ", " : "", m->type, stat[i].name, m->group.hash);
        m->any = true;
        for (uint32_t l = 0; l < m->g->walk.step.comm[m->pick[0]].nlink; l++)
            put_link(m, l, stat[i].pos, stat[i].pos < 0);
        emit_c(m->o, '}');
    }
}

/* The ops like op i of the step; false: there is one before it. */
static bool pick(struct matrix *m, uint32_t i)
{
    const struct demo_step *s = &m->g->walk.step;
    const struct demo_comm_op *all = m->g->run->net->comm, *op = &all[s->comm[i].op];
    m->npick = 0;
    for (uint32_t k = 0; k < s->ncomm; k++) {
        const struct demo_comm_op *x = &all[s->comm[k].op];
        if (x->group != op->group || x->kind != op->kind)
            continue;
        if (k < i)
            return false;
        m->pick[m->npick++] = k;
    }
    return true;
}

static void matrix_step(struct matrix *m)
{
    const struct demo_step *s = &m->g->walk.step;
    const struct demo_net *n = m->g->run->net;
    emit_fmt(m->o, "%s\"step%u\": {\"p2p\": {}, \"collective\": {", s->index ? ", " : "", s->number);
    m->any = false;
    for (uint32_t i = 0; i < s->ncomm; i++) /* in order of their first ops */
        if (pick(m, i)) {
            const struct demo_comm_op *op = &n->comm[s->comm[i].op];
            m->group = demo_group_of(m->g->run, m->g->rank, op->group);
            m->type = demo_comm_lower(op->kind);
            put_type(m);
        }
    emit_s(m->o, "}}");
}

static int communication_matrix(struct ascend *g, struct err *e)
{
    struct matrix m = { .g = g };
    uint32_t n = g->run->net->ncomm;
    m.pick = calloc(n, sizeof *m.pick);
    m.by_bandwidth = calloc(n, sizeof *m.by_bandwidth);
    if (!m.pick || !m.by_bandwidth) {
        err_nomem(e);
        goto out;
    }
    if (emit_open(&m.o, g->out, "communication_matrix.json", e))
        goto out;
    emit_c(m.o, '{');
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        matrix_step(&m);
    emit_c(m.o, '}');
    if (emit_close(m.o, &g->count, e))
        goto out;
out:
    free(m.pick);
    free(m.by_bandwidth);
    return e->code;
}

int ascend_comm(struct ascend *g, struct err *e)
{
    if (!g->run->net->ncomm)
        return OK;
    return communication(g, e) ? e->code : communication_matrix(g, e);
}
