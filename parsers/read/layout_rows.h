/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of records as lists of rows, one a field, which are expanded into what is needed of them:
 *     F(id, offset, bytes, type, "name", "meaning", .shift = ..., .bits = ..., .of = ..., .words = ...)
 * Everything after the name may be left out. See struct layout_field (run/layout.h).
 */
#ifndef NPUSCOPE_PARSERS_READ_LAYOUT_ROWS_H
#define NPUSCOPE_PARSERS_READ_LAYOUT_ROWS_H

/* In an enum: the offsets of a record's fields. */
#define FIELD_AT(id, at, ...) id = at,

/* In an array of struct layout_field, whose member after the name is the meaning. */
#define FIELD_ROW(id, at_, size_, type_, ...)                                                                \
    { .at = at_, .size = size_, .type = FIELD_##type_, .name = __VA_ARGS__ },
/* Texts of TLV records: T(id, number, "name", "meaning"), the meaning may be left out. */
#define TEXT_NO(id, number, ...)  id = number,
#define TEXT_ROW(id, number, ...) { .type = number, .name = __VA_ARGS__ },
#define LAYOUT_TEXTS(list)        .texts = list, .n_texts = ARRAY_LEN(list)
#define LAYOUT_FIELDS(list)       .fields = list, .n_fields = ARRAY_LEN(list)

#endif
