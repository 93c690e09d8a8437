/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FRAMEWORK files (doc/formats/framework.md#framework-files): records that stand here byte by byte, cut
 * everywhere, with damaged lengths and flipped bits; the clock; which range launched a call.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/framework/event_names.h"
#include "parsers/framework/memory.h"
#include "parsers/framework/tlv.h"
#include "tests/lib/framework_bytes.h"
#include "tests/unit/parsers/parse_case.h"

/* mindspore.op_range of 2.6 and later (doc/formats/framework.md#op_range). */
static void put_range(struct bytes *b, uint64_t thread, uint64_t flow, uint64_t from, uint64_t to,
                      unsigned module, unsigned event, const char *name)
{
    size_t at = b->n;

    put(b, 0, 2);
    put(b, 0, 4);
    put(b, thread, 8);
    put(b, flow, 8);
    put(b, 0, 8);
    put(b, from, 8);
    put(b, to, 8);
    put(b, thread, 4);
    put(b, module, 2);
    put(b, event, 2);
    put(b, 0, 2);
    put(b, 0xff, 1);
    put(b, 0, 3);
    put_field(b, 13, strcmp(name, "flow") ? "short" : name);
    put_field(b, 14, name);
    put_field(b, 15, "");
    put_field(b, 16, "");
    end_record(b, at);
}

/* torch.op_range of today (doc/formats/framework.md#records-of-torch_npu). */
static void put_op(struct bytes *b, uint64_t thread, uint64_t from, uint64_t to, const char *name)
{
    size_t at = b->n;

    put(b, 1, 2);
    put(b, 0, 4);
    put(b, from, 8);
    put(b, to, 8);
    put(b, UINT64_MAX, 8);
    put(b, 77, 8);
    put(b, thread, 8);
    put(b, thread, 8);
    put(b, 0, 8);
    put(b, 0, 2);
    put_field(b, 2, name);
    put_field(b, 4, "2,3;4");
    end_record(b, at);
}

static void put_mark(struct bytes *b, uint64_t at_ns, uint64_t kind, uint64_t correlation, uint64_t thread)
{
    size_t at = b->n;

    put(b, 2, 2);
    put(b, 0, 4);
    put(b, at_ns, 8);
    put(b, kind, 8);
    put(b, correlation, 8);
    put(b, thread, 8);
    put(b, 77, 8);
    put_field(b, 1, "kernel");
    end_record(b, at);
}

/* ---- reading ---- */

struct read {
    struct rows r;
    struct framework f;
};

typedef int read_fn(struct framework *f, struct parse_ctx *c, struct err *e);

static read_fn *reads;
static struct framework *into;

static int parse(struct parse_ctx *c, struct err *e)
{
    return reads(into, c, e);
}

static int read_bytes(struct read *x, const struct framework *like, read_fn *fn, const unsigned char *p,
                      size_t n)
{
    struct err e = ERR_INIT;

    x->f = *like;
    assert_int_equal(framework_init(&x->f, NULL, &e), OK);
    reads = fn;
    into = &x->f;
    return case_parse(&x->r, "raw_op_range", parse, (const char *)p, n, GEN_2);
}

static void read_done(struct read *x)
{
    framework_done(&x->f);
    rows_done(&x->r);
}

static const struct framework plain = { .clock = { .wall_ns = 0 } };
static const struct framework torch = { .torch = true };

static void some_ranges(struct bytes *b)
{
    put_range(b, 7, UINT64_MAX, 1000, 2000, 4, 4, "Default/MatMul-op1");
    put_range(b, 7, UINT64_MAX, 2100, 2100, 4, 4, "Default/Mark-op2");
    put_range(b, 8, 5, 3000, 3001, 0, 0, "flow");
    put_range(b, 8, UINT64_MAX, 0, 9, 4, 4, "never begun");
    put_range(b, 7, UINT64_MAX, 500, 9000, 5, 53, "ProfilerStep#3");
}

/* The layout of 2.5, with what later ones have no field for. */
static void test_what_else_a_range_says(void **state)
{
    struct framework like = { .na = true };
    struct bytes b = { .n = 0 };
    struct read x;

    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t at = b.n;
        put(&b, 0, 6);
        put(&b, 1000, 8);
        put(&b, 2000, 8);
        put(&b, 3, 8); /* sequence number */
        put(&b, 0, 24);
        put(&b, 9, 8); /* forward thread */
        put(&b, UINT64_MAX, 8);
        put(&b, 6, 8); /* step */
        put(&b, 0, 2);
        put_field(&b, 3, i ? "\xff" : "Kernel::KernelLaunch::Add");
        put_field(&b, 9, "a:1;b:2");
        end_record(&b, at);
    }
    assert_int_equal(read_bytes(&x, &like, framework_read_ranges, b.v, b.n), OK);
    assert_int_equal(x.f.n_ranges, 2);
    assert_int_equal(x.f.range[0].sequence, 3);
    assert_int_equal(x.f.range[0].forward, 9);
    assert_int_equal(x.f.range[0].step, 6);
    assert_true(str_eq(framework_str(&x.f, x.f.range[0].custom), STR("a:1;b:2")));
    assert_true(str_eq(framework_str(&x.f, x.f.range[1].name), STR("N/A")));
    read_done(&x);
}

