/* SPDX-License-Identifier: Apache-2.0 */
/*
 * l2_cache.csv, soc_pmu.csv, page_fault.csv (doc/formats/prof.md#binary-samples,
 * doc/formats/msprof.md#csv-columns): counters of tasks. The first two come from Python's half on every chip.
 * A record has no time: where a task id repeats, its records are matched in order with the tasks of that id,
 * if there are equally many of both.
 *
 * The data of socpmu goes to all three files (upstream, analysis/msparser/l2_cache/soc_pmu_parser.py,
 * analysis/mscalculate/l2_cache/soc_pmu_calculator.py,
 * analysis/csrc/domain/data_process/system/page_fault_processor.cpp).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/run.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"

#define STREAMS 2048 /* of hwts: ids are modulo this */

/*
 * Events that are added up for a rate: their numbers, negative ones are subtracted; a 0 in the first element
 * is event 0.
 */
#define MAX_PARTS 6
struct sum {
    int16_t part[MAX_PARTS];
    uint8_t n;
};
static const struct {
    struct sum request, hit, victim;
} l2_events[] = {
    [CHIP_L2_910] = { .request = { { 0x59 }, 1 }, .hit = { { 0x5b }, 1 }, .victim = { { 0x5c }, 1 } },
    [CHIP_L2_310P] = { .request = { { 0x78, 0x79 }, 2 }, .hit = { { 0x6a }, 1 }, .victim = { { 0x71 }, 1 } },
    [CHIP_L2_STARS] = { .request = { { 0xfb, 0xfc }, 2 },
                        .hit = { { 0x90, 0x91 }, 2 },
                        .victim = { { 0x9c }, 1 } },
    [CHIP_L2_V6] = { .request = { { 0x00 }, 1 },
                     .hit = { { 0x00, -0x81, -0x82, -0x83, -0x74, -0x75 }, 6 },
                     .victim = { { 0x74, 0x75 }, 2 } },
};
/* Events of the memory management unit: the same on all chips that have them. */
static const struct sum smmu_request = { { 0x8a }, 1 }, smmu_hit = { { 0x8c, 0x8d }, 2 },
                        smmu_miss = { { 0x02 }, 1 };

struct row {
    uint32_t stream, task, device;
    uint32_t name;      /* text of the op, PROF_NONE: not known */
    double hit, victim; /* rates, NAN: not known */
    uint64_t first;     /* event */
};
struct rows {
    struct msprof_run *r;
    struct row *v;
    size_t n, cap;
    size_t from;     /* the first row of the device that is being read */
    uint32_t device; /* its index */
    unsigned data;   /* of socpmu: enum prof_soc_pmu_kind */
};

/* ---- rates ---- */

/* Which events the eight counters of a record count. */
struct asked {
    const uint32_t *event;
    uint32_t n;
};

/* NAN: not all of its events were collected. */
static double sum_of(struct asked q, const uint64_t *event, const struct sum *s)
{
    double v = 0;

    for (size_t i = 0; i < s->n; i++) {
        uint32_t wanted = (uint32_t)abs(s->part[i]), k = 0;
        while (k < q.n && q.event[k] != wanted)
            k++;
        if (k == q.n)
            return (double)NAN;
        v += s->part[i] < 0 ? -(double)event[k] : (double)event[k];
    }
    return v;
}

static double rate(double part, double whole)
{
    return isnan(part) || isnan(whole) ? (double)NAN : whole > 0 ? part / whole : 0;
}

/* msprof does not know which events are hits where the scheduler is "stars". */
static void set_l2_rates(const struct msprof_run *r, const struct prof_meta *m, const uint64_t *event,
                         struct row *x)
{
    const struct asked q = { m->l2_event, m->n_l2_events };

