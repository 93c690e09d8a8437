/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files left for later: what is shown without them is what is shown with them, and adding them gives the
 * store that reading all at once gives.
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
#include <unistd.h>

#include <cmocka.h>

#include "analysis/checks.h"
#include "base/path.h"
#include "demo/demo.h"
#include "import/import.h"
#include "model/view/facts.h"
#include "model/view/view.h"
#include "tests/unit/sample.h"

#define PAGE 500
#define ALL  (~0u)

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
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/npuscope-left-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(top) ? 0 : -1;
}

static int drop_top(void **state)
{
    (void)state;
    return nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A run whose large files are large enough to be left. */
static struct job *make_run(int gen)
{
    struct err e = ERR_INIT;
    struct job *j = NULL;
    char dir[300];
    snprintf(dir, sizeof dir, "%s/gen%d", top, gen);
    if (access(dir, F_OK) != 0)
        assert_int_equal(demo_write(&(struct demo_opts){ .gen = gen, .ranks = 1, .steps = 10, .size = 5000 },
                                    dir, NULL, &e),
                         OK);
    assert_int_equal(import_scan(&j, dir, &e), OK);
    return j;
}

static struct store *read_but(const struct unit *u, unsigned later)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    char m[600];
    const struct import_opts o = { .later = later, .after = checks_keep };
    if (import_unit(u, &o, &s, NULL, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    return s;
}

/* ---- views as sorted texts ---- */

struct rows {
    char **v;
    size_t n, cap;
};

static void rows_done(struct rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->v[i]);
    free(r->v);
}

static int text_cmp(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* timeless: without the columns that are made from the timeline. */
static void add_row(struct rows *r, const struct view_def *d, bool timeless, const struct page *p, size_t row)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    for (size_t c = 0; c < p->n_cols; c++) {
        const struct val *v = page_val(p, row, c);
        if (timeless && d->cols[c].flags & VC_TIME)
            continue;
        if (v->t == VAL_INT)
            buf_printf(&b, "%" PRId64 "|", v->i);
        else if (v->t == VAL_REAL)
            buf_printf(&b, "%.9g|", v->r);
        else if (v->t == VAL_TEXT)
            buf_printf(&b, "%.*s|", (int)v->s.n, v->s.p);
        else
            buf_puts(&b, "-|");
    }
    if (r->n == r->cap)
        r->v = realloc(r->v, (r->cap = r->cap ? r->cap * 2 : 1024) * sizeof *r->v);
    r->v[r->n++] = strndup(buf_str(&b).p, b.n);
    buf_done(&b);
}

static struct rows rows_of(struct store *s, const struct view_def *d, bool timeless)
{
    struct err e = ERR_INIT;
    struct rows r = { .n = 0 };
    struct view *v = NULL;
    struct page p;
    char m[600];
    const struct view_part part = { .store = s };
    const struct view_scope scope = VIEW_SCOPE_ALL;
    if (view_open(&v, d, &part, 1, &scope, &e))
        fail_msg("%s: %s", d->id, err_message(&e, m, sizeof m));
    for (size_t at = 0; at < view_rows(v); at += p.n) {
        assert_int_equal(view_page(v, at, PAGE, VIEW_ABSOLUTE, &p, &e), OK);
        for (size_t i = 0; i < p.n; i++)
            add_row(&r, d, timeless, &p, i);
    }
    view_close(v);
    if (r.n)
        qsort(r.v, r.n, sizeof *r.v, text_cmp);
    return r;
}

/* Rows that both stores give for a view; their number. */
static size_t same_view(struct store *a, struct store *b, const struct view_def *d)
{
    bool timeless = store_left(b) & PANE_BIT(PANE_TIME);
    if (timeless && d->cols[0].flags & VC_TIME) /* its rows are made from the timeline */
        return 0;
    struct rows x = rows_of(a, d, timeless), y = rows_of(b, d, timeless);
    if (x.n != y.n)
        fail_msg("%s: %zu rows, wanted %zu", d->id, y.n, x.n);
    for (size_t i = 0; i < x.n; i++)
        if (strcmp(x.v[i], y.v[i]) != 0)
            fail_msg("%s: '%s', wanted '%s'", d->id, y.v[i], x.v[i]);
    size_t n = x.n;
    rows_done(&x);
    rows_done(&y);
    return n;
}

static size_t same_pane(struct store *a, struct store *b, enum pane_id pane)
{
    size_t n = 0;
    for (size_t i = 0; i < view_n_defs; i++)
        if (view_defs[i]->pane == pane)
            n += same_view(a, b, view_defs[i]);
    return n;
}

/* ---- tests ---- */

static void shows_the_same(int gen, unsigned must_leave, unsigned must_show)
{
    struct job *j = make_run(gen);
    struct store *whole = read_but(j->units[0], 0);
    assert_int_equal(store_left(whole), 0);
    for (enum pane_id p = PANE_OPS; p < PANE_SQL; p += (enum pane_id)sample_step(2)) {
        struct store *s = read_but(j->units[0], ~PANE_BIT(p));
        assert_int_equal(store_left(s) & PANE_BIT(p), 0);
        if (must_leave & PANE_BIT(p))
            assert_int_not_equal(store_left(s), 0);
        size_t n = same_pane(whole, s, p);
        if (must_show & PANE_BIT(p))
            assert_true(n > 0);
        store_close(s);
    }
    store_close(whole);
    job_free(j);
}

static void left_gen2_each_pane_is_complete_without_the_others(void **state)
{
    (void)state;
    unsigned all = PANE_BIT(PANE_OPS) | PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_TIME) | PANE_BIT(PANE_MEM) |
                   PANE_BIT(PANE_COMM) | PANE_BIT(PANE_HOST);
    shows_the_same(2, PANE_BIT(PANE_OPS) | PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_HOST), all);
}

