/* SPDX-License-Identifier: Apache-2.0 */
/* From launch to run: which arrow is an execution's, and which call holds its begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "import/derived/launch.h"

#define T0      INT64_C(1700000000000000000)
#define NOTHING INT64_MIN

/* A store in memory that is filled by hand: two threads of the host, two streams, a group of ranks. */
struct scene {
    struct fill *f;
    struct err e;
    uint32_t thread, framework, stream[2], group, cat, other_cat;
    int64_t n;
};

static uint32_t track(struct scene *x, enum track_kind kind, const char *tid, int64_t stream)
{
    const struct track_def d = {
        .rank = 0, .kind = kind, .pid = STR("1"), .tid = str_of(tid), .stream = stream, .source_id = 1
    };

    return sink_track(fill_sink(x->f), &d);
}

static void begin(struct scene *x)
{
    *x = (struct scene){ .e = ERR_INIT };
    assert_int_equal(fill_open(&x->f, &(struct fill_opts){ .path = NULL }, &x->e), OK);
    assert_int_equal(fill_rank(x->f, 0, true, 0, "host", "unix", T0, &x->e), OK);
    assert_int_equal(fill_begin(x->f, 1, &x->e), OK);
    x->thread = track(x, TK_HOST_THREAD, "10", -1);
    x->framework = track(x, TK_HOST_THREAD, "11", -1);
    x->stream[0] = track(x, TK_STREAM, "20", 0);
    x->stream[1] = track(x, TK_STREAM, "21", 1);
    x->group = track(x, TK_PLANE, "30", -1);
    x->cat = sink_intern(fill_sink(x->f), STR("HostToDevice"));
    x->other_cat = sink_intern(fill_sink(x->f), STR("async_npu"));
}

static void bar(struct scene *x, uint32_t on, const char *name, int64_t from, int64_t to)
{
    struct sink *s = fill_sink(x->f);

    assert_int_equal(sink_event(s, on, T0 + from, to - from, sink_intern(s, str_of(name)), 0, &x->e), OK);
}

static void arrow(struct scene *x, uint32_t cat, uint64_t id, uint32_t from, int64_t at, uint32_t to,
                  int64_t ends)
{
    struct sink *s = fill_sink(x->f);

    assert_int_equal(sink_flow(s, from, T0 + at, 's', cat, id, &x->e), OK);
    assert_int_equal(sink_flow(s, to, T0 + ends, 'f', cat, id, &x->e), OK);
}

/* An execution; stream -1: not known. */
static void run(struct scene *x, const char *name, int64_t stream, int64_t at)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    struct sink *s = fill_sink(x->f);

    k.name_id = sink_intern(s, str_of(name));
    struct val v[N_COLS(op_exec)] = {
        [COL(op_exec, op_id)] = val_int(sink_op(s, &k, &a, &x->e)),
        [COL(op_exec, rank)] = val_int(0),
        [COL(op_exec, stream)] = stream < 0 ? val_null() : val_int(stream),
        [COL(op_exec, ts_ns)] = val_int(T0 + at),
        [COL(op_exec, dur_ns)] = val_int(5),
        [COL(op_exec, source_id)] = val_int(1),
    };
    assert_int_equal(sink_row(s, T_op_exec, v, N_COLS(op_exec), NULL, &x->e), OK);
    x->n++;
}

static void end(struct scene *x, unsigned unread)
{
    assert_int_equal(fill_end(x->f, true, &x->e), OK);
    assert_int_equal(fill_settle(x->f, &x->e), OK);
    if (launch_write(x->f, unread, &x->e))
        fail_msg("%s", x->e.text);
}

/* The delay of the nth execution (from 1); NOTHING: it has no row. */
static int64_t delay(struct scene *x, int n)
{
    struct store *s = fill_reader(x->f, &x->e);
    char sql[120];

    snprintf(sql, sizeof sql, "SELECT delay_ns FROM op_launch WHERE exec_id = %d AND op_id > 0", n);
    return store_int(s, NOTHING, sql, NULL);
}

