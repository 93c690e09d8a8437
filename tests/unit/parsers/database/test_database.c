/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of databases with what joins them: columns of several versions, ops, counters, mixed kernels,
 * communication, calls of CANN; and values and tables that are not what they should be.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/parsers/database/database_case.h"

#define STRINGS                                                                                              \
    "CREATE TABLE STRING_IDS(id INTEGER, value TEXT);"                                                       \
    "INSERT INTO STRING_IDS VALUES(1,'MatMul_1'),(2,'MatMul'),(3,'AI_CORE'),(4,'8,16'),(5,'FLOAT'),"         \
    "(6,'dynamic'),(7,'KERNEL_MIX_AIC'),(8,'Add_2'),(9,'MIX_AIC'),(10,'N/A'),(11,'aclnnAdd'),"               \
    "(12,'aic_total_time'),(13,'aic_mac_ratio'),(14,'cube_fops'),(15,'hcom_allReduce__1_0'),"                \
    "(16,'hcom_allReduce_'),(17,'group_a'),(18,'Memcpy'),(19,'SDMA_SQE');"
#define TASKS                                                                                                \
    "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER,"              \
    " globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER,"       \
    " taskId INTEGER, modelId INTEGER);"
#define COMPUTE                                                                                              \
    "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, blockDim INTEGER,"                   \
    " mixBlockDim INTEGER, taskType INTEGER, opType INTEGER, inputShapes INTEGER);"

/* ---- versions ---- */

/* The first schema: block_dim, no device in TASK, numbers kept as text. */
static void database_old_schema_reads_as_the_new_one(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS
                      "CREATE TABLE TASK(startNs TEXT, endNs TEXT, globalTaskId INTEGER, taskType INTEGER,"
                      " streamId INTEGER, taskId INTEGER);"
                      "INSERT INTO TASK VALUES('1700000000000000100','1700000000000000350',20,3,2,7);"
                      "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, block_dim INTEGER,"
                      " mixBlockDim INTEGER, taskType INTEGER, opType INTEGER);"
                      "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,24,4294967295,3,2);");
    database_case_need(&c, "op|id=1|name_id=MatMul_1|type_id=MatMul|core=AIC|block_num=24");
    database_case_expect(&c, "op", 1);
    /* 350 - 100 */
    database_case_need(&c, "op_exec|op_id=1|rank=0|stream=2|task=7|ts_ns=1700000000000000100|dur_ns=250");
    database_case_need(&c, "event|track=1|ts=1700000000000000100|dur=250|name=MatMul_1");
    database_case_end(&c);
}

/* The newest: blockNum beside blockDim, which is of another thing there. */
static void database_new_schema_prefers_block_num(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS TASKS
                      "INSERT INTO TASK VALUES(100,350,3,4294967295,20,1,3,4294967295,2,7,4294967295);"
                      "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, blockDim TEXT,"
                      " blockNum INTEGER, mixBlockNum INTEGER, taskType INTEGER, opType INTEGER,"
                      " opState INTEGER, inputShapes INTEGER, inputDataTypes INTEGER);"
                      "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,'1,2,3',40,20,3,2,6,4,5);");
    database_case_need(&c, "op|id=1|name_id=MatMul_1|type_id=MatMul|in_shapes_id=8,16|in_types_id=FLOAT|"
                           "core=AIC|state=dynamic|block_num=40|mix_block_num=20");
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=3|stream=2|task=7|ts_ns=100|dur_ns=250");
    database_case_expect(&c, "note", 0);
    database_case_end(&c);
}

/* Schedule tasks of communication have the same columns in a table of their own. */
static void database_schedule_tasks_are_ops(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS TASKS
                      "INSERT INTO TASK VALUES(100,350,0,4294967295,20,1,3,4294967295,2,7,4294967295);"
                      "CREATE TABLE COMMUNICATION_SCHEDULE_TASK_INFO(name INTEGER, globalTaskId INTEGER,"
                      " taskType INTEGER, opType INTEGER);"
                      "INSERT INTO COMMUNICATION_SCHEDULE_TASK_INFO VALUES(8,20,3,10);");
    database_case_need(&c, "op|id=1|name_id=Add_2|core=AIC"); /* N/A is no type */
    database_case_need(&c, "op_exec|op_id=1");
    database_case_end(&c);
}

/* ---- counters ---- */

