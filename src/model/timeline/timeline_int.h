/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of struct timeline, for src/model/timeline.
 *
 * Each track has a directory, loaded when the timeline is opened: a line per chunk (a chunk holds 4 096
 * events, so ten million events make 2 500 lines), the far events (store/fill/chunk.h) and the pyramids.
 * Chunks are decoded when a walk comes to them; the last few stay decoded.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_TIMELINE_INT_H
#define NPUSCOPE_MODEL_TIMELINE_TIMELINE_INT_H

#include "base/arena.h"
#include "model/timeline/timeline.h"
#include "store/fill/chunk.h"

struct tl_classes { /* by name id: class + 1; 0: not looked up yet */
    uint8_t *of;
    size_t n;
};

struct tl_part {
    struct store *store;
    int rank;
    struct tl_classes classes, overlap_classes; /* on tracks of kind overlap names have other meanings */
    struct query *get_chunk, *get_names, *get_lod, *get_class, *get_flows; /* prepared when first used */
};

/* A chunk of a track with the figures of struct chunk_sum, and maxima over the chunks before it. */
struct tl_chunk {
    int64_t id, t0, t1, t_last, t_near, dur_sum, busy, gap, gap_at, longest;
    uint64_t lanes;
    uint32_t n, longest_name;
    int64_t near_max;   /* greatest t_near up to this one */
    int64_t end_before; /* greatest t1 before this one; INT64_MIN for the first */
};

/* A far event of a chunk (index in the directory), in order of the track. */
struct tl_far {
    size_t chunk;
    uint16_t i;
    struct chunk_event ev;
};

/* A pyramid; lane -1 is the whole track. */
struct tl_lod {
    int lane;
    int64_t t0;
    int shift; /* of level 0 */
    int levels;
};

struct tl_dir {
    struct tl_chunk *chunk;
    bool *checked; /* per chunk: it was read and found sound */
    size_t n, cap;
    struct tl_far *far;
    size_t n_far, cap_far;
    struct tl_lod *lod;
    size_t n_lods, cap_lods;
};

/* Size of the cache of decoded chunks; CHUNK_CACHE_LEAST where many timelines are shown together. */
#define CHUNK_CACHE       48
#define CHUNK_CACHE_LEAST 4
#define WALK_BLOCK        64 /* events that are given or left out together */
struct tl_decoded {
    const struct tl_chunk *chunk; /* NULL: empty */
    struct chunk_event *ev;
    int64_t reach[CHUNK_EVENTS / WALK_BLOCK]; /* last end in each block */
    uint64_t used;
};

/*
 * Size of the cache of parts of levels of detail: frames of the same window read the same parts.
 * PART_CACHE_LEAST where many timelines are shown together.
 */
#define PART_CACHE       64
#define PART_CACHE_LEAST 8
struct tl_blob {
    int64_t track; /* in the database; 0: empty */
    size_t store;
    int lane, level;
    uint32_t part;
    char *p; /* NULL: the part is empty, or the slot is */
    size_t n;
    uint64_t used;
};

/* Edges of the cells of a window, the same for all tracks. */
struct tl_grid {
    int64_t from, to;
    size_t n, cap;
    int64_t *edge; /* n + 1 */
    double per_ns;
};
/* Set n > 0 cells of [from, to), from < to. */
NODISCARD int grid_set(struct tl_grid *g, int64_t from, int64_t to, size_t n, struct err *e);
/* The cell that contains ts; the first or last one for times outside. */
size_t grid_cell(const struct tl_grid *g, int64_t ts);
void grid_free(struct tl_grid *g);

struct timeline {
    struct tl_part *parts;
    size_t n_parts;
    struct tl_track *tracks;
    struct tl_dir *dirs;        /* per track */
    enum op_class *track_class; /* OC_NONE: the class depends on the event */
    size_t n_tracks;
    struct arena *arena; /* texts of tracks */
    struct tl_decoded cache[CHUNK_CACHE];
    size_t n_cache; /* slots in use */
    struct tl_blob parts_read[PART_CACHE];
    size_t n_parts_read; /* slots in use */
    uint64_t cache_turn;
    struct tl_grid grid;
};

/* model/timeline/timeline_dir.c */
NODISCARD int dirs_load(struct timeline *t, size_t part, struct err *e);
void dirs_free(struct timeline *t);
/* The statement in *q, prepared when it is used for the first time, ready to be bound. */
NODISCARD int part_query(struct tl_part *p, struct query **q, const char *sql, struct err *e);
/* Set the error for a chunk that cannot be decoded. */
int chunk_damaged(struct err *e);
/*
 * Events of a chunk, with their lanes where the track has several (off is not set), valid until the next
 * call; NULL: error (a damaged chunk is ERR_FORMAT). keep: the chunk will be needed again soon.
 */
