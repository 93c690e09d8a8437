/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of CANN (CANN_API): their sums by name, tracks of their threads, arrows to the tasks they issued;
 * marks of the program (MSTX_EVENTS) and what overlapped (OVERLAP_ANALYSIS).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/database/database_group.h"

#define SORT_CANN    5
#define SORT_OVERLAP 8

struct calls {
    struct database_group *g;
    struct database_sums sums;
    bool stats, tracks;  /* what the group feeds */
    uint32_t overlap[4]; /* names by type, 0: not known yet */
};

enum { A_FROM, A_TO, A_LEVEL, A_THREAD, A_CONNECTION, A_NAME, A_N };

/* clang-format off */
static const struct database_col call_cols[] = {
    { "startNs",      DB_NS,  A_FROM, NULL },
    { "endNs",        DB_NS,  A_TO, NULL },
    { "type",         DB_INT, A_LEVEL, NULL },
    { "globalTid",    DB_INT, A_THREAD, NULL },
    { "connectionId", DB_ID,  A_CONNECTION, NULL },
    { "name",         DB_SID, A_NAME, NULL },
};
static const struct database_map call_map = {
    .table = "CANN_API", DB_SLOTS(A_N), .cols = call_cols, .n_cols = ARRAY_LEN(call_cols),
};

enum { X_FROM, X_TO, X_MESSAGE, X_THREAD, X_N };
static const struct database_col mark_cols[] = {
    { "startNs",      DB_NS,  X_FROM, NULL },
    { "endNs",        DB_NS,  X_TO, NULL },
    { "message",      DB_SID, X_MESSAGE, NULL },
    { "globalTid",    DB_INT, X_THREAD, NULL },
};
static const struct database_map mark_map = {
    .table = "MSTX_EVENTS", DB_SLOTS(X_N), .cols = mark_cols, .n_cols = ARRAY_LEN(mark_cols),
};

enum { V_FROM, V_TO, V_TYPE, V_DEVICE, V_N };
static const struct database_col overlap_cols[] = {
    { "startNs",      DB_NS,     V_FROM, NULL },
    { "endNs",        DB_NS,     V_TO, NULL },
    { "type",         DB_INT,    V_TYPE, NULL },
    { "deviceId",     DB_DEVICE, V_DEVICE, NULL },
};
static const struct database_map overlap_map = {
    .table = "OVERLAP_ANALYSIS", DB_SLOTS(V_N), .cols = overlap_cols, .n_cols = ARRAY_LEN(overlap_cols),
};
/* By type, as the trace calls them. */
static const char *const overlaps[] = {
    "Computing", "Communication", "Communication(Not Overlapped)", "Free",
};
/* Levels of calls where the database does not name them (doc/formats/prof.md#levels). */
static const struct { int64_t id; const char *word; } levels[] = {
    { 20000, "acl" }, { 15000, "model" }, { 10000, "node" }, { 5500, "hccl" }, { 5000, "runtime" },
};
/* clang-format on */

static struct str level_of(struct database *d, int64_t id)
{
    struct str word = database_enum(d, "ENUM_API_TYPE", id);

    for (size_t i = 0; !word.p && i < ARRAY_LEN(levels); i++)
        if (levels[i].id == id)
            word = str_of(levels[i].word);
    return word;
}

/* ---- tracks and arrows ---- */

uint32_t database_thread(struct database_group *g, struct database *d, const char *layer, int64_t sort,
                         int64_t thread, struct err *e)
{
    int64_t tid = thread & UINT32_MAX;
    struct database_track w = { .kind = TK_HOST_THREAD,
                                .layer = layer,
                                .pid = (int64_t)((uint64_t)thread >> 32),
                                .tid = tid,
                                .rank = d->c->rank,
                                .device = -1,
                                .stream = -1,
                                .sort = (sort << 40) + tid };
    uint32_t track = database_track_find(&g->tracks, &w);
    char name[40];

    if (track != SINK_NO_TRACK)
        return track;
    snprintf(name, sizeof name, "Thread %lld", (long long)tid);
    w.name = str_of(name);
    return database_track(d, &g->tracks, &w, e);
}

static int put_event(const struct database_row *r, uint32_t track, size_t from, size_t to, uint32_t name,
                     struct err *e)
{
    int64_t ts, end;

