/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of MindSpore 2.x and torch_npu (`*_ascend_ms`, `*_ascend_pt` folders): data about
 * the rank being written that they share. torch_npu's own files: ascend_pt/pt.h.
 */
#ifndef NPUSCOPE_DEMO_ASCEND_MS_ASCEND_MS_H
#define NPUSCOPE_DEMO_ASCEND_MS_ASCEND_MS_H

#include "demo/demo_pmu.h"
#include "demo/demo_write.h"
#include "msprof/clock.h"

#define ASCEND_MODEL_ID      1
#define ASCEND_MODEL_NAME    "kernel_graph_1"
#define ASCEND_MEM_PERIOD_NS INT64_C(20000000) /* of the device memory samples */

/*
 * Clocks at time 0 of the run: the host's monotonic clock and counter, and those of a device. Both counters
 * run at 100 MHz: all times of the model are multiples of 10 ns.
 */
#define ASCEND_MHZ            100
#define ASCEND_TICK_NS        10
#define ASCEND_MONOTONIC_NS   INT64_C(3612997654000)
#define ASCEND_HOST_COUNTER   INT64_C(361299881512)
#define ASCEND_DEVICE_NS      INT64_C(1234567890123)
#define ASCEND_DEVICE_COUNTER INT64_C(5003111120)

struct ascend {
    const struct demo_run *run;
    int rank, device;
    uint32_t pid; /* of the training process */
    uint32_t tid; /* thread that calls CANN: of MindSpore the main one, of torch_npu the queue's */
    uint32_t tid_main, tid_data; /* the main thread, and the one that feeds data */
    uint32_t tid_run, tid_back;  /* the thread that runs the graph; the backward pass' of torch_npu */
    char stamp[16];              /* yyyymmddHHMMSS of the export */
    char top[1024];              /* the *_ascend_ms or *_ascend_pt folder */
    char out[1024];              /* ASCEND_PROFILER_OUTPUT */
    char prof[1024];             /* PROF_* */
    char mso[1024];              /* its mindstudio_profiler_output */
    int64_t end_ns;              /* end of the last step's host range; known after ascend_kernels() */
    struct demo_walk walk;
    struct emit_count count;
    struct demo_rank_sum *sum;
};

/* Of a rank's training process. */
static inline uint32_t ascend_pid(const struct demo_run *run, int rank)
{
    return (uint32_t)(20012 + rank % run->node_ranks * 61);
}

/* Ends of lines in tables of msprof's that ASCEND_PROFILER_OUTPUT has: torch_npu writes them anew. */
static inline const char *ascend_line_end(const struct ascend *g)
{
    return demo_is_torch(g->run) ? "\r\n" : "\n";
}

/* 27: MindSpore 2.7. */
static inline int ascend_version(const struct demo_run *run)
{
    return run->o.era == DEMO_ERA_R25 ? 25 : run->o.era == DEMO_ERA_R26 ? 26 : 27;
}

static inline int64_t ascend_abs(const struct ascend *g, int64_t ns)
{
    return g->run->origin_ns + ns;
}

static inline uint64_t ascend_host_count(int64_t ns)
{
    return (uint64_t)(ASCEND_HOST_COUNTER + ns / ASCEND_TICK_NS);
}
static inline uint64_t ascend_device_count(const struct ascend *g, int64_t ns)
{
    return (uint64_t)(ASCEND_DEVICE_COUNTER + g->device * 777777 + ns / ASCEND_TICK_NS);
}
/*
 * Python's clock of the device's folder, and of the host's: they were read at the same time
 * (doc/formats/prof.md#clocks).
 */
struct msprof_clock ascend_clock(const struct ascend *g);

/* Id of the notify of a communication task. */
static inline uint32_t ascend_notify(const struct demo_comm *c, uint32_t plane,
                                     const struct demo_comm_task *k)
{
    return 1048576 + plane * 8 + (k->task - c->task);
}

/* "name_STAMP.ext" into buf. */
char *ascend_name(const struct ascend *g, const char *name, const char *ext, char *buf, size_t n);
const char *ascend_core(enum demo_core c);

/* Each writes its files; to be called in this order. */
NODISCARD int ascend_kernels(struct ascend *g,
                             struct err *e); /* kernel_details, op_summary, l2_cache, aicpu, statistics */
NODISCARD int ascend_tasks(struct ascend *g, struct err *e);      /* task_time */
NODISCARD int ascend_iterations(struct ascend *g, struct err *e); /* step_trace */
NODISCARD int ascend_trace(struct ascend *g, struct err *e);      /* trace_view.json, msprof_*.json */
NODISCARD int ascend_comm(struct ascend *g,
                          struct err *e); /* communication.json, communication_matrix.json */