    x->hit = x->victim = (double)NAN;
    if (r->m.p->chip->l2 == CHIP_L2_NONE)
        return;
    double request = sum_of(q, event, &l2_events[r->m.p->chip->l2].request);
    x->victim = rate(sum_of(q, event, &l2_events[r->m.p->chip->l2].victim), request);
    if (r->m.p->chip->scheduler != CHIP_STARS)
        x->hit = rate(sum_of(q, event, &l2_events[r->m.p->chip->l2].hit), request);
}

static void set_rates(const struct rows *a, const uint64_t *event, struct row *x)
{
    const struct prof_meta *m = &a->r->m.p->device[a->device]->meta;
    const struct asked q = { m->smmu_event, m->n_smmu_events };

    x->first = event[0];
    if (a->data == PROF_PMU_L2) {
        set_l2_rates(a->r, m, event, x);
        return;
    }
    double request = sum_of(q, event, &smmu_request);
    x->hit = rate(sum_of(q, event, &smmu_hit), request);
    x->victim = rate(sum_of(q, event, &smmu_miss), request);
}

static int add_row(struct rows *a, const struct row *x, const uint64_t *event, struct err *e)
{
    struct row *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n] = *x;
    set_rates(a, event, &v[a->n]);
    a->n++;
    return OK;
}

static int keep(void *arg, const struct prof_l2_cache *s, struct err *e)
{
    struct rows *a = arg;
    struct row x = { .stream = s->stream % STREAMS, .task = s->task, .device = a->device, .name = PROF_NONE };

    if (a->r->m.p->chip->scheduler == CHIP_STARS)
        prof_stars_ids(a->r->m.host.expanded, 0, s->stream, s->task, &x.stream, &x.task);
    return add_row(a, &x, s->event, e);
}

/* Task ids of 4 bytes are used as they are. */
static int keep_pmu(void *arg, const struct prof_soc_pmu *s, struct err *e)
{
    struct rows *a = arg;
    struct row x = { .stream = s->stream, .task = s->task, .device = a->device, .name = PROF_NONE };

    if (s->data != a->data)
        return OK;
    if (s->task <= UINT16_MAX && !a->r->m.p->chip->v6)
        prof_stars_ids(a->r->m.host.expanded, 0, s->stream, (uint16_t)s->task, &x.stream, &x.task);
    return add_row(a, &x, s->event, e);
}

/* ---- names ---- */

struct key {
    uint32_t stream, task;
    size_t i;
};

static int same_task(const struct key *a, const struct key *b)
{
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int c = same_task(x, y);

    return c ? c : x->i < y->i ? -1 : x->i > y->i;
}

static uint32_t op_of(const struct msprof_run *r, const struct prof_task *t)
{
    const struct prof_host *h = &r->m.host;
    uint32_t op = t->host < h->n_tasks ? h->task[t->host].op : PROF_NONE;

    return op < h->n_ops ? h->op[op].name : PROF_NONE;
}

static size_t run_of(const struct key *v, size_t n, size_t from)
{
    size_t to = from;

    while (to < n && !same_task(&v[from], &v[to]))
        to++;
    return to - from;
}

/* Matches sorted keys of rows and tasks: those of one task id, in order. */
static void join(struct rows *a, const struct prof_device *d, const struct key *row, const struct key *task,
                 size_t n_tasks)
{
    size_t n_rows = a->n - a->from;

    for (size_t i = 0, k = 0; i < n_rows && k < n_tasks;) {
        int c = same_task(&row[i], &task[k]);
        size_t rows = c <= 0 ? run_of(row, n_rows, i) : 0, tasks = c >= 0 ? run_of(task, n_tasks, k) : 0;
        for (size_t m = 0; !c && m < rows && (tasks == 1 || tasks == rows); m++)
            a->v[row[i + m].i].name = op_of(a->r, &d->task[task[k + (tasks == 1 ? 0 : m)].i]);
        i += rows;
        k += tasks;
    }
}

