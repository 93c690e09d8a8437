/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine behind CSV kinds. The header is resolved once per slice into one action per column; a
 * cell then costs a switch and a number, never a look-up by name (doc/performance.md#text-tables).
 */
#include "config.h"

#include "parsers/read/csvmap.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/limits.h"
#include "parsers/parsers.h"
#include "parsers/read/csvrows.h"
#include "parsers/read/lines.h"

#define NOTES_ALONE 20   /* BAD_VALUE notes of a slice given one by one; the rest is counted */
#define ASK_ROWS    4096 /* rows between two looks at progress and cancellation */
#define NO_SLOT     SIZE_MAX
#define HIDDEN      2 /* slots after n_slots: values not kept, the device of a table without one */
#define EXTRA_MAX   (6 * LIM_LINE_B) /* a line, escaped */
/* Bytes from which on a second thread is worth it: a tenth of a second. */
#define THREAD_LEAST_B ((uint64_t)16 << 20)

static struct csv_action action_of(enum csv_conv conv, size_t slot)
{
    bool duration = conv == CV_NS || conv == CV_US || conv == CV_TICK;
    return (struct csv_action){ csv_op(conv), conv, duration, slot };
}

/* The engine's side of a run. */
struct run {
    struct csv_run pub;
    struct csv_action *acts; /* by column */
    struct val *blank;       /* a row before its cells: constants and NULLs */
    size_t *texts;           /* columns whose texts are interned */
    size_t n_texts;
    size_t rank_slot, device_slot, source_slot, line_slot, extra_slot;
    bool has_extra;  /* a column goes to extra */
    struct buf text; /* extra of the row; names of unknown columns before */
    struct buf all;  /* csv_row_json */
    struct csv_tally length, values;
};

static void note(struct run *r, enum note_code code, uint32_t line, uint64_t count, const char *text)
{
    struct where w = { .source_id = r->pub.f->id, .line = line, .offset = ERR_NO_OFFSET, .count = count };
    sink_note(r->pub.c->out, code, &w, "%s", text);
}

/* ---- bad cells and rows ---- */

static void bad_value(struct run *r, size_t column)
{
    char text[160], cell[48], name[48];

    if (r->values.n++ >= NOTES_ALONE) {
        if (!r->values.line)
            r->values.line = r->pub.line;
        return;
    }
    snprintf(text, sizeof text, "column %s: '%s'", str_copy(r->pub.names[column], name, sizeof name),
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
    r->texts = arena_array(tmp, r->pub.n_names, sizeof *r->texts);
    return r->pub.v && r->blank && r->acts && r->texts ? OK : err_nomem(e);
}

/* The writer of ascend_ms folders divides KB by 1000 (doc/formats/analysed.md#memory_record). */
static struct csv_action action_here(const struct run *r, enum csv_conv conv, size_t slot)
{
    struct csv_action a = action_of(conv, conv <= CV_EXTRA ? r->pub.n_slots : slot);

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
        struct csv_action a = c ? action_here(r, c->conv, c->slot) : r->acts[i];
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
                return e->code;
            if (name.n == 0 && col.conv == CV_EXTRA)
                col.conv = CV_SKIP;
            if (col.conv > CV_EXTRA && col.slot >= r->pub.n_slots)
                return err_set(e, ERR_BUG, "slot of column %zu", i);
            if (col.conv == CV_EXTRA)
                buf_printf(&r->text, "%s%.*s", r->text.n ? ", " : "", (int)(name.n < 60 ? name.n : 60),
                           name.p);
            r->acts[i] = action_here(r, col.conv, col.slot);
        }
        r->has_extra |= r->acts[i].op.code == OP_EXTRA;
    }
    if (r->text.n)
        note(r, NOTE_UNKNOWN_COLUMN, 1, 1, buf_str(&r->text).p);
    return OK;
}

static void find_texts(struct run *r)
{
    r->n_texts = 0;
    for (size_t i = 0; i < r->pub.n_names; i++)
        if (r->acts[i].op.code == OP_STR)
            r->texts[r->n_texts++] = i;
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
        return e->code;
    standard_slots(r);
    resolve_known(r);
    if (m->match && m->match(&r->pub, e))
        return e->code;
    if (resolve_unknown(r, e))
        return e->code;
    find_texts(r);
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
    csv_count(&r->length, r->pub.line);
}

int csv_put(struct csv_run *r, struct err *e)
{
    enum table_id t = r->map->table;

    return sink_row(r->c->out, t, r->v, schema_tables[t].n_cols, NULL, e);
}

