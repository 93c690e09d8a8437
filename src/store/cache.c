/* Stores in the cache directory: names, listing, removing. */
#include "config.h"

#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "store/db.h"

#define STORE_END ".npus"

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
        return (int)e->code;
    if (path_is_network(dir))
        gethostname(host, sizeof host - 1); /* one store per host there (reliability.md R3.8) */
    h = name_hash(host, name_hash(root, h));
    /* A readable part first, so that a person finds the file. */
    const char *base = path_base(root);
    size_t k = 0;
    for (; *base && k < 40; base++)
        name[k++] = strchr("/ \\\"'`$&;|<>*?()[]{}~!#\n\r\t", *base) ||
                            (unsigned char)*base < 0x20 || (unsigned char)*base > 0x7e
                        ? '_'
                        : *base;
    snprintf(name + k, sizeof name - k, "-%016" PRIx64 STORE_END, h);
    if (!path_join(buf, n, dir, name))
        return err_set(e, ERR_LIMIT, "the cache path is too long");
    return OK;
}

static bool is_store_name(const char *name)
{
    size_t n = strlen(name), k = strlen(STORE_END);
    return n > k && strcmp(name + n - k, STORE_END) == 0;
}

char *store_root(const char *path, char *buf, size_t n)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;

    buf[0] = '\0';
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db,
                           "SELECT value FROM meta, pragma_application_id WHERE key = 'root' AND "
                           "application_id = ?",
                           -1, &st, NULL) == SQLITE_OK &&
        sqlite3_bind_int64(st, 1, SCHEMA_APPLICATION_ID) == SQLITE_OK &&
        sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
        str_copy(str_of((const char *)sqlite3_column_text(st, 0)), buf, n);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return buf;
}

int store_cache_list(void (*fn)(void *arg, const struct store_entry *entry), void *arg,
                     struct err *e)
{
    char dir[900];

    if (path_cache_dir(dir, sizeof dir, e))
        return (int)e->code;
    DIR *d = opendir(dir);
    if (!d)
        return errno == ENOENT ? OK : err_sys(e, errno, "cannot list the cache");
    for (struct dirent *x; (x = readdir(d)) != NULL;) {
        struct store_entry entry = { .size_b = 0 };
        struct stat st;
        struct store *s = NULL;
        struct err why = ERR_INIT;
        if (!is_store_name(x->d_name) ||
            !path_join(entry.path, sizeof entry.path, dir, x->d_name) || stat(entry.path, &st))
            continue;
        entry.size_b = (uint64_t)st.st_size;
        entry.mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
        store_root(entry.path, entry.root, sizeof entry.root);
        entry.code = (enum err_code)store_open(&s, entry.path, false, &why);
        store_close(s);
        fn(arg, &entry);
    }
    closedir(d);
    return OK;
}

void store_drop_damaged(const char *path)
{
    struct err ignored = ERR_INIT;
    char dir[900], of[1024];

    if (path_cache_dir(dir, sizeof dir, &ignored) == OK && path_dir(of, sizeof of, path) &&
        strcmp(dir, of) == 0 && is_store_name(path_base(path)))
        unlink(path);
}

struct removal {
    const char *root;
    char path[1024]; /* of its store, "" unknown */
    unsigned n;
    struct err *e;
};

static void remove_entry(void *arg, const struct store_entry *entry)
{
    struct removal *r = arg;

    if (r->root && strcmp(r->root, entry->root) != 0 && strcmp(r->path, entry->path) != 0)
        return;
    if (unlink(entry->path)) {
        err_sys(r->e, errno, "cannot remove");
        err_where(r->e, entry->path, ERR_NO_OFFSET, 0);
        return;
    }
    r->n++;
}

int store_cache_remove(const char *root, unsigned *n, struct err *e)
{
    struct removal r = { .root = root, .e = e };

    if (root && store_cache_path(root, r.path, sizeof r.path, e))
        return (int)e->code;
    if (store_cache_list(remove_entry, &r, e))
        return (int)e->code;
    *n = r.n;
    return (int)e->code;
}
