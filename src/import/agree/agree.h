/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether files of an analysis say the same as the raw data beside them (doc/store.md#kinds-and-tables: a
 * different result is a finding). The second source, which feeds nothing, is read once into sums and keys;
 * the rows of the first are then compared with it, figure by figure, as the table in import/agree/agree.c
 * says. Where they differ the file gets a note DIFFERS: how many rows, the first of them, the figure in both,
 * and the known difference of MindSpore's analysis (run/known_diff.h) that explains it, if one does to the
 * digit.
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_H

#include "store/fill/fill.h"
#include "store/sink_count.h"

/* The rows of the second source for one rank. */
struct agree;

NODISCARD int agree_new(struct agree **out, int rank, struct err *e);
void agree_free(struct agree *a);
/* Rows go in here; valid as long as a. */
struct sink_count *agree_sink(struct agree *a);

/*
 * Whether rows of this table, given by the second source, can be compared with rows that whole files put into
 * the store.
 */
NODISCARD int agree_wants(struct fill *f, const char *table, int rank, bool *out, struct err *e);
/*
 * Compare the rows of this table, once all came in, and write the notes. other: path of the second source.
 * Call it between sources. Errors: of the store, ERR_NOMEM.
 */
NODISCARD int agree_say(struct agree *a, struct fill *f, const char *table, const char *other, struct err *e);

#endif
