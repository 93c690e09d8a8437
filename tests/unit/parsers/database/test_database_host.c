/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other tables of databases: calls of the framework, steps, memory, curves, what the analysis says of
 * steps
 * and communication, the cluster's tables.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/parsers/database/database_case.h"
#include "tests/unit/parsers/database/database_full.h"

/* Comments of DATABASE_FULL_HOST say how the calls lie. */
static void database_calls_have_time_of_their_own(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, DATABASE_FULL);
    /* 1000 - 300 - 100; its task took 100, that of the add two levels below 60 */
    database_case_need(&c, "host_op|name_id=aten::add|rank=0|thread=2|ts_ns=1000|dur_ns=1000|self_ns=600|"
                           "device_ns=160|device_self_ns=100|aicore_ns=160|aicore_self_ns=100|"
                           "in_shapes_id=8,16|stack_id=/a.py(1): f;\\x0a/b.py(2): g|step=4|line=1");
    database_case_need(&c, "host_op|name_id=aten::mul|rank=0|thread=2|ts_ns=1100|dur_ns=300|self_ns=200|"
                           "device_ns=60|device_self_ns=0");
    database_case_need(&c, "host_op|name_id=aten::add|rank=0|thread=2|ts_ns=1200|dur_ns=100|self_ns=100|"
                           "device_ns=60|device_self_ns=60");
    database_case_need(&c, "host_op|name_id=aten::mul|rank=0|thread=2|ts_ns=1500|dur_ns=100|self_ns=100|"
                           "device_ns=0");
    database_case_need(&c, "host_op|name_id=aten::add|rank=0|thread=3|ts_ns=1050|dur_ns=900|self_ns=900|"
                           "device_ns=0");
    database_case_expect(&c, "host_op", 5); /* queues are events alone */
    database_case_end(&c);
}

static void database_calls_lead_to_tasks_and_each_other(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    database_case_add(&c, ROLE_DATABASE, DATABASE_FULL_TASKS DATABASE_FULL_HOST);
    assert_int_equal(database_case_read(&c), OK);
    size_t n = 0;
    struct str rest = buf_str(&c.r.text), one;
    while (str_next(&rest, '\n', &one))
        n += str_find(one, STR("|cat=async_npu|"), 0) != SIZE_MAX;
    assert_int_equal(n, 4); /* 1000 -> 2000, 1200 -> 2200 */
    n = 0;
    for (rest = buf_str(&c.r.text); str_next(&rest, '\n', &one);)
        if (str_find(one, STR("|cat=async_task_queue|id=99"), 0) != SIZE_MAX)
            n += str_find(one, STR("|ts=1110|s|"), 0) != SIZE_MAX ||
                 str_find(one, STR("|ts=1210|f|"), 0) != SIZE_MAX;
    assert_int_equal(n, 2); /* the first to begin is where the arrow begins */
    database_case_end(&c);
}

static void database_collections_have_a_track_and_rows(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c,
                      "CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER);"
                      "INSERT INTO STEP_TIME VALUES(4,1000,2000);"
                      "CREATE TABLE GC_RECORD(startNs INTEGER, endNs INTEGER, globalTid INTEGER);"
                      "INSERT INTO GC_RECORD VALUES(1200,1500,7),(NULL,1600,7),(3000,2900,7),(3000,3010,7);");
    database_case_need(
        &c, "host_op|name_id=GC|type_id=GC|rank=0|ts_ns=1200|dur_ns=300|self_ns=300|step=4|line=1");
    database_case_need(&c, "host_op|name_id=GC|type_id=GC|rank=0|ts_ns=3000|dur_ns=10|self_ns=10|line=4");
    database_case_need(&c, "track|id=1|kind=host_thread|pid=Python 0|tid=-1|process=Python|"
                           "name=garbage collection");
    database_case_need(&c, "event|track=1|ts=1200|dur=300|name=GC");
    database_case_expect(&c, "host_op", 3); /* one ends before it begins: it took no time */
    database_case_end(&c);
}

/*
 * Calls in any order: as they end, the innermost first (each is 10 ns longer at both ends than the one
 * before), and as they begin.
 */
