/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files as a table of their own: CSV, TAB- or blank-separated text, a JSON array of objects; and the memory
 * tracker's files, whose last column takes surplus commas (doc/formats/analysed.md#memory-tracker).
 *
 * A value is typed by itself, never by the first row: whole numbers in their shortest form are integers,
 * decimals of at most 15 digits reals, all else stays text as it came (19-digit stamps and leading zeros are
 * kept).
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/read/json_stream.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/lines.h"
#include "store/foreign.h"

#define EXACT_DIGITS 15
#define ROW_MAX      (6 * LIM_LINE_B) /* of the text that is kept of a row */

/* Digits and points of the mantissa, from past the sign; what follows it is an exponent or nothing. */
static bool mantissa(struct str s, size_t from, size_t *digits, size_t *points, bool *exponent)
{
    size_t k = from;

    *digits = *points = 0;
    for (; k < s.n && ((s.p[k] >= '0' && s.p[k] <= '9') || s.p[k] == '.'); k++)
        s.p[k] == '.' ? ++*points : ++*digits;
    *exponent = k < s.n;
    if (k == from || *digits == 0 || *points > 1 || s.p[from] == '.' || s.p[k - 1] == '.')
        return false;
    return !*exponent || s.p[k] == 'e' || s.p[k] == 'E';
}

static struct val typed(struct str s)
{
    size_t digits, points, from = s.n && s.p[0] == '-';
    bool exponent;
    int64_t i;
    double d;

    if (csv_is_null(s))
        return s.n && str_eq(s, STR("-")) ? val_text(s) : val_null();
    if (!mantissa(s, from, &digits, &points, &exponent))
        return val_text(s);
    if (s.p[from] == '0' && s.n > from + 1 && s.p[from + 1] >= '0' && s.p[from + 1] <= '9')
        return val_text(s);
    if (points == 0 && !exponent)
        return str_i64(s, &i) && !(from && i == 0) ? val_int(i) : val_text(s);
    return digits <= EXACT_DIGITS && str_f64(s, &d) ? val_real(d) : val_text(s);
}

/* ---- names ---- */

static struct str lower(struct str s, char *to, size_t max)
{
    size_t n = s.n < max ? s.n : max;

    for (size_t i = 0; i < n; i++)
        to[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + ('a' - 'A') : s.p[i]);
    return (struct str){ to, n };
}

/* Name of column i: not empty, not met before (without case). Lives in the arena. */
static struct str column_name(struct arena *tmp, struct intern *met, struct str name, size_t i)
{
    char folded[300];
    const char *text = name.n ? arena_printf(tmp, "%.*s", (int)(name.n < 200 ? name.n : 200), name.p)
                              : arena_printf(tmp, "column_%zu", i + 1);
    struct str base = str_of(text), mine = base;

    for (unsigned k = 2; mine.p; k++) {
        uint32_t before = intern_count(met);
        if (intern_put(met, lower(mine, folded, sizeof folded)) >= before)
            break;
        text = arena_printf(tmp, "%s_%u", base.p, k);
        mine = str_of(text);
    }
    return mine;
}

