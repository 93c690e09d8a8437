/* SPDX-License-Identifier: Apache-2.0 */
/* The host of a PROF folder: calls and how they lie in each other, tasks, what they are, and damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/large/sort_index.h"
#include "tests/unit/parsers/prof/host_case.h"

/* ---- calls ---- */

static void prof_host_calls_are_sorted_outer_ones_first(void **state)
{
    (void)state;
    api(PROF_L_RUNTIME, 9, 100, 200, 0);
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    api(PROF_L_ACL, 1, 50, 300, 0);
    api(PROF_L_NODE, 1, 0, 20, OP_B); /* no begin */
    api(PROF_L_NODE, 1, 70, 60, OP_B);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_apis, 3);
    assert_int_equal(x.h.api[0].level, PROF_L_ACL);
    assert_int_equal(x.h.api[1].level, PROF_L_NODE);
    assert_int_equal(x.h.api[2].level, PROF_L_RUNTIME);
    assert_int_equal(notes(&x, NOTE_INCONSISTENT), 1);
    is_text(&x, prof_api_name(x.c.p, &x.h.api[1]), "launch");
    done(&x);
}

static void prof_host_marks_of_a_call_are_paired(void **state)
{
    (void)state;
    event(1, 500, 3, 2); /* the second iteration lies before in time, but not in the file */
    event(1, 600, 3, 2);
    event(1, 100, 3, 1);
    event(1, 700, 3, 3); /* the run ended in it */
    event(1, 200, 3, 1);
    task(150, 2, 1, T_WAIT, 0);
    task(600, 2, 2, T_WAIT, 0);
    task(800, 2, 3, T_WAIT, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_apis, 2);
    assert_int_equal(x.h.api[0].end, 200);
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->model, 3);
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->request, 1);
    assert_int_equal(find(&x, 2, 2, PROF_NONE)->request, 2);
    assert_int_equal(find(&x, 2, 3, PROF_NONE)->model, PROF_NO_MODEL);
    assert_int_equal(find(&x, 2, 3, PROF_NONE)->api, PROF_NONE);
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), 1);
    done(&x);
}

static void prof_host_tasks_belong_after_the_begin_up_to_the_end(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    api(PROF_L_NODE, 1, 200, 300, OP_B);
    for (unsigned i = 0; i < 2; i++)
        basic(&basics, 200 + 100 * i, OP_A + i, TYPE_X, 0);
    task(100, 2, 1, T_AICORE, 0);
    task(101, 2, 2, T_AICORE, 0);
    task(200, 2, 3, T_AICORE, 0);
    task(201, 2, 4, T_AICORE, 0);
    task(300, 2, 5, T_AICORE, 0);
    task(301, 2, 6, T_AICORE, 0);
    struct host_case x = read_host();
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->op, PROF_NONE);
    is_text(&x, op_of(&x, find(&x, 2, 2, PROF_NONE))->name, "A");
    is_text(&x, op_of(&x, find(&x, 2, 3, PROF_NONE))->name, "A");
    is_text(&x, op_of(&x, find(&x, 2, 4, PROF_NONE))->name, "B");
    is_text(&x, op_of(&x, find(&x, 2, 5, PROF_NONE))->name, "B");
    assert_int_equal(find(&x, 2, 6, PROF_NONE)->op, PROF_NONE);
    assert_int_equal(find(&x, 2, 6, PROF_NONE)->is, PROF_IS_ORPHAN); /* after the last call */
    done(&x);
}

static void prof_host_nested_nodes_give_the_deepest(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 500, OP_A);
    api(PROF_L_NODE, 1, 200, 300, OP_B);
    api(PROF_L_RUNTIME, 9, 210, 290, 0);
    basic(&basics, 500, OP_A, TYPE_X, 0);
    basic(&basics, 300, OP_B, TYPE_X, 0);
    task(250, 2, 1, T_AICORE, 0);
    task(400, 2, 2, T_AICORE, 0);
    struct host_case x = read_host();
    is_text(&x, op_of(&x, find(&x, 2, 1, PROF_NONE))->name, "B");
    is_text(&x, op_of(&x, find(&x, 2, 2, PROF_NONE))->name, "A");
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->api, 1);
    done(&x);
}

