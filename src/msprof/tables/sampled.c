/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hbm.csv, ddr.csv, hccs.csv, llc_read_write.csv, pcie.csv, nic.csv, roce.csv, ub.csv
 * (doc/formats/msprof.md#small-tables): of Python's half on every chip.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "emit/decimal.h"
#include "msprof/run.h"
#include "parsers/prof/sampled/sampled.h"

/* msprof's clock of these samples. */
static int64_t sample_clock(const void *arg, uint64_t us)
{
    return msprof_sample_ns(arg, us);
}

static void put_real(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, v);
}

/* A table of several devices: rows of each device are added by fn. */
typedef int device_fn(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e);

static int table(struct msprof_run *r, const char *name, const char *header, device_fn *fn, struct err *e)
{
    struct msprof_csv c;

    if (msprof_csv_begin(&c, r, name, 0, header, e))
        return e->code;
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        (void)!fn(r, i, &c, e);
    return msprof_csv_end(&c, e);
}

/* A row that begins with its device. NULL: e is set. */
static struct emit *row_of(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct emit *o = msprof_csv_row(c, e);

    if (o) {
        emit_u(o, (uint64_t)r->m.p->device[device]->device);
        emit_c(o, ',');
    }
    return o;
}

/* ---- hbm ---- */

#define MAX_IDS 4096

struct mean {
    uint32_t id;
    double sum[2]; /* read, write */
    uint64_t n[2];
};

static int by_id(const void *a, const void *b)
{
    const struct mean *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sums by id, in order of the points; ids from MAX_IDS on are left out (no device has that many). */
static size_t hbm_sums(const struct prof_hbm_point *v, size_t n, struct mean *m)
{
    size_t ids = 0;

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < ids && m[k].id != v[i].id)
            k++;
        if (k == MAX_IDS)
            continue;
        if (k == ids)
            m[ids++] = (struct mean){ .id = v[i].id };
        m[k].sum[v[i].write] += v[i].mbs;
        m[k].n[v[i].write]++;
    }
    qsort(m, ids, sizeof *m, by_id);
    return ids;
}

static double mean_of(const struct mean *m, bool write)
{
    return m->n[write] ? m->sum[write] / (double)m->n[write] : 0;
}

/* v / n, half to even. */
static int64_t share(int64_t v, int64_t n)
{
    int64_t q = v / n, twice = v % n * 2;

    return q + (twice > n || (twice == n && q % 2));
}

/* The average over all ids: the decimal sum is rounded before and after the division. */
static int64_t hbm_average(const struct mean *m, size_t n, bool write)
{
    struct decimal d = { 0, 0 };

    for (size_t i = 0; i < n; i++)
        d = decimal_add(d, decimal_of(mean_of(&m[i], write)));
    return share(msprof_thousandths(d), (int64_t)n);
}

static void put_hbm_rows(struct msprof_run *r, size_t device, struct msprof_csv *c, const struct mean *m,
                         size_t n, struct err *e)
{
    struct emit *o = n ? row_of(r, device, c, e) : NULL;

    if (!o)
        return;
    emit_s(o, "Average,");
    emit_fixed(o, hbm_average(m, n, false), 3);
    emit_c(o, ',');
    emit_fixed(o, hbm_average(m, n, true), 3);
    emit_c(o, '\n');
    for (size_t i = 0; i < n && (o = row_of(r, device, c, e)) != NULL; i++) {
        emit_u(o, m[i].id);
        put_real(o, emit_round(mean_of(&m[i], false), 3));
        put_real(o, emit_round(mean_of(&m[i], true), 3));
        emit_c(o, '\n');
    }
}

static int hbm(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct mean *m = calloc(MAX_IDS, sizeof *m);
    struct prof_hbm_point *v = NULL;
    size_t n;

    if (!m)
        (void)err_nomem(e);
    else if (prof_hbm_points(r->m.p, r->m.p->device[device], sample_clock, &r->clock[device], &v, &n, e) ==
             OK)
        put_hbm_rows(r, device, c, m, hbm_sums(v, n, m), e);
    free(m);
    free(v);
    return e->code;
}

