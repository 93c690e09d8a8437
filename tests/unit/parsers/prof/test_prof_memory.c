/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and AI CPUs in PROF folders: which release ends which allocation, what the records hold, which come
 * first.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/sampled/memory.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static struct prof_case open_tree(void)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    return c;
}

/* ---- ops ---- */

/* An allocation (size above 0) or a release of address 16 * what. */
static struct prof_op_memory op(uint64_t node, uint64_t what, int64_t size)
{
    return (struct prof_op_memory){ .node = node, .address = 16 * what, .size_b = size };
}

struct pairs {
    struct prof_alloc *v;
    size_t n;
};
static struct pairs pair(const struct prof_op_memory *v, size_t n)
{
    struct err e = ERR_INIT;
    struct pairs p;

    assert_int_equal(prof_op_memory_pair(NULL, v, n, &p.v, &p.n, &e), OK);
    return p;
}

static void memory_releases_give_the_order(void **state)
{
    const struct prof_op_memory v[] = {
        op(1, 1, 10), op(2, 2, 20), op(3, 3, 30), op(2, 2, -20), op(1, 1, -10),
    };
    struct pairs p = pair(v, ARRAY_LEN(v));

    (void)state;
    assert_int_equal(p.n, 3);
    assert_int_equal(p.v[0].at, 1);
    assert_int_equal(p.v[0].release, 3);
    assert_int_equal(p.v[1].at, 0);
    assert_int_equal(p.v[1].release, 4);
    assert_int_equal(p.v[2].at, 2);
    assert_int_equal(p.v[2].release, PROF_NONE);
    free(p.v);
}

static void memory_open_one_is_replaced_in_its_place(void **state)
{
    const struct prof_op_memory v[] = { op(1, 1, 10), op(2, 2, 20), op(1, 1, 99) };
    struct pairs p = pair(v, ARRAY_LEN(v));

    (void)state;
    assert_int_equal(p.n, 2);
    assert_int_equal(p.v[0].at, 2);
    assert_int_equal(p.v[1].at, 1);
    free(p.v);
}

static void memory_key_is_used_again_after_its_release(void **state)
{
    const struct prof_op_memory v[] = { op(1, 1, 10), op(1, 1, -10), op(1, 1, 30), op(1, 1, -30) };
    struct pairs p = pair(v, ARRAY_LEN(v));

    (void)state;
    assert_int_equal(p.n, 2);
    assert_int_equal(p.v[0].release, 1);
    assert_int_equal(p.v[1].at, 2);
    assert_int_equal(p.v[1].release, 3);
    free(p.v);
}

static void memory_release_of_nothing_is_left_out(void **state)
{
    struct prof_op_memory v[] = { op(1, 1, -10), op(1, 1, 0), op(1, 2, 10), op(2, 2, -10), op(1, 2, -10) };

    (void)state;
    v[4].device = 1;
    struct pairs p = pair(v, ARRAY_LEN(v));
    assert_int_equal(p.n, 1);
    assert_int_equal(p.v[0].at, 2);
    assert_int_equal(p.v[0].release, PROF_NONE);
    free(p.v);
    p = pair(NULL, 0);
    assert_int_equal(p.n, 0);
    free(p.v);
}

static void memory_many_keys_are_distinguished(void **state)
{
    enum { N = 5000 };
    struct prof_op_memory *v = calloc(2 * N, sizeof *v);

    (void)state;
    assert_non_null(v);
    for (size_t i = 0; i < N; i++) {
        v[i] = op(i % 7, i, 8);
        v[2 * N - 1 - i] = op(i % 7, i, -8);
    }
    struct pairs p = pair(v, 2 * N);
    assert_int_equal(p.n, N);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(p.v[i].release, N + i);
        assert_int_equal(p.v[i].at, N - 1 - i);
    }
    free(p.v);
    free(v);
}

static int see_op(void *arg, const struct prof_op_memory *m, struct err *e)
{
    (void)e;
    *(struct prof_op_memory *)arg = *m;
    return OK;
}

