/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files read beside each other: what jobs tell and count comes in their order, whatever threads there are;
 * errors and cancelling end them.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "parsers/prof/jobs.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA   PROF_NAME "/device_0/data/"
#define N_JOBS 6

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* A listener that keeps what it hears as lines, and counts rows and bytes of one file. */
struct listener {
    struct sink sink; /* first */
    char said[4000];
    struct parse_ctx c;
    uint64_t shown_b;
    bool cancelled;
};

static void on_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    struct listener *l = (struct listener *)s;
    size_t n = strlen(l->said);

    snprintf(l->said + n, sizeof l->said - n, "%d %u %s\n", (int)code, w->source_id ? 1 : 0, text);
}
static bool is_cancelled(const struct sink *s)
{
    return ((const struct listener *)s)->cancelled;
}
static void on_progress(void *arg, uint64_t done_b)
{
    ((struct listener *)arg)->shown_b = done_b;
}
static struct parse_ctx *use(void *arg, const struct source_file *f)
{
    struct listener *l = arg;

    l->c.f = f;
    l->c.out = &l->sink;
    l->c.progress = on_progress;
    l->c.progress_arg = l;
    return &l->c;
}

static void listen(struct prof_case *c, struct listener *l, unsigned threads)
{
    static const struct sink_ops ops = { .note = on_note, .cancelled = is_cancelled };

    *l = (struct listener){ .sink.ops = &ops };
    c->p->in.notes = &l->sink;
    c->p->in.use = use;
    c->p->in.arg = l;
    c->p->in.threads = threads;
}

static struct prof_case open_tree(void)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    return c;
}

struct task {
    unsigned number, rows;
    bool fails;
};

static int on_record(void *arg, struct prof_record *r, struct err *e)
{
    struct task *t = arg;

    (void)r;
    t->rows++;
    return e->code;
}

/* The earlier the job the longer it takes. The second one reads a file with a cut record. */
static int run(struct prof *view, void *arg, struct err *e)
{
    struct task *t = arg;
    const struct timespec pause = { .tv_nsec = 20000000 / (t->number + 1) };

    nanosleep(&pause, NULL);
    prof_note(view, view->device[0], N_PROF_TAGS, NOTE_INCONSISTENT, "begun %u", t->number);
    if (t->number == 1 && prof_read(view, view->device[0], PROF_STARS, on_record, t, e))
        return e->code;
    prof_note(view, view->device[0], N_PROF_TAGS, NOTE_INCONSISTENT, "done %u", t->number);
    prof_note(view, view->device[0], N_PROF_TAGS, NOTE_INCONSISTENT, "done %u", t->number);
    return t->fails ? err_set(e, ERR_LIMIT, "job %u", t->number) : OK;
}

static struct err run_all(struct prof_case *c, struct task task[N_JOBS])
{
    struct prof_job job[N_JOBS];
    struct prof_jobs *b;
    struct err e = ERR_INIT;

    for (unsigned i = 0; i < N_JOBS; i++) {
        task[i].number = i;
        job[i] = (struct prof_job){ run, &task[i] };
    }
    assert_int_equal(prof_jobs_start(&b, c->p, job, N_JOBS, &e), OK);
    memset(job, 0, sizeof job);
    (void)!prof_jobs_join(b, &e);
    prof_jobs_free(b);
    return e;
}

static void write_log(void)
{
    unsigned char record[64 * 3 + 10] = { 0 };

    for (int i = 0; i < 3; i++)
        put_le(record + 64 * i + 2, PROF_STARS_MARK, 2);
    tree_file_n(&tree, DATA "stars_soc.data.0.slice_0", (const char *)record, sizeof record);
}

static void jobs_are_heard_in_their_order(void **state)
{
    (void)state;
    write_log();
    char alone[4000];
    for (unsigned threads = 2; threads-- > 0;) { /* with one, then with as many as there are */
        struct prof_case c = open_tree();
        struct listener l;
        struct task task[N_JOBS] = { { 0 } };
        listen(&c, &l, threads);
        struct err e = run_all(&c, task);
        assert_int_equal(e.code, OK);
        assert_int_equal(task[1].rows, 3);
        assert_int_equal(l.c.rows, 3);
        assert_int_equal(l.c.lost, 1);
        assert_true(l.shown_b > 0);
        if (threads)
            snprintf(alone, sizeof alone, "%s", l.said);
        else
            assert_string_equal(l.said, alone);
        for (unsigned i = 0; i < N_JOBS; i++) {
            char want[40];
            snprintf(want, sizeof want, "device_0: done %u\n", i);
            const char *at = strstr(l.said, want);
            assert_non_null(at);
            assert_null(strstr(at + 1, want)); /* what was told is not told again */
        }
        /* nor by who reads the file behind them */
        size_t n = strlen(l.said);
        assert_int_equal(prof_read(c.p, c.p->device[0], PROF_STARS, on_record, &task[0], &e), OK);
        assert_int_equal(l.c.rows, task[1].rows);
        assert_int_equal(strlen(l.said), n);
        prof_case_close(&c);
    }
}

static void the_first_error_is_theirs(void **state)
{
    (void)state;
    struct prof_case c = open_tree();
    struct listener l;
    struct task task[N_JOBS] = { [4] = { .fails = true }, [2] = { .fails = true } };

    listen(&c, &l, 0);
    struct err e = run_all(&c, task);
    assert_int_equal(e.code, ERR_LIMIT);
    assert_string_equal(e.text, "job 2");
    assert_non_null(strstr(l.said, "done 2"));
    assert_null(strstr(l.said, "done 3"));
    prof_case_close(&c);
}

/* Goes on until somebody says stop. */
static int run_for_ever(struct prof *view, void *arg, struct err *e)
{
    atomic_bool *began = arg;
    const struct timespec pause = { .tv_nsec = 1000000 };

    atomic_store(began, true);
    while (!sink_cancelled(view->in.notes))
        nanosleep(&pause, NULL);
    return err_set(e, ERR_CANCELLED, "stopped");
}

static void cancelling_ends_them(void **state)
{
    (void)state;
    struct prof_case c = open_tree();
    struct listener l;
    atomic_bool began[3] = { false };
    struct prof_job job[3];
    struct prof_jobs *b;
    struct err e = ERR_INIT;

    for (int i = 0; i < 3; i++)
        job[i] = (struct prof_job){ run_for_ever, &began[i] };
    listen(&c, &l, 0);
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1) { /* else the caller runs the first one for ever */
        assert_int_equal(prof_jobs_start(&b, c.p, job, 1, &e), OK);
        while (!atomic_load(&began[0]))
            usleep(1000);
        l.cancelled = true;
        assert_int_equal(prof_jobs_join(b, &e), ERR_CANCELLED);
        prof_jobs_free(b);
        err_clear(&e);
        l.cancelled = false;
    }
    assert_int_equal(prof_jobs_start(&b, c.p, job, 3, &e), OK); /* and forgetting them */
    prof_jobs_free(b);
    prof_jobs_free(NULL);
    prof_case_close(&c);
}

int main(void)
{
#define HERE(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        HERE(jobs_are_heard_in_their_order),
        HERE(the_first_error_is_theirs),
        HERE(cancelling_ends_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
