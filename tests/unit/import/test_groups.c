/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of raw files in a unit: which files make one, and what becomes of them when the unit is read into a
 * store.
 */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "import/groups.h"
#include "import/import.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

#define HWTS(k)      "data/hwts.data.0.slice_" #k
#define TASK_FILE(k) "data/Framework.host.vm.task_desc_info.0.slice_" #k
#define JOB          "profiler/JOBAAA/"
#define PROF         "profiler/PROF_000001_20230418100000123_ABCDEFGH/"

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/*
 * n executions of op 7 on stream 4 from tick t (100, 200 ... of slices in order) on: start and end one tick
 * apart.
 */
static void put_hwts(const char *rel, uint64_t t, size_t n, size_t cut)
{
    unsigned char p[40 * HWTS_B];

    assert_true(2 * n * HWTS_B <= sizeof p);
    for (size_t i = 0; i < 2 * n; i++)
        hwts_put(p + i * HWTS_B, (unsigned)((i & 1) | (t / 100 * 2 * n + i) % 16 << 4), 7, 4, t + i);
    tree_file_n(&tree, rel, (const char *)p, 2 * n * HWTS_B - cut);
}

static struct store *import(const char *rel, const struct import_opts *o)
{
    const struct import_opts none = { .store_path = NULL };
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;

    assert_int_equal(import_scan(&job, tree_path(&tree, rel), &e), OK);
    assert_int_equal(job->n_units, 1);
    assert_int_equal(import_unit(job->units[0], o ? o : &none, &s, NULL, &e), OK);
    job_free(job);
    return s;
}

/* First row of a statement, columns joined by '|'. */
static const char *row(struct store *s, const char *sql)
{
    static char text[600];
    struct err e = ERR_INIT;
    struct query *q = NULL;

    text[0] = '\0';
    if (store_query(s, &q, sql, &e))
        fail_msg("%s: %s", sql, e.text);
    if (query_step(q, &e) == 1)
        for (size_t i = 0, at = 0; i < query_columns(q) && at < sizeof text; i++) {
            struct val v = query_val(q, i);
            struct str t = v.t == VAL_TEXT ? v.s : STR("");
            const char *bar = i ? "|" : "";
            int n = v.t == VAL_INT ? snprintf(text + at, sizeof text - at, "%s%lld", bar, (long long)v.i)
                                   : snprintf(text + at, sizeof text - at, "%s%.*s", bar, (int)t.n, t.p);
            at += (size_t)n;
        }
    query_free(q);
    return text;
}

#define SOURCE(rel) "SELECT state, rows, lost, used, note FROM source WHERE path = '" rel "'"

static void groups_slices_are_read_in_order(void **state)
{
    (void)state;
    tree_file(&tree, JOB "host_start.log.0", "[Host]\n");
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    put_hwts(JOB HWTS(0), 100, 3, 0);
    put_hwts(JOB HWTS(2), 200, 3, 0);
    put_hwts(JOB HWTS(10), 300, 3, 0);
    tree_file(&tree, JOB HWTS(10) ".done", "");
    struct store *s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*), min(ts_ns), max(ts_ns), sum(dur_ns) FROM op_exec"),
                        "9|1000|3040|90");
    assert_string_equal(row(s, "SELECT group_concat(ts_ns) FROM (SELECT ts_ns FROM op_exec ORDER BY id)"),
                        "1000,1020,1040,2000,2020,2040,3000,3020,3040");
    assert_string_equal(row(s, "SELECT count(*) FROM event e JOIN track t ON t.id = e.track_id "
                               "WHERE t.kind = 'stream'"),
                        "9");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))), "ok|18|0|yes|");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(10))), "ok|0|0|yes, with the first slice|");
    assert_string_equal(row(s, SOURCE("JOBAAA/" TASK_FILE(0))), "ok|1|0|yes|");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(10) ".done")),
                        "listed||||that it is there is all it says");
    store_close(s);
}

static void groups_each_slice_has_its_own_state(void **state)
{
    (void)state;
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\nDefault/Mul");
    put_hwts(JOB HWTS(0), 100, 3, 30);
    put_hwts(JOB HWTS(1), 200, 3, 0);
    struct store *s = import("profiler", NULL);
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))),
                        "TORN|11|1|yes|at byte 320: a record is cut (34 of 64 bytes)");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(1))), "ok|0|0|yes, with the first slice|");
    assert_string_equal(row(s, "SELECT state, note FROM source WHERE path LIKE '%task_desc%'"),
                        "TORN|line 2: the last line has no end: it may be cut");
    assert_string_equal(row(s, "SELECT count(*) FROM op_exec"), "5");
    store_close(s);
}