/* ---- ddr ---- */

/* Means over all controllers. */
static int ddr(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct prof_ddr_point *v;
    double sum[2] = { 0 };
    size_t n, k = 0;

    if (prof_ddr_points(r->m.p, r->m.p->device[device], &v, &n, e))
        return e->code;
    for (; k < n && v[k].master == PROF_NONE; k++)
        for (int w = 0; w < 2; w++)
            sum[w] += r->o->compat ? v[k].mbs_thousandth[w] : v[k].mbs[w];
    free(v);
    struct emit *o = k ? row_of(r, device, c, e) : NULL;
    if (!o)
        return e->code;
    emit_s(o, "Average");
    for (int w = 0; w < 2; w++)
        put_real(o, emit_round(sum[w] / (double)k, 3));
    emit_c(o, '\n');
    return OK;
}

/* ---- llc ---- */

#define LLC_CACHES 4

struct llc_mean {
    double hit, mbs;
    uint64_t n;
};

/* hit: percent. */
static void put_llc_row(struct emit *o, struct str mode, const char *name, double hit, double mbs)
{
    emit_str(o, mode);
    emit_c(o, ',');
    emit_s(o, name);
    put_real(o, emit_round(hit, 3));
    put_real(o, emit_round(mbs, 3));
    emit_c(o, '\n');
}

static void put_llc(struct msprof_run *r, size_t device, struct msprof_csv *c, const struct llc_mean *m,
                    struct err *e)
{
    static const char *const names[LLC_CACHES] = { "0", "1", "2", "3" };
    struct str mode = r->m.p->device[device]->meta.llc_mode;
    double hit[LLC_CACHES], mbs[LLC_CACHES], all_hit = 0, all_mbs = 0;
    struct emit *o = NULL;
    size_t n = 0;

    for (size_t i = 0; i < LLC_CACHES; i++) {
        if (!m[i].n)
            continue;
        /* percent before the sum, as in msprof's viewer/hardware_info_view.py: its rounding depends on it */
        all_hit += hit[i] = msprof_sql_round(m[i].hit / (double)m[i].n, 6) * 100;
        all_mbs += mbs[i] = msprof_sql_round(m[i].mbs / (double)m[i].n, 6);
        n++;
    }
    if (!n || !(o = row_of(r, device, c, e)))
        return;
    put_llc_row(o, mode, "Average", all_hit / (double)n, all_mbs / (double)n);
    for (size_t i = 0; i < LLC_CACHES; i++)
        if (m[i].n && (o = row_of(r, device, c, e)) != NULL)
            put_llc_row(o, mode, names[i], hit[i], mbs[i]);
}

static int llc(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct llc_mean m[LLC_CACHES] = { 0 };
    struct prof_llc_point *v;
    size_t n;

    if (prof_llc_points(r->m.p, r->m.p->device[device], sample_clock, &r->clock[device], &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        struct llc_mean *k = &m[v[i].id % LLC_CACHES];
        k->hit += (double)v[i].hit_e3 / 1000;
        /* doc/formats/prof-quirks.md#output-quirks: msprof's is 64 times too large */
        k->mbs += (double)(r->o->compat ? v[i].mbs64_e3 : v[i].mbs_e3) / 1000;
        k->n++;
    }
    free(v);
    put_llc(r, device, c, m, e);
    return e->code;
}

/* ---- hccs ---- */

static int put_hccs(struct msprof_run *r, size_t device, struct msprof_csv *c, const char *mode,
                    const struct prof_hccs_point *v, size_t n, bool rx, struct err *e)
{
    int64_t max = INT64_MIN, min = INT64_MAX;
    struct emit *o = row_of(r, device, c, e);
    double sum = 0;

    if (!o)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        int64_t x = rx ? v[i].rx_e3 : v[i].tx_e3;
        max = x > max ? x : max;
        min = x < min ? x : min;
        sum += (double)x / 1000;
    }
    emit_s(o, mode);
    put_real(o, msprof_sql_round((double)max / 1000, 3));
    put_real(o, msprof_sql_round((double)min / 1000, 3));
    put_real(o, msprof_sql_round(sum / (double)n, 3));
    emit_c(o, '\n');
    return OK;
}

