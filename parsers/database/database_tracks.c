/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks of a group's databases, found by layer and numbers. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/limits.h"
#include "parsers/database/database_group.h"
#include "parsers/read/lines.h"

struct database_track_key {
    const char *layer;
    int64_t pid, tid, device;
    int32_t rank, kind;
};

/* Tracks that were found last: events come in turns from few of them. */
#define NEAR 64
struct database_near_track {
    struct database_track_key key; /* layer NULL: none */
    uint32_t track;
};

static struct database_track_key key_of(const struct database_track *w)
{
    return (struct database_track_key){ .layer = w->layer,
                                        .pid = w->pid,
                                        .tid = w->tid,
                                        .device = w->device,
                                        .rank = w->rank,
                                        .kind = (int32_t)w->kind };
}

uint32_t database_track_find(const struct database_tracks *t, const struct database_track *w)
{
    const struct database_track_key key = key_of(w);
    struct database_near_track *near =
        t->near ? &t->near[((uint64_t)w->tid + (uint64_t)w->kind * 16) % NEAR] : NULL;

    if (near && memcmp(&near->key, &key, sizeof key) == 0)
        return near->track;
    uint32_t id =
        t->keys ? intern_find(t->keys, (struct str){ (const char *)&key, sizeof key }) : INTERN_NONE;
    if (id == INTERN_NONE)
        return SINK_NO_TRACK;
    if (near)
        *near = (struct database_near_track){ key, t->track[id] };
    return t->track[id];
}

/* SINK_NO_TRACK: e is set. */
static uint32_t new_track(struct database *d, const struct database_tracks *t, const struct database_track *w,
                          struct err *e)
{
    char pid[120], tid[24], layer[80];

    /* layers of one process are told apart, too */
    snprintf(layer, sizeof layer, "%s", w->layer);
    if (t->devices && w->device >= 0)
        snprintf(layer, sizeof layer, "%.50s (NPU %" PRId64 ")", w->layer, w->device);
    snprintf(pid, sizeof pid, "%s %" PRId64, layer, w->pid);
    snprintf(tid, sizeof tid, "%" PRId64, w->tid);
    const struct track_def def = { .rank = w->rank,
                                   .kind = w->kind,
                                   .pid = str_of(pid),
                                   .tid = str_of(tid),
                                   .process = str_of(layer),
                                   .name = w->name,
                                   .sort = w->sort,
                                   .stream = w->stream,
                                   .unit = w->unit ? str_of(w->unit) : STR_NULL,
                                   .source_id = d->c->f->id };
    uint32_t track = sink_track(d->c->out, &def);
    if (track == SINK_NO_TRACK)
        err_nomem(e);
    return track;
}

uint32_t database_track(struct database *d, struct database_tracks *t, const struct database_track *w,
                        struct err *e)
{
    const struct database_track_key key = key_of(w);
    const struct str text = { (const char *)&key, sizeof key };

    if (!t->keys && intern_new(&t->keys, e))
        return SINK_NO_TRACK;
    if (!t->near && !(t->near = calloc(NEAR, sizeof *t->near))) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    uint32_t id = intern_find(t->keys, text);
    if (id != INTERN_NONE)
        return t->track[id];
    size_t count = intern_count(t->keys);
    if (count >= LIM_TRACKS) {
        t->left++;
        return SINK_NO_TRACK;
    }
    uint32_t *track = grow_array(t->track, count, &t->cap, sizeof *track, 64);
    if (!track) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    t->track = track;
    track[count] = new_track(d, t, w, e);
    if (track[count] != SINK_NO_TRACK && intern_put(t->keys, text) == INTERN_NONE)
        err_nomem(e);
    return e->code ? SINK_NO_TRACK : track[count];
}

void database_tracks_done(struct database *d, struct database_tracks *t)
{
    if (t->left && d)
        parse_note(d->c, NOTE_LIMIT, t->left, "events of more than %d tracks", LIM_TRACKS);
    intern_free(t->keys);
    free(t->track);
    free(t->near);
    *t = (struct database_tracks){ .keys = NULL };
}
