/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_usage.csv, process_cpu_usage.csv, sys_mem.csv, process_mem.csv, dvpp.csv
 * (doc/formats/prof.md#text-samples, doc/formats/msprof.md#csv-columns): of Python's half on every chip. How
 * cells are computed: upstream, analysis/viewer/{cpu_usage_report,get_msvp_summary_mem,peripheral_report}.py,
 * analysis/msmodel/hardware.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/run.h"
#include "parsers/prof/sampled/system.h"

#define MAX_ROWS 4096 /* engines, processes: there are fewer */

/* Adds the rows of one folder to a table of the host and all devices. */
typedef int folder_fn(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c, struct err *e);

static int table(struct msprof_run *r, const char *name, const char *header, folder_fn *fn, struct err *e)
{
    struct msprof_csv c;

    if (msprof_csv_begin(&c, r, name, 0, header, e))
        return e->code;
    if (r->m.p->host)
        (void)!fn(r, r->m.p->host, &c, e);
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        (void)!fn(r, r->m.p->device[i], &c, e);
    return msprof_csv_end(&c, e);
}

/* A row that begins with "host" or the device. NULL: e is set. */
static struct emit *row_of(const struct prof_folder *f, struct msprof_csv *c, struct err *e)
{
    struct emit *o = msprof_csv_row(c, e);

    if (!o)
        return NULL;
    if (f->host)
        emit_s(o, "host");
    else
        emit_u(o, (uint64_t)f->device);
    return o;
}

static void put_real(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, v);
}

static void put_u(struct emit *o, uint64_t v)
{
    emit_c(o, ',');
    emit_u(o, v);
}

/* ---- processors: means since the system was started, over all samples ---- */

static int add_times(void *arg, const struct prof_cputimes *c, struct err *e)
{
    double(*sum)[N_PROF_CPUTIME] = arg;

    (void)e;
    for (size_t i = 0; i < N_PROF_CPUTIME; i++)
        sum[c->kind][i] += (double)c->v[i];
    return OK;
}

static int cpu_rows(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c, struct err *e)
{
    static const char *const words[N_PROF_CPU_KINDS] = { NULL, "aicpu", "ctrlcpu", "host" };
    static const enum prof_cputime cells[] = { PROF_CPU_USER, PROF_CPU_SYS,  PROF_CPU_IOWAIT,
                                               PROF_CPU_IRQ,  PROF_CPU_SOFT, PROF_CPU_IDLE };
    double sum[N_PROF_CPU_KINDS][N_PROF_CPUTIME] = { { 0 } };
    struct emit *o;

    if (prof_cputimes_read(r->m.p, f, add_times, sum, e))
        return e->code;
    for (size_t k = 0; k < N_PROF_CPU_KINDS; k++) {
        double all = 0;
        for (size_t i = 0; i < N_PROF_CPUTIME; i++)
            all += sum[k][i];
        if (!words[k] || !(all > 0))
            continue;
        if (!(o = row_of(f, c, e)))
            return e->code;
        emit_c(o, ',');
        emit_s(o, words[k]);
        for (size_t i = 0; i < ARRAY_LEN(cells); i++)
            put_real(o, emit_round(sum[k][cells[i]] / all * 100, 3));
        emit_c(o, '\n');
    }
    return OK;
}

/* ---- memory ---- */

struct memory_sums {
    double sum[N_PROF_MEMINFO];
    uint64_t n;
};

static int add_memory(void *arg, const struct prof_meminfo *m, struct err *e)
{
    struct memory_sums *s = arg;

    (void)e;
    s->n++;
    for (size_t i = 0; i < N_PROF_MEMINFO; i++)
        s->sum[i] += (double)m->v[i];
    return OK;
}

/* A whole number, cut. */
static uint64_t mean(double sum, uint64_t n)
{
    double v = floor(sum / (double)n);

    return v > 0 && v < 1.8e19 ? (uint64_t)v : 0;
}

static int memory_rows(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c, struct err *e)
{
    struct memory_sums s = { .n = 0 };
    struct emit *o;

    if (prof_meminfo_read(r->m.p, f, add_memory, &s, e) || !s.n || !(o = row_of(f, c, e)))
        return e->code;
    for (size_t i = 0; i < N_PROF_MEMINFO; i++)
        put_u(o, mean(s.sum[i], s.n));
    emit_c(o, '\n');
    return OK;
}

/* ---- processes ---- */

struct process {
    uint64_t pid, n;
    uint32_t name;
    double sum[3]; /* share; or size, resident, shared */
    double order;
};
struct processes {
    struct process *v;
    size_t n, cap;
};

/* NULL: e is set, or there are too many. */
static struct process *process_of(struct processes *a, uint64_t pid, uint32_t name, struct err *e)
{
    for (size_t i = a->n; i-- > 0;)
        if (a->v[i].pid == pid)
            return &a->v[i];
    if (a->n == MAX_ROWS)
        return NULL;
    struct process *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 16);
    if (!v) {
        (void)err_nomem(e);
        return NULL;
    }
    a->v = v;
    v[a->n] = (struct process){ .pid = pid, .name = name };
    return &v[a->n++];
}

