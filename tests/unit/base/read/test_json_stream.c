/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming JSON: tokens, trace events, damage. */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/json_stream.h"
#include "tests/unit/scratch.h"

/* ---- tokens ---- */

static const char *const token_names[] = {
    [JS_END] = "END",   [JS_OBJ] = "{",       [JS_OBJ_END] = "}", [JS_ARR] = "[",
    [JS_ARR_END] = "]", [JS_KEY] = "k:",      [JS_STRING] = "s:", [JS_NUMBER] = "n:",
    [JS_TRUE] = "true", [JS_FALSE] = "false", [JS_NULL] = "null", [JS_BAD] = "BAD",
};

static void tokens_of_file(const char *path, size_t window, struct buf *out)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct js *j = NULL;
    enum js_token tok;
    struct str text;

    assert_int_equal(infile_open(&f, path, window, &e), OK);
    assert_int_equal(js_new(&j, f, &e), OK);
    do {
        assert_int_equal(js_next(j, &tok, &text, &e), OK);
        buf_puts(out, out->n ? " " : "");
        buf_puts(out, token_names[tok]);
        buf_add(out, text);
        if (js_was_cut(j))
            buf_puts(out, "~");
    } while (tok != JS_END && tok != JS_BAD);
    buf_printf(out, " @%" PRIu64 ":%" PRIu32, js_offset(j), js_line(j));
    js_free(j);
    infile_close(f);
}

/* Read with windows of several sizes: they must agree. */
static struct buf tokens(struct str text)
{
    struct buf a, b;
    static const size_t windows[] = { 13, 64, 1000 };
    buf_init(&a, 1 << 25);
    const char *path = scratch_write(text.p, text.n);
    tokens_of_file(path, 0, &a);
    for (size_t k = text.n > 1 << 20 ? 2 : 0; k < ARRAY_LEN(windows); k++) {
        buf_init(&b, 1 << 25);
        tokens_of_file(path, windows[k], &b);
        if (!str_eq(buf_str(&a), buf_str(&b)))
            fail_msg("window %zu: %s\nbut %s", windows[k], buf_str(&b).p, buf_str(&a).p);
        buf_done(&b);
    }
    return a;
}

static const struct {
    const char *in, *out;
} token_table[] = {
    { "{}", "{ } END @2:1" },
    { "[]", "[ ] END @2:1" },
    { " \n\t[ ]\r\n", "[ ] END @8:3" },
    { "\xEF\xBB\xBF{}", "{ } END @5:1" },
    { "{\"a\": 1, \"b\": [true, false, null], \"c\": {\"d\": \"e\"}}",
      "{ k:a n:1 k:b [ true false null ] k:c { k:d s:e } } END @51:1" },
    { "[1,]", "[ n:1 ] END @4:1" },
    { "{\"a\":1,}", "{ k:a n:1 } END @8:1" },
    { "[-0, 1e999, 0x10]", "[ n:-0 n:1e999 BAD @16:1" },
    { "[18446744073709551615, 1736413971558972912]",
      "[ n:18446744073709551615 n:1736413971558972912 ] END @43:1" },
    { "[NaN, Infinity, -Infinity]", "[ n:NaN n:Infinity n:-Infinity ] END @26:1" },
    { "\"a\\n\\\"\\\\\\/\\u0041\\u4e2d\\ud83d\\ude00\"",
      "s:a\n\"\\/A\xe4\xb8\xad\xf0\x9f\x98\x80 END @35:1" },
    { "[\"\\ud800x\\udc00\", \"\\q\\u12G4\"]", "[ s:\xef\xbf\xbdx\xef\xbf\xbd s:\\q\\u12G4 ] END @29:1" },
    { "[\"\xff\xfe\", \"a\tb\"]", "[ s:\xff\xfe s:a\tb ] END @13:1" },
    { "", "BAD @0:1" },
    { "[", "[ BAD @1:1" },
    { "[1, 2", "[ n:1 n:2 BAD @5:1" },
    { "{\"a\"", "{ k:a BAD @4:1" },
    { "{\"a\":", "{ k:a BAD @5:1" },
    { "{\"a", "{ BAD @3:1" },
    { "[\"abc\\", "[ BAD @5:1" },
    { "[}", "[ BAD @1:1" },
    { "{]", "{ BAD @1:1" },
    { "]", "BAD @0:1" },
    { "{\"a\" 1}", "{ k:a BAD @5:1" },
    { "{\"a\": }", "{ k:a BAD @6:1" },
    { "{1: 2}", "{ BAD @1:1" },
    { "[1 2]", "[ n:1 BAD @3:1" },
    { "[,]", "[ BAD @1:1" },
    { "[tru]", "[ BAD @4:1" },
    { "[1]\n\n[2]", "[ n:1 ] BAD @5:3" },
    { "[\"a\"b]", "[ s:a BAD @4:1" },
    { "nul", "BAD @3:1" },
    { "12", "n:12 END @2:1" },
};

