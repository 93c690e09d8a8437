/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the AI cores. */
#include "config.h"

#include "demo/demo_pmu.h"

#include <string.h>

enum { SALT_PMU = 40, SALT_FREQ = 60 };

struct demo_span demo_pmu_dip(const struct demo_walk *w)
{
    const struct demo_step *s = &w->step;
    struct demo_span dip = { s->fp_ns + 4000000, 2500000 };
    uint64_t h = demo_hash(w->run, SALT_FREQ, (uint64_t)w->rank, s->index, 0);
    if (h % 5 || dip.start_ns + dip.dur_ns >= s->end_ns)
        return (struct demo_span){ 0, 0 };
    return dip;
}

static uint32_t mhz_at(const struct demo_walk *w, int64_t ns)
{
    struct demo_span dip = demo_pmu_dip(w);
    return ns >= dip.start_ns && ns < dip.start_ns + dip.dur_ns ? DEMO_SLOW_MHZ : DEMO_AIC_MHZ;
}

static uint64_t rounds(const struct demo_pmu_core *c)
{
    return (c->blocks + c->cores - 1) / c->cores;
}

/* Busy cycles of a pipe with this average busy share (permille). */
static uint64_t busy(uint64_t cycles, int share, uint64_t h)
{
    int64_t permille = share ? share * demo_pick(h, 940, 1060) / 1000 : 0;
    return cycles * (uint64_t)(permille > 999 ? 999 : permille) / 1000;
}

/* Operations that a kernel does, where they are counted. */
struct work {
    bool counted;
    uint64_t cube, vec;
};
/* Places in DEMO_ARITHMETIC_EVENTS, and operations at each count (doc/formats/msprof.md#ai-core-metrics). */
enum { CUBE_FP16 = 0, CUBE_INT8, VEC_FP32, VEC_FP16, VEC_FP16_NARROW, VEC_INT32, VEC_MISC };
#define CUBE_OPS 8192
#define VEC_OPS  64

/* A core does not count more often than it has cycles. */
static uint64_t counts(uint64_t ops, uint64_t of, uint64_t cycles)
{
    return ops / of < cycles ? ops / of : cycles;
}

static void count_work(struct demo_pmu_core *c, const struct work *w)
{
    memset(c->event, 0, sizeof c->event);
    c->event[CUBE_FP16] = counts(w->cube, CUBE_OPS, c->cycles);
    c->event[VEC_FP32] = counts(w->vec, VEC_OPS, c->cycles);
}

static void count(struct demo_pmu_core *c, const int share[DEMO_PMU_EVENTS - 2], const struct work *work,
                  int64_t core_ns, uint32_t mhz, uint64_t h)
{
    c->cycles = (uint64_t)core_ns * mhz * c->blocks / (1000 * rounds(c)) + 1;
    for (unsigned i = 0; i < DEMO_PMU_EVENTS - 2; i++)
        c->event[i] = busy(c->cycles, share[i], h >> (i * 4));
    c->event[6] = c->cycles / 40 + 1;
    c->event[7] = c->event[6] * (uint64_t)demo_pick(h >> 5, 2, 40) / 1000;
    if (work->counted)
        count_work(c, work);
}

struct demo_pmu_core demo_pmu_block(const struct demo_pmu *p, uint32_t b)
{
    struct demo_pmu_core c = p->block;
    uint64_t percent = 96 + b % 5;
    c.cycles = c.cycles * percent / 100;
    for (int i = 0; i < DEMO_PMU_EVENTS; i++)
        c.event[i] = c.event[i] * percent / 100;
    return c;
}

/* The vector part of a mix kernel: one block's counters, and their sum. */
static void count_blocks(struct demo_pmu *p, const int *share, const struct work *work, int64_t core_ns,
                         uint64_t h)
{
    const struct work part = { work->counted, 0, work->vec / p->aiv.blocks };
    p->block = (struct demo_pmu_core){ .blocks = 1, .cores = DEMO_AIV_CORES };
    count(&p->block, share, &part, core_ns / (int64_t)rounds(&p->aiv), p->mhz, h);
    for (uint32_t b = 0; b < p->aiv.blocks; b++) {
        struct demo_pmu_core c = demo_pmu_block(p, b);
        p->aiv.cycles += c.cycles;
        for (int i = 0; i < DEMO_PMU_EVENTS; i++)
            p->aiv.event[i] += c.event[i];
    }
}

