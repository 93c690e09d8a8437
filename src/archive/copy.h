/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives opened as folders: unpacked once into a private folder of the cache, which is taken again while
 * the archive is the same, or into a temporary folder that goes with the program. A copy is whole or not
 * there: it is made under a temporary name. While it is open nobody removes it.
 */
#ifndef NPUSCOPE_ARCHIVE_COPY_H
#define NPUSCOPE_ARCHIVE_COPY_H

#include <stdbool.h>

#include "archive/record.h"

struct copy_opts {
    bool keep; /* in the cache */
    bool (*cancelled)(void *arg, uint64_t bytes, uint64_t files);
    void *arg;
};

/* The path is an archive, or lies in one. e: as copy_open() for a file that only has the name of one. */
bool copy_is_archive(const char *path, struct err *e);
/* Whether the cache takes copies. Errors: those of path_private_dir(). */
NODISCARD int copies_usable(struct err *e);

struct archive_copy;
/*
 * path: an archive, or what lies in one ("run.tar/rank_0"). *out NULL: it is none. Errors: ERR_FORMAT, the
 * file has the name of an archive and nothing in it can be read; those of unpack() and path_private_dir().
 */
NODISCARD int copy_open(struct archive_copy **out, const char *path, const struct copy_opts *o,
                        struct err *e);
void copy_close(struct archive_copy *c); /* NULL is allowed */
/* The path that path stands for now. */
const char *copy_path(const struct archive_copy *c);
const struct archive_record *copy_record(const struct archive_copy *c);

/*
 * The copy that a canonical path lies in: its record, and in folder (n bytes) what stands for the archive
 * itself. false: it lies in none.
 */
bool copy_origin(const char *path, char *folder, size_t n, struct archive_record *r);

/* ---- the copies in the cache ---- */

struct copy_entry {
    const char *folder;
    const struct archive_record *record;
    int64_t used_ns; /* by the time of its record */
};
NODISCARD int copies_list(void (*fn)(void *arg, const struct copy_entry *x), void *arg, struct err *e);
/*
 * Remove the copies of the archive path (canonical), of all archives below it, or of all (NULL), and what
 * killed processes left. *n counts them. ERR_BUSY: some are in use.
 */
NODISCARD int copies_remove(const char *path, unsigned *n, struct err *e);
/* As store_cache_age(), for copies. */
NODISCARD int copies_age(int64_t now_ns, unsigned *n, struct err *e);

#endif
