/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of notes in their files. */
#include "config.h"

#include "model/places.h"

int places_read(struct store *s, uint32_t source_id, struct place *out, size_t max, size_t *n, struct err *e)
{
    struct query *q = NULL;

    *n = 0;
    if (store_query(s, &q,
                    "SELECT offset, text FROM note WHERE source_id = :f AND offset >= 0 "
                    "ORDER BY offset, rowid",
                    e))
        return e->code;
    query_bind_int(q, ":f", source_id);
    while (*n < max && query_step(q, e) == 1) {
        out[*n].offset = (uint64_t)query_int(q, 0);
        str_copy(query_str(q, 1), out[*n].text, sizeof out->text);
        ++*n;
    }
    query_free(q);
    return e->code;
}
