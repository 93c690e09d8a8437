/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of Python, parameters and collections (doc/formats/framework.md#records-of-torch_npu,
 * #python-calls); and every family of FRAMEWORK files, cut everywhere and with flipped bits.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/framework/join.h"
#include "parsers/framework/memory.h"
#include "parsers/framework/python.h"
#include "tests/lib/framework_bytes.h"
#include "tests/unit/parsers/parse_case.h"

struct read {
    struct rows r;
    struct framework f;
    struct framework_memory m;
    struct framework_python p;
};
static struct read *into;

static int parse(struct parse_ctx *c, struct err *e)
{
    const char *name = c->f->rel;

    if (strstr(name, "op_range"))
        return framework_read_ranges(&into->f, c, e);
    if (strstr(name, "op_mark"))
        return framework_read_marks(&into->f, c, e);
    if (strstr(name, "memory_usage"))
        return framework_memory_read(&into->m, c, e);
    return framework_python_read(&into->p, c, e);
}

static void begin(struct read *x)
{
    struct err e = ERR_INIT;

    *x = (struct read){ .f = { .torch = true } };
    assert_int_equal(framework_init(&x->f, NULL, &e), OK);
    framework_memory_init(&x->m, &x->f);
    framework_python_init(&x->p, &x->f);
}

/* Read bytes as a file of this name. */
static int read_as(struct read *x, const char *name, const unsigned char *p, size_t n)
{
    struct err e = ERR_INIT;

    into = x;
    rows_init(&x->r, "raw_fw_other", scratch_write((const char *)p, n));
    x->r.file.rel = name;
    x->r.run.gen = GEN_P;
    return rows_parse(&x->r, parse, &e);
}

static void end(struct read *x)
{
    framework_python_done(&x->p);
    framework_memory_done(&x->m);
    framework_done(&x->f);
}

/* ---- damage ---- */

#define RECORDS 12 /* of a file with flipped bits */
#define CUT     4  /* of one that is cut */

static size_t make(struct bytes *b, const struct fw_family *f, unsigned n, size_t *ends)
{
    b->n = 0;
    for (unsigned i = 0; i < n; i++) {
        fw_put(b, f, i);
        ends[i] = b->n;
    }
    return b->n;
}

static void cut_everywhere(void **state)
{
    static struct bytes b;
    size_t ends[CUT];
    struct read x;

    (void)state;
    for (size_t k = 0; k < FW_FAMILIES; k++) {
        const struct fw_family *f = &fw_families[k];
        size_t n = make(&b, f, CUT, ends);
        for (size_t cut = 0; cut <= n; cut++) {
            size_t whole = 0;
            while (whole < CUT && ends[whole] <= cut)
                whole++;
            begin(&x);
            int rc = read_as(&x, f->file, b.v, cut);
            assert_int_equal(rc, OK);
            if (x.r.rows != whole)
                fail_msg("%s cut at %zu: %llu of %zu records", f->layout, cut, (unsigned long long)x.r.rows,
                         whole);
            bool at_border = !cut || (whole && ends[whole - 1] == cut);
            const struct sink_counts *c = sink_count_get(x.r.count);
            assert_int_equal(c->notes[NOTE_TORN_RECORD], !at_border);
            rows_done(&x.r);
            end(&x);
        }
    }
}

static void flip_bits(void **state)
{
    static struct bytes b;
    size_t ends[RECORDS];
    uint64_t seed = 4711;
    struct read x;

    (void)state;
    for (size_t k = 0; k < FW_FAMILIES; k++) {
        const struct fw_family *f = &fw_families[k];
        size_t n = make(&b, f, RECORDS, ends);
        for (int i = 0; i < 2000; i++) {
            size_t at = (size_t)(scratch_random(&seed) % n);
            unsigned char bit = (unsigned char)(1 << scratch_random(&seed) % 8);
            b.v[at] ^= bit;
            begin(&x);
            int rc = read_as(&x, f->file, b.v, n);
            assert_int_equal(rc, OK);
            if (x.r.rows < RECORDS - 2)
                fail_msg("%s: a flip at %zu left %llu of %d records", f->layout, at,
                         (unsigned long long)x.r.rows, RECORDS);
            rows_done(&x.r);
            end(&x);
            b.v[at] ^= bit;
        }
    }
}

/* ---- calls ---- */

static void put_call(struct bytes *b, uint64_t at, uint64_t thread, uint64_t key, unsigned tag)
{
    put(b, at, 8);
    put(b, thread, 8);
    put(b, 77, 8);
    put(b, key, 8);
    put(b, tag, 1);
}

static void put_text(struct bytes *b, uint64_t key, unsigned type, const char *text)
{
    size_t at = b->n;

    put(b, 4, 2);
    put(b, 0, 4);
    put(b, key, 8);
    put_field(b, type, text);
    end_record(b, at);
}

static void need_range(const struct framework *f, size_t i, const char *name, int64_t from, int64_t to,
                       unsigned is)
{
    assert_true(i < f->n_ranges);
    assert_true(str_eq(framework_str(f, f->range[i].name), str_of(name)));
    assert_int_equal(f->range[i].from, from);
    assert_int_equal(f->range[i].to, to);
    assert_int_equal(f->range[i].is, is);
}

static void need_frame(const struct framework_python *p, size_t i, struct framework_frame wanted)
{
    const struct framework_frame *x = &p->frame[i];

    assert_int_equal(x->range, wanted.range);
    assert_int_equal(x->id, wanted.id);
    assert_int_equal(x->above, wanted.above);
    assert_int_equal(x->number, wanted.number);
}

static void read_whole(struct read *x, const char *name, const struct bytes *b)
{
    assert_int_equal(read_as(x, name, b->v, b->n), OK);
    rows_done(&x->r);
}

/* Out of order in the file; a return without a call; two modules of one name; a key without a name. */
static void calls_become_ranges(void **state)
{
    struct bytes calls = { .n = 0 }, names = { .n = 0 };
    struct err e = ERR_INIT;
    struct framework_joins j;
    struct read x;

    (void)state;
    put_call(&calls, 50, 7, 0, RETURN_PY);
    put_call(&calls, 100, 7, 1, CALL_PY);
    put_call(&calls, 200, 8, 5, CALL_C);
    put_call(&calls, 400, 7, 2, RETURN_PY);
    put_call(&calls, 300, 7, 2, CALL_PY); /* before the return above it */
    put_call(&calls, 500, 7, 3, CALL_PY);
    put_call(&calls, 510, 7, 2, CALL_PY); /* the first module again */
    put_call(&calls, 260, 8, 5, 9);       /* no such tag */
    put_call(&calls, 250, 8, 5, RETURN_C);
    put_text(&names, 1, 1, "train.py(3): main");
    put_text(&names, 2, 1, "Linear######a1");
    put_text(&names, 3, 1, "Linear######b2");
    begin(&x);
    x.p.keeps_frames = true;
    read_whole(&x, "torch.python_tracer_hash", &names);
    read_whole(&x, "torch.python_tracer_func", &calls);
    assert_int_equal(framework_python_replay(&x.p, &e), OK);
    assert_int_equal(x.p.process, 77);
    assert_int_equal(x.f.n_ranges, 5);
    need_range(&x.f, 0, "train.py(3): main", 100, 510, RANGE_FRAME);
    need_range(&x.f, 1, "nn.Module: Linear_0", 300, 400, RANGE_FRAME | RANGE_MODULE);
    need_range(&x.f, 2, "nn.Module: Linear_1", 500, 510, RANGE_FRAME | RANGE_MODULE);
    need_range(&x.f, 3, "nn.Module: Linear_0", 510, 510, RANGE_FRAME | RANGE_MODULE);
    need_range(&x.f, 4, "5", 200, 250, RANGE_FRAME);
    assert_int_equal(x.p.n_frames, 5); /* in order of their returns; the first record is of none */
    need_frame(&x.p, 0, (struct framework_frame){ 1, 2, 1, 0 });
    need_frame(&x.p, 1, (struct framework_frame){ 3, 5, 4, 0 });
    need_frame(&x.p, 2, (struct framework_frame){ 2, 4, 1, 1 });
    need_frame(&x.p, 3, (struct framework_frame){ 0, 1, 0, UINT32_MAX });
    need_frame(&x.p, 4, (struct framework_frame){ 4, 0, 0, UINT32_MAX });
    assert_int_equal(framework_join(&j, &x.f, &e), OK);
    assert_int_equal(j.above[1], 0);
    assert_int_equal(j.above[4], FRAMEWORK_NONE);
    framework_joins_done(&j);
    end(&x);
}

static void put_older_call(struct bytes *b, uint64_t at, uint64_t thread, unsigned tag, const char *name)
{
    size_t from = b->n;

    put(b, 4, 2);
    put(b, 0, 4);
    put(b, at, 8);
    put(b, thread, 8);
    put(b, 77, 8);
    put(b, tag, 1);
    put_field(b, 2, name);
    end_record(b, from);
}

static void put_older_module(struct bytes *b, uint64_t index, const char *id, const char *name)
{
    size_t from = b->n;

    put(b, 5, 2);
    put(b, 0, 4);
    put(b, index, 8);
    put(b, 7, 8);
    put(b, 77, 8);
    put_field(b, 2, id);
    put_field(b, 3, name);
    end_record(b, from);
}

/* The older files number the calls of all threads; a module call says the number of its call. */
static void older_calls(void **state)
{
    struct bytes calls = { .n = 0 }, modules = { .n = 0 };
    struct err e = ERR_INIT;
    struct read x;

    (void)state;
    put_older_call(&calls, 100, 7, CALL_PY, "train.py(3): main");
    put_older_call(&calls, 110, 7, CALL_PY, "module.py(9): __call__");
    put_older_call(&calls, 120, 7, RETURN_PY, "");
    put_older_call(&calls, 130, 7, CALL_PY, "module.py(9): __call__");
    put_older_call(&calls, 140, 7, RETURN_PY, "");
    put_older_call(&calls, 150, 7, RETURN_PY, "");
    put_older_call(&calls, 170, 7, CALL_C, "late");
    put_older_call(&calls, 160, 7, RETURN_C, ""); /* a damaged time */
    put_older_module(&modules, 3, "id-b", "Conv2d");
    put_older_module(&modules, 1, "id-a", "Conv2d");
    begin(&x);
    read_whole(&x, "torch.python_func_call", &calls);
    read_whole(&x, "torch.python_module_call", &modules);
    assert_int_equal(framework_python_replay(&x.p, &e), OK);
    assert_int_equal(x.f.n_ranges, 4);
    need_range(&x.f, 3, "late", 170, 170, RANGE_FRAME);
    need_range(&x.f, 0, "train.py(3): main", 100, 150, RANGE_FRAME);
    need_range(&x.f, 1, "nn.Module: Conv2d_0", 110, 120, RANGE_FRAME | RANGE_MODULE);
    need_range(&x.f, 2, "nn.Module: Conv2d_1", 130, 140, RANGE_FRAME | RANGE_MODULE);
    end(&x);
}

/* ---- parameters, collections, shapes ---- */

#define TENSOR(sizes) "7f00;7f01;float;4;" sizes ";1;20;0"

static void parameters(void **state)
{
    struct bytes calls = { .n = 0 }, params = { .n = 0 };
    const char *text = "weight)" TENSOR("128,64") ")}bias)" TENSOR("128") ")" TENSOR("128") "}broken}";
    struct framework_param p;
    struct err e = ERR_INIT;
    struct read x;

    (void)state;
    put_call(&calls, 100, 7, 2, CALL_PY);
    put_call(&calls, 120, 7, 2, RETURN_PY);
    put_text(&params, 2, 1, text);
    put_text(&params, 3, 2, TENSOR("8") "))step>" TENSOR("1") "]}");
    begin(&x);
    read_whole(&x, "torch.param_tensor_info", &params);
    read_whole(&x, "torch.python_tracer_func", &calls);
    assert_int_equal(framework_python_replay(&x.p, &e), OK);
    const struct framework_params *of = framework_python_params(&x.p, &x.f.range[0]);
    assert_non_null(of);
    struct str rest = framework_str(&x.f, of->module);
    assert_true(framework_param_next(&rest, false, &p));
    assert_true(str_eq(p.name, STR("weight")) && str_eq(p.type, STR("float")));
    assert_true(str_eq(p.sizes, STR("128,64")));
    assert_int_equal(p.size_b, 128 * 64 * 4);
    assert_true(framework_param_next(&rest, false, &p));
    assert_int_equal(p.size_b, 128 * 4);
    assert_false(framework_param_next(&rest, false, &p));
    rest = framework_str(&x.f, x.p.params[1].optimizer);
    assert_true(framework_param_next(&rest, true, &p));
    assert_int_equal(p.size_b, 32);
    assert_false(framework_param_next(&rest, true, &p));
    rest = STR("w)1;2;t;9223372036854775807;99;1;20;0)}"); /* more than there is */
    assert_false(framework_param_next(&rest, false, &p));
    end(&x);
}

static void collections_and_shapes(void **state)
{
    struct bytes gc = { .n = 0 }, shapes = { .n = 0 };
    struct read x;

    (void)state;
    put(&gc, 77, 8);
    put(&gc, 100, 8);
    put(&gc, 150, 8);
    put(&shapes, 3, 2);
    put(&shapes, 0, 4);
    put_field(&shapes, 0, "MatMul");
    put_field(&shapes, 1, "2,3;4;"); /* as MindSpore ends it */
    put_field(&shapes, 2, "Float32;Int64");
    end_record(&shapes, 0);
    begin(&x);
    read_whole(&x, "torch.gc_record", &gc);
    read_whole(&x, "mindspore.record_shapes", &shapes);
    assert_int_equal(x.p.n_gc, 1);
    assert_int_equal(x.p.gc[0].to - x.p.gc[0].from, 50);
    assert_int_equal(x.p.n_shapes, 1);
    assert_true(str_eq(framework_str(&x.f, x.p.shapes[0].name), STR("MatMul")));
    assert_true(str_eq(framework_str(&x.f, x.p.shapes[0].shapes), STR("2,3;4")));
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_everywhere),      cmocka_unit_test(flip_bits),
        cmocka_unit_test(calls_become_ranges), cmocka_unit_test(older_calls),
        cmocka_unit_test(parameters),          cmocka_unit_test(collections_and_shapes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
