/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a table on a screen of many rows; units of a table in parts. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "store/fill/fill.h"
#include "tests/unit/ui/screen_text.h"
#include "ui/widget/table.h"

#define OF_ONE_FOLDER 70
#define HIGH          80
#define WIDE          40

static const struct view_col cols[] = {
    { .id = "path",
      .title = "File",
      .expr = "path",
      .type = VT_TEXT,
      .min_width = 8,
      .width = 20,
      .flags = VC_MAIN | VC_FLEX },
    { .id = "size_b",
      .title = "Size",
      .expr = "size_b",
      .type = VT_INT,
      .unit = VU_BYTES,
      .min_width = 8,
      .width = 10 },
    { .id = "dur_ns",
      .title = "Time",
      .expr = "CASE id WHEN 1 THEN 30000 ELSE 9200000 END",
      .type = VT_INT,
      .unit = VU_NS,
      .min_width = 8,
      .width = 10 },
};
static const struct view_def def = { .id = "test.names",
                                     .title = "files",
                                     .from = "source",
                                     .key = "id",
                                     .cols = cols,
                                     .n_cols = ARRAY_LEN(cols) - 1,
                                     .unit_of = "files" };
static const struct view_def times = { .id = "test.times",
                                       .title = "times",
                                       .from = "source",
                                       .key = "id",
                                       .cols = cols,
                                       .n_cols = ARRAY_LEN(cols) };

static const struct view_col far_cols[] = {
    { .id = "path",
      .title = "File",
      .expr = "path",
      .type = VT_TEXT,
      .min_width = 8,
      .width = 20,
      .flags = VC_MAIN },
    { .id = "dur_ns",
      .title = "Time",
      .expr = "CASE id WHEN 1 THEN 70000 WHEN 2 THEN 700 ELSE 326790000 END",
      .type = VT_INT,
      .unit = VU_NS,
      .min_width = 8,
      .width = 10 },
};
static const struct view_def far_times = { .id = "test.far",
                                           .title = "times",
                                           .from = "source",
                                           .key = "id",
                                           .cols = far_cols,
                                           .n_cols = ARRAY_LEN(far_cols) };

static void add_file(struct fill *f, int64_t id, const char *path)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(source)] = { [COL(source, id)] = val_int(id),
                                     [COL(source, path)] = val_cstr(path),
                                     [COL(source, size_b)] = val_int(id) };

    assert_int_equal(sink_row(fill_sink(f), T_source, v, N_COLS(source), NULL, &e), OK);
}

static struct store *many_of_one_folder(void)
{
    struct err e = ERR_INIT;
    struct fill *f;
    struct store *s;
    char path[80];

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 1; i <= OF_ONE_FOLDER; i++) {
        snprintf(path, sizeof path, "device_0/data/a_folder_of_slices/hwts.data.slice_%d", i);
        add_file(f, i, path);
    }
    add_file(f, OF_ONE_FOLDER + 1, "host/a_folder_of_the_host_alone/start_71.log");
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

/* Names are shortened by what all rows on the screen share, not by what the first ones do. */
static void names_keep_what_one_row_has_alone(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = many_of_one_folder();
    struct view_part part = { .store = s };
    struct canvas *c = canvas_make(HIGH, WIDE, true);
    struct table *t;

    (void)state;
    assert_int_equal(table_new(&t, &def, NULL, &e), OK);
    assert_int_equal(table_attach(t, &part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_draw(t, c, (struct rect){ 0, 0, HIGH, WIDE });
    assert_true(canvas_has(c, "slice_70 "));
    assert_true(canvas_has(c, "start_71.log "));
    table_free(t);
    canvas_free(c);
    store_close(s);
}

/* Names that every cut of the column would make equal keep the part in which they differ. */
static void names_that_look_the_same_keep_their_layers(void **state)
{
    static const char *const path[] = {
        "Gradients/Default/network-Train/layer4-Seq/0-Res/down_sample_layer-Seq/0-Conv/gradConv2D",
        "Gradients/Default/network-Train/layer3-Seq/0-Res/down_sample_layer-Seq/0-Conv/gradConv2D",
        "Gradients/Default/network-Train/layer2-Seq/0-Res/down_sample_layer-Seq/0-Conv/gradConv2D",
        "Default/network-Train/layer2-Seq/0-Res/conv1-Conv2d/Conv2D",
    };
    struct err e = ERR_INIT;
    struct fill *f;
    struct store *s;
    struct canvas *c = canvas_make(8, WIDE, true);
    struct table *t;

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(path); i++)
        add_file(f, (int64_t)i + 1, path[i]);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    struct view_part part = { .store = s };
    assert_int_equal(table_new(&t, &def, NULL, &e), OK);
    assert_int_equal(table_attach(t, &part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_draw(t, c, (struct rect){ 0, 0, 8, WIDE });
    assert_true(canvas_has(c, "layer4") && canvas_has(c, "layer3") && canvas_has(c, "layer2"));
    table_free(t);
    canvas_free(c);
    store_close(s);
}

/* The second part of a table, and where it goes on elsewhere, have the units of its first rows. */
static void parts_of_a_table_have_the_same_units(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = many_of_one_folder();
    struct view_part part = { .store = s };
    struct canvas *c = canvas_make(12, 2 * WIDE, true);
    struct table *t;

    (void)state;
    assert_int_equal(table_new(&t, &times, NULL, &e), OK);
    assert_int_equal(table_attach(t, &part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_draw_from(t, c, (struct rect){ 0, 0, 11, WIDE }, 0, 20);
    assert_true(canvas_has(c, " 30.0 us") && canvas_has(c, " 9200 us"));
    for (size_t first = 10; first <= 20; first += 10) {
        canvas_clear(c);
        table_draw_from(t, c, (struct rect){ 0, WIDE, 11, WIDE }, first, 20);
        assert_true(canvas_has(c, " 9200 us"));
        assert_false(canvas_has(c, " ms"));
    }
    canvas_clear(c);
    table_draw_from(t, c, (struct rect){ 0, WIDE, 11, WIDE }, 10, 0);
    assert_true(canvas_has(c, " 9.20 ms")); /* alone they would have another one */
    table_free(t);
    canvas_free(c);
    store_close(s);
}

/* Small times beside large ones have a unit of their own; a unit that was chosen stays. */
static void small_times_have_their_own_unit(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = many_of_one_folder();
    struct view_part part = { .store = s };
    struct canvas *c = canvas_make(6, 2 * WIDE, true);
    struct table *t;

    (void)state;
    assert_int_equal(table_new(&t, &far_times, NULL, &e), OK);
    assert_int_equal(table_attach(t, &part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_draw(t, c, (struct rect){ 0, 0, 6, 2 * WIDE });
    assert_true(canvas_has(c, "   70.0 us"));
    assert_true(canvas_has(c, "    700 ns"));
    assert_true(canvas_has(c, " 326.79 ms"));
    table_set_units(t, (struct cell_units){ .time = TIME_MS });
    canvas_clear(c);
    table_draw(t, c, (struct rect){ 0, 0, 6, 2 * WIDE });
    assert_true(canvas_has(c, "0.07 ms"));
    table_free(t);
    canvas_free(c);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_keep_what_one_row_has_alone),
        cmocka_unit_test(names_that_look_the_same_keep_their_layers),
        cmocka_unit_test(parts_of_a_table_have_the_same_units),
        cmocka_unit_test(small_times_have_their_own_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
