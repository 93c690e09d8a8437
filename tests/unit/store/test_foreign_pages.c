/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows read from the pages of a database file: the same as SQLite's own, on random tables, and what is kept
 * of damaged ones (doc/reliability.md#vendor-databases).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/read/infile.h"
#include "store/foreign.h"
#include "store/foreign_source.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tree_case.h"

static uint64_t seed = 88172645463325252u;

static unsigned below(unsigned n)
{
    return (unsigned)(scratch_random(&seed) >> 33) % n;
}

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static sqlite3 *open_db(const char *path)
{
    sqlite3 *db = NULL;

    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

/* ---- the same as SQLite's ---- */

/* Integers of every length, reals (some whole, some no numbers), texts and blobs of up to some pages. */
static void bind_any(sqlite3_stmt *st, int at, unsigned page)
{
    static char bytes[4 * 65536];
    static const double reals[] = { 0.5, -0.0, 3.0, 1e300, -7.0, 281474976710656.0 };
    unsigned n = below(8) ? below(60) : below(3 * page);

    memset(bytes, 'a' + (int)below(26), n);
    switch (below(6)) {
    case 0:
        sqlite3_bind_null(st, at);
        break;
    case 1:
        sqlite3_bind_int64(st, at, (int64_t)scratch_random(&seed) >> below(64));
        break;
    case 2:
        sqlite3_bind_int64(st, at, (int64_t)below(3));
        break;
    case 3:
        sqlite3_bind_double(st, at, reals[below(ARRAY_LEN(reals))]);
        break;
    case 4:
        sqlite3_bind_text(st, at, bytes, (int)n, SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_blob(st, at, bytes, (int)n, SQLITE_TRANSIENT);
    }
}

static void put_rows(sqlite3 *db, const char *sql, unsigned rows, unsigned page)
{
    sqlite3_stmt *st;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    run(db, "BEGIN");
    for (unsigned i = 0; i < rows; i++) {
        sqlite3_bind_int64(st, 1, (int64_t)below(4 * rows + 1) - rows);
        for (int k = 2; k <= sqlite3_bind_parameter_count(st); k++)
            bind_any(st, k, page);
        (void)sqlite3_step(st); /* of equal keys the first one stays */
        sqlite3_reset(st);
    }
    run(db, "COMMIT");
    sqlite3_finalize(st);
}

struct same {
    sqlite3_stmt *st;
    size_t rows;
};

static void value_is(sqlite3_stmt *st, int k, const struct val *v)
{
    int type = sqlite3_column_type(st, k);

    if (type == SQLITE_NULL)
        assert_int_equal(v->t, VAL_NULL);
    else if (type == SQLITE_INTEGER)
        assert_true(v->t == VAL_INT && v->i == sqlite3_column_int64(st, k));
    else if (type == SQLITE_FLOAT)
        assert_true(v->t == VAL_REAL && v->r == sqlite3_column_double(st, k));
    else {
        const void *p = type == SQLITE_TEXT ? sqlite3_column_text(st, k) : sqlite3_column_blob(st, k);
        size_t n = (size_t)sqlite3_column_bytes(st, k);
        assert_int_equal(v->t, VAL_TEXT);
        assert_int_equal(v->s.n, n);
        assert_true(!n || memcmp(v->s.p, p, n) == 0);
    }
}

static int on_same(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct same *s = arg;

    (void)e;
    s->rows++;
    assert_int_equal(sqlite3_step(s->st), SQLITE_ROW);
    assert_int_equal(sqlite3_column_count(s->st), n);
    for (size_t k = 0; k < n; k++)
        value_is(s->st, (int)k, &v[k]);
    return OK;
}

/* The table's columns, all and some in another order; pages: whether its pages are what is read. */
static size_t compare(const char *path, const char *table, bool pages)
{
    struct err e = ERR_INIT;
    struct foreign *f;
    struct page_rows *r;
    const struct str *names;
    struct str some[3];
    size_t n, i = 0;
    struct same s = { .rows = 0 };
    char sql[300];
    sqlite3 *db;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (foreign_open(&f, path, NULL, NULL, &e))
        fail_msg("%s", e.text);
    while (!str_eq(foreign_table(f, i), str_of(table)))
        assert_true(++i < foreign_n(f));
    assert_int_equal(foreign_columns(f, i, &names, &n, &e), OK);
    assert_int_equal(foreign_pages(&r, db, path, str_of(table), names, n, 64 << 20, &e), OK);
    assert_int_equal(r != NULL, pages);
    page_rows_free(r);
    for (size_t k = 0; k < 3; k++)
        some[k] = names[(n - 1) * (2 - k) / 2];
    snprintf(sql, sizeof sql, "SELECT \"%s\", \"%s\", \"%s\" FROM \"%s\"", some[0].p, some[1].p, some[2].p,
             table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s.st, NULL), SQLITE_OK);
    if (foreign_read_columns(f, i, some, 3, on_same, &s, &e))
        fail_msg("%s: %s", path, e.text);
    assert_int_equal(sqlite3_step(s.st), SQLITE_DONE);
    sqlite3_finalize(s.st);
    s.rows = 0;
    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s.st, NULL), SQLITE_OK);
    assert_int_equal(foreign_read(f, i, on_same, &s, &e), OK);
    assert_int_equal(sqlite3_step(s.st), SQLITE_DONE);
    sqlite3_finalize(s.st);
    foreign_close(f);
    sqlite3_close(db);
    return s.rows;
}

