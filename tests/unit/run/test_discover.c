/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to units: layouts, parents, errors. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_case.h"

/* ---- errors ---- */

static void missing_path_is_reported(void **state)
{
    (void)state;
    assert_fails("nothing/here", ERR_IO, "No such file");
}

static void empty_folder_is_reported(void **state)
{
    (void)state;
    tree_dir(&tree, "empty");
    assert_fails("empty", ERR_FORMAT, "the folder is empty");
    tree_dir(&tree, "x_ascend_ms");
    assert_fails("x_ascend_ms", ERR_FORMAT, "empty");
}

static void foreign_folder_is_reported(void **state)
{
    (void)state;
    tree_file(&tree, "src/main.py", "print()\n");
    assert_fails("src", ERR_FORMAT, "no profile found here");
    assert_fails("src/main.py", ERR_FORMAT, "no profile here");
}

static void strange_start_paths_are_reported(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(tree_path(&tree, "pipe"), 0600), 0);
    assert_fails("pipe", ERR_FORMAT, "neither a folder nor a regular file");
}

static void folder_without_permission_is_reported(void **state)
{
    (void)state;
    tree_file(&tree, "closed/trace_view.json", "[]");
    assert_int_equal(chmod(tree_path(&tree, "closed"), 0), 0);
    if (!drop_root())
        skip();
    assert_fails("closed", ERR_IO, "Permission denied");
    take_root();
    assert_int_equal(chmod(tree_path(&tree, "closed"), 0700), 0);
}

/* ---- discovery ---- */

static void rank_folder_is_found_from_everywhere(void **state)
{
    static const char *const from[] = { "run/" PT, "run/" PT "/ASCEND_PROFILER_OUTPUT",
                                        "run",     "run/" PT "/" PROF "/device_0/data",
                                        "",        "run/" PT "/" PROF };

    (void)state;
    make_pt("run/" PT);
    tree_file(&tree, "run/" PT "/" PROF "/device_0/data/stars_soc.data.0.slice_0", "x");
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        struct job *j = scan(from[i]);

        assert_int_equal(j->n_units, 1);
        assert_root(j, 0, "run/" PT);
        assert_int_equal(j->units[0]->gen, GEN_P);
        assert_null(j->only);
        job_free(j);
    }
}

static void one_file_names_its_unit(void **state)
{
    struct job *j;

    (void)state;
    make_pt("run/" PT);
    j = scan("run/" PT "/ASCEND_PROFILER_OUTPUT/trace_view.json");
    assert_root(j, 0, "run/" PT);
    assert_string_equal(j->only, tree_path(&tree, "run/" PT "/ASCEND_PROFILER_OUTPUT/trace_view.json"));
    job_free(j);
}

static void lone_file_is_a_unit_of_its_own(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "downloads/trace_view.json", "[]");
    tree_file(&tree, "downloads/letter.txt", "dear\n");
    j = scan("downloads/trace_view.json");
    assert_root(j, 0, "downloads/trace_view.json");
    assert_int_equal(j->units[0]->n_files, 1);
    assert_string_equal(j->units[0]->files[0]->path, j->only);
    assert_string_equal(j->units[0]->files[0]->rel, "trace_view.json");
    assert_string_equal(j->units[0]->files[0]->kind->id, "trace_view");
    job_free(j);
}

static void loose_files_of_a_folder_are_a_unit(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "loose/kernel_details_old.csv", "Name,Type,Accelerator Core,Duration(us)\na,b,c,1\n");
    tree_file(&tree, "loose/sub/other.txt", "x");
    j = scan("loose");
    assert_root(j, 0, "loose");
    assert_int_equal(j->units[0]->n_files, 1); /* folders below are not ours */
    assert_string_equal(find(j, 0, "kernel_details_old.csv")->kind->id, "kernel_details");
    job_free(j);
}