static int name_rows(struct rows *a, const struct prof_device *d, struct err *e)
{
    size_t n = 0, n_rows = a->n - a->from;
    struct key *row = calloc(n_rows + 1, sizeof *row), *task = calloc(d->n_tasks + 1, sizeof *task);

    if (row && task) {
        for (size_t i = 0; i < n_rows; i++)
            row[i] = (struct key){ a->v[a->from + i].stream, a->v[a->from + i].task, a->from + i };
        for (size_t i = 0; i < d->n_tasks; i++)
            if (op_of(a->r, &d->task[i]) != PROF_NONE)
                task[n++] = (struct key){ d->task[i].stream, d->task[i].task, i };
        qsort(row, n_rows, sizeof *row, by_key);
        qsort(task, n, sizeof *task, by_key);
        join(a, d, row, task, n);
    } else {
        (void)err_nomem(e);
    }
    free(row);
    free(task);
    return e->code;
}

/* ---- the whole ---- */

static void put_rate(struct emit *o, double v)
{
    emit_c(o, ',');
    if (isnan(v))
        emit_s(o, "N/A");
    else
        emit_repr(o, emit_round(v, 6));
}

static void put_row(const struct msprof_run *r, struct emit *o, const struct row *x, unsigned data,
                    bool named)
{
    emit_u(o, (uint64_t)r->m.p->device[x->device]->device);
    emit_c(o, ',');
    emit_u(o, x->stream);
    emit_c(o, ',');
    emit_u(o, x->task);
    if (data == PROF_PMU_PAGE_FAULT) {
        emit_c(o, ',');
        emit_u(o, x->first);
    } else {
        put_rate(o, x->hit);
        put_rate(o, x->victim);
    }
    if (named)
        msprof_cell(o, x->name == PROF_NONE ? STR("N/A") : prof_str(r->m.p, x->name));
    emit_c(o, '\n');
}

static int read_device(struct rows *a, uint32_t device, struct err *e)
{
    struct prof_folder *f = a->r->m.p->device[device];

    a->device = device;
    a->from = a->n;
    if (a->data == PROF_PMU_L2 && prof_l2_cache_read(a->r->m.p, f, keep, a, e))
        return e->code;
    if (prof_soc_pmu_read(a->r->m.p, f, keep_pmu, a, e) == OK && a->n > a->from)
        (void)!name_rows(a, &a->r->m.dev[device], e);
    return e->code;
}

static int write_table(struct msprof_run *r, unsigned data, const char *name, const char *header, bool named,
                       struct err *e)
{
    struct rows a = { .r = r, .data = data };
    struct msprof_csv c;
    struct emit *o;

    for (uint32_t i = 0; i < r->m.n_dev && !e->code; i++)
        (void)!read_device(&a, i, e);
    if (!e->code) {
        (void)!msprof_csv_begin(&c, r, name, a.n, header, e);
        for (size_t i = 0; i < a.n && (o = msprof_csv_row(&c, e)) != NULL; i++)
            put_row(r, o, &a.v[i], data, named);
        (void)!msprof_csv_end(&c, e);
    }
    free(a.v);
    return e->code;
}

int msprof_l2_cache(struct msprof_run *r, struct err *e)
{
    bool named = r->m.host.n_ops != 0;
    const struct {
        unsigned data;
        bool named;
        const char *name, *header;
    } tables[] = {
        { PROF_PMU_L2, true, "l2_cache", "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name" },
        { PROF_PMU_SMMU, named, "soc_pmu",
          named ? "Device_id,Stream Id,Task Id,TLB Hit Rate,TLB Miss Rate,Op Name"
                : "Device_id,Stream Id,Task Id,TLB Hit Rate,TLB Miss Rate" },
        { PROF_PMU_PAGE_FAULT, true, "page_fault", "Device Id,Stream Id,Task Id,Page Fault Num,Op Name" },
    };

    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (write_table(r, tables[i].data, tables[i].name, tables[i].header, tables[i].named, e) &&
            !emit_goes_on(e))
            break;
    return e->code;
}
