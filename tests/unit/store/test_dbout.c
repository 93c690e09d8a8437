/* SPDX-License-Identifier: Apache-2.0 */
/* Databases of other schemas, written: tables, values, and that no half of one is ever seen. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include "store/dbout.h"
#include "tests/unit/tree_case.h"

/* How many files lie in the tree. */
static int entries(void)
{
    struct dirent *d;
    int n = 0;
    DIR *h = opendir(tree_path(&tree, ""));

    assert_non_null(h);
    while ((d = readdir(h)) != NULL)
        n += strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
    closedir(h);
    return n;
}

static struct dbout *begin(bool replace)
{
    struct err e = ERR_INIT;
    struct dbout *d;

    assert_int_equal(dbout_open(&d, tree_path(&tree, "out.db"), replace, &e), OK);
    return d;
}

static struct dbout_table *table(struct dbout *d, const char *name, const char *columns)
{
    struct err e = ERR_INIT;
    struct dbout_table *t;

    assert_int_equal(dbout_table(d, &t, name, columns, &e), OK);
    return t;
}

/* The rows of a query of the finished database, a line each, cells parted by '|'. */
static void assert_rows(const char *sql, const char *want)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    char text[4096] = "";
    size_t n = 0;

    assert_int_equal(sqlite3_open_v2(tree_path(&tree, "out.db"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *cell = (const char *)sqlite3_column_text(st, i);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%c", cell ? cell : "NULL",
                                  i + 1 < sqlite3_column_count(st) ? '|' : '\n');
        }
    sqlite3_finalize(st);
    sqlite3_close(db);
    assert_string_equal(text, want);
}

static void dbout_schema_is_that_of_the_columns(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);

    (void)state;
    assert_int_equal(dbout_index(table(d, "A", "id pk,b,c n,d r,e t"), "At", "b,c", &e), OK);
    table(d, "B", "x");
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT sql FROM sqlite_master",
                "CREATE TABLE A (id INTEGER PRIMARY KEY, b INTEGER, c NUMERIC, d REAL, e TEXT)\n"
                "CREATE INDEX At ON A (b,c)\n"
                "CREATE TABLE B (x INTEGER)\n");
    assert_rows("SELECT count(*) FROM A INDEXED BY At WHERE b > 0", "0\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
}

static void dbout_values_are_stored_as_their_columns_say(void **state)
{
    const struct val rows[][3] = {
        { val_int(5), val_int(-1), val_cstr("a") },
        { val_int(INT64_MAX), val_real(2.0), val_cstr("") },
        { val_null(), val_real(0.1), val_text((struct str){ "\xff", 1 }) },
        { val_uint(7), val_real(NAN), val_null() },
    };
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t = table(d, "T", "a,b n,c t");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(dbout_row(t, rows[i], &e), OK);
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT a, typeof(a), b, typeof(b), hex(c), typeof(c) FROM T",
                "5|integer|-1|integer|61|text\n"
                "9223372036854775807|integer|2|integer||text\n"
                "NULL|null|0.1|real|FF|blob\n"
                "7|integer|NULL|null||null\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
}

static void dbout_many_rows_of_several_tables_are_all_there(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t[] = { table(d, "A", "id pk,v t"), table(d, "B", "x,y n,z") };
    char text[3000];

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(dbout_index(t[1], "Bx", "x,z", &e), OK);
    for (int64_t i = 0; i < 20000; i++) {
        struct str s = { text, i % 1000 == 0 ? sizeof text : (size_t)(i % 50) };
        assert_int_equal(dbout_row(t[0], (struct val[]){ val_int(2 * i), val_text(s) }, &e), OK);
        struct val b[] = { val_int(-i / 2), val_real(0.5), val_int(i % 3) };
        assert_int_equal(dbout_row(t[1], b, &e), OK);
    }
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT count(*), sum(id), sum(length(v)), max(length(v)) FROM A",
                "20000|399980000|550000|3000\n");
    assert_rows("SELECT count(*), sum(x), sum(y) FROM B", "20000|-99990000|10000.0\n");
    assert_rows("SELECT x, z, rowid FROM B INDEXED BY Bx WHERE x = -9999", "-9999|0|19999\n-9999|1|20000\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
}

