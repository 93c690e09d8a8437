/* SPDX-License-Identifier: Apache-2.0 */
/* Which units are one run. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_case.h"

/* A profile of torch_npu of this rank, in the folder. */
static void make_rank(const char *folder, const char *stamp, int rank)
{
    char path[512], text[100];

    snprintf(path, sizeof path, "%s/w_%d_%s_ascend_pt/profiler_info_%d.json", folder, rank + 1, stamp, rank);
    snprintf(text, sizeof text, "{\"config\": {\"common_config\": {}}, \"rank_id\": %d}", rank);
    tree_file(&tree, path, text);
    snprintf(path, sizeof path, "%s/w_%d_%s_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", folder,
             rank + 1, stamp);
    tree_file(&tree, path, "[]");
}

/* Run of the unit whose path has this part, and this rank. */
static size_t run_of(const struct job *j, const char *part, int rank)
{
    for (size_t i = 0; i < j->n_units; i++)
        if (strstr(j->units[i]->root, part) && j->units[i]->info.ranks[0].rank == rank)
            return j->units[i]->run;
    fail_msg("no unit of rank %d in %s", rank, part);
    return SIZE_MAX;
}

static void ranks_of_a_folder_are_one_run(void **state)
{
    (void)state;
    make_rank("job", "20250109065044023", 0);
    make_rank("job", "20250109065344023", 1); /* three minutes later */
    struct job *j = scan("job");
    assert_int_equal(j->n_units, 2);
    assert_int_equal(j->n_runs, 1);
    job_free(j);
}

static void folders_of_other_ranks_are_one_run(void **state)
{
    (void)state;
    make_rank("job/rank_0", "20250109065044023", 0);
    make_rank("job/rank_1", "20250109065044023", 1);
    make_rank("job/server2/rank_2", "20250109065044023", 2);
    struct job *j = scan("job");
    assert_int_equal(j->n_units, 3);
    assert_int_equal(j->n_runs, 1);
    job_free(j);
}

static void folders_of_the_same_rank_are_runs(void **state)
{
    (void)state;
    make_rank("a", "20250109065044023", 0);
    make_rank("a", "20250109065044023", 1);
    make_rank("b", "20250109065044023", 0);
    make_rank("b", "20250109065044023", 1);
    struct job *j = scan(".");
    assert_int_equal(j->n_runs, 2);
    assert_int_equal(run_of(j, "/a/", 0), run_of(j, "/a/", 1));
    assert_int_equal(run_of(j, "/b/", 0), run_of(j, "/b/", 1));
    assert_int_equal(run_of(j, "/a/", 0), 0); /* equal times: by path */
    assert_int_equal(run_of(j, "/b/", 0), 1);
    job_free(j);
}

/* Each rank has a folder, with the profiles of two runs in it. */
static void times_tell_runs_of_rank_folders(void **state)
{
    (void)state;
    make_rank("rank_0", "20250109065044023", 0);
    make_rank("rank_0", "20250109075044023", 0);
    make_rank("rank_1", "20250109065050023", 1);
    make_rank("rank_1", "20250109075050023", 1);
    struct job *j = scan(".");
    assert_int_equal(j->n_units, 4);
    assert_int_equal(j->n_runs, 2);
    assert_int_not_equal(run_of(j, "0650", 0), run_of(j, "0750", 0));
    assert_int_equal(run_of(j, "0650", 0), run_of(j, "0650", 1));
    assert_int_equal(run_of(j, "0750", 0), run_of(j, "0750", 1));
    job_free(j);
}

/* Of two profiles of a rank in quick succession each goes with those that began with it. */
static void the_nearest_start_decides(void **state)
{
    (void)state;
    make_rank("job", "20250109065000000", 0);
    make_rank("job", "20250109065002000", 1);
    make_rank("job", "20250109065100000", 0);
    make_rank("job", "20250109065102000", 1);
    struct job *j = scan("job");
    assert_int_equal(j->n_runs, 2);
    assert_int_equal(run_of(j, "065000", 0), run_of(j, "065002", 1));
    assert_int_equal(run_of(j, "065100", 0), run_of(j, "065102", 1));
    job_free(j);
}

static void another_hour_is_another_run(void **state)
{
    (void)state;
    make_rank("job", "20250109065000000", 0);
    make_rank("job", "20250109075000000", 1);
    struct job *j = scan("job");
    assert_int_equal(j->n_runs, 2);
    job_free(j);
}

static void windows_of_a_job_are_one_run(void **state)
{
    (void)state;
    make_rank("job/rank0_start2_stop5", "20250109065000000", 0);
    make_rank("job/rank1_start2_stop5", "20250109065000000", 1);
    make_rank("job/rank0_start20_stop21", "20250109075000000", 0);
    struct job *j = scan("job");
    assert_int_equal(j->n_units, 3);
    assert_int_equal(j->n_runs, 1);
    job_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(ranks_of_a_folder_are_one_run),     CASE(folders_of_other_ranks_are_one_run),
        CASE(folders_of_the_same_rank_are_runs), CASE(times_tell_runs_of_rank_folders),
        CASE(the_nearest_start_decides),         CASE(another_hour_is_another_run),
        CASE(windows_of_a_job_are_one_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
