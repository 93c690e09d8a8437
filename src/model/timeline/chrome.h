/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace for trace viewers (Perfetto, chrome://tracing, MindStudio Insight): one object with traceEvents.
 * Times are numbers in us with three decimals, counted from the first event that is written; the absolute
 * time of that is in otherData.origin_ns. A track whose events overlap without nesting is split into several.
 * Processes and threads are numbered, named and sorted as given.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_CHROME_H
#define NPUSCOPE_MODEL_TIMELINE_CHROME_H

#include "model/timeline/timeline.h"
#include "model/writer/writer.h"

/* One rank, and the window of it that is written. Everything is borrowed. */
struct chrome_part {
    struct timeline *tl; /* of this rank alone */
    struct store *store; /* that tl was made from */
    int rank;
    const char *label;      /* put before the names of its processes; NULL: nothing */
    int64_t shift_ns;       /* added to its times, to align them */
    int64_t from_ns, to_ns; /* as stored: events that touch [from, to); INT64_MIN, INT64_MAX: open */
    const size_t *tracks;   /* written in this order; NULL: all tracks of the timeline */
    size_t n_tracks;
    /* whether an event is written; NULL: every one is. Called for counters with the track alone (ev NULL) */
    bool (*keep)(void *arg, size_t track, const struct tl_event *ev);
    void *arg;
};

/*
 * *events (may be NULL) gets the number of events written, without samples of counters. An arrow is written
 * when the events at both its ends are. Errors: ERR_FORMAT (no event fits), ERR_IO, ERR_NOMEM, ERR_CANCELLED,
 * those of to.
 */
NODISCARD int chrome_write(const struct chrome_part *parts, size_t n, const struct write_to *to,
                           uint64_t *events, struct err *e);

#endif