static void js_next_token_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(token_table); k++) {
        struct buf b = tokens(str_of(token_table[k].in));
        if (!str_eq(buf_str(&b), str_of(token_table[k].out)))
            fail_msg("%s\n%s\nbut %s", token_table[k].in, b.p, token_table[k].out);
        buf_done(&b);
    }
}

static void add_times(struct buf *b, char c, size_t n)
{
    char *p = buf_room(b, n);
    assert_non_null(p);
    memset(p, c, n);
    b->n += n;
}

static void js_next_depth_limit(void **state)
{
    (void)state;
    for (size_t n = LIM_JSON_DEPTH - 1; n <= LIM_JSON_DEPTH + 1; n++) {
        struct buf in;
        buf_init(&in, 1 << 20);
        add_times(&in, '[', n);
        add_times(&in, ']', n);
        struct buf out = tokens(buf_str(&in));
        assert_true((str_find(buf_str(&out), STR("BAD"), 0) == SIZE_MAX) == (n <= LIM_JSON_DEPTH));
        buf_done(&in);
        buf_done(&out);
    }
}

static void js_next_string_and_number_limits(void **state)
{
    (void)state;
    for (size_t n = LIM_JSON_STRING_B; n <= LIM_JSON_STRING_B + 1; n++) {
        struct buf in;
        buf_init(&in, 1 << 25);
        buf_puts(&in, "[\"");
        add_times(&in, 'x', n);
        buf_puts(&in, "\", 1]");
        struct buf out = tokens(buf_str(&in));
        bool whole = n <= LIM_JSON_STRING_B;
        assert_int_equal(out.n, strlen("[ s: n:1 ] END @:1") + (whole ? n : LIM_JSON_STRING_B + 1) + 8);
        assert_true((str_chr(buf_str(&out), '~') == SIZE_MAX) == whole);
        buf_done(&in);
        buf_done(&out);
    }
    for (size_t n = LIM_JSON_NUMBER_B - 1; n <= LIM_JSON_NUMBER_B + 1; n++) {
        struct buf in;
        buf_init(&in, 1 << 20);
        buf_puts(&in, "[");
        add_times(&in, '9', n);
        buf_puts(&in, "]");
        struct buf out = tokens(buf_str(&in));
        assert_true(str_starts(buf_str(&out), n <= LIM_JSON_NUMBER_B ? STR("[ n:9") : STR("[ s:9")));
        buf_done(&in);
        buf_done(&out);
    }
}

static void js_skip_leaves_the_container(void **state)
{
    (void)state;
    static const char doc[] = "{\"a\": {\"x\": [1, {\"y\": 2}]}, \"b\": [[[]]], \"c\": 5, \"d\": 6}";
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct js *j = NULL;
    enum js_token tok;
    struct str text;
    size_t keys = 0;
    assert_int_equal(infile_open(&f, scratch_write(doc, sizeof doc - 1), 16, &e), OK);
    assert_int_equal(js_new(&j, f, &e), OK);
    assert_int_equal(js_next(j, &tok, &text, &e), OK);
    assert_int_equal(js_depth(j), 1);
    while (js_next(j, &tok, &text, &e) == OK && tok == JS_KEY) {
        assert_int_equal(text.p[0], 'a' + (int)keys++);
        assert_int_equal(js_next(j, &tok, &text, &e), OK);
        assert_int_equal(js_skip(j, tok, &e), OK);
        assert_int_equal(js_depth(j), 1);
    }
    assert_int_equal(keys, 4);
    assert_int_equal(tok, JS_OBJ_END);
    assert_int_equal(js_next(j, &tok, &text, &e), OK);
    assert_int_equal(tok, JS_END);
    js_free(j);
    infile_close(f);
}

/* ---- texts in memory ---- */