static void prof_host_overlapping_calls_of_a_level_are_dropped_but_for_nodes(void **state)
{
    (void)state;
    api(PROF_L_ACL, 1, 100, 200, 0);
    api(PROF_L_ACL, 2, 150, 250, 0); /* counts in statistics, not in the tree */
    api(PROF_L_ACL, 3, 200, 300, 0);
    api(PROF_L_NODE, 1, 400, 500, OP_A);
    api(PROF_L_NODE, 1, 450, 550, OP_B);
    task(180, 2, 1, T_WAIT, 0);
    task(220, 2, 2, T_WAIT, 0);
    task(520, 2, 3, T_WAIT, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_apis, 5);
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->api, 0);
    assert_int_equal(find(&x, 2, 2, PROF_NONE)->api, 2);
    assert_int_equal(find(&x, 2, 3, PROF_NONE)->api, 4);
    done(&x);
}

static void prof_host_lone_runtime_call_is_a_connection(void **state)
{
    (void)state;
    api(PROF_L_RUNTIME, 9, 100, 200, 0);
    api(PROF_L_ACL, 1, 300, 400, 0);
    api(PROF_L_RUNTIME, 9, 310, 390, 0);
    task(150, 2, 1, T_WAIT, 0);
    task(350, 2, 2, T_WAIT, 0);
    struct host_case x = read_host();
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->api, 0);
    assert_int_equal(find(&x, 2, 2, PROF_NONE)->api, 1);
    done(&x);
}

static void prof_host_calls_before_the_collection_are_left_out_but_in_a_load(void **state)
{
    (void)state;
    /* the collection begins at counter 7000; one call of the thread loads a model */
    event(2, 1000, 1, 0);
    event(2, 2000, 1, 0);
    api(PROF_L_RUNTIME, 9, 1100, 1200, 0);
    api(PROF_L_RUNTIME, 9, 2100, 2200, 0);
    api(PROF_L_RUNTIME, 9, 6900, 7000, 0);
    struct host_case x = read_host();
    static const bool want[] = { true, true, false, true };
    static const bool begins[] = { true, true, false, false };
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        assert_int_equal(prof_api_is_kept(x.c.p, &x.h, &x.h.api[i]), want[i]);
        assert_int_equal(prof_api_begins_kept(x.c.p, &x.h, &x.h.api[i]), begins[i]);
    }
    done(&x);
}

/* ---- ops ---- */

static void prof_host_op_has_texts_of_its_records(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    basic(&kept_basics, 200, OP_A, TYPE_X, 4);
    tensor(200, OP_A, "001", 3);
    tensor(200, OP_A, "0", 8); /* goes on from the one before */
    unsigned char *p = next(&attrs, PROF_L_NODE, 1, 200);
    put_le(p + NA_NAME, OP_A, 8);
    put_le(p + NA_TEXT, ALG, 8);
    task(150, 2, 1, T_AICORE, KERNEL);
    p = task(160, 2, 2, T_AICORE, KERNEL);
    put_le(p + PH_LENGTH, LONG, 4);
    put_le(p + HT_BLOCKS, 9, 2);
    put_le(p + HT_RATIO, 0xf8 | 1, 1);
    struct host_case x = read_host();
    const struct prof_host_task *t = find(&x, 2, 1, PROF_NONE);
    const struct prof_op *op = op_of(&x, t);
    assert_int_equal(t->is, PROF_IS_COMPUTE);
    is_text(&x, t->kernel, "kernel");
    is_text(&x, t->type, "KERNEL_AICORE");
    is_text(&x, op->type, "X");
    is_text(&x, op->core, "MIX_AIC");
    is_text(&x, op->attr, "ring");
    assert_int_equal(op->is_static, 1);
    assert_int_equal(op->hf32, 0);
    assert_int_equal(op->block, 5);
    assert_int_equal(op->mix_block, 10);
    const struct prof_tensors *s = &x.h.tensors[op->tensors];
    is_text(&x, s->in_shapes, "\"3,7;4,7;8,7\"");
    is_text(&x, s->in_types, "99;FLOAT16;99");
    is_text(&x, s->in_formats, "FRACTAL_Z:240;ND;FRACTAL_Z:240");
    is_text(&x, s->out_shapes, "\"5,7\"");
    /* what the task itself says of its blocks wins */
    op = op_of(&x, find(&x, 2, 2, PROF_NONE));
    assert_int_equal(op->block, 9);
    assert_int_equal(op->mix_block, 9);
    done(&x);
}

