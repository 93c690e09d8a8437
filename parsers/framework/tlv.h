/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The container of FRAMEWORK files (doc/formats/framework.md#tlv): records of a type and a length, each a
 * fixed part and then fields of a type and a length.
 *
 * The end of a killed run cuts the last record, which becomes a note. A damaged length loses the records it
 * leads over: reading goes on at the next bytes that are a record. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_TLV_H
#define NPUSCOPE_PARSERS_FRAMEWORK_TLV_H

#include "base/read/rec.h"
#include "parsers/registry.h"

/* A kind of record as data. */
struct tlv_kind {
    const char *what; /* for notes: "op ranges" */
    uint16_t fixed_b; /* bytes of the fixed part */
    uint16_t first;   /* type of the first field, 0xffff: there are none */
    uint16_t last;    /* the first field may be of any type up to this one; 0: of first alone */
};
#define TLV_NO_FIELDS UINT16_MAX

/* Valid during the call. */
struct tlv_record {
    struct rec fixed, fields;
    size_t at;          /* of the next field */
    struct where where; /* line: number of the record, from 1 */
};
typedef int tlv_fn(void *arg, struct tlv_record *r, struct err *e);

/* The next field: false at the end, or when it passes the end of its record (the fields before it count). */
bool tlv_field(struct tlv_record *r, uint16_t *type, struct str *text);
#define TLV_KINDS 16
#define TLV_EMPTY SIZE_MAX
/*
 * Which of n kinds (at most TLV_KINDS) the file of c holds: that whose fields fill its first whole records.
 * TLV_EMPTY: it has no byte, or ends in its first record, which is noted. Errors: ERR_FORMAT no whole record
 * of any; as infile_open.
 */
NODISCARD int tlv_probe(struct parse_ctx *c, const struct tlv_kind *kinds, size_t n, size_t *which,
                        struct err *e);
/*
 * Read every whole record; c->rows counts them. Not OK from fn ends the reading with that error (e is set).
 * Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn.
 */
NODISCARD int tlv_read(struct parse_ctx *c, const struct tlv_kind *k, tlv_fn *fn, void *arg, struct err *e);

#endif
