/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_view.json of MindSpore (doc/formats/framework.md#trace_view): its own process, ops of the host,
 * msprof's events, flows, the scope layer.
 */
#include "config.h"

#include "base/bounded.h"
#include "base/large/sort_index.h"
#include "offline/tables/cpu_ops.h"
#include "offline/trace/pools.h"
#include "offline/trace/scope.h"

static const struct offline_pool framework_pool = { 1, "MindSpore", 1, true };
static const struct offline_pool cpu_pool = { 2, "CPU OP", 2, true };

struct writing {
    struct offline_run *r;
    struct emit *o;
    bool more;
};

/*
 * A flow that takes no time is drawn as an instant and lost as a flow by the original
 * (doc/formats/framework.md#event-pools): an arrow, unless asked for that.
 */
static bool is_flow(const struct offline_run *r, const struct framework_range *x)
{
    return x->is & RANGE_FLOW && (x->from != x->to || !r->o->compat);
}

/* ---- the framework's ranges ---- */

/* Which ranges are drawn: complete or instants, each by thread in order of first appearance. */
struct drawn {
    const struct framework_range *range;
    struct intern *seen; /* threads of this sort */
    uint32_t *v;         /* ranges */
    uint32_t *thread;    /* number of each one's thread */
    size_t n;
};

static bool drawn_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct drawn *d = arg;

    return d->thread[a] < d->thread[b];
}

static int find_drawn(struct drawn *d, struct offline_run *r, bool instants, struct err *e)
{
    const struct framework *f = &r->f;

    d->range = f->range;
    d->v = spool_array(r->pool, f->n_ranges + 1, sizeof *d->v);
    d->thread = spool_array(r->pool, f->n_ranges + 1, sizeof *d->thread);
    if (!d->v || !d->thread)
        return err_nomem(e);
    if (intern_new(&d->seen, e))
        return e->code;
    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[i];
        if ((x->from == x->to) != instants || is_flow(r, x))
            continue;
        d->thread[d->n] = offline_thread_number(d->seen, x->thread);
        if (d->thread[d->n] == INTERN_NONE)
            return err_nomem(e);
        d->v[d->n++] = (uint32_t)i;
    }
    return prof_sort(r->pool, d->v, d->n, sizeof *d->v, drawn_before, d, e);
}

static void drawn_done(struct drawn *d, struct offline_run *r)
{
    spool_free(r->pool, d->v);
    spool_free(r->pool, d->thread);
    intern_free(d->seen);
}

static void put_member(struct emit *o, const char *key, struct str text)
{
    if (!text.n)
        return;
    emit_fmt(o, ", \"%s\": ", key);
    offline_json_text(o, text);
}

/*
 * "k:v;k:v" as an object: the first two pairs, none of a single one (doc/formats/framework.md#dataset has the
 * same text).
 */
static void put_custom(struct emit *o, struct str custom)
{
    struct str pair;
    size_t n = 0;

    if (!custom.n)
        return;
    emit_s(o, ", \"custom_info\": {");
    bool several = str_chr(custom, ';') != SIZE_MAX;
    while (several && n < 2 && str_next(&custom, ';', &pair)) {
        size_t colon = str_chr(pair, ':');
        emit_s(o, n++ ? ", " : "");
        offline_json_text(o, str_sub(pair, 0, colon));
        emit_s(o, ": ");
        offline_json_text(o, colon == SIZE_MAX ? STR("") : str_sub(pair, colon + 1, SIZE_MAX));
    }
    emit_c(o, '}');
}

/*
 * MindSpore up to 2.5 writes what the record says (doc/formats/framework.md#args-of-framework-events); later
 * {}.
 */
static void put_args(struct emit *o, const struct offline_run *r, const struct framework_range *x)
{
    if (r->flavour & OFFLINE_SINCE26) {
        emit_s(o, "{}");
        return;
    }
    emit_fmt(o, "{\"Sequence number\": %i, \"Fwd thread id\": %U", x->sequence, x->forward);
    put_member(o, "Input type", framework_str(&r->f, x->types));
    put_member(o, "Input Dims", framework_str(&r->f, x->shapes));
    put_member(o, "Call stack", framework_str(&r->f, x->stack));
    put_member(o, "Module Hierarchy", framework_str(&r->f, x->module));
    put_custom(o, framework_str(&r->f, x->custom));
    emit_c(o, '}');
}

