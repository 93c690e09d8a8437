/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tasks of a communication op say of it: how long it moved data and waited, and what went over
 * which link (doc/formats/msprof.md#communicationjson, in whole ns). For raw data and for msprof's working
 * databases.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_COMM_FIGURES_H
#define NPUSCOPE_PARSERS_PROF_ROWS_COMM_FIGURES_H

#include "base/err.h"
#include "store/schema.h"
#include "store/sink.h"

#define COMM_LINKS 64 /* of one op; further ones are added to the last */
#define COMM_RUNS  16 /* planes of an op with payload of RDMA; on further ones each payload is by itself */

struct comm_link {
    uint32_t src, dst, transport, link; /* numbers of prof_transports, prof_links */
    uint64_t size_b;
    int64_t ns;
};
/* A task. */
struct comm_moved {
    int64_t from, ns;
    uint64_t size_b;
    uint32_t plane;
    uint32_t src, dst, transport, link, rdma; /* numbers of prof_transports, prof_links, prof_rdmas */
    bool is_copy;                             /* Memcpy or Reduce_Inline */
    bool is_wait;                             /* Notify_Wait */
    bool is_main;                             /* on the main plane, whose tasks show how the op went on */
};
/* Payload of RDMA on a plane that the tasks which close it have not ended yet. */
struct comm_run {
    struct comm_moved all; /* the first payload, with the sizes and times of all */
    size_t left;           /* tasks up to the closing one; 0: there is no run */
    int64_t wait;          /* of tasks that close it */
};
struct comm_figures {
    size_t closes; /* prof_rdma_closes() of the op */
    int64_t transit, wait, sync;
    uint64_t size_b;
    bool moved; /* on the main plane: waiting before it is synchronization */
    struct comm_link link[COMM_LINKS];
    size_t n_links;
    struct comm_run run[COMM_RUNS];
    size_t n_runs;
};

/* All zero but closes before. Tasks of an op come by their starts, then comm_figures_end(). */
void comm_figures_add(struct comm_figures *o, const struct comm_moved *t);
void comm_figures_end(struct comm_figures *o);
/* Columns of comm_exec for an op that took dur ns. */
void comm_figures_exec(const struct comm_figures *o, int64_t dur, struct val *v);
/* Rows of comm_link, each with the columns that the template has. Errors: those of the sink. */
NODISCARD int comm_figures_links(const struct comm_figures *o, const struct val *row, struct sink *s,
                                 struct err *e);

#endif
