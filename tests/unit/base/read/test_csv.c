/* SPDX-License-Identifier: Apache-2.0 */
/* CSV tokenizer: grammar, limits, truncation at every length, bit flips. */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/csv.h"
#include "tests/unit/scratch.h"

/*
 * What the tokenizer says about text, as text: cells joined by '|', rows by '/', "!lines(problem)"
 * for CSV_BAD,
 * "?lines" for CSV_CUT. Read twice, with a small and a large window: both must agree.
 */
static void outcome_of_file(const char *path, size_t window, struct buf *out)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct csv *c = NULL;
    const struct str *cells;
    enum csv_status st;
    size_t n;
    uint32_t line = 1;

    assert_int_equal(infile_open(&f, path, window, &e), OK);
    assert_int_equal(csv_new(&c, f, ',', &e), OK);
    for (;;) {
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        assert_true(csv_line(c) >= line);
        line = csv_line(c);
        if (st == CSV_END)
            break;
        if (st == CSV_BAD)
            buf_printf(out, "!%" PRIu32 "(%s)", csv_lines_lost(c), csv_problem(c));
        if (st == CSV_CUT)
            buf_printf(out, "?%" PRIu32, csv_lines_lost(c));
        for (size_t i = 0; i < n; i++) {
            buf_puts(out, i ? "|" : "");
            buf_add(out, cells[i]);
        }
        buf_puts(out, csv_unended(c) ? "~/" : "/");
    }
    csv_free(c);
    infile_close(f);
}

static struct buf outcome(struct str text)
{
    struct buf a, b;
    buf_init(&a, (size_t)1 << 28);
    buf_init(&b, (size_t)1 << 28);
    const char *path = scratch_write(text.p, text.n);
    outcome_of_file(path, 0, &a);
    outcome_of_file(path, text.n + 1, &b);
    assert_true(str_eq(buf_str(&a), buf_str(&b)));
    buf_done(&b);
    return a;
}

static const struct {
    const char *in, *out;
} grammar[] = {
    { "", "" },
    { "\n\n\r\n\r", "" },
    { "a,b\n1,2\n", "a|b/1|2/" },
    { "a,b\n1,2", "a|b/1|2~/" },
    { "a,b\n1,", "a|b/1|~/" },
    { "a,b\r\n1,2\r\n", "a|b/1|2/" },
    { "a,b\r1,2\r", "a|b/1|2/" },
    { "a\r\nb\nc\rd\r\n", "a/b/c/d/" },
    { "\xEF\xBB\xBF"
      "a,b\n",
      "a|b/" },
    { "\xEF\xBB\xBF\"a\",b\n", "a|b/" },
    { "\xEF\xBB", "\xEF\xBB~/" },
    { "a\n\n\nb\n", "a/b/" },
    { "a\n \t \nb\n", "a/b/" },
    { ",\n", "|/" },
    { ",,\n\"\"\n", "||//" },
    { "  a b\t, \tc \n", "a b|c/" },
    { "\"1736413971558972.912\t\",\"x \"\n", "1736413971558972.912|x/" },
    { " \"a,b\" ,c\n", "a,b|c/" },
    { "\"a\nb\",c\nd,e\n", "a\nb|c/d|e/" },
    { "\"a\r\nb\",c\r\nd,e\r\n", "a\r\nb|c/d|e/" },
    { "\"\"\"32,3,224,224;64\"\"\",1\n", "\"32,3,224,224;64\"|1/" },
    { "\"a\"\"b\"\n\"\"\"\"\n", "a\"b/\"/" },
    { "a\"b,c\"\n", "a\"b|c\"/" },
    { "a,\"b\"x,c\nd,e,f\n", "!1(text after a closing quote)/d|e|f/" },
    { "a,b\n\"x,y\n1,2\n3,4\n", "a|b/!1(quoted cell does not end)/1|2/3|4/" },
    { "a,b\nx,\"y", "a|b/?1/" },
    { "a,b\nx,\"y\nsecond line\nthird", "a|b/?3/" },
    { "a,b\nx,\"", "a|b/?1/" },
    { "a,b\nx,\"y\"\"", "a|b/?1/" },
    { "a,b\nx,\"y\"", "a|b/x|y~/" },
    /* an opening quote that a later closing one seems to match, over a whole row */
    { "a,b,c\n1,\"2,3\n4,5,6\n7,\",x\",9\n", "a|b|c/!1(quoted cell spans whole rows)/4|5|6/7|,x|9/" },
    { "a,b,c\n1,\"2,3\n4,5,6\n7,\",8\",9\n1,2,3\n",
      "a|b|c/!1(quoted cell spans whole rows)/4|5|6/7|,8|9/1|2|3/" },
    { "a,b,c\n1,\"2,3\n4,5,6\n7,\",,8\n", "a|b|c/!1(quoted cell spans whole rows)/4|5|6/?1/" },
    /* the rest of the damaged cell is no row, but only where the next row is in sight */
    { "a,b,c\n1,\"x;\ny;\nz#,3\n4,\"v;\nw\",6\n", "a|b|c/!3(text after a closing quote)/4|v;\nw|6/" },
    { "a,b,c\n1,\"x\"y,3\n\n4\n5,6\n", "a|b|c/!1(text after a closing quote)/4/5|6/" },
    { "a;b\n", "a;b/" },
};

