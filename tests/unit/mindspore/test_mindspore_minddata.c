/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline's files of generation 1: missing inputs, odd trees, damage (the figures themselves:
 * tests/golden/analyse.py).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/mindspore/analyse_case.h"

#define RAW     "minddata_pipeline_raw_0.csv"
#define SUMMARY "minddata_pipeline_summary_0.json"
#define HEAD                                                                                                 \
    "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"             \
    "output_queue_usage_rate,sample_interval,parent_id,children_id\r\n"

#define OP(id, name, workers, queue, children)                                                               \
    "{\"op_id\": " id ", \"op_type\": \"" name "\", \"num_workers\": " workers ", \"metrics\": " queue       \
    ", \"children\": " children "}"
#define QUEUE(sizes) "{\"output_queue\": {\"size\": " sizes ", \"length\": 8}}"
#define PIPE(ops)    "{\"sampling_interval\": 10, \"op_info\": [" ops "]}"
#define MAP          OP("1", "MapOp", "2", QUEUE("[1, 3]"), "null")
#define TWO          PIPE(OP("0", "BatchOp", "1", "null", "[1]") ", " MAP)
#define CPU1(id, user)                                                                                       \
    "{\"op_id\": " id ", \"metrics\": {\"user_utilization\": " user ", \"sys_utilization\": [1, 1]}}"
#define CPU(ops) "{\"cpu_processor_num\": 8, \"op_info\": [" ops "]}"

static void minddata_without_its_inputs_says_what_is_missing(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, "pipeline_profiling_0.json", TWO);
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    assert_string_equal(mindspore_case_text(&k, RAW),
                        HEAD "0,BatchOp,1,,,,,10,,[1]\r\n1,MapOp,2,\"[1, 3]\",2.0,8,0.25,10,0,\r\n");
    assert_null(mindspore_case_text(&k, SUMMARY));
    assert_int_equal(mindspore_case_outcome(&k, SUMMARY), EMIT_NO_DATA);
    assert_int_equal(mindspore_case_run(&k, "r1.0", MINDSPORE_CPU), OK); /* no such file yet */
    assert_int_equal(mindspore_case_outcome(&k, SUMMARY), N_OUTCOMES);
    mindspore_case_file(&k, "pipeline_profiling_0.json", PIPE(""));
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, RAW), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

static void minddata_queue_without_samples_is_an_error_up_to_r15(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, "pipeline_profiling_0.json", PIPE(OP("0", "BatchOp", "1", QUEUE("[]"), "null")));
    assert_int_equal(mindspore_case_run(&k, "r1.5", MINDSPORE_CPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, RAW), EMIT_NO_DATA);
    assert_int_equal(mindspore_case_run(&k, "r1.6", MINDSPORE_CPU), OK);
    assert_string_equal(mindspore_case_text(&k, RAW), HEAD "0,BatchOp,1,[],,8,,10,,\r\n");
    mindspore_case_done(&k);
}

/* Ops that are each other's children, children nobody tells of, two ops of one number. */
static void minddata_tree_that_is_none_ends(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(
        &k, "pipeline_profiling_0.json",
        PIPE(OP("0", "AOp", "1", "null", "[1, 1, 9]") ", " OP("1", "BOp", "0", "null", "[0, 2]") ", " OP(
            "2", "COp", "1", QUEUE("[0]"), "[2, 0, 1]") ", " OP("2", "DOp", "1", "null", "[1]")));
    mindspore_case_file(&k, "minddata_cpu_utilization_0.json",
                        CPU(CPU1("0", "[1, 1]") ", " CPU1("1", "[]") ", " CPU1("2", "[1]") ", " CPU1(
                            "7000000000", "[1]") ", " CPU1("-1", "[1]")));
    mindspore_case_file(&k, "device_queue_profiling_0.txt", "0 0 1 1 1\n0 2 x\n");
    assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
    assert_string_equal(mindspore_case_text(&k, RAW),
                        HEAD "0,AOp,1,,,,,10,,[2]\r\n2,COp,1,[0],0.0,8,0.0,10,0,\r\n");
    const char *text = mindspore_case_text(&k, SUMMARY);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"avg_cpu_pct\": [2.0, -1, 2.0, -1], \"per_batch_time\": [-1]"));
    assert_non_null(strstr(text, "\"avg_cpu_pct_per_worker\": [2.0, -1, 2.0, -1.0]"));
    assert_int_equal(mindspore_case_notes(&k), 1); /* the line that is none */
    mindspore_case_done(&k);
}