static void pages_give_what_sqlite_gives(void **state)
{
    static const unsigned sizes[] = { 512, 1024, 4096, 65536 };
    const char *path = tree_path(&tree, "any.db");
    size_t rows = 0;
    char sql[200];

    (void)state;
    for (unsigned round = 0; round < 24; round++) {
        unsigned page = sizes[round % 4], n = below(3) ? below(1500) : below(12);
        sqlite3 *db = open_db(path);
        snprintf(sql, sizeof sql, "PRAGMA page_size = %u; PRAGMA auto_vacuum = %u", page, below(2));
        run(db, sql);
        run(db, "CREATE TABLE t(a INT, r REAL, id INTEGER PRIMARY KEY, s VARCHAR(9), b BLOB, any, f FLOAT, m "
                "NUMERIC); CREATE INDEX i ON t(a, r, s)");
        put_rows(db, "INSERT INTO t(id, a, r, s, b, any, f, m) VALUES(?, ?, ?, ?, ?, ?, ?, ?)", n, page);
        run(db, "DELETE FROM t WHERE id % 3 = 0; ALTER TABLE t ADD COLUMN late REAL");
        put_rows(db, "INSERT INTO t(id, a, r, s, late) VALUES(?, ?, ?, ?, ?)", n / 2, page);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        rows += compare(path, "t", true);
    }
    assert_true(rows > 5000);
}

