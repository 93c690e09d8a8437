/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a whole column: the statement itself hands its rows to a function (each_row), which costs half of
 * stepping through it. Also the order of texts on the screen as a collation, so that statements can sort as
 * tables do.
 */
#include "config.h"

#include "store/store_int.h"

#include <stdlib.h>

#define POINTER_TYPE "npuscope row"

struct each {
    store_row_fn *fn;
    void *arg;
};

static struct val value_of(sqlite3_value *v)
{
    switch (sqlite3_value_type(v)) {
    case SQLITE_INTEGER:
        return val_int(sqlite3_value_int64(v));
    case SQLITE_FLOAT:
        return val_real(sqlite3_value_double(v));
    case SQLITE_NULL:
        return val_null();
    default: {
        bool blob = sqlite3_value_type(v) == SQLITE_BLOB;
        const char *p = blob ? sqlite3_value_blob(v) : (const char *)sqlite3_value_text(v);
        return val_text((struct str){ p ? p : "", (size_t)sqlite3_value_bytes(v) });
    }
    }
}

/* each_row(pointer, ...): the pointer is looked up once per statement. */
static void each_step(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct val v[QUERY_EACH_MAX];
    struct each **slot = sqlite3_aggregate_context(ctx, sizeof *slot);

    if (!slot) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (!*slot && !(*slot = sqlite3_value_pointer(argv[0], POINTER_TYPE))) {
        sqlite3_result_error(ctx, "each_row is for the program itself", -1);
        return;
    }
    size_t n = argc > QUERY_EACH_MAX ? QUERY_EACH_MAX : (size_t)argc - 1;
    for (size_t i = 0; i < n; i++)
        v[i] = value_of(argv[i + 1]);
    if (!(*slot)->fn((*slot)->arg, v, n))
        sqlite3_result_error_code(ctx, SQLITE_INTERRUPT);
}

static void each_final(sqlite3_context *ctx)
{
    sqlite3_result_null(ctx);
}

int query_each(struct query *q, store_row_fn *fn, void *arg, struct err *e)
{
    struct each each = { fn, arg };
    int rc;

    if (!query_bind_pointer(q, ":each_row", &each, POINTER_TYPE))
        return err_set(e, ERR_BUG, "a statement without :each_row");
    while ((rc = query_step(q, e)) == 1)
        ;
    query_reset(q);
    query_bind_null(q, ":each_row");
    return rc < 0 ? e->code : OK;
}

static int natural(void *arg, int an, const void *a, int bn, const void *b)
{
    (void)arg;
    return str_cmp_natural((struct str){ a, (size_t)an }, (struct str){ b, (size_t)bn });
}

int scan_register(sqlite3 *db, struct err *e)
{
    int rc = sqlite3_create_function(db, "each_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL,
                                     each_step, each_final);

    if (rc == SQLITE_OK)
        rc = sqlite3_create_collation(db, "natural", SQLITE_UTF8, NULL, natural);
    return rc == SQLITE_OK ? OK : db_error(e, db, rc, "cannot register the functions of tables");
}
