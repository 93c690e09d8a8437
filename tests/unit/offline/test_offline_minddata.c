/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline's files of MindSpore 2.5 and later: the order of ops and keys, what missing inputs and
 * odd ids leave of them in the original's manner and mended; cut files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/offline/folder_case.h"

#define RAW     "minddata_pipeline_raw_0.csv"
#define SUMMARY "minddata_pipeline_summary_0.json"
#define TABLE   "minddata_pipeline_summary_0.csv"
#define HEAD                                                                                                 \
    "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"             \
    "output_queue_usage_rate,sample_interval,parent_id,children_id\r\n"
#define OP(id, name, workers, queue, children)                                                               \
    "{\"op_id\": " id ", \"op_type\": \"" name "\", \"num_workers\": " workers ", \"metrics\": " queue       \
    ", \"children\": " children "}"
#define QUEUE(sizes) "{\"output_queue\": {\"size\": " sizes ", \"length\": 8}}"
#define PIPE(ops)    "{\"sampling_interval\": 10, \"op_info\": [" ops "]}"
#define CPU1(id, user)                                                                                       \
    "{\"op_id\": " id ", \"metrics\": {\"user_utilization\": [" user "], \"sys_utilization\": [1]}}"
#define CPU(ops) "{\"cpu_processor_num\": 8, \"op_info\": [" ops "]}"

/* Ops of the file stand in another order than their ids. */
static const char two[] =
    PIPE(OP("1",
            "M\xc3\xa4p"
            "Op",
            "2", QUEUE("[0, 2]"), "null") ", " OP("0", "DeviceQueueOp", "1", "null", "[1]"));
static const char shares[] = CPU(CPU1("-1", "9") ", " CPU1("1", "3") ", " CPU1("0", "89"));
static const char times[] = "0 0 1 9 100\n0 0 2 5 200\n0 1 2 6 200\n0 2 2 11 200\n1 8 2 3 200\n";

static void make(struct folder_case *k, const char *pipe, const char *cpu, const char *queue)
{
    folder_case_new(k, false);
    folder_case_info(k, "2.7.0", "\"data_process\": true");
    folder_case_file(k, "FRAMEWORK/pipeline_profiling_0.json", pipe);
    if (cpu)
        folder_case_file(k, "FRAMEWORK/minddata_cpu_utilization_0.json", cpu);
    if (queue)
        folder_case_file(k, "FRAMEWORK/device_queue_profiling_0.txt", queue);
}

static void test_whole(void **state)
{
    struct folder_case k;

    (void)state;
    make(&k, two, shares, times);
    for (int compat = 0; compat < 2; compat++) {
        assert_int_equal(folder_case_run(&k, compat), OK);
        assert_string_equal(
            folder_case_text(&k, RAW),
            HEAD "0,DeviceQueueOp,1,,,,,10,,[1]\r\n1,M\xc3\xa4pOp,2,\"[0, 2]\",1.0,8,0.125,10,0,\r\n");
        assert_string_equal(
            folder_case_text(&k, SUMMARY),
            "{\"op_ids\": [0, 1], \"op_names\": [\"DeviceQueue\", \"M\xc3\xa4p\"], \"pipeline_ops\": "
            "[\"DeviceQueue(id=0)\", \"M\xc3\xa4p(id=1)\"], \"num_workers\": [1, 2], \"queue_average_size\": "
            "[-1, 1.0], "
            "\"queue_utilization_pct\": [-1, 12.5], \"queue_empty_freq_pct\": [-1, 50.0], \"children_ids\": "
            "[[1], []], "
            "\"parent_id\": [-1, 0], \"avg_cpu_pct\": [90.0, 4.0], \"per_pipeline_time\": [5.0], "
            "\"per_push_queue_time\": [6.0], \"per_batch_time\": [11.0], \"avg_cpu_pct_per_worker\": [90.0, "
            "2.0], "
            "\"cpu_analysis_details\": [\"DeviceQueue(id=0) is using 90.0% CPU per worker. Setting "
            "num_parallel_workers>1 might bring extra performance.\", \"M\xc3\xa4p(id=1) is using 2.0% CPU "
            "per worker. "
            "Using num_parallel_workers=2 might not bring as much benefit due to low CPU usage per "
            "worker.\"], "
            "\"queue_analysis_details\": [\"Leaf op M\xc3\xa4p(id=1) is using 12.5% of its output queue. "
            "Setting "
            "num_parallel_workers>2 might speed up I/O.\"]}");
        assert_ptr_equal(strstr(folder_case_text(&k, TABLE), "op_ids,0,1\r\nop_names,DeviceQueue,"), k.text);
    }
    folder_case_done(&k);
}

