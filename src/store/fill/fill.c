/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a store: temporary file, one transaction per source, header, fsync, rename
 * (doc/reliability.md#whole-or-absent). */
#include "config.h"

#include "store/pages/fill_bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "store/stamp.h"
#include "store/store_int.h"
#include "store/sum_vfs.h"

static const struct sink_ops store_ops = {
    .row = fill_row,
    .column = fill_column,
    .note = fill_note,
    .intern = fill_intern,
    .op = fill_op,
    .track = fill_track,
    .track_set = fill_track_set,
    .event = fill_event,
    .flow = fill_flow,
    .sample = fill_sample,
    .cancelled = fill_cancelled,
    .generic_open = fill_generic_open,
    .generic_row = fill_generic_row,
};

/* ---- making the database ---- */

/* The summary of a chunk (struct chunk_sum), known without decoding it; the index holds all of it. */
#define CHUNK_COLUMNS                                                                                        \
    "track INTEGER, t0 INTEGER, t1 INTEGER, n INTEGER, dur_sum INTEGER, busy INTEGER, t_last "               \
    "INTEGER, t_near INTEGER, gap INTEGER, gap_at INTEGER, longest INTEGER, longest_name "                   \
    "INTEGER, "                                                                                              \
    "lanes INTEGER"
#define CHUNK_INDEX                                                                                          \
    "track, t0, t1, n, dur_sum, busy, t_last, t_near, gap, gap_at, longest, longest_name, lanes"

static int create_tables(struct fill *f, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    for (enum table_id t = 0; t < N_TABLES; t++)
        fill_columns_defs(f, t, &sql);
    buf_puts(&sql, "CREATE TABLE string(id INTEGER PRIMARY KEY, text);\n"
                   "CREATE TABLE chunk(id INTEGER PRIMARY KEY, " CHUNK_COLUMNS ", names BLOB, "
                   "d BLOB);\n"
                   "CREATE TABLE long_event(track INTEGER, chunk INTEGER, i INTEGER, lane INTEGER, "
                   "ts INTEGER, dur INTEGER, name INTEGER, off INTEGER);\n"
                   "CREATE TABLE lod(track INTEGER, lane INTEGER, level INTEGER, part INTEGER, t0 "
                   "INTEGER, shift INTEGER, d BLOB, PRIMARY KEY(track, lane, level, part));\n");
    for (size_t i = 0; i < schema_n_views; i++)
        buf_printf(&sql, "CREATE VIEW %s AS %s;\n", schema_views[i].name, schema_views[i].sql);
    buf_printf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;\n", SCHEMA_APPLICATION_ID,
               SCHEMA_VERSION);
    int rc = buf_failed(&sql) ? err_nomem(e) : db_exec(f->db, sql.p, e);
    buf_done(&sql);
    return rc;
}

