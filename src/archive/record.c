/* SPDX-License-Identifier: Apache-2.0 */
/* Lines "key value"; bytes that would break a line stand as %XX. The last line says that it is whole. */
#include "config.h"

#include "archive/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"

#define FIRST_LINE "npuscope archive 1"
#define LAST_LINE  "end"
#define RECORD_B   ((size_t)1 << 20)

void record_done(struct archive_record *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->v[i].name);
        free(r->v[i].text);
    }
    free(r->v);
    free(r->path);
    free(r->boot);
    free(r->top);
    *r = (struct archive_record){ 0 };
}

/* Takes name and text over. */
static int add_note(struct archive_record *r, enum archive_what what, char *name, char *text, struct err *e)
{
    struct archive_note *v = name && text ? grow_array(r->v, r->n, &r->cap, sizeof *v, 16) : NULL;

    if (!v) {
        free(name);
        free(text);
        return err_nomem(e);
    }
    r->v = v;
    r->v[r->n++] = (struct archive_note){ what, name, text };
    return OK;
}

int record_note(struct archive_record *r, enum archive_what what, const char *name, struct err *e,
                const char *fmt, ...)
{
    char text[300];
    va_list args;

    if (r->n >= LIM_NOTES_PER_FILE) {
        r->more++;
        return OK;
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return add_note(r, what, strdup(name), strdup(text), e);
}

int record_notes_inside(struct archive_record *r, size_t n, const char *inside, struct err *e)
{
    char name[2 * LIM_ARCHIVE_NAME_B];

    for (; n < r->n; n++) {
        struct archive_note *v = &r->v[n];
        snprintf(name, sizeof name, "%s%s%s", inside, v->name[0] ? "/" : "", v->name);
        char *full = strdup(name);
        if (!full)
            return err_nomem(e);
        free(v->name);
        v->name = full;
        if (v->what == ARCHIVE_BROKEN)
            v->what = ARCHIVE_TORN;
    }
    return OK;
}

/* ---- as text ---- */

static void put_text(struct buf *b, const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s <= ' ' || *s == '%' || *s == 0x7f)
            buf_printf(b, "%%%02X", (unsigned)(unsigned char)*s);
        else
            buf_addc(b, *s);
}

char *record_boot(void)
{
    char id[64] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, id, sizeof id - 1) : 0;

    if (fd >= 0)
        close(fd);
    id[n > 0 ? n : 0] = '\0';
    return strdup(id);
}

static void put_record(struct buf *b, const struct archive_record *r)
{
    buf_puts(b, FIRST_LINE "\npath ");
    put_text(b, r->path);
    buf_printf(b,
               "\nsize %" PRIu64 "\nmtime %" PRId64 "\ninode %" PRIu64 "\nfiles %" PRIu64 "\nbytes %" PRIu64
               "\ntop ",
               r->size_b, r->mtime_ns, r->inode, r->files, r->bytes);
    put_text(b, r->top);
    buf_puts(b, "\nboot ");
    put_text(b, r->boot ? r->boot : "");
    buf_printf(b, "\nmore %" PRIu64 "\n", r->more);
    for (size_t i = 0; i < r->n; i++) {
        buf_printf(b, "note %d ", (int)r->v[i].what);
        put_text(b, r->v[i].name);
        buf_addc(b, ' ');
        put_text(b, r->v[i].text);
        buf_addc(b, '\n');
    }
    buf_puts(b, LAST_LINE "\n");
}