static int column_names(struct arena *tmp, const struct str *names, size_t n, struct str **out, struct err *e)
{
    struct str *mine = arena_array(tmp, n, sizeof *mine);
    struct intern *met = NULL;

    if (!mine)
        return err_nomem(e);
    if (intern_new(&met, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++) {
        mine[i] = column_name(tmp, met, names[i], i);
        if (!mine[i].p)
            err_nomem(e);
    }
    intern_free(met);
    *out = mine;
    return e->code;
}

static bool same_names(const struct str *a, size_t na, const struct str *b, size_t nb)
{
    for (size_t i = 0; na == nb && i < na; i++)
        if (!str_eq(a[i], b[i]))
            return false;
    return na == nb;
}

/* ---- separated text ---- */

/*
 * A table has at most this many columns (SQLite's own limit is 2000); the last one has what is beyond them as
 * JSON.
 */
#define COLUMNS_MAX 1999
#define MORE        STR("more")

struct table {
    struct str *names; /* of the open table */
    size_t n;
    struct val *row;
    struct buf more;
};

/* A line of the header that ends with a separator has an empty last cell, and so have its rows. */
static size_t width(const struct csv_run *r)
{
    size_t n = r->n_names;

    while (n > 1 && r->names[n - 1].n == 0)
        n--;
    return n;
}

static int text_header(struct csv_run *r, struct err *e)
{
    struct table *t = r->state;
    struct str *names = NULL;
    size_t n = width(r);
    bool wide = n > COLUMNS_MAX;

    if (column_names(r->c->tmp, r->names, n, &names, e))
        return e->code;
    if (wide) {
        n = COLUMNS_MAX + 1;
        names[COLUMNS_MAX] = MORE;
        if (!t->more.max)
            buf_init(&t->more, ROW_MAX);
    }
    if (t->names && same_names(t->names, t->n, names, n))
        return OK;
    t->names = names;
    t->n = n;
    t->row = arena_array(r->c->tmp, n, sizeof *t->row);
    return t->row ? sink_generic_open(r->c->out, r->f->id, STR_NULL, names, n, e) : err_nomem(e);
}

/* Every column is known: its cell is looked at in text_row. */
static int text_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    (void)r;
    (void)column;
    (void)e;
    out->conv = CV_SKIP;
    return OK;
}

/* The cells from column COLUMNS_MAX on, as JSON. */
static struct val more_cells(struct csv_run *r, struct buf *b)
{
    size_t n = r->n_cells < r->n_names ? r->n_cells : r->n_names;

    buf_clear(b);
    for (size_t i = COLUMNS_MAX; i < n; i++) {
        if (csv_is_null(r->cells[i]))
            continue;
        buf_addc(b, b->n ? ',' : '{');
        buf_json(b, r->names[i]);
        buf_addc(b, ':');
        buf_json(b, r->cells[i]);
    }
    if (!b->n)
        return val_null();
    buf_addc(b, '}');
    return buf_failed(b) ? val_null() : val_text(buf_str(b));
}

static int text_row(struct csv_run *r, struct err *e)
{
    struct table *t = r->state;

    for (size_t i = 0; i < t->n; i++)
        t->row[i] = i < r->n_cells ? typed(r->cells[i]) : val_null();
    if (t->n > COLUMNS_MAX)
        t->row[COLUMNS_MAX] = more_cells(r, &t->more);
    if (buf_failed(&t->more))
        return err_nomem(e);
    return sink_generic_row(r->c->out, t->row, t->n, e);
}

static void text_done(struct csv_run *r)
{
    buf_done(&((struct table *)r->state)->more);
}

static const struct csvmap text_map = {
    .table = CSV_NO_TABLE,
    .need = "",
    .state_b = sizeof(struct table),
    .unknown = text_unknown,
    .header = text_header,
    .row = text_row,
    .done = text_done,
};

/* ---- the memory tracker: no quoting, surplus commas belong to the last column ---- */

static int tracker_row(struct csv_run *r, struct err *e)
{
    struct table *t = r->state;
    size_t n = r->n_cells;

    while (n > t->n && r->cells[n - 1].n == 0)
        n--; /* the empty cell after the comma that ends every line */
    for (size_t i = 0; i < t->n; i++)
        t->row[i] = i < n ? typed(r->cells[i]) : val_null();
    if (n > t->n) {
        const char *from = r->cells[t->n - 1].p, *to = r->cells[n - 1].p + r->cells[n - 1].n;
        t->row[t->n - 1] = val_text((struct str){ from, (size_t)(to - from) });
    }
    return sink_generic_row(r->c->out, t->row, t->n, e);
}

static const struct csvmap tracker_map = {
    .table = CSV_NO_TABLE,
    .need = "start_time_stamp|time_stamp|device_addr|task_name",
    .state_b = sizeof(struct table),
    .ragged = true,
    .unknown = text_unknown,
    .header = text_header,
    .row = tracker_row,
    .done = text_done,
};

int parse_mem_tracker(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&tracker_map, c, e);
}

