/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults, and where the ranks of such a run stop. */
#include "config.h"

#include "demo/demo_fault.h"

#include "demo/demo_write.h"

/* After the last thing that happened, until nothing is recorded any more. */
#define SOONEST_NS 60000
#define LATEST_NS  400000

enum { SALT_RANK = 170, SALT_OP, SALT_END };

/* clang-format off */
#define AT(stop) DEMO_STOP_##stop, DEMO_STOP_##stop
#define ENDED    DEMO_FATE_ENDED
#define WAIT     DEMO_FATE_WAIT
#define NONE     DEMO_FATE_NONE
static const struct demo_fault_def FAULTS[DEMO_FAULTS] = {
    [DEMO_FAULT_CLEAN] =        { "clean", "none", AT(NEVER), NONE, 1, false },
    [DEMO_FAULT_HANG] =         { "hang", "wait", AT(HOST), WAIT, 2, true },
    [DEMO_FAULT_STRAGGLER] =    { "straggler", "wait", AT(HOST), WAIT, 2, true },
    [DEMO_FAULT_KILLED] =       { "killed", "kill", AT(KERNEL), ENDED, 1, true },
    [DEMO_FAULT_HOST_OOM] =     { "host_oom", "hoom", AT(KERNEL), ENDED, 1, true },
    [DEMO_FAULT_DEVICE_OOM] =   { "device_oom", "doom", AT(HOST), ENDED, 1, true },
    [DEMO_FAULT_AICORE] =       { "aicore", "core", AT(KERNEL), ENDED, 1, true },
    [DEMO_FAULT_AICPU] =        { "aicpu", "aicpu", AT(AICPU), ENDED, 1, true },
    [DEMO_FAULT_HBM_ECC] =      { "hbm_ecc", "ecc", AT(KERNEL), ENDED, 1, true },
    [DEMO_FAULT_LINK_DOWN] =    { "link_down", "link", AT(TRANSFER), WAIT, 2, true },
    [DEMO_FAULT_SOCKET_INIT] =  { "socket_init", "setup", AT(SETUP), NONE, 2, true },
    [DEMO_FAULT_MISMATCH] =     { "mismatch", "mism", AT(OTHER), WAIT, 2, true },
    [DEMO_FAULT_MISMATCH_ARG] = { "mismatch_arg", "mism", AT(LINKS), ENDED, 2, true },
    [DEMO_FAULT_DATA_STALL] =   { "data_stall", "data", DEMO_STOP_FETCH, DEMO_STOP_STEP, ENDED, 1, true },
    [DEMO_FAULT_DISK_FULL] =    { "disk_full", "disk", AT(STEP), ENDED, 1, true },
    [DEMO_FAULT_EXCEPTION] =    { "py_exception", "py", AT(HOST), ENDED, 1, true },
    [DEMO_FAULT_SEGV] =         { "segv", "crash", AT(KERNEL), ENDED, 1, true },
    [DEMO_FAULT_SIGTERM] =      { "sigterm", "stop", AT(MOMENT), NONE, 1, false },
};
/* clang-format on */

const struct demo_fault_def *demo_fault_of(const struct demo_run *run)
{
    return run->o.fault ? &FAULTS[run->o.fault] : NULL;
}

enum demo_stop demo_fault_stop(const struct demo_run *run)
{
    const struct demo_fault_def *f = demo_fault_of(run);
    return !f ? DEMO_STOP_NEVER : demo_is_torch(run) ? f->stop_torch : f->stop;
}

bool demo_fault_together(const struct demo_run *run, int a, int b, enum demo_group_kind k)
{
    return demo_group_of(run, a, k).base == demo_group_of(run, b, k).base;
}

bool demo_fault_is_near(const struct demo_run *run, int rank)
{
    enum demo_group_kind k = (enum demo_group_kind)run->net->comm[run->blame.comm].group;
    struct demo_group g = demo_group_of(run, rank, k), bad = demo_group_of(run, run->blame.rank, k);
    int apart = g.me > bad.me ? g.me - bad.me : bad.me - g.me;
    return g.base == bad.base && (apart <= 1 || apart == g.n - 1);
}

/* ---- the plan ---- */

/* Ranks outside of the group that x is of wait in a later op: there has to be one. */
static bool stops_all(const struct demo_net *n, uint32_t x)
{
    bool one_kind = !n->group_ops[DEMO_GROUP_DATA] || !n->group_ops[DEMO_GROUP_TENSOR];
    for (uint32_t i = x + 1; i < n->ncomm && !one_kind; i++)
        if (n->comm[i].group != n->comm[x].group)
            return true;
    return one_kind;
}

static bool may_stick(const struct demo_op *o, enum demo_stop stop)
{
    bool cpu = demo_op_type(o)->core == DEMO_AICPU;
    return stop == DEMO_STOP_AICPU ? cpu && o->phase != DEMO_DATA : !cpu && o->stream == DEMO_STREAM_MAIN;
}

