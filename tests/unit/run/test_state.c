/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run and its evidence, for each generation. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/state.h"
#include "tests/unit/tree_case.h"

#define NOW    INT64_C(2000000000000000000)
#define SECOND INT64_C(1000000000)
#define MS     "h_1_20240611062509123_ascend_ms"
#define SLICE  "/" PROF "/device_0/data/stars_soc.data.0.slice_0"

/* Give a file an age before NOW. */
static void age(const char *rel, int64_t seconds)
{
    const int64_t t = NOW / SECOND - seconds;
    struct timespec times[2] = { { (time_t)t, 0 }, { (time_t)t, 0 } };

    assert_int_equal(utimensat(AT_FDCWD, tree_path(&tree, rel), times, 0), 0);
}

static void old_file(const char *rel, const char *text)
{
    tree_file(&tree, rel, text);
    age(rel, 3600);
}

static struct run_verdict verdict(const char *rel)
{
    struct job *j = scan(rel);
    struct run_verdict v;

    run_state_of(j->units[0], -1, NOW, &v);
    job_free(j);
    return v;
}

static bool says(const struct run_verdict *v, const char *text)
{
    for (size_t i = 0; i < v->n; i++)
        if (strstr(v->evidence[i], text))
            return true;
    return false;
}

static void assert_state(const char *rel, enum run_state state, const char *text)
{
    struct run_verdict v = verdict(rel);

    assert_string_equal(run_state_word(v.state), run_state_word(state));
    assert_true(v.n > 0);
    if (!says(&v, text))
        fail_msg("no evidence \"%s\"; first is \"%s\"", text, v.evidence[0]);
}

static void results_make_a_run_analysed(void **state)
{
    (void)state;
    make_pt(PT);
    assert_state(PT, RUN_ANALYSED, "start time yes, stop time yes, analysis yes");
    assert_state(PT, RUN_ANALYSED, "expected files are not there");
}

static void stopped_without_results_is_not_analysed(void **state)
{
    (void)state;
    old_file(MS "/profiler_info_0.json", "{\"profiler_parameters\": {}}");
    old_file(MS SLICE, "x");
    assert_state(MS, RUN_NOT_ANALYSED, "stop time yes, analysis no");
}

static void killed_run_is_crashed_or_running_by_its_age(void **state)
{
    (void)state;
    old_file(MS SLICE, "x");
    assert_state(MS, RUN_CRASHED, "stop time no");
    age(MS SLICE, 61);
    assert_state(MS, RUN_CRASHED, "stop time no");
    age(MS SLICE, 59);
    assert_state(MS, RUN_RUNNING, "stars_soc.data.0.slice_0 changed 59 s ago");
    age(MS SLICE, -1); /* rounded */
    assert_state(MS, RUN_RUNNING, "changed 0 s ago");
    age(MS SLICE, -100); /* a clock that is ahead */
    assert_state(MS, RUN_CRASHED, "clock skew: stars_soc.data.0.slice_0 is dated 100 s in the future");
    age(MS SLICE, -90000);
    assert_state(MS, RUN_CRASHED, "is dated 1 d 1 h in the future");
}

static void stopped_run_does_not_run_however_young(void **state)
{
    (void)state;
    old_file(MS "/profiler_info_0.json", "{\"profiler_parameters\": {}}");
    tree_file(&tree, MS SLICE, "x");
    age(MS SLICE, 1);
    assert_state(MS, RUN_NOT_ANALYSED, "stop time yes");
}

static void open_slices_are_counted_where_marks_are_written(void **state)
{
    struct run_verdict v;

    (void)state;
    old_file(PROF "/device_0/data/hwts.data.0.slice_0", "x");
    old_file(PROF "/device_0/data/hwts.data.0.slice_1", "x");
    old_file(PROF "/device_0/data/hwts.data.0.slice_10", "x");
    v = verdict(PROF);
    assert_int_equal(v.state, RUN_CRASHED);
    assert_false(says(&v, "not closed"));
    old_file(PROF "/device_0/data/hwts.data.0.slice_0.done", "filesize:1");
    old_file(PROF "/device_0/data/hwts.data.0.slice_1.done", "filesize:1");
    assert_state(PROF, RUN_CRASHED,
                 "hwts.data.0.slice_10 was not closed by the collector: there is no .done");
    old_file(PROF "/device_0/data/hwts.data.0.slice_10.done", "filesize:1");
    old_file(PROF "/device_0/data/Framework.task_desc_info.0.slice_0", "x");
    assert_state(PROF, RUN_NOT_ANALYSED, "stop time yes");
}

