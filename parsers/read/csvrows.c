/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a CSV file with their values. */
#include "config.h"

#include "parsers/read/csvrows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/relay.h"
#include "parsers/read/opwords.h"

#define BATCH_B   ((size_t)256 << 10) /* of values and cells: a few batches stay in the cache */
#define BATCH_MAX 256                 /* rows */
#define BATCHES   4
#define WINDOWS   4
#define NO_SEP    '\001' /* a line is one cell */

/* Outcome of a call of the reader. */
struct outcome {
    enum csv_status st; /* CSV_ROW: with a row */
    struct csv_facts facts;
    struct err e;
};

/* Rows, then the outcome after them. */
struct batch {
    struct csv_values *rows;
    struct val *v;
    struct str *cells;
    uint16_t *bad;
    size_t room_cells;
    size_t n, n_cells, n_bad; /* used */
    uint64_t consumed;
    struct outcome behind; /* CSV_ROW: the next batch */
};

struct csvrows {
    struct infile *in;
    struct csv *csv;
    struct csv_plan plan;
    struct str *pieces; /* cells of a line of blank-separated text; NULL: it is no such text */
    struct batch batch[BATCHES];
    size_t room;         /* rows of a batch */
    struct relay *relay; /* NULL: no thread; batch[0] holds one row then */
    /* of the caller */
    struct batch *taken; /* the one it works on; NULL: none yet */
    size_t at;           /* its next row */
    struct csv_facts facts;
    /* of the thread, where there is one */
    struct batch *filling; /* NULL: it was given */
    uint64_t move;         /* of the window that holds the texts of filling */
    uint32_t line;
    struct csv_seen seen;
};

/* ---- rows as they are in the file ---- */

/* A line of blank-separated text: its pieces. A line of dashes under a header is no row. */
static bool split_blanks(struct csvrows *r, const struct str **cells, size_t *n_cells)
{
    struct str line = *n_cells ? **cells : STR_NULL;
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
    *cells = r->pieces;
    *n_cells = n;
    return ruled > 0;
}

static int next_cells(struct csvrows *r, enum csv_status *st, const struct str **cells, size_t *n,
                      struct err *e)
{
    do {
        if (csv_row(r->csv, st, cells, n, e))
            return e->code;
    } while (*st == CSV_ROW && r->pieces && !split_blanks(r, cells, n));
    return OK;
}

static void note_facts(const struct csvrows *r, struct csv_facts *f)
{
    f->line = csv_line(r->csv);
    f->unended = csv_unended(r->csv);
    f->over_limit = csv_over_limit(r->csv);
    snprintf(f->problem, sizeof f->problem, "%s", csv_problem(r->csv));
}

int csvrows_header(struct csvrows *r, enum csv_status *st, const struct str **cells, size_t *n, struct err *e)
{
    if (next_cells(r, st, cells, n, e))
        return e->code;
    note_facts(r, &r->facts);
    return OK;
}

/* ---- values ---- */

/*
 * Digits of an instant in us: fewer than three after the point mean a rounded source, an exponent means a
 * damaged one.
 */
static void watch_digits(struct csvrows *r, struct str cell)
{
    if (cell.n > 4 && cell.p[cell.n - 4] == '.') {
        r->seen.fine++;
        return;
    }
    size_t point = str_chr(cell, '.');
    bool exponent = str_chr(cell, 'E') != SIZE_MAX || str_chr(cell, 'e') != SIZE_MAX;
    if (exponent && !r->seen.damaged_line)
        r->seen.damaged_line = r->line;
    if (!exponent && point != SIZE_MAX && cell.n - point > 3)
        r->seen.fine++;
    else if (!exponent)
        r->seen.coarse++;
}

/*
 * A duration below zero: something ends before it starts. It is kept out of sums
 * (doc/reliability.md#inconsistent-data).
 */
static void leave_out(struct csvrows *r, struct val *out)
{
    *out = val_null();
    csv_count(&r->seen.negative, r->line);
}

