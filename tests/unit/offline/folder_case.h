/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank folder of MindSpore 2.x or torch_npu in a tree of its own, with FRAMEWORK files that are written
 * byte by byte: analysed, what was written, what the report says.
 */
#ifndef NPUSCOPE_TESTS_UNIT_OFFLINE_FOLDER_CASE_H
#define NPUSCOPE_TESTS_UNIT_OFFLINE_FOLDER_CASE_H

#include "offline/offline.h"
#include "tests/unit/tree.h"

struct folder_case {
    struct tree tree;
    const char *folder; /* "host_1_20240611062509123_ascend_ms" */
    const char *gone;   /* removed after the folder was looked at; NULL: none */
    struct emit_report *report;
    char text[1 << 16]; /* of the file last asked for */
};

static inline void folder_case_new(struct folder_case *k, bool torch)
{
    *k = (struct folder_case){ .folder = torch ? "host_1_20240611062509123_ascend_pt"
                                               : "host_1_20240611062509123_ascend_ms" };
    tree_new(&k->tree);
    tree_dir(&k->tree, "out");
}

static inline void folder_case_file_n(struct folder_case *k, const char *name, const char *p, size_t n)
{
    char rel[300];

    snprintf(rel, sizeof rel, "%s/%s", k->folder, name);
    tree_file_n(&k->tree, rel, p, n);
}

static inline void folder_case_file(struct folder_case *k, const char *name, const char *text)
{
    folder_case_file_n(k, name, text, strlen(text));
}

/* profiler_info_0.json of MindSpore: version, and what was asked for: "\"profile_memory\": true" */
static inline void folder_case_info(struct folder_case *k, const char *version, const char *settings)
{
    char text[1000];

    snprintf(text, sizeof text,
             "{\"profiler_parameters\": {\"activities\": [\"CPU\"], \"profiler_level\": \"Level0\"%s%s}, "
             "\"ms_profiler_info\": {\"rank_id\": \"0\", \"device_id\": \"0\"}, \"ms_version\": \"%s\"}",
             *settings ? ", " : "", settings, version);
    folder_case_file(k, "profiler_info_0.json", text);
}

/* Analyse rank 0, replacing what an earlier call wrote. */
static inline int folder_case_run(struct folder_case *k, bool compat)
{
    struct err e = ERR_INIT;
    struct job *j = tree_scan(&k->tree, k->folder, &e);
    struct offline_options o = {
        .dir = tree_path(&k->tree, "out"), .below = "", .force = true, .compat = compat
    };

    if (k->gone)
        unlink(tree_path(&k->tree, k->gone));
    emit_report_free(k->report);
    k->report = NULL;
    int rc = j ? emit_report_new(&k->report, &e) : e.code;
    if (rc == OK)
        rc = offline_analyse(j->units[0], 0, &o, k->report, &e);
    job_free(j);
    return rc;
}

/* Text of a written file, NULL: there is none. */
static inline const char *folder_case_text(struct folder_case *k, const char *name)
{
    char rel[300];
    ssize_t n;

    snprintf(rel, sizeof rel, "out/%s", name);
    int fd = open(tree_path(&k->tree, rel), O_RDONLY);
    if (fd < 0)
        return NULL;
    n = read(fd, k->text, sizeof k->text - 1);
    close(fd);
    k->text[n > 0 ? n : 0] = '\0';
    return k->text;
}

/* What became of a file; FOLDER_UNNAMED: the report does not name it. */
#define FOLDER_UNNAMED (EMIT_FAILED + 1)
static inline int folder_case_outcome(const struct folder_case *k, const char *name)
{
    size_t n;
    const struct emit_result *x = emit_report_results(k->report, &n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(x[i].name, name) == 0)
            return (int)x[i].outcome;
    return FOLDER_UNNAMED;
}

static inline void folder_case_done(struct folder_case *k)
{
    emit_report_free(k->report);
    tree_done(&k->tree);
}

/* ---- records (doc/formats/framework.md#tlv) ---- */

struct bytes {
    unsigned char v[1 << 16];
    size_t n;
};

static inline void put(struct bytes *b, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b->v[b->n++] = (unsigned char)(i < 8 ? value >> 8 * i : 0);
}

static inline void put_field(struct bytes *b, unsigned type, const char *text)
{
    put(b, type, 2);
    put(b, strlen(text), 4);
    memcpy(b->v + b->n, text, strlen(text));
    b->n += strlen(text);
}

/* The offset at which the record begins; end_record() fills in its length. */
static inline size_t begin_record(struct bytes *b, unsigned type)
{
    size_t at = b->n;

    put(b, type, 2);
    put(b, 0, 4);
    return at;
}

static inline void end_record(struct bytes *b, size_t from)
{
    struct bytes length = { .n = 0 };

    put(&length, b->n - from - 6, 4);
    memcpy(b->v + from + 2, length.v, 4);
}

#endif
