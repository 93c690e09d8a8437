/* SPDX-License-Identifier: Apache-2.0 */
/* trace_view.json of torch_npu (doc/formats/framework.md#torch_npu-trace_view). */
#include "config.h"

#include "base/bounded.h"
#include "base/read/json_stream.h"
#include "offline/torch/torch_joins.h"
#include "offline/torch/torch_passes.h"
#include "offline/torch/torch_python.h"
#include "offline/trace/pools.h"

/* The process of garbage collections: as msprof numbers its layers, the first one after the framework's. */
#define GC_SORT          1u
#define GC_SORT_SHIFT    5
#define GC_PROCESS_SHIFT 10

struct writing {
    struct offline_run *r;
    const struct offline_timeline *t;
    const struct torch_joins *j;
    struct torch_python *python;
    struct emit *o;
    struct intern *threads; /* in order of first use */
    uint64_t process;
    bool more;
};

static int see_thread(struct writing *w, uint64_t tid, struct err *e)
{
    return offline_thread_number(w->threads, tid) == UINT32_MAX ? err_nomem(e) : OK;
}

/* {"ph": "X", ..., "args": */
static void begin_event(struct writing *w, struct str name, uint64_t tid, int64_t from, int64_t to,
                        const char *cat)
{
    offline_pool_comma(w->o, &w->more);
    emit_s(w->o, "{\"ph\": \"X\", \"name\": ");
    offline_json_text(w->o, name);
    emit_fmt(w->o, ", \"pid\": %i, \"tid\": %U, \"ts\": \"%t\", \"dur\": ", (int64_t)w->process, tid, from);
    emit_dec(w->o, bounded_sub(to, from), 3);
    emit_fmt(w->o, ", \"cat\": \"%s\", \"args\": ", cat);
}

static void put_flow(struct writing *w, const char *name, const char *cat, char ph, uint64_t id, uint64_t pid,
                     uint64_t tid, int64_t ts)
{
    const char phase[2] = { ph, '\0' };

    offline_pool_comma(w->o, &w->more);
    emit_fmt(w->o, "{\"ph\": \"%s\", \"bp\": \"e\", \"name\": \"%s\", \"id\": %U, \"pid\": %U, \"tid\": %U",
             phase, name, id, pid, tid);
    emit_fmt(w->o, ", \"ts\": \"%t\", \"cat\": \"%s\"}", ts, cat);
}

/* ---- ops ---- */

/* Lists have a line for each entry. */
static void put_list(struct emit *o, const char *key, struct str text)
{
    struct str part;
    bool more = false;

    if (!text.n)
        return;
    emit_fmt(o, ", \"%s\": \"", key);
    while (str_next(&text, ';', &part)) {
        emit_s(o, more ? ";\\r\\n" : "");
        offline_json_part(o, part);
        more = true;
    }
    emit_c(o, '"');
}

static void put_op(struct writing *w, const struct framework_range *x)
{
    const struct framework *f = &w->r->f;

    begin_event(w, framework_str(f, x->name), x->thread, x->from, x->to, "cpu_op");
    emit_fmt(w->o, "{\"Sequence number\": %i, \"Fwd thread id\": %U", x->sequence, x->forward);
    put_list(w->o, "Input Dims", framework_str(f, x->shapes));
    put_list(w->o, "Input type", framework_str(f, x->types));
    put_list(w->o, "Call stack", framework_str(f, x->stack));
    put_list(w->o, "Module Hierarchy", framework_str(f, x->module));
    put_list(w->o, "flops", framework_str(f, x->custom));
    emit_s(w->o, "}}");
}

static int put_ops(struct writing *w, struct err *e)
{
    for (size_t i = 0; i < w->r->f.n_ranges; i++) {
        put_op(w, &w->r->f.range[i]);
        if (see_thread(w, w->r->f.range[i].thread, e))
            return e->code;
    }
    return OK;
}

/* ---- the queue ---- */

static int put_queued(struct writing *w, const struct framework_queued *q, struct buf *name, struct err *e)
{
    struct str task = framework_str(&w->r->f, q->put ? framework_taken_name(&w->j->queue, q) : q->name);

    buf_clear(name);
    buf_puts(name, q->put ? "Enqueue" : "Dequeue");
    if (!q->put || task.n) {
        buf_addc(name, '@');
        buf_add(name, task);
    }
    begin_event(w, buf_str(name), q->thread, q->from, q->to, q->put ? "enqueue" : "dequeue");
    emit_fmt(w->o, "{\"correlation_id\": %U}}", q->correlation);
    put_flow(w, "enqueue_to_dequeue", "async_task_queue", q->put ? 's' : 'f', q->correlation, w->process,
             q->thread, q->from);
    return see_thread(w, q->thread, e);
}

