/* SPDX-License-Identifier: Apache-2.0 */
/* Views: every definition works, filters and sorting agree with the statement behind `;`. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/re.h"
#include "model/view/view.h"
#include "store/fill/fill.h"

/* 300 executions of 7 ops on rank 0 and 100 on rank 1; some values unknown. */
static struct store *make_store(void)
{
    static const char *const types[] = { "Conv2D",          "MatMul", "TransData", "BNTraining",
                                         "hcom_allReduce_", "Cast",   "Weird'Name" };
    static const char *const cores[] = { "AIC", "AIC", "AIV", "AIC", "HCCL", "AICPU", "AIV" };
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 0; i < 400; i++) {
        struct op_key k = OP_KEY_INIT;
        struct op_attr a = OP_ATTR_INIT;
        char name[100];
        int t = (i * 13) % 7;
        snprintf(name, sizeof name, "Default/layer%d/%s-op%d", i % 5, types[t], t + 10 * (i % 5));
        k.name_id = sink_intern(fill_sink(f), str_of(name));
        k.type_id = sink_intern(fill_sink(f), str_of(types[t]));
        a.core = str_of(cores[t]);
        int64_t op = sink_op(fill_sink(f), &k, &a, &e);
        struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, op_id)] = val_int(op),
            [COL(op_exec, rank)] = val_int(i < 300 ? 0 : 1),
            [COL(op_exec, step)] = i % 11 ? val_int(i / 100) : val_null(),
            [COL(op_exec, stream)] = val_int(i % 3),
            [COL(op_exec, ts_ns)] = val_int(1700000000000000000 + i * 1000),
            [COL(op_exec, dur_ns)] = i % 17 ? val_int((i * 7919) % 1000 * 1000) : val_null(),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static struct view *open_view(struct store *s, const char *id, size_t ranks)
{
    const struct view_part parts[] = { { .store = s, .rank = 0 }, { .store = s, .rank = 1 } };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct err e = ERR_INIT;
    struct view *v = NULL;

    if (view_open(&v, view_def_find(id), parts, ranks, &all, &e))
        fail_msg("%s: %s", id, e.text);
    return v;
}

#define OF_ONE_RANK "-- of rank 0 alone; the table adds up 2 ranks\n"
static void every_view_opens_and_its_statement_runs(void **state)
{
    (void)state;
    struct store *s = make_store();

    for (size_t n = 0; n < view_n_defs; n++) {
        const struct view_def *d = view_defs[n];
        for (size_t ranks = 1; ranks <= 2; ranks++) {
            struct err e = ERR_INIT;
            struct view *v = open_view(s, d->id, ranks);
            struct page p;
            struct buf sql;
            struct query *q = NULL;
            if (view_page(v, 0, 10, VIEW_RELATIVE, &p, &e))
                fail_msg("%s: %s", d->id, e.text);
            for (size_t c = 0; c < view_n_cols(v); c++)
                if (view_sort(v, (int)c, true, &e))
                    fail_msg("%s by %s: %s", d->id, view_col(v, c)->id, e.text);
            buf_init(&sql, 1 << 20);
            view_sql(v, &sql);
            assert_int_equal(str_starts(buf_str(&sql), STR(OF_ONE_RANK)), d->merge && ranks == 2);
            if (store_user_query(s, &q, buf_str(&sql), NULL, &e))
                fail_msg("%s: %s\n%s", d->id, e.text, sql.p);
            query_free(q);
            buf_done(&sql);
            if (d->needs && store_query(s, &q, d->needs, &e))
                fail_msg("%s needs: %s", d->id, e.text);
            query_free(d->needs ? q : NULL);
            view_close(v);
        }
    }
    store_close(s);
}

static void ids_of_definitions_are_unique_and_named_by_unit(void **state)
{
    (void)state;
    for (size_t n = 0; n < view_n_defs; n++) {
        const struct view_def *d = view_defs[n];
        assert_ptr_equal(view_def_find(d->id), d);
        assert_true(!d->sort || strlen(d->sort) > 0);
        for (size_t i = 0; i < d->n_cols; i++) {
            struct str id = str_of(d->cols[i].id);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(d->cols[i].id, d->cols[k].id);
            if (d->cols[i].unit == VU_NS || d->cols[i].unit == VU_TS)
                assert_true(str_ends(id, STR("_ns")));
            if (d->cols[i].unit == VU_BYTES)
                assert_true(str_ends(id, STR("_b")));
            if (d->cols[i].unit == VU_PCT)
                assert_true(str_ends(id, STR("_pct")));
            assert_true(d->cols[i].help[0] != 0);
        }
    }
}

