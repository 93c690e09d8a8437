/* SPDX-License-Identifier: Apache-2.0 */
/* Units into stores: demo profiles of both generations, precedence of sources, generic tables. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/read/infile.h"
#include "demo/demo.h"
#include "import/import.h"

static char top[200];

static int make_top(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/npuscope-import-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(top) ? 0 : -1;
}

static int drop_top(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", top, (char *)NULL);
        _exit(127);
    }
    return 0;
}

static void path_of(char *buf, size_t n, const char *name)
{
    snprintf(buf, n, "%s/%s", top, name);
}

static struct job *scan(const char *dir)
{
    struct err e = ERR_INIT;
    struct job *j = NULL;
    char m[600];
    if (import_scan(&j, dir, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    return j;
}

static struct store *read_unit(const struct unit *u)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    bool partial;
    char m[600];
    const struct import_opts o = { .store_path = NULL };
    if (import_unit(u, &o, &s, &partial, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    assert_false(partial);
    return s;
}

static int64_t one(struct store *s, const char *sql)
{
    return store_int(s, -1, sql, NULL);
}

static void import_gen2_demo_gives_its_own_sums(void **state)
{
    (void)state;
    char dir[300];
    struct err e = ERR_INIT;
    struct demo_summary sum;
    path_of(dir, sizeof dir, "gen2");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 3 }, dir, &sum, &e), OK);
    struct job *j = scan(dir);
    assert_int_equal(j->n_units, 1);
    struct store *s = read_unit(j->units[0]);
    assert_int_equal(
        one(s, "SELECT count(*) FROM op_exec e JOIN op o ON o.id = e.op_id WHERE o.core <> 'HCCL'"),
        sum.rank0.kernels);
    assert_int_equal(
        one(s, "SELECT sum(dur_ns) FROM op_exec e JOIN op o ON o.id = e.op_id WHERE o.core <> 'HCCL'"),
        sum.rank0.kernel_ns);
    assert_int_equal(one(s, "SELECT sum(computing_ns) FROM step"), sum.rank0.computing_ns);
    assert_int_equal(one(s, "SELECT rows FROM source WHERE kind = 'trace_view'"), sum.rank0.events);
    assert_int_equal(one(s, "SELECT count(*) FROM step"), 3);
    assert_int_equal(one(s, "SELECT count(*) FROM comm_exec"), sum.rank0.comms);
    /* kernel_details feeds the executions, op_summary tells the same and is left. */
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'op_summary' AND used LIKE "
                            "'no (same data in%'"),
                     1);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE state IN ('TORN', 'BAD')"), 0);
    assert_int_equal(one(s, "SELECT count(*) FROM op_exec WHERE rank IS NULL"), 0);
    store_close(s);
    job_free(j);
}

static void import_gen1_demo_keeps_ranks_apart(void **state)
{
    (void)state;
    char dir[300];
    struct err e = ERR_INIT;
    struct demo_summary sum;
    path_of(dir, sizeof dir, "gen1");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 1, .ranks = 2, .steps = 3 }, dir, &sum, &e), OK);
    struct job *j = scan(dir);
    assert_int_equal(j->n_units, 1);
    struct store *s = read_unit(j->units[0]);
    assert_int_equal(one(s, "SELECT count(*) FROM rank"), 2);
    assert_int_equal(one(s, "SELECT count(*) FROM op_exec WHERE rank = 0"), sum.rank0.kernels);
    assert_int_equal(one(s, "SELECT count(*) FROM step WHERE rank = 1"), 3);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE state IN ('TORN', 'BAD')"), 0);
    store_close(s);
    job_free(j);
}

static void cut_file(const char *path, off_t less)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, st.st_size - less), 0);
}

