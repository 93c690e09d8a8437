/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framework files of the text era, r0.5 to r1.5: which op a task belongs to, and the tensors of each op
 * (doc/formats/mindspore1.md#framework-text).
 *
 * c: the first slice; further ones follow in order, as one text (a border may lie inside a line). A line that
 * does not fit, or a last one without its end, is left out with a note. c->rows counts the lines given.
 * Binary files (r1.6 and later) give ERR_VERSION.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_FRAMEWORK_TEXT_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_FRAMEWORK_TEXT_H

#include "parsers/registry.h"

/* Everything is valid during the call. */
struct framework_task {
    struct str op; /* full name */
    int64_t block_dim;
    uint32_t task, stream;
    struct where where;
};
typedef int framework_text_task_fn(void *arg, const struct framework_task *t, struct err *e);

#define FW_TENSORS 512 /* of one op; further ones are left out with a note */
struct framework_tensor {
    struct str format, type,
        shape; /* type: NUMBER_TYPE_..., or the number as recorded by the GE back end; shape without quotes */
    struct str id, number; /* of the tensor; of its type; as recorded */
    uint32_t order;        /* in the line, over both sides */
};
struct framework_op {
    struct str name, type;
    const struct framework_tensor *in, *out;
    size_t n_in, n_out;
    bool ge; /* of the GE back end: formats and types are numbers */
    struct where where;
};
typedef int framework_text_op_fn(void *arg, const struct framework_op *o, struct err *e);

/*
 * task_desc_info. Not OK from fn ends the reading with that error (e is set). Errors: ERR_IO, ERR_NOMEM,
 * ERR_CANCELLED, ERR_VERSION, those of fn.
 */
NODISCARD int framework_text_tasks(struct parse_ctx *c, framework_text_task_fn *fn, void *arg, struct err *e);
/* graph_desc_info. */
NODISCARD int framework_text_ops(struct parse_ctx *c, framework_text_op_fn *fn, void *arg, struct err *e);
/*
 * Words for the number of a data type, by the back end and whether r1.3 or later counts; "UNKNOWN" without
 * one.
 */
struct str framework_type_word(struct str number, bool ge, bool since_r13);
/* Of a format of the GE back end: FORMAT_..., the text itself without one. */
struct str framework_format_word(struct str number);
/* point: the op that a step mark's tag stands for. */
struct framework_point {
    uint64_t tag;
    struct str op; /* full name */
    struct where where;
};
typedef int framework_text_point_fn(void *arg, const struct framework_point *p, struct err *e);
/* Errors: as framework_text_tasks. */
NODISCARD int framework_text_points(struct parse_ctx *c, framework_text_point_fn *fn, void *arg,
                                    struct err *e);

#endif