static void left_gen1_each_pane_is_complete_without_the_others(void **state)
{
    (void)state;
    shows_the_same(1, PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_MEM),
                   PANE_BIT(PANE_OPS) | PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_TIME));
}

/* What rests on a file that is left is unknown, not zero. */
static void left_totals_are_unknown(void **state)
{
    (void)state;
    struct job *j = make_run(2);
    struct store *s = read_but(j->units[0], ALL);
    assert_int_equal(store_int(s, -1, "SELECT ops IS NULL AND events IS NULL FROM rank_total", NULL), 1);
    assert_true(store_int(s, -1, "SELECT compute_ns FROM rank_total", NULL) > 0);
    assert_true(
        store_int(s, -1, "SELECT count(*) FROM source WHERE state = 'UNREAD' AND used IS NULL", NULL) >= 2);
    store_close(s);
    job_free(j);
}

static void add(const struct unit *u, const char *path, unsigned later)
{
    struct err e = ERR_INIT;
    bool partial = true;
    char m[600];
    const struct import_opts o = { .store_path = path, .later = later, .after = checks_keep };
    if (import_add(u, &o, &partial, &e))
        fail_msg("%s", err_message(&e, m, sizeof m));
    assert_false(partial);
}

/* The store at path has all that the whole import has. */
static void same_store(const struct unit *u, struct store *whole, const char *path)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    assert_int_equal(store_open(&s, path, false, &e), OK);
    char *key = unit_input_key(u);
    assert_true(store_is_current(s, key));
    free(key);
    for (size_t i = 0; i < view_n_defs; i++)
        same_view(whole, s, view_defs[i]);
    for (size_t t = 0; t < N_TABLES; t++)
        if (t != T_meta)
            assert_int_equal(store_rows(s, schema_tables[t].name), store_rows(whole, schema_tables[t].name));
    assert_int_equal(store_rows(s, "string"), store_rows(whole, "string"));
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM sqlite_master WHERE type = 'index'", NULL),
                     store_int(whole, -1, "SELECT count(*) FROM sqlite_master WHERE type = 'index'", NULL));
    store_close(s);
}

