/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables from the devices' data: tasks, their counters, times of computing and communication, frequency
 * (doc/formats/msprof.md#database).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "msprof/db/db.h"
#include "msprof/tables/ops.h"
#include "parsers/prof/device/metrics.h"
#include "parsers/prof/device/overlap.h"

static struct val number(uint32_t v)
{
    return val_int(v);
}

static struct val device_id(const struct msprof_db *d, size_t dev)
{
    return val_int(d->r->m.dev[dev].f->device);
}

/* ---- tasks ---- */

int64_t msprof_db_device_ns(const struct msprof_db *d, size_t dev, uint64_t counter)
{
    const struct prof_folder *f = d->r->m.dev[dev].f;

    return prof_device_ns(f, counter) + (d->r->o->compat && !d->r->m.p->chip->cpp && msprof_rounds_up(f));
}

/*
 * When a task ended. On chips that the Python half analyses, times of AI CPU tasks went through ms
 * (doc/formats/prof.md#clocks).
 */
static int64_t end_ns(const struct msprof_db *d, size_t dev, const struct prof_task *t)
{
    const struct msprof_clock *c = &d->r->clock[dev];

    if (t->source != PROF_BY_AICPU || !d->r->o->compat)
        return msprof_db_device_ns(d, dev, t->end);
    double span = (msprof_dev(c, t->end, 1e9) / 1e6 - msprof_dev(c, t->start, 1e9) / 1e6) * 1e6;
    return msprof_db_device_ns(d, dev, t->start) + (int64_t)span;
}

static struct val task_type(struct msprof_db *d, const struct prof_task *t, uint32_t ffts)
{
    const struct prof_host_task *h = msprof_db_host_of(d, t);
    char digits[16];

    if (h && h->type != ffts)
        return msprof_db_text(d, h->type);
    const char *word = prof_device_word(d->r->m.p, t);
    if (word)
        return msprof_db_word(d, word);
    snprintf(digits, sizeof digits, "%u", (unsigned)t->kind);
    return msprof_db_word(d, digits);
}

static int task_row(struct msprof_db *d, size_t dev, const struct prof_task *t, uint32_t ffts, struct err *e)
{
    const struct prof_host_task *h = msprof_db_host_of(d, t);
    const struct prof *p = d->r->m.p;
    struct val v[] = {
        val_int(msprof_db_device_ns(d, dev, t->start)),
        val_int(end_ns(d, dev, t)),
        device_id(d, dev),
        msprof_db_connection(h ? h->api : PROF_NONE),
        val_int(msprof_db_device_task(d, dev, t)),
        val_int(p->host ? p->host->meta.pid : d->r->m.dev[dev].f->meta.pid),
        task_type(d, t, ffts),
        number(t->context),
        number(t->stream),
        number(t->task),
        number(h ? h->model : PROF_NO_MODEL),
    };

    return msprof_db_row(d, v, e);
}

/* Marks of the program that streams met are tasks, too; their numbers follow those of all other tasks. */
static int met_rows(struct msprof_db *d, size_t dev, int64_t *id, struct err *e)
{
    const struct prof_folder *f = d->r->m.dev[dev].f;
    const struct prof *p = d->r->m.p;

    for (size_t i = 0; i < d->r->met[dev].n && !e->code; i++) {
        const struct prof_tx_met *m = &d->r->met[dev].v[i];
        if (m->open || prof_device_ns(f, m->start) < prof_begin_ns(f))
            continue;
        struct val v[] = {
            val_int(prof_device_ns(f, m->start)),
            val_int(prof_device_ns(f, m->end)),
            device_id(d, dev),
            val_uint(m->mark + MSPROF_TX_CONNECTION),
            val_int((*id)++),
            val_int(p->host ? p->host->meta.pid : f->meta.pid),
            msprof_db_word(d, "MsTx"),
            number(PROF_NONE),
            number(m->stream),
            number(m->task),
            number((uint32_t)m->model),
        };
        (void)!msprof_db_row(d, v, e);
    }
    return e->code;
}

static int task_rows(struct msprof_db *d, struct err *e)
{
    uint32_t ffts = prof_text(d->r->m.p, STR("FFTS_PLUS"));

    for (size_t dev = 0; dev < d->r->m.n_dev; dev++) {
        const struct prof_device *x = &d->r->m.dev[dev];
        int64_t begin = prof_begin_ns(x->f);
        for (size_t i = 0; i < x->n_tasks; i++)
            if (prof_device_ns(x->f, x->task[i].end) >= begin && task_row(d, dev, &x->task[i], ffts, e))
                return e->code;
    }
    int64_t id = (int64_t)(d->r->m.host.n_tasks + d->n_alone);
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++)
        if (met_rows(d, dev, &id, e))
            return e->code;
    return OK;
}

