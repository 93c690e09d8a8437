/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_details.csv: rows of msprof's op_summary with a step and other columns
 * (doc/formats/framework.md#kernel_details, #torch_npu-kernel_details).
 */
#ifndef NPUSCOPE_OFFLINE_KERNELS_H
#define NPUSCOPE_OFFLINE_KERNELS_H

#include "offline/tables/csv_rows.h"

/* Which columns of op_summary go where. */
struct kernel_columns {
    size_t from[CSV_ROWS_COLUMNS]; /* of the table, in their order */
    size_t n;
    size_t name, start; /* SIZE_MAX: there is none */
};

/* A name of op_summary's and the file's. */
struct kernel_rename {
    const char *from, *to;
};
extern const struct kernel_rename kernel_renames[];
extern const size_t kernel_n_renames;

/* The index of a column, SIZE_MAX: there is none. */
size_t kernel_column(const struct str *header, size_t n, const char *name);
/* The cell of a header under its new name. */
void kernel_header_cell(struct emit *o, struct str cell, bool first);

#endif
