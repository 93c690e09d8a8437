/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in memory against the statement behind `;`: for random tables, filters, orders and step ranges both
 * give the same rows in the same order, in one go, in slices, typed letter by letter, and with next to no
 * memory for columns.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/view/rowset.h"
#include "model/view/view.h"
#include "store/fill/fill.h"
#include "tests/unit/sample.h"

#define N_OPS   60
#define N_EXECS 500
#define N_OTHER 300

static uint64_t seed = 20240601; /* NPUSCOPE_SEED: another one */

static uint64_t rnd(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

/* ---- a store of random rows ---- */

static struct val maybe(struct val v)
{
    return rnd(9) ? v : val_null();
}

static struct val small_int(void)
{
    return maybe(val_int((int64_t)rnd(40) * 500 - 2000));
}

static struct val some_int(void)
{
    static const int64_t odd[] = {
        0, -1, INT64_C(9007199254740993), INT64_C(-9007199254740993), INT64_C(4611686018427387905), 1000000
    };
    return rnd(12) ? small_int() : val_int(odd[rnd(ARRAY_LEN(odd))]);
}

static struct val some_real(void)
{
    return maybe(val_real((double)(int64_t)rnd(4000) / 8 - 100));
}

static struct str some_name(char *buf, size_t n)
{
    static const char *const parts[] = { "Conv2D", "MatMul", "softmax",           "O'Neill",
                                         "a_b",    "100%",   "\xc3\xa9t\xc3\xa9", "Cast",
                                         "x.y",    "K" };
    int len = snprintf(buf, n, "%s/layer%d/%s-op%0*d", rnd(2) ? "Default" : "Gradients/Default", (int)rnd(12),
                       parts[rnd(ARRAY_LEN(parts))], (int)rnd(4) + 1, (int)rnd(30));
    return rnd(40) ? (struct str){ buf, (size_t)len } : STR("");
}

/* many: every name is another one. */
static void add_ops(struct fill *f, int64_t *ops, size_t n, bool many)
{
    static const char *const cores[] = { "AIC", "AIV", "HCCL", "AICPU", "" };
    struct err e = ERR_INIT;
    char name[200];

    for (size_t i = 0; i < n; i++) {
        struct op_key k = OP_KEY_INIT;
        struct op_attr a = OP_ATTR_INIT;
        struct str s = some_name(name, sizeof name);
        if (many)
            s.n += (size_t)snprintf(name + s.n, sizeof name - s.n, "%zu", i);
        k.name_id = sink_intern(fill_sink(f), (struct str){ name, s.n });
        k.type_id = rnd(8) ? sink_intern(fill_sink(f), some_name(name, sizeof name)) : 0;
        k.graph_id = (int64_t)i;
        if (rnd(6))
            a.core = str_of(cores[rnd(ARRAY_LEN(cores))]);
        a.block_num = (int64_t)rnd(40) - 1;
        ops[i] = sink_op(fill_sink(f), &k, &a, &e);
        assert_true(ops[i] > 0);
    }
}

static void add_execs(struct fill *f, const int64_t *ops, size_t n_ops, size_t n)
{
    struct err e = ERR_INIT;

    for (size_t i = 0; i < n; i++) {
        struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, op_id)] = rnd(30)  ? val_int(ops[rnd(n_ops)])
                                    : rnd(2) ? val_null()
                                             : val_int(999999),
            [COL(op_exec, rank)] = val_int(rnd(5) == 0),
            [COL(op_exec, step)] = maybe(val_int((int64_t)rnd(12))),
            [COL(op_exec, stream)] = maybe(val_int((int64_t)rnd(4))),
            [COL(op_exec, ts_ns)] = maybe(val_int(INT64_C(1700000000000000000) + (int64_t)rnd(50))),
            [COL(op_exec, dur_ns)] = small_int(), /* sums must not overflow */
            [COL(op_exec, wait_ns)] = some_int(),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    }
}

