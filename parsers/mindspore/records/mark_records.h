/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step marks: training_trace up to r1.4, ts_track from r1.5 on (doc/formats/mindspore1.md#training_trace,
 * #ts_track).
 *
 * c: the first slice; further ones follow in order, each on its own: a record does not go on in the next one.
 * Damage is noted as parsers/read/records.h says, and marks too short for their fields are left out; c->rows
 * counts the other records met, also those of other kinds.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_MARK_RECORDS_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_MARK_RECORDS_H

#include "parsers/registry.h"

#define MARK_END_OLD 255 /* tag of a step's end in training_trace up to r1.1 */

enum mark_kind {
    MARK_OTHER, /* of the model, or of the job */
    MARK_FP,
    MARK_BP,
    MARK_END,
    MARK_COMM,
};

struct step_mark {
    enum mark_kind kind;
    bool first; /* of MARK_COMM: before the op, else after it */
    uint64_t tag;
    bool after_gap;        /* a slice is missing before it */
    uint32_t stream, task; /* of the inserted op that made the mark */
    uint64_t ticks;        /* of 10 ns */
    struct where where;
};
/* Valid during the call. Not OK ends the reading with that error (e is set). */
typedef int mark_record_fn(void *arg, const struct step_mark *m, struct err *e);

/* Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn. */
NODISCARD int mark_records_ts_track(struct parse_ctx *c, mark_record_fn *fn, void *arg, struct err *e);
/*
 * Reads the beginning twice (of what slices it takes): the tag of a step's end is 255, and 65535 from r1.2
 * writers on.
 */
NODISCARD int mark_records_training_trace(struct parse_ctx *c, mark_record_fn *fn, void *arg, struct err *e);

#endif