/* ---- JSON ---- */

struct pair {
    size_t key, key_n, val, val_n; /* offsets in the text of the row */
    enum js_token tok;
};
struct reader {
    struct parse_ctx *c;
    struct js *js;
    struct buf text; /* keys and values of the object being read, or the path of a value */
    struct buf more;
    struct pair *pairs;
    size_t n, cap;
    struct table table; /* its last column has keys that the first object has not */
    bool damaged;
};

static void json_note(struct reader *r, enum note_code code, const char *text)
{
    struct where w = {
        .source_id = r->c->f->id, .line = js_line(r->js), .offset = js_offset(r->js), .count = 1
    };

    sink_note(r->c->out, code, &w, "%s", text);
}

/* Next token; damage is noted once and ends the document. */
static int token(struct reader *r, enum js_token *tok, struct str *text, struct err *e)
{
    if (js_next(r->js, tok, text, e))
        return e->code;
    if (*tok == JS_BAD) {
        r->damaged = true;
        json_note(r, NOTE_TORN_FILE, js_problem(r->js));
        *tok = JS_END;
    } else if (js_was_cut(r->js)) {
        json_note(r, NOTE_LIMIT, js_cut_text(r->js));
    }
    return OK;
}

/* Text of a scalar or, through its tokens, of a whole value, as JSON. tok, text: its first token. */
static int copy_value(struct reader *r, struct buf *b, enum js_token tok, struct str text, struct err *e)
{
    int depth = 0;
    bool first = true, value = false;

    for (;;) {
        bool close = tok == JS_OBJ_END || tok == JS_ARR_END;
        if (!first && !close && !value)
            buf_addc(b, ',');
        value = tok == JS_KEY;
        if (tok == JS_STRING || tok == JS_KEY)
            buf_json(b, text);
        else if (tok == JS_NUMBER)
            buf_add(b, text);
        else if (tok != JS_END)
            buf_puts(b, tok == JS_OBJ       ? "{"
                        : tok == JS_ARR     ? "["
                        : tok == JS_OBJ_END ? "}"
                        : tok == JS_ARR_END ? "]"
                        : tok == JS_TRUE    ? "true"
                        : tok == JS_FALSE   ? "false"
                                            : "null");
        if (tok == JS_KEY)
            buf_addc(b, ':');
        depth += (tok == JS_OBJ || tok == JS_ARR) - close;
        first = tok == JS_OBJ || tok == JS_ARR;
        if ((depth == 0 && !value) || tok == JS_END)
            return OK;
        if (token(r, &tok, &text, e))
            return e->code;
    }
}

/* The members of an object whose brace was read. *whole: it ended. */
static int read_pairs(struct reader *r, bool *whole, struct err *e)
{
    enum js_token tok;
    struct str text;

    *whole = false;
    r->n = 0;
    buf_clear(&r->text);
    while (token(r, &tok, &text, e) == OK && tok == JS_KEY) {
        struct pair p = { .key = r->text.n, .key_n = text.n };
        buf_add(&r->text, text);
        if (token(r, &tok, &text, e) || tok == JS_END)
            return e->code;
        p.val = r->text.n;
        p.tok = tok;
        if (tok == JS_STRING)
            buf_add(&r->text, text);
        else if (copy_value(r, &r->text, tok, text, e))
            return e->code;
        p.val_n = r->text.n - p.val;
        struct pair *pairs = grow_array(r->pairs, r->n, &r->cap, sizeof *pairs, 64);
        if (!pairs)
            return err_nomem(e);
        r->pairs = pairs;
        r->pairs[r->n++] = p;
    }
    *whole = tok == JS_OBJ_END;
    return e->code;
}

static struct str pair_key(const struct reader *r, size_t i)
{
    return (struct str){ r->text.p + r->pairs[i].key, r->pairs[i].key_n };
}

static struct val pair_value(const struct reader *r, size_t i)
{
    struct str s = { r->text.p + r->pairs[i].val, r->pairs[i].val_n };

    if (r->pairs[i].tok == JS_NULL)
        return val_null();
    return r->pairs[i].tok == JS_NUMBER ? typed(s) : val_text(s);
}

