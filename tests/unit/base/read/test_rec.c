/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian records over a window; files read on as one. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <zlib.h>

#include "base/read/rec.h"
#include "tests/unit/tree.h"

static struct tree tree;

static void rec_fields_are_little_endian(void **state)
{
    static const unsigned char bytes[] = { 1, 2, 3, 4, 5, 6, 7, 0x88, 'a', 'b', 0, 'c' };
    struct rec r = { .p = bytes, .n = sizeof bytes };

    (void)state;
    assert_int_equal(rec_u8(&r, 7), 0x88);
    assert_int_equal(rec_u16(&r, 0), 0x0201);
    assert_int_equal(rec_u32(&r, 1), 0x05040302);
    assert_true(rec_u64(&r, 0) == UINT64_C(0x8807060504030201));
    assert_true(str_eq(rec_text(&r, 8, 4), STR("ab")));
    assert_true(str_eq(rec_text(&r, 8, 2), STR("ab")));
    assert_false(r.over);
}

static void rec_fields_beyond_the_end_are_zero(void **state)
{
    static const unsigned char bytes[] = { 0xff, 0xff, 0xff };
    const size_t far[] = { 3, 4, SIZE_MAX, SIZE_MAX - 7 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(far); i++) {
        struct rec r = { .p = bytes, .n = sizeof bytes };
        assert_int_equal(rec_u8(&r, far[i]), 0);
        assert_true(r.over);
        r.over = false;
        assert_true(rec_u64(&r, far[i]) == 0 && r.over);
        assert_null(rec_text(&r, far[i], 1).p);
    }
    struct rec r = { .p = bytes, .n = sizeof bytes };
    assert_int_equal(rec_u16(&r, 1), 0xffff);
    assert_false(r.over);
    assert_int_equal(rec_u16(&r, 2), 0);
    assert_true(r.over);
}

static void take_all(struct infile *f, char *out, size_t *n)
{
    struct err e = ERR_INIT;
    size_t got, have;

    do {
        assert_int_equal(infile_more(f, &got, &e), OK);
        const char *p = infile_data(f, &have);
        size_t whole = have / 3 * 3; /* records of 3 bytes */
        memcpy(out + *n, p, whole);
        *n += whole;
        infile_take(f, whole);
    } while (got);
}

static void rec_peek_needs_all_bytes(void **state)
{
    struct infile *f = NULL;
    struct err e = ERR_INIT;
    struct rec r;
    size_t got;

    (void)state;
    tree_file_n(&tree, "p", "abcdef", 6);
    assert_int_equal(infile_open(&f, tree_path(&tree, "p"), 0, &e), OK);
    assert_false(rec_peek(f, 1, &r));
    assert_int_equal(infile_more(f, &got, &e), OK);
    infile_take(f, 2);
    assert_false(rec_peek(f, 5, &r));
    assert_true(rec_peek(f, 4, &r));
    assert_int_equal(r.off, 2);
    assert_int_equal(rec_u8(&r, 0), 'c');
    infile_close(f);
}

static void infile_goes_on_with_the_next_file(void **state)
{
    struct err e = ERR_INIT, damage = ERR_INIT;
    struct infile *f = NULL;
    char all[64];
    size_t n = 0;

    (void)state;
    tree_file_n(&tree, "a", "0123456", 7);
    tree_file_n(&tree, "c", "defgh", 5);
    gzFile z = gzopen(tree_path(&tree, "b"), "wb");
    assert_non_null(z);
    assert_int_equal(gzwrite(z, "789abc", 6), 6);
    gzclose(z);
    assert_int_equal(infile_open(&f, tree_path(&tree, "a"), 8, &e), OK);
    take_all(f, all, &n);
    assert_int_equal(n, 6);
    assert_int_equal(infile_continue(f, tree_path(&tree, "b"), &damage, &e), OK);
    assert_int_equal(damage.code, OK);
    take_all(f, all, &n);
    assert_int_equal(infile_continue(f, tree_path(&tree, "none"), &damage, &e), ERR_IO);
    err_clear(&e);
    assert_int_equal(infile_continue(f, tree_path(&tree, "c"), &damage, &e), OK);
    take_all(f, all, &n);
    assert_int_equal(n, 18);
    assert_memory_equal(all, "0123456789abcdefgh", 18);
    assert_int_equal(infile_offset(f), 18);
    infile_close(f);
}

static void infile_reports_the_damage_of_the_file_left(void **state)
{
    struct err e = ERR_INIT, damage = ERR_INIT;
    struct infile *f = NULL;
    unsigned char packed[200];
    char all[64];
    size_t n = 0;

    (void)state;
    gzFile z = gzopen(tree_path(&tree, "whole"), "wb");
    assert_int_equal(gzwrite(z, "0123", 4), 4);
    gzclose(z);
    FILE *in = fopen(tree_path(&tree, "whole"), "rb");
    size_t len = fread(packed, 1, sizeof packed, in);
    fclose(in);
    tree_file_n(&tree, "cut", (const char *)packed, len - 4);
    tree_file_n(&tree, "next", "45", 2);
    assert_int_equal(infile_open(&f, tree_path(&tree, "cut"), 0, &e), OK);
    take_all(f, all, &n); /* "3" is unread: the error was not told */
    assert_int_equal(n, 3);
    assert_int_equal(infile_continue(f, tree_path(&tree, "next"), &damage, &e), OK);
    assert_int_equal(damage.code, ERR_FORMAT);
    take_all(f, all, &n);
    assert_int_equal(n, 6);
    assert_memory_equal(all, "012345", 6);
    infile_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rec_fields_are_little_endian),
        cmocka_unit_test(rec_fields_beyond_the_end_are_zero),
        cmocka_unit_test(rec_peek_needs_all_bytes),
        cmocka_unit_test(infile_goes_on_with_the_next_file),
        cmocka_unit_test(infile_reports_the_damage_of_the_file_left),
    };

    tree_new(&tree);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    tree_done(&tree);
    return rc;
}