static void csv_grammar_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(grammar); k++) {
        struct buf b = outcome(str_of(grammar[k].in));
        if (!str_eq(buf_str(&b), str_of(grammar[k].out)))
            fail_msg("case %zu: %s", k, buf_str(&b).p);
        buf_done(&b);
    }
}

static void csv_nul_and_other_bytes_are_kept(void **state)
{
    (void)state;
    char text[256 + 10];
    size_t n = 0;
    for (int i = 0; i < 256; i++)
        if (i != '\n' && i != '\r' && i != ',' && i != '"')
            text[n++] = (char)i;
    text[n++] = '\n';
    struct buf b = outcome((struct str){ text, n });
    assert_int_equal(b.n, n);
    assert_memory_equal(b.p, text, n - 1);
    buf_done(&b);
}

static void csv_lines_and_offsets_are_physical(void **state)
{
    (void)state;
    static const struct str text = { "\xEF\xBB\xBF"
                                     "a,b\r\n\"x\ny\",1\n\n\n\"bad\"z,1\nc,d",
                                     36 };
    static const struct {
        uint32_t line;
        uint64_t off;
    } want[] = { { 1, 3 }, { 2, 8 }, { 6, 18 }, { 7, 27 } };
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct csv *c = NULL;
    const struct str *cells;
    enum csv_status st = CSV_ROW;
    size_t n;
    assert_int_equal(infile_open(&f, scratch_write(text.p, strlen(text.p)), 0, &e), OK);
    assert_int_equal(csv_new(&c, f, ',', &e), OK);
    for (size_t k = 0; k < ARRAY_LEN(want); k++) {
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        assert_int_equal(csv_line(c), want[k].line);
        assert_int_equal(csv_offset(c), want[k].off);
    }
    assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
    assert_int_equal(st, CSV_END);
    csv_free(c);
    infile_close(f);
}

static void csv_other_separators(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct csv *c = NULL;
    const struct str *cells;
    enum csv_status st;
    size_t n;
    assert_int_equal(infile_open(&f, scratch_write("a\t\tb,c \t\n", 9), 0, &e), OK);
    assert_int_equal(csv_new(&c, f, '\t', &e), OK);
    assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
    assert_int_equal(n, 4);
    assert_true(str_eq(cells[2], STR("b,c")) && cells[1].n == 0 && cells[3].n == 0);
    csv_free(c);
    infile_close(f);
}

/* ---- limits: below, at, above ---- */

static void expect_middle_row(struct buf *text, bool kept, const char *problem)
{
    struct buf b = outcome(buf_str(text));
    struct str s = buf_str(&b);
    assert_true(str_starts(s, STR("first|1/")) && str_ends(s, STR("/last|2/")));
    if (kept) {
        assert_true(str_find(s, STR("!"), 0) == SIZE_MAX);
        assert_true(s.n > 100);
    } else {
        char want[100];
        snprintf(want, sizeof want, "first|1/!1(%s)/last|2/", problem);
        assert_string_equal(s.p, want);
    }
    buf_done(&b);
}

