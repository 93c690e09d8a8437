/* SPDX-License-Identifier: Apache-2.0 */
/* A view as a command prints it: columns chosen, filtered, sorted, cut, handed to a writer. */
#ifndef NPUSCOPE_TABLE_PRINT_H
#define NPUSCOPE_TABLE_PRINT_H

#include "cli/cli.h"
#include "model/writer/writer.h"

struct print_opts {
    const char *columns; /* ids separated by commas, NULL: those that are not hidden */
    bool all_columns;
    bool marks;                 /* with the columns of marks, where rows have them */
    const char *sort;           /* as --sort, NULL: the view's own */
    const struct options *opts; /* --filter of these, NULL: none */
    int64_t top;                /* rows at most, -1 all */
    enum view_times times;
    const char *title; /* of the table, NULL: the view's */
};

/* Open a view over these parts (each store once where the view has no ranks). */
NODISCARD int table_open(struct view **out, const struct view_def *d, const struct view_part *parts,
                         size_t n_parts, const struct view_scope *scope, struct err *e);
/* *shown (may be NULL) gets the rows that were printed. */
NODISCARD int table_print(struct writer *w, struct view *v, const struct print_opts *p, size_t *shown,
                          struct err *e);
/* --columns, --sort and --filter against the definition, before anything is read. ERR_USAGE. */
NODISCARD int table_check(const struct view_def *d, const struct options *o, struct err *e);
/* Whether --columns, --all-columns, --sort or --filter name a column that is made from the timeline. */
bool table_needs_time(const struct view_def *d, const struct options *o);
/*
 * Views whose statement does not ask for the rank are one for each store: parts without repetition. Returns
 * their number.
 */
size_t table_parts(const struct view_def *d, const struct view_part *parts, size_t n, struct view_part *out);

#endif