static void test_ranges_of_mindspore(void **state)
{
    struct bytes b = { .n = 0 };
    struct read x;

    (void)state;
    some_ranges(&b);
    assert_int_equal(read_bytes(&x, &plain, framework_read_ranges, b.v, b.n), OK);
    assert_int_equal(x.r.rows, 5);
    assert_int_equal(x.f.n_ranges, 4);
    assert_true(
        str_eq(framework_str(&x.f, x.f.range[0].name), STR("Kernel::KernelLaunch::Default/MatMul-op1")));
    assert_int_equal(x.f.range[0].is, RANGE_LAUNCH);
    assert_int_equal(x.f.range[2].is, RANGE_FLOW);
    assert_int_equal(x.f.range[2].flow, 5);
    assert_int_equal(x.f.range[3].is, RANGE_STEP);
    assert_int_equal(x.f.range[3].to, 9000);
    read_done(&x);
}

/* 2.6 has one event less: its step mark is number 52, which shifts the names after 50. */
static void test_names_of_26(void **state)
{
    struct bytes b = { .n = 0 };
    struct read x;

    (void)state;
    assert_true(str_eq(framework_event(50, false), STR("PyBoostLaunchAtb")));
    assert_true(str_eq(framework_event(50, true), STR("PyNativeNewGraph")));
    assert_true(str_eq(framework_event(67, true), STR("NativeFunc")));
    assert_true(str_eq(framework_event(69, false), STR("Default")));
    assert_true(str_eq(framework_module(99), STR("Default")));
    put_range(&b, 7, UINT64_MAX, 500, 9000, 5, 52, "");
    b.n = 6 + 54; /* the same with fields of a step mark */
    put_field(&b, 13, "ProfilerStep#3");
    put_field(&b, 14, "ProfilerStep#3");
    end_record(&b, 0);
    assert_int_equal(read_bytes(&x, &plain, framework_read_ranges, b.v, b.n), OK);
    assert_true(x.f.names_of_26);
    assert_true(
        str_eq(framework_str(&x.f, x.f.range[0].name), STR("Python::PythonObserved::ProfilerStep#3")));
    read_done(&x);
}

/* Whole records before the cut, one note for the rest. */
static void test_cut_everywhere(void **state)
{
    struct bytes b = { .n = 0 };
    size_t ends[8], n_ends = 0;
    struct read x;

    (void)state;
    for (int i = 0; i < 5; i++) {
        put_op(&b, 7, 1000 + 10 * (unsigned)i, 1005 + 10 * (unsigned)i, "aten::add");
        ends[n_ends++] = b.n;
    }
    for (size_t cut = 0; cut <= b.n; cut++) {
        size_t whole = 0;
        while (whole < n_ends && ends[whole] <= cut)
            whole++;
        int rc = read_bytes(&x, &torch, framework_read_ranges, b.v, cut);
        assert_int_equal(rc, OK);
        assert_int_equal(x.f.n_ranges, whole);
        bool at_border = !cut || (whole && ends[whole - 1] == cut);
        const struct sink_counts *k = sink_count_get(x.r.count);
        assert_int_equal(k->notes[NOTE_TORN_RECORD], !at_border);
        read_done(&x);
    }
}

/* A length that leads beyond the end loses its own record only; one that is too short joins nothing. */
static void test_damaged_lengths(void **state)
{
    struct bytes b = { .n = 0 };
    size_t from[20];
    struct read x;

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        from[i] = b.n;
        put_op(&b, 7, 1000 + 10 * i, 1005 + 10 * i, "aten::add");
    }
    b.v[from[12] + 4] = 0xff;
    assert_int_equal(read_bytes(&x, &torch, framework_read_ranges, b.v, b.n), OK);
    assert_int_equal(x.f.n_ranges, 19);
    case_need(&x.r, "note|BAD_ROW");
    read_done(&x);
}

