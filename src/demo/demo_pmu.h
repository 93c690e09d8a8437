/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of the AI cores while a kernel ran, group PipeUtilization or ArithmeticUtilization, and their
 * frequency: in raw data as they are, and the source of msprof's tables (doc/formats/prof.md#ffts_profile,
 * doc/formats/msprof.md#ai-core-metrics).
 */
#ifndef NPUSCOPE_DEMO_PMU_H
#define NPUSCOPE_DEMO_PMU_H

#include "demo/demo_run.h"

#define DEMO_AIC_MHZ    1850
#define DEMO_SLOW_MHZ   1650 /* in a dip */
#define DEMO_AIC_CORES  24
#define DEMO_AIV_CORES  48
#define DEMO_910A_MHZ   1000
#define DEMO_910A_CORES 32
#define DEMO_PMU_EVENTS 8

/*
 * Events of the cores, in the order of the counters (910A has those of the second kind on all its cores):
 * 0x416 0x417 (cube), 0x9 (scalar), 0x302 (mte1), 0xc (mte2), 0x303 (fixpipe), 0x54 0x55 (instruction cache:
 * requests, misses); 0x8 (vector), 0xa, 0x9, 0xb, 0xc, 0xd (mte3), 0x54, 0x55.
 */
#define DEMO_AIC_EVENTS "0x416,0x417,0x9,0x302,0xc,0x303,0x54,0x55"
#define DEMO_AIV_EVENTS "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55"
/* Operations: cube of fp16 and int8; vector of fp32, fp16 in two widths, int32, others. */
#define DEMO_ARITHMETIC_EVENTS "0x49,0x4a,0x4b,0x4c,0x4d,0x4e,0x4f"
/* The same for 950, whose events have other numbers. */
#define DEMO_950_AIC_EVENTS "0x301,0x323,0x1,0x701,0x202,0x203,0x34,0x35"
#define DEMO_950_AIV_EVENTS "0x501,0x301,0x1,0x701,0x202,0x203,0x34,0x35"

/* Chips with one kind of core for all kernels. */
static inline bool demo_has_one_core(enum demo_chip c)
{
    return c == DEMO_910A || c == DEMO_310P || c == DEMO_310B;
}

struct demo_pmu_core {
    uint64_t cycles; /* of all blocks together; 0: the cores were idle */
    uint64_t event[DEMO_PMU_EVENTS];
    uint32_t blocks, cores;
};
struct demo_pmu {
    struct demo_pmu_core aic, aiv;
    uint32_t mhz; /* at the end of the kernel */
    /* of a mix kernel: its vector part is the sum of aiv.blocks blocks */
    struct demo_pmu_core block;
};

/* Of a kernel in the walk's step that is not an AI CPU task. */
void demo_pmu_of(struct demo_pmu *p, const struct demo_walk *w, const struct demo_kernel *k);
/* The counters of vector block b of a mix kernel. */
struct demo_pmu_core demo_pmu_block(const struct demo_pmu *p, uint32_t b);

/*
 * Metrics as in msprof: time of the cores in us; for each pipe its time and share of the cycles, then the
 * misses of the instruction cache. Of ArithmeticUtilization shares of the cycles, then the operations.
 */
#define DEMO_AIC_CELLS 11
#define DEMO_AIV_CELLS 9
double demo_pmu_us(const struct demo_pmu *p, const struct demo_pmu_core *c);
#define DEMO_CUBE_OPS_CELLS   3
#define DEMO_VECTOR_OPS_CELLS 5
void demo_pmu_cells(const struct demo_pmu *p, const struct demo_pmu_core *c, bool cube, double *cell);
void demo_pmu_ops_cells(const struct demo_pmu_core *c, bool cube, double *cell);

/* The cores run at full speed except for a dip in some steps; start_ns 0: none in this step. */
struct demo_span demo_pmu_dip(const struct demo_walk *w);

#endif
