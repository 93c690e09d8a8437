/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protobuf wire format: the fields of a message that lies in memory, one after the other
 * (protobuf.dev/programming-guides/encoding).
 *
 * A struct pb borrows the bytes. Messages inside are read with a struct pb of their own; nothing here
 * recurses, and every length is checked against what is left of the message around it. Not thread-safe.
 */
#ifndef NPUSCOPE_PB_H
#define NPUSCOPE_PB_H

#include "base/str.h"

struct pb {
    const unsigned char *p;
    size_t n;
    uint64_t off;    /* in the file, of p[0] */
    const char *bad; /* why the message cannot be read further, NULL: it can, or its end was reached */
    uint64_t bad_off;
};
enum pb_wire { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, PB_FIXED32 = 5 };
struct pb_field {
    uint32_t number; /* >= 1 */
    enum pb_wire wire;
    bool cut;         /* PB_BYTES that reach beyond the message: bytes are those that are there */
    uint64_t value;   /* the bits, except for PB_BYTES */
    struct str bytes; /* PB_BYTES */
    uint64_t off;     /* of the field's first byte */
    uint64_t at;      /* of its bytes */
};

/* text is at offset off of its file. */
struct pb pb_of(struct str text, uint64_t off);
/* A message inside: the bytes of a field. */
struct pb pb_sub(const struct pb_field *f);
/*
 * Next field. false: the end of the message, or damage (m->bad says which). A field of bytes that is cut is
 * given too, as the last one, and m->bad is set.
 */
bool pb_next(struct pb *m, struct pb_field *f);
/* Next number of a packed field (pb_sub()). false: the end, or damage. */
bool pb_varint(struct pb *m, uint64_t *v);
double pb_double(uint64_t bits);
float pb_float(uint64_t bits);

#endif
