/* SPDX-License-Identifier: Apache-2.0 */
/* The logs of a run with a fault: what each rank's end was, and then rank by rank what it wrote. */
#include "config.h"

#include "demo/demo_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "demo/logs/log_faults.h"
#include "demo/logs/log_flight.h"
#include "demo/logs/log_lines.h"
#include "demo/logs/log_truth.h"

#define SECOND INT64_C(1000000000)
#define MS     INT64_C(1000000)

/* Before time 0 of the profile: the launcher starts; a process does; groups are joined; steps begin. */
#define START_NS    (42 * SECOND)
#define PROCESS_NS  (36 * SECOND)
#define JOIN_NS     (20 * SECOND)
#define JOINED_NS   (15 * SECOND)
#define WARM_NS     (10 * SECOND)
#define WARM_STEP   (950 * MS)
#define LOSSES_MOST 500 /* lines of one rank */

enum { SALT_START = 190, SALT_LEAVE, SALT_NOISE, SALT_ENDED, SALT_TIMEOUT, SALT_SCENE };

/* Uniform up to most_ms, in ns. */
static int64_t spread(const struct logs *l, uint32_t salt, int rank, uint64_t n, int64_t most_ms)
{
    return demo_pick(demo_hash(l->run, salt, (uint64_t)rank, n, 0), 0, most_ms * 1000) * 1000;
}

static struct log_say say_at(const struct logs *l, int rank, int64_t ns)
{
    return (struct log_say){ .l = l, .rank = rank, .other = rank, .ns = ns, .then_ns = ns };
}

/* ---- how the ranks ended ---- */

static const struct log_fault *fault_of(const struct logs *l)
{
    return log_fault_of(l->run->o.fault);
}

/* The task of a wait that never ends: of the first plane. */
static void find_wait(struct logs *l, int rank, const struct demo_walk *w)
{
    struct log_rank *x = &l->rank[rank];
    struct demo_comm_task v[DEMO_COMM_TASKS];
    for (uint32_t i = 0; i < w->step.ncomm; i++)
        if (w->step.comm[i].op == x->cut.comm && x->cut.comm_end > x->cut.comm) {
            x->comm = w->step.comm[i];
            x->has_comm = true;
        }
    if (!x->has_comm || !x->comm.nlink || x->cut.hangs)
        return;
    bool gen1 = l->run->o.gen == 1;
    for (uint32_t i = 0, n = demo_comm_tasks(&x->comm, 0, v); i < n && !x->waits; i++)
        if (v[i].is == DEMO_AWAIT) {
            x->waits = true;
            x->stream = DEMO_STREAM_PLANE;
            x->task = gen1 ? raw_wait_task(x->comm.op) : v[i].task;
            x->wait_ns = l->run->origin_ns + (gen1 ? x->comm.start_ns : v[i].start_ns);
        }
    x->issue_ns = l->run->origin_ns + x->comm.launch_ns;
    x->peer = x->comm.link[0].peer;
}

static void find_stuck(struct logs *l, int rank, const struct demo_walk *w, const struct analysed_graph *g)
{
    struct log_rank *x = &l->rank[rank];
    for (uint32_t i = 0; i < w->step.nkernel; i++)
        if (w->step.kernel[i].op == x->cut.stuck) {
            x->stream = l->run->net->op[x->cut.stuck].stream;
            x->task = w->step.kernel[i].task;
            if (g->n) { /* tasks of the graph, the same in each step */
                x->stream = g->task[g->of_op[x->cut.stuck]].stream;
                x->task = g->task[g->of_op[x->cut.stuck]].task;
            }
        }
}

static int find_ends(struct logs *l, const struct analysed_graph *g, struct err *e)
{
    for (int i = 0; i < l->run->o.ranks; i++) {
        struct log_rank *x = &l->rank[i];
        struct demo_walk w;
        x->dead_ns = INT64_MAX;
        if (demo_walk_init(&w, l->run, i, e)) {
            demo_walk_done(&w);
            return e->code;
        }
        demo_cut_find(&x->cut, &w);
        if (x->cut.on) {
            find_wait(l, i, &w);
            find_stuck(l, i, &w, g);
        }
        demo_walk_done(&w);
    }
    const struct log_rank *bad = &l->rank[l->run->blame.rank];
    l->fault_ns = l->run->origin_ns + bad->cut.host_ns;
    if (demo_fault_stop(l->run) == DEMO_STOP_SETUP)
        l->fault_ns = l->run->origin_ns - JOIN_NS;
    return OK;
}