static int prepare(struct fill *f, struct err *e)
{
    struct buf sql;

    if (db_prepare(f->db, &f->ins_string, "INSERT INTO string(id, text) VALUES(?, ?)", e) ||
        db_prepare(f->db, &f->ins_chunk,
                   "INSERT INTO chunk(" CHUNK_INDEX ", names, d) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   e) ||
        db_prepare(f->db, &f->ins_long, "INSERT INTO long_event VALUES(?, ?, ?, ?, ?, ?, ?, ?)", e) ||
        db_prepare(f->db, &f->ins_lod, "INSERT INTO lod VALUES(?, ?, ?, ?, ?, ?, ?)", e) ||
        db_prepare(f->db, &f->ins_note,
                   "INSERT INTO note(source_id, code, severity, offset, line, text, count) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?)",
                   e))
        return e->code;
    buf_init(&sql, 4096);
    buf_puts(&sql, "INSERT OR REPLACE INTO op VALUES(");
    for (size_t i = 0; i < N_COLS(op); i++)
        buf_puts(&sql, i ? ",?" : "?");
    buf_puts(&sql, ")");
    int rc = db_prepare(f->db, &f->ins_op, sql.p, e);
    buf_done(&sql);
    return rc;
}

#define WAIT_CANCELLED 200 /* moments: two seconds, for what is whole */

/* A lock of another process: a screen that reads, or a long statement. */
static int on_busy(void *arg, int n)
{
    const struct fill *f = arg;

    return (n < WAIT_CANCELLED || !f->cancelled || !f->cancelled(f->arg)) && db_wait(n);
}

/*
 * A store that other processes have open keeps the journal it has: to exchange it takes all of it, and rows
 * can be added with either.
 */
static int set_journal(struct fill *f, struct err *e)
{
    struct err why = ERR_INIT;

    (void)!db_exec(f->db, f->use_wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE", &why);
    if (why.code && !(f->adding && why.code == ERR_BUSY)) {
        *e = why;
        return e->code;
    }
    /*
     * Unlike a temporary file, a store must not be lost when the machine stops: NORMAL is enough for WAL
     * alone, and a store whose journal was not exchanged may have the other one.
     */
    return db_exec(f->db,
                   !f->adding                ? "PRAGMA synchronous = OFF"
                   : f->use_wal && !why.code ? "PRAGMA synchronous = NORMAL"
                                             : "PRAGMA synchronous = FULL",
                   e);
}

static int open_db(struct fill *f, const char *path, bool create, struct err *e)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    const char *vfs = sum_vfs();
    int rc = vfs ? sqlite3_open_v2(path, &f->db, flags, vfs) : SQLITE_NOMEM;

    if (rc == SQLITE_OK && create && !f->in_memory)
        rc = sum_vfs_reserve(f->db);
    if (rc != SQLITE_OK)
        return db_error(e, f->db, rc, "cannot open the store");
    sqlite3_busy_handler(f->db, on_busy, f);
    return set_journal(f, e) || db_exec(f->db,
                                        "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; "
                                        "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;",
                                        e)
               ? e->code
               : OK;
}

/* Name of the temporary file of a store, with the id of the process that fills it. false: too long. */
static bool temp_name(char *buf, size_t n, const char *path, long pid)
{
    return (size_t)snprintf(buf, n, "%s.tmp.%ld", path, pid) < n;
}

/* Make the temporary file with mode 0600, whatever the umask; it must not exist. */
static int make_temp(struct fill *f, const char *path, struct err *e)
{
    snprintf(f->path, sizeof f->path, "%s", path);
    if (!temp_name(f->temp, sizeof f->temp, path, (long)getpid()))
        return err_set(e, ERR_LIMIT, "the name of the store is too long");
    store_drop_orphans(path);
    unlink(f->temp); /* left by an earlier process with the same id */
    int fd = open(f->temp, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        int sys = errno;
        err_sys(e, sys, "cannot create the store");
        err_where(e, f->temp, ERR_NO_OFFSET, 0);
        return e->code;
    }
    fchmod(fd, 0600);
    close(fd);
    return OK;
}

static struct fill *new_fill(struct err *e)
{
    struct fill *f = calloc(1, sizeof *f);

    if (!f) {
        err_nomem(e);
        return NULL;
    }
    f->base.ops = &store_ops;
    f->notes.state = "OK";
    f->first_track_id = f->next_track_id = 1;
    buf_init(&f->blob, (size_t)1 << 20);
    buf_init(&f->names, (size_t)1 << 20);
    lod_pool_init(&f->lods, LOD_POOL_B);
    if (intern_new(&f->strings, e)) {
        free(f);
        return NULL;
    }
    return f;
}

/*
 * Large additions use WAL mode: with a rollback journal each spill of the page cache would wait for the disk.
 */
static void use_opts(struct fill *f, const struct fill_opts *o)
{
    f->use_wal = (o->watched || o->large) && o->path && !path_is_network(o->path);
    f->watched = o->watched && f->use_wal;
    f->unfinished = o->unfinished;
    f->cancelled = o->cancelled;
    f->arg = o->arg;
    f->more = o->more;
    f->n_more = o->n_more;
}

int fill_open(struct fill **out, const struct fill_opts *o, struct err *e)
{
    struct fill *f = new_fill(e);

    if (!f)
        return e->code;
    f->in_memory = !o->path;
    use_opts(f, o);
    if (o->path && make_temp(f, o->path, e))
        goto fail;
    if (open_db(f, o->path ? f->temp : ":memory:", true, e) || create_tables(f, e) || prepare(f, e))
        goto fail;
    if (o->path && !f->watched && !o->inserts && bulk_open(f, e))
        goto fail;
    *out = f;
    return OK;
fail:
    fill_abort(f);
    return e->code;
}

int fill_add(struct fill **out, const struct fill_opts *o, struct err *e)
{
    struct fill *f = new_fill(e);

    if (!f)
        return e->code;
    f->adding = true;
    use_opts(f, o);
    snprintf(f->path, sizeof f->path, "%s", o->path);
    if (open_db(f, o->path, false, e) || prepare(f, e) || fill_resume(f, e)) {
        fill_abort(f);
        return e->code;
    }
    *out = f;
    return OK;
}

struct sink *fill_sink(struct fill *f)
{
    return &f->base;
}

const char *fill_read_path(const struct fill *f)
{
    return f->adding ? f->path : f->temp;
}

int fill_rank(struct fill *f, int rank, bool known, int device, const char *host, const char *clock,
              int64_t origin_ns, struct err *e)
{
    struct fill_rank_state *r = fill_rank_get(f, rank);

    if (!r)
        return err_nomem(e);
    r->known = known;
    r->device = device;
    if (host && !r->host)
        r->host = strdup(host);
    if (clock) {
        r->clock = clock;
        r->origin = origin_ns;
    }
    return OK;
}

int64_t fill_rank_origin(const struct fill *f, int rank)
{
    for (size_t i = 0; i < f->n_ranks; i++)
        if (f->ranks[i].rank == rank)
            return f->ranks[i].origin;
    return 0;
}

/* ---- sources ---- */

int fill_begin(struct fill *f, uint32_t source_id, struct err *e)
{
    f->source_id = source_id;
    f->base.failed = false;
    f->notes = (struct fill_notes){ .state = "OK", .offset = ERR_NO_OFFSET };
    memset(f->note_counts, 0, sizeof f->note_counts);
    f->notes_written = 0;
    if (f->in_tx)
        return err_set(e, ERR_BUG, "a source is open already");
    if (db_exec(f->db, "BEGIN", e))
        return e->code;
    f->in_tx = true;
    return OK;
}

/* Write the ranks as they are known by now: a screen that watches needs their clocks. */
static int write_ranks(struct fill *f, struct err *e)
{
    if (db_exec(f->db, "DELETE FROM rank", e))
        return e->code;
    for (size_t i = 0; i < f->n_ranks; i++) {
        const struct fill_rank_state *r = &f->ranks[i];
        struct val v[N_COLS(rank)] = {
            [COL(rank, rank)] = val_int(r->rank),
            [COL(rank, known)] = val_int(r->known),
            [COL(rank, device)] = r->device >= 0 ? val_int(r->device) : val_null(),
            [COL(rank, host)] = val_cstr(r->host),
            [COL(rank, clock)] = val_cstr(r->clock),
            [COL(rank, origin_ns)] = val_int(r->origin),
            [COL(rank, first_ns)] = r->seen ? val_int(r->first) : val_null(),
            [COL(rank, last_ns)] = r->seen ? val_int(r->last) : val_null(),
        };
        if (fill_row(&f->base, T_rank, v, N_COLS(rank), NULL, e))
            return e->code;
    }
    return OK;
}

/* Give the rows of big tables since fill_begin to the source. */
static int end_bulk(struct fill *f, struct err *e)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        if (!f->tables[t].bulk)
            continue;
        if (bulk_end(f->tables[t].bulk, f->source_id, e) || fill_columns_make(f, (enum table_id)t, e))
            return e->code;
    }
    return OK;
}

