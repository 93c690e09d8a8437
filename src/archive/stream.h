/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a tar archive, unpacked: as they are, or out of gzip, xz, zstd or bzip2, with the checksums of
 * these looked at up to the end. What a file is packed with is told by its first bytes. Starts no program.
 */
#ifndef NPUSCOPE_ARCHIVE_STREAM_H
#define NPUSCOPE_ARCHIVE_STREAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

enum packing { PACK_NONE, PACK_GZIP, PACK_XZ, PACK_ZSTD, PACK_BZIP2, PACK_ZIP };
enum packing stream_packing(const uint8_t *head, size_t n);

enum stream_end { STREAM_GOES_ON, STREAM_ENDED, STREAM_CUT, STREAM_DAMAGED, STREAM_NO_SUM };

struct stream;
/*
 * Read fd from its start; fd stays the caller's and is read with pread or at its own place. Errors:
 * ERR_NOMEM, ERR_VERSION: the library here cannot read this packing.
 */
NODISCARD int stream_open(struct stream **out, int fd, enum packing packing, struct err *e);
/*
 * Before the first stream_read(): a thread unpacks ahead, and has fd until stream_close(). Where there is no
 * thread it changes nothing.
 */
void stream_ahead(struct stream *s);
void stream_close(struct stream *s);
/* The next bytes, valid until the next call; 0: no more, stream_ended() says why. */
size_t stream_read(struct stream *s, const void **p);
/* STREAM_NO_SUM: all bytes came, and the checksum at the end of them is another. */
enum stream_end stream_ended(const struct stream *s);
/* Zeros at the end of what was read last: a tar archive ends in two blocks of them. */
size_t stream_zeros(const struct stream *s);

/* Version of the library, for --version -v. */
const char *stream_library(void);

#endif
