/* SPDX-License-Identifier: Apache-2.0 */
/*
 * op_summary: a row for each op that ran and for each communication op, with the counters of its cores
 * (doc/formats/msprof.md#ai-core-metrics, #task-wait-time, #csv-columns).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "msprof/tables/comm_before.h"
#include "msprof/tables/cores.h"
#include "msprof/tables/ops.h"
#include "msprof/tables/pmu_blocks.h"
#include "msprof/tables/pmu_window.h"
#include "parsers/prof/device/metrics.h"

#define HEADER_MAX   4096
#define TENSOR_CELLS 6

/* Metrics of a device. */
struct metrics {
    bool any; /* there are records */
    struct prof_metric_plan plan[N_PROF_CORES];
    uint32_t *blocks; /* by task, as msprof has them; NULL: those of the ops */
    uint32_t *from;   /* by task, the one whose counters it gets as msprof has it; NULL: its own */
};

struct table {
    struct msprof_run *r;
    struct msprof_ops ops;
    struct msprof_csv csv;
    struct metrics *metrics; /* by device */
    /* The columns of metrics are those of the first device that has metrics. */
    const struct prof_metric_group *group[N_PROF_CORES];
    bool has_metrics, both_cores, has_bound, has_utilization;
    bool lacks_vector;
    /*
     * the half that computed the numbers, whichever half writes them: for V6, too
     * (doc/formats/prof.md#two-implementations)
     */
    enum dialect dialect;
    bool graph; /* iterations of one model */
    size_t n_metric_cells;
    struct buf header;
    /* of the row before this one */
    bool has_before;
    double before_start, before_span;
};

/* A row: an op, or a communication op. */
struct row {
    size_t dev;
    struct msprof_op op;
    const struct prof_comm_run *comm; /* NULL: an op */
    uint32_t request;                 /* of comm: the model's iteration in which it ran, its tasks say it */
    uint64_t start, end;
    bool is_before; /* it ended before the collection, and is no row */
};

/* ---- header ---- */

static bool in_table(const struct table *t, enum prof_core core, const struct prof_metric *m)
{
    if (!t->both_cores)
        return m->in & PROF_IN_ONE;
    if (t->r->dialect == DIALECT_PYTHON && m->in & PROF_NOT_PYTHON)
        return false;
    return m->in & (core == PROF_CUBE ? PROF_IN_CUBE : PROF_IN_VECTOR);
}

static bool has_metric(const struct prof_metric_group *g, const char *name)
{
    for (size_t i = 0; g && i < g->n; i++)
        if (str_eq(str_of(g->metric[i].name), str_of(name)))
            return true;
    return false;
}

/* Only times, bandwidths and amounts of data have units (doc/formats/msprof.md#csv-columns). */
static bool has_unit(const struct prof_metric *m)
{
    return m->form == PROF_M_TIME || m->form == PROF_M_BW || str_eq(str_of(m->unit), STR("KB"));
}

static void metric_headers(struct table *t, enum prof_core core)
{
    const struct prof_metric_group *g = t->group[core];
    const char *prefix = !t->both_cores ? "" : core == PROF_CUBE ? "aic_" : "aiv_";

    buf_printf(&t->header, ",%s_time(us),%stotal_cycles", core == PROF_CUBE ? "aicore" : "aiv", prefix);
    t->n_metric_cells += 2;
    for (size_t i = 0; g && i < g->n; i++) {
        const struct prof_metric *m = &g->metric[i];
        if (!in_table(t, core, m))
            continue;
        buf_printf(&t->header, ",%s%s", prefix, m->name);
        if (has_unit(m))
            buf_printf(&t->header, "(%s)", m->unit);
        t->n_metric_cells++;
    }
}

