/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of analysed runs: what torch_npu's analysis writes in ASCEND_PROFILER_OUTPUT in
 * other forms than MindSpore's (doc/formats/framework.md#torch_npu-outputs). Each is made of what the run
 * did: the launches of its ops, the tasks that they put into the queue, the allocations in them.
 */
#ifndef NPUSCOPE_DEMO_ASCEND_PT_PT_H
#define NPUSCOPE_DEMO_ASCEND_PT_PT_H

#include "demo/ascend_ms/ascend_trace.h"

/* Of trace_view.json: the framework's layers before msprof's, arrows to the device. Errors are in t->e. */
void pt_trace_framework(struct trace *t);
void pt_trace_links(struct trace *t);

/* Each writes its files. */
NODISCARD int pt_details(struct ascend *g, struct err *e); /* operator_details */
NODISCARD int pt_steps(struct ascend *g,
                       struct err *e); /* step_trace_time; and sums of the steps in g->sum */
NODISCARD int pt_memory(struct ascend *g, struct err *e); /* operator_memory, memory_record */

#endif
