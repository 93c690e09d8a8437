/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --from, --to and --track of the timeline as conditions of SQL; each appends " AND ..." where it was given.
 * What ended when the window begins is not in it, what begins then is.
 */
#ifndef NPUSCOPE_WINDOW_H
#define NPUSCOPE_WINDOW_H

#include "cli/cli.h"

/*
 * Times of `ev` (alias with ts_ns; NULL: the table has none). has_dur: it has dur_ns too. The statement has
 * :rank. Errors: ERR_USAGE for a text that is no time, ERR_IO for a step that the run does not have.
 */
NODISCARD int window_times(const struct cli *c, const char *ev, bool has_dur, struct buf *out, struct err *e);
/*
 * The same as stored instants of one rank; open: INT64_MIN, INT64_MAX. A rank without the step that is named
 * gets an empty window.
 */
NODISCARD int window_of(const struct cli *c, const struct view_part *p, int64_t *from, int64_t *to,
                        struct err *e);
/* Checks that need no run: both are times, and the first comes first. ERR_USAGE. */
NODISCARD int window_check(const struct cli *c, struct err *e);
/* Tracks of alias `t` whose name or process contains the text. */
void window_track(const struct cli *c, struct buf *out);
bool window_is_given(const struct cli *c);

#endif
