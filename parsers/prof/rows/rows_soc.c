/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of what a chip samples of itself (doc/formats/prof.md#stars_soc_profile, #lpmfreqconv,
 * #binary-samples, doc/formats/msprof.md#timeline), by the exact clock.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"

#define SORT_FREQ 15 /* as in parsers/prof/rows/rows_samples.c */
#define SORT_UB   50 /* after all that a chip samples of itself */
#define MB        1048576.0

static const struct prof_layer freq_layer = { "AI Core Freq", "MHz", PROF_STARS_PROFILE, SORT_FREQ },
                               voltage_layer = { "Voltage Info", "mV", PROF_VOLTAGE, SORT_FREQ + 1 },
                               acc_layer = { "Acc PMU", "", PROF_STARS_PROFILE, SORT_FREQ + 12 },
                               level_layer = { "Stars Soc", "", PROF_STARS_PROFILE, SORT_FREQ + 13 },
                               link_layer = { "Stars Chip Trans", "", PROF_STARS_PROFILE, SORT_FREQ + 14 },
                               sio_layer = { "SIO", "MB/s", PROF_STARS_PROFILE, SORT_FREQ + 15 },
                               qos_layer = { "QoS", "MB/s", PROF_QOS, SORT_FREQ + 16 },
                               die_layer = { "QoS", "MB/s", PROF_STARS_PROFILE, SORT_FREQ + 17 },
                               ub_layer = { "UB", "MB/s", PROF_UB, SORT_UB },
                               ub_rate_layer = { "UB", "packets/s", PROF_UB, SORT_UB + 1 },
                               ub_packets_layer = { "UB", "packets", PROF_UB, SORT_UB + 2 };

static int put_voltages(struct prof_curves *c, struct err *e)
{
    int64_t begin = prof_begin_ns(c->f);
    struct prof_voltage *v = NULL;
    size_t n = 0;
    int rc = prof_voltages(c->r->m.p, c->f, &v, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t ts = prof_device_ns(c->f, v[i].counter);
        bool last = i + 1 == n || v[i + 1].bus != v[i].bus;
        if (ts < begin && !last && prof_device_ns(c->f, v[i + 1].counter) <= begin)
            continue;
        rc = prof_curve_put(c, &voltage_layer, v[i].bus ? "Bus Voltage" : "Aicore Voltage",
                            ts < begin ? begin : ts, v[i].mv, e);
    }
    free(v);
    return rc;
}

struct soc_chip {
    struct prof_curves *c;
    struct prof_sio sio;
    int64_t ts;
};

static int put_qos(struct prof_curves *c, const struct prof_soc *s, int64_t ts, struct err *e)
{
    bool has_die = s->id != PROF_SOC_NO_DIE;
    unsigned from = c->r->m.p->chip->v6 ? 2 : 0; /* of V6 the last eight */
    char name[80];

    for (unsigned i = from; i < s->n; i++) {
        struct str event = prof_qos_event(c->f, i - from);
        if (!event.n)
            break;
        if (has_die)
            snprintf(name, sizeof name, "%.*s die %" PRIu32, (int)(event.n < 40 ? event.n : 40), event.p,
                     s->id);
        else
            snprintf(name, sizeof name, "%.*s", (int)(event.n < 60 ? event.n : 60), event.p);
        if (prof_curve_put(c, has_die ? &die_layer : &qos_layer, name, ts, (double)s->v[i], e))
            return e->code;
    }
    return OK;
}

static int put_sio(struct soc_chip *x, const struct prof_soc *s, struct err *e)
{
    const char *die = prof_sio_die(x->c->r->m.p, s->id);
    char name[48];
    uint64_t before;

    if (!prof_sio_next(&x->sio, s, &before))
        return OK;
    double dt = (double)x->ts - (double)prof_device_ns(x->c->f, before);
    for (unsigned i = 0; i < s->n && dt > 0; i++) {
        if (die)
            snprintf(name, sizeof name, "%s %s", die, prof_sio_word(i));
        else
            snprintf(name, sizeof name, "%" PRIu32 " %s", s->id, prof_sio_word(i));
        if (prof_curve_put(x->c, &sio_layer, name, x->ts, (double)s->v[i] / MB / (dt / 1e9), e))
            return e->code;
    }
    return OK;
}

static int put_link(struct prof_curves *c, const struct prof_soc *s, int64_t ts, struct err *e)
{
    static const char *const words[2][N_PROF_LINK] = { { "Write Bandwidth", "Read Bandwidth" },
                                                       { "Rx", "Tx" } };
    bool pa = s->type == PROF_LINK_PA;
    char name[64];

    if ((!pa && s->type != PROF_LINK_PCIE) || s->v[PROF_LINK_WRITE] == PROF_SOC_NO_RATE ||
        s->v[PROF_LINK_READ] == PROF_SOC_NO_RATE)
        return OK;
    for (unsigned i = 0; i < N_PROF_LINK; i++) {
        snprintf(name, sizeof name, "%s %" PRIu32 "/%s", pa ? "PA Link" : "PCIE", s->id, words[pa][i]);
        if (prof_curve_put(c, &link_layer, name, ts, (double)s->v[i], e))
            return e->code;
    }
    return OK;
}

static int put_acc(struct prof_curves *c, const struct prof_soc *s, int64_t ts, struct err *e)
{
    static const char *const words[N_PROF_ACC] = { "read_bandwidth", "write_bandwidth", "read_ost",
                                                   "write_ost" };
    char name[48];

    for (unsigned i = 0; i < N_PROF_ACC; i++) {
        snprintf(name, sizeof name, "%" PRIu32 " %s", s->id, words[i]);
        if (prof_curve_put(c, &acc_layer, name, ts, (double)s->v[i], e))
            return e->code;
    }
    return OK;
}

static int put_level(struct prof_curves *c, const struct prof_soc *s, int64_t ts, struct err *e)
{
    if (prof_curve_put(c, &level_layer, "L2 Buffer Bw Level", ts, (double)s->v[PROF_LEVEL_L2_BUFFER], e))
        return e->code;
    return prof_curve_put(c, &level_layer, "Mata Bw Level", ts, (double)s->v[PROF_LEVEL_MATA], e);
}

/* Of dies that have AI cores (upstream, analysis/viewer/stars/low_power_viewer.py). */
static int put_power(struct prof_curves *c, const struct prof_soc *s, int64_t ts, struct err *e)
{
    char name[48];

    if (s->id > 1)
        return OK;
    snprintf(name, sizeof name, "AI Core Freq Die %" PRIu32, s->id);
    return prof_curve_put(c, &freq_layer, name, ts, (double)s->v[PROF_POWER_FREQ], e);
}

static int on_soc(void *arg, const struct prof_soc *s, struct err *e)
{
    struct soc_chip *x = arg;

    x->ts = prof_device_ns(x->c->f, s->counter);
    switch (s->kind) {
    case PROF_SOC_QOS:
        return put_qos(x->c, s, x->ts, e);
    case PROF_SOC_SIO:
        return put_sio(x, s, e);
    case PROF_SOC_ACC:
        return put_acc(x->c, s, x->ts, e);
    case PROF_SOC_LINK:
        return put_link(x->c, s, x->ts, e);
    case PROF_SOC_LEVEL:
        return put_level(x->c, s, x->ts, e);
    case PROF_SOC_POWER:
        return put_power(x->c, s, x->ts, e);
    }
    return OK;
}

static int on_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    static const struct {
        enum prof_ub_value v;
        const struct prof_layer *layer;
        const char *name;
    } series[] = {
        { PROF_UB_RX, &ub_layer, "Rx" },
        { PROF_UB_TX, &ub_layer, "Tx" },
        { PROF_UB_RX_RATE, &ub_rate_layer, "Rx packets" },
        { PROF_UB_TX_RATE, &ub_rate_layer, "Tx packets" },
        { PROF_UB_RX_ERRORS, &ub_packets_layer, "Rx errors" },
        { PROF_UB_TX_ERRORS, &ub_packets_layer, "Tx errors" },
        { PROF_UB_RX_DROPPED, &ub_packets_layer, "Rx dropped" },
        { PROF_UB_TX_DROPPED, &ub_packets_layer, "Tx dropped" },
    };
    struct prof_curves *c = arg;
    char name[48];

    for (size_t i = 0; i < ARRAY_LEN(series); i++) {
        snprintf(name, sizeof name, "Port %u/%s", s->port, series[i].name);
        if (prof_curve_put(c, series[i].layer, name, prof_sample_us_ns(c->f, s->us),
                           (double)s->v[series[i].v], e))
            return e->code;
    }
    return OK;
}

int prof_curves_soc(struct prof_curves *c, struct err *e)
{
    struct soc_chip x = { .c = c };

    if (put_voltages(c, e) || prof_soc_read(c->r->m.p, c->f, PROF_STARS_PROFILE, on_soc, &x, e))
        return e->code;
    if (prof_soc_read(c->r->m.p, c->f, PROF_QOS, on_soc, &x, e))
        return e->code;
    return prof_ub_read(c->r->m.p, c->f, on_ub, c, e);
}