/* ---- the healthy part ---- */

static void tell_groups(struct logs *l, int rank)
{
    const struct demo_run *r = l->run;
    const bool setup = demo_fault_stop(r) == DEMO_STOP_SETUP;
    for (enum log_group g = LOG_GROUP_WORLD; g <= LOG_GROUP_TENSOR; g++) {
        if (g != LOG_GROUP_WORLD && (r->tp == 1 || setup))
            continue;
        if (setup && log_blamed(l, rank))
            continue;
        struct log_say s = say_at(l, rank, r->origin_ns - JOIN_NS + ((int64_t)g - 1) * 300 * MS);
        s.group = g;
        struct demo_group of =
            demo_group_of(r, rank, g == LOG_GROUP_TENSOR ? DEMO_GROUP_TENSOR : DEMO_GROUP_DATA);
        if (g == LOG_GROUP_WORLD ? rank == 0 : of.me == 0)
            log_tell(l, &s, &LOG_STORY_ROOT);
        s.ns += 10 * MS + spread(l, SALT_START, rank, g, 150);
        log_tell(l, &s, &LOG_STORY_JOIN);
        s.ns = r->origin_ns - JOINED_NS + spread(l, SALT_START, rank, 4 + g, 100);
        if (!setup)
            log_tell(l, &s, &LOG_STORY_JOINED);
    }
}

/* Every n-th step, so that a rank has no more than LOSSES_MOST lines. */
static int64_t loss_every(const struct logs *l)
{
    static const int64_t of[] = { 1, 2, 5 };
    int64_t scale = 1, steps = l->run->o.steps;
    for (size_t i = 0;; i++) {
        if (steps <= of[i % 3] * scale * LOSSES_MOST)
            return of[i % 3] * scale;
        if (i % 3 == 2)
            scale *= 10;
    }
}

/* The steps before the profile, and those of it that ended. */
static int tell_losses(struct logs *l, int rank, struct err *e)
{
    const struct demo_run *r = l->run;
    const struct demo_cut *c = &l->rank[rank].cut;
    const int64_t every = loss_every(l);
    struct demo_walk w;
    struct log_say s = say_at(l, rank, r->origin_ns - WARM_NS);
    for (s.number = 1; s.number < r->first_step; s.number++, s.ns += WARM_STEP)
        log_tell(l, &s, &LOG_STORY_LOSS);
    if (!demo_walk_init(&w, r, rank, e))
        while (demo_walk_next(&w) && !demo_cut_is_last(c, &w.step)) {
            s.number = w.step.number;
            s.ns = r->origin_ns + w.step.host_end_ns;
            if (s.number % every == 0)
                log_tell(l, &s, &LOG_STORY_LOSS);
        }
    if (!c->on) {
        s.ns += 3 * SECOND + spread(l, SALT_LEAVE, rank, 0, 1000);
        s.group = LOG_GROUP_WORLD;
        log_tell(l, &s, &LOG_STORY_LEAVE);
    }
    demo_walk_done(&w);
    return e->code;
}

/* Harmless lines: each by some of the ranks, before the fault. A clean run has more of them. */
static void tell_noise(struct logs *l, int rank)
{
    const uint64_t share = l->fault->accuse || l->fault->stop != DEMO_STOP_NEVER ? 4 : 2;
    const int64_t from = l->run->origin_ns - PROCESS_NS + SECOND, span = l->fault_ns - from;
    for (size_t i = 0; i < LOG_STORY_NOISE.n; i++) {
        if ((demo_hash(l->run, SALT_NOISE, (uint64_t)rank, i, 0) >> 8) % share)
            continue;
        const struct log_story one = { &LOG_STORY_NOISE.row[i], 1 };
        struct log_say s = say_at(l, rank, from + spread(l, SALT_NOISE, rank, 100 + i, span / MS));
        log_tell(l, &s, &one);
    }
}

