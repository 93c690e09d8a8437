/* SPDX-License-Identifier: Apache-2.0 */
/* Protobuf fields in memory: each wire type, what is cut, what is none. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/read/pb.h"
#include "tests/unit/parsers/mindspore/pb_case.h"

static struct pb over(const void *p, size_t n)
{
    return pb_of((struct str){ p, n }, 100);
}

static void pb_fields_of_each_type_are_read(void **state)
{
    static const unsigned char bytes[] = {
        0x08, 0x96, 0x01,                                              /* 1: 150 */
        0x11, 0,    0,    0,    0,    0,    0,    0xf8, 0x3f,          /* 2: 1.5 as a double */
        0x1a, 0x03, 'a',  'b',  'c',                                   /* 3: text */
        0x25, 0,    0,    0x20, 0x40,                                  /* 4: 2.5 as a float */
        0xfa, 0xff, 0xff, 0xff, 0x0f, 0x00,                            /* 2^29-1: empty */
        0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, /* 5: 2^64-1 */
    };
    struct pb m = over(bytes, sizeof bytes);
    struct pb_field f;

    (void)state;
    assert_true(pb_next(&m, &f) && f.number == 1 && f.wire == PB_VARINT && f.value == 150);
    assert_int_equal(f.off, 100);
    assert_true(pb_next(&m, &f) && f.number == 2 && pb_double(f.value) == 1.5);
    assert_true(pb_next(&m, &f) && f.number == 3 && str_eq(f.bytes, STR("abc")) && !f.cut);
    assert_int_equal(f.at, 114);
    assert_true(pb_next(&m, &f) && f.number == 4 && pb_float(f.value) == 2.5f);
    assert_true(pb_next(&m, &f) && f.number == (1u << 29) - 1 && f.bytes.n == 0);
    assert_true(pb_next(&m, &f) && f.number == 5 && f.value == UINT64_MAX);
    assert_false(pb_next(&m, &f));
    assert_null(m.bad);
}

static void pb_packed_numbers_are_read_one_by_one(void **state)
{
    static const unsigned char bytes[] = { 0x22, 4, 3, 0x8e, 0x02, 9 };
    struct pb m = over(bytes, sizeof bytes), list;
    struct pb_field f;
    uint64_t v;

    (void)state;
    assert_true(pb_next(&m, &f));
    list = pb_sub(&f);
    assert_true(pb_varint(&list, &v) && v == 3);
    assert_true(pb_varint(&list, &v) && v == 270);
    assert_true(pb_varint(&list, &v) && v == 9);
    assert_false(pb_varint(&list, &v));
    assert_null(list.bad);
}

/* Each is damaged at its first byte; none gives a field. */
static void pb_damage_is_reported_with_its_place(void **state)
{
    static const struct {
        unsigned char p[12];
        size_t n;
    } bad[] = {
        { { 0x80 }, 1 },                                                       /* key is cut */
        { { 0x08 }, 1 },                                                       /* no number */
        { { 0x08, 0x80 }, 2 },                                                 /* number is cut */
        { { 0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2 }, 11 },      /* beyond 64 bits */
        { { 0x08, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 1 }, 12 }, /* eleven bytes */
        { { 0x11, 1, 2, 3 }, 4 },                                              /* 64 bits are cut */
        { { 0x15, 1, 2, 3 }, 4 },                                              /* 32 bits are cut */
        { { 0x12 }, 1 },                                                       /* no length */
        { { 0x0b }, 1 },                                                       /* a group */
        { { 0x0e }, 1 },                                                       /* wire type 6 */
        { { 0x00, 1 }, 2 },                                                    /* field 0 */
        { { 0x80, 0x80, 0x80, 0x80, 0x10, 1 }, 6 },                            /* beyond 2^29-1 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct pb m = over(bad[i].p, bad[i].n);
        struct pb_field f;
        assert_false(pb_next(&m, &f));
        assert_non_null(m.bad);
        assert_true(m.bad_off >= 100 && m.bad_off <= 101);
        assert_false(pb_next(&m, &f));
    }
}

static void pb_bytes_beyond_the_message_are_given_as_cut(void **state)
{
    static const unsigned char bytes[] = { 0x0a, 5, 'a', 'b' };
    static const unsigned char huge[] = { 0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 'x' };
    struct pb m = over(bytes, sizeof bytes);
    struct pb_field f;

    (void)state;
    assert_true(pb_next(&m, &f));
    assert_true(f.cut && str_eq(f.bytes, STR("ab")));
    assert_non_null(m.bad);
    assert_false(pb_next(&m, &f));
    m = over(huge, sizeof huge);
    assert_true(pb_next(&m, &f) && f.cut && f.bytes.n == 1);
}

static void pb_empty_message_has_no_fields(void **state)
{
    struct pb m = over(NULL, 0);
    struct pb_field f;
    uint64_t v;

    (void)state;
    assert_false(pb_next(&m, &f));
    assert_false(pb_varint(&m, &v));
    assert_null(m.bad);
}

/* Cut at every byte of a message: as many fields as are whole, and damage unless the cut lies between two. */
static void pb_cut_anywhere_gives_what_is_whole(void **state)
{
    struct pb_text t = { .n = 0 };
    size_t ends[4], n_ends = 0;

    (void)state;
    pb_put_number(&t, 1, 300);
    ends[n_ends++] = t.n;
    pb_put_text(&t, 2, "name");
    ends[n_ends++] = t.n;
    pb_put_number(&t, 300, UINT64_MAX);
    ends[n_ends++] = t.n;
    for (size_t cut = 0; cut <= t.n; cut++) {
        struct pb m = over(t.p, cut);
        struct pb_field f;
        size_t n = 0, whole = 0;
        bool between = cut == 0;
        while (pb_next(&m, &f))
            n += !f.cut;
        for (size_t i = 0; i < n_ends; i++) {
            whole += ends[i] <= cut;
            between |= ends[i] == cut;
        }
        assert_int_equal(n, whole);
        assert_int_equal(m.bad == NULL, between);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pb_fields_of_each_type_are_read),
        cmocka_unit_test(pb_packed_numbers_are_read_one_by_one),
        cmocka_unit_test(pb_damage_is_reported_with_its_place),
        cmocka_unit_test(pb_bytes_beyond_the_message_are_given_as_cut),
        cmocka_unit_test(pb_empty_message_has_no_fields),
        cmocka_unit_test(pb_cut_anywhere_gives_what_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
