/* SPDX-License-Identifier: Apache-2.0 */
/* Stores in the cache directory: names, listing, removing, ageing. */
#include "config.h"

#include "store/store_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/limits.h"
#include "base/path.h"

/* FNV-1a: stable between runs and machines, unlike str_hash. */
static uint64_t name_hash(const char *text, uint64_t h)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

int store_cache_path(const char *root, char *buf, size_t n, struct err *e)
{
    char dir[900], host[256] = "", name[100];
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    if (path_cache_dir(dir, sizeof dir, e) || path_private_dir(dir, e))
        return e->code;
    if (path_is_network(dir))
        /* one store per host there (doc/reliability.md#network-file-systems) */
        gethostname(host, sizeof host - 1);
    h = name_hash(host, name_hash(root, h));
    /* A readable part first, so that a person finds the file. */
    const char *base = path_base(root);
    size_t k = 0;
    for (; *base && k < 40; base++)
        name[k++] = strchr("/ \\\"'`$&;|<>*?()[]{}~!#\n\r\t", *base) || (unsigned char)*base < 0x20 ||
                            (unsigned char)*base > 0x7e
                        ? '_'
                        : *base;
    snprintf(name + k, sizeof name - k, "-%016" PRIx64 STORE_END, h);
    if (!path_join(buf, n, dir, name))
        return err_set(e, ERR_LIMIT, "the cache path is too long");
    return OK;
}

/* Text of a fact in the store at path, whichever version made it; "" when there is none. Returns buf. */
static char *fact_of(const char *path, const char *key, char *buf, size_t n)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;

    buf[0] = '\0';
    if (store_strange(path))
        return buf;
    store_recover(path);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db,
                           "SELECT value FROM meta, pragma_application_id WHERE key = ? AND "
                           "application_id = ?",
                           -1, &st, NULL) == SQLITE_OK &&
        sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_bind_int64(st, 2, SCHEMA_APPLICATION_ID) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW &&
        sqlite3_column_text(st, 0))
        str_copy(str_of((const char *)sqlite3_column_text(st, 0)), buf, n);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return buf;
}

char *store_root(const char *path, char *buf, size_t n)
{
    return fact_of(path, "root", buf, n);
}

/* ---- the stores there are ---- */

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Call fn for every store. One that vanishes meanwhile is left out. fn may remove it. */
static int each_store(void (*fn)(void *arg, const char *path, const struct stat *st), void *arg,
                      struct err *e)
{
    char dir[900], path[1024];

    if (path_cache_dir(dir, sizeof dir, e))
        return e->code;
    DIR *d = opendir(dir);
    if (!d)
        return errno == ENOENT ? OK : err_sys(e, errno, "cannot list the cache");
    for (struct dirent *x; (x = readdir(d)) != NULL;) {
        struct stat st;
        if (store_is_name(x->d_name) && path_join(path, sizeof path, dir, x->d_name) && stat(path, &st) == 0)
            fn(arg, path, &st);
    }
    closedir(d);
    return OK;
}

struct listing {
    void (*fn)(void *arg, const struct store_entry *entry);
    void *arg;
};

static void list_one(void *arg, const char *path, const struct stat *st)
{
    const struct listing *l = arg;
    struct store_entry entry = { .size_b = (uint64_t)st->st_size };
    struct store *s = NULL;
    struct err why = ERR_INIT;
    char made[32];

    snprintf(entry.path, sizeof entry.path, "%s", path);
    store_root(path, entry.root, sizeof entry.root);
    if (!str_i64(str_of(fact_of(path, "imported_ns", made, sizeof made)), &entry.made_ns))
        entry.made_ns = ns_of(st->st_mtim);
    entry.code = store_open(&s, path, false, &why);
    store_close(s);
    store_damage_forget(); /* nothing rests on it */
    l->fn(l->arg, &entry);
}

int store_cache_list(void (*fn)(void *arg, const struct store_entry *entry), void *arg, struct err *e)
{
    struct listing l = { fn, arg };

    return each_store(list_one, &l, e);
}

/* ---- imports that were killed ---- */

/*
 * The process is gone, or a zombie nobody waits for: neither runs a program any more. Without /proc a zombie
 * cannot be told from a process.
 */
static bool is_gone(uint64_t pid)
{
    char link[64], target[8];

    snprintf(link, sizeof link, "/proc/%" PRIu64 "/exe", pid);
    if (readlink(link, target, sizeof target) >= 0 || errno != ENOENT)
        return false;
    return access("/proc/self", F_OK) == 0 || (kill((pid_t)pid, 0) && errno == ESRCH);
}

/*
 * <store>.tmp.<pid> of a process that is gone, or a file that SQLite keeps beside it; or <store>.lock, whose
 * holder removes the name at once. base NULL: of any store of the cache.
 */
static bool is_orphan(const char *name, const char *base)
{
    const char *at = base ? name : strstr(name, STORE_END ".");
    size_t n = strlen(base ? base : STORE_END);
    uint64_t pid;

    if (!at || strncmp(at, base ? base : STORE_END, n) != 0)
        return false;
    if (strcmp(at + n, STORE_LOCK_END) == 0)
        return true;
    if (strncmp(at + n, ".tmp.", 5) != 0)
        return false;
    struct str rest = str_of(at + n + 5), digits;
    return str_next(&rest, '-', &digits) && str_u64(digits, &pid) && is_gone(pid);
}

