/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of detail of the timeline (doc/performance.md#level-of-detail): a pyramid of buckets of a
 * power-of-two number of ns, built in one pass over the events of a track (or of one of its lanes) in order
 * of time, without knowing their span beforehand.
 *
 * A bucket knows how many events begin in it, how much of it the union of the events covers and which name
 * covers most of that union; for a counter the number of samples, their range and the last of them. Level 0
 * is the finest; each further one has buckets four times as wide. Stored are parts of LOD_PART buckets: a
 * byte for the form, then (sparse form) the positions of the buckets that hold something, then one array per
 * field, little-endian, 10 bytes a bucket in all (16 for a counter), and a checksum. Empty parts are not
 * stored.
 *
 * Pyramids under construction belong to a pool, which halves the greatest number of buckets that each may
 * have rather than grow beyond its limit. None of this is thread-safe; a pool and its pyramids belong to one
 * thread.
 */
#ifndef NPUSCOPE_STORE_FILL_LOD_H
#define NPUSCOPE_STORE_FILL_LOD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

#define LOD_BUCKETS     65536u /* most of the lowest level */
#define LOD_FIRST       1024u  /* buckets at first ... */
#define LOD_FIRST_SHIFT 10     /* ... of 1 024 ns */
#define LOD_LEAST       64u    /* a level of so few buckets is the last one */
#define LOD_LANE_SHARE  4      /* a lane has at most a quarter of the buckets of a track */
#define LOD_STEP        2      /* each level's buckets are 1 << 2 times as wide as those below */
#define LOD_PART        4096u
#define LOD_POOL_B      ((size_t)64 << 20)
#define LOD_FULL        65535u /* busy of a bucket that is covered completely */
#define LOD_SHIFT_MOST  62     /* of any level: all times fit in 64 buckets of 2^58 ns */

struct lod;
struct lod_pool {
    struct lod *all;
    size_t used_b, limit_b;
    uint32_t cap; /* most buckets of the pyramid of a track */
};
void lod_pool_init(struct lod_pool *p, size_t limit_b);

enum lod_kind {
    /* events that may nest or overlap: gets more buckets while it has fewer than a quarter of its events */
    LOD_TRACK,
    LOD_LANE, /* the same, but it may always get LOD_PART buckets: its few events may lie far apart */
    LOD_COUNTER
};
NODISCARD int lod_new(struct lod **out, struct lod_pool *p, enum lod_kind kind, int64_t first_ts,
                      struct err *e);
/* Make a lane's pyramid that goes on from the events that l has so far. */
NODISCARD int lod_copy(struct lod **out, const struct lod *l, enum lod_kind kind, struct err *e);
void lod_free(struct lod *l); /* NULL is allowed */
/* Add an event, in order of ts (ns); end >= ts. */
NODISCARD int lod_add_event(struct lod *l, int64_t ts, int64_t end, uint32_t name, struct err *e);
NODISCARD int lod_add_sample(struct lod *l, int64_t ts, double value, struct err *e);

/* One part: level, its number, start of its first bucket, width of a bucket as power of two. */
struct lod_part {
    int level;
    uint32_t part;
    int64_t t0;
    int shift;
    struct str blob; /* valid during the call */
};
/*
 * Give every part that is not empty to fn, finest level first; afterwards l can only be freed. buf is used
 * for the blobs.
 */
NODISCARD int lod_write(struct lod *l, struct buf *buf,
                        int (*fn)(void *arg, const struct lod_part *part, struct err *e), void *arg,
                        struct err *e);

struct lod_bucket { /* of events */
    uint32_t count, name;
    uint16_t busy; /* share of LOD_FULL; at least 1 where anything is covered */
};
/* The covered time of a bucket in ns; shift: width of the bucket as power of two, 62 at most. */
static inline uint64_t lod_busy_ns(const struct lod_bucket *b, int shift)
{
    int fits = shift < 47 ? shift : 47; /* so far the product fits */

    return (((uint64_t)b->busy << fits) + LOD_FULL / 2) / LOD_FULL << (shift - fits);
}
struct lod_value { /* of samples; the numbers mean nothing when count is 0 */
    uint32_t count;
    float lo, hi, last;
};
/* Whether a stored part is whole. */
bool lod_check(struct str blob);
/*
 * Decode buckets [first, first + n) of a part that was checked; buckets that it does not hold are zero.
 * false: a part of the other kind, or no part.
 */
bool lod_decode(struct str blob, uint32_t first, uint32_t n, struct lod_bucket *out);
bool lod_decode_values(struct str blob, uint32_t first, uint32_t n, struct lod_value *out);

#endif
