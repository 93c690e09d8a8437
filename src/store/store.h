/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database of one unit: open, validate, read; filling goes through store/fill/fill.h. Only src/store
 * knows SQLite.
 *
 * A struct store is one connection and belongs to one thread. Values of a struct query are borrowed
 * until its next step.
 */
#ifndef NPUSCOPE_STORE_H
#define NPUSCOPE_STORE_H

#include <stdbool.h>

#include "base/val.h"
#include "store/schema.h"

struct store;
struct query;

/* SQL: a row of memory tells of the whole process, not of a pool in it (doc/glossary.md). */
#define STORE_IS_PROCESS(m) "ifnull((SELECT text = 'APP' FROM string WHERE id = " m ".component_id), 0)"

/*
 * Open for reading (read-only connection, virtual tables of the timeline registered, temporary
 * tables in memory). partial: also a store that is still being filled. Errors: ERR_VERSION (other
 * schema, or other sources of the parsers (stamp.h): import again), ERR_FORMAT (damaged), ERR_IO, ERR_BUSY.
 */
NODISCARD int store_open(struct store **out, const char *path, bool partial, struct err *e);
/* Whether the store was filled completely from the inputs with this key (inventory.h unit_input_key). */
bool store_is_current(struct store *s, const char *input_key);
void store_close(struct store *s);
const char *store_path(const struct store *s);

/* Facts of table meta. Absent: is no text, is `otherwise`. */
bool store_meta_is(struct store *s, const char *key, const char *text);
int64_t store_meta_int(struct store *s, const char *key, int64_t otherwise);
/* Panes (bits) for which the import left files for later. */
unsigned store_left(struct store *s);
/* Text of a string id (0: p NULL). Valid until store_close; kept in memory once asked for. */
struct str store_string(struct store *s, int64_t id);
/* Rows of a table (exact), 0 when it does not exist. */
uint64_t store_rows(struct store *s, const char *table);
/*
 * Origin, first and last instant of a rank: the origin is added to get absolute ns, the others are relative.
 * false: the rank is unknown.
 */
bool store_rank_clock(struct store *s, int rank, int64_t *origin_ns, int64_t *first_ns, int64_t *last_ns,
                      bool *is_unix);

/* ---- queries of the program ---- */
NODISCARD int store_query(struct store *s, struct query **out, const char *sql, struct err *e);
/* Bind by name (":rank"); names the statement does not have are ignored. Text is copied. */
void query_bind_int(struct query *q, const char *name, int64_t v);
void query_bind_text(struct query *q, const char *name, struct str v);
void query_bind_null(struct query *q, const char *name);
void query_bind_val(struct query *q, const char *name, const struct val *v);
/* 1: a row is there, 0: done, -1: error in e (ERR_CANCELLED after store_interrupt or when the
 * progress function said so). */
NODISCARD int query_step(struct query *q, struct err *e);
/*
 * For "SELECT each_row(:each_row, a, b ...) FROM ...": calls fn with the values of every row, borrowed for
 * the call, in half the time of stepping. When fn returns false it ends with ERR_CANCELLED. Rows come in the
 * order of the scan, so the key should be among the values.
 */
#define QUERY_EACH_MAX 126 /* values of a row: SQLite takes 127 arguments, the first is the pointer */
typedef bool store_row_fn(void *arg, const struct val *v, size_t n);
NODISCARD int query_each(struct query *q, store_row_fn *fn, void *arg, struct err *e);
void query_reset(struct query *q);
void query_free(struct query *q);
size_t query_columns(const struct query *q);
const char *query_name(const struct query *q, size_t col);
struct val query_val(const struct query *q, size_t col);
int64_t query_int(const struct query *q, size_t col); /* 0 for NULL */
double query_real(const struct query *q, size_t col);
struct str query_str(const struct query *q, size_t col); /* p NULL for NULL */
bool query_null(const struct query *q, size_t col);
/*
 * First column of the first row as an integer, or `otherwise`. Values to bind are pairs of name and value,
 * ended by NULL.
 */
int64_t store_int(struct store *s, int64_t otherwise, const char *sql, ...);
/*
 * Between these two, statements share one read transaction: without it each takes and gives back its own
 * lock, which costs more than reading a row. For short work only: a process that writes to the store waits
 * meanwhile. Without a transaction, where it cannot begin, statements run all the same.
 */
