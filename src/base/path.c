/* SPDX-License-Identifier: Apache-2.0 */
/* Paths, private directories, files that are whole or not there. */
#include "config.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* f_type of statfs(2). Source: linux/magic.h and, for the file systems outside the kernel, their
 * own headers. */
static const uint32_t network_types[] = {
    0x00006969, /* NFS */
    0x0BD00BD0, /* Lustre */
    0x65735546, /* FUSE */
    0xFF534D42, /* CIFS */
    0xFE534D42, /* SMB2 */
    0x0000517B, /* SMB */
    0x01021997, /* 9p */
    0x00C36400, /* Ceph */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0x5346414F, /* AFS */
    0x6B414653, /* AFS of the kernel */
    0x20030528, /* OrangeFS */
    0x01161970, /* GFS2 */
    0x7461636F, /* OCFS2 */
    0xAAD7AAEA, /* PanFS */
    0x73757245, /* Coda */
};

static int fail_sys(struct err *e, int sys, const char *what, const char *path)
{
    int rc = err_sys(e, sys, "%s", what);
    err_where(e, path, ERR_NO_OFFSET, 0);
    return rc;
}

static int fail(struct err *e, int code, const char *why, const char *path)
{
    int rc = err_set(e, code, "%s", why);
    err_where(e, path, ERR_NO_OFFSET, 0);
    return rc;
}

static bool fits(int printed, size_t n)
{
    return printed >= 0 && (size_t)printed < n;
}

bool path_join(char *buf, size_t n, const char *dir, const char *name)
{
    size_t len = strlen(dir);
    bool alone = len == 0 || name[0] == '/';
    const char *slash = alone || dir[len - 1] == '/' ? "" : "/";

    return fits(snprintf(buf, n, "%s%s%s", alone ? "" : dir, slash, name), n);
}

/* Length without the slashes at the end; the root keeps one. */
static size_t length_without_slashes(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

const char *path_base(const char *path)
{
    size_t n = length_without_slashes(path);

    while (n > 0 && path[n - 1] != '/')
        n--;
    return path + n;
}

bool path_is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (!path[n] || path[n] == '/' || (n && folder[n - 1] == '/'));
}

bool path_is_archive(const char *path)
{
    static const char *const ends[] = { ".tar",  ".tar.gz",  ".tgz",  ".tar.xz", ".txz", ".tar.zst",
                                        ".tzst", ".tar.bz2", ".tbz2", ".tbz",    ".zip" };

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends(str_of(path), str_of(ends[i])))
            return true;
    return false;
}

