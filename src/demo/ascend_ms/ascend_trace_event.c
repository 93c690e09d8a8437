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