static void put_header(struct table *t)
{
    struct buf *b = &t->header;
    bool stars = t->r->m.p->chip->scheduler == CHIP_STARS;

    buf_printf(b, "Device_id,%sModel ID,Task ID,Stream ID,%sOp Name,OP Type,OP State,Task Type,",
               t->graph ? "Model Name," : "", t->graph ? "Infer ID," : "");
    buf_printf(b, "Task Start Time(us),Task Duration(us),Task Wait Time(us),Block Num,%sHF32 Eligible",
               stars ? "Mix Block Num," : "");
    buf_puts(b,
             ",Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats");
    buf_puts(b, stars ? ",Context ID" : "");
    if (!t->has_metrics)
        return;
    metric_headers(t, PROF_CUBE);
    if (t->both_cores)
        metric_headers(t, PROF_VECTOR);
    if (t->has_bound)
        buf_puts(b, ",memory_bound");
    if (t->has_utilization)
        buf_puts(b, ",cube_utilization(%)");
    t->n_metric_cells += t->has_bound + t->has_utilization;
}

/* ---- metrics ---- */

/* With --compat, for the chips whose counters msprof gives blocks in turn. */
static int plan_blocks(struct table *t, struct err *e)
{
    const struct msprof_run *r = t->r;

    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        if (r->o->compat && r->m.p->host && r->m.p->chip->scheduler == CHIP_HWTS && t->metrics[i].any)
            t->metrics[i].blocks = msprof_pmu_blocks(r, i, e);
    return e->code;
}

/* With --compat, for parts by graph of these chips: records that msprof finds by their place in the file. */
static int plan_windows(struct table *t, struct err *e)
{
    struct msprof_run *r = t->r;

    for (size_t i = 0; i < r->m.n_dev && !e->code; i++) {
        t->metrics[i].any = true;
        if (t->graph && r->o->compat && r->m.p->host && r->m.p->chip->scheduler == CHIP_HWTS)
            t->metrics[i].from = msprof_pmu_window(r, i, &t->metrics[i].any, e);
    }
    return e->code;
}

/* With --compat: Python's half lacks columns of MemoryAccess (doc/formats/prof-quirks.md#partial-exports). */
static bool is_unknown_to_python(const struct msprof_run *r, const struct metrics *m)
{
    const struct prof_metric_group *g = m->plan[PROF_CUBE].group;

    return r->o->compat && r->dialect == DIALECT_PYTHON && r->m.p->chip->both_cores && g &&
           str_eq(str_of(g->name), STR("MemoryAccess"));
}

static void plan_metrics(struct table *t)
{
    struct msprof_run *r = t->r;

    t->both_cores = r->m.p->chip->both_cores;
    t->lacks_vector = r->m.p->chip->scheduler == CHIP_STARS && !t->both_cores;
    t->dialect = r->m.p->chip->v6 ? DIALECT_PYTHON : r->dialect;
    for (size_t i = 0; i < r->m.n_dev; i++) {
        struct metrics *m = &t->metrics[i];
        m->any = m->any && prof_pmu_n(r->pmu[i]) > 0 && !msprof_is_uncut(r);
        for (size_t c = 0; c < N_PROF_CORES; c++)
            m->plan[c] = prof_metric_plan(&r->m.dev[i].f->meta, (enum prof_core)c, t->dialect);
        if (is_unknown_to_python(r, m))
            m->any = false;
        if (!m->any || t->has_metrics)
            continue;
        t->has_metrics = true;
        for (size_t c = 0; c < N_PROF_CORES; c++)
            t->group[c] = m->plan[c].group;
    }
    t->has_utilization = has_metric(t->group[PROF_CUBE], "mac_ratio");
    t->has_bound = !t->both_cores && t->has_utilization && has_metric(t->group[PROF_CUBE], "vec_ratio") &&
                   has_metric(t->group[PROF_CUBE], "mte2_ratio");
}

/* An op's counters and times of its cores. */
struct counted {
    struct prof_counts x;
    double us[N_PROF_CORES];
    double mac, vec, mte2; /* ratios of the main core as they are printed */
};

/*
 * Blocks that ran on a core: the op's own, or those of the other core
 * (doc/formats/msprof.md#ai-core-metrics).
 */
