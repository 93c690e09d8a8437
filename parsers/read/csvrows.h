/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a CSV file with their values: tokenizer and conversions, for a large file in a thread of their own
 * while the caller works on the rows before. What the caller sees is the same with and without the thread.
 *
 * Nothing here knows the sink: a text to be interned stays text, a value that does not fit is reported with
 * its row, and the counts over a file are asked for at its end. A struct csvrows belongs to one thread, and
 * so does its infile until csvrows_close().
 */
#ifndef NPUSCOPE_PARSERS_READ_CSVROWS_H
#define NPUSCOPE_PARSERS_READ_CSVROWS_H

#include "base/read/csv.h"
#include "parsers/read/csvconv.h"

/* How a column is converted. */
struct csv_action {
    struct csv_op op;
    enum csv_conv conv;
    bool duration; /* below zero means damage */
    size_t slot;
};

/* How the cells of a row become values. Borrowed until csvrows_close(). */
struct csv_plan {
    const struct csv_action *acts; /* by column */
    size_t n_cols;
    const struct val *blank; /* a row before its cells: constants and NULLs */
    size_t n_slots;
    bool ragged;   /* rows of any width are in order */
    bool open_end; /* writers of the kind leave out the last line end */
};

/*
 * A last line without a line end: when cells are missing it is a cut record; when all are there, only the
 * last one may be cut.
 */
enum csv_ending {
    CSV_ENDED,
    CSV_OPEN,      /* kept whole: writers of the kind end files so */
    CSV_OPEN_PART, /* without its last cell: "right or absent" */
    CSV_OPEN_CUT   /* no row; it has no values */
};

struct csv_values {
    struct val *v;           /* by slot; the caller may change them */
    const struct str *cells; /* as they are in the file */
    size_t n_cells;
    uint32_t line;
    enum csv_ending ending;
    const uint16_t *bad; /* columns whose cell could not be converted */
    size_t n_bad;
};

/* Counted over a file, noted once at its end. */
struct csv_tally {
    uint64_t n;
    uint32_t line;
};
static inline void csv_count(struct csv_tally *t, uint32_t line)
{
    if (t->n++ == 0)
        t->line = line;
}
struct csv_seen {
    struct csv_tally negative; /* durations below zero: left out */
    uint64_t fine, coarse;     /* instants in us with three digits and more, with less */
    uint32_t damaged_line;     /* first instant with an exponent */
};

/* About the row read last when it was none, and about a header. */
struct csv_facts {
    uint32_t line;
    bool unended;
    bool over_limit; /* the problem is a limit of ours, no damage */
    char problem[200];
};

struct csvrows;

/* sep: as in struct csvmap. Does not own in. */
NODISCARD int csvrows_open(struct csvrows **out, struct infile *in, char sep, struct err *e);
void csvrows_close(struct csvrows *r); /* NULL is allowed */
/* Before csvrows_start(): the next row as it is in the file, borrowed until the next call. */
NODISCARD int csvrows_header(struct csvrows *r, enum csv_status *st, const struct str **cells, size_t *n,
                             struct err *e);
/* thread: with one, if the system gives it. */
NODISCARD int csvrows_start(struct csvrows *r, const struct csv_plan *p, bool thread, struct err *e);
/*
 * The next row: CSV_ROW with *row, borrowed until the next call; else as csv_row(). Returns an error only for
 * I/O and memory.
 */
NODISCARD int csvrows_next(struct csvrows *r, enum csv_status *st, struct csv_values **row, struct err *e);
const struct csv_facts *csvrows_facts(const struct csvrows *r);
/* Bytes on disk read for the rows so far, about: progress. */
uint64_t csvrows_consumed(const struct csvrows *r);
/* After CSV_END. */
const struct csv_seen *csvrows_seen(const struct csvrows *r);

#endif
