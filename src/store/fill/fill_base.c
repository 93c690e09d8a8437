/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that the files of a fill share. */
#include "config.h"

#include "base/clock.h"
#include "base/path.h"
#include "store/pages/fill_bulk.h"
#include "store/stamp.h"
#include "store/store_int.h"
#include "store/sum_vfs.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int fill_update(struct fill *f, const char *sql, const struct val *v, size_t n, struct err *e)
{
    sqlite3_stmt *st = NULL;

    if (db_prepare(f->db, &st, sql, e))
        return e->code;
    for (size_t i = 0; i < n; i++)
        db_bind(st, (int)i + 1, &v[i]);
    int rc = db_run(f->db, st, e);
    sqlite3_finalize(st);
    return rc;
}

struct store *fill_reader(struct fill *f, struct err *e)
{
    if (!f->reader && store_borrow_db(&f->reader, f->db, e))
        return NULL;
    return f->reader;
}

int fill_make_index(struct fill *f, const struct schema_index *x, struct err *e)
{
    char sql[300];

    snprintf(sql, sizeof sql, "CREATE INDEX IF NOT EXISTS %s ON %s(%s)", x->name, x->table, x->columns);
    return db_exec(f->db, sql, e);
}