static void settle_bulk(struct fill *f, void (*fn)(struct bulk *b))
{
    for (size_t t = 0; t < N_TABLES; t++)
        if (f->tables[t].bulk)
            fn(f->tables[t].bulk);
}

static int commit(struct fill *f, struct err *e)
{
    if (end_bulk(f, e))
        return e->code;
    if ((f->watched && write_ranks(f, e)) || fill_tracks_write(f, e) || fill_ops_write(f, e) ||
        fill_strings_write(f, e) || fill_notes_write(f, e) || db_exec(f->db, "COMMIT", e))
        return e->code;
    f->in_tx = false;
    settle_bulk(f, bulk_kept);
    for (uint32_t i = 0; i < f->n_ops; i++)
        f->ops[i].dirty = false;
    if (f->watched)
        sqlite3_wal_checkpoint_v2(f->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return OK;
}

/* Forget columns that were added in the transaction: they are gone with it. */
static int columns_back(struct fill *f, struct err *e)
{
    for (enum table_id t = 0; t < N_TABLES; t++) {
        struct table_state *ts = &f->tables[t];
        if (!ts->n_added)
            continue;
        sqlite3_finalize(ts->insert);
        ts->insert = NULL;
        if (fill_columns_read(f, t, e))
            break;
    }
    return e->code;
}

int fill_end(struct fill *f, bool ok, struct err *e)
{
    uint32_t written = f->strings_written;
    struct err other = ERR_INIT;

    if (!f->in_tx)
        return OK;
    if (ok && commit(f, e) == OK) {
        fill_tracks_forget(f);
        return OK;
    }
    sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
    f->in_tx = false;
    settle_bulk(f, bulk_take_back);
    f->strings_written = written;
    f->next_track_id = f->first_track_id;
    fill_tracks_forget(f);
    sqlite3_finalize(f->ins_generic);
    f->ins_generic = NULL;
    f->generic_source = 0;
    if (columns_back(f, &other) && !e->code)
        *e = other;
    return e->code;
}

int fill_close(struct fill *f, int rc, struct err *e)
{
    struct err other = ERR_INIT;
    int ended = fill_end(f, rc == OK, rc ? &other : e);

    return rc ? rc : ended;
}

bool fill_failed(const struct fill *f, struct err *e)
{
    bool failed = e->code == ERR_FULL || e->code == ERR_BUSY || (e->code == ERR_IO && !e->file[0]) ||
                  (f->base.failed && (e->code == ERR_IO || e->code == ERR_FORMAT || e->code == ERR_STORE));

    if (failed) {
        e->file[0] = 0;
        e->offset = ERR_NO_OFFSET;
        e->line = 0;
    }
    return failed;
}

struct fill_notes fill_notes(const struct fill *f)
{
    return f->notes;
}

int fill_meta(struct fill *f, const char *key, const char *value, struct err *e)
{
    char *sql =
        sqlite3_mprintf("DELETE FROM meta WHERE key = %Q; INSERT INTO meta VALUES(%Q, %Q)", key, key, value);
    int rc = sql ? db_exec(f->db, sql, e) : err_nomem(e);

    sqlite3_free(sql);
    return rc;
}

static int purge_timeline(struct fill *f, uint32_t source_id, struct err *e)
{
    static const char *const tables[] = { "chunk", "long_event", "lod" };
    char sql[200];

    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE track IN (SELECT id FROM track WHERE source_id = %u)",
                 tables[i], source_id);
        if (db_exec(f->db, sql, e))
            return e->code;
    }
    return OK;
}

