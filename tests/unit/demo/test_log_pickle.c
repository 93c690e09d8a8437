/* SPDX-License-Identifier: Apache-2.0 */
/* Pickles that the demo writes: bytes as torch's, and what our reader finds in them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "demo/logs/log_pickle.h"
#include "parsers/read/pickle.h"
#include "tests/unit/parsers/parse_case.h"

static struct buf bytes;
static struct log_pickle to;

static void begin(void)
{
    struct err e = ERR_INIT;
    buf_init(&bytes, 1 << 20);
    assert_int_equal(log_pickle_init(&to, &bytes, &e), OK);
}

static void end(void)
{
    log_pickle_done(&to);
    buf_done(&bytes);
}

/* The example of doc/formats/logs.md#pickle-subset, its head. */
static void pickle_of_a_dump_begins_as_torch_writes_it(void **state)
{
    (void)state;
    static const char want[] = "\x80\x02}(X\x07\0\0\0versionq\0X\x03\0\0\0"
                               "2.4q\x01X\x09\0\0\0pg_statusq\x02}(X\x01\0\0\0"
                               "0q\x03}(X\x18\0\0\0last_enqueued_collectiveq\x04K\x97uu"
                               "X\x07\0\0\0entriesq\x05](}(X\x0d\0\0\0process_groupq\x06h\x03"
                               "X\x0a\0\0\0default_pgq\x07\x86";
    begin();
    log_pickle_dict(&to);
    log_pickle_text(&to, "version");
    log_pickle_text(&to, "2.4");
    log_pickle_text(&to, "pg_status");
    log_pickle_dict(&to);
    log_pickle_text(&to, "0");
    log_pickle_dict(&to);
    log_pickle_text(&to, "last_enqueued_collective");
    log_pickle_int(&to, 151);
    log_pickle_dict_end(&to);
    log_pickle_dict_end(&to);
    log_pickle_text(&to, "entries");
    log_pickle_list(&to);
    log_pickle_dict(&to);
    log_pickle_text(&to, "process_group");
    log_pickle_text(&to, "0");
    log_pickle_text(&to, "default_pg");
    log_pickle_pair(&to);
    assert_int_equal(bytes.n, sizeof want - 1);
    assert_memory_equal(bytes.p, want, bytes.n);
    end();
}

static const int64_t INTS[] = { 0,         1,         255,       256,          65535,     65536,    -1,
                                INT32_MAX, INT32_MIN, 1LL << 31, -(1LL << 40), INT64_MAX, INT64_MIN };
static const double REALS[] = { 0.0, 1.25, -2.5e-300, 1e300 };
#define TEXTS 700 /* more than fit into one byte's numbers */

static char *text_of(int i, char buf[32])
{
    snprintf(buf, 32, "text %d", i);
    return buf;
}

static void put_all(void)
{
    char text[32];
    log_pickle_list(&to);
    for (size_t i = 0; i < ARRAY_LEN(INTS); i++)
        log_pickle_int(&to, INTS[i]);
    for (size_t i = 0; i < ARRAY_LEN(REALS); i++)
        log_pickle_real(&to, REALS[i]);
    for (int i = 0; i < 2 * TEXTS; i++)
        log_pickle_text(&to, text_of(i % TEXTS, text));
    log_pickle_none(&to);
    log_pickle_bool(&to, true);
    log_pickle_list(&to);
    log_pickle_int(&to, 7);
    log_pickle_list_end(&to);
    uint32_t kept = log_pickle_keep(&to);
    log_pickle_again(&to, kept);
    log_pickle_list_end(&to);
    log_pickle_stop(&to);
}

static void check_all(const struct pickle *p)
{
    pickle_ref key, v, root = pickle_root(p);
    uint32_t at = 0, in = 0;
    int64_t i64;
    double real;
    char text[32];
    assert_int_equal(pickle_type(p, root), PICKLE_LIST);
    for (size_t i = 0; i < ARRAY_LEN(INTS); i++) {
        assert_true(pickle_next(p, root, &at, &key, &v) && pickle_i64(p, v, &i64));
        assert_true(i64 == INTS[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(REALS); i++) {
        assert_true(pickle_next(p, root, &at, &key, &v) && pickle_real(p, v, &real));
        assert_memory_equal(&real, &REALS[i], sizeof real);
    }
    for (int i = 0; i < 2 * TEXTS; i++) {
        assert_true(pickle_next(p, root, &at, &key, &v));
        assert_true(str_eq(pickle_text(p, v), str_of(text_of(i % TEXTS, text))));
    }
    assert_true(pickle_next(p, root, &at, &key, &v));
    assert_int_equal(pickle_type(p, v), PICKLE_NONE);
    assert_true(pickle_next(p, root, &at, &key, &v));
    assert_int_equal(pickle_type(p, v), PICKLE_BOOL);
    for (int i = 0; i < 2; i++) {
        assert_true(pickle_next(p, root, &at, &key, &v));
        in = 0;
        assert_true(pickle_next(p, v, &in, &key, &v) && pickle_i64(p, v, &i64) && i64 == 7);
    }
    assert_false(pickle_next(p, root, &at, &key, &v));
    assert_false(pickle_is_cut(p));
}

static int parse(struct parse_ctx *c, struct err *e)
{
    const struct pickle_asks asks = { 0 };
    struct pickle *p = NULL;
    if (pickle_read(&p, c, &asks, e) == OK)
        check_all(p);
    pickle_free(p);
    return e->code;
}

static void pickle_of_every_value_is_read_back(void **state)
{
    (void)state;
    struct rows r;
    begin();
    put_all();
    assert_false(buf_failed(&bytes));
    assert_int_equal(case_parse(&r, "mem_snapshot", parse, bytes.p, bytes.n, GEN_P), OK);
    assert_int_equal(r.text.n, 0); /* no note */
    rows_done(&r);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pickle_of_a_dump_begins_as_torch_writes_it),
        cmocka_unit_test(pickle_of_every_value_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
