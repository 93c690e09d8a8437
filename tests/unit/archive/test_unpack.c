/* SPDX-License-Identifier: Apache-2.0 */
/* What is left out of an archive counts as what is kept, and reading over it can be interrupted. */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "archive/inner.h"
#include "tests/unit/tree_case.h"

#define MIB   ((uint64_t)1 << 20)
#define BLOCK 512

static void put_header(FILE *f, const char *name, char type, const char *link, uint64_t size)
{
    unsigned char h[BLOCK] = { 0 };
    unsigned sum = 0;

    snprintf((char *)h, 100, "%s", name);
    snprintf((char *)h + 100, 8, "0000644");
    snprintf((char *)h + 124, 12, "%011llo", (unsigned long long)size);
    memset(h + 148, ' ', 8);
    h[156] = (unsigned char)type;
    snprintf((char *)h + 157, 100, "%s", link);
    memcpy(h + 257,
           "ustar\0"
           "00",
           8);
    for (size_t i = 0; i < sizeof h; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    assert_int_equal(fwrite(h, sizeof h, 1, f), 1);
}

/* Asked so often before it says yes; 0: always no. */
static unsigned asked, most;

static bool on_ask(void *arg, uint64_t bytes, uint64_t files)
{
    (void)arg;
    (void)bytes;
    (void)files;
    return ++asked == most;
}

static struct archive_record unpack_it(const char *path, const struct unpack_limits *limits, struct err *e)
{
    struct archive_record r = { 0 };
    struct stat st;
    int fd = open(path, O_RDONLY), dir = open(tree.root, O_RDONLY | O_DIRECTORY);
    static unsigned n;
    char top[32];
    struct unpack u = {
        .fd = fd, .name = "a", .dir = dir, .top = top, .limits = limits, .cancelled = on_ask
    };

    assert_true(fd >= 0 && dir >= 0 && fstat(fd, &st) == 0);
    snprintf(top, sizeof top, "members%u", n++);
    u.size_b = (uint64_t)st.st_size;
    asked = 0;
    (void)!unpack_all(&u, &r, e);
    close(fd);
    close(dir);
    return r;
}

static bool says(const struct archive_record *r, const char *text)
{
    for (size_t i = 0; i < r->n; i++)
        if (strstr(r->v[i].text, text))
            return true;
    return false;
}

/* A member that leads out, of so many bytes, and one after it. */
static const char *left_out(uint64_t size)
{
    const char *path = tree_path(&tree, "out.tar");
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    put_header(f, "../x", '0', "", size);
    assert_int_equal(fseek(f, (long)size, SEEK_CUR), 0);
    put_header(f, "a", '0', "", 0);
    fclose(f);
    assert_int_equal(truncate(path, (off_t)(size + 2 * BLOCK + 10240)), 0);
    return path;
}

static void bytes_that_are_left_out_count(void **state)
{
    static const struct unpack_limits limits = { 200, 4 * MIB, 64, 1 * MIB };

    (void)state;
    for (int large = 0; large < 2; large++) {
        struct err e = ERR_INIT;
        most = 0;
        struct archive_record r = unpack_it(left_out(large ? 64 * MIB : 4 * MIB), &limits, &e);
        assert_int_equal(e.code, OK);
        assert_int_equal(r.files, !large);
        assert_true(says(&r, "leads out"));
        assert_int_equal(says(&r, "unpacked it is larger than the limit"), large);
        assert_true(r.unpacked <= 6 * MIB);
        record_done(&r);
    }
}

/* Asked before the member, and while its bytes are read over. */
static void reading_over_a_member_can_be_interrupted(void **state)
{
    static const struct unpack_limits limits = { 200, 1024 * MIB, 64, 1 * MIB };

    (void)state;
    for (most = 1; most < 9; most++) {
        struct err e = ERR_INIT;
        struct archive_record r = unpack_it(left_out(64 * MIB), &limits, &e);
        assert_int_equal(e.code, ERR_CANCELLED);
        assert_int_equal(asked, most);
        assert_true(r.unpacked <= most * MIB);
        record_done(&r);
    }
}

/* Two names of one archive: a folder stands where each of them was. */
static void a_second_name_of_an_archive_is_unpacked(void **state)
{
    static const struct unpack_limits limits = { 200, 4 * MIB, 64, 1 * MIB };
    const char *path = tree_path(&tree, "links.tar");
    struct err e = ERR_INIT;
    FILE *f = fopen(path, "w");

    (void)state;
    assert_non_null(f);
    put_header(f, "in.tar", '0', "", 3 * BLOCK);
    put_header(f, "a", '0', "", 0);
    assert_int_equal(fseek(f, 2 * BLOCK, SEEK_CUR), 0);
    put_header(f, "second.tar", '1', "in.tar", 0);
    fclose(f);
    assert_int_equal(truncate(path, 10240), 0);
    most = 0;
    struct archive_record r = unpack_it(path, &limits, &e);
    assert_int_equal(e.code, OK);
    assert_int_equal(r.files, 4);
    assert_int_equal(r.n, 0);
    record_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_that_are_left_out_count, setup, teardown),
        cmocka_unit_test_setup_teardown(reading_over_a_member_can_be_interrupted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_second_name_of_an_archive_is_unpacked, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
