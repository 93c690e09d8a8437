/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampled counters as curves of the timeline (doc/formats/msprof.md#tables): which table, which columns tell
 * its curves apart, which columns are series, as data. Layers and series are called as in the trace.
 */
#include "config.h"

#include <stdio.h>

#include "parsers/database/database_group.h"

#define SERIES_MAX 10
#define SORT_CURVE 9
#define MIB        (1.0 / 1048576)
#define KIB        (1.0 / 1024)
#define MB         (1e6 / 1048576)
#define NET_SERIES                                                                                           \
    { "rxpacket", "Rx packets/s", 1 }, { "rxbyte", "Rx bytes/s", 1 }, { "txpacket", "Tx packets/s", 1 },     \
    {                                                                                                        \
        "txbyte", "Tx bytes/s", 1                                                                            \
    }

/* Columns of times. */
#define AT_NS     "timestampNs", DB_NS, NULL, NULL
#define AT        "timestamp", DB_NS, NULL, NULL
#define AT_DEVICE "timestamp", DB_DEVICE_MONO, NULL, NULL
#define AT_PCIE   "timestamp", DB_DEVICE_MONO, "tx_p_bandwidth_min", "tx_p_bandwidth_max"

struct series {
    const char *column, *name;
    double by; /* factor from the database's unit to the curve's */
};
static const struct source {
    const char *table, *layer, *unit, *time;
    enum database_conv clock; /* of the time */
    const char *least,
        *most;               /* columns; rows where the first exceeds the second are no samples. NULL: none */
    const char *part, *word; /* columns that tell curves apart: a number, a word; NULL: none */
    const char *prefix;      /* of the number in the name */
    struct series series[SERIES_MAX];
} sources[] = {
    /* clang-format off */
    { "AICORE_FREQ", "AI Core Freq", "MHz", AT_NS, NULL, NULL, NULL,
      { { "freq", "AI Core Freq", 1 } } },
    { "NPU_MEM", "NPU MEM", "KB", AT_NS, NULL, "type", NULL,
      { { "ddr", "DDR", KIB }, { "hbm", "HBM", KIB } } },
    { "HBM", "HBM", "MB/s", AT_NS, "hbmId", "type", "HBM", { { "bandwidth", "", MIB } } },
    { "DDR", "DDR", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "read", "Read", MIB }, { "write", "Write", MIB } } },
    { "LLC", "LLC", "MB/s", AT_NS, "llcId", "mode", "LLC", { { "throughput", "Throughput", MIB } } },
    { "LLC", "LLC", "%", AT_NS, "llcId", "mode", "LLC", { { "hitRate", "Hit Rate", 1 } } },
    { "HCCS", "HCCS", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "txThroughput", "Tx", MIB }, { "rxThroughput", "Rx", MIB } } },
    { "PCIE", "PCIe", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "txPostAvg", "Tx post", 1e-6 }, { "txNonpostAvg", "Tx nonpost", 1e-6 },
        { "txCplAvg", "Tx cpl", 1e-6 }, { "rxPostAvg", "Rx post", 1e-6 },
        { "rxNonpostAvg", "Rx nonpost", 1e-6 }, { "rxCplAvg", "Rx cpl", 1e-6 } } },
    { "NIC", "NIC", "MB/s", AT_NS, "funcId", NULL, "NIC",
      { { "rxByteRate", "Rx", MIB }, { "txByteRate", "Tx", MIB } } },
    { "ROCE", "RoCE", "MB/s", AT_NS, "funcId", NULL, "RoCE",
      { { "rxByteRate", "Rx", MIB }, { "txByteRate", "Tx", MIB } } },
    { "QOS", "QoS", "MB/s", AT_NS, "dieId", "eventName", "die", { { "bandwidth", "", MIB } } },
    { "SIO", "SIO", "MB/s", AT_NS, NULL, "name", NULL,
      { { "rxReq", "Rx req", MIB }, { "rxRsp", "Rx rsp", MIB }, { "rxSnp", "Rx snp", MIB },
        { "rxDat", "Rx dat", MIB }, { "txReq", "Tx req", MIB }, { "txRsp", "Tx rsp", MIB },
        { "txSnp", "Tx snp", MIB }, { "txDat", "Tx dat", MIB } } },
    { "UB", "UB", "", AT_NS, "portId", NULL, "port",
      { { "rxUdmaBind", "Rx", 1 }, { "txUdmaBind", "Tx", 1 } } },
    { "ACC_PMU", "Acc PMU", "", AT_NS, "accId", NULL, "acc",
      { { "readBwLevel", "read_bandwidth", 1 }, { "writeBwLevel", "write_bandwidth", 1 },
        { "readOstLevel", "read_ost", 1 }, { "writeOstLevel", "write_ost", 1 } } },
    { "SOC_BANDWIDTH_LEVEL", "Stars Soc Info", "", AT_NS, NULL, NULL, NULL,
      { { "l2BufferBwLevel", "L2 Buffer Bw Level", 1 }, { "mataBwLevel", "Mata Bw Level", 1 } } },
    { "NETDEV_STATS", "Network devices", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "macTxBandwidth", "MAC Tx", MIB }, { "macRxBandwidth", "MAC Rx", MIB },
        { "nicTxBandwidth", "NIC Tx", MIB }, { "nicRxBandwidth", "NIC Rx", MIB } } },
    { "CPU_USAGE", "CPU Usage", "%", AT_NS, "cpuId", NULL, "CPU", { { "usage", "", 1 } } },
    { "HOST_MEM_USAGE", "Memory Usage", "%", AT_NS, NULL, NULL, NULL,
      { { "usage", "Memory Usage", 1 } } },
    { "HOST_DISK_USAGE", "Disk Usage", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "readRate", "Read", MIB }, { "writeRate", "Write", MIB } } },
    { "HOST_NETWORK_USAGE", "Network Usage", "MB/s", AT_NS, NULL, NULL, NULL,
      { { "speed", "Speed", MIB } } },
    { "SAMPLE_PMU_TIMELINE", "AI Core Utilization", "%", AT_NS, "coreId", "coreType", "Core",
      { { "usage", "", 1 } } },
    /* of msprof's working databases (doc/formats/msprof.md#working-databases) */
    { "HBMbwData", "HBM", "MB/s", AT, "hbmid", "event_type", "HBM", { { "bandwidth", "", 1 } } },
    { "LLCMetrics", "LLC", "%", AT, "l3tid", NULL, "LLC", { { "hitrate", "Hit Rate", 100 } } },
    { "LLCMetrics", "LLC", "MB/s", AT, "l3tid", NULL, "LLC",
      { { "throughput", "Throughput", 1.0 / 64 } } }, /* doc/formats/prof-quirks.md#sampled-values */
    { "PcieOriginalData", "PCIe", "MB/s", AT_PCIE, NULL, NULL, NULL,
      { { "tx_p_bandwidth_avg", "post Tx", MB }, { "rx_p_bandwidth_avg", "post Rx", MB },
        { "tx_np_bandwidth_avg", "nonpost Tx", MB }, { "rx_np_bandwidth_avg", "nonpost Rx", MB },
        { "tx_cpl_bandwidth_avg", "cpl Tx", MB }, { "rx_cpl_bandwidth_avg", "cpl Rx", MB } } },
    { "PcieOriginalData", "PCIe", "us", AT_PCIE, NULL, NULL, NULL,
      { { "tx_np_latency_avg", "nonpost latency", 1e-3 } } },
    { "NicOriginalData", "NIC", "", AT_DEVICE, "funcid", NULL, "Port", { NET_SERIES } },
    { "RoceOriginalData", "RoCE", "", AT_DEVICE, "funcid", NULL, "Port", { NET_SERIES } },
    /* clang-format on */
};

