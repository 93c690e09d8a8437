/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of a PROF folder: streams of the devices, calls of the host's threads, arrows from the call
 * that issued a task or communication op to it (doc/formats/msprof.md#timeline).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/rows.h"

/* Layers as msprof orders them. */
#define SORT_CANN     7
#define SORT_HARDWARE 14
#define SORT_COMM     16

#define GROUPS 256 /* of communication; further ones share the last number */

/* A group has a track for its ops, and after it one for each plane. */
#define PLANES      1024
#define OPS_OF(g)   ((g)*PLANES)
#define PLANE_OF(p) ((p) % PLANES - 1)

/* arg: texts of the groups' names. */
static void name_of_comm(const struct prof_tracks *t, uint32_t number, char *buf, size_t n)
{
    const uint32_t *group = t->arg;

    if (number % PLANES) {
        snprintf(buf, n, "Plane %" PRIu32, PLANE_OF(number));
    } else {
        struct str name = prof_str(t->r->m.p, group[number / PLANES]);
        snprintf(buf, n, "Group %.*s", (int)(name.n < 64 ? name.n : 64), name.p);
    }
}

/* ---- the device ---- */

/* Whether there is an arrow from its call to the task. */
static bool has_arrow(const struct prof_rows *r, const struct prof_task *t)
{
    return t->host != PROF_NONE && r->m.host.task[t->host].api != PROF_NONE;
}

/* Arrows begin at a call and have its number. */
struct arrows {
    uint32_t cat;
    uint8_t *is_source; /* a bit for each call that an arrow begins at */
};

static int end_arrow(struct prof_tracks *t, const struct arrows *a, uint32_t api, uint32_t track, int64_t at,
                     struct err *e)
{
    a->is_source[api / 8] |= (uint8_t)(1 << api % 8);
    return sink_flow(t->r->g->out, track, at, 'f', a->cat, (uint64_t)api + 1, e);
}

static int put_task(struct prof_tracks *t, const struct prof_device *d, const struct prof_task *x,
                    const struct arrows *a, struct err *e)
{
    struct sink *s = t->r->g->out;
    int64_t from = prof_device_ns(d->f, x->start), to = prof_device_ns(d->f, x->end);
    uint32_t track = prof_tracks_get(t, x->stream, e);
    uint32_t name = sink_intern(s, prof_rows_task_name(t->r, x));

    if (track == SINK_NO_TRACK || sink_event(s, track, from, to - from, name, 0, e))
        return e->code;
    if (!has_arrow(t->r, x))
        return OK;
    return end_arrow(t, a, t->r->m.host.task[x->host].api, track, from, e);
}

struct prof_tracks prof_rows_streams(struct prof_rows *r, const struct prof_device *d)
{
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_STREAM,
                             .process = "Ascend Hardware",
                             .what = "Stream",
                             .sort = SORT_HARDWARE,
                             .source = prof_rows_source(d->f, PROF_STARS) };

    if (!t.source)
        t.source = prof_rows_source(d->f, PROF_HWTS);
    return t;
}

static int put_device(struct prof_rows *r, const struct prof_device *d, const struct arrows *a, struct err *e)
{
    struct prof_tracks t = prof_rows_streams(r, d);
    int rc = OK;

    for (size_t i = 0; i < d->n_tasks && rc == OK; i++) {
        const struct prof_task *x = &d->task[i];
        if (x->end >= x->start && !x->outer && prof_device_ns(d->f, x->end) >= prof_begin_ns(d->f))
            rc = put_task(&t, d, x, a, e);
    }
    prof_tracks_done(&t);
    return rc;
}

/* ---- communication: a track for the ops of each group, then its planes ---- */

