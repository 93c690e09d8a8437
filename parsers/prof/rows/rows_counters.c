/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of executions. */
#include "config.h"

#include "parsers/prof/rows/rows_counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/device/metrics.h"

#define NONE SIZE_MAX

enum { TIME, CYCLES, N_TOTALS };

struct core {
    struct prof_metric_plan plan;
    size_t total[N_TOTALS]; /* columns; NONE: it has none */
    size_t metric[PROF_METRICS];
};
struct prof_counters {
    struct prof_rows *r;
    const struct prof_device *d;
    struct prof_pmu *pmu;
    bool both; /* cube and vector cores have columns of their own */
    bool has_flops;
    struct core core[N_PROF_CORES];
    size_t utilization;
    struct val *row;
    size_t n;
};

/* ---- columns ---- */

static int column(struct prof_counters *c, const char *prefix, const char *name, const char *suffix,
                  enum col_type t, size_t *at, struct err *e)
{
    char text[80];
    int n = snprintf(text, sizeof text, "%s%s%s", prefix, name, suffix);

    if (sink_column(c->r->g->out, T_op_counter, (struct str){ text, (size_t)n }, t, at, e))
        return e->code;
    c->n = *at >= c->n ? *at + 1 : c->n;
    return OK;
}

static bool is_flops(const struct prof_metric *m)
{
    return str_ends(str_of(m->name), STR("_fops"));
}

static bool is_kb(const struct prof_metric *m)
{
    return str_eq(str_of(m->unit), STR("KB"));
}

/* What a metric is stored as: ns, bytes, GB/s, or as it is. */
static int metric_column(struct prof_counters *c, struct core *k, const char *prefix, size_t i, struct err *e)
{
    const struct prof_metric *m = &k->plan.group->metric[i];
    struct str name = str_of(m->name);
    const char *suffix = m->form == PROF_M_TIME ? "_ns"
                         : m->form == PROF_M_BW ? "_gb_s"
                         : is_kb(m)             ? "_b"
                                                : "";
    enum col_type type = m->form == PROF_M_TIME ? CT_NS : is_kb(m) ? CT_BYTES : CT_REAL;
    char lower[64];

    for (size_t k2 = 0; k2 <= name.n && k2 < sizeof lower; k2++) {
        char ch = k2 < name.n ? name.p[k2] : '\0';
        lower[k2] = ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
    }
    lower[sizeof lower - 1] = '\0';
    c->has_flops |= is_flops(m);
    return column(c, prefix, lower, suffix, type, &k->metric[i], e);
}

static int core_columns(struct prof_counters *c, enum prof_core which, struct err *e)
{
    static const unsigned table[N_PROF_CORES] = {
        [PROF_CUBE] = PROF_IN_CUBE, [PROF_VECTOR] = PROF_IN_VECTOR
    };
    struct core *k = &c->core[which];
    const char *prefix = !c->both ? "" : which == PROF_CUBE ? "aic_" : "aiv_";
    const char *total = which == PROF_CUBE ? "aic_" : "aiv_";
    unsigned in = c->both ? table[which] : PROF_IN_ONE;

    k->plan = prof_metric_plan(&c->d->f->meta, which, false);
    for (size_t i = 0; i < PROF_METRICS; i++)
        k->metric[i] = NONE;
    k->total[TIME] = k->total[CYCLES] = NONE;
    if (which == PROF_VECTOR && !c->both)
        return OK;
    if (column(c, total, "time", "_ns", CT_NS, &k->total[TIME], e) ||
        column(c, total, "total_cycles", "", CT_INT, &k->total[CYCLES], e))
        return e->code;
    for (size_t i = 0; k->plan.group && i < k->plan.group->n; i++)
        if ((k->plan.group->metric[i].in & in) && metric_column(c, k, prefix, i, e))
            return e->code;
    return OK;
}

/* Whether the group counts what the cube does. */
static bool has_mac(const struct prof_counters *c)
{
    const struct prof_metric_group *g = c->core[PROF_CUBE].plan.group;

    for (size_t i = 0; g && i < g->n; i++)
        if (str_eq(str_of(g->metric[i].name), STR("mac_ratio")))
            return true;
    return false;
}

static int make_columns(struct prof_counters *c, struct err *e)
{
    c->both = c->r->m.p->chip->both_cores;
    c->n = N_COLS(op_counter);
    c->utilization = NONE;
    if (core_columns(c, PROF_CUBE, e) || core_columns(c, PROF_VECTOR, e) ||
        (has_mac(c) && column(c, "", "cube_utilization", "", CT_REAL, &c->utilization, e)))
        return e->code;
    c->row = calloc(c->n, sizeof *c->row);
    return c->row ? OK : err_nomem(e);
}

int prof_counters_read(struct prof_counters **out, struct prof_rows *r, struct prof_device *d, struct err *e)
{
    struct prof_counters *c = calloc(1, sizeof *c);

    *out = c;
    if (!c)
        return err_nomem(e);
    c->r = r;
    c->d = d;
    if (prof_pmu_read(&c->pmu, r->m.p, d, &r->m.host, e))
        return e->code;
    return prof_pmu_n(c->pmu) ? make_columns(c, e) : OK;
}

void prof_counters_free(struct prof_counters *c)
{
    if (!c)
        return;
    prof_pmu_free(c->pmu);
    free(c->row);
    free(c);
}

/* ---- rows ---- */

