/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SAMPLE_PMU_TIMELINE, SAMPLE_PMU_SUMMARY: counters of the cores that were sampled
 * (doc/formats/msprof.md#database).
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "msprof/db/db.h"
#include "msprof/tables/cores.h"

#define GIB 1073741824.0

static const char *const kinds[N_PROF_CORES] = { "AIC", "AIV" };

struct timeline {
    struct msprof_db *d;
    size_t dev;
    enum prof_core kind;
    int64_t before[PROF_CORES];
    bool has[PROF_CORES];
};

/*
 * The first sample of a core has no usage; msprof computes one over 1 ns, as if that were the time since a
 * sample before (doc/formats/prof-quirks.md#sampled-values).
 */
static struct val usage_of(const struct timeline *x, const struct prof_core_sample *s, int64_t ns)
{
    const struct prof_meta *m = &x->d->r->m.dev[x->dev].f->meta;
    int64_t before = x->has[s->core] ? x->before[s->core] : ns - 1;

    if (!x->has[s->core] && !x->d->r->o->compat)
        return val_null();
    double v = prof_core_usage(m, s->cycles, before, ns);
    return v < 0 ? val_null() : val_real(v);
}

static int timeline_row(void *arg, const struct prof_core_sample *s, struct err *e)
{
    struct timeline *x = arg;
    const struct prof_folder *f = x->d->r->m.dev[x->dev].f;
    int64_t ns = prof_core_ns(x->d->r->m.p, f, s->time);
    struct val v[] = {
        val_int(f->device),
        val_int(ns),
        val_uint(s->cycles),
        usage_of(x, s, ns),
        val_real((double)f->meta.aic_hz / 1e6),
        val_int(s->core),
        msprof_db_word(x->d, kinds[x->kind]),
    };

    x->has[s->core] = true;
    x->before[s->core] = ns;
    return ns < prof_begin_ns(f) ? OK : msprof_db_row(x->d, v, e);
}

static int timeline_rows(struct msprof_db *d, struct err *e)
{
    struct timeline *x = malloc(sizeof *x);

    if (!x)
        return err_nomem(e);
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++)
        for (int k = 0; k < N_PROF_CORES && !e->code; k++) {
            *x = (struct timeline){ .d = d, .dev = dev, .kind = (enum prof_core)k };
            (void)!prof_core_samples_read(d->r->m.p, d->r->m.dev[dev].f, x->kind, timeline_row, x, e);
        }
    free(x);
    return e->code;
}

/* Names lose their units: bytes/s, ns. */
static int summary_row(struct msprof_db *d, size_t dev, enum prof_core kind, size_t core, const char *name,
                       double value, struct err *e)
{
    struct val v[] = { val_int(d->r->m.dev[dev].f->device), msprof_db_word(d, name), val_real(value),
                       val_int((int64_t)core), msprof_db_word(d, kinds[kind]) };

    return msprof_db_row(d, v, e);
}

static int core_rows(struct msprof_db *d, size_t dev, enum prof_core kind, const struct msprof_cores *c,
                     size_t core, struct err *e)
{
    const struct prof_core_sum *s = &c->sum[core];
    /* msprof takes us for ms */
    double ns = c->plan.hz > 0 ? (double)s->cycles * 1e9 / c->plan.hz : 0,
           time = d->r->o->compat ? ns * 1000 : ns;

    if (summary_row(d, dev, kind, core, "total_time", time, e))
        return e->code;
    for (size_t i = 0; i < c->n_metrics; i++) {
        const struct prof_metric *m = c->metric[i].m;
        double v = msprof_core_value(c, s, i) * (m->form == PROF_M_BW ? GIB : 1);
        char name[64];
        msprof_core_name(m, name, sizeof name);
        if (m->form == PROF_M_BW)
            name[strcspn(name, "(")] = '\0';
        if (summary_row(d, dev, kind, core, name, v, e))
            break;
    }
    return e->code;
}

static int summary_rows(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++)
        for (int k = 0; k < N_PROF_CORES && !e->code; k++) {
            struct msprof_cores c;
            if (msprof_cores_make(&c, d->r, dev, (enum prof_core)k, true, e) == OK)
                for (size_t i = 0; c.n && i < PROF_CORES && !e->code; i++)
                    if (c.sum[i].any)
                        (void)!core_rows(d, dev, (enum prof_core)k, &c, i, e);
            msprof_cores_done(&c);
        }
    return e->code;
}

const struct msprof_db_table msprof_db_cores[] = {
    { "SAMPLE_PMU_TIMELINE", "deviceId,timestampNs,totalCycle,usage n,freq n,coreId,coreType",
      .rows = timeline_rows },
    { "SAMPLE_PMU_SUMMARY", "deviceId,metric,value n,coreId,coreType", .rows = summary_rows },
    { .name = NULL },
};
