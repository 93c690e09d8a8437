/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of a rank folder of MindSpore or torch_npu: files of FRAMEWORK beside a PROF folder of pieces
 * (fuzz_pieces.h), or alone, whole, cut or damaged. It ends with a word for what failed; files of the output
 * are whole, what is reported is what is there, and nothing else is.
 *
 * The input: a byte of bits, then pieces (fuzz_folder_part): of files[], those of the last number are the
 * input of fuzz_pieces(). tests/fuzz/offline.py writes one.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "offline/offline.h"
#include "parsers/registry.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_pieces.h"
#include "tests/fuzz/fuzz_written.h"

enum { IS_TORCH = 1, HAS_PROF = 2, COMPAT = 4, PRETTY = 8, WITH_DB = 16, KEEP = 32, STEPS = 64 };
#define NAME_N    300
#define ALL_TYPES 60 /* above the number of families; six records each */
#define RANKS_MAX 2

static const char *const folders[] = { "h_1_20260102030405678_ascend_ms", "h_1_20260102030405678_ascend_pt" };
/* The first ones as in fuzz_raw_op_range. */
static const char *const files[] = {
    "FRAMEWORK/torch.op_range",
    "FRAMEWORK/torch.op_mark",
    "FRAMEWORK/torch.memory_usage",
    "FRAMEWORK/mindspore.op_range",
    "FRAMEWORK/mindspore.memory_usage",
    "FRAMEWORK/mindspore.record_shapes",
    "FRAMEWORK/torch.python_tracer_func",
    "FRAMEWORK/torch.python_tracer_hash",
    "FRAMEWORK/torch.param_tensor_info",
    "FRAMEWORK/torch.gc_record",
    "FRAMEWORK/torch.python_func_call",
    "FRAMEWORK/torch.python_module_call",
    "FRAMEWORK/op_range_3",
    "FRAMEWORK/cpu_framework_3.txt",
    "FRAMEWORK/cpu_ms_memory_record_3.txt",
    "FRAMEWORK/cpu_op_detail_info_3.csv",
    "FRAMEWORK/cpu_op_execute_timestamp_3.txt",
    "FRAMEWORK/cpu_op_type_info_3.csv",
    "FRAMEWORK/device_queue_profiling_3.txt",
    "FRAMEWORK/dataset_iterator_profiling_3.txt",
    "FRAMEWORK/minddata_cpu_utilization_3.json",
    "FRAMEWORK/pipeline_profiling_3.json",
    "profiler_info_3.json",
    "profiler_metadata.json",
};
#define N_FILES ARRAY_LEN(files)

/* ---- the folder ---- */

/* Pieces of the last number, else some records of all types. */
static void put_prof(const uint8_t *data, size_t size, const char *folder)
{
    static uint8_t in[2 + ALL_TYPES * 6 * 4];
    const struct fuzz_part x = fuzz_folder_part(data, size, N_FILES, N_FILES + 1);
    char path[NAME_N], to[2 * NAME_N];
    size_t n = 2;

    for (unsigned file = 0; file < ALL_TYPES; file++)
        for (unsigned i = 0; i < 6; i++, n += 4) {
            in[n] = (uint8_t)file;
            in[n + 1] = (uint8_t)i;
        }
    const struct fuzz_prof p = x.has ? fuzz_pieces(x.p, x.n) : fuzz_pieces(in, sizeof in);
    const char *name = strrchr(p.path, '/');
    FUZZ_CHECK(name);
    snprintf(path, sizeof path, "%.*s/%s", (int)(name - p.path), p.path, folder);
    snprintf(to, sizeof to, "%s%s", path, name);
    FUZZ_CHECK(mkdir(path, 0700) == 0 && rename(p.path, to) == 0);
}

static const char *make_folder(uint8_t how, const uint8_t *data, size_t size)
{
    static char run[NAME_N];
    const char *folder = folders[how & IS_TORCH ? 1 : 0];
    char name[NAME_N];

    snprintf(run, sizeof run, "%s", fuzz_folder(data, 0));
    if (how & HAS_PROF)
        put_prof(data, size, folder);
    for (size_t k = 0; k < N_FILES; k++) {
        const struct fuzz_part x = fuzz_folder_part(data, size, k, N_FILES + 1);
        snprintf(name, sizeof name, "%s/%s", folder, files[k]);
        if (x.has)
            fuzz_folder_put(name, x.p, x.n);
    }
    return run;
}

/* ---- the analysis ---- */

static void check_results(const struct emit_report *r, const char *dir)
{
    size_t n, n_notes, written = 0;
    const struct emit_result *x = emit_report_results(r, &n);
    const struct emit_note *note = emit_report_notes(r, &n_notes);
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(x[i].name[0] && (x[i].outcome == EMIT_WRITTEN || x[i].why));
        if (x[i].outcome != EMIT_WRITTEN)
            continue;
        snprintf(path, sizeof path, "%s%s%s", x[i].path ? x[i].path : dir, x[i].path ? "" : "/",
                 x[i].path ? "" : x[i].name);
        if (stat(path, &st) != 0 || (uint64_t)st.st_size != x[i].bytes)
            fuzz_broken("written with the bytes reported", path, (int)x[i].bytes);
        written += strncmp(path, dir, strlen(dir)) == 0; /* the others lie in the PROF folder */
    }
    FUZZ_CHECK(fuzz_written(dir) == written);
    for (size_t i = 0; i < n_notes; i++)
        FUZZ_CHECK(note[i].text[0]);
}

static void analyse(const struct unit *u, int rank, uint8_t how)
{
    struct offline_options o = { .dir = fuzz_folder_out(),
                                 .below = "",
                                 .exports = how & WITH_DB ? (unsigned)OFFLINE_TEXT | OFFLINE_DB : 0,
                                 .compat = how & COMPAT,
                                 .pretty = how & PRETTY,
                                 .keep_exports = how & KEEP,
                                 .first_step = 1,
                                 .n_steps = how & STEPS ? 2 : 0 };
    struct emit_report *r = NULL;
    struct err e = ERR_INIT;

    FUZZ_CHECK(emit_report_new(&r, &e) == OK);
    int rc = offline_analyse(u, rank, &o, r, &e);
    FUZZ_CHECK(rc == e.code && (rc == OK || e.text[0]));
    /* steps that are not there are refused */
    FUZZ_CHECK(rc == OK || rc == ERR_FORMAT || (rc == ERR_USAGE && o.n_steps));
    check_results(r, o.dir);
    emit_report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = registry_tables();
    const size_t head = size > 0;
    const uint8_t how = size ? data[0] : 0;
    struct job *j = NULL;
    struct err e = ERR_INIT;

    if (job_scan(&j, make_folder(how, data + head, size - head), &t, &e))
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    for (size_t i = 0; j && i < j->n_units; i++)
        for (size_t k = 0; offline_can(j->units[i]) && k < j->units[i]->info.n_ranks && k < RANKS_MAX; k++)
            analyse(j->units[i], j->units[i]->info.ranks[k].rank, how);
    job_free(j);
    return 0;
}
