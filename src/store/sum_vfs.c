/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The VFS of stores. Only database files get checksums; journals, the WAL and temporary files pass unchanged.
 */
#include "config.h"

#include "store/sum_vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "store/pages/pages.h"
#include "store/store.h"

#define NAME      "npuscope-sums"
#define SCRATCH_B ((size_t)64 << 10)

_Static_assert(SUM_B == PAGE_SPARE, "pages that are written without SQLite leave room for the sum");

struct sum_file {
    sqlite3_file base;
    sqlite3_file *real; /* stored after this struct */
    const char *path;   /* owned by SQLite, valid as long as the file is open */
    uint32_t page;      /* bytes of a page, 0: not known yet */
    bool damaged;       /* a page was met that does not match its sum */
    bool off;           /* no bytes are reserved: an older store */
    unsigned char *scratch;
};

static sqlite3_vfs *system_vfs(sqlite3_vfs *v)
{
    return v->pAppData;
}

/* ---- sums ---- */

static uint64_t mix(uint64_t h, const unsigned char *p)
{
    uint64_t w;

    memcpy(&w, p, 8);
    h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

/*
 * Sum of the page at this offset, without the bytes of the sum itself. Four lanes, so that the processor need
 * not wait for one.
 */
static uint64_t sum_of(const unsigned char *p, uint32_t size, int64_t off)
{
    uint64_t h[4] = { UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)off, 1, 2, 3 };
    uint32_t i = 0;

    for (; i + 32 <= size - SUM_B; i += 32)
        for (int k = 0; k < 4; k++)
            h[k] = mix(h[k], p + i + 8 * k);
    for (; i + 8 <= size - SUM_B; i += 8)
        h[0] = mix(h[0], p + i);
    for (int k = 1; k < 4; k++)
        h[0] = (h[0] ^ h[k]) * UINT64_C(0xc4ceb9fe1a85ec53) + h[k];
    return h[0] ^ h[0] >> 29;
}

static void put_sum(unsigned char *p, uint32_t size, int64_t off)
{
    uint64_t sum = sum_of(p, size, off);

    for (int i = 0; i < SUM_B; i++)
        p[size - SUM_B + (uint32_t)i] = (unsigned char)(sum >> (8 * i));
}

static bool has_sum(const unsigned char *p, uint32_t size, int64_t off)
{
    uint64_t sum = sum_of(p, size, off), stored = 0;

    for (int i = 0; i < SUM_B; i++)
        stored |= (uint64_t)p[size - SUM_B + (uint32_t)i] << (8 * i);
    return sum == stored;
}

/* ---- the header of the file ---- */

static void take_header(struct sum_file *f, const unsigned char *head)
{
    uint32_t size = page_file_size(head);

    if (!size)
        return;
    f->page = size;
    f->off = head[PAGE_AT_SPARE] != SUM_B;
}

/*
 * Whether these bytes are whole pages at the offset of a page. Before the header is written, whatever SQLite
 * writes at once is a page.
 */
static bool is_pages(const struct sum_file *f, int64_t n, int64_t off)
{
    int64_t page = f->page ? f->page : n;

    return !f->off && n >= PAGE_SIZE_MIN && (page & (page - 1)) == 0 && n % page == 0 && off % page == 0;
}

/* ---- methods ---- */

static struct sum_file *file_of(sqlite3_file *f)
{
    return (struct sum_file *)f;
}

static int sum_close(sqlite3_file *base)
{
    struct sum_file *f = file_of(base);

    free(f->scratch);
    return f->real->pMethods->xClose(f->real);
}

/*
 * Of the process, as the VFS is: an error on the way to whoever asked may be lost, where it asks for what
 * need not be there.
 */
static atomic_uint met;

unsigned store_damage_met(void)
{
    return atomic_load(&met);
}

void store_damage_forget(void)
{
    atomic_store(&met, 0);
}

static int damaged(struct sum_file *f, int64_t off)
{
    f->damaged = true;
    atomic_fetch_add(&met, 1);
    sqlite3_log(SQLITE_IOERR_DATA, "page %lld of %s does not fit its sum",
                (long long)(f->page ? off / f->page + 1 : 0), f->path);
    store_drop_damaged(f->path);
    return SQLITE_IOERR_DATA;
}

