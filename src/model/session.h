/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open job: its ranks, the stores that are loaded, and the selected rank. Panes and commands get their
 * view_part lists here.
 *
 * The session does not import: the caller does (import/worker.h) and attaches the store. Owns the
 * stores it opened. Not thread-safe.
 */
#ifndef NPUSCOPE_SESSION_H
#define NPUSCOPE_SESSION_H

#include "model/timeline/timeline.h"
#include "model/view/view.h"
#include "run/inventory.h"

struct session;

struct session_rank {
    int rank;
    bool known;
    int device;
    size_t unit; /* index in the job */
};
/* Device of a rank; files of MindSpore 1.x that say none carry its number as that of the rank. */
static inline int session_rank_device(const struct session_rank *r)
{
    return r->device >= 0 ? r->device : r->rank;
}

/* Takes ownership of job. */
NODISCARD int session_new(struct session **out, struct job *job, struct err *e);
void session_free(struct session *s);
const struct job *session_job(const struct session *s);
/*
 * The label that tells a unit from the others: its path below the one that was opened, without the last parts
 * that all have in common. Returns buf.
 */
const char *session_unit_label(const struct session *s, size_t unit, char *buf, size_t n);
size_t session_n_ranks(const struct session *s);
const struct session_rank *session_rank(const struct session *s, size_t i);
/*
 * Index of a rank number, SIZE_MAX when there is none. Of several profiles of the rank the one beside the
 * selected rank, else the first.
 */
size_t session_find_rank(const struct session *s, int rank);

/* Open the store of a unit (closing an older one, and every view over it must be closed before).
 * partial: still being filled. */
NODISCARD int session_attach(struct session *s, size_t unit, const char *store_path, bool partial,
                             struct err *e);
/* The same with a store that is open already (in memory); the session owns it from now on. */
void session_attach_store(struct session *s, size_t unit, struct store *store, bool partial);
void session_detach(struct session *s, size_t unit);
/*
 * Replace a unit by the one that a new scan of its root found, unless that has other ranks (then the old one
 * stays: other ranks need a new session). Nothing may refer to the old unit any more. Takes ownership of the
 * scan.
 */
void session_renew_unit(struct session *s, size_t unit, struct job *scan);
/*
 * How many ranks of a scan of the whole job the session does not have; first (may be NULL): the lowest of
 * them.
 */
size_t session_lacks(const struct session *s, const struct job *scan, int *first);
/*
 * Replace the job by a new scan of the whole job: ranks may have come and gone. Stores stay with the units
 * whose root is the same, the selected rank stays selected; the overview and all timelines are closed, and
 * views must be closed before. moved: for each rank index before the call the index after it, SIZE_MAX: the
 * rank is gone. Takes ownership of the scan, also when it fails: then nothing has changed. Errors: ERR_NOMEM.
 */
NODISCARD int session_renew(struct session *s, struct job *scan, size_t *moved, struct err *e);
/*
 * Set a function that is called again and again while a statement over any of the session's stores runs, also
 * those attached later; true ends the statement with ERR_CANCELLED.
 */
void session_progress(struct session *s, bool (*fn)(void *arg), void *arg);
/*
 * Set the overview of the job (import/overview.h); the session owns it. NULL: none. Views over an older one
 * must be closed before.
 */
void session_attach_overview(struct session *s, struct store *overview);
/*
 * Set the store of the job's logs (analysis/log_rows.h); the session owns it. NULL: none. Views over an older
 * one must be closed before.
 */
void session_attach_logs(struct session *s, struct store *logs);
struct store *session_logs(const struct session *s);               /* NULL: there is none */
struct store *session_overview(const struct session *s);           /* NULL: there is none */
struct store *session_store(const struct session *s, size_t unit); /* NULL: not loaded */
/* A damaged page of a store was met since this was last asked, by whatever statement. */
bool session_met_damage(void);
/* A damaged page of this unit's store was met. */
bool session_is_damaged(const struct session *s, size_t unit);
bool session_is_partial(const struct session *s, size_t unit);

/* Index of the selected rank, for session_rank(). */
size_t session_current(const struct session *s);
void session_select(struct session *s, size_t rank_index);
/* Number of the run (run/find/runs.h) that a rank's profile is of. */
size_t session_run(const struct session *s, size_t rank_index);
/* It is of the same run as the selected one, and of the same window of a dynamic profile. */
bool session_is_same_run(const struct session *s, size_t rank_index);
/* The same, known for all ranks: it goes with the selected one. */
bool session_is_beside(const struct session *s, size_t rank_index);
size_t session_n_beside(const struct session *s); /* how many do, the selected one among them */
/*
 * The part of the selected rank (n 0 or 1), or of every rank beside it whose store is loaded. Valid until the
 * next call of it (or of session_parts_for()), attach, detach or select.
 */
const struct view_part *session_parts(struct session *s, bool all, size_t *n);
/*
 * Parts for a view of this definition: for one over the job every rank of the overview, over the logs their
 * store (n 0: there is none), else as session_parts().
 */
const struct view_part *session_parts_for(struct session *s, const struct view_def *d, bool all, size_t *n);
struct view_scope *session_scope(struct session *s);
/* Timeline of a rank, made on first use, kept until its store goes. NULL with e set on failure. */
struct timeline *session_timeline(struct session *s, size_t rank_index, struct err *e);
/* Close the timelines of all ranks but these. */
void session_keep_timelines(struct session *s, const size_t *rank_index, size_t n);
/* Name for titles: last parts of the job's path. */
const char *session_title(const struct session *s);

#endif
