/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ai_core_utilization.csv, ai_vector_core_utilization.csv: metrics of the cores that were sampled, a row for
 * each core (doc/formats/prof.md#aicore, doc/formats/msprof.md#ai-core-metrics; rows and columns as msprof's
 * analysis/viewer/ai_core_report.py makes them).
 */
#include "config.h"

#include "msprof/tables/cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define HEADER_MAX 2048

/* Factors for samples, where they differ from those for tasks. */
static const struct {
    const char *metric;
    uint16_t event;
    float factor;
} sampled[] = {
    { "ub_write_bw_vector", 0x44, 128 },
    { "ub_write_bw_vector", 0x572, 128 },
    { "ub_read_bw", 0x571, 256 * 4 },
    { "ub_write_bw", 0x572, 256 * 4 },
};

/* These columns come last; others are in the order of their group. */
static const char *const last_ones[] = { "fixpipe_ratio" }; /* of V6 PipeUtilization */

bool msprof_is_vector_metric(const struct prof_metric *m)
{
    static const char *const names[] = {
        "vec_ratio",
        "vec_time",
        "ub_read_bw",
        "ub_write_bw",
        "l0c_write_bw",
        "l2_write_bw",
        "vec_fp32_ratio",
        "vec_fp16_ratio",
        "vec_int32_ratio",
        "vec_misc_ratio",
        "vec_bankgroup_cflt_ratio",
        "vec_bank_cflt_ratio",
        "vec_resc_cflt_ratio",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(str_of(m->name), str_of(names[i])))
            return true;
    return false;
}

/* Only these chips have columns of the L2 cache: remove_redundant() of ai_core_report.py. */
static bool is_column(const struct msprof_run *r, const struct prof_metric *m)
{
    bool l2 = str_starts(str_of(m->name), STR("l2_"));

    return !l2 || r->m.p->chip->l2_columns;
}

static bool is_last(const struct msprof_run *r, const struct prof_metric *m)
{
    return r->m.p->chip->v6 && str_eq(str_of(m->name), str_of(last_ones[0]));
}

static void choose(struct msprof_cores *c, const struct msprof_run *r, bool all)
{
    const struct prof_metric_group *g = c->plan.group;

    for (int last = 0; last < 2; last++)
        for (size_t i = 0; g && i < g->n; i++)
            if (g->metric[i].form != PROF_M_TIME && (all || is_column(r, &g->metric[i])) &&
                is_last(r, &g->metric[i]) == last)
                c->metric[c->n_metrics++] = (struct msprof_core_metric){ &g->metric[i], i };
}

int msprof_cores_make(struct msprof_cores *c, struct msprof_run *r, size_t dev, enum prof_core kind, bool all,
                      struct err *e)
{
    const struct prof_folder *f = r->m.dev[dev].f;

    *c = (struct msprof_cores){ .plan = prof_metric_plan(&f->meta, kind, false),
                                .lacks_vector =
                                    r->m.p->chip->scheduler == CHIP_STARS && !r->m.p->chip->both_cores };
    if (kind == PROF_VECTOR) /* the vector unit has a clock of its own */
        c->plan.hz = (double)f->meta.aiv_hz;
    if (prof_core_samples_tag(r->m.p, f, kind) == N_PROF_TAGS)
        return OK;
    c->sum = calloc(PROF_CORES, sizeof *c->sum);
    if (!c->sum)
        return err_nomem(e);
    if (prof_core_sums(r->m.p, f, kind, c->sum, e))
        return e->code;
    choose(c, r, all);
    for (size_t i = 0; i < PROF_CORES; i++)
        c->n += c->sum[i].any;
    return OK;
}

void msprof_cores_done(struct msprof_cores *c)
{
    free(c->sum);
    *c = (struct msprof_cores){ .n = 0 };
}

static float factor_of(const struct prof_metric *m, size_t term)
{
    for (size_t i = 0; i < ARRAY_LEN(sampled); i++)
        if (sampled[i].event == m->term[term].event && str_eq(str_of(m->name), str_of(sampled[i].metric)))
            return sampled[i].factor;
    return m->term[term].factor;
}

double msprof_core_value(const struct msprof_cores *c, const struct prof_core_sum *s, size_t i)
{
    const struct prof_metric *m = c->metric[i].m;
    const int8_t *at = c->plan.at[c->metric[i].at];
    double sum = 0, cycles = (double)s->cycles;

    if (m->form != PROF_M_BW)
        return prof_metric(&c->plan, c->metric[i].at, s->cycles, s->event, 0);
    if (!s->cycles || c->plan.hz <= 0)
        return 0;
    for (size_t k = 0; k < m->n_terms; k++)
        sum += at[k] < 0 ? 0 : (double)factor_of(m, k) * (double)s->event[at[k]];
    return sum / (cycles * 1000 / (c->plan.hz * 1000.0)) / 8589934592.0;
}

void msprof_core_name(const struct prof_metric *m, char *buf, size_t n)
{
    bool unit = m->form == PROF_M_BW || str_eq(str_of(m->unit), STR("KB"));

    snprintf(buf, n, "%s%s%s%s", m->name, unit ? "(" : "", unit ? m->unit : "", unit ? ")" : "");
    for (char *p = buf; str_eq(str_of(m->unit), STR("KB")) && *p && *p != '('; p++)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
}

