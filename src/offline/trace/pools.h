/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of trace_view.json that are not msprof's: their metadata and events as Python writes them
 * (doc/formats/framework.md#trace_view). Each element is put after ", " unless it is the first (*more).
 */
#ifndef NPUSCOPE_OFFLINE_POOLS_H
#define NPUSCOPE_OFFLINE_POOLS_H

#include "offline/run.h"

struct offline_pool {
    int pid;
    const char *name;
    int sort;
    bool is_cpu; /* has the label CPU */
};

void offline_pool_comma(struct emit *o, bool *more);
void offline_pool_begin(struct emit *o, const struct offline_pool *p, bool *more);
void offline_pool_thread(struct emit *o, const struct offline_pool *p, int64_t tid, bool *more);
/* The beginning of a complete event, up to its start: {"ph": "X", ..., "ts": "1.000", */
void offline_pool_event(struct emit *o, struct str name, int pid, int64_t tid, int64_t ts);
/* Threads in the order in which they first come, numbered from 0. UINT32_MAX: no memory. */
uint32_t offline_thread_number(struct intern *seen, uint64_t tid);
uint64_t offline_thread_of(const struct intern *seen, uint32_t number);
/* Metadata of all threads seen, in the order of a set in Python. ERR_NOMEM. */
NODISCARD int offline_pool_threads(struct emit *o, const struct offline_pool *p, const struct intern *seen,
                                   bool *more, struct err *e);

#endif
