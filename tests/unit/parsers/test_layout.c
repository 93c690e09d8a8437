/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run/layout.c over parsers/mindspore/records/layouts_mindspore.c: every field lies in its record, bytes give
 * the values that readers take, short records say so.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "import/import.h"
#include "parsers/layouts.h"
#include "tests/lib/framework_bytes.h"

static void every_layout(void (*check)(const struct layout *l))
{
    const struct file_kind *k;
    size_t n = 0;

    for (size_t i = 0; (k = import_kind(i)); i++)
        for (const struct layout *l = k->layouts; l && l->id; l++, n++)
            check(l);
    assert_true(n >= 8);
}

static void check_fields(const struct layout *l)
{
    assert_true(l->title && l->source && l->title[0]);
    assert_true(l->record_b ? l->n_fields > 0 : l->n_fields == 0);
    assert_true(l->tlv || !l->n_texts);
    for (size_t i = 0; i < l->n_texts; i++)
        assert_true(l->texts[i].name[0]);
    for (size_t i = 0; i < l->n_fields; i++) {
        const struct layout_field *f = &l->fields[i];
        assert_true(f->name[0] && f->size);
        assert_true((unsigned)f->at + f->size <= l->record_b);
        if (f->type == FIELD_UINT || f->type == FIELD_INT || f->type == FIELD_HEX)
            assert_true(f->size <= 8 && f->shift + f->bits <= f->size * 8);
        else
            assert_true(f->type == FIELD_TEXT || f->size > 16);
    }
}

static void layout_fields_lie_in_their_record(void **state)
{
    (void)state;
    every_layout(check_fields);
}

/*
 * Of no bytes, and of each number of bytes: values within are given, others not; nothing beyond is read
 * (sanitizers look).
 */
static void check_short(const struct layout *l)
{
    struct buf b;

    for (size_t n = 0; n <= l->record_b; n++) {
        unsigned char *p = malloc(n ? n : 1);
        assert_non_null(p);
        for (size_t i = 0; i < n; i++)
            p[i] = (unsigned char)(i * 37 + n);
        assert_true(layout_length(l, p, n) <= n);
        for (size_t i = 0; i < l->n_fields; i++) {
            const struct layout_field *f = &l->fields[i];
            buf_init(&b, 4096);
            (void)layout_has(l, f, p, n);
            assert_int_equal(layout_value(f, p, n, &b), (size_t)f->at + f->size <= n);
            buf_done(&b);
        }
        free(p);
    }
}

static void layout_values_of_cut_records(void **state)
{
    (void)state;
    every_layout(check_short);
}

static const char *value(const struct layout *l, const char *name, const unsigned char *p, size_t n)
{
    static char text[200];
    struct buf b;

    buf_init(&b, 4096);
    str_copy(STR("none"), text, sizeof text);
    for (size_t i = 0; i < l->n_fields; i++)
        if (strcmp(l->fields[i].name, name) == 0 && layout_has(l, &l->fields[i], p, n)) {
            assert_true(layout_value(&l->fields[i], p, n, &b));
            str_copy(buf_str(&b), text, sizeof text);
        }
    buf_done(&b);
    return text;
}

static void layout_hwts_depends_on_the_type(void **state)
{
    (void)state;
    unsigned char p[64] = { 0x71, 5, 0xd3, 0x6b, 1, 0, 0x34, 0x12, 0x10, 0x27 };
    const struct layout *l = layout_find(layouts_hwts, "hwts.data.0.slice_0", p, sizeof p);

    assert_ptr_equal(l, layouts_hwts);
    assert_string_equal(value(l, "type", p, 64), "1 end of task");
    assert_string_equal(value(l, "count", p, 64), "7");
    assert_string_equal(value(l, "warn", p, 64), "0");
    assert_string_equal(value(l, "mark", p, 64), "0x6bd3");
    assert_string_equal(value(l, "task", p, 64), "4660");
    assert_string_equal(value(l, "ticks", p, 64), "10000");
    p[0] = 0x0c; /* block PMU with the warn bit: its ticks lie elsewhere */
    p[24] = 9;
    assert_string_equal(value(l, "type", p, 64), "4 block PMU");
    assert_string_equal(value(l, "ticks", p, 64), "9");
    p[0] = 7;
    assert_string_equal(value(l, "ticks", p, 64), "none");
}