static uint32_t blocks_of(const struct table *t, const struct counted *n, const struct row *w,
                          enum prof_core core)
{
    const uint32_t *blocks = t->metrics[w->dev].blocks;

    if (t->graph && t->r->o->compat)
        /* doc/formats/prof-quirks.md#output-quirks: msprof finds no block numbers in graph exports */
        return 0;
    if (blocks && core == n->x.main)
        return blocks[w->op.task - t->r->m.dev[w->dev].task];
    return core == n->x.main ? w->op.op->block : w->op.op->mix_block;
}

static bool count(const struct table *t, const struct row *w, struct counted *n)
{
    const struct msprof_run *r = t->r;
    const struct prof_device *d = &r->m.dev[w->dev];
    const struct prof_meta *m = &d->f->meta;

    const uint32_t *from = t->metrics[w->dev].from;
    size_t task = (size_t)(w->op.task - d->task);

    *n = (struct counted){ .mac = 0 };
    if (from && from[task] == PROF_NONE)
        return false;
    if (!prof_pmu_get(r->pmu[w->dev], from ? &d->task[from[task]] : w->op.task, t->dialect, &n->x))
        return false;
    uint64_t hz = r->m.p->chip->scheduler == CHIP_STARS ? prof_freq_at(d, n->x.end) : m->aic_hz;
    for (size_t c = 0; c < N_PROF_CORES; c++) {
        uint32_t blocks = blocks_of(t, n, w, (enum prof_core)c);
        if (c != n->x.main && !blocks &&
            !n->x.has_span) { /* its records cannot be distinguished from those of others */
            n->x.has[c] = false;
            n->x.cycles[c] = 0;
        }
        double us = prof_counts_us(&n->x, (enum prof_core)c, m, hz, blocks);
        n->us[c] = t->dialect == DIALECT_PYTHON ? emit_round(us, 2) : us;
    }
    return true;
}

static void keep_ratio(struct counted *n, const char *name, double v)
{
    static const struct {
        const char *name;
        size_t at;
    } kept[] = { { "mac_ratio", offsetof(struct counted, mac) },
                 { "vec_ratio", offsetof(struct counted, vec) },
                 { "mte2_ratio", offsetof(struct counted, mte2) } };

    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (str_eq(str_of(name), str_of(kept[i].name)))
            memcpy((char *)n + kept[i].at, &v, sizeof v);
}

static void put_core(const struct table *t, const struct row *w, struct counted *n, enum prof_core column,
                     struct emit *o)
{
    /* without prefixes there is one core: that of the op */
    enum prof_core core = t->both_cores ? column : n->x.main;
    const struct prof_metric_plan *p = &t->metrics[w->dev].plan[core];
    const struct prof_metric_group *g = t->group[column];

    emit_c(o, ',');
    msprof_put_sql3(o, n->us[core]);
    emit_c(o, ',');
    emit_u(o, n->x.cycles[core]);
    for (size_t i = 0; g && i < g->n; i++) {
        if (!in_table(t, column, &g->metric[i]))
            continue;
        double v = p->group == g && n->x.has[core]
                       ? prof_metric(p, i, n->x.cycles[core], n->x.v[core], n->us[core])
                       : 0;
        emit_c(o, ',');
        if (t->lacks_vector && msprof_is_vector_metric(&g->metric[i]))
            emit_s(o, "N/A");
        else
            msprof_put_sql3(o, v);
        if (t->r->dialect == DIALECT_PYTHON && column == PROF_CUBE && g->metric[i].form == PROF_M_RATIO)
            keep_ratio(n, g->metric[i].name, msprof_sql_round(v, 3));
    }
}

/*
 * C++: computed from printed texts (doc/formats/msprof.md#output-files). Python: rounded once; the integer 0
 * when something is missing (doc/formats/msprof.md#csv-columns).
 */