static int by_order(const void *va, const void *vb)
{
    const struct process *a = va, *b = vb;

    if (a->order < b->order || a->order > b->order)
        return a->order < b->order ? 1 : -1;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static void sort(struct processes *a)
{
    if (a->n)
        qsort(a->v, a->n, sizeof *a->v, by_order);
}

static struct emit *process_row(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c,
                                const struct process *x, struct err *e)
{
    struct emit *o = row_of(f, c, e);

    if (o) {
        put_u(o, x->pid);
        msprof_cell(o, prof_str(r->m.p, x->name));
    }
    return o;
}

static int add_busy(void *arg, const struct prof_process_cpu *c, struct err *e)
{
    struct process *x = process_of(arg, c->pid, c->name, e);

    if (x && c->whole) {
        x->n++;
        x->sum[0] += (double)c->busy / (double)c->whole;
    }
    return e->code;
}

static int process_cpu_rows(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c,
                            struct err *e)
{
    struct processes a = { .v = NULL };
    struct emit *o;

    if (prof_process_cpu_read(r->m.p, f, add_busy, &a, e) == OK) {
        for (size_t i = 0; i < a.n; i++)
            a.v[i].order = a.v[i].n ? 100 * a.v[i].sum[0] / (double)a.v[i].n : 0;
        sort(&a);
        for (size_t i = 0; i < a.n && (o = process_row(r, f, c, &a.v[i], e)) != NULL; i++) {
            put_real(o, emit_round(a.v[i].order, 3));
            emit_c(o, '\n');
        }
    }
    free(a.v);
    return e->code;
}

static int add_pages(void *arg, const struct prof_process_mem *m, struct err *e)
{
    struct process *x = process_of(arg, m->pid, m->name, e);

    if (x) {
        x->n++;
        x->sum[0] += (double)m->size;
        x->sum[1] += (double)m->resident;
        x->sum[2] += (double)m->shared;
    }
    return e->code;
}

static int process_mem_rows(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c,
                            struct err *e)
{
    struct processes a = { .v = NULL };
    struct emit *o;

    if (prof_process_mem_read(r->m.p, f, add_pages, &a, e) == OK) {
        for (size_t i = 0; i < a.n; i++)
            for (size_t k = 0; k < 3; k++)
                a.v[i].order += (double)mean(a.v[i].sum[k], a.v[i].n);
        sort(&a);
        for (size_t i = 0; i < a.n && (o = process_row(r, f, c, &a.v[i], e)) != NULL; i++) {
            for (size_t k = 0; k < 3; k++)
                put_u(o, mean(a.v[i].sum[k], a.v[i].n));
            emit_c(o, '\n');
        }
    }
    free(a.v);
    return e->code;
}

/* ---- engines ---- */

struct engine {
    uint32_t id, type, engine;
    double min[2], max[2]; /* time, frames */
    double usage;          /* the last */
};
struct engines {
    struct engine *v;
    size_t n, cap;
};

static int add_engine(void *arg, const struct prof_dvpp *d, struct err *e)
{
    const double now[2] = { d->time, d->frames };
    struct engines *a = arg;
    size_t k = 0;

    while (k < a->n && (a->v[k].id != d->id || a->v[k].type != d->type || a->v[k].engine != d->engine))
        k++;
    if (k == MAX_ROWS)
        return OK;
    if (k == a->n) {
        struct engine *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 16);
        if (!v)
            return err_nomem(e);
        a->v = v;
        v[a->n++] = (struct engine){ .id = d->id,
                                     .type = d->type,
                                     .engine = d->engine,
                                     .min = { now[0], now[1] },
                                     .max = { now[0], now[1] } };
    }
    struct engine *x = &a->v[k];
    for (size_t i = 0; i < 2; i++) {
        x->min[i] = now[i] < x->min[i] ? now[i] : x->min[i];
        x->max[i] = now[i] > x->max[i] ? now[i] : x->max[i];
    }
    x->usage = d->usage;
    return OK;
}

static int by_engine(const void *va, const void *vb)
{
    const struct engine *a = va, *b = vb;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return a->engine < b->engine ? -1 : a->engine > b->engine;
}

/* A number as in the file: whole ones without a point. */
static void put_as_read(struct emit *o, double v)
{
    if (v >= 0 && v < 1e15 && floor(v) == v)
        put_u(o, (uint64_t)v);
    else
        put_real(o, v);
}

static int engine_rows(struct msprof_run *r, const struct prof_folder *f, struct msprof_csv *c, struct err *e)
{
    struct engines a = { .v = NULL };
    struct emit *o;

    if (prof_dvpp_read(r->m.p, f, add_engine, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_engine);
        for (size_t i = 0; i < a.n && (o = row_of(f, c, e)) != NULL; i++) {
            const struct engine *x = &a.v[i];
            const char *word = prof_dvpp_word(x->type);
            put_u(o, x->id);
            emit_c(o, ',');
            emit_s(o, word ? word : "");
            put_u(o, x->engine);
            put_real(o, x->max[0] - x->min[0]);
            put_real(o, x->max[1] - x->min[1]);
            put_as_read(o, x->usage);
            emit_c(o, '\n');
        }
    }
    free(a.v);
    return e->code;
}

/* ---- the whole ---- */

int msprof_system(struct msprof_run *r, struct err *e)
{
    static const struct {
        const char *name, *header;
        folder_fn *fn;
    } tables[] = {
        { "cpu_usage", "Device_id,Cpu Type,User(%),Sys(%),IoWait(%),Irq(%),Soft(%),Idle(%)", cpu_rows },
        { "process_cpu_usage", "Device_id,PID,Name,CPU(%)", process_cpu_rows },
        { "sys_mem",
          "Device_id,Memory Total(kB),Memory Free(kB),Buffers(kB),Cached(kB),Share Memory(kB),"
          "Commit Limit(kB),Committed AS(kB),Huge Pages Total(pages),Huge Pages Free(pages)",
          memory_rows },
        { "process_mem", "Device_id,PID,Name,Size(pages),Resident(pages),Shared(pages)", process_mem_rows },
        { "dvpp", "Device_id,Dvpp Id,Engine Type,Engine ID,All Time(us),All Frame,All Utilization(%)",
          engine_rows },
    };

    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (table(r, tables[i].name, tables[i].header, tables[i].fn, e) && !emit_goes_on(e))
            break;
    return e->code;
}
