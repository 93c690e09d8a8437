/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk through any JSON document that knows where it is: the keys and array indexes above the current
 * value.
 *
 * Built on js_next(): the document is never held. Damage ends the walk with one note; what came before it
 * stands. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_JWALK_H
#define NPUSCOPE_PARSERS_READ_JWALK_H

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/json_stream.h"
#include "parsers/registry.h"

struct jwalk_level {
    size_t from, n; /* key within keys */
    int64_t index;  /* index in an array, from 0 */
    bool array;
};

struct jwalk {
    struct parse_ctx *c;
    struct infile *in;
    struct js *j;
    int depth;    /* of the current value: its path has that many parts */
    int open;     /* containers that are open */
    bool damaged; /* the walk ended at damage, or a text was cut */
    struct jwalk_level level[LIM_JSON_DEPTH + 1];
    struct buf keys;
    uint64_t asked;
};

/* Open the file of c. jwalk_close() is allowed after a failure. */
NODISCARD int jwalk_open(struct jwalk *w, struct parse_ctx *c, struct err *e);
void jwalk_close(struct jwalk *w);
/*
 * Next value: JS_OBJ, JS_ARR and their ends (with the path of the container itself), scalars with their text.
 * JS_END: no more, damage (noted), or e is set.
 */
enum js_token jwalk_next(struct jwalk *w, struct str *text, struct err *e);
/*
 * Part i of the path, counted from the value when negative (-1: its own key). Empty for indexes of arrays and
 * where there is no such part.
 */
struct str jwalk_key(const struct jwalk *w, int i);
/* Index in an array, -1 for a key. */
int64_t jwalk_index(const struct jwalk *w, int i);
/* The whole path with dots between the parts, into b. */
void jwalk_path(const struct jwalk *w, struct buf *b);
/* JSON text of a scalar, appended to b. */
void jwalk_print(struct buf *b, enum js_token tok, struct str text);
/* A scalar: neither a container nor the end of one. */
bool jwalk_is_scalar(enum js_token tok);
/* Text of a scalar; p NULL for null. */
struct str jwalk_text(enum js_token tok, struct str text);

#endif
