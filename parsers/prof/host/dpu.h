/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of DPUs, as the host reports them (doc/formats/prof.md#compact-records, #additional-records:
 * dpu_track, dpu_hccl_info).
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_DPU_H
#define NPUSCOPE_PARSERS_PROF_HOST_DPU_H

#include "parsers/prof/prof.h"

struct prof_dpu_task {
    uint64_t start, end; /* counters of the host */
    uint32_t thread, stream, task;
    uint32_t name; /* text, PROF_NONE: it is not known */
    uint16_t device;
    bool is_comm; /* of communication: */
    uint16_t npu, plane;
    uint32_t aicpu_task;
    uint32_t group;      /* text, PROF_NONE: it is not known */
    uint32_t group_text; /* digits of its hash */
    uint64_t notify, size_b, tag;
    double estimated; /* us */
    uint32_t local_rank, remote_rank, ranks, stage;
    uint8_t op_type, data_type, link, transport, rdma, role, mode;
};
struct prof_dpu {
    struct prof_dpu_task *v; /* those of communication first; both in order of the file */
    size_t n, cap;
};
/* prof_dpu_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_dpu_read(struct prof_dpu *d, struct prof *p, struct err *e);
void prof_dpu_done(struct prof_dpu *d);

#endif
