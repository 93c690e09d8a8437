/* SPDX-License-Identifier: Apache-2.0 */
/* Python stacks of all threads: both orders of frames, which thread is the main one, cuts, flips, limits. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/logs/pystack.h"
#include "tests/unit/parsers/logs/flight_case.h"

#define NAME "hccl_trace_rank_4_py_traceback"
/* As torch_npu writes it: outermost first. */
#define TORCH                                                                                                \
    "pid: 4711\n"                                                                                            \
    "thread <Thread(pin memory, started daemon 281472)>:\n"                                                  \
    "  File \"/usr/lib/python3.11/threading.py\", line 1002, in _bootstrap\n"                                \
    "    self._bootstrap_inner()\n"                                                                          \
    "thread <_MainThread(MainThread, started 281473)>:\n"                                                    \
    "  File \"/job/pretrain.py\", line 214, in <module>\n"                                                   \
    "    main()\n"                                                                                           \
    "  File \"/job/pretrain.py\", line 118, in main\n"                                                       \
    "    batch = next(loader)\n"                                                                             \
    "  File \"/job/data.py\", line 7, in __next__\n"
/* As faulthandler does: innermost first, the main thread last, without names. */
#define FAULT                                                                                                \
    "Thread 0x0000ffff89a9f700 (most recent call first):\r\n"                                                \
    "  File \"/usr/lib/python3.11/queue.py\", line 171 in get\r\n"                                           \
    "  File \"/usr/lib/python3.11/threading.py\", line 982 in run\r\n"                                       \
    "\r\n"                                                                                                   \
    "Current thread 0x0000ffff8aa9f010 (most recent call first):\r\n"                                        \
    "  File \"/job/model.py\", line 300 in forward\r\n"                                                      \
    "  File \"/job/pretrain.py\", line 12 in <module>\r\n"

static int read_stack(struct rows *r, const void *bytes, size_t n, struct pystack **out, struct err *e)
{
    rows_init(r, "pystack", case_named(NAME, bytes, n));
    struct parse_ctx c = { .f = &r->file, .run = &r->run, .tmp = r->tmp, .out = sink_count_sink(r->count) };
    int rc = pystack_read(out, &c, e);
    assert_int_equal(rc, e->code);
    assert_true((*out == NULL) == (rc != OK));
    r->rows = c.rows;
    (void)case_named(NULL, NULL, 0);
    return rc;
}

static bool is(struct str s, const char *text)
{
    return str_eq(s, str_of(text));
}

static void stacks_of_torch(void **state)
{
    struct pystack *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_stack(&r, TORCH, sizeof TORCH - 1, &s, &e), OK);
    assert_int_equal(s->rank, 4);
    assert_int_equal(s->pid, 4711);
    assert_int_equal(s->n_threads, 2);
    assert_true(is(s->threads[0].name, "pin memory") && !s->threads[0].is_main);
    assert_int_equal(s->threads[0].id, 281472);
    const struct pystack_thread *t = pystack_main(s);
    assert_ptr_equal(t, &s->threads[1]);
    assert_true(is(t->name, "MainThread") && t->id == 281473 && !s->main_guessed);
    assert_int_equal(t->n_frames, 3);
    assert_true(is(t->frames[0].function, "__next__") && is(t->frames[0].file, "/job/data.py"));
    assert_int_equal(t->frames[0].line, 7);
    assert_null(t->frames[0].code.p);
    assert_true(is(t->frames[1].code, "batch = next(loader)"));
    assert_true(is(t->frames[2].function, "<module>"));
    assert_ptr_equal(pystack_last(s), t->frames);
    assert_int_equal(r.rows, 4);
    assert_int_equal(r.text.n, 0);
    rows_done(&r);
    pystack_free(s);
}

static void stacks_of_faulthandler(void **state)
{
    struct pystack *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_stack(&r, FAULT, sizeof FAULT - 1, &s, &e), OK);
    assert_int_equal(s->pid, -1);
    assert_int_equal(s->n_threads, 2);
    assert_true(s->main_guessed && s->threads[1].is_main && !s->threads[0].is_main);
    assert_true(s->threads[0].id == UINT64_C(0xffff89a9f700) && !s->threads[0].name.p);
    assert_true(is(s->threads[0].frames[0].function, "get"));
    assert_true(is(pystack_last(s)->function, "forward"));
    assert_int_equal(pystack_last(s)->line, 300);
    rows_done(&r);
    pystack_free(s);
}