static void js_find_walks_one_level(void **state)
{
    (void)state;
    struct str o = STR("{\"a\": \"x\\\"y\", \"b\" : {\"a\": 2, \"c\": [\"}\"]}, \"n\":-1.5,\"t\": "
                       "true, \"e\": \"\"}");
    struct str v;
    bool s;
    assert_true(js_find(o, STR("a"), &v, &s) && s && str_eq(v, STR("x\\\"y")));
    assert_true(js_find(o, STR("b"), &v, &s) && !s && str_eq(v, STR("{\"a\": 2, \"c\": [\"}\"]}")));
    assert_true(js_find(o, STR("n"), &v, &s) && !s && str_eq(v, STR("-1.5")));
    assert_true(js_find(o, STR("t"), &v, &s) && str_eq(v, STR("true")));
    assert_true(js_find(o, STR("e"), &v, &s) && s && v.n == 0);
    assert_false(js_find(o, STR("c"), &v, &s));
    assert_null(v.p);
    static const char *const bad[] = { "",
                                       "{",
                                       "{}",
                                       "[1]",
                                       "{\"a\"",
                                       "{\"a\":",
                                       "{\"a\":1",
                                       "{\"a\":\"x",
                                       "{\"a\":\"x\\",
                                       "{\"a\" 1}",
                                       "{a:1}",
                                       "{\"a\":}",
                                       "{\"a\":[1}}",
                                       "{\"a\":1 \"b\"}" };
    for (size_t k = 0; k < ARRAY_LEN(bad); k++)
        assert_false(js_find(str_of(bad[k]), STR("b"), &v, &s));
    size_t pos = 0, n = 0;
    struct str key;
    while (js_member(o, &pos, &key, &v, &s))
        n++;
    assert_int_equal(n, 5);
}

/* Every prefix of an object stays within its bytes (the sanitizers watch). */
static void js_member_prefixes_are_safe(void **state)
{
    (void)state;
    static const char doc[] = "{\"a\": \"x\\\"\", \"b\" : {\"a\": [2, \"\\\\\"]}, \"n\":-1.5,\"t\": true }";
    for (size_t n = 0; n < sizeof doc; n++) {
        char *copy = malloc(n ? n : 1);
        assert_non_null(copy);
        memcpy(copy, doc, n);
        size_t pos = 0, members = 0;
        struct str key, val;
        bool s;
        while (js_member((struct str){ copy, n }, &pos, &key, &val, &s)) {
            assert_true(key.p >= copy && key.p + key.n <= copy + n);
            assert_true(val.p >= copy && val.p + val.n <= copy + n);
            members++;
        }
        assert_true(members <= 4);
        free(copy);
    }
}

/* ---- events ---- */

static void add_event(struct buf *out, const struct js_event *ev)
{
    buf_printf(out, "%c", ev->ph ? ev->ph : '-');
    if (ev->has_ts)
        buf_printf(out, " ts%" PRId64, ev->ts_ns);
    if (ev->has_dur)
        buf_printf(out, " d%" PRId64, ev->dur_ns);
    const struct {
        const char *tag;
        struct str s;
    } texts[] = { { " n=", ev->name }, { " c=", ev->cat }, { " p=", ev->pid },
                  { " t=", ev->tid },  { " i=", ev->id },  { " a=", ev->args } };
    for (size_t k = 0; k < ARRAY_LEN(texts); k++) {
        if (!texts[k].s.p)
            continue;
        buf_puts(out, texts[k].tag);
        buf_add(out, texts[k].s);
    }
    if (ev->esc)
        buf_printf(out, " e%u", ev->esc);
    if (ev->rounded)
        buf_puts(out, " r");
}

/* Events separated by ';', '!' for JS_EV_BAD, '?bytes' for JS_EV_CUT. */
static void events_of_file(const char *path, size_t window, struct buf *out)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct js *j = NULL;
    enum js_event_status st;
    struct js_event ev;

    assert_int_equal(infile_open(&f, path, window, &e), OK);
    assert_int_equal(js_new(&j, f, &e), OK);
    for (;;) {
        assert_int_equal(js_event(j, &st, &ev, &e), OK);
        if (st == JS_EV_END)
            break;
        buf_puts(out, out->n ? "; " : "");
        if (st == JS_EV_EVENT)
            add_event(out, &ev);
        else if (st == JS_EV_BAD)
            buf_puts(out, "!");
        else
            buf_printf(out, "?%" PRIu64, js_cut_bytes(j));
        if (st == JS_EV_EVENT)
            assert_int_equal(ev.off, js_offset(j));
        else
            assert_true(strlen(js_problem(j)) > 0);
    }
    assert_int_equal(js_event(j, &st, &ev, &e), OK);
    assert_int_equal(st, JS_EV_END);
    js_free(j);
    infile_close(f);
}

