/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a chip, read once for all layers of the export: the same as those of the file, in its order. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "msprof/run.h"
#include "msprof/soc.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define SOC_FILE PROF_NAME "/device_0/data/stars_soc_profile.data.0.slice_0"
#define RECORDS  66

static struct tree tree;

static int set_up(void **state)
{
    unsigned char p[64 * RECORDS];

    (void)state;
    memset(p, 0, sizeof p);
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned char *r = p + (size_t)64 * i;
        put_le(r, PROF_SOC_QOS + i % 5, 2); /* no record of low power */
        put_le(r + 8, 3000 + i * 50, 8);
        put_le(r + 18, i % 3, 2);
        for (unsigned k = 24; k < 64; k += 4)
            put_le(r + k, i * 100 + k, 4);
    }
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file_n(&tree, SOC_FILE, (const char *)p, sizeof p);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

struct seen {
    struct prof_soc v[RECORDS];
    size_t n;
    enum prof_soc_kind kind;
};

static int see(void *arg, const struct prof_soc *s, struct err *e)
{
    struct seen *x = arg;

    (void)e;
    if (s->kind == x->kind) {
        assert_true(x->n < RECORDS);
        x->v[x->n++] = *s;
    }
    return OK;
}

static void expect_same(struct prof *p, struct msprof_run *r, bool from_file)
{
    static struct seen all[MSPROF_SOC_KINDS];
    struct err e = ERR_INIT;

    for (unsigned i = 0; i < MSPROF_SOC_KINDS; i++) {
        struct seen x = { .kind = PROF_SOC_QOS + i };
        if (from_file) {
            all[i] = x;
            assert_int_equal(prof_soc_read(p, p->device[0], PROF_STARS_PROFILE, see, &all[i], &e), OK);
            assert_int_equal(all[i].n, i == 5 ? 0 : RECORDS / 5 + (i < RECORDS % 5));
        }
        assert_int_equal(msprof_soc_each(r, 0, x.kind, see, &x, &e), OK);
        assert_int_equal(x.n, all[i].n);
        for (size_t k = 0; k < x.n; k++) {
            const struct prof_soc *a = &x.v[k], *b = &all[i].v[k];
            assert_true(a->counter == b->counter && a->id == b->id && a->type == b->type && a->n == b->n);
            assert_memory_equal(a->v, b->v, a->n * sizeof *a->v);
        }
    }
}

static void msprof_soc_of_a_file_is_read_once(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    struct msprof_run r = { .m = { .p = c.p, .n_dev = 1 } };
    expect_same(c.p, &r, true);
    tree_file_n(&tree, SOC_FILE, "", 0);
    expect_same(c.p, &r, false);
    assert_false(r.soc.dev[0].is_large);
    msprof_soc_done(&r.soc, 1);
    assert_int_equal(r.soc.n_words, 0);
    prof_case_close(&c);
}

static void msprof_soc_of_a_large_file_is_not_kept(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    struct msprof_run r = { .m = { .p = c.p, .n_dev = 1 }, .soc.most_words = 100 };
    expect_same(c.p, &r, true);
    assert_true(r.soc.dev[0].is_large);
    assert_int_equal(r.soc.n_words, 0);
    msprof_soc_done(&r.soc, 1);
    prof_case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(msprof_soc_of_a_file_is_read_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msprof_soc_of_a_large_file_is_not_kept, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
