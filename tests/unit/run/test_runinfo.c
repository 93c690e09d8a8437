/* SPDX-License-Identifier: Apache-2.0 */
/* Info files of each writer as settings and facts. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_case.h"

#define MS "h_1_20240611062509123_ascend_ms"

static const char p_info[] =
    "{\"config\": {\"common_config\": {\"activities\": [\"ProfilerActivity.CPU\", "
    "\"ProfilerActivity.NPU\"], \"schedule\": {\"wait\": 0, \"active\": 1}, \"record_shapes\": "
    "true, "
    "\"profile_memory\": false}, \"experimental_config\": {\"_profiler_level\": \"Level1\", "
    "\"_aic_metrics\": \"ACL_AICORE_PIPE_UTILIZATION\", \"_l2_cache\": true, \"_export_type\": "
    "[\"text\", \"db\"], \"_gc_detect_threshold\": null}}, \"start_info\": {\"freq\": 100, "
    "\"start_cnt\": 17238197612056}, \"end_info\": {\"collectionTimeEnd\": 1736408884023552840}, "
    "\"rank_id\": 7, \"torch_npu_version\": \"2.7.1\", \"cann_version\": \"8.2.RC1\"}";

static const char msprof_info[] =
    "{\"profiler_parameters\": {\"profiler_level\": \"Level2\", \"activities\": [\"NPU\"], "
    "\"profile_memory\": true, \"data_process\": true, \"l2_cache\": false, \"hbm_ddr\": true, "
    "\"sys_io\": false, \"record_shapes\": false, \"export_type\": [\"db\"]}, "
    "\"ms_profiler_info\": "
    "{\"context_mode\": \"1\", \"rank_id\": \"4\", \"device_id\": \"4\"}, \"ms_version\": "
    "\"2.7.0\", "
    "\"cann_version\": \"8.2.RC1\", \"jit_level\": \"O0\"}";

static const char mindspore_info[] =
    "{\"context_mode\": \"graph\", \"rank_id\": \"1\", \"ms_version\": \"2.0.0\", \"rank_size\": "
    "8, "
    "\"profiling_start_time\": \"2023-05-16 17:17:01\", \"profiling_stop_time\": \"2023-05-16 "
    "17:17:17\", \"analyse_end_time\": 1684228647.25, \"graph_ids\": [0, 3], "
    "\"profiling_options\": "
    "\"{\\\"aic_metrics\\\": \\\"ArithmeticUtilization\\\", \\\"profile_memory\\\": \\\"off\\\", "
    "\\\"hccl\\\": \\\"on\\\", \\\"l2_cache\\\": \\\"off\\\"}\"}";

static void assert_str(struct str s, const char *want)
{
    if (!str_eq(s, str_of(want)))
        fail_msg("\"%.*s\", should be \"%s\"", (int)s.n, s.p ? s.p : "", want);
}

static void assert_setting(const struct runinfo *r, const char *key, const char *want)
{
    assert_str(runinfo_get(r, key, -1), want);
}

static void torch_info_is_flattened(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    tree_file(&tree, PT "/profiler_info_7.json", p_info);
    j = scan(PT);
    r = &j->units[0]->info;
    assert_int_equal(r->gen, GEN_P);
    assert_true(r->has_info);
    assert_setting(r, "config.experimental_config._profiler_level", "Level1");
    assert_setting(r, "_profiler_level", "Level1");
    assert_setting(r, "schedule.active", "1");
    assert_setting(r, "activities", "ProfilerActivity.CPU, ProfilerActivity.NPU");
    assert_setting(r, "_gc_detect_threshold", "null");
    assert_setting(r, "collectionTimeEnd", "1736408884023552840"); /* every digit */
    assert_setting(r, "start_info.start_cnt", "17238197612056");
    assert_null(runinfo_get(r, "level", -1).p); /* whole parts of the key only */
    assert_null(runinfo_get(r, "_profiler_level.x", -1).p);
    assert_int_equal(r->level, 1);
    assert_int_equal(r->profile_memory, TRI_NO);
    assert_int_equal(r->record_shapes, TRI_YES);
    assert_int_equal(r->l2_cache, TRI_YES);
    assert_int_equal(r->cpu, TRI_YES);
    assert_int_equal(r->npu, TRI_YES);
    assert_int_equal(r->export_db, TRI_YES);
    assert_int_equal(r->export_text, TRI_YES);
    assert_int_equal(r->data_process, TRI_UNKNOWN);
    assert_int_equal(r->started, TRI_YES);
    assert_int_equal(r->stopped, TRI_YES);
    assert_str(r->version, "2.7.1");
    assert_str(r->cann_version, "8.2.RC1");
    assert_str(r->stop_time, "2025-01-09 07:48:04 UTC");
    assert_str(r->start_time, "2025-01-09 06:50:44");
    assert_int_equal(r->ranks[0].rank, 7);
    assert_int_equal(r->settings[0].rank, 7);
    assert_str(runinfo_get(r, "rank_id", 7), "7");
    assert_null(runinfo_get(r, "rank_id", 8).p);
    assert_int_equal(find(j, 0, "profiler_info_7.json")->state, FS_OK);
    job_free(j);
}

