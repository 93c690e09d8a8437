/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import in a child process (the same program) for the screen or a command: start, follow, cancel. Hides the
 * mechanism (doc/style.md#data-flow, doc/reliability.md#dead-worker). One worker per unit.
 */
#ifndef NPUSCOPE_WORKER_H
#define NPUSCOPE_WORKER_H

#include <poll.h>
#include <stdbool.h>

#include "base/err.h"
#include "import/overview.h"

struct worker;

/* First argument with which main() hands over to worker_main() (import.h). */
#define WORKER_COMMAND "--import-worker"

/* What main() runs when it gets WORKER_COMMAND: argv ends with NULL; returns the exit status. */
typedef int worker_main_fn(int argc, char **argv);
/*
 * The function for workers on hosts where the program cannot be started again: without /proc, under
 * an emulator of another processor. They are then copies of the process that asks for them. Called once, by
 * main(); without it worker_start() fails there.
 */
void worker_set_main(worker_main_fn *fn);

struct worker_opts {
    const char *unit_root;  /* folder of the unit */
    const char *store_path; /* final name of the store; NULL: the cache's */
    bool watched;           /* a screen reads the unfinished store */
    /*
     * leave large files for later that feed only these panes (bits); files that an earlier import left and
     * that feed others are added to the store
     */
    unsigned later;
    const char *add_path; /* only this file (its path below the root), added to the finished store as
                               a table of its own; NULL: the whole unit */
    /*
     * workers that share the memory of one; 0, 1: this one has all of it. A unit that does not fit into its
     * share ends with ERR_NOMEM
     */
    unsigned jobs;
    const char *add_part; /* only this table of the database add_path; NULL: the file itself */
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
    bool adding;            /* files left for later are read into the finished store */
    char no_room[600];      /* files that are not read because they do not fit, and why; "": none */
    struct err err;
};

/* Who watches a read without a worker, in this process: told now and then, asked often whether to stop. */
struct read_watch {
    void (*progress)(void *arg, const struct worker_status *s);
    bool (*cancelled)(void *arg);
    void *arg;
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
 * Workers over all units of a job: while the screen is in use they read of each unit what the job's overview
 * needs (overview.h). Other large files are left until their rank is opened. Nothing here waits; the overview
 * is kept in the cache.
 */
#define JOBREAD_WORKERS 16 /* at most */

struct job;
struct jobread;

/*
 * The job is borrowed. workers: how many run at a time. Begins with the overview that the cache has. *out
 * NULL: there can be none (overview_possible). Errors: ERR_NOMEM, those of the cache.
 */
NODISCARD int jobread_new(struct jobread **out, const struct job *j, unsigned workers, struct err *e);
/* Call this whenever the overview is made; without it nothing is compared. */
void jobread_after(struct jobread *r, overview_after_fn *after);
/* Ends the workers. NULL is allowed. */
void jobread_free(struct jobread *r);

/*
 * Start, follow and reap workers; never blocks. busy: a unit that another worker is reading, SIZE_MAX: none.
 * Returns true when there is a new overview to open (jobread_path). Units that cannot be read are left out;
 * jobread_problem() gives the reason.
 */
bool jobread_step(struct jobread *r, size_t busy, int64_t now_ms, int64_t now_unix_ns);
/*
 * ms until an overview is worth making again: fresh units have come to the taken ones since_ms after the last
 * one was made, in took_ms. Each is made from all that is there, so the work grows with the number of units
 * only if one is due by what has come in; where little comes, by time.
 */
int64_t jobread_due_in(size_t fresh, size_t taken, int64_t since_ms, int64_t took_ms);
/* Another worker has read this unit: take its rows from its store. */
void jobread_was_read(struct jobread *r, size_t unit);
/*
 * Set what to wait for; returns how many of p are set. *timeout_ms: when to call jobread_step() though
 * nothing came, -1: never.
 */
nfds_t jobread_waits(const struct jobread *r, struct pollfd *p, nfds_t max, int64_t now_ms, int *timeout_ms);
/* Path of the overview, "" as long as there is none. */
const char *jobread_path(const struct jobread *r);
/* Number of units whose rows are there (or cannot come); *of: number of all. */
size_t jobread_done(const struct jobread *r, size_t *of);
/* Whether the rows of the unit can be read from its store. */
bool jobread_has(const struct jobread *r, size_t unit);
/* Describe the last unit that could not be read, and why; false: none since the last call. */
bool jobread_problem(struct jobread *r, char *buf, size_t n);

#endif
