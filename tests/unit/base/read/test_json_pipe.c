/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events from another thread: the same ones, the same damage, in the same order as without it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/buf.h"
#include "base/read/json_pipe.h"
#include "tests/unit/scratch.h"

/* Events of 60 to 300 bytes, now and then one with escapes or a long one. */
static void put_events(struct buf *b, int n, uint64_t *x)
{
    buf_clear(b);
    buf_puts(b, "[");
    for (int i = 0; i < n; i++) {
        uint64_t r = scratch_random(x);
        buf_printf(b,
                   "%s{\"name\": \"op %d%s\", \"ph\": \"%c\", \"pid\": %d, \"tid\": \"t%d\", "
                   "\"ts\": \"%d.%03d\"",
                   i ? ", " : "", i, r % 13 == 0 ? " \\u00e4\\n\\\"" : "", "XCsfM"[r % 5], (int)(r >> 8 & 3),
                   (int)(r >> 10 & 7), i * 17, (int)(r >> 20) % 1000);
        if (r % 3)
            buf_printf(b, ", \"args\": {\"v\": %d, \"text\": \"%.*s\"}", (int)(r >> 30 & 255),
                       (int)(r % 701 == 0 ? 900 : r >> 40 & 127),
                       "................................................................"
                       "................................................................"
                       "................................................................");
        buf_puts(b, "}");
    }
    buf_puts(b, "]\n");
}

/* Everything a caller can see, as text. limit: events after which the reading is given up. */
static void describe(struct buf *out, const char *path, size_t window, bool thread, int limit)
{
    struct err e = ERR_INIT;
    struct infile *in = NULL;
    struct json_pipe p;
    const struct js_event *ev;
    enum js_event_status st = JS_EV_EVENT;

    buf_clear(out);
    assert_int_equal(infile_open(&in, path, window, &e), OK);
    assert_int_equal(json_pipe_open(&p, in, thread, &e), OK);
    while (limit-- > 0 && json_pipe_event(&p, &st, &ev, &e) == OK && st != JS_EV_END) {
        const struct json_pipe_facts *f = json_pipe_facts(&p);
        if (st == JS_EV_EVENT)
            buf_printf(out, "%" PRIu64 " %c %.*s %.*s %.*s %" PRId64 " %.*s %u\n", ev->off,
                       ev->ph ? ev->ph : '0', (int)ev->name.n, ev->name.p ? ev->name.p : "", (int)ev->pid.n,
                       ev->pid.p ? ev->pid.p : "", (int)ev->tid.n, ev->tid.p ? ev->tid.p : "", ev->ts_ns,
                       (int)ev->args.n, ev->args.p ? ev->args.p : "", ev->esc);
        else
            buf_printf(out, "status %d at %" PRIu64 " line %u cut %" PRIu64 " %s\n", (int)st, f->offset,
                       f->line, f->cut_bytes, f->problem);
    }
    buf_printf(out, "end %d error %s %s\n", (int)st, err_name(e.code), e.text);
    if (st == JS_EV_END) { /* and again */
        assert_int_equal(json_pipe_event(&p, &st, &ev, &e), OK);
        assert_int_equal(st, JS_EV_END);
    }
    json_pipe_close(&p);
    infile_close(in);
}

static void compare(const struct buf *text, size_t window, int limit)
{
    const char *path = scratch_write(text->p, text->n);
    struct buf one, two;

    buf_init(&one, (size_t)64 << 20);
    buf_init(&two, (size_t)64 << 20);
    describe(&one, path, window, false, limit);
    describe(&two, path, window, true, limit);
    assert_false(buf_failed(&one));
    if (!str_eq(buf_str(&one), buf_str(&two))) {
        size_t at = 0;
        while (at < one.n && at < two.n && one.p[at] == two.p[at])
            at++;
        size_t from = at > 100 ? at - 100 : 0;
        fail_msg("window %zu: differ at %zu:\n%.300s\n--\n%.300s", window, at, one.p + from, two.p + from);
    }
    buf_done(&one);
    buf_done(&two);
}

/* Windows far smaller than the file, so that they pass round many times. */
static void pipe_gives_what_the_reader_gives(void **state)
{
    (void)state;
    static const size_t windows[] = { 2048, 5000, 65536, 0 };
    struct buf b;
    uint64_t x = 3;
    buf_init(&b, (size_t)64 << 20);
    put_events(&b, 20000, &x);
    for (size_t i = 0; i < ARRAY_LEN(windows); i++)
        compare(&b, windows[i], INT32_MAX);
    put_events(&b, 0, &x);
    compare(&b, 0, INT32_MAX);
    buf_done(&b);
}

static void pipe_reports_damage_in_its_place(void **state)
{
    (void)state;
    struct buf b;
    uint64_t x = 9;
    buf_init(&b, (size_t)64 << 20);
    for (int round = 0; round < 40; round++) {
        put_events(&b, 3000, &x);
        for (int k = 0; k < 1 + round % 30; k++)
            b.p[scratch_random(&x) % b.n] = "\"{}[],:\\\001x"[scratch_random(&x) % 10];
        if (round % 4 == 1)
            b.n -= scratch_random(&x) % 5000; /* cut */
        if (round % 4 == 2)
            memset(b.p + b.n / 3, ' ' + round % 3, 30000); /* a hole over many windows */
        compare(&b, round % 2 ? 3000 : 20000, INT32_MAX);
    }
    buf_done(&b);
}

/* Given up at any moment, also while the thread waits for a window or has a batch ready. */
static void pipe_can_be_closed_early(void **state)
{
    (void)state;
    static const int limits[] = { 0, 1, 2, 500, 1023, 1024, 1025, 5000 };
    struct buf b;
    uint64_t x = 5;
    buf_init(&b, (size_t)64 << 20);
    put_events(&b, 20000, &x);
    for (size_t i = 0; i < ARRAY_LEN(limits); i++)
        for (int k = 0; k < 5; k++)
            compare(&b, k % 2 ? 4096 : 0, limits[i]);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipe_gives_what_the_reader_gives),
        cmocka_unit_test(pipe_reports_damage_in_its_place),
        cmocka_unit_test(pipe_can_be_closed_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
