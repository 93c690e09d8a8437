/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of the registry is read, or says why it is known by its name only; and there is a test that
 * compares the rows of a file of it, made there or one of the samples. Such tests are looked for by their
 * text without comments: the id of the kind, or a file name that is its own.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/read/infile.h"
#include "run/probe.h"
#include "tests/unit/parsers/kind_names.h"
#include "tests/unit/tree.h"

#define ROWS_MAX 400
#define TEXT_MAX ((size_t)4 << 20)

/* Rows that still lack something: to be emptied. One of these that lacks nothing fails, too. */
static const char *const to_be_read[] = {
    "", /* none */
};
static const char *const to_be_tried[] = {
    "", /* none */
};

static struct inventory_tables tables;
/*
 * A sample is there; a test that compares rows names the row, a golden test does; a test makes a file of such
 * a name; a fuzz target has its id.
 */
static bool sampled[ROWS_MAX], tried[ROWS_MAX], golden[ROWS_MAX], made[ROWS_MAX], fuzzed[ROWS_MAX];
static size_t n_samples;

static size_t row_of(const struct file_kind *k)
{
    const struct file_kind *other;

    for (size_t i = 0; (other = registry_kind(i)); i++)
        if (other == k)
            return i;
    return ROWS_MAX;
}

/* As expected: 0. Else 1, and says so. */
static size_t judge(const struct file_kind *k, bool lacks, const char *what, const char *const *known,
                    size_t n)
{
    bool is_known = false;

    for (size_t i = 0; i < n; i++)
        is_known |= strcmp(known[i], k->id) == 0;
    if (lacks)
        print_message("%s: %s%s\n", k->id, what, is_known ? ", still" : "");
    else if (is_known)
        print_message("%s: lacks nothing, and is said to: %s\n", k->id, what);
    return lacks != is_known;
}

static bool is_member(const struct file_kind *k)
{
    for (size_t g = 0; g < registry_n_groups; g++)
        for (const struct group_member_kind *m = registry_groups[g].members; m->role != ROLE_NONE; m++)
            if (registry_groups[g].parse && strcmp(m->kind, k->id) == 0)
                return true;
    return false;
}

/* ---- who reads it ---- */

static void every_row_is_read_or_says_why_not(void **state)
{
    const struct file_kind *k;
    size_t read = 0, listed = 0, wrong = 0;

    (void)state;
    for (size_t i = 0; (k = registry_kind(i)); i++) {
        bool is_read = (k->parse && k->parse != parse_generic) || is_member(k);

        assert_true(i < ROWS_MAX);
        if (is_read && k->names_only)
            fail_msg("%s is read, and said to be known by its name only", k->id);
        read += is_read;
        listed += k->names_only != NULL;
        wrong += judge(k, !is_read && !k->names_only, k->parse ? "a plain table only" : "nothing reads it",
                       to_be_read, ARRAY_LEN(to_be_read));
    }
    print_message("%zu rows are read, %zu known by their names\n", read, listed);
    assert_int_equal(wrong, 0);
}

/* A file of each name that such a row has: listed, with the row's reason. */
static void rows_known_by_name_say_why(void **state)
{
    static const char unit[] = "w_1_20250109065044023_ascend_pt";
    struct err e = ERR_INIT;
    const struct file_kind *k;
    char rel[PATH_MAX], name[512];
    struct tree tree;
    size_t names = 0;

    (void)state;
    tree_new(&tree);
    snprintf(rel, sizeof rel, "%s/ASCEND_PROFILER_OUTPUT/kernel_details.csv", unit);
    tree_file(&tree, rel, "Name,Type,Accelerator Core,Duration(us)\n");
    for (size_t i = 0; (k = registry_kind(i)); i++)
        for (size_t p = 0; k->names_only && p < ARRAY_LEN(k->patterns) && k->patterns[p]; p++) {
            kind_name(k->patterns[p], name, sizeof name);
            snprintf(rel, sizeof rel, "%s/%s", unit, name);
            tree_file(&tree, rel, "x");
            names++;
        }
    struct job *j = tree_scan(&tree, unit, &e);
    assert_non_null(j);
    for (size_t i = 0; i < j->units[0]->n_files; i++) {
        const struct source_file *f = j->units[0]->files[i];

        if (!f->kind->names_only)
            continue;
        assert_int_equal(f->state, FS_LISTED);
        if (!f->superseded)
            assert_string_equal(f->note, f->kind->names_only);
        names--;
    }
    assert_int_equal(names, 0);
    job_free(j);
    tree_done(&tree);
}

/* ---- what it is tried on ---- */

/*
 * Recorded runs with what upstream's tools made of them: golden/analyse, offline, msprof and framework
 * compare each of these whole, so that every file that it consists of counts.
 */
static bool is_of_a_case(const char *path)
{
    static const char *const where[] = { "/data/gen1/", "/data/gen2/", "/data/msprof/" };

    for (size_t i = 0; i < ARRAY_LEN(where); i++)
        if (strstr(path, where[i]))
            return true;
    return false;
}

static int see_sample(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    const struct file_kind *k;

    (void)walk;
    if (type != FTW_F)
        return 0;
    k = kind_of_path(&tables, str_of(path), NULL);
    if (!k && st->st_size)
        k = probe_file(&tables, path);
    if (k && row_of(k) < ROWS_MAX) {
        sampled[row_of(k)] = true;
        golden[row_of(k)] |= is_of_a_case(path);
        n_samples++;
    }
    return 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_.-/", c));
}

