/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a shell, one after another, with the places of their bytes. */
#ifndef NPUSCOPE_CONFIGURE_SHELL_H
#define NPUSCOPE_CONFIGURE_SHELL_H

#include "base/buf.h"

/* Words of a shell, undone of quotes; a comment is one word. */
struct shell {
    struct str text;
    size_t at;
    struct buf word, map; /* its bytes, and where each of them lies in text (uint32_t) */
};
void shell_begin(struct shell *s, struct str text);
/* false: the text has ended. */
bool shell_next(struct shell *s);
void shell_end(struct shell *s);

#endif
