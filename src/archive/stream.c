/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three sources behind one interface. gzip goes through zlib itself, because libarchive does not look at the
 * sum and the length at the end of it; xz, zstd and bzip2 through libarchive, which does. Bytes come in
 * batches, which a thread of its own may fill: what belongs to the caller and what to the filler is apart
 * below.
 */
#include "config.h"

#include "archive/stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/relay.h"

#define IN_B    ((size_t)64 << 10)
#define OUT_B   ((size_t)256 << 10)
#define BATCHES 3

struct batch {
    size_t n;
    enum stream_end end; /* after these bytes */
    uint8_t bytes[OUT_B];
};

struct stream {
    /* of who fills batches */
    int fd;
    off_t at;
    enum packing packing;
    enum stream_end end;
    struct archive *a; /* xz, zstd, bzip2 */
    z_stream z;        /* gzip */
    bool z_open, between, any;
    uint8_t in[IN_B]; /* gzip */

    /* of who reads */
    struct batch *b; /* one, or BATCHES with a thread */
    struct relay *relay;
    enum stream_end told;
    size_t zeros;
};

static const struct magic {
    enum packing packing;
    size_t n;
    uint8_t bytes[6];
} magics[] = {
    { PACK_GZIP, 2, { 0x1f, 0x8b } },
    { PACK_XZ, 6, { 0xfd, '7', 'z', 'X', 'Z', 0 } },
    { PACK_ZSTD, 4, { 0x28, 0xb5, 0x2f, 0xfd } },
    { PACK_BZIP2, 3, { 'B', 'Z', 'h' } },
    { PACK_ZIP, 4, { 'P', 'K', 3, 4 } },
    { PACK_ZIP, 4, { 'P', 'K', 5, 6 } }, /* an empty one */
};

enum packing stream_packing(const uint8_t *head, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(magics); i++)
        if (n >= magics[i].n && memcmp(head, magics[i].bytes, magics[i].n) == 0)
            return magics[i].packing;
    return PACK_NONE;
}

/* ---- the file itself ---- */

static size_t read_file(struct stream *s, uint8_t *to, size_t n)
{
    ssize_t got;

    do
        got = pread(s->fd, to, n, s->at);
    while (got < 0 && errno == EINTR);
    if (got <= 0) {
        s->end = got < 0 ? STREAM_DAMAGED : STREAM_ENDED;
        return 0;
    }
    s->at += got;
    return (size_t)got;
}

/* ---- gzip ---- */

/* More of the file for zlib. false: there is no more; an end between two packings is the end of the whole. */
static bool feed(struct stream *s)
{
    if (s->z.avail_in)
        return true;
    size_t n = read_file(s, s->in, sizeof s->in);
    if (!n) {
        if (s->end == STREAM_ENDED && !s->between)
            s->end = STREAM_CUT;
        return false;
    }
    s->z.next_in = s->in;
    s->z.avail_in = (uInt)n;
    return true;
}

/* After a whole packing: another one may follow. Zeros and anything else that is none are no data. */
static bool next_packing(struct stream *s)
{
    if (!feed(s))
        return false;
    if (*s->z.next_in != magics[0].bytes[0] || inflateReset(&s->z) != Z_OK) {
        s->end = STREAM_ENDED;
        return false;
    }
    s->between = false;
    return true;
}

/* What zlib says of a damaged place: the sum at the end of it is looked at last, when all bytes are out. */
static enum stream_end damage_of(const struct stream *s)
{
    const char *why = s->z.msg ? s->z.msg : "";

    return strstr(why, "incorrect data check") || strstr(why, "incorrect length check") ? STREAM_NO_SUM
                                                                                        : STREAM_DAMAGED;
}

static size_t read_gzip(struct stream *s, uint8_t *to)
{
    s->z.next_out = to;
    s->z.avail_out = OUT_B;
    while (s->z.avail_out && s->end == STREAM_GOES_ON) {
        if (s->between ? !next_packing(s) : !feed(s))
            break;
        int rc = inflate(&s->z, Z_NO_FLUSH);
        if (rc == Z_STREAM_END)
            s->between = true;
        else if (rc != Z_OK && rc != Z_BUF_ERROR)
            s->end = damage_of(s);
    }
    return OUT_B - s->z.avail_out;
}

/* ---- xz, zstd, bzip2 ---- */

/* It has met the end of the file before that of the packing; liblzma says that it cannot go on. */
static bool is_cut(const char *why)
{
    return why && (strstr(why, "runcated") || strstr(why, "No progress is possible"));
}

