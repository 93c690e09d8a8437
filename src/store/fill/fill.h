/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filling a store: a temporary file beside the final name, one transaction per source file or group, then
 * header, fsync, rename (doc/reliability.md#whole-or-absent). The sink that parsers get lives as long as the
 * struct fill.
 */
#ifndef NPUSCOPE_STORE_FILL_FILL_H
#define NPUSCOPE_STORE_FILL_FILL_H

#include "store/sink.h"
#include "store/store.h"

struct fill;

struct fill_opts {
    const char *path; /* final name; NULL: in memory only (fill_store() reads it) */
    bool watched;     /* a screen reads while filling: WAL, a commit per file */
    bool large;       /* fill_add: transactions may be larger than the page cache */
    bool inserts;     /* every row through SQLite: none of the pages that src/store/pages writes directly */
    bool unfinished;  /* files will be added later: empty tables get their indexes then */
    bool (*cancelled)(void *arg);
    void *arg;
    const struct schema_index *more; /* indexes besides the schema's; the caller's, until fill_finish() */
    size_t n_more;
};

NODISCARD int fill_open(struct fill **out, const struct fill_opts *o, struct err *e);
/*
 * Open a finished store (o->path) to add files that were not read: one transaction each
 * (doc/reliability.md#additions).
 */
NODISCARD int fill_add(struct fill **out, const struct fill_opts *o, struct err *e);
struct sink *fill_sink(struct fill *f);
/*
 * Name of the file that a watching screen may open: the temporary one, or the store that is added to. "": in
 * memory.
 */
const char *fill_read_path(const struct fill *f);

/*
 * Add a rank of the unit. device -1: unknown. clock: "unix", "device", "relative". origin_ns is added to
 * stored instants to get absolute ones.
 */
NODISCARD int fill_rank(struct fill *f, int rank, bool known, int device, const char *host, const char *clock,
                        int64_t origin_ns, struct err *e);

/* ns to add to a stored instant of this rank to get the absolute one; 0 while no instant of it was seen. */
int64_t fill_rank_origin(const struct fill *f, int rank);

/*
 * To be called around the rows of one source file or group. end: commit when ok, else roll back everything
 * since begin.
 */
NODISCARD int fill_begin(struct fill *f, uint32_t source_id, struct err *e);
NODISCARD int fill_end(struct fill *f, bool ok, struct err *e);
/*
 * fill_end() after work that ended with status rc: commit when it is OK. The first error of the two is
 * returned and stays in e.
 */
NODISCARD int fill_close(struct fill *f, int rc, struct err *e);
/*
 * Whether the error of a parser since fill_begin is about the store and not about the file it read: then the
 * import has to end, and the place in that file, which the parser added, is taken off the error.
 */
bool fill_failed(const struct fill *f, struct err *e);
/* Worst state that the notes since fill_begin ask for, their number, and the first text. */
struct fill_notes {
    const char *state; /* word of enum file_state; "OK": none */
    uint64_t count;
    char first[256];
    uint64_t offset;
    uint32_t line;
};
struct fill_notes fill_notes(const struct fill *f);
NODISCARD int fill_meta(struct fill *f, const char *key, const char *value, struct err *e);
/* Run one statement with values bound in order. */
NODISCARD int fill_update(struct fill *f, const char *sql, const struct val *v, size_t n, struct err *e);
/* Take back every row and track of a source that was committed, its notes only when notes is true. */
NODISCARD int fill_purge(struct fill *f, uint32_t source_id, bool notes, struct err *e);
/* Take back the rows of a source and rank in one table (that has a column rank). */
NODISCARD int fill_purge_table(struct fill *f, uint32_t source_id, enum table_id t, int rank, struct err *e);
/* A source that has rows of a rank in a table, and how many. */
struct fill_feeder {
    uint32_t source_id;
    uint64_t rows;
};
/* The feeders of a table, given by name; at most max of them, *n is their number. Call it between sources. */
NODISCARD int fill_feeders(struct fill *f, const char *table, int rank, struct fill_feeder *out, size_t max,
                           size_t *n, struct err *e);
/*
 * The text with an id, and the full name of the op with a number; p NULL: none. Valid until the next text or
 * op is added.
 */
struct str fill_string(const struct fill *f, uint32_t id);
struct str fill_op_name(const struct fill *f, int64_t op_id);
/* An execution as the timeline shows it. */
#define FILL_NO_STREAM INT64_MIN
struct fill_exec {
    int rank;
    int64_t stream; /* FILL_NO_STREAM: unknown */
    uint32_t name_id;
    struct str core;       /* p NULL unknown; borrowed */
    int64_t ts_ns, dur_ns; /* ts_ns is relative to the rank's origin */
    uint64_t line;
};
typedef int fill_exec_fn(void *arg, const struct fill_exec *x, struct err *e);
/*
 * Call fn for every row of op_exec with a start, of sources that ended: first those kept aside (fill_settle),
 * then those in the database, both in order of their numbers. An error of fn ends it.
 */
NODISCARD int fill_execs(struct fill *f, fill_exec_fn *fn, void *arg, struct err *e);
/*
 * Put the rows of big tables, which are kept aside, into the database: before they are read or when
 * no more are expected. Between sources; fill_finish() does it too. After an error the fill can only
 * be aborted.
 */
NODISCARD int fill_settle(struct fill *f, struct err *e);
/* Make the timeline's index now, before events are looked up by track; otherwise fill_finish() makes it. */
NODISCARD int fill_index_time(struct fill *f, struct err *e);
/*
 * A store to read what was committed so far (of big tables, what fill_settle() put there), on the same
 * connection; valid until the fill ends, do not close it. NULL: out of memory.
 */
struct store *fill_reader(struct fill *f, struct err *e);
/*
 * fill_each() calls this for every row of a statement over that store; a status other than OK ends it.
 * Errors: those of the store, of fn.
 */
typedef int fill_row_fn(void *arg, const struct query *q, struct err *e);
NODISCARD int fill_each(struct fill *f, const char *sql, fill_row_fn *fn, void *arg, struct err *e);

/* Write indexes, first and last instants of ranks, sums per table, and table meta. */
NODISCARD int fill_finish(struct fill *f, const char *input_key, struct err *e);
/* After fill_finish and when no reader has the temporary file open: journal DELETE, fsync, rename,
 * directory fsync. Frees f. */
NODISCARD int fill_publish(struct fill *f, struct err *e);
/* In-memory: turn the filled database into a readable store. Frees f. */
NODISCARD int fill_take_store(struct fill *f, struct store **out, struct err *e);
/* Remove what a fill of this store left when its process, pid, was killed. */
void fill_drop_temp(const char *path, long pid);
/* Remove the temporary file. Frees f. NULL is allowed. */
void fill_abort(struct fill *f);

#endif