static void put_utilization(const struct table *t, const struct row *w, const struct counted *n,
                            struct emit *o)
{
    const struct prof_meta *m = &t->r->m.dev[w->dev].f->meta;
    enum prof_core core = t->both_cores ? PROF_CUBE : n->x.main;
    double cores = (double)m->aic_hz / 1e6 * m->aic_cores, cycles = (double)n->x.cycles[core];
    double ns = msprof_times_of(t->r, w->dev, w->op.task).span_ns;

    emit_c(o, ',');
    if (t->r->dialect == DIALECT_CPP) {
        double share = cores > 0 ? (double)rintl((long double)(cycles / cores * 100) * 1e6L) / 1e6 : 0;
        double v = ns > 0 ? share / (ns / 1000) : 0;
        emit_fixed(o, msprof_whole((long double)v * 1000), 3);
    } else if (n->mac > 0 && cycles > 0 && ns > 0 && cores > 0) {
        msprof_put_round3(o, cycles / (cores * ns) * 1000 * 100);
    } else {
        emit_c(o, '0');
    }
}

static void put_metrics(const struct table *t, const struct row *w, struct emit *o)
{
    struct counted n;

    if (!t->has_metrics)
        return;
    if (w->comm || msprof_has_old_driver(t->r) || (!t->both_cores && msprof_op_is_cpu(&t->ops, w->op.op)) ||
        !count(t, w, &n)) {
        for (size_t i = 0; i < t->n_metric_cells; i++)
            emit_s(o, ",N/A");
        return;
    }
    put_core(t, w, &n, PROF_CUBE, o);
    if (t->both_cores)
        put_core(t, w, &n, PROF_VECTOR, o);
    if (t->has_bound) {
        double most = n.mac > n.vec ? n.mac : n.vec;
        emit_c(o, ',');
        if (most > 0)
            msprof_put_round3(o, n.mte2 / most);
        else
            emit_c(o, '0');
    }
    if (t->has_utilization)
        put_utilization(t, w, &n, o);
}

/* ---- times ---- */

/* The text of ns as us, read back as a double: 16 digits, so a multiple of 0.25 us. */
static double printed_us(int64_t ns)
{
    return (double)(ns / 1000) + (double)(ns % 1000) / 1000;
}

/*
 * The time between the end of the row before and this start; msprof's C++ uses the numbers it printed, and
 * also the last row of another device (doc/formats/prof-quirks.md#output-quirks).
 */
static void put_wait(struct table *t, double start, double span, struct emit *o)
{
    double wait = start - t->before_start - t->before_span;
    bool first = !t->has_before;

    t->has_before = true;
    t->before_start = start;
    t->before_span = span;
    emit_c(o, ',');
    wait = wait > 0 ? wait : 0;
    if (first)
        emit_c(o, '0');
    else if (t->r->dialect == DIALECT_PYTHON)
        msprof_put_round3(o, wait / 1000);
    else
        emit_fixed(o, msprof_whole((long double)wait * 1e6L), 6);
}

/* C++ without its rounding: whole ns since the collection began. */
static void put_exact_wait(struct table *t, const struct row *w, int64_t start, int64_t span, struct emit *o)
{
    int64_t begin = prof_begin_ns(t->r->m.dev[w->dev].f);

    put_wait(t, (double)(start - begin) / 1000, (double)span / 1000, o);
}

/* Whole ns: the integer part of Python's doubles (doc/formats/msprof.md#csv-columns). */
static struct msprof_times comm_times(const struct table *t, const struct row *w)
{
    const struct prof_task all = { .start = w->start, .end = w->end };
    struct msprof_times x = msprof_times_of(t->r, w->dev, &all);

    return (struct msprof_times){ trunc(x.start_ns), trunc(x.span_ns) };
}