/* In two orders: the same views, the same counts in every table, and nothing is read twice. */
static void left_is_added_and_gives_the_same_store(void **state)
{
    (void)state;
    static const unsigned orders[][4] = {
        { PANE_OPS, PANE_TIME, PANE_MEM, PANE_SQL },
        { PANE_MEM, PANE_STEPS, PANE_TIME, PANE_SQL },
    };
    struct err e = ERR_INIT;
    struct job *j = make_run(2);
    struct store *whole = read_but(j->units[0], 0);
    char path[300];
    snprintf(path, sizeof path, "%s/added.npus", top);
    for (size_t k = 0; k < ARRAY_LEN(orders); k++) {
        struct store *s = NULL;
        const struct import_opts o = { .store_path = path, .later = ALL, .after = checks_keep };
        assert_int_equal(import_unit(j->units[0], &o, NULL, NULL, &e), OK);
        for (size_t i = 0; i < ARRAY_LEN(orders[k]); i++) {
            unsigned want = orders[k][i] == PANE_SQL ? ALL : PANE_BIT(orders[k][i]);
            add(j->units[0], path, ~want);
            assert_int_equal(store_open(&s, path, false, &e), OK);
            assert_int_equal(store_left(s) & want, 0);
            if (orders[k][i] != PANE_SQL)
                same_pane(whole, s, (enum pane_id)orders[k][i]);
            store_close(s);
        }
        add(j->units[0], path, 0); /* nothing to do */
        same_store(j->units[0], whole, path);
        unlink(path);
    }
    store_close(whole);
    job_free(j);
}

/* Stops when the file named has been asked about a number of times. */
struct stop {
    const char *in;
    unsigned after;
    bool there;
};

static void watch_file(void *arg, const struct import_progress *p)
{
    struct stop *st = arg;

    st->there = p->now && strstr(p->now, st->in);
}

static bool stop_inside(void *arg)
{
    struct stop *st = arg;

    return st->there && (st->after == 0 || st->after-- == 0);
}

/* Stopped inside a file: the file is left as it was before, and the next time reads it whole. */
static void left_add_is_stopped_and_taken_up_again(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        unsigned after;
    } stops[] = {
        { "trace_view", 0 }, { "trace_view", 2 }, { "kernel_details", 0 }, { "kernel_details", 1 }
    };
    struct err e = ERR_INIT;
    struct job *j = make_run(2);
    struct store *whole = read_but(j->units[0], 0);
    char path[300];
    snprintf(path, sizeof path, "%s/stopped.npus", top);
    for (size_t k = 0; k < ARRAY_LEN(stops); k++) {
        struct stop st = { .in = stops[k].in, .after = stops[k].after };
        bool partial = false;
        struct store *s = NULL;
        struct import_opts o = { .store_path = path, .later = ALL, .after = checks_keep };
        assert_int_equal(import_unit(j->units[0], &o, NULL, NULL, &e), OK);
        o.later = 0;
        o.progress = watch_file;
        o.cancelled = stop_inside;
        o.arg = &st;
        assert_int_equal(import_add(j->units[0], &o, &partial, &e), OK);
        assert_true(partial);
        assert_int_equal(store_open(&s, path, false, &e), OK);
        assert_int_not_equal(store_left(s), 0);
        store_close(s);
        add(j->units[0], path, 0);
        same_store(j->units[0], whole, path);
        unlink(path);
    }
    store_close(whole);
    job_free(j);
}

#define HALF "PROF_000001_20260314011207123_ABCDEFGHIJKLMNOP"

