/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON with line breaks: a document goes through as it is written, each value on its own line, four blanks
 * for each level. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_PRETTY_H
#define NPUSCOPE_EMIT_PRETTY_H

#include <stdbool.h>
#include <stddef.h>

#define PRETTY_CHUNK 65536
#define PRETTY_DEPTH 64 /* deeper levels are not indented further */

struct pretty {
    bool begun, plain; /* plain: no JSON document; it goes through unchanged */
    bool in_string, escaped;
    bool fresh; /* nothing follows the bracket yet */
    int depth;
    size_t n;
    char buf[PRETTY_CHUNK];
};
typedef void pretty_write_fn(void *arg, const char *p, size_t n);

/* The next bytes of the document; write gets what they become. NULL, 0: the end, what is left is written. */
void pretty_put(struct pretty *x, const char *p, size_t n, pretty_write_fn *write, void *arg);

#endif
