/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the AI cores: the groups, and their formulas. */
#include "config.h"

#include "parsers/prof/device/metrics.h"

#include <math.h>
#include <string.h>

#define US  "us"
#define BW  "GB/s"
#define KB  "KB"
#define OPS "FLOPs"
#define C   PROF_IN_CUBE
#define V   PROF_IN_VECTOR
#define A   PROF_IN_ONE
#define N   PROF_NOT_PYTHON

/* Bandwidth by bytes and a factor; PY also has Python's where they differ. */
#define BAND(name, in, event, a, b)                                                                          \
    {                                                                                                        \
        name, BW, PROF_M_BW, in, 1,                                                                          \
        {                                                                                                    \
            {                                                                                                \
                event, (a) * (b), (a) * (b)                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
#define BAND_PY(name, in, event, a, b, pa, pb)                                                               \
    {                                                                                                        \
        name, BW, PROF_M_BW, in, 1,                                                                          \
        {                                                                                                    \
            {                                                                                                \
                event, (a) * (b), (pa) * (pb)                                                                \
            }                                                                                                \
        }                                                                                                    \
    }
#define RATIO(name, in, event)                                                                               \
    {                                                                                                        \
        name, "", PROF_M_RATIO, in, 1,                                                                       \
        {                                                                                                    \
            {                                                                                                \
                event, 1, 1                                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
#define PIPE(name, in, event)                                                                                \
    { name "_time", US, PROF_M_TIME, in, 1, { { event, 1, 1 } } }, RATIO(name "_ratio", in, event)
#define COUNT(name, in, event)                                                                               \
    {                                                                                                        \
        name, "", PROF_M_SUM, in, 1,                                                                         \
        {                                                                                                    \
            {                                                                                                \
                event, 1, 1                                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
#define MISS                                                                                                 \
    {                                                                                                        \
        "icache_miss_rate", "", PROF_M_RATE, C | V | A, 2,                                                   \
        {                                                                                                    \
            { 0x55, 1, 1 },                                                                                  \
            {                                                                                                \
                0x54, 1, 1                                                                                   \
            }                                                                                                \
        }                                                                                                    \
    }

/* clang-format off */
#define ARITHMETIC \
    RATIO("mac_fp16_ratio", C | A, 0x49), \
    RATIO("mac_int8_ratio", C | A, 0x4a), \
    RATIO("vec_fp32_ratio", V | A, 0x4b), \
    { "vec_fp16_ratio", "", PROF_M_RATIO, V | A, 2, { { 0x4c, 1, 1 }, { 0x4d, 1, 1 } } }, \
    RATIO("vec_int32_ratio", V | A, 0x4e), \
    RATIO("vec_misc_ratio", V | A, 0x4f), \
    { "cube_fops", OPS, PROF_M_SUM, C | A, 2, { { 0x49, 8192, 8192 }, { 0x4a, 16384, 16384 } } }
/* Operations of 32 bits, of integers, and others of a vector core at each count. */
#define VECTOR_FOPS(fp32, integer, other) \
    { "vector_fops", OPS, PROF_M_SUM, V | A, 5, \
      { { 0x4c, 128, 128 }, { 0x4d, 64, 64 }, { 0x4b, fp32, fp32 }, { 0x4e, integer, integer }, \
          { 0x4f, other, other } } }
static const struct prof_metric arithmetic[] = { ARITHMETIC, VECTOR_FOPS(64, 64, 32) };
static const struct prof_metric arithmetic_310p[] = { ARITHMETIC, VECTOR_FOPS(64, 16, 16) };
static const struct prof_metric pipe[] = {
    PIPE("vec", V | A, 0x8),
    PIPE("mac", C | A, 0xa),
    PIPE("scalar", C | V | A, 0x9),
    PIPE("mte1", C | A, 0xb),
    PIPE("mte2", C | V | A, 0xc),
    PIPE("mte3", V | A, 0xd),
    MISS,
};
static const struct prof_metric pipe_exct[] = {
    { "mac_time", US, PROF_M_TIME, C | A, 2, { { 0x416, 1, 1 }, { 0x417, 1, 1 } } },
    { "mac_ratio", "", PROF_M_RATIO, C | A, 2, { { 0x416, 1, 1 }, { 0x417, 1, 1 } } },
    PIPE("scalar", C | V | A, 0x9),
    PIPE("mte1", C | A, 0x302),
    PIPE("mte2", C | V | A, 0xc),
    PIPE("fixpipe", C | A, 0x303),
    MISS,
};
static const struct prof_metric pipe_execute[] = {
    PIPE("vec_exe", V | A, 0x12c),
    { "mac_exe_time", US, PROF_M_TIME, C | A, 2, { { 0x49, 1, 1 }, { 0x4a, 1, 1 } } },
    { "mac_exe_ratio", "", PROF_M_RATIO, C | A, 2, { { 0x49, 1, 1 }, { 0x4a, 1, 1 } } },
    PIPE("scalar", C | V | A, 0x9),
    PIPE("mte1", C | A, 0x302),
    PIPE("mte2", C | V | A, 0xc),
    PIPE("mte3", V | A, 0xd),
    PIPE("fixpipe", C | A, 0x303),
};
static const struct prof_metric memory[] = {
    BAND("ub_read_bw", V | A, 0x15, 256, 4),
    BAND("ub_write_bw", V | A, 0x16, 256, 4),
    BAND("l1_read_bw", C | A, 0x31, 256, 16),
    BAND_PY("l1_write_bw", C | A, 0x32, 128, 8, 256, 8),
    BAND("main_mem_read_bw", C | V | A, 0x12, 8, 8),
    BAND("main_mem_write_bw", C | V | A, 0x13, 8, 8),
    BAND("l2_read_bw", C | V | N, 0xf, 256, 8),
    BAND("l2_write_bw", C | V | N, 0x10, 256, 8),
};
static const struct prof_metric memory_l0[] = {
    BAND("l0a_read_bw", C | A, 0x1b, 256, 16),
    BAND("l0a_write_bw", C | A, 0x1c, 256, 16),
    BAND_PY("l0b_read_bw", C | A, 0x21, 256, 16, 256, 8),
    BAND("l0b_write_bw", C | A, 0x22, 256, 8),
    BAND("l0c_read_bw", V | A, 0x27, 256, 8),
    BAND("l0c_write_bw", V | A, 0x29, 256, 8),
    BAND_PY("l0c_read_bw_cube", C | A, 0x28, 256, 32, 256, 8),
    BAND_PY("l0c_write_bw_cube", C | A, 0x2a, 256, 32, 256, 8),
};
static const struct prof_metric memory_ub[] = {
    BAND("ub_read_bw_vector", V | A, 0x43, 128, 2),
    BAND("ub_write_bw_vector", V | A, 0x44, 128, 2),
    BAND("ub_read_bw_scalar", C | V | A, 0x37, 128, 1),
    BAND("ub_write_bw_scalar", C | V | A, 0x38, 128, 1),
};
static const struct prof_metric conflicts[] = {
    RATIO("vec_bankgroup_cflt_ratio", V | A, 0x64),
    RATIO("vec_bank_cflt_ratio", V | A, 0x65),
    RATIO("vec_resc_cflt_ratio", V | A, 0x66),
};
static const struct prof_metric l2_cache[] = {
    COUNT("write_cache_hit", C | V | A, 0x500),
    COUNT("write_cache_miss_allocate", C | V | A, 0x502),
    COUNT("r0_read_cache_hit", C | V | A, 0x504),
    COUNT("r0_read_cache_miss_allocate", C | V | A, 0x506),
    COUNT("r1_read_cache_hit", C | V | A, 0x508),
    COUNT("r1_read_cache_miss_allocate", C | V | A, 0x50a),
};
static const struct prof_metric memory_access[] = {
    { "read_main_memory_datas", KB, PROF_M_SUM, C | V, 2,
        { { 0x50d, .125f, .125f }, { 0x50e, .125f, .125f } } },
    { "write_main_memory_datas", KB, PROF_M_SUM, C | V, 1, { { 0x50c, .125f, .125f } } },
    { "GM_to_L1_datas", KB, PROF_M_SUM, C | V, 2, { { 0x32, .25f, .25f }, { 0x206, -.25f, -.25f } } },
    { "L0C_to_L1_datas", KB, PROF_M_SUM, C | V, 1, { { 0x206, .125f, .125f } } },
    { "L0C_to_GM_datas", KB, PROF_M_SUM, C | V, 2, { { 0x20c, .125f, .125f }, { 0x206, -.125f, -.125f } } },
    { "GM_to_UB_datas", KB, PROF_M_SUM, C | V, 1, { { 0x3e, .125f, .125f } } },
    { "UB_to_GM_datas", KB, PROF_M_SUM, C | V, 1, { { 0x3d, .125f, .125f } } },
};
/*
 * V6: events of their own, formulas as before (msprof's analysis/msconfig/ai_core_config.py and
 * common_func/constant.py; which core has which column:
 * csrc/domain/data_process/ai_task/metric_processor.cpp)
 */
static const struct prof_metric pipe_v6[] = {
    PIPE("vec", V, 0x501),
    PIPE("mac", C, 0x301),
    PIPE("scalar", C | V, 0x1),
    PIPE("mte1", C, 0x701),
    PIPE("mte2", C | V, 0x202),
    PIPE("mte3", C | V, 0x203),
    PIPE("fixpipe", C, 0x714),
    { "icache_miss_rate", "", PROF_M_RATE, C | V, 2, { { 0x35, 1, 1 }, { 0x34, 1, 1 } } },
};
static const struct prof_metric arithmetic_v6[] = {
    RATIO("mac_fp16_ratio", C, 0x323),
    RATIO("mac_int8_ratio", C, 0x324),
    { "cube_fops", OPS, PROF_M_SUM, C, 2, { { 0x323, 8192, 8192 }, { 0x324, 16384, 16384 } } },
};
/* What vector instructions move is added; msprof itself leaves it out of what it writes. */
static const struct prof_metric memory_v6[] = {
    { "ub_read_bw", BW, PROF_M_BW, V, 2, { { 0x56f, 256 * 4, 256 * 4 }, { 0x571, 128 * 2, 128 * 2 } } },
    { "ub_write_bw", BW, PROF_M_BW, V, 2, { { 0x570, 256 * 4, 256 * 4 }, { 0x572, 128 * 2, 0 } } },
    BAND("l1_read_bw", C, 0x707, 256, 16),
    BAND("l1_write_bw", C, 0x709, 256, 8),
    BAND("main_mem_read_bw", C | V, 0x400, 8, 8),
    BAND("main_mem_write_bw", C | V, 0x401, 8, 8),
};
static const struct prof_metric memory_l0_v6[] = {
    BAND("l0a_read_bw", C, 0x304, 256, 16),
    BAND("l0a_write_bw", C, 0x703, 256, 16),
    BAND("l0b_read_bw", C, 0x306, 256, 8),
    BAND("l0b_write_bw", C, 0x705, 256, 8),
    BAND("l0c_read_bw", V, 0x712, 256, 8),
    BAND("l0c_read_bw_cube", C, 0x30a, 256, 8),
    BAND("l0c_write_bw_cube", C, 0x308, 256, 8),
};
static const struct prof_metric memory_ub_v6[] = {
    BAND("ub_read_bw_vector", V, 0x571, 128, 2),
    BAND("ub_write_bw_vector", V, 0x572, 128, 2),
    BAND("ub_read_bw_scalar", C | V, 0x3, 128, 1),
    BAND("ub_write_bw_scalar", C | V, 0x5, 128, 1),
    BAND("fixp2ub_write_bw", C | V, 0x70c, 256, 8),
};
static const struct prof_metric conflicts_v6[] = {
    { "vec_bank_cflt_ratio", "", PROF_M_RATIO, V, 2, { { 0x540, 1, 1 }, { 0x556, 1, 1 } } },
    { "vec_resc_cflt_ratio", "", PROF_M_RATE, V, 2, { { 0x528, 1, 1 }, { 0x502, 1, 1 } } },
};
static const struct prof_metric l2_cache_v6[] = {
    COUNT("read_local_l2_hit", C | V, 0x424),
    COUNT("read_local_l2_miss", C | V, 0x425),
    COUNT("read_local_l2_victim", C | V, 0x426),
    COUNT("write_local_l2_hit", C | V, 0x42a),
    COUNT("write_local_l2_miss", C | V, 0x42b),
    COUNT("write_local_l2_victim", C | V, 0x42c),
};
#define GROUP(name, list) { name, list, ARRAY_LEN(list) }
/* 310P: chips 2 to 4 */
static const struct prof_metric_group group_310p = GROUP("ArithmeticUtilization", arithmetic_310p);
static const struct prof_metric_group groups_v6[] = {
    GROUP("ArithmeticUtilization", arithmetic_v6),
    GROUP("PipeUtilization", pipe_v6),
    GROUP("Memory", memory_v6),
    GROUP("MemoryL0", memory_l0_v6),
    GROUP("MemoryUB", memory_ub_v6),
    GROUP("ResourceConflictRatio", conflicts_v6),
    GROUP("L2Cache", l2_cache_v6),
};
static const struct prof_metric_group groups[] = {
    GROUP("ArithmeticUtilization", arithmetic),
    GROUP("PipeUtilization", pipe),
    GROUP("PipeUtilizationExct", pipe_exct),
    GROUP("PipelineExecuteUtilization", pipe_execute),
    GROUP("Memory", memory),
    GROUP("MemoryL0", memory_l0),
    GROUP("MemoryUB", memory_ub),
    GROUP("ResourceConflictRatio", conflicts),
    GROUP("L2Cache", l2_cache),
    GROUP("MemoryAccess", memory_access),
};
/* clang-format on */

_Static_assert(ARRAY_LEN(pipe_execute) <= PROF_METRICS, "the largest group");
_Static_assert(ARRAY_LEN(pipe) <= PROF_METRICS, "the largest but one");
_Static_assert(ARRAY_LEN(pipe_v6) <= PROF_METRICS, "the largest of V6");

static const struct prof_metric_group *group_in(const struct prof_metric_group *list, size_t n,
                                                struct str name)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(name, str_of(list[i].name)))
            return &list[i];
    return NULL;
}

const struct prof_metric_group *prof_metric_group(struct str name, const struct chip *chip)
{
    if (chip->metrics == CHIP_METRICS_V6)
        return group_in(groups_v6, ARRAY_LEN(groups_v6), name);
    if (chip->metrics == CHIP_METRICS_310P && str_eq(name, str_of(group_310p.name)))
        return &group_310p;
    return group_in(groups, ARRAY_LEN(groups), name);
}

struct prof_metric_plan prof_metric_plan(const struct prof_meta *m, enum prof_core core, enum dialect dialect)
{
    const uint32_t *event = core == PROF_CUBE ? m->aic_event : m->aiv_event;
    uint32_t n = core == PROF_CUBE ? m->n_aic_events : m->n_aiv_events;
    struct prof_metric_plan p = {
        .group = prof_metric_group(core == PROF_CUBE ? m->aic_metrics : m->aiv_metrics, chip_of(m->platform)),
        .hz = (double)m->aic_hz,
        .dialect = dialect,
    };

    memset(p.at, -1, sizeof p.at);
    for (size_t i = 0; p.group && i < p.group->n; i++)
        for (size_t t = 0; t < p.group->metric[i].n_terms; t++)
            for (uint32_t k = 0; k < n && k < PROF_EVENTS; k++)
                if (event[k] == p.group->metric[i].term[t].event && p.at[i][t] < 0)
                    p.at[i][t] = (int8_t)k;
    return p;
}

/* ---- formulas ---- */

struct terms {
    const struct prof_metric *m;
    const int8_t *at;
    const uint64_t *v;
};

static double event_of(const struct terms *t, size_t i)
{
    return t->at[i] < 0 ? 0 : (double)t->v[t->at[i]];
}

static double ratio(const struct terms *t, double cycles)
{
    double sum = 0;

    for (size_t i = 0; i < t->m->n_terms; i++)
        sum += event_of(t, i) / cycles;
    return sum;
}

static double rate(const struct terms *t, double cycles)
{
    double of = event_of(t, 1) / cycles;

    return of > 0 ? event_of(t, 0) / cycles / of : 0;
}

static double weighted(const struct terms *t, enum dialect dialect)
{
    double sum = 0;

    for (size_t i = 0; i < t->m->n_terms; i++)
        sum += (double)(dialect == DIALECT_PYTHON ? t->m->term[i].python : t->m->term[i].factor) *
               event_of(t, i);
    return sum;
}

double prof_metric(const struct prof_metric_plan *p, size_t i, uint64_t cycles, const uint64_t *v, double us)
{
    const struct terms t = { &p->group->metric[i], p->at[i], v };
    double c = (double)cycles;

    if (t.m->form == PROF_M_SUM)
        return weighted(&t, p->dialect);
    if (!cycles)
        return 0;
    switch ((enum prof_form)t.m->form) {
    case PROF_M_RATIO:
        return ratio(&t, c);
    case PROF_M_TIME:
        return ratio(&t, c) * us;
    case PROF_M_RATE:
        return rate(&t, c);
    default:
        return p->hz > 0 ? weighted(&t, p->dialect) / (c / p->hz) / 8589934592.0 : 0;
    }
}

double prof_counts_us(const struct prof_counts *x, enum prof_core core, const struct prof_meta *m,
                      uint64_t hz, uint32_t blocks)
{
    uint64_t counter_hz = m->counter_hz;

    if (!x->has_span)
        return prof_core_us(x->cycles[core], hz, blocks, core == PROF_CUBE ? m->aic_cores : m->aiv_cores);
    return counter_hz ? (double)x->span[core] / (double)counter_hz * 1e6 : 0;
}

double prof_core_us(uint64_t cycles, uint64_t hz, uint32_t blocks, uint32_t cores)
{
    if (!hz || !blocks || !cores)
        return 0;
    return (double)cycles * 1000 * 1000.0 / (double)hz / blocks *
           (double)(blocks / cores + (blocks % cores != 0));
}
