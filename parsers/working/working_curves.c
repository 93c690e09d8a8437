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

/* clang-format off */
enum curve { FREQ, HCCS_TX, HCCS_RX, APP_DDR, DEVICE_DDR, APP_HBM, DEVICE_HBM, APP_MEMORY, DEVICE_MEMORY };
static const struct {
    const char *layer, *unit, *name;
} curves[] = {
    [FREQ] =          { "AI Core Freq", "MHz",  "AI Core Freq" },
    [HCCS_TX] =       { "HCCS",         "MB/s", "Tx" },
    [HCCS_RX] =       { "HCCS",         "MB/s", "Rx" },
    [APP_DDR] =       { "NPU MEM",      "KB",   "APP/DDR" },
    [DEVICE_DDR] =    { "NPU MEM",      "KB",   "Device/DDR" },
    [APP_HBM] =       { "NPU MEM",      "KB",   "APP/HBM" },
    [DEVICE_HBM] =    { "NPU MEM",      "KB",   "Device/HBM" },
    [APP_MEMORY] =    { "NPU MEM",      "KB",   "APP/Memory" },
    [DEVICE_MEMORY] = { "NPU MEM",      "KB",   "Device/Memory" },
};
/* clang-format on */
struct sample {
    int device;
    enum curve of;
    int64_t at;
    double value;
};

static int put_sample(struct working *w, struct database *d, const struct sample *s, struct err *e)
{
    struct database_track k = { .kind = TK_COUNTER,
                                .layer = curves[s->of].layer,
                                .pid = -1,
                                .tid = s->of,
                                .rank = d->c->rank,
                                .device = s->device,
                                .stream = -1,
                                .sort = ((int64_t)SORT_CURVE << 40) + s->of,
                                .unit = curves[s->of].unit,
                                .name = str_of(curves[s->of].name) };
    uint32_t track = database_track(d, &w->base.tracks, &k, e);

    return track == SINK_NO_TRACK ? e->code : sink_sample(d->c->out, track, s->at, s->value, e);
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
    return put_sample(f->w, d, &(struct sample){ f->device, FREQ, at, f->mhz }, e);
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
    const struct sample sent = { h->device, HCCS_TX, r->v[H_AT].i, (double)tx / 1000 };
    const struct sample received = { h->device, HCCS_RX, r->v[H_AT].i, (double)rx / 1000 };
    return put_sample(h->w, r->d, &sent, e) ? e->code : put_sample(h->w, r->d, &received, e);
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
        enum curve of[2];
    } series[] = { { COL(mem_device, ddr_b), { APP_DDR, DEVICE_DDR } },
                   { COL(mem_device, hbm_b), { APP_HBM, DEVICE_HBM } },
                   { COL(mem_device, total_b), { APP_MEMORY, DEVICE_MEMORY } } };

    for (size_t i = 0; group_wants(w->base.g, "track") && i < ARRAY_LEN(series); i++) {
        const struct val *b = &r->v[series[i].slot];
        const struct sample x = { device, series[i].of[of_device], r->v[COL(mem_device, ts_ns)].i,
                                  (double)b->i / 1024 };
        if (b->t == VAL_INT && put_sample(w, r->d, &x, e))
            return e->code;
    }
    return OK;
}