static void database_calls_nest_whatever_their_order(void **state)
{
    static const char *const orders[] = { "n.i", "-n.i", "n.i * 37 % 101" };
    static const char want[] = "|self_ns=20|";
    char sql[600];

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(orders); k++) {
        struct database_case c;
        struct str one;
        size_t n = 0;
        snprintf(
            sql, sizeof sql,
            "CREATE TABLE PYTORCH_API(startNs INTEGER, endNs INTEGER, globalTid INTEGER, name TEXT,"
            " type INTEGER);"
            "INSERT INTO PYTORCH_API WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
            "i < 100) SELECT 10000 - n.i * 10, 10000 + n.i * 10, 4294967298, 'op', 50001 FROM n "
            "ORDER BY %s;",
            orders[k]);
        database_case_one(&c, sql);
        struct str rest = buf_str(&c.r.text);
        while (str_next(&rest, '\n', &one))
            n += str_find(one, str_of(want), 0) != SIZE_MAX;
        assert_int_equal(n, 100);
        database_case_expect(&c, "host_op", 100);
        database_case_end(&c);
    }
}

static void database_steps_and_memory_are_rows(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, DATABASE_FULL);
    /* us of the analysis, instants of the marks */
    database_case_need(&c, "step|rank=0|step=4|start_ns=1000|end_ns=2150|computing_ns=1500|"
                           "communication_ns=2000|free_ns=250");
    database_case_expect(&c, "step", 1);
    database_case_need(&c, "op_exec|op_id=2|rank=0|device=0|step=4"); /* at 2000; op 1 is the communication */
    database_case_need(&c, "op_exec|op_id=3|rank=0|device=0|step=5|stream=2|task=8");
    database_case_need(&c, "mem_sample|rank=0|component_id=PTA|ts_ns=1000|allocated_b=100|reserved_b=200|"
                           "active_b=50|stream=18446744073709551615");
    database_case_need(&c, "mem_sample|rank=0|component_id=APP|ts_ns=1000|reserved_b=3072");
    database_case_need(
        &c, "mem_alloc|rank=0|name_id=aten::add|size_b=512|alloc_ns=1000|release_ns=1500|dur_ns=500");
    database_case_need(&c, "mem_module|rank=0|module_id=RUNTIME|ts_ns=1000|reserved_b=4096");
    database_case_need(&c, "mem_device|rank=0|process=APP|ts_ns=1000|ddr_b=1024|hbm_b=2048|total_b=3072");
    database_case_need(&c, "mem_device|rank=0|process=Device|ts_ns=1000|ddr_b=1024|hbm_b=4096|total_b=5120");
    database_case_need(&c, "setting|key=SCHEMA_VERSION|value=1.0.2");
    database_case_expect(&c, "note", 0);
    database_case_end(&c);
}

/* Without the analysis a step has the time between its marks. */
static void database_steps_without_analysis_are_marks(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, DATABASE_FULL_HOST);
    database_case_need(&c, "step|rank=0|step=4|start_ns=1000|end_ns=2150|total_ns=1150");
    database_case_need(&c, "step|rank=0|step=5|start_ns=2151|end_ns=3000|total_ns=849");
    database_case_end(&c);
}

/* Lifetimes of NPU_OP_MEM: an allocation ends with the next release at its address. */
static void database_memory_events_become_lifetimes(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(
        &c, DATABASE_FULL_TASKS
        "CREATE TABLE NPU_OP_MEM(operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER,"
        " timestampNs INTEGER, totalAllocate INTEGER, totalReserve INTEGER, component INTEGER,"
        " deviceId INTEGER);"
        "INSERT INTO NPU_OP_MEM VALUES(5,64,24,100,1000,100,500,14,0),(5,64,24,100,900,50,500,14,0),"
        "(5,64,20,-100,950,0,500,14,0),(1,128,24,30,1100,130,500,14,0),"
        "(5,64,20,-100,1200,30,500,14,0);");
    database_case_need(&c,
                       "mem_alloc|rank=0|name_id=Add_2|size_b=100|alloc_ns=1000|release_ns=1200|dur_ns=200|"
                       "alloc_total_allocated_b=100|alloc_total_reserved_b=500|"
                       "release_total_allocated_b=30|release_total_reserved_b=500|line=1");
    database_case_need(&c, "mem_alloc|rank=0|name_id=Add_2|size_b=100|alloc_ns=900|release_ns=950|dur_ns=50");
    database_case_need(&c, "mem_alloc|rank=0|name_id=MatMul_1|size_b=30|alloc_ns=1100|"
                           "alloc_total_allocated_b=130|alloc_total_reserved_b=500|line=4"); /* alive */
    database_case_expect(&c, "mem_alloc", 3);
    database_case_expect(&c, "mem_sample", 5);
    database_case_end(&c);
}

