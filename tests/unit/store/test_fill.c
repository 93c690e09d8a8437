/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a store while something is in the way: the disk, and other processes that have the store open. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/fill/fill.h"
#include "store/sum_vfs.h"
#include "tests/unit/tree_case.h"

#define LOCKED_MS 2500 /* longer than a commit takes where nothing else is written */

/* ---- the disk ---- */

/* Every descriptor of a file below the tree can only be read from now on. */
static void make_disk_fail(void)
{
    int only_read = open("/dev/zero", O_RDONLY | O_CLOEXEC), n = 0;
    DIR *d = opendir("/proc/self/fd");

    assert_true(only_read >= 0 && d);
    for (const struct dirent *x; (x = readdir(d)) != NULL;) {
        char at[300], path[PATH_MAX];
        snprintf(at, sizeof at, "/proc/self/fd/%s", x->d_name);
        ssize_t len = readlink(at, path, sizeof path - 1);
        path[len > 0 ? len : 0] = 0;
        if (strstr(path, ".npus.tmp.")) {
            assert_true(dup2(only_read, (int)strtol(x->d_name, NULL, 10)) >= 0);
            n++;
        }
    }
    closedir(d);
    close(only_read);
    assert_true(n > 0);
}

/* Rows of a table of its own until an error; long ones, so that they do not wait in memory. */
static int put_rows(struct fill *f, int most, struct err *e)
{
    static char text[100000];
    const struct str name = STR("text");
    int rc = sink_generic_open(fill_sink(f), 1, STR_NULL, &name, 1, e);

    memset(text, 'x', sizeof text);
    for (int i = 0; i < most && rc == OK; i++) {
        const struct val v = val_text((struct str){ text, sizeof text });
        rc = sink_generic_row(fill_sink(f), &v, 1, e);
    }
    return rc;
}

static void fill_error_of_the_disk_is_no_fault_of_the_file(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = tree_path(&tree, "d.npus") }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    make_disk_fail();
    assert_int_equal(put_rows(f, 1000, &e), ERR_IO);
    err_where(&e, "kernel_details.csv", 700, 3); /* as parsers do */
    assert_true(fill_failed(f, &e));
    assert_string_equal(e.file, "");
    assert_true(e.offset == ERR_NO_OFFSET);
    assert_int_equal(e.line, 0);
    fill_abort(f);
}

static void fill_error_of_a_file_stays_its_own(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = tree_path(&tree, "f.npus") }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    assert_int_equal(put_rows(f, 3, &e), OK);
    err_set(&e, ERR_IO, "cannot be read");
    err_where(&e, "kernel_details.csv", 700, 3);
    assert_false(fill_failed(f, &e));
    assert_string_equal(e.file, "kernel_details.csv");
    fill_abort(f);
}

/* ---- other processes ---- */

static void make_store(const char *path)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = path }, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
}

/* Another process that runs these statements, then keeps what they locked for so long. */
static pid_t other_process(const char *path, const char *sql, int ms)
{
    char byte;
    int ready[2];

    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        sqlite3 *db = NULL;
        bool good = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, sum_vfs()) == SQLITE_OK &&
                    sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
        (void)!write(ready[1], good ? "y" : "n", 1);
        usleep((useconds_t)ms * 1000);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    close(ready[0]);
    close(ready[1]);
    return pid;
}

/* A file's table is added as `t` of Files does, and is there. */
static void add_table(const char *path)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    int rc = fill_add(&f, &(struct fill_opts){ .path = path }, &e) || fill_begin(f, 1, &e) ||
             put_rows(f, 3, &e) || fill_end(f, true, &e) || fill_publish(f, &e);
    if (rc)
        print_error("%s\n", e.text);
    assert_int_equal(e.code, OK);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM t_1", NULL), 3);
    store_close(s);
}