/* Task 20 ran twice, 21 once; the values come metric after metric, those of 20 in the order of its runs. */
#define RUNS                                                                                                 \
    STRINGS TASKS COMPUTE "INSERT INTO TASK VALUES(100,200,0,4294967295,20,1,3,4294967295,2,7,4294967295),"  \
                          "(300,400,0,4294967295,21,1,3,4294967295,2,8,4294967295),"                         \
                          "(500,600,0,4294967295,20,1,3,4294967295,2,7,4294967295);"                         \
                          "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,1,0,3,2,4),(8,21,1,0,3,2,4);"

static void database_values_of_runs_stay_in_order(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c,
                      RUNS "CREATE TABLE TASK_PMU_INFO(globalTaskId INTEGER, name INTEGER, value NUMERIC);"
                           "INSERT INTO TASK_PMU_INFO VALUES(20,12,90.4),(21,12,80),(20,12,91.6),"
                           "(20,13,0.5),(20,13,0.25),(20,14,10),(20,13,0.125),(99,12,1);");
    database_case_expect(&c, "op_exec", 3);
    /* executions are numbered in the order of TASK: 1 and 3 are of 20, 2 is of 21; time is whole ns */
    database_case_need(&c, "op_counter|exec_id=1|aic_time_ns=90|aic_mac_ratio=0.5|cube_fops=10");
    database_case_need(&c, "op_counter|exec_id=3|aic_time_ns=92|aic_mac_ratio=0.25");
    database_case_need(&c, "op_counter|exec_id=2|aic_time_ns=80");
    database_case_expect(&c, "op_counter", 3); /* the third ratio of two runs and task 99 are nobody's */
    database_case_need(&c, "op_flops|exec_id=1|rank=0|cube_flops=10|vector_flops=0");
    database_case_end(&c);
}

static void database_columns_of_metrics_are_the_same(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c,
                      RUNS "CREATE TABLE TASK_PMU_INFO(globalTaskId INTEGER, aic_total_time NUMERIC,"
                           " a_name_of_more_than_sixty_bytes_that_no_metric_of_any_chip_has_ NUMERIC,"
                           " aic_mac_ratio NUMERIC, aic_main_mem_read_bw NUMERIC, aic_l1_read_datas NUMERIC);"
                           "INSERT INTO TASK_PMU_INFO VALUES(20,90.4,1,0.5,1.5,2),(21,80,2,NULL,NULL,NULL),"
                           "(20,91.6,3,0.25,2.5,0.5);");
    /* KiB become bytes; what is behind the name that is too long is still there */
    database_case_need(&c, "op_counter|exec_id=1|aic_time_ns=90|aic_mac_ratio=0.5|"
                           "aic_main_mem_read_bw_gb_s=1.5|aic_l1_read_datas_b=2048");
    database_case_need(&c, "op_counter|exec_id=3|aic_time_ns=92|aic_mac_ratio=0.25|"
                           "aic_main_mem_read_bw_gb_s=2.5|aic_l1_read_datas_b=512");
    database_case_need(&c, "op_counter|exec_id=2|aic_time_ns=80");
    database_case_expect(&c, "op_counter", 3);
    database_case_expect(&c, "note|LIMIT", 1);
    database_case_end(&c);
}

/* ---- mixed kernels ---- */

/*
 * Stream 2: the whole of task 7 with two contexts, which alone are shown. Task 7 comes again later without
 * contexts, and is a kernel of its own; so is task 8, of which nothing else is known.
 */
static void database_mixed_kernel_shows_its_contexts(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS TASKS
                      "INSERT INTO TASK VALUES(100,400,0,4294967295,20,1,7,4294967295,2,7,4294967295),"
                      "(110,300,0,4294967295,21,1,9,0,2,7,4294967295),"
                      "(120,390,0,4294967295,22,1,9,1,2,7,4294967295),"
                      "(1000,1100,0,4294967295,23,1,7,4294967295,2,7,4294967295),"
                      "(1200,1250,0,4294967295,24,1,7,4294967295,2,8,4294967295),"
                      "(1300,1200,0,4294967295,25,1,7,4294967295,2,9,4294967295);" COMPUTE
                      "INSERT INTO COMPUTE_TASK_INFO VALUES(1,21,1,2,3,2,4);");
    database_case_need(&c, "event|track=1|ts=110|dur=190|name=MatMul_1|off=2");
    database_case_need(&c, "event|track=1|ts=120|dur=270|name=MIX_AIC|off=3");
    database_case_need(&c, "event|track=1|ts=1000|dur=100|name=KERNEL_MIX_AIC|off=4");
    database_case_need(&c, "event|track=1|ts=1200|dur=50|name=KERNEL_MIX_AIC|off=5");
    database_case_need(&c,
                       "event|track=1|ts=1300|dur=0|name=KERNEL_MIX_AIC|off=6"); /* ends before it begins */
    database_case_expect(&c, "event", 5);
    database_case_end(&c);
}