static int hccs(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct prof_hccs_point *v;
    size_t n;

    /* doc/formats/prof-quirks.md#output-quirks: msprof loses the last sample */
    if (prof_hccs_points(r->m.p, r->m.p->device[device], r->o->compat, &v, &n, e) == OK && n &&
        put_hccs(r, device, c, "Tx (MB/s)", v, n, false, e) == OK)
        (void)!put_hccs(r, device, c, "Rx (MB/s)", v, n, true, e);
    free(v);
    return e->code;
}

/* ---- pcie ---- */

static int last_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    struct prof_pcie *last = arg;

    (void)e;
    if (s->ns >= last->ns)
        *last = *s;
    return OK;
}

/*
 * Chips other than 910B: means of the records whose largest value is not below the smallest
 * (interconnection_view.py in msprof's analysis/viewer).
 */
struct pcie_sums {
    double n;
    struct {
        double min, max, avg;
    } v[N_PROF_PCIE];
};

static int add_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    struct pcie_sums *a = arg;

    (void)e;
    if (s->v[PROF_TX_POST].max < s->v[PROF_TX_POST].min)
        return OK;
    a->n++;
    for (unsigned k = 0; k < N_PROF_PCIE; k++) {
        a->v[k].min += s->v[k].min;
        a->v[k].max += s->v[k].max;
        a->v[k].avg += s->v[k].avg;
    }
    return OK;
}

static double pcie_value(enum prof_pcie_kind k, double v)
{
    if (k == PROF_TX_LATENCY)
        return emit_round(v / 1000, 3);
    return emit_round(v * 1e9 / 1000 / 1024 / 1024, 3);
}

/* *a: one record, or the sums of several; becomes the values of the table. */
static int read_pcie(struct msprof_run *r, size_t device, struct pcie_sums *a, struct err *e)
{
    struct prof_pcie last = { 0 };

    if (!r->m.p->chip->pcie_last) {
        (void)!prof_pcie_read(r->m.p, r->m.p->device[device], add_pcie, a, e);
    } else if (prof_pcie_read(r->m.p, r->m.p->device[device], last_pcie, &last, e) == OK && last.ns) {
        a->n = 1;
        for (unsigned k = 0; k < N_PROF_PCIE; k++) {
            a->v[k].min = last.v[k].min;
            a->v[k].max = last.v[k].max;
            a->v[k].avg = last.v[k].avg;
        }
    }
    for (unsigned k = 0; a->n > 1 && k < N_PROF_PCIE; k++) {
        a->v[k].min = msprof_sql_round(a->v[k].min / a->n, 6);
        a->v[k].max = msprof_sql_round(a->v[k].max / a->n, 6);
        a->v[k].avg = msprof_sql_round(a->v[k].avg / a->n, 6);
    }
    return e->code;
}

static int pcie(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    static const char *const words[N_PROF_PCIE] = { "Tx_p_avg(MB/s)",   "Tx_np_avg(MB/s)",
                                                    "Tx_cpl_avg(MB/s)", "Tx_latency_avg(us)",
                                                    "Rx_p_avg(MB/s)",   "Rx_np_avg(MB/s)",
                                                    "Rx_cpl_avg(MB/s)" };
    struct pcie_sums s = { 0 };
    struct emit *o;

    if (read_pcie(r, device, &s, e) || s.n < 1)
        return e->code;
    for (unsigned k = 0; k < N_PROF_PCIE && (o = row_of(r, device, c, e)) != NULL; k++) {
        double min = s.v[k].min == PROF_PCIE_NO_MIN ? 0 : s.v[k].min;
        emit_s(o, words[k]);
        put_real(o, pcie_value(k, min));
        put_real(o, pcie_value(k, s.v[k].max));
        put_real(o, pcie_value(k, s.v[k].avg));
        emit_c(o, '\n');
    }
    return e->code;
}

