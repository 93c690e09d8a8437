/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a search for runs gives: the roots, and the folders that it did not enter. The lists live in an arena.
 */
#ifndef NPUSCOPE_ROOTS_H
#define NPUSCOPE_ROOTS_H

#include "run/inventory.h"

enum root_kind {
    ROOT_NONE,
    ROOT_RANK,    /* *_ascend_ms, *_ascend_pt, or a copy of one */
    ROOT_FLAT,    /* flat files of MindSpore 1.x */
    ROOT_PROF,    /* PROF_* that lies in none of these */
    ROOT_JOB,     /* JOB* that lies in none of these */
    ROOT_CLUSTER, /* output of a cluster analysis */
    ROOT_TOOL,    /* what another of the vendor's tools left, known by its name */
    ROOT_LOOSE,   /* a folder with some files we know */
    ROOT_FILE     /* a single file outside of any root */
};

struct root {
    const char *path;
    enum root_kind kind;
};

struct root_list {
    struct root *v;
    size_t n, cap;
    struct unread_folder *unread;
    bool cut;   /* the search met a limit */
    bool empty; /* the path is a folder with nothing in it */
};

/* Add a folder at the end of *list. Does nothing when there is no memory. */
void unread_add(struct unread_folder **list, struct arena *a, const char *path, enum unread_why why,
                const char *text);
/*
 * The error of a search without roots: what was looked for, and what to do; the archives that lie in the
 * folder are named. is_file: path is a single file.
 */
NODISCARD int roots_none(const struct root_list *roots, const char *path, bool is_file, struct err *e);
/* Add a root unless it is there. ERR_NOMEM. */
NODISCARD int root_add(struct root_list *list, struct arena *a, const char *path, enum root_kind kind,
                       struct err *e);
#endif
