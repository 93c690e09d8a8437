/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of several ranks, each row once: what is the same for some of them is printed with their numbers
 * ("0-2,5"), also where their texts differ in the rank's own number and in measures (alike.h). For people;
 * programs get a row for each rank. Owns copies of all texts.
 */
#ifndef NPUSCOPE_CLI_CMD_ONCE_H
#define NPUSCOPE_CLI_CMD_ONCE_H

#include "cli/cmd/alike.h"
#include "model/writer/writer.h"

#define ONCE_COLS 6

struct once_row;
struct once {
    size_t n_cols; /* set by the caller, at most ONCE_COLS */
    struct once_row *v;
    size_t n, cap;
};

/* Add a row of a rank; ranks come in ascending order. Errors: ERR_NOMEM. */
NODISCARD int once_add(struct once *o, struct alike_of of, const struct val *v, struct err *e);
/* Write the rows in the order in which they came, with ranks (where there are several) before the columns. */
NODISCARD int once_rows(const struct once *o, struct writer *w, bool several, struct err *e);
/* The column that says which ranks. */
extern const struct view_col once_ranks_col;
/* "0-2,5" of n ascending numbers; cut with "..." where buf is too small. Returns buf. */
char *once_ranges(const int *ranks, size_t n, char *buf, size_t size);
void once_done(struct once *o);

#endif