static void add_others(struct fill *f)
{
    struct err e = ERR_INIT;
    char name[200];

    for (size_t i = 0; i < N_OTHER; i++) {
        struct val s[N_COLS(host_sample)] = {
            [COL(host_sample, rank)] = val_int(rnd(3) == 0),
            [COL(host_sample, what)] = maybe(val_text(some_name(name, sizeof name))),
            [COL(host_sample, value)] = some_real(),
        };
        assert_int_equal(sink_row(fill_sink(f), T_host_sample, s, N_COLS(host_sample), NULL, &e), OK);
        struct val m[N_COLS(mem_alloc)] = {
            [COL(mem_alloc, rank)] = val_int(0),
            [COL(mem_alloc, name_id)] = sink_text(fill_sink(f), some_name(name, sizeof name)),
            [COL(mem_alloc, size_b)] = some_int(),
            [COL(mem_alloc, dur_ns)] = some_int(),
            [COL(mem_alloc, device_type)] = maybe(val_cstr(rnd(2) ? "npu:0" : "cpu")),
        };
        assert_int_equal(sink_row(fill_sink(f), T_mem_alloc, m, N_COLS(mem_alloc), NULL, &e), OK);
    }
}

static struct store *make_store(size_t n_ops, size_t n_execs)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;
    int64_t *ops = calloc(n_ops, sizeof *ops);

    assert_non_null(ops);
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    add_ops(f, ops, n_ops, n_ops > N_OPS);
    add_execs(f, ops, n_ops, n_execs);
    add_others(f);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    free(ops);
    return s;
}

/* ---- the two sides ---- */

static struct view *open_view(struct store *s, const char *id, struct rowpool *pool,
                              const struct view_scope *scope)
{
    const struct view_part part = { .store = s, .rank = 0, .pool = pool };
    struct err e = ERR_INIT;
    struct view *v = NULL;

    if (view_open(&v, view_def_find(id), &part, 1, scope, &e))
        fail_msg("%s: %s", id, e.text);
    return v;
}

static bool same_val(const struct val *a, const struct val *b)
{
    if (a->t != b->t)
        return false;
    return a->t == VAL_NULL   ? true
           : a->t == VAL_TEXT ? str_eq(a->s, b->s)
           : a->t == VAL_INT  ? a->i == b->i
                              : a->r == b->r;
}

/* What the view shows is what its statement gives. what: for the message. */
static void check(struct view *v, struct store *s, const char *what)
{
    struct err e = ERR_INIT;
    struct buf sql;
    struct query *q = NULL;
    struct page p = { .n = 0 };
    size_t rows = 0;
    int rc;

    buf_init(&sql, 1 << 20);
    view_sql(v, &sql);
    if (store_user_query(s, &q, buf_str(&sql), NULL, &e))
        fail_msg("%s: %s\n%s", what, e.text, sql.p);
    for (; (rc = query_step(q, &e)) == 1; rows++) {
        if (rows >= p.first + p.n)
            assert_int_equal(view_page(v, rows, 100, VIEW_STORED, &p, &e), OK);
        if (!p.n)
            fail_msg("%s: the view has %zu rows, the statement more:\n%s", what, rows, sql.p);
        for (size_t c = 0; c < view_n_cols(v); c++) {
            struct val x = query_val(q, c);
            if (!same_val(page_val(&p, rows - p.first, c), &x))
                fail_msg("%s: row %zu, column %s differs:\n%s", what, rows, view_col(v, c)->id, sql.p);
        }
    }
    if (rc < 0)
        fail_msg("%s: %s\n%s", what, e.text, sql.p);
    if (rows != view_rows(v))
        fail_msg("%s: %zu rows in the view, %zu by\n%s", what, view_rows(v), rows, sql.p);
    query_free(q);
    buf_done(&sql);
}

/* ---- random filters ---- */

static const char *const texts[] = { "conv",  "o'n", "layer1", "op0", "100%",      "softmax|cast",
                                     "x.y",   "k",   "/layer", "2d-", "\xc3\xa9t", "default/layer1",
                                     "zzzzz", "a_b" };
