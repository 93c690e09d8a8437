/* Curves of the timeline: what was sampled on the devices (formats/msprof-raw.md 4.7, 4.9, 5.10, 5.11, 6.3), by the exact clock. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "prof_memory.h"
#include "prof_rows.h"
#include "prof_sampled.h"

#define SORT_FREQ 15 /* as msprof orders layers; the others follow in this order */
#define KIB       1024.0

struct curves {
    struct prof_rows *r;
    const struct prof_folder *f;
    struct curve {
        char key[96];
        uint32_t track;
    } * v;
    size_t n, cap, last;
};

/* A layer of curves. */
struct layer {
    const char *process, *unit;
    enum prof_tag tag;
};
enum { L_FREQ, L_MEMORY, L_HBM, L_LLC_RATE, L_LLC, L_HCCS, L_NIC, L_ROCE };
static const struct layer layers[] = {
    [L_FREQ] = { "AI Core Freq", "MHz", PROF_FREQ },
    [L_MEMORY] = { "NPU MEM", "KB", PROF_NPU_MEM },
    [L_HBM] = { "HBM", "MB/s", PROF_HBM },
    [L_LLC_RATE] = { "LLC", "%", PROF_LLC },
    [L_LLC] = { "LLC", "MB/s", PROF_LLC },
    [L_HCCS] = { "HCCS", "MB/s", PROF_HCCS },
    [L_NIC] = { "NIC", "", PROF_NIC },
    [L_ROCE] = { "RoCE", "", PROF_ROCE },
};

/* SINK_NO_TRACK: e is set. */
static uint32_t curve_of(struct curves *c, unsigned layer, const char *name, struct err *e)
{
    const struct layer *l = &layers[layer];
    char process[64];
    struct curve one;

    snprintf(one.key, sizeof one.key, "%s: %s", l->process, name);
    for (size_t i = 0, k = c->last; i < c->n; i++, k = k + 1 < c->n ? k + 1 : 0)
        if (strcmp(c->v[k].key, one.key) == 0) {
            c->last = k;
            return c->v[k].track;
        }
    struct curve *v = grow_array(c->v, c->n, &c->cap, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    c->v = v;
    if (c->r->n_dev > 1)
        snprintf(process, sizeof process, "%s NPU %d", l->process, c->f->device);
    else
        snprintf(process, sizeof process, "%s", l->process);
    const struct track_def def = { .rank = prof_rows_rank(c->r, c->f),
                                   .kind = TK_COUNTER,
                                   .pid = str_of(process),
                                   .tid = str_of(one.key),
                                   .process = str_of(process),
                                   .name = str_of(name),
                                   .sort = ((int64_t)(SORT_FREQ + layer) << 40) + (int64_t)c->n,
                                   .stream = -1,
                                   .unit = str_of(l->unit),
                                   .source_id = prof_rows_source(c->f, l->tag) };
    one.track = sink_track(c->r->g->out, &def);
    if (one.track == SINK_NO_TRACK) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    c->last = c->n;
    v[c->n++] = one;
    return one.track;
}

static int put(struct curves *c, unsigned layer, const char *name, int64_t ts, double value,
               struct err *e)
{
    uint32_t track = curve_of(c, layer, name, e);

    if (track == SINK_NO_TRACK)
        return (int)e->code;
    return ts >= prof_begin_ns(c->f) ? sink_sample(c->r->g->out, track, ts, value, e) : OK;
}

/* ---- the layers ---- */

/* From the beginning of the collection to its end. */
static int put_freq(struct curves *c, const struct prof_device *d, struct err *e)
{
    int64_t begin = prof_begin_ns(d->f);
    size_t first = 0;

    if (!prof_has(d->f, PROF_FREQ))
        return OK;
    while (first + 1 < d->n_freq && prof_device_ns(d->f, d->freq[first + 1].counter) <= begin)
        first++;
    for (size_t i = first; i < d->n_freq; i++) {
        int64_t ts = prof_device_ns(d->f, d->freq[i].counter);
        if (put(c, L_FREQ, "AI Core Freq", i == first ? begin : ts, d->freq[i].mhz, e))
            return (int)e->code;
    }
    if (!d->f->meta.has_end)
        return OK;
    return put(c, L_FREQ, "AI Core Freq", prof_end_ns(d->f), d->freq[d->n_freq - 1].mhz, e);
}

static int on_memory(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    struct curves *c = arg;
    const char *who = m->of_device ? "Device" : "APP";
    const struct {
        const char *what;
        double b;
    } v[] = { { "DDR", (double)m->ddr_b },
              { "HBM", (double)m->hbm_b },
              { "Memory", (double)m->ddr_b + (double)m->hbm_b } };
    char name[32];

    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        snprintf(name, sizeof name, "%s/%s", who, v[i].what);
        if (put(c, L_MEMORY, name, prof_sample_us_ns(c->f, m->us), v[i].b / KIB, e))
            return (int)e->code;
    }
    return OK;
}

