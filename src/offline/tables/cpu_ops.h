/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops of the host's CPUs of MindSpore (doc/formats/framework.md#cpu_op_execute_timestamp). Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_CPU_OPS_H
#define NPUSCOPE_OFFLINE_CPU_OPS_H

#include "offline/run.h"

struct offline_cpu_op {
    int64_t from, dur; /* ns, as upstream's clock has them (doc/formats/framework.md#other-clocks) */
    int64_t thread;
    uint32_t name; /* text of the framework */
};

/*
 * Reads them once; *out is borrowed from the run, in order of the file. ERR_NOMEM, ERR_CANCELLED, ERR_LIMIT.
 */
NODISCARD int offline_cpu_ops(struct offline_run *r, const struct offline_cpu_op **out, size_t *n,
                              struct err *e);
void offline_cpu_ops_done(struct offline_run *r);
/* Stamp of the file in ns of the wall clock to upstream's. */
int64_t offline_cpu_op_ns(int64_t ns);

#endif
