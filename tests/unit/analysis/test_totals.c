/* SPDX-License-Identifier: Apache-2.0 */
/* What an import makes from the rows it has read: totals of each rank, findings that are kept. */
#include "config.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/checks.h"
#include "base/lang/tr.h"
#include "demo/demo.h"
#include "import/import.h"
#include "model/view/view.h"

struct fixture {
    char dir[256], run[300];
    struct demo_summary sum;
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static int setup(void **state)
{
    struct err e = ERR_INIT;
    struct fixture *x = calloc(1, sizeof *x);
    const char *tmp = getenv("TMPDIR");
    snprintf(x->dir, sizeof x->dir, "%s/npuscope-totals-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    snprintf(x->run, sizeof x->run, "%s/run", x->dir);
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 1, .steps = 4 }, x->run, &x->sum, &e),
                     OK);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *x = *state;
    nftw(x->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(x);
    return 0;
}

static struct store *read_run(const struct fixture *x, import_after_fn *after)
{
    struct err e = ERR_INIT;
    struct job *j = NULL;
    struct store *s = NULL;
    const struct import_opts o = { .after = after };
    assert_int_equal(import_scan(&j, x->run, &e), OK);
    assert_int_equal(import_unit(j->units[0], &o, &s, NULL, &e), OK);
    job_free(j);
    return s;
}

static int64_t one(struct store *s, const char *sql)
{
    return store_int(s, -1, sql, NULL);
}

/* Sum of a column, row by row. */
static int64_t add_up(struct store *s, const char *sql)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    int64_t sum = 0;
    assert_int_equal(store_query(s, &q, sql, &e), OK);
    while (query_step(q, &e) == 1)
        sum += query_int(q, 0);
    query_free(q);
    return sum;
}

static void totals_of_a_rank_are_those_of_its_rows(void **state)
{
    struct fixture *x = *state;
    struct store *s = read_run(x, NULL);
    assert_int_equal(one(s, "SELECT count(*) FROM rank_total"), 1);
    assert_int_equal(one(s, "SELECT compute_ns FROM rank_total"), add_up(s, "SELECT computing_ns FROM step"));
    assert_int_equal(one(s, "SELECT compute_ns FROM rank_total"), x->sum.rank0.computing_ns);
    assert_int_equal(one(s, "SELECT comm_ns FROM rank_total"),
                     add_up(s, "SELECT communication_ns FROM step"));
    assert_int_equal(one(s, "SELECT comm_alone_ns FROM rank_total"), x->sum.rank0.comm_alone_ns);
    assert_int_equal(one(s, "SELECT idle_ns FROM rank_total"), add_up(s, "SELECT free_ns FROM step"));
    /* The sum where something was recorded, NULL where nothing was. */
    assert_int_equal(one(s, "SELECT wait_ns IS (SELECT sum(wait_ns) FROM comm_exec) FROM rank_total"), 1);
    assert_int_equal(one(s, "SELECT ops FROM rank_total"), add_up(s, "SELECT 1 FROM op_exec"));
    assert_int_equal(one(s, "SELECT events FROM rank_total"),
                     add_up(s, "SELECT 1 FROM event e JOIN track t ON t.id = e.track_id WHERE "
                               "t.kind NOT IN ('flow', 'counter')"));
    assert_int_equal(one(s, "SELECT notes FROM rank_total"), 0);
    /* The process holds more than the pools reserved: the peak is a pool's and says so. */
    assert_int_equal(one(s, "SELECT peak_mem_of = 'reserved' FROM rank_total"), 1);
    assert_int_equal(one(s, "SELECT peak_mem_b FROM rank_total"),
                     one(s, "SELECT max(reserved_b) FROM mem_sample m WHERE NOT " STORE_IS_PROCESS("m")));
    assert_true(one(s, "SELECT max(reserved_b) FROM mem_sample m WHERE " STORE_IS_PROCESS("m")) >
                one(s, "SELECT peak_mem_b FROM rank_total"));
    store_close(s);
}

static double rank_wait(struct store *s, bool first_step)
{
    struct err e = ERR_INIT;
    struct view *v = NULL;
    struct page p;
    const struct view_part part = { .store = s };
    struct view_scope scope = VIEW_SCOPE_ALL;
    scope.first_step = first_step;
    assert_int_equal(view_open(&v, view_def_find("comm.rank"), &part, 1, &scope, &e), OK);
    assert_int_equal(view_page(v, 0, 1, VIEW_STORED, &p, &e), OK);
    assert_int_equal(p.n, 1);
    double wait = val_num(page_val(&p, 0, (size_t)view_find_col(v, "wait_ns")));
    view_close(v);
    return wait;
}

