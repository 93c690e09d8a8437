/*
 * Column chunks of the timeline (performance.md 4.2): up to CHUNK_EVENTS events of one track in one
 * blob.
 *
 * Layout, all integers varints unless said: number of lanes open at the start, their ends (zig-zag,
 * relative to the first ts; 0 closed); 8 bytes first ts (little-endian); n-1 zig-zag deltas of ts;
 * n zig-zag durations; n names; n zig-zag deltas of the offset; 4 bytes checksum of all before.
 * Events lie in order (ts, longer first, offset). In flow tracks dur is the flow's id and name the
 * track; in counter tracks dur holds the bits of the double (chunk_from_double).
 */
#ifndef NPUSCOPE_CHUNK_H
#define NPUSCOPE_CHUNK_H

#include <stdbool.h>

#include "base/buf.h"

#define CHUNK_EVENTS 4096
#define CHUNK_LANES  64 /* lanes told apart; further overlaps share the last one */

struct chunk_event {
    int64_t ts, dur;
    uint64_t off;
    uint32_t name;
    int32_t lane; /* set by chunk_decode */
};

/* State that assigns lanes and measures the union of events, carried from chunk to chunk. */
struct chunk_state {
    int64_t lane_end[CHUNK_LANES];
    int n_lanes;       /* lanes ever used */
    int64_t outer_end; /* end of the union so far, INT64_MIN at the start */
};
void chunk_state_init(struct chunk_state *s);
/* Lane of the next event (greedy: the lowest that is free; equals the depth where events nest) and
 * what it adds to the union. */
int chunk_place(struct chunk_state *s, int64_t ts, int64_t dur, int64_t *busy_added);

/* Order of events in a track. */
int chunk_event_cmp(const void *a, const void *b);

/* Append the blob of n events (1..CHUNK_EVENTS, in order). s: state before the first of them, not
 * changed. */
void chunk_encode(struct buf *out, const struct chunk_event *ev, size_t n,
                  const struct chunk_state *s);
/* Decode into ev (room for n events, n as stored beside the blob). false: damaged. lanes are filled
 * in. */
bool chunk_decode(struct str blob, struct chunk_event *ev, size_t n);
/* Only the names, durations and stamps are needed? Decoding stops early: fields of the later
 * columns are zero. */
bool chunk_decode_times(struct str blob, struct chunk_event *ev, size_t n);

static inline int64_t chunk_from_double(double v)
{
    uint64_t u;
    memcpy(&u, &v, 8);
    return (int64_t)__builtin_bswap64(u);
}
static inline double chunk_to_double(int64_t i)
{
    uint64_t u = __builtin_bswap64((uint64_t)i);
    double v;
    memcpy(&v, &u, 8);
    return v;
}

#endif
