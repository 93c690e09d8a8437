/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a regular file at any offset, as they lie on the disk, for looking into it. Not thread-safe. */
#ifndef NPUSCOPE_PEEK_H
#define NPUSCOPE_PEEK_H

#include "base/err.h"

struct peek;
/* Errors: ERR_IO, ERR_FORMAT (not a regular file; a FIFO is not waited for), ERR_NOMEM. */
NODISCARD int peek_open(struct peek **out, const char *path, struct err *e);
void peek_close(struct peek *p); /* NULL is allowed */
/* Size now: the file may grow or shrink. */
uint64_t peek_size(const struct peek *p);
/* Up to n bytes from off on; *got is less at the end. Errors: ERR_IO. */
NODISCARD int peek_read(const struct peek *p, uint64_t off, void *buf, size_t n, size_t *got, struct err *e);

#endif
