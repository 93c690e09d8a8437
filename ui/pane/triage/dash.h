/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Triage says before any table (doc/screens.md#triage): the verdict, how long the steps were and what
 * they are made of, the longest op types, of a rank that hangs what it did last. Owns what it has read; draws
 * without reading anything.
 */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_DASH_H
#define NPUSCOPE_UI_PANE_TRIAGE_DASH_H

#include "analysis/verdict.h"
#include "base/buf.h"
#include "ui/widget/draw.h"

struct dash;

/* x: of the same session, borrowed for the call. Errors: those of the stores, ERR_NOMEM. */
NODISCARD int dash_make(struct dash **out, struct session *s, const struct ending *x,
                        const struct job_logs *logs, struct err *e);
void dash_free(struct dash *d);
const struct verdict *dash_verdict(const struct dash *d);
size_t dash_n_ranks(const struct dash *d);
/* The ranks that it compares, and the scale of their steps' lengths, ns; borrowed. */
const struct peers *dash_peers(const struct dash *d, double *lo, double *hi);

/*
 * Each draws into a from its first row and returns the rows used, at most a.h.
 * cursor: line of the verdict, SIZE_MAX none; slow: no reverse video. go(arg, pane, buf, n) makes the key of
 * a pane. Lines that have no room are counted in the last one.
 */
struct dash_verdict_opts {
    size_t cursor;
    bool slow;
    void (*go)(void *arg, enum pane_id id, char *buf, size_t n);
    void *arg;
    int *row; /* of VERDICT_MAX lines: the first row on the canvas of each, -1 not drawn */
};
int dash_draw_verdict(const struct dash *d, struct canvas *c, struct rect a,
                      const struct dash_verdict_opts *o);
/* split: also what a step is made of. */
int dash_draw_steps(const struct dash *d, struct canvas *c, struct rect a, bool split);
/*
 * What feeds the device: how long a step waits for it (of that rank; -1: mean of all), and what the queues
 * before it say, in one row; nothing where the verdict says it.
 */
int dash_draw_input(const struct dash *d, int rank, struct canvas *c, struct rect a);
/* Share of a step that the rank waits before its first op; NAN: not known. */
double dash_prep(const struct dash *d, int rank);
/* Of many ranks: how many are late, dead or as the others, and a strip of them by steps; else nothing. */
int dash_draw_groups(const struct dash *d, struct canvas *c, struct rect a);
/*
 * The longest op types of all ranks, or of the selected one, in one line or in so many rows with bars.
 * c NULL: only count.
 */
int dash_draw_top(const struct dash *d, bool one_rank, struct canvas *c, struct rect a, size_t rows);
/* What the rank that hangs did last, at most so many rows; nothing when none hangs. c NULL: only count. */
int dash_draw_last(const struct dash *d, struct canvas *c, struct rect a, size_t rows);
/* The last steps of a rank in w cells, on the scale of all ranks. */
void dash_draw_recent(const struct dash *d, int rank, struct canvas *c, int y, int x, int w);
/* What those cells show: "last 20 steps", "by step" where there is no room. */
void dash_recent_head(const struct dash *d, int w, char *buf, size_t n);
/* When what the line says began, on the clock of its rank; false: it says nothing of an op. */
bool dash_time(const struct dash *d, size_t line, int64_t *ts_ns);
/* The proof of a line: its sentence, the rule, what it compares rank by rank. */
void dash_why(const struct dash *d, size_t line, struct buf *b);

/*
 * The last activities of a rank, the newest first: "  -207 us  Communication  AllReduce-op481   RUNNING, no
 * end record". Those that have no room are counted in the last line. Returns the lines drawn.
 */
int dash_draw_acts(const struct ending *x, struct canvas *c, struct rect a);

#endif
