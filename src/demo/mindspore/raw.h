/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of raw data of MindSpore 1.x: the files that a job leaves before Profiler.analyse()
 * (doc/formats/mindspore1.md#folders, #raw-files, #runtime-files). Their times, tasks and counters are those
 * of the analysed files (demo/mindspore/analysed.h), so that their analysis gives these files.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_RAW_H
#define NPUSCOPE_DEMO_MINDSPORE_RAW_H

#include "demo/demo_cut.h"
#include "demo/demo_slices.h"
#include "demo/mindspore/analysed.h"

/* Differences between versions. */
struct raw_era {
    bool text;               /* JOB folders; Framework and AI CPU as text; AI Core kernels alone */
    bool training_trace;     /* step marks of 20 bytes */
    bool start_info;         /* start_info and end_info */
    unsigned char hash_flag; /* of a name in a Framework record: marks it as a hash */
    unsigned char added;     /* added to the numbers of tensor formats and types */
    const char *hwts;        /* name of its slices */
};

struct raw {
    struct analysed *g;
    const struct raw_era *era;
    struct demo_cut cut;
    bool fetches_only; /* the only device records: PyNative mode needs no others */
    char dir[1024];    /* of the device */
    char data[1024];   /* of its slices */
};

/* ---- slices ---- */

#define RAW_MONOTONIC_NS INT64_C(9000000012345) /* the host's clock at time 0 */
#define RAW_PID          4012

/* The task in which a communication op waits for the other ranks, on each plane. */
static inline uint32_t raw_wait_task(uint32_t comm)
{
    return 1 + comm * 3;
}

/* Slices of the device: demo_slices_open() with its number after the stem ("hwts.data"). */
void raw_open(struct demo_slices *s, struct raw *r, const char *stem);

/* ---- one writer per family ---- */

NODISCARD int raw_framework(struct raw *r, struct err *e); /* Framework.* */
NODISCARD int raw_tasks(struct raw *r, struct err *e);     /* hwts, ts_track, aicore, AICPU, AICPUMI */
NODISCARD int raw_memory(struct raw *r, struct err *e);    /* memory_usage_N.pb */
NODISCARD int raw_gpu(struct raw *r, struct err *e);       /* all files of a run on GPUs */
NODISCARD int raw_cpu(struct raw *r, struct err *e);       /* all files of a run on the CPU */
NODISCARD int raw_pynative(struct raw *r, struct err *e);  /* files of PyNative mode, except the side files */
NODISCARD int raw_hccl(struct raw *r, struct err *e);      /* hccl_info */

#endif
