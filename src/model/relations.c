/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "model/relations.h"

#include <stdio.h>
#include <string.h>

#include "store/store.h"

/* What is asked for first, the table it is made of, and whether it has a row for each of that one's. */
static const struct first {
    const char *name, *of;
    bool each;
} first[] = {
    { "ops", "op_exec", true },
    { "op_types", "op_exec", false },
    { "op_names", "op_exec", false },
    { "steps", "step", true },
    { "communication", "comm_exec", true },
    { "links", "comm_link", true },
    { "memory", "mem_sample", true },
    { "queues", "queue_sample", true },
    { "events", "track", false },
    { "counters", "track", false },
    { "api_stat", "api_stat", true },
    { "host_op", "host_op", true },
    { "op_stats", "op_stat", true },
    { "files", "source", true },
    { "note", "note", true },
    { "finding", "finding", true },
    { "rank", "rank", true },
    { "rank_total", "rank_total", true },
    { "rank_step", "step", true },
};

_Static_assert(N_TABLES + 32 <= RELATIONS_MAX, "no table is left out");

static int64_t number(struct store *s, const char *sql)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    int64_t n = -1;

    if (store_query(s, &q, sql, &e) == OK && query_step(q, &e) == 1)
        n = query_int(q, 0);
    query_free(q);
    return n;
}

/* Fill it and say whether it belongs into the list: it has rows, or nothing says that it has none. */
static bool look(struct store *s, const char *table, bool each, struct relation *r)
{
    char sql[160];
    int64_t n;

    r->rows = -1;
    r->about = false;
    if (!s || !table)
        return true;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)", table,
             each ? RELATION_ROWS_LOOK : 1);
    n = number(s, sql);
    if (n == RELATION_ROWS_LOOK) {
        snprintf(sql, sizeof sql, "SELECT max(rowid) FROM %s", table);
        n = number(s, sql);
        r->about = true;
    }
    if (each)
        r->rows = n;
    return n != 0;
}

static bool find(const char *name, struct relation *r)
{
    const enum table_id t = schema_find_table(name);

    if (t < N_TABLES) {
        const struct schema_table *d = &schema_tables[t];
        *r = (struct relation){ d->name, d->help, d->cols, d->n_cols, 0, false };
        return true;
    }
    for (size_t i = 0; i < schema_n_views; i++) {
        const struct schema_view *d = &schema_views[i];
        if (!strcmp(d->name, name)) {
            *r = (struct relation){ d->name, d->help, d->cols, d->n_cols, 0, false };
            return true;
        }
    }
    return false;
}

static bool is_first(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        if (!strcmp(first[i].name, name))
            return true;
    return false;
}

size_t relations_of(struct store *s, struct relation out[RELATIONS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        n += find(first[i].name, &out[n]) && look(s, first[i].of, first[i].each, &out[n]);
    for (size_t i = 0; i < schema_n_views && n < RELATIONS_MAX; i++)
        if (!is_first(schema_views[i].name))
            n += find(schema_views[i].name, &out[n]) && look(s, NULL, false, &out[n]);
    for (size_t i = 0; i < N_TABLES && n < RELATIONS_MAX; i++)
        if (!is_first(schema_tables[i].name))
            n += find(schema_tables[i].name, &out[n]) && look(s, schema_tables[i].name, true, &out[n]);
    return n;
}