/*
 * Take back rows of a source that are kept aside; those of them that were inserted (bulk_row) are deleted by
 * number.
 */
static int purge_bulk(struct fill *f, uint32_t source_id, struct err *e)
{
    int64_t first, last;
    char sql[200];

    for (size_t t = 0; t < N_TABLES; t++) {
        while (f->tables[t].bulk && bulk_forget(f->tables[t].bulk, source_id, &first, &last)) {
            snprintf(sql, sizeof sql, "DELETE FROM %s WHERE rowid BETWEEN %" PRId64 " AND %" PRId64,
                     schema_tables[t].name, first, last);
            if (db_exec(f->db, sql, e))
                return e->code;
        }
    }
    return OK;
}

/* Delete rows of one table; the counters of executions go with these. where: a condition on the table. */
static int purge_table(struct fill *f, enum table_id t, const char *where, struct err *e)
{
    char sql[300];

    if (t == T_op_exec) {
        snprintf(sql, sizeof sql, "DELETE FROM op_counter WHERE exec_id IN (SELECT id FROM op_exec WHERE %s)",
                 where);
        if (db_exec(f->db, sql, e))
            return e->code;
    }
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s", schema_tables[t].name, where);
    return db_exec(f->db, sql, e);
}

static int end_purge(struct fill *f, struct err *e)
{
    if (!e->code && db_exec(f->db, "COMMIT", e) == OK)
        return OK;
    sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
    return e->code;
}

