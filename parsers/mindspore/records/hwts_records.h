/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HWTS: starts and ends of tasks and blocks on the device (doc/formats/mindspore1.md#hwts).
 *
 * c: the first slice; further ones follow in order, as one stream. Records are 64 bytes. Ticks are device
 * cycles of 10 ns as recorded. A last partial record becomes the note TORN_RECORD, as does one before a slice
 * that begins anew; records of an unknown type are counted, one note per type. Jumps of the sequence numbers
 * become the note LOST_RECORDS, with the least number that can be missing (the numbers go to 16), unless so
 * many jump that they are no sequence. c->rows counts the records given.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_HWTS_RECORDS_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_HWTS_RECORDS_H

#include "parsers/registry.h"

enum hwts_type {
    HWTS_TASK_START,
    HWTS_TASK_END,
    HWTS_BLOCK_START,
    HWTS_BLOCK_END,
    HWTS_BLOCK_PMU,
    N_HWTS_TYPES
};

struct hwts_record {
    enum hwts_type type;
    uint8_t count; /* sequence number mod 16 */
    uint8_t core;
    bool warn; /* the warn or overflow bit; a block PMU record with it has no ticks */
    uint16_t block, task;
    uint32_t stream;
    bool has_ticks;
    bool after_gap; /* records before it are missing: what was running there may have ended since */
    uint64_t ticks;
    struct where where; /* slice, offset there; line: number of the record there, from 1 */
};

/* Valid during the call. Not OK ends the reading with that error (e is set). */
typedef int hwts_record_fn(void *arg, const struct hwts_record *r, struct err *e);

/* Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn. */
NODISCARD int hwts_records_read(struct parse_ctx *c, hwts_record_fn *fn, void *arg, struct err *e);

#endif