static void put_times(struct table *t, const struct row *w, struct emit *o)
{
    const struct msprof_run *r = t->r;
    const struct prof_folder *f = r->m.dev[w->dev].f;

    emit_c(o, ',');
    if (r->dialect == DIALECT_CPP) {
        int64_t start = prof_device_ns(f, w->start), span = prof_device_ns(f, w->end) - start;
        msprof_put_ns(o, start, true);
        emit_c(o, ',');
        msprof_put_ns(o, span, false);
        if (r->o->compat)
            put_wait(t, printed_us(start), printed_us(span), o);
        else
            put_exact_wait(t, w, start, span, o);
        return;
    }
    struct msprof_times x = w->comm ? comm_times(t, w) : msprof_times_of(r, w->dev, w->op.task);
    msprof_put_ns(o, msprof_local_ns(&r->clock[w->dev], x.start_ns), true);
    emit_c(o, ',');
    msprof_put_round3(o, x.span_ns / 1000);
    put_wait(t, x.start_ns, x.span_ns, o);
}

/* ---- rows ---- */

static void put_number(struct emit *o, uint64_t v)
{
    emit_c(o, ',');
    emit_u(o, v);
}

static void put_na(struct emit *o, size_t n)
{
    while (n--)
        emit_s(o, ",N/A");
}

/* A word of two, by value; -1: N/A. */
static void put_word(struct emit *o, int value, const char *const words[2])
{
    emit_c(o, ',');
    emit_s(o, value == 0 || value == 1 ? words[value] : "N/A");
}

static void put_tensors(const struct msprof_run *r, const struct prof_op *op, struct emit *o)
{
    if (op->tensors >= r->m.host.n_tensors) {
        put_na(o, TENSOR_CELLS);
        return;
    }
    const struct prof_tensors *t = &r->m.host.tensors[op->tensors];
    msprof_put_text(o, r, t->in_shapes);
    msprof_put_text(o, r, t->in_types);
    msprof_put_text(o, r, t->in_formats);
    msprof_put_text(o, r, t->out_shapes);
    msprof_put_text(o, r, t->out_types);
    msprof_put_text(o, r, t->out_formats);
}

static void put_op(struct table *t, const struct row *w, struct emit *o)
{
    static const char *const states[] = { "dynamic", "static" }, *const answers[] = { "NO", "YES" };
    const struct prof_op *op = w->op.op;
    bool stars = t->r->m.p->chip->scheduler == CHIP_STARS;

    put_number(o, w->op.task->task);
    put_number(o, w->op.task->stream);
    if (t->graph)
        put_number(o, w->op.host->request);
    msprof_put_text(o, t->r, op->name);
    msprof_put_text(o, t->r, op->type);
    put_word(o, op->is_static, states);
    msprof_put_text(o, t->r, op->core);
    put_times(t, w, o);
    put_number(o, op->block);
    if (stars)
        put_number(o, op->mix_block);
    put_word(o, op->hf32, answers);
    put_tensors(t->r, op, o);
    if (stars && w->op.task->context == PROF_NONE)
        put_na(o, 1);
    else if (stars)
        put_number(o, w->op.task->context);
}

static void put_comm(struct table *t, const struct row *w, struct emit *o)
{
    const struct prof_comm_op *op = &t->r->m.host.comm_op[w->comm->op];
    bool stars = t->r->m.p->chip->scheduler == CHIP_STARS;

    put_na(o, 2);
    if (t->graph)
        put_number(o, w->request);
    msprof_put_text(o, t->r, w->comm->name);
    msprof_put_text(o, t->r, op->type);
    emit_s(o, ",N/A,COMMUNICATION");
    put_times(t, w, o);
    emit_s(o, ",0");
    put_na(o, (stars ? 3u : 1u) + TENSOR_CELLS);
}

/* A row that is dropped: the next one waits for it all the same. */
static void pass_row(struct table *t, const struct row *w)
{
    struct msprof_times x = w->comm ? comm_times(t, w) : msprof_times_of(t->r, w->dev, w->op.task);

    t->before_start = x.start_ns;
    t->before_span = x.span_ns;
}

