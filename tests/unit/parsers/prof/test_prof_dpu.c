/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of DPUs: their records, rows of the store, msprof's timeline and database. */
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

#include "msprof/msprof.h"
#include "parsers/prof/host/dpu.h"
#include "parsers/prof/host/host.h"
#include "parsers/prof/host/host_at.h"
#include "store/store.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST  PROF_NAME "/host/data/"
#define STAMP "20260102030405"
#define DPU_3 (1u << 12 | 3)
#define DPU_4 (1u << 12 | 4)

static struct tree tree;
static struct prof_case c;

static void put_track(unsigned char *p, unsigned device, unsigned task, uint64_t start)
{
    prof_head(p, 64, PROF_L_RUNTIME, 0, 9, start + 100);
    put_le(p + DT_DEVICE, device, 2);
    put_le(p + DT_STREAM, 6, 2);
    put_le(p + DT_TASK, task, 4);
    put_le(p + DT_START, start, 8);
}

static void put_comm(unsigned char *p)
{
    const double us = 2.5;
    uint64_t bits;

    memcpy(&bits, &us, sizeof bits);
    prof_head(p, 256, PROF_L_COMMUNICATION, 0, 8, 7400);
    put_le(p + DC_ITEM, 6, 8);
    put_le(p + DC_TAG, 99, 8);
    put_le(p + DC_GROUP, 5, 8);
    put_le(p + DC_LOCAL, 1, 4);
    put_le(p + DC_REMOTE, 2 | 1u << 16, 4);
    put_le(p + DC_RANKS, 8, 4);
    put_le(p + DC_STAGE, 4, 4);
    put_le(p + DC_NOTIFY, 77, 8);
    put_le(p + DC_START, 7200, 8);
    put_le(p + DC_ESTIMATED, bits, 8);
    put_le(p + DC_SIZE, 1000000, 8);
    put_le(p + DC_TASK, 21, 4);
    put_le(p + DC_AICPU_TASK, 31, 4);
    put_le(p + DC_STREAM, 5, 2);
    put_le(p + DC_PLANE, 1, 2);
    put_le(p + DC_NPU, 2, 2);
    put_le(p + DC_DPU, DPU_3, 2);
    put_le(p + DC_OP_TYPE, 0, 1);
    put_le(p + DC_DATA_TYPE, 4, 1);
    put_le(p + DC_LINK, 3, 1);
    put_le(p + DC_TRANSPORT, 200, 1); /* without a word */
    put_le(p + DC_RDMA, 255, 1);
    put_le(p + DC_ROLE, 1, 1);
    put_le(p + DC_MODE, 6, 1);
}

/* Kernels: two of one DPU have one id, the last is meant; one of another, one of an NPU. */
static void put_kernels(void)
{
    static const unsigned device[] = { DPU_3, DPU_3, DPU_4, 3 }, name[] = { 7, 8, 9, 9 };
    unsigned char p[4 * 64];

    for (unsigned i = 0; i < 4; i++) {
        prof_head(p + (size_t)64 * i, 64, PROF_L_RUNTIME, 0, 9, 7000 + i);
        put_le(p + 64 * i + HT_DEVICE, device[i], 2);
        put_le(p + 64 * i + HT_STREAM, 6, 2);
        put_le(p + 64 * i + HT_TASK, 11, 2);
        put_le(p + 64 * i + HT_KERNEL, name[i], 8);
    }
    tree_file_n(&tree, HOST "aging.compact.task_track.slice_0", (const char *)p, sizeof p);
}

static int set_up_chip(int chip)
{
    unsigned char track[3 * 64], comm[256];

    tree_new(&tree);
    prof_info_files(&tree, chip);
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0",
              "5:group_a\n6:Write\n7:first\n8:kernel\n9:other\n");
    put_kernels();
    put_track(track, DPU_3, 11, 7300);
    put_track(track + 64, DPU_4, 12, 7500);
    put_track(track + 128, DPU_3, 11, 6900); /* before the collection */
    put_comm(comm);
    tree_file_n(&tree, HOST "aging.compact.dpu_track.slice_0", (const char *)track, sizeof track);
    tree_file_n(&tree, HOST "aging.additional.dpu_hccl_info.slice_0", (const char *)comm, sizeof comm);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    return set_up_chip(5);
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static void open_case(void)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
}

static void is_text(uint32_t text, const char *want)
{
    char buf[100];

    assert_string_equal(str_copy(prof_str(c.p, text), buf, sizeof buf), want);
}

