/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of several ranks for a writer: rows are given with their rank, which becomes the first column when
 * there is more than one. The writer is the caller's.
 */
#ifndef NPUSCOPE_RANK_TABLE_H
#define NPUSCOPE_RANK_TABLE_H

#include "cli/cmd/cmd.h"

#define RANK_TABLE_COLS 16

struct rank_table {
    struct writer *w;
    const struct view_col *cols[RANK_TABLE_COLS + 1];
    bool several;
};

/* Facts for people, a line each: name and value. */
extern const struct view_col rank_table_facts[2];

/*
 * Begin a table of n columns, at most RANK_TABLE_COLS, which are borrowed until its end. Errors: those of the
 * writer.
 */
NODISCARD int rank_table_begin(struct rank_table *t, const char *id, const char *title,
                               const struct view_col *cols, size_t n, struct err *e);
NODISCARD int rank_table_row(struct rank_table *t, int rank, const struct val *v, size_t n, struct err *e);

#endif
