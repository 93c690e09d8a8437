/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines below each other on one time axis: ranks and runs, each from a store of its own, each moved by an
 * offset. The tracks of a lineup are those of the first part, then those of the second ...; its times are ns
 * of the base's clock as stored. The base is one of the parts.
 *
 * It calls the timelines (model/timeline/timeline.h, whose terms hold here) and converts their results.
 * Borrows them and their stores. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_H

#include "model/timeline/steps.h"
#include "model/timeline/timeline.h"

#define LINEUP_MOST 64 /* parts */

struct lineup;

struct lineup_part {
    struct timeline *tl;
    struct store *store;
    size_t key; /* of the caller, to recognise the part in another lineup */
    int rank;
    char label[64];
    int64_t offset_ns; /* offset of the part; positive: later */
    /* filled by lineup_new() */
    /*
     * the clocks give its position; false: they are not known, and the first instants are put on each other
     */
    bool by_clock;
    int64_t clock_ns; /* added to its times before the offset */
};

/* Copies parts (at least one). Errors: ERR_NOMEM, ERR_LIMIT. */
NODISCARD int lineup_new(struct lineup **out, const struct lineup_part *parts, size_t n, size_t base,
                         struct err *e);
void lineup_free(struct lineup *l);
size_t lineup_n_parts(const struct lineup *l);
const struct lineup_part *lineup_part(const struct lineup *l, size_t part);
void lineup_set_offset(struct lineup *l, size_t part, int64_t ns);
size_t lineup_base(const struct lineup *l);
/* ns from a time of the part as stored to the same time on the axis. */
int64_t lineup_shift(const struct lineup *l, size_t part);
/*
 * Convert a time of the part to the axis, and back. INT64_MIN and INT64_MAX (open ends, and results that do
 * not fit) stay.
 */
int64_t lineup_axis(const struct lineup *l, size_t part, int64_t ts);
int64_t lineup_stored(const struct lineup *l, size_t part, int64_t ts);

/* Steps of a part, as stored, read at the first call. NULL: error. */
const struct step_list *lineup_steps(struct lineup *l, size_t part, struct err *e);

size_t lineup_n_tracks(const struct lineup *l);
/* Its own times (t0, t1) are as stored; lineup_track_span() gives them on the axis. */
const struct tl_track *lineup_track(const struct lineup *l, size_t track);
size_t lineup_part_of(const struct lineup *l, size_t track);
/* Number of the track in its own timeline, and back. */
size_t lineup_local(const struct lineup *l, size_t track);
size_t lineup_global(const struct lineup *l, size_t part, size_t local);
void lineup_track_span(const struct lineup *l, size_t track, int64_t *t0, int64_t *t1);
bool lineup_span(const struct lineup *l, int64_t *t0, int64_t *t1);
/*
 * Cut a window off to where tracks with the clock of this one have something: on either side of it there is
 * nothing but what a track of another clock stretches the whole to. Nothing is cut where all have one clock,
 * or nothing would be left.
 */
void lineup_cut_to_clock(const struct lineup *l, size_t track, int64_t *from, int64_t *to);

/* ---- as for a timeline; tracks and times are those of the lineup ---- */
NODISCARD int lineup_cells(struct lineup *l, size_t track, int lane, int64_t from, int64_t to, size_t n,
                           struct tl_cell *out, struct err *e);
NODISCARD int lineup_cell(struct lineup *l, size_t track, int lane, int64_t from, int64_t to,
                          struct tl_figures *out, struct err *e);
NODISCARD int lineup_events(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_event *out,
                            size_t max, size_t *n, bool *more, struct err *e);
int lineup_at(struct lineup *l, size_t track, int64_t ts, int64_t tolerance, struct tl_event *ev,
              struct err *e);
int lineup_step(struct lineup *l, size_t track, int64_t ts, int64_t seq, int dir, int64_t name_id,
                struct tl_event *ev, struct err *e);
bool lineup_running(struct lineup *l, size_t track, struct tl_event *ev);
NODISCARD int lineup_area(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_area *out,
                          struct err *e);
/* Use it as that of a timeline. */
NODISCARD int lineup_sums_new(struct tl_sums **out, struct lineup *l, size_t track, int64_t from, int64_t to,
                              struct err *e);
NODISCARD int lineup_gaps(struct lineup *l, size_t track, int64_t from, int64_t to, struct tl_gap *out,
                          size_t max, size_t *n, struct err *e);
NODISCARD int lineup_busiest(struct lineup *l, size_t track, int64_t from, int64_t to, int64_t len,
                             int64_t *at, int64_t *busy_ns, struct err *e);
int lineup_flow(struct lineup *l, const struct tl_event *ev, struct tl_event *other, struct err *e);
struct str lineup_name(struct lineup *l, size_t track, int64_t name_id);
NODISCARD int lineup_detail(struct lineup *l, const struct tl_event *ev, const char *unit_root,
                            struct buf *out, struct err *e);
NODISCARD int lineup_op_facts(struct lineup *l, const struct tl_event *ev, struct buf *out, struct err *e);

#endif
