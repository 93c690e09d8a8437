/*
 * The engine behind CSV kinds. The header is resolved once per slice into one action per column; a
 * cell then costs a switch and a number, never a look-up by name (performance.md 3.3).
 */
#include "config.h"

#include "csvmap.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/limits.h"
#include "lines.h"
#include "opwords.h"
#include "parsers.h"

#define NOTES_ALONE 20   /* BAD_VALUE notes of a slice given one by one; the rest is counted */
#define ASK_ROWS    4096 /* rows between two looks at progress and cancellation */
#define NO_SLOT     SIZE_MAX
#define NO_SEP      '\001' /* a line is one cell */
#define HIDDEN      2 /* slots behind n_slots: what is not kept, the device of a table without one */
#define EXTRA_MAX   ((size_t)8 << 20) /* a line of 1 MiB, escaped */

struct action {
    struct csv_op op;
    enum csv_conv conv;
    bool duration; /* below zero means damage */
    size_t slot;
};

static struct action action_of(enum csv_conv conv, size_t slot)
{
    bool duration = conv == CV_NS || conv == CV_US || conv == CV_TICK;
    return (struct action){ csv_op(conv), conv, duration, slot };
}

/* Counted over a slice, noted once at its end. */
struct tally {
    uint64_t n;
    uint32_t line;
};

/* The engine's side of a run. */
struct run {
    struct csv_run pub;
    struct action *acts; /* by column */
    struct val *blank;   /* a row before its cells: constants and NULLs */
    size_t rank_slot, device_slot, source_slot, line_slot, extra_slot;
    bool has_extra;     /* a column goes to extra */
    struct buf text;    /* extra of the row; names of unknown columns before */
    struct str *pieces; /* cells of a row of blank-separated text */
    struct buf all;     /* csv_row_json */
    struct tally length, values, negative;
    uint64_t fine, coarse; /* instants in us with three digits and more, with less */
    uint32_t damaged_line; /* first instant with an exponent */
};

static void note(struct run *r, enum note_code code, uint32_t line, uint64_t count,
                 const char *text)
{
    struct where w = {
        .source_id = r->pub.f->id, .line = line, .offset = ERR_NO_OFFSET, .count = count
    };
    sink_note(r->pub.c->out, code, &w, "%s", text);
}

/* ---- cells ---- */

/* Digits of an instant in us: fewer than three behind the point are a rounded source; an exponent
 * is a damaged one. */
static void watch_digits(struct run *r, struct str cell)
{
    if (cell.n > 4 && cell.p[cell.n - 4] == '.') {
        r->fine++;
        return;
    }
    size_t point = str_chr(cell, '.');
    bool exponent = str_chr(cell, 'E') != SIZE_MAX || str_chr(cell, 'e') != SIZE_MAX;
    if (exponent && !r->damaged_line)
        r->damaged_line = r->pub.line;
    if (!exponent && point != SIZE_MAX && cell.n - point > 3)
        r->fine++;
    else if (!exponent)
        r->coarse++;
}

static void bad_value(struct run *r, size_t column)
{
    char text[160], cell[48], name[48];

    if (r->values.n++ >= NOTES_ALONE) {
        if (!r->values.line)
            r->values.line = r->pub.line;
        return;
    }
    snprintf(text, sizeof text, "column %s: '%s'",
             str_copy(r->pub.names[column], name, sizeof name),
             str_copy(r->pub.cells[column], cell, sizeof cell));
    note(r, NOTE_BAD_VALUE, r->pub.line, 1, text);
}

void csv_bad_value(struct csv_run *pub, size_t column)
{
    if (column < pub->n_names && column < pub->n_cells)
        bad_value((struct run *)pub, column);
}

void csv_bad_row(struct csv_run *pub, const char *why)
{
    pub->c->lost++;
    note((struct run *)pub, NOTE_BAD_ROW, pub->line, 1, why);
}

static void count(struct tally *t, uint32_t line)
{
    if (t->n++ == 0)
        t->line = line;
}