static void test_flip_bits(void **state)
{
    struct bytes b = { .n = 0 };
    uint64_t seed = 4711;
    struct read x;

    (void)state;
    for (unsigned i = 0; i < 20; i++)
        put_op(&b, 7, 1000 + 10 * i, 1005 + 10 * i, "aten::add");
    for (int k = 0; k < 2000; k++) {
        size_t at = (size_t)(scratch_random(&seed) % b.n);
        unsigned char bit = (unsigned char)(1 << scratch_random(&seed) % 8);
        b.v[at] ^= bit;
        int rc = read_bytes(&x, &torch, framework_read_ranges, b.v, b.n);
        assert_true(rc == OK || rc == ERR_FORMAT);
        if (rc == OK && x.f.n_ranges < 15)
            fail_msg("a flip at %zu left %zu of 20 ranges", at, x.f.n_ranges);
        read_done(&x);
        b.v[at] ^= bit;
    }
}

static void test_other_files(void **state)
{
    struct read x;

    (void)state;
    assert_int_equal(read_bytes(&x, &plain, framework_read_ranges, (const unsigned char *)"no such file", 12),
                     ERR_FORMAT);
    read_done(&x);
    assert_int_equal(read_bytes(&x, &plain, framework_read_ranges, (const unsigned char *)"", 0), OK);
    read_done(&x);
}

/* ---- the clock ---- */

static void test_clock(void **state)
{
    struct framework_clock c = { .hz = 100000000, .counter = 1000, .mono_ns = 50, .wall_ns = 7 };
    struct framework_clock ns = { .wall_ns = 7 };

    (void)state;
    assert_int_equal(framework_ns(&c, 1003), 30 + 50 + 7);
    assert_int_equal(framework_ns(&c, 997), -30 + 50 + 7);
    assert_int_equal(framework_ns(&ns, 1003), 1010);
    c.hz = 24000000; /* 3 counts are 125 ns, 1 is 41.67 */
    assert_int_equal(framework_ns(&c, 1001), 42 + 57);
    c.drops = true;
    assert_int_equal(framework_ns(&c, 1001), 41 + 57);
    (void)framework_ns(&c, UINT64_MAX);
    c.wall_ns = INT64_MAX;
    (void)framework_ns(&c, UINT64_MAX / 2);
}

/* ---- launches ---- */

static void test_outermost_launch(void **state)
{
    struct bytes b = { .n = 0 };
    struct framework_joins j;
    struct err e = ERR_INIT;
    struct read x;

    (void)state;
    put_range(&b, 7, UINT64_MAX, 1000, 2000, 4, 26, "outer"); /* KernelLaunchInner */
    put_range(&b, 7, UINT64_MAX, 1100, 1900, 4, 4, "inner");
    put_range(&b, 7, UINT64_MAX, 900, 3000, 4, 8, "graph"); /* launches nothing itself */
    put_range(&b, 9, UINT64_MAX, 1000, 2000, 4, 4, "another thread's");
    assert_int_equal(read_bytes(&x, &plain, framework_read_ranges, b.v, b.n), OK);
    assert_int_equal(framework_join(&j, &x.f, &e), OK);
    assert_int_equal(framework_launcher(&j, 7, 1500), 0);
    assert_int_equal(framework_launcher(&j, 7, 1000), 0);
    assert_int_equal(framework_launcher(&j, 7, 2000), 0);
    assert_int_equal(framework_launcher(&j, 7, 2500), FRAMEWORK_NONE);
    assert_int_equal(framework_launcher(&j, 9, 1500), 3);
    assert_int_equal(framework_launcher(&j, 8, 1500), FRAMEWORK_NONE);
    assert_int_equal(j.above[1], 0);
    assert_int_equal(j.above[0], 2);
    framework_joins_done(&j);
    read_done(&x);
}

