/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids that nobody wrote in good faith: 100 000 groups, steps, connections, threads, call stacks and contexts,
 * once all equal, once all different and in no order. What joins them must not become slower with the square
 * of their number, and what is too much is said.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/parsers/database/database_case.h"

#define MANY      100000
#define MANY_TEXT "100000"
#define SECONDS   60 /* of the processor, for all of a test; the square of MANY takes much longer */

/* clang-format off */
#define NUMBERS \
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < " MANY_TEXT " - 1) "
#define EQUAL     "7"
#define DOWN      "(" MANY_TEXT " - i)"
#define SCATTERED "(i * 7919 % 100003)" /* a prime number above MANY: all different */

/* Tables whose rows refer to each other by ids, all of which are `id`. */
#define TABLES(id) \
    "CREATE TABLE STRING_IDS(id INTEGER, value TEXT);" \
    NUMBERS "INSERT INTO STRING_IDS SELECT " id ", 'name' || i FROM n;" \
    "INSERT INTO STRING_IDS VALUES(-3, 'KERNEL_MIX_AIC'), (-4, 'a frame');" \
    "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER," \
    " globalTaskId INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER);" \
    NUMBERS "INSERT INTO TASK SELECT 1000 + i, 1001 + i, 0, " id ", " id ", 1, 4294967295, 2, 7 FROM n;" \
    NUMBERS "INSERT INTO TASK SELECT 1000, 1001, 0, NULL, -1, -3, 4294967295, 3, " id " FROM n;" \
    NUMBERS "INSERT INTO TASK SELECT 9000, 9001, 0, NULL, -1, 1, 0, 3, " id " FROM n;" \
    "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, opType INTEGER);" \
    NUMBERS "INSERT INTO COMPUTE_TASK_INFO SELECT " id ", " id ", " id " FROM n;" \
    "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER," \
    " groupName INTEGER, opType INTEGER, deviceId INTEGER);" \
    NUMBERS "INSERT INTO COMMUNICATION_OP SELECT " id ", 1000, 1001, -1, 5, 1, 0 FROM n;" \
    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER," \
    " connectionId INTEGER, name INTEGER);" \
    NUMBERS "INSERT INTO CANN_API SELECT 900, 901, 5000, 1, " id ", 1 FROM n;" \
    "CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER);" \
    NUMBERS "INSERT INTO STEP_TIME SELECT " id ", 1000 + i, 1001 + i FROM n;" \
    "CREATE TABLE StepTraceTime(step TEXT, computing NUMERIC);" \
    NUMBERS "INSERT INTO StepTraceTime SELECT " id ", 1 FROM n;" \
    NUMBERS "INSERT INTO StepTraceTime SELECT 1000000 + i, 1 FROM n;" \
    "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER," \
    " name INTEGER, callchainId INTEGER, type INTEGER);" \
    NUMBERS "INSERT INTO PYTORCH_API SELECT 500 + i, 501 + i, 4294967298, " id ", 1, " id ", 50001 FROM n;" \
    "CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER);" \
    NUMBERS "INSERT INTO CONNECTION_IDS SELECT " id ", " id " FROM n;" \
    NUMBERS "INSERT INTO CONNECTION_IDS SELECT " id ", 500000 FROM n;" \
    "CREATE TABLE PYTORCH_CALLCHAINS(id INTEGER, stack INTEGER, stackDepth INTEGER);" \
    NUMBERS "INSERT INTO PYTORCH_CALLCHAINS SELECT " id ", -4, 0 FROM n;"
/* clang-format on */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* How many lines of a kind came; what lines say is not kept. */
struct seen {
    uint64_t steps, execs, ops, flows, notes;
};

static struct seen read_one(const char *sql)
{
    struct database_case c;
    struct seen s;

    database_case_begin(&c);
    c.r.quiet = true;
    database_case_add(&c, ROLE_DATABASE, sql);
    assert_int_equal(database_case_read(&c), OK);
    const struct sink_counts *n = sink_count_get(c.r.count);
    s = (struct seen){ n->rows[T_step], n->rows[T_op_exec], n->rows[T_host_op], n->flows, n->note_calls };
    database_case_end(&c);
    return s;
}

