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

struct series {
    const char *column, *name;
    double by; /* factor from the database's unit to the curve's */
};
static const struct source {
    const char *table, *layer, *unit, *time;
    const char *part, *word; /* columns that tell curves apart: a number, a word; NULL: none */
    const char *prefix;      /* of the number in the name */
    struct series series[SERIES_MAX];
} sources[] = {
    /* clang-format off */
    { "AICORE_FREQ", "AI Core Freq", "MHz", "timestampNs", NULL, NULL, NULL,
      { { "freq", "AI Core Freq", 1 } } },
    { "NPU_MEM", "NPU MEM", "KB", "timestampNs", NULL, "type", NULL,
      { { "ddr", "DDR", KIB }, { "hbm", "HBM", KIB } } },
    { "HBM", "HBM", "MB/s", "timestampNs", "hbmId", "type", "HBM", { { "bandwidth", "", MIB } } },
    { "DDR", "DDR", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "read", "Read", MIB }, { "write", "Write", MIB } } },
    { "LLC", "LLC", "MB/s", "timestampNs", "llcId", "mode", "LLC", { { "throughput", "Throughput", MIB } } },
    { "LLC", "LLC", "%", "timestampNs", "llcId", "mode", "LLC", { { "hitRate", "Hit Rate", 1 } } },
    { "HCCS", "HCCS", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "txThroughput", "Tx", MIB }, { "rxThroughput", "Rx", MIB } } },
    { "PCIE", "PCIe", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "txPostAvg", "Tx post", 1e-6 }, { "txNonpostAvg", "Tx nonpost", 1e-6 },
        { "txCplAvg", "Tx cpl", 1e-6 }, { "rxPostAvg", "Rx post", 1e-6 },
        { "rxNonpostAvg", "Rx nonpost", 1e-6 }, { "rxCplAvg", "Rx cpl", 1e-6 } } },
    { "NIC", "NIC", "MB/s", "timestampNs", "funcId", NULL, "NIC",
      { { "rxByteRate", "Rx", MIB }, { "txByteRate", "Tx", MIB } } },
    { "ROCE", "RoCE", "MB/s", "timestampNs", "funcId", NULL, "RoCE",
      { { "rxByteRate", "Rx", MIB }, { "txByteRate", "Tx", MIB } } },
    { "QOS", "QoS", "MB/s", "timestampNs", "dieId", "eventName", "die", { { "bandwidth", "", MIB } } },
    { "SIO", "SIO", "MB/s", "timestampNs", NULL, "name", NULL,
      { { "rxReq", "Rx req", MIB }, { "rxRsp", "Rx rsp", MIB }, { "rxSnp", "Rx snp", MIB },
        { "rxDat", "Rx dat", MIB }, { "txReq", "Tx req", MIB }, { "txRsp", "Tx rsp", MIB },
        { "txSnp", "Tx snp", MIB }, { "txDat", "Tx dat", MIB } } },
    { "UB", "UB", "", "timestampNs", "portId", NULL, "port",
      { { "rxUdmaBind", "Rx", 1 }, { "txUdmaBind", "Tx", 1 } } },
    { "ACC_PMU", "Acc PMU", "", "timestampNs", "accId", NULL, "acc",
      { { "readBwLevel", "read_bandwidth", 1 }, { "writeBwLevel", "write_bandwidth", 1 },
        { "readOstLevel", "read_ost", 1 }, { "writeOstLevel", "write_ost", 1 } } },
    { "SOC_BANDWIDTH_LEVEL", "Stars Soc Info", "", "timestampNs", NULL, NULL, NULL,
      { { "l2BufferBwLevel", "L2 Buffer Bw Level", 1 }, { "mataBwLevel", "Mata Bw Level", 1 } } },
    { "NETDEV_STATS", "Network devices", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "macTxBandwidth", "MAC Tx", MIB }, { "macRxBandwidth", "MAC Rx", MIB },
        { "nicTxBandwidth", "NIC Tx", MIB }, { "nicRxBandwidth", "NIC Rx", MIB } } },
    { "CPU_USAGE", "CPU Usage", "%", "timestampNs", "cpuId", NULL, "CPU", { { "usage", "", 1 } } },
    { "HOST_MEM_USAGE", "Memory Usage", "%", "timestampNs", NULL, NULL, NULL,
      { { "usage", "Memory Usage", 1 } } },
    { "HOST_DISK_USAGE", "Disk Usage", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "readRate", "Read", MIB }, { "writeRate", "Write", MIB } } },
    { "HOST_NETWORK_USAGE", "Network Usage", "MB/s", "timestampNs", NULL, NULL, NULL,
      { { "speed", "Speed", MIB } } },
    { "SAMPLE_PMU_TIMELINE", "AI Core Utilization", "%", "timestampNs", "coreId", "coreType", "Core",
      { { "usage", "", 1 } } },
    /* of msprof's working databases (doc/formats/msprof.md#working-databases) */
    { "FreqParse", "AI Core Freq", "MHz", "syscnt", NULL, NULL, NULL,
      { { "freq", "AI Core Freq", 1 } } },
    { "HBMbwData", "HBM", "MB/s", "timestamp", "hbmid", "event_type", "HBM", { { "bandwidth", "", 1 } } },
    /* clang-format on */
};

enum { U_TIME, U_DEVICE, U_PART, U_WORD, U_FIRST };

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

    for (size_t i = 0; i < SERIES_MAX && c->s->series[i].column; i++)
        if (r->v[U_TIME].t == VAL_INT && r->v[U_FIRST + i].t == VAL_REAL && put_sample(r, c, i, e))
            return e->code;
    return OK;
}

/* msprof's working databases count ticks of the device where the others have times. */
static enum database_conv clock_of(const char *column)
{
    return str_eq(str_of(column), STR("syscnt")) ? DB_DEVICE_TICK : DB_NS;
}

int database_curves(struct database_group *g, struct database *d, struct err *e)
{
    for (size_t k = 0; group_wants(g->g, "track") && k < ARRAY_LEN(sources) && !e->code; k++) {
        const struct source *s = &sources[k];
        struct database_col cols[U_FIRST + SERIES_MAX] = {
            { s->time, clock_of(s->time), U_TIME, NULL },
            { "deviceId|device_id", DB_DEVICE, U_DEVICE, NULL },
            { s->part ? s->part : "", DB_INT, U_PART, NULL },
            { s->word ? s->word : "", DB_WORD, U_WORD, NULL },
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
