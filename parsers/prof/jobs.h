/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of a folder read in threads of their own while the caller goes on with others.
 *
 * Each job gets the folder as a view (prof_view()): it may read files, give notes and borrow arrays of the
 * pool, and makes no texts. Its notes and counts are passed on when it is joined, in the order of the jobs,
 * so that results do not depend on the number of threads. Nobody else reads the files of a job meanwhile.
 */
#ifndef NPUSCOPE_PARSERS_PROF_JOBS_H
#define NPUSCOPE_PARSERS_PROF_JOBS_H

#include "parsers/prof/prof.h"

struct prof_job {
    int (*run)(struct prof *view, void *arg, struct err *e); /* called in any thread */
    void *arg;                                               /* the caller's, until it is joined */
};
struct prof_jobs;

/*
 * Start the jobs, which are copied, in at most n threads and one less than there are processors; none is
 * started when p->in.threads is 1: they then run when they are joined. Errors: ERR_NOMEM.
 */
NODISCARD int prof_jobs_start(struct prof_jobs **out, struct prof *p, const struct prof_job *job, size_t n,
                              struct err *e);
/*
 * Wait for all jobs, and run those that have not begun. Errors: that of the first job that has one,
 * ERR_CANCELLED, ERR_NOMEM.
 */
NODISCARD int prof_jobs_join(struct prof_jobs *b, struct err *e);
/* Jobs that were not joined are stopped, and their notes are lost. NULL is allowed. */
void prof_jobs_free(struct prof_jobs *b);

#endif
