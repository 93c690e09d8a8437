/* SPDX-License-Identifier: Apache-2.0 */
/* An archive is found, unpacked or taken from the cache, and its folder handed out. */
#include "config.h"

#include "archive/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/copy_dir.h"
#include "archive/inner.h"
#include "archive/member.h"
#include "archive/unpack.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"

struct archive_copy {
    struct archive_record record;
    char folder[1024]; /* with the record and the members */
    char path[PATH_MAX];
    int lock; /* the folder, locked against removal */
    bool temporary;
};

/* ---- the archive ---- */

struct source {
    int fd;
    char path[PATH_MAX]; /* canonical */
    const char *rest;    /* what is asked for in it, "" all */
    struct stat st;
};

/* The archive in a path: the longest beginning that is there, when that is a file. Leaves src->fd open. */
static int find_archive(struct source *src, const char *path, struct err *e)
{
    char head[PATH_MAX];
    size_t n = strlen(path);

    if (n >= sizeof head)
        return OK;
    memcpy(head, path, n + 1);
    while (stat(head, &src->st) != 0) {
        char *slash = errno == ENOTDIR ? strrchr(head, '/') : NULL;
        if (!slash || slash == head)
            return OK;
        *slash = '\0';
    }
    n = strlen(head);
    src->rest = path + n + strspn(path + n, "/");
    if (!S_ISREG(src->st.st_mode) || !realpath(head, src->path))
        return OK;
    src->fd = open(src->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (src->fd < 0 || fstat(src->fd, &src->st) != 0 || !S_ISREG(src->st.st_mode) ||
        unpack_is_archive(src->fd))
        return OK;
    close(src->fd);
    src->fd = -1;
    if (!path_is_archive(src->path))
        return OK;
    err_set(e, ERR_FORMAT,
            "is called an archive, but is no tar or zip archive, is empty or is cut before its first "
            "file ends");
    err_where(e, head, ERR_NO_OFFSET, 0);
    return e->code;
}

static int64_t mtime_of(const struct source *src)
{
    return (int64_t)src->st.st_mtim.tv_sec * 1000000000 + src->st.st_mtim.tv_nsec;
}

/* ---- names ---- */

/* FNV-1a: stable between runs. */
static uint64_t hash_more(uint64_t h, const void *p, size_t n)
{
    const unsigned char *s = p;

    for (size_t i = 0; i < n; i++)
        h = (h ^ s[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Where the copy of this archive, as it is now, lies in the cache. */
static int name_copy(struct archive_copy *c, const struct source *src, struct err *e)
{
    char dir[900], stem[41], name[80];
    const int64_t facts[3] = { (int64_t)src->st.st_size, mtime_of(src), LIM_ARCHIVE_INNER };
    uint64_t h = hash_more(UINT64_C(0xcbf29ce484222325), src->path, strlen(src->path) + 1);

    if (copies_dir(dir, sizeof dir, e) || path_private_dir(dir, e))
        return e->code;
    copy_stem(src->path, stem, sizeof stem);
    snprintf(name, sizeof name, "%s-%016" PRIx64, stem, hash_more(h, facts, sizeof facts));
    if (!path_join(c->folder, sizeof c->folder, dir, name))
        return err_set(e, ERR_LIMIT, "the path of the cache is too long");
    return OK;
}

/* ---- making one ---- */

/*
 * Several members at the top stand for the content of a folder that has the archive's name: profiles are told
 * by the names of their folders, too.
 */
static int name_top(struct archive_copy *c, const char *tmp, int dir, struct err *e)
{
    char files[1100], only[256], stem[200];

    if (!path_join(files, sizeof files, tmp, COPY_TOP))
        return err_set(e, ERR_LIMIT, "the path of the cache is too long");
    copy_only_folder(AT_FDCWD, files, only, sizeof only);
    copy_stem(c->record.path, stem, sizeof stem);
    if (only[0])
        str_copy(STR(COPY_TOP), stem, sizeof stem);
    else if (strcmp(stem, COPY_TOP) != 0 && renameat(dir, COPY_TOP, dir, stem) != 0)
        return err_sys(e, errno, "cannot unpack");
    c->record.top = strdup(stem);
    return c->record.top ? OK : err_nomem(e);
}

/* Everything of the copy into the folder tmp. */
static int fill_folder(struct archive_copy *c, const struct source *src, const char *tmp,
                       const struct copy_opts *o, struct err *e)
{
    int dir = open(tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    const struct unpack u = { .fd = src->fd,
                              .name = src->path,
                              .size_b = (uint64_t)src->st.st_size,
                              .dir = dir,
                              .top = COPY_TOP,
                              .limits = &unpack_limits,
                              .cancelled = o->cancelled,
                              .arg = o->arg };

    if (dir < 0 || fstat(dir, &st) != 0) {
        err_sys(e, errno, "cannot open the folder to unpack into");
    } else {
        c->record.path = strdup(src->path);
        c->record.size_b = u.size_b;
        c->record.mtime_ns = mtime_of(src);
        c->record.inode = (uint64_t)st.st_ino;
        c->record.boot = record_boot();
        if (!c->record.path || !c->record.boot)
            err_nomem(e);
    }
    if (!e->code && !unpack_all(&u, &c->record, e) && !name_top(c, tmp, dir, e))
        (void)!record_write(&c->record, dir, e);
    if (dir >= 0)
        close(dir);
    return e->code;
}

static void lock(struct archive_copy *c)
{
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (c->lock >= 0)
        (void)!flock(c->lock, LOCK_SH); /* where there are no locks, an old copy may go while it is open */
}

/*
 * Nothing waits for the disk while unpacking, which would take longer than the unpacking itself: after a
 * start of the machine files may be shorter than they were.
 */
static bool is_of_this_boot(const struct archive_record *r)
{
    char *now = record_boot();
    bool is = now && r->boot && strcmp(now, r->boot) == 0;

    free(now);
    return is;
}

/* A whole copy of the same archive is there: take it. */
static bool take_kept(struct archive_copy *c, const struct source *src)
{
    static const struct timespec now[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_nsec = UTIME_NOW } };

    lock(c);
    if (record_read(&c->record, c->folder) && c->record.path && !strcmp(c->record.path, src->path) &&
        c->record.size_b == (uint64_t)src->st.st_size && c->record.mtime_ns == mtime_of(src) &&
        is_of_this_boot(&c->record)) {
        (void)!utimensat(c->lock, RECORD_NAME, now, 0);
        return true;
    }
    record_done(&c->record);
    if (c->lock >= 0)
        close(c->lock);
    c->lock = -1;
    return false;
}

/* Unpack under a temporary name, and give the copy its own. Another process may have been faster. */
static int make_kept(struct archive_copy *c, const struct source *src, const struct copy_opts *o,
                     struct err *e)
{
    char tmp[1100];
    struct err ignored = ERR_INIT;

    snprintf(tmp, sizeof tmp, "%s" COPY_TMP "%ld", c->folder, (long)getpid());
    (void)!copy_remove_tree(tmp, &ignored);
    if (mkdir(tmp, 0700) != 0 || chmod(tmp, 0700) != 0) {
        err_sys(e, errno, "cannot make a folder in the cache");
        err_where(e, tmp, ERR_NO_OFFSET, 0);
        return e->code;
    }
    if (fill_folder(c, src, tmp, o, e) == OK) {
        copies_drop_older(src->path);
        if (rename(tmp, c->folder) != 0 && errno != EEXIST && errno != ENOTEMPTY)
            err_sys(e, errno, "cannot give the unpacked archive its name");
    }
    record_done(&c->record);
    err_clear(&ignored);
    (void)!copy_remove_tree(tmp, &ignored);
    if (!e->code && !take_kept(c, src))
        err_set(e, ERR_IO, "the unpacked archive is not there any more");
    return e->code;
}

static int make_temporary(struct archive_copy *c, const struct source *src, const struct copy_opts *o,
                          struct err *e)
{
    const char *top = getenv("TMPDIR");

    top = top && top[0] == '/' ? top : "/tmp";
    copies_drop_orphans(top);
    if ((size_t)snprintf(c->folder, sizeof c->folder, "%s/" COPY_TMP_HEAD "%ld.XXXXXX", top,
                         (long)getpid()) >= sizeof c->folder) {
        c->folder[0] = '\0';
        return err_set(e, ERR_LIMIT, "the path in TMPDIR is too long");
    }
    if (!mkdtemp(c->folder)) {
        err_sys(e, errno, "cannot make a temporary folder");
        err_where(e, top, ERR_NO_OFFSET, 0);
        c->folder[0] = '\0';
        return e->code;
    }
    c->temporary = true;
    return fill_folder(c, src, c->folder, o, e);
}

/* ---- using it ---- */

/* The path asked for: all of it, or what lies in the archive. */
static int set_path(struct archive_copy *c, const struct source *src, struct err *e)
{
    char top[1300], only[256], rest[LIM_ARCHIVE_NAME_B + 1];
    struct stat st;

    if (!path_join(top, sizeof top, c->folder, c->record.top))
        return err_set(e, ERR_LIMIT, "the path of the cache is too long");
    copy_only_folder(AT_FDCWD, top, only, sizeof only);
    const char *in = src->rest[0] ? src->rest : only;
    enum member_fault fault = member_path(in, rest, sizeof rest);
    if (fault == MEMBER_EMPTY)
        str_copy(str_of(top), c->path, sizeof c->path);
    else if (fault != MEMBER_OK || !path_join(c->path, sizeof c->path, top, rest))
        return err_set(e, ERR_LIMIT, "no such path in the archive");
    if (stat(c->path, &st) != 0) {
        err_set(e, ERR_IO, "the archive has no '%s'", rest);
        err_where(e, src->path, ERR_NO_OFFSET, 0);
    }
    return e->code;
}

/* Nothing whole came out: what stands in the way is the answer. */
static int check_some(const struct archive_copy *c, struct err *e)
{
    const struct archive_note *v = c->record.v;

    if (c->record.files)
        return OK;
    if (c->record.n)
        err_set(e, ERR_FORMAT, "nothing could be unpacked: %.60s%s%.100s", v->name, v->name[0] ? ": " : "",
                v->text);
    else
        err_set(e, ERR_FORMAT, "the archive holds no files");
    err_where(e, c->record.path, ERR_NO_OFFSET, 0);
    return e->code;
}

bool copy_is_archive(const char *path, struct err *e)
{
    struct source src = { .fd = -1 };

    if (find_archive(&src, path, e) || src.fd < 0)
        return false;
    close(src.fd);
    return true;
}

int copies_usable(struct err *e)
{
    char dir[900];

    return copies_dir(dir, sizeof dir, e) ? e->code : path_private_dir(dir, e);
}

int copy_open(struct archive_copy **out, const char *path, const struct copy_opts *o, struct err *e)
{
    struct source src = { .fd = -1 };
    struct archive_copy *c = NULL;

    *out = NULL;
    if (find_archive(&src, path, e) || src.fd < 0)
        return e->code;
    c = calloc(1, sizeof *c);
    if (!c) {
        err_nomem(e);
        goto out;
    }
    c->lock = -1;
    if (o->keep ? name_copy(c, &src, e) || (!take_kept(c, &src) && make_kept(c, &src, o, e))
                : make_temporary(c, &src, o, e))
        goto out;
    if (check_some(c, e) == OK && set_path(c, &src, e) == OK)
        *out = c;
out:
    close(src.fd);
    if (!*out)
        copy_close(c);
    return e->code;
}

void copy_close(struct archive_copy *c)
{
    struct err ignored = ERR_INIT;

    if (!c)
        return;
    if (c->lock >= 0)
        close(c->lock);
    if (c->temporary)
        (void)!copy_remove_tree(c->folder, &ignored);
    record_done(&c->record);
    free(c);
}

const char *copy_path(const struct archive_copy *c)
{
    return c->path;
}

const struct archive_record *copy_record(const struct archive_copy *c)
{
    return &c->record;
}

bool copy_origin(const char *path, char *folder, size_t n, struct archive_record *r)
{
    char head[PATH_MAX];

    if (strlen(path) >= sizeof head)
        return false;
    str_copy(str_of(path), head, sizeof head);
    for (char *slash; (slash = strrchr(head, '/')) != NULL && slash != head;) {
        *slash = '\0';
        if (!record_read(r, head))
            continue;
        size_t k = strlen(head), top = strlen(r->top);
        if (path[k] == '/' && !strncmp(path + k + 1, r->top, top) && strchr("/", path[k + 1 + top]) &&
            k + top + 2 <= n) {
            str_copy((struct str){ path, k + 1 + top }, folder, n);
            return true;
        }
        record_done(r);
        return false;
    }
    return false;
}
