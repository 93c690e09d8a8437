/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by ids that a database gives: texts by STRING_IDS.id, ops by globalTaskId. Ids may be any 64-bit
 * numbers; mostly they come in order. Not thread-safe.
 */
#ifndef NPUSCOPE_DATABASE_IDS_H
#define NPUSCOPE_DATABASE_IDS_H

#include <stdint.h>

#include "base/err.h"
#include "base/spool.h"

struct database_id {
    int64_t id;
    uint32_t value;
    uint32_t order; /* of equal ids the first one counts */
};
struct database_ids {
    struct spool *pool; /* borrowed; NULL: plain memory */
    struct database_id *v;
    size_t n, cap, hint;
    bool unsorted;
};
#define DATABASE_NO_ID UINT32_MAX

NODISCARD int database_ids_add(struct database_ids *s, int64_t id, uint32_t value, struct err *e);
/* Value of an id, DATABASE_NO_ID: there is none. The first call after an addition may sort. */
uint32_t database_ids_find(struct database_ids *s, int64_t id);
/*
 * Index in v of the first entry with this id, SIZE_MAX: there is none; entries of one id follow each other,
 * in the order of their addition.
 */
size_t database_ids_first(struct database_ids *s, int64_t id);
void database_ids_done(struct database_ids *s);

#endif
