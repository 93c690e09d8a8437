/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: memory of the device, sampled accesses and links, frequency of the AI cores. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/tables/ops.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"

/* msprof's clock of samples (doc/formats/prof.md#clocks), in both halves. */
static int64_t sample_clock(const void *arg, uint64_t us)
{
    return msprof_sample_ns(arg, us);
}

static const struct msprof_clock *clock_of(const struct msprof_trace *t)
{
    return &t->r->clock[t->device];
}

void trace_begin_process(struct msprof_trace *t)
{
    if (!t->n_written)
        trace_metadata(t, NULL, 0);
}

/* Whether ns is within the exported part. */
static bool is_in_part(const struct msprof_trace *t, int64_t ns)
{
    const struct prof_how *how = &t->r->how[t->device];

    return !t->r->o->partial ||
           (how->from <= how->to && ns >= trace_device_ns(t, how->from) && ns <= trace_device_ns(t, how->to));
}

bool trace_is_kept(struct msprof_trace *t, int64_t ns)
{
    bool kept = ns >= prof_begin_ns(trace_folder(t)) && is_in_part(t, ns);

    if (kept || t->dialect == DIALECT_PYTHON)
        trace_begin_process(t);
    return kept;
}

/* The stamp of a sample: its time, or the time as Python converts it. */
static int64_t shown_absolute(const struct msprof_trace *t, int64_t ns)
{
    return t->dialect == DIALECT_PYTHON ? msprof_absolute_ns(clock_of(t), ns) : ns;
}
static int64_t shown_ns(const struct msprof_trace *t, int64_t ns, uint64_t mono_ns)
{
    return t->dialect == DIALECT_PYTHON ? msprof_sample_mono_local_ns(clock_of(t), mono_ns) : ns;
}

/* A counter with one value. */
static void put_real(struct msprof_trace *t, const char *name, int64_t ns, const char *key, double v)
{
    trace_counter(t, name, ns);
    trace_real(t, key, v);
    trace_end(t);
}

static void put_e3(struct msprof_trace *t, const char *name, int64_t ns, const char *key, int64_t v)
{
    trace_counter(t, name, ns);
    trace_e3(t, key, v);
    trace_end(t);
}

/* ---- memory ---- */

static int npu_memory(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    static const char *const names[2][3] = { { "APP/DDR", "APP/HBM", "APP/Memory" },
                                             { "Device/DDR", "Device/HBM", "Device/Memory" } };
    struct msprof_trace *t = arg;
    int64_t ns = msprof_sample_ns(clock_of(t), m->us);
    const double kb[3] = { (double)m->ddr_b / 1024, (double)m->hbm_b / 1024,
                           (double)(m->ddr_b + m->hbm_b) / 1024 };

    (void)e;
    for (size_t i = 0; trace_is_kept(t, ns) && i < ARRAY_LEN(kb); i++)
        put_real(t, names[m->of_device][i], ns, "KB", kb[i]);
    return OK;
}

int trace_npu_mem(struct msprof_trace *t, struct err *e)
{
    return prof_npu_memory_read(t->r->m.p, trace_folder(t), npu_memory, t, e);
}

int trace_hbm(struct msprof_trace *t, struct err *e)
{
    struct prof_hbm_point *v = NULL;
    size_t n = 0;
    char name[40];

    if (prof_hbm_points(t->r->m.p, trace_folder(t), sample_clock, clock_of(t), &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "HBM %lu/%s", (unsigned long)v[i].id, v[i].write ? "Write" : "Read");
        if (trace_is_kept(t, v[i].ns))
            put_real(t, name, shown_absolute(t, v[i].ns), v[i].write ? "Write(MB/s)" : "Read(MB/s)",
                     v[i].mbs);
    }
    free(v);
    return OK;
}

