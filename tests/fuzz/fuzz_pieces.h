/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PROF folder made from a fuzz target's input: records of any families (tests/lib/prof_families.h), which
 * belong together but for what the input puts in their place; so that a few bytes of it reach what is made of
 * many records.
 *
 * The input: a byte for the chip, one for the collection (FUZZ_...), then pieces: a byte for the file (128
 * and more: of text), one for the number of the record, one for a place in it and one for a length, and that
 * many bytes that stand at the place. Files that no piece is of are not there, but for info files of the
 * folder and its dictionaries, which are whole then.
 */
#ifndef NPUSCOPE_FUZZ_PIECES_H
#define NPUSCOPE_FUZZ_PIECES_H

#include "run/inventory.h"
#include "tests/fuzz/fuzz.h"

enum {                    /* of the second byte */
       FUZZ_SECOND = 1,   /* version 2 of the collection */
       FUZZ_SAMPLED = 2,  /* counters were sampled over time */
       FUZZ_LEVEL0 = 4,   /* little was collected */
       FUZZ_LIST = 8,     /* as a whole job's overview reads it */
       FUZZ_NO_CLOCK = 16 /* the clock files are missing */
};
/* Of a record's number: only the bytes before the place are written. */
#define FUZZ_TORN 128
/* Of a piece of text: nothing but its bytes; they take the place of others. */
#define FUZZ_PLAIN   1
#define FUZZ_REPLACE 2

#define FUZZ_PIECES 128
struct fuzz_prof {
    const char *path;                       /* of the PROF folder */
    const struct source_file *const *files; /* of it */
    size_t n;
};
/* What is lent is valid until the next one is made. */
struct fuzz_prof fuzz_pieces(const uint8_t *data, size_t size);

#endif
