/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overview of a job: its rows are those of the units' stores, a unit that changed is not taken from the
 * older one, and the units are read beside each other.
 */
#include "config.h"

#include <ftw.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "demo/demo.h"
#include "import/import.h"
#include "import/overview.h"
#include "import/worker.h"
#include "tests/unit/guest.h"

#define RANKS 3

static char top[200];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static int make_top(void **state)
{
    const char *tmp = getenv("TMPDIR");
    char cache[240];

    (void)state;
    snprintf(top, sizeof top, "%s/npuscope-overview-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(top))
        return -1;
    snprintf(cache, sizeof cache, "%s/cache", top);
    return setenv("XDG_CACHE_HOME", cache, 1);
}

static struct job *make_job(const char *name, int gen)
{
    struct err e = ERR_INIT;
    struct job *j = NULL;
    char dir[300], m[600];

    snprintf(dir, sizeof dir, "%s/%s", top, name);
    const struct demo_opts o = { .gen = gen, .ranks = RANKS, .steps = 6, .size = 1000 };
    if ((access(dir, F_OK) != 0 && demo_write(&o, dir, NULL, &e)) || import_scan(&j, dir, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    assert_int_equal(j->n_units, gen == 1 ? 1 : RANKS); /* of generation 1 in one folder */
    return j;
}

static struct store *read_unit(const struct unit *u)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    const struct import_opts o = { .later = ~(OVERVIEW_PANES | PANE_BIT(PANE_OPS) | PANE_BIT(PANE_MEM)) };

    assert_int_equal(import_unit(u, &o, &s, NULL, &e), OK);
    return s;
}

static char *keys[64]; /* until the end of the tests */
static size_t n_keys;

static const char *key_of(const struct unit *u)
{
    assert_true(n_keys < ARRAY_LEN(keys));
    keys[n_keys] = unit_input_key(u);
    return keys[n_keys++];
}

static int drop_top(void **state)
{
    (void)state;
    while (n_keys)
        free(keys[--n_keys]);
    return nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct overview_part part_of(const struct unit *u, struct store *s)
{
    return (struct overview_part){ .unit = u, .key = key_of(u), .store = s };
}

static struct store *make(const struct job *j, struct overview_part *parts, struct store *older)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    char path[300], m[600];

    snprintf(path, sizeof path, "%s/overview.npus", top);
    if (overview_make(path, j, parts, j->n_units, older, 0, NULL, &e) || store_open(&s, path, false, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    return s;
}

/* What a statement gives as text. */
static void all_of(struct store *s, const char *sql, int rank, struct buf *out)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    assert_int_equal(store_query(s, &q, sql, &e), OK);
    query_bind_int(q, ":rank", rank);
    while (query_step(q, &e) == 1)
        for (size_t i = 0; i < query_columns(q); i++) {
            struct val v = query_val(q, i);
            if (v.t == VAL_TEXT)
                buf_printf(out, "%.*s|", (int)v.s.n, v.s.p);
            else if (v.t == VAL_NULL)
                buf_puts(out, "-|");
            else
                buf_printf(out, "%.9g|", val_num(&v));
        }
    assert_int_equal(e.code, OK);
    query_free(q);
}

static size_t same(struct store *unit, struct store *overview, int rank)
{
    static const char *const sqls[] = {
        "SELECT rank, step, start_ns + (SELECT origin_ns FROM rank r WHERE r.rank = s.rank), "
        "total_ns, interval_ns, computing_ns, communication_ns, free_ns FROM step s WHERE rank = "
        ":rank ORDER BY step",
        "SELECT * FROM rank_step WHERE rank = :rank ORDER BY step",
        "SELECT * FROM rank_total WHERE rank = :rank",
        "SELECT rank, (SELECT text FROM string WHERE id = group_id), (SELECT text FROM string "
        "WHERE id = type_id), calls, total_ns, wait_ns FROM rank_comm WHERE rank = :rank ORDER BY "
        "1, 2, 3",
        "SELECT rank, \"by\", (SELECT text FROM string WHERE id = name_id), (SELECT text FROM string WHERE "
        "id = "
        "type_id), calls, total_ns FROM rank_op WHERE rank = :rank ORDER BY rowid",
        "SELECT * FROM rank_link WHERE rank = :rank ORDER BY 1, 2, 3, 4",
        "SELECT rule, severity, text FROM finding WHERE rank = :rank ORDER BY id",
    };
    size_t bytes = 0;

    for (size_t i = 0; i < ARRAY_LEN(sqls); i++) {
        struct buf a, b;
        buf_init(&a, (size_t)1 << 22);
        buf_init(&b, (size_t)1 << 22);
        all_of(unit, sqls[i], rank, &a);
        all_of(overview, sqls[i], rank, &b);
        assert_string_equal(a.p ? a.p : "", b.p ? b.p : "");
        bytes += a.n;
        buf_done(&a);
        buf_done(&b);
    }
    return bytes;
}

static void overview_has_the_rows_of_its_units(void **state)
{
    (void)state;
    for (int gen = 1; gen <= 2; gen++) {
        struct job *j = make_job(gen == 1 ? "g1" : "g2", gen);
        struct overview_part parts[RANKS];
        assert_true(overview_possible(j));
        for (size_t i = 0; i < j->n_units; i++)
            parts[i] = part_of(j->units[i], read_unit(j->units[i]));
        struct store *s = make(j, parts, NULL);
        for (size_t i = 0; i < j->n_units; i++) {
            const struct unit *u = j->units[i];
            assert_true(overview_has(s, u, key_of(u)));
            for (size_t k = 0; k < u->info.n_ranks; k++)
                assert_true(same(parts[i].store, s, u->info.ranks[k].rank) > 100);
        }
        assert_int_equal(store_rows(s, "unit"), RANKS);
        assert_true(store_rows(s, "step") == RANKS * 6);
        for (size_t i = 0; i < j->n_units; i++)
            store_close(parts[i].store);
        store_close(s);
        job_free(j);
    }
}

/* A view over the ranks asks for each of them: no such statement reads the rows of all. */
static void overview_finds_the_rows_of_a_rank(void **state)
{
    static const char *const from[] = {
        "unit u LEFT JOIN rank_total t ON t.rank = u.rank WHERE u.rank = :rank",
        "rank_late WHERE rank = :rank",
        "rank_comm WHERE rank = :rank",
        "rank_link WHERE rank = :rank",
        "rank_op WHERE rank = :rank",
        "step WHERE rank = :rank",
        "finding WHERE rank = :rank",
        "last_activity WHERE rank = :rank"
    };
    struct err e = ERR_INIT;

    (void)state;
    struct job *j = make_job("by_rank", 2);
    struct overview_part parts[RANKS];
    for (size_t i = 0; i < j->n_units; i++)
        parts[i] = part_of(j->units[i], NULL);
    struct store *s = make(j, parts, NULL);
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        struct query *q = NULL;
        char sql[200];
        int lines = 0;
        snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT * FROM %s", from[i]);
        assert_int_equal(store_query(s, &q, sql, &e), OK);
        for (; query_step(q, &e) == 1; lines++) {
            struct str plan = query_str(q, 3);
            if (!str_starts(plan, STR("SEARCH ")) || str_find(plan, STR("AUTOMATIC"), 0) != SIZE_MAX)
                fail_msg("%s: %.*s", from[i], (int)plan.n, plan.p);
        }
        assert_true(lines > 0);
        query_free(q);
    }
    store_close(s);
    job_free(j);
}

/* The longest ops of a large job are not worth reading all its files before it is shown. */
static void overview_asks_less_of_large_jobs(void **state)
{
    (void)state;
    struct job *j = make_job("g2", 2);
    assert_int_equal(overview_panes(j), OVERVIEW_PANES | PANE_BIT(PANE_OPS) | PANE_BIT(PANE_MEM));
    j->units[0]->bytes = (uint64_t)5 << 30;
    assert_int_equal(overview_panes(j), OVERVIEW_PANES);
    j->units[0]->bytes = j->units[1]->bytes = UINT64_MAX; /* sums do not overflow */
    assert_int_equal(overview_panes(j), OVERVIEW_PANES);
    job_free(j);
}

/* Without a store a unit is taken over from the older overview, unless its files are others now. */
static void overview_takes_over_what_is_still_right(void **state)
{
    (void)state;
    struct job *j = make_job("over", 2);
    struct overview_part parts[RANKS];
    for (size_t i = 0; i < RANKS; i++)
        parts[i] = part_of(j->units[i], read_unit(j->units[i]));
    struct store *first = make(j, parts, NULL);

    char path[600];
    snprintf(path, sizeof path, "%s/note.txt", j->units[1]->root);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    struct job *now = make_job("over", 2);
    struct overview_part again[RANKS];
    for (size_t i = 0; i < RANKS; i++)
        again[i] = part_of(now->units[i], NULL);
    struct store *s = make(now, again, first);
    for (size_t i = 0; i < RANKS; i++) {
        assert_int_equal(overview_has(s, now->units[i], key_of(now->units[i])), i != 1);
        if (i != 1)
            assert_true(same(parts[i].store, s, now->units[i]->info.ranks[0].rank) > 100);
        store_close(parts[i].store);
    }
    assert_int_equal(store_rows(s, "unit"), RANKS);
    assert_int_equal(store_rows(s, "step"), (RANKS - 1) * 6);
    store_close(first);
    store_close(s);
    job_free(now);
    job_free(j);
}

/* The same rank in two units (two runs below one folder): no table of ranks can tell them apart. */
static void overview_needs_ranks_of_one_job(void **state)
{
    (void)state;
    struct job *j = make_job("g2", 2);
    struct unit *u = j->units[0];

    assert_true(overview_possible(j));
    u->info.ranks[0].rank = j->units[1]->info.ranks[0].rank;
    assert_false(overview_possible(j));
    j->n_units = 1; /* of one rank */
    assert_false(overview_possible(j));
    j->n_units = RANKS;
    job_free(j);
}

/* ---- reading beside the screen ---- */

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until nothing is left to do, for a minute at most; the number of overviews. */
static size_t read_all(struct jobread *r)
{
    int64_t end = now_ms() + 60000;
    size_t made = 0, of;

    do {
        struct pollfd p[JOBREAD_WORKERS];
        int ms;
        made += jobread_step(r, SIZE_MAX, now_ms(), 0);
        nfds_t n = jobread_waits(r, p, JOBREAD_WORKERS, now_ms(), &ms);
        if (jobread_done(r, &of) < of)
            poll(p, n, ms < 0 || ms > 100 ? 100 : ms);
    } while (jobread_done(r, &of) < of && now_ms() < end);
    assert_int_equal(jobread_done(r, &of), RANKS);
    assert_int_equal(of, RANKS);
    return made;
}

static void jobread_reads_units_and_keeps_the_overview(void **state)
{
    (void)state;
    if (is_guest()) /* workers are this program, and here another one runs it */
        skip();
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *j = make_job("read", 2);
    struct jobread *r = NULL;
    char why[300];

    assert_int_equal(jobread_new(&r, j, 2, &e), OK);
    assert_string_equal(jobread_path(r), "");
    /* The list of units comes before anything is read. */
    assert_true(jobread_step(r, SIZE_MAX, 0, 0));
    assert_int_equal(store_open(&s, jobread_path(r), false, &e), OK);
    assert_int_equal(store_rows(s, "unit"), RANKS);
    assert_int_equal(store_rows(s, "step"), 0);
    store_close(s);
    assert_true(read_all(r) >= 1);
    assert_false(jobread_problem(r, why, sizeof why));
    assert_int_equal(store_open(&s, jobread_path(r), false, &e), OK);
    for (size_t i = 0; i < RANKS; i++) {
        struct store *unit = read_unit(j->units[i]);
        assert_true(jobread_has(r, i));
        assert_true(same(unit, s, j->units[i]->info.ranks[0].rank) > 100);
        store_close(unit);
    }
    store_close(s);
    jobread_free(r);

    /* The next start has it at once. */
    assert_int_equal(jobread_new(&r, j, 2, &e), OK);
    assert_true(jobread_path(r)[0] != '\0');
    assert_int_equal(read_all(r), 0);
    jobread_free(r);
    job_free(j);
}

/* A store that is gone or a unit that is being read elsewhere holds nothing up. */
/*
 * Units that come in one after the other, each every_ms; making an overview takes a ms for each unit in it.
 * The work of all of them, in ms.
 */
static int64_t work_of(size_t units, int64_t every_ms)
{
    int64_t now = 0, made = 0, took = 0, work = 0, behind = 0;

    for (size_t taken = 0; taken < units;) {
        size_t come = (size_t)(now / every_ms) < units ? (size_t)(now / every_ms) : units;
        int64_t due = come == units ? 0 : jobread_due_in(come - taken, taken, now - made, took);
        if (come == taken || due) {
            now += come == taken ? every_ms : due < every_ms ? due : every_ms;
            continue;
        }
        behind = now - made > behind ? now - made : behind;
        taken = come;
        took = (int64_t)taken;
        work += took;
        made = now += took;
    }
    assert_true(behind <= 40 * (int64_t)units + 500 + every_ms); /* what is on the screen is never older */
    return work;
}

static void jobread_work_grows_with_the_units(void **state)
{
    (void)state;
    for (int64_t every_ms = 1; every_ms < 2000; every_ms *= 3) {
        int64_t few = work_of(250, every_ms), many = work_of(4000, every_ms);
        /* at most a ninth for each eighth, or a fortieth of the time */
        assert_true(few <= 250 * 10 + 250 * every_ms / 40);
        assert_true(many <= 4000 * 10 + 4000 * every_ms / 40);
    }
    assert_int_equal(jobread_due_in(1, 8, 100, 20), 400); /* never sooner than after half a second */
    assert_int_equal(jobread_due_in(1, 9, 500, 20), 300);
    assert_int_equal(jobread_due_in(1, 9, 800, 20), 0);
}

static void jobread_goes_on_without_a_unit(void **state)
{
    (void)state;
    if (is_guest()) /* workers are this program, and here another one runs it */
        skip();
    struct err e = ERR_INIT;
    struct job *j = make_job("gone", 2);
    struct jobread *r = NULL;
    struct store *s = NULL;
    char why[300] = "";
    size_t of;

    assert_int_equal(nftw(j->units[1]->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    assert_int_equal(jobread_new(&r, j, 2, &e), OK);
    (void)read_all(r);
    assert_true(jobread_problem(r, why, sizeof why));
    assert_non_null(strstr(why, j->units[1]->name));
    assert_false(jobread_has(r, 1));
    assert_int_equal(store_open(&s, jobread_path(r), false, &e), OK);
    assert_int_equal(store_rows(s, "unit"), RANKS);
    assert_int_equal(store_rows(s, "step"), (RANKS - 1) * 6);
    store_close(s);
    jobread_free(r);
    job_free(j);

    j = make_job("busy", 2);
    assert_int_equal(jobread_new(&r, j, 3, &e), OK);
    for (int64_t end = now_ms() + 60000; jobread_done(r, &of) < RANKS - 1 && now_ms() < end;)
        (void)jobread_step(r, 0, now_ms(), 0);
    assert_int_equal(jobread_done(r, &of), RANKS - 1);
    assert_false(jobread_has(r, 0));
    (void)read_all(r);
    assert_true(jobread_has(r, 0));
    jobread_free(r);
    job_free(j);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overview_has_the_rows_of_its_units),
        cmocka_unit_test(overview_finds_the_rows_of_a_rank),
        cmocka_unit_test(overview_asks_less_of_large_jobs),
        cmocka_unit_test(overview_takes_over_what_is_still_right),
        cmocka_unit_test(overview_needs_ranks_of_one_job),
        cmocka_unit_test(jobread_reads_units_and_keeps_the_overview),
        cmocka_unit_test(jobread_work_grows_with_the_units),
        cmocka_unit_test(jobread_goes_on_without_a_unit),
    };

    if (argc > 1 && strcmp(argv[1], WORKER_COMMAND) == 0)
        return worker_main(argc, argv, NULL);
    return cmocka_run_group_tests(tests, make_top, drop_top);
}
