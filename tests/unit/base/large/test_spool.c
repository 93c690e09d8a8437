/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays in memory and in files: what they hold, where they lie, what becomes of them when there is no room.
 */
#include "config.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/large/spool.h"
#include "base/read/infile.h"
#include "emit/emit.h"

#define MIB ((size_t)1 << 20)

static char dir[] = "/tmp/spool-XXXXXX";

static struct spool *pool(uint64_t memory_b)
{
    struct err e = ERR_INIT;
    struct spool *s;

    assert_int_equal(spool_new(&s, dir, memory_b, &e), OK);
    return s;
}

struct array {
    uint64_t *v;
    size_t n, cap;
};

static void fill(struct spool *s, struct array *a, size_t to)
{
    for (; a->n < to; a->n++) {
        uint64_t *v = spool_grow(s, a->v, a->n, &a->cap, sizeof *v, 16);
        assert_non_null(v);
        a->v = v;
        v[a->n] = a->n * 0x9e3779b97f4a7c15u;
    }
}

static void check(const struct array *a)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->v[i] != i * 0x9e3779b97f4a7c15u)
            fail_msg("element %zu of %zu", i, a->n);
}

static unsigned files_left(void)
{
    DIR *d = opendir(dir);
    unsigned n = 0;

    assert_non_null(d);
    for (struct dirent *f; (f = readdir(d));)
        n += f->d_name[0] != '.';
    closedir(d);
    return n;
}

static void small_arrays_stay_in_memory(void **state)
{
    struct spool *s = pool(64 * MIB);
    struct array a = { NULL, 0, 0 };

    (void)state;
    fill(s, &a, 4 * MIB / 8);
    check(&a);
    assert_false(spool_is_filed(s, a.v));
    assert_int_equal(spool_filed_b(s), 0);
    spool_free(s, a.v);
    spool_close(s);
}

static void what_is_beyond_lies_in_files(void **state)
{
    struct spool *s = pool(8 * MIB);
    struct array a = { NULL, 0, 0 }, b = { NULL, 0, 0 };

    (void)state;
    fill(s, &a, 4 * MIB / 8);
    fill(s, &b, 40 * MIB / 8);
    assert_false(spool_is_filed(s, a.v));
    assert_true(spool_is_filed(s, b.v));
    assert_true(spool_filed_b(s) >= 40 * MIB && spool_filed_b(s) < 90 * MIB);
    assert_int_equal(files_left(), 0);
    fill(s, &b, 80 * MIB / 8);
    check(&a);
    check(&b);
    spool_free(s, b.v);
    assert_int_equal(spool_filed_b(s), 0);
    fill(s, &a, 5 * MIB / 8); /* there is room again */
    assert_false(spool_is_filed(s, a.v));
    check(&a);
    spool_free(s, a.v);
    spool_close(s);
}

/* Room for many elements at once, of arrays that are new, full, in memory and in files. */
static void arrays_grow_by_much_at_once(void **state)
{
    (void)state;
    for (uint64_t memory = 0; memory <= 64 * MIB; memory += 4 * MIB) {
        struct spool *s = pool(memory);
        struct array a = { NULL, 0, 0 };
        a.v = spool_grow(s, NULL, 500000, &a.cap, sizeof *a.v, 1);
        assert_true(a.v && a.cap > 500000);
        fill(s, &a, a.cap);
        for (int i = 0; i < 3; i++) {
            a.v = spool_grow(s, a.v, 2 * a.cap, &a.cap, sizeof *a.v, 1);
            assert_non_null(a.v);
            check(&a);
            fill(s, &a, a.cap);
        }
        check(&a);
        spool_free(s, a.v);
        spool_close(s);
    }
}

static void fitted_arrays_give_room_back(void **state)
{
    struct spool *s = pool(8 * MIB);
    struct array a = { NULL, 0, 0 }, b = { NULL, 0, 0 };

    (void)state;
    fill(s, &a, 5 * MIB / 8);
    fill(s, &b, 5 * MIB / 8); /* does not fit beside it */
    assert_true(!spool_is_filed(s, a.v) && spool_is_filed(s, b.v));
    a.n = a.cap = 2 * MIB / 8;
    spool_fit(s, a.v, a.n, sizeof *a.v);
    b.n = b.cap = 3 * MIB / 8;
    spool_fit(s, b.v, b.n, sizeof *b.v);
    assert_int_equal(spool_filed_b(s), 3 * MIB);
    check(&a);
    check(&b);
    void *c = spool_array(s, 5 * MIB, 1);
    assert_false(spool_is_filed(s, c));
    fill(s, &b, 9 * MIB / 8);
    fill(s, &a, 5 * MIB / 8);
    assert_true(spool_is_filed(s, a.v));
    check(&a);
    check(&b);
    spool_fit(s, NULL, 3, 8);
    spool_fit(NULL, a.v, 3, 8);
    spool_free(s, a.v);
    spool_free(s, b.v);
    spool_free(s, c);
    spool_close(s);
}

static void arrays_are_zero_wherever_they_lie(void **state)
{
    struct spool *s = pool(2 * MIB);
    unsigned char *small = spool_array(s, 1000, 1), *in = spool_array(s, MIB, 1),
                  *out = spool_array(s, 3 * MIB, 2), *none = spool_array(s, 0, 8);

    (void)state;
    assert_non_null(none);
    assert_false(spool_is_filed(s, in));
    assert_true(spool_is_filed(s, out));
    for (size_t i = 0; i < 6 * MIB; i++)
        assert_true(!out[i] && !in[i % MIB] && !small[i % 1000]);
    spool_free(s, small);
    spool_free(s, in);
    spool_free(s, out);
    spool_free(s, none);
    spool_free(s, NULL);
    assert_null(spool_array(s, SIZE_MAX / 2, 8));
    spool_close(s);
}