/* Waiting of a rank is of the steps that the other means of its row are of, in Comm and in the overview. */
static void totals_wait_is_of_the_steps_of_other_means(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct fixture job = { .dir = "" };
    snprintf(job.run, sizeof job.run, "%s/job", x->dir);
    assert_int_equal(demo_write(&(struct demo_opts){ .gen = 2, .ranks = 2, .steps = 4 }, job.run, NULL, &e),
                     OK);
    struct store *s = read_run(&job, NULL);
    assert_int_equal(one(s, "SELECT count(*) FROM step WHERE complete IS NOT 0"), 4);
    int64_t all = add_up(s, "SELECT wait_ns FROM comm_exec"),
            first = add_up(s, "SELECT wait_ns FROM comm_exec WHERE step = (SELECT min(step) FROM step)");
    assert_true(first > 0 && all > first);
    assert_in_range(one(s, "SELECT step_wait_ns FROM rank_total") - (all - first) / 3 + 1, 0, 2);
    assert_in_range(one(s, "SELECT step_wait_all_ns FROM rank_total") - all / 4 + 1, 0, 2);
    assert_in_range((int64_t)rank_wait(s, false) - (all - first) / 3 + 1, 0, 2);
    assert_in_range((int64_t)rank_wait(s, true) - all / 4 + 1, 0, 2);
    store_close(s);
}

