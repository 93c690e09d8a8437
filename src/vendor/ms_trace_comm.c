/* Layer Communication: ops on a thread for each group, their tasks on a thread for each plane of it. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof_words.h"
#include "vendor/ms_trace.h"

/* A group's threads: its own at tid, plane n at tid + n + 1. */
struct group {
    uint32_t key;  /* text of its hash */
    uint32_t name; /* text */
    uint32_t tid;
};
struct groups {
    struct ms_trace *t;
    const struct prof_comm *comm;
    struct group *group; /* by key */
    size_t n, cap;
    struct mt_ids planes; /* key << 32 | plane */
};

static const struct prof_comm_info *info_of(const struct ms_run *r, uint32_t info)
{
    return info == PROF_NONE ? NULL : &r->host.comm[info];
}

static const struct prof_comm_info *task_info(const struct ms_run *r,
                                              const struct prof_comm_task *x)
{
    return info_of(r, r->host.task[x->host].comm);
}

/* A task without a plane is on the first. */
static uint32_t plane_of(const struct prof_comm_info *info)
{
    return !info || info->plane == UINT32_MAX ? 0 : info->plane;
}

/* ---- groups and planes ---- */

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static struct group *find(const struct groups *g, uint32_t key)
{
    const struct group want = { .key = key };

    return bsearch(&want, g->group, g->n, sizeof want, by_key);
}

static uint32_t group_name(const struct ms_run *r, const struct prof_comm_run *x)
{
    const struct prof_comm_info *info = info_of(r, x->info);
    const struct prof_comm_op *op = &r->host.comm_op[x->op];

    return info ? info->group : op->has_info ? op->group : x->group;
}

static int add_group(struct groups *g, const struct prof_comm_run *x, struct err *e)
{
    if (g->n && g->group[g->n - 1].key == x->group)
        return OK;
    struct group *v = grow_array(g->group, g->n, &g->cap, sizeof *v, 16);
    if (!v)
        return err_nomem(e);
    g->group = v;
    v[g->n++] = (struct group){ .key = x->group, .name = group_name(g->t->r, x) };
    return OK;
}

static void unique_groups(struct groups *g)
{
    size_t n = 0;

    if (g->n)
        qsort(g->group, g->n, sizeof *g->group, by_key);
    for (size_t i = 0; i < g->n; i++)
        if (!n || g->group[n - 1].key != g->group[i].key)
            g->group[n++] = g->group[i];
    g->n = n;
}

static int find_threads(struct groups *g, struct err *e)
{
    const struct prof_comm *c = g->comm;

    for (size_t i = 0; i < c->n_runs; i++)
        if (add_group(g, &c->run[i], e))
            return (int)e->code;
    unique_groups(g);
    for (size_t i = 0; i < c->n_tasks; i++) {
        uint64_t key = c->run[c->task[i].run].group;
        if (mt_ids_add(&g->planes, key << 32 | plane_of(task_info(g->t->r, &c->task[i])), e))
            return (int)e->code;
    }
    mt_ids_sort(&g->planes);
    return OK;
}

/* A thread for each group and each of its planes; in C++ numbers go on from device to device. */
static int put_threads(struct groups *g, struct err *e)
{
    struct ms_trace *t = g->t;
    struct mt_thread *v = calloc(g->n + g->planes.n + 1, sizeof *v);
    size_t n = 0, k = 0;

    if (!v)
        return err_nomem(e);
    if (t->python)
        t->next_comm = 0;
    for (size_t i = 0; i < g->n; i++) {
        struct group *x = &g->group[i];
        uint32_t last = t->next_comm;
        x->tid = last;
        v[n++] = (struct mt_thread){ .tid = last,
                                     .before = "Group ",
                                     .text = prof_str(t->r->p, x->name),
                                     .after = " Communication",
                                     .sort = last };
        for (; k < g->planes.n && g->planes.v[k] >> 32 == x->key; k++) {
            uint32_t plane = (uint32_t)g->planes.v[k];
            last = x->tid + plane + 1;
            v[n++] = (struct mt_thread){
                .tid = last, .before = "Plane ", .has_n = true, .n = plane, .sort = last
            };
        }
        t->next_comm = last + 1;
    }
    mt_metadata(t, v, n);
    free(v);
    return OK;
}

/* ---- events ---- */