static struct buf events(struct str text)
{
    struct buf a, b;
    buf_init(&a, 1 << 25);
    buf_init(&b, 1 << 25);
    const char *path = scratch_write(text.p, text.n);
    events_of_file(path, 0, &a);
    events_of_file(path, text.n + 1, &b);
    assert_true(str_eq(buf_str(&a), buf_str(&b)));
    buf_done(&b);
    return a;
}

#define EV(n)  "{\"ph\": \"X\", \"name\": \"" n "\", \"ts\": \"1.5\", \"args\": {\"k\": 1}}"
#define OUT(n) "X ts1500 n=" n " a={\"k\": 1}"

static const struct {
    const char *in, *out;
} event_table[] = {
    /* whole documents */
    { "[]", "" },
    { " [ ] \n", "" },
    { "{}", "" },
    { "{\"displayTimeUnit\": \"ns\"}", "" },
    { "[" EV("a") "]", OUT("a") },
    { "[" EV("a") ", " EV("b") "," EV("c") "]\n", OUT("a") "; " OUT("b") "; " OUT("c") },
    { "{\"traceEvents\": [" EV("a") "], \"displayTimeUnit\": \"ns\"}", OUT("a") },
    { "{\"x\": {\"ph\": [1, {\"y\": []}]}, \"s\": \"}\", \"traceEvents\" : [ " EV("a") "]}", OUT("a") },
    { "{\"samples\": [{\"cpu\": 1}], \"traceEvents\": [" EV("a") "]}", OUT("a") },
    { "\xEF\xBB\xBF[" EV("a") "]", OUT("a") },
    { "[\n  {\n    \"ph\" : \"X\",\r\n\t\"dur\" :\n12.0625 ,\n    \"args\": {\n \"a\": [ 1 ]\n }\n  }\n]\n",
      "X d12063 a={\n \"a\": [ 1 ]\n } r" },
    { "[{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 12, \"tid\": 0, \"args\": {\"name\": "
      "\"CANN\"}}]",
      "M n=process_name p=12 t=0 a={\"name\": \"CANN\"}" },
    { "[{\"ts\": 1736408883688177.93, \"dur\": \"0.0005\", \"pid\": \"Stream #3\", \"tid\": -4, \"id\": "
      "\"0x1f\", \"cat\": \"async_npu\", \"bp\": \"e\", \"ph\": \"s\"}]",
      "s ts1736408883688177930 d1 c=async_npu p=Stream #3 t=-4 i=0x1f r" },
    { "[{\"ph\": \"X\", \"name\": \"a\\\"b\\u0041\", \"cat\": \"\\\\\"}]", "X n=a\\\"b\\u0041 c=\\\\ e3" },
    { "[{\"ph\": \"X\", \"a\\\"b\": 1, \"a long key with \\\" in it\": {\"x\": \"]}\"}, \"pid\": null, "
      "\"cat\": null, \"args\": null, \"id\": {}}]",
      "X" },
    { "[{\"name\": \"no phase\", \"args\": [1]}, 5]", "- n=no phase; !" },
    { "[{\"ph\": \"C\", \"ts\": 1e3, \"dur\": -2.5e-1, \"args\": {}}]", "C ts1000000 d-250 a={}" },
    { "[{\"ph\":\"X\",\"ts\":9223372036854775.807,\"dur\":9007199254740.993}]",
      "X ts9223372036854775807 d9007199254740993" },
    { "[{\"ph\":\"X\",\"ts\":\"9223372036854775.8065\",\"dur\":\"18446744073709.551616\"}]",
      "X ts9223372036854775807 d18446744073709552 r" },
    /* damage that Python, editors and crashes leave */
    { "[{\"ph\": \"X\", \"ts\": NaN, \"dur\": Infinity}, {\"ph\": \"X\", \"dur\": -Infinity, \"ts\": \"\"}]",
      "X; X" },
    { "[{}, " EV("a") ", { }, " EV("b") ", {}]", OUT("a") "; " OUT("b") },
    { "[" EV("a") ", ]", OUT("a") },
    { "[" EV("a") ",,, " EV("b") "]", OUT("a") "; " OUT("b") },
    { "[" EV("a") " " EV("b") "]", OUT("a") "; " OUT("b") },
    { "[{\"ph\": \"X\", \"ts\": 1,}]", "X ts1000" },
    { "", "?0" },
    { "  \n", "?0" },
    { "[", "?0" },
    { "[" EV("a"), OUT("a") "; ?0" },
    { "[" EV("a") ", ", OUT("a") "; ?0" },
    { "[" EV("a") ", {\"ph\": \"X\", \"na", OUT("a") "; ?15" },
    { "[" EV("a") ", {\"ph\": \"X\", \"args\": {\"a\": {\"b\": \"c", OUT("a") "; ?34" },
    { "{\"traceEvents\": [" EV("a") ", {", OUT("a") "; ?1" },
    { "{\"traceEve", "?10" },
    { "{\"traceEvents\": [", "?0" },
    { "[" EV("a\x01") ", " EV("b") "]", "!; " OUT("b") },
    { "[" EV("a\nb") ", " EV("b") "]", "!; " OUT("b") },
    { "[" EV("a\\\x1b") ", " EV("b") "]", "!; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\" \"name\": \"x\"}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"name: \"x\"}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"args\": {\"a\": 1}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"args\": {\"a\": {1}}, " EV("b") ", " EV("c") "]",
      OUT("a") "; !; " OUT("b") "; " OUT("c") },
    { "[" EV("a") ", {\"ph\": \"X\", \"args\": {\"a\": [1}}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"args\": {\"a\": 1\"}}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"ts\": \"12x4.5\"}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") ", {\"ph\": \"X\", \"ts\": \"123456789012345678901\"}, " EV("b") "]",
      OUT("a") "; !; " OUT("b") },
    { "[" EV("a") "}, " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") "] " EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") "]\n[" EV("b") "]", OUT("a") "; !; " OUT("b") },
    { "[" EV("a") "] junk", OUT("a") "; !" },
    { "[" EV("a") ", {\"ph\": X}]", OUT("a") "; !" },
    { "[" EV("a") ", {\"ph\": X}", OUT("a") "; !; ?0" },
    { "{" EV("a") ", " EV("b") "]", "!; " OUT("a") "; " OUT("b") },
    { EV("a") "\n" EV("b"), OUT("a") "; " OUT("b") "; ?0" },
    { "{\"traceEvenus\": [" EV("a") "]}", OUT("a") },
    { "{\"traceEvents\": {" EV("a") ", " EV("b") "]}", "!; " OUT("a") "; " OUT("b") },
    { "{\"traceEvents: [" EV("a") ", " EV("b") "]}", "!; " OUT("a") "; " OUT("b") },
    { "x" EV("a") "]", "!; " OUT("a") },
    { "12", "!; ?0" },
};