static void layout_framework_strings_and_hashes(void **state)
{
    (void)state;
    unsigned char p[256] = { 0x5a, 0x5a, 0x17, 0 };
    const char *name = "Framework.task_desc_info.0.slice_0";
    const struct layout *l = layout_find(layouts_framework, name, p, sizeof p);

    assert_string_equal(l->id, "framework.task_desc_info");
    memcpy(p + 16, "Default/Conv2D-op1", 18);
    assert_string_equal(value(l, "op", p, 256), "Default/Conv2D-op1");
    memset(p + 16, 0, 18);
    memcpy(p + 16, "\x01\x02\x03\xff\x01\x02\x03\x04", 8);
    assert_string_equal(value(l, "op", p, 256), "hash 289077008678453761");
    assert_string_equal(value(l, "op_type", p, 256), "");
    /* The text era has the same names. */
    assert_string_equal(layout_find(layouts_framework, name, (const unsigned char *)"Default/Conv", 12)->id,
                        "framework.text");
    assert_null(layout_find(NULL, name, p, 256));
}

static void layout_of_a_prof_device_file_goes_by_its_name(void **state)
{
    static const unsigned char head[4] = { 0x5a, 0x5a, 0x70, 0x17 }, old[4] = { 0x5a, 0x5a, 0x3c, 0 };

    (void)state;
    assert_int_equal(layout_find(layouts_aicpu, "aicpu.data.0.slice_0", head, 4)->record_b, 256);
    assert_int_equal(layout_find(layouts_aicpu, "DATA_PREPROCESS.AICPU.0.slice_0", old, 4)->record_b, 128);
    assert_int_equal(layout_find(layouts_npu_mem, "npu_mem.app.0.slice_0", head, 4)->record_b, 32);
    assert_int_equal(layout_find(layouts_npu_mem, "npu_module_mem.data.0.slice_0", head, 4)->record_b, 24);
    assert_int_equal(layout_find(layouts_sampled, "ddr.data.0.slice_0", head, 4)->record_b, 20);
    assert_int_equal(layout_find(layouts_sampled, "nic.data.0.slice_0", head, 4)->end, '\n');
    assert_null(layout_find(layouts_sampled, "tscpu.data.0.slice_0", head, 4));
}

static void layout_of_older_host_files_goes_by_their_names(void **state)
{
    unsigned char p[256] = { 0x5a, 0x5a, 7, 0 };
    const struct layout *l = layout_find(layouts_host_legacy, "AclModule.acl_op.0.slice_0", p, 256);

    (void)state;
    assert_int_equal(l->record_b, 128);
    memcpy(p + 32, "aclopExecute", 13);
    p[8] = 100;
    p[9] = 1;
    assert_string_equal(value(l, "api", p, 128), "aclopExecute");
    assert_string_equal(value(l, "begin", p, 128), "356");
    assert_string_equal(value(l, "tag", p, 128), "7");
    l = layout_find(layouts_host_legacy, "runtime.api.0.slice_0", p, 256);
    assert_int_equal(l->record_b, 256);
    p[108 + 2 * 19] = 9;
    assert_string_equal(value(l, "short_19", p, 256), "9");
    l = layout_find(layouts_host_legacy, "Runtime.task_track.0.slice_0", p, 256);
    assert_int_equal(l->record_b, 64);
    assert_null(layout_find(layouts_host_legacy, "HCCL.hcom_allReduce_1_2_3.0.slice_0", p, 256));
    l = layout_find(layouts_framework, "Framework.session_info.0.slice_0", p, 256);
    assert_int_equal(l->record_b, 32);
}

static void layout_lengths(void **state)
{
    (void)state;
    unsigned char p[100] = { 1, 10, 48, 0 };

    assert_int_equal(layout_length(layouts_ts_track, p, 100), 48); /* as it says itself */
    p[2] = 0;
    assert_int_equal(layout_length(layouts_ts_track, p, 100), 40);
    assert_int_equal(layout_length(layouts_ts_track, p, 30), 30);
    assert_int_equal(layout_length(&layouts_aicpu[2], (const unsigned char *)"Node:a\0Thread", 13), 7);
    assert_int_equal(layout_length(&layouts_aicpu[2], (const unsigned char *)"Thread", 6), 6);
}

