/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the task scheduler's processor, and their sums. */
#include "config.h"

#include "parsers/prof/sampled/tscpu.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/grow.h"
#include "parsers/prof/prof_layout.h"
#include "parsers/prof/words.h"

enum { TSCPU_RECORD(FIELD_AT) TSCPU_MDC_RECORD(FIELD_AT) };

#define MDC_COUNTERS 5

/* clang-format off */
/* Upstream, analysis/msconfig/ts_cpu_config.py. */
static const struct layout_word words[] = {
    { 0x0, "SW_INCR" }, { 0x1, "L1I_CACHE_REFILL" }, { 0x2, "L1I_TLB_REFILL" }, { 0x3, "L1D_CACHE_REFILL" },
    { 0x4, "L1D_CACHE" }, { 0x5, "L1D_TLB_REFILL" }, { 0x6, "LD_RETIRED" }, { 0x7, "ST_RETIRED" },
    { 0x8, "INST_RETIRED" }, { 0x9, "EXC_TAKEN" }, { 0xa, "EXC_RETURN" }, { 0xb, "CID_WRITE_RETIRED" },
    { 0xc, "PC_WRITE_RETIRED" }, { 0xd, "BR_IMMED_RETIRED" }, { 0xe, "BR_RETURN_RETIRED" },
    { 0xf, "UNALIGNED_LDST_RETIRED" }, { 0x10, "BR_MIS_PRED" }, { 0x11, "CPU_CYCLES" }, { 0x12, "BR_PRED" },
    { 0x13, "MEM_ACCESS" }, { 0x14, "L1I_CACHE" }, { 0x15, "L1D_CACHE_WB" }, { 0x19, "BUS_ACCESS" },
    { 0x1a, "MEMORY_ERROR" }, { 0x1b, "INST_SPEC" }, { 0x1c, "TTBR_WRITE_RETIRED" }, { 0x1d, "BUS_CYCLES" },
    { 0x1e, "CHAIN" }, { 0x21, "BR_RETIRED" }, { 0x22, "BR__MIS_PRED_RETIRED" }, { 0x23, "STALL_FRONTEND" },
    { 0x24, "STALL_BACKEND" }, { 0x25, "L1D_TLB" }, { 0x26, "L1I_TLB" }, { 0x34, "DTLB_WALK" },
    { 0x35, "ITLB_WALK" }, { 0x36, "LL_CACHE_RD" }, { 0x37, "LL_CACHE_MISS_RD" },
    { 0x38, "REMOTE_ACCESS_RD" }, { 0x40, "L1D_CACHE_LD" }, { 0x41, "L1D_CACHE_ST" },
    { 0x42, "L1D_CACHE_REFILL_LD" }, { 0x43, "L1D_CACHE_REFILL_ST" }, { 0x44, "L1D_CACHE_REFILL_INNER" },
    { 0x45, "L1D_CACHE_REFILL_OUTER" }, { 0x60, "BUS_ACCESS_LD" }, { 0x61, "BUS_ACCESS_ST" },
    { 0x66, "MEM_ACCESS_LD" }, { 0x67, "MEM_ACCESS_ST" }, { 0x70, "LD_SPEC" }, { 0x71, "ST_SPEC" },
    { 0x72, "LDST_SPEC" }, { 0x73, "DP_SPEC" }, { 0x74, "ASE_SPEC" }, { 0x75, "VFP_SPEC" },
    { 0x76, "PC_WRITE_SPEC" }, { 0x77, "CRYPTO_SPEC" }, { 0x78, "BR_IMMED_SPEC" }, { 0x79, "BR_RETURN_SPEC" },
    { 0x7a, "BR_INDIRECT_SPEC" }, { 0x86, "EXC_IRQ" }, { 0x87, "EXC_FIQ" },
    { 0xc2, "L1D_CACHE_REFILL_PREFETCH" }, { 0xc4, "L1D_WS_MODE_ENTRY" }, { 0xc5, "L1D_WS_MODE" },
    { 0xc6, "PREDECODE_ERROR" }, { 0xc9, "BR_COND_PRED" }, { 0xca, "BR_INDIRECT_MIS_PRED" },
    { 0xcb, "BR_INDIRECT_ADDR_MIS_PRED" }, { 0xcc, "BR_COND_MIS_PRED" }, { 0xcd, "BR_INDIRECT_ADDR_PRED" },
    { 0xce, "BR_RETURN_ADDR_PRED" }, { 0xcf, "BR_RETURN_ADDR_MIS_PRED" }, { 0xe1, "STALL_FRONTEND_CACHE" },
    { 0xe2, "STALL_FRONTEND_TLB" }, { 0xe3, "STALL_FRONTEND_PDERR" }, { 0xe4, "STALL_BACKEND_ILOCK" },
    { 0xe5, "STALL_BACKEND_ILOCK_AGU" }, { 0xe6, "STALL_BACKEND_ILOCK_FPU" }, { 0xe7, "STALL_BACKEND_LD" },
    { 0xe8, "STALL_BACKEND_ST" }, { 0xe9, "STALL_BACKEND_LD_CACHE" }, { 0xea, "STALL_BACKEND_LD_TLB" },
    { 0xeb, "STALL_BACKEND_ST_STB" }, { 0xec, "STALL_BACKEND_ST_TLB" }, { 0, NULL },
};
/* clang-format on */

