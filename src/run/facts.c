/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From settings and files to facts (doc/formats/analysed.md#profiler_info,
 * doc/formats/framework.md#profiler_info, doc/formats/prof.md#info-files).
 */
#include "config.h"

#include "run/facts.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/read/infile.h"
#include "run/chip.h"

#define ANALYSED_DIR "ASCEND_PROFILER_OUTPUT/"

static struct str get(const struct build *b, const char *key)
{
    return runinfo_get(&b->u->info, key, -1);
}

/* First of several keys that is recorded. */
static struct str get_one(const struct build *b, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n && keys[i]; i++) {
        struct str s = get(b, keys[i]);

        if (s.p)
            return s;
    }
    return STR_NULL;
}

static bool has_prefix(const struct build *b, const char *prefix)
{
    const struct runinfo *r = &b->u->info;

    for (size_t i = 0; i < r->n_settings; i++)
        if (str_starts(r->settings[i].key, str_of(prefix)))
            return true;
    return false;
}

static enum tristate tri_of(struct str s)
{
    static const char *const yes[] = { "true", "on", "yes", "1" };
    static const char *const no[] = { "false", "off", "no", "0", "null", "none", "" };

    if (!s.p)
        return TRI_UNKNOWN;
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        if (str_eq_nocase(s, str_of(yes[i])))
            return TRI_YES;
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        if (str_eq_nocase(s, str_of(no[i])))
            return TRI_NO;
    return TRI_UNKNOWN;
}

/* An entry that was not filled in: absent, empty, 0, None. */
static bool is_set(struct str s)
{
    double v;

    if (tri_of(s) == TRI_NO || !s.p)
        return false;
    return !str_f64(s, &v) || v != 0;
}

/* ---- options ---- */

static const struct {
    size_t at; /* in struct runinfo */
    const char *keys[4];
} options[] = {
    { offsetof(struct runinfo, profile_memory), { "profile_memory" } },
    { offsetof(struct runinfo, data_process), { "data_process" } },
    { offsetof(struct runinfo, l2_cache), { "l2_cache", "_l2_cache" } },
    { offsetof(struct runinfo, record_shapes), { "record_shapes" } },
    { offsetof(struct runinfo, hbm_ddr), { "hbm_ddr" } },
    { offsetof(struct runinfo, sys_interconnection),
      { "sys_interconnection", "_sys_interconnection", "pcie" } },
    { offsetof(struct runinfo, sys_io), { "sys_io", "_sys_io" } },
    { offsetof(struct runinfo, communication), { "profile_communication", "hccl" } },
};

static int level_of(struct str s)
{
    if (s.n == 0 || str_find_nocase(s, STR("null")) != SIZE_MAX)
        return -1;
    if (str_find_nocase(s, STR("none")) != SIZE_MAX || str_eq(s, STR("-1")))
        return RUN_LEVEL_NONE;
    char last = s.p[s.n - 1];

    return last >= '0' && last <= '2' ? last - '0' : -1;
}

static enum tristate part_of(struct str list, const char *what)
{
    if (!list.p)
        return TRI_UNKNOWN;
    return str_find_nocase(list, str_of(what)) != SIZE_MAX ? TRI_YES : TRI_NO;
}

/* The dynamic monitor and old options write numbers: activities 0 both, 1 CPU, 2 NPU. */
static void read_activities(struct build *b)
{
    static const char *const keys[] = { "activities" };
    struct runinfo *r = &b->u->info;
    struct str s = get_one(b, keys, 1);
    int64_t v;

    if (!str_i64(s, &v)) {
        r->cpu = part_of(s, "CPU");
        r->npu = part_of(s, "NPU");
        return;
    }
    r->cpu = v == 2 ? TRI_NO : TRI_YES;
    r->npu = v == 1 ? TRI_NO : TRI_YES;
}

