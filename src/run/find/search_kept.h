/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a search for runs found, kept in the cache: the next one looks at the folders' own times instead of
 * listing them (doc/performance.md#search). Only searches of many files are kept, and only those whose
 * folders have been at rest. Like the stores it may go at any time; whatever fails here costs a search.
 */
#ifndef NPUSCOPE_SEARCH_KEPT_H
#define NPUSCOPE_SEARCH_KEPT_H

#include <sys/stat.h>

#include "base/buf.h"
#include "run/find/roots.h"

struct search_kept {
    struct buf folders; /* those that were listed, or stayed closed */
    int64_t begin_ns;   /* before the first of them was looked at */
    bool young;         /* one changed so lately that its time may not show the next change */
};

/* Begin to note folders. search_kept_done() frees what was noted. */
void search_kept_begin(struct search_kept *k);
void search_kept_done(struct search_kept *k);
/* The search looks at this folder; st was taken before. */
void search_kept_folder(struct search_kept *k, const char *path, const struct stat *st);
/*
 * The result of an earlier search of path by a program with these tables, when no folder has changed since;
 * its texts live in the arena. false: search.
 */
bool search_kept_load(struct root_list *out, const char *path, const char *tables, struct arena *a);
/* Keep the result of a search that looked at `seen` entries, when that is worth it. */
void search_kept_save(const struct search_kept *k, const struct root_list *found, size_t seen,
                      const char *path, const char *tables);
/* Forget all of them. */
void search_kept_remove(void);

#endif
