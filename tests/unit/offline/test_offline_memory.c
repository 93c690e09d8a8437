/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operator_memory.csv and memory_record.csv of folders without a PROF folder: allocations and releases of
 * MindSpore's versions and of torch_npu, in the originals' manner and mended; cut and flipped files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/offline/folder_case.h"

#define AT   UINT64_C(1718087109133000000) /* ns */
#define FREE UINT64_MAX

/* mindspore.memory_usage (doc/formats/framework.md#memory_usage); type 13, of 2.5: 3. */
static void put_event(struct bytes *b, unsigned type, uint64_t at, uint64_t address, uint64_t size,
                      uint64_t used, uint64_t reserved, const char *owner)
{
    size_t from = begin_record(b, type);

    put(b, 1, 4);
    put(b, 7, 8);
    put(b, 1, 8);
    put(b, at, 8);
    put(b, address, 8);
    put(b, size, 8);
    put(b, used, 8);
    put(b, 0, 8);
    put(b, reserved, 8);
    put(b, 0, 16);
    put(b, 42, 8);
    put(b, 0, 8);
    put_field(b, type, owner);
    end_record(b, from);
}

static void put_mindspore(struct bytes *b, unsigned type)
{
    const uint64_t mb = 1 << 20;

    b->n = 0;
    put_event(b, type, AT + 5000, 16, FREE, mb, 8 * mb, ""); /* of an allocation before the run */
    put_event(b, type, AT + 10250, 32, 1536, 2 * mb, 8 * mb, "Default/A-op1");
    put_event(b, type, AT + 11001, 16, 2048, 3 * mb, 8 * mb, "Default/B,op2");
    put_event(b, type, AT + 20001, 16, 4096, 4 * mb, 8 * mb, "Default/C-op3"); /* the release of B was lost */
    put_event(b, type, AT + 21501, 32, FREE, 2 * mb, 8 * mb, "");
    put_event(b, type, AT + 22001, 32, FREE, 2 * mb, 8 * mb, ""); /* the allocation was lost */
    put_event(b, type, AT + 23001, 32, 1024, 2 * mb, 8 * mb, "Default/D-op4");
}

#define HEADER                                                                                               \
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active "        \
    "Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB)," \
    "Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device "     \
    "Type\r\n"

static void test_mindspore(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"profile_memory\": true");
    put_mindspore(&b, 13);
    folder_case_file_n(&k, "FRAMEWORK/mindspore.memory_usage", (const char *)b.v, b.n);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(
        folder_case_text(&k, "operator_memory.csv"), HEADER
        "Default/A-op1,1.5,1718087109133010.250,1718087109133021.501,N/A,11.251,N/A,2.0,8.0,2.0,2.0,"
        "8.0,2.0,42,NPU:1\r\n"
        "\"Default/B,op2\",2.0,1718087109133011.001,N/A,N/A,N/A,N/A,3.0,8.0,3.0,N/A,N/A,N/A,42,NPU:1\r\n"
        "Default/C-op3,4.0,1718087109133020.001,N/A,N/A,N/A,N/A,4.0,8.0,4.0,N/A,N/A,N/A,42,NPU:1\r\n"
        "Default/D-op4,1.0,1718087109133023.001,N/A,N/A,N/A,N/A,2.0,8.0,2.0,N/A,N/A,N/A,42,NPU:1\r\n");
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_string_equal(
        folder_case_text(&k, "operator_memory.csv"),
        HEADER "Default/A-op1,1.5,1718087109133010.2,1718087109133021.5,N/A,11.251,N/A,2.0,8.0,2.0,2.0,8.0,"
               "2.0,42,NPU:1\r\n"
               "Default/C-op3,4.0,1718087109133020.0,N/A,N/A,N/A,N/A,4.0,8.0,4.0,N/A,N/A,N/A,42,NPU:1\r\n"
               "Default/D-op4,1.0,1718087109133023.0,1718087109133022.0,N/A,-1.0,N/A,2.0,8.0,2.0,2.0,8.0,2.0,"
               "42,NPU:1\r\n");
    folder_case_done(&k);
}

