/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of the timeline: what was sampled on the devices (doc/formats/prof.md#stars_soc_profile,
 * #lpmfreqconv, #binary-samples, doc/formats/msprof.md#memory, #small-tables, #timeline), by the exact clock.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/sampled/sampled.h"

#define KIB 1024.0

#define SORT_FREQ 15 /* as msprof orders layers; the others follow in this order */

static const struct prof_layer freq_layer = { "AI Core Freq", "MHz", PROF_FREQ, SORT_FREQ },
                               memory_layer = { "NPU MEM", "KB", PROF_NPU_MEM, SORT_FREQ + 2 },
                               hbm_layer = { "HBM", "MB/s", PROF_HBM, SORT_FREQ + 3 },
                               ddr_layer = { "DDR", "MB/s", PROF_DDR, SORT_FREQ + 4 },
                               llc_rate_layer = { "LLC", "%", PROF_LLC, SORT_FREQ + 5 },
                               llc_layer = { "LLC", "MB/s", PROF_LLC, SORT_FREQ + 6 },
                               hccs_layer = { "HCCS", "MB/s", PROF_HCCS, SORT_FREQ + 7 },
                               nic_layer = { "NIC", "", PROF_NIC, SORT_FREQ + 8 },
                               roce_layer = { "RoCE", "", PROF_ROCE, SORT_FREQ + 9 },
                               pcie_layer = { "PCIe", "MB/s", PROF_PCIE, SORT_FREQ + 10 },
                               latency_layer = { "PCIe", "us", PROF_PCIE, SORT_FREQ + 11 };

/* ---- the layers ---- */

/* From the beginning of the collection to its end. */
static int put_freq(struct prof_curves *c, const struct prof_device *d, struct err *e)
{
    int64_t begin = prof_begin_ns(d->f);
    size_t first = 0;

    if (!prof_has(d->f, PROF_FREQ))
        return OK;
    while (first + 1 < d->n_freq && prof_device_ns(d->f, d->freq[first + 1].counter) <= begin)
        first++;
    for (size_t i = first; i < d->n_freq; i++) {
        int64_t ts = prof_device_ns(d->f, d->freq[i].counter);
        if (prof_curve_put(c, &freq_layer, "AI Core Freq", i == first ? begin : ts, d->freq[i].mhz, e))
            return e->code;
    }
    if (!d->f->meta.has_end)
        return OK;
    return prof_curve_put(c, &freq_layer, "AI Core Freq", prof_end_ns(d->f), d->freq[d->n_freq - 1].mhz, e);
}

static int on_memory(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    struct prof_curves *c = arg;
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
        if (prof_curve_put(c, &memory_layer, name, prof_sample_us_ns(c->f, m->us), v[i].b / KIB, e))
            return e->code;
    }
    return OK;
}

static int64_t exact_clock(const void *arg, uint64_t us)
{
    return prof_sample_us_ns(arg, us);
}

static int put_hbm(struct prof_curves *c, struct err *e)
{
    struct prof_hbm_point *v = NULL;
    char name[40];
    size_t n = 0;
    int rc = prof_hbm_points(c->r->m.p, c->f, exact_clock, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        snprintf(name, sizeof name, "HBM %u/%s", (unsigned)v[i].id, v[i].write ? "Write" : "Read");
        rc = prof_curve_put(c, &hbm_layer, name, v[i].ns, v[i].mbs, e);
    }
    free(v);
    return rc;
}

static int put_ddr(struct prof_curves *c, struct err *e)
{
    struct prof_ddr_point *v = NULL;
    char name[48] = "";
    size_t n = 0;
    int rc = prof_ddr_points(c->r->m.p, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++)
        for (int w = 0; w < 2 && rc == OK; w++) {
            const char *word = w ? "Write" : "Read";
            if (v[i].master == PROF_NONE)
                snprintf(name, sizeof name, "%s", word);
            else
                snprintf(name, sizeof name, "Master %" PRIu32 "/%s", v[i].master, word);
            rc = prof_curve_put(c, &ddr_layer, name, prof_sample_us_ns(c->f, v[i].us), v[i].mbs[w], e);
        }
    free(v);
    return rc;
}