int record_write(const struct archive_record *r, int dir, struct err *e)
{
    struct buf b;
    size_t done = 0;

    buf_init(&b, RECORD_B);
    put_record(&b, r);
    int fd = buf_failed(&b) ? -1 : openat(dir, RECORD_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (buf_failed(&b))
        err_set(e, ERR_LIMIT, "the record of the archive is too long");
    else if (fd < 0)
        err_sys(e, errno, "cannot write the record of the archive");
    while (fd >= 0 && done < b.n) {
        ssize_t n = write(fd, b.p + done, b.n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            err_sys(e, n < 0 ? errno : EIO, "cannot write the record of the archive");
            break;
        }
        done += (size_t)n;
    }
    if (fd >= 0 && close(fd) != 0 && !e->code)
        err_sys(e, errno, "cannot write the record of the archive");
    buf_done(&b);
    return e->code;
}

/* ---- and back ---- */

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* malloc'ed; NULL: no memory, or no text that put_text() writes. */
static char *get_text(struct str s)
{
    char *out = malloc(s.n + 1), *to = out;

    for (size_t i = 0; out && i < s.n; i++) {
        if (s.p[i] != '%') {
            *to++ = s.p[i];
            continue;
        }
        int hi = s.n - i > 2 ? hex(s.p[i + 1]) : -1;
        int lo = hi >= 0 ? hex(s.p[i + 2]) : -1;
        if (lo < 0 || (hi == 0 && lo == 0)) {
            free(out);
            return NULL;
        }
        *to++ = (char)(hi << 4 | lo);
        i += 2;
    }
    if (out)
        *to = '\0';
    return out;
}

static bool get_note(struct archive_record *r, struct str rest)
{
    struct str what, name;
    struct err ignored = ERR_INIT;
    uint64_t w;

    return r->n < LIM_NOTES_PER_FILE && str_next(&rest, ' ', &what) && str_u64(what, &w) &&
           w <= ARCHIVE_BROKEN && str_next(&rest, ' ', &name) && rest.p &&
           add_note(r, (enum archive_what)w, get_text(name), get_text(rest), &ignored) == OK;
}

static bool take_text(char **to, struct str s)
{
    free(*to);
    *to = get_text(s);
    return *to;
}

/* One line; false: it is none of ours. */
static bool get_line(struct archive_record *r, struct str line)
{
    struct str key;

    if (!str_next(&line, ' ', &key) || !line.p)
        return false;
    if (str_eq(key, STR("path")))
        return take_text(&r->path, line);
    if (str_eq(key, STR("top")))
        return take_text(&r->top, line);
    if (str_eq(key, STR("boot")))
        return take_text(&r->boot, line);
    if (str_eq(key, STR("note")))
        return get_note(r, line);
    if (str_eq(key, STR("mtime")))
        return str_i64(line, &r->mtime_ns);
    const struct {
        struct str key;
        uint64_t *to;
    } numbers[] = {
        { STR("size"), &r->size_b }, { STR("inode"), &r->inode }, { STR("files"), &r->files },
        { STR("bytes"), &r->bytes }, { STR("more"), &r->more },
    };
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (str_eq(key, numbers[i].key))
            return str_u64(line, numbers[i].to);
    return false;
}

static bool get_record(struct archive_record *r, struct str text)
{
    struct str line;

    if (!str_next(&text, '\n', &line) || !str_eq(line, STR(FIRST_LINE)))
        return false;
    while (str_next(&text, '\n', &line)) {
        if (str_eq(line, STR(LAST_LINE)))
            return r->path && r->path[0] == '/' && r->top && r->top[0] && !strchr(r->top, '/') &&
                   r->top[0] != '.';
        if (!get_line(r, line))
            return false;
    }
    return false;
}

/* All of a small file, into b. */
static bool read_all(struct buf *b, int fd)
{
    for (;;) {
        char *to = buf_room(b, 4096);
        ssize_t n = to ? read(fd, to, 4096) : -1;
        if (n < 0 && to && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        b->n += (size_t)n;
    }
}

/* Somebody else's folder, or a copy of one of ours, is no unpacked archive whatever its record says. */
static bool is_private(int dir, uint64_t *inode)
{
    struct stat st;

    if (fstat(dir, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 07777) != 0700)
        return false;
    *inode = (uint64_t)st.st_ino;
    return true;
}

bool record_read(struct archive_record *r, const char *folder)
{
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    uint64_t inode = 0;
    struct buf b;

    *r = (struct archive_record){ 0 };
    buf_init(&b, RECORD_B);
    int fd = dir >= 0 && is_private(dir, &inode)
                 ? openat(dir, RECORD_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;
    bool whole = fd >= 0 && read_all(&b, fd) && get_record(r, buf_str(&b)) && r->inode == inode;
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    buf_done(&b);
    if (!whole)
        record_done(r);
    return whole;
}