static void put_word(struct ms_trace *t, const char *key, const struct layout_word *table,
                     uint64_t value)
{
    const char *word = prof_word(table, value);

    if (word) {
        mt_word(t, key, word);
        return;
    }
    mt_key(t, key);
    vout_c(t->o, '"');
    vout_u(t->o, value);
    vout_c(t->o, '"');
}

/* C++ prints what Python has as a double. */
static void put_estimated(struct ms_trace *t, double us)
{
    if (t->python && us == 0)
        mt_u(t, "duration estimated(us)", 0);
    else
        mt_real(t, "duration estimated(us)", us);
}

static struct mt_event times(const struct ms_trace *t, uint64_t start, uint64_t end)
{
    const struct prof_how *how = &t->r->how[t->device];
    struct mt_event v = { .word = "" };

    v.ts = mt_device_ns(t, start);
    if (t->python) {
        v.dur = MT_US;
        v.us = prof_span_ns(how, mt_folder(t), start, end) / 1000;
    } else {
        v.dur = mt_device_ns(t, end) - v.ts;
    }
    return v;
}

static void put_task(const struct groups *g, const struct prof_comm_task *x)
{
    struct ms_trace *t = g->t;
    const struct prof_host_task *h = &t->r->host.task[x->host];
    const struct prof_comm_info *info = task_info(t->r, x);
    const struct prof_task *d = &t->r->dev[t->device].task[x->task];
    const struct group *group = find(g, g->comm->run[x->run].group);
    struct mt_event v = times(t, d->start, d->end);
    char notify[24];

    v.text = prof_str(t->r->p, info ? info->item : h->type);
    v.tid = group->tid + plane_of(info) + 1;
    mt_slice(t, &v);
    if (info) {
        mt_word(t, "notify_id", vendor_number(info->notify, notify));
        put_estimated(t, info->estimated);
    }
    mt_u(t, "stream id", h->stream);
    mt_u(t, "task id", h->task);
    mt_u(t, "context id", h->context);
    mt_text(t, "task type", v.text);
    if (info) {
        mt_u(t, "src rank", info->local_rank);
        mt_u(t, "dst rank", info->remote_rank);
        put_word(t, "transport type", prof_transports, info->transport);
        mt_u(t, "size(Byte)", info->size_b);
        put_word(t, "data type", prof_hccl_types, info->data_type);
        put_word(t, "link type", prof_links, info->link);
        mt_real(t, "bandwidth(GB/s)", x->bandwidth);
    }
    mt_u(t, "model id", h->model);
    mt_end(t);
}

static void put_op(const struct groups *g, const struct prof_comm_run *x)
{
    struct ms_trace *t = g->t;
    const struct prof_comm_op *op = &t->r->host.comm_op[x->op];
    const struct prof_comm_info *info = info_of(t->r, x->info);
    struct mt_event v = times(t, x->start, x->end);

    v.text = prof_str(t->r->p, x->name);
    v.tid = find(g, x->group)->tid;
    mt_slice(t, &v);
    mt_u(t, "rank_size", info ? info->rank_size : 0);
    mt_u(t, "connection_id", op->api + (uint64_t)1);
    mt_u(t, "model id", op->model);
    if (op->has_info)
        put_word(t, "data_type", prof_hccl_types, op->data_type);
    else
        mt_word(t, "data_type", "N/A");
    mt_text(t, "alg_type", op->has_info ? prof_str(t->r->p, op->alg) : STR("N/A"));
    mt_u(t, "count", op->has_info ? op->count : 0);
    if (!t->python) {
        mt_word(t, "relay", op->relay ? "yes" : "no");
        mt_word(t, "retry", op->retry ? "yes" : "no");
    }
    mt_end(t);
    mt_flow_end(
        t, &(struct mt_flow){ t->python ? mt_link(op->api) - 1 : mt_link(op->api), v.tid, v.ts });
}

int mt_comm(struct ms_trace *t, struct err *e)
{
    struct groups g = { .t = t, .comm = &t->r->comm[t->device] };

    if (g.comm->n_runs && find_threads(&g, e) == OK && put_threads(&g, e) == OK) {
        for (size_t i = 0; i < g.comm->n_tasks; i++)
            put_task(&g, &g.comm->task[i]);
        for (size_t i = 0; i < g.comm->n_runs; i++)
            put_op(&g, &g.comm->run[i]);
    }
    free(g.group);
    free(g.planes.v);
    return (int)e->code;
}
