/* The inside of struct timeline, for src/model/timeline*.c. */
#ifndef NPUSCOPE_TIMELINE_INT_H
#define NPUSCOPE_TIMELINE_INT_H

#include "base/arena.h"
#include "model/timeline.h"
#include "store/chunk.h"

struct tl_part {
    struct store *store;
    int rank;
    uint8_t *classes; /* by name id: class + 1, 0 unknown */
    size_t n_classes;
};

struct timeline {
    struct tl_part *parts;
    size_t n_parts;
    struct tl_track *tracks;
    enum op_class *track_class; /* OC_NONE: by event */
    size_t n_tracks;
    struct arena *arena; /* texts of tracks */
};

/* Walk over the chunks of one track that touch a window, in order of time. */
struct chunk_walk {
    struct query *q;
    struct chunk_event *ev; /* of the current chunk, with lanes */
    size_t n;
    int64_t id, t0, t1;
};
/* [from, to]: chunks with t0 <= to and t1 >= from. backward: latest first. Close with walk_close in
 * any case. */
NODISCARD int walk_open(struct chunk_walk *w, struct timeline *t, size_t track, int64_t from,
                        int64_t to, bool backward, struct err *e);
/* 1: a chunk is there, 0 no more, -1 error (a damaged chunk is ERR_FORMAT). */
int walk_next(struct chunk_walk *w, struct err *e);
void walk_close(struct chunk_walk *w);

/* Fill ev from event i of the walk's chunk. */
void walk_event(const struct chunk_walk *w, size_t track, size_t i, struct tl_event *ev);
enum op_class timeline_class(struct timeline *t, size_t track, int64_t name_id);

static inline int64_t event_end(const struct chunk_event *ev)
{
    int64_t end;
    return ev->dur <= 0 ? ev->ts : __builtin_add_overflow(ev->ts, ev->dur, &end) ? INT64_MAX : end;
}

#endif