/* export_type: text, db, a list of both, or 0 text, 1 db, 2 both; versions without it write text. */
static void read_export(struct build *b)
{
    static const char *const keys[] = { "export_type", "_export_type" };
    struct runinfo *r = &b->u->info;
    struct str s = get_one(b, keys, ARRAY_LEN(keys));
    int64_t v;

    if (str_i64(s, &v)) {
        r->export_text = v == 1 ? TRI_NO : TRI_YES;
        r->export_db = v == 0 ? TRI_NO : TRI_YES;
    } else if (part_of(s, "db") == TRI_YES || part_of(s, "text") == TRI_YES) {
        r->export_text = part_of(s, "text");
        r->export_db = part_of(s, "db");
    } else if (r->has_info) {
        r->export_text = TRI_YES;
        r->export_db = TRI_NO;
    }
}

static void read_mode(struct build *b)
{
    struct str s = get(b, "context_mode");
    enum tristate one = tri_of(s);

    if (str_eq_nocase(s, STR("graph")) || one == TRI_NO) /* 0 graph, 1 PyNative */
        b->u->info.graph_mode = s.n ? TRI_YES : TRI_UNKNOWN;
    else if (str_eq_nocase(s, STR("pynative")) || one == TRI_YES)
        b->u->info.graph_mode = TRI_NO;
}

static void read_options(struct build *b)
{
    static const char *const levels[] = { "profiler_level", "_profiler_level", "prof_level", "profLevel" };
    static const char *const sizes[] = { "world_size", "rank_size" };
    struct runinfo *r = &b->u->info;
    int64_t ranks;

    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct str s = get_one(b, options[i].keys, ARRAY_LEN(options[i].keys));

        *(enum tristate *)((char *)r + options[i].at) = tri_of(s);
    }
    r->level = level_of(get_one(b, levels, ARRAY_LEN(levels)));
    read_activities(b);
    read_export(b);
    read_mode(b);
    r->comm_asked = r->communication != TRI_UNKNOWN ? r->communication
                    : r->level >= 1                 ? TRI_YES
                    : r->level != -1                ? TRI_NO
                                                    : TRI_UNKNOWN;
    if (!str_i64(get_one(b, sizes, ARRAY_LEN(sizes)), &ranks) || ranks <= 0)
        return;
    r->one_rank = ranks == 1;
    if (r->one_rank || r->communication == TRI_UNKNOWN)
        r->communication = ranks > 1 ? TRI_YES : TRI_NO;
}

/* ---- machine ---- */

/* platform_version of info.json. */
static const char *chip_name(struct build *b, struct str platform)
{
    int64_t v;
    const char *name = str_i64(platform, &v) && v >= 0 && v <= INT_MAX ? chip_of((int)v)->name : NULL;

    return name ? name
                : arena_printf(b->a, "platform %.*s", (int)(platform.n < 16 ? platform.n : 16), platform.p);
}

static int count_of(const struct build *b, const char *key)
{
    int64_t v;

    return str_i64(get(b, key), &v) && v > 0 && v < 10000 ? (int)v : 0;
}

static void read_machine(struct build *b)
{
    static const char *const versions[] = { "ms_version", "torch_npu_version" };
    static const char *const cann[] = { "cann_version", "cannVersion" };
    struct runinfo *r = &b->u->info;
    struct str platform = get(b, "platform_version");
    double mhz;

    r->version = get_one(b, versions, ARRAY_LEN(versions));
    r->cann_version = get_one(b, cann, ARRAY_LEN(cann));
    if (platform.n)
        r->device_type = str_of(chip_name(b, platform));
    if (str_f64(get(b, "aic_frequency"), &mhz) && mhz > 0 && mhz < 1e6)
        r->aic_freq_mhz = mhz;
    r->aic_cores = count_of(b, "ai_core_num");
    r->aiv_cores = count_of(b, "aiv_num");
}

/* ---- files whose presence says something ---- */

static bool has_kind(const struct build *b, const char *id)
{
    for (size_t i = 0; i < b->n; i++)
        if (entry_is(b->v[i], id) && entry_has_data(b->v[i]))
            return true;
    return false;
}