bool path_dir(char *buf, size_t n, const char *path)
{
    size_t len = (size_t)(path_base(path) - path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    if (len == 0)
        return fits(snprintf(buf, n, "."), n);
    return fits(snprintf(buf, n, "%.*s", (int)len, path), n);
}

/* One directory; its parent is there. */
static int make_one(const char *path, struct err *e)
{
    struct stat st;

    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? OK : fail_sys(e, ENOTDIR, "cannot create the directory", path);
    if (mkdir(path, 0700) != 0) {
        int sys = errno;
        if (sys == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
            return OK; /* another process was faster */
        return fail_sys(e, sys, "cannot create the directory", path);
    }
    /* A strange umask takes bits of ours, a parent with the setgid bit adds some. */
    if (stat(path, &st) != 0 || (st.st_mode & 07777) != 0700) {
        if (chmod(path, 0700) != 0)
            return fail_sys(e, errno, "cannot set the mode of the directory", path);
    }
    return OK;
}

int path_mkdirs(const char *path, struct err *e)
{
    char buf[PATH_MAX];
    size_t n = length_without_slashes(path);
    int rc = OK;

    if (n == 0 || n >= sizeof buf)
        return fail_sys(e, n ? ENAMETOOLONG : ENOENT, "cannot create the directory", path);
    for (size_t i = 1; i <= n && rc == OK; i++) {
        if (i < n && path[i] != '/')
            continue;
        memcpy(buf, path, i);
        buf[i] = '\0';
        rc = make_one(buf, e);
    }
    return rc;
}

/* Why an open directory cannot be a private one; NULL: it can. */
static const char *private_problem(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return "cannot be examined";
    if (st.st_uid != geteuid())
        return "belongs to another user, not used";
    if (st.st_mode & 022)
        return "others can write to this directory, not used";
    if ((st.st_mode & 07777) != 0700 && fchmod(fd, 0700) != 0)
        return "others can read this directory and its mode cannot be changed, not used";
    return NULL;
}

int path_private_dir(const char *path, struct err *e)
{
    char plain[PATH_MAX]; /* a slash at the end would follow a link */
    struct stat st;
    int rc;

    size_t n = length_without_slashes(path);
    if (n == 0 || n >= sizeof plain)
        return fail_sys(e, n ? ENAMETOOLONG : ENOENT, "cannot use the directory", path);
    memcpy(plain, path, n);
    plain[n] = '\0';
    if (lstat(plain, &st) == 0 && S_ISLNK(st.st_mode))
        return fail(e, ERR_IO, "is a symbolic link, not used as a private directory", path);
    if ((rc = path_mkdirs(plain, e)) != OK)
        return rc;
    int fd = open(plain, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_sys(e, errno, "cannot use the directory", path);
    const char *problem = private_problem(fd);
    close(fd);
    return problem ? fail(e, ERR_IO, problem, path) : OK;
}

/* $variable/npuscope, else $HOME/fallback/npuscope. Relative values are not valid (XDG Base
 * Directory Specification). */
static int user_dir(char *buf, size_t n, const char *variable, const char *fallback, struct err *e)
{
    const char *xdg = getenv(variable), *home = getenv("HOME");
    int printed;

    if (xdg && xdg[0] == '/')
        printed = snprintf(buf, n, "%s/npuscope", xdg);
    else if (home && home[0] == '/')
        printed = snprintf(buf, n, "%s/%s/npuscope", home, fallback);
    else
        return err_set(e, ERR_USAGE, "neither %s nor HOME is an absolute path", variable);
    if (!fits(printed, n))
        return err_set(e, ERR_USAGE, "the path in %s or HOME is too long", variable);
    return OK;
}

int path_cache_dir(char *buf, size_t n, struct err *e)
{
    return user_dir(buf, n, "XDG_CACHE_HOME", ".cache", e);
}

int path_config_dir(char *buf, size_t n, struct err *e)
{
    return user_dir(buf, n, "XDG_CONFIG_HOME", ".config", e);
}

const char *path_strange(mode_t mode)
{
    if (S_ISREG(mode))
        return NULL;
    if (S_ISFIFO(mode))
        return "a FIFO, not a file";
    if (S_ISSOCK(mode))
        return "a socket, not a file";
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return "a device, not a file";
    return S_ISDIR(mode) ? "a folder, not a file" : "not a regular file";
}

const char *path_strange_at(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? path_strange(st.st_mode) : NULL;
}

int path_open_file(const char *path, struct stat *st, struct err *e)
{
    const char *strange;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

    if (fd < 0 && errno == ENXIO && (strange = path_strange_at(path)) != NULL) { /* a socket */
        err_set(e, ERR_FORMAT, "%s", strange);
    } else if (fd < 0) {
        err_sys(e, errno, "cannot open");
    } else if (fstat(fd, st) != 0) {
        err_sys(e, errno, "cannot stat");
    } else if ((strange = path_strange(st->st_mode)) != NULL) {
        err_set(e, ERR_FORMAT, "%s", strange);
    }
    if (e->code && fd >= 0)
        close(fd);
    return e->code ? -1 : fd;
}

bool path_type_is_network(uint64_t type)
{
    for (size_t i = 0; i < ARRAY_LEN(network_types); i++) {
        if (network_types[i] == (uint32_t)type)
            return true;
    }
    return false;
}

bool path_is_network(const char *path)
{
    char at[PATH_MAX], up[PATH_MAX];
    struct statfs fs;

    if (!fits(snprintf(at, sizeof at, "%s", path), sizeof at))
        return false;
    while (statfs(at, &fs) != 0) {
        /* A path that is not there yet will be made on the file system of its parent. */
        if (errno != ENOENT || !path_dir(up, sizeof up, at) || strcmp(up, at) == 0)
            return false;
        memcpy(at, up, strlen(up) + 1);
    }
    return path_type_is_network((uint64_t)fs.f_type);
}

struct file_write {
    int fd, dir;
    bool in_place, replace, failed;
    char *path;     /* as given, for messages */
    char name[256]; /* in dir */
    char tmp[256];
};

static void write_free(struct file_write *w)
{
    if (!w)
        return;
    if (w->fd >= 0)
        close(w->fd);
    if (w->dir >= 0)
        close(w->dir);
    free(w->path);
    free(w);
}

/* Decide between a temporary file and writing in place. */
static int write_examine(struct file_write *w, struct err *e)
{
    struct stat st;

    struct str path = str_of(w->path);
    if ((str_starts(path, STR("/dev/")) && !str_starts(path, STR("/dev/shm/"))) ||
        str_starts(path, STR("/proc/"))) {
        w->in_place = true;
        return OK;
    }
    if (stat(w->path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            return fail_sys(e, EISDIR, "cannot write", w->path);
        if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) {
            w->in_place = true;
            return OK;
        }
        if (!S_ISREG(st.st_mode))
            return fail(e, ERR_IO, "is not a file that can be written", w->path);
        if (w->replace && faccessat(AT_FDCWD, w->path, W_OK, AT_EACCESS) != 0) /* rename does not ask */
            return fail_sys(e, errno, "cannot write", w->path);
    }
    if (!w->replace && lstat(w->path, &st) == 0)
        return fail(e, ERR_IO, "exists already, not replaced", w->path);
    return OK;
}

/* Unless it is open already: the folder of the file, by the path as it was given. */
static int write_open_dir(struct file_write *w, struct err *e)
{
    char dir[PATH_MAX];

    if (w->dir >= 0)
        return OK;
    if (!path_dir(dir, sizeof dir, w->path))
        return fail_sys(e, ENAMETOOLONG, "cannot write", w->path);
    w->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return w->dir < 0 ? fail_sys(e, errno, "cannot open its directory", w->path) : OK;
}

static int write_open_tmp(struct file_write *w, struct err *e)
{
    const char *base = path_base(w->path);

    if (base[0] == '\0' || !fits(snprintf(w->name, sizeof w->name, "%s", base), sizeof w->name))
        return fail_sys(e, base[0] ? ENAMETOOLONG : ENOENT, "cannot write", w->path);
    if (write_open_dir(w, e))
        return e->code;
    for (unsigned i = 0; i < 100; i++) {
        snprintf(w->tmp, sizeof w->tmp, ".%.200s.tmp.%ld.%u", w->name, (long)getpid(), i);
        w->fd = openat(w->dir, w->tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (w->fd >= 0)
            return OK;
        if (errno != EEXIST)
            break;
    }
    int sys = errno;
    w->tmp[0] = '\0';
    return fail_sys(e, sys, "cannot write", w->path);
}

static int write_new(struct file_write **out, const char *path, bool replace, struct err *e)
{
    struct file_write *w = calloc(1, sizeof *w);

    *out = w;
    if (!w)
        return err_nomem(e);
    w->fd = w->dir = -1;
    w->replace = replace;
    w->path = strdup(path);
    return w->path ? OK : err_nomem(e);
}

int file_write_open(struct file_write **out, const char *path, bool replace, struct err *e)
{
    struct file_write *w;
    int rc;

    *out = NULL;
    if ((rc = write_new(&w, path, replace, e)) != OK || (rc = write_examine(w, e)) != OK)
        goto out;
    if (!w->in_place) {
        if ((rc = write_open_tmp(w, e)) != OK)
            goto out;
    } else if ((w->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)) < 0) {
        rc = fail_sys(e, errno, "cannot write", path);
        goto out;
    }
    *out = w;
    w = NULL;
out:
    write_free(w);
    return rc;
}

/* ---- below a folder ---- */

/* Go from the open folder *fd to the one called name in it, made where it is missing. */
static int enter_one(int *fd, const char *name, const char *path, struct err *e)
{
    int made = mkdirat(*fd, name, 0777) == 0 || errno == EEXIST ? 0 : errno;
    int next = made ? -1 : openat(*fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int sys = made ? made : errno;
    struct stat st;

    if (next < 0) {
        if (!made && fstatat(*fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
            return fail(e, ERR_IO, "lies behind a symbolic link, which is not followed", path);
        return fail_sys(e, sys, "cannot make or open its directory", path);
    }
    close(*fd);
    *fd = next;
    return OK;
}

/* w->dir becomes the folder of name below base. */
static int enter_all(struct file_write *w, const char *base, const char *name, struct err *e)
{
    struct str rest = str_of(name), part;
    char one[256];

    w->dir = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (w->dir < 0)
        return fail_sys(e, errno, "cannot open its directory", w->path);
    while (str_chr(rest, '/') != SIZE_MAX && str_next(&rest, '/', &part)) {
        if (part.n >= sizeof one || str_eq(part, STR("..")))
            return fail_sys(e, ENAMETOOLONG, "cannot write", w->path);
        str_copy(part, one, sizeof one);
        if (enter_one(&w->dir, one, w->path, e))
            return e->code;
    }
    return OK;
}

/* What lies there may be replaced when it is a file or a link; nothing else is touched. */
static int examine_below(const struct file_write *w, struct err *e)
{
    struct stat st;

    if (fstatat(w->dir, path_base(w->path), &st, AT_SYMLINK_NOFOLLOW) != 0)
        return OK;
    if (!w->replace)
        return fail(e, ERR_IO, "exists already, not replaced", w->path);
    if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return fail(e, ERR_IO, "is not a file that can be written", w->path);
    return OK;
}

int file_write_open_below(struct file_write **out, const char *base, const char *name, bool replace,
                          struct err *e)
{
    char path[PATH_MAX];
    struct file_write *w = NULL;

    *out = NULL;
    if (!path_join(path, sizeof path, base, name))
        return fail_sys(e, ENAMETOOLONG, "cannot write", base);
    if (write_new(&w, path, replace, e) == OK && enter_all(w, base, name, e) == OK &&
        examine_below(w, e) == OK && write_open_tmp(w, e) == OK) {
        *out = w;
        return OK;
    }
    write_free(w);
    return e->code;
}

int file_write_fd(const struct file_write *w)
{
    return w->fd;
}

int file_write_data(struct file_write *w, const void *p, size_t n, struct err *e)
{
    const char *from = p;

    while (n > 0) {
        ssize_t got = write(w->fd, from, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            w->failed = true;
            return fail_sys(e, got < 0 ? errno : EIO, "cannot write", w->path);
        }
        from += got;
        n -= (size_t)got;
    }
    return OK;
}

/* fsync where it has a meaning: pipes, terminals and some file systems have none. */
static int sync_fd(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == ENOSYS)
        return 0;
    return errno;
}

/* The temporary gets the name; an existing file only goes when that was asked for. Returns errno or
 * 0. */
static int take_name(const struct file_write *w)
{
    if (w->replace)
        return renameat(w->dir, w->tmp, w->dir, w->name) == 0 ? 0 : errno;
    if (renameat2(w->dir, w->tmp, w->dir, w->name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return errno;
    /* Not every file system knows that (NFS); a second link cannot replace anything either. */
    if (linkat(w->dir, w->tmp, w->dir, w->name, 0) != 0)
        return errno;
    return unlinkat(w->dir, w->tmp, 0) == 0 ? 0 : errno;
}

/* Everything is on the disk: make it visible, and make that last. */
static int publish(struct file_write *w, struct err *e)
{
    int sys = take_name(w);

    if (sys != 0)
        return fail_sys(e, sys, "cannot give the file its name", w->path);
    w->tmp[0] = '\0';
    sys = sync_fd(w->dir);
    return sys ? fail_sys(e, sys, "cannot write its directory", w->path) : OK;
}

int file_write_commit(struct file_write *w, struct err *e)
{
    int rc = OK, sys, fd = w->fd;

    if (w->failed)
        rc = fail(e, ERR_IO, "was not written in full", w->path);
    else if ((sys = sync_fd(fd)) != 0)
        rc = fail_sys(e, sys, "cannot write", w->path);
    w->fd = -1;
    if (close(fd) != 0 && errno != EINTR && rc == OK)
        rc = fail_sys(e, errno, "cannot write", w->path);
    if (rc == OK && !w->in_place)
        rc = publish(w, e);
    file_write_abort(w);
    return rc;
}

void file_write_abort(struct file_write *w)
{
    if (w && w->tmp[0])
        unlinkat(w->dir, w->tmp, 0);
    write_free(w);
}
