/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of DPUs: a track for each stream of each. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/host/dpu.h"
#include "parsers/prof/rows/rows.h"

#define SORT_DPU 8
#define STREAMS  65536

static void name_of(const struct prof_tracks *t, uint32_t number, char *buf, size_t n)
{
    (void)t;
    snprintf(buf, n, "DPU %" PRIu32 " Stream %" PRIu32, number / STREAMS, number % STREAMS);
}

static int put_task(struct prof_tracks *t, const struct prof_dpu_task *x, struct err *e)
{
    int64_t from = prof_host_ns(t->f, x->start), to = prof_host_ns(t->f, x->end);
    struct sink *s = t->r->g->out;

    if (to < from || from < prof_begin_ns(t->f))
        return OK;
    uint32_t track = prof_tracks_get(t, x->device * STREAMS + x->stream, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(s, track, from, to - from,
                      x->name == PROF_NONE ? sink_intern(s, STR("AI_CPU")) : prof_rows_id(t->r, x->name), 0,
                      e);
}

int prof_rows_dpu(struct prof_rows *r, struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = r->m.p->host,
                             .kind = TK_ENGINE,
                             .process = "DPU",
                             .sort = SORT_DPU,
                             .source = prof_rows_source(r->m.p->host, PROF_DPU_TRACK),
                             .name = name_of };
    struct prof_dpu d;
    int rc = prof_dpu_read(&d, r->m.p, e);

    if (!t.source)
        t.source = prof_rows_source(r->m.p->host, PROF_DPU_COMM);
    for (size_t i = 0; i < d.n && rc == OK; i++)
        rc = put_task(&t, &d.v[i], e);
    prof_tracks_done(&t);
    prof_dpu_done(&d);
    return rc;
}