/* Deliver the row that r->pub describes: intern its texts, fill line, rank and extra, put it. */
static int deliver(struct run *r, struct err *e)
{
    struct csv_run *p = &r->pub;
    const struct csvmap *m = p->map;

    for (size_t i = 0; i < r->n_texts && r->texts[i] < p->n_cells; i++) {
        struct val *v = &p->v[r->acts[r->texts[i]].slot];
        if (v->t == VAL_TEXT)
            *v = sink_text(p->c->out, v->s);
    }
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

/* A note about a last line without a line end. */
static void note_ending(struct run *r, enum csv_ending ending)
{
    static const struct {
        enum note_code code;
        const char *text;
    } notes[] = {
        [CSV_OPEN] = { NOTE_NO_LINE_END, "the last line has no line end; kept" },
        [CSV_OPEN_PART] = { NOTE_TORN_FILE, "the last line has no line end; kept without its last cell" },
        [CSV_OPEN_CUT] = { NOTE_TORN_RECORD, "the last line is cut" },
    };

    r->pub.torn |= ending != CSV_OPEN;
    r->pub.c->lost += ending == CSV_OPEN_CUT;
    note(r, notes[ending].code, r->pub.line, 1, notes[ending].text);
}

static int one_row(struct run *r, const struct csv_values *row, struct err *e)
{
    r->pub.v = row->v;
    r->pub.cells = row->cells;
    r->pub.n_cells = row->n_cells;
    r->pub.line = row->line;
    if (row->ending != CSV_ENDED)
        note_ending(r, row->ending);
    else if (row->n_cells != r->pub.n_names)
        watch_length(r);
    if (row->ending == CSV_OPEN_CUT)
        return OK;
    for (size_t i = 0; i < row->n_bad; i++)
        bad_value(r, row->bad[i]);
    return deliver(r, e);
}

static void lost_lines(struct run *r, const struct csv_facts *f, enum csv_status st)
{
    enum note_code code = f->over_limit ? NOTE_LIMIT : st == CSV_CUT ? NOTE_TORN_RECORD : NOTE_BAD_ROW;

    r->pub.c->lost++;
    r->pub.torn |= st == CSV_CUT;
    note(r, code, f->line, 1, f->problem);
}

static int read_rows(struct run *r, struct csvrows *rows, struct err *e)
{
    struct csv_values *row = NULL;
    enum csv_status st;

    for (unsigned k = 1;; k++) {
        if (k % ASK_ROWS == 0 && parse_ask(r->pub.c, csvrows_consumed(rows), e))
            return e->code;
        if (csvrows_next(rows, &st, &row, e))
            return e->code;
        if (st == CSV_END)
            return OK;
        if (st == CSV_ROW ? one_row(r, row, e) : (lost_lines(r, csvrows_facts(rows), st), OK))
            return e->code;
    }
}

/* ---- slices ---- */

/* Notes that stand for many rows. */
static void sum_up(struct run *r, const struct csv_seen *seen, struct infile *in)
{
    if (r->length.n)
        note(r, NOTE_ROW_LENGTH, r->length.line, r->length.n, "rows of another width than the header");
    if (seen->negative.n)
        note(r, NOTE_INCONSISTENT, seen->negative.line, seen->negative.n, "durations below zero, left out");
    if (r->values.line)
        note(r, NOTE_BAD_VALUE, r->values.line, r->values.n - NOTES_ALONE, "further values of this file");
    if (seen->damaged_line)
        note(r, NOTE_ROUNDED, seen->damaged_line, 1, "time stamps with an exponent");
    else if (seen->coarse && !seen->fine)
        note(r, NOTE_ROUNDED, 2, 1, "time stamps with fewer than three digits after the point");
    if (infile_changed(in))
        note(r, NOTE_CHANGED, 0, 1, "the file changed while it was read");
}

/* Read the header of a slice. *go: rows follow. */
static int read_header(struct run *r, const struct csvmap *m, struct csvrows *rows, bool *go, struct err *e)
{
    const struct csv_facts *facts = csvrows_facts(rows);
    const struct str *cells;
    enum csv_status st;
    size_t n;

    *go = false;
    do {
        if (csvrows_header(rows, &st, &cells, &n, e))
            return e->code;
        if (st == CSV_BAD)
            lost_lines(r, facts, st);
    } while (st == CSV_BAD);
    r->pub.line = facts->line;
    if (st == CSV_END)
        return OK;
    if (st == CSV_CUT || facts->unended) {
        r->pub.torn = true;
        note(r, NOTE_TORN_FILE, r->pub.line, 1, "the file ends inside its header");
        return OK;
    }
    *go = true;
    r->pub.cells = cells;
    r->pub.n_cells = n;
    return start_header(r, m, cells, n, e);
}

static struct csv_plan plan_of(const struct run *r)
{
    return (struct csv_plan){ .acts = r->acts,
                              .n_cols = r->pub.n_names,
                              .blank = r->blank,
                              .n_slots = r->pub.n_slots + HIDDEN,
                              .ragged = r->pub.map->ragged,
                              .open_end = r->pub.f->kind->open_end };
}

static void begin_slice(struct run *r)
{
    r->length = r->values = (struct csv_tally){ 0, 0 };
    r->pub.line = 0;
    r->pub.torn = false;
    r->pub.names = NULL;
    r->pub.n_names = 0;
}

static int read_slice(struct run *r, const struct csvmap *m, struct err *e)
{
    struct infile *in = NULL;
    struct csvrows *rows = NULL;
    bool go;

    begin_slice(r);
    if (infile_open(&in, r->pub.f->path, 0, e) || csvrows_open(&rows, in, m->sep, e))
        goto out;
    if (read_header(r, m, rows, &go, e) || !go)
        goto out;
    const struct csv_plan plan = plan_of(r);
    if (csvrows_start(rows, &plan, parse_threaded(r->pub.c, in, THREAD_LEAST_B), e) || read_rows(r, rows, e))
        goto out;
    sum_up(r, csvrows_seen(rows), in);
    if (r->pub.map->end)
        (void)r->pub.map->end(&r->pub, e);
    (void)!parse_ask(r->pub.c, infile_consumed(in), e);
out:
    csvrows_close(rows);
    infile_close(in);
    if (e->code)
        err_where(e, r->pub.f->path, ERR_NO_OFFSET, r->pub.line);
    return e->code;
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
    return e->code;
}

int parse_csv(struct parse_ctx *c, struct err *e)
{
    for (size_t i = 0; i < csvmaps_n; i++)
        if (c->f->kind && str_eq(str_of(csvmaps[i].kind), str_of(c->f->kind->id)))
            return csvmap_parse(&csvmaps[i], c, e);
    return err_set(e, ERR_BUG, "no column map for kind %s", c->f->kind ? c->f->kind->id : "?");
}
