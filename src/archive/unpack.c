/* SPDX-License-Identifier: Apache-2.0 */
/* libarchive tells the members one by one; where they go is decided here (member.h, write.h). */
#include "config.h"

#include "archive/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "archive/member.h"
#include "archive/stream.h"
#include "archive/write.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"

#define DATA_B    ((size_t)256 << 10)
#define RESERVE_B ((uint64_t)64 << 20) /* left free on the disk */
#define HEADER_B  ((uint64_t)4 << 10)  /* of a member, with what it is filled up with: more than common */

const struct unpack_limits unpack_limits = { LIM_ARCHIVE_MEMBERS, LIM_ARCHIVE_B, LIM_ARCHIVE_RATIO,
                                             LIM_ARCHIVE_FREE_B };

struct unpacker {
    const struct unpack *u;
    struct archive_record *r;
    struct archive *a;
    struct stream *s; /* NULL: zip */
    struct member_writer *w;
    struct intern *names, *folded; /* paths of files so far; the same in small letters */
    uint64_t max_b, files_before;
    uint64_t part_b; /* of the member that is being copied */
    char *data;
    bool stop;
    bool over, interrupted; /* why next_bytes() gives none */
};

/* ---- what it is ---- */

static bool starts_tar(int fd, enum packing packing)
{
    uint8_t head[MEMBER_TAR_B];
    struct err ignored = ERR_INIT;
    struct stream *s = NULL;
    const void *p;
    size_t n = 0, got;

    if (stream_open(&s, fd, packing, &ignored))
        return false;
    while (n < sizeof head && (got = stream_read(s, &p)) > 0) {
        size_t part = got < sizeof head - n ? got : sizeof head - n;
        memcpy(head + n, p, part);
        n += part;
    }
    stream_close(s);
    return n == sizeof head && member_is_tar(head);
}

static enum packing packing_of(int fd)
{
    uint8_t head[8];
    ssize_t n = pread(fd, head, sizeof head, 0);

    return stream_packing(head, n > 0 ? (size_t)n : 0);
}

bool unpack_is_archive(int fd)
{
    enum packing p = packing_of(fd);

    return p == PACK_ZIP || starts_tar(fd, p);
}

/* ---- one member ---- */

/* A limit, or damage: what comes after it is not there. */
static int stop_at(struct unpacker *x, const char *name, const char *why, struct err *e)
{
    x->stop = true;
    return record_note(x->r, ARCHIVE_BROKEN, "", e,
                       "%s%s%.100s after %" PRIu64 " files: what follows is missing", why,
                       *name ? " in " : "", name, x->r->files - x->files_before);
}

static int leave_out(struct unpacker *x, const char *name, const char *why, struct err *e)
{
    return record_note(x->r, ARCHIVE_LEFT_OUT, name, e, "%s", why);
}

/* The disk has room for a file that says how large it is. */
static int check_room(const struct unpacker *x, int64_t size_b, struct err *e)
{
    struct statvfs fs;

    if (size_b < (int64_t)(1 << 20) || fstatvfs(x->u->dir, &fs) != 0)
        return OK;
    uint64_t have = (uint64_t)fs.f_bavail * fs.f_frsize, need = (uint64_t)size_b + RESERVE_B;
    if (have >= need)
        return OK;
    return err_set(e, ERR_FULL,
                   "the disk has %" PRIu64 " MiB for unpacked archives, the next file needs %" PRIu64
                   " MiB; XDG_CACHE_HOME, or TMPDIR with --no-cache, choose another place",
                   have >> 20, need >> 20);
}

/* The archive itself ended too early, so that the bytes up to there are right. */
static bool is_cut(const struct unpacker *x)
{
    const char *why = archive_error_string(x->a);

    if (x->s)
        return stream_ended(x->s) == STREAM_CUT || stream_ended(x->s) == STREAM_ENDED;
    return why && strstr(why, "runcated");
}

/* How the bytes of a member came. What ends the whole archive comes after DATA_UNREADABLE. */
enum data_end { DATA_WHOLE, DATA_SUM, DATA_SECRET, DATA_UNREADABLE, DATA_CUT, DATA_BROKEN, DATA_LIMIT };
static const struct {
    const char *member, *archive; /* what is said of them */
} data_texts[] = {
    [DATA_SUM] = { "wrong checksum: left out", NULL },
    [DATA_SECRET] = { "it is encrypted: left out", NULL },
    [DATA_UNREADABLE] = { "damaged: left out", NULL },
    [DATA_CUT] = { "the archive is cut before it: left out", "the archive is cut" },
    [DATA_BROKEN] = { "the archive is damaged here: left out", "the archive is damaged" },
    [DATA_LIMIT] = { "unpacked it is larger than the limit: left out",
                     "unpacked it is larger than the limit" },
};

