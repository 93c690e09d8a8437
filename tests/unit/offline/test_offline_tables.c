/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dataset.csv and operator_details.csv of folders without a PROF folder: custom info and names in the
 * originals' manner and mended; cut and flipped files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/offline/folder_case.h"

/* mindspore.op_range of 2.6 and later (doc/formats/framework.md#op_range); 10 ns a tick. custom "": none. */
static void put_stage(struct bytes *b, uint64_t from, uint64_t to, const char *module, const char *event,
                      const char *name, const char *custom)
{
    size_t at = begin_record(b, 0);

    put(b, 7, 8);
    put(b, UINT64_MAX, 8);
    put(b, 0, 8);
    put(b, from, 8);
    put(b, to, 8);
    put(b, 7, 4);
    put(b, 0, 6);
    put(b, 0xff, 1);
    put(b, 1, 1);
    put(b, 0, 2);
    put_field(b, 13, name);
    put_field(b, 14, "full");
    if (*custom)
        put_field(b, 17, custom);
    put_field(b, 15, module);
    put_field(b, 16, event);
    end_record(b, at);
}

static void put_shapes(struct bytes *b, const char *name, const char *shapes)
{
    size_t at = begin_record(b, 3);

    put_field(b, 0, name);
    put_field(b, 1, shapes);
    put_field(b, 2, "Float32");
    end_record(b, at);
}

static void write_ranges(struct folder_case *k, const struct bytes *b)
{
    folder_case_file_n(k, "FRAMEWORK/mindspore.op_range", (const char *)b->v, b->n);
}

#define DATASET "Operation,Stage,Occurrences,Avg. time (us),Custom Info\r\n"

static void test_dataset(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "");
    b.n = 0;
    put_stage(&b, 1000, 1100, "Dataset", "Pipeline", "Map", "");
    put_stage(&b, 2000, 2205, "Dataset", "Pipeline", "Map", "");
    put_stage(&b, 3000, 3300, "Dataset", "Pipeline", "Batch", "rows:32;it's:a;c:d");
    put_stage(&b, 4000, 4100, "Dataset", "Pipeline", "Batch", "rows:32");
    put_stage(&b, 5000, 5000, "Dataset", "Pipeline", "Map", ""); /* takes no time */
    put_stage(&b, 5000, 5100, "GE", "Pipeline", "Map", "");
    put_stage(&b, 5000, 5100, "Dataset", "Pipeline", "a::b", "");
    write_ranges(&k, &b);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_string_equal(
        folder_case_text(&k, "dataset.csv"),
        DATASET "Pipeline,Map,2,1.52,\r\nPipeline,Batch,1,3.0,\"{'rows': '32', \"\"it's\"\": 'a'}\"\r\n"
                "Pipeline,Batch,1,1.0,{}\r\n");
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(folder_case_text(&k, "dataset.csv"), DATASET
                        "Pipeline,Map,2,1.52,\r\nPipeline,Batch,1,3.0,\"{'rows': '32', \"\"it's\"\": 'a', "
                        "'c': 'd'}\"\r\nPipeline,Batch,1,1.0,{'rows': '32'}\r\n");
    folder_case_done(&k);
}

/* A pair that is none ends upstream's file. */
static void test_bad_pair(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "");
    b.n = 0;
    put_stage(&b, 1000, 1100, "Dataset", "Pipeline", "Map", "path:a:b;word");
    write_ranges(&k, &b);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_null(folder_case_text(&k, "dataset.csv"));
    assert_int_equal(folder_case_outcome(&k, "dataset.csv"), EMIT_NO_DATA);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(folder_case_text(&k, "dataset.csv"),
                        DATASET "Pipeline,Map,1,1.0,\"{'path': 'a:b', 'word': ''}\"\r\n");
    folder_case_done(&k);
}

