/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of one rank in order: kernels, communication, host launches.
 *
 * Ranks of a group meet in every communication op. To know when the others arrive, each rank uses their
 * nominal schedule scaled by their speed in this step (demo_scale), so that ranks can be generated one by one
 * and still agree within the noise of single kernels.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_speed.h"

enum { SALT_KERNEL = 1, SALT_GAP, SALT_STEP, SALT_NET, SALT_HOST };

/* A run that is cancelled has so many all the same: the writers divide by their number. */
#define STEPS_LEAST 2
/*
 * Work in parallel with the main stream starts between its ticks of 20 ns: no two starts are equal, so links
 * to a start are unique.
 */
#define OFF_GRID_NS    10
#define NODE_TASKS     7      /* of a communication op on a plane, within a server */
#define LAUNCH_NS      8000   /* from one launch of the host to the next */
#define LAUNCH_LEAD_NS 300000 /* host work at the beginning of a step */
#define LATENCY_NS     5000   /* from the end of a launch to the device, at least */

static int64_t tick(int64_t ns)
{
    return ns / 20 * 20;
}
static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int demo_walk_init(struct demo_walk *w, const struct demo_run *run, int rank, struct err *e)
{
    const struct demo_net *n = run->net;
    uint32_t rows = n->nop + n->ncomm;
    memset(w, 0, sizeof *w);
    w->run = run;
    w->rank = rank;
    struct demo_step *s = &w->step;
    s->kernel = calloc(n->nop, sizeof *s->kernel);
    s->comm = calloc(n->ncomm + 1, sizeof *s->comm);
    s->row = calloc(rows, sizeof *s->row);
    s->computing = calloc(rows, sizeof *s->computing);
    s->communication = calloc(n->ncomm + 1, sizeof *s->communication);
    s->alone = calloc((size_t)rows + n->ncomm + 1, sizeof *s->alone);
    s->free = calloc((size_t)rows + 1, sizeof *s->free);
    w->hold_ns = calloc((size_t)n->nop + 1, sizeof *w->hold_ns);
    if (!s->kernel || !s->comm || !s->row || !s->computing || !s->communication || !s->alone || !s->free ||
        !w->hold_ns) {
        demo_walk_done(w);
        return err_nomem(e);
    }
    demo_walk_rewind(w);
    return OK;
}

void demo_walk_done(struct demo_walk *w)
{
    free(w->step.kernel);
    free(w->step.comm);
    free(w->step.row);
    free(w->step.computing);
    free(w->step.communication);
    free(w->step.alone);
    free(w->step.free);
    free(w->hold_ns);
    memset(w, 0, sizeof *w);
}

void demo_walk_rewind(struct demo_walk *w)
{
    w->global_ns = w->run->begin_ns;
    w->prev_end_ns = w->prev_host_end_ns = w->busy_end_ns = 0;
    w->next = 0;
    w->task = w->comm_task = 1;
    w->conn = 1;
    w->group_seq[0] = w->group_seq[1] = 0;
}

/*
 * Time before the first forward op: getting data. Mostly short, sometimes the data is late, long at the
 * beginning.
 */
static int64_t interval_ns(const struct demo_run *r, uint32_t step)
{
    uint64_t h = demo_hash(r, SALT_STEP, step, 0, 0);
    int64_t ns = demo_pick(h, 1080000, 1360000);
    if (step == 0)
        ns += 25500000;
    else if (h % 13 == 0)
        ns += demo_pick(h >> 7, 600000, 2900000);
    return tick(ns);
}

static int64_t kernel_ns(const struct demo_walk *w, uint32_t i, int64_t scale)
{
    uint64_t h = demo_hash(w->run, SALT_KERNEL, (uint64_t)w->rank, w->next, i);
    int64_t per = demo_pick(h, -15, 15) + demo_pick(h >> 20, -15, 15), d = w->run->net->op[i].dur_ns;
    if (h % 4096 == 7)
        per += 700; /* now and then one takes far longer */
    d = d * scale / 1000 * (1000 + per) / 1000;
    return max64(tick(d), 20);
}

/* State of one step under construction. */
struct sched {
    int64_t scale, main_ns, side_ns, line_ns; /* scale: demo_scale(); else when the streams are free again */
    int64_t fp_ns, host_ns;
    uint32_t launched, next_comm;
};

