/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in every format: quoting, escapes, units, widths, empty tables, names of columns. */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "cli/generate.h"
#include "cli/out.h"
#include "model/timeline/nesting.h"
#include "model/view/filter.h"

#include "tests/unit/scratch.h"

/* clang-format off */
static const struct view_col name_col = { "op_name", "Operator", "", VT_TEXT, VU_NONE, 8, 20, 0, false,
    VC_MAIN, "" };
static const struct view_col time_col = { "total_ns", "Time", "", VT_REAL, VU_NS, 8, 9, 0, true, 0, "" };
static const struct view_col size_col = { "size_b", "Size", "", VT_INT, VU_BYTES, 8, 9, 0, true, 0, "" };
/* clang-format on */
static const struct view_col *const cols[] = { &name_col, &time_col, &size_col };

static char text[65536];

static const char *slurp(const char *path)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);

    assert_true(n >= 0);
    close(fd);
    text[n] = '\0';
    return text;
}

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if ((call) != OK)                                                                                    \
            fail_msg("%s", e.text);                                                                          \
    } while (0)

/* What the writer makes of n rows. */
static const char *written(const struct write_opts *o, const struct val (*rows)[3], size_t n)
{
    const char *path = scratch_write("", 0);
    const struct out_opts oo = { .path = path };
    struct err e = ERR_INIT;
    struct writer *w;
    struct out *out;
    bool gone;

    MUST(out_open(&out, &oo, &e));
    const struct write_to to = out_writer(out);
    MUST(writer_new(&w, &to, o, &e));
    MUST(writer_begin(w, "ops.op", "Operators", cols, 3, &e));
    for (size_t i = 0; i < n; i++)
        MUST(writer_row(w, rows[i], &e));
    MUST(writer_end(w, &e));
    MUST(writer_finish(w, &e));
    writer_free(w);
    MUST(out_close(out, &gone, &e));
    return slurp(path);
}

static struct val txt(const char *s)
{
    return val_cstr(s);
}

static void csv_quotes_what_needs_it(void **state)
{
    const struct write_opts o = { .format = FMT_CSV, .header = true };
    const struct val rows[][3] = {
        { txt("a,b"), val_real(1.5), val_int(3) },
        { txt("say \"hi\""), val_null(), val_null() },
        { txt("two\nlines\r"), val_int(-7), val_uint(UINT64_MAX) },
        { txt("=1+1"), val_real(NAN), val_int(0) },
        { txt(""), val_real(1e300), val_int(INT64_MIN) },
        { txt(" \xff\x1b[0m"), val_real(0.1), val_int(1) },
    };

    (void)state;
    assert_string_equal(written(&o, rows, ARRAY_LEN(rows)), "op_name,total_ns,size_b\n"
                                                            "\"a,b\",1.5,3\n"
                                                            "\"say \"\"hi\"\"\",,\n"
                                                            "\"two\nlines\r\",-7,18446744073709551615\n"
                                                            "=1+1,,0\n"
                                                            "\"\",1e300,-9223372036854775808\n"
                                                            "\" \xff\x1b[0m\",0.1,1\n");
}

static void csv_without_header(void **state)
{
    const struct write_opts o = { .format = FMT_CSV, .header = false };
    const struct val rows[][3] = { { txt("a"), val_int(1), val_int(2) } };

    (void)state;
    assert_string_equal(written(&o, rows, 1), "a,1,2\n");
}

static void json_escapes_and_stays_valid(void **state)
{
    const struct write_opts o = { .format = FMT_JSON };
    const struct val rows[][3] = {
        { txt("q\"\\/\b\t\x01\x7f"), val_real(2.5), val_null() },
        { txt("\xe4\xb8\xad \xe2\x80\xae \xf3\xa0\x80\x81 \xff"), val_real(INFINITY), val_int(1) },
    };

    (void)state;
    assert_string_equal(written(&o, rows, ARRAY_LEN(rows)),
                        "[\n"
                        "{\"op_name\":\"q\\\"\\\\/\\b\\t\\u0001\\u007f\",\"total_ns\":2.5,\"size_b\":null},\n"
                        "{\"op_name\":\"\xe4\xb8\xad \\u202e \\udb40\\udc01 "
                        "\\ufffd\",\"total_ns\":null,\"size_b\":1}\n"
                        "]\n");
    assert_string_equal(written(&o, rows, 0), "[]\n");
}

