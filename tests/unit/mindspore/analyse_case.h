/* SPDX-License-Identifier: Apache-2.0 */
/* Raw files of generation 1 in a tree of their own, analysed: what was written, what the report says. */
#ifndef NPUSCOPE_TESTS_UNIT_MINDSPORE_ANALYSE_CASE_H
#define NPUSCOPE_TESTS_UNIT_MINDSPORE_ANALYSE_CASE_H

#include "mindspore/analyse.h"
#include "tests/unit/tree.h"

struct mindspore_case {
    struct tree tree; /* raw files in "profiler", written ones in "out" */
    struct emit_report *report;
    char text[1 << 16]; /* of the file last asked for */
};

static inline void mindspore_case_new(struct mindspore_case *k)
{
    *k = (struct mindspore_case){ .report = NULL };
    tree_new(&k->tree);
    tree_dir(&k->tree, "out");
}

static inline void mindspore_case_file(struct mindspore_case *k, const char *name, const char *text)
{
    char rel[256];

    snprintf(rel, sizeof rel, "profiler/%s", name);
    tree_file(&k->tree, rel, text);
}

/* Analyse rank 0 by the rules of a version, replacing what an earlier call wrote. */
static inline int mindspore_case_run(struct mindspore_case *k, const char *version, enum mindspore_mode mode)
{
    struct err e = ERR_INIT;
    struct job *j = tree_scan(&k->tree, "profiler", &e);
    struct mindspore_options o = {
        .rules = mindspore_rules_find(version), .mode = mode, .dir = tree_path(&k->tree, "out"), .force = true
    };

    emit_report_free(k->report);
    k->report = NULL;
    int rc = j ? emit_report_new(&k->report, &e) : e.code;
    if (rc == OK)
        rc = mindspore_analyse(j->units[0], 0, &o, k->report, &e);
    job_free(j);
    return rc;
}

/* Text of a written file, NULL: there is none. */
static inline const char *mindspore_case_text(struct mindspore_case *k, const char *name)
{
    char rel[256];
    ssize_t n;
    int fd;

    snprintf(rel, sizeof rel, "out/%s", name);
    fd = open(tree_path(&k->tree, rel), O_RDONLY);
    if (fd < 0)
        return NULL;
    n = read(fd, k->text, sizeof k->text - 1);
    close(fd);
    k->text[n > 0 ? n : 0] = '\0';
    return k->text;
}

/* What became of a file; N_OUTCOMES: the report does not name it. */
#define N_OUTCOMES (EMIT_FAILED + 1)
static inline int mindspore_case_outcome(const struct mindspore_case *k, const char *name)
{
    size_t n;
    const struct emit_result *x = emit_report_results(k->report, &n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(x[i].name, name) == 0)
            return (int)x[i].outcome;
    return N_OUTCOMES;
}

static inline size_t mindspore_case_notes(const struct mindspore_case *k)
{
    size_t n;

    emit_report_notes(k->report, &n);
    return n;
}

static inline void mindspore_case_done(struct mindspore_case *k)
{
    emit_report_free(k->report);
    tree_done(&k->tree);
}

#endif