static const char *const patterns[] = { "conv",      "layer[12]/",  "op0*7$", "^Default",  "(?-i)conv",
                                        "mat.*op.2", "a|b|softmax", "",       "[^a-z/]+$", "\\d\\d",
                                        ".",         "-1",          "5$" };
static const char *const numbers[] = { "0",    "500", "-2000", "1000.5", "9007199254740993",
                                       "1us",  "17",  "3",     "12.125", "4611686018427387904",
                                       "-1.5", "9e99" };

/* One test on a random column of d, or on the row. */
static void add_test(struct buf *b, const struct view_def *d)
{
    static const char *const ops[] = { "<", "<=", ">", ">=", "=", "!=" };
    const struct view_col *c = &d->cols[rnd(d->n_cols)];
    const char *no = rnd(4) ? "" : "!";

    switch (rnd(c->type == VT_TEXT ? 5 : 7)) {
    case 0:
        buf_printf(b, "%s\"%s\"", no, texts[rnd(ARRAY_LEN(texts))]);
        break;
    case 1:
        buf_printf(b, "%s/%s/", no, rnd(3) ? "conv" : "layer[12].op.*\\t");
        break;
    case 2:
        buf_printf(b, "%s%s~\"%s\"", no, c->id, patterns[rnd(ARRAY_LEN(patterns))]);
        break;
    case 3:
        buf_printf(b, "%s%s=%s", no, c->id, c->type == VT_TEXT ? (rnd(2) ? "AIC" : "") : "500");
        break;
    case 4:
        buf_printf(b, "%s%s in %s", no, c->id, c->type == VT_TEXT ? "AIC,cpu,AIV" : "0,500,-2000,3");
        break;
    case 5:
        buf_printf(b, "%s%s%s%s", no, c->id, ops[rnd(ARRAY_LEN(ops))], numbers[rnd(ARRAY_LEN(numbers))]);
        break;
    default:
        buf_printf(b, "%s%s between %s..%s", no, c->id, rnd(3) ? numbers[rnd(3)] : "",
                   rnd(3) ? numbers[3 + rnd(5)] : "");
        break;
    }
}

static struct filter *random_filter(const struct view_def *d, struct buf *line)
{
    struct filter *f = NULL;

    for (;;) {
        struct err e = ERR_INIT;
        buf_clear(line);
        for (uint64_t n = rnd(3) + 1; n; n--) {
            add_test(line, d);
            buf_addc(line, n > 1 ? ' ' : '\0');
        }
        line->n--;
        if (filter_parse(&f, buf_str(line), d, &e) == OK)
            return f;
        if (e.code != ERR_USAGE) /* an empty pattern, a range upside down: another one */
            fail_msg("%s: %s", line->p, e.text);
    }
}

static struct view_scope random_scope(void)
{
    struct view_scope s = VIEW_SCOPE_ALL;

    if (rnd(2) == 0)
        s.step0 = (int64_t)rnd(8);
    if (rnd(2) == 0)
        s.step1 = (int64_t)rnd(8) + 2;
    return s;
}

static const char *const views[] = { "ops.exec", "ops.exec",     "memory.alloc", "host.sample",
                                     "ops.op",   "memory.alloc", "ops.type",     "ops.stream",
                                     "ops.core", "ops.scope",    "ops.shape" };