/* 2.5 has other units and columns; mended there are none. */
static void test_mindspore_25(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.5.0", "\"profile_memory\": true");
    b.n = 0;
    put_event(&b, 3, AT, 16, 1024, 1 << 20, 4 << 20, "A");
    put_event(&b, 3, AT + 1024, 16, FREE, 1 << 20, 4 << 20, "");
    folder_case_file_n(&k, "FRAMEWORK/mindspore.memory_usage", (const char *)b.v, b.n);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_string_equal(folder_case_text(&k, "operator_memory.csv"),
                        HEADER "A,1.0,1677819442512695.2,1677819442512696.2,N/A,1.0,N/A,4.0,1.0,4.0,4.0,1.0,"
                               "4.0,42,NPU:1\r\n");
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(folder_case_text(&k, "operator_memory.csv"), HEADER
                        "A,1.0,1718087109133000.000,1718087109133001.024,N/A,1.024,N/A,1.0,4.0,1.0,1.0,"
                        "4.0,1.0,42,NPU:1\r\n");
    folder_case_done(&k);
}

/* MindSpore 2.4 wrote the table itself: it is copied, and where it cannot be read the report says so. */
static void test_copied(void **state)
{
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    k.folder = "profiler";
    folder_case_file(&k, "profiler_info_0.json", "{\"rank_id\": 0, \"ms_version\": \"2.4.0\"}");
    folder_case_file(&k, "PROF_000001_20240611062509123_ABCDEFGH/device_0/info.json.0", "{}");
    folder_case_file(&k, "operator_memory_20240611062509.csv", "Name,Size(KB)\r\nAdd,1\r\n");
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(folder_case_text(&k, "operator_memory.csv"), "Name,Size(KB)\r\nAdd,1\r\n");
    k.gone = "profiler/operator_memory_20240611062509.csv";
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_int_equal(folder_case_outcome(&k, "operator_memory.csv"), EMIT_NO_DATA);
    folder_case_done(&k);
}

static void test_pool(void **state)
{
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"profile_memory\": true");
    folder_case_file(&k, "FRAMEWORK/cpu_ms_memory_record_0.txt",
                     "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total Active(Byte)\n"
                     "1718087109133461000,1024000,2048000,512\n"
                     "nothing\n"
                     "1718087109133460990,2048000,2048000,1024");
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(
        folder_case_text(&k, "memory_record.csv"),
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device "
        "Type\r\n"
        "MindSpore,1718087109133460.99,2.0,2.0,0.001,NPU:0\r\n"
        "MindSpore+GE,1718087109133460.99,2.0,2.0,0.001,NPU:0\r\n"
        "MindSpore,1718087109133461,1.0,2.0,0.0005,NPU:0\r\n"
        "MindSpore+GE,1718087109133461,1.0,2.0,0.0005,NPU:0\r\n");
    folder_case_done(&k);
}

/* ---- torch_npu ---- */

/* torch.memory_usage of today (doc/formats/framework.md#records-of-torch_npu). */
static void put_torch(struct bytes *b, uint64_t at, uint64_t address, uint64_t size, unsigned component,
                      unsigned kind, unsigned allocator, uint64_t thread)
{
    size_t from = begin_record(b, 3);

    put(b, address, 8);
    put(b, at, 8);
    put(b, size, 8);
    put(b, 3 << 20, 8);
    put(b, 4 << 20, 8);
    put(b, 2 << 20, 8);
    put(b, 77, 8);
    put(b, 20, 1);
    put(b, 5, 1);
    put(b, component, 1);
    put(b, kind, 1);
    put(b, allocator, 1);
    put(b, thread, 8);
    put(b, 1, 8);
    end_record(b, from);
}

static void put_op(struct bytes *b, uint64_t thread, uint64_t from, uint64_t to, const char *name)
{
    size_t at = begin_record(b, 1);

    put(b, from, 8);
    put(b, to, 8);
    put(b, UINT64_MAX, 8);
    put(b, 1, 8);
    put(b, thread, 8);
    put(b, thread, 8);
    put(b, 0, 8);
    put(b, 0, 2);
    put_field(b, 2, name);
    end_record(b, at);
}

static void put_mark(struct bytes *b, uint64_t at, unsigned kind, uint64_t id, uint64_t thread)
{
    size_t from = begin_record(b, 2);

    put(b, at, 8);
    put(b, kind, 8);
    put(b, id, 8);
    put(b, thread, 8);
    put(b, 1, 8);
    put_field(b, 1, "task");
    end_record(b, from);
}