static void js_event_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(event_table); k++) {
        struct buf b = events(str_of(event_table[k].in));
        if (!str_eq(buf_str(&b), str_of(event_table[k].out)))
            fail_msg("case %zu: %s\n%s\nbut %s", k, event_table[k].in, buf_str(&b).p, event_table[k].out);
        buf_done(&b);
    }
}

/* Events of exactly the limit, one less, one more; what follows stays. */
static void js_event_length_limit(void **state)
{
    (void)state;
    for (size_t n = LIM_JSON_EVENT_B - 1; n <= LIM_JSON_EVENT_B + 1; n++) {
        struct buf in;
        buf_init(&in, 1 << 25);
        buf_puts(&in, "[" EV("a") ", ");
        buf_puts(&in, "{\"ph\": \"i\", \"args\": {\"k\": \"");
        add_times(&in, 'x', n - 27 - 3);
        buf_puts(&in, "\"}}, " EV("b") "]");
        struct buf out = events(buf_str(&in));
        struct str s = buf_str(&out);
        assert_true(str_starts(s, STR(OUT("a"))) && str_ends(s, STR(OUT("b"))));
        if (n > LIM_JSON_EVENT_B)
            assert_string_equal(s.p, OUT("a") "; !; " OUT("b"));
        else
            assert_true(s.n > n - 100);
        buf_done(&in);
        buf_done(&out);
    }
}

static void js_event_depth_limit(void **state)
{
    (void)state;
    for (size_t n = LIM_JSON_DEPTH - 1; n <= LIM_JSON_DEPTH + 1; n++) {
        struct buf in;
        buf_init(&in, 1 << 20);
        buf_puts(&in, "[{\"ph\": \"X\", \"x\": ");
        add_times(&in, '[', n);
        add_times(&in, ']', n);
        buf_puts(&in, "}, " EV("b") "]");
        struct buf out = events(buf_str(&in));
        assert_string_equal(out.p, n <= LIM_JSON_DEPTH ? "X; " OUT("b") : "!; " OUT("b"));
        buf_done(&in);
        buf_done(&out);
    }
}