static void convert(struct csvrows *r, struct batch *b, struct csv_values *row)
{
    const struct csv_action *acts = r->plan.acts;
    size_t n = row->n_cells < r->plan.n_cols ? row->n_cells : r->plan.n_cols;

    for (size_t i = 0; i < n; i++) {
        const struct csv_action *a = &acts[i];
        struct str cell = row->cells[i];
        struct val *out = &row->v[a->slot];
        bool digit = cell.n && cell.p[0] >= '0' && cell.p[0] <= '9'; /* most cells: not null */
        if (a->op.code <= OP_EXTRA ||
            (!digit && cell.n <= 4 && csv_is_null(cell) && (a->op.code != OP_RAW || cell.n == 0)))
            continue;
        switch (a->op.code) {
        case OP_CELL:
        case OP_RAW:
        case OP_STR:
            val_put_text(out, cell);
            break;
        case OP_SHAPES:
            val_put_text(out, op_shapes(cell));
            break;
        case OP_CORE:
            val_put_text(out, op_core(cell));
            break;
        case OP_TS:
            if (a->conv == CV_TS_US)
                watch_digits(r, cell);
            __attribute__((fallthrough));
        default:
            if (!csv_apply(&a->op, cell, out))
                b->bad[b->n_bad++] = (uint16_t)i;
            else if (a->duration && out->i < 0)
                leave_out(r, out);
        }
    }
}

static enum csv_ending ending(const struct csvrows *r, size_t n_cells)
{
    const struct csv_plan *p = &r->plan;
    bool short_row = n_cells < p->n_cols && !p->ragged;

    if (!csv_unended(r->csv) || (n_cells > p->n_cols && !p->ragged))
        return CSV_ENDED;
    if (!short_row && p->open_end)
        return CSV_OPEN;
    return short_row ? CSV_OPEN_CUT : CSV_OPEN_PART;
}

static bool has_room(const struct csvrows *r, const struct batch *b, size_t n_cells)
{
    return b->n == 0 || (b->n < r->room && n_cells <= b->room_cells - b->n_cells);
}

/* A batch without rows has room for one of any width. */
static bool widen(struct batch *b, size_t n_cells)
{
    if (b->n || n_cells <= b->room_cells)
        return true;
    struct str *cells = realloc(b->cells, n_cells * sizeof *cells);
    if (!cells)
        return false;
    b->cells = cells;
    b->room_cells = n_cells;
    return true;
}

/* Put the row read last after those of a batch that has room for it. */
static void put_row(struct csvrows *r, struct batch *b, const struct str *cells, size_t n)
{
    struct csv_values *row = &b->rows[b->n];

    r->line = csv_line(r->csv);
    *row = (struct csv_values){ .v = b->v + b->n * r->plan.n_slots,
                                .cells = cells,
                                .n_cells = n,
                                .line = r->line,
                                .ending = ending(r, n),
                                .bad = b->bad + b->n_bad };
    if (r->relay) { /* the reader's own are gone with the next row */
        row->cells = memcpy(b->cells + b->n_cells, cells, n * sizeof *cells);
        b->n_cells += n;
    }
    row->n_cells -= row->ending == CSV_OPEN_PART;
    memcpy(row->v, r->plan.blank, r->plan.n_slots * sizeof *row->v);
    if (row->ending != CSV_OPEN_CUT)
        convert(r, b, row);
    row->n_bad = (size_t)(b->bad + b->n_bad - row->bad);
    b->n++;
}

static void clear(struct batch *b)
{
    b->n = b->n_cells = b->n_bad = 0;
    b->behind.st = CSV_ROW;
    b->behind.e = (struct err)ERR_INIT;
}

static bool is_end(const struct outcome *o)
{
    return o->e.code || o->st == CSV_END;
}

/* ---- the thread ---- */

/* The next batch to fill; NULL: the caller wants no more. */
static struct batch *take(struct csvrows *r)
{
    r->filling = relay_take(r->relay);
    r->move = infile_moves(r->in);
    if (r->filling)
        clear(r->filling);
    return r->filling;
}

/* The batch that is being filled goes to the caller. */
static void give(struct csvrows *r)
{
    r->filling->consumed = infile_consumed(r->in);
    r->filling = NULL;
    relay_give(r->relay, r->move);
}

/* Before the reader moves on to the next window: the caller has to be done with what it held. */
static void on_move(void *arg, uint64_t move)
{
    struct csvrows *r = arg;

    if (!r->relay)
        return;
    if (r->filling && r->filling->n)
        give(r);
    if (move >= WINDOWS)
        relay_wait(r->relay, move - WINDOWS);
}

static void read_ahead(void *arg)
{
    struct csvrows *r = arg;
    struct outcome o = { .e = ERR_INIT };
    const struct str *cells;
    size_t n;

    do {
        bool is_row = next_cells(r, &o.st, &cells, &n, &o.e) == OK && o.st == CSV_ROW;
        if (is_row && r->filling && !has_room(r, r->filling, n))
            give(r);
        if (!r->filling && !take(r))
            return;
        if (is_row && !widen(r->filling, n)) {
            err_nomem(&o.e);
            is_row = false;
        }
        if (is_row) {
            if (r->filling->n == 0)
                r->move = infile_moves(r->in);
            put_row(r, r->filling, cells, n);
            continue;
        }
        note_facts(r, &o.facts);
        r->filling->behind = o;
        give(r);
    } while (!is_end(&o));
}

