/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents that lost their end: a JSON file of any kind, cut at every byte, is never called whole unless
 * only white space is missing (doc/reliability.md#cut-files). The kinds come from the registry: a new one has
 * to bring its document here.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/read/infile.h"
#include "import/import.h"
#include "tests/unit/parsers/parse_case.h"
#include "tests/unit/tree_case.h"

/* clang-format off */
#define EVENTS \
    "[{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"CANN\"}}, {\"ph\": " \
    "\"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": \"17.5\", \"dur\": 1, \"args\": {\"x\": 1}}]"
#define ENTRY "{\"Communication Time Info\": {\"Start Timestamp(us)\": 5, \"Elapse Time(ms)\": 1}, " \
    "\"Communication Bandwidth Info\": {}}"
#define LINK  "{\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": 4.1, \"Transit Time(ms)\": 0.5, " \
    "\"Bandwidth(GB/s)\": 502.25}"

/* {R}, {S} and the like of the name do not matter to a parser, but what kind of summary it is does. */
static const struct { const char *kind, *name, *text; } documents[] = {
    { "profiler_info", "profiler_info_0.json", "{\"config\": {\"a\": [1, 2]}, \"rank_id\": 0}\n" },
    { "profiler_metadata", "profiler_metadata.json",
        "{\"parallel_group_info\": {\"g\": {\"global_ranks\": [0, 1]}}, \"ENV_VARIABLES\": {\"A\": \"\"}}" },
    { "dyn_config", "profiler_config.json", "{\"start_step\": 2, \"stop_step\": 5} \n" },
    { "prof_rule", "prof_rule_0.json",
        "{\"status\": 0, \"data\": [{\"Rule Type\": \"x\", \"result\": []}]}" },
    { "step_trace_json", "step_trace_0_1_1.json", EVENTS "\n" },
    { "communication", "communication.json",
        "{\"step50\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__1@7\": " ENTRY ", \"Total Op Info\": "
        ENTRY "}}}" },
    { "communication_matrix", "communication_matrix.json",
        "{\"step50\": {\"p2p\": {}, \"collective\": {\"allreduce-top1@7\": {\"0-1\": " LINK "}}}}" },
    { "md_pipeline_profiling", "pipeline_profiling_0.json",
        "{\"op_info\": [{\"metrics\": {\"output_queue\": {\"length\": 8, \"size\": [0, 4]}}, \"op_id\": 0, "
        "\"op_type\": \"Batch\", \"children\": null}], \"sampling_interval\": 10}" },
    { "md_pipeline_summary_json", "minddata_pipeline_summary_0.json",
        "{\"op_names\": [\"Batch\"], \"op_ids\": [0], \"num_workers\": [2], \"parent_id\": [-1]}" },
    { "md_cpu_utilization", "minddata_cpu_utilization_0.json",
        "{\"time_stamp\": [10], \"device_info\": {\"user_utilization\": [10]}, \"process_info\": {}, "
        "\"op_info\": []}" },
    { "md_aicpu", "minddata_aicpu_0.json", "[{\"node\": \"a\", \"queue_size\": 3}]" },
    { "msproftx_json", "msprof_tx_0_1_1.json", EVENTS },
    { "host_info_timeline", "timeline_0.json", EVENTS },
    { "opprof_trace", "trace.json", EVENTS },
    { "monitor_jsonl", "msmonitor_1_20250102030405678_0.jsonl",
        "{\"kind\": \"AclAPI\", \"name\": \"a\", \"startNs\": 5, \"endNs\": 7, \"processId\": 1, "
        "\"threadId\": 2, \"correlationId\": 3}\n" },
    { "trace_view", "trace_view.json", EVENTS },
    { "msprof_json", "msprof_0_1_1.json", "{\"traceEvents\": " EVENTS ", \"displayTimeUnit\": \"ns\"}\n" },
    { "msprof_part_json", "hccl_0_1_1.json", EVENTS },
    { "g1_timeline_display", "ascend_timeline_display_0.json", EVENTS },
    { "g1_timeline_summary", "ascend_timeline_summary_0.json",
        "{\"total_time\": 1.5, \"num_of_streams\": 2}" },
    { "cluster_communication", "cluster_communication.json",
        "{\"(0, 1)\": {\"step\": {\"hcom_a__1@6\": {\"0\": " ENTRY "}}}}" },
    { "cluster_communication_matrix", "cluster_communication_matrix.json",
        "{\"(0, 1)\": {\"step2\": {\"allgather-top1@3\": {\"0-1\": " LINK "}}}}" },
    { "communication_group", "communication_group.json", "{\"collective\": [[0, 1]], \"p2p\": []}\n\n" },
    { "g1_dynamic_shape", "dynamic_shape_info_0.json",
        "{\"operator\": {\"1\": [{\"step\": 1, \"op_side\": \"gpu\", \"op_type\": \"Add\", \"op_name\": "
        "\"a\", \"dur\": 2, \"shape_info\": [\"[2]\"]}]}, \"operator_type\": {\"1\": {\"Add\": [2, 1, "
        "2]}}}" },
    { "g1_point_info", "step_trace_point_info_0.json",
        "{\"fp_start\": \"Default/a\", \"bp_end\": \"Default/b\"}" },
    { "g1_flops_summary", "flops_summary_0.json",
        "{\"FLOPs\": 8.5, \"FLOPS\": 9.5, \"FLOPS_Utilization\": 50}" },
    { "g1_flops_scope", "flops_scope_0.json",
        "{\"data\": {\"nodes\": [{\"name\": \"a\"}], \"links\": [{\"source\": \"Total\", \"target\": \"a\", "
        "\"value\": 2.5}]}, \"max_scope_num\": 5}" },
    { "g1_flops_step", NULL, NULL }, /* CSV text in spite of its name (doc/formats/mindspore1.md#flops) */
    { "g1_memory", "memory_usage_summary_0.json",
        "{\"capacity\": 31.0, \"allocations\": 15, \"peak_mem\": 0.5}" },
    { "g1_hccl_trace", "iter1.trace", "{\"device id\": \"6\", \"iteration\": 1, \"traceEvents\": " EVENTS
        "}" },
    { "parallel_strategy", "parallel_strategy_0.json",
        "{\"config\": {\"rankId\": 0}, \"graph\": {\"node\": [{\"name\": \"1\", \"opType\": \"a\", "
        "\"fullName\": \"b\"}]}}" },
    { "unknown", "notes.json", "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"c\": [1, {\"d\": null}]}]" },
    { "unknown", "more.json", "{\"a\": [1, {\"b\": true}], \"c\": \"d\"}\n" },
};
/* clang-format on */

static bool only_blanks(const char *s)
{
    return s[strspn(s, " \n\r\t")] == '\0';
}

static bool is_json(const struct file_kind *k)
{
    for (size_t i = 0; i < ARRAY_LEN(k->patterns) && k->patterns[i]; i++)
        if (strstr(k->patterns[i], ".json") || strstr(k->patterns[i], ",json") ||
            strstr(k->patterns[i], ".trace"))
            return true;
    return false;
}

static void cut_every_kind_of_json_has_a_document(void **state)
{
    const struct file_kind *kind;

    (void)state;
    for (size_t k = 0; (kind = registry_kind(k)); k++) {
        bool found = !kind->parse || !is_json(kind);
        for (size_t i = 0; i < ARRAY_LEN(documents) && !found; i++)
            found = strcmp(documents[i].kind, kind->id) == 0;
        if (!found)
            fail_msg("no document of kind %s", kind->id);
    }
}

/* What the notes make of a file. */
static bool is_whole(const struct rows *r, int rc)
{
    const struct sink_counts *n = sink_count_get(r->count);

    for (int i = 0; i < N_NOTES; i++)
        if (n->notes[i] && strcmp(note_infos[i].state, "OK") != 0)
            return false;
    return rc == OK;
}

/* Every byte of a document of n bytes and a NUL; name: what the file is called. */
static void cut_document(const struct file_kind *k, const char *name, const char *text, size_t n)
{
    char rel[PATH_MAX];

    snprintf(rel, sizeof rel, "d/%s", name);
    for (size_t cut = 1; cut <= n; cut++) {
        struct rows r;
        struct err e = ERR_INIT;
        tree_file_n(&tree, rel, text, cut);
        rows_init(&r, k->id, tree_path(&tree, rel));
        int rc = rows_parse(&r, k->parse ? k->parse : parse_generic, &e);
        if (is_whole(&r, rc) != only_blanks(text + cut))
            fail_msg("%s cut at %zu of %zu: %s\n%s", name, cut, n,
                     is_whole(&r, rc) ? "called whole" : "called damaged", buf_str(&r.text).p);
        if (rc && e.offset == ERR_NO_OFFSET && !e.line)
            fail_msg("%s cut at %zu: \"%s\" without a place", name, cut, e.text);
        rows_done(&r);
    }
}

static void cut_documents_are_never_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
        const struct file_kind *k = registry_find(str_of(documents[i].kind));
        assert_non_null(k);
        if (documents[i].text)
            cut_document(k, documents[i].name, documents[i].text, strlen(documents[i].text));
    }
}