/* r1.3 names the op farthest from the root, later versions the nearest. */
static void minddata_bottleneck_depends_on_the_version(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(
        &k, "pipeline_profiling_0.json",
        PIPE(OP("0", "BatchOp", "1", "null", "[1]") ", " OP("1", "MapOp", "1", QUEUE("[8]"), "[]")));
    mindspore_case_file(&k, "minddata_cpu_utilization_0.json",
                        CPU(CPU1("0", "[80, 80]") ", " CPU1("1", "[90, 90]")));
    mindspore_case_file(&k, "device_queue_profiling_0.txt", "0 2 2 7 1\n0 0 2 5 1\n");
    assert_int_equal(mindspore_case_run(&k, "r1.3", MINDSPORE_CPU), OK);
    const char *text = mindspore_case_text(&k, SUMMARY);
    assert_non_null(strstr(text, "\"per_batch_time\": [7.0], \"avg_cpu_pct_per_worker\""));
    assert_non_null(strstr(text, "\"bottleneck_warning\": [\"Map(id=1)\"]"));
    assert_int_equal(mindspore_case_run(&k, "r1.5", MINDSPORE_CPU), OK);
    text = mindspore_case_text(&k, SUMMARY);
    assert_non_null(strstr(text, "\"per_pipeline_time\": [5.0], \"per_push_queue_time\": [-1]"));
    assert_non_null(strstr(text, "\"bottleneck_warning\": [\"Batch(id=0)\"]"));
    mindspore_case_done(&k);
}

/* Without the times of batches r1.3 leaves them out, later versions the whole summary. */
static void minddata_times_are_not_needed_in_r13(void **state)
{
    struct mindspore_case k;

    (void)state;
    mindspore_case_new(&k);
    mindspore_case_file(&k, "pipeline_profiling_0.json", TWO);
    mindspore_case_file(&k, "minddata_cpu_utilization_0.json",
                        CPU(CPU1("0", "[1, 1]") ", " CPU1("1", "[1, 3]")));
    assert_int_equal(mindspore_case_run(&k, "r1.3", MINDSPORE_CPU), OK);
    const char *text = mindspore_case_text(&k, SUMMARY);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"avg_cpu_pct\": [2.0, 3.0], \"avg_cpu_pct_per_worker\": [2.0, 1.5]"));
    assert_int_equal(mindspore_case_run(&k, "r1.4", MINDSPORE_CPU), OK);
    assert_int_equal(mindspore_case_outcome(&k, SUMMARY), EMIT_NO_DATA);
    mindspore_case_done(&k);
}

/* Cut at every byte: the ops that are whole, or none. */
static void minddata_cut_anywhere_gives_whole_ops(void **state)
{
    struct mindspore_case k;
    char text[] = TWO;

    (void)state;
    mindspore_case_new(&k);
    for (size_t n = sizeof text - 1; n-- > 0;) {
        text[n] = '\0';
        mindspore_case_file(&k, "pipeline_profiling_0.json", text);
        assert_int_equal(mindspore_case_run(&k, "r2.0", MINDSPORE_CPU), OK);
        const char *csv =
            mindspore_case_outcome(&k, RAW) == EMIT_WRITTEN ? mindspore_case_text(&k, RAW) : HEAD;
        assert_int_equal(strncmp(csv, HEAD, strlen(HEAD)), 0);
        assert_true(mindspore_case_notes(&k) > 0);
    }
    mindspore_case_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minddata_without_its_inputs_says_what_is_missing),
        cmocka_unit_test(minddata_queue_without_samples_is_an_error_up_to_r15),
        cmocka_unit_test(minddata_tree_that_is_none_ends),
        cmocka_unit_test(minddata_bottleneck_depends_on_the_version),
        cmocka_unit_test(minddata_times_are_not_needed_in_r13),
        cmocka_unit_test(minddata_cut_anywhere_gives_whole_ops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
