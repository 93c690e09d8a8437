/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting the pages of the big tables (store/pages/fill_bulk.h) into the database: SQLite makes the tables
 * and their empty indexes, then their pages are written after its own, under its exclusive lock, and the
 * roots and the file's header are updated. SQLite notices by the header's change counter
 * (sqlite.org/fileformat2.html#file_change_counter) and reads everything again.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/pages/fill_bulk.h"
#include "store/pages/fill_index.h"
#include "store/pages/pages.h"
#include "store/pages/record.h"

#define LOCK_BYTE UINT32_C(0x40000000) /* the page that holds it is never used */
#define OUT_PAGES 16                   /* written at once: SQLite writes no more than 64 KiB */

/* The database file as pages are added to it. */
struct out {
    sqlite3 *db;
    sqlite3_file *file;
    uint32_t size, last; /* bytes of a page; number of the last page */
    unsigned char *buf;  /* pages not written yet, the last ones of the file */
    size_t n;
    unsigned char header[PAGE_FILE_HEADER_B];
};

/* ---- pages ---- */

static int write_at(struct out *o, const unsigned char *p, size_t n, uint32_t number, struct err *e)
{
    int rc =
        o->file->pMethods->xWrite(o->file, p, (int)n, (sqlite3_int64)(number - 1) * (sqlite3_int64)o->size);
    return rc == SQLITE_OK ? OK : db_error(e, NULL, rc, "cannot write the store");
}

static int flush(struct out *o, struct err *e)
{
    size_t n = o->n;

    o->n = 0;
    return n ? write_at(o, o->buf, n * o->size, o->last - (uint32_t)n + 1, e) : OK;
}

static int append(void *arg, const unsigned char *page, uint32_t *number, struct err *e)
{
    struct out *o = arg;

    if (o->last >= UINT32_MAX - 2)
        return err_set(e, ERR_LIMIT, "the store has too many pages");
    if (o->last == LOCK_BYTE / o->size) { /* the next one holds it */
        if (flush(o, e))
            return e->code;
        o->last++;
    }
    if (o->n == OUT_PAGES && flush(o, e))
        return e->code;
    memcpy(o->buf + o->n++ * o->size, page, o->size);
    *number = ++o->last;
    return OK;
}

static int put_root(void *arg, const unsigned char *page, uint32_t number, struct err *e)
{
    struct out *o = arg;
    return write_at(o, page, o->size, number, e);
}

static struct page_sink sink_of(struct out *o)
{
    return (struct page_sink){ .size = o->size, .append = append, .root = put_root, .arg = o };
}

/* ---- the file ---- */

static int out_open(struct out *o, struct fill *f, struct err *e)
{
    sqlite3_stmt *st = NULL;

    *o = (struct out){ .db = f->db };
    int rc = sqlite3_file_control(f->db, "main", SQLITE_FCNTL_FILE_POINTER, &o->file);
    if (rc == SQLITE_OK)
        rc = o->file->pMethods->xRead(o->file, o->header, PAGE_FILE_HEADER_B, 0);
    if (rc != SQLITE_OK)
        return db_error(e, f->db, rc, "cannot read the store");
    if (db_prepare(f->db, &st, "PRAGMA page_count", e))
        return e->code;
    if (sqlite3_step(st) == SQLITE_ROW)
        o->last = (uint32_t)sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    o->size = page_file_size(o->header);
    if (!o->size || o->last == 0 || o->last != page_get32(o->header + PAGE_AT_PAGES))
        return err_set(e, ERR_BUG, "the store has another size than its header says");
    o->buf = malloc((size_t)OUT_PAGES * o->size);
    return o->buf ? OK : err_nomem(e);
}

/* Everything is written: the header makes it part of the database. */
static int out_close(struct out *o, struct err *e)
{
    uint32_t changes = page_get32(o->header + PAGE_AT_CHANGES) + 1;

    if (flush(o, e))
        return e->code;
    page_put32(o->header + PAGE_AT_CHANGES, changes);
    page_put32(o->header + PAGE_AT_VALID, changes);
    page_put32(o->header + PAGE_AT_PAGES, o->last);
    return write_at(o, o->header, PAGE_FILE_HEADER_B, 1, e);
}

static int root_of(struct out *o, const char *name, uint32_t *root, struct err *e)
{
    sqlite3_stmt *st = NULL;

    *root = 0;
    if (db_prepare(o->db, &st, "SELECT rootpage FROM sqlite_master WHERE name = ?", e))
        return e->code;
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(st) == SQLITE_ROW)
        *root = (uint32_t)sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return *root ? OK : err_set(e, ERR_BUG, "no table %s", name);
}

