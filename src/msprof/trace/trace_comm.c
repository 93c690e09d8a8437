/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer Communication: ops on a thread for each group, their tasks on a thread for each plane of it. Ops that
 * AI CPUs start themselves have groups of their own; when AI CPUs expand an op of the host, the tasks are on
 * planes of its group (hccl_assembler.cpp, get_hccl_export_data.py).
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "msprof/tables/ops.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/words.h"

/* A group's threads: its own is tid, that of plane n is tid + n + 1. */
struct group {
    uint32_t key;  /* text of its hash, twice; another one for ops that AI CPUs run */
    uint32_t name; /* text */
    uint32_t tid;
    uint32_t order; /* Python: of its first task */
};
struct groups {
    struct msprof_trace *t;
    const struct prof_comm *comm;
    const struct prof_kfc_comm *kfc; /* all zero when there is none */
    struct group *group;             /* by key */
    size_t n, cap;
    struct trace_ids planes; /* key << 32 | plane */
};

static const struct prof_comm_info *info_of(const struct msprof_run *r, uint32_t info)
{
    return info == PROF_NONE ? NULL : &r->m.host.comm[info];
}

static const struct prof_comm_info *task_info(const struct msprof_run *r, const struct prof_comm_task *x)
{
    return info_of(r, r->m.host.task[x->host].comm);
}

/* A task without a plane is on plane 0. */
static uint32_t plane_of(const struct prof_comm_info *info)
{
    return !info || info->plane == UINT32_MAX ? 0 : info->plane;
}

/* ---- groups and planes ---- */

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Those of one key in the order in which they came. */
static int by_key_and_order(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return x->key != y->key ? by_key(a, b) : x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
    const struct group *const *x = a, *const *y = b;

    return (*x)->order != (*y)->order ? ((*x)->order > (*y)->order ? 1 : -1) : by_key(*x, *y);
}

static struct group *find(const struct groups *g, uint32_t key)
{
    const struct group want = { .key = key };

    return bsearch(&want, g->group, g->n, sizeof want, by_key);
}

static uint32_t group_name(const struct msprof_run *r, const struct prof_comm_run *x)
{
    const struct prof_comm_info *info = info_of(r, x->info);
    const struct prof_comm_op *op = &r->m.host.comm_op[x->op];

    return info ? info->group : op->has_info ? op->group : x->group;
}

static uint32_t key_of(const struct prof_comm_run *x)
{
    return x->group << 1;
}

static uint32_t kfc_key(const struct prof_kfc_run *x)
{
    return x->group << 1 | !x->expanded;
}

static int add_group(struct groups *g, uint32_t key, uint32_t name, struct err *e)
{
    if (g->n && g->group[g->n - 1].key == key)
        return OK;
    struct group *v = grow_array(g->group, g->n, &g->cap, sizeof *v, 16);
    if (!v)
        return err_nomem(e);
    g->group = v;
    v[g->n] = (struct group){ .key = key, .name = name, .order = (uint32_t)g->n };
    g->n++;
    return OK;
}

static bool keeps_kfc(const struct groups *g, const struct prof_kfc_task *x)
{
    const struct msprof_run *r = g->t->r;
    const struct prof_task *d = &r->m.dev[g->t->device].task[x->task];

    return prof_keeps_comm(&r->how[g->t->device], trace_folder(g->t), d->start, d->end);
}

static int find_kfc_threads(struct groups *g, struct err *e)
{
    const struct prof_kfc_comm *c = g->kfc;

    for (size_t i = 0; i < c->n_tasks; i++) {
        const struct prof_kfc_run *run = &c->run[c->task[i].run];
        uint64_t plane = c->task[i].plane < 0 ? 0 : (uint64_t)c->task[i].plane;
        if (keeps_kfc(g, &c->task[i]) && (add_group(g, kfc_key(run), run->group_name, e) ||
                                          trace_ids_add(&g->planes, (uint64_t)kfc_key(run) << 32 | plane, e)))
            return e->code;
    }
    return OK;
}

static void unique_groups(struct groups *g)
{
    size_t n = 0;

    if (g->n)
        qsort(g->group, g->n, sizeof *g->group, by_key_and_order);
    for (size_t i = 0; i < g->n; i++)
        if (!n || g->group[n - 1].key != g->group[i].key)
            g->group[n++] = g->group[i];
    g->n = n;
}