/* A torn first choice gives way to a whole second one; when both are torn the longer one is used. */
static void import_takes_the_whole_source_of_a_topic(void **state)
{
    (void)state;
    char dir[300], path[700];
    struct err e = ERR_INIT;
    struct demo_summary sum;
    path_of(dir, sizeof dir, "torn");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 2 }, dir, &sum, &e), OK);
    snprintf(path, sizeof path, "%s/%s/ASCEND_PROFILER_OUTPUT/kernel_details.csv", dir, sum.run_dir);
    cut_file(path, 5);
    struct job *j = scan(dir);
    struct store *s = read_unit(j->units[0]);
    assert_int_equal(one(s, "SELECT count(*) FROM op_exec e JOIN source f ON f.id = e.source_id "
                            "WHERE f.kind <> 'op_summary'"),
                     0);
    assert_int_equal(
        one(s, "SELECT count(*) FROM op_exec e JOIN op o ON o.id = e.op_id WHERE o.core <> 'HCCL'"),
        sum.rank0.kernels);
    assert_int_equal(one(s,
                         "SELECT count(*) FROM source WHERE kind = 'kernel_details' AND state = 'TORN' AND "
                         "used LIKE 'no (whole in %'"),
                     1);
    assert_int_equal(one(s, "SELECT count(*) FROM note n JOIN source f ON f.id = n.source_id WHERE "
                            "f.kind = 'kernel_details' AND code IN ('TORN_FILE', 'REPLACED')"),
                     2);
    store_close(s);
    job_free(j);
}

/* The file of a kind. */
static const char *file_of(const struct unit *u, const char *kind)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (!strcmp(u->files[i]->kind->id, kind) && u->files[i]->regular)
            return u->files[i]->path;
    fail_msg("no file of kind %s", kind);
    return NULL;
}

/* Leave of a text file its first line. */
static void cut_to_header(const char *path)
{
    char line[4096];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_int_equal(truncate(path, (off_t)strlen(line)), 0);
}

/* A first choice that has only its header hides nothing: what has rows is used; where nothing has, it is. */
static void import_takes_the_source_with_rows(void **state)
{
    (void)state;
    char dir[300], path[700];
    struct err e = ERR_INIT;
    struct demo_summary sum;
    path_of(dir, sizeof dir, "header");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 2 }, dir, &sum, &e), OK);
    snprintf(path, sizeof path, "%s/%s/ASCEND_PROFILER_OUTPUT/kernel_details.csv", dir, sum.run_dir);
    cut_to_header(path);
    struct job *j = scan(dir);
    struct store *s = read_unit(j->units[0]);
    assert_int_equal(
        one(s, "SELECT count(*) FROM op_exec e JOIN op o ON o.id = e.op_id WHERE o.core <> 'HCCL'"),
        sum.rank0.kernels);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'kernel_details' AND state = 'ok' AND "
                            "rows = 0 AND used LIKE 'no (rows in %op_summary%'"),
                     1);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'op_summary' AND used = 'yes'"), 1);
    assert_int_equal(one(s, "SELECT count(*) FROM note WHERE code = 'REPLACED' AND text LIKE "
                            "'%op_summary% is used: it has rows, and this file none'"),
                     1);
    store_close(s);
    cut_to_header(file_of(j->units[0], "op_summary"));
    cut_to_header(file_of(j->units[0], "task_time"));
    job_free(j);
    j = scan(dir);
    s = read_unit(j->units[0]);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'kernel_details' AND used = 'yes'"), 1);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'op_summary' AND state = 'ok' AND "
                            "used LIKE 'no (same data in %kernel_details%'"),
                     1);
    assert_int_equal(one(s, "SELECT count(*) FROM note n JOIN source f ON f.id = n.source_id WHERE f.kind = "
                            "'op_summary' AND n.code = 'REPLACED' AND n.text LIKE "
                            "'%kernel_details.csv is used: it has no rows either'"),
                     1);
    assert_int_equal(one(s, "SELECT count(*) FROM source WHERE used LIKE 'no (rows in %'"), 0);
    assert_int_equal(one(s, "SELECT count(*) FROM op_exec e JOIN op o ON o.id = e.op_id WHERE o.core <> "
                            "'HCCL'"),
                     0);
    store_close(s);
    job_free(j);
}

