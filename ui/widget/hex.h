/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record of a binary file: its bytes, and beside or below them its fields when the layout is known
 * (run/layout.h); without a layout rows of bytes.
 */
#ifndef NPUSCOPE_UI_WIDGET_HEX_H
#define NPUSCOPE_UI_WIDGET_HEX_H

#include "run/layout.h"
#include "ui/widget/draw.h"

#define HEX_ROW_B 16

struct hex_record {
    const struct layout *layout; /* NULL: rows of bytes */
    unsigned char *buf; /* the caller's: n bytes, of the file from buf_at on; the record begins there */
    uint64_t buf_at;
    size_t n, end;        /* end: bytes of the record; what follows is dim */
    size_t scroll;        /* rows of fields, or of bytes of the record, above the window */
    size_t shown, wanted; /* last frame: rows of fields that it had room for, and all of them */
    int rows;             /* of bytes in the last frame */
};

/* The record is text up to an end mark. */
bool hex_record_is_text(const struct hex_record *h);
/* Bytes to the left, fields to the right, or one above the other where that is too wide. */
void hex_record_draw(struct hex_record *h, struct canvas *c, struct rect a);

#endif