static const char torch_info[] = "{\"config\": {\"common_config\": {\"activities\": "
                                 "[\"ProfilerActivity.CPU\"], \"profile_memory\": true}, "
                                 "\"experimental_config\": {\"_profiler_level\": \"Level0\"}}, "
                                 "\"start_info\": {\"syscnt_enable\": false}, "
                                 "\"end_info\": {}, \"rank_id\": 0}";

/* A file of the folder, and its bytes, to be damaged. */
struct part {
    const char *name;
    struct bytes b;
};
enum { OPS, MARKS, EVENTS, N_TORCH };
static struct part torch[N_TORCH] = { [OPS] = { .name = "FRAMEWORK/torch.op_range" },
                                      [MARKS] = { .name = "FRAMEWORK/torch.op_mark" },
                                      [EVENTS] = { .name = "FRAMEWORK/torch.memory_usage" } };

static void keep(struct folder_case *k, const struct bytes *b, struct part *to)
{
    to->b = *b;
    folder_case_file_n(k, to->name, (const char *)b->v, b->n);
}

static void make_torch(struct folder_case *k)
{
    static struct bytes b;

    folder_case_file(k, "profiler_info_0.json", torch_info);
    b.n = 0;
    put_op(&b, 7, 1000, 9000, "aten::add");
    put_op(&b, 8, 1500, 1900, "other::thread"); /* open when aten::add of thread 7 is */
    put_op(&b, 7, 2000, 3000, "inner");
    put_op(&b, 7, 2100, 2900, "empty_tensor");
    keep(k, &b, &torch[OPS]);
    b.n = 0;
    put_mark(&b, 2200, 0, 5, 7);
    put_mark(&b, 2300, 1, 5, 7);
    put_mark(&b, 2400, 2, 5, 9);
    put_mark(&b, 5000, 3, 5, 9);
    keep(k, &b, &torch[MARKS]);
    b.n = 0;
    put_torch(&b, 2500, 16, 512, 0, 0, 0, 7);
    put_torch(&b, 2600, 32, 1024, 1, 0, 0, 9); /* of a task that aten::add put into the queue */
    put_torch(&b, 2700, 16, 512, 0, 1, 0, 7);
    put_torch(&b, 2750, 16, 512, 0, 2, 0, 7);
    put_torch(&b, 2800, 48, 2048, 0, 0, 1, 7); /* of another allocator */
    put_torch(&b, 2900, 64, 2048, 0, 0, 0, 6); /* of a thread without ops */
    put_torch(&b, 2950, 64, 2048, 0, 2, 0, 6);
    keep(k, &b, &torch[EVENTS]);
}

static void test_torch(void **state)
{
    struct folder_case k;

    (void)state;
    folder_case_new(&k, true);
    make_torch(&k);
    for (int compat = 0; compat < 2; compat++) {
        assert_int_equal(folder_case_run(&k, compat), OK);
        assert_string_equal(folder_case_text(&k, "operator_memory.csv"), HEADER
                            "inner,0.5,2.500\t,2.700\t,2.750\t,0.200\t,0.250\t,3.0,4.0,2.0,3.0,4.0,2.0,77,"
                            "NPU:5\r\n"
                            "aten::add,1.0,2.600\t,,,,,3.0,4.0,2.0,,,,77,NPU:5\r\n"
                            ",2.0,2.900\t,,2.950\t,,0.050\t,3.0,4.0,2.0,3.0,4.0,2.0,77,NPU:5\r\n");
    }
    assert_non_null(strstr(folder_case_text(&k, "memory_record.csv"),
                           "PTA,2.500\t,3.0,4.0,2.0,77,NPU:5\r\nPTA+GE,2.500\t,3.0,4.0,2.0,77,NPU:5\r\n"
                           "WORKSPACE,2.600\t,3.0,4.0,2.0,77,NPU:5\r\nPTA,2.700\t,"));
    folder_case_done(&k);
}

