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

struct layout {
    const char *id, *title; /* title: what one record is */
    const char *pattern;    /* base names of its files (run/kind.h), NULL: all of the kind */
    uint16_t record_b;      /* 0: text, records end at `end` */
    char end;
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
/* Length of the record that begins with these n bytes, at most n; text: with its end. */
size_t layout_length(const struct layout *l, const unsigned char *p, size_t n);
/* The record has this field. */
bool layout_has(const struct layout *l, const struct layout_field *f, const unsigned char *p, size_t n);
/* Value of a field as text (raw bytes of texts: sanitise when shown). False: it lies beyond the n bytes. */
bool layout_value(const struct layout_field *f, const unsigned char *p, size_t n, struct buf *out);

#endif
