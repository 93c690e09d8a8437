/* SPDX-License-Identifier: Apache-2.0 */
/* The table widget over a real view: layout, cursor, sort, filters, search, marks, detail, copies.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/fill/fill.h"
#include "tests/unit/ui/screen_text.h"
#include "ui/widget/table.h"

/* clang-format off */
static const struct view_col cols[] = {
    { .id = "path", .title = "File", .expr = "path", .type = VT_TEXT, .min_width = 8, .width = 20,
        .flags = VC_MAIN | VC_FLEX },
    { .id = "size_b", .title = "Size", .expr = "size_b", .type = VT_INT, .unit = VU_BYTES, .min_width = 8,
        .width = 10, .desc = true, .flags = VC_BAR },
    { .id = "time_ns", .title = "Time", .expr = "mtime_ns", .type = VT_INT, .unit = VU_NS, .min_width = 8,
        .width = 9, .prio = 1, .desc = true },
    { .id = "state", .title = "State", .expr = "state", .type = VT_TEXT, .min_width = 6, .width = 6,
        .prio = 2 },
    { .id = "rows", .title = "Rows", .expr = "rows", .type = VT_INT, .unit = VU_COUNT, .min_width = 6,
        .width = 8, .prio = 3, .flags = VC_HIDDEN },
};
/* clang-format on */
static const struct view_def def = { .id = "test.files",
                                     .title = "files",
                                     .from = "source",
                                     .key = "id",
                                     .cols = cols,
                                     .n_cols = ARRAY_LEN(cols),
                                     .unit_of = "files" };

struct fixture {
    struct store *s;
    struct table *t;
    struct canvas *c;
    struct view_part part;
};

static void add_row(struct fill *f, int64_t id, const char *path, int64_t size, int64_t ns, const char *state,
                    int64_t rows)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(source)] = {
        [COL(source, id)] = val_int(id),        [COL(source, path)] = val_cstr(path),
        [COL(source, size_b)] = val_int(size),  [COL(source, mtime_ns)] = val_int(ns),
        [COL(source, state)] = val_cstr(state), [COL(source, rows)] = val_int(rows)
    };
    assert_int_equal(sink_row(fill_sink(f), T_source, v, N_COLS(source), NULL, &e), OK);
}

static int setup(void **state)
{
    struct err e = ERR_INIT;
    struct fill *f;
    struct fixture *x = calloc(1, sizeof *x);
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    add_row(f, 1, "host/start.log", 412, 7410233, "ok", 1);
    add_row(f, 2, "device_0/data/hwts.data.0.slice_10", 9856704, 812000, "TORN", 154011);
    add_row(f, 3, "device_0/data/aicore.data", 123731968, 26900000, "ok", 966656);
    add_row(f, 4, "pipeline_profiling_0.json", 49152, 9600, "ok", 57);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &x->s, &e), OK);
    x->part = (struct view_part){ .store = x->s };
    assert_int_equal(table_new(&x->t, &def, NULL, &e), OK);
    assert_int_equal(table_attach(x->t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    x->c = canvas_make(6, 72, true);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *x = *state;
    table_free(x->t);
    store_close(x->s);
    canvas_free(x->c);
    free(x);
    return 0;
}

static void draw(struct fixture *x)
{
    canvas_clear(x->c);
    table_draw(x->t, x->c, (struct rect){ 0, 0, canvas_rows(x->c), canvas_cols(x->c) });
}

static void table_shows_head_rows_units_and_bar(void **state)
{
    struct fixture *x = *state;
    draw(x);
    canvas_shows(x->c, " File                             Size       Time  State   0   118.0 MiB\n"
                       ">host/start.log                412 B      7.41 ms  ok\n"
                       " ~/hwts.data.0.slice_10        9.4 MiB     812 us  TORN    #\n"
                       " device_0/data/aicore.data   118.0 MiB   26.90 ms  ok      #############\n"
                       " pipeline_profiling_0.json    48.0 KiB    9.60 us  ok");
}

/* Its bar keeps its colour, so that its cells are not sent again; without a bar all of it is reversed. */
static void table_reverses_all_of_the_cursor_row_but_its_bar(void **state)
{
    enum { BAR = 59, NARROW = 50 };
    struct fixture *x = *state;
    struct canvas *c = canvas_make(6, NARROW, true);
    table_goto(x->t, 2);
    draw(x);
    for (int at = 1; at < 72; at++)
        assert_int_equal(canvas_role(x->c, 3, at) == ROLE_CURSOR, at < BAR);
    assert_int_not_equal(canvas_role(x->c, 2, 1), ROLE_CURSOR);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, NARROW });
    for (int at = 1; at < NARROW; at++)
        assert_int_equal(canvas_role(c, 3, at), ROLE_CURSOR);
    canvas_free(c);
}