/* Executions are summed in memory: what grouping them by SQL gives. */
static void ops_of_a_rank_are_those_of_grouping(void **state)
{
#define KEPT "SELECT rank, name_id, type_id, core, calls, total_ns FROM rank_op WHERE by = 'op'"
#define GROUPED                                                                                              \
    "SELECT x.rank, o.name_id, o.type_id, o.core, x.n, x.total FROM (SELECT rank, op_id, count(*) AS n, "    \
    "sum(dur_ns) AS total FROM op_exec GROUP BY 1, 2) x JOIN op o ON o.id = x.op_id "                        \
    "WHERE ifnull(o.core, '') NOT IN ('HCCL', 'HOST', 'CPU', 'AICPU')"
    struct store *s = read_run(*state, NULL);
    int64_t kept = one(s, "SELECT count(*) FROM (" KEPT ")");
    assert_true(kept > 1);
    assert_int_equal(one(s, "SELECT count(*) FROM (" KEPT " EXCEPT " GROUPED ")"), 0);
    /* A type has a core that one of its ops has: colours follow it. */
    assert_true(one(s, "SELECT count(*) FROM rank_op WHERE by = 'type' AND core IS NOT NULL") > 1);
    assert_int_equal(one(s,
                         "SELECT count(*) FROM (SELECT type_id, core FROM rank_op WHERE by = 'type' EXCEPT "
                         "SELECT type_id, core FROM op)"),
                     0);
    /* The longest are kept; types and the whole are sums of all. */
    assert_int_equal(one(s, "SELECT min(total_ns) FROM (" KEPT ")"),
                     one(s, "SELECT min(total) FROM (SELECT total FROM (" GROUPED ") ORDER BY total DESC "
                            "LIMIT (SELECT count(*) FROM (" KEPT ")))"));
    assert_int_equal(one(s, "SELECT total_ns FROM rank_op WHERE by = 'all'"),
                     one(s, "SELECT sum(total) FROM (" GROUPED ")"));
    assert_int_equal(one(s, "SELECT calls FROM rank_op WHERE by = 'all'"),
                     one(s, "SELECT sum(n) FROM (" GROUPED ")"));
    store_close(s);
#undef KEPT
#undef GROUPED
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/*
 * What the checks find at the end of the import is what they find later, and it is found without looking
 * again.
 */
static void totals_keep_what_the_checks_find(void **state)
{
    struct fixture *x = *state;
    char path[700];
    struct err e = ERR_INIT;
    struct finding_list now = { .n = 0 }, kept = { .n = 0 }, files = { .n = 0 };
    size_t said = 0;
    snprintf(path, sizeof path, "%s/%s/ASCEND_PROFILER_OUTPUT/op_statistic.csv", x->run, x->sum.run_dir);
    put(path, "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
              "Time(us),Ratio(%)\n0,Conv2D,AI_CORE,7,100.5,1.0,14.357,30.0,55.5\n");
    struct store *s = read_run(x, NULL);
    assert_false(checks_are_kept(s));
    assert_int_equal(checks_run(&now, s, 0, CHECK_FACTS, &e), OK);
    assert_true(now.n >= 2); /* the counts, and the shares that do not add up */
    store_close(s);

    s = read_run(x, checks_keep);
    assert_true(checks_are_kept(s));
    assert_int_equal(checks_load(&kept, s, 0, &e), OK);
    assert_int_equal(kept.n, now.n);
    for (size_t i = 0; i < now.n; i++) {
        assert_string_equal(kept.v[i].rule, now.v[i].rule);
        assert_string_equal(kept.v[i].severity, now.v[i].severity);
        assert_string_equal(kept.v[i].text, now.v[i].text);
        assert_string_equal(kept.v[i].filter, now.v[i].filter);
        assert_int_equal(kept.v[i].go, now.v[i].go);
        assert_ptr_equal(kept.v[i].sql, now.v[i].sql);
    }
    /* the numbers of a kept finding fill the sentence of another language; the store stays English */
    tr_choose("zh_CN", true);
    free(kept.v);
    kept = (struct finding_list){ .n = 0 };
    assert_int_equal(checks_load(&kept, s, 0, &e), OK);
    tr_choose("en", true);
    for (size_t i = 0; i < kept.n; i++) {
        assert_string_not_equal(kept.v[i].text, now.v[i].text);
        if (strcmp(kept.v[i].rule, "CON-02") == 0) {
            assert_string_equal(now.v[i].text, "shares of the op statistics add up to 55.5%");
            assert_string_equal(kept.v[i].text, "算子统计的占比之和为 55.5%");
            said++;
        }
    }
    assert_int_equal(said, 1);
    assert_int_equal(
        one(s, "SELECT count(*) FROM finding WHERE text LIKE 'shares of the op%add up to 55.5%'"), 1);
    /* those about files, which are looked for whenever they are shown, are rows for statements */
    assert_int_equal(checks_run(&files, s, 0, CHECK_FILES, &e), OK);
    assert_true(files.n >= 1);
    assert_int_equal(one(s, "SELECT count(*) FROM finding WHERE rank = 0"), now.n + files.n);
    store_close(s);
    free(now.v);
    free(kept.v);
    free(files.v);
}

/* With the type around it, the subtype and the ops beside it; a suggestion may stand alone. */
static void totals_show_what_msprof_advises(void **state)
{
    struct fixture *x = *state;
    char path[700];
    struct err e = ERR_INIT;
    struct finding_list l = { .n = 0 };
    size_t found = 0;
    snprintf(path, sizeof path, "%s/%s/ASCEND_PROFILER_OUTPUT/prof_rule_0.json", x->run, x->sum.run_dir);
    put(path,
        "{\"status\": 0, \"data\": [{\"Rule Type\": \"Computation\", \"Rule Description\": \"d\", "
        "\"result\": "
        "[{\"Rule Subtype\": \"Vector\", \"Rule Suggestion\": \"fuse them\", \"Tuning Data\": [\"a\", "
        "\"b\"]}]}, {\"Rule Type\": \"Memory\", \"result\": []}, {\"result\": {\"Rule Suggestion\": \"use "
        "less\", \"Tuning Data\": []}}]}");
    struct store *s = read_run(x, NULL);
    assert_int_equal(checks_run(&l, s, 0, CHECK_FACTS, &e), OK);
    for (size_t i = 0; i < l.n; i++)
        if (strcmp(l.v[i].rule, "PRF-01") == 0) {
            assert_string_equal(l.v[i].text, found++ ? "msprof advises, use less"
                                                     : "msprof advises, Computation, Vector: fuse them "
                                                       "[\"a\", \"b\"]");
            assert_int_equal(l.v[i].go, PANE_OPS);
        }
    assert_int_equal(found, 2);
    free(l.v);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(totals_of_a_rank_are_those_of_its_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(totals_wait_is_of_the_steps_of_other_means, setup, teardown),
        cmocka_unit_test_setup_teardown(ops_of_a_rank_are_those_of_grouping, setup, teardown),
        cmocka_unit_test_setup_teardown(totals_show_what_msprof_advises, setup, teardown),
        cmocka_unit_test_setup_teardown(totals_keep_what_the_checks_find, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
