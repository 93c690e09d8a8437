/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequential chunked input of one regular file, plain or gzip (recognised by its first two bytes), read with
 * pread into a sliding window.
 *
 * Never mmap (doc/reliability.md#changing-files). The window is contiguous; after its data there are at least
 * INFILE_PAD writable bytes, which scanners may use for sentinels. Not thread-safe; two infiles on one path
 * are independent.
 */
#ifndef NPUSCOPE_INFILE_H
#define NPUSCOPE_INFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define INFILE_PAD     64
#define INFILE_WINDOWS 8 /* most of infile_rotate() */

struct infile;

/*
 * Open path for reading: whether links may be followed is decided by the inventory; here the type is checked
 * again (regular files only, never blocks on a FIFO). window_b: most bytes of the window, 0 for 2 MiB; it
 * grows up to that with what there is to read. Errors: ERR_IO (with errno), ERR_FORMAT (not a regular file),
 * ERR_NOMEM.
 */
NODISCARD int infile_open(struct infile **out, const char *path, size_t window_b, struct err *e);
/* The same for the file of a descriptor, which stays the caller's; name: for messages. */
NODISCARD int infile_open_fd(struct infile **out, int fd, const char *name, size_t window_b, struct err *e);
void infile_close(struct infile *f); /* NULL is allowed */
/*
 * At the end of the file: go on with another one as if its bytes followed, so that a record may lie across
 * the border. Unread bytes stay, but move (the pointer that infile_data gave is no longer valid), and offsets
 * count on. *damage: what infile_more would still have reported about the file that is left (code OK:
 * nothing). After an error the end is reached; calling again with a further path is allowed. Errors as
 * infile_open.
 */
NODISCARD int infile_continue(struct infile *f, const char *path, struct err *damage, struct err *e);

/*
 * Begin at this offset of a plain file of which nothing was read yet. false: it is packed, shorter or was
 * begun; nothing changes then.
 */
bool infile_start(struct infile *f, uint64_t off);

/*
 * The unread part of the window: pointer to its first byte and count. Valid until the next infile_more /
 * infile_skip.
 */
char *infile_data(struct infile *f, size_t *n);
/* Offset in the (unpacked) file of the first unread byte. */
uint64_t infile_offset(const struct infile *f);
/* Consume n bytes of the unread part (n <= count). */
void infile_take(struct infile *f, size_t n);
/*
 * Move the unread bytes to the front of the window and read more after them. *got is the number of bytes
 * added; 0 means the end of the file, or that the window is full (infile_full tells them apart). Errors:
 * ERR_IO; ERR_FORMAT for a damaged or cut gzip stream, ERR_LIMIT for one that unpacks beyond LIM_GZ_*: what
 * was unpacked before stays readable, and the error comes once, after it was consumed.
 */
NODISCARD int infile_more(struct infile *f, size_t *got, struct err *e);
/*
 * Let the window grow up to most_b bytes, as far as infile_more() needs it, until the unread bytes move on:
 * for one long line. Only what is longer than usual costs more than the usual window.
 */
void infile_widen(struct infile *f, size_t most_b);
/*
 * For a reader that hands bytes to another thread: from now on unread bytes move on through n windows in
 * turn, so that what was read stays where it is until the n-th move. wait is called before each move with its
 * number (1 for the first).
 */
typedef void infile_wait_fn(void *arg, uint64_t move);
NODISCARD int infile_rotate(struct infile *f, size_t n, infile_wait_fn *wait, void *arg, struct err *e);
uint64_t infile_moves(const struct infile *f); /* moves so far */
bool infile_full(const struct infile *f);      /* no room left although unread bytes fill the window */
bool infile_eof(const struct infile *f);       /* the end was seen: the unread bytes are the last ones */

bool infile_is_gz(const struct infile *f);
uint64_t infile_size(const struct infile *f); /* bytes on disk when opened */
uint64_t
infile_consumed(const struct infile *f); /* bytes on disk read so far: progress, also of packed files */
/* The file's size or modification time differ from those at open (note CHANGED). */
bool infile_changed(const struct infile *f);

/*
 * Read a whole small file (plain or gzip) of at most max bytes. *out is malloc'ed and NUL-terminated, *n its
 * length. Errors: ERR_LIMIT when larger, else as infile_open.
 */
NODISCARD int infile_read_all(const char *path, size_t max, char **out, size_t *n, struct err *e);

/* Version of zlib. */
const char *infile_library(void);

#endif
