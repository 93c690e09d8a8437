/*
 * Which events of a lineup a filter keeps: the lines of the other panes (model/view/filter.h, columns of
 * view_timeline_events), all of which have to hold, and the text of a search. Tests on names run once over
 * the distinct names, tests on tracks once over the tracks; what remains is asked of the events, in slices,
 * to count them and to know where they are.
 *
 * Borrows the lineup, the filters and the search. Make it anew when parts were moved: starts are compared as
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

/* Columns that the filters are compiled with. */
const struct view_def *lineup_match_columns(void);
/* ERR_USAGE: the timeline cannot be asked for one of its columns. */
NODISCARD int lineup_match_check(const struct filter *f, struct err *e);
/* Errors: ERR_USAGE for a column that the timeline does not have at hand, ERR_NOMEM, ERR_IO. */
NODISCARD int lineup_match_new(struct lineup_match **out, struct lineup *l, const struct lineup_match_opts *o,
                               struct err *e);
void lineup_match_free(struct lineup_match *m);

bool lineup_match_event(const struct lineup_match *m, const struct tl_event *ev);
/* Some event of the track matches, as far as is known; a counter matches by its own name. */
bool lineup_match_track(const struct lineup_match *m, size_t track);

/*
 * Go on counting for about budget_ns. *more: there is work left, also after an error: what failed is left out
 * from then on.
 */
NODISCARD int lineup_match_work(struct lineup_match *m, int64_t budget_ns, bool *more, struct err *e);
/* Events found so far, of how many (counters left out). */
uint64_t lineup_match_count(const struct lineup_match *m, uint64_t *of);
/*
 * Some track could not be counted to its end: the count is the least there is, however long the work goes on.
 */
bool lineup_match_failed(const struct lineup_match *m);
/*
 * Patterns were too costly for so many names (of events, tracks, layers): they count as no match, also of a
 * test that is negated.
 */
size_t lineup_match_undecided(const struct lineup_match *m);

/*
 * out[i]: a matching event touches cell i of the n cells of [from, to), as of timeline_cells(). From what was
 * counted where cells are wide (then an event beside an edge may count for both cells), from the events where
 * they are narrow.
 */
NODISCARD int lineup_match_cells(struct lineup_match *m, size_t track, int lane, int64_t from, int64_t to,
                                 size_t n, bool *out, struct err *e);

/*
 * The match after (dir 1) or before (-1) an event's place (ts, track, seq) in the order of time, then of
 * tracks. 1 found, 0 none, -1 error.
 */
int lineup_match_next(struct lineup_match *m, int64_t ts, size_t track, int64_t seq, int dir,
                      struct tl_event *ev, struct err *e);

#endif