static void prof_host_side_without_tensors_has_no_texts(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    basic(&basics, 200, OP_A, TYPE_X, 0);
    tensor(150, OP_A, "0", 5); /* an earlier launch's stamp: the last counts */
    tensor(200, OP_A, "1", 3);
    tensor(200, OP_B, "0", 3);
    task(150, 2, 1, T_AICORE, 0);
    struct host_case x = read_host();
    const struct prof_op *op = op_of(&x, find(&x, 2, 1, PROF_NONE));
    is_text(&x, x.h.tensors[op->tensors].in_shapes, "N/A");
    is_text(&x, x.h.tensors[op->tensors].out_shapes, "\"3,7\"");
    assert_int_equal(op->is_static, 0);
    done(&x);
}

static void prof_host_contexts_are_rows_of_their_own(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    basic(&basics, 200, OP_A, TYPE_X, 4);
    basic(&basics, 200, OP_B, TYPE_Y, 4);
    context(PROF_L_NODE, 200, OP_A, 1, 0, 0);
    context(PROF_L_NODE, 200, OP_B, 2, 4, 2);
    task(150, 2, 1, T_FFTS, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 4);
    is_text(&x, op_of(&x, find(&x, 2, 1, 0))->name, "A");
    is_text(&x, op_of(&x, find(&x, 2, 1, 2))->name, "B");
    is_text(&x, op_of(&x, find(&x, 2, 1, 4))->type, "Y");
    /* the task as a whole is no op */
    const struct prof_host_task *outer = find(&x, 2, 1, PROF_NONE);
    assert_int_equal(outer->op, PROF_NONE);
    assert_int_equal(outer->is, 0);
    assert_int_equal(outer->api, 0);
    /* by device, stream, task, context */
    for (size_t i = 1; i < x.h.n_tasks; i++)
        assert_true(x.h.task[i - 1].context < x.h.task[i].context);
    done(&x);
}

/* At level 0 nothing but its contexts may be said of an op: they are its rows, named after it. */
static void prof_host_contexts_of_level_0(void **state)
{
    (void)state;
    tree_file(&tree, PROF_NAME "/host/sample.json", "{\"profLevel\": \"l0\"}");
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    context(PROF_L_NODE, 200, OP_A, 1, 0, 0);
    task(150, 2, 1, T_FFTS, 0);
    api(PROF_L_NODE, 1, 300, 400, OP_B);
    task(350, 2, 2, T_FFTS, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 3);
    is_text(&x, op_of(&x, find(&x, 2, 1, 0))->name, "A");
    assert_int_equal(op_of(&x, find(&x, 2, 1, 0))->type, PROF_NONE);
    assert_int_equal(find(&x, 2, 1, PROF_NONE)->op, PROF_NONE);
    is_text(&x, op_of(&x, find(&x, 2, 2, PROF_NONE))->name, "B");
    done(&x);
}

/* A task of a context is known though nothing else is said of its op. */
static void prof_host_contexts_without_an_op(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 200, OP_A);
    context(PROF_L_NODE, 200, OP_A, 1, 0, 0);
    task(150, 2, 1, T_FFTS, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 2);
    assert_int_equal(find(&x, 2, 1, 0)->op, PROF_NONE);
    assert_int_equal(find(&x, 2, 1, 0)->is, 0);
    assert_int_equal(find(&x, 2, 1, 0)->api, 0);
    done(&x);
}

static void prof_host_kernels_outside_of_ops(void **state)
{
    (void)state;
    api(PROF_L_NODE, 2, 100, 200, 60000);     /* step_info */
    api(PROF_L_NODE, 1, 300, 400, NAME_LCCL); /* communication by kernels */
    api(PROF_L_NODE, 1, 500, 600, OP_C);      /* nothing is said of this op */
    basic(&basics, 200, OP_A, TYPE_X, 0);
    basic(&basics, 400, NAME_LCCL, TYPE_X, 0);
    task(150, 2, 1, T_AICORE, KERNEL);
    task(350, 2, 2, T_MIX, KERNEL);
    task(550, 2, 3, T_AICORE, KERNEL);
    task(700, 2, 4, T_AICORE, 0);
    task(710, 2, 5, T_MAINTENANCE, KERNEL);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 4);
    const struct prof_op *op = op_of(&x, find(&x, 2, 1, PROF_NONE));
    is_text(&x, op->name, "kernel");
    is_text(&x, op->type, "kernel");
    is_text(&x, op->core, "AI_CORE");
    assert_int_equal(op->is_static, -1);
    is_text(&x, op_of(&x, find(&x, 2, 2, 0))->core, "MIX_AIC");
    assert_int_equal(find(&x, 2, 3, PROF_NONE)->op, PROF_NONE);
    assert_int_equal(find(&x, 2, 4, PROF_NONE)->op, PROF_NONE);
    done(&x);
}