/* ---- devices ---- */

static void database_devices_have_ranks_and_layers(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    c.rank[0] = (struct run_rank){ .rank = 0, .device = 4 };
    c.rank[1] = (struct run_rank){ .rank = 1, .device = 5 };
    c.r.run.ranks = c.rank;
    c.r.run.n_ranks = 2;
    database_case_add(
        &c, ROLE_DATABASE,
        STRINGS TASKS COMPUTE
        "CREATE TABLE NPU_INFO(id INTEGER, name TEXT); INSERT INTO NPU_INFO VALUES(4,'a'),(5,'b');"
        "INSERT INTO TASK VALUES(100,200,4,4294967295,20,1,3,4294967295,2,7,4294967295),"
        "(150,250,5,4294967295,21,1,3,4294967295,2,7,4294967295),"
        "(160,260,6,4294967295,22,1,3,4294967295,2,7,4294967295);"
        "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,1,0,3,2,4),(1,21,1,0,3,2,4);");
    assert_int_equal(database_case_read(&c), OK);
    database_case_expect(&c, "op", 1); /* the same op on both */
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=4");
    database_case_need(&c, "op_exec|op_id=1|rank=1|device=5");
    database_case_need(&c, "track|id=1|kind=stream|pid=Ascend Hardware (NPU 4) -1|tid=2|"
                           "process=Ascend Hardware (NPU 4)|name=Stream 2");
    database_case_need(&c, "track|id=2|kind=stream|pid=Ascend Hardware (NPU 5) -1");
    /* a device that no rank has: of the file's rank, on a track of its own; a kernel without an op */
    database_case_need(&c, "event|track=3|ts=160|dur=100|name=AI_CORE");
    database_case_end(&c);
}

/* ---- communication ---- */

static void database_communication_is_an_op_and_planes(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(
        &c, STRINGS TASKS
        "INSERT INTO TASK VALUES(100,150,0,5,30,1,19,4294967295,2,7,4294967295),"
        "(160,180,0,5,31,1,19,4294967295,2,8,4294967295);"
        "CREATE TABLE COMMUNICATION_TASK_INFO(name INTEGER, globalTaskId INTEGER, taskType INTEGER,"
        " planeId INTEGER, groupName INTEGER, opId INTEGER);"
        "INSERT INTO COMMUNICATION_TASK_INFO VALUES(15,30,18,1,17,1),(15,31,18,4294967295,17,1);"
        "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER,"
        " groupName INTEGER, opId INTEGER, opType INTEGER, deviceId INTEGER);"
        "INSERT INTO COMMUNICATION_OP VALUES(15,90,190,5,17,1,16,0);"
        "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER,"
        " connectionId INTEGER, name INTEGER);"
        "INSERT INTO CANN_API VALUES(50,60,5500,4294967298,5,11);"); /* process 1, thread 2 */
    database_case_need(&c, "op|id=1|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|core=HCCL");
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=0|ts_ns=90|dur_ns=100");
    database_case_expect(&c, "op_exec", 1);
    database_case_need(&c, "track|id=1|kind=plane|pid=Communication 0|tid=-1|process=Communication|"
                           "name=Group group_a Communication");
    database_case_need(&c, "event|track=1|ts=90|dur=100|name=hcom_allReduce__1_0");
    database_case_need(&c,
                       "track|id=2|kind=plane|pid=Communication 0|tid=1|process=Communication|name=Plane 1");
    database_case_need(&c, "event|track=2|ts=100|dur=50|name=Memcpy");
    database_case_expect(&c, "event|track=3", 2); /* both on their stream, the second on no plane */
    /* the arrow leads to the op, not to its tasks */
    database_case_expect(&c, "flow", 2);
    database_case_need(&c, "flow|track=4|ts=50|s|cat=HostToDevice|id=5");
    database_case_need(&c, "flow|track=1|ts=90|f|cat=HostToDevice|id=5");
    database_case_need(
        &c, "comm_exec|rank=0|name_id=hcom_allReduce__1_0|type_id=hcom_allReduce_|group_id=group_a|"
            "ts_ns=90|dur_ns=100");
    database_case_end(&c);
}