static void mindspore_info_is_flattened(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    tree_file(&tree, MS "/profiler_info_4.json", msprof_info);
    j = scan(MS);
    r = &j->units[0]->info;
    assert_int_equal(r->gen, GEN_2);
    assert_int_equal(r->level, 2);
    assert_int_equal(r->npu, TRI_YES);
    assert_int_equal(r->cpu, TRI_NO);
    assert_int_equal(r->profile_memory, TRI_YES);
    assert_int_equal(r->data_process, TRI_YES);
    assert_int_equal(r->hbm_ddr, TRI_YES);
    assert_int_equal(r->sys_io, TRI_NO);
    assert_int_equal(r->sys_interconnection, TRI_UNKNOWN);
    assert_int_equal(r->export_db, TRI_YES);
    assert_int_equal(r->export_text, TRI_NO);
    assert_int_equal(r->graph_mode, TRI_NO);
    assert_int_equal(r->stopped, TRI_YES);
    assert_str(r->start_time, "2024-06-11 06:25:09 UTC");
    assert_int_equal(r->ranks[0].rank, 4);
    assert_int_equal(r->ranks[0].device, 4);
    job_free(j);
}

static void gen_1_info_is_flattened(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    tree_file(&tree, "profiler/profiler_info_1.json", mindspore_info);
    tree_file(&tree, "profiler/flops_1.txt", "x\n");
    j = scan("profiler");
    r = &j->units[0]->info;
    assert_int_equal(r->gen, GEN_1);
    assert_setting(r, "profiling_options.aic_metrics", "ArithmeticUtilization");
    assert_setting(r, "graph_ids", "0, 3");
    assert_int_equal(r->graph_mode, TRI_YES);
    assert_int_equal(r->profile_memory, TRI_NO);
    assert_int_equal(r->communication, TRI_YES);
    assert_int_equal(r->comm_asked, TRI_YES);
    assert_false(r->one_rank);
    assert_int_equal(r->started, TRI_YES);
    assert_int_equal(r->stopped, TRI_YES);
    assert_int_equal(r->analysed, TRI_YES);
    assert_str(r->version, "2.0.0");
    assert_str(r->start_time, "2023-05-16 17:17:01");
    job_free(j);
    tree_file(&tree, "profiler/profiler_info_1.json",
              "{\"context_mode\": \"pynative\", \"ms_version\": \"2.2.0\", \"rank_size\": 1, "
              "\"profiling_start_time\": \"2023-05-16 17:17:01\", \"profiling_stop_time\": 0, "
              "\"analyse_end_time\": \"0.0\"}");
    j = scan("profiler");
    r = &j->units[0]->info;
    assert_int_equal(r->gen, GEN_1B);
    assert_int_equal(r->graph_mode, TRI_NO);
    assert_int_equal(r->communication, TRI_NO);
    assert_int_equal(r->comm_asked, TRI_UNKNOWN);
    assert_true(r->one_rank);
    assert_int_equal(r->started, TRI_YES);
    assert_int_equal(r->stopped, TRI_NO);
    assert_int_equal(r->analysed, TRI_NO);
    job_free(j);
}

/* One option of a torch_npu info file, and what it means. */
static const struct runinfo *with_config(struct job **j, const char *config)
{
    char text[1024];

    snprintf(text, sizeof(text), "{\"config\": {\"experimental_config\": {%s}}}", config);
    tree_file(&tree, PT "/profiler_info_0.json", text);
    *j = scan(PT);
    return &(*j)->units[0]->info;
}