/* ---- communication ---- */

static void prof_host_communication_has_its_op_and_info(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 900, OP_A);
    api(PROF_L_COMMUNICATION, 1, 110, 200, NOTIFY);
    api(PROF_L_COMMUNICATION, 2, 210, 300, NOTIFY);
    basic(&basics, 900, OP_A, TYPE_X, 9);
    unsigned char *p = next(&comm_ops, PROF_L_NODE, 1, 900);
    put_le(p + HO_FLAGS, 2, 1);
    put_le(p + HO_ALG, ALG, 8);
    put_le(p + HO_COUNT, 77, 8);
    put_le(p + HO_GROUP, GROUP, 8);
    info(200, UINT32_MAX, 64);
    info(300, UINT32_MAX, 32);
    task(150, 20, 1, T_WAIT, 0);
    task(250, 21, 1, T_AICPU, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_comm_ops, 1);
    const struct prof_comm_op *op = &x.h.comm_op[0];
    is_text(&x, op->name, "A");
    is_text(&x, op->type, "X");
    is_text(&x, op->group, "group");
    assert_true(op->has_info && op->retry && !op->relay);
    assert_int_equal(op->count, 77);
    const struct prof_host_task *t = find(&x, 20, 1, PROF_NONE);
    assert_int_equal(t->is, PROF_IS_COMM | PROF_IS_MASTER);
    assert_int_equal(t->comm_op, 0);
    assert_int_equal(t->api, op->api);
    assert_true(x.h.comm[t->comm].master);
    assert_int_equal(x.h.comm[t->comm].size_b, 64);
    /* a kernel of the AI CPU that communicates is both */
    t = find(&x, 21, 1, PROF_NONE);
    assert_int_equal(t->is, PROF_IS_COMM | PROF_IS_COMPUTE);
    assert_false(x.h.comm[t->comm].master);
    is_text(&x, op_of(&x, t)->core, "HCCL_AI_CPU");
    is_text(&x, op_of(&x, t)->name, "Notify");
    done(&x);
}

static void prof_host_communication_of_contexts_takes_the_info_of_each(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 900, OP_A);
    api(PROF_L_COMMUNICATION, 1, 110, 200, NOTIFY);
    context(PROF_L_COMMUNICATION, 200, OP_A, 2, 3, 5);
    for (uint32_t ctx = 2; ctx < 6; ctx++)
        info(200, ctx, 10 * ctx);
    task(150, 20, 1, T_FFTS, 0);
    struct host_case x = read_host();
    assert_int_equal(x.h.n_tasks, 4);
    for (uint32_t ctx = 3; ctx < 6; ctx++)
        assert_int_equal(x.h.comm[find(&x, 20, 1, ctx)->comm].size_b, 10 * ctx);
    assert_int_equal(find(&x, 20, 1, PROF_NONE)->op, PROF_NONE);
    done(&x);
}

/* ---- batches, copies, models ---- */

static void flip(uint64_t time, unsigned stream, unsigned id, unsigned number)
{
    put_le(task(time, stream, id, T_FLIP, 0) + HT_FLIP, number, 2);
}

static void prof_flips_number_the_batches(void **state)
{
    (void)state;
    task(100, 2, 65534, T_WAIT, 0);
    task(110, 2, 3, T_WAIT, 0); /* written before the flip, but behind it by its id */
    flip(110, 2, 4, 1);
    task(120, 2, 4, T_WAIT, 0);
    task(130, 3, 4, T_WAIT, 0);
    flip(200, 2, 0, 65535); /* the stream is destroyed */
    task(201, 2, 0, T_WAIT, 0);
    flip(300, 2, 65535, 3); /* this id corrects nothing */
    task(400, 2, 7, T_WAIT, 0);
    struct host_case x = read_host();
    static const struct {
        uint32_t stream, id, batch;
    } want[] = { { 2, 65534, 0 }, { 2, 3, 1 }, { 2, 4, 1 }, { 3, 4, 0 }, { 2, 0, 2 }, { 2, 7, 3 } };
    assert_int_equal(x.h.n_tasks, ARRAY_LEN(want));
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(find(&x, want[i].stream, want[i].id, PROF_NONE)->batch, want[i].batch);
    done(&x);
}