static void write_text(const char *dir, const char *name, const char *text)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Of a database without rows: that others gave the same is said of a whole one, not of a damaged one. */
static void import_says_nothing_of_the_data_of_a_damaged_file(void **state)
{
    static const char name[] = "ascend_mindspore_profiler_0.db";
    char dir[300], output[600], path[700];
    struct err e = ERR_INIT;
    struct demo_summary sum;
    sqlite3 *db;

    (void)state;
    path_of(dir, sizeof dir, "damaged");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 2 }, dir, &sum, &e), OK);
    snprintf(output, sizeof output, "%s/%s/ASCEND_PROFILER_OUTPUT", dir, sum.run_dir);
    snprintf(path, sizeof path, "%s/%s", output, name);
    for (int whole = 0; whole < 2; whole++) {
        write_text(output, name, whole ? "" : "SQLite format 3");
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT)", NULL,
                                      NULL, NULL) == SQLITE_OK,
                         whole);
        sqlite3_close(db);
        struct job *j = scan(dir);
        struct store *s = read_unit(j->units[0]);
        assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'ms_db' AND rows = 0"), 1);
        assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'ms_db' AND state = 'BAD' AND "
                                "used = 'no'"),
                         !whole);
        assert_int_equal(one(s, "SELECT count(*) FROM source WHERE kind = 'ms_db' AND state = 'ok' AND "
                                "used = 'no (same data in other files)'"),
                         whole);
        store_close(s);
        job_free(j);
    }
}

/*
 * Executions of a GPU have names alone; their types are in another table, their shapes in a third. A shape
 * that differs between launches, and a type that is told twice and differently, stay unknown.
 */
static void import_gives_ops_of_gpus_types_and_shapes(void **state)
{
    (void)state;
    char dir[300];
    path_of(dir, sizeof dir, "gpu");
    assert_int_equal(mkdir(dir, 0700), 0);
    path_of(dir, sizeof dir, "gpu/profiler");
    assert_int_equal(mkdir(dir, 0700), 0);
    write_text(dir, "start_time_0.txt",
               "host_monotonic_raw_time(ns): 55000000000000\ngpu_start_time(ns): 1649999999999900000\n");
    write_text(dir, "gpu_op_execute_timestamp_0.txt",
               "Default/a/Mul-op9;GpuOps;1650000000000667401,270.921 1650000000002255643,224.401 \n"
               "Default/b/MatMul-op3;GpuOps;1650000000000967401,70.5 \n"
               "Default/c/Odd-op4;GpuOps;1650000000000977401,70.5 \n");
    write_text(dir, "gpu_op_detail_info_0.csv",
               "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),op_avg_time(us),"
               "total_proportion,cuda_activity_cost_time(us),cuda_activity_call_count\n"
               "Device,Mul,Mul-op9,Default/a/Mul-op9,2,495.322,247.661,0.8,430.187,8\n"
               "Device,One,Odd-op4,Default/c/Odd-op4,1,70.5,70.5,0.1,70.5,1\n"
               "Device,Two,Odd-op4,Default/c/Odd-op4,1,70.5,70.5,0.1,70.5,1\n");
    write_text(dir, "gpu_framework_0.txt",
               "Mul;Mul-op9;2;input_0:32,10;\nMatMul;MatMul-op3;1;input_0:32,1;\nMatMul;MatMul-op3;1;input_0:"
               "32,2;\n");
    struct job *j = scan(dir);
    struct store *s = read_unit(j->units[0]);
    const char *of =
        "SELECT count(*) FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN string t ON t.id = "
        "o.type_id LEFT JOIN string i ON i.id = o.in_shapes_id WHERE ";
    char sql[600];
    assert_int_equal(one(s, "SELECT count(*) FROM op_exec"), 4);
    snprintf(sql, sizeof sql, "%s t.text = 'Mul' AND i.text = 'input_0:32,10'", of);
    assert_int_equal(one(s, sql), 2);
    snprintf(sql, sizeof sql, "%s t.text = 'MatMul' AND i.text IS NULL", of);
    assert_int_equal(one(s, sql), 1);
    snprintf(sql, sizeof sql, "%s t.text IS NULL", of);
    assert_int_equal(one(s, sql), 1);
    store_close(s);
    job_free(j);
}

