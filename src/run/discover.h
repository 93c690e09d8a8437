/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run roots from any path (doc/formats/analysed.md#layouts): the path itself, what lies below it
 * (DISCOVER_DOWN levels), what it lies in (DISCOVER_UP levels). The list lives in the arena.
 */
#ifndef NPUSCOPE_DISCOVER_H
#define NPUSCOPE_DISCOVER_H

#include "run/dir.h"
#include "run/inventory.h"

#define DISCOVER_UP   6
#define DISCOVER_DOWN 5

enum root_kind {
    ROOT_NONE,
    ROOT_RANK,    /* *_ascend_ms, *_ascend_pt, or a copy of one */
    ROOT_FLAT,    /* flat files of MindSpore 1.x */
    ROOT_PROF,    /* PROF_* that lies in none of these */
    ROOT_JOB,     /* JOB* that lies in none of these */
    ROOT_CLUSTER, /* output of a cluster analysis */
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

/* Add a folder that could not be opened at the end of *list. Does nothing when there is no memory. */
void unread_add(struct unread_folder **list, struct arena *a, const char *path, const struct err *why);
/*
 * Roots for a canonical path; above the folder floor (NULL: /) nothing is looked at. None found: OK with n 0.
 * Errors: ERR_IO (the path itself cannot be read), ERR_NOMEM.
 */
NODISCARD int discover(struct root_list *out, const char *path, bool is_file, const char *floor,
                       const struct inventory_tables *t, struct arena *a, struct err *e);

#endif
