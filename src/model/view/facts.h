/*
 * What a view can tell without being opened: whether it has data, and its line of totals (model/view/view.h:
 * needs, summary).
 */
#ifndef NPUSCOPE_MODEL_VIEW_FACTS_H
#define NPUSCOPE_MODEL_VIEW_FACTS_H

#include "model/view/view.h"

/* 1: there is data (or the view does not say what it needs), 0: none in any part, -1: error. */
int view_has_data(const struct view_def *d, const struct view_part *parts, size_t n,
                  const struct view_scope *scope, struct err *e);
/*
 * A step range is set, and the rows of some part are the same without it: its op times are not recorded step
 * by step.
 */
bool view_ignores_steps(const struct view_def *d, const struct view_part *parts, size_t n,
                        const struct view_scope *scope);

struct fact {
    char name
        /*
         * column of the statement: shown as it is, '_' as a blank; a unit suffix (_ns, _b, _pct ...) sets the
         * unit
         */
        [64];
    enum view_unit unit;
    struct val v; /* text lies in the struct facts */
};
struct facts {
    struct fact f[24];
    size_t n;
    struct buf texts;
};
/* The row of d->summary for the first part (none: n is 0). facts_done() frees. */
NODISCARD int view_summary(const struct view_def *d, const struct view_part *parts, size_t n,
                           const struct view_scope *scope, struct facts *out, struct err *e);
/* The same for any statement with :rank, :step0, :step1, :first_step. */
NODISCARD int facts_query(const char *sql, const struct view_part *part, const struct view_scope *scope,
                          struct facts *out, struct err *e);
void facts_done(struct facts *f);
/*
 * The run has op executions in the steps of the scope; false where its op times are not recorded step by step
 * (generation 1).
 */
bool facts_ops_in_steps(const struct view_part *part, const struct view_scope *scope);
/* By name as in the statement; VAL_NULL when it is not there. */
struct val facts_get(const struct facts *f, const char *name);

#endif
