/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streaming JSON: any bytes, as a document (js_next) and as a trace (js_event). Tokens are the same
 * through any window; events are until the small window is too small for one. Texts lie within the
 * file, args are an object one can walk.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/read/json_stream.h"
#include "tests/fuzz/fuzz.h"

struct reader {
    struct infile *file;
    struct js *js;
};

static void reader_open(struct reader *r, const char *path, size_t window)
{
    struct err e = ERR_INIT;
    FUZZ_CHECK(infile_open(&r->file, path, window, &e) == OK);
    FUZZ_CHECK(js_new(&r->js, r->file, &e) == OK);
}

static void reader_close(struct reader *r)
{
    js_free(r->js);
    infile_close(r->file);
}

/* ---- tokens ---- */

static void compare_tokens(const char *path, size_t all, size_t window)
{
    struct reader a, b;
    enum js_token ta, tb;
    struct str sa, sb;
    reader_open(&a, path, all);
    reader_open(&b, path, window);
    do {
        struct err e = ERR_INIT;
        FUZZ_CHECK(js_next(a.js, &ta, &sa, &e) == OK && js_next(b.js, &tb, &sb, &e) == OK);
        FUZZ_CHECK(ta == tb && str_eq(sa, sb));
        FUZZ_CHECK(js_offset(a.js) == js_offset(b.js) && js_line(a.js) == js_line(b.js));
        FUZZ_CHECK(js_depth(a.js) >= 0 && js_depth(a.js) <= LIM_JSON_DEPTH);
        FUZZ_CHECK(sa.n <= LIM_JSON_STRING_B && js_was_cut(a.js) == js_was_cut(b.js));
    } while (ta != JS_END && ta != JS_BAD);
    reader_close(&a);
    reader_close(&b);
}

/* Skipping what comes first ends where reading it token by token does. */
static void skip_first(const char *path)
{
    struct reader r;
    enum js_token tok;
    struct str text;
    struct err e = ERR_INIT;
    reader_open(&r, path, 64);
    FUZZ_CHECK(js_next(r.js, &tok, &text, &e) == OK);
    FUZZ_CHECK(js_skip(r.js, tok, &e) == OK);
    FUZZ_CHECK(js_next(r.js, &tok, &text, &e) == OK);
    FUZZ_CHECK(tok == JS_END || tok == JS_BAD);
    reader_close(&r);
}

/* ---- events ---- */

static void check_text(struct str s, size_t size)
{
    char small[64], *plain = s.n <= sizeof small ? small : malloc(s.n);
    FUZZ_CHECK(s.n <= size && plain);
    struct str u = js_unescape(s, plain);
    FUZZ_CHECK(u.n <= s.n);
    for (size_t i = 0; i < s.n; i++)
        FUZZ_CHECK((unsigned char)s.p[i] >= 0x20);
    if (plain != small)
        free(plain);
}

static void check_event(const struct js_event *ev, size_t size)
{
    const struct str texts[] = { ev->name, ev->cat, ev->pid, ev->tid, ev->id };
    size_t pos = 0;
    struct str key, val;
    bool is_string;
    FUZZ_CHECK(ev->off < size);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        check_text(texts[i], size);
    if (!ev->args.p)
        return;
    FUZZ_CHECK(ev->args.n >= 2 && ev->args.p[0] == '{' && ev->args.p[ev->args.n - 1] == '}');
    while (js_member(ev->args, &pos, &key, &val, &is_string))
        FUZZ_CHECK(pos <= ev->args.n && key.n + val.n <= ev->args.n);
}

static bool same_event(const struct js_event *a, const struct js_event *b)
{
    return a->off == b->off && a->ph == b->ph && a->has_ts == b->has_ts && a->ts_ns == b->ts_ns &&
           a->has_dur == b->has_dur && a->dur_ns == b->dur_ns && str_eq(a->name, b->name) &&
           str_eq(a->cat, b->cat) && str_eq(a->pid, b->pid) && str_eq(a->tid, b->tid) &&
           str_eq(a->id, b->id) && str_eq(a->args, b->args) && a->esc == b->esc;
}

/* Where the first event begins that a window may be too small for: so far is it to what comes next. */
static uint64_t first_large(const char *path, size_t all, size_t window)
{
    struct reader r;
    enum js_event_status st, before = JS_EV_END;
    struct js_event ev;
    uint64_t off = 0;
    reader_open(&r, path, all);
    for (;;) {
        struct err e = ERR_INIT;
        FUZZ_CHECK(js_event(r.js, &st, &ev, &e) == OK);
        uint64_t next = st == JS_EV_END ? all : js_offset(r.js);
        if (before == JS_EV_EVENT && next - off >= window)
            break;
        if (st == JS_EV_END) {
            off = UINT64_MAX;
            break;
        }
        off = next;
        before = st;
    }
    reader_close(&r);
    return off;
}

static void compare_events(const char *path, size_t all, size_t window)
{
    const uint64_t large = first_large(path, all, window);
    struct reader a, b;
    enum js_event_status sa, sb;
    struct js_event ea, eb;
    uint64_t off = 0;
    bool compare = true;
    reader_open(&a, path, all);
    reader_open(&b, path, window);
    do {
        struct err e = ERR_INIT;
        FUZZ_CHECK(js_event(a.js, &sa, &ea, &e) == OK && js_event(b.js, &sb, &eb, &e) == OK);
        if (sa == JS_EV_EVENT)
            check_event(&ea, all);
        FUZZ_CHECK(js_offset(a.js) >= off || sa == JS_EV_END);
        off = js_offset(a.js);
        compare = compare && sb != JS_EV_BAD && sb != JS_EV_CUT && off != large;
        FUZZ_CHECK(!compare || (sa == sb && (sa != JS_EV_EVENT || same_event(&ea, &eb))));
        if (sa == JS_EV_CUT)
            FUZZ_CHECK(js_cut_bytes(a.js) <= all);
    } while (sa != JS_EV_END);
    reader_close(&a);
    reader_close(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    size_t all = fuzz_window(data, size);
    compare_tokens(path, all, 61);
    skip_first(path);
    compare_events(path, all, 300);
    return 0;
}
