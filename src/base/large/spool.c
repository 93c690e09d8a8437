/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in memory, and in files without a name that are mapped. */
#include "config.h"

#include "base/large/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/path.h"
#include "base/str.h"

/* arrays below this are not counted, unless nothing may be in memory */
#define SMALL_B      ((size_t)1 << 20)
#define RESIDENT_B   ((uint64_t)40 << 20) /* of mapped files: more than this is left to the system */
#define COPY_B       ((size_t)16 << 20)   /* copied at once */
#define LOOK_NS      5000000              /* how often that is looked at */
#define STACK_B      ((size_t)256 << 10)  /* of the thread that looks */
#define MIB          ((uint64_t)1 << 20)
#define STATM_SHARED 3 /* its field of /proc/self/statm, from 1 */
#define IN_MEMORY    (-1)

struct lent {
    void *p;
    size_t bytes;
    int fd; /* IN_MEMORY: of no file */
};

struct spool {
    pthread_mutex_t lock;
    struct lent *v; /* mapped: those of small_b bytes and more; others are malloc()ed */
    size_t n, cap;
    size_t small_b;
    uint64_t memory_b, used_b; /* limit; bytes of v in memory */
    atomic_bool no_files;      /* one could not be made or grow: memory is all there is */
    pthread_t keeper;
    pthread_cond_t end;
    bool keeps, ends;
    char dir[PATH_MAX];
};

/* ---- files ---- */

/* A file that has no name, or loses it at once. */
static int nameless(const char *dir)
{
    char name[PATH_MAX + 32];
    int fd = -1;

#ifdef O_TMPFILE
    fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
#endif
    if (fd >= 0 || snprintf(name, sizeof name, "%s/npuscope-XXXXXX", dir) >= (int)sizeof name)
        return fd;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

/* Room on the disk is taken at once, so that a full disk shows here and not by a signal at some access. */
static bool take_room(int fd, size_t from, size_t to)
{
    int rc;

    do
        rc = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
    while (rc == EINTR);
    return rc == 0;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (bytes + page - 1) / page * page;
}

/* A new mapping, of a file or of memory alone. */
static bool map_new(const struct spool *s, size_t bytes, bool in_file, struct lent *out)
{
    int fd = in_file ? nameless(s->dir) : IN_MEMORY;
    void *p = MAP_FAILED;

    if (!in_file)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
    else if (fd >= 0 && take_room(fd, 0, bytes))
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *out = (struct lent){ p, bytes, fd };
    if (p == MAP_FAILED && fd >= 0)
        close(fd);
    return p != MAP_FAILED;
}

static void unmap(const struct lent *l)
{
    munmap(l->p, l->bytes);
    if (l->fd != IN_MEMORY)
        close(l->fd);
}

/* ---- resident pages ---- */

/* Bytes of this process' memory that belong to files. 0: not known. */
static uint64_t resident_of_files(void)
{
    char text[128];
    uint64_t shared = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    struct str rest = str_of(text), field = STR("");
    for (int i = 0; i < STATM_SHARED; i++)
        (void)str_next(&rest, ' ', &field);
    return !str_u64(field, &shared) ? 0 : shared * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The pages leave this process, not their file: an access brings them back. */
static void leave_pages(struct spool *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].fd != IN_MEMORY)
            madvise(s->v[i].p, s->v[i].bytes, MADV_DONTNEED);
}

void spool_leave(struct spool *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    if (s->keeps && resident_of_files() > RESIDENT_B)
        leave_pages(s);
    pthread_mutex_unlock(&s->lock);
}

