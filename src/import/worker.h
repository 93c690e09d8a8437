/*
 * Import in a child process (the same binary), seen from the screen or a command: start, follow,
 * cancel. Hides the mechanism (style.md section 4, reliability.md R4.6). One worker per unit.
 */
#ifndef NPUSCOPE_WORKER_H
#define NPUSCOPE_WORKER_H

#include <stdbool.h>

#include "base/err.h"

struct worker;

/* First argument with which main() hands over to worker_main() (import.h). */
#define WORKER_COMMAND "--import-worker"

struct worker_opts {
    const char *unit_root;  /* folder of the unit */
    const char *store_path; /* final name of the store; NULL: the cache's */
    bool watched;           /* a screen reads the unfinished store */
    unsigned later; /* leave large files for later that feed only these panes (bits); what an
                               earlier import left and is not among them is added to the store */
    const char
        *add_path; /* only this file (its path below the root), added to the finished store as
                               a table of its own; NULL: the whole unit */
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

#endif