/* A duration below zero: something ends before it starts. It is kept out of sums (reliability.md R1.8). */
static void negative(struct run *r, struct val *out)
{
    *out = val_null();
    count(&r->negative, r->pub.line);
}

static void fill_cells(struct run *r)
{
    const struct str *cells = r->pub.cells;
    size_t n = r->pub.n_cells < r->pub.n_names ? r->pub.n_cells : r->pub.n_names;

    for (size_t i = 0; i < n; i++) {
        const struct action *a = &r->acts[i];
        struct str cell = cells[i];
        struct val *out = &r->pub.v[a->slot];
        bool digit = cell.n && cell.p[0] >= '0' && cell.p[0] <= '9'; /* most cells: not null */
        if (a->op.code <= OP_EXTRA ||
            (!digit && cell.n <= 4 && csv_is_null(cell) && (a->op.code != OP_RAW || cell.n == 0)))
            continue;
        switch (a->op.code) {
        case OP_CELL:
        case OP_RAW:
            *out = val_text(cell);
            break;
        case OP_SHAPES:
            *out = val_text(op_shapes(cell));
            break;
        case OP_CORE:
            *out = val_text(op_core(cell));
            break;
        case OP_STR:
            *out = sink_text(r->pub.c->out, cell);
            break;
        case OP_TS:
            if (a->conv == CV_TS_US)
                watch_digits(r, cell);
            __attribute__((fallthrough));
        default:
            if (!csv_apply(&a->op, cell, out))
                bad_value(r, i);
            else if (a->duration && out->i < 0)
                negative(r, out);
        }
    }
}

/* ---- extra columns ---- */

static struct val row_json(const struct run *r, struct buf *b, bool all)
{
    size_t n = r->pub.n_cells < r->pub.n_names ? r->pub.n_cells : r->pub.n_names;

    buf_clear(b);
    for (size_t i = 0; i < n; i++) {
        if ((!all && r->acts[i].op.code != OP_EXTRA) || csv_is_null(r->pub.cells[i]))
            continue;
        buf_addc(b, b->n ? ',' : '{');
        buf_json(b, r->pub.names[i]);
        buf_addc(b, ':');
        buf_json(b, r->pub.cells[i]);
    }
    if (b->n == 0)
        return val_null();
    buf_addc(b, '}');
    return buf_failed(b) ? val_null() : val_text(buf_str(b));
}

struct val csv_extra(struct csv_run *pub)
{
    struct run *r = (struct run *)pub;
    return row_json(r, &r->text, false);
}

struct val csv_row_json(struct csv_run *pub)
{
    struct run *r = (struct run *)pub;
    return row_json(r, &r->all, true);
}

/* ---- header ---- */

static bool named(const char *names, struct str name)
{
    struct str rest = str_of(names), one;

    while (str_next(&rest, '|', &one))
        if (str_eq_nocase(one, name))
            return true;
    return false;
}

static const struct csv_col *find_col(const struct csvmap *m, struct str name)
{
    for (size_t i = 0; i < m->n_cols; i++)
        if (named(m->cols[i].names, name))
            return &m->cols[i];
    return NULL;
}

static bool fits(const struct csvmap *m, const struct str *names, size_t n)
{
    if (m->need && !m->need[0])
        return n > 0;
    for (size_t i = 0; i < n; i++)
        if (names[i].n && (m->need ? named(m->need, names[i]) : find_col(m, names[i]) != NULL))
            return true;
    return false;
}

size_t csv_column_of(const struct csv_run *pub, size_t slot)
{
    const struct run *r = (const struct run *)pub;

    for (size_t i = 0; i < pub->n_names; i++)
        if (r->acts[i].slot == slot && r->acts[i].op.code > OP_EXTRA)
            return i;
    return SIZE_MAX;
}

/* Slots of the table that the engine fills itself. A table without a device has a hidden slot for
 * it. */
