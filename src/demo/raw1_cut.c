/*
 * Raw generation 1: where a run that crashes ends, rank by rank. One rank hangs in a communication
 * op; the others finished that one and wait in the next. The ops that need the data do not start;
 * then the job is killed, on each rank a little earlier or later, while a kernel runs.
 */
#include "config.h"

#include "demo/raw1.h"

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

/* The middle of the AI Core task that runs at the instant, or of the first one behind it; the instant itself when all that start have ended. */
static int64_t amid_kernel(const struct raw1 *r, int64_t at_ns)
{
    const struct demo_step *s = &r->g->walk.step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        if (gen1_on_core(r->g, k->op) && k->op < r->cut.op && k->start_ns + k->dur_ns > at_ns)
            return k->start_ns + k->dur_ns / 20 * 10;
    }
    return at_ns;
}

void raw1_cut_find(struct raw1 *r)
{
    const struct demo_run *run = r->g->run;
    const struct demo_net *n = run->net;
    const struct demo_step *s = &r->g->walk.step;
    struct raw1_cut *c = &r->cut;
    if (!run->o.crash_step && !run->o.crash_percent)
        return;
    *c = (struct raw1_cut){ .on = true, .comm = n->ncomm, .op = n->nop };
    c->step = run->o.crash_step ? (uint32_t)run->o.crash_step - 1
                                : (uint32_t)((int64_t)run->o.steps * run->o.crash_percent / 100);
    demo_walk_rewind(&r->g->walk);
    while (demo_walk_next(&r->g->walk) && s->index < c->step)
        continue;
    if (n->ncomm) {
        uint64_t h = demo_hash(run, SALT_CUT, 0, 0, 0);
        c->hangs = (uint64_t)r->g->rank == (h >> 8) % (uint64_t)run->o.ranks;
        c->comm = n->ncomm / 2 + (c->hangs || n->ncomm == 1 ? 0 : 1);
        if (c->comm >= n->ncomm)
            c->comm = n->ncomm - 1;
        c->op = n->comm[c->comm].before;
    }
    const struct demo_comm *x = comm_of(s, c->comm);
    int64_t at = x ? x->start_ns + demo_pick(demo_hash(run, SALT_CUT, (uint64_t)r->g->rank, 1, 0),
                                             SOONEST_NS, LATEST_NS)
                   : (s->fp_ns + s->end_ns) / 2;
    c->at_ns = amid_kernel(r, at);
    if (x && c->at_ns < x->start_ns)
        c->at_ns = x->start_ns;
}