static void launch_is_the_end_of_the_call_that_holds_the_arrow(void **state)
{
    struct scene x;

    (void)state;
    begin(&x);
    bar(&x, x.thread, "aclnnMm", 100, 400);
    bar(&x, x.thread, "launch", 150, 200);
    bar(&x, x.thread, "later", 210, 220);
    bar(&x, x.stream[0], "MatMul", 1000, 1005);
    arrow(&x, x.cat, 7, x.thread, 170, x.stream[0], 1000); /* in the middle of the inner call */
    run(&x, "MatMul", 0, 1000);
    bar(&x, x.stream[0], "Add", 1100, 1105);
    arrow(&x, x.cat, 8, x.thread, 205, x.stream[0], 1100); /* between inner calls: the outer one */
    run(&x, "Add", 0, 1100);
    run(&x, "Alone", 0, 1200);
    bar(&x, x.stream[0], "Early", 160, 165);
    arrow(&x, x.cat, 9, x.thread, 155, x.stream[0], 160); /* begins before the call returns */
    run(&x, "Early", 0, 160);
    bar(&x, x.stream[0], "Skew", 149, 152);
    arrow(&x, x.cat, 10, x.thread, 150, x.stream[0], 149); /* ends before it begins */
    run(&x, "Skew", 0, 149);
    bar(&x, x.stream[0], "Lost", 1300, 1305);
    arrow(&x, x.cat, 11, x.thread, 900, x.stream[0], 1300); /* no call there */
    run(&x, "Lost", 0, 1300);
    end(&x, 0);
    assert_int_equal(delay(&x, 1), 1000 - 200);
    assert_int_equal(delay(&x, 2), 1100 - 400);
    assert_int_equal(delay(&x, 3), NOTHING);
    assert_int_equal(delay(&x, 4), 160 - 200);
    assert_int_equal(delay(&x, 5), 149 - 200);
    assert_int_equal(delay(&x, 6), NOTHING);
    assert_int_equal(store_int(fill_reader(x.f, &x.e), 0, "SELECT launch_ns FROM op_launch LIMIT 1", NULL),
                     200);
    fill_abort(x.f);
}

static void launch_goes_by_stream_then_by_name(void **state)
{
    struct scene x;

    (void)state;
    begin(&x);
    bar(&x, x.thread, "launch", 100, 110);
    bar(&x, x.thread, "launch", 120, 130);
    bar(&x, x.thread, "launch", 140, 150);
    bar(&x, x.stream[0], "Add", 500, 505); /* two streams begin in the same ns */
    bar(&x, x.stream[1], "Add", 500, 505);
    arrow(&x, x.cat, 1, x.thread, 100, x.stream[0], 500);
    arrow(&x, x.cat, 2, x.thread, 120, x.stream[1], 500);
    run(&x, "Add", 0, 500);
    run(&x, "Add", 1, 500);
    bar(&x, x.group, "hcom_allReduce_0", 600, 700);
    arrow(&x, x.cat, 3, x.thread, 140, x.group, 600);
    run(&x, "hcom_allReduce_0", -1, 600); /* its stream is not known */
    run(&x, "Other", -1, 600);
    run(&x, "Other", 0, 600);
    end(&x, 0);
    assert_int_equal(delay(&x, 1), 500 - 110);
    assert_int_equal(delay(&x, 2), 500 - 130);
    assert_int_equal(delay(&x, 3), 600 - 150);
    assert_int_equal(delay(&x, 4), NOTHING);
    assert_int_equal(delay(&x, 5), NOTHING);
    fill_abort(x.f);
}

