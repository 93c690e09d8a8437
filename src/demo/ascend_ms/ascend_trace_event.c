/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the timelines, and the threads of groups of ranks. */
#include "config.h"

#include "demo/ascend_ms/ascend_trace.h"

void trace_event(struct trace *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (t->events++)
        emit_s(t->o, t->view ? ", " : ",");
    emit_vfmt(t->o, fmt, &ap);
    va_end(ap);
}

uint32_t trace_group_tid(const struct trace *t, enum demo_group_kind k)
{
    return k == DEMO_GROUP_DATA || !t->g->run->net->group_ops[DEMO_GROUP_DATA] ? 0 : DEMO_LINKS_MAX + 1;
}

struct trace_target trace_target_of(const struct trace *t, const struct fw_launch *l)
{
    const struct fw_linked x = fw_linked_of(t->g->run, l);
    if (x.is_comm)
        return (struct trace_target){ trace_layer(t, SORT_COMM),
                                      trace_group_tid(t, t->g->run->net->comm[l->comm->op].group),
                                      x.at.start_ns };
    return (struct trace_target){ trace_layer(t, SORT_HW), x.stream, x.at.start_ns };
}
