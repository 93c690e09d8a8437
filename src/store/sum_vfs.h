/*
 * A checksum in every page of a store (doc/reliability.md#damaged-stores): SQLite itself does not notice a
 * flipped bit in a page of data. A VFS of SQLite that lies over the system's: the last SUM_B bytes of each
 * page of a database hold its sum, made when the page is written, looked at when it is read. Reading is as
 * lazy as SQLite's own. Any SQLite can read such a file; the bytes are reserved by the file's header.
 *
 * A page that does not fit its sum gives the error SQLITE_IOERR_DATA, and the store is removed when it lies
 * in the cache: it is made anew.
 */
#ifndef NPUSCOPE_SUM_VFS_H
#define NPUSCOPE_SUM_VFS_H

struct sqlite3;

#define SUM_B 8 /* bytes of a page that are not SQLite's */

/* Name for sqlite3_open_v2(); NULL: out of memory. */
const char *sum_vfs(void);
/* Reserve the bytes in a database that is still empty. */
int sum_vfs_reserve(struct sqlite3 *db);

#endif