    (void)database_span(r, from, to, &ts, &end);
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(r->d->c->out, track, ts, end - ts, name, r->number, e);
}

int database_arrows_put(struct database_group *g, struct sink *s, int64_t connection, uint32_t track,
                        int64_t from, struct err *e)
{
    struct database_ids *ids = &g->by_connection;
    size_t at = connection < 0 ? SIZE_MAX : database_ids_first(ids, connection);
    struct database_id *first = at == SIZE_MAX ? NULL : paged_edit(&ids->v, at);

    if (!first || first->mark)
        return OK;
    first->mark = 1;
    const uint32_t cat = g->arrows = g->arrows ? g->arrows : sink_intern(s, STR("HostToDevice"));
    if (sink_flow(s, track, from, 's', cat, (uint64_t)connection, e))
        return e->code;
    for (; database_ids_is(ids, at, connection); at++) {
        const struct database_task t = database_task_at(g, database_ids_at(ids, at).value);
        if (t.track != SINK_NO_TRACK && sink_flow(s, t.track, t.from, 'f', cat, (uint64_t)connection, e))
            return e->code;
    }
    return OK;
}

static int on_call(struct database_row *r, struct err *e)
{
    struct calls *c = r->arg;
    int64_t from, to;

    if (!database_span(r, A_FROM, A_TO, &from, &to))
        return database_no_start(r);
    if (c->stats && database_sums_add(&c->sums, database_int(r, A_LEVEL, -1),
                                      (uint32_t)database_int(r, A_NAME, 0), to - from, e))
        return e->code;
    if (!c->tracks)
        return OK;
    uint32_t track = database_thread(c->g, r->d, "CANN", SORT_CANN, database_int(r, A_THREAD, 0), e);
    if (put_event(r, track, A_FROM, A_TO, (uint32_t)database_int(r, A_NAME, 0), e) || track == SINK_NO_TRACK)
        return e->code;
    return database_arrows_put(c->g, r->d->c->out, database_int(r, A_CONNECTION, -1), track, from, e);
}

static int on_mark(struct database_row *r, struct err *e)
{
    struct calls *c = r->arg;

    if (r->v[X_FROM].t != VAL_INT)
        return database_no_start(r);
    uint32_t track = database_thread(c->g, r->d, "mstx", SORT_CANN - 1, database_int(r, X_THREAD, 0), e);
    return put_event(r, track, X_FROM, X_TO, (uint32_t)database_int(r, X_MESSAGE, 0), e);
}

static int on_overlap(struct database_row *r, struct err *e)
{
    struct calls *c = r->arg;
    int64_t type = database_int(r, V_TYPE, -1);

    if (type < 0 || type >= (int64_t)ARRAY_LEN(overlaps))
        return OK;
    if (r->v[V_FROM].t != VAL_INT)
        return database_no_start(r);
    uint32_t *name = &c->overlap[type];
    const struct database_track w = { .kind = TK_OVERLAP,
                                      .layer = "Overlap Analysis",
                                      .pid = -1,
                                      .tid = type,
                                      .rank = r->rank,
                                      .device = database_int(r, V_DEVICE, -1),
                                      .stream = -1,
                                      .sort = ((int64_t)SORT_OVERLAP << 40) + type,
                                      .name = str_of(overlaps[type]) };
    uint32_t track = database_track_find(&c->g->tracks, &w);
    if (track == SINK_NO_TRACK)
        track = database_track(r->d, &c->g->tracks, &w, e);
    *name = *name ? *name : sink_intern(r->d->c->out, w.name);
    return put_event(r, track, V_FROM, V_TO, *name, e);
}

int database_calls(struct database_group *g, struct database *d, struct err *e)
{
    struct calls c = { .g = g, .stats = group_wants(g->g, "api_stat"), .tracks = group_wants(g->g, "track") };

    if ((c.stats || c.tracks) && database_read(d, &call_map, on_call, &c, e) == OK && c.stats)
        (void)!database_sums_put(d, &c.sums, level_of, e);
    if (!e->code && c.tracks)
        (void)!(database_read(d, &mark_map, on_mark, &c, e) ||
                database_read(d, &overlap_map, on_overlap, &c, e));
    database_sums_done(&c.sums);
    return e->code;
}