static void files_that_name_start_and_stop_are_named(void **state)
{
    (void)state;
    old_file(PROF "/device_0/host_start.log.0", "clock_realtime: 1\n");
    old_file(PROF "/device_0/start_info.0", "{}");
    old_file(PROF "/device_0/data/hwts.data.0.slice_0", "x");
    old_file(PROF "/device_0/data/ts_track.data.0.slice_0", "x");
    old_file(PROF "/device_0/data/aicore.data.0.slice_0", "x");
    old_file(PROF "/device_0/info.json.0.done", "");
    assert_state(PROF, RUN_CRASHED, "started: host_start.log.0, start_info.0; not stopped: no end_info");
    assert_state(PROF, RUN_CRASHED,
                 "3 files were not closed by the collector, without .done: aicore.data.0.slice_0, "
                 "hwts.data.0.slice_0, ts_track.data.0.slice_0");
}

static void missing_slices_are_reported(void **state)
{
    struct run_verdict v;

    (void)state;
    old_file(PROF "/device_0/data/hwts.data.0.slice_0", "x");
    old_file(PROF "/device_0/data/hwts.data.0.slice_1", "x");
    v = verdict(PROF);
    assert_false(says(&v, "missing"));
    old_file(PROF "/device_0/data/hwts.data.0.slice_3", "x");
    assert_state(PROF, RUN_CRASHED, "slice 2 is missing: after hwts.data.0.slice_1 comes slice 3");
    old_file(PROF "/device_0/data/hwts.data.0.slice_10", "x");
    assert_state(PROF, RUN_CRASHED, "slices 4 to 9 are missing: after hwts.data.0.slice_3 comes slice 10");
    old_file(PROF "/device_0/data/ts_track.data.0.slice_1", "x");
    assert_state(PROF, RUN_CRASHED, "slices are missing: the first is ts_track.data.0.slice_1");
}

/* A flat folder of two devices, of which one was stopped. */
static void each_rank_of_a_flat_folder_has_its_own_end(void **state)
{
    static const char *const dirs[] = { "profiler/PROF_000001_20240101000000000_AAAAAAAAAAAAAAAA",
                                        "profiler/PROF_000002_20240101000000000_BBBBBBBBBBBBBBBB" };
    struct run_verdict v;
    char rel[200];

    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(rel, sizeof rel, "%s/device_%d/data/hwts.data.%d.slice_0", dirs[i], i, i);
        old_file(rel, "x");
        snprintf(rel, sizeof rel, "%s/device_%d/data/Framework.task_desc_info.%d.slice_0", dirs[i], i, i);
        old_file(rel, "x");
    }
    snprintf(rel, sizeof rel, "%s/device_1/end_info.1", dirs[1]);
    old_file(rel, "{\"collectionTimeEnd\": \"1\"}");
    struct job *j = scan("profiler");
    assert_int_equal(j->units[0]->info.n_ranks, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct run_rank *r = &j->units[0]->info.ranks[i];
        run_state_of(j->units[0], r->rank, NOW, &v);
        assert_string_equal(run_state_word(v.state),
                            run_state_word(r->device == 1 ? RUN_NOT_ANALYSED : RUN_CRASHED));
    }
    job_free(j);
}

static void end_info_means_stopped(void **state)
{
    (void)state;
    old_file(PROF "/device_0/data/hwts.data.0.slice_0", "x");
    old_file(PROF "/device_0/end_info.0", "{\"collectionTimeEnd\": \"1\"}");
    assert_state(PROF, RUN_NOT_ANALYSED, "stop time yes");
    old_file(PROF "/mindstudio_profiler_output/op_summary_20240101000000.csv", "a,b\n");
    assert_state(PROF, RUN_ANALYSED, "analysis yes");
}

