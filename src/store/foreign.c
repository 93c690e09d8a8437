/* SPDX-License-Identifier: Apache-2.0 */
/* Databases of other programs. The order of opening is that of doc/reliability.md#vendor-databases. */
#include "config.h"

#include "store/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "store/db.h"
#include "store/foreign_source.h"
#include "store/pages/pages.h"

#define MAX_TABLES  4096
#define MAX_VALUE_B (64 << 20)
/*
 * Memory that SQLite may take to read a database: its own, and three times the file (a text, and the same
 * text in UTF-8).
 */
#define OWN_HEAP_B   ((int64_t)48 << 20)        /* bytes, as all of these */
#define MAX_HEAP_B   ((int64_t)3 * MAX_VALUE_B) /* however large the file is */
#define PAGE_LEAST_B 512                        /* of SQLite's smallest page */
#define PROGRESS     10000                      /* steps of SQLite's machine between two questions */
#define COPY_B       ((size_t)1 << 16)
#define LEAVE_B      ((uint64_t)64 << 20) /* on the disk, when a packed one is unpacked */

struct foreign {
    sqlite3 *db;
    char *path;
    bool busy; /* rows are being read: the connection may be another thread's */
    bool (*cancelled)(void *arg);
    void *arg;
    int64_t heap_before; /* SQLite's limit for the process, set again at the end; -1: not changed */
    const char *warning;
    char cut[100];      /* the warning of a cut file */
    bool limit;         /* the warning is of a limit, not of damage */
    char lost[200];     /* the warning of a damaged packing */
    char dir[PATH_MAX]; /* of the private copy; "": none */
    char copy[PATH_MAX];
    bool applied;       /* the copy has a journal, whose pages count, too */
    struct str *tables; /* malloc'ed, and each text */
    size_t n;
    struct str *columns; /* of the last foreign_columns() */
    struct buf column_text;
};

static const char magic[] = "SQLite format 3"; /* the NUL at its end belongs to it */

bool foreign_is_database(struct str head)
{
    return head.n >= sizeof magic && memcmp(head.p, magic, sizeof magic) == 0;
}

/* ---- a private copy ---- */

static bool side_file(char *out, size_t n, const char *path, const char *end)
{
    struct stat st;
    int len = snprintf(out, n, "%s%s", path, end);

    return len > 0 && (size_t)len < n && lstat(out, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

static bool write_bytes(int to, const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(to, p, n);
        if (w <= 0)
            return false;
        p += w;
        n -= (size_t)w;
    }
    return true;
}

static bool copy_bytes(int from, int to)
{
    char block[COPY_B];
    ssize_t n;

    while ((n = read(from, block, sizeof block)) > 0)
        if (!write_bytes(to, block, (size_t)n))
            return false;
    return n == 0;
}

static bool copy_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = in >= 0 && out >= 0 && copy_bytes(in, out);

    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0)
        ok = false;
    return ok;
}

static void drop_copy(struct foreign *f)
{
    static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
    char name[PATH_MAX + 16];

    if (!f->dir[0])
        return;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        snprintf(name, sizeof name, "%s%s", f->copy, ends[i]);
        unlink(name);
    }
    rmdir(f->dir);
    f->dir[0] = '\0';
}

static bool has_room(const char *dir, const char *path)
{
    struct statvfs fs;
    struct stat st;

    return statvfs(dir, &fs) == 0 && stat(path, &st) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize / 2 > (uint64_t)st.st_size;
}

/* A new folder of ours, and the name of the copy in it. */
static bool make_dir(struct foreign *f, const char *path)
{
    const char *tmp = getenv("TMPDIR");

    if (snprintf(f->dir, sizeof f->dir, "%s/npuscope-db-XXXXXX", tmp && *tmp ? tmp : "/tmp") >=
            (int)sizeof f->dir - 8 ||
        !has_room(tmp && *tmp ? tmp : "/tmp", path) || !mkdtemp(f->dir)) {
        f->dir[0] = '\0';
        return false;
    }
    if (snprintf(f->copy, sizeof f->copy, "%s/db", f->dir) < (int)sizeof f->copy)
        return true;
    drop_copy(f);
    return false;
}