/* ---- the tables ---- */

struct table {
    struct msprof_run *r;
    const struct msprof_cores *c;
    struct msprof_csv csv;
    size_t dev;
    bool has_bound;
    double total[PROF_METRICS]; /* of rounded values */
};

static size_t find(const struct msprof_cores *c, const char *name)
{
    size_t i = 0;

    while (i < c->n_metrics && !str_eq(str_of(c->metric[i].m->name), str_of(name)))
        i++;
    return i;
}

/* Memory bound: the ratio of MTE2 to that of the busier unit (cube or vector). */
static void put_bound(const struct table *t, const double *v, struct emit *o)
{
    const struct msprof_cores *c = t->c;
    double mac = v[find(c, "mac_ratio")], vec = v[find(c, "vec_ratio")], most = mac > vec ? mac : vec;

    emit_c(o, ',');
    if (most > 0)
        msprof_put_round3(o, v[find(c, "mte2_ratio")] / most);
    else
        emit_c(o, '0');
}

static int put_row(struct table *t, const char *name, const double *v, struct err *e)
{
    struct emit *o = msprof_csv_row(&t->csv, e);

    if (!o)
        return e->code;
    emit_i(o, t->r->m.dev[t->dev].f->device);
    emit_c(o, ',');
    emit_s(o, name);
    for (size_t i = 0; i < t->c->n_metrics; i++) {
        emit_c(o, ',');
        if (t->c->lacks_vector && msprof_is_vector_metric(t->c->metric[i].m))
            emit_s(o, "N/A");
        else
            emit_repr(o, v[i]);
    }
    if (t->has_bound)
        put_bound(t, v, o);
    emit_c(o, '\n');
    return OK;
}

static int put_rows(struct table *t, struct err *e)
{
    double v[PROF_METRICS], n = (double)t->c->n;
    char name[24];

    for (size_t i = 0; i < PROF_CORES; i++) {
        if (!t->c->sum[i].any)
            continue;
        for (size_t k = 0; k < t->c->n_metrics; k++)
            t->total[k] += v[k] = emit_round(msprof_core_value(t->c, &t->c->sum[i], k), 3);
        snprintf(name, sizeof name, "Core%zu", i);
        if (put_row(t, name, v, e))
            return e->code;
    }
    for (size_t k = 0; k < t->c->n_metrics; k++)
        v[k] = emit_round(t->total[k] / n, 3);
    return put_row(t, "Average", v, e);
}

static void put_header(const struct msprof_cores *c, bool has_bound, struct buf *b)
{
    char name[64];

    buf_puts(b, "Device_id,Core ID");
    for (size_t i = 0; i < c->n_metrics; i++) {
        msprof_core_name(c->metric[i].m, name, sizeof name);
        buf_printf(b, ",%s", name);
    }
    buf_puts(b, has_bound ? ",memory_bound" : "");
}

/* The first sampled device decides which columns there are. */
static int write_table(struct msprof_run *r, struct msprof_cores *all, const char *name, struct err *e)
{
    struct buf header;
    struct table t = { .r = r };
    uint64_t rows = 0;
    const struct msprof_cores *first = NULL;

    for (size_t i = 0; i < r->m.n_dev; i++) {
        rows += all[i].n ? all[i].n + 1 : 0;
        first = !first && all[i].n ? &all[i] : first;
    }
    if (!first || !first->n_metrics)
        return OK;
    size_t none = first->n_metrics;
    t.has_bound = find(first, "mac_ratio") < none && find(first, "vec_ratio") < none &&
                  find(first, "mte2_ratio") < none;
    buf_init(&header, HEADER_MAX);
    put_header(first, t.has_bound, &header);
    if (buf_failed(&header))
        (void)err_nomem(e);
    else if (msprof_csv_begin(&t.csv, r, name, rows, buf_str(&header).p, e) == OK) {
        for (size_t i = 0; i < r->m.n_dev && !e->code; i++) {
            t = (struct table){ .r = r, .c = &all[i], .csv = t.csv, .dev = i, .has_bound = t.has_bound };
            if (all[i].n && all[i].plan.group == first->plan.group)
                (void)!put_rows(&t, e);
        }
        (void)!msprof_csv_end(&t.csv, e);
    }
    buf_done(&header);
    return e->code;
}

int msprof_core_utilization(struct msprof_run *r, struct err *e)
{
    static const char *const names[N_PROF_CORES] = { "ai_core_utilization", "ai_vector_core_utilization" };
    struct msprof_cores *all = calloc(r->m.n_dev + 1, sizeof *all);

    if (!all)
        return err_nomem(e);
    for (int k = 0; k < N_PROF_CORES && !e->code; k++) {
        for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
            (void)!msprof_cores_make(&all[i], r, i, (enum prof_core)k, false, e);
        if (!e->code)
            (void)!write_table(r, all, names[k], e);
        for (size_t i = 0; i < r->m.n_dev; i++)
            msprof_cores_done(&all[i]);
    }
    free(all);
    return e->code;
}