static void database_ids_all_equal_take_seconds(void **state)
{
    const double began = seconds();

    (void)state;
    const struct seen s = read_one(TABLES(EQUAL));
    assert_true(seconds() - began < SECONDS);
    assert_int_equal(s.steps, 2 * MANY);
    assert_int_equal(s.execs, 2 * MANY); /* kernels and communication ops */
    assert_int_equal(s.ops, MANY);
    /*
     * One call of CANN and one of the framework to each task; connection 500000 begins once and ends at all
     * the links of the 64 calls that have arrows, but for the one where it begins.
     */
    assert_int_equal(s.flows, 2 * (MANY + 1) + 64 * MANY);
    assert_int_equal(s.notes, 1); /* other calls have none */
}

static void database_ids_all_different_take_seconds(void **state)
{
    static const char *const sql[] = { TABLES(DOWN), TABLES(SCATTERED) };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sql); i++) {
        const double began = seconds();
        const struct seen s = read_one(sql[i]);
        assert_true(seconds() - began < SECONDS);
        assert_int_equal(s.steps, 2 * MANY);
        assert_int_equal(s.execs, 2 * MANY);
        assert_int_equal(s.ops, MANY);
        /* two ends a connection of CANN, as many of the framework; 500000 has one end for each link */
        assert_int_equal(s.flows, 2 * MANY + 2 * MANY + MANY);
        assert_int_equal(s.notes, 0);
    }
}

/* Each group has a track, up to a limit that is said. */
static void database_groups_take_seconds(void **state)
{
    static const char sql[] =
        "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, globalTaskId INTEGER,"
        " taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER);" NUMBERS
        "INSERT INTO TASK SELECT 1000, 1001, 0, " DOWN ", 1, 4294967295, 2, 7 FROM n;"
        "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId INTEGER, taskType INTEGER, planeId INTEGER,"
        " groupName INTEGER);" NUMBERS "INSERT INTO COMMUNICATION_TASK_INFO SELECT " DOWN ", 1, 0, " SCATTERED
        " FROM n;"
        "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, groupName INTEGER,"
        " opType INTEGER, deviceId INTEGER);" NUMBERS
        "INSERT INTO COMMUNICATION_OP SELECT 1, 1000, 1001, " DOWN ", 1, 0 FROM n;";
    const double began = seconds();

    (void)state;
    const struct seen s = read_one(sql);
    assert_true(seconds() - began < SECONDS);
    assert_int_equal(s.execs, MANY);
    assert_int_equal(s.notes, 1); /* events of more than LIM_TRACKS tracks */
}

/* Stacks of the same frames are put together once: 2 000 of 200 KiB each would take 400 MiB. */
static void database_stacks_share_their_text(void **state)
{
    static const char sql[] =
        "CREATE TABLE STRING_IDS(id INTEGER, value TEXT);"
        "INSERT INTO STRING_IDS VALUES(1, 'aten::add'), (2, printf('%.200000c', 'x')), (3, 'y');"
        "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, name INTEGER,"
        " callchainId INTEGER, type INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999) "
        "INSERT INTO PYTORCH_API SELECT i, i, 1, 1, i, 50001 FROM n;"
        "CREATE TABLE PYTORCH_CALLCHAINS(id INTEGER, stack INTEGER, stackDepth INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999) "
        "INSERT INTO PYTORCH_CALLCHAINS SELECT i, 2, 0 FROM n;";
    static const char different[] = "UPDATE PYTORCH_CALLCHAINS SET stack = 2; "
                                    "INSERT INTO PYTORCH_CALLCHAINS SELECT id, 100 + id, 1 FROM "
                                    "PYTORCH_CALLCHAINS;";
    struct database_case c;

    (void)state;
    for (int all = 0; all < 2; all++) {
        database_case_begin(&c);
        c.r.quiet = true;
        database_case_add(&c, ROLE_DATABASE, sql);
        if (all)
            database_case_sql(c.path[0], different);
        assert_int_equal(database_case_read(&c), OK);
        assert_int_equal(sink_count_get(c.r.count)->rows[T_host_op], 2000);
        /* 256 MiB of different ones are kept, the others are left out, which is said */
        assert_int_equal(sink_count_get(c.r.count)->note_calls, all);
        database_case_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(database_ids_all_equal_take_seconds),
        cmocka_unit_test(database_ids_all_different_take_seconds),
        cmocka_unit_test(database_groups_take_seconds),
        cmocka_unit_test(database_stacks_share_their_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
