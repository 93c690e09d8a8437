/* SPDX-License-Identifier: Apache-2.0 */
/* Chunked input: a sliding window over a plain file or the output of zlib. */
#include "config.h"

#include "base/read/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"

#define WINDOW_B ((size_t)2 << 20)
#define BLOCK_B  ((size_t)1 << 20) /* one read: still in the cache when it is parsed */
#define PACKED_B ((size_t)128 << 10)
#define SMALL_B  ((size_t)64 << 10) /* window for files read whole: they are copied anyway */
#define FIRST_B  ((size_t)4 << 10)  /* least room that is taken for a window */

enum source_end { END_NO, END_EOF, END_ERROR };

struct infile {
    int fd;
    char *path;
    char *win;    /* room bytes and the pad */
    size_t usual; /* how far room may grow, unless one line wants more: a small file has a small window */
    size_t cap;   /* how far it may grow now: usual, or infile_widen() */
    size_t room;
    size_t from, to; /* unread bytes: win[from .. to) */
    uint64_t off;    /* unpacked offset of win[from] */
    uint64_t disk;   /* next byte to pread */
    uint64_t size;
    struct timespec mtime;
    enum source_end end;
    struct err pending; /* reported once the bytes before it are consumed */
    /* infile_rotate() */
    char *wins[INFILE_WINDOWS]; /* win is one of them */
    size_t rooms[INFILE_WINDOWS];
    size_t n_wins;
    uint64_t moves;
    infile_wait_fn *wait;
    void *wait_arg;
    /* gzip only */
    unsigned char *packed; /* NULL: a plain file */
    z_stream z;
    bool z_open, in_member;
    uint64_t unpacked, unpacked_max;
};

/* ---- reading ---- */

/* pread of at most n bytes at f->disk; 0 at the end. Sets f->pending on failure. */
static size_t read_disk(struct infile *f, void *to, size_t n)
{
    ssize_t got;

    do
        got = pread(f->fd, to, n, (off_t)f->disk);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        err_sys(&f->pending, errno, "cannot read");
        return 0;
    }
    f->disk += (uint64_t)got;
    return (size_t)got;
}

static size_t read_plain(struct infile *f, char *to, size_t room)
{
    size_t got = read_disk(f, to, room < BLOCK_B ? room : BLOCK_B);

    if (got == 0)
        f->end = f->pending.code ? END_ERROR : END_EOF;
    return got;
}

/* Have packed bytes at hand. false: end of the file or an error. */
static bool feed(struct infile *f)
{
    if (f->z.avail_in)
        return true;
    f->z.next_in = f->packed;
    f->z.avail_in = (uInt)read_disk(f, f->packed, PACKED_B);
    return f->z.avail_in != 0;
}

/*
 * Start the next member (RFC 1952: a file is one or more). Zero bytes after a member are padding of
 * archivers. false: nothing follows, or something that is no gzip (reported in f->pending).
 */
static bool next_member(struct infile *f)
{
    while (feed(f)) {
        while (f->z.avail_in && *f->z.next_in == 0) {
            f->z.next_in++;
            f->z.avail_in--;
        }
        if (f->z.avail_in == 0)
            continue;
        if (*f->z.next_in != 0x1f) {
            err_set(&f->pending, ERR_FORMAT, "bytes after the gzip stream are ignored");
            return false;
        }
        inflateReset(&f->z);
        f->in_member = true;
        return true;
    }
    return false;
}

static void gzip_error(struct infile *f, int z)
{
    if (z == Z_MEM_ERROR)
        err_nomem(&f->pending);
    else
        err_set(&f->pending, ERR_FORMAT, "gzip stream is damaged");
}

