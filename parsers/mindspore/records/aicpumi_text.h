/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AICPUMI: what GetNext found in the data queue on the device, as text (doc/formats/mindspore1.md#aicpumi).
 *
 * c: the first slice; further ones follow in order. Records end with NUL. Fields are given as recorded; a
 * record of less than four has a name alone. c->rows counts the records given.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICPUMI_TEXT_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_AICPUMI_TEXT_H

#include "parsers/registry.h"

struct aicpumi_record {
    struct str name;
    struct str start_us, end_us, queue_size; /* p NULL: not recorded */
    struct where where;
};
/* Valid during the call. Not OK ends the reading with that error (e is set). */
typedef int aicpumi_text_fn(void *arg, const struct aicpumi_record *r, struct err *e);

/* Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn. */
NODISCARD int aicpumi_text_read(struct parse_ctx *c, aicpumi_text_fn *fn, void *arg, struct err *e);

#endif
