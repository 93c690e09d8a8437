/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual tables over the chunks: event, flow, counter_sample (doc/performance.md#chunks). Read-only,
 * eponymous: they exist on our connections without a CREATE, so a store file has nothing that a plain SQLite
 * cannot open.
 */
#include "config.h"

#include "store/db.h"
#include "store/fill/chunk.h"

#include <stdlib.h>
#include <string.h>

enum vt_kind { VT_EVENT, VT_FLOW, VT_SAMPLE };

struct vt {
    sqlite3_vtab base;
    sqlite3 *db;
    enum vt_kind kind;
};

struct vt_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *chunks, *made[2]; /* track, n, d in order (track, t0); made: of all tracks, of one */
    struct chunk_event *ev;
    size_t n, at;
    int64_t track, rowid;
    int64_t lo, hi; /* on ts_ns */
    bool eof;
    sqlite3_stmt *ends; /* flow: the other end */
    int64_t to_track, to_ts;
    bool has_to;
};

struct vt_decl {
    enum vt_kind kind;
    const char *name, *schema;
};
/* clang-format off */
static const struct vt_decl decls[] = {
    { VT_EVENT,  "event",          "CREATE TABLE x(track_id INTEGER, ts_ns INTEGER, dur_ns INTEGER, depth "
        "INTEGER, name_id INTEGER, source_off INTEGER)" },
    { VT_FLOW,   "flow",           "CREATE TABLE x(track_id INTEGER, from_ns INTEGER, kind_id INTEGER, "
        "from_track INTEGER, to_track INTEGER, to_ns INTEGER, flow_id INTEGER)" },
    { VT_SAMPLE, "counter_sample", "CREATE TABLE x(track_id INTEGER, ts_ns INTEGER, value REAL)" },
};
/* clang-format on */

static int vt_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
                      char **msg)
{
    const struct vt_decl *d = aux;
    struct vt *v = sqlite3_malloc(sizeof *v);

    (void)argc;
    (void)argv;
    (void)msg;
    if (!v)
        return SQLITE_NOMEM;
    memset(v, 0, sizeof *v);
    v->db = db;
    v->kind = d->kind;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *out = &v->base;
    return sqlite3_declare_vtab(db, d->schema);
}

static int vt_disconnect(sqlite3_vtab *t)
{
    sqlite3_free(t);
    return SQLITE_OK;
}

/* idxNum bits: 1 track =, 2 ts >=, 4 ts >, 8 ts <=, 16 ts <. */
enum { IX_TRACK = 1, IX_GE = 2, IX_GT = 4, IX_LE = 8, IX_LT = 16 };

static int constraint_bit(int col, int op)
{
    if (col == 0)
        return op == SQLITE_INDEX_CONSTRAINT_EQ ? IX_TRACK : 0;
    if (col != 1)
        return 0;
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_GE:
        return IX_GE;
    case SQLITE_INDEX_CONSTRAINT_GT:
        return IX_GT;
    case SQLITE_INDEX_CONSTRAINT_LE:
        return IX_LE;
    case SQLITE_INDEX_CONSTRAINT_LT:
        return IX_LT;
    default:
        return 0;
    }
}

static int vt_best(sqlite3_vtab *t, sqlite3_index_info *info)
{
    int bits = 0, arg = 0;

    (void)t;
    /* Arguments in the order of the bits, so that filter can read them back. */
    for (int bit = IX_TRACK; bit <= IX_LT; bit *= 2) {
        for (int i = 0; i < info->nConstraint; i++) {
            if (!info->aConstraint[i].usable || (bits & bit) ||
                constraint_bit(info->aConstraint[i].iColumn, info->aConstraint[i].op) != bit)
                continue;
            bits |= bit;
            info->aConstraintUsage[i].argvIndex = ++arg;
            info->aConstraintUsage[i].omit = bit == IX_TRACK;
        }
    }
    info->idxNum = bits;
    info->estimatedCost = bits & IX_TRACK ? (bits & ~IX_TRACK ? 1e4 : 1e6) : 1e8;
    info->estimatedRows = bits & IX_TRACK ? 10000 : 10000000;
    if (info->nOrderBy == 2 && info->aOrderBy[0].iColumn == 0 && !info->aOrderBy[0].desc &&
        info->aOrderBy[1].iColumn == 1 && !info->aOrderBy[1].desc)
        info->orderByConsumed = 1;
    if (bits & IX_TRACK && info->nOrderBy == 1 && info->aOrderBy[0].iColumn == 1 && !info->aOrderBy[0].desc)
        info->orderByConsumed = 1;
    return SQLITE_OK;
}