/* One step: unpack into to[0 .. room). 0: nothing this time, or f->end / f->pending is set. */
static size_t unpack_step(struct infile *f, char *to, size_t room)
{
    if (!f->in_member && !next_member(f)) {
        f->end = f->pending.code ? END_ERROR : END_EOF;
        return 0;
    }
    bool fed = feed(f); /* inflate() runs without input too: it may hold back output */
    if (f->pending.code)
        return 0;
    uint64_t left = f->unpacked_max - f->unpacked + 1; /* the one more shows that the limit was passed */
    size_t want = room < left ? room : (size_t)left;
    if (want > BLOCK_B)
        want = BLOCK_B;
    f->z.next_out = (unsigned char *)to;
    f->z.avail_out = (uInt)want;
    int z = inflate(&f->z, Z_NO_FLUSH);
    size_t got = want - f->z.avail_out;
    f->unpacked += got;
    if (z == Z_STREAM_END)
        f->in_member = false;
    else if (z != Z_OK && z != Z_BUF_ERROR)
        gzip_error(f, z);
    else if (got == 0 && !fed)
        err_set(&f->pending, ERR_FORMAT, "gzip stream is cut");
    if (f->unpacked > f->unpacked_max) {
        err_clear(&f->pending);
        err_set(&f->pending, ERR_LIMIT, "gzip stream unpacks to more than %llu bytes",
                (unsigned long long)f->unpacked_max);
        got--;
        f->unpacked--;
    }
    return got;
}

static size_t read_gz(struct infile *f, char *to, size_t room)
{
    size_t got = 0;

    while (got == 0 && f->end == END_NO && !f->pending.code)
        got = unpack_step(f, to, room);
    if (f->pending.code)
        f->end = END_ERROR;
    return got;
}

/* The window, or the one in turn, gets this room; what it holds stays. */
static int resize(struct infile *f, size_t room, struct err *e)
{
    size_t all;
    char *win = size_add(room, INFILE_PAD, &all) ? realloc(f->win, all) : NULL;

    if (!win)
        return err_nomem(e);
    f->win = win;
    f->room = room;
    if (f->n_wins) {
        f->wins[f->moves % f->n_wins] = win;
        f->rooms[f->moves % f->n_wins] = room;
    }
    return OK;
}

/*
 * Room for want bytes, or for as many as the window may have. Not cleared: for many small files, clearing
 * would take most of the reading time.
 */
static int make_room(struct infile *f, size_t want, struct err *e)
{
    size_t room = want < FIRST_B ? FIRST_B : want;

    if (room > f->cap)
        room = f->cap;
    return f->win && room <= f->room ? OK : resize(f, room, e);
}

/* Move the unread bytes to the front of the window, or of the next one. */
static int move_up(struct infile *f, struct err *e)
{
    const char *from = f->win + f->from;
    size_t n = f->to - f->from;

    if (f->n_wins) {
        f->wait(f->wait_arg, ++f->moves);
        f->win = f->wins[f->moves % f->n_wins];
        f->room = f->rooms[f->moves % f->n_wins];
        if (f->room < n && resize(f, n, e))
            return e->code;
    }
    memmove(f->win, from, n);
    f->to = n;
    f->from = 0;
    f->cap = n > f->usual ? n : f->usual;
    return OK;
}

/*
 * Room for the unread bytes and all of the file, with the one byte more that shows its end; for a packed file
 * the most that the window may have.
 */
static int make_room_for_file(struct infile *f, struct err *e)
{
    uint64_t want = (uint64_t)(f->to - f->from) + (f->size - f->disk) + 1;

    return make_room(f, f->packed || want > f->cap ? f->cap : (size_t)want, e);
}

int infile_more(struct infile *f, size_t *got, struct err *e)
{
    *got = 0;
    if (f->from && move_up(f, e))
        return e->code;
    if (f->end == END_NO && f->to == f->room && make_room(f, 2 * f->room, e)) /* it grew */
        return e->code;
    size_t room = f->room < f->cap ? f->room : f->cap;
    if (f->end == END_NO && f->to < room) {
        char *to = f->win + f->to;
        *got = f->packed ? read_gz(f, to, room - f->to) : read_plain(f, to, room - f->to);
        f->to += *got;
    }
    if (f->end != END_ERROR || f->to)
        return OK;
    f->end = END_EOF;
    *e = e->code ? *e : f->pending;
    err_where(e, f->path, f->off, 0);
    return e->code;
}

