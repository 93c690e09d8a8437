/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the data of a run ends: a synthetic job of two ranks that died in its fourth step, and one that goes on
 * while it is open.
 */
#include "config.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ending.h"
#include "tests/unit/ui/panes_case.h"

#define NOW INT64_C(2000000000000000000)

static int setup_crashed(void **state)
{
    const struct demo_opts o = { .gen = 1, .ranks = 2, .steps = 6, .raw = true, .crash_step = 4, .seed = 7 };
    struct err e = ERR_INIT;
    struct fixture *x = calloc(1, sizeof *x);
    const char *tmp = getenv("TMPDIR");
    char path[300];

    snprintf(x->dir, sizeof x->dir, "%s/npuscope-ending-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    snprintf(path, sizeof path, "%s/run", x->dir);
    assert_int_equal(demo_write(&o, path, NULL, &e), OK);
    open_session(x, path);
    *state = x;
    return 0;
}

/* The file of a device whose name fits. */
static void find_file(const struct fixture *x, const char *pattern, char *buf, size_t n)
{
    char all[600];
    glob_t g;

    snprintf(all, sizeof all, "%s/run/profiler/PROF_*/%s", x->dir, pattern);
    assert_int_equal(glob(all, 0, NULL, &g), 0);
    assert_int_equal(g.gl_pathc, 1);
    snprintf(buf, n, "%s", g.gl_pathv[0]);
    globfree(&g);
}

static struct ending *ending_of(struct fixture *x, size_t n)
{
    const size_t ranks[] = { 0, 1 };
    struct err e = ERR_INIT;
    struct ending *q = NULL;

    assert_int_equal(ending_make(&q, x->s, ranks, n, NOW, &e), OK);
    return q;
}

static bool says(const struct run_verdict *v, const char *text)
{
    for (size_t i = 0; i < v->n; i++)
        if (strstr(v->evidence[i], text))
            return true;
    return false;
}

static void ending_reports_steps_of_every_rank(void **state)
{
    struct fixture *x = *state;
    struct ending *q = ending_of(x, 1);
    char text[200];

    assert_int_equal(q->n_ranks, 2);
    for (int rank = 0; rank < 2; rank++) {
        const struct ending_rank *k = &q->ranks[rank];
        assert_int_equal(k->rank, rank);
        assert_int_equal(k->state, RUN_CRASHED);
        assert_int_equal(k->last_complete_step, 3);
        assert_int_equal(k->complete_steps, 3);
        assert_int_equal(k->cut_step, 4);
        assert_true(k->cut_after_ns > 0);
        assert_true(k->has_end);
        ending_coverage(k, text, sizeof text);
        assert_non_null(strstr(text, "3 complete steps, step 4 is cut after "));
    }
    ending_free(q);
}

static void ending_lists_what_runs_before_what_is_done(void **state)
{
    struct fixture *x = *state;
    struct ending *q = ending_of(x, 2);
    bool done = false, comm = false, zero = false;
    int rank = 0;

    assert_true(q->n_acts > 4 && q->acts[0].state == ACT_RUNNING);
    for (size_t i = 0; i < q->n_acts; i++) {
        const struct ending_act *a = &q->acts[i];
        char at[40];
        if (a->rank != rank) {
            rank = a->rank;
            done = false;
        }
        assert_false(a->state == ACT_RUNNING && done);
        done |= a->state != ACT_RUNNING;
        comm |= a->state == ACT_RUNNING && !strcmp(a->kind, "comm") && strstr(a->name, "AllReduce");
        /* what ended last is of the step that was cut */
        assert_true(a->state != ACT_DONE || strcmp(a->kind, "comm") != 0 ||
                    -a->at_ns < q->ranks[rank].cut_after_ns);
        zero |= a->has_ts && a->at_ns == 0;
        assert_true(!a->has_ts || a->at_ns <= 0 || !strcmp(a->kind, "host"));
        ending_at(a, ending_at_unit(q), at, sizeof at);
        assert_true(!a->has_ts || a->at_ns >= 0 || at[0] == '-');
        assert_true(!a->has_ts || str_ends(str_of(at), str_of(unit_time_name(ending_at_unit(q)))));
    }
    assert_int_equal(rank, 1);
    assert_true(comm && zero);
    ending_free(q);
}

static void ending_names_what_is_cut(void **state)
{
    struct fixture *x = *state;
    struct ending *q = ending_of(x, 1);
    struct run_verdict v;
    bool hwts = false;

    for (size_t i = 0; i < q->n_lost; i++) {
        const struct ending_lost *l = &q->lost[i];
        assert_int_equal(l->rank, 0);
        assert_true(l->cut && l->records == 1 && l->offset > 0);
        hwts |= strstr(l->file, "hwts.data.0.slice_0") != NULL;
    }
    assert_true(hwts);
    ending_verdict(q, session_job(x->s)->units[0], 0, NOW, &v);
    assert_int_equal(v.state, RUN_CRASHED);
    assert_string_equal(v.evidence[0], "start time yes, stop time no, analysis no");
    assert_true(says(&v, "4 files are cut inside a record: DATA_PREPROCESS.AICPU.0.slice_0, "
                         "aicore.data.0.slice_0, hwts.data.0.slice_0 and 1 more"));
    for (size_t i = q->n_lost; i-- > 0;) /* of fewer the places */
        q->lost[i].cut &= strstr(q->lost[i].file, "hwts") != NULL;
    ending_verdict(q, session_job(x->s)->units[0], 0, NOW, &v);
    assert_true(says(&v, "hwts.data.0.slice_0: a record is cut (40 of 64 bytes), at byte "));
    assert_true(says(&v, "; not stopped: no end_info"));
    ending_free(q);
}

static void ending_short_is_the_last_part_of_a_path(void **state)
{
    (void)state;
    assert_true(str_eq(ending_short("Default/a/Conv2D-op1"), STR("Conv2D-op1")));
    assert_true(str_eq(ending_short("task 7"), STR("task 7")));
    assert_true(str_eq(ending_short("a/"), STR("a/")));
    assert_true(str_eq(ending_short(""), STR("")));
}

static struct run_verdict compared(struct ending_rank *ranks, size_t n)
{
    const struct ending x = { .ranks = ranks, .n_ranks = n };
    struct run_verdict v = { .n = 0 };

    ending_compare(&x, &v);
    return v;
}

static void ranks_are_compared_by_steps_and_by_their_ends(void **state)
{
    struct ending_rank k[12];
    struct run_verdict v;

    (void)state;
    for (int i = 0; i < 12; i++)
        k[i] = (struct ending_rank){ .rank = i,
                                     .read = true,
                                     .last_complete_step = 57,
                                     .has_end = true,
                                     .end_unix_ns = 1000000,
                                     .step_ns = 1000 };
    assert_int_equal(compared(k, 12).n, 0);
    k[4].last_complete_step = 56;
    assert_string_equal(compared(k, 12).evidence[0],
                        "rank 4 is behind: last complete step 56, of the others 57");
    k[5].last_complete_step = NO_STEP;
    assert_string_equal(compared(k, 12).evidence[0],
                        "ranks 4, 5 are behind: last complete step none to 56, of the others 57");
    k[4].read = false; /* not known: nothing is said of it */
    assert_string_equal(compared(k, 12).evidence[0],
                        "rank 5 is behind: last complete step none, of the others 57");
    for (int i = 0; i < 11; i++)
        k[i] = (struct ending_rank){ .rank = i, .read = true, .last_complete_step = 50 + i % 2 };
    assert_string_equal(compared(k, 12).evidence[0],
                        "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 3 more are behind: last complete step 50 "
                        "to 51, of the others 57");

    /* By less than a step they always differ. */
    for (int i = 0; i < 3; i++)
        k[i] =
            (struct ending_rank){ .rank = i, .has_end = true, .end_unix_ns = 1000000 + i, .step_ns = 1000 };
    assert_int_equal(compared(k, 3).n, 0);
    k[1].end_unix_ns = 990000;
    v = compared(k, 3);
    assert_int_equal(v.n, 1);
    assert_string_equal(v.evidence[0], "the records of rank 1 end 10.0 us before those of the others");
    assert_int_equal(compared(k, 1).n, 0);
    k[2].rank = 1; /* two runs of one rank are no job */
    assert_int_equal(compared(k, 3).n, 0);
}

/* Rank 1 loses its last marks: it is read again, and the session has the unit as it is now. */
static void ending_compares_ranks_after_a_unit_is_renewed(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct job *now = NULL;
    struct store *store = NULL;
    const struct import_opts o = { .progress = NULL };
    const struct unit *was = session_job(x->s)->units[0];
    struct run_verdict v = { .n = 0 };
    char path[700];
    bool partial;

    /* as far as each other in steps; the demo's ranks do not stop in the same communication op */
    struct ending *q = ending_of(x, 2);
    ending_compare(q, &v);
    assert_int_equal(v.n, 1);
    assert_non_null(strstr(v.evidence[0], " is still in AllReduce-op"));
    assert_non_null(strstr(v.evidence[0], ", which 1 other has left"));
    ending_free(q);
    v.n = 0;

    find_file(x, "device_1/data/ts_track.data.1.slice_0", path, sizeof path);
    assert_int_equal(truncate(path, 40 * 40), 0);
    assert_int_equal(import_scan(&now, was->root, &e), OK);
    uint64_t bytes = was->bytes;
    session_renew_unit(x->s, 0, now);
    const struct unit *is = session_job(x->s)->units[0];
    assert_ptr_equal(is, now->units[0]);
    assert_true(is->bytes < bytes);
    assert_int_equal(import_unit(is, &o, &store, &partial, &e), OK);
    session_attach_store(x->s, 0, store, false);

    q = ending_of(x, 2);
    int64_t behind = q->ranks[1].last_complete_step;
    assert_true(behind < 3);
    ending_compare(q, &v);
    assert_true(v.n > 0);
    char want[100], steps[24] = "none";
    if (behind != NO_STEP)
        snprintf(steps, sizeof steps, "%lld", (long long)behind);
    snprintf(want, sizeof want, "rank 1 is behind: last complete step %s, of the others 3", steps);
    assert_string_equal(v.evidence[0], want);
    ending_free(q);
}

/*
 * A rank that comes while the job is open: a new scan takes the place of the old one, what is loaded stays.
 */
static void ending_reports_a_rank_that_comes_later(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct job *now = NULL;
    size_t moved[2] = { 9, 9 };
    char device[700], away[700];
    int first = -1;

    find_file(x, "device_0/data/hwts.data.0.slice_0", device, sizeof device);
    *strstr(device, "/device_0") = '\0'; /* PROF_* of rank 0 */
    snprintf(away, sizeof away, "%s/away", x->dir);
    const char *path = session_job(x->s)->path;
    assert_int_equal(rename(device, away), 0);
    assert_int_equal(import_scan(&now, path, &e), OK);
    assert_int_equal(session_lacks(x->s, now, NULL), 0);
    assert_int_equal(session_renew(x->s, now, moved, &e), OK);
    assert_int_equal(session_n_ranks(x->s), 1);
    assert_true(moved[0] == SIZE_MAX && moved[1] == 0);
    const struct store *kept = session_store(x->s, 0);

    assert_int_equal(rename(away, device), 0);
    assert_int_equal(import_scan(&now, session_job(x->s)->path, &e), OK);
    assert_int_equal(session_lacks(x->s, now, &first), 1);
    assert_int_equal(first, 0);
    assert_int_equal(session_renew(x->s, now, moved, &e), OK);
    assert_int_equal(session_n_ranks(x->s), 2);
    assert_int_equal(moved[0], 1);
    assert_int_equal(session_rank(x->s, session_current(x->s))->rank, 1);
    assert_ptr_equal(session_store(x->s, 0), kept);
    struct ending *q = ending_of(x, 2);
    assert_int_equal(q->n_ranks, 2);
    ending_free(q);
}

/* Of a run that was analysed: the event of each stream that ends last. */
static void ending_of_an_analysed_run_is_that_of_its_tracks(void **state)
{
    static const char last[] =
        "(SELECT max(e.ts_ns + e.dur_ns) FROM event e JOIN track t ON t.id = e.track_id WHERE "
        "t.kind = 'stream' AND t.rank = a.rank AND t.stream = a.stream)";
    struct fixture *x = NULL;
    char sql[1200];

    (void)state;
    for (int gen = 1; gen <= 2; gen++) {
        assert_int_equal(setup_gen((void **)&x, gen), 0);
        struct store *s = session_store(x->s, 0);
        assert_true(store_int(s, 0, "SELECT count(*) FROM last_activity WHERE kind = 'stream' AND rank = 0",
                              NULL) > 1);
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM last_activity a WHERE kind = 'stream' AND (ts_ns IS NOT %s "
                 "OR state <> 'done' OR name_id IS NOT (SELECT e.name_id FROM event e JOIN track t "
                 "ON t.id = e.track_id WHERE t.kind = 'stream' AND t.rank = a.rank AND t.stream = "
                 "a.stream AND e.ts_ns + e.dur_ns = a.ts_ns ORDER BY e.ts_ns DESC LIMIT 1))",
                 last);
        assert_int_equal(store_int(s, -1, sql, NULL), 0);
        assert_int_equal(teardown((void **)&x), 0);
    }
}

/* The task of an AI CPU op and its kernel end apart: two lines of one name say which they are. */
static void ending_of_an_op_twice_says_task_and_kernel(void **state)
{
    const struct demo_opts o = { .gen = 2, .raw = true, .ranks = 1, .steps = 4, .crash_step = 3 };
    struct fixture *x = NULL;
    int tasks = 0, kernels = 0;

    (void)state;
    assert_int_equal(setup_demo((void **)&x, &o), 0);
    struct ending *q = ending_of(x, 1);
    for (size_t i = 0; i < q->n_acts; i++) {
        const struct ending_act *a = &q->acts[i];
        const char *said = ending_act_text(a);
        const bool is_op = str_eq(ending_short(a->name), STR("GetNext-op1"));
        assert_int_equal(a->is_twice, is_op);
        assert_string_equal(ending_state_text(a->state), is_op ? "done" : said);
        tasks += is_op && !strcmp(a->kind, "stream") && !strcmp(said, "task done");
        kernels += is_op && !strcmp(a->kind, "aicpu") && !strcmp(said, "kernel done");
    }
    assert_true(tasks == 1 && kernels == 1);
    ending_free(q);
    assert_int_equal(teardown((void **)&x), 0);
}

/* A scan that knows other ranks does not fit the session. */
static void ending_unit_with_other_ranks_is_not_taken(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct job *now = NULL;
    const struct unit *was = session_job(x->s)->units[0];
    char path[300];

    snprintf(path, sizeof path, "%s/run/profiler/pipeline_profiling_2.json", x->dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(import_scan(&now, was->root, &e), OK);
    assert_int_equal(now->units[0]->info.n_ranks, 3);
    session_renew_unit(x->s, 0, now);
    assert_ptr_equal(session_job(x->s)->units[0], was);
    assert_int_equal(remove(path), 0);
}

/* Ranks in an op, or in none ("-"), after another that they have left. */
static void set_comm(struct ending_rank *k, int rank, const char *in, const char *left)
{
    *k = (struct ending_rank){ .rank = rank, .has_ts = true, .read = true, .last_step = 1 };
    snprintf(k->in_comm, sizeof k->in_comm, "%s", *in == '-' ? "" : in);
    snprintf(k->left_comm, sizeof k->left_comm, "%s", left);
}

static void ending_of_names_without_a_group_says_only_who_is_alone(void **state)
{
    struct ending_rank r[4];
    const struct ending x = { .ranks = r, .n_ranks = 4 };

    (void)state;
    set_comm(&r[0], 0, "net/AllReduce-op7", "net/AllReduce-op5");
    for (int i = 1; i < 4; i++)
        set_comm(&r[i], i, "net/AllReduce-op9", "net/AllReduce-op7");
    assert_true(ending_has_left(&x, 1, 0)); /* all others have left it, so some of its group have */
    set_comm(&r[3], 3, "net/AllReduce-op7", "net/AllReduce-op5");
    assert_false(ending_has_left(&x, 1, 0)); /* two in it may be a group of their own */
    set_comm(&r[3], 3, "-", "net/AllReduce-op5");
    assert_false(ending_has_left(&x, 1, 0)); /* it may wait for the one that has not come */
    set_comm(&r[0], 0, "hcom_allReduce__123_7_1", "hcom_allReduce__123_6_1");
    set_comm(&r[1], 1, "hcom_allReduce__123_8_1", "hcom_allReduce__123_7_1");
    assert_true(ending_has_left(&x, 1, 0)); /* a name with its group */
}

static void ending_compares_steps_that_are_numbered_alike(void **state)
{
    struct ending_rank r[3];
    const struct ending x = { .ranks = r, .n_ranks = 3 };

    (void)state;
    for (int i = 0; i < 3; i++) {
        set_comm(&r[i], i, "-", "");
        r[i].last_complete_step = 12 - i;
        snprintf(r[i].steps_from, sizeof r[i].steps_from, i < 2 ? "raw_op_range" : "raw_ts_track");
    }
    r[2].last_complete_step = 2; /* by the device, which counts from 1 */
    assert_ptr_equal(ending_foremost(&x), &r[0]);
    assert_true(ending_is_behind(&r[1], &r[0]));
    assert_false(ending_is_behind(&r[2], &r[0]));
    r[2].steps_from[0] = '\0'; /* not known: of a store that has no files */
    assert_true(ending_is_behind(&r[2], &r[0]));
    assert_false(ending_is_behind(&r[0], &r[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ending_reports_steps_of_every_rank),
        cmocka_unit_test(ending_lists_what_runs_before_what_is_done),
        cmocka_unit_test(ending_names_what_is_cut),
        cmocka_unit_test(ending_short_is_the_last_part_of_a_path),
        cmocka_unit_test(ending_of_names_without_a_group_says_only_who_is_alone),
        cmocka_unit_test(ending_compares_steps_that_are_numbered_alike),
        cmocka_unit_test(ending_of_an_analysed_run_is_that_of_its_tracks),
        cmocka_unit_test(ranks_are_compared_by_steps_and_by_their_ends),
        cmocka_unit_test(ending_of_an_op_twice_says_task_and_kernel),
        cmocka_unit_test(ending_unit_with_other_ranks_is_not_taken),
        cmocka_unit_test(ending_compares_ranks_after_a_unit_is_renewed),
        cmocka_unit_test(ending_reports_a_rank_that_comes_later),
    };

    return cmocka_run_group_tests(tests, setup_crashed, teardown);
}