/* Without a thread everything goes on in the caller's. */
static int start_thread(struct csvrows *r, struct err *e)
{
    if (infile_rotate(r->in, WINDOWS, on_move, r, e) ||
        relay_new(&r->relay, r->batch, BATCHES, sizeof *r->batch, e))
        return e->code;
    if (relay_start(r->relay, read_ahead, r))
        return OK;
    relay_free(r->relay);
    r->relay = NULL;
    return OK;
}

/* ---- the caller ---- */

int csvrows_open(struct csvrows **out, struct infile *in, char sep, struct err *e)
{
    struct csvrows *r = calloc(1, sizeof *r);

    *out = r;
    if (!r)
        return err_nomem(e);
    r->in = in;
    if (sep == ' ') {
        r->pieces = calloc(LIM_CSV_COLUMNS, sizeof *r->pieces);
        if (!r->pieces)
            return err_nomem(e);
    }
    return csv_new(&r->csv, in, sep == ' ' ? NO_SEP : sep ? sep : ',', e);
}

void csvrows_close(struct csvrows *r)
{
    if (!r)
        return;
    relay_free(r->relay);
    for (size_t i = 0; i < BATCHES; i++) {
        free(r->batch[i].rows);
        free(r->batch[i].v);
        free(r->batch[i].cells);
        free(r->batch[i].bad);
    }
    csv_free(r->csv);
    free(r->pieces);
    free(r);
}

static bool make_batch(const struct csvrows *r, struct batch *b)
{
    size_t values;

    if (!size_mul(r->room, r->plan.n_slots, &values))
        return false;
    b->rows = calloc(r->room, sizeof *b->rows);
    b->v = calloc(values, sizeof *b->v);
    b->room_cells = r->room * (r->plan.n_cols + 1);
    b->cells = calloc(b->room_cells, sizeof *b->cells);
    b->bad = calloc(r->room * (r->plan.n_cols + 1), sizeof *b->bad);
    return b->rows && b->v && b->cells && b->bad;
}

int csvrows_start(struct csvrows *r, const struct csv_plan *p, bool thread, struct err *e)
{
    size_t row_b = p->n_slots * sizeof(struct val) + p->n_cols * sizeof(struct str);

    r->plan = *p;
    r->room = thread && row_b < BATCH_B ? BATCH_B / row_b : 1;
    if (r->room > BATCH_MAX)
        r->room = BATCH_MAX;
    for (size_t i = 0; i < (thread ? BATCHES : 1); i++)
        if (!make_batch(r, &r->batch[i]))
            return err_nomem(e);
    return thread ? start_thread(r, e) : OK;
}

/* Without a thread: the next row into the one batch. */
static struct batch *read_one(struct csvrows *r)
{
    struct batch *b = r->batch;
    const struct str *cells;
    struct outcome *o = &b->behind;
    size_t n;

    clear(b);
    if (next_cells(r, &o->st, &cells, &n, &o->e) == OK && o->st == CSV_ROW)
        put_row(r, b, cells, n);
    else
        note_facts(r, &o->facts);
    return b;
}

int csvrows_next(struct csvrows *r, enum csv_status *st, struct csv_values **row, struct err *e)
{
    for (;;) {
        struct batch *b = r->taken;
        if (b && r->at < b->n) {
            *st = CSV_ROW;
            *row = &b->rows[r->at++];
            return OK;
        }
        if (b && (b->behind.st != CSV_ROW || b->behind.e.code)) {
            r->facts = b->behind.facts;
            *st = b->behind.st;
            *e = b->behind.e;
            if (!is_end(&b->behind))
                b->behind.st = CSV_ROW; /* reported */
            return e->code;
        }
        r->taken = r->relay ? relay_next(r->relay) : read_one(r);
        r->at = 0;
    }
}

const struct csv_facts *csvrows_facts(const struct csvrows *r)
{
    return &r->facts;
}

uint64_t csvrows_consumed(const struct csvrows *r)
{
    return !r->relay ? infile_consumed(r->in) : r->taken ? r->taken->consumed : 0;
}

const struct csv_seen *csvrows_seen(const struct csvrows *r)
{
    return &r->seen;
}