const char *prof_tscpu_word(uint32_t event)
{
    return prof_word(words, event);
}

/* ---- records ---- */

struct reading {
    prof_tscpu_fn *fn;
    void *arg;
    uint64_t damaged;
};

static int take(void *arg, struct prof_record *x, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &x->rec;
    bool mdc = r->n == TSCPU_MDC_B;
    size_t at = mdc ? TD_EVENT : TS_EVENT;
    struct prof_tscpu s = { .stamp = rec_u64(r, mdc ? TD_TIME : TS_TIME),
                            .pc = mdc ? rec_u32(r, TD_PC) : rec_u64(r, TS_PC),
                            .n = mdc ? MDC_COUNTERS : PROF_TSCPU_COUNTERS };

    for (unsigned i = 0; i < s.n; i++, at += 16) {
        uint64_t event = rec_u64(r, at);
        if (event >= PROF_TSCPU_EVENTS) {
            g->damaged++;
            return OK;
        }
        s.v[i].event = (uint32_t)event;
        s.v[i].count = rec_u64(r, at + 8);
    }
    return g->fn(g->arg, &s, e);
}

int prof_tscpu_read(struct prof *p, const struct prof_folder *f, prof_tscpu_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .fn = fn, .arg = arg };

    if (prof_read(p, f, PROF_TSCPU, take, &g, e))
        return e->code;
    if (g.damaged)
        prof_note(p, f, PROF_TSCPU, NOTE_BAD_VALUE, "%llu samples of unknown events were left out",
                  (unsigned long long)g.damaged);
    return OK;
}

/* ---- sums ---- */

struct cycles {
    uint64_t pc, n;
    uint64_t least, place; /* of the smallest of its counts */
};
struct summing {
    struct prof_tscpu_sums *s;
    struct cycles *v;
    size_t n, cap;
};

static int add_sample(void *arg, const struct prof_tscpu *t, struct err *e)
{
    struct summing *a = arg;

    for (unsigned i = 0; i < t->n; i++) {
        uint32_t event = t->v[i].event;
        a->s->count[event] = bounded_add_u64(a->s->count[event], t->v[i].count);
        a->s->met[event] = true;
        if (event != PROF_TSCPU_CYCLES)
            continue;
        struct cycles *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);
        if (!v)
            return err_nomem(e);
        a->v = v;
        v[a->n] = (struct cycles){ t->pc, t->v[i].count, t->v[i].count, a->n };
        a->n++;
    }
    return OK;
}

static int by_pc(const void *va, const void *vb)
{
    const struct cycles *a = va, *b = vb;

    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    if (a->least != b->least)
        return a->least < b->least ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_cycles(const void *va, const void *vb)
{
    const struct cycles *a = va, *b = vb;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    if (a->least != b->least)
        return a->least < b->least ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Each function once. */
static size_t join(struct cycles *v, size_t n)
{
    size_t k = 0;

    if (n)
        qsort(v, n, sizeof *v, by_pc);
    for (size_t i = 0; i < n; i++)
        if (k && v[k - 1].pc == v[i].pc)
            v[k - 1].n = bounded_add_u64(v[k - 1].n, v[i].n);
        else
            v[k++] = v[i];
    if (k)
        qsort(v, k, sizeof *v, by_cycles);
    return k;
}

int prof_tscpu_sum(struct prof_tscpu_sums *s, struct prof *p, const struct prof_folder *f, struct err *e)
{
    struct summing a = { .s = s };

    *s = (struct prof_tscpu_sums){ .function = NULL };
    if (prof_tscpu_read(p, f, add_sample, &a, e) == OK) {
        size_t n = join(a.v, a.n);
        s->function = calloc(n + 1, sizeof *s->function);
        if (!s->function)
            (void)err_nomem(e);
        for (; s->function && s->n_functions < n; s->n_functions++)
            s->function[s->n_functions] =
                (struct prof_tscpu_function){ a.v[s->n_functions].pc, a.v[s->n_functions].n };
    }
    free(a.v);
    return e->code;
}

void prof_tscpu_sums_done(struct prof_tscpu_sums *s)
{
    free(s->function);
    s->function = NULL;
    s->n_functions = 0;
}
