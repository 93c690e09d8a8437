/* SPDX-License-Identifier: Apache-2.0 */
/* Small documents through cJSON. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/json_small.h"
#include "tests/unit/scratch.h"

static void jdoc_values_are_reached(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct jdoc *d = NULL;
    struct str text = STR("\xEF\xBB\xBF{\"a\": 1.5, \"A\": \"two\", \"l\": [true, null, {\"x\": "
                          "-3}], \"o\": {}, \"i\": 1e999}\n\0");
    assert_int_equal(jdoc_parse(&d, text, &e), OK);
    const struct jv *r = jdoc_root(d), *l = jv_get(r, "l");
    assert_true(jv_is_object(r) && jv_count(r) == 5);
    assert_true(jv_is_number(jv_get(r, "a")) && jv_num(jv_get(r, "a")) == 1.5);
    assert_true(str_eq(jv_str(jv_get(r, "A")), STR("two")));
    assert_true(jv_is_array(l) && jv_count(l) == 3);
    assert_true(jv_is_bool(jv_first(l)) && jv_bool(jv_first(l)));
    assert_true(jv_is_null(jv_next(jv_first(l))));
    assert_true(jv_num(jv_get(jv_next(jv_next(jv_first(l))), "x")) == -3);
    assert_null(jv_next(jv_next(jv_next(jv_first(l)))));
    assert_true(str_eq(jv_key(jv_first(r)), STR("a")));
    assert_false(jv_is_number(jv_get(r, "i")));
    assert_true(jv_num(jv_get(r, "i")) == 0);
    char *print = jv_print(l);
    assert_string_equal(print, "[true,null,{\"x\":-3}]");
    free(print);
    jdoc_free(d);
}

static void jv_accepts_null_and_other_types(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct jdoc *d = NULL;
    assert_int_equal(jdoc_parse(&d, STR("\"text\""), &e), OK);
    const struct jv *s = jdoc_root(d);
    assert_null(jv_get(NULL, "a"));
    assert_null(jv_get(s, "a"));
    assert_null(jv_first(s));
    assert_null(jv_first(NULL));
    assert_null(jv_next(NULL));
    assert_int_equal(jv_count(NULL) + jv_count(s), 0);
    assert_true(jv_num(s) == 0 && !jv_bool(s) && jv_num(NULL) == 0 && !jv_bool(NULL));
    assert_null(jv_key(s).p);
    assert_null(jv_str(NULL).p);
    assert_null(jv_print(NULL));
    assert_false(jv_is_object(NULL) || jv_is_array(NULL) || jv_is_string(NULL) || jv_is_number(NULL) ||
                 jv_is_null(NULL));
    assert_null(jdoc_root(NULL));
    jdoc_free(d);
    jdoc_free(NULL);
}

static void jdoc_damage_is_reported_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        uint64_t off;
        uint32_t line;
    } t[] = {
        { "", 0, 1 },    { "{\n\"a\": 1,\n\"b\": x}", 15, 3 }, { "[1, 2", 5, 1 }, { "{} {}", 3, 1 },
        { "nul", 0, 1 },
    };
    for (size_t k = 0; k < ARRAY_LEN(t); k++) {
        struct err e = ERR_INIT;
        struct jdoc *d = NULL;
        assert_int_equal(jdoc_parse(&d, str_of(t[k].s), &e), ERR_FORMAT);
        assert_null(d);
        assert_true(e.line == t[k].line);
        /* cJSON's place is exact to a byte or two at the end of the text */
        assert_true(e.offset <= t[k].off && e.offset + 2 >= t[k].off);
    }
}

static void jdoc_nesting_is_limited(void **state)
{
    (void)state;
    struct buf b;
    struct err e = ERR_INIT;
    struct jdoc *d = NULL;
    buf_init(&b, 1 << 22);
    for (int k = 0; k < 1000000; k++)
        buf_addc(&b, '[');
    assert_int_equal(jdoc_parse(&d, buf_str(&b), &e), ERR_FORMAT);
    buf_done(&b);
}

static void jdoc_read_reports_the_file(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct jdoc *d = NULL;
    const char *path = scratch_write("[1]", 3);
    assert_int_equal(jdoc_read(&d, path, &e), OK);
    assert_int_equal(jv_count(jdoc_root(d)), 1);
    jdoc_free(d);
    assert_int_equal(jdoc_read(&d, scratch_write("[1\n,x]", 6), &e), ERR_FORMAT);
    assert_string_equal(e.file, path);
    assert_int_equal(e.line, 2);
    err_clear(&e);
    assert_int_equal(jdoc_read(&d, "/nonexistent", &e), ERR_IO);
}

static void jdoc_size_limit(void **state)
{
    (void)state;
    char *text = malloc(LIM_JSON_SMALL_B + 1);
    assert_non_null(text);
    memset(text, ' ', LIM_JSON_SMALL_B + 1);
    memcpy(text, "[1]", 3);
    for (size_t n = LIM_JSON_SMALL_B - 1; n <= LIM_JSON_SMALL_B + 1; n++) {
        struct err e = ERR_INIT;
        struct jdoc *d = NULL;
        int want = n <= LIM_JSON_SMALL_B ? OK : ERR_LIMIT;
        assert_int_equal(jdoc_parse(&d, (struct str){ text, n }, &e), want);
        jdoc_free(d);
        err_clear(&e);
        assert_int_equal(jdoc_read(&d, scratch_write(text, n), &e), want);
        jdoc_free(d);
    }
    free(text);
}

/* Every prefix of a document is refused, none is read beyond its end. */
static void jdoc_prefixes_are_refused(void **state)
{
    (void)state;
    static const char doc[] = "{\"a\": [1, -2.5e3, \"x\\u4e2d\\n\"], \"b\": {\"c\": null, \"d\": false}}";
    for (size_t n = 0; n < sizeof doc - 1; n++) {
        struct err e = ERR_INIT;
        struct jdoc *d = NULL;
        char *copy = malloc(n ? n : 1);
        assert_non_null(copy);
        memcpy(copy, doc, n);
        assert_int_equal(jdoc_parse(&d, (struct str){ copy, n }, &e), ERR_FORMAT);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jdoc_values_are_reached),
        cmocka_unit_test(jv_accepts_null_and_other_types),
        cmocka_unit_test(jdoc_damage_is_reported_with_its_place),
        cmocka_unit_test(jdoc_nesting_is_limited),
        cmocka_unit_test(jdoc_read_reports_the_file),
        cmocka_unit_test(jdoc_size_limit),
        cmocka_unit_test(jdoc_prefixes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
