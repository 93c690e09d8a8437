/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite results as errors, binding of values. */
#include "config.h"

#include "store/db.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/re.h"
#include "base/text.h"
#include "base/unit.h"

/* A commit takes seconds where the disk has much to do. */
#define WAIT_MS      30000
#define WAIT_STEP_MS 10

/*
 * A journal that cannot be made gives no SQLITE_FULL, so the system's error decides. That is the error of the
 * last call that failed, maybe long ago, and counts only with these results.
 */
static bool is_full(sqlite3 *db, int rc)
{
    return db && ((rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_CANTOPEN) &&
           err_of_errno(sqlite3_system_errno(db)) == ERR_FULL;
}

int db_error(struct err *e, sqlite3 *db, int rc, const char *what)
{
    int code = ERR_IO;

    if (rc == SQLITE_IOERR_DATA || (db && sqlite3_extended_errcode(db) == SQLITE_IOERR_DATA))
        return err_set(e, ERR_STORE, "%s%sthe store is damaged: read the run again", what,
                       what[0] ? ": " : "");

    if (is_full(db, rc))
        rc = SQLITE_FULL;
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        code = ERR_NOMEM;
        break;
    case SQLITE_FULL:
        code = ERR_FULL;
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(e, ERR_BUSY, "%s%sanother process holds the store: try again", what,
                       what[0] ? ": " : "");
    case SQLITE_INTERRUPT:
        return err_set(e, ERR_CANCELLED, "cancelled");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        code = ERR_FORMAT;
        break;
    case SQLITE_AUTH:
    case SQLITE_ERROR:
        code = ERR_USAGE;
        break;
    case SQLITE_CANTOPEN:
        return err_set(e, code, "%s%sno room, or no permission, for a file next to the store", what,
                       what[0] ? ": " : "");
    default:
        break;
    }
    return err_set(e, code, "%s%s%s", what, what[0] ? ": " : "",
                   db && code != ERR_FULL ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
}

bool db_wait(int n)
{
    if (n >= WAIT_MS / WAIT_STEP_MS)
        return false;
    sqlite3_sleep(WAIT_STEP_MS);
    return true;
}

int db_exec(sqlite3 *db, const char *sql, struct err *e)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? OK : db_error(e, db, rc, "");
}

int db_prepare(sqlite3 *db, sqlite3_stmt **out, const char *sql, struct err *e)
{
    int rc = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
    return rc == SQLITE_OK ? OK : db_error(e, db, rc, "");
}

static void bind_text(sqlite3_stmt *st, int i, struct str s)
{
    if (s.n > INT_MAX)
        s.n = INT_MAX;
    if (memchr(s.p, 0, s.n) || !text_valid_utf8(s))
        sqlite3_bind_blob(st, i, s.p, (int)s.n, SQLITE_STATIC);
    else
        sqlite3_bind_text(st, i, s.p, (int)s.n, SQLITE_STATIC);
}

void db_bind(sqlite3_stmt *st, int i, const struct val *v)
{
    switch (v->t) {
    case VAL_NULL:
        sqlite3_bind_null(st, i);
        break;
    case VAL_INT:
        sqlite3_bind_int64(st, i, v->i);
        break;
    case VAL_UINT:
        if (v->u <= INT64_MAX) {
            sqlite3_bind_int64(st, i, (int64_t)v->u);
        } else {
            char text[24];
            int n =
                sqlite3_snprintf(sizeof text, text, "%llu", (unsigned long long)v->u) ? (int)strlen(text) : 0;
            sqlite3_bind_text(st, i, text, n, SQLITE_TRANSIENT);
        }
        break;
    case VAL_REAL:
        sqlite3_bind_double(st, i, v->r);
        break;
    case VAL_TEXT:
        bind_text(st, i, v->s);
        break;
    }
}

int db_run(sqlite3 *db, sqlite3_stmt *st, struct err *e)
{
    int rc = sqlite3_step(st);

    sqlite3_reset(st);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? OK : db_error(e, db, rc, "");
}

/* Text of a value as tables show it: numbers plain (buf: room for one), NULL as nothing. */
static struct str value_text(sqlite3_value *v, char *buf, size_t n)
{
    if (sqlite3_value_type(v) == SQLITE_FLOAT)
        return str_of(unit_plain(buf, n, sqlite3_value_double(v)));
    const char *p =
        sqlite3_value_type(v) == SQLITE_BLOB ? sqlite3_value_blob(v) : (const char *)sqlite3_value_text(v);
    return (struct str){ p ? p : "", (size_t)sqlite3_value_bytes(v) };
}

static void free_re(void *re)
{
    re_free(re);
}

/* The compiled first argument, kept with the statement. NULL: the statement fails. */
static struct re *pattern_of(sqlite3_context *ctx, sqlite3_value *arg)
{
    struct err e = ERR_INIT;
    struct re *re = sqlite3_get_auxdata(ctx, 0);
    char number[64];

    if (re)
        return re;
    if (re_new(&re, value_text(arg, number, sizeof number), RE_NOCASE, &e)) {
        sqlite3_result_error(ctx, e.text, -1);
        return NULL;
    }
    sqlite3_set_auxdata(ctx, 0, re, free_re);
    re = sqlite3_get_auxdata(ctx, 0);
    if (!re)
        sqlite3_result_error_nomem(ctx);
    return re;
}

static void give_match(sqlite3_context *ctx, struct re *re, struct str text)
{
    int m = re_match(re, text, 0, NULL, NULL);

    if (m < 0)
        sqlite3_result_error(ctx, "pattern too costly", -1);
    else
        sqlite3_result_int(ctx, m);
}

/* regexp(pattern, text) */
static void sql_regexp(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    char number[64];

    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL || sqlite3_value_type(argv[1]) == SQLITE_NULL)
        return;
    struct re *re = pattern_of(ctx, argv[0]);
    if (re)
        give_match(ctx, re, value_text(argv[1], number, sizeof number));
}

/* regexp_row(pattern, a, b ...): on the values joined by tabs, NULL as nothing. */
static void sql_regexp_row(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    char number[64];
    struct buf text;

    if (argc < 1 || sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    struct re *re = pattern_of(ctx, argv[0]);
    if (!re)
        return;
    buf_init(&text, LIM_ROW_B);
    for (int i = 1; i < argc; i++) {
        if (i > 1)
            buf_addc(&text, '\t');
        buf_add(&text, value_text(argv[i], number, sizeof number));
    }
    if (buf_failed(&text))
        sqlite3_result_error_toobig(ctx);
    else
        give_match(ctx, re, buf_str(&text));
    buf_done(&text);
}

/* square_root(x): SQLite has it only where it was built with functions of mathematics. NULL below 0. */
static void sql_square_root(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    const double x = sqlite3_value_double(argv[0]);

    (void)argc;
    if (sqlite3_value_numeric_type(argv[0]) != SQLITE_NULL && x >= 0)
        sqlite3_result_double(ctx, sqrt(x));
}

int regexp_register(sqlite3 *db, struct err *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = sqlite3_create_function(db, "regexp", 2, flags, NULL, sql_regexp, NULL, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(db, "regexp_row", -1, flags, NULL, sql_regexp_row, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(db, "square_root", 1, flags, NULL, sql_square_root, NULL, NULL);
    return rc == SQLITE_OK ? OK : db_error(e, db, rc, "cannot register REGEXP");
}
