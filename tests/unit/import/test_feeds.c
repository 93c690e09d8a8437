/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Files says a file feeds: the pane whose views read its rows, for every kind that the demo writes, and
 * for the kinds of counters, which it does not.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "demo/demo.h"
#include "import/import.h"
#include "model/views/colset.h"
#include "parsers/parsers.h"
#include "parsers/registry.h"
#include "store/schema.h"
#include "tests/unit/tree.h"

struct fixture {
    struct tree tree;
    struct job *job;
    struct store *store;
};

/* The pane that a word of the column Feeds means. Other words: no pane has its rows. */
static const struct {
    const char *word;
    enum pane_id pane;
} words[] = {
    { "ops", PANE_OPS },       { "steps", PANE_STEPS }, { "timeline", PANE_TIME }, { "flops", PANE_FLOPS },
    { "memory", PANE_MEM },    { "data", PANE_DATA },   { "comm", PANE_COMM },     { "host", PANE_HOST },
    { "triage", PANE_TRIAGE }, { "files", PANE_FILES }, { "aicpu", PANE_HOST },
};

static unsigned pane_of(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i].word, word) == 0)
            return PANE_BIT(words[i].pane);
    return 0;
}

/* The panes with a view of the table: its name is a word of the statement that the view is. */
static unsigned panes_of(const char *table)
{
    unsigned panes = 0;

    for (size_t i = 0; i < view_n_defs; i++) {
        const struct view_def *d = view_defs[i];
        const char *from[] = { d->from, d->dim, d->needs };
        for (size_t k = 0; k < ARRAY_LEN(from); k++)
            for (const char *p = from[k]; p && (p = strstr(p, table)); p += strlen(table)) {
                const char after = p[strlen(table)], before = p == from[k] ? ' ' : p[-1];
                panes |= before == ' ' && (!after || strchr(" )", after)) ? PANE_BIT(d->pane) : 0;
            }
    }
    /* executions are drawn as tracks, too (import/derived/derive.c) */
    bool tracks = strcmp(table, "track") == 0 || strcmp(table, "op_exec") == 0;
    return panes | (tracks ? PANE_BIT(PANE_TIME) : 0);
}

/* The panes that read rows of sources of the kind. */
static unsigned panes_that_read(struct store *s, const char *kind)
{
    unsigned panes = 0;
    char sql[240];

    for (size_t t = 0; t < N_TABLES; t++) {
        bool has = false;
        for (size_t c = 0; c < schema_tables[t].n_cols; c++)
            has |= strcmp(schema_tables[t].cols[c].name, "source_id") == 0;
        if (!has)
            continue;
        snprintf(
            sql, sizeof sql,
            "SELECT EXISTS(SELECT 1 FROM %s WHERE source_id IN (SELECT id FROM source WHERE kind = '%s'))",
            schema_tables[t].name, kind);
        if (store_int(s, 0, sql, NULL))
            panes |= panes_of(schema_tables[t].name);
    }
    return panes;
}

/* Of a kind that holds several things, such as the host's additional records, one of them has the pane. */
static void feeds_are_panes_that_read_the_rows(void **state)
{
    const struct fixture *x = *state;
    const struct file_kind *k;
    size_t looked_at = 0, wrong = 0;

    for (size_t i = 0; (k = registry_kind(i)); i++) {
        const unsigned panes = panes_that_read(x->store, k->id), wanted = pane_of(k->feeds);
        if (!panes || !wanted)
            continue;
        looked_at++;
        if (panes & wanted)
            continue;
        print_message("%s: no view of its pane has its rows: %s\n", k->id, k->feeds);
        wrong++;
    }
    assert_true(looked_at > 4);
    assert_int_equal(wrong, 0);
}

/* Each row of the registry: the word is that of a pane it feeds. */
static void feeds_and_panes_agree(void **state)
{
    const struct file_kind *k;
    (void)state;

    for (size_t i = 0; (k = registry_kind(i)); i++)
        if (pane_of(k->feeds) && !(k->panes & pane_of(k->feeds)))
            fail_msg("%s says %s, which is none of its panes", k->id, k->feeds);
}

/* Tables of counters are measurements of Host, raw ones curves of the timeline. */
static void feeds_of_counters_are_host_and_timeline(void **state)
{
    static const char *const raw[] = { "raw_sampled", "raw_freq" };
    const struct file_kind *k;
    (void)state;

    assert_int_equal(panes_of("host_sample"), PANE_BIT(PANE_HOST));
    for (size_t i = 0; (k = registry_kind(i)); i++)
        if (k->parse == parse_samples)
            assert_string_equal(k->feeds, "host");
    for (size_t i = 0; i < ARRAY_LEN(raw); i++)
        assert_string_equal(registry_find(str_of(raw[i]))->feeds, "timeline");
}

static int setup(void **state, const struct demo_opts *o)
{
    const struct import_opts how = { .progress = NULL };
    struct fixture *x = calloc(1, sizeof *x);
    struct err e = ERR_INIT;
    bool partial;
    assert_non_null(x);
    tree_new(&x->tree);
    assert_int_equal(demo_write(o, tree_path(&x->tree, "run"), NULL, &e), OK);
    assert_int_equal(import_scan(&x->job, tree_path(&x->tree, "run"), &e), OK);
    assert_int_equal(import_unit(x->job->units[0], &how, &x->store, &partial, &e), OK);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *x = *state;
    store_close(x->store);
    job_free(x->job);
    tree_done(&x->tree);
    free(x);
    return 0;
}

static int setup_gen1(void **state)
{
    return setup(state, &(struct demo_opts){ .gen = 1, .ranks = 1, .steps = 3 });
}

static int setup_gen2(void **state)
{
    return setup(state, &(struct demo_opts){ .gen = 2, .ranks = 2, .steps = 3 });
}

static int setup_raw1(void **state)
{
    return setup(state, &(struct demo_opts){ .gen = 1, .ranks = 1, .steps = 3, .raw = true });
}

static int setup_raw2(void **state)
{
    return setup(state, &(struct demo_opts){ .gen = 2, .ranks = 2, .steps = 3, .raw = true });
}

int main(void)
{
    const struct CMUnitTest table[] = {
        cmocka_unit_test(feeds_and_panes_agree),
        cmocka_unit_test(feeds_of_counters_are_host_and_timeline),
    };
    const struct CMUnitTest run[] = { cmocka_unit_test(feeds_are_panes_that_read_the_rows) };

    return cmocka_run_group_tests_name("registry", table, NULL, NULL) +
           cmocka_run_group_tests_name("generation 1", run, setup_gen1, teardown) +
           cmocka_run_group_tests_name("generation 2", run, setup_gen2, teardown) +
           cmocka_run_group_tests_name("raw 1", run, setup_raw1, teardown) +
           cmocka_run_group_tests_name("raw 2", run, setup_raw2, teardown);
}