static void database_samples_are_curves(void **state)
{
    struct database_case c;
    size_t samples = 0;

    (void)state;
    database_case_one(&c, DATABASE_FULL_TASKS DATABASE_FULL_HOST);
    static const char *const wanted[] = {
        "|process=HBM|name=HBM 2/Read|",
        "|process=AI Core Freq|name=AI Core Freq|",
        "|process=LLC|name=LLC 1 Read/Throughput|",
        "|process=LLC|name=LLC 1 Read/Hit Rate|",
        "|process=NPU MEM|name=APP/DDR|",
        "|process=NPU MEM|name=APP/HBM|",
        "|process=NPU MEM|name=Device/DDR|",
        "|process=NPU MEM|name=Device/HBM|",
    };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        if (str_find(buf_str(&c.r.text), str_of(wanted[i]), 0) == SIZE_MAX)
            fail_msg("missing: %s in:\n%s", wanted[i], buf_str(&c.r.text).p);
    struct str rest = buf_str(&c.r.text), one;
    double sum = 0;
    while (str_next(&rest, '\n', &one))
        if (str_starts(one, STR("sample|"))) {
            size_t at = str_find(one, STR("|value="), 0);
            samples++;
            sum += strtod(one.p + at + 7, NULL);
        }
    assert_int_equal(samples, 8);
    /* MB/s of HBM, MHz, MB/s and % of LLC, KB: 1 + 2 of the process, 1 + 4 of the device */
    assert_true(sum == 1 + 1800 + 2 + 50.5 + 1 + 2 + 1 + 4);
    database_case_end(&c);
}

/* ---- the analysis ---- */

static void database_analysis_alone_has_communication(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    database_case_add(&c, ROLE_DATABASE_ANALYSIS, DATABASE_FULL_ANALYSIS);
    assert_int_equal(database_case_read(&c), OK);
    database_case_need(&c, "step|rank=0|step=4|computing_ns=1500|communication_ns=2000|free_ns=250");
    /* us and ms are ns; the total is no op */
    database_case_need(
        &c, "comm_exec|rank=0|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|group_id=g|"
            "kind=collective|step=4|ts_ns=2290|dur_ns=70|transit_ns=50|wait_ns=10|sync_ns=0|idle_ns=10");
    database_case_expect(&c, "comm_exec", 1);
    /* rows of packet sizes become one link: 2 of 0.5 MB in 0.2 ms and 1 of 1 MB in 0.3 ms; 2 MB at 4 GB/s */
    database_case_need(
        &c, "comm_link|rank=0|step=4|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|group_id=g|"
            "transport=HCCS|size_b=2000000|time_ns=500000|bandwidth=4000000000|packets=3|"
            "large_share=0.25|sizes={\"0.5\": [2, 0.2], \"1\": [1, 0.3]}|stat=op|line=1");
    database_case_need(
        &c, "comm_link|rank=0|step=4|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|group_id=g|"
            "transport=RDMA|size_b=0|time_ns=0|bandwidth=0|large_share=0|stat=op|line=3");
    database_case_need(&c, "comm_link|rank=0|step=4|name_id=hcom_allReduce__1_0|type_id=allreduce|group_id=g|"
                           "src_rank=0|dst_rank=1|transport=HCCS|size_b=1000000|time_ns=500000|"
                           "bandwidth=2000000000|stat=top1|line=1");
    database_case_expect(&c, "comm_link", 3);
    database_case_end(&c);
}