static void groups_rest_when_an_analysed_file_feeds_the_table(void **state)
{
    (void)state;
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    put_hwts(JOB HWTS(0), 100, 3, 0);
    tree_file(&tree, "profiler/output_timeline_data_0.txt",
              "op_name, stream_id, start_time(ms), duration(ms)\nDefault/Add-op1,4,0.001,0.00001\n");
    struct store *s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*) FROM op_exec"), "1");
    assert_string_equal(
        row(s, "SELECT text FROM note WHERE code = 'DIFFERS'"),
        "Default/Add-op1: executions 1, 3 in JOBAAA/" HWTS(0) "; 1 of 1 ops with executions differ");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))), "UNREAD|||no (analysed files are read)|");
    store_close(s);

    /* one without rows feeds nothing */
    tree_file(&tree, "profiler/output_timeline_data_0.txt",
              "op_name, stream_id, start_time(ms), duration(ms)\n");
    s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*) FROM op_exec"), "3");
    store_close(s);
}

/* Of two jobs of one device the newest is read, and the files of the other say so. */
static void groups_read_the_newest_job(void **state)
{
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

    (void)state;
    tree_file(&tree, "profiler/JOBOLD/" TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    put_hwts("profiler/JOBOLD/" HWTS(0), 100, 3, 0);
    tree_file(&tree, JOB TASK_FILE(0), "Default/Mul-op2 1 7 4\n");
    put_hwts(JOB HWTS(0), 200, 5, 0);
    assert_int_equal(utimensat(AT_FDCWD, tree_path(&tree, "profiler/JOBOLD/" HWTS(0)), old, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, tree_path(&tree, "profiler/JOBOLD/" TASK_FILE(0)), old, 0), 0);
    struct store *s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*), min(ts_ns) FROM op_exec"), "5|2000");
    assert_string_equal(row(s, SOURCE("JOBOLD/" HWTS(0))), "UNREAD|||no (newer: JOBAAA/)|");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))), "ok|10|0|yes|");
    assert_string_equal(row(s, "SELECT count(*) FROM note"), "0");
    store_close(s);

    /* Also where it is damaged: the other one is of another run. */
    put_hwts(JOB HWTS(0), 200, 5, 30);
    s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*), min(ts_ns) FROM op_exec"), "4|2000");
    store_close(s);
}

#define TIMELINE "profiler/output_timeline_data_0.txt"
#define HEADER   "op_name, stream_id, start_time(ms), duration(ms)\n"
#define USED     "SELECT state, used FROM source WHERE path = 'output_timeline_data_0.txt'"

/*
 * A whole group wins over a damaged file, a damaged group only with more rows
 * (doc/store.md#kinds-and-tables).
 */
static void groups_win_over_a_damaged_file_when_they_have_more(void **state)
{
    (void)state;
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    put_hwts(JOB HWTS(0), 100, 3, 0);
    tree_file(&tree, TIMELINE, HEADER "Default/Add-op1,4,0.001,0.00001\nDefault/Add-op1,4,0.00");
    struct store *s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*), sum(dur_ns) FROM op_exec"), "3|30");
    assert_string_equal(row(s, USED), "TORN|no (whole in JOBAAA/" HWTS(0) ")");
    assert_string_equal(row(s, "SELECT text FROM note WHERE code = 'REPLACED'"),
                        "JOBAAA/" HWTS(0) " is used: it is whole");
    assert_string_equal(row(s, "SELECT count(*) FROM note WHERE code = 'TORN_RECORD'"), "1");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))), "ok|6|0|yes|");
    store_close(s);

    put_hwts(JOB HWTS(0), 100, 3, 30); /* two of three executions are whole: still one more */
    s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*), sum(dur_ns) FROM op_exec"), "2|20");
    assert_string_equal(row(s, USED), "TORN|no (more whole rows in JOBAAA/" HWTS(0) ")");
    store_close(s);

    tree_file(&tree, TIMELINE, HEADER "Default/Add-op1,4,0.001,0.00001\nDefault/Add-op1,4,0.001,0.00001\nD");
    s = import("profiler", NULL); /* as many: the file stays */
    assert_string_equal(row(s, USED), "TORN|yes");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))), "UNREAD|||no (analysed files are read)|");
    store_close(s);

    put_hwts(JOB HWTS(0), 100, 1, 0); /* whole, with fewer */
    s = import("profiler", NULL);
    assert_string_equal(row(s, "SELECT count(*) FROM op_exec"), "1");
    assert_string_equal(row(s, USED), "TORN|no (whole in JOBAAA/" HWTS(0) ")");
    store_close(s);
}

