/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a store: opening, facts, strings, queries, statements of users. */
#include "config.h"

#include "store/store_int.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "store/pages/pages.h"
#include "store/stamp.h"
#include "store/sum_vfs.h"

/* ---- open and close ---- */

bool store_was_read(const struct store *s, const char *table)
{
    for (size_t i = 0; i < s->n_read; i++)
        if (sqlite3_stricmp(s->read[i], table) == 0)
            return true;
    return false;
}

/* Keep a table under the name that it has in the statement, or in a view of it. false: out of memory. */
static bool keep_read(struct store *s, const char *table)
{
    if (!table || store_was_read(s, table))
        return true;
    char **read = realloc(s->read, (s->n_read + 1) * sizeof *read);
    if (!read)
        return false;
    s->read = read;
    s->read[s->n_read] = strdup(table);
    return s->read[s->n_read] && ++s->n_read;
}

/* Allow statements of users to read only; those of the program may also make temporary tables. */
static int authorize(void *arg, int action, const char *a, const char *b, const char *db, const char *trigger)
{
    static const char *const pragmas[] = { "table_info", "table_xinfo", "table_list", "index_list",
                                           "index_info" };
    struct store *s = arg;

    (void)db;
    (void)trigger;
    if (!s->user_sql)
        return SQLITE_OK;
    switch (action) {
    case SQLITE_READ:
        return keep_read(s, a) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    /*
     * SQLite does this itself to open a pragma as a table; an UPDATE is refused later because it is not
     * read-only
     */
    case SQLITE_UPDATE:
        return a && sqlite3_stricmp(a, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return b && sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        for (size_t i = 0; a && i < ARRAY_LEN(pragmas); i++)
            if (sqlite3_stricmp(a, pragmas[i]) == 0)
                return SQLITE_OK;
        return SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static int on_progress(void *arg)
{
    return store_stopped(arg);
}

#define WAIT_OPENING 1000 /* moments: ten seconds, while nobody could end the wait */

/* A lock of another process: a commit, or a reader that a commit waits for. */
static int on_busy(void *arg, int n)
{
    const struct store *s = arg;

    return !store_stopped(s) && (s->progress || n < WAIT_OPENING) && db_wait(n);
}

/* Register the functions and tables that statements of the program need. */
static int equip(struct store *s, struct err *e)
{
    sqlite3_extended_result_codes(s->db, 1); /* shows damage, also while SQLite reads its schema */
    sqlite3_set_authorizer(s->db, authorize, s);
    sqlite3_progress_handler(s->db, 10000, on_progress, s);
    if (vtab_register(s->db, e) || regexp_register(s->db, e) || exec_sum_register(s->db, e))
        return e->code;
    return scan_register(s->db, e);
}

int store_from_db(struct store **out, sqlite3 *db, const char *path, struct err *e)
{
    struct store *s = calloc(1, sizeof *s);

    if (!s) {
        sqlite3_close(db);
        return err_nomem(e);
    }
    s->db = db;
    snprintf(s->path, sizeof s->path, "%s", path);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_handler(db, on_busy, s);
    if (equip(s, e) || db_exec(db,
                               "PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; "
                               "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;",
                               e)) {
        store_close(s);
        return e->code;
    }
    *out = s;
    return OK;
}

int store_borrow_db(struct store **out, sqlite3 *db, struct err *e)
{
    struct store *s = calloc(1, sizeof *s);

    if (!s)
        return err_nomem(e);
    s->db = db;
    s->borrowed = true;
    if (equip(s, e)) {
        store_close(s);
        return e->code;
    }
    *out = s;
    return OK;
}

static int check_header(struct store *s, bool partial, struct err *e)
{
    /* A file that cannot be read now may be a store all the same. */
    if (db_exec(s->db, "SELECT 1 FROM sqlite_master LIMIT 1", e))
        return e->code;
    if (store_int(s, -1, "PRAGMA application_id", NULL) != SCHEMA_APPLICATION_ID)
        return err_set(e, ERR_FORMAT, "this is not a store of npuscope");
    if (store_int(s, -1, "PRAGMA user_version", NULL) != SCHEMA_VERSION)
        return err_set(e, ERR_VERSION, "the store was made by another version of npuscope");
    if (partial)
        return OK;
    if (!store_meta_is(s, "complete", "1"))
        return err_set(e, ERR_FORMAT, "the store is not complete");
    if (!store_meta_is(s, "parsers", store_stamp()))
        return err_set(e, ERR_VERSION, "the store was made by another build of npuscope");
    return OK;
}

static int open_once(struct store **out, const char *path, bool partial, struct err *e)
{
    const char *vfs = sum_vfs();
    sqlite3 *db = NULL;
    struct store *s = NULL;
    int rc = vfs ? sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, vfs) : SQLITE_NOMEM;

    if (rc != SQLITE_OK) {
        db_error(e, db, rc, "cannot open the store");
        sqlite3_close(db);
        return e->code;
    }
    if (store_from_db(&s, db, path, e) || check_header(s, partial, e)) {
        store_close(s);
        return e->code;
    }
    *out = s;
    return OK;
}

/* Whether the header says that a journal belongs to the store, as while a process adds to it. */
static bool is_in_wal(struct store *s)
{
    struct err ignored = ERR_INIT;
    struct query *q = NULL;
    bool wal = store_query(s, &q, "PRAGMA journal_mode", &ignored) == OK && query_step(q, &ignored) == 1 &&
               str_eq(query_str(q, 0), STR("wal"));

    query_free(q);
    return wal;
}

bool store_is_ours(const char *path)
{
    unsigned char head[PAGE_FILE_HEADER_B];
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool ours = fd >= 0 && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
                page_get32(head + PAGE_AT_APPLICATION) == SCHEMA_APPLICATION_ID;

    if (fd >= 0)
        close(fd);
    return ours;
}

void store_drop(const char *path)
{
    if (!store_strange(path) && store_is_ours(path))
        store_unlink(path);
}

/* Reading applies the journal; the store leaves WAL mode only if no other process has it open. */
static void stand_alone(const char *path)
{
    const char *vfs = sum_vfs();
    sqlite3 *db = NULL;

    if (vfs && store_is_ours(path) &&
        sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, vfs) == SQLITE_OK)
        sqlite3_exec(db, "SELECT 1 FROM sqlite_master LIMIT 1; PRAGMA journal_mode = DELETE", NULL, NULL,
                     NULL);
    sqlite3_close(db);
}

void store_recover(const char *path)
{
    if (!store_strange(path) && store_has_side(path))
        stand_alone(path);
}

int store_open(struct store **out, const char *path, bool partial, struct err *e)
{
    struct store *s = NULL;
    const char *strange = store_strange(path);

    if (strange) {
        err_set(e, ERR_IO, "%s: no store", strange);
    } else if (access(path, R_OK) != 0) {
        err_set(e, ERR_IO, "no store there");
    } else if (partial) {
        (void)open_once(&s, path, true, e);
    } else {
        store_recover(path);
        if (open_once(&s, path, false, e) == OK && is_in_wal(s)) {
            store_close(s); /* a process was killed after that, or adds to it now */
            s = NULL;
            stand_alone(path);
            (void)open_once(&s, path, false, e);
        }
    }
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, 0);
    else
        *out = s;
    return e->code;
}