static int put_llc(struct prof_curves *c, struct err *e)
{
    struct prof_llc_point *v = NULL;
    char name[40];
    size_t n = 0;
    int rc = prof_llc_points(c->r->m.p, c->f, exact_clock, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        snprintf(name, sizeof name, "LLC %u/Hit Rate", (unsigned)v[i].id);
        rc = prof_curve_put(c, &llc_rate_layer, name, v[i].ns, (double)v[i].hit_e3 / 10, e);
        snprintf(name, sizeof name, "LLC %u/Throughput", (unsigned)v[i].id);
        if (rc == OK)
            rc = prof_curve_put(c, &llc_layer, name, v[i].ns, (double)v[i].mbs_e3 / 1000, e);
    }
    free(v);
    return rc;
}

static int put_hccs(struct prof_curves *c, struct err *e)
{
    struct prof_hccs_point *v = NULL;
    size_t n = 0;
    int rc = prof_hccs_points(c->r->m.p, c->f, false, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t ts = prof_sample_mono_ns(c->f, v[i].ns);
        rc = prof_curve_put(c, &hccs_layer, "Tx", ts, (double)v[i].tx_e3 / 1000, e);
        if (rc == OK)
            rc = prof_curve_put(c, &hccs_layer, "Rx", ts, (double)v[i].rx_e3 / 1000, e);
    }
    free(v);
    return rc;
}

#define MB 1048576.0

static int on_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    static const struct {
        enum prof_pcie_kind kind;
        const char *name;
    } series[] = { { PROF_TX_POST, "post Tx" },       { PROF_RX_POST, "post Rx" },
                   { PROF_TX_NONPOST, "nonpost Tx" }, { PROF_RX_NONPOST, "nonpost Rx" },
                   { PROF_TX_CPL, "cpl Tx" },         { PROF_RX_CPL, "cpl Rx" } };
    struct prof_curves *c = arg;
    int64_t ts = prof_sample_mono_ns(c->f, s->ns);

    if (s->v[PROF_TX_POST].max < s->v[PROF_TX_POST].min)
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(series); i++)
        if (prof_curve_put(c, &pcie_layer, series[i].name, ts, (double)s->v[series[i].kind].avg * 1e6 / MB,
                           e))
            return e->code;
    return prof_curve_put(c, &latency_layer, "nonpost latency", ts, (double)s->v[PROF_TX_LATENCY].avg / 1000,
                          e);
}

struct net {
    struct prof_curves *c;
    const struct prof_layer *layer;
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
        snprintf(name, sizeof name, "Port %llu/%s", (unsigned long long)s->v[PROF_NET_FUNC], series[i].name);
        if (prof_curve_put(n->c, n->layer, name, prof_sample_mono_ns(n->c->f, s->ns),
                           (double)s->v[series[i].v], e))
            return e->code;
    }
    return OK;
}

int prof_rows_samples(struct prof_rows *r, struct err *e)
{
    int rc = OK;

    for (size_t i = 0; i < r->m.n_dev && rc == OK; i++) {
        struct prof_curves c = { .r = r, .f = r->m.dev[i].f };
        struct net nic = { &c, &nic_layer }, roce = { &c, &roce_layer };
        if ((rc = put_freq(&c, &r->m.dev[i], e)) == OK &&
            (rc = prof_npu_memory_read(r->m.p, c.f, on_memory, &c, e)) == OK && (rc = put_hbm(&c, e)) == OK &&
            (rc = put_ddr(&c, e)) == OK && (rc = put_llc(&c, e)) == OK && (rc = put_hccs(&c, e)) == OK &&
            (rc = prof_pcie_read(r->m.p, c.f, on_pcie, &c, e)) == OK && (rc = prof_curves_soc(&c, e)) == OK &&
            (rc = prof_curves_cores(&c, e)) == OK && (rc = prof_curves_system(&c, e)) == OK &&
            (rc = prof_curves_ccu(&c, e)) == OK &&
            (rc = prof_net_read(r->m.p, c.f, PROF_NIC, on_net, &nic, e)) == OK)
            rc = prof_net_read(r->m.p, c.f, PROF_ROCE, on_net, &roce, e);
        prof_curves_done(&c);
    }
    return rc == OK ? prof_curves_host(r, e) : rc;
}
