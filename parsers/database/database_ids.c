/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parsers/database/database_ids.h"

#include <stdlib.h>

#include "base/sort_index.h"

int database_ids_add(struct database_ids *s, int64_t id, uint32_t value, struct err *e)
{
    struct database_id *v =
        s->n == UINT32_MAX ? NULL : spool_grow(s->pool, s->v, s->n, &s->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->v = v;
    if (s->n && v[s->n - 1].id > id)
        s->unsorted = true;
    v[s->n] = (struct database_id){ .id = id, .value = value, .order = (uint32_t)s->n };
    s->n++;
    return OK;
}

static int id_cmp(const void *a, const void *b)
{
    const struct database_id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool before(const void *arg, uint32_t a, uint32_t b)
{
    const struct database_id *v = arg;

    return v[a].id < v[b].id;
}

/* Nearly linear when they are almost in order, and without a second array in memory when there are many. */
static void sort(struct database_ids *s)
{
    struct err no_room = ERR_INIT;

    if (prof_sort(s->pool, s->v, s->n, sizeof *s->v, before, s->v, &no_room))
        qsort(s->v, s->n, sizeof *s->v, id_cmp);
    err_clear(&no_room);
    s->unsorted = false;
}

static size_t search(const struct database_ids *s, int64_t id)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->v[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

size_t database_ids_first(struct database_ids *s, int64_t id)
{
    if (!s->n)
        return SIZE_MAX;
    if (s->unsorted)
        sort(s);
    /* A table that is read along another one asks for the next id, or for the same again. */
    size_t at = s->hint;
    bool near = at < s->n && s->v[at].id == id && (!at || s->v[at - 1].id != id);
    if (!near && ++at < s->n && s->v[at].id == id && s->v[at - 1].id != id)
        near = true;
    if (!near)
        at = search(s, id);
    if (at >= s->n || s->v[at].id != id)
        return SIZE_MAX;
    s->hint = at;
    return at;
}

uint32_t database_ids_find(struct database_ids *s, int64_t id)
{
    size_t at = database_ids_first(s, id);

    return at == SIZE_MAX ? DATABASE_NO_ID : s->v[at].value;
}

void database_ids_done(struct database_ids *s)
{
    spool_free(s->pool, s->v);
    *s = (struct database_ids){ .pool = NULL };
}