static void levels_are_recognised_in_any_spelling(void **state)
{
    static const struct {
        const char *text;
        int level;
    } levels[] = {
        { "\"_profiler_level\": \"Level0\"", 0 },
        { "\"_profiler_level\": \"level2\"", 2 },
        { "\"_profiler_level\": \"Level_none\"", RUN_LEVEL_NONE },
        { "\"profiler_level\": \"LevelNone\"", RUN_LEVEL_NONE },
        { "\"profiler_level\": -1", RUN_LEVEL_NONE },
        { "\"profiler_level\": 1", 1 },
        { "\"profiler_level\": null", -1 },
        { "\"profiler_level\": \"Level9\"", -1 },
        { "\"other\": 1", -1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        struct job *j;

        assert_int_equal(with_config(&j, levels[i].text)->level, levels[i].level);
        job_free(j);
    }
}

static void export_types_are_recognised_in_any_spelling(void **state)
{
    static const struct {
        const char *text;
        enum tristate as_text, as_db;
    } types[] = {
        { "\"_export_type\": \"text\"", TRI_YES, TRI_NO },
        { "\"_export_type\": \"db\"", TRI_NO, TRI_YES },
        { "\"_export_type\": [\"db\"]", TRI_NO, TRI_YES },
        { "\"_export_type\": [\"ExportType.Text\", \"ExportType.Db\"]", TRI_YES, TRI_YES },
        { "\"export_type\": 0", TRI_YES, TRI_NO },
        { "\"export_type\": 1", TRI_NO, TRI_YES },
        { "\"export_type\": 2", TRI_YES, TRI_YES },
        { "\"_export_type\": null", TRI_YES, TRI_NO },
        { "\"older\": true", TRI_YES, TRI_NO },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct job *j;
        const struct runinfo *r = with_config(&j, types[i].text);

        if (r->export_text != types[i].as_text || r->export_db != types[i].as_db)
            fail_msg("%s", types[i].text);
        job_free(j);
    }
}

static void devices_name_machine_and_clock(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    tree_file(&tree, PROF "/device_3/info.json.3",
              "{\"version\":\"1.0\",\"platform_version\":\"5\",\"hostname\":\"node\",\"rank_id\":3,"
              "\"CPU\":[{\"Id\":0,\"Name\":\"a\"},{\"Id\":1}],\"DeviceInfo\":[{\"id\":3,"
              "\"ai_core_num\":24,\"aiv_num\":48,\"aic_frequency\":\"1850\"}],\"cannVersion\":\"8.0\"}");
    tree_file(&tree, PROF "/device_3/start_info.3",
              "{\"collectionDateBegin\":\"2024-06-11 06:25:09.133456\",\"collectionTimeBegin\":"
              "\"1718087109133456\"}");
    tree_file(&tree, PROF "/device_3/host_start.log.3",
              "[Device3]\nclock_realtime: 1718087109133456789\nclock_monotonic_raw:42\n");
    j = scan(PROF);
    r = &j->units[0]->info;
    assert_setting(r, "DeviceInfo[0].ai_core_num", "24");
    assert_setting(r, "CPU[1].Id", "1");
    assert_setting(r, "host_start.clock_realtime", "1718087109133456789");
    assert_setting(r, "clock_monotonic_raw", "42");
    assert_str(r->device_type, "Ascend 910B");
    assert_str(r->cann_version, "8.0");
    assert_true(r->aic_freq_mhz == 1850);
    assert_int_equal(r->aic_cores, 24);
    assert_int_equal(r->aiv_cores, 48);
    assert_str(r->start_time, "2024-06-11 06:25:09.133456");
    assert_null(r->stop_time.p);
    assert_int_equal(r->started, TRI_YES);
    assert_int_equal(r->stopped, TRI_NO);
    assert_int_equal(r->analysed, TRI_NO);
    assert_int_equal(r->ranks[0].rank, 3);
    assert_int_equal(r->ranks[0].device, 3);
    job_free(j);
}

/* Two collections of a device in one folder: the newer one's clocks count. */
static void the_newest_collection_comes_first(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    tree_file(&tree, "profiler/flops_0.txt", "x\n");
    tree_file(&tree, "profiler/PROF_000001_20230418100000123_AAAA/device_0/host_start.log.0",
              "[Device0]\nclock_realtime: 1\nclock_monotonic_raw: 11\n");
    tree_file(&tree, "profiler/PROF_000001_20230418100000123_AAAA/device_0/dev_start.log.0",
              "[Device0]\nclock_realtime: 1\ncntvct: 12\n");
    tree_file(&tree, "profiler/PROF_000001_20230518100000123_BBBB/device_0/host_start.log.0",
              "[Device0]\nclock_realtime: 2\nclock_monotonic_raw: 21\n");
    tree_file(&tree, "profiler/PROF_000001_20230518100000123_BBBB/device_0/dev_start.log.0",
              "[Device0]\nclock_realtime: 2\ncntvct: 22\n");
    j = scan("profiler");
    r = &j->units[0]->info;
    assert_str(runinfo_get(r, "host_start.clock_monotonic_raw", 0), "21");
    assert_str(runinfo_get(r, "dev_start.cntvct", 0), "22");
    job_free(j);
}

static void metadata_keeps_groups_out(void **state)
{
    struct job *j;
    const struct runinfo *r;

    (void)state;
    make_pt(PT);
    tree_file(&tree, PT "/profiler_metadata.json",
              "{\"parallel_group_info\": {\"g\": {\"global_ranks\": [0, 1]}}, \"distributed_args\": "
              "{\"world_size\": 8}, \"ENV_VARIABLES\": {\"HCCL_RDMA_TC\": \"\"}}");
    j = scan(PT);
    r = &j->units[0]->info;
    assert_null(runinfo_get(r, "global_ranks", -1).p);
    assert_setting(r, "metadata.distributed_args.world_size", "8");
    assert_setting(r, "ENV_VARIABLES.HCCL_RDMA_TC", "");
    assert_non_null(runinfo_get(r, "HCCL_RDMA_TC", -1).p);
    assert_int_equal(r->communication, TRI_YES);
    job_free(j);
}

static void cut_info_keeps_what_is_whole(void **state)
{
    size_t kept = 0;

    (void)state;
    for (size_t n = 1; n < sizeof(p_info) - 1; n++) {
        struct job *j;
        const struct source_file *f;
        size_t now;

        tree_file_n(&tree, PT "/profiler_info_7.json", p_info, n);
        j = scan(PT);
        f = find(j, 0, "profiler_info_7.json");
        now = j->units[0]->info.n_settings;
        assert_true(now >= kept);
        kept = now;
        assert_int_equal(f->state, now ? FS_TORN : FS_BAD);
        assert_true(f->note && strncmp(f->note, "line 1: ", 8) == 0);
        assert_false(j->units[0]->info.has_info);
        job_free(j);
    }
    assert_true(kept > 15);
}

static void other_json_is_no_trouble(void **state)
{
    static const char *const texts[] = { "[]",
                                         "[1, [2, {\"a\": 3}], 4]",
                                         "7",
                                         "\"x\"",
                                         "{}",
                                         "nul",
                                         "{\"a\": [[[[1]]]], \"b\": [{}, {}]}",
                                         "\xff\xfe",
                                         "{\"\": 1}" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct job *j;

        tree_file(&tree, PT "/profiler_info_7.json", texts[i]);
        j = scan(PT);
        assert_int_equal(j->units[0]->info.ranks[0].rank, 7);
        job_free(j);
    }
}

static void settings_have_a_limit(void **state)
{
    struct job *j;
    char *text = malloc(400000);
    size_t n = 0;

    (void)state;
    n += (size_t)snprintf(text, 400000, "{");
    for (int i = 0; i < 5000; i++)
        n += (size_t)snprintf(text + n, 400000 - n, "%s\"k%d\": \"%d\"", i ? ", " : "", i, i);
    snprintf(text + n, 400000 - n, "}");
    tree_file(&tree, PT "/profiler_info_7.json", text);
    free(text);
    j = scan(PT);
    assert_int_equal(j->units[0]->info.n_settings, 4096);
    assert_setting(&j->units[0]->info, "k4095", "4095");
    assert_non_null(find(j, 0, "profiler_info_7.json")->note);
    job_free(j);
}

static void samples_are_read(void **state)
{
    static const struct {
        const char *rel;
        enum gen gen;
        int rank, level;
    } runs[] = {
        { "msinsight-text/level0/rank0_ascend_pt", GEN_P, 0, 0 },
        { "msinsight-text/level1/rank1_ascend_pt", GEN_P, 1, 1 },
        { "msinsight-db/level1/rank1_ascend_pt", GEN_P, 1, 1 },
        { "msinsight-unit/test_rank_1", GEN_P, 1, 1 },
        { "mindinsight/run_1/normal_run/profiler", GEN_1, 1, -1 },
        { "msprof-analyze/cluster_analysis_output", GEN_C, 0, -1 },
    };
    const char *samples = getenv("NPUSCOPE_SAMPLES");
    const struct inventory_tables t = tree_all_tables();
    char path[1024];

    (void)state;
    snprintf(path, sizeof(path), "%s/data/outputs", samples ? samples : "");
    if (!samples || access(path, R_OK) != 0) {
        print_message("skipped: no samples\n");
        skip();
    }
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct err e = ERR_INIT;
        struct job *j;

        snprintf(path, sizeof(path), "%s/data/outputs/%s", samples, runs[i].rel);
        assert_int_equal(job_scan(&j, path, &t, &e), OK);
        assert_int_equal(j->n_units, 1);
        assert_int_equal(j->units[0]->gen, runs[i].gen);
        assert_int_equal(j->units[0]->info.ranks[0].rank, runs[i].rank);
        assert_int_equal(j->units[0]->info.level, runs[i].level);
        job_free(j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(torch_info_is_flattened),
        CASE(mindspore_info_is_flattened),
        CASE(gen_1_info_is_flattened),
        CASE(levels_are_recognised_in_any_spelling),
        CASE(export_types_are_recognised_in_any_spelling),
        CASE(devices_name_machine_and_clock),
        CASE(the_newest_collection_comes_first),
        CASE(metadata_keeps_groups_out),
        CASE(cut_info_keeps_what_is_whole),
        CASE(other_json_is_no_trouble),
        CASE(settings_have_a_limit),
        CASE(samples_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
