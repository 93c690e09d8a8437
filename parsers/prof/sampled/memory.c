/* SPDX-License-Identifier: Apache-2.0 */
/* Records of memory, and which release ends which allocation. */
#include "config.h"

#include "parsers/prof/sampled/memory.h"

#include <stdlib.h>

#include "parsers/prof/prof_layout.h"

enum {
    PROF_HEAD(FIELD_AT) TASK_MEMORY_OWN(FIELD_AT) STATIC_MEMORY_OWN(FIELD_AT) NPU_MEM_RECORD(FIELD_AT)
        NPU_MODULE_MEM_RECORD(FIELD_AT)
};

/* The reading of a file, and the function that gets its records. */
struct reading {
    const struct prof_folder *f;
    union {
        prof_op_memory_fn *op;
        prof_static_memory_fn *fixed;
        prof_npu_memory_fn *npu;
        prof_module_memory_fn *module;
    } fn;
    void *arg;
};

/* ---- readers ---- */

static int take_op(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct rec *x = &r->rec;

    return g->fn.op(g->arg,
                    &(struct prof_op_memory){ .stamp = rec_u64(x, PH_TIME),
                                              .thread = rec_u32(x, PH_THREAD),
                                              .address = rec_u64(x, TM_ADDRESS),
                                              .size_b = (int64_t)rec_u64(x, TM_SIZE),
                                              .node = rec_u64(x, TM_NODE),
                                              .allocated_b = rec_u64(x, TM_ALLOCATED),
                                              .reserved_b = rec_u64(x, TM_RESERVED),
                                              .device = rec_u32(x, TM_DEVICE) },
                    e);
}

int prof_op_memory_read(struct prof *p, prof_op_memory_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .fn.op = fn, .arg = arg };

    return prof_read(p, p->host, PROF_TASK_MEMORY, take_op, &g, e);
}

static int take_static(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct rec *x = &r->rec;

    return g->fn.fixed(g->arg,
                       &(struct prof_static_memory){ .size_b = (int64_t)rec_u64(x, SM_SIZE),
                                                     .node = rec_u64(x, SM_NODE),
                                                     .life_start = rec_u64(x, SM_START),
                                                     .life_end = rec_u64(x, SM_END),
                                                     .allocated_b = rec_u64(x, SM_ALLOCATED),
                                                     .dynamic_node = rec_u64(x, SM_DYNAMIC),
                                                     .graph = rec_u32(x, SM_GRAPH) },
                       e);
}

int prof_static_memory_read(struct prof *p, prof_static_memory_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .fn.fixed = fn, .arg = arg };

    return prof_read(p, p->host, PROF_STATIC_MEMORY, take_static, &g, e);
}

static int take_npu(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct rec *x = &r->rec;
    bool second = g->f->meta.version == 2;

    return g->fn.npu(g->arg,
                     &(struct prof_npu_memory){ .us = second ? rec_u64(x, NM_TIME2) : rec_u32(x, NM_TIME),
                                                .of_device = rec_u32(x, NM_EVENT) != 0,
                                                .ddr_b = rec_u64(x, NM_DDR),
                                                .hbm_b = rec_u64(x, NM_HBM) },
                     e);
}

int prof_npu_memory_read(struct prof *p, const struct prof_folder *f, prof_npu_memory_fn *fn, void *arg,
                         struct err *e)
{
    struct reading g = { .f = f, .fn.npu = fn, .arg = arg };

    return prof_read(p, f, PROF_NPU_MEM, take_npu, &g, e);
}

static int take_module(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct rec *x = &r->rec;
    struct prof_module_memory m = { .stamp = rec_u64(x, MM_TIME),
                                    .reserved_b = rec_u64(x, MM_SIZE),
                                    .module = rec_u32(x, MM_MODULE) };

    m.unknown = m.reserved_b > (uint64_t)1 << 63;
    return g->fn.module(g->arg, &m, e);
}

int prof_module_memory_read(struct prof *p, const struct prof_folder *f, prof_module_memory_fn *fn, void *arg,
                            struct err *e)
{
    struct reading g = { .f = f, .fn.module = fn, .arg = arg };

    return prof_read(p, f, PROF_NPU_MODULE_MEM, take_module, &g, e);
}