void demo_pmu_of(struct demo_pmu *p, const struct demo_walk *w, const struct demo_kernel *k)
{
    const struct demo_op *op = &w->run->net->op[k->op];
    const struct demo_type *t = demo_op_type(op);
    uint64_t h = demo_hash(w->run, SALT_PMU, (uint64_t)w->rank, w->step.index, k->op);
    int64_t core_ns = k->dur_ns * demo_pick(h, 880, 960) / 1000;
    const int cube[] = { t->mac * 3 / 4, t->mac / 4, t->scalar, t->mte1, t->mte2, t->mte3 },
              vector[] = { t->vec, t->mac, t->scalar, t->mte1, t->mte2, t->mte3 };
    const bool counted = w->run->o.metrics == DEMO_ARITHMETIC;
    const struct work cubes = { counted, op->cube, 0 }, vectors = { counted, 0, op->vec };
    memset(p, 0, sizeof *p);
    if (demo_has_one_core(w->run->o.chip)) {
        p->mhz = DEMO_910A_MHZ;
        p->aic = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_910A_CORES };
        count(&p->aic, vector, &vectors, core_ns, p->mhz, h);
        return;
    }
    p->mhz = mhz_at(w, k->start_ns + k->dur_ns);
    p->aic = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_AIC_CORES };
    p->aiv = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_AIV_CORES };
    if (t->core == DEMO_AIC || t->core == DEMO_MIX)
        count(&p->aic, cube, &cubes, core_ns, p->mhz, h);
    if (t->core == DEMO_AIV)
        count(&p->aiv, vector, &vectors, core_ns, p->mhz, h >> 2);
    if (t->core == DEMO_MIX) {
        p->aiv.blocks = op->blocks * 2;
        count_blocks(p, vector, &vectors, core_ns, h >> 2);
    }
}

/* ---- metrics as msprof computes them ---- */

double demo_pmu_us(const struct demo_pmu *p, const struct demo_pmu_core *c)
{
    double hz = (double)p->mhz * 1e6;
    if (!c->cycles || !c->blocks)
        return 0;
    return (double)c->cycles * 1000 * 1000.0 / hz / c->blocks * (double)rounds(c);
}

void demo_pmu_cells(const struct demo_pmu *p, const struct demo_pmu_core *c, bool cube, double *cell)
{
    static const int aic_pipe[] = { 0, 2, 3, 4, 5 }, aiv_pipe[] = { 0, 2, 4, 5 };
    const int *pipe = cube ? aic_pipe : aiv_pipe;
    size_t n = cube ? ARRAY_LEN(aic_pipe) : ARRAY_LEN(aiv_pipe);
    double us = demo_pmu_us(p, c), cycles = (double)c->cycles;
    for (size_t i = 0; i < n; i++) {
        double ratio = c->cycles ? (double)c->event[pipe[i]] / cycles : 0;
        if (cube && i == 0 && c->cycles)
            ratio += (double)c->event[1] / cycles;
        cell[2 * i] = ratio * us;
        cell[2 * i + 1] = ratio;
    }
    cell[2 * n] = c->cycles ? (double)c->event[7] / cycles / ((double)c->event[6] / cycles) : 0;
}

void demo_pmu_ops_cells(const struct demo_pmu_core *c, bool cube, double *cell)
{
    const uint64_t *v = c->event;
    double cycles = c->cycles ? (double)c->cycles : 1; /* idle: all counts are 0 */

    if (cube) {
        cell[0] = (double)v[CUBE_FP16] / cycles;
        cell[1] = (double)v[CUBE_INT8] / cycles;
        cell[2] = (double)(v[CUBE_FP16] * CUBE_OPS);
        return;
    }
    cell[0] = (double)v[VEC_FP32] / cycles;
    cell[1] = (double)(v[VEC_FP16] + v[VEC_FP16_NARROW]) / cycles;
    cell[2] = (double)v[VEC_INT32] / cycles;
    cell[3] = (double)v[VEC_MISC] / cycles;
    cell[4] = (double)(v[VEC_FP32] * VEC_OPS);
}
