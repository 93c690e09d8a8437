/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of texts kept small. Names of ops are long paths with few different folders: the part up to the last
 * '/' is stored once, the rest as the bytes that it does not share with the text before it, so 10^6 names of
 * 150 bytes take 20 MiB. Texts are added at the end and read by number; reading in order costs little more
 * than copying them.
 *
 * Owns its bytes. A cursor borrows the list, which must not grow while one is in use.
 */
#ifndef NPUSCOPE_MODEL_VIEW_TEXTS_H
#define NPUSCOPE_MODEL_VIEW_TEXTS_H

#include <stdbool.h>

#include "base/str.h"

struct texts;

NODISCARD int texts_new(struct texts **out, struct err *e);
void texts_free(struct texts *t);
/* Append; its number is texts_count() - 1. Errors: ERR_NOMEM. */
NODISCARD int texts_add(struct texts *t, struct str s, struct err *e);
/* Nothing more will be added: free unused memory. */
void texts_end(struct texts *t);
uint32_t texts_count(const struct texts *t);
size_t texts_bytes(const struct texts *t); /* memory in use */

struct texts_cursor {
    const struct texts *t;
    uint32_t next;          /* number of the text at which p stands */
    const unsigned char *p; /* NULL: nowhere yet */
    size_t folder;          /* of the text before it, and its rest */
    char *rest;
    size_t rest_n;
    char *buf; /* folder and rest together, for the whole text */
    size_t n;
    bool whole;
};
/*
 * Begin to read; end with texts_close(), which does nothing to a cursor that is all zero. Errors: ERR_NOMEM.
 */
NODISCARD int texts_open(struct texts_cursor *c, const struct texts *t, struct err *e);
void texts_close(struct texts_cursor *c);
/* Text i, valid until the next call with this cursor. */
struct str texts_at(struct texts_cursor *c, uint32_t i);
/*
 * The two parts of text i: number of the folder (up to the last '/'; 0: none, or not stored apart) and what
 * follows it.
 */
struct str texts_rest(struct texts_cursor *c, uint32_t i, size_t *folder);
size_t texts_folders(const struct texts *t); /* numbers of folders are 1 .. this */
struct str texts_folder(const struct texts *t, size_t folder);

#endif
