/* SPDX-License-Identifier: Apache-2.0 */
/* Chunked input: plain and gzip, limits, torn streams, strange files. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/infile.h"
#include "tests/unit/scratch.h"

/* Append text as one gzip member. */
static void add_member(struct buf *b, struct str text, int level)
{
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&z, (uLong)text.n);
    z.next_out = (Bytef *)buf_room(b, bound);
    assert_non_null(z.next_out);
    z.avail_out = (uInt)bound;
    z.next_in = (Bytef *)(uintptr_t)text.p;
    z.avail_in = (uInt)text.n;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    b->n += z.total_out;
    deflateEnd(&z);
}

/* Read everything through a window of w bytes, taking step bytes at a time; compares with want.
 * Returns the error code. */
static int read_through(const char *path, size_t w, size_t step, struct str want)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    uint64_t at = 0;
    size_t got, n;

    assert_int_equal(infile_open(&f, path, w, &e), OK);
    for (;;) {
        if (infile_more(f, &got, &e) != OK)
            break;
        char *p = infile_data(f, &n);
        assert_true(n <= w);
        assert_true(infile_offset(f) == at && at + n <= want.n);
        assert_memory_equal(p, want.p + at, n);
        memset(p + n, '"', INFILE_PAD); /* the pad is ours to write */
        if (got == 0 && !infile_full(f) && infile_eof(f) && n == 0)
            break;
        size_t take = n < step ? n : step;
        infile_take(f, take);
        at += take;
    }
    if (e.code)
        assert_true(e.offset == at);
    else
        assert_true(at == want.n);
    size_t more;
    struct err again = ERR_INIT;
    assert_int_equal(infile_more(f, &more, &again), OK); /* an error comes once */
    assert_int_equal(more, 0);
    infile_close(f);
    return e.code;
}

static char pattern[300000];

static void fill_pattern(void)
{
    uint64_t x = 12345;
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (char)('a' + scratch_random(&x) % 16);
}

static void infile_plain_slides_its_window(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 2, 15, 16, 17, 1000, sizeof pattern };
    for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
        struct str s = { pattern, sizes[k] };
        const char *path = scratch_write(s.p, s.n);
        assert_int_equal(read_through(path, 16, 5, s), OK);
        assert_int_equal(read_through(path, 1000, 1000, s), OK);
        assert_int_equal(read_through(path, (size_t)2 << 20, 100000, s), OK);
    }
}

static void infile_window_full_reads_no_more(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    size_t got, n;
    assert_int_equal(infile_open(&f, scratch_write(pattern, 100), 10, &e), OK);
    assert_int_equal(infile_more(f, &got, &e), OK);
    assert_int_equal(got, 10);
    assert_true(infile_full(f) && !infile_eof(f));
    assert_int_equal(infile_more(f, &got, &e), OK);
    assert_int_equal(got, 0);
    infile_take(f, 1);
    assert_false(infile_full(f));
    assert_int_equal(infile_more(f, &got, &e), OK);
    assert_int_equal(got, 1);
    (void)infile_data(f, &n);
    assert_int_equal(n, 10);
    assert_int_equal(infile_size(f), 100);
    assert_int_equal(infile_consumed(f), 11);
    assert_false(infile_is_gz(f));
    infile_close(f);
    infile_close(NULL);
}

static void infile_gz_members_and_padding(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1 << 20);
    add_member(&b, (struct str){ pattern, 100000 }, 6);
    add_member(&b, STR(""), 6);
    buf_add(&b, (struct str){ "\0\0\0\0", 4 });
    add_member(&b, (struct str){ pattern + 100000, sizeof pattern - 100000 }, 1);
    buf_add(&b, (struct str){ "\0\0\0", 3 });
    const char *path = scratch_write(b.p, b.n);
    struct str want = { pattern, sizeof pattern };
    assert_int_equal(read_through(path, 64, 64, want), OK);
    assert_int_equal(read_through(path, 1 << 20, 1 << 20, want), OK);
    buf_puts(&b, "junk");
    assert_int_equal(read_through(scratch_write(b.p, b.n), 1 << 20, 1 << 20, want), ERR_FORMAT);
    buf_done(&b);
}

/* Cut at every length: what was unpacked is a prefix, the error comes unless the cut falls between
 * members. */
