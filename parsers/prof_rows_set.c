/* Tracks of one folder, found by a number. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "prof_rows.h"

/* SINK_NO_TRACK: e is set. */
static uint32_t new_track(struct prof_tracks *t, uint32_t number, struct err *e)
{
    char process[80], name[80], tid[16];
    const bool several = t->r->n_dev > 1 && !t->f->host;

    if (t->name)
        t->name(t, number, name, sizeof name);
    else
        snprintf(name, sizeof name, "%s %" PRIu32, t->what, number);
    snprintf(tid, sizeof tid, "%" PRIu32, number);
    if (several)
        snprintf(process, sizeof process, "%s NPU %d", t->process, t->f->device);
    else
        snprintf(process, sizeof process, "%s", t->process);
    const struct track_def def = { .rank = prof_rows_rank(t->r, t->f),
                                   .kind = t->kind,
                                   .pid = str_of(process),
                                   .tid = str_of(tid),
                                   .process = str_of(process),
                                   .name = str_of(name),
                                   .sort = ((int64_t)t->sort << 40) + number,
                                   .stream = t->kind == TK_STREAM ? (int64_t)number : -1,
                                   .source_id = t->source };
    uint32_t track = sink_track(t->r->g->out, &def);
    if (track == SINK_NO_TRACK)
        err_nomem(e);
    return track;
}

uint32_t prof_tracks_get(struct prof_tracks *t, uint32_t number, struct err *e)
{
    if (t->n && t->v[t->last].number == number)
        return t->v[t->last].track;
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].number == number)
            return t->v[t->last = i].track;
    struct prof_track_number *v = grow_array(t->v, t->n, &t->cap, sizeof *v, 64);
    if (!v) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    t->v = v;
    uint32_t track = new_track(t, number, e);
    if (track != SINK_NO_TRACK)
        t->v[t->last = t->n++] = (struct prof_track_number){ number, track };
    return track;
}

void prof_tracks_done(struct prof_tracks *t)
{
    free(t->v);
    t->v = NULL;
    t->n = t->cap = t->last = 0;
}
