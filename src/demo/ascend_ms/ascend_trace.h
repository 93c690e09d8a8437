/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the timelines of MindSpore 2.x and torch_npu: msprof's layers are in ascend_trace.c, those that
 * the framework's analysis adds in ascend_trace_fw.c, torch_npu's in ascend_pt/pt_trace.c.
 */
#ifndef NPUSCOPE_DEMO_ASCEND_MS_ASCEND_TRACE_H
#define NPUSCOPE_DEMO_ASCEND_MS_ASCEND_TRACE_H

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/framework/fw.h"

enum { SORT_CANN = 7, SORT_HW = 14, SORT_FREQ = 15, SORT_COMM = 16, SORT_MEM = 17, SORT_OVERLAP = 31 };
enum { PID_FRAMEWORK = 1, PID_CPU = 2, PID_SCOPE = 3, HOST_DEVICE = 31, TID_STEP = 70001 };

struct trace {
    struct ascend *g;
    struct emit *o;
    bool view; /* trace_view.json: in Python's JSON form, with the framework's layers */
    uint64_t events;
    struct fw fw;       /* of trace_view.json */
    uint32_t thread[8]; /* of the framework */
    uint32_t n_threads, at_thread;
    struct fw_range flow; /* that waits for its end */
    int depths;           /* of the scope layer */
    uint32_t calls;       /* records of Python's calls so far, of torch_npu */
    bool counting;        /* its events go nowhere */
    struct err *e;
};

/* "pid" of a layer: process id, sort index and device packed as msprof does. */
static inline uint64_t trace_layer(const struct trace *t, int sort)
{
    int device = sort == SORT_CANN ? HOST_DEVICE : t->g->device;
    return (uint64_t)t->g->pid << 10 | (uint64_t)sort << 5 | (uint64_t)device;
}

/* One event: separated from the one before, then emit_fmt(). */
void trace_event(struct trace *t, const char *fmt, ...);
/* First thread of a group of ranks: that of its ops, followed by its planes. */
uint32_t trace_group_tid(const struct trace *t, enum demo_group_kind k);

/* Where the arrow of a launch ends. */
struct trace_target {
    uint64_t pid;
    uint32_t tid;
    int64_t at_ns;
};
struct trace_target trace_target_of(const struct trace *t, const struct fw_launch *l);

/* The framework's threads and the host's ops, before msprof's layers. Errors are in t->e. */
void trace_framework(struct trace *t);
/* After them: arrows within the framework and to the device, and the layer of scopes. */
void trace_links(struct trace *t);

#endif
