/* SPDX-License-Identifier: Apache-2.0 */
/*
 * src/run/chip.c: the rows against the lists of platform numbers that the documents give
 * (doc/formats/prof.md#chips).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/chip.h"

#define END (-1)

static bool is_in(const int *list, int platform)
{
    while (*list != END && *list != platform)
        list++;
    return *list == platform;
}

static const int known[] = { 0, 1, 2, 3, 4, 5, 7, 8, 11, 15, 16, END };
static const int stars[] = { 5, 7, 8, 11, 15, 16, END };
static const int without_batches[] = { 0, 2, 11, 15, 16, END };
static const int with_database[] = { 1, 2, 3, 4, 5, 7, 15, 16, END };
static const int cpp[] = { 5, 15, 16, END };

static void chip_rows_are_those_of_the_documents(void **state)
{
    (void)state;
    for (int i = 0; known[i] != END; i++) {
        const struct chip *c = chip_of(known[i]);

        assert_int_equal(c->platform, known[i]);
        assert_non_null(c->name);
        assert_int_equal(c->scheduler == CHIP_STARS, is_in(stars, known[i]));
        assert_int_equal(!c->batches, is_in(without_batches, known[i]));
        assert_int_equal(c->db, is_in(with_database, known[i]));
        assert_int_equal(c->cpp, is_in(cpp, known[i]));
        assert_int_equal(c->both_cores, is_in(cpp, known[i]));
        assert_int_equal(c->freq_file, known[i] == 5); /* 910B */
        assert_int_equal(c->v6, known[i] >= 15);
        assert_true(c->ddr_access_b && c->llc_caches);
    }
}

static void chip_without_a_row_is_read_as_its_files_look(void **state)
{
    (void)state;
    for (int platform = -1; platform < 40; platform++)
        if (!is_in(known, platform)) {
            const struct chip *c = chip_of(platform);

            assert_int_equal(c->platform, -1);
            assert_null(c->name);
            assert_true(c->batches && c->ts_aicpu && !c->cpp && !c->db);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(chip_rows_are_those_of_the_documents),
        cmocka_unit_test(chip_without_a_row_is_read_as_its_files_look),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