static void standard_slots(struct run *r)
{
    const struct csvmap *m = r->pub.map;

    r->rank_slot = r->source_slot = r->line_slot = NO_SLOT;
    r->extra_slot = m->extra_slot ? m->extra_slot : NO_SLOT;
    r->device_slot = r->pub.n_slots + 1;
    if (m->table == CSV_NO_TABLE)
        return;
    const struct schema_table *t = &schema_tables[m->table];
    size_t device = schema_find_column(t, "device");
    if (device != NO_SLOT)
        r->device_slot = device;
    r->rank_slot = schema_find_column(t, "rank");
    r->source_slot = schema_find_column(t, "source_id");
    r->line_slot = schema_find_column(t, "line");
    r->extra_slot = schema_find_column(t, "extra");
}

static int alloc_row(struct run *r, struct err *e)
{
    const struct csvmap *m = r->pub.map;
    struct arena *tmp = r->pub.c->tmp;
    size_t own = m->table == CSV_NO_TABLE ? 0 : schema_tables[m->table].n_cols;

    r->pub.n_slots = own + m->n_slots + m->wide * r->pub.n_names;
    r->pub.v = arena_array(tmp, r->pub.n_slots + HIDDEN, sizeof *r->pub.v);
    r->blank = arena_array(tmp, r->pub.n_slots + HIDDEN, sizeof *r->blank);
    r->acts = arena_array(tmp, r->pub.n_names, sizeof *r->acts);
    return r->pub.v && r->blank && r->acts ? OK : err_nomem(e);
}

/* The writer of ascend_ms folders divides KB by 1000 (outputs.md 7.2). */
static struct action action_here(const struct run *r, enum csv_conv conv, size_t slot)
{
    struct action a = action_of(conv, conv <= CV_EXTRA ? r->pub.n_slots : slot);

    if (a.slot == CSV_DEVICE)
        a.slot = r->device_slot;
    if (conv == CV_MB_1000 && r->pub.c->run && r->pub.c->run->gen == GEN_2)
        csv_op_scale(&a.op, 1000 * 1024);
    return a;
}

static bool taken(const struct run *r, size_t slot)
{
    return csv_column_of(&r->pub, slot) != SIZE_MAX;
}

/* Columns the map knows; the others are extra for now. */
static void resolve_known(struct run *r)
{
    for (size_t i = 0; i < r->pub.n_names; i++)
        r->acts[i] = action_of(CV_EXTRA, r->pub.n_slots);
    for (size_t i = 0; i < r->pub.n_names; i++) {
        const struct csv_col *c = find_col(r->pub.map, r->pub.names[i]);
        struct action a = c ? action_here(r, c->conv, c->slot) : r->acts[i];
        if (c && (c->conv <= CV_EXTRA || !taken(r, a.slot)))
            r->acts[i] = a;
    }
}

/* Columns the map does not know, or has met before: unknown() says, else extra. Their names are
 * gathered for one note. */
static int resolve_unknown(struct run *r, struct err *e)
{
    const struct csvmap *m = r->pub.map;

    buf_clear(&r->text);
    r->has_extra = false;
    for (size_t i = 0; i < r->pub.n_names; i++) {
        struct csv_col col = { NULL, CV_EXTRA, 0 };
        struct str name = r->pub.names[i];
        const struct csv_col *c = find_col(m, name);
        if (r->acts[i].op.code == OP_EXTRA && !(c && c->conv == CV_EXTRA)) {
            if (m->unknown && m->unknown(&r->pub, i, &col, e))
                return (int)e->code;
            if (name.n == 0 && col.conv == CV_EXTRA)
                col.conv = CV_SKIP;
            if (col.conv > CV_EXTRA && col.slot >= r->pub.n_slots)
                return err_set(e, ERR_BUG, "slot of column %zu", i);
            if (col.conv == CV_EXTRA)
                buf_printf(&r->text, "%s%.*s", r->text.n ? ", " : "",
                           (int)(name.n < 60 ? name.n : 60), name.p);
            r->acts[i] = action_here(r, col.conv, col.slot);
        }
        r->has_extra |= r->acts[i].op.code == OP_EXTRA;
    }
    if (r->text.n)
        note(r, NOTE_UNKNOWN_COLUMN, 1, 1, buf_str(&r->text).p);
    return OK;
}

static struct val const_value(const struct run *r, const struct csv_const *k)
{
    enum table_id t = r->pub.map->table;