static void table_drops_columns_by_priority(void **state)
{
    struct fixture *x = *state;
    struct canvas *c = canvas_make(3, 34, true);
    table_draw(x->t, c, (struct rect){ 0, 0, 3, 34 });
    assert_false(canvas_has(c, "State"));
    assert_true(canvas_has(c, "Time"));
    canvas_free(c);
    c = canvas_make(3, 24, true);
    table_draw(x->t, c, (struct rect){ 0, 0, 3, 24 });
    assert_false(canvas_has(c, "Time"));
    assert_true(canvas_has(c, "Size"));
    /* Moving to a column that is not there scrolls to it; the first one stays. */
    table_key(x->t, ACT_RIGHT);
    table_key(x->t, ACT_RIGHT);
    table_key(x->t, ACT_RIGHT);
    table_key(x->t, ACT_RIGHT);
    canvas_clear(c);
    table_draw(x->t, c, (struct rect){ 0, 0, 3, 24 });
    assert_true(canvas_has(c, "State"));
    assert_true(canvas_has(c, "File"));
    assert_false(canvas_has(c, "Size"));
    canvas_free(c);
}

static void table_sorts_and_keeps_the_sort_over_a_reopening(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    assert_int_equal(table_sort(x->t, 1, true, &e), OK);
    draw(x);
    assert_true(canvas_has(x->c, "Size v"));
    assert_true(canvas_has(x->c, ">device_0/data/aicore"));
    table_key(x->t, ACT_DOWN);
    table_detach(x->t);
    draw(x);
    canvas_shows(x->c, "");
    assert_int_equal(table_attach(x->t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    draw(x);
    assert_true(canvas_has(x->c, "Size v"));
    assert_true(canvas_has(x->c, ">~/hwts.data"));
    table_key(x->t, ACT_REVERSE);
    draw(x);
    assert_true(canvas_has(x->c, "Size ^"));
    assert_true(canvas_has(x->c, ">host/start.log"));
    table_key(x->t, ACT_SORT_RIGHT);
    draw(x);
    assert_true(canvas_has(x->c, "Time v"));
}

static void table_filters_add_up_and_name_the_culprit(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    table_goto(x->t, 2);
    assert_int_equal(table_filter_add(x->t, STR("size>1MiB"), &e), OK);
    assert_int_equal(table_rows(x->t), 2);
    assert_int_equal(table_cursor(x->t), 1); /* the same row as before */
    assert_int_equal(table_filter_live(x->t, STR("hwts"), &e), OK);
    assert_int_equal(table_rows(x->t), 1);
    assert_int_equal(table_filter_live(x->t, STR("path~["), &e), ERR_USAGE);
    assert_int_equal(table_rows(x->t), 1); /* the last good one stays */
    err_clear(&e);
    assert_int_equal(table_filter_live(x->t, STR(""), &e), OK);
    assert_int_equal(table_rows(x->t), 2);
    assert_int_equal(table_filter_add(x->t, STR("state=EMPTY"), &e), OK);
    assert_int_equal(table_rows(x->t), 0);
    assert_int_equal(table_filter_culprit(x->t), 1);
    draw(x);
    assert_true(canvas_has(x->c, "No row is left"));
    assert_int_equal(table_draw_chips(x->t, x->c, 0, 0, 72), (int)strlen("1:size>1MiB  2:state=EMPTY  "));
    assert_true(canvas_has(x->c, "1:size>1MiB  2:state=EMPTY"));
    table_filter_switch(x->t, 1, false);
    assert_int_equal(table_rows(x->t), 2);
    table_filter_delete(x->t, 0);
    assert_int_equal(table_rows(x->t), 4);
    assert_int_equal(table_n_filters(x->t), 1);
    assert_string_equal(table_filter(x->t, 0)->text, "state=EMPTY");
    assert_int_equal(table_filter_add(x->t, STR("nosuch=3"), &e), ERR_USAGE);
    assert_int_equal(table_n_filters(x->t), 1);
}

static void table_search_highlights_and_wraps(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    bool wrapped;
    assert_int_equal(table_search_set(x->t, STR("data"), &e), OK);
    assert_true(table_search(x->t, 1, false, &wrapped, &e));
    assert_int_equal(table_cursor(x->t), 1);
    assert_true(table_search(x->t, 1, false, &wrapped, &e) && !wrapped);
    assert_int_equal(table_cursor(x->t), 2);
    assert_true(table_search(x->t, 1, false, &wrapped, &e) && wrapped);
    assert_int_equal(table_cursor(x->t), 1);
    draw(x);
    assert_int_equal(canvas_role(x->c, 3, 10),
                     ROLE_MATCH);                        /* "data" of device_0/data in a name that was cut */
    assert_int_equal(canvas_role(x->c, 3, 9), ROLE_DIM); /* the folder */
    assert_int_equal(canvas_role(x->c, 2, 10), ROLE_CURSOR);
    assert_int_equal(table_search_set(x->t, STR("(("), &e), ERR_USAGE);
    assert_true(table_has_search(x->t));
    err_clear(&e);
    assert_int_equal(table_search_set(x->t, STR("nowhere"), &e), OK);
    assert_false(table_search(x->t, 1, false, &wrapped, &e));
    assert_int_equal(table_cursor(x->t), 1);
}

static void table_marks_carry_letters_and_a_range(void **state)
{
    struct fixture *x = *state;
    double min, max;
    assert_false(table_mark_range(x->t, "size_b", &min, &max));
    table_key(x->t, ACT_MARK);
    table_goto(x->t, 3);
    table_key(x->t, ACT_MARK);
    assert_int_equal(table_mark_row(x->t, 'a'), 0);
    assert_int_equal(table_mark_row(x->t, 'b'), 3);
    assert_int_equal(table_mark_row(x->t, 'c'), SIZE_MAX);
    assert_int_equal(table_mark_row(x->t, '\''), 0); /* after the last comes the first */
    assert_true(table_mark_range(x->t, "size_b", &min, &max));
    assert_true(min == 412 && max == 49152);
    draw(x);
    assert_string_equal(canvas_cell(x->c, 1, 0, NULL), "a");
    table_goto(x->t, 0);
    table_key(x->t, ACT_MARK); /* again: unmarked */
    assert_int_equal(table_n_marks(x->t), 1);
    table_goto(x->t, 2);
    table_key(x->t, ACT_MARK);
    assert_int_equal(table_mark_row(x->t, 'a'), 2); /* the free letter is taken */
}

static void table_units_are_forced(void **state)
{
    struct fixture *x = *state;
    table_key(x->t, ACT_UNIT);
    table_key(x->t, ACT_UNIT);
    draw(x);
    assert_true(canvas_has(x->c, "7.41 ms") && canvas_has(x->c, "0.81 ms"));
    assert_true(canvas_has(x->c, "9.4 MiB") && canvas_has(x->c, "118.0 MiB"));
    for (int i = 0; i < 3; i++)
        table_key(x->t, ACT_UNIT);
    draw(x);
    assert_true(canvas_has(x->c, "812 us"));
}

static void table_detail_reports_what_the_row_does_not(void **state)
{
    struct fixture *x = *state;
    assert_true(table_detail_on(x->t)); /* there is a hidden column */
    table_goto(x->t, 1);
    draw(x);
    canvas_clear(x->c);
    assert_int_equal(table_detail_lines(x->t, 60), 2);
    table_draw_detail(x->t, x->c, (struct rect){ 0, 1, 3, 60 });
    canvas_shows(x->c,
                 " device_0/data/hwts.data.0.slice_10\n Rows 154011"); /* the line shows size and time */
    table_key(x->t, ACT_DETAIL);
    assert_false(table_detail_on(x->t));
}

/* Another view over the same rows: what the default one has no case for. */
/* clang-format off */
static const struct view_col narrow_cols[] = {
    { .id = "scope", .title = "Scope", .expr = "'Gradients/Default/network/layer' || id || '/conv/grad'",
        .type = VT_TEXT, .min_width = 8, .width = 18, .flags = VC_MAIN | VC_FLEX | VC_PATH },
    { .id = "avg_ns", .title = "Avg", .expr = "mtime_ns / 3.0", .type = VT_REAL, .unit = VU_NS,
        .min_width = 7, .width = 8, .desc = true },
    { .id = "total_ns", .title = "Total", .expr = "mtime_ns * 419", .type = VT_INT, .unit = VU_NS,
        .min_width = 8, .width = 8, .prio = 1, .desc = true },
    { .id = "calls", .title = "Calls", .expr = "rows", .type = VT_INT, .unit = VU_COUNT, .min_width = 5,
        .width = 5, .prio = 2, .desc = true },
    { .id = "util", .title = "Util", .expr = "NULL", .type = VT_REAL, .unit = VU_PCT, .min_width = 5,
        .width = 5, .prio = 3 },
};
/* clang-format on */
static const struct view_def narrow = { .id = "test.narrow",
                                        .title = "narrow",
                                        .from = "source",
                                        .key = "id",
                                        .cols = narrow_cols,
                                        .n_cols = ARRAY_LEN(narrow_cols),
                                        .unit_of = "scopes" };

/* Takes the table of the fixture over. */
static void use_narrow(struct fixture *x)
{
    struct err e = ERR_INIT;
    table_free(x->t);
    assert_int_equal(table_new(&x->t, &narrow, NULL, &e), OK);
    assert_int_equal(table_attach(x->t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
}

static void table_numbers_are_never_cut(void **state)
{
    struct fixture *x = *state;
    use_narrow(x);
    for (int i = 0; i < 4; i++)
        table_key(x->t, ACT_UNIT); /* ns */
    draw(x);
    assert_true(canvas_has(x->c, "3104887627 ns"));
    assert_true(canvas_has(x->c, "  340228000 ns"));
    assert_false(canvas_has(x->c, "~ ns"));
    /*
     * Where the column cannot be that wide every value takes its own unit, and then the sign of a cut stands
     * for it.
     */
    for (size_t i = 0; i < 4; i++)
        table_show_column(x->t, i, i == 2);
    struct canvas *c = canvas_make(3, 10, true);
    table_draw(x->t, c, (struct rect){ 0, 0, 3, 10 });
    canvas_shows(c, "     Total\n>  3.10 s\n 340.23 ms");
    canvas_clear(c);
    table_draw(x->t, c, (struct rect){ 0, 0, 3, 7 });
    canvas_shows(c, "  Total\n>3.10 s\n      ~");
    canvas_free(c);
}

/* A word of another column is whole where the names leave room, whatever width was thought usual. */
static void table_words_are_whole_where_there_is_room(void **state)
{
    static const struct view_col word_cols[] = {
        { "path", "File", "path || path", VT_TEXT, VU_NONE, 8, 60, 0, false, VC_MAIN | VC_FLEX, "" },
        { "word", "Word", "state || '_and_a_long_word'", VT_TEXT, VU_NONE, 6, 6, 0, false, 0, "" },
    };
    struct view_def words = def;
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    table_free(x->t);
    words.cols = word_cols;
    words.n_cols = ARRAY_LEN(word_cols);
    assert_int_equal(table_new(&x->t, &words, NULL, &e), OK);
    assert_int_equal(table_attach(x->t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    struct canvas *c = canvas_make(6, 92, true);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 92 });
    char line[128] = "";
    for (int i = 0; i < 92; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s", canvas_cell(c, 2, i, NULL));
    assert_non_null(strstr(line, "  TORN_and_a_long_word"));
    canvas_free(c);
}

static void table_sort_arrow_is_never_cut(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    use_narrow(x);
    assert_int_equal(table_sort(x->t, 3, true, &e), OK);
    for (int w = 34; w < 72; w++) {
        struct canvas *c = canvas_make(6, w, true);
        table_draw(x->t, c, (struct rect){ 0, 0, 6, w });
        if (canvas_has(c, "Calls"))
            assert_true(canvas_has(c, "Calls v"));
        canvas_free(c);
    }
    assert_int_equal(table_sort(x->t, 0, false, &e), OK);
    struct canvas *c = canvas_make(6, 40, false);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 40 });
    assert_true(canvas_has(c, "Scope \u25b4"));
    canvas_free(c);
}

/* What all names on the screen begin and end with gives way to what tells them apart. */
static void table_names_that_differ_look_different(void **state)
{
    struct fixture *x = *state;
    struct canvas *c = canvas_make(6, 46, true);
    use_narrow(x);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 46 });
    assert_true(canvas_has(c, ">~/layer1~ "));
    assert_true(canvas_has(c, " ~/layer4~ "));
    canvas_free(c);
    c = canvas_make(6, 60, true);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 60 });
    assert_true(canvas_has(c, ">~/layer1~ "));
    canvas_free(c);
    c = canvas_make(6, 90, true); /* where there is room nothing is left out */
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 90 });
    assert_true(canvas_has(c, ">Gradients/Default/network/layer1/conv/grad "));
    canvas_free(c);
}

