/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a window of a lineup to files: as a table (the columns of view_timeline_events; with several ranks
 * `rank` comes first) or as a trace for trace viewers (model/timeline/chrome.h). Times are those of the axis,
 * so they include the offsets of ranks.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_EXPORT_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_EXPORT_H

#include "model/timeline/lineup_match.h"
#include "model/writer/writer.h"

/* Everything is borrowed. */
struct lineup_cut {
    int64_t from_ns, to_ns;           /* on the axis; events that touch [from, to) are written */
    const bool *leave_out;            /* per track; NULL: no track is left out */
    const struct lineup_match *match; /* events that it keeps are written; NULL: all */
};

/*
 * Both count the events in *events. Errors: ERR_FORMAT when no event fits, ERR_NOMEM, ERR_IO, ERR_CANCELLED,
 * those of the writer.
 *
 * Rows come track after track, each in order of time; counters have no rows. absolute: times are Unix ns
 * where the clock is known, else ns since the base's first instant.
 */
NODISCARD int lineup_export_table(struct lineup *l, const struct lineup_cut *c, struct writer *w,
                                  bool absolute, uint64_t *events, struct err *e);
NODISCARD int lineup_export_trace(struct lineup *l, const struct lineup_cut *c, const struct write_to *to,
                                  uint64_t *events, struct err *e);

#endif
