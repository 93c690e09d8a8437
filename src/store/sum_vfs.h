/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A checksum in every page of a store (doc/reliability.md#damaged-stores): SQLite itself does not notice a
 * flipped bit in a page of data. A VFS of SQLite on top of the system's: the last SUM_B bytes of each page of
 * a database hold its sum, made when the page is written, checked when it is read. Pages are checked only
 * when SQLite reads them. Any SQLite can read such a file; the bytes are reserved by the file's header.
 *
 * A page that does not match its sum gives the error SQLITE_IOERR_DATA. A damaged store that lies in the
 * cache is then removed, and made again.
 */
#ifndef NPUSCOPE_SUM_VFS_H
#define NPUSCOPE_SUM_VFS_H

#include <stdbool.h>

struct sqlite3;

#define SUM_B 8 /* bytes of a page that SQLite does not use */

/* Name for sqlite3_open_v2(); NULL: out of memory. */
const char *sum_vfs(void);
/* A page that does not match its sum was met in this database since it was opened. */
bool sum_vfs_damaged(struct sqlite3 *db);
/* Reserve the bytes in a database that is still empty. */
int sum_vfs_reserve(struct sqlite3 *db);

#endif
