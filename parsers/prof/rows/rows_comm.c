/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication ops: how long they took, moved and waited (doc/formats/msprof.md#communicationjson, in whole
 * ns), and what went over which link.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/rows/rows_framework.h"
#include "parsers/prof/words.h"

#define LINKS 64 /* of one op; further ones are added to the last */

struct link {
    uint32_t src, dst, transport, link;
    uint64_t size_b;
    int64_t ns;
};
struct op {
    int64_t transit, wait, sync;
    uint64_t size_b;
    bool moved; /* on the main plane: waiting before it is synchronization */
    struct link link[LINKS];
    size_t n_links;
};
struct comm {
    struct prof_rows *r;
    const struct prof_device *d;
    const struct prof_comm *c;
    uint32_t memcpy, reduce, notify_wait; /* texts */
    uint32_t source;
};

static const struct prof_comm_info *info_of(const struct comm *c, const struct prof_comm_task *t)
{
    uint32_t at = c->r->m.host.task[t->host].comm;

    return at == PROF_NONE ? NULL : &c->r->m.host.comm[at];
}

static int64_t span(const struct comm *c, uint64_t from, uint64_t to)
{
    return prof_device_ns(c->d->f, to) - prof_device_ns(c->d->f, from);
}

/* Sums of damaged spans may not fit: they stay at the end of the range. */
static void add_ns(int64_t *sum, int64_t ns)
{
    if (__builtin_add_overflow(*sum, ns, sum))
        *sum = ns < 0 ? INT64_MIN : INT64_MAX;
}

static void add_link(struct op *o, const struct prof_comm_info *x, int64_t ns)
{
    size_t i = 0;

    while (i < o->n_links && (o->link[i].src != x->local_rank || o->link[i].dst != x->remote_rank ||
                              o->link[i].link != x->link))
        i++;
    if (i == LINKS)
        i--;
    if (i == o->n_links)
        o->link[o->n_links++] = (struct link){ x->local_rank, x->remote_rank, x->transport, x->link, 0, 0 };
    o->link[i].size_b += x->size_b;
    add_ns(&o->link[i].ns, ns);
}

/* It moves data: a copy or a reduction by SDMA, or a payload of RDMA. */
static bool moves(const struct comm *c, const struct prof_comm_info *x)
{
    if (x->transport == PROF_SDMA)
        return x->item == c->memcpy || x->item == c->reduce;
    return x->rdma == PROF_RDMA_PAYLOAD;
}

/* Name of a link in the matrix (doc/formats/msprof.md#communicationjson). */
static const char *word_of(const struct link *l)
{
    const char *word = prof_word(l->transport == PROF_SDMA ? prof_links : prof_transports,
                                 l->transport == PROF_SDMA ? l->link : l->transport);

    if (l->transport == PROF_SDMA && l->link == PROF_LINK_ON_CHIP)
        return "LOCAL";
    if (l->transport == PROF_SDMA && l->link == PROF_LINK_HCCS_SW)
        return "HCCS";
    return word ? word : "SDMA";
}

/* x: its info; here: it is on the main plane, whose tasks show how the op went on. */
static void add_task(const struct comm *c, struct op *o, const struct prof_comm_info *x,
                     const struct prof_task *task, bool here)
{
    int64_t ns = span(c, task->start, task->end);

    if (here && x->item == c->notify_wait) {
        add_ns(&o->wait, ns);
        add_ns(&o->sync, o->moved ? 0 : ns);
    }
    if (!moves(c, x))
        return;
    add_link(o, x, ns);
    if (x->transport == PROF_SDMA && x->link == PROF_LINK_ON_CHIP)
        return;
    o->size_b += x->size_b;
    add_ns(&o->transit, here ? ns : 0);
    o->moved |= here;
}