/* The first object names the columns. */
static int open_table(struct reader *r, struct err *e)
{
    struct table *t = &r->table;
    size_t n = r->n < COLUMNS_MAX ? r->n : COLUMNS_MAX;
    struct str *names = arena_array(r->c->tmp, n + 1, sizeof *names);

    if (!names)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        names[i] = pair_key(r, i);
    names[n] = MORE;
    t->n = n + 1;
    t->row = arena_array(r->c->tmp, t->n, sizeof *t->row);
    if (!t->row)
        return err_nomem(e);
    if (column_names(r->c->tmp, names, t->n, &t->names, e))
        return e->code;
    return sink_generic_open(r->c->out, r->c->f->id, STR_NULL, t->names, t->n, e);
}

static int put_pairs(struct reader *r, struct err *e)
{
    struct table *t = &r->table;

    if (!t->names && open_table(r, e))
        return e->code;
    memset(t->row, 0, t->n * sizeof *t->row);
    buf_clear(&r->more);
    for (size_t i = 0; i < r->n; i++) {
        size_t k = i; /* usually in the same order */
        if (k >= t->n - 1 || !str_eq(t->names[k], pair_key(r, i)))
            for (k = 0; k < t->n - 1 && !str_eq(t->names[k], pair_key(r, i)); k++)
                ;
        if (k < t->n - 1) {
            t->row[k] = pair_value(r, i);
            continue;
        }
        struct val v = pair_value(r, i);
        buf_addc(&r->more, r->more.n ? ',' : '{');
        buf_json(&r->more, pair_key(r, i));
        buf_addc(&r->more, ':');
        if (r->pairs[i].tok == JS_STRING)
            buf_json(&r->more, v.s);
        else
            buf_add(&r->more, (struct str){ r->text.p + r->pairs[i].val, r->pairs[i].val_n });
    }
    if (r->more.n) {
        buf_addc(&r->more, '}');
        t->row[t->n - 1] = val_text(buf_str(&r->more));
    }
    r->c->rows++;
    return sink_generic_row(r->c->out, t->row, t->n, e);
}

/* An item of the array that is no object has no columns. */
static int skip_item(struct reader *r, enum js_token tok, struct err *e)
{
    r->c->lost++;
    json_note(r, NOTE_BAD_ROW, "an item of the list is no object");
    return js_skip(r->js, tok, e);
}

static int read_objects(struct reader *r, enum js_token tok, struct err *e)
{
    struct str text;
    bool whole;

    for (unsigned k = 1; tok != JS_ARR_END && tok != JS_END; k++) {
        if (k % 4096 == 0 && sink_cancelled(r->c->out))
            return err_set(e, ERR_CANCELLED, "cancelled");
        if (tok != JS_OBJ) {
            if (skip_item(r, tok, e) || token(r, &tok, &text, e))
                return e->code;
            continue;
        }
        if (read_pairs(r, &whole, e))
            return e->code;
        if (!whole || buf_failed(&r->text)) {
            r->c->lost++;
            if (!r->damaged)
                json_note(r, NOTE_LIMIT, "an object is too large");
            if (!whole)
                return OK;
        } else if (put_pairs(r, e)) {
            return e->code;
        }
        if (token(r, &tok, &text, e))
            return e->code;
    }
    return OK;
}

/* ---- other JSON: one row per value with its path ---- */

struct level {
    size_t path_n; /* length of the path outside this level */
    uint64_t index;
    bool array;
};

static int put_leaf(struct reader *r, enum js_token tok, struct str text, struct err *e)
{
    struct val row[2] = { val_text(buf_str(&r->text)), val_null() };

    if (tok == JS_NUMBER)
        row[1] = typed(text);
    else if (tok == JS_STRING)
        row[1] = val_text(text);
    else if (tok != JS_NULL)
        row[1] = val_cstr(tok == JS_TRUE ? "true" : "false");
    r->c->rows++;
    return sink_generic_row(r->c->out, row, 2, e);
}