/* Python names the groups in the order of their first tasks, those from before the collection included. */
static int find_python_threads(struct groups *g, struct err *e)
{
    const struct msprof_run *r = g->t->r;
    const struct prof_device *d = &r->m.dev[g->t->device];
    const struct prof_host *h = &r->m.host;

    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *x = &d->task[i];
        const struct prof_host_task *y = x->host == PROF_NONE ? NULL : &h->task[x->host];
        if (!y || !(y->is & PROF_IS_COMM) || y->comm_op == PROF_NONE ||
            (r->o->partial && !msprof_is_uncut(r) &&
             !prof_keeps_comm(&r->how[g->t->device], d->f, x->start, x->end)))
            continue;
        const struct prof_comm_info *info = info_of(r, y->comm);
        const struct prof_comm_op *op = &h->comm_op[y->comm_op];
        bool known = info || op->has_info;
        uint32_t digits = known ? prof_group_digits(r->m.p, info ? info->group_hash : op->group_hash)
                                : prof_text(r->m.p, STR("N/A"));
        if (digits == PROF_NONE)
            return err_nomem(e);
        if (add_group(g, digits << 1,
                      info    ? info->group
                      : known ? op->group
                              : digits,
                      e) ||
            trace_ids_add(&g->planes, (uint64_t)digits << 33 | plane_of(info), e))
            return e->code;
    }
    return OK;
}

static int find_threads(struct groups *g, struct err *e)
{
    const struct prof_comm *c = g->comm;

    if (g->t->dialect == DIALECT_PYTHON && find_python_threads(g, e))
        return e->code;
    for (size_t i = 0; i < c->n_runs; i++)
        if (add_group(g, key_of(&c->run[i]), group_name(g->t->r, &c->run[i]), e))
            return e->code;
    for (size_t i = 0; i < c->n_tasks; i++) {
        uint64_t key = key_of(&c->run[c->task[i].run]);
        if (trace_ids_add(&g->planes, key << 32 | plane_of(task_info(g->t->r, &c->task[i])), e))
            return e->code;
    }
    if (find_kfc_threads(g, e))
        return e->code;
    unique_groups(g);
    trace_ids_sort(&g->planes);
    return OK;
}

/* The groups as their threads follow each other: as they are, in Python by their first tasks. */
static struct group **in_order(struct groups *g)
{
    struct group **v = calloc(g->n + 1, sizeof *v);

    for (size_t i = 0; v && i < g->n; i++)
        v[i] = &g->group[i];
    /* the ops of a group that AI CPUs run stand beside its others */
    for (size_t i = 1; v && i < g->n; i++)
        if (v[i]->key >> 1 == v[i - 1]->key >> 1)
            v[i]->order = v[i - 1]->order;
    if (v && g->t->dialect == DIALECT_PYTHON)
        qsort(v, g->n, sizeof *v, by_order);
    return v;
}

static size_t put_planes(const struct groups *g, const struct group *x, struct trace_thread *v,
                         uint32_t *last)
{
    size_t n = 0;

    for (size_t k = 0; k < g->planes.n; k++)
        if (g->planes.v[k] >> 32 == x->key) {
            uint32_t plane = (uint32_t)g->planes.v[k];
            *last = x->tid + plane + 1;
            v[n++] = (struct trace_thread){
                .tid = *last, .before = "Plane ", .has_n = true, .n = plane, .sort = *last
            };
        }
    return n;
}

/* A thread for each group and each of its planes; in C++ thread ids continue from device to device. */
static int put_threads(struct groups *g, struct err *e)
{
    struct msprof_trace *t = g->t;
    struct trace_thread *v = calloc(g->n + g->planes.n + 1, sizeof *v);
    struct group **group = in_order(g);
    size_t n = 0;

    if (!v || !group)
        (void)err_nomem(e);
    if (t->dialect == DIALECT_PYTHON)
        t->next_comm = 0;
    for (size_t i = 0; !e->code && i < g->n; i++) {
        struct group *x = group[i];
        uint32_t last = t->next_comm;
        x->tid = last;
        v[n++] = (struct trace_thread){ .tid = last,
                                        .before = "Group ",
                                        .text = prof_str(t->r->m.p, x->name),
                                        .after = x->key & 1 ? " Aicpu Communication" : " Communication",
                                        .sort = last };
        n += put_planes(g, x, v + n, &last);
        t->next_comm = last + 1;
    }
    if (!e->code)
        trace_metadata(t, v, n);
    free(group);
    free(v);
    return e->code;
}

/* ---- events ---- */

static void put_word(struct msprof_trace *t, const char *key, const struct layout_word *table, uint64_t value)
{
    const char *word = prof_word(table, value);

    if (word) {
        trace_word(t, key, word);
        return;
    }
    trace_key(t, key);
    emit_c(t->o, '"');
    emit_u(t->o, value);
    emit_c(t->o, '"');
}

static void put_estimated(struct msprof_trace *t, double us)
{
    if (t->dialect == DIALECT_PYTHON) {
        trace_key(t, "duration estimated(us)");
        msprof_put_column(t->o, us);
    } else {
        trace_real(t, "duration estimated(us)", us);
    }
}

