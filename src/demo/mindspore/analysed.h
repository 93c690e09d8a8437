/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of MindSpore 1.x: flat files `<name>_<rank>` in profiler/, as MindSpore 2.0.0a0
 * leaves them (doc/formats/mindspore1.md#runtime-files to #data-pipeline), and host_info/ of the releases
 * after it (doc/formats/analysed.md#host_info).
 *
 * Device times are ticks of 10 ns of a counter that every device starts at its own value; the text files show
 * them as ms or us.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_ANALYSED_H
#define NPUSCOPE_DEMO_MINDSPORE_ANALYSED_H

#include "demo/demo_run.h"
#include "demo/mindspore/graph.h"
#include "emit/emit.h"
#include "parsers/mindspore/aicore_flops.h"

#define ANALYSED_PEAK (1000.0 * 1e6 * 32 * 4096 * 2) /* FLOPS: 1000 MHz, 32 cores */

struct analysed {
    const struct demo_run *run;
    int rank;
    int device; /* the rank's number: raw folders are distinguished by it */
    char dir[1024];
    struct analysed_graph graph;
    struct demo_walk walk;
    struct emit_count count;
    struct demo_rank_sum *sum;
    /* by op, over all steps: filled by analysed_ops() */
    double *total_ms;
    uint64_t *calls;
    uint32_t *order; /* ops that ran on the AI Core, by first start */
    uint32_t norder;
    double sum_avg_ms;
    double aicpu_ms;
    int64_t first_ns; /* start of the first task */
    int64_t end_ns;   /* of the last step's host range */
};

static inline int64_t analysed_ticks(const struct analysed *g, int64_t ns)
{
    return INT64_C(45001000000) + (int64_t)g->rank * 7310000 + ns / 10;
}
/* The counter in ms, as read from the text files. */
static inline double analysed_ms(const struct analysed *g, int64_t ns)
{
    return (double)analysed_ticks(g, ns) / 1e5;
}
static inline double analysed_avg_ms(const struct analysed *g, uint32_t op)
{
    return g->total_ms[op] / (double)g->calls[op];
}
static inline bool analysed_on_core(const struct analysed *g, uint32_t op)
{
    return demo_op_type(&g->run->net->op[op])->core != DEMO_AICPU;
}

/*
 * Counters of the AI Core for an op (doc/formats/mindspore1.md#aicore), and the FLOPs that follow from them.
 */
void analysed_counters(const struct demo_op *op, uint64_t p[AICORE_COUNTERS]);
uint64_t analysed_flop_count(const struct demo_op *op);

/* One task of a plane in a communication op. */
struct analysed_transfer {
    int plane;        /* thread in the trace; the highest is the main one */
    const char *task; /* type of the task */
    int peer;         /* rank at the other end */
    bool rdma, has_size;
    uint64_t size_b;
    int64_t start_ns, dur_ns;
};
#define ANALYSED_TRANSFERS_MAX (DEMO_LINKS_MAX * 9)
uint32_t analysed_transfers(const struct demo_comm *c, struct analysed_transfer v[ANALYSED_TRANSFERS_MAX]);

/*
 * Memory of the device; bytes of a tensor as allocated; number of an op's outputs that are allocated for it.
 */
#define ANALYSED_CAPACITY_GB 30
uint64_t analysed_mem_bytes(const struct demo_tensor *t);
int analysed_mem_outputs(const struct demo_op *op);

/* One AI CPU task: ticks of the device, and us of the same clock. */
struct analysed_aicpu {
    int64_t start, end, start_us, end_us, dispatch_us, total_us;
};
struct analysed_aicpu analysed_aicpu_of(const struct analysed *g, const struct demo_kernel *k);

/* Create dir/<before><rank><after>. */
NODISCARD int analysed_open(struct analysed *g, struct emit **o, const char *before, const char *after,
                            struct err *e);
/* "stream_5_<i>_" and the op's full name: the name of a communication op in the step trace. */
void analysed_put_reduce(struct emit *o, const struct demo_net *n, uint32_t comm);
/* {"format": "NC1HWC0", "data_type": "FLOAT16", "shape": [..]}; quote is "\"" or, inside a CSV
 * cell, "\"\"". */
void analysed_put_tensor(struct emit *o, const struct demo_tensor *t, const char *quote);

NODISCARD int
analysed_ops(struct analysed *g,
             struct err *e); /* framework_raw, output_*, aicore_intermediate_*, aicpu_intermediate */
NODISCARD int analysed_steps(struct analysed *g, struct err *e); /* step_trace_raw, step_trace_point_info */
NODISCARD int analysed_hccl(struct analysed *g, struct err *e);  /* hccl_raw */
NODISCARD int analysed_flops(struct analysed *g,
                             struct err *e); /* flops_*, flops_summary, flops_scope, flops_utilization_step */
NODISCARD int
analysed_timeline(struct analysed *g,
                  struct err *e); /* ascend_timeline_display, its summary, ascend_cluster_analyse */
NODISCARD int analysed_memory(struct analysed *g, struct err *e);   /* memory_usage_* */
NODISCARD int analysed_data(struct analysed *g, struct err *e);     /* minddata files */
NODISCARD int analysed_data_raw(struct analysed *g, struct err *e); /* those that the run itself writes */
NODISCARD int analysed_host(struct analysed *g, struct err *e);     /* profiler_info, host_info/ */

#endif