static void add_times(struct buf *b, char c, size_t n)
{
    char *p = buf_room(b, n);
    assert_non_null(p);
    memset(p, c, n);
    b->n += n;
}

static void csv_line_limit(void **state)
{
    (void)state;
    for (size_t len = LIM_LINE_B; len <= LIM_LINE_B + 1; len++) {
        struct buf b;
        bool crlf = len == LIM_LINE_B;
        char problem[100];
        buf_init(&b, (size_t)1 << 28);
        buf_puts(&b, "first,1\n");
        size_t left = len;
        for (; left > LIM_CSV_FIELD_B; left -= LIM_CSV_FIELD_B) {
            add_times(&b, 'x', LIM_CSV_FIELD_B - 1);
            buf_addc(&b, ',');
        }
        add_times(&b, 'y', left);
        buf_puts(&b, crlf ? "\r\nlast,2\r\n" : "\nlast,2\n");
        snprintf(problem, sizeof problem, "a line of %zu bytes, limit 64 MiB", len);
        expect_middle_row(&b, len <= LIM_LINE_B, problem);
        buf_done(&b);
    }
}

/* What is above a limit is measured to its end, and the next row is read. */
static void csv_sizes_far_above_the_limits(void **state)
{
    static const struct {
        char fill, end;
        const char *before, *problem;
    } cases[] = {
        { ',', 'x', "", "a row of 73400321 columns, limit 65536" },
        { 'x', 'x', "", "a cell of 70 MiB, limit 16 MiB" },
        { 'x', '"', "1,\"", "a cell of 70 MiB, limit 16 MiB" },
    };
    struct buf b;

    (void)state;
    buf_init(&b, (size_t)1 << 28);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&b);
        buf_printf(&b, "first,1\n%s", cases[i].before);
        add_times(&b, cases[i].fill, (size_t)70 << 20);
        buf_printf(&b, "%c\r\nlast,2\r\n", cases[i].end);
        expect_middle_row(&b, false, cases[i].problem);
    }
    buf_clear(&b);
    buf_puts(&b, "first,1\n");
    for (int i = 0; i < 8; i++) {
        add_times(&b, 'x', (size_t)10 << 20);
        buf_addc(&b, ',');
    }
    buf_puts(&b, "\nlast,2\n");
    expect_middle_row(&b, false, "a line of 80 MiB, limit 64 MiB");
    buf_done(&b);
}

/* A limit is told from damage. */
static void csv_says_what_is_a_limit(void **state)
{
    static const char *const texts[] = { "a,b\n\"c\"d,e\n", "a,b\n" };
    const struct str *cells;
    struct buf b;

    (void)state;
    buf_init(&b, 1 << 20);
    for (int limit = 0; limit < 2; limit++) {
        struct err e = ERR_INIT;
        struct infile *f = NULL;
        struct csv *c = NULL;
        enum csv_status st;
        size_t n;
        buf_clear(&b);
        buf_puts(&b, texts[limit]);
        if (limit)
            add_times(&b, ',', LIM_CSV_COLUMNS);
        buf_puts(&b, "\nf,g\n");
        assert_int_equal(infile_open(&f, scratch_write(b.p, b.n), 0, &e), OK);
        assert_int_equal(csv_new(&c, f, ',', &e), OK);
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        assert_int_equal(st, CSV_BAD);
        assert_int_equal(csv_over_limit(c), limit);
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        assert_int_equal(st, CSV_ROW);
        assert_false(csv_over_limit(c));
        csv_free(c);
        infile_close(f);
    }
    buf_done(&b);
}

static void csv_column_limit(void **state)
{
    static const size_t widths[] = {
        1023, 1024, 1025, 5000, LIM_CSV_COLUMNS - 1, LIM_CSV_COLUMNS, LIM_CSV_COLUMNS + 1
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
        struct buf b;
        buf_init(&b, 1 << 20);
        buf_puts(&b, "first,1\n");
        add_times(&b, ',', widths[i] - 1);
        buf_puts(&b, "\nlast,2\n");
        expect_middle_row(&b, widths[i] <= LIM_CSV_COLUMNS, "a row of 65537 columns, limit 65536");
        buf_done(&b);
    }
}