static void infile_gz_cut_at_every_length(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1 << 20);
    add_member(&b, (struct str){ pattern, 700 }, 6);
    size_t first = b.n;
    add_member(&b, (struct str){ pattern + 700, 500 }, 6);
    for (size_t n = 2; n <= b.n; n++) {
        struct str want = { pattern, n == first ? 700 : 1200 };
        int rc = read_through(scratch_write(b.p, n), 256, 100, want);
        assert_int_equal(rc, n == first || n == b.n ? OK : ERR_FORMAT);
    }
    buf_done(&b);
}

/* What a cut stream gives does not depend on the window: zlib may hold back output when the room ends. */
static void infile_gz_cut_gives_the_same_through_any_window(void **state)
{
    (void)state;
    struct buf b;
    static char text[4000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = pattern[i % 50 + i / 700];
    buf_init(&b, 1 << 20);
    add_member(&b, (struct str){ text, sizeof text }, 9);
    for (size_t n = 20; n < b.n; n++) {
        const char *path = scratch_write(b.p, n);
        static const size_t windows[] = { 1 << 20, 17, 64, 301 };
        uint64_t want = 0;
        for (size_t k = 0; k < ARRAY_LEN(windows); k++) {
            struct err e = ERR_INIT;
            struct infile *f = NULL;
            size_t got, len;
            assert_int_equal(infile_open(&f, path, windows[k], &e), OK);
            while (infile_more(f, &got, &e) == OK) {
                (void)infile_data(f, &len);
                infile_take(f, len);
            }
            assert_int_equal(e.code, ERR_FORMAT);
            want = k ? want : infile_offset(f);
            assert_true(infile_offset(f) == want);
            infile_close(f);
        }
    }
    buf_done(&b);
}

static void infile_gz_bit_flips_never_crash(void **state)
{
    (void)state;
    struct buf b;
    uint64_t x = 99;
    buf_init(&b, 1 << 20);
    add_member(&b, (struct str){ pattern, 1000 }, 6);
    for (int k = 0; k < 500; k++) {
        size_t bit = 16 + scratch_random(&x) % (b.n * 8 - 16);
        b.p[bit / 8] = (char)(b.p[bit / 8] ^ (1 << bit % 8));
        struct err e = ERR_INIT;
        char *text;
        size_t n;
        int rc = infile_read_all(scratch_write(b.p, b.n), 1 << 20, &text, &n, &e);
        if (rc == OK)
            assert_int_equal(n, 1000); /* a flip in the header's unused fields */
        free(text);
        b.p[bit / 8] = (char)(b.p[bit / 8] ^ (1 << bit % 8));
    }
    buf_done(&b);
}

/* Unpacked size just below, at and above what the packed size allows. */
static void infile_gz_limit_of_the_ratio(void **state)
{
    (void)state;
    struct buf b;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    size_t n = (size_t)LIM_GZ_FREE_B + 1, got, len;
    char *zeros = calloc(1, n);
    assert_non_null(zeros);
    buf_init(&b, 1 << 22);
    for (size_t size = n - 2; size <= n; size++) {
        buf_clear(&b);
        add_member(&b, (struct str){ zeros, size }, 9);
        assert_true(b.n * LIM_GZ_RATIO < LIM_GZ_FREE_B);
        int rc = read_through(scratch_write(b.p, b.n), (size_t)2 << 20, n, (struct str){ zeros, size });
        assert_int_equal(rc, size <= LIM_GZ_FREE_B ? OK : ERR_LIMIT);
    }
    /* all that fits is given before the error */
    assert_int_equal(infile_open(&f, scratch_path, 0, &e), OK);
    assert_true(infile_is_gz(f));
    size_t seen = 0;
    while (infile_more(f, &got, &e) == OK && (got || !infile_eof(f))) {
        (void)infile_data(f, &len);
        infile_take(f, len);
        seen += len;
    }
    assert_int_equal(e.code, ERR_LIMIT);
    assert_int_equal(seen, LIM_GZ_FREE_B);
    infile_close(f);
    free(zeros);
    buf_done(&b);
}

static void infile_open_refuses_what_is_no_file(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    assert_int_equal(infile_open(&f, "/", 0, &e), ERR_FORMAT);
    assert_null(f);
    assert_string_equal(e.file, "/");
    err_clear(&e);
    assert_int_equal(infile_open(&f, "/nonexistent/file", 0, &e), ERR_IO);
    assert_int_equal(e.sys, ENOENT);
    err_clear(&e);
    char fifo[300];
    snprintf(fifo, sizeof fifo, "%s.fifo", scratch_write("x", 1));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(infile_open(&f, fifo, 0, &e), ERR_FORMAT);
    unlink(fifo);
    err_clear(&e);
    assert_int_equal(infile_open(&f, "/dev/null", 0, &e), ERR_FORMAT);
}

static void infile_read_all_at_its_maximum(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    char *text = NULL;
    size_t n = 0;
    const char *path = scratch_write(pattern, 5000);
    assert_int_equal(infile_read_all(path, 5000, &text, &n, &e), OK);
    assert_int_equal(n, 5000);
    assert_int_equal(text[5000], 0);
    assert_memory_equal(text, pattern, 5000);
    free(text);
    assert_int_equal(infile_read_all(path, 4999, &text, &n, &e), ERR_LIMIT);
    assert_null(text);
    err_clear(&e);
    assert_int_equal(infile_read_all(scratch_write("", 0), 10, &text, &n, &e), OK);
    assert_string_equal(text, "");
    free(text);
}

static void infile_changed_sees_growth(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    assert_int_equal(infile_open(&f, scratch_write("abc", 3), 0, &e), OK);
    assert_false(infile_changed(f));
    (void)scratch_write("abcd", 4);
    assert_true(infile_changed(f));
    infile_close(f);
}

/*
 * A small file has a small window; it still takes all its bytes at once, and as many as asked for when it
 * grows or another one follows.
 */
static void infile_window_grows_with_what_is_read(void **state)
{
    (void)state;
    static const size_t sizes[] = { 10, 4096, 4097, 100000, sizeof pattern };
    struct err e = ERR_INIT, damage;
    size_t got, n;
    const char *p;

    for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
        struct infile *f = NULL;
        assert_int_equal(infile_open(&f, scratch_write(pattern, sizes[k]), sizeof pattern, &e), OK);
        (void)scratch_write(pattern, sizeof pattern);
        do
            assert_int_equal(infile_more(f, &got, &e), OK);
        while (got);
        p = infile_data(f, &n);
        assert_memory_equal(p, pattern, n);
        assert_true(n == sizeof pattern && infile_full(f));
        infile_close(f);

        assert_int_equal(infile_open(&f, scratch_write(pattern, sizes[k]), sizeof pattern, &e), OK);
        assert_int_equal(infile_more(f, &got, &e), OK);
        assert_int_equal(got, sizes[k]);
        infile_take(f, 7);
        assert_int_equal(infile_more(f, &got, &e), OK);
        (void)scratch_write(pattern + sizes[k], sizeof pattern - sizes[k]);
        assert_int_equal(infile_continue(f, scratch_path, &damage, &e), OK);
        do
            assert_int_equal(infile_more(f, &got, &e), OK);
        while (got);
        p = infile_data(f, &n);
        assert_memory_equal(p, pattern + 7, n);
        assert_int_equal(n, sizeof pattern - 7);
        infile_close(f);
    }
}