NODISCARD int ascend_host(struct ascend *g, struct err *e); /* api_statistic */
NODISCARD int ascend_memory(struct ascend *g,
                            struct err *e); /* npu_module_mem, npu_mem; msprof's tables of GE's memory */
NODISCARD int ascend_info(struct ascend *g,
                          struct err *e); /* profiler_info, metadata, folders and info files of PROF_* */

/* Those of MindSpore alone. */
NODISCARD int ascend_fusion(struct ascend *g, struct err *e); /* fusion_op of msprof */
NODISCARD int ascend_steps(struct ascend *g,
                           struct err *e); /* step_trace_time; and sums of the steps in g->sum */
NODISCARD int ascend_details(struct ascend *g, struct err *e); /* operator_details */
NODISCARD int ascend_pools(struct ascend *g, struct err *e);   /* operator_memory, memory_record */
NODISCARD int ascend_data(struct ascend *g,
                          struct err *e); /* dataset, minddata_pipeline_*, what they are of */

/* Files that a run has before its analysis, too. */
NODISCARD int ascend_profiler_info(struct ascend *g, struct err *e);
NODISCARD int ascend_metadata(struct ascend *g, struct err *e);
/* Info files of host/ or device_N/ of PROF_*: "info.json" and others; end: end_info, too. */
NODISCARD int ascend_info_files(struct ascend *g, bool host, bool end, struct err *e);
/* Names, ids and folders of a rank; nothing is created. ERR_USAGE: the path is too long. */
NODISCARD int ascend_init(struct ascend *g, const struct demo_run *run, int rank, const char *dir,
                          struct err *e);

/* "Conv2D_12345678_high_performance_1", the kernel of an op, into buf; returns it. */
char *ascend_kernel_name(const struct ascend *g, const struct demo_op *op, char buf[96]);
/* "NOTIFY_WAIT", the type of a communication task. */
const char *ascend_transfer_type(enum demo_transfer t);
/* The name that msprof gives a group of ranks. */
const char *ascend_group_name(enum demo_group_kind k);
/* The data type of a communication op: FP32, else FP16. */
static inline bool ascend_comm_is_float(const struct demo_comm_op *op)
{
    return op->bytes % 4096 != 0;
}
static inline uint64_t ascend_comm_elements(const struct demo_comm_op *op)
{
    return op->bytes / (ascend_comm_is_float(op) ? 4 : 2);
}

/* Of the framework's pool. */
#define ASCEND_STREAM_PTR UINT64_C(20623359279104)

/* GE's workspace, and the times in a step when it changes. */
#define ASCEND_GE_RESERVED_KB 1048576
#define ASCEND_GE_BASE_KB     262144
#define ASCEND_GE_WORK_KB     65536
static inline int64_t ascend_ge_alloc_ns(const struct demo_step *s)
{
    return s->fp_ns - 2100;
}
static inline int64_t ascend_ge_free_ns(const struct demo_step *s)
{
    return s->bp_ns + 310;
}
/* When GE has it, as msprof prints it: in Unix ns, and its duration in us, which is rounded by itself. */
struct ascend_work {
    int64_t from_ns, to_ns;
    double us;
};
struct ascend_work ascend_ge_work(const struct ascend *g, const struct demo_step *s);

/* An AI CPU task: counters of the device, and times that the AI CPU measured itself. */
struct ascend_aicpu {
    uint64_t submit, start, end, after;
    uint64_t start_us; /* since the device was started */
    uint32_t compute_us, copy_us, dispatch_us;
};
/* Victims of the L2 cache in a million requests of a kernel; the first kernel of a run has no counters. */
uint32_t ascend_l2_victims(const struct ascend *g, const struct demo_kernel *k);
struct ascend_aicpu ascend_aicpu_of(const struct ascend *g, const struct demo_kernel *k);

/* Memory of the driver's modules, by id; sample k of module m. */
#define ASCEND_MODULES 8
struct ascend_module {
    uint32_t id;
    const char *name;
    uint64_t kb, step_kb;
};
extern const struct ascend_module ascend_modules[ASCEND_MODULES];
struct ascend_sample {
    int64_t ns;
    uint64_t kb;
};
struct ascend_sample ascend_module_sample(const struct ascend *g, uint32_t m, uint64_t k);

/* Sample of the process's device memory: number k at time k * ASCEND_MEM_PERIOD_NS. */
uint64_t ascend_app_kb(const struct ascend *g, uint64_t k);
uint64_t ascend_device_kb(const struct ascend *g, uint64_t k);
static inline uint64_t ascend_mem_samples(const struct ascend *g)
{
    return (uint64_t)(g->end_ns / ASCEND_MEM_PERIOD_NS) + 1;
}

#endif