static void launch_is_the_arrow_that_begins_last(void **state)
{
    struct scene x;

    (void)state;
    begin(&x);
    bar(&x, x.framework, "aten::mm", 10, 90);
    bar(&x, x.thread, "launch", 100, 110);
    bar(&x, x.thread, "launch", 2000, 2010);
    bar(&x, x.stream[0], "MatMul", 500, 505);
    bar(&x, x.stream[0], "Cast", 510, 515);
    arrow(&x, x.other_cat, 1, x.framework, 10, x.stream[0], 500);
    arrow(&x, x.cat, 1, x.thread, 100, x.stream[0], 500); /* an equal id of another category */
    assert_int_equal(sink_flow(fill_sink(x.f), x.stream[0], T0 + 510, 'f', x.cat, 1, &x.e),
                     OK);                                   /* two ends */
    arrow(&x, x.cat, 1, x.thread, 2000, x.stream[0], 2500); /* the id again, later */
    bar(&x, x.stream[0], "Late", 2500, 2505);
    run(&x, "MatMul", 0, 500);
    run(&x, "Cast", 0, 510);
    run(&x, "Late", 0, 2500);
    end(&x, 0);
    assert_int_equal(delay(&x, 1), 500 - 110);
    assert_int_equal(delay(&x, 2), 510 - 110);
    assert_int_equal(delay(&x, 3), 2500 - 2010);
    fill_abort(x.f);
}

/* More than one chunk of calls, and of arrows; written twice it is the same. */
static void launch_of_many_is_made_anew(void **state)
{
    struct scene x;
    int64_t n = 10000;

    (void)state;
    begin(&x);
    bar(&x, x.framework, "step", 0, 1000 * n);
    for (int64_t i = 0; i < n; i++) {
        bar(&x, x.thread, "launch", 1000 * i, 1000 * i + 100);
        bar(&x, x.stream[i % 2], "Add", 1000 * i + 150 + i % 7, 1000 * i + 400);
        arrow(&x, x.cat, (uint64_t)i, i % 3 ? x.thread : x.framework, 1000 * i, x.stream[i % 2],
              1000 * i + 150 + i % 7);
        run(&x, "Add", i % 2, 1000 * i + 150 + i % 7);
    }
    end(&x, 0);
    assert_int_equal(launch_write(x.f, 0, &x.e), OK);
    assert_int_equal(store_rows(fill_reader(x.f, &x.e), "op_launch"), n);
    for (int64_t i = 0; i < n; i += 97)
        assert_int_equal(delay(&x, (int)i + 1), i % 3 ? 50 + i % 7 : 1000 * i + 150 + i % 7 - 1000 * n);
    assert_int_equal(launch_write(x.f, PANE_BIT(PANE_TIME), &x.e), OK);
    assert_int_equal(store_rows(fill_reader(x.f, &x.e), "op_launch"), 0);
    fill_abort(x.f);
}

/* ---- places ---- */

/* Op, module and call stack of the nth execution (from 1) as "op|module|stack"; "": none is known. */
static const char *place(struct scene *x, int n)
{
    static char text[400];
    struct store *s = fill_reader(x->f, &x->e);
    struct query *q = NULL;

    text[0] = '\0';
    assert_int_equal(
        store_query(s, &q,
                    "SELECT o.text || '|' || ifnull(m.text, '') || '|' || ifnull(c.text, '') FROM "
                    "exec_host h JOIN string o ON o.id = h.name_id LEFT JOIN string m ON m.id = "
                    "h.module_id LEFT JOIN string c ON c.id = h.stack_id WHERE h.exec_id = :n",
                    &x->e),
        OK);
    query_bind_int(q, ":n", n);
    if (query_step(q, &x->e) == 1)
        str_copy(query_str(q, 0), text, sizeof text);
    query_free(q);
    return text;
}