static void gen_1_times_decide(void **state)
{
    (void)state;
    old_file("profiler/flops_0.txt", "x\n");
    old_file("profiler/" PROF "/device_0/data/hwts.data.0.slice_0", "x");
    old_file("profiler/profiler_info_0.json",
             "{\"profiling_start_time\": \"2023-05-16 17:17:01\", \"profiling_stop_time\": \"\"}");
    assert_state("profiler", RUN_CRASHED, "start time yes, stop time no, analysis no");
    old_file("profiler/profiler_info_0.json", "{\"profiling_start_time\": \"2023-05-16 17:17:01\", "
                                              "\"profiling_stop_time\": \"2023-05-16 17:18:01\"}");
    assert_state("profiler", RUN_NOT_ANALYSED, "stop time yes, analysis no");
    old_file("profiler/aicore_intermediate_0_type.csv", "a,b\n");
    assert_state("profiler", RUN_ANALYSED, "analysis yes");
}

static void files_of_gpu_and_cpu_runs_are_written_at_the_stop(void **state)
{
    (void)state;
    old_file("profiler/gpu_op_detail_info_0.csv", "a,b\n");
    assert_state("profiler", RUN_NOT_ANALYSED, "stop time yes, analysis no");
    old_file("profiler/gpu_timeline_display_0.json", "[]");
    assert_state("profiler", RUN_ANALYSED, "analysis yes");
}

static void interrupted_analysis_is_named(void **state)
{
    (void)state;
    old_file(PT "/profiler_info_0.json", P_INFO);
    old_file(PT "/ASCEND_PROFILER_OUTPUT/trace_view_temp.json", "[");
    old_file(PT SLICE, "x");
    assert_state(PT, RUN_NOT_ANALYSED, "an analysis was started and did not end");
}

static void exports_of_prof_alone_are_no_result_of_a_rank(void **state)
{
    (void)state;
    old_file(PT "/profiler_info_0.json", P_INFO);
    old_file(PT "/" PROF "/mindstudio_profiler_output/op_summary_20240101000000.csv", "a,b\n");
    old_file(PT SLICE, "x");
    assert_state(PT, RUN_NOT_ANALYSED, "analysis no");
}

static void loose_files_say_nothing_but_are_results(void **state)
{
    (void)state;
    old_file("loose/trace_view.json", "[]");
    assert_state("loose", RUN_ANALYSED,
                 "analysed files are there; no info file says when the run began or ended");
}

static void words_are_those_of_the_screen(void **state)
{
    (void)state;
    assert_string_equal(run_state_word(RUN_ANALYSED), "ANALYSED");
    assert_string_equal(run_state_word(RUN_NOT_ANALYSED), "NOT ANALYSED");
    assert_string_equal(run_state_word(RUN_CRASHED), "CRASHED");
    assert_string_equal(run_state_word(RUN_RUNNING), "STILL RUNNING");
    assert_string_equal(run_state_word((enum run_state)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(results_make_a_run_analysed),
        CASE(stopped_without_results_is_not_analysed),
        CASE(killed_run_is_crashed_or_running_by_its_age),
        CASE(stopped_run_does_not_run_however_young),
        CASE(open_slices_are_counted_where_marks_are_written),
        CASE(files_that_name_start_and_stop_are_named),
        CASE(missing_slices_are_reported),
        CASE(each_rank_of_a_flat_folder_has_its_own_end),
        CASE(end_info_means_stopped),
        CASE(gen_1_times_decide),
        CASE(files_of_gpu_and_cpu_runs_are_written_at_the_stop),
        CASE(interrupted_analysis_is_named),
        CASE(exports_of_prof_alone_are_no_result_of_a_rank),
        CASE(loose_files_say_nothing_but_are_results),
        CASE(words_are_those_of_the_screen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
