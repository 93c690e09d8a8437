/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI CPU tasks, as text up to r1.5 and as records of 128 bytes from r1.6 on
 * (doc/formats/mindspore1.md#ai-cpu). The first bytes show which.
 *
 * c: the first slice; further ones follow in order. Text: an op ("Node") and the thread that ran it, each
 * ended by a NUL; an op without its thread is left out with a note, a thread without its op is ignored.
 * c->rows counts the tasks given.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICPU_RECORDS_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICPU_RECORDS_H

#include "parsers/registry.h"

struct aicpu_task {
    struct str name;                 /* of the op, in text; else p NULL */
    int64_t stream, task;            /* -1 in text */
    int64_t start_us, end_us;        /* of the device's counter */
    bool has_ticks;                  /* first texts have none */
    uint64_t start_ticks, end_ticks; /* the same instants in 10 ns */
    int64_t dispatch_us, total_us;
    struct where where;
};
/* Valid during the call. Not OK ends the reading with that error (e is set). */
typedef int aicpu_record_fn(void *arg, const struct aicpu_task *t, struct err *e);

/* Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn. */
NODISCARD int aicpu_records_read(struct parse_ctx *c, aicpu_record_fn *fn, void *arg, struct err *e);

#endif
