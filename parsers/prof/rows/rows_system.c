/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engines and network devices as curves of the timeline; memory and processors of the systems as rows of
 * host_sample (doc/formats/prof.md#text-samples).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/system.h"

#define SORT_DVPP 40 /* after the layers that msprof has */

static const struct prof_layer share_layer = { "DVPP", "%", PROF_DVPP, SORT_DVPP },
                               frames_layer = { "DVPP", "frames", PROF_DVPP, SORT_DVPP },
                               bytes_layer = { "Network Devices", "B/s", PROF_NETDEV, SORT_DVPP + 1 },
                               packets_layer = { "Network Devices", "packets/s", PROF_NETDEV, SORT_DVPP + 1 };

/* ---- curves ---- */

static int on_dvpp(void *arg, const struct prof_dvpp *d, struct err *e)
{
    struct prof_curves *c = arg;
    const char *word = prof_dvpp_word(d->type);
    int64_t ts = prof_sample_mono_ns(c->f, d->ns);
    char name[80], one[120];

    snprintf(name, sizeof name, "%" PRIu32 "/%s %" PRIu32, d->id, word ? word : "engine", d->engine);
    snprintf(one, sizeof one, "%s/utilization", name);
    if (prof_curve_put(c, &share_layer, one, ts, d->usage, e))
        return e->code;
    snprintf(one, sizeof one, "%s/frames", name);
    return prof_curve_put(c, &frames_layer, one, ts, d->frames, e);
}

static int on_netdev(void *arg, const struct prof_netdev *d, struct err *e)
{
    static const struct {
        enum prof_netdev_value v;
        const struct prof_layer *layer;
        const char *name;
    } series[] = {
        { PROF_MAC_TX_BYTES, &bytes_layer, "MAC Tx" },
        { PROF_MAC_RX_BYTES, &bytes_layer, "MAC Rx" },
        { PROF_NIC_TX_BYTES, &bytes_layer, "NIC Tx" },
        { PROF_NIC_RX_BYTES, &bytes_layer, "NIC Rx" },
        { PROF_MAC_TX_PFC, &packets_layer, "MAC Tx PFC" },
        { PROF_MAC_RX_PFC, &packets_layer, "MAC Rx PFC" },
        { PROF_ROCE_TX, &packets_layer, "RoCE Tx" },
        { PROF_ROCE_RX, &packets_layer, "RoCE Rx" },
        { PROF_ROCE_TX_ERROR, &packets_layer, "RoCE Tx errors" },
        { PROF_ROCE_RX_ERROR, &packets_layer, "RoCE Rx errors" },
        { PROF_ROCE_RETRY, &packets_layer, "RoCE retries" },
    };
    struct prof_curves *c = arg;
    int64_t ts = prof_netdev_ns(c->r->m.p, c->f, d->to);

    for (size_t i = 0; i < ARRAY_LEN(series); i++)
        if (prof_curve_put(c, series[i].layer, series[i].name, ts, prof_netdev_rate(d, series[i].v), e))
            return e->code;
    return OK;
}

int prof_curves_system(struct prof_curves *c, struct err *e)
{
    if (prof_dvpp_read(c->r->m.p, c->f, on_dvpp, c, e))
        return e->code;
    return prof_netdev_read(c->r->m.p, c->f, on_netdev, c, e);
}

/* ---- host_sample: the origin of the stamps is not known ---- */

struct measurements {
    struct prof_rows *r;
    const struct prof_folder *f;
    enum prof_tag tag;
    struct prof_cputimes before;
    bool has_before;
};

static int put_row(const struct measurements *m, const char *what, uint64_t stamp, double value,
                   struct err *e)
{
    struct val v[N_COLS(host_sample)] = { 0 };
    char name[80];

    snprintf(name, sizeof name, "%s%s", m->f->host ? "" : "NPU ", what);
    v[COL(host_sample, rank)] = val_int(prof_rows_rank(m->r, m->f));
    v[COL(host_sample, what)] = val_cstr(name);
    v[COL(host_sample, at_ns)] = stamp <= INT64_MAX ? val_uint(stamp) : val_null();
    v[COL(host_sample, value)] = val_real(value);
    v[COL(host_sample, source_id)] = val_id(prof_rows_source(m->f, m->tag));
    return sink_row(m->r->g->out, T_host_sample, v, N_COLS(host_sample), NULL, e);
}

static int on_meminfo(void *arg, const struct prof_meminfo *x, struct err *e)
{
    double free_kb = (double)x->v[PROF_MEM_FREE], total = (double)x->v[PROF_MEM_TOTAL],
           cache = (double)x->v[PROF_MEM_BUFFERS] + (double)x->v[PROF_MEM_CACHED];

    if (put_row(arg, "System Memory Used(KB)", x->stamp, total - free_kb - cache, e))
        return e->code;
    return put_row(arg, "System Memory Free(KB)", x->stamp, free_kb, e);
}

static int on_cputimes(void *arg, const struct prof_cputimes *c, struct err *e)
{
    struct measurements *m = arg;
    double all = 0, idle;

    if (c->cpu >= 0)
        return OK;
    for (size_t i = 0; i < N_PROF_CPUTIME; i++)
        all += (double)c->v[i] - (double)m->before.v[i];
    idle = (double)c->v[PROF_CPU_IDLE] - (double)m->before.v[PROF_CPU_IDLE] + (double)c->v[PROF_CPU_IOWAIT] -
           (double)m->before.v[PROF_CPU_IOWAIT];
    bool has_before = m->has_before;
    m->before = *c;
    m->has_before = true;
    return has_before && all > 0 && idle >= 0 && idle <= all
               ? put_row(m, "System CPU Usage(%)", c->stamp, (all - idle) / all * 100, e)
               : OK;
}

static int measure(struct prof_rows *r, const struct prof_folder *f, struct err *e)
{
    struct measurements m = { .r = r, .f = f, .tag = f->host ? PROF_HOST_SYS_MEM : PROF_SYS_MEM };

    if (prof_meminfo_read(r->m.p, f, on_meminfo, &m, e))
        return e->code;
    m.tag = f->host ? PROF_HOST_SYS_CPU : PROF_SYS_CPU;
    return prof_cputimes_read(r->m.p, f, on_cputimes, &m, e);
}

int prof_measure_systems(struct prof_rows *r, struct err *e)
{
    int rc = r->m.p->host ? measure(r, r->m.p->host, e) : OK;

    for (size_t i = 0; i < r->m.p->n_devices && rc == OK; i++)
        rc = measure(r, r->m.p->device[i], e);
    return rc;
}
