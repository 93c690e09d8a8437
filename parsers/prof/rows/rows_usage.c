/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How busy the host was: curves of the timeline with the calls of the system, and rows of host_sample
 * (doc/formats/prof.md#text-samples, doc/formats/msprof.md#timeline).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/usage.h"

/* As msprof orders layers. */
#define SORT_CPU   9
#define SORT_CALLS 13

static const struct prof_layer cpu_layer = { "CPU Usage", "%", PROF_HOST_CPU, SORT_CPU },
                               mem_layer = { "Memory Usage", "%", PROF_HOST_MEM, SORT_CPU + 1 },
                               net_layer = { "Network Usage", "%", PROF_HOST_NET, SORT_CPU + 2 },
                               rate_layer = { "Network Usage", "KB/s", PROF_HOST_NET, SORT_CPU + 2 },
                               disk_layer = { "Disk Usage", "%", PROF_HOST_DISK, SORT_CPU + 3 },
                               access_layer = { "Disk Usage", "KB/s", PROF_HOST_DISK, SORT_CPU + 3 };

static int64_t whole(double ns)
{
    return ns > -9e18 && ns < 9e18 ? (int64_t)ns : 0;
}

/* ---- curves ---- */

static int cpu_point(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    struct prof_curves *c = arg;
    char name[24] = "all";

    if (u->cpu != PROF_ALL_CPUS)
        snprintf(name, sizeof name, "CPU %" PRId32, u->cpu);
    return prof_curve_put(c, &cpu_layer, name, prof_mono_ns(c->f, u->from), (double)u->usage_e6 / 1e6, e);
}

static int mem_point(void *arg, const struct prof_mem_use *u, struct err *e)
{
    struct prof_curves *c = arg;

    return prof_curve_put(c, &mem_layer, "Memory Usage", prof_mono_ns(c->f, u->ns), (double)u->usage_e6 / 1e6,
                          e);
}

static int net_point(void *arg, const struct prof_net_use *u, struct err *e)
{
    struct prof_curves *c = arg;
    int64_t ts = prof_mono_ns(c->f, u->from);

    if (prof_curve_put(c, &net_layer, "Network Usage", ts, prof_net_use_percent(u), e))
        return e->code;
    return prof_curve_put(c, &rate_layer, "Speed", ts, prof_net_use_kbs(u), e);
}

static int disk_point(void *arg, const struct prof_disk_use *u, struct err *e)
{
    struct prof_curves *c = arg;
    int64_t ts = prof_mono_ns(c->f, whole(u->from));

    if (prof_curve_put(c, &disk_layer, "Disk Usage", ts, u->usage, e) ||
        prof_curve_put(c, &access_layer, "Read", ts, u->read_kbs, e))
        return e->code;
    return prof_curve_put(c, &access_layer, "Write", ts, u->write_kbs, e);
}

/* ---- calls ---- */

static int put_call(void *arg, const struct prof_os_call *x, struct err *e)
{
    struct prof_tracks *t = arg;
    int64_t ts = prof_mono_ns(t->f, x->start);

    if (ts < prof_begin_ns(t->f))
        return OK;
    uint32_t track = prof_tracks_get(t, x->thread, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(t->r->g->out, track, ts, x->dur, prof_rows_id(t->r, x->name), 0, e);
}

static int put_calls(struct prof_rows *r, enum prof_tag tag, struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = r->m.p->host,
                             .kind = TK_HOST_THREAD,
                             .process = "OS Runtime API",
                             .what = "Thread",
                             .sort = SORT_CALLS,
                             .source = prof_rows_source(r->m.p->host, tag) };
    int rc = prof_os_call_read(r->m.p, r->m.p->host, tag, put_call, &t, e);

    prof_tracks_done(&t);
    return rc;
}

int prof_curves_host(struct prof_rows *r, struct err *e)
{
    struct prof_curves c = { .r = r, .f = r->m.p->host };
    int rc;

    if (!c.f)
        return OK;
    if ((rc = prof_cpu_use_read(r->m.p, c.f, cpu_point, &c, e)) == OK &&
        (rc = prof_mem_use_read(r->m.p, c.f, mem_point, &c, e)) == OK &&
        (rc = prof_net_use_read(r->m.p, c.f, net_point, &c, e)) == OK &&
        (rc = prof_disk_use_read(r->m.p, c.f, disk_point, &c, e)) == OK &&
        (rc = put_calls(r, PROF_HOST_SYSCALL, e)) == OK)
        rc = put_calls(r, PROF_HOST_PTHREAD, e);
    prof_curves_done(&c);
    return rc;
}

/* ---- host_sample ---- */

struct measurements {
    struct prof_rows *r;
    const struct prof_folder *f;
    enum prof_tag tag;
};

static int put_row(const struct measurements *m, const char *what, int64_t mono_ns, double value,
                   struct err *e)
{
    struct val v[N_COLS(host_sample)] = { 0 };
    int64_t ts = prof_mono_ns(m->f, mono_ns);

    if (ts < prof_begin_ns(m->f))
        return OK;
    v[COL(host_sample, rank)] = val_int(prof_rows_rank(m->r, m->f));
    v[COL(host_sample, what)] = val_cstr(what);
    v[COL(host_sample, ts_ns)] = val_int(ts);
    v[COL(host_sample, value)] = val_real(value);
    v[COL(host_sample, source_id)] = val_id(prof_rows_source(m->f, m->tag));
    return sink_row(m->r->g->out, T_host_sample, v, N_COLS(host_sample), NULL, e);
}

/* Use of all processors together: each of them is a curve. */
static int cpu_row(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    return u->cpu == PROF_ALL_CPUS ? put_row(arg, "CPU Usage(%)", u->from, (double)u->usage_e6 / 1e6, e) : OK;
}

static int mem_row(void *arg, const struct prof_mem_use *u, struct err *e)
{
    if (put_row(arg, "Memory Usage(%)", u->ns, (double)u->usage_e6 / 1e6, e))
        return e->code;
    return put_row(arg, "Resident Memory(KB)", u->ns, (double)u->pages * 4, e);
}

static int net_row(void *arg, const struct prof_net_use *u, struct err *e)
{
    if (put_row(arg, "Network Usage(%)", u->from, prof_net_use_percent(u), e))
        return e->code;
    return put_row(arg, "Network Speed(KB/s)", u->from, prof_net_use_kbs(u), e);
}

static int disk_row(void *arg, const struct prof_disk_use *u, struct err *e)
{
    int64_t ns = whole(u->from);

    if (put_row(arg, "Disk Usage(%)", ns, u->usage, e) || put_row(arg, "Disk Read(KB/s)", ns, u->read_kbs, e))
        return e->code;
    return put_row(arg, "Disk Write(KB/s)", ns, u->write_kbs, e);
}

int prof_rows_usage(struct prof_rows *r, struct err *e)
{
    struct measurements m = { .r = r, .f = r->m.p->host, .tag = PROF_HOST_CPU };

    if (prof_cpu_use_read(r->m.p, m.f, cpu_row, &m, e))
        return e->code;
    m.tag = PROF_HOST_MEM;
    if (prof_mem_use_read(r->m.p, m.f, mem_row, &m, e))
        return e->code;
    m.tag = PROF_HOST_NET;
    if (prof_net_use_read(r->m.p, m.f, net_row, &m, e))
        return e->code;
    m.tag = PROF_HOST_DISK;
    if (prof_disk_use_read(r->m.p, m.f, disk_row, &m, e))
        return e->code;
    if (prof_measure_systems(r, e))
        return e->code;
    return prof_measure_tscpus(r, e);
}
