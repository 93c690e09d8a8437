/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of the cores that were sampled (doc/formats/prof.md#aicore, doc/formats/msprof.md#ai-core-metrics):
 * how busy each was, and what its metrics are.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/device/metrics.h"
#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/core_samples.h"

#define SORT_CORES 36 /* after those of msprof */

struct cores {
    struct prof_curves *c;
    enum prof_core kind;
    struct prof_layer usage, metric[PROF_METRICS];
    struct prof_metric_plan plan;
    int64_t before[PROF_CORES];
    bool has[PROF_CORES];
};

static const char *const words[N_PROF_CORES] = { "AI Core", "AI Vector Core" };

/* The group's formulas; times are of tasks, which samples have none of. */
static int put_metrics(struct cores *x, const struct prof_core_sample *s, int64_t ns, struct err *e)
{
    const struct prof_metric_group *g = x->plan.group;
    unsigned in = x->kind == PROF_CUBE ? PROF_IN_CUBE : PROF_IN_VECTOR;
    char name[80];

    if (!x->c->r->m.p->chip->both_cores)
        in = PROF_IN_ONE;
    for (size_t i = 0; g && i < g->n; i++) {
        const struct prof_metric *m = &g->metric[i];
        if (m->form == PROF_M_TIME || !(m->in & in))
            continue;
        snprintf(name, sizeof name, "%s %u/%s", words[x->kind], s->core, m->name);
        double v = prof_metric(&x->plan, i, s->cycles, s->event, 0);
        if (prof_curve_put(x->c, &x->metric[i], name, ns, v, e))
            return e->code;
    }
    return OK;
}

static int on_sample(void *arg, const struct prof_core_sample *s, struct err *e)
{
    struct cores *x = arg;
    int64_t ns = prof_core_ns(x->c->r->m.p, x->c->f, s->time);
    double usage = x->has[s->core] ? prof_core_usage(&x->c->f->meta, s->cycles, x->before[s->core], ns) : -1;
    char name[40];

    x->has[s->core] = true;
    x->before[s->core] = ns;
    snprintf(name, sizeof name, "%s %u", words[x->kind], s->core);
    if (usage >= 0 && prof_curve_put(x->c, &x->usage, name, ns, usage, e))
        return e->code;
    return put_metrics(x, s, ns, e);
}

int prof_curves_cores(struct prof_curves *c, struct err *e)
{
    struct cores *x = malloc(sizeof *x);

    if (!x)
        return err_nomem(e);
    for (int k = 0; k < N_PROF_CORES && !e->code; k++) {
        enum prof_tag tag = prof_core_samples_tag(c->r->m.p, c->f, (enum prof_core)k);
        if (tag == N_PROF_TAGS)
            continue;
        *x = (struct cores){ .c = c,
                             .kind = (enum prof_core)k,
                             .usage = { "AI Core Utilization", "%", tag, SORT_CORES },
                             .plan = prof_metric_plan(&c->f->meta, (enum prof_core)k, false) };
        for (size_t i = 0; x->plan.group && i < x->plan.group->n; i++)
            x->metric[i] =
                (struct prof_layer){ "AI Core Metrics", x->plan.group->metric[i].unit, tag, SORT_CORES + 1 };
        (void)!prof_core_samples_read(c->r->m.p, c->f, x->kind, on_sample, x, e);
    }
    free(x);
    return e->code;
}
