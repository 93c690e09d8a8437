/*
 * Files of a folder read in threads of their own while the caller goes on with others.
 *
 * Each job gets the folder as a view (prof_view()): it may read files, tell notes and borrow arrays of the
 * pool, and makes no texts. What it tells and counts is given on when it is joined, in the order of the jobs,
 * so that results do not depend on how many threads there were. The files of a job are read by nobody else
 * meanwhile.
 */
#ifndef NPUSCOPE_PARSERS_PROF_JOBS_H
#define NPUSCOPE_PARSERS_PROF_JOBS_H

#include "parsers/prof/prof.h"

struct prof_job {
    int (*run)(struct prof *view, void *arg, struct err *e); /* in whatever thread */
    void *arg;                                               /* the caller's, until it is joined */
};
struct prof_beside;

/*
 * Begin the jobs, which are copied: in one thread less than there are processors, at most n; none when
 * p->in.threads is 1, then they run when they are joined. Errors: ERR_NOMEM.
 */
NODISCARD int prof_beside_start(struct prof_beside **out, struct prof *p, const struct prof_job *job,
                                size_t n, struct err *e);
/*
 * Wait for all of them, helping with those not begun. The error of the first that has one, ERR_CANCELLED,
 * ERR_NOMEM.
 */
NODISCARD int prof_beside_join(struct prof_beside *b, struct err *e);
/* Jobs that were not joined are stopped, and what they said is lost. NULL is allowed. */
void prof_beside_free(struct prof_beside *b);

#endif