static int put_row(struct table *t, const struct row *w, struct err *e)
{
    if (w->is_before) {
        pass_row(t, w);
        return OK;
    }
    struct emit *o = msprof_csv_row(&t->csv, e);

    if (!o)
        return e->code;
    uint32_t model = w->comm ? t->r->m.host.comm_op[w->comm->op].model : w->op.host->model;
    emit_u(o, (uint64_t)t->r->m.dev[w->dev].f->device);
    if (t->graph)
        msprof_put_text(o, t->r, prof_model_name(t->r->m.p, &t->r->m.host, model));
    put_number(o, model);
    if (w->comm)
        put_comm(t, w, o);
    else
        put_op(t, w, o);
    put_metrics(t, w, o);
    emit_c(o, '\n');
    return OK;
}

/* Rows of a device by start: its ops merged with its communication ops, of which some began too early. */
struct merge {
    size_t dev, task;
    uint32_t *run; /* of the device's prof_comm, by start */
    size_t n_runs, at;
    struct msprof_comm_early early;
    size_t at_early;
};

static const struct prof_comm *comm_of(const struct msprof_run *r, size_t dev)
{
    return &r->m.comm[dev];
}

struct run_start {
    uint64_t start;
    uint32_t run;
};

static int by_start(const void *a, const void *b)
{
    const struct run_start *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->run < y->run ? -1 : x->run > y->run;
}

/* Communication ops that are kept, by start. */
static int sort_runs(const struct table *t, struct merge *m, struct err *e)
{
    const struct prof_comm *c = comm_of(t->r, m->dev);
    struct run_start *order = calloc(c->n_runs + 1, sizeof *order);

    m->run = calloc(c->n_runs + 1, sizeof *m->run);
    if (!order || !m->run) {
        free(order);
        return err_nomem(e);
    }
    for (size_t i = 0; i < c->n_runs; i++)
        if (!msprof_comm_is_rest(&m->early, &c->run[i]))
            order[m->n_runs++] = (struct run_start){ c->run[i].start, (uint32_t)i };
    qsort(order, m->n_runs, sizeof *order, by_start);
    for (size_t i = 0; i < m->n_runs; i++)
        m->run[i] = order[i].run;
    free(order);
    return OK;
}

/*
 * The next op from m->task on. Python with --compat drops rows from before the collection last, when others
 * were told to wait for them (doc/formats/prof-quirks.md#warm-up-of-910a).
 */
static bool find_op(const struct table *t, struct merge *m, struct row *out)
{
    bool all = t->r->o->compat && t->r->dialect == DIALECT_PYTHON;

    for (; m->task < t->r->m.dev[m->dev].n_tasks; m->task++) {
        out->is_before = false;
        if (msprof_op_at(&t->ops, m->dev, m->task, &out->op))
            return true;
        out->is_before = all && msprof_op_before(&t->ops, m->dev, m->task, &out->op);
        if (out->is_before)
            return true;
    }
    return false;
}

/* Whether a row of which the begin lies before the collection is one: it ends in it. */
static bool ends_inside(const struct table *t, size_t dev, const struct prof_comm_run *run)
{
    return prof_keeps_task(&t->r->how[dev], t->r->m.dev[dev].f, run->start, run->end);
}

/* The next communication op by start, NULL in out->comm: there is none. */
static void find_comm(const struct table *t, const struct merge *m, struct row *out)
{
    const struct prof_comm *c = comm_of(t->r, m->dev);
    const struct msprof_comm_before *early = m->at_early < m->early.n ? &m->early.v[m->at_early] : NULL;

    out->comm = m->at < m->n_runs ? &c->run[m->run[m->at]] : NULL;
    if (out->comm)
        out->request = out->comm->n ? t->r->m.host.task[c->task[out->comm->at].host].request : 0;
    if (!early || (out->comm && out->comm->start < early->run.start))
        return;
    out->comm = &early->run;
    out->request = early->request;
    out->is_before = !ends_inside(t, m->dev, &early->run);
}