static int put_queue(struct writing *w, struct err *e)
{
    const struct framework_joins *q = &w->j->queue;
    struct buf name;

    buf_init(&name, (size_t)1 << 20);
    for (size_t i = q->n_put; i < q->n_queued && !e->code; i++)
        (void)!put_queued(w, &q->queued[i], &name, e);
    for (size_t i = 0; i < q->n_put && !e->code; i++)
        (void)!put_queued(w, &q->queued[i], &name, e);
    buf_done(&name);
    return e->code;
}

/* ---- threads ---- */

static void put_meta(struct writing *w, const char *name, uint64_t tid)
{
    offline_pool_comma(w->o, &w->more);
    emit_fmt(w->o, "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %i, \"tid\": %U, \"args\": ", name,
             (int64_t)w->process, tid);
}

static void put_process(struct writing *w, const char *name, unsigned sort)
{
    put_meta(w, "process_name", 0);
    emit_fmt(w->o, "{\"name\": \"%s\"}}", name);
    put_meta(w, "process_labels", 0);
    emit_s(w->o, "{\"labels\": \"CPU\"}}");
    put_meta(w, "process_sort_index", 0);
    emit_fmt(w->o, "{\"sort_index\": %u}}", sort);
}

static bool takes_out(const struct framework_joins *q, uint64_t tid)
{
    for (size_t i = q->n_put; i < q->n_queued; i++)
        if (q->queued[i].thread == tid)
            return true;
    return false;
}

/* Threads that take out of the queue come last. */
static void put_threads(struct writing *w)
{
    uint32_t n = intern_count(w->threads);
    uint64_t most = 0;

    if (!n)
        return;
    put_process(w, "Python", 0);
    for (uint32_t i = 0; i < n; i++)
        if (offline_thread_of(w->threads, i) > most)
            most = offline_thread_of(w->threads, i);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t tid = offline_thread_of(w->threads, i);
        put_meta(w, "thread_name", tid);
        emit_fmt(w->o, "{\"name\": \"Thread %U\"}}", tid);
        put_meta(w, "thread_sort_index", tid);
        emit_fmt(w->o, "{\"sort_index\": %U}}", takes_out(&w->j->queue, tid) ? most + 1 : tid);
    }
}

/* ---- Python ---- */

static int see_python(struct writing *w, struct err *e)
{
    const struct torch_python *x = w->python;

    for (size_t i = 0; i < x->p.n_frames; i++)
        if (see_thread(w, x->f.range[x->p.frame[i].range].thread, e))
            return e->code;
    return OK;
}

static void put_python(struct writing *w)
{
    const struct torch_python *x = w->python;

    for (size_t i = 0; i < x->p.n_frames; i++) {
        const struct framework_frame *a = &x->p.frame[i];
        const struct framework_range *at = &x->f.range[a->range];
        begin_event(w, framework_str(&x->f, at->name), at->thread, at->from, at->to, "python_function");
        emit_fmt(w->o, "{\"Python id\": %u, \"Python parent id\": %u", a->id, a->above);
        if (a->number != UINT32_MAX)
            emit_fmt(w->o, ", \"Python module id\": %u", a->number);
        emit_s(w->o, "}}");
    }
}

static uint64_t gc_process(const struct writing *w)
{
    int device = offline_first_device(w->r);

    if (device < 0 && w->r->o->compat) /* so upstream joins the bits of no device */
        return UINT64_MAX;
    return w->python->p.gc_process << GC_PROCESS_SHIFT | GC_SORT << GC_SORT_SHIFT |
           (device < 0 ? 0 : (unsigned)device);
}

static void put_collections(struct writing *w)
{
    const struct framework_python *p = &w->python->p;
    uint64_t process = w->process, thread = p->gc_process;

    if (!p->n_gc)
        return;
    w->process = gc_process(w);
    for (size_t i = 0; i < p->n_gc; i++) {
        begin_event(w, STR("GC"), thread, p->gc[i].from, p->gc[i].to, "GC");
        emit_s(w->o, "{}}");
    }
    put_process(w, "Python GC", GC_SORT);
    put_meta(w, "thread_name", thread);
    emit_s(w->o, "{\"name\": \"Python GC\"}}");
    put_meta(w, "thread_sort_index", thread);
    emit_fmt(w->o, "{\"sort_index\": %U}}", thread);
    w->process = process;
}