static int tell_healthy(struct logs *l, int rank, struct err *e)
{
    struct log_say s = say_at(l, rank, l->run->origin_ns - PROCESS_NS + spread(l, SALT_START, rank, 0, 2000));
    if (rank % l->run->node_ranks == 0) {
        struct log_say host = say_at(l, rank, l->start_ns);
        log_tell(l, &host, &LOG_STORY_HOST);
    }
    log_tell(l, &s, &LOG_STORY_START);
    tell_groups(l, rank);
    tell_noise(l, rank);
    return demo_fault_stop(l->run) == DEMO_STOP_SETUP ? OK : tell_losses(l, rank, e);
}

/* ---- the fault ---- */

static int64_t dies_ms(const struct logs *l)
{
    return l->torch ? fault_of(l)->dies_pt_ms : fault_of(l)->dies_ms_ms;
}

/* When its end is seen, or if it lives, the fault. */
static int64_t gone_ns(const struct logs *l)
{
    int64_t ms = dies_ms(l);
    return l->fault_ns + (ms > 0 ? ms * MS : 0);
}

/* The wait of a rank is over. */
static int64_t timeout_ns(const struct logs *l, int rank)
{
    return l->rank[rank].wait_ns + LOG_EXEC_S * SECOND + spread(l, SALT_TIMEOUT, rank, 0, 400);
}

/* Fails together with the blamed rank. */
static bool is_near(const struct logs *l, int rank)
{
    return demo_fault_stop(l->run) == DEMO_STOP_LINKS && !log_blamed(l, rank) &&
           demo_fault_is_near(l->run, rank);
}

/* The launcher ends a rank of a host where another one failed. */
static bool is_ended(const struct logs *l, int rank)
{
    if (l->fault->fate != DEMO_FATE_ENDED || log_blamed(l, rank) || is_near(l, rank))
        return false;
    for (int i = 0; i < l->run->o.ranks; i++)
        if (log_host(l, i) == log_host(l, rank) && (log_blamed(l, i) || is_near(l, i)))
            return true;
    return false;
}

static bool has_waited(const struct logs *l, int rank)
{
    bool dies = log_blamed(l, rank) && dies_ms(l) >= 0;
    return l->rank[rank].waits && l->fault->fate != DEMO_FATE_NONE && !dies && !is_ended(l, rank);
}

/* Waited for the rank to blame to come to the set-up of the communicator. */
static bool has_come(const struct logs *l, int rank)
{
    return demo_fault_stop(l->run) == DEMO_STOP_SETUP && !log_blamed(l, rank);
}

/* When the launcher sees a rank end of itself; INT64_MAX: it does not. */
static int64_t exit_ns(const struct logs *l, int rank)
{
    if ((log_blamed(l, rank) && dies_ms(l) >= 0 && fault_of(l)->exit) || is_near(l, rank))
        return gone_ns(l) + 300 * MS;
    if (has_come(l, rank))
        return l->fault_ns + (LOG_CONN_S + 3) * SECOND;
    return has_waited(l, rank) ? timeout_ns(l, rank) + 4 * SECOND : INT64_MAX;
}

/* Whether the blamed rank exchanges data with it from host to host. */
static bool is_remote_peer(const struct logs *l, int rank)
{
    const struct log_rank *bad = &l->rank[l->run->blame.rank];
    for (uint32_t i = 0; bad->has_comm && i < bad->comm.nlink; i++)
        if (bad->comm.link[i].peer_rank == rank && bad->comm.link[i].rdma)
            return true;
    return false;
}

/* The first such rank; without any, the first one that it exchanges data with; -1: none. */
static int peer_of(const struct logs *l)
{
    const struct log_rank *bad = &l->rank[l->run->blame.rank];
    for (int i = 0; i < l->run->o.ranks; i++)
        if (is_remote_peer(l, i))
            return i;
    return bad->has_comm && bad->comm.nlink ? bad->comm.link[0].peer_rank : -1;
}

