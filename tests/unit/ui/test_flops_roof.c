/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline as a picture, and how the tables of FLOPs are read. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"
#include "ui/pane/flops_roof.h"

#define PEAK  1e14
#define BYTES 1e12

static struct roof_op op(enum op_class cls, double intensity, double flops_per_s)
{
    return (struct roof_op){ .name = "MatMul-op1",
                             .cls = cls,
                             .intensity = intensity,
                             .flops_per_s = flops_per_s,
                             .log_intensity = log10(intensity),
                             .log_flops = log10(flops_per_s) };
}

/* A star for each cell with ops, in the colour of the one that loses most. */
static void roof_cell_has_the_role_of_its_first_op(void **state)
{
    (void)state;
    struct roof_op ops[] = { op(OC_CUBE, 10, 1e12), op(OC_VECTOR, 10, 1e12), op(OC_AICPU, 1, 1e11) };
    const struct roofline r = { .op = ops, .n = ARRAY_LEN(ops), .peak = PEAK, .bytes_per_s = BYTES };
    struct canvas *c = canvas_make(30, 80, true);
    const enum role want[] = { role_of_class(OC_CUBE), role_of_class(OC_AICPU) };
    size_t n = 0;

    flops_roof_draw(&r, c, (struct rect){ 0, 0, 30, 80 });
    for (int y = 0; y < 24; y++)
        for (int x = 14; x < 80; x++)
            if (!strcmp(canvas_cell(c, y, x, NULL), "*")) {
                assert_true(n < ARRAY_LEN(want));
                assert_int_equal(canvas_role(c, y, x), want[n++]);
            }
    assert_int_equal(n, ARRAY_LEN(want));
    canvas_free(c);
}

/* Beside other views there may be no room for the list: the picture is drawn without it. */
static void roof_without_room_for_the_list(void **state)
{
    (void)state;
    struct roof_op ops[] = { op(OC_CUBE, 10, 1e12) };
    const struct roofline r = { .op = ops, .n = ARRAY_LEN(ops), .peak = PEAK, .bytes_per_s = BYTES };
    struct canvas *c = canvas_make(10, 43, true);
    int rows = 0;
    flops_roof_draw(&r, c, (struct rect){ 0, 0, 10, 43 });
    for (int y = 0; y < 10; y++)
        rows += *canvas_cell(c, y, 12, NULL) == '|';
    assert_int_equal(rows, 7); /* the axis: all lines but the title and the two of the ruler */
    canvas_free(c);
}

/* A plot wider than any screen has dots up to its right edge, where the list of ops begins. */
static void roof_reaches_the_right_edge(void **state)
{
    (void)state;
    struct roof_op ops[] = { op(OC_CUBE, 10, 1e12) };
    const struct roofline r = { .op = ops, .n = ARRAY_LEN(ops), .peak = PEAK, .bytes_per_s = BYTES };
    struct canvas *c = canvas_make(30, 1000, true);
    bool found = false;

    flops_roof_draw(&r, c, (struct rect){ 0, 0, 30, 1000 });
    for (int y = 1; y < 10; y++)
        found |= !strcmp(canvas_cell(c, y, 598, NULL), "-");
    assert_true(found);
    canvas_free(c);
}

static void roof_title_says_what_is_left_out(void **state)
{
    (void)state;
    static const struct {
        size_t unknown, beyond;
        const char *text;
    } t[] = {
        { 3, 0, "FLOP/B   3 ops without shapes or times are left out" },
        { 0, 5, "FLOP/B   5 ops beyond the first 200000 are left out" },
        { 3, 5, "FLOP/B   3 ops without shapes or times and 5 beyond the first 200000 are left out" },
    };
    struct roof_op ops[] = { op(OC_CUBE, 10, 1e12) };

    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        const struct roofline r = { .op = ops,
                                    .n = ARRAY_LEN(ops),
                                    .unknown = t[i].unknown,
                                    .beyond = t[i].beyond,
                                    .peak = PEAK,
                                    .bytes_per_s = BYTES };
        struct canvas *c = canvas_make(30, 200, true);
        flops_roof_draw(&r, c, (struct rect){ 0, 0, 30, 200 });
        assert_true(canvas_has(c, t[i].text));
        canvas_free(c);
    }
}

/* The statement of a table of FLOPs goes through the executions once, not once for each op. */
static void flops_of_ops_are_read_in_one_pass(void **state)
{
    struct fixture *x = *state;
    size_t n;
    const struct view_part *parts = session_parts(x->s, false, &n);
    static const char *const ids[] = { "flops.op", "flops.scope", "flops.type" };
    struct err e = ERR_INIT;

    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct view *v = NULL;
        struct query *q = NULL;
        struct buf sql;
        bool ops_first = false, execs = false;
        assert_int_equal(view_open(&v, view_def_find(ids[i]), parts, n, session_scope(x->s), &e), OK);
        buf_init(&sql, 65536);
        buf_puts(&sql, "EXPLAIN QUERY PLAN ");
        view_sql(v, &sql);
        if (store_query(session_store(x->s, 0), &q, sql.p, &e))
            fail_msg("%s: %s", sql.p, e.text);
        while (query_step(q, &e) == 1) {
            struct str step = query_str(q, 3);
            ops_first |= str_eq(step, STR("SCAN o")) || str_starts(step, STR("SCAN o "));
            execs |= str_eq(step, STR("SCAN f"));
        }
        assert_true(execs);
        assert_false(ops_first);
        query_free(q);
        buf_done(&sql);
        view_close(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roof_cell_has_the_role_of_its_first_op),
        cmocka_unit_test(roof_without_room_for_the_list),
        cmocka_unit_test(roof_reaches_the_right_edge),
        cmocka_unit_test(roof_title_says_what_is_left_out),
        cmocka_unit_test_setup_teardown(flops_of_ops_are_read_in_one_pass, setup_gen2, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
