/* SPDX-License-Identifier: Apache-2.0 */
/* Names of members: what may be unpacked, and where to; limits below, at and above. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "archive/member.h"
#include "base/err.h"
#include "base/limits.h"

static void member_names_go_below_the_folder_or_nowhere(void **state)
{
    static const struct {
        const char *name, *path;
        enum member_fault fault;
    } cases[] = {
        { "a", "a", MEMBER_OK },
        { "./a//b/./c", "a/b/c", MEMBER_OK },
        { "a/", "a", MEMBER_OK },
        { "..a/b..", "..a/b..", MEMBER_OK },
        { "a\\..\\b", "a\\..\\b", MEMBER_OK }, /* no separator here */
        { "", "", MEMBER_EMPTY },
        { "./", "", MEMBER_EMPTY },
        { ".", "", MEMBER_EMPTY },
        { "/etc/passwd", "", MEMBER_ABSOLUTE },
        { "//a", "", MEMBER_ABSOLUTE },
        { "..", "", MEMBER_UP },
        { "../a", "", MEMBER_UP },
        { "a/../b", "", MEMBER_UP },
        { "a/..", "", MEMBER_UP },
        { "./../a", "", MEMBER_UP },
    };
    char path[LIM_ARCHIVE_NAME_B + 1];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(member_path(cases[i].name, path, sizeof path), cases[i].fault);
        assert_string_equal(path, cases[i].path);
    }
}

/* n parts of one letter. */
static const char *deep(char *buf, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(buf + 2 * i, "d/", 2);
    buf[2 * n - 1] = '\0';
    return buf;
}

static void member_limits_are_below_at_and_above(void **state)
{
    char name[2 * LIM_ARCHIVE_NAME_B], path[LIM_ARCHIVE_NAME_B + 1];

    (void)state;
    assert_int_equal(member_path(deep(name, LIM_ARCHIVE_DEPTH - 1), path, sizeof path), MEMBER_OK);
    assert_int_equal(member_path(deep(name, LIM_ARCHIVE_DEPTH), path, sizeof path), MEMBER_OK);
    assert_int_equal(member_path(deep(name, LIM_ARCHIVE_DEPTH + 1), path, sizeof path), MEMBER_DEEP);
    for (int more = -1; more <= 1; more++) {
        size_t n = (size_t)(LIM_ARCHIVE_PART_B + more);
        memset(name, 'n', n);
        name[n] = '\0';
        assert_int_equal(member_path(name, path, sizeof path), more > 0 ? MEMBER_LONG : MEMBER_OK);
        n = (size_t)(LIM_ARCHIVE_NAME_B + more);
        memset(name, 'n', n);
        for (size_t i = 200; i < n; i += 200)
            name[i] = '/';
        name[n] = '\0';
        assert_int_equal(member_path(name, path, sizeof path), more > 0 ? MEMBER_LONG : MEMBER_OK);
    }
    /* A smaller place is never written beyond. */
    char small[4] = "xyz";
    assert_int_equal(member_path("abcd", small, sizeof small), MEMBER_LONG);
    assert_string_equal(small, "");
    assert_int_equal(member_path("abc", small, sizeof small), MEMBER_OK);
}

static void member_tar_header_is_told_by_its_sum(void **state)
{
    uint8_t head[MEMBER_TAR_B] = "a";
    unsigned sum = 'a' + 8 * ' ';
    char field[9];

    (void)state;
    assert_false(member_is_tar(head));
    snprintf(field, sizeof field, "%06o", sum);
    memcpy(head + 148, field, 7);
    head[155] = ' ';
    assert_true(member_is_tar(head));
    head[300] ^= 1;
    assert_false(member_is_tar(head));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(member_names_go_below_the_folder_or_nowhere),
        cmocka_unit_test(member_limits_are_below_at_and_above),
        cmocka_unit_test(member_tar_header_is_told_by_its_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