/* ---- counters ---- */

/* The metrics of one core, with their names in this table. */
struct core_names {
    struct prof_metric_plan plan;
    struct val time, cycles, metric[PROF_METRICS];
};

/* C++ computes the metrics of 910B alone (doc/formats/prof.md#two-implementations). */
static bool is_pythons(const struct msprof_db *d)
{
    return !d->r->m.p->chip->both_cores || d->r->m.p->chip->v6;
}

static int n_cores(const struct msprof_db *d)
{
    return d->r->m.p->chip->both_cores ? N_PROF_CORES : 1;
}

static struct val metric_name(struct msprof_db *d, enum prof_core core, const char *name)
{
    const char *prefix = !d->r->m.p->chip->both_cores ? "" : core == PROF_CUBE ? "aic_" : "aiv_";
    char text[64];

    snprintf(text, sizeof text, "%s%s", prefix, name);
    return msprof_db_word(d, text);
}

static void name_metrics(struct msprof_db *d, const struct prof_meta *m, enum prof_core core,
                         struct core_names *n)
{
    n->plan = prof_metric_plan(m, core, is_pythons(d));
    n->time = metric_name(d, core, "total_time");
    n->cycles = metric_name(d, core, "total_cycles");
    for (size_t i = 0; n->plan.group && i < n->plan.group->n; i++)
        n->metric[i] = metric_name(d, core, n->plan.group->metric[i].name);
}

static int counter_row(struct msprof_db *d, int64_t task, struct val name, struct val value, struct err *e)
{
    return msprof_db_row(d, (struct val[]){ val_int(task), name, value }, e);
}

static int core_rows(struct msprof_db *d, int64_t task, const struct core_names *n,
                     const struct prof_counts *x, enum prof_core core, double us, struct err *e)
{
    const struct prof_metric_group *g = n->plan.group;

    if (counter_row(d, task, n->time, val_real(us * 1000), e) ||
        counter_row(d, task, n->cycles, val_uint(x->cycles[core]), e))
        return e->code;
    for (size_t i = 0; g && i < g->n; i++) {
        double v = x->has[core] ? prof_metric(&n->plan, i, x->cycles[core], x->v[core], us) : 0;
        if (g->metric[i].form == PROF_M_TIME)
            v *= 1000;
        if (counter_row(d, task, n->metric[i], val_real(v), e))
            break;
    }
    return e->code;
}

static int task_counters(struct msprof_db *d, size_t dev, const struct prof_task *t,
                         const struct core_names *names, struct err *e)
{
    const struct prof_device *x = &d->r->m.dev[dev];
    const struct prof_host *h = &d->r->m.host;
    const struct prof_meta *m = &x->f->meta;
    const struct prof_host_task *ht = msprof_db_host_of(d, t);
    const struct prof_op *op = ht && ht->op < h->n_ops ? &h->op[ht->op] : NULL;
    struct prof_counts c;

    if (!prof_pmu_get(d->r->pmu[dev], t, is_pythons(d), &c))
        return OK;
    int64_t task = msprof_db_device_task(d, dev, t);
    uint64_t hz = prof_freq_at(x, c.end);
    for (int core = 0; core < n_cores(d) && !e->code; core++) {
        uint32_t blocks = !op ? 0 : core == (int)c.main ? op->block : op->mix_block;
        if (core != (int)c.main && !blocks &&
            !c.has_span) { /* its records cannot be distinguished from those of others */
            c.has[core] = false;
            c.cycles[core] = 0;
        }
        double us = prof_counts_us(&c, (enum prof_core)core, m, hz, blocks);
        if (is_pythons(d))
            us = emit_round(us, 2);
        (void)!core_rows(d, task, &names[core], &c, (enum prof_core)core, us, e);
    }
    return e->code;
}

/*
 * Only for chips whose tasks have ids there (IsStarsChip in msprof's
 * csrc/domain/data_process/ai_task/unified_pmu_processor.cpp).
 */
static int counter_rows(struct msprof_db *d, struct err *e)
{
    if (d->r->m.p->chip->scheduler != CHIP_STARS)
        return OK;
    for (size_t dev = 0; dev < d->r->m.n_dev && !e->code; dev++) {
        struct core_names names[N_PROF_CORES];
        const struct prof_device *x = &d->r->m.dev[dev];
        if (!prof_pmu_n(d->r->pmu[dev]))
            continue;
        for (int core = 0; core < n_cores(d); core++)
            name_metrics(d, &x->f->meta, (enum prof_core)core, &names[core]);
        for (size_t i = 0; i < x->n_tasks && !e->code; i++)
            if (x->task[i].counter != PROF_NONE)
                (void)!task_counters(d, dev, &x->task[i], names, e);
    }
    return e->code;
}

