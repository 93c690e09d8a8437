/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores in the cache directory: which are removed, and by what (doc/reliability.md#damaged-stores,
 * #cache-contents).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/read/infile.h"
#include "store/fill/fill.h"
#include "tests/unit/tree_case.h"

#define SECOND INT64_C(1000000000)
#define DAY    (86400 * SECOND)
#define NOW    (INT64_C(1800000000) * SECOND)
#define GIB    ((off_t)1 << 30)

static char cache_was[PATH_MAX];

static int cache_setup(void **state)
{
    snprintf(cache_was, sizeof cache_was, "%s", getenv("XDG_CACHE_HOME") ? getenv("XDG_CACHE_HOME") : "");
    setup(state);
    tree_dir(&tree, "cache");
    return setenv("XDG_CACHE_HOME", tree_path(&tree, "cache"), 1);
}

static int cache_teardown(void **state)
{
    teardown(state);
    return cache_was[0] ? setenv("XDG_CACHE_HOME", cache_was, 1) : unsetenv("XDG_CACHE_HOME");
}

/* ---- stores ---- */

/* A source with as many executions; their durations tell which. */
static void put_rows(struct fill *f, uint32_t source, int64_t n)
{
    struct err e = ERR_INIT;

    assert_int_equal(fill_begin(f, source, &e), OK);
    for (int64_t i = 0; i < n; i++) {
        struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, op_id)] = val_int(i % 50),
            [COL(op_exec, rank)] = val_int(0),
            [COL(op_exec, ts_ns)] = val_int(1700000000000000000 + i * 1000),
            [COL(op_exec, dur_ns)] = val_int(source),
            [COL(op_exec, source_id)] = val_int(source),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
}