/* Tasks that AI CPUs issued; the first of their planes is the main one. */
static void add_kfc_tasks(const struct comm *c, struct op *o, const struct prof_kfc_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct prof_kfc_task *t = &c->c->kfc->task[run->at + i];
        if (t->info == PROF_NONE)
            continue;
        const struct prof_kfc_info *k = &c->c->kfc->k.info[t->info];
        const struct prof_comm_info x = { .item = k->item,
                                          .size_b = k->size_b,
                                          .local_rank = k->local_rank,
                                          .remote_rank = k->remote_rank,
                                          .transport = k->transport,
                                          .link = k->link,
                                          .rdma = k->rdma };
        add_task(c, o, &x, &c->d->task[t->task], t->plane == (run->expanded ? 1 : 0));
    }
}

/* The plane of the first task of a master call; of the first task when there is none. */
static uint32_t main_plane(const struct comm *c, const struct prof_comm_run *run)
{
    uint32_t plane = PROF_NONE;

    for (size_t i = 0; i < run->n; i++) {
        const struct prof_comm_info *x = info_of(c, &c->c->task[run->at + i]);
        if (x && x->master)
            return x->plane;
        if (x && plane == PROF_NONE)
            plane = x->plane;
    }
    return plane;
}

/* An execution. */
struct exec {
    uint32_t name, type, group; /* texts; type PROF_NONE: not known */
    uint64_t start, end;
    uint32_t source;
    uint32_t launcher; /* range of the framework */
};

static struct val step_of(const struct comm *c, const struct exec *x)
{
    return prof_rows_step(c->r, (size_t)(c->d - c->r->m.dev), x->start, x->end, x->launcher);
}

static int put_links(struct comm *c, const struct exec *x, const struct op *o, int64_t exec, struct err *e)
{
    for (size_t i = 0; i < o->n_links; i++) {
        const struct link *l = &o->link[i];
        struct val v[N_COLS(comm_link)] = { 0 };
        if (l->src == UINT32_MAX)
            continue;
        v[COL(comm_link, rank)] = val_int(prof_rows_rank(c->r, c->d->f));
        v[COL(comm_link, comm_id)] = val_int(exec);
        v[COL(comm_link, step)] = step_of(c, x);
        v[COL(comm_link, name_id)] = val_id(prof_rows_id(c->r, x->name));
        v[COL(comm_link, type_id)] = x->type == PROF_NONE ? val_null() : val_id(prof_rows_id(c->r, x->type));
        v[COL(comm_link, group_id)] = val_id(prof_rows_id(c->r, x->group));
        v[COL(comm_link, src_rank)] = val_int(l->src);
        v[COL(comm_link, dst_rank)] = val_int(l->dst == UINT32_MAX ? l->src : l->dst);
        v[COL(comm_link, transport)] = val_cstr(word_of(l));
        v[COL(comm_link, size_b)] = l->size_b <= INT64_MAX ? val_int((int64_t)l->size_b) : val_null();
        v[COL(comm_link, time_ns)] = val_int(l->ns);
        if (l->ns > 0)
            v[COL(comm_link, bandwidth)] = val_real((double)l->size_b / (double)l->ns * 1e9);
        v[COL(comm_link, source_id)] = val_id(x->source);
        if (sink_row(c->r->g->out, T_comm_link, v, N_COLS(comm_link), NULL, e))
            return e->code;
    }
    return OK;
}