/* The database and one file beside it, into a new folder of ours. */
static bool make_copy(struct foreign *f, const char *path, const char *side, const char *end)
{
    char to[PATH_MAX + 16];

    if (!make_dir(f, path))
        return false;
    snprintf(to, sizeof to, "%s%s", f->copy, end);
    f->applied = copy_file(path, f->copy) && copy_file(side, to);
    if (!f->applied)
        drop_copy(f);
    return f->applied;
}

/* ---- packed with gzip ---- */

/* What is in use, not what it was called with. */
static const char *place(const struct foreign *f)
{
    return f->dir[0] ? f->copy : f->path;
}

/* Asked before each block: a packing says nothing of its size that could be trusted. */
static int may_write(const struct foreign *f, size_t n, struct err *e)
{
    struct statvfs fs;

    if (f->cancelled && f->cancelled(f->arg))
        return err_set(e, ERR_CANCELLED, "stopped");
    if (statvfs(f->dir, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < n + LEAVE_B)
        return err_set(e, ERR_LIMIT, "no room in TMPDIR to unpack it");
    return OK;
}

/* All that can be unpacked; what is missing is a warning. */
static int unpack(struct foreign *f, struct infile *in, int to, struct err *e)
{
    struct err damage = ERR_INIT;
    size_t n, got = 1;

    while (!e->code && !damage.code && got) {
        const char *p = infile_data(in, &n);

        if (n && may_write(f, n, e) == OK && !write_bytes(to, p, n))
            (void)err_sys(e, errno, "cannot be unpacked");
        infile_take(in, n);
        if (!e->code)
            (void)!infile_more(in, &got, &damage);
    }
    if (e->code || damage.code == ERR_IO || damage.code == ERR_NOMEM)
        return e->code ? e->code : (*e = damage, e->code);
    if (damage.code) {
        snprintf(f->lost, sizeof f->lost, "%s", damage.text);
        f->warning = f->lost;
        f->limit = damage.code == ERR_LIMIT;
    }
    return OK;
}

/* A packed database is read out of a copy: SQLite reads here and there. */
static int open_packing(struct foreign *f, struct err *e)
{
    struct infile *in = NULL;
    int to = -1;

    if (infile_open(&in, f->path, COPY_B, e) || !infile_is_gz(in)) {
        infile_close(in);
        return e->code;
    }
    if (!make_dir(f, f->path))
        (void)err_set(e, ERR_LIMIT, "no room in TMPDIR to unpack it");
    else if ((to = open(f->copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
        (void)err_sys(e, errno, "cannot be unpacked");
    else
        (void)unpack(f, in, to, e);
    if (to >= 0 && close(to) != 0 && !e->code)
        (void)err_sys(e, errno, "cannot be unpacked");
    infile_close(in);
    return e->code;
}

/* ---- opening ---- */

static int on_progress(void *arg)
{
    struct foreign *f = arg;

    return f->cancelled && f->cancelled(f->arg);
}

/*
 * SQLite compares the end of a value with the size of the file in 32 bits: a forged record gets past that
 * check, and a chain of pages that leads back to itself then yields a value of up to 2 GiB from a file of 2
 * KiB. SQLite's limit of memory is one for the process, so memory that is in use already is added to it.
 */
static void bound_heap(struct foreign *f, const char *path)
{
    struct stat st;
    int64_t file = stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
    int64_t room = file < (MAX_HEAP_B - OWN_HEAP_B) / 3 ? OWN_HEAP_B + 3 * file : MAX_HEAP_B;
    int64_t limit = sqlite3_memory_used() + room;
    int64_t before = sqlite3_hard_heap_limit64(-1);

    if (before <= 0 || before > limit) {
        f->heap_before = before;
        sqlite3_hard_heap_limit64(limit);
    }
}

/* Allow reading columns, their layout, and counting, nothing else. */
static int authorize(void *arg, int action, const char *a, const char *b, const char *db, const char *trigger)
{
    (void)arg;
    (void)db;
    if (trigger)
        return SQLITE_DENY;
    if (action == SQLITE_FUNCTION)
        return b && strcmp(b, "count") == 0 ? SQLITE_OK : SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_READ || foreign_pages_needs(action, a) ? SQLITE_OK
                                                                                              : SQLITE_DENY;
}

static void harden(struct foreign *f)
{
    const struct {
        int what, value;
    } config[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, !f->cut[0] }, { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },     { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
        { SQLITE_DBCONFIG_ENABLE_FKEY, 0 },        { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
    };

    for (size_t i = 0; i < ARRAY_LEN(config); i++)
        sqlite3_db_config(f->db, config[i].what, config[i].value, NULL);
    sqlite3_limit(f->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_B);
    sqlite3_limit(f->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(f->db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(f->db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_progress_handler(f->db, PROGRESS, on_progress, f);
}

/* Warn of a file that is shorter than its header says: SQLite reads the missing bytes as zeros. */
static void watch_size(struct foreign *f, const char *path)
{
    unsigned char head[PAGE_FILE_HEADER_B];
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool known = fd >= 0 && fstat(fd, &st) == 0;
    bool read_all = known && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head;

    if (fd >= 0)
        close(fd);
    if (known && st.st_size > 0 && st.st_size < PAGE_LEAST_B) { /* SQLite takes it for an empty one */
        snprintf(f->cut, sizeof f->cut, "the file is cut: %" PRIu64 " bytes, a database has at least %d",
                 (uint64_t)st.st_size, PAGE_LEAST_B);
        f->warning = f->cut;
    }
    if (!read_all || memcmp(head + PAGE_AT_CHANGES, head + PAGE_AT_VALID, 4) != 0)
        return;
    uint64_t whole = (uint64_t)page_get32(head + PAGE_AT_PAGES) * page_file_size(head);
    if ((uint64_t)st.st_size >= whole)
        return;
    snprintf(f->cut, sizeof f->cut, "the file is cut: %" PRIu64 " of %" PRIu64 " bytes", (uint64_t)st.st_size,
             whole);
    f->warning = f->lost[0] ? f->lost : f->cut;
}

/* Open the path as a URI of SQLite: characters that have a meaning there are written as %XX. */
static int open_immutable(struct foreign *f, const char *path, struct err *e)
{
    struct buf uri;

    buf_init(&uri, 4 * PATH_MAX);
    buf_puts(&uri, "file:");
    for (const char *c = path; *c; c++)
        if (*c == '%' || *c == '?' || *c == '#')
            buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*c);
        else
            buf_addc(&uri, *c);
    buf_puts(&uri, "?mode=ro&immutable=1");
    int rc = buf_failed(&uri) ? SQLITE_NOMEM
                              : sqlite3_open_v2(buf_str(&uri).p, &f->db,
                                                SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                                                    SQLITE_OPEN_PRIVATECACHE,
                                                NULL);
    buf_done(&uri);
    return rc == SQLITE_OK ? OK : db_error(e, f->db, rc, "");
}

static int open_copy(struct foreign *f, struct err *e)
{
    int rc = sqlite3_open_v2(f->copy, &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    return rc == SQLITE_OK ? OK : db_error(e, f->db, rc, "");
}

static int add_table(struct foreign *f, sqlite3_stmt *st, struct err *e)
{
    size_t n = (size_t)sqlite3_column_bytes(st, 0);
    struct str *v = realloc(f->tables, (f->n + 1) * sizeof *v);
    char *text = malloc(n + 1);

    if (v)
        f->tables = v;
    if (!v || !text) {
        free(text);
        return err_nomem(e);
    }
    if (n)
        memcpy(text, sqlite3_column_text(st, 0), n);
    text[n] = '\0';
    f->tables[f->n++] = (struct str){ text, n };
    return OK;
}

/* A value above our limits is an error of the file, not of the disk. */
static int read_error(struct foreign *f, int rc, struct err *e)
{
    if ((rc & 0xff) == SQLITE_TOOBIG)
        return err_set(e, ERR_LIMIT, "a value is larger than %d MiB", MAX_VALUE_B >> 20);
    if ((rc & 0xff) == SQLITE_NOMEM && f->heap_before >= 0)
        return err_set(e, ERR_LIMIT, "no memory for a value, or its length is damaged");
    (void)!db_error(e, f->db, rc, "");
    if (e->code == ERR_USAGE) /* our statements are right: what they name is damaged */
        e->code = ERR_FORMAT;
    return e->code;
}

/* This is the first statement that reads the file: damage shows here. */
static int list_tables(struct foreign *f, struct err *e)
{
    static const char sql[] =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid";
    sqlite3_stmt *st = NULL;
    int rc;

    if (db_exec(f->db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", e))
        return e->code;
    /*
     * SQLite refuses a file that is shorter than its header says, unless its schema may be mended: that
     * we read
     */
    if (f->cut[0] && db_exec(f->db, "PRAGMA writable_schema = ON", e))
        return e->code;
    if ((rc = sqlite3_prepare_v2(f->db, sql, -1, &st, NULL)) != SQLITE_OK)
        return read_error(f, rc, e);
    while ((rc = sqlite3_step(st)) == SQLITE_ROW && f->n < MAX_TABLES)
        if (add_table(f, st, e))
            break;
    if (!e->code && rc != SQLITE_ROW && rc != SQLITE_DONE)
        read_error(f, rc, e);
    sqlite3_finalize(st);
    return e->code;
}

/* Open it with its journal applied where that is possible, which needs a copy. */
static int open_best(struct foreign *f, const char *path, struct err *e)
{
    static const char *const ends[] = { "-wal", "-journal" };
    char side[PATH_MAX];

    if (f->dir[0])
        return open_immutable(f, f->copy, e);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        if (!side_file(side, sizeof side, path, ends[i]))
            continue;
        if (make_copy(f, path, side, ends[i]))
            return open_copy(f, e);
        f->warning = "a journal lies next to it and could not be applied: the last rows may be "
                     "missing";
    }
    return open_immutable(f, path, e);
}

int foreign_open(struct foreign **out, const char *path, bool (*cancelled)(void *arg), void *arg,
                 struct err *e)
{
    struct foreign *f = calloc(1, sizeof *f);

    *out = NULL;
    if (!f || !(f->path = strdup(path))) {
        free(f);
        return err_nomem(e);
    }
    f->cancelled = cancelled;
    f->arg = arg;
    f->heap_before = -1;
    buf_init(&f->column_text, (size_t)16 << 20);
    if (path_strange_at(path))
        err_set(e, ERR_FORMAT, "%s", path_strange_at(path));
    else if (open_packing(f, e) == OK)
        bound_heap(f, place(f));
    if (!e->code && open_best(f, path, e) == OK) {
        if (!f->applied)
            watch_size(f, place(f));
        harden(f);
        if (list_tables(f, e) == OK)
            sqlite3_set_authorizer(f->db, authorize, NULL);
    }
    if (e->code) {
        err_where(e, path, ERR_NO_OFFSET, 0);
        foreign_close(f);
        return e->code;
    }
    *out = f;
    return OK;
}

void foreign_close(struct foreign *f)
{
    if (!f)
        return;
    sqlite3_close(f->db);
    if (f->heap_before >= 0)
        sqlite3_hard_heap_limit64(f->heap_before);
    drop_copy(f);
    for (size_t i = 0; i < f->n; i++)
        free((char *)f->tables[i].p);
    free(f->tables);
    free(f->columns);
    free(f->path);
    buf_done(&f->column_text);
    free(f);
}

const char *foreign_warning(const struct foreign *f)
{
    return f->warning;
}

enum note_code foreign_warning_code(const struct foreign *f)
{
    return f->limit ? NOTE_LIMIT : NOTE_TORN_FILE;
}

bool foreign_is_copy(const struct foreign *f)
{
    return f->applied;
}

/* ---- reading ---- */

size_t foreign_n(const struct foreign *f)
{
    return f->n;
}

struct str foreign_table(const struct foreign *f, size_t i)
{
    return i < f->n ? f->tables[i] : STR_NULL;
}

static int prepare(struct foreign *f, const char *what, size_t i, sqlite3_stmt **out, struct err *e)
{
    char *sql;

    *out = NULL;
    if (f->busy)
        return err_set(e, ERR_BUG, "a row of a table asks for another table");
    if (i >= f->n)
        return err_set(e, ERR_USAGE, "the database has %zu tables", f->n);
    sql = sqlite3_mprintf("SELECT %s FROM main.\"%w\"", what, f->tables[i].p);
    if (!sql)
        return err_nomem(e);
    int rc = sqlite3_prepare_v2(f->db, sql, -1, out, NULL);
    sqlite3_free(sql);
    return rc == SQLITE_OK ? OK : read_error(f, rc, e);
}

int foreign_columns(struct foreign *f, size_t i, const struct str **names, size_t *n, struct err *e)
{
    sqlite3_stmt *st;

    *n = 0;
    if (prepare(f, "*", i, &st, e))
        return e->code;
    size_t count = (size_t)sqlite3_column_count(st), at = 0;
    struct str *v = realloc(f->columns, (count ? count : 1) * sizeof *v);
    if (v) {
        f->columns = v;
        buf_clear(&f->column_text);
        for (size_t k = 0; k < count; k++)
            buf_puts(&f->column_text, sqlite3_column_name(st, (int)k)), buf_addc(&f->column_text, '\0');
        for (size_t k = 0; k < count && !buf_failed(&f->column_text); k++) {
            const char *p = f->column_text.p + at;
            v[k] = str_of(p);
            at += v[k].n + 1;
        }
    }
    sqlite3_finalize(st);
    if (!v || buf_failed(&f->column_text))
        return err_nomem(e);
    *names = v;
    *n = count;
    return OK;
}

int foreign_count(struct foreign *f, size_t i, int64_t *rows, struct err *e)
{
    sqlite3_stmt *st;

    *rows = 0;
    if (prepare(f, "count(*)", i, &st, e))
        return e->code;
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW)
        *rows = sqlite3_column_int64(st, 0);
    else
        read_error(f, rc, e);
    sqlite3_finalize(st);
    return e->code;
}

/*
 * Rows of a source. Whether it was stopped is asked by who uses the rows: the handler would be called in
 * another thread.
 */
static int read_source(struct foreign *f, const struct row_source *from, foreign_row_fn *fn, void *arg,
                       struct err *e)
{
    sqlite3_progress_handler(f->db, 0, NULL, NULL);
    f->busy = true;
    (void)!foreign_rows(from, fn, arg, e);
    f->busy = false;
    sqlite3_progress_handler(f->db, PROGRESS, on_progress, f);
    return e->code;
}

static int read_statement(struct foreign *f, const char *what, size_t i, foreign_row_fn *fn, void *arg,
                          struct err *e)
{
    struct statement_rows s = { .rc = SQLITE_DONE };

    if (prepare(f, what, i, &s.st, e))
        return e->code;
    const struct row_source from = { statement_rows_next, &s, (size_t)sqlite3_column_count(s.st) };
    if (from.n && from.n <= FOREIGN_COLUMNS && read_source(f, &from, fn, arg, e) == OK && s.rc != SQLITE_DONE)
        read_error(f, s.rc, e);
    sqlite3_finalize(s.st);
    return e->code;
}

static int read_pages(struct foreign *f, struct page_rows *r, size_t n, foreign_row_fn *fn, void *arg,
                      struct err *e)
{
    const struct row_source from = { foreign_pages_next, r, n };

    if (read_source(f, &from, fn, arg, e) == OK)
        (void)!page_rows_end(r, e);
    page_rows_free(r);
    return e->code;
}

/* What a statement has to name to read these columns, each in quotes. */
static void quoted(struct buf *to, const struct str *names, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        buf_puts(to, k ? ",\"" : "\"");
        for (size_t c = 0; c < names[k].n; c++) {
            if (names[k].p[c] == '"')
                buf_addc(to, '"');
            buf_addc(to, names[k].p[c]);
        }
        buf_addc(to, '"');
    }
    if (!n)
        buf_puts(to, "NULL");
}

int foreign_read_columns(struct foreign *f, size_t i, const struct str *names, size_t n, foreign_row_fn *fn,
                         void *arg, struct err *e)
{
    struct page_rows *r = NULL;
    struct buf what;

    if (f->busy || i >= f->n)
        return read_statement(f, "NULL", i, fn, arg, e); /* which says why not */
    if (!f->applied && foreign_pages(&r, f->db, place(f), f->tables[i], names, n, MAX_VALUE_B, e))
        return e->code;
    if (r)
        return read_pages(f, r, n ? n : 1, fn, arg, e);
    buf_init(&what, (size_t)16 << 20);
    quoted(&what, names, n);
    buf_addc(&what, '\0');
    int rc = buf_failed(&what) ? err_nomem(e) : read_statement(f, what.p, i, fn, arg, e);
    buf_done(&what);
    return rc;
}

int foreign_read(struct foreign *f, size_t i, foreign_row_fn *fn, void *arg, struct err *e)
{
    const struct str *names;
    size_t n;

    if (foreign_columns(f, i, &names, &n, e))
        return e->code;
    return foreign_read_columns(f, i, names, n, fn, arg, e);
}