static void make_store(const char *path, const char *root, uint32_t source, int64_t n)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = path }, &e), OK);
    put_rows(f, source, n);
    assert_int_equal(fill_meta(f, "root", root, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
}

/* Where the store of a folder lies; it is made when made is true. */
static const char *store_of(const char *root, bool made)
{
    static char path[1024];
    struct err e = ERR_INIT;

    assert_int_equal(store_cache_path(root, path, sizeof path, &e), OK);
    if (made)
        make_store(path, root, 1, 3000);
    return path;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void flip_pages(const char *path)
{
    struct err e = ERR_INIT;
    char *text = NULL;
    size_t n = 0;

    assert_int_equal(infile_read_all(path, 1 << 24, &text, &n, &e), OK);
    size_t page = (size_t)(unsigned char)text[16] << 8 | (unsigned char)text[17];
    for (size_t at = page * 3 / 2; at < n; at += page) /* of every page but the first */
        text[at] ^= 1;
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    free(text);
}

/* Read every execution; OK or what is wrong. */
static int read_rows(const char *path, int64_t *sum)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct query *q = NULL;

    if (store_open(&s, path, false, &e) == OK &&
        store_query(s, &q, "SELECT sum(dur_ns), sum(ts_ns) FROM op_exec NOT INDEXED", &e) == OK &&
        query_step(q, &e) == 1)
        *sum = query_int(q, 0);
    query_free(q);
    store_close(s);
    return e.code;
}

/* ---- removing ---- */

static void cache_removes_stores_of_a_folder_and_below(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    unsigned n = 9;
    char a[1024], b[1024], c[1024];

    snprintf(a, sizeof a, "%s", store_of("/runs/a", true));
    snprintf(b, sizeof b, "%s", store_of("/runs/a/rank1", true));
    snprintf(c, sizeof c, "%s", store_of("/runs/ab", true));
    assert_int_equal(store_cache_remove("/other", &n, &e), OK);
    assert_int_equal(n, 0);
    assert_int_equal(store_cache_remove("/runs/a/", &n, &e), OK);
    assert_int_equal(n, 2);
    assert_true(!is_there(a) && !is_there(b) && is_there(c));
    assert_int_equal(store_cache_remove("/", &n, &e), OK);
    assert_int_equal(n, 1);
    assert_false(is_there(c));
}

/* Also one that is damaged, by the place it has, with what SQLite left beside it. */
static void cache_removes_a_damaged_store_of_a_folder(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    unsigned n = 0;
    char side[1100];
    const char *path = store_of("/runs/a", true);

    flip_pages(path);
    snprintf(side, sizeof side, "%s-wal", path);
    FILE *f = fopen(side, "w");
    assert_int_equal(fclose(f), 0);
    assert_int_equal(store_cache_remove("/runs/a", &n, &e), OK);
    assert_int_equal(n, 1);
    assert_false(is_there(path));
    assert_false(is_there(side));
}

/* Another process was quicker. */
static void remove_two(void *arg, const struct store_entry *entry)
{
    (void)entry;
    struct err e = ERR_INIT;
    unsigned n = 0;

    assert_int_equal(store_cache_remove(NULL, &n, &e), OK);
    *(unsigned *)arg += n;
}

static void cache_store_that_vanishes_is_no_error(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    unsigned n = 0;

    (void)store_of("/runs/a", true);
    (void)store_of("/runs/b", true);
    (void)store_of("/runs/c", true);
    assert_int_equal(store_cache_list(remove_two, &n, &e), OK);
    assert_int_equal(n, 3);
}

/* The directory is named by a link: SQLite names the file without it. */
static void cache_through_a_link_loses_a_damaged_store(void **state)
{
    (void)state;
    int64_t sum;
    char link[PATH_MAX];

    snprintf(link, sizeof link, "%s", tree_path(&tree, "link"));
    assert_int_equal(symlink(tree_path(&tree, "cache"), link), 0);
    setenv("XDG_CACHE_HOME", link, 1);
    const char *path = store_of("/runs/a", true);
    assert_int_equal(read_rows(path, &sum), OK);
    flip_pages(path);
    assert_int_equal(read_rows(path, &sum), ERR_STORE);
    assert_false(is_there(path));
}

/* ---- a journal of the store before ---- */

static void add_and_die(const char *path)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        if (fill_add(&f, &(struct fill_opts){ .path = path, .large = true }, &e))
            _exit(1);
        put_rows(f, 2, 3000);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* What was added to a store whose process died goes with it: it is none of the one that takes its place. */
static void cache_new_store_is_not_mixed_with_an_old_journal(void **state)
{
    (void)state;
    int64_t sum = 0;
    char wal[1100];
    const char *path = store_of("/runs/a", true);

    snprintf(wal, sizeof wal, "%s-wal", path);
    add_and_die(path);
    assert_true(is_there(wal));
    assert_int_equal(read_rows(path, &sum), OK);
    assert_int_equal(sum, 3000 + 2 * 3000);
    add_and_die(path);
    assert_true(is_there(wal));
    make_store(path, "/runs/a", 5, 3000);
    assert_int_equal(read_rows(path, &sum), OK);
    assert_int_equal(sum, 5 * 3000);
    assert_false(is_there(wal));
}

/* Who adds cannot end the journal while somebody reads; the reader does when it leaves. */
static void cache_last_reader_ends_the_journal(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *r = NULL;
    int64_t sum = 0;
    char wal[1100];
    const char *path = store_of("/runs/a", true);

    snprintf(wal, sizeof wal, "%s-wal", path);
    assert_int_equal(fill_add(&f, &(struct fill_opts){ .path = path, .large = true }, &e), OK);
    put_rows(f, 2, 3000);
    assert_int_equal(store_open(&r, path, true, &e), OK);
    assert_int_equal(store_int(r, 0, "SELECT sum(dur_ns) FROM op_exec", NULL), 3000 + 2 * 3000);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
    assert_true(is_there(wal));
    store_close(r);
    assert_false(is_there(wal));
    assert_int_equal(read_rows(path, &sum), OK);
    assert_int_equal(sum, 3000 + 2 * 3000);
}

/* ---- ageing ---- */

/* A file of the cache, as large as it says but empty, not used since so long before NOW. */
static const char *put_file(const char *name, off_t size, int64_t age_ns)
{
    static char path[PATH_MAX];
    int64_t used = NOW - age_ns;
    const struct timespec times[2] = { { .tv_nsec = UTIME_NOW },
                                       { .tv_sec = used / SECOND, .tv_nsec = used % SECOND } };

    snprintf(path, sizeof path, "%s/npuscope/%s", tree_path(&tree, "cache"), name);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, size), 0);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
    return path;
}

static bool has_file(const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/npuscope/%s", tree_path(&tree, "cache"), name);
    return is_there(path);
}

static unsigned age(void)
{
    struct err e = ERR_INIT;
    unsigned n = 99;

    assert_int_equal(store_cache_age(NOW, &n, &e), OK);
    return n;
}