static void prof_host_copies_are_found_by_thread_and_stamp(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        task(i < 3 ? 100 : 101, 2, i, T_MEMCPY, 0);
    unsigned char *p = next(&copies, PROF_L_RUNTIME, 1, 100);
    put_le(p + PH_LENGTH, 18, 4);
    put_le(p + MC_SIZE, 100, 8);
    put_le(p + MC_MAX, 64, 8);
    put_le(p + MC_KIND, 2, 2);
    struct host_case x = read_host();
    assert_true(x.h.has_memcpy);
    static const uint64_t size[] = { 64, 36, 0, 0 };
    for (unsigned i = 0; i < 4; i++) {
        const struct prof_host_task *t = find(&x, 2, i, PROF_NONE);
        assert_int_equal(t->is, PROF_IS_MEMCPY | PROF_IS_ORPHAN); /* no call was recorded */
        assert_int_equal(t->copy_b, size[i]);
        assert_int_equal(t->copy_kind, i < 2 ? 2 : PROF_COPY_NONE);
    }
    done(&x);
}

static void prof_host_captured_streams_have_a_model(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        unsigned char *p = next(&captures, PROF_L_RUNTIME, 1, 100 + 100 * i);
        put_le(p + PH_LENGTH, 10, 4);
        put_le(p + CS_STATUS, i, 2);
        put_le(p + CS_STREAM, 7, 2);
        put_le(p + CS_MODEL, 5, 2);
    }
    task(99, 7, 1, T_WAIT, 0);
    task(100, 7, 2, T_WAIT, 0);
    task(200, 7, 3, T_WAIT, 0);
    task(150, 8, 4, T_WAIT, 0);
    struct host_case x = read_host();
    assert_int_equal(find(&x, 7, 1, PROF_NONE)->model, PROF_NO_MODEL);
    assert_int_equal(find(&x, 7, 2, PROF_NONE)->model, 5);
    assert_int_equal(find(&x, 7, 3, PROF_NONE)->model, PROF_NO_MODEL);
    assert_int_equal(find(&x, 8, 4, PROF_NONE)->model, PROF_NO_MODEL);
    done(&x);
}

static void prof_host_fused_ops_name_their_model(void **state)
{
    (void)state;
    event(2, 100, 4, 0);
    event(2, 900, 4, 0);
    unsigned char *p = next(&graphs, PROF_L_MODEL, 1, 200);
    put_le(p + GI_NAME, GROUP, 8);
    put_le(p + GI_MODEL, 4, 4);
    p = next(&fusions, PROF_L_MODEL, 1, 300);
    put_le(p + FU_NAME, OP_A, 8);
    put_le(p + FU_COUNT, 2000, 4); /* more than fit */
    put_le(p + FU_MEMORY, 4096, 8);
    put_le(p + FU_TOTAL, 8192, 8);
    for (size_t i = 0; i < 8; i++)
        put_le(p + FU_OP + 8 * i, OP_B, 8);
    (void)next(&fusions, PROF_L_MODEL, 2, 300); /* in no model of its thread */
    struct host_case x = read_host();
    assert_int_equal(x.h.n_fusion, 1);
    is_text(&x, x.h.fusion[0].model_name, "group");
    is_text(&x, x.h.fusion[0].originals, "B;B;B;B;B;B;B;B");
    assert_int_equal(x.h.fusion[0].memory_b[0], 4096);
    assert_int_equal(x.h.fusion[0].memory_b[4], 8192);
    assert_int_equal(notes(&x, NOTE_INCONSISTENT), 1);
    done(&x);
}

/* ---- damage ---- */

static void prof_host_every_family_may_be_missing_or_cut(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < 2 * ARRAY_LEN(families); cut++) {
        set_up(state);
        api(PROF_L_NODE, 1, 100, 900, OP_A);
        api(PROF_L_COMMUNICATION, 1, 110, 200, NOTIFY);
        basic(&basics, 900, OP_A, TYPE_X, 0);
        basic(&kept_basics, 900, OP_B, TYPE_X, 0);
        (void)next(&attrs, PROF_L_NODE, 1, 900);
        (void)next(&copies, PROF_L_RUNTIME, 1, 150);
        (void)next(&comm_ops, PROF_L_NODE, 1, 900);
        (void)next(&captures, PROF_L_RUNTIME, 1, 150);
        tensor(900, OP_A, "01", 1);
        context(PROF_L_NODE, 900, OP_A, 60000, 0, 1);
        info(200, 0, 64);
        (void)next(&fusions, PROF_L_MODEL, 1, 150);
        (void)next(&graphs, PROF_L_MODEL, 1, 150);
        task(150, 2, 1, T_MEMCPY, 0);
        task(250, 2, 2, T_FFTS, 0);
        struct family *f = families[cut / 2];
        size_t each = f->each;
        if (cut % 2)
            f->n = 0;
        else
            f->each -= 1; /* each record lost its last byte */
        struct host_case x = read_host();
        f->each = each;
        assert_int_equal(x.h.n_tasks > 0, f->n > 0 || f != &tasks);
        done(&x);
        tear_down(state);
    }
    tree_new(&tree);
}

