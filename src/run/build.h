/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of src/run: a unit while it is put together. Everything lives in the job's arena but the growing
 * vector.
 */
#ifndef NPUSCOPE_RUN_BUILD_H
#define NPUSCOPE_RUN_BUILD_H

#include "base/arena.h"
#include "run/find/discover.h"

/* A folder with what its name says. */
struct entry_dir {
    struct str path; /* below the root, ends in '/'; "" for the root itself */
    struct str prof; /* PROF_* or JOB* part of the path, p NULL: none */
    int device;      /* number of the device_<d> part of the path, -1 */
};
/*
 * A file with what its name says; f comes first, so that a struct source_file * of the unit is one of these.
 * There may be 200 000: what files of a folder share stands there.
 */
struct entry {
    struct source_file f;
    const struct entry_dir *dir;
    int number; /* of the name's placeholder `which`, as struct kind_match has them */
    char which;
    bool is_link;
};

struct build {
    struct arena *a, *lists; /* lists: of the folder that is read, and of the step that works */
    const struct inventory_tables *t;
    struct unit *u;
    enum root_kind root_kind;
    struct entry **v; /* malloc'ed */
    size_t n, cap;
};

static inline struct str entry_name(const struct entry *x)
{
    return str_of(x->f.rel + x->dir->path.n);
}
static inline bool entry_is(const struct entry *x, const char *kind_id)
{
    return strcmp(x->f.kind->id, kind_id) == 0;
}
static inline bool entry_in(const struct entry *x, const char *dir_prefix)
{
    return str_starts(x->dir->path, str_of(dir_prefix));
}
/* Bytes are read for it: a regular file that is not empty. */
static inline bool entry_has_data(const struct entry *x)
{
    return x->f.regular && x->f.size_b > 0 && x->f.state != FS_BAD;
}

/* slices.c: chain slices, mark superseded files. */
NODISCARD int build_slices(struct build *b, struct err *e);
/* runinfo.c: read the info files into the settings of u->info. facts.h makes facts of them. */
NODISCARD int build_runinfo(struct build *b, struct err *e);
/* ranks.c: ranks and devices of the unit and of each file. */
NODISCARD int build_ranks(struct build *b, struct err *e);
/* cluster_ranks.c: the ranks that the output of a cluster analysis is about, each maybe several times. */
typedef void cluster_rank_fn(void *arg, int rank);
void cluster_ranks(const struct build *b, cluster_rank_fn *add, void *arg);
/* expect.c: add rows for files that should be there or could have been. */
NODISCARD int build_expects(struct build *b, struct err *e);

#endif