static void cache_stores_age(void **state)
{
    (void)state;
    assert_int_equal(age(), 0); /* no directory yet */
    tree_dir(&tree, "cache/npuscope");
    (void)put_file("old.npus", 1, LIM_CACHE_DAYS * DAY + 1);
    (void)put_file("old.npus-wal", 1, LIM_CACHE_DAYS * DAY + 1);
    (void)put_file("young.npus", 1, LIM_CACHE_DAYS * DAY);
    (void)put_file("old.txt", 1, 2 * LIM_CACHE_DAYS * DAY); /* none of ours to remove */
    (void)put_file("state", 1, 2 * LIM_CACHE_DAYS * DAY);
    assert_int_equal(age(), 1);
    assert_false(has_file("old.npus") || has_file("old.npus-wal"));
    assert_true(has_file("young.npus") && has_file("old.txt") && has_file("state"));
    assert_int_equal(age(), 0);
}

static void cache_makes_room(void **state)
{
    (void)state;
    tree_dir(&tree, "cache/npuscope");
    (void)put_file("a.npus", 4 * GIB, 3 * DAY);
    (void)put_file("b.npus", 3 * GIB, 5 * DAY);
    (void)put_file("c.npus", 3 * GIB, 4 * DAY);
    assert_int_equal(age(), 0); /* exactly what is allowed */
    (void)put_file("d.npus", 1, DAY);
    assert_int_equal(age(), 1);
    assert_false(has_file("b.npus"));
    /* Those in use stay, though they alone are too many. */
    (void)put_file("e.npus", 9 * GIB, LIM_CACHE_SPARE_S * SECOND);
    (void)put_file("f.npus", 9 * GIB, 0);
    assert_int_equal(age(), 3);
    assert_true(has_file("e.npus") && has_file("f.npus"));
    assert_false(has_file("a.npus") || has_file("c.npus") || has_file("d.npus"));
}

/* What killed imports left is removed, what belongs to a living one or was written to just now is not. */
static void cache_loses_what_killed_imports_left(void **state)
{
    (void)state;
    char living[80];

    tree_dir(&tree, "cache/npuscope");
    snprintf(living, sizeof living, "run.npus.tmp.%ld-journal", (long)getpid());
    (void)put_file(living, 1, DAY);
    (void)put_file("run.npus.tmp.999999999", 1, DAY);
    (void)put_file("run.npus.tmp.999999999-wal", 1, DAY);
    (void)put_file("fresh.npus.tmp.999999999", 1, LIM_CACHE_SPARE_S * SECOND);
    (void)put_file("run.tmp.999999999", 1, DAY);
    assert_int_equal(age(), 0);
    assert_false(has_file("run.npus.tmp.999999999") || has_file("run.npus.tmp.999999999-wal"));
    assert_true(has_file(living) && has_file("fresh.npus.tmp.999999999") && has_file("run.tmp.999999999"));
}

static int64_t mtime_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mtim.tv_sec;
}

static void note_made(void *arg, const struct store_entry *entry)
{
    *(int64_t *)arg = entry->made_ns;
}

/* Its age begins anew when it is used; when it was made is told by itself. */
static void cache_store_that_is_used_is_young(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    int64_t made[2] = { 0, 0 };
    char elsewhere[PATH_MAX];
    const char *path = store_of("/runs/a", true);

    assert_int_equal(store_cache_list(note_made, &made[0], &e), OK);
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_int_equal(store_cache_list(note_made, &made[1], &e), OK);
    assert_true(made[0] > 1600000000 * SECOND);
    assert_int_equal(made[1], made[0]);
    assert_int_equal(mtime_of(path), 1000);
    store_cache_used(path);
    assert_true(mtime_of(path) > 1600000000);

    snprintf(elsewhere, sizeof elsewhere, "%s", tree_path(&tree, "mine.npus"));
    tree_file(&tree, "mine.npus", "x");
    assert_int_equal(utimensat(AT_FDCWD, elsewhere, old, 0), 0);
    store_cache_used(elsewhere);
    assert_int_equal(mtime_of(elsewhere), 1000);
}

#define CACHE_CASE(f) cmocka_unit_test_setup_teardown(f, cache_setup, cache_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_CASE(cache_removes_stores_of_a_folder_and_below),
        CACHE_CASE(cache_removes_a_damaged_store_of_a_folder),
        CACHE_CASE(cache_store_that_vanishes_is_no_error),
        CACHE_CASE(cache_through_a_link_loses_a_damaged_store),
        CACHE_CASE(cache_new_store_is_not_mixed_with_an_old_journal),
        CACHE_CASE(cache_last_reader_ends_the_journal),
        CACHE_CASE(cache_stores_age),
        CACHE_CASE(cache_makes_room),
        CACHE_CASE(cache_loses_what_killed_imports_left),
        CACHE_CASE(cache_store_that_is_used_is_young),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