static void launch(struct demo_walk *w, struct sched *s, int64_t *at, int64_t *dur, uint64_t *conn)
{
    uint64_t h = demo_hash(w->run, SALT_HOST, (uint64_t)w->rank, w->next, s->launched);
    *at = s->host_ns + LAUNCH_LEAD_NS + (int64_t)s->launched * LAUNCH_NS;
    *dur = tick(demo_pick(h, 5200, 7400));
    *conn = w->conn;
    w->conn++;
    s->launched++;
}

static struct demo_kernel *kernel(struct demo_walk *w, struct sched *s, uint32_t i)
{
    struct demo_kernel *k = &w->step.kernel[w->step.nkernel++];
    k->op = i;
    k->task = w->task++;
    k->dur_ns = kernel_ns(w, i, s->scale);
    launch(w, s, &k->launch_ns, &k->launch_dur_ns, &k->conn);
    w->conn++; /* the runtime's call */
    return k;
}

/* Of the members of a group in this step; the same for each op of it, and there may be many members. */
static int64_t slowest_pace(struct demo_walk *w, enum demo_group_kind k)
{
    struct demo_group g = demo_group_members(w->run, w->rank, k);

    if (w->slowest[k].of == w->next + 1)
        return w->slowest[k].pace;
    w->slowest[k].pace = 0;
    w->slowest[k].of = w->next + 1;
    for (int i = 0; i < g.n; i++)
        w->slowest[k].pace = max64(w->slowest[k].pace, demo_pace(w->run, g.base + i * g.stride, w->next));
    return w->slowest[k].pace;
}

/* When the last member of the group can begin, by the nominal schedule of each member. */
static int64_t group_ready_ns(struct demo_walk *w, const struct demo_comm_op *c, int64_t fp_ns)
{
    return fp_ns + c->ready_ns + c->work_ns * (slowest_pace(w, c->group) - 1000) / 1000;
}

static void links(struct demo_walk *w, struct demo_comm *c, const struct demo_comm_op *op, int64_t data_ns)
{
    struct demo_group g = demo_group_members(w->run, w->rank, op->group);
    int peer[DEMO_LINKS_MAX], n = demo_group_peers(&g, peer), phases = demo_phases(op);
    uint64_t chunk = demo_chunk(op, &g);
    c->nlink = (uint32_t)n;
    for (int j = 0; j < n; j++) {
        struct demo_link *l = &c->link[j];
        int other = g.base + peer[j] * g.stride;
        int64_t t = demo_transfer(w->run, w->rank, other, chunk);
        *l = (struct demo_link){ .peer = (uint16_t)peer[j],
                                 .peer_rank = (uint16_t)other,
                                 .rdma = other / g.node_ranks != w->rank / g.node_ranks,
                                 .chunk_b = chunk };
        for (int p = 0; p < phases; p++) {
            uint64_t h =
                demo_hash(w->run, SALT_NET, w->next, c->op * 16u + (uint32_t)j, (uint64_t)(w->rank * 2 + p));
            l->t_ns[p] = tick(t * demo_pick(h, 955, 1000) / 1000);
        }
        l->mid_ns = phases > 1 ? tick(demo_pick(demo_hash(w->run, SALT_NET, w->next, c->op, 3 + (uint64_t)j),
                                                600, DEMO_MID_NS))
                               : 0;
        l->tail_ns = data_ns - l->t_ns[0] - l->t_ns[1] - l->mid_ns;
    }
}

