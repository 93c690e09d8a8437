/*
 * A trace for trace viewers (Perfetto, chrome://tracing, MindStudio Insight): one object with traceEvents.
 * Times are numbers in us with three decimals, counted from the first event that is written; the absolute
 * time of that is in otherData.origin_ns. A track whose events overlap without nesting is parted into
 * several. Processes and threads are numbered, named and sorted as given.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_CHROME_H
#define NPUSCOPE_MODEL_TIMELINE_CHROME_H

#include "model/timeline/timeline.h"
#include "model/writer/writer.h"

/* One rank: what is cut out of it. Everything is borrowed. */
struct chrome_part {
    struct timeline *tl; /* of this rank alone */
    struct store *store; /* that it was made from */
    int rank;
    const char *label;      /* before the names of its processes, NULL: nothing */
    int64_t shift_ns;       /* added to its times: where it was aligned to */
    int64_t from_ns, to_ns; /* as stored: what touches [from, to); INT64_MIN and INT64_MAX: open */
    const size_t *tracks;   /* in this order; NULL: all of the timeline */
    size_t n_tracks;
    /* Which of them, NULL: every one. Counters are asked with the track alone (ev NULL). */
    bool (*keep)(void *arg, size_t track, const struct tl_event *ev);
    void *arg;
};

/*
 * Counts what was written in *events (samples of counters not included; NULL: nobody asks). An arrow is
 * written when the events at both its ends are. Errors: ERR_FORMAT nothing fits, ERR_IO, ERR_NOMEM,
 * ERR_CANCELLED, those of to.
 */
NODISCARD int chrome_write(const struct chrome_part *parts, size_t n, const struct write_to *to,
                           uint64_t *events, struct err *e);

#endif