static void table_hides_columns_without_a_value(void **state)
{
    struct fixture *x = *state;
    use_narrow(x);
    draw(x);
    assert_false(canvas_has(x->c, "Util"));
    table_show_column(x->t, 4, true); /* the reader insists */
    draw(x);
    assert_true(canvas_has(x->c, "Util"));
}

static void table_detail_gives_no_digits_that_nobody_measured(void **state)
{
    struct fixture *x = *state;
    use_narrow(x);
    draw(x); /* what the row shows, if in the column's unit, is not there again */
    canvas_clear(x->c);
    table_draw_detail(x->t, x->c, (struct rect){ 0, 0, 3, 60 });
    canvas_shows(x->c, "Gradients/Default/network/layer1/conv/grad");
    struct buf b; /* a mean: in its own unit; a sum of ns: exactly */
    buf_init(&b, 65536);
    table_row_text(x->t, 0, true, &b);
    assert_string_equal(b.p, "Scope\tGradients/Default/network/layer1/conv/grad\n"
                             "Avg\t2.47 ms\nTotal\t3.10 s = 3104887627 ns\nCalls\t1\n");
    buf_done(&b);
}

static void table_wraps_long_names(void **state)
{
    struct fixture *x = *state;
    struct canvas *c = canvas_make(6, 34, true);
    table_key(x->t, ACT_WRAP);
    table_goto(x->t, 1);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 34 });
    assert_true(canvas_has(c, ">device_0/"));
    assert_true(canvas_has(c, "\n data/\n"));
    table_goto(x->t, 3);
    canvas_clear(c);
    table_draw(x->t, c, (struct rect){ 0, 0, 6, 34 });
    assert_true(canvas_has(
        c, ">pipeline")); /* the cursor row is on the screen although the rows above take more lines */
    canvas_free(c);
}

