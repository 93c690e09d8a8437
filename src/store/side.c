/* SPDX-License-Identifier: Apache-2.0 */
/* The files SQLite keeps beside a store: -wal and -shm. */
#include "config.h"

#include "base/grow.h"
#include "base/limits.h"
#include "base/path.h"
#include "store/store_int.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool store_is_name(const char *name)
{
    size_t n = strlen(name), k = strlen(STORE_END);
    return n > k && strcmp(name + n - k, STORE_END) == 0;
}

/* Compares folders with links resolved. */
bool store_is_cached(const char *path)
{
    struct err ignored = ERR_INIT;
    char dir[900], of[1024];
    struct stat a, b;

    return store_is_name(path_base(path)) && path_cache_dir(dir, sizeof dir, &ignored) == OK &&
           path_dir(of, sizeof of, path) && stat(dir, &a) == 0 && stat(of, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int store_unlink(const char *path)
{
    static const char *const sides[] = { "-wal", "-shm", "-journal" };
    char side[1200];
    int rc = unlink(path) ? errno : 0;

    if (rc && rc != ENOENT)
        return rc;
    for (size_t i = 0; i < ARRAY_LEN(sides); i++)
        if ((size_t)snprintf(side, sizeof side, "%s%s", path, sides[i]) < sizeof side)
            unlink(side);
    return rc;
}

bool store_has_side(const char *path)
{
    static const char *const sides[] = { "-wal", "-journal" };
    char side[1200];

    for (size_t i = 0; i < ARRAY_LEN(sides); i++)
        if ((size_t)snprintf(side, sizeof side, "%s%s", path, sides[i]) < sizeof side &&
            access(side, F_OK) == 0)
            return true;
    return false;
}

const char *store_strange(const char *path)
{
    static const char *const sides[] = { "", "-wal", "-shm", "-journal" };
    const char *strange = NULL;
    char file[1200];

    for (size_t i = 0; i < ARRAY_LEN(sides) && !strange; i++)
        if ((size_t)snprintf(file, sizeof file, "%s%s", path, sides[i]) < sizeof file)
            strange = path_strange_at(file);
    return strange;
}

void store_drop_damaged(const char *path)
{
    if (store_is_cached(path))
        store_unlink(path);
}
