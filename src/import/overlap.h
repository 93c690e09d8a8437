/*
 * Tracks that say when a rank computed, communicated, did both, and did nothing, for ranks whose executions
 * come from raw data: what a trace of the vendor has as overlap analysis
 * (doc/formats/mindspore1.md#overlap-rows). The executions are gone through before they are settled, which is
 * a quarter of the time it takes afterwards.
 */
#ifndef NPUSCOPE_OVERLAP_H
#define NPUSCOPE_OVERLAP_H

#include "store/fill/fill.h"

struct overlap;

/*
 * For the ranks that lack such tracks; NULL: there are none. Errors: those of the store, ERR_NOMEM. The
 * caller owns *out, overlap_free() ends it.
 */
NODISCARD int overlap_new(struct overlap **out, struct fill *f, struct err *e);
void overlap_free(struct overlap *o); /* NULL is allowed */
/* Every execution, in any order, best in that of their ends. ERR_NOMEM. */
NODISCARD int overlap_exec(struct overlap *o, const struct fill_exec *x, struct err *e);
/* The tracks, when every row is settled. Errors as above. */
NODISCARD int overlap_write(struct overlap *o, struct fill *f, struct err *e);

#endif
