/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults for a program that writes files, loaded before it (LD_PRELOAD): the n-th call that changes the disk
 * ends it, or fails.
 *
 * Only the import worker counts, told by its first argument, or what has another one that is asked for;
 * everything else passes. Environment:
 *   FAULT_WORD=WORD the first argument of the program that is meant
 *   FAULT_AT=N      the call meant, from 1; 0 or nothing: only count
 *   FAULT_DO=WORD   kill: SIGKILL to the process group before the call; half: after half of its bytes;
 *   enospc, eio: it fails so
 *   FAULT_STICKY=1  every later call that needs room fails, too
 *   FAULT_ONLY=open only calls that make a file count
 *   FAULT_COUNT=F   the number of calls goes to this file at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    bool on, sticky, half, only_open;
    long at;
    int fail; /* errno, 0: kill */
    atomic_long calls;
} fault;

__attribute__((constructor)) static void begin(void)
{
    const char *word = getenv("FAULT_WORD");
    char line[256];
    const char *at = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);

    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    size_t first = strlen(line) + 1;
    fault.on = n > 0 && first < (size_t)n && strcmp(line + first, word ? word : "--import-worker") == 0;
    fault.at = at ? strtol(at, NULL, 10) : 0;
    fault.sticky = getenv("FAULT_STICKY") != NULL;
    fault.only_open = getenv("FAULT_ONLY") != NULL;
    if (!what)
        return;
    fault.half = strcmp(what, "half") == 0;
    fault.fail = strcmp(what, "enospc") == 0 ? ENOSPC : strcmp(what, "eio") == 0 ? EIO : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = fault.on ? getenv("FAULT_COUNT") : NULL;
    FILE *f = path ? fopen(path, "w") : NULL;

    if (f) {
        fprintf(f, "%ld\n", (long)fault.calls);
        fclose(f);
    }
}

enum call { CALL_OPEN, CALL_ROOM, CALL_NO_ROOM };

/* One more call. True: it has to fail with errno as set. CALL_NO_ROOM: it cannot meet a full disk. */
static bool is_hit(enum call c)
{
    bool needs_room = c != CALL_NO_ROOM;
    long n = fault.on && (c == CALL_OPEN || !fault.only_open) ? ++fault.calls : 0;

    if (!n || !fault.at || n < fault.at || (n > fault.at && !(fault.sticky && fault.fail)))
        return false;
    if (!fault.fail && !fault.half)
        kill(0, SIGKILL);
    if (fault.fail == ENOSPC && !needs_room)
        return false;
    errno = fault.fail;
    return fault.fail != 0 || n == fault.at;
}

static bool is_file(int fd)
{
    struct stat st;

    return fault.on && fd > 2 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

typedef ssize_t pwrite_fn(int, const void *, size_t, off_t);
typedef ssize_t write_fn(int, const void *, size_t);
typedef int truncate_fn(int, off_t);
typedef int fd_fn(int);
typedef int path_fn(const char *);
typedef int rename_fn(const char *, const char *);
typedef int open_fn(const char *, int, ...);

static ssize_t write_at(const char *name, int fd, const void *p, size_t n, off_t off)
{
    pwrite_fn *real = REAL(name, pwrite_fn *);

    if (!is_file(fd) || !is_hit(CALL_ROOM))
        return real(fd, p, n, off);
    if (fault.half) {
        (void)!real(fd, p, n / 2, off);
        kill(0, SIGKILL);
    }
    return -1;
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t off)
{
    return write_at("pwrite", fd, p, n, off);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off_t off)
{
    return write_at("pwrite64", fd, p, n, off);
}

ssize_t write(int fd, const void *p, size_t n)
{
    write_fn *real = REAL("write", write_fn *);

    if (!is_file(fd) || !is_hit(CALL_ROOM))
        return real(fd, p, n);
    if (fault.half) {
        (void)!real(fd, p, n / 2);
        kill(0, SIGKILL);
    }
    return -1;
}

/* The others have no half of them: killed before. */
static bool ends_here(enum call c)
{
    if (!is_hit(c))
        return false;
    if (fault.half)
        kill(0, SIGKILL);
    return true;
}

int ftruncate(int fd, off_t n)
{
    return ends_here(CALL_NO_ROOM) ? -1 : REAL("ftruncate", truncate_fn *)(fd, n);
}

int ftruncate64(int fd, off_t n)
{
    return ends_here(CALL_NO_ROOM) ? -1 : REAL("ftruncate64", truncate_fn *)(fd, n);
}

int fsync(int fd)
{
    return ends_here(CALL_ROOM) ? -1 : REAL("fsync", fd_fn *)(fd);
}

int fdatasync(int fd)
{
    return ends_here(CALL_ROOM) ? -1 : REAL("fdatasync", fd_fn *)(fd);
}

int unlink(const char *path)
{
    return ends_here(CALL_NO_ROOM) ? -1 : REAL("unlink", path_fn *)(path);
}

int rename(const char *from, const char *to)
{
    return ends_here(CALL_ROOM) ? -1 : REAL("rename", rename_fn *)(from, to);
}

static int open_as(const char *name, const char *path, int flags, mode_t mode)
{
    if ((flags & O_CREAT) && ends_here(CALL_OPEN))
        return -1;
    return REAL(name, open_fn *)(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list ap;

    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return open_as("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list ap;

    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return open_as("open64", path, flags, mode);
}