/* ---- calls of CANN ---- */

/* Two calls of one connection: the first one has the arrow. 4 and 8 us: mean 6, variance 4 us^2. */
static void database_calls_are_summed_and_lead_to_tasks(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS TASKS COMPUTE
                      "INSERT INTO TASK VALUES(20000,20100,0,5,20,1,3,4294967295,2,7,4294967295);"
                      "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,1,0,3,2,4);"
                      "CREATE TABLE ENUM_API_TYPE(id INTEGER, name TEXT);"
                      "INSERT INTO ENUM_API_TYPE VALUES(10000,'node_of_table');"
                      "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER,"
                      " connectionId INTEGER, name INTEGER);"
                      "INSERT INTO CANN_API VALUES(1000,5000,10000,4294967298,5,11),"
                      "(6000,14000,10000,4294967298,5,11),(15000,16000,20000,4294967298,4294967295,11);");
    database_case_need(&c, "api_stat|rank=0|level=node_of_table|name_id=aclnnAdd|calls=2|total_ns=12000|"
                           "avg_ns=6000|min_ns=4000|max_ns=8000|variance=4");
    database_case_need(&c, "api_stat|rank=0|level=acl|name_id=aclnnAdd|calls=1|total_ns=1000");
    database_case_need(&c, "track|id=2|kind=host_thread|pid=CANN 1|tid=2|process=CANN|name=Thread 2");
    database_case_expect(&c, "event|track=2", 3);
    database_case_expect(&c, "flow", 2);
    database_case_need(&c, "flow|track=2|ts=1000|s|cat=HostToDevice|id=5");
    database_case_need(&c, "flow|track=1|ts=20000|f|cat=HostToDevice|id=5");
    database_case_end(&c);
}

/* ---- what is not as it should be ---- */

/* A value of another form costs itself; a row without its start is no event. */
static void database_wrong_values_cost_themselves(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(
        &c, STRINGS "CREATE TABLE TASK(startNs, endNs, deviceId, connectionId, globalTaskId, taskType,"
                    " contextId, streamId, taskId, modelId);"
                    "INSERT INTO TASK VALUES(100.4,'300.0',0,NULL,20,3,NULL,2,'seven',NULL),"
                    "('soon',300,0,NULL,20,3,NULL,2,7,NULL),"
                    "(x'0001ff',300,0,NULL,20,3,NULL,2,7,NULL),"
                    "(9223372036854775807,-9223372036854775808,0,NULL,20,3,NULL,2,7,NULL),"
                    "(1e300,-1e300,0,NULL,20,3,NULL,2,7,NULL),"
                    "(NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),"
                    "(400,NULL,0,NULL,21,3,NULL,2,7,NULL);" COMPUTE
                    "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,'x','NaN',3,777,'9,9'),(8,21,1,2,3,2,4);"
                    "CREATE TABLE TASK_PMU_INFO(globalTaskId, name, value);"
                    "INSERT INTO TASK_PMU_INFO VALUES(20,12,'NaN'),(20,12,'inf'),(20,12,1e999),(20,12,'90'),"
                    "(20,777,5),(20,'x',5);");
    /* 777 is no text; a text in place of an id stands for itself */
    database_case_need(&c, "op|id=1|name_id=MatMul_1|in_shapes_id=9,9|core=AIC");
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=0|stream=2|ts_ns=100|dur_ns=200");
    database_case_need(&c,
                       "op_exec|op_id=2|rank=0|device=0|stream=2|task=7|ts_ns=400"); /* no end, no duration */
    database_case_expect(&c, "op_exec", 2);
    database_case_expect(&c, "event", 2);
    database_case_need(&c, "event|track=1|ts=100|dur=200|name=MatMul_1|off=1");
    database_case_need(&c, "event|track=1|ts=400|dur=0|name=Add_2|off=7");
    database_case_need(&c, "op_counter|exec_id=1|aic_time_ns=90");
    database_case_expect(&c, "op_counter", 1);
    database_case_need(&c, "note|BAD_VALUE|line=0|count=13");
    database_case_need(&c, "note|BAD_VALUE|line=0|count=5"); /* 2 to 6 */
    database_case_end(&c);
}

