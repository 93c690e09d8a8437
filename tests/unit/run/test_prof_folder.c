/* SPDX-License-Identifier: Apache-2.0 */
/* src/run/prof_folder.c: PROF folders and their parts by name. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/prof_folder.h"

static void prof_folder_names_are_those_of_the_collector(void **state)
{
    (void)state;
    assert_true(prof_folder_is(STR("PROF_000001_20260314011207123_ABCDEF")));
    assert_false(prof_folder_is(STR("PROF_old")));
    assert_false(prof_folder_is(STR("JOB3")));
    assert_int_equal(prof_folder_stamp(STR("PROF_000001_20260314011207123_ABCDEF")),
                     INT64_C(20260314011207123));
    assert_int_equal(prof_folder_stamp(STR("PROF_old")), -1);
}

static void prof_parts_are_host_and_devices(void **state)
{
    static const struct {
        const char *name;
        int part;
    } rows[] = {
        { "host", PROF_PART_HOST },
        { "device_0", 0 },
        { "device_63", 63 },
        { "device_1023", 1023 },
        { "device_1024", PROF_PART_NONE },
        { "device_-1", PROF_PART_NONE },
        { "device_", PROF_PART_NONE },
        { "device_5x", PROF_PART_NONE },
        { "hosts", PROF_PART_NONE },
        { "", PROF_PART_NONE },
        { "device_99999999999999999999", PROF_PART_NONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(prof_part_of(str_of(rows[i].name)), rows[i].part);
}

static void prof_folder_of_a_file_is_what_lies_before_its_part(void **state)
{
    static const struct {
        const char *rel, *root; /* root NULL: none */
        bool info;
    } rows[] = {
        { "host/info.json", "", true },
        { "PROF_1/device_0/info.json.0", "PROF_1/", true },
        { "a/b/device_7/data/hwts.data.7.slice_0", "a/b/", false },
        { "device_7", NULL, false },
        { "a/device_x/info.json", NULL, false },
        { "info.json", NULL, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str root;

        assert_int_equal(prof_folder_of(str_of(rows[i].rel), &root), rows[i].root != NULL);
        if (rows[i].root)
            assert_true(str_eq(root, str_of(rows[i].root)));
        assert_int_equal(prof_folder_of_info(str_of(rows[i].rel), &root), rows[i].info);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(prof_folder_names_are_those_of_the_collector),
        cmocka_unit_test(prof_parts_are_host_and_devices),
        cmocka_unit_test(prof_folder_of_a_file_is_what_lies_before_its_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