/* ---- the samples ---- */

#define SAMPLE_MAX 1300 /* bytes: each is parsed as often */
#define PER_KIND   2

static size_t samples_cut;
static struct { /* by kind, in the order met */
    const struct file_kind *kind;
    size_t n;
} samples_met[64];

/* Another one of this kind is of use. */
static bool is_wanted(const struct file_kind *k)
{
    size_t i = 0;

    while (i < ARRAY_LEN(samples_met) - 1 && samples_met[i].kind && samples_met[i].kind != k)
        i++;
    samples_met[i].kind = k;
    return samples_met[i].n++ < PER_KIND;
}

static int on_sample(const char *path, const struct stat *st, int type, struct FTW *at)
{
    const struct inventory_tables t = tree_all_tables();
    struct kind_match m;
    struct err e = ERR_INIT;
    char *text = NULL;
    size_t n = 0;

    if (type != FTW_F || st->st_size == 0 || st->st_size > SAMPLE_MAX)
        return 0;
    const struct file_kind *k = kind_of_path(&t, str_of(path), &m);
    if (!k || !k->parse || !is_json(k) || strcmp(k->id, "g1_flops_step") == 0)
        return 0;
    assert_int_equal(infile_read_all(path, SAMPLE_MAX, &text, &n, &e), OK);
    if (n && (text[0] == '{' || text[0] == '[') && is_wanted(k)) {
        samples_cut++;
        text = realloc(text, n + 1);
        assert_non_null(text);
        text[n] = '\0';
        cut_document(k, path + at->base, text, n);
    }
    free(text);
    return 0;
}

