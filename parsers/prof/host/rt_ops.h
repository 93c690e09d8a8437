/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: ops of captured graphs, which the runtime describes itself (capture_op_info;
 * doc/formats/prof.md#additional-records), because no calls describe their tasks.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_RT_OPS_H
#define NPUSCOPE_PARSERS_PROF_HOST_RT_OPS_H

#include "parsers/prof/host/call_records.h"

struct prof_rt_op {
    uint32_t device, stream, task, model;
    struct prof_op op;
};
struct prof_rt_ops {
    struct prof_rt_op *v; /* by (device, stream, task), then as read */
    size_t n, cap;
};

/*
 * Records of both forms; their tensors go to s. prof_rt_ops_free() is allowed after a failure. Errors: as
 * prof_host_read().
 */
NODISCARD int prof_rt_ops_read(struct prof_rt_ops *x, struct prof *p, struct prof_call_records *s,
                               struct err *e);
void prof_rt_ops_free(struct prof_rt_ops *x);
/* The last op recorded for a task; NULL: none. */
const struct prof_op *prof_rt_ops_find(const struct prof_rt_ops *x, const struct prof_host_task *t,
                                       uint32_t *model);

#endif