static void table_copies_rows_and_columns(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct buf b;
    buf_init(&b, 65536);
    assert_int_equal(table_copy_rows(x->t, 0, &b, &e), OK);
    assert_string_equal(b.p, "host/start.log\t412\t7410233\tok\n");
    buf_clear(&b);
    assert_int_equal(table_copy_rows(x->t, SIZE_MAX, &b, &e), OK);
    assert_true(str_starts(buf_str(&b), STR("path\tsize_b\ttime_ns\tstate\nhost/start.log\t")));
    buf_clear(&b);
    assert_int_equal(table_copy_column(x->t, 1, 1, &b, &e), OK);
    assert_string_equal(b.p, "9856704");
    buf_clear(&b);
    assert_int_equal(table_copy_column(x->t, SIZE_MAX, 3, &b, &e), OK);
    assert_string_equal(b.p, "ok\nTORN\nok\nok\n");
    buf_done(&b);
    buf_init(&b, 10);
    assert_int_equal(table_copy_rows(x->t, SIZE_MAX, &b, &e), ERR_LIMIT);
    buf_done(&b);
}

static void table_columns_can_be_chosen_and_moved(void **state)
{
    struct fixture *x = *state;
    bool shown;
    table_show_column(x->t, 4, true);
    table_show_column(x->t, 0, false);
    table_move_column(x->t, 4, -1);
    assert_int_equal(table_column_at(x->t, 3, &shown), 4);
    assert_true(shown);
    draw(x);
    assert_true(canvas_has(x->c, "Rows  State"));
    assert_false(canvas_has(x->c, "File"));
    for (size_t i = 0; i < 5; i++)
        table_show_column(x->t, i, false);
    size_t n = 0;
    for (size_t i = 0; i < 5; i++) {
        table_column_at(x->t, i, &shown);
        n += shown;
    }
    assert_int_equal(n, 1); /* one stays */
}