/* Rows that a filter leaves, by the view and by the statement behind it. */
static void check_filter(struct store *s, const char *id, const char *line)
{
    struct err e = ERR_INIT;
    struct view *v = open_view(s, id, 1);
    struct filter *f = NULL;
    struct buf sql;
    struct view *w = NULL;
    size_t undecided;
    struct page a, b;

    if (filter_parse(&f, str_of(line), view_definition(v), &e))
        fail_msg("%s: %s", line, e.text);
    assert_int_equal(view_set_filters(v, &f, 1, &undecided, &e), OK);
    assert_int_equal(undecided, 0);
    buf_init(&sql, 1 << 20);
    view_sql(v, &sql);
    if (view_open_sql(&w, s, buf_str(&sql), &e))
        fail_msg("%s: %s\n%s", line, e.text, sql.p);
    if (view_rows(v) != view_rows(w))
        fail_msg("%s %s: %zu rows in the view, %zu by\n%s", id, line, view_rows(v), view_rows(w), sql.p);
    assert_int_equal(view_page(v, 0, 1000, VIEW_STORED, &a, &e), OK);
    assert_int_equal(view_page(w, 0, 1000, VIEW_STORED, &b, &e), OK);
    bool desc;
    int col = view_sorted_by(v, &desc);
    for (size_t r = 0; r < a.n && col >= 0; r++)
        assert_true(val_num(page_val(&a, r, (size_t)col)) == val_num(page_val(&b, r, (size_t)col)));
    int running = view_find_col(v, "cum_pct"); /* of the rows that are left */
    for (size_t r = 0; r < a.n && running >= 0; r++)
        if (page_val(&a, r, (size_t)running)->t != VAL_NULL)
            assert_true(fabs(val_num(page_val(&a, r, (size_t)running)) -
                             val_num(page_val(&b, r, (size_t)running))) < 1e-9);
    buf_done(&sql);
    view_close(v);
    view_close(w);
    filter_free(f);
}

static void filters_agree_with_sql(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "conv2d",
        "conv|matmul",
        "^default",
        "^conv|op1$",
        "!op2$",
        "name~layer[34]/.*Conv",
        "type!~^BN",
        "core=AICPU",
        "core!=AICPU",
        "dur>100us",
        "dur>=0.5ms dur<700us",
        "stream in 1,2",
        "step in 1..2",
        "step between 1..",
        "/Conv2D.*\\t1/",
        "!type=HCCL",
        "!dur>100us",
        "type=\"Weird'Name\"",
        "d\'n",
        "!conv",
        "|", /* no text at all: nothing */
        "!|",
        "dur=7us",
        "step!=1",
        "!step in 0,1",
        "core in AIC,AIV dur<50us",
    };
    struct store *s = make_store();
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        check_filter(s, "ops.exec", lines[i]);
    check_filter(s, "ops.exec", "time>0.5ms"); /* dur_ns: there is no column of that name */
    check_filter(s, "ops.type", "share>10%");
    check_filter(s, "ops.type", "conv total>1ms");
    check_filter(s, "ops.op", "avg>300us type~^[CM]");
    store_close(s);
}

static void filter_errors_name_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *line, *text;
        uint64_t offset;
    } cases[] = {
        { "nosuch=1", "no column 'nosuch'", 0 },
        { "conv dur>abc", "not a number: 'abc'", 9 },
        { "type>3", "a text column cannot be compared with '3'", 5 },
        { "conv type~(a", NULL, 12 },
        { "/abc", "not closed: '/'", 0 },
        { "dur>", "a value is missing after 'dur'", 4 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_INIT;
        struct filter *f = NULL;
        assert_int_equal(filter_parse(&f, str_of(cases[i].line), view_def_find("ops.exec"), &e), ERR_USAGE);
        if (cases[i].text)
            assert_string_equal(e.text, cases[i].text);
        assert_int_equal(e.offset, cases[i].offset);
    }
}

