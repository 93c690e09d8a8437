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

struct comm_link {
    uint32_t src, dst, transport, link; /* numbers of prof_transports, prof_links */
    uint64_t size_b;
    int64_t ns;
};
struct comm_figures {
    int64_t transit, wait, sync;
    uint64_t size_b;
    bool moved; /* on the main plane: waiting before it is synchronization */
    struct comm_link link[COMM_LINKS];
    size_t n_links;
};
/* A task. */
struct comm_moved {
    int64_t ns;
    uint64_t size_b;
    uint32_t src, dst, transport, link, rdma; /* numbers of prof_transports, prof_links, prof_rdmas */
    bool is_copy;                             /* Memcpy or Reduce_Inline */
    bool is_wait;                             /* Notify_Wait */
    bool is_main;                             /* on the main plane, whose tasks show how the op went on */
};

/* Tasks of an op come by their starts. */
void comm_figures_add(struct comm_figures *o, const struct comm_moved *t);
/* Columns of comm_exec for an op that took dur ns. */
void comm_figures_exec(const struct comm_figures *o, int64_t dur, struct val *v);
/* Rows of comm_link, each with the columns that the template has. Errors: those of the sink. */
NODISCARD int comm_figures_links(const struct comm_figures *o, const struct val *row, struct sink *s,
                                 struct err *e);

#endif
