/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What newer runtimes say of the host's tasks: wide ids, and ops of captured graphs, which no call is about.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/host/tensors.h"
#include "tests/unit/parsers/prof/host_case.h"

/* Ids above 16 bits, in records of newer runtimes. */
static void prof_host_tasks_of_newer_runtimes_have_wide_ids(void **state)
{
    (void)state;
    unsigned char *p = next(&captures2, PROF_L_RUNTIME, 1, 100);
    put_le(p + PH_LENGTH, 16, 4);
    put_le(p + CS2_STREAM, 70007, 4);
    put_le(p + CS2_ORIGINAL, 70008, 4);
    put_le(p + CS2_MODEL, 70005, 4);
    for (unsigned i = 0; i < 3; i++) {
        p = next(&tasks2, PROF_L_RUNTIME, 1, 150 + 10 * i);
        put_le(p + PH_LENGTH, LONG, 4);
        put_le(p + HT2_STREAM, 70007, 4);
        put_le(p + HT2_TASK, i == 1 ? 1 << 16 : 90000 + i, 4); /* a flip: task 0, number 1 */
        put_le(p + HT2_TYPE, i == 1 ? T_FLIP : T_AICORE, 4);
        put_le(p + HT2_KERNEL, KERNEL, 8);
        put_le(p + HT2_BLOCKS, 6, 2);
        put_le(p + HT2_RATIO, 2, 1);
    }
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 2);
    assert_int_equal(x.h.task[0].stream, 70007);
    assert_int_equal(x.h.task[0].task, 90000);
    assert_int_equal(x.h.task[0].batch, 0);
    assert_int_equal(x.h.task[1].task, 90002);
    assert_int_equal(x.h.task[1].batch, 1);
    is_text(&x, x.h.task[0].type, "KERNEL_AICORE");
    const struct prof_op *op = &x.h.op[x.h.task[0].op];
    is_text(&x, op->name, "kernel");
    assert_int_equal(op->block, 6);
    assert_int_equal(op->mix_block, 12);
    done(&x);
}

static void prof_host_tasks_of_both_forms_are_the_older_ones(void **state)
{
    (void)state;
    task(99, 7, 1, T_WAIT, 0);
    unsigned char *p = next(&tasks2, PROF_L_RUNTIME, 1, 100);
    put_le(p + HT2_STREAM, 8, 4);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 1);
    assert_int_equal(x.h.task[0].stream, 7);
    done(&x);
}

/* ---- ops that the runtime describes ---- */

static unsigned char *captured_op(unsigned char *p, unsigned id, uint64_t name, uint32_t n)
{
    put_le(p + CO_MODEL, 70, 4);
    put_le(p + CO_STREAM, 7, 4);
    put_le(p + CO_TASK, id, 4);
    put_le(p + CO_CORE, 4, 4);
    put_le(p + CO_BLOCKS, 5, 2);
    put_le(p + CO_RATIO, 2, 2);
    put_le(p + CO_NAME, name, 8);
    put_le(p + CO_TYPE, TYPE_X, 8);
    put_le(p + CO_TENSORS, n, 4);
    return p;
}

static void a_tensor(unsigned char *p, unsigned kind, uint32_t dim)
{
    put_le(p, kind, 4);
    put_le(p + 4, 2, 4);
    put_le(p + 8, 1, 4);
    put_le(p + 12, dim, 4);
}

static void prof_host_captured_ops_are_what_the_runtime_says(void **state)
{
    (void)state;
    (void)captured_op(next(&captured, PROF_L_RUNTIME, 1, 90), 1, OP_B, 0);
    unsigned char *p = captured_op(next(&captured, PROF_L_RUNTIME, 1, 100), 1, OP_A, 2);
    put_le(p + CO_ATTR, ALG, 8);
    put_le(p + CO_FLAG, 1, 4);
    a_tensor(p + CO_TENSOR, 0, 8);
    a_tensor(p + CO_TENSOR + 44, 1, 9);
    (void)captured_op(next(&kept_captured, PROF_L_RUNTIME, 1, 100), 2, OP_C, 900);
    task(150, 7, 1, T_AICORE, KERNEL);
    p = task(160, 7, 2, T_AICORE, 0);
    put_le(p + PH_LENGTH, LONG, 4);
    put_le(p + HT_BLOCKS, 3, 2);
    task(170, 7, 3, T_AICORE, 0); /* nobody says what it is */
    task(180, 7, 4, T_WAIT, 0);
    struct host_case x = read_host();
    const struct prof_host_task *t = find(&x, 7, 1, PROF_NONE);
    const struct prof_op *op = &x.h.op[t->op];
    assert_int_equal(t->model, 70);
    is_text(&x, op->name, "A");
    is_text(&x, op->type, "X");
    is_text(&x, op->core, "MIX_AIC");
    is_text(&x, op->attr, "ring");
    assert_int_equal(op->block, 5);
    assert_int_equal(op->mix_block, 10);
    assert_int_equal(op->is_static, 0);
    assert_int_equal(op->hf32, 1);
    is_text(&x, x.h.tensors[op->tensors].in_shapes, "\"8\"");
    is_text(&x, x.h.tensors[op->tensors].out_shapes, "\"9\"");
    is_text(&x, x.h.tensors[op->tensors].in_types, "FLOAT16");
    t = find(&x, 7, 2, PROF_NONE);
    op = &x.h.op[t->op];
    is_text(&x, op->name, "C");
    assert_int_equal(op->block, 3); /* task_track knows better */
    assert_int_equal(op->is_static, 1);
    assert_int_equal(op->hf32, 0);
    assert_int_equal(op->attr, PROF_NONE);
    assert_int_equal(find(&x, 7, 3, PROF_NONE)->op, PROF_NONE);
    assert_int_equal(find(&x, 7, 4, PROF_NONE)->op, PROF_NONE);
    assert_int_equal(notes(&x, NOTE_COUNT_MISMATCH), 1);
    done(&x);
}