/* ---- nic, roce ---- */

/* One port: its first line, the smallest and the largest of its values, and their sums. */
struct port {
    uint64_t func, bandwidth, n;
    uint64_t first_ns, last_ns;
    uint64_t min[N_PROF_NET], max[N_PROF_NET];
    double sum[N_PROF_NET];
};
struct ports {
    struct port *v;
    size_t n, cap;
};

static int add_line(void *arg, const struct prof_net *s, struct err *e)
{
    struct ports *a = arg;
    size_t k = 0;

    while (k < a->n && a->v[k].func != s->v[PROF_NET_FUNC])
        k++;
    if (k == MAX_IDS)
        return OK;
    if (k == a->n) {
        struct port *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 4);
        if (!v)
            return err_nomem(e);
        a->v = v;
        v[a->n++] = (struct port){ .func = s->v[PROF_NET_FUNC],
                                   .bandwidth = s->v[PROF_NET_BANDWIDTH],
                                   .first_ns = UINT64_MAX };
        memset(v[k].min, 0xff, sizeof v[k].min);
    }
    struct port *p = &a->v[k];
    p->n++;
    p->first_ns = s->ns < p->first_ns ? s->ns : p->first_ns;
    p->last_ns = s->ns > p->last_ns ? s->ns : p->last_ns;
    for (size_t i = 0; i < N_PROF_NET; i++) {
        p->min[i] = s->v[i] < p->min[i] ? s->v[i] : p->min[i];
        p->max[i] = s->v[i] > p->max[i] ? s->v[i] : p->max[i];
        p->sum[i] += (double)s->v[i];
    }
    return OK;
}

static double ratio(double over, double under)
{
    return under > 0 ? over / under : 0;
}

/* Errors or dropped packets in percent of the packets. */
static double lost_rate(const struct port *p, bool compat, enum prof_net_value what,
                        enum prof_net_value packets, enum prof_net_value rate)
{
    double mean = floor(p->sum[what] / (double)p->n);

    if (compat) /* doc/formats/prof-quirks.md#output-quirks: the mean of the count over the sum of rates */
        return emit_round(ratio(mean, p->sum[rate]), 3) * 100;
    return ratio((double)(p->max[what] - p->min[what]), (double)(p->max[packets] - p->min[packets])) * 100;
}

/* One direction: the fields of rx and tx have the same order. */
static void put_direction(struct emit *o, const struct port *p, bool compat, enum prof_net_value rate)
{
    enum prof_net_value to_rx = rate - PROF_NET_RX_PACKET_RATE, packets = PROF_NET_RX_PACKETS + to_rx,
                        bytes = PROF_NET_RX_BYTES + to_rx;
    double ns = (double)(p->last_ns - p->first_ns), s = ns / 1e9;
    double bits = (double)(p->max[bytes] - p->min[bytes]) * 8;
    /* doc/formats/prof-quirks.md#output-quirks: msprof's rates are per ns */
    double share = compat ? ratio(bits, ns * (double)p->bandwidth * 1024 * 1024)
                          : ratio(bits, s * (double)p->bandwidth * 1024 * 1024) * 100;

    put_real(o, emit_round(share, 3));
    put_real(o, emit_round(ratio(p->sum[rate], compat ? ns : (double)p->n), 3));
    for (unsigned i = 0; i < 2; i++)
        put_real(o, emit_round(lost_rate(p, compat, PROF_NET_RX_ERRORS + to_rx + i, packets, rate), 3));
}

