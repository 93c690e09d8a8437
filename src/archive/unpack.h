/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of a tar or zip archive into a private folder (doc/reliability.md#archives): regular files,
 * folders and second names of files; everything else is noted and left out. Damage and limits of the input
 * are notes; an error means that the place cannot take it, or that the caller wants to stop.
 */
#ifndef NPUSCOPE_ARCHIVE_UNPACK_H
#define NPUSCOPE_ARCHIVE_UNPACK_H

#include <stdbool.h>

#include "archive/record.h"
#include "base/str.h"

struct unpack_limits {
    uint64_t members, bytes, ratio, free_b;
};
extern const struct unpack_limits unpack_limits; /* those of base/limits.h */

struct unpack {
    int fd;           /* of the archive */
    const char *name; /* of the archive: only to tell a damaged archive from a file that is none */
    uint64_t size_b;  /* of the archive */
    int dir;          /* private folder */
    const char *top;  /* folder below it that is made for the members */
    const struct unpack_limits *limits;
    const char *inside; /* of an archive in an archive: where it lies; limits of paths count from the outer */
    struct intern *archives; /* members that are called archives are added; NULL: nobody asks */
    bool (*cancelled)(void *arg, uint64_t bytes, uint64_t files); /* asked often */
    void *arg;
};

/* The file is an archive that unpack() takes: by its first bytes. */
bool unpack_is_archive(int fd);
/*
 * Adds to files, bytes, members and notes of r. Errors: ERR_FULL, ERR_NOMEM, ERR_IO about the folder;
 * ERR_CANCELLED; ERR_VERSION: the library here cannot read this packing.
 */
NODISCARD int unpack(const struct unpack *u, struct archive_record *r, struct err *e);

#endif