static struct trace_event times(const struct msprof_trace *t, uint64_t start, uint64_t end)
{
    const struct prof_how *how = &t->r->how[t->device];
    struct trace_event v = { .word = "" };

    v.ts = trace_device_ns(t, start);
    if (t->dialect == DIALECT_PYTHON) {
        v.dur = TRACE_US;
        v.us = prof_span_ns(how, trace_folder(t), start, end) / 1000;
    } else {
        v.dur = trace_device_ns(t, end) - v.ts;
    }
    return v;
}

/* Where a task ran; not part of its prof_comm_info. */
struct place {
    uint32_t stream, task, context, model;
    double bandwidth;
};

/* info NULL: the task has none. */
static void put_task_args(struct msprof_trace *t, struct str type, const struct prof_comm_info *info,
                          const struct place *at)
{
    char notify[24];

    if (info) {
        trace_word(t, "notify_id", emit_number(info->notify, notify));
        put_estimated(t, info->estimated);
    }
    trace_u(t, "stream id", at->stream);
    trace_u(t, "task id", at->task);
    trace_u(t, "context id", at->context);
    trace_text(t, "task type", type);
    if (info) {
        trace_u(t, "src rank", info->local_rank);
        trace_u(t, "dst rank", info->remote_rank);
        put_word(t, "transport type", prof_transports, info->transport);
        trace_u(t, "size(Byte)", info->size_b);
        put_word(t, "data type", prof_hccl_types, info->data_type);
        put_word(t, "link type", prof_links, info->link);
        trace_real(t, "bandwidth(GB/s)", at->bandwidth);
    }
    trace_u(t, "model id", at->model);
}

static void put_task(const struct groups *g, const struct prof_comm_task *x)
{
    struct msprof_trace *t = g->t;
    const struct prof_host_task *h = &t->r->m.host.task[x->host];
    const struct prof_comm_info *info = task_info(t->r, x);
    const struct prof_task *d = &t->r->m.dev[t->device].task[x->task];
    const struct group *group = find(g, key_of(&g->comm->run[x->run]));
    const struct place at = { h->stream, h->task, h->context, h->model, x->bandwidth };
    struct trace_event v = times(t, d->start, d->end);

    v.text = prof_str(t->r->m.p, info ? info->item : h->type);
    v.tid = group->tid + plane_of(info) + 1;
    trace_slice(t, &v);
    put_task_args(t, v.text, info, &at);
    trace_end(t);
}

static void put_op(const struct groups *g, const struct prof_comm_run *x)
{
    struct msprof_trace *t = g->t;
    const struct prof_comm_op *op = &t->r->m.host.comm_op[x->op];
    const struct prof_comm_info *info = info_of(t->r, x->info);
    struct trace_event v = times(t, x->start, x->end);

    v.text = prof_str(t->r->m.p, x->name);
    v.tid = find(g, key_of(x))->tid;
    trace_slice(t, &v);
    trace_u(t, "rank_size", info ? info->rank_size : 0);
    trace_u(t, "connection_id", op->api + (uint64_t)1);
    trace_u(t, "model id", op->model);
    if (op->has_info)
        put_word(t, "data_type", prof_hccl_types, op->data_type);
    else
        trace_word(t, "data_type", "N/A");
    trace_text(t, "alg_type", op->has_info ? prof_str(t->r->m.p, op->alg) : STR("N/A"));
    if (!op->has_info && t->dialect == DIALECT_PYTHON)
        trace_i(t, "count", -1);
    else
        trace_u(t, "count", op->has_info ? op->count : 0);
    if (t->dialect == DIALECT_CPP) {
        const struct prof_comm_flags is = prof_comm_flags(g->comm, &t->r->m.host, x);
        trace_word(t, "relay", is.relay == 1 ? "yes" : "no");
        trace_word(t, "retry", is.retry == 1 ? "yes" : "no");
    }
    trace_end(t);
    trace_flow_end(
        t, &(struct trace_flow){ t->dialect == DIALECT_PYTHON ? trace_link(op->api) - 1 : trace_link(op->api),
                                 v.tid, v.ts });
}

/* ---- ops that AI CPUs run ---- */

