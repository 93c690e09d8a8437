/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of the host's usage, and calls of the system (doc/formats/msprof.md#timeline; names and members:
 * upstream, analysis/csrc/application/timeline/host_usage_assembler.cpp and analysis/host_prof).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/tables/usage.h"
#include "msprof/trace/trace.h"

/*
 * In a partial export: part of the span lies in the iterations (upstream,
 * analysis/msinterface/msprof_timeline.py).
 */
static bool is_in_part(const struct msprof_trace *t, int64_t ns, int64_t dur)
{
    if (!t->r->o->partial)
        return true;
    if (t->of >= t->r->m.n_dev)
        return false;
    const struct prof_how *how = &t->r->how[t->of];
    const struct msprof_clock *c = &t->r->clock[t->of];
    int64_t from = msprof_local_ns(c, msprof_dev(c, how->from, 1e9)),
            to = msprof_local_ns(c, msprof_dev(c, how->to, 1e9));
    return how->from <= how->to && ((ns >= from && ns < to) || (ns < from && ns + dur > from));
}

/* Wall clock ns; false: before the collection began, or not in the exported part. */
static bool sees(const struct msprof_trace *t, int64_t mono_ns, int64_t dur, int64_t *ns)
{
    const struct prof_folder *f = t->r->m.p->host;

    *ns = t->dialect == DIALECT_PYTHON ? msprof_local_ns(&t->r->host_clock, (double)mono_ns)
                                       : prof_mono_ns(f, mono_ns);
    return prof_mono_ns(f, mono_ns) >= prof_begin_ns(f) && is_in_part(t, *ns, dur);
}

static void begin_process(struct msprof_trace *t)
{
    if (!t->n_written)
        trace_metadata(t, NULL, 0);
}

static bool is_kept(struct msprof_trace *t, int64_t mono_ns, int64_t *ns)
{
    if (!sees(t, mono_ns, 0, ns))
        return false;
    begin_process(t);
    return true;
}

/* Python goes by devices: the host's layers are written with the first of them. */
static bool is_turn(const struct msprof_trace *t)
{
    return t->r->m.p->host && (t->dialect == DIALECT_CPP || t->of + 1 >= t->r->m.n_dev);
}

static void put_usage(struct msprof_trace *t, const char *word, uint32_t tid, int64_t ns, double v)
{
    trace_counter_of(t, &(struct trace_event){ .word = word, .tid = tid, .ts = ns });
    trace_real(t, "Usage(%)", v);
    trace_end(t);
}

/* ---- processors: in Python threads, by number, after the thread of all processors ---- */

struct cpus {
    struct msprof_trace *t;
    struct trace_ids ids; /* number + 1 */
    bool put;             /* false: they are only counted */
};

static uint32_t place_of(const struct trace_ids *s, uint64_t id)
{
    size_t lo = 0, hi = s->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->v[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint32_t)lo;
}

static int on_cpu(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    struct cpus *c = arg;
    uint64_t id = (uint64_t)(u->cpu + (int64_t)1);
    char name[32] = "CPU Avg";
    int64_t ns;

    if (!sees(c->t, u->from, 0, &ns))
        return OK;
    if (!c->put)
        return trace_ids_add(&c->ids, id, e);
    begin_process(c->t);
    if (u->cpu != PROF_ALL_CPUS)
        snprintf(name, sizeof name, "CPU %ld", (long)u->cpu);
    put_usage(c->t, name, c->t->dialect ? place_of(&c->ids, id) : 0, ns, (double)u->usage_e6 / 1e6);
    return OK;
}

static int put_threads(struct cpus *c, struct err *e)
{
    struct trace_thread *v = calloc(c->ids.n + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < c->ids.n; i++) {
        bool all = !c->ids.v[i];
        v[i] = (struct trace_thread){ .tid = (uint32_t)i,
                                      .before = all ? "CPU Avg" : "CPU ",
                                      .has_n = !all,
                                      .n = c->ids.v[i] - 1,
                                      .sort = i };
    }
    trace_metadata(c->t, v, c->ids.n);
    free(v);
    return OK;
}

