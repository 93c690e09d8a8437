/* SPDX-License-Identifier: Apache-2.0 */
/* A store as a database that any SQLite reads: the timeline's virtual tables become plain rows. */
#ifndef NPUSCOPE_EXPORT_H
#define NPUSCOPE_EXPORT_H

#include "store/store.h"

struct export_opts {
    bool replace; /* a file that exists at path is replaced; false: it is an error */
    /* asked every few thousand rows, with the rows written so far; true: give up. NULL: never asked */
    bool (*cancelled)(void *arg, uint64_t rows);
    void *arg;
    uint64_t *rows; /* gets the rows written; NULL: not asked for */
};

/*
 * Write everything of s to path: made beside it, renamed when whole. Tables, indexes and views keep their
 * names; event, flow and counter_sample are tables with the columns that they have as virtual ones; the
 * internal tables are left out. The file is no store: npuscope does not take it for its cache. Errors:
 * ERR_IO, ERR_FULL, ERR_CANCELLED; with the path.
 */
NODISCARD int store_export(struct store *s, const char *path, const struct export_opts *o, struct err *e);

#endif
