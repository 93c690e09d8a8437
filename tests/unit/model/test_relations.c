/* SPDX-License-Identifier: Apache-2.0 */
/* The list of tables of the SQL console: what is asked for first on top, rows, nothing that is empty. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/relations.h"
#include "store/fill/fill.h"

static struct store *with_samples(int n)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 0; i < n; i++) {
        struct val v[N_COLS(queue_sample)] = { [COL(queue_sample, size)] = val_int(i) };
        assert_int_equal(sink_row(fill_sink(f), T_queue_sample, v, N_COLS(queue_sample), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static const struct relation *find(const struct relation *r, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(r[i].name, name))
            return &r[i];
    return NULL;
}

static void relations_of_a_store_have_rows(void **state)
{
    struct relation r[RELATIONS_MAX];
    struct store *s = with_samples(3);
    const size_t n = relations_of(s, r);

    (void)state;
    assert_string_equal(r[0].name, "queues"); /* before the table it is made of, and before meta */
    assert_int_equal(r[0].rows, 3);
    assert_false(r[0].about);
    assert_int_equal(find(r, n, "queue_sample")->rows, 3);
    assert_true(find(r, n, "meta")->rows > 0);
    assert_null(find(r, n, "ops"));
    assert_null(find(r, n, "op_types"));
    assert_null(find(r, n, "op_exec"));
    store_close(s);
}

static void relations_of_many_rows_are_not_counted(void **state)
{
    struct relation r[RELATIONS_MAX];
    struct store *s = with_samples(RELATION_ROWS_LOOK + 5);

    (void)state;
    (void)relations_of(s, r);
    assert_string_equal(r[0].name, "queues");
    assert_true(r[0].about);
    assert_int_equal(r[0].rows, RELATION_ROWS_LOOK + 5);
    store_close(s);
}

static void relations_without_a_store_are_all(void **state)
{
    struct relation r[RELATIONS_MAX];
    const size_t n = relations_of(NULL, r);

    (void)state;
    assert_int_equal(n, N_TABLES + schema_n_views);
    assert_string_equal(r[0].name, "ops");
    assert_int_equal(r[0].rows, -1);
    assert_int_equal(find(r, n, "doc")->rows, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_of_a_store_have_rows),
        cmocka_unit_test(relations_of_many_rows_are_not_counted),
        cmocka_unit_test(relations_without_a_store_are_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
