/* SPDX-License-Identifier: Apache-2.0 */
/* Names against registry patterns: each placeholder, and names that nearly fit. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/inventory.h"

static bool fits(const char *pattern, const char *path)
{
    return kind_pattern_match(pattern, str_of(path), NULL);
}

static void literal_names_fit_whole(void **state)
{
    (void)state;
    assert_true(fits("kernel_details.csv", "kernel_details.csv"));
    assert_true(fits("kernel_details.csv", "a/b/kernel_details.csv"));
    assert_false(fits("kernel_details.csv", "xkernel_details.csv"));
    assert_false(fits("kernel_details.csv", "kernel_details.csv2"));
    assert_false(fits("kernel_details.csv", "kernel_details.cs"));
    assert_false(fits("kernel_details.csv", "KERNEL_details.csv"));
    assert_false(fits("kernel_details.csv", ""));
    assert_false(fits("kernel_details.csv", "kernel_details.csv/x"));
}

static void numbers_are_captured_with_their_letter(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(kind_pattern_match("flops_{N}.txt", STR("flops_17.txt"), &m));
    assert_int_equal(m.number, 17);
    assert_int_equal(m.which, 'N');
    assert_int_equal(m.model, -1);
    assert_int_equal(m.slice, -1);
    assert_true(m.stamp == -1);
    assert_true(kind_pattern_match("profiler_info_{R}.json", STR("profiler_info_0.json"), &m));
    assert_int_equal(m.which, 'R');
    assert_int_equal(m.number, 0);
    assert_true(kind_pattern_match("info.json.{D}", STR("d/info.json.3"), &m));
    assert_int_equal(m.which, 'D');
    assert_false(fits("flops_{N}.txt", "flops_.txt"));
    assert_false(fits("flops_{N}.txt", "flops_-1.txt"));
    assert_false(fits("flops_{N}.txt", "flops_1a.txt"));
    assert_true(fits("flops_{N}.txt", "flops_999999999.txt"));
    assert_false(fits("flops_{N}.txt", "flops_1000000000.txt"));
    assert_false(kind_pattern_match("flops_{N}.txt", STR("flops_.txt"), &m));
    assert_int_equal(m.number, -1);
}

static void device_model_iteration_are_captured(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(kind_pattern_match("op_summary_{D}_{M}_{I}.csv", STR("op_summary_2_41_6.csv"), &m));
    assert_int_equal(m.number, 2);
    assert_int_equal(m.model, 41);
    assert_int_equal(m.iteration, 6);
    assert_false(fits("op_summary_{D}_{M}_{I}.csv", "op_summary_2_41.csv"));
    assert_false(fits("op_summary_{D}_{M}.csv", "op_summary_2_41_6.csv"));
}

static void stamps_have_up_to_20_digits(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(kind_pattern_match("op_summary{S}_{T}.csv", STR("op_summary_20240611062509.csv"), &m));
    assert_true(m.stamp == INT64_C(20240611062509));
    assert_int_equal(m.slice, -1);
    assert_int_equal(m.which, 0);
    assert_true(fits("x_{T}", "x_1"));
    assert_true(fits("x_{T}", "x_12345678901234567890"));
    assert_false(fits("x_{T}", "x_123456789012345678901"));
    assert_true(kind_pattern_match("x_{T}", STR("x_99999999999999999999"), &m));
    assert_true(m.stamp == INT64_MAX);
}

static void slices_are_optional(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(
        kind_pattern_match("op_summary{S}_{T}.csv", STR("op_summary_slice_12_20240611062509.csv"), &m));
    assert_int_equal(m.slice, 12);
    assert_true(m.stamp == INT64_C(20240611062509));
    assert_false(fits("op_summary{S}_{T}.csv", "op_summary_slice__20240611062509.csv"));
    assert_false(fits("op_summary{S}_{T}.csv", "op_summary_slice_3.csv"));
    assert_true(kind_pattern_match("hwts.data.{D}.slice_{K}", STR("hwts.data.5.slice_10"), &m));
    assert_int_equal(m.slice, 10);
    assert_int_equal(m.number, 5);
    assert_false(fits("hwts.data.{D}.slice_{K}", "hwts.data.5.slice_10.done"));
}

static void choices_and_anything(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(fits("{ascend,gpu,cpu}_timeline_display_{N}.json", "gpu_timeline_display_0.json"));
    assert_false(fits("{ascend,gpu,cpu}_timeline_display_{N}.json", "tpu_timeline_display_0.json"));
    assert_false(fits("{ascend,gpu,cpu}_timeline_display_{N}.json", "_timeline_display_0.json"));
    /* a choice that is the start of another */
    assert_true(fits("{a,ab}c", "abc"));
    assert_true(fits("llc_{read_write,bandwidth}{S}_{T}.csv", "llc_bandwidth_7.csv"));
    assert_true(fits("{*}.done", "hwts.data.0.slice_0.done"));
    assert_true(fits("{*}.done", ".done"));
    assert_false(fits("{*}.done", "a.done.b"));
    assert_true(kind_pattern_match("{ascend,gpu}_cluster_analyse_{*}_{N}.csv",
                                   STR("ascend_cluster_analyse_pipeline-parallel_2_4_31.csv"), &m));
    assert_int_equal(m.number, 31);
}

