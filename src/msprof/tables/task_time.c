/* SPDX-License-Identifier: Apache-2.0 */
/* task_time.csv: every task of the devices (doc/formats/msprof.md#output-files, #csv-columns). */
#include "config.h"

#include "msprof/tables/ops.h"
#include "msprof/tables/task_report.h"

#include <stdlib.h>

#include "base/grow.h"

#define HEADER                                                                                               \
    "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),"                      \
    "task_stop(us)"

/* A task that has rows of sub-tasks with context 0. */
struct shown {
    uint32_t stream, task, batch, device;
};

struct table {
    struct msprof_run *r;
    struct shown *sub; /* sorted */
    size_t n_sub, cap_sub;
    bool all_devices; /* tasks of all devices with the same ids are one task */
    size_t *at;       /* by device: the next task */
    struct emit *o;
};

/* ---- which tasks are rows ---- */

static bool is_kept(const struct msprof_run *r, size_t device, const struct prof_task *t)
{
    return msprof_keeps_row(r, device, t);
}

static struct shown key_of(const struct table *t, size_t device, const struct prof_task *x)
{
    return (struct shown){ .stream = x->stream,
                           .task = x->task,
                           .batch = x->batch,
                           .device = t->all_devices ? 0 : (uint32_t)device };
}

static int by_key(const void *va, const void *vb)
{
    const struct shown *a = va, *b = vb;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return a->batch < b->batch ? -1 : a->batch > b->batch;
}

/* A task with a row of context 0 has no other rows (doc/formats/msprof.md#output-files). */
static int find_subs(struct table *t, struct err *e)
{
    for (size_t d = 0; d < t->r->m.n_dev; d++)
        for (size_t i = 0; i < t->r->m.dev[d].n_tasks; i++) {
            const struct prof_task *x = &t->r->m.dev[d].task[i];
            if (x->context != 0 || !is_kept(t->r, d, x))
                continue;
            struct shown *v = spool_grow(t->r->m.p->spool, t->sub, t->n_sub, &t->cap_sub, sizeof *v, 64);
            if (!v)
                return err_nomem(e);
            t->sub = v;
            v[t->n_sub++] = key_of(t, d, x);
        }
    if (t->n_sub)
        qsort(t->sub, t->n_sub, sizeof *t->sub, by_key);
    return OK;
}

static bool is_row(const struct table *t, size_t device, const struct prof_task *x)
{
    if (!is_kept(t->r, device, x))
        return false;
    if (x->context == 0 || !t->n_sub)
        return true;
    struct shown key = key_of(t, device, x);
    return !bsearch(&key, t->sub, t->n_sub, sizeof key, by_key);
}

/* ---- cells ---- */

static struct str name_of(const struct msprof_run *r, const struct prof_task *t)
{
    uint32_t name = t->host != PROF_NONE ? r->m.host.task[t->host].kernel : PROF_NONE;

    return name == PROF_NONE ? STR("N/A") : prof_str(r->m.p, name);
}

static struct str device_type(const struct msprof_run *r, const struct prof_task *t)
{
    const char *word = t->source == PROF_BY_HWTS ? "Other" : prof_device_word(r->m.p, t);

    return word ? str_of(word) : STR("UNKNOWN");
}

static struct str type_of(const struct msprof_run *r, const struct prof_task *t)
{
    const struct prof_host_task *h = t->host != PROF_NONE ? &r->m.host.task[t->host] : NULL;

    if (!h)
        return device_type(r, t);
    if (h->op != PROF_NONE && r->m.host.op[h->op].core != PROF_NONE)
        return prof_str(r->m.p, r->m.host.op[h->op].core);
    struct str type = prof_str(r->m.p, h->type);
    return str_eq(type, STR("FFTS_PLUS")) ? device_type(r, t) : type;
}

static void put_stamp(struct emit *o, int64_t ns)
{
    emit_c(o, ',');
    msprof_put_ns(o, ns, true);
}

/* Python's doubles in ns (doc/formats/prof.md#clocks). */
static void put_python_times(const struct table *t, size_t device, const struct prof_task *x)
{
    const struct msprof_clock *c = &t->r->clock[device];
    double start = msprof_dev(c, x->start, 1e9), duration = msprof_dev(c, x->end, 1e9) - start;

    if (x->source == PROF_BY_AICPU) {
        double a = start / 1e6, b = msprof_dev(c, x->end, 1e9) / 1e6;
        start = a * 1e6;
        duration = (b - a) * 1e6;
    }
    emit_repr(t->o, emit_round(duration / 1000, 3));
    put_stamp(t->o, msprof_local_ns(c, start));
    put_stamp(t->o, msprof_local_ns(c, start + duration));
}

