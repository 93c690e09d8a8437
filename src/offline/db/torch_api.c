/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PYTORCH_API: calls of Python, the task queue and ops, by the same joins as trace_view.json
 * (doc/formats/framework.md#torch_npu-db-export); step marks, garbage collections.
 */
#include "config.h"

#include "base/buf.h"
#include "base/large/sort_index.h"
#include "offline/db/torch_db.h"
#include "offline/torch/torch_passes.h"
#include "offline/torch/torch_python.h"

#define TYPE_OP     50001
#define TYPE_QUEUE  50002
#define TYPE_PYTHON 50003
#define TYPE_MARK   50004

#define QUEUE_BASE (UINT64_C(5) << 28) /* connections of the queue, and of forward and backward ops */
#define TEXT_MAX_B ((size_t)1 << 20)

/* A connection of an op. */
struct link {
    uint32_t op; /* range */
    uint64_t connection;
};
struct writing {
    struct torch_db *w;
    const struct framework *f;
    struct dbout_table *api, *connections, *stacks; /* NULL: no row yet */
    struct link *link; /* by op in order of start; of an op as they are written */
    size_t n_links, cap_links;
    uint32_t *turn; /* by range: its place among all by start */
    int64_t n_connections, n_stacks;
    struct buf text;
};

enum {
    A_FROM,
    A_TO,
    A_THREAD,
    A_CONNECTION,
    A_NAME,
    A_SEQUENCE,
    A_FORWARD,
    A_TYPES,
    A_SHAPES,
    A_STACK,
    A_TYPE,
    N_API
};

/* ---- rows ---- */

static struct val thread_of(const struct writing *x, uint64_t thread)
{
    return val_int((int64_t)(x->w->r->f.process << 32 | (thread & UINT32_MAX)));
}

static int put_row(struct writing *x, struct dbout_table **t, const char *name, const char *columns,
                   const struct val *v, struct err *e)
{
    if (e->code || (!*t && dbout_table(x->w->db.out, t, name, columns, e)))
        return e->code;
    x->w->db.rows++;
    return dbout_row(*t, v, e);
}

static int put_api(struct writing *x, const struct val *v, struct err *e)
{
    return put_row(x, &x->api, "PYTORCH_API",
                   "startNs t,endNs t,globalTid,connectionId,name,sequenceNumber,fwdThreadId,inputDtypes,"
                   "inputShapes,callchainId,type",
                   v, e);
}

static int put_connection(struct writing *x, int64_t id, uint64_t connection, struct err *e)
{
    const struct val v[] = { val_int(id), val_int((int64_t)connection) };

    return put_row(x, &x->connections, "CONNECTION_IDS", "id,connectionId", v, e);
}

/* What every call has; the rest is NULL. */
static void begin_api(const struct writing *x, struct val *v, int64_t from, int64_t to, uint64_t thread,
                      int type)
{
    for (size_t i = 0; i < N_API; i++)
        v[i] = val_null();
    v[A_FROM] = val_int(from);
    v[A_TO] = val_int(to);
    v[A_THREAD] = thread_of(x, thread);
    v[A_TYPE] = val_int(type);
}

/* ---- Python ---- */

static int put_collections(struct writing *x, const struct framework_python *p, struct err *e)
{
    struct dbout_table *t = NULL;

    for (size_t i = 0; i < p->n_gc && !e->code; i++) {
        const struct val v[] = { val_int(p->gc[i].from), val_int(p->gc[i].to),
                                 thread_of(x, x->w->r->f.process) };
        (void)!put_row(x, &t, "GC_RECORD", "startNs,endNs,globalTid", v, e);
    }
    return e->code;
}

static int put_python(struct writing *x, struct err *e)
{
    struct torch_python y;
    struct val v[N_API];

    (void)!torch_python_read(x->w->r, &y, e);
    for (size_t i = 0; i < y.p.n_frames && !e->code; i++) {
        const struct framework_range *a = &y.f.range[y.p.frame[i].range];
        begin_api(x, v, a->from, a->to, a->thread, TYPE_PYTHON);
        v[A_NAME] = offline_db_text(&x->w->api, framework_str(&y.f, a->name), e);
        (void)!put_api(x, v, e);
    }
    (void)!put_collections(x, &y.p, e);
    torch_python_done(&y);
    return e->code;
}

/* ---- the queue ---- */

/* Connections are numbered from those taken out of the queue on; their calls come after those put in. */
static int put_queue_connections(struct writing *x, struct err *e)
{
    const struct framework_joins *q = &x->w->j->queue;

    for (size_t i = q->n_put; i < q->n_queued && !e->code; i++)
        (void)!put_connection(x, x->n_connections++, q->queued[i].correlation + QUEUE_BASE, e);
    for (size_t i = 0; i < q->n_put && !e->code; i++)
        (void)!put_connection(x, x->n_connections++, q->queued[i].correlation + QUEUE_BASE, e);
    return e->code;
}

static int put_queued(struct writing *x, size_t i, struct err *e)
{
    const struct framework_joins *q = &x->w->j->queue;
    const struct framework_queued *a = &q->queued[i];
    struct str task = framework_str(x->f, a->put ? framework_taken_name(q, a) : a->name);
    size_t n_taken = q->n_queued - q->n_put;
    struct val v[N_API];

    buf_clear(&x->text);
    buf_puts(&x->text, a->put ? "Enqueue" : "Dequeue");
    if (!a->put || task.n) {
        buf_addc(&x->text, '@');
        buf_add(&x->text, task);
    }
    begin_api(x, v, a->from, a->to, a->thread, TYPE_QUEUE);
    v[A_CONNECTION] = val_int((int64_t)(a->put ? n_taken + i : i - q->n_put));
    v[A_NAME] = offline_db_text(&x->w->api, buf_str(&x->text), e);
    return put_api(x, v, e);
}

static int put_queue(struct writing *x, struct err *e)
{
    (void)!put_queue_connections(x, e);
    for (size_t i = 0; i < x->w->j->queue.n_queued && !e->code; i++)
        (void)!put_queued(x, i, e);
    return e->code;
}

/* ---- connections of ops ---- */

static int add_link(struct writing *x, uint32_t op, uint64_t connection, struct err *e)
{
    struct link *v = spool_grow(x->w->r->pool, x->link, x->n_links, &x->cap_links, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    x->link = v;
    v[x->n_links++] = (struct link){ op, connection };
    return OK;
}

/* Their numbers go on after those of the queue. */
static int add_passes(struct writing *x, struct err *e)
{
    const struct framework_joins *q = &x->w->j->queue;
    struct torch_pass *v = NULL;
    uint64_t next = 0;
    size_t n;

    for (size_t i = 0; i < q->n_put; i++)
        if (q->queued[i].correlation >= next)
            next = q->queued[i].correlation + 1;
    (void)!torch_passes(x->w->r, &v, &n, e);
    for (size_t i = 0; i < n && !e->code; i++)
        if (add_link(x, v[i].forward, next + i + QUEUE_BASE, e) == OK)
            (void)!add_link(x, v[i].backward, next + i + QUEUE_BASE, e);
    spool_free(x->w->r->pool, v);
    return e->code;
}

/* The flow from a call to its kernels carries the number of the call above its lower 32 bits. */
static int add_launches(struct writing *x, struct err *e)
{
    const struct torch_joins *j = x->w->j;

    for (size_t i = 0; i < j->n_self && !e->code; i++) {
        size_t n;
        const struct torch_kernel *k = torch_kernels_of(j, j->self[i].id, &n);
        for (; n && !e->code; n--, k++)
            (void)!add_link(x, j->self[i].op, x->w->t->link[k->link].id >> 32, e);
    }
    return e->code;
}

static bool is_mark(const struct writing *x, uint32_t op)
{
    return str_starts(framework_str(x->f, x->f->range[op].name), STR("mstx_"));
}

/* A mark that a task of the queue made is of the op which put the task in: of that of its kind around it. */
static int add_marks(struct writing *x, struct err *e)
{
    const struct framework_joins *q = &x->w->j->queue;

    for (size_t i = 0; i < x->w->t->n_tx && !e->code; i++) {
        const struct offline_tx *tx = &x->w->t->tx[i];
        const struct framework_queued *put = framework_put_for(q, tx->tid, tx->ts);
        uint32_t op = put ? put->range : FRAMEWORK_NONE;
        while (op != FRAMEWORK_NONE && !is_mark(x, op))
            op = q->above[op];
        if (op != FRAMEWORK_NONE)
            (void)!add_link(x, op, tx->connection, e);
    }
    return e->code;
}

static bool link_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct writing *x = arg;

    return x->turn[x->link[a].op] < x->turn[x->link[b].op];
}

static int find_links(struct writing *x, struct err *e)
{
    const struct torch_joins *j = x->w->j;

    x->turn = spool_array(x->w->r->pool, x->f->n_ranges + 1, sizeof *x->turn);
    if (!x->turn)
        return err_nomem(e);
    for (size_t i = 0; i < j->n_ops; i++)
        x->turn[j->op[i]] = (uint32_t)i;
    if (add_passes(x, e) || add_launches(x, e) || add_marks(x, e))
        return e->code;
    return prof_sort(x->w->r->pool, x->link, x->n_links, sizeof *x->link, link_before, x, e);
}

/* ---- ops ---- */

/* A list has a line for each entry. */
static struct val list_text(struct writing *x, uint32_t text, struct err *e)
{
    struct str s = framework_str(x->f, text), part;
    bool more = false;

    if (!s.n)
        return val_null();
    buf_clear(&x->text);
    while (str_next(&s, ';', &part)) {
        buf_puts(&x->text, more ? ";\r\n" : "");
        buf_add(&x->text, part);
        more = true;
    }
    if (buf_failed(&x->text))
        err_nomem(e);
    return offline_db_text(&x->w->api, buf_str(&x->text), e);
}

static struct val put_stack(struct writing *x, uint32_t text, struct err *e)
{
    struct str s = framework_str(x->f, text), frame;
    int64_t depth = 0;

    if (!s.n)
        return val_null();
    while (!e->code && str_next(&s, ';', &frame)) {
        const struct val v[] = { val_int(x->n_stacks), offline_db_text(&x->w->api, frame, e),
                                 val_int(depth++) };
        (void)!put_row(x, &x->stacks, "PYTORCH_CALLCHAINS", "id,stack,stackDepth", v, e);
    }
    return val_int(x->n_stacks++);
}

/* *at: the op's first connection, moved to that of the next op. */
static int put_op(struct writing *x, uint32_t op, size_t *at, int type, struct err *e)
{
    const struct framework_range *a = &x->f->range[op];
    struct val v[N_API];

    begin_api(x, v, a->from, a->to, a->thread, type);
    v[A_NAME] = offline_db_text(&x->w->api, framework_str(x->f, a->name), e);
    v[A_SEQUENCE] = val_int(a->sequence);
    v[A_FORWARD] = val_uint(a->forward);
    v[A_TYPES] = list_text(x, a->types, e);
    v[A_SHAPES] = list_text(x, a->shapes, e);
    v[A_STACK] = put_stack(x, a->stack, e);
    if (*at < x->n_links && x->link[*at].op == op)
        v[A_CONNECTION] = val_int(x->n_connections++);
    for (; !e->code && *at < x->n_links && x->link[*at].op == op; ++*at)
        (void)!put_connection(x, v[A_CONNECTION].i, x->link[*at].connection, e);
    return put_api(x, v, e);
}

/* By start; marks of the program after the others. */
static int put_ops(struct writing *x, bool marks, struct err *e)
{
    const struct torch_joins *j = x->w->j;
    size_t at = 0;

    for (size_t i = 0; i < j->n_ops && !e->code; i++) {
        uint32_t op = j->op[i];
        if (is_mark(x, op) == marks)
            (void)!put_op(x, op, &at, marks ? TYPE_MARK : TYPE_OP, e);
        while (at < x->n_links && x->link[at].op == op)
            at++;
    }
    return e->code;
}

static int put_steps(struct writing *x, struct err *e)
{
    const struct torch_joins *j = x->w->j;
    struct dbout_table *t = NULL;

    for (size_t i = 0; i < j->n_ops && !e->code; i++) {
        const struct framework_range *a = &x->f->range[j->op[i]];
        if (!(a->is & RANGE_STEP) || j->above[j->op[i]] != OFFLINE_NONE)
            continue;
        struct str id = str_after_last(framework_str(x->f, a->name), '#');
        int64_t step;
        const struct val v[] = { str_i64(id, &step) ? val_int(step) : val_text(id), val_int(a->from),
                                 val_int(a->to) };
        (void)!put_row(x, &t, "STEP_TIME", "id,startNs,endNs", v, e);
    }
    return e->code;
}

/* ---- the whole ---- */

int torch_db_put_api(struct torch_db *w, struct err *e)
{
    struct writing x = { .w = w, .f = &w->r->f };

    buf_init(&x.text, TEXT_MAX_B);
    if (put_python(&x, e) == OK && put_queue(&x, e) == OK && find_links(&x, e) == OK &&
        put_ops(&x, false, e) == OK && put_ops(&x, true, e) == OK)
        (void)!put_steps(&x, e);
    spool_free(w->r->pool, x.link);
    spool_free(w->r->pool, x.turn);
    buf_done(&x.text);
    return e->code;
}