enum { U_TIME, U_DEVICE, U_PART, U_WORD, U_LEAST, U_MOST, U_FIRST };

struct curves {
    struct database_group *g;
    const struct source *s;
};

/* As the trace spells it: "read" -> "Read". */
static size_t spell(const struct val *v, char *buf, size_t max)
{
    static const struct {
        struct str from, to;
    } words[] = { { STR("app"), STR("APP") } };
    struct str s = v->t == VAL_TEXT ? v->s : STR("");

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, words[i].from))
            s = words[i].to;
    str_copy(s, buf, max);
    if (buf[0] >= 'a' && buf[0] <= 'z')
        buf[0] = (char)(buf[0] - 'a' + 'A');
    return s.n;
}

/* "HBM 0/Read", "LLC 0 Read/Throughput", "APP/DDR": what tells curves apart, and the series. */
static void name_of(const struct database_row *r, const struct source *s, const char *series, char *buf,
                    size_t n)
{
    char part[48] = "", word[40];
    const bool has_word = spell(&r->v[U_WORD], word, sizeof word) > 0;

    if (s->part)
        snprintf(part, sizeof part, "%s %lld", s->prefix, (long long)database_int(r, U_PART, 0));
    const char *between = !part[0] || !has_word ? "" : series[0] ? " " : "/";
    snprintf(buf, n, "%s%s%s%s%s", part, between, word, (part[0] || has_word) && series[0] ? "/" : "",
             series);
}

