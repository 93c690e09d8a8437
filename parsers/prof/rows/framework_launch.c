/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which range of the framework launched what ran on the devices, looked up once; and when the kernels of the
 * steps ran that the program marked (doc/formats/framework.md#step-marks, #torch_npu-joins).
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/rows/rows_framework.h"

/* ---- launches ---- */

/* Of a step of torch_npu: its first and last launch, by number, and when what they launched ran. */
struct of_step {
    int64_t first, first_start, last, last_end;
};
struct finding {
    struct prof_rows_framework *w;
    const struct prof_rows *r;
    struct of_step *of_step;
    size_t dev;
};

/*
 * Launches are numbered by the task of the queue that made them, without a queue by their time
 * (doc/formats/framework.md#torch_npu-joins).
 */
static void count(const struct finding *x, uint32_t range, int64_t call, uint64_t start, uint64_t end)
{
    const struct framework_step *s = prof_rows_marked_step(x->w, x->w->f.range[range].from);
    const struct framework_queued *put = framework_put_at(&x->w->joins, call);
    const struct prof_folder *f = x->r->m.dev[x->dev].f;
    int64_t id = put ? (int64_t)put->correlation : call;

    if (!s)
        return;
    struct of_step *of = &x->of_step[s - x->w->step];
    int64_t from = prof_device_ns(f, start), to = prof_device_ns(f, end);
    if (id < of->first || (id == of->first && from < of->first_start)) {
        of->first = id;
        of->first_start = from;
    }
    if (id > of->last || (id == of->last && to > of->last_end)) {
        of->last = id;
        of->last_end = to;
    }
}

static uint32_t find_launcher(const struct finding *x, uint32_t thread, uint64_t call, uint64_t start,
                              uint64_t end)
{
    int64_t at = prof_host_ns(x->r->m.p->host, call);
    uint32_t range = framework_launcher(&x->w->joins, thread, at);

    if (range != FRAMEWORK_NONE && x->of_step)
        count(x, range, at, start, end);
    return range;
}

/* The call that launched a task of its own, NULL: it is part of a communication op, or none is known. */
static const struct prof_api *call_of(const struct prof_rows *r, const struct prof_task *t)
{
    const struct prof_host_task *h = t->host == PROF_NONE ? NULL : &r->m.host.task[t->host];

    if (!h || h->api == PROF_NONE || t->outer || (h->op == PROF_NONE && h->comm != PROF_NONE))
        return NULL;
    return &r->m.host.api[h->api];
}

static uint32_t thread_of(const struct prof_rows *r, size_t dev, const struct prof_comm_run *run)
{
    const struct prof_comm_task *first = &r->m.comm[dev].task[run->at];

    return r->m.host.task[first->host].thread;
}

static int find_launches(const struct finding *x, struct err *e)
{
    const struct prof_rows *r = x->r;
    const struct prof_device *d = &r->m.dev[x->dev];
    const struct prof_comm *c = &r->m.comm[x->dev];
    uint32_t *v = x->w->launch[x->dev] = spool_array(x->w->f.pool, d->n_tasks + c->n_runs + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        const struct prof_api *a = call_of(r, t);
        v[i] = a ? find_launcher(x, a->thread, a->begin, t->start, t->end) : FRAMEWORK_NONE;
    }
    for (size_t i = 0; i < c->n_runs; i++) {
        const struct prof_comm_run *run = &c->run[i];
        v[d->n_tasks + i] =
            run->n ? find_launcher(x, thread_of(r, x->dev, run), run->first, run->start, run->end)
                   : FRAMEWORK_NONE;
    }
    return OK;
}

uint32_t prof_rows_launcher(const struct prof_rows *r, size_t dev, size_t task)
{
    return r->w && dev < r->w->n_launch ? r->w->launch[dev][task] : FRAMEWORK_NONE;
}

uint32_t prof_rows_comm_launcher(const struct prof_rows *r, size_t dev, size_t run)
{
    return prof_rows_launcher(r, dev, r->m.dev[dev].n_tasks + run);
}

static int each_task(const struct prof_rows_framework *w, const struct prof_rows *r, size_t dev,
                     prof_launched_fn *fn, void *arg, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];

    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        if (w->launch[dev][i] == FRAMEWORK_NONE || t->end < t->start)
            continue;
        const struct prof_host_task *h = &r->m.host.task[t->host];
        const struct prof_launched l = { .dev = dev,
                                         .from = prof_device_ns(d->f, t->start),
                                         .to = prof_device_ns(d->f, t->end),
                                         .call = prof_host_ns(r->m.p->host, r->m.host.api[h->api].begin),
                                         .stream = t->stream,
                                         .op = h->op,
                                         .range = w->launch[dev][i],
                                         .id = i };
        if (fn(arg, &l, e))
            return e->code;
    }
    return OK;
}

static int each_comm_op(const struct prof_rows_framework *w, const struct prof_rows *r, size_t dev,
                        prof_launched_fn *fn, void *arg, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    const struct prof_comm *c = &r->m.comm[dev];

    for (size_t i = 0; i < c->n_runs; i++) {
        const struct prof_comm_run *run = &c->run[i];
        uint32_t range = w->launch[dev][d->n_tasks + i];
        if (range == FRAMEWORK_NONE || run->end < run->start)
            continue;
        const struct prof_launched l = { .dev = dev,
                                         .from = prof_device_ns(d->f, run->start),
                                         .to = prof_device_ns(d->f, run->end),
                                         .call = prof_host_ns(r->m.p->host, run->first),
                                         .stream = d->task[c->task[run->at].task].stream,
                                         .op = PROF_NONE,
                                         .range = range,
                                         .id = d->n_tasks + i };
        if (fn(arg, &l, e))
            return e->code;
    }
    return OK;
}