static enum data_end end_of_data(const struct unpacker *x, ssize_t got)
{
    const char *why = archive_error_string(x->a);

    if (got >= 0)
        return DATA_WHOLE;
    if (x->over)
        return DATA_LIMIT;
    if (why && strstr(why, "CRC"))
        return DATA_SUM;
    if (why && (strstr(why, "assphrase") || strstr(why, "ncrypt")))
        return DATA_SECRET;
    if (got != ARCHIVE_FATAL)
        return DATA_UNREADABLE;
    return is_cut(x) ? DATA_CUT : DATA_BROKEN;
}

/* Asked between members, and while bytes come. */
static bool is_cancelled(struct unpacker *x)
{
    x->interrupted = x->interrupted ||
                     (x->u->cancelled && x->u->cancelled(x->u->arg, x->r->bytes + x->part_b, x->r->files));
    return x->interrupted;
}

static int interrupted(struct err *e)
{
    return err_set(e, ERR_CANCELLED, "interrupted");
}

/* Bytes of a member into the writer. */
static int copy_data(struct unpacker *x, enum data_end *end, struct err *e)
{
    ssize_t got;

    while ((got = archive_read_data(x->a, x->data, DATA_B)) > 0) {
        if (x->r->bytes + x->part_b + (uint64_t)got > x->max_b) {
            *end = DATA_LIMIT;
            return OK;
        }
        x->part_b += (uint64_t)got;
        if (member_data(x->w, x->data, (size_t)got, e))
            return e->code;
        if (is_cancelled(x))
            break;
    }
    *end = end_of_data(x, got);
    return x->interrupted ? interrupted(e) : OK;
}

/* Lower case for file systems that know only one. */
static void fold(char *s)
{
    for (; *s; s++)
        *s = (char)tolower((unsigned char)*s);
}

/* Note names that stand twice. *skip: the place has another file under this name already. */
static int check_name(struct unpacker *x, const char *path, bool *skip, struct err *e)
{
    char small[LIM_ARCHIVE_NAME_B + 1];
    bool twice = intern_find(x->names, str_of(path)) != INTERN_NONE;

    str_copy(str_of(path), small, sizeof small);
    fold(small);
    bool alike = !twice && intern_find(x->folded, str_of(small)) != INTERN_NONE;
    *skip = alike && member_exists(x->w, path);
    if (*skip)
        return leave_out(x, path,
                         "differs from another member in capitals alone, which the cache's file system "
                         "does not tell apart: left out",
                         e);
    if (intern_put(x->names, str_of(path)) == INTERN_NONE ||
        intern_put(x->folded, str_of(small)) == INTERN_NONE)
        return err_nomem(e);
    if (alike)
        return record_note(x->r, ARCHIVE_SAID, path, e,
                           "differs from another member in capitals alone: both are kept");
    return twice ? record_note(x->r, ARCHIVE_SAID, path, e,
                               "stands in the archive more than once: the last one counts")
                 : OK;
}

static struct timespec time_of(struct archive_entry *m)
{
    return (struct timespec){ archive_entry_mtime(m), archive_entry_mtime_nsec(m) };
}

/* A member that may be an archive itself is looked at later, when all are there. */
static int remember(struct unpacker *x, const char *path, struct err *e)
{
    if (!x->u->archives || !path_is_archive(path))
        return OK;
    return intern_put(x->u->archives, str_of(path)) == INTERN_NONE ? err_nomem(e) : OK;
}

static int end_file(struct unpacker *x, struct archive_entry *m, const char *path, struct err *e)
{
    const char *why = NULL;

    if (member_end(x->w, path, time_of(m), &why, e))
        return e->code;
    if (why)
        return leave_out(x, path, why, e);
    x->r->files++;
    x->r->bytes += x->part_b;
    return remember(x, path, e);
}

/* The beginning of a member is right, and there. */
static int keep_beginning(struct unpacker *x, struct archive_entry *m, const char *path, struct err *e)
{
    if (end_file(x, m, path, e))
        return e->code;
    return record_note(x->r, ARCHIVE_TORN, path, e,
                       "the archive is cut: %" PRIu64 " of %" PRId64 " bytes are there", x->part_b,
                       (int64_t)archive_entry_size(m));
}