/* A call without an end took no time; one without a start is none. */
static void database_calls_without_times_count_nothing(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS
                      "CREATE TABLE CANN_API(startNs, endNs, type, globalTid, connectionId, name);"
                      "INSERT INTO CANN_API VALUES(1000,5000,20000,2,NULL,11),(1000,NULL,20000,2,NULL,11),"
                      "(NULL,5000,20000,2,NULL,11);"
                      "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName);"
                      "INSERT INTO COMMUNICATION_OP VALUES(15,NULL,190,17),(15,100,NULL,17);");
    database_case_need(&c, "api_stat|rank=0|level=acl|name_id=aclnnAdd|calls=2|total_ns=4000|avg_ns=2000|"
                           "min_ns=0|max_ns=4000");
    database_case_expect(&c, "event", 3);
    database_case_expect(&c, "comm_exec", 1);
    database_case_need(&c, "comm_exec|rank=0|name_id=hcom_allReduce__1_0|group_id=group_a|ts_ns=100|line=2");
    database_case_end(&c);
}

/* Names are bytes: control characters, quotes and bytes that are no UTF-8 come through as they are. */
static void database_names_are_bytes(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, STRINGS
                      "INSERT INTO STRING_IDS VALUES(70,CAST(x'4d1b5b33316dff7c0a22' AS TEXT)),"
                      "(71,CAST(x'41490043' AS TEXT)),(72,''),(73,NULL),('x','y');" TASKS COMPUTE
                      "INSERT INTO TASK VALUES(100,200,0,4294967295,20,1,71,4294967295,2,7,4294967295);"
                      "INSERT INTO COMPUTE_TASK_INFO VALUES(70,20,1,0,71,72,73);"
                      "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER,"
                      " groupName INTEGER);"
                      "INSERT INTO COMMUNICATION_OP VALUES(70,10,20,70);");
    database_case_need(&c, "op|id=2|name_id=M\\x1b[31m\xff\\x7c\\x0a\"");
    database_case_need(&c, "track|id=1|kind=plane|pid=Communication 0|tid=-1|process=Communication|"
                           "name=Group 0 Communication"); /* no word, so a number */
    database_case_need(&c, "event|track=2|ts=100|dur=100|name=M\\x1b[31m\xff\\x7c\\x0a\"");
    database_case_end(&c);
}

static void database_without_tables_gives_nothing(void **state)
{
    struct database_case c;

    (void)state;
    database_case_one(&c, "");
    assert_int_equal(buf_str(&c.r.text).n, 0);
    database_case_end(&c);
    database_case_one(&c, "CREATE TABLE TASK(x); CREATE TABLE CANN_API(y); CREATE TABLE STRING_IDS(id);"
                          "CREATE TABLE COMPUTE_TASK_INFO(z); CREATE TABLE TASK_PMU_INFO(value);"
                          "CREATE TABLE PYTORCH_API(a); CREATE TABLE NPU_MEM(b); CREATE TABLE STEP_TIME(c);"
                          "INSERT INTO TASK VALUES(1); INSERT INTO CANN_API VALUES(1);"
                          "INSERT INTO COMPUTE_TASK_INFO VALUES(1); INSERT INTO TASK_PMU_INFO VALUES(1);"
                          "INSERT INTO PYTORCH_API VALUES(1); INSERT INTO STRING_IDS VALUES(1);");
    database_case_expect(&c, "op_exec", 0);
    database_case_expect(&c, "event", 0);
    database_case_expect(&c, "host_op", 0);
    database_case_expect(&c, "api_stat", 0);
    database_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(database_old_schema_reads_as_the_new_one),
        cmocka_unit_test(database_new_schema_prefers_block_num),
        cmocka_unit_test(database_schedule_tasks_are_ops),
        cmocka_unit_test(database_values_of_runs_stay_in_order),
        cmocka_unit_test(database_columns_of_metrics_are_the_same),
        cmocka_unit_test(database_mixed_kernel_shows_its_contexts),
        cmocka_unit_test(database_devices_have_ranks_and_layers),
        cmocka_unit_test(database_communication_is_an_op_and_planes),
        cmocka_unit_test(database_calls_are_summed_and_lead_to_tasks),
        cmocka_unit_test(database_wrong_values_cost_themselves),
        cmocka_unit_test(database_calls_without_times_count_nothing),
        cmocka_unit_test(database_names_are_bytes),
        cmocka_unit_test(database_without_tables_gives_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