/* ---- a table ---- */

/*
 * Append the leaves; child[] (one for each page) gets their numbers and last rows. One leaf alone becomes the
 * root.
 */
static int put_leaves(struct out *o, const struct bulk *b, uint32_t root, struct page_child *child,
                      struct err *e)
{
    size_t at = 0, n, k = 0, all = bulk_pages(b);
    unsigned char *pages = bulk_read_room(b);

    if (!pages)
        return err_nomem(e);
    while (bulk_read(b, &at, pages, &n, e) == OK && n) {
        for (size_t i = 0; i < n && !e->code; i++, k++) {
            const unsigned char *page = pages + i * o->size;
            uint64_t bytes, id;
            (void)record_get_varint(record_get_varint(page_get(page, page_cells(page) - 1), &bytes), &id);
            child[k].last = (int64_t)id;
            if (all == 1)
                (void)put_root(o, page, root, e);
            else
                (void)append(o, page, &child[k].number, e);
        }
        if (e->code)
            break;
    }
    free(pages);
    return e->code;
}

static int put_table(struct out *o, enum table_id t, const struct bulk *b, struct err *e)
{
    struct page_sink sink = sink_of(o);
    size_t n = bulk_pages(b);
    uint32_t root;

    if (root_of(o, schema_tables[t].name, &root, e))
        return e->code;
    struct page_child *child = malloc(n * sizeof *child);
    if (!child)
        return err_nomem(e);
    int rc = put_leaves(o, b, root, child, e);
    if (rc == OK && n > 1)
        rc = pages_table(&sink, child, n, root, e);
    free(child);
    return rc;
}

/* ---- rows that were inserted meanwhile ---- */

/*
 * They are moved to a temporary table, so that the table is empty, and inserted again after its pages are
 * written.
 */
static int late_aside(struct fill *f, const char *table, struct err *e)
{
    char sql[300];

    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE late_%s AS SELECT rowid AS late_rowid, * FROM %s; DELETE FROM %s", table,
             table, table);
    return db_exec(f->db, sql, e);
}

static int late_back(struct fill *f, enum table_id t, struct err *e)
{
    const struct schema_table *d = &schema_tables[t];
    bool has_id = d->cols[0].type == CT_ID; /* then the column is the rowid */
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "INSERT INTO %s(%s", d->name, has_id ? "" : "rowid,");
    fill_columns_names(f, t, &sql);
    buf_printf(&sql, ") SELECT %s", has_id ? "" : "late_rowid,");
    fill_columns_names(f, t, &sql);
    buf_printf(&sql, " FROM temp.late_%s ORDER BY late_rowid; DROP TABLE temp.late_%s", d->name, d->name);
    int rc = buf_failed(&sql) ? err_nomem(e) : db_exec(f->db, sql.p, e);
    buf_done(&sql);
    return rc;
}

/* ---- all ---- */

static bool has_pages(const struct fill *f, size_t t)
{
    return f->tables[t].bulk && bulk_pages(f->tables[t].bulk) > 0;
}

static int prepare_tables(struct fill *f, struct err *e)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        if (!has_pages(f, t))
            continue;
        if (bulk_has_late(f->tables[t].bulk) && late_aside(f, schema_tables[t].name, e))
            return e->code;
        if (fill_index_create(f, (enum table_id)t, e))
            return e->code;
    }
    return OK;
}

/* unmade: bits of indexes that are left to SQLite. */
static int write_tables(struct fill *f, struct out *o, uint64_t *unmade, struct err *e)
{
    const struct page_sink sink = sink_of(o);

    for (size_t t = 0; t < N_TABLES; t++) {
        if (!has_pages(f, t))
            continue;
        if (put_table(o, (enum table_id)t, f->tables[t].bulk, e))
            return e->code;
        for (size_t i = 0; i < schema_n_indexes; i++) {
            struct fill_index x;
            uint32_t root;
            bool made;
            if (!fill_index_of(f, (enum table_id)t, i, &x))
                continue;
            if (root_of(o, schema_indexes[i].name, &root, e) ||
                fill_index_build(&x, f->tables[t].bulk, &sink, root, &made, e))
                return e->code;
            *unmade |= made ? 0 : UINT64_C(1) << i;
        }
    }
    return OK;
}