static int take_file(struct unpacker *x, struct archive_entry *m, const char *path, struct err *e)
{
    enum data_end end = DATA_CUT;
    bool skip = false;

    if (check_name(x, path, &skip, e) || skip || check_room(x, archive_entry_size(m), e) ||
        member_begin(x->w, e) || copy_data(x, &end, e))
        return e->code;
    if (end == DATA_WHOLE)
        return end_file(x, m, path, e);
    if (end == DATA_CUT && x->part_b ? keep_beginning(x, m, path, e)
                                     : leave_out(x, path, data_texts[end].member, e))
        return e->code;
    return data_texts[end].archive ? stop_at(x, path, data_texts[end].archive, e) : OK;
}

static const char *strange(const struct archive_entry *m)
{
    switch (archive_entry_filetype((struct archive_entry *)m)) {
    case AE_IFLNK:
        return "a symbolic link: left out";
    case AE_IFCHR:
    case AE_IFBLK:
        return "a device: left out";
    case AE_IFIFO:
        return "a FIFO: left out";
    case AE_IFSOCK:
        return "a socket: left out";
    default:
        return "neither a file nor a folder: left out";
    }
}

static int take_link(struct unpacker *x, const char *path, const char *target, struct err *e)
{
    char old[LIM_ARCHIVE_NAME_B + 1];
    const char *why = NULL;

    if (member_path(target, old, sizeof old) != MEMBER_OK)
        return leave_out(x, path, "a link that leads out of the archive: left out", e);
    if (member_same(x->w, path, old, &why, e))
        return e->code;
    x->r->files += !why;
    return why ? leave_out(x, path, why, e) : remember(x, path, e);
}

/* The bytes of a name as they are, or as UTF-8 where this locale has none of its letters. */
static const char *name_of(struct archive_entry *m)
{
    const char *name = archive_entry_pathname(m);

    if (!name)
        name = archive_entry_pathname_utf8(m);
    return name ? name : "";
}

/* Where a member goes. In an archive in an archive the limits count from the outer one. */
static enum member_fault place_of(const struct unpacker *x, const char *name,
                                  char path[LIM_ARCHIVE_NAME_B + 1])
{
    char full[3 * LIM_ARCHIVE_NAME_B], ignored[LIM_ARCHIVE_NAME_B + 1];
    enum member_fault fault = member_path(name, path, LIM_ARCHIVE_NAME_B + 1);

    if (fault != MEMBER_OK || !x->u->inside)
        return fault;
    snprintf(full, sizeof full, "%s/%s", x->u->inside, path);
    return member_path(full, ignored, sizeof ignored);
}

static int take_member(struct unpacker *x, struct archive_entry *m, struct err *e)
{
    char path[LIM_ARCHIVE_NAME_B + 1];
    const char *name = name_of(m), *why = NULL;
    enum member_fault fault = place_of(x, name, path);
    bool folder = archive_entry_filetype(m) == AE_IFDIR;

    if (++x->r->members > x->u->limits->members)
        return stop_at(x, "", "it has more members than the limit", e);
    if (fault == MEMBER_EMPTY && folder)
        return OK;
    if (fault != MEMBER_OK)
        return leave_out(x, name, member_fault_text(fault), e);
    if (archive_entry_hardlink(m))
        return take_link(x, path, archive_entry_hardlink(m), e);
    if (archive_entry_filetype(m) == AE_IFREG)
        return take_file(x, m, path, e);
    if (!folder)
        return leave_out(x, path, strange(m), e);
    if (member_folder(x->w, path, &why, e))
        return e->code;
    return why ? leave_out(x, path, why, e) : OK;
}

/* ---- all of them ---- */

/*
 * The next bytes of a tar archive. All of them count, of all levels: libarchive reads over the bytes of a
 * member that is left out, which no other limit sees. 0: no more, or x->over or x->interrupted is set.
 */
static size_t next_bytes(struct unpacker *x, const void **p)
{
    if (x->over || is_cancelled(x))
        return 0;
    size_t n = stream_read(x->s, p);
    x->r->unpacked += n;
    x->over = x->r->unpacked > x->max_b + x->u->limits->free_b + x->r->members * HEADER_B;
    return x->over ? 0 : n;
}

static la_ssize_t on_read(struct archive *a, void *arg, const void **p)
{
    struct unpacker *x = arg;
    size_t n = next_bytes(x, p);

    if (x->over || x->interrupted) {
        archive_set_error(a, EIO, "%s", x->over ? data_texts[DATA_LIMIT].archive : "interrupted");
        return ARCHIVE_FATAL;
    }
    if (n || stream_ended(x->s) == STREAM_ENDED || stream_ended(x->s) == STREAM_NO_SUM)
        return (la_ssize_t)n;
    archive_set_error(a, EIO, stream_ended(x->s) == STREAM_CUT ? "Truncated input" : "Damaged input");
    return ARCHIVE_FATAL;
}

