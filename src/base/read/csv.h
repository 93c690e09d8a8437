/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV tokenizer over an infile (doc/formats/analysed.md#csv-rules): RFC 4180 quoting with line breaks inside
 * quoted cells, LF, CRLF and lone CR in one file, a UTF-8 BOM, TAB and blanks at both ends of a cell trimmed
 * (also inside the quotes).
 *
 * Column meaning is the parser's business. Cells point into the window (doubled quotes are undone there) and
 * are valid until the next csv_row.
 */
#ifndef NPUSCOPE_CSV_H
#define NPUSCOPE_CSV_H

#include "base/read/infile.h"

struct csv;

enum csv_status {
    CSV_ROW, /* a row was read */
    CSV_END, /* no more rows */
    CSV_BAD, /* this row was skipped: csv_problem() says why; reading goes on with the next line */
    /*
     * the file ends inside the last row (no line end and inside quotes, or torn gzip): skipped; then CSV_END
     */
    CSV_CUT
};

/* sep: ',' usually. Does not own f. */
NODISCARD int csv_new(struct csv **out, struct infile *f, char sep, struct err *e);
void csv_free(struct csv *c);
/*
 * Read one row. *cells / *n: trimmed cells, borrowed until the next call. An empty line is skipped and
 * counted as a line. A last line without a line end is a row if its quotes are balanced. Returns an error
 * only for I/O and memory.
 */
NODISCARD int csv_row(struct csv *c, enum csv_status *st, const struct str **cells, size_t *n, struct err *e);
uint32_t csv_line(const struct csv *c);       /* 1-based line where the current row starts */
uint64_t csv_offset(const struct csv *c);     /* its byte offset */
uint32_t csv_lines_lost(const struct csv *c); /* lines the current CSV_BAD / CSV_CUT covers */
bool csv_unended(
    const struct csv *c); /* the current row is the file's last and has no line end: perhaps cut */
/* "quoted cell does not end", "a cell of 70 MiB, limit 16 MiB", ... for CSV_BAD, CSV_CUT */
const char *csv_problem(const struct csv *c);
bool csv_over_limit(const struct csv *c); /* the problem is a limit of ours (base/limits.h), no damage */

/* N/A, NA, empty, "-", None: the cell means NULL (doc/formats/analysed.md#csv-rules). */
bool csv_is_null(struct str cell);

#endif