/* Values of damaged counts may not fit: null then. */
static struct val whole(double v)
{
    return fabs(v) < 9e18 ? val_int(llround(v)) : val_null();
}

static void put_value(struct prof_counters *c, size_t at, double v, const struct prof_metric *m)
{
    if (at == NONE || !isfinite(v))
        return;
    if (m->form == PROF_M_TIME)
        c->row[at] = whole(v * 1000);
    else if (is_kb(m))
        c->row[at] = whole(v * 1024);
    else
        c->row[at] = val_real(v);
}

/* col: the core that has the columns; core: the core that has the counts. */
static void put_core(struct prof_counters *c, const struct prof_counts *x, enum prof_core col,
                     enum prof_core core, double us, struct val flops[N_PROF_CORES])
{
    struct core *k = &c->core[col];
    const struct prof_metric_plan *p = &c->core[core].plan;

    if (k->total[TIME] == NONE)
        return;
    c->row[k->total[TIME]] = whole(us * 1000);
    c->row[k->total[CYCLES]] = x->cycles[core] <= INT64_MAX ? val_int((int64_t)x->cycles[core]) : val_null();
    for (size_t i = 0; p->group && p->group == k->plan.group && i < p->group->n; i++) {
        const struct prof_metric *m = &p->group->metric[i];
        double v = x->has[core] ? prof_metric(p, i, x->cycles[core], x->v[core], us) : 0;
        put_value(c, k->metric[i], v, m);
        bool vector = str_starts(str_of(m->name), STR("vector"));
        if (is_flops(m) && isfinite(v) && k->metric[i] != NONE)
            flops[vector] = val_real(val_num(&flops[vector]) + v);
    }
}

static int put_flops(struct prof_counters *c, const struct val flops[N_PROF_CORES], int64_t exec,
                     struct err *e)
{
    struct val v[N_COLS(op_flops)] = { 0 };

    v[COL(op_flops, exec_id)] = val_int(exec);
    v[COL(op_flops, rank)] = val_int(prof_rows_rank(c->r, c->d->f));
    v[COL(op_flops, cube_flops)] = flops[0];
    v[COL(op_flops, vector_flops)] = flops[1];
    v[COL(op_flops, source_id)] =
        val_id(prof_rows_source(c->d->f, c->r->m.p->chip->scheduler == CHIP_STARS ? PROF_FFTS : PROF_AICORE));
    return sink_row(c->r->g->out, T_op_flops, v, N_COLS(op_flops), NULL, e);
}

/* Share of the cube cores' cycles that the kernel had while it ran. */
static void put_utilization(struct prof_counters *c, const struct prof_counts *x, const struct prof_task *t)
{
    const struct prof_meta *m = &c->d->f->meta;
    double seconds = (double)(t->end - t->start) / (double)(m->counter_hz ? m->counter_hz : 1);
    double most = (double)m->aic_hz * m->aic_cores * seconds;

    if (c->utilization != NONE && most > 0)
        c->row[c->utilization] = val_real((double)x->cycles[c->both ? PROF_CUBE : x->main] / most);
}

unsigned prof_counters_doubt(const struct prof_counters *c, const struct prof_task *t,
                             const struct prof_op *op)
{
    const struct chip *chip = c->r->m.p->chip;
    const struct prof_folder *f = c->d->f;
    struct prof_counts x;

    if (!c->row || !prof_pmu_get(c->pmu, t, false, &x))
        return 0;
    if (chip->scheduler == CHIP_STARS && chip->freq &&
        (f->lost[PROF_FREQ] || (chip->freq_file && !c->d->has_freq)))
        return PROF_DOUBT_FIGURES;
    bool is_mix = x.kind == PROF_PMU_MIX_AIC || x.kind == PROF_PMU_MIX_AIV;
    bool lacks = is_mix && !x.has_span && prof_pmu_has_blocks(c->pmu) && x.blocks < op->mix_block;
    return lacks || !x.has_own ? PROF_DOUBT_FIGURES : 0;
}

int prof_counters_put(struct prof_counters *c, const struct prof_task *t, const struct prof_op *op,
                      int64_t exec, struct err *e)
{
    const struct prof_meta *m = &c->d->f->meta;
    struct val flops[N_PROF_CORES] = { 0 };
    struct prof_counts x;

    if (!c->row || !prof_pmu_get(c->pmu, t, false, &x))
        return OK;
    for (size_t i = 0; i < c->n; i++)
        c->row[i] = val_null();
    c->row[COL(op_counter, exec_id)] = val_int(exec);
    uint64_t hz = c->r->m.p->chip->scheduler == CHIP_STARS ? prof_freq_at(c->d, x.end) : m->aic_hz;
    for (enum prof_core k = PROF_CUBE; k < N_PROF_CORES; k++) {
        uint32_t blocks = k == x.main ? op->block : op->mix_block;
        if (k != x.main && !blocks && !x.has_span) { /* its records are mixed with those of others */
            x.has[k] = false;
            x.cycles[k] = 0;
        }
        double us = prof_counts_us(&x, k, m, hz, blocks);
        if (c->both || k == x.main)
            put_core(c, &x, c->both ? k : PROF_CUBE, k, us, flops);
    }
    put_utilization(c, &x, t);
    if (sink_row(c->r->g->out, T_op_counter, c->row, c->n, NULL, e))
        return e->code;
    return c->has_flops ? put_flops(c, flops, exec, e) : OK;
}
