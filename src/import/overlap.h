/*
 * Tracks that say when a rank computed, communicated, did both, and did nothing, for ranks whose executions come from raw data: what a trace of the
 * vendor has as overlap analysis (formats/gen1-raw.md 8.6). Between sources, when every row is settled.
 */
#ifndef NPUSCOPE_OVERLAP_H
#define NPUSCOPE_OVERLAP_H

#include "store/fill.h"

/* Errors: those of the store, ERR_NOMEM. */
NODISCARD int overlap_write(struct fill *f, struct err *e);

#endif