static void memory_record_of_an_op(void **state)
{
    struct prof_op_memory m = { 0 };
    struct err e = ERR_INIT;
    unsigned char p[256];

    (void)state;
    prof_head(p, sizeof p, PROF_L_NODE, 7, 12, 34);
    put_le(p + 24, 0x1000, 8);
    put_le(p + 32, (uint64_t)-64, 8);
    put_le(p + 40, 99, 8);
    put_le(p + 48, 4096, 8);
    put_le(p + 56, 8192, 8);
    put_le(p + 64, 3, 4);
    tree_file_n(&tree, DATA "aging.additional.task_memory_info.slice_0", (const char *)p, 256);
    struct prof_case c = open_tree();
    assert_int_equal(prof_op_memory_read(c.p, see_op, &m, &e), OK);
    assert_int_equal(m.stamp, 34);
    assert_int_equal(m.thread, 12);
    assert_int_equal(m.address, 0x1000);
    assert_int_equal(m.size_b, -64);
    assert_int_equal(m.node, 99);
    assert_int_equal(m.allocated_b, 4096);
    assert_int_equal(m.reserved_b, 8192);
    assert_int_equal(m.device, 3);
    prof_case_close(&c);
}

/* ---- the device ---- */

struct npu {
    struct prof_npu_memory v[8];
    size_t n;
};
static int see_npu(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    struct npu *s = arg;

    (void)e;
    s->v[s->n++ % 8] = *m;
    return OK;
}

static void npu_put(unsigned char *p, uint32_t us, uint32_t event, uint64_t us2)
{
    put_le(p, us, 4);
    put_le(p + 4, event, 4);
    put_le(p + 8, us2, 8);
    put_le(p + 16, 1000 + event, 8);
    put_le(p + 24, 2000 + event, 8);
}

static struct npu read_npu(void)
{
    struct prof_case c = open_tree();
    struct err e = ERR_INIT;
    struct npu s = { .n = 0 };

    assert_int_equal(prof_npu_memory_read(c.p, c.p->device[0], see_npu, &s, &e), OK);
    prof_case_close(&c);
    return s;
}

static void npu_memory_of_both_versions(void **state)
{
    unsigned char p[64];
    char info[600];

    (void)state;
    npu_put(p, 7, 0, 70);
    npu_put(p + 32, 8, 1, 80);
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)p, sizeof p);
    struct npu s = read_npu();
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0].us, 7);
    assert_false(s.v[0].of_device);
    assert_true(s.v[1].of_device);
    assert_int_equal(s.v[1].ddr_b, 1001);
    assert_int_equal(s.v[1].hbm_b, 2001);
    snprintf(info, sizeof info, PROF_DEVICE_JSON, 5);
    memcpy(strstr(info, "\"1.0\""), "\"2.0\"", 5);
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", info);
    s = read_npu();
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[1].us, 80);
}

static void npu_memory_of_app_and_device_files(void **state)
{
    unsigned char p[64];

    (void)state;
    npu_put(p, 7, 0, 0);
    npu_put(p + 32, 8, 1, 0);
    tree_file_n(&tree, DEVICE "npu_mem.app.0.slice_0", (const char *)p, 32);
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)p + 32, 32);
    struct npu s = read_npu();
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0].of_device + s.v[1].of_device, 1);
}

static void npu_memory_that_lost_its_head_or_its_tail(void **state)
{
    unsigned char p[4 * 32];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        npu_put(p + 32 * i, 1000 + i, i % 2, 0);
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)p + 20, sizeof p - 20);
    struct npu s = read_npu();
    assert_int_equal(s.n, 3);
    assert_int_equal(s.v[0].us, 1001);
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)p, sizeof p - 20);
    s = read_npu();
    assert_int_equal(s.n, 3);
    assert_int_equal(s.v[0].us, 1000);
}

static int see_module(void *arg, const struct prof_module_memory *m, struct err *e)
{
    struct prof_module_memory **v = arg;

    (void)e;
    *(*v)++ = *m;
    return OK;
}

static void module_memory_may_be_unknown(void **state)
{
    struct prof_module_memory v[4] = { 0 }, *at = v;
    unsigned char p[48] = { 0 };
    struct err e = ERR_INIT;

    (void)state;
    put_le(p, 3, 4);
    put_le(p + 8, 55, 8);
    put_le(p + 16, 1024, 8);
    put_le(p + 24, 200, 4);
    put_le(p + 40, UINT64_MAX, 8);
    tree_file_n(&tree, DEVICE "npu_module_mem.data.0.slice_0", (const char *)p, sizeof p);
    struct prof_case c = open_tree();
    assert_int_equal(prof_module_memory_read(c.p, c.p->device[0], see_module, &at, &e), OK);
    assert_ptr_equal(at, v + 2);
    assert_string_equal(prof_module_word(v[0].module), "HCCL");
    assert_int_equal(v[0].stamp, 55);
    assert_int_equal(v[0].reserved_b, 1024);
    assert_false(v[0].unknown);
    assert_true(v[1].unknown);
    assert_null(prof_module_word(v[1].module));
    assert_null(prof_module_word(12));
    prof_case_close(&c);
}

