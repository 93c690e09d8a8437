/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in the form in which SQLite keeps them in a database file: the record format of
 * sqlite.org/fileformat2.html#record_format. Pure functions; they know neither files nor SQLite's
 * library.
 */
#ifndef NPUSCOPE_STORE_PAGES_RECORD_H
#define NPUSCOPE_STORE_PAGES_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/val.h"

/* Conversions that a column applies to its values (sqlite.org/datatype3.html#type_affinity). */
enum affinity { AFFINITY_NONE, AFFINITY_TEXT, AFFINITY_INTEGER, AFFINITY_REAL };

#define RECORD_VARINT_B 9
#define RECORD_PAD      8 /* readable bytes after a record: record_ints() reads eight at once */

/* Write v as a variable-length integer (sqlite.org/fileformat2.html#varint); returns what follows it. */
unsigned char *record_varint(unsigned char *p, uint64_t v);
const unsigned char *record_get_long(const unsigned char *p, uint64_t *v);
/* Read one from p, which has at least RECORD_VARINT_B readable bytes. */
static inline const unsigned char *record_get_varint(const unsigned char *p, uint64_t *v)
{
    if (*p >= 0x80)
        return record_get_long(p, v);
    *v = *p;
    return p + 1;
}

/*
 * Types of values in a record: 0 NULL, 1 to 6 integers of these bytes, 7 a real, 8 and 9 the integers 0 and
 * 1, from 12 on BLOB (even) and text (odd).
 */
extern const unsigned char record_type_bytes[10];
static inline uint64_t record_bytes(uint64_t type)
{
    return type < 12 ? record_type_bytes[type < 10 ? type : 0] : (type - 12) / 2;
}
/* An integer of 1 to 8 bytes; eight can be read at p. */
static inline int64_t record_get_int(const unsigned char *p, unsigned bytes)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return (int64_t)v >> (64 - 8 * bytes);
}

/* Bytes of all texts among n values. */
size_t record_texts(const struct val *v, size_t n);
/* Bytes that record_put() needs at most. */
static inline size_t record_room(size_t n, size_t texts)
{
    return 32 + n * 40 + texts;
}
/*
 * Write the record of n values, whose texts have that many bytes; returns what follows it. Each value
 * is stored as an INSERT into a column of that affinity stores it: whole reals as integers, NaN as
 * NULL, text that is no UTF-8 or holds NUL as BLOB. Text in a numeric column stays text. NULLs at the
 * end are left out, but for the first value: SQLite reads no record without one. n is at least 1.
 */
unsigned char *record_put(unsigned char *p, const struct val *v, const unsigned char *affinity, size_t n,
                          size_t texts);
/*
 * Write the record of n integers (at most 31: a bit each), NULL where the bit of nulls is set. Writes up to 8
 * bytes after the record.
 */
unsigned char *record_put_ints(unsigned char *p, const int64_t *v, unsigned nulls, size_t n);
/*
 * Read the integers in n columns (at most 31) of a record, by ascending numbers. *nulls: bit i is set where
 * column[i] is NULL or after the record's end; out[i] is 0 then. false: one of them holds something else.
 */
bool record_ints(const unsigned char *record, const size_t *column, size_t n, int64_t *out, unsigned *nulls);

/*
 * Offsets of columns in records with the same header: rows of a table have few different headers, so most
 * records are read without decoding theirs. Zeroed at first, used for one set of columns.
 */
#define RECORD_SHAPES        64
#define RECORD_SHAPE_COLUMNS 8
struct record_shapes {
    struct record_shape {
        uint64_t header[2]; /* its bytes, then zeros */
        unsigned nulls;
        bool used;
        unsigned char bytes[RECORD_SHAPE_COLUMNS]; /* length of the value; 0: it is in small */
        signed char small[RECORD_SHAPE_COLUMNS];   /* a value that takes no bytes */
        unsigned short at[RECORD_SHAPE_COLUMNS];   /* offset in the record */
    } v[RECORD_SHAPES];
};
/* As record_ints(). */
bool record_ints_of(struct record_shapes *s, const unsigned char *record, const size_t *column, size_t n,
                    int64_t *out, unsigned *nulls);

#endif
