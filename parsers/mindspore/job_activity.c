/* SPDX-License-Identifier: Apache-2.0 */
/* Last tasks of streams. */
#include "config.h"

#include "parsers/mindspore/job_activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/mindspore/ticks.h"

/* The last start, or the last end when nothing is open. */
struct job_stream {
    uint32_t stream, op; /* op: number of the task as Framework writes it */
    uint16_t task;
    bool open, lost; /* lost: was open where records are missing */
    uint64_t ticks;
    struct where where;
};

static struct job_stream *stream_of(struct job_activity *a, uint32_t stream, struct err *e)
{
    const struct str key = { (const char *)&stream, sizeof stream };

    if (!a->ids && intern_new(&a->ids, e))
        return NULL;
    if (intern_count(a->ids) && a->v[a->at].stream == stream)
        return &a->v[a->at];
    uint32_t before = intern_count(a->ids), id = intern_put(a->ids, key);
    struct job_stream *v = id == INTERN_NONE ? NULL : grow_array(a->v, id, &a->cap, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    a->v = v;
    a->at = id;
    if (id == before)
        v[id] = (struct job_stream){ .stream = stream };
    return &v[id];
}

int job_activity_add(struct job_activity *a, const struct hwts_record *r, uint32_t task, struct err *e)
{
    struct job_stream *s = stream_of(a, r->stream, e);
    bool start = r->type == HWTS_TASK_START;

    if (!s)
        return e->code;
    if (!start && s->open && s->task != r->task) /* of an earlier task: the open one still runs */
        return OK;
    *s = (struct job_stream){
        .stream = r->stream, .op = task, .task = r->task, .open = start, .ticks = r->ticks, .where = r->where
    };
    return OK;
}

void job_activity_gap(struct job_activity *a)
{
    for (uint32_t i = 0; a->ids && i < intern_count(a->ids); i++) {
        a->v[i].lost |= a->v[i].open;
        a->v[i].open = false;
    }
}

/* Communication and the runtime have tasks that no file names. */
static uint32_t name_of(const struct job_stream *s, struct sink *out, const struct job_tasks *t)
{
    char text[32];

    if (s->op != JOB_NO_TASK)
        return job_tasks_name_id(t, s->op);
    snprintf(text, sizeof text, "task %u", s->task);
    return sink_intern(out, str_of(text));
}

static int put_stream(const struct job_stream *s, struct group_ctx *g, const struct job_tasks *t,
                      struct err *e)
{
    struct val v[N_COLS(last_activity)] = { 0 };
    char track[32];
    int64_t ts;

    if (!ticks_ns(s->ticks, &ts)) /* a damaged counter: noted where its execution is */
        return OK;
    snprintf(track, sizeof track, "Stream %" PRIu32, s->stream);
    v[COL(last_activity, rank)] = val_int(g->rank);
    v[COL(last_activity, kind)] = val_cstr("stream");
    v[COL(last_activity, track)] = val_cstr(track);
    v[COL(last_activity, stream)] = val_int(s->stream);
    v[COL(last_activity, task)] = val_int(s->task);
    v[COL(last_activity, name_id)] = val_id(name_of(s, g->out, t));
    v[COL(last_activity, ts_ns)] = val_int(ts);
    v[COL(last_activity, state)] = val_cstr(s->open ? "running" : s->lost ? "unknown" : "done");
    v[COL(last_activity, source_id)] = val_int(s->where.source_id);
    v[COL(last_activity, line)] = val_int(s->where.line);
    return sink_row(g->out, T_last_activity, v, N_COLS(last_activity), NULL, e);
}

int job_activity_write(const struct job_activity *a, struct group_ctx *g, const struct job_tasks *t,
                       struct err *e)
{
    for (uint32_t i = 0; a->ids && i < intern_count(a->ids); i++)
        if (put_stream(&a->v[i], g, t, e))
            return e->code;
    return OK;
}

void job_activity_done(struct job_activity *a)
{
    intern_free(a->ids);
    free(a->v);
    *a = (struct job_activity){ 0 };
}
