/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets in a source file that notes (damage and surprises) are about. */
#ifndef NPUSCOPE_PLACES_H
#define NPUSCOPE_PLACES_H

#include "store/store.h"

struct place {
    uint64_t offset; /* in the file on the disk; in a packed file, after unpacking */
    char text[160];  /* text of the note: raw bytes, sanitise when shown */
};

/*
 * The notes of a file (source.id) that have an offset, in order of offsets; at most max of them. *n: their
 * number.
 */
NODISCARD int places_read(struct store *s, uint32_t source_id, struct place *out, size_t max, size_t *n,
                          struct err *e);

#endif