static bool is_raw(const struct entry *x)
{
    return str_starts(str_of(x->f.kind->id), STR("raw")) && !entry_is(x, "raw_sqlite");
}

static bool has_raw(const struct build *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (is_raw(b->v[i]) && entry_has_data(b->v[i]))
            return true;
    return false;
}

/* A result file: known, of use, in a folder that analysis or export writes. */
static bool is_result(const struct build *b, const struct entry *x)
{
    static const char *const dirs[] = { "mindstudio_profiler_output/", "summary/", "timeline/", "analyze/",
                                        "analyse/" };

    if (!entry_has_data(x) || !x->f.kind->feeds || x->f.kind->order >= 80)
        return false;
    if (entry_in(x, ANALYSED_DIR))
        return true;
    /* in a rank folder the exports of PROF_* are only on the way to the result */
    if (b->root_kind == ROOT_RANK)
        return false;
    if (entry_is(x, "msprof_db"))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (str_ends(x->dir->path, str_of(dirs[i])))
            return true;
    return false;
}

static bool has_result(const struct build *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (is_result(b, b->v[i]))
            return true;
    return false;
}

/* Files that only the analysis of MindSpore 1.x writes. */
static bool has_flat_result(const struct build *b)
{
    /* output_timeline_data is raw in PyNative mode */
    static const char *const kinds[] = { "g1_timeline_display", "g1_op_type",  "g1_op_detail",
                                         "g1_step_trace",       "g1_aicpu",    "g1_hccl_raw",
                                         "md_pipeline_raw",     "g1_pynative", "g1_framework_raw" };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (has_kind(b, kinds[i]))
            return true;
    return false;
}

/* ---- generation ---- */

/* MindSpore 2.1 to 2.4 wrote the flat files from msprof's exports. */
static bool is_1b(const struct build *b)
{
    struct str v = get(b, "ms_version");

    for (const char *minor = "1234"; *minor; minor++)
        if (v.n > 3 && v.p[0] == '2' && v.p[1] == '.' && v.p[2] == *minor && v.p[3] == '.')
            return true;
    for (size_t i = 0; i < b->n; i++)
        if (entry_in(b->v[i], "FRAMEWORK/") || entry_in(b->v[i], "host_info/") ||
            (b->v[i]->dir->path.n == 0 && entry_is(b->v[i], "operator_memory")))
            return true;
    return false;
}

/* The step column of kernel_details is called "Step ID" by MindSpore, "Step Id" by torch_npu. */
static enum gen gen_of_header(const struct build *b)
{
    enum gen g = GEN_UNKNOWN;

    for (size_t i = 0; i < b->n && g == GEN_UNKNOWN; i++) {
        struct err e = ERR_INIT;
        struct infile *f = NULL;
        struct str head = STR_NULL;
        char path[PATH_MAX];
        size_t got;

        if (!entry_is(b->v[i], "kernel_details") || !entry_has_data(b->v[i]))
            continue;
        if (infile_open(&f, unit_path_of(b->u, &b->v[i]->f, path), 1024, &e) == OK &&
            infile_more(f, &got, &e) == OK)
            head.p = infile_data(f, &head.n);
        if (str_find(head, STR("Step ID"), 0) != SIZE_MAX)
            g = GEN_2;
        else if (str_find(head, STR("Step Id"), 0) != SIZE_MAX)
            g = GEN_P;
        infile_close(f);
    }
    return g;
}

