/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slices of one file, read as the one stream they were cut from: records and lines may lie across a
 * border (doc/formats/mindspore1.md#folders, #framework-text).
 *
 * Before a slice that is missing, or could not be opened, the stream stops: its last bytes are the beginning
 * of something, and those after it are the end of something else. slices_gap() goes on after it;
 * slices_line() does so itself and leaves such ends out.
 *
 * Says which slice an offset of the stream lies in, for notes; reports progress; asks whether to go on. What
 * a damaged gzip stream or a slice that cannot be opened takes away becomes a note. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_SLICES_H
#define NPUSCOPE_PARSERS_READ_SLICES_H

#include "base/read/rec.h"
#include "parsers/registry.h"

struct slices {
    struct parse_ctx *c;
    struct infile *in;
    const struct source_file *f;    /* slice of the offset looked at last */
    const struct source_file *last; /* slice opened last */
    uint64_t border;                /* offset in the stream of that one's first byte ... */
    uint64_t base;                  /* ... and of f's */
    uint64_t asked, done_b;
    char end;     /* of a line: LF, or what is set after slices_open() */
    size_t taken; /* by slices_line: consumed with the next call */
    /* number of the current line in f, from 1; a line that began in the slice before is this one's first */
    uint32_t line;
    unsigned empty; /* lines in a row that end with NUL and hold nothing */
    bool at_gap;    /* the bytes left are the last ones before a missing slice */
    bool over_gap;  /* asked to go on after it */
    bool unopened;  /* the slice opened last could not be */
    bool half;      /* by slices_line: what comes next may have begun in a missing slice */
    bool lost;      /* set after a missing slice; who asks clears it */
};

/* Open the first slice of c. slices_close() is allowed after a failure. Errors: as infile_open. */
NODISCARD int slices_open(struct slices *s, struct parse_ctx *c, struct err *e);
void slices_close(struct slices *s);
/*
 * Read more after the unread bytes, of the next slice when this one is at its end. false: nothing came (the
 * end of the last, or e is set).
 */
bool slices_more(struct slices *s, struct err *e);
/* The next n bytes as a record, not consumed. false: fewer are left (slices_left), or e is set. */
bool slices_peek(struct slices *s, size_t n, struct rec *r, struct err *e);
size_t slices_left(const struct slices *s);
/*
 * Where the stream stopped before a missing slice: drop what is left, go on after it, set s->lost. false: it
 * did not stop there, or nothing comes after it, or e is set.
 */
bool slices_gap(struct slices *s, struct err *e);
/*
 * Bytes at the beginning of the slice opened last that belong to a record of size_b bytes begun before it,
 * from its number, where all slices but the last, two at least, are equally long and no whole number of
 * records. SIZE_MAX: they are not.
 */
size_t slices_phase(const struct slices *s, size_t size_b);
/* Consume. */
void slices_take(struct slices *s, size_t n);
/*
 * The next line without its end, consumed; the text is valid until the next call. *ended is false for a last
 * line without an end (it may be cut) and for one before a missing slice. Lines above LIM_LINE_B are left out
 * with a note, as are bytes of zeros, lines with some in them (parts never written), and the first line after
 * a missing slice. false: no more, or e is set.
 */
bool slices_line(struct slices *s, struct str *line, struct where *w, bool *ended, struct err *e);
/* The place of an offset of the stream: of the first unread byte, or of what was looked at last. */
struct where slices_where(struct slices *s, uint64_t off);

#endif
