/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of files below a temporary folder, for tests of discovery and inventory. Removed by tree_done(). */
#ifndef NPUSCOPE_TESTS_UNIT_TREE_H
#define NPUSCOPE_TESTS_UNIT_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parsers/registry.h"
#include "run/inventory.h"

struct tree {
    char base[PATH_MAX]; /* to remove */
    char root[PATH_MAX]; /* so deep that a search upwards stays inside */
};

#define TREE_BELOW "/1/2/3/4/5/6"

static inline struct inventory_tables tree_all_tables(void)
{
    const struct inventory_tables t = registry_tables();

    return t;
}

static inline void tree_fail(const char *what)
{
    perror(what);
    abort();
}

/* Path of rel in a static buffer (four of them, in turn). */
static inline const char *tree_path(const struct tree *t, const char *rel)
{
    static char ring[4][PATH_MAX * 2];
    static unsigned at;
    char *p = ring[at++ % 4];

    snprintf(p, sizeof(ring[0]), "%s%s%s", t->root, *rel ? "/" : "", rel);
    return p;
}

/* Make the folders of path. */
static inline void tree_parents(const char *path)
{
    char dir[PATH_MAX * 2];

    snprintf(dir, sizeof(dir), "%s", path);
    for (char *p = dir + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        if (mkdir(dir, 0755) != 0 && errno != EEXIST)
            tree_fail(dir);
        *p = '/';
    }
}

static inline void tree_new(struct tree *t)
{
    const char *dir = getenv("TMPDIR");
    char name[PATH_MAX / 2], real[PATH_MAX];

    snprintf(name, sizeof(name), "%s/npuscope-tree-XXXXXX", dir ? dir : "/tmp");
    if (!mkdtemp(name) || chmod(name, 0755) != 0 || !realpath(name, real))
        tree_fail(name);
    snprintf(t->base, sizeof(t->base), "%s", real);
    snprintf(t->root, sizeof(t->root), "%.*s%s", PATH_MAX - 32, real, TREE_BELOW);
    tree_parents(t->root);
    if (mkdir(t->root, 0755) != 0)
        tree_fail(t->root);
}

static inline void tree_dir(const struct tree *t, const char *rel)
{
    const char *path = tree_path(t, rel);

    tree_parents(path);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        tree_fail(path);
}

static inline void tree_file_n(const struct tree *t, const char *rel, const char *text, size_t n)
{
    const char *path = tree_path(t, rel);
    int fd;

    tree_parents(path);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n || close(fd) != 0)
        tree_fail(path);
}

static inline void tree_file(const struct tree *t, const char *rel, const char *text)
{
    tree_file_n(t, rel, text, strlen(text));
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static inline void tree_done(struct tree *t)
{
    nftw(t->base, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Scan rel below the tree; NULL on an error, which *e tells. */
static inline struct job *tree_scan(const struct tree *t, const char *rel, struct err *e)
{
    const struct inventory_tables tables = tree_all_tables();
    struct job *j = NULL;

    *e = (struct err)ERR_INIT;
    return job_scan(&j, tree_path(t, rel), &tables, e) == OK ? j : NULL;
}

static inline const struct source_file *tree_find(const struct unit *u, const char *rel)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (strcmp(u->files[i]->rel, rel) == 0)
            return u->files[i];
    return NULL;
}

#endif