static void test_shapes(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"record_shapes\": true");
    b.n = 0;
    put_shapes(&b, "MatMul", "8,16;16,32;");
    put_shapes(&b,
               "Re\xff"
               "LU",
               "4");
    put_shapes(&b, "MatMul", "");
    folder_case_file_n(&k, "FRAMEWORK/mindspore.record_shapes", (const char *)b.v, b.n);
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_string_equal(folder_case_text(&k, "operator_details.csv"),
                        "Name,Input Shapes\r\nMatMul,\"8,16;16,32\"\r\nN/A,4\r\nMatMul,\r\n");
    for (size_t n = 0; n < b.n; n++) { /* each whole record is a row */
        folder_case_file_n(&k, "FRAMEWORK/mindspore.record_shapes", (const char *)b.v, n);
        assert_int_equal(folder_case_run(&k, true), OK);
        assert_int_equal(folder_case_outcome(&k, "operator_details.csv"),
                         n < 6 + 6 + 6 + 6 + 11 + 6 + 7 ? EMIT_NO_DATA : EMIT_WRITTEN);
    }
    folder_case_info(&k, "2.6.0", "\"record_shapes\": true"); /* has no such file yet */
    assert_int_equal(folder_case_run(&k, true), OK);
    assert_int_equal(folder_case_outcome(&k, "operator_details.csv"), FOLDER_UNNAMED);
    folder_case_done(&k);
}

/* torch.op_range of today (doc/formats/framework.md#records-of-torch_npu). */
static void put_op(struct bytes *b, uint64_t thread, uint64_t from, uint64_t to, const char *name,
                   const char *shapes, const char *stack)
{
    size_t at = begin_record(b, 1);

    put(b, from, 8);
    put(b, to, 8);
    put(b, UINT64_MAX, 8);
    put(b, 1, 8);
    put(b, thread, 8);
    put(b, thread, 8);
    put(b, 0, 10);
    put_field(b, 2, name);
    if (*shapes)
        put_field(b, 4, shapes);
    if (*stack)
        put_field(b, 8, stack);
    end_record(b, at);
}

/* Time of its own is without the ops in it; lists have a line for each entry; step marks are no rows. */
static void test_torch_details(void **state)
{
    static struct bytes b;
    struct folder_case k;

    (void)state;
    folder_case_new(&k, true);
    folder_case_file(&k, "profiler_info_0.json",
                     "{\"config\": {\"common_config\": {\"activities\": [\"ProfilerActivity.CPU\"]}, "
                     "\"experimental_config\": {\"_profiler_level\": \"Level0\"}}, \"start_info\": "
                     "{\"syscnt_enable\": false}, \"end_info\": {}, \"rank_id\": 0}");
    b.n = 0;
    put_op(&b, 7, 1000, 9000, "ProfilerStep#3", "", "");
    put_op(&b, 7, 2000, 4500, "aten::mm", "2,3;4", "a.py(1);b.py(2)");
    put_op(&b, 7, 2000, 2250, "inner", "", "");
    put_op(&b, 7, 2300, 2300, "at once", "", "");
    folder_case_file_n(&k, "FRAMEWORK/torch.op_range", (const char *)b.v, b.n);
    assert_int_equal(folder_case_run(&k, false), OK);
    assert_string_equal(
        folder_case_text(&k, "operator_details.csv"),
        "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self "
        "Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total "
        "Duration With AICore(us)\r\n"
        "aten::mm,\"2,3;\r\n4\",\"a.py(1);\r\nb.py(2)\",2.25,2.5,0,0,0,0\r\n"
        "inner,,,0.25,0.25,0,0,0,0\r\nat once,,,0.0,0.0,0,0,0,0\r\n");
    folder_case_done(&k);
}

/* Whatever a bit does, the work ends well. */
static void test_flips(void **state)
{
    static struct bytes b, c;
    struct folder_case k;
    uint32_t seed = 1;

    (void)state;
    folder_case_new(&k, false);
    folder_case_info(&k, "2.7.0", "\"record_shapes\": true");
    b.n = c.n = 0;
    for (uint64_t i = 0; i < 4; i++)
        put_stage(&b, 1000 * i, 1000 * i + 100, "Dataset", "Pipeline", "Map", "a:b;c:d");
    put_shapes(&c, "MatMul", "8,16;16,32;");
    put_shapes(&c, "Add", "8,16;16,32;");
    for (int i = 0; i < 200; i++) {
        struct bytes *x = i % 3 ? &b : &c;
        seed = seed * 1664525 + 1013904223;
        size_t at = seed % x->n;
        unsigned char bit = (unsigned char)(1u << (seed >> 29));
        x->v[at] ^= bit;
        write_ranges(&k, &b);
        folder_case_file_n(&k, "FRAMEWORK/mindspore.record_shapes", (const char *)c.v, c.n);
        assert_int_equal(folder_case_run(&k, i % 2), OK);
        x->v[at] ^= bit;
    }
    folder_case_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dataset),       cmocka_unit_test(test_bad_pair), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_torch_details), cmocka_unit_test(test_flips),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
