/* SPDX-License-Identifier: Apache-2.0 */
/* Comm and Ops of a rank that hangs: what runs is found by its newest row, and is in no sum. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "model/view/view.h"
#include "model/writer/export.h"
#include "store/fill/fill.h"

static void put_exec(struct sink *k, const char *name, int64_t ts, int64_t dur)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_exec)] = {
        [COL(comm_exec, rank)] = val_int(0),
        [COL(comm_exec, name_id)] = val_id(sink_intern(k, str_of(name))),
        [COL(comm_exec, type_id)] = val_id(sink_intern(k, STR("allReduce"))),
        [COL(comm_exec, group_id)] = val_id(sink_intern(k, STR("world"))),
        [COL(comm_exec, ts_ns)] = val_int(ts),
        [COL(comm_exec, dur_ns)] = val_int(dur),
    };

    assert_int_equal(sink_row(k, T_comm_exec, v, N_COLS(comm_exec), NULL, &e), OK);
}

static void put_running(struct sink *k, const char *name, int64_t ts)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(last_activity)] = {
        [COL(last_activity, rank)] = val_int(0),
        [COL(last_activity, kind)] = val_cstr("comm"),
        [COL(last_activity, name_id)] = val_id(sink_intern(k, str_of(name))),
        [COL(last_activity, ts_ns)] = val_int(ts),
        [COL(last_activity, state)] = val_cstr("running"),
    };

    assert_int_equal(sink_row(k, T_last_activity, v, N_COLS(last_activity), NULL, &e), OK);
}

static void put_group(struct sink *k, const char *id)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_group)] = {
        [COL(comm_group, group_id)] = val_id(sink_intern(k, str_of(id))),
        [COL(comm_group, ranks)] = val_cstr("0,1"),
    };

    assert_int_equal(sink_row(k, T_comm_group, v, N_COLS(comm_group), NULL, &e), OK);
}

/*
 * Of reduce a task that has not ended began at 90, before those that have; gather ran once, then hangs.
 * before: so many ops of both that ended.
 */
static struct store *hung(int before)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = before; i > 0; i--)
        put_exec(fill_sink(f), i % 2 ? "reduce" : "gather", -i, 1);
    put_exec(fill_sink(f), "reduce", 10, 7);
    put_exec(fill_sink(f), "gather", 30, 5);
    put_exec(fill_sink(f), "reduce", 100, 1000);
    put_running(fill_sink(f), "reduce", 90);
    put_running(fill_sink(f), "gather", 95);
    put_group(fill_sink(f), "world");
    put_group(fill_sink(f), "idle");
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static struct view *open_page(struct store *s, const char *id, size_t rows, struct page *p)
{
    const struct view_part part = { .store = s, .rank = 0 };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct err e = ERR_INIT;
    struct view *v = NULL;

    if (view_open(&v, view_def_find(id), &part, 1, &all, &e))
        fail_msg("%s: %s", id, e.text);
    assert_int_equal(view_page(v, 0, 10, VIEW_STORED, p, &e), OK);
    assert_int_equal(p->n, rows);
    return v;
}

static const struct val *cell(struct view *v, const struct page *p, size_t row, const char *col)
{
    int at = view_find_col(v, col);

    assert_true(at >= 0);
    return page_val(p, row, (size_t)at);
}

static void op_whose_open_task_began_first_runs(void **state)
{
    struct store *s = hung(0);
    struct page p = { .n = 0 };
    struct view *v = open_page(s, "comm.op", 3, &p);
    size_t running = 0;

    (void)state;
    for (size_t i = 0; i < p.n; i++) {
        bool runs = cell(v, &p, i, "state")->t != VAL_NULL;
        running += runs;
        assert_int_equal(runs, cell(v, &p, i, "dur_ns")->i == 1000);
    }
    assert_int_equal(running, 1);
    view_close(v);
    store_close(s);
}

static void sums_are_without_what_runs(void **state)
{
    static const char *const ids[] = { "comm.type", "comm.group" };
    struct store *s = hung(0);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct page p = { .n = 0 };
        struct view *v = open_page(s, ids[i], i + 1, &p);
        assert_int_equal(cell(v, &p, 0, "calls")->i, 2);
        assert_true(val_num(cell(v, &p, 0, "total_ns")) == 12);
        assert_true(val_num(cell(v, &p, 0, "avg_ns")) == 6);
        assert_int_equal(cell(v, &p, 0, "running")->i, 1);
        if (i) /* a group in which nothing ran */
            assert_int_equal(cell(v, &p, 1, "calls")->t, VAL_NULL);
        view_close(v);
    }
    store_close(s);
}

