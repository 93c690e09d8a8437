/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of a store: prepared, bound, stepped. */
#include "config.h"

#include "base/limits.h"
#include "store/pages/pages.h"
#include "store/stamp.h"
#include "store/store_int.h"
#include "store/sum_vfs.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int store_query(struct store *s, struct query **out, const char *sql, struct err *e)
{
    struct query *q = calloc(1, sizeof *q);

    if (!q)
        return err_nomem(e);
    q->s = s;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q->st, NULL);
    if (rc != SQLITE_OK) {
        db_error(e, s->db, rc, "");
        free(q);
        return e->code;
    }
    *out = q;
    return OK;
}

static int param(struct query *q, const char *name)
{
    return sqlite3_bind_parameter_index(q->st, name);
}

void query_bind_int(struct query *q, const char *name, int64_t v)
{
    int i = param(q, name);
    if (i)
        sqlite3_bind_int64(q->st, i, v);
}

void query_bind_text(struct query *q, const char *name, struct str v)
{
    int i = param(q, name);
    if (i)
        sqlite3_bind_text64(q->st, i, v.p ? v.p : "", v.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void query_bind_null(struct query *q, const char *name)
{
    int i = param(q, name);
    if (i)
        sqlite3_bind_null(q->st, i);
}

void query_bind_val(struct query *q, const char *name, const struct val *v)
{
    if (v->t == VAL_TEXT) {
        query_bind_text(q, name, v->s);
        return;
    }
    int i = param(q, name);
    if (i)
        db_bind(q->st, i, v);
}

bool query_bind_pointer(struct query *q, const char *name, void *p, const char *type)
{
    int i = param(q, name);
    return i && sqlite3_bind_pointer(q->st, i, p, type, NULL) == SQLITE_OK;
}

/*
 * SQLite's limits are those of the process: they hold during the step only, so that the statements of the
 * program between two rows never meet them. The hard one lowers the soft one as well, and leaves it so.
 */
static int step_bounded(const struct query *q)
{
    int64_t soft = sqlite3_soft_heap_limit64(-1), hard = sqlite3_hard_heap_limit64(q->heap_b);
    int rc = sqlite3_step(q->st);

    sqlite3_hard_heap_limit64(hard);
    sqlite3_soft_heap_limit64(soft);
    return rc;
}

int query_step(struct query *q, struct err *e)
{
    int rc = q->heap_b ? step_bounded(q) : sqlite3_step(q->st);

    if (rc == SQLITE_ROW)
        return 1;
    if (rc == SQLITE_DONE)
        return 0;
    if (q->heap_b && (rc & 0xff) == SQLITE_NOMEM) {
        err_set(
            e, ERR_LIMIT,
            "the statement needs more than %d MiB of memory: choose fewer rows or columns, or let it sort "
            "and group less",
            (int)(LIM_SQL_HEAP_B >> 20));
        return -1;
    }
    db_error(e, q->s->db, rc, "");
    return -1;
}

void query_reset(struct query *q)
{
    sqlite3_reset(q->st);
}

void query_free(struct query *q)
{
    if (!q)
        return;
    sqlite3_finalize(q->st);
    free(q);
}

size_t query_columns(const struct query *q)
{
    return (size_t)sqlite3_column_count(q->st);
}

const char *query_name(const struct query *q, size_t col)
{
    return sqlite3_column_name(q->st, (int)col);
}

struct val query_val(const struct query *q, size_t col)
{
    int c = (int)col;

    switch (sqlite3_column_type(q->st, c)) {
    case SQLITE_INTEGER:
        return val_int(sqlite3_column_int64(q->st, c));
    case SQLITE_FLOAT:
        return val_real(sqlite3_column_double(q->st, c));
    case SQLITE_NULL:
        return val_null();
    default:
        return val_text(query_str(q, col));
    }
}

int64_t query_int(const struct query *q, size_t col)
{
    return sqlite3_column_int64(q->st, (int)col);
}

double query_real(const struct query *q, size_t col)
{
    return sqlite3_column_double(q->st, (int)col);
}

struct str query_str(const struct query *q, size_t col)
{
    if (sqlite3_column_type(q->st, (int)col) == SQLITE_NULL)
        return STR_NULL;
    const char *p = sqlite3_column_type(q->st, (int)col) == SQLITE_BLOB
                        ? sqlite3_column_blob(q->st, (int)col)
                        : (const char *)sqlite3_column_text(q->st, (int)col);
    return (struct str){ p ? p : "", (size_t)sqlite3_column_bytes(q->st, (int)col) };
}

bool query_null(const struct query *q, size_t col)
{
    return sqlite3_column_type(q->st, (int)col) == SQLITE_NULL;
}
