/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the timeline: tracks, cells of a window, events, areas, flows (doc/performance.md#store,
 * #level-of-detail).
 *
 * Times are ns relative to the origin of the rank (as stored). A frame costs columns x tracks; how
 * cells are found (chunks or levels of detail) is hidden here. Not thread-safe; borrows its stores.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_TIMELINE_H
#define NPUSCOPE_MODEL_TIMELINE_TIMELINE_H

#include <stdbool.h>

#include "base/bounded.h"
#include "base/buf.h"
#include "run/opclass.h"
#include "store/store.h"

struct timeline;

struct tl_track {
    int64_t id;  /* track.id of its store */
    size_t part; /* index of the rank's store */
    int rank;
    struct str kind, process, name, unit; /* kind as in table track; valid until timeline_close */
    int64_t stream;                       /* -1: none */
    int64_t n, t0, t1, busy_ns;
    size_t place; /* position among those of its store, in the order of the source */
    int lanes;
    bool is_counter, is_host;
    bool is_unsure; /* its times may be off (doc/store.md#marks) */
    /*
     * Its file has another clock than the rest of the rank, and was moved to begin with it: instants of it
     * are not comparable with those of other files.
     */
    bool own_clock;
    /* Name of what began on it at runs_from and has no end: the data ends, at runs_to. 0: nothing. */
    int64_t runs, runs_from, runs_to;
};

NODISCARD int timeline_open(struct timeline **out, struct store *const *stores, const int *ranks, size_t n,
                            struct err *e);
void timeline_close(struct timeline *t);
/* The timeline is one of n that are shown together: it keeps n times fewer chunks decoded. */
void timeline_set_cache(struct timeline *t, size_t n);
/* Tracks in screen order (without flow pseudo tracks). */
size_t timeline_n_tracks(const struct timeline *t);
const struct tl_track *timeline_track(const struct timeline *t, size_t i);
/*
 * Where a window [.., end) has all of the track: after its last instant, where an event without length may
 * be, and after the begin of what was running.
 */
static inline int64_t timeline_track_end(const struct tl_track *t)
{
    return bounded_add(t->runs && t->runs_from > t->t1 ? t->runs_from : t->t1, 1);
}
/* First start of all tracks, and the last of their ends as above; false when there are no events. */
bool timeline_span(const struct timeline *t, int64_t *t0, int64_t *t1);

struct tl_cell {
    uint32_t count;    /* events that begin in the cell (counters: samples) */
    float busy;        /* share of the cell covered by outermost events, 0..1 */
    double level;      /* counters: last value in or before the cell; NAN: none */
    double lo, hi;     /* counters: range in the cell */
    int64_t name_id;   /* name with most occupied time in it; 0: none */
    enum op_class cls; /* its class */
};
/*
 * Cells of [from, to) split in n equal parts (cell i covers from + (to-from)*i/n ..). lane -1: the whole
 * track; else one lane of it. They are for drawing: where there are many events they come from levels of
 * detail, whose buckets are at most a quarter of a cell wide. So busy is right to an eighth, an event may be
 * counted in the cell next to its own when it begins within an eighth of the edge, and the name is mostly the
 * one with most time. Figures that are printed come from timeline_cell() and timeline_area(). Errors:
 * ERR_NOMEM, ERR_IO, ERR_CANCELLED, ERR_FORMAT (damaged store).
 */
NODISCARD int timeline_cells(struct timeline *t, size_t track, int lane, int64_t from, int64_t to, size_t n,
                             struct tl_cell *out, struct err *e);

/*
 * Exact figures of [from, to): events that touch it, ns covered by outermost events, the last value in or
 * before it (NAN: none).
 */
struct tl_figures {
    uint64_t events;
    int64_t busy_ns;
    double level;
};
NODISCARD int timeline_cell(struct timeline *t, size_t track, int lane, int64_t from, int64_t to,
                            struct tl_figures *out, struct err *e);

struct tl_event {
    size_t track;
    int64_t ts_ns, dur_ns;
    int lane;
    int64_t name_id;
    enum op_class cls;
    int64_t seq; /* position in the track: identity of the event */
};
/* seq of what was running when the data ended (timeline_running()): its duration is what is known of it. */
#define TL_RUNNING (INT64_MAX - 1)
/*
 * What was running on the track when the data ended. It is in no cell, figure, gap or list of events;
 * timeline_at() and timeline_step() find it. false: nothing was.
 */
bool timeline_running(struct timeline *t, size_t track, struct tl_event *ev);
/* Events that touch [from, to), by start, at most max (the first ones). *more: some were left out.
 */
NODISCARD int timeline_events(struct timeline *t, size_t track, int64_t from, int64_t to,
                              struct tl_event *out, size_t max, size_t *n, bool *more, struct err *e);
/*
 * The event covering ts (innermost lane), else the nearest one within tolerance ns. 1: found, 0: none, -1:
 * error.
 */
int timeline_at(struct timeline *t, size_t track, int64_t ts, int64_t tolerance, struct tl_event *ev,
                struct err *e);
/* Next (dir 1) or previous (-1) event on the track by start after (before) the given position;
 * name_id 0: any name. */
int timeline_step(struct timeline *t, size_t track, int64_t ts, int64_t seq, int dir, int64_t name_id,
                  struct tl_event *ev, struct err *e);

struct tl_area {        /* exact figures of [from, to) on one track */
    uint64_t events;    /* events that touch it */
    int64_t busy_ns;    /* covered by outermost events, clipped */
    int64_t dur_sum_ns; /* sum of durations, clipped: overlaps count twice */
    int64_t longest_ns;
    int64_t longest_name;
    int64_t longest_gap_ns, longest_gap_at;
};
NODISCARD int timeline_area(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_area *out,
                            struct err *e);
struct tl_name {
    int64_t name_id, busy_ns, longest_ns;
    uint64_t events;
};
/*
 * Sums per name (clipped to the window), in slices: each call does at most a given number of chunks (of 4 096
 * events). Free it before the timeline.
 */
struct tl_sums;
NODISCARD int timeline_sums_new(struct tl_sums **out, struct timeline *t, size_t track, int64_t from,
                                int64_t to, struct err *e);
/* 1: all is summed, 0: more is left, -1: error. */
int timeline_sums_run(struct tl_sums *s, size_t chunks, struct err *e);
size_t timeline_sums_left(const struct tl_sums *s); /* chunks */
/* At most max names, those with most time first. */
void timeline_sums_get(const struct tl_sums *s, struct tl_name *out, size_t max, size_t *n);
void timeline_sums_free(struct tl_sums *s); /* NULL is allowed */
struct tl_gap {
    int64_t from_ns, len_ns;
    int64_t after_name, before_name; /* of the events that end and begin there; 0: the window cuts the gap */
};
NODISCARD int timeline_gaps(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_gap *out,
                            size_t max, size_t *n, struct err *e);
/*
 * The stretch of len ns within [from, to) in which outermost events cover most of the time; *busy_ns is the
 * exact time that they cover. It is found through the levels of detail: the best stretch covers at most a
 * quarter of len more. When len is less than 16 buckets of the lowest level the best one is found, by
 * decoding the chunks that can hold it; when those are more than 64, only the most promising ones are
 * decoded.
 */
NODISCARD int timeline_busiest(struct timeline *t, size_t track, int64_t from, int64_t to, int64_t len,
                               int64_t *at, int64_t *busy_ns, struct err *e);
/*
 * Other end of a flow that begins at this event, else of one that ends there. 1: found, 0: none, -1: error.
 */
int timeline_flow(struct timeline *t, const struct tl_event *ev, struct tl_event *other, struct err *e);
/* Text of a name_id of the track's store; p NULL: none. */
struct str timeline_name(struct timeline *t, size_t track, int64_t name_id);
/*
 * Details of an event from the source file (args as text, key: value lines), read on demand; a line of text
 * instead when the source is gone or packed.
 */
NODISCARD int timeline_detail(struct timeline *t, const struct tl_event *ev, const char *unit_root,
                              struct buf *out, struct err *e);
/* What the tables know of the op or communication op that an event is, as key: value lines. */
NODISCARD int timeline_op_facts(struct timeline *t, const struct tl_event *ev, struct buf *out,
                                struct err *e);

#endif