static int sum_read(sqlite3_file *base, void *to, int n, sqlite3_int64 off)
{
    struct sum_file *f = file_of(base);
    int rc = f->real->pMethods->xRead(f->real, to, n, off);

    if (rc != SQLITE_OK)
        return rc;
    if (off == 0 && n >= PAGE_FILE_HEADER_B)
        take_header(f, to);
    if (!f->page || !is_pages(f, n, off))
        return rc;
    for (int64_t at = 0; at < n; at += f->page)
        if (!has_sum((unsigned char *)to + at, f->page, off + at))
            return damaged(f, off + at);
    return SQLITE_OK;
}

static int write_pages(struct sum_file *f, const unsigned char *p, int64_t n, int64_t off)
{
    uint32_t page = f->page ? f->page : (uint32_t)n;

    if (!f->scratch && !(f->scratch = malloc(SCRATCH_B)))
        return SQLITE_IOERR_NOMEM;
    for (int64_t done = 0; done < n;) {
        int64_t part = n - done < (int64_t)SCRATCH_B ? n - done : (int64_t)SCRATCH_B;
        memcpy(f->scratch, p + done, (size_t)part);
        for (int64_t at = 0; at < part; at += page)
            put_sum(f->scratch + at, page, off + done + at);
        int rc = f->real->pMethods->xWrite(f->real, f->scratch, (int)part, off + done);
        if (rc != SQLITE_OK)
            return rc;
        done += part;
    }
    return SQLITE_OK;
}

/* Write a part of a page: the whole page gets a new sum. */
static int write_part(struct sum_file *f, const unsigned char *p, int64_t n, int64_t off)
{
    int64_t in_page = off % f->page;
    unsigned char *whole = malloc(f->page);
    int rc =
        whole ? f->real->pMethods->xRead(f->real, whole, (int)f->page, off - in_page) : SQLITE_IOERR_NOMEM;

    if (rc == SQLITE_OK && in_page + n <= f->page) {
        memcpy(whole + in_page, p, (size_t)n);
        rc = write_pages(f, whole, f->page, off - in_page);
    } else if (rc == SQLITE_OK) {
        rc = SQLITE_IOERR_WRITE;
    }
    free(whole);
    return rc;
}

static int sum_write(sqlite3_file *base, const void *from, int n, sqlite3_int64 off)
{
    struct sum_file *f = file_of(base);

    if (off == 0 && n >= PAGE_FILE_HEADER_B)
        take_header(f, from);
    if (is_pages(f, n, off))
        return write_pages(f, from, n, off);
    if (f->page && !f->off)
        return write_part(f, from, n, off);
    return f->real->pMethods->xWrite(f->real, from, n, off);
}

static int sum_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xTruncate(r, size);
}

static int sum_sync(sqlite3_file *base, int flags)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xSync(r, flags);
}

static int sum_size(sqlite3_file *base, sqlite3_int64 *size)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xFileSize(r, size);
}

static int sum_lock(sqlite3_file *base, int level)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xLock(r, level);
}

static int sum_unlock(sqlite3_file *base, int level)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xUnlock(r, level);
}

static int sum_reserved(sqlite3_file *base, int *out)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xCheckReservedLock(r, out);
}

static int sum_control(sqlite3_file *base, int op, void *arg)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xFileControl(r, op, arg);
}

static int sum_sector(sqlite3_file *base)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xSectorSize(r);
}

static int sum_device(sqlite3_file *base)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xDeviceCharacteristics(r);
}

static int sum_shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **out)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xShmMap(r, page, size, extend, out);
}

static int sum_shm_lock(sqlite3_file *base, int off, int n, int flags)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xShmLock(r, off, n, flags);
}

static void sum_shm_barrier(sqlite3_file *base)
{
    sqlite3_file *r = file_of(base)->real;
    r->pMethods->xShmBarrier(r);
}

static int sum_shm_unmap(sqlite3_file *base, int drop)
{
    sqlite3_file *r = file_of(base)->real;
    return r->pMethods->xShmUnmap(r, drop);
}

/* Version 2: without xFetch, every page comes through xRead. */
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = sum_close,
    .xRead = sum_read,
    .xWrite = sum_write,
    .xTruncate = sum_truncate,
    .xSync = sum_sync,
    .xFileSize = sum_size,
    .xLock = sum_lock,
    .xUnlock = sum_unlock,
    .xCheckReservedLock = sum_reserved,
    .xFileControl = sum_control,
    .xSectorSize = sum_sector,
    .xDeviceCharacteristics = sum_device,
    .xShmMap = sum_shm_map,
    .xShmLock = sum_shm_lock,
    .xShmBarrier = sum_shm_barrier,
    .xShmUnmap = sum_shm_unmap,
};