static void end_process(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void fill_adds_to_a_store_that_is_open_elsewhere_with_a_wal(void **state)
{
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s", tree_path(&tree, "wal.npus"));
    make_store(path);
    pid_t pid = other_process(path, "PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM meta", 60000);
    add_table(path);
    end_process(pid);
}

static void fill_waits_for_a_reader_that_takes_long(void **state)
{
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s", tree_path(&tree, "reader.npus"));
    make_store(path);
    pid_t pid = other_process(path, "BEGIN; SELECT * FROM meta", LOCKED_MS);
    add_table(path);
    end_process(pid);
}

static void store_waits_for_a_commit_that_takes_long(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s", tree_path(&tree, "commit.npus"));
    make_store(path);
    pid_t pid = other_process(path, "BEGIN EXCLUSIVE", LOCKED_MS);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    assert_true(store_is_current(s, "key"));
    store_close(s);
    end_process(pid);
}

static bool at_once(void *arg)
{
    (void)arg;
    return true;
}

/* One that is stopped meanwhile says what it waited for. */
static void store_that_waits_can_be_stopped(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct query *q = NULL;
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s", tree_path(&tree, "stop.npus"));
    make_store(path);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    pid_t pid = other_process(path, "BEGIN EXCLUSIVE", 60000);
    store_progress(s, at_once, NULL);
    if (store_query(s, &q, "SELECT * FROM meta", &e) == OK)
        assert_int_equal(query_step(q, &e), -1);
    assert_int_equal(e.code, ERR_BUSY);
    assert_non_null(strstr(e.text, "another process holds the store"));
    query_free(q);
    store_close(s);
    end_process(pid);
}

#define UNIX INT64_C(1773450727000000000)

/* A file of one host stage of rank 0. */
static void put_stage(struct fill *f, uint32_t source, int64_t start)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(host_stage)] = { 0 };

    v[COL(host_stage, rank)] = val_int(0);
    v[COL(host_stage, start_ns)] = val_int(start);
    v[COL(host_stage, end_ns)] = val_int(start + 10);
    v[COL(host_stage, source_id)] = val_int(source);
    assert_int_equal(fill_begin(f, source, &e), OK);
    assert_int_equal(sink_row(fill_sink(f), T_host_stage, v, N_COLS(host_stage), NULL, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
}

static int64_t start_of(struct store *s, uint32_t source)
{
    char sql[100];

    snprintf(sql, sizeof sql, "SELECT start_ns FROM host_stage WHERE source_id = %u", source);
    return store_int(s, -1, sql, NULL);
}

/* The host's clock is one, however many files have it, also those that are read later. */
static void fill_moves_files_of_the_host_s_clock_alike(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;
    const struct fill_opts o = { .path = tree_path(&tree, "clocks.npus") };

    (void)state;
    assert_int_equal(fill_open(&f, &o, &e), OK);
    put_stage(f, 1, 5027000); /* the device's */
    put_stage(f, 2, UNIX + 100);
    put_stage(f, 3, 5000000); /* the device's begins sooner, which moves nothing that was read */
    put_stage(f, 4, UNIX + 100);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
    assert_int_equal(fill_add(&f, &o, &e), OK);
    put_stage(f, 5, UNIX + 400);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
    assert_int_equal(store_open(&s, o.path, false, &e), OK);
    assert_int_equal(start_of(s, 2), 5027000);
    assert_int_equal(start_of(s, 4), 5027000);
    assert_int_equal(start_of(s, 5), 5027300);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fill_error_of_the_disk_is_no_fault_of_the_file, setup, teardown),
        cmocka_unit_test_setup_teardown(fill_error_of_a_file_stays_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(fill_adds_to_a_store_that_is_open_elsewhere_with_a_wal, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(fill_waits_for_a_reader_that_takes_long, setup, teardown),
        cmocka_unit_test_setup_teardown(store_waits_for_a_commit_that_takes_long, setup, teardown),
        cmocka_unit_test_setup_teardown(fill_moves_files_of_the_host_s_clock_alike, setup, teardown),
        cmocka_unit_test_setup_teardown(store_that_waits_can_be_stopped, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
