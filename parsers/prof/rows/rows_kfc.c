/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication that AI CPUs run: a track for each stream of its server with the phases of its turns, and
 * planes with the tasks it issued.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/rows/rows.h"

#define SORT_SERVER 15
#define SORT_COMM   16

/* ---- turns ---- */

static int put_turn(struct prof_tracks *t, const struct prof_kfc_turn *x, struct err *e)
{
    uint32_t track = prof_tracks_get(t, x->stream, e);
    char name[48];

    if (track == SINK_NO_TRACK)
        return e->code;
    for (unsigned i = 0; i < prof_kfc_phases(x); i++) {
        int64_t from = prof_device_ns(t->f, x->at[i]), to = prof_device_ns(t->f, x->at[i + 1]);
        if (!x->at[i] || to < from || from < prof_begin_ns(t->f))
            continue;
        snprintf(name, sizeof name, "%s %u", prof_kfc_phase_word(x, i), (unsigned)x->turn);
        if (sink_event(t->r->g->out, track, from, to - from, sink_intern(t->r->g->out, str_of(name)), 0, e))
            return e->code;
    }
    return OK;
}

static int put_turns(struct prof_rows *r, const struct prof_device *d, const struct prof_kfc *k,
                     struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_ENGINE,
                             .process = "Communication server",
                             .what = "Stream",
                             .sort = SORT_SERVER,
                             .source = prof_rows_source(d->f, PROF_AICPU) };
    int rc = OK;

    for (size_t i = 0; i < k->n_turns && rc == OK; i++)
        rc = put_turn(&t, &k->turn[i], e);
    prof_tracks_done(&t);
    return rc;
}

/* ---- tasks ---- */

#define GROUPS 256 /* further ones share the last number */
#define PLANES 65536

static void name_of_plane(const struct prof_tracks *t, uint32_t number, char *buf, size_t n)
{
    const uint32_t *group = t->arg;
    struct str name = prof_str(t->r->m.p, group[number / PLANES]);

    snprintf(buf, n, "Group %.*s Plane %" PRIu32, (int)(name.n < 40 ? name.n : 40), name.p, number % PLANES);
}

/* Number of a group; those beyond GROUPS share the last one. */
static uint32_t group_number(uint32_t *group, size_t *n, uint32_t text)
{
    size_t i = 0;

    while (i < *n && group[i] != text)
        i++;
    if (i == *n && *n < GROUPS)
        group[(*n)++] = text;
    return (uint32_t)(i < GROUPS ? i : GROUPS - 1);
}

static int put_info(struct prof_tracks *t, uint32_t number, const struct prof_kfc_info *x,
                    const struct prof_task *task, struct err *e)
{
    struct sink *s = t->r->g->out;
    int64_t from = prof_device_ns(t->f, task->start), to = prof_device_ns(t->f, task->end);

    if (to < from || to < prof_begin_ns(t->f))
        return OK;
    uint32_t track = prof_tracks_get(t, number, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(s, track, from, to - from, prof_rows_id(t->r, x->item), 0, e);
}

static int put_infos(struct prof_rows *r, const struct prof_device *d, const struct prof_kfc *k,
                     struct err *e)
{
    uint32_t group[GROUPS], *task = NULL;
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_PLANE,
                             .process = "Communication of AI CPUs",
                             .sort = SORT_COMM,
                             .source = prof_rows_source(d->f, PROF_AICPU),
                             .name = name_of_plane,
                             .arg = group };
    size_t n = 0;
    int rc = prof_kfc_tasks(k, d, &task, e);

    for (size_t i = 0; i < k->n_infos && rc == OK; i++) {
        const struct prof_kfc_info *x = &k->info[i];
        uint32_t number = group_number(group, &n, x->group) * PLANES + x->plane % PLANES;
        if (task[i] != PROF_NONE)
            rc = put_info(&t, number, x, &d->task[task[i]], e);
    }
    free(task);
    prof_tracks_done(&t);
    return rc;
}

/* ---- ops ---- */

static void name_of_group(const struct prof_tracks *t, uint32_t number, char *buf, size_t n)
{
    struct str name = prof_str(t->r->m.p, number);

    snprintf(buf, n, "Group %.*s", (int)(name.n < 40 ? name.n : 40), name.p);
}

static int put_ops(struct prof_rows *r, const struct prof_device *d, const struct prof_kfc_comm *k,
                   struct err *e)
{
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_PLANE,
                             .process = "Communication of AI CPUs",
                             .sort = SORT_COMM,
                             .source = prof_rows_source(d->f, PROF_AICPU),
                             .name = name_of_group };
    int rc = OK;

    for (size_t i = 0; k && i < k->n_runs && rc == OK; i++) {
        const struct prof_kfc_run *x = &k->run[i];
        int64_t from = prof_device_ns(d->f, x->from), to = prof_device_ns(d->f, x->to);
        if (!prof_kfc_is_shown(x) || from < prof_begin_ns(d->f) || to < from)
            continue;
        uint32_t track = prof_tracks_get(&t, x->group_name, e);
        rc = track == SINK_NO_TRACK
                 ? e->code
                 : sink_event(r->g->out, track, from, to - from, prof_rows_id(r, x->name), 0, e);
    }
    prof_tracks_done(&t);
    return rc;
}

int prof_rows_kfc(struct prof_rows *r, struct err *e)
{
    int rc = OK;

    for (size_t i = 0; i < r->m.n_dev && rc == OK; i++) {
        const struct prof_device *d = &r->m.dev[i];
        struct prof_kfc k;
        rc = prof_kfc_read(&k, r->m.p, d->f, r->m.host.expanded, e);
        if (rc == OK)
            rc = put_turns(r, d, &k, e);
        if (rc == OK && k.n_infos)
            rc = put_infos(r, d, &k, e);
        prof_kfc_done(&k);
        if (rc == OK)
            rc = put_ops(r, d, r->m.comm[i].kfc, e);
    }
    return rc;
}