/* ---- forward to backward ---- */

static int put_passes(struct writing *w, struct err *e)
{
    const struct framework_range *range = w->r->f.range;
    struct torch_pass *v = NULL;
    size_t n;

    (void)!torch_passes(w->r, &v, &n, e);
    for (size_t i = 0; i < n && !e->code; i++) {
        const struct framework_range *forward = &range[v[i].forward], *backward = &range[v[i].backward];
        put_flow(w, "fwdbwd", "fwdbwd", 's', v[i].sequence, w->process, forward->thread, forward->from);
        put_flow(w, "fwdbwd", "fwdbwd", 'f', v[i].sequence, w->process, backward->thread, backward->from);
    }
    spool_free(w->r->pool, v);
    return e->code;
}

/* ---- msprof's events ---- */

/* Level0 leaves out what begins so, and the processes of these names. */
static bool is_pruned(const struct offline_run *r, const struct offline_event *ev)
{
    static const char *const prunes[] = { "CANN", "AscendCL",   "Runtime",       "GE", "Node", "Model",
                                          "Hccl", "acl_to_npu", "Communication@" };
    struct str named = STR("");
    bool is_string;

    if (r->level != 0)
        return false;
    if (ev->args.p && !js_find(ev->args, STR("name"), &named, &is_string))
        named = STR("");
    for (size_t i = 0; i < ARRAY_LEN(prunes); i++)
        if (str_starts(ev->name, str_of(prunes[i])) || str_eq(named, str_of(prunes[i])))
            return true;
    return false;
}

static int put_events(struct writing *w, struct err *e)
{
    struct offline_events *x = NULL;
    struct offline_event ev;

    if (offline_events_open(&x, w->r, e))
        return e->code;
    while (offline_events_next(x, &ev, e)) {
        if (is_pruned(w->r, &ev))
            continue;
        offline_pool_comma(w->o, &w->more);
        offline_rewrite(w->o, ev.raw, STR_NULL, STR_NULL);
    }
    offline_events_close(x);
    return e->code;
}

static void put_launches(struct writing *w)
{
    for (size_t i = 0; i < w->j->n_self; i++) {
        const struct framework_range *op = &w->r->f.range[w->j->self[i].op];
        size_t n;
        const struct torch_kernel *k = torch_kernels_of(w->j, w->j->self[i].id, &n);
        for (; n; n--, k++) {
            const struct offline_link *x = &w->t->link[k->link];
            put_flow(w, "torch_to_npu", "async_npu", 's', (uint64_t)x->f_ts, w->process, op->thread,
                     op->from);
            put_flow(w, "torch_to_npu", "async_npu", 'f', (uint64_t)x->f_ts, w->t->process[x->f_process].pid,
                     x->f_tid, x->f_ts);
        }
    }
}

/* ---- the whole ---- */

/* Upstream shows Python only beside ops or the queue. */
static bool shows_python(struct writing *w)
{
    if (w->r->f.n_ranges || w->j->queue.n_queued)
        return true;
    w->process = w->python->p.n_calls ? w->python->p.process : w->python->p.gc_process;
    return !w->r->o->compat;
}

static int put_all(struct writing *w, struct err *e)
{
    bool python = shows_python(w);

    emit_c(w->o, '[');
    if (put_ops(w, e) || put_queue(w, e) || (python && see_python(w, e)))
        return e->code;
    put_threads(w);
    if (put_passes(w, e))
        return e->code;
    if (python) {
        put_python(w);
        put_collections(w);
    }
    if (put_events(w, e))
        return e->code;
    put_launches(w);
    emit_c(w->o, ']');
    return OK;
}

int offline_torch_trace(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct torch_python python;
    struct writing w = { .r = r, .process = r->f.process, .python = &python };

    if (torch_python_read(r, &python, e) || offline_timeline(r, &w.t, e) || torch_joins(r, &w.j, e) ||
        intern_new(&w.threads, e) || offline_open(r, &w.o, x, e))
        goto out;
    if (put_all(&w, e) == OK && !w.more)
        offline_drop(r, w.o, x, "there is nothing to show in time");
    else
        (void)!offline_close(r, w.o, e);
out:
    torch_python_done(&python);
    intern_free(w.threads);
    return e->code;
}
