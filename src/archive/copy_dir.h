/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of src/archive: the folders that copies lie in. */
#ifndef NPUSCOPE_ARCHIVE_COPY_DIR_H
#define NPUSCOPE_ARCHIVE_COPY_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define COPY_TMP      ".tmp."             /* between the name of a copy and the process that makes it */
#define COPY_TMP_HEAD "npuscope-archive." /* of temporary folders, before the process */

/* The folder in the cache that copies lie in. Does not make it. */
NODISCARD int copies_dir(char *buf, size_t n, struct err *e);
/* Remove a folder and everything below it. Links are not followed. */
NODISCARD int copy_remove_tree(const char *path, struct err *e);
/* Remove folders in dir that processes left which are gone. */
void copies_drop_orphans(const char *dir);
/* Remove copies of this archive as it was before. */
void copies_drop_older(const char *archive);

#endif
