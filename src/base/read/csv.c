/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV tokenizer. A row is scanned from contiguous bytes of the window; when the window ends inside
 * it, more is read and the row scanned again.
 *
 * Damage (doc/reliability.md#bit-flips): quotes count only at the start of a cell, a closing quote must be
 * followed by a separator or a line end, and a quoted cell that never ends costs its first physical
 * line only.
 */
#include "config.h"

#include "base/read/csv.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/swar.h"

/* How far to look after a damaged line for rows, which show what the line is. */
#define LOOK_AHEAD   64 /* lines */
#define LOOK_AHEAD_B ((size_t)64 << 10)
/* A quoted cell that goes on for so long may be one whose quote is damaged: what follows its line tells. */
#define LONG_QUOTE_B ((size_t)1 << 20)
#define FIRST_CELLS  1024

enum scan {
    SCAN_ROW,  /* ended by a line end */
    SCAN_MORE, /* the data ended outside quotes: a row if nothing follows */
    SCAN_OPEN, /* the data ended inside quotes */
    SCAN_WIDE, /* more cells than there is room for */
    SCAN_BAD   /* not a row: c->problem */
};

/* How the input ended, seen from here. */
enum input_end { INPUT_GOES_ON, INPUT_EOF, INPUT_TORN };

struct csv {
    struct infile *f;
    char sep;
    uint64_t sep8; /* sep in every byte */
    enum input_end end;
    bool started, torn_noted, unended;
    uint32_t line, lines; /* first line of the current row; lines it covers */
    uint64_t off;
    const char *problem;
    bool over_limit;    /* the problem is a limit of ours, no damage */
    bool torn_by_limit; /* the input ends at a limit of ours */
    char torn_text[200], limit_text[80];
    size_t expected, previous; /* cells of a usual row (the first one, later two alike in succession),
                                  0: none yet; of the last row */
    /* the row being scanned */
    size_t n, ndoubled;
    bool quoted, multi; /* a cell is quoted; a quoted cell holds a line end */
    bool too_long;      /* a cell may be too long */
    size_t room;        /* of cells and doubled; wide rows make them grow */
    struct str *cells;
    uint16_t *doubled; /* cells in which doubled quotes must be undone */
};
_Static_assert(LIM_CSV_COLUMNS <= UINT16_MAX + 1, "struct csv.doubled");

/* More room for cells, up to the limit. */
static int widen(struct csv *c, struct err *e)
{
    size_t room = c->room ? c->room * 4 : FIRST_CELLS;
    struct str *cells;
    uint16_t *doubled;

    if (room > LIM_CSV_COLUMNS)
        room = LIM_CSV_COLUMNS;
    cells = realloc(c->cells, room * sizeof *cells);
    if (!cells)
        return err_nomem(e);
    c->cells = cells;
    doubled = realloc(c->doubled, room * sizeof *doubled);
    if (!doubled)
        return err_nomem(e);
    c->doubled = doubled;
    c->room = room;
    return OK;
}

int csv_new(struct csv **out, struct infile *f, char sep, struct err *e)
{
    struct csv *c = calloc(1, sizeof *c);

    *out = c;
    if (!c)
        return err_nomem(e);
    c->f = f;
    c->sep = sep;
    c->sep8 = swar_repeat(sep);
    c->line = 1;
    return widen(c, e);
}

void csv_free(struct csv *c)
{
    if (!c)
        return;
    free(c->cells);
    free(c->doubled);
    free(c);
}

/* ---- cells ---- */

static inline bool blank(char ch)
{
    return ch == ' ' || ch == '\t';
}

/* Separators and all control characters up to 0x0F, line ends among them, in eight bytes. */
static inline uint64_t delimiters(const struct csv *c, const char *p)
{
    uint64_t v = swar_load(p);
    return swar_eq(v, c->sep8) | swar_below(v, 0x10);
}

static inline struct str trimmed(const char *from, const char *to)
{
    while (to > from && blank(to[-1]))
        to--;
    while (from < to && blank(*from))
        from++;
    return (struct str){ from, (size_t)(to - from) };
}

/*
 * The closing quote of a cell whose text starts at p; NULL: not in the data. *pairs counts doubled quotes,
 * *multi is set when the text holds a line end.
 */
static const char *closing_quote(const char *p, const char *end, size_t *pairs, bool *multi)
{
    *pairs = 0;
    for (;;) {
        uint64_t v = swar_load(p);
        uint64_t hit = swar_eq1(v, SWAR_LOW * '"') | swar_below1(v, 0x10);
        if (!hit) {
            p += 8;
            continue;
        }
        p += swar_first(hit);
        if (p >= end)
            return NULL;
        if (*p != '"') {
            *multi |= *p == '\n' || *p == '\r';
            p++;
        } else if (p + 1 < end && p[1] == '"') {
            ++*pairs;
            p += 2;
        } else {
            return p;
        }
    }
}

/*
 * The quoted cell whose opening quote is at p. Returns what follows it (separator, line end, or
 * end); NULL with *why SCAN_OPEN or SCAN_BAD. Doubled quotes stay for now: a row that turns out bad
 * is scanned again.
 */
static const char *quoted_cell(struct csv *c, const char *p, const char *end, struct str *cell,
                               enum scan *why)
{
    size_t pairs;
    const char *close = closing_quote(p + 1, end, &pairs, &c->multi);

    c->quoted = true;
    *why = SCAN_OPEN;
    if (!close)
        return NULL;
    *cell = trimmed(p + 1, close);
    if (pairs == 2 && cell->n >= 4 && cell->p[0] == '"' && cell->p[cell->n - 1] == '"')
        *cell = str_sub(*cell, 1, cell->n - 2); /* ""8,4"" as shapes are written: no need to copy */
    else if (pairs)
        c->doubled[c->ndoubled++] = (uint16_t)c->n;
    for (close++; close < end && blank(*close) && *close != c->sep; close++)
        ;
    if (close < end && *close != c->sep && *close != '\n' && *close != '\r') {
        *why = SCAN_BAD;
        c->problem = "text after a closing quote";
        return NULL;
    }
    return close;
}

/*
 * Cells from p on as long as they start with neither quote nor blank. Returns the separator or line end after
 * the last one. The search goes on from word to word whatever the cells' lengths are: the processor need not
 * wait for the end of one cell to find the next.
 */
static const char *plain_cells(struct csv *c, const char *p)
{
    const char sep = c->sep, *word = p;
    struct str *cells = c->cells;
    uint64_t hits = delimiters(c, p);
    size_t n = c->n, room = c->room;

    for (;;) {
        while (!hits) {
            word += 8;
            hits = delimiters(c, word);
        }
        const char *q = word + swar_first(hits);
        hits &= hits - 1;
        if (*q != sep && *q != '\n' && *q != '\r')
            continue; /* TAB and other bytes of the cell */
        const char *to = q;
        while (to > p && blank(to[-1]))
            to--;
        cells[n++] = (struct str){ p, (size_t)(to - p) };
        p = q + 1;
        if (*q != sep || *p == '"' || blank(*p) || n == room) {
            c->n = n;
            return q;
        }
    }
}

/* A cell that starts with a quote or a blank. Returns what follows it; NULL with *why: none. */
static const char *other_cell(struct csv *c, const char *p, const char *end, enum scan *why)
{
    const char *s = p;

    while (blank(*s) && *s != c->sep)
        s++;
    if (*s == '"' && s < end) {
        p = quoted_cell(c, s, end, &c->cells[c->n], why);
    } else {
        for (p = s; *p != c->sep && *p != '\n' && *p != '\r';)
            p++;
        c->cells[c->n] = trimmed(s, p);
    }
    c->n += p != NULL;
    return p;
}

/*
 * Scan one row from p into c->cells; *next: what follows it. end holds a line end (sentinel) unless the data
 * ends with one.
 */
static enum scan scan_row(struct csv *c, const char *p, const char *end, const char **next)
{
    const char *from = p;
    enum scan why;

    c->n = c->ndoubled = 0;
    c->quoted = c->multi = false;
    *next = end;
    for (;; p++) {
        if (c->n == c->room)
            return SCAN_WIDE;
        p = *p == '"' || blank(*p) ? other_cell(c, p, end, &why) : plain_cells(c, p);
        if (!p)
            return why;
        if (p >= end || *p != c->sep)
            break;
    }
    c->too_long = p - from > (ptrdiff_t)LIM_CSV_FIELD_B; /* a cell may be too long */
    if (p >= end || (*p == '\r' && p + 1 == end))
        return SCAN_MORE; /* a line feed may follow */
    *next = p + 1 + (*p == '\r' && p[1] == '\n');
    return SCAN_ROW;
}

/* ---- lines ---- */

/* What follows the line end at or after p, or end. */
static const char *line_after(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r')
        p++;
    if (p == end)
        return end;
    return p + 1 + (*p == '\r' && p + 1 < end && p[1] == '\n');
}

static uint32_t count_lines(const char *p, const char *end)
{
    uint32_t n = 0;

    for (; p < end; n++)
        p = line_after(p, end);
    return n;
}

/*
 * The quoted cell that opens in the line at p hides whole rows: one of the lines after it (up to end) is a
 * row of the usual width by itself. So its opening quote is the damage, not the text in between.
 */
static bool hides_rows(struct csv *c, const char *p, const char *end)
{
    const char *next;
    bool found = false;

    p = line_after(p, end);
    if (c->expected == 0)
        return p < end;
    for (int k = 0; k < LOOK_AHEAD && p < end && !found; k++) {
        const char *after = line_after(p, end);
        found = scan_row(c, p, after, &next) == SCAN_ROW && c->n == c->expected;
        p = after;
    }
    return found;
}

/* ---- input ---- */

static void torn(struct csv *c, struct err *e)
{
    c->end = INPUT_TORN;
    snprintf(c->torn_text, sizeof c->torn_text, "%s", e->text);
    c->torn_by_limit = e->code == ERR_LIMIT;
    err_clear(e);
}

/*
 * Read more after the unread bytes; c->end says when nothing more can come. A torn gzip stream is no error
 * here.
 */
static int fill(struct csv *c, struct err *e)
{
    size_t got;

    if (infile_more(c->f, &got, e) == ERR_FORMAT || e->code == ERR_LIMIT)
        torn(c, e);
    else if (!e->code && got == 0 && !infile_full(c->f))
        c->end = infile_eof(c->f) ? INPUT_EOF : INPUT_TORN;
    return e->code;
}

/* Have at least need unread bytes if the input has them. */
static int want(struct csv *c, size_t need, char **data, size_t *n, struct err *e)
{
    int rc = OK;

    while (*data = infile_data(c->f, n),
           rc == OK && *n < need && c->end == INPUT_GOES_ON && !infile_full(c->f))
        rc = fill(c, e);
    return rc;
}

/* Skip past the next line end, however far it is. */
static int skip_line(struct csv *c, struct err *e)
{
    char *p;
    size_t n;

    for (;;) {
        if (want(c, 2, &p, &n, e) != OK || n == 0)
            return e->code;
        const char *after = line_after(p, p + n);
        bool cr_last = after == p + n && after[-1] == '\r' && n > 1;
        infile_take(c->f, (size_t)(after - p) - cr_last); /* a line feed may follow: look again */
        if (!cr_last && (after[-1] == '\n' || after[-1] == '\r'))
            return OK;
    }
}

/* ---- rows ---- */

static int bad_line(struct csv *c, const char *problem, enum csv_status *st, struct err *e)
{
    c->problem = problem;
    c->lines = 1;
    *st = CSV_BAD;
    return skip_line(c, e);
}

/* The line p .. end looks like the start of a row: of the usual width, or with a quoted cell that goes on. */
static bool starts_row(struct csv *c, const char *p, const char *end)
{
    const char *next;
    enum scan how = scan_row(c, p, end, &next);

    return how == SCAN_OPEN || ((how == SCAN_ROW || how == SCAN_MORE) && c->n == c->expected);
}

/*
 * A row with a damaged quote. What follows its first line may be the rest of the damaged cell: skip up to the
 * next row, but only the one line when there is none nearby.
 */
static int bad_quote(struct csv *c, const char *problem, enum csv_status *st, struct err *e)
{
    char *data;
    size_t n;

    if (want(c, LOOK_AHEAD_B, &data, &n, e) != OK)
        return e->code;
    data[n] = '\n';
    const char *end = data + n, *line = line_after(data, end);
    for (uint32_t k = 1; k <= LOOK_AHEAD && line < end; k++) {
        const char *after = line_after(line, end);
        if (starts_row(c, line, after)) {
            c->problem = problem;
            c->lines = k;
            *st = CSV_BAD;
            infile_take(c->f, (size_t)(line - data));
            return OK;
        }
        line = after;
    }
    return bad_line(c, problem, st, e);
}

/* The rest of the input is no whole row. */
static int cut(struct csv *c, const char *problem, enum csv_status *st, struct err *e)
{
    size_t n;
    const char *p = infile_data(c->f, &n);

    c->lines = count_lines(p, p + n);
    infile_take(c->f, n);
    c->problem = problem;
    *st = CSV_CUT;
    if (c->end != INPUT_TORN)
        return OK;
    c->torn_noted = true;
    if (!c->torn_text[0] && fill(c, e) != OK) /* the reason comes once everything is consumed */
        return e->code;
    c->problem = c->torn_text;
    c->over_limit = c->torn_by_limit;
    return OK;
}

/* Undo the doubled quotes, in place: these bytes are consumed. */
static void undo_doubled(struct csv *c, char *data)
{
    for (size_t k = 0; k < c->ndoubled; k++) {
        struct str *cell = &c->cells[c->doubled[k]];
        char *base = data + (cell->p - data);
        size_t to = 0;
        for (size_t from = 0; from < cell->n; from++) {
            base[to++] = base[from];
            from += base[from] == '"';
        }
        cell->n = to;
    }
}

/*
 * A row over several lines, of an unusual width, that hides whole rows: this is damage, too. The row is
 * scanned again after the look at what follows it.
 */
static bool swallowed(struct csv *c, const char *data, const char *end, const char **next)
{
    if (!c->multi || c->expected < 2 || c->n == c->expected)
        return false;
    if (hides_rows(c, data, *next))
        return true;
    (void)scan_row(c, data, end, next);
    return false;
}

/* ---- rows above a limit ---- */

/* "70 MiB"; in bytes where that would not tell it from the limit. */
static void put_size(char *out, size_t room, uint64_t b, uint64_t limit)
{
    uint64_t mib = (b + (1u << 19)) >> 20;

    if (mib > limit >> 20)
        snprintf(out, room, "%llu MiB", (unsigned long long)mib);
    else
        snprintf(out, room, "%llu bytes", (unsigned long long)b);
}

/* What is above its limit of a row with these sizes; NULL: nothing is. */
static const char *over_limit(struct csv *c, uint64_t n_cells, uint64_t cell_b, uint64_t line_b)
{
    char size[40];

    c->over_limit = true;
    if (n_cells > LIM_CSV_COLUMNS) {
        snprintf(c->limit_text, sizeof c->limit_text, "a row of %llu columns, limit %d",
                 (unsigned long long)n_cells, LIM_CSV_COLUMNS);
    } else if (cell_b > LIM_CSV_FIELD_B) {
        put_size(size, sizeof size, cell_b, LIM_CSV_FIELD_B);
        snprintf(c->limit_text, sizeof c->limit_text, "a cell of %s, limit %zu MiB", size,
                 LIM_CSV_FIELD_B >> 20);
    } else if (line_b > LIM_LINE_B) {
        put_size(size, sizeof size, line_b, LIM_LINE_B);
        snprintf(c->limit_text, sizeof c->limit_text, "a line of %s, limit %zu MiB", size, LIM_LINE_B >> 20);
    } else {
        c->over_limit = false;
        return NULL;
    }
    return c->limit_text;
}

static const char *scanned_over_limit(struct csv *c, const char *data, const char *next)
{
    size_t most = 0;

    while (next > data && (next[-1] == '\n' || next[-1] == '\r'))
        next--;
    for (size_t i = 0; c->too_long && i < c->n; i++)
        if (c->cells[i].n > most)
            most = c->cells[i].n;
    return over_limit(c, c->n, most, (uint64_t)(next - data));
}

/* Sizes of a row that the window does not hold, counted byte by byte. */
struct measure {
    uint64_t cells, most_b, cell_b, row_b;
    uint32_t lines;
    bool quoted, quote_seen, cr; /* inside quotes; the last byte was a quote there, a CR */
};

/* Count the bytes up to end. Returns what follows the row's line end; NULL: it goes on. */
static const char *measure_row(struct measure *m, char sep, const char *p, const char *end)
{
    for (; p < end; p++) {
        bool line_end = *p == '\n' || *p == '\r';
        if (m->quote_seen && *p != '"')
            m->quoted = false; /* it closed the cell */
        if (m->cr && !m->quoted && *p != '\n')
            return p;
        m->lines += line_end && !(m->cr && *p == '\n');
        m->cr = *p == '\r';
        if (line_end && !m->quoted) {
            if (*p == '\n')
                return p + 1;
            continue;
        }
        m->row_b++;
        m->quote_seen = m->quoted && *p == '"' && !m->quote_seen;
        if (*p == sep && !m->quoted) {
            m->cells++;
            m->cell_b = 0;
            continue;
        }
        m->quoted |= *p == '"' && m->cell_b == 0;
        m->cell_b += !blank(*p) || m->cell_b; /* a quote counts after blanks, too */
        if (m->cell_b > m->most_b)
            m->most_b = m->cell_b;
    }
    return NULL;
}

/* Skip the row that begins here and is above a limit, however long it is, and say by how much. */
static int skip_row(struct csv *c, enum csv_status *st, struct err *e)
{
    struct measure m = { .cells = 1 };
    const char *after = NULL;
    char *p;
    size_t n;

    while (!after) {
        if (want(c, 1, &p, &n, e) != OK)
            return e->code;
        if (n == 0)
            break;
        after = measure_row(&m, c->sep, p, p + n);
        infile_take(c->f, after ? (size_t)(after - p) : n);
    }
    bool open = !after && m.quoted && !m.quote_seen;
    *st = open ? CSV_CUT : CSV_BAD;
    c->lines = m.lines ? m.lines : 1;
    c->problem = open ? "the file ends inside a quoted cell" : over_limit(c, m.cells, m.most_b, m.row_b);
    if (!c->problem) /* cells are told apart in another way there */
        c->problem = "text after a closing quote";
    return OK;
}

/* A scanned row from data up to next (the data goes on to end): check it and consume it. */
static int accept_row(struct csv *c, char *data, const char *end, const char *next, enum csv_status *st,
                      struct err *e)
{
    if (swallowed(c, data, end, &next))
        return bad_quote(c, "quoted cell spans whole rows", st, e);
    c->lines = c->multi ? count_lines(data, next) : 1;
    undo_doubled(c, data);
    c->problem = c->too_long ? scanned_over_limit(c, data, next) : NULL;
    c->unended = next[-1] != '\n' && next[-1] != '\r';
    infile_take(c->f, (size_t)(next - data));
    *st = c->problem ? CSV_BAD : CSV_ROW;
    if (c->problem)
        return OK;
    /* upwards only: the lines of a damaged cell are narrow, and there may be many */
    if (c->expected == 0 || (c->n == c->previous && c->n > c->expected))
        c->expected = c->n;
    c->previous = c->n;
    return OK;
}

/* A row whose end the data does not hold: damage, one above a limit, the last row, or a cut one. */
static int accept_last(struct csv *c, enum scan how, const char *data, const char *end, enum csv_status *st,
                       struct err *e)
{
    bool open = how == SCAN_OPEN;

    if (open && hides_rows(c, data, end))
        return bad_quote(c, "quoted cell does not end", st, e);
    if (c->end == INPUT_GOES_ON)
        return skip_row(c, st, e);
    return cut(c, "the file ends inside a quoted cell", st, e);
}

static int skip_bom(struct csv *c, struct err *e)
{
    char *p;
    size_t n;

    c->started = true;
    if (want(c, 3, &p, &n, e) != OK)
        return e->code;
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        infile_take(c->f, 3);
    return OK;
}

/* More bytes after have, which hold no whole row. *full: there are none, or they are as many as may be. */
static int more_of_row(struct csv *c, size_t have, bool *full, struct err *e)
{
    char *data;
    size_t n;

    *full = c->end != INPUT_GOES_ON || have > LIM_LINE_B + 2;
    if (*full)
        return OK;
    if (infile_full(c->f))
        infile_widen(c->f, LIM_LINE_B + LOOK_AHEAD_B);
    return want(c, have < LONG_QUOTE_B ? have + 1 : have + have / 2, &data, &n, e);
}

/* Have the next row in the window, as far as it goes, and scan it. *have 0: there is none. */
static int find_row(struct csv *c, enum scan *how, char **data, size_t *have, const char **next,
                    struct err *e)
{
    bool full = false, looked = false;

    *how = SCAN_MORE;
    if (want(c, 1, data, have, e) != OK)
        return e->code;
    while (*have && !full) {
        (*data)[*have] = '\n';
        *how = scan_row(c, *data, *data + *have, next);
        if (*how == SCAN_WIDE && c->room < LIM_CSV_COLUMNS) {
            if (widen(c, e))
                return e->code;
            continue;
        }
        if (*how == SCAN_ROW || *how == SCAN_BAD || *how == SCAN_WIDE)
            return OK;
        if (*how == SCAN_OPEN && *have > LONG_QUOTE_B && !looked) {
            looked = true;
            if (hides_rows(c, *data, *data + *have))
                return OK;
        }
        if (more_of_row(c, *have, &full, e))
            return e->code;
        *data = infile_data(c->f, have);
    }
    return OK;
}

/* Read the next row or empty line. *empty: it was an empty line. */
static int read_row(struct csv *c, enum csv_status *st, bool *empty, struct err *e)
{
    const char *next;
    char *data;
    size_t have;
    enum scan how;

    *empty = false;
    c->off = infile_offset(c->f);
    if (find_row(c, &how, &data, &have, &next, e) != OK)
        return e->code;
    if (have == 0) {
        *st = CSV_END;
        return c->end == INPUT_TORN && !c->torn_noted ? cut(c, c->torn_text, st, e) : OK;
    }
    if (how == SCAN_WIDE)
        return skip_row(c, st, e);
    if (how == SCAN_BAD) /* only a quoted cell is damaged so that the scan sees it */
        return bad_quote(c, c->problem, st, e);
    if (how == SCAN_OPEN || (how == SCAN_MORE && c->end != INPUT_EOF))
        return accept_last(c, how, data, data + have, st, e);
    *empty = c->n == 1 && c->cells[0].n == 0 && !c->quoted;
    if (*empty) {
        c->lines = 1;
        infile_take(c->f, (size_t)(next - data));
        return OK;
    }
    return accept_row(c, data, data + have, next, st, e);
}

int csv_row(struct csv *c, enum csv_status *st, const struct str **cells, size_t *n, struct err *e)
{
    bool empty;

    *st = CSV_END;
    *n = 0;
    c->unended = false;
    if (!c->started && skip_bom(c, e) != OK)
        return e->code;
    do {
        c->line += c->lines;
        c->lines = 0;
        c->problem = NULL;
        c->over_limit = false;
        if (read_row(c, st, &empty, e) != OK)
            return e->code;
    } while (empty);
    *cells = c->cells;
    if (*st == CSV_ROW)
        *n = c->n;
    return OK;
}

uint32_t csv_line(const struct csv *c)
{
    return c->line;
}

uint64_t csv_offset(const struct csv *c)
{
    return c->off;
}

uint32_t csv_lines_lost(const struct csv *c)
{
    return c->lines;
}

bool csv_unended(const struct csv *c)
{
    return c->unended;
}

const char *csv_problem(const struct csv *c)
{
    return c->problem ? c->problem : "";
}

bool csv_over_limit(const struct csv *c)
{
    return c->over_limit;
}

bool csv_is_null(struct str cell)
{
    switch (cell.n) {
    case 0:
        return true;
    case 1:
        return cell.p[0] == '-';
    case 2:
        return memcmp(cell.p, "NA", 2) == 0;
    case 3:
        return memcmp(cell.p, "N/A", 3) == 0;
    case 4:
        return memcmp(cell.p, "None", 4) == 0;
    default:
        return false;
    }
}