/* Nothing but open braces, and candidates that each reach far: the time must stay linear. */
static void js_event_hostile_nesting_is_quick(void **state)
{
    (void)state;
    struct buf in;
    buf_init(&in, 1 << 25);
    buf_puts(&in, "[");
    for (int k = 0; k < 700000; k++)
        buf_puts(&in, "{\"a\":");
    buf_puts(&in, EV("b") "]");
    struct buf out = events(buf_str(&in));
    assert_string_equal(out.p, "!; " OUT("b"));
    buf_done(&out);
    buf_clear(&in);
    buf_puts(&in, "[");
    for (int k = 0; k < 700000; k++)
        buf_puts(&in, k % 20000 ? "\"a\":1," : "{\"a\":");
    out = events(buf_str(&in));
    assert_string_equal(out.p, "!; ?0");
    buf_done(&in);
    buf_done(&out);
}

/* ---- truncation and flips ---- */

static const char compact[] =
    "[{\"ph\": \"X\", \"name\": \"aclnnRealDiv\", \"pid\": 3096504, \"tid\": 3096505, \"ts\": "
    "\"1736408883691180.030\", \"dur\": 12.6, "
    "\"cat\": \"cpu_op\", \"args\": {\"Sequence number\": -1, \"Fwd thread id\": 0, \"Input "
    "Dims\": \"8192,4096;\\r\\n\"}}, "
    "{\"name\": \"Node@launch\", \"pid\": 3170820320, \"tid\": 3099702, \"ts\": "
    "\"1736408883751002.484\", \"dur\": 2.167, "
    "\"args\": {\"Thread Id\": 3099702, \"Mode\": \"launch\", \"level\": \"node\", "
    "\"connection_id\": 1732}, \"ph\": \"X\"},"
    "{\"ph\":\"s\",\"bp\":\"e\",\"name\":\"mindspore_to_npu\",\"id\":1736408883795133490,\"pid\":1,"
    "\"tid\":4,\"ts\":\"1736408883795133.490\",\"cat\":\"async_npu\"},"
    "{\"name\": \"process_name\", \"pid\": 3170820512, \"tid\": 0, \"args\": {\"name\": \"Ascend "
    "Hardware\"}, \"ph\": \"M\"}, "
    "{\"name\": \"HBM\", \"ts\": \"1736408883795133.490\", \"pid\": 3, \"tid\": 0, \"args\": "
    "{\"Read(MB/s)\": 12.5, \"x\": {\"y\": [1, 2]}}, \"ph\": \"C\"}, "
    "{\"ph\": \"f\", \"name\": \"HostToDevice11\", \"id\": \"11\", \"pid\": 7, \"tid\": 9, \"ts\": "
    "1736408883795133.5, \"cat\": \"HostToDevice\"}, "
    "{\"ph\": \"X\", \"name\": \"last{one}\", \"pid\": 1, \"tid\": 2, \"ts\": "
    "\"1736408883795134.000\", \"dur\": 0.5}]";

static const char object[] =
    "{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"name\": \"one\", \"ts\": "
    "\"5.000\", \"args\": {\"k\": \"v\"}}, "
    "{\"ph\": \"X\", \"name\": \"two\", \"ts\": \"6.000\", \"dur\": 1}, {\"ph\": \"M\", \"name\": "
    "\"three\", \"args\": {\"labels\": \"NPU\"}}, "
    "{\"ph\": \"X\", \"name\": \"four\", \"ts\": \"7.000\", \"dur\": 1}], \"displayTimeUnit\": "
    "\"ns\"}";

static const char pretty[] =
    "[\n    {\n        \"name\": \"one\",\n        \"ph\": \"X\",\n        \"ts\": \"5.000\",\n    "
    "    \"args\": {\n            \"k\": \"v\"\n        }\n    },\n"
    "    {\n        \"name\": \"two\",\n        \"ph\": \"X\",\n        \"ts\": \"6.000\",\n       "
    " \"dur\": 1.25\n    },\n"
    "    {\n        \"name\": \"three\",\n        \"ph\": \"M\",\n        \"args\": {\n            "
    "\"sort_index\": 3\n        }\n    }\n]\n";