static void communicate(struct demo_walk *w, struct sched *s, uint32_t i, int64_t ready_ns, int64_t *end)
{
    const struct demo_comm_op *op = &w->run->net->comm[i];
    struct demo_comm *c = &w->step.comm[w->step.ncomm++];
    int64_t fp = s->fp_ns, data = op->transfer_ns;
    launch(w, s, &c->launch_ns, &c->launch_dur_ns, &c->conn);
    c->op = i;
    c->kind = op->kind;
    if (w->run->blame.calls_other && w->rank == w->run->blame.rank && w->next == w->run->blame.step &&
        i == w->run->blame.comm)
        c->kind = op->kind == DEMO_ALLGATHER ? DEMO_ALLREDUCE : DEMO_ALLGATHER;
    c->seq = w->group_seq[op->group]++;
    c->start_ns = tick(max64(ready_ns + 2000, s->line_ns + 1500)) + OFF_GRID_NS;
    int64_t all = tick(group_ready_ns(w, op, fp));
    c->wait_ns =
        max64(tick(demo_pick(demo_hash(w->run, SALT_NET, (uint64_t)w->rank, w->next, 1000 + i), 400, 2600)),
              tick(all - c->start_ns));
    c->dur_ns = DEMO_COMM_NS / 2 + c->wait_ns + data + 1000;
    c->task = w->comm_task;
    w->comm_task += w->run->o.ranks > DEMO_NODE_RANKS ? DEMO_COMM_TASKS + 1 : NODE_TASKS + 1;
    links(w, c, op, data);
    w->conn += 2 * demo_comm_task_count(c); /* a call of the library, and of the runtime in it */
    s->line_ns = *end = c->start_ns + c->dur_ns;
}

/* The data fetch of the AI CPU: ends shortly before the first forward op. */
static void fetch(struct demo_walk *w, struct sched *s)
{
    struct demo_kernel *k = kernel(w, s, 0);
    k->start_ns = tick(s->fp_ns) - 16000 - k->dur_ns;
}

static void schedule(struct demo_walk *w, struct sched *s)
{
    const struct demo_net *n = w->run->net;
    int64_t gap = DEMO_GAP_NS;
    for (uint32_t i = n->fp_first; i < n->nop; i++) {
        const struct demo_op *o = &n->op[i];
        int64_t at = o->stream == DEMO_STREAM_MAIN ? s->main_ns : max64(s->main_ns, s->side_ns);
        at = max64(at, w->hold_ns[i]);
        struct demo_kernel *k = kernel(w, s, i);
        k->start_ns = tick(max64(at, k->launch_ns + k->launch_dur_ns + LATENCY_NS));
        if (o->stream != DEMO_STREAM_MAIN)
            k->start_ns += OFF_GRID_NS;
        int64_t end = k->start_ns + k->dur_ns;
        gap = tick(demo_pick(demo_hash(w->run, SALT_GAP, (uint64_t)w->rank, w->next, i), 620, 1260));
        if (o->stream == DEMO_STREAM_MAIN)
            s->main_ns = end + gap;
        else
            s->side_ns = end + gap;
        /* generation 1 pairs neighbouring starts and ends of AI Core tasks: there is one at a time */
        if (w->run->o.gen == 1 && demo_op_type(o)->core != DEMO_AICPU)
            s->main_ns = max64(s->main_ns, end + gap);
        if (i == n->fp_first)
            w->step.fp_ns = k->start_ns;
        if (i == n->bp_last)
            w->step.bp_ns = end;
        w->step.end_ns = max64(w->step.end_ns, end);
        for (; s->next_comm < n->ncomm && n->comm[s->next_comm].after == i; s->next_comm++) {
            int64_t done;
            communicate(w, s, s->next_comm, end, &done);
            int64_t *hold = &w->hold_ns[n->comm[s->next_comm].before];
            *hold = max64(*hold, done + 1200);
            w->step.end_ns = max64(w->step.end_ns, done);
        }
    }
}

static int64_t row_start(const struct demo_step *s, const struct demo_row *r)
{
    return r->comm ? s->comm[r->i].start_ns : s->kernel[r->i].start_ns;
}

/* Kernels by start (nearly sorted already), then kernels and communication merged. */
static void sort_rows(struct demo_step *s)
{
    for (uint32_t i = 1; i < s->nkernel; i++) {
        struct demo_kernel k = s->kernel[i];
        uint32_t j = i;
        for (; j && s->kernel[j - 1].start_ns > k.start_ns; j--)
            s->kernel[j] = s->kernel[j - 1];
        s->kernel[j] = k;
    }
    uint32_t a = 0, b = 0;
    s->nrow = 0;
    while (a < s->nkernel || b < s->ncomm) {
        struct demo_row k = { false, a }, c = { true, b };
        bool comm = a == s->nkernel || (b < s->ncomm && row_start(s, &c) < row_start(s, &k));
        s->row[s->nrow++] = comm ? c : k;
        if (comm)
            b++;
        else
            a++;
    }
}

