/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges of scopes from the paths in names of kernels and ops of the host.
 *
 * Times are Python's decimals: ends are rounded to 28 digits, which of today's 16 digits of us leaves 12
 * decimals. An instant is held as ns and what is beyond them in 10^-12 us.
 */
#include "config.h"

#include "offline/trace/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/large/sort_index.h"
#include "base/read/json_stream.h"
#include "offline/tables/cpu_ops.h"
#include "offline/trace/decimal28.h"
#include "offline/trace/pools.h"

#define NAME_MAX_B ((size_t)64 << 10)
#define DEPTH_MAX  1024
#define DECIMALS   12
#define FINE_A_NS  1e9 /* 10^-12 us in a ns */

struct scoped {
    int64_t ts;
    double dur;      /* us, of a kernel */
    int64_t dur_ns;  /* of an op of the host */
    uint32_t name;   /* of the kernel: text of the timeline; of an op: of the framework */
    uint32_t link;   /* OFFLINE_NONE: none, or its event is another one */
    uint32_t number; /* of the event */
    uint32_t thread; /* in order of first appearance; ops come first */
    bool is_op;
};
struct length {
    enum { LENGTH_NS, LENGTH_REAL, LENGTH_FINE } is;
    int64_t ns;
    int64_t fine; /* beyond ns, in 10^-12 us */
    int decimals; /* that its sum has */
    double real;
};
struct layer {
    uint32_t name; /* part of a path: text of the scope */
    int64_t ts;
    struct length dur;
};
struct row {
    struct layer x;
    uint32_t depth;
};
struct scope {
    struct offline_run *r;
    struct scoped *v;
    size_t n, cap;
    struct intern *names; /* of kernels, and of parts */
    struct intern *threads;
    struct layer *open;
    size_t n_open, cap_open;
    struct row *row;
    size_t n_rows, cap_rows;
};

int scope_new(struct scope **out, struct offline_run *r, struct err *e)
{
    struct scope *s = *out = calloc(1, sizeof *s);

    if (!s)
        return err_nomem(e);
    s->r = r;
    return intern_new(&s->names, e) == OK ? intern_new(&s->threads, e) : e->code;
}

void scope_free(struct scope *s)
{
    if (!s)
        return;
    spool_free(s->r->pool, s->v);
    spool_free(s->r->pool, s->open);
    spool_free(s->r->pool, s->row);
    intern_free(s->names);
    intern_free(s->threads);
    free(s);
}

/* ---- events ---- */

static bool is_scoped(struct str name)
{
    return str_starts(name, STR("Default")) || str_starts(name, STR("Gradients")) ||
           str_starts(name, STR("recompute_Default"));
}

/* What follows the last "::". */
static struct str after_colons(struct str s)
{
    for (size_t i = s.n; i-- > 1;)
        if (s.p[i] == ':' && s.p[i - 1] == ':')
            return str_sub(s, i + 1, SIZE_MAX);
    return s;
}

static struct str op_of(const struct scope *s, const struct offline_link *x)
{
    return after_colons(framework_str(&s->r->f, s->r->f.range[x->range].name));
}

