/* SPDX-License-Identifier: Apache-2.0 */
/* Ops and the shapes of their inputs (doc/formats/framework.md#record_shapes). Not thread-safe. */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_SHAPES_H
#define NPUSCOPE_PARSERS_FRAMEWORK_SHAPES_H

#include "parsers/registry.h"

/* shapes: "2,3;4", in order of the inputs; line: number of the record. Texts are valid during the call. */
typedef int framework_shapes_fn(void *arg, struct str name, struct str shapes, uint32_t line, struct err *e);
/*
 * Read mindspore.record_shapes in order of the file. Damage becomes notes. Errors: ERR_FORMAT not such a
 * file; ERR_IO, ERR_NOMEM, ERR_CANCELLED, those of fn.
 */
NODISCARD int framework_read_shapes(struct parse_ctx *c, framework_shapes_fn *fn, void *arg, struct err *e);

#endif