static void sorting_is_stable_and_puts_unknown_last(void **state)
{
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.exec", 1);
    struct page p;
    int dur = view_find_col(v, "dur_ns");
    for (int desc = 0; desc < 2; desc++) {
        assert_int_equal(view_sort(v, dur, desc, &e), OK);
        assert_int_equal(view_page(v, 0, 300, VIEW_STORED, &p, &e), OK);
        bool nulls = false;
        for (size_t i = 0; i < p.n; i++) {
            const struct val *x = page_val(&p, i, (size_t)dur);
            nulls |= x->t == VAL_NULL;
            assert_true(!nulls || x->t == VAL_NULL);
            if (i && !nulls) {
                int64_t a = page_val(&p, i - 1, (size_t)dur)->i, b = x->i;
                assert_true(desc ? a >= b : a <= b);
                if (a == b)
                    assert_true(view_row_key(v, i - 1, NULL) < view_row_key(v, i, NULL));
            }
        }
        assert_true(nulls);
    }
    view_close(v);
    store_close(s);
}

static void several_ranks_stand_in_one_table(void **state)
{
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.exec", 2);
    struct page p;
    assert_int_equal(view_rows(v), 400);
    assert_string_equal(view_col(v, 0)->id, "rank");
    assert_int_equal(view_sort(v, 0, true, &e), OK);
    assert_int_equal(view_page(v, 0, 1, VIEW_STORED, &p, &e), OK);
    assert_int_equal(page_val(&p, 0, 0)->i, 1);
    struct filter *f = NULL;
    assert_int_equal(filter_parse(&f, STR("conv2d"), view_definition(v), &e), OK);
    assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
    assert_true(view_rows(v) > 40 && view_rows(v) < 70);
    assert_int_equal(view_page(v, 0, 1, VIEW_ABSOLUTE, &p, &e), OK);
    assert_true(page_val(&p, 0, (size_t)view_find_col(v, "ts_ns"))->i >= 1700000000000000000);
    view_close(v);
    filter_free(f);
    store_close(s);
}

/* The rank is a column that no definition has: a filter may name it all the same. */
static void ranks_are_filtered(void **state)
{
    static const struct {
        const char *line;
        size_t rows;
    } cases[] = {
        { "rank=1", 100 },       { "rank in 0,1", 400 }, { "!rank=1", 300 },
        { "rank>0", 100 },       { "rank<0", 0 },        { "rank~^1$", 100 },
        { "Rank in 0..5", 400 }, { "rank=2", 0 },        { "rank=1 rank=0", 0 },
    };
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.exec", 2);
    struct filter *f = NULL;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (filter_parse(&f, str_of(cases[i].line), view_definition(v), &e))
            fail_msg("%s: %s", cases[i].line, e.text);
        assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
        if (view_rows(v) != cases[i].rows)
            fail_msg("%s: %zu rows, wanted %zu", cases[i].line, view_rows(v), cases[i].rows);
        assert_int_equal(view_set_filters(v, NULL, 0, NULL, &e), OK);
        filter_free(f);
    }
    assert_int_equal(filter_parse(&f, STR("rank>x"), view_definition(v), &e), ERR_USAGE);
    err_clear(&e);
    view_close(v);
    assert_int_equal(filter_parse(&f, STR("rank=1"), view_def_find("files.list"), &e), OK);
    assert_int_not_equal(f->tests[0].col, FILTER_RANK); /* it has one of its own */
    filter_free(f);
    check_filter(s, "ops.exec", "rank=0");
    check_filter(s, "ops.exec", "rank=3");
    store_close(s);
}

/*
 * A pattern that cannot be decided costs little time: the rows are counted, a search says so
 * (doc/reliability.md#patterns).
 */
static void costly_patterns_are_counted(void **state)
{
    static const char sql[] =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100000) "
        "SELECT 'Default/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' || x || '_' AS name FROM c "
        "UNION ALL SELECT 'Default/aaa'";

    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store();
    struct view *v = NULL;
    struct filter *f = NULL;
    struct re *re = NULL;
    size_t undecided;

    assert_int_equal(view_open_sql(&v, s, str_of(sql), &e), OK);
    assert_int_equal(filter_parse(&f, STR("name~(a+)+$"), view_definition(v), &e), OK);
    for (int k = 0; k < 2; k++) { /* a second time it costs the same */
        clock_t t = clock();
        assert_int_equal(view_set_filters(v, &f, 1, &undecided, &e), OK);
        assert_true(clock() - t < 3 * CLOCKS_PER_SEC);
        assert_true(undecided >= 100000);
        assert_true(view_rows(v) <= 1);
    }
    assert_int_equal(view_set_filters(v, NULL, 0, NULL, &e), OK);
    assert_int_equal(re_new(&re, STR("(a+)+$"), RE_NOCASE, &e), OK);
    assert_int_equal(view_search(v, re, 0, 1, &e), SIZE_MAX);
    assert_int_equal(e.code, ERR_LIMIT);
    re_free(re);
    filter_free(f);
    view_close(v);
    store_close(s);
}