static bool plays(const struct logs *l, int rank, enum log_who who)
{
    bool bad = log_blamed(l, rank);
    switch (who) {
    case LOG_BAD:
        return bad;
    case LOG_NEAR:
        return !bad && demo_fault_is_near(l->run, rank);
    case LOG_PEERS:
        return rank == peer_of(l) || is_remote_peer(l, rank);
    case LOG_BAD_END:
        return bad && peer_of(l) >= 0;
    case LOG_CAME:
        return !bad;
    case LOG_ZERO:
    case LOG_CAME_ROWS:
        return rank == 0;
    case LOG_HOSTS:
        return rank % l->run->node_ranks == 0;
    default:
        return true;
    }
}

/* Of two ends the other one. */
static int other_of(const struct logs *l, int rank, enum log_who who)
{
    const struct demo_run *r = l->run;
    if (who == LOG_BAD_END)
        return peer_of(l);
    if (!log_blamed(l, rank))
        return r->blame.rank;
    for (int i = 0; i < r->o.ranks; i++)
        if (i != rank && r->net->ncomm && demo_fault_is_near(r, i))
            return i;
    return rank;
}

static void tell_scenes(struct logs *l, int rank)
{
    const struct log_fault *f = fault_of(l);
    const unsigned dialect = l->torch ? LOG_PT : LOG_MS, form = l->newer ? LOG_85 : LOG_7;
    for (size_t i = 0; i < f->n; i++) {
        const struct log_scene *x = &f->scene[i];
        if (!plays(l, rank, x->who) || ((x->when & (LOG_PT | LOG_MS)) && !(x->when & dialect)) ||
            ((x->when & (LOG_7 | LOG_85)) && !(x->when & form)))
            continue;
        struct log_say s =
            say_at(l, rank, l->fault_ns + x->after_ms * MS + spread(l, SALT_SCENE, rank, i, x->spread_ms));
        s.other = other_of(l, rank, x->who);
        s.code = x->code;
        s.message = x->message;
        s.mark = x->mark;
        s.then_ns = l->fault_ns;
        for (int row = 0, rows = x->who == LOG_CAME_ROWS ? (l->run->o.ranks + 6) / 8 : 1; row < rows; row++) {
            s.number = row;
            log_tell(l, &s, x->story);
        }
    }
}

/* The launcher sees the end of a rank, and 5 s later names the first one that ended on its host. */
static void tell_exit(struct logs *l, int rank, int code, enum log_mark mark)
{
    int64_t ns = exit_ns(l, rank);
    struct log_say s = say_at(l, rank, ns);
    s.number = code;
    s.mark = mark;
    log_tell(l, &s, &LOG_STORY_EXIT);
    for (int i = 0; i < l->run->o.ranks; i++)
        if (i != rank && log_host(l, i) == log_host(l, rank) &&
            (exit_ns(l, i) < ns || (exit_ns(l, i) == ns && i < rank)))
            return;
    s.mark = LOG_NO_MARK;
    s.ns += 5 * SECOND;
    s.then_ns = ns;
    log_tell(l, &s, code < 0 ? &LOG_STORY_ROOT_SIGNAL : &LOG_STORY_ROOT_CODE);
}

/* The end of the blamed process as others see it. */
static void tell_death(struct logs *l, int rank)
{
    const struct log_fault *f = fault_of(l);
    if (!log_blamed(l, rank) || dies_ms(l) < 0 || !f->exit)
        return;
    tell_exit(l, rank, f->exit, f->n ? LOG_NO_MARK : LOG_FIRST);
    struct log_say s = say_at(l, rank, gone_ns(l) + 31 * SECOND);
    log_tell(l, &s, &LOG_STORY_TIMED);
}

static void tell_ended(struct logs *l, int rank)
{
    struct log_say s = say_at(l, rank, gone_ns(l) + SECOND + spread(l, SALT_ENDED, rank, 0, 1000));
    log_tell(l, &s, &LOG_STORY_STOPPED);
    if ((demo_hash(l->run, SALT_ENDED, (uint64_t)rank, 1, 0) >> 8) % 10 < 6)
        log_tell(l, &s, &LOG_STORY_AFTER);
}