static void add_span(struct demo_span *v, uint32_t *n, int64_t start, int64_t end)
{
    if (end > start)
        v[(*n)++] = (struct demo_span){ start, end - start };
}

/* Merge an interval that starts no earlier than those before it. */
static void merge_span(struct demo_span *v, uint32_t *n, int64_t start, int64_t dur)
{
    if (*n && start <= v[*n - 1].start_ns + v[*n - 1].dur_ns)
        v[*n - 1].dur_ns = max64(v[*n - 1].dur_ns, start + dur - v[*n - 1].start_ns);
    else
        v[(*n)++] = (struct demo_span){ start, dur };
}

/* Communication while nothing computes. */
static void spans_alone(struct demo_step *s)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < s->ncommunication; i++) {
        int64_t at = s->communication[i].start_ns, end = at + s->communication[i].dur_ns;
        while (j && s->computing[j - 1].start_ns + s->computing[j - 1].dur_ns > at)
            j--;
        for (; j < s->ncomputing && s->computing[j].start_ns < end; j++) {
            int64_t c = s->computing[j].start_ns, ce = c + s->computing[j].dur_ns;
            add_span(s->alone, &s->nalone, at, c);
            at = max64(at, ce);
        }
        add_span(s->alone, &s->nalone, at, end);
    }
}

static void spans(struct demo_walk *w)
{
    struct demo_step *s = &w->step;
    int64_t busy = w->busy_end_ns;
    s->ncomputing = s->ncommunication = s->nalone = s->nfree = 0;
    for (uint32_t i = 0; i < s->nrow; i++) {
        const struct demo_row *r = &s->row[i];
        int64_t at = row_start(s, r), dur = r->comm ? s->comm[r->i].dur_ns : s->kernel[r->i].dur_ns;
        if (r->comm)
            merge_span(s->communication, &s->ncommunication, at, dur);
        else
            merge_span(s->computing, &s->ncomputing, at, dur);
        if (busy)
            add_span(s->free, &s->nfree, busy, at);
        busy = max64(busy, at + dur);
    }
    w->busy_end_ns = busy;
    spans_alone(s);
}

bool demo_cancelled(const struct demo_run *r)
{
    return r->o.cancelled && r->o.cancelled();
}

bool demo_walk_next(struct demo_walk *w)
{
    const struct demo_run *r = w->run;
    struct demo_step *st = &w->step;
    if (w->next >= (uint32_t)r->o.steps || (w->next >= STEPS_LEAST && demo_cancelled(r)))
        return false;
    int64_t interval = interval_ns(r, w->next), worst = 0;
    int64_t jitter = tick(demo_pick(demo_hash(r, SALT_STEP, (uint64_t)w->rank, w->next, 1), 0, 40000));
    for (int i = 0; i < r->o.ranks; i++)
        worst = max64(worst, demo_scale(r, i, w->next));
    st->index = w->next;
    st->number = r->first_step + w->next;
    st->nkernel = st->ncomm = 0;
    st->start_ns = w->prev_end_ns;
    st->host_ns = w->next ? w->prev_host_end_ns + 2000 : w->global_ns;
    struct sched s = { .scale = demo_scale(r, w->rank, w->next), .host_ns = st->host_ns };
    /* the forward pass begins when the data is there, never before the host is ready */
    s.fp_ns = max64(w->global_ns + interval + jitter, st->host_ns + LAUNCH_LEAD_NS + 5 * LAUNCH_NS + 60000);
    s.main_ns = s.side_ns = s.line_ns = s.fp_ns;
    st->end_ns = 0;
    memset(w->hold_ns, 0, ((size_t)r->net->nop + 1) * sizeof *w->hold_ns);
    st->conn = w->conn;
    w->conn += DEMO_CALLS_BEFORE;
    fetch(w, &s);
    schedule(w, &s);
    w->conn += DEMO_CALLS_AFTER;
    st->conn_end = w->conn;
    st->host_end_ns = st->end_ns + 42000;
    if (!st->start_ns)
        st->start_ns = w->global_ns;
    sort_rows(st);
    spans(w);
    w->global_ns += interval + r->net->body_ns + r->net->work_ns * (worst - 1000) / 1000;
    w->prev_end_ns = st->end_ns;
    w->prev_host_end_ns = st->host_end_ns;
    w->next++;
    return true;
}
