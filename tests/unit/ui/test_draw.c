/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: text safe and clipped in cells, wide characters, bars, boxes. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/screen_text.h"

static void draw_text_is_clipped_in_cells(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(3, 10, true);
    assert_int_equal(draw_puts(c, 0, 2, 20, ROLE_TEXT, "abcdefghijkl"), 8);
    assert_int_equal(draw_puts(c, 1, 0, 4, ROLE_TEXT, "abcdefg"), 4);
    assert_int_equal(draw_right(c, 2, 0, 6, ROLE_TEXT, STR("12")), 2);
    canvas_shows(c, "  abcdefg~\nabc~\n    12");
    assert_int_equal(draw_puts(c, 3, 0, 4, ROLE_TEXT, "x"), 0);
    assert_int_equal(draw_puts(c, 0, 10, 4, ROLE_TEXT, "x"), 0);
    assert_int_equal(draw_puts(c, -1, 0, 4, ROLE_TEXT, "x"), 0);
    canvas_free(c);
}

static void draw_hostile_text_stays_inside(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(1, 40, true);
    draw_puts(c, 0, 0, 40, ROLE_TEXT,
              "a\033[31mb\nc\xe2\x80\xae"
              "d\xff");
    for (int x = 0; x < 40; x++) {
        const char *t = canvas_cell(c, 0, x, NULL);
        assert_true(t[0] >= ' ' && t[0] < 127 && !t[1]);
    }
    assert_true(canvas_has(c, "<U+202E>"));
    canvas_free(c);
}

static void draw_wide_characters_take_two_cells(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(2, 6, false);
    draw_puts(c, 0, 0, 6, ROLE_TEXT, "中文x");
    assert_string_equal(canvas_cell(c, 0, 0, NULL), "中");
    assert_string_equal(canvas_cell(c, 0, 1, NULL), "");
    assert_string_equal(canvas_cell(c, 0, 4, NULL), "x");
    /* Overwriting one half blanks the other. */
    draw_cp(c, 0, 1, ROLE_TEXT, '#');
    assert_string_equal(canvas_cell(c, 0, 0, NULL), " ");
    draw_cp(c, 0, 2, ROLE_TEXT, '#');
    canvas_shows(c, " ## x");
    /* One that would be cut at the edge is not begun. */
    draw_puts(c, 1, 5, 1, ROLE_TEXT, "中");
    assert_string_not_equal(canvas_cell(c, 1, 5, NULL), "中");
    canvas_free(c);
}

static void draw_combining_marks_share_the_cell(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(1, 6, false);
    draw_puts(c, 0, 0, 6, ROLE_TEXT, "e\xcc\x81x");
    assert_string_equal(canvas_cell(c, 0, 0, NULL), "e\xcc\x81");
    assert_string_equal(canvas_cell(c, 0, 1, NULL), "x");
    canvas_free(c);
}

static void draw_bar_has_eighths_in_utf8(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(5, 8, false);
    assert_int_equal(draw_bar(c, 0, 0, 8, 0.5, 1, ROLE_CUBE, 0), 4);
    assert_int_equal(draw_bar(c, 1, 0, 8, 0.5 + 1.0 / 64, 1, ROLE_CUBE, 0), 5);
    assert_int_equal(draw_bar(c, 2, 0, 8, 0.001, 1, ROLE_CUBE, 0), 1);
    assert_int_equal(draw_bar(c, 3, 0, 8, 7, 1, ROLE_CUBE, 0), 8);
    assert_int_equal(draw_bar(c, 4, 0, 8, 0.25, 1, ROLE_CUBE, 1), 2);
    canvas_shows(c, "████\n████▏\n▏\n████████\n▓▓");
    assert_int_equal(canvas_role(c, 0, 0), ROLE_CUBE);
    canvas_free(c);
}

static void draw_bar_without_a_value_draws_nothing(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(1, 8, true);
    assert_int_equal(draw_bar(c, 0, 0, 8, 0, 1, ROLE_CUBE, 0), 0);
    assert_int_equal(draw_bar(c, 0, 0, 8, -1, 1, ROLE_CUBE, 0), 0);
    assert_int_equal(draw_bar(c, 0, 0, 8, NAN, 1, ROLE_CUBE, 0), 0);
    assert_int_equal(draw_bar(c, 0, 0, 8, 1, 0, ROLE_CUBE, 0), 0);
    assert_int_equal(draw_bar(c, 0, 0, 8, 0.01, 1, ROLE_CUBE, 0), 0); /* ASCII has whole cells only */
    canvas_shows(c, "");
    canvas_free(c);
}