static void import_generic_adds_a_table_once(void **state)
{
    (void)state;
    char dir[300], path[700], store[300], name[64];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    bool partial;
    path_of(dir, sizeof dir, "gen");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 1, .ranks = 1, .steps = 2 }, dir, NULL, &e), OK);
    snprintf(path, sizeof path, "%s/profiler/my notes.csv", dir);
    FILE *out = fopen(path, "w");
    fputs("what,\"how \"\"much\",how many\nabc,1.5,7\n\"x,y\",,0012\n", out);
    fclose(out);
    path_of(store, sizeof store, "generic.npus");
    struct job *j = scan(dir);
    const struct import_opts o = { .store_path = store };
    assert_int_equal(import_unit(j->units[0], &o, NULL, &partial, &e), OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(import_generic(store, j->units[0], "my notes.csv", NULL, name, sizeof name, &e), OK);
        assert_int_equal(store_open(&s, store, false, &e), OK);
        char sql[200];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM %s WHERE what = 'x,y' AND \"how \"\"much\" IS NULL AND "
                 "\"how many\" = '0012'",
                 name);
        assert_int_equal(one(s, sql), 1);
        assert_int_equal(one(s, "SELECT rows FROM source WHERE path = 'my notes.csv'"), 2);
        char *key = unit_input_key(j->units[0]);
        assert_true(store_is_current(s, key));
        free(key);
        store_close(s);
    }
    assert_int_equal(import_generic(store, j->units[0], "nosuch.csv", NULL, name, sizeof name, &e),
                     ERR_USAGE);
    job_free(j);
}

static bool stop_early(void *arg)
{
    return ++*(int *)arg > 12;
}

static void import_stopped_keeps_what_is_whole(void **state)
{
    (void)state;
    char dir[300];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    bool partial = false;
    int calls = 0;
    path_of(dir, sizeof dir, "stop");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 2 }, dir, NULL, &e), OK);
    struct job *j = scan(dir);
    const struct import_opts o = { .cancelled = stop_early, .arg = &calls };
    assert_int_equal(import_unit(j->units[0], &o, &s, &partial, &e), OK);
    assert_true(partial);
    assert_true(one(s, "SELECT count(*) FROM source WHERE state = 'ok' AND used = 'yes'") > 0);
    assert_true(one(s, "SELECT count(*) FROM source WHERE state = 'UNREAD' AND used IS NULL") > 0);
    char *key = unit_input_key(j->units[0]);
    assert_false(store_is_current(s, key));
    free(key);
    store_close(s);
    job_free(j);
}

struct order {
    bool small_done;
    int big_before, steps_after, commits;
};

static void watch_order(void *arg, const struct import_progress *p)
{
    struct order *o = arg;
    bool big = p->now && (strstr(p->now, "kernel_details") || strstr(p->now, "trace_view"));

    o->small_done |= p->small_done;
    o->big_before += big && !o->small_done;
    o->steps_after += o->small_done && p->now && strstr(p->now, "step_trace_time") != NULL;
    o->commits += p->committed;
}

static void import_small_tables_come_first(void **state)
{
    (void)state;
    char dir[300];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct order seen = { .small_done = false };
    path_of(dir, sizeof dir, "order");
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 2 }, dir, NULL, &e), OK);
    struct job *j = scan(dir);
    const struct import_opts o = { .progress = watch_order, .arg = &seen };
    assert_int_equal(import_unit(j->units[0], &o, &s, NULL, &e), OK);
    assert_true(seen.small_done);
    assert_true(seen.commits > 3);
    assert_int_equal(seen.big_before, 0);
    assert_int_equal(seen.steps_after, 0);
    store_close(s);
    job_free(j);
}

struct watched {
    int looks;
    int64_t acts, steps, execs; /* rows, when something was first running */
};

static void watch_ending(void *arg, const struct import_progress *p)
{
    struct watched *w = arg;
    struct err e = ERR_INIT;
    struct store *s = NULL;
    if (!p->committed || w->acts || store_open(&s, p->temp_path, true, &e))
        return;
    w->looks++;
    w->acts = one(s, "SELECT count(*) FROM last_activity WHERE state = 'running'");
    w->steps = one(s, "SELECT count(*) FROM step");
    w->execs = one(s, "SELECT count(*) FROM op_exec");
    store_close(s);
}

