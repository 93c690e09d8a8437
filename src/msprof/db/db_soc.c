/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of a chip's own samples (doc/formats/prof.md#stars_soc_profile, doc/formats/msprof.md#database). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "msprof/db/db.h"
#include "msprof/soc.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/system.h"

#define MB 1048576.0

struct soc_rows {
    struct msprof_db *d;
    size_t device; /* index */
    const struct prof_folder *f;
    struct msprof_soc_clock clock;
    int64_t begin_ns;
    struct prof_sio sio;
};
typedef int device_fn(struct soc_rows *x, struct err *e);

static int each_device(struct msprof_db *d, device_fn *fn, struct err *e)
{
    for (size_t i = 0; i < d->r->m.n_dev && !e->code; i++) {
        const struct prof_folder *f = d->r->m.dev[i].f;
        struct soc_rows x = { .d = d,
                              .device = i,
                              .f = f,
                              .clock = { f, &d->r->clock[i], d->r->o->compat },
                              .begin_ns = prof_begin_ns(f) };
        (void)!fn(&x, e);
    }
    return e->code;
}

static int each(struct soc_rows *x, enum prof_soc_kind kind, prof_soc_fn *fn, struct err *e)
{
    return msprof_soc_each(x->d->r, x->device, kind, fn, x, e);
}

/* ---- ddr ---- */

static int ddr_device(struct soc_rows *x, struct err *e)
{
    bool compat = x->d->r->o->compat;
    struct prof_ddr_point *p;
    size_t n;

    if (prof_ddr_points(x->d->r->m.p, x->f, &p, &n, e))
        return e->code;
    for (size_t i = 0; i < n && p[i].master == PROF_NONE && !e->code; i++) {
        const double *mbs = compat ? p[i].mbs_thousandth : p[i].mbs;
        int64_t ns = msprof_sample_ns(x->clock.clock, p[i].us);
        struct val v[] = {
            val_int(x->f->device),
            val_int(ns),
            val_int(repr_whole(mbs[0] * MB)),
            val_int(repr_whole(mbs[1] * MB)),
        };
        if (ns >= x->begin_ns)
            (void)!msprof_db_row(x->d, v, e);
    }
    free(p);
    return e->code;
}

static int ddr_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, ddr_device, e);
}

/* ---- accelerators, levels ---- */

static int acc_row(void *arg, const struct prof_soc *s, struct err *e)
{
    struct soc_rows *x = arg;
    int64_t ns = msprof_soc_ns(&x->clock, s->counter);

    if (ns < x->begin_ns)
        return OK;
    struct val v[] = {
        val_int(s->id),
        val_uint(s->v[PROF_ACC_READ_BW]),
        val_uint(s->v[PROF_ACC_WRITE_BW]),
        val_uint(s->v[PROF_ACC_READ_OST]),
        val_uint(s->v[PROF_ACC_WRITE_OST]),
        val_int(ns),
        val_int(x->f->device),
    };
    return msprof_db_row(x->d, v, e);
}

static int acc_device(struct soc_rows *x, struct err *e)
{
    return each(x, PROF_SOC_ACC, acc_row, e);
}

static int acc_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, acc_device, e);
}

static int level_row(void *arg, const struct prof_soc *s, struct err *e)
{
    struct soc_rows *x = arg;
    int64_t ns = msprof_soc_ns(&x->clock, s->counter);

    if (ns < x->begin_ns)
        return OK;
    struct val v[] = {
        val_uint(s->v[PROF_LEVEL_L2_BUFFER]),
        val_uint(s->v[PROF_LEVEL_MATA]),
        val_int(ns),
        val_int(x->f->device),
    };
    return msprof_db_row(x->d, v, e);
}

static int level_device(struct soc_rows *x, struct err *e)
{
    return each(x, PROF_SOC_LEVEL, level_row, e);
}

static int level_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, level_device, e);
}

/* ---- QoS ---- */

/* B/s; msprof cuts its values to 32 bits (upstream, analysis/csrc/application/database/db_assembler.cpp). */
static struct val qos_rate(const struct soc_rows *x, uint64_t mbs)
{
    uint64_t v = mbs << 20;

    return val_uint(x->d->r->o->compat ? v & UINT32_MAX : v);
}

static int qos_row(void *arg, const struct prof_soc *s, struct err *e)
{
    struct soc_rows *x = arg;
    struct prof *p = x->d->r->m.p;
    unsigned from = p->chip->v6 ? MSPROF_QOS_SKIP : 0;
    int64_t ns = msprof_soc_ns(&x->clock, s->counter);
    struct str event;
    char name[128];

    if (ns < x->begin_ns)
        return OK;
    for (unsigned i = from; i < s->n && (event = prof_qos_event(x->f, i - from)).n; i++) {
        int n = snprintf(name, sizeof name, "QoS %.*s", (int)(event.n < 100 ? event.n : 100), event.p);
        struct val v[] = {
            val_int(x->f->device),
            msprof_db_text(x->d, prof_text(p, (struct str){ name, (size_t)n })),
            qos_rate(x, s->v[i]),
            val_int(ns),
            val_int(p->chip->v6 && s->id != PROF_SOC_NO_DIE ? (int64_t)s->id : -1),
        };
        if (msprof_db_row(x->d, v, e))
            return e->code;
    }
    return OK;
}

