/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of what was sampled: memory of devices, accesses, links, network (doc/formats/msprof.md#database).
 */
#include "config.h"

#include <stdlib.h>

#include "msprof/db/db.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/sampled/sampled.h"

#define MB 1048576.0

/* A table with rows for each device. */
struct device_rows {
    struct msprof_db *d;
    const struct prof_folder *f;
    const struct msprof_clock *clock;
    int64_t begin_ns;
};
typedef int device_fn(struct device_rows *x, struct err *e);

static int each_device(struct msprof_db *d, device_fn *fn, struct err *e)
{
    for (size_t i = 0; i < d->r->m.n_dev && !e->code; i++) {
        struct device_rows x = { d, d->r->m.dev[i].f, &d->r->clock[i], prof_begin_ns(d->r->m.dev[i].f) };
        (void)!fn(&x, e);
    }
    return e->code;
}

static struct val device_id(const struct device_rows *x)
{
    return val_int(x->f->device);
}

/* ---- memory ---- */

static int npu_row(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    struct device_rows *x = arg;
    int64_t ns = msprof_sample_ns(x->clock, m->us);

    if (ns < x->begin_ns)
        return OK;
    struct val v[] = {
        msprof_db_word(x->d, m->of_device ? "device" : "app"),
        val_uint(m->ddr_b),
        val_uint(m->hbm_b),
        val_int(ns),
        device_id(x),
    };
    return msprof_db_row(x->d, v, e);
}

static int npu_device(struct device_rows *x, struct err *e)
{
    return prof_npu_memory_read(x->d->r->m.p, x->f, npu_row, x, e);
}

static int npu_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, npu_device, e);
}

static int module_row(void *arg, const struct prof_module_memory *m, struct err *e)
{
    struct device_rows *x = arg;
    int64_t ns = prof_host_ns(x->f, m->stamp);

    if (ns < x->begin_ns)
        return OK;
    struct val v[] = {
        val_int(m->module),
        val_int(ns),
        m->unknown ? val_int(-1) : val_uint(m->reserved_b),
        device_id(x),
    };
    return msprof_db_row(x->d, v, e);
}

static int module_device(struct device_rows *x, struct err *e)
{
    return prof_module_memory_read(x->d->r->m.p, x->f, module_row, x, e);
}

static int module_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, module_device, e);
}

/* ---- accesses ---- */

static int64_t sample_clock(const void *arg, uint64_t us)
{
    return msprof_sample_ns(arg, us);
}

static int hbm_device(struct device_rows *x, struct err *e)
{
    struct prof_hbm_point *p;
    size_t n;

    if (prof_hbm_points(x->d->r->m.p, x->f, sample_clock, x->clock, &p, &n, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++) {
        if (p[i].ns < x->begin_ns)
            continue;
        struct val v[] = {
            device_id(x),
            val_int(p[i].ns),
            val_int(repr_whole(p[i].mbs * MB)),
            val_int(p[i].id),
            msprof_db_word(x->d, p[i].write ? "write" : "read"),
        };
        (void)!msprof_db_row(x->d, v, e);
    }
    free(p);
    return e->code;
}

static int hbm_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, hbm_device, e);
}

static int llc_device(struct device_rows *x, struct err *e)
{
    struct str mode = x->f->meta.llc_mode;
    struct prof_llc_point *p;
    size_t n;

    if (prof_llc_points(x->d->r->m.p, x->f, sample_clock, x->clock, &p, &n, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++) {
        if (p[i].ns < x->begin_ns)
            continue;
        /* doc/formats/prof-quirks.md#output-quirks: msprof's is 64 times too large */
        int64_t mbs_e3 = x->d->r->o->compat ? p[i].mbs64_e3 : p[i].mbs_e3;
        struct val v[] = {
            device_id(x),
            val_int(p[i].id),
            val_int(p[i].ns),
            val_real((double)p[i].hit_e3 / 1000 * 100),
            val_int(repr_whole((double)mbs_e3 / 1000 * MB)),
            msprof_db_text(x->d, prof_text(x->d->r->m.p, mode.p ? mode : STR(""))),
        };
        (void)!msprof_db_row(x->d, v, e);
    }
    free(p);
    return e->code;
}

static int llc_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, llc_device, e);
}

/* ---- links ---- */

static int hccs_device(struct device_rows *x, struct err *e)
{
    struct prof_hccs_point *p;
    size_t n;

    if (prof_hccs_points(x->d->r->m.p, x->f, x->d->r->o->compat, &p, &n, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++) {
        int64_t ns = prof_sample_mono_ns(x->f, p[i].ns);
        struct val v[] = {
            device_id(x),
            val_int(ns),
            val_int(repr_whole((double)p[i].tx_e3 / 1000 * MB)),
            val_int(repr_whole((double)p[i].rx_e3 / 1000 * MB)),
        };
        if (ns >= x->begin_ns)
            (void)!msprof_db_row(x->d, v, e);
    }
    free(p);
    return e->code;
}

static int hccs_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, hccs_device, e);
}

