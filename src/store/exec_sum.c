/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions summed by op, or by what ops are grouped by: what GROUP BY gives, without sorting the executions
 * (doc/performance.md#tables). The virtual table exec_sum(by, rank, step0, step1) of our connections, for the
 * program's own statements:
 *
 *   SELECT gid, core, calls, total_ns FROM exec_sum('type', 0, NULL, NULL)
 *
 * One row per group in the order of its key, as SQLite sorts it: gid (id of op, type or scope; stream),
 * shape, core. Columns that are not part of the key are NULL (by op: core is the op's). ai_core_ns, the same
 * in all rows, is the sum over executions that are neither HCCL nor AI CPU. launched counts the executions
 * whose launch is known (op_launch), delay_ns is the sum of their delays. Executions without a duration do
 * not count; a rank of NULL has none. Sums are whole numbers: a duration with a fraction or a sum beyond 64
 * bits is an error, and the caller runs the plain statement.
 */
#include "config.h"

#include "base/grow.h"
#include "store/db.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING INT64_MIN           /* NULL */
#define LIM_OPS (UINT32_C(1) << 26) /* ids beyond it are left to the plain statement */

enum {
    C_GID,
    C_SHAPE,
    C_CORE,
    C_CALLS,
    C_TOTAL,
    C_MIN,
    C_MAX,
    C_FIRST,
    C_ROW,
    C_LAUNCHED,
    C_DELAY,
    C_DELAY_MIN,
    C_DELAY_MAX,
    C_AI_CORE,
    C_ARGS
};
enum { A_BY, A_RANK, A_STEP0, A_STEP1, N_ARGS };
static const char schema[] =
    "CREATE TABLE x(gid INTEGER, shape INTEGER, core TEXT, calls INTEGER, total_ns INTEGER, "
    "min_ns INTEGER, max_ns INTEGER, first_ns INTEGER, first_row INTEGER, launched INTEGER, "
    "delay_ns INTEGER, delay_min_ns INTEGER, delay_max_ns INTEGER, ai_core_ns REAL, "
    "by TEXT HIDDEN, rank INTEGER HIDDEN, step0 INTEGER HIDDEN, step1 INTEGER HIDDEN)";

static const struct grouping {
    const char *by;
    const char *ops;     /* id, gid, shape, core of every op */
    bool by_op, streams; /* gid is the op itself; gid is the stream of the execution */
} groupings[] = {
    { "op", "SELECT id, id, NULL, core FROM op ORDER BY id", true, false },
    { "type", "SELECT id, type_id, NULL, core FROM op ORDER BY id", false, false },
    { "scope", "SELECT id, scope_id, NULL, core FROM op ORDER BY id", false, false },
    { "shape", "SELECT id, type_id, in_shapes_id, core FROM op ORDER BY id", false, false },
    { "core", "SELECT id, NULL, NULL, core FROM op ORDER BY id", false, false },
    { "stream", "SELECT id, NULL, NULL, core FROM op ORDER BY id", false, true },
};
static const char execs[] =
    "SELECT op_id, dur_ns, id, ts_ns, stream FROM op_exec NOT INDEXED WHERE rank = ?1 AND dur_ns "
    "IS NOT NULL AND (?2 IS NULL OR step >= ?2) AND (?3 IS NULL OR step <= ?3)";
/* The same columns, but for the delay. Few runs have all launches, and many have none. */
static const char launches[] =
    "SELECT e.op_id, l.delay_ns, e.id, e.ts_ns, e.stream FROM op_launch l CROSS JOIN op_exec e ON "
    "e.id = l.exec_id WHERE l.delay_ns IS NOT NULL AND e.rank = ?1 AND e.dur_ns IS NOT NULL AND "
    "(?2 IS NULL OR e.step >= ?2) AND (?3 IS NULL OR e.step <= ?3)";

struct key {
    int64_t gid, shape, core; /* core: number of its text, or NOTHING */
};
struct group {
    struct key key;
    int64_t calls, total, least, most, first_ns, first_row;
    int64_t launched, delay, delay_least, delay_most;
};

struct sums {
    const struct grouping *by;
    struct intern *cores;
    uint32_t *of_op; /* by id of an op: its group (with streams: its core) plus 1; 0: none */
    size_t n_of_op;
    struct group *groups;
    size_t n, cap;
    uint32_t *slots; /* groups by key, plus 1 */
    size_t n_slots;
};

static void sums_done(struct sums *s)
{
    intern_free(s->cores);
    free(s->of_op);
    free(s->groups);
    free(s->slots);
    *s = (struct sums){ .n = 0 };
}

/* ---- groups ---- */

static size_t slot_of(const struct sums *s, const struct key *k)
{
    uint64_t hash = str_hash((struct str){ (const char *)k, sizeof *k }, str_seed());
    size_t at = (size_t)hash & (s->n_slots - 1);

    while (s->slots[at] && memcmp(&s->groups[s->slots[at] - 1].key, k, sizeof *k) != 0)
        at = (at + 1) & (s->n_slots - 1);
    return at;
}

static bool grow_slots(struct sums *s)
{
    size_t n = s->n_slots ? s->n_slots * 2 : 256;
    uint32_t *slots = calloc(n, sizeof *slots);

    if (!slots)
        return false;
    free(s->slots);
    s->slots = slots;
    s->n_slots = n;
    for (size_t i = 0; i < s->n; i++)
        s->slots[slot_of(s, &s->groups[i].key)] = (uint32_t)i + 1;
    return true;
}

/* Number of a new group plus 1, 0: out of memory. */
static uint32_t add_group(struct sums *s, const struct key *k)
{
    struct group *g =
        s->n < UINT32_MAX - 1 ? grow_array(s->groups, s->n, &s->cap, sizeof *s->groups, 256) : NULL;

    if (!g)
        return 0;
    s->groups = g;
    g[s->n] = (struct group){ .key = *k,
                              .least = INT64_MAX,
                              .most = INT64_MIN,
                              .first_ns = INT64_MAX,
                              .first_row = INT64_MAX,
                              .delay_least = INT64_MAX,
                              .delay_most = INT64_MIN };
    return (uint32_t)++s->n;
}

static uint32_t find_group(struct sums *s, const struct key *k)
{
    if (s->n >= s->n_slots / 2 && !grow_slots(s))
        return 0;
    size_t at = slot_of(s, k);
    if (!s->slots[at])
        s->slots[at] = add_group(s, k);
    return s->slots[at];
}

/* ---- reading ---- */

/* A whole number, or NOTHING for NULL; otherwise *rc is set to an error. */
static int64_t whole(sqlite3_stmt *st, int col, int *rc)
{
    int type = sqlite3_column_type(st, col);

    if (type != SQLITE_INTEGER && type != SQLITE_NULL)
        *rc = SQLITE_MISMATCH;
    return type == SQLITE_INTEGER ? sqlite3_column_int64(st, col) : NOTHING;
}

static int64_t core_of(struct sums *s, sqlite3_stmt *st, int col, int *rc)
{
    const char *p = (const char *)sqlite3_column_text(st, col);

    if (!p)
        return NOTHING;
    uint32_t id = intern_put(s->cores, (struct str){ p, (size_t)sqlite3_column_bytes(st, col) });
    if (id == INTERN_NONE)
        *rc = SQLITE_NOMEM;
    return id;
}

/* Ids go up and are mostly dense, except in a damaged table. */
static int room_for_op(struct sums *s, int64_t id, size_t *cap)
{
    if (id <= 0 || id >= (int64_t)LIM_OPS || (size_t)id < s->n_of_op)
        return SQLITE_MISMATCH;
    uint32_t *p = grow_array(s->of_op, (size_t)id, cap, sizeof *p, 1024);
    if (!p)
        return SQLITE_NOMEM;
    s->of_op = p;
    memset(p + s->n_of_op, 0, ((size_t)id + 1 - s->n_of_op) * sizeof *p);
    s->n_of_op = (size_t)id + 1;
    return SQLITE_OK;
}

static int add_op(struct sums *s, sqlite3_stmt *st, size_t *cap)
{
    int rc = SQLITE_OK;
    int64_t id = whole(st, 0, &rc);
    const struct key k = { whole(st, 1, &rc), whole(st, 2, &rc), core_of(s, st, 3, &rc) };

    if (rc == SQLITE_OK)
        rc = room_for_op(s, id, cap);
    if (rc != SQLITE_OK)
        return rc;
    if (s->by->streams)
        s->of_op[id] = k.core == NOTHING ? 0 : (uint32_t)k.core + 1;
    else if (!(s->of_op[id] = s->by->by_op ? add_group(s, &k) : find_group(s, &k)))
        return SQLITE_NOMEM;
    return SQLITE_OK;
}

static int read_ops(struct sums *s, sqlite3 *db)
{
    sqlite3_stmt *st = NULL;
    size_t cap = 0;
    int rc = sqlite3_prepare_v2(db, s->by->ops, -1, &st, NULL);

    while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW)
        rc = add_op(s, st, &cap);
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Group plus 1 of the execution at which st stands; 0: none (grouped by op, and there is no such op). */
static uint32_t group_of(struct sums *s, sqlite3_stmt *st, int *rc)
{
    int64_t op = sqlite3_column_int64(st, 0); /* 0 for NULL */
    uint32_t of = op > 0 && (uint64_t)op < s->n_of_op ? s->of_op[op] : 0;

    if (of && !s->by->streams)
        return of;
    if (s->by->by_op)
        return 0;
    struct key k = { NOTHING, NOTHING, NOTHING };
    if (s->by->streams) {
        k.gid = whole(st, 4, rc);
        k.core = of ? (int64_t)of - 1 : NOTHING;
    }
    uint32_t g = find_group(s, &k);
    if (!g)
        *rc = SQLITE_NOMEM;
    return g;
}

static int add_exec(struct sums *s, sqlite3_stmt *st)
{
    int rc = SQLITE_OK;
    uint32_t number = group_of(s, st, &rc);
    int64_t dur = whole(st, 1, &rc), row = sqlite3_column_int64(st, 2), ts = whole(st, 3, &rc);

    if (rc != SQLITE_OK || !number)
        return rc;
    struct group *g = &s->groups[number - 1];
    if (__builtin_add_overflow(g->total, dur, &g->total))
        return SQLITE_TOOBIG;
    g->calls++;
    g->least = dur < g->least ? dur : g->least;
    g->most = dur > g->most ? dur : g->most;
    g->first_row = row < g->first_row ? row : g->first_row;
    if (ts != NOTHING && ts < g->first_ns)
        g->first_ns = ts;
    return SQLITE_OK;
}

static int add_launch(struct sums *s, sqlite3_stmt *st)
{
    int rc = SQLITE_OK;
    uint32_t number = group_of(s, st, &rc);
    int64_t delay = whole(st, 1, &rc);

    if (rc != SQLITE_OK || !number)
        return rc;
    struct group *g = &s->groups[number - 1];
    if (__builtin_add_overflow(g->delay, delay, &g->delay))
        return SQLITE_TOOBIG;
    g->launched++;
    g->delay_least = delay < g->delay_least ? delay : g->delay_least;
    g->delay_most = delay > g->delay_most ? delay : g->delay_most;
    return SQLITE_OK;
}

static int read_rows(struct sums *s, sqlite3 *db, const char *sql, sqlite3_value **argv,
                     int (*add)(struct sums *s, sqlite3_stmt *st))
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

    for (int i = A_RANK; rc == SQLITE_OK && i < N_ARGS; i++)
        rc = sqlite3_bind_value(st, i - A_RANK + 1, argv[i]);
    while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW)
        rc = add(s, st);
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- in order ---- */

struct place {
    const struct group *g;
    struct str core;
};

static int cmp_whole(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b; /* NOTHING is the least */
}

static int cmp_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int d = cmp_whole(x->g->key.gid, y->g->key.gid);

    if (!d)
        d = cmp_whole(x->g->key.shape, y->g->key.shape);
    return d ? d : x->core.p && y->core.p ? str_cmp(x->core, y->core) : !!x->core.p - !!y->core.p;
}

