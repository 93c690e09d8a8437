/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the run model: speeds of ranks and links. */
#ifndef NPUSCOPE_DEMO_SPEED_H
#define NPUSCOPE_DEMO_SPEED_H

#include "demo/demo_run.h"

#define DEMO_GAP_NS 940  /* mean gap between two kernels of a stream */
#define DEMO_MID_NS 1600 /* notify wait between the two halves of an all-reduce */
#define DEMO_COMM_NS                                                                                         \
    4000 /* everything in a communication op that is neither waiting for ranks nor transfer */

int64_t demo_scale(const struct demo_run *r, int rank, uint32_t step);
/*
 * Like demo_scale(), for the slowest rank of the tensor parallel group: the speed of a rank as other groups
 * see it.
 */
int64_t demo_pace(const struct demo_run *r, int rank, uint32_t step);
int64_t demo_transfer(const struct demo_run *r, int a, int b, uint64_t chunk_b);
uint64_t demo_chunk(const struct demo_comm_op *c, const struct demo_group *g);
/* Transfers on each link: 2 for all-reduce, else 1. */
int demo_phases(const struct demo_comm_op *c);
/* Time of the slowest link of any group that runs this op, all phases. */
int64_t demo_group_transfer(const struct demo_run *r, const struct demo_comm_op *c);

#endif