static int vt_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    struct vt_cursor *c = sqlite3_malloc(sizeof *c);

    (void)t;
    if (!c)
        return SQLITE_NOMEM;
    memset(c, 0, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int vt_close(sqlite3_vtab_cursor *x)
{
    struct vt_cursor *c = (struct vt_cursor *)x;

    sqlite3_finalize(c->made[0]);
    sqlite3_finalize(c->made[1]);
    sqlite3_finalize(c->ends);
    free(c->ev);
    sqlite3_free(c);
    return SQLITE_OK;
}

static int next_chunk(struct vt_cursor *c)
{
    const struct vt *v = (const struct vt *)c->base.pVtab;

    for (;;) {
        int rc = sqlite3_step(c->chunks);
        if (rc == SQLITE_DONE) {
            c->eof = true;
            return SQLITE_OK;
        }
        if (rc != SQLITE_ROW)
            return rc;
        c->track = sqlite3_column_int64(c->chunks, 0);
        c->n = (size_t)sqlite3_column_int64(c->chunks, 1);
        c->at = 0;
        struct str blob = { sqlite3_column_blob(c->chunks, 2), (size_t)sqlite3_column_bytes(c->chunks, 2) };
        if (!c->n || c->n > CHUNK_EVENTS)
            return SQLITE_CORRUPT;
        if (!c->ev && !(c->ev = malloc(CHUNK_EVENTS * sizeof *c->ev)))
            return SQLITE_NOMEM;
        if (!chunk_decode(blob, v->kind == VT_EVENT ? CHUNK_OFF | CHUNK_LANE : 0, c->ev, c->n))
            return SQLITE_CORRUPT;
        return SQLITE_OK;
    }
}

/* The other end of a flow: the nearest later 'f' with the same id. */
static int find_end(struct vt_cursor *c, struct vt *v)
{
    c->has_to = false;
    if (!c->ends) {
        int rc = sqlite3_prepare_v2(v->db,
                                    "SELECT n, d FROM chunk WHERE track IN (SELECT f.id FROM track s "
                                    "JOIN track f ON f.kind = 'flow' AND f.tid = 'f' AND f.pid = s.pid "
                                    "AND f.rank = s.rank AND f.source_id = s.source_id WHERE s.id = ?1) "
                                    "AND t1 >= ?2 ORDER BY t0",
                                    -1, &c->ends, NULL);
        if (rc != SQLITE_OK)
            return rc;
    }
    const struct chunk_event *from = &c->ev[c->at];
    struct chunk_event *to = malloc(CHUNK_EVENTS * sizeof *to);
    if (!to)
        return SQLITE_NOMEM;
    sqlite3_bind_int64(c->ends, 1, c->track);
    sqlite3_bind_int64(c->ends, 2, from->ts);
    while (!c->has_to && sqlite3_step(c->ends) == SQLITE_ROW) {
        size_t n = (size_t)sqlite3_column_int64(c->ends, 0);
        struct str blob = { sqlite3_column_blob(c->ends, 1), (size_t)sqlite3_column_bytes(c->ends, 1) };
        if (n > CHUNK_EVENTS || !chunk_decode(blob, 0, to, n))
            break;
        for (size_t i = 0; i < n && !c->has_to; i++) {
            if (to[i].dur != from->dur || to[i].ts < from->ts)
                continue;
            c->has_to = true;
            c->to_track = to[i].name;
            c->to_ts = to[i].ts;
        }
    }
    sqlite3_reset(c->ends);
    free(to);
    return SQLITE_OK;
}

/* Move to the first event of the window from the current position on. */
static int settle(struct vt_cursor *c)
{
    struct vt *v = (struct vt *)c->base.pVtab;

    while (!c->eof) {
        while (c->at < c->n && (c->ev[c->at].ts < c->lo || c->ev[c->at].ts > c->hi))
            c->at++;
        if (c->at < c->n)
            return v->kind == VT_FLOW ? find_end(c, v) : SQLITE_OK;
        int rc = next_chunk(c);
        if (rc != SQLITE_OK)
            return rc;
    }
    return SQLITE_OK;
}

/*
 * The virtual table lists only its own kind of track. With a track given it is looked up: "any or this one"
 * in one statement would go through all tracks each time.
 */
#define CHUNKS(kind) "SELECT c.track, c.n, c.d FROM track t JOIN chunk c ON c.track = t.id WHERE " kind
#define CHUNKS_IN    " AND c.t0 <= ?3 AND c.t1 >= ?2 ORDER BY t.id, c.t0, c.id"
#define CHUNKS_BOTH(kind)                                                                                    \
    {                                                                                                        \
        CHUNKS(kind) CHUNKS_IN, CHUNKS(kind) " AND t.id = ?1" CHUNKS_IN                                      \
    }

static const char *chunk_sql(enum vt_kind k, bool one_track)
{
    static const char *const flow[] = CHUNKS_BOTH("t.kind = 'flow' AND t.tid = 's'");
    static const char *const sample[] = CHUNKS_BOTH("t.kind = 'counter'");
    static const char *const event[] = CHUNKS_BOTH("t.kind NOT IN ('flow', 'counter')");

    return (k == VT_FLOW ? flow : k == VT_SAMPLE ? sample : event)[one_track];
}

/* c->chunks becomes the statement for one track or for all. */
static int choose_chunks(struct vt_cursor *c, bool one_track)
{
    const struct vt *v = (const struct vt *)c->base.pVtab;
    sqlite3_stmt **s = &c->made[one_track];

    if (!*s) {
        int rc = sqlite3_prepare_v2(v->db, chunk_sql(v->kind, one_track), -1, s, NULL);
        if (rc != SQLITE_OK)
            return rc;
    }
    c->chunks = *s;
    sqlite3_reset(c->chunks);
    sqlite3_clear_bindings(c->chunks);
    return SQLITE_OK;
}

static int vt_filter(sqlite3_vtab_cursor *x, int bits, const char *name, int argc, sqlite3_value **argv)
{
    struct vt_cursor *c = (struct vt_cursor *)x;
    int arg = 0;
    sqlite3_value *track = NULL;

    (void)name;
    (void)argc;
    c->lo = INT64_MIN;
    c->hi = INT64_MAX;
    for (int bit = IX_TRACK; bit <= IX_LT; bit *= 2) {
        if (!(bits & bit))
            continue;
        sqlite3_value *a = argv[arg++];
        /*
         * Bounds only narrow the search; SQLite checks each row again, so a bound of another type can be
         * ignored.
         */
        bool is_int = sqlite3_value_type(a) == SQLITE_INTEGER;
        if (bit == IX_TRACK)
            track = a;
        else if (is_int && (bit == IX_GE || bit == IX_GT))
            c->lo = sqlite3_value_int64(a) > c->lo ? sqlite3_value_int64(a) : c->lo;
        else if (is_int)
            c->hi = sqlite3_value_int64(a) < c->hi ? sqlite3_value_int64(a) : c->hi;
    }
    int rc = choose_chunks(c, track != NULL);
    if (rc != SQLITE_OK)
        return rc;
    if (track && sqlite3_value_type(track) == SQLITE_NULL) {
        c->eof = true;
        return SQLITE_OK;
    }
    if (track)
        sqlite3_bind_value(c->chunks, 1, track);
    sqlite3_bind_int64(c->chunks, 2, c->lo);
    sqlite3_bind_int64(c->chunks, 3, c->hi);
    c->eof = false;
    c->n = c->at = 0;
    c->rowid = 0;
    return settle(c);
}

static int vt_next(sqlite3_vtab_cursor *x)
{
    struct vt_cursor *c = (struct vt_cursor *)x;

    c->at++;
    c->rowid++;
    return settle(c);
}

static int vt_eof(sqlite3_vtab_cursor *x)
{
    return ((struct vt_cursor *)x)->eof;
}

static void int_or_null(sqlite3_context *ctx, bool has, int64_t v)
{
    if (has)
        sqlite3_result_int64(ctx, v);
    else
        sqlite3_result_null(ctx);
}

static void event_column(const struct vt_cursor *c, sqlite3_context *ctx, int col)
{
    const struct chunk_event *ev = &c->ev[c->at];
    const int64_t v[] = { c->track, ev->ts, ev->dur, ev->lane, ev->name, (int64_t)ev->off };

    int_or_null(ctx, col != 4 || ev->name, v[col]);
}

/* kind_id is the name of the pseudo track: the flow's category. */
static void flow_column(const struct vt_cursor *c, sqlite3_context *ctx, int col)
{
    const struct chunk_event *ev = &c->ev[c->at];
    const struct vt *v = (const struct vt *)c->base.pVtab;
    const int64_t x[] = { c->track, ev->ts, 0, ev->name, c->to_track, c->to_ts, ev->dur };

    if (col == 2) {
        sqlite3_stmt *st = NULL;
        if (sqlite3_prepare_v2(v->db, "SELECT name_id FROM track WHERE id = ?", -1, &st, NULL) == SQLITE_OK) {
            sqlite3_bind_int64(st, 1, c->track);
            if (sqlite3_step(st) == SQLITE_ROW)
                sqlite3_result_int64(ctx, sqlite3_column_int64(st, 0));
        }
        sqlite3_finalize(st);
        return;
    }
    int_or_null(ctx, (col != 4 && col != 5) || c->has_to, x[col]);
}

static int vt_column(sqlite3_vtab_cursor *x, sqlite3_context *ctx, int col)
{
    const struct vt_cursor *c = (const struct vt_cursor *)x;
    const struct chunk_event *ev = &c->ev[c->at];

    switch (((const struct vt *)x->pVtab)->kind) {
    case VT_FLOW:
        flow_column(c, ctx, col);
        break;
    case VT_SAMPLE:
        if (col == 0)
            sqlite3_result_int64(ctx, c->track);
        else if (col == 1)
            sqlite3_result_int64(ctx, ev->ts);
        else
            sqlite3_result_double(ctx, chunk_to_double(ev->dur));
        break;
    default:
        event_column(c, ctx, col);
        break;
    }
    return SQLITE_OK;
}

static int vt_rowid(sqlite3_vtab_cursor *x, sqlite3_int64 *id)
{
    *id = ((struct vt_cursor *)x)->rowid;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = vt_connect,
    .xBestIndex = vt_best,
    .xDisconnect = vt_disconnect,
    .xOpen = vt_open,
    .xClose = vt_close,
    .xFilter = vt_filter,
    .xNext = vt_next,
    .xEof = vt_eof,
    .xColumn = vt_column,
    .xRowid = vt_rowid,
};

int vtab_register(sqlite3 *db, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(decls); i++) {
        int rc = sqlite3_create_module(db, decls[i].name, &module, (void *)&decls[i]);
        if (rc != SQLITE_OK)
            return db_error(e, db, rc, "cannot register the timeline's tables");
    }
    return OK;
}