static void tasks_are_read_field_by_field(void **state)
{
    struct err e = ERR_INIT;
    struct prof_dpu d;
    struct prof_host h;

    (void)state;
    open_case();
    assert_int_equal(prof_dpu_read(&d, c.p, &e), OK);
    assert_int_equal(d.n, 4);
    const struct prof_dpu_task *x = &d.v[0];
    assert_true(x->is_comm && x->device == 3 && x->npu == 2 && x->plane == 1);
    assert_true(x->start == 7200 && x->end == 7400 && x->thread == 8);
    assert_true(x->stream == 5 && x->task == 21 && x->aicpu_task == 31);
    is_text(x->name, "Write");
    is_text(x->group, "group_a");
    is_text(x->group_text, "5");
    assert_true(x->notify == 77 && x->size_b == 1000000 && x->tag == 99);
    assert_true(x->estimated > 2.4 && x->estimated < 2.6);
    assert_true(x->local_rank == 1 && x->remote_rank == 65538 && x->ranks == 8 && x->stage == 4);
    assert_true(x->op_type == 0 && x->data_type == 4 && x->link == 3 && x->transport == 200);
    assert_true(x->rdma == 255 && x->role == 1 && x->mode == 6);
    x = &d.v[1];
    assert_true(!x->is_comm && x->device == 3 && x->stream == 6 && x->task == 11);
    assert_true(x->start == 7300 && x->end == 7400 && x->thread == 9);
    is_text(x->name, "kernel");
    assert_int_equal(d.v[2].device, 4);
    assert_int_equal(d.v[2].name, PROF_NONE);
    prof_dpu_done(&d);
    assert_int_equal(prof_host_read(&h, c.p, &e), OK);
    assert_int_equal(h.n_tasks, 1); /* of the NPU */
    prof_host_done(&h);
    prof_case_close(&c);
}

/* ---- the export ---- */

static void export_all(bool compat)
{
    char dir[600];
    const struct msprof_options o = {
        .what = MSPROF_TIMELINE | MSPROF_DB, .dir = dir, .stamp = STAMP, .compat = compat
    };
    struct emit_report *report;
    struct err e = ERR_INIT;

    snprintf(dir, sizeof dir, "%s", tree_path(&tree, "out"));
    open_case();
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    emit_report_free(report);
    prof_case_close(&c);
}

static const char *trace_of(void)
{
    static char text[1 << 16];
    const char *path = tree_path(&tree, "out/mindstudio_profiler_output/msprof_" STAMP ".json");
    FILE *f = fopen(path, "r");

    if (!f)
        fail_msg("there is no %s", path);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    return text;
}

#define META(name, pid, tid, args)                                                                           \
    "{\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid ",\"ph\":\"M\",\"args\":{" args "}}"
#define PROCESS(pid, label)                                                                                  \
    META("process_name", pid, "0", "\"name\":\"CANN\"")                                                      \
    "," META("process_labels", pid, "0", "\"labels\":\"" label "\"") "," META("process_sort_index", pid,     \
                                                                              "0", "\"sort_index\":8")
#define STREAM(pid, n)                                                                                       \
    META("thread_name", pid, n, "\"name\":\"Stream " n "\"")                                                 \
    "," META("thread_sort_index", pid, n, "\"sort_index\":" n)

static void trace_has_a_process_for_each(void **state)
{
    (void)state;
    export_all(false);
    const char *want = PROCESS("79107", "DPU 3") "," STREAM("79107", "5") "," STREAM(
        "79107", "6") ","
                      "{\"name\":\"Write\",\"pid\":79107,\"tid\":5,\"ts\":\"5000002.000\",\"dur\":2.0,"
                      "\"ph\":\"X\",\"args\":{\"Thread Id\":8,\"Physic Stream Id\":5,\"Task Id\":21,"
                      "\"OP Type\":\"SUM\",\"AI CPU Device Id\":2,\"AI CPU Task Id\":31,"
                      "\"Group Name\":\"group_a(5)\",\"Plane Id\":1,\"Notify Id\":\"77\","
                      "\"Duration Estimated(us)\":2.5,\"Rank Size\":8,\"Src Rank\":1,\"Dst Rank\":2,"
                      "\"Transport "
                      "Type\":\"200\",\"Size(Byte)\":1000000,\"Bandwidth(GB/s)\":500.00000000000006,"
                      "\"Data Type\":\"FP32\",\"Link Type\":\"ROCE\",\"Rdma Type\":\"RESERVED\"}},"
                      "{\"name\":\"kernel\",\"pid\":79107,\"tid\":6,\"ts\":\"5000003.000\",\"dur\":1.0,"
                      "\"ph\":\"X\",\"args\":{\"Thread Id\":9,\"Physic Stream Id\":6,\"Task Id\":11,"
                      "\"Task Type\":\"AI_CPU\"}}," PROCESS("79108", "DPU 4") "," STREAM(
                          "79108", "6") ","
                                        "{\"name\":\"N/"
                                        "A\",\"pid\":79108,\"tid\":6,\"ts\":\"5000005.000\",\"dur\":1.0,"
                                        "\"ph\":\"X\",\"args\":{\"Thread Id\":9,\"Physic Stream "
                                        "Id\":6,\"Task Id\":12,"
                                        "\"Task Type\":\"AI_CPU\"}}";
    const char *text = trace_of();
    if (!strstr(text, want))
        assert_string_equal(text, want);
}

