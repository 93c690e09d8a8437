/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads everything of a folder that may be damaged: it must do no harm, and what the results say of
 * themselves must hold. HOLDS(x), which the test defines before, ends it where x is false.
 */
#ifndef NPUSCOPE_TEST_PROF_HOLDS_H
#define NPUSCOPE_TEST_PROF_HOLDS_H

#include <stdlib.h>

#include "parsers/prof/comm/ccu.h"
#include "parsers/prof/comm/comm.h"
#include "parsers/prof/comm/kfc.h"
#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/device/blocks.h"
#include "parsers/prof/device/overlap.h"
#include "parsers/prof/device/pmu.h"
#include "parsers/prof/device/steps.h"
#include "parsers/prof/host/dpu.h"
#include "parsers/prof/host/tx.h"
#include "parsers/prof/sampled/core_samples.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"
#include "parsers/prof/sampled/tscpu.h"
#include "tests/lib/prof_text_holds.h"

static int on_block(void *arg, const struct prof_block_run *b, struct err *e)
{
    (void)e;
    HOLDS(b->start <= b->end);
    const struct prof_task *t = prof_task_index_at(arg, b->task, b->start);
    HOLDS(!t || t->task == b->task);
    return OK;
}

/* Reads all about blocks on the cores. */
static void read_blocks(struct prof *p, const struct prof_device *d)
{
    struct err e = ERR_INIT;
    struct prof_task_index *x;

    HOLDS(prof_task_index_new(&x, d, &e) == OK);
    HOLDS(prof_blocks_logged(p, d->f, on_block, x, &e) == OK);
    HOLDS(prof_blocks_counted(p, d->f, on_block, x, &e) == OK);
    for (size_t i = 0; i < d->n_fusion; i++)
        HOLDS(d->fusion[i].start <= d->fusion[i].end && prof_fusion_word(&d->fusion[i]));
    prof_task_index_free(x);
}

static void read_tx(struct prof *p)
{
    struct err e = ERR_INIT;
    struct prof_txs x;

    HOLDS(prof_txs_read(&x, p, &e) == OK);
    for (size_t i = 0; i < x.n; i++) {
        (void)prof_str(p, x.v[i].message);
        HOLDS(x.v[i].on_device == (i >= x.n_host));
        /* It is there, or an earlier one of its number. */
        const struct prof_tx *found = prof_txs_find(&x, x.v[i].mark);
        if (x.v[i].on_device)
            HOLDS(found && found->mark == x.v[i].mark && found <= &x.v[i]);
    }
    prof_txs_done(&x);
}

static void read_dpu(struct prof *p)
{
    struct err e = ERR_INIT;
    struct prof_dpu d;

    HOLDS(prof_dpu_read(&d, p, &e) == OK);
    for (size_t i = 0; i < d.n; i++) {
        HOLDS(d.v[i].device < 4096);
        HOLDS(d.v[i].is_comm || i == 0 || d.v[i].group == PROF_NONE);
    }
    prof_dpu_done(&d);
}

static int on_op_memory(void *arg, const struct prof_op_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->node;
    return OK;
}
static int on_static(void *arg, const struct prof_static_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->node;
    return OK;
}
static int on_npu(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->us;
    return OK;
}
static int on_module(void *arg, const struct prof_module_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->stamp + (prof_module_word(m->module) != NULL);
    return OK;
}
static int on_sample(void *arg, const struct prof_sample *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->count;
    return OK;
}
static int on_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->v[N_PROF_PCIE - 1].avg;
    return OK;
}
static int on_l2(void *arg, const struct prof_l2_cache *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->event[7];
    return OK;
}
static int on_net(void *arg, const struct prof_net *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->v[PROF_NET_FUNC];
    return OK;
}

static int on_soc(void *arg, const struct prof_soc *s, struct err *e)
{
    (void)e;
    HOLDS(s->n <= POWER_VALUES);
    *(uint64_t *)arg += s->n ? s->v[s->n - 1] : 0;
    return OK;
}
static int on_soc_pmu(void *arg, const struct prof_soc_pmu *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->event[7];
    return OK;
}

static int on_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->v[N_PROF_UB - 1];
    return OK;
}

static int64_t clock_of(const void *arg, uint64_t us)
{
    return prof_sample_us_ns(arg, us);
}

static double device_ns(const void *clock, uint64_t counter)
{
    return (double)prof_device_ns(clock, counter);
}

