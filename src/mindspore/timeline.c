/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timeline of graph mode (doc/formats/mindspore1.md#timeline-inputs, #timeline-generations,
 * #timeline-algorithm).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "mindspore/timeline.h"
#include "parsers/read/lines.h"

#define TICKS_PER_MS 1e5

static const struct mindspore_target prefixed = {
    .display = "ascend_timeline_display_",
    .summary = "ascend_timeline_summary_",
    .cluster = "ascend",
    .factor = 1,
    .inverse = 1,
};
static const struct mindspore_target plain = {
    .display = "timeline_display_",
    .summary = "timeline_summary_",
    .cluster = "ascend",
    .factor = 1,
    .inverse = 1,
};

struct build {
    struct mindspore_timeline t;
    struct mindspore_rows comm, aicpu, steps, scopes;
};

static void build_done(struct build *b)
{
    mindspore_rows_done(&b->comm);
    mindspore_rows_done(&b->aicpu);
    mindspore_rows_done(&b->steps);
    mindspore_rows_done(&b->scopes);
    mindspore_timeline_done(&b->t);
}

/* ---- communication, from the step trace ---- */

static bool is_comm_column(struct str column)
{
    return str_starts(column, STR("stream_")) && !str_ends(column, STR("point"));
}

/* Column with the start of a column's op, SIZE_MAX: none. It comes right after the column. */
static size_t start_column(const struct mindspore_steps *s, size_t column)
{
    struct str a = s->column[column], b;

    if (column + 1 >= s->n_columns)
        return SIZE_MAX;
    b = s->column[column + 1];
    return str_starts(b, a) && str_eq(str_sub(b, a.n, SIZE_MAX), STR("_start_point")) ? column + 1 : SIZE_MAX;
}

/* "stream_8_0_AllReduce-op5": 8; "stream_ops_8_...": 8. */
static struct str stream_of(struct str column)
{
    struct str part = STR_NULL;

    (void)str_next(&column, '_', &part);
    (void)str_next(&column, '_', &part);
    if (str_eq(part, STR("ops")))
        (void)str_next(&column, '_', &part);
    return part;
}

static int add_comm(struct build *b, const struct mindspore_step *row, size_t column, size_t at,
                    struct err *e)
{
    struct str name = b->t.r->steps.column[column];
    struct mindspore_row x = { .name = name, .pid = MINDSPORE_PID_COMM, .kind = MINDSPORE_ROW_COMM };

    if (at >= row->n || !row->cell[column] || !row->cell[at])
        return OK;
    x.start = (double)row->cell[at] / TICKS_PER_MS;
    x.dur = (double)row->cell[column] / TICKS_PER_MS;
    x.label = mindspore_label(&b->t, stream_of(name), e);
    return e->code ? e->code : mindspore_rows_add(&b->comm, &x, e);
}

static int comm_rows(struct build *b, struct err *e)
{
    const struct mindspore_steps *s = &b->t.r->steps;

    for (size_t i = 0; i + 1 < s->n; i++)
        for (size_t k = 0; k < s->n_columns; k++) {
            size_t at = is_comm_column(s->column[k]) ? start_column(s, k) : SIZE_MAX;
            if (at != SIZE_MAX && add_comm(b, &s->row[i], k, at, e))
                return e->code;
        }
    return b->t.r->rules->timeline->overlap ? mindspore_rows_by_start(&b->comm, e) : OK;
}

/* ---- ops ---- */

/* Names of ops that are communication rows: the text after the last '_' of a column. */
static int comm_names(const struct build *b, struct intern **out, struct err *e)
{
    if (intern_new(out, e))
        return e->code;
    for (size_t i = 0; i < b->comm.n && b->t.r->rules->timeline->no_comm; i++)
        if (intern_put(*out, str_after_last(b->comm.v[i].name, '_')) == INTERN_NONE)
            return err_nomem(e);
    return OK;
}

static uint32_t stream_label(struct build *b, struct str stream, struct buf *text, struct err *e)
{
    if (!b->t.r->rules->timeline->maps_threads)
        return mindspore_label(&b->t, stream, e);
    buf_clear(text);
    buf_puts(text, "Stream #");
    buf_add(text, stream);
    if (buf_failed(text))
        err_nomem(e);
    return mindspore_label(&b->t, buf_str(text), e);
}

static int op_rows(struct build *b, struct err *e)
{
    const struct mindspore_run *r = b->t.r;
    struct intern *comm = NULL;
    struct buf text;

    buf_init(&text, (size_t)1 << 20);
    if (comm_names(b, &comm, e))
        goto out;
    for (size_t i = 0; i < r->n_execs && !e->code; i++) {
        const struct mindspore_exec *x = &r->execs[i];
        struct mindspore_row row = { .name = x->full,
                                     .start = x->start_ms,
                                     .dur = x->dur_ms,
                                     .pid = MINDSPORE_NO_PID,
                                     .kind = MINDSPORE_ROW_OP };
        if (intern_find(comm, x->full) != INTERN_NONE)
            continue;
        row.label = stream_label(b, x->stream, &text, e);
        if (!e->code)
            mindspore_last(mindspore_rows_add(&b->t.rows, &row, e));
    }
out:
    intern_free(comm);
    buf_done(&text);
    return e->code;
}

/* ---- host ops, on the device's clock ---- */

struct clocks {
    int64_t host_ns, ticks;
};

static double host_ms(const void *ctx, int64_t start_ns)
{
    (void)ctx;
    return (double)start_ns / 1e6;
}

static double device_ms(const void *ctx, int64_t start_ns)
{
    const struct clocks *c = ctx;
    double ms = host_ms(NULL, start_ns), ns = ms * 1e6;
    int64_t v, device;

    if (!(ns > -9e18 && ns < 9e18) || __builtin_sub_overflow((int64_t)ns, c->host_ns, &v) ||
        __builtin_mul_overflow(c->ticks, 10, &device) || __builtin_add_overflow(v, device, &v))
        return ms;
    return (double)v * 1e-6;
}

/* Moves the ops that are there so far to the host's clock, as r1.2 did. */
static void move_ops(struct mindspore_rows *rows, const struct clocks *c)
{
    for (size_t i = 0; i < rows->n; i++) {
        double ticks = rows->v[i].start * TICKS_PER_MS;
        int64_t v;
        if (ticks > -9e18 && ticks < 9e18 && !__builtin_sub_overflow((int64_t)ticks, c->ticks, &v) &&
            !__builtin_mul_overflow(v, 10, &v) && !__builtin_add_overflow(v, c->host_ns, &v))
            rows->v[i].start = (double)v / 1e6;
    }
}

static int host_rows(struct build *b, struct err *e)
{
    struct mindspore_run *r = b->t.r;
    const struct mindspore_timeline_rules *rules = r->rules->timeline;
    struct parse_ctx c = mindspore_ctx(r, r->job.m[0].c.f);
    struct mindspore_rows host = { .n = 0 };
    struct clocks clocks;

    if (!rules->host_ops ||
        !str_i64(parse_run_setting(&c, "host_start.clock_monotonic_raw"), &clocks.host_ns) ||
        !str_i64(parse_run_setting(&c, "dev_start.cntvct"), &clocks.ticks))
        return OK;
    if (mindspore_host_rows(&b->t, rules->host_clock ? host_ms : device_ms, &clocks, &host, e) == OK) {
        if (rules->host_clock && host.n)
            move_ops(&b->t.rows, &clocks);
        mindspore_last(mindspore_rows_append(&b->t.rows, &host, e));
    }
    mindspore_rows_done(&host);
    return e->code;
}

/* ---- AI CPU ---- */

static int aicpu_rows(struct build *b, struct err *e)
{
    struct mindspore_run *r = b->t.r;
    struct intern *names = NULL;

    if (!r->n_aicpu)
        return OK;
    if (intern_new(&names, e))
        goto out;
    for (size_t i = 0; i < r->n_aicpu; i++) {
        const struct mindspore_aicpu *x = &r->aicpu[i];
        struct mindspore_row row = { .name = x->name,
                                     .start = x->start_ms,
                                     .dur = x->dur_ms,
                                     .label = mindspore_label(&b->t, STR("0"), e),
                                     .pid = MINDSPORE_PID_AICPU,
                                     .kind = MINDSPORE_ROW_AICPU };
        if (intern_put(names, x->name) == INTERN_NONE)
            err_nomem(e);
        if (e->code || mindspore_rows_add(&b->aicpu, &row, e))
            goto out;
    }
    b->t.n_executions += r->n_aicpu;
    b->t.n_streams++;
    b->t.n_ops += intern_count(names);
    b->t.total_time += emit_round(r->aicpu_total_ms, 6); /* as at the end of aicpu_intermediate */
out:
    intern_free(names);
    return e->code;
}

/* The timeline begins with the first op or AI CPU task. */
static double find_base(const struct mindspore_run *r)
{
    double base = r->min_cycle_ms;

    for (size_t i = 0; i < r->n_aicpu; i++)
        base = r->aicpu[i].start_ms < base ? r->aicpu[i].start_ms : base;
    return isinf(base) ? 0 : base;
}

/* ---- order of rows ---- */

static int marks(struct build *b, struct err *e)
{
    static const char *const subgraphs[] = { "Default", "recompute_Default", "Gradients" };
    struct mindspore_timeline *t = &b->t;
    struct mindspore_rows part = { .n = 0 };

    mindspore_step_marks(t, &t->rows, t->r->rules->timeline->marks_from_end);
    if (mindspore_step_rows(t, &t->rows, &b->steps, e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(subgraphs) && !e->code; i++) {
        part.n = 0;
        if (mindspore_scope_rows(t, &t->rows, subgraphs[i], &part, e) == OK)
            mindspore_last(mindspore_rows_append(&b->scopes, &part, e));
    }
    mindspore_rows_done(&part);
    return e->code;
}

static int add_sorted(struct build *b, const struct mindspore_rows *rows, struct err *e)
{
    return rows->n && mindspore_rows_append(&b->t.rows, rows, e) ? e->code
                                                                 : mindspore_rows_by_start(&b->t.rows, e);
}

static int add_marks(struct build *b, struct err *e)
{
    return mindspore_rows_append(&b->t.rows, &b->steps, e) || mindspore_rows_append(&b->t.rows, &b->scopes, e)
               ? e->code
               : OK;
}

/* Up to r1.4: steps and scopes among the ops, then communication, then AI CPU. */
static int order_old(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;

    if (t->r->rules->timeline->scopes &&
        (marks(b, e) || add_marks(b, e) || mindspore_rows_by_label(t, &t->rows, e)))
        return e->code;
    if (add_sorted(b, &b->comm, e))
        return e->code;
    return add_sorted(b, &b->aicpu, e);
}

static int order_new(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;
    const struct mindspore_overlap in = {
        .compute = &t->rows, .plain = &t->rows, .comm = &b->comm, .steps = &b->steps
    };
    struct mindspore_rows overlap = { .n = 0 };

    if (marks(b, e) || add_sorted(b, &b->aicpu, e))
        goto out;
    if (b->comm.n && (mindspore_cluster(t, &in, &overlap, e) ||
                      mindspore_rows_append(&t->rows, &overlap, e) || add_sorted(b, &b->comm, e)))
        goto out;
    if (add_marks(b, e) == OK)
        mindspore_last(mindspore_rows_by_start(&t->rows, e));
out:
    mindspore_rows_done(&overlap);
    return e->code;
}

static int fill(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;

    if (comm_rows(b, e) || op_rows(b, e) || host_rows(b, e) || mindspore_rows_by_start(&t->rows, e))
        return e->code;
    t->n_executions = t->rows.n;
    t->max_scope = mindspore_scope_max(&t->rows);
    t->base = find_base(t->r);
    /* MindSpore counts its list of ops twice (doc/formats/mindspore1.md#timeline-algorithm) */
    t->n_ops += 2 * (uint64_t)t->r->n_ops;
    if (aicpu_rows(b, e))
        return e->code;
    return t->r->rules->timeline->overlap ? order_new(b, e) : order_old(b, e);
}

int mindspore_timeline(struct mindspore_run *r, struct err *e)
{
    const struct mindspore_target *target = r->rules->timeline->prefixed ? &prefixed : &plain;
    struct build b = { .comm.n = 0 };

    if (!r->n_execs) {
        mindspore_no_data(r, target->display, ".json", "no executions of ops are known");
        mindspore_no_data(r, target->summary, ".json", "no executions of ops are known");
        return OK;
    }
    if (mindspore_timeline_begin(&b.t, r, target, e))
        goto out;
    b.t.device_label = "AICORE OP";
    b.t.pid_text = true;
    b.t.with_args = true;
    if (fill(&b, e) == OK)
        mindspore_last(mindspore_timeline_write(&b.t, e));
out:
    build_done(&b);
    return e->code;
}