/* Without an input upstream has no file at all. */
static void test_missing(void **state)
{
    struct folder_case k;

    (void)state;
    make(&k, two, NULL, times);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_int_equal(folder_case_outcome(&k, RAW), EMIT_NO_DATA);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_int_equal(folder_case_outcome(&k, RAW), EMIT_WRITTEN);
    assert_int_equal(folder_case_outcome(&k, SUMMARY), EMIT_NO_DATA);
    folder_case_done(&k);
    make(&k, two, shares, NULL);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_int_equal(folder_case_outcome(&k, RAW), EMIT_NO_DATA);
    assert_int_equal(folder_case_outcome(&k, TABLE), EMIT_NO_DATA);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_int_equal(folder_case_outcome(&k, RAW), EMIT_WRITTEN);
    assert_null(strstr(folder_case_text(&k, SUMMARY), "per_batch_time"));
    folder_case_done(&k);
    make(&k, PIPE(OP("0", "BatchOp", "1", QUEUE("[]"), "null")), shares, times);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_int_equal(folder_case_outcome(&k, RAW), EMIT_NO_DATA);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(folder_case_text(&k, RAW), HEAD "0,BatchOp,1,[],,8,,10,,\r\n");
    folder_case_done(&k);
}

/* Lists are indexed by ids there. */
static void test_gaps(void **state)
{
    struct folder_case k;

    (void)state;
    make(&k,
         PIPE(OP("0", "DeviceQueueOp", "1", "null", "[2]") ", " OP("2", "MapOp", "2", QUEUE("[2]"), "null")),
         CPU(CPU1("0", "89") ", " CPU1("1", "9")), times);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_non_null(strstr(folder_case_text(&k, SUMMARY), "\"avg_cpu_pct_per_worker\": [90.0, "));
    assert_null(strstr(k.text, "cpu_analysis_details"));
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_non_null(strstr(folder_case_text(&k, SUMMARY), "\"cpu_analysis_details\": [\"DeviceQueue"));
    folder_case_done(&k);
    make(&k, two, CPU(CPU1("0", "89") ", " CPU1("7", "9")), times); /* beyond the list */
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_int_equal(folder_case_outcome(&k, SUMMARY), EMIT_NO_DATA);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_int_equal(folder_case_outcome(&k, SUMMARY), EMIT_WRITTEN);
    folder_case_done(&k);
}

/* Inputs cut anywhere: what is whole is there. */
static void test_cut(void **state)
{
    struct folder_case k;

    (void)state;
    make(&k, two, shares, times);
    for (size_t n = 0; n < sizeof two; n += 3) {
        folder_case_file_n(&k, "FRAMEWORK/pipeline_profiling_0.json", two, n);
        assert_int_equal(folder_case_run(&k, n % 2), OK);
        assert_true(folder_case_outcome(&k, SUMMARY) == EMIT_NO_DATA || folder_case_text(&k, SUMMARY));
    }
    folder_case_file(&k, "FRAMEWORK/pipeline_profiling_0.json", two);
    for (size_t n = 0; n < sizeof shares; n += 3) {
        folder_case_file_n(&k, "FRAMEWORK/minddata_cpu_utilization_0.json", shares, n);
        assert_int_equal(folder_case_run(&k, false), OK);
        assert_int_equal(folder_case_outcome(&k, RAW), EMIT_WRITTEN);
    }
    folder_case_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
