/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases over a tree of their own: scanning it and asking for files (used by the tests of discovery,
 * inventory, ranks, states).
 */
#ifndef NPUSCOPE_TESTS_UNIT_TREE_CASE_H
#define NPUSCOPE_TESTS_UNIT_TREE_CASE_H

#include "tests/unit/tree.h"

#define PT   "w_1_20250109065044023_ascend_pt"
#define PROF "PROF_000001_20240611062509123_ABCD"
#define P_INFO                                                                                               \
    "{\"config\": {\"common_config\": {\"activities\": [\"ProfilerActivity.CPU\", "                          \
    "\"ProfilerActivity.NPU\"], \"profile_memory\": false}, \"experimental_config\": "                       \
    "{\"_profiler_level\": \"Level1\", \"_l2_cache\": false, \"_export_type\": \"text\"}}, "                 \
    "\"end_info\": {\"collectionTimeEnd\": 1736408884023552840}, \"rank_id\": 0}"

static struct tree tree;

static inline int setup(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static inline struct job *scan(const char *rel)
{
    struct err e;
    struct job *j = tree_scan(&tree, rel, &e);

    if (!j) {
        char text[512];

        fail_msg("%s", err_message(&e, text, sizeof(text)));
    }
    return j;
}

static inline const struct source_file *find(const struct job *j, size_t unit, const char *rel)
{
    const struct source_file *f;

    assert_true(unit < j->n_units);
    f = tree_find(j->units[unit], rel);
    if (!f)
        fail_msg("%s is not listed", rel);
    return f;
}

static inline void assert_root(const struct job *j, size_t unit, const char *rel)
{
    assert_true(unit < j->n_units);
    assert_string_equal(j->units[unit]->root, tree_path(&tree, rel));
}

static inline void assert_fails(const char *rel, int code, const char *says)
{
    struct err e;
    struct job *j = tree_scan(&tree, rel, &e);

    assert_null(j);
    assert_int_equal(e.code, code);
    if (!strstr(e.text, says))
        fail_msg("\"%s\" does not say \"%s\"", e.text, says);
    assert_true(e.file[0] != '\0');
}

static inline void make_pt(const char *dir)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/profiler_info_0.json", dir);
    tree_file(&tree, path, P_INFO);
    snprintf(path, sizeof(path), "%s/ASCEND_PROFILER_OUTPUT/kernel_details.csv", dir);
    tree_file(&tree, path, "Step Id,Name,Type,Accelerator Core,Duration(us)\n");
    snprintf(path, sizeof(path), "%s/ASCEND_PROFILER_OUTPUT/trace_view.json", dir);
    tree_file(&tree, path, "[]");
}

/* As root: go on as a user who owns nothing. false when that is not possible. */
static inline bool drop_root(void)
{
    return geteuid() != 0 || seteuid(65534) == 0;
}

static inline void take_root(void)
{
    if (getuid() == 0 && seteuid(0) != 0)
        tree_fail("seteuid");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
