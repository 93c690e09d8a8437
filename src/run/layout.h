/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of raw records as data: what a person sees of a record's bytes (the hex view) and what a reader
 * takes from them are the same rows (parsers/mindspore/records/record_layout.h). Pure; the bytes are never
 * trusted.
 */
#ifndef NPUSCOPE_LAYOUT_H
#define NPUSCOPE_LAYOUT_H

#include "base/buf.h"

enum field_type {
    FIELD_UINT, /* little-endian, size 1, 2, 4 or 8 */
    FIELD_INT,  /* the same with a sign */
    FIELD_HEX,  /* the same, shown in hexadecimal digits */
    FIELD_TEXT, /* up to the first NUL */
    /*
     * Framework: a byte that says string or hash, 7 reserved ones, then text or a u64
     * (doc/formats/mindspore1.md#framework-records)
     */
    FIELD_MIX
};

struct layout_word {
    uint64_t value;
    const char *word;
};

struct layout_field {
    uint16_t at, size; /* bytes */
    enum field_type type;
    const char *name, *meaning;      /* meaning: with its unit; NULL: the name says it */
    uint8_t shift, bits;             /* of FIELD_UINT; bits 0: all of it */
    uint8_t of;                      /* bit i: only in records whose first field is i; 0: in all */
    const struct layout_word *words; /* ended by a NULL word; NULL: none */
};

/* A text of a record of many lengths: a number that says what it is, its length, its bytes. */
struct layout_text {
    uint16_t type;
    const char *name, *meaning; /* meaning: NULL: the name says it */
};
#define LAYOUT_TLV_B 6 /* before the fixed part: u16 type, u32 length; the same before each text */

struct layout {
    const char *id, *title; /* title: what one record is */
    const char *pattern;    /* base names of its files (run/kind.h), NULL: all of the kind */
    uint16_t record_b;      /* 0 and not tlv: text, records end at `end` */
    char end;
    /*
     * The record has a type and a length, a fixed part of record_b bytes, and the texts, if it has any: that
     * of the first row first, or (any_text) any of them and no others (doc/formats/framework.md#tlv).
     */
    bool tlv;
    const struct layout_text *texts;
    size_t n_texts;
    bool any_text;
    uint8_t length_at;       /* u16 in the record with its true length; 0: none */
    uint8_t mark_at, mark_b; /* bytes that every record has; mark_b 0: none */
    uint32_t mark;
    bool alone; /* no record goes on in the next slice */
    const struct layout_field *fields;
    size_t n_fields;
    const char *source; /* of the layout: document and section */
};

/*
 * The layout of a file called name (its base name) that begins with these bytes, NULL: none. list: those of
 * its kind, ended by one without an id; may be NULL.
 */
const struct layout *layout_find(const struct layout *list, const char *name, const unsigned char *head,
                                 size_t n);
/* Bytes of every record; 0: they differ. */
size_t layout_step(const struct layout *l);
/* Bytes of a record before those that its fields count from. */
size_t layout_head(const struct layout *l);
/* Length of the record that begins with these n bytes, at most n; text: with its end. */
size_t layout_length(const struct layout *l, const unsigned char *p, size_t n);
/* Of a TLV layout: a whole record begins with these n bytes. */
bool layout_fits(const struct layout *l, const unsigned char *p, size_t n);
/*
 * Of a TLV layout: bytes from p, where a record begins, to the next one, at most n. Where none begins, as the
 * bytes are damaged: to the first that does.
 */
size_t layout_next(const struct layout *l, const unsigned char *p, size_t n);
/*
 * The text at *at of a record of n bytes, which begins at p; *at (0: the first) goes on to the next one. row:
 * NULL for an unknown type. False: there are no more, or it passes the end.
 */
bool layout_text(const struct layout *l, const unsigned char *p, size_t n, size_t *at,
                 const struct layout_text **row, unsigned *type, struct str *text);
/* The record has this field; p as of layout_value(). */
bool layout_has(const struct layout *l, const struct layout_field *f, const unsigned char *p, size_t n);
/*
 * Value of a field as text (raw bytes of texts: sanitise when shown); p: layout_head() behind the record's
 * beginning. False: it lies beyond the n bytes.
 */
bool layout_value(const struct layout_field *f, const unsigned char *p, size_t n, struct buf *out);

#endif