static int put_sample(const struct database_row *r, const struct curves *c, size_t i, struct err *e)
{
    const struct series *one = &c->s->series[i];
    char name[140];
    int64_t number = (c->s - sources) * SERIES_MAX + (int64_t)i;
    struct database_track w = { .kind = TK_COUNTER,
                                .layer = c->s->layer,
                                .pid = number << 32 | (r->v[U_WORD].t == VAL_TEXT
                                                           ? (int64_t)(uint32_t)str_hash(r->v[U_WORD].s, 1)
                                                           : 0),
                                .tid = database_int(r, U_PART, 0),
                                .rank = r->rank,
                                .device = database_int(r, U_DEVICE, -1),
                                .stream = -1,
                                .sort = ((int64_t)SORT_CURVE << 40) + (number << 20),
                                .unit = c->s->unit[0] ? c->s->unit : NULL };
    uint32_t track = database_track_find(&c->g->tracks, &w);
    if (track == SINK_NO_TRACK) {
        name_of(r, c->s, one->name, name, sizeof name);
        w.name = str_of(name);
        track = database_track(r->d, &c->g->tracks, &w, e);
    }
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_sample(r->d->c->out, track, database_int(r, U_TIME, 0), r->v[U_FIRST + i].r * one->by, e);
}

static int on_row(struct database_row *r, struct err *e)
{
    const struct curves *c = r->arg;
    const struct val *least = &r->v[U_LEAST], *most = &r->v[U_MOST];

    if (least->t == VAL_REAL && most->t == VAL_REAL && least->r > most->r)
        return OK;
    for (size_t i = 0; i < SERIES_MAX && c->s->series[i].column; i++)
        if (r->v[U_TIME].t == VAL_INT && r->v[U_FIRST + i].t == VAL_REAL && put_sample(r, c, i, e))
            return e->code;
    return OK;
}

int database_curves(struct database_group *g, struct database *d, struct err *e)
{
    for (size_t k = 0; group_wants(g->g, "track") && k < ARRAY_LEN(sources) && !e->code; k++) {
        const struct source *s = &sources[k];
        struct database_col cols[U_FIRST + SERIES_MAX] = {
            { s->time, s->clock, U_TIME, NULL },
            { "deviceId|device_id", DB_DEVICE, U_DEVICE, NULL },
            { s->part ? s->part : "", DB_INT, U_PART, NULL },
            { s->word ? s->word : "", DB_WORD, U_WORD, NULL },
            { s->least ? s->least : "", DB_REAL, U_LEAST, NULL },
            { s->most ? s->most : "", DB_REAL, U_MOST, NULL },
        };
        struct curves c = { .g = g, .s = s };
        size_t n = U_FIRST;
        for (; n - U_FIRST < SERIES_MAX && s->series[n - U_FIRST].column; n++)
            cols[n] = (struct database_col){ s->series[n - U_FIRST].column, DB_REAL, n, NULL };
        const struct database_map map = { .table = s->table, DB_SLOTS(n), .cols = cols, .n_cols = n };
        (void)!database_read(d, &map, on_row, &c, e);
    }
    return e->code;
}