bool store_is_current(struct store *s, const char *input_key)
{
    return store_meta_is(s, "input_key", input_key);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->get_string);
    for (size_t i = 0; i < s->n_strings; i++)
        free(s->strings[i].p);
    free(s->strings);
    for (size_t i = 0; i < s->n_read; i++)
        free(s->read[i]);
    free(s->read);
    free(s->job);
    char path[sizeof s->path];
    memcpy(path, s->path, sizeof path);
    bool borrowed = s->borrowed;
    if (s->borrowed) {
        sqlite3_set_authorizer(s->db, NULL, NULL);
        sqlite3_progress_handler(s->db, 0, NULL, NULL);
    } else {
        sqlite3_close_v2(s->db);
    }
    free(s);
    /*
     * A process that added to it could not end the journal while it was open here: the last one to close it
     * does.
     */
    if (!borrowed && path[0] && !strstr(path, ".tmp."))
        store_recover(path);
}

bool store_is_damaged(const struct store *s)
{
    return sum_vfs_damaged(s->db);
}

const char *store_path(const struct store *s)
{
    return s->path;
}

/* ---- facts ---- */

/* The fact of a key, one step done; NULL: absent. */
static struct query *meta_of(struct store *s, const char *key)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    if (store_query(s, &q, "SELECT value FROM meta WHERE key = :key", &e))
        return NULL;
    query_bind_text(q, ":key", str_of(key));
    if (query_step(q, &e) == 1 && !query_null(q, 0))
        return q;
    query_free(q);
    return NULL;
}

