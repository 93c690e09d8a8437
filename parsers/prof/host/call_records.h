/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: what records of the host say about the calls they were made in
 * (doc/formats/prof.md#compact-records, #additional-records, doc/formats/msprof.md#attached-records): ops
 * with their tensors, attributes and contexts, communication.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_CALL_RECORDS_H
#define NPUSCOPE_PARSERS_PROF_HOST_CALL_RECORDS_H

#include "parsers/prof/host/call_tree.h"

/* One record: the call it is about; key and value depend on the list (struct prof_call_records). */
struct prof_remark {
    uint32_t api, key, value, stamp; /* stamp: its low bits */
};
struct prof_remarks {
    struct prof_remark *v; /* by (call, key), then as read */
    size_t n, cap, hint;
};

struct prof_call_records {
    struct prof *p;
    struct prof_tree *tree;
    struct prof_remarks basic;   /* level node; key: name of the op; value: struct prof_op without tensors */
    struct prof_remarks tensors; /* node; name of the op; bytes of the tensors */
    uint32_t first_tensors, last_tensors; /* calls of the first and last record of tensors */
    struct prof_remarks attrs;            /* node; name of the op; text */
    struct prof_remarks contexts;         /* node or communication; name of the op; ids */
    struct prof_remarks comm_ops;         /* node; 0; bytes of the record */
    struct prof_remarks infos;            /* communication; context; struct prof_comm_info */
    struct prof_remarks fusions;          /* model; number of the record; bytes of the record */
    struct intern *ops, *bytes, *comm;
    struct prof_tensors *sets; /* texts made of bytes */
    size_t n_sets, sets_cap;
    uint32_t *set_of; /* by id of bytes: index + 1 */
    size_t n_set_of;
    uint64_t strays; /* records outside of all calls they could be about */
};

/*
 * prof_call_records_free() is allowed after a failure. The tree is borrowed until then. Errors: as
 * prof_host_read().
 */
NODISCARD int prof_call_records_read(struct prof_call_records *s, struct prof *p, struct prof_tree *tree,
                                     struct err *e);
void prof_call_records_free(struct prof_call_records *s);

/* The remarks about a call: the first, *n of them. Fastest when asked in order of time. */
const struct prof_remark *prof_call_records_of(struct prof_remarks *r, uint32_t api, size_t *n);
/* The last remark with this key, else with `any` the first of the call; NULL: none. */
const struct prof_remark *prof_call_records_key(struct prof_remarks *r, uint32_t api, uint32_t key, bool any);

/* The op of a node_basic remark, with its tensors and attributes. Errors: ERR_NOMEM. */
NODISCARD int prof_call_records_op(struct prof_call_records *s, const struct prof_remark *basic,
                                   struct prof_op *out, struct err *e);
/* Number of an op, the same for equal ones (of all bytes: padding is to be zero). PROF_NONE: no memory. */
uint32_t prof_call_records_put_op(struct prof_call_records *s, const struct prof_op *op);
/* Number of the set of texts of these tensors, 44 bytes each. Errors: ERR_NOMEM. */
NODISCARD int prof_call_records_tensors(struct prof_call_records *s, struct str tensors, uint32_t *out,
                                        struct err *e);
/* Text of a task type in records of ops: "AI_CORE"; its digits when it has none. PROF_NONE: no memory. */
uint32_t prof_call_records_core(struct prof *p, uint32_t core);
/* The ids of a contexts remark: *n bytes / 4 little-endian numbers. */
struct str prof_call_records_bytes(const struct prof_call_records *s, const struct prof_remark *r);
/* Whether a call of communication is of type "master": the times of its tasks are those of the op. */
bool prof_call_records_is_master(struct prof_call_records *s, uint32_t api);
/* Take hccl_op_info of a node call into op. */
void prof_call_records_comm_op(struct prof_call_records *s, uint32_t api, struct prof_comm_op *op);

#endif
