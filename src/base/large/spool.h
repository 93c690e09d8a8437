/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that may become larger than memory: up to a limit of all of them together they lie in memory, beyond
 * it they grow in files without a name, which are mapped: the system writes out what is not worked on, and
 * nothing is left of them when the process ends.
 *
 * A pool lends arrays and takes them back; all are to be given back before it is closed. Each of its
 * functions may be called by several threads, for different arrays. Without a pool (NULL), and for small
 * arrays, they are plain malloc(), realloc() and free().
 */
#ifndef NPUSCOPE_SPOOL_H
#define NPUSCOPE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct spool;

#define SPOOL_MEMORY_B                                                                                       \
    ((uint64_t)240 << 20) /* of arrays in memory, unless NPUSCOPE_MEMORY (MiB) says otherwise */

/* memory_b: bytes of arrays in memory. dir: of the files, copied. Errors: ERR_NOMEM. */
NODISCARD int spool_new(struct spool **out, const char *dir, uint64_t memory_b, struct err *e);
/*
 * As NPUSCOPE_MEMORY says, and never more than half of what the process may have (RLIMIT_DATA); in $TMPDIR,
 * else the cache, else /var/tmp. Errors: ERR_NOMEM.
 */
NODISCARD int spool_usual(struct spool **out, struct err *e);
/* That limit for who would take `b` bytes. */
uint64_t spool_memory(uint64_t b);
/* The same with another limit than SPOOL_MEMORY_B. */
NODISCARD int spool_most(struct spool **out, uint64_t memory_b, struct err *e);
/*
 * A file without a name, to be written and read, in the folder of spool_usual(): nothing is left of it when
 * it is closed. -1: ERR_IO, ERR_FULL.
 */
int spool_file(struct err *e);
/* All arrays were given back. NULL is allowed. */
void spool_close(struct spool *s);

/*
 * As grow_array() (base/grow.h), for an array of this pool or NULL (*cap is 0 then); spool_free() ends it. n
 * may be far above *cap.
 */
NODISCARD void *spool_grow(struct spool *s, void *p, size_t n, size_t *cap, size_t each, size_t first);
/* p keeps room for n elements of `each` bytes, where it lies; its cap is n from then on. */
void spool_fit(struct spool *s, void *p, size_t n, size_t each);
/* An array of n elements, all zero. NULL: no memory, and no room in files. */
NODISCARD void *spool_array(struct spool *s, size_t n, size_t each);
/* p is an array of this pool, or NULL. */
void spool_free(struct spool *s, void *p);
/*
 * Pages of files above a limit leave this process, now and not when its thread comes to it: for who reads
 * much of an array at once, every few MiB.
 */
void spool_leave(struct spool *s);
/* The array lies in a file: walk it from one end to the other. */
bool spool_is_filed(struct spool *s, const void *p);
/* Bytes of arrays that lie in files now. */
uint64_t spool_filed_b(struct spool *s);

#endif