bool store_meta_is(struct store *s, const char *key, const char *text)
{
    struct query *q = meta_of(s, key);
    bool is = q && str_eq(query_str(q, 0), str_of(text));

    query_free(q);
    return is;
}

int64_t store_meta_int(struct store *s, const char *key, int64_t otherwise)
{
    struct query *q = meta_of(s, key);
    int64_t v;
    bool is = q && str_i64(query_str(q, 0), &v);

    query_free(q);
    return is ? v : otherwise;
}

unsigned store_left(struct store *s)
{
    return (unsigned)store_meta_int(s, "left", 0);
}

static bool strings_grow(struct store *s, size_t id)
{
    if (id < s->n_strings)
        return true;
    size_t n = s->n_strings ? s->n_strings : 1024;
    while (n <= id)
        n *= 2;
    struct cached_string *p = realloc(s->strings, n * sizeof *p);
    if (!p)
        return false;
    memset(p + s->n_strings, 0, (n - s->n_strings) * sizeof *p);
    s->strings = p;
    s->n_strings = n;
    return true;
}

struct str store_string(struct store *s, int64_t id)
{
    struct err e = ERR_INIT;

    if (id <= 0 || id > LIM_STRINGS || !strings_grow(s, (size_t)id))
        return STR_NULL;
    struct cached_string *c = &s->strings[id];
    if (c->known)
        return (struct str){ c->p, c->n };
    if (!s->get_string && db_prepare(s->db, &s->get_string, "SELECT text FROM string WHERE id = ?", &e))
        return STR_NULL;
    sqlite3_bind_int64(s->get_string, 1, id);
    if (sqlite3_step(s->get_string) == SQLITE_ROW) {
        const void *p = sqlite3_column_blob(s->get_string, 0);
        size_t n = (size_t)sqlite3_column_bytes(s->get_string, 0);
        c->p = malloc(n + 1);
        if (c->p) {
            if (n)
                memcpy(c->p, p, n);
            c->p[n] = 0;
            c->n = n;
            c->known = true;
        }
    }
    sqlite3_reset(s->get_string);
    return c->known ? (struct str){ c->p, c->n } : STR_NULL;
}

uint64_t store_rows(struct store *s, const char *table)
{
    char *sql = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", table);
    int64_t n = sql ? store_int(s, 0, sql, NULL) : 0;

    sqlite3_free(sql);
    return n > 0 ? (uint64_t)n : 0;
}

bool store_rank_clock(struct store *s, int rank, int64_t *origin_ns, int64_t *first_ns, int64_t *last_ns,
                      bool *is_unix)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    bool found = false;

    if (store_query(s, &q, "SELECT origin_ns, first_ns, last_ns, clock FROM rank WHERE rank = :rank", &e) ==
        OK) {
        query_bind_int(q, ":rank", rank);
        if (query_step(q, &e) == 1) {
            found = true;
            *origin_ns = query_int(q, 0);
            *first_ns = query_int(q, 1);
            *last_ns = query_int(q, 2);
            *is_unix = str_eq(query_str(q, 3), STR("unix"));
        }
    }
    query_free(q);
    return found;
}

/* ---- queries ---- */

int64_t store_int(struct store *s, int64_t otherwise, const char *sql, ...)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    va_list ap;

    if (store_query(s, &q, sql, &e))
        return otherwise;
    va_start(ap, sql);
    for (const char *name; (name = va_arg(ap, const char *)) != NULL;)
        query_bind_int(q, name, va_arg(ap, int64_t));
    va_end(ap);
    int64_t v = query_step(q, &e) == 1 && !query_null(q, 0) ? query_int(q, 0) : otherwise;
    query_free(q);
    return v;
}