/* One of the ops between those that make the communication op before x, and x, ready. */
static bool choose_op(struct demo_run *r, uint32_t x, enum demo_stop stop)
{
    const struct demo_net *n = r->net;
    uint32_t from = x ? n->comm[x - 1].after + 1 : n->fp_first,
             to = x < n->ncomm ? n->comm[x].after : n->nop / 2;
    uint32_t fit = 0;
    for (uint32_t i = from; i <= to; i++)
        fit += may_stick(&n->op[i], stop);
    if (!fit)
        return false;
    uint32_t skip = (uint32_t)((demo_hash(r, SALT_OP, x, 0, 0) >> 8) % fit);
    for (uint32_t i = from; i <= to; i++)
        if (may_stick(&n->op[i], stop) && !skip--) {
            r->blame.op = i;
            break;
        }
    return true;
}

static bool choose_comm(struct demo_run *r, uint32_t x, enum demo_stop stop)
{
    if (r->net->ncomm && !stops_all(r->net, x))
        return false;
    if (stop == DEMO_STOP_KERNEL || stop == DEMO_STOP_AICPU) {
        if (!choose_op(r, x, stop))
            return false;
    }
    r->blame.comm = x;
    return true;
}

/* A rank that calls something else than the others is the odd one only where there are others. */
static bool is_wide(const struct demo_run *r, uint32_t x)
{
    return x < r->net->ncomm &&
           demo_group_of(r, r->blame.rank, (enum demo_group_kind)r->net->comm[x].group).n >= 3;
}

bool demo_fault_decidable(const struct demo_run *r)
{
    enum demo_stop stop = demo_fault_stop(r);
    return (stop != DEMO_STOP_OTHER && stop != DEMO_STOP_LINKS) || is_wide(r, r->blame.comm);
}

/* The op where the run is to end, or the one nearest to it that is fit. */
static bool choose_near(struct demo_run *r, enum demo_stop stop, bool wide)
{
    uint32_t n = r->net->ncomm, middle = demo_cut_near(r);
    for (uint32_t d = 0; d <= n; d++) {
        if (d <= middle && (!wide || is_wide(r, middle - d)) && choose_comm(r, middle - d, stop))
            return true;
        if (middle + d < n && (!wide || is_wide(r, middle + d)) && choose_comm(r, middle + d, stop))
            return true;
    }
    return false;
}

static bool choose(struct demo_run *r, enum demo_stop stop)
{
    bool odd = stop == DEMO_STOP_OTHER || stop == DEMO_STOP_LINKS;
    return (odd && choose_near(r, stop, true)) || choose_near(r, stop, false);
}

/* Where the last step is to end, on rank 0. */
static int find_moment(struct demo_run *r, struct err *e)
{
    struct demo_walk w;
    if (!demo_walk_init(&w, r, 0, e)) {
        while (demo_walk_next(&w) && w.step.index < r->blame.step)
            continue;
        r->blame.moment_ns = demo_cut_between(r, w.step.fp_ns, w.step.end_ns);
    }
    demo_walk_done(&w);
    return e->code;
}

int demo_fault_plan(struct demo_run *r, struct err *e)
{
    const struct demo_fault_def *f = demo_fault_of(r);
    enum demo_stop stop = demo_fault_stop(r);
    uint64_t ranks = (uint64_t)r->o.ranks,
             first = stop == DEMO_STOP_SETUP; /* rank 0 is the one that listens */
    if (!f)
        return OK;
    if (r->o.ranks < f->least_ranks)
        return err_set(e, ERR_USAGE, "--fault=%s needs %d ranks", f->name, f->least_ranks);
    if (r->o.fault_rank > r->o.ranks || (r->o.fault_rank == 1 && first))
        return err_set(e, ERR_USAGE, "--fault-rank: of --fault=%s, a rank from %d to %d", f->name, (int)first,
                       r->o.ranks - 1);
    if (stop != DEMO_STOP_NEVER && stop != DEMO_STOP_SETUP && !r->o.crash_step && !r->o.crash_percent)
        r->o.crash_percent = 60;
    r->blame.rank = r->o.fault_rank
                        ? r->o.fault_rank - 1
                        : (int)(first + (demo_hash(r, SALT_RANK, r->o.fault, 0, 0) >> 8) % (ranks - first));
    r->blame.step = r->o.crash_step ? (uint32_t)r->o.crash_step - 1
                                    : (uint32_t)((int64_t)r->o.steps * r->o.crash_percent / 100);
    if (stop == DEMO_STOP_MOMENT)
        return find_moment(r, e);
    bool fits = stop == DEMO_STOP_STEP || stop == DEMO_STOP_FETCH ? choose_comm(r, 0, stop) : choose(r, stop);
    if (!fits)
        return err_set(e, ERR_USAGE, "--fault=%s: this network has no op for it; use --model=transformer",
                       f->name);
    r->blame.calls_other = stop == DEMO_STOP_OTHER;
    return OK;
}

