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

static void count(struct demo_pmu_core *c, const int share[DEMO_PMU_EVENTS - 2], int64_t core_ns,
                  uint32_t mhz, uint64_t h)
{
    c->cycles = (uint64_t)core_ns * mhz * c->blocks / (1000 * rounds(c)) + 1;
    for (unsigned i = 0; i < DEMO_PMU_EVENTS - 2; i++)
        c->event[i] = busy(c->cycles, share[i], h >> (i * 4));
    c->event[6] = c->cycles / 40 + 1;
    c->event[7] = c->event[6] * (uint64_t)demo_pick(h >> 5, 2, 40) / 1000;
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
static void count_blocks(struct demo_pmu *p, const int *share, int64_t core_ns, uint64_t h)
{
    p->block = (struct demo_pmu_core){ .blocks = 1, .cores = DEMO_AIV_CORES };
    count(&p->block, share, core_ns / (int64_t)rounds(&p->aiv), p->mhz, h);
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
    memset(p, 0, sizeof *p);
    if (demo_has_one_core(w->run->o.chip)) {
        p->mhz = DEMO_910A_MHZ;
        p->aic = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_910A_CORES };
        count(&p->aic, vector, core_ns, p->mhz, h);
        return;
    }
    p->mhz = mhz_at(w, k->start_ns + k->dur_ns);
    p->aic = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_AIC_CORES };
    p->aiv = (struct demo_pmu_core){ .blocks = op->blocks, .cores = DEMO_AIV_CORES };
    if (t->core == DEMO_AIC || t->core == DEMO_MIX)
        count(&p->aic, cube, core_ns, p->mhz, h);
    if (t->core == DEMO_AIV)
        count(&p->aiv, vector, core_ns, p->mhz, h >> 2);
    if (t->core == DEMO_MIX) {
        p->aiv.blocks = op->blocks * 2;
        count_blocks(p, vector, core_ns, h >> 2);
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