/* Path of the next item of an array. */
static void index_path(struct reader *r, struct level *l)
{
    r->text.n = l->path_n;
    buf_printf(&r->text, "[%llu]", (unsigned long long)l->index++);
}

/* inside: the bracket of an array was read before tok. */
static int read_leaves(struct reader *r, enum js_token tok, struct str text, bool inside, struct err *e)
{
    static const struct str names[] = { STR("path"), STR("value") };
    struct level levels[LIM_JSON_DEPTH + 1];
    size_t depth = inside;

    levels[0] = (struct level){ 0, 0, true };
    if (sink_generic_open(r->c->out, r->c->f->id, STR_NULL, names, 2, e))
        return e->code;
    buf_clear(&r->text);
    do {
        struct level *top = depth ? &levels[depth - 1] : NULL;
        if (tok == JS_KEY) {
            r->text.n = top->path_n;
            buf_puts(&r->text, top->path_n ? "." : "");
            buf_add(&r->text, text);
        } else if (tok == JS_OBJ_END || tok == JS_ARR_END) {
            r->text.n = levels[--depth].path_n;
        } else {
            if (top && top->array)
                index_path(r, top);
            if (tok == JS_OBJ || tok == JS_ARR) {
                if (depth == ARRAY_LEN(levels))
                    return OK; /* the reader stops before */
                levels[depth++] = (struct level){ r->text.n, 0, tok == JS_ARR };
            } else if (put_leaf(r, tok, text, e)) {
                return e->code;
            }
        }
        if (token(r, &tok, &text, e))
            return e->code;
    } while (tok != JS_END && depth > 0);
    return OK;
}

static int read_value(struct reader *r, struct err *e)
{
    enum js_token tok;
    struct str text;

    if (token(r, &tok, &text, e) || tok == JS_END)
        return e->code;
    if (tok != JS_ARR)
        return read_leaves(r, tok, text, false, e);
    if (token(r, &tok, &text, e))
        return e->code;
    if (tok == JS_OBJ)
        return read_objects(r, tok, e);
    return tok == JS_ARR_END || tok == JS_END ? OK : read_leaves(r, tok, text, true, e);
}

/* Read the document, and check that nothing follows it (which the reader calls damage). */
static int read_json(struct reader *r, struct err *e)
{
    enum js_token tok;
    struct str text;

    if (read_value(r, e) || r->damaged)
        return e->code;
    return token(r, &tok, &text, e);
}

static int parse_json(struct parse_ctx *c, struct err *e)
{
    struct reader *r = arena_zalloc(c->tmp, sizeof *r);
    struct infile *in = NULL;

    if (!r)
        return err_nomem(e);
    r->c = c;
    buf_init(&r->text, ROW_MAX);
    buf_init(&r->more, ROW_MAX);
    if (infile_open(&in, c->f->path, 0, e) == OK && js_new(&r->js, in, e) == OK)
        (void)read_json(r, e);
    if (!e->code && c->rows == 0 && r->damaged) {
        err_set(e, ERR_FORMAT, "no whole value: %s", js_problem(r->js));
        err_where(e, c->f->path, js_offset(r->js), js_line(r->js));
    } else if (e->code) {
        err_where(e, c->f->path, ERR_NO_OFFSET, 0);
    }
    js_free(r->js);
    infile_close(in);
    free(r->pairs);
    buf_done(&r->text);
    buf_done(&r->more);
    return e->code;
}

/* ---- any file ---- */

/* Separator of the first line, as far as it lies in the first n bytes. */
static char separator(struct str head)
{
    size_t comma = 0, tab = 0, semicolon = 0, blank = 0;
    bool quoted = false;

    for (size_t i = 0; i < head.n && (quoted || (head.p[i] != '\n' && head.p[i] != '\r')); i++) {
        quoted ^= head.p[i] == '"';
        if (quoted)
            continue;
        comma += head.p[i] == ',';
        tab += head.p[i] == '\t';
        semicolon += head.p[i] == ';';
        blank += head.p[i] == ' ';
    }
    if (comma)
        return ',';
    if (tab)
        return '\t';
    return semicolon ? ';' : blank ? ' ' : ',';
}