/* ---- where a rank stops ---- */

static const struct demo_comm *comm_of(const struct demo_step *s, uint32_t op)
{
    for (uint32_t i = 0; i < s->ncomm; i++)
        if (s->comm[i].op == op)
            return &s->comm[i];
    return NULL;
}

/* A short time after all that started and ends, and after at_ns. */
static int64_t drained(const struct demo_cut *c, const struct demo_walk *w, int64_t at_ns)
{
    const struct demo_step *s = &w->step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        int64_t end = s->kernel[i].start_ns + s->kernel[i].dur_ns;
        if (s->kernel[i].op < c->op && s->kernel[i].op != c->stuck && end > at_ns)
            at_ns = end;
    }
    for (uint32_t i = 0; i < s->ncomm; i++)
        if (s->comm[i].op < c->comm && s->comm[i].start_ns + s->comm[i].dur_ns > at_ns)
            at_ns = s->comm[i].start_ns + s->comm[i].dur_ns;
    uint64_t h = demo_hash(w->run, SALT_END, (uint64_t)w->rank, 0, 0);
    return at_ns + demo_pick(h, SOONEST_NS, LATEST_NS) / 20 * 20;
}

/* The rank comes to communication op x, which never ends; what waits for it or later ones never starts. */
static void wait_in(struct demo_cut *c, const struct demo_walk *w, uint32_t x)
{
    const struct demo_net *n = w->run->net;
    const struct demo_comm *at = comm_of(&w->step, x);
    c->comm = x;
    c->comm_end = x + 1;
    c->op = n->nop;
    for (uint32_t i = x; i < n->ncomm; i++)
        c->op = n->comm[i].before < c->op ? n->comm[i].before : c->op;
    c->at_ns = c->host_ns = drained(c, w, at ? at->start_ns + 1500 : 0);
}

/* It does not come to x: ops from op on never start, and op stuck never ends. */
static void stop_before(struct demo_cut *c, const struct demo_walk *w, uint32_t x, uint32_t op)
{
    c->comm = c->comm_end = x;
    c->op = op;
    int64_t from = 0;
    for (uint32_t i = 0; i < w->step.nkernel; i++)
        if (w->step.kernel[i].op == c->stuck)
            from = w->step.kernel[i].start_ns + 2000;
    c->at_ns = c->host_ns = drained(c, w, from);
}

/* The host stops before it launches x, while the device still works. */
static void stop_host(struct demo_cut *c, const struct demo_walk *w, uint32_t x)
{
    const struct demo_net *n = w->run->net;
    const struct demo_comm *at = comm_of(&w->step, x);
    stop_before(c, w, x, x < n->ncomm ? n->comm[x].after + 1 : n->nop / 2);
    if (at)
        c->host_ns = at->launch_ns - 500;
    for (uint32_t i = 0; !at && i < w->step.nkernel; i++)
        if (w->step.kernel[i].op == c->op)
            c->host_ns = w->step.kernel[i].launch_ns - 500;
}

static void stop_blamed(struct demo_cut *c, const struct demo_walk *w, enum demo_stop stop)
{
    const struct demo_blame *b = &w->run->blame;
    switch (stop) {
    case DEMO_STOP_STEP:
        c->comm = c->comm_end = c->op = 0;
        c->at_ns = c->host_ns = w->step.host_ns - 1000;
        break;
    case DEMO_STOP_FETCH:
        c->stuck = 0;
        stop_before(c, w, 0, 1);
        break;
    case DEMO_STOP_KERNEL:
    case DEMO_STOP_AICPU:
        c->stuck = b->op;
        stop_before(c, w, b->comm, b->op + 1);
        break;
    case DEMO_STOP_TRANSFER:
    case DEMO_STOP_OTHER:
        wait_in(c, w, b->comm);
        break;
    default:
        stop_host(c, w, b->comm);
    }
}

void demo_fault_cut(struct demo_cut *c, const struct demo_walk *w)
{
    const struct demo_run *r = w->run;
    const struct demo_net *n = r->net;
    const enum demo_stop stop = demo_fault_stop(r);
    uint32_t x = r->blame.comm;
    if (stop == DEMO_STOP_MOMENT) {
        c->comm = c->comm_end = n->ncomm;
        c->op = n->nop;
        c->at_ns = c->host_ns = r->blame.moment_ns;
    } else if (w->rank == r->blame.rank) {
        stop_blamed(c, w, stop);
    } else if (stop == DEMO_STOP_LINKS && demo_fault_is_near(r, w->rank)) {
        stop_host(c, w, x);
    } else {
        if (!demo_fault_together(r, w->rank, r->blame.rank, (enum demo_group_kind)n->comm[x].group))
            while (x + 1 < n->ncomm && n->comm[x].group == n->comm[r->blame.comm].group)
                x++;
        wait_in(c, w, x);
    }
}