static int put_comm_task(struct prof_tracks *t, const struct prof_device *d, const struct prof_comm_task *c,
                         uint32_t group, struct err *e)
{
    struct prof_rows *r = t->r;
    const struct prof_task *x = &d->task[c->task];
    uint32_t at = r->m.host.task[c->host].comm;

    if (at == PROF_NONE)
        return OK;
    const struct prof_comm_info *info = &r->m.host.comm[at];
    uint32_t plane = info->plane == UINT32_MAX ? 0 : info->plane % (PLANES - 1);
    int64_t from = prof_device_ns(d->f, x->start), to = prof_device_ns(d->f, x->end);
    uint32_t track = prof_tracks_get(t, OPS_OF(group) + 1 + plane, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(r->g->out, track, from, to - from, prof_rows_name(r, info->item, NULL), 0, e);
}

/* Number of an op's group; those beyond GROUPS share the last one. */
static uint32_t group_number(struct prof_rows *r, uint32_t *group, size_t *n, const struct prof_comm_run *run)
{
    uint32_t text = run->info == PROF_NONE ? run->group : r->m.host.comm[run->info].group;
    size_t i = 0;

    while (i < *n && group[i] != text)
        i++;
    if (i == *n && *n < GROUPS)
        group[(*n)++] = text;
    return (uint32_t)(i < GROUPS ? i : GROUPS - 1);
}

/* An op that has not ended is no event, only its tasks: the timeline draws what last_activity says of it. */
static int put_run(struct prof_tracks *t, size_t dev, const struct prof_comm_run *run, uint32_t group,
                   const struct arrows *a, struct err *e)
{
    struct prof_rows *r = t->r;
    const struct prof_device *d = &r->m.dev[dev];
    uint32_t api = r->m.host.comm_op[run->op].api;
    int64_t from = prof_device_ns(d->f, run->start), to = prof_device_ns(d->f, run->end);
    uint32_t track = prof_tracks_get(t, OPS_OF(group), e);

    if (track == SINK_NO_TRACK)
        return e->code;
    if (!prof_rows_is_running(r, dev, run) &&
        (sink_event(r->g->out, track, from, to - from, prof_rows_comm_name(r, run, NULL), 0, e) ||
         (api != PROF_NONE && end_arrow(t, a, api, track, from, e))))
        return e->code;
    for (uint32_t i = 0; i < run->n; i++)
        if (put_comm_task(t, d, &r->m.comm[dev].task[run->at + i], group, e))
            return e->code;
    return OK;
}

static int put_comm(struct prof_rows *r, size_t i, const struct arrows *a, struct err *e)
{
    const struct prof_device *d = &r->m.dev[i];
    const struct prof_comm *c = &r->m.comm[i];
    uint32_t group[GROUPS];
    size_t n = 0;
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_PLANE,
                             .process = "Communication",
                             .sort = SORT_COMM,
                             .source = prof_rows_source(r->m.p->host, PROF_HCCL_INFO),
                             .name = name_of_comm,
                             .arg = group };
    int rc = OK;

    for (size_t k = 0; k < c->n_runs && rc == OK; k++)
        if (prof_keeps_comm(&prof_rows_all, d->f, c->run[k].start, c->run[k].end))
            rc = put_run(&t, i, &c->run[k], group_number(r, group, &n, &c->run[k]), a, e);
    prof_tracks_done(&t);
    return rc;
}

/* ---- the host ---- */

static int put_call(struct prof_tracks *t, size_t i, uint32_t cat, bool is_source, struct err *e)
{
    const struct prof_api *a = &t->r->m.host.api[i];
    const struct prof_folder *f = t->r->m.p->host;
    struct sink *s = t->r->g->out;
    int64_t from = prof_host_ns(f, a->begin), to = prof_host_ns(f, a->end);
    uint32_t track = prof_tracks_get(t, a->thread, e);
    uint32_t name = prof_rows_name(t->r, prof_api_name(t->r->m.p, a), NULL);

    if (track == SINK_NO_TRACK || sink_event(s, track, from, to - from, name, 0, e))
        return e->code;
    return is_source ? sink_flow(s, track, from, 's', cat, i + 1, e) : OK;
}

static int put_host(struct prof_rows *r, const struct arrows *a, struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = r->m.p->host,
                             .kind = TK_HOST_THREAD,
                             .process = "CANN",
                             .what = "Thread",
                             .sort = SORT_CANN,
                             .source = prof_rows_source(r->m.p->host, PROF_API_EVENT) };
    int rc = OK;

    for (size_t i = 0; i < r->m.host.n_apis && rc == OK; i++)
        if (prof_api_is_kept(r->m.p, &r->m.host, &r->m.host.api[i]))
            rc = put_call(&t, i, a->cat, a->is_source[i / 8] >> i % 8 & 1, e);
    prof_tracks_done(&t);
    return rc;
}

int prof_rows_tracks(struct prof_rows *r, struct err *e)
{
    const struct arrows a = { .cat = sink_intern(r->g->out, STR("HostToDevice")),
                              .is_source = calloc(r->m.host.n_apis / 8 + 1, 1) };
    int rc = a.is_source ? OK : err_nomem(e);

    for (size_t i = 0; i < r->m.n_dev && rc == OK; i++)
        if ((rc = put_device(r, &r->m.dev[i], &a, e)) == OK)
            rc = put_comm(r, i, &a, e);
    if (rc == OK && r->m.p->host)
        rc = put_host(r, &a, e);
    free(a.is_source);
    return rc;
}
