/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by ids that a database gives: texts by STRING_IDS.id, ops by globalTaskId. Ids may be any 64-bit
 * numbers; mostly they come in order. Not thread-safe.
 */
#ifndef NPUSCOPE_DATABASE_IDS_H
#define NPUSCOPE_DATABASE_IDS_H

#include <stdint.h>

#include "base/err.h"
#include "base/large/paged.h"

struct database_id { /* 12 bytes: there are many */
    int64_t id;
    uint32_t value : 31;
    uint32_t mark : 1; /* the user's, 0 at first */
} __attribute__((packed, aligned(4)));
#define DATABASE_ID_MOST ((uint32_t)1 << 31) /* values are below */
struct database_ids {
    struct paged v; /* of struct database_id */
    int64_t last;   /* id added last */
    size_t hint;    /* first entry of hint_id, where has_hint */
    int64_t hint_id;
    bool unsorted, has_hint;
};
#define DATABASE_NO_ID UINT32_MAX

/* Memory of a pool, which has to outlive it. */
void database_ids_init(struct database_ids *s, struct paged_pool *pool);
NODISCARD int database_ids_add(struct database_ids *s, int64_t id, uint32_t value, struct err *e);
/*
 * Value of an id, DATABASE_NO_ID: there is none. The first call after an addition may sort; an error then is
 * the pool's.
 */
uint32_t database_ids_find(struct database_ids *s, int64_t id);
/*
 * Number of the first entry with this id, SIZE_MAX: there is none; entries of one id follow each other, in
 * the order of their addition.
 */
size_t database_ids_first(struct database_ids *s, int64_t id);
void database_ids_done(struct database_ids *s);

static inline struct database_id database_ids_at(struct database_ids *s, size_t at)
{
    return *(const struct database_id *)paged_at(&s->v, at);
}
/* Entry `at` is there and has this id. */
static inline bool database_ids_is(struct database_ids *s, size_t at, int64_t id)
{
    return at < s->v.n && ((const struct database_id *)paged_at(&s->v, at))->id == id;
}

#endif