struct list {
    size_t n, bad, cut;
    struct buf text[16];
    uint64_t end[16];
};

static void read_list(const char *path, struct list *l)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct js *j = NULL;
    enum js_event_status st;
    struct js_event ev;

    memset(l, 0, sizeof *l);
    assert_int_equal(infile_open(&f, path, 0, &e), OK);
    assert_int_equal(js_new(&j, f, &e), OK);
    while (js_event(j, &st, &ev, &e) == OK && st != JS_EV_END) {
        l->bad += st == JS_EV_BAD;
        l->cut += st == JS_EV_CUT;
        if (st != JS_EV_EVENT)
            continue;
        assert_true(l->n < ARRAY_LEN(l->text));
        buf_init(&l->text[l->n], 1 << 16);
        add_event(&l->text[l->n], &ev);
        l->end[l->n++] = ev.off;
    }
    assert_int_equal(e.code, OK);
    js_free(j);
    infile_close(f);
}

static void free_list(struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        buf_done(&l->text[i]);
}

/* Offset behind the event that starts at off, counted by hand. */
static size_t event_end(const char *text, size_t off)
{
    int depth = 0;
    bool in_string = false;
    for (size_t i = off;; i++) {
        if (in_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && text[i] == '{')
            depth++;
        else if (!in_string && text[i] == '}' && --depth == 0)
            return i + 1;
    }
}

static void cut_everywhere(const char *text, size_t total, size_t expected)
{
    struct list all, part;
    read_list(scratch_write(text, total), &all);
    assert_int_equal(all.n, expected);
    assert_int_equal(all.bad + all.cut, 0);
    size_t closing = total;
    while (text[closing - 1] != (text[0] == '[' ? ']' : '}'))
        closing--;
    for (size_t n = 0; n < total; n++) {
        read_list(scratch_write(text, n), &part);
        size_t whole = 0;
        while (whole < all.n && event_end(text, all.end[whole]) <= n)
            whole++;
        if (part.n != whole || part.bad || part.cut != (n < closing))
            fail_msg("cut at %zu: %zu events of %zu, %zu bad, %zu cut", n, part.n, whole, part.bad, part.cut);
        for (size_t i = 0; i < whole; i++)
            assert_true(str_eq(buf_str(&part.text[i]), buf_str(&all.text[i])));
        free_list(&part);
    }
    free_list(&all);
}

static void js_event_cut_at_every_length(void **state)
{
    (void)state;
    cut_everywhere(compact, sizeof compact - 1, 7);
    cut_everywhere(object, sizeof object - 1, 4);
    cut_everywhere(pretty, sizeof pretty - 1, 3);
}

static void flip_bits(const char *original, size_t total, uint64_t seed)
{
    struct list all, part;
    size_t sum = 0, reported = 0;
    char *text = malloc(total);
    assert_non_null(text);
    memcpy(text, original, total);
    read_list(scratch_write(text, total), &all);
    for (int k = 0; k < 2000; k++) {
        size_t bit = scratch_random(&seed) % (total * 8), at = bit / 8;
        text[at] = (char)(text[at] ^ (1 << bit % 8));
        read_list(scratch_write(text, total), &part);
        size_t lost = 0;
        for (size_t i = 0; i < all.n; i++) {
            bool found = false;
            for (size_t m = 0; m < part.n && !found; m++)
                found = str_eq(buf_str(&all.text[i]), buf_str(&part.text[m]));
            lost += !found;
        }
        if (lost > 1 || part.n > all.n || part.n + part.bad + part.cut < all.n)
            fail_msg("flip of bit %zu in byte %zu (%c -> %c): %zu lost, %zu events, %zu bad, %zu cut",
                     bit % 8, at, original[at], text[at], lost, part.n, part.bad, part.cut);
        sum += all.n - part.n;
        reported += part.bad;
        text[at] = original[at];
        free_list(&part);
    }
    print_message("2000 flips: %zu events fewer, %zu damages reported\n", sum, reported);
    free_list(&all);
    free(text);
}

static void js_event_two_thousand_bit_flips(void **state)
{
    (void)state;
    flip_bits(compact, sizeof compact - 1, 11);
    flip_bits(object, sizeof object - 1, 12);
    flip_bits(pretty, sizeof pretty - 1, 13);
}