/* Sort, filter, sort: in this order or another. */
static void play(struct view *v, struct store *s, int slices)
{
    const struct view_def *d = view_definition(v);
    struct err e = ERR_INIT;
    struct buf line;
    struct filter *f[2];
    size_t undecided;
    bool more = true;

    buf_init(&line, 1 << 16);
    f[0] = random_filter(d, &line);
    int col = (int)rnd(view_n_cols(v) + 1) - 1;
    assert_int_equal(view_sort(v, col, rnd(2), &e), OK);
    if (rnd(3) == 0)
        check(v, s, "sorted");
    if (slices) {
        f[1] = random_filter(d, &line);
        assert_int_equal(view_filter_begin(v, f, 1, &e), OK);
        for (uint64_t n = rnd(4); n; n--) /* given up in the middle */
            assert_int_equal(view_work(v, 1, &more, &e), OK);
        assert_int_equal(view_filter_begin(v, f + 1, 1, &e), OK);
        while (view_is_counting(v))
            assert_int_equal(view_work(v, 1, &more, &e), OK);
        check(v, s, line.p);
    } else {
        f[1] = NULL;
        assert_int_equal(view_set_filters(v, f, 1, &undecided, &e), OK);
        assert_int_equal(undecided, 0);
        check(v, s, line.p);
    }
    assert_int_equal(view_sort(v, (int)rnd(view_n_cols(v)), rnd(2), &e), OK);
    check(v, s, line.p);
    while (more)
        assert_int_equal(view_work(v, 1, &more, &e), OK);
    check(v, s, line.p);
    assert_int_equal(view_set_filters(v, NULL, 0, NULL, &e), OK);
    filter_free(f[0]);
    filter_free(f[1]);
    buf_done(&line);
}

static void rows_in_memory_are_what_the_statement_gives(void **state)
{
    (void)state;
    struct store *s = make_store(N_OPS, N_EXECS);

    for (int round = 0; round < 100; round += (int)sample_step(3)) {
        struct view_scope scope = random_scope();
        struct view *v = open_view(s, views[rnd(ARRAY_LEN(views))], NULL, &scope);
        play(v, s, round % 2);
        play(v, s, (round + 1) % 2);
        view_close(v);
    }
    store_close(s);
}

static void a_pool_without_room_changes_nothing(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store(N_OPS, N_EXECS);
    struct rowpool *pool = NULL;

    assert_int_equal(rowpool_new(&pool, 1, &e), OK);
    for (int round = 0; round < 40; round += (int)sample_step(3)) {
        struct view_scope scope = random_scope();
        struct view *a = open_view(s, views[rnd(ARRAY_LEN(views))], pool, &scope);
        struct view *b = open_view(s, views[rnd(ARRAY_LEN(views))], pool, &scope);
        play(a, s, 0);
        play(b, s, 1);
        play(a, s, 1);
        view_close(a);
        view_close(b);
    }
    rowpool_forget(pool, s);
    rowpool_free(pool);
    store_close(s);
}

static void a_pool_stays_within_its_limit_and_shares_rows(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store(N_OPS, N_EXECS);
    struct view_scope scope = VIEW_SCOPE_ALL;
    struct rowpool *pool = NULL;

    assert_int_equal(rowpool_new(&pool, 9000, &e), OK);
    struct view *a = open_view(s, "ops.exec", pool, &scope);
    for (size_t round = 0; round < 3; round++)
        for (size_t c = 0; c < view_n_cols(a); c++) {
            assert_int_equal(view_sort(a, (int)c, true, &e), OK);
            assert_true(rowpool_used(pool) < 9000 + 16000); /* what the sort at hand needs comes on top */
        }
    assert_int_equal(view_sort(a, -1, false, &e), OK);
    size_t before = rowpool_used(pool);
    struct view *b = open_view(s, "ops.exec", pool, &scope);
    assert_int_equal(rowpool_used(pool), before); /* the same rows */
    view_close(a);
    view_close(b);
    rowpool_free(pool);
    store_close(s);
}

/* Durations with a fraction: the quick way to sums gives up, the statement does not. */
static void sums_of_fractions_are_those_of_the_statement(void **state)
{
    (void)state;
    static const char *const grouped[] = { "ops.op",    "ops.type",  "ops.core",
                                           "ops.scope", "ops.shape", "ops.stream" };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;
    int64_t ops[3];

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    add_ops(f, ops, ARRAY_LEN(ops), true);
    for (size_t i = 0; i < 20; i++) {
        const struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, op_id)] = val_int(ops[i % 3]),
            [COL(op_exec, rank)] = val_int(0),
            [COL(op_exec, ts_ns)] = val_int(1000 + (int64_t)i),
            [COL(op_exec, dur_ns)] = i % 2 ? val_real(0.5 + (double)i) : val_int((int64_t)i),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(grouped); i++) {
        struct view *v = open_view(s, grouped[i], NULL, &all);
        assert_true(view_rows(v) > 0);
        check(v, s, grouped[i]);
        view_close(v);
    }
    store_close(s);
}