static void check_query(struct store *a, struct store *b, const char *sql)
{
    struct err e = ERR_INIT;
    struct query *x = NULL, *y = NULL;
    assert_int_equal(store_query(a, &x, sql, &e), OK);
    assert_int_equal(store_query(b, &y, sql, &e), OK);
    size_t n = 0;
    while (query_step(x, &e) == 1) {
        assert_int_equal(query_step(y, &e), 1);
        assert_true(str_eq(query_str(x, 0), query_str(y, 0)));
        n++;
    }
    assert_int_equal(query_step(y, &e), 0);
    assert_true(n > 0);
    query_free(x);
    query_free(y);
}

/*
 * A screen sees how a large raw run ended before its executions are read; in the end the store is that of a
 * run nobody watched.
 */
static void import_reports_the_end_of_a_large_raw_run_first(void **state)
{
    static const char *const same[] = {
        "SELECT step || ' ' || complete || ' ' || ifnull(start_ns, '-') || ' ' || ifnull(end_ns, "
        "'-') || ' ' || source_id || ' ' || line FROM step ORDER BY step",
        "SELECT track || ' ' || state || ' ' || ts_ns || ' ' || (SELECT text FROM string WHERE id "
        "= name_id) FROM last_activity ORDER BY 1",
        "SELECT source_id || ' ' || code || ' ' || text FROM note ORDER BY 1",
        "SELECT count(*) || ' ' || sum(dur_ns) FROM op_exec",
        "SELECT count(*) FROM step_part",
        "SELECT count(*) FROM op",
    };
    char dir[300], path[300];
    struct err e = ERR_INIT;
    struct watched w = { .looks = 0 };
    struct store *s = NULL;
    (void)state;
    path_of(dir, sizeof dir, "ending");
    path_of(path, sizeof path, "ending.npus");
    const struct demo_opts d = { .gen = 1, .ranks = 1, .steps = 120, .raw = true, .crash_step = 100 };
    assert_int_equal(demo_write(&d, dir, NULL, &e), OK);
    struct job *j = scan(dir);
    const struct import_opts o = { .store_path = path, .watched = true, .progress = watch_ending, .arg = &w };
    assert_int_equal(import_unit(j->units[0], &o, NULL, NULL, &e), OK);
    assert_true(w.acts > 0);
    assert_int_equal(w.steps, 100);
    assert_int_equal(w.execs, 0);
    struct store *plain = read_unit(j->units[0]);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        check_query(plain, s, same[i]);
    store_close(s);
    store_close(plain);
    job_free(j);
}

static void put_task_time(const char *path)
{
    static const char *const streams[] = { "7", "2", "N/A", "30" };
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_"
          "stop(us)\n",
          f);
    for (int i = 0; i < 9000; i++)
        fprintf(f, "0,net/op%d,%s,%s,%d,%d.5,%d.250\t,0\n", i % 40, i % 40 == 3 ? "HCCL" : "AI_CORE",
                streams[i * 7 % 4], i, i % 90, 1000000 + (i ^ 5) * 11);
    fclose(f);
}

/*
 * Name, events and durations of the tracks in their order, from the tracks or from the executions they are
 * made of.
 */
static void check_streams(struct store *s)
{
    static const char *const both[] = {
        "SELECT group_concat(name || ':' || n || ':' || d || ':' || t0) FROM (SELECT x.text AS "
        "name, "
        "count(*) AS n, sum(e.dur_ns) AS d, min(e.ts_ns) AS t0 FROM track t JOIN string x ON x.id "
        "= "
        "t.name_id JOIN event e ON e.track_id = t.id WHERE t.kind = 'stream' GROUP BY t.id ORDER "
        "BY t.id)",
        "SELECT group_concat('Stream ' || name || ':' || n || ':' || d || ':' || t0) FROM (SELECT "
        "ifnull(e.stream, '-') AS name, count(*) AS n, sum(dur_ns) AS d, min(ts_ns) AS t0 FROM "
        "op_exec e "
        "JOIN op o ON o.id = e.op_id WHERE o.core <> 'HCCL' GROUP BY e.stream ORDER BY e.stream)",
    };
    char text[2][500];

    for (size_t i = 0; i < 2; i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        assert_int_equal(store_query(s, &q, both[i], &e), OK);
        assert_int_equal(query_step(q, &e), 1);
        str_copy(query_str(q, 0), text[i], sizeof text[i]);
        query_free(q);
    }
    assert_string_equal(text[0], text[1]);
    assert_true(strncmp(text[0], "Stream -:", 9) == 0);
    assert_non_null(strstr(text[0], ",Stream 2:"));
}

