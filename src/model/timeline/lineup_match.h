/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events of a lineup a filter keeps: the lines of the other panes (model/view/filter.h, columns of
 * view_timeline_events), all of which have to hold, and the text of a search. Tests on names run once over
 * the distinct names, tests on tracks once over the tracks; the other tests run over the events, in slices,
 * to count them and to know where they are.
 *
 * Borrows the lineup, the filters and the search. Make it again when parts were moved: starts are compared as
 * they are shown. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_MATCH_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_MATCH_H

#include "model/timeline/lineup.h"
#include "model/view/filter.h"

struct lineup_match;

struct lineup_match_opts {
    struct filter *const *filters;
    size_t n_filters;
    struct re *search; /* of the name; NULL: none */
    int64_t zero;      /* time of the axis that is shown as 0 */
};

/* The view whose columns filters are compiled with. */
const struct view_def *lineup_match_columns(void);
/* Errors: ERR_USAGE for a column that the timeline does not have. */
NODISCARD int lineup_match_check(const struct filter *f, struct err *e);
/* Errors: ERR_USAGE for a column that the timeline does not have, ERR_NOMEM, ERR_IO. */
NODISCARD int lineup_match_new(struct lineup_match **out, struct lineup *l, const struct lineup_match_opts *o,
                               struct err *e);
void lineup_match_free(struct lineup_match *m);

bool lineup_match_event(const struct lineup_match *m, const struct tl_event *ev);
/* Whether an event of the track may match, as far as is known; a counter matches by its own name. */
bool lineup_match_track(const struct lineup_match *m, size_t track);

/*
 * Go on counting for about budget_ns. *more: there is work left, also after an error: the track that failed
 * is left out from then on.
 */
NODISCARD int lineup_match_work(struct lineup_match *m, int64_t budget_ns, bool *more, struct err *e);
/* Events found so far; *of: of how many (without counters). */
uint64_t lineup_match_count(const struct lineup_match *m, uint64_t *of);
/* Some track could not be counted to its end: the count is only a lower bound. */
bool lineup_match_failed(const struct lineup_match *m);
/*
 * Number of names (of events, tracks, layers) for which a pattern was too costly: they count as no match,
 * also for a negated test.
 */
size_t lineup_match_undecided(const struct lineup_match *m);

/*
 * out[i]: a matching event touches cell i of the n cells of [from, to), as in timeline_cells(). Where cells
 * are wide this comes from what was counted (then an event near an edge may count for both cells), where they
 * are narrow from the events.
 */
NODISCARD int lineup_match_cells(struct lineup_match *m, size_t track, int lane, int64_t from, int64_t to,
                                 size_t n, bool *out, struct err *e);

/*
 * The match after (dir 1) or before (-1) an event's position (ts, track, seq) in the order of time, then of
 * tracks. 1: found, 0: none, -1: error.
 */
int lineup_match_next(struct lineup_match *m, int64_t ts, size_t track, int64_t seq, int dir,
                      struct tl_event *ev, struct err *e);

#endif
