/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an op, or the ops of a type, come from: the framework op, module and call stack that launched
 * them (table exec_host), and what the AI cores counted while they ran, as far as it is a share (table
 * op_counter). Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_OP_ORIGIN_H
#define NPUSCOPE_MODEL_OP_ORIGIN_H

#include "model/view/view.h"

#define OP_COUNTERS 16

enum op_origin_kind { ORIGIN_HOST_OP, ORIGIN_MODULE, ORIGIN_CODE, N_ORIGINS };
struct op_place {
    char text
        [1000]; /* the most frequent, raw bytes; "": none is known. Code: frames, innermost first, with ; */
    uint64_t n, of;  /* executions it launched, of all that were looked at */
    uint64_t others; /* how many other places there are */
};
struct op_origin {
    uint64_t looked_at; /* executions: all of an op, one of each op of a type; at most a few thousand */
    struct op_place place[N_ORIGINS];
    struct {
        char name[48];      /* the column, "aic_mac_ratio" */
        double share;       /* mean of the executions that have it */
    } counter[OP_COUNTERS]; /* those above 0, in order of the columns */
    size_t n_counters;
};

/* Of the op with this id, or where type is not NULL of the ops of that type. Errors: of the store. */
NODISCARD int op_origin_read(struct op_origin *out, const struct view_part *part, int64_t op_id,
                             const struct str *type, struct err *e);

#endif