static void parent_of_many_is_sorted_by_rank_and_time(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "job/b_2_20250101000000000_ascend_ms/profiler_info_10.json", "{}");
    tree_file(&tree, "job/a_1_20250101000000000_ascend_ms/profiler_info_2.json", "{}");
    tree_file(&tree, "job/c_1_20240101000000000_ascend_ms/profiler_info_2.json", "{}");
    tree_file(&tree, "job/cluster_analysis_output/cluster_step_trace_time.csv", "Step,Type,Index\n");
    j = scan("job");
    assert_int_equal(j->n_units, 3);
    assert_root(j, 0, "job/c_1_20240101000000000_ascend_ms");
    assert_root(j, 1, "job/a_1_20250101000000000_ascend_ms");
    assert_root(j, 2, "job/b_2_20250101000000000_ascend_ms");
    assert_int_equal(j->units[2]->info.ranks[0].rank, 10);
    assert_int_equal(j->n_loose, 1);
    assert_string_equal(j->loose[0]->kind->id, "cluster_step_trace_time");
    assert_ptr_equal(job_find_unit(j, j->units[1]->root), j->units[1]);
    assert_null(job_find_unit(j, "/nowhere"));
    job_free(j);
    /* alone it is a unit */
    j = scan("job/cluster_analysis_output");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->gen, GEN_C);
    assert_int_equal(j->n_loose, 0);
    job_free(j);
}

static void assert_ranks(const char *rel, const int *ranks, size_t n)
{
    struct job *j = scan(rel);

    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->info.n_ranks, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(j->units[0]->info.ranks[i].rank, ranks[i]);
    job_free(j);
}

static void cluster_output_has_the_ranks_that_its_files_name(void **state)
{
    (void)state;
    tree_file(&tree, "steps/cluster_step_trace_time.csv",
              "Step,Type,Index,Computing\n1,rank,9,1.0\n1,rank,3,1.0\n2,rank,3,1.0\n"
              "1,stage,\"(3, 9, 12)\",1.0\n1,rank,7");
    tree_file(&tree, "steps/communication_group.json", "{\"collective\": [[0, 1]], \"p2p\": []}");
    assert_ranks("steps", (const int[]){ 3, 9 }, 2);
    tree_file(&tree, "groups/communication_group.json",
              "{\"collective\": [[ 4,\n 0], [1, \"x\"], []], \"p2p\": [[2]]}");
    assert_ranks("groups", (const int[]){ 0, 2, 4 }, 3);
    tree_file(&tree, "ops/cluster_communication.json", "{\"(5, 6)\": {\"step\": {\"a (b)\": {}}}");
    assert_ranks("ops", (const int[]){ 5, 6 }, 2);
    tree_file(&tree, "none/cluster_communication.json", "{\"p2p\": {}}");
    assert_ranks("none", (const int[]){ 0 }, 1);
}

static void data_folder_of_the_default_output_path_is_searched(void **state)
{
    struct job *j;

    (void)state;
    make_pt("exp/data/" PT);
    j = scan("exp/data");
    assert_root(j, 0, "exp/data/" PT);
    job_free(j);
}

static void dynamic_windows_are_distinguished(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "out/rank3_start10_stop12/h_1_20250101000000000_ascend_ms/profiler_metadata.json", "{}");
    tree_file(&tree, "out/rank3_start2_stop4/h_1_20240101000000000_ascend_ms/profiler_metadata.json", "{}");
    j = scan("out");
    assert_int_equal(j->n_units, 2);
    assert_string_equal(j->units[0]->window, "rank3_start2_stop4");
    assert_string_equal(j->units[1]->window, "rank3_start10_stop12");
    assert_int_equal(j->units[0]->info.ranks[0].rank, 3);
    assert_true(j->units[0]->info.ranks[0].known);
    job_free(j);
}

static void prof_folder_belongs_to_what_it_lies_in(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "a/" PROF "/host/info.json", "{\"rank_id\": \"-1\"}");
    j = scan("a");
    assert_root(j, 0, "a/" PROF);
    assert_int_equal(j->units[0]->gen, GEN_M);
    job_free(j);
    tree_file(&tree, "b/profiler/" PROF "/device_0/info.json.0", "{}");
    j = scan("b/profiler/" PROF "/device_0");
    assert_root(j, 0, "b/profiler");
    assert_int_equal(j->units[0]->gen, GEN_1);
    assert_string_equal(j->units[0]->name, "b/profiler");
    job_free(j);
}

