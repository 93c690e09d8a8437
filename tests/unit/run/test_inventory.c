/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a unit: strange ones, slices, exports, missing ones, the key of the inputs. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include <cmocka.h>

#include "base/path.h"
#include "run/dir.h"
#include "tests/unit/tree_case.h"

/* ---- strange files ---- */

/* Made by its base name in its folder: the name of a socket has a limit that paths of tests may be above. */
static void make_socket(const char *rel)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    int s = socket(AF_UNIX, SOCK_STREAM, 0), here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char dir[1024];

    assert_true(path_dir(dir, sizeof dir, tree_path(&tree, rel)));
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path_base(rel));
    if (s < 0 || here < 0 || chdir(dir) || bind(s, (struct sockaddr *)&a, sizeof(a)) != 0 || fchdir(here))
        tree_fail(rel);
    close(here);
    close(s);
}

static void assert_bad(const struct job *j, const char *rel, const char *says)
{
    const struct source_file *f = find(j, 0, rel);

    assert_false(f->regular);
    assert_int_equal(f->state, FS_BAD);
    if (!f->note || !strstr(f->note, says))
        fail_msg("%s: \"%s\" does not say \"%s\"", rel, f->note ? f->note : "", says);
}

static void strange_files_are_listed_with_reasons(void **state)
{
    const char *dir = PT "/ASCEND_PROFILER_OUTPUT/";
    struct timespec t0, t1;
    char rel[256];
    struct job *j;

    (void)state;
    make_pt(PT);
    tree_file(&tree, "outside.csv", "a,b\n");
    assert_int_equal(mkfifo(tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/op_statistic.csv"), 0600), 0);
    make_socket(PT "/ASCEND_PROFILER_OUTPUT/s.csv");
    assert_int_equal(symlink("nowhere", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/dangling.csv")), 0);
    assert_int_equal(symlink("../../outside.csv", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/out.csv")), 0);
    assert_int_equal(symlink("/dev/zero", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/zero.csv")), 0);
    assert_int_equal(symlink("loop.csv", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/loop.csv")), 0);
    assert_int_equal(symlink("..", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/up")), 0);
    assert_int_equal(symlink("../..", tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/far")), 0);
    snprintf(rel, sizeof(rel), "%sa\nb.csv", dir);
    tree_file(&tree, rel, "x,y\n");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/memory_record.csv", "");
    clock_gettime(CLOCK_MONOTONIC, &t0);
    j = scan(PT);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    assert_true(t1.tv_sec - t0.tv_sec <= 1); /* nothing blocks */
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/op_statistic.csv", "FIFO");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/s.csv", "socket");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/dangling.csv", "leads nowhere");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/out.csv", "out of the run");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/zero.csv", "out of the run");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/loop.csv", "cannot be followed");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/far", "out of the run");
    assert_false(find(j, 0, "ASCEND_PROFILER_OUTPUT/up")->regular);
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/up/profiler_info_0.json"));
    const struct source_file *f = find(j, 0, "ASCEND_PROFILER_OUTPUT/a\nb.csv");

    assert_true(f->regular);
    assert_string_equal(f->note, "the name holds control characters");
    f = find(j, 0, "ASCEND_PROFILER_OUTPUT/memory_record.csv");
    assert_int_equal(f->state, FS_EMPTY);
    assert_true(f->regular);
    job_free(j);
}

static void link_inside_the_run_counts_once(void **state)
{
    struct job *j;
    const struct source_file *f;

    (void)state;
    make_pt(PT);
    assert_int_equal(
        symlink("ASCEND_PROFILER_OUTPUT/trace_view.json", tree_path(&tree, PT "/trace_view.json")), 0);
    j = scan(PT);
    f = find(j, 0, "trace_view.json");
    assert_true(f->regular && f->superseded);
    assert_string_equal(f->path, tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/trace_view.json"));
    assert_false(find(j, 0, "ASCEND_PROFILER_OUTPUT/trace_view.json")->superseded);
    job_free(j);
    /* the start path may be a link */
    assert_int_equal(symlink(PT, tree_path(&tree, "latest")), 0);
    j = scan("latest");
    assert_root(j, 0, PT);
    job_free(j);
}

static void unreadable_files_and_folders_are_listed(void **state)
{
    struct job *j;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/logs/a.log", "x\n");
    assert_int_equal(chmod(tree_path(&tree, PT "/logs"), 0), 0);
    assert_int_equal(chmod(tree_path(&tree, PT "/ASCEND_PROFILER_OUTPUT/trace_view.json"), 0), 0);
    if (!drop_root())
        skip();
    j = scan(PT);
    take_root();
    assert_bad(j, "logs/", "permission");
    assert_bad(j, "ASCEND_PROFILER_OUTPUT/trace_view.json", "permission");
    assert_int_equal(chmod(tree_path(&tree, PT "/logs"), 0700), 0);
    job_free(j);
}

static void viewer_caches_are_not_listed(void **state)
{
    struct job *j;
    char *key;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/analysis.db", "x");
    j = scan(PT);
    key = unit_input_key(j->units[0]);
    job_free(j);
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/mindstudio_insight_data.db", "x");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/analysis.db-wal", "x");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/analysis.db-shm", "x");
    j = scan(PT);
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/mindstudio_insight_data.db"));
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/analysis.db-wal"));
    char *again = unit_input_key(j->units[0]);

    assert_string_equal(key, again);
    free(key);
    free(again);
    job_free(j);
}

static void too_deep_folders_are_named(void **state)
{
    struct job *j;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/1/2/3/4/5/6/7/8/last.txt", "x\n");
    tree_file(&tree, PT "/1/2/3/4/5/6/7/8/9/beyond.txt", "x\n");
    j = scan(PT);
    assert_non_null(tree_find(j->units[0], "1/2/3/4/5/6/7/8/last.txt"));
    assert_null(tree_find(j->units[0], "1/2/3/4/5/6/7/8/9/beyond.txt"));
    assert_bad(j, "1/2/3/4/5/6/7/8/9/", "too deeply");
    job_free(j);
}

static void listing_stops_at_its_limit(void **state)
{
    struct err e = ERR_INIT;
    struct arena *a;
    int fd;

    (void)state;
    for (const char *c = "abcd"; *c; c++)
        tree_file(&tree, (const char[]){ 'd', '/', *c, 0 }, "x");
    assert_int_equal(arena_new(&a, 1 << 20, &e), OK);
    fd = dir_open(AT_FDCWD, tree_path(&tree, "d"));
    assert_true(fd >= 0);
    for (size_t max = 0; max <= 5; max++) {
        struct dir_list l;

        assert_int_equal(dir_read(&l, fd, max, a, &e), OK);
        assert_int_equal(l.n, max < 4 ? max : 4);
        assert_true(l.cut == (max < 4));
    }
    close(fd);
    assert_true(dir_open(AT_FDCWD, tree_path(&tree, "d/a")) < 0);
    arena_free(a);
}

static void many_files_are_sorted_naturally(void **state)
{
    struct job *j;
    const struct source_file *f;
    int n = 0;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        char rel[256];

        snprintf(rel, sizeof(rel), PROF "/device_0/data/hwts.data.0.slice_%d", (i * 7919) % 2000);
        tree_file(&tree, rel, "x");
    }
    j = scan(PROF);
    f = find(j, 0, "device_0/data/hwts.data.0.slice_0");
    assert_false(f->later_slice);
    for (const struct source_file *s = f; s; s = s->next_slice) {
        assert_int_equal(s->slice, n++);
        assert_true(s == f || s->later_slice);
        assert_true(!s->next_slice || s->next_slice->id == s->id + 1); /* order of the list */
    }
    assert_int_equal(n, 2000);
    job_free(j);
}

/* ---- slices and exports ---- */

#define MOUT PROF "/mindstudio_profiler_output/"

/* A monitor begins a new file now and then: all of one process are one stream, in the order of time. */
static void files_that_a_writer_rotates_are_joined(void **state)
{
    struct job *j;
    const struct source_file *f;

    (void)state;
    tree_file(&tree, "mon/msmonitor_41_20250102030405002_3.jsonl", "{}\n");
    tree_file(&tree, "mon/msmonitor_41_20250102030405001_3.jsonl", "{}\n");
    tree_file(&tree, "mon/msmonitor_41_20250102030406000_3.jsonl", "{}\n");
    tree_file(&tree, "mon/msmonitor_42_20250102030406000_3.jsonl", "{}\n");
    j = scan("mon");
    f = find(j, 0, "msmonitor_41_20250102030405001_3.jsonl");
    assert_false(f->superseded || f->later_slice);
    assert_int_equal(f->rank, 3);
    assert_ptr_equal(f->next_slice, find(j, 0, "msmonitor_41_20250102030405002_3.jsonl"));
    assert_ptr_equal(f->next_slice->next_slice, find(j, 0, "msmonitor_41_20250102030406000_3.jsonl"));
    assert_null(f->next_slice->next_slice->next_slice);
    assert_true(f->next_slice->later_slice && !f->next_slice->superseded);
    assert_false(find(j, 0, "msmonitor_42_20250102030406000_3.jsonl")->later_slice);
    job_free(j);
}

static void slices_of_the_newest_export_are_joined(void **state)
{
    struct job *j;
    const struct source_file *f;

    (void)state;
    tree_file(&tree, PROF "/host/info.json", "{}");
    tree_file(&tree, MOUT "op_summary_slice_10_20240102000000.csv", "a\n");
    tree_file(&tree, MOUT "op_summary_slice_2_20240102000000.csv", "a\n");
    tree_file(&tree, MOUT "op_summary_slice_0_20240102000000.csv", "a\n");
    tree_file(&tree, MOUT "op_summary_20240101000000.csv", "a\n");
    tree_file(&tree, MOUT "op_statistic_20240101000000.csv", "a\n");
    tree_file(&tree, MOUT "operator_memory_20240102000000.csv", "a\n");
    tree_file(&tree, MOUT "ge_operator_memory_20240101000000.csv", "a\n");
    j = scan(PROF);
    f = find(j, 0, "mindstudio_profiler_output/op_summary_slice_0_20240102000000.csv");
    assert_false(f->superseded);
    assert_int_equal(f->next_slice->slice, 2);
    assert_int_equal(f->next_slice->next_slice->slice, 10);
    assert_null(f->next_slice->next_slice->next_slice);
    f = find(j, 0, "mindstudio_profiler_output/op_summary_20240101000000.csv");
    assert_true(f->superseded);
    assert_string_equal(f->note, "an older export");
    /* alone of its kind, or another table of the same kind */
    assert_false(find(j, 0, "mindstudio_profiler_output/op_statistic_20240101000000.csv")->superseded);
    assert_false(find(j, 0, "mindstudio_profiler_output/ge_operator_memory_20240101000000.csv")->superseded);
    job_free(j);
}

static void slices_and_whole_exclude_each_other(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, PROF "/host/info.json", "{}");
    tree_file(&tree, MOUT "task_time_20240101000000.csv", "all\n");
    tree_file(&tree, MOUT "task_time_slice_0_20240101000000.csv", "first rows\n");
    tree_file(&tree, MOUT "task_time_slice_1_20240101000000.csv", "rest\n");
    tree_file(&tree, MOUT "api_statistic_20240101000000.csv", "everything there is\n");
    tree_file(&tree, MOUT "api_statistic_slice_0_20240101000000.csv", "part\n");
    j = scan(PROF);
    assert_true(find(j, 0, "mindstudio_profiler_output/task_time_20240101000000.csv")->superseded);
    assert_false(find(j, 0, "mindstudio_profiler_output/task_time_slice_0_20240101000000.csv")->superseded);
    assert_false(find(j, 0, "mindstudio_profiler_output/api_statistic_20240101000000.csv")->superseded);
    assert_true(
        find(j, 0, "mindstudio_profiler_output/api_statistic_slice_0_20240101000000.csv")->superseded);
    job_free(j);
}

static void packed_copies_count_once(void **state)
{
    struct job *j;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/trace_view.json.gz", "x");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/op_statistic.csv.gz", "x");
    j = scan(PT);
    assert_false(find(j, 0, "ASCEND_PROFILER_OUTPUT/trace_view.json")->superseded);
    assert_true(find(j, 0, "ASCEND_PROFILER_OUTPUT/trace_view.json.gz")->superseded);
    assert_false(find(j, 0, "ASCEND_PROFILER_OUTPUT/op_statistic.csv.gz")->superseded);
    job_free(j);
}

static void old_exports_of_two_devices_stay_apart(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, PROF "/device_0/summary/op_summary_0_1_1.csv", "a\n");
    tree_file(&tree, PROF "/device_0/summary/op_summary_0_1_2.csv", "a\n");
    tree_file(&tree, PROF "/device_0/summary/op_summary_0.csv", "a\n");
    tree_file(&tree, PROF "/device_1/summary/op_summary_1.csv", "a\n");
    j = scan(PROF);
    for (size_t i = 0; i < j->units[0]->n_files; i++)
        assert_false(j->units[0]->files[i]->superseded);
    assert_int_equal(find(j, 0, "device_1/summary/op_summary_1.csv")->device, 1);
    assert_int_equal(find(j, 0, "device_1/summary/op_summary_1.csv")->rank, 1);
    assert_true(find(j, 0, "device_1/summary/op_summary_1.csv")->stamp == -1);
    job_free(j);
}

static void copies_in_prof_are_superseded(void **state)
{
    struct job *j;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/op_statistic.csv", "a\n1\n");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db", "a\n");
    tree_file(&tree, PT "/" MOUT "op_statistic_20240101000000.csv", "a\n");
    tree_file(&tree, PT "/" MOUT "api_statistic_20240101000000.csv", "a\n");
    tree_file(&tree, PT "/" PROF "/msprof_20240101000000.db", "a\n");
    j = scan(PT);
    assert_true(find(j, 0, MOUT "op_statistic_20240101000000.csv")->superseded);
    assert_false(find(j, 0, MOUT "api_statistic_20240101000000.csv")->superseded);
    assert_true(find(j, 0, PROF "/msprof_20240101000000.db")->superseded);
    job_free(j);
    /* a header alone is no copy */
    static const char *const headers[] = { "a\n", "a", "a\r\n \n" };
    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/op_statistic.csv", headers[i]);
        j = scan(PT);
        assert_false(find(j, 0, MOUT "op_statistic_20240101000000.csv")->superseded);
        job_free(j);
    }
}

/* ---- missing files ---- */

static void missing_files_stand_at_the_end_of_their_folder(void **state)
{
    struct job *j;
    const struct source_file *f;
    size_t last = 0;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/logs/a.log", "x\n");
    j = scan(PT);
    f = find(j, 0, "ASCEND_PROFILER_OUTPUT/op_statistic.csv");
    assert_int_equal(f->state, FS_ABSENT);
    assert_false(f->regular);
    assert_string_equal(f->kind->id, "op_statistic");
    f = find(j, 0, "ASCEND_PROFILER_OUTPUT/memory_record.csv");
    assert_int_equal(f->state, FS_OFF);
    assert_string_equal(f->note, "memory was not collected; written with: profile_memory");
    f = find(j, 0, "ASCEND_PROFILER_OUTPUT/l2_cache.csv");
    assert_int_equal(f->state, FS_OFF);
    /* not recorded: nothing is said */
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/nic.csv"));
    /* text only: no database is expected */
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/analysis.db"));
    for (size_t i = 0; i < j->units[0]->n_files; i++)
        if (strncmp(j->units[0]->files[i]->rel, "ASCEND_PROFILER_OUTPUT/", 23) == 0)
            last = i;
    assert_false(j->units[0]->files[last]->regular);
    assert_string_equal(j->units[0]->files[last + 1]->rel, "logs/a.log");
    job_free(j);
}

static void assert_row(const struct job *j, const char *rel, enum file_state state, const char *says)
{
    const struct source_file *f = find(j, 0, rel);

    assert_string_equal(file_state_word(f->state), file_state_word(state));
    if (!f->note || !strstr(f->note, says))
        fail_msg("%s: \"%s\" does not say \"%s\"", rel, f->note ? f->note : "", says);
}

static void gen_1_is_judged_by_what_lies_there(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "profiler/aicore_intermediate_2_type.csv", "x\n");
    tree_file(&tree, "profiler/pipeline_profiling_2.json", "{}");
    tree_file(&tree, "profiler/dataset_iterator_profiling_2.txt", "0 0 1 1\n");
    tree_file(&tree, "profiler/JOBA/data/ts_track.data.2.slice_0", "x");
    j = scan("profiler");
    assert_row(j, "flops_2.txt", FS_OFF, "AI Core counters were not collected; written with: aicore_metrics");
    assert_row(j, "aicore_intermediate_2_detail.csv", FS_ABSENT, "");
    assert_row(j, "step_trace_raw_2_detail_time.csv", FS_ABSENT, "");
    assert_row(j, "device_queue_profiling_2.txt", FS_OFF, "feed mode");
    assert_row(j, "minddata_pipeline_raw_2.csv", FS_ABSENT, "");
    assert_row(j, "memory_usage_2.pb", FS_OFF, "tensor memory");
    assert_row(j, "profiler_info_2.json", FS_OFF, "older than 2.0");
    assert_null(tree_find(j->units[0], "minddata_aicpu_2.txt"));
    job_free(j);
    /* counters are there: their result should be too */
    tree_file(&tree, "profiler/JOBA/data/aicore.data.2.slice_0", "x");
    j = scan("profiler");
    assert_row(j, "flops_2.txt", FS_ABSENT, "");
    job_free(j);
}

/* What cannot exist is not missing. */
static void one_rank_lacks_no_communication(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "one/profiler_info_0.json", "{\"rank_size\": 1, \"ms_version\": \"2.0.0\"}");
    tree_file(&tree, "one/output_timeline_data_0.txt", "x\n");
    j = scan("one");
    assert_true(j->units[0]->info.one_rank);
    assert_null(tree_find(j->units[0], "hccl_raw_0.csv"));
    find(j, 0, "flops_0.txt"); /* other rows are there */
    job_free(j);
    tree_file(&tree, "one/profiler_info_0.json", "{\"rank_size\": 2, \"ms_version\": \"2.0.0\"}");
    j = scan("one");
    assert_row(j, "hccl_raw_0.csv", FS_OFF, "communication was not collected");
    job_free(j);
}

static void pynative_mode_has_no_step_trace(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "profiler/profiler_info_0.json",
              "{\"context_mode\": \"pynative\", \"ms_version\": \"2.0.0\"}");
    tree_file(&tree, "profiler/output_timeline_data_0.txt", "x\n");
    j = scan("profiler");
    assert_row(j, "step_trace_raw_0_detail_time.csv", FS_OFF, "PyNative mode");
    job_free(j);
}

static void gpu_runs_are_not_asked_for_ascend_files(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "profiler/gpu_op_detail_info_0.csv", "x\n");
    j = scan("profiler");
    assert_null(tree_find(j->units[0], "flops_0.txt"));
    assert_null(tree_find(j->units[0], "framework_raw_0.csv"));
    job_free(j);
}

static void database_run_expects_no_text(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, PT "/profiler_info_0.json",
              "{\"config\": {\"experimental_config\": {\"_profiler_level\": \"Level1\", "
              "\"_export_type\": \"db\"}}, \"end_info\": {\"a\": 1}}");
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/analysis.db", "x");
    j = scan(PT);
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/kernel_details.csv"));
    assert_row(j, "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler.db", FS_ABSENT, "options ask for it");
    job_free(j);
}