/* A file of the run with two devices; its folder is made. */
static FILE *new_file(const char *name)
{
    struct err e = ERR_INIT;
    char path[400], dir[400];
    snprintf(path, sizeof path, "%s/" HALF "/%s", top, name);
    assert_true(path_dir(dir, sizeof dir, path));
    assert_int_equal(path_mkdirs(dir, &e), OK);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void put_rank(FILE *f, int rank)
{
    fprintf(f, "{\"rank_id\": \"%d\"}", rank);
    fclose(f);
}

static void put_tasks(FILE *f, int device)
{
    fputs("Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),"
          "task_stop(us)\n",
          f);
    for (int i = 0; i < 600; i++)
        fprintf(f, "%d,net/op%d,%s,%d,%d,4.5,%d.250\t,0\n", device, i % 40, i % 40 == 3 ? "HCCL" : "AI_CORE",
                i % 3, i, 1000000 + i * 11);
    fclose(f);
}

static void put_trace(FILE *f)
{
    fputs("[{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": "
          "\"Ascend Hardware\"}}",
          f);
    for (int i = 0; i < 4000; i++)
        fprintf(f,
                ",\n{\"name\": \"net/op%d\", \"pid\": 1, \"tid\": %d, \"ts\": \"%d.250\", "
                "\"dur\": 4.5, \"ph\": \"X\", \"args\": {\"Task Type\": \"AI_CORE\"}}",
                i % 40, i % 3, 1000000 + i * 11);
    fputs("]\n", f);
    fclose(f);
}

/* Two devices, of which one has a trace. */
static struct job *make_half_traced(void)
{
    struct err e = ERR_INIT;
    struct job *j = NULL;
    char dir[300];
    snprintf(dir, sizeof dir, "%s/" HALF, top);
    put_rank(new_file("device_0/info.json.0"), 0);
    put_rank(new_file("device_1/info.json.1"), 1);
    put_tasks(new_file("device_0/summary/task_time_0_1_1.csv"), 0);
    put_tasks(new_file("device_1/summary/task_time_1_1_1.csv"), 1);
    put_trace(new_file("device_0/timeline/msprof_0_1_1.json"));
    assert_int_equal(import_scan(&j, dir, &e), OK);
    assert_int_equal(j->n_units, 1);
    return j;
}

/*
 * The file that is added names no op; the tracks of the rank without a trace are made of the executions read
 * before.
 */
static void left_trace_leaves_the_other_rank_its_names(void **state)
{
    (void)state;
    static const char made[] =
        "SELECT count(*) FROM event v JOIN track t ON t.id = v.track_id WHERE t.rank = 1 AND "
        "t.kind = 'stream' AND t.source_id = 0 AND v.name_id > 0";
    struct err e = ERR_INIT;
    struct job *j = make_half_traced();
    struct store *whole = read_but(j->units[0], 0), *s = NULL;
    char path[300];
    snprintf(path, sizeof path, "%s/traced.npus", top);
    const struct import_opts o = { .store_path = path, .later = PANE_BIT(PANE_TIME), .after = checks_keep };
    assert_int_equal(import_unit(j->units[0], &o, NULL, NULL, &e), OK);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    assert_int_equal(store_left(s), PANE_BIT(PANE_TIME));
    store_close(s);
    add(j->units[0], path, 0);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    assert_int_equal(store_int(whole, 0, made, NULL), 585); /* all but HCCL */
    assert_int_equal(store_int(s, 0, made, NULL), 585);
    store_close(s);
    same_store(j->units[0], whole, path);
    store_close(whole);
    job_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_gen2_each_pane_is_complete_without_the_others),
        cmocka_unit_test(left_gen1_each_pane_is_complete_without_the_others),
        cmocka_unit_test(left_totals_are_unknown),
        cmocka_unit_test(left_is_added_and_gives_the_same_store),
        cmocka_unit_test(left_add_is_stopped_and_taken_up_again),
        cmocka_unit_test(left_trace_leaves_the_other_rank_its_names),
    };
    return cmocka_run_group_tests(tests, make_top, drop_top);
}
