/* SPDX-License-Identifier: Apache-2.0 */
/* A tar archive packed with gzip, made member by member and handed on as it grows. */
#ifndef NPUSCOPE_ARCHIVE_PACK_H
#define NPUSCOPE_ARCHIVE_PACK_H

#include "base/err.h"
#include "base/str.h"

struct pack;
/* Takes the bytes of the archive in order. An error ends the packing, and is what the function returns. */
typedef int pack_sink(void *arg, struct str bytes, struct err *e);

/* Errors: ERR_NOMEM, ERR_IO, those of the sink. pack_free() also after an error. */
NODISCARD int pack_new(struct pack **out, pack_sink *sink, void *arg, struct err *e);
/* A file that its owner may read and write. name: '/' between its parts, any bytes; mtime_s: Unix time. */
NODISCARD int pack_add(struct pack *p, const char *name, int64_t mtime_s, struct str data, struct err *e);
/* The end of the archive; nothing is added after it. */
NODISCARD int pack_end(struct pack *p, struct err *e);
void pack_free(struct pack *p); /* NULL is allowed */

#endif
