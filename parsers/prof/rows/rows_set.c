/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks of one folder, found by a number. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/limits.h"
#include "parsers/prof/rows/rows.h"

/* SINK_NO_TRACK: e is set. */
static uint32_t new_track(struct prof_tracks *t, uint32_t number, struct err *e)
{
    char process[80], name[80], tid[16];
    const bool several = t->r->m.n_dev > 1 && !t->f->host;

    if (t->name)
        t->name(t, number, name, sizeof name);
    else
        snprintf(name, sizeof name, "%s %" PRIu32, t->what, number);
    snprintf(tid, sizeof tid, "%" PRIu32, number);
    if (several)
        snprintf(process, sizeof process, "%s NPU %d", t->process, t->f->device);
    else
        snprintf(process, sizeof process, "%s", t->process);
    struct track_def def = { .rank = prof_rows_rank(t->r, t->f),
                             .kind = t->kind,
                             .pid = str_of(process),
                             .tid = str_of(tid),
                             .process = str_of(process),
                             .name = str_of(name),
                             .sort = ((int64_t)t->sort << 40) + number,
                             .stream = t->kind == TK_STREAM ? (int64_t)number : -1,
                             .source_id = t->source };
    prof_rows_mark_track(t->r, t->f, &def);
    uint32_t track = sink_track(t->r->g->out, &def);
    if (track == SINK_NO_TRACK)
        err_nomem(e);
    return track;
}

/* SINK_NO_TRACK: e is set, or is clear beyond the limit. */
static uint32_t add_track(struct prof_tracks *t, uint32_t number, struct str key, struct err *e)
{
    size_t n = intern_count(t->numbers);

    if (n >= LIM_TRACKS) {
        t->n_left++;
        return SINK_NO_TRACK;
    }
    uint32_t *track = grow_array(t->track, n, &t->cap, sizeof *track, 64);
    if (!track) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    t->track = track;
    track[n] = new_track(t, number, e);
    if (track[n] != SINK_NO_TRACK && intern_put(t->numbers, key) == INTERN_NONE) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    return track[n];
}

uint32_t prof_tracks_get(struct prof_tracks *t, uint32_t number, struct err *e)
{
    const struct str key = { (const char *)&number, sizeof number };

    if (t->cap && t->last == number)
        return t->last_track;
    if (!t->numbers && intern_new(&t->numbers, e))
        return SINK_NO_TRACK;
    uint32_t id = intern_find(t->numbers, key);
    uint32_t track = id == INTERN_NONE ? add_track(t, number, key, e) : t->track[id];
    if (track != SINK_NO_TRACK) {
        t->last = number;
        t->last_track = track;
    }
    return track;
}

void prof_tracks_done(struct prof_tracks *t)
{
    const struct where w = { .source_id = t->source, .offset = ERR_NO_OFFSET };

    if (t->n_left)
        sink_note(t->r->m.p->in.notes, NOTE_LIMIT, &w, "%s: %llu events of further tracks than %d: left out",
                  t->process, (unsigned long long)t->n_left, LIM_TRACKS);
    intern_free(t->numbers);
    free(t->track);
    t->numbers = NULL;
    t->track = NULL;
    t->cap = 0;
    t->n_left = 0;
}