/* The rank that told the others: the next one that is not to blame. */
static int informer(const struct logs *l, int rank)
{
    const int n = l->run->o.ranks;
    return log_blamed(l, (rank + 1) % n) ? (rank + 2) % n : (rank + 1) % n;
}

/* A wait in a collective, until its time is over. */
static void tell_wait(struct logs *l, int rank)
{
    const struct log_fault *f = fault_of(l);
    const struct log_rank *x = &l->rank[rank];
    int64_t heard = (dies_ms(l) < 0 ? l->fault_ns : gone_ns(l)) + f->heard_ms * MS +
                    spread(l, SALT_TIMEOUT, rank, 1, 2000);
    struct log_say s = say_at(l, rank, heard);
    s.other = informer(l, rank);
    s.code = f->status;
    if (f->status && !log_blamed(l, rank))
        log_tell(l, &s, &LOG_STORY_HEARD);
    s.ns = timeout_ns(l, rank);
    s.then_ns = x->issue_ns;
    log_tell(l, &s, &LOG_STORY_WAITED);
    s.then_ns = heard;
    s.message = f->reason;
    if (f->status && !log_blamed(l, rank))
        log_tell(l, &s, &LOG_STORY_CAUSE);
    s.ns += 10 * MS;
    s.code = "{exec_code}";
    s.message = LOG_WAIT_MESSAGE;
    log_tell(l, &s, &LOG_STORY_SYNC);
    tell_exit(l, rank, 1, LOG_NO_MARK);
}

static void find_deaths(struct logs *l)
{
    const bool all = demo_fault_stop(l->run) == DEMO_STOP_MOMENT;
    for (int i = 0; i < l->run->o.ranks; i++) {
        struct log_rank *x = &l->rank[i];
        if (all || is_near(l, i) || (log_blamed(l, i) && dies_ms(l) >= 0))
            x->dead_ns = gone_ns(l);
        else if (is_ended(l, i))
            x->dead_ns = gone_ns(l) + 2200 * MS;
        else if (has_waited(l, i) || has_come(l, i))
            x->dead_ns = exit_ns(l, i);
    }
}

static int tell(struct logs *l, int rank, struct err *e)
{
    if (tell_healthy(l, rank, e))
        return e->code;
    tell_scenes(l, rank);
    tell_death(l, rank);
    if (is_near(l, rank) || has_come(l, rank))
        tell_exit(l, rank, 1, LOG_NO_MARK);
    if (is_ended(l, rank))
        tell_ended(l, rank);
    if (has_waited(l, rank))
        tell_wait(l, rank);
    return OK;
}

/* ---- files ---- */

/* Below the folder of the host, by dialect. after_ns: from the launcher's start to the file's creation. */
static const struct {
    const char *torch, *mindspore;
    int64_t after_ns;
} PATHS[LOG_KINDS] = {
    [LOG_DEBUG] = { "log/debug/plog/plog-{pid}_{file}.log", NULL, 8 * SECOND },
    [LOG_RUN] = { "log/run/plog/plog-{pid}_{file}.log", NULL, 8 * SECOND },
    [LOG_DEVICE] = { "log/debug/device-{dev}/device-{pid}_{file}.log", NULL, 12 * SECOND },
    [LOG_CONSOLE] = { "rank-{rank}.txt", "msrun_log/worker_{rank}.log", 0 },
    [LOG_EVENT] = { "device_log/slog/dev-os-{dev}/run/event/event_{file}.log", NULL, -2000 * SECOND },
    [LOG_HISTORY] = { "device_log/hisi_logs/device-{dev}/history.log", NULL, 0 },
    [LOG_STACK] = { "atrace/trace_{pid}_{pid}_{short}/stackcore_event_{pid}_{short}/"
                    "stackcore_tracer_11_{pid}_{pname}_{short}.txt",
                    NULL, 8 * SECOND },
    [LOG_LAUNCHER] = { "agent.log", "msrun_log/msrun.log", 0 },
    [LOG_SCHEDULER] = { "msrun_log/scheduler.log", NULL, 0 },
    [LOG_SYSTEM] = { "messages", NULL, 0 },
    [LOG_CHECK] = { "environment_check/npu_info_after.txt", NULL, 0 },
};

