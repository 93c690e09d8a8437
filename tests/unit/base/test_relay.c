/* SPDX-License-Identifier: Apache-2.0 */
/* Batches from thread to thread: all of them, in order, and an end from either side at any moment. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/relay.h"

#define BATCHES 3

struct batch {
    int n, v[8];
    enum err_code failed; /* of the filler */
};

/* What the filler does, and what it has seen. */
struct job {
    struct relay *r;
    struct batch b[BATCHES];
    int many;             /* numbers to give */
    int fail_at;          /* an error instead of this one; -1 none */
    int per_mark;         /* a number's mark is itself divided by this; 0: no marks */
    atomic_int used;      /* highest number the user is done with */
    int early;            /* waits that ended before that */
    bool no_more, masked; /* relay_take() gave NULL; a signal of the user's is blocked */
};

/* The user has to be done with numbers up to here. */
static void check_waited(struct job *j, int mark)
{
    if (!j->per_mark || mark < 1)
        return;
    relay_wait(j->r, (uint64_t)mark - 1);
    j->early += atomic_load(&j->used) < mark * j->per_mark - 1;
}

static void fill(void *arg)
{
    struct job *j = arg;
    sigset_t mine;
    int next = 0;

    pthread_sigmask(SIG_SETMASK, NULL, &mine);
    j->masked = sigismember(&mine, SIGTERM) && !sigismember(&mine, SIGSEGV);
    while (next < j->many) {
        struct batch *b = relay_take(j->r);
        int mark = j->per_mark ? next / j->per_mark : 0;
        if (!b) {
            j->no_more = true;
            return;
        }
        if (j->per_mark && next % j->per_mark == 0)
            check_waited(j, mark);
        b->failed = OK;
        for (b->n = 0; b->n < 1 + next % 8 && next < j->many && !b->failed;) {
            if (j->per_mark && b->n && next % j->per_mark == 0)
                break;
            b->failed = next == j->fail_at ? ERR_IO : OK;
            if (!b->failed)
                b->v[b->n++] = next++;
        }
        relay_give(j->r, (uint64_t)mark);
        if (b->failed)
            return;
    }
}

/* Use up to limit batches; how many numbers came, all in order. *failed: what the filler said. */
static int use(struct job *j, int limit, enum err_code *failed)
{
    struct err e = ERR_INIT;
    struct batch *b = j->b;
    int seen = 0;

    *failed = OK;
    atomic_store(&j->used, -1);
    assert_int_equal(relay_new(&j->r, j->b, BATCHES, sizeof *j->b, &e), OK);
    assert_true(relay_start(j->r, fill, j));
    while (limit-- > 0 && !*failed && (b = relay_next(j->r)) != NULL) {
        for (int i = 0; i < b->n; i++)
            assert_int_equal(b->v[i], seen++);
        *failed = b->failed;
        atomic_store(&j->used, seen - 1);
    }
    if (!b) /* and again */
        assert_null(relay_next(j->r));
    relay_free(j->r);
    return seen;
}

static void relay_gives_all_in_order(void **state)
{
    (void)state;
    static const int many[] = { 0, 1, 7, 100, 20000 };
    enum err_code failed;
    for (size_t i = 0; i < ARRAY_LEN(many); i++) {
        struct job j = { .many = many[i], .fail_at = -1 };
        assert_int_equal(use(&j, INT32_MAX, &failed), many[i]);
        assert_int_equal(failed, OK);
        assert_false(j.no_more);
        assert_true(j.masked);
    }
}

static void relay_user_can_stop_at_any_moment(void **state)
{
    (void)state;
    enum err_code failed;
    for (int limit = 0; limit < 60; limit++) {
        struct job j = { .many = INT32_MAX, .fail_at = -1 };
        int seen = use(&j, limit, &failed);
        assert_true(seen >= limit);
        assert_true(j.no_more);
    }
}

static void relay_filler_can_fail_at_any_moment(void **state)
{
    (void)state;
    enum err_code failed;
    for (int at = 0; at < 60; at++) {
        struct job j = { .many = 1000, .fail_at = at };
        assert_int_equal(use(&j, INT32_MAX, &failed), at);
        assert_int_equal(failed, ERR_IO);
    }
}

/* What a batch borrows from is free only when the user has given that batch back. */
static void relay_waits_for_what_was_borrowed(void **state)
{
    (void)state;
    static const int per_mark[] = { 1, 3, 8, 40 };
    enum err_code failed;
    for (size_t i = 0; i < ARRAY_LEN(per_mark); i++) {
        struct job j = { .many = 3000, .fail_at = -1, .per_mark = per_mark[i] };
        assert_int_equal(use(&j, INT32_MAX, &failed), 3000);
        assert_int_equal(j.early, 0);
        struct job stopped = { .many = INT32_MAX, .fail_at = -1, .per_mark = per_mark[i] };
        (void)use(&stopped, 5, &failed);
        assert_true(stopped.no_more);
    }
}

static void relay_without_a_thread_is_freed(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct relay *r;
    struct batch b[BATCHES];
    assert_int_equal(relay_new(&r, b, BATCHES, sizeof *b, &e), OK);
    relay_free(r);
    relay_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relay_gives_all_in_order),
        cmocka_unit_test(relay_user_can_stop_at_any_moment),
        cmocka_unit_test(relay_filler_can_fail_at_any_moment),
        cmocka_unit_test(relay_waits_for_what_was_borrowed),
        cmocka_unit_test(relay_without_a_thread_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