/* An op of another thread is around it in upstream's tree, which has all threads. */
static void test_torch_tree(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, true);
    folder_case_file(&k, "profiler_info_0.json", torch_info);
    b.n = 0;
    put_op(&b, 8, 1000, 9000, "other::thread");
    put_op(&b, 7, 2000, 3000, "aten::add");
    folder_case_file_n(&k, "FRAMEWORK/torch.op_range", (const char *)b.v, b.n);
    b.n = 0;
    put_torch(&b, 4000, 16, 512, 0, 0, 0, 7);
    folder_case_file_n(&k, "FRAMEWORK/torch.memory_usage", (const char *)b.v, b.n);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_non_null(strstr(folder_case_text(&k, "operator_memory.csv"), "\r\nother::thread,0.5,"));
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_non_null(strstr(folder_case_text(&k, "operator_memory.csv"), "\r\n,0.5,"));
    folder_case_done(&k);
}

/* ---- damage ---- */

static size_t rows_of(const char *text)
{
    size_t n = 0;

    for (; text && *text; text++)
        n += *text == '\n';
    return n ? n - 1 : 0;
}

/* Each whole record of a cut file has its part in a row. */
static void test_cut(void **state)
{
    static struct bytes b;
    struct folder_case k;
    const size_t record = 6 + 100 + 6;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"profile_memory\": true");
    b.n = 0;
    for (unsigned i = 0; i < 4; i++)
        put_event(&b, 13, AT + i, 16 * i, 1024, 1 << 20, 1 << 20, "");
    assert_int_equal(b.n, 4 * record);
    for (size_t n = 0; n <= b.n; n += n % record < 8 ? 1 : 17) {
        folder_case_file_n(&k, "FRAMEWORK/mindspore.memory_usage", (const char *)b.v, n);
        assert_int_equal(folder_case_run(&k, n % 2), OK);
        assert_int_equal(rows_of(folder_case_text(&k, "operator_memory.csv")), n / record);
        assert_int_equal(folder_case_outcome(&k, "operator_memory.csv"),
                         n < record ? EMIT_NO_DATA : EMIT_WRITTEN);
        unlink(tree_path(&k.tree, "out/operator_memory.csv"));
    }
    folder_case_done(&k);
}

/* Whatever a bit does, the work ends well. */
static void flip_all(struct folder_case *k, struct part *part, size_t n, int rounds)
{
    uint32_t seed = 1;

    for (int i = 0; i < rounds; i++) {
        struct part *p = &part[(size_t)i % n];
        seed = seed * 1664525 + 1013904223;
        size_t at = (seed >> 8) % p->b.n;
        unsigned char bit = (unsigned char)(1u << (seed >> 29));
        p->b.v[at] ^= bit;
        folder_case_file_n(k, p->name, (const char *)p->b.v, i % 5 ? p->b.n : at);
        assert_int_equal(folder_case_run(k, i % 2), OK);
        p->b.v[at] ^= bit;
        folder_case_file_n(k, p->name, (const char *)p->b.v, p->b.n);
    }
}

static void test_flips(void **state)
{
    static struct part part[2] = { { .name = "FRAMEWORK/mindspore.memory_usage" },
                                   { .name = "FRAMEWORK/cpu_ms_memory_record_0.txt" } };
    static const char pool[] = "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total Active(Byte)\n"
                               "1718087109133461000,1024000,2048000,512\n1718087109133460990,1,2,3\n";
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"profile_memory\": true");
    put_mindspore(&part[0].b, 13);
    memcpy(part[1].b.v, pool, part[1].b.n = sizeof pool - 1);
    for (size_t i = 0; i < 2; i++)
        folder_case_file_n(&k, part[i].name, (const char *)part[i].b.v, part[i].b.n);
    flip_all(&k, part, 2, 200);
    folder_case_done(&k);
}

static void test_flips_torch(void **state)
{
    struct folder_case k;

    (void)state;
    folder_case_new(&k, true);
    make_torch(&k);
    flip_all(&k, torch, N_TORCH, 300);
    folder_case_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mindspore),   cmocka_unit_test(test_mindspore_25),
        cmocka_unit_test(test_pool),        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_torch),       cmocka_unit_test(test_torch_tree),
        cmocka_unit_test(test_cut),         cmocka_unit_test(test_flips),
        cmocka_unit_test(test_flips_torch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
