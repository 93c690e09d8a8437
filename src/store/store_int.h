/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of struct store, for files of src/store. */
#ifndef NPUSCOPE_STORE_INT_H
#define NPUSCOPE_STORE_INT_H

#include "store/db.h"
#include "store/store.h"

struct cached_string {
    char *p;
    size_t n;
    bool known;
};

struct store {
    sqlite3 *db;
    char path[1024];
    struct cached_string *strings;
    size_t n_strings;
    sqlite3_stmt *get_string;
    bool (*progress)(void *arg);
    void *progress_arg;
    bool borrowed; /* the connection belongs to a struct fill */
    bool held;     /* store_hold() began a transaction */
    bool user_sql; /* the statement being prepared was typed by a user */
    char *job;     /* overview of the job; NULL: none */
    char **read;   /* tables that such statements read */
    size_t n_read;
};

#define STORE_END ".npus" /* end of the names of stores in the cache */

struct query {
    struct store *s;
    sqlite3_stmt *st;
    int64_t heap_b; /* most memory that SQLite may have in use while it steps; 0: no limit */
};

/* Take over an open connection, also when that fails. */
NODISCARD int store_from_db(struct store **out, sqlite3 *db, const char *path, struct err *e);
/* Read through the connection of a fill, which keeps it and its settings. */
NODISCARD int store_borrow_db(struct store **out, sqlite3 *db, struct err *e);

/*
 * Remove a store, then the files that SQLite keeps beside it. Returns errno of removing the store: 0, ENOENT
 * when it was not there.
 */
int store_unlink(const char *path);
/*
 * Whether name is the base name of a store in the cache; whether path is a file in the cache with such a
 * name, with links resolved.
 */
bool store_is_name(const char *name);
bool store_is_cached(const char *path);
/* Whether a journal or a WAL lies beside the store, which SQLite would apply to it. */
bool store_has_side(const char *path);
/*
 * Apply the journal that a killed process left beside a finished store: what was committed is in the store,
 * the rest is not, and the journal is removed. While another process adds to the store nothing happens.
 */
void store_recover(const char *path);
/* Remove temporary files of imports into the store at path whose process is gone. */
void store_drop_orphans(const char *path);

/* Bind a pointer for one of our SQL functions; false: the statement has no such name. */
bool query_bind_pointer(struct query *q, const char *name, void *p, const char *type);

#endif