/* A column that was read and not looked at yet is work of now; keys count as soon as they are there. */
static void a_column_just_read_stays(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store(N_OPS, N_EXECS);
    const struct view_part part = { .store = s };
    const struct view_scope all = VIEW_SCOPE_ALL;
    const struct view_def *d = view_def_find("ops.exec");
    struct rowpool *pool = NULL;
    struct rowset *r = NULL;
    bool ready = false;

    assert_int_equal(rowpool_new(&pool, 1, &e), OK);
    assert_int_equal(rowset_open(&r, pool, d, &part, &all, &e), OK);
    rowpool_trim(pool);
    int col = view_def_find_col(d, "dur_ns");
    assert_int_equal(rowset_need(r, (size_t)col, INT64_MAX, &ready, &e), OK);
    assert_true(ready);
    size_t used = rowpool_used(pool);
    rowpool_trim(pool);
    assert_int_equal(rowpool_used(pool), used);
    rowpool_trim(pool); /* not used since the last time */
    assert_true(rowpool_used(pool) < used);
    rowset_close(r);
    rowpool_forget(pool, s);
    assert_int_equal(rowpool_used(pool), 0);
    rowpool_free(pool);
    store_close(s);
}

/* Each letter only looks where the text before it was; the result is as if typed at once. */
static void typing_letter_by_letter_gives_the_same_rows(void **state)
{
    (void)state;
    static const char *const lines[] = { "conv2d-op1",
                                         "softmax|cast-op",
                                         "op_name~layer1/conv",
                                         "!op_name~matmul-op",
                                         "/Default/layer1/Conv/",
                                         "type~x|softmax core=AIC",
                                         "dur~500",
                                         "!/softmax/" };
    struct err e = ERR_INIT;
    struct store *s = make_store(N_OPS, N_EXECS);
    struct view_scope scope = VIEW_SCOPE_ALL;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct view *v = open_view(s, "ops.exec", NULL, &scope);
        struct filter *last = NULL;
        for (size_t n = 1; n <= strlen(lines[i]); n++) {
            struct filter *f = NULL;
            struct err why = ERR_INIT;
            if (filter_parse(&f, str_sub(str_of(lines[i]), 0, n), view_definition(v), &why))
                continue;
            assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
            check(v, s, lines[i]);
            filter_free(last);
            last = f;
        }
        view_close(v);
        filter_free(last);
    }
    store_close(s);
}

/* ---- several ranks ---- */

static int val_cmp(const struct val *a, const struct val *b, bool desc)
{
    if (a->t == VAL_NULL || b->t == VAL_NULL)
        return (a->t == VAL_NULL) - (b->t == VAL_NULL);
    int d = a->t == VAL_TEXT                     ? str_cmp_natural(a->s, b->s)
            : a->t == VAL_INT && b->t == VAL_INT ? a->i < b->i ? -1 : a->i > b->i
                                                 : (val_num(a) > val_num(b)) - (val_num(a) < val_num(b));
    return desc ? -d : d;
}

static struct view *open_ranks(struct store *s, const char *id, const int *ranks, size_t n,
                               struct rowpool *pool, const struct view_scope *scope)
{
    struct view_part parts[3];
    struct err e = ERR_INIT;
    struct view *v = NULL;

    for (size_t i = 0; i < n; i++)
        parts[i] = (struct view_part){ .store = s, .rank = ranks[i], .pool = pool };
    assert_int_equal(view_open(&v, view_def_find(id), parts, n, scope, &e), OK);
    return v;
}

