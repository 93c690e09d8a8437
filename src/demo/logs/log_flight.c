/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flight recorder of torch_npu: what became of the last collectives of a rank, by the times of its
 * profile: those that its host launched, of these those that the device began, and those that ended.
 */
#include "config.h"

#include "demo/logs/log_flight.h"

#include <stdio.h>

#include "base/path.h"
#include "demo/ascend_ms/ascend_ms.h"
#include "demo/logs/log_pickle.h"

#define KEPT       256 /* collectives in the ring */
#define PICKLE_MAX (1 << 20)
#define SEEN_NS    INT64_C(100000000) /* the watchdog looks so often */

enum state { SCHEDULED, STARTED, COMPLETED };
static const char *const STATES[] = { "scheduled", "started", "completed" };
static const char *const NAMES[] = { "hccl:all_reduce", "hccl:all_gather", "hccl:reduce_scatter" };
static const char *const TYPES[] = { "ALLREDUCE", "ALLGATHER", "REDUCESCATTER" };

struct call {
    enum state state;
    uint32_t op;     /* of the network */
    uint8_t kind;    /* enum demo_comm_kind */
    uint64_t seq;    /* in its group, of the profile */
    uint64_t number; /* of all collectives of the process, from 0 */
    int64_t launch_ns, start_ns, dur_ns;
};

struct flight {
    const struct logs *l;
    int rank;
    struct call call[KEPT];
    uint64_t n;            /* that came; the last KEPT of them are there */
    struct call newest[2]; /* by group kind */
    int64_t last[2][3]; /* by group kind: the last number that was scheduled, started, completed; -1: none */
    struct log_pickle p;
};

static enum demo_group_kind kind_of(const struct flight *f, const struct call *c)
{
    return (enum demo_group_kind)f->l->run->net->comm[c->op].group;
}

/* Number of a collective in its group, from 1; those before the profile count. */
static int64_t number_of(const struct flight *f, const struct call *c)
{
    const struct demo_run *r = f->l->run;
    return (int64_t)((r->first_step - 1) * r->net->group_ops[kind_of(f, c)] + c->seq) + 1;
}

/* By the clock of the rank's host. */
static int64_t unix_ns(const struct flight *f, int64_t ns)
{
    return f->l->run->origin_ns + demo_skew_ns(f->l->run, log_host(f->l, f->rank)) + ns;
}

/* ---- what happened ---- */

static void add_step(struct flight *f, const struct demo_step *s)
{
    const struct demo_cut *cut = &f->l->rank[f->rank].cut;
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        if (!demo_cut_host_happened(cut, s, c->launch_ns))
            continue;
        struct call *x = &f->call[f->n % KEPT];
        *x = (struct call){ .op = c->op,
                            .kind = c->kind,
                            .seq = c->seq,
                            .number = f->n++,
                            .launch_ns = c->launch_ns,
                            .start_ns = c->start_ns,
                            .dur_ns = c->dur_ns };
        x->state = demo_cut_comm_ended(cut, s, c)     ? COMPLETED
                   : demo_cut_comm_started(cut, s, c) ? STARTED
                                                      : SCHEDULED;
        f->newest[kind_of(f, x)] = *x;
        for (int k = SCHEDULED; k <= (int)x->state; k++)
            f->last[kind_of(f, x)][k] = number_of(f, x);
    }
}

static int find_calls(struct flight *f, struct err *e)
{
    struct demo_walk w;
    for (int i = 0; i < 6; i++)
        f->last[i / 3][i % 3] = -1;
    if (!demo_walk_init(&w, f->l->run, f->rank, e))
        while (demo_walk_next(&w)) {
            add_step(f, &w.step);
            if (demo_cut_is_last(&f->l->rank[f->rank].cut, &w.step))
                break;
        }
    demo_walk_done(&w);
    return e->code;
}

/* ---- the pickle ---- */

/* The default group is all ranks; a network with groups of two kinds has one more for each. */
static int group_id(const struct flight *f, enum demo_group_kind k)
{
    return f->l->run->tp == 1 ? 0 : 1 + (int)k;
}

static void put_int(struct flight *f, const char *key, int64_t v)
{
    log_pickle_text(&f->p, key);
    log_pickle_int(&f->p, v);
}

static void put_text(struct flight *f, const char *key, const char *v)
{
    log_pickle_text(&f->p, key);
    log_pickle_text(&f->p, v);
}

static const char *const GROUP_NAMES[] = { "0", "1", "2" };
static const char *const GROUP_WORDS[] = { "default_pg", "data_parallel", "tensor_parallel" };

