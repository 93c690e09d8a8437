/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and devices of files. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_case.h"

/* ---- ranks ---- */

static void flat_files_have_the_rank_of_their_name(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "profiler/flops_3.txt", "x\n");
    tree_file(&tree, "profiler/framework_raw_11.csv", "x\n");
    tree_file(&tree, "profiler/step_trace_point_info.json", "{}");
    tree_file(&tree, "profiler/notes.txt", "x\n");
    tree_file(&tree, "profiler/hccl_info_11/allReduce_1_1/iter1.trace", "{}");
    tree_file(&tree, "profiler/rank_3/memory_block.csv", "x\n");
    tree_file(&tree, "profiler/" PROF "/device_5/info.json.5", "{\"rank_id\": \"11\"}");
    tree_file(&tree, "profiler/" PROF "/device_5/data/hwts.data.5.slice_0", "x");
    tree_file(&tree, "profiler/JOBX/info.json.3", "{\"rank_id\": \"-1\"}");
    tree_file(&tree, "profiler/JOBX/data/hwts.data.3.slice_0", "x");
    tree_file(&tree, "profiler/JOBY/data/hwts.data.7.slice_0", "x");
    j = scan("profiler");
    const struct runinfo *r = &j->units[0]->info;

    assert_int_equal(r->n_ranks, 3);
    assert_int_equal(r->ranks[0].rank, 0); /* device 7: nothing tells, the smallest free number */
    assert_false(r->ranks[0].known);
    assert_int_equal(r->ranks[0].device, 7);
    assert_int_equal(r->ranks[1].rank, 3);
    assert_true(r->ranks[1].known);
    assert_int_equal(r->ranks[1].device, 3);
    assert_int_equal(r->ranks[2].rank, 11);
    assert_int_equal(r->ranks[2].device, 5);
    assert_int_equal(find(j, 0, "flops_3.txt")->rank, 3);
    assert_int_equal(find(j, 0, "framework_raw_11.csv")->rank, 11);
    assert_int_equal(find(j, 0, "hccl_info_11/allReduce_1_1/iter1.trace")->rank, 11);
    assert_int_equal(find(j, 0, "rank_3/memory_block.csv")->rank, 3);
    assert_int_equal(find(j, 0, PROF "/device_5/data/hwts.data.5.slice_0")->rank, 11);
    assert_int_equal(find(j, 0, PROF "/device_5/data/hwts.data.5.slice_0")->device, 5);
    assert_int_equal(find(j, 0, "JOBX/data/hwts.data.3.slice_0")->rank, 3);
    assert_int_equal(find(j, 0, "JOBY/data/hwts.data.7.slice_0")->rank, 0);
    assert_int_equal(find(j, 0, "notes.txt")->rank, -1);
    assert_int_equal(find(j, 0, "step_trace_point_info.json")->rank, 0); /* of all: never -1 */
    job_free(j);
}

static void rank_folder_has_one_rank_whatever_its_files_say(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "h_1_20250101000000000_ascend_ms/profiler_info_6.json",
              "{\"profiler_parameters\": {}, \"ms_profiler_info\": {\"rank_id\": \"6\", "
              "\"device_id\": \"2\"}}");
    /* C++ writers say 0 when RANK_ID is not set */
    tree_file(&tree, "h_1_20250101000000000_ascend_ms/FRAMEWORK/cpu_op_execute_timestamp_0.txt", "x\n");
    tree_file(&tree, "h_1_20250101000000000_ascend_ms/" PROF "/device_2/info.json.2", "{\"rank_id\": \"0\"}");
    tree_file(&tree, "h_1_20250101000000000_ascend_ms/" PROF "/device_1/info.json.1", "{\"rank_id\": \"0\"}");
    j = scan("h_1_20250101000000000_ascend_ms");
    const struct runinfo *r = &j->units[0]->info;

    assert_int_equal(j->units[0]->gen, GEN_2);
    assert_int_equal(r->n_ranks, 2); /* a second device is a second rank */
    assert_int_equal(find(j, 0, "FRAMEWORK/cpu_op_execute_timestamp_0.txt")->rank, 6);
    assert_int_equal(find(j, 0, PROF "/device_2/info.json.2")->rank, 6);
    assert_int_equal(find(j, 0, PROF "/device_1/info.json.1")->rank, 0);
    assert_int_equal(r->ranks[1].rank, 6);
    assert_int_equal(r->ranks[1].device, 2);
    assert_true(r->ranks[1].known);
    job_free(j);
}

static void one_rank_number_per_device_of_a_process(void **state)
{
    struct job *j;

    (void)state;
    for (int d = 0; d < 4; d++) {
        char rel[256];

        snprintf(rel, sizeof(rel), PROF "/device_%d/info.json.%d", d, d);
        tree_file(&tree, rel, "{\"rank_id\": \"2\", \"hostname\": \"node-1\"}");
    }
    j = scan(PROF);
    const struct runinfo *r = &j->units[0]->info;

    assert_int_equal(r->n_ranks, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(r->ranks[i].rank, i);
        assert_string_equal(r->ranks[i].host, "node-1");
        assert_true(r->ranks[i].known == (r->ranks[i].rank == 2));
    }
    assert_int_equal(r->ranks[2].device, 0); /* the first keeps the rank of the process */
    job_free(j);
}

static void units_without_any_rank_get_0_unknown(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "copy/ASCEND_PROFILER_OUTPUT/kernel_details.csv", "Step ID,Name\n");
    j = scan("copy");
    assert_int_equal(j->units[0]->info.n_ranks, 1);
    assert_int_equal(j->units[0]->info.ranks[0].rank, 0);
    assert_false(j->units[0]->info.ranks[0].known);
    assert_int_equal(find(j, 0, "ASCEND_PROFILER_OUTPUT/kernel_details.csv")->rank, 0);
    assert_int_equal(j->units[0]->gen, GEN_2); /* by the spelling of its step column */
    job_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(flat_files_have_the_rank_of_their_name),
        CASE(rank_folder_has_one_rank_whatever_its_files_say),
        CASE(one_rank_number_per_device_of_a_process),
        CASE(units_without_any_rank_get_0_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