static void put_range(struct writing *w, const struct framework_range *x)
{
    struct emit *o = w->o;

    offline_pool_comma(o, &w->more);
    offline_pool_event(o, framework_str(&w->r->f, x->name), framework_pool.pid, (int64_t)x->thread, x->from);
    emit_fmt(o, "\"dur\": \"%t\", \"cat\": \"%s\", \"args\": ", bounded_sub(x->to, x->from),
             x->is & RANGE_FRAME ? "python_function" : "");
    put_args(o, w->r, x);
    emit_c(o, '}');
}

static void put_instant(struct writing *w, const struct framework_range *x)
{
    struct emit *o = w->o;

    offline_pool_comma(o, &w->more);
    emit_s(o, "{\"name\": ");
    offline_json_text(o, framework_str(&w->r->f, x->name));
    emit_fmt(o, ", \"ph\": \"i\", \"ts\": \"%t\", \"pid\": %d, \"tid\": %i, \"args\": ", x->from,
             framework_pool.pid, (int64_t)x->thread);
    put_args(o, w->r, x);
    emit_c(o, '}');
}

/* All threads in the order of the file. */
static int all_threads(struct intern *all, const struct offline_run *r, struct err *e)
{
    for (size_t i = 0; i < r->f.n_ranges; i++) {
        const struct framework_range *x = &r->f.range[i];
        if (!is_flow(r, x) && offline_thread_number(all, x->thread) == INTERN_NONE)
            return err_nomem(e);
    }
    return OK;
}

static int put_framework(struct writing *w, struct err *e)
{
    struct drawn complete = { .n = 0 }, instants = { .n = 0 };
    struct intern *all = NULL;

    if (intern_new(&all, e) == OK && find_drawn(&complete, w->r, false, e) == OK &&
        find_drawn(&instants, w->r, true, e) == OK && complete.n + instants.n &&
        all_threads(all, w->r, e) == OK) {
        offline_pool_begin(w->o, &framework_pool, &w->more);
        (void)!offline_pool_threads(w->o, &framework_pool, all, &w->more, e);
        for (size_t i = 0; i < complete.n; i++)
            put_range(w, &complete.range[complete.v[i]]);
        for (size_t i = 0; i < instants.n; i++)
            put_instant(w, &instants.range[instants.v[i]]);
    }
    drawn_done(&complete, w->r);
    drawn_done(&instants, w->r);
    intern_free(all);
    return e->code;
}

/* ---- ops of the host ---- */

struct cpu_ops {
    const struct offline_cpu_op *v;
    size_t n;
    uint32_t *thread;
};

static bool cpu_op_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct cpu_ops *c = arg;

    return c->thread[a] < c->thread[b];
}

static void put_cpu_op(struct writing *w, const struct offline_cpu_op *x)
{
    offline_pool_comma(w->o, &w->more);
    offline_pool_event(w->o, framework_str(&w->r->f, x->name), cpu_pool.pid, x->thread, x->from);
    emit_fmt(w->o, "\"dur\": \"%t\", \"cat\": \"\", \"args\": {\"type\": \"HostCpuOps\"}}", x->dur);
}

static int put_cpu_ops(struct writing *w, struct err *e)
{
    struct cpu_ops c = { .n = 0 };
    struct intern *seen = NULL;
    uint32_t *order = NULL;

    if (offline_cpu_ops(w->r, &c.v, &c.n, e) || !c.n)
        return e->code;
    c.thread = spool_array(w->r->pool, c.n, sizeof *c.thread);
    if (!c.thread)
        return err_nomem(e);
    (void)!intern_new(&seen, e);
    for (size_t i = 0; i < c.n && !e->code; i++) {
        c.thread[i] = offline_thread_number(seen, (uint64_t)c.v[i].thread);
        if (c.thread[i] == INTERN_NONE)
            err_nomem(e);
    }
    if (!e->code && prof_order(w->r->pool, &order, c.n, cpu_op_before, &c, e) == OK) {
        offline_pool_begin(w->o, &cpu_pool, &w->more);
        (void)!offline_pool_threads(w->o, &cpu_pool, seen, &w->more, e);
        for (size_t i = 0; i < c.n; i++)
            put_cpu_op(w, &c.v[order[i]]);
    }
    spool_free(w->r->pool, order);
    spool_free(w->r->pool, c.thread);
    intern_free(seen);
    return e->code;
}

/* ---- msprof's events ---- */

static void put_event(struct writing *w, const struct offline_timeline *t, const struct offline_event *ev,
                      struct buf *more, size_t *at)
{
    const struct offline_link *x = ev->args.p ? offline_link_of(t, ev->number, at) : NULL;