/* ---- records of many lengths ---- */

static const struct layout *fw_layout(const char *id)
{
    const struct layout *lists[] = { layouts_op_range, layouts_fw_memory, layouts_fw_other };

    for (size_t k = 0; k < ARRAY_LEN(lists); k++)
        for (const struct layout *l = lists[k]; l->id; l++)
            if (strcmp(l->id, id) == 0)
                return l;
    fail_msg("no layout %s", id);
    return NULL;
}

static const struct layout *list_of(const struct layout *l)
{
    for (size_t k = 0; layouts_op_range[k].id; k++)
        if (l == &layouts_op_range[k])
            return layouts_op_range;
    for (size_t k = 0; layouts_fw_memory[k].id; k++)
        if (l == &layouts_fw_memory[k])
            return layouts_fw_memory;
    return layouts_fw_other;
}

static void check_texts(const struct layout *l, const struct fw_family *f, const unsigned char *p, size_t n)
{
    const struct layout_text *row;
    size_t at = 0, k = 0;
    char want[40];
    unsigned type;
    struct str text;

    for (; layout_text(l, p, n, &at, &row, &type, &text); k++) {
        assert_true(fw_has_text(f, k) && row && row->type == f->texts[k] && type == row->type);
        snprintf(want, sizeof want, "text %u of 0", type);
        assert_true(str_eq(text, str_of(want)));
    }
    assert_false(fw_has_text(f, k));
    assert_true(!k || at == n);
}

/* Each family is told from the others of its file, its numbers and texts are found. */
static void layout_of_framework_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < FW_FAMILIES; i++) {
        const struct fw_family *f = &fw_families[i];
        const struct layout *l = fw_layout(f->layout);
        struct bytes b = { .n = 0 };
        size_t head = layout_head(l), length;
        fw_put(&b, f, 0);
        length = b.n;
        fw_put(&b, f, 1);
        assert_int_equal(l->record_b, f->fixed_b);
        assert_ptr_equal(layout_find(list_of(l), f->file, b.v, b.n), l);
        assert_int_equal(layout_length(l, b.v, b.n), length);
        if (f->plain)
            continue;
        assert_true(layout_fits(l, b.v, b.n) && !layout_fits(l, b.v, length - 1));
        assert_int_equal(layout_next(l, b.v, b.n), length);
        check_texts(l, f, b.v, length);
        if (l->n_fields > 1 && l->fields[1].at == 8)
            assert_string_equal(value(l, l->fields[1].name, b.v + head, b.n - head),
                                l->fields[1].type == FIELD_HEX ? "0x8" : "8");
    }
}

static void layout_of_damaged_records(void **state)
{
    const struct layout *l = fw_layout("op_range");
    struct bytes b = { .n = 0 };
    size_t length;

    (void)state;
    fw_put(&b, &fw_families[0], 0);
    length = b.n;
    fw_put(&b, &fw_families[0], 1);
    b.v[2]++; /* the length of the first one */
    assert_false(layout_fits(l, b.v, b.n));
    assert_int_equal(layout_next(l, b.v, b.n), length);
    assert_ptr_equal(layout_find(layouts_op_range, "mindspore.op_range", b.v, b.n), l);
    assert_null(layout_find(layouts_op_range, "mindspore.op_range", b.v, length));
    for (size_t n = 0; n < length; n++)
        assert_int_equal(layout_next(l, b.v, n), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_fields_lie_in_their_record),
        cmocka_unit_test(layout_values_of_cut_records),
        cmocka_unit_test(layout_hwts_depends_on_the_type),
        cmocka_unit_test(layout_framework_strings_and_hashes),
        cmocka_unit_test(layout_of_a_prof_device_file_goes_by_its_name),
        cmocka_unit_test(layout_of_older_host_files_goes_by_their_names),
        cmocka_unit_test(layout_lengths),
        cmocka_unit_test(layout_of_framework_files),
        cmocka_unit_test(layout_of_damaged_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