/* The same events whatever the window, which grows for those that are longer. */
static void js_event_any_window_gives_the_same(void **state)
{
    (void)state;
    struct buf want, got;
    buf_init(&want, 1 << 20);
    const char *path = scratch_write(compact, sizeof compact - 1);
    events_of_file(path, 0, &want);
    for (size_t w = 64; w < sizeof compact + 10; w += 7) {
        buf_init(&got, 1 << 20);
        events_of_file(path, w, &got);
        assert_true(str_eq(buf_str(&want), buf_str(&got)));
        buf_done(&got);
    }
    buf_done(&want);
}

static void js_event_torn_gzip_is_cut(void **state)
{
    (void)state;
    struct buf in, out;
    buf_init(&in, 1 << 20);
    buf_puts(&in, "[");
    for (unsigned i = 0; i < 2000; i++)
        buf_printf(&in, "%s{\"ph\": \"X\", \"name\": \"op%u\", \"ts\": \"%u.%03u\"}", i ? ", " : "", i,
                   i * 2654435761u, i % 1000);
    buf_puts(&in, "]");
    uLongf n = compressBound((uLong)in.n) + 100;
    Bytef *packed = malloc(n);
    z_stream z = {
        .next_in = (Bytef *)in.p, .avail_in = (uInt)in.n, .next_out = packed, .avail_out = (uInt)n
    };
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    buf_init(&out, 1 << 20);
    events_of_file(scratch_write(packed, z.total_out), 0, &out);
    assert_true(str_find(buf_str(&out), STR("?"), 0) == SIZE_MAX &&
                str_ends(buf_str(&out), STR(" n=op1999")));
    buf_clear(&out);
    events_of_file(scratch_write(packed, z.total_out / 2), 0, &out);
    assert_true(str_find(buf_str(&out), STR("; ?"), 0) != SIZE_MAX &&
                str_find(buf_str(&out), STR("n=op100;"), 0) != SIZE_MAX);
    deflateEnd(&z);
    buf_done(&out);
    buf_done(&in);
    free(packed);
}

/* ts text to ns at the edges of the quick path. */
static void js_event_times_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        int64_t ns;
        bool rounded;
    } t[] = {
        { "0", 0, false },
        { "1", 1000, false },
        { "0.001", 1, false },
        { "0.0004", 0, true },
        { "0.0005", 1, true },
        { "0.00049", 0, true },
        { "0.9999", 1000, true },
        { "1.0000", 1000, false },
        { "12345678", 12345678000, false },
        { "123456789.5", 123456789500, false },
        { "1234567812345678.123", 1234567812345678123, false },
        { "9007199254740992", 9007199254740992000, false },
        { "9007199254740993.001", 9007199254740993001, false },
        { "9223372036854774.999", 9223372036854774999, false },
        { "9223372036854775.807", INT64_MAX, false },
        { "00000000000000000000001.5", 1500, false },
        { "-1.5", -1500, false },
        { "1.69512E+15", 1695120000000000000, false },
        { "72994.4384375", 72994438, true },
        { "12345678.", 12345678000, false },
    };
    for (size_t k = 0; k < ARRAY_LEN(t); k++) {
        for (int quoted = 0; quoted < 2; quoted++) {
            char in[200], want[200];
            const char *q = quoted ? "\"" : "";
            snprintf(in, sizeof in, "[{\"ph\":\"X\",\"ts\":%s%s%s}]", q, t[k].s, q);
            snprintf(want, sizeof want, "X ts%" PRId64 "%s", t[k].ns, t[k].rounded ? " r" : "");
            struct buf b = events(str_of(in));
            assert_string_equal(b.p, want);
            buf_done(&b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(js_next_token_table),
        cmocka_unit_test(js_next_depth_limit),
        cmocka_unit_test(js_next_string_and_number_limits),
        cmocka_unit_test(js_skip_leaves_the_container),
        cmocka_unit_test(js_find_walks_one_level),
        cmocka_unit_test(js_member_prefixes_are_safe),
        cmocka_unit_test(js_event_table),
        cmocka_unit_test(js_event_length_limit),
        cmocka_unit_test(js_event_depth_limit),
        cmocka_unit_test(js_event_hostile_nesting_is_quick),
        cmocka_unit_test(js_event_cut_at_every_length),
        cmocka_unit_test(js_event_two_thousand_bit_flips),
        cmocka_unit_test(js_event_any_window_gives_the_same),
        cmocka_unit_test(js_event_torn_gzip_is_cut),
        cmocka_unit_test(js_event_times_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