/* The rows shown are n of first .. first+rows-1, in this order, and so is everything that is kept of them. */
static void shows_numbers(struct view *v, int64_t first, size_t rows, bool desc)
{
    struct err e = ERR_INIT;
    struct page p;
    double min, max, sum;

    assert_int_equal(view_rows(v), rows);
    assert_int_equal(view_page(v, 0, 100, VIEW_STORED, &p, &e), OK);
    assert_int_equal(p.n, rows);
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(page_val(&p, i, 0)->i, first + (int64_t)(desc ? rows - 1 - i : i));
    assert_true(view_range(v, 0, &min, &max, &sum, &e));
    assert_true(min == (double)first && max == (double)first + (double)rows - 1);
    assert_true(sum == (min + max) / 2 * (double)rows);
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(view_row_of_key(v, view_row_key(v, i, NULL), 0), i);
}

/*
 * One filter after another, or both: with the same rows, and with as many others. What was kept of the one
 * before by the number of its rows would be shown again.
 */
static void filters_with_equal_rows_are_told_apart(void **state)
{
    static const char *const lines[] = { "n<50", "n<=49", "n>=50" };
    static const struct {
        size_t n;
        int filter[2];
        int64_t first;
    } steps[] = { { 1, { 0 }, 0 },    { 1, { 1 }, 0 },  { 1, { 2 }, 50 }, { 1, { 1 }, 0 },
                  { 2, { 0, 1 }, 0 }, { 1, { 2 }, 50 }, { 1, { 0 }, 0 },  { 2, { 1, 0 }, 0 } };

    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store();
    struct filter *f[ARRAY_LEN(lines)];
    struct view *v = NULL;

    assert_int_equal(view_open_sql(&v, s,
                                   STR("WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c "
                                       "WHERE n < 99) SELECT n FROM c"),
                                   &e),
                     OK);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(filter_parse(&f[i], str_of(lines[i]), view_definition(v), &e), OK);
    for (int desc = 0; desc <= 1; desc++) {
        assert_int_equal(view_sort(v, 0, desc, &e), OK);
        for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
            struct filter *const used[] = { f[steps[i].filter[0]], f[steps[i].filter[1]] };
            bool more = true;
            if (i % 2) {
                assert_int_equal(view_set_filters(v, used, steps[i].n, NULL, &e), OK);
            } else {
                assert_int_equal(view_filter_begin(v, used, steps[i].n, &e), OK);
                while (more)
                    assert_int_equal(view_work(v, 1000000, &more, &e), OK);
            }
            shows_numbers(v, steps[i].first, 50, desc);
        }
    }
    view_close(v);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        filter_free(f[i]);
    store_close(s);
}

static bool stop_at_once(void *arg)
{
    (*(int *)arg)++;
    return true;
}

/* Sorting and filtering that the reader stops leave the rows as they were; asked again they are done. */
static void stopped_work_leaves_the_old_rows(void **state)
{
    static const char sql[] =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100000) "
        "SELECT 'name' || x AS name, x % 777 AS n FROM c";

    (void)state;
    struct err e = ERR_INIT;
    struct store *s = make_store();
    struct view *v = NULL;
    struct filter *f = NULL;
    struct page p;
    int calls = 0;

    assert_int_equal(view_open_sql(&v, s, str_of(sql), &e), OK);
    assert_int_equal(filter_parse(&f, STR("n>770"), view_definition(v), &e), OK);
    store_progress(s, stop_at_once, &calls);
    assert_int_equal(view_sort(v, 1, true, &e), ERR_CANCELLED);
    assert_true(calls > 0);
    err_clear(&e);
    assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), ERR_CANCELLED);
    store_progress(s, NULL, NULL);
    err_clear(&e);
    assert_int_equal(view_sorted_by(v, NULL), -1);
    assert_int_equal(view_rows(v), 100000);
    assert_int_equal(view_page(v, 0, 1, VIEW_STORED, &p, &e), OK);
    assert_true(str_eq(page_val(&p, 0, 0)->s, STR("name1")));
    assert_int_equal(view_sort(v, 1, true, &e), OK);
    assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), OK);
    assert_int_equal(view_rows(v), 100000 / 777 * 6 + 100000 % 777 / 771 * 6);
    /* Rows that are in memory already: asked between rows, too. */
    store_progress(s, stop_at_once, &calls);
    assert_int_equal(view_set_filters(v, &f, 1, NULL, &e), ERR_CANCELLED);
    filter_free(f);
    view_close(v);
    store_close(s);
}