/* ---- the table ---- */

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
};
struct cursor {
    sqlite3_vtab_cursor base;
    struct sums s;
    double ai_core_ns;
    struct place *places; /* groups with executions */
    size_t n, at;
};

static int on_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
                      char **msg)
{
    struct table *t = sqlite3_malloc(sizeof *t);

    (void)aux;
    (void)argc;
    (void)argv;
    (void)msg;
    if (!t)
        return SQLITE_NOMEM;
    *t = (struct table){ .db = db };
    *out = &t->base;
    return sqlite3_declare_vtab(db, schema);
}

static int on_disconnect(sqlite3_vtab *t)
{
    sqlite3_free(t);
    return SQLITE_OK;
}

/* All arguments must be known. */
static int on_best(sqlite3_vtab *t, sqlite3_index_info *info)
{
    unsigned known = 0;

    (void)t;
    for (int i = 0; i < info->nConstraint; i++) {
        int arg = info->aConstraint[i].iColumn - C_ARGS;
        if (arg < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ || known & 1u << arg)
            continue;
        if (!info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
        known |= 1u << arg;
        info->aConstraintUsage[i].argvIndex = arg + 1;
        info->aConstraintUsage[i].omit = 1;
    }
    info->estimatedCost = 1e6;
    info->estimatedRows = 1000;
    return known == (1u << N_ARGS) - 1 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

static int on_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    struct cursor *c = sqlite3_malloc(sizeof *c);

    (void)t;
    if (!c)
        return SQLITE_NOMEM;
    *c = (struct cursor){ .at = 0 };
    *out = &c->base;
    return SQLITE_OK;
}

static void forget(struct cursor *c)
{
    free(c->places);
    sums_done(&c->s);
    c->places = NULL;
    c->n = c->at = 0;
    c->ai_core_ns = 0;
}

static int on_close(sqlite3_vtab_cursor *x)
{
    forget((struct cursor *)x);
    sqlite3_free(x);
    return SQLITE_OK;
}

static const struct grouping *grouping_of(sqlite3_value *word)
{
    const char *by = (const char *)sqlite3_value_text(word);

    for (size_t i = 0; by && i < ARRAY_LEN(groupings); i++)
        if (!strcmp(groupings[i].by, by))
            return &groupings[i];
    return NULL;
}

/* Groups that have executions, in order. Ops are in the order of their ids already. */
static int put_in_order(struct cursor *c)
{
    const struct sums *s = &c->s;

    c->places = malloc((s->n ? s->n : 1) * sizeof *c->places);
    if (!c->places)
        return SQLITE_NOMEM;
    for (size_t i = 0; i < s->n; i++) {
        const struct group *g = &s->groups[i];
        bool known = g->key.core != NOTHING;
        struct str core = known ? intern_get(s->cores, (uint32_t)g->key.core) : STR_NULL;
        if (!g->calls)
            continue;
        c->places[c->n++] = (struct place){ g, core };
        if (!str_eq(core, STR("HCCL")) && !str_eq(core, STR("AICPU")))
            c->ai_core_ns += (double)g->total;
    }
    if (!s->by->by_op)
        qsort(c->places, c->n, sizeof *c->places, cmp_place);
    return SQLITE_OK;
}

static int on_filter(sqlite3_vtab_cursor *x, int n, const char *s, int argc, sqlite3_value **argv)
{
    struct cursor *c = (struct cursor *)x;
    sqlite3 *db = ((struct table *)x->pVtab)->db;
    struct err e = ERR_INIT;

    (void)n;
    (void)s;
    forget(c);
    if (argc != N_ARGS || !(c->s.by = grouping_of(argv[A_BY])))
        return SQLITE_MISUSE;
    if (sqlite3_value_type(argv[A_RANK]) == SQLITE_NULL)
        return SQLITE_OK;
    if (intern_new(&c->s.cores, &e))
        return SQLITE_NOMEM;
    int rc = read_ops(&c->s, db);
    if (rc == SQLITE_OK)
        rc = read_rows(&c->s, db, execs, argv, add_exec);
    if (rc == SQLITE_OK)
        rc = read_rows(&c->s, db, launches, argv, add_launch);
    return rc == SQLITE_OK ? put_in_order(c) : rc;
}

static int on_next(sqlite3_vtab_cursor *x)
{
    ((struct cursor *)x)->at++;
    return SQLITE_OK;
}

static int on_eof(sqlite3_vtab_cursor *x)
{
    const struct cursor *c = (struct cursor *)x;
    return c->at >= c->n;
}

static int on_column(sqlite3_vtab_cursor *x, sqlite3_context *ctx, int col)
{
    const struct cursor *c = (struct cursor *)x;
    const struct place *p = &c->places[c->at];
    const struct group *g = p->g;
    const int64_t v[C_ARGS] = {
        [C_GID] = g->key.gid,
        [C_SHAPE] = g->key.shape,
        [C_CALLS] = g->calls,
        [C_TOTAL] = g->total,
        [C_MIN] = g->least,
        [C_MAX] = g->most,
        [C_ROW] = g->first_row,
        [C_FIRST] = g->first_ns == INT64_MAX ? NOTHING : g->first_ns,
        [C_LAUNCHED] = g->launched,
        [C_DELAY] = g->launched ? g->delay : NOTHING,
        [C_DELAY_MIN] = g->launched ? g->delay_least : NOTHING,
        [C_DELAY_MAX] = g->launched ? g->delay_most : NOTHING,
    };

    if (col == C_CORE && p->core.p)
        sqlite3_result_text(ctx, p->core.p, (int)p->core.n, SQLITE_TRANSIENT);
    else if (col == C_AI_CORE)
        sqlite3_result_double(ctx, c->ai_core_ns);
    else if (col < C_AI_CORE && col != C_CORE && v[col] != NOTHING)
        sqlite3_result_int64(ctx, v[col]);
    return SQLITE_OK;
}

static int on_rowid(sqlite3_vtab_cursor *x, sqlite3_int64 *id)
{
    *id = (sqlite3_int64)((struct cursor *)x)->at + 1;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = on_connect,
    .xBestIndex = on_best,
    .xDisconnect = on_disconnect,
    .xOpen = on_open,
    .xClose = on_close,
    .xFilter = on_filter,
    .xNext = on_next,
    .xEof = on_eof,
    .xColumn = on_column,
    .xRowid = on_rowid,
};

int exec_sum_register(sqlite3 *db, struct err *e)
{
    int rc = sqlite3_create_module(db, "exec_sum", &module, NULL);
    return rc == SQLITE_OK ? OK : db_error(e, db, rc, "cannot register the table of sums");
}