static void run_without_options_is_not_judged(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "copy/ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
    tree_file(&tree, "copy/ASCEND_PROFILER_OUTPUT/analysis.db", "x");
    j = scan("copy");
    assert_int_equal(j->units[0]->gen, GEN_P);
    assert_int_equal(j->units[0]->n_files, 3);
    assert_row(j, "profiler_info.json", FS_ABSENT, "killed");
    job_free(j);
}

static void crashed_run_lists_what_analysis_would_have_made(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, PT "/" PROF "/device_0/data/stars_soc.data.0.slice_0", "x");
    j = scan(PT);
    assert_row(j, "ASCEND_PROFILER_OUTPUT/trace_view.json", FS_ABSENT, "the run was not analysed");
    assert_row(j, "ASCEND_PROFILER_OUTPUT/kernel_details.csv", FS_ABSENT, "not analysed");
    assert_null(tree_find(j->units[0], "ASCEND_PROFILER_OUTPUT/op_statistic.csv")); /* level unknown */
    job_free(j);
}

static void ids_are_unique_and_stable(void **state)
{
    struct job *a, *b;

    (void)state;
    make_pt("job/" PT);
    a = scan("job");
    b = scan("job/" PT);
    assert_int_equal(a->units[0]->n_files, b->units[0]->n_files);
    for (size_t i = 0; i < a->units[0]->n_files; i++) {
        assert_int_equal(a->units[0]->files[i]->id, b->units[0]->files[i]->id);
        assert_string_equal(a->units[0]->files[i]->rel, b->units[0]->files[i]->rel);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(a->units[0]->files[i]->id, a->units[0]->files[k]->id);
    }
    job_free(a);
    job_free(b);
}