    if (t != CSV_NO_TABLE && k->slot < schema_tables[t].n_cols &&
        schema_tables[t].cols[k->slot].type == CT_STR)
        return sink_text(r->pub.c->out, str_of(k->text));
    return val_cstr(k->text);
}

static void fill_blank(struct run *r)
{
    const struct csv_run *p = &r->pub;

    for (const struct csv_const *k = p->map->consts; k && k->text; k++)
        r->blank[k->slot] = const_value(r, k);
    if (r->source_slot != NO_SLOT)
        r->blank[r->source_slot] = val_int((int64_t)p->f->id);
    if (p->f->device >= 0)
        r->blank[r->device_slot] = val_int(p->f->device);
    if (r->rank_slot != NO_SLOT)
        r->blank[r->rank_slot] = val_int(csv_rank(p, NULL));
}

static int copy_header(struct run *r, const struct str *cells, size_t n, struct err *e)
{
    struct str *names = arena_array(r->pub.c->tmp, n, sizeof *names);

    if (!names)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        names[i] = arena_str(r->pub.c->tmp, cells[i]);
        if (!names[i].p)
            return err_nomem(e);
    }
    r->pub.names = names;
    r->pub.n_names = n;
    return OK;
}

static int start_header(struct run *r, const struct csvmap *m, const struct str *cells, size_t n,
                        struct err *e)
{
    while (m && !fits(m, cells, n))
        m = m->other;
    if (!m) {
        note(r, NOTE_NO_HEADER, r->pub.line, 1, "no known column");
        return err_set(e, ERR_FORMAT, "the header has no known column");
    }
    r->pub.map = m;
    if (copy_header(r, cells, n, e) || alloc_row(r, e))
        return (int)e->code;
    standard_slots(r);
    resolve_known(r);
    if (m->match && m->match(&r->pub, e))
        return (int)e->code;
    if (resolve_unknown(r, e))
        return (int)e->code;
    fill_blank(r);
    return m->header ? m->header(&r->pub, e) : OK;
}

/* ---- rows ---- */

int csv_rank(const struct csv_run *r, const struct val *device)
{
    const struct runinfo *run = r->c->run;
    int64_t want = device && device->t == VAL_INT ? device->i : r->f->device;

    if (!run || run->n_ranks < 2 || want < 0)
        return r->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].rank == r->c->rank && run->ranks[i].device == want)
            return r->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].device == want)
            return run->ranks[i].rank;
    return r->c->rank;
}

/* Rows of another width: surplus cells that are all empty do not count. */
static void watch_length(struct run *r)
{
    size_t n = r->pub.n_cells;

    if (r->pub.map->ragged)
        return;
    while (n > r->pub.n_names && r->pub.cells[n - 1].n == 0)
        n--;
    if (n == r->pub.n_names)
        return;
    count(&r->length, r->pub.line);
}

int csv_put(struct csv_run *r, struct err *e)
{
    enum table_id t = r->map->table;

    return sink_row(r->c->out, t, r->v, schema_tables[t].n_cols, NULL, e);
}

static int deliver(struct run *r, struct err *e)
{
    struct csv_run *p = &r->pub;
    const struct csvmap *m = p->map;

    memcpy(p->v, r->blank, (p->n_slots + HIDDEN) * sizeof *p->v);
    fill_cells(r);
    if (r->line_slot != NO_SLOT)
        p->v[r->line_slot] = val_int(p->line);
    if (p->v[r->device_slot].t == VAL_INT && r->rank_slot != NO_SLOT)
        p->v[r->rank_slot] = val_int(csv_rank(p, &p->v[r->device_slot]));
    if (r->has_extra && r->extra_slot != NO_SLOT)
        p->v[r->extra_slot] = row_json(r, &r->text, false);
    p->c->rows++;
    if (m->row)
        return m->row(p, e);
    return csv_put(p, e);
}

/*
 * A last line without a line end: when cells are missing it is a cut record; when all are there,
 * only the last one may be cut, so the row is kept without it ("right or absent"). It is kept whole
 * where writers of the kind end files so.
 */
