/*
 * What a window of a lineup holds, for files: as a table (the columns of view_timeline_events; of several
 * ranks `rank` comes first), as a trace for trace viewers (model/timeline/chrome.h). Times are those of the
 * axis: of ranks that were moved, moved.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_EXPORT_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_EXPORT_H

#include "model/timeline/lineup_match.h"
#include "model/writer/writer.h"

/* All of it is borrowed. */
struct lineup_cut {
    int64_t from_ns, to_ns;           /* on the axis: what touches [from, to) */
    const bool *leave_out;            /* per track; NULL: none is */
    const struct lineup_match *match; /* what it keeps; NULL: everything */
};

/*
 * Both count the events in *events. Errors: ERR_FORMAT when nothing fits, ERR_NOMEM, ERR_IO, ERR_CANCELLED,
 * those of the writer.
 *
 * Track after track, each in order of time; counters have no rows. absolute: Unix ns where the clock is
 * known, else ns since the base's first instant.
 */
NODISCARD int lineup_export_table(struct lineup *l, const struct lineup_cut *c, struct writer *w,
                                  bool absolute, uint64_t *events, struct err *e);
NODISCARD int lineup_export_trace(struct lineup *l, const struct lineup_cut *c, const struct write_to *to,
                                  uint64_t *events, struct err *e);

#endif