static int write_file(struct logs *l, enum log_kind k, int rank, struct err *e)
{
    struct log_say s = say_at(l, rank, l->start_ns + PATHS[k].after_ns + rank * MS);
    int host = log_host(l, rank);
    struct log_text *f = log_book_file(&l->book, k, host);
    struct buf b;
    buf_init(&b, 512);
    if (l->run->o.ranks > l->run->node_ranks)
        buf_printf(&b, "worker-%d/", host);
    log_say(&b, &s, !l->torch && PATHS[k].mindspore ? PATHS[k].mindspore : PATHS[k].torch);
    f->torn = k == LOG_CONSOLE && fault_of(l)->torn && log_blamed(l, rank);
    if (buf_failed(&b))
        err_nomem(e);
    else
        (void)!log_book_write(&l->book, f, buf_str(&b).p, e);
    buf_done(&b);
    return e->code;
}

/* What torch_npu leaves of a rank: those that waited dump, and the one that they waited for if it lives. */
static int write_dumps(struct logs *l, int rank, struct err *e)
{
    const bool waited = has_waited(l, rank), lives = log_blamed(l, rank) && dies_ms(l) < 0 && !waited;
    char dir[40] = "tmp";
    if (!l->torch || !l->rank[rank].cut.on)
        return OK;
    if (l->book.hosts > 1)
        snprintf(dir, sizeof dir, "worker-%d/tmp", log_host(l, rank));
    const struct log_dump d = { .dir = dir,
                                .dumps = waited || lives,
                                .stack = lives ? fault_of(l)->stack : LOG_WAIT_STACK,
                                .ns = waited ? timeout_ns(l, rank)
                                             : l->run->origin_ns + l->rank[rank].cut.at_ns };
    return log_flight_write(l, rank, &d, e);
}

static int write_all(struct logs *l, struct err *e)
{
    find_deaths(l);
    for (int rank = 0; rank < l->run->o.ranks; rank++) {
        if (tell(l, rank, e))
            return e->code;
        for (enum log_kind k = 0; k < LOG_OWN; k++)
            if (write_file(l, k, rank, e))
                return e->code;
        if (write_dumps(l, rank, e))
            return e->code;
    }
    for (int rank = 0; rank < l->run->o.ranks; rank += l->run->node_ranks)
        for (enum log_kind k = LOG_OWN; k < LOG_KINDS; k++)
            if (write_file(l, k, rank, e))
                return e->code;
    return l->book.failed ? err_nomem(e) : log_truth_write(l, e);
}

int demo_logs_write(const struct demo_run *run, const char *dir, struct emit_count *count, struct err *e)
{
    struct logs l = { .run = run,
                      .fault = demo_fault_of(run),
                      .torch = demo_is_torch(run),
                      .newer = run->o.cann ? run->o.cann == DEMO_CANN_85 : run->o.gen == 2,
                      .start_ns = run->origin_ns - START_NS };
    struct analysed_graph graph = { .n = 0 };
    if (!l.fault && !run->o.truth)
        return OK;
    int hosts = (run->o.ranks + run->node_ranks - 1) / run->node_ranks;
    l.rank = calloc((size_t)run->o.ranks, sizeof *l.rank);
    if (!l.rank)
        return err_nomem(e);
    if (!log_book_init(&l.book, dir, hosts, e)) {
        l.book.count = count;
        if ((run->o.gen != 1 || !analysed_graph_new(&graph, run->net, e)) && !find_ends(&l, &graph, e))
            (void)!(l.fault ? write_all(&l, e) : log_truth_write(&l, e));
        if (run->o.gen == 1)
            analysed_graph_done(&graph);
    }
    log_book_done(&l.book);
    free(l.rank);
    return e->code;
}