int trace_ddr(struct msprof_trace *t, struct err *e)
{
    bool compat = t->r->o->compat;
    struct prof_ddr_point *v = NULL;
    size_t n = 0;

    if (prof_ddr_points(t->r->m.p, trace_folder(t), &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n && v[i].master == PROF_NONE; i++) {
        int64_t ns = msprof_sample_ns(clock_of(t), v[i].us);
        /*
         * msprof shows a thousandth of it, in B/s (upstream,
         * analysis/csrc/domain/data_process/system/ddr_processor.cpp)
         */
        const double *mbs = compat ? v[i].mbs_thousandth : v[i].mbs;
        double unit = compat && t->dialect == DIALECT_CPP ? 1048576 : 1;
        if (!trace_is_kept(t, ns))
            continue;
        put_real(t, "DDR/Read", ns, "Read(MB/s)", mbs[0] * unit);
        put_real(t, "DDR/Write", ns, "Write(MB/s)", mbs[1] * unit);
    }
    free(v);
    return OK;
}

/*
 * In msprof the hit rate is called percent and is a fraction, and the throughput is 64 times too large
 * (doc/formats/prof-quirks.md#output-quirks).
 */
static double hit_rate(const struct msprof_trace *t, int64_t hit_e3)
{
    double v = (double)hit_e3 / 1000;

    if (!t->r->o->compat)
        return (double)hit_e3 / 10;
    /* C++ makes percent of it and takes that back: 1.451 becomes 1.4509999999999998 */
    return t->dialect == DIALECT_CPP ? v * 100 / 100 : v;
}

int trace_llc(struct msprof_trace *t, struct err *e)
{
    struct str mode = trace_folder(t)->meta.llc_mode;
    bool compat = t->r->o->compat;
    struct prof_llc_point *v = NULL;
    size_t n = 0;
    char name[64];

    if (prof_llc_points(t->r->m.p, trace_folder(t), sample_clock, clock_of(t), &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        unsigned long id = v[i].id;
        const char *word = str_eq(mode, STR("read")) ? "Read" : "Write";
        if (!trace_is_kept(t, v[i].ns))
            continue;
        snprintf(name, sizeof name, "LLC %lu %s/Hit Rate", id, word);
        put_real(t, name, shown_absolute(t, v[i].ns), "Hit Rate(%)", hit_rate(t, v[i].hit_e3));
        snprintf(name, sizeof name, "LLC %lu %s/Throughput", id, word);
        put_e3(t, name, shown_absolute(t, v[i].ns), "Throughput(MB/s)", compat ? v[i].mbs64_e3 : v[i].mbs_e3);
    }
    free(v);
    return OK;
}

/* ---- links ---- */

int trace_hccs(struct msprof_trace *t, struct err *e)
{
    struct prof_hccs_point *v = NULL;
    size_t n = 0;

    if (prof_hccs_points(t->r->m.p, trace_folder(t), t->r->o->compat, &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        int64_t ns = prof_sample_mono_ns(trace_folder(t), v[i].ns);
        if (!trace_is_kept(t, ns))
            continue;
        ns = shown_ns(t, ns, v[i].ns);
        put_e3(t, "Rx", ns, "Rx(MB/s)", v[i].rx_e3);
        put_e3(t, "Tx", ns, "Tx(MB/s)", v[i].tx_e3);
    }
    free(v);
    return OK;
}

/*
 * C++ writes doubles in order of their names; Python rounds, and writes the integer 0 where nothing was
 * measured. rx < 0: not measured.
 */
static void put_pcie(struct msprof_trace *t, const char *name, int64_t ns, double tx, double rx)
{
    bool none = rx < 0;

    rx = none ? 0 : rx;
    trace_counter(t, name, ns);
    if (t->dialect == DIALECT_PYTHON) {
        trace_real(t, "Tx", emit_round(tx, 3));
        if (none)
            trace_u(t, "Rx", 0);
        else
            trace_real(t, "Rx", emit_round(rx, 3));
    } else {
        trace_real(t, "Rx", rx);
        trace_real(t, "Tx", tx);
    }
    trace_end(t);
}

/* Bytes per us as MB/s. */
static double mbs(uint32_t bytes)
{
    return (double)bytes * 1000000 / 1024 / 1024;
}

static int pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    static const struct {
        const char *name;
        int tx, rx;
    } links[] = { { "PCIe_cpl", PROF_TX_CPL, PROF_RX_CPL },
                  { "PCIe_nonpost", PROF_TX_NONPOST, PROF_RX_NONPOST },
                  { "PCIe_post", PROF_TX_POST, PROF_RX_POST } };
    struct msprof_trace *t = arg;
    int64_t ns = prof_sample_mono_ns(trace_folder(t), s->ns);

    (void)e;
    if (t->dialect == DIALECT_PYTHON)
        trace_begin_process(t);
    if (s->v[PROF_TX_POST].max < s->v[PROF_TX_POST].min || !trace_is_kept(t, ns))
        return OK;
    ns = shown_ns(t, ns, s->ns);
    for (size_t i = 0; i < ARRAY_LEN(links); i++)
        put_pcie(t, links[i].name, ns, mbs(s->v[links[i].tx].avg), mbs(s->v[links[i].rx].avg));
    put_pcie(t, "PCIe_nonpost_latency", ns, (double)s->v[PROF_TX_LATENCY].avg / 1000, -1);
    return OK;
}

int trace_pcie(struct msprof_trace *t, struct err *e)
{
    return prof_pcie_read(t->r->m.p, trace_folder(t), pcie, t, e);
}

/* A direction of a port: the index of its values in a record, and its words. */
static const struct direction {
    const char *name, *efficiency, *packets, *errors, *dropped;
    enum prof_net_value byte_rate, packet_rate, n_packets, n_errors, n_dropped;
} directions[] = {
    { "Rx", "Rx Bandwidth Efficiency", "Rx Packets", "Rx Error Rate", "Rx Dropped Rate",
      PROF_NET_RX_BYTE_RATE, PROF_NET_RX_PACKET_RATE, PROF_NET_RX_PACKETS, PROF_NET_RX_ERRORS,
      PROF_NET_RX_DROPPED },
    { "Tx", "Tx Bandwidth Efficiency", "Tx Packets", "Tx Error Rate", "Tx Dropped Rate",
      PROF_NET_TX_BYTE_RATE, PROF_NET_TX_PACKET_RATE, PROF_NET_TX_PACKETS, PROF_NET_TX_ERRORS,
      PROF_NET_TX_DROPPED },
};

/* Errors and drops are divided as whole numbers (doc/formats/msprof.md#timeline). */
static void put_direction(struct msprof_trace *t, const struct prof_net *s, int64_t ns,
                          const struct direction *d)
{
    uint64_t packets = s->v[d->n_packets], mb = s->v[PROF_NET_BANDWIDTH];
    char name[64];

    snprintf(name, sizeof name, "Port %llu/%s", (unsigned long long)s->v[PROF_NET_FUNC], d->name);
    trace_counter(t, name, ns);
    trace_real(t, d->efficiency,
               mb ? emit_round((double)s->v[d->byte_rate] * 8 / ((double)mb * 1048576), 3) : 0);
    trace_real(t, d->packets, (double)s->v[d->packet_rate]);
    trace_real(t, d->errors, packets ? (double)(s->v[d->n_errors] / packets) : 0);
    trace_real(t, d->dropped, packets ? (double)(s->v[d->n_dropped] / packets) : 0);
    trace_end(t);
}

static int net(void *arg, const struct prof_net *s, struct err *e)
{
    struct msprof_trace *t = arg;
    int64_t ns = prof_sample_mono_ns(trace_folder(t), s->ns);

    (void)e;
    for (size_t i = 0; trace_is_kept(t, ns) && i < ARRAY_LEN(directions); i++)
        put_direction(t, s, shown_ns(t, ns, s->ns), &directions[i]);
    return OK;
}

int trace_nic(struct msprof_trace *t, struct err *e)
{
    return prof_net_read(t->r->m.p, trace_folder(t), PROF_NIC, net, t, e);
}

int trace_roce(struct msprof_trace *t, struct err *e)
{
    return prof_net_read(t->r->m.p, trace_folder(t), PROF_ROCE, net, t, e);
}

/* ---- frequency ---- */

static void put_mhz(struct msprof_trace *t, int64_t ns, uint32_t mhz)
{
    trace_begin_process(t);
    trace_counter(t, "AI Core Freq", ns);
    trace_u(t, "MHz", mhz);
    trace_end(t);
}

/* From the beginning of the collection to its end. times: how often a change is repeated. */
static void put_freq(struct msprof_trace *t, unsigned times)
{
    const struct prof_device *d = &t->r->m.dev[t->device];
    int64_t begin = prof_begin_ns(d->f);
    size_t at = 0; /* the first change that is shown */

    if (!d->n_freq)
        return;
    while (at < d->n_freq && prof_device_ns(d->f, d->freq[at].counter) < begin)
        at++;
    put_mhz(t, begin, d->freq[at ? at - 1 : 0].mhz);
    for (size_t i = at; i < d->n_freq && prof_has(d->f, PROF_FREQ); i++)
        for (unsigned k = 0; k < times; k++)
            put_mhz(t, prof_device_ns(d->f, d->freq[i].counter), d->freq[i].mhz);
    if (d->f->meta.has_end)
        put_mhz(t, prof_end_ns(d->f), d->freq[d->n_freq - 1].mhz);
}

/* ---- frequency of Python: each change, and a point every ms between them ---- */

#define FILL_US  1000
#define MAX_FILL 1000000 /* per device: a window longer than a quarter of an hour is not filled */

struct filling {
    struct msprof_trace *t;
    const char *name, *key;
    bool is_real;    /* the number type is real, also for whole values */
    double from, to; /* us */
    bool any;
    double us; /* the point before: time and value */
    uint32_t v;
    uint64_t n;
};

static void put_fill_value(struct filling *f, uint32_t v)
{
    trace_key(f->t, f->key);
    emit_u(f->t->o, v);
    if (f->is_real)
        emit_s(f->t->o, ".0");
    trace_end(f->t);
}

/* Points between the last one and the next, as far as they are in the window. */
static void fill(struct filling *f, double next)
{
    double diff = next - f->us, most = floor((next - 1 - f->us) / FILL_US), k;

    if (!f->any || !(diff > FILL_US))
        return;
    most = floor(diff / FILL_US) < most ? floor(diff / FILL_US) : most;
    k = f->from > f->us ? ceil((f->from - f->us) / FILL_US) : 1;
    for (k = k > 1 ? k : 1; k <= most && f->us + k * FILL_US <= f->to && f->n < MAX_FILL; k++) {
        trace_begin_process(f->t);
        trace_counter_us(f->t, f->name, f->us + k * FILL_US);
        put_fill_value(f, f->v);
        f->n++;
    }
}

/* ns: as printed. is_end: the end of the collection, which Python prints as it is in end_info. */
static void put_point(struct filling *f, int64_t ns, uint32_t v, bool is_end)
{
    double us = (double)(ns / 1000) + (double)(ns % 1000) / 1000;

    fill(f, us);
    f->any = true;
    f->us = us;
    f->v = v;
    if (is_in_part(f->t, ns)) {
        trace_begin_process(f->t);
        if (is_end)
            trace_counter_whole_us(f->t, f->name, ns / 1000);
        else
            trace_counter(f->t, f->name, ns);
        put_fill_value(f, v);
    }
}

static void put_change(struct filling *f, int64_t ns, uint32_t v)
{
    put_point(f, ns, v, false);
}

/* The window: everything, or the exported part; us. */
static void set_window(struct filling *f)
{
    const struct prof_how *how = &f->t->r->how[f->t->device];
    bool part = f->t->r->o->partial;

    f->from = part ? (double)trace_device_ns(f->t, how->from) / 1000 : -INFINITY;
    f->to = part ? (double)trace_device_ns(f->t, how->to) / 1000 : INFINITY;
}

/* The last value lasts to the end of the collection, or for one us if there is no end_info. */
static void put_last(struct filling *f, int64_t ns, uint32_t v)
{
    const struct prof_folder *folder = trace_folder(f->t);

    put_point(f, folder->meta.has_end ? prof_end_ns(folder) : ns + 1000, v, folder->meta.has_end);
}

static void put_python_freq(struct msprof_trace *t)
{
    const struct prof_how *how = &t->r->how[t->device];
    const struct prof_folder *folder = trace_folder(t);
    const struct prof_device *d = &t->r->m.dev[t->device];
    /*
     * compat: the points are repeated once for each device handled before, from the highest down
     * (doc/formats/msprof.md#timeline)
     */
    size_t times = t->r->o->compat ? t->r->m.n_dev - t->device : 1;
    struct filling f = {
        .t = t, .name = "AI Core Freq", .key = "MHz", .is_real = !prof_has(folder, PROF_FREQ)
    };
    int64_t last = 0;

    if (d->n_freq)
        trace_begin_process(t); /* named also when all its points lie outside of the part */
    if (how->from > how->to)
        return;
    set_window(&f);
    for (size_t k = 0; k < times; k++)
        for (size_t i = 0; i < d->n_freq; i++)
            put_change(&f, last = trace_device_ns(t, d->freq[i].counter), d->freq[i].mhz);
    if (f.any)
        put_last(&f, last, f.v);
}

/* msprof repeats every change, and the whole layer (doc/formats/prof-quirks.md#output-quirks). */
int trace_freq(struct msprof_trace *t, struct err *e)
{
    unsigned times = t->r->o->compat ? 2 : 1;

    (void)e;
    for (unsigned i = 0; i < times && t->dialect == DIALECT_CPP && msprof_has_freq(t->r, t->dialect); i++) {
        t->n_written = 0;
        put_freq(t, times);
    }
    if (t->dialect == DIALECT_PYTHON && msprof_has_freq(t->r, t->dialect))
        put_python_freq(t);
    return OK;
}

/* ---- voltage: only in Python's half, for chip 5 (upstream, analysis/viewer/lpm/voltage_viewer.py) ---- */

#define USUAL_MV 900 /* assumed before the first change */

static void put_voltage(struct msprof_trace *t, const struct prof_voltage *v, size_t n)
{
    const struct prof_folder *f = trace_folder(t);
    struct filling x = { .t = t, .name = v->bus ? "Bus Voltage" : "Aicore Voltage", .key = "mV" };

    set_window(&x);
    if (v->counter > f->meta.device_counter)
        put_change(&x, trace_device_ns(t, f->meta.device_counter), USUAL_MV);
    for (size_t i = 0; i < n; i++)
        put_change(&x, trace_device_ns(t, v[i].counter), v[i].mv);
    put_last(&x, trace_device_ns(t, v[n - 1].counter), v[n - 1].mv);
}

int trace_voltage(struct msprof_trace *t, struct err *e)
{
    const struct prof_how *how = &t->r->how[t->device];
    struct prof_voltage *v = NULL;
    size_t n = 0, to;

    if (t->dialect == DIALECT_CPP || !t->r->m.p->chip->cpp || how->from > how->to ||
        prof_voltages(t->r->m.p, trace_folder(t), &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i = to) {
        for (to = i; to < n && v[to].bus == v[i].bus;)
            to++;
        put_voltage(t, &v[i], to - i);
    }
    free(v);
    return OK;
}
