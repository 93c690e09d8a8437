/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of GPU and CPU targets (doc/formats/mindspore1.md#gpu_timeline_display). */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/read/csv.h"
#include "mindspore/gpu.h"
#include "mindspore/timeline.h"
#include "parsers/read/lines.h"

static const struct mindspore_target gpu = {
    .display = "gpu_timeline_display_",
    .summary = "gpu_timeline_summary_",
    .cluster = "gpu",
    .factor = 1e-3,
    .inverse = 1e3,
    .gaps_of_all = true,
    .grows = true,
    .streams_only = true,
    .ns = true,
};
static const struct mindspore_target cpu = {
    .display = "cpu_timeline_display_",
    .summary = "cpu_timeline_summary_",
    .cluster = "cpu",
    .factor = 1e-3,
    .inverse = 1e3,
    .ns = true,
};

struct build {
    struct mindspore_timeline t;
    struct mindspore_gpu_trace trace;
    struct mindspore_rows comm, steps, scopes, kernels, compute;
    struct intern *comm_ops;
    struct intern *names;           /* of kernels */
    struct mindspore_kernel *facts; /* by number of the name */
    size_t n_facts, facts_cap;
};

static void build_done(struct build *b)
{
    struct mindspore_rows *const rows[] = { &b->comm, &b->steps, &b->scopes, &b->kernels, &b->compute };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        mindspore_rows_done(rows[i]);
    intern_free(b->comm_ops);
    intern_free(b->names);
    free(b->facts);
    mindspore_gpu_trace_done(&b->trace);
    mindspore_timeline_done(&b->t);
}

/* ---- ops ---- */

/* Communication ops: the first line of the step trace names them from its fifth word on. */
static int find_comm(struct build *b, struct err *e)
{
    size_t n = 0;
    const struct str *w = b->trace.n_lines ? mindspore_gpu_line(&b->trace, 0, &n) : NULL;

    if (intern_new(&b->comm_ops, e))
        return e->code;
    for (size_t i = 4; i < n && b->t.r->rules->timeline->gpu_overlap; i++)
        if (intern_put(b->comm_ops, mindspore_short(str_sub(w[i], 0, str_chr(w[i], ',')))) == INTERN_NONE)
            return err_nomem(e);
    return OK;
}

struct ops {
    struct build *b;
    struct str name; /* of the last op */
    bool comm;
};

static int on_op(void *arg, const struct mindspore_stamp *s, struct err *e)
{
    struct ops *x = arg;
    struct mindspore_timeline *t = &x->b->t;
    struct mindspore_row row = { .name = s->name,
                                 .start = (double)s->start,
                                 .dur = s->dur,
                                 .label = mindspore_label(t, s->label, e),
                                 .pid = MINDSPORE_NO_PID,
                                 .kind = MINDSPORE_ROW_OP };

    if (e->code)
        return e->code;
    if (x->name.p != s->name.p) {
        x->name = s->name;
        x->comm = intern_find(x->b->comm_ops, mindspore_short(s->name)) != INTERN_NONE;
    }
    return mindspore_rows_add(x->comm ? &x->b->comm : &t->rows, &row, e);
}

static double moved(const void *ctx, int64_t start)
{
    int64_t v;

    return __builtin_add_overflow(start, *(const int64_t *)ctx, &v) ? (double)start : (double)v;
}

static int read_ops(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;
    struct ops ops = { .b = b };
    int64_t host, device, shift = 0;
    const struct source_file *f = mindspore_file(t->r, "gpu_op_timestamp", NULL);

    if (mindspore_start_times(t->r, &host, &device) && __builtin_sub_overflow(device, host, &shift))
        shift = 0;
    if (find_comm(b, e))
        return e->code;
    if (f && mindspore_read_stamps(t->r, f, &t->n_ops, on_op, &ops, e))
        return e->code;
    if (!t->r->rules->timeline->host_clock && mindspore_host_rows(t, moved, &shift, &t->rows, e))
        return e->code;
    if (mindspore_rows_by_start(&b->comm, e) || mindspore_rows_by_start(&t->rows, e))
        return e->code;
    t->max_scope = mindspore_scope_max(&t->rows);
    return OK;
}

/* ---- kernels ---- */

/* Number of a kernel's name, with room for its facts; INTERN_NONE: no memory. */
static uint32_t kernel_id(struct build *b, struct str name)
{
    uint32_t id = intern_put(b->names, name);
    void *p;

    if (id == INTERN_NONE)
        return id;
    p = grow_array(b->facts, id, &b->facts_cap, sizeof *b->facts, 64);
    if (!p)
        return INTERN_NONE;
    b->facts = p;
    if (id == b->n_facts) {
        b->facts[id] = (struct mindspore_kernel){ STR(""), STR(""), STR(""), STR("") };
        b->n_facts++;
    }
    return id;
}

static int set_facts(struct build *b, const struct str *cell, struct err *e)
{
    struct arena *a = b->t.r->a;
    uint32_t id = kernel_id(b, cell[0]);

    if (id == INTERN_NONE)
        return err_nomem(e);
    b->facts[id] = (struct mindspore_kernel){ .type = arena_str(a, cell[1]),
                                              .op = arena_str(a, cell[2]),
                                              .block = arena_str(a, cell[4]),
                                              .grid = arena_str(a, cell[5]) };
    return b->facts[id].grid.p ? OK : err_nomem(e);
}

/* gpu_activity_data: type and sizes of each kernel; the last row of a name is used. */
static int read_facts(struct build *b, struct err *e)
{
    const struct source_file *f = mindspore_file(b->t.r, "gpu_activity", NULL);
    struct infile *in = NULL;
    struct csv *csv = NULL;
    enum csv_status st = CSV_ROW;
    const struct str *cell;
    bool header = true;
    size_t n;

    if (!f || infile_open(&in, f->path, 0, e) || csv_new(&csv, in, ',', e))
        goto out;
    while (csv_row(csv, &st, &cell, &n, e) == OK && st != CSV_END) {
        if (st == CSV_ROW && n >= 6 && !header && set_facts(b, cell, e))
            break;
        header = false;
    }
out:
    csv_free(csv);
    infile_close(in);
    return e->code;
}

static int on_kernel(struct build *b, struct lines *l, struct str line, struct buf *stream, struct err *e)
{
    struct str name, cell[3];
    struct mindspore_row row = { .pid = MINDSPORE_NO_PID, .kind = MINDSPORE_ROW_KERNEL };
    int64_t start;

    if (!str_trim(line).n)
        return OK;
    if (!lines_tail(line, ';', 3, &name, cell) || !str_i64(cell[1], &start) || !str_f64(cell[2], &row.dur)) {
        lines_bad(l, "not kernel, stream, start, duration");
        return OK;
    }
    row.start = (double)start;
    row.extra = kernel_id(b, name);
    buf_clear(stream);
    if (b->t.r->rules->timeline->maps_threads)
        buf_puts(stream, "Stream #");
    buf_add(stream, cell[0]);
    if (row.extra == INTERN_NONE || buf_failed(stream))
        return err_nomem(e);
    row.name = intern_get(b->names, row.extra);
    row.label = mindspore_label(&b->t, buf_str(stream), e);
    return e->code ? e->code : mindspore_rows_add(&b->kernels, &row, e);
}

static int read_kernels(struct build *b, struct err *e)
{
    const struct source_file *f = mindspore_file(b->t.r, "gpu_activity_timestamp", NULL);
    struct lines l;
    struct str line;
    struct buf stream;

    if (!f || read_facts(b, e))
        return e->code;
    struct parse_ctx c = mindspore_ctx(b->t.r, f);
    buf_init(&stream, (size_t)1 << 20);
    if (lines_open(&l, &c, e) == OK)
        while (lines_next(&l, &line, e) && on_kernel(b, &l, line, &stream, e) == OK)
            continue;
    lines_done(&l);
    buf_done(&stream);
    b->t.kernels = b->facts;
    return e->code;
}

/* ---- steps ---- */

static bool stamp_of(struct str word, double *v)
{
    struct str cell;

    return str_next(&word, ',', &cell) && str_next(&word, ',', &cell) && str_f64(cell, v);
}

/* A step for each line; doubles, as in MindSpore: at 1.6e18 ns their resolution is 256. */
static int async_steps(struct build *b, struct err *e)
{
    for (size_t i = 0; i < b->trace.n_lines; i++) {
        size_t n;
        const struct str *w = mindspore_gpu_line(&b->trace, i, &n);
        struct mindspore_row row = { .label = b->t.l_steps,
                                     .pid = MINDSPORE_NO_PID,
                                     .kind = MINDSPORE_ROW_STEP };
        double end;
        if (n < 4 || !stamp_of(w[0], &row.start) || !stamp_of(w[3], &end))
            continue;
        row.name = str_of(arena_printf(b->t.r->a, "%zu", i + 1));
        row.dur = (end - row.start) / 1e3;
        if (!row.name.p)
            return err_nomem(e);
        if (mindspore_rows_add(&b->steps, &row, e))
            break;
    }
    return e->code;
}

static int add_scopes(struct build *b, struct err *e)
{
    static const char *const subgraphs[] = { "Default", "Gradients", "recompute_Default" };
    struct mindspore_rows part = { .n = 0 };

    for (size_t i = 0; i < ARRAY_LEN(subgraphs) && !e->code; i++) {
        part.n = 0;
        if (mindspore_scope_rows(&b->t, &b->t.rows, subgraphs[i], &part, e) == OK)
            mindspore_last(mindspore_rows_append(&b->scopes, &part, e));
    }
    mindspore_rows_done(&part);
    return e->code;
}

/* ---- GPU ---- */

static int add_overlap(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;
    const struct mindspore_overlap in = {
        .compute = &b->compute, .plain = &t->rows, .comm = &b->comm, .steps = &b->steps
    };
    struct mindspore_rows out = { .n = 0 };

    if (!b->comm.n)
        return OK;
    if (mindspore_rows_append(&b->compute, &t->rows, e))
        return e->code;
    for (size_t i = 0; i < b->kernels.n; i++)
        if (!str_starts(b->kernels.v[i].name, STR("nccl")) &&
            mindspore_rows_add(&b->compute, &b->kernels.v[i], e))
            return e->code;
    if (mindspore_rows_by_start(&b->compute, e) == OK && mindspore_cluster(t, &in, &out, e) == OK &&
        mindspore_rows_append(&t->rows, &out, e) == OK && mindspore_rows_append(&t->rows, &b->comm, e) == OK)
        mindspore_last(mindspore_rows_by_start(&t->rows, e));
    mindspore_rows_done(&out);
    mindspore_rows_done(&b->compute);
    return e->code;
}

/* Steps and scopes, sorted into the ops. */
static int add_marks(struct build *b, struct err *e)
{
    struct mindspore_rows *rows = &b->t.rows;

    if (mindspore_rows_append(rows, &b->scopes, e) || mindspore_rows_append(rows, &b->steps, e))
        return e->code;
    return b->t.r->rules->timeline->gpu_overlap ? mindspore_rows_by_start(rows, e)
                                                : mindspore_rows_by_label(&b->t, rows, e);
}

static int find_marks(struct build *b, struct err *e)
{
    if (!b->t.r->rules->timeline->scopes)
        return OK;
    mindspore_step_marks(&b->t, &b->t.rows, false);
    if (b->trace.async ? async_steps(b, e) : mindspore_step_rows(&b->t, &b->t.rows, &b->steps, e))
        return e->code;
    return add_scopes(b, e);
}

static int gpu_rows(struct build *b, struct err *e)
{
    if (mindspore_gpu_trace_read(b->t.r, &b->trace, e) || read_ops(b, e) || find_marks(b, e) ||
        read_kernels(b, e) || add_overlap(b, e) || add_marks(b, e) ||
        mindspore_rows_append(&b->t.rows, &b->kernels, e))
        return e->code;
    return mindspore_rows_by_start(&b->t.rows, e);
}

/* Training: the name of some event begins with Gradients (doc/formats/mindspore1.md#gpu-step-trace). */
static bool trains(const struct mindspore_timeline *t)
{
    bool cut = t->r->rules->timeline->short_names;

    for (size_t i = 0; i < t->rows.n; i++) {
        const struct mindspore_row *x = &t->rows.v[i];
        struct str name = cut && x->kind != MINDSPORE_ROW_SCOPE ? mindspore_short(x->name) : x->name;
        if (str_starts(name, STR("Gradients")))
            return true;
    }
    return false;
}

/* ---- CPU ---- */

static int cpu_rows(struct build *b, struct err *e)
{
    struct mindspore_rows *rows = &b->t.rows, overlap = { .n = 0 };
    int64_t shift = 0;

    if (mindspore_host_rows(&b->t, moved, &shift, rows, e) || mindspore_rows_by_start(rows, e))
        return e->code;
    b->t.max_scope = mindspore_scope_max(rows);
    mindspore_step_marks(&b->t, rows, false);
    if (mindspore_step_rows(&b->t, rows, &b->steps, e) == OK && add_scopes(b, e) == OK &&
        mindspore_merged_rows(&b->t, rows, false, "computation_op", &overlap, e) == OK &&
        mindspore_merged_rows(&b->t, rows, true, "free_time", &overlap, e) == OK &&
        mindspore_rows_append(rows, &b->scopes, e) == OK && mindspore_rows_append(rows, &b->steps, e) == OK &&
        mindspore_rows_by_label(&b->t, rows, e) == OK)
        mindspore_last(mindspore_rows_append(rows, &overlap, e));
    mindspore_rows_done(&overlap);
    return e->code;
}

/* ---- the whole ---- */

static void no_timeline(struct mindspore_run *r, const struct mindspore_target *target, const char *why)
{
    mindspore_no_data(r, target->display, ".json", why);
    mindspore_no_data(r, target->summary, ".json", why);
}

int mindspore_gpu_timeline(struct mindspore_run *r, struct err *e)
{
    bool on_gpu = r->mode == MINDSPORE_GPU;
    const struct mindspore_target *target = on_gpu ? &gpu : &cpu;
    struct build b = { .comm.n = 0 };

    if (on_gpu ? !r->rules->timeline->gpu : !r->rules->timeline->cpu) {
        no_timeline(r, target, "this version has none");
        return OK;
    }
    if (mindspore_timeline_begin(&b.t, r, target, e) || intern_new(&b.names, e))
        goto out;
    b.t.device_label = on_gpu ? "GPU Op" : "Host CPU OP";
    b.t.pid_text = on_gpu ? r->unit->info.n_ranks > 1 : r->rules->timeline->cpu_pid_text;
    if (on_gpu ? gpu_rows(&b, e) : cpu_rows(&b, e))
        goto out;
    r->steps.training = trains(&b.t);
    if (b.t.rows.n && mindspore_timeline_write(&b.t, e) == OK && on_gpu)
        mindspore_last(mindspore_gpu_dynamic(&b.t, e));
    else if (!b.t.rows.n)
        no_timeline(r, target, "there are no executions of ops");
out:
    build_done(&b);
    return e->code;
}