int trace_cpu_usage(struct msprof_trace *t, struct err *e)
{
    struct cpus c = { .t = t };

    if (!is_turn(t))
        return OK;
    if (t->dialect == DIALECT_PYTHON && prof_cpu_use_read(t->r->m.p, t->r->m.p->host, on_cpu, &c, e) == OK &&
        c.ids.n) {
        trace_ids_sort(&c.ids);
        (void)!put_threads(&c, e);
    }
    c.put = true;
    if (!e->code)
        (void)!prof_cpu_use_read(t->r->m.p, t->r->m.p->host, on_cpu, &c, e);
    free(c.ids.v);
    return e->code;
}

/* ---- memory, network, disks ---- */

static int on_memory(void *arg, const struct msprof_memory *m, struct err *e)
{
    struct msprof_trace *t = arg;
    int64_t ns;

    (void)e;
    if (is_kept(t, m->from, &ns))
        put_usage(t, "Memory Usage", 0, ns, t->dialect ? emit_round(m->usage, 3) : m->usage);
    return OK;
}

int trace_memory_usage(struct msprof_trace *t, struct err *e)
{
    return is_turn(t) ? msprof_memory_read(t->r->m.p, on_memory, t, e) : OK;
}

static int on_network(void *arg, const struct prof_net_use *u, struct err *e)
{
    struct msprof_trace *t = arg;
    const struct msprof_network n = msprof_network_of(u, t->r->o->compat);
    int64_t ns;

    (void)e;
    if (is_kept(t, n.from, &ns))
        put_usage(t, "Network Usage", 0, ns, n.usage);
    return OK;
}

int trace_network_usage(struct msprof_trace *t, struct err *e)
{
    return is_turn(t) ? prof_net_use_read(t->r->m.p, t->r->m.p->host, on_network, t, e) : OK;
}

static int on_disk(void *arg, const struct prof_disk_use *u, struct err *e)
{
    struct msprof_trace *t = arg;
    int64_t ns;

    (void)e;
    if (is_kept(t, repr_whole(u->from), &ns))
        put_usage(t, "Disk Usage", 0, ns, u->usage);
    return OK;
}

int trace_disk_usage(struct msprof_trace *t, struct err *e)
{
    return is_turn(t) ? prof_disk_use_read(t->r->m.p, t->r->m.p->host, on_disk, t, e) : OK;
}

/* ---- calls ---- */

struct calls {
    struct msprof_trace *t;
    enum prof_tag tag;
    struct trace_ids threads;
    bool put;
};

static int on_call(void *arg, const struct prof_os_call *x, struct err *e)
{
    struct calls *c = arg;
    struct msprof_trace *t = c->t;
    struct str name = prof_str(t->r->m.p, x->name);
    int64_t ns;

    if (!msprof_shows_call(t->r, c->tag, x->name) || !sees(t, x->start, x->dur, &ns))
        return OK;
    if (!c->put)
        return trace_ids_add(&c->threads, x->thread, e);
    const struct trace_event v = { .word = "",
                                   .text = name,
                                   .tid = x->thread,
                                   .ts = ns,
                                   .dur = t->dialect == DIALECT_PYTHON ? TRACE_US : x->dur,
                                   .us = (double)x->dur / 1000 };
    if (t->dialect == DIALECT_PYTHON) {
        trace_bare_slice(t, &v);
    } else {
        trace_slice(t, &v);
        trace_end(t);
    }
    return OK;
}

static int read_calls(struct calls *c, struct err *e)
{
    static const enum prof_tag tags[] = { PROF_HOST_SYSCALL, PROF_HOST_PTHREAD };

    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        c->tag = tags[i];
        if (prof_os_call_read(c->t->r->m.p, c->t->r->m.p->host, tags[i], on_call, c, e))
            return e->code;
    }
    return OK;
}

int trace_os_calls(struct msprof_trace *t, struct err *e)
{
    struct calls c = { .t = t };

    if (!is_turn(t))
        return OK;
    if (read_calls(&c, e) == OK && c.threads.n && trace_numbered(t, &c.threads, "Thread ", e) == OK) {
        c.put = true;
        (void)!read_calls(&c, e);
    }
    free(c.threads.v);
    return e->code;
}