/* Whatever walks the arrays does not have to think of it, unless other processes keep this from running. */
static void *keep(void *arg)
{
    struct spool *s = arg;

    pthread_mutex_lock(&s->lock);
    while (!s->ends) {
        const struct timespec t = clock_in(CLOCK_MONOTONIC, LOOK_NS);
        pthread_cond_timedwait(&s->end, &s->lock, &t);
        if (!s->ends && resident_of_files() > RESIDENT_B)
            leave_pages(s);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/*
 * Signals stay with the threads that were there before. Without the thread the pages stay until the system
 * wants them.
 */
static void start_keeper(struct spool *s)
{
    sigset_t all, before;
    pthread_attr_t small;

    sigfillset(&all);
    pthread_mutex_lock(&s->lock);
    if (!s->keeps) {
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, STACK_B);
        s->keeps = pthread_create(&s->keeper, &small, keep, s) == 0;
        pthread_attr_destroy(&small);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- arrays ---- */

static struct lent *find(const struct spool *s, const void *p)
{
    for (size_t i = 0; p && i < s->n; i++)
        if (s->v[i].p == p)
            return &s->v[i];
    return NULL;
}

static bool remember(struct spool *s, const struct lent *l)
{
    struct lent *v = grow_array(s->v, s->n, &s->cap, sizeof *v, 16);

    if (!v)
        return false;
    s->v = v;
    v[s->n++] = *l;
    s->used_b += l->fd == IN_MEMORY ? l->bytes : 0;
    return true;
}

static void forget(struct spool *s, struct lent *l)
{
    s->used_b -= l->fd == IN_MEMORY ? l->bytes : 0;
    *l = s->v[--s->n];
}

/*
 * Only what the keeper sees is changed under the lock: the table, and where mapped arrays lie. Making and
 * copying files takes its time, and the keeper has to look after the arrays of other threads meanwhile.
 */
static bool replace(struct spool *s, void *old, const struct lent *now)
{
    struct lent *l;
    bool done;

    pthread_mutex_lock(&s->lock);
    done = remember(s, now);
    if (done && (l = find(s, old)) != NULL)
        forget(s, l);
    pthread_mutex_unlock(&s->lock);
    return done;
}

/* What is known of an array (p NULL: it is small), and whether it may have `bytes` in memory. */
static struct lent look_up(struct spool *s, const void *p, size_t bytes, bool *fits)
{
    struct lent l = { NULL, 0, IN_MEMORY }, *known;

    pthread_mutex_lock(&s->lock);
    known = find(s, p);
    l = known ? *known : l;
    *fits = s->no_files || s->used_b - (l.fd == IN_MEMORY ? l.bytes : 0) + bytes <= s->memory_b;
    pthread_mutex_unlock(&s->lock);
    return l;
}

/* The pages that are written to a file leave at once. */
static void copy_into(const struct lent *to, const unsigned char *p, size_t n)
{
    for (size_t at = 0; p && at < n; at += COPY_B) {
        size_t part = n - at < COPY_B ? n - at : COPY_B;
        memcpy((unsigned char *)to->p + at, p + at, part);
        if (to->fd != IN_MEMORY)
            madvise((unsigned char *)to->p + at, COPY_B < to->bytes - at ? COPY_B : to->bytes - at,
                    MADV_DONTNEED);
    }
}

/* p (NULL: a new array), of which `held` bytes are used, goes on elsewhere. NULL: there is no room. */
static void *move(struct spool *s, void *p, const struct lent *was, size_t held, size_t bytes, bool to_file)
{
    struct lent now;

    if (!map_new(s, bytes, to_file, &now))
        return NULL;
    copy_into(&now, p, held);
    if (!replace(s, p, &now)) {
        unmap(&now);
        return NULL;
    }
    if (was->p)
        unmap(was);
    else
        free(p);
    if (to_file)
        start_keeper(s);
    return now.p;
}

static void *grow_where_it_is(struct spool *s, const struct lent *was, size_t bytes)
{
    if (bytes <= was->bytes)
        return was->p;
    if (was->fd != IN_MEMORY && !take_room(was->fd, was->bytes, bytes))
        return NULL;
    pthread_mutex_lock(&s->lock);
    struct lent *l = find(s, was->p);
    void *p = mremap(l->p, l->bytes, bytes, MREMAP_MAYMOVE);
    if (p != MAP_FAILED) {
        s->used_b += l->fd == IN_MEMORY ? bytes - l->bytes : 0;
        l->p = p;
        l->bytes = bytes;
    }
    pthread_mutex_unlock(&s->lock);
    return p == MAP_FAILED ? NULL : p;
}

/*
 * p (NULL: a new array), of which `held` bytes are used, gets room for `bytes`. When the disk is full it
 * comes back into memory.
 */
static void *resize(struct spool *s, void *p, size_t held, size_t bytes)
{
    bool fits;
    size_t whole = whole_pages(bytes);
    const struct lent was = look_up(s, p, whole, &fits);
    void *q = NULL;

    if (was.p && (fits || was.fd != IN_MEMORY))
        q = grow_where_it_is(s, &was, whole);
    else if (!fits)
        q = move(s, p, &was, held, whole, true);
    if (q)
        return q;
    if (!fits || was.fd != IN_MEMORY)
        atomic_store(&s->no_files, true);
    return move(s, p, &was, held, whole, false);
}

/* Mapped arrays grow without being copied: by a quarter. */
static bool room_for(struct spool *s, size_t n, size_t *room, size_t each, size_t first)
{
    if (!s || n < s->small_b / each || n < first)
        return grow_room(n, room, each, first);
    *room = n + n / 4 + 1;
    return *room > n;
}

void *spool_grow(struct spool *s, void *p, size_t n, size_t *cap, size_t each, size_t first)
{
    size_t more = *cap, bytes;

    if (n < *cap)
        return p;
    if (!room_for(s, n, &more, each, first) || !size_mul(more, each, &bytes))
        return NULL;
    void *q = s && bytes >= s->small_b ? resize(s, p, *cap * each, bytes) : realloc(p, bytes);
    *cap = q ? more : *cap;
    return q;
}

void spool_fit(struct spool *s, void *p, size_t n, size_t each)
{
    size_t bytes = whole_pages(n * each);
    struct lent *l;

    if (!s || !p)
        return;
    pthread_mutex_lock(&s->lock);
    l = find(s, p);
    if (l && bytes && bytes < l->bytes && mremap(p, l->bytes, bytes, 0) == p) {
        s->used_b -= l->fd == IN_MEMORY ? l->bytes - bytes : 0;
        l->bytes = bytes;
        if (l->fd != IN_MEMORY)
            (void)!ftruncate(l->fd, (off_t)bytes); /* else it is larger than need be */
    }
    pthread_mutex_unlock(&s->lock);
}

void *spool_array(struct spool *s, size_t n, size_t each)
{
    size_t bytes;

    if (!size_mul(n ? n : 1, each, &bytes))
        return NULL;
    return s && bytes >= s->small_b ? resize(s, NULL, 0, bytes) : calloc(1, bytes);
}

void spool_free(struct spool *s, void *p)
{
    struct lent was = { NULL, 0, IN_MEMORY }, *l;

    if (s && p) {
        pthread_mutex_lock(&s->lock);
        if ((l = find(s, p)) != NULL) {
            was = *l;
            forget(s, l);
            unmap(&was);
        }
        pthread_mutex_unlock(&s->lock);
    }
    if (!was.p)
        free(p);
}

bool spool_is_filed(struct spool *s, const void *p)
{
    bool is = false;

    if (!s)
        return false;
    pthread_mutex_lock(&s->lock);
    const struct lent *l = find(s, p);
    is = l && l->fd != IN_MEMORY;
    pthread_mutex_unlock(&s->lock);
    return is;
}

uint64_t spool_filed_b(struct spool *s)
{
    uint64_t sum = 0;

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->n; i++)
        sum += s->v[i].fd == IN_MEMORY ? 0 : s->v[i].bytes;
    pthread_mutex_unlock(&s->lock);
    return sum;
}

/* ---- the pool ---- */

int spool_new(struct spool **out, const char *dir, uint64_t memory_b, struct err *e)
{
    struct spool *s = calloc(1, sizeof *s);
    pthread_condattr_t a;

    *out = NULL;
    if (!s)
        return err_nomem(e);
    s->no_files = snprintf(s->dir, sizeof s->dir, "%s", dir) >= (int)sizeof s->dir;
    s->memory_b = memory_b;
    s->small_b = memory_b ? SMALL_B : 1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&s->end, &a);
    pthread_condattr_destroy(&a);
    *out = s;
    return OK;
}

uint64_t spool_memory(uint64_t b)
{
    uint64_t mib = 0;
    struct rlimit l;

    if (str_u64(str_of(getenv("NPUSCOPE_MEMORY")), &mib) && mib < UINT64_MAX / MIB)
        b = mib * MIB;
    if (getrlimit(RLIMIT_DATA, &l) == 0 && l.rlim_cur != RLIM_INFINITY && b > l.rlim_cur / 2)
        b = l.rlim_cur / 2;
    return b;
}

int spool_usual(struct spool **out, struct err *e)
{
    return spool_most(out, SPOOL_MEMORY_B, e);
}

/* Where files without a name are made. */
static const char *usual_dir(char *cache, size_t n)
{
    const char *tmp = getenv("TMPDIR");
    struct err ignored = ERR_INIT;

    if (tmp && *tmp)
        return tmp;
    return path_cache_dir(cache, n, &ignored) == OK && access(cache, W_OK) == 0 ? cache : "/var/tmp";
}

int spool_most(struct spool **out, uint64_t memory_b, struct err *e)
{
    char cache[PATH_MAX];

    return spool_new(out, usual_dir(cache, sizeof cache), spool_memory(memory_b), e);
}

int spool_file(struct err *e)
{
    char cache[PATH_MAX];
    const char *dir = usual_dir(cache, sizeof cache);
    int fd = nameless(dir);

    if (fd < 0) {
        err_sys(e, errno, "cannot create a temporary file there; TMPDIR chooses another folder");
        err_where(e, dir, ERR_NO_OFFSET, 0);
    }
    return fd;
}

void spool_close(struct spool *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->ends = true;
    pthread_cond_signal(&s->end);
    pthread_mutex_unlock(&s->lock);
    if (s->keeps)
        pthread_join(s->keeper, NULL);
    pthread_cond_destroy(&s->end);
    pthread_mutex_destroy(&s->lock);
    free(s->v);
    free(s);
}
