/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of working databases that are more than columns: the frequency of the AI cores (FreqParse), HCCS
 * (HCCSOriginalData: of the rates beside them msprof loses the last), memory (NpuMem). As raw data has them.
 */
#include "config.h"

#include <stdio.h>

#include "parsers/prof/sampled/sampled.h"
#include "parsers/working/working.h"

#define SORT_CURVE 9 /* with the other curves */

enum curve { CURVE_FREQ, CURVE_TX, CURVE_RX, CURVE_MEMORY };

static int put_sample(struct working *w, struct database *d, int device, const char *layer, const char *unit,
                      int64_t number, const char *name, int64_t at, double value, struct err *e)
{
    struct database_track k = { .kind = TK_COUNTER,
                                .layer = layer,
                                .pid = -1,
                                .tid = number,
                                .rank = d->c->rank,
                                .device = device,
                                .stream = -1,
                                .sort = ((int64_t)SORT_CURVE << 40) + number,
                                .unit = unit,
                                .name = str_of(name) };
    uint32_t track = database_track(d, &w->base.tracks, &k, e);

    return track == SINK_NO_TRACK ? e->code : sink_sample(d->c->out, track, at, value, e);
}

/* ---- frequency ---- */

enum { F_AT, F_MHZ, F_N };
struct freq {
    struct working *w;
    int device;
    int64_t begin; /* of the collection, INT64_MIN: not known */
    bool has_last; /* the last point is not put yet: it may lie before the begin */
    int64_t at;
    double mhz;
};

/* clang-format off */
static const struct database_col freq_cols[] = {
    { "syscnt", DB_DEVICE_TICK, F_AT, NULL },
    { "freq",   DB_REAL,        F_MHZ, NULL },
};
/* clang-format on */
static const struct database_map freq_map = {
    .table = "FreqParse", DB_SLOTS(F_N), .cols = freq_cols, .n_cols = ARRAY_LEN(freq_cols)
};

static int put_freq(struct database *d, const struct freq *f, int64_t at, struct err *e)
{
    return put_sample(f->w, d, f->device, "AI Core Freq", "MHz", CURVE_FREQ, "AI Core Freq", at, f->mhz, e);
}

/*
 * Of the points from before the collection the last one holds from its begin on. The whole list is there
 * twice (doc/formats/prof-quirks.md#ai-core-freq).
 */
static int on_freq(struct database_row *r, struct err *e)
{
    struct freq *f = r->arg;
    const int64_t at = database_int(r, F_AT, INT64_MIN);

    if (at == INT64_MIN || r->v[F_MHZ].t != VAL_REAL || (f->has_last && at <= f->at))
        return OK;
    if (f->has_last && at > f->begin && put_freq(r->d, f, f->at > f->begin ? f->at : f->begin, e))
        return e->code;
    f->has_last = true;
    f->at = at;
    f->mhz = r->v[F_MHZ].r;
    return OK;
}

static int freq(struct working *w, int device, const struct prof_folder *p, struct err *e)
{
    struct database *d = working_find(w, device, STR("FreqParse"));
    struct freq f = { .w = w, .device = device, .begin = p ? prof_begin_ns(p) : INT64_MIN };

    if (!d || database_read(d, &freq_map, on_freq, &f, e) || !f.has_last ||
        put_freq(d, &f, f.at > f.begin ? f.at : f.begin, e) || !p || !p->meta.has_end)
        return e->code;
    return put_freq(d, &f, prof_end_ns(p), e);
}

/* ---- HCCS ---- */

enum { H_AT, H_STAMP, H_TX, H_RX, H_N };
struct hccs {
    struct working *w;
    int device;
    int64_t stamp, tx, rx; /* of the row before */
    bool has_last;
};

/* clang-format off */
static const struct database_col hccs_cols[] = {
    { "timestamp", DB_DEVICE_MONO, H_AT, NULL },
    { "timestamp", DB_INT,         H_STAMP, NULL },
    { "txamount",  DB_INT,         H_TX, NULL },
    { "rxamount",  DB_INT,         H_RX, NULL },
};
/* clang-format on */
static const struct database_map hccs_map = {
    .table = "HCCSOriginalData", DB_SLOTS(H_N), .cols = hccs_cols, .n_cols = ARRAY_LEN(hccs_cols)
};

/* Rates between rows; not where a counter decreases. */
static int on_hccs(struct database_row *r, struct err *e)
{
    struct hccs *h = r->arg;
    const struct hccs b = *h;

    if (r->v[H_STAMP].t != VAL_INT || r->v[H_TX].t != VAL_INT || r->v[H_RX].t != VAL_INT)
        return OK;
    h->stamp = r->v[H_STAMP].i;
    h->tx = r->v[H_TX].i;
    h->rx = r->v[H_RX].i;
    h->has_last = true;
    if (!b.has_last || r->v[H_AT].t != VAL_INT || b.tx < 0 || b.rx < 0 || h->tx < b.tx || h->rx < b.rx ||
        h->stamp <= b.stamp)
        return OK;
    const uint64_t dt = (uint64_t)h->stamp - (uint64_t)b.stamp;
    const int64_t tx = prof_hccs_rate((uint64_t)(h->tx - b.tx), dt),
                  rx = prof_hccs_rate((uint64_t)(h->rx - b.rx), dt);
    if (put_sample(h->w, r->d, h->device, "HCCS", "MB/s", CURVE_TX, "Tx", r->v[H_AT].i, (double)tx / 1000, e))
        return e->code;
    return put_sample(h->w, r->d, h->device, "HCCS", "MB/s", CURVE_RX, "Rx", r->v[H_AT].i, (double)rx / 1000,
                      e);
}

int working_curves(struct working *w, int device, const struct prof_folder *p, struct err *e)
{
    struct hccs h = { .w = w, .device = device };
    struct database *d = working_find(w, device, STR("HCCSOriginalData"));

    if (!group_wants(w->base.g, "track") || freq(w, device, p, e))
        return e->code;
    return d ? database_read(d, &hccs_map, on_hccs, &h, e) : OK;
}

/* ---- memory ---- */

int working_memory(struct working *w, const struct database_row *r, int device, bool of_device, struct err *e)
{
    static const struct {
        size_t slot;
        const char *name[2];
    } series[] = { { COL(mem_device, ddr_b), { "APP/DDR", "Device/DDR" } },
                   { COL(mem_device, hbm_b), { "APP/HBM", "Device/HBM" } },
                   { COL(mem_device, total_b), { "APP/Memory", "Device/Memory" } } };

    for (size_t i = 0; group_wants(w->base.g, "track") && i < ARRAY_LEN(series); i++)
        if (r->v[series[i].slot].t == VAL_INT &&
            put_sample(w, r->d, device, "NPU MEM", "KB", CURVE_MEMORY + (int64_t)i * 2 + of_device,
                       series[i].name[of_device], r->v[COL(mem_device, ts_ns)].i,
                       (double)r->v[series[i].slot].i / 1024, e))
            return e->code;
    return OK;
}