/* No more can be read. */
static int stop_reading(struct unpacker *x, struct err *e)
{
    if (x->interrupted)
        return interrupted(e);
    return stop_at(x, "",
                   x->over     ? data_texts[DATA_LIMIT].archive
                   : is_cut(x) ? data_texts[DATA_CUT].archive
                               : data_texts[DATA_BROKEN].archive,
                   e);
}

/* A tar archive ended: look at what the stream says of its end. */
static int check_end(struct unpacker *x, struct err *e)
{
    const void *p;
    uint64_t after = 0;
    size_t n;

    bool early = stream_ended(x->s) == STREAM_ENDED && stream_zeros(x->s) < MEMBER_TAR_B;
    while ((n = next_bytes(x, &p)) > 0 && after < x->u->limits->free_b)
        after += n;
    if (x->over || x->interrupted)
        return stop_reading(x, e);
    if (stream_ended(x->s) == STREAM_NO_SUM)
        return record_note(
            x->r, ARCHIVE_BROKEN, "", e,
            "the checksum of the whole is wrong: files in it may be, too, and cannot be told apart");
    if (stream_ended(x->s) == STREAM_DAMAGED)
        return record_note(x->r, ARCHIVE_BROKEN, "", e,
                           "damaged after the last file: its checksum cannot be compared");
    if (early || stream_ended(x->s) == STREAM_CUT)
        return stop_at(x, "", "the archive is cut", e);
    return OK;
}

static int each_member(struct unpacker *x, struct err *e)
{
    struct archive_entry *m;
    int rc = ARCHIVE_OK;

    while (!x->stop && !e->code) {
        x->part_b = 0;
        rc = archive_read_next_header(x->a, &m);
        if (rc == ARCHIVE_RETRY)
            continue;
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
            break;
        if (is_cancelled(x))
            return interrupted(e);
        (void)!take_member(x, m, e);
    }
    if (e->code || x->stop)
        return e->code;
    if (rc == ARCHIVE_EOF)
        return x->s ? check_end(x, e) : OK;
    return stop_reading(x, e);
}

static int open_archive(struct unpacker *x, struct err *e)
{
    enum packing packing = packing_of(x->u->fd);
    int rc;

    x->a = archive_read_new();
    if (!x->a)
        return err_nomem(e);
    if (packing != PACK_ZIP && stream_open(&x->s, x->u->fd, packing, e))
        return e->code;
    if (x->s) {
        if (packing != PACK_NONE)
            stream_ahead(x->s); /* unpacks while this thread writes */
        archive_read_support_format_tar(x->a);
        rc = archive_read_open(x->a, x, NULL, on_read, NULL);
    } else {
        archive_read_support_format_zip(x->a);
        rc =
            lseek(x->u->fd, 0, SEEK_SET) == 0 ? archive_read_open_fd(x->a, x->u->fd, 1 << 16) : ARCHIVE_FATAL;
    }
    return rc == ARCHIVE_OK ? OK : stop_reading(x, e);
}

/* Largest sum of bytes: so many times the size of the archive, but a little in any case. */
static uint64_t most_bytes(const struct unpack *u)
{
    uint64_t b;

    if (__builtin_mul_overflow(u->size_b, u->limits->ratio, &b) || b > u->limits->bytes)
        b = u->limits->bytes;
    return b < u->limits->free_b ? u->limits->free_b : b;
}

int unpack(const struct unpack *u, struct archive_record *r, struct err *e)
{
    struct unpacker x = {
        .u = u, .r = r, .max_b = most_bytes(u), .files_before = r->files, .data = malloc(DATA_B)
    };
    /* Names are UTF-8 in many headers: in a locale without letters they would be lost. */
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;

    if (!x.data)
        err_nomem(e);
    if (!e->code && !intern_new(&x.names, e) && !intern_new(&x.folded, e) &&
        !member_writer_new(&x.w, u->dir, u->top, e) && !open_archive(&x, e) && !x.stop)
        (void)!each_member(&x, e);
    archive_read_free(x.a);
    stream_close(x.s);
    member_writer_free(x.w);
    intern_free(x.names);
    intern_free(x.folded);
    free(x.data);
    if (before)
        uselocale(before);
    if (utf8)
        freelocale(utf8);
    return e->code;
}