static void csv_cell_limit(void **state)
{
    char problem[100];

    (void)state;
    for (size_t n = LIM_CSV_FIELD_B; n <= LIM_CSV_FIELD_B + 1; n++) {
        struct buf b;
        snprintf(problem, sizeof problem, "a cell of %zu bytes, limit 16 MiB", n);
        buf_init(&b, 1 << 26);
        buf_puts(&b, "first,1\n ");
        add_times(&b, 'x', n);
        buf_puts(&b, " ,2\nlast,2\n");
        expect_middle_row(&b, n <= LIM_CSV_FIELD_B, problem);
        buf_clear(&b);
        buf_puts(&b, "first,1\n\"\"\"");
        add_times(&b, 'x', n - 1);
        buf_puts(&b, "\",2\nlast,2\n");
        expect_middle_row(&b, n <= LIM_CSV_FIELD_B, problem);
        buf_done(&b);
    }
}

/* A quote that never closes in a big file costs its own line only. */
static void csv_unbalanced_quote_in_a_big_file(void **state)
{
    (void)state;
    struct buf b;
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct csv *c = NULL;
    const struct str *cells;
    enum csv_status st;
    size_t n, rows = 0, bad = 0, total = 300000;
    buf_init(&b, 1 << 24);
    for (size_t i = 0; i < total; i++)
        buf_puts(&b, i == 1000 || i == 200000 ? "1,\"2,3,4\n" : "1,2,3,4\n");
    assert_int_equal(infile_open(&f, scratch_write(b.p, b.n), 0, &e), OK);
    assert_int_equal(csv_new(&c, f, ',', &e), OK);
    for (;;) {
        assert_int_equal(csv_row(c, &st, &cells, &n, &e), OK);
        if (st == CSV_END)
            break;
        rows += st == CSV_ROW && n == 4;
        bad += st == CSV_BAD;
        if (st == CSV_BAD)
            assert_true(csv_line(c) == 1001 || csv_line(c) == 200001);
    }
    assert_int_equal(bad, 2);
    assert_int_equal(rows, total - 2);
    csv_free(c);
    infile_close(f);
    buf_done(&b);
}

/* ---- truncation and flips ---- */

static const char fixture[] =
    "Name,Input Shapes,Call Stack,Start Time(us),Dur(us),Wait\r\n"
    "aten::empty,,\"lib/_ops.py(692): __call__;\r\nlib/profiler.py(631): "
    "__enter__;\r\n<string>(1): f\","
    "1736413971558972.912\t,12.5,0\r\n"
    "MatMul1,\"\"\"32,3,224,224;64\"\"\",,1736413971558980.000\t,3.25,0.1\r\n"
    "MatMul2,\"\"\"16,3,224,224;64\"\"\",N/A,1736413971558981.000\t,3.25,0.2\r\n"
    "Add3,\"\"\"16;16\"\"\",N/A,1736413971558982.000\t,3.25,0.3\r\n"
    "Relu4,16,N/A,1736413971558983.125\t,3.25,0.4\r\n"
    "aten::add5,\";\r\n;\r\n\",\"a.py(1): g;\r\nb.py(2): h\",1736413971558984.500\t,1,0.5\r\n"
    "Cast6,16,,1736413971558985.125\t,3.25,0.6\r\n"
    "Cast7,16,,1736413971558986.125\t,3.25,0.7\r\n"
    "Conv8,\"a \"\"b\"\" c\",,1736413971558987.125\t,3.25,0.8\r\n"
    "Conv9,\"\",x,1736413971558988.125\t,3.25,0.9\r\n";

/* Every row as one string "a|b|...", separated by '\n' inside rows kept; ends of the rows in the
 * source text. */
struct rows {
    size_t n, bad, cut;
    struct buf text[64];
    uint64_t end[64];
};

