/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a CSV file from another thread: the same ones, the same damage, in the same order as without it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/buf.h"
#include "parsers/read/csvrows.h"
#include "tests/unit/scratch.h"

enum { COLS = 5, SLOTS = 7 };
static const enum csv_conv convs[COLS] = { CV_STR, CV_TS_US, CV_US, CV_SHAPES, CV_REAL };

/*
 * Rows of 40 to 400 bytes; now and then a value that is none, a duration below zero, a quoted cell with a
 * line end, another width.
 */
static void put_rows(struct buf *b, int n, char sep, uint64_t *x)
{
    static const char *const odd[] = { "N/A", "", "-", "1.5E+3", "text", "12,5" };

    buf_clear(b);
    buf_puts(b, sep == ' ' ? "name start dur shapes ratio\n" : "name,start,dur,shapes,ratio\n");
    for (int i = 0; i < n; i++) {
        uint64_t r = scratch_random(x);
        bool plain = sep == ' ' || r % 29;
        buf_printf(b, "op%.*s%d%c%d.%03d%c%s%d.%d%c", (int)(r % 97 == 0 ? 250 : r >> 40 & 31),
                   "..................................................................."
                   "..................................................................."
                   "..................................................................."
                   "...................................................................",
                   (int)(r >> 8 & 255), sep, 1000 + i, (int)(r >> 20) % 1000, sep, r % 53 == 7 ? "-" : "",
                   (int)(r >> 30 & 4095), (int)(r & 7), sep);
        buf_puts(b, plain ? "8;16" : r & 1 ? "\"\"\"8,4;3\"\"\"" : "\"a \"\"b\"\"\nc\"");
        if (r % 13 == 3)
            buf_printf(b, "%c%s", sep, odd[r % ARRAY_LEN(odd)]);
        else if (r % 211)
            buf_printf(b, "%c0.%d", sep, (int)(r >> 50));
        buf_puts(b, r % 7 ? "\n" : "\r\n");
    }
}

static void describe_value(struct buf *out, const struct val *v)
{
    if (v->t == VAL_TEXT)
        buf_printf(out, "|'%.*s'", (int)v->s.n, v->s.p);
    else if (v->t == VAL_REAL)
        buf_printf(out, "|%.17g", v->r);
    else if (v->t != VAL_NULL)
        buf_printf(out, "|%" PRId64, v->i);
    else
        buf_puts(out, "|");
}

static void describe_row(struct buf *out, const struct csv_values *row)
{
    buf_printf(out, "%u %d", row->line, (int)row->ending);
    for (size_t i = 0; i < row->n_cells; i++)
        buf_printf(out, ",%.*s", (int)row->cells[i].n, row->cells[i].p);
    for (size_t i = 0; i < SLOTS && row->ending != CSV_OPEN_CUT; i++)
        describe_value(out, &row->v[i]);
    for (size_t i = 0; i < row->n_bad; i++)
        buf_printf(out, " bad %u", row->bad[i]);
    buf_puts(out, "\n");
}

static void describe_end(struct buf *out, const struct csvrows *rows, enum csv_status st, const struct err *e)
{
    const struct csv_seen *seen = csvrows_seen(rows);

    buf_printf(out, "end %d error %s %s\n", (int)st, err_name(e->code), e->text);
    if (st == CSV_END)
        buf_printf(out, "%" PRIu64 " from %u, %" PRIu64 " %" PRIu64 ", %u\n", seen->negative.n,
                   seen->negative.line, seen->fine, seen->coarse, seen->damaged_line);
}

static struct csv_plan make_plan(struct csv_action acts[COLS], struct val blank[SLOTS])
{
    memset(blank, 0, SLOTS * sizeof *blank);
    blank[COLS] = val_int(42);
    for (size_t i = 0; i < COLS; i++)
        acts[i] = (struct csv_action){ csv_op(convs[i]), convs[i], convs[i] == CV_US, i };
    return (struct csv_plan){ .acts = acts, .n_cols = COLS, .blank = blank, .n_slots = SLOTS };
}

