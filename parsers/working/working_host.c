/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the host: intervals (ApiData) and pairs of events (EventData, which older exports have apart).
 * Sums by level and name, tracks of the threads, arrows to what they issued.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/working/working.h"

#define SORT_CANN 5

struct calls {
    struct working *w;
    struct database_sums sums;
    bool stats, tracks;  /* what the group feeds */
    struct intern *keys; /* of events */
    int64_t *open;       /* by id of keys: begin of the event without its end yet, NOT_OPEN: none */
    size_t cap;
};
#define NOT_OPEN INT64_MIN

enum { A_KIND, A_ID, A_LEVEL, A_THREAD, A_ITEM, A_FROM, A_TO, A_CONNECTION, A_N };

/* clang-format off */
static const struct database_col call_cols[] = {
    { "struct_type", DB_TEXT,      A_KIND, NULL },
    { "id",          DB_TEXT,      A_ID, NULL },
    { "level",       DB_TEXT,      A_LEVEL, NULL },
    { "thread_id",   DB_INT,       A_THREAD, NULL },
    { "item_id",     DB_TEXT,      A_ITEM, NULL },
    { "start",       DB_HOST_TICK, A_FROM, NULL },
    { "end",         DB_HOST_TICK, A_TO, NULL },
    { "connection_id", DB_ID,      A_CONNECTION, NULL },
};
/* clang-format on */
static const struct database_map call_map = {
    .table = "ApiData", DB_SLOTS(A_N), .cols = call_cols, .n_cols = ARRAY_LEN(call_cols)
};
/* clang-format off */
enum { E_REQUEST = A_N, E_ITEM, E_N };
static const struct database_col event_cols[] = {
    { "struct_type",   DB_TEXT,      A_KIND, NULL },
    { "level",         DB_TEXT,      A_LEVEL, NULL },
    { "thread_id",     DB_INT,       A_THREAD, NULL },
    { "item_id",       DB_INT,       E_ITEM, NULL },
    { "timestamp",     DB_HOST_TICK, A_FROM, NULL },
    { "connection_id", DB_ID,        A_CONNECTION, NULL },
    { "request_id",    DB_INT,       E_REQUEST, NULL },
};
/* clang-format on */
static const struct database_map event_map = {
    .table = "EventData", DB_SLOTS(E_N), .cols = event_cols, .n_cols = ARRAY_LEN(event_cols)
};
static const char *const levels[] = { "acl", "model", "node", "communication", "runtime" };

static struct str level_of(struct database *d, int64_t level)
{
    (void)d;
    return level >= 0 && level < (int64_t)ARRAY_LEN(levels) ? str_of(levels[level]) : STR_NULL;
}

static int64_t level_number(const struct val *v)
{
    for (size_t i = 0; v->t == VAL_TEXT && i < ARRAY_LEN(levels); i++)
        if (str_eq(v->s, str_of(levels[i])))
            return (int64_t)i;
    return -1;
}

/* Names lie where the level has them; "0" is none. */
static struct str name_of(const struct database_row *r, int64_t level)
{
    static const struct str communication = STR("communication");
    const struct val *id = &r->v[A_ID], *item = &r->v[A_ITEM], *kind = &r->v[A_KIND];

    if (id->t == VAL_TEXT && !str_eq(id->s, STR("0")))
        return id->s;
    if (level >= 0 && str_eq(level_of(NULL, level), communication) && item->t == VAL_TEXT)
        return item->s;
    return kind->t == VAL_TEXT ? kind->s : STR("");
}

static int put_call(struct calls *c, struct database_row *r, int64_t from, int64_t to, struct err *e)
{
    const int64_t level = level_number(&r->v[A_LEVEL]);

    const uint32_t name = sink_intern(r->d->c->out, name_of(r, level));
    if (c->stats && database_sums_add(&c->sums, level, name, to - from, e))
        return e->code;
    if (!c->tracks)
        return OK;
    uint32_t track =
        database_thread(&c->w->base, r->d, "CANN", SORT_CANN, database_int(r, A_THREAD, 0) & UINT32_MAX, e);
    if (track == SINK_NO_TRACK || sink_event(r->d->c->out, track, from, to - from, name, r->number, e))
        return e->code;
    return database_arrows_put(&c->w->base, r->d->c->out, database_int(r, A_CONNECTION, -1), track, from, e);
}

static int on_call(struct database_row *r, struct err *e)
{
    int64_t from, to;

    if (!database_span(r, A_FROM, A_TO, &from, &to))
        return database_no_start(r);
    return put_call(r->arg, r, from, to, e);
}

/* The first event of a kind, level, thread, request and item begins, the next one of them ends. */
static int on_event(struct database_row *r, struct err *e)
{
    struct calls *c = r->arg;
    const struct str kind = r->v[A_KIND].t == VAL_TEXT ? r->v[A_KIND].s : STR("");
    char key[240];

    if (r->v[A_FROM].t != VAL_INT)
        return database_no_start(r);
    snprintf(key, sizeof key, "%lld %lld %lld %lld %.*s", (long long)level_number(&r->v[A_LEVEL]),
             (long long)database_int(r, A_THREAD, 0), (long long)database_int(r, E_REQUEST, 0),
             (long long)database_int(r, E_ITEM, 0), (int)(kind.n < 100 ? kind.n : 100), kind.p);
    const uint32_t before = intern_count(c->keys), at = intern_put(c->keys, str_of(key));
    int64_t *v = at == INTERN_NONE ? NULL : grow_array(c->open, at, &c->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    c->open = v;
    const int64_t from = at == before ? NOT_OPEN : v[at];
    v[at] = from == NOT_OPEN ? r->v[A_FROM].i : NOT_OPEN;
    return from == NOT_OPEN || from > r->v[A_FROM].i ? OK : put_call(c, r, from, r->v[A_FROM].i, e);
}

/* Pairs of events are of older exports: today's have them among the calls. d may be NULL. */
static int read_events(struct calls *c, struct database *d, struct err *e)
{
    if (d && intern_new(&c->keys, e) == OK)
        (void)!database_read(d, &event_map, on_event, c, e);
    intern_free(c->keys);
    free(c->open);
    return e->code;
}

int working_host(struct working *w, struct err *e)
{
    struct calls c = { .w = w,
                       .stats = group_wants(w->base.g, "api_stat"),
                       .tracks = group_wants(w->base.g, "track") };
    struct database *calls = working_find(w, -1, STR("ApiData"));
    struct database *events = working_find(w, -1, STR("EventData")), *d = calls ? calls : events;

    if (!d || (!c.stats && !c.tracks))
        return e->code;
    if ((!calls || database_read(calls, &call_map, on_call, &c, e) == OK) &&
        read_events(&c, events, e) == OK && c.stats)
        (void)!database_sums_put(d, &c.sums, level_of, e);
    database_sums_done(&c.sums);
    return e->code;
}