static bool unended(struct run *r)
{
    bool short_row = r->pub.n_cells < r->pub.n_names && !r->pub.map->ragged;

    if (!short_row && r->pub.f->kind->open_end) {
        note(r, NOTE_NO_LINE_END, r->pub.line, 1, "the last line has no line end; kept");
        return true;
    }
    r->pub.torn = true;
    if (short_row) {
        r->pub.c->lost++;
        note(r, NOTE_TORN_RECORD, r->pub.line, 1, "the last line is cut");
        return false;
    }
    note(r, NOTE_TORN_FILE, r->pub.line, 1,
         "the last line has no line end; kept without its last cell");
    r->pub.n_cells--;
    return true;
}

static int one_row(struct run *r, struct csv *csv, struct err *e)
{
    r->pub.line = csv_line(csv);
    if (csv_unended(csv) && (r->pub.n_cells <= r->pub.n_names || r->pub.map->ragged)) {
        if (!unended(r))
            return OK;
    } else if (r->pub.n_cells != r->pub.n_names) {
        watch_length(r);
    }
    return deliver(r, e);
}

static void lost_lines(struct run *r, struct csv *csv, enum csv_status st)
{
    const char *why = csv_problem(csv);
    enum note_code code = st == CSV_CUT                  ? NOTE_TORN_RECORD
                          : strstr(why, "line too long") ? NOTE_LINE_TOO_LONG
                                                         : NOTE_BAD_ROW;

    r->pub.c->lost++;
    r->pub.torn |= st == CSV_CUT;
    note(r, code, csv_line(csv), 1, why);
}

/* A line of blank-separated text: its pieces. A line of dashes under a header is no row. */
static bool split_blanks(struct run *r)
{
    struct str line = r->pub.n_cells ? r->pub.cells[0] : STR_NULL;
    size_t n = 0, ruled = 0;

    for (size_t i = 0; i < line.n && n < LIM_CSV_COLUMNS;) {
        size_t from = i;
        while (i < line.n && line.p[i] != ' ' && line.p[i] != '\t')
            ruled += line.p[i++] != '-';
        if (i > from)
            r->pieces[n++] = str_sub(line, from, i - from);
        while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
            i++;
    }
    r->pub.cells = r->pieces;
    r->pub.n_cells = n;
    return ruled > 0;
}

/* Next row of the file with its cells in r->pub. */
static int next_row(struct run *r, struct csv *csv, enum csv_status *st, struct err *e)
{
    do {
        if (csv_row(csv, st, &r->pub.cells, &r->pub.n_cells, e))
            return (int)e->code;
    } while (*st == CSV_ROW && r->pieces && !split_blanks(r));
    return OK;
}

static int read_rows(struct run *r, struct csv *csv, struct infile *in, struct err *e)
{
    enum csv_status st;

    for (unsigned k = 1;; k++) {
        if (k % ASK_ROWS == 0 && parse_ask(r->pub.c, infile_consumed(in), e))
            return (int)e->code;
        if (next_row(r, csv, &st, e))
            return (int)e->code;
        if (st == CSV_END)
            return OK;
        if (st == CSV_ROW ? one_row(r, csv, e) : (lost_lines(r, csv, st), OK))
            return (int)e->code;
    }
}

/* ---- slices ---- */

/* Notes that stand for many rows. */
static void sum_up(struct run *r, struct infile *in)
{
    if (r->length.n)
        note(r, NOTE_ROW_LENGTH, r->length.line, r->length.n,
             "rows of another width than the header");
    if (r->negative.n)
        note(r, NOTE_INCONSISTENT, r->negative.line, r->negative.n,
             "durations below zero, left out");
    if (r->values.line)
        note(r, NOTE_BAD_VALUE, r->values.line, r->values.n - NOTES_ALONE,
             "further values of this file");
    if (r->damaged_line)
        note(r, NOTE_ROUNDED, r->damaged_line, 1, "time stamps with an exponent");
    else if (r->coarse && !r->fine)
        note(r, NOTE_ROUNDED, 2, 1, "time stamps with less than three digits behind the point");
    if (infile_changed(in))
        note(r, NOTE_CHANGED, 0, 1, "the file changed while it was read");
}