static int add(struct scope *s, struct scoped x, struct err *e)
{
    struct scoped *v = spool_grow(s->r->pool, s->v, s->n, &s->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = x;
    return OK;
}

static uint32_t thread_of(struct scope *s, const struct offline_event *ev)
{
    const uint64_t key[2] = { ev->pid_n, ev->tid_n };

    return intern_put(s->threads, (struct str){ (const char *)key, sizeof key });
}

int scope_add_kernel(struct scope *s, const struct offline_event *ev, uint32_t link, struct err *e)
{
    const struct offline_link *v = s->r->timeline->link;
    char text[4096];
    struct str name = offline_event_name(ev, text, sizeof text);
    struct scoped x = { .ts = ev->ts_ns, .link = link, .number = ev->number, .thread = thread_of(s, ev) };

    if (ev->ts_ns == INT64_MIN)
        return OK;
    if (!is_scoped(name) &&
        (link == OFFLINE_NONE || v[link].range == OFFLINE_NONE || !is_scoped(op_of(s, &v[link]))))
        return OK;
    if (!offline_event_us(ev, "dur", &x.dur))
        x.dur = 0;
    x.name = intern_put(s->names, str_sub(name, 0, NAME_MAX_B));
    if (x.name == INTERN_NONE || x.thread == INTERN_NONE)
        return err_nomem(e);
    return add(s, x, e);
}

static int add_ops(struct scope *s, struct err *e)
{
    const struct offline_cpu_op *op;
    size_t n;

    if (offline_cpu_ops(s->r, &op, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        struct scoped x = {
            .ts = op[i].from, .dur_ns = op[i].dur, .name = op[i].name, .link = OFFLINE_NONE, .is_op = true
        };
        if (is_scoped(framework_str(&s->r->f, op[i].name)) && add(s, x, e))
            return e->code;
    }
    return OK;
}

/* By start; ops of the host before kernels, those by thread. */
static bool event_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct scoped *v = arg, *x = &v[a], *y = &v[b];

    if (x->ts != y->ts)
        return x->ts < y->ts;
    return x->is_op != y->is_op ? x->is_op : x->thread < y->thread;
}

/* ---- lengths ---- */

static int fraction_bits(double v)
{
    int exponent;
    double m = frexp(fabs(v), &exponent);
    int bits = 53 - exponent;
    uint64_t whole = (uint64_t)ldexp(m, 53);

    if (!whole)
        return 0;
    while (whole % 2 == 0) {
        whole /= 2;
        bits--;
    }
    return bits > 0 ? bits : 0;
}

/* The end of an event after its start, rounded as the sum of both is. */
static struct length rounded(const struct scoped *x)
{
    if (x->is_op)
        return (struct length){ .is = LENGTH_FINE, .ns = x->dur_ns, .decimals = 3 };
    double ns = nearbyint(x->dur * 1000);
    if (!(fabs(ns) < (double)OFFLINE_MOST_NS))
        return (struct length){ .is = LENGTH_FINE, .decimals = 3 };
    int bits = fraction_bits(x->dur);
    struct length l = { .is = LENGTH_FINE, .ns = (int64_t)ns };
    l.fine = (int64_t)nearbyint(fma(x->dur, 1000, -ns) * FINE_A_NS);
    l.decimals = bits > DECIMALS ? DECIMALS : bits > 3 ? bits : 3;
    return l;
}

static struct length length_of(const struct scoped *x)
{
    struct length l = rounded(x);

    l.is = x->is_op ? LENGTH_NS : LENGTH_REAL;
    l.real = x->dur;
    return l;
}

static void put_length(struct emit *o, const struct length *l)
{
    char t[DECIMAL28_TEXT];
    struct decimal28 d;

    if (l->is == LENGTH_NS) {
        emit_fixed(o, l->ns, 3);
    } else if (l->is == LENGTH_REAL) {
        decimal28_set_real(&d, l->real);
        emit_str(o, decimal28_text(&d, t));
    } else {
        __int128 fine = (__int128)l->ns * (int64_t)FINE_A_NS + l->fine;
        if (fine < 0) {
            emit_c(o, '-');
            fine = -fine;
        }
        int64_t whole = (int64_t)(fine / 1000000000000), part = (int64_t)(fine % 1000000000000);
        emit_i(o, whole);
        emit_c(o, '.');
        char digits[24];
        int n = snprintf(digits, sizeof digits, "%012lld", (long long)part);
        emit_n(o, digits, (size_t)(n < l->decimals ? n : l->decimals));
    }
}

/* ---- layers ---- */

/* A path without its last part. */
static struct str scope_path(struct str name)
{
    size_t at = str_rchr(name, '/');

    return at == SIZE_MAX ? STR("") : str_sub(name, 0, at);
}

static size_t parts_of(struct str path)
{
    size_t n = path.n > 0;

    for (size_t i = 0; i < path.n; i++)
        n += path.p[i] == '/';
    return n;
}

/* Its own path, or the longer one of the op that launched it. */
static struct str path_of(const struct scope *s, const struct offline_timeline *t, const struct scoped *x)
{
    struct str own = scope_path(x->is_op ? framework_str(&s->r->f, x->name) : intern_get(s->names, x->name));
    const struct offline_link *link = x->link == OFFLINE_NONE ? NULL : &t->link[x->link];

    if (!link || link->range == OFFLINE_NONE || link->event != x->number)
        return own;
    struct str op = scope_path(op_of(s, link));
    return !own.n || (op.n && parts_of(op) > parts_of(own)) ? op : own;
}

/* With a link whose event is another one after all, its name alone decides. */
static bool takes_part(const struct scope *s, const struct offline_timeline *t, const struct scoped *x)
{
    return x->is_op || (x->link != OFFLINE_NONE && t->link[x->link].event == x->number) ||
           is_scoped(intern_get(s->names, x->name));
}

static int close_layer(struct scope *s, size_t depth, struct err *e)
{
    struct row *v = spool_grow(s->r->pool, s->row, s->n_rows, &s->cap_rows, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->row = v;
    v[s->n_rows++] = (struct row){ s->open[depth], (uint32_t)depth };
    return OK;
}

static int enter(struct scope *s, size_t depth, const struct layer *new, const struct scoped *x, bool *merge,
                 struct err *e)
{
    if (depth == s->n_open) {
        struct layer *v = spool_grow(s->r->pool, s->open, s->n_open, &s->cap_open, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        s->open = v;
        v[s->n_open++] = *new;
        return OK;
    }
    struct layer *at = &s->open[depth];
    if (*merge && at->name == new->name) {
        int64_t since = x->ts - at->ts;
        at->dur = rounded(x);
        at->dur.ns += since;
        return OK;
    }
    *merge = false;
    if (close_layer(s, depth, e))
        return e->code;
    s->open[depth] = *new;
    return OK;
}

static int take_event(struct scope *s, const struct offline_timeline *t, const struct scoped *x,
                      struct err *e)
{
    struct str path = path_of(s, t, x), part;
    bool merge = true;

    if (!path.n || !takes_part(s, t, x))
        return OK;
    if (s->n_open) {
        const struct layer *outer = &s->open[0];
        int64_t end = outer->ts + outer->dur.ns;
        if (x->ts < end || (x->ts == end && outer->dur.fine > 0))
            return OK;
    }
    for (size_t depth = 0; depth < DEPTH_MAX && str_next(&path, '/', &part); depth++) {
        struct layer new = { .name = intern_put(s->names, part), .ts = x->ts, .dur = length_of(x) };
        if (new.name == INTERN_NONE)
            return err_nomem(e);
        if (enter(s, depth, &new, x, &merge, e))
            return e->code;
    }
    return OK;
}

static int make_layers(struct scope *s, const struct offline_timeline *t, struct err *e)
{
    uint32_t *order = NULL;

    if (add_ops(s, e) || prof_order(s->r->pool, &order, s->n, event_before, s->v, e))
        return e->code;
    for (size_t i = 0; i < s->n && !e->code; i++)
        (void)!take_event(s, t, &s->v[order[i]], e);
    spool_free(s->r->pool, order);
    for (size_t i = 0; i < s->n_open && !e->code; i++)
        (void)!close_layer(s, i, e);
    return e->code;
}

/* ---- output ---- */

static void put_row(struct emit *o, const struct scope *s, const struct row *x)
{
    offline_pool_event(o, intern_get(s->names, x->x.name), 3, x->depth, x->x.ts);
    emit_s(o, "\"dur\": \"");
    put_length(o, &x->x.dur);
    emit_s(o, "\", \"cat\": \"\", \"args\": {}}");
}

struct shown {
    const struct row *row;
    uint32_t *turn; /* of a depth: when it came first */
};

static bool row_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct shown *x = arg;

    return x->turn[x->row[a].depth] < x->turn[x->row[b].depth];
}

/* Rows by depth, depths in the order in which they come first. */
static int order_rows(const struct scope *s, uint32_t **order, struct err *e)
{
    struct shown x = { .row = s->row, .turn = calloc(s->n_open + 1, sizeof *x.turn) };
    uint32_t n = 0;

    if (!x.turn)
        return err_nomem(e);
    for (size_t i = 0; i < s->n_rows; i++)
        if (!x.turn[s->row[i].depth])
            x.turn[s->row[i].depth] = ++n;
    (void)!prof_order(s->r->pool, order, s->n_rows, row_before, &x, e);
    free(x.turn);
    return e->code;
}

int scope_write(struct scope *s, const struct offline_timeline *t, struct emit *o, bool *more, struct err *e)
{
    static const struct offline_pool pool = { .pid = 3, .name = "Scope Layer", .sort = 12 };
    uint32_t *order = NULL;

    if (make_layers(s, t, e) || !s->n_rows)
        return e->code;
    if (order_rows(s, &order, e))
        return e->code;
    offline_pool_begin(o, &pool, more);
    for (size_t i = 0; i < s->n_open; i++)
        offline_pool_thread(o, &pool, (int64_t)i, more);
    for (size_t i = 0; i < s->n_rows; i++) {
        offline_pool_comma(o, more);
        put_row(o, s, &s->row[order[i]]);
    }
    spool_free(s->r->pool, order);
    return OK;
}
