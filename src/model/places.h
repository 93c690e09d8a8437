/* Where in a source file something was noted: damage and surprises with their places. */
#ifndef NPUSCOPE_PLACES_H
#define NPUSCOPE_PLACES_H

#include "store/store.h"

struct place {
    uint64_t offset; /* of the file as it lies on the disk; of a packed one as unpacked */
    char text[160];  /* what is there: raw bytes, sanitise when shown */
};

/* The notes of a file (source.id) that have an offset, in order of it; at most max of them. *n: how many. */
NODISCARD int places_read(struct store *s, uint32_t source_id, struct place *out, size_t max, size_t *n,
                          struct err *e);

#endif