    buf_clear(more);
    if (x) {
        buf_puts(more, "\"mindspore_op\": ");
        offline_json_add(more, framework_str(&w->r->f, w->r->f.range[x->range].name));
    }
    offline_pool_comma(w->o, &w->more);
    offline_rewrite(w->o, ev->raw, ev->args, x ? buf_str(more) : STR_NULL);
}

static int put_events(struct writing *w, const struct offline_timeline *t, struct err *e)
{
    struct offline_events *x = NULL;
    struct offline_event ev;
    struct buf more;
    size_t at = 0;

    if (offline_events_open(&x, w->r, e))
        return e->code;
    buf_init(&more, (size_t)1 << 20);
    while (offline_events_next(x, &ev, e))
        put_event(w, t, &ev, &more, &at);
    buf_done(&more);
    offline_events_close(x);
    return e->code;
}

/* ---- flows ---- */

static void put_flow(struct writing *w, const char *name, const char *cat, char ph, int64_t ts, uint64_t pid,
                     uint64_t tid, bool by_time, uint64_t id)
{
    const char phase[2] = { ph, '\0' };

    offline_pool_comma(w->o, &w->more);
    emit_fmt(w->o,
             "{\"name\": \"%s\", \"bp\": \"e\", \"ph\": \"%s\", \"ts\": \"%t\", \"pid\": %U, \"tid\": %U",
             name, phase, ts, pid, tid);
    emit_s(w->o, ", \"id\": \"");
    if (by_time)
        emit_fixed(w->o, (int64_t)id, 3);
    else
        emit_u(w->o, id);
    emit_fmt(w->o, "\", \"cat\": \"%s\"}", cat);
}

struct flow_end {
    uint64_t id;
    uint32_t range, first; /* first: number of the id's first end */
    bool starts;
};
struct flow_ends {
    struct flow_end *v;
    size_t n, cap;
};

static bool end_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct flow_end *v = arg;

    return v[a].id < v[b].id;
}

static bool first_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct flow_end *v = arg;

    return v[a].first < v[b].first;
}

static int find_ends(struct flow_ends *s, struct offline_run *r, struct err *e)
{
    for (size_t i = 0; i < r->f.n_ranges; i++) {
        const struct framework_range *x = &r->f.range[i];
        if (x->flow == FRAMEWORK_NO_FLOW || (x->from == x->to && !is_flow(r, x)))
            continue;
        struct flow_end *v = spool_grow(r->pool, s->v, s->n, &s->cap, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        s->v = v;
        v[s->n++] = (struct flow_end){ x->flow, (uint32_t)i, (uint32_t)i, x->is & RANGE_FLOW };
    }
    return OK;
}

/* Of ids with one start and one end: the start, then the end, in order of the starts; the others go. */
static void keep_pairs(struct flow_ends *s)
{
    size_t n = 0;

    for (size_t from = 0, to; from < s->n; from = to) {
        for (to = from + 1; to < s->n && s->v[to].id == s->v[from].id;)
            to++;
        if (to - from != 2 || s->v[from].starts == s->v[from + 1].starts)
            continue;
        struct flow_end a = s->v[from], b = s->v[from + 1];
        if (!a.starts) {
            struct flow_end swap = a;
            a = b;
            b = swap;
        }
        b.first = a.first;
        s->v[n++] = a;
        s->v[n++] = b;
    }
    s->n = n;
}

static int put_own_flows(struct writing *w, struct err *e)
{
    struct flow_ends s = { .n = 0 };
    struct spool *pool = w->r->pool;

    if (find_ends(&s, w->r, e) == OK && prof_sort(pool, s.v, s.n, sizeof *s.v, end_before, s.v, e) == OK) {
        keep_pairs(&s);
        (void)!prof_sort(pool, s.v, s.n, sizeof *s.v, first_before, s.v, e);
    }
    for (size_t i = 0; i < s.n && !e->code; i++) {
        const struct framework_range *x = &w->r->f.range[s.v[i].range];
        put_flow(w, "mindspore_to_self", "async_mindspore", i % 2 ? 'f' : 's', x->from,
                 (uint64_t)framework_pool.pid, x->thread, false, s.v[i].id);
    }
    spool_free(pool, s.v);
    return e->code;
}

/* ---- marks of the program ---- */

struct marked {
    const struct framework_range *range; /* NULL: of msprof */
    const struct offline_mark *mark;
    uint64_t tid;
    int64_t ts;
};
struct marks {
    struct marked *v;
    size_t n, cap;
};

static bool mark_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct marked *v = arg;

    return v[a].tid != v[b].tid ? v[a].tid < v[b].tid : v[a].ts < v[b].ts;
}