int infile_rotate(struct infile *f, size_t n, infile_wait_fn *wait, void *arg, struct err *e)
{
    if (make_room(f, f->cap, e))
        return e->code;
    f->wins[0] = f->win;
    f->rooms[0] = f->room;
    f->n_wins = 1;
    f->wait = wait;
    f->wait_arg = arg;
    while (f->n_wins < n && f->n_wins < INFILE_WINDOWS) {
        char *win = malloc(f->cap + INFILE_PAD);
        if (!win)
            return err_nomem(e);
        f->rooms[f->n_wins] = f->cap;
        f->wins[f->n_wins++] = win;
    }
    return OK;
}

void infile_widen(struct infile *f, size_t most_b)
{
    if (f->cap < most_b)
        f->cap = most_b;
}

uint64_t infile_moves(const struct infile *f)
{
    return f->moves;
}

/* ---- opening ---- */

static int open_gz(struct infile *f, struct err *e)
{
    f->packed = malloc(PACKED_B);
    if (!f->packed)
        return err_nomem(e);
    if (inflateInit2(&f->z, 15 + 16) != Z_OK)
        return err_nomem(e);
    f->z_open = true;
    if (__builtin_mul_overflow(f->size, (uint64_t)LIM_GZ_RATIO, &f->unpacked_max) ||
        f->unpacked_max > LIM_GZ_B)
        f->unpacked_max = LIM_GZ_B;
    if (f->unpacked_max < LIM_GZ_FREE_B)
        f->unpacked_max = LIM_GZ_FREE_B;
    return OK;
}

static int open_fd(struct infile *f, struct err *e)
{
    struct stat st;

    if (f->fd < 0)
        f->fd = path_open_file(f->path, &st, e);
    else if (fstat(f->fd, &st))
        err_sys(e, errno, "cannot be looked at");
    if (f->fd < 0 || e->code)
        return e->code;
    f->size = (uint64_t)st.st_size;
    f->mtime = st.st_mtim;
    (void)posix_fadvise(f->fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* a hint only */
    return OK;
}

/* Open f->path, plain or gzip, at its first byte. */
static int attach(struct infile *f, struct err *e)
{
    unsigned char magic[2];

    f->disk = 0;
    if (open_fd(f, e) == OK && read_disk(f, magic, sizeof magic) == sizeof magic && magic[0] == 0x1f &&
        magic[1] == 0x8b)
        (void)open_gz(f, e);
    if (f->pending.code && !e->code)
        *e = f->pending;
    f->disk = 0;
    return e->code;
}

static void detach(struct infile *f)
{
    if (f->z_open)
        inflateEnd(&f->z);
    if (f->fd >= 0)
        close(f->fd);
    free(f->packed);
    f->fd = -1;
    f->packed = NULL;
    f->z_open = f->in_member = false;
    f->z = (z_stream){ 0 };
    f->unpacked = 0;
}

/* fd -1: of the file at path. It is closed, also after an error. */
static int open_at(struct infile **out, int fd, const char *path, size_t window_b, struct err *e)
{
    struct infile *f = calloc(1, sizeof *f);

    *out = NULL;
    if (!f) {
        if (fd >= 0)
            close(fd);
        return err_nomem(e);
    }
    f->fd = fd;
    f->pending = (struct err)ERR_INIT;
    f->usual = f->cap = window_b ? window_b : WINDOW_B;
    f->path = strdup(path);
    if (!f->path)
        err_nomem(e);
    else if (attach(f, e) == OK)
        (void)make_room_for_file(f, e);
    if (e->code) {
        err_where(e, path, ERR_NO_OFFSET, 0);
        infile_close(f);
        return e->code;
    }
    *out = f;
    return OK;
}

int infile_open(struct infile **out, const char *path, size_t window_b, struct err *e)
{
    return open_at(out, -1, path, window_b, e);
}

int infile_open_fd(struct infile **out, int fd, const char *name, size_t window_b, struct err *e)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    *out = NULL;
    if (copy < 0)
        return err_sys(e, errno, "cannot be opened again");
    return open_at(out, copy, name, window_b, e);
}

