/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a text file, and the numbers in them: what the parsers of the plain-text kinds share.
 *
 * A line ends with LF, CRLF or a lone CR; a last line without an end counts. Lines above LIM_LINE_B are
 * skipped with a note. Words point into the window of the infile and are valid until the next call. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_LINES_H
#define NPUSCOPE_PARSERS_READ_LINES_H

#include "base/read/infile.h"
#include "parsers/registry.h"

struct lines {
    struct parse_ctx *c;
    struct infile *in;
    char also;    /* set by the caller: ends a piece as a line end does; 0 none */
    char end;     /* what ended the current piece: '\n', '\r', also; 0 the end of the file */
    uint32_t n;   /* number of the current line, from 1 */
    uint64_t off; /* its offset */
    bool ended;   /* it had a line end: false only for the last one */
    size_t taken; /* bytes to consume before the next */
    bool after_cr;
    bool noted;     /* damage of the current line was noted */
    bool bad;       /* a value of the current line could not be read */
    bool quiet;     /* not the file of c: no notes, no progress */
    uint64_t asked; /* offset of the last question whether to go on */
};

/* Open the file of c (first slice). lines_close() is allowed after a failure. Errors: as infile_open. */
NODISCARD int lines_open(struct lines *l, struct parse_ctx *c, struct err *e);
/* The same for a file beside it, without notes. */
NODISCARD int lines_open_other(struct lines *l, struct parse_ctx *c, const char *path, struct err *e);
void lines_close(struct lines *l);
/* What a note says of a line of so many bytes, which is above LIM_LINE_B. */
void lines_too_long(char *out, size_t room, uint64_t line_b);
/*
 * The next line without its end; false at the end of the file or on error (e->code is set). A damaged gzip
 * stream ends the file with a note; zeros before a line are left out with one.
 */
bool lines_next(struct lines *l, struct str *line, struct err *e);
/* Cut the line at sep into at most max pieces, trimmed; the last one keeps the rest. Returns their number. */
size_t lines_split(struct str line, char sep, struct str *piece, size_t max);
/* Cut at runs of blanks and TABs. Returns the number of words, at most max (further ones are left out). */
size_t lines_words(struct str line, struct str *word, size_t max);
/*
 * Cut the last n cells off line at sep (' ': runs of them); tail in the line's order, head is what stands
 * before.
 */
bool lines_tail(struct str line, char sep, size_t n, struct str *head, struct str *tail);
/* A note about the current line: the line is left out when lost is true. */
void lines_note(struct lines *l, enum note_code code, bool lost, const char *text);
/*
 * The current line is no row of this file: left out with a note (TORN_RECORD for a last line without an end).
 */
void lines_bad(struct lines *l, const char *text);
/* A value of the current line could not be read and is missing. */
void lines_bad_value(struct lines *l);
/*
 * After the last line: a note when it was taken although it has no end (a cut number looks like a whole one).
 * That is damage unless writers of the kind end files so (open_end) and every value could be read. Then
 * close.
 */
void lines_done(struct lines *l);

/*
 * Now and then while reading: report how far it came (bytes of the current slice) and ask whether to go on.
 * ERR_CANCELLED: stop.
 */
NODISCARD int parse_ask(struct parse_ctx *c, uint64_t done_b, struct err *e);
/*
 * A second thread is to read `in` ahead: as the caller of the parser wants, else for least_b bytes and more
 * where there are two processors.
 */
bool parse_threaded(const struct parse_ctx *c, const struct infile *in, uint64_t least_b);
/* One row, counted. */
NODISCARD int parse_row(struct parse_ctx *c, enum table_id t, const struct val *v, size_t n, struct err *e);
/* A row of `setting` or `doc`. */
NODISCARD int parse_setting(struct parse_ctx *c, const char *key, struct str value, struct err *e);
NODISCARD int parse_doc(struct parse_ctx *c, struct str key, struct str value, struct err *e);
/* Op that is known by its name alone. 0: e is set. */
int64_t parse_op_named(struct parse_ctx *c, struct str name, const struct op_attr *a, struct err *e);
/* What the run's info files say under a key whose path ends on this word; p NULL when they do not. */
struct str parse_run_setting(const struct parse_ctx *c, const char *key);
/* A file called name lies in the folder of c's file. */
bool parse_has_neighbour(const struct parse_ctx *c, const char *name);

/* Stamps from here on (March 1973) can be Unix time; smaller ones count from another start. */
#define WALL_NS INT64_C(100000000000000000)
/* Place of an offset (or ERR_NO_OFFSET) and line in the file of c. */
static inline struct where parse_where(const struct parse_ctx *c, uint64_t offset, uint32_t line,
                                       uint64_t count)
{
    return (struct where){ .source_id = c->f->id, .line = line, .offset = offset, .count = count };
}
/* A note on the file as a whole. count 0: none. */
void parse_note(struct parse_ctx *c, enum note_code code, uint64_t count, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/*
 * Number as a value: integer ns, bytes ... = text * mul, NULL when it cannot be read (*bad is set then,
 * unless the text means NULL).
 */
struct val val_scaled(struct str text, uint64_t mul, bool *bad);
/*
 * The same as a double times 10^exp10 (correctly rounded unless the text has an exponent): ms to ns 6,
 * percent to a ratio -2.
 */
struct val val_real_text(struct str text, int exp10, bool *bad);
struct val val_int_text(struct str text, bool *bad);
/*
 * A start time of the old text files, in ms, in some in us since 1970
 * (doc/formats/analysed.md#transitional-files), to ns.
 */
bool text_ms_or_us(struct str s, int64_t *ns);

#endif
