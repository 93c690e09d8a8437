/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CONNECTION_IDS: which connections calls of the framework have (doc/formats/analysed.md#joins), with the
 * time of the tasks behind them. Ids may be any numbers, all of them equal too, so each join walks two sorted
 * lists once.
 */
#include "config.h"

#include "base/bounded.h"
#include "base/large/sort_index.h"
#include "parsers/database/database_group.h"

enum { L_ID, L_CONNECTION, L_N };

/* clang-format off */
static const struct database_col link_cols[] = {
    { "id",           DB_INT, L_ID, NULL },
    { "connectionId", DB_INT, L_CONNECTION, NULL },
};
/* clang-format on */
static const struct database_map link_map = {
    .table = "CONNECTION_IDS",
    DB_SLOTS(L_N),
    .cols = link_cols,
    .n_cols = ARRAY_LEN(link_cols),
};

static int on_link(struct database_row *r, struct err *e)
{
    struct database_links *l = r->arg;
    const int64_t id = database_int(r, L_ID, -1), connection = database_int(r, L_CONNECTION, -1);

    if (id < 0 || connection < 0)
        return OK;
    if (l->v.n == DATABASE_NO_ID)
        return err_nomem(e);
    *(struct database_link *)paged_add(&l->v) = (struct database_link){ .id = id, .connection = connection };
    return paged_failed(l->v.pool, e);
}

static bool by_id(const void *x, const void *y)
{
    const struct database_link *a = x, *b = y;

    return a->id < b->id;
}

/* Time of the tasks of a connection, into l. */
static void add_tasks(struct database_group *g, struct database_link *l)
{
    struct database_ids *tasks = &g->by_connection;
    size_t k = database_ids_first(tasks, l->connection);

    for (; database_ids_is(tasks, k, l->connection); k++) {
        const struct database_task t = database_task_at(g, database_ids_at(tasks, k).value);
        if (t.is_op)
            l->device = bounded_add(l->device, t.to - t.from);
        if (t.on_aicore)
            l->aicore = bounded_add(l->aicore, t.to - t.from);
    }
}

static const struct database_link *link_at(struct database_links *l, size_t at)
{
    return paged_at(&l->v, at);
}

/* By connection as well as by id, as they mostly are. */
static bool is_sorted(struct database_links *l)
{
    size_t i = 1;

    while (i < l->v.n && link_at(l, i - 1)->connection <= link_at(l, i)->connection)
        i++;
    return i >= l->v.n;
}

/* Each connection's tasks are summed once, however many links lead there. */
static int join_tasks(struct database_group *g, struct database_links *l, struct err *e)
{
    struct database_link sum = { .connection = -1 };
    struct database_ids order;
    const bool sorted = is_sorted(l);

    database_ids_init(&order, g->pool);
    for (size_t i = 0; i < l->v.n && !e->code && !sorted; i++)
        (void)!database_ids_add(&order, link_at(l, i)->connection, (uint32_t)i, e);
    (void)database_ids_find(&order, 0); /* sorts */
    for (size_t i = 0; i < l->v.n && !e->code; i++) {
        struct database_id x = { .id = 0 };
        if (sorted)
            x = (struct database_id){ .id = link_at(l, i)->connection, .value = i & UINT32_MAX >> 1 };
        else
            x = database_ids_at(&order, i);
        if (sum.connection != x.id) {
            sum = (struct database_link){ .connection = x.id, .first = x.value };
            add_tasks(g, &sum);
        }
        struct database_link *to = database_links_edit(l, x.value);
        to->device = sum.device;
        to->aicore = sum.aicore;
        to->first = sum.first;
    }
    database_ids_done(&order);
    return e->code;
}

/* The first link of an id gets the sums of all of it. */
static void add_links(struct database_links *l)
{
    size_t next;

    for (size_t i = 0; i < l->v.n; i = next) {
        struct database_link sum = *database_links_edit(l, i);
        for (next = i + 1; next < l->v.n; next++) {
            const struct database_link *x = paged_at(&l->v, next);
            if (x->id != sum.id)
                break;
            sum.device = bounded_add(sum.device, x->device);
            sum.aicore = bounded_add(sum.aicore, x->aicore);
        }
        if (next > i + 1)
            *database_links_edit(l, i) = sum;
    }
}

int database_links_read(struct database_group *g, struct database *d, struct database_links *l, struct err *e)
{
    paged_init(&l->v, g->pool, sizeof(struct database_link));
    if (database_read(d, &link_map, on_link, l, e) || paged_sort(&l->v, by_id, e) || join_tasks(g, l, e))
        return e->code;
    add_links(l);
    return paged_failed(g->pool, e);
}

struct place {
    struct paged *v;
    int64_t id;
};

static bool lies_before(const void *arg, size_t i)
{
    const struct place *p = arg;

    return ((const struct database_link *)paged_at(p->v, i))->id < p->id;
}

uint32_t database_links_first(struct database_links *l, int64_t id)
{
    const struct place p = { &l->v, id };
    size_t at = prof_gallop(l->v.n, l->hint, lies_before, &p);

    l->hint = at;
    return at < l->v.n && database_links_edit(l, at)->id == id ? (uint32_t)at : DATABASE_NO_ID;
}

void database_links_done(struct database_links *l)
{
    paged_done(&l->v);
    l->hint = 0;
}