int infile_continue(struct infile *f, const char *path, struct err *damage, struct err *e)
{
    char *copy = strdup(path);

    if (!copy)
        return err_nomem(e);
    *damage = f->end == END_ERROR ? f->pending : (struct err)ERR_INIT;
    f->pending = (struct err)ERR_INIT;
    detach(f);
    free(f->path);
    f->path = copy;
    f->end = END_NO;
    if (attach(f, e) == OK && (f->n_wins || make_room_for_file(f, e) == OK))
        return OK;
    err_where(e, path, ERR_NO_OFFSET, 0);
    f->pending = (struct err)ERR_INIT;
    f->end = END_EOF;
    return e->code;
}

void infile_close(struct infile *f)
{
    if (!f)
        return;
    detach(f);
    for (size_t i = 0; i < f->n_wins; i++)
        free(f->wins[i]);
    if (!f->n_wins)
        free(f->win);
    free(f->path);
    free(f);
}

/* ---- facts ---- */

char *infile_data(struct infile *f, size_t *n)
{
    *n = f->to - f->from;
    return f->win + f->from;
}

bool infile_start(struct infile *f, uint64_t off)
{
    if (f->packed || f->to || f->disk || off > f->size)
        return false;
    f->disk = f->off = off;
    return true;
}

uint64_t infile_offset(const struct infile *f)
{
    return f->off;
}

void infile_take(struct infile *f, size_t n)
{
    f->from += n;
    f->off += n;
}

bool infile_full(const struct infile *f)
{
    return f->from == 0 && f->to == f->cap;
}

bool infile_eof(const struct infile *f)
{
    return f->end == END_EOF;
}

bool infile_is_gz(const struct infile *f)
{
    return f->packed != NULL;
}

uint64_t infile_size(const struct infile *f)
{
    return f->size;
}

uint64_t infile_consumed(const struct infile *f)
{
    return f->disk - f->z.avail_in;
}

bool infile_changed(const struct infile *f)
{
    struct stat st;

    if (fstat(f->fd, &st) != 0)
        return true;
    return (uint64_t)st.st_size != f->size || st.st_mtim.tv_sec != f->mtime.tv_sec ||
           st.st_mtim.tv_nsec != f->mtime.tv_nsec;
}

/* ---- whole files ---- */

static int read_rest(struct infile *f, struct buf *b, struct err *e)
{
    size_t got, n;

    do {
        if (infile_more(f, &got, e) != OK)
            return e->code;
        struct str s = { infile_data(f, &n), 0 };
        s.n = n;
        if (n > b->max - b->n) {
            err_set(e, ERR_LIMIT, "larger than %zu bytes", b->max);
            err_where(e, f->path, ERR_NO_OFFSET, 0);
            return e->code;
        }
        buf_add(b, s);
        infile_take(f, n);
    } while (!buf_failed(b) && (got || !infile_eof(f)));
    return buf_failed(b) ? err_nomem(e) : OK;
}

int infile_read_all(const char *path, size_t max, char **out, size_t *n, struct err *e)
{
    struct infile *f = NULL;
    struct buf b;

    *out = NULL;
    *n = 0;
    buf_init(&b, max);
    int rc = infile_open(&f, path, SMALL_B, e);
    if (rc == OK)
        rc = read_rest(f, &b, e);
    if (rc == OK) {
        *n = b.n;
        *out = buf_take(&b);
        if (!*out)
            rc = err_nomem(e);
    }
    infile_close(f);
    buf_done(&b);
    return rc;
}

const char *infile_library(void)
{
    return zlibVersion();
}
