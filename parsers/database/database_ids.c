/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parsers/database/database_ids.h"

#include "base/large/sort_index.h"

void database_ids_init(struct database_ids *s, struct paged_pool *pool)
{
    *s = (struct database_ids){ .last = INT64_MIN };
    paged_init(&s->v, pool, sizeof(struct database_id));
}

int database_ids_add(struct database_ids *s, int64_t id, uint32_t value, struct err *e)
{
    if (value >= DATABASE_ID_MOST)
        return err_set(e, ERR_LIMIT, "more rows than %u", DATABASE_ID_MOST - 1);
    *(struct database_id *)paged_add(&s->v) =
        (struct database_id){ .id = id, .value = value & (DATABASE_ID_MOST - 1) };
    s->unsorted |= s->last > id;
    s->last = id;
    return paged_failed(s->v.pool, e);
}

static bool before(const void *x, const void *y)
{
    const struct database_id *a = x, *b = y;

    return a->id < b->id;
}

/* Nearly linear when they are almost in order. */
static void sort(struct database_ids *s)
{
    struct err e = ERR_INIT;

    if (paged_sort(&s->v, before, &e))
        paged_fail(s->v.pool, &e);
    s->unsorted = s->has_hint = false;
    s->last = INT64_MAX; /* what is added now is to be sorted again */
}

struct wanted {
    struct paged *v;
    int64_t id;
};

static bool lies_before(const void *arg, size_t i)
{
    const struct wanted *w = arg;

    return ((const struct database_id *)paged_at(w->v, i))->id < w->id;
}

size_t database_ids_first(struct database_ids *s, int64_t id)
{
    if (!s->v.n)
        return SIZE_MAX;
    if (s->unsorted)
        sort(s);
    if (s->has_hint && s->hint_id == id)
        return s->hint;
    /* mostly ids are numbers in a row: the entry lies as far from the last one as its id does */
    size_t at = s->hint + (size_t)((uint64_t)id - (uint64_t)s->hint_id);
    if (!s->has_hint || !database_ids_is(s, at, id) || (at && database_ids_is(s, at - 1, id))) {
        const struct wanted w = { &s->v, id };
        at = prof_gallop(s->v.n, s->hint, lies_before, &w);
        if (!database_ids_is(s, at, id))
            return SIZE_MAX;
    }
    s->hint = at;
    s->hint_id = id;
    s->has_hint = true;
    return at;
}

uint32_t database_ids_find(struct database_ids *s, int64_t id)
{
    size_t at = database_ids_first(s, id);

    return at == SIZE_MAX ? DATABASE_NO_ID : database_ids_at(s, at).value;
}

void database_ids_done(struct database_ids *s)
{
    paged_done(&s->v);
    *s = (struct database_ids){ .last = 0 };
}