/* What a test does with the kinds that it names. */
struct test_file {
    bool in_fuzz, compares, is_golden;
};

/* The id of a kind, or a file name that one row alone takes. */
static void see_word(struct str word, const struct test_file *t)
{
    const struct file_kind *k = registry_find(word), *of = NULL;

    if (!k && (str_chr(word, '.') != SIZE_MAX || str_chr(word, '_') != SIZE_MAX))
        of = kind_of_path(&tables, word, NULL);
    if (of && row_of(of) < ROWS_MAX)
        made[row_of(of)] = true;
    size_t row = row_of(k ? k : of);
    if (row >= ROWS_MAX)
        return;
    fuzzed[row] |= k && t->in_fuzz;
    tried[row] |= t->compares;
    golden[row] |= t->is_golden;
}

/* Tests of the table itself try no file. */
static bool is_about_the_table(const char *path)
{
    return strstr(path, "/test_registry") || strstr(path, "/unit/run/") || strstr(path, "/lint/") ||
           strstr(path, "/samples_state.");
}

/* Tests that compare what was read of a file: others only need one. */
static bool compares_rows(const char *path)
{
    return strstr(path, "/tests/golden/") || strstr(path, "/tests/unit/parsers/");
}

/* Blank what is only said: comments of C, lines of scripts that begin with a hash. */
static void blank_comments(char *text, size_t n, bool script)
{
    bool inside = false;

    for (size_t at = 0; at < n; at++) {
        bool at_line = !at || text[at - 1] == '\n';
        if (script && at_line)
            inside = text[at + strspn(text + at, " \t")] == '#';
        else if (!script && !inside)
            inside = text[at] == '/' && text[at + 1] == '*';
        else if (!script && text[at - 1] == '*' && text[at] == '/' && inside) {
            inside = false;
            text[at] = ' ';
        }
        if (inside && text[at] != '\n' && text[at] != '*')
            text[at] = ' ';
    }
}

static int see_test(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    const struct test_file t = { .in_fuzz = strstr(path, "/tests/fuzz/"),
                                 .compares = compares_rows(path),
                                 .is_golden = strstr(path, "/tests/golden/") };
    struct err e = ERR_INIT;
    char *text = NULL;
    size_t n, at = 0;

    (void)st;
    (void)walk;
    if (type != FTW_F || is_about_the_table(path) ||
        !(str_ends(str_of(path), STR(".c")) || str_ends(str_of(path), STR(".h")) ||
          str_ends(str_of(path), STR(".py")) || str_ends(str_of(path), STR(".sh"))))
        return 0;
    assert_int_equal(infile_read_all(path, TEXT_MAX, &text, &n, &e), OK);
    blank_comments(text, n, !str_ends(str_of(path), STR(".c")) && !str_ends(str_of(path), STR(".h")));
    while (at < n) {
        size_t from = at;

        while (at < n && is_word(text[at]))
            at++;
        if (at > from)
            see_word((struct str){ text + from, at - from }, &t);
        at += at == from;
    }
    free(text);
    return 0;
}

/* Which runs the samples are is not known without them: then a unit test counts, too. */
static void every_row_has_a_file_and_a_golden_test(void **state)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES"), *top = getenv("top_srcdir");
    const struct file_kind *k;
    char path[PATH_MAX];
    size_t wrong = 0;

    (void)state;
    if (!top) {
        print_message("skipped: no source folder\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/tests", top);
    assert_int_equal(nftw(path, see_test, 16, FTW_PHYS), 0);
    snprintf(path, sizeof path, "%s/data", samples ? samples : "");
    bool has_samples = samples && access(path, R_OK) == 0;
    if (has_samples)
        assert_int_equal(nftw(path, see_sample, 16, FTW_PHYS), 0);
    for (size_t i = 0; (k = registry_kind(i)); i++) {
        bool file = sampled[i] || made[i] || !has_samples;
        bool test = golden[i] || (tried[i] && !has_samples);
        if (!k->names_only)
            wrong += judge(k, !test || !file,
                           test   ? "no file"
                           : file ? "no golden test"
                                  : "no file, no golden test",
                           to_be_tried, ARRAY_LEN(to_be_tried));
    }
    print_message("%zu sample files of known kinds\n", n_samples);
    assert_int_equal(wrong, 0);
}

/* After the walk over the tests. */
static void every_parser_has_a_fuzz_target(void **state)
{
    const struct file_kind *k, *other;
    size_t wrong = 0;

    (void)state;
    if (!getenv("top_srcdir")) {
        print_message("skipped: no source folder\n");
        skip();
    }
    for (size_t i = 0; (k = registry_kind(i)); i++) {
        bool found = !k->parse || k->parse == parse_generic;
        for (size_t j = 0; !found && (other = registry_kind(j)); j++)
            found = other->parse == k->parse && fuzzed[j];
        if (!found)
            print_message("%s: no fuzz target has its parser\n", k->id);
        wrong += !found;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_read_or_says_why_not),
        cmocka_unit_test(rows_known_by_name_say_why),
        cmocka_unit_test(every_row_has_a_file_and_a_golden_test),
        cmocka_unit_test(every_parser_has_a_fuzz_target),
    };

    tables = tree_all_tables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
