/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a view that need not be opened for them: whether it has data, and its line of totals
 * (model/view/view.h: needs, summary).
 */
#ifndef NPUSCOPE_MODEL_VIEW_FACTS_H
#define NPUSCOPE_MODEL_VIEW_FACTS_H

#include "model/view/view.h"

/* 1: there is data (or the view has no `needs`), 0: none in any part, -1: error. */
int view_has_data(const struct view_def *d, const struct view_part *parts, size_t n,
                  const struct view_scope *scope, struct err *e);
/*
 * Whether a step range is set and the rows of some part are the same without it, because its op times are not
 * recorded step by step.
 */
bool view_ignores_steps(const struct view_def *d, const struct view_part *parts, size_t n,
                        const struct view_scope *scope);

/* Unit by the end of a column's name, as in the schema: _ns, _b, _pct ... */
enum view_unit view_unit_of_name(struct str name);

struct fact {
    char name
        /*
         * name of the column in the statement: shown with '_' as a blank; a unit suffix (_ns, _b, _pct ...)
         * sets the unit
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
/* The row of d->summary for the first part (no row: n is 0). Free it with facts_done(). */
NODISCARD int view_summary(const struct view_def *d, const struct view_part *parts, size_t n,
                           const struct view_scope *scope, struct facts *out, struct err *e);
/* The same for any statement with :rank, :step0, :step1, :first_step. */
void facts_done(struct facts *f);
/*
 * Whether the run has op executions in the steps of the scope; false where its op times are not recorded step
 * by step (MindSpore 1.x).
 */
bool facts_ops_in_steps(const struct view_part *part, const struct view_scope *scope);

#endif
