/*
 * Import in a child process (the same binary), seen from the screen or a command: start, follow,
 * cancel. Hides the mechanism (doc/style.md#data-flow, doc/reliability.md#dead-worker). One worker per unit.
 */
#ifndef NPUSCOPE_WORKER_H
#define NPUSCOPE_WORKER_H

#include <poll.h>
#include <stdbool.h>

#include "base/err.h"

struct worker;

/* First argument with which main() hands over to worker_main() (import.h). */
#define WORKER_COMMAND "--import-worker"

struct worker_opts {
    const char *unit_root;  /* folder of the unit */
    const char *store_path; /* final name of the store; NULL: the cache's */
    bool watched;           /* a screen reads the unfinished store */
    unsigned later;         /* leave large files for later that feed only these panes (bits); what an
                               earlier import left and is not among them is added to the store */
    const char *add_path;   /* only this file (its path below the root), added to the finished store as
                               a table of its own; NULL: the whole unit */
    /*
     * workers that share the memory of one; 0, 1: it has all of it. What does not fit into a share ends with
     * ERR_NOMEM
     */
    unsigned jobs;
    const char *add_part; /* of it, only this table of a database; NULL: the file itself */
};

enum worker_event {
    WORKER_NOTHING,
    WORKER_PROGRESS, /* figures changed */
    WORKER_COMMIT,   /* more rows can be read from temp_path */
    WORKER_CLOSE,    /* everything is read: close the temporary store, then call worker_go_on() */
    WORKER_DONE,     /* the store lies at store_path */
    WORKER_FAILED    /* err says why */
};

struct worker_status {
    uint64_t done_b, total_b;
    unsigned files_done, files_total;
    double seconds; /* since the start */
    char now[256];  /* file being read, below the unit's root, raw bytes */
    char last[256]; /* file read last */
    uint64_t last_rows;
    char temp_path[1024];   /* readable from the first WORKER_COMMIT on */
    char store_path[1024];  /* valid with WORKER_DONE */
    char generic_table[64]; /* with add_path: name of the table */
    bool small_done;        /* the small tables, which feed the first screen, can be read */
    bool partial;           /* cancelled: what is whole was kept */
    bool adding;            /* what was left for later is read into the store that was there */
    char no_room[600];      /* files that are not read because they do not fit, and why; "" none */
    struct err err;
};

NODISCARD int worker_start(struct worker **out, const struct worker_opts *o, struct err *e);
int worker_fd(const struct worker *w);           /* readable when worker_poll has something */
enum worker_event worker_poll(struct worker *w); /* never blocks */
const struct worker_status *worker_status(const struct worker *w);
void worker_go_on(struct worker *w);
/* Stop and keep what is whole (marks the store PARTIAL); DONE or FAILED follows. */
void worker_cancel(struct worker *w);
/* End the child at once if it still runs, reap it, free. NULL is allowed. */
void worker_free(struct worker *w);

/*
 * Workers over all units of a job: beside the screen, of each unit what the job's overview rests on
 * (overview.h). Large files stay for when their rank is opened. Nothing here waits; the overview is kept in
 * the cache.
 */
#define JOBREAD_WORKERS 16 /* at most */

struct job;
struct jobread;

/*
 * The job is borrowed. workers: at a time. Takes what the cache has of the overview. *out NULL: there can be
 * none (overview_possible). Errors: ERR_NOMEM; the cache cannot be used.
 */
NODISCARD int jobread_new(struct jobread **out, const struct job *j, unsigned workers, struct err *e);
/* Ends the workers. NULL is allowed. */
void jobread_free(struct jobread *r);

/*
 * Start, follow and reap workers; never blocks. busy: a unit that somebody else is reading, SIZE_MAX none.
 * True: there is a new overview to open (jobread_path). Units that cannot be read are left out, with their
 * reason in jobread_problem().
 */
bool jobread_step(struct jobread *r, size_t busy, int64_t now_ms, int64_t now_unix_ns);
/* Somebody else has read this unit: its rows are taken from its store. */
void jobread_was_read(struct jobread *r, size_t unit);
/*
 * What to wait for; returns how many of p are set. *timeout_ms: when to call jobread_step() though nothing
 * came, -1: never.
 */
nfds_t jobread_waits(const struct jobread *r, struct pollfd *p, nfds_t max, int64_t now_ms, int *timeout_ms);
/* The overview, "" as long as there is none. */
const char *jobread_path(const struct jobread *r);
/* Units whose rows are there (or cannot come), of all. */
size_t jobread_done(const struct jobread *r, size_t *of);
/* Its rows can be read from its store. */
bool jobread_has(const struct jobread *r, size_t unit);
/* The last unit that could not be read, and why; false: none since the last call. */
bool jobread_problem(struct jobread *r, char *buf, size_t n);

#endif
