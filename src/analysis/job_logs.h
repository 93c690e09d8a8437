/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs and dumps of the job that a session is about: where they are looked for (doc/formats/logs.md#places),
 * and what they say of its end. Read in a thread of its own, as they may be large; what it needs of the
 * session is copied when it starts.
 */
#ifndef NPUSCOPE_JOB_LOGS_H
#define NPUSCOPE_JOB_LOGS_H

#include "analysis/ending.h"
#include "base/buf.h"
#include "logs/log_verdict.h"

struct job_logs;

struct job_logs_opts {
    const char *const *extra; /* folders that are searched as a whole */
    size_t n_extra;
};

/* Begin to look for logs and to read them. o: NULL: no further folders. Errors: ERR_NOMEM. */
NODISCARD int job_logs_start(struct job_logs **out, const struct session *s, const struct job_logs_opts *o,
                             struct err *e);
/* They are read. wait: until they are. */
bool job_logs_done(struct job_logs *j, bool wait);
/*
 * After that: the verdict, with what the profiles say of who waits for whom (x, of the same session; NULL:
 * nothing), and times by clocks that are compared by their communication ops (s). Replaces an older one.
 * Errors: ERR_NOMEM, those of the stores, and what ended the reading.
 */
NODISCARD int job_logs_judge(struct job_logs *j, struct session *s, const struct ending *x, struct err *e);
/* NULL: there are no logs. */
const struct logs *job_logs_all(const struct job_logs *j);
const struct log_verdict *job_logs_verdict(const struct job_logs *j); /* NULL: not judged */
void job_logs_free(struct job_logs *j);                               /* ends the reading; NULL is allowed */

/*
 * Append all that led to the verdict, as lines for people (made of names in the logs: to be made safe when
 * shown): the first error, what to do, the course, the consequences, what is missing. A line that begins with
 * '#' is a heading.
 */
void job_logs_explain(const struct job_logs *j, struct buf *b);
/* The verdict in a sentence: "rank 2 (worker-0, device 2): AI Core exception in MatMulV3". Returns buf. */
char *job_logs_sentence(const struct log_verdict *v, char *buf, size_t n);
/* "plog-2793_20251009.log:3: there is an exception ..." of its first error; "" none. Returns buf. */
char *job_logs_first(const struct logs *l, const struct log_verdict *v, char *buf, size_t n);

#endif