const struct tl_decoded *chunk_events(struct timeline *t, size_t track, const struct tl_chunk *c, bool keep,
                                      struct err *e);
/*
 * First chunk that may hold an event that is not far and ends at ts or later, and first chunk that begins
 * after ts.
 */
size_t dir_from(const struct tl_dir *d, int64_t ts);
size_t dir_after(const struct tl_dir *d, int64_t ts);

/*
 * Walk over the events of one track that touch [from, to], in order of time: blocks of chunks (with a few
 * neighbours that do not touch it), and between them the far events of chunks that are not decoded because
 * nothing else in them touches the window. backward: latest chunk first, up to `to`, without separate far
 * events (they come with their chunks; from has to be INT64_MIN).
 */
struct chunk_walk {
    const struct chunk_event *ev; /* of the current chunk, or far events; valid until a chunk is decoded */
    size_t n, base;               /* base: position of the first of them in the chunk */
    const struct tl_chunk *chunk; /* NULL: ev are far events */

    /* set these after walk_open() to get fewer chunks */
    const uint8_t *names; /* only chunks with a name whose byte is set (n_names of them) */
    size_t n_names;
    uint32_t name; /* only chunks with this name; 0: any */
    int lane;      /* only chunks with this lane; -1: any */
    bool once;     /* chunks are not kept decoded */
    bool sums;     /* chunks with all their events in the window are not decoded: ev is NULL */

    struct timeline *t;
    struct tl_dir *d;
    size_t track, at, end, far_at;
    size_t next; /* event of the current chunk to go on with */
    int64_t from, to;
    bool backward;
    struct chunk_event *far; /* memory that ev points to for far events */
    const struct tl_far **far_of;
};
void walk_open(struct chunk_walk *w, struct timeline *t, size_t track, int64_t from, int64_t to,
               bool backward);
/* 1: there are events of a chunk or far events, 0: no more, -1: error. */
int walk_next(struct chunk_walk *w, struct err *e);
void walk_close(struct chunk_walk *w);
/* Fill ev from event i of the walk. */
void walk_event(const struct chunk_walk *w, size_t i, struct tl_event *ev);

/* One event clipped to a window; false: it does not touch it. */
static inline bool event_clip(const struct chunk_event *ev, int64_t from, int64_t to, int64_t *a, int64_t *b)
{
    int64_t end = chunk_end(ev);

    if (ev->ts >= to || (end <= from && ev->ts < from))
        return false;
    *a = ev->ts > from ? ev->ts : from;
    *b = end < to ? end : to;
    return true;
}

enum op_class timeline_class(struct timeline *t, size_t track, int64_t name_id);

/* model/timeline/timeline_running.c: find the tracks of what was running; all parts' tracks are there. */
NODISCARD int running_load(struct timeline *t, size_t part, struct err *e);

/* model/timeline/timeline_area.c: value of a counter just before ts; NAN: none. */
NODISCARD int timeline_value_before(struct timeline *t, size_t track, int64_t ts, double *value,
                                    struct err *e);

/* model/timeline/timeline_cells.c */
/* Pyramid of a lane (-1: the track); NULL: none. */
const struct tl_lod *timeline_lod(const struct timeline *t, size_t track, int lane);
/* The buckets of one level in a window. */
struct tl_buckets {
    int64_t t0; /* of bucket 0 */
    int shift;
    uint32_t first, end;
};
struct tl_buckets timeline_buckets(const struct tl_lod *l, int level, int64_t from, int64_t to);
/*
 * Call fn for each stored part of these buckets. blob: the part; first: number of its first bucket that is
 * wanted; from: position of that bucket in the part; n: number of buckets. fn returns false when the blob is
 * damaged.
 */
typedef bool tl_part_fn(void *arg, struct str blob, uint32_t first, uint32_t from, uint32_t n);
NODISCARD int timeline_parts(struct timeline *t, size_t track, const struct tl_lod *l, int level,
                             const struct tl_buckets *b, tl_part_fn *fn, void *arg, struct err *e);
/*
 * Level of the pyramid that cells of this window are taken from (0: the finest); -1: they are made from
 * chunks.
 */
int timeline_cells_level(const struct timeline *t, size_t track, int lane, int64_t from, int64_t to, size_t n,
                         const struct tl_lod **lod);

/*
 * model/timeline/timeline_facts.c: details of an event from the tables, as "key: value" lines; none when they
 * have no row of it. track: number of its track in the store.
 */
NODISCARD int timeline_facts(struct store *s, int64_t track, const struct tl_event *ev, struct buf *out,
                             struct err *e);

#endif