/* What only SQLite can read is read by it. */
static void pages_leave_the_rest_to_sqlite(void **state)
{
    const char *path = tree_path(&tree, "odd.db");
    static const struct {
        const char *sql;
        bool pages;
    } v[] = {
        { "CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 'x', 2.5), (NULL, x'00', -1)", true },
        { "CREATE TABLE t(a, b, c, PRIMARY KEY(a, b)); INSERT INTO t VALUES(1, 'x', 2.5)", true },
        { "CREATE TABLE t(a INTEGER, b INTEGER, c, PRIMARY KEY(a, b)); INSERT INTO t VALUES(NULL, NULL, 1)",
          true },
        { "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 'text', 2)",
          false },
        { "CREATE TABLE t(a PRIMARY KEY, b, c) WITHOUT ROWID; INSERT INTO t VALUES(1, 'x', 2.5)", false },
        { "CREATE TABLE t(a INTEGER PRIMARY KEY DESC, b, c); INSERT INTO t VALUES(NULL, 'x', 2.5)", false },
        { "CREATE TABLE t(a, b AS (a + 1), c); INSERT INTO t VALUES(1, 2)", false },
        { "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2); ALTER TABLE t ADD COLUMN c DEFAULT 'old'",
          false },
        /* Rows that end before the column that is another name of their rowid. */
        { "CREATE TABLE t(a); INSERT INTO t VALUES(1), (2); PRAGMA writable_schema = ON; "
          "UPDATE sqlite_master SET sql = 'CREATE TABLE t(a, id INTEGER PRIMARY KEY, b)'",
          true },
        { "PRAGMA journal_mode = WAL; CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 2, 3)", true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        sqlite3 *db = open_db(path);
        run(db, v[i].sql);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_true(compare(path, "t", v[i].pages) > 0);
    }
}

/* ---- damage ---- */

#define ROWS 3000 /* in pages of 512 bytes, some with pages of overflow */

struct kept {
    size_t rows, wrong;
    int64_t last;
};

/* A row holds its number, and a text made of it. */
static int on_kept(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct kept *k = arg;
    char digit = '0';

    (void)n;
    (void)e;
    k->rows++;
    if (v[0].t != VAL_INT || v[1].t != VAL_TEXT) {
        k->wrong++;
        return OK;
    }
    digit = (char)('a' + v[0].i % 26);
    for (size_t i = 0; i < v[1].s.n; i++)
        if (v[1].s.p[i] != digit) {
            k->wrong++;
            break;
        }
    return OK;
}

static struct kept read_kept(const char *path, struct err *e)
{
    static const struct str names[] = { STR("a"), STR("s") };
    struct kept k = { .rows = 0 };
    struct foreign *f = NULL;

    if (foreign_open(&f, path, NULL, NULL, e) == OK && foreign_n(f) == 1)
        (void)!foreign_read_columns(f, 0, names, 2, on_kept, &k, e);
    foreign_close(f);
    return k;
}

static char *damage_me(const char *path, size_t *n)
{
    struct err e = ERR_INIT;
    char *text = NULL;
    sqlite3 *db = open_db(path);

    run(db,
        "PRAGMA page_size = 512; CREATE TABLE t(a, s); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + "
        "1 FROM c WHERE x < 3000) INSERT INTO t SELECT x, replace(hex(zeroblob(CASE x % 50 WHEN 0 THEN "
        "700 ELSE 10 END)), '0', char(97 + x % 26)) FROM c");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(infile_read_all(path, 8 << 20, &text, n, &e), OK);
    return text;
}

/* Of a page of zeros in the middle its own rows are missing, all others are there. */
static void pages_after_a_damaged_one_are_read(void **state)
{
    const char *path = tree_path(&tree, "hole.db");
    size_t n, least = ROWS, pages = 0;
    char *text = damage_me(path, &n);

    (void)state;
    for (size_t at = 3 * 512; at < n; at += 31 * 512) {
        struct err e = ERR_INIT;
        char was[512];
        memcpy(was, text + at, 512);
        bool leaf = was[0] == 13;
        memset(text + at, 0, 512);
        tree_file_n(&tree, "hole.db", text, n);
        memcpy(text + at, was, 512);
        struct kept k = read_kept(path, &e);
        if (!leaf)
            continue;
        pages++;
        least = k.rows < least ? k.rows : least;
        assert_int_equal(e.code, ERR_FORMAT);
        assert_int_equal(k.wrong, 0);
        char want[64];
        snprintf(want, sizeof want, "page %zu (at byte %zu)", at / 512 + 1, at);
        if (!strstr(e.text, want))
            fail_msg("%s instead of %s", e.text, want);
    }
    assert_true(pages > 3);
    assert_true(least >= ROWS - 40);
    free(text);
}

/* Cut anywhere: the rows of the pages that are there. */
static void pages_of_a_cut_file_are_read(void **state)
{
    const char *path = tree_path(&tree, "cut.db");
    size_t n, before = 0;
    char *text = damage_me(path, &n);

    (void)state;
    for (size_t cut = 0; cut <= n; cut += n / 40) {
        struct err e = ERR_INIT;
        tree_file_n(&tree, "cut.db", text, cut);
        struct kept k = read_kept(path, &e);
        assert_int_equal(k.wrong, 0);
        assert_true(k.rows >= before && k.rows <= ROWS);
        before = k.rows;
    }
    assert_true(before > ROWS * 9 / 10);
    free(text);
}

/* Flipped bits: no crash, no circle, never more rows than a file of that size can hold. */
static void pages_with_flipped_bits_are_safe(void **state)
{
    const char *path = tree_path(&tree, "flip.db");
    size_t n, all = 0;
    char *text = damage_me(path, &n);

    (void)state;
    for (int k = 0; k < 2000; k++) {
        struct err e = ERR_INIT;
        size_t at = 512 + (size_t)below((unsigned)n - 512);
        if (k % 2) /* the heads of pages, where most harm is done */
            at = at / 512 * 512 + below(40);
        char was = text[at];
        text[at] = (char)(was ^ (1 << below(8)));
        tree_file_n(&tree, "flip.db", text, n);
        text[at] = was;
        struct kept kept = read_kept(path, &e);
        assert_true(kept.rows <= n / 4);
        all += kept.rows;
    }
    assert_true(all > (size_t)2000 * ROWS * 9 / 10);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(pages_give_what_sqlite_gives),       CASE(pages_leave_the_rest_to_sqlite),
        CASE(pages_after_a_damaged_one_are_read), CASE(pages_of_a_cut_file_are_read),
        CASE(pages_with_flipped_bits_are_safe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