/* Read the header of a slice. *go: rows follow. */
static int read_header(struct run *r, const struct csvmap *m, struct csv *csv, bool *go,
                       struct err *e)
{
    enum csv_status st;

    *go = false;
    do {
        if (next_row(r, csv, &st, e))
            return (int)e->code;
        if (st == CSV_BAD)
            lost_lines(r, csv, st);
    } while (st == CSV_BAD);
    r->pub.line = csv_line(csv);
    if (st == CSV_END)
        return OK;
    if (st == CSV_CUT || csv_unended(csv)) {
        r->pub.torn = true;
        note(r, NOTE_TORN_FILE, r->pub.line, 1, "the file ends inside its header");
        return OK;
    }
    *go = true;
    return start_header(r, m, r->pub.cells, r->pub.n_cells, e);
}

static int read_slice(struct run *r, const struct csvmap *m, struct err *e)
{
    struct infile *in = NULL;
    struct csv *csv = NULL;
    bool go;

    r->length = r->values = r->negative = (struct tally){ 0, 0 };
    r->fine = r->coarse = 0;
    r->damaged_line = r->pub.line = 0;
    r->pub.torn = false;
    r->pub.names = NULL;
    r->pub.n_names = 0;
    if (infile_open(&in, r->pub.f->path, 0, e) || csv_new(&csv, in,
                                                          m->sep == ' ' ? NO_SEP
                                                          : m->sep      ? m->sep
                                                                        : ',',
                                                          e))
        goto out;
    if (read_header(r, m, csv, &go, e) || !go)
        goto out;
    if (read_rows(r, csv, in, e))
        goto out;
    sum_up(r, in);
    if (r->pub.map->end)
        (void)r->pub.map->end(&r->pub, e);
    (void)!parse_ask(r->pub.c, infile_consumed(in), e);
out:
    csv_free(csv);
    infile_close(in);
    if (e->code)
        err_where(e, r->pub.f->path, ERR_NO_OFFSET, r->pub.line);
    return (int)e->code;
}

/* A slice that cannot be used does not end the others. */
static bool slice_alone(const struct err *e)
{
    return e->code == ERR_FORMAT || e->code == ERR_IO;
}

int csvmap_parse(const struct csvmap *m, struct parse_ctx *c, struct err *e)
{
    struct run r = { .pub = { .c = c, .map = m } };
    struct err first = ERR_INIT;
    bool any = false;

    buf_init(&r.text, EXTRA_MAX);
    buf_init(&r.all, EXTRA_MAX);
    if (m->sep == ' ') {
        r.pieces = arena_array(c->tmp, LIM_CSV_COLUMNS, sizeof *r.pieces);
        if (!r.pieces)
            return err_nomem(e);
    }
    if (m->state_b) {
        r.pub.state = arena_zalloc(c->tmp, m->state_b);
        if (!r.pub.state)
            return err_nomem(e); /* nothing is held yet */
    }
    for (const struct source_file *f = c->f; f && !e->code; f = f->next_slice) {
        struct err mine = ERR_INIT;
        r.pub.f = f;
        if (read_slice(&r, m, &mine) == OK) {
            any = true;
        } else if (slice_alone(&mine)) {
            if (mine.code == ERR_IO)
                note(&r, NOTE_BAD_FILE, 0, 1, mine.text);
            if (!first.code)
                first = mine;
        } else {
            *e = mine;
        }
    }
    if (m->done)
        m->done(&r.pub);
    buf_done(&r.text);
    buf_done(&r.all);
    if (!e->code && !any)
        *e = first;
    return (int)e->code;
}

int parse_csv(struct parse_ctx *c, struct err *e)
{
    for (size_t i = 0; i < csvmaps_n; i++)
        if (c->f->kind && str_eq(str_of(csvmaps[i].kind), str_of(c->f->kind->id)))
            return csvmap_parse(&csvmaps[i], c, e);
    return err_set(e, ERR_BUG, "no column map for kind %s", c->f->kind ? c->f->kind->id : "?");
}