static void put_row(const struct table *t, size_t device, const struct prof_task *x)
{
    const struct prof_folder *f = t->r->m.dev[device].f;

    emit_i(t->o, f->device);
    msprof_cell(t->o, name_of(t->r, x));
    msprof_cell(t->o, type_of(t->r, x));
    emit_c(t->o, ',');
    emit_u(t->o, x->stream);
    emit_c(t->o, ',');
    emit_u(t->o, x->task);
    emit_c(t->o, ',');
    if (t->r->dialect == DIALECT_PYTHON) {
        put_python_times(t, device, x);
    } else {
        int64_t start = prof_device_ns(f, x->start), end = prof_device_ns(f, x->end);
        msprof_put_ns(t->o, end - start, false);
        put_stamp(t->o, start);
        put_stamp(t->o, end);
    }
    emit_c(t->o, '\n');
}

static void put_copy(const struct table *t, size_t device, const struct prof_copy *x)
{
    const struct msprof_clock *c = &t->r->clock[device];
    double start = msprof_dev(c, x->start, 1e6), end = msprof_dev(c, x->end, 1e6);

    emit_i(t->o, t->r->m.dev[device].f->device);
    emit_s(t->o, ",MemcopyAsync,other,");
    emit_u(t->o, x->stream);
    emit_c(t->o, ',');
    emit_u(t->o, x->task);
    emit_c(t->o, ',');
    msprof_put_column(t->o, emit_round(end - start, 3));
    put_stamp(t->o, msprof_local_us(c, start));
    put_stamp(t->o, msprof_local_us(c, end));
    emit_c(t->o, '\n');
}

/* ---- rows in their order ---- */

static void skip(struct table *t, size_t device)
{
    const struct prof_device *d = &t->r->m.dev[device];

    while (t->at[device] < d->n_tasks && !is_row(t, device, &d->task[t->at[device]]))
        t->at[device]++;
}

/*
 * The device of the next row: Python goes through the devices in turn, C++ by start. n_dev: no row is left.
 */
static size_t next_device(const struct table *t)
{
    size_t best = t->r->m.n_dev;
    int64_t least = 0;

    for (size_t d = 0; d < t->r->m.n_dev; d++) {
        const struct prof_device *x = &t->r->m.dev[d];
        if (t->at[d] >= x->n_tasks)
            continue;
        int64_t start = prof_device_ns(x->f, x->task[t->at[d]].start);
        if (best < t->r->m.n_dev && (t->r->dialect == DIALECT_PYTHON || start >= least))
            continue;
        best = d;
        least = start;
    }
    return best;
}

static uint64_t count_rows(const struct table *t)
{
    const struct msprof_run *r = t->r;
    uint64_t n = 0;

    for (size_t d = 0; d < r->m.n_dev; d++) {
        const struct prof_device *x = &r->m.dev[d];
        for (size_t i = 0; i < x->n_tasks; i++)
            n += is_row(t, d, &x->task[i]);
        for (size_t i = 0; i < x->n_copies; i++)
            n += msprof_has_copy(r, d, i);
    }
    return n;
}

static void put_copies(struct table *t, struct msprof_csv *c, size_t d, struct err *e)
{
    for (size_t i = 0; i < t->r->m.dev[d].n_copies && !e->code; i++)
        if (msprof_has_copy(t->r, d, i) && (t->o = msprof_csv_row(c, e)) != NULL)
            put_copy(t, d, &t->r->m.dev[d].copy[i]);
}

static int write_rows(struct table *t, uint64_t n, struct err *e)
{
    struct msprof_run *r = t->r;
    struct msprof_csv c;

    if (msprof_csv_begin(&c, r, "task_time", n, HEADER, e))
        return e->code;
    for (size_t d = 0; d < r->m.n_dev; d++)
        skip(t, d);
    size_t done = 0; /* devices whose copies were written: they follow the tasks, in Python of each device */
    for (size_t d; !e->code && (d = next_device(t)) < r->m.n_dev; skip(t, d)) {
        const struct prof_task *x = &r->m.dev[d].task[t->at[d]++];
        for (; done < d && r->dialect == DIALECT_PYTHON; done++)
            put_copies(t, &c, done, e);
        if (!e->code && (t->o = msprof_csv_row(&c, e)) != NULL)
            put_row(t, d, x);
    }
    for (; done < r->m.n_dev; done++)
        put_copies(t, &c, done, e);
    return msprof_csv_end(&c, e);
}

/*
 * msprof's C++ takes tasks of different devices with the same ids for one task
 * (doc/formats/msprof.md#output-files).
 */
int msprof_task_time(struct msprof_run *r, struct err *e)
{
    struct table t = { .r = r, .all_devices = r->o->compat && r->dialect == DIALECT_CPP };

    if (r->m.p->chip->scheduler == CHIP_TS)
        return msprof_task_report(r, e);
    t.at = calloc(r->m.n_dev + 1, sizeof *t.at);
    if (!t.at)
        (void)!err_nomem(e);
    else if (find_subs(&t, e) == OK) {
        uint64_t n = count_rows(&t);
        if (n)
            (void)!write_rows(&t, n, e);
    }
    free(t.at);
    spool_free(r->m.p->spool, t.sub);
    return e->code;
}
