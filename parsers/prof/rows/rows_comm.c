/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication ops: how long they took, moved and waited (doc/formats/msprof.md#communicationjson, in whole
 * ns), and what went over which link.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/rows/comm_figures.h"
#include "parsers/prof/rows/rows.h"
#include "parsers/prof/rows/rows_framework.h"
#include "parsers/prof/words.h"

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

/* x: its info; here: it is on the main plane. */
static void add_task(const struct comm *c, struct comm_figures *o, const struct prof_comm_info *x,
                     const struct prof_task *task, bool here)
{
    comm_figures_add(o, &(struct comm_moved){ .from = prof_device_ns(c->d->f, task->start),
                                              .ns = span(c, task->start, task->end),
                                              .plane = x->plane,
                                              .size_b = x->size_b,
                                              .src = x->local_rank,
                                              .dst = x->remote_rank,
                                              .transport = x->transport,
                                              .link = x->link,
                                              .rdma = x->rdma,
                                              .is_copy = x->item == c->memcpy || x->item == c->reduce,
                                              .is_wait = x->item == c->notify_wait,
                                              .is_main = here });
}

/* Tasks that AI CPUs issued; the first of their planes is the main one. */
static void add_kfc_tasks(const struct comm *c, struct comm_figures *o, const struct prof_kfc_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct prof_kfc_task *t = &c->c->kfc->task[run->at + i];
        if (t->info == PROF_NONE)
            continue;
        const struct prof_kfc_info *k = &c->c->kfc->k.info[t->info];
        const struct prof_comm_info x = { .item = k->item,
                                          .size_b = k->size_b,
                                          .plane = (uint32_t)t->plane,
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
    uint32_t name;        /* id of the sink */
    uint32_t type, group; /* texts; type PROF_NONE: not known */
    uint64_t start, end;
    uint32_t source;
    uint32_t launcher; /* range of the framework */
    unsigned doubt;    /* bits of enum prof_doubt */
    bool has_figures;  /* what its tasks did is known */
};

static struct val step_of(const struct comm *c, const struct exec *x)
{
    return prof_rows_step(c->r, (size_t)(c->d - c->r->m.dev), x->start, x->end, x->launcher);
}

static int put_links(struct comm *c, const struct exec *x, const struct comm_figures *o, int64_t exec,
                     struct err *e)
{
    struct val v[N_COLS(comm_link)] = { 0 };

    v[COL(comm_link, rank)] = val_int(prof_rows_rank(c->r, c->d->f));
    v[COL(comm_link, comm_id)] = val_int(exec);
    v[COL(comm_link, step)] = step_of(c, x);
    v[COL(comm_link, name_id)] = val_id(x->name);
    v[COL(comm_link, type_id)] =
        x->type == PROF_NONE ? val_null() : val_id(prof_rows_name(c->r, x->type, NULL));
    v[COL(comm_link, group_id)] = val_id(prof_rows_id(c->r, x->group));
    v[COL(comm_link, source_id)] = val_id(x->source);
    return comm_figures_links(o, v, c->r->g->out, e);
}

static int put_exec(struct comm *c, const struct exec *x, const struct comm_figures *o, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    int64_t dur = span(c, x->start, x->end), exec = 0;

    v[COL(comm_exec, rank)] = val_int(prof_rows_rank(c->r, c->d->f));
    v[COL(comm_exec, name_id)] = val_id(x->name);
    v[COL(comm_exec, type_id)] =
        x->type == PROF_NONE ? val_null() : val_id(prof_rows_name(c->r, x->type, NULL));
    v[COL(comm_exec, group_id)] = val_id(prof_rows_id(c->r, x->group));
    v[COL(comm_exec, step)] = step_of(c, x);
    v[COL(comm_exec, ts_ns)] = val_int(prof_device_ns(c->d->f, x->start));
    v[COL(comm_exec, dur_ns)] = val_int(dur);
    if (x->has_figures)
        comm_figures_exec(o, dur, v);
    v[COL(comm_exec, source_id)] = val_id(x->source);
    prof_rows_mark(c->r, c->d->f, x->doubt, &v[COL(comm_exec, ts_err_ns)]);
    if (sink_row(c->r->g->out, T_comm_exec, v, N_COLS(comm_exec), &exec, e))
        return e->code;
    return put_links(c, x, o, exec, e);
}

static int put_run(struct comm *c, const struct prof_comm_run *run, struct err *e)
{
    uint32_t plane = main_plane(c, run);
    uint32_t launcher =
        prof_rows_comm_launcher(c->r, (size_t)(c->d - c->r->m.dev), (size_t)(run - c->c->run));
    const struct prof_host *h = &c->r->m.host;
    unsigned doubt = run->doubt | (run->n_info < run->n ? PROF_DOUBT_FIGURES : 0u);
    uint32_t name = prof_rows_comm_name(c->r, run, &doubt), type = h->comm_op[run->op].type;
    if (type != PROF_NONE && prof_is_number(c->r->m.p, type))
        doubt |= PROF_DOUBT_NAME;
    const struct exec x = { name,       type,     run->group,
                            run->start, run->end, c->source,
                            launcher,   doubt,    run->n_info > 0 || run->kfc != PROF_NONE };
    struct comm_figures o = { .closes = prof_rdma_closes(prof_str(c->r->m.p, h->comm_op[run->op].name)) };

    for (size_t i = 0; i < run->n; i++) {
        const struct prof_comm_task *t = &c->c->task[run->at + i];
        const struct prof_comm_info *info = info_of(c, t);
        if (info)
            add_task(c, &o, info, &c->d->task[t->task], info->plane == plane);
    }
    if (run->kfc != PROF_NONE)
        add_kfc_tasks(c, &o, &c->c->kfc->run[run->kfc]);
    comm_figures_end(&o);
    return put_exec(c, &x, &o, e);
}

/* What AI CPUs run themselves. */
static int put_kfc_run(struct comm *c, const struct prof_kfc_run *run, struct err *e)
{
    const struct prof_host *h = &c->r->m.host;
    const struct exec x = { prof_rows_id(c->r, run->name),
                            run->nameless ? PROF_NONE : h->op[h->task[run->host].op].type,
                            run->group,
                            run->from,
                            run->to,
                            prof_rows_source(c->d->f, PROF_AICPU),
                            prof_rows_launcher(c->r, (size_t)(c->d - c->r->m.dev), run->task),
                            0,
                            true };
    struct comm_figures o = { .closes = prof_rdma_closes(prof_str(c->r->m.p, run->name)) };

    add_kfc_tasks(c, &o, run);
    comm_figures_end(&o);
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
