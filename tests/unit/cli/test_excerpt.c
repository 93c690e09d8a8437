/* SPDX-License-Identifier: Apache-2.0 */
/* First and last parts of files (cli/bundle/excerpt.h) against a search over the whole text. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "cli/bundle/excerpt.h"

#define MOST 200000

static char path[64], text[MOST];

static void write_file(size_t n, bool packed)
{
    if (packed) {
        gzFile z = gzopen(path, "wb");
        assert_non_null(z);
        assert_true(!n || gzwrite(z, text, (unsigned)n) == (int)n);
        assert_int_equal(gzclose(z), Z_OK);
        return;
    }
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Lines of random lengths, also of none. */
static void make_text(size_t n)
{
    for (size_t i = 0; i < n; i++)
        text[i] = random() % 20 ? (char)('a' + random() % 26) : '\n';
}

/* What excerpt_add() is to give, found by looking at all of the text. */
static size_t expected(size_t n, const struct excerpt *x, char *out, size_t room)
{
    size_t head = (size_t)x->head_b, tail = n - (size_t)x->tail_b, k = 0;

    if (n <= x->head_b + x->tail_b) {
        memcpy(out, text, n);
        return n;
    }
    if (x->lines) {
        size_t line = head;
        while (line && text[line - 1] != '\n')
            line--;
        head = line ? line : head;
        line = tail;
        while (line < n && text[line] != '\n')
            line++;
        tail = line < n ? line + 1 : tail;
    }
    memcpy(out, text, head);
    k = head;
    if (x->lines)
        k += (size_t)snprintf(out + k, room - k, "[%zu bytes are left out here]\n", tail - head);
    memcpy(out + k, text + tail, n - tail);
    return k + n - tail;
}

static void excerpts_are_the_ends_of_the_text(void **state)
{
    static char want[MOST + 100];

    (void)state;
    srandom(7);
    for (int i = 0; i < 400; i++) {
        size_t n = (size_t)random() % (i % 4 ? 3000 : MOST);
        const struct excerpt x = { .head_b = (uint64_t)random() % 1000,
                                   .tail_b = (uint64_t)random() % 1000,
                                   .lines = i % 2 };
        struct err e = ERR_INIT;
        struct buf b;
        uint64_t left_out;
        make_text(n);
        write_file(n, i % 3 == 0);
        buf_init(&b, SIZE_MAX);
        assert_int_equal(excerpt_add(path, &x, &b, &left_out, &e), OK);
        size_t k = expected(n, &x, want, sizeof want);
        assert_int_equal(b.n, k);
        assert_true(memcmp(buf_str(&b).p, want, k) == 0);
        assert_int_equal(left_out > 0, n > x.head_b + x.tail_b);
        buf_done(&b);
    }
}

static void a_cut_packed_file_gives_what_is_whole(void **state)
{
    const struct excerpt x = { .head_b = MOST };
    struct err e = ERR_INIT;
    struct buf b;
    uint64_t left_out;

    (void)state;
    make_text(50000);
    write_file(50000, true);
    assert_int_equal(truncate(path, 9000), 0);
    buf_init(&b, SIZE_MAX);
    assert_int_equal(excerpt_add(path, &x, &b, &left_out, &e), OK);
    assert_in_range(b.n, 1000, 49999);
    assert_true(memcmp(b.p, text, b.n) == 0);
    buf_done(&b);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
    const struct excerpt x = { .head_b = 10 };
    struct err e = ERR_INIT;
    struct buf b;
    uint64_t left_out;

    (void)state;
    buf_init(&b, SIZE_MAX);
    assert_int_equal(excerpt_add("no-such-file", &x, &b, &left_out, &e), ERR_IO);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excerpts_are_the_ends_of_the_text),
        cmocka_unit_test(a_cut_packed_file_gives_what_is_whole),
        cmocka_unit_test(a_file_that_is_not_there_is_an_error),
    };

    snprintf(path, sizeof path, "excerpt.%ld.tmp", (long)getpid());
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return rc;
}