static void a_failed_try_leaves_no_capture(void **state)
{
    struct kind_match m;

    (void)state;
    /* {S} first takes _slice_1 and must give it back */
    assert_true(kind_pattern_match("a{S}_{*}", STR("a_slice_1"), &m));
    assert_int_equal(m.slice, -1);
    assert_true(kind_pattern_match("{*}_{N}{*}.x", STR("p_1_2.x"), &m));
    assert_int_equal(m.number, 1);
}

static void folders_match_the_end_of_the_path(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(kind_pattern_match("rank_{N}/task.csv", STR("x/rank_3/task.csv"), &m));
    assert_int_equal(m.number, 3);
    assert_true(fits("rank_{N}/task.csv", "rank_3/task.csv"));
    assert_false(fits("rank_{N}/task.csv", "xrank_3/task.csv"));
    assert_false(fits("rank_{N}/task.csv", "rank_3/y/task.csv"));
    assert_false(fits("rank_{N}/task.csv", "task.csv"));
    assert_true(fits("logs/{*}", "a/logs/b/c.log"));
    assert_true(kind_pattern_match("hccl_info_{N}/{*}/iter{I}.trace",
                                   STR("profiler/hccl_info_2/allReduce_1_1/iter14.trace"), &m));
    assert_int_equal(m.number, 2);
    assert_int_equal(m.iteration, 14);
}

static void packed_text_matches_like_the_plain_one(void **state)
{
    struct kind_match m;

    (void)state;
    assert_true(kind_pattern_match("op_summary{S}_{T}.csv", STR("op_summary_slice_0_5.csv.gz"), &m));
    assert_int_equal(m.slice, 0);
    assert_true(fits("trace_view.json", "trace_view.json.gz"));
    assert_true(fits("flops_{N}.txt", "flops_0.txt.gz"));
    assert_true(fits("analysis.db", "analysis.db.gz"));
    assert_true(fits("Framework{*}.slice_{K}", "Framework.task_desc_info.0.slice_0.gz"));
    assert_false(fits("trace_view.json", "trace_view.json.gz.gz"));
    /* a pattern that names the packed file itself */
    assert_true(fits("operator_memory{*}.json.gz", "operator_memory_x.json.gz"));
}

static void bytes_of_any_kind_do_no_harm(void **state)
{
    char name[4096];
    const char *const patterns[] = { "{*}a{*}b{*}c", "{S}{S}{S}{T}", "{*}_{N}_{*}.csv" };

    (void)state;
    for (size_t i = 0; i < sizeof(name); i++)
        name[i] = "ab_1/\xff\n\0"[i % 8];
    for (size_t k = 0; k < ARRAY_LEN(patterns); k++)
        for (size_t n = 0; n < 255; n++)
            (void)kind_pattern_match(patterns[k], (struct str){ name, n }, NULL);
    assert_false(kind_pattern_match("x", STR_NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_names_fit_whole),
        cmocka_unit_test(numbers_are_captured_with_their_letter),
        cmocka_unit_test(device_model_iteration_are_captured),
        cmocka_unit_test(stamps_have_up_to_20_digits),
        cmocka_unit_test(slices_are_optional),
        cmocka_unit_test(choices_and_anything),
        cmocka_unit_test(a_failed_try_leaves_no_capture),
        cmocka_unit_test(folders_match_the_end_of_the_path),
        cmocka_unit_test(packed_text_matches_like_the_plain_one),
        cmocka_unit_test(bytes_of_any_kind_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
