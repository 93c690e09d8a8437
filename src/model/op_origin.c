/* SPDX-License-Identifier: Apache-2.0 */
/* What launched an op, and its counters. */
#include "config.h"

#include "model/op_origin.h"

#include <string.h>

#include "model/views/colset.h"

#define MOST_EXECS "4096" /* looked at: what launched them is the same from step to step */
#define COLUMNS    128

/*
 * `+` keeps the index of rank and time away, by which each op would cost all executions of the rank; that of
 * ops has a few to look at.
 */
/* clang-format off */
#define OF_OP "WITH x(id) AS (SELECT e.id FROM op_exec e WHERE e.op_id = :op AND +e.rank = :rank " \
    "LIMIT " MOST_EXECS ") "
#define OF_TYPE "WITH x(id) AS (SELECT e.id FROM op o JOIN string s ON s.id = o.type_id JOIN op_exec e ON " \
    "e.id = (SELECT y.id FROM op_exec y WHERE y.op_id = o.id AND +y.rank = :rank LIMIT 1) " \
    "WHERE s.text = :type LIMIT " MOST_EXECS ") "
#define COUNT "SELECT count(*) FROM x"
#define PLACE(col) \
    "SELECT " COLSET_TEXT("h." col) ", count(*) AS n, count(*) OVER (), sum(count(*)) OVER () " \
    "FROM x JOIN exec_host h ON h.exec_id = x.id WHERE h." col " IS NOT NULL GROUP BY h." col \
    " ORDER BY n DESC, h." col " LIMIT 1"
#define COUNTERS "SELECT c.* FROM x JOIN op_counter c ON c.exec_id = x.id"
/* clang-format on */
static const char *const count_sql[] = { OF_OP COUNT, OF_TYPE COUNT };
static const char *const place_sql[][N_ORIGINS] = {
    { OF_OP PLACE("name_id"), OF_OP PLACE("module_id"), OF_OP PLACE("stack_id") },
    { OF_TYPE PLACE("name_id"), OF_TYPE PLACE("module_id"), OF_TYPE PLACE("stack_id") },
};
static const char *const counter_sql[] = { OF_OP COUNTERS, OF_TYPE COUNTERS };

struct which {
    const struct view_part *part;
    int64_t op_id;
    const struct str *type;
};

static struct query *ask(const struct which *w, const char *sql, struct err *e)
{
    struct query *q = NULL;

    if (store_query(w->part->store, &q, sql, e))
        return NULL;
    query_bind_int(q, ":rank", w->part->rank);
    if (w->type)
        query_bind_text(q, ":type", *w->type);
    else
        query_bind_int(q, ":op", w->op_id);
    return q;
}

static void read_place(struct op_place *out, const struct which *w, const char *sql, struct err *e)
{
    struct query *q = ask(w, sql, e);

    if (q && query_step(q, e) == 1) {
        str_copy(query_str(q, 0), out->text, sizeof out->text);
        out->n = (uint64_t)query_int(q, 1);
        out->others = (uint64_t)query_int(q, 2) - 1;
        out->of = (uint64_t)query_int(q, 3);
    }
    query_free(q);
}

static bool is_share(struct str name)
{
    return str_ends(name, STR("_ratio")) || str_ends(name, STR("_rate")) ||
           str_ends(name, STR("utilization"));
}

static void take_counters(struct op_origin *out, const struct query *q, const double *sum, const size_t *n)
{
    for (size_t i = 0; i < query_columns(q) && i < COLUMNS && out->n_counters < OP_COUNTERS; i++) {
        if (!n[i] || !(sum[i] > 0))
            continue;
        str_copy(str_of(query_name(q, i)), out->counter[out->n_counters].name, sizeof out->counter[0].name);
        out->counter[out->n_counters++].share = sum[i] / (double)n[i];
    }
}

static void read_counters(struct op_origin *out, const struct which *w, struct err *e)
{
    double sum[COLUMNS] = { 0 };
    size_t n[COLUMNS] = { 0 };
    struct query *q = ask(w, counter_sql[w->type != NULL], e);

    while (q && query_step(q, e) == 1)
        for (size_t i = 0; i < query_columns(q) && i < COLUMNS; i++)
            if (is_share(str_of(query_name(q, i))) && !query_null(q, i)) {
                sum[i] += query_real(q, i);
                n[i]++;
            }
    if (q && !e->code)
        take_counters(out, q, sum, n);
    query_free(q);
}

int op_origin_read(struct op_origin *out, const struct view_part *part, int64_t op_id, const struct str *type,
                   struct err *e)
{
    const struct which w = { part, op_id, type };

    memset(out, 0, sizeof *out);
    struct query *q = ask(&w, count_sql[type != NULL], e);
    if (q && query_step(q, e) == 1)
        out->looked_at = (uint64_t)query_int(q, 0);
    query_free(q);
    for (size_t i = 0; i < N_ORIGINS && !e->code && out->looked_at; i++)
        read_place(&out->place[i], &w, place_sql[type != NULL][i], e);
    if (!e->code && out->looked_at)
        read_counters(out, &w, e);
    return e->code;
}