/* Rows of v from `at` on are those of the one-rank view w, which belong to this part. */
static size_t expect_rows(struct view *v, size_t at, struct view *w, int rank)
{
    for (size_t i = 0; i < view_rows(w); i++, at++) {
        int p = -9;
        assert_true(at < view_rows(v));
        assert_true(view_row_key(v, at, &p) == view_row_key(w, i, NULL));
        assert_int_equal(p, rank);
    }
    return at;
}

static void expect_order(struct view *v, int col, bool desc)
{
    struct err e = ERR_INIT;
    struct page p;
    int last_rank = 0, rank = 0;
    int64_t last_key = 0;

    assert_int_equal(view_page(v, 0, view_rows(v), VIEW_STORED, &p, &e), OK);
    for (size_t i = 0; i < p.n; i++) {
        int64_t key = view_row_key(v, i, &rank);
        if (i) {
            int d = val_cmp(page_val(&p, i - 1, (size_t)col), page_val(&p, i, (size_t)col), desc);
            assert_true(d < 0 || (d == 0 && (last_rank < rank || (last_rank == rank && last_key < key))));
        }
        last_rank = rank;
        last_key = key;
    }
}

static void rows_of_several_ranks_follow_each_other_and_sort_together(void **state)
{
    (void)state;
    static const int ranks[] = { 0, 7, 1 }; /* the second one has no rows */
    struct err e = ERR_INIT;
    struct store *s = make_store(N_OPS, N_EXECS);
    struct rowpool *pool = NULL;
    struct buf line;

    buf_init(&line, 1 << 16);
    assert_int_equal(rowpool_new(&pool, ROWPOOL_LIMIT_B, &e), OK);
    for (int round = 0; round < 40; round += (int)sample_step(3)) {
        const char *id = round % 2 ? "ops.exec" : "host.sample";
        struct view_scope scope = random_scope();
        struct view *v = open_ranks(s, id, ranks, 3, pool, &scope), *w[3];
        struct filter *f = random_filter(view_definition(v), &line);
        size_t at = 0;
        if (strchr(line.p, '/')) { /* the text of a row has its rank here and not there */
            filter_free(f);
            view_close(v);
            continue;
        }
        assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
        for (size_t i = 0; i < 3; i++) {
            w[i] = open_ranks(s, id, ranks + i, 1, pool, &scope);
            assert_int_equal(view_set_filters(w[i], &f, 1, NULL, &e), OK);
            at = expect_rows(v, at, w[i], ranks[i]);
        }
        assert_int_equal(at, view_rows(v));
        int col = (int)rnd(view_n_cols(v));
        for (int desc = 0; desc < 2; desc++) {
            assert_int_equal(view_sort(v, col, desc, &e), OK);
            expect_order(v, col, desc);
        }
        for (size_t i = 0; i < 3; i++)
            view_close(w[i]);
        view_close(v);
        filter_free(f);
    }
    rowpool_free(pool);
    store_close(s);
    buf_done(&line);
}

/* ---- more rows and texts than are sorted at once ---- */

static struct store *big;

static int make_big(void **state)
{
    (void)state;
    big = make_store(68000, 110000);
    return 0;
}

static int close_big(void **state)
{
    (void)state;
    store_close(big);
    return 0;
}

static void first_rows_of_many_stand_where_they_stay(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct store *s = big;
    struct view_scope scope = { .step0 = 1, .step1 = 11 };
    struct view *v = open_view(s, "ops.exec", NULL, &scope);
    static const char *const cols[] = { "op_name", "dur_ns", "block_num", "ts_ns", "type" };

    assert_true(view_rows(v) > 66000);
    for (size_t i = 0; i < ARRAY_LEN(cols); i++)
        for (int desc = 0; desc < 2; desc++) {
            int64_t first[600];
            bool more = true;
            int col = view_find_col(v, cols[i]);
            assert_int_equal(view_sort(v, col, desc, &e), OK);
            for (size_t r = 0; r < ARRAY_LEN(first); r++)
                first[r] = view_row_key(v, r, NULL);
            while (more)
                assert_int_equal(view_work(v, 1000000, &more, &e), OK);
            for (size_t r = 0; r < ARRAY_LEN(first); r++)
                assert_true(first[r] == view_row_key(v, r, NULL));
            size_t last = view_rows(v) - 1;
            assert_true(view_row_of_key(v, view_row_key(v, last, NULL), 0) == last);
            if (i < 2 && desc == (int)(i % 2))
                check(v, s, cols[i]);
        }
    view_close(v);
}

