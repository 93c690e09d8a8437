/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of src/archive: the folders that copies lie in. */
#ifndef NPUSCOPE_ARCHIVE_COPY_DIR_H
#define NPUSCOPE_ARCHIVE_COPY_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define COPY_TMP      ".tmp."             /* between the name of a copy and the process that makes it */
#define COPY_TOP      "files"             /* of the members, when one folder holds them all */
#define COPY_TMP_HEAD "npuscope-archive." /* of temporary folders, before the process */

/* The folder in the cache that copies lie in. Does not make it. */
NODISCARD int copies_dir(char *buf, size_t n, struct err *e);
/* The name of an archive without its ending, in letters that need no quotes: what its members are called. */
void copy_stem(const char *path, char *buf, size_t n);
/* The only entry of the folder path below at, when that is a folder; "" otherwise. */
void copy_only_folder(int at, const char *path, char *buf, size_t n);
/* Remove a folder and everything below it. Links are not followed. */
NODISCARD int copy_remove_tree(const char *path, struct err *e);
/* Remove folders in dir that processes left which are gone. */
void copies_drop_orphans(const char *dir);
/* Remove copies of this archive as it was before. */
void copies_drop_older(const char *archive);

#endif