/* Remove the orphans of base (NULL: any) in dir that were not written to since then. */
static void drop_orphans(const char *dir, const char *base, int64_t since_ns)
{
    char path[2100];
    struct stat st;
    DIR *d = opendir(dir);

    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        if (is_orphan(x->d_name, base) && path_join(path, sizeof path, dir, x->d_name) &&
            lstat(path, &st) == 0 && ns_of(st.st_mtim) < since_ns)
            unlink(path);
    if (d)
        closedir(d);
}

void store_drop_orphans(const char *path)
{
    char dir[1024];

    if (path_dir(dir, sizeof dir, path))
        drop_orphans(dir, path_base(path), INT64_MAX);
}

/* ---- removing ---- */

/* A store that is gone already counts as removed. */
static void drop(const char *path, unsigned *n, struct err *e)
{
    int sys = store_unlink(path);

    if (sys && sys != ENOENT) {
        err_sys(e, sys, "cannot remove");
        err_where(e, path, ERR_NO_OFFSET, 0);
        return;
    }
    ++*n;
}

struct removal {
    const char *folder; /* NULL: all */
    size_t n_folder;
    char path[1024]; /* of the store of the folder itself, which may be unreadable */
    unsigned *n;
    struct err *e;
};

static void remove_one(void *arg, const char *path, const struct stat *st)
{
    struct removal *r = arg;
    char root[1024];

    (void)st;
    if (r->folder && strcmp(r->path, path) != 0) {
        store_root(path, root, sizeof root);
        if (!root[0] || strncmp(root, r->folder, r->n_folder) != 0 ||
            (root[r->n_folder] && root[r->n_folder] != '/'))
            return;
    }
    drop(path, r->n, r->e);
    if (!path_is_network(path)) /* processes of another host cannot be asked */
        store_drop_orphans(path);
}

int store_cache_remove(const char *folder, unsigned *n, struct err *e)
{
    struct removal r = { .folder = folder, .n = n, .e = e };

    *n = 0;
    if (folder && store_cache_path(folder, r.path, sizeof r.path, e))
        return e->code;
    r.n_folder = folder ? strlen(folder) : 0;
    while (r.n_folder && folder[r.n_folder - 1] == '/')
        r.n_folder--;
    struct err list = ERR_INIT;
    if (each_store(remove_one, &r, &list) && !e->code)
        *e = list;
    if (folder)
        store_drop_orphans(r.path);
    else if (path_cache_dir(r.path, sizeof r.path, &list) == OK && !path_is_network(r.path))
        drop_orphans(r.path, NULL, INT64_MAX);
    return e->code;
}

/* ---- ageing (doc/reliability.md#cache-contents) ---- */

void store_cache_used(const char *path)
{
    static const struct timespec now[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_nsec = UTIME_NOW } };

    if (store_is_cached(path))
        (void)!utimensat(AT_FDCWD, path, now, 0); /* if that fails, the store ages sooner */
}

struct aged {
    char path[1024];
    uint64_t size_b;
    int64_t used_ns;
};

struct ageing {
    struct aged *v;
    size_t n, cap;
    uint64_t sum_b;
    bool failed;
};

static void age_one(void *arg, const char *path, const struct stat *st)
{
    struct ageing *a = arg;
    struct aged *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 64);

    if (!v) {
        a->failed = true;
        return;
    }
    a->v = v;
    v += a->n++;
    snprintf(v->path, sizeof v->path, "%s", path);
    v->size_b = (uint64_t)st->st_size;
    v->used_ns = ns_of(st->st_mtim);
    a->sum_b += v->size_b;
}

static int cmp_used(const void *a, const void *b)
{
    const struct aged *x = a, *y = b;
    return x->used_ns < y->used_ns ? -1 : x->used_ns > y->used_ns;
}

int store_cache_age(int64_t now_ns, unsigned *n, struct err *e)
{
    const int64_t second = 1000000000, spared = now_ns - LIM_CACHE_SPARE_S * second;
    struct ageing a = { .n = 0 };
    char dir[900];

    *n = 0;
    if (path_cache_dir(dir, sizeof dir, e) || each_store(age_one, &a, e))
        goto out;
    if (a.failed) {
        err_nomem(e);
        goto out;
    }
    if (a.n)
        qsort(a.v, a.n, sizeof *a.v, cmp_used);
    for (size_t i = 0; i < a.n && a.v[i].used_ns < spared; i++) {
        bool old = a.v[i].used_ns < now_ns - LIM_CACHE_DAYS * 86400 * second;
        if (!old && a.sum_b <= LIM_CACHE_B)
            break;
        a.sum_b -= a.v[i].size_b;
        drop(a.v[i].path, n, e);
    }
    if (!path_is_network(dir)) /* on a network they may belong to a process of another host */
        drop_orphans(dir, NULL, spared);
out:
    free(a.v);
    return e->code;
}