/* Texts that nobody put in order yet: few rows are sorted by them all the same. */
static void few_rows_of_many_texts_are_sorted(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct view_scope scope = VIEW_SCOPE_ALL;

    for (int desc = 0; desc < 2; desc++) {
        struct view *v = open_view(big, "ops.exec", NULL, &scope);
        struct filter *f = NULL;
        assert_int_equal(filter_parse(&f, STR("op_name~layer3/c"), view_definition(v), &e), OK);
        assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
        assert_true(view_rows(v) > 500);
        assert_int_equal(view_sort(v, 0, desc, &e), OK);
        check(v, big, "few rows");
        view_close(v);
        filter_free(f);
    }
}

/*
 * A filter that takes many slices: what is shown meanwhile is the beginning of the result, and the number
 * only grows.
 */
static void rows_found_while_counting_stay(void **state)
{
    (void)state;
    static const char *const lines[] = { "op_name~[cs].*op1", "/matmul/ !conv", "!op_name~a.*b.*c" };
    struct err e = ERR_INIT;
    struct store *s = big;
    struct view_scope scope = VIEW_SCOPE_ALL;

    for (size_t i = 0; i < 2 * ARRAY_LEN(lines); i++) {
        struct view *v = open_view(s, "ops.exec", NULL, &scope);
        struct filter *f = NULL;
        int64_t seen[600];
        size_t n_seen = 0, slices = 0;
        bool more;
        if (i % 2)
            assert_int_equal(view_sort(v, view_find_col(v, "wait_ns"), true, &e), OK);
        assert_int_equal(filter_parse(&f, str_of(lines[i / 2]), view_definition(v), &e), OK);
        assert_int_equal(view_filter_begin(v, &f, 1, &e), OK);
        for (; view_is_counting(v); slices++) {
            assert_int_equal(view_work(v, 200000, &more, &e), OK);
            if (!view_is_counting(v))
                break;
            assert_true(view_rows(v) >= n_seen);
            for (; n_seen < view_rows(v) && n_seen < ARRAY_LEN(seen); n_seen++)
                seen[n_seen] = view_row_key(v, n_seen, NULL);
        }
        assert_true(slices > 3 && n_seen > 100);
        for (size_t r = 0; r < n_seen; r++)
            assert_true(seen[r] == view_row_key(v, r, NULL));
        if (i == 1)
            check(v, s, lines[i / 2]);
        view_close(v);
        filter_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_memory_are_what_the_statement_gives),
        cmocka_unit_test(a_pool_without_room_changes_nothing),
        cmocka_unit_test(a_pool_stays_within_its_limit_and_shares_rows),
        cmocka_unit_test(sums_of_fractions_are_those_of_the_statement),
        cmocka_unit_test(a_column_just_read_stays),
        cmocka_unit_test(typing_letter_by_letter_gives_the_same_rows),
        cmocka_unit_test(rows_of_several_ranks_follow_each_other_and_sort_together),
        cmocka_unit_test(first_rows_of_many_stand_where_they_stay),
        cmocka_unit_test(few_rows_of_many_texts_are_sorted),
        cmocka_unit_test(rows_found_while_counting_stay),
    };
    if (getenv("NPUSCOPE_SEED"))
        seed = strtoull(getenv("NPUSCOPE_SEED"), NULL, 10) * 2654435761u + 1;
    return cmocka_run_group_tests(tests, make_big, close_big);
}