static int put_exec(struct comm *c, const struct exec *x, const struct op *o, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    int64_t dur = span(c, x->start, x->end), exec = 0;

    v[COL(comm_exec, rank)] = val_int(prof_rows_rank(c->r, c->d->f));
    v[COL(comm_exec, name_id)] = val_id(prof_rows_id(c->r, x->name));
    v[COL(comm_exec, type_id)] = x->type == PROF_NONE ? val_null() : val_id(prof_rows_id(c->r, x->type));
    v[COL(comm_exec, group_id)] = val_id(prof_rows_id(c->r, x->group));
    v[COL(comm_exec, step)] = step_of(c, x);
    v[COL(comm_exec, ts_ns)] = val_int(prof_device_ns(c->d->f, x->start));
    v[COL(comm_exec, dur_ns)] = val_int(dur);
    v[COL(comm_exec, transit_ns)] = val_int(o->transit);
    v[COL(comm_exec, wait_ns)] = val_int(o->wait);
    v[COL(comm_exec, sync_ns)] = val_int(o->sync);
    int64_t busy = o->transit;
    add_ns(&busy, o->wait);
    v[COL(comm_exec, idle_ns)] = dur >= busy ? val_int(dur - busy) : val_null();
    v[COL(comm_exec, size_b)] = o->size_b <= INT64_MAX ? val_int((int64_t)o->size_b) : val_null();
    v[COL(comm_exec, source_id)] = val_id(x->source);
    if (sink_row(c->r->g->out, T_comm_exec, v, N_COLS(comm_exec), &exec, e))
        return e->code;
    return put_links(c, x, o, exec, e);
}

static int put_run(struct comm *c, const struct prof_comm_run *run, struct err *e)
{
    uint32_t plane = main_plane(c, run);
    uint32_t launcher =
        prof_rows_comm_launcher(c->r, (size_t)(c->d - c->r->m.dev), (size_t)(run - c->c->run));
    const struct exec x = {
        run->name, c->r->m.host.comm_op[run->op].type, run->group, run->start, run->end, c->source, launcher
    };
    struct op o = { .moved = false };

    for (size_t i = 0; i < run->n; i++) {
        const struct prof_comm_task *t = &c->c->task[run->at + i];
        const struct prof_comm_info *info = info_of(c, t);
        if (info)
            add_task(c, &o, info, &c->d->task[t->task], info->plane == plane);
    }
    if (run->kfc != PROF_NONE)
        add_kfc_tasks(c, &o, &c->c->kfc->run[run->kfc]);
    return put_exec(c, &x, &o, e);
}

/* What AI CPUs run themselves. */
static int put_kfc_run(struct comm *c, const struct prof_kfc_run *run, struct err *e)
{
    const struct prof_host *h = &c->r->m.host;
    const struct exec x = { run->name,
                            run->nameless ? PROF_NONE : h->op[h->task[run->host].op].type,
                            run->group,
                            run->from,
                            run->to,
                            prof_rows_source(c->d->f, PROF_AICPU),
                            prof_rows_launcher(c->r, (size_t)(c->d - c->r->m.dev), run->task) };
    struct op o = { .moved = false };

    add_kfc_tasks(c, &o, run);
    return put_exec(c, &x, &o, e);
}

static int put_device(struct prof_rows *r, size_t i, struct err *e)
{
    struct comm c = { .r = r, .d = &r->m.dev[i], .c = &r->m.comm[i] };

    c.memcpy = prof_text(r->m.p, STR("Memcpy"));
    c.reduce = prof_text(r->m.p, STR("Reduce_Inline"));
    c.notify_wait = prof_text(r->m.p, STR("Notify_Wait"));
    c.source = prof_rows_source(r->m.p->host, PROF_HCCL_INFO);
    for (size_t k = 0; k < c.c->n_runs; k++)
        if (prof_keeps_comm(&prof_rows_all, c.d->f, c.c->run[k].start, c.c->run[k].end) &&
            put_run(&c, &c.c->run[k], e))
            return e->code;
    for (size_t k = 0; c.c->kfc && k < c.c->kfc->n_runs; k++) {
        const struct prof_kfc_run *run = &c.c->kfc->run[k];
        if (prof_kfc_is_shown(run) && prof_keeps_comm(&prof_rows_all, c.d->f, run->from, run->to) &&
            put_kfc_run(&c, run, e))
            return e->code;
    }
    return OK;
}

int prof_rows_comm(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (put_device(r, i, e))
            return e->code;
    return OK;
}
