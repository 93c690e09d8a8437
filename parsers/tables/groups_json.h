/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of ranks in a JSON document, taken from a walk through it
 * (doc/formats/analysed.md#communication_group, #profiler_metadata). The walk is borrowed and outlives the
 * groups.
 */
#ifndef NPUSCOPE_PARSERS_TABLES_GROUPS_JSON_H
#define NPUSCOPE_PARSERS_TABLES_GROUPS_JSON_H

#include "parsers/read/jwalk.h"

struct groups;
/* Errors: ERR_NOMEM. groups_free() ends it. */
NODISCARD int groups_new(struct groups **out, const struct jwalk *w, struct err *e);
void groups_free(struct groups *g); /* NULL is allowed */
/* The next value of the walk, of whatever key. */
void groups_token(struct groups *g, enum js_token tok, struct str text);
/* After the last value: the groups as rows of comm_group; those of lists only where no entry names them. */
NODISCARD int groups_put(struct groups *g, struct err *e);

#endif
