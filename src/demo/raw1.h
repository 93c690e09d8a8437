/*
 * Private to the writers of raw generation 1: what a MindSpore job leaves before
 * Profiler.analyse() (gen1-raw.md 3, 5, 6). Their times, tasks and counters are those of the
 * analysed files (gen1.h), so that an analysis of these gives those.
 */
#ifndef NPUSCOPE_DEMO_RAW1_H
#define NPUSCOPE_DEMO_RAW1_H

#include "demo/gen1.h"

/* What versions write differently. */
struct raw1_era {
    bool text;               /* JOB folders; Framework and AI CPU as text; AI Core kernels alone */
    bool training_trace;     /* step marks of 20 bytes */
    bool start_info;         /* start_info and end_info */
    unsigned char hash_flag; /* of a name in a Framework record: what says "a hash" */
    unsigned char added;     /* to the numbers of tensor formats and types */
    const char *hwts;        /* name of its slices */
};

/* Where the run of one rank ends when it crashes. */
struct raw1_cut {
    bool on;
    uint32_t step; /* 0-based, the last one */
    int64_t at_ns; /* nothing is recorded later */
    uint32_t comm; /* the first communication op that never ends */
    bool hangs;    /* in its transfers, else it waits for the rank that does */
    uint32_t op;   /* the first op that never starts: it waits for that */
};

struct raw1 {
    struct gen1 *g;
    const struct raw1_era *era;
    struct raw1_cut cut;
    bool fetches_only; /* of what the device records: PyNative mode uses no more */
    char dir[1024];    /* of the device */
    char data[1024];   /* of its slices */
};

/* ---- slices ---- */

#define RAW1_MONOTONIC_NS INT64_C(9000000012345) /* the host's clock at time 0 */
#define RAW1_PID          4012

#define RAW1_SLICE_B  ((size_t)2 << 20)
#define RAW1_TORN_MAX 80

/* A stream of records, cut into slices. */
struct raw1_slices {
    struct raw1 *r;
    struct vout *o;
    const char *stem; /* static: "hwts.data" */
    uint32_t k;       /* number of the current slice */
    uint32_t lose;    /* slice that is not written; 0: none */
    size_t room_b;    /* left in it */
    int rc;
    unsigned char last[RAW1_TORN_MAX]; /* how the newest record begins */
};

/* Nothing is made before the first record. lose may be set then. */
void raw1_open(struct raw1_slices *s, struct raw1 *r, const char *stem);
/* Append one record, which no border cuts. Errors stay: raw1_close() tells of them. */
void raw1_put(struct raw1_slices *s, const void *p, size_t n, struct err *e);
/* The same of text, which borders cut anywhere. */
void raw1_puts(struct raw1_slices *s, const char *p, size_t n, struct err *e);
/* The last slice ends. A run that died did so while the first torn_b (up to RAW1_TORN_MAX) bytes of another record were written. Always frees. */
NODISCARD int raw1_close(struct raw1_slices *s, size_t torn_b, struct err *e);

static inline void raw1_u16(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}
static inline void raw1_u32(unsigned char *p, uint32_t v)
{
    raw1_u16(p, v);
    raw1_u16(p + 2, v >> 16);
}
static inline void raw1_u64(unsigned char *p, uint64_t v)
{
    raw1_u32(p, (uint32_t)v);
    raw1_u32(p + 4, (uint32_t)(v >> 32));
}

/* Where and when this rank ends if options want a crash. */
void raw1_cut_find(struct raw1 *r);

/* ---- one writer per family ---- */

NODISCARD int raw1_framework(struct raw1 *r, struct err *e); /* Framework.* */
NODISCARD int raw1_tasks(struct raw1 *r,
                         struct err *e); /* hwts, ts_track, aicore, AICPU, AICPUMI */
NODISCARD int raw1_memory(struct raw1 *r, struct err *e); /* memory_usage_N.pb */
NODISCARD int raw1_gpu(struct raw1 *r, struct err *e);    /* all of a run on GPUs */
NODISCARD int raw1_cpu(struct raw1 *r, struct err *e);    /* all of one on the CPU */
NODISCARD int raw1_pynative(struct raw1 *r,
                            struct err *e);             /* of PyNative mode, but the side files */
NODISCARD int raw1_hccl(struct raw1 *r, struct err *e); /* hccl_info */

#endif
