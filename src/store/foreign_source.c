/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of rows: statements and pages. */
#include "config.h"

#include "store/foreign_source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- by a statement ---- */

static inline void put_bytes(struct val *v, sqlite3_stmt *st, int i, const void *p)
{
    val_put_text(v, (struct str){ p ? p : "", (size_t)sqlite3_column_bytes(st, i) });
}

/* Numbers are taken from the value: sqlite3_column_int64() and its like look at the statement each time. */
static inline void take_value(sqlite3_stmt *st, int i, struct val *to)
{
    sqlite3_value *v = sqlite3_column_value(st, i); /* unprotected, but no other thread has the database */

    switch (sqlite3_value_type(v)) {
    case SQLITE_INTEGER:
        val_put_int(to, sqlite3_value_int64(v));
        break;
    case SQLITE_FLOAT:
        val_put_real(to, sqlite3_value_double(v));
        break;
    case SQLITE_TEXT:
        put_bytes(to, st, i, sqlite3_column_text(st, i));
        break;
    case SQLITE_BLOB:
        put_bytes(to, st, i, sqlite3_column_blob(st, i));
        break;
    default:
        to->t = VAL_NULL;
    }
}

bool statement_rows_next(void *arg, struct val *v)
{
    struct statement_rows *s = arg;

    s->rc = sqlite3_step(s->st);
    if (s->rc != SQLITE_ROW)
        return false;
    for (int k = 0, n = sqlite3_column_count(s->st); k < n; k++)
        take_value(s->st, k, &v[k]);
    /* a text that could not be made UTF-8 was given as NULL */
    if (sqlite3_errcode(sqlite3_db_handle(s->st)) == SQLITE_NOMEM)
        s->rc = SQLITE_NOMEM;
    return s->rc == SQLITE_ROW;
}

/* ---- the layout of a table ---- */

#define LAYOUT "table_xinfo"

bool foreign_pages_needs(int action, const char *what)
{
    return action == SQLITE_PRAGMA && what && strcmp(what, LAYOUT) == 0;
}

struct layout {
    const struct str *names;
    struct page_column *c; /* for each name */
    size_t n, found, keys;
    uint32_t columns;
    bool other; /* SQLite makes values of it that no row has */
};

static bool has(const char *type, const char *word)
{
    for (size_t n = strlen(word); type && *type; type++)
        if (strncasecmp(type, word, n) == 0)
            return true;
    return false;
}

/* sqlite.org/datatype3.html#determination_of_column_affinity: the first word that is found counts. */
static bool is_real(const char *type)
{
    if (has(type, "INT") || has(type, "CHAR") || has(type, "CLOB") || has(type, "TEXT") || has(type, "BLOB"))
        return false;
    return has(type, "REAL") || has(type, "FLOA") || has(type, "DOUB");
}

enum { AT_NAME = 1, AT_TYPE = 2, AT_DEFAULT = 4, AT_KEY = 5, AT_HIDDEN = 6 }; /* of the pragma's rows */

static void see_column(struct layout *l, sqlite3_stmt *st)
{
    const char *name = (const char *)sqlite3_column_text(st, AT_NAME);
    const char *type = (const char *)sqlite3_column_text(st, AT_TYPE);
    bool key = sqlite3_column_int(st, AT_KEY) != 0;
    struct page_column c = { .number = l->columns++,
                             .real = is_real(type),
                             .rowid = key && type && strcasecmp(type, "INTEGER") == 0 };

    l->keys += key;
    l->other |= sqlite3_column_int(st, AT_HIDDEN) != 0;
    for (size_t i = 0; name && i < l->n; i++)
        if (str_eq(l->names[i], str_of(name))) {
            l->c[i] = c;
            l->found++;
            l->other |= sqlite3_column_type(st, AT_DEFAULT) != SQLITE_NULL; /* rows may be older than it */
        }
}

/* The statement with the table's name in it; NULL: SQLite cannot make it, or has no memory. */
static sqlite3_stmt *ask(sqlite3 *db, const char *sql, struct str table)
{
    char *text = sqlite3_mprintf(sql, table.p);
    sqlite3_stmt *st = NULL;

    if (text && sqlite3_prepare_v2(db, text, -1, &st, NULL) != SQLITE_OK) {
        sqlite3_finalize(st);
        st = NULL;
    }
    sqlite3_free(text);
    return st;
}

static bool see_columns(struct layout *l, sqlite3 *db, struct str table)
{
    sqlite3_stmt *st = ask(db, "PRAGMA main." LAYOUT "(\"%w\")", table);
    int rc = SQLITE_ERROR;

    while (st && (rc = sqlite3_step(st)) == SQLITE_ROW)
        see_column(l, st);
    sqlite3_finalize(st);
    /* a key of several columns, or of a table without rowids, is no rowid */
    for (size_t i = 0; i < l->n; i++)
        l->c[i].rowid &= l->keys == 1;
    return rc == SQLITE_DONE && l->columns && !l->other && l->found == l->n;
}

/*
 * The root of a table's tree; 0: SQLite has to read it. A column "INTEGER PRIMARY KEY DESC" is no other name
 * of the rowid (sqlite.org/lang_createtable.html#rowid), which only the text of the schema tells.
 */
static uint32_t root_of(sqlite3 *db, struct str table)
{
    sqlite3_stmt *st =
        ask(db, "SELECT rootpage, sql FROM main.sqlite_master WHERE type = 'table' AND name = %Q", table);
    int64_t root = 0;

    if (st && sqlite3_step(st) == SQLITE_ROW && !has((const char *)sqlite3_column_text(st, 1), "DESC"))
        root = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return root > 0 && root <= UINT32_MAX ? (uint32_t)root : 0;
}

int foreign_pages(struct page_rows **out, sqlite3 *db, const char *path, struct str table,
                  const struct str *names, size_t n, size_t value_most, struct err *e)
{
    struct layout l = { .names = names, .n = n };

    *out = NULL;
    if (!(l.c = calloc(n ? n : 1, sizeof *l.c)))
        return err_nomem(e);
    uint32_t root = see_columns(&l, db, table) ? root_of(db, table) : 0;
    if (!n)
        l.c[0].number = UINT32_MAX; /* a row has no such column: NULL */
    if (root && page_rows_new(out, path, root, l.c, n ? n : 1, value_most, e) == ERR_VERSION)
        err_clear(e);
    free(l.c);
    return e->code;
}

bool foreign_pages_next(void *arg, struct val *v)
{
    return page_rows_next(arg, v);
}