/* Times of the analysis beside the ops: those of the analysis, once. */
static void database_analysis_comes_before_ops(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    database_case_add(&c, ROLE_DATABASE, DATABASE_FULL_TASKS);
    database_case_add(&c, ROLE_DATABASE_ANALYSIS, DATABASE_FULL_ANALYSIS);
    assert_int_equal(database_case_read(&c), OK);
    database_case_expect(&c, "comm_exec", 1);
    database_case_need(&c, "comm_exec|rank=0|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|group_id=g|"
                           "kind=collective");
    database_case_end(&c);
}

/* The cluster's tables say whose row it is. */
static void database_cluster_rows_have_their_rank(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    database_case_add(
        &c, ROLE_DATABASE_ANALYSIS,
        "CREATE TABLE ClusterStepTraceTime(step TEXT, type TEXT, \"index\" TEXT, computing NUMERIC);"
        "INSERT INTO ClusterStepTraceTime VALUES('4','rank','3',1.5),('4','stage','(0, 3)',9),"
        "('4','rank','-1',9),('4','rank','x',9);"
        "CREATE TABLE ClusterCommAnalyzerTime(hccl_op_name TEXT, group_name TEXT, rank_id INTEGER, step TEXT,"
        " start_timestamp NUMERIC, elapsed_time NUMERIC);"
        "INSERT INTO ClusterCommAnalyzerTime VALUES('hcom_send__1_0','g',3,'step4',1,0.001);"
        "CREATE TABLE ClusterCommAnalyzerBandwidth(hccl_op_name TEXT, group_name TEXT, rank_id INTEGER,"
        " step TEXT, band_type TEXT, transit_size NUMERIC);"
        "INSERT INTO ClusterCommAnalyzerBandwidth VALUES('hcom_send__1_0','g',3,'step4','RDMA',1),"
        "('hcom_send__1_0','g',4,'step4','RDMA',2);"
        "CREATE TABLE ClusterCommAnalyzerMatrix(hccl_op_name TEXT, group_name TEXT, src_rank INTEGER,"
        " dst_rank INTEGER, step TEXT, transport_type TEXT, transit_size NUMERIC, op_name TEXT);"
        "INSERT INTO ClusterCommAnalyzerMatrix "
        "VALUES('send-total','g',3,4,'step4','RDMA',5,'hcom_send__1_0');");
    assert_int_equal(database_case_read(&c), OK);
    database_case_need(&c, "step|rank=3|step=4|computing_ns=1500");
    database_case_expect(&c, "step", 1); /* stages are no ranks */
    database_case_need(&c, "comm_exec|rank=3|name_id=hcom_send__1_0|type_id=hcom_send_|group_id=g|step=4|"
                           "ts_ns=1000|dur_ns=1000");
    database_case_need(&c, "comm_link|rank=3|step=4|name_id=hcom_send__1_0|type_id=hcom_send_|group_id=g|"
                           "transport=RDMA|size_b=1000000|stat=op");
    database_case_need(&c, "comm_link|rank=4|step=4|name_id=hcom_send__1_0|type_id=hcom_send_|group_id=g|"
                           "transport=RDMA|size_b=2000000|stat=op");
    database_case_need(&c,
                       "comm_link|rank=3|step=4|name_id=hcom_send__1_0|type_id=send|group_id=g|src_rank=3|"
                       "dst_rank=4|transport=RDMA|size_b=5000000|stat=total");
    database_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(database_calls_have_time_of_their_own),
        cmocka_unit_test(database_calls_lead_to_tasks_and_each_other),
        cmocka_unit_test(database_collections_have_a_track_and_rows),
        cmocka_unit_test(database_calls_nest_whatever_their_order),
        cmocka_unit_test(database_steps_and_memory_are_rows),
        cmocka_unit_test(database_steps_without_analysis_are_marks),
        cmocka_unit_test(database_memory_events_become_lifetimes),
        cmocka_unit_test(database_samples_are_curves),
        cmocka_unit_test(database_analysis_alone_has_communication),
        cmocka_unit_test(database_analysis_comes_before_ops),
        cmocka_unit_test(database_cluster_rows_have_their_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
