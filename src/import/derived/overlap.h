/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks of when a rank computed, communicated, did both, and did nothing, for ranks whose executions come
 * from raw data: the overlap analysis that upstream traces have (doc/formats/mindspore1.md#overlap-rows). The
 * executions are read before they are settled, which takes a quarter of the time it takes afterwards.
 */
#ifndef NPUSCOPE_OVERLAP_H
#define NPUSCOPE_OVERLAP_H

#include "store/fill/fill.h"

struct overlap;

/*
 * Begin for the ranks that lack such tracks; *out NULL: there are none. The caller frees *out with
 * overlap_free(). Errors: those of the store, ERR_NOMEM.
 */
NODISCARD int overlap_new(struct overlap **out, struct fill *f, struct err *e);
void overlap_free(struct overlap *o); /* NULL is allowed */
/* Add an execution. Any order is allowed, that of their ends is fastest. Errors: ERR_NOMEM. */
NODISCARD int overlap_exec(struct overlap *o, const struct fill_exec *x, struct err *e);
/* Write the tracks, when every row is settled. Errors as above. */
NODISCARD int overlap_write(struct overlap *o, struct fill *f, struct err *e);

#endif