/* Where no colour tells them apart, the fill does; where one does, it is the bar of every table. */
static void draw_class_bars_differ_without_colour(void **state)
{
    (void)state;
    for (int mono = 0; mono < 3; mono++) {
        char fill[N_OP_CLASSES][8];
        struct canvas *c = canvas_make(N_OP_CLASSES, 8, mono == 2);
        canvas_set_mono(c, mono == 1);
        for (int k = OC_CUBE; k < N_OP_CLASSES; k++) {
            assert_int_equal(draw_class_bar(c, k, 0, 8, 0.5, 1, (enum op_class)k), 4);
            assert_int_equal(canvas_role(c, k, 3), role_of_class((enum op_class)k));
            snprintf(fill[k], sizeof fill[k], "%s", canvas_cell(c, k, 3, NULL));
            assert_string_equal(canvas_cell(c, k, 4, NULL), " ");
            for (int i = OC_CUBE; i < k; i++)
                assert_int_equal(strcmp(fill[i], fill[k]) != 0, mono > 0);
            /* the key has the bar's fill */
            assert_int_equal(draw_class_key(c, k, 0, 8, (enum op_class)k),
                             1 + (int)strlen(op_class_word((enum op_class)k)));
            assert_string_equal(canvas_cell(c, k, 0, NULL), fill[k]);
            assert_int_equal(draw_class_key(c, k, 0, 3, (enum op_class)k), 0);
        }
        canvas_free(c);
    }
}

/* A link is of cells with text; what is drawn over it ends it, and a canvas that takes none keeps none. */
static void draw_links_end_where_drawn_over(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(2, 8, true), *shown = canvas_make(2, 8, true);
    draw_puts(c, 0, 1, 6, ROLE_TEXT, "ab c");
    draw_link(c, (struct rect){ 0, 1, 1, 7 }, STR("file://h/a"));
    assert_null(canvas_link(c, 0, 1));
    canvas_set_links(c, true);
    draw_link(c, (struct rect){ 0, 1, 1, 7 }, STR("file://h/a"));
    assert_null(canvas_link(c, 0, 0));
    assert_string_equal(canvas_link(c, 0, 1), "file://h/a");
    assert_string_equal(canvas_link(c, 0, 3), "file://h/a"); /* the blank inside */
    assert_null(canvas_link(c, 0, 5));
    assert_true(canvas_row_same(c, c, 0));
    assert_false(canvas_links_same(c, shown, 0));
    canvas_copy_row(shown, c, 0);
    assert_true(canvas_links_same(c, shown, 0));
    assert_true(canvas_was_link(shown, 0, 4));
    draw_puts(c, 0, 2, 2, ROLE_TEXT, "x");
    assert_null(canvas_link(c, 0, 2));
    assert_false(canvas_links_same(c, shown, 0));
    canvas_clear(c);
    assert_null(canvas_link(c, 0, 1));
    canvas_free(shown);
    canvas_free(c);
}

static void draw_box_and_roles(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(3, 14, true);
    draw_box(c, (struct rect){ 0, 0, 3, 14 }, "Help");
    canvas_shows(c, "+- Help -----+\n|            |\n+------------+");
    draw_role(c, (struct rect){ 1, -2, 9, 4 }, ROLE_CURSOR);
    assert_int_equal(canvas_role(c, 1, 1), ROLE_CURSOR);
    assert_int_equal(canvas_role(c, 1, 2), ROLE_TEXT);
    draw_fill(c, (struct rect){ 1, 10, 5, 50 }, ROLE_TEXT, '.');
    canvas_shows(c, "+- Help -----+\n|         ....\n+---------....");
    canvas_free(c);
}

static void theme_tables_are_complete(void **state)
{
    (void)state;
    const struct theme *t;
    for (size_t i = 0; (t = theme_nth(i)); i++) {
        assert_ptr_equal(theme_find(t->name), t);
        for (int r = 0; r < N_ROLES; r++)
            assert_non_null(t->roles[r].name);
    }
    assert_null(theme_find("no such"));
    for (int r = 0; r < N_ROLES; r++) /* mono carries no colour at all */
        assert_int_equal(theme_mono.roles[r].fg256, -1);
    for (int g = 0; g < N_GLYPHS; g++) {
        assert_int_equal(strlen(glyph_text((enum glyph)g, true)), 1);
        assert_int_equal(text_width(str_of(glyph_text((enum glyph)g, false)), 0), 1);
    }
    for (int i = 1; i <= 8; i++) {
        assert_int_equal(text_cp_width(glyph_bar(i), 0), 1);
        assert_int_equal(text_cp_width(glyph_height(i), 0), 1);
    }
    /* Severity and what is chosen can be told without colour. */
    assert_true(theme_mono.roles[ROLE_ERROR].attrs_mono & RA_BOLD);
    assert_true(theme_mono.roles[ROLE_CURSOR].attrs_mono & RA_REVERSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_text_is_clipped_in_cells),
        cmocka_unit_test(draw_hostile_text_stays_inside),
        cmocka_unit_test(draw_wide_characters_take_two_cells),
        cmocka_unit_test(draw_combining_marks_share_the_cell),
        cmocka_unit_test(draw_bar_has_eighths_in_utf8),
        cmocka_unit_test(draw_bar_without_a_value_draws_nothing),
        cmocka_unit_test(draw_class_bars_differ_without_colour),
        cmocka_unit_test(draw_links_end_where_drawn_over),
        cmocka_unit_test(draw_box_and_roles),
        cmocka_unit_test(theme_tables_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