static void without_memory_all_lie_in_files(void **state)
{
    struct spool *s = pool(0);
    struct array a = { NULL, 0, 0 };

    (void)state;
    fill(s, &a, 100);
    assert_true(spool_is_filed(s, a.v));
    fill(s, &a, 100000);
    check(&a);
    spool_free(s, a.v);
    spool_close(s);
}

static void without_a_pool_they_are_plain(void **state)
{
    struct array a = { NULL, 0, 0 };

    (void)state;
    fill(NULL, &a, 100000);
    check(&a);
    assert_false(spool_is_filed(NULL, a.v));
    spool_free(NULL, a.v);
    free(spool_array(NULL, 7, 8));
    spool_close(NULL);
}

static void without_a_place_memory_takes_all(void **state)
{
    struct err e = ERR_INIT;
    struct spool *s;
    struct array a = { NULL, 0, 0 };

    (void)state;
    assert_int_equal(spool_new(&s, "/nowhere/at all", 0, &e), OK);
    fill(s, &a, 3 * MIB / 8);
    assert_false(spool_is_filed(s, a.v));
    check(&a);
    spool_free(s, a.v);
    spool_close(s);
}

/* A limit on files ends one as a full disk does. */
static void a_full_disk_brings_it_back_into_memory(void **state)
{
    struct spool *s = pool(0);
    struct array a = { NULL, 0, 0 };
    struct rlimit was, less = { 4 * MIB, 0 };

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    less.rlim_max = was.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    fill(s, &a, 2 * MIB / 8);
    assert_true(spool_is_filed(s, a.v));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    fill(s, &a, 20 * MIB / 8);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_false(spool_is_filed(s, a.v));
    check(&a);
    spool_free(s, a.v);
    spool_close(s);
}

/* Two threads, more than may stay in memory: pages leave while they are worked on. */
static void *work(void *arg)
{
    struct array a = { NULL, 0, 0 };

    fill(arg, &a, 96 * MIB / 8);
    for (int i = 0; i < 3; i++)
        check(&a);
    for (size_t i = 0; i < a.n; i++)
        a.v[i] = ~a.v[i];
    for (size_t i = 0; i < a.n; i++)
        a.v[i] = ~a.v[i];
    check(&a);
    spool_free(arg, a.v);
    return NULL;
}

static void threads_work_in_parallel(void **state)
{
    struct spool *s = pool(16 * MIB);
    pthread_t t;

    (void)state;
    assert_int_equal(pthread_create(&t, NULL, work, s), 0);
    work(s);
    pthread_join(t, NULL);
    assert_int_equal(spool_filed_b(s), 0);
    spool_close(s);
}

static void the_usual_pool_is_as_the_environment_says(void **state)
{
    struct err e = ERR_INIT;
    struct spool *s;

    (void)state;
    setenv("TMPDIR", dir, 1);
    setenv("NPUSCOPE_MEMORY", "1", 1);
    assert_int_equal(spool_usual(&s, &e), OK);
    void *p = spool_array(s, 2 * MIB, 1);
    assert_true(spool_is_filed(s, p));
    spool_free(s, p);
    spool_close(s);
    setenv("NPUSCOPE_MEMORY", "much", 1);
    assert_int_equal(spool_usual(&s, &e), OK);
    p = spool_array(s, 2 * MIB, 1);
    assert_false(spool_is_filed(s, p));
    spool_free(s, p);
    spool_close(s);
}

static void a_file_without_a_name_is_read_again(void **state)
{
    struct err e = ERR_INIT;
    struct emit *o;
    struct infile *in;
    size_t n, got;

    (void)state;
    setenv("TMPDIR", dir, 1);
    int fd = spool_file(&e);
    assert_true(fd >= 0);
    assert_int_equal(emit_into(&o, dup(fd), "text", &e), OK);
    emit_s(o, "words");
    assert_int_equal(emit_close(o, NULL, &e), OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(infile_open_fd(&in, fd, "text", 0, &e), OK);
        assert_int_equal(infile_more(in, &got, &e), OK);
        const char *p = infile_data(in, &n);
        assert_int_equal(n, 5);
        assert_memory_equal(p, "words", 5);
        infile_close(in);
    }
    close(fd);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(spool_file(&e), -1);
    assert_int_equal(e.code, ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_arrays_stay_in_memory),
        cmocka_unit_test(what_is_beyond_lies_in_files),
        cmocka_unit_test(arrays_grow_by_much_at_once),
        cmocka_unit_test(fitted_arrays_give_room_back),
        cmocka_unit_test(arrays_are_zero_wherever_they_lie),
        cmocka_unit_test(without_memory_all_lie_in_files),
        cmocka_unit_test(without_a_pool_they_are_plain),
        cmocka_unit_test(without_a_place_memory_takes_all),
        cmocka_unit_test(a_full_disk_brings_it_back_into_memory),
        cmocka_unit_test(threads_work_in_parallel),
        cmocka_unit_test(a_file_without_a_name_is_read_again),
        cmocka_unit_test(the_usual_pool_is_as_the_environment_says),
    };

    if (!mkdtemp(dir))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(dir) || failed;
}
