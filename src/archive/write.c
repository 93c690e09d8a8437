/* SPDX-License-Identifier: Apache-2.0 */
/* Folders are opened part by part, each relative to the one above it, so that no path can lead out. */
#include "config.h"

#include "archive/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"

#define PART_NAME "member"

struct member_writer {
    int dir, top, fd; /* fd: of the file being written */
    int last;         /* folder used last */
    char last_path[LIM_ARCHIVE_NAME_B + 1];
};

int member_writer_new(struct member_writer **out, int dir, const char *top, struct err *e)
{
    struct member_writer *w = calloc(1, sizeof *w);

    *out = w;
    if (!w)
        return err_nomem(e);
    w->dir = dir;
    w->fd = w->last = -1;
    if (mkdirat(dir, top, 0700) != 0)
        err_sys(e, errno, "cannot make a folder");
    w->top = e->code ? -1 : openat(dir, top, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (w->top < 0 && !e->code)
        err_sys(e, errno, "cannot make a folder");
    if (e->code) {
        member_writer_free(w);
        *out = NULL;
    }
    return e->code;
}

static void drop_part(struct member_writer *w)
{
    if (w->fd < 0)
        return;
    close(w->fd);
    w->fd = -1;
    unlinkat(w->dir, PART_NAME, 0);
}

void member_writer_free(struct member_writer *w)
{
    if (!w)
        return;
    drop_part(w);
    if (w->last >= 0)
        close(w->last);
    if (w->top >= 0)
        close(w->top);
    free(w);
}

/* Another member stands in the way: not our error. */
static bool in_the_way(int sys, const char **why)
{
    if (sys != EEXIST && sys != ENOTDIR && sys != EISDIR && sys != ELOOP && sys != ENOTEMPTY)
        return false;
    *why = "a file and a folder of the archive have the same path: left out";
    return true;
}

/* The folder called `part` below at, made when missing; -1 with errno. */
static int enter(int at, const char *part)
{
    if (mkdirat(at, part, 0700) != 0 && errno != EEXIST)
        return -1;
    return openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Descriptor of a folder of the archive, kept until the next one is asked for; -1 with errno. */
static int open_folder(struct member_writer *w, struct str path)
{
    struct str rest = path, part;
    char name[LIM_ARCHIVE_PART_B + 1];

    if (!path.n)
        return w->top;
    if (w->last >= 0 && str_eq(path, str_of(w->last_path)))
        return w->last;
    int at = w->top;
    while (at >= 0 && str_next(&rest, '/', &part)) {
        int below = enter(at, str_copy(part, name, sizeof name)), sys = errno;
        if (at != w->top)
            close(at);
        errno = sys;
        at = below;
    }
    if (at < 0)
        return -1;
    if (w->last >= 0)
        close(w->last);
    str_copy(path, w->last_path, sizeof w->last_path);
    return w->last = at;
}

/* The folder that a path lies in. *base: its last part. */
static int open_parent(struct member_writer *w, const char *path, const char **base)
{
    const char *slash = strrchr(path, '/');

    *base = slash ? slash + 1 : path;
    return open_folder(w, (struct str){ path, slash ? (size_t)(slash - path) : 0 });
}

static int failed(int sys, const char **why, struct err *e)
{
    return in_the_way(sys, why) ? OK : err_sys(e, sys, "cannot unpack");
}

int member_folder(struct member_writer *w, const char *path, const char **why, struct err *e)
{
    return open_folder(w, str_of(path)) < 0 ? failed(errno, why, e) : OK;
}

int member_begin(struct member_writer *w, struct err *e)
{
    drop_part(w);
    w->fd = openat(w->dir, PART_NAME, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return w->fd < 0 ? err_sys(e, errno, "cannot unpack") : OK;
}

int member_data(struct member_writer *w, const void *p, size_t n, struct err *e)
{
    const char *from = p;

    while (n) {
        ssize_t got = write(w->fd, from, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return err_sys(e, got < 0 ? errno : EIO, "cannot unpack");
        from += got;
        n -= (size_t)got;
    }
    return OK;
}

int member_end(struct member_writer *w, const char *path, struct timespec mtime, const char **why,
               struct err *e)
{
    const struct timespec times[2] = { mtime, mtime };
    const char *base;
    int fd = w->fd;

    (void)!futimens(fd, times); /* a time that the file system cannot keep */
    w->fd = -1;
    if (close(fd) != 0 && errno != EINTR) {
        err_sys(e, errno, "cannot unpack");
    } else {
        int at = open_parent(w, path, &base);
        if (at >= 0 && renameat(w->dir, PART_NAME, at, base) == 0)
            return OK;
        (void)!failed(errno, why, e);
    }
    unlinkat(w->dir, PART_NAME, 0);
    return e->code;
}

int member_same(struct member_writer *w, const char *path, const char *old, const char **why, struct err *e)
{
    const char *base;
    struct stat st;

    if (fstatat(w->top, old, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) {
        *why = "a link to what is not among the members before it: left out";
        return OK;
    }
    if (strcmp(path, old) == 0)
        return OK;
    int at = open_parent(w, path, &base);
    if (at >= 0 && (unlinkat(at, base, 0) == 0 || errno == ENOENT) && linkat(w->top, old, at, base, 0) == 0)
        return OK;
    return failed(errno, why, e);
}

bool member_exists(const struct member_writer *w, const char *path)
{
    struct stat st;

    return fstatat(w->top, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}