/* doc/formats/msprof.md#database, ENUM_MODULE */
const char *prof_module_word(uint32_t module)
{
    /* clang-format off */
    static const char *const words[PROF_MODULES] = {
        [0] = "SLOG", [1] = "IDEDD", [2] = "SCC", [3] = "HCCL", [4] = "FMK", [5] = "CCU", [6] = "DVPP",
            [7] = "RUNTIME", [8] = "CCE", [9] = "HDC",
        [10] = "DRV", [11] = "NET", [22] = "DEVMM", [23] = "KERNEL", [24] = "LIBMEDIA", [25] = "CCECPU",
            [27] = "ROS", [28] = "HCCP", [29] = "ROCE",
        [30] = "TEFUSION", [31] = "PROFILING", [32] = "DP", [33] = "APP", [34] = "TS", [35] = "TSDUMP",
            [36] = "AICPU", [37] = "LP", [38] = "TDT", [39] = "FE",
        [40] = "MD", [41] = "MB", [42] = "ME", [43] = "IMU", [44] = "IMP", [45] = "GE", [47] = "CAMERA",
            [48] = "ASCENDCL", [49] = "TEEOS",
        [50] = "ISP", [51] = "SIS", [52] = "HSM", [53] = "DSS", [54] = "PROCMGR", [55] = "BBOX",
            [56] = "AIVECTOR", [57] = "TBE", [58] = "FV",
        [60] = "TUNE", [61] = "HSS", [62] = "FFTS", [63] = "OP", [64] = "UDF", [65] = "HICAID",
            [66] = "TSYNC", [67] = "AUDIO", [68] = "TPRT", [69] = "ASCENDCKERNEL",
        [70] = "ASYS", [71] = "ATRACE", [72] = "RTC", [73] = "SYSMONITOR", [74] = "AMP", [75] = "ADETECT",
            [76] = "MBUFF", [77] = "CUSTOM",
    };
    /* clang-format on */
    return module < PROF_MODULES ? words[module] : NULL;
}

/* ---- allocations (doc/formats/msprof.md#memory) ---- */

struct pairing {
    const struct prof_op_memory *v;
    struct prof_alloc *alloc;
    size_t n, cap;
    uint32_t *slot; /* of keys: 1 + the last allocation of the key; 0: free */
    size_t n_slots; /* a power of two, at least twice the allocations */
};

static bool same_key(const struct prof_op_memory *a, const struct prof_op_memory *b)
{
    return a->node == b->node && a->address == b->address && a->device == b->device;
}

/* The key's slot, or the free one where it belongs. */
static uint32_t *slot_of(const struct pairing *g, const struct prof_op_memory *m, uint64_t seed)
{
    uint64_t key[3] = { m->node, m->address, m->device };
    size_t i = (size_t)str_hash((struct str){ (const char *)key, sizeof key }, seed);

    for (;; i++) {
        uint32_t *s = &g->slot[i & (g->n_slots - 1)];
        if (!*s || same_key(&g->v[g->alloc[*s - 1].at], m))
            return s;
    }
}

/* One record; a key keeps its slot when its allocation is released. */
static void pair_one(struct pairing *g, uint32_t i, uint64_t seed)
{
    const struct prof_op_memory *m = &g->v[i];
    uint32_t *s = slot_of(g, m, seed);
    bool open = *s && g->alloc[*s - 1].release == PROF_NONE;

    if (m->size_b < 0 && open) {
        g->alloc[*s - 1].release = i;
    } else if (m->size_b > 0 && open) {
        g->alloc[*s - 1].at = i;
    } else if (m->size_b > 0) {
        g->alloc[g->n] = (struct prof_alloc){ .at = i, .release = PROF_NONE, .place = (uint32_t)g->n };
        *s = (uint32_t)++g->n;
    }
}

static int by_release(const void *a, const void *b)
{
    const struct prof_alloc *x = a, *y = b;

    if (x->release != y->release)
        return x->release < y->release ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

int prof_op_memory_pair(struct spool *pool, const struct prof_op_memory *v, size_t n, struct prof_alloc **out,
                        size_t *n_out, struct err *e)
{
    struct pairing g = { .v = v, .n_slots = 16 };
    uint64_t seed = str_seed();

    *out = NULL;
    *n_out = 0;
    if (n >= PROF_NONE)
        return err_set(e, ERR_LIMIT, "more than 2^32 records of memory");
    for (size_t i = 0; i < n; i++)
        g.cap += v[i].size_b > 0;
    while (g.n_slots < 2 * g.cap + 1)
        g.n_slots *= 2;
    g.alloc = spool_array(pool, g.cap + 1, sizeof *g.alloc);
    g.slot = spool_array(pool, g.n_slots, sizeof *g.slot);
    if (g.alloc && g.slot) {
        for (size_t i = 0; i < n; i++)
            pair_one(&g, (uint32_t)i, seed);
        qsort(g.alloc, g.n, sizeof *g.alloc, by_release);
        *out = g.alloc;
        *n_out = g.n;
    } else {
        (void)err_nomem(e);
        spool_free(pool, g.alloc);
    }
    spool_free(pool, g.slot);
    return e->code;
}