static int64_t exact_clock(const void *arg, uint64_t us)
{
    return prof_sample_us_ns(arg, us);
}

static int put_hbm(struct curves *c, struct err *e)
{
    struct prof_hbm_point *v = NULL;
    char name[40];
    size_t n = 0;
    int rc = prof_hbm_points(c->r->p, c->f, exact_clock, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        snprintf(name, sizeof name, "HBM %u/%s", (unsigned)v[i].id, v[i].write ? "Write" : "Read");
        rc = put(c, L_HBM, name, v[i].ns, v[i].mbs, e);
    }
    free(v);
    return rc;
}

static int put_llc(struct curves *c, struct err *e)
{
    struct prof_llc_point *v = NULL;
    char name[40];
    size_t n = 0;
    int rc = prof_llc_points(c->r->p, c->f, exact_clock, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        snprintf(name, sizeof name, "LLC %u/Hit Rate", (unsigned)v[i].id);
        rc = put(c, L_LLC_RATE, name, v[i].ns, (double)v[i].hit_e3 / 10, e);
        snprintf(name, sizeof name, "LLC %u/Throughput", (unsigned)v[i].id);
        if (rc == OK)
            rc = put(c, L_LLC, name, v[i].ns, (double)v[i].mbs_e3 / 1000, e);
    }
    free(v);
    return rc;
}

static int put_hccs(struct curves *c, struct err *e)
{
    struct prof_hccs_point *v = NULL;
    size_t n = 0;
    int rc = prof_hccs_points(c->r->p, c->f, false, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t ts = prof_sample_mono_ns(c->f, v[i].ns);
        rc = put(c, L_HCCS, "Tx", ts, (double)v[i].tx_e3 / 1000, e);
        if (rc == OK)
            rc = put(c, L_HCCS, "Rx", ts, (double)v[i].rx_e3 / 1000, e);
    }
    free(v);
    return rc;
}

struct net {
    struct curves *c;
    unsigned layer;
};

static int on_net(void *arg, const struct prof_net *s, struct err *e)
{
    static const struct {
        enum prof_net_value v;
        const char *name;
    } series[] = { { PROF_NET_RX_PACKET_RATE, "Rx packets/s" },
                   { PROF_NET_RX_BYTE_RATE, "Rx bytes/s" },
                   { PROF_NET_TX_PACKET_RATE, "Tx packets/s" },
                   { PROF_NET_TX_BYTE_RATE, "Tx bytes/s" } };
    const struct net *n = arg;
    char name[48];

    for (size_t i = 0; i < ARRAY_LEN(series); i++) {
        snprintf(name, sizeof name, "Port %llu/%s", (unsigned long long)s->v[PROF_NET_FUNC],
                 series[i].name);
        if (put(n->c, n->layer, name, prof_sample_mono_ns(n->c->f, s->ns),
                (double)s->v[series[i].v], e))
            return (int)e->code;
    }
    return OK;
}

int prof_rows_samples(struct prof_rows *r, struct err *e)
{
    int rc = OK;

    for (size_t i = 0; i < r->n_dev && rc == OK; i++) {
        struct curves c = { .r = r, .f = r->dev[i].f };
        struct net nic = { &c, L_NIC }, roce = { &c, L_ROCE };
        if ((rc = put_freq(&c, &r->dev[i], e)) == OK &&
            (rc = prof_npu_memory_read(r->p, c.f, on_memory, &c, e)) == OK &&
            (rc = put_hbm(&c, e)) == OK && (rc = put_llc(&c, e)) == OK &&
            (rc = put_hccs(&c, e)) == OK &&
            (rc = prof_net_read(r->p, c.f, PROF_NIC, on_net, &nic, e)) == OK)
            rc = prof_net_read(r->p, c.f, PROF_ROCE, on_net, &roce, e);
        free(c.v);
    }
    return rc;
}
