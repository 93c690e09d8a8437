/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CONNECTION_IDS: which connections calls of the framework have (doc/formats/analysed.md#joins), with the
 * time of the tasks behind them. Ids may be any numbers, all of them equal too, so each join walks two sorted
 * lists once.
 */
#include "config.h"

#include "base/bounded.h"
#include "base/sort_index.h"
#include "parsers/database/database_group.h"

#define LOOK 16384 /* links that are walked between two looks at the pages of files */

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

struct reading_links {
    struct database_group *g;
    struct database_links *l;
};

static int on_link(struct database_row *r, struct err *e)
{
    const struct reading_links *g = r->arg;
    struct database_links *l = g->l;
    const int64_t id = database_int(r, L_ID, -1), connection = database_int(r, L_CONNECTION, -1);

    if (id < 0 || connection < 0)
        return OK;
    struct database_link *v =
        l->n == DATABASE_NO_ID ? NULL : spool_grow(g->g->pool, l->v, l->n, &l->cap, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    l->v = v;
    v[l->n++] = (struct database_link){ .id = id, .connection = connection };
    return OK;
}

static bool by_id(const void *arg, uint32_t a, uint32_t b)
{
    const struct database_link *v = arg;

    return v[a].id < v[b].id;
}

static bool by_connection(const void *arg, uint32_t a, uint32_t b)
{
    const struct database_link *v = arg;

    return v[a].connection < v[b].connection;
}

/* Time of the tasks of a connection, into l. */
static void add_tasks(struct database_group *g, struct database_link *l)
{
    struct database_ids *tasks = &g->by_connection;
    size_t k = database_ids_first(tasks, l->connection);

    for (; k < tasks->n && tasks->v[k].id == l->connection; k++) {
        const struct database_task *t = &g->task[tasks->v[k].value];
        if (t->is_op)
            l->device = bounded_add(l->device, t->to - t->from);
        if (t->on_aicore)
            l->aicore = bounded_add(l->aicore, t->to - t->from);
    }
}

/* Each connection's tasks are summed once, however many links lead there. */
static int join(struct database_group *g, struct database_links *l, struct err *e)
{
    struct database_link *v = l->v, *first = NULL;
    uint32_t *order = NULL;

    if (prof_order(g->pool, &order, l->n, by_connection, v, e))
        return e->code;
    for (size_t i = 0; i < l->n; i++) {
        struct database_link *x = &v[order[i]];
        if (i % LOOK == 0)
            spool_leave(g->pool);
        if (!first || first->connection != x->connection) {
            first = x;
            add_tasks(g, x);
        }
        x->device = first->device;
        x->aicore = first->aicore;
        x->first = (uint32_t)(first - v);
    }
    spool_free(g->pool, order);
    /* the first link of an id has the sums of all of it */
    first = v;
    for (size_t i = 1; i < l->n; i++) {
        if (v[i].id != first->id) {
            first = &v[i];
            continue;
        }
        first->device = bounded_add(first->device, v[i].device);
        first->aicore = bounded_add(first->aicore, v[i].aicore);
    }
    return OK;
}

int database_links_read(struct database_group *g, struct database *d, struct database_links *l, struct err *e)
{
    struct reading_links r = { g, l };

    if (database_read(d, &link_map, on_link, &r, e) || !l->n ||
        prof_sort(g->pool, l->v, l->n, sizeof *l->v, by_id, l->v, e))
        return e->code;
    return join(g, l, e);
}

struct place {
    const struct database_link *v;
    int64_t id;
};

static bool lies_before(const void *arg, size_t i)
{
    const struct place *p = arg;

    return p->v[i].id < p->id;
}

uint32_t database_links_first(struct database_links *l, int64_t id)
{
    const struct place p = { l->v, id };
    size_t at = prof_gallop(l->n, l->hint, lies_before, &p);

    l->hint = at;
    return at < l->n && l->v[at].id == id ? (uint32_t)at : DATABASE_NO_ID;
}

void database_links_done(struct database_group *g, struct database_links *l)
{
    spool_free(g->pool, l->v);
    *l = (struct database_links){ .v = NULL };
}