#define HEAD_B     ((size_t)16 << 10) /* looked at to see what a file is */
#define LOOK_LINES 32

enum shape { SHAPE_TABLE, SHAPE_JSON, SHAPE_DATABASE, SHAPE_LINES, SHAPE_BINARY };

/* One byte in ten is no text. */
static bool is_binary(struct str head)
{
    size_t odd = 0;

    for (size_t i = 0; i < head.n; i++) {
        unsigned char ch = (unsigned char)head.p[i];
        odd += ch < 0x20 && (ch < '\t' || ch > '\r') && ch != 0x1b;
    }
    return odd * 10 > head.n;
}

static size_t pieces_of(struct str line, char sep)
{
    size_t n = sep != ' ';

    for (size_t i = 0; i < line.n; i++)
        if (sep != ' ')
            n += line.p[i] == sep;
        else
            n += line.p[i] != ' ' && line.p[i] != '\t' &&
                 (i == 0 || line.p[i - 1] == ' ' || line.p[i - 1] == '\t');
    return n;
}

/*
 * No table: fewer than half of the lines are as wide as the first one. Quoted cells may hold lines: a table,
 * then.
 */
static bool is_prose(struct str head, char sep)
{
    struct str line;
    size_t n = 0, same = 0, width = 0;

    if (str_chr(head, '"') != SIZE_MAX)
        return false;
    while (n < LOOK_LINES && str_next(&head, '\n', &line) && (head.p || n == 0)) {
        if (line.n == 0)
            continue;
        size_t w = pieces_of(line, sep);
        width = n++ ? width : w;
        same += w == width;
    }
    return n > 2 && same * 2 < n;
}

static enum shape shape_of(struct str head, char *sep)
{
    if (foreign_is_database(head))
        return SHAPE_DATABASE;
    if (is_binary(head))
        return SHAPE_BINARY;
    if (str_starts(head, STR("\xEF\xBB\xBF")))
        head = str_sub(head, 3, SIZE_MAX);
    while (head.n && (*head.p == ' ' || *head.p == '\n' || *head.p == '\r' || *head.p == '\t'))
        head = str_sub(head, 1, SIZE_MAX);
    if (head.n && (*head.p == '{' || *head.p == '['))
        return SHAPE_JSON;
    *sep = separator(head);
    return is_prose(head, *sep) ? SHAPE_LINES : SHAPE_TABLE;
}

static int peek(const char *path, enum shape *shape, char *sep, struct err *e)
{
    struct infile *in = NULL;
    size_t got, n;

    *shape = SHAPE_TABLE;
    if (infile_open(&in, path, 0, e) == OK && infile_more(in, &got, e) == OK) {
        const char *p = infile_data(in, &n);
        *shape = shape_of((struct str){ p, n < HEAD_B ? n : HEAD_B }, sep);
    }
    infile_close(in);
    return e->code;
}

/* Text that is no table: its lines. */
static int parse_lines(struct parse_ctx *c, struct err *e)
{
    static const struct str names[] = { STR("text") };
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK &&
        sink_generic_open(c->out, c->f->id, STR_NULL, names, ARRAY_LEN(names), e) == OK)
        while (lines_next(&l, &line, e)) {
            struct val v = val_text(line);
            c->rows++;
            if (sink_generic_row(c->out, &v, 1, e))
                break;
        }
    lines_close(&l);
    return e->code;
}

int parse_generic(struct parse_ctx *c, struct err *e)
{
    struct csvmap map = text_map;
    enum shape shape;

    if (peek(c->f->path, &shape, &map.sep, e))
        return e->code;
    switch (shape) {
    case SHAPE_DATABASE:
        return parse_database(c, e);
    case SHAPE_JSON:
        return parse_json(c, e);
    case SHAPE_LINES:
        return parse_lines(c, e);
    case SHAPE_BINARY:
        return err_set(e, ERR_FORMAT, "binary data, no table: x shows its bytes");
    default:
        return csvmap_parse(&map, c, e);
    }
}
