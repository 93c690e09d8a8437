/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CSV table as JSON: an array with an object for each row, keys from the header, as it is written. Numbers
 * are numbers; a cell that ends with a TAB (a stamp of 16 digits and more) is a text, so that no reader
 * rounds it. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_CSVJSON_H
#define NPUSCOPE_EMIT_CSVJSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct csvjson;
typedef void csvjson_write_fn(void *arg, const char *p, size_t n);

NODISCARD int csvjson_new(struct csvjson **out, struct err *e);
void csvjson_free(struct csvjson *x);
/*
 * The next bytes of the table; write gets what they become. NULL, 0: the end. false: no memory, what is
 * written is not whole.
 */
bool csvjson_put(struct csvjson *x, const char *p, size_t n, csvjson_write_fn *write, void *arg);

#endif
