/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the host (ApiData): sums by level and name, and tracks of the threads. */
#include "config.h"

#include "parsers/working/working.h"

#define SORT_CANN 5

struct calls {
    struct working *w;
    struct database_sums sums;
    bool stats, tracks; /* what the group feeds */
};

enum { A_KIND, A_ID, A_LEVEL, A_THREAD, A_ITEM, A_FROM, A_TO, A_N };

/* clang-format off */
static const struct database_col call_cols[] = {
    { "struct_type", DB_TEXT,      A_KIND, NULL },
    { "id",          DB_TEXT,      A_ID, NULL },
    { "level",       DB_TEXT,      A_LEVEL, NULL },
    { "thread_id",   DB_INT,       A_THREAD, NULL },
    { "item_id",     DB_TEXT,      A_ITEM, NULL },
    { "start",       DB_HOST_TICK, A_FROM, NULL },
    { "end",         DB_HOST_TICK, A_TO, NULL },
};
/* clang-format on */
static const struct database_map call_map = {
    .table = "ApiData", DB_SLOTS(A_N), .cols = call_cols, .n_cols = ARRAY_LEN(call_cols)
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

static int on_call(struct database_row *r, struct err *e)
{
    struct calls *c = r->arg;
    const int64_t level = level_number(&r->v[A_LEVEL]);
    int64_t from, to;

    if (!database_span(r, A_FROM, A_TO, &from, &to))
        return database_no_start(r);
    const uint32_t name = sink_intern(r->d->c->out, name_of(r, level));
    if (c->stats && database_sums_add(&c->sums, level, name, to - from, e))
        return e->code;
    if (!c->tracks)
        return OK;
    uint32_t track =
        database_thread(&c->w->base, r->d, "CANN", SORT_CANN, database_int(r, A_THREAD, 0) & UINT32_MAX, e);
    return track == SINK_NO_TRACK ? e->code
                                  : sink_event(r->d->c->out, track, from, to - from, name, r->number, e);
}

int working_host(struct working *w, struct err *e)
{
    struct calls c = { .w = w,
                       .stats = group_wants(w->base.g, "api_stat"),
                       .tracks = group_wants(w->base.g, "track") };
    struct database *d = working_find(w, -1, STR("ApiData"));

    if (d && (c.stats || c.tracks) && database_read(d, &call_map, on_call, &c, e) == OK && c.stats)
        (void)!database_sums_put(d, &c.sums, level_of, e);
    database_sums_done(&c.sums);
    return e->code;
}
