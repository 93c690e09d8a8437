/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of the timeline (doc/performance.md#chunks): up to CHUNK_EVENTS events of one track in one blob,
 * stored column by column.
 *
 * Layout (integers are varints unless noted): number of lanes open at the start, their ends (zig-zag,
 * relative to the first ts; 0 closed); 8 bytes first ts (little-endian); n-1 zig-zag deltas of ts; n zig-zag
 * durations; n names; n zig-zag deltas of the offset; 4 bytes checksum of all that precedes it. Events lie in
 * order (ts, longer first, offset). In flow tracks dur is the flow's id and name the track; in counter tracks
 * dur holds the bits of the double (chunk_from_double).
 */
#ifndef NPUSCOPE_STORE_FILL_CHUNK_H
#define NPUSCOPE_STORE_FILL_CHUNK_H

#include <stdbool.h>

#include "base/bounded.h"
#include "base/buf.h"

#define CHUNK_EVENTS 4096
#define CHUNK_LANES  64 /* lanes told apart; further overlaps share the last one */

struct chunk_event {
    int64_t ts, dur;
    uint64_t off;
    uint32_t name;
    int32_t lane; /* set by chunk_decode with CHUNK_LANE */
};

/* State that assigns lanes and measures the union of events, carried from chunk to chunk. */
struct chunk_state {
    int64_t lane_end[CHUNK_LANES];
    int n_lanes;       /* lanes ever used */
    int64_t outer_end; /* end of the union so far, INT64_MIN at the start */
};
void chunk_state_init(struct chunk_state *s);
/*
 * Lane of the next event (greedy: the lowest that is free; it equals the depth where events nest).
 * *busy_added: the time that the event adds to the union.
 */
int chunk_place(struct chunk_state *s, int64_t ts, int64_t dur, int64_t *busy_added);

/* Order of events in a track. */
int chunk_event_cmp(const void *a, const void *b);
/*
 * Put n events into that order; quick for events that are nearly in it, such as calls in order of their ends.
 */
void chunk_sort(struct chunk_event *ev, size_t n);

/* Append the blob of n events (1..CHUNK_EVENTS, in order). s: state before the first of them, not
 * changed. */
void chunk_encode(struct buf *out, const struct chunk_event *ev, size_t n, const struct chunk_state *s);
/*
 * Decode into ev (room for n events; n is the number stored with the blob). want: which of the costlier
 * fields are set, the others are 0. Lanes have a meaning only for events with durations. false: damaged.
 */
enum {
    CHUNK_OFF = 1,
    CHUNK_LANE = 2,
    CHUNK_CHECKED = 4 /* its checksum was found right before: do not check again */
};
bool chunk_decode(struct str blob, unsigned want, struct chunk_event *ev, size_t n);

/* End of an event; an event without a duration ends where it begins. */
static inline int64_t chunk_end_of(int64_t ts, int64_t dur)
{
    return bounded_add(ts, dur > 0 ? dur : 0);
}
static inline int64_t chunk_end(const struct chunk_event *ev)
{
    return chunk_end_of(ev->ts, ev->dur);
}

/*
 * Contribution of a chunk to the figures of a window that holds all of it (doc/performance.md#chunks). Times
 * in ns.
 *
 * An event that outlasts the chunk by more than the chunk's own length is "far"; a chunk has at most
 * CHUNK_FAR of them, those that end last. They are listed apart, so that a window long after the chunk need
 * not decode it; t_near is the last end of the others.
 */
#define CHUNK_FAR 64
struct chunk_sum {
    int64_t t0, t_last;  /* start of the first and of the last event */
    int64_t t1, t_near;  /* last end of all events, and of those that are not far */
    int64_t dur_sum;     /* durations */
    int64_t busy;        /* what its events add to the union */
    int64_t gap, gap_at; /* longest time between two of its events that no event covers, and its start */
    int64_t longest;     /* duration of the longest event */
    uint32_t longest_name;
    uint64_t lanes; /* bit per lane that has an event */
    size_t n_far;
    uint16_t far[CHUNK_FAR]; /* positions, ascending */
};
/*
 * Summarise n events (in order) and set their lanes: lane[i] (room for n). s becomes the state after the
 * chunk. last: no chunk follows, so nothing is far. plain: dur is no duration (counters, flows); then all but
 * the times and n_far stay zero.
 */
void chunk_summarise(struct chunk_state *s, const struct chunk_event *ev, size_t n, bool plain, bool last,
                     struct chunk_sum *out, uint8_t *lane);

/* Append the set of the names in a chunk: the distinct ids, ascending, as varints of the differences. */
void chunk_names_encode(struct buf *out, const struct chunk_event *ev, size_t n);
bool chunk_names_has(struct str blob, uint32_t name);
/* Whether the set has a name n whose byte bits[n] is set. */
bool chunk_names_any(struct str blob, const uint8_t *bits, size_t n);

/*
 * 32-bit sum over 8-byte words; not cryptographic, it finds damaged pages
 * (doc/reliability.md#damaged-stores).
 */
uint32_t chunk_checksum(const char *p, size_t n);

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