int store_exec(struct store *s, const char *sql, struct err *e)
{
    return db_exec(s->db, sql, e);
}

void store_hold(struct store *s)
{
    struct err e = ERR_INIT;

    if (s->borrowed || !sqlite3_get_autocommit(s->db))
        return;
    s->held = db_exec(s->db, "BEGIN", &e) == OK;
    err_clear(&e);
}

void store_release(struct store *s)
{
    struct err e = ERR_INIT;

    if (!s->held)
        return;
    s->held = false;
    if (db_exec(s->db, "ROLLBACK", &e)) /* nothing was written: this only gives the lock back */
        err_clear(&e);
}

void store_offer_job(struct store *s, const char *overview)
{
    free(s->job);
    s->job = overview ? strdup(overview) : NULL;
}

bool store_names_job(struct str sql)
{
    return str_find_nocase(sql, STR("job.")) != SIZE_MAX;
}

#define NO_JOB STR("no such table: job.")

/* Attach again for every statement: the overview is another file whenever a unit was read or changed. */
static int attach_job(struct store *s, struct err *e)
{
    sqlite3_exec(s->db, "DETACH job", NULL, NULL, NULL); /* fails when it is not attached */
    char *sql = sqlite3_mprintf("ATTACH %Q AS job", s->job);
    if (!sql)
        err_nomem(e);
    else if (db_exec(s->db, sql, e))
        err_where(e, s->job, ERR_NO_OFFSET, 0);
    sqlite3_free(sql);
    return e->code;
}

/* Where in the statement the last error is. */
static uint64_t error_offset(sqlite3 *db)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    int at = sqlite3_error_offset(db);
    return at < 0 ? ERR_NO_OFFSET : (uint64_t)at;
#else
    (void)db;
    return ERR_NO_OFFSET;
#endif
}

int store_user_query(struct store *s, struct query **out, struct str sql, size_t *tail, struct err *e)
{
    struct query *q = calloc(1, sizeof *q);
    const char *rest = NULL;

    if (!q)
        return err_nomem(e);
    q->s = s;
    if (sql.n > LIM_SQL_B) {
        free(q);
        return err_set(e, ERR_LIMIT, "the statement is longer than 1 MiB");
    }
    if (s->job && store_names_job(sql) && attach_job(s, e)) {
        free(q);
        return e->code;
    }
    s->user_sql = true;
    int rc = sqlite3_prepare_v2(s->db, sql.p, (int)sql.n, &q->st, &rest);
    s->user_sql = false;
    if (tail)
        *tail = rest ? (size_t)(rest - sql.p) : sql.n;
    if (rc == SQLITE_AUTH)
        err_set(e, ERR_USAGE, "only statements that read are allowed here");
    else if (rc == SQLITE_ERROR && !s->job && str_starts(str_of(sqlite3_errmsg(s->db)), NO_JOB))
        err_set(
            e, ERR_USAGE,
            "%s: the tables of job are there when a folder with several ranks is opened, not with --no-cache",
            sqlite3_errmsg(s->db));
    else if (rc != SQLITE_OK) {
        uint64_t at = error_offset(s->db);
        db_error(e, s->db, rc, "");
        err_where(e, NULL, at, 0);
    } else if (!q->st)
        err_set(e, ERR_USAGE, "no statement");
    else if (!sqlite3_stmt_readonly(q->st))
        err_set(e, ERR_USAGE, "only statements that read are allowed here");
    if (e->code) {
        if (e->code == ERR_IO || e->code == ERR_FORMAT)
            e->code = ERR_USAGE;
        query_free(q);
        return e->code;
    }
    q->heap_b = sqlite3_memory_used() + LIM_SQL_HEAP_B;
    *out = q;
    return OK;
}

void store_leave_pages(struct store *s)
{
    sqlite3_db_release_memory(s->db);
}

void store_progress(struct store *s, bool (*fn)(void *arg), void *arg)
{
    s->progress = fn;
    s->progress_arg = arg;
}

bool store_stopped(const struct store *s)
{
    return s->progress && s->progress(s->progress_arg);
}

const char *store_library(void)
{
    return sqlite3_libversion();
}