static void read_samples(struct prof *p, const struct prof_folder *f)
{
    struct prof_hbm_point *hbm;
    struct prof_llc_point *llc;
    struct prof_hccs_point *hccs;
    struct prof_ddr_point *ddr;
    struct prof_voltage *mv;
    struct prof_core_sum *cores = calloc(PROF_CORES, sizeof *cores);
    struct err e = ERR_INIT;
    uint64_t sum = 0;
    size_t n;

    HOLDS(prof_npu_memory_read(p, f, on_npu, &sum, &e) == OK);
    HOLDS(prof_module_memory_read(p, f, on_module, &sum, &e) == OK);
    HOLDS(prof_sample_read(p, f, PROF_DDR, on_sample, &sum, &e) == OK);
    HOLDS(prof_pcie_read(p, f, on_pcie, &sum, &e) == OK);
    HOLDS(prof_l2_cache_read(p, f, on_l2, &sum, &e) == OK);
    HOLDS(prof_net_read(p, f, PROF_NIC, on_net, &sum, &e) == OK);
    HOLDS(prof_net_read(p, f, PROF_ROCE, on_net, &sum, &e) == OK);
    HOLDS(prof_soc_read(p, f, PROF_STARS_PROFILE, on_soc, &sum, &e) == OK);
    HOLDS(prof_soc_read(p, f, PROF_QOS, on_soc, &sum, &e) == OK);
    HOLDS(prof_soc_pmu_read(p, f, on_soc_pmu, &sum, &e) == OK);
    HOLDS(prof_ub_read(p, f, on_ub, &sum, &e) == OK);
    HOLDS(cores);
    for (int kind = 0; kind < N_PROF_CORES; kind++)
        HOLDS(prof_core_sums(p, f, (enum prof_core)kind, cores, &e) == OK);
    free(cores);
    HOLDS(prof_ddr_points(p, f, &ddr, &n, &e) == OK);
    free(ddr);
    HOLDS(prof_voltages(p, f, &mv, &n, &e) == OK);
    free(mv);
    HOLDS(prof_hbm_points(p, f, clock_of, f, &hbm, &n, &e) == OK);
    free(hbm);
    HOLDS(prof_llc_points(p, f, clock_of, f, &llc, &n, &e) == OK);
    free(llc);
    HOLDS(prof_hccs_points(p, f, true, &hccs, &n, &e) == OK);
    free(hccs);
}

static void read_aicpu(struct prof *p, const struct prof_device *d, const struct prof_host *h)
{
    struct err e = ERR_INIT;
    struct prof_aicpu a;
    uint32_t *of;

    HOLDS(prof_aicpu_read(&a, p, d->f, h->expanded, &e) == OK);
    HOLDS(prof_aicpu_tasks(&a, p, d, h, &of, &e) == OK);
    for (size_t i = 0; i < a.n_nodes; i++)
        if (of[i] != PROF_NONE) {
            HOLDS(of[i] < d->n_tasks);
            (void)prof_str(p, prof_aicpu_op_name(p, d, h, of[i]));
        }
    free(of);
    prof_aicpu_done(&a);
}

static void read_kfc(struct prof *p, const struct prof_device *d, const struct prof_host *h)
{
    struct err e = ERR_INIT;
    struct prof_kfc k;
    uint32_t *of;

    HOLDS(prof_kfc_read(&k, p, d->f, h->expanded, &e) == OK);
    HOLDS(prof_kfc_tasks(&k, d, &of, &e) == OK);
    for (size_t i = 0; i < k.n_infos; i++)
        HOLDS(of[i] == PROF_NONE || of[i] < d->n_tasks);
    for (size_t i = 0; i < k.n_turns; i++)
        for (unsigned n = 0; n < prof_kfc_phases(&k.turn[i]); n++)
            HOLDS(prof_kfc_phase_word(&k.turn[i], n));
    free(of);
    prof_kfc_done(&k);
}

static void read_ccu(struct prof *p, const struct prof_device *d, const struct prof_host *h)
{
    const struct prof_ccu_how how = { .by_stream = true };
    struct prof_ccu_host c;
    struct prof_ccu_run *v;
    struct err e = ERR_INIT;
    size_t n;

    HOLDS(prof_ccu_host_read(&c, p, &e) == OK);
    HOLDS(prof_ccu_runs(p, d->f, h, &c, &how, &v, &n, &e) == OK);
    for (size_t i = 0; i < n; i++) {
        HOLDS(!i || v[i - 1].start <= v[i].start);
        HOLDS(!v[i].info || v[i].info->instr == v[i].instr);
        HOLDS(v[i].channel < PROF_CCU_CHANNELS && v[i].rank < PROF_CCU_RANKS);
    }
    free(v);
    prof_ccu_host_done(&c);
}

