/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic profiles: `npuscope demo` writes one run in the file formats of MindSpore 1.x, 2.x or torch_npu,
 * analysed or raw.
 *
 * One model of a run (demo_run.h) is turned into files by one writer per generation. Everything is a pure
 * function of the options: the same options give the same bytes on every machine, in every locale, at any
 * time of day. Output is streamed: memory depends on the ops of one step, not on the number of steps.
 */
#ifndef NPUSCOPE_DEMO_H
#define NPUSCOPE_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* How a raw run was made, and by what version of MindSpore. */
enum demo_mode { DEMO_GRAPH, DEMO_PYNATIVE, DEMO_GPU, DEMO_CPU };
enum demo_era {
    DEMO_ERA_USUAL, /* r20, of generation 2 r27 */
    DEMO_ERA_R20,
    DEMO_ERA_R16,
    DEMO_ERA_R15,
    DEMO_ERA_R13,
    DEMO_ERA_R27, /* from here on generation 2 */
    DEMO_ERA_R26,
    DEMO_ERA_R25,
    DEMO_ERA_TORCH,
};
enum demo_chip { DEMO_910B, DEMO_910A, DEMO_310P, DEMO_310B, DEMO_950 };
enum demo_metrics { DEMO_PIPES, DEMO_ARITHMETIC };
/* What a raw run died of; rows of the table in demo_fault.c, names in --fault. */
enum demo_fault {
    DEMO_NO_FAULT,
    DEMO_FAULT_CLEAN,
    DEMO_FAULT_HANG,
    DEMO_FAULT_STRAGGLER,
    DEMO_FAULT_KILLED,
    DEMO_FAULT_HOST_OOM,
    DEMO_FAULT_DEVICE_OOM,
    DEMO_FAULT_AICORE,
    DEMO_FAULT_AICPU,
    DEMO_FAULT_HBM_ECC,
    DEMO_FAULT_LINK_DOWN,
    DEMO_FAULT_SOCKET_INIT,
    DEMO_FAULT_MISMATCH,
    DEMO_FAULT_MISMATCH_ARG,
    DEMO_FAULT_DATA_STALL,
    DEMO_FAULT_DISK_FULL,
    DEMO_FAULT_EXCEPTION,
    DEMO_FAULT_SEGV,
    DEMO_FAULT_SIGTERM,
    DEMO_FAULTS
};
/* Forms of the lines in logs of CANN. */
enum demo_cann { DEMO_CANN_USUAL, DEMO_CANN_7, DEMO_CANN_85 };
enum demo_model { DEMO_RESNET, DEMO_TRANSFORMER };

#define DEMO_RANKS_MAX 1024
#define DEMO_STEPS_MAX 10000000

/* Zero means the default: generation 2, 2 ranks, 10 steps, ResNet, seed 0. */
struct demo_opts {
    int gen; /* 1: MindSpore r2.0 flat files, 2: *_ascend_ms folders of MindSpore 2.7, or *_ascend_pt */
    int ranks;
    int steps;   /* profiled steps per rank */
    int servers; /* hosts with equally many ranks; 0: 8 ranks to a host */
    enum demo_model model;
    /*
     * Wanted timeline events per rank (about), 0: as many as the network and the steps give. Scales the
     * steps, or the depth of the network when steps is given, too
     */
    uint64_t size;
    uint64_t seed;
    bool raw;          /* not analysed; gen 0 means 1 then */
    enum demo_era era; /* of analysed files usual or torch */
    /* of raw data: */
    enum demo_mode mode; /* mode and lose_slice: only generation 1 */
    enum demo_chip chip; /* only generation 2 */
    /* What the AI cores count, of generation 2: busy pipes, or operations (only on 910B). */
    enum demo_metrics metrics;
    int crash_step;    /* the run dies in this step, from 1; 0: it does not */
    int crash_percent; /* or when this percentage of its steps is done */
    int crash_part;    /* how far into that step, in thousandths; 0: its middle */
    int lose_slice;    /* this slice of HWTS is missing; 0: none (the first one cannot be missing) */
    /* of a raw run that leaves logs: */
    enum demo_fault fault;
    int fault_rank;          /* that is to blame, from 1; 0: drawn by the seed */
    enum demo_cann cann;     /* usual: 8.5, of generation 1 7 */
    int skew_ms;             /* clocks of hosts differ by up to this */
    int zone_min;            /* what the hosts call local time, east of UTC */
    const char *truth;       /* file that says what happened; NULL: none */
    bool force;              /* write into an existing directory that is not empty */
    bool (*cancelled)(void); /* asked before each step; NULL: never */
};

#define DEMO_TYPES_MAX 64

/* Totals of one op type over all recorded steps of one rank. */
struct demo_type_sum {
    const char *type; /* static text */
    uint64_t kernels;
    int64_t total_ns;
};

/*
 * Totals of one rank, for tests of what is read from its files. Device times in ns. Raw runs have only
 * kernels, comms and aicpu, in graph mode.
 */
struct demo_rank_sum {
    uint64_t kernels;     /* rows of op_summary except communication; gen 1: AI Core executions */
    uint64_t comms;       /* communication ops */
    uint64_t aicpu;       /* AI CPU tasks (gen 2: also counted in kernels) */
    uint64_t events;      /* objects in trace_view.json (gen 1: ascend_timeline_display), metadata included */
    uint64_t host_calls;  /* slices of the CANN layer (gen 2) */
    int64_t kernel_ns;    /* sum of durations of kernels */
    int64_t comm_ns;      /* sum of durations of communication ops */
    int64_t computing_ns; /* occupied by kernels, overlaps counted once */
    int64_t comm_alone_ns; /* occupied by communication while no kernel runs */
    int64_t steps_ns;      /* sum of step lengths */
    uint32_t ntypes;
    struct demo_type_sum type[DEMO_TYPES_MAX];
};

struct demo_summary {
    int gen, ranks, steps;
    uint32_t ops; /* ops of the network, communication included */
    uint64_t files, bytes;
    char run_dir[64]; /* name below dir that holds rank 0: "<worker>_<pid>_<time>_ascend_ms", or
                         "profiler" */
    struct demo_rank_sum rank0, last_rank;
};

/*
 * Write a profile below dir (created if missing, with its parents). sum may be NULL.
 *
 * Errors: ERR_USAGE for options out of range or a directory in use; ERR_IO, ERR_FULL, ERR_NOMEM; with the
 * file concerned; ERR_CANCELLED. Files written before an error stay.
 */
NODISCARD int demo_write(const struct demo_opts *o, const char *dir, struct demo_summary *sum, struct err *e);

#endif
