/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication of one op in one step, as CANN's hccl parser of MindSpore 1.x wrote it:
 * hccl_info/<op>/iter<k>.trace (doc/formats/mindspore1.md#hccl_info), and what it cost by link
 * (doc/formats/mindspore1.md#hccl_raw).
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_HCCL_TRACE_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_HCCL_TRACE_H

#include "parsers/registry.h"

enum hccl_task { HCCL_OTHER, HCCL_RDMA_SEND, HCCL_REDUCE, HCCL_COPY, HCCL_RECORD, HCCL_WAIT };
enum hccl_transport { HCCL_NO_TRANSPORT, HCCL_SDMA, HCCL_RDMA, HCCL_LOCAL };
struct hccl_event {
    int64_t tid;
    double ts_us, dur_us; /* as Python reads the numbers */
    int64_t ts_ns, dur_ns;
    enum hccl_task task;
    enum hccl_transport transport;
    bool has_ranks;
    int64_t src, dst;
    double size_b;
};
struct hccl_trace {
    struct hccl_event *event;
    size_t n;
    bool has_ts;  /* of the first event */
    bool damaged; /* events, or values of them, are lost */
};

/*
 * Read the file of c. hccl_trace_done() is due after a failure, too. Errors: as jwalk_open, ERR_LIMIT,
 * ERR_NOMEM.
 */
NODISCARD int hccl_trace_read(struct parse_ctx *c, struct hccl_trace *out, struct err *e);
void hccl_trace_done(struct hccl_trace *t);

/* What went over the link between two ranks. */
struct hccl_link {
    int64_t src, dst;
    enum hccl_transport transport; /* HCCL_SDMA or HCCL_RDMA */
    double time_ms, size_kb, bandwidth,
        wait_ms;  /* KB: 1000 bytes; KB/s; wait of RDMA only, within the time */
    size_t n;     /* how many were added up: hccl_links_join() */
    size_t pair;  /* order of the pairs of ranks, by their first link */
    size_t first; /* order of the links */
};
struct hccl_cost {
    double cost_ms, wait_ms; /* of the main thread, the one of the largest number */
    struct hccl_link *link;  /* of all threads; in the arena */
    size_t n_links;
};
/*
 * Cost of one trace. as_upstream: its events of transport LOCAL stand the other way round when the main
 * thread is looked at, which loses waits (doc/formats/mindspore1.md#hccl_raw); else they stay. Ranks of
 * events are mended in t. ERR_NOMEM.
 */
NODISCARD int hccl_cost_of(struct arena *a, struct hccl_trace *t, bool as_upstream, struct hccl_cost *out,
                           struct err *e);
/*
 * Add up the links of the same ranks and transport: v becomes *n sums, in the order of pairs, then of links.
 * Bandwidths are summed too, as upstream does.
 */
void hccl_links_join(struct hccl_link *v, size_t *n);
/* "SDMA" */
const char *hccl_transport_word(enum hccl_transport t);

#endif