static size_t read_filter(struct stream *s, uint8_t *to)
{
    struct archive_entry *only;
    ssize_t got = 0;

    if (!s->any) {
        int rc = archive_read_next_header(s->a, &only);
        s->any = true;
        if (rc == ARCHIVE_EOF)
            s->end = STREAM_ENDED;
        else if (rc != ARCHIVE_OK)
            s->end = STREAM_DAMAGED;
    }
    if (s->end == STREAM_GOES_ON)
        got = archive_read_data(s->a, to, OUT_B);
    if (got > 0)
        return (size_t)got;
    if (s->end == STREAM_GOES_ON)
        s->end = got == 0 ? STREAM_ENDED : STREAM_DAMAGED;
    if (s->end == STREAM_DAMAGED && is_cut(archive_error_string(s->a)))
        s->end = STREAM_CUT;
    return 0;
}

static const struct filter {
    enum packing packing;
    const char *name;
    int (*support)(struct archive *);
} filters[] = {
    { PACK_XZ, "xz", archive_read_support_filter_xz },
    { PACK_ZSTD, "zstd", archive_read_support_filter_zstd },
    { PACK_BZIP2, "bzip2", archive_read_support_filter_bzip2 },
};

/* NULL: the packing is not libarchive's. */
static const struct filter *find_filter(enum packing packing)
{
    for (size_t i = 0; i < ARRAY_LEN(filters); i++)
        if (filters[i].packing == packing)
            return &filters[i];
    return NULL;
}

static int open_filter(struct stream *s, struct err *e)
{
    s->a = archive_read_new();
    if (!s->a)
        return err_nomem(e);
    const struct filter *f = find_filter(s->packing);
    /* A warning means that a program would be started. */
    if (f->support(s->a) != ARCHIVE_OK)
        return err_set(e, ERR_VERSION, "the libarchive here was built without %s", f->name);
    archive_read_support_format_raw(s->a);
    archive_read_support_format_empty(s->a);
    if (lseek(s->fd, 0, SEEK_SET) != 0)
        return err_sys(e, errno, "cannot read");
    /* What is damaged at the very start is damage, found by the first read. */
    if (archive_read_open_fd(s->a, s->fd, IN_B) != ARCHIVE_OK)
        s->end = STREAM_DAMAGED;
    return OK;
}

/* ---- batches ---- */

static void fill(struct stream *s, struct batch *b)
{
    b->n = 0;
    if (s->end == STREAM_GOES_ON)
        b->n = s->packing == PACK_NONE   ? read_file(s, b->bytes, OUT_B)
               : s->packing == PACK_GZIP ? read_gzip(s, b->bytes)
                                         : read_filter(s, b->bytes);
    b->end = s->end;
}

static void fill_ahead(void *arg)
{
    struct stream *s = arg;
    struct batch *b;

    do {
        b = relay_take(s->relay);
        if (!b)
            return;
        fill(s, b);
        relay_give(s->relay, 0);
    } while (s->end == STREAM_GOES_ON);
}

void stream_ahead(struct stream *s)
{
    struct batch *b = realloc(s->b, BATCHES * sizeof *b);
    struct err ignored = ERR_INIT;

    if (!b)
        return;
    s->b = b;
    if (relay_new(&s->relay, b, BATCHES, sizeof *b, &ignored) == OK && relay_start(s->relay, fill_ahead, s))
        return;
    relay_free(s->relay);
    s->relay = NULL;
}

/* ---- all ---- */

int stream_open(struct stream **out, int fd, enum packing packing, struct err *e)
{
    struct stream *s = calloc(1, sizeof *s);

    *out = s;
    if (!s)
        return err_nomem(e);
    s->fd = fd;
    s->packing = packing;
    s->b = malloc(sizeof *s->b);
    if (!s->b) {
        err_nomem(e);
    } else if (packing == PACK_GZIP) {
        s->z_open = inflateInit2(&s->z, 15 + 16) == Z_OK;
        if (!s->z_open)
            err_nomem(e);
    } else if (find_filter(packing)) {
        (void)!open_filter(s, e);
    }
    if (e->code) {
        stream_close(s);
        *out = NULL;
    }
    return e->code;
}

void stream_close(struct stream *s)
{
    if (!s)
        return;
    relay_free(s->relay);
    if (s->z_open)
        inflateEnd(&s->z);
    archive_read_free(s->a);
    free(s->b);
    free(s);
}

static size_t count_zeros(const uint8_t *p, size_t n)
{
    size_t i = n;

    while (i && !p[i - 1])
        i--;
    return n - i;
}

size_t stream_read(struct stream *s, const void **p)
{
    const struct batch *b = s->relay ? relay_next(s->relay) : s->b;

    *p = NULL;
    if (!b)
        return 0;
    if (!s->relay)
        fill(s, s->b);
    if (b->n) {
        size_t zeros = count_zeros(b->bytes, b->n);
        s->zeros = zeros == b->n ? s->zeros + b->n : zeros;
    }
    s->told = b->end;
    *p = b->bytes;
    return b->n;
}

enum stream_end stream_ended(const struct stream *s)
{
    return s->told;
}

size_t stream_zeros(const struct stream *s)
{
    return s->zeros;
}

const char *stream_library(void)
{
    return archive_version_string();
}
