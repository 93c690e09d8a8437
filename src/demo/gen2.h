/* Private to the writers of generation 2 (`*_ascend_ms` folders): what they share about the rank
 * being written. */
#ifndef NPUSCOPE_DEMO_GEN2_H
#define NPUSCOPE_DEMO_GEN2_H

#include "demo/demo_run.h"
#include "vendor/vout.h"

#define GEN2_MODEL_ID      1
#define GEN2_AIC_MHZ       1850
#define GEN2_MEM_PERIOD_NS INT64_C(20000000) /* of the device memory samples */

struct gen2 {
    const struct demo_run *run;
    int rank, device;
    uint32_t pid;           /* of the training process */
    uint32_t tid, tid_data; /* its main thread and the one that feeds data */
    char stamp[16];         /* yyyymmddHHMMSS of the export */
    char top[1024];         /* the *_ascend_ms folder */
    char out[1024];         /* ASCEND_PROFILER_OUTPUT */
    char prof[1024];        /* PROF_* */
    char mso[1024];         /* its mindstudio_profiler_output */
    int64_t end_ns;         /* end of the last step's host range; known after gen2_kernels() */
    struct demo_walk walk;
    struct vout_count count;
    struct demo_rank_sum *sum;
};

static inline int64_t gen2_abs(const struct gen2 *g, int64_t ns)
{
    return g->run->origin_ns + ns;
}

/* Id of the notify that a task of communication is about. */
static inline uint32_t gen2_notify(const struct demo_comm *c, uint32_t plane,
                                   const struct demo_comm_task *k)
{
    return 1048576 + plane * 8 + (k->task - c->task);
}

/* "name_STAMP.ext" into buf. */
char *gen2_name(const struct gen2 *g, const char *name, const char *ext, char *buf, size_t n);
const char *gen2_core(enum demo_core c);

/* Each writes its files; in this order. */
NODISCARD int gen2_kernels(
    struct gen2 *g,
    struct err *e); /* kernel_details, op_summary, task_time, l2_cache, aicpu, statistics */
NODISCARD int gen2_steps(struct gen2 *g, struct err *e); /* step_trace_time, step_trace */
NODISCARD int gen2_trace(struct gen2 *g, struct err *e); /* trace_view.json, msprof_*.json */
NODISCARD int gen2_comm(struct gen2 *g,
                        struct err *e); /* communication.json, communication_matrix.json */
NODISCARD int gen2_host(struct gen2 *g, struct err *e); /* api_statistic, operator_details */
NODISCARD int gen2_memory(struct gen2 *g, struct err *e);
NODISCARD int
gen2_info(struct gen2 *g,
          struct err *e); /* profiler_info, metadata, folders and info files of PROF_* */

/* Sample of the process's device memory: number k at time k * GEN2_MEM_PERIOD_NS. */
uint64_t gen2_app_kb(const struct gen2 *g, uint64_t k);
uint64_t gen2_device_kb(const struct gen2 *g, uint64_t k);
static inline uint64_t gen2_mem_samples(const struct gen2 *g)
{
    return (uint64_t)(g->end_ns / GEN2_MEM_PERIOD_NS) + 1;
}

#endif