/* ---- overlap ---- */

/* A device with its clock. */
struct timed {
    const struct msprof_db *d;
    size_t dev;
};

static int64_t at_ns(const void *arg, uint64_t counter)
{
    const struct timed *x = arg;

    return msprof_db_device_ns(x->d, x->dev, counter);
}

static int64_t task_end_ns(const void *arg, const struct prof_task *t)
{
    const struct timed *x = arg;

    return end_ns(x->d, x->dev, t);
}

static int put_spans(struct msprof_db *d, size_t dev, const struct prof_overlap *o, int64_t *id,
                     struct err *e)
{
    for (int k = 0; k < N_OVERLAP_KINDS; k++) {
        for (size_t i = 0; i < o->of[k].n; i++) {
            const struct span *x = &o->of[k].v[i];
            struct val v[] = {
                val_int((*id)++), device_id(d, dev), val_int(x->from), val_int(x->to), val_int(k),
            };
            if (msprof_db_row(d, v, e))
                return e->code;
        }
    }
    return OK;
}

static int overlap_rows(struct msprof_db *d, struct err *e)
{
    int64_t id = 0;

    for (size_t dev = 0; dev < d->r->m.n_dev && !e->code; dev++) {
        struct timed x = { d, dev };
        const struct prof_overlap_clock clock = { at_ns, task_end_ns, &x };
        struct prof_overlap o = { .like_cpp = d->r->o->compat };
        if (prof_overlap_make_by(&o, d->r->m.p, &d->r->m.dev[dev], &d->r->m.host, &d->r->m.comm[dev],
                                 &d->r->how[dev], &clock, e) == OK)
            (void)!put_spans(d, dev, &o, &id, e);
        prof_overlap_done(&o);
    }
    return e->code;
}

/* ---- frequency ---- */

static int freq_row(struct msprof_db *d, size_t dev, int64_t ns, uint32_t mhz, struct err *e)
{
    struct val v[] = { device_id(d, dev), val_int(ns), number(mhz), val_int(-1) };

    return msprof_db_row(d, v, e);
}

/*
 * A row at the beginning, at each change and at the end (doc/formats/msprof.md#timeline). compat: every
 * change twice, also one at the beginning (doc/formats/prof-quirks.md#output-quirks).
 */
static int device_freq(struct msprof_db *d, size_t dev, struct err *e)
{
    const struct prof_device *x = &d->r->m.dev[dev];
    const struct prof_folder *f = d->r->m.p->host ? d->r->m.p->host : x->f;
    bool compat = d->r->o->compat;
    int64_t begin = prof_begin_ns(x->f), from = compat ? begin : begin + 1;
    uint32_t first = x->freq[0].mhz;

    for (size_t i = 0; i < x->n_freq && prof_device_ns(x->f, x->freq[i].counter) < from; i++)
        first = x->freq[i].mhz;
    if (freq_row(d, dev, begin, first, e))
        return e->code;
    for (size_t i = 0; i < x->n_freq && prof_has(x->f, PROF_FREQ); i++) {
        int64_t ns = prof_device_ns(x->f, x->freq[i].counter);
        for (int k = 0; ns >= from && k < (compat ? 2 : 1); k++)
            if (freq_row(d, dev, ns, x->freq[i].mhz, e))
                return e->code;
    }
    if (f->meta.has_end)
        (void)!freq_row(d, dev, prof_end_ns(f), x->freq[x->n_freq - 1].mhz, e);
    return e->code;
}

/* Chips whose frequency changes are in their data (doc/formats/prof.md#lpmfreqconv). */
static int freq_rows(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; msprof_has_freq(d->r, DIALECT_CPP) && dev < d->r->m.n_dev; dev++)
        if (d->r->m.dev[dev].n_freq && device_freq(d, dev, e))
            break;
    return e->code;
}

const struct msprof_db_table msprof_db_device[] = {
    { "TASK",
      "startNs,endNs,deviceId,connectionId,globalTaskId,globalPid,taskType,contextId,streamId,"
      "taskId,modelId",
      .rows = task_rows, .index = "TaskIndex", .index_columns = "startNs,globalTaskId" },
    { "TASK_PMU_INFO", "globalTaskId,name,value n", .rows = counter_rows },
    { "OVERLAP_ANALYSIS", "id pk,deviceId,startNs n,endNs n,type", .rows = overlap_rows },
    { "AICORE_FREQ", "deviceId,timestampNs n,freq,dieId n", .rows = freq_rows },
    { .name = NULL },
};
