/* SPDX-License-Identifier: Apache-2.0 */
/* What of communication ops began before the collection. */
#include "config.h"

#include "msprof/tables/comm_before.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_MAX_B 512

struct part {
    uint32_t op, iter, task;
};

static const struct prof_host_task *host_of(const struct msprof_run *r, size_t dev, uint32_t task)
{
    return &r->m.host.task[r->m.dev[dev].task[task].host];
}

/* A task of a communication op in the part that is exported, but for its begin. */
static bool is_before(const struct msprof_run *r, size_t dev, size_t task)
{
    const struct prof_task *t = &r->m.dev[dev].task[task];
    const struct prof_how *how = &r->how[dev];
    const struct prof_folder *f = r->m.dev[dev].f;

    if (t->host >= r->m.host.n_tasks || !(r->m.host.task[t->host].is & PROF_IS_COMM) ||
        r->m.host.task[t->host].comm_op == PROF_NONE || prof_device_ns(f, t->start) >= prof_begin_ns(f))
        return false;
    return t->start >= how->log_from && (!how->from || t->end > how->from) && t->end <= how->to;
}

static int part_cmp(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->iter != y->iter)
        return x->iter < y->iter ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* The tasks by op, execution, start; *times: how often each task of the host ran, room for that. */
static size_t find_parts(const struct msprof_run *r, size_t dev, struct part *part, uint32_t *times)
{
    size_t n = 0;

    for (size_t i = 0; i < r->m.dev[dev].n_tasks; i++) {
        if (!is_before(r, dev, i))
            continue;
        uint32_t host = r->m.dev[dev].task[i].host;
        part[n++] = (struct part){ r->m.host.task[host].comm_op, ++times[host], (uint32_t)i };
    }
    qsort(part, n, sizeof *part, part_cmp);
    return n;
}

static void add_task(const struct msprof_run *r, size_t dev, struct msprof_comm_before *b, uint32_t task)
{
    const struct prof_host_task *host = host_of(r, dev, task);
    const struct prof_task *t = &r->m.dev[dev].task[task];
    struct prof_comm_run *run = &b->run;

    if (run->info == PROF_NONE)
        run->info = host->comm;
    b->request = host->request;
    if (!(host->is & PROF_IS_MASTER))
        return;
    run->start = !run->n_master || t->start < run->start ? t->start : run->start;
    run->end = !run->n_master || t->end > run->end ? t->end : run->end;
    run->n_master++;
}

/* "hcom_allReduce__452_-1_1": the index counts ops that begin after the collection did. */
static int name_run(struct msprof_run *r, struct prof_comm_run *run, struct err *e)
{
    const struct prof_comm_op *op = &r->m.host.comm_op[run->op];
    const struct str name = prof_str(r->m.p, op->name);
    bool known = run->info != PROF_NONE || op->has_info;
    char text[NAME_MAX_B];

    run->group =
        known ? prof_group_digits(r->m.p, run->info == PROF_NONE ? op->group_hash
                                                                 : r->m.host.comm[run->info].group_hash)
              : prof_text(r->m.p, STR("N/A"));
    if (run->group == PROF_NONE)
        return err_nomem(e);
    const struct str group = prof_str(r->m.p, run->group);
    const struct str end = str_sub(group, group.n > 3 ? group.n - 3 : 0, SIZE_MAX);
    snprintf(text, sizeof text, "%.*s_%.*s_-1_%u", (int)name.n, name.n ? name.p : "", (int)end.n,
             end.n ? end.p : "", run->iter);
    run->name = prof_text(r->m.p, str_of(text));
    return run->name == PROF_NONE ? err_nomem(e) : OK;
}

static int by_start(const void *a, const void *b)
{
    const struct msprof_comm_before *x = a, *y = b;

    if (x->run.start != y->run.start)
        return x->run.start < y->run.start ? -1 : 1;
    return x->run.op != y->run.op ? (x->run.op < y->run.op ? -1 : 1) : 0;
}

/* Ops without a task of a master call have no times, and are left out. */
static int make(struct msprof_comm_early *c, struct msprof_run *r, size_t dev, const struct part *part,
                size_t n_parts, struct err *e)
{
    for (size_t i = 0; i < n_parts && !e->code;) {
        struct msprof_comm_before *b = &c->v[c->n];
        size_t from = i;
        *b = (struct msprof_comm_before){
            .run = { .op = part[i].op, .iter = part[i].iter, .info = PROF_NONE, .kfc = PROF_NONE }
        };
        while (i < n_parts && part[i].op == part[from].op && part[i].iter == part[from].iter)
            add_task(r, dev, b, part[i++].task);
        if (!b->run.n_master || name_run(r, &b->run, e))
            continue;
        c->op[b->run.op] = true;
        c->n++;
    }
    qsort(c->v, c->n, sizeof *c->v, by_start);
    return e->code;
}

int msprof_comm_early(struct msprof_comm_early *c, struct msprof_run *r, size_t dev, struct err *e)
{
    const bool wanted = r->o->compat && r->dialect == DIALECT_PYTHON && r->m.host.n_comm_ops;
    size_t tasks = 0;

    *c = (struct msprof_comm_early){ .n = 0 };
    for (size_t i = 0; wanted && i < r->m.dev[dev].n_tasks; i++)
        tasks += is_before(r, dev, i);
    if (!tasks)
        return OK;
    struct part *part = calloc(tasks, sizeof *part);
    uint32_t *times = calloc(r->m.host.n_tasks, sizeof *times);
    c->v = calloc(tasks, sizeof *c->v);
    c->op = calloc(r->m.host.n_comm_ops, sizeof *c->op);
    if (!part || !times || !c->v || !c->op)
        err_nomem(e);
    else
        (void)!make(c, r, dev, part, find_parts(r, dev, part, times), e);
    free(part);
    free(times);
    return e->code;
}

void msprof_comm_early_done(struct msprof_comm_early *c)
{
    free(c->v);
    free(c->op);
}

bool msprof_comm_is_rest(const struct msprof_comm_early *c, const struct prof_comm_run *run)
{
    return c->op && !run->n_master && c->op[run->op];
}
