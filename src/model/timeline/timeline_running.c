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

/* What is known of the group that communication was in. */
struct in_group {
    struct str name; /* n 0: unknown */
    int64_t track; /* track with another op of it, where its name is a hash and the track's is not; 0: none */
    bool is_only;  /* the rank is in no other */
};

static bool is_of_group(const struct tl_track *t, struct str name)
{
    const struct str before = STR("Group ");
    const struct str own = str_sub(t->name, before.n, SIZE_MAX), rest = str_sub(own, name.n, SIZE_MAX);

    return name.n && str_starts(t->name, before) && str_starts(own, name) && (!rest.n || rest.p[0] == ' ');
}

/*
 * The track of its group, or the only one that may have it; for communication that of all groups together
 * where its group is not known: a group whose first op did not end has no track. NULL: none.
 */
static struct tl_track *track_of_kind(struct timeline *t, size_t part, struct str kind,
                                      const struct in_group *group)
{
    const bool comm = str_eq(kind, STR("comm"));
    struct tl_track *only = NULL, *mine = NULL, *all = NULL;
    size_t n = 0, n_mine = 0;

    for (size_t i = 0; i < t->n_tracks; i++) {
        struct tl_track *x = &t->tracks[i];
        if (x->part != part)
            continue;
        if (may_have(x, kind)) {
            only = x;
            n++;
            if (comm && x->id == group->track)
                return x;
            if (comm && is_of_group(x, group->name)) {
                mine = x;
                n_mine++;
            }
        } else if (comm && is_kind(x, "overlap") && str_eq(x->name, STR("Communication")))
            all = x;
    }
    if (n_mine == 1)
        return mine;
    return n == 1 && (!comm || group->is_only) ? only : all;
}

/* Last instant that the device of a part is known at, by its own clock or by that of files of another. */
static int64_t last_of(const struct timeline *t, size_t part, bool own_clock)
{
    int64_t last = INT64_MIN;

    for (size_t i = 0; i < t->n_tracks; i++) {
        const struct tl_track *x = &t->tracks[i];
        if (x->part != part || x->is_host || x->is_counter || x->own_clock != own_clock)
            continue;
        last = x->t1 > last ? x->t1 : last;
        last = x->runs && x->runs_from > last ? x->runs_from : last;
    }
    return last;
}

/* The group of the op that was running, where its name is of one only: found once, all ops are looked at. */
#define GROUP                                                                                                \
    "(SELECT CASE WHEN min(group_id) = max(group_id) THEN min(group_id) END FROM comm_exec c WHERE "         \
    "c.rank = l.rank AND c.name_id = l.name_id)"

int running_load(struct timeline *t, size_t part, struct err *e)
{
    static const char sql[] =
        "SELECT kind, stream, name_id, ts_ns, (SELECT text FROM string WHERE id = l.group_id), "
        "(SELECT count(DISTINCT group_id) FROM comm_group g WHERE g.rank = l.rank OR g.rank IS NULL), "
        "CASE kind WHEN 'comm' THEN (SELECT x.id FROM comm_exec c JOIN track x ON x.rank = c.rank AND "
        "x.kind = 'plane' JOIN event e ON e.track_id = x.id AND e.ts_ns >= c.ts_ns AND e.ts_ns <= c.ts_ns "
        "AND e.name_id = c.name_id WHERE c.id = (SELECT d.id FROM comm_exec d WHERE d.rank = l.rank AND "
        "d.name_id <> l.name_id AND d.group_id = l.group_id ORDER BY d.ts_ns DESC LIMIT 1) LIMIT 1) END "
        "FROM (SELECT l.*, " GROUP
        " AS group_id FROM last_activity l WHERE rank = :rank AND state = 'running' "
        "AND ts_ns IS NOT NULL LIMIT -1 OFFSET 0) l"; /* LIMIT: not put into the outer one, row by row */
    struct query *q = NULL;

    if (store_query(t->parts[part].store, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", t->parts[part].rank);
    while (query_step(q, e) == 1) {
        const struct in_group group = { .name = query_null(q, 4) ? STR("") : query_str(q, 4),
                                        .track = query_int(q, 6),
                                        .is_only = query_int(q, 5) == 1 };
        struct tl_track *x = str_eq(query_str(q, 0), STR("stream")) && !query_null(q, 1)
                                 ? track_of_stream(t, part, query_int(q, 1))
                                 : track_of_kind(t, part, query_str(q, 0), &group);
        if (!x || query_null(q, 2) || (x->runs && x->runs_from >= query_int(q, 3)))
            continue;
        x->runs = query_int(q, 2);
        x->runs_from = query_int(q, 3);
    }
    query_free(q);
    const int64_t last[] = { last_of(t, part, false), last_of(t, part, true) };
    for (size_t i = 0; i < t->n_tracks; i++) {
        struct tl_track *x = &t->tracks[i];
        if (x->part == part)
            x->runs_to = x->runs && x->runs_from > last[x->own_clock] ? x->runs_from : last[x->own_clock];
    }
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