static void json_of_several_tables_is_one_object(void **state)
{
    const struct write_opts o = { .format = FMT_JSON, .named = true };
    const struct write_opts l = { .format = FMT_NDJSON, .named = true };
    const struct val rows[][3] = { { txt("a"), val_int(1), val_int(2) } };

    (void)state;
    assert_string_equal(written(&o, rows, 1),
                        "{\n\"ops.op\": [\n{\"op_name\":\"a\",\"total_ns\":1,\"size_b\":2}\n]\n}\n");
    assert_string_equal(written(&l, rows, 1),
                        "{\"table\":\"ops.op\",\"op_name\":\"a\",\"total_ns\":1,\"size_b\":2}\n");
}

/* Two results, or none, and no heading. */
static const char *several_written(enum format format, size_t n)
{
    const struct write_opts o = { .format = format };
    const char *path = scratch_write("", 0);
    const struct out_opts oo = { .path = path };
    const struct val row[3] = { txt("a"), val_int(1), val_int(2) };
    struct err e = ERR_INIT;
    struct writer *w = NULL;
    struct out *out = NULL;
    bool gone;

    MUST(out_open(&out, &oo, &e));
    const struct write_to to = out_writer(out);
    MUST(writer_new(&w, &to, &o, &e));
    writer_several(w);
    for (size_t i = 0; i < n; i++) {
        MUST(writer_begin(w, "result", NULL, cols, 3, &e));
        if (i == 0)
            MUST(writer_row(w, row, &e));
        MUST(writer_end(w, &e));
    }
    MUST(writer_finish(w, &e));
    writer_free(w);
    MUST(out_close(out, &gone, &e));
    return slurp(path);
}

static void json_of_several_results_is_one_array(void **state)
{
    (void)state;
    assert_string_equal(several_written(FMT_JSON, 2),
                        "[\n[\n{\"op_name\":\"a\",\"total_ns\":1,\"size_b\":2}\n],\n[]\n]\n");
    assert_string_equal(several_written(FMT_JSON, 0), "[]\n");
    assert_string_equal(several_written(FMT_NDJSON, 2), "{\"op_name\":\"a\",\"total_ns\":1,\"size_b\":2}\n");
}

static void text_is_aligned_safe_and_has_units(void **state)
{
    const struct write_opts o = { .format = FMT_TEXT, .header = true };
    const struct write_opts ms = { .format = FMT_TEXT, .header = true, .units = { .time = TIME_MS } };
    const struct val rows[][3] = {
        { txt("Conv2D"), val_int(7400000), val_int(4096) },
        { txt("\x1b[31mred"), val_int(120000), val_null() },
        { txt("\xe4\xb8\xad"), val_int(1500000), val_int(12) },
    };

    (void)state;
    assert_string_equal(written(&o, rows, ARRAY_LEN(rows)), "Operator     Time     Size\n"
                                                            "Conv2D    7.40 ms  4.0 KiB\n"
                                                            "\xe2\x90\x9b[31mred  0.12 ms\n"
                                                            "\xe4\xb8\xad        1.50 ms   12 B\n");
    assert_non_null(strstr(written(&ms, rows, 1), "7.40 ms"));
    assert_null(strchr(text, '\x1b'));
}

static void text_keeps_no_more_than_it_needs(void **state)
{
    const struct write_opts o = { .format = FMT_NDJSON };
    const struct write_opts t = { .format = FMT_TEXT };
    struct val(*rows)[3] = calloc(600, sizeof *rows);

    (void)state;
    for (int i = 0; i < 600; i++) {
        rows[i][0] = txt("name");
        rows[i][1] = val_int(i);
        rows[i][2] = val_int(i);
    }
    const char *s = written(&o, (const struct val(*)[3])rows, 600);
    size_t lines = 0;
    for (; *s; s++)
        lines += *s == '\n';
    assert_int_equal(lines, 600);
    s = written(&t, (const struct val(*)[3])rows, 600);
    for (lines = 0; *s; s++)
        lines += *s == '\n';
    assert_int_equal(lines, 600);
    free(rows);
}