void store_hold(struct store *s);
void store_release(struct store *s);
/* Run statements without a result (temporary tables). */
NODISCARD int store_exec(struct store *s, const char *sql, struct err *e);

/*
 * A statement typed by a user: read-only, no ATTACH, no PRAGMA that changes anything, limits of
 * doc/reliability.md#limits. Errors: ERR_USAGE with the reason, and its offset in the statement where SQLite
 * (3.38 and later) knows it; of its steps ERR_LIMIT when it takes more memory than LIM_SQL_HEAP_B. *tail (may
 * be NULL) is where a following statement begins.
 */
NODISCARD int store_user_query(struct store *s, struct query **out, struct str sql, size_t *tail,
                               struct err *e);
/*
 * Give the path of the overview of the job that the store's unit belongs to (doc/store.md#overview); NULL:
 * none. It is attached for statements of users that name it ("job.rank_total"). store_names_job(): whether a
 * statement does so.
 */
void store_offer_job(struct store *s, const char *overview);
bool store_names_job(struct str sql);
/* Whether a statement of a user has read from this table or view, directly or through a view. */
bool store_was_read(const struct store *s, const char *table);
/* Set a function that is called every few thousand steps of a running statement; true cancels it. */
void store_progress(struct store *s, bool (*fn)(void *arg), void *arg);
/* Let go of the pages that were read: for who walks through many once. */
void store_leave_pages(struct store *s);
/* Call that function now: for long work on rows that are in memory already. */
bool store_stopped(const struct store *s);

/* ---- cache ---- */
#define STORE_LOCK_END                                                                                       \
    ".lock" /* after the store's name: the file that one import of a unit at a time locks */
/* Path of the store of a unit in the cache directory (made when missing), by canonical root and
 * host. */
NODISCARD int store_cache_path(const char *root, char *buf, size_t n, struct err *e);

/* Folder that a store was made from, whichever version made it; "" when path is no store. Returns buf. */
char *store_root(const char *path, char *buf, size_t n);

struct store_entry {
    char path[1024]; /* of the store */
    char root[1024]; /* of the unit; "": unknown */
    uint64_t size_b;
    int64_t made_ns;
    int code; /* OK; ERR_VERSION: made by another build; else damaged */
};
/* Call fn for every store in the cache directory. */
NODISCARD int store_cache_list(void (*fn)(void *arg, const struct store_entry *entry), void *arg,
                               struct err *e);
/*
 * Remove the stores of this folder, even if they cannot be read any more, and of all folders below it (NULL:
 * all stores). *n counts them, also after an error, which does not keep the others from being removed.
 */
NODISCARD int store_cache_remove(const char *folder, unsigned *n, struct err *e);
/* Mark a store in the cache directory as used: its age, by its time of modification, begins again. */
void store_cache_used(const char *path);
/*
 * Remove the stores that were not used for LIM_CACHE_DAYS, then those used longest ago until the others take
 * no more than LIM_CACHE_B, but none used in the last LIM_CACHE_SPARE_S; also remove files that killed
 * imports left. now_ns: Unix time. *n counts the stores. The error is that of the first store that cannot be
 * removed.
 */
NODISCARD int store_cache_age(int64_t now_ns, unsigned *n, struct err *e);
/*
 * Remove a store that was found damaged, when it lies in the cache directory: the next start makes it again.
 */
void store_drop_damaged(const char *path);
/*
 * How many damaged pages of stores this process has met since it began, or forgot them: what was read since
 * then is not to be relied on, whatever became of the error.
 */
unsigned store_damage_met(void);
/* One of them was of this store. */
bool store_is_damaged(const struct store *s);
void store_damage_forget(void);
/*
 * The header of the file says that it is a store of ours, whatever else is wrong with it: a database of
 * another program is not touched, whatever lies beside it.
 */
bool store_is_ours(const char *path);
/* Remove a store wherever it lies; a file of another program stays. */
void store_drop(const char *path);
/*
 * What lies in place of a store, or of a file that SQLite keeps beside it ("a FIFO, not a file"); NULL:
 * files, or nothing. SQLite would wait for the other end of a FIFO.
 */
const char *store_strange(const char *path);

/* Version of SQLite. */
const char *store_library(void);

#endif