int fill_purge(struct fill *f, uint32_t source_id, bool notes, struct err *e)
{
    char where[60];

    snprintf(where, sizeof where, "source_id = %u", source_id);
    if (db_exec(f->db, "BEGIN", e) || purge_timeline(f, source_id, e) || purge_bulk(f, source_id, e))
        return end_purge(f, e);
    for (enum table_id t = 0; t < N_TABLES && !e->code; t++) {
        /* Ops stay: other sources may refer to them, and an op without rows is shown nowhere. */
        bool stays = t == T_source || t == T_op || (t == T_note && !notes);
        if (!stays && schema_find_column(&schema_tables[t], "source_id") != SIZE_MAX &&
            purge_table(f, t, where, e))
            break;
    }
    return end_purge(f, e);
}

int fill_purge_table(struct fill *f, uint32_t source_id, enum table_id t, int rank, struct err *e)
{
    char where[90];

    snprintf(where, sizeof where, "source_id = %u AND rank = %d", source_id, rank);
    if (f->tables[t].bulk && fill_settle(f, e))
        return e->code;
    if (db_exec(f->db, "BEGIN", e) == OK)
        (void)purge_table(f, t, where, e);
    return end_purge(f, e);
}

int fill_each(struct fill *f, const char *sql, fill_row_fn *fn, void *arg, struct err *e)
{
    struct store *s = fill_reader(f, e);
    struct query *q = NULL;

    if (!s || store_query(s, &q, sql, e))
        return e->code;
    while (query_step(q, e) == 1 && fn(arg, q, e) == OK)
        ;
    query_free(q);
    return e->code;
}

/* ---- end ---- */

static int meta_int(struct fill *f, const char *key, int64_t v, struct err *e)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, v);
    return fill_meta(f, key, text, e);
}

/* For what is read later (fill_resume). */
static int write_shifts(struct fill *f, struct err *e)
{
    for (size_t i = 0; i < f->n_ranks; i++) {
        char key[40];
        snprintf(key, sizeof key, "%s%d", FILL_UNIX_SHIFT, f->ranks[i].rank);
        if (f->ranks[i].has_unix_shift && meta_int(f, key, f->ranks[i].unix_shift, e))
            return e->code;
    }
    return OK;
}

static int write_header(struct fill *f, const char *input_key, struct err *e)
{
    bool unix_clock = f->n_ranks && f->ranks[0].clock && strcmp(f->ranks[0].clock, "unix") == 0;
    bool seen = false;
    int64_t first = 0;

    for (size_t i = 0; i < f->n_ranks; i++) {
        if (f->ranks[i].seen && (!seen || f->ranks[i].first < first))
            first = f->ranks[i].first;
        seen |= f->ranks[i].seen;
    }
    if (meta_int(f, "schema_version", SCHEMA_VERSION, e) || fill_meta(f, "program", PACKAGE_VERSION, e) ||
        fill_meta(f, "parsers", store_stamp(), e) || fill_meta(f, "input_key", input_key, e) ||
        meta_int(f, "imported_ns", clock_ns(CLOCK_REALTIME), e) || write_shifts(f, e) ||
        fill_meta(f, "clock", unix_clock ? "unix" : "device", e))
        return e->code;
    if (unix_clock && meta_int(f, "origin_ns", f->origin, e))
        return e->code;
    if (seen && meta_int(f, "first_ns", first, e))
        return e->code;
    return fill_meta(f, "complete", "1", e);
}

static bool has_rows(struct fill *f, const char *table)
{
    char sql[100];
    sqlite3_stmt *st = NULL;
    struct err ignored = ERR_INIT;

    snprintf(sql, sizeof sql, "SELECT 1 FROM %s LIMIT 1", table);
    bool any = db_prepare(f->db, &st, sql, &ignored) == OK && sqlite3_step(st) == SQLITE_ROW;
    sqlite3_finalize(st);
    return any;
}

int fill_index_time(struct fill *f, struct err *e)
{
    return db_exec(f->db, "CREATE INDEX IF NOT EXISTS time_chunk ON chunk(" CHUNK_INDEX ")", e);
}