/*
 * Steps as a damaged file may give them: with a fraction, beyond what a whole number holds, the largest and
 * smallest whole ones.
 */
static struct store *make_odd_steps(void)
{
    const struct val steps[] = {
        val_int(1),       val_real(1.5), val_int(2),         val_real(-0.5),      val_real(1e300),
        val_real(-1e300), val_null(),    val_int(INT64_MAX), val_int(-INT64_MAX), val_int(3),
    };
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct val v[N_COLS(op_exec)] = {
            [COL(op_exec, rank)] = val_int(0),
            [COL(op_exec, step)] = steps[i],
            [COL(op_exec, ts_ns)] = val_int(1000),
        };
        assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static void step_range_is_as_the_statement_compares(void **state)
{
    (void)state;
    static const struct view_scope ranges[] = {
        { .step0 = 1, .step1 = 1 },
        { .step0 = 1, .step1 = 2 },
        { .step0 = 2, .step1 = INT64_MAX },
        { .step0 = INT64_MIN, .step1 = 1 },
        { .step0 = -1, .step1 = 0 },
        { .step0 = INT64_MAX - 1, .step1 = INT64_MAX - 1 },
        { .step0 = 0, .step1 = INT64_MAX - 1 },
    };
    struct store *s = make_odd_steps();
    const struct view_part part = { .store = s };

    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        struct err e = ERR_INIT;
        struct view *v = NULL, *w = NULL;
        struct buf sql;
        assert_int_equal(view_open(&v, view_def_find("ops.exec"), &part, 1, &ranges[i], &e), OK);
        buf_init(&sql, 1 << 20);
        view_sql(v, &sql);
        assert_int_equal(view_open_sql(&w, s, buf_str(&sql), &e), OK);
        if (view_rows(v) != view_rows(w))
            fail_msg("range %zu: %zu rows, %zu by the statement", i, view_rows(v), view_rows(w));
        buf_done(&sql);
        view_close(v);
        view_close(w);
    }
    store_close(s);
}

/* While filters count only rows found so far have a place. */
static void place_of_a_row_while_counting_is_none_or_final(void **state)
{
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.exec", 1);
    int64_t last = view_row_key(v, view_rows(v) - 1, NULL);
    struct filter *f = NULL;
    bool more;

    assert_int_equal(view_row_of_key(v, last, 0), view_rows(v) - 1);
    assert_int_equal(filter_parse(&f, STR("/matmul/"), view_definition(v), &e), OK);
    assert_int_equal(view_filter_begin(v, &f, 1, &e), OK);
    assert_true(view_is_counting(v));
    assert_true(view_row_of_key(v, last, 0) == SIZE_MAX);
    while (view_is_counting(v))
        assert_int_equal(view_work(v, 1000000, &more, &e), OK);
    for (size_t i = 0; i < view_rows(v); i++)
        assert_int_equal(view_row_of_key(v, view_row_key(v, i, NULL), 0), i);
    view_close(v);
    filter_free(f);
    store_close(s);
}

/* Sorting by one more column while filters count: what is found meanwhile stands in the new order. */
static void sorting_again_while_counting_ends_in_the_new_order(void **state)
{
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.exec", 1), *w = open_view(s, "ops.exec", 1);
    int core = view_find_col(v, "core"), dur = view_find_col(v, "dur_ns");
    struct filter *f = NULL;
    bool more;

    assert_int_equal(view_sort(v, dur, true, &e), OK);
    assert_int_equal(view_sort(w, dur, true, &e), OK);
    assert_int_equal(filter_parse(&f, STR("/[a-z]/ stream<2"), view_definition(v), &e), OK);
    assert_int_equal(view_set_filters(w, &f, 1, NULL, &e), OK);
    assert_int_equal(view_sort_again(w, core, false, &e), OK);
    assert_int_equal(view_filter_begin(v, &f, 1, &e), OK);
    for (int i = 0; i < 100 && view_is_counting(v) && !view_rows(v); i++)
        assert_int_equal(view_work(v, 1, &more, &e), OK);
    assert_true(view_is_counting(v) && view_rows(v) > 0 && view_rows(v) < view_rows(w));
    assert_int_equal(view_sort_again(v, core, false, &e), OK);
    assert_int_equal(view_rows(v), 0); /* nothing is known of the new order */
    while (view_is_counting(v)) {
        assert_int_equal(view_work(v, 1, &more, &e), OK);
        for (size_t i = 0; i < view_rows(v); i++)
            assert_true(view_row_key(v, i, NULL) == view_row_key(w, i, NULL));
    }
    assert_int_equal(view_rows(v), view_rows(w));
    view_close(v);
    view_close(w);
    filter_free(f);
    store_close(s);
}