static void import_executions_become_tracks_of_their_streams(void **state)
{
    (void)state;
    char dir[300], file[400], store[400];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    bool partial;

    path_of(dir, sizeof dir, "streams");
    mkdir(dir, 0700);
    snprintf(file, sizeof file, "%s/task_time_20250109155200.csv", dir);
    snprintf(store, sizeof store, "%s/../streams.npus", dir);
    put_task_time(file);
    struct job *j = scan(dir);
    s = read_unit(j->units[0]);
    check_streams(s);
    store_close(s);
    const struct import_opts o = { .store_path = store };
    assert_int_equal(import_unit(j->units[0], &o, &s, &partial, &e), OK);
    assert_int_equal(store_open(&s, store, false, &e), OK);
    check_streams(s);
    store_close(s);
    job_free(j);
}

static void put_trace(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputc('[', f);
    for (int i = 0; i < 40000; i++) {
        int t = 1000 + (i ^ (i % 64 == 5 ? 3 : 0)) * 10;
        const char *ph = i % 9 == 4 ? "s" : i % 9 == 5 ? "f" : i % 31 == 7 ? "C" : "X";
        fprintf(f,
                "{\"name\": \"net/layer%d/op%d\", \"pid\": %d, \"tid\": %d, \"ts\": \"%d.%03d\", "
                "\"ph\": \"%s\", ",
                i % 700, i % 13, i % 2, i % 5, t, i % 1000, ph);
        fprintf(f,
                "\"dur\": %d.5, \"cat\": \"HostToDevice\", \"id\": \"%d\", \"args\": {\"value\": "
                "%d, \"text\": \"%060d\"}}%s\n",
                i % 50, i / 9, i % 77, i, i % 3000 == 2999 ? " damage" : ",");
    }
    fputs("{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": \"Ascend "
          "Hardware\"}}]",
          f);
    fclose(f);
}

static char *whole_file(const char *path, size_t *n)
{
    struct err e = ERR_INIT;
    char *p = NULL;

    assert_int_equal(infile_read_all(path, (size_t)64 << 20, &p, n, &e), OK);
    return p;
}

/* Both stores are equal but for the page that says when they were made. */
static void check_equal_files(const char *a, const char *b)
{
    size_t na, nb, differ = 0;
    char *pa = whole_file(a, &na), *pb = whole_file(b, &nb);

    assert_int_equal(na, nb);
    for (size_t at = 0; at < na; at += 4096) {
        struct str page = { pa + at, 4096 };
        if (memcmp(pa + at, pb + at, 4096) == 0)
            continue;
        differ++;
        if (str_find(page, STR("imported_ns"), 0) == SIZE_MAX)
            fail_msg("page %zu differs", at / 4096 + 1);
    }
    assert_true(na > 20 * 4096 && differ <= 1);
    free(pa);
    free(pb);
}

/* Kernels with counters: several MiB, so that the windows pass round; damage of every kind. */
static void put_kernels(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start "
          "Time(us),Task Duration(us),Task Wait Time(us),Block Dim,Input Shapes,Model "
          "Name,aicore_time(us),aic_total_cycles,aic_mac_ratio,cube_fops\n",
          f);
    for (int i = 0; i < 40000; i++) {
        const char *core = i % 3 ? "AI_CORE" : "AI_VECTOR_CORE";
        fprintf(f, "0,%d,%d,%d,net/layer%d/op%d,MatMul%d,dynamic,%s,%d.%03d\t,%s%d.%d,%d.5,%d,", i % 2, i,
                i % 5, i % 700, i % 13, i % 13, core, 1000 + i * 10, i % 1000, i % 6007 == 6 ? "-" : "",
                i % 50, i % 7, i % 9, i % 24);
        fprintf(f, "\"\"\"%d,16;8\"\"\",%s,%d.25,%s,0.%d,%d\n", i % 11, i % 901 ? "m" : "n\"n", i % 77,
                i % 3001 == 9 ? "x17" : "4711", i % 101, i % 30);
        if (i % 7001 == 70)
            fputs(i % 2 ? "one cell\n" : "0,1,\"no end\n", f);
    }
    fputs("0,1,40000,2,net/layer1/op9,MatMul9,dyn", f); /* cut */
    fclose(f);
}