/* Everything a caller can see, as text. limit: rows after which the reading is given up. */
static void describe(struct buf *out, const char *path, size_t window, char sep, bool thread, int limit)
{
    struct err e = ERR_INIT;
    struct infile *in = NULL;
    struct csvrows *rows = NULL;
    struct csv_values *row;
    struct csv_action acts[COLS];
    struct val blank[SLOTS];
    const struct csv_plan plan = make_plan(acts, blank);
    enum csv_status st = CSV_ROW;
    const struct str *cells;
    size_t n;

    buf_clear(out);
    assert_int_equal(infile_open(&in, path, window, &e), OK);
    assert_int_equal(csvrows_open(&rows, in, sep, &e), OK);
    assert_int_equal(csvrows_header(rows, &st, &cells, &n, &e), OK);
    assert_int_equal(csvrows_start(rows, &plan, thread, &e), OK);
    while (limit-- > 0 && csvrows_next(rows, &st, &row, &e) == OK && st != CSV_END) {
        const struct csv_facts *f = csvrows_facts(rows);
        if (st == CSV_ROW)
            describe_row(out, row);
        else
            buf_printf(out, "status %d line %u %s\n", (int)st, f->line, f->problem);
    }
    describe_end(out, rows, st, &e);
    if (st == CSV_END && !e.code) { /* and again */
        assert_int_equal(csvrows_next(rows, &st, &row, &e), OK);
        assert_int_equal(st, CSV_END);
    }
    csvrows_close(rows);
    infile_close(in);
}

/* The same with and without the thread; how many bytes of description that is. */
static size_t compare(const struct buf *text, size_t window, char sep, int limit)
{
    const char *path = scratch_write(text->p, text->n);
    struct buf one, two;

    buf_init(&one, (size_t)64 << 20);
    buf_init(&two, (size_t)64 << 20);
    describe(&one, path, window, sep, false, limit);
    describe(&two, path, window, sep, true, limit);
    assert_false(buf_failed(&one));
    if (!str_eq(buf_str(&one), buf_str(&two))) {
        size_t at = str_common(buf_str(&one), buf_str(&two)), from = at > 100 ? at - 100 : 0;
        fail_msg("window %zu: differ at %zu:\n%.300s\n--\n%.300s", window, at, one.p + from, two.p + from);
    }
    size_t n = one.n;
    buf_done(&one);
    buf_done(&two);
    return n;
}

/* Windows far smaller than the file, so that they pass round many times. */
static void rows_are_those_of_the_reader(void **state)
{
    (void)state;
    static const size_t windows[] = { 2048, 5000, 65536, 0 };
    struct buf b;
    uint64_t x = 3;
    buf_init(&b, (size_t)64 << 20);
    for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
        put_rows(&b, 20000, ',', &x);
        assert_true(compare(&b, windows[i], 0, INT32_MAX) > 20000 * 30);
        put_rows(&b, 3000, ' ', &x);
        assert_true(compare(&b, windows[i], ' ', INT32_MAX) > 3000 * 30);
    }
    put_rows(&b, 0, ',', &x);
    (void)compare(&b, 0, 0, INT32_MAX);
    buf_done(&b);
}

static void rows_report_damage_in_its_place(void **state)
{
    (void)state;
    struct buf b;
    uint64_t x = 9;
    buf_init(&b, (size_t)64 << 20);
    for (int round = 0; round < 40; round++) {
        put_rows(&b, 3000, ',', &x);
        for (int k = 0; k < 1 + round % 30; k++)
            b.p[scratch_random(&x) % b.n] = "\"\",,\n\r\001x9."[scratch_random(&x) % 10];
        if (round % 4 == 1)
            b.n -= scratch_random(&x) % 5000; /* cut */
        if (round % 4 == 2)
            memset(b.p + b.n / 3, round % 8 == 2 ? 'x' : ',', 30000); /* over many windows */
        (void)compare(&b, round % 2 ? 3000 : 20000, 0, INT32_MAX);
    }
    buf_done(&b);
}

/* Given up at any moment, also while the thread waits for a window or has a batch ready. */
static void rows_can_be_closed_early(void **state)
{
    (void)state;
    static const int limits[] = { 0, 1, 2, 255, 256, 257, 1500, 5000 };
    struct buf b;
    uint64_t x = 5;
    buf_init(&b, (size_t)64 << 20);
    put_rows(&b, 20000, ',', &x);
    for (size_t i = 0; i < ARRAY_LEN(limits); i++)
        for (int k = 0; k < 5; k++)
            (void)compare(&b, k % 2 ? 4096 : 0, 0, limits[i]);
    buf_done(&b);
}

/* Cut in the last line: at each of its bytes. */
static void rows_know_how_the_file_ends(void **state)
{
    (void)state;
    struct buf b;
    uint64_t x = 11;
    buf_init(&b, (size_t)64 << 20);
    put_rows(&b, 300, ',', &x);
    for (int k = 0; k < 60; k++, b.n--)
        (void)compare(&b, 0, 0, INT32_MAX);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_reader),
        cmocka_unit_test(rows_report_damage_in_its_place),
        cmocka_unit_test(rows_can_be_closed_early),
        cmocka_unit_test(rows_know_how_the_file_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