static void place_is_what_is_around_the_arrow_of_the_framework(void **state)
{
    struct scene x;

    (void)state;
    begin(&x);
    const uint32_t back = sink_intern(fill_sink(x.f), STR("fwdbwd"));
    bar(&x, x.framework, "main.py(7): train", 0, 900);
    bar(&x, x.framework, "ProfilerStep#3", 0, 900);
    bar(&x, x.framework, "nn.Module: Net_0", 10, 500);
    bar(&x, x.framework, "net.py(20): forward", 20, 490);
    bar(&x, x.framework, "nn.Module: Linear_1", 30, 400);
    bar(&x, x.framework, "<built-in function linear>", 40, 390);
    bar(&x, x.framework, "aten::linear", 50, 380);
    bar(&x, x.framework, "aten::addmm", 60, 370);
    bar(&x, x.framework, "aten::t", 61, 65); /* is over */
    bar(&x, x.stream[0], "MatMul", 1000, 1005);
    arrow(&x, x.other_cat, 1, x.framework, 70, x.stream[0], 1000);
    run(&x, "MatMul", 0, 1000);
    bar(&x, x.framework, "aten::zero_", 600, 700); /* in no module */
    bar(&x, x.stream[0], "Zero", 1010, 1015);
    arrow(&x, x.other_cat, 2, x.framework, 600, x.stream[0], 1010);
    run(&x, "Zero", 0, 1010);
    bar(&x, x.thread, "MmBackward0", 700, 800); /* another thread, whose forward op is above */
    bar(&x, x.thread, "aten::mm", 710, 790);
    bar(&x, x.stream[0], "MatMulBackward", 1020, 1025);
    arrow(&x, back, 3, x.framework, 60, x.thread, 700);
    arrow(&x, x.other_cat, 4, x.thread, 710, x.stream[0], 1020);
    run(&x, "MatMulBackward", 0, 1020);
    bar(&x, x.stream[0], "Alone", 1030, 1035);
    arrow(&x, x.cat, 5, x.framework, 640, x.stream[0], 1030); /* the driver's arrow says nothing */
    run(&x, "Alone", 0, 1030);
    bar(&x, x.framework, "train.py(3):nn.Cell.Dense.construct", 810, 890); /* MindSpore */
    bar(&x, x.framework, "nn.py(9):nn.Cell.Dense.__call__", 820, 880);
    bar(&x, x.framework, "Kernel::KernelLaunch::Default/net/Add-op1", 830, 870);
    bar(&x, x.stream[0], "Add", 1040, 1045);
    arrow(&x, x.other_cat, 6, x.framework, 830, x.stream[0], 1040);
    run(&x, "Add", 0, 1040);
    bar(&x, x.framework, "Kernel::KernelLaunch::Default/net/Sub-op2", 905, 908); /* no frames: its scope */
    bar(&x, x.stream[0], "Sub", 1050, 1055);
    arrow(&x, x.other_cat, 7, x.framework, 905, x.stream[0], 1050);
    run(&x, "Sub", 0, 1050);
    end(&x, 0);
    assert_string_equal(
        place(&x, 1), "aten::addmm|Net_0/Linear_1|<built-in function linear>;net.py(20): forward;main.py(7): "
                      "train");
    assert_string_equal(place(&x, 2), "aten::zero_||main.py(7): train");
    assert_string_equal(place(&x, 3),
                        "aten::mm|Net_0/Linear_1|<built-in function linear>;net.py(20): forward;main.py(7): "
                        "train");
    assert_string_equal(place(&x, 4), "");
    assert_string_equal(place(&x, 5),
                        "Kernel::KernelLaunch::Default/net/Add-op1|Dense|nn.py(9):nn.Cell.Dense.__call__;"
                        "train.py(3):nn.Cell.Dense.construct;main.py(7): train");
    assert_string_equal(place(&x, 6), "Kernel::KernelLaunch::Default/net/Sub-op2|Default/net|");
    if (launch_write(x.f, 0, &x.e)) /* made anew, not added */
        fail_msg("%s", x.e.text);
    assert_int_equal(store_int(fill_reader(x.f, &x.e), -1, "SELECT count(*) FROM exec_host", NULL), 5);
    fill_abort(x.f);
}