static char *key_of(const char *rel)
{
    struct job *j = scan(rel);
    char *key = unit_input_key(j->units[0]);

    assert_non_null(key);
    job_free(j);
    return key;
}

static void input_key_reports_every_change(void **state)
{
    struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    char *k[5];

    (void)state;
    make_pt(PT);
    k[0] = key_of(PT);
    tree_file(&tree, PT "/ASCEND_PROFILER_OUTPUT/trace_view.json", "[ ]"); /* size */
    k[1] = key_of(PT);
    tree_file(&tree, PT "/new.txt", "x"); /* name */
    k[2] = key_of(PT);
    assert_int_equal(rename(tree_path(&tree, PT "/new.txt"), tree_path(&tree, PT "/old.txt")), 0);
    k[3] = key_of(PT);
    assert_int_equal(utimensat(AT_FDCWD, tree_path(&tree, PT "/old.txt"), old, 0), 0);
    k[4] = key_of(PT);
    for (int i = 0; i < 5; i++)
        for (int m = 0; m < i; m++)
            assert_string_not_equal(k[i], k[m]);
    char *same = key_of(PT);

    assert_string_equal(same, k[4]);
    free(same);
    for (int i = 0; i < 5; i++)
        free(k[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(strange_files_are_listed_with_reasons),
        CASE(link_inside_the_run_counts_once),
        CASE(unreadable_files_and_folders_are_listed),
        CASE(viewer_caches_are_not_listed),
        CASE(too_deep_folders_are_named),
        CASE(listing_stops_at_its_limit),
        CASE(many_files_are_sorted_naturally),
        CASE(files_that_a_writer_rotates_are_joined),
        CASE(slices_of_the_newest_export_are_joined),
        CASE(slices_and_whole_exclude_each_other),
        CASE(packed_copies_count_once),
        CASE(old_exports_of_two_devices_stay_apart),
        CASE(copies_in_prof_are_superseded),
        CASE(missing_files_stand_at_the_end_of_their_folder),
        CASE(gen_1_is_judged_by_what_lies_there),
        CASE(one_rank_lacks_no_communication),
        CASE(pynative_mode_has_no_step_trace),
        CASE(gpu_runs_are_not_asked_for_ascend_files),
        CASE(database_run_expects_no_text),
        CASE(run_without_options_is_not_judged),
        CASE(crashed_run_lists_what_analysis_would_have_made),
        CASE(ids_are_unique_and_stable),
        CASE(input_key_reports_every_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