/* What was taken out of the queue belongs to the op that put it in, however much later. */
static void test_queue(void **state)
{
    struct bytes ops = { .n = 0 }, marks = { .n = 0 };
    struct framework_joins j;
    struct err e = ERR_INIT;
    struct read x, y;

    (void)state;
    put_op(&ops, 7, 1000, 2000, "aten::add");
    put_op(&ops, 7, 1100, 1500, "npu::add");
    put_mark(&marks, 1200, 0, 42, 7);
    put_mark(&marks, 1210, 1, 42, 7);
    put_mark(&marks, 5000, 2, 42, 8);
    put_mark(&marks, 5100, 3, 42, 8);
    put_mark(&marks, 6000, 2, 43, 8); /* put in by nobody */
    put_mark(&marks, 6100, 3, 43, 8);
    put_mark(&marks, 7000, 0, 44, 7); /* no end */
    assert_int_equal(read_bytes(&x, &torch, framework_read_ranges, ops.v, ops.n), OK);
    assert_int_equal(read_bytes(&y, &torch, framework_read_marks, marks.v, marks.n), OK);
    x.f.mark = y.f.mark;
    x.f.n_marks = y.f.n_marks;
    for (size_t i = 0; i < x.f.n_marks; i++)
        x.f.mark[i].name = FRAMEWORK_NONE;
    assert_int_equal(framework_join(&j, &x.f, &e), OK);
    assert_int_equal(j.n_queued, 3);
    assert_int_equal(j.n_put, 1);
    assert_int_equal(framework_launcher(&j, 8, 5050), 1);
    assert_int_equal(framework_launcher(&j, 8, 5200), FRAMEWORK_NONE);
    assert_int_equal(framework_launcher(&j, 8, 6050), FRAMEWORK_NONE);
    framework_joins_done(&j);
    y.f.mark = NULL;
    read_done(&x);
    read_done(&y);
}

/* ---- allocations ---- */

/* mindspore.memory_usage (doc/formats/framework.md#memory_usage). */
static void put_allocation(struct bytes *b, uint64_t at_ns, uint64_t address, uint64_t size_b,
                           const char *owner)
{
    size_t at = b->n;

    put(b, 13, 2);
    put(b, 0, 4);
    put(b, 3, 4); /* device */
    put(b, 7, 8);
    put(b, 77, 8);
    put(b, at_ns, 8);
    put(b, address, 8);
    put(b, size_b, 8);
    put(b, 100, 8); /* used */
    put(b, 0, 8);
    put(b, 1000, 8); /* allocated by the pool */
    put(b, 0, 8);
    put(b, 0, 8);
    put(b, 5, 8); /* stream */
    put(b, 0, 8);
    put_field(b, 13, owner);
    end_record(b, at);
}

static struct framework_memory *events_into;

static int parse_memory(struct parse_ctx *c, struct err *e)
{
    return framework_memory_read(events_into, c, e);
}

static void test_lifetimes(void **state)
{
    struct framework f = plain;
    struct framework_memory m;
    struct bytes b = { .n = 0 };
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    put_allocation(&b, 10, 0x100, UINT64_MAX, ""); /* of what was allocated before */
    put_allocation(&b, 20, 0x100, 64, "first");
    put_allocation(&b, 30, 0x200, 32, "other address");
    put_allocation(&b, 40, 0x100, 128, "its release was lost before");
    put_allocation(&b, 50, 0x100, UINT64_MAX, "");
    put_allocation(&b, 60, 0x100, UINT64_MAX, ""); /* twice */
    put_allocation(&b, 70, 0x100, 256, "alive");
    assert_int_equal(framework_init(&f, NULL, &e), OK);
    framework_memory_init(&m, &f);
    events_into = &m;
    assert_int_equal(case_parse(&r, "raw_fw_memory", parse_memory, (const char *)b.v, b.n, GEN_2), OK);
    assert_int_equal(m.n_events, 7);
    assert_int_equal(m.event[1].size_b, 64);
    assert_int_equal(m.event[1].device, 3);
    assert_int_equal(m.event[1].allocated_b, 100);
    assert_int_equal(m.event[1].reserved_b, 1000);
    assert_int_equal(framework_memory_pair(&m, &e), OK);
    assert_int_equal(m.n_allocations, 4);
    assert_int_equal(m.allocation[0].alloc, 1);
    assert_int_equal(m.allocation[0].release, FRAMEWORK_NONE);
    assert_int_equal(m.allocation[1].release, FRAMEWORK_NONE);
    assert_int_equal(m.allocation[2].alloc, 3);
    assert_int_equal(m.allocation[2].release, 4);
    assert_int_equal(m.allocation[3].release, FRAMEWORK_NONE);
    framework_memory_done(&m);
    framework_done(&f);
    rows_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_else_a_range_says),
        cmocka_unit_test(test_ranges_of_mindspore),
        cmocka_unit_test(test_names_of_26),
        cmocka_unit_test(test_cut_everywhere),
        cmocka_unit_test(test_damaged_lengths),
        cmocka_unit_test(test_flip_bits),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_outermost_launch),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_lifetimes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