static void put_kfc_task(const struct groups *g, const struct prof_kfc_task *x)
{
    struct msprof_trace *t = g->t;
    const struct prof_kfc_run *run = &g->kfc->run[x->run];
    const struct prof_task *d = &t->r->m.dev[t->device].task[x->task];

    if (x->plane < 0 || x->info == PROF_NONE || !keeps_kfc(g, x))
        return;
    const struct prof_kfc_info *k = &g->kfc->k.info[x->info];
    const struct prof_comm_info info = { .notify = k->notify,
                                         .estimated = k->estimated,
                                         .local_rank = k->local_rank,
                                         .remote_rank = k->remote_rank,
                                         .size_b = k->size_b,
                                         .transport = k->transport,
                                         .data_type = k->data_type,
                                         .link = k->link };
    const struct place at = { d->stream, d->task, PROF_NONE, t->r->m.host.task[run->host].model,
                              x->bandwidth };
    struct trace_event v = times(t, d->start, d->end);
    v.text = prof_str(t->r->m.p, k->item);
    v.tid = find(g, kfc_key(run))->tid + (uint32_t)x->plane + 1;
    trace_slice(t, &v);
    put_task_args(t, v.text, &info, &at);
    trace_end(t);
}

/* -1, as each half prints it. */
static void put_missing(struct msprof_trace *t, const char *key)
{
    if (t->dialect == DIALECT_PYTHON)
        trace_i(t, key, -1);
    else
        trace_u(t, key, UINT32_MAX);
}

/* Only the kernel of such an op is known. */
static void put_kfc_op(const struct groups *g, const struct prof_kfc_run *x)
{
    struct msprof_trace *t = g->t;
    const struct prof_host_task *h = &t->r->m.host.task[x->host];
    const struct group *group = find(g, kfc_key(x));
    struct trace_event v = times(t, x->from, x->to);

    if (!group || !prof_kfc_is_shown(x) ||
        !prof_keeps_comm(&t->r->how[t->device], trace_folder(t), x->from, x->to))
        return;
    v.text = prof_str(t->r->m.p, x->name);
    v.tid = group->tid;
    trace_slice(t, &v);
    put_missing(t, "rank_size");
    trace_u(t, "connection_id", h->api == PROF_NONE ? TRACE_NO_LINK : h->api + (uint64_t)1);
    trace_u(t, "model id", h->model);
    trace_word(t, "data_type", "N/A");
    trace_word(t, "alg_type", "N/A");
    put_missing(t, "count");
    if (t->dialect == DIALECT_CPP) {
        trace_word(t, "relay", "no");
        trace_word(t, "retry", "no");
    }
    trace_end(t);
    if (h->api != PROF_NONE)
        trace_flow_end(t, &(struct trace_flow){ t->dialect == DIALECT_PYTHON ? trace_link(h->api) - 1
                                                                             : trace_link(h->api),
                                                v.tid, v.ts });
}

static bool is_task_shown(const struct msprof_trace *t, const struct prof_comm_task *x)
{
    const struct prof_task *d = &t->r->m.dev[t->device].task[x->task];

    return !msprof_is_uncut(t->r) || trace_reaches(t, d->start, d->end);
}

/* msprof's C++ does not find the thread of an op whose hccl_op_info is missing. */
static bool is_shown(const struct msprof_trace *t, const struct prof_comm_run *x)
{
    if (msprof_is_uncut(t->r) && !trace_reaches(t, x->start, x->end))
        return false;
    return t->dialect == DIALECT_PYTHON || !t->r->o->compat || t->r->m.host.comm_op[x->op].has_info;
}

static void put_all(const struct groups *g)
{
    /* at level 0 both halves of msprof show only the ops */
    bool has_tasks = !msprof_is_level0(g->t->r);

    for (size_t i = 0; has_tasks && i < g->comm->n_tasks; i++)
        if (is_task_shown(g->t, &g->comm->task[i]))
            put_task(g, &g->comm->task[i]);
    for (size_t i = 0; i < g->comm->n_runs; i++)
        if (is_shown(g->t, &g->comm->run[i]))
            put_op(g, &g->comm->run[i]);
    for (size_t i = 0; has_tasks && i < g->kfc->n_tasks; i++)
        put_kfc_task(g, &g->kfc->task[i]);
    for (size_t i = 0; i < g->kfc->n_runs; i++)
        put_kfc_op(g, &g->kfc->run[i]);
}

int trace_comm(struct msprof_trace *t, struct err *e)
{
    static const struct prof_kfc_comm nothing = { .n_runs = 0 };
    const struct prof_comm *comm = &t->r->m.comm[t->device];
    struct groups g = { .t = t, .comm = comm, .kfc = comm->kfc ? comm->kfc : &nothing };

    /* in Python there may be groups whose tasks all ran before the collection */
    if ((comm->n_runs || g.kfc->n_tasks || t->dialect == DIALECT_PYTHON) && find_threads(&g, e) == OK &&
        g.n && put_threads(&g, e) == OK)
        put_all(&g);
    free(g.group);
    free(g.planes.v);
    return e->code;
}
