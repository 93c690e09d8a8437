/* SPDX-License-Identifier: Apache-2.0 */
/* The copies in the cache: listing, removing, ageing, what killed processes left. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/copy.h"
#include "archive/copy_dir.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"

int copies_dir(char *buf, size_t n, struct err *e)
{
    char dir[880];

    if (path_cache_dir(dir, sizeof dir, e))
        return e->code;
    return path_join(buf, n, dir, "unpacked") ? OK
                                              : err_set(e, ERR_LIMIT, "the path of the cache is too long");
}

void copy_stem(const char *path, char *buf, size_t n)
{
    const char *base = path_base(path);
    size_t k = 0;

    for (; base[k] && k + 1 < n; k++)
        buf[k] = str_is_word(base[k]) || base[k] == '-' || base[k] == '.' ? base[k] : '_';
    buf[k] = '\0';
    for (char *dot = buf; (dot = strchr(dot + 1, '.')) != NULL;)
        if (path_is_archive(dot) && strlen(dot) <= sizeof ".tar.zst" - 1) {
            *dot = '\0';
            break;
        }
    if (!buf[0] || buf[0] == '.' || !strcmp(buf, RECORD_NAME))
        str_copy(STR(COPY_TOP), buf, n);
}

void copy_only_folder(int at, const char *path, char *buf, size_t n)
{
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    struct stat st;
    unsigned entries = 0;

    buf[0] = '\0';
    for (struct dirent *x; d && (x = readdir(d)) != NULL;) {
        if (!strcmp(x->d_name, ".") || !strcmp(x->d_name, ".."))
            continue;
        entries++;
        if (fstatat(fd, x->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
            str_copy(str_of(x->d_name), buf, n);
    }
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    if (entries != 1)
        buf[0] = '\0';
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path) != 0 && errno != ENOENT ? errno : 0;
}

int copy_remove_tree(const char *path, struct err *e)
{
    struct stat st;

    if (lstat(path, &st) != 0)
        return OK;
    int sys = nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (!sys)
        return OK;
    err_sys(e, sys < 0 ? errno : sys, "cannot remove");
    err_where(e, path, ERR_NO_OFFSET, 0);
    return e->code;
}

/* The process that a folder of this name belongs to is gone. */
static bool is_orphan(const char *name)
{
    const char *at = strncmp(name, COPY_TMP_HEAD, sizeof COPY_TMP_HEAD - 1) == 0
                         ? name + sizeof COPY_TMP_HEAD - 1
                         : strstr(name, COPY_TMP);
    uint64_t pid;
    struct str rest, digits;

    if (!at)
        return false;
    rest = str_of(at + (strncmp(at, COPY_TMP, sizeof COPY_TMP - 1) == 0 ? sizeof COPY_TMP - 1 : 0));
    return str_next(&rest, '.', &digits) && str_u64(digits, &pid) && pid > 0 && pid <= INT32_MAX &&
           kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

void copies_drop_orphans(const char *dir)
{
    char path[2100];
    struct err ignored = ERR_INIT;
    struct stat st;
    DIR *d = path_is_network(dir) ? NULL : opendir(dir); /* processes of another host cannot be asked */

    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        if (is_orphan(x->d_name) && path_join(path, sizeof path, dir, x->d_name) && lstat(path, &st) == 0 &&
            S_ISDIR(st.st_mode) && st.st_uid == geteuid())
            (void)!copy_remove_tree(path, &ignored);
    if (d)
        closedir(d);
}

static int each_copy(void (*fn)(void *arg, const struct copy_entry *x), void *arg, struct err *e)
{
    char dir[900], path[1200], record[1300];

    if (copies_dir(dir, sizeof dir, e))
        return e->code;
    DIR *d = opendir(dir);
    if (!d)
        return errno == ENOENT ? OK : err_sys(e, errno, "cannot list the cache");
    for (struct dirent *x; (x = readdir(d)) != NULL;) {
        struct archive_record r;
        struct stat st;
        if (x->d_name[0] == '.' || strstr(x->d_name, COPY_TMP) ||
            !path_join(path, sizeof path, dir, x->d_name) ||
            !path_join(record, sizeof record, path, RECORD_NAME) || lstat(record, &st) != 0 ||
            !record_read(&r, path))
            continue;
        fn(arg,
           &(struct copy_entry){ path, &r, (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec });
        record_done(&r);
    }
    closedir(d);
    return OK;
}

int copies_list(void (*fn)(void *arg, const struct copy_entry *x), void *arg, struct err *e)
{
    return each_copy(fn, arg, e);
}

/*
 * Remove a copy that nobody has open. It loses its name first: what is half removed is never taken for whole.
 */
static int drop(const char *folder, struct err *e)
{
    char tmp[1300];
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return errno == ENOENT ? OK : err_sys(e, errno, "cannot remove");
    snprintf(tmp, sizeof tmp, "%s" COPY_TMP "%ld.old", folder, (long)getpid());
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        err_set(e, ERR_BUSY, "is open in another npuscope: not removed");
    else if (rename(folder, tmp) != 0)
        err_sys(e, errno, "cannot remove");
    if (e->code)
        err_where(e, folder, ERR_NO_OFFSET, 0);
    else
        (void)!copy_remove_tree(tmp, e);
    close(fd);
    return e->code;
}

struct removal {
    const char *path; /* NULL: all */
    bool exact;
    unsigned *n;
    struct err *e;
};

static void remove_copy(void *arg, const struct copy_entry *x)
{
    struct removal *r = arg;
    size_t n = r->path ? strlen(r->path) : 0;
    struct err why = ERR_INIT;

    while (n > 1 && r->path[n - 1] == '/')
        n--;
    if (r->path && (strncmp(x->record->path, r->path, n) != 0 ||
                    (x->record->path[n] && (r->exact || x->record->path[n] != '/'))))
        return;
    if (drop(x->folder, &why) == OK)
        ++*r->n;
    else if (!r->e->code)
        *r->e = why;
}

int copies_remove(const char *path, unsigned *n, struct err *e)
{
    struct err of_one = ERR_INIT;
    struct removal r = { .path = path, .n = n, .e = &of_one };
    char dir[900];

    *n = 0;
    if (each_copy(remove_copy, &r, e) == OK && of_one.code)
        *e = of_one;
    if (!path && copies_dir(dir, sizeof dir, &of_one) == OK)
        copies_drop_orphans(dir);
    return e->code;
}

void copies_drop_older(const char *archive)
{
    struct err of_one = ERR_INIT, ignored = ERR_INIT;
    unsigned n = 0;
    struct removal r = { .path = archive, .exact = true, .n = &n, .e = &of_one };

    (void)!each_copy(remove_copy, &r, &ignored);
}

/* ---- ageing ---- */

struct aged {
    char folder[1024];
    uint64_t bytes;
    int64_t used_ns;
};
struct ageing {
    struct aged *v;
    size_t n, cap;
    uint64_t sum_b;
    bool failed;
};

static void age_one(void *arg, const struct copy_entry *x)
{
    struct ageing *a = arg;
    struct aged *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 16);

    if (!v) {
        a->failed = true;
        return;
    }
    a->v = v;
    v += a->n++;
    snprintf(v->folder, sizeof v->folder, "%s", x->folder);
    v->bytes = x->record->bytes;
    v->used_ns = x->used_ns;
    a->sum_b += v->bytes;
}

static int by_use(const void *a, const void *b)
{
    const struct aged *x = a, *y = b;
    return x->used_ns < y->used_ns ? -1 : x->used_ns > y->used_ns;
}

int copies_age(int64_t now_ns, unsigned *n, struct err *e)
{
    const int64_t second = 1000000000, spared = now_ns - LIM_CACHE_SPARE_S * second;
    struct ageing a = { .n = 0 };
    char dir[900];

    *n = 0;
    if (each_copy(age_one, &a, e) == OK && a.failed)
        err_nomem(e);
    if (a.n)
        qsort(a.v, a.n, sizeof *a.v, by_use);
    for (size_t i = 0; !e->code && i < a.n && a.v[i].used_ns < spared; i++) {
        struct err why = ERR_INIT;
        bool old = a.v[i].used_ns < now_ns - LIM_CACHE_DAYS * 86400 * second;
        if (!old && a.sum_b <= LIM_CACHE_B)
            break;
        a.sum_b -= a.v[i].bytes;
        *n += drop(a.v[i].folder, &why) == OK; /* one that is open stays */
    }
    free(a.v);
    if (!e->code && copies_dir(dir, sizeof dir, e) == OK)
        copies_drop_orphans(dir);
    return e->code;
}
