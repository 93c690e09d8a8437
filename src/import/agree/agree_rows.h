/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of one table as figures under a key, to be compared with rows of another source
 * (import/agree/agree.h). Pure but for its memory.
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_ROWS_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_ROWS_H

#include "base/err.h"
#include "base/val.h"

#define AGREE_FIGURES 8

/* The key of a row: two numbers, or a text where the row has one. */
struct agree_key {
    int64_t n[2];
    struct str text;
};

struct agree_row {
    int64_t key[2];
    struct val v[AGREE_FIGURES];
};

struct agree_rows { /* {0} at first */
    struct intern *keys;
    struct agree_row *v;
    size_t n, cap;
};

/* Add a row, unless its key is there already. Texts are not kept: they become NULL. */
NODISCARD int agree_rows_add(struct agree_rows *r, const struct agree_row *row, struct err *e);
/* SIZE_MAX: none. */
size_t agree_rows_find(const struct agree_rows *r, const int64_t key[2]);
void agree_rows_done(struct agree_rows *r);

#endif
