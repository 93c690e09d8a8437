/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framework files of the binary era, r1.6 to r2.2: tasks, tensors, and the dictionary of names that do not
 * fit a record (doc/formats/mindspore1.md#framework-records).
 *
 * c: the first slice; further ones follow in order. Damage is noted as parsers/read/records.h says; c->rows
 * counts the records given.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_FRAMEWORK_RECORDS_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_FRAMEWORK_RECORDS_H

#include "parsers/registry.h"

/* Names by their hash. Owned by the caller. */
struct framework_names;
/* Without a name. Errors: ERR_NOMEM (*out is NULL then). */
NODISCARD int framework_names_new(struct framework_names **out, struct err *e);
/* n may be NULL. */
void framework_names_free(struct framework_names *n);
/* hash_dic: lines <decimal number>:<text>. Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int framework_records_names(struct parse_ctx *c, struct framework_names *n, struct err *e);

/* Valid during the call. */
struct framework_record_task {
    struct str op, type; /* a hash without a name: its decimal digits */
    struct str core;     /* as framework_raw writes it: AI_CORE, MSPROF_AIV ...; p NULL for another number */
    bool op_hashed, type_hashed; /* that is so */
    /* one of them is the last line of the dictionary, which has no end: it may be cut */
    bool last_name;
    bool old;     /* up to r1.7: the values of the flag for strings and hashes were swapped in r1.8 */
    bool dynamic; /* of a shape that is not known before it runs */
    uint32_t block_dim, model, stream, task;
    struct where where;
};
typedef int framework_records_task_fn(void *arg, const struct framework_record_task *t, struct err *e);

#define FWBIN_TENSORS 5 /* of one record; more lie in further records of the task */
#define FWBIN_DIMS    8
struct framework_record_tensor {
    bool output;
    uint32_t format, type, dims[FWBIN_DIMS]; /* numbers as recorded; a dimension of 0 is none */
};
struct framework_record_tensors {
    uint32_t model, stream, task;
    const struct framework_record_tensor *t;
    size_t n;
    struct where where;
};
typedef int framework_records_tensors_fn(void *arg, const struct framework_record_tensors *t, struct err *e);

/* c is a file of task records. Errors: as infile_open. */
NODISCARD int framework_records_is(struct parse_ctx *c, bool *is, struct err *e);
/*
 * task_desc_info. Not OK from fn ends the reading with that error (e is set). Errors: ERR_IO, ERR_NOMEM,
 * ERR_CANCELLED, those of fn.
 */
NODISCARD int framework_records_tasks(struct parse_ctx *c, const struct framework_names *names,
                                      framework_records_task_fn *fn, void *arg, struct err *e);
/* tensor_data_info. Records with more tensors than FWBIN_TENSORS are left out with one note. */
NODISCARD int framework_records_tensors(struct parse_ctx *c, framework_records_tensors_fn *fn, void *arg,
                                        struct err *e);
/* Words for the numbers; without a word: UNKNOWN. From r1.8 on 200 is added to each. */
struct str framework_records_format(uint32_t number);
struct str framework_records_type(uint32_t number);

#endif