static void read_rows(const char *path, struct rows *r)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    struct csv *c = NULL;
    const struct str *cells;
    enum csv_status st;
    size_t n;
    memset(r, 0, sizeof *r);
    assert_int_equal(infile_open(&f, path, 0, &e), OK);
    assert_int_equal(csv_new(&c, f, ',', &e), OK);
    while (csv_row(c, &st, &cells, &n, &e) == OK && st != CSV_END) {
        r->bad += st == CSV_BAD;
        r->cut += st == CSV_CUT;
        if (st != CSV_ROW || csv_unended(c))
            continue;
        assert_true(r->n < ARRAY_LEN(r->text));
        struct buf *b = &r->text[r->n];
        buf_init(b, 1 << 16);
        for (size_t i = 0; i < n; i++) {
            buf_add(b, cells[i]);
            buf_addc(b, '|');
        }
        r->end[r->n++] = infile_offset(f);
    }
    assert_int_equal(e.code, OK);
    csv_free(c);
    infile_close(f);
}

static void free_rows(struct rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        buf_done(&r->text[i]);
}

static void csv_cut_at_every_length(void **state)
{
    (void)state;
    struct rows all, part;
    size_t total = sizeof fixture - 1;
    read_rows(scratch_write(fixture, total), &all);
    assert_int_equal(all.n, 11);
    assert_int_equal(all.bad + all.cut, 0);
    for (size_t n = 0; n < total; n++) {
        read_rows(scratch_write(fixture, n), &part);
        size_t whole = 0;
        while (whole < all.n && all.end[whole] <= n)
            whole++;
        /* "\r" alone ends a line too: the row before the cut may be whole one byte earlier */
        bool at_cr = n && fixture[n - 1] == '\r' && all.end[whole] == n + 1;
        if (part.n != whole + at_cr || part.bad)
            fail_msg("cut at %zu: %zu rows, %zu bad", n, part.n, part.bad);
        for (size_t i = 0; i < whole; i++)
            assert_true(str_eq(buf_str(&part.text[i]), buf_str(&all.text[i])));
        free_rows(&part);
    }
    free_rows(&all);
}

static void csv_two_thousand_bit_flips(void **state)
{
    (void)state;
    struct rows all, part;
    uint64_t x = 20240917;
    size_t total = sizeof fixture - 1, worst = 0, sum = 0;
    char text[sizeof fixture];
    memcpy(text, fixture, sizeof fixture);
    read_rows(scratch_write(fixture, total), &all);
    for (int k = 0; k < 2000; k++) {
        size_t bit = scratch_random(&x) % (total * 8), at = bit / 8;
        text[at] = (char)(text[at] ^ (1 << bit % 8));
        read_rows(scratch_write(text, total), &part);
        size_t lost = 0;
        for (size_t i = 0; i < all.n; i++) {
            bool found = false;
            for (size_t j = 0; j < part.n && !found; j++)
                found = str_eq(buf_str(&all.text[i]), buf_str(&part.text[j]));
            lost += !found;
        }
        /* the row that holds the byte; two where a line end between rows was hit */
        size_t allowed = fixture[at] == '\n' ? 2 : 1;
        if (lost > allowed)
            fail_msg("flip of bit %zu in byte %zu (%c -> %c): %zu rows lost", bit % 8, at, fixture[at],
                     text[at], lost);
        /*
         * the rest of a damaged cell makes no rows, but a lost opening quote leaves its lines (at most 3
         * here)
         */
        if (part.n > all.n + 2)
            fail_msg("flip of bit %zu in byte %zu (%c -> %c): %zu rows", bit % 8, at, fixture[at], text[at],
                     part.n);
        worst = lost > worst ? lost : worst;
        sum += lost;
        text[at] = fixture[at];
        free_rows(&part);
    }
    print_message("2000 flips: %zu rows lost, at most %zu by one flip\n", sum, worst);
    free_rows(&all);
}

/*
 * A table whose records all span lines, as operator_details with stacks. Each quote, comma and line end of
 * one record gets every flip: the records behind it must stay, although the rest of the damaged one looks
 * like rows.
 */