/* Keys of rows may begin anywhere; long rows go on behind their page, those of several pages too. */
static void dbout_long_rows_and_low_keys_are_kept(void **state)
{
    static const size_t lengths[] = { 32683, 32684, 32685, 40000, 70000, 1000000, 1, 3000000 };
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t = table(d, "A", "id pk,v t");
    char *text = malloc(3000000), want[1000] = "";
    size_t n = 0;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 3000000; i++)
        text[i] = (char)('a' + i % 23);
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        struct str s = { text + i, lengths[i] - (i == ARRAY_LEN(lengths) - 1 ? i : 0) };
        assert_int_equal(dbout_row(t, (struct val[]){ val_int((int64_t)i - 3), val_text(s) }, &e), OK);
        n += (size_t)snprintf(want + n, sizeof want - n, "%d|%zu|%c%c|%c\n", (int)i - 3, s.n, s.p[0],
                              s.n > 1 ? s.p[1] : '-', s.p[s.n - 1]);
    }
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT id, length(v), substr(v || '-', 1, 2), substr(v, -1) FROM A", want);
    assert_rows("SELECT count(*) FROM A WHERE length(v) > 1 AND instr(v, 'abcdefghijklmnopqrstuvwabc') = 0",
                "0\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
    free(text);
}

/* Enough pages for nodes above nodes. */
static void dbout_trees_of_several_levels_are_whole(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t = table(d, "A", "x,v t");
    static char text[31000];

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(dbout_index(t, "Ax", "x", &e), OK);
    for (int64_t i = 0; i < 2500; i++)
        assert_int_equal(
            dbout_row(t, (struct val[]){ val_int(i), val_text((struct str){ text, sizeof text }) }, &e), OK);
    for (int64_t i = 0; i < 300000; i++)
        assert_int_equal(dbout_row(t, (struct val[]){ val_int(7 * i % 1000003), val_null() }, &e), OK);
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT count(*), sum(length(v)) FROM A", "302500|77500000\n");
    assert_rows("SELECT rowid FROM A INDEXED BY Ax WHERE x = 7 ORDER BY rowid", "8\n2502\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
}

static void dbout_keys_that_do_not_ascend_are_an_error(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t = table(d, "A", "id pk,v t");

    (void)state;
    assert_int_equal(dbout_row(t, (struct val[]){ val_int(5), val_null() }, &e), OK);
    assert_int_equal(dbout_row(t, (struct val[]){ val_int(5), val_null() }, &e), ERR_BUG);
    dbout_drop(d);
    assert_int_equal(entries(), 0);
}

/* What was there stays until the new one is whole, and nothing is left beside it. */
static void dbout_replaces_only_when_whole_and_when_asked_to(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d;

    (void)state;
    tree_file(&tree, "out.db", "mine");
    assert_int_equal(dbout_open(&d, tree_path(&tree, "out.db"), false, &e), ERR_IO);
    assert_null(d);
    err_clear(&e);
    d = begin(true);
    table(d, "A", "x");
    dbout_drop(d);
    assert_int_equal(entries(), 1);
    FILE *f = fopen(tree_path(&tree, "out.db"), "r");
    assert_non_null(f);
    assert_int_equal(fgetc(f), 'm');
    fclose(f);
    d = begin(true);
    table(d, "A", "x");
    assert_int_equal(dbout_close(d, &e), OK);
    assert_rows("SELECT name FROM sqlite_master", "A\n");
    assert_int_equal(entries(), 1);
}

static void dbout_error_before_the_end_leaves_nothing(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t;

    (void)state;
    assert_int_equal(dbout_table(d, &t, "A", "x,,y", &e), ERR_BUG);
    assert_null(t);
    assert_non_null(strstr(e.file, "out.db"));
    assert_int_equal(dbout_close(d, &e), ERR_BUG);
    assert_int_equal(entries(), 0);
}

static void limit_files(rlim_t most)
{
    struct rlimit r;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &r), 0);
    r.rlim_cur = most < r.rlim_max ? most : r.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &r), 0);
}

static void dbout_full_disk_is_reported_and_leaves_nothing(void **state)
{
    struct err e = ERR_INIT;
    struct dbout *d = begin(false);
    struct dbout_table *t = table(d, "A", "x t");
    char text[1000];

    (void)state;
    memset(text, 'x', sizeof text);
    limit_files(1 << 20);
    for (int i = 0; i < 100000 && !e.code; i++)
        (void)!dbout_row(t, (struct val[]){ val_text((struct str){ text, sizeof text }) }, &e);
    int rc = dbout_close(d, &e);
    limit_files(RLIM_INFINITY);
    assert_int_equal(rc, ERR_FULL);
    assert_non_null(strstr(e.file, "out.db"));
    assert_int_equal(entries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(dbout_schema_is_that_of_the_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_values_are_stored_as_their_columns_say, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_many_rows_of_several_tables_are_all_there, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_long_rows_and_low_keys_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_trees_of_several_levels_are_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_keys_that_do_not_ascend_are_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_replaces_only_when_whole_and_when_asked_to, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_error_before_the_end_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(dbout_full_disk_is_reported_and_leaves_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
