/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of the timeline. */
#include "config.h"

#include "parsers/prof/rows/curves.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

static uint32_t make(struct prof_curves *c, const struct prof_layer *l, const char *name, const char *key)
{
    char process[64];

    if (c->r->m.n_dev > 1 && !c->f->host)
        snprintf(process, sizeof process, "%s NPU %d", l->process, c->f->device);
    else
        snprintf(process, sizeof process, "%s", l->process);
    struct track_def def = { .rank = prof_rows_rank(c->r, c->f),
                             .kind = TK_COUNTER,
                             .pid = str_of(process),
                             .tid = str_of(key),
                             .process = str_of(process),
                             .name = str_of(name),
                             .sort = ((int64_t)l->sort << 40) + intern_count(c->keys),
                             .stream = -1,
                             .unit = str_of(l->unit),
                             .source_id = prof_rows_source(c->f, l->tag) };
    prof_rows_mark_track(c->r, c->f, &def);
    def.has_ts_err = false; /* samples go by other clocks, too */
    return sink_track(c->r->g->out, &def);
}

/* SINK_NO_TRACK: e is set, or is clear beyond the limit. */
static uint32_t new_curve(struct prof_curves *c, const struct prof_layer *l, const char *name,
                          const char *key, struct err *e)
{
    size_t n = intern_count(c->keys);

    if (n >= PROF_CURVES_MAX) {
        c->left_tag = l->tag;
        c->n_left++;
        return SINK_NO_TRACK;
    }
    uint32_t *track = grow_array(c->track, n, &c->cap, sizeof *track, 32);
    if (track) {
        c->track = track;
        track[n] = make(c, l, name, key);
    }
    if (!track || track[n] == SINK_NO_TRACK || intern_put(c->keys, str_of(key)) == INTERN_NONE) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    return track[n];
}

/* As new_curve(). */
static uint32_t curve_of(struct prof_curves *c, const struct prof_layer *l, const char *name, struct err *e)
{
    char key[96];

    if (!c->keys && intern_new(&c->keys, e))
        return SINK_NO_TRACK;
    snprintf(key, sizeof key, "%s: %s", l->process, name);
    uint32_t id = intern_find(c->keys, str_of(key));
    return id == INTERN_NONE ? new_curve(c, l, name, key, e) : c->track[id];
}

int prof_curve_put(struct prof_curves *c, const struct prof_layer *l, const char *name, int64_t ts,
                   double value, struct err *e)
{
    uint32_t track = curve_of(c, l, name, e);

    if (track == SINK_NO_TRACK)
        return e->code;
    return ts >= prof_begin_ns(c->f) ? sink_sample(c->r->g->out, track, ts, value, e) : OK;
}

void prof_curves_done(struct prof_curves *c)
{
    if (c->n_left)
        prof_note(c->r->m.p, c->f, c->left_tag, NOTE_LIMIT,
                  "%llu samples of further curves than %d: left out", (unsigned long long)c->n_left,
                  PROF_CURVES_MAX);
    intern_free(c->keys);
    free(c->track);
    c->keys = NULL;
    c->track = NULL;
    c->cap = 0;
    c->n_left = 0;
}
