/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON of any length, indented as it goes by: every token is checked, so that what comes out is what was
 * whole, and no byte of it can act on a terminal. Numbers, words and escapes stay as they were written.
 * Memory does not grow with the document. Documents may follow each other.
 *
 * What Python writes beyond JSON passes (NaN, Infinity). Small damage inside a document is mended and
 * counted: a bare control character or a byte that is no UTF-8 in a string, a backslash that begins no
 * escape, a comma before a closing bracket. Other damage ends it. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_JSON_TIDY_H
#define NPUSCOPE_EMIT_JSON_TIDY_H

#include "base/err.h"
#include "emit/pretty.h"

#define JSON_TIDY_DEPTH 1000 /* levels of brackets */

struct json_tidy;

/* write gets the text; it may be called until json_tidy_free(). */
NODISCARD int json_tidy_new(struct json_tidy **out, pretty_write_fn *write, void *arg, struct err *e);
void json_tidy_free(struct json_tidy *t); /* NULL is allowed */
/* The next bytes. false: damage was met, now or before; nothing more is taken. */
bool json_tidy_put(struct json_tidy *t, const char *p, size_t n);
/* The end of the input: what is whole is written. false: damage, or the input ends inside a document. */
bool json_tidy_end(struct json_tidy *t);

struct json_tidy_facts {
    const char *problem;   /* that ended it, NULL none */
    uint64_t offset;       /* of the problem in the input */
    uint64_t mended;       /* places */
    const char *first;     /* what the first of them was */
    uint64_t first_offset; /* where it was */
};
struct json_tidy_facts json_tidy_facts(const struct json_tidy *t);

#endif
