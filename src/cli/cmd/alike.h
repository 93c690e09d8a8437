/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of several ranks that are the same but for numbers: the rank's or device's own number in a name,
 * and measures (times, bytes, places in a file). They are one text: the own number as `*`, measures as
 * the range they have. Any other number has to agree, so that nothing is lost: what `*` stands for is
 * known of each rank.
 */
#ifndef NPUSCOPE_CLI_CMD_ALIKE_H
#define NPUSCOPE_CLI_CMD_ALIKE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct alike_of {
    int rank, device; /* device -1: unknown */
};

struct alike;
/* Begin with the text of one rank, which is copied. NULL without memory. alike_free() ends it. */
NODISCARD struct alike *alike_new(struct str text, struct alike_of of);
void alike_free(struct alike *a);
/* Whether the text of another rank is the same but for such numbers. */
bool alike_fits(const struct alike *a, struct str text, struct alike_of of);
/* Whether it is the same byte by byte, and so are all before it. */
bool alike_equals(const struct alike *a, struct str text);
/* Take a text that fits. */
void alike_take(struct alike *a, struct str text, struct alike_of of);
/* Append the one text for all. */
void alike_put(const struct alike *a, struct buf *out);

#endif