static void cut_samples_are_never_whole(void **state)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES");
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s/data", samples ? samples : "");
    if (!samples || access(path, R_OK) != 0) {
        print_message("skipped: no samples\n");
        skip();
    }
    assert_int_equal(nftw(path, on_sample, 16, FTW_PHYS), 0);
    print_message("%zu samples\n", samples_cut);
    assert_true(samples_cut > 10);
}

/* ---- as the inventory and the import see it ---- */

/* State and note of the one file after an import. */
static void state_of(const char *rel, char *text, size_t n)
{
    const struct import_opts o = { .store_path = NULL };
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct query *q = NULL;
    struct job *j = scan("run");

    assert_int_equal(import_unit(j->units[0], &o, &s, NULL, &e), OK);
    assert_int_equal(
        store_query(s, &q, "SELECT state || '|' || ifnull(note, '') FROM source WHERE path = :p", &e), OK);
    query_bind_text(q, ":p", str_of(rel));
    assert_int_equal(query_step(q, &e), 1);
    str_copy(query_str(q, 0), text, n);
    query_free(q);
    store_close(s);
    job_free(j);
}

/* blanks: white space at the end may be missing. */
static void check_info(const char *rel, const char *text, bool blanks)
{
    char path[PATH_MAX], got[600];
    size_t n = strlen(text);

    snprintf(path, sizeof path, "run/%s", rel);
    for (size_t cut = 1; cut <= n; cut++) {
        tree_file_n(&tree, path, text, cut);
        state_of(rel, got, sizeof got);
        bool whole = strncmp(got, "ok|", 3) == 0 || strncmp(got, "UNREAD|", 7) == 0;
        if (whole != (blanks ? only_blanks(text + cut) : cut == n))
            fail_msg("%s cut at %zu: %s", rel, cut, got);
        if (!whole && strncmp(strchr(got, '|'), "|line ", 6) != 0 &&
            strncmp(strchr(got, '|'), "|the file ends without ", 23) != 0)
            fail_msg("%s cut at %zu: no place: %s", rel, cut, got);
    }
}

/* A folder that is a unit whatever becomes of the info file. */
static void make_unit(const char *beside)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "run/%s", beside);
    tree_file(&tree, path, "Step Id,Name,Type,Accelerator Core,Duration(us)\n");
    tree_file(&tree, "run/ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
}

static void cut_info_files_are_never_whole(void **state)
{
    (void)state;
    make_unit("ASCEND_PROFILER_OUTPUT/kernel_details.csv");
    check_info("profiler_info_0.json", "{\"config\": {\"a\": [1, 2], \"b\": {}}, \"rank_id\": 0}\n", true);
    check_info("profiler_metadata.json",
               "{\"parallel_group_info\": {\"g\": {\"global_ranks\": [0]}}, \"A\": \"b\"}", true);
    check_info("profiler_config.json", "{\"start_step\": 2, \"stop\": [5]}", true);
    check_info("PROF_000001_20240611062509123_ABCD/device_0/info.json.0",
               "{\"DeviceInfo\":[{\"id\":0}],\"pid\":1}", true);
    check_info("PROF_000001_20240611062509123_ABCD/device_0/start_info.0",
               "{\"collectionTimeBegin\":\"1718087109133456\"}", true);
}

static void cut_clocks_are_never_whole(void **state)
{
    (void)state;
    make_unit("ASCEND_PROFILER_OUTPUT/kernel_details.csv");
    check_info("PROF_000001_20240611062509123_ABCD/device_0/host_start.log.0",
               "[Device0]\nclock_realtime: 1681812000000000000\nclock_monotonic_raw: 4230\n", false);
    check_info("PROF_000001_20240611062509123_ABCD/device_0/dev_start.log.0",
               "clock_realtime:168\nclock_monotonic_raw:42\ncntvct:700\n", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_every_kind_of_json_has_a_document),
        CASE(cut_documents_are_never_whole),
        CASE(cut_samples_are_never_whole),
        CASE(cut_info_files_are_never_whole),
        CASE(cut_clocks_are_never_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
