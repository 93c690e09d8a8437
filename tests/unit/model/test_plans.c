/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a page of a table costs: one statement a row finds that row and what is joined to it by keys and
 * indexes, in every view of the program. A scan there makes a page cost the whole table, and an export its
 * square.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/arena.h"
#include "model/view/rowset.h"
#include "model/views/colset.h"
#include "store/fill/fill.h"
#include "store/store_int.h"

#define COLUMNS 256

static char path[300], file[400];

static int setup(void **state)
{
    const char *tmp = getenv("TMPDIR");
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    (void)state;
    snprintf(path, sizeof path, "%s/npuscope-plans-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/0.npus", path);
    /* Without a row, but with all tables and indexes. */
    return fill_open(&f, &(struct fill_opts){ .path = file }, &e) ||
           fill_rank(f, 0, true, 0, NULL, "unix", 0, &e) || fill_begin(f, 0, &e) || fill_end(f, true, &e) ||
           fill_finish(f, "test", &e) || fill_publish(f, &e);
}

static int teardown(void **state)
{
    (void)state;
    (void)!unlink(file);
    (void)!rmdir(path);
    return 0;
}

/* The statement of one row, as the rowset prepared it. */
static const char *row_statement(sqlite3 *db)
{
    for (sqlite3_stmt *st = NULL; (st = sqlite3_next_stmt(db, st)) != NULL;)
        if (strstr(sqlite3_sql(st), ":view_key"))
            return sqlite3_sql(st);
    return NULL;
}

/*
 * What is not asked: grouped views, which are computed once; those of a job's overview, whose tables have an
 * index of ranks (tests/unit/import/test_overview.c); sums of FLOPs, whose scan ends at the first row of a
 * step, of which there are as many as rows.
 */
static bool is_asked(const struct view_def *d)
{
    return !d->group && d->over != VIEW_OVER_JOB && strcmp(d->id, "flops.total") != 0;
}

/* How many lines of the plan read more than what a key or an index leads to. */
static size_t scans(sqlite3 *db, const char *sql, const char *id)
{
    sqlite3_stmt *st = NULL;
    size_t n = 0;
    char *ask = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);

    assert_int_equal(sqlite3_prepare_v2(db, ask, -1, &st, NULL), SQLITE_OK);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(st, 3);
        if (!strncmp(line, "SCAN ", 5) || strstr(line, "MATERIALIZE") || strstr(line, "AUTOMATIC")) {
            print_message("%s: %s\n", id, line);
            n++;
        }
    }
    sqlite3_finalize(st);
    sqlite3_free(ask);
    return n;
}

static void a_row_is_found_by_keys(void **state)
{
    struct err e = ERR_INIT;
    sqlite3 *db = NULL;
    struct store *s = NULL;
    struct rowpool *pool = NULL;
    struct arena *a = NULL;
    size_t bad = 0, seen = 0;
    static struct val out[COLUMNS];
    const struct view_scope all = VIEW_SCOPE_ALL;

    (void)state;
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(store_borrow_db(&s, db, &e), OK);
    const struct view_part part = { .store = s, .rank = 0 };
    assert_int_equal(rowpool_new(&pool, (size_t)64 << 20, &e), OK);
    assert_int_equal(arena_new(&a, (size_t)1 << 20, &e), OK);
    for (size_t i = 0; i < view_n_defs; i++) {
        const struct view_def *d = view_defs[i];
        struct rowset *r = NULL;
        if (!is_asked(d))
            continue;
        if (rowset_open(&r, pool, d, &part, &all, &e) || rowset_row(r, 0, a, out, &e))
            fail_msg("%s: %s", d->id, e.text);
        const char *sql = row_statement(db);
        assert_non_null(sql);
        bad += scans(db, sql, d->id);
        seen++;
        rowset_close(r);
        rowpool_forget(pool, s);
    }
    print_message("%zu views\n", seen);
    rowpool_free(pool);
    arena_free(a);
    store_close(s);
    sqlite3_close(db);
    assert_int_equal(bad, 0);
    assert_true(seen > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_row_is_found_by_keys) };

    return cmocka_run_group_tests(tests, setup, teardown);
}