static enum gen gen_of_rank_root(const struct build *b)
{
    if (str_ends(str_of(b->u->root), STR("_ascend_ms")) || has_prefix(b, "profiler_parameters"))
        return GEN_2;
    if (str_ends(str_of(b->u->root), STR("_ascend_pt")) || has_prefix(b, "config."))
        return GEN_P;
    for (size_t i = 0; i < b->n; i++) {
        if (entry_is(b->v[i], "pt_db") || entry_is(b->v[i], "analysis_db") ||
            str_starts(entry_name(b->v[i]), STR("torch.")))
            return GEN_P;
        if (entry_is(b->v[i], "ms_db") || str_starts(entry_name(b->v[i]), STR("mindspore.")))
            return GEN_2;
    }
    if (b->u->info.has_info)
        return is_1b(b) ? GEN_1B : GEN_1;
    return gen_of_header(b);
}

/* For files without a folder that says more: the only generation that writes all of their kinds. */
static enum gen gen_of_kinds(const struct build *b)
{
    unsigned all = ~0u;
    enum gen g = has_prefix(b, "config.")               ? GEN_P
                 : has_prefix(b, "profiler_parameters") ? GEN_2
                                                        : GEN_UNKNOWN;

    for (size_t i = 0; i < b->n; i++)
        if (b->v[i]->f.kind->gens && entry_has_data(b->v[i]))
            all &= b->v[i]->f.kind->gens;
    for (unsigned i = 1; i < N_GENS && g == GEN_UNKNOWN; i++)
        if (all == 1u << i)
            g = (enum gen)i;
    return g != GEN_UNKNOWN ? g : gen_of_header(b);
}

static enum gen gen_of(const struct build *b)
{
    switch (b->root_kind) {
    case ROOT_RANK:
        return gen_of_rank_root(b);
    case ROOT_FLAT:
        return is_1b(b) ? GEN_1B : GEN_1;
    case ROOT_PROF:
        return GEN_M;
    case ROOT_JOB:
        return GEN_1;
    case ROOT_CLUSTER:
        return GEN_C;
    default:
        return gen_of_kinds(b);
    }
}

/* ---- start, stop, analysis ---- */

/*
 * "2024-06-11 06:25:09 UTC" from a count since 1970 in seconds (may have a fraction), us or ns; other text as
 * recorded.
 */
static struct str time_text(struct build *b, struct str s)
{
    char text[64];
    struct tm tm;
    int64_t v;
    time_t t;

    if (str_find(s, STR("."), 0) != SIZE_MAX ? !str_i64(str_sub(s, 0, str_chr(s, '.')), &v) : !str_i64(s, &v))
        return s;
    while (v > INT64_C(100000000000))
        v /= 1000;
    t = (time_t)v;
    if (v < INT64_C(1000000000) || !gmtime_r(&t, &tm))
        return s;
    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
    return arena_str(b->a, str_of(text));
}

/* Time in the name of a rank folder: UTC for MindSpore, local for torch_npu. */
static struct str time_of_name(struct build *b)
{
    struct str s = str_of(b->u->root);
    struct kind_match m;
    const char *d;

    s = str_sub(s, str_rchr(s, '/') + 1, s.n);
    if (!kind_pattern_match("{*}_{T}_ascend_{ms,pt}", s, &m) || m.stamp < INT64_C(10000000000000))
        return STR_NULL;
    d = arena_printf(b->a, "%lld", (long long)m.stamp);
    if (!d)
        return STR_NULL;
    return str_of(arena_printf(b->a, "%.4s-%.2s-%.2s %.2s:%.2s:%.2s%s", d, d + 4, d + 6, d + 8, d + 10,
                               d + 12, b->u->gen == GEN_2 ? " UTC" : ""));
}

static void read_times(struct build *b)
{
    static const char *const starts[] = { "profiling_start_time", "collectionDateBegin" };
    static const char *const stops[] = { "profiling_stop_time", "collectionDateEnd",
                                         "end_info.collectionTimeEnd" };
    struct runinfo *r = &b->u->info;

    r->start_time = get_one(b, starts, ARRAY_LEN(starts));
    r->stop_time = get_one(b, stops, ARRAY_LEN(stops));
    if (!r->start_time.p)
        r->start_time = time_of_name(b);
    if (r->start_time.p)
        r->start_time = time_text(b, r->start_time);
    if (r->stop_time.p)
        r->stop_time = time_text(b, r->stop_time);
}

