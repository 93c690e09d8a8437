/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by op over the executions of raw data, for the figures that files of their analysis hold: correct
 * sums, and sums as MindSpore's own analysis makes them where it is known to be wrong (run/known_diff.h).
 * Memory: an entry for each op. Ops are known by the number of their name, from 1.
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_OPS_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_OPS_H

#include "run/known_diff.h"
#include "store/sink.h"

struct agree_ops;

NODISCARD int agree_ops_new(struct agree_ops **out, struct err *e);
void agree_ops_free(struct agree_ops *o);
/* Name the op that rows refer to by the number id. */
NODISCARD int agree_ops_op(struct agree_ops *o, int64_t id, const struct op_key *k, struct err *e);
/* Rows of STAGE_TASK_MARK, op_exec and op_flops. */
void agree_ops_mark(struct agree_ops *o, const struct val *v);
void agree_ops_exec(struct agree_ops *o, const struct val *v);
void agree_ops_flops(struct agree_ops *o, const struct val *v);
uint32_t agree_ops_names(const struct agree_ops *o); /* one above the highest number */

/* Sums of an op or a type, read as in one of the known differences; n 0: there is nothing. */
struct agree_sum {
    uint64_t n, divisor; /* executions, and MindSpore's divisor */
    int64_t total_ns;
    uint64_t at_sum; /* of the starts, wrapping: compared in place of the starts themselves */
};
struct agree_sum agree_ops_sum(const struct agree_ops *o, uint32_t name, enum known_diff_id as);
static inline double agree_mean_ns(const struct agree_sum *s)
{
    return s->divisor ? (double)s->total_ns / (double)s->divisor : 0;
}
/*
 * Sums over the ops of a type. A type is known by the number of its text, as names are. agree_ops_types()
 * makes the sums once all rows came in.
 */
struct agree_type {
    uint64_t ops, n;
    double means_ns, total_ns; /* sums of the means of its ops, and of its executions */
};
NODISCARD int agree_ops_types(struct agree_ops *o, struct err *e);
struct agree_type agree_ops_type(const struct agree_ops *o, uint32_t type, enum known_diff_id as);
uint32_t agree_ops_n_types(const struct agree_ops *o); /* one above the highest number */
/* FLOPs of an op; false: not counted. */
bool agree_ops_flops_of(const struct agree_ops *o, uint32_t name, double *flops);

#endif