static void read_tscpu(struct prof *p, const struct prof_folder *f)
{
    struct prof_tscpu_sums s;
    struct err e = ERR_INIT;

    HOLDS(prof_tscpu_sum(&s, p, f, &e) == OK);
    for (size_t i = 1; i < s.n_functions; i++)
        HOLDS(s.function[i - 1].cycles >= s.function[i].cycles);
    prof_tscpu_sums_done(&s);
}

static void read_counters(struct prof *p, struct prof_device *d, const struct prof_host *h)
{
    struct prof_counts c;
    struct prof_pmu *m;
    struct err e = ERR_INIT;

    HOLDS(prof_pmu_read(&m, p, d, h, &e) == OK);
    for (size_t i = 0; i < d->n_tasks; i++)
        for (enum dialect dialect = DIALECT_CPP; dialect <= DIALECT_PYTHON; dialect++)
            if (prof_pmu_get(m, &d->task[i], dialect, &c))
                HOLDS(c.main < N_PROF_CORES);
    prof_pmu_free(m);
}

static void read_comm(struct prof *p, const struct prof_device *d, const struct prof_host *h)
{
    struct err e = ERR_INIT;

    for (enum dialect dialect = DIALECT_CPP; dialect <= DIALECT_PYTHON; dialect++) {
        const struct prof_how how = { .to = UINT64_MAX, .dialect = dialect, .ns = device_ns, .clock = d->f };
        struct prof_overlap o = { 0 };
        struct prof_comm c;
        HOLDS(prof_comm_make(&c, p, d, h, &how, &e) == OK);
        for (size_t i = 0; i < c.n_tasks; i++)
            HOLDS(c.task[i].task < d->n_tasks && c.task[i].host < h->n_tasks && c.task[i].run < c.n_runs);
        for (size_t i = 0; i < c.n_runs; i++)
            HOLDS(c.run[i].at + c.run[i].n <= c.n_tasks && c.run[i].op < h->n_comm_ops);
        HOLDS(prof_overlap_make(&o, p, d, h, &c, &how, &e) == OK);
        prof_overlap_done(&o);
        prof_comm_done(&c);
    }
}

static void read_met(const struct prof_device *d)
{
    struct err e = ERR_INIT;
    struct prof_tx_met *met;
    size_t n;

    HOLDS(prof_tx_met(d, &met, &n, &e) == OK);
    for (size_t i = 0; i < n; i++)
        HOLDS(met[i].start <= met[i].end);
    free(met);
}

static void read_device(struct prof *p, struct prof_folder *f, const struct prof_host *h)
{
    struct prof_device d;
    struct prof_steps s;
    struct err e = ERR_INIT;

    HOLDS(prof_device_read(&d, p, f, h, &e) == OK);
    HOLDS(d.n_freq >= 1);
    for (size_t i = 0; i < d.n_tasks; i++) {
        HOLDS(!i || d.task[i - 1].start <= d.task[i].start);
        HOLDS(d.task[i].host == PROF_NONE || d.task[i].host < h->n_tasks);
        (void)prof_device_word(p, &d.task[i]);
        (void)prof_freq_at(&d, d.task[i].start);
        (void)prof_device_ns(f, d.task[i].end);
    }
    for (int one_row = 0; one_row < 2; one_row++) {
        HOLDS(prof_steps_of(&s, d.mark, d.n_marks, one_row, &e) == OK);
        prof_steps_done(&s);
    }
    read_met(&d);
    read_blocks(p, &d);
    read_counters(p, &d, h);
    read_comm(p, &d, h);
    read_aicpu(p, &d, h);
    read_kfc(p, &d, h);
    read_ccu(p, &d, h);
    read_tscpu(p, f);
    read_samples(p, f);
    read_system(p, f);
    prof_device_done(&d);
}

/* Reads all of the folder. */
static void read_folder(struct prof *p)
{
    struct prof_host h;
    struct err e = ERR_INIT;
    uint64_t sum = 0;

    HOLDS(prof_host_read(&h, p, &e) == OK);
    for (size_t i = 0; i < h.n_apis; i++) {
        (void)prof_str(p, prof_api_name(p, &h.api[i]));
        (void)prof_host_ns(p->host, h.api[i].begin);
    }
    HOLDS(prof_op_memory_read(p, on_op_memory, &sum, &e) == OK);
    HOLDS(prof_static_memory_read(p, on_static, &sum, &e) == OK);
    read_tx(p);
    read_usage(p);
    read_dpu(p);
    read_system(p, p->host);
    for (size_t i = 0; i < p->n_devices; i++)
        read_device(p, p->device[i], &h);
    prof_host_done(&h);
}

#endif