static void put_config(struct flight *f)
{
    const struct demo_run *r = f->l->run;
    log_pickle_text(&f->p, "pg_config");
    log_pickle_dict(&f->p);
    for (int id = 0; id <= (r->tp == 1 ? 0 : 2); id++) {
        struct demo_group g = { .base = 0, .stride = 1, .n = r->o.ranks };
        if (id)
            g = demo_group_of(r, f->rank, (enum demo_group_kind)(id - 1));
        struct buf ranks;
        buf_init(&ranks, 16384);
        for (int i = 0; i < g.n; i++)
            buf_printf(&ranks, "%s%d", i ? ", " : "[", g.base + i * g.stride);
        buf_addc(&ranks, ']');
        f->p.b->failed = f->p.b->failed || buf_failed(&ranks);
        log_pickle_text(&f->p, GROUP_NAMES[id]);
        log_pickle_dict(&f->p);
        put_text(f, "name", GROUP_NAMES[id]);
        put_text(f, "desc", GROUP_WORDS[id]);
        put_text(f, "ranks", buf_failed(&ranks) ? "" : ranks.p);
        log_pickle_dict_end(&f->p);
        buf_done(&ranks);
    }
    log_pickle_dict_end(&f->p);
}

static void put_status(struct flight *f)
{
    const struct demo_run *r = f->l->run;
    log_pickle_text(&f->p, "pg_status");
    log_pickle_dict(&f->p);
    for (enum demo_group_kind k = DEMO_GROUP_DATA; k <= DEMO_GROUP_TENSOR; k++) {
        if (!r->net->group_ops[k])
            continue;
        log_pickle_text(&f->p, GROUP_NAMES[group_id(f, k)]);
        log_pickle_dict(&f->p);
        put_int(f, "last_enqueued_collective", f->last[k][SCHEDULED]);
        put_int(f, "last_started_collective", f->last[k][STARTED]);
        put_int(f, "last_completed_collective", f->last[k][COMPLETED]);
        log_pickle_dict_end(&f->p);
    }
    log_pickle_dict_end(&f->p);
}

/* Innermost first; the same list for all entries. */
static uint32_t put_frames(struct flight *f)
{
    static const struct {
        const char *name;
        int line;
    } frames[] = { { "main", 171 }, { "<module>", 214 } };
    log_pickle_list(&f->p);
    for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
        log_pickle_dict(&f->p);
        put_text(f, "name", frames[i].name);
        put_text(f, "filename", "/job/train.py");
        put_int(f, "line", frames[i].line);
        log_pickle_dict_end(&f->p);
    }
    log_pickle_list_end(&f->p);
    return log_pickle_keep(&f->p);
}

static void put_shape(struct flight *f, const struct demo_comm_op *op, const char *sizes, const char *types)
{
    log_pickle_text(&f->p, sizes);
    log_pickle_list(&f->p);
    log_pickle_list(&f->p);
    log_pickle_int(&f->p, (int64_t)ascend_comm_elements(op));
    log_pickle_list_end(&f->p);
    log_pickle_list_end(&f->p);
    log_pickle_text(&f->p, types);
    log_pickle_list(&f->p);
    log_pickle_text(&f->p, ascend_comm_is_float(op) ? "Float" : "Half");
    log_pickle_list_end(&f->p);
}

/* When the watchdog saw it; None: not yet. */
static void put_seen(struct flight *f, const char *key, bool seen, int64_t ns)
{
    log_pickle_text(&f->p, key);
    if (seen)
        log_pickle_int(&f->p, unix_ns(f, ns) / SEEN_NS * SEEN_NS + SEEN_NS);
    else
        log_pickle_none(&f->p);
}

static void put_entry(struct flight *f, const struct call *c, uint32_t *frames)
{
    const struct demo_run *r = f->l->run;
    const struct demo_comm_op *op = &r->net->comm[c->op];
    const int id = group_id(f, kind_of(f, c));
    const bool ended = c->state == COMPLETED;
    log_pickle_dict(&f->p);
    log_pickle_text(&f->p, "frames");
    if (*frames == UINT32_MAX)
        *frames = put_frames(f);
    else
        log_pickle_again(&f->p, *frames);
    put_int(f, "record_id", (int64_t)c->number);
    put_int(f, "pg_id", id);
    log_pickle_text(&f->p, "process_group");
    log_pickle_text(&f->p, GROUP_NAMES[id]);
    log_pickle_text(&f->p, GROUP_WORDS[id]);
    log_pickle_pair(&f->p);
    put_int(f, "collective_seq_id", number_of(f, c));
    put_int(f, "p2p_seq_id", 0);
    put_int(f, "op_id", number_of(f, c));
    put_text(f, "profiling_name", NAMES[c->kind]);
    put_int(f, "time_created_ns", unix_ns(f, c->launch_ns));
    if (ended) {
        log_pickle_text(&f->p, "duration_ms");
        log_pickle_real(&f->p, (double)c->dur_ns / 1e6);
    }
    put_shape(f, op, "input_sizes", "input_dtypes");
    put_shape(f, op, "output_sizes", "output_dtypes");
    put_text(f, "state", STATES[c->state]);
    put_seen(f, "time_discovered_started_ns", c->state >= STARTED, c->start_ns);
    put_seen(f, "time_discovered_completed_ns", ended, c->start_ns + c->dur_ns);
    log_pickle_text(&f->p, "retired");
    log_pickle_bool(&f->p, ended);
    put_int(f, "timeout_ms", 1800000);
    log_pickle_text(&f->p, "is_p2p");
    log_pickle_bool(&f->p, false);
    log_pickle_dict_end(&f->p);
}