static bool next_row(const struct table *t, struct merge *m, struct row *out)
{
    struct row comm = { .dev = m->dev };

    *out = comm;
    find_comm(t, m, &comm);
    const struct prof_comm_run *run = comm.comm;
    bool has_op = find_op(t, m, out);
    if (!has_op && !run)
        return false;
    /* of two rows with the same start the communication op comes first in C++, the other one in Python */
    bool op_first = t->r->dialect == DIALECT_PYTHON;
    if (has_op &&
        (!run || out->op.task->start < run->start || (op_first && out->op.task->start == run->start))) {
        out->start = out->op.task->start;
        out->end = out->op.task->end;
        m->task++;
        return true;
    }
    *out = comm;
    out->start = run->start;
    out->end = run->end;
    if (m->at_early < m->early.n && run == &m->early.v[m->at_early].run)
        m->at_early++;
    else
        m->at++;
    return true;
}

static int count_rows(const struct table *t, size_t *n, struct err *e)
{
    struct msprof_comm_early early;
    struct msprof_op op;

    for (size_t i = 0; i < t->r->m.n_dev && !e->code; i++) {
        const struct prof_comm *c = comm_of(t->r, i);
        for (size_t k = 0; k < t->r->m.dev[i].n_tasks; k++)
            *n += msprof_op_at(&t->ops, i, k, &op);
        if (msprof_comm_early(&early, t->r, i, e) == OK)
            for (size_t k = 0; k < early.n; k++)
                *n += ends_inside(t, i, &early.v[k].run);
        for (size_t k = 0; k < c->n_runs && !e->code; k++)
            *n += !msprof_comm_is_rest(&early, &c->run[k]);
        msprof_comm_early_done(&early);
    }
    return e->code;
}

static int put_device(struct table *t, size_t dev, struct err *e)
{
    struct merge m = { .dev = dev };
    struct row w;

    /* the first row waits for nothing (doc/formats/msprof.md#task-wait-time) */
    if (t->r->dialect == DIALECT_PYTHON || !t->r->o->compat)
        t->has_before = false;
    if (msprof_comm_early(&m.early, t->r, dev, e) == OK && sort_runs(t, &m, e) == OK)
        while (next_row(t, &m, &w))
            if (put_row(t, &w, e))
                break;
    free(m.run);
    msprof_comm_early_done(&m.early);
    return e->code;
}

static int put_rows(struct table *t, size_t n, struct err *e)
{
    size_t *order = msprof_device_order(t->r, e);

    if (order && msprof_csv_begin(&t->csv, t->r, "op_summary", n, buf_str(&t->header).p, e) == OK) {
        for (size_t i = 0; i < t->r->m.n_dev; i++)
            if (put_device(t, order[i], e))
                break;
        (void)!msprof_csv_end(&t->csv, e);
    }
    free(order);
    return e->code;
}

int msprof_op_summary(struct msprof_run *r, struct err *e)
{
    struct table t = { .r = r, .ops = msprof_ops_of(r), .graph = msprof_is_graph(r) };

    t.metrics = calloc(r->m.n_dev + 1, sizeof *t.metrics);
    buf_init(&t.header, HEADER_MAX);
    size_t n = 0;
    if (!t.metrics) {
        err_nomem(e);
    } else if (count_rows(&t, &n, e)) {
        /* e says why */
    } else if (!n) {
        msprof_no_data(r, "op_summary", ".csv", msprof_why_no_ops(r));
    } else {
        (void)!plan_windows(&t, e);
        plan_metrics(&t);
        if (!e->code)
            (void)!plan_blocks(&t, e);
        put_header(&t);
        if (buf_failed(&t.header))
            err_nomem(e);
        else if (!e->code)
            (void)!put_rows(&t, n, e);
    }
    buf_done(&t.header);
    for (size_t i = 0; t.metrics && i < r->m.n_dev; i++) {
        free(t.metrics[i].blocks);
        free(t.metrics[i].from);
    }
    free(t.metrics);
    return e->code;
}
