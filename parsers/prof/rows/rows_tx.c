/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks and ranges that the program reports itself: on threads of the host, and where streams of the devices
 * met them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/host/tx.h"
#include "parsers/prof/rows/rows.h"
#include "parsers/prof/words.h"

#define SORT_HOST   6 /* as msprof orders layers: before the calls */
#define SORT_DEVICE 14
#define NO_NAME     "msproftx" /* of the process */

/* ---- rows ---- */

static int64_t ns_of(const struct prof_rows *r, uint64_t counter)
{
    return prof_host_ns(r->m.p->host, counter);
}

/* A mark takes no time, nor does a damaged range that ends before it starts. */
static int64_t dur_of(const struct prof_rows *r, const struct prof_tx *x)
{
    return x->end > x->start ? ns_of(r, x->end) - ns_of(r, x->start) : 0;
}

static struct str name_of(const struct prof_rows *r, const struct prof_tx *x)
{
    struct str s = prof_str(r->m.p, x->message);

    return s.n ? s : str_of("mark");
}

static void extra_of(const struct prof_tx *x, char *buf, size_t n)
{
    if (x->on_device)
        snprintf(buf, n, "{\"pid\":\"%" PRIu32 "\",\"mark_id\":\"%" PRIu64 "\"}", x->pid, x->mark);
    else
        snprintf(buf, n,
                 "{\"pid\":\"%" PRIu32 "\",\"category\":\"%" PRIu32 "\",\"payload_type\":\"%" PRId32
                 "\",\"payload_value\":\"%" PRIu64 "\",\"message_type\":\"%" PRId32 "\"}",
                 x->pid, x->category, x->payload_type, x->payload, x->message_type);
}

static int put_row(struct prof_rows *r, const struct prof_tx *x, struct err *e)
{
    struct val v[N_COLS(host_stage)] = { 0 };
    const char *kind = prof_word(prof_tx_events, x->event);
    char thread[16], extra[200];

    snprintf(thread, sizeof thread, "%" PRIu32, x->thread);
    extra_of(x, extra, sizeof extra);
    v[COL(host_stage, rank)] = val_int(prof_rows_rank(r, r->m.p->host));
    v[COL(host_stage, name_id)] = sink_text(r->g->out, name_of(r, x));
    v[COL(host_stage, level)] = kind ? val_cstr(kind) : val_null();
    v[COL(host_stage, start_ns)] = val_int(ns_of(r, x->start));
    v[COL(host_stage, end_ns)] = val_int(ns_of(r, x->start) + dur_of(r, x));
    v[COL(host_stage, dur_ns)] = val_int(dur_of(r, x));
    v[COL(host_stage, thread)] = val_cstr(thread);
    if (x->domain != PROF_NONE)
        v[COL(host_stage, info)] = val_text(prof_str(r->m.p, x->domain));
    v[COL(host_stage, source_id)] = val_id(prof_rows_source(r->m.p->host, PROF_MSPROFTX));
    v[COL(host_stage, line)] = val_int((int64_t)x->place + 1);
    v[COL(host_stage, extra)] = val_cstr(extra);
    return sink_row(r->g->out, T_host_stage, v, N_COLS(host_stage), NULL, e);
}

static int put_rows(struct prof_rows *r, const struct prof_txs *x, struct err *e)
{
    for (size_t i = 0; i < x->n; i++)
        if (put_row(r, &x->v[i], e))
            return e->code;
    return OK;
}

/* ---- tracks ---- */

static int put_range(struct prof_tracks *t, uint32_t cat, const struct prof_tx *x, struct err *e)
{
    struct prof_rows *r = t->r;
    uint32_t track = prof_tracks_get(t, x->thread, e);
    int64_t from = ns_of(r, x->start);

    if (track == SINK_NO_TRACK ||
        sink_event(r->g->out, track, from, dur_of(r, x), sink_intern(r->g->out, name_of(r, x)), 0, e))
        return e->code;
    return x->on_device ? sink_flow(r->g->out, track, from, 's', cat, x->mark, e) : OK;
}

static int put_host(struct prof_rows *r, const struct prof_txs *x, uint32_t cat, struct err *e)
{
    struct str name = r->m.p->host->meta.pid_name;
    char process[64];
    struct prof_tracks t = { .r = r,
                             .f = r->m.p->host,
                             .kind = TK_HOST_THREAD,
                             .process = process,
                             .what = "Thread",
                             .sort = SORT_HOST,
                             .source = prof_rows_source(r->m.p->host, PROF_MSPROFTX) };
    int rc = OK;

    (void)str_copy(name.n ? name : STR(NO_NAME), process, sizeof process);
    for (size_t i = 0; i < x->n && rc == OK; i++)
        rc = put_range(&t, cat, &x->v[i], e);
    prof_tracks_done(&t);
    return rc;
}

static int put_met(struct prof_tracks *t, const struct prof_txs *x, uint32_t cat, const struct prof_tx_met *m,
                   struct err *e)
{
    struct prof_rows *r = t->r;
    const struct prof_tx *said = prof_txs_find(x, m->mark);
    int64_t from = prof_device_ns(t->f, m->start), to = prof_device_ns(t->f, m->end);
    uint32_t track = prof_tracks_get(t, m->stream, e);
    struct str name = said ? name_of(r, said) : str_of("mark");

    if (track == SINK_NO_TRACK ||
        sink_event(r->g->out, track, from, to - from, sink_intern(r->g->out, name), 0, e))
        return e->code;
    return said ? sink_flow(r->g->out, track, from, 'f', cat, m->mark, e) : OK;
}

static int put_device(struct prof_rows *r, const struct prof_device *d, const struct prof_txs *x,
                      uint32_t cat, struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_SCOPE,
                             .process = NO_NAME " on the device",
                             .what = "Stream",
                             .sort = SORT_DEVICE,
                             .source = prof_rows_source(d->f, PROF_TS_TRACK) };
    struct prof_tx_met *met;
    size_t n;
    int rc = prof_tx_met(d, &met, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++)
        rc = put_met(&t, x, cat, &met[i], e);
    free(met);
    prof_tracks_done(&t);
    return rc;
}

static int put_tracks(struct prof_rows *r, const struct prof_txs *x, struct err *e)
{
    uint32_t cat = sink_intern(r->g->out, STR("MsTx"));

    if (x->n && put_host(r, x, cat, e))
        return e->code;
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (put_device(r, &r->m.dev[i], x, cat, e))
            return e->code;
    return OK;
}

int prof_rows_tx(struct prof_rows *r, struct err *e)
{
    struct prof_txs x;
    int rc = prof_txs_read(&x, r->m.p, e);

    if (rc == OK && group_wants(r->g, "host_stage"))
        rc = put_rows(r, &x, e);
    if (rc == OK && group_wants(r->g, "track"))
        rc = put_tracks(r, &x, e);
    prof_txs_done(&x);
    return rc;
}
