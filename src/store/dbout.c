/* Databases of other schemas, written. */
#include "config.h"

#include "store/dbout.h"

#include <limits.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/path.h"
#include "store/db.h"

#define SQL_MAX ((size_t)1 << 16)

struct dbout_table {
    struct dbout *d;
    struct dbout_table *next;
    sqlite3_stmt *insert;
    int columns;
};

struct dbout {
    sqlite3 *db;
    struct file_write *w; /* the file beside the target */
    struct dbout_table *tables;
    char *path; /* of the target */
};

/* e, with the name of the target. */
static int failed(const struct dbout *d, struct err *e)
{
    if (e->code)
        err_where(e, d->path, ERR_NO_OFFSET, 0);
    return (int)e->code;
}

static void release(struct dbout *d)
{
    while (d->tables) {
        struct dbout_table *t = d->tables;
        d->tables = t->next;
        sqlite3_finalize(t->insert);
        free(t);
    }
    sqlite3_close(d->db);
    d->db = NULL;
}

void dbout_drop(struct dbout *d)
{
    if (!d)
        return;
    release(d);
    file_write_abort(d->w);
    free(d->path);
    free(d);
}

/*
 * No journal: what is not whole is never seen. Large pages and one transaction: rows come once, in order. Dirty pages go to the file as soon as
 * the cache is full, so that memory does not grow with the rows.
 */
static const char settings[] =
    "PRAGMA page_size = 32768; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; BEGIN";

int dbout_open(struct dbout **out, const char *path, bool replace, struct err *e)
{
    char temp[PATH_MAX];
    struct dbout *d = calloc(1, sizeof *d);

    *out = NULL;
    if (!d || !(d->path = strdup(path))) {
        free(d);
        return err_nomem(e);
    }
    if (file_write_open(&d->w, path, replace, e) == OK) {
        if (!file_write_temp(d->w, temp, sizeof temp)) {
            err_set(e, ERR_USAGE, "is not a file that can be replaced");
        } else {
            int rc =
                sqlite3_open_v2(temp, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
            if (rc != SQLITE_OK)
                db_error(e, d->db, rc, "cannot make the database");
            else
                (void)!db_exec(d->db, settings, e);
        }
    }
    if (failed(d, e)) {
        dbout_drop(d);
        return (int)e->code;
    }
    *out = d;
    return OK;
}

/* ---- tables ---- */

static const struct {
    const char *mark, *sql;
} types[] = {
    { "", "INTEGER" },
    { "n", "NUMERIC" },
    { "r", "REAL" },
    { "t", "TEXT" },
    { "pk", "INTEGER PRIMARY KEY" },
};

/* "name mark", as SQL. false: no such type. */
static bool put_column(struct buf *sql, struct str column)
{
    struct str name, mark = STR("");

    if (!str_next(&column, ' ', &name) || !name.n)
        return false;
    (void)str_next(&column, ' ', &mark);
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (str_eq(mark, str_of(types[i].mark))) {
            buf_add(sql, name);
            buf_printf(sql, " %s", types[i].sql);
            return true;
        }
    }
    return false;
}

/* The statements that make the table and add a row; *n columns. */
static int table_sql(struct buf *create, struct buf *insert, const char *name, const char *columns,
                     int *n, struct err *e)
{
    struct str left = str_of(columns), column;

    buf_printf(create, "CREATE TABLE %s (", name);
    buf_printf(insert, "INSERT INTO %s VALUES (", name);
    while (str_next(&left, ',', &column)) {
        if ((*n)++) {
            buf_add(create, STR(", "));
            buf_addc(insert, ',');
        }
        if (!put_column(create, column))
            return err_set(e, ERR_BUG, "table %s: columns \"%s\"", name, columns);
        buf_addc(insert, '?');
    }
    buf_addc(create, ')');
    buf_addc(insert, ')');
    return buf_failed(create) || buf_failed(insert) ? err_nomem(e) : OK;
}

int dbout_table(struct dbout *d, struct dbout_table **out, const char *name, const char *columns,
                struct err *e)
{
    struct dbout_table *t = calloc(1, sizeof *t);
    struct buf create, insert;

    *out = NULL;
    if (!t)
        return err_nomem(e);
    buf_init(&create, SQL_MAX);
    buf_init(&insert, SQL_MAX);
    if (table_sql(&create, &insert, name, columns, &t->columns, e) == OK &&
        db_exec(d->db, buf_str(&create).p, e) == OK &&
        db_prepare(d->db, &t->insert, buf_str(&insert).p, e) == OK) {
        t->d = d;
        t->next = d->tables;
        d->tables = *out = t;
        t = NULL;
    }
    buf_done(&create);
    buf_done(&insert);
    free(t);
    return failed(d, e);
}

int dbout_row(struct dbout_table *t, const struct val *v, struct err *e)
{
    for (int i = 0; i < t->columns; i++)
        db_bind(t->insert, i + 1, &v[i]);
    return db_run(t->d->db, t->insert, e) ? failed(t->d, e) : OK;
}

int dbout_index(struct dbout *d, const char *name, const char *table, const char *columns,
                struct err *e)
{
    char sql[1024];

    sqlite3_snprintf(sizeof sql, sql, "CREATE INDEX %s ON %s (%s)", name, table, columns);
    return db_exec(d->db, sql, e) ? failed(d, e) : OK;
}

int dbout_close(struct dbout *d, struct err *e)
{
    if (!e->code && db_exec(d->db, "COMMIT", e) == OK) {
        release(d);
        (void)!file_write_commit(d->w, e);
        d->w = NULL;
    }
    (void)failed(d, e);
    dbout_drop(d);
    return (int)e->code;
}
