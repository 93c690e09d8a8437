/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a unit into a store: the only place that joins parsers and store.
 *
 * The plan decides which files are read and in which order (doc/store.md#kinds-and-tables); each is one
 * transaction. Runs in the worker process, or in process where there is no place for a store file.
 */
#ifndef NPUSCOPE_IMPORT_H
#define NPUSCOPE_IMPORT_H

#include "run/inventory.h"
#include "store/sink.h"
#include "store/store.h"

struct import_progress {
    uint64_t done_b, total_b;
    unsigned files_done, files_total;
    const char *now;  /* file being read, below the unit's root; NULL: none */
    const char *last; /* file read last */
    uint64_t last_rows;
    const char *temp_path; /* of the store while it is filled (or added to); "": none */
    bool committed;        /* rows of `last` can be read now */
    bool small_done;       /* the small tables are read: there is something to look at */
    const char *no_room;   /* files that are not read because they do not fit, and why: a sentence; "" */
};

/*
 * Called when all rows of the unit are there, in a transaction of its own, to add rows made from rows by code
 * that import does not know (findings). s reads the rows that are there, out takes the new ones. Errors end
 * the import.
 */
typedef int import_after_fn(struct store *s, struct sink *out, const struct unit *u, struct err *e);

struct import_opts {
    const char *store_path; /* final name; NULL: in memory, the result comes in *out */
    bool watched;           /* a screen reads the temporary store */
    unsigned later; /* large files that feed only these panes (bits) are left UNREAD; 0: everything is read */
    const char *const *skip; /* files below the unit's root that made a worker die: marked BAD, not read */
    size_t n_skip;
    void (*progress)(void *arg, const struct import_progress *p);
    bool (*cancelled)(void *arg);   /* asked often; true: keep what is whole, mark the store partial */
    bool (*may_publish)(void *arg); /* watched: called before the rename until it says true; NULL: at once */
    void *arg;
    /*
     * the memory is shared with other imports: when it is short the import ends with ERR_NOMEM; without
     * sharing the file that needs it is left out
     */
    bool shared;
    unsigned threads;       /* for one file, as in struct parse_ctx; the number does not change the rows */
    import_after_fn *after; /* NULL: nothing */
};

/*
 * Errors: ERR_FULL, ERR_IO, ERR_NOMEM about the store. Damaged input is no error. Large files that do not fit
 * on the disk or in memory are left UNREAD, as with later, and named in the progress (no_room). out may be
 * NULL unless store_path is.
 */
NODISCARD int import_unit(const struct unit *u, const struct import_opts *o, struct store **out,
                          bool *partial, struct err *e);

/*
 * Read the files that were left for later, except those that o->later still leaves, into the finished store
 * o->store_path: one transaction per file. The store must be current (store_is_current). Errors as
 * import_unit().
 */
NODISCARD int import_add(const struct unit *u, const struct import_opts *o, bool *partial, struct err *e);

/*
 * Add one file as a table of its own to a finished store. part: one table of a database; NULL or "": the file
 * itself, or for a database the list of its tables. name (at least 64 bytes) gets the name of the table,
 * which is made unless it is there.
 */
NODISCARD int import_generic(const char *store_path, const struct unit *u, const char *rel, const char *part,
                             char *name, size_t n, struct err *e);

/* The i-th kind of file that the program knows, NULL after the last. */
const struct file_kind *import_kind(size_t i);
/* Scan with the program's registry. */
/*
 * Environment variable with the form that is preferred (prefer_word()); it reaches workers, too. Not set:
 * text.
 */
#define IMPORT_PREFER "NPUSCOPE_PREFER"
NODISCARD int import_scan(struct job **out, const char *path, struct err *e);
/* The same; keep: what a search below path found may come from the cache, and go there. */
NODISCARD int import_search(struct job **out, const char *path, bool keep, struct err *e);

/* Body of the worker process: argv as worker.c made it. Returns the exit status. */
int worker_main(int argc, char **argv, import_after_fn *after);

#endif
