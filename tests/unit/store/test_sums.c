/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of a store's pages: a flipped bit is told or does not matter, whoever wrote the page
 * (doc/reliability.md#damaged-stores).
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
#include "store/fill/fill.h"
#include "store/schema.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tree_case.h"

#define FLIPS 250 /* of each writer */

static void put_execs(struct fill *f, int64_t n, struct err *e)
{
    assert_int_equal(fill_begin(f, 1, e), OK);
    for (int64_t i = 0; i < n; i++) {
        struct op_key k = OP_KEY_INIT;
        struct op_attr a = OP_ATTR_INIT;
        char name[60];
        snprintf(name, sizeof name, "Default/Conv2D-op%d", (int)(i % 50));
        k.name_id = sink_intern(fill_sink(f), str_of(name));
        struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, op_id)] = val_int(sink_op(fill_sink(f), &k, &a, e)),
            [COL(op_exec, rank)] = val_int(0),
            [COL(op_exec, ts_ns)] = val_int(1700000000000000000 + i * 1000),
            [COL(op_exec, dur_ns)] = val_int(500 + i % 7),
            [COL(op_exec, source_id)] = val_int(1),
            [COL(op_exec, line)] = val_int(i + 2),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, e), OK);
    }
    const struct track_def d = { .rank = 0, .kind = TK_STREAM, .tid = STR("7"), .source_id = 1 };
    uint32_t track = sink_track(fill_sink(f), &d), event = sink_intern(fill_sink(f), STR("x"));
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(
            sink_event(fill_sink(f), track, 1700000000000000000 + i * 1000, 500, event, (uint64_t)i, e), OK);
    assert_int_equal(fill_end(f, true, e), OK);
}

/* watched: through the WAL, row by row; else big tables are written as pages. */
static void make_store(const char *path, bool watched, int64_t n)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = path, .watched = watched }, &e), OK);
    put_execs(f, n, &e);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
}

/* Everything that a store holds, as a number. 0: *e says what is wrong. */
static uint64_t contents(const char *path, struct err *e)
{
    static const char *const own[] = { "chunk", "lod", "long_event" };
    struct store *s = NULL;
    uint64_t h = 1;

    if (store_open(&s, path, false, e))
        return 0;
    for (size_t t = 0; t < N_TABLES + ARRAY_LEN(own) && !e->code; t++) {
        struct query *q = NULL;
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT * FROM %s",
                 t < N_TABLES ? schema_tables[t].name : own[t - N_TABLES]);
        if (store_query(s, &q, sql, e))
            break;
        while (query_step(q, e) == 1)
            for (size_t i = 0; i < query_columns(q); i++) {
                struct val v = query_val(q, i);
                h = (h ^ (uint64_t)v.t) * UINT64_C(0x100000001b3);
                h = (h ^ (v.t == VAL_TEXT ? str_hash(v.s, 7) : (uint64_t)v.i)) * UINT64_C(0x100000001b3);
            }
        query_free(q);
    }
    store_close(s);
    return e->code ? 0 : h;
}

static void check_flips(bool watched)
{
    struct err e = ERR_INIT;
    char *text = NULL, path[PATH_MAX];
    size_t n = 0;
    uint64_t seed = 88172645463325252u;
    int told = 0;

    snprintf(path, sizeof path, "%s", tree_path(&tree, "s.npus"));
    make_store(path, watched, 3000);
    uint64_t was = contents(path, &e);
    assert_int_not_equal(was, 0);
    assert_int_equal(infile_read_all(path, 1 << 24, &text, &n, &e), OK);
    assert_int_equal(text[20], 8); /* bytes of each page that are not SQLite's */
    for (int k = 0; k < FLIPS; k++) {
        size_t at = (size_t)(scratch_random(&seed) % n);
        char old = text[at];
        text[at] = (char)(old ^ (1 << (scratch_random(&seed) % 8)));
        tree_file_n(&tree, "s.npus", text, n);
        text[at] = old;
        err_clear(&e);
        uint64_t is = contents(path, &e);
        if (is && is != was)
            fail_msg("a flip at %zu of %zu changes the answers and is not told", at, n);
        if (!is && !e.text[0])
            fail_msg("a flip at %zu gives no reason", at);
        told += !is;
    }
    print_message("%d of %d flips in %zu bytes told, the others lie where nothing is read\n", told, FLIPS, n);
    assert_true(told > FLIPS / 2);
    free(text);
}

static void sums_give_flips_in_pages_of_ours(void **state)
{
    (void)state;
    check_flips(false);
}

static void sums_give_flips_in_pages_of_sqlite(void **state)
{
    (void)state;
    check_flips(true);
}

/* Any SQLite reads the file, and finds it sound. */
static void sums_leave_a_plain_database(void **state)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        make_store(tree_path(&tree, "s.npus"), watched, 20000);
        assert_int_equal(sqlite3_open_v2(tree_path(&tree, "s.npus"), &db, SQLITE_OPEN_READONLY, NULL),
                         SQLITE_OK);
        assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &st, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(st, 0), "ok");
        sqlite3_finalize(st);
        assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*), sum(line) FROM op_exec", -1, &st, NULL),
                         SQLITE_OK);
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(st, 0), 20000);
        assert_int_equal(sqlite3_column_int64(st, 1), 20000 * INT64_C(20003) / 2);
        sqlite3_finalize(st);
        sqlite3_close(db);
    }
}

/* A damaged store in the cache is removed, one elsewhere stays. */
static void sums_remove_a_damaged_store_of_the_cache(void **state)
{
    struct err e = ERR_INIT;
    char *text = NULL, path[1024], was[PATH_MAX] = "";
    size_t n = 0;
    unsigned removed = 0;

    (void)state;
    if (getenv("XDG_CACHE_HOME"))
        snprintf(was, sizeof was, "%s", getenv("XDG_CACHE_HOME"));
    setenv("XDG_CACHE_HOME", tree_path(&tree, "cache"), 1);
    tree_dir(&tree, "cache");
    assert_int_equal(store_cache_path("/some/run", path, sizeof path, &e), OK);
    make_store(path, false, 3000);
    assert_int_equal(infile_read_all(path, 1 << 24, &text, &n, &e), OK);
    for (size_t at = 4096 + 100; at < n; at += 4096) /* of every page but the first */
        text[at] ^= 1;
    tree_file_n(&tree, "elsewhere.npus", text, n);
    tree_file_n(&tree, path + strlen(tree.root) + 1, text, n);
    free(text);
    assert_int_equal(contents(tree_path(&tree, "elsewhere.npus"), &e), 0);
    assert_int_equal(access(tree_path(&tree, "elsewhere.npus"), F_OK), 0);
    err_clear(&e);
    assert_int_equal(contents(path, &e), 0);
    assert_int_equal(e.code, ERR_STORE);
    assert_int_not_equal(access(path, F_OK), 0);

    /* one that cannot be opened is removed by its root */
    err_clear(&e);
    tree_file(&tree, path + strlen(tree.root) + 1, "nonsense");
    assert_int_equal(store_cache_remove("/other/run", &removed, &e), OK);
    assert_int_equal(removed, 0);
    assert_int_equal(store_cache_remove("/some/run", &removed, &e), OK);
    assert_int_equal(removed, 1);
    if (was[0])
        setenv("XDG_CACHE_HOME", was, 1);
    else
        unsetenv("XDG_CACHE_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(sums_give_flips_in_pages_of_ours),
        CASE(sums_give_flips_in_pages_of_sqlite),
        CASE(sums_leave_a_plain_database),
        CASE(sums_remove_a_damaged_store_of_the_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