/* ---- the VFS ---- */

/*
 * A journal that cannot be made is an error without its reason: SQLite tries to read it next, and what that
 * failed for is all it keeps. So it is made here, to learn whether there is no room.
 */
static int open_beside(sqlite3_vfs *system, const char *path, sqlite3_file *f, int flags, int *out)
{
    int rc = system->xOpen(system, path, f, flags, out);

    if (rc != SQLITE_CANTOPEN || !path || !(flags & SQLITE_OPEN_CREATE))
        return rc;
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_of_errno(errno) == ERR_FULL ? SQLITE_FULL : rc;
    close(fd);
    rc = system->xOpen(system, path, f, flags, out);
    if (rc != SQLITE_OK)
        unlink(path);
    return rc;
}

static int sum_open(sqlite3_vfs *v, const char *path, sqlite3_file *base, int flags, int *out)
{
    sqlite3_vfs *system = system_vfs(v);
    struct sum_file *f = file_of(base);

    if (!(flags & SQLITE_OPEN_MAIN_DB) || !path)
        return open_beside(system, path, base, flags, out);
    *f = (struct sum_file){ .real = (sqlite3_file *)(f + 1), .path = path };
    int rc = system->xOpen(system, path, f->real, flags, out);
    if (f->real->pMethods)
        f->base.pMethods = &methods;
    return rc;
}

static int sum_delete(sqlite3_vfs *v, const char *path, int sync)
{
    return system_vfs(v)->xDelete(system_vfs(v), path, sync);
}

static int sum_access(sqlite3_vfs *v, const char *path, int flags, int *out)
{
    return system_vfs(v)->xAccess(system_vfs(v), path, flags, out);
}

static int sum_full_path(sqlite3_vfs *v, const char *path, int n, char *out)
{
    return system_vfs(v)->xFullPathname(system_vfs(v), path, n, out);
}

static int sum_randomness(sqlite3_vfs *v, int n, char *out)
{
    return system_vfs(v)->xRandomness(system_vfs(v), n, out);
}

static int sum_sleep(sqlite3_vfs *v, int us)
{
    return system_vfs(v)->xSleep(system_vfs(v), us);
}

static int sum_time(sqlite3_vfs *v, double *out)
{
    return system_vfs(v)->xCurrentTime(system_vfs(v), out);
}

static int sum_last_error(sqlite3_vfs *v, int n, char *out)
{
    return system_vfs(v)->xGetLastError(system_vfs(v), n, out);
}

static int sum_time_64(sqlite3_vfs *v, sqlite3_int64 *out)
{
    return system_vfs(v)->xCurrentTimeInt64(system_vfs(v), out);
}

const char *sum_vfs(void)
{
    sqlite3_vfs *system = sqlite3_vfs_find(NULL), *v = sqlite3_vfs_find(NAME);

    if (v)
        return NAME;
    if (!system || !(v = calloc(1, sizeof *v))) /* SQLite keeps it as long as the program runs */
        return NULL;
    *v = (sqlite3_vfs){ .iVersion = 2,
                        .szOsFile = (int)sizeof(struct sum_file) + system->szOsFile,
                        .mxPathname = system->mxPathname,
                        .zName = NAME,
                        .pAppData = system,
                        .xOpen = sum_open,
                        .xDelete = sum_delete,
                        .xAccess = sum_access,
                        .xFullPathname = sum_full_path,
                        .xRandomness = sum_randomness,
                        .xSleep = sum_sleep,
                        .xCurrentTime = sum_time,
                        .xGetLastError = sum_last_error,
                        .xCurrentTimeInt64 = sum_time_64 };
    if (sqlite3_vfs_register(v, 0) == SQLITE_OK)
        return NAME;
    free(v);
    return NULL;
}

bool sum_vfs_damaged(sqlite3 *db)
{
    sqlite3_file *f = NULL;

    return sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &f) == SQLITE_OK && f &&
           f->pMethods == &methods && file_of(f)->damaged;
}

int sum_vfs_reserve(sqlite3 *db)
{
    int n = SUM_B;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &n);
}
