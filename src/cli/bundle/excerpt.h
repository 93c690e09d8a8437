/* SPDX-License-Identifier: Apache-2.0 */
/* The first and the last part of a file, plain or packed. */
#ifndef NPUSCOPE_CLI_BUNDLE_EXCERPT_H
#define NPUSCOPE_CLI_BUNDLE_EXCERPT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct excerpt {
    uint64_t head_b, tail_b; /* wanted, of the unpacked file */
    bool lines;              /* cut at line ends, with a line between the parts that says what is left out */
};

/*
 * Append the file, or of one that is larger than both parts only these. *left_out: bytes of it that are not
 * there. What lies after damage in a packed file is not read. Errors: those of infile_open().
 */
NODISCARD int excerpt_add(const char *path, const struct excerpt *x, struct buf *out, uint64_t *left_out,
                          struct err *e);

#endif
