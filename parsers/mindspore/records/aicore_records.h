/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI Core counters, one record per executed task (doc/formats/mindspore1.md#aicore).
 *
 * c: the first slice; further ones follow in order, each on its own. Damage is noted as
 * parsers/read/records.h says; c->rows counts the records given.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICORE_RECORDS_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICORE_RECORDS_H

#include "parsers/registry.h"

#define AICORE_COUNTERS 8
struct aicore_record {
    uint32_t stream, task;
    uint64_t counter[AICORE_COUNTERS]; /* what they count: the group of metrics that was collected */
    struct where where;
};
/* Valid during the call. Not OK ends the reading with that error (e is set). */
typedef int aicore_record_fn(void *arg, const struct aicore_record *r, struct err *e);

/* Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn. */
NODISCARD int aicore_records_read(struct parse_ctx *c, aicore_record_fn *fn, void *arg, struct err *e);

#endif