static int add_mark(struct writing *w, struct marks *s, struct marked x, struct err *e)
{
    struct marked *v = spool_grow(w->r->pool, s->v, s->n, &s->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = x;
    return OK;
}

/* Calls of the framework that mark, and the ranges that msprof shows of them; both by thread and start. */
static int find_marks(struct writing *w, const struct offline_timeline *t, struct marks *calls,
                      struct marks *ranges, struct err *e)
{
    const struct framework *f = &w->r->f;

    for (size_t i = 0; i < f->n_ranges && t->n_marks && !e->code; i++) {
        const struct framework_range *x = &f->range[i];
        if (x->is & RANGE_FLOW || x->from == x->to ||
            str_find(framework_str(f, x->name), STR("Mstx"), 0) == SIZE_MAX)
            continue;
        (void)!add_mark(w, calls, (struct marked){ x, NULL, x->thread, x->from }, e);
    }
    for (size_t i = 0; i < t->n_marks && calls->n && !e->code; i++)
        (void)!add_mark(w, ranges, (struct marked){ NULL, &t->mark[i], t->mark[i].tid, t->mark[i].ts }, e);
    if (e->code || prof_sort(w->r->pool, calls->v, calls->n, sizeof *calls->v, mark_before, calls->v, e))
        return e->code;
    return prof_sort(w->r->pool, ranges->v, ranges->n, sizeof *ranges->v, mark_before, ranges->v, e);
}

/*
 * A range belongs to the next call of its thread that has not ended before it
 * (doc/formats/framework.md#mstx-flows). The id, which that page does not know, is made as that of a launch.
 */
static int put_mark_flows(struct writing *w, const struct offline_timeline *t, struct err *e)
{
    struct marks calls = { .n = 0 }, ranges = { .n = 0 };
    size_t at = 0;

    (void)!find_marks(w, t, &calls, &ranges, e);
    for (size_t i = 0; i < ranges.n && !e->code; i++) {
        const struct marked *x = &ranges.v[i];
        while (at < calls.n &&
               (calls.v[at].tid < x->tid || (calls.v[at].tid == x->tid && calls.v[at].range->to < x->ts)))
            at++;
        if (at == calls.n || calls.v[at].tid != x->tid || calls.v[at].ts > x->ts)
            continue;
        put_flow(w, "mindspore_to_mstx", "MsTx", 's', calls.v[at].ts, (uint64_t)framework_pool.pid, x->tid,
                 true, (uint64_t)x->ts);
        put_flow(w, "mindspore_to_mstx", "MsTx", 'f', x->ts, x->mark->pid, x->tid, true, (uint64_t)x->ts);
        at++;
    }
    spool_free(w->r->pool, calls.v);
    spool_free(w->r->pool, ranges.v);
    return e->code;
}

/* ---- kernels ---- */

static void put_links(struct writing *w, const struct offline_timeline *t)
{
    for (size_t i = 0; i < t->n_linked; i++) {
        const struct offline_link *x = &t->link[t->linked[i]];
        const struct framework_range *range = &w->r->f.range[x->range];
        put_flow(w, "mindspore_to_npu", "async_npu", 's', range->from, (uint64_t)framework_pool.pid,
                 range->thread, true, (uint64_t)x->f_ts);
        put_flow(w, "mindspore_to_npu", "async_npu", 'f', x->f_ts, t->process[x->f_process].pid, x->f_tid,
                 true, (uint64_t)x->f_ts);
    }
}

/* ---- the whole ---- */

static int put_all(struct writing *w, const struct offline_timeline *t, struct err *e)
{
    emit_c(w->o, '[');
    if (put_framework(w, e) || put_cpu_ops(w, e) || put_events(w, t, e) || put_own_flows(w, e) ||
        put_mark_flows(w, t, e))
        return e->code;
    put_links(w, t);
    if (scope_write(t->scope, t, w->o, &w->more, e))
        return e->code;
    emit_c(w->o, ']');
    return OK;
}

int offline_trace_view(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_timeline *t;
    struct writing w = { .r = r };

    if (offline_timeline(r, &t, e))
        return e->code;
    if (offline_open(r, &w.o, x, e))
        return e->code;
    if (put_all(&w, t, e) == OK && !w.more) {
        offline_drop(r, w.o, x, "there is nothing to show in time");
        return OK;
    }
    return offline_close(r, w.o, e);
}
