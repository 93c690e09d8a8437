/* SPDX-License-Identifier: Apache-2.0 */
/* '~' before numbers that damage may have made untrue (doc/store.md#marks), and before no others. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/view/cell.h"

static const char *marked(const struct view_col *c, struct val v, const char *damage)
{
    static struct cell_text t;
    const struct cell_units units = { 0 };

    cell_format(&t, c, &v, &units);
    cell_mark(&t, c, str_of(damage));
    assert_true(v.t == VAL_TEXT || !t.number[0] || t.text.p == t.number);
    return t.number;
}

static const struct view_col at = { .id = "ts_ns", .unit = VU_TS },
                             length = { .id = "dur_ns", .unit = VU_NS },
                             wait = { .id = "wait_ns", .unit = VU_NS },
                             size = { .id = "size_b", .unit = VU_BYTES },
                             count = { .id = "calls", .unit = VU_NONE },
                             mark = { .id = "wait_ns", .unit = VU_NS, .flags = VC_MARK };

/* A number of no unit: whole ones have no decimals, large ones are read in thousands. */
static void cell_plain_numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } t[] = { { 663, "663" },
              { 607.25, "607.2" },
              { 7.3, "7.300" },
              { 6, "6.000" },
              { 0.015, "0.015" },
              { 9637312, "9 637 312" },
              { 450156563.3, "450 156 563" },
              { -1650, "-1 650" },
              { 99999.5, "99999.5" } };
    const struct view_col c = { .id = "value", .type = VT_REAL, .unit = VU_NONE };
    const struct cell_units u = { .sep = " " };
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        struct cell_text out;
        const struct val v = { .t = VAL_REAL, .r = t[i].v };
        cell_format(&out, &c, &v, &u);
        assert_string_equal(out.number, t[i].text);
    }
}

/* What is not zero never looks so, and a measured zero is one, as in the column of GFLOPs beside it. */
static void cell_small_rates_are_no_zero(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } t[] = { { 0, "0" }, { 0.0049, "<0.01" }, { 0.01, "0.01" }, { 9.99, "9.99" }, { 9.996, "10.0" } };
    const struct view_col rate = { .id = "tflops_per_s", .title = "TFLOPS", .unit = VU_TFLOPS_S },
                          flops = { .id = "mflops", .title = "MFLOPs", .unit = VU_MFLOPS };
    const struct cell_units u = { .giga = true };
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        struct cell_text out;
        struct val v = val_real(t[i].v);
        cell_format(&out, &rate, &v, &u);
        assert_string_equal(out.number, t[i].text);
        v = val_real(t[i].v * 1e3);
        cell_format(&out, &flops, &v, &u);
        assert_string_equal(out.number, t[i].text);
    }
}

static void cell_mark_is_before_what_the_damage_is_about(void **state)
{
    (void)state;
    assert_int_equal(marked(&at, val_int(1), "time")[0], '~');
    assert_int_equal(marked(&length, val_int(1500), "duration")[0], '~');
    assert_int_equal(marked(&wait, val_int(1500), "op figures")[0], '~');
    assert_int_equal(marked(&size, val_int(1024), "figures")[0], '~');
    assert_int_equal(marked(&at, val_int(1), "time duration figures")[0], '~');
}

static void cell_mark_leaves_other_numbers_alone(void **state)
{
    (void)state;
    assert_int_not_equal(marked(&at, val_int(1), "duration figures op")[0], '~');
    assert_int_not_equal(marked(&length, val_int(1500), "time figures")[0], '~');
    assert_int_not_equal(marked(&wait, val_int(1500), "time op")[0], '~');
    assert_int_not_equal(marked(&size, val_int(1024), "time duration")[0], '~');
    assert_int_not_equal(marked(&count, val_int(7), "time duration figures op")[0], '~');
    assert_int_not_equal(marked(&mark, val_int(1500), "duration figures")[0], '~');
    assert_int_not_equal(marked(&wait, val_int(1500), "")[0], '~');
}

static void cell_mark_needs_a_number_and_room(void **state)
{
    const struct view_col text = { .id = "name", .unit = VU_NONE };
    struct cell_text t = { .text = STR("x") };

    (void)state;
    assert_string_equal(marked(&wait, val_null(), "duration"), "");
    assert_string_equal(marked(&text, val_cstr("Add"), "duration"), "");
    memset(t.number, '9', sizeof t.number - 1); /* as long as it can be: stays as it is */
    cell_mark(&t, &wait, STR("duration"));
    assert_int_equal(t.number[0], '9');
    assert_int_equal(strlen(t.number), sizeof t.number - 1);
    t.number[sizeof t.number - 2] = '\0';
    cell_mark(&t, &wait, STR("duration"));
    assert_int_equal(t.number[0], '~');
    assert_int_equal(strlen(t.number), sizeof t.number - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cell_plain_numbers_are_read),
        cmocka_unit_test(cell_small_rates_are_no_zero),
        cmocka_unit_test(cell_mark_is_before_what_the_damage_is_about),
        cmocka_unit_test(cell_mark_leaves_other_numbers_alone),
        cmocka_unit_test(cell_mark_needs_a_number_and_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