static void put_port(struct msprof_run *r, size_t device, struct emit *o, const struct port *p)
{
    bool compat = r->o->compat;

    /* doc/formats/prof-quirks.md#output-quirks: msprof prints a duration as a stamp */
    msprof_put_ns(o,
                  compat ? msprof_local_ns(&r->clock[device], (double)(p->last_ns - p->first_ns))
                         : prof_sample_mono_ns(r->m.p->device[device], p->last_ns),
                  true);
    put_real(o, (double)p->bandwidth);
    put_direction(o, p, compat, PROF_NET_RX_PACKET_RATE);
    put_direction(o, p, compat, PROF_NET_TX_PACKET_RATE);
    emit_c(o, ',');
    emit_u(o, p->func);
    emit_c(o, '\n');
}

static int by_func(const void *a, const void *b)
{
    const struct port *x = a, *y = b;

    return x->func < y->func ? -1 : x->func > y->func;
}

static int net(struct msprof_run *r, size_t device, enum prof_tag tag, struct msprof_csv *c, struct err *e)
{
    struct ports a = { 0 };
    struct emit *o;

    if (prof_net_read(r->m.p, r->m.p->device[device], tag, add_line, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_func);
        for (size_t i = 0; i < a.n && (o = row_of(r, device, c, e)) != NULL; i++)
            put_port(r, device, o, &a.v[i]);
    }
    free(a.v);
    return e->code;
}

static int nic(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    return net(r, device, PROF_NIC, c, e);
}

static int roce(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    return net(r, device, PROF_ROCE, c, e);
}

/* ---- ub ---- */

struct ub_rows {
    struct msprof_run *r;
    size_t device;
    struct msprof_csv *c;
};

/* The columns are named after the port; they are about UDMA (upstream, analysis/viewer/ub_viewer.py). */
static int put_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    const struct ub_rows *x = arg;
    struct emit *o = row_of(x->r, x->device, x->c, e);

    if (!o)
        return e->code;
    emit_u(o, s->port);
    emit_c(o, ',');
    msprof_put_ns(o,
                  x->r->o->compat ? msprof_sample_local_ns(&x->r->clock[x->device], s->us)
                                  : prof_sample_us_ns(x->r->m.p->device[x->device], s->us),
                  true);
    emit_c(o, ',');
    emit_u(o, s->v[PROF_UB_RX]);
    emit_c(o, ',');
    emit_u(o, s->v[PROF_UB_TX]);
    emit_c(o, '\n');
    return OK;
}

static int ub(struct msprof_run *r, size_t device, struct msprof_csv *c, struct err *e)
{
    struct ub_rows x = { r, device, c };

    return prof_ub_read(r->m.p, r->m.p->device[device], put_ub, &x, e);
}

/* ---- the whole ---- */

#define NET_HEADER                                                                                           \
    "Device_id,Timestamp(us),Bandwidth(MB/s),Rx Bandwidth efficiency(%),rxPacket/s,"                         \
    "rxError rate(%),rxDropped rate(%),Tx Bandwidth efficiency(%),txPacket/s,txError rate(%),"               \
    "txDropped rate(%),funcId"

int msprof_sampled(struct msprof_run *r, struct err *e)
{
    static const struct {
        const char *name, *header;
        device_fn *fn;
    } tables[] = {
        { "hbm", "Device_id,Metric,Read(MB/s),Write(MB/s)", hbm },
        { "ddr", "Device_id,Metric,Read(MB/s),Write(MB/s)", ddr },
        { "hccs", "Device_id,Mode,Max,Min,Average", hccs },
        { "llc_read_write", "Device_id,Mode,Task,Hit Rate(%),Throughput(MB/s)", llc },
        { "pcie", "Device_id,Mode,Min,Max,Avg", pcie },
        { "nic", NET_HEADER, nic },
        { "roce", NET_HEADER, roce },
        { "ub", "Device_id,PortId,TimeStamp,UBRxPortBandWidth(MB/s),UBTxPortBandWidth(MB/s)", ub },
    };

    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (table(r, tables[i].name, tables[i].header, tables[i].fn, e) && !emit_goes_on(e))
            break;
    return e->code;
}