static void groups_a_file_that_killed_a_worker_is_left_out(void **state)
{
    const char *const skip[] = { "JOBAAA/" TASK_FILE(0) };
    const struct import_opts o = { .skip = skip, .n_skip = 1 };

    (void)state;
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    put_hwts(JOB HWTS(0), 100, 3, 0);
    struct store *s = import("profiler", &o);
    assert_string_equal(row(s, "SELECT state, note FROM source WHERE path LIKE '%task_desc%'"),
                        "BAD|parser stopped, please report");
    assert_string_equal(row(s, SOURCE("JOBAAA/" HWTS(0))),
                        "ok|6|0|yes|no Framework file names the tasks: no op times");
    store_close(s);
}

/* ---- finding ---- */

static void find(struct group_list *l, struct job **job, const char *rel)
{
    struct err e = ERR_INIT;

    assert_int_equal(import_scan(job, tree_path(&tree, rel), &e), OK);
    assert_int_equal(groups_find(l, (*job)->units[0], &e), OK);
}

static void groups_take_a_role_from_one_folder(void **state)
{
    struct group_list l;
    struct job *job;

    (void)state;
    put_hwts(JOB HWTS(0), 100, 1, 0);
    put_hwts(JOB "hwts.data.0.slice_0", 100, 1, 0);
    tree_file(&tree, JOB TASK_FILE(0), "Default/Add-op1 1 7 4\n");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    assert_int_equal(l.sets[0].n, 2);
    assert_string_equal(l.sets[0].m[0].c.f->rel, "JOBAAA/hwts.data.0.slice_0");
    assert_int_equal(l.sets[0].m[1].role, ROLE_FRAMEWORK_TASK);
    assert_true(str_eq(l.sets[0].anchor, STR("JOBAAA/")));
    groups_done(&l);
    job_free(job);

    find(&l, &job, "profiler/JOBAAA"); /* the folder alone is the anchor, too */
    assert_int_equal(l.n, 1);
    groups_done(&l);
    job_free(job);
}

static void groups_need_one_of_their_members(void **state)
{
    struct group_list l;
    struct job *job;

    (void)state;
    tree_file(&tree, JOB "host_start.log.0", "[Host]\n");
    tree_file(&tree, JOB "info.json.0", "{}");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 0);
    groups_done(&l);
    job_free(job);

    /* The marks of steps alone are enough. */
    tree_file(&tree, JOB "data/training_trace.46.dev.profiler_default_tag.0.slice_0", "x");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    groups_done(&l);
    job_free(job);
}

/* Framework may be missing; a PROF folder of later CANN makes more of the same device files. */
static void groups_of_a_device_need_no_task_file(void **state)
{
    struct group_list l;
    struct job *job;

    (void)state;
    put_hwts(PROF "device_0/data/hwts.data.0.slice_0", 100, 1, 0);
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    assert_string_equal(l.sets[0].kind->id, "gen1_device");
    groups_done(&l);
    job_free(job);

    tree_file(&tree, PROF "host/data/unaging.api_event.data.slice_0", "x");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    assert_string_equal(l.sets[0].kind->id, "prof");
    groups_done(&l);
    job_free(job);

    tree_file(&tree, PROF "device_0/data/Framework.task_desc_info.0.slice_0", "x");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 2);
    groups_done(&l);
    job_free(job);
}

/* What was sampled says something alone; beside tasks of MindSpore 1.x it is left to them. */
static void groups_of_samples_need_nothing_else(void **state)
{
    struct group_list l;
    struct job *job;

    (void)state;
    tree_file(&tree, PROF "device_0/data/npu_mem.data.0.slice_0", "x");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    assert_string_equal(l.sets[0].kind->id, "prof");
    groups_done(&l);
    job_free(job);

    put_hwts(PROF "device_0/data/hwts.data.0.slice_0", 100, 1, 0);
    tree_file(&tree, PROF "device_0/data/Framework.task_desc_info.0.slice_0", "x");
    find(&l, &job, "profiler");
    assert_int_equal(l.n, 1);
    assert_string_equal(l.sets[0].kind->id, "gen1_device");
    groups_done(&l);
    job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(groups_slices_are_read_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_each_slice_has_its_own_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_rest_when_an_analysed_file_feeds_the_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_read_the_newest_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_win_over_a_damaged_file_when_they_have_more, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(groups_a_file_that_killed_a_worker_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_take_a_role_from_one_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_need_one_of_their_members, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_of_a_device_need_no_task_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_of_samples_need_nothing_else, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