static void markdown_shows_marks_as_text(void **state)
{
    const struct write_opts o = { .format = FMT_MARKDOWN, .header = true };
    const struct write_opts report = { .format = FMT_MARKDOWN, .header = true, .named = true };
    const struct val rows[][3] = { { txt("_a|b `c` *d* <e> f_g \\\n"), val_int(1500), val_null() } };

    (void)state;
    assert_string_equal(written(&o, rows, 1),
                        "| op_name | total_ns | size_b |\n|---|---:|---:|\n"
                        "| \\_a\\|b \\`c\\` \\*d\\* \\<e\\> f_g \\\\\xe2\x90\x8a | 1500 |  |\n");
    assert_string_equal(written(&report, rows, 1),
                        "## Operators\n\n| Operator | Time | Size |\n|---|---:|---:|\n"
                        "| \\_a\\|b \\`c\\` \\*d\\* \\<e\\> f_g \\\\\xe2\x90\x8a | 1.50 us |  |\n");
}

static void output_is_not_made_when_it_fails(void **state)
{
    const struct out_opts full = { .path = "/dev/full" };
    char path[300];
    struct err e = ERR_INIT;
    struct out *out;
    bool gone;

    (void)state;
    MUST(out_open(&out, &full, &e));
    out_puts(out, "text");
    assert_int_not_equal(out_close(out, &gone, &e), OK);
    snprintf(path, sizeof path, "%s.none", scratch_write("", 0));
    err_clear(&e);
    MUST(out_open(&out, &(struct out_opts){ .path = path }, &e));
    out_puts(out, "text");
    out_abort(out);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Two events that overlap without nesting never share a track. */
static void nesting_parts_what_overlaps(void **state)
{
    static const struct {
        int64_t ts, dur;
        int track;
    } t[] = { { 0, 100, 0 }, { 10, 20, 0 }, { 20, 20, 1 },  { 25, 5, 0 },   { 90, 20, 1 },
              { 95, 30, 2 }, { 100, 0, 0 }, { 200, 10, 0 }, { 205, 10, 1 }, { 210, 10, 0 } };
    struct nesting *n;
    struct err e = ERR_INIT;

    (void)state;
    MUST(nesting_new(&n, false, &e));
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        assert_int_equal(nesting_place(n, t[i].ts, t[i].dur), t[i].track);
    assert_int_equal(nesting_lanes(n), 3);
    nesting_free(n);
}

/* The part that has the event which starts at a time, else the innermost that goes on then. */
static void nesting_finds_the_part_of_a_time(void **state)
{
    static const int64_t events[][2] = { { 0, 100 }, { 10, 80 },  { 20, 20 },  { 60, 120 },
                                         { 70, 10 }, { 90, 130 }, { 300, 10 }, { 305, 20 } };
    static const struct {
        int64_t ns;
        int part;
    } t[] = { { -1, -1 },  { 0, 0 },   { 10, 0 },  { 15, 0 },  { 50, 0 },  { 60, 1 },  { 65, 1 },
              { 70, 0 },   { 75, 0 },  { 90, 2 },  { 95, 2 },  { 100, 2 }, { 220, 2 }, { 221, -1 },
              { 299, -1 }, { 300, 0 }, { 304, 0 }, { 305, 1 }, { 310, 1 }, { 325, 1 }, { 326, -1 } };
    struct nesting *n;
    struct err e = ERR_INIT;

    (void)state;
    MUST(nesting_new(&n, true, &e));
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        assert_true(nesting_place(n, events[i][0], events[i][1]) >= 0);
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        if (nesting_find(n, t[i].ns) != t[i].part)
            fail_msg("at %d: %d, not %d", (int)t[i].ns, nesting_find(n, t[i].ns), t[i].part);
    nesting_free(n);
}

/* The manual's examples are lines that the program takes. */
static void documented_filters_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_filter_forms; i++) {
        const struct view_def *d = view_def_find(filter_forms[i].view);
        struct filter *f = NULL;
        struct err e = ERR_INIT;
        assert_non_null(d);
        if (filter_parse(&f, str_of(filter_forms[i].example), d, &e))
            fail_msg("%s: %s", filter_forms[i].example, e.text);
        filter_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(csv_without_header),
        cmocka_unit_test(json_escapes_and_stays_valid),
        cmocka_unit_test(json_of_several_tables_is_one_object),
        cmocka_unit_test(json_of_several_results_is_one_array),
        cmocka_unit_test(text_is_aligned_safe_and_has_units),
        cmocka_unit_test(text_keeps_no_more_than_it_needs),
        cmocka_unit_test(markdown_shows_marks_as_text),
        cmocka_unit_test(output_is_not_made_when_it_fails),
        cmocka_unit_test(nesting_parts_what_overlaps),
        cmocka_unit_test(nesting_finds_the_part_of_a_time),
        cmocka_unit_test(documented_filters_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