static void csv_damage_among_long_cells_does_not_spread(void **state)
{
    (void)state;
    struct buf b;
    struct rows part;
    size_t first = 0, last = 0, total = 30;
    buf_init(&b, 1 << 16);
    buf_puts(&b, "Name,Shapes,Stack,Dur\n");
    for (unsigned i = 0; i < total; i++) {
        first = i == 3 ? b.n : first;
        last = i == 4 ? b.n : last;
        buf_printf(&b,
                   "op%u,\";\n;\n;\n\",\"/a.py(%u): f;\n/b.py(%u): g;\n/c.py(2): h;\n<string>(1): "
                   "m\",%u.5\n",
                   i, i, i, i);
    }
    for (size_t at = first; at < last; at++) {
        char old = b.p[at];
        if (old != '"' && old != ',' && old != '\n')
            continue;
        for (int bit = 0; bit < 8; bit++) {
            b.p[at] = (char)(old ^ (1 << bit));
            read_rows(scratch_write(b.p, b.n), &part);
            size_t whole = 0;
            for (size_t i = 0; i < part.n; i++)
                whole += str_starts(buf_str(&part.text[i]), STR("op")) &&
                         str_find(buf_str(&part.text[i]), STR(": m|"), 0) != SIZE_MAX;
            if (whole < total - 2)
                fail_msg("flip of bit %d in byte %zu: %zu of %zu records left", bit, at - first, whole,
                         total);
            free_rows(&part);
            b.p[at] = old;
        }
    }
    buf_done(&b);
}

static void csv_torn_gzip_gives_whole_rows_then_cut(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1 << 20);
    for (unsigned i = 0; i < 2000; i++)
        buf_printf(&b, "%u,%u,op_%u\n", i, i * 2654435761u, i);
    uLongf n = compressBound((uLong)b.n) + 100;
    Bytef *packed = malloc(n);
    z_stream z = { .next_in = (Bytef *)b.p, .avail_in = (uInt)b.n, .next_out = packed, .avail_out = (uInt)n };
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    n = z.total_out;
    deflateEnd(&z);

    struct buf whole, half;
    buf_init(&whole, 1 << 20);
    buf_init(&half, 1 << 20);
    outcome_of_file(scratch_write(packed, n), 0, &whole);
    assert_true(str_find(buf_str(&whole), STR("?"), 0) == SIZE_MAX);
    outcome_of_file(scratch_write(packed, n / 2), 0, &half);
    size_t at = str_rchr(buf_str(&half), '?');
    assert_true(at != SIZE_MAX && at > 1000);
    assert_true(str_starts(buf_str(&whole), str_sub(buf_str(&half), 0, at)));
    buf_done(&whole);
    buf_done(&half);
    buf_done(&b);
    free(packed);
}

static void csv_null_cells(void **state)
{
    (void)state;
    static const char *const yes[] = { "", "-", "NA", "N/A", "None" };
    static const char *const no[] = { "0", "--", "NaN", "null", "N/B", "none ", "-1" };
    for (size_t k = 0; k < ARRAY_LEN(yes); k++)
        assert_true(csv_is_null(str_of(yes[k])));
    for (size_t k = 0; k < ARRAY_LEN(no); k++)
        assert_false(csv_is_null(str_of(no[k])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_grammar_table),
        cmocka_unit_test(csv_nul_and_other_bytes_are_kept),
        cmocka_unit_test(csv_lines_and_offsets_are_physical),
        cmocka_unit_test(csv_other_separators),
        cmocka_unit_test(csv_line_limit),
        cmocka_unit_test(csv_sizes_far_above_the_limits),
        cmocka_unit_test(csv_says_what_is_a_limit),
        cmocka_unit_test(csv_column_limit),
        cmocka_unit_test(csv_cell_limit),
        cmocka_unit_test(csv_unbalanced_quote_in_a_big_file),
        cmocka_unit_test(csv_cut_at_every_length),
        cmocka_unit_test(csv_two_thousand_bit_flips),
        cmocka_unit_test(csv_damage_among_long_cells_does_not_spread),
        cmocka_unit_test(csv_torn_gzip_gives_whole_rows_then_cut),
        cmocka_unit_test(csv_null_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