/* ---- AI CPUs ---- */

/* A record of a node that ran from start on, 100 counts long. */
static void aicpu_node_put(unsigned char *p, uint64_t start, unsigned stream, unsigned task)
{
    prof_head(p, 256, PROF_L_AICPU, 0, 700, start + 100);
    put_le(p + 24, stream, 2);
    put_le(p + 26, task, 2);
    put_le(p + 40, start, 8);
    put_le(p + 48, 5, 8);
    put_le(p + 56, 45, 8);
    put_le(p + 64, 65, 8);
    put_le(p + 80, start + 100, 8);
    put_le(p + 96, start - 10, 8);
    put_le(p + 120, start + 110, 8);
    put_le(p + 132, 21, 4);
}

static void aicpu_nodes_items_and_data_preparation(void **state)
{
    unsigned char p[5 * 256];
    struct err e = ERR_INIT;
    struct prof_aicpu a;

    (void)state;
    aicpu_node_put(p, 2000, 2, 9);
    aicpu_node_put(p + 256, 1000, 2, 8);
    prof_head(p + 512, 256, PROF_L_AICPU, 3, 700, 1);
    put_le(p + 512 + 24, 1, 4);
    put_le(p + 512 + 32, 6, 8);
    put_le(p + 512 + 40, 3617998297, 8);
    put_le(p + 512 + 48, 3617998430, 8);
    prof_head(p + 768, 256, PROF_L_AICPU, 1, 700, 123456);
    memcpy(p + 768 + 24, "Last dequeue\0xxx", 16);
    memcpy(p + 768 + 40, "Default/GetNext-op1", 20);
    put_le(p + 768 + 112, 4, 8);
    prof_head(p + 1024, 256, PROF_L_AICPU, 99, 700, 1);
    tree_file_n(&tree, DEVICE "aicpu.data.0.slice_0", (const char *)p, sizeof p);
    struct prof_case c = open_tree();
    assert_int_equal(prof_aicpu_read(&a, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(a.n_nodes, 2);
    assert_int_equal(a.node[0].start, 1000);
    assert_int_equal(a.node[1].task, 9);
    assert_int_equal(a.node[1].end, 2100);
    assert_int_equal(a.node[1].compute_us, 40);
    assert_int_equal(a.node[1].copy_us, 20);
    assert_int_equal(a.node[1].dispatch_us, 21);
    assert_int_equal(a.node[1].submitted, 1990);
    assert_int_equal(a.node[1].left, 2110);
    assert_int_equal(a.n_items, 1);
    assert_string_equal(prof_aicpu_item_word(a.item[0].node), "GetNext_dequeue_wait");
    assert_int_equal(a.item[0].size, 6);
    assert_int_equal(a.item[0].end_us, 3617998430);
    assert_int_equal(a.n_dp, 1);
    assert_int_equal(a.dp[0].stamp, 123456);
    assert_int_equal(a.dp[0].size, 4);
    assert_true(str_eq(prof_str(c.p, a.dp[0].action), STR("Last dequeue")));
    assert_true(str_eq(prof_str(c.p, a.dp[0].source), STR("Default/GetNext-op1")));
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_UNKNOWN_TYPE], 1);
    prof_aicpu_done(&a);
    prof_case_close(&c);
}

