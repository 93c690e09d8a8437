/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents that do not grow with the run (info files, summaries), read whole through cJSON.
 *
 * The tree is opaque; values are borrowed until jdoc_free. Numbers are exact only up to 2^53 (use json_stream
 * for stamps): that is why there is no jv_num_text.
 */
#ifndef NPUSCOPE_JSON_SMALL_H
#define NPUSCOPE_JSON_SMALL_H

#include "base/read/infile.h"

struct jdoc;
struct jv; /* a value inside a document */

/*
 * Read and parse path. Errors: ERR_FORMAT with offset and line, ERR_LIMIT above LIM_JSON_SMALL_B, ERR_IO,
 * ERR_NOMEM.
 */
NODISCARD int jdoc_read(struct jdoc **out, const char *path, struct err *e);
NODISCARD int jdoc_parse(struct jdoc **out, struct str text, struct err *e);
void jdoc_free(struct jdoc *d);
const struct jv *jdoc_root(const struct jdoc *d);

bool jv_is_object(const struct jv *v);
bool jv_is_array(const struct jv *v);
bool jv_is_string(const struct jv *v);
bool jv_is_number(const struct jv *v);
bool jv_is_bool(const struct jv *v);
bool jv_is_null(const struct jv *v);
/* All accept NULL and give NULL, 0 or an empty view then. Keys are matched exactly. */
const struct jv *jv_get(const struct jv *object, const char *key);
const struct jv *jv_first(const struct jv *container);
const struct jv *jv_next(const struct jv *v);
size_t jv_count(const struct jv *container);
struct str jv_key(const struct jv *v); /* of a member of an object */
struct str jv_str(const struct jv *v); /* strings only */
double jv_num(const struct jv *v);
bool jv_bool(const struct jv *v);
/* Compact JSON text of the value, malloc'ed, NULL when out of memory. */
char *jv_print(const struct jv *v);

/* Version of the library. */
const char *json_small_library(void);

#endif
