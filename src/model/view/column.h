/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One column of a table in memory, as narrow as its values allow (doc/performance.md#tables, #memory): whole
 * numbers as distances from the smallest in 1, 2, 4 or 8 bytes, other numbers as doubles, texts as numbers of
 * distinct texts.
 *
 * A column owns its memory. Rows are counted from 0.
 */
#ifndef NPUSCOPE_MODEL_VIEW_COLUMN_H
#define NPUSCOPE_MODEL_VIEW_COLUMN_H

#include <math.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/val.h"
#include "model/view/texts.h"

enum column_width { CW_U8, CW_U16, CW_U32, CW_I64, CW_F64 };
struct column {
    enum column_width width;
    bool coded; /* values are codes: 0 NULL, then 1 .. n_codes - 1 */
    size_t n;
    union {
        void *p;
        uint8_t *u8;
        uint16_t *u16;
        uint32_t *u32;
        int64_t *i64; /* INT64_MIN: NULL */
        double *f64;  /* NAN: NULL */
    };
    int64_t base; /* U8 to U32 of numbers: 0 is NULL, k is base + k - 1 */
    uint32_t n_codes;
    struct texts *texts; /* code k is text k - 1; NULL: codes are rows of another table, plus 1 */
    /* by code: rank of its text in the natural order; NULL: not known (model/view/ranking.h) */
    uint32_t *rank;
};

/* Free everything; the column is empty afterwards. */
void column_done(struct column *c);
size_t column_bytes(const struct column *c);

/* The number stored for a row of a column that is at most 4 bytes wide: code, or offset. */
static inline uint32_t column_raw(const struct column *c, size_t row)
{
    return c->width == CW_U8 ? c->u8[row] : c->width == CW_U16 ? c->u16[row] : c->u32[row];
}
static inline bool column_null(const struct column *c, size_t row)
{
    return c->width == CW_I64   ? c->i64[row] == INT64_MIN
           : c->width == CW_F64 ? isnan(c->f64[row])
                                : column_raw(c, row) == 0;
}
/* The number of a row that is not NULL, in a column of whole numbers. */
static inline int64_t column_int(const struct column *c, size_t row)
{
    return c->width == CW_I64 ? c->i64[row] : c->base + ((int64_t)column_raw(c, row) - 1);
}
/* The number of a row that is not NULL; for texts 0. */
static inline double column_num(const struct column *c, size_t row)
{
    return c->coded ? 0 : c->width == CW_F64 ? c->f64[row] : (double)column_int(c, row);
}
/* Append a number that is not NULL as plain text. */
void column_add_number(const struct column *c, size_t row, struct buf *out);

/* ---- making one ---- */

enum column_source {
    CS_NUMBER,
    CS_TEXT,
    CS_STRING, /* ids of strings of the store: texts are given afterwards */
    CS_CODE    /* codes as they are, 0 for NULL */
};
struct column_build;
/* Begin a column of n rows, all NULL. */
NODISCARD int column_build_new(struct column_build **out, enum column_source source, size_t n, struct err *e);
void column_build_free(struct column_build *b);
/* Set the value of a row, once for each row. false: out of memory (column_build_end() returns the error). */
bool column_build_put(struct column_build *b, size_t row, const struct val *v);
/*
 * CS_STRING, after the last row: the distinct ids in use, ascending. Their texts go to column_build_text() in
 * this order. Valid until the build is freed.
 */
NODISCARD int column_build_ids(struct column_build *b, const uint32_t **ids, size_t *n, struct err *e);
NODISCARD int column_build_text(struct column_build *b, struct str text, struct err *e);
/* Fill *out; the build is empty afterwards. */
NODISCARD int column_build_end(struct column_build *b, struct column *out, struct err *e);

#endif