static void flat_folder_leaves_rank_folders_out(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "p/profiler/flops_0.txt", "x\n");
    tree_file(&tree, "p/profiler/FRAMEWORK/op_range_0", "x");
    tree_file(&tree, "p/profiler/rank-0_20240101000000_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
              "x\n");
    j = scan("p");
    assert_int_equal(j->n_units, 2);
    const struct unit *flat = job_find_unit(j, tree_path(&tree, "p/profiler"));

    assert_non_null(flat);
    assert_int_equal(flat->gen, GEN_1B);
    for (size_t i = 0; i < flat->n_files; i++)
        assert_null(strstr(flat->files[i]->rel, "ascend_ms"));
    job_free(j);
}

static void folders_called_profiler_are_not_roots_by_name_alone(void **state)
{
    struct job *j;

    (void)state;
    make_pt("x/profiler/" PT);
    j = scan("x/profiler");
    assert_int_equal(j->n_units, 1);
    assert_root(j, 0, "x/profiler/" PT);
    job_free(j);
}

static void lone_job_folder_is_raw_gen_1(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "JOBABC/host_start.log.1", "[Device1]\nclock_realtime: 5\n");
    tree_file(&tree, "JOBABC/data/hwts.log.data.45.dev.profiler_default_tag.1.slice_0", "x");
    j = scan("JOBABC/data");
    assert_root(j, 0, "JOBABC");
    assert_int_equal(j->units[0]->gen, GEN_1);
    assert_int_equal(j->units[0]->info.ranks[0].device, 1);
    job_free(j);
}

static void deep_roots_end_the_search_at_5_levels(void **state)
{
    struct job *j;

    (void)state;
    make_pt("1/2/3/4/" PT);
    j = scan("");
    assert_int_equal(j->n_units, 1);
    job_free(j);
    make_pt("a/2/3/4/5/6/" PT);
    assert_fails("a", ERR_FORMAT, "no profile found here");
}

/* info.json in host or device_N tells it, whatever the folder is called. */
static void prof_folder_by_another_name_is_found(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "base line/device_4/info.json.4", "{\"platform_version\": \"5\"}");
    tree_file(&tree, "base line/device_4/data/stars_soc.data.4.slice_0", "");
    tree_file(&tree, "PROF_old/host/data/unaging.api_event.data.slice_0", "");
    j = scan("base line");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->gen, GEN_M);
    job_free(j);
    j = scan("base line/device_4/data");
    assert_root(j, 0, "base line");
    job_free(j);
    j = scan("");
    assert_int_equal(j->n_units, 2);
    job_free(j);
    tree_file(&tree, "src/host/main.py", "print()\n");
    assert_fails("src", ERR_FORMAT, "no profile found here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(missing_path_is_reported),
        CASE(empty_folder_is_reported),
        CASE(foreign_folder_is_reported),
        CASE(strange_start_paths_are_reported),
        CASE(folder_without_permission_is_reported),
        CASE(rank_folder_is_found_from_everywhere),
        CASE(one_file_names_its_unit),
        CASE(lone_file_is_a_unit_of_its_own),
        CASE(loose_files_of_a_folder_are_a_unit),
        CASE(parent_of_many_is_sorted_by_rank_and_time),
        CASE(cluster_output_has_the_ranks_that_its_files_name),
        CASE(data_folder_of_the_default_output_path_is_searched),
        CASE(dynamic_windows_are_distinguished),
        CASE(prof_folder_belongs_to_what_it_lies_in),
        CASE(flat_folder_leaves_rank_folders_out),
        CASE(folders_called_profiler_are_not_roots_by_name_alone),
        CASE(lone_job_folder_is_raw_gen_1),
        CASE(prof_folder_by_another_name_is_found),
        CASE(deep_roots_end_the_search_at_5_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
