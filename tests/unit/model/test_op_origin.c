/* SPDX-License-Identifier: Apache-2.0 */
/* What launched the ops of a type: counted right, and at a cost that grows with the ops, not their square. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/op_origin.h"
#include "store/fill/fill.h"

#define OPS   4000
#define EXECS 3 /* of each op */

struct made {
    char path[300], file[400];
    struct store *s;
};

static int setup(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    const char *tmp = getenv("TMPDIR");

    snprintf(m->path, sizeof m->path, "%s/npuscope-origin-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(m->path));
    snprintf(m->file, sizeof m->file, "%s/0.npus", m->path);
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct made *m = *state;

    store_close(m->s);
    (void)!unlink(m->file);
    (void)!rmdir(m->path);
    free(m);
    return 0;
}

static int64_t op_row(struct fill *f, int i)
{
    struct err e = ERR_INIT;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    char name[40];

    snprintf(name, sizeof name, "op%d", i);
    k.name_id = sink_intern(fill_sink(f), str_of(name));
    k.type_id = sink_intern(fill_sink(f), i % 2 ? STR("MatMul") : STR("Add"));
    int64_t id = sink_op(fill_sink(f), &k, &a, &e);
    assert_true(id > 0);
    return id;
}

static void exec_row(struct fill *f, int64_t op, int64_t i)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(op_exec)] = {
        [COL(op_exec, op_id)] = val_int(op),   [COL(op_exec, rank)] = val_int(0),
        [COL(op_exec, stream)] = val_int(1),   [COL(op_exec, ts_ns)] = val_int(i * 1000),
        [COL(op_exec, dur_ns)] = val_int(500),
    };
    int64_t id = 0;

    assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), &id, &e), OK);
    struct val h[N_COLS(exec_host)] = {
        [COL(exec_host, exec_id)] = val_int(id),
        [COL(exec_host, rank)] = val_int(0),
        [COL(exec_host, name_id)] = sink_text(fill_sink(f), op % 4 == 1 ? STR("mint.add") : STR("matmul")),
    };
    assert_int_equal(sink_row(fill_sink(f), T_exec_host, h, N_COLS(exec_host), NULL, &e), OK);
}

static void make(struct made *m)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    static int64_t ops[OPS];

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = m->file }, &e), OK);
    assert_int_equal(fill_rank(f, 0, true, 0, NULL, "unix", 0, &e), OK);
    assert_int_equal(fill_begin(f, 0, &e), OK);
    for (int i = 0; i < OPS; i++)
        ops[i] = op_row(f, i);
    for (int64_t i = 0; i < OPS * EXECS; i++)
        exec_row(f, ops[i % OPS], i);
    if (fill_end(f, true, &e) || fill_finish(f, "test", &e) || fill_publish(f, &e) ||
        store_open(&m->s, m->file, false, &e))
        fail_msg("%s", e.text);
}

/* Called every 10 000 instructions of a statement. */
static bool count_call(void *arg)
{
    ++*(unsigned *)arg;
    return false;
}

/* Read the origin of an op, or of a type; returns the calls so far. */
static unsigned read_origin(struct made *m, struct op_origin *o, int64_t op, const struct str *type)
{
    static unsigned calls;
    struct err e = ERR_INIT;
    const struct view_part part = { .store = m->s, .rank = 0 };

    store_progress(m->s, count_call, &calls);
    if (op_origin_read(o, &part, op, type, &e))
        fail_msg("%s", e.text);
    store_progress(m->s, NULL, NULL);
    return calls;
}

static void ops_and_types_cost_what_they_have(void **state)
{
    struct made *m = *state;
    struct op_origin o;
    unsigned calls = 0;

    make(m);
    for (int64_t op = 1; op <= 100; op++) {
        calls = read_origin(m, &o, op, NULL);
        assert_int_equal(o.looked_at, EXECS);
        assert_string_equal(o.place[ORIGIN_HOST_OP].text, op % 4 == 1 ? "mint.add" : "matmul");
    }
    assert_in_range(calls, 0, 10);
    calls = read_origin(m, &o, 0, &STR("MatMul"));
    assert_int_equal(o.looked_at, OPS / 2);
    assert_int_equal(o.place[ORIGIN_HOST_OP].of, OPS / 2);
    assert_int_equal(o.place[ORIGIN_HOST_OP].n, OPS / 2);
    assert_string_equal(o.place[ORIGIN_HOST_OP].text, "matmul");
    /* Five statements; with a look at all executions for each op there would be thousands of calls. */
    assert_in_range(calls, 0, 110);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ops_and_types_cost_what_they_have, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