static int make_indexes(struct fill *f, struct err *e)
{
    for (size_t i = 0; i < schema_n_indexes; i++)
        if ((!f->unfinished || has_rows(f, schema_indexes[i].table)) &&
            fill_make_index(f, &schema_indexes[i], e))
            return e->code;
    for (size_t i = 0; i < f->n_more; i++)
        if (fill_make_index(f, &f->more[i], e))
            return e->code;
    return fill_index_time(f, e);
}

int fill_finish(struct fill *f, const char *input_key, struct err *e)
{
    if (fill_settle(f, e) || db_exec(f->db, "BEGIN", e))
        return e->code;
    if (write_ranks(f, e) || make_indexes(f, e) || fill_strings_write(f, e) ||
        write_header(f, input_key, e) || db_exec(f->db, "COMMIT", e)) {
        sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
        return e->code;
    }
    return OK;
}

static void free_fill(struct fill *f, bool close_db)
{
    store_close(f->reader);
    sqlite3_finalize(f->ins_generic);
    sqlite3_finalize(f->ins_string);
    sqlite3_finalize(f->ins_op);
    sqlite3_finalize(f->ins_chunk);
    sqlite3_finalize(f->ins_long);
    sqlite3_finalize(f->ins_lod);
    sqlite3_finalize(f->ins_note);
    fill_tables_done(f);
    fill_tracks_forget(f);
    free(f->tracks);
    fill_ops_done(f);
    for (size_t i = 0; i < f->n_ranks; i++)
        free(f->ranks[i].host);
    free(f->ranks);
    buf_done(&f->blob);
    buf_done(&f->names);
    intern_free(f->strings);
    if (close_db)
        sqlite3_close(f->db);
    free(f);
}

static int sync_path(const char *path, int flags, struct err *e)
{
    int fd = open(path, flags | O_CLOEXEC);

    if (fd < 0 || fsync(fd)) {
        err_sys(e, errno, "cannot write the store to disk");
        err_where(e, path, ERR_NO_OFFSET, 0);
    }
    if (fd >= 0)
        close(fd);
    return e->code;
}

/*
 * A finished store stays in WAL mode when another process reads it meanwhile: the next process that adds to
 * it tries again.
 */
static int leave_wal(struct fill *f, struct err *e)
{
    for (int n = 0;; n++) {
        struct err why = ERR_INIT;
        if (db_exec(f->db, "PRAGMA journal_mode = DELETE", &why) == OK || (f->adding && why.code == ERR_BUSY))
            return OK;
        if (why.code != ERR_BUSY || !on_busy(f, n)) { /* here SQLite does not wait */
            *e = why;
            return e->code;
        }
    }
}

int fill_publish(struct fill *f, struct err *e)
{
    char temp[sizeof f->temp], path[sizeof f->path], dir[sizeof f->path];
    bool adding = f->adding;

    memcpy(temp, f->temp, sizeof temp);
    memcpy(path, f->path, sizeof path);
    if (f->use_wal && leave_wal(f, e)) {
        fill_abort(f);
        return e->code;
    }
    free_fill(f, true);
    if (adding)
        return OK;
    if (sync_path(temp, O_RDWR, e) == OK && store_has_side(path))
        store_unlink(path); /* the journal beside it belongs to the old store, not to the new one */
    if (!e->code && rename(temp, path)) {
        err_sys(e, errno, "cannot rename the store");
        err_where(e, path, ERR_NO_OFFSET, 0);
    }
    if (e->code) {
        unlink(temp);
        return e->code;
    }
    store_drop_orphans(path); /* of a process that was still ending when this one began */
    return path_dir(dir, sizeof dir, path) ? sync_path(dir, O_RDONLY | O_DIRECTORY, e) : OK;
}

void fill_abort(struct fill *f)
{
    if (!f)
        return;
    char temp[sizeof f->temp];
    memcpy(temp, f->temp, sizeof temp);
    if (f->in_tx && f->db)
        sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
    free_fill(f, true);
    if (temp[0])
        store_unlink(temp);
}

void fill_drop_temp(const char *path, long pid)
{
    char temp[sizeof((struct fill *)0)->temp];

    if (temp_name(temp, sizeof temp, path, pid))
        store_unlink(temp);
}

int fill_take_store(struct fill *f, struct store **out, struct err *e)
{
    sqlite3 *db = f->db;

    free_fill(f, false);
    return store_from_db(out, db, "", e);
}
