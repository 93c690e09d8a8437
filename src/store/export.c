/* SPDX-License-Identifier: Apache-2.0 */
/* Row by row from one connection to another: the virtual tables exist only on ours. */
#include "config.h"

#include "store/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "store/store_int.h"

#define ASK_ROWS 4096

/* Internal to the timeline (doc/store.md#time-tables). */
#define IS_INTERNAL "tbl_name IN ('chunk', 'lod', 'long_event') OR name LIKE 'sqlite@_%' ESCAPE '@'"

static const char *const virtual_tables[] = { "event", "flow", "counter_sample" };

struct export
{
    struct store *from;
    sqlite3 *to;
    const struct export_opts *o;
    uint64_t rows;
};

/* Run the statements that a query on the source gives, one in each row. */
static int copy_schema(struct export *x, const char *sql, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc;

    if (db_prepare(x->from->db, &st, sql, e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW)
        (void)!db_exec(x->to, (const char *)sqlite3_column_text(st, 0), e);
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, x->from->db, rc, "");
    sqlite3_finalize(st);
    return e->code;
}

static int create_virtual(struct export *x, const char *table, struct err *e)
{
    sqlite3_stmt *st = NULL;
    struct buf sql;
    char text[100];

    snprintf(text, sizeof text, "SELECT name, type FROM pragma_table_info('%s')", table);
    if (db_prepare(x->from->db, &st, text, e))
        return e->code;
    buf_init(&sql, 65536);
    buf_printf(&sql, "CREATE TABLE %s(", table);
    for (const char *sep = ""; sqlite3_step(st) == SQLITE_ROW; sep = ", ")
        buf_printf(&sql, "%s%s %s", sep, (const char *)sqlite3_column_text(st, 0),
                   (const char *)sqlite3_column_text(st, 1));
    buf_puts(&sql, ")");
    sqlite3_finalize(st);
    int rc = buf_failed(&sql) ? err_nomem(e) : db_exec(x->to, buf_str(&sql).p, e);
    buf_done(&sql);
    return rc;
}

static int prepare_insert(struct export *x, const char *table, int columns, sqlite3_stmt **out, struct err *e)
{
    struct buf sql;
    char *name = sqlite3_mprintf("INSERT INTO \"%w\" VALUES(?", table);

    if (!name)
        return err_nomem(e);
    buf_init(&sql, 65536);
    buf_puts(&sql, name);
    for (int i = 1; i < columns; i++)
        buf_puts(&sql, ",?");
    buf_puts(&sql, ")");
    sqlite3_free(name);
    int rc = buf_failed(&sql) ? err_nomem(e) : db_prepare(x->to, out, buf_str(&sql).p, e);
    buf_done(&sql);
    return rc;
}

static int copy_row(struct export *x, sqlite3_stmt *from, sqlite3_stmt *to, int columns, struct err *e)
{
    for (int i = 0; i < columns; i++)
        if (sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i)) != SQLITE_OK)
            return err_nomem(e);
    if (db_run(x->to, to, e))
        return e->code;
    x->rows++;
    if (x->rows % ASK_ROWS == 0 && x->o->cancelled && x->o->cancelled(x->o->arg, x->rows))
        return err_set(e, ERR_CANCELLED, "cancelled");
    return OK;
}

static int copy_table(struct export *x, const char *table, struct err *e)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
    int rc = SQLITE_DONE;

    if (!sql)
        return err_nomem(e);
    if (db_prepare(x->from->db, &from, sql, e))
        goto out;
    int columns = sqlite3_column_count(from);
    if (prepare_insert(x, table, columns, &to, e))
        goto out;
    while (!e->code && (rc = sqlite3_step(from)) == SQLITE_ROW)
        (void)!copy_row(x, from, to, columns, e);
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, x->from->db, rc, "");
out:
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    sqlite3_free(sql);
    return e->code;
}

static int copy_tables(struct export *x, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc = SQLITE_DONE;

    if (db_prepare(x->from->db, &st,
                   "SELECT name FROM sqlite_master WHERE type = 'table' AND NOT (" IS_INTERNAL ")", e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW)
        (void)!copy_table(x, (const char *)sqlite3_column_text(st, 0), e);
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, x->from->db, rc, "");
    sqlite3_finalize(st);
    for (size_t i = 0; i < ARRAY_LEN(virtual_tables) && !e->code; i++)
        (void)!copy_table(x, virtual_tables[i], e);
    return e->code;
}

static int fill(struct export *x, struct err *e)
{
    if (db_exec(x->to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", e) ||
        copy_schema(x,
                    "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql NOT NULL AND NOT "
                    "(" IS_INTERNAL ")",
                    e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(virtual_tables); i++)
        if (create_virtual(x, virtual_tables[i], e))
            return e->code;
    if (copy_tables(x, e) ||
        copy_schema(x,
                    "SELECT sql FROM sqlite_master WHERE type IN ('index', 'view') AND sql NOT "
                    "NULL AND NOT (" IS_INTERNAL ")",
                    e))
        return e->code;
    return db_exec(x->to,
                   "CREATE INDEX event_track ON event(track_id, ts_ns);"
                   "CREATE INDEX counter_track ON counter_sample(track_id, ts_ns); COMMIT",
                   e);
}

static int sync_file(const char *path, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int rc = fd >= 0 && fsync(fd) == 0 ? OK : err_sys(e, errno, "cannot write to the disk");

    if (fd >= 0)
        close(fd);
    return rc;
}

static int move(const char *temp, const char *path, bool replace, struct err *e)
{
    if (replace ? rename(temp, path) : link(temp, path))
        return errno == EEXIST ? err_set(e, ERR_IO, "is there already: give another name, or --force")
                               : err_sys(e, errno, "cannot make the file");
    if (!replace)
        unlink(temp);
    return OK;
}

int store_export(struct store *s, const char *path, const struct export_opts *o, struct err *e)
{
    struct export x = { .from = s, .o = o };
    char temp[1100];

    if (!o->replace && access(path, F_OK) == 0) {
        err_set(e, ERR_IO, "is there already: give another name, or --force");
        goto out;
    }
    if ((size_t)snprintf(temp, sizeof temp, "%s.tmp.%ld", path, (long)getpid()) >= sizeof temp) {
        err_set(e, ERR_LIMIT, "the path is too long");
        goto out;
    }
    unlink(temp); /* left by an earlier process with the same id */
    int fd = open(temp, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) {
        err_sys(e, errno, "cannot make the file");
        goto out;
    }
    close(fd);
    int rc = sqlite3_open_v2(temp, &x.to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK)
        db_error(e, x.to, rc, "cannot make the database");
    else
        (void)!fill(&x, e);
    sqlite3_close(x.to);
    if (!e->code && sync_file(temp, e) == OK)
        (void)!move(temp, path, o->replace, e);
    if (e->code)
        unlink(temp);
    if (o->rows)
        *o->rows = x.rows;
out:
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, 0);
    return e->code;
}
