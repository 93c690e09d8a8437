/* SPDX-License-Identifier: Apache-2.0 */
/* Where a run that crashes ends. */
#include "config.h"

#include "demo/demo_cut.h"

#include <time.h>

#include "demo/demo_fault.h"

#define SOONEST_NS 60000
#define LATEST_NS  400000

enum { SALT_CUT = 160 };

static const struct demo_comm *comm_of(const struct demo_step *s, uint32_t op)
{
    for (uint32_t i = 0; i < s->ncomm; i++)
        if (s->comm[i].op == op)
            return &s->comm[i];
    return NULL;
}

/*
 * The middle of the AI Core task that runs at at_ns, or of the first one after it; at_ns itself when all
 * tasks that start have ended.
 */
static int64_t amid_kernel(const struct demo_cut *c, const struct demo_walk *w, int64_t at_ns)
{
    const struct demo_step *s = &w->step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        bool on_core = demo_op_type(&w->run->net->op[k->op])->core != DEMO_AICPU;
        if (on_core && k->op < c->op && k->start_ns + k->dur_ns > at_ns)
            return k->start_ns + k->dur_ns / 20 * 10;
    }
    return at_ns;
}

void demo_cut_find(struct demo_cut *c, struct demo_walk *w)
{
    const struct demo_run *run = w->run;
    const struct demo_net *n = run->net;
    const struct demo_step *s = &w->step;
    *c = (struct demo_cut){ .on = run->o.crash_step || run->o.crash_percent, .stuck = UINT32_MAX };
    if (!c->on)
        return;
    c->comm = n->ncomm;
    c->op = n->nop;
    c->step = run->o.crash_step ? (uint32_t)run->o.crash_step - 1
                                : (uint32_t)((int64_t)run->o.steps * run->o.crash_percent / 100);
    demo_walk_rewind(w);
    while (demo_walk_next(w) && s->index < c->step)
        continue;
    if (run->o.fault) {
        demo_fault_cut(c, w);
        return;
    }
    if (n->ncomm) {
        uint64_t h = demo_hash(run, SALT_CUT, 0, 0, 0);
        c->hangs = (uint64_t)w->rank == (h >> 8) % (uint64_t)run->o.ranks;
        c->comm = demo_cut_near(run) + (c->hangs || n->ncomm == 1 ? 0 : 1);
        if (c->comm >= n->ncomm)
            c->comm = n->ncomm - 1;
        c->op = n->comm[c->comm].before;
    }
    c->comm_end = c->comm + 1;
    const struct demo_comm *x = comm_of(s, c->comm);
    int64_t at =
        x ? x->start_ns + demo_pick(demo_hash(run, SALT_CUT, (uint64_t)w->rank, 1, 0), SOONEST_NS, LATEST_NS)
          : demo_cut_between(run, s->fp_ns, s->end_ns);
    c->at_ns = amid_kernel(c, w, at);
    if (x && c->at_ns < x->start_ns)
        c->at_ns = x->start_ns;
    c->host_ns = c->at_ns;
}

int64_t demo_date(int64_t ns)
{
    const int64_t second = 1000000000, latest = ((int64_t)time(NULL) - 3600) * second;

    return ns < latest ? ns : latest;
}

int64_t demo_cut_date(const struct demo_cut *c, const struct demo_run *run)
{
    return c->on ? demo_date(run->origin_ns + c->at_ns) : 0;
}
