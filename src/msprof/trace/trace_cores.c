/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer AI Core Utilization of msprof.json: the usage of each cube core between its samples, and the average
 * of all cores (doc/formats/prof.md#aicore; msprof's analysis/viewer/get_msvp_summary.py and
 * get_trace_timeline.py).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/tables/cores.h"
#include "msprof/trace/trace.h"

#define FIRST_NS 1000000000 /* the time that msprof assumes before the first sample of a core */

struct point {
    int64_t ns;
    double usage; /* percent */
    uint8_t core;
};
struct points {
    struct msprof_trace *t;
    struct point *v;
    size_t n, cap;
    int64_t before[PROF_CORES];
    size_t count[PROF_CORES]; /* points of each core */
    bool has[PROF_CORES];
};

static int on_sample(void *arg, const struct prof_core_sample *s, struct err *e)
{
    struct points *g = arg;
    const struct prof_folder *f = trace_folder(g->t);
    int64_t ns = prof_core_ns(g->t->r->m.p, f, s->time), before = g->before[s->core];
    bool known = g->has[s->core];

    g->has[s->core] = true;
    g->before[s->core] = ns;
    if (!known && !g->t->r->o->compat)
        return OK;
    double usage = prof_core_usage(&f->meta, s->cycles, known ? before : ns - FIRST_NS, ns);
    if (usage < 0)
        return OK;
    struct point *v = grow_array(g->v, g->n, &g->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    g->v = v;
    v[g->n++] = (struct point){ .ns = ns, .usage = usage, .core = s->core };
    g->count[s->core]++;
    return OK;
}

static void put(struct msprof_trace *t, const char *word, struct str text, int64_t ns, double usage)
{
    char value[40];

    snprintf(value, sizeof value, "%.6f", usage);
    trace_counter_of(t, &(struct trace_event){ .word = word, .text = text, .ts = ns });
    trace_word(t, "Utilization(%)", value);
    trace_end(t);
}

static void put_points(const struct points *g)
{
    char core[8];

    for (size_t i = 0; i < g->n; i++) {
        int n = snprintf(core, sizeof core, "%u", g->v[i].core);
        put(g->t, "Core ", (struct str){ core, (size_t)n }, g->v[i].ns, g->v[i].usage);
    }
}

/* The average of the n-th points of all cores, at the times of the core that came first. */
static int put_average(const struct points *g, struct err *e)
{
    size_t shortest = SIZE_MAX, cores = 0, at[PROF_CORES] = { 0 };

    for (size_t i = 0; i < PROF_CORES; i++)
        if (g->count[i]) {
            shortest = g->count[i] < shortest ? g->count[i] : shortest;
            cores++;
        }
    struct point *all = cores ? calloc(shortest, sizeof *all) : NULL;
    if (!cores)
        return OK;
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < g->n; i++) {
        size_t k = at[g->v[i].core]++;
        if (k >= shortest)
            continue;
        if (g->v[i].core == g->v[0].core)
            all[k].ns = g->v[i].ns;
        all[k].usage += g->v[i].usage / (double)cores;
    }
    for (size_t k = 0; k < shortest; k++)
        put(g->t, "Average", STR(""), all[k].ns, all[k].usage);
    free(all);
    return OK;
}

int trace_cores(struct msprof_trace *t, struct err *e)
{
    const struct prof_folder *f = trace_folder(t);
    struct points *g;

    if (prof_core_samples_tag(t->r->m.p, f, PROF_CUBE) == N_PROF_TAGS)
        return OK;
    if (!(g = calloc(1, sizeof *g)))
        return err_nomem(e);
    g->t = t;
    if (prof_core_samples_read(t->r->m.p, f, PROF_CUBE, on_sample, g, e) == OK && g->n) {
        trace_begin_process(t);
        put_points(g);
        (void)!put_average(g, e);
    }
    free(g->v);
    free(g);
    return e->code;
}