/* Import the directory with one thread and with two. The caller closes the store, the second one. */
static struct store *import_both_ways(const char *dir, const char *name)
{
    char store[2][400];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *j = scan(dir);

    for (unsigned i = 0; i < 2; i++) {
        bool partial;
        struct store *none = NULL;
        snprintf(store[i], sizeof store[i], "%s/../%s%u.npus", dir, name, i + 1);
        const struct import_opts o = { .store_path = store[i], .threads = i + 1 };
        assert_int_equal(import_unit(j->units[0], &o, &none, &partial, &e), OK);
    }
    check_equal_files(store[0], store[1]);
    assert_int_equal(store_open(&s, store[1], false, &e), OK);
    job_free(j);
    return s;
}

static void import_trace_is_the_same_with_one_and_two_threads(void **state)
{
    (void)state;
    char dir[300], file[400];

    path_of(dir, sizeof dir, "threads");
    mkdir(dir, 0700);
    snprintf(file, sizeof file, "%s/trace_view.json", dir);
    put_trace(file);
    struct store *s = import_both_ways(dir, "threads");
    assert_int_equal(one(s, "SELECT count(*) FROM note WHERE code = 'BAD_EVENT'"), 13);
    assert_true(one(s, "SELECT count(*) FROM event") > 25000);
    store_close(s);
}

static void import_table_is_the_same_with_one_and_two_threads(void **state)
{
    (void)state;
    char dir[300], file[400];

    path_of(dir, sizeof dir, "rows");
    mkdir(dir, 0700);
    snprintf(file, sizeof file, "%s/op_summary_20250109155200.csv", dir);
    put_kernels(file);
    struct store *s = import_both_ways(dir, "rows");
    assert_true(one(s, "SELECT count(*) FROM op_exec") > 39000);
    assert_true(one(s, "SELECT count(*) FROM op_counter") > 39000);
    assert_int_equal(one(s, "SELECT count(*) FROM note WHERE code = 'BAD_VALUE'"),
                     14 + 3); /* "one cell" is no device */
    assert_int_equal(one(s, "SELECT sum(count) FROM note WHERE code = 'INCONSISTENT'"), 7);
    assert_true(one(s, "SELECT count(*) FROM note WHERE code = 'BAD_ROW'") > 0);
    assert_int_equal(one(s, "SELECT count(*) FROM note WHERE code = 'TORN_RECORD'"), 1);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(import_gen2_demo_gives_its_own_sums),
        cmocka_unit_test(import_gen1_demo_keeps_ranks_apart),
        cmocka_unit_test(import_takes_the_whole_source_of_a_topic),
        cmocka_unit_test(import_takes_the_source_with_rows),
        cmocka_unit_test(import_says_nothing_of_the_data_of_a_damaged_file),
        cmocka_unit_test(import_gives_ops_of_gpus_types_and_shapes),
        cmocka_unit_test(import_generic_adds_a_table_once),
        cmocka_unit_test(import_stopped_keeps_what_is_whole),
        cmocka_unit_test(import_small_tables_come_first),
        cmocka_unit_test(import_reports_the_end_of_a_large_raw_run_first),
        cmocka_unit_test(import_trace_is_the_same_with_one_and_two_threads),
        cmocka_unit_test(import_table_is_the_same_with_one_and_two_threads),
        cmocka_unit_test(import_executions_become_tracks_of_their_streams),
    };
    return cmocka_run_group_tests(tests, make_top, drop_top);
}