static void table_clicks(void **state)
{
    struct fixture *x = *state;
    draw(x);
    struct key_event k = { .code = K_MOUSE, .mouse = MOUSE_PRESS, .y = 3, .x = 5 };
    assert_int_equal(table_click(x->t, &k), ACT_DOWN);
    assert_int_equal(table_cursor(x->t), 2);
    k.mouse = MOUSE_DOUBLE;
    assert_int_equal(table_click(x->t, &k), ACT_OPEN);
    k = (struct key_event){ .code = K_MOUSE, .mouse = MOUSE_PRESS, .y = 0, .x = 30 };
    assert_int_equal(table_click(x->t, &k), ACT_SORT_MENU);
    draw(x);
    assert_true(canvas_has(x->c, "Size v"));
    assert_int_equal(table_click(x->t, &k), ACT_SORT_MENU);
    draw(x);
    assert_true(canvas_has(x->c, "Size ^"));
    k.y = 9;
    assert_int_equal(table_click(x->t, &k), ACT_NONE);
}

static void table_of_every_size_draws_inside(void **state)
{
    struct fixture *x = *state;
    for (int h = 1; h < 8; h++)
        for (int w = 1; w < 90; w += 3) {
            struct canvas *c = canvas_make(h + 1, w + 1, w % 2);
            table_key(x->t, h % 2 ? ACT_DOWN : ACT_UP);
            table_draw(x->t, c, (struct rect){ 0, 0, h, w });
            for (int i = 0; i <= w; i++)
                assert_string_equal(canvas_cell(c, h, i, NULL), " ");
            for (int i = 0; i <= h; i++)
                assert_string_equal(canvas_cell(c, i, w, NULL), " ");
            canvas_free(c);
        }
}