/* What the framework recorded with an op that begins then. */
static void said(struct scene *x, const char *name, int64_t at, const char *module, const char *stack)
{
    struct sink *s = fill_sink(x->f);
    const struct val v[N_COLS(event_place)] = {
        [COL(event_place, rank)] = val_int(0),
        [COL(event_place, ts_ns)] = val_int(T0 + at),
        [COL(event_place, name_id)] = val_id(sink_intern(s, str_of(name))),
        [COL(event_place, module_id)] = val_id(module[0] ? sink_intern(s, str_of(module)) : 0),
        [COL(event_place, stack_id)] = val_id(stack[0] ? sink_intern(s, str_of(stack)) : 0),
        [COL(event_place, source_id)] = val_int(1),
    };

    assert_int_equal(sink_row(s, T_event_place, v, N_COLS(event_place), NULL, &x->e), OK);
}

static void place_is_what_was_recorded_with_the_op(void **state)
{
    struct scene x;

    (void)state;
    begin(&x);
    const uint32_t back = sink_intern(fill_sink(x.f), STR("fwdbwd"));
    bar(&x, x.framework, "aten::linear", 50, 380);
    bar(&x, x.framework, "aten::addmm", 50, 370); /* of both that begin then the name tells */
    said(&x, "aten::linear", 50, "net.layer", "a.py(1);b.py(2)");
    said(&x, "aten::addmm", 40, "other", "other"); /* another one's */
    bar(&x, x.stream[0], "MatMul", 1000, 1005);
    arrow(&x, x.other_cat, 1, x.framework, 60, x.stream[0], 1000);
    run(&x, "MatMul", 0, 1000);
    bar(&x, x.framework, "aten::add", 400, 500); /* the module is around it, the stack its own */
    bar(&x, x.framework, "aten::add_", 410, 490);
    said(&x, "aten::add", 400, "net", "");
    said(&x, "aten::add_", 410, "", "c.py(3)");
    bar(&x, x.stream[0], "Add", 1010, 1015);
    arrow(&x, x.other_cat, 2, x.framework, 420, x.stream[0], 1010);
    run(&x, "Add", 0, 1010);
    bar(&x, x.framework, "aten::outer", 600, 900);
    said(&x, "aten::outer", 600, "far", "far.py(1)");
    bar(&x, x.framework, "net.py(20): forward", 610, 890); /* what it calls is not the outer op's */
    bar(&x, x.framework, "aten::mul", 620, 880);
    bar(&x, x.stream[0], "Mul", 1020, 1025);
    arrow(&x, x.other_cat, 3, x.framework, 620, x.stream[0], 1020);
    run(&x, "Mul", 0, 1020);
    bar(&x, x.thread, "AddmmBackward0", 700, 800); /* that of its forward op */
    bar(&x, x.stream[0], "MatMulGrad", 1030, 1035);
    arrow(&x, back, 4, x.framework, 60, x.thread, 700);
    arrow(&x, x.other_cat, 5, x.thread, 710, x.stream[0], 1030);
    run(&x, "MatMulGrad", 0, 1030);
    end(&x, 0);
    assert_string_equal(place(&x, 1), "aten::addmm|net.layer|a.py(1);b.py(2)");
    assert_string_equal(place(&x, 2), "aten::add_|net|c.py(3)");
    assert_string_equal(place(&x, 3), "aten::mul||net.py(20): forward");
    assert_string_equal(place(&x, 4), "AddmmBackward0|net.layer|a.py(1);b.py(2)");
    fill_abort(x.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launch_is_the_end_of_the_call_that_holds_the_arrow),
        cmocka_unit_test(launch_goes_by_stream_then_by_name),
        cmocka_unit_test(launch_is_the_arrow_that_begins_last),
        cmocka_unit_test(launch_of_many_is_made_anew),
        cmocka_unit_test(place_is_what_is_around_the_arrow_of_the_framework),
        cmocka_unit_test(place_is_what_was_recorded_with_the_op),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