/* In the order of the rows. */
static const enum prof_pcie_kind pcie_kinds[N_PROF_PCIE] = {
    PROF_TX_POST, PROF_TX_NONPOST, PROF_TX_CPL, PROF_TX_LATENCY, PROF_RX_POST, PROF_RX_NONPOST, PROF_RX_CPL,
};

static int pcie_row(void *arg, const struct prof_pcie *s, struct err *e)
{
    struct device_rows *x = arg;
    int64_t ns = prof_sample_mono_ns(x->f, s->ns);
    struct val v[2 + 3 * N_PROF_PCIE] = { device_id(x), val_int(ns) };

    if (ns < x->begin_ns || s->v[PROF_TX_POST].max < s->v[PROF_TX_POST].min)
        return OK;
    for (size_t i = 0; i < N_PROF_PCIE; i++) {
        enum prof_pcie_kind k = pcie_kinds[i];
        int64_t unit = k == PROF_TX_LATENCY ? 1 : 1000000; /* MB/s as bytes/s; ns */
        v[2 + 3 * i] = val_int(s->v[k].min * unit);
        v[3 + 3 * i] = val_int(s->v[k].max * unit);
        v[4 + 3 * i] = val_int(s->v[k].avg * unit);
    }
    return msprof_db_row(x->d, v, e);
}

static int pcie_device(struct device_rows *x, struct err *e)
{
    return prof_pcie_read(x->d->r->m.p, x->f, pcie_row, x, e);
}

static int pcie_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, pcie_device, e);
}

/* ---- network ---- */

static int net_row(void *arg, const struct prof_net *s, struct err *e)
{
    struct device_rows *x = arg;
    int64_t ns = prof_sample_mono_ns(x->f, s->ns);
    struct val v[2 + N_PROF_NET] = { device_id(x), val_int(ns) };

    if (ns < x->begin_ns)
        return OK;
    for (size_t i = 0; i < N_PROF_NET; i++)
        v[2 + i] = val_uint(s->v[i]);
    v[2 + PROF_NET_BANDWIDTH] = val_real((double)s->v[PROF_NET_BANDWIDTH] * MB);
    return msprof_db_row(x->d, v, e);
}

static int nic_device(struct device_rows *x, struct err *e)
{
    return prof_net_read(x->d->r->m.p, x->f, PROF_NIC, net_row, x, e);
}

static int nic_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, nic_device, e);
}

static int roce_device(struct device_rows *x, struct err *e)
{
    return prof_net_read(x->d->r->m.p, x->f, PROF_ROCE, net_row, x, e);
}

static int roce_rows(struct msprof_db *d, struct err *e)
{
    return each_device(d, roce_device, e);
}

#define NET                                                                                                  \
    "deviceId,timestampNs,bandwidth,rxPacketRate n,rxByteRate n,rxPackets,rxBytes,rxErrors,"                 \
    "rxDropped,txPacketRate n,txByteRate n,txPackets,txBytes,txErrors,txDropped,funcId"
#define MIN_MAX_AVG(x) "," x "Min n," x "Max n," x "Avg n"

const struct msprof_db_table msprof_db_sampled[] = {
    { "NPU_MEM", "type,ddr n,hbm n,timestampNs,deviceId", .rows = npu_rows },
    { "NPU_MODULE_MEM", "moduleId,timestampNs,totalReserved n,deviceId", .rows = module_rows },
    { "HBM", "deviceId,timestampNs,bandwidth n,hbmId,type", .rows = hbm_rows },
    { "LLC", "deviceId,llcId,timestampNs,hitRate r,throughput,mode", .rows = llc_rows },
    { "HCCS", "deviceId,timestampNs,txThroughput n,rxThroughput n", .rows = hccs_rows },
    { "PCIE",
      "deviceId,timestampNs" MIN_MAX_AVG("txPost") MIN_MAX_AVG("txNonpost") MIN_MAX_AVG("txCpl")
          MIN_MAX_AVG("txNonpostLatency") MIN_MAX_AVG("rxPost") MIN_MAX_AVG("rxNonpost") MIN_MAX_AVG("rxCpl"),
      .rows = pcie_rows },
    { "NIC", NET, .rows = nic_rows },
    { "ROCE", NET, .rows = roce_rows },
    { .name = NULL },
};