/* Three records of 24 + 64 + 44 * n bytes, n = 0, 5, 0, of which the second may be damaged. */
static size_t long_records(unsigned char *p)
{
    size_t n = 0;

    for (unsigned i = 0; i < 3; i++) {
        size_t each = 88 + (i == 1 ? 5 * (size_t)44 : 0);
        prof_head(p + n, each, PROF_L_RUNTIME, 1, 1, 100);
        (void)captured_op(p + n, i + 1, OP_A, i == 1 ? 5 : 0);
        for (unsigned k = 0; i == 1 && k < 5; k++)
            a_tensor(p + n + CO_TENSOR + 44 * (size_t)k, 0, k + 1);
        n += each;
    }
    return n;
}

static struct host_case read_long(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        families[i]->n = 0;
    tree_file_n(&tree, DATA "unaging.variable.capture_op_info.slice_0", (const char *)p, n);
    for (unsigned i = 1; i <= 3; i++)
        task(150 + i, 7, i, T_AICORE, 0);
    return read_host();
}

static bool has_op(const struct host_case *x, unsigned id)
{
    return find(x, 7, id, PROF_NONE)->op != PROF_NONE;
}

static void prof_host_captured_ops_are_as_long_as_they_say(void **state)
{
    unsigned char p[1024];
    size_t n = long_records(p);

    (void)state;
    struct host_case x = read_long(p, n);
    const struct prof_op *op = &x.h.op[find(&x, 7, 2, PROF_NONE)->op];
    is_text(&x, x.h.tensors[op->tensors].in_shapes, "\"1;2;3;4;5\"");
    assert_int_equal(op->is_static, 1);
    assert_true(has_op(&x, 1) && has_op(&x, 3));
    assert_int_equal(notes(&x, NOTE_TORN_RECORD), 0);
    done(&x);
    /* cut at every byte: whole records stay, and a rest is told */
    for (size_t to = 0; to < n; to++) {
        x = read_long(p, to);
        assert_int_equal(has_op(&x, 1), to >= 88);
        assert_int_equal(has_op(&x, 2), to >= 88 + 308);
        assert_false(has_op(&x, 3));
        assert_int_equal(notes(&x, NOTE_TORN_RECORD), to && to != 88 && to != 88 + 308);
        done(&x);
    }
    /* a length, or a mark, that is none: the others stay */
    for (unsigned k = 0; k < 2; k++) {
        (void)long_records(p);
        put_le(p + 88 + (k ? 0 : PH_LENGTH), k ? 0 : 0xffffffff, k ? 2 : 4);
        x = read_long(p, n);
        assert_true(has_op(&x, 1) && has_op(&x, 3));
        assert_false(has_op(&x, 2));
        assert_int_equal(notes(&x, NOTE_TORN_RECORD), 1);
        done(&x);
    }
}

/* More tensors than are kept, and more blocks of the second core type than 16 bits hold. */
static void prof_host_captured_ops_of_many_tensors_are_cut(void **state)
{
    enum { N = PROF_TENSORS_MAX + 76, EACH = 88 + 44 * N };
    unsigned char *p = calloc(1, EACH);
    size_t shapes = 1;

    (void)state;
    assert_non_null(p);
    prof_head(p, EACH, PROF_L_RUNTIME, 1, 1, 100);
    (void)captured_op(p, 1, OP_A, N);
    put_le(p + CO_BLOCKS, 40000, 2);
    for (unsigned k = 0; k < N; k++)
        a_tensor(p + CO_TENSOR + 44 * (size_t)k, 0, 5);
    struct host_case x = read_long(p, EACH);
    free(p);
    const struct prof_op *op = &x.h.op[find(&x, 7, 1, PROF_NONE)->op];
    struct str text = prof_str(x.c.p, x.h.tensors[op->tensors].in_shapes);
    for (size_t i = 0; i < text.n; i++)
        shapes += text.p[i] == ';';
    assert_int_equal(shapes, PROF_TENSORS_MAX);
    assert_int_equal(op->mix_block, 80000);
    assert_int_equal(notes(&x, NOTE_LIMIT), 1);
    done(&x);
}

int main(void)
{
#define HERE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        HERE(prof_host_tasks_of_newer_runtimes_have_wide_ids),
        HERE(prof_host_tasks_of_both_forms_are_the_older_ones),
        HERE(prof_host_captured_ops_are_what_the_runtime_says),
        HERE(prof_host_captured_ops_are_as_long_as_they_say),
        HERE(prof_host_captured_ops_of_many_tensors_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
