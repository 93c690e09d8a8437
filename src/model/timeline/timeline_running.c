/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was running when the data of a run ended: no source has an end of it, so it is no event of a chunk;
 * its begin is in table last_activity (analysis/ending.h reads the same).
 */
#include "config.h"

#include "model/timeline/timeline_int.h"

static bool is_kind(const struct tl_track *t, const char *kind)
{
    return str_eq(t->kind, str_of(kind));
}

/* Tracks of a group of ranks, of the AI CPU: which of several it was is not known. */
static bool may_have(const struct tl_track *t, struct str kind)
{
    if (str_eq(kind, STR("comm")))
        return is_kind(t, "plane") && !str_starts(t->name, STR("Plane "));
    return str_eq(kind, STR("aicpu")) && is_kind(t, "aicpu");
}

static struct tl_track *track_of_stream(struct timeline *t, size_t part, int64_t stream)
{
    for (size_t i = 0; i < t->n_tracks; i++)
        if (t->tracks[i].part == part && is_kind(&t->tracks[i], "stream") && t->tracks[i].stream == stream)
            return &t->tracks[i];
    return NULL;
}

/* The only track that may have it, or for communication that of all groups together; NULL: none. */
static struct tl_track *track_of_kind(struct timeline *t, size_t part, struct str kind)
{
    struct tl_track *only = NULL, *all = NULL;
    size_t n = 0;

    for (size_t i = 0; i < t->n_tracks; i++) {
        struct tl_track *x = &t->tracks[i];
        if (x->part != part)
            continue;
        if (may_have(x, kind)) {
            only = x;
            n++;
        } else if (is_kind(x, "overlap") && str_eq(x->name, STR("Communication")) &&
                   str_eq(kind, STR("comm")))
            all = x;
    }
    return n == 1 ? only : all;
}

/* Last instant that the device of a part is known at. */
static int64_t last_of(const struct timeline *t, size_t part)
{
    int64_t last = INT64_MIN;

    for (size_t i = 0; i < t->n_tracks; i++) {
        const struct tl_track *x = &t->tracks[i];
        if (x->part != part || x->is_host || x->is_counter || x->own_clock)
            continue;
        last = x->t1 > last ? x->t1 : last;
        last = x->runs && x->runs_from > last ? x->runs_from : last;
    }
    return last;
}

int running_load(struct timeline *t, size_t part, struct err *e)
{
    static const char sql[] = "SELECT kind, stream, name_id, ts_ns FROM last_activity WHERE rank = :rank AND "
                              "state = 'running' AND ts_ns IS NOT NULL";
    struct query *q = NULL;

    if (store_query(t->parts[part].store, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", t->parts[part].rank);
    while (query_step(q, e) == 1) {
        struct tl_track *x = str_eq(query_str(q, 0), STR("stream")) && !query_null(q, 1)
                                 ? track_of_stream(t, part, query_int(q, 1))
                                 : track_of_kind(t, part, query_str(q, 0));
        if (!x || (x->runs && x->runs_from >= query_int(q, 3)))
            continue;
        x->runs = query_null(q, 2) ? 0 : query_int(q, 2);
        x->runs_from = query_int(q, 3);
    }
    query_free(q);
    int64_t last = last_of(t, part);
    for (size_t i = 0; i < t->n_tracks; i++)
        if (t->tracks[i].part == part)
            t->tracks[i].runs_to = last;
    return e->code;
}

bool timeline_running(struct timeline *t, size_t track, struct tl_event *ev)
{
    const struct tl_track *x = &t->tracks[track];

    if (!x->runs)
        return false;
    *ev = (struct tl_event){ .track = track,
                             .ts_ns = x->runs_from,
                             .dur_ns = x->runs_to - x->runs_from,
                             .name_id = x->runs,
                             .cls = timeline_class(t, track, x->runs),
                             .seq = TL_RUNNING };
    return true;
}