static void aicpu_of_older_releases(void **state)
{
    unsigned char p[128] = { 0 }, d[128] = { 0 }, newer[256];
    struct err e = ERR_INIT;
    struct prof_aicpu a;

    (void)state;
    aicpu_node_put(newer, 1000, 0, 0);
    put_le(p, PROF_HOST_MARK | 60 << 16, 4);
    put_le(p + 4, 2048 + 3, 2);
    put_le(p + 6, 44, 2);
    memcpy(p + 8, newer + 32, 112);
    put_le(d, PROF_HOST_MARK | 100 << 16, 4);
    put_le(d + 8, 777, 8);
    memcpy(d + 16, "Last queue", 10);
    put_le(d + 104, 5, 8);
    tree_file_n(&tree, DEVICE "DATA_PREPROCESS.AICPU.0.slice_0", (const char *)p, sizeof p);
    tree_file_n(&tree, DEVICE "DATA_PREPROCESS.DP.0.slice_0", (const char *)d, sizeof d);
    struct prof_case c = open_tree();
    assert_int_equal(prof_aicpu_read(&a, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(a.n_nodes, 1);
    assert_int_equal(a.node[0].stream, 3);
    assert_int_equal(a.node[0].task, 44);
    assert_int_equal(a.node[0].start, 1000);
    assert_int_equal(a.node[0].end, 1100);
    assert_int_equal(a.node[0].left, 1110);
    assert_int_equal(a.node[0].dispatch_us, 21);
    assert_int_equal(a.n_dp, 1);
    assert_int_equal(a.dp[0].stamp, 777);
    assert_int_equal(a.dp[0].size, 5);
    prof_aicpu_done(&a);
    prof_case_close(&c);
}

/* Two batches of one task id, a task of another stream, and one that is no AI CPU's. */
static void aicpu_nodes_are_of_the_task_they_end_in(void **state)
{
    struct prof_host_task ht[3] = { { .op = 0 }, { .op = 1 }, { .op = 2 } };
    struct prof_op op[2] = { { .name = 0 }, { .name = 0 } };
    const struct prof_host h = { .task = ht, .n_tasks = 3, .op = op, .n_ops = 2 };
    struct prof_task t[] = {
        { .start = 100, .end = 200, .stream = 2, .task = 7, .host = 0 },
        { .start = 300, .end = 400, .stream = 2, .task = 7, .host = 1 },
        { .start = 300, .end = 400, .stream = 3, .task = 7, .host = 2 },
        { .start = 300, .end = 400, .stream = 4, .task = 7, .host = PROF_NONE },
    };
    const struct prof_device d = { .task = t, .n_tasks = ARRAY_LEN(t) };
    struct prof_aicpu_node node[] = {
        { .start = 50, .end = 99, .stream = 2, .task = 7 },
        { .start = 110, .end = 200, .stream = 2, .task = 7 },
        { .start = 210, .end = 250, .stream = 2, .task = 7 },
        { .start = 310, .end = 390, .stream = 2, .task = 7 },
        { .start = 310, .end = 390, .stream = 4, .task = 7 },
        { .start = 410, .end = 500, .stream = 2, .task = 7 },
    };
    static const uint32_t want[] = { PROF_NONE, 0, PROF_NONE, 1, PROF_NONE, PROF_NONE };
    const struct prof_aicpu a = { .node = node, .n_nodes = ARRAY_LEN(node) };
    struct prof_case c = open_tree();
    struct err e = ERR_INIT;
    uint32_t *of;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        ht[i].type = prof_text(c.p, STR("KERNEL_AICPU"));
    op[0].core = prof_text(c.p, STR("AI_CPU"));
    op[0].name = prof_text(c.p, STR("Default/DropOut"));
    op[1].core = prof_text(c.p, STR("AI_CORE"));
    assert_int_equal(prof_aicpu_tasks(&a, c.p, &d, &h, &of, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(of[i], want[i]);
    assert_int_equal(prof_aicpu_op_name(c.p, &d, &h, 0), op[0].name);
    assert_int_equal(prof_aicpu_op_name(c.p, &d, &h, 1), PROF_NONE); /* of another core */
    assert_int_equal(prof_aicpu_op_name(c.p, &d, &h, 2), PROF_NONE); /* there is no such op */
    assert_int_equal(prof_aicpu_op_name(c.p, &d, &h, PROF_NONE), PROF_NONE);
    free(of);
    prof_case_close(&c);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_releases_give_the_order),
        cmocka_unit_test(memory_open_one_is_replaced_in_its_place),
        cmocka_unit_test(memory_key_is_used_again_after_its_release),
        cmocka_unit_test(memory_release_of_nothing_is_left_out),
        cmocka_unit_test(memory_many_keys_are_distinguished),
        TEST(memory_record_of_an_op),
        TEST(npu_memory_of_both_versions),
        TEST(npu_memory_of_app_and_device_files),
        TEST(npu_memory_that_lost_its_head_or_its_tail),
        TEST(module_memory_may_be_unknown),
        TEST(aicpu_nodes_items_and_data_preparation),
        TEST(aicpu_of_older_releases),
        TEST(aicpu_nodes_are_of_the_task_they_end_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