static void put_dump(struct flight *f)
{
    uint32_t frames = UINT32_MAX;
    log_pickle_dict(&f->p);
    put_text(f, "version", "2.4");
    put_config(f);
    put_status(f);
    log_pickle_text(&f->p, "entries");
    log_pickle_list(&f->p);
    for (uint64_t i = f->n > KEPT ? f->n - KEPT : 0; i < f->n; i++)
        put_entry(f, &f->call[i % KEPT], &frames);
    log_pickle_list_end(&f->p);
    log_pickle_dict_end(&f->p);
    log_pickle_stop(&f->p);
}

/* ---- the status file ---- */

/* The last one of each group. */
static void put_last(struct buf *b, const struct flight *f)
{
    const struct demo_run *r = f->l->run;
    bool any = false;
    for (enum demo_group_kind k = DEMO_GROUP_DATA; k <= DEMO_GROUP_TENSOR; k++) {
        const struct call *c = &f->newest[k];
        struct demo_group g = demo_group_of(r, f->rank, k);
        if (f->last[k][SCHEDULED] < 0)
            continue;
        buf_printf(b, "%s{\"comm_ids\":\"", any ? "," : "");
        for (int m = 0; r->tp > 1 && m < g.n; m++)
            buf_printf(b, "%s%d", m ? "," : "", g.base + m * g.stride);
        buf_printf(b, "%s\",\"op_type\":\"%s\",\"pg_id\":\"%d\",\"seq\":%lld,\"status\":\"%s\"}",
                   r->tp > 1 ? "" : "all", TYPES[c->kind], group_id(f, k), (long long)number_of(f, c),
                   c->state == COMPLETED ? "end" : "start");
        any = true;
    }
}

static void put_status_file(struct buf *b, const struct flight *f, int64_t ns)
{
    buf_puts(b, "{\"exception_message\":\"\",");
    buf_printf(b, "\"global_pg_end_time\":%lld,\"is_master\":%s,\"last_comm_op\":[",
               (long long)(ns / 1000000), f->rank ? "false" : "true");
    put_last(b, f);
    buf_puts(b, "]}\n");
}

/* ---- files ---- */

static int write_file(struct logs *l, const struct log_dump *d, const char *name, const struct buf *b,
                      struct err *e)
{
    char dir[1200];
    struct emit *o;
    if (buf_failed(b))
        return err_nomem(e);
    if (!path_join(dir, sizeof dir, l->book.dir, d->dir))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (emit_mkdirs(dir, e) || emit_open(&o, dir, name, e))
        return e->code;
    emit_str(o, buf_str(b));
    l->book.count->date_ns = demo_date(d->ns);
    return emit_close(o, l->book.count, e);
}

static int write_dump(struct logs *l, struct flight *f, const struct log_dump *d, struct err *e)
{
    char name[64];
    struct buf b;
    buf_init(&b, PICKLE_MAX);
    snprintf(name, sizeof name, "hccl_trace_rank_%d", f->rank);
    if (!log_pickle_init(&f->p, &b, e)) {
        put_dump(f);
        (void)!write_file(l, d, name, &b, e);
    }
    log_pickle_done(&f->p);
    buf_clear(&b);
    const struct log_say s = { .l = l, .rank = f->rank };
    log_say(&b, &s,
            "pid: {pid}\nthread <_MainThread(MainThread, started 281473)>:\n"
            "  File \"/job/train.py\", line 214, in <module>\n    main()\n");
    log_say(&b, &s, d->stack);
    snprintf(name, sizeof name, "hccl_trace_rank_%d_py_traceback", f->rank);
    if (!e->code)
        (void)!write_file(l, d, name, &b, e);
    buf_done(&b);
    return e->code;
}

int log_flight_write(struct logs *l, int rank, const struct log_dump *d, struct err *e)
{
    struct flight f = { .l = l, .rank = rank };
    char name[128];
    struct buf b;
    if (find_calls(&f, e) || (d->dumps && write_dump(l, &f, d, e)))
        return e->code;
    buf_init(&b, PICKLE_MAX);
    snprintf(name, sizeof name, "torch_hccl_status-%d_192.168.0.10_%d_%d_%u_%lld.log", rank,
             rank % l->run->node_ranks, l->run->o.ranks, (unsigned)ascend_pid(l->run, rank),
             (long long)(unix_ns(&f, 0) / 1000000 - 14000));
    put_status_file(&b, &f, unix_ns(&f, l->rank[rank].cut.at_ns));
    (void)!write_file(l, d, name, &b, e);
    buf_done(&b);
    return e->code;
}
