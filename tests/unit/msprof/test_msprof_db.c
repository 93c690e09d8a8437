/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database of an export (doc/formats/msprof.md#database): how tasks are told, which tables there are,
 * where msprof's wrong values stand.
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

#include "emit/report.h"
#include "msprof/run.h"
#include "tests/unit/parsers/prof/comm_case.h"
#include "tests/unit/tree_case.h"

static bool never(const struct sink *s)
{
    (void)s;
    return false;
}

/* A run of one device, 910B unless said otherwise; its host counts ns. */
struct run {
    struct comm_case *x;
    struct prof_folder host;
    struct prof_folder *device[1];
    struct msprof_options o;
    struct msprof_clock clock;
    struct prof_pmu *pmu[1];
    struct prof_freq freq[4];
    struct msprof_met met;
    struct sink_ops ops;
    struct sink notes;
    struct msprof_run r;
};

/* The file that the changes of frequency are of. */
static const struct source_file changes;

static void run_new(struct run *t)
{
    struct err e = ERR_INIT;

    *t = (struct run){ .x = comm_case_new(),
                       .ops = { .cancelled = never },
                       .o = { .what = MSPROF_DB, .dir = tree_path(&tree, ""), .stamp = "20240102030405" } };
    struct prof *p = &t->x->p;
    t->host = (struct prof_folder){ .host = true, .device = 64 };
    t->host.meta = (struct prof_meta){ .begin_us = 5000000,
                                       .end_us = 6000000,
                                       .has_end = true,
                                       .start_mono_ns = 1000000000,
                                       .host_mono_ns = 1000000000,
                                       .pid = 7,
                                       .host_uid = STR("uid"),
                                       .host_name = STR("name") };
    p->host = &t->host;
    t->device[0] = &t->x->folder;
    p->device = t->device;
    p->n_devices = 1;
    p->platform = t->x->folder.meta.platform = 5;
    p->chip = chip_of(5);
    t->notes.ops = &t->ops;
    t->freq[0] = (struct prof_freq){ .counter = 3000, .mhz = 1800 };
    t->freq[1] = (struct prof_freq){ .counter = 3100, .mhz = 900 };
    t->x->folder.file[PROF_FREQ][0] = &changes;
    t->x->d.freq = t->freq;
    t->x->d.n_freq = 2;
    t->r = (struct msprof_run){ .o = &t->o,
                                .m = { .p = p, .dev = &t->x->d, .n_dev = 1, .comm = &t->x->c },
                                .clock = &t->clock,
                                .how = &t->x->how,
                                .pmu = t->pmu,
                                .met = &t->met,
                                .notes = &t->notes };
    assert_int_equal(emit_report_new(&t->r.report, &e), OK);
}

static void run_free(struct run *t)
{
    msprof_soc_done(&t->r.soc, t->r.m.n_dev);
    emit_report_free(t->r.report);
    comm_case_free(t->x);
}

/* A task of the host; op: its name, NULL: it is none. Called in order of (stream, task). */
static uint32_t host_task(struct run *t, uint32_t stream, uint32_t task, const char *op)
{
    struct comm_case *x = t->x;
    uint32_t i = (uint32_t)x->h.n_tasks++;

    x->host[i] = (struct prof_host_task){ .stream = stream,
                                          .task = task,
                                          .context = PROF_NONE,
                                          .type = prof_text(&x->p, STR("KERNEL_AICORE")),
                                          .kernel = PROF_NONE,
                                          .api = PROF_NONE,
                                          .model = PROF_NO_MODEL,
                                          .op = PROF_NONE,
                                          .comm = PROF_NONE,
                                          .comm_op = PROF_NONE,
                                          .copy_kind = PROF_COPY_NONE };
    if (op) {
        x->host[i].op = (uint32_t)x->h.n_ops;
        x->ops[x->h.n_ops++] = (struct prof_op){ .name = prof_text(&x->p, str_of(op)),
                                                 .type = prof_text(&x->p, str_of(op)),
                                                 .core = PROF_NONE,
                                                 .tensors = PROF_NONE,
                                                 .attr = PROF_NONE,
                                                 .is_static = 1,
                                                 .hf32 = -1 };
    }
    return i;
}

static void ran(struct run *t, uint32_t host, uint32_t stream, uint32_t task, uint64_t start)
{
    struct comm_case *x = t->x;

    x->task[x->d.n_tasks++] = (struct prof_task){ .start = start,
                                                  .end = start + 10,
                                                  .stream = stream,
                                                  .task = task,
                                                  .context = PROF_NONE,
                                                  .host = host,
                                                  .counter = PROF_NONE,
                                                  .source = PROF_BY_ACSQ };
}

/* Export, then compare the rows of a query, a line each, cells parted by '|'. */
static void export(struct run *t)
{
    struct err e = ERR_INIT;

    t->r.m.host = t->x->h;
    assert_int_equal(msprof_db(&t->r, &e), OK);
}

static void assert_rows(const char *sql, const char *want)
{
    const char *path = tree_path(&tree, "msprof_20240102030405.db");
    char text[4096] = "";
    size_t n = 0;
    sqlite3 *db;
    sqlite3_stmt *st;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
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

/*
 * One number for each (stream, task), on the host and on the device, also where the host has it twice or
 * never.
 */
static void msprof_db_tasks_have_one_number_for_one_key(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    uint32_t a = host_task(&t, 1, 1, "Add"), again = host_task(&t, 1, 1, "Add again");
    uint32_t b = host_task(&t, 1, 2, "Mul");
    ran(&t, a, 1, 1, 3010);
    ran(&t, again, 1, 1, 3020);
    ran(&t, PROF_NONE, 1, 1, 3030);
    ran(&t, b, 1, 2, 3040);
    ran(&t, PROF_NONE, 0, 9, 3050);
    ran(&t, PROF_NONE, 9, 9, 3060);
    ran(&t, PROF_NONE, 9, 9, 3070);
    export(&t);
    assert_rows("SELECT count(*), count(DISTINCT globalTaskId) FROM TASK", "7|4\n");
    assert_rows("SELECT streamId, taskId, count(DISTINCT globalTaskId), count(*) FROM TASK "
                "GROUP BY globalTaskId ORDER BY 1, 2",
                "0|9|1|1\n1|1|1|3\n1|2|1|1\n9|9|1|2\n");
    assert_rows("SELECT n.value, TASK.startNs FROM TASK JOIN COMPUTE_TASK_INFO USING (globalTaskId) "
                "JOIN STRING_IDS n ON n.id = name ORDER BY 2",
                "Add|5000000200\nAdd|5000000400\nAdd|5000000600\nMul|5000000800\n");
    assert_rows("SELECT DISTINCT globalPid, connectionId, modelId FROM TASK", "7|-1|4294967295\n");
    run_free(&t);
}

static void msprof_db_type_of_a_task_is_the_hosts_else_the_devices(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    uint32_t a = host_task(&t, 1, 1, "Add"), mix = host_task(&t, 1, 2, "Mix");
    t.x->host[mix].type = prof_text(&t.x->p, STR("FFTS_PLUS"));
    ran(&t, a, 1, 1, 3010);
    ran(&t, mix, 1, 2, 3020);
    ran(&t, PROF_NONE, 1, 3, 3030);
    t.x->task[2].kind = 11;
    ran(&t, PROF_NONE, 1, 4, 3040);
    t.x->task[3].kind = 63; /* no word for it */
    ran(&t, a, 1, 1, 2000); /* ended before the collection */
    export(&t);
    assert_rows("SELECT value FROM TASK JOIN STRING_IDS ON id = taskType ORDER BY startNs",
                "KERNEL_AICORE\nAI_CORE\nSDMA_SQE\n63\n");
    run_free(&t);
}

static const char attributes[] = "SELECT n.value, a.value FROM COMPUTE_TASK_INFO JOIN STRING_IDS n "
                                 "ON n.id = name JOIN STRING_IDS a ON a.id = attrInfo";

static void give_attributes(struct run *t)
{
    host_task(t, 1, 1, "Add");
    host_task(t, 1, 2, "Mul");
    host_task(t, 1, 3, "Sub");
    t->x->ops[1].attr = prof_text(&t->x->p, STR("axis: 1"));
}

static void msprof_db_attributes_are_the_ops_own(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    give_attributes(&t);
    export(&t);
    assert_rows(attributes, "Add|N/A\nMul|axis: 1\nSub|N/A\n");
    assert_rows("SELECT timestampNs, freq, dieId FROM AICORE_FREQ",
                "5000000000|1800|-1\n5000002000|900|-1\n6000000000|900|-1\n");
    run_free(&t);
}

static void msprof_db_compat_has_what_msprof_has(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    t.o.compat = true;
    give_attributes(&t);
    export(&t);
    assert_rows(attributes, "Add|\nMul|axis: 1\nSub|axis: 1\n");
    assert_rows("SELECT timestampNs, freq, dieId FROM AICORE_FREQ",
                "5000000000|1800|-1\n5000000000|1800|-1\n5000000000|1800|-1\n"
                "5000002000|900|-1\n5000002000|900|-1\n6000000000|900|-1\n");
    run_free(&t);
}

static void msprof_db_tables_without_rows_are_not_there_but_for_the_fixed_ones(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    t.x->d.n_freq = 0;
    export(&t);
    assert_rows("SELECT name FROM sqlite_master WHERE name NOT LIKE 'ENUM%' ORDER BY 1",
                "HOST_INFO\nMETA_DATA\nNPU_INFO\nRANK_DEVICE_MAP\nSESSION_TIME_INFO\nSTRING_IDS\n");
    assert_rows("SELECT count(*) FROM sqlite_master WHERE name LIKE 'ENUM%'", "9\n");
    assert_rows("SELECT * FROM STRING_IDS", "0|release\n1|allocate\n");
    assert_rows("SELECT * FROM HOST_INFO JOIN NPU_INFO JOIN SESSION_TIME_INFO",
                "uid|name|0|Ascend910B|5000000000|6000000000\n");
    assert_rows("SELECT id, name FROM ENUM_HCCL_RDMA_TYPE",
                "0|RDMA_SEND_NOTIFY\n1|RDMA_SEND_PAYLOAD\n255|RESERVED\n65534|N/A\n"
                "65535|INVALID_TYPE\n");
    run_free(&t);
}

static void msprof_db_copies_of_the_host_are_all_there(void **state)
{
    static const uint8_t kinds[] = { 2, 7, 8, PROF_COPY_NONE };
    struct run t;

    (void)state;
    run_new(&t);
    for (uint32_t i = 0; i < ARRAY_LEN(kinds); i++) {
        uint32_t k = host_task(&t, 1, i, NULL);
        t.x->host[k].type = prof_text(&t.x->p, STR("MEMCPY_ASYNC"));
        t.x->host[k].copy_kind = kinds[i];
        t.x->host[k].copy_b = kinds[i] == PROF_COPY_NONE ? 0 : 100 + i;
    }
    host_task(&t, 1, 9, "Add");
    t.x->h.has_memcpy = true;
    export(&t);
    assert_rows("SELECT size, memcpyOperation FROM MEMCPY_INFO", "100|2\n101|7\n102|65535\n0|65535\n");
    run_free(&t);
}

/* To the last digit: 174762 bytes in 8500 ns. */
static void msprof_db_communication_has_its_ops_and_speed(void **state)
{
    const struct prof_comm_info info = {
        .size_b = 174762, .rank_size = 2, .master = true, .notify = UINT64_MAX, .rdma = UINT32_MAX
    };
    struct run t;

    (void)state;
    run_new(&t);
    uint32_t host = comm_host(t.x, comm_op(t.x, "hcom_broadcast_", 10), 20, info);
    t.x->host[host].api = 0;
    comm_ran(t.x, host, 3010, 3435);
    comm_make(t.x);
    export(&t);
    assert_rows("SELECT bandwidth = 20560235294.11765, size, notifyId, rdmaType, isMaster, opId "
                "FROM COMMUNICATION_TASK_INFO",
                "1|174762|-1|65535|1|0\n");
    assert_rows("SELECT startNs, endNs, connectionId, opId, dataType, rankSize, value FROM "
                "COMMUNICATION_OP JOIN STRING_IDS ON id = algType",
                "5000000200|5000008700|1|0|65534|2|N/A\n");
    assert_rows("SELECT startNs, endNs FROM OVERLAP_ANALYSIS WHERE type = 1", "5000000200|5000008700\n");
    run_free(&t);
}

/* No file of a part, of chips that have none, or of Python's chips unless asked for. */
static void msprof_db_is_not_written_where_msprof_has_none(void **state)
{
    static const struct {
        int chip;
        bool partial;
        enum dialect dialect;
        unsigned what;
        bool is_there;
    } cases[] = {
        { 5, true, DIALECT_PYTHON, MSPROF_DB, false },       { 0, false, DIALECT_PYTHON, MSPROF_DB, false },
        { 1, false, DIALECT_PYTHON, MSPROF_SUMMARY, false }, { 1, false, DIALECT_PYTHON, MSPROF_DB, true },
        { 5, false, DIALECT_CPP, MSPROF_TIMELINE, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *path = tree_path(&tree, "msprof_20240102030405.db");
        struct run t;
        run_new(&t);
        t.x->p.platform = cases[i].chip;
        t.x->p.chip = chip_of(cases[i].chip);
        t.o.partial = cases[i].partial;
        t.o.what = cases[i].what;
        t.r.dialect = cases[i].dialect;
        export(&t);
        assert_int_equal(unlink(path) == 0, cases[i].is_there);
        run_free(&t);
    }
}

/*
 * Marks of the host, one from before the collection; what a stream met of them is a task with a number of its
 * own.
 */
static void msprof_db_marks_of_the_program_are_events_and_tasks(void **state)
{
    struct run t;

    (void)state;
    run_new(&t);
    struct prof *p = &t.x->p;
    struct prof_tx tx[] = {
        { .start = 1000000100, .end = 1000000300, .category = 3, .thread = 9, .event = 1 },
        { .start = 999999999, .end = 1000000300, .thread = 9, .event = 1 },
        { .start = 1000000400, .end = 1000000400, .mark = 40, .thread = 9, .event = 3 },
        { .start = 1000000500, .end = 1000000600, .mark = 41, .thread = 9, .event = 9 },
    };
    struct prof_tx_met met[] = {
        { .start = 3010, .end = 3020, .mark = 40, .model = 4, .stream = 1, .task = 1 },
        { .start = 3030, .end = 3030, .mark = 41, .stream = 1, .task = 1, .open = true },
        { .start = 2000, .end = 3030, .mark = 41, .stream = 1, .task = 1 },
    };
    for (size_t i = 0; i < ARRAY_LEN(tx); i++) {
        tx[i].message = prof_text(p, STR("text"));
        tx[i].domain = PROF_NONE;
        tx[i].on_device = i >= 2;
    }
    tx[2].domain = prof_text(p, STR("default"));
    t.r.tx = (struct prof_txs){ .v = tx, .n = ARRAY_LEN(tx), .n_host = 2 };
    t.met = (struct msprof_met){ met, ARRAY_LEN(met) };
    ran(&t, host_task(&t, 1, 1, "Add"), 1, 1, 3010);
    export(&t);
    assert_rows("SELECT startNs, endNs, eventType, rangeId, category, m.value, globalTid, "
                "endGlobalTid, d.value, connectionId FROM MSTX_EVENTS JOIN STRING_IDS m ON m.id = "
                "message JOIN STRING_IDS d ON d.id = domainId ORDER BY startNs",
                "5000000100|5000000300|1|4294967295|3|text|30064771081|30064771081||4000000000\n"
                "5000000400|5000000400|3|4294967295|4294967295|text|30064771081|30064771081|"
                "default|4000000041\n"
                "5000000500|5000000600|65535|4294967295|4294967295|text|30064771081|30064771081|"
                "invalid|4000000042\n");
    assert_rows("SELECT startNs, endNs, deviceId, connectionId, globalPid, t.value, contextId, "
                "streamId, taskId, modelId FROM TASK JOIN STRING_IDS t ON t.id = taskType "
                "WHERE t.value = 'MsTx'",
                "5000000200|5000000400|0|4000000041|7|MsTx|4294967295|1|1|4\n");
    assert_rows("SELECT count(DISTINCT globalTaskId) FROM TASK", "2\n");
    run_free(&t);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(msprof_db_tasks_have_one_number_for_one_key),
        TEST(msprof_db_type_of_a_task_is_the_hosts_else_the_devices),
        TEST(msprof_db_attributes_are_the_ops_own),
        TEST(msprof_db_compat_has_what_msprof_has),
        TEST(msprof_db_tables_without_rows_are_not_there_but_for_the_fixed_ones),
        TEST(msprof_db_copies_of_the_host_are_all_there),
        TEST(msprof_db_communication_has_its_ops_and_speed),
        TEST(msprof_db_marks_of_the_program_are_events_and_tasks),
        TEST(msprof_db_is_not_written_where_msprof_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