/* Many different names: the first rows are there at once, the cursor row is found again when all are. */
static void table_live_filter_goes_on_between_keys(void **state)
{
    static const char sql[] =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 150000) "
        "SELECT 'Default/network/' || (x % 40) || '-layer/MatMul-op' || x AS name, x AS n FROM c";
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct table *t = NULL;
    bool more = true, changed;
    size_t rows = 0;

    assert_int_equal(table_new_sql(&t, str_of(sql), NULL, &e), OK);
    assert_int_equal(table_attach(t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_goto(t, 120006);
    for (int round = 0; round < 2; round++) { /* given up in the middle the first time */
        assert_int_equal(table_filter_live(t, round ? STR("name~op.*0.*7$") : STR("name~o.*0"), &e), OK);
        for (int slices = 0; more && (round || slices < 3); slices++) {
            bool counting = table_is_counting(t);
            assert_true(!counting || table_rows(t) >= rows || !slices);
            rows = table_rows(t);
            assert_int_equal(table_work(t, 300000, &more, &changed, &e), OK);
            assert_true(!changed || counting);
        }
        more = true;
    }
    assert_false(table_is_counting(t));
    assert_int_equal(table_rows(t), 4703); /* numbers that end in 7 and have a 0 */
    struct val v = table_value(t, "n");
    assert_true(v.t == VAL_INT && v.i == 120007);
    table_free(t);
}

/* As many rows as take a while, with names that all differ; the cursor is on n. */
static struct table *long_table(struct fixture *x, int64_t n)
{
    static const char sql[] =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 150000) "
        "SELECT 'Default/network/' || (x % 40) || '-layer/MatMul-op' || x AS name, x AS n FROM c";
    struct err e = ERR_INIT;
    struct table *t = NULL;
    assert_int_equal(table_new_sql(&t, str_of(sql), NULL, &e), OK);
    assert_int_equal(table_attach(t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    table_goto(t, (size_t)n - 1);
    return t;
}

/*
 * A line is typed and the table is in the middle of it, `rows` of the result being known. The patterns
 * backtrack so that a fast machine does not finish them in the first slice (WORK_NS), which
 * table_filter_live() works at once.
 */
static void type_and_wait(struct table *t, const char *line, size_t rows)
{
    struct err e = ERR_INIT;
    bool more = true, changed;
    assert_int_equal(table_filter_live(t, str_of(line), &e), OK);
    while (more && table_rows(t) < rows)
        assert_int_equal(table_work(t, 100000, &more, &changed, &e), OK);
    assert_true(table_is_counting(t));
}

static int64_t cursor_n(struct table *t)
{
    struct val v = table_value(t, "n");
    return v.t == VAL_INT ? v.i : -1;
}

static void table_row_survives_filters_at_work(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct table *t = long_table(x, 46);

    /* Among the first rows it is found at once, and with every further letter. */
    type_and_wait(t, "name~o.*.*.*6$", 10);
    assert_int_equal(cursor_n(t), 46);
    type_and_wait(t, "name~o.*.*[46]$", 20);
    assert_int_equal(cursor_n(t), 46);
    /* Enter before all is counted. */
    assert_int_equal(table_filter_add(t, STR("name~o.*.*[46]$"), &e), OK);
    assert_int_equal(table_filter_live(t, STR(""), &e), OK);
    assert_int_equal(table_rows(t), 30000);
    assert_int_equal(cursor_n(t), 46);
    table_filter_delete(t, 0);
    assert_int_equal(cursor_n(t), 46);
    /* Where the reader goes meanwhile he stays. */
    type_and_wait(t, "name~o.*.*.*8$", 10);
    table_goto(t, 3);
    assert_int_equal(table_filter_live(t, STR(""), &e), OK);
    assert_int_equal(cursor_n(t), 38);
    table_free(t);
}

static void table_far_row_survives_filters_at_work(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct table *t = long_table(x, 120007);

    type_and_wait(t, "name~o.*.*[37]$", 5);
    type_and_wait(t, "name~o.*.*.*7$", 5); /* one more letter while the first one counts */
    assert_true(table_cursor(t) < table_rows(t));
    assert_int_equal(table_filter_add(t, STR("name~o.*.*.*7$"), &e), OK);
    assert_int_equal(cursor_n(t), 120007);
    assert_int_equal(table_filter_live(t, STR(""), &e), OK);
    assert_int_equal(cursor_n(t), 120007);
    /* A line that takes the row away, given up in the middle and at its end. */
    type_and_wait(t, "name~o.*.*.*.*77$", 5); /* only 15 000 rows are left to search */
    assert_int_equal(table_filter_live(t, STR(""), &e), OK);
    assert_int_equal(cursor_n(t), 120007);
    assert_int_equal(table_filter_add(t, STR("name~nowhere"), &e), OK);
    assert_int_equal(table_rows(t), 0);
    assert_int_equal(table_filter_culprit(t), 1);
    table_filter_delete(t, 1);
    assert_int_equal(cursor_n(t), 120007);
    table_free(t);
}

static bool stop_and_count(void *calls)
{
    ++*(int *)calls;
    return true;
}

/* What fails is told once and not tried again with every tick; another question is. */
static void table_work_that_failed_is_not_tried_again(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct table *t = long_table(x, 1);
    bool more = true, changed;
    int calls = 0;

    store_progress(x->s, stop_and_count, &calls);
    assert_int_equal(table_filter_live(t, STR("name~7$"), &e), ERR_CANCELLED);
    int tries = calls;
    assert_true(tries > 0);
    for (int i = 0; i < 5; i++) {
        err_clear(&e);
        assert_int_equal(table_work(t, 1000000, &more, &changed, &e), OK);
        assert_false(more);
    }
    assert_int_equal(calls, tries);
    store_progress(x->s, NULL, NULL);
    assert_int_equal(table_filter_live(t, STR("name~7$"), &e), OK);
    for (more = true; more;)
        assert_int_equal(table_work(t, 1000000, &more, &changed, &e), OK);
    assert_int_equal(table_rows(t), 15000);
    table_free(t);
}

/* Rows from one on, without a cursor; what the keys go by stays as the reader left it. */
static void table_is_drawn_from_a_row_on(void **state)
{
    struct fixture *x = *state;
    draw(x);
    canvas_clear(x->c);
    table_draw_from(x->t, x->c, (struct rect){ 0, 0, 3, canvas_cols(x->c) }, 2, 0);
    assert_true(canvas_has(x->c, "\n device_0/data/aicore.data   118.0 MiB"));
    assert_true(canvas_has(x->c, "\n pipeline_profiling_0.json"));
    assert_false(canvas_has(x->c, ">"));
    assert_int_equal(table_cursor(x->t), 0);
    draw(x);
    assert_true(canvas_has(x->c, "\n>host/start.log"));
}

/* A view that names no column for its bars: the one that is sorted by, on a wide screen only. */
static void table_has_bars_of_what_is_sorted_by(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    struct table *t;
    struct view_col own[ARRAY_LEN(cols)];
    struct view_def d = def;
    struct canvas *c = canvas_make(6, 120, true);

    memcpy(own, cols, sizeof own);
    own[1].flags = 0;
    d.cols = own;
    assert_int_equal(table_new(&t, &d, NULL, &e), OK);
    assert_int_equal(table_attach(t, &x->part, 1, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_amount_column(t), 1);
    assert_int_equal(table_sort(t, 2, true, &e), OK);
    unsigned version = table_version(t);
    assert_int_equal(table_amount_column(t), 2);
    table_draw(t, c, (struct rect){ 0, 0, 6, 120 });
    assert_true(canvas_has(c, "State   Time "));
    assert_true(canvas_has(c, "  ok      ####"));
    assert_int_equal(table_version(t), version);
    assert_int_equal(table_sort(t, 1, true, &e), OK);
    assert_int_not_equal(table_version(t), version);
    canvas_clear(x->c);
    table_draw(t, x->c, (struct rect){ 0, 0, canvas_rows(x->c), canvas_cols(x->c) });
    assert_false(canvas_has(x->c, "#"));
    table_free(t);
    canvas_free(c);
}

/* Rows of another rank come while it is open: in front is what sorts first, until a row is chosen. */
static void table_stays_at_its_first_row_until_one_is_chosen(void **state)
{
    struct fixture *x = *state, *other = NULL;
    struct err e = ERR_INIT;
    assert_int_equal(setup((void **)&other), 0);
    struct view_part parts[] = { other->part, x->part };
    parts[1].rank = 1;

    assert_int_equal(table_attach(x->t, &parts[1], 1, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_attach(x->t, parts, 2, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_rows(x->t), 8);
    assert_int_equal(table_cursor(x->t), 0);
    assert_int_equal(table_sort(x->t, 1, true, &e), OK);
    assert_int_equal(table_attach(x->t, &parts[1], 1, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_attach(x->t, parts, 2, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_cursor(x->t), 0);
    table_goto(x->t, 3);
    int64_t size = table_value(x->t, "size_b").i;
    assert_int_equal(table_attach(x->t, &parts[1], 1, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_attach(x->t, parts, 2, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(table_cursor(x->t), 3);
    assert_int_equal(table_value(x->t, "size_b").i, size);
    table_detach(x->t);
    teardown((void **)&other);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(table_shows_head_rows_units_and_bar),
        T(table_reverses_all_of_the_cursor_row_but_its_bar),
        T(table_drops_columns_by_priority),
        T(table_sorts_and_keeps_the_sort_over_a_reopening),
        T(table_filters_add_up_and_name_the_culprit),
        T(table_search_highlights_and_wraps),
        T(table_marks_carry_letters_and_a_range),
        T(table_units_are_forced),
        T(table_detail_reports_what_the_row_does_not),
        T(table_numbers_are_never_cut),
        T(table_words_are_whole_where_there_is_room),
        T(table_sort_arrow_is_never_cut),
        T(table_names_that_differ_look_different),
        T(table_hides_columns_without_a_value),
        T(table_detail_gives_no_digits_that_nobody_measured),
        T(table_wraps_long_names),
        T(table_copies_rows_and_columns),
        T(table_columns_can_be_chosen_and_moved),
        T(table_live_filter_goes_on_between_keys),
        T(table_row_survives_filters_at_work),
        T(table_far_row_survives_filters_at_work),
        T(table_work_that_failed_is_not_tried_again),
        T(table_clicks),
        T(table_of_every_size_draws_inside),
        T(table_is_drawn_from_a_row_on),
        T(table_stays_at_its_first_row_until_one_is_chosen),
        T(table_has_bars_of_what_is_sorted_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
