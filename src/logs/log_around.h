/* SPDX-License-Identifier: Apache-2.0 */
/* The lines around one of a log, read from its file, plain or packed. */
#ifndef NPUSCOPE_LOG_AROUND_H
#define NPUSCOPE_LOG_AROUND_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the lines around the one at this byte of the (unpacked) file, without colours, each with its number
 * (`line` is that of the one meant, which begins with '>'): LOG_AROUND before it and after it, and of long
 * lines LOG_AROUND_B bytes. Errors: those of the file, ERR_FORMAT: it is shorter now.
 */
NODISCARD int log_around(const char *path, uint64_t offset, uint64_t line, struct buf *out, struct err *e);
#define LOG_AROUND   60
#define LOG_AROUND_B 2000

#endif
