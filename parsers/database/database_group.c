/* SPDX-License-Identifier: Apache-2.0 */
/* The databases of a rank as one group: opened together, as one has what joins rows of another. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/database/database_group.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define POOL_B ((uint64_t)56 << 20) /* of pages in memory */

static int open_all(struct database_group *g, struct err *e)
{
    static const enum role roles[] = { ROLE_DATABASE, ROLE_DATABASE_ANALYSIS };
    struct parse_ctx *c;

    for (size_t k = 0; k < ARRAY_LEN(roles); k++)
        for (size_t i = 0; (c = group_use(g->g, roles[k], i)); i++) {
            struct err pe = ERR_INIT;
            struct database *d = &g->db[g->n];
            if (database_open(d, c, g->pool, &pe) == OK) {
                g->n++;
                continue;
            }
            database_close(d);
            if (group_failed(g->g, c, pe.code, &pe)) {
                *e = pe;
                return e->code;
            }
        }
    return OK;
}

void database_group_begin(struct database_group *g)
{
    database_ids_init(&g->steps.by_number, g->pool);
    paged_init(&g->task, g->pool, sizeof(struct database_task));
    database_ids_init(&g->by_task, g->pool);
    database_ids_init(&g->by_connection, g->pool);
}

void database_group_end(struct database_group *g)
{
    free(g->steps.v);
    database_ids_done(&g->steps.by_number);
    paged_done(&g->task);
    database_ids_done(&g->by_task);
    database_ids_done(&g->by_connection);
    paged_pool_free(g->pool);
}

/* What tasks of one database joined stays with it. */
static void forget_tasks(struct database_group *g)
{
    paged_done(&g->task);
    database_ids_done(&g->by_task);
    database_ids_done(&g->by_connection);
    paged_init(&g->task, g->pool, sizeof(struct database_task));
    database_ids_init(&g->by_task, g->pool);
    database_ids_init(&g->by_connection, g->pool);
}

/* Several devices in one database: their layers are told apart. */
static int count_devices(struct database_group *g, struct err *e)
{
    for (size_t i = 0; i < g->n && !e->code; i++) {
        size_t table = database_table(&g->db[i], STR("NPU_INFO"));
        int64_t rows = 0;
        if (table != SIZE_MAX && foreign_count(g->db[i].f, table, &rows, e) &&
            (e->code == ERR_FORMAT || e->code == ERR_LIMIT))
            err_clear(e); /* damage is noted where it matters */
        g->tracks.devices |= rows > 1;
    }
    return e->code;
}

static int read_one(struct database_group *g, struct database *d, struct err *e)
{
    forget_tasks(g);
    return database_tasks(g, d, e) || database_counters(g, d, e) || database_calls(g, d, e) ||
                   database_host(g, d, e) || database_collections(g, d, e) || database_memory(g, d, e) ||
                   database_curves(g, d, e)
               ? e->code
               : paged_failed(g->pool, e);
}

int group_database(struct group_ctx *c, struct err *e)
{
    struct database_group g = { .g = c };

    if (c->preview)
        return OK;
    g.db = calloc(c->n + 1, sizeof *g.db);
    if (!g.db)
        return err_nomem(e);
    if (paged_pool_new(&g.pool, POOL_B, e) == OK)
        database_group_begin(&g);
    if (!e->code && open_all(&g, e) == OK && g.n && count_devices(&g, e) == OK &&
        database_steps(&g, e) == OK && database_plain(&g, e) == OK)
        for (size_t i = 0; i < g.n && !e->code; i++)
            (void)!read_one(&g, &g.db[i], e);
    if (!e->code && g.n)
        (void)!database_comm(&g, e);
    database_tracks_done(g.n ? &g.db[0] : NULL, &g.tracks);
    for (size_t i = 0; i < g.n; i++)
        database_close(&g.db[i]);
    free(g.db);
    database_group_end(&g);
    return e->code;
}