/* Whether a statement is running: it holds pages that SQLite would go on to use. */
static bool is_read(sqlite3 *db)
{
    for (sqlite3_stmt *st = NULL; (st = sqlite3_next_stmt(db, st)) != NULL;)
        if (sqlite3_stmt_busy(st))
            return true;
    return false;
}

/* SQLite cannot roll back these writes: when they fail the store is of no use. */
static int place(struct fill *f, uint64_t *unmade, struct err *e)
{
    struct out o = { 0 };

    if (is_read(f->db))
        return err_set(e, ERR_BUG, "the store is read while its tables are settled");
    if (db_exec(f->db, "BEGIN EXCLUSIVE", e))
        return e->code;
    if (out_open(&o, f, e) == OK && write_tables(f, &o, unmade, e) == OK)
        (void)out_close(&o, e);
    free(o.buf);
    sqlite3_exec(f->db, "COMMIT", NULL, NULL, NULL); /* nothing to write: gives the lock back */
    return e->code;
}

static int finish_tables(struct fill *f, uint64_t unmade, struct err *e)
{
    char sql[100];

    for (size_t i = 0; unmade && i < schema_n_indexes; i++) {
        snprintf(sql, sizeof sql, "DROP INDEX %s", schema_indexes[i].name);
        if ((unmade >> i & 1) && db_exec(f->db, sql, e))
            return e->code;
    }
    for (size_t t = 0; t < N_TABLES; t++) {
        struct table_state *ts = &f->tables[t];
        if (!has_pages(f, t))
            continue;
        if (bulk_has_late(ts->bulk) && late_back(f, (enum table_id)t, e))
            return e->code;
        bulk_free(ts->bulk); /* from here on by INSERT */
        ts->bulk = NULL;
        sqlite3_finalize(ts->insert);
        ts->insert = NULL;
    }
    return OK;
}

int fill_settle(struct fill *f, struct err *e)
{
    bool any = false;
    uint64_t unmade = 0;

    if (f->in_tx)
        return err_set(e, ERR_BUG, "a source is open");
    if (fill_ops_settle(f, e))
        return e->code;
    for (size_t t = 0; t < N_TABLES; t++)
        any |= has_pages(f, t);
    if (!any)
        return OK;
    if (db_exec(f->db, "BEGIN", e) || prepare_tables(f, e) || db_exec(f->db, "COMMIT", e))
        return e->code;
    if (place(f, &unmade, e))
        return e->code;
    if (db_exec(f->db, "BEGIN", e) || finish_tables(f, unmade, e) || fill_strings_write(f, e))
        return e->code;
    return db_exec(f->db, "COMMIT", e);
}

/* Add the rows that are in the database. */
static int feeders_there(struct fill *f, const char *table, int rank, struct fill_feeder *out, size_t max,
                         size_t *n, struct err *e)
{
    sqlite3_stmt *st = NULL;
    char sql[200];

    sqlite3_snprintf(sizeof sql, sql,
                     "SELECT source_id, count(*) FROM \"%w\" WHERE rank = %d GROUP BY source_id", table,
                     rank);
    if (db_prepare(f->db, &st, sql, e))
        return e->code;
    while (*n < max && sqlite3_step(st) == SQLITE_ROW)
        out[(*n)++] = (struct fill_feeder){ (uint32_t)sqlite3_column_int64(st, 0),
                                            (uint64_t)sqlite3_column_int64(st, 1) };
    int rc = sqlite3_finalize(st);
    return rc == SQLITE_OK ? OK : db_error(e, f->db, rc, "");
}

int fill_feeders(struct fill *f, const char *table, int rank, struct fill_feeder *out, size_t max, size_t *n,
                 struct err *e)
{
    *n = 0;
    if (feeders_there(f, table, rank, out, max, n, e))
        return e->code;
    enum table_id t = schema_find_table(table);
    if (t < N_TABLES && f->tables[t].bulk)
        bulk_fed(f->tables[t].bulk, rank, out, max, n);
    return OK;
}