static int each_launched(const struct prof_rows_framework *w, const struct prof_rows *r, prof_launched_fn *fn,
                         void *arg, struct err *e)
{
    for (size_t i = 0; i < w->n_launch; i++)
        if (each_task(w, r, i, fn, arg, e) || each_comm_op(w, r, i, fn, arg, e))
            return e->code;
    return OK;
}

int prof_rows_each_launched(const struct prof_rows *r, prof_launched_fn *fn, void *arg, struct err *e)
{
    return r->w ? each_launched(r->w, r, fn, arg, e) : OK;
}

/* ---- steps ---- */

/*
 * The first step that covers an instant; kernels: of its kernels, else of its mark. That is the first step
 * that reaches the instant, when it has begun by then: those after it begin no earlier.
 */
static const struct framework_step *covering(const struct prof_rows_framework *w, int64_t at, bool kernels)
{
    size_t low = 0, high = w->n_steps;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if ((kernels ? w->step[mid].kernel_reach : w->step[mid].reach) < at)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == w->n_steps || (kernels ? w->step[low].begin : w->step[low].from) > at)
        return NULL;
    return &w->step[low];
}

const struct framework_step *prof_rows_marked_step(const struct prof_rows_framework *w, int64_t at)
{
    return covering(w, at, false);
}

const struct framework_step *prof_rows_kernel_step(const struct prof_rows_framework *w, int64_t at)
{
    return covering(w, at, true);
}

/*
 * A run that died left no mark of the step that it was in: that begins with the first range after the last
 * mark.
 */
static int add_cut_step(struct prof_rows_framework *w, const struct prof_rows *r, struct err *e)
{
    const struct framework *f = &w->f;
    int64_t last = INT64_MIN, first = INT64_MAX;

    if (!w->n_steps || r->m.p->host->meta.has_end)
        return OK;
    for (size_t i = 0; i < w->n_steps; i++)
        last = w->step[i].to > last ? w->step[i].to : last;
    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[i];
        if (!(x->is & (RANGE_FRAME | RANGE_FLOW)) && x->from > last && x->from < first)
            first = x->from;
    }
    int64_t number;
    if (first == INT64_MAX || __builtin_add_overflow(w->step[w->n_steps - 1].number, 1, &number))
        return OK;
    struct framework_step *v = spool_grow(f->pool, w->step, w->n_steps, &w->cap_steps, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    w->step = v;
    v[w->n_steps++] = (struct framework_step){ .from = first, .to = INT64_MAX, .number = number };
    return OK;
}

static void set_reach(struct prof_rows_framework *w)
{
    int64_t reach = INT64_MIN, kernel_reach = INT64_MIN;

    for (size_t i = 0; i < w->n_steps; i++) {
        struct framework_step *s = &w->step[i];
        s->reach = reach = s->to > reach ? s->to : reach;
        s->kernel_reach = kernel_reach = s->end > kernel_reach ? s->end : kernel_reach;
    }
}

/*
 * The kernels of a step of torch_npu begin with the first that the step launched, and end with the last one
 * or the mark; one that launched none has none (doc/formats/framework.md#torch_npu-joins).
 */
static void time_steps(struct prof_rows_framework *w, const struct of_step *of)
{
    int64_t before = INT64_MIN;

    for (size_t i = 0; i < w->n_steps; i++) {
        struct framework_step *s = &w->step[i];
        bool launched = of[i].first != INT64_MAX;
        if (launched && of[i].first_start > before)
            before = of[i].first_start;
        s->begin = before; /* in order */
        s->end = !launched ? INT64_MIN : s->to > of[i].last_end ? s->to : of[i].last_end;
    }
}

static int begin_steps(struct prof_rows_framework *w, struct of_step **of, struct err *e)
{
    for (size_t i = 0; i < w->n_steps; i++) {
        w->step[i].begin = w->step[i].from;
        w->step[i].end = w->step[i].to;
    }
    set_reach(w);
    if (!w->f.torch || !w->n_steps)
        return OK;
    *of = spool_array(w->f.pool, w->n_steps, sizeof **of);
    for (size_t i = 0; *of && i < w->n_steps; i++)
        (*of)[i] = (struct of_step){ INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN };
    return *of ? OK : err_nomem(e);
}

int prof_rows_launch(struct prof_rows_framework *w, struct prof_rows *r, struct err *e)
{
    struct finding x = { .w = w, .r = r };

    w->launch = calloc(r->m.n_dev + 1, sizeof *w->launch);
    if (!w->launch)
        return err_nomem(e);
    if (add_cut_step(w, r, e) == OK && begin_steps(w, &x.of_step, e) == OK)
        for (; x.dev < r->m.n_dev && find_launches(&x, e) == OK; x.dev++)
            w->n_launch++;
    if (x.of_step && !e->code) {
        time_steps(w, x.of_step);
        set_reach(w);
    }
    spool_free(w->f.pool, x.of_step);
    return e->code;
}