/* A file that shrinks while it is read ends early, and that is seen. */
static void infile_shrinking_file_is_a_prefix(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    size_t got, n;
    assert_int_equal(infile_open(&f, scratch_write(pattern, 1000), 100, &e), OK);
    assert_int_equal(infile_more(f, &got, &e), OK);
    assert_int_equal(truncate(scratch_path, 50), 0);
    infile_take(f, 100);
    assert_int_equal(infile_more(f, &got, &e), OK);
    (void)infile_data(f, &n);
    assert_true(got == 0 && n == 0 && infile_eof(f) && infile_changed(f));
    infile_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infile_plain_slides_its_window),
        cmocka_unit_test(infile_window_full_reads_no_more),
        cmocka_unit_test(infile_gz_members_and_padding),
        cmocka_unit_test(infile_gz_cut_at_every_length),
        cmocka_unit_test(infile_gz_cut_gives_the_same_through_any_window),
        cmocka_unit_test(infile_gz_bit_flips_never_crash),
        cmocka_unit_test(infile_gz_limit_of_the_ratio),
        cmocka_unit_test(infile_open_refuses_what_is_no_file),
        cmocka_unit_test(infile_read_all_at_its_maximum),
        cmocka_unit_test(infile_changed_sees_growth),
        cmocka_unit_test(infile_window_grows_with_what_is_read),
        cmocka_unit_test(infile_shrinking_file_is_a_prefix),
    };
    fill_pattern();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