/* dur < 0: it has not ended. */
static void put_op_exec(struct sink *k, const char *name, int64_t ts, int64_t dur)
{
    struct err e = ERR_INIT;
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    key.name_id = sink_intern(k, str_of(name));
    key.type_id = sink_intern(k, STR("allReduce"));
    attr.core = STR("HCCL");
    const struct val v[N_COLS(op_exec)] = {
        [COL(op_exec, op_id)] = val_int(sink_op(k, &key, &attr, &e)),
        [COL(op_exec, rank)] = val_int(0),
        [COL(op_exec, ts_ns)] = val_int(ts),
        [COL(op_exec, dur_ns)] = dur < 0 ? val_null() : val_int(dur),
    };
    assert_int_equal(sink_row(k, T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
}

static struct store *hung_ops(void)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    put_op_exec(fill_sink(f), "reduce_0", 10, 7);
    put_op_exec(fill_sink(f), "reduce_1", 20, -1); /* its source has no duration of it */
    put_op_exec(fill_sink(f), "reduce_2", 30, 5);
    put_op_exec(fill_sink(f), "reduce_3", 100, -1);
    put_running(fill_sink(f), "reduce_3", 100);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static void sums_of_ops_are_without_what_runs(void **state)
{
    struct store *s = hung_ops();
    struct page p = { .n = 0 };
    struct view *v = open_page(s, "ops.type", 1, &p);
    struct err e = ERR_INIT;
    struct query *q = NULL;

    (void)state;
    assert_int_equal(cell(v, &p, 0, "calls")->i, 2);
    assert_true(val_num(cell(v, &p, 0, "total_ns")) == 12);
    assert_true(val_num(cell(v, &p, 0, "avg_ns")) == 6);
    assert_true(val_num(cell(v, &p, 0, "min_ns")) == 5);
    assert_int_equal(cell(v, &p, 0, "running")->i, 1);
    view_close(v);
    v = open_page(s, "ops.exec", 4, &p);
    for (size_t i = 0; i < p.n; i++) {
        const bool runs = cell(v, &p, i, "ts_ns")->i == 100;
        assert_int_equal(cell(v, &p, i, "state")->t, runs ? VAL_TEXT : VAL_NULL);
        assert_int_equal(cell(v, &p, i, "dur_ns")->t == VAL_NULL, i % 2);
    }
    view_close(v);
    assert_int_equal(store_query(s, &q, "SELECT calls, total_ns, avg_ns FROM op_types", &e), OK);
    assert_int_equal(query_step(q, &e), 1);
    assert_int_equal(query_int(q, 0), 2);
    assert_int_equal(query_int(q, 1), 12);
    assert_true(query_real(q, 2) == 6);
    query_free(q);
    store_close(s);
}

static void what_runs_comes_first_in_any_order(void **state)
{
    static const char *const cols[] = { "op_name", "state", "dur_ns", "size_b" };
    struct store *s = hung(200);
    struct page p = { .n = 0 };
    struct view *v = open_page(s, "comm.op", 10, &p);
    struct err e = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < 2 * ARRAY_LEN(cols); i++) {
        assert_int_equal(view_sort(v, view_find_col(v, cols[i / 2]), i % 2, &e), OK);
        assert_int_equal(view_page(v, 0, 10, VIEW_STORED, &p, &e), OK);
        assert_true(cell(v, &p, 0, "state")->t == VAL_TEXT);
        assert_true(cell(v, &p, 1, "state")->t == VAL_NULL);
        const int64_t second = cell(v, &p, 1, "dur_ns")->i; /* the statement of `;` gives the same */
        struct query *q = NULL;
        struct buf sql;
        buf_init(&sql, 1 << 16);
        view_sql(v, &sql);
        assert_int_equal(store_query(s, &q, buf_str(&sql).p, &e), OK);
        assert_int_equal(query_step(q, &e), 1);
        assert_false(query_null(q, (size_t)view_find_col(v, "state")));
        assert_int_equal(query_step(q, &e), 1);
        assert_true(query_null(q, (size_t)view_find_col(v, "state")));
        assert_int_equal(query_int(q, (size_t)view_find_col(v, "dur_ns")), second);
        query_free(q);
        buf_done(&sql);
    }
    view_close(v);
    store_close(s);
}

/* The newest row of a name is looked for where it may be the one that runs, not for each row. */
static void many_ops_of_few_names_are_added_up_soon(void **state)
{
    struct store *s = hung(40000);
    struct page p = { .n = 0 };
    const clock_t begun = clock();

    (void)state;
    struct view *v = open_page(s, "comm.type", 1, &p);
    assert_int_equal(cell(v, &p, 0, "calls")->i, 40002);
    assert_int_equal(cell(v, &p, 0, "running")->i, 1);
    view_close(v);
    v = open_page(s, "comm.group", 2, &p);
    view_close(v);
    v = open_page(s, "comm.op", 10, &p);
    view_close(v);
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 10);
    store_close(s);
}

/* ---- text for people ---- */

static int add_text(void *arg, struct str s, struct err *e)
{
    (void)e;
    buf_add(arg, s);
    return OK;
}

