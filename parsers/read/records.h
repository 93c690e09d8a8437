/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the slices of one file (doc/formats/mindspore1.md#framework-records to #ai-cpu, #aicore).
 *
 * Records with a mark are one stream over the borders of slices; but where a slice lost its end, the next one
 * begins with a record of its own, which its mark shows. Without a mark every slice is read on its own,
 * unless all are equally long and cut records anywhere. Where a slice is missing nothing is joined: what lies
 * across is cut. Each cut record becomes a note; all records without the mark share one (of a kind without a
 * mark, all of nothing but zeros), and so do all bad ones. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_RECORDS_H
#define NPUSCOPE_PARSERS_READ_RECORDS_H

#include "parsers/read/slices.h"

/* A layout as data: the size (the usual one), and bytes that every record has at the same offset. */
struct record_kind {
    const char *what; /* for notes: "task records" */
    uint16_t size_b;
    uint8_t mark_at, mark_b; /* mark_b 0: no such bytes */
    uint32_t mark;
    /* u16: records say their own length, believed when another record then follows; 0: they do not */
    uint8_t length_at;
    const char *bad; /* for notes: what is wrong with a record that has its mark (records_bad) */
};

struct records {
    struct slices s;
    const struct record_kind *k;
    size_t taken;
    bool lost;            /* a slice is missing before the last record */
    uint32_t slice, line; /* source and number of the last record in it */
    struct records_count {
        uint64_t n;
        struct where first;
    } unmarked, bad;
};

/*
 * The file of c holds such records: the first one begins with its mark (its first two bytes), or a later one
 * does. Errors: as infile_open.
 */
NODISCARD int records_are(const struct record_kind *k, struct parse_ctx *c, bool *are, struct err *e);
/*
 * Bytes up to the next record when none begins at the first unread byte nor one record on, as after a lost
 * slice that ended within one; 0: not known. e: as slices_peek.
 */
size_t records_astray(struct slices *s, const struct record_kind *k, struct err *e);
/* The same after a missing slice, also from the lengths of the slices. */
size_t records_head(struct slices *s, const struct record_kind *k, struct err *e);
/* records_close() is allowed after a failure. Errors: as infile_open. */
NODISCARD int records_open(struct records *r, const struct record_kind *k, struct parse_ctx *c,
                           struct err *e);
/*
 * The next whole record with its mark, valid until the next call, and its place (line: its number in the
 * slice). Counted in c->rows.
 */
bool records_next(struct records *r, struct rec *out, struct where *w, struct err *e);
/*
 * The record that records_next() gave last, at w, makes no sense: not counted in c->rows, but as lost and in
 * one note of the file.
 */
void records_bad(struct records *r, const struct where *w);
/* Note what is left, what had no mark, and what was bad; close. */
void records_close(struct records *r, const struct err *e);

#endif