static enum tristate tri(bool yes)
{
    return yes ? TRI_YES : TRI_NO;
}

/*
 * Every slice of the device has its .done marker: the collector closed it. Not all versions mark those of the
 * host.
 */
static bool all_slices_done(const struct build *b)
{
    size_t slices = 0, done = 0;

    for (size_t i = 0; i < b->n; i++) {
        if (str_starts(entry_name(b->v[i]), STR("Framework.")))
            continue;
        slices += is_raw(b->v[i]) && b->v[i]->f.slice >= 0;
        done += entry_is(b->v[i], "marker") && str_find(entry_name(b->v[i]), STR(".slice_"), 0) != SIZE_MAX &&
                str_ends(entry_name(b->v[i]), STR(".done"));
    }
    return slices > 0 && done >= slices;
}

/* Facts that the collection itself recorded, without an info file of the framework. */
static void read_collection(struct build *b)
{
    struct runinfo *r = &b->u->info;

    r->started = has_raw(b) ? TRI_YES : TRI_UNKNOWN;
    if (has_prefix(b, "prof.end_info."))
        r->stopped = TRI_YES;
    else if (!has_raw(b) && (has_kind(b, "gpu_op_detail") || has_kind(b, "cpu_op_detail")))
        r->started = r->stopped = TRI_YES; /* the runtime writes them when it stops */
    else if (has_raw(b))
        r->stopped = tri(all_slices_done(b));
}

static void read_progress_flat(struct build *b)
{
    struct runinfo *r = &b->u->info;

    if (r->has_info) {
        r->stopped = tri(is_set(get(b, "profiling_stop_time")));
        r->started = tri(is_set(get(b, "profiling_start_time")) || r->stopped == TRI_YES);
        r->analysed = tri(is_set(get(b, "analyse_end_time")));
    } else {
        read_collection(b);
        r->analysed = TRI_UNKNOWN;
    }
    if (r->analysed != TRI_YES && has_flat_result(b))
        r->analysed = TRI_YES;
    else if (r->analysed == TRI_UNKNOWN && r->stopped != TRI_UNKNOWN)
        r->analysed = TRI_NO;
}

static void read_progress_rank(struct build *b)
{
    struct runinfo *r = &b->u->info;

    r->analysed = has_result(b) ? TRI_YES : has_raw(b) || r->has_info ? TRI_NO : TRI_UNKNOWN;
    if (!r->has_info) {
        /* only stop() writes the info file */
        r->started = has_raw(b) ? TRI_YES : TRI_UNKNOWN;
        r->stopped = has_raw(b) ? TRI_NO : TRI_UNKNOWN;
        return;
    }
    r->started = TRI_YES;
    r->stopped = b->u->gen == GEN_P ? tri(has_prefix(b, "end_info.")) : TRI_YES;
}

static void read_progress(struct build *b)
{
    struct runinfo *r = &b->u->info;

    if (b->root_kind == ROOT_LOOSE || b->root_kind == ROOT_FILE) {
        r->analysed = TRI_YES; /* nothing more is known */
        return;
    }
    switch (b->u->gen) {
    case GEN_1:
    case GEN_1B:
        read_progress_flat(b);
        break;
    case GEN_2:
    case GEN_P:
        read_progress_rank(b);
        break;
    case GEN_M:
        read_collection(b);
        r->analysed = tri(has_result(b));
        break;
    default:
        r->analysed = TRI_YES;
    }
}

void facts_read(struct build *b)
{
    struct runinfo *r = &b->u->info;

    for (size_t i = 0; i < b->n; i++)
        if (entry_is(b->v[i], "profiler_info") && b->v[i]->f.state == FS_OK)
            r->has_info = true;
    read_options(b);
    read_machine(b);
    b->u->gen = r->gen = gen_of(b);
    read_times(b);
    read_progress(b);
}