/* State is a column where what runs is among the rows that are written: it comes first in any order. */
static void text_has_state_of_the_rows_it_shows(void **state)
{
    (void)state;
    static const struct {
        bool desc;
        int64_t top;
        bool has_state;
    } all[] = { { false, 0, false }, { false, 1, true }, { false, 3, true }, { false, -1, true },
                { true, 0, false },  { true, 1, true },  { true, -1, true } };
    struct store *s = hung(0);
    struct page page;
    struct view *v = open_page(s, "comm.op", 3, &page);
    struct err e = ERR_INIT;

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct buf b;
        struct writer *w = NULL;
        const struct write_opts wo = { .format = FMT_TEXT, .header = true };
        const struct write_to to = { .add = add_text, .arg = &b };
        const struct export_rows o = { .top = all[i].top, .times = VIEW_STORED };
        buf_init(&b, 1 << 16);
        assert_int_equal(view_sort(v, view_find_col(v, "dur_ns"), all[i].desc, &e), OK);
        assert_int_equal(writer_new(&w, &to, &wo, &e), OK);
        assert_int_equal(export_view(w, v, &o, &e), OK);
        assert_int_equal(writer_finish(w, &e), OK);
        writer_free(w);
        assert_true(str_find(buf_str(&b), STR("Elapsed"), 0) != SIZE_MAX);
        assert_int_equal(str_find(buf_str(&b), STR("State"), 0) != SIZE_MAX, all[i].has_state);
        assert_int_equal(str_find(buf_str(&b), STR("RUNNING"), 0) != SIZE_MAX, all[i].has_state);
        buf_done(&b);
    }
    view_close(v);
    store_close(s);
}

/* ---- keys of rows that are of several ranks ---- */

static struct store *ranks_of_types(void)
{
    static const struct {
        int rank;
        const char *type;
    } all[] = { { 1, "gather" }, { 1, "reduce" }, { 0, "allReduce" }, { 0, "reduce" } };
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct sink *k = fill_sink(f);
        const struct val v[N_COLS(comm_exec)] = {
            [COL(comm_exec, rank)] = val_int(all[i].rank),
            [COL(comm_exec, name_id)] = val_id(sink_intern(k, STR("op"))),
            [COL(comm_exec, type_id)] = val_id(sink_intern(k, str_of(all[i].type))),
            [COL(comm_exec, ts_ns)] = val_int((int64_t)i * 10),
            [COL(comm_exec, dur_ns)] = val_int(5),
        };
        assert_int_equal(sink_row(k, T_comm_exec, v, N_COLS(comm_exec), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static size_t row_of_type(struct view *v, const char *type)
{
    struct err e = ERR_INIT;
    struct page p;

    assert_int_equal(view_page(v, 0, 10, VIEW_STORED, &p, &e), OK);
    for (size_t i = 0; i < p.n; i++)
        if (str_eq(page_val(&p, i, (size_t)view_find_col(v, "type"))->s, str_of(type)))
            return i;
    return SIZE_MAX;
}

/* A rank that comes adds types before and after those that are there: they keep their keys. */
static void row_of_several_ranks_keeps_its_key(void **state)
{
    (void)state;
    struct store *s = ranks_of_types();
    const struct view_part parts[] = { { .store = s, .rank = 0 }, { .store = s, .rank = 1 } };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct err e = ERR_INIT;
    struct view *one = NULL, *both = NULL;
    int rank;

    assert_int_equal(view_open(&one, view_def_find("comm.type"), &parts[1], 1, &all, &e), OK);
    assert_int_equal(view_open(&both, view_def_find("comm.type"), parts, 2, &all, &e), OK);
    assert_int_equal(view_rows(one), 2);
    assert_int_equal(view_rows(both), 3);
    for (size_t i = 0; i < 3; i++) {
        const int64_t key = view_row_key(both, i, &rank);
        assert_int_equal(view_row_of_key(both, key, rank), i);
    }
    for (int i = 0; i < 2; i++) {
        const char *type = i ? "reduce" : "gather";
        const int64_t key = view_row_key(one, row_of_type(one, type), &rank);
        assert_int_equal(view_row_of_key(both, key, rank), row_of_type(both, type));
    }
    assert_true(view_row_of_key(one, view_row_key(both, row_of_type(both, "allReduce"), &rank), rank) ==
                SIZE_MAX);
    view_close(one);
    view_close(both);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(op_whose_open_task_began_first_runs),
        cmocka_unit_test(what_runs_comes_first_in_any_order),
        cmocka_unit_test(many_ops_of_few_names_are_added_up_soon),
        cmocka_unit_test(sums_are_without_what_runs),
        cmocka_unit_test(sums_of_ops_are_without_what_runs),
        cmocka_unit_test(text_has_state_of_the_rows_it_shows),
        cmocka_unit_test(row_of_several_ranks_keeps_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
