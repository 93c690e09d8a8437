/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict: on synthetic runs whose late rank the generator knows, and on steps written here, where each
 * rule holds or just does not.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/verdict.h"
#include "demo/demo_run.h"
#include "store/fill/fill.h"
#include "tests/unit/sample.h"
#include "tests/unit/ui/panes_case.h"

#define NOW   INT64_C(2000000000000000000)
#define RANKS 4
#define STEPS 8

/* ---- steps written here ---- */

struct made {
    char path[300];
    struct fill *f;
    struct store *s;
};

static int setup_dir(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    const char *tmp = getenv("TMPDIR");

    snprintf(m->path, sizeof m->path, "%s/npuscope-verdict-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(m->path));
    *state = m;
    return 0;
}

static int teardown_dir(void **state)
{
    struct made *m = *state;

    store_close(m->s);
    nftw(m->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(m);
    return 0;
}

static void run_sql(struct made *m, const char *sql)
{
    struct err e = ERR_INIT;

    if (fill_update(m->f, sql, NULL, 0, &e))
        fail_msg("%s: %s", sql, e.text);
}

/*
 * Steps of 100 ms: computing 86, communication that nothing hides 9, free 5; the first step is twice as
 * long. Ranks and steps differ by 0.1 ms so that no two are equal.
 */
static void begin(struct made *m)
{
    struct err e = ERR_INIT;
    char file[400], sql[400];

    store_close(m->s);
    m->s = NULL;
    snprintf(file, sizeof file, "%s/made.npus", m->path);
    (void)!remove(file);
    assert_int_equal(fill_open(&m->f, &(struct fill_opts){ .path = file }, &e), OK);
    for (int r = 0; r < RANKS; r++)
        assert_int_equal(fill_rank(m->f, r, true, r, NULL, "unix", 0, &e), OK);
    assert_int_equal(fill_begin(m->f, 0, &e), OK);
    for (int r = 0; r < RANKS; r++) {
        snprintf(sql, sizeof sql, "INSERT INTO rank_total (rank, peak_mem_b) VALUES (%d, %d)", r,
                 2000000000 + r);
        run_sql(m, sql);
        for (int s = 0; s < STEPS; s++) {
            snprintf(sql, sizeof sql,
                     "INSERT INTO step (rank, step, computing_ns, comm_not_overlapped_ns, free_ns) VALUES "
                     "(%d, %d, "
                     "%d, %d, 5000000)",
                     r, 100 + s, (s ? 86000000 : 186000000) + 100000 * ((r + s) % RANKS),
                     9000000 - 100000 * ((r + s) % RANKS));
            run_sql(m, sql);
        }
    }
}

static struct peers *end(struct made *m)
{
    struct err e = ERR_INIT;
    struct peers *p = NULL;
    char file[400];

    assert_int_equal(fill_end(m->f, true, &e), OK);
    assert_int_equal(fill_finish(m->f, "test", &e), OK);
    assert_int_equal(fill_publish(m->f, &e), OK);
    snprintf(file, sizeof file, "%s/made.npus", m->path);
    assert_int_equal(store_open(&m->s, file, false, &e), OK);
    if (peers_of_store(&p, m->s, &e))
        fail_msg("%s", e.text);
    return p;
}

/* The first line of the verdict. */
static const struct verdict_line *verdict_on(const struct peers *p, struct verdict *v)
{
    const struct ending none = { .n_ranks = 0 };

    verdict_make(v, NULL, p, &none, NULL);
    assert_true(v->n >= 1);
    return &v->line[0];
}

static void ranks_that_differ_by_less_than_a_hundredth_are_not_late(void **state)
{
    struct made *m = *state;
    struct verdict v;

    struct peers nobody = { .n = 0 };
    assert_string_equal(verdict_on(&nobody, &v)->text, "nothing is known yet: no rank is read");
    begin(m);
    struct peers *p = end(m);
    assert_int_equal(p->n, RANKS);
    assert_int_equal(p->n_steps, STEPS);
    assert_int_equal(p->skip, 1);
    assert_true(fabs(p->p50_ns - 100e6) < 1e6 && fabs(p->v[2].step_ns - 100e6) < 1e3);
    assert_true(fabs(p->share[PEER_COMPUTE] - 0.86) < 0.01 && fabs(p->share[PEER_COMM] - 0.09) < 0.01);
    assert_true(isnan(p->share[PEER_PREP]));
    assert_true(peers_late(p) == SIZE_MAX);
    const struct verdict_line *l = verdict_on(p, &v);
    assert_int_equal(v.n, 1);
    assert_int_equal(l->kind, VERDICT_NONE);
    assert_string_equal(l->text, "nothing stands out: steps within 2%");
    peers_free(p);
}

/* Where one step alone is long p95 is that step: it is said once. */
static void a_long_step_among_few_is_said_once(void **state)
{
    struct made *m = *state;
    struct verdict v;

    begin(m);
    run_sql(m, "UPDATE step SET computing_ns = computing_ns + 8000000 WHERE step = 105");
    struct peers *p = end(m);
    assert_string_equal(verdict_on(p, &v)->text,
                        "nothing stands out: the longest step, 105, is 8.0% above the median");
    peers_free(p);
}

static void a_rank_that_computes_longer_while_others_wait_is_late(void **state)
{
    struct made *m = *state;
    struct verdict v;

    begin(m);
    run_sql(m, "UPDATE step SET computing_ns = computing_ns + 5000000, comm_not_overlapped_ns = "
               "comm_not_overlapped_ns - 5000000 WHERE rank = 2");
    struct peers *p = end(m);
    assert_int_equal(peers_late(p), 2);
    assert_true(fabs(p->v[2].late_ns - 5e6) < 2e5);
    assert_true(p->v[0].late_ns < 2e5 && p->v[2].late_steps == 1.0);
    const struct verdict_line *l = verdict_on(p, &v);
    assert_int_equal(l->kind, VERDICT_LATE);
    assert_int_equal(l->rank, 2);
    assert_true(fabs(l->value - 5e6) < 2e5);
    assert_non_null(strstr(l->text, "rank 2 is late: "));
    assert_non_null(strstr(l->text, "a step, all others wait for it"));
    peers_free(p);
}

/* Nobody is accused when the rule does not hold. */
static void a_rank_is_late_only_where_the_rule_holds(void **state)
{
#define SHIFT(ns)                                                                                            \
    "UPDATE step SET computing_ns = computing_ns + " ns                                                      \
    ", comm_not_overlapped_ns = comm_not_overlapped_ns - " ns
    static const char *const not_late[] = {
        /* it communicates less, and does not say why */
        "UPDATE step SET free_ns = free_ns + 5000000, comm_not_overlapped_ns = comm_not_overlapped_ns - "
        "5000000 WHERE rank = 2",
        /* it computes longer, and nobody waits */
        "UPDATE step SET computing_ns = computing_ns + 5000000 WHERE rank = 2",
        /* two ranks are */
        SHIFT("5000000") " WHERE rank IN (1, 2)",
        /* by turns */
        SHIFT("9000000") " WHERE step % 4 = rank",
        /* once */
        SHIFT("20000000") " WHERE rank = 2 AND step = 104",
        /* in the first step, which is left out */
        SHIFT("20000000") " WHERE rank = 2 AND step = 100",
        /* too few steps are there */
        "DELETE FROM step WHERE step > 102",
        "DELETE FROM step",
    };
    struct made *m = *state;

    for (size_t i = 0; i < ARRAY_LEN(not_late); i++) {
        struct verdict v;
        begin(m);
        if (i == 6)
            run_sql(m, "UPDATE step SET computing_ns = computing_ns + 5000000, comm_not_overlapped_ns = "
                       "comm_not_overlapped_ns - 5000000 WHERE rank = 2");
        run_sql(m, not_late[i]);
        struct peers *p = end(m);
        if (peers_late(p) != SIZE_MAX)
            fail_msg("rank %d is late after %s", p->v[peers_late(p)].rank, not_late[i]);
        verdict_on(p, &v);
        for (size_t k = 0; k < v.n; k++)
            assert_true(v.line[k].kind != VERDICT_LATE);
        peers_free(p);
    }
}

static void every_line_has_its_rule(void **state)
{
    (void)state;
    for (int k = 0; k < N_VERDICTS; k++) {
        assert_non_null(verdict_word((enum verdict_kind)k));
        assert_non_null(verdict_severity((enum verdict_kind)k));
        assert_non_null(verdict_rule((enum verdict_kind)k));
        assert_true(strlen(verdict_rule((enum verdict_kind)k)) > 20);
    }
}

static void preparing_is_a_line_from_a_tenth_of_a_step_on(void **state)
{
    struct made *m = *state;
    struct verdict v;

    for (int ms = 9; ms <= 13; ms += 4) {
        char sql[80];
        begin(m);
        snprintf(sql, sizeof sql, "UPDATE step SET preparing_ns = %d000000", ms);
        run_sql(m, sql);
        struct peers *p = end(m);
        const struct verdict_line *l = verdict_on(p, &v);
        assert_int_equal(l->kind, ms < 10 ? VERDICT_NONE : VERDICT_PREPARE);
        if (ms > 10)
            assert_non_null(strstr(l->text, "before each step: 13.00 ms, 11.5% of it"));
        peers_free(p);
    }
}

/* A rank that is late makes the others wait: comm only is said by itself where that is less than half. */
static void a_part_is_a_line_from_a_tenth_of_a_step_on(void **state)
{
    static const struct {
        const char *change, *text;
        enum verdict_kind kind;
    } all[] = {
        { "comm_not_overlapped_ns = comm_not_overlapped_ns + 1000000", "", VERDICT_NONE },
        { "comm_not_overlapped_ns = comm_not_overlapped_ns + 10000000",
          "comm only (nothing computes) takes 17.1% of a step: 18.85 ms", VERDICT_COMM },
        { "free_ns = 10000000", "", VERDICT_NONE },
        { "free_ns = 15000000", "the device is idle for 13.6% of a step: 15.00 ms", VERDICT_IDLE },
        { "computing_ns = computing_ns + CASE rank WHEN 2 THEN 10000000 ELSE 0 END, comm_not_overlapped_ns = "
          "comm_not_overlapped_ns + CASE rank WHEN 2 THEN 0 ELSE 10000000 END",
          "rank 2 is late: ", VERDICT_LATE },
    };
    struct made *m = *state;
    struct verdict v;
    char sql[300];

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        begin(m);
        snprintf(sql, sizeof sql, "UPDATE step SET %s", all[i].change);
        run_sql(m, sql);
        struct peers *p = end(m);
        const struct verdict_line *l = verdict_on(p, &v);
        if (l->kind != all[i].kind || !strstr(l->text, all[i].text) || v.n != 1)
            fail_msg("%zu: %zu lines, the first: %s", i, v.n, l->text);
        peers_free(p);
    }
}

/* The parts of a step add up to it: what is free holds the preparing (doc/rules.md#step-definitions). */
static void preparing_is_no_idle_time(void **state)
{
    struct made *m = *state;

    begin(m);
    run_sql(m, "UPDATE step SET preparing_ns = 4000000");
    struct peers *p = end(m);
    assert_true(fabs(p->v[1].part_ns[PEER_PREP] - 4e6) < 1 && fabs(p->v[1].part_ns[PEER_IDLE] - 1e6) < 1);
    assert_true(fabs(p->v[1].step_ns - 100e6) < 1e3);
    peers_free(p);
}

/* Parts of two kinds do not add up to a step: computing is a part only where every rank has it apart. */
static void parts_of_a_step_are_of_one_kind(void **state)
{
    static const char by_marks[] = "UPDATE step SET computing_ns = NULL, comm_not_overlapped_ns = NULL, "
                                   "free_ns = NULL, interval_ns = 10000000, fp_bp_ns = 85000000, "
                                   "tail_ns = 5000000, total_ns = 100000000";
    static const char sums[] = "UPDATE rank_total SET compute_ns = 4000000000, comm_alone_ns = 100000000, "
                               "idle_ns = 500000000";
    struct made *m = *state;

    for (int cut = 0; cut < 2; cut++) {
        begin(m);
        run_sql(m, by_marks);
        run_sql(m, sums);
        if (cut) /* the sums of this rank are of more than its whole steps */
            run_sql(m, "UPDATE step SET complete = 0 WHERE rank = 0 AND step = (SELECT max(step) FROM step)");
        struct peers *p = end(m);
        double all = 0;
        for (size_t j = 0; j < N_PEER_PARTS; j++)
            all += isnan(p->share[j]) ? 0 : p->share[j];
        assert_true(fabs(all - 1) < 1e-9);
        assert_true(cut == isnan(p->share[PEER_COMPUTE]));
        assert_true(!cut ||
                    (fabs(p->share[PEER_WORK] - 0.85) < 0.01 && fabs(p->share[PEER_PREP] - 0.1) < 0.01));
        assert_true(!cut || fabs(p->share[PEER_TAIL] - 0.05) < 0.01);
        assert_true(cut || (isnan(p->share[PEER_WORK]) && isnan(p->share[PEER_TAIL])));
        peers_free(p);
    }
}

static void memory_is_a_line_when_full_or_uneven(void **state)
{
    struct made *m = *state;
    struct verdict v;

    begin(m);
    run_sql(m, "UPDATE rank_total SET peak_mem_b = 9000000000 WHERE rank = 1");
    struct peers *p = end(m);
    const struct verdict_line *l = verdict_on(p, &v);
    assert_int_equal(l->kind, VERDICT_MEMORY);
    assert_int_equal(l->rank, 1);
    peers_free(p);

    /* What a process holds is not compared with what the pools of the others reserved. */
    begin(m);
    run_sql(m, "UPDATE rank_total SET peak_mem_of = 'reserved'");
    run_sql(m, "UPDATE rank_total SET peak_mem_b = 9000000000, peak_mem_of = 'process' WHERE rank = 1");
    p = end(m);
    verdict_on(p, &v);
    for (size_t i = 0; i < v.n; i++)
        assert_int_not_equal(v.line[i].kind, VERDICT_MEMORY);
    peers_free(p);

    begin(m);
    run_sql(m, "UPDATE rank_total SET peak_mem_b = 9000000000 WHERE rank = 1");
    run_sql(m, "UPDATE rank_total SET peak_mem_of = 'reserved'");
    p = end(m);
    l = verdict_on(p, &v);
    assert_int_equal(l->kind, VERDICT_MEMORY);
    assert_non_null(strstr(l->text, "of memory, reserved, the others"));
    peers_free(p);

    begin(m);
    run_sql(m, "UPDATE rank_total SET peak_mem_b = 31000000000, capacity_b = 32000000000");
    p = end(m);
    l = verdict_on(p, &v);
    assert_int_equal(l->kind, VERDICT_MEMORY);
    assert_non_null(strstr(l->text, "nearly full"));
    assert_true(fabs(l->value - 31.0 / 32) < 1e-6);
    peers_free(p);
}

static void a_slow_step_is_named(void **state)
{
    struct made *m = *state;
    struct verdict v;

    begin(m);
    run_sql(m, "UPDATE step SET computing_ns = computing_ns * 2 WHERE step = 105");
    struct peers *p = end(m);
    const struct verdict_line *l = verdict_on(p, &v);
    assert_int_equal(l->kind, VERDICT_STEP);
    assert_int_equal(l->step, 105);
    assert_string_equal(l->filter, "step=105");
    assert_int_equal(p->step[p->max_at], 105);
    peers_free(p);
}

/* Numbers that no run has: nothing overflows, nothing is said that the rules do not say. */
static void hostile_numbers_are_survived(void **state)
{
    static const char *const sql[] = {
        "UPDATE step SET step = 9223372036854775807 WHERE step = 103",
        "UPDATE step SET step = -9223372036854775807 - 1 WHERE rank = 1",
        "UPDATE step SET computing_ns = 9223372036854775807",
        "UPDATE step SET computing_ns = -9223372036854775807, free_ns = -1",
        "UPDATE rank_total SET peak_mem_b = 9223372036854775807, wait_ns = 9223372036854775807",
        "UPDATE step SET computing_ns = NULL, comm_not_overlapped_ns = NULL, free_ns = NULL",
        "UPDATE step SET rank = rank + 9223372036854775000",
        "INSERT INTO step (rank, step, total_ns) SELECT rank, step, 5 FROM step",
    };
    struct made *m = *state;

    for (size_t i = 0; i < ARRAY_LEN(sql); i++) {
        struct verdict v;
        begin(m);
        run_sql(m, sql[i]);
        struct peers *p = end(m);
        verdict_on(p, &v);
        peers_free(p);
    }
}

/* ---- runs whose truth the generator knows ---- */

static void open_demo(struct fixture *x, const struct demo_opts *o)
{
    struct err e = ERR_INIT;
    const char *tmp = getenv("TMPDIR");
    char path[300];

    snprintf(x->dir, sizeof x->dir, "%s/npuscope-verdict-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    snprintf(path, sizeof path, "%s/run", x->dir);
    assert_int_equal(demo_write(o, path, NULL, &e), OK);
    open_session(x, path);
}

static void close_demo(struct fixture *x)
{
    session_free(x->s);
    nftw(x->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void verdict_of_demo(const struct demo_opts *o, struct verdict *v)
{
    struct err e = ERR_INIT;
    struct fixture x = { .s = NULL };
    struct peers *p = NULL;
    struct ending *end = NULL;

    open_demo(&x, o);
    assert_int_equal(ending_make(&end, x.s, NULL, 0, NOW, &e), OK);
    assert_int_equal(peers_make(&p, x.s, &e), OK);
    verdict_make(v, x.s, p, end, NULL);
    peers_free(p);
    ending_free(end);
    close_demo(&x);
}

static void the_late_rank_of_synthetic_runs_is_found(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed += sample_step(2))
        for (int gen = 1; gen <= 2; gen++) {
            const struct demo_opts o = { .gen = gen, .ranks = 3 + (int)seed, .steps = 6, .seed = seed };
            struct err e = ERR_INIT;
            struct demo_run *r = NULL;
            struct verdict v;
            size_t late = 0;
            assert_int_equal(demo_run_new(&r, &o, &e), OK);
            verdict_of_demo(&o, &v);
            for (size_t i = 0; i < v.n; i++) {
                if (v.line[i].kind != VERDICT_LATE)
                    continue;
                late++;
                assert_int_equal(v.line[i].rank, r->late_rank);
                assert_true(v.line[i].op[0] != '\0');
                assert_non_null(strstr(v.line[i].text, "its ops take "));
            }
            assert_int_equal(late, 1);
            demo_run_free(r);
        }
}

/* By the ranks of the job: in the groups the link has other numbers. */
static void the_slow_link_of_synthetic_runs_is_found(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 4; k += sample_step(3)) {
        const bool hides = k % 2; /* a resnet's communication runs beside its computing */
        const struct demo_opts o = {
            .gen = 2, .ranks = 8, .steps = 6, .seed = k / 2, .model = hides ? DEMO_RESNET : DEMO_TRANSFORMER
        };
        struct err e = ERR_INIT;
        struct demo_run *r = NULL;
        struct verdict v;
        char begin[40];
        size_t links = 0;

        assert_int_equal(demo_run_new(&r, &o, &e), OK);
        snprintf(begin, sizeof begin, "link %d<>%d runs at ", r->slow_a, r->slow_b);
        verdict_of_demo(&o, &v);
        for (size_t i = 0; i < v.n; i++) {
            if (v.line[i].kind != VERDICT_LINK)
                continue;
            links++;
            if (strncmp(v.line[i].text, begin, strlen(begin)) != 0)
                fail_msg("%s is not: %s", begin, v.line[i].text);
            assert_true(hides == (strstr(v.line[i].text, " of it comm only") != NULL));
        }
        assert_int_equal(links, 1);
        demo_run_free(r);
    }
}

static void a_rank_alone_is_not_late(void **state)
{
    struct verdict v;

    (void)state;
    verdict_of_demo(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 6 }, &v);
    assert_int_equal(v.n, 1);
    assert_int_equal(v.line[0].kind, VERDICT_NONE);
}

static void the_rank_that_hangs_comes_first(void **state)
{
    struct verdict v;

    (void)state;
    verdict_of_demo(&(struct demo_opts){ .gen = 1, .ranks = 4, .steps = 6, .raw = true, .crash_percent = 60 },
                    &v);
    assert_true(v.n >= 2);
    assert_int_equal(v.line[0].kind, VERDICT_BLOCKED);
    assert_string_equal(verdict_severity(v.line[0].kind), "ERROR");
    assert_non_null(strstr(v.line[0].text, "is still in AllReduce-op"));
    assert_non_null(strstr(v.line[0].text, "; ranks "));
    assert_non_null(strstr(v.line[0].text, " have left it"));
    assert_true(v.line[0].at_unix_ns > INT64_C(1773450727000000000));
    assert_int_equal(v.line[1].kind, VERDICT_ENDED);
    assert_non_null(strstr(v.line[1].text, " is cut after ")); /* each rank at another moment: */
    assert_non_null(strstr(v.line[1].text, " ms on rank "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranks_that_differ_by_less_than_a_hundredth_are_not_late, setup_dir,
                                        teardown_dir),
        cmocka_unit_test_setup_teardown(a_long_step_among_few_is_said_once, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(a_rank_that_computes_longer_while_others_wait_is_late, setup_dir,
                                        teardown_dir),
        cmocka_unit_test_setup_teardown(a_rank_is_late_only_where_the_rule_holds, setup_dir, teardown_dir),
        cmocka_unit_test(every_line_has_its_rule),
        cmocka_unit_test_setup_teardown(preparing_is_a_line_from_a_tenth_of_a_step_on, setup_dir,
                                        teardown_dir),
        cmocka_unit_test_setup_teardown(a_part_is_a_line_from_a_tenth_of_a_step_on, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(preparing_is_no_idle_time, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(parts_of_a_step_are_of_one_kind, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(memory_is_a_line_when_full_or_uneven, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(a_slow_step_is_named, setup_dir, teardown_dir),
        cmocka_unit_test_setup_teardown(hostile_numbers_are_survived, setup_dir, teardown_dir),
        cmocka_unit_test(the_late_rank_of_synthetic_runs_is_found),
        cmocka_unit_test(the_slow_link_of_synthetic_runs_is_found),
        cmocka_unit_test(a_rank_alone_is_not_late),
        cmocka_unit_test(the_rank_that_hangs_comes_first),
    };

    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