/* The running share adds up the shown rows, in any order; without filters it ends at 100 %. */
static void running_share_follows_the_filter(void **state)
{
    (void)state;
    struct store *s = make_store();
    struct err e = ERR_INIT;
    struct view *v = open_view(s, "ops.type", 1);
    struct filter *f = NULL;
    int cum = view_find_col(v, "cum_pct"), share = view_find_col(v, "share_pct");
    const char *lines[] = { NULL, "conv|matmul", NULL };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct page p;
        double most = 0, sum = 0;
        if (lines[i])
            assert_int_equal(filter_parse(&f, str_of(lines[i]), view_definition(v), &e), OK);
        assert_int_equal(view_set_filters(v, &f, lines[i] != NULL, NULL, &e), OK);
        assert_int_equal(view_page(v, 0, 100, VIEW_RELATIVE, &p, &e), OK);
        assert_true(p.n > 1);
        for (size_t r = 0; r < p.n; r++) {
            if (page_val(&p, r, (size_t)share)->t == VAL_NULL)
                continue;
            sum += val_num(page_val(&p, r, (size_t)share));
            most = fmax(most, val_num(page_val(&p, r, (size_t)cum)));
        }
        assert_true(fabs(most - sum) < 1e-9);
        assert_true(lines[i] ? most < 99 : fabs(most - 100) < 1e-9);
    }
    view_close(v);
    filter_free(f);
    store_close(s);
}

/* Means, extremes and levels have no sum over rows: the screen must not add them up. */
static void columns_add_up_only_what_has_a_sum(void **state)
{
    (void)state;
    static const char *const not_sums[] = { "mean",     "shortest", "longest",    "largest",        "most ",
                                            "smallest", "rate",     "HBM in use", "memory alive at" };
    static const char *const sums[] = { "sum of", "executions", "share of all" };
    size_t seen = 0, bad = 0;
    for (size_t n = 0; n < view_n_defs; n++)
        for (size_t i = 0; i < view_defs[n]->n_cols; i++) {
            const struct view_col *c = &view_defs[n]->cols[i];
            struct str help = str_of(c->help);
            bool sum = false, level = false;
            for (size_t k = 0; k < ARRAY_LEN(not_sums); k++)
                level |= str_starts(help, str_of(not_sums[k]));
            for (size_t k = 0; k < ARRAY_LEN(sums); k++)
                sum |= str_starts(help, str_of(sums[k])) && c->type != VT_TEXT && c->unit != VU_NONE;
            sum &= !(c->flags & VC_INSIDE); /* of one row, not of several */
            level |= (c->flags & VC_INSIDE) != 0;
            seen += sum || level;
            if ((sum || level) && view_col_adds(c) != sum) {
                print_message("%s: %s, %s\n", view_defs[n]->id, c->id, c->help);
                bad++;
            }
        }
    assert_true(seen > 60);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_view_opens_and_its_statement_runs),
        cmocka_unit_test(ids_of_definitions_are_unique_and_named_by_unit),
        cmocka_unit_test(filters_agree_with_sql),
        cmocka_unit_test(filter_errors_name_the_place),
        cmocka_unit_test(sorting_is_stable_and_puts_unknown_last),
        cmocka_unit_test(several_ranks_stand_in_one_table),
        cmocka_unit_test(ranks_are_filtered),
        cmocka_unit_test(costly_patterns_are_counted),
        cmocka_unit_test(filters_with_equal_rows_are_told_apart),
        cmocka_unit_test(stopped_work_leaves_the_old_rows),
        cmocka_unit_test(step_range_is_as_the_statement_compares),
        cmocka_unit_test(place_of_a_row_while_counting_is_none_or_final),
        cmocka_unit_test(sorting_again_while_counting_ends_in_the_new_order),
        cmocka_unit_test(columns_add_up_only_what_has_a_sum),
        cmocka_unit_test(running_share_follows_the_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
