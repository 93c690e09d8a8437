/* SPDX-License-Identifier: Apache-2.0 */
/* A sink without a database that counts rows, notes and events, or hands rows on. */
#ifndef NPUSCOPE_SINK_COUNT_H
#define NPUSCOPE_SINK_COUNT_H

#include "store/sink.h"

struct sink_counts {
    uint64_t rows[N_TABLES], total, ops, tracks, events, flows, samples, note_calls;
    uint64_t ts_sum, dur_sum; /* of events, wrapping */
    uint64_t generic_tables, generic_rows;
    uint64_t notes[N_NOTES]; /* by code, counts added */
    char first_note[256];
};

struct sink_count;
typedef void sink_count_op_fn(void *arg, int64_t id, const struct op_key *k);
typedef void sink_count_row_fn(void *arg, enum table_id t, const struct val *v, size_t n);

NODISCARD int sink_count_new(struct sink_count **out, struct err *e);
void sink_count_free(struct sink_count *c);
struct sink *sink_count_sink(struct sink_count *c);
const struct sink_counts *sink_count_get(const struct sink_count *c);
/* Text of a CT_STR value. */
struct str sink_count_string(const struct sink_count *c, int64_t id);
/* The id of a text that was interned, 0: it was not. */
uint32_t sink_count_find(const struct sink_count *c, struct str text);
/* Call fn for every row as it comes. */
void sink_count_on_row(struct sink_count *c, sink_count_row_fn *fn, void *arg);
/*
 * Call fn for every op, each time it is met, with the number that rows have for it and the arg of
 * sink_count_on_row().
 */
void sink_count_on_op(struct sink_count *c, sink_count_op_fn *fn);

#endif