/* 910A; what began before the collection is there, too. */
static void trace_of_python_says_more(void **state)
{
    (void)state;
    tree_done(&tree);
    (void)set_up_chip(1);
    export_all(false);
    const char *text = trace_of();
    assert_non_null(strstr(text, "\"Dst Rank\":65538"));
    assert_non_null(strstr(text, "\"Role\":\"SRC\",\"Ccl Tag\":\"99\",\"Work Flow Mode\":"
                                 "\"6\",\"Stage\":\"4\"}"));
    assert_non_null(strstr(text, "\"labels\":\"DPU 4\""));
    assert_non_null(strstr(text, "\"ts\":\"4999999.000\""));
}

static void assert_db(const char *sql, const char *want)
{
    char text[4096] = "";
    size_t n = 0;
    sqlite3 *db;
    sqlite3_stmt *st;

    assert_int_equal(
        sqlite3_open_v2(tree_path(&tree, "out/msprof_" STAMP ".db"), &db, SQLITE_OPEN_READONLY, NULL),
        SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%c", (const char *)sqlite3_column_text(st, i),
                                  i + 1 < sqlite3_column_count(st) ? '|' : '\n');
    sqlite3_finalize(st);
    sqlite3_close(db);
    assert_string_equal(text, want);
}

static void database_has_a_table(void **state)
{
    (void)state;
    export_all(false);
    assert_db("SELECT dpuDeviceId, globalTid, startNs, endNs, streamId, taskId, n.value, a.value "
              "FROM DPU_TASK JOIN STRING_IDS n ON n.id = opName JOIN STRING_IDS a ON a.id = args "
              "ORDER BY startNs",
              "3|8|5000002000|5000004000|5|21|Write|{\"Thread Id\":8,\"Physic Stream Id\":5,"
              "\"Task Id\":21,\"OP Type\":\"SUM\",\"AI CPU Device Id\":2,\"AI CPU Task Id\":31,"
              "\"Group Name\":\"group_a(5)\",\"Plane Id\":1,\"Notify Id\":\"77\","
              "\"Duration Estimated(us)\":2.5,\"Rank Size\":8,\"Src Rank\":1,\"Dst Rank\":2,"
              "\"Transport Type\":\"200\",\"Size(Byte)\":1000000,\"Bandwidth(B/s)\":500000000000.0,"
              "\"Data Type\":\"FP32\",\"Link Type\":\"ROCE\",\"Rdma Type\":\"RESERVED\"}\n"
              "3|9|5000003000|5000004000|6|11|kernel|{\"Thread Id\":9,\"Physic Stream Id\":6,"
              "\"Task Id\":11,\"Task Type\":\"AI_CPU\"}\n"
              "4|9|5000005000|5000006000|6|12|N/A|{\"Thread Id\":9,\"Physic Stream Id\":6,"
              "\"Task Id\":12,\"Task Type\":\"AI_CPU\"}\n");
    assert_db("SELECT count(DISTINCT globalTaskId) FROM DPU_TASK", "3\n");
}

static void database_of_compat_has_msprofs_arrays(void **state)
{
    (void)state;
    export_all(true);
    assert_db("SELECT a.value FROM DPU_TASK JOIN STRING_IDS a ON a.id = args WHERE taskId = 12",
              "[\"Thread Id\",9,\"Physic Stream Id\",6,\"Task Id\",12,\"Task Type\",\"AI_CPU\"]\n");
}

/* ---- the store ---- */

#define TEXT(id) "(SELECT text FROM string WHERE id = " id ")"

/* clang-format off */
static const char rows_sql[] =
    "SELECT " TEXT("t.process_id") " || '|' || " TEXT("t.name_id") " || '|' || " TEXT("e.name_id")
    " || '|' || e.dur_ns "
    "FROM event e JOIN track t ON t.id = e.track_id ORDER BY e.ts_ns";
/* clang-format on */

static void rows_are_tracks(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    struct query *q = NULL;
    char path[600], text[1000] = "";
    size_t n = 0;

    (void)state;
    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    const struct import_opts o = { .store_path = path };
    assert_int_equal(import_scan(&job, tree_path(&tree, PROF_NAME), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    assert_int_equal(store_query(s, &q, rows_sql, &e), OK);
    while (query_step(q, &e) == 1) {
        struct val v = query_val(q, 0);
        n += (size_t)snprintf(text + n, sizeof text - n, "%.*s\n", (int)v.s.n, v.s.p);
    }
    query_free(q);
    store_close(s);
    assert_string_equal(text, "DPU|DPU 3 Stream 5|Write|2000\nDPU|DPU 3 Stream 6|kernel|1000\n"
                              "DPU|DPU 4 Stream 6|AI_CPU|1000\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tasks_are_read_field_by_field),
        TEST(trace_has_a_process_for_each),
        TEST(trace_of_python_says_more),
        TEST(database_has_a_table),
        TEST(rows_are_tracks),
        TEST(database_of_compat_has_msprofs_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