static void prof_host_contexts_of_damaged_counts_end(void **state)
{
    (void)state;
    api(PROF_L_NODE, 1, 100, 900, OP_A);
    basic(&basics, 900, OP_A, TYPE_X, 0);
    context(PROF_L_NODE, 900, OP_A, UINT32_MAX, 0, 1);
    for (unsigned i = 0; i < 60; i++)
        task(150, 2, i, T_FFTS, 0);
    struct host_case x = read_host();
    assert_true(x.h.n_tasks < 60 + 100);
    assert_int_equal(notes(&x, NOTE_LIMIT), 1);
    done(&x);
}

static void prof_host_without_a_folder_is_empty(void **state)
{
    struct prof p = { .host = NULL };
    struct err e = ERR_INIT;
    struct prof_host h;

    (void)state;
    assert_int_equal(prof_host_read(&h, &p, &e), OK);
    assert_int_equal(h.n_apis + h.n_tasks, 0);
    prof_host_done(&h);
}

/* ---- order ---- */

static bool by_first(const void *arg, uint32_t a, uint32_t b)
{
    const uint32_t(*v)[2] = arg;

    return v[a][0] < v[b][0];
}

static bool below_500(const void *arg, size_t i)
{
    const uint32_t(*v)[2] = arg;

    return v[i][0] < 500;
}

static void prof_order_is_stable_and_gallops_find_borders(void **state)
{
    enum { MOST = 3000 };
    static uint32_t v[MOST][2];
    struct err e = ERR_INIT;

    (void)state;
    for (size_t n = 0; n < MOST; n = n * 3 / 2 + 1) {
        uint32_t seed = (uint32_t)n;
        for (uint32_t i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            v[i][0] = (seed >> 16) % 1000;
            v[i][1] = i;
        }
        assert_int_equal(prof_sort(NULL, v, n, sizeof v[0], by_first, v, &e), OK);
        size_t below = 0;
        for (size_t i = 0; i < n; i++) {
            below += v[i][0] < 500;
            assert_true(!i || v[i - 1][0] < v[i][0] || (v[i - 1][0] == v[i][0] && v[i - 1][1] < v[i][1]));
        }
        for (size_t hint = 0; hint <= n + 1; hint++)
            assert_int_equal(prof_gallop(n, hint, below_500, v), below);
    }
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(prof_host_calls_are_sorted_outer_ones_first),
        HERE(prof_host_marks_of_a_call_are_paired),
        HERE(prof_host_tasks_belong_after_the_begin_up_to_the_end),
        HERE(prof_host_nested_nodes_give_the_deepest),
        HERE(prof_host_overlapping_calls_of_a_level_are_dropped_but_for_nodes),
        HERE(prof_host_lone_runtime_call_is_a_connection),
        HERE(prof_host_calls_before_the_collection_are_left_out_but_in_a_load),
        HERE(prof_host_op_has_texts_of_its_records),
        HERE(prof_host_side_without_tensors_has_no_texts),
        HERE(prof_host_contexts_are_rows_of_their_own),
        HERE(prof_host_contexts_of_level_0),
        HERE(prof_host_contexts_without_an_op),
        HERE(prof_host_kernels_outside_of_ops),
        HERE(prof_host_communication_has_its_op_and_info),
        HERE(prof_host_communication_of_contexts_takes_the_info_of_each),
        HERE(prof_flips_number_the_batches),
        HERE(prof_host_copies_are_found_by_thread_and_stamp),
        HERE(prof_host_captured_streams_have_a_model),
        HERE(prof_host_fused_ops_name_their_model),
        HERE(prof_host_every_family_may_be_missing_or_cut),
        HERE(prof_host_contexts_of_damaged_counts_end),
        HERE(prof_host_without_a_folder_is_empty),
        cmocka_unit_test(prof_order_is_stable_and_gallops_find_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