static int qos_device(struct soc_rows *x, struct err *e)
{
    if (prof_soc_read(x->d->r->m.p, x->f, PROF_QOS, qos_row, x, e))
        return e->code;
    return each(x, PROF_SOC_QOS, qos_row, e);
}

static int qos_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, qos_device, e);
}

/* ---- SIO ---- */

static int sio_row(void *arg, const struct prof_soc *s, struct err *e)
{
    struct soc_rows *x = arg;
    const char *die = prof_sio_die(x->d->r->m.p, s->id);
    int64_t ns = msprof_soc_ns(&x->clock, s->counter);
    uint64_t before;

    if (!die || !prof_sio_next(&x->sio, s, &before) || ns < x->begin_ns)
        return OK;
    struct val v[3 + SIO_VALUES] = { val_int(x->f->device), msprof_db_word(x->d, die), val_int(ns) };
    for (unsigned i = 0; i < SIO_VALUES; i++)
        v[3 + i] = val_real(msprof_sio_mbs(&x->clock, s->v[i], before, s->counter) * 1024 * 1024);
    return msprof_db_row(x->d, v, e);
}

static int sio_device(struct soc_rows *x, struct err *e)
{
    return each(x, PROF_SOC_SIO, sio_row, e);
}

static int sio_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, sio_device, e);
}

/* ---- UB ---- */

/*
 * Also what was sampled before the collection began (upstream,
 * analysis/csrc/domain/data_process/system/ub_processor.cpp).
 */
static int ub_row(void *arg, const struct prof_ub *s, struct err *e)
{
    struct soc_rows *x = arg;
    struct val v[] = {
        val_int(x->f->device),      val_int(s->port),           val_int(prof_sample_us_ns(x->f, s->us)),
        val_uint(s->v[PROF_UB_RX]), val_uint(s->v[PROF_UB_TX]),
    };

    return msprof_db_row(x->d, v, e);
}

static int ub_device(struct soc_rows *x, struct err *e)
{
    return prof_ub_read(x->d->r->m.p, x->f, ub_row, x, e);
}

static int ub_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, ub_device, e);
}

/* ---- network devices ---- */

static int netdev_row(void *arg, const struct prof_netdev *d, struct err *e)
{
    static const enum prof_netdev_value cells[] = {
        PROF_MAC_TX_PFC,    PROF_MAC_RX_PFC,    PROF_MAC_TX_BYTES, PROF_MAC_TX_BYTES, PROF_MAC_RX_BYTES,
        PROF_MAC_RX_BYTES,  PROF_MAC_TX_BAD,    PROF_MAC_RX_BAD,   PROF_ROCE_TX,      PROF_ROCE_RX,
        PROF_ROCE_TX_ERROR, PROF_ROCE_RX_ERROR, PROF_ROCE_TX_CNP,  PROF_ROCE_RX_CNP,  PROF_ROCE_RETRY,
        PROF_NIC_TX_BYTES,  PROF_NIC_TX_BYTES,  PROF_NIC_RX_BYTES, PROF_NIC_RX_BYTES
    };
    struct soc_rows *x = arg;
    int64_t ns = prof_netdev_ns(x->d->r->m.p, x->f, d->to);
    struct val v[2 + ARRAY_LEN(cells)] = { val_int(x->f->device), val_int(ns) };

    if (ns < x->begin_ns)
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(cells); i++) /* bytes, then their rate */
        v[2 + i] = i && cells[i] == cells[i - 1] ? val_real(prof_netdev_rate(d, cells[i]))
                                                 : val_uint(d->v[cells[i]]);
    return msprof_db_row(x->d, v, e);
}

static int netdev_device(struct soc_rows *x, struct err *e)
{
    return prof_netdev_read(x->d->r->m.p, x->f, netdev_row, x, e);
}

static int netdev_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, netdev_device, e);
}

/* Types: upstream, analysis/csrc/application/database/msprof_db.cpp. */
const struct msprof_db_table msprof_db_soc[] = {
    { "DDR", "deviceId,timestampNs,read n,write n", .rows = ddr_rows },
    { "ACC_PMU", "accId,readBwLevel,writeBwLevel,readOstLevel,writeOstLevel,timestampNs n,deviceId",
      .rows = acc_rows },
    { "SOC_BANDWIDTH_LEVEL", "l2BufferBwLevel,mataBwLevel,timestampNs n,deviceId", .rows = level_rows },
    { "QOS", "deviceId,eventName n,bandwidth n,timestampNs n,dieId n", .rows = qos_rows },
    { "SIO",
      "deviceId n,name n,timestampNs n,rxReq n,rxRsp n,rxSnp n,rxDat n,txReq n,txRsp n,txSnp n,"
      "txDat n",
      .rows = sio_rows },
    { "UB", "deviceId n,portId n,timestampNs n,rxUdmaBind n,txUdmaBind n", .rows = ub_rows },
    { "NETDEV_STATS",
      "deviceId,timestampNs,macTxPfcPkt,macRxPfcPkt,macTxByte,macTxBandwidth n,macRxByte,"
      "macRxBandwidth n,macTxBadByte,macRxBadByte,roceTxPkt,roceRxPkt,roceTxErrPkt,roceRxErrPkt,"
      "roceTxCnpPkt,roceRxCnpPkt,roceNewPktRty,nicTxByte,nicTxBandwidth n,nicRxByte,"
      "nicRxBandwidth n",
      .rows = netdev_rows },
    { .name = NULL },
};