static void stacks_cut_and_flipped(void **state)
{
    static const char *const texts[] = { TORCH, FAULT };
    uint64_t seed = 88172645463325252u;
    struct pystack *s;
    struct rows r;
    char copy[sizeof TORCH + sizeof FAULT];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        size_t n = strlen(texts[i]), before = 0;
        for (size_t cut = 0; cut < n; cut++) {
            struct err e = ERR_INIT;
            int rc = read_stack(&r, texts[i], cut, &s, &e);
            assert_true(rc == OK || (rc == ERR_FORMAT && before == 0));
            if (r.rows < before)
                fail_msg("cut at %zu: %" PRIu64 " frames, %zu before", cut, r.rows, before);
            before = r.rows;
            rows_done(&r);
            pystack_free(s);
        }
        assert_int_equal(before, 4);
        for (int k = 0; k < 1000; k++) {
            struct err e = ERR_INIT;
            size_t at = (size_t)(scratch_random(&seed) % n);
            memcpy(copy, texts[i], n);
            copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
            assert_int_equal(read_stack(&r, copy, n, &s, &e), OK);
            assert_true(s->n_threads >= 1 && r.rows >= 3);
            rows_done(&r);
            pystack_free(s);
        }
    }
}

static void stacks_of_nothing(void **state)
{
    struct pystack *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_stack(&r, "", 0, &s, &e), OK); /* the interpreter lock was not to be had */
    assert_int_equal(s->n_threads, 0);
    assert_null(pystack_main(s));
    assert_null(pystack_last(s));
    rows_done(&r);
    pystack_free(s);
    assert_int_equal(read_stack(&r, "not a stack\n", 12, &s, &e), ERR_FORMAT);
    assert_string_equal(e.text, "no Python stack: no line is a thread or a frame");
    rows_done(&r);
}

/* Threads and frames above their limits, a name of 10 000 bytes, numbers that do not fit. */
static void stacks_limits(void **state)
{
    struct pystack *s;
    struct err e = ERR_INIT;
    struct rows r;
    struct buf b;

    (void)state;
    buf_init(&b, (size_t)64 << 20);
    for (int i = 0; i <= PYSTACK_THREADS; i++)
        buf_printf(&b, "thread %d:\n", i + 1);
    assert_int_equal(read_stack(&r, b.p, b.n, &s, &e), OK);
    assert_int_equal(s->n_threads, PYSTACK_THREADS);
    assert_int_equal(s->threads[PYSTACK_THREADS - 1].id, PYSTACK_THREADS);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 1);
    rows_done(&r);
    pystack_free(s);

    buf_clear(&b);
    for (int i = 0; i <= PYSTACK_FRAMES; i++)
        buf_printf(&b, "  File \"f\", line %d, in g\n", i);
    assert_int_equal(read_stack(&r, b.p, b.n, &s, &e), OK);
    assert_int_equal(s->n_threads, 1);
    assert_int_equal(pystack_main(s)->n_frames, PYSTACK_FRAMES);
    assert_int_equal(pystack_last(s)->line, PYSTACK_FRAMES - 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 1);
    rows_done(&r);
    pystack_free(s);

    buf_clear(&b);
    buf_puts(&b, "Thread 0xffffffffffffffffff (most recent call first):\n  File \"");
    for (int i = 0; i < 10000; i++)
        buf_addc(&b, 'x');
    buf_puts(&b, "\", line 3\n  File \"y\", line 99999999999999999999 in z\n  File \"no end\n");
    assert_int_equal(read_stack(&r, b.p, b.n, &s, &e), OK);
    assert_int_equal(s->threads[0].n_frames, 1);
    assert_int_equal(pystack_last(s)->file.n, PYSTACK_TEXT_B);
    assert_int_equal(pystack_last(s)->function.n, 0);
    rows_done(&r);
    pystack_free(s);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_of_torch),        cmocka_unit_test(stacks_of_faulthandler),
        cmocka_unit_test(stacks_cut_and_flipped), cmocka_unit_test(stacks_of_nothing),
        cmocka_unit_test(stacks_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
